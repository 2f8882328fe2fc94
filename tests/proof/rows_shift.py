"""The semantics of shifts, of functions of three bits, and of carry-less products of vectors: see
rows.py."""

from outcome import Refused
from rows import LOGIC, mask, number, signed
from rows_vector import lanes, legacy, operands, put, source, unlanes, vector


def lane_shift(m, kind, value, count, size):
    if number(value):
        if count >= 8 * size:
            return mask(size) if kind == "sar" and signed(value, size) < 0 else 0
        return {"shl": value << count, "shr": value >> count, "sar": signed(value, size) >> count}[
            kind
        ] & mask(size)
    if count == 0:
        return value
    if count >= 8 * size and kind != "sar":
        return 0
    return m.domain.shift(kind, value, count, size)


def shift_all(kind, size):
    def step(m, i, o):
        o = operands(i)
        count, cells = o[-1].value & 255, source(m, i, o[1] if len(o) == 3 else o[0], o[0].size)
        put(
            m,
            i,
            unlanes(m, [lane_shift(m, kind, v, count, size) for v in lanes(m, cells, size)], size),
            size if size > 2 else 0,
        )

    return step


for _letter, _size in (("w", 2), ("d", 4), ("q", 8)):
    for _name, _kind in (("psll", "shl"), ("psrl", "shr"), ("psra", "sar")):
        _f = shift_all(_kind, _size)
        if _name + _letter != "psraq":
            vector("v" + _name + _letter, "V,V,i", "xy", f=_f)
            legacy(_name + _letter, _f, "x,i")
        vector("v" + _name + _letter, "V,V,i", "z", lane=_size if _size > 2 else 0, f=_f)
        if _name + _letter != "psraq":  # AVX-512 also shifts memory operands
            vector("v" + _name + _letter, "V,W,i", lane=_size if _size > 2 else 0, f=_f)


def shift_by_register(kind):
    """The count is the low half of a register of 128 bits."""

    def step(m, i, o):
        count = m.join(m.cells(i, o[-1])[:8])
        if not number(count):
            raise Refused("shift by a count that depends on data")
        cells = m.cells(i, o[-2] if len(o) == 3 else o[0])
        count = min(count, 255)
        put(m, i, unlanes(m, [lane_shift(m, kind, v, count, 8) for v in lanes(m, cells, 8)], 8))

    return step


for _name, _kind in (("psllq", "shl"), ("psrlq", "shr")):
    legacy(_name, shift_by_register(_kind), "x,x")
    vector("v" + _name, "V,V,x", "xy", f=shift_by_register(_kind))


def shift_each(kind, size):
    def step(m, i, o):
        o = operands(i)
        counts = lanes(m, source(m, i, o[2], o[0].size), size)
        if not all(number(c) for c in counts):
            raise Refused("shift by a count that depends on data")
        values = lanes(m, m.cells(i, o[1]), size)
        put(
            m,
            i,
            unlanes(m, [lane_shift(m, kind, v, c, size) for v, c in zip(values, counts)], size),
            size,
        )

    return step


for _letter, _size in (("d", 4), ("q", 8)):
    for _name, _kind in (("vpsllv", "shl"), ("vpsrlv", "shr"), ("vpsrav", "sar")):
        vector(
            _name + _letter,
            "V,V,W",
            "z" if _name + _letter == "vpsravq" else "xyz",
            lane=_size,
            f=shift_each(_kind, _size),
        )


def ternary(m, i, o):
    o, k = operands(i), operands(i)[-1].value & 255
    n = 4 if i.name[-1] == "d" else 8
    sources = [m.cells(i, o[0]), m.cells(i, o[1]), source(m, i, o[2], o[0].size)]
    values = []
    for triple in zip(*(lanes(m, s, n) for s in sources)):
        values.append(ternary_lane(m, triple, k, n))
    put(m, i, unlanes(m, values, n), n)


def ternary_lane(m, triple, k, size):
    """The function of three bits as a sum of products: bit 4a + 2b + c of k is its value at a, b,
    c."""

    def join(name, x, y):
        if number(x) and number(y):
            return LOGIC[name](x, y) & mask(size)
        return m.domain.lane(name, x, y, size)

    coefficients = [k >> n & 1 for n in range(8)]
    for bit in (1, 2, 4):
        coefficients = [
            c ^ (coefficients[n ^ bit] if n & bit else 0) for n, c in enumerate(coefficients)
        ]
    total = mask(size) if coefficients[0] else 0
    for n in range(1, 8):
        if coefficients[n]:
            term = None
            for bit, value in zip((4, 2, 1), triple):
                if n & bit:
                    term = value if term is None else join("and", term, value)
            total = join("xor", total, term)
    return total


vector("vpternlogd", "V,V,W,i", lane=4, f=ternary)
vector("vpternlogq", "V,V,W,i", lane=8, f=ternary)


def carryless(m, i, o):
    a, b, which = m.cells(i, o[-3] if len(o) == 4 else o[0]), m.cells(i, o[-2]), o[-1].value
    cells = []
    for n in range(0, o[0].size, 16):
        x = m.join(a[n + 8 * (which & 1) :][:8])
        y = m.join(b[n + 8 * (which >> 4 & 1) :][:8])
        if number(x) and number(y):
            total = 0
            for t in range(64):
                total ^= x << t if y >> t & 1 else 0
            cells += list(total.to_bytes(16, "little"))
        else:
            cells += m.domain.carryless(x, y)
    put(m, i, cells)


vector("vpclmulqdq", "V,V,W,i", f=carryless)
legacy("pclmulqdq", carryless, "x,x,i", "x,m128,i")
