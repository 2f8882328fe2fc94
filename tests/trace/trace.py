#!/usr/bin/env python3
"""Constant time on AArch64, where the tests with valgrind do not run: kernels are executed under
QEMU instruction by instruction with several secrets. The addresses of the instructions, the
addresses that they read and write, and the operands of divisions must be the same.

    trace.py QEMU OBJDUMP PROGRAM          QEMU may have arguments, separated by ";"

PROGRAM is made from trace.c; the pieces of work whose names begin with "leaky" must be caught.
Prints how many pieces and instructions were compared."""
import re
import subprocess
import sys
import tempfile

REGISTER = re.compile(rb"\b(?:([xw])(\d+)|(sp))\b")

# Calls that must be among the pieces of work, with their tiers
MUST = {"sha256->blocks(": ("c", "armce"), "ty_sha512_blocks": ("c",),
        "o->field_mul(": ("armce",), "o->field_inv(": ("armce",), "o->mul(out, secret": ("armce",),
        "o->mul_base(": ("armce",), "o->sqr_n(": ("armce",), "o->step(": ("armce", "armsm"),
        "o->chain(": ("armce", "armsm"), "o->f1600_x8(": ("armsha3",), "o->times(": ("neon",),
        "o->pack_some(": ("neon",), "o->windows(": ("neon",)}


def watched(objdump, program):
    """{place: [(register, digits)]}: the registers that form an instruction's address or are
    divided, with the number of their hexadecimal digits; and the places where traces begin and
    end."""
    ops, marks = {}, {}
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", program], check=True,
                          capture_output=True).stdout
    for line in text.splitlines():
        if line.endswith(b">:"):
            place, name = line[:-2].split(b" <", 1)
            marks[name] = place.lower()
            continue
        place, _, insn = line.partition(b":\t")
        if not insn:
            continue
        name, _, operands = insn.partition(b"//")[0].partition(b"\t")
        # the last one; others are elements of vectors
        memory = re.findall(rb"\[([^\]]*)\]", operands)
        used = memory[-1] if memory else b""
        if re.search(rb"\bz\d", used):
            sys.exit(f"trace: a gather or a scatter: {line.decode()}")
        if name in (b"udiv", b"sdiv", b"dc"):                 # dc zva clears a line of memory
            used = operands.partition(b",")[2]
        registers = [(b" SP" if r[2] else b"X%02d" % int(r[1]), 8 if r[0] == b"w" else 16)
                     for r in REGISTER.findall(used)]
        if registers:
            ops[place.strip().rjust(16, b"0")] = registers
    return ops, marks[b"trace_begin"], marks[b"trace_end"]


def records(log):
    """The record of each instruction: its address and the registers before it; the log may be
    gigabytes long."""
    rest = b""
    while chunk := log.read(1 << 22):
        *whole, rest = (rest + chunk).split(b"PC=")
        yield from whole
    yield rest


def traces(qemu, program, run, ops, begin, end):
    """The pieces of one run, each a list of places with the values of the registers watched
    there"""
    pieces, piece, slices = [], None, None
    with tempfile.NamedTemporaryFile() as log:
        step = ["-singlestep", "-d", "nochain,cpu", "-D", log.name]
        process = subprocess.run(qemu + step + [program, str(run)], check=True,
                                 stdout=subprocess.PIPE)
        parts = records(log)
        next(parts)                              # the text before the first record
        for record in parts:
            if slices is None:
                at = {name: record.index(name + b"=") + len(name) + 1
                      for name in [b"X%02d" % i for i in range(31)] + [b" SP"]}
                slices = {place: [(at[r] + 16 - n, at[r] + 16) for r, n in registers]
                          for place, registers in ops.items()}
            place = record[:16]
            if place == begin:
                piece = []
            elif place == end:
                pieces.append(piece)
                piece = None
            elif piece is not None:
                piece.append(place + b"".join(record[i:j] for i, j in slices.get(place, ())))
    return process.stdout.decode().splitlines(), pieces


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    qemu, objdump, program = sys.argv[1].split(";"), sys.argv[2], sys.argv[3]
    ops, begin, end = watched(objdump, program)
    names, first = traces(qemu, program, 0, ops, begin, end)
    differs = {}
    for run in (1, 2):
        others, pieces = traces(qemu, program, run, ops, begin, end)
        if others != names or len(pieces) != len(names):
            sys.exit("trace: the runs do not have the same pieces")
        for name, a, b in zip(names, first, pieces):
            if a != b:
                step = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y),
                            min(len(a), len(b)))
                differs[name] = a[min(step, len(a) - 1)][:16].decode()
    wrong = [f"{name} differs at {differs[name]}" for name in names if name in differs
             and not name.startswith("leaky")]
    wrong += [f"{name} was not caught" for name in names if name not in differs
              and name.startswith("leaky")]
    wrong += [f"{name}: nothing was traced" for name, piece in zip(names, first) if len(piece) < 5]
    for call, tiers in MUST.items():
        wrong += [f"{call} was not traced on {tier}" for tier in tiers
                  if not any(call in name and f", {tier} " in name for name in names)]
    wrong += [f"no kernel of {tier}" for tier in ("neon", "armce", "armsha3", "armsm")
              if not any(f", {tier} " in name for name in names)]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"trace: {len(names)} pieces of work, {sum(map(len, first))} instructions, three "
          "secrets: identical traces")


if __name__ == "__main__":
    main()
