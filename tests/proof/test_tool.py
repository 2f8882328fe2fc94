#!/usr/bin/env python3
"""Tests of the tool:

    test_tool.py LIBRARY [GROUP...]  true theorems are proved, and false ones are not
    test_tool.py LIBRARY --mutants   and with each mutant of tool_mutants.py this test fails

The true theorems are about the library and about functions of controls*.S that are right. The false
ones have a wrong statement, or are about functions that are wrong in one way each."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

try:
    import capstone  # noqa: F401
    import elftools  # noqa: F401
except ImportError as e:
    print(f"skipped: the Python package {e.name} is missing (tools/setup.sh proof)")
    sys.exit(77)

import controls_asm
import controls_bits
import controls_long
import controls_steps
import limb
import mldsa
import table  # noqa: F401  (declares rows)
import sm2
import tool_mutants
from contract import B, In, Limb, Out, Theorem, below, congruent, equal, multiple
from loader import Archive, Image
from outcome import Infeasible, Refused, Violation

BASE = 0x6666_0000_0000
RIGHT = ("right", "right_by_halves", "right_when_apart")


def control_archive(name="controls"):
    """name.S as a library of one member, in memory; its file is deleted."""
    folder = tempfile.mkdtemp()
    try:
        made, library = os.path.join(folder, f"{name}.o"), os.path.join(folder, f"{name}.a")
        subprocess.run(["cc", "-c", os.path.join(HERE, f"{name}.S"), "-o", made], check=True)
        subprocess.run(["ar", "rc", library, made], check=True)
        return Archive(library)
    finally:
        shutil.rmtree(folder)


def control(name, at=None):
    return Theorem(
        "control",
        "",
        "controls.o",
        name,
        "n = 2",
        "z + carry B^2 = x + y",
        [Out("z", 2, at), In("x", 2), In("y", 2)],
        lambda v: [equal(v.z + v.carry * B**2, v.x + v.y)],
        result="carry",
        aliases=f"z = {at}" if at else "apart",
    )


def true_theorems():
    wanted = (
        r"product_adx\(n = 3",
        r"square_adx\(n = 3",
        r"add_x86\(n = 2; z = x",
        r"submul_1_c\(n = 2",
        r"sqr_c\(n = 2",
        r"mont_adx\(n = 2; apart",
        r"redc_adx\(n = 2",
        r"sub_c\(n = 3; apart",
        r"addmul_1_adx\(n = 5",
        r"p_sqr_n_adx\(n = 1; z = x",
        r"ntt_avx2",
        r"intt_c",
        r"dot_avx512\(n = 8",
    )
    for family in (limb, sm2, mldsa):
        for theorem in family.theorems():
            if any(re.search(w, theorem.name) for w in wanted):
                yield theorem


def false_statements():
    """False theorems about code that is right."""
    product = "short_adx.S.o", "ty_limb_product_adx", "n = 3"
    xy = [Out("z", 6), In("x", 3), 3, In("y", 3)]
    yield Theorem(
        "false", "adx", *product, "z = x y + 1", xy, lambda v: [equal(v.z, v.x * v.y + 1)]
    )
    yield Theorem("false", "adx", *product, "z = x^2", xy, lambda v: [equal(v.z, v.x * v.x)])
    yield Theorem(
        "false", "adx", *product, "z < B^6 - B^5", xy, lambda v: [below(v.z, B**6 - B**5)]
    )
    add = "sum_x86.S.o", "ty_limb_add_x86", "n = 2"
    yield Theorem(
        "false",
        "adx",
        *add,
        "z = x + y",
        [Out("z", 2), In("x", 2), In("y", 2), 2],
        lambda v: [equal(v.z, v.x + v.y)],
    )
    x = [Out("z", 4), In("x", 4, below=sm2.P), 1]
    square = "ec_sm2_adx.c.o", "ty_ec_sm2_p_sqr_n_adx", "n = 1"
    for text, claim in (
        ("z R == x^2 mod p + 2", lambda v: [congruent(v.z * sm2.R, v.x * v.x, sm2.P + 2)]),
        ("z R == x^2 + 1 mod p", lambda v: [congruent(v.z * sm2.R, v.x * v.x + 1, sm2.P)]),
        ("z < p/2", lambda v: [below(v.z, sm2.P // 2)]),
    ):
        yield Theorem("false", "adx", *square, text, x, claim)
    yield Theorem(
        "false", "adx", *square, RARE, [Out("z", 4), In("x", 4), 1], lambda v: [below(v.z, sm2.P)]
    )
    ntt, q = mldsa.forward(), mldsa.Q
    for text, matrix, bound, most in (
        ("with two rows exchanged", [ntt[1], ntt[0], *ntt[2:]], 51 * q // 10, q - 1),
        ("with |a| < 2 q at the end", ntt, 2 * q, q - 1),
        (OVERFLOW, ntt, 1 << 40, (1 << 31) - 2 * q),
    ):
        yield mldsa.Transform("avx2", "ntt", matrix, bound, text, most)
    yield mldsa.Transform("avx512", "intt", mldsa.forward(), q, "intt is ntt")
    mont = [Out("z", 2), In("x", 2), In("y", 2), In("m", 2, odd=True), 2]
    for text, sign, claim in (
        ("with 1/m for -1/m", 1, lambda v: [multiple(v.z * B**2 - v.x * v.y, "m")]),
        ("z B^2 == x y + 1", -1, lambda v: [multiple(v.z * B**2 - v.x * v.y - 1, "m")]),
        ("z B == x y", -1, lambda v: [multiple(v.z * B - v.x * v.y, "m")]),
    ):
        yield Theorem(
            "false",
            "adx",
            "mont_adx.S.o",
            "ty_limb_mont_adx",
            "n = 2",
            text,
            mont + [Limb("minv", "m", sign)],
            claim,
        )


def false_controls(archive):
    for name in sorted(archive.members[0].exported - set(RIGHT)):
        yield control(name)
    yield control("right_when_apart", "y")


def proves(theorem, image):
    """Whether prove() alone, without numbers, succeeds."""
    try:
        theorem.prove(image)
        return True
    except (Refused, Violation, Infeasible):
        return False


def refutes(theorem, image):
    try:
        return theorem.refute(image, cases=40) is not None
    except Refused:
        return False


# Faults that a run on numbers cannot detect: it follows one path, whatever a branch depends on, or
# is refused because a value is undefined.
ONLY_BY_PROOF = {
    "branch_on_data",
    "branch_on_zero",
    "address_of_data",
    "shift_by_data",
    "undefined_flag",
    "uses_undefined",
}
RARE = "z < p without a bound of x"  # false for one x in 2^32
OVERFLOW = "for |a| < 2^31 - 2 q"


def words_cases(archive):
    """(archive, theorem, whether it is true) for the machine and the domains of integers and
    lanes"""
    controls = control_archive()
    cases = [(archive, t, True) for t in true_theorems()]
    cases += [(controls, control(name), True) for name in RIGHT] + [
        (controls, control("right", "y"), True)
    ]
    cases += [(archive, t, False) for t in false_statements()]
    return cases + [(controls, t, False) for t in false_controls(controls)]


def other_cases(domain):
    """The same for a domain with tests in a separate file"""

    def cases(archive):
        found = [(archive, t, True) for t in domain.true_theorems()]
        found += [(archive, t, False) for t in domain.false_statements()]
        if not hasattr(domain, "control"):
            return found
        controls = control_archive(domain.__name__)
        for name in sorted(controls.members[0].exported):
            found.append((controls, domain.control(name), name.endswith("_right")))
        return found

    return cases


GROUPS = {
    "words": words_cases,
    "bits": other_cases(controls_bits),
    "steps": other_cases(controls_steps),
    "long": other_cases(controls_long),
    "asm": other_cases(controls_asm),
}
RARE_CONTROLS = {*controls_bits.RARE, *controls_asm.RARE}


def wrong(library, groups):
    """The errors of the tool, in words; the last item is the number of theorems."""
    archive = Archive(library)
    cases = [case for group in groups for case in GROUPS[group](archive)]
    for where, theorem, true in cases:
        anchor = getattr(theorem, "anchor", theorem.symbol)
        image = Image(where, where.find(theorem.member, anchor), BASE)
        label = f"{theorem.name}: {theorem.statement}"
        if proves(theorem, image) != true:
            yield f"{'not proved' if true else 'PROVED'}: {label}"
        if (
            theorem.symbol not in ONLY_BY_PROOF | RARE_CONTROLS
            and theorem.statement not in (RARE, OVERFLOW)
            and refutes(theorem, image) == true
        ):
            yield f"{'REFUTED' if true else 'not refuted'}: {label}"
    yield len(cases)


def main():
    library = os.path.abspath(sys.argv[1])
    *found, count = wrong(library, [g for g in GROUPS if g in sys.argv] or GROUPS)
    if "--first" in sys.argv:
        return bool(found)
    found += tool_mutants.misplaced()
    for text in found:
        print(text)
    print(f"controls: {count} theorems, {len(found)} faults")
    if found or "--mutants" not in sys.argv:
        return bool(found)
    return tool_mutants.run(library)


if __name__ == "__main__":
    sys.exit(main())
