#!/usr/bin/env python3
"""ML-DSA's transform on a Cortex-M4, one optimisation at a time, in modelled cycles, as in a table
of docs/firmware.md:

    tools/fw_steps.py                  build every step, compare its results with the definition,
                                       print the table; fail where the page differs by more than
                                       1 %
    tools/fw_steps.py --update         write the figures into the page

The steps are written here: C for the first ones, generated assembly for the others; the last is the
library's. Needs arm-none-eabi-gcc and the packages of tools/m4cycles/requirements.txt: `make
fw-bench` installs both.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/firmware.md"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools/m4cycles"))
import fw_compiler                                 # noqa: E402
import m4cycles                                    # noqa: E402
from machine import Fault                          # noqa: E402

Q, R = 8380417, 1 << 32
PASSES = ((0, 2), (2, 3), (5, 3))                  # first layer, layers that are merged
CORE = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]


def zeta(k):
    """The power of 1753 of butterfly group k = 1, 2 ... [FIPS 204, appendix B]"""
    return pow(1753, int(f"{k:08b}"[::-1], 2), Q)


def centred(x, m):
    return (x + m // 2) % m - m // 2


def montgomery(k):
    return [centred(zeta(k) * R % Q, Q)]


def barrett(k):
    """z and -round(z R/q)"""
    z = centred(zeta(k), Q)
    return [z, -((2 * z * R + Q) // (2 * Q))]


# The butterflies of the steps: (instructions, whether sum and difference change places). The power
# is in r3, or in r2 and r3; r12 = 1/q mod R where it is needed, lr = q or -q. r2 and r3, or r12 in
# four(), are overwritten.
def textbook(a, b):
    return [f"smull r2, {b}, {b}, r3", "mul r3, r2, r12", f"smlal r2, {b}, r3, lr",
            f"add {a}, {a}, {b}",
            f"sub {b}, {a}, {b}, lsl 1"], False


def reduced(a, b):
    """The textbook's, with both results x reduced to x - q floor((x + 2^22)/2^23): lr = -q"""
    code, _ = textbook(a, b)
    for x in (a, b):
        code += [f"add r2, {x}, 1 << 22", "asr r2, r2, 23", f"mla {x}, r2, lr, {x}"]
    return code, False


def four(a, b):
    return [f"smmulr r12, {b}, r3", f"mla {b}, {b}, r2, {a}", f"mla {b}, r12, lr, {b}",
            f"rsb {a}, {b}, {a}, lsl 1"], True


def words(values):
    return [f"        .word {v & 0xffffffff:#010x}" for v in values]


def constants(q, inverse):
    code = [f"movw lr, {q & 0xffff}", f"movt lr, {q >> 16 & 0xffff}"]
    return code + ([f"movw r12, {pow(Q, -1, R) & 0xffff}", f"movt r12, {pow(Q, -1, R) >> 16}"]
                   if inverse else [])


def function(name, body, table):
    return [f"        .section .text.{name}, \"ax\"", "        .balign 4",
            f"        .global {name}", f"        .type {name}, %function",
            f"{name}:", "        push {r4-r11, lr}",
            *(b if b.endswith(":") or b.startswith("        ") else "        " + b for b in body),
            "        pop {r4-r11, pc}", "        .balign 4", "9:", *words(table),
            f"        .size {name}, . - {name}"]


def one_layer(name, butterfly):
    """Layer after layer: two loads, a butterfly, two stores."""
    body = constants(-Q & 0xffffffff, True) + ["adr.w r1, 9f"]
    for layer in range(8):
        step = 512 >> layer                        # bytes between the two
        body += ["add r11, r0, 1024", f"1{layer}:", "ldr r10, [r1], 4", f"add r9, r0, {step}",
                 f"2{layer}:", "mov r3, r10",
                 "ldr r4, [r0]", f"ldr r5, [r0, {step}]", *butterfly("r4", "r5")[0],
                 f"str r5, [r0, {step}]", "str r4, [r0], 4",
                 "cmp r0, r9", f"bne.w 2{layer}b", f"add r0, r0, {step}", "cmp r0, r11",
                 f"bne.w 1{layer}b", "sub r0, r0, 1024"]
    return function(name, body, [w for k in range(1, 256) for w in montgomery(k)])


def column(butterfly, layers, step, power):
    """The butterflies of some layers of 4 or 8 coefficients, `step` bytes apart"""
    n, code = 1 << layers, []
    where = [f"r{4 + i}" for i in range(n)]        # the register of each position
    code += [f"ldr r{4 + i}, [r0, {step * i}]" for i in range(n)]
    number = 0
    for layer in range(layers):
        distance = n >> (layer + 1)
        for block in range(0, n, 2 * distance):
            for i in range(block, block + distance):
                a, b = where[i], where[i + distance]
                lines, swapped = butterfly(a, b)
                # a power that the butterfly does not overwrite is loaded once
                code += power(number) + lines
                if swapped:
                    where[i], where[i + distance] = b, a
                    if i > block:
                        del code[-len(lines) - len(power(number)):-len(lines)]
            number += 1
    return code + [f"str {where[i]}, [r0, {step * i}]" for i in range(n)]


def merged(name, butterfly, powers, q, inverse):
    """2, 3 and 3 layers between load and store"""
    size, table = 4 * len(powers(1)), []

    def power(number):
        return [f"ldr r3, [r1, {size * number}]"] if size == 4 else ["ldr r2, [r1, "
                                                                     f"{size * number}]",
                                                                     "ldr r3, [r1, "
                                                                     f"{size * number + 4}]"]
    body = constants(q & 0xffffffff, inverse) + ["adr.w r1, 9f", "sub sp, sp, 8"]
    for first, layers in PASSES:
        n, blocks = 1 << layers, 1 << first
        step = 1024 >> (first + layers)            # bytes
        for block in range(blocks):
            for layer in range(layers):
                for i in range(1 << layer):
                    table += powers((1 << (first + layer)) + (block << layer) + i)
        body += ["add r2, r0, 1024", "str r2, [sp]", f"1{first}:", f"add r2, r0, {step}",
                 "str r2, [sp, 4]", f"2{first}:",
                 *column(butterfly, layers, step, power), "add r0, r0, 4", "ldr r2, [sp, 4]",
                 "cmp r0, r2", f"bne.w 2{first}b",
                 f"add r0, r0, {step * (n - 1)}", f"add r1, r1, {size * (n - 1)}", "ldr r2, [sp]",
                 "cmp r0, r2", f"bne.w 1{first}b",
                 "sub r0, r0, 1024"]
    return function(name, [*body, "add sp, sp, 8"], table)


C = """#include <stdint.h>
#include "mod/q_mldsa.h"
static const int32_t power[256] = { 0, POWERS };
static int32_t redc(int64_t t)
{
    return (int32_t)((t - (int64_t)(int32_t)((uint32_t)t * TY_Q_INV) * TY_Q) >> 32);
}
static int32_t reduce(int32_t x) { return x - ((x + (1 << 22)) >> 23) * TY_Q; }
void NAME(int32_t a[256]);
void NAME(int32_t a[256])
{
    unsigned k = 1;
    for (unsigned len = 128; len > 0; len >>= 1)
        for (unsigned start = 0; start < 256; start += 2 * len, k++)
            for (unsigned i = start; i < start + len; i++) {
                const int32_t t = redc((int64_t)power[k] * a[i + len]);
                a[i + len] = reduce(a[i] - t);
                a[i] = reduce(a[i] + t);
            }
}
"""
MAIN = """#include "fw.h"
#include "mod/q_mldsa.h"
static const int32_t in[256] = { IN }, want[256] = { WANT };
static int32_t a[256];
#define STEP(name) void name(int32_t *a); \\
    __attribute__((noinline)) static int bench_##name(void) \\
    { name(a); __asm__ volatile("" ::: "memory"); return a[0]; } \\
    static int try_##name(void) \\
    { for (int i = 0; i < 256; i++) a[i] = in[i]; \\
      int bad = bench_##name() != a[0]; \\
      for (int i = 0; i < 256; i++) { \\
          const int32_t d = a[i] - want[i]; bad |= d - d / TY_Q * TY_Q; } \\
      return bad != 0; }
STEPS
int main(void)
{
    int bad = 0;
    TRIES
    fw_print(bad ? "steps: failed\\n" : "steps: passed\\n");
    return bad;
}
"""
# name of the function, row of the table
STEPS = [
    ("c_o0", "plain C, every result reduced, `-O0`"),
    ("c_o2", "the same, `-O2`"),
    ("one_layer", "butterflies in assembly, one layer at a time"),
    ("layers", "2, 3 and 3 layers between load and store"),
    ("unreduced", "no reductions"),
    ("four", "butterfly of four instructions"),
    ("ty_q_ntt_m4", "scheduled: stores behind loads, powers in FPU registers (the library's)"),
]


def transform(x):
    """The definition: evaluation by layers, mod q"""
    x, k, length = list(x), 1, 128
    while length:
        for start in range(0, 256, 2 * length):
            for i in range(start, start + length):
                t = zeta(k) * x[i + length]
                x[i], x[i + length] = (x[i] + t) % Q, (x[i] - t) % Q
            k += 1
        length //= 2
    return x


def build(folder):
    random.seed(1)
    x = [random.randrange(1 - Q, Q) for _ in range(256)]
    powers = ", ".join(str(montgomery(k)[0]) for k in range(1, 256))
    for name in ("c_o0", "c_o2"):
        (folder / f"{name}.c").write_text(C.replace("POWERS", powers).replace("NAME", name),
                                          encoding="utf-8")
    assembly = [".syntax unified", ".thumb", *one_layer("one_layer", reduced),
                *merged("layers", reduced, montgomery, -Q, True),
                *merged("unreduced", textbook, montgomery, -Q, True),
                *merged("four", four, barrett, Q, False)]
    (folder / "steps.s").write_text("\n".join(assembly) + "\n", encoding="utf-8")
    main = MAIN.replace("IN", ", ".join(map(str, x)), 1)
    main = main.replace("WANT", ", ".join(map(str, transform(x))))
    main = main.replace("STEPS", "\n".join(f"STEP({n})" for n, _ in STEPS))
    main = main.replace("TRIES", " ".join(f"bad |= try_{n}();" for n, _ in STEPS))
    (folder / "main.c").write_text(main, encoding="utf-8")
    common = ["arm-none-eabi-gcc", *CORE, "-ffreestanding", "-ffunction-sections", "-w",
              f"-I{ROOT}/src", f"-I{ROOT}/include", f"-I{ROOT}/fw"]
    objects = []
    for source, flags in ((folder / "c_o0.c", ["-O0"]), (folder / "c_o2.c", ["-O2"]),
                          (folder / "steps.s", []), (folder / "main.c", ["-O2"]),
                          (ROOT / "src/mod/q_mldsa_m4.S", []),
                          (ROOT / "fw/start.c", ["-O2", "-fno-builtin"]),
                          (ROOT / "fw/libc.c",
                           ["-O2", "-fno-builtin", "-fno-tree-loop-distribute-patterns"])):
        objects.append(folder / (source.stem + ".o"))
        subprocess.run([*common, *flags, "-c", source, "-o", objects[-1]], check=True)
    subprocess.run([*common, "-nostdlib", f"-L{ROOT}/fw", "-T", "mps2_an386.ld",
                    "-Wl,--gc-sections,-z,noexecstack", *objects, "-lgcc", "-o",
                    folder / "steps.elf"], check=True)
    return folder / "steps.elf"


def main():
    if sys.argv[1:] not in ([], ["--update"]):
        sys.exit(__doc__)
    page, wrong, before = PAGE.read_text(encoding="utf-8"), 0, None
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = m4cycles.measure(build(pathlib.Path(folder)), [f"bench_{n}" for n, _ in STEPS],
                                     qemu=True)
            if found["status"] or "steps: passed" not in found["output"]:
                raise Fault(f"a step's numbers are wrong: {found['output']}")
        except (Fault, OSError, subprocess.CalledProcessError) as e:
            print(f"fw_steps.py: {e}", file=sys.stderr)
            return 2
    for name, row in STEPS:
        now = found["functions"][f"bench_{name}"]["max"]
        print(f"{row}: {now:,}" + (f", {100 - 100 * now / before:.0f} % less" if before else ""))
        before = now
        line = re.search(rf"^\| {re.escape(row)} \| ([0-9,]+) \|", page, re.M)
        if not line:
            sys.exit(f"fw_steps.py: {PAGE} has no row '{row}'")
        if "--update" in sys.argv:
            page = page.replace(line[0], f"| {row} | {now:,} |")
        elif abs(int(line[1].replace(",", "")) - now) > now / 100:
            print(f"fw_steps.py: {row}: the page says {line[1]}, and {now:,} cycles were "
                  "measured; --update writes them into the page", file=sys.stderr)
            wrong += 1
    if "--update" in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    return wrong != 0 and not fw_compiler.is_other_gcc("fw_steps.py")


if __name__ == "__main__":
    sys.exit(main())
