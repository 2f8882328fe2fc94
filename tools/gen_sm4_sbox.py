#!/usr/bin/env python3
"""The SM4 S-box in other clothes, derived from its algebra alone.

    S(x) = A inv(A x + c) + c   in GF(2)[x] / (x^8+x^7+x^6+x^5+x^4+x^2+1)     [GB/T 32907, 6.2; the algebra is
                                                                              Liu et al., ACISP 2007, section 3]
Writes two files of constants:
  src/sm4/sm4_sbox.inc   a straight-line circuit of AND, XOR and NOT for bit planes: the inverse is taken in
                         the tower GF(((2^2)^2)^2), every step on normal bases (Itoh and Tsujii 1988; Canright,
                         CHES 2005), with the linear layers merged into the ends and shortened greedily (Paar 1997)
  src/mod/f8_sm4.inc     the isomorphism to the AES field, merged with the cipher's linear steps: nibble tables around AESENCLAST,
                         matrices around GF2P8AFFINEINVQB

    gen_sm4_sbox.py            write both files
    gen_sm4_sbox.py --check    compare with what is there (exit 1 on a difference)
    gen_sm4_sbox.py --search   look for a better tower basis (minutes); the best known one is BASIS below
Every result is checked over all 256 inputs before it is written."""
import itertools, pathlib, random, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SM4, AES = 0x1F5, 0x11B            # the two moduli
A_ROW, C = 0xA7, 0xD3              # SM4: row i of A is A_ROW rotated left by i; the constant
BASIS = (0, 1, 1, 0)               # which w, z, y of the tower, and the seed of the greedy tie-breaks


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


# ---- the tower --------------------------------------------------------------------------------------
# GF(4) = <w, w^2>, GF(16) = GF(4)<z, z^4>, GF(256) = GF(16)<y, y^16>, each pair with trace one. Elements
# are kept as elements of the SM4 field, so an element's coordinates are one matrix away and no isomorphism
# has to be guessed.
GF4 = [x for x in range(256) if power(x, 4) == x]
GF16 = [x for x in range(256) if power(x, 16) == x]
WS = [x for x in GF4 if x > 1]
ZS = [x for x in GF16 if x ^ power(x, 4) == 1]
YS = [x for x in range(256) if x ^ power(x, 16) == 1]


class Tower:
    def __init__(self, w, z, y):
        self.w, self.z, self.y = w, z, y
        self.basis = [mul(mul(a, b), c) for c in (y, power(y, 16)) for b in (z, power(z, 4)) for a in (w, mul(w, w))]
        self.coords = invert(self.basis)       # SM4 field -> 8 coordinates: a = bits 0-3 (of y), b = bits 4-7

    def coord(self, x): return apply(self.coords, x)
    def coord16(self, x):                      # x in GF(16): 4 coordinates on (w z, w^2 z, w z^4, w^2 z^4)
        return next(c for c in range(16) if self.elem16(c) == x)
    def elem16(self, c):
        z4, w2 = power(self.z, 4), mul(self.w, self.w)
        b = [mul(self.w, self.z), mul(w2, self.z), mul(self.w, z4), mul(w2, z4)]
        return apply(b, c)


# The nine linear forms of a in GF(16) whose pairwise products give a product: Karatsuba twice.
# form[3u+v]: u picks p, q or p+q of a = p z + q z^4, v picks bit 0, bit 1 or their sum.
FORMS = [sum(1 << (2 * i + j) for i in us for j in vs) for us in ((0,), (1,), (0, 1)) for vs in ((0,), (1,), (0, 1))]


def product_matrix(t):
    """4 rows over the 9 form products: coordinates of a b. Found by linear algebra over all pairs."""
    samples = []
    for a, b in itertools.product(range(16), repeat=2):
        bits = sum((parity(a & f) & parity(b & f)) << k for k, f in enumerate(FORMS))
        samples.append((bits, t.coord16(mul(t.elem16(a), t.elem16(b)))))
    out = []
    for i in range(4):
        # Solve sum_k r_k bits_k = coordinate i; the nine products are independent functions.
        pivots = {}
        for bits, value in samples:
            v = bits | (value >> i & 1) << 9
            for p, r in pivots.items():
                if v >> p & 1: v ^= r
            low = v & 0x1FF
            if low:
                p = low.bit_length() - 1
                for q in pivots:
                    if pivots[q] >> p & 1: pivots[q] ^= v
                pivots[p] = v
            else:
                assert v == 0
        out.append(sum((r >> 9 & 1) << p for p, r in pivots.items()))
    return out


# ---- straight-line programs -------------------------------------------------------------------------
class Program:
    def __init__(self): self.lines, self.n = [], 0
    def emit(self, expr):
        name = f"t{self.n}"
        self.n += 1
        self.lines.append((name, expr))
        return name

    def linear(self, inputs, targets, rng):
        """XORs that make every target (a bit set over inputs); greedy: share the commonest pair."""
        names, rest = list(inputs), [set(i for i in range(len(inputs)) if t >> i & 1) for t in targets]
        while any(len(r) > 1 for r in rest):
            count = {}
            for r in rest:
                for pair in itertools.combinations(sorted(r), 2): count[pair] = count.get(pair, 0) + 1
            top = max(count.values())
            best = rng.choice(sorted(p for p, n in count.items() if n == top))
            names.append(self.emit(f"{names[best[0]]} ^ {names[best[1]]}"))
            for r in rest:
                if best[0] in r and best[1] in r: r -= set(best); r.add(len(names) - 1)
        return [names[next(iter(r))] for r in rest]


def circuit(t, seed):
    rng, p = random.Random(seed), Program()
    x = [f"x{i}" for i in range(8)]
    to_tower = compose(t.coords, A)                     # coordinates of A x, without the constant
    flip = t.coord(C)
    in_rows = rows(to_tower, 8)
    lin = lambda f, half: [sum((in_rows[4 * half + i] if f >> i & 1 else 0) << 0 for i in ()) or
                           xor_all(in_rows[4 * half + i] for i in range(4) if f >> i & 1)][0]
    forms = [(lin(f, h), parity((flip >> 4 * h & 15) & f)) for h in (0, 1) for f in FORMS]
    # (a + b)^2 nu with nu = y^17: linear in a + b
    nu = power(t.y, 17)
    sq = [t.coord16(mul(power(t.elem16(1 << i), 2), nu)) for i in range(4)]
    ab = [in_rows[i] ^ in_rows[4 + i] for i in range(4)]
    ab_flip = (flip ^ flip >> 4) & 15
    square = [(xor_all(ab[j] for j in range(4) if sq[j] >> i & 1), apply(sq, ab_flip) >> i & 1) for i in range(4)]
    # Top: 22 linear forms of the inputs, some complemented.
    top = p.linear(x, [f for f, _ in forms + square], rng)
    top = [p.emit(f"~{n}") if c else n for n, (_, c) in zip(top[:18], forms)] + top[18:]
    a, b, s = top[:9], top[9:18], top[18:]
    prods = [p.emit(f"{u} & {v}") for u, v in zip(a, b)]
    pm = product_matrix(t)
    theta = p.linear(prods + s, [pm[i] | 1 << (9 + i) for i in range(4)], rng)
    theta = [p.emit(f"~{n}") if c else n for n, (_, c) in zip(theta, square)]
    d = inverse16(p, t, theta, rng)
    df = p.linear(d, FORMS, rng)
    # x^-1 = theta^-1 (b y + a y^16): coordinates 0-3 are d b, 4-7 are d a
    out_products = [p.emit(f"{u} & {v}") for u, v in zip(df, b)] + [p.emit(f"{u} & {v}") for u, v in zip(df, a)]
    back = compose(A, t.basis)                          # coordinates -> A x
    cols = [xor_all(back[i + 4 * h] for i in range(4) if pm[i] >> k & 1) for h in (0, 1) for k in range(9)]
    outs = p.linear(out_products, rows(cols, 8), rng)
    outs = [p.emit(f"~{n}") if C >> i & 1 else n for i, n in enumerate(outs)]
    return p, outs


def xor_all(it):
    r = 0
    for v in it: r ^= v
    return r


def inverse16(p, t, v, rng):
    """The same step one floor below: t = p z + q z^4, phi = p q + (p+q)^2 mu, t^-1 = phi^2 (q z + p z^4)."""
    forms = [1, 2, 3]                                   # of an element of GF(4) on (w, w^2)
    mu = power(t.z, 5)
    gf4 = {0: 0, 1: t.w, 2: mul(t.w, t.w), 3: 1}
    coord4 = {e: c for c, e in gf4.items()}
    pq = p.linear(v, [f << 2 * h for h in (0, 1) for f in forms], rng)
    P, Q = pq[:3], pq[3:]
    m = [p.emit(f"{a} & {b}") for a, b in zip(P, Q)]
    sq = [coord4[mul(power(gf4[1 << i], 2), mu)] for i in range(2)]
    # product on (w, w^2): coordinate 0 = m2 + m0, coordinate 1 = m2 + m1
    target = [0b101 | sum(((sq[j] >> i & 1) * 0b1001) << (3 + j) for j in range(2)) for i in range(2)]
    target = []
    for i in range(2):
        t_i = 0b100 | 1 << i
        for j in range(2):
            if sq[j] >> i & 1: t_i ^= 1 << (3 + j) | 1 << (5 + j)
        target.append(t_i)
    phi = p.linear(m + P[:2] + Q[:2], target, rng)
    phi = [phi[1], phi[0]]                              # squaring swaps w and w^2
    phi.append(p.emit(f"{phi[0]} ^ {phi[1]}"))
    out = []
    for other in (Q, P):
        m = [p.emit(f"{a} & {b}") for a, b in zip(phi, other)]
        out += [p.emit(f"{m[2]} ^ {m[0]}"), p.emit(f"{m[2]} ^ {m[1]}")]
    return out


def run(p, outs):
    """All 256 inputs at once: plane i holds bit i of every input."""
    env = {f"x{i}": sum((x >> i & 1) << x for x in range(256)) for i in range(8)}
    for name, expr in p.lines:
        env[name] = eval(expr, {}, env) & (1 << 256) - 1
    return [sum((env[outs[i]] >> x & 1) << i for i in range(8)) for x in range(256)]


def gates(p):
    n = {"&": 0, "^": 0, "~": 0}
    for _, e in p.lines: n["~" if "~" in e else e.split()[1]] += 1
    return n


def emit_circuit(p, outs):
    n = gates(p)
    text = [f"/* Generated by tools/gen_sm4_sbox.py: the SM4 S-box on bit planes, {n['&']} AND, {n['^']} XOR, {n['~']} NOT.",
            " * x[i] holds bit i of every byte. The including file defines the word type W. */",
            "static inline void sbox(W x[8])", "{",
            "    const W x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5], x6 = x[6], x7 = x[7];"]
    line = "   "
    for name, expr in p.lines:
        s = f" const W {name} = {expr};"
        if len(line + s) > 118: text.append(line); line = "   "
        line += s
    text += [line] + [f"    x[{i}] = {o};" for i, o in enumerate(outs)] + ["}"]
    return "\n".join(text) + "\n"


# ---- the AES field ----------------------------------------------------------------------------------
def isomorphism():
    """phi: SM4 field -> AES field, x |-> r for the smallest root r of the SM4 polynomial there."""
    for r in range(2, 256):
        if xor_all(power(r, i, AES) for i in range(9) if SM4 >> i & 1) == 0:
            phi = [power(r, i, AES) for i in range(8)]
            assert all(apply(phi, mul(a, b)) == mul(apply(phi, a), apply(phi, b), AES) for a in range(0, 256, 7) for b in range(256))
            return phi


def emit_field():
    phi = isomorphism()
    aes_m = [sum((parity(rotl8(0xF1, i) & 1 << j)) << i for i in range(8)) for j in range(8)]
    aes_s = [apply(aes_m, power(x, 254, AES)) ^ 0x63 for x in range(256)]
    assert aes_s[0] == 0x63 and aes_s[1] == 0x7C and aes_s[0x53] == 0xED
    m_in, c_in = compose(phi, A), apply(phi, C)                      # x -> phi(A x + c)
    m_inv = compose(A, invert(phi))                                  # AES inverse -> A phi^-1 (.), then + c
    m_out = compose(m_inv, invert(aes_m))
    c_out = apply(m_out, 0x63) ^ C
    for x in range(256):
        y = apply(m_in, x) ^ c_in
        assert apply(m_inv, power(y, 254, AES)) ^ C == SBOX[x] == apply(m_out, aes_s[y]) ^ c_out
    def shift(n): return [(1 << i << n if n >= 0 else 1 << i >> -n) & 0xFF for i in range(8)]   # of the bits of a byte
    def plus(*ms): return [xor_all(cols) for cols in zip(*ms)]
    one, to = shift(0), m_in
    pieces = {"TO": (to, 0), "FROM": (invert(to), 0)}
    from_s = {"FIRST": plus(one, shift(2)), "MIDDLE": plus(shift(2), shift(-6)), "LAST": plus(one, shift(-6)),
              "KEY0": one, "KEY1": shift(5), "KEY2": plus(shift(-3), shift(7)), "KEY3": shift(-1)}
    def nibbles(name, m, c):
        lo = [apply(m, i) ^ c for i in range(16)]
        hi = [apply(m, i << 4) for i in range(16)]
        return [f"#define TY_F8_SM4_{name}_{h} " + ", ".join(f"0x{v:02x}" for v in t) for h, t in (("LO", lo), ("HI", hi))]
    def gfni(name, m, c):                                            # row of result bit i sits in byte 7 - i
        return [f"#define TY_F8_SM4_GFNI_{name} 0x" + "".join(f"{r:02x}" for r in rows(m, 8)) + "u",
                f"#define TY_F8_SM4_GFNI_{name}_ADD 0x{c:02x}"]
    text = ["/* Generated by tools/gen_sm4_sbox.py from the card in f8_sm4.h. */",
            f"#define TY_F8_SM4_C 0x{c_in:02x} /* phi c, which a round key brings along */",
            "/* By nibble, for byte shuffles: to the hatted form and back. */"]
    for name, (m, c) in pieces.items(): text += nibbles(name, m, c)
    text.append("/* From the result of AESENCLAST to hatted pieces of L(S) and, KEY*, of the key schedule's L'(S). */")
    for name, m in from_s.items():
        whole = compose(compose(to, m), m_out)
        text += nibbles(name, whole, apply(compose(to, m), c_out))
    text.append("/* The same as matrices: GF2P8AFFINEQB for the first two, GF2P8AFFINEINVQB for the others. */")
    for name in ("TO", "FROM"): text += gfni(name, *pieces[name])
    for name in ("FIRST", "MIDDLE", "LAST"):
        m = compose(to, from_s[name])
        text += gfni(name, compose(m, m_inv), apply(m, C))
    return "\n".join(text) + "\n"


def search(tries):
    best = None
    for w, z, y in itertools.product(range(len(WS)), range(len(ZS)), range(len(YS))):
        for seed in range(tries):
            p, outs = circuit(Tower(WS[w], ZS[z], YS[y]), seed)
            if best is None or len(p.lines) < best[0]:
                assert run(p, outs) == SBOX
                best = len(p.lines), (w, z, y, seed)
                print(best, gates(p), flush=True)


def main():
    if "--search" in sys.argv: return search(int(sys.argv[sys.argv.index("--search") + 1]))
    w, z, y, seed = BASIS
    p, outs = circuit(Tower(WS[w], ZS[z], YS[y]), seed)
    assert run(p, outs) == SBOX
    files = {ROOT / "src/sm4/sm4_sbox.inc": emit_circuit(p, outs), ROOT / "src/mod/f8_sm4.inc": emit_field()}
    for path, text in files.items():
        if "--check" in sys.argv:
            if path.read_text() != text: sys.exit(f"{path.relative_to(ROOT)} is not what {pathlib.Path(__file__).name} writes")
        else:
            path.write_text(text)


main()
