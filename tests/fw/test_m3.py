#!/usr/bin/env python3
"""On a Cortex-M3 the time of 32 x 32 -> 64 bit multiplications and of divisions depends on the
operands. This test checks the library for such instructions:

    tests/fw/test_m3.py        Debian's compiler and QEMU's board with that core; `make fw` runs it

The library has such instructions only in the functions of PUBLIC, whose operands are public, and
its self-test passes on that board. With -DTY_PUBLIC_ONLY it uses the long multiplications;
verification links, and no call with a private key does.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build/fw-m3"
CORE = ["-mcpu=cortex-m3", "-mthumb"]
FLAGS = [*CORE, "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-Wall", "-Wextra",
         "-Werror", "-Wno-type-limits",
         f"-I{ROOT}/include", f"-I{ROOT}/src", f"-I{ROOT}/fw"]
# mps2_an386.ld is for QEMU's board with a Cortex-M4; an385, with a Cortex-M3, has the same memory
LINK = ["-nostdlib", f"-L{ROOT}/fw", "-T", "mps2_an386.ld", "-Wl,--gc-sections,-z,noexecstack"]
QEMU = ["qemu-system-arm", "-M", "mps2-an385", "-nographic", "-semihosting-config",
        "enable=on,target=native", "-kernel"]
LONG = re.compile(r"\t(umull|smull|umlal|smlal|udiv|sdiv)\b|R_ARM\S+\s+(__aeabi_(?:lmul|u?ldivmod|"
                  r"u?idiv(?:mod)?))\b")

# (file, function): how many long multiplications and divisions it may have, and their operands,
# none of which is secret.
PUBLIC = {
    ("any_curve", ".*"): (9, "the parameters of a curve"),
    ("divstep", "ty_limb_(inv|inv_work|gcd)"): (4, "lengths divided by 28, the bits of a digit"),
    ("engine", "ty_modn_lanes_for"): (2, "lengths divided by 52, the bits of a digit"),
    ("f2_any", "irreducible|ty_f2_any_(cost|init)"): (9, "a field's polynomial"),
    (r"ec_f2_\d+_c", r"ty_ec_f2_\d+_comb_c"): (1, "the length of n"),
    ("hmac_any", "ty_pbkdf2_any"): (1, "lengths"),
    ("keys", "derive_pub"): (1, "the number of a row"),
    ("ledger", ".*"): (9, "numbers of rows"),
    ("limb_div", ".*_vt"): (99, "public numbers, as the name says"),
    ("ntt|ntt_c", ".*"): (999, "long integers, which firmware does not have"),
    ("q_mldsa", "ty_q_intt_c"): (1, "the number of a layer"),
    ("sample", "ty_mldsa_expand_a"): (9, "the matrix A, and how many lanes there are"),
    ("scrypt", ".*"): (9, "costs"),
    ("verify", ".*"): (9, "a signature"),
    ("wrap", "unmix"): (1, "the number of a step"),
    ("xts", ".*"): (2, "the number of a sector"),
}


class Wrong(Exception):
    """A check that failed; the argument is the message."""


def run(*command, ok=True):
    done = subprocess.run([str(c) for c in command], capture_output=True, stdin=subprocess.DEVNULL,
                          text=True, timeout=300, check=False)
    if ok and done.returncode:
        raise Wrong(f"{command[0]} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def library(folder, *flags):
    """The objects of all sources that firmware may use"""
    folder.mkdir(parents=True)
    sources = [p for p in sorted((ROOT / "src").glob("*/*.[cS]"))
               if p.parent.name not in ("key", "mp", "os")]
    sources += [ROOT / "fw/start.c", ROOT / "fw/libc.c"]

    def compile_one(source):
        of_libc = ["-fno-builtin",
                   "-fno-tree-loop-distribute-patterns"] if source.parent.name == "fw" else []
        out = folder / (source.stem + source.suffix[1:] + ".o")
        run("arm-none-eabi-gcc", *FLAGS, *flags, *of_libc, "-c", source, "-o", out)
        return out
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_one, sources))
    run("arm-none-eabi-ar", "rcs", folder / "lib.a", *objects)
    return objects


def long_ones(objects):
    """{(file, function): how many instructions, or calls of libgcc}"""
    found = {}
    for o in objects:
        name = ""
        for line in run("arm-none-eabi-objdump", "-dr", o).stdout.splitlines():
            if start := re.match(r"[0-9a-f]+ <(\S+)>:", line):
                name = start[1]
            elif LONG.search(line):
                key = (o.stem[:-1], name.split(".")[0])
                found[key] = found.get(key, 0) + 1
    return found


def image(folder, source, *flags, ok=True):
    out = folder / (source.stem + ".elf")
    done = run("arm-none-eabi-gcc", *FLAGS, "-Os", "-w", *flags, *LINK, source, folder / "startc.o",
               folder / "libcc.o", folder / "lib.a", "-lgcc", "-o", out, ok=ok)
    return out if done.returncode == 0 else done.stderr


def with_secrets():
    objects = library(WORK / "all", "-O2")
    for (file, function), n in long_ones(objects).items():
        room = [most for (f, g), (most, _) in PUBLIC.items() if re.fullmatch(f, file)
                and re.fullmatch(g, function)]
        if n > max(room, default=0):
            raise Wrong(f"{file}.c: {function} has {n} long multiplications or divisions")
    done = run(*QEMU, image(WORK / "all", ROOT / "fw/selftest.c"))
    if "selftest: passed" not in done.stdout + done.stderr:
        raise Wrong(f"the self-test on a Cortex-M3: {done.stdout}{done.stderr}")
    control = WORK / "control.c"
    control.write_text("#include <stdint.h>\nuint64_t long_one(uint32_t x, uint32_t y) { return "
                       "(uint64_t)x * y; }\n", encoding="utf-8")
    out = WORK / "controlc.o"
    run("arm-none-eabi-gcc", *CORE, "-O2", "-c", control, "-o", out)
    if not long_ones([out]):
        raise Wrong("a long multiplication was not detected")
    return len(objects)


def private_calls():
    """{a public function that takes a private key: its header}"""
    keys = re.compile(
        r"\bty_(sm2_key|sm2_signer|sm2_kx|mldsa_key|mldsa_signer|ec_key)\b|\b(?:const )?uint8_t "
        r"\*key\b")
    found = {}
    for header in ("sm2", "mldsa", "ec", "ecdsa", "accel"):
        text = (ROOT / f"include/tongyu/{header}.h").read_text(encoding="utf-8")
        for declared in re.finditer(r"^TY_API[^;]*?\b(ty_\w+)\(([^;]*)\);", text, re.M):
            if keys.search(declared[2]):
                found[declared[1]] = header
    return found


def public_only():
    folder = WORK / "public"
    objects = library(folder, "-Os", "-DTY_PUBLIC_ONLY")
    if not any(function.startswith("ty_q_ntt") for _, function in long_ones(objects)):
        raise Wrong("-DTY_PUBLIC_ONLY has no long multiplications")
    calls = private_calls()
    if len(calls) < 30:
        raise Wrong(f"{len(calls)} calls with private keys are too few")
    program = folder / "program.c"
    for name, header in [*calls.items(), ("ty_sm2_verify", "sm2"),
                         ("ty_mldsa_verify_encoded", "mldsa"), ("ty_ecdsa_verify", "ecdsa"),
                         ("ty_accel_ecdsa_verify", "accel")]:
        program.write_text(f'#include "tongyu/{header}.h"\nint main(void) {{ return *(volatile '
                           f'char *)(void *){name}; }}\n',
                           encoding="utf-8")
        links = isinstance(image(folder, program, "-DTY_PUBLIC_ONLY", ok=False), pathlib.Path)
        if links != ("verify" in name and name not in calls):
            raise Wrong(f"-DTY_PUBLIC_ONLY: {name} {'links' if links else 'does not link'}")
    return len(calls)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    try:
        print(f"m3: {with_secrets()} objects, no long multiplication of a secret, the self-test "
              f"passes; with -DTY_PUBLIC_ONLY {public_only()} calls with private keys do not link")
    except (Wrong, OSError, subprocess.TimeoutExpired) as e:
        print(f"test_m3.py: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
