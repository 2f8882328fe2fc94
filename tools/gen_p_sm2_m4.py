#!/usr/bin/env python3
"""A product and a square modulo SM2's p on words of 32 bits, in Thumb-2, for src/mod/p_sm2_m4.S.

    tools/gen_p_sm2_m4.py            writes src/mod/p_sm2_m4.inc
    tools/gen_p_sm2_m4.py --check    exits 1 if that file is not what would be written

The products are computed column by column (product scanning); a row is the products with one word
of x. UMAAL adds two words to a product: the column's own word, and the high word that the same row
left in the column before. Where a row begins, UMULL sets both words, so that neither has to be
cleared; four of the eight rows begin so, and the other eight words that a product needs are zeroed.

The products of different words in a square are made in the same way, and each column is doubled at
once, by ADCS; UMAAL does not change the flags, so that the carry of the doubling stays in them
while the column's square, or zero where it has none, is added.

The reduction is that of p_sm2_m4.S. HOLD and BACK are macros of p_sm2_m4_regs.h: HOLD saves a word
in an FPU register or on the stack, and BACK restores it.
"""
import pathlib
import re
import sys

PATH = pathlib.Path(__file__).resolve().parent.parent / "src/mod/p_sm2_m4.inc"
RESULT = ["r0", "r3", "r4", "r5", "r6", "r7", "r8", "r9"]


class Code:
    """Registers by name, and lines."""

    def __init__(self, free):
        self.lines, self.free, self.reg = [], list(free), {}

    def new(self, name):
        r = self.free[0]
        self.free.remove(r)
        self.reg[name] = r
        return r

    def drop(self, *names):
        for name in names:
            self.free.insert(0, self.reg.pop(name))

    def rename(self, old, new):
        self.reg[new] = self.reg.pop(old)

    def emit(self, op, *args):
        self.lines.append(f"        {op:<7} " + ", ".join(self.reg.get(a, str(a)) for a in args))

    def load(self, name, base, offset):
        self.new(name)
        self.emit("ldr", name, f"[{base}, {offset}]")

    def store(self, name, at):
        self.emit("str", name, f"[sp, {4 * at}]")
        self.drop(name)

    def put(self, name, value):
        self.new(name)
        self.emit("mov", name, value)

    def hold(self, name, place):
        self.emit("HOLD", place, name)
        self.drop(name)

    def back(self, name, place):
        self.new(name)
        self.emit("BACK", name, place)


def reduce(c):
    """(t + M p)/2^256 of words t0 to t15: those that are in no register are on the stack, and t15
    is in place 0 of HOLD. Returns the registers of the eight words, of the word above them, which
    is 0 or 1, of its negative, and the free ones."""
    loads = {0: ("t0", "t1", "t2", "t3", "t7", "t8"), 2: ("t9", "t4"), 3: ("t5",), 4: ("t6",)}
    if "t9" in c.reg:   # of a square
        loads = {0: ("t0", "t1", "t2"), 1: ("t3",), 2: ("t4",), 3: ("t5",), 4: ("t6",)}
    for i in range(8):
        for name in loads.get(i, ()):
            c.load(name, "sp", 4 * int(name[1:]))
        if i == 0:
            c.put("K", -1)
            c.put("down", -1)   # the constant K 2^64, with which this chain begins
            c.put("up", 0)
        c.emit("umaal", f"t{i + 7}", "up", f"t{i}", "K")
        c.emit("mvn", f"t{i}", f"t{i}")
        c.emit("umaal", f"t{i + 2}", "down", f"t{i}", "K")
        c.drop(f"t{i}")
    c.back("t15", 0)
    c.put("zero", 0)
    c.emit("umaal", "t15", "up", "zero", "K")   # up is the word above 2^256
    c.drop("K", "zero")
    c.emit("mvn", "down", "down")
    c.emit("subs", "t10", "t10", "down")
    for k in range(11, 16):
        c.emit("sbcs", f"t{k}", f"t{k}", 0)
    c.emit("sbc", "up", "up", 0)                # 0 or 1
    c.emit("rsb", "down", "up", 0)
    return [c.reg[f"t{k}"] for k in range(8, 16)], c.reg["up"], c.reg["down"], set(c.free)


def places(old, down, free):
    """A register for each word of the result, from the lowest: one that is free by then, or the one
    that held this word before the subtraction."""
    def assign(k, taken, free):
        if k == 8:
            return taken
        for r in sorted(free | {old[k]} - {"lr"}):
            if r not in ("r1", "r2", "lr") and r not in taken:
                after = free - {r} | {old[k]} | ({down} if k == 2 else set())
                if found := assign(k + 1, taken + [r], after - {r}):
                    return found
        return None
    return assign(0, [], free)


def finish(c, end):
    """Subtracts p if up is 1, and renames all registers so that the result is in RESULT."""
    old, up, down, free = end
    result = places(old, down, free)
    for k, (op, what) in enumerate(zip(["adds"] + 6 * ["adcs"] + ["adc"],
                                       [up, 0, down, 0, 0, 0, 0, up])):
        c.lines.append(f"        {op:<7} {result[k]}, {old[k]}, {what}")
    c.emit("BACK_LINK")
    names = [f"r{i}" for i in (0, *range(3, 13))]
    new = dict(zip(result, RESULT))
    new |= zip([r for r in names if r not in new], [r for r in names if r not in RESULT])
    return [re.sub(r"\br\d+\b", lambda m: new.get(m[0], m[0]), line).rstrip() for line in c.lines]


def product():
    c = Code(["r0"] + [f"r{i}" for i in range(3, 13)] + ["lr"])
    c.emit("HOLD_LINK")
    for k in range(8):                        # x0 to x3
        if k < 4:
            c.load(f"a{k}", "r1", 4 * k)
        c.load(f"b{k}", "r2", 4 * k)
        if k == 0:
            c.emit("str", "r1", "[sp, 44]")
            c.free.append("r1")
        else:
            c.store(f"t{k - 1}", k - 1)
        if k < 4:
            c.new(f"t{k}"), c.new(f"h{k}")
            c.emit("umull", f"t{k}", f"h{k}", f"a{k}", "b0")
        else:
            c.put(f"t{k}", 0)
        for i in range(min(k - 1, 3), -1, -1):
            c.emit("umaal", f"t{k}", f"h{i}", f"a{i}", f"b{k - i}")
        if k > 2:
            c.drop(f"b{k - 3}")
    for k in range(8, 12):
        c.drop(f"a{k - 8}")
        c.rename(f"h{k - 8}", f"t{k}")
        for i in range(k - 7, 4):
            c.emit("umaal", f"t{k}", f"h{i}", f"a{i}", f"b{k - i}")
        if k < 11:
            c.drop(f"b{k - 3}")
    for k in (11, 10, 9, 8):
        c.hold(f"t{k}", k - 8)
    c.free.remove("r1")
    for k in range(4, 12):                    # x4 to x7
        if k == 4:
            c.emit("ldr", "r1", "[sp, 44]")
        if k < 8:
            c.load(f"u{k}", "sp", 4 * k)
        for i in {4: (0,), 5: (1,), 6: (2, 3)}.get(k, ()):
            c.load(f"a{i}", "r1", 16 + 4 * i)
        c.load(f"b{k - 4}", "r2", 4 * (k - 4))
        if k < 11:
            before = 7 if k == 4 else k - 1
            c.store(f"t{before}", before)
        else:
            c.free.append("r2")
        if k == 6:
            c.free.append("r1")
        if k < 8:
            c.put(f"h{k - 4}", 0)
        else:
            c.back(f"u{k}", k - 8)
        c.rename(f"u{k}", f"t{k}")
        for i in range(min(k - 4, 3), -1, -1):
            c.emit("umaal", f"t{k}", f"h{i}", f"a{i}", f"b{k - 4 - i}")
        if k > 6:
            c.drop(f"b{k - 7}")
    for k in range(12, 16):
        c.drop(f"a{k - 12}")
        c.rename(f"h{k - 12}", f"t{k}")
        for i in range(k - 11, 4):
            c.emit("umaal", f"t{k}", f"h{i}", f"a{i}", f"b{k - 4 - i}")
        if k < 15:
            c.drop(f"b{k - 7}")
    c.hold("t15", 0)
    return c, reduce(c)


def square():
    c = Code(["r0"] + [f"r{i}" for i in range(2, 13)] + ["lr"])
    c.emit("HOLD_LINK")
    c.load("a0", "r1", 0)
    c.load("a1", "r1", 4)
    c.new("t0"), c.new("c")
    c.emit("umull", "t0", "c", "a0", "a0")
    c.put("zero", 0)
    for k in range(1, 15):
        rows = [i for i in range(max(0, k - 7), (k + 1) // 2)]
        begun = [i for i in rows if f"h{i}" not in c.reg]
        ended = [i for i in range(k) if f"h{i}" in c.reg and i not in rows]
        t = f"t{k}"
        if 2 <= k <= 7:
            c.load(f"a{k}", "r1", 4 * k)
            for done in {5: (3, 4), 6: (5,), 7: (6,)}.get(k, (k - 2,)):
                c.store(f"t{done}", done)
            if k == 7:
                c.free.append("r1")
        if ended:
            c.rename(f"h{ended[0]}", t)
            for i in begun:
                c.put(f"h{i}", 0)
        elif begun:
            i = begun[0]
            c.new(t), c.new(f"h{i}")
            c.emit("umull", t, f"h{i}", f"a{i}", f"a{k - i}")
            rows.remove(i)
        else:
            c.put(t, 0)
        for i in rows:
            c.emit("umaal", t, f"h{i}", f"a{i}", f"a{k - i}")
        c.emit("adds" if k == 1 else "adcs", t, t, t)
        if k == 7:
            c.drop("a0")
            c.put("zero", 0)
        if k % 2:
            c.emit("umaal", t, "c", "zero", "zero")
        else:
            c.emit("umaal", t, "c", f"a{k // 2}", f"a{k // 2}")
        if k == 6:
            c.drop("zero")
        if k > 7:
            c.drop(f"a{k - 7}")
    c.emit("adc", "c", "c", "zero")
    c.drop("zero")
    c.rename("c", "t15")
    c.hold("t15", 0)
    return c, reduce(c)


def main():
    text = "/* Written by tools/gen_p_sm2_m4.py. */\n"
    for name, made in ("PRODUCT", product()), ("SQUARE", square()):
        text += f".macro P_SM2_{name}\n" + "\n".join(finish(*made)) + "\n.endm\n"
    if "--check" not in sys.argv[1:]:
        PATH.write_text(text, encoding="utf-8")
    elif not PATH.exists() or PATH.read_text(encoding="utf-8") != text:
        print("gen_p_sm2_m4.py: p_sm2_m4.inc is not what would be written", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
