#!/usr/bin/env python3
"""Four rounds of Keccak-f[1600] on words of 32 bits, in Thumb-2, for src/keccak/keccak_m4.S.

    tools/gen_keccak_m4.py            writes src/keccak/keccak_m4.inc
    tools/gen_keccak_m4.py --check    exits 1 if that file is not what would be written

A lane is kept as its even bits and its odd bits, so that a rotation by r rotates both halves by
about r/2, and an odd one exchanges them. Three things make the code short:

 - In place (Keccak implementation overview, 2.5): lane (x, y) of round i is at N^i (x, y), where
   N (x, y) = (x, x + 2y). A row of chi writes its results where it read its inputs. N^4 = 1, and
   halves that change places are in place again after four rounds, too.
 - Rotations take no instructions: a word is kept as the true one rotated back by a number that is
   known here, its frame, and an instruction with two operands rotates the second one with the
   barrel shifter. In theta all lanes of a column get the frame of its D, so that frames do not
   accumulate: they are the same in each round, and the state has them between permutations, too.
 - The parities of theta are summed while chi has its results in registers, for all even halves and
   then for all odd ones.

A group of n loads takes n + 1 cycles, and a store right after it none. So two of a row's five
results are stored after the next row's groups of loads, which read three lanes and two.
"""
import pathlib
import sys

PATH = pathlib.Path(__file__).resolve().parent.parent / "src/keccak/keccak_m4.inc"
EVEN, ODD = 0, 1
# by how much the list of free registers is rotated before each row of the last odd halves, so that
# no parity has to be moved
TURNS = (2, 6, 2, 1, 2)
# on the stack: ten D, five C of the even halves, the pointer to the constants
D_AT, C_AT, RC_AT = 0, 40, 60


def offsets():
    rho, x, y = {(0, 0): 0}, 1, 0
    for t in range(24):
        rho[x, y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return rho


RHO = offsets()
# pi: where a lane comes from
SOURCE = {(y, (2 * x + 3 * y) % 5): (x, y) for x in range(5) for y in range(5)}


def half_of(x, y, half):
    """The half of lane (x, y) that becomes this half under rho, and by how much it is rotated."""
    r = RHO[x, y]
    if r % 2 == 0:
        return half, r // 2
    return (ODD, (r + 1) // 2) if half == EVEN else (EVEN, r // 2)


def column_frames():
    """For each D its frame; for each C the row whose frame it takes; for each D the C whose frame
    it takes. They are chosen so that the rotations along every cycle of the relation "takes its
    frame from" add up to 0."""
    nodes = [(x, h) for x in range(5) for h in (EVEN, ODD)]
    choices = {}
    for x, h in nodes:
        choices[x, h] = []
        # D[x] = C[x - 1] + rot(C[x + 1], 1)
        for cx, ch, more in (((x - 1) % 5, h, 0), ((x + 1) % 5, 1 - h, 1 - h)):
            for row in range(5):
                sx, sy = SOURCE[cx, row]
                sh, by = half_of(sx, sy, ch)
                choices[x, h].append(((sx, sh), by + more, (cx, ch), row, more))

    def assign(i, parent, taken):
        if i == len(nodes):
            return taken
        for source, by, c, row, _ in choices[nodes[i]]:
            if taken.get(c, row) != row:
                continue
            root_a, a = find(parent, nodes[i])
            root_b, b = find(parent, source)
            if root_a == root_b and (a - b - by) % 32:
                continue
            new = dict(parent)
            if root_a != root_b:
                new[root_a] = (root_b, (b + by - a) % 32)
            if found := assign(i + 1, new, taken | {c: row, ("D", nodes[i]): (c, by)}):
                found.setdefault("parent", new)
                return found
        return None

    def find(parent, node):
        total = 0
        while parent[node][0] != node:
            total += parent[node][1]
            node = parent[node][0]
        return node, total

    found = assign(0, {n: (n, 0) for n in nodes}, {})
    frame = {n: find(found["parent"], n)[1] % 32 for n in nodes}
    row_of = {c: row for c, row in found.items() if isinstance(row, int)}
    based_on = {n: found["D", n][0] for n in nodes}
    return frame, row_of, based_on


D_FRAME, C_ROW, D_BASE = column_frames()


def lane_frame(x, y, half):
    """The frame of a word between rounds."""
    sx, sy = SOURCE[x, y]
    sh, by = half_of(sx, sy, half)
    return (D_FRAME[sx, sh] + by) % 32


def c_frame(x, half):
    return lane_frame(x, C_ROW.get((x, half), 0), half)


class Words:
    """Where the words of the state are in each round."""

    def __init__(self):
        self.flip = {(x, y): 0 for x in range(5) for y in range(5)}
        self.round = 0

    def place(self, x, y):
        for _ in range(self.round):
            y = (x + 2 * y) % 5
        return x, y

    def at(self, x, y, half):
        px, py = self.place(x, y)
        return 8 * (px + 5 * py) + 4 * (half ^ self.flip[px, py])

    def step(self):
        new = dict(self.flip)
        for x in range(5):
            for y in range(5):
                new[self.place(x, y)] ^= RHO[x, y] % 2
        self.flip, self.round = new, self.round + 1


class Code:
    """Lines of assembly, and registers by name."""

    def __init__(self, registers):
        self.lines, self.free, self.reg = [], list(registers), {}

    def new(self, name):
        self.reg[name] = self.free.pop(0)
        return self.reg[name]

    def drop(self, name):
        self.free.insert(0, self.reg.pop(name))

    def move(self, name, register):
        """The next value of `name` goes to another register, if that one is free"""
        if register in self.free:
            self.free.remove(register)
            self.drop(name)
            self.reg[name] = register

    def rename(self, old, new):
        self.reg[new] = self.reg.pop(old)

    def emit(self, op, *args):
        self.lines.append(f"        {op:<7} {', '.join(args)}")

    def load(self, name, base, offset):
        self.emit("ldr", self.new(name), f"[{base}, {offset}]")

    def store(self, name, base, offset):
        self.emit("str", self.reg[name], f"[{base}, {offset}]")

    def two(self, op, out, first, second, right, to=None):
        """out = first op (second rotated right), in the register `to` if that is free"""
        shift = [f"ror {right % 32}"] if right % 32 else []
        operands = self.reg[first], self.reg[second]
        if to:
            self.move(out, to)
        self.emit(op, self.reg[out], *operands, *shift)


def parity(code, words):
    """C of the whole state, from memory: once per permutation."""
    for half in (EVEN, ODD):
        for x in range(5):
            for y in range(5):
                code.load(f"w{y}", "r0", words.at(x, y, half))
            if half == ODD:   # a store after loads is free
                code.store(f"C{x}0", "sp", C_AT + 4 * x)
                code.drop(f"C{x}0")
            first = C_ROW.get((x, half), 0)
            for y in range(5):
                if y != first:
                    code.two("eor", f"w{first}", f"w{first}", f"w{y}",
                             c_frame(x, half) - lane_frame(x, y, half))
                    code.drop(f"w{y}")
            code.rename(f"w{first}", f"C{x}{half}")


def theta(code, waiting):
    """All D, from the odd C in registers and the even ones in memory; keeps those that row 0 of the
    even halves needs. Makes the stores of `waiting`, and returns those that are still to be
    made."""
    keep = [(x, half_of(x, y, EVEN)[0]) for x, y in (SOURCE[n, 0] for n in range(5))]
    for x in range(5):
        code.load(f"C{x}0", "sp", C_AT + 4 * x)
    for name, base, at in waiting:
        code.store(name, base, at)
        code.drop(name)
    later = []
    for x, half in [(x, h) for h in (EVEN, ODD)
                    for x in range(5) if (x, h) not in keep] + sorted(keep):
        near, far = ((x - 1) % 5, half), ((x + 1) % 5, 1 - half)
        more = 1 - half   # the even half of a lane rotated by one is its odd half rotated by one
        d = f"D{x}{half}"
        frame = D_FRAME[x, half]
        code.new(d)
        if D_BASE[x, half] == near:
            code.two("eor", d, f"C{near[0]}{near[1]}", f"C{far[0]}{far[1]}",
                     frame - c_frame(*far) - more)
        else:
            code.two("eor", d, f"C{far[0]}{far[1]}", f"C{near[0]}{near[1]}", frame - c_frame(*near))
        later.append((d, "sp", D_AT + 4 * (x + 5 * half)))
        if (x, half) not in sorted(keep)[-2:]:
            code.store(*later.pop())
        if (x, half) in keep:
            for c in ["C%d%d" % c for c in (near, far)]:
                users = [(u, v) for u, v in sorted(keep) if (u, v) > (x, half)
                         and c in (f"C{(u - 1) % 5}{v}", f"C{(u + 1) % 5}{1 - v}")]
                if c in code.reg and not users:
                    code.drop(c)
            for c in [c for c in code.reg if c[0] == "C"]:
                users = [(u, v) for u, v in sorted(keep) if (u, v) > (x, half)
                         and c in (f"C{(u - 1) % 5}{v}", f"C{(u + 1) % 5}{1 - v}")]
                if not users:
                    code.drop(c)
        else:
            code.drop(d)
    return later


def row(code, words, after, y, half, waiting, number, start):
    """chi of one half of a row, and its part of the next parities; makes the stores of `waiting`
    and returns those that are still to be made. The parities of the last odd half go into the
    registers where the loop expects them, `start`, if they are free."""
    targets = start if (number, half) == (3, ODD) else {}
    if targets:
        at = TURNS[y] % len(code.free)
        code.free = code.free[at:] + code.free[:at]
    b = []   # for x: the lane and half that it comes from, and its frame
    for x in range(5):
        sx, sy = SOURCE[x, y]
        sh, by = half_of(sx, sy, half)
        b.append((sx, sy, sh, (D_FRAME[sx, sh] + by) % 32))
    waiting = list(waiting)

    def mix(lanes):
        for x in lanes:
            sx, sy, sh, _ = b[x]
            code.load(f"B{x}", "r0", words.at(sx, sy, sh))
            if f"D{sx}{sh}" not in code.reg:
                code.load(f"D{sx}{sh}", "sp", D_AT + 4 * (sx + 5 * sh))
        if y == 0:
            code.load(*(("rc", "sp", RC_AT) if 0 in lanes else ("iota", code.reg["rc"],
                                                                8 * number + 4 * half)))
        if waiting:
            name, base, at = waiting.pop(0)
            code.store(name, base, at)
            if name[0] == "o":
                code.drop(name)
        for x in lanes:
            sx, sy, sh, _ = b[x]
            d = f"D{sx}{sh}"
            code.two("eor", f"B{x}", d, f"B{x}", D_FRAME[sx, sh] - lane_frame(sx, sy, sh))
            code.drop(d)

    mix([0, 1, 2])
    mix([3, 4])
    if y == 0:
        code.drop("rc")
    code.new("t")
    places = [after.at(x, y, half) for x in range(5)]
    for x in range(5):
        p, q = (x + 1) % 5, (x + 2) % 5
        code.two("bic", "t", f"B{q}", f"B{p}", b[q][3] - b[p][3])
        out = f"o{x}"
        if x < 2:   # B0 and B1 are needed again
            code.new(out)
        else:
            code.rename(f"B{x}", out)
        code.two("eor", out, out if x >= 2 else f"B{x}", "t", b[x][3] - b[q][3])
        c = f"C{x}{half}"
        if y == 0:
            if x == 0:
                code.two("eor", out, out, "iota", b[0][3])
                code.drop("iota")
            code.rename(out, c)
            out = c
        else:   # rows are summed in rising order
            frame, row_of = b[x][3], C_ROW.get((x, half), 0)
            before = lane_frame(x, row_of if row_of < y else 0, half)
            if row_of == y:
                code.two("eor", c, out, c, frame - before, targets.get(c))
            else:
                code.two("eor", c, c, out, before - frame, targets.get(c))
        if x < 3:   # not the last two: a load right after a store would stall
            code.store(out, "r0", places[x])
            if y:
                code.drop(out)
    code.drop("t")
    for x in (0, 1):
        code.drop(f"B{x}")
    return [(f"o{x}" if y else f"C{x}{half}", "r0", places[x]) for x in (3, 4)]


def four_rounds():
    code = Code([f"r{i}" for i in range(1, 13)] + ["lr"])
    words = Words()
    parity(code, words)
    code.lines += ["        .balign 4", "1:"]
    start = {n: r for n, r in code.reg.items()}
    waiting = []
    for number in range(4):
        after = Words()
        after.flip, after.round = dict(words.flip), words.round
        after.step()
        waiting = theta(code, waiting)
        for half in (EVEN, ODD):
            for y in range(5):
                waiting = row(code, words, after, y, half, waiting, number, start)
            if half == EVEN:
                for x in range(5):
                    code.store(f"C{x}0", "sp", C_AT + 4 * x)
                    code.drop(f"C{x}0")
        words = after
    for name, base, at in waiting:
        code.store(name, base, at)
        code.drop(name)
    # the odd parities move to the registers where the loop expects them
    moves = [(start[n], code.reg[n]) for n in start if start[n] != code.reg[n]]
    spare = next(r for r in code.free if r not in [t for t, _ in moves])
    while moves:
        ready = next((m for m in moves if m[0] not in [s for _, s in moves]), None)
        if not ready:   # a cycle
            to, source = moves.pop()
            code.emit("mov", spare, source)
            moves.append((to, spare))
            continue
        code.emit("mov", *ready)
        moves.remove(ready)
    assert set(code.reg) == set(start)
    # keccak_m4.S uses these to advance to the next constants
    assert not {"r3", "r5"} & set(start.values())
    return code.lines


def main():
    lines = four_rounds()
    rotated = [-lane_frame(x, y, half) % 32 for y in range(5) for x in range(5)
               for half in (EVEN, ODD)]
    rows = "".join("        .byte " + ", ".join(str(f) for f in rotated[i:i + 10]) + "\n"
                   for i in range(0, 50, 10))
    threes = "".join(f"        \\do {4 * i}, " + ", ".join(str(f) for f in rotated[i:i + 6]) + "\n"
                     for i in range(0, 42, 6))
    text = ("/* Written by tools/gen_keccak_m4.py. */\n"
            "/* for each half of a lane: rotated right by this it is the true one */\n"
            f".macro KECCAK_ROTATIONS\n{rows}.endm\n"
            "/* do: called for each three words of a block of SHAKE128, with their offset and "
            "rotations */\n"
            f".macro KECCAK_THREES do\n{threes}.endm\n"
            ".macro KECCAK_FOUR_ROUNDS\n" + "\n".join(lines) + "\n.endm\n")
    if "--check" not in sys.argv[1:]:
        PATH.write_text(text, encoding="utf-8")
    elif not PATH.exists() or PATH.read_text(encoding="utf-8") != text:
        print("gen_keccak_m4.py: keccak_m4.inc is not what would be written", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
