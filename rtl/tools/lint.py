#!/usr/bin/env python3
"""Lint the whole design with two front ends, warnings as errors: verilator -Wall, and slang if
pyslang is installed."""
import os
import subprocess
import sys

RTL = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
# Builds of the top module from small to large, and one for Wishbone.
BUILDS = [{"FIELDS": 4, "D": 55}, {"FIELDS": 16, "D": 16, "SQUARINGS": 2},
          {"FIELDS": 63, "D": 64, "DIVIDER": 2},
          {"FIELDS": 28, "D": 59, "SQUARINGS": 2, "MULTIPLIERS": 2},
          {"FIELDS": 63, "D": 64, "GENERIC": 255, "DIVIDER": 1},
          {"FIELDS": 0, "D": 64, "GENERIC": 255, "GENERIC_SQUARER": 1},
          {"FIELDS": 4, "D": 16, "GENERIC": 255, "RANDOMISE": "1'b0", "CHECK_POINT": "1'b0"}]
BUILDS = [("ty_accel", build) for build in BUILDS] + [("ty_accel_wb", {"FIELDS": 4, "D": 55})]


def files():
    with open(os.path.join(RTL, "files.f"), encoding="utf-8") as f:
        return [os.path.join(RTL, line.strip()) for line in f if line.strip()]


def verilator(top, build):
    flags = [f"-G{k}={v}" for k, v in build.items()]
    return subprocess.run(["verilator", "--lint-only", "-Wall", "--top-module", top, *flags,
                           *files()],
                          check=False).returncode == 0


def slang(top, build):
    try:
        from pyslang import driver
    except ImportError:
        print("lint: skipped slang: no pyslang (tools/setup.sh rtl)")
        return True
    d = driver.Driver()
    d.addStandardArgs()
    flags = " ".join(f'-G "{k}={v}"' for k, v in build.items())
    if not d.parseCommandLine(f"slang --top {top} -Wextra -Wno-useless-cast -Werror {flags} " +
                              " ".join(files())):
        return False
    return d.processOptions() and d.parseAllSources() and d.runFullCompilation(True)


def main():
    for top, build in BUILDS:
        if not verilator(top, build) or not slang(top, build):
            print(f"lint: {top}, {build}: not clean")
            return 1
    print(f"lint: {len(files())} files, {len(BUILDS)} builds, clean")
    return 0


if __name__ == "__main__":
    sys.exit(main())
