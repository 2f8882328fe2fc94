"""What the functions of controls_bits.S should compute, right or wrong."""

from contract import In
from f2m import OutBelow
from polynomials import Over2, equal

HOLES, FULL = 0x1111111111111111, (1 << 64) - 1


def spread(c):
    return sum((c >> k & 1) << 2 * k for k in range(4))


def bit(k):
    return lambda c: c & 1 << k


def masked(mask):
    return lambda c: c & mask


CLAIMS = {
    "sum": lambda v: v.x.map(bit(0)) + v.y.map(bit(0)),
    "sum_right": lambda v: v.x.map(bit(0)) + v.y.map(bit(1)),
    "vector_sum": lambda v: v.x.map(bit(0)) + v.y.map(bit(0)),
    "holes_right": lambda v: v.x.map(masked(HOLES >> 4)) * v.y.map(masked(HOLES >> 4)),
    "holes": lambda v: v.x.map(masked(HOLES)) * v.y.map(masked(HOLES)),
    "either_right": lambda v: v.x.map(masked(0xFF)) + v.y.map(masked(0xFF00)),
    "either": lambda v: v.x + v.y,
    "table": lambda v: v.x.map(spread),
    "index": lambda v: v.x.map(spread),
    "negative": lambda v: v.x.map(lambda c: -(c & 1) % 2**64),
    "shift": lambda v: v.x.map(lambda c: c >> 3),
    "product": lambda v: v.x * v.y,
    "square": lambda v: v.x * v.x,
    "sum_of_three": lambda v: v.x + v.y.map(lambda c: c << 1 & FULL) + v.y,
    "borrow": lambda v: v.x.map(bit(0)) + v.y.map(bit(0)),
    "borrow_and": lambda v: v.x.map(bit(0)) * v.y.map(bit(0)) + v.y.map(bit(0)),
    "borrow_shift": lambda v: (v.x.map(bit(0)) + v.y.map(bit(0))).map(lambda c: c << 1),
    "borrow_mask": lambda v: v.x + v.x,
    "times_shifted": lambda v: v.x * v.x.map(lambda c: c << 1 & FULL),
    "garbage": lambda v: v.x,
    "too_long": lambda v: v.x.map(lambda c: c >> 4),
}
RARE = ("holes",)  # only one input in 2^32 refutes it


def control(name):
    claim = CLAIMS.get(name) or CLAIMS[name.replace("_right", "")]
    bound = 1 << 60 if name.startswith("too_long") else None
    found = Over2(
        "control",
        "",
        "controls_bits.o",
        name,
        "n = 1",
        "as CLAIMS has it",
        [OutBelow("z", 2, result_below=bound), In("x", 1), In("y", 1)],
        lambda v: [equal(v.z, claim(v))],
    )
    found.garbage = name.startswith("garbage")
    return found


def true_theorems():
    import f2m
    import ghash

    wanted = {
        f2m: "113_mul_c(m = 113; apart)|163_sqr_vaes(m = 163; z = x)|131_canon_c(|163_trace_aesni(|"
        "131_sqr_n_c(n = 2",
        ghash: "horner_vaes(n = 1;|ladder_aesni(n = 9; reflected|powers_c64(",
    }
    for family, text in wanted.items():
        for theorem in family.theorems():
            if any(t in theorem.name for t in text.split("|")):
                yield theorem


def false_statements():
    """False theorems about code that is right."""
    import f2m
    import ghash
    from contract import InOut, Out
    from polynomials import congruent

    field = f2m.Field(131)
    limbs, loose = field.limbs("vaes")
    x, y = (In(name, limbs, below=1 << loose) for name in "xy")
    z = OutBelow("z", limbs, result_below=1 << loose)
    f, other = field.modulus, field.modulus ^ 6

    def of(kernel, text, arguments, ensures, **more):
        symbol = f"ty_f2_131_{kernel}_vaes"
        member = "ec_f2_131_vaes.c.o"
        return Over2("false", "vaes", member, symbol, "m = 131", text, arguments, ensures, **more)

    for text, claim in (
        ("z == x y + x", lambda v: [congruent(v.z, v.x * v.y + v.x, f)]),
        ("z == x^2", lambda v: [congruent(v.z, v.x * v.x, f)]),
        ("another field", lambda v: [congruent(v.z, v.x * v.y, other)]),
        ("z = x y, not reduced", lambda v: [equal(v.z, v.x * v.y)]),
    ):
        yield of("mul", text, [z, x, y], claim)
    yield of("sqr", "z == x^4", [z, x], lambda v: [congruent(v.z, v.x.power(2, f), f)])
    long = In("x", limbs, below=1 << loose + 8)
    yield of("sqr", "longer x", [z, long], lambda v: [congruent(v.z, v.x.power(1, f), f)])
    word = InOut("x", 3, "z", below=1 << loose)
    word.result_below = 1 << 130
    yield of("canon", "deg z < m - 1", [word], lambda v: [congruent(v.z, v.x, f)])
    yield of(
        "trace",
        "the trace is x_0",
        [x],
        lambda v: [equal(v.t, v.x.map(lambda c: -(c & 1) % 2**64))],
        result="t",
    )
    for theorem in ghash.theorems():
        if "horner_aesni(n = 2;" in theorem.name:
            first = theorem
    table = lambda v, k: ghash.power_of("aesni", v.power, k)

    def exchanged(v):
        read = lambda n: v.x.map(lambda c: ghash.big_endian(ghash.block(n)(c)))
        total = (v.y.map(ghash.big_endian) + read(1)) * table(v, 2) + read(0) * table(v, 1)
        return [congruent(v.z.map(ghash.big_endian).map(lambda c: c << 128), total, ghash.P)]

    yield ghash.Ghash(
        "false", "aesni", first.member, first.symbol, "n = 2", "two blocks exchanged",
        first.arguments, exchanged,
    )
    yield ghash.Ghash(
        "false", "aesni", "f2_128_aesni.c.o", "ty_f2_128_powers_aesni", "n = 8", "h^3 is h h",
        [Out("power", 16), In("h", 2)],
        lambda v: [
            congruent(table(v, 3).map(lambda c: c << 128), table(v, 1) * table(v, 1), ghash.P)
        ],
    )
