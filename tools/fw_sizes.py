#!/usr/bin/env python3
"""Flash of whole images that call a few functions, as the table of docs/firmware.md has it:

    tools/fw_sizes.py OS O2            build folders with -Os and -O2; fails where a figure differs by more than 0.2 KB
    tools/fw_sizes.py OS O2 --update   write the figures into the table

An image is fw/start.c, fw/libc.c, the calls, and what the linker keeps of the folder's library.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/firmware.md"
CORE = ["-mcpu=cortex-m4", "-mthumb"]
ROOM = 0.2   # KB
# row of the table: the calls of its image; b, n and p are bytes, a length and an object of which nothing is known
ROWS = {
    "SM3": "ty_sm3_hash(b, b, n);",
    "SM4-GCM, seal and open": "ty_sm4_gcm_init(p, b); e += ty_sm4_gcm_seal(b, b, 16, b, n, b, n, b, n, p);"
                              "e += ty_sm4_gcm_open(b, b, n, b, 16, b, n, b, n, p);",
    "SM2 verify": "e += ty_sm2_verify(b, b, n, b, n, p);",
    "SM2 key, sign, verify": "e += ty_sm2_keygen(p, p); e += ty_sm2_sign(b, b, n, b, n, p, p); e += ty_sm2_verify(b, b, n, b, n, p);",
    "ML-DSA verify, from an encoded key: 44, 65, 87": "e += ty_mldsa_verify_encoded(b, n, b, n, b, n, b, n);",
}
PROGRAM = """#include "tongyu/mldsa.h"
#include "tongyu/sm2.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"
uint8_t *volatile bytes; void *volatile object; volatile size_t length;
int main(void) { uint8_t *b = bytes; void *p = object; size_t n = length; int e = 0; CALLS return e; }
"""


def flash(build, calls, folder):
    """Bytes of the image with these calls."""
    source, image = folder / "main.c", folder / "image.elf"
    source.write_text(PROGRAM.replace("CALLS", calls), encoding="utf-8")
    start = sorted((build / "fw/CMakeFiles/fw-start.dir").glob("*.obj"))
    hard = re.search(r"TONGYU_M4_FLOAT:STRING=hard", (build / "CMakeCache.txt").read_text(encoding="utf-8"))
    core = CORE + (["-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"] if hard else [])
    subprocess.run(["arm-none-eabi-gcc", *core, "-Os", "-ffreestanding", "-w", "-nostdlib", f"-I{ROOT}/include", f"-L{ROOT}/fw", "-T",
                    "mps2_an386.ld", "-Wl,--gc-sections,-z,noexecstack", source, *start, build / "libtongyu.a", "-lgcc", "-o", image], check=True)
    size = subprocess.run(["arm-none-eabi-size", image], check=True, capture_output=True, text=True)
    text, data = size.stdout.splitlines()[1].split()[:2]
    return int(text) + int(data)


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--update"]):
        sys.exit(__doc__)
    page, wrong = PAGE.read_text(encoding="utf-8"), 0
    with tempfile.TemporaryDirectory() as folder:
        for row, calls in ROWS.items():
            line = re.search(rf"^\| {re.escape(row)} \| ([0-9.]+) \| ([0-9.]+) \|", page, re.M)
            if not line:
                sys.exit(f"fw_sizes.py: {PAGE} has no row '{row}'")
            now = [flash(pathlib.Path(b), calls, pathlib.Path(folder)) / 1000 for b in sys.argv[1:3]]
            print(f"{row}: {now[0]:.1f} {now[1]:.1f} KB")
            if "--update" in sys.argv:
                page = page.replace(line[0], f"| {row} | {now[0]:.1f} | {now[1]:.1f} |")
            elif any(abs(n - float(said)) > ROOM for n, said in zip(now, line.groups())):
                print(f"fw_sizes.py: the page says {line[1]} and {line[2]}: --update", file=sys.stderr)
                wrong += 1
    if "--update" in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
