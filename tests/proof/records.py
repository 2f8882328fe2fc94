"""Theorems about asm statements that the compiler inlines (src/base/asm_record.h): each copy has a
record of where it begins and ends and of the registers or memory of its operands, and each is run
from beginning to end with words in the places that its record names. A statement with a copy
that has no record is refused.

What is shown of a copy: its claims, that it stores nothing, and that it changes no registers except
those of its outputs and those that the contract names in `changed` and `clobbers`."""

import random
import re
import struct

import capstone

import integers
import rows_carry  # noqa: F401  (declares rows)
from contract import Concrete, Theorem, _Names, _shown, holds
from decoder import WIDE
from exact import Exact
from integers import B, Number
from machine import Machine, Region
from outcome import Refused, Violation

SECTION = ".ty.asm"
ONLY_HERE = ("adcx", "adox")  # compilers do not emit these: outside a record they are a lost copy
_plain = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)


MEMORY = re.compile(r"(-?\d*)\(%(r\w+)\)")  # an operand in memory, as GCC writes it


class Copy:
    def __init__(self, section, start, size, text):
        self.section, self.start, self.end = section, start, start + size
        self.name, *self.operands = text.split()


def of(member):
    """All records of a member."""
    if not hasattr(member, "records"):
        section = member.elf.get_section_by_name(SECTION)
        member.records = list(_read(member, section)) if section else []
    return member.records


def _read(member, section):
    data, starts, at = section.data(), {}, 0
    for r in member.elf.get_section_by_name(".rela" + SECTION).iter_relocations():
        symbol = member.symbols[r["r_info_sym"]]
        starts[r["r_offset"]] = symbol["st_shndx"], symbol["st_value"] + r["r_addend"]
    while at < len(data):
        end = data.index(b"\0", at + 16)
        (size,) = struct.unpack_from("<Q", data, at + 8)
        yield Copy(*starts[at], size, data[at + 16 : end].decode())
        at = end + 1


def instructions(member):
    """(section, offset, mnemonic) of all instructions of the member's functions"""
    if not hasattr(member, "plain"):
        member.plain = []
        for s in member.symbols:
            if s["st_info"]["type"] == "STT_FUNC" and isinstance(s["st_shndx"], int):
                start, index = s["st_value"], s["st_shndx"]
                code = member.elf.get_section(index).data()[start : start + s["st_size"]]
                member.plain += [(index, at, name) for at, _, name, _ in
                                 _plain.disasm_lite(code, start)]
    return member.plain


def unrecorded(member, name):
    """(section, offset) of code that looks like a copy of that statement and is in no record."""
    copies, found = of(member), instructions(member)
    inside = {(c.section, at) for c in copies for at in range(c.start, c.end)}
    lost = [place for *place, mnemonic in found if mnemonic in ONLY_HERE and
            tuple(place) not in inside]
    names = [mnemonic for _, _, mnemonic in found]
    at = {(section, offset): k for k, (section, offset, _) in enumerate(found)}
    shapes = set()
    for c in copies:
        if c.name == name:
            first = at[c.section, c.start]
            last = next(k for k in range(first, len(found) + 1)
                        if k == len(found) or found[k][0] != c.section or found[k][1] >= c.end)
            shapes.add(tuple(names[first:last]))
    for shape in shapes:
        for k in range(len(names) - len(shape) + 1):
            if names[k] == shape[0] and tuple(names[k : k + len(shape)]) == shape:
                if found[k][:2] not in inside:
                    lost.append(found[k][:2])
    return lost


def without_theorem(archive, theorems):
    """Names of statements of which some member has a record, and which have no theorem"""
    known = {(t.member, t.symbol) for t in theorems if isinstance(t, Statement)}
    return sorted({f"{m.name}:{c.name}" for m in archive.members for c in of(m)
                   if (m.name, c.name) not in known})


class Words:
    """A number whose words are operands; `split`: its lowest word is written as 2 h + b"""

    def __init__(self, name, *operands, below=None, split=False):
        self.name, self.operands, self.below, self.split = name, operands, below, split
        self.count = len(operands)


class At:
    """A number in memory, to which an operand points"""

    def __init__(self, name, operand, count, below=None):
        self.name, self.operand, self.count, self.below, self.split = (
            name, operand, count, below, False)


class Mask:
    """An operand that is 0 or all ones; in claims it is 0 or 1."""

    def __init__(self, name, operand):
        self.name, self.operands, self.count = name, (operand,), 1


class Statement(Theorem):
    """`operands`: their names in the order of the record; `changed`: those that may be changed
    in addition to the outputs; `clobbers`: other registers that may be changed."""

    def __init__(self, tier, member, symbol, statement, operands, inputs, outputs, ensures,
                 changed="", clobbers="", anchor=None):
        self.family, self.tier, self.member, self.symbol = "asm", tier, member, symbol
        self.lengths, self.aliases = "each copy", "registers"
        self.statement, self.operands, self.inputs = statement, operands.split(), inputs
        self.outputs, self.ensures = outputs, ensures
        self.changed, self.clobbers = changed.split(), clobbers.split()
        self.anchor = anchor  # a symbol by which the member is found

    def copies(self, image):
        """All copies; of an image with changed bytes those that contain such a byte, if any."""
        copies = [c for c in of(image.main) if c.name == self.symbol]
        if not copies:
            raise Refused("no record of such a statement")
        lost = unrecorded(image.main, self.symbol)
        if lost:
            raise Refused(f"without a record: {len(lost)}, the first at {lost[0][1]:#x}")
        where = image.places[image.main]
        hit = [c for c in copies if any(where[c.section] + c.start <= at < where[c.section] + c.end
                                        for at in image.patches)]
        return hit or copies

    # --- one run ----------------------------------------------------------------------------------
    def _run(self, image, copy, domain, words, layout):
        """(the words of the outputs after a run of that copy, the machine)"""
        if len(copy.operands) != len(self.operands):
            raise Refused("a record with other operands than the contract's")
        m = Machine(image, domain, stack=0x7FF0_0000_0000 + (layout << 24), limit=4000)
        m.general["rsp"], m.frame_end = m.stack_top - (1 << 14), 0
        self.where, self.bases, self.layout = dict(zip(self.operands, copy.operands)), {}, layout
        self.bases["rsp"] = m.general["rsp"]
        for x in self.inputs:
            if isinstance(x, At):
                address = self._pointed(m, x.operand)
                cells = [c for w in words[x.name] for c in m.split(w, 8)]
                m.place(Region(x.name, address, 8 * x.count, False), cells)
            else:
                for operand, word in zip(x.operands, words[x.name]):
                    self._give(m, x.name, operand, word)
        start = image.places[image.main][copy.section]
        before = dict(m.general), [list(v) for v in m.vectors], dict(m.memory)
        m.ip, end = start + copy.start, start + copy.end
        while m.ip != end:
            if not start + copy.start <= m.ip < end:
                raise Violation("a jump out of the statement")
            m.step()
        self._check_kept(m, *before)
        return {name: [m.wide(self._register(o)) for o in names.split()]
                for name, names in self.outputs.items()}, m

    def _register(self, operand):
        text = self.where[operand].lstrip("%")
        if text not in WIDE:
            raise Refused(f"operand {operand} is not a register: {text}")
        return text

    def _base(self, m, register):
        """The address in a base register, which is assigned at its first use"""
        if register not in self.bases:
            if m.general[register] is not m.initial[register]:
                raise Refused(f"{register} is an address and a word")
            self.bases[register] = (0x10 + self.layout + len(self.bases) << 32) + 0x1000
            m.general[register] = self.bases[register]
        return self.bases[register]

    def _pointed(self, m, operand):
        """The address that an operand holds: in a base register, or in memory"""
        memory = MEMORY.fullmatch(self.where[operand])
        if not memory:
            return self._base(m, self._register(operand))
        cell = self._base(m, memory[2]) + int(memory[1] or 0)
        address = (0x10 + self.layout + len(self.bases) << 32) + 0x1000
        self.bases[operand] = address
        m.place(Region(f"the address of {operand}", cell, 8, False),
                list(address.to_bytes(8, "little")))
        return address

    def _give(self, m, name, operand, word):
        """Puts a word into its operand's place; another operand there must have the same word."""
        memory = MEMORY.fullmatch(self.where[operand])
        if memory:
            address = self._base(m, memory[2]) + int(memory[1] or 0)
            if all(m.memory.get(address + k) is None for k in range(8)):
                region = Region(name, address, 8, False)
                m.place(region, m.split(word, 8))
            elif m.join([m.memory[address + k] for k in range(8)]) is not word:
                raise Refused(f"{operand} shares its memory with another word")
            return
        register = self._register(operand)
        if m.general[register] is not m.initial[register] and m.general[register] is not word:
            raise Refused(f"{operand} shares its register with another word")
        m.general[register] = word

    def _check_kept(self, m, general, vectors, memory):
        free = {self._register(o) for o in self.changed + " ".join(self.outputs.values()).split()}
        for name in set(WIDE) - free - set(self.clobbers):
            if m.general[name] is not general[name] and m.general[name] != general[name]:
                raise Violation(f"{name} is changed")
        if m.vectors != vectors or m.masks:
            raise Violation("a vector is changed")
        if m.memory != memory:
            raise Violation("memory is changed")

    def _shared(self, copy, words):
        """The words for a copy: operands that share a place have the same word."""
        text, seen, words = dict(zip(self.operands, copy.operands)), {}, dict(words)
        for x in sorted(self.inputs, key=lambda x: not isinstance(x, Mask)):
            if not isinstance(x, At):
                words[x.name] = [seen.setdefault(text[o], w)
                                 for o, w in zip(x.operands, words[x.name])]
        return words

    # --- on numbers -------------------------------------------------------------------------------
    def _sample(self, rnd):
        words = {}
        for x in self.inputs:
            if isinstance(x, Mask):
                words[x.name] = [rnd.choice((0, B - 1))]
                continue
            value = sum(rnd.choice((0, 1, B - 1, 1 << 63, rnd.getrandbits(64))) << 64 * k
                        for k in range(x.count))
            if x.below:
                value = x.below - 1 - value % 5 if rnd.random() < 0.3 else value % x.below
            words[x.name] = [value >> 64 * k & B - 1 for k in range(x.count)]
        return words

    def refute(self, image, seed=1, cases=8):
        rnd = random.Random(seed)
        for copy in self.copies(image):
            for _ in range(cases):
                words = self._shared(copy, self._sample(rnd))
                try:
                    results, _ = self._run(image, copy, Concrete(), words, 2 + rnd.randrange(8))
                except Violation as e:
                    return f"copy at {copy.start:#x}: {e}; input {_shown(words)}"
                values = {k: sum(v << 64 * n for n, v in enumerate(w))
                          for k, w in {**words, **results}.items()}
                values.update({x.name: values[x.name] & 1 for x in self.inputs
                               if isinstance(x, Mask)})
                for n, claim in enumerate(self.ensures(_Names(values))):
                    if not holds(claim, values):
                        return f"copy at {copy.start:#x}: claim {n + 1}; input {_shown(words)}"
        return None

    # --- on polynomials ---------------------------------------------------------------------------
    def prove(self, image):
        """The machine of the last path of the last copy, with what all copies executed"""
        executed, steps, last = set(), 0, []

        def path(domain, copy):
            exact = Exact()
            exact.decisions = domain.decisions
            words = self._shared(copy, self._symbols(exact))
            results, m = self._run(image, copy, exact, words, layout=1)
            last[:] = [m]
            executed.update(m.executed)
            self._claims(exact, {**words, **results})

        for copy in self.copies(image):
            integers.each_path(lambda domain: path(domain, copy))
            steps += last[0].steps
        last[0].executed, last[0].steps = executed, steps
        return last[0]

    def _symbols(self, domain):
        words = {}
        for x in self.inputs:
            if isinstance(x, Mask):
                words[x.name] = [domain.mask_of_input()]
                continue
            words[x.name] = [domain.input() for _ in range(x.count)]
            if x.split:
                words[x.name][0] = domain.input_by_parity()
            if x.below:
                domain.below(words[x.name], x.below)
        return words

    def _claims(self, domain, words):
        values = {}
        for name, limbs in words.items():
            total = {}
            for k, w in enumerate(limbs):
                total = integers.poly_add(total, domain.poly(w), B**k)
            values[name] = Number(total)
        for x in self.inputs:
            if isinstance(x, Mask):
                values[x.name] = Number(words[x.name][0].flag.poly)
        for kind, a, *rest in self.ensures(_Names(values)):
            {"equal": integers.check_equal, "congruent": integers.check_congruent,
             "below": integers.check_below}[kind](domain, a, *rest)
