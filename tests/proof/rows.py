"""The semantics of general instructions: a table from (mnemonic, signature) to a function of the
machine. Other instructions are refused. Each entry is tested against the CPU by test_rows.py.

A flag that is not written here is undefined afterwards; an instruction that uses it is refused."""

from decoder import General
from outcome import Refused, Violation

FORMS = {}
CONDITIONS = {}


def row(names, *signatures):
    """Declare a row: 'rm64' in a signature stands for a register or memory of that width, and # for
    each of the widths 8, 32 and 64."""

    def declare(f):
        for name in names.split(";"):
            for signature in signatures:
                for one in _spelt_out(signature):
                    FORMS[name, one] = f
        return f

    return declare


def _spelt_out(signature):
    if "#" in signature:
        return [s for width in ("8", "32", "64") for s in _spelt_out(signature.replace("#", width))]
    if "rm" in signature:
        at = signature.index("rm")
        return [s for kind in "rm" for s in _spelt_out(signature[:at] + kind + signature[at + 2 :])]
    return [signature]


def mask(size):
    return (1 << 8 * size) - 1


def signed(value, size):
    return value - (1 << 8 * size) if value >> 8 * size - 1 & 1 else value


def number(value):
    return type(value) is int


def same(a, b):
    return getattr(a, "name", 1) == getattr(b, "name", 2) and a.size == b.size


BINARY = ("r#,rm#", "m#,r#", "rm#,i")


# --- moves ----------------------------------------------------------------------------------------
@row("mov", *BINARY, "rm16,r16", "r16,m16", "rm16,i")
@row("movabs", "r64,i")
def _(m, i, o):
    m.put(i, o[0], m.get(i, o[1]))


@row("movzx", "r32,rm8", "r64,rm8", "r32,rm16")
def _(m, i, o):
    value = m.get(i, o[1])
    m.put(
        i,
        o[0],
        (
            value
            if number(value)
            else m.join(m.split(value, o[1].size) + [0] * (o[0].size - o[1].size))
        ),
    )


@row("movsx", "r32,rm8", "r32,rm16", "r64,rm8", "r64,rm16")
@row("movsxd", "r64,rm32")
def _(m, i, o):
    value = m.get(i, o[1])
    if not number(value):
        value = m.domain.extend(value, o[1].size, o[0].size)
        return m.put(i, o[0], value)
    m.put(i, o[0], signed(value, o[1].size) & mask(o[0].size))


@row("cdqe", "")
def _(m, i, o):
    low, whole = General("eax"), General("rax")
    value = m.get(i, low)
    if number(value):
        return m.put(i, whole, signed(value, 4) & mask(8))
    m.put(i, whole, m.domain.extend(value, 4, 8))


@row("cdq", "")
def _(m, i, o):
    value = m.wide("rax")
    if not number(value):
        raise Refused("sign of data")
    m.general["rdx"] = mask(4) if value >> 31 & 1 else 0


@row("lea", "r64,m64", "r32,m32")
def _(m, i, o):
    at, total, parts = o[1], o[1].disp, []
    if at.base == "rip":
        total += i.address + i.size
    elif at.base:
        parts.append((m.wide(at.base), 1))
    if at.index:
        parts.append((m.wide(at.index), at.scale))
    if all(number(v) for v, _ in parts):
        return m.put(i, o[0], total + sum(v * k for v, k in parts) & mask(o[0].size))
    known = sum(v * k for v, k in parts if number(v)) + total
    m.put(i, o[0], m.domain.linear([p for p in parts if not number(p[0])], known, o[0].size))


@row("xchg", "r64,r64", "r32,r32")
def _(m, i, o):
    a, b = m.get(i, o[0]), m.get(i, o[1])
    m.put(i, o[0], b)
    m.put(i, o[1], a)


@row("push", "r64", "m64", "i")
def _(m, i, o):
    m.push(m.get(i, o[0]))


@row("pop", "r64")
def _(m, i, o):
    m.put(i, o[0], m.pop())


@row("leave", "")
def _(m, i, o):
    m.general["rsp"] = m.wide("rbp")
    m.general["rbp"] = m.pop()


@row("endbr64", "")
@row("nop", "", "rm16", "rm32", "rm64")
def _(m, i, o):
    pass


@row("rep stosq", "m64,r64")
@row("rep movsq", "m64,m64")
def _(m, i, o):
    count, to = m.wide("rcx"), m.wide("rdi")
    if not number(count) or not number(to):
        raise Violation("a count or an address that depends on data")
    if i.name == "rep stosq":
        m.store(to, m.split(m.wide("rax"), 8) * count)
    else:
        source = m.address_of(i, o[1])
        for k in range(count):
            m.store(to + 8 * k, m.load(source + 8 * k, 8))
        m.general["rsi"] = source + 8 * count & mask(8)
    m.general["rcx"], m.general["rdi"] = 0, to + 8 * count & mask(8)


# --- control --------------------------------------------------------------------------------------
@row("ret", "")
def _(m, i, o):
    m.go(m.pop())


@row("jmp", "i")
@row("jmp;notrack jmp", "rm64")
def _(m, i, o):
    m.go(m.get(i, o[0]))


@row("call", "i")
@row("call;notrack call", "rm64")
def _(m, i, o):
    target = m.get(i, o[0])
    m.push(m.ip)
    m.go(target)


@row("jrcxz", "i")
def _(m, i, o):
    value = m.wide("rcx")
    if not number(value):
        raise Violation("branch on data")
    if value == 0:
        m.go(m.get(i, o[0]))


def _conditions():
    table = {"b": "c", "ae": "!c", "e": "z", "ne": "!z", "s": "s", "ns": "!s", "o": "o", "no": "!o"}
    for name, flag in table.items():
        CONDITIONS[name] = (flag.strip("!"),), lambda f, n=flag[0] == "!": f ^ n
    CONDITIONS["be"] = ("c", "z"), lambda c, z: c | z
    CONDITIONS["a"] = ("c", "z"), lambda c, z: 1 - (c | z)
    CONDITIONS["l"] = ("s", "o"), lambda s, o: s ^ o
    CONDITIONS["ge"] = ("s", "o"), lambda s, o: 1 - (s ^ o)
    CONDITIONS["le"] = ("z", "s", "o"), lambda z, s, o: z | (s ^ o)
    CONDITIONS["g"] = ("z", "s", "o"), lambda z, s, o: 1 - (z | (s ^ o))


def _jump(flags, holds):
    def jump(m, i, o):
        values = [m.flag(f) for f in flags]
        if not all(number(v) for v in values):
            raise Violation("branch on data")
        if holds(*values):
            m.go(m.get(i, o[0]))

    return jump


def _move(flags, holds):
    def move(m, i, o):
        value, old = m.get(i, o[1]), m.get(i, o[0])
        m.put(i, o[0], value if holds(*(m.decided(f) for f in flags)) else old)

    return move


def _set(name, flags, holds):
    def put(m, i, o):
        if flags == ("c",) and not number(m.flag("c")):
            carry = m.flag(flags[0])
            return m.put(
                i,
                o[0],
                m.domain.resize(carry, 1) if name == "b" else m.domain.linear([(carry, -1)], 1, 1),
            )
        m.put(i, o[0], holds(*(m.decided(f) for f in flags)))

    return put


_conditions()
for _name, (_flags, _holds) in CONDITIONS.items():
    row("j" + _name, "i")(_jump(_flags, _holds))
    row("cmov" + _name, "r64,rm64", "r32,rm32")(_move(_flags, _holds))
    row("set" + _name, "rm8")(_set(_name, _flags, _holds))


# --- sums -----------------------------------------------------------------------------------------
def zero_and_sign(value, size):
    """The flags z and s; for a word of data only z, which is evaluated when it is used"""
    return (
        {"z": int(value == 0), "s": value >> 8 * size - 1 & 1}
        if number(value)
        else {"z": IsZero(value)}
    )


class IsZero:
    def __init__(self, word):
        self.word = word


def add(m, a, b, carry, size):
    """(a + b + carry) mod 2^(8 size) and the flags"""
    if a == 0 and b == 0 and not number(carry):
        value = m.domain.resize(carry, size)
        return value, {"c": 0, "o": 0, **zero_and_sign(value, size)}
    if number(a) and number(b):
        if not number(carry):
            carry = m.domain.decide(carry)
        total = a + b + carry
        value = total & mask(size)
        over = ~(a ^ b) & (a ^ value)
        return value, {
            "c": int(total != value),
            "o": over >> 8 * size - 1 & 1,
            **zero_and_sign(value, size),
        }
    value, out = m.domain.add(a, b, carry, size)
    return value, {"c": out, **zero_and_sign(value, size)}


def subtract(m, a, b, borrow, size, same_register=False):
    """(a - b - borrow) mod 2^(8 size) and the flags. SBB of a register with itself forks: its
    result controls moves that test it for zero."""
    if a == 0 and b == 0 and not number(borrow) and not same_register:
        return m.domain.mask(borrow, size), {"c": borrow}
    if number(a) and number(b):
        if not number(borrow):
            borrow = m.domain.decide(borrow)
        total = a - b - borrow
        value = total & mask(size)
        over = (a ^ b) & (a ^ value)
        return value, {
            "c": int(total < 0),
            "o": over >> 8 * size - 1 & 1,
            **zero_and_sign(value, size),
        }
    value, out = m.domain.subtract(a, b, borrow, size)
    return value, {"c": out, **zero_and_sign(value, size)}


def _sum(work, with_carry, store):
    def step(m, i, o):
        carry = m.flag("c") if with_carry else 0
        if work is subtract and same(o[0], o[1]):
            value, m.flags = subtract(m, 0, 0, carry, o[0].size, True)  # for any value
            return m.put(i, o[0], value) if store else None
        else:
            a, b = m.get(i, o[0]), m.get(i, o[1])
        value, m.flags = work(m, a, b, carry, o[0].size)
        if store:
            m.put(i, o[0], value)

    return step


for _name, _work, _with in (
    ("add", add, 0),
    ("adc", add, 1),
    ("sub", subtract, 0),
    ("sbb", subtract, 1),
):
    row(_name, *BINARY)(_sum(_work, _with, True))
row("cmp", *BINARY, "m16,i", "r16,i")(_sum(subtract, 0, False))


@row("adcx;adox", "r64,rm64")
def _(m, i, o):
    flag = "c" if i.name == "adcx" else "o"
    a, b, carry = m.get(i, o[0]), m.get(i, o[1]), m.flag(flag)
    if a == 0 and b == 0 and not number(carry):
        value, out = m.domain.resize(carry, 8), 0  # no fork: the flag as a word
    else:
        value, flags = add(m, a, b, carry, 8)
        out = flags["c"]
    m.flags = {**m.flags, flag: out}
    m.put(i, o[0], value)


@row("inc;dec", "rm32", "rm64")
def _(m, i, o):
    work = add if i.name == "inc" else subtract
    carry = m.flags.get("c")
    value, flags = work(m, m.get(i, o[0]), 1, 0, o[0].size)
    m.flags = {**flags, "c": carry}
    m.put(i, o[0], value)


@row("neg", "rm#")
def _(m, i, o):
    value, m.flags = subtract(m, 0, m.get(i, o[0]), 0, o[0].size)
    m.put(i, o[0], value)


# --- products -------------------------------------------------------------------------------------
def multiply(m, a, b):
    if number(a) and number(b):
        return a * b & mask(8), a * b >> 64
    return m.domain.multiply(a, b)


@row("mulx", "r64,r64,rm64")
def _(m, i, o):
    low, high = multiply(m, m.wide("rdx"), m.get(i, o[2]))
    m.put(i, o[1], low)
    m.put(i, o[0], high)


@row("mul", "rm64")
def _(m, i, o):
    m.general["rax"], m.general["rdx"] = multiply(m, m.wide("rax"), m.get(i, o[0]))
    m.flags = {}


@row("imul", "r64,rm64", "r64,rm64,i", "r32,rm32", "r32,rm32,i")
def _(m, i, o):
    a, b = m.get(i, o[-2]), m.get(i, o[-1])
    if number(a) and number(b):
        value = a * b & mask(o[0].size)
    else:
        value = m.domain.product_low(a, b, o[0].size)
    m.put(i, o[0], value)
    m.flags = {}


@row("div", "r64", "r32")
def _(m, i, o):
    size = o[0].size
    divisor = m.get(i, o[0])
    high, low = (m.get(i, _Part(name, size)) for name in ("rdx", "rax"))
    if not all(number(v) for v in (divisor, high, low)):
        raise Violation("division of data")
    if high >= divisor:
        raise Violation("a quotient that does not fit")
    quotient, rest = divmod(high << 8 * size | low, divisor)
    m.put(i, _Part("rax", size), quotient)
    m.put(i, _Part("rdx", size), rest)
    m.flags = {}


class _Part:
    """An implicit operand."""

    def __init__(self, name, size):
        self.name, self.size = name, size


# --- bits -----------------------------------------------------------------------------------------
LOGIC = {
    "xor": lambda a, b: a ^ b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "andn": lambda a, b: ~a & b,
}


def logic(m, name, a, b, size):
    if number(a) and number(b):
        return LOGIC[name](a, b) & mask(size)
    for x, y in ((a, b), (b, a)):  # 0 and all ones need no domain
        if number(x) and name != "andn":
            if x == 0:
                return 0 if name == "and" else y
            if x == mask(size) and name != "xor":
                return y if name == "and" else x
    return m.domain.logic(name, a, b, size)


def _bits(name, store):
    def step(m, i, o):
        size = o[0].size
        if same(o[0], o[1]):
            value = 0 if name == "xor" else m.get(i, o[0])
        else:
            value = logic(m, name, m.get(i, o[0]), m.get(i, o[1]), size)
        m.flags = {"c": 0, "o": 0, **zero_and_sign(value, size)}
        if store:
            m.put(i, o[0], value)

    return step


for _name in ("xor", "and", "or"):
    row(_name, *BINARY, "r16,r16", "r16,m16")(_bits(_name, True))
row("test", "rm#,r#", "rm#,i", "r16,r16")(_bits("and", False))


@row("andn", "r64,r64,rm64", "r32,r32,rm32")
def _(m, i, o):
    value = logic(m, "andn", m.get(i, o[1]), m.get(i, o[2]), o[0].size)
    m.flags = {"c": 0, "o": 0, **zero_and_sign(value, o[0].size)}
    m.put(i, o[0], value)


@row("not", "rm#")
def _(m, i, o):
    m.put(i, o[0], logic(m, "xor", m.get(i, o[0]), mask(o[0].size), o[0].size))


SHIFTS = {
    "shl": lambda v, k, n: v << k,
    "shr": lambda v, k, n: v >> k,
    "sar": lambda v, k, n: signed(v, n) >> k,
}


def shifted(m, kind, value, count, size):
    if number(value):
        return SHIFTS[kind](value, count, size) & mask(size)
    return value if count == 0 else m.domain.shift(kind, value, count, size)


def count_of(m, i, op, size):
    count = m.get(i, op)
    if not number(count):
        raise Violation("shift by a count that depends on data")
    return count & (63 if size == 8 else 31)


@row("shl;shr;sar", "rm64,i", "rm32,i", "rm64,r8", "rm32,r8", "r16,i", "r8,i")
def _(m, i, o):
    size = o[0].size
    value, count = m.get(i, o[0]), count_of(m, i, o[1], size)
    result = shifted(m, i.name, value, count, size)
    if count:
        m.flags = zero_and_sign(result, size)
        if number(value):
            over = (
                value << count >> 8 * size
                if i.name == "shl"
                else SHIFTS[i.name](value, count - 1, size)
            )
            m.flags["c"] = over & 1 if count <= 8 * size else None
    m.put(i, o[0], result)


@row("shlx;shrx;sarx", "r64,rm64,r64", "r32,rm32,r32")
def _(m, i, o):
    count = count_of(m, i, o[2], o[0].size)
    m.put(i, o[0], shifted(m, i.name[:3], m.get(i, o[1]), count, o[0].size))


@row("bzhi", "r64,rm64,r64", "r32,rm32,r32")
def _(m, i, o):
    size, width = o[0].size, m.get(i, o[2])
    if not number(width):
        raise Violation("a number of bits that depends on data")
    width &= 255
    kept = (1 << min(width, 8 * size)) - 1
    value = logic(m, "and", m.get(i, o[1]), kept, size)
    m.flags = {"c": int(width >= 8 * size), "o": 0, **zero_and_sign(value, size)}
    m.put(i, o[0], value)


@row("shld;shrd", "rm64,r64,i", "rm32,r32,i", "rm64,r64,r8", "rm32,r32,r8")
def _(m, i, o):
    size, count = o[0].size, count_of(m, i, o[2], o[0].size)
    a, b = m.get(i, o[0]), m.get(i, o[1])
    if count:
        kind, opposite = ("shl", "shr") if i.name == "shld" else ("shr", "shl")
        a = logic(
            m,
            "or",
            shifted(m, kind, a, count, size),
            shifted(m, opposite, b, 8 * size - count, size),
            size,
        )
        m.flags = zero_and_sign(a, size)
    m.put(i, o[0], a)


def turned(m, value, count, size):
    """The value rotated left"""
    width = 8 * size
    up, down = (shifted(m, k, value, n, size) for k, n in (("shl", count), ("shr", width - count)))
    return value if count == 0 else logic(m, "or", up, down, size)


@row("rol;ror", "rm64,i", "rm32,i", "rm64,r8", "rm32,r8")
@row("rorx", "r64,rm64,i", "r32,rm32,i")
def _(m, i, o):
    size = o[0].size
    value, count = m.get(i, o[-2]), count_of(m, i, o[-1], size)
    m.put(i, o[0], turned(m, value, count if i.name == "rol" else -count % (8 * size), size))
    if i.name != "rorx" and count:
        m.flags = {**m.flags, "c": None, "o": None}


@row("movbe", "r64,m64", "r32,m32", "m64,r64", "m32,r32")
def _(m, i, o):
    m.put(i, o[0], m.join(m.cells(i, o[1])[::-1]))


@row("bswap", "r64", "r32")
def _(m, i, o):
    m.put(i, o[0], m.join(m.split(m.get(i, o[0]), o[0].size)[::-1]))
