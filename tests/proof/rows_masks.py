"""The semantics of opmasks and of moves under one: see rows.py."""

from decoder import Memory, Vector
from outcome import Refused
from rows import FORMS, LOGIC, mask, number
from rows_vector import WIDTHS, opmask


def _masked_move(m, i, o):
    """Elements that the opmask leaves out are neither read nor written in memory."""
    size = int(i.name[len("vmovdqx") :]) // 8
    bits, to, source = opmask(m, o[1]), o[0], o[2]
    width = (to if type(to) is Vector else source).size
    taken = [n for n in range(0, width, size) if bits >> n // size & 1]
    if type(source) is Memory:
        at, cells = m.address_of(i, source), [0] * width
        for n in taken:
            cells[n : n + size] = m.load(at + n, size)
    else:
        cells = m.cells(i, source)
    if type(to) is Memory:
        at = m.address_of(i, to)
        for n in taken:
            m.store(at + n, cells[n : n + size])
        return
    result = [0] * width if i.zeroing else m.cells(i, to)
    for n in taken:
        result[n : n + size] = cells[n : n + size]
    m.put_cells(i, to, result)


for _name in "vmovdqu8 vmovdqu16 vmovdqu32 vmovdqu64".split():
    for _w in "xyz":
        _m = f"m{WIDTHS[_w]}"
        for _s in (f"{_w},k,{_w}", f"{_w},k,{_m}"):
            FORMS[_name, _s] = FORMS[_name, _s + ",zero"] = _masked_move
        FORMS[_name, f"{_m},k,{_w}"] = _masked_move

for _name in "vmovdqa32 vmovdqa64".split():  # with memory these require alignment: no row
    for _w in "xyz":
        _s = f"{_w},k,{_w}"
        FORMS[_name, _s] = FORMS[_name, _s + ",zero"] = _masked_move


# --- opmasks --------------------------------------------------------------------------------------
def _to_mask(m, i, o):
    value = m.get(i, o[1])
    if not number(value):
        raise Refused("an opmask that depends on data")
    m.masks[o[0].number] = value & mask({"b": 1, "w": 2, "d": 4, "q": 8}[i.name[-1]])


def _mask_bits(i):
    return mask({"b": 1, "w": 2, "d": 4, "q": 8}[i.name[-1]])


def _from_mask(m, i, o):
    value = opmask(m, o[1]) & _mask_bits(i)
    if o[0].kind == "k":
        m.masks[o[0].number] = value
    else:
        m.put(i, o[0], value)


def _shift_mask(m, i, o):
    value, count = opmask(m, o[1]) & _mask_bits(i), o[2].value & 255
    value = value << min(count, 64) if i.name[6] == "l" else value >> count
    m.masks[o[0].number] = value & _mask_bits(i)


MASK_LOGIC = {**LOGIC, "xnor": lambda a, b: ~(a ^ b)}


def _mask_logic(m, i, o):
    a, b = opmask(m, o[1]), opmask(m, o[2])
    m.masks[o[0].number] = MASK_LOGIC[i.name[1:-1]](a, b) & _mask_bits(i)


def _not_mask(m, i, o):
    m.masks[o[0].number] = ~opmask(m, o[1]) & _mask_bits(i)


for _size, _bits in (("b", 8), ("w", 16), ("d", 32), ("q", 64)):
    _r = "r64" if _size == "q" else "r32"
    FORMS["kmov" + _size, "k," + _r] = FORMS["kmov" + _size, f"k,m{_bits}"] = _to_mask
    for _to in ("k", _r, f"m{_bits}"):
        FORMS["kmov" + _size, _to + ",k"] = _from_mask
    FORMS["kshiftl" + _size, "k,k,i"] = FORMS["kshiftr" + _size, "k,k,i"] = _shift_mask
    FORMS["knot" + _size, "k,k"] = _not_mask
    for _op in MASK_LOGIC:
        FORMS["k" + _op + _size, "k,k,k"] = _mask_logic
