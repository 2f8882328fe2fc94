"""What may come of a theorem. Only three things: proved, refuted, refused; anything unexpected is
a refusal."""


class Refused(Exception):
    """The tool does not understand the code, or does not find a proof: nothing is said about it."""


class Violation(Exception):
    """The code does what its contract forbids, on the input of this run."""


class Infeasible(Exception):
    """No input takes this side of a fork."""
