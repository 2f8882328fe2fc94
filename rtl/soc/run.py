#!/usr/bin/env python3
"""A RISC-V system with the accelerator, in simulation: its firmware agrees on a secret.

    run.py     builds firmware and system, runs them, and compares what was printed with the model

The processor is PicoRV32, whose Verilog comes from PyPI; the compiler is riscv64-unknown-elf-gcc
with picolibc (tools/setup.sh rtl). Without them the check is reported as skipped. The accelerator's
cycles have to be those of docs/accelerator.md, with 64 more steps, because the scalar is blinded.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../.."))
WORK = os.path.join(ROOT, "build/rtl-soc")
sys.path.append(os.path.join(ROOT, "rtl/ucode"))

import model

GCC = "riscv64-unknown-elf-gcc"
FLAGS = ["--specs=picolibc.specs", "-march=rv32imc", "-mabi=ilp32", "-Os", "-std=c11",
         "-ffunction-sections", "-fdata-sections", "-DTY_TIER=c",
         "-I", os.path.join(ROOT, "src"), "-I", os.path.join(ROOT, "include")]
CYCLES = 3234 + 64 * 18       # of a run; a step takes six products of three cycles
FOLDERS = ["base", "f2m", "ec", "ec_f2", "accel"]


def call(*args):
    r = subprocess.run(args, cwd=WORK, capture_output=True, text=True, check=False)
    if r.returncode:
        raise SystemExit(f"soc: {' '.join(args)}\n{(r.stdout + r.stderr)[-4000:]}")
    return r.stdout


def firmware():
    """(file with the words of the memory image, one per line; bytes of the image)"""
    sources = [os.path.join(HERE, n) for n in ("start.S", "main.c")]
    for folder in FOLDERS:
        sources += sorted(glob.glob(os.path.join(ROOT, "src", folder, "*.c")))
    sources.append(os.path.join(ROOT, "src/ecdsa/any_curve.c"))     # ty_ec_params_get
    objects = []
    for path in sources:
        objects.append(os.path.join(WORK, os.path.basename(path) + ".o"))
        call(GCC, *FLAGS, "-c", path, "-o", objects[-1])
    call(GCC, *FLAGS, "-nostartfiles", "-Wl,--gc-sections", "-T", os.path.join(HERE, "soc.ld"),
         "-o", "firmware.elf", *objects)
    call("riscv64-unknown-elf-objcopy", "-O", "binary", "firmware.elf", "firmware.bin")
    with open(os.path.join(WORK, "firmware.bin"), "rb") as f:
        image = f.read()
    image += bytes(-len(image) % 4)
    path = os.path.join(WORK, "firmware.hex")
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"{int.from_bytes(image[i:i + 4], 'little'):08x}\n"
                     for i in range(0, len(image), 4))
    return path, len(image)


def system(cpu):
    with open(os.path.join(ROOT, "rtl/files.f"), encoding="utf-8") as f:
        files = [os.path.join(ROOT, "rtl", line.strip()) for line in f if line.strip()]
    call("verilator", "--cc", "--exe", "--build", "-O3", "-CFLAGS", "-O1", "-Wno-fatal",
         "--top-module", "soc", "--prefix", "Vsoc", "--Mdir", "obj", *files, cpu,
         os.path.join(HERE, "soc.sv"), os.path.join(HERE, "soc.cc"), "-o", "soc")
    return os.path.join(WORK, "obj", "soc")


def expected():
    """The lines that the firmware must print, by the textbook's formulas, without measurements."""
    curve = model.curves()["sect163r2"]
    mine = int.from_bytes(bytes([1] + [7 * i % 256 for i in range(1, 21)]), "big")
    theirs = int.from_bytes(bytes([1] + [(200 - 11 * i) % 256 for i in range(1, 21)]), "big")
    lines = ["selftest passed"]
    for d in (mine, theirs):
        x, y = curve.times(d, curve.g)
        lines += [f"accelerator {CYCLES}", f"public 04{x:042x}{y:042x}"]
    secret = curve.times(mine * theirs % curve.n, curve.g)[0]
    return lines + [f"accelerator {CYCLES}", f"secret {secret:042x}"] * 2


def main():
    try:
        import pythondata_cpu_picorv32 as picorv32
    except ImportError:
        print("soc: skipped: no PicoRV32 (tools/setup.sh rtl)")
        return 0
    for tool in (GCC, "verilator"):
        if not shutil.which(tool):
            print(f"soc: skipped: no {tool} (tools/setup.sh rtl)")
            return 0
    os.makedirs(WORK, exist_ok=True)
    image, size = firmware()
    program = system(os.path.join(picorv32.data_location, "picorv32.v"))
    printed = call(program, f"+firmware={image}").splitlines()
    took = [line for line in printed
            if re.fullmatch(r"(check|selftest|driver) \d+|\d+ cycles of the system", line)]
    results, wanted = [line for line in printed if line not in took], expected()
    if results != wanted:
        raise SystemExit("\n".join(["soc: printed", *printed, "and not", *wanted]))
    print(f"soc: {wanted[-1]}, as in the model; firmware of {size:,} bytes; "
          f"cycles: {', '.join(took)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
