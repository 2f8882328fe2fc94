"""Mutants of instructions that a theorem has executed: one bit of one instruction is changed, so
that it decodes to another of the same length that is in the table.

refuted    an input breaks the contract, or the run does what is forbidden
refused    the tool finds neither a proof nor such an input
proved     the mutant keeps the contract as well: it is equivalent, and listed"""

import random

from decoder import decode
from outcome import Infeasible, Refused, Violation
from rows import FORMS

FRAME = ("ret", "push", "pop", "endbr64", "nop")


def candidates(image, executed, rnd):
    """(address, new byte, text) of different mutants, chosen at random"""
    places = sorted(a for a in executed if image.decoded[a].name not in FRAME)
    seen = set()
    for _ in range(4000):
        at = rnd.choice(places)
        old = image.decoded[at]
        code = bytearray(image.read(at, old.size))
        k = rnd.randrange(old.size)
        code[k] ^= 1 << rnd.randrange(8)
        new = decode(bytes(code), at)
        if new is None or new.size != old.size or (new.name, new.signature) not in FORMS:
            continue
        if (
            new.text == old.text
            or (at, code[k], k) in seen
            or new.name[0] == "j"
            or old.name[0] == "j"
        ):
            continue
        seen.add((at, code[k], k))
        yield at + k, code[k], f"{old.text} -> {new.text}"


def judge(theorem, image):
    """refuted, refused or proved"""
    try:
        if theorem.refute(image):
            return "refuted"
        theorem.prove(image)
        if theorem.refute(image, seed=2, cases=40):
            raise AssertionError("proved and refuted: the tool is wrong")
        return "proved"
    except AssertionError:
        raise
    except (Refused, Violation, Infeasible):
        return "refused"
    except Exception:  # an error of the tool counts as a refusal
        return "refused"


def run(theorem, image, executed, least=5, refuted=3, most=24):
    """Counts by outcome and the text of those that are proved: at least `least`, and more until
    `refuted` of them are refuted."""
    rnd = random.Random(theorem.name)
    counts, survivors = {"refuted": 0, "refused": 0, "proved": 0}, []
    for at, byte, text in candidates(image, executed, rnd):
        if (
            sum(counts.values()) >= most
            or sum(counts.values()) >= least
            and counts["refuted"] >= refuted
        ):
            break
        outcome = judge(theorem, image.patched({at: byte}))
        counts[outcome] += 1
        if outcome == "proved":
            survivors.append(text)
    return counts, survivors
