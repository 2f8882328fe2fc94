"""The binary curves of cards/sec2.card and cards/other_curves.card.

src/ec_f2 gets the curves of the first, a header that declares the fields, tables, and a file for
each (field, level): the code is in src/f2m and src/ec. src/f2m_any gets a file for each (size,
level) of the fields that are given at run time. src/ecdsa/any_rows.c gets the curves of the second
card. tests/ec/multiples.inc gets a multiple of the generator of each curve of both.

Every curve is checked: its field polynomial must be irreducible, b not zero, the generator G on the
curve, n a prime with nG infinity, and n times the cofactor in Hasse's interval.
"""
import re
import textwrap

from .binary_field import field_of, named_fields
from .card import load
from .formula import Bad, is_prime

TEETH, HALVES = 5, 2     # of the comb in src/ec/ec_f2_comb.h
# The tiers of TY_EC_F2_TIERS in src/ec/ec_binary.h: level, which machines have it, the engine in
# src/f2m, its product of words
LEVELS = (("c", "", "words", "ty_f2_holes32"),
          ("c64", "defined(__SIZEOF_INT128__)", "words", "ty_f2_holes64"),
          ("aesni", "defined(__x86_64__)", "vectors", ""),
          ("vaes", "defined(__x86_64__)", "pairs", ""),
          ("armce", "defined(TY_AARCH64)", "vectors", ""))
# Fields that have tiers for two more levels. gfni512 has 32 registers, XORs of three operands, and
# linear maps by GFNI, on vectors as wide as before; clmul512 has products of four elements. Their
# code takes 20 to 40 KB a field, so only some fields have them.
MORE = (("gfni512", "defined(__x86_64__)", "pairs", "", ("F2_GFNI",)),
        ("clmul512", "defined(__x86_64__)", "pairs", "", ("F2_GFNI", "F2_CLMUL512")))
MORE_FIELDS = (163, 233, 571)
FUNCTIONS = "mul mul_base mul_add_vt check check_again decompress odd".split()
FIELD_FUNCTIONS = "field_mul field_sqr field_inv field_sqrt field_solve".split()


def add(F, a, P, Q):
    """P + Q on y^2 + xy = x^3 + a x^2 + b over the field F; None is the point at infinity."""
    if P is None or Q is None:
        return P or Q
    (x, y), (u, v) = P, Q
    if x == u:
        if y ^ v == x:
            return None
        slope = x ^ F.mul(y, F.inv(x))
        z = F.mul(slope, slope) ^ slope ^ a
    else:
        slope = F.mul(y ^ v, F.inv(x ^ u))
        z = F.mul(slope, slope) ^ slope ^ x ^ u ^ a
    return z, F.mul(slope, x ^ z) ^ z ^ y


def times(F, a, k, P):
    R = None
    for bit in bin(k)[2:]:
        R = add(F, a, R, R)
        if bit == "1":
            R = add(F, a, R, P)
    return R


def number(text, base):
    try:
        return int(text, base)
    except ValueError:
        raise Bad(f"'{text}' is not a number in base {base}") from None


def entry(words, named):
    """A curve from its words on the card."""
    if len(words) != 9:
        raise Bad(f"{len(words)} words instead of 9")
    name, oid, field, h = words[:4]
    if not re.fullmatch(r"[a-z][a-z0-9-]{,30}", name) or not re.fullmatch(r"[0-2](\.\d+)+", oid):
        raise Bad(f"'{name}' is not a name of a curve, or '{oid}' not an object identifier")
    a, b, x, y, n = (number(w, 16) for w in words[4:])
    F = field_of(field, named)
    c = {"name": name, "symbol": symbol_of(name), "oid": oid, "field": F, "h": number(h, 10),
         "a": a, "b": b,
         "g": (x, y), "n": n, "root": F.frobenius(b, F.m - 1)}
    check(c)
    return c


def check(c):
    F, a, b, (x, y), n, h = c["field"], c["a"], c["b"], c["g"], c["n"], c["h"]
    sq = F.mul(x, x)
    for true, what in (
            (b and max(a, b, x, y) >> F.m == 0, "a number is not in the field, or b is 0"),
            (F.mul(y, y) ^ F.mul(x, y) == F.mul(sq, x ^ a) ^ b, "the generator is not on it"),
            (is_prime(n) and times(F, a, n, (x, y)) is None, "n is not the generator's order"),
            ((n * h - 2**F.m - 1)**2 <= 4 * 2**F.m,
             "n times the cofactor is not in Hasse's interval"),
            (F.mul(c["root"], c["root"]) == b, "no square root of b")):
        if not true:
            raise Bad(what)


def symbol_of(name):
    """The name as an identifier of C."""
    return name.replace("-", "_")


def curves(card, named, seen):
    """The curves of a card, each checked; `seen` has the names and object identifiers so far."""
    for where, words in load(card).curves:
        try:
            c = entry(words, named)
            if card == "sec2" and words[2] not in named:
                raise Bad(f"no card {words[2]}, so that its field has no kernels: see "
                          "other_curves.card")
            for key in ("name", "oid"):
                if c[key] in seen:
                    raise Bad(f"{c[key]} is that of {seen[c[key]]} too")
                seen[c[key]] = f"the curve in {where}"
        except Bad as e:
            raise Bad(f"{where}: curve {words[0] if words else ''}: {e}") from None
        yield c


def array(name, *numbers, length):
    data = b"".join(x.to_bytes(length, "big") for x in numbers)
    rows = [", ".join(f"0x{v:02x}" for v in data[i:i + 16]) for i in range(0, len(data), 16)]
    return f"static const uint8_t {name}[] = {{\n    " + ",\n    ".join(rows) + "\n};"


def base_points(c):
    """The constants q and c of src/ec/ec_f2_complete.h, and the comb's table in its coordinates:
    pairs X = q/x, S = q (y + x^2 + (a + 1) x)/x^2."""
    F, (x, y) = c["field"], c["g"]
    q, a = F.frobenius(c["root"], F.m - 1), int(c["h"] == 2)
    change, t = 0, c["a"] ^ a
    for _ in range((F.m + 1) // 2):
        change, t = change ^ t, F.frobenius(t, 2)
    assert F.mul(change, change) ^ change == c["a"] ^ a, "half-trace"
    e = -(-(c["n"].bit_length() + 1) // (TEETH * HALVES))
    d = HALVES * e
    powers = [(x, y ^ F.mul(change, x))]
    for _ in range(d * TEETH):
        powers.append(add(F, a, powers[-1], powers[-1]))
    rows = []
    for half in range(HALVES):
        for bits in range(2 ** (TEETH - 1)):
            P = powers[half * e + (TEETH - 1) * d]
            for t in range(TEETH - 1):
                u, v = powers[half * e + t * d]
                P = add(F, a, P, (u, v if bits >> t & 1 else u ^ v))
            u, v = P
            i = F.mul(q, F.inv(u))
            rows.append((i, F.mul(F.mul(i, F.inv(u)), v ^ F.mul(u, u) ^ (0 if a else u))))
    return [(q, change)] + rows


def base_text(c):
    words = c["field"].m // 64 + 1
    lines = [f"static const uint64_t {c['symbol']}_base[] = {{"]
    for pair in base_points(c):
        data = [x >> 64 * i & 2**64 - 1 for x in pair for i in range(words)]
        for i in range(0, len(data), 4):
            lines.append("    " + ", ".join(f"0x{w:016x}" for w in data[i:i + 4]) + ",")
    return "\n".join(lines + ["};"]) + "\n"


def tau_constants(c):
    """The constants of src/ec/ec_tau.h, in the ring where tau^2 + 2 = tau: the curve's own tau is
    mu times that."""
    m, n, mu = c["field"].m, c["n"], 1 if c["a"] else -1
    d0 = d1 = 0
    x, y, sign = 1, 0, 1     # tau^i
    for _ in range(m):
        d0, d1, sign = d0 + sign * x, d1 + sign * y, sign * mu
        x, y = -2 * y, x + y
    assert d0 * d0 + d0 * d1 + 2 * d1 * d1 == n and d0 % 2, "norm of delta"
    bits = 8 * ((n.bit_length() + 7) // 8 + 1)
    scale, words = -(-(bits + 8) // 64), (m // 2 + 36) // 64 + 1
    g = [(2 * (x << 64 * scale) + n) // (2 * n) for x in (d0 + d1, -d1)]
    g_words = max(x.bit_length() for x in g) // 64 + 1
    digits = 4
    while 1 << digits < 26 * n:
        digits += 4
    assert digits <= 64 * 9 and words <= 6 and scale + words <= 16, "room"
    data = [x >> 64 * i & 2**64 - 1 for x, size in ((d0, words), (d1, words), (g[0], g_words),
                                                    (g[1], g_words)) for i in range(size)]
    rows = ["    " + ", ".join(f"0x{w:016x}" for w in data[i:i + 4])
            for i in range(0, len(data), 4)]
    symbol = c["symbol"]
    return (f"static const uint64_t {symbol}_tau_words[] = {{\n" + ",\n".join(rows) + "\n};\n"
            f"static const ty_ec_tau {symbol}_tau = {{ {mu}, {digits}, {bits}, {scale}, {words}, "
            f"{g_words}, {symbol}_tau_words }};\n")


def loose(m, k1):
    """F2_LOOSE of src/f2m/f2m_size.h."""
    size, words = (m + 7) // 8, m // 64 + 1
    cut = 16 * size - 128 * (m // 128)
    return 8 * size if words % 2 and cut - m + k1 < 64 else 64 * words


def frobenius_text(named):
    """The linear maps of src/f2m/f2m_frobenius.h."""
    out = ["/* Generated by tools/gen.py: the images of every x^i that an element may contain,",
           " * under x -> x^(2^floor(m/4)), for f2m_frobenius.h. */",
           "#include <stdint.h>", "", "#if defined(__x86_64__)"]
    for F in named.values():
        m, words = F.m, F.m // 64 + 1
        rows, width = loose(m, F.ks[0]), -(-words // 4) * 4
        step, image = F.frobenius(2, (m - 1) // 4), 1
        out += [f"extern const uint64_t ty_f2_frobenius_{m}[{rows}][{width}];",
                f"const uint64_t ty_f2_frobenius_{m}[{rows}][{width}] "
                f"__attribute__((aligned(32))) = {{"]
        for _ in range(rows):
            row = [f"0x{image >> 64 * i & 2**64 - 1:x}" for i in range(words)]
            lines = [", ".join(row[i:i + 4]) for i in range(0, words, 4)]
            out.append("    { " + ",\n      ".join(lines) + " },")
            image = F.mul(image, step)
        out += ["};", ""]
    return "\n".join(out + ["#endif", ""])


def affine_text(named):
    """The same maps for src/f2m/f2m_affine.h: for each byte of an argument and each byte of a
    result a matrix of 8 by 8 bits in GFNI's form, whose highest byte is the row of bit 0."""
    out = ["/* Generated by tools/gen.py: x -> x^(2^floor(m/4)) as matrices of 8 by 8 bits, for",
           " * f2m_affine.h: a row for each byte of an argument, a column for each of a result. */",
           "#include <stdint.h>", "", "#if defined(__x86_64__)"]
    for F in named.values():
        m = F.m
        if m not in MORE_FIELDS:
            continue
        rows, width = loose(m, F.ks[0]) // 8, ((m + 7) // 8 + 7) // 8 * 8
        step, image, images = F.frobenius(2, (m - 1) // 4), 1, []
        for _ in range(8 * rows):
            images.append(image)
            image = F.mul(image, step)
        out += [f"extern const uint64_t ty_f2_affine_{m}[{rows}][{width}];",
                f"const uint64_t ty_f2_affine_{m}[{rows}][{width}] "
                f"__attribute__((aligned(64))) = {{"]
        for i in range(rows):
            row = []
            for j in range(width):
                bits = [sum((images[8 * i + k] >> 8 * j + r & 1) << k for k in range(8))
                        for r in range(8)]
                row.append(f"0x{int.from_bytes(bytes(bits), 'big'):x}")
            text = textwrap.fill(", ".join(row), 96, initial_indent="      ",
                                 subsequent_indent="      ")
            out.append("    { " + text.lstrip() + " },")
        out += ["};", ""]
    return "\n".join(out + ["#endif", ""])


def own_text(own):
    base = ["/* Generated by tools/gen.py from cards/sec2.card: constants and multiples of",
            " * the generators for ec_f2_complete.h and ec_f2_comb.h, pairs of elements as words. "
            "*/"]
    out = ["/* Generated by tools/gen.py from cards/sec2.card: the binary curves of SEC 2,",
           " * weakest first. Each array is a || b || sqrt(b) || x || y of the generator, then "
           "its order; for",
           " * Koblitz curves the constants of ec_tau.h. */",
           '#include "ec_f2/ec_f2_fields.h"', '#include "ec_f2/curves_f2_base.inc"', ""]
    rows = []
    for c in own:
        size, m, symbol = (c["field"].m + 7) // 8, c["field"].m, c["symbol"]
        out.append(array(symbol, c["a"], c["b"], c["root"], *c["g"], length=size))
        out.append(array(symbol + "_n", c["n"], length=(c["n"].bit_length() + 7) // 8) + "\n")
        koblitz = c["b"] == 1 and c["a"] < 2
        tau = f"&{symbol}_tau" if koblitz else "0"
        if koblitz:
            out.append(tau_constants(c))
        ks = ", ".join(str(k) for k in (c["field"].ks + [0, 0])[:3])
        rows.append(f'    {{ "{c["name"]}", "{c["oid"]}", {m}, {{ {ks} }}, {c["n"].bit_length()}, '
                    f'{c["h"]},\n      {symbol}, {symbol}_n, {symbol}_base, {int(c["b"] == 1)}, '
                    f'{tau}, ty_ec_f2_{m}_tiers, 0 }},')
        base.append(base_text(c))
    out += ["const ty_ec_curve ty_ec_f2_curves[] = {"] + rows + ["    { 0, 0, 0, { 0, 0, 0 }, 0, "
                                                                 "0, 0, 0, 0, 0, 0, 0, 0 }", "};"]
    return "\n".join(out) + "\n", "\n".join(base)


def any_text(others):
    out = ["/* Generated by tools/gen.py from cards/other_curves.card: binary curves of other",
           " * standards, without kernels of their own. Each array is a || b || x || y of the",
           " * generator, then its order. */",
           '#include "ecdsa/any_rows.h"', ""]
    rows = []
    for c in others:
        size, n_len = (c["field"].m + 7) // 8, (c["n"].bit_length() + 7) // 8
        symbol = c["symbol"]
        out.append(array(symbol, c["a"], c["b"], *c["g"], length=size))
        out.append(array(symbol + "_n", c["n"], length=n_len) + "\n")
        ks = ", ".join(str(k) for k in (c["field"].ks + [0, 0])[:3])
        rows.append(f'    {{ "{c["name"]}", "{c["oid"]}", {c["field"].m}, {{ {ks} }}, {n_len}, '
                    f'{c["h"]},\n      {symbol}, {symbol}_n }},')
    out += ["const ty_ec_any_row ty_ec_any_rows[] = {"] + rows + ["    { 0, 0, 0, { 0, 0, 0 }, 0, "
                                                                  "0, 0, 0 }", "};"]
    return "\n".join(out) + "\n"


def multiples_text(every):
    """For each curve a point kG, by the definition, with which tests compare the code. k is n -
    0x9E3779B97F4A7C15, which is as long as n."""
    out = ["// Generated by tools/gen.py from the cards of curves: name, k, and the coordinates "
           "of kG, computed",
           "// by the affine formulas of tools/generate/binary_curves.py."]
    for c in every:
        F, k = c["field"], 0x9E3779B97F4A7C15
        x, y = times(F, c["a"], k, c["g"])
        size = (F.m + 7) // 8
        out += [f'{{"{c["name"]}", "{c["n"] - k:0{2 * ((c["n"].bit_length() + 7) // 8)}x}",',
                f' "{x:0{2 * size}x}",', f' "{x ^ y:0{2 * size}x}"}},']
    return "\n".join(out) + "\n"


def ops_struct(family, level, functions):
    body = textwrap.fill(", ".join(functions), 95, initial_indent="    ", subsequent_indent="    ",
                         break_on_hyphens=False)
    return f"const ty_ec_binary_ops ty_{family}_ops_{level} = {{\n{body}\n}};\n"


def file_text(what, level, gate, header, text):
    """The file of one level: the header for every machine, the text for those that have the
    level."""
    if gate:
        text = f"#if {gate}\n{text}#endif\n"
    return (f'/* Generated by tools/gen.py: curves over {what}, level {level}. */\n#include '
            f'"{header}"\n{text}')


def instance(m, koblitz, level, gate, body, product, defines=()):
    """The file of one (field, level)."""
    functions = ["mul_koblitz" if koblitz else "mul"] + FUNCTIONS[1:] + FIELD_FUNCTIONS
    names = [f"ty_ec_f2_{m}_{name}_{level}" for name in functions]
    names.insert(1, f"ty_ec_f2_{m}_mul_four_{level}" if "F2_CLMUL512" in defines else "NULL")
    text = (f'#include "f2m/f2_{m}_const.h"\n#define TY_LEVEL {level}\n#define EC_KOBLITZ '
            f'{int(koblitz)}\n'
            + (f"#define F2_CLMUL {product}\n" if product else "")
            + "".join(f"#define {name} 1\n" for name in defines)
            + f'#include "f2m/f2m_{body}.h"\n#include "ec/ec_f2_verify.h"\n'
            + ('#include "ec/ec_f2_four.h"\n' if "F2_CLMUL512" in defines else "") + "\n"
            + ops_struct(f"ec_f2_{m}", level, names)
            + (f"TY_FAMILY_ROWS(ec_f2_{m}, TY_EC_F2_{m}_TIERS);\n" if level == "c" else "")
            + ("" if product else '#include "base/level_end.h"\n'))
    return file_text(f"GF(2^{m})", level, gate, "ec_f2/ec_f2_fields.h", text)


def any_instance(level, gate):
    """The file of one level of the curves given at run time."""
    names = [f"ty_ec_any_{name}_{level}" for name in FUNCTIONS] + ["NULL"] * len(FIELD_FUNCTIONS)
    names.insert(1, "NULL")
    text = (f'#define TY_LEVEL {level}\n#include "ec/ec_any_tier.h"\n\n' +
            ops_struct("ec_any", level, names))
    return file_text("a field given at run time", level, gate, "ec/ec_any_points.h", text)


def size_instance(words, level, gate, body):
    """The file of one (size, level) of the fields given at run time: the code is in
    src/f2m/f2_any_<body>.h."""
    def name(op):
        return f"ty_f2_any_w{words}_{op}_{level}"
    text = f'#define TY_LEVEL {level}\n#define ANY_W {words}\n#include "f2m/f2_any_{body}.h"\n\n'
    if body == "lanes":
        kernels = ", ".join([name(op) for op in ("mul", "sqr_n", "mul_mul", "mul_sqr")] +
                            [f"ty_f2_any_canon_{level}"])
        kernels = textwrap.fill(kernels, 89, initial_indent="      ", subsequent_indent="      ")
        text += (f"extern const ty_f2_any_size {name('size')};\nconst ty_f2_any_size "
                 f"{name('size')} = {{\n    {{ {kernels.lstrip()} }},\n    {name('rung')}\n}};\n")
    else:
        own = {2: ("one",), 3: ("one", "two", "full1"),
               4: ("one", "two", "dense", "full1")}.get(words, ())
        rungs = [name("rung_" + (s if s in own else "other"))
                 for s in ("one", "two", "dense", "full1", "full2")]
        rungs = textwrap.fill(", ".join(rungs), 91, initial_indent="      ",
                              subsequent_indent="      ")
        text += (f"extern const ty_f2_any_rungs {name('rungs')};\nconst ty_f2_any_rungs "
                 f"{name('rungs')} = {{\n    {{ {rungs.lstrip()} }}\n}};\n")
    text += '#include "base/level_end.h"\n'
    return file_text(f"a field of {words} words", level, gate, "f2m/f2_any.h",
                     text).replace("curves over", "arithmetic in")


def fields_header(fields):
    out = ["/* Generated by tools/gen.py: the fields of the named curves, each a family with the",
           " * tiers that all have; some have two more. */",
           "#ifndef TY_EC_F2_EC_F2_FIELDS_H", "#define TY_EC_F2_EC_F2_FIELDS_H", "",
           '#include "ec/ec_binary.h"', ""]
    for m in fields:
        wide = "WIDE_" if m in MORE_FIELDS else ""
        out += [f"typedef ty_ec_binary_ops ty_ec_f2_{m}_ops;",
                f"#define TY_EC_F2_{m}_TIERS(X) TY_EC_F2_{wide}TIERS(X, ec_f2_{m})",
                f"TY_FAMILY(ec_f2_{m}, TY_EC_F2_{m}_TIERS)", ""]
    return "\n".join(out + ["#endif", ""])


def texts():
    named, fields = named_fields(), {}
    seen = {}
    own_curves, others = (list(curves(card, named, seen)) for card in ("sec2", "other_curves"))
    for c in own_curves:
        fields[c["field"].m] = fields.get(c["field"].m, False) or c["b"] == 1
    own, base = own_text(own_curves)
    files = {"src/ec_f2/curves_f2.c": own, "src/ec_f2/curves_f2_base.inc": base,
             "src/ec_f2/ec_f2_fields.h": fields_header(fields),
             "src/ec_f2/f2_frobenius.c": frobenius_text(named),
             "src/ec_f2/f2_affine.c": affine_text(named),
             "src/ecdsa/any_rows.c": any_text(others),
             "tests/ec/multiples.inc": multiples_text(own_curves + others)}
    for level, gate, body, product in LEVELS:
        files[f"src/ec_f2/ec_any_{level}.c"] = any_instance(level, gate)
        if not product:
            for words in range(2, 10):
                engine = {"vectors": "lanes"}.get(body, body)
                files[f"src/f2m_any/f2_any_w{words}_{level}.c"] = size_instance(words, level, gate,
                                                                                engine)
        for m, koblitz in fields.items():
            files[f"src/ec_f2/ec_f2_{m}_{level}.c"] = instance(m, koblitz, level, gate, body,
                                                               product)
    for m in MORE_FIELDS:
        for row in MORE:
            files[f"src/ec_f2/ec_f2_{m}_{row[0]}.c"] = instance(m, fields[m], *row)
    return files
