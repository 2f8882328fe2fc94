"""A board like mps2-an386 under unicorn: flash, RAM, semihosting, DWT's counter. timing.py gives
the cost of each basic block, and hooks.c counts."""
import bisect
import ctypes
import hashlib
import os
import struct
import subprocess
import sys
import tempfile

try:
    import capstone
    import unicorn
    from capstone import arm
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection
    from unicorn import arm_const as uc_arm
except ImportError as e:
    sys.exit(f"{e}: run this with build/fw-venv/bin/python, which `make fw` sets up")

import timing

FLASH, RAM, SIZE = 0, 0x20000000, 4 << 20
BACK = 0x1fffffc0   # the return address of the reset handler, where the run ends
COUNTS = ("cycles", "ops", "loads", "stores", "unaligned", "divisions", "flow", "addresses")


class Fault(Exception):
    """The model has no result for the image."""


class Block(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint32)
                for n in ("at", "size", "cycles", "ops", "taken", "always", "wide")]
    _fields_ += [("watched", ctypes.c_int32), ("runs", ctypes.c_uint64),
                 ("jumps", ctypes.c_uint64)]


class Counts(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint64) for n in COUNTS]


class Record(ctypes.Structure):
    _fields_ = [("watched", ctypes.c_int32), ("stack", ctypes.c_uint32), ("used", Counts)]


class State(ctypes.Structure):
    """The first members of struct machine in hooks.c. The classes above mirror whole structures of
    that file."""
    _fields_ = [("now", Counts)]
    _fields_ += [(n, ctypes.c_uint32) for n in ("records", "depth", "too_deep", "too_many")]
    _fields_ += [("record", ctypes.POINTER(Record))]


class Extra(ctypes.Structure):
    _fields_ = [("machine", ctypes.c_void_p), ("cycles", ctypes.c_uint32),
                ("dividend", ctypes.c_int),
                ("divisor", ctypes.c_int), ("is_signed", ctypes.c_int)]


def hooks():
    """hooks.c as a shared library, which is built once for each version of the file."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hooks.c")
    with open(source, "rb") as f:
        tag = hashlib.sha256(f.read()).hexdigest()[:16]
    library = os.path.join(tempfile.gettempdir(), f"m4cycles-{os.getuid()}-{tag}.so")
    if not os.path.exists(library):
        made = f"{library}.{os.getpid()}"
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", source, "-o", made],
                       check=True)
        os.replace(made, library)
    return ctypes.CDLL(library)


class Image:
    """An ELF file: its segments with their addresses, its symbols, and its Thumb code."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as f:
            elf = ELFFile(f)
            self.segments = [(s["p_paddr"], s.data()) for s in elf.iter_segments()
                             if s["p_type"] == "PT_LOAD" and s["p_filesz"]]
            self.flash = sum(len(data) for _, data in self.segments)
            self.symbols, self.functions, marks = {}, [], {}
            for table in elf.iter_sections():
                for s in table.iter_symbols() if isinstance(table, SymbolTableSection) else ():
                    if s.name[:2] in ("$t", "$d", "$a"):
                        marks[s["st_value"]] = s.name[1]
                    elif s["st_info"]["type"] == "STT_FUNC":
                        self.symbols[s.name] = s["st_value"] & ~1
                        self.functions.append((s["st_value"] & ~1, s.name))
            text = [(s["sh_addr"], s.data()) for s in elf.iter_sections()
                    if s["sh_type"] == "SHT_PROGBITS" and s["sh_flags"] & 4]
        self.functions.sort()
        self.code = []   # Thumb code by the mapping symbols
        for start, data in text:
            cuts = [start] + sorted(m for m in marks if start < m < start +
                                    len(data)) + [start + len(data)]
            for a, b in zip(cuts, cuts[1:]):
                if marks.get(a, "t") == "t":
                    self.code.append((a, data[a - start:b - start]))

    def function_at(self, address):
        i = bisect.bisect_right(self.functions, (address, "\x7f")) - 1
        return self.functions[i][1] if i >= 0 else "?"


class Machine:
    def __init__(self, image, watch=()):
        self.image, self.watch, self.output = image, list(watch), bytearray()
        self.status = self.fault = None
        missing = [name for name in self.watch if name not in image.symbols]
        if missing:
            raise Fault(f"{image.path}: no function {', '.join(missing)}")
        self.starts = {image.symbols[name]: i for i, name in enumerate(self.watch)}
        self.cs = capstone.Cs(capstone.CS_ARCH_ARM,
                              capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)
        self.cs.detail = True
        self.uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        self.uc.ctl_set_cpu_model(uc_arm.UC_CPU_ARM_CORTEX_M4)
        for base, size in ((FLASH, SIZE), (RAM, SIZE), (BACK & ~0xfff, 0x1000)):
            self.uc.mem_map(base, size)
        self.uc.mem_write(BACK, b"\x00\xbf" * 4)
        self.uc.mmio_map(0xe0000000, 0x100000, self.system_read, None, lambda *_: None, None)
        for at, data in image.segments:
            self.uc.mem_write(at, data)
        self.start_counting()
        self.uc.hook_add(unicorn.UC_HOOK_MEM_UNMAPPED, self.unmapped)
        self.uc.hook_add(unicorn.UC_HOOK_INTR, self.exception)

    def start_counting(self):
        self.lib = hooks()
        self.unicorn = unicorn.unicorn_py3.unicorn.uclib
        self.ask = ctypes.CFUNCTYPE(None, ctypes.POINTER(Block))(self.block)
        self.lib.m4_new.restype = ctypes.POINTER(State)
        read = ctypes.cast(self.unicorn.uc_reg_read, ctypes.c_void_p)
        self.state = self.lib.m4_new(read, self.ask, uc_arm.UC_ARM_REG_SP, uc_arm.UC_ARM_REG_LR)
        here = ctypes.cast(self.state, ctypes.c_void_p)
        self.hook(unicorn.UC_HOOK_BLOCK, self.lib.m4_block, here)
        self.hook(unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE, self.lib.m4_memory, here)
        self.extras = []
        for start, data in self.image.code:
            for code in self.decode(start, data):
                if code.id == arm.ARM_INS_BKPT:
                    self.uc.hook_add(unicorn.UC_HOOK_CODE, self.semihosting, begin=code.address,
                                     end=code.address)
                    continue
                op = timing.describe(code)
                if op.divides:
                    number = [getattr(uc_arm, "UC_ARM_REG_" + self.cs.reg_name(r).upper())
                              for r in op.divides[:2]]
                    self.extra(self.lib.m4_divide, code.address, 0, *number, op.divides[2])
                elif op.conditional and not op.refill and op.cycles > 1:
                    self.extra(self.lib.m4_extra, code.address, op.cycles - 1, 0, 0, 0)

    def hook(self, kind, function, argument, begin=1, end=0):
        handle = ctypes.c_size_t()
        wrong = self.unicorn.uc_hook_add(self.uc._uch, ctypes.byref(handle), ctypes.c_int(kind),
                                         ctypes.cast(function, ctypes.c_void_p), argument,
                                         ctypes.c_uint64(begin), ctypes.c_uint64(end))
        if wrong:
            raise Fault(f"unicorn: hook refused, error {wrong}")

    def extra(self, function, at, *fields):
        """Calls a function of hooks.c before the instruction at that address, whose cost depends on
        the run."""
        self.extras.append(Extra(ctypes.cast(self.state, ctypes.c_void_p), *fields))
        self.hook(unicorn.UC_HOOK_CODE, function, ctypes.byref(self.extras[-1]), at, at)

    def decode(self, start, data):
        done = 0
        while done < len(data):
            for code in self.cs.disasm(data[done:], start + done):
                done += code.size
                yield code
            # padding between functions, or not an instruction: only executing it is a fault
            if done < len(data):
                done += 2

    def block(self, pointer):
        """Called from C for a block's first run."""
        b = pointer.contents
        codes = list(self.cs.disasm(bytes(self.uc.mem_read(b.at, b.size)), b.at))
        if sum(c.size for c in codes) != b.size:
            self.stop(f"an instruction that cannot be decoded in {self.image.function_at(b.at)}, "
                      f"block {b.at:#x}")
            return
        ops = [timing.describe(c) for c in codes]
        b.cycles, b.taken, b.always = timing.block(ops)
        b.ops, b.wide = len(ops), int(ops[0].size == 4 and b.at % 4 != 0)
        b.watched = self.starts.get(b.at, -1)

    def stop(self, fault):
        self.fault = self.fault or fault
        self.uc.emu_stop()

    def here(self):
        return self.image.function_at(self.uc.reg_read(uc_arm.UC_ARM_REG_PC))

    def unmapped(self, uc, kind, at, size, value, user):
        self.stop(f"access to {at:#x}, where nothing is, in {self.here()}")
        return False

    def exception(self, uc, number, user):
        self.stop(f"exception {number} in {self.here()}")

    def system_read(self, uc, offset, size, user):
        return self.state.contents.now.cycles & 0xffffffff if offset == 0x1004 else 0   # DWT_CYCCNT

    def semihosting(self, uc, at, size, user):
        operation, argument = uc.reg_read(uc_arm.UC_ARM_REG_R0), uc.reg_read(uc_arm.UC_ARM_REG_R1)
        if operation == 0x04:   # SYS_WRITE0
            while byte := uc.mem_read(argument, 1)[0]:
                self.output.append(byte)
                argument += 1
        elif operation == 0x20:   # SYS_EXIT_EXTENDED
            self.status = struct.unpack("<2I", uc.mem_read(argument, 8))[1]
            uc.emu_stop()
        else:
            self.stop(f"semihosting operation {operation:#x}")
        uc.reg_write(uc_arm.UC_ARM_REG_PC, (at + 2) | 1)

    def run(self):
        """From reset to the end; the exit status."""
        sp, start = struct.unpack("<2I", self.uc.mem_read(FLASH, 8))
        self.uc.reg_write(uc_arm.UC_ARM_REG_SP, sp)
        self.uc.reg_write(uc_arm.UC_ARM_REG_LR, BACK | 1)
        try:
            self.uc.emu_start(start | 1, BACK)
        except unicorn.UcError as e:
            self.stop(f"{e} in {self.here()}")
        state = self.state.contents
        if state.too_deep or state.too_many:
            self.stop("calls of watched functions are too deep, or there are too many blocks")
        if self.fault or self.status is None:
            raise Fault(f"{self.image.path}: {self.fault or 'returned without a semihosting exit'}")
        return self.status

    def records(self):
        """For each watched function its calls."""
        calls = {name: [] for name in self.watch}
        for i in range(self.state.contents.records):
            r = self.state.contents.record[i]
            calls[self.watch[r.watched]].append({"stack": r.stack,
                                                 **{n: getattr(r.used, n) for n in COUNTS}})
        return calls

    def profile(self):
        """(cycles, function), most cycles first."""
        self.lib.m4_blocks.restype = ctypes.POINTER(Block)
        blocks, total = self.lib.m4_blocks(self.state), {}
        for i in range(self.lib.m4_room()):
            b = blocks[i]
            if b.size:
                name = self.image.function_at(b.at)
                total[name] = total.get(name, 0) + b.cycles * b.runs + b.taken * b.jumps
        return sorted(((c, n) for n, c in total.items()), reverse=True)
