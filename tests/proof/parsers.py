#!/usr/bin/env python3
"""Proves theorems about parsers in C with CBMC 6: for all inputs up to the bound that each proof
states there is no access out of bounds, no signed overflow and no assertion that fails. Loops are
unrolled the stated number of times; that this is enough is itself an assertion.

    parsers.py [--quick] [--write docs/soundness.md] [--mutants] [PATTERN...]

The program is $CBMC, or cbmc in PATH or in build/cbmc, where tests/proof/cbmc.sh unpacks it; if
there is no version 6, this prints `skipped` and exits with 77. Results are kept in build/proof,
with a digest of the sources and options, and proofs with the same digest are not run again."""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KEPT = os.path.join(ROOT, "build/proof/parsers.json")
START, END = "<!-- parsers: written by make proof -->", "<!-- end of parsers -->"
CHECKS = "--bounds-check --pointer-check --pointer-overflow-check --div-by-zero-check " \
    "--signed-overflow-check --undefined-shift-check --unwinding-assertions --no-malloc-may-fail " \
    "--object-bits 12 --sat-solver cadical"
QUICK = 10  # seconds: --quick omits proofs that take longer


class Proof:
    """The function proof_<function> of parsers/<source>.c: what it shows (`text`), for which inputs
    (`bound`), how many times a loop may run (`unwind`), and about how long CBMC takes (`seconds`).
    `changes`: (file, old, new), changes of the library, each of which must refute it."""

    def __init__(self, source, function, text, bound, unwind, seconds, defines="", changes=()):
        self.source, self.function, self.text, self.bound = source, function, text, bound
        self.unwind, self.seconds, self.changes = unwind, seconds, changes
        self.defines = defines.split()

    @property
    def name(self):
        return f"{self.source}:{self.function}({self.bound})"


DER, SM2, PEM = "key/der.c", "key/der_sm2.c", "key/pem.c"
PBES2, BOX, PACK = "key/pbes2.c", "box/box.c", "mldsa/mldsa_c.c"
ALLOC, BYTES, DIGITS = "mp/alloc.c", "mp/bytes.c", "mp/radix_in.c"
STRICT, HINT, PAD = "key/strict.c", "mldsa/hint.c", "sm4/pad.c"
SHORTEST = (DER, "if (len < 0x80) return fail(in);", "")
LONGER = (DER, "if (len > left - more) return fail(in);", "")

PROOFS = (
    Proof("der", "enter",
          "an element that is read is inside the input, its length in the shortest form",
          "300 bytes", 12, 5, "-DMOST=300", (SHORTEST, LONGER)),
    Proof("der", "tag", "the next tag, 0 at the end", "24 bytes", 2, 1, "",
          ((DER, "in->bad || in->len == 0 ? 0", "in->bad ? 0"),)),
    Proof("der", "bad", "everything that is read after an error is empty", "any", 10, 1, "",
          ((DER, "if (in->bad || in->len < 2", "if (in->len < 2"),)),
    Proof("der", "uint", "an INTEGER that is accepted is written again as it was",
          "12 bytes, 6 of them kept", 20, 30, "-DMOST=12",
          ((DER, "if (!(look(x.p) & 0x80)) {", "if (0) {"),
           (DER, "x.len == 0 || look(x.p) & 0x80", "x.len == 0"))),
    Proof("der", "put_uint", "a number that is written is read again as it was", "6 bytes", 20, 10,
          "", ((DER, "if (x[0] & 0x80) ty_der_put_byte(o, 0);", ""),)),
    Proof("der", "u32", "the value of an INTEGER, or 0 if it is refused", "24 bytes", 30, 10, "",
          ((DER, "return in->bad ? 0 : x;", "return x + (x >> 31);"),)),
    Proof("der", "is", "true if and only if the contents are the given bytes", "24 bytes", 30, 5,
          "", ((DER, "if (look(contents->p + i) != bytes[i]) return 0;",
                "if (i && look(contents->p + i) != bytes[i]) return 0;"),)),
    Proof("der", "wrap", "nothing outside the room is written; what fits is read again as it was",
          "8 bytes", 12, 20, "-DMOST=8", ((DER, "(size_t)(o->p - o->start) < len",
                                           "(size_t)(o->p - o->start) + 1 < len"),)),
    Proof("der", "size", "the size of an element with contents of that length", "any size_t", 12, 1,
          "", ((DER, "size_t n = 2 + len;", "size_t n = 3 + len;"),)),
    Proof("der", "canonical", "accepted if and only if the two encodings are equal", "24 bytes", 30,
          5, "", ((DER, "again_len == der_len && ty_equal", "ty_equal"),)),
    Proof("sm2_der", "signature_out", "72 bytes hold any signature", "64 bytes", 40, 60, "",
          ((SM2, "uint8_t b[TY_SM2_SIG_DER_MAX];", "uint8_t b[TY_SM2_SIG_DER_MAX - 1];"),)),
    Proof("pem", "base64", "exactly the 64 characters of the alphabet have values", "any", 70, 2,
          "", ((PEM, "digit & (c - '0' + 52)", "digit & (c - '0' + 51)"),)),
    Proof("pem", "body",
          "nothing outside the room is written, and the length follows from the characters",
          "8 characters, 5 bytes", 10, 20, "-DCHARS=8 -DROOM=5",
          ((PEM, "if (n + 3 > room) err = TY_ERR_SIZE;", "if (n + 2 > room) err = TY_ERR_SIZE;"),)),
    Proof("pem", "iv", "what is accepted is 32 characters long", "34 characters", 36, 5, "",
          ((PEM, "if (t->p == t->end) return 0;", ""),)),
    Proof("pem", "write", "the text has the size that ty_pem_size returns",
          "0 to 3, 47 to 49 bytes", 70, 30, "",
          ((PEM, "chars + (chars + LINE - 1) / LINE", "chars + chars / LINE"),)),
    Proof("pem", "again", "DER that is written is read again as it was", "0 to 7 bytes", 100, 20,
          "", ((PEM, "der[n++] = (uint8_t)(group >> 10);", "der[n++] = (uint8_t)(group >> 8);"),)),
    Proof("strict", "element", "an element that is read is inside the input", "12 bytes", 14, 5, "",
          (LONGER,)),
    Proof("strict", "integer", "an INTEGER that is accepted has the shortest form", "12 bytes", 14,
          5, "",
          ((STRICT, "n.p[0] == 0xff && n.p[1] >= 0x80", "n.p[0] == 0xff && n.p[1] > 0x80"),)),
    Proof("strict", "bits", "a BIT STRING that is accepted has whole bytes", "12 bytes", 14, 5, "",
          ((STRICT, "if (b.len == 0 || b.p[0] != 0) {", "if (b.p[0] != 0) {"),)),
    Proof("strict", "oid", "an accepted identifier has whole subidentifiers of the shortest form",
          "12 bytes", 14, 10, "", ((STRICT, "if (first && id.p[i] == 0x80) bad = 1;", ""),)),
    Proof("strict", "algorithm", "identifier and parameters are inside the input", "12 bytes", 14,
          20, "", ((STRICT, "*parameters = (ty_cert_part){ seq.p, 0 };",
                    "*parameters = (ty_cert_part){ seq.p, 1 };"),)),
    Proof("strict", "in_order", "the order is total", "12 bytes", 14, 10, "",
          ((STRICT, "(c == 0 && before->len <= next->len)", "c == 0"),)),
    Proof("strict", "time", "month, day and hour of a time that is accepted are in range",
          "19 bytes", 14, 20, "-DMOST=19", ((STRICT, "month > 12", "month > 13"),)),
    Proof("hint", "unpack", "accepted if and only if valid; then exactly the named bits are set",
          "omega 6, k 2", 9, 20, "",
          ((HINT, "if (n > begin && in[n] <= in[n - 1]) return 0;",
            "if (n > begin && in[n] < in[n - 1]) return 0;"),
           (HINT, "if (end < n || end > row->omega) return 0;", "if (end < n) return 0;"))),
    Proof("pad", "fill", "a padding that is added is found", "16 bytes", 18, 10, "",
          ((PAD, "if (pad == TY_SM4_PAD_X923) x[15] = (uint8_t)n;", ""),)),
    Proof("pad", "len", "a padding that is found is one that is added", "16 bytes", 18, 20, "",
          ((PAD, "wrong |= inside & ~ty_mask_eq32(x[i], n & before);", ""),)),
    Proof("pbes2", "prf", "a PRF that is accepted is one of the table", "16 bytes", 18, 20,
          "-DMOST=16", ((PBES2, "p->kdf = (ty_pbes2_kdf)which;",
                         "p->kdf = (ty_pbes2_kdf)(which + 1);"),)),
    Proof("box", "peek",
          "what is accepted has the length and counts of its kind, and bounded memory", "64 bytes",
          66, 10, "", ((BOX, "if (memory == 0) return TY_ERR_UNSUPPORTED;", ""),
                       (BOX, "&& count <= TY_BOX_RECIPIENTS_MAX", ""))),
    Proof("box", "whole", "only a whole header of the requested kind is accepted", "64 bytes", 66,
          10, "", ((BOX, "info->header_len == header_len ?", "info->header_len >= header_len ?"),)),
    Proof("pack", "pack", "eight packed coefficients, in nine encodings, are unpacked as they were",
          "any in range", 24, 30, "", ((PACK, "have >= 8; have -= 8", "have > 8; have -= 8"),)),
    Proof("pack", "unpack", "eight unpacked coefficients are packed as they were", "any bytes", 24,
          30, "", ((PACK, "(1u << bits) - 1", "(2u << bits) - 1"),)),
    Proof("mp", "grow", "room for n limbs or an error, and the same value", "any size_t, 3 limbs",
          6, 30, "", ((ALLOC, "if (n > most) return TY_ERR_SIZE;", ""),
                      (ALLOC, "i < x->len; i++) to[i]", "i + 1 < x->len; i++) to[i]"))),
    Proof("mp", "bytes", "bytes become limbs and the same bytes again, in both orders", "18 bytes",
          22, 20, "", ((BYTES, "in_len / LIMB_BYTES + (in_len % LIMB_BYTES != 0)",
                        "in_len / LIMB_BYTES"),)),
    Proof("mp", "room", "refused if and only if it does not fit", "2 limbs, 18 bytes", 22, 20, "",
          ((BYTES, "d[i] >> out_len % LIMB_BYTES * 8 : d[i]", "d[i] : d[i]"),)),
    Proof("mp", "digits", "accepted if and only if all characters are decimal digits",
          "17 characters", 20, 20, "", ((DIGITS, "x + 0x0606060606060606",
                                         "x + 0x0505050505050505"),)),
)


def cbmc():
    unpacked = os.path.join(ROOT, "build/cbmc/cbmc")
    found = os.environ.get("CBMC") or shutil.which("cbmc") or shutil.which(unpacked)
    version = found and subprocess.run([found, "--version"], capture_output=True, text=True).stdout
    if not found or not version.startswith("6."):
        print("skipped: cbmc 6 is missing (install Debian 13's, or run tests/proof/cbmc.sh)")
        sys.exit(77)
    return found


def command(tool, proof, sources):
    return [
        tool,
        os.path.join(HERE, "parsers", proof.source + ".c"),
        "--function",
        "proof_" + proof.function,
        *CHECKS.split(),
        "--unwind",
        str(proof.unwind),
        "-I",
        sources,
        "-I",
        os.path.join(ROOT, "include"),
        "-I",
        os.path.join(HERE, "parsers"),
        *proof.defines,
    ]


def digest(proof):
    """The digest of the proof, its changes and options, and its source with all that it includes"""
    words = proof.name, proof.unwind, proof.defines, CHECKS, proof.changes
    args = command("cc", proof, os.path.join(ROOT, "src"))
    options = [w for w in args[args.index("-I") :] if not w.startswith("--")]
    done = subprocess.run(["cc", "-E", "-P", args[1], *options], check=True, capture_output=True)
    return hashlib.sha256(repr(words).encode() + done.stdout).hexdigest()


def spent():
    """CPU seconds of all child processes that have ended"""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(tool, proof, sources, limit):
    """(outcome, CPU seconds, why). The outcome is "proved", "refuted" or, if CBMC failed or reached
    the limit, "refused"."""
    start = spent()
    done = subprocess.run(
        command(tool, proof, sources),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    if done.returncode < 0:
        return "refused", spent() - start, f"killed (limit: {limit} s of CPU time)"
    outcome = {0: "proved", 10: "refuted"}.get(done.returncode, "refused")
    failed = re.findall(r"^\[.*\] .*: FAILURE$", done.stdout, re.M)
    why = "; ".join(failed[:3]) or (done.stdout + done.stderr)[-300:]
    return outcome, spent() - start, "" if outcome == "proved" else why


def changed(proof, change, tool, limit):
    """The outcome of the proof for the library with that change"""
    name, old, new = change
    folder = tempfile.mkdtemp()
    try:
        sources = os.path.join(folder, "src")
        shutil.copytree(os.path.join(ROOT, "src"), sources)
        path = os.path.join(sources, name)
        text = open(path).read()
        if text.count(old) < 1:
            raise SystemExit(f"src/{name} has no {old!r}: correct the change in parsers.py")
        with open(path, "w") as f:
            f.write(text.replace(old, new))
        return run(tool, proof, sources, limit)[0]
    finally:
        shutil.rmtree(folder)


def write(path, rows):
    text = open(path).read()
    if START not in text or END not in text:
        raise SystemExit(f"{path}: the lines {START} and {END} are missing")
    lines = [
        f"{len(rows)} theorems, {sum(e['seconds'] for _, e in rows):.0f} s; all "
        f"{sum(len(e['changes']) for _, e in rows)} changes of the library were refuted.",
        "",
        "| proof | statement | inputs | seconds | changes refuted |",
        "|---|---|---|---|---|",
    ]
    for proof, entry in rows:
        lines.append(
            f"| {proof.source} `{proof.function}` | {proof.text} | {proof.bound} | "
            f"{entry['seconds']:.1f} | {len(entry['changes'])} |"
        )
    before, rest = text.split(START)
    with open(path, "w") as f:
        f.write(before + START + "\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help=f"no proof of more than {QUICK} s")
    parser.add_argument(
        "--mutants", action="store_true", help="check that each change refutes its proof, too"
    )
    parser.add_argument(
        "--write", metavar="PAGE", help="write the table into PAGE, if all proofs ran and succeeded"
    )
    parser.add_argument(
        "--limit", type=int, default=600, metavar="N", help="CPU seconds per proof (%(default)s)"
    )
    parser.add_argument(
        "pattern", nargs="*", help="regular expressions: only proofs whose name matches one"
    )
    args = parser.parse_args()
    tool, known, rows, bad = cbmc(), {}, [], 0
    os.makedirs(os.path.dirname(KEPT), exist_ok=True)
    if os.path.exists(KEPT):
        known = json.load(open(KEPT))
    sources = os.path.join(ROOT, "src")
    for p in PROOFS:
        if args.pattern and not any(re.search(w, p.name) for w in args.pattern):
            continue
        if args.quick and p.seconds > QUICK:
            continue
        now, entry = digest(p), known.get(p.name)
        if not entry or entry["digest"] != now or args.mutants and len(entry["changes"]) != len(
            p.changes
        ):
            outcome, seconds, why = run(tool, p, sources, args.limit)
            entry = {"digest": now, "outcome": outcome, "seconds": seconds, "why": why}
            entry["changes"] = []
            if args.mutants and outcome == "proved":
                entry["changes"] = [changed(p, c, tool, args.limit) for c in p.changes]
            if os.path.exists(KEPT):  # another run may have added to it
                known = json.load(open(KEPT))
            known[p.name] = entry
            with open(KEPT + ".new", "w") as f:
                json.dump(known, f)
            os.replace(KEPT + ".new", KEPT)
            print(f"{entry['outcome']} {p.name} {seconds:.1f} s {why}", flush=True)
        if entry["outcome"] != "proved" or any(c != "refuted" for c in entry["changes"]):
            bad += 1
            print(f"FAILED {p.name}: {entry['why']} {entry['changes']}", flush=True)
        rows.append((p, entry))
    print(f"parsers: {len(rows)} theorems, {bad} failed")
    if args.write and not bad and not args.pattern and not args.quick:
        write(args.write, rows)
    return bool(bad) or not rows


if __name__ == "__main__":
    sys.exit(main())
