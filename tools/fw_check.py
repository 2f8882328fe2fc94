#!/usr/bin/env python3
"""Check an image for a Cortex-M4 by its instructions:

    tools/fw_check.py [--model] IMAGE.elf [OBJECTS]

It must not contain

- a global function that is neither the library's, the firmware's own, one of memcpy, memmove,
  memset and memcmp, nor libgcc's: so no heap and no stdio
- a call through a register whose target is not known at build time, except that of the caller's
  ty_rng and the boot loader's jump into the application
- a division (SDIV, UDIV) anywhere but where PUBLIC says that its operands are public
- recursion, or a frame whose size is not known at build time

It then follows the call graph to the deepest stack that main can take, and compares it with the
deepest one that a run in QEMU takes (tools/fw_stack.py): a run that goes deeper is an error, and if
the run is less deep, the frames of the deepest path are printed. With --model the image also runs
in the cycle model, which observes every store, and must find the same depth. If OBJECTS is given, a
folder with files of GCC's -fstack-usage, the frames read from the instructions must have the sizes
given there.

Images are built with -g: line numbers tell in which function of the source a division is. Needs
the packages of tools/m4cycles/requirements.txt.
"""
import bisect
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "m4cycles"))
import fw_stack                                    # noqa: E402
import m4cycles                                    # noqa: E402
from machine import Fault, Image                   # noqa: E402

# imported after machine, which reports missing packages
import capstone                                    # noqa: E402
from capstone import arm                           # noqa: E402

PREFIX = os.environ.get("CROSS", "arm-none-eabi-")
MEMORY = {"memcpy", "memmove", "memset", "memcmp"}
# functions of the library and of the programs in fw/
OWN = re.compile(r"(ty|fw|boot|bench|same|leaky)_|(main|reset)$")
# functions of the source that divide, with their operands, which are public
PUBLIC = {
    "ty_mldsa_expand_a": "the place of a polynomial in A",
    "derive_pub": "the number of a row of A",
    "expand_key": "the number of a row of A",
    "verify_raw": "the number of a row of A",
    "report": "cycles, to be printed",
}
JUMPS = {"jump": "from the boot loader into the application that it has verified"}
BELOW = 1 << 16   # bytes below the depth of the call graph in which a run's stores are detected
CALLER_SAVED = ("r0", "r1", "r2", "r3", "r12", "lr")
NAMES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}


def tool(name, *arguments):
    done = subprocess.run([PREFIX + name, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Fault(f"{name}: {done.stderr.strip()}")
    return done.stdout


class Function:
    """One function's instructions, calls and depths of stack."""

    def __init__(self, name, start):
        self.name, self.start = name, start
        self.calls = []       # (depth, address of the callee, place)
        self.unknown = []     # (place, depth, how the target was loaded)
        self.divisions = []   # places
        self.resolved = 0     # calls through registers whose targets are known
        self.frame = 0        # deepest stack that it takes itself


class Code:
    """The image's bytes and its functions, decoded."""

    def __init__(self, path):
        self.image = Image(path)
        self.starts = sorted({a for a, _ in self.image.functions})
        self.names = {}
        for a, n in self.image.functions:
            self.names.setdefault(a, n)
        self.flash_end = max(at + len(data) for at, data in self.image.segments)
        self.cs = capstone.Cs(capstone.CS_ARCH_ARM,
                              capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)
        self.cs.detail = True
        self.ops = {}
        for start, data in self.image.code:
            done = 0
            while done < len(data):
                for op in self.cs.disasm(data[done:], start + done):
                    self.ops[op.address] = op
                    done += op.size
                if done < len(data):
                    done += 2

    def word(self, at, size=4):
        """The word or halfword in flash at that address, or None."""
        for base, data in self.image.segments:
            if base <= at and at + size <= base + len(data):
                return int.from_bytes(data[at - base:at - base + size], "little")
        return None

    def end_of(self, start):
        i = bisect.bisect_right(self.starts, start)
        return self.starts[i] if i < len(self.starts) else self.flash_end

    def name_at(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        return self.names[self.starts[i]] if i >= 0 else f"{address:#x}"

    def reg(self, number):
        name = self.cs.reg_name(number)
        return NAMES.get(name, name)


class Walk:
    """Data-flow analysis of a function over all its paths: which registers and stack slots hold
    constants, and how deep the stack is."""

    def __init__(self, code, start):
        self.code, self.start, self.end = code, start, code.end_of(start)
        self.f = Function(code.name_at(start), start)
        self.found = {}   # address: (what is there, depth of stack, target or targets)

    def run(self):
        before = {self.start: (0, {})}   # address: (depth of stack, {register or slot: constant})
        todo = [self.start]
        while todo:
            at = todo.pop()
            op = self.code.ops.get(at)
            if not op:
                raise Fault(f"{self.f.name}: no instruction at {at:#x}")
            for target, state in self.step(op, *before[at]):
                if target == at + op.size and op.mnemonic.split(".")[0] in ("bl", "nop") and (
                        target >= self.end or target not in self.code.ops):
                    continue   # data or another function: what was called does not return
                if not self.start <= target < self.end:
                    self.found[at] = ("jump", state[0], target)
                    continue
                old = before.get(target)
                new = state if old is None else self.meet(target, old, state)
                if new != old:
                    before[target] = new
                    todo.append(target)
        for at, (what, depth, value) in sorted(self.found.items()):
            if what == "division":
                self.f.divisions.append(at)
            elif what == "unknown":
                self.f.unknown.append((at, depth, value))
            elif what == "calls":
                self.f.calls += [(depth, callee, at) for callee in value]
                self.f.resolved += 1
            else:
                self.f.calls.append((depth, value & ~1, at))
        return self.f

    def meet(self, at, a, b):
        if a[0] != b[0]:
            raise Fault(f"{self.f.name}: two depths of stack at {at:#x}: {a[0]} and {b[0]}")
        both = {k: self.either(v, b[1][k]) for k, v in a[1].items() if k in b[1]}
        return a[0], {k: v for k, v in both.items() if v is not None}

    @staticmethod
    def either(v, w):
        """The value where two paths join: one value, one of a few addresses (a frozenset), or None
        for any value."""
        if v == w:
            return v
        if isinstance(v, tuple) or isinstance(w, tuple):
            return None
        few = frozenset().union(*(x if isinstance(x, frozenset) else {x} for x in (v, w)))
        return few if len(few) <= 4 else None

    def deeper(self, depth):
        self.f.frame = max(self.f.frame, depth)
        return depth

    def value(self, known, o, depth=None):
        if o.type == arm.ARM_OP_IMM:
            return o.imm & 0xffffffff
        if o.type == arm.ARM_OP_REG and o.shift.type == arm.ARM_SFT_INVALID:
            name = self.code.reg(o.reg)
            return ("depth", depth) if name == "sp" and depth is not None else known.get(name)
        return None

    def load(self, op, known, depth):
        """The constant that an LDR of a word loads; ("field", offset) if the content of the address
        is not known; None if nothing is known."""
        m = op.operands[1]
        base = self.code.reg(m.mem.base)
        if m.mem.index or op.writeback:
            return None
        if base == "pc":
            return self.code.word((op.address + 4 & ~3) + m.mem.disp)
        if base == "sp":
            return known.get(("slot", depth - m.mem.disp))
        at = known.get(base)
        if isinstance(at, int) and at + m.mem.disp < self.code.flash_end:
            return self.code.word(at + m.mem.disp)
        return ("field", m.mem.disp)

    def after_call(self, known):
        return {k: v for k, v in known.items() if k not in CALLER_SAVED}

    def table(self, op):
        """Targets of TBB and TBH: the entries lie between the instruction and the next one."""
        size = 2 if op.mnemonic.startswith("tbh") else 1
        at, end = op.address + 4, op.address + 4
        while end not in self.code.ops and end < self.end:
            end += 1
        targets = {op.address + 4 + 2 * self.code.word(a, size)
                   for a in range(at, end - size + 1, size)}
        return [t for t in targets if t in self.code.ops and t >= end or t in self.code.ops
                and t < op.address]

    def step(self, op, depth, known):
        """(next address, state) of each successor; calls and divisions are noted in self.found."""
        name, at, code = op.mnemonic.split(".")[0], op.address, self.code
        conditional = op.cc not in (arm.ARM_CC_AL, arm.ARM_CC_INVALID)
        next_at, ops = at + op.size, op.operands
        known = dict(known)
        on = (next_at, (depth, known))
        base = op.insn_name()
        if base in ("sdiv", "udiv"):
            self.found[at] = ("division", depth, 0)
        if base == "bl":
            self.found[at] = ("call", depth, ops[0].imm)
            return [(next_at, (depth, self.after_call(known)))]
        if base == "blx":
            self.indirect(at, depth, known, code.reg(ops[0].reg))
            return [(next_at, (depth, self.after_call(known)))]
        if base == "bx":
            if code.reg(ops[0].reg) != "lr":
                self.indirect(at, depth, known, code.reg(ops[0].reg))
            return [on] if conditional else []
        if base in ("b", "cbz", "cbnz"):
            target = ops[-1].imm
            both = base != "b" or conditional
            return [(target, (depth, known))] + ([on] if both else [])
        if base in ("tbb", "tbh"):
            return [(t, (depth, known)) for t in self.table(op)]
        if base in ("push", "vpush"):
            size = sum(8 if code.reg(o.reg).startswith("d") else 4 for o in ops)
            return [(next_at, (self.deeper(depth + size), known))]
        if base in ("pop", "vpop"):
            regs = [code.reg(o.reg) for o in ops]
            size = sum(8 if r.startswith("d") else 4 for r in regs)
            for i, r in enumerate(regs):
                known.pop(r, None)
            if "pc" in regs:
                return [on] if conditional else []
            return [(next_at, (depth - size, known))]
        return self.plain(op, base, depth, known, conditional, next_at)

    def plain(self, op, base, depth, known, conditional, next_at):
        code, ops = self.code, op.operands
        writes = [code.reg(r) for r in op.regs_access()[1]]
        if "pc" in writes and base.startswith("ld"):
            return [(next_at, (depth, known))] if conditional else []
        if "sp" in writes:
            depth = self.stack(op, base, depth, known)
        result = None
        if base == "ldr" and len(ops) == 2 and ops[1].type == arm.ARM_OP_MEM:
            result = self.load(op, known, depth)
        elif base in ("mov", "movw", "movs"):
            result = self.value(known, ops[1], depth)
        elif base == "movt":
            low = known.get(code.reg(ops[0].reg))
            result = low & 0xffff | ops[1].imm << 16 if isinstance(low, int) else None
        elif base in ("add", "adds", "addw", "sub", "subs", "subw"):
            a, b = (self.value(known, o, depth) for o in (ops[-2], ops[-1]))
            sign = 1 if base.startswith("add") else -1
            if isinstance(a, int) and isinstance(b, int):
                result = a + sign * b & 0xffffffff
            elif isinstance(a, tuple) and a[0] == "depth" and isinstance(b, int):
                result = ("depth", a[1] - sign * b)
        elif base in ("adr", "adr.w"):
            result = (op.address + 4 & ~3) + ops[1].imm
        elif base == "str" and len(ops) == 2 and code.reg(ops[1].mem.base) == "sp" and not ops[
                1].mem.index:
            slot, value = ("slot", depth - ops[1].mem.disp), known.get(code.reg(ops[0].reg))
            known.pop(slot, None)
            if value is not None and not conditional:
                known[slot] = value
        elif base in ("strd", "ldrd") and code.reg(ops[2].mem.base) == "sp" and not op.writeback:
            return self.pair(op, base, depth, known, conditional, next_at)
        elif base in ("stm", "strb", "strh") and any(
                o.type == arm.ARM_OP_MEM and code.reg(o.mem.base) == "sp" for o in ops):
            self.forget_slots(known)
        for w in writes:
            known.pop(w, None)
        if result is not None and not conditional and ops[0].type == arm.ARM_OP_REG:
            known[code.reg(ops[0].reg)] = result
        return [(next_at, (depth, known))]

    def pair(self, op, base, depth, known, conditional, next_at):
        """Two words to or from the stack."""
        regs = [self.code.reg(o.reg) for o in op.operands[:2]]
        slots = [("slot", depth - op.operands[2].mem.disp - 4 * i) for i in range(2)]
        copies = zip(regs, slots) if base == "strd" else zip(slots, regs)
        for source_, to in copies:
            value = known.get(source_)
            known.pop(to, None)
            if value is not None and not conditional:
                known[to] = value
        return [(next_at, (depth, known))]

    @staticmethod
    def forget_slots(known):
        for k in [k for k in known if isinstance(k, tuple)]:
            del known[k]

    def stack(self, op, base, depth, known):
        """The depth after an instruction that writes sp."""
        code, ops = self.code, op.operands
        if base in ("add", "addw", "sub", "subw") and code.reg(ops[0].reg) == "sp":
            by = self.value(known, ops[-1])
            if isinstance(by, int) and (len(ops) == 2 or code.reg(ops[1].reg) == "sp"):
                return self.deeper(depth + (by if base.startswith("sub") else -by))
        if base == "mov" and isinstance(to := self.value(known, ops[1]),
                                        tuple) and to[0] == "depth":
            return self.deeper(to[1])
        if op.writeback:
            for o in ops:
                if o.type == arm.ARM_OP_MEM and code.reg(o.mem.base) == "sp":
                    by = o.mem.disp if not op.post_index else next(
                        (x.imm for x in ops if x.type == arm.ARM_OP_IMM), o.mem.disp)
                    return self.deeper(depth - by)
            if code.reg(ops[0].reg) == "sp":   # stmdb, ldmia and the like
                size = sum(8 if code.reg(o.reg).startswith("d") else 4 for o in ops[1:])
                return self.deeper(depth + size if base.startswith(("stm", "vstm")) else depth -
                                   size)
        raise Fault(f"{self.f.name}: {op.mnemonic} {op.op_str} at {op.address:#x}: a frame whose "
                    "size is not known")

    def indirect(self, at, depth, known, register):
        target = known.get(register)
        targets = target if isinstance(target, frozenset) else {target}
        if all(isinstance(t, int) and (t == 0 or t & ~1 in self.code.names) for t in targets):
            # 0: a kernel that the tier does not have; it is never called, and a call would be a
            # fault
            self.found[at] = ("calls", depth, sorted(t & ~1 for t in targets if t))
        else:
            self.found[at] = ("unknown", depth, target)


def source(path, address):
    """(function, file:line) of the source, the innermost where calls were inlined."""
    lines = tool("addr2line", "-f", "-i", "-e", path, hex(address)).splitlines()
    where = lines[1].replace(str(pathlib.Path.cwd()) + "/", "")
    return lines[0].split(".")[0], re.sub(r"^.*/\./", "", where)   # the build maps its paths to "."


def is_rng(path, address):
    """Whether the call at this address is rng->fill of a ty_rng, by its line in the source."""
    where = source(path, address)[1].split(" ")[0]
    name, _, line = where.rpartition(":")
    try:
        text = pathlib.Path(name).read_text(encoding="utf-8").splitlines()
    except OSError as e:
        raise Fault(f"{where}: {e.strerror}: is the image built with -g?") from e
    return any("rng->fill(" in t for t in text[max(0, int(line) - 2):int(line) + 1])


def functions(code):
    """Every function that can be reached from reset, by its address."""
    known, todo = {}, [code.image.symbols["reset"]]
    while todo:
        at = todo.pop()
        if at in known:
            continue
        if at not in code.names:
            raise Fault(f"{at:#x} is called but is not a function")
        known[at] = Walk(code, at).run()
        todo += [callee for _, callee, _ in known[at].calls]
    return known


def deepest(known, start):
    """(bytes, path) of the deepest stack from there."""
    done, path = {}, []

    def visit(at):
        if at in path:
            raise Fault("recursion: " + ", ".join(known[p].name for p in path))
        if at not in done:
            path.append(at)
            best = (known[at].frame, [at])
            for depth, callee, _ in known[at].calls:
                below, rest = visit(callee)
                if depth + below > best[0]:
                    best = (depth + below, [at] + rest)
            done[at] = best
            path.pop()
        return done[at]
    return visit(start)


def foreign(path, functions_):
    """Messages about global functions that are not expected in an image."""
    libgcc = tool("gcc", "-mcpu=cortex-m4", "-mthumb", "-print-libgcc-file-name").strip()
    theirs = {line.split()[-1] for line in tool("nm", "--defined-only", libgcc).splitlines()
              if " T " in line}
    for line in tool("nm", path).splitlines():
        kind, name = line.split()[-2:]
        if "." in name:   # a static function, renamed by link-time optimisation
            continue
        if (kind == "U" or kind in "TW" and name in functions_
            and not (OWN.match(name) or name in MEMORY or name in theirs)):
            yield f"{name}: this function must not be in an image"


def usage(folder):
    """{function: {bytes, ...}} of -fstack-usage."""
    sizes = {}
    for su in pathlib.Path(folder).rglob("*.su"):
        for line in su.read_text(encoding="utf-8").splitlines():
            where, size, kind = line.split("\t")
            if kind == "static":
                sizes.setdefault(where.split(":")[-1].split(".")[0], set()).add(int(size))
    if not sizes:
        raise Fault(f"{folder}: no file of -fstack-usage")
    return sizes


def stack_seen(image, limit, model):
    """Bytes of stack that main takes in a run; limit is its depth by the call graph."""
    seen = fw_stack.deepest(image, limit + BELOW)
    if model:
        found = m4cycles.measure(image.path, ["main"])["functions"]["main"]["stack"]
        if found != seen:
            raise Fault(f"main takes {seen} bytes of stack in QEMU, and {found} in the cycle model")
    return seen


def check(path, objects, model):
    """(faults, lines to print)"""
    code = Code(path)
    known = functions(code)
    faults, report = list(foreign(path, code.image.symbols)), []
    resolved = rng = 0
    for f in known.values():
        resolved += f.resolved
        for at, _, how in f.unknown:
            if source(path, at)[0] in JUMPS:
                continue
            rng += 1
            if how is not None and how != ("field", 0) or not is_rng(path, at):
                faults.append(f"{f.name}: a call through a register at {at:#x}: "
                              f"{source(path, at)[1]}")
        for at in f.divisions:
            name, where = source(path, at)
            if name not in PUBLIC:
                faults.append(f"{f.name}: a division at {at:#x}: {where}: are its operands public?")
    if objects:
        sizes = usage(objects)
        for f in known.values():
            name = f.name.split(".")[0]
            if name in sizes and f.frame not in sizes[name]:
                faults.append(f"{f.name}: a frame of {f.frame} bytes, and -fstack-usage says "
                              f"{sorted(sizes[name])}")
    main = code.image.symbols["main"]
    limit, chain = deepest(known, main)
    seen = stack_seen(code.image, limit, model)
    report.append(f"{len(known)} functions, {rng} calls of a ty_rng, {resolved} "
                f"through constants of the build, {sum(len(f.divisions) for f in known.values())} "
                "divisions of public numbers")
    report.append(f"stack of main: {limit} bytes by the call graph, {seen} in QEMU" +
                (" and in the cycle model" if model else ""))
    if seen > limit:
        faults.append(f"main takes {seen} bytes of stack in QEMU, and the call graph knows of "
                      f"{limit} only")
    if seen != limit:
        report.append("  the deepest path, which this run does not take to its end: " +
                    ", ".join(f"{known[at].name} {known[at].frame}" for at in chain))
    return faults, report


def main():
    given = [a for a in sys.argv[1:] if a != "--model"]
    if len(given) not in (1, 2):
        sys.exit(__doc__)
    try:
        faults, report = check(given[0], *given[1:] or [None], "--model" in sys.argv)
    except (Fault, OSError) as e:
        print(f"fw_check.py: {given[0]}: {e}", file=sys.stderr)
        return 2
    for line in report:
        print(line)
    for line in faults:
        print(f"fw_check.py: {given[0]}: {line}", file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
