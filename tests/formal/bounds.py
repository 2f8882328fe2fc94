#!/usr/bin/env python3
"""Proofs of the ranges on which kernels depend, in exact integers, for all inputs: the field of SM2
(sm2.py), limbs (limb.py), their carries (carries.py), division (division.py), division by
reciprocals (reciprocal.py), and transforms (ntt.py).

    bounds.py              proves them; with the Python module z3 also those about machine words
    bounds.py --self-test  breaks one constant after the other, and each time some proof must fail

The methods: a sum of words with integer coefficients is extreme at the ends of its words, so its
range over all inputs is found exactly; identities of polynomials in 2^32 are compared coefficient
by coefficient; models of kernels run on all values of short words; the rest are comparisons of two
integers. Nothing is sampled. With z3 the same is shown for words of 32 and 64 bits, carries
included.

A module has constants(), the constants of the sources as numbers; EXACT and BITS, the proofs, which
take all constants; SPOILED and SPOILED_BITS, wrong constants, each of which alone must break one of
the module's proofs.
"""
import copy
import sys

import carries
import division
import limb
import ntt
import reciprocal
import sm2
from proof import Broken, have_z3

MODULES = (sm2, limb, carries, division, ntt, reciprocal)


def constants():
    return {key: value for module in MODULES for key, value in module.constants().items()}


def not_caught(module, spoiled, proofs):
    missed = []
    for number, (key, change) in enumerate(spoiled):
        c = copy.deepcopy(constants())
        c[key] = change(c[key])
        try:
            for proof in proofs:
                proof(c)
            missed.append(f"{module.__name__}: {key} ({number})")
        except (Broken, IndexError):
            pass
    return missed


def self_test():
    count, missed = 0, []
    for module in MODULES:
        count += len(module.SPOILED)
        missed += not_caught(module, module.SPOILED, module.EXACT)
        if have_z3():
            count += len(module.SPOILED_BITS)
            missed += not_caught(module, module.SPOILED_BITS, module.BITS)
    for m in missed:
        print("bounds.py --self-test: not caught:", m, file=sys.stderr)
    if not missed:
        print(f"bounds.py --self-test: {count} wrong constants are caught")
    return 1 if missed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:]:
        print(__doc__.strip())
        return 0 if sys.argv[1] in ("-h", "--help") else 2
    proofs = [proof for module in MODULES for proof in module.EXACT +
              (module.BITS if have_z3() else [])]
    for proof in proofs:
        try:
            proof(constants())
        except Broken as what:
            print(f"bounds.py: {proof.__name__}: does not hold: {what}", file=sys.stderr)
            return 1
    without = "" if have_z3() else "; without z3, so not those about words of 64 bits"
    print(f"bounds: {len(proofs)} groups of ranges proved{without}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
