"""Implementations of the SM4 S-box without its table, derived from its algebra alone
(cards/f8_sm4.card).

    S(x) = A inv(A x + c) + c   in GF(2)[x] / (x^8+x^7+x^6+x^5+x^4+x^2+1)

The S-box is defined in GB/T 32907, 6.2; the formula is that of Liu et al., ACISP 2007, section 3.
Makes
  src/sm4/sm4_sbox.inc   a straight-line circuit of two-input gates for bit planes: the inverse is
                         taken in the tower GF(((2^2)^2)^2), every step on normal bases (Itoh and
                         Tsujii 1988; Canright, CHES 2005), with the linear layers merged into the
                         ends and shortened greedily (Boyar and Peralta, SEA 2010), the last one as
                         the transpose of a shorter problem (Tellegen)
  src/sm4/sm4_sbox3.inc  the same in gates of three inputs, mapped by ABC [Berkeley] of yosys-abc
                         from another circuit, with which the result is smaller: map_three_inputs()
                         writes the file, texts() checks it
  src/mod/f8_sm4.inc     the isomorphism to the AES field, merged with the cipher's linear steps:
                         nibble tables around AESENCLAST, matrices around GF2P8AFFINEINVQB; and the
                         tower GF(16)^2 on polynomial bases, for the four bytes of a word
                         (src/sm4/sm4_word.h)
search(n) tries n seeds on every tower and prints the best circuits as values of BASIS and SEED.
Every result is checked over all 256 inputs.
"""
import itertools, pathlib, random, re, subprocess, tempfile

from .card import load
from .formula import Bad

ROOT = pathlib.Path(__file__).resolve().parents[2]
_CARD = load("f8_sm4")
SM4, AES, A_ROW, C = (_CARD.value(name) for name in ("m", "aes", "A", "c"))
# indices of z and y of the tower, the scale, the choice of gates; the seed of the tie-breaks
BASIS, SEED = (0, 1, 123, 8), 712
BASIS3, SEED3 = (0, 2, 108, 2), 9143    # of the circuit from which sm4_sbox3.inc is mapped


def mul(a, b, m=SM4):
    r = 0
    while b:
        if b & 1: r ^= a
        a <<= 1
        if a & 0x100: a ^= m
        b >>= 1
    return r


def power(a, n, m=SM4):
    r = 1
    while n:
        if n & 1: r = mul(r, a, m)
        a, n = mul(a, a, m), n >> 1
    return r


def rotl8(x, n): return (x << n | x >> (8 - n)) & 0xFF
def parity(x): return bin(x).count("1") & 1


# A matrix is a list of columns: M x is the sum of the columns where x has a one.
def apply(cols, x):
    r = 0
    for i, c in enumerate(cols):
        if x >> i & 1: r ^= c
    return r


def compose(m, n): return [apply(m, c) for c in n]


def invert(cols):
    table = {apply(cols, x): x for x in range(256)}
    return [table[1 << i] for i in range(8)]


def rows(cols, n): return [sum((c >> i & 1) << j for j, c in enumerate(cols)) for i in range(n)]


A = [sum((rotl8(A_ROW, i) >> j & 1) << i for i in range(8)) for j in range(8)]
SBOX = [apply(A, power(apply(A, x) ^ C, 254)) ^ C for x in range(256)]


# ---- the tower -----------------------------------------------------------------------------------
# GF(4) = <w, w^2>, GF(16) = GF(4)<z, z^4>, GF(256) = GF(16)<y, y^16>, each pair with trace one.
# Elements are represented in the SM4 field, so that one matrix gives an element's coordinates and
# no isomorphism has to be searched for. Since 1/x = s / (s x), the coordinates may be those of s x
# for any of 255 scales s, which gives more bases.
GF4 = [x for x in range(256) if power(x, 4) == x]
GF16 = [x for x in range(256) if power(x, 16) == x]
WS = [x for x in GF4 if x > 1]
ZS = [x for x in GF16 if x ^ power(x, 4) == 1]
YS = [x for x in range(256) if x ^ power(x, 16) == 1]

# Nine linear forms of an element of GF(16): the products of those of a with the same ones of b give
# a b (Karatsuba twice).
# form[3u+v]: u picks p, q or p+q of a = p z + q z^4, v picks bit 0, bit 1 or their sum.
FORMS = [sum(1 << (2 * i + j) for i in us for j in vs) for us in ((0,), (1,), (0, 1))
         for vs in ((0,), (1,), (0, 1))]


class Tower:
    def __init__(self, w, z, y):
        self.z, self.y = z, y
        self.basis16 = [mul(a, b) for b in (z, power(z, 4)) for a in (w, mul(w, w))]
        self.basis = [mul(b, c) for c in (y, power(y, 16)) for b in self.basis16]
        # SM4 field -> 8 coordinates: a = bits 0-3 (of y), b = bits 4-7
        self.coords = invert(self.basis)
        self.product = self.product_matrix()
        nu = power(y, 17)                      # (a + b)^2 nu is linear in a + b: four forms of it
        self.square = rows([self.coord16(mul(power(self.elem16(1 << i), 2), nu)) for i in range(4)],
                           4)

    def elem16(self, c): return apply(self.basis16, c)
    def coord16(self, x): return next(c for c in range(16) if self.elem16(c) == x)

    def product_matrix(self):
        """4 rows over the 9 form products: coordinates of a b. Found by linear algebra over all
        pairs."""
        out = []
        for i in range(4):
            pivots = {}
            for a, b in itertools.product(range(16), repeat=2):
                v = sum((parity(a & f) & parity(b & f)) << k for k, f in enumerate(FORMS))
                v |= (self.coord16(mul(self.elem16(a), self.elem16(b))) >> i & 1) << 9
                for p, r in pivots.items():
                    if v >> p & 1: v ^= r
                if v & 0x1FF:
                    p = (v & 0x1FF).bit_length() - 1
                    for q in pivots:
                        if pivots[q] >> p & 1: pivots[q] ^= v
                    pivots[p] = v
            out.append(sum((r >> 9 & 1) << p for p, r in pivots.items()))
        return out

    def gates(self):
        """AND may become AND NOT or OR, which adds one or both of its inputs: a & ~b = ab + a, a |
        b = ab + a + b. Returns those choices that leave the fewest square forms to be added
        separately: [(choice in a, choice in b, forms left)]."""
        left = [[s ^ xor_all(f for k, f in enumerate(FORMS) if pick >> k & 1 and p >> k & 1)
                 for s, p in zip(self.square, self.product)] for pick in range(512)]
        zeros = [sum((not v) << i for i, v in enumerate(l)) for l in left]
        most = max(bin(u & v).count("1") for u in set(zeros) for v in set(zeros))
        good = [a for a in range(512) if bin(zeros[a]).count("1") >= most]
        return [(a, b, [u | v << 4 for u, v in zip(left[a], left[b])]) for a in good for b in good
                if bin(zeros[a] & zeros[b]).count("1") == most]


# ---- straight-line programs ----------------------------------------------------------------------
def translate(s, v):
    """The set s (256 bits) with v added to every element."""
    for i, m in enumerate(EVEN):
        if v >> i & 1: s = (s & m) << (1 << i) | s >> (1 << i) & m
    return s


EVEN = [sum(1 << x for x in range(256) if not x >> i & 1) for i in range(8)]


def shortest(n, targets, rng):
    """XORs that compute all targets (bit sets over n inputs): [(sum, one, other)]. Boyar and
    Peralta, 2010: choose the sum of two known values that minimises the total distance of the
    targets, where the distance of a target is the number of additions that it still needs.
    reach[k] = the set of what k additions reach; at equal totals uneven distances are preferred,
    then rng chooses."""
    want = sum(1 << t for t in set(targets) - {0})
    known = [1 << i for i in range(n)]
    reach = [sum(1 << v for v in known)]
    while want & ~reach[-1]:
        more = reach[-1]
        for v in known: more |= translate(reach[-1], v)
        reach.append(more)
    while len(reach) < 2: reach.append(reach[-1])
    steps = []
    while want & ~reach[0]:
        candidates = (reach[1] & ~reach[0]) & want or reach[1] & ~reach[0]
        best, score = [], None
        for v in range(1, 1 << n):
            if not candidates >> v & 1: continue
            rest = [(want & ~(reach[0] | 1 << v)).bit_count()]
            rest += [(want & ~(reach[k] | translate(reach[k - 1], v))).bit_count()
                     for k in range(1, len(reach))]
            this = 64 * sum(rest) - sum((2 * k + 1) * r for k, r in enumerate(rest) if k)
            if score is None or this < score: best, score = [], this
            if this == score: best.append(v)
        v = rng.choice(best)
        one = next(u for u in known if reach[0] >> (u ^ v) & 1)
        steps.append((v, one, one ^ v))
        reach = [reach[0] | 1 << v] + [reach[k] | translate(reach[k - 1], v)
                                       for k in range(1, len(reach))]
        known.append(v)
    return steps


class Program:
    """Gates (name, operator, operands); '\\\\' is AND NOT, a number is the table of a gate of three
    inputs."""
    def __init__(self):
        self.lines, self.depth = [], {f"x{i}": 0 for i in range(8)}
    def emit(self, op, *operands):
        name = f"t{len(self.lines)}"
        self.lines.append((name, op, *operands))
        self.depth[name] = 1 + max(self.depth[a] for a in operands)
        return name

    def linear(self, inputs, targets, rng):
        names = {1 << i: x for i, x in enumerate(inputs)}
        for v, a, b in shortest(len(inputs), targets, rng): names[v] = self.emit("^", names[a],
                                                                                 names[b])
        return [names[t] for t in targets]

    def transposed(self, n, inputs, columns, rng):
        """n sums; bit j of columns[i] tells whether input i is a term of sum j. A program for the
        transposed matrix is read backwards: where it uses a value twice, two values are added
        here."""
        steps = shortest(n, columns, rng)
        terms = {v: [] for v in [1 << i for i in range(n)] + [s[0] for s in steps]}
        for x, c in zip(inputs, columns): terms[c].append(x)
        def total(v):                          # the shallowest first
            t = sorted(terms[v], key=self.depth.get)
            while len(t) > 1: t = sorted(t[2:] + [self.emit("^", t[0], t[1])], key=self.depth.get)
            return t[0]
        for v, a, b in reversed(steps):
            t = total(v)
            terms[a].append(t)
            terms[b].append(t)
        return [total(1 << i) for i in range(n)]


# 1/v in GF(16) on the basis of WS[0], ZS[0]: the shortest circuit that our search with a SAT solver
# found. The check over all 256 inputs covers it.
INVERSE16 = """v4 = v0 ^ v1; v5 = v1 \\ v2; v6 = v2 & v4; v7 = v3 & v4; v8 = v3 \\ v5;
v9 = v0 | v7; v10 = v5 ^ v7; v11 = v1 & v8; v12 = v6 | v8; v13 = v6 ^ v9; v14 = v3 ^ v11;
v15 = v10 ^ v13; v16 = v6 ^ v14; v17 = v4 & v15; v18 = v2 ^ v16; v19 = v9 ^ v17;
v18 v12 v15 v19"""


def inverse16(p, v):
    env = {f"v{i}": x for i, x in enumerate(v)}
    *gates, outs = INVERSE16.split(";")
    for g in gates:
        name, _, a, op, b = g.split()
        env[name] = p.emit(op, env[a], env[b])
    return [env[o] for o in outs.split()]


def circuit(basis, seed):
    """A inv(A x), without the constants: S(x) = circuit(x + A^-1 c) + c, and both constants go into
    the round keys."""
    z, y, s, gate = basis
    t, rng, p = Tower(WS[0], ZS[z], YS[y]), random.Random(seed), Program()
    scale = [mul(s, 1 << i) for i in range(8)]
    in_rows = rows(compose(t.coords, compose(scale, A)), 8)
    form = lambda f: xor_all(in_rows[i] for i in range(8) if f >> i & 1)
    pick_a, pick_b, rest = t.gates()[gate]
    added = [(form(f), 1 << i) for i, f in enumerate(rest) if f]
    top = p.linear([f"x{i}" for i in range(8)],
                   [form(f << h) for h in (0, 4) for f in FORMS] + [f for f, _ in added], rng)
    a, b = top[:9], top[9:18]
    products = []
    for k in range(9):
        u, v, both = a[k], b[k], pick_a >> k & 1 and pick_b >> k & 1
        if pick_b >> k & 1: u, v = v, u
        products.append(p.emit("|" if both else "\\" if (pick_a | pick_b) >> k & 1 else "&", u, v))
    columns = [sum((t.product[i] >> k & 1) << i for i in range(4)) for k in range(9)]
    theta = p.transposed(4, products + top[18:], columns + [c for _, c in added], rng)
    # theta = a b + (a + b)^2 nu, x^-1 = theta^-1 (b y + a y^16): coordinates 0-3 are theta^-1 b,
    # 4-7 are theta^-1 a
    d = p.linear(inverse16(p, theta), FORMS, rng)
    ends = [p.emit("&", u, v) for half in (b, a) for u, v in zip(d, half)]
    back = compose(compose(A, scale), t.basis)
    return p, p.transposed(8, ends, [apply(back[h:h + 4], c) for h in (0, 4) for c in columns], rng)


def xor_all(it):
    r = 0
    for v in it: r ^= v
    return r



# ---- evaluation and output -----------------------------------------------------------------------
def run(p, outs):
    """All 256 inputs at once: plane i holds bit i of every input."""
    env, full = {f"x{i}": sum((x >> i & 1) << x for x in range(256))
                 for i in range(8)}, (1 << 256) - 1
    for name, op, *args in p.lines:
        v = [env[a] for a in args]
        env[name] = (v[0] & v[1] if op == "&" else v[0] | v[1] if op == "|" else v[0] ^
                     v[1] if op == "^" else
                     v[0] & ~v[1] if op == "\\" else lut(op, v, full))
    return [sum((env[outs[i]] >> x & 1) << i for i in range(8)) for x in range(256)]


def lut(table, v, full):
    """Bit (4 v0 + 2 v1 + v2) of the table, as VPTERNLOG numbers them."""
    r = 0
    for i in range(8):
        if table >> i & 1: r |= (v[0] if i & 4 else v[0] ^ full) & (v[1] if i & 2 else v[1] ^
                                                                    full) & (v[2] if i &
                                                                             1 else v[2] ^ full)
    return r


# the circuits: S(x) = CORE[x + BEFORE] + C
CORE = [apply(A, power(apply(A, x), 254)) for x in range(256)]
BEFORE = apply(invert(A), C)


def emit_circuit(p, outs, comment):
    text = comment + ["static inline void sbox(W x[8])", "{",
                      "    const W x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = "
                      "x[5], x6 = x[6], x7 = x[7];"]
    line = "   "
    for name, op, *v in p.lines:
        e = (f"LUT(0x{op:02x}, {', '.join(v)})" if isinstance(op, int) else
             f"{v[0]} & ~{v[1]}" if op == "\\" else f"{v[0]} {op} {v[1]}")
        s = f" const W {name} = {e};"
        if len(line + s) > 118: text.append(line); line = "   "
        line += s
    text += [line] + [f"    x[{i}] = {o};" for i, o in enumerate(outs)] + ["}"]
    return "\n".join(text) + "\n"


def emit_two(p, outs):
    n = {op: sum(l[1] == op for l in p.lines) for op in "^&|\\"}
    return emit_circuit(p, outs, [
        f"/* Generated by tools/gen.py: the SM4 S-box on bit planes in {len(p.lines)} gates,",
        f" * {n['^']} XOR, {n['&']} AND, {n[chr(92)]} AND NOT, {n['|']} OR. x[i] holds bit i of "
        "every byte. The including file defines the word type W.",
        " * Without its constants: S(x) = sbox(x + SBOX_BEFORE) + SBOX_AFTER. They go into the "
        "round keys. */",
        f"#define SBOX_BEFORE 0x{BEFORE:02x}u", f"#define SBOX_AFTER  0x{C:02x}u"])


# ---- gates of three inputs -----------------------------------------------------------------------
ABC = (["strash; if -K 3 -a; mfs2 -a -W 4 -F 30 -D 100 -L 100",
        "strash; ifraig; dch -f; if -K 3 -a; mfs2 -a -W 4 -F 30 -D 100 -L 100"] +
       ["strash; dch; if -K 3 -a; mfs2 -a -W 4 -F 30 -D 100 -L 100"] * 6)


def to_blif(p, outs):
    cover = {"^": "10 1\n01 1", "&": "11 1", "|": "1- 1\n-1 1", "\\": "10 1"}
    return "\n".join([".model sbox", ".inputs " + " ".join(f"x{i}" for i in range(8)),
                      ".outputs " + " ".join(f"y{i}" for i in range(8))] +
                     [f".names {a} {b} {name}\n{cover[op]}" for name, op, a, b in p.lines] +
                     [f".names {o} y{i}\n1 1" for i, o in enumerate(outs)] + [".end", ""])


def from_blif(text):
    """The gates in topological order, renamed; a gate of two inputs has its last one twice."""
    p, left, names = Program(), [], {f"x{i}": f"x{i}" for i in range(8)}
    for block in text.replace("\\\n", "").split(".names ")[1:]:
        head, *cover = block.split(".end")[0].strip().split("\n")
        *v, name = head.split()
        assert len(v) <= 3
        table = 0
        for i in range(8):
            bits = f"{i:03b}"[:len(v)]
            hit = any(all(c in ("-", b) for c, b in zip(row.split()[0], bits)) for row in cover)
            table |= (hit if cover[0].split()[1] == "1" else not hit) << i
        left.append((name, table, v))
    while left:
        name, table, v = next(l for l in left if all(a in names for a in l[2]))
        left.remove((name, table, v))
        if len(v) == 1:
            assert table == 0xF0
            names[name] = names[v[0]]
        else:
            names[name] = p.emit(table, *[names[a] for a in v + v[-1:]][:3])
    return p, [names[f"y{i}"] for i in range(8)]


def map_three(p, outs):
    """Runs the scripts of ABC one after the other, each on the result of the one before; returns
    the best of the results."""
    best = None
    with tempfile.TemporaryDirectory() as d:
        (pathlib.Path(d) / "in.blif").write_text(to_blif(p, outs))
        script = "read_blif in.blif; " + "".join(f"{step}; write_blif {i}.blif; "
                                                 for i, step in enumerate(ABC))
        subprocess.run(["yosys-abc", "-c", script], cwd=d, stdout=subprocess.DEVNULL, check=True)
        for i in range(len(ABC)):
            q, o = from_blif((pathlib.Path(d) / f"{i}.blif").read_text())
            assert run(q, o) == CORE
            if best is None or len(q.lines) < len(best[0].lines): best = q, o
    return best


def emit_three(p, outs):
    return emit_circuit(p, outs, [
        f"/* Generated by tools/gen.py --map-sbox: the SM4 S-box on bit planes in {len(p.lines)} "
        "gates of three inputs.",
        " * LUT(t, a, b, c) is bit 4 a + 2 b + c of t, in every place. Otherwise as "
        "sm4_sbox.inc, which has the constants. */"])


def check_three(text):
    """Evaluates a file that emit_three wrote."""
    p = Program()
    for name, table, v in re.findall(r"const W (t\d+) = LUT\(0x(..), ([^)]*)\);", text):
        p.lines.append((name, int(table, 16), *v.split(", ")))
    return run(p, re.findall(r"x\[\d\] = (\w+);", text)) == CORE


# ---- the AES field -------------------------------------------------------------------------------
def isomorphism():
    """phi: SM4 field -> AES field, x |-> r for the smallest root r of the SM4 polynomial there."""
    for r in range(2, 256):
        if xor_all(power(r, i, AES) for i in range(9) if SM4 >> i & 1) == 0:
            phi = [power(r, i, AES) for i in range(8)]
            assert all(apply(phi, mul(a, b)) == mul(apply(phi, a), apply(phi, b), AES)
                       for a in range(0, 256, 7) for b in range(256))
            return phi


def emit_tower():
    """a Y + b, a and b in GF(16) = GF(2)[u] / (u^4 + u + 1), Y^2 = Y + nu; a is the high half of a
    byte."""
    u, y = min(x for x in GF16 if power(x, 4) == x ^ 1), min(YS)
    powers, nu = [power(u, i) for i in range(4)], power(y, 17)
    to = invert(powers + [mul(p, y) for p in powers])
    back = powers + [mul(p, y ^ 1) for p in powers]        # 1/x = (a (Y + 1) + b) / n
    first, last = compose(to, A), compose(A, back)
    for x in range(256):
        c = apply(first, x) ^ apply(to, C)
        a, b = apply(powers, c >> 4), apply(powers, c & 15)
        n = mul(b, b) ^ mul(a, b ^ mul(nu, a))
        d = [apply(to, mul(power(n, 254), v)) for v in (a, b)]
        assert apply(last, d[0] << 4 | d[1]) ^ C == SBOX[x]

    def line(name, v):
        return f"#define TY_F8_SM4_TOWER_{name} " + ", ".join(f"0x{c:02x}" for c in v)
    return ["/* The tower of sm4_word.h: columns of the maps to it and back, merged with the "
            "S-box's affine maps; nu u^i. */",
            line("IN", first), line("IN_ADD", [apply(to, C)]),
            line("NU", [apply(to, mul(nu, p)) for p in powers]),
            line("OUT", last), line("OUT_ADD", [C])]


def emit_field():
    phi = isomorphism()
    aes_m = [sum((parity(rotl8(0xF1, i) & 1 << j)) << i for i in range(8)) for j in range(8)]
    aes_s = [apply(aes_m, power(x, 254, AES)) ^ 0x63 for x in range(256)]
    assert aes_s[0] == 0x63 and aes_s[1] == 0x7C and aes_s[0x53] == 0xED
    m_in, c_in = compose(phi, A), apply(phi, C)                      # x -> phi(A x + c)
    m_inv = compose(A, invert(phi))   # AES inverse -> A phi^-1 (.), then + c
    m_out = compose(m_inv, invert(aes_m))
    c_out = apply(m_out, 0x63) ^ C
    for x in range(256):
        y = apply(m_in, x) ^ c_in
        assert apply(m_inv, power(y, 254, AES)) ^ C == SBOX[x] == apply(m_out, aes_s[y]) ^ c_out
    # matrices on the bits of a byte
    def shift(n): return [(1 << i << n if n >= 0 else 1 << i >> -n) & 0xFF for i in range(8)]
    def plus(*ms): return [xor_all(cols) for cols in zip(*ms)]
    one, to = shift(0), m_in
    pieces = {"TO": (to, 0), "FROM": (invert(to), 0)}
    from_s = {"FIRST": plus(one, shift(2)), "MIDDLE": plus(shift(2), shift(-6)),
              "LAST": plus(one, shift(-6)),
              "KEY0": one, "KEY1": shift(5), "KEY2": plus(shift(-3), shift(7)), "KEY3": shift(-1)}
    def nibbles(name, m, c):
        lo = [apply(m, i) ^ c for i in range(16)]
        hi = [apply(m, i << 4) for i in range(16)]
        return [f"#define TY_F8_SM4_{name}_{h} " + ", ".join(f"0x{v:02x}" for v in t)
                for h, t in (("LO", lo), ("HI", hi))]
    def gfni(name, m, c):   # the row of result bit i is byte 7 - i
        return [f"#define TY_F8_SM4_GFNI_{name} 0x" + "".join(f"{r:02x}" for r in rows(m, 8)),
                f"#define TY_F8_SM4_GFNI_{name}_ADD 0x{c:02x}"]
    text = ["/* Generated by tools/gen.py from cards/f8_sm4.card. */",
            f"#define TY_F8_SM4_C 0x{c_in:02x} /* phi c, which is part of every round key */",
            "/* By nibble, for byte shuffles: to AES form and back. */"]
    for name, (m, c) in pieces.items(): text += nibbles(name, m, c)
    text.append("/* From the result of AESENCLAST to pieces, in AES form, of L(S) and, KEY*, of "
                "the key schedule's L'(S). */")
    for name, m in from_s.items():
        whole = compose(compose(to, m), m_out)
        text += nibbles(name, whole, apply(compose(to, m), c_out))
    text.append("/* The same as matrices: GF2P8AFFINEQB for the first two, GF2P8AFFINEINVQB for "
                "the others. */")
    for name in ("TO", "FROM"): text += gfni(name, *pieces[name])
    for name in ("FIRST", "MIDDLE", "LAST", "KEY0", "KEY1", "KEY2", "KEY3"):
        m = compose(to, from_s[name])
        text += gfni(name, compose(m, m_inv), apply(m, C))
    text += emit_tower()
    return "\n".join(text) + "\n"


def search(tries):
    """Prints circuits with ever fewer gates, or with the same number and a shorter critical path,
    which limits out-of-order machines."""
    best = None
    for z, y, s, gate in itertools.product(range(len(ZS)), range(len(YS)), range(1, 256),
                                           range(16)):
        for seed in range(tries):
            p, outs = circuit((z, y, s, gate), seed)
            this = len(p.lines), max(p.depth[o] for o in outs)
            if best is None or this < best:
                assert run(p, outs) == CORE
                best = this
                print(best, (z, y, s, gate), seed, flush=True)


def map_three_inputs():
    (ROOT / "src/sm4/sm4_sbox3.inc").write_text(emit_three(*map_three(*circuit(BASIS3, SEED3))))


def texts():
    assert all(SBOX[x] == CORE[x ^ BEFORE] ^ C for x in range(256))
    p, outs = circuit(BASIS, SEED)
    assert run(p, outs) == CORE
    three = "src/sm4/sm4_sbox3.inc"
    if not check_three((ROOT / three).read_text()):
        raise Bad(f"{three} is not the S-box")
    return {"src/sm4/sm4_sbox.inc": emit_two(p, outs), "src/mod/f8_sm4.inc": emit_field()}
