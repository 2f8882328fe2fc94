#!/usr/bin/env python3
"""Theorems about the object code in libtongyu.a:

    prove.py LIBRARY [--quick] [--jobs N] [--write docs/soundness.md] [--list] [PATTERN...]

Each theorem is first tried on numbers (which may refute it with an input), then proved for all
inputs, then tried on mutants of its instructions. Results are kept in build/proof with digests of
the object's bytes and of this tool, so that an interrupted run can be continued. --quick proves one
theorem of each symbol, without mutants, and begins none after 150 seconds. --write puts the table
of results into that page, and --list only prints the names of the theorems. PATTERNs choose
theorems by name."""

import argparse
import hashlib
import json
import multiprocessing
import os
import re
import sys
import textwrap
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

try:
    import capstone  # noqa: F401
    import elftools  # noqa: F401
except ImportError as e:
    print(f"skipped: the Python package {e.name} is missing (tools/setup.sh proof)")
    sys.exit(77)

import f2any
import f2any_pairs
import f2m
import ghash
import ghash_long
import keccak
import limb
import mldsa
import mutants
import records
import roundings
import share
import sm2
import sm3
import sm4
import sm4_long
import sm4_rows
import table
from loader import Archive, Image
from outcome import Infeasible, Refused, Violation

FAMILIES = (limb, sm2, mldsa, f2m, ghash, ghash_long, sm3, sm4, sm4_rows, sm4_long, f2any,
            f2any_pairs, keccak, roundings)
BASE = 0x5555_5555_0000
MOST_QUICK = 150  # seconds after which --quick begins no theorem
START, END = "<!-- theorems: written by make proof -->", "<!-- end of theorems -->"


SHARED = "contract decoder integers loader machine mutants outcome".split() + table.NAMES


def tool_digest(family):
    """The digest of the tool and of the family's contracts, for which results hold."""
    total = hashlib.sha256()
    for name in SHARED + [family.__name__] + getattr(family, "USES", []):
        total.update(open(os.path.join(HERE, name + ".py"), "rb").read())
    return total.hexdigest()


# lengths of which --quick takes one for each symbol
SHORT = (
    r"n = 4|n = 1|n = 1, m = 163|xn = 4, yn = 4|256|m = (113|131|163|193|233)|1 state|1 key|n = 8|"
    r"gamma2 = .*88|n = \d, (full, t\^k in one word|partial, M' of one word)|"
    r"n = 64, (encryption|the counter from 0x0 on)|depth 1|16 keys|each copy"
)


class Record:
    """Results that are kept: one file, a line of JSON for each theorem."""

    def __init__(self, path):
        self.path, self.known = path, {}
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.exists(path):
            for line in open(path):
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue  # the last line of a run that was stopped
                self.known[entry["name"]] = entry

    def find(self, theorem, image, with_mutants):
        """The entry of a theorem, if it holds for the present bytes of the library."""
        entry = self.known.get(theorem.name)
        if (
            not entry
            or entry["tool"] != theorem.tool
            or entry["outcome"] != "proved"
            or with_mutants
            and not entry["mutants"]
        ):
            return None
        now = {member.digest for member in image.archive.members}
        return (
            entry
            if image.main.digest in entry["objects"] and now >= set(entry["objects"])
            else None
        )

    def add(self, entry):
        self.known[entry["name"]] = entry
        with open(self.path, "a") as f:
            f.write(json.dumps(entry) + "\n")


def images(archive):
    """A function that returns the image for a theorem: one for all theorems of a member."""
    kept = {}

    def find(theorem):
        member = archive.find(theorem.member, getattr(theorem, "anchor", theorem.symbol))
        if member not in kept:
            kept[member] = Image(archive, member, BASE)
        return kept[member]

    return find


def compared_forms():
    """The forms of instructions that agreed with this CPU, the only ones that a theorem may use,
    and those that it lacks: theorems that use these are left out."""
    path = os.path.join(ROOT, "build/proof/forms.json")
    if not os.path.exists(path):
        raise SystemExit(
            "prove.py: first tests/proof/test_rows.py has to compare the table with the CPU"
        )
    kept = json.load(open(path))
    return tuple({tuple(form) for form in kept[which]} for which in ("agreed", "lacked"))


def run_one(theorem, image, with_mutants, agreed, lacked):
    """The entry of a theorem: proved, refuted, refused, or left out on this CPU."""
    start = time.process_time()
    entry = {
        "name": theorem.name,
        "tool": theorem.tool,
        "outcome": "refused",
        "why": "",
        "mutants": None,
        "executed": {},
    }
    try:
        broken = theorem.refute(image)
        if broken:
            entry.update(outcome="refuted", why=broken)
        else:
            machine = theorem.prove(image)
            used = {(i.name, i.signature) for i in map(image.decoded.get, machine.executed)}
            if used - agreed - lacked:
                other = sorted(used - agreed - lacked)[:3]
                raise Refused(f"not compared with this CPU: {other}")
            if used & lacked:
                entry["outcome"] = "left out"
                return entry
            entry.update(
                outcome="proved",
                steps=machine.steps,
                left=machine.left_in_frame(),
                executed=image.ranges(machine.executed),
            )
    except (Refused, Violation, Infeasible) as e:
        entry["why"] = f"{type(e).__name__}: {e}"
    except Exception as e:  # whatever it is, nothing is proved
        entry["why"] = f"the tool failed: {e!r} {traceback.format_exc(limit=-2)}"
    entry["seconds"] = round(time.process_time() - start, 2)
    if entry["outcome"] == "proved" and with_mutants:
        counts, survivors = mutants.run(theorem, image, machine.executed)
        entry["mutants"], entry["equivalent"] = counts, survivors
    entry["objects"] = image.digests()
    return entry


class Job:
    """Theorems that several forked processes prove; each process takes the next one."""

    def __init__(self, theorems, image_of, record, quick, start):
        self.theorems, self.image_of, self.record = theorems, image_of, record
        self.quick, self.start, self.forms = quick, start, compared_forms()

    def entries(self, jobs):
        """(theorem, entry, whether it is new) of each as it is done; the entry is None if no time
        was left"""
        global job
        job = self
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            for k, entry, is_new in pool.imap_unordered(one_of_job, range(len(self.theorems))):
                yield self.theorems[k], entry, is_new

    def one(self, theorem):
        if self.quick and time.time() - self.start > MOST_QUICK:
            return None, False
        try:
            image = self.image_of(theorem)
            entry = self.record.find(theorem, image, not self.quick)
            return (
                (entry, False)
                if entry
                else (run_one(theorem, image, not self.quick, *self.forms), True)
            )
        except Refused as e:
            entry = {"name": theorem.name, "tool": theorem.tool, "outcome": "refused"}
            return {**entry, "why": str(e), "mutants": None, "seconds": 0, "executed": {}}, False


def one_of_job(k):
    return k, *job.one(job.theorems[k])


def chosen(patterns, quick):
    """The theorems, in the order of the families; if `quick`, one of each symbol."""
    seen = set()
    for family in FAMILIES:
        tool = tool_digest(family)
        for theorem in family.theorems():
            theorem.tool = tool
            if patterns and not any(re.search(p, theorem.name) for p in patterns):
                continue
            key = theorem.member, theorem.symbol
            if quick and (key in seen or not re.fullmatch(SHORT, theorem.lengths)):
                continue
            seen.add(key)
            yield theorem


def spans(lengths):
    """'n = 1', 'n = 2', 'n = 3', 'n = 5' as 'n = 1 to 3, 5'; likewise for several letters"""
    if not all(re.fullmatch(r"([nm] = \d+(, )?)+", text) for text in lengths):
        short = [re.sub(r"xn = (\d+), yn = (\d+)", r"\1 x \2", text) for text in lengths]
        return "; ".join(dict.fromkeys(short))
    found = {}
    for text in lengths:
        for letter, value in re.findall(r"([nm]) = (\d+)", text):
            found.setdefault(letter, set()).add(int(value))
    return "; ".join(f"{letter} = {runs_of(values)}" for letter, values in found.items())


def runs_of(values):
    runs = []
    for n in sorted(values):
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(
        f"{a} to {b}" if b > a + 1 else f"{a}, {b}" if b > a else str(a) for a, b in runs
    )


def table_of_results(rows):
    """The results, one line for each symbol and alias pattern."""
    groups = {}
    for theorem, entry in rows:
        key = (
            re.sub(r"f2_\d+_", "f2_M_", theorem.member.replace(".o", "")),
            re.sub(r"f2_\d+_", "f2_M_", theorem.symbol),
            theorem.tier,
            theorem.statement,
            theorem.aliases,
            theorem.method,
        )
        groups.setdefault(key, []).append((theorem, entry))
    lines = [
        "| member, symbol | tier | statement | aliases | lengths | theorems | seconds | "
        "mutants: refuted, refused, equivalent |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (member, symbol, tier, statement, aliases, _), found in groups.items():
        counts = [
            sum(e["mutants"][k] for _, e in found if e["mutants"])
            for k in ("refuted", "refused", "proved")
        ]
        statement, lengths = statement.replace("|", "\\|"), spans([t.lengths for t, _ in found])
        lines.append(
            f"| {member} `{symbol}` | {tier} | {statement} | {aliases} | {lengths} | {len(found)} "
            f"| {sum(e['seconds'] for _, e in found):.1f} | {counts[0]}, {counts[1]}, {counts[2]} |"
        )
    return "\n".join(lines)


def write(path, rows, archive):
    text = open(path).read()
    if START not in text or END not in text:
        raise SystemExit(f"{path}: the lines {START} and {END} are missing")
    for theorem, _ in rows:
        if isinstance(theorem, records.Statement):
            member = archive.find(theorem.member, theorem.anchor)
            count = sum(c.name == theorem.symbol for c in records.of(member))
            theorem.lengths = f"{count} inlined copies" if count > 1 else "one inlined copy"
    mutated = [e for _, e in rows if e["mutants"]]
    total = {k: sum(e["mutants"][k] for e in mutated) for k in ("refuted", "refused", "proved")}
    shares, per_cent = share.table(archive, rows)
    summary = (
        f"{len(rows)} theorems, {sum(e['seconds'] for _, e in rows):.0f} s without mutants. Of "
        f"{sum(total.values())} mutants {total['refuted']} were refuted by an input, "
        f"{total['refused']} were refused, and {total['proved']} were proved to keep the contract "
        f"as well. Theorems have executed {per_cent} % of the bytes of the functions that are "
        "kernels; the other functions of the same objects are listed, and not counted:"
    )
    lines = [*textwrap.wrap(summary, 100), "", *shares, "", table_of_results(rows)]
    before, rest = text.split(START)
    after = rest.split(END)[1]
    with open(path, "w") as f:
        f.write(f"{before}{START}\n" + "\n".join(lines) + f"\n{END}{after}")


def kept(record, image_of):
    """All theorems with a known proof, and mutants, for these bytes"""
    rows = []
    for theorem in chosen([], False):
        try:
            entry = record.find(theorem, image_of(theorem), True)
        except Refused:
            continue
        if entry:
            rows.append((theorem, entry))
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("pattern", nargs="*")
    args = parser.parse_intermixed_args()
    theorems = list(chosen(args.pattern, args.quick))
    if args.list:
        print(*(t.name for t in theorems), sep="\n")
        return 0
    if not theorems:
        print("no theorem has such a name", file=sys.stderr)
        return 2
    archive, start = Archive(args.library), time.time()
    record = Record(os.path.join(ROOT, "build/proof/results.jsonl"))
    image_of = images(archive)
    job = Job(theorems, image_of, record, args.quick, start)
    rows, bad, late, new, elsewhere = [], 0, 0, 0, 0
    for name in records.without_theorem(archive, chosen([], False)):
        bad += 1
        print(f"NO THEOREM about the asm statement {name}", flush=True)
    for theorem, entry, is_new in job.entries(args.jobs):
        new += is_new
        if entry is None:
            late += 1
            continue
        if entry["outcome"] == "left out":
            elsewhere += 1
            continue
        if is_new:
            record.add(entry)
        rows.append((theorem, entry))
        if entry["outcome"] != "proved":
            bad += 1
            print(f"{entry['outcome'].upper()} {theorem.name}: {entry['why']}", flush=True)
        elif entry["mutants"] and entry["mutants"]["refuted"] < 3:
            bad += 1
            print(f"FEW MUTANTS {theorem.name}: {entry['mutants']}", flush=True)
    order = {theorem: n for n, theorem in enumerate(theorems)}
    rows.sort(key=lambda row: order[row[0]])
    proved = sum(e["outcome"] == "proved" for _, e in rows)
    print(
        f"{proved} of {len(rows)} theorems proved ({new} now, others before for the same bytes), "
        f"{time.time() - start:.0f} s"
        + (f"; {late} left out for lack of time" if late else "")
        + (f"; {elsewhere} use instructions that this CPU lacks" if elsewhere else "")
    )
    if args.write and elsewhere:
        print(f"{args.write} is not written: that needs a CPU with AVX-512", file=sys.stderr)
        return 1
    if args.write and args.pattern:
        rows = kept(record, image_of)
    if args.write and not bad and not args.quick:
        write(args.write, rows, archive)
    return bool(bad) or not rows


if __name__ == "__main__":
    sys.exit(main())
