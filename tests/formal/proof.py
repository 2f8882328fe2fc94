"""What the proofs of this folder share."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# the reader of cards/, and where `tools/setup.sh full` puts z3
sys.path += [str(ROOT / "tools"), str(ROOT / "build/python")]
from generate.card import load as card  # noqa: E402, F401


class Broken(Exception):
    pass


def claim(holds, what):
    if not holds:
        raise Broken(what)


def have_z3():
    try:
        import z3  # noqa: F401
        return True
    except ImportError:
        return False


def prove(z3, statement, what):
    """Proves the statement for all values of its words."""
    solver = z3.Solver()
    solver.set("timeout", 60000)
    solver.add(z3.Not(statement))
    claim(solver.check() == z3.unsat, what)
