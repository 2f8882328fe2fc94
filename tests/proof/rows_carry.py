"""The semantics of shifts through the carry, by one bit."""

from outcome import Refused
from rows import number, row


@row("rcr", "r64,i")
def _(m, i, o):
    if m.get(i, o[1]) != 1:
        raise Refused("a rotation of more than one bit through the carry")
    value, carry = m.get(i, o[0]), m.flag("c")
    if number(value) and number(carry):
        value, out = value >> 1 | carry << 63, value & 1
    else:
        value, out = m.domain.through_carry(value, carry, 8)
    m.flags = {**m.flags, "c": out, "o": None}
    m.put(i, o[0], value)
