#!/usr/bin/env python3
"""The shared vectors on a bare Cortex-M4: cases are written to a file, which the images of
fw/vectors.c read through semihosting.

    tests/fw/vectors.py BUILD...       folders with bin/vectors/vectors-RAM-SET.elf; `make fw` runs
                                       it

Every image signs all of ACVP's cases of ML-DSA that its parameter sets allow, in its budget of RAM.
One image of each folder runs all other cases: ML-DSA's keys and verifications, SM2, SM3, SM4; and
it must refuse every case of a file in which each has one changed bit. Of the shared vectors only
those of SM2's field and scalars, and SM4's million encryptions, are left out. The vectors are in
the folder TONGYU_VECTORS, or in ../shared/vectors.
"""
import concurrent.futures
import gzip
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = pathlib.Path(os.environ.get("TONGYU_VECTORS", ROOT.parent / "shared/vectors"))
QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-semihosting-config",
        "enable=on,target=native", "-kernel"]
OTHERS = "vectors-8192-87.elf"   # the image that has all other cases
LEFT_OUT = {"SM2-MODP", "SM2-INVP", "SM2-INVN", "SM4-ITER1M"}
# HashML-DSA: the last byte of the hash's object identifier, its name in hashlib, and the length of
# the digest where it is not fixed
HASHES = {"SHA2-224": (4, "sha224"), "SHA2-256": (1, "sha256"), "SHA2-384": (2, "sha384"),
          "SHA2-512": (3, "sha512"),
          "SHA2-512/224": (5, "sha512_224"), "SHA2-512/256": (6, "sha512_256"),
          "SHA3-224": (7, "sha3_224"),
          "SHA3-256": (8, "sha3_256"), "SHA3-384": (9, "sha3_384"), "SHA3-512": (10, "sha3_512"),
          "SHAKE-128": (11, "shake_128", 32), "SHAKE-256": (12, "shake_256", 64)}


class Fault(Exception):
    pass


def number(x):
    return x.to_bytes(4, "little")


def hashed(name, message):
    oid, algorithm, *length = HASHES[name]
    return (bytes.fromhex("0609608648016503040200")[:-1] + bytes([oid]) +
            hashlib.new(algorithm, message).digest(*length))


# --- Cases: (kind, fields), the fields in the order of fw/vectors_kinds.c -------------------------

def read(name):
    with gzip.open(VECTORS / f"mldsa/ML-DSA-{name}-FIPS204.json.gz") as f:
        for group in json.load(f)["testGroups"]:
            for test in group["tests"]:
                yield group, test, lambda k, t=test: bytes.fromhex(t.get(k, ""))


def signed(kind, first, group, test, field):
    """A case of signing or verification of a message, of the input of FIPS 204's internal
    functions, or of mu."""
    last = field("signature")
    if group.get("externalMu"):
        return kind + "-MU", [*first, field("mu"), last]
    if group["signatureInterface"] == "internal":
        return kind + "-RAW", [*first, field("message"), last]
    if group["preHash"] == "pure":
        return kind, [*first, field("message"), field("context"), last]
    context = field("context")
    return kind + "-RAW", [*first, bytes([1, len(context)]) + context +
                           hashed(test["hashAlg"], field("message")), last]


def signatures():
    """{set: cases}"""
    found = {}
    for group, test, field in read("sigGen"):
        case = signed("ML-DSA-SIGN", [field("rnd"), field("sk")], group, test, field)
        found.setdefault(int(group["parameterSet"][7:]), []).append(case)
    return found


def other_mldsa():
    for _, _, field in read("keyGen"):
        yield "ML-DSA-KEYGEN", [field("seed"), field("pk"), field("sk")]
    for group, test, field in read("sigVer"):
        yield signed("ML-DSA-VERIFY", [bytes([test["testPassed"]]), field("pk")], group, test,
                     field)


def exchange(field):
    """An exchange from both sides."""
    a, b = ([field(name + side) for name in ("d", "r", "R", "id")] for side in "AB")
    first, second = field("s1_sb"), field("s2_sa")
    yield "SM2-KX", [bytes([0]), *a, b[0], b[2], b[3], field("key"), second, first]
    yield "SM2-KX", [bytes([1]), *b, a[0], a[2], a[3], field("key"), first, second]


ORDER = {"SM2-PUBKEY": "d pub compressed", "SM2-SIGN": "d pub id msg z e k r+s",
         "SM2-ENC": "d pub k msg c1+c3+c2",
         "SM3": "msg md", "HMAC-SM3": "key msg md", "SM2-KDF": "z out",
         "PBKDF2-HMAC-SM3": "pass salt iter out", "SM4-CMAC": "key pt tag",
         "SM4-GCM": "key iv pt ct aad tag",
         "SM4-CCM": "key iv pt ct aad tag"}


def sm_cases():
    for name in ("sm2", "sm3", "sm4"):
        file = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
        for test in file["published"] + file["differential"]:
            def field(names, t=test):
                values = [t[n] for n in names.split("+")]
                return b"".join(number(v) if isinstance(v, int) else bytes.fromhex(v)
                                for v in values)
            if test["alg"] == "SM2-KX":
                yield from exchange(field)
            elif test["alg"] == "SM2-ECDH":   # the x coordinate of the point
                yield test["alg"], [field("d"), field("peer"), field("shared")[1:33]]
            elif test["alg"] not in LEFT_OUT:
                yield test["alg"], [field(names)
                                    for names in ORDER.get(test["alg"], "key iv pt ct").split()]


def mutants(cases):
    """For each kind and field, the first case in which the field is not empty, with one bit of it
    changed; cases of invalid signatures are left out."""
    seen = set()
    for kind, fields in cases:
        if kind.startswith("ML-DSA-VERIFY") and fields[0] == b"\0":
            continue   # it is refused anyway
        for i, field in enumerate(fields):
            if field and (kind, i) not in seen:
                seen.add((kind, i))
                yield kind, [*fields[:i], bytes([field[0] ^ 0x40]) + field[1:], *fields[i + 1:]]


def packed(cases):
    out = []
    for kind, fields in cases:
        body = b"".join(number(len(f)) + f for f in [kind.encode(), *fields])
        out.append(number(len(body)) + body)
    return b"".join(out) + number(0)


# --- Runs -----------------------------------------------------------------------------------------

def run(image, cases, wrong):
    """Runs the image with these cases, of which `wrong` must be refused."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "vectors.bin").write_bytes(packed(cases))
        try:
            done = subprocess.run([*QEMU, str(image.resolve())], cwd=folder, capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=900,
                                  text=True, check=False)
        except (OSError, subprocess.TimeoutExpired) as e:
            raise Fault(f"{image}: {e}") from e
    output = done.stdout + done.stderr   # semihosting writes to the latter
    last = (output.splitlines() or [""])[-1]
    if last != f"{len(cases)} cases, {wrong} wrong" or done.returncode != (wrong != 0):
        raise Fault(f"{image}: {len(cases)} cases, of which {wrong} should be wrong, and it ends "
                    f"with {done.returncode}:\n"
                    + output[-2000:])
    return f"{image}: {last}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not VECTORS.is_dir():
        print(f"vectors: {VECTORS} is absent: none of them ran")
        return 0
    signs, others = signatures(), [*other_mldsa(), *sm_cases()]
    changed = [*mutants([*others, *(c for s in signs.values() for c in s)])]
    jobs = []
    for build in map(pathlib.Path, sys.argv[1:]):
        images = sorted((build / "bin/vectors").glob("vectors-*.elf"))
        if build / "bin/vectors" / OTHERS not in images:
            print(f"vectors.py: {build}/bin/vectors has no {OTHERS}", file=sys.stderr)
            return 2
        for image in images:
            largest = int(image.stem.split("-")[2])
            jobs.append((image, [c for s, cases in signs.items() if s <= largest for c in cases],
                         0))
        jobs += [(build / "bin/vectors" / OTHERS, others, 0),
                 (build / "bin/vectors" / OTHERS, changed, len(changed))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            for line in pool.map(lambda job: run(*job), jobs):
                print(line, flush=True)
        except Fault as e:
            print(f"vectors.py: {e}", file=sys.stderr)
            pool.shutdown(cancel_futures=True)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
