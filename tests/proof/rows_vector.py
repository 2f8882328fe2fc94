"""The semantics of vector instructions: see rows.py. In a signature V is a vector and W a vector or
memory of the same size, for each width that the row is declared for."""

from outcome import Refused, Violation
from rows import FORMS, LOGIC, mask, number, signed

WIDTHS = {"x": 128, "y": 256, "z": 512}


def vector(names, signatures, widths="xyz", lane=0, f=None):
    """Declare a row for several widths. lane > 0: in zmm also under an opmask, merging and zeroing;
    lane 4 or 8: also with W as one element for all lanes."""

    def declare(f):
        for name in names.split():
            for signature in signatures.split():
                for w in widths:
                    memory = f"m{WIDTHS[w]}"
                    kinds = [w, memory] + ([f"m{8 * lane}b"] if lane in (4, 8) else [])
                    for kind in kinds if "W" in signature else [w]:
                        one = signature.replace("V", w).replace("W", kind)
                        FORMS[name, one] = f
                        if lane and one.startswith(w) and w == "z":
                            FORMS[name, "z,k" + one[1:]] = f
                            FORMS[name, "z,k" + one[1:] + ",zero"] = f
        return f

    return declare if f is None else declare(f)


def operands(i):
    """Operands without the opmask."""
    return [op for n, op in enumerate(i.ops) if not (n == 1 and op.kind == "k")]


def put(m, i, cells, lane=0):
    """Writes the result to the first operand, under the opmask if there is one."""
    if lane and len(i.ops) > 1 and i.ops[1].kind == "k" and i.ops[0].kind != "k":
        bits = opmask(m, i.ops[1])
        old = [0] * len(cells) if i.zeroing else m.cells(i, i.ops[0])
        cells = [cell if bits >> n // lane & 1 else old[n] for n, cell in enumerate(cells)]
    m.put_cells(i, i.ops[0], cells)


def opmask(m, op):
    value = m.masks.get(op.number)
    if value is None:
        raise Refused("an opmask that is undefined")
    return value


def source(m, i, op, size):
    """Cells of an operand; a broadcast element of memory is repeated for all lanes."""
    cells = m.cells(i, op)
    return cells * (size // len(cells)) if getattr(op, "each", False) else cells


def lanes(m, cells, size):
    return [m.join(cells[n : n + size]) for n in range(0, len(cells), size)]


def unlanes(m, values, size):
    return [cell for v in values for cell in m.split(v, size)]


def aligned(m, i, ops):
    for op in ops:
        if op.kind[0] == "m" and m.address_of(i, op) % op.size:
            raise Violation("an aligned access that is not aligned")


# --- moves ----------------------------------------------------------------------------------------
for _names, _widths, _lane in (
    ("vmovdqu vmovdqa vmovups vmovaps vmovupd vmovapd", "xy", 0),
    ("vmovups vmovaps vmovupd vmovapd vmovdqu64 vmovdqa64", "z", 8),
    ("vmovdqu32 vmovdqa32", "z", 4),
    ("vmovdqu8", "z", 1),
    ("vmovdqu64 vmovdqa64 vmovdqu32 vmovdqa32 vmovdqu8", "xy", 0),
):

    def _move(m, i, o, lane=_lane):
        if i.name[:7] in ("vmovdqa", "vmovaps", "vmovapd"):
            aligned(m, i, o)
        put(m, i, m.cells(i, operands(i)[1]), lane)

    for _w in _widths:
        for _name in _names.split():
            FORMS[_name, f"{_w},{_w}"] = FORMS[_name, f"{_w},m{WIDTHS[_w]}"] = FORMS[
                _name, f"m{WIDTHS[_w]},{_w}"
            ] = _move


def legacy(name, f, *signatures):
    """An instruction of SSE: the first operand is also a source, and keeps its bits above the
    lowest 128."""

    def step(m, i, o):
        if name not in ("movdqu", "movups"):
            aligned(m, i, [op for op in o if op.kind == "m128"])
        if o[0].kind == "x":
            above = m.vectors[o[0].number][16:]
            f(m, i, o)
            m.vectors[o[0].number][16:] = above
        else:
            f(m, i, o)

    for signature in signatures:
        FORMS[name, signature] = step


for _name in "movdqu movdqa movups movaps".split():
    legacy(_name, _move, "x,x", "x,m128", "m128,x")


def _element(m, i, o):
    size = 4 if i.name.endswith("d") else 8
    cells = m.cells(i, o[1], size)
    if o[0].kind.startswith("r"):
        m.put(i, o[0], m.join(cells))
    elif o[0].kind == "x":
        m.put_cells(i, o[0], cells + [0] * (16 - size))
    else:
        m.put_cells(i, o[0], cells)


for _name, _bits in (("d", 32), ("q", 64)):
    for _s in (f"x,r{_bits}", f"r{_bits},x", f"x,m{_bits}", f"m{_bits},x") + (
        ("x,x",) if _bits == 64 else ()
    ):
        FORMS["vmov" + _name, _s] = _element
        legacy("mov" + _name, _element, _s)


@vector("vpbroadcastd vpbroadcastq vbroadcastss vbroadcastsd", "V,x")
def _broadcast(m, i, o):
    size = 8 if i.name[-1] == "q" or i.name.endswith("sd") else 4
    put(m, i, m.cells(i, o[1], size) * (o[0].size // size))


for _w in "xyz":
    FORMS["vpbroadcastd", _w + ",r32"] = FORMS["vpbroadcastq", _w + ",r64"] = _broadcast
    FORMS["vpbroadcastd", _w + ",m32"] = FORMS["vpbroadcastq", _w + ",m64"] = _broadcast
    FORMS["vbroadcastss", _w + ",m32"] = FORMS["vbroadcastsd", _w + ",m64"] = _broadcast
del FORMS["vbroadcastsd", "x,x"], FORMS["vbroadcastsd", "x,m64"]


def _broadcast128(m, i, o):
    put(m, i, m.cells(i, o[1]) * (o[0].size // 16))


FORMS["vbroadcasti128", "y,m128"] = FORMS["vbroadcastf128", "y,m128"] = _broadcast128
for _w in "yz":
    FORMS["vbroadcasti32x4", _w + ",m128"] = _broadcast128


def _extend_32(m, i, o):
    count = o[0].size // 2
    put(m, i, [c for n in range(0, count, 4) for c in m.cells(i, o[1], count)[n : n + 4] + [0] * 4])


for _w, _from, _bits in (("x", "x", 64), ("y", "x", 128), ("z", "y", 256)):
    FORMS["vpmovzxdq", f"{_w},{_from}"] = FORMS["vpmovzxdq", f"{_w},m{_bits}"] = _extend_32


def _zero_upper(m, i, o):
    m.vectors[:16] = [v[:16] + [0] * 48 for v in m.vectors[:16]]


FORMS["vzeroupper", ""] = _zero_upper


# --- permutations: they move bytes, numbers or not ------------------------------------------------
def by_parts(f, count):
    """f of the 128-bit parts of `count` sources and of the immediate, if there is one"""

    def step(m, i, o):
        o = operands(i)
        sources = o[1 : 1 + count] if len(o) - (o[-1].kind == "i") > count else o[:count]
        size = o[0].size
        given = [source(m, i, op, size) for op in sources]
        k = [o[-1].value & 255] if o[-1].kind == "i" else []
        put(
            m,
            i,
            [c for n in range(0, size, 16) for c in f(*(g[n : n + 16] for g in given), *k)],
            LANES.get(i.name, 0),
        )

    return step


LANES = {}


def permute(name, f, count, immediate, lane=0, sse=True):
    signature = ",".join(["V"] + ["V"] * (count - 1) + ["W"] + ["i"] * immediate)
    LANES["v" + name] = lane
    vector("v" + name, signature, lane=lane, f=by_parts(f, count))
    if sse:
        old = ",".join(["x"] + ["%s"] + ["i"] * immediate)
        legacy(name, by_parts(f, count), old % "x", old % "m128")


def interleave(size, high):
    def f(a, b):
        at = range(8 * high, 8 * high + 8, size)
        return [c for n in at for c in a[n : n + size] + b[n : n + size]]

    return f


for _name, _size in (("bw", 1), ("wd", 2), ("dq", 4), ("qdq", 8)):
    _lane = _size if _size > 2 else 0
    permute("punpckl" + _name, interleave(_size, 0), 2, 0, _lane)
    permute("punpckh" + _name, interleave(_size, 1), 2, 0, _lane)
for _name, _size in (("ps", 4), ("pd", 8)):
    permute("unpckl" + _name, interleave(_size, 0), 2, 0, _size)
    permute("unpckh" + _name, interleave(_size, 1), 2, 0, _size)


def pick(a, at, size):
    return a[size * at : size * at + size]


permute("pshufd", lambda a, k: [c for n in range(4) for c in pick(a, k >> 2 * n & 3, 4)], 1, 1, 4)
permute(
    "shufps",
    lambda a, b, k: [c for n in range(4) for c in pick(a if n < 2 else b, k >> 2 * n & 3, 4)],
    2,
    1,
    4,
)
permute("palignr", lambda a, b, k: (b + a + [0] * 256)[k : k + 16], 2, 1)
permute("movshdup", lambda a: a[4:8] * 2 + a[12:16] * 2, 1, 0, 4)
permute("movsldup", lambda a: a[0:4] * 2 + a[8:12] * 2, 1, 0, 4)
for _name, _shift in (
    ("pslldq", lambda a, k: ([0] * min(k, 16) + a)[:16]),
    ("psrldq", lambda a, k: (a + [0] * 16)[min(k, 16) :][:16]),
):
    vector("v" + _name, "V,W,i", f=by_parts(_shift, 1))
    legacy(_name, by_parts(_shift, 1), "x,i")


def _shuffle_pd(m, i, o):
    o = operands(i)
    a, b = (source(m, i, op, o[0].size) for op in (o[-3], o[-2]))
    k = o[-1].value
    put(
        m,
        i,
        [
            c
            for n in range(0, o[0].size // 8, 2)
            for c in pick(a, n + (k >> n & 1), 8) + pick(b, n + (k >> n + 1 & 1), 8)
        ],
        8,
    )


vector("vshufpd", "V,V,W,i", "xy", f=_shuffle_pd)
legacy("shufpd", _shuffle_pd, "x,x,i", "x,m128,i")


def _shuffle_bytes(m, i, o):
    a, at = m.cells(i, o[-2]), m.cells(i, o[-1])
    cells = []
    for n, k in enumerate(at):
        if not number(k):
            cells.append(m.domain.lookup(a[n & ~15 : (n & ~15) + 16], k))
        else:
            cells.append(0 if k & 128 else a[(n & ~15) + (k & 15)])
    put(m, i, cells)


vector("vpshufb", "V,V,W", f=_shuffle_bytes)
legacy("pshufb", _shuffle_bytes, "x,x", "x,m128")


@vector("vpermq vpermpd", "V,W,i", "yz", lane=8)
def _(m, i, o):
    o = operands(i)
    a, k = source(m, i, o[1], o[0].size), o[2].value
    put(
        m,
        i,
        [
            c
            for at in range(0, len(a), 32)
            for n in range(4)
            for c in pick(a[at : at + 32], k >> 2 * n & 3, 8)
        ],
        8,
    )


@vector("vperm2i128 vperm2f128", "V,V,W,i", "y")
def _(m, i, o):
    a, b, k = m.cells(i, o[1]), m.cells(i, o[2]), o[3].value
    halves = a[:16], a[16:], b[:16], b[16:]
    put(m, i, [c for n in (0, 4) for c in ([0] * 16 if k >> n + 3 & 1 else halves[k >> n & 3])])


@vector("vshufi64x2 vshufi32x4", "V,V,W,i", "yz")
def _(m, i, o):
    a, b, k = m.cells(i, o[1]), m.cells(i, o[2]), o[3].value
    count = o[0].size // 16
    bits = 1 if count == 2 else 2
    put(
        m,
        i,
        [
            c
            for n in range(count)
            for c in pick(a if n < count // 2 else b, k >> bits * n & (1 << bits) - 1, 16)
        ],
    )


def _insert(m, i, o):
    size = {"128": 16, "4x2": 16, "2x4": 16, "4x4": 32}[i.name[-3:]]
    a, b = m.cells(i, o[1])[:], m.cells(i, o[2], size)
    at = o[3].value % (len(a) // size) * size
    a[at : at + size] = b
    put(m, i, a)


def _extract(m, i, o):
    size = {"128": 16, "4x2": 16, "2x4": 16, "4x4": 32}[i.name[-3:]]
    a = m.cells(i, o[1])
    put(m, i, pick(a, o[2].value % (len(a) // size), size))


for _names, _w, _part, _bits in (
    ("i128 f128", "y", "x", 128),
    ("i32x4 i64x2", "yz", "x", 128),
    ("i64x4", "z", "y", 256),
):
    for _name in _names.split():
        for _v in _w:
            for _p in (_part, f"m{_bits}"):
                FORMS["vinsert" + _name, f"{_v},{_v},{_p},i"] = _insert
                FORMS["vextract" + _name, f"{_p},{_v},i"] = _extract


def _by_index(m, i, o):
    """vpermd a, index, b"""
    o, size = operands(i), {"b": 1, "d": 4, "q": 8}[i.name[-1]]
    cells = source(m, i, o[2], o[0].size)
    at = lanes(m, m.cells(i, o[1]), size)
    put(m, i, chosen(cells, at, size), size)


def chosen(cells, at, size):
    if not all(number(k) for k in at):
        raise Refused("lanes moved by data")
    return [c for k in at for c in pick(cells, k % (len(cells) // size), size)]


vector("vpermb", "V,V,W", lane=1, f=_by_index)
vector("vpermd", "V,V,W", "yz", lane=4, f=_by_index)
for _w, _b in (("y", 256), ("z", 512)):
    for _s in (_w, f"m{_b}"):
        FORMS["vpermq", f"{_w},{_w},{_s}"] = _by_index


@vector("vpermt2d vpermi2d", "V,V,W", "yz", lane=4)
@vector("vpermt2q vpermi2q", "V,V,W", "yz", lane=8)
def _(m, i, o):
    o, size = operands(i), 4 if i.name[-1] == "d" else 8
    first, second = m.cells(i, o[0]), m.cells(i, o[1])
    third = source(m, i, o[2], o[0].size)
    a, at = (second, first) if "i2" in i.name else (first, second)
    put(m, i, chosen(a + third, lanes(m, at, size), size), size)


def blend(m, i, a, b, bits, size):
    put(m, i, [c for n in range(len(a) // size) for c in pick(b if bits >> n & 1 else a, n, size)])


@vector("vpblendd", "V,V,W,i", "xy")
def _(m, i, o):
    blend(m, i, m.cells(i, o[1]), m.cells(i, o[2]), o[3].value, 4)


@vector("vblendps", "V,V,W,i", "xy")
def _(m, i, o):
    blend(m, i, m.cells(i, o[1]), m.cells(i, o[2]), o[3].value, 4)


@vector("vblendpd", "V,V,W,i", "xy")
def _(m, i, o):
    blend(m, i, m.cells(i, o[1]), m.cells(i, o[2]), o[3].value, 8)


@vector("vpblendw", "V,V,W,i", "xy")
def _(m, i, o):
    blend(m, i, m.cells(i, o[1]), m.cells(i, o[2]), o[3].value * 257, 2)


def _blend_by_mask(m, i, o):
    size = 4 if i.name[-1] == "d" else 8
    blend(m, i, m.cells(i, o[2]), source(m, i, o[3], o[0].size), opmask(m, o[1]), size)


for _s in ("z", "m512"):
    FORMS["vpblendmd", f"z,k,z,{_s}"] = FORMS["vpblendmq", f"z,k,z,{_s}"] = _blend_by_mask


def _insert_element(m, i, o):
    size = 8 if i.name[-1] == "q" else 4
    a = m.cells(i, o[-3] if len(o) == 4 else o[0])[:16]
    at = o[-1].value % (16 // size) * size
    a[at : at + size] = m.cells(i, o[-2], size)
    put(m, i, a)


def _extract_element(m, i, o):
    size = 8 if i.name[-1] == "q" else 4
    m.put(i, o[0], m.join(pick(m.cells(i, o[1]), o[2].value % (16 // size), size)))


for _name, _bits in (("d", 32), ("q", 64)):
    for _s in (f"r{_bits}", f"m{_bits}"):
        FORMS["vpinsr" + _name, f"x,x,{_s},i"] = _insert_element
        legacy("pinsr" + _name, _insert_element, f"x,{_s},i")
        FORMS["vpextr" + _name, f"{_s},x,i"] = FORMS["pextr" + _name, f"{_s},x,i"] = (
            _extract_element
        )


def _half(m, i, o):
    """movhps, movlps, movhlps, movlhps"""
    high = i.name.strip("v")[3] == "h"
    if o[0].kind == "m64":
        return m.put_cells(i, o[0], m.cells(i, o[1])[8 * high : 8 * high + 8])
    a, b = m.cells(i, o[-2] if len(o) == 3 else o[0])[:16], m.cells(i, o[-1])
    if "movhl" in i.name:
        a[:8] = b[8:16]
    elif "movlh" in i.name:
        a[8:] = b[:8]
    else:
        a[8 * high : 8 * high + 8] = b[:8]
    put(m, i, a)


for _name in "movhps movlps movhpd movlpd".split():
    FORMS["v" + _name, "x,x,m64"] = FORMS["v" + _name, "m64,x"] = _half
    legacy(_name, _half, "x,m64", "m64,x")
for _name in "movhlps movlhps".split():
    FORMS["v" + _name, "x,x,x"] = _half
    legacy(_name, _half, "x,x")


def _double_low(m, i, o):
    a = m.cells(i, o[1])
    put(
        m,
        i,
        (
            a[:8] * 2
            if o[0].size == 16
            else [c for n in range(0, len(a), 16) for c in a[n : n + 8] * 2]
        ),
    )


for _s in ("x,x", "x,m64", "y,y", "y,m256"):
    FORMS["vmovddup", _s] = _double_low


# --- lanes: computed by the domain where a lane is not a number -----------------------------------
def lane_of(a, size):
    return signed(a & mask(size), size)


LANE = {
    "add": lambda a, b, n: a + b,
    "sub": lambda a, b, n: a - b,
    "muldq": lambda a, b, n: lane_of(a, 4) * lane_of(b, 4),
    "muludq": lambda a, b, n: (a & mask(4)) * (b & mask(4)),
    "mulld": lambda a, b, n: a * b,
    "mull": lambda a, b, n: a * b,
    "mulhu": lambda a, b, n: a * b >> 8 * n,
    "maxsd": lambda a, b, n: max(signed(a, n), signed(b, n)),
    "minsd": lambda a, b, n: min(signed(a, n), signed(b, n)),
    "equal": lambda a, b, n: -(a == b),
    "greater": lambda a, b, n: -(signed(a, n) > signed(b, n)),
}


def two(name, size):
    def step(m, i, o):
        o = operands(i)
        width = o[0].size
        b, a = source(m, i, o[-1], width), m.cells(i, o[1] if len(o) == 3 else o[0])
        n = size or m.domain.lane_size
        if name == "xor" and len(i.ops) > 1 and a == b and o[-1].kind == o[-2].kind:
            return put(m, i, [0] * width, size)  # for any value
        if name == "equal" and a == b:
            return put(m, i, [255] * width, size)
        values = []
        for x, y in zip(lanes(m, a, n), lanes(m, b, n)):
            if name in LOGIC:
                both = number(x) and number(y)
                values.append(LOGIC[name](x, y) & mask(n) if both else m.domain.lane(name, x, y, n))
            elif number(x) and number(y):
                values.append(LANE[name](x, y, n) & mask(n))
            else:
                values.append(m.domain.lane(name, x, y, n))
        put(m, i, unlanes(m, values, n), size)

    return step


for _name in ("xor", "and", "andn", "or"):
    vector(f"vp{_name} v{_name}ps v{_name}pd", "V,V,W", "xy", f=two(_name, 0))
    vector(f"vp{_name}d", "V,V,W", "xyz", lane=4, f=two(_name, 4))
    vector(f"vp{_name}q", "V,V,W", "xyz", lane=8, f=two(_name, 8))
    legacy("p" + _name, two(_name, 0), "x,x", "x,m128")
    legacy(_name + "ps", two(_name, 0), "x,x", "x,m128")
for _name, _op, _size, _lane in (
    ("paddd", "add", 4, 4),
    ("psubd", "sub", 4, 4),
    ("paddq", "add", 8, 8),
    ("psubq", "sub", 8, 8),
    ("pmuldq", "muldq", 8, 8),
    ("pmuludq", "muludq", 8, 8),
    ("pmulld", "mulld", 4, 4),
    ("pmaxsd", "maxsd", 4, 4),
    ("pminsd", "minsd", 4, 4),
):
    vector("v" + _name, "V,V,W", "xyz", lane=_lane, f=two(_op, _size))
    legacy(_name, two(_op, _size), "x,x", "x,m128")
for _name, _op, _size in (
    ("pcmpeqd", "equal", 4),
    ("pcmpeqq", "equal", 8),
    ("pcmpgtd", "greater", 4),
    ("pcmpgtq", "greater", 8),
):
    vector("v" + _name, "V,V,W", "xy", f=two(_op, _size))
    legacy(_name, two(_op, _size), "x,x", "x,m128")
