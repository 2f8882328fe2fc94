#!/usr/bin/env python3
"""Schedule and encode the microprogram of the GF(2^m) accelerator.

    ucode.py --schedule     solve for the times (OR-Tools; writes kp.sched, then as --write)
    ucode.py --write        encode kp.s with the times of kp.sched: gen/ty_ucode.sv, and the table
                            of cycles in docs/accelerator.md
    ucode.py --check        check that the times respect every dependence, that both files are up to
                            date, and that the model of the machine computes kP with every image

There is one image for each c, the cycles that the multiplier takes for a product. In the word of
cycle t an operation reads its operands; the squarer's result is written in the word of t + 1, the
multiplier's in that of t + c + 1, that of generic mode's squarer in that of t + c. A value can be
read in the word that writes it, which then has the bypass bit set (fa, fb). These times count a
word for each step; at the end a word with a delay replaces those that are empty (without_empty).

kp.s is written once and encoded four times (VARIANTS). A squaring in a named field takes one cycle
and in generic mode does not: there it is a product, or takes c cycles in a unit of its own. Word 0
branches on the mode. The fourth is for named fields with two multipliers: a word can start a
product and another operation if both read the same registers, and it can write the sum of two
products, which both multipliers then have at their outputs.
"""
import argparse
import json
import os
import sys

import model

HERE = os.path.dirname(os.path.abspath(__file__))
ASM, SCHED = os.path.join(HERE, "kp.s"), os.path.join(HERE, "kp.sched")
DOCS = os.path.join(HERE, "../../docs/accelerator.md")
BEGIN, END = "<!-- cycles: begin (rtl/ucode/ucode.py) -->", "<!-- cycles: end -->"
ROM = os.path.join(HERE, "gen", "ty_ucode.sv")
CYCLES = range(1, 31)    # c of the images: m <= 239 in digits of 8 bits or more
GENERIC = range(2, 17)   # and of generic mode: m <= 255 in digits of 16 bits or more, two at least
SOLVED = 6               # the largest c for which times are solved for; above it they are stretched
# The variants and the suffixes of their blocks' names: named fields; generic mode by its squarings;
# named fields with two multipliers. An image of generic mode consists of the words for named fields
# and its own.
VARIANTS = {"named": "", "product": ".g", "folded": ".q", "two": ".2"}
NAMED = ("named", "two")
FLAG = 4                 # words from that of a test to the first whose operands it may select
KEPT = 2                 # words for which a product of a sum waits for the other one, at most

S_OPS = {"add": ("xor", 0), "adds": ("xor", 1), "mov": ("pass", 0), "sqr": ("pass", 1),
         "sel": ("sel", 0), "sels": ("sel", 1), "sqn": ("pass", 2), "test": ("pass", 0),
         "inv": ("pass", 3)}
SQUARES = {"sqr": "mov", "adds": "add", "sels": "sel"}   # and the operation without the squaring


class Op:
    """One statement: what it reads and writes, as names; its time is the word in which it
    reads."""

    def __init__(self, words, variant="named"):
        self.name = words[0]
        self.cond = self.flag = self.dest = None
        rest = words[1:]
        if self.name in ("sel", "sels"):
            self.cond = rest.pop(0)
        if self.name == "test":
            self.flag = rest.pop(0)
        elif self.name != "key":
            self.dest = rest.pop(0)
        self.reads = rest
        counts = {"key": 0, "mov": 1, "sqr": 1, "sqn": 1, "test": 1, "inv": 1}
        if self.name not in S_OPS and self.name not in ("mul", "key", "sum"):
            raise SystemExit(f"kp.s: no operation {self.name}")
        if len(rest) != counts.get(self.name, 2):
            raise SystemExit(f"kp.s: {' '.join(words)}: wrong number of operands")
        self.kept = False    # a product that is not written, but added to another
        if self.name == "sum" and variant != "two":
            self.name = "add"
        # The unit that is busy for c words, if any, and the unit whose result is written.
        self.busy = "mul" if self.name == "mul" else None
        if variant == "folded" and self.name in SQUARES:
            self.busy = "sqr"
        self.writes = model.W_MUL if self.name == "mul" else \
            model.W_OTHER if self.busy == "sqr" or self.name == "inv" or \
            variant == "folded" and self.name == "sqn" else model.W_SQR

    def latency(self, c):
        """Words from the one that reads to the one that writes."""
        return c + 1 if self.busy == "mul" else c if self.busy else 0 if self.name == "sum" else 1

    def loads(self):
        """Whether it reads registers."""
        return self.name not in ("key", "sum")

    def stores(self):
        """Whether it writes a register, or occupies the word in which it would."""
        return self.name != "key" and not self.kept

    def shares(self, other):
        """Whether a word can start both, a product and another operation: both read the same
        registers, or the other one only the first. A selection's address may depend on the
        scalar."""
        return ((self.name == "mul") != (other.name == "mul")
                and not {"sel", "sels"} & {self.name, other.name}
                and all(a == b for a, b in zip(self.reads, other.reads)))

    # The values that an operation reads and writes: registers, flags, and the bit of the scalar.
    def uses(self):
        bits = {"key": ["key"], "last": ["key"], None: []}
        # where the result is infinite there is no fault
        return self.reads + bits.get(self.cond, [self.cond]) + ["infinite"] * (self.flag == "fault")

    def makes(self):
        return "key" if self.name == "key" else self.flag or self.dest

    def ready(self, c):
        """Words from the one that reads to the first in which the result can be used."""
        return FLAG if self.flag else self.latency(c)

    def keeps(self, c):
        """Words from the one that reads to the last in which what was there before can be used."""
        return 1 if self.flag else self.latency(c) - 1


class Block:
    def __init__(self, name, loop, multipliers=1):
        self.name, self.loop, self.ops, self.multipliers = name, loop, [], multipliers
        self.power = None  # the register that is squared repeatedly, by products
        self.exits = []    # ("jump", target, condition), ("end", target), ("end",), ("exponent",)

    def terms(self, j):
        """The two products that sum j adds."""
        found = [i for i, op in enumerate(self.ops) if op.dest in self.ops[j].reads]
        readers = [op for op in self.ops if set(op.reads) & set(self.ops[j].reads)]
        if [self.ops[i].name for i in found] != ["mul", "mul"] or len(readers) != 1:
            raise SystemExit(f"kp.s: {self.name}: a sum of other than two products, or of products "
                             "that are read elsewhere, too")
        return found

    def sums(self):
        """(number of a sum, number of a product that it adds) of all"""
        return [(j, i) for j, op in enumerate(self.ops) if op.name == "sum" for i in self.terms(j)]

    def dependences(self, c):
        """(i, j, d, passes): t[j] >= t[i] + d where j is in the iteration that starts `passes`
        iterations later."""
        found = []
        for j, later in enumerate(self.ops):
            for i, first in enumerate(self.ops):
                for passes in (0, 1) if self.loop else (0,):
                    if passes == 0 and i >= j:
                        continue
                    if passes == 1 and i < j:
                        continue    # follows from the same pass
                    if first.makes() in later.uses():
                        found.append((i, j, first.ready(c), passes))
                    if later.makes() in first.uses():    # the old value is read before
                        found.append((i, j,
                                      -later.keeps(c) + (1 if later.makes() == "key" else 0)
                                      - (1 if later.name == "key" else 0), passes))
                    if first.makes() == later.makes():
                        found.append((i, j, first.ready(c) - later.ready(c) + 1, passes))
        return found

    def least_interval(self, c):
        products = sum(op.busy == "mul" for op in self.ops)
        return max(-(-c * products // self.multipliers), sum(op.stores() for op in self.ops))

    def occupied(self, c, entry):
        """(operation, unit, word) of each word in which a multiplier or generic mode's squarer
        cannot start another operation."""
        times, second = entry["times"], entry.get("second", [])
        until = {i: times[j] - 1 for j, i in self.sums()}
        for i, op in enumerate(self.ops):
            for t in range(times[i], max(times[i] + c, until.get(i, 0)) if op.busy else 0):
                yield op, "mul2" if i in second else op.busy, t

    def wrong(self, c, entry):
        """The first rule that an entry of kp.sched breaks, or None. An entry has times, the
        interval between the starts of two iterations, and the products of the second multiplier."""
        times, interval = entry["times"], entry["interval"] or 10 ** 6
        if len(times) != len(self.ops):
            return f"{self.name}: kp.s has changed; run --schedule"
        if min(times, default=0) < 0:
            return f"{self.name}, c = {c}: a time below 0"
        for i, j, d, passes in self.dependences(c):
            if times[j] + passes * interval < times[i] + d:
                return f"{self.name}, c = {c}: operation {j} is too early after {i}"
        second = [self.ops[i].name for i in entry.get("second", [])]
        if second != ["mul"] * len(second) or second and self.multipliers == 1:
            return f"{self.name}, c = {c}: not a product of the second multiplier"
        taken = {}
        wants = [(op, "write", t + op.latency(c)) for op, t in zip(self.ops, times) if op.stores()]
        wants += [(op, "read", t) for op, t in zip(self.ops, times) if op.loads()]
        for op, port, t in wants + list(self.occupied(c, entry)):
            users = taken.setdefault((port, t % interval), [])
            users.append(op)
            if len(users) > 1 and (self.multipliers == 1 or port != "read" or len(users) > 2
                                   or not users[0].shares(users[1])):
                return f"{self.name}, c = {c}: two operations in one word"
        for j in {j for j, _ in self.sums()}:
            if sum(i in entry["second"] for i in self.terms(j)) != 1:
                return f"{self.name}, c = {c}: a sum of two products of one multiplier"
        return None

    def stretch(self, c, before):
        """An entry for c from that for c - 1, with one more word after every c - 1 words of an
        iteration, or None if it breaks a rule. Dependences still hold, an interval in which the
        multiplier was always busy is full again, and a chain of products has no more idle words
        than before."""
        def longer(t):
            return t // (c - 1) * c + t % (c - 1)
        n = before["interval"]
        found = {**before, "interval": longer(n),
                 "times": [t // n * longer(n) + longer(t % n) if n else longer(t)
                           for t in before["times"]]}
        return None if self.wrong(c, found) else found

    def solve(self, c):
        """Times and the interval with the fewest words, up to the solver's gap and time limits."""
        interval = (self.least_interval(c) if self.loop else sum(op.latency(c) + 2
                                                                 for op in self.ops))
        while True:
            found = self.solve_for(c, interval)
            if found:
                return found
            interval += 1

    def choices(self, m, n):
        """For each operation {(unit, words for which its result waits): a variable for each of n
        words}; exactly one of the variables is true."""
        units = {"mul": ["mul", "mul2"][:self.multipliers], "sqr": ["sqr"], None: [None]}
        kept = {i for _, i in self.sums()}
        found = []
        for i, op in enumerate(self.ops):
            waits = range(KEPT + 1 if i in kept else 1)
            found.append({(u, wait): [m.new_bool_var(f"{i}_{u}_{wait}_{s}") for s in range(n)]
                          for u in units[op.busy] for wait in waits})
            m.add_exactly_one(x for row in found[-1].values() for x in row)
        return found

    def ports(self, m, c, at, choices, n):
        """At most one operation in each word for each port and unit."""
        ops = list(enumerate(self.ops))
        for s in range(n):
            m.add_at_most_one(at[i][(s - op.latency(c)) % n] for i, op in ops if op.stores())
            for unit in ("mul", "mul2", "sqr"):
                m.add_at_most_one(row[(s - d) % n] for i, _ in ops
                                  for (u, wait), row in choices[i].items() if u == unit
                                  for d in range(c + wait))
            if self.multipliers == 1:
                m.add_at_most_one(at[i][s] for i, op in ops if op.loads())
                continue
            for product in (False, True):
                m.add_at_most_one(at[i][s] for i, op in ops
                                  if op.loads() and (op.name == "mul") == product)
            for i, op in ops:
                for j, other in ops[:i]:
                    if op.loads() and other.loads() and not op.shares(other):
                        m.add_at_most_one(at[i][s], at[j][s])

    def solve_for(self, c, interval):
        """An entry with this interval, or None."""
        from ortools.sat.python import cp_model
        m = cp_model.CpModel()
        horizon = 2 * interval if self.loop else interval
        t = [m.new_int_var(0, horizon - 1, f"t{i}") for i in range(len(self.ops))]
        choices = self.choices(m, interval)
        at = []
        for i, options in enumerate(choices):
            at.append([m.new_bool_var(f"x{i}_{s}") for s in range(interval)])
            for x, *ways in zip(at[i], *options.values()):
                m.add(x == sum(ways))
            stage = m.new_int_var(0, horizon // interval, f"k{i}")
            m.add(t[i] == sum(s * x for s, x in enumerate(at[i])) + interval * stage)
        for i, j, d, passes in self.dependences(c):
            m.add(t[j] + passes * interval >= t[i] + d)
        for j, i in self.sums():
            m.add(t[j] == t[i] + c + 1 + sum(wait * x for (_, wait), row in choices[i].items()
                                             for x in row))
        for j in {j for j, _ in self.sums()}:
            m.add_exactly_one(x for i in self.terms(j) for (unit, _), row in choices[i].items()
                              if unit == "mul2" for x in row)
        self.ports(m, c, at, choices, interval)
        last = m.new_int_var(0, horizon + c + 2, "last")
        for i, op in enumerate(self.ops):
            m.add(last >= t[i] + op.latency(c))
        m.minimize(last)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        solver.parameters.max_time_in_seconds = 20 if self.loop else 60
        if self.loop or c > 4:
            # a block runs once per multiplication, and not in each step
            solver.parameters.relative_gap_limit = 0.1 if self.loop else 0.03
        if solver.solve(m) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        found = {"interval": interval if self.loop else 0, "times": [solver.value(x) for x in t]}
        if self.multipliers == 2:
            found["second"] = [i for i, options in enumerate(choices)
                               for (unit, _), row in options.items()
                               if unit == "mul2" and any(solver.value(x) for x in row)]
        return found


def parse(path):
    """The blocks of all variants, and the registers' numbers."""
    source, registers = [], {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0] == ".reg":
                registers[words[1]] = int(words[2])
            elif words[0] in ("block", "loop"):
                source.append((words, [], []))
            elif words[0] in ("jump", "end", "exponent"):
                source[-1][2].append(words)
            else:
                source[-1][1].append(words)
                for name in Op(words).reads + ([Op(words).dest] if Op(words).dest else []):
                    if name not in registers:
                        raise SystemExit(f"kp.s: no register {name}")
    return {v: [b for part in source for b in expand(*part, v)] for v in VARIANTS}, registers


def expand(head, ops, exits, variant):
    """A block of kp.s in a variant: one block, or three if it has a repeated squaring by
    products."""
    suffix = VARIANTS[variant]
    blocks = [Block(head[1] + suffix, head[0] == "loop", 2 if variant == "two" else 1)]
    for words in ops:
        name, rest = words[0], words[1:]
        if variant != "product" or name not in SQUARES and name != "sqn":
            blocks[-1].ops.append(Op(words, variant))
        elif name == "sqn":
            blocks[-1].ops.append(Op(["mov"] + rest))
            blocks += [Block(f"{head[1]}.power{suffix}", False),
                       Block(f"{head[1]}.on{suffix}", False)]
            blocks[-2].power = rest[0]
        else:
            dest = rest[1] if name == "sels" else rest[0]
            if name != "sqr":
                blocks[-1].ops.append(Op([SQUARES[name]] + rest))
            source = rest[1] if name == "sqr" else dest
            blocks[-1].ops.append(Op(["mul", dest, source, source]))
    for words in exits:
        label = [words[1] + suffix] if len(words) > 1 else []
        blocks[-1].exits.append((words[0], *label, " ".join(words[2:])) if words[0] == "jump" else
                                (words[0], *label))
    for block in blocks:
        for _, i in block.sums():
            block.ops[i].kept = True
    return blocks


def encode(blocks, registers, sched, c, start=0):
    """The image for c: a list of words, each a dictionary of fields; the first is at the address
    `start`."""
    words, address, jumps = [], {}, []

    def put(base, i, **fields):
        while len(words) <= base + i:
            words.append({})
        for name, value in fields.items():
            if name in words[base + i] and (name not in ("ra", "rb")
                                            or words[base + i][name] != value):
                raise SystemExit(f"ucode.py: {name} twice in one word")
            words[base + i][name] = value

    def events(block, times, second=()):
        """(word, fields) of one iteration"""
        for i, (op, t) in enumerate(zip(block.ops, times)):
            if op.name == "key":
                yield t, {"key": 1}
                continue
            if op.name == "sum":
                yield t, {"w": model.W_MUL, "add2": 1, "wa": registers[op.dest]}
                continue
            read = {"ra": registers[op.reads[0]]}
            if len(op.reads) > 1:
                read["rb"] = registers[op.reads[1]]
            if op.name == "mul":
                read["mul2" if i in second else "mul"] = 1
            else:
                kind, count = S_OPS[op.name]
                read.update(sop=model.SOP[kind], cnt=count)
                if op.cond:
                    read["cond"] = model.COND[op.cond]
            yield t, read
            if op.kept:
                continue
            done = ({"test": model.TEST[op.flag]} if op.flag else
                    {"add2": 1, "wa": registers[op.dest]} if i in second else
                    {"w": op.writes, "wa": registers[op.dest]})
            if op.name in ("sqn", "inv"):
                done["hold"] = 1
            yield t + op.latency(c), done

    for block in blocks:
        base = len(words)
        address[block.name] = start + base
        if block.power:
            # A product in every c + 1 words; the one after the last is not used, but waited for.
            square = {"mul": 1, "ra": registers[block.power], "rb": registers[block.power]}
            put(base, 0, ctl=model.CTL["exponent"], **square)
            put(base, c + 1, ctl=model.CTL["loop"], target=start + base + 1, w=model.W_MUL,
                wa=registers[block.power], **square)
            for i in range(c - 1):
                put(base, c + 2 + i)
            continue
        entry = sched[str(c)][block.name] if block.ops else {"times": [], "interval": 0}
        if not block.ops:
            put(base, 0)
        found = list(events(block, entry["times"], entry.get("second", ())))
        if not block.loop:
            for t, fields in found:
                put(base, t, **fields)
        else:
            ii = entry["interval"]
            passes = max(t for t, _ in found) // ii + 1      # iterations that overlap
            for k in range(passes - 1):   # the prologue
                for t, fields in found:
                    if t + k * ii < (passes - 1) * ii:
                        put(base, t + k * ii, **fields)
            if passes == 1:
                raise SystemExit(f"{block.name}: a loop whose iterations do not overlap")
            put(base, 0, ctl=model.CTL["count"], target=passes)
            kernel = base + (passes - 1) * ii
            for t, fields in found:
                put(kernel, t % ii, **fields)
            put(kernel, ii - 1, ctl=model.CTL["loop"], target=start + kernel)
            for k in range(1, passes):
                for t, fields in found:
                    if t >= k * ii:
                        put(kernel + ii, t - k * ii, **fields)
        for leave in block.exits:
            last = len(words) - 1
            if leave[0] == "end":
                put(last, 0, ctl=model.CTL["end"])
                jumps += [(last, target) for target in leave[1:]]
            elif leave[0] == "exponent":
                put(last, 0, expo=1)
            else:
                last += "ctl" in words[last]      # the second jump of a block is a word of its own
                put(last, 0, ctl=model.CTL["jump " + leave[2] if leave[2] else "jump"])
                jumps.append((last, leave[1]))
    for where, target in jumps:
        words[where]["target"] = address[target]
    for w in words:    # a value that a word writes and reads bypasses the registers
        for read, forward in (("ra", "fa"), ("rb", "fb")):
            if "wa" in w and w.get(read) == w["wa"]:
                w[forward] = 1
    return words


def without_empty(words):
    """The image without rows of empty words: the word after a row has a delay in their place. Where
    that word is the target of a jump, or selects by a flag, the last empty word of the row stays
    and has the delay of the others: a jump does not wait, and a flag is read while the word before
    is executed, which would be too early."""
    labels = {w["target"] for w in words if goes_to(w)}
    kept, where, empty = [], {}, 0

    def put(word):
        nonlocal empty
        kept.append({**word, "delay": empty} if empty else dict(word))
        empty = 0

    for i, word in enumerate(words):
        if empty and (i in labels or word.get("cond", 0) >= model.COND["infinite"]):
            empty -= 1
            put({})
        where[i] = len(kept)
        if word:
            put(word)
        else:
            empty += 1
    for word in filter(goes_to, kept):
        word["target"] = where[word["target"]]
    if len(kept) >= 2 ** model.ADDRESS_BITS:
        raise SystemExit("ucode.py: an image reaches the last address, where the sequencer locks")
    return kept


def goes_to(word):
    """Whether target is an address."""
    return "target" in word and word["ctl"] != model.CTL["count"]


def image(blocks, registers, sched, c, variant):
    """The words for named fields; in generic mode followed by those of a variant: word 0
    branches."""
    words = encode(blocks[variant if variant in NAMED else "named"], registers, sched, c)
    if variant in NAMED:
        return without_empty(words)
    if "ctl" in words[0] or words[0].get("mul"):
        raise SystemExit("ucode.py: word 0 has to be free for the branch on the mode")
    words[0].update(ctl=model.CTL["jump if generic"], target=len(words))
    return without_empty(words + encode(blocks[variant], registers, sched, c, len(words)))


def render(images):
    lines = ["// Generated by rtl/ucode/ucode.py from kp.s and kp.sched: the microprogram, an "
             "image for each c,",
             "// the cycles of a product. GENERIC: 0, named fields only; 1, generic mode with "
             "squarings on the",
             "// multiplier; 2, with a squarer. MULTIPLIERS: 2 with GENERIC = 0 only. Words in the "
             "order of",
             "// ty_word_pkg; those that are 0 are left out.",
             "module ty_ucode #(",
             "    parameter int C = 3,",
             "    parameter int GENERIC = 0,",
             "    parameter int MULTIPLIERS = 1",
             ") (",
             f"    input  logic [{model.ADDRESS_BITS - 1}:0] addr,",
             f"    output logic [{model.WORD_BITS - 1}:0] word",
             ");"]
    for (c, variant), words in images.items():
        built = "MULTIPLIERS == 2" if variant == "two" else \
            f"GENERIC == {list(VARIANTS).index(variant)} && MULTIPLIERS == 1"
        lines += [f"  if (C == {c} && {built}) begin : g_c{c}_{variant}",
                  "    always_comb begin", "      case (addr)"]
        for i, w in enumerate(words):
            if w:
                lines.append(f"        {i}: word = {model.WORD_BITS}'h{model.pack(w):012x};")
        lines += ["        default: word = '0;", "      endcase", "    end", "  end"]
    lines += [f"  if (C < {min(CYCLES)} || C > {max(CYCLES)} || (GENERIC != 0 && C > "
              f"{max(GENERIC)})) begin : g_none",
              "    assign word = '0;",
              "    initial $fatal(1, \"ty_ucode: no image for this number of cycles\");",
              "  end", "endmodule", ""]
    return "\n".join(lines)


def schedule(blocks, sched):
    """Finds times for every block that has none or wrong ones; the others are kept."""
    for c in CYCLES:
        per = sched.setdefault(str(c), {})
        for b in wanted(blocks, c):
            entry = per.get(b.name)
            if entry and not b.wrong(c, entry):
                continue
            before = sched.get(str(c - 1), {}).get(b.name) if c > SOLVED else None
            per[b.name] = entry = before and b.stretch(c, before) or b.solve(c)
            print(f"c = {c}: {b.name} {entry['interval'] or max(entry['times']) + 2}", flush=True)
        names = [b.name for b in wanted(blocks, c)]
        sched[str(c)] = {n: per[n] for n in names}
        with open(SCHED, "w", encoding="utf-8") as f:
            f.write("{\n" + ",\n".join(
                f'"{c}": {{\n' + ",\n".join(f'  "{n}": {json.dumps(e)}' for n, e in per.items()) +
                "}"
                for c, per in sched.items()) + "\n}\n")


def wanted(blocks, c):
    """The blocks that have times for this c."""
    return [b for v in VARIANTS if v in NAMED or c in GENERIC for b in blocks[v] if b.ops]


def main():
    args = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawTextHelpFormatter)
    for flag in ("schedule", "write", "check"):
        args.add_argument("--" + flag, action="store_true")
    args = args.parse_args()
    blocks, registers = parse(ASM)
    with open(SCHED, encoding="utf-8") as f:
        sched = json.load(f)
    if args.schedule:
        schedule(blocks, sched)
    for c in CYCLES:
        for b in wanted(blocks, c):
            entry = sched[str(c)].get(b.name)
            wrong = b.wrong(c, entry) if entry else \
                f"{b.name}, c = {c}: no times; run ucode.py --schedule"
            if wrong:
                raise SystemExit(wrong)
    images = {(c, v): image(blocks, registers, sched, c, v)
              for v in VARIANTS for c in (CYCLES if v in NAMED else GENERIC)}
    text = render(images)
    if args.schedule or args.write:
        os.makedirs(os.path.dirname(ROM), exist_ok=True)
        with open(ROM, "w", encoding="utf-8") as f:
            f.write(text)
    with open(DOCS, encoding="utf-8") as f:
        page = f.read()
    before, rest = page.split(BEGIN)
    fresh = before + BEGIN + "\n" + model.cycles_table(images) + "\n" + END + rest.split(END)[1]
    if args.schedule or args.write:
        with open(DOCS, "w", encoding="utf-8") as f:
            f.write(fresh)
    elif page != fresh:
        raise SystemExit("the cycles in docs/accelerator.md are not what the model counts: run "
                         "ucode.py --write")
    if args.check:
        with open(ROM, encoding="utf-8") as f:
            if f.read() != text:
                raise SystemExit("gen/ty_ucode.sv is not what kp.s and kp.sched give: run "
                                 "ucode.py --write")
        model.self_check(images)
        print(f"ucode: {len(images)} images, {sum(len(w) for w in images.values())} words; model "
              "agrees")
    return 0


if __name__ == "__main__":
    sys.exit(main())
