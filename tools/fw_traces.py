#!/usr/bin/env python3
"""Constant time on a Cortex-M4: the functions fw_same_* of fw/traces.c run with 16 secrets and must
show one order of instructions and one sequence of addresses in the cycle model; leaky_branch and
leaky_address, the controls, must show more.

    tools/fw_traces.py IMAGE.elf

A division is a fault, too: its time depends on its operands. Needs the packages of
tools/m4cycles/requirements.txt.
"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "m4cycles"))
import fw_compiler                                 # noqa: E402
import m4cycles                                    # noqa: E402
from machine import Fault, Image                   # noqa: E402

SECRETS = 16
# what must differ, and the least number of different values
CONTROLS = {"leaky_branch": ("flows", 2), "leaky_address": ("addresses", 2)}


def faults(found):
    """What is wrong with the records of the functions, as lines."""
    for name, f in sorted(found.items()):
        if f["calls"] != SECRETS:
            yield f"{name}: {f['calls']} calls, and not {SECRETS}"
        if name in CONTROLS:
            what, least = CONTROLS[name]
            if f[what] < least:
                yield f"{name}: this leak was not seen"
        elif f["flows"] != 1 or f["addresses"] != 1:
            yield (f"{name}: {f['flows']} orders of instructions and {f['addresses']} sequences "
                   "of addresses")
        elif f["divisions"]:
            yield f"{name}: {f['divisions']} divisions"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        symbols = {fw_compiler.plain(n): n for n in Image(sys.argv[1]).symbols}
        names = [n for n in symbols if n.startswith("fw_same_")]
        if not names:
            raise Fault(f"{sys.argv[1]}: no function fw_same_*")
        found = m4cycles.measure(sys.argv[1],
                                 [symbols.get(n, n) for n in sorted(names) + list(CONTROLS)])
        if found["status"]:
            raise Fault(f"{sys.argv[1]}: it ends with {found['status']}: {found['output']}")
    except (Fault, OSError) as e:
        print(f"fw_traces.py: {e}", file=sys.stderr)
        return 2
    wrong = list(faults({fw_compiler.plain(n): f for n, f in found["functions"].items()}))
    for line in wrong:
        print(f"fw_traces.py: {line}", file=sys.stderr)
    if not wrong:
        print(f"{len(names)} functions, {SECRETS} secrets, one trace each; the two leaks were seen")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
