"""An x86-64 machine whose addresses and control flow are concrete, and whose data are in a domain.
A byte of memory or of a vector, a cell, is a number or (word, index): one byte of a word that the
domain knows. A word has a `size`."""

import weakref

from decoder import General, Immediate, Memory, Vector, WIDE, decode
from outcome import Refused, Violation
from rows import FORMS

PRESERVED = "rbx rbp r12 r13 r14 r15".split()
STACK = 1 << 17


class Unknown:
    """The initial contents of a register or of the caller's stack: may be moved, but not used."""

    size = 8

    def __init__(self, name):
        self.name = name


class Region:
    def __init__(self, name, start, size, writable):
        self.name, self.start, self.end, self.writable = name, start, start + size, writable


class Machine:
    def __init__(self, image, domain, stack=0x7FFD_0700_0000, limit=400_000):
        self.image, self.domain, self.limit = image, domain, limit
        domain.machine = weakref.proxy(self)  # no cycle: a run's words take much memory
        self.memory, self.regions, self.flags, self.masks = {}, [], {}, {}
        self.general = {name: Unknown(name) for name in WIDE}
        self.initial = dict(self.general)
        self.vectors = [[(Unknown("vector"), 0)] * 64 for _ in range(32)]
        self.stack_top = stack
        self.stack = Region("stack", stack - STACK, STACK + 64, True)
        self.canary = Region("canary", stack + (1 << 20), 8, False)
        self.place(self.canary, list(b"\0anary!?"))
        self.steps, self.executed, self.ip = 0, set(), None
        self.garbage = False  # whether unwritten bytes of the frame may be read, with any value
        self.hooks = {"memcpy": self._copy, "memmove": self._copy, "memset": self._set}

    # --- memory: inside a stated region, or a table of the image ----------------------------------
    def _check(self, address, count, writing):
        end = address + count
        if self.stack.start <= address and end <= self.stack.end:
            if address < self.general["rsp"] - 128:
                raise Violation("access below the red zone")
            if writing and end > self.frame_end:
                raise Violation("write into the caller's frame")
            return
        for region in self.regions:
            if region.start <= address and end <= region.end:
                if writing and not region.writable:
                    raise Violation(f"write to input {region.name}")
                return
        raise Violation(f"{'write' if writing else 'read'} of {count} bytes outside all buffers")

    def load(self, address, count):
        """The cells at an address."""
        found = self.image.read(address, count)
        if found is not None:
            return list(found)
        self._check(address, count, False)
        cells = [self.memory.get(address + k) for k in range(count)]
        if None in cells:
            if not self.garbage or address < self.stack.start or address + count > self.frame_end:
                raise Violation("read of memory that nothing was written to")
            cells = [self.domain.garbage() if c is None else c for c in cells]
            self.memory.update(zip(range(address, address + count), cells))
        return cells

    def store(self, address, cells):
        self._check(address, len(cells), True)
        for k, cell in enumerate(cells):
            self.memory[address + k] = cell

    def place(self, region, cells):
        """Adds an argument's buffer, before the run."""
        self.regions.append(region)
        for k, cell in enumerate(cells):
            self.memory[region.start + k] = cell

    # --- words and cells --------------------------------------------------------------------------
    def join(self, cells):
        if all(type(c) is int for c in cells):
            return int.from_bytes(bytes(cells), "little")
        first = cells[0]
        if (
            type(first) is tuple
            and first[0].size == len(cells)
            and all(
                type(c) is tuple and c[0] is first[0] and c[1] == k for k, c in enumerate(cells)
            )
        ):
            return first[0]
        if any(type(c) is tuple and isinstance(c[0], Unknown) for c in cells):
            raise Refused("a part of an undefined register is used")
        return self.domain.join(cells)

    def split(self, value, size):
        if type(value) is int:
            return list((value & ((1 << 8 * size) - 1)).to_bytes(size, "little"))
        if value.size == size:
            return [(value, k) for k in range(size)]
        if isinstance(value, Unknown):
            raise Refused("a part of an undefined register is used")
        return self.domain.split(value, size)

    # --- operands ---------------------------------------------------------------------------------
    def address_of(self, i, op):
        address = op.disp
        if op.segment:
            if op.base or op.index or op.disp != 0x28:
                raise Refused("thread-local memory")
            return self.canary.start  # the stack protector's canary
        if op.base == "rip":
            address += i.address + i.size
        elif op.base:
            address += self._number(op.base)
        if op.index:
            address += self._number(op.index) * op.scale
        return address & (1 << 64) - 1

    def _number(self, name):
        value = self.wide(name)
        if type(value) is not int:
            if isinstance(value, Unknown):
                raise Violation(f"address from {value.name}, which is undefined")
            raise Violation("address that depends on data")
        return value

    def wide(self, name):
        value = self.general[name]
        return self.join(value) if type(value) is list else value

    def get(self, i, op):
        """The value of a general register, an immediate, or memory."""
        if type(op) is Immediate:
            return op.value & (1 << 8 * op.size) - 1
        if type(op) is Memory:
            return self.join(self.load(self.address_of(i, op), op.size))
        value = self.general[op.name]
        if op.size == 8:
            return self.join(value) if type(value) is list else value
        if type(value) is int:
            return value & (1 << 8 * op.size) - 1
        return self.join((value if type(value) is list else self.split(value, 8))[: op.size])

    def put(self, i, op, value):
        if type(op) is Memory:
            self.store(self.address_of(i, op), self.split(value, op.size))
        elif op.size == 8:
            self.general[op.name] = value
        elif op.size == 4:
            self.general[op.name] = value if type(value) is int else self.split(value, 4) + [0] * 4
        else:
            old = self.general[op.name]
            cells = old if type(old) is list else self.split(old, 8)
            cells = self.split(value, op.size) + cells[op.size :]
            known = all(type(c) is int for c in cells)
            self.general[op.name] = self.join(cells) if known else cells

    def cells(self, i, op, count=None):
        """Cells of a vector or of memory."""
        if type(op) is Vector:
            return self.vectors[op.number][: count or op.size]
        if type(op) is General:
            return self.split(self.get(i, op), op.size)[:count]
        found = self.load(self.address_of(i, op), min(count or op.size, op.size))
        return found

    def put_cells(self, i, op, cells):
        """A vector's upper part becomes zero; memory is written as given."""
        if type(op) is Vector:
            self.vectors[op.number] = list(cells) + [0] * (64 - len(cells))
        else:
            self.store(self.address_of(i, op), cells)

    # --- flags ------------------------------------------------------------------------------------
    def flag(self, name):
        value = self.flags.get(name)
        if value is None:
            raise Refused(f"flag {name} is undefined")
        return value

    def decided(self, name):
        """A flag as 0 or 1: where it depends on data, the domain forks."""
        value = self.flag(name)
        if type(value) is not int:
            value = self.domain.is_zero(value.word) if name == "z" else self.domain.decide(value)
            self.flags[name] = value
        return value

    # --- running ----------------------------------------------------------------------------------
    def instruction(self, address):
        found = self.image.decoded.get(address)
        if found is None:
            data = self.image.code(address)
            if data is None:
                raise Violation("jump out of the code")
            found = decode(data, address)
            if found is None:
                raise Refused(f"no instruction that is known: {data.hex()}")
            self.image.decoded[address] = found
        return found

    def step(self):
        i = self.instruction(self.ip)
        row = FORMS.get((i.name, i.signature))
        if row is None:
            raise Refused(f"no row for {i.name} {i.signature}")
        self.steps += 1
        if self.steps > self.limit:
            raise Refused("too many steps")
        self.executed.add(i.address)
        self.ip = i.address + i.size
        row(self, i, i.ops)

    def go(self, target):
        if type(target) is not int:
            raise Violation("jump that depends on data")
        name = self.image.unknown.get(target)
        if name is not None:
            if name not in self.hooks:
                raise Refused(f"call of {name}")
            self.hooks[name]()
            target = self.pop()
        self.ip = target

    def push(self, value):
        self.general["rsp"] -= 8
        self.store(self.general["rsp"], self.split(value, 8))

    def pop(self):
        at = self.general["rsp"]
        if any(self.memory.get(at + k) is None for k in range(8)):
            self._check(at, 8, False)
            value = Unknown("popped")  # compilers release a frame of eight bytes in this way
        else:
            value = self.join(self.load(at, 8))
        self.general["rsp"] += 8
        return value

    RETURN = 0x6E0F_BEEF_0000

    def call(self, entry, arguments, stacked=()):
        """Runs a function to its return, and checks what the ABI requires of it."""
        for name, value in zip("rdi rsi rdx rcx r8 r9".split(), arguments):
            self.general[name] = value
        top = self.stack_top
        for k, value in enumerate(list(stacked)):
            for at, cell in enumerate(self.split(value, 8)):
                self.memory[top + 8 * k + at] = cell
        self.general["rsp"] = top - 8
        self.memory.update(zip(range(top - 8, top), self.RETURN.to_bytes(8, "little")))
        self.frame_end = top - 8
        self.ip = entry
        while self.ip != self.RETURN:
            self.step()
        if self.general["rsp"] != top:
            raise Violation("the stack pointer is not restored")
        for name in PRESERVED:
            if self.wide(name) is not self.initial[name]:
                raise Violation(f"{name} is not preserved")

    def left_in_frame(self):
        """The number of bytes left below the stack pointer that depend on data."""
        return sum(
            1
            for address, cell in self.memory.items()
            if self.stack.start <= address < self.frame_end
            and type(cell) is tuple
            and not isinstance(cell[0], Unknown)
        )

    def _copy(self):
        count = self._number("rdx")
        self.store(self._number("rdi"), self.load(self._number("rsi"), count))
        self._clobbered()

    def _set(self):
        value = self.get(None, General("sil"))
        self.store(self._number("rdi"), self.split(value, 1) * self._number("rdx"))
        self._clobbered()

    def _clobbered(self):
        """Marks as undefined what a function of the C library may change."""
        self.general["rax"] = self.general["rdi"]
        for name in "rcx rdx rsi rdi r8 r9 r10 r11".split():
            self.general[name] = Unknown(name)
        self.vectors = [[(Unknown("vector"), 0)] * 64 for _ in range(32)]
        self.flags, self.masks = {}, {}
