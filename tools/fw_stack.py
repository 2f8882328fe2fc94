#!/usr/bin/env python3
"""How deep the stack of an image for a Cortex-M4 goes in QEMU:

    tools/fw_stack.py IMAGE.elf

QEMU stops where main begins, the memory below its stack pointer is filled with a pattern, and where
main returns the deepest byte that differs is looked for. This uses GDB's remote protocol, in which
a packet is $text#sum, the sum of its bytes modulo 256.
"""
import pathlib
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "m4cycles"))
from machine import RAM, SIZE, Fault, Image        # noqa: E402

QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none", "-serial",
        "null", "-semihosting-config", "enable=on,target=native", "-S", "-gdb", "stdio", "-kernel"]
SP, LR, PC = 13, 14, 15
# The address to which main returns, in place of its caller. QEMU single-steps all code in a page
# that has a breakpoint, and the caller's page contains memcpy and memset.
END = SIZE - 16
PART = 1024                    # bytes in a packet, each two digits
SECONDS = 300
PATTERN = bytes(range(1, 252))


class Debugged:
    """An image in QEMU, which waits for commands."""

    def __init__(self, path):
        self.path = path
        try:
            self.qemu = subprocess.Popen([*QEMU, path], stdin=subprocess.PIPE,   # ended by __exit__
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        except OSError as e:
            raise Fault(f"qemu: {e}") from e
        self.too_long = threading.Timer(SECONDS, self.qemu.kill)
        self.too_long.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.too_long.cancel()
        self.qemu.kill()
        self.qemu.wait()
        self.qemu.stdin.close()
        self.qemu.stdout.close()

    def ask(self, command):
        """The answer to a command."""
        text = command.encode()
        self.qemu.stdin.write(b"$%s#%02x" % (text, sum(text) % 256))
        self.qemu.stdin.flush()
        answer, byte = b"", b""
        while byte != b"$":
            byte = self.byte()
        while (byte := self.byte()) != b"#":
            answer += byte
        self.byte()
        self.byte()
        self.qemu.stdin.write(b"+")
        self.qemu.stdin.flush()
        return answer.decode()

    def byte(self):
        byte = self.qemu.stdout.read(1)
        if not byte:
            raise Fault(f"{self.path}: QEMU ended without an answer")
        return byte

    def do(self, command):
        if (answer := self.ask(command)) != "OK":
            raise Fault(f"{self.path}: QEMU's answer to {command[:20]} is {answer!r}")

    def run_to(self, address):
        """Continues until this address is first reached."""
        self.do(f"Z0,{address:x},2")
        answer = self.ask("c")
        if not answer.startswith(("S05", "T05")) or self.register(PC) != address:
            raise Fault(f"{self.path}: QEMU never stops at {address:#x}: {answer}")
        self.do(f"z0,{address:x},2")

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.ask("g"))[4 * number:4 * number + 4], "little")

    def set_register(self, number, value):
        before = self.ask("g")
        self.do("G" + before[:8 * number] + value.to_bytes(4, "little").hex() +
                before[8 * number + 8:])

    def fill(self, at, data):
        for i in range(0, len(data), PART):
            part = data[i:i + PART]
            self.do(f"M{at + i:x},{len(part):x}:{part.hex()}")

    def memory(self, at, size):
        return b"".join(bytes.fromhex(self.ask(f"m{at + i:x},{min(PART, size - i):x}"))
                        for i in range(0, size, PART))


def deepest(image, room):
    """Bytes from the stack pointer where main begins down to the deepest word that it writes, at
    most `room` bytes."""
    with Debugged(image.path) as run:
        run.run_to(image.symbols["main"])
        top = run.register(SP)
        size = min(room, top - RAM - 4) & ~3
        pattern = (PATTERN * (size // len(PATTERN) + 1))[:size]
        run.fill(top - size, pattern)
        run.set_register(LR, END | 1)
        run.run_to(END)
        now = run.memory(top - size, size)
    same = next((i for i, (a, b) in enumerate(zip(now, pattern)) if a != b), size) & ~3
    if not same:
        raise Fault(f"{image.path}: all of {size} bytes of stack are written to")
    return size - same


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        print(deepest(Image(sys.argv[1]), 1 << 19))
    except (Fault, OSError) as e:
        print(f"fw_stack.py: {e}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
