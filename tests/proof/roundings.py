"""The four roundings of ML-DSA (src/mod/q_mldsa.h), run natively on all inputs that their contract
allows: roundings.c, linked with the library. One more run in the machine checks that only the
stated buffers are accessed. A mutant is the library with changed bytes."""

import os
import random
import shutil
import subprocess
import tempfile

from contract import Concrete
from machine import Machine, Region
from mldsa import PLACES, Q
from outcome import Refused, Violation

USES = ["mldsa", "lanes"]
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GAMMA = {88: (Q - 1) // 88, 32: (Q - 1) // 32}
TEXT = {
    "power2round": "a = t1 2^13 + t0 (FIPS 204, algorithm 35), for all |a| < q",
    "decompose": "a = w1 2 gamma2 + w0 (algorithm 36), for all |a| < q",
    "make_hint": "whether w1 2 gamma2 + w0 has another high part (algorithm 39), for all w1 and "
    "|w0| <= 2 gamma2",
    "use_hint": "the high part of a, moved by one where h says so (algorithm 40), for all |a| < q",
}
# false statements of roundings.c, which must fail
FALSE = {
    "power2round": (1, 2, 3),
    "decompose": (1, 2, 3),
    "make_hint": (1, 2, 4, 5),
    "use_hint": (1, 2, 4),
}


class Rounding:
    family, aliases, method = "mldsa", "apart", "run on all inputs"

    def __init__(self, tier, kernel, gamma):
        self.tier, self.member, self.kernel, self.gamma = tier, PLACES[tier], kernel, gamma
        self.symbol = f"ty_q_{kernel}_{tier}"
        self.lengths = f"gamma2 = (q - 1)/{gamma}" if kernel != "power2round" else "256"
        self.statement = TEXT[kernel]

    @property
    def name(self):
        return f"{self.member}:{self.symbol}({self.lengths})"

    def refute(self, image, seed=1, cases=None):
        code, text = natively(image, self.tier, self.kernel, self.gamma)
        if code in (1, -11, -4, -7, -8):  # a wrong result, or a signal
            return text.strip() or "ended by a signal"
        if code:
            raise Refused(f"the run ended with {code}")
        self._once(image, seed)
        return None

    def prove(self, image):
        code, text = natively(image, self.tier, self.kernel, self.gamma)
        if code:
            raise Refused(text.strip() or f"the run ended with {code}")
        return self._once(image, 1)

    def _once(self, image, seed):
        """One run in the machine: where it reads and writes, and what it executes"""
        rnd = random.Random(seed)
        m = Machine(image, Concrete(), stack=0x7FF0_0000_0000 + (seed << 24))
        at = [(0x10 + seed << 32) + k * (1 << 20) for k in range(3)]
        low = lambda most: [rnd.randint(-most, most) & 0xFFFF_FFFF for _ in range(256)]
        words = {
            "power2round": (None, None, low(Q - 1)),
            "decompose": (None, None, low(Q - 1)),
            "make_hint": (None, [rnd.randrange(16) for _ in range(256)], low(GAMMA[32])),
            "use_hint": (None, low(Q - 1), [rnd.getrandbits(32) for _ in range(8)]),
        }[self.kernel]
        for k, (where, given) in enumerate(zip(at, words)):
            size = len(given) if given else 8 if self.kernel == "make_hint" else 256
            cells = [c for w in given for c in m.split(w, 4)] if given else []
            m.place(Region(f"argument {k}", where, 4 * size, not given), cells)
        gamma = [] if self.kernel == "power2round" else [GAMMA[self.gamma]]
        m.call(image.address(image.main, self.symbol), at + gamma)
        return m


def natively(image, tier, kernel, gamma, *more):
    """(status, output) of the run with the library as patched in that image"""
    folder = tempfile.mkdtemp()
    try:
        library, program = os.path.join(folder, "libtongyu.a"), os.path.join(folder, "roundings")
        data = bytearray(image.archive.data)
        for address, byte in image.patches.items():
            data[image.place_in_archive(address)] = byte
        with open(library, "wb") as f:
            f.write(data)
        subprocess.run(
            ["cc", "-O2", "-I", os.path.join(ROOT, "src"), "-I", os.path.join(ROOT, "include")]
            + [os.path.join(HERE, "roundings.c"), library, "-o", program],
            check=True,
        )
        try:
            done = subprocess.run(
                [program, tier, kernel, str(gamma), *more],
                capture_output=True,
                text=True,
                timeout=120,
            )
        except subprocess.TimeoutExpired:
            raise Refused("the run does not end") from None
        return done.returncode, done.stdout
    finally:
        shutil.rmtree(folder)


def controls(image):
    """Messages about false statements that passed"""
    for kernel, numbers in FALSE.items():
        for n in numbers:
            if natively(image, "c", kernel, 88, str(n))[0] != 1:
                yield f"PASSED: {kernel}, false statement {n}"


def theorems():
    for tier in PLACES:
        for kernel in TEXT:
            for gamma in (88,) if kernel == "power2round" else GAMMA:
                yield Rounding(tier, kernel, gamma)


__all__ = ["Rounding", "Violation", "controls", "theorems"]
