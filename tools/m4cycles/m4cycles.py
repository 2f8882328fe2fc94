#!/usr/bin/env python3
"""Modelled cycles of an image for a Cortex-M4: it runs under unicorn, and the cost of every basic
block is computed from published tables.

    m4cycles.py IMAGE.elf                     run it, print its output and the sum
    m4cycles.py IMAGE.elf --watch NAME,...    also print the cycles of the calls of these functions,
                                              callees included
    m4cycles.py IMAGE.elf --profile           also print the cycles of each function
    m4cycles.py IMAGE.elf --qemu              fail if qemu-system-arm prints something else
    m4cycles.py IMAGE.elf --json FILE         also write all this as JSON

These are modelled cycles, never measured ones: README.md has the rules and their accuracy. The exit
status is that of the image, or 2, with one line, where the model has no result.
"""
import argparse
import json
import subprocess
import sys

from machine import Fault, Image, Machine

QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-semihosting-config",
        "enable=on,target=native", "-kernel"]


def in_qemu(path):
    """(exit status, output) in QEMU"""
    try:
        done = subprocess.run([*QEMU, path], capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=300, check=False)
    except (OSError, subprocess.TimeoutExpired) as e:
        raise Fault(f"qemu: {e}") from e
    return done.returncode, done.stdout + done.stderr


def summary(calls):
    cycles = sorted(c["cycles"] for c in calls)
    return {"calls": len(calls), "min": cycles[0], "median": cycles[len(cycles) // 2],
            "max": cycles[-1],
            **{n: max(c[n] for c in calls)
               for n in ("ops", "loads", "stores", "stack", "divisions")},
            "flows": len({c["flow"] for c in calls}),
            "addresses": len({c["addresses"] for c in calls})}


def measure(path, watch=(), profile=False, qemu=False):
    """The image's exit status, output and cycles, as a dictionary; raises Fault."""
    image = Image(path)
    machine = Machine(image, watch)
    status = machine.run()
    now = machine.state.contents.now
    if qemu and (there := in_qemu(path)) != (status, bytes(machine.output)):
        raise Fault(f"{path}: QEMU ends with {there}, the model with "
                    f"{(status, bytes(machine.output))}")
    calls = machine.records()
    silent = [name for name in watch if not calls[name]]
    if silent:
        raise Fault(f"{path}: never called, or never returned: {', '.join(silent)}")
    return {"status": status, "output": machine.output.decode(errors="replace"),
            "flash": image.flash,
            "cycles": now.cycles, "ops": now.ops, "divisions": now.divisions,
            "functions": {name: summary(c) for name, c in calls.items()},
            "profile": machine.profile() if profile else []}


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("image")
    p.add_argument("--watch", default="", help="functions, with commas between them")
    p.add_argument("--profile", action="store_true")
    p.add_argument("--qemu", action="store_true")
    p.add_argument("--json", metavar="FILE")
    a = p.parse_args()
    try:
        found = measure(a.image, [w for w in a.watch.split(",") if w], a.profile, a.qemu)
    except (Fault, OSError) as e:
        print(f"m4cycles.py: {e}", file=sys.stderr)
        return 2
    print(found["output"], end="")
    print(f"{found['cycles']} cycles, {found['ops']} instructions, {found['flash']} bytes of flash")
    if found["functions"]:
        print(f"{'function':32} {'calls':>6} {'min':>9} {'median':>9} {'max':>9} {'instr':>9} "
              f"{'loads':>8} {'stores':>8} {'stack':>6} flows/addresses")
    for name, f in found["functions"].items():
        print(f"{name:32} {f['calls']:6} {f['min']:9} {f['median']:9} {f['max']:9} {f['ops']:9} "
              f"{f['loads']:8} "
              f"{f['stores']:8} {f['stack']:6} "
              f"{f['flows']}/{f['addresses']}{'  divides' if f['divisions'] else ''}")
    for cycles, name in found["profile"][:25]:
        print(f"{cycles:12} {100 * cycles / found['cycles']:5.1f} %  {name}")
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(found, f, indent=1)
    return found["status"]


if __name__ == "__main__":
    sys.exit(main())
