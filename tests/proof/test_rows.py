#!/usr/bin/env python3
"""Compares every row of the semantics table with the CPU: instructions of each form,
assembled by the system's assembler, are run on random and edge operands; flags are compared too.

    test_rows.py            all forms; writes build/proof/forms.json, which prove.py reads
    test_rows.py NAME...    only the forms of these mnemonics
    --none                  also prints the forms of the table that no instruction has

Forms that this CPU lacks are counted. TONGYU_PROOF_SEED=N chooses other operands, and
TONGYU_PROOF_ROUNDS=N runs each instruction N/4 times (otherwise N is 24)."""

import ctypes
import json
import mmap
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

try:
    import capstone  # noqa: F401
except ImportError as e:
    print(f"skipped: the Python package {e.name} is missing (tools/setup.sh proof)")
    sys.exit(77)

from decoder import WIDE, General, Immediate, Memory, Vector, decode
from machine import Machine
from outcome import Refused, Violation
from rows import FORMS, signed
import rows_carry  # noqa: F401  (declares a row)
import rows_probe  # noqa: F401  (replaces rows)
import table  # noqa: F401  (declares rows)

HERE = os.path.dirname(os.path.abspath(__file__))
AGREED = os.path.join(HERE, "../../build/proof/forms.json")
EDGES = [
    0,
    1,
    2,
    0x7F,
    0x80,
    0xFF,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    1 << 32,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 2,
    (1 << 64) - 1,
]
FLAGS = {"c": 0, "z": 6, "s": 7, "o": 11}
SIZES = {
    8: "byte",
    16: "word",
    32: "dword",
    64: "qword",
    128: "xmmword",
    256: "ymmword",
    512: "zmmword",
}
BASE = "rbx"  # the base of memory operands
ROUNDS = int(os.environ.get("TONGYU_PROOF_ROUNDS", "24"))
LANDING = 100  # the target of jumps, in bytes from the instruction's start
BRANCH = re.compile(r"^(notrack )?(j|call|ret)")


class State(ctypes.Structure):
    _fields_ = [
        ("general", ctypes.c_uint64 * 16),
        ("flags", ctypes.c_uint64),
        ("taken", ctypes.c_uint64),
        ("masks", ctypes.c_uint64 * 8),
        ("vectors", ctypes.c_uint8 * (32 * 64)),
    ]


class Cpu:
    """Runs one instruction natively: cpu.S, a page of code and a page of data next to it."""

    def __init__(self, wide):
        out = tempfile.mkdtemp()
        library = os.path.join(out, "cpu.so")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "cpu.S")]
            + (["-DWIDE"] if wide else []),
            check=True,
        )
        self.run_at = ctypes.CDLL(library)
        self.pages = mmap.mmap(-1, 3 * 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.code = ctypes.addressof(ctypes.c_char.from_buffer(self.pages))
        self.data = self.code + 4096
        self.landing = self.code + LANDING

    def write(self, code):
        back = ctypes.cast(self.run_at.tongyu_cpu_back, ctypes.c_void_p).value
        taken = ctypes.cast(self.run_at.tongyu_cpu_taken, ctypes.c_void_p).value
        leave = lambda to: b"\xff\x25\0\0\0\0" + to.to_bytes(8, "little")
        self.pages[0 : len(code) + 14] = code + leave(back)
        self.pages[LANDING : LANDING + 14] = leave(taken)

    def run(self, state, memory):
        self.pages[4096 : 4096 + len(memory)] = bytes(memory)
        self.run_at.tongyu_cpu_run(ctypes.byref(state), ctypes.c_void_p(self.code))
        return self.pages[4096 : 4096 + len(memory)]


class Alone:
    """An image of one instruction."""

    def __init__(self, address, code):
        self.address, self.bytes, self.decoded, self.unknown = address, code, {}, {}

    def read(self, address, count):
        return None

    def code(self, address):
        return self.bytes if address == self.address else None


class NoDomain:
    lane_size = 8


def texts(name, signature, rnd):
    """Instructions of this form in the assembler's syntax."""
    kinds = [k for k in signature.split(",") if k]
    if name.startswith("rep "):  # fixed operands
        yield name
        return
    zero = kinds and kinds[-1] == "zero"
    kinds = kinds[:-1] if zero else kinds
    for variant in range(6):
        # a third of them with equal registers; memory operands in turn with and without an index,
        # and one relative to rip
        pool = {
            "r": ["rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r12", "r15", "rbp"],
            "v": list(range(16 if "z" not in kinds else 32)),
        }
        for p in pool.values():
            rnd.shuffle(p)
        if variant % 3 == 2:
            pool = {k: [p[0]] * len(p) for k, p in pool.items()}
        spelt, masked = [], False
        for n, kind in enumerate(kinds):
            among = kinds[0][0] in "xyzm" or len(kinds) == 4  # an opmask that masks operand 0
            if kind == "k" and n == 1 and among:
                spelt[0] += "{k%d}" % rnd.randrange(1, 8) + ("{z}" if zero else "")
            else:
                spelt.append(_spell(name, kind, n, pool, variant, rnd))
        yield f"{name} {', '.join(spelt)}"


def _spell(name, kind, n, pool, variant, rnd):
    if kind == "i" and BRANCH.match(name):
        return f".+{LANDING}"
    if name == "rcr" and kind == "i":
        return "1"
    if kind == "i":
        small = name[:3] in ("shl", "shr", "sar", "rol", "ror") or name[:2] in (
            "vp",
            "vs",
            "vi",
            "ve",
            "vb",
            "ps",
            "pi",
            "pe",
            "sh",
            "pa",
            "pc",
        )
        return str(rnd.randrange(128) if small else rnd.choice([1, 5, -1, 0x12345]))
    if kind[0] == "r":
        name8 = pool["r"].pop()
        if n and kind == "r8" and (name[:2] == "sh" or name in ("sar", "rol", "ror")):
            return "cl"
        return next(k for k in _names(name8) if f"r{8 * General(k).size}" == kind)
    if kind in ("x", "y", "z"):
        return f"{kind}mm{pool['v'].pop()}"
    if kind == "k":
        return f"k{rnd.randrange(8)}"
    bits = int(kind.strip("mb"))
    where = f"[{BASE} + 64]" if variant % 2 else f"[{BASE} + r10*4]"
    if variant == 4 and not kind.endswith("b") and name != "lea":
        where = "[rip + 4096]"
    each = "{1to%d}" % (WIDTH[0] // bits) if kind.endswith("b") else ""
    return f"{SIZES[bits]} ptr {where}{each}"


WIDTH = [512]


def _names(wide):
    from decoder import GENERAL

    return [k for k, (w, _) in GENERAL.items() if w == wide]


def assemble(lines):
    """The bytes of each line, or None where the assembler refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = os.path.join(folder, "a.s"), os.path.join(folder, "a.o")
        skip = set()
        while True:
            with open(source, "w") as f:
                f.write(".intel_syntax noprefix\n")
                for n, line in enumerate(lines):
                    f.write(f".balign 32, 0xcc\n{'nop' if n in skip else line}\n")
                f.write(".balign 32, 0xcc\n")
            done = subprocess.run(["as", source, "-o", result], capture_output=True, text=True)
            if not done.returncode:
                break
            bad = {int(x) for x in re.findall(r"a\.s:(\d+): Error", done.stderr)}
            skip |= {n // 2 - 1 for n in bad}
        raw = os.path.join(folder, "a.bin")
        subprocess.run(["objcopy", "-O", "binary", "-j", ".text", result, raw], check=True)
        data = open(raw, "rb").read()
    return [None if n in skip else data[32 * n : 32 * n + 32] for n in range(len(lines))]


def random_word(rnd):
    return rnd.choice(EDGES) if rnd.random() < 0.5 else rnd.getrandbits(64)


def case(cpu, i, rnd):
    """A state and memory in which the instruction's memory operands are in the page of data."""
    state, memory = State(), bytearray()
    for _ in range(64):
        memory += random_word(rnd).to_bytes(8, "little")
    for n in range(16):
        state.general[n] = random_word(rnd)
    for n in range(0, 32 * 64, 8):
        state.vectors[n : n + 8] = list(random_word(rnd).to_bytes(8, "little"))
    for n in range(8):
        state.masks[n] = rnd.getrandbits(64)
    state.flags = 0x202 | sum(rnd.getrandbits(1) << bit for bit in FLAGS.values())
    put = lambda name, value: state.general.__setitem__(WIDE.index(name), value)
    put("rsp", cpu.data + 256)
    put(BASE, cpu.data + 128)
    put("r10", rnd.choice((0, 16)))  # some require alignment to 16, 32 or 64 bytes
    if i.name == "div":  # a quotient that fits
        for n in range(16):
            state.general[n] |= 1
        put("rdx", 0)
    if i.name.startswith("rep "):
        put("rcx", rnd.randrange(8))
        put("rdi", cpu.data + 128 + rnd.choice((0, 8, 16)))
        put("rsi", cpu.data + 128 + rnd.choice((0, 8, 24)))
    if i.name == "leave":
        put("rbp", cpu.data + 64)
    if BRANCH.match(i.name) and i.name != "jrcxz":
        if i.ops and type(i.ops[0]) is General:
            put(i.ops[0].name, cpu.landing)
        memory = bytearray(cpu.landing.to_bytes(8, "little") * 64) if i.signature != "i" else memory
    if i.name == "jrcxz" and rnd.random() < 0.5:
        put("rcx", 0)
    return state, memory


def model(cpu, i, code, state, memory):
    """The machine's state after one step."""
    m = Machine(Alone(cpu.code, code), NoDomain(), stack=cpu.data + 256)
    m.frame_end = 1 << 64
    m.stack.start = m.stack.end = 0
    for name, value in zip(WIDE, state.general):
        m.general[name] = value
    m.vectors = [list(state.vectors[64 * n : 64 * n + 64]) for n in range(32)]
    m.masks = dict(enumerate(state.masks))
    m.flags = {name: state.flags >> bit & 1 for name, bit in FLAGS.items()}
    from machine import Region

    m.place(Region("data", cpu.data, len(memory), True), list(memory))
    m.ip = cpu.code
    m.step()
    return m


def differs(cpu, m, i, state, memory, wide):
    """A difference between the CPU and the machine, in words, or None."""
    for n, name in enumerate(WIDE):
        if m.wide(name) != state.general[n]:
            return f"{name}: CPU {state.general[n]:x}, machine {m.wide(name):x}"
    for name, bit in FLAGS.items():
        if m.flags.get(name) not in (None, state.flags >> bit & 1):
            return f"flag {name}"
    for n in range(32 if wide else 16):
        count = 64 if wide else 32
        if m.vectors[n][:count] != list(state.vectors[64 * n : 64 * n + count]):
            return f"vector {n}"
    if wide and any(m.masks[n] != state.masks[n] for n in range(8)):
        return "opmask"
    if [m.memory[cpu.data + k] for k in range(len(memory))] != list(memory):
        return "memory"
    if (m.ip == cpu.landing) != bool(state.taken):
        return "branch"
    return None


def check_form(cpu, form, samples, wide, rnd):
    """The number of cases that agreed; raises AssertionError where one does not."""
    cases = 0
    for text, code in samples:
        if code is None:
            continue
        i = decode(code, cpu.code)
        if i is None or (i.name, i.signature) != form or text in ("div rdx", "div edx"):
            continue
        code = code[: i.size]
        if "[rip" in i.text:
            code = (
                code[: i.disp_offset]
                + (4096 + 128 - i.size).to_bytes(4, "little")
                + code[i.disp_offset + 4 :]
            )
        i = decode(code, cpu.code)
        cpu.write(code)
        for _ in range(ROUNDS // 4):
            state, memory = case(cpu, i, rnd)
            before = State.from_buffer_copy(state)
            m = model(cpu, i, code, before, memory)
            after = cpu.run(state, memory)
            wrong = differs(cpu, m, i, state, after, wide)
            assert not wrong, f"{i.text}: {wrong}"
            cases += 1
    return cases


def lacking(status):
    """Whether a child was ended by an instruction that the CPU does not have."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGILL


def run_form(cpu, form, samples, wide, seed):
    """(cases, text of a failure or None if the CPU lacks it), in a separate process."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            answer = str(check_form(cpu, form, samples, wide, random.Random(seed)))
        except (AssertionError, Refused, Violation) as e:
            answer = f"{form}: {type(e).__name__}: {e}"
        os.write(writer, answer.encode()[:4000])
        os._exit(0)
    os.close(writer)
    answer = b"".join(iter(lambda: os.read(reader, 65536), b"")).decode()
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    if lacking(status):
        return 0, None
    if status:
        return 0, f"{form}: ended by {status}"
    return (int(answer), "") if answer.isdigit() else (0, answer)


def test_all(seed, only=None):
    """Every form; returns those that agreed, failures, forms that no instruction has, and forms
    that this CPU lacks."""
    wide = "avx512bw" in open("/proc/cpuinfo").read()
    cpu, rnd = Cpu(wide), random.Random(seed)
    forms = sorted(f for f in FORMS if only is None or f in only)
    lines, samples = [], {}
    for form in forms:
        WIDTH[0] = {"x": 128, "y": 256, "z": 512}.get(form[1][:1], 512)
        samples[form] = list(texts(*form, rnd))
        lines += samples[form]
    codes = dict(zip(lines, assemble(lines)))
    agreed, failures, none, lacked = [], [], [], []
    for form in forms:
        cases, why = run_form(cpu, form, [(t, codes[t]) for t in samples[form]], wide, seed)
        (lacked if why is None else failures if why else agreed if cases else none).append(
            why or form
        )
    return agreed, failures, none, [f for f in lacked]


def main():
    seed = int(os.environ.get("TONGYU_PROOF_SEED", "1"))
    wanted = [a for a in sys.argv[1:] if not a.startswith("--")]
    only = {f for f in FORMS if any(re.fullmatch(w, f[0]) for w in wanted)} if wanted else None
    agreed, failures, none, lacked = test_all(seed, only)
    for text in failures:
        print("FAILED", text)
    if not wanted:  # prove.py: theorems may use `agreed`; those that use `lacked` are left out
        os.makedirs(os.path.dirname(AGREED), exist_ok=True)
        with open(AGREED, "w") as f:
            json.dump({"agreed": agreed, "lacked": lacked}, f)
    print(
        f"rows: {len(agreed)} forms agree with the CPU, {len(failures)} do not, the CPU "
        f"lacks {len(lacked)}; {len(none)} in the table are not instructions"
    )
    if "--none" in sys.argv:
        print(*(f"{a} {b}" for a, b in none), sep="\n")
    return bool(failures) or not agreed


if __name__ == "__main__":
    sys.exit(main())
