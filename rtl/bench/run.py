#!/usr/bin/env python3
"""Run the cocotb bench under Icarus Verilog:  run.py [--waves] [TEST ...]

--waves writes the waveforms of all signals to build/cocotb/MODULE/TOP.fst, for GTKWave or Surfer.
Icarus simulates about a hundred cycles per second of the core for 163 bits, so that generic mode,
two multipliers and the Wishbone shim are tested in small builds. tools/setup.sh rtl installs what
this needs.
"""
import os
import shutil
import sys

try:
    from cocotb_tools.runner import get_results, get_runner
except ModuleNotFoundError as missing:
    if missing.name != "cocotb_tools":
        raise
    get_runner = None
if not get_runner or not shutil.which("iverilog"):
    print("bench: skipped: no cocotb or no iverilog (tools/setup.sh rtl)")
    sys.exit(0)

HERE = os.path.dirname(os.path.abspath(__file__))
RTL = os.path.normpath(os.path.join(HERE, ".."))
BUILD = os.path.join(RTL, "../build/cocotb")
BUILDS = {
    "test_accel": ("ty_accel", {"FIELDS": 4, "D": 55}),
    "test_generic": ("ty_accel", {"FIELDS": 64, "D": 8, "GENERIC": 17, "DIVIDER": 1, "BLIND": 2}),
    "test_two": ("ty_accel", {"FIELDS": 64, "D": 3, "SQUARINGS": 2, "MULTIPLIERS": 2}),
    "test_wishbone": ("ty_accel_wb", {"FIELDS": 64, "D": 8}),
}


def has(module, test):
    with open(os.path.join(HERE, module + ".py"), encoding="utf-8") as f:
        return f"async def {test}(" in f.read()


def main():
    with open(os.path.join(RTL, "files.f"), encoding="utf-8") as f:
        sources = [os.path.join(RTL, line.strip()) for line in f if line.strip()]
    os.environ["PYTHONWARNINGS"] = "ignore::DeprecationWarning"    # of names in cocotbext-axi
    waves, names = "--waves" in sys.argv, [a for a in sys.argv[1:] if a != "--waves"]
    for name in names:
        if not any(has(module, name) for module in BUILDS):
            print(f"bench: no test '{name}'")
            return 1
    total = failed = 0
    for module, (top, parameters) in BUILDS.items():
        wanted = [name for name in names if has(module, name)]
        if names and not wanted:
            continue
        runner, folder = get_runner("icarus"), os.path.join(BUILD, module)
        runner.build(sources=sources, hdl_toplevel=top, build_dir=folder, always=True,
                     build_args=["-g2012"], timescale=("1ns", "1ps"), parameters=parameters,
                     waves=waves)
        results = get_results(runner.test(hdl_toplevel=top, test_module=module, build_dir=folder,
                                          testcase=wanted or None, waves=waves))
        total, failed = total + results[0], failed + results[1]
    print(f"bench: {total} tests, {failed} failed")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
