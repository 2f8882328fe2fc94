"""The outcomes of a theorem: it is proved, refuted or refused; anything unexpected is a refusal."""


class Refused(Exception):
    """The tool does not understand the code, or does not find a proof: nothing is known."""


class Violation(Exception):
    """The code does what its contract forbids, on the input of this run."""


class Infeasible(Exception):
    """No input takes this branch of a fork."""
