#!/usr/bin/env python3
"""Flash and stack of whole images that make a few calls, as in the table of docs/firmware.md:

    tools/fw_sizes.py OS O2            build folders with -Os and -O2; fails where the page's flash
                                       differs by more than 0.2 KB, or its stack by more than 64
                                       bytes
    tools/fw_sizes.py OS O2 --update   write the figures into the table

An image is fw/start.c, fw/libc.c, the calls, and what the linker keeps of the folder's library.
Stack is what the calls take when they run in QEMU, on objects that other calls have made: the
larger figure of both builds, for each parameter set of ML-DSA where the row has all of them.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import fw_compiler                                 # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/firmware.md"
CORE = ["-mcpu=cortex-m4", "-mthumb"]
QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-semihosting-config",
        "enable=on,target=native", "-kernel"]
ROOM, DEEPER = 0.2, 64   # KB, bytes
SM2 = "e += ty_sm2_keygen(&sm2, &rng); e += ty_sm2_sign(sig, text, len, id, 16, &sm2, &rng);"
ID = "for (int i = 0; i < 16; i++) id[i] = TY_SM2_ID[i];"
PUB, KEY, SIG = (f"ty_mldsa_{what}_len(set)" for what in ("pub", "key", "sig"))
MLDSA_KEY = f"e += ty_mldsa_keygen_encoded(pub, {PUB}, key, {KEY}, text, set);"
MLDSA_SIGN = f"e += ty_mldsa_sign_encoded(sig, {SIG}, text, len, NULL, 0, key, {KEY}, &rng);"
ECDSA = ("e += ty_ec_keygen(&ec, CURVE, &rng); e += ty_ecdsa_sign(sig, text, len, &ec, &rng);"
         "e += ty_ecdsa_verify(sig, 2 * ty_ec_order_len(CURVE), text, len, &ec.pub);")
ALL, NONE = (44, 65, 87), (0,)
# row of the table: the calls before, the calls of its image, and the parameter sets of ML-DSA for
# which they are made
ROWS = {
    "SM3": ("", "ty_sm3_hash(sig, text, len);", NONE),
    "SM4-GCM, seal and open": ("",
                               "ty_sm4_gcm_init(&gcm, key); e += ty_sm4_gcm_seal(sig, pub, 16, "
                               "text, len, id, 16, id, 12, &gcm);e += ty_sm4_gcm_open(sig, sig, "
                               "len, pub, 16, id, 16, id, 12, &gcm);", NONE),
    "SM2 verify": (ID + SM2, "e += ty_sm2_verify(sig, text, len, id, 16, &sm2.pub);", NONE),
    "SM2 key, sign, verify": (ID, SM2 + "e += ty_sm2_verify(sig, text, len, id, 16, &sm2.pub);",
                              NONE),
    "ML-DSA verify, from an encoded key: 44, 65, 87": (MLDSA_KEY + MLDSA_SIGN,
                                                       f"e += ty_mldsa_verify_encoded(sig, {SIG}, "
                                                       f"text, len, NULL, 0, pub, {PUB});", ALL),
    "ML-DSA keys from a seed, encoded": ("", MLDSA_KEY, ALL),
    "ML-DSA sign, from an encoded key, least stack": (MLDSA_KEY, MLDSA_SIGN, ALL),
    "ECDSA on a curve by its name: key, sign, verify": (
        "for (int i = 0; i < 9; i++) name[i] = \"sect571r1\"[i];",
        "const ty_ec_curve *curve = ty_ec_curve_named(name); if (!curve) return 1;" +
        ECDSA.replace("CURVE", "curve"), NONE),
    "ECDSA on a curve given at run time, checks included": (
        "ty_ec_params_get(&params, ty_ec_curve_named(\"sect571r1\"));",
        "const char *why; e += ty_ec_any_init(&any, &params, TY_EC_AUTO, 0, &why);" +
        ECDSA.replace("CURVE", "ty_ec_any_curve(&any)"), NONE),
}
PROGRAM = """#include "fw.h"
#include "tongyu/ec_any.h"
#include "tongyu/ecdsa.h"
#include "tongyu/mldsa.h"
#include "tongyu/sm2.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"
/* not static, so that the compiler knows nothing of their values */
uint8_t text[64] = { 1 }, id[16];
uint8_t sig[TY_MLDSA_SIG_MAX], pub[TY_MLDSA_PUB_MAX], key[TY_MLDSA_KEY_MAX];
size_t len = 32; char name[16]; int set = SET;
ty_sm2_key sm2; ty_sm4_gcm_key gcm; ty_ec_key ec; ty_ec_any any; ty_ec_params params;
ty_err count_up(void *ctx, uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = 37 * (*(uint8_t *)ctx)++ + 11;
    return 0;
}
uint8_t seed = 1;
ty_rng rng = { count_up, &seed };
__attribute__((noinline)) int calls(void) { int e = 0; CALLS return e; }
#if RUN
enum { DEPTH = 64 * 1024 };
__attribute__((noinline)) int before(void) { int e = 0; BEFORE return e; }
__attribute__((noinline)) volatile uint8_t *below(void)
{
    return (volatile uint8_t *)__builtin_frame_address(0) - DEPTH;
}
int main(void)
{
    volatile uint8_t *p = below();
    char line[8] = "000000\\n";
    int e = before();
    size_t used = DEPTH, i = 0;
    for (; i < DEPTH - 64; i++) p[i] = 0xa5;
    e += calls();
    for (i = 0; p[i] == 0xa5; i++) used--;
    for (i = 6; i-- > 0; used /= 10) line[i] = '0' + used % 10;
    fw_print(line);
    return e != 0;
}
#else
int main(void) { return calls(); }
#endif
"""


def link(build, row, folder, run, which):
    """An image with the row's calls; if `run` is 1, it makes the calls before these too, and prints
    the stack. `which` is the parameter set of ML-DSA."""
    before, calls, _ = ROWS[row]
    source, image = folder / "main.c", folder / "image.elf"
    source.write_text(PROGRAM.replace("CALLS", calls).replace("BEFORE", before), encoding="utf-8")
    start = sorted((build / "fw/CMakeFiles/fw-start.dir").glob("*.obj"))
    hard = re.search(r"TONGYU_M4_FLOAT:STRING=hard",
                     (build / "CMakeCache.txt").read_text(encoding="utf-8"))
    core = CORE + (["-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"] if hard else [])
    subprocess.run(["arm-none-eabi-gcc", *core, "-Os", "-ffreestanding", "-ffunction-sections",
                    "-fdata-sections", "-w", "-nostdlib",
                    f"-DRUN={run}", f"-DSET={which}", f"-I{ROOT}/include", f"-I{ROOT}/fw",
                    f"-L{ROOT}/fw", "-T", "mps2_an386.ld",
                    "-Wl,--gc-sections,-z,noexecstack", source, *start, build / "libtongyu.a",
                    "-lgcc", "-o", image], check=True)
    return image


def flash(build, row, folder):
    """KB of flash"""
    size = subprocess.run(["arm-none-eabi-size", link(build, row, folder, 0, 44)], check=True,
                          capture_output=True, text=True)
    text, data = size.stdout.splitlines()[1].split()[:2]
    return (int(text) + int(data)) / 1000


def stack(build, row, folder, which):
    """Bytes of stack below main's frame"""
    done = subprocess.run([*QEMU, link(build, row, folder, 1, which)], capture_output=True,
                          stdin=subprocess.DEVNULL, text=True,
                          timeout=300, check=False)
    said = re.fullmatch(r"(\d{6})\n", done.stdout + done.stderr)
    if done.returncode or not said:
        sys.exit(f"fw_sizes.py: {row}: QEMU ends with {done.returncode}: "
                 f"{done.stdout}{done.stderr}")
    return int(said[1])


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--update"]):
        sys.exit(__doc__)
    page, wrong, builds = (PAGE.read_text(encoding="utf-8"), 0,
                           [pathlib.Path(b) for b in sys.argv[1:3]])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for row, (_, _, sets) in ROWS.items():
            line = re.search(rf"^\| {re.escape(row)} \| ([0-9.]+) \| ([0-9.]+) \| ([0-9, ]+) \|",
                             page, re.M)
            if not line:
                sys.exit(f"fw_sizes.py: {PAGE} has no row '{row}'")
            kb = [flash(b, row, folder) for b in builds]
            deep = [max(stack(b, row, folder, which) for b in builds) for which in sets]
            said = [int(x) for x in line[3].split(", ")]
            now = f"| {row} | {kb[0]:.1f} | {kb[1]:.1f} | {', '.join(map(str, deep))} |"
            print(now)
            if "--update" in sys.argv:
                page = page.replace(line[0], now)
            elif (any(abs(k - float(x)) > ROOM for k, x in zip(kb, line.groups()))
                  or len(said) != len(deep) or
                  any(abs(d - s) > DEEPER for d, s in zip(deep, said))):
                print(f"fw_sizes.py: {row}: the page says {', '.join(line.groups())}, and other "
                      "figures were measured; --update writes them into the page", file=sys.stderr)
                wrong += 1
    if "--update" in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    return wrong != 0 and not fw_compiler.is_other_gcc("fw_sizes.py")


if __name__ == "__main__":
    sys.exit(main())
