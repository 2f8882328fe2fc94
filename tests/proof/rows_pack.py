"""The semantics of instructions that widen and narrow lanes, that compare into opmasks, and of a
few others that require numbers: see rows.py."""

from outcome import Refused
from rows import FORMS, mask, number, row, signed
from rows_vector import WIDTHS, lanes, legacy, opmask, put, source, two, unlanes, vector


def _widened(small, large):
    def step(m, i, o):
        count = o[0].size // large * small
        cells = m.cells(i, o[1], count)
        zeros = [0] * (large - small)
        put(m, i, [c for n in range(0, count, small) for c in cells[n : n + small] + zeros])

    return step


for _name, _small, _large in (("bw", 1, 2), ("bd", 1, 4), ("bq", 1, 8), ("wd", 2, 4), ("wq", 2, 8)):
    for _w in "xyz":
        _bits = WIDTHS[_w] * _small // _large
        _from = {512: "z", 256: "y"}.get(_bits, "x")
        for _s in (_from, f"m{_bits}"):
            FORMS["vpmovzx" + _name, f"{_w},{_s}"] = _widened(_small, _large)


def _packed(size):
    """Signed lanes saturated to unsigned ones of half their size, by 128 bits"""

    def half(m, cells):
        value = m.join(cells)
        if number(value):
            most = mask(size // 2)
            value = min(max(signed(value, size), 0), most)
            return list(value.to_bytes(size // 2, "little"))
        for cell in cells[size // 2 :]:
            if m.join([cell]) != 0:
                raise Refused("a lane of data that may be saturated")
        return cells[: size // 2]

    def step(m, i, o):
        a, b = m.cells(i, o[1] if len(o) == 3 else o[0])[: o[0].size], m.cells(i, o[-1])
        out = []
        for n in range(0, o[0].size, 16):
            for part in (a[n : n + 16], b[n : n + 16]):
                for k in range(0, 16, size):
                    out += half(m, part[k : k + size])
        put(m, i, out)

    return step


for _name, _size in (("packuswb", 2), ("packusdw", 4)):
    vector("v" + _name, "V,V,W", "xyz", f=_packed(_size))
    legacy(_name, _packed(_size), "x,x", "x,m128")


def _broadcast_byte(m, i, o):
    put(m, i, m.cells(i, o[1], 1) * o[0].size)


for _w in "xyz":
    for _s in ("x", "m8", "r32"):
        FORMS["vpbroadcastb", f"{_w},{_s}"] = _broadcast_byte


def _numbers(m, i, op, count, size):
    values = lanes(m, source(m, i, op, count), size)
    if not all(number(v) for v in values):
        raise Refused("a comparison of data")
    return values


COMPARE = {
    "eq": lambda a, b: a == b,
    "gt": lambda a, b: a > b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "neq": lambda a, b: a != b,
    "nlt": lambda a, b: a >= b,
    "nle": lambda a, b: a > b,
}


def _compare(holds, size, is_signed=True):
    def step(m, i, o):
        width = o[1].size
        a, b = (_numbers(m, i, op, width, size) for op in o[1:3])
        if is_signed:
            a, b = ([signed(x, size) for x in values] for values in (a, b))
        bits = (holds(x, y) << n for n, (x, y) in enumerate(zip(a, b)))
        m.masks[o[0].number] = sum(bits)

    return step


def _test(wanted, size):
    def step(m, i, o):
        among = opmask(m, o[1]) if len(o) == 4 else -1
        a, b = (_numbers(m, i, op, o[-2].size, size) for op in o[-2:])
        bits = (((x & y != 0) == wanted) << n for n, (x, y) in enumerate(zip(a, b)))
        m.masks[o[0].number] = sum(bits) & among

    return step


def _signs(size):
    def step(m, i, o):
        values = _numbers(m, i, o[1], o[1].size, size)
        bits = sum((v >> 8 * size - 1 & 1) << n for n, v in enumerate(values))
        if o[0].kind == "k":
            m.masks[o[0].number] = bits
        else:
            m.put(i, o[0], bits)

    return step


for _letter, _size in (("d", 4), ("q", 8)):
    for _w in "xyz":
        FORMS[f"vpmov{_letter}2m", f"k,{_w}"] = _signs(_size)
        for _s in (_w, f"m{WIDTHS[_w]}"):
            for _op, _holds in COMPARE.items():
                FORMS[f"vpcmp{_op}{_letter}", f"k,{_w},{_s}"] = _compare(_holds, _size)
            FORMS["vptestm" + _letter, f"k,{_w},{_s}"] = _test(True, _size)
            FORMS["vptestnm" + _letter, f"k,{_w},{_s}"] = _test(False, _size)
for _op, _holds in COMPARE.items():
    for _s in ("z", "m512"):
        FORMS[f"vpcmp{_op}ub", f"k,z,{_s}"] = _compare(_holds, 1, False)
for _s in ("k,z,z", "k,k,z,z"):
    FORMS["vptestnmb", _s] = _test(False, 1)
for _w in "xy":
    FORMS["vmovmskps", f"r32,{_w}"] = _signs(4)
FORMS["movmskps", "r32,x"] = _signs(4)


@vector("vpabsd", "V,W", lane=4)
def _(m, i, o):
    o = [op for n, op in enumerate(o) if not (n == 1 and op.kind == "k")]
    values = _numbers(m, i, o[1], o[0].size, 4)
    put(m, i, unlanes(m, [abs(signed(v, 4)) & mask(4) for v in values], 4), 4)


@vector("vpblendvb", "V,V,W,V", "xy")
def _(m, i, o):
    a, b = m.cells(i, o[1]), m.cells(i, o[2])
    which = _numbers(m, i, o[3], o[0].size, 1)
    put(m, i, [y if w >> 7 else x for x, y, w in zip(a, b, which)])


for _name, _op in (("mulhuw", "mulhu"), ("mullw", "mull")):
    vector("vp" + _name, "V,V,W", f=two(_op, 2))
    legacy("p" + _name, two(_op, 2), "x,x", "x,m128")


@row("popcnt", "r64,rm64", "r32,rm32")
def _(m, i, o):
    value = m.get(i, o[1])
    if not number(value):
        raise Refused("bits of data are counted")
    m.put(i, o[0], bin(value).count("1"))
    m.flags = {"c": 0, "o": 0, "s": 0, "z": int(value == 0)}
