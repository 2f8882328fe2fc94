#!/usr/bin/env python3
"""The boot loader in QEMU: good images start, and every wrong one is refused with the exit status
for its fault.

    tests/fw/test_boot.py BUILD KEYS        folders that fw/boot.sh made; run it with the Python of
                                            build/fw-venv, which has imgtool
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import fw_sign                                     # noqa: E402

QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-semihosting-config",
        "enable=on,target=native"]
SLOT, SLOT_AT, COUNTER_AT, COUNTER = 256 * 1024, 0x100000, 0x180000, 4096
# boot_code of fw/boot_image.h; BEYOND is its BOOT_SLOT, STORE its BOOT_COUNTER
(NO_IMAGE, HEADER, BEYOND, WRAP, TRUNCATED, TLV_LENGTH, TLV_AREA, TLV, MISSING, ALGORITHM, KEY,
 DIGEST, SIGNATURE, ROLLBACK, STORE,
 ENTRY) = range(10, 26)
STARTED = (0, "boot: verified\napplication: started\n")


class Boot:
    def __init__(self, build, keys, folder):
        self.build, self.keys, self.folder = build, keys, folder

    def image(self, counter=7, app=None, extra=()):
        """An image by imgtool, not signed yet."""
        source, out = self.folder / "app.bin", self.folder / "app.img"
        source.write_bytes(app or (self.build / "app.bin").read_bytes())
        subprocess.run([pathlib.Path(sys.executable).parent / "imgtool", "sign", "-H", "0x200",
                        "--pad-header", "-S", hex(SLOT),
                        "-v", "1.2.3", *(["-s", str(counter)] if counter is not None else []),
                        "--sha", "256", *extra,
                        source, out], check=True, capture_output=True)
        return out.read_bytes()

    def signed(self, image, *names):
        return fw_sign.sign(image, [str(self.keys / f"{n}.pem") for n in names])

    def run(self, program, slot, counters=b""):
        """(exit status, output) of the program with these contents of its slot and counters; the
        rest of flash is erased."""
        files = {SLOT_AT: slot + b"\xff" * (SLOT - len(slot)),
                 COUNTER_AT: counters + b"\xff" * (COUNTER - len(counters))}
        devices = []
        for at, data in files.items():
            file = self.folder / f"{at:x}.bin"
            file.write_bytes(data)
            devices += ["-device", f"loader,file={file},addr={at:#x},force-raw=on"]
        done = subprocess.run([*QEMU, "-kernel", self.build / "bin" / f"{program}.elf", *devices],
                              capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=300, check=False)
        return done.returncode, done.stdout.decode(errors="replace") + done.stderr.decode(
            errors="replace")


def record(number):
    return struct.pack("<2I", number, number ^ 0xffffffff)


def put(data, at, form, *values):
    out = bytearray(data)
    struct.pack_into(form, out, at, *values)
    return bytes(out)


def rearranged(good, change):
    """The image with its unprotected TLVs replaced by change(them), a list of (type, value)."""
    end, whole = fw_sign.parts(good)
    tlvs, at = [], end + 4
    while at < whole:
        kind, size = struct.unpack_from("<HH", good, at)
        tlvs.append((kind, good[at + 4:at + 4 + size]))
        at += 4 + size
    body = b"".join(struct.pack("<HH", k, len(v)) + v for k, v in change(tlvs))
    return good[:end] + struct.pack("<HH", fw_sign.UNPROTECTED, len(body) + 4) + body


def wrong_images(boot, plain, good):
    """(name, slot, expected exit status) for the loader that requires both signatures"""
    end, whole = fw_sign.parts(good)
    head, protected, size = struct.unpack_from("<HHI", good, 8)
    protected_at = head + size
    sig = fw_sign.SIGNATURE

    def signature(tlvs, change):
        return [(k, change(v) if k == sig else v) for k, v in tlvs]

    yield "an empty slot", b"", NO_IMAGE
    yield "another magic number", put(good, 0, "<I", 0x96f3b83c), NO_IMAGE
    yield "a flag: encrypted", put(good, 16, "<I", 4), HEADER
    yield "a load address", put(good, 4, "<I", 0x20000000), HEADER
    yield "a header of 256 bytes", put(good, 8, "<H", 256), HEADER
    yield "an image beyond its slot", put(good, 12, "<I", SLOT), BEYOND
    yield ("a body up to the end of the slot, and no TLVs",
           put(good, 12, "<I", SLOT - head - protected), TRUNCATED)
    yield "lengths that wrap", put(good, 12, "<I", 0xfffffffc), WRAP
    yield ("lengths that wrap around to the right ones",
           put(good, 12, "<I", (size - protected - head) & 0xffffffff | 0xffff0000), WRAP)
    yield "cut off in the body", good[:head + size // 2], TRUNCATED
    yield "cut off before the protected TLVs", good[:protected_at], TRUNCATED
    yield "cut off before the unprotected TLVs", good[:end], TRUNCATED
    yield "cut off in the first signature", good[:end + 4 + 36 + 400], TLV_LENGTH
    yield "a TLV longer than its area", put(good, end + 6, "<H", 0xffff), TLV_LENGTH
    yield "a TLV that overlaps the next ones", put(good, end + 6, "<H", 64), TLV
    yield "a protected TLV longer than its area", put(good, protected_at + 6, "<H", 5), TLV_LENGTH
    yield ("an area of protected TLVs that overlaps the next one",
           put(good, protected_at + 2, "<H", protected + 4), TLV_AREA)
    yield "an area of 3 bytes", put(good, end + 2, "<H", 3), TLV_AREA
    yield ("an unprotected area that ends within a TLV's head",
           put(good, end + 2, "<H", 4 + 36 + 2), TLV_LENGTH)
    yield "an unknown TLV", rearranged(good, lambda t: t + [(0x22, b"12345678")]), TLV
    yield "two digests", rearranged(good, lambda t: t[:1] + t), TLV
    yield "two signatures of one kind", rearranged(good, lambda t: t + t[1:2]), TLV
    yield "no digest", rearranged(good, lambda t: t[1:]), MISSING
    yield "no signature", plain, MISSING
    yield "ML-DSA alone", boot.signed(plain, "ml-dsa"), MISSING
    yield "SM2 alone", boot.signed(plain, "sm2"), MISSING
    no_counter = boot.image(None, extra=["--custom-tlv", "0x00a5", "0x01"])
    yield "no security counter", boot.signed(no_counter, "ml-dsa", "sm2"), MISSING
    yield ("an unknown algorithm",
           rearranged(good, lambda t: signature(t, lambda v: b"\x03" + v[1:])), ALGORITHM)
    yield ("an unknown parameter set",
           rearranged(good, lambda t: signature(t, lambda v: v[:1] + b"\x2d" + v[2:])), ALGORITHM)

    def other_set(v):
        return v[:1] + b"\x41" + v[2:] if v[0] == 1 else v
    yield ("a parameter set other than the key's",
           rearranged(good, lambda t: signature(t, other_set)), ALGORITHM)
    yield "another ML-DSA key", boot.signed(plain, "other-ml-dsa", "sm2"), KEY
    yield "another SM2 key", boot.signed(plain, "ml-dsa", "other-sm2"), KEY
    own = {}
    for number, name in ((1, "ml-dsa.pem"), (2, "sm2.pem")):
        public = fw_sign.tongyu("pubkey", "-k", str(boot.keys / name), "--format", "hex").decode()
        own[number] = fw_sign.key_id(bytes.fromhex(public))
    for other in (("other-ml-dsa", "sm2"), ("ml-dsa", "other-sm2")):
        yield f"a signature by another key under the loader's key id: {other}", rearranged(
            boot.signed(plain, *other),
            lambda t: signature(t, lambda v: v[:4] + own[v[0]] + v[12:])), SIGNATURE
    yield "a flipped bit in the body", put(good, head + 100, "<B", good[head + 100] ^ 1), DIGEST
    yield "a flipped bit in the header's version", put(good, 20, "<B", good[20] ^ 1), DIGEST
    yield ("a flipped bit in the counter",
           put(good, protected_at + 8, "<B", good[protected_at + 8] ^ 1), DIGEST)
    yield "a flipped bit in the digest", put(good, end + 9, "<B", good[end + 9] ^ 1), DIGEST
    yield ("a flipped bit in the SM2 signature", put(good, whole - 1, "<B", good[whole - 1] ^ 1),
           SIGNATURE)
    yield ("a flipped bit in the ML-DSA signature",
           put(good, end + 200, "<B", good[end + 200] ^ 1), SIGNATURE)
    for what, vectors in (("a stack outside of RAM", (0x10000000, 0x100241)),
                          ("an entry outside of the image", (0x20001000, 0x101)),
                          ("an entry that is not Thumb code", (0x20001000, 0x100240))):
        app = put((boot.build / "app.bin").read_bytes(), 0, "<2I", *vectors)
        yield what, boot.signed(boot.image(app=app), "ml-dsa", "sm2"), ENTRY


def check(boot):
    plain = boot.image()
    good = boot.signed(plain, "ml-dsa", "sm2")
    for image, keys in ((plain, ("sm2", "other-sm2")), (good, ("other-ml-dsa",))):
        try:
            boot.signed(image, *keys)
            yield f"fw_sign.py makes an image with two signatures of one algorithm: {keys}"
        except fw_sign.Refused:
            pass
    loaders = {"ml-dsa": boot.signed(plain, "ml-dsa"), "sm2": boot.signed(plain, "sm2"),
               "both": good}
    cases = [(f"boot-{n}", "a good image", slot, b"", STARTED) for n, slot in loaders.items()]
    cases += [("boot-both", "the counter of the image that ran last", good, record(3) + record(7),
               STARTED),
              ("boot-both", "a counter of which only half was written", good,
               record(3) + b"\x09\0\0\0\xff\xff\xff\xff", STARTED),
              ("boot-both", "an older counter", good, record(3) + record(8), ROLLBACK),
              ("boot-both", "invalid records in place of counters", good, b"\x55" * COUNTER, STORE),
              ("boot-both", "no room for a counter", good, record(3) * (COUNTER // 8), STORE),
              ("boot-ml-dsa", "SM2's signature where ML-DSA's is required", loaders["sm2"], b"",
               MISSING),
              ("boot-sm2", "a signature that is not required", good, b"", KEY)]
    cases += [("boot-both", name, slot, b"", code)
              for name, slot, code in wrong_images(boot, plain, good)]
    for program, name, slot, counters, want in cases:
        want = want if isinstance(want, tuple) else (want, "boot: refused\n")
        got = boot.run(program, slot, counters)
        if got != want:
            yield f"{program}, {name}: {got} and not {want}"
    print(f"boot: {len(cases)} images in QEMU")
    for which, slot in loaders.items():
        status, output = boot.run(f"boot-mutants-{which}", slot)
        print(f"boot, {which}: 1000 mutated images: " + ", ".join(output.splitlines()))
        if status or not output.endswith("mutants: all refused\n"):
            yield f"boot-mutants-{which}: {status}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        wrong = list(check(Boot(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]),
                                pathlib.Path(folder))))
    for line in wrong:
        print(f"test_boot.py: {line}", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
