"""x86-64 instructions in the form that machine.py uses: operands as small objects, and a signature
with their kinds and widths, the key of the semantics table."""

import capstone
from capstone import x86

_md = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
_md.detail = True

WIDE = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
GENERAL = {}
for _n, _w in enumerate(WIDE):
    _old = _n < 8
    GENERAL[_w] = (_w, 8)
    GENERAL["e" + _w[1:] if _old else _w + "d"] = (_w, 4)
    GENERAL[_w[1:] if _old else _w + "w"] = (_w, 2)
    GENERAL[(_w[1:] if _n > 3 else _w[1]) + "l" if _old else _w + "b"] = (_w, 1)
VECTORS = {
    f"{c}mm{n}": (n, size) for n in range(32) for c, size in (("x", 16), ("y", 32), ("z", 64))
}
MASKS = {f"k{n}": n for n in range(8)}


class General:
    """A general register or a part of it that begins at its lowest byte."""

    def __init__(self, name):
        self.name, self.size = GENERAL[name]
        self.kind = f"r{8 * self.size}"


class Vector:
    def __init__(self, name):
        self.number, self.size = VECTORS[name]
        self.kind = {16: "x", 32: "y", 64: "z"}[self.size]


class Mask:
    kind, size = "k", 8

    def __init__(self, name):
        self.number = MASKS[name]


class Immediate:
    kind = "i"

    def __init__(self, value, size):
        self.value, self.size = value, size


class Memory:
    """`each`: one element, which is broadcast to all lanes of the vector"""

    def __init__(self, base, index, scale, disp, segment, size, each):
        self.base, self.index, self.scale, self.disp = base, index, scale, disp
        self.segment, self.size, self.each = segment, size, each
        self.kind = f"m{8 * size}" + ("b" if each else "")


class Instruction:
    __slots__ = "address size name ops signature text zeroing disp_offset".split()


def decode(data, address):
    """One instruction, or None if the bytes are not one or if it uses a register or a rounding mode
    that is not modelled."""
    raw = next(_md.disasm(data, address, 1), None)
    if raw is None:
        return None
    i = Instruction()
    i.address, i.size, i.name = address, raw.size, raw.mnemonic
    i.text, i.disp_offset = f"{raw.mnemonic} {raw.op_str}".strip(), raw.disp_offset
    i.zeroing = "{z}" in raw.op_str
    each = "{1to" in raw.op_str
    i.ops = []
    for op in raw.operands:
        operand = _operand(raw, op, each)
        if operand is None:
            return None
        i.ops.append(operand)
    i.signature = ",".join(op.kind for op in i.ops) + (",zero" if i.zeroing else "")
    if any(mark in raw.op_str for mark in ("sae}", "{rn", "{rd", "{ru", "{rz")):
        return None
    return i


def _operand(raw, op, each):
    if op.type == x86.X86_OP_IMM:
        return Immediate(op.imm, op.size)
    if op.type == x86.X86_OP_REG:
        name = raw.reg_name(op.reg)
        for known, make in ((GENERAL, General), (VECTORS, Vector), (MASKS, Mask)):
            if name in known:
                return make(name)
        return None  # ah, st, mm, segment registers
    m = op.mem
    name = lambda r: raw.reg_name(r) if r else None
    base, index, segment = name(m.base), name(m.index), name(m.segment)
    if base not in (None, "rip") and base not in WIDE or index not in (None,) + tuple(WIDE):
        return None  # 32-bit addresses, vectors of addresses
    if segment not in (None, "cs", "ds", "es", "ss", "fs"):
        return None
    return Memory(base, index, m.scale, m.disp, "fs" if segment == "fs" else None, op.size, each)
