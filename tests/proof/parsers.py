#!/usr/bin/env python3
"""Theorems about parsers in C, by CBMC 6: for all inputs up to the bound that each line states
there is no access out of bounds, no overflow and no assertion that fails. Loops are unrolled the
stated number of times; that this is enough is itself an assertion.

    parsers.py [--quick] [--write docs/soundness.md] [--mutants] [PATTERN...]

cbmc 6 is looked for in $CBMC, in PATH and in build/cbmc, where tests/proof/cbmc.sh unpacks it;
without it this prints `skipped` and exits with 77. Results are kept in build/proof, with a digest
of the sources and options."""

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
QUICK = 10  # seconds


class Parser:
    """One proof: `source` of parsers/, its function, what it shows, for which inputs, and how many
    times a loop may run. `changes`: (file, old, new), changes of the library that must refute
    it."""

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

PARSERS = (
    Parser("der", "enter", "one element is inside the input, its length the shortest",
           "300 bytes", 12, 5, "-DMOST=300", (SHORTEST, LONGER)),
    Parser("der", "tag", "the next tag, 0 at the end", "24 bytes", 2, 1, "",
           ((DER, "in->bad || in->len == 0 ? 0", "in->bad ? 0"),)),
    Parser("der", "bad", "what is read from a bad reader is empty", "any", 10, 1, "",
           ((DER, "if (in->bad || in->len < 2", "if (in->len < 2"),)),
    Parser("der", "uint", "an INTEGER that is taken is written again", "12 bytes, 6 of them kept",
           20, 30, "-DMOST=12", ((DER, "if (!(look(x.p) & 0x80)) {", "if (0) {"),
                                 (DER, "x.len == 0 || look(x.p) & 0x80", "x.len == 0"))),
    Parser("der", "put_uint", "an INTEGER that is written is taken", "6 bytes", 20, 10, "",
           ((DER, "if (x[0] & 0x80) ty_der_put_byte(o, 0);", ""),)),
    Parser("der", "u32", "its value, or 0 where it is refused", "24 bytes", 30, 10, "",
           ((DER, "return in->bad ? 0 : x;", "return x + (x >> 31);"),)),
    Parser("der", "is", "whether the contents are these bytes", "24 bytes", 30, 5, "",
           ((DER, "if (look(contents->p + i) != bytes[i]) return 0;",
             "if (i && look(contents->p + i) != bytes[i]) return 0;"),)),
    Parser("der", "wrap", "what is written in any room is read again", "8 bytes", 12, 20,
           "-DMOST=8", ((DER, "(size_t)(o->p - o->start) < len",
                         "(size_t)(o->p - o->start) + 1 < len"),)),
    Parser("der", "size", "how many bytes an element has", "any size_t", 12, 1, "",
           ((DER, "size_t n = 2 + len;", "size_t n = 3 + len;"),)),
    Parser("der", "canonical", "two encodings are told apart", "24 bytes", 30, 5, "",
           ((DER, "again_len == der_len && ty_equal", "ty_equal"),)),
    Parser("sm2_der", "signature_out", "72 bytes hold any signature", "64 bytes", 40, 60, "",
           ((SM2, "uint8_t b[TY_SM2_SIG_DER_MAX];", "uint8_t b[TY_SM2_SIG_DER_MAX - 1];"),)),
    Parser("pem", "base64", "64 characters have values, and no other", "any", 70, 2, "",
           ((PEM, "digit & (c - '0' + 52)", "digit & (c - '0' + 51)"),)),
    Parser("pem", "body", "a body of any characters keeps to its room", "8 characters, 5 bytes",
           10, 20, "-DCHARS=8 -DROOM=5", ((PEM, "if (n + 3 > room) err = TY_ERR_SIZE;",
                         "if (n + 2 > room) err = TY_ERR_SIZE;"),)),
    Parser("pem", "iv", "32 digits", "34 characters", 36, 5, "",
           ((PEM, "if (t->p == t->end) return 0;", ""),)),
    Parser("pem", "write", "the text has the size that was returned",
           "0 to 3, 47 to 49 bytes", 70, 30, "",
           ((PEM, "chars + (chars + LINE - 1) / LINE", "chars + chars / LINE"),)),
    Parser("pem", "again", "what is written is read", "0 to 7 bytes", 100, 20, "",
           ((PEM, "der[n++] = (uint8_t)(group >> 10);", "der[n++] = (uint8_t)(group >> 8);"),)),
    Parser("strict", "element", "one element is inside the input", "12 bytes", 14, 5, "",
           (LONGER,)),
    Parser("strict", "integer", "an INTEGER of the shortest form", "12 bytes", 14, 5, "",
           ((STRICT, "n.p[0] == 0xff && n.p[1] >= 0x80", "n.p[0] == 0xff && n.p[1] > 0x80"),)),
    Parser("strict", "bits", "whole bytes", "12 bytes", 14, 5, "",
           ((STRICT, "if (b.len == 0 || b.p[0] != 0) {", "if (b.p[0] != 0) {"),)),
    Parser("strict", "oid", "subidentifiers of the shortest form", "12 bytes", 14, 10, "",
           ((STRICT, "if (first && id.p[i] == 0x80) bad = 1;", ""),)),
    Parser("strict", "algorithm", "an identifier and parameters inside", "12 bytes", 14, 20, "",
           ((STRICT, "*parameters = (ty_cert_part){ seq.p, 0 };",
             "*parameters = (ty_cert_part){ seq.p, 1 };"),)),
    Parser("strict", "in_order", "a total order", "12 bytes", 14, 10, "",
           ((STRICT, "(c == 0 && before->len <= next->len)", "c == 0"),)),
    Parser("strict", "time", "a time that exists", "19 bytes", 14, 20, "-DMOST=19",
           ((STRICT, "month > 12", "month > 13"),)),
    Parser("hint", "unpack", "refused, or the bits whose positions are given, in one order",
           "omega 6, k 2", 9, 20, "", ((HINT, "if (n > begin && in[n] <= in[n - 1]) return 0;",
                 "if (n > begin && in[n] < in[n - 1]) return 0;"),
                (HINT, "if (end < n || end > row->omega) return 0;", "if (end < n) return 0;"))),
    Parser("pad", "fill", "a padding that is made is found", "16 bytes", 18, 10, "",
           ((PAD, "if (pad == TY_SM4_PAD_X923) x[15] = (uint8_t)n;", ""),)),
    Parser("pad", "len", "one that is found is one that is made", "16 bytes", 18, 20, "",
           ((PAD, "wrong |= inside & ~ty_mask_eq32(x[i], n & before);", ""),)),
    Parser("pbes2", "prf", "a PRF of the table, or refused", "16 bytes", 18, 20, "-DMOST=16",
           ((PBES2, "p->kdf = (ty_pbes2_kdf)which;", "p->kdf = (ty_pbes2_kdf)(which + 1);"),)),
    Parser("box", "peek", "lengths and counts of its kind, bounded memory", "64 bytes", 66, 10, "",
           ((BOX, "if (memory == 0) return TY_ERR_UNSUPPORTED;", ""),
            (BOX, "&& count <= TY_BOX_RECIPIENTS_MAX", ""))),
    Parser("box", "whole", "a whole header of its kind", "64 bytes", 66, 10, "",
           ((BOX, "info->header_len == header_len ?", "info->header_len >= header_len ?"),)),
    Parser("pack", "pack", "eight coefficients of nine widths are read again", "any in range", 24,
           30, "", ((PACK, "have >= 8; have -= 8", "have > 8; have -= 8"),)),
    Parser("pack", "unpack", "eight coefficients that are read are encoded again",
           "any bytes", 24, 30, "",
           ((PACK, "(1u << bits) - 1", "(2u << bits) - 1"),)),
    Parser("mp", "grow", "room or an error, and the value stays", "any size_t, 3 limbs", 6, 30, "",
           ((ALLOC, "if (n > most) return TY_ERR_SIZE;", ""),
            (ALLOC, "i < x->len; i++) to[i]", "i + 1 < x->len; i++) to[i]"))),
    Parser("mp", "bytes", "bytes, limbs and bytes again, in both orders", "18 bytes", 22, 20, "",
           ((BYTES, "in_len / LIMB_BYTES + (in_len % LIMB_BYTES != 0)",
             "in_len / LIMB_BYTES"),)),
    Parser("mp", "room", "refused where it does not fit", "2 limbs, 18 bytes", 22, 20, "",
           ((BYTES, "d[i] >> out_len % LIMB_BYTES * 8 : d[i]", "d[i] : d[i]"),)),
    Parser("mp", "digits", "decimal digits, and nothing else", "17 characters", 20, 20, "",
           ((DIGITS, "x + 0x0606060606060606", "x + 0x0505050505050505"),)),
)


def cbmc():
    unpacked = os.path.join(ROOT, "build/cbmc/cbmc")
    found = os.environ.get("CBMC") or shutil.which("cbmc") or shutil.which(unpacked)
    version = found and subprocess.run([found, "--version"], capture_output=True, text=True).stdout
    if not found or not version.startswith("6."):
        print("skipped: theorems about parsers: no cbmc 6 (Debian 13's, or tests/proof/cbmc.sh)")
        sys.exit(77)
    return found


def command(tool, parser, sources):
    return [
        tool,
        os.path.join(HERE, "parsers", parser.source + ".c"),
        "--function",
        "proof_" + parser.function,
        *CHECKS.split(),
        "--unwind",
        str(parser.unwind),
        "-I",
        sources,
        "-I",
        os.path.join(ROOT, "include"),
        "-I",
        os.path.join(HERE, "parsers"),
        *parser.defines,
    ]


def digest(parser):
    """The digest of the proof, its changes, and all text that it includes"""
    words = parser.name, parser.unwind, parser.defines, CHECKS, parser.changes
    text = command("cc", parser, os.path.join(ROOT, "src"))
    include = [w for w in text[text.index("-I") :] if not w.startswith("--")]
    done = subprocess.run(["cc", "-E", "-P", text[1], *include], check=True, capture_output=True)
    return hashlib.sha256(repr(words).encode() + done.stdout).hexdigest()


def spent():
    """CPU seconds of all child processes that have ended"""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(tool, parser, sources, limit):
    """(proved, refuted or refused; CPU seconds; why)"""
    start = spent()
    done = subprocess.run(
        command(tool, parser, sources),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    if done.returncode < 0:
        return "refused", spent() - start, "no end"
    outcome = {0: "proved", 10: "refuted"}.get(done.returncode, "refused")
    failed = re.findall(r"^\[.*\] .*: FAILURE$", done.stdout, re.M)
    why = "; ".join(failed[:3]) or (done.stdout + done.stderr)[-300:]
    return outcome, spent() - start, "" if outcome == "proved" else why


def changed(parser, change, tool, limit):
    """The outcome for the library with that change"""
    name, old, new = change
    folder = tempfile.mkdtemp()
    try:
        sources = os.path.join(folder, "src")
        shutil.copytree(os.path.join(ROOT, "src"), sources)
        path = os.path.join(sources, name)
        text = open(path).read()
        if text.count(old) < 1:
            raise SystemExit(f"parsers.py: {name} has no {old!r}")
        with open(path, "w") as f:
            f.write(text.replace(old, new))
        return run(tool, parser, sources, limit)[0]
    finally:
        shutil.rmtree(folder)


def write(path, rows):
    text = open(path).read()
    if START not in text or END not in text:
        raise SystemExit(f"{path}: no place for the table of parsers")
    lines = [
        f"{len(rows)} theorems, {sum(e['seconds'] for _, e in rows):.0f} s; of "
        f"{sum(len(e['changes']) for _, e in rows)} changes of the library all were refuted.",
        "",
        "| proof | statement | inputs | seconds | changes refuted |",
        "|---|---|---|---|---|",
    ]
    for parser, entry in rows:
        lines.append(
            f"| {parser.source} `{parser.function}` | {parser.text} | {parser.bound} | "
            f"{entry['seconds']:.1f} | {len(entry['changes'])} |"
        )
    before, rest = text.split(START)
    with open(path, "w") as f:
        f.write(before + START + "\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("--limit", type=int, default=600)
    parser.add_argument("pattern", nargs="*")
    args = parser.parse_args()
    tool, known, rows, bad = cbmc(), {}, [], 0
    os.makedirs(os.path.dirname(KEPT), exist_ok=True)
    if os.path.exists(KEPT):
        known = json.load(open(KEPT))
    sources = os.path.join(ROOT, "src")
    for p in PARSERS:
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
