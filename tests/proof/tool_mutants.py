"""Mutants of the tool, which proves theorems about machine code (prove.py and its modules): (file,
text, other text), and where test_rows.py judges, the mnemonics of the forms that it then compares
(a regular expression). Each must make test_tool.py or, where it has mnemonics, test_rows.py fail.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# judged by test_tool.py: theorems that are false must not pass, those that are true must be proved
BY_CONTROLS = (
    # the domain of integers
    (
        "integers.py",
        "        if first == last:\n",
        "        if first == last or first == 0:\n",
    ),  # a carry ignored
    (
        "integers.py",
        "        first, last = lo // base, hi // base\n",
        "        first, last = lo // base, (hi - base // 2) // base\n",
    ),  # a bound too small
    ("integers.py", "self.residues[v] = residue\n", "self.residues[v] = {}\n"),
    ("integers.py", "        if residue == {}:\n", "        if residue is not None:\n"),
    (
        "integers.py",
        "domain.decisions[:k] + [1] for k in range(len(decisions), len(domain.decisions))",
        "decisions for k in ()",
    ),  # one side of a fork
    (
        "integers.py",
        "        if a > hi or b < lo:\n            raise Infeasible\n        return value",
        "        raise Infeasible",
    ),  # no path at all
    ("integers.py", "if c != int(c) or int(c) % modulus:", "if c != int(c):"),
    ("integers.py", "        if number not in monomial or c != int(c):", "        if c != int(c):"),
    (
        "integers.py",
        "    if rest:\n        raise Refused(f\"not shown equal",
        "    if len(rest) > 9:\n        raise Refused(f\"not shown equal",
    ),
    (
        "integers.py",
        "p = poly_add(p, {tuple(left): c * k})",
        "p = poly_add(p, {tuple(left): -c * k})",
    ),
    (
        "integers.py",
        "    if floor(domain.bounds(a.poly)[1]) >= bound:",
        "    if floor(domain.bounds(a.poly)[1]) >= 2 * bound:",
    ),
    (
        "integers.py",
        "ends = a * lo, a * hi, b * lo, b * hi\n                a, b",
        "ends = a * lo, b * lo\n                a, b",
    ),
    (
        "integers.py",
        "return value, Word(poly_scale(out.poly, -1), -out.hi, -out.lo, 8)",
        "return value, out",
    ),
    # the domain of lanes
    (
        "lanes.py",
        "        if lo < -HALF or hi >= HALF:\n            raise",
        "        if False:\n            raise",
    ),
    ("lanes.py", "form = combine({}, form, R_INVERSE)", "form = combine({}, form, 1)"),
    (
        "lanes.py",
        "            if self.lower(wide) == 0:\n",
        "            if self.lower(wide) != 0:\n",
    ),
    ("lanes.py", "made[x] = (made.get(x, 0) + c * d) % (1 << 32)", "made[x] = 0"),
    (
        "lanes.py",
        "lo, hi = (a0 + b0, a1 + b1) if sign > 0 else (a0 - b1, a1 - b0)",
        "lo, hi = a0, a1",
    ),
    # the machine
    (
        "machine.py",
        "            if address < self.general[\"rsp\"] - 128:",
        "            if False:",
    ),
    ("machine.py", "            if writing and end > self.frame_end:", "            if False:"),
    (
        "machine.py",
        "                if writing and not region.writable:",
        "                if False:",
    ),
    (
        "machine.py",
        "            if region.start <= address and end <= region.end:",
        "            if region.start - 8 <= address and end <= region.end:",
    ),
    (
        "machine.py",
        "            if region.start <= address and end <= region.end:",
        "            if region.start <= address and end <= region.end + 8:",
    ),
    (
        "machine.py",
        "                raise Violation(\"read of memory that nothing was written to\")",
        "                cells = [0 if c is None else c for c in cells]",
    ),
    (
        "machine.py",
        "            if self.wide(name) is not self.initial[name]:",
        "            if False:",
    ),
    ("machine.py", "PRESERVED = \"rbx rbp r12", "PRESERVED = \"rbx rbp"),
    ("machine.py", "        if self.general[\"rsp\"] != top:", "        if False:"),
    (
        "machine.py",
        "        if value is None:\n            raise Refused(f\"flag",
        "        if value is None:\n            return 0\n            raise Refused(f\"flag",
    ),
    (
        "machine.py",
        "            raise Violation(\"address that depends on data\")",
        "            return 0",
    ),
    # control and shifts
    (
        "rows.py",
        "        if not all(number(v) for v in values):\n            raise Violation("
        "\"branch on data\")",
        "        if not all(number(v) for v in values):\n            return",
    ),
    (
        "rows.py",
        "    if not number(count):\n        raise Violation(\"shift by a count that depends "
        "on data\")",
        "    if not number(count):\n        return 0",
    ),
    # contracts
    (
        "contract.py",
        "elif isinstance(a, Limb):\n                words[a.name] = [domain.input()]",
        "elif isinstance(a, Limb):\n                words[a.name] = [domain.input(hi=0)]",
    ),
    ("contract.py", "            region.writable, region.end =", "            _, region.end ="),
    (
        "contract.py",
        "            places[a.name] = region.start\n",
        "            places[a.name] = region.start + (1 << 40)\n",
    ),
)
# judged by the group "bits" of test_tool.py
BY_BITS = (
    ("bits.py", "        if below < 1 << k:\n", "        if below < 2 << k:\n"),
    ("bits.py", "        if not may & ~exact:\n", "        if True:\n"),
    ("bits.py", "exact, may = without_carry(counts, 128)", "exact, may = (1 << 128) - 1, 0"),
    (
        "bits.py",
        "            if not both:\n                return total",
        "            return total",
    ),
    ("bits.py", "            if want != table[v]:\n", "            if False:\n"),
    ("bits.py", "        if most_of(index) & 0x80:\n", "        if False:\n"),
    ("bits.py", "and most_of(b) == 1:", "and most_of(b) & 1:"),
    ("bits.py", "full ^ full >> min(count, width)", "0"),
    ("bits.py", "return self.apart(a, 0), self.apart(a, 32)", "return self.apart(a, 0), 0"),
    ("bits.py", "        if key not in self.known:\n", "        if not self.known:\n"),
    ("bits.py", "if unknown else total\n", "if False else total\n"),
    (
        "bits.py",
        "for g, p in parts}, value.unknown << k & ONES, size)",
        "for g, p in parts}, 0, size)",
    ),
    ("bits.py", "for g, p in one.parts.items()}, full * one.unknown, size)", "for g, p in "
     "one.parts.items()}, 0, size)"),
    ("bits.py", "        return not total\n", "        return True\n"),
    ("bits.py", "        return self.input(8, 1), 0\n", "        return 0\n"),
    ("bits.py", "        rest = full & ~((lowest << 1) - 1)\n", "        rest = 0\n"),
    (
        "polynomials.py",
        "            raise Refused(f\"claim {n + 1} is not shown\")",
        "            pass",
    ),
    ("polynomials.py", "& ~(below - 1 >> 64 * k) & B - 1:", "& 0:"),
    ("polynomials.py", "if not isinstance(w, Bits) or w.unknown:", "if not isinstance(w, Bits):"),
    ("polynomials.py", "if v < MOST or w < MOST or v == w:", "if v < MOST or w < MOST:"),
    ("polynomials.py", "lane = i + j if kind == \"product\" else", "lane = i + j if i else"),
)
# by the group "steps"
BY_STEPS = (
    ("machine.py", "            if not self.garbage or ", "            if "),
    ("words.py", "return not a.unknown and not b.unknown and a.parts == b.parts", "return True"),
    ("bits.py", "(\"sum\", width, frozenset(terms.items()), constant),", "(\"sum\", width, "
     "frozenset(terms.items())),"),
    ("bits.py", "(\"sum\", width, frozenset(terms.items()), constant),", "(\"sum\", width, "
     "constant),"),
    ("bits.py", "self.define((\"inverse\", byte.key()),", "self.define((\"inverse\",),"),
    ("bits.py", "self.define((kind, frozenset((x.key(), y.key()))),", "self.define((kind,),"),
)
# by the group "long"
BY_LONG = (
    ("ghash_long.py", "            check_zero(d, claim, P, 0)", "            pass"),
    ("ghash_long.py", "        if z.meaning != {", "        if not {"),
    ("ghash_long.py", "            if self.read(number(found)) != z:", "            if z is None:"),
    (
        "ghash_long.py",
        "self.names.setdefault(word.whole_key(), self.input())",
        "self.names.setdefault(0, self.input())",
    ),
)
# by the group "asm": asm statements with records (records.py)
BY_ASM = (
    ("records.py", "        return hit or copies\n", "        return hit or copies[:1]\n"),
    ("records.py", "        if lost:\n", "        if False:\n"),
    ("records.py", "if m.general[name] is not general[name] and m.general[name] !=", "if "
     "m.general[name] != m.general[name] !="),
    ("records.py", "if m.vectors != vectors or m.masks:", "if m.masks:"),
    ("records.py", "for name in set(WIDE) - free - set(self.clobbers):", "for name in (\"rbx\",):"),
    ("records.py", "if not start + copy.start <= m.ip < end:\n", "if False:\n"),
    ("records.py", "address = self._base(m, memory[2]) + int(memory[1] or 0)", "address = "
     "self._base(m, memory[2])"),
    ("exact.py", "        if lo < 0 or hi >= base:\n            return None\n", ""),
    ("exact.py", "                self.decide(value.flag)  #", "                pass  #"),
    ("exact.py", "poly_scale(self.poly(carry), 1 << 8 * size - 1)", "{}"),
    ("exact.py", "self.bounded.append((total, 0, bound - 1))", "pass"),
)
# judged by test_rows.py: the row no longer agrees with the CPU
BY_CPU = (
    ("rows_bytes.py", "0x11B if a >> 7 else 0", "0x11D if a >> 7 else 0", "v?aesenclast"),
    ("rows_bytes.py", "part[(j + 4 * (j % 4)) % 16]", "part[j]", "v?aesenclast"),
    ("rows_bytes.py", "matrix[7 - row] >> k & 1", "matrix[row] >> k & 1", "v?gf2p8affineqb"),
    ("rows_masks.py", "for n in range(0, width, size) if bits >> n // size & 1]", "for n in "
     "range(0, width, size)]", "vmovdqu32"),
    (
        "rows_masks.py",
        "value = value << min(count, 64) if",
        "value = value << (count & 7) if",
        "kshift.*",
    ),
    ("rows.py", "total = a + b + carry\n", "total = a + b\n", "adc"),
    ("rows.py", "total = a - b - borrow\n", "total = a - b\n", "sbb"),
    ("rows.py", "flag = \"c\" if i.name == \"adcx\" else \"o\"", "flag = \"c\"", "adox"),
    ("rows.py", "    m.flags = {**flags, \"c\": carry}", "    m.flags = flags", "inc"),
    ("machine.py", "        elif op.size == 4:\n", "        elif op.size == 5:\n", "mov"),
    ("rows.py", "& (63 if size == 8 else 31)", "& 63", "shl"),
    ("rows.py", "lambda z, s, o: z | (s ^ o)", "lambda z, s, o: s ^ o", "setle"),
    (
        "rows_vector.py",
        "        cells = [cell if bits >> n // lane & 1 else old[n]",
        "        cells = [cell if bits >> n // lane & 1 else 0",
        "vpaddd",
    ),
    (
        "rows_vector.py",
        "cells.append(0 if k & 128 else a[(n & ~15) + (k & 15)])",
        "cells.append(a[(n & ~15) + (k & 15)])",
        "vpshufb",
    ),
    ("rows_vector.py", "lane_of(a, 4) * lane_of(b, 4)", "(a & mask(4)) * (b & mask(4))", "vpmuldq"),
    ("rows_carry.py", "carry << 63", "carry << 62", "rcr"),
    ("rows_carry.py", "carry << 63, value & 1", "carry << 63, carry", "rcr"),
    (
        "rows_vector.py",
        "            m.vectors[o[0].number][16:] = above",
        "            pass",
        "pxor",
    ),
)


GROUPS = {"words": BY_CONTROLS, "bits": BY_BITS, "steps": BY_STEPS, "long": BY_LONG, "asm": BY_ASM,
          "cpu": BY_CPU}


def misplaced():
    """Messages about mutants with a text that the tool does not contain"""
    for mutants in GROUPS.values():
        for name, old, *_ in mutants:
            if old not in open(os.path.join(HERE, name)).read():
                yield f"tool_mutants.py: {name} has no {old!r}"


def killed(folder, library, mutant, group):
    """Whether the tests of a tool with that change fail."""
    name, old, new, *row = mutant
    path = os.path.join(folder, name)
    original = open(path).read()
    try:
        with open(path, "w") as f:
            f.write(original.replace(old, new))
        test = ["test_rows.py", row[0]] if row else ["test_tool.py", library, "--first", group]
        done = subprocess.run(
            [sys.executable, "-B", os.path.join(folder, test[0]), *test[1:]],
            capture_output=True,
            text=True,
        )
        return done.returncode not in (0, 77)
    finally:
        with open(path, "w") as f:
            f.write(original)


def run(library):
    root = tempfile.mkdtemp()
    folder, alive = os.path.join(root, "tests/proof"), []
    os.makedirs(folder)
    for name in ("src", "include"):  # where contracts read constants
        os.symlink(os.path.join(HERE, "../..", name), os.path.join(root, name))
    try:
        for path in os.listdir(HERE):
            if re.search(r"\.(py|S)$", path):
                shutil.copy(os.path.join(HERE, path), folder)
        for group, mutants in GROUPS.items():
            for mutant in mutants:
                if not killed(folder, library, mutant, group):
                    alive.append(mutant)
                    text = f"{mutant[0]}: {mutant[1].strip()} -> {mutant[2].strip()}"
                    print(f"ALIVE {text}", flush=True)
    finally:
        shutil.rmtree(root)
    count = sum(len(mutants) for mutants in GROUPS.values())
    print(f"mutants of the tool: {count}, of which {len(alive)} survive")
    return bool(alive)
