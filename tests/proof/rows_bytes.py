"""The semantics of instructions that replace bytes, by AES's S-box or by affine maps of them or of
their inverses in AES's field, of sums of bytes and words, and of concatenations and rotations in
vectors: see rows.py."""

from outcome import Refused
from rows import FORMS, number, turned
from rows_vector import WIDTHS, lanes, legacy, operands, pick, put, source, two, unlanes, vector


def field_product(a, b):
    """In GF(2)[x]/(x^8 + x^4 + x^3 + x + 1)"""
    total = 0
    while b:
        if b & 1:
            total ^= a
        a = a << 1 ^ (0x11B if a >> 7 else 0)
        b >>= 1
    return total


def inverse_of(x):
    power = x
    for _ in range(6):  # x^254
        power = field_product(field_product(power, power), x)
    return field_product(power, power)


INVERSE = [inverse_of(x) for x in range(256)]


def by_columns(columns, constant, x):
    for k, column in enumerate(columns):
        constant ^= column if x >> k & 1 else 0
    return constant


SUB_BYTES = [sum((1 << (k + n) % 8) for n in range(5)) for k in range(8)], 0x63


def replaced(m, cell, invert, columns, constant):
    """An affine map of a byte, or of its inverse"""
    if number(cell):
        return by_columns(columns, constant, INVERSE[cell] if invert else cell)
    return m.domain.replaced(cell, invert, columns, constant)


def _last_round(m, i, o):
    """ShiftRows comes first: row r of each block of four by four bytes rotates by r columns."""
    a, k = m.cells(i, o[-2] if len(o) == 3 else o[0]), m.cells(i, o[-1])
    cells = []
    for n in range(0, o[0].size, 16):
        part = [replaced(m, c, True, *SUB_BYTES) for c in a[n : n + 16]]
        cells += [part[(j + 4 * (j % 4)) % 16] for j in range(16)]
    words = []
    for x, y in zip(lanes(m, cells, 8), lanes(m, k[: o[0].size], 8)):
        words.append(x ^ y if number(x) and number(y) else m.domain.lane("xor", x, y, 8))
    put(m, i, unlanes(m, words, 8))


vector("vaesenclast", "V,V,W", f=_last_round)
legacy("aesenclast", _last_round, "x,x", "x,m128")


def _affine(invert):
    def step(m, i, o):
        o = operands(i)
        a, rows = m.cells(i, o[-3] if len(o) == 4 else o[0]), source(m, i, o[-2], o[0].size)
        constant, cells = o[-1].value & 255, []
        for n in range(0, o[0].size, 8):
            matrix = pick(rows, n // 8, 8)
            if not all(number(r) for r in matrix):
                raise Refused("a matrix that depends on data")
            columns = [
                sum((matrix[7 - row] >> k & 1) << row for row in range(8)) for k in range(8)
            ]
            cells += [replaced(m, c, invert, columns, constant) for c in a[n : n + 8]]
        put(m, i, cells)

    return step


for _name, _invert in (("gf2p8affineqb", False), ("gf2p8affineinvqb", True)):
    for _w in "xyz":
        for _kind in (_w, f"m{WIDTHS[_w]}", "m64b"):
            FORMS["v" + _name, f"{_w},{_w},{_kind},i"] = _affine(_invert)
    legacy(_name, _affine(_invert), "x,x,i", "x,m128,i")

for _name, _op, _size in (("paddb", "add", 1), ("psubb", "sub", 1), ("paddw", "add", 2)):
    vector("v" + _name, "V,V,W", lane=_size, f=two(_op, _size))
    legacy(_name, two(_op, _size), "x,x", "x,m128")


def _joined(size):
    """valignd, valignq: the concatenation of two vectors, from a given lane on"""

    def step(m, i, o):
        o = operands(i)
        width = o[0].size
        low, high = source(m, i, o[2], width), m.cells(i, o[1])
        at = size * (o[3].value % (width // size))
        put(m, i, (low + high)[at : at + width], size)

    return step


for _letter, _size in (("d", 4), ("q", 8)):
    vector("valign" + _letter, "V,V,W,i", lane=_size, f=_joined(_size))


def _rotate(size, left):
    def step(m, i, o):
        o, width = operands(i), 8 * size
        count = o[2].value % width if left else -o[2].value % width
        values = lanes(m, source(m, i, o[1], o[0].size), size)
        put(m, i, unlanes(m, [turned(m, v, count, size) for v in values], size), size)

    return step


for _letter, _size in (("d", 4), ("q", 8)):
    vector("vprol" + _letter, "V,W,i", lane=_size, f=_rotate(_size, True))
    vector("vpror" + _letter, "V,W,i", lane=_size, f=_rotate(_size, False))
