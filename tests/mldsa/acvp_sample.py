#!/usr/bin/env python3
"""Cases of NIST's ACVP files for ML-DSA that are small enough for the repository.

    acvp_sample.py FOLDER OUT    FOLDER: the ACVP files, as in TONGYU_VECTORS/mldsa; OUT: a .tar.xz

Of each group the smallest cases are taken: all 75 of key generation, 216 of signing (from a seed),
68 of verification, valid and invalid ones. The keys and signatures that a test only compares with
its results are replaced by their SHA-256, since random bytes do not compress. The rest, without
the fields in DROPPED, is as NIST wrote it.
"""
import gzip
import hashlib
import io
import json
import lzma
import os
import sys
import tarfile

KINDS = {"keyGen": ("keyGen-FIPS204", 25, ("pk", "sk")),
         "sigGen": ("sigGen-FIPS204-tr1", 7, ("signature",)), "sigVer": ("sigVer-FIPS204", 9, ())}
LARGE = {"ML-DSA-65": 5, "ML-DSA-87": 3}   # fewer to verify: 5 and 7 KB each
DROPPED = ("deferred", "testType", "tests")


def shortened(test, hashed):
    kept = {k: v for k, v in test.items() if k not in DROPPED}
    for name in hashed:
        kept[name + "_sha256"] = hashlib.sha256(bytes.fromhex(kept.pop(name))).hexdigest()
    return kept


def sample(folder):
    out = {"source": "NIST ACVP-Server, gen-val/json-files, v1.1.0.43; see tests/vectors/README.md"}
    for kind, (name, count, hashed) in KINDS.items():
        path = os.path.join(folder, f"ML-DSA-{name}.json.gz")
        data, out[kind] = json.load(gzip.open(path)), []
        for group in data["testGroups"]:
            if group.get("keyFormat", "seed") != "seed":
                continue
            by_size = sorted(group["tests"], key=lambda t: len(json.dumps(t)))
            chosen = by_size[:15 if group.get("externalMu") else count]
            if kind == "sigVer":                  # valid and invalid ones
                count = LARGE.get(group["parameterSet"], KINDS[kind][1])
                valid = [t for t in by_size if t["testPassed"]][:1 + count // 5]
                invalid = [t for t in by_size if not t["testPassed"]]
                chosen = valid + invalid[:count - len(valid)]
            chosen = sorted(chosen, key=lambda t: t["tcId"])
            head = {k: v for k, v in group.items() if k not in DROPPED}
            out[kind].append(head | {"tests": [shortened(t, hashed) for t in chosen]})
    return json.dumps(out, separators=(",", ":")).encode()


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    content, packed = sample(sys.argv[1]), io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        entry = tarfile.TarInfo("mldsa_acvp_sample.json")
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    with open(sys.argv[2], "wb") as f:
        f.write(lzma.compress(packed.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(content)} bytes, {os.path.getsize(sys.argv[2])} packed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
