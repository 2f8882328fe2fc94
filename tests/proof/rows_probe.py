"""Instructions with a result that does not depend on their operands: a probe of the stack, and
VPTERNLOG that sets all bits. See rows.py."""

from decoder import Immediate
from rows import FORMS
from rows_vector import put
import rows_shift  # noqa: F401  (declares VPTERNLOG)

_or = FORMS["or", "m64,i"]


def _probe(m, i, o):
    """`or qword ptr [rsp], 0` of unwritten memory, which stays unwritten; the flags are
    undefined"""
    if type(o[1]) is Immediate and o[1].value == 0:
        at = m.address_of(i, o[0])
        if m.stack.start <= at and all(m.memory.get(at + k) is None for k in range(8)):
            m._check(at, 8, True)
            m.flags = {}
            return
    _or(m, i, o)


FORMS["or", "m64,i"] = _probe


def _all_ones(f):
    def step(m, i, o):
        if o[-1].value & 255 == 255:  # all ones, whatever the registers contain
            return put(m, i, [255] * o[0].size, 4 if i.name[-1] == "d" else 8)
        return f(m, i, o)

    return step


for _form in [form for form in FORMS if form[0] in ("vpternlogd", "vpternlogq")]:
    FORMS[_form] = _all_ones(FORMS[_form])
