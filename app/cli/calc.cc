/* The calculator's grammar, from the loosest to the tightest binding:
 *
 *   sum      product { (+ | -) product }
 *   product  sign { (* | / | %) sign }
 *            / rounds towards zero, % has the sign of the left side
 *   sign     { - | + } power
 *   power    primary [ ^ sign ]                 2^3^2 = 2^9, -2^2 = -4
 *   primary  number | name | function ( sum, ... ) | ( sum )
 *   number   decimal, 0x 0o 0b, BASE#DIGITS */
#include "calc.hpp"
#include "context.hpp"
#include "io.hpp"

#include <algorithm>
#include <vector>

static constexpr size_t CALC_BITS = 1u << 28;   /* of a result: 32 MiB, 80 million decimal digits */
/* levels of parentheses and signs: each takes some of the stack */
static constexpr int CALC_DEPTH = 200;

/* --- Functions -------------------------------------------------------------------------------- */

using CalcArgs = std::vector<Big>;

struct CalcFunction {
    const char *name, *args, *help;
    size_t from, to;   /* number of arguments */
    ty_err (*call)(Big &z, CalcArgs &a);
};

/* x, or 0 if it is not a number of 32 bits */
static uint32_t calc_small(const Big &x)
{
    uint64_t n = 0;
    return ty_mp_get_u64(&n, x) == TY_OK && n <= UINT32_MAX ? static_cast<uint32_t>(n) : 0;
}

/* z = f(... f(f(|a[0]|, a[1]), a[2]) ...) */
static ty_err calc_fold(Big &z, CalcArgs &a, ty_err (*f)(ty_mp *, const ty_mp *, const ty_mp *))
{
    ty_err e = ty_mp_abs(z, a[0]);
    for (size_t i = 1; i < a.size() && !e; i++) e = f(z, z, a[i]);
    return e;
}

/* z = value, if there was no error */
static ty_err calc_flag(Big &z, ty_err e, int value)
{
    if (!e) ty_mp_set_i64(z, value);
    return e;
}

static const CalcFunction calc_table[] = {
    { "powmod", "a, e, m", "a^e modulo m; e may be negative", 3, 3,
      [](Big &z, CalcArgs &a) { return ty_mp_powm_vt(z, a[0], a[1], a[2]); } },
    { "inv", "a, m", "1/a modulo m", 2, 2,
      [](Big &z, CalcArgs &a) { return ty_mp_invmod_vt(z, a[0], a[1]); } },
    { "mod", "a, m", "a modulo m, from 0 to m - 1", 2, 2,
      [](Big &z, CalcArgs &a) { return ty_mp_mod_vt(z, a[0], a[1]); } },
    { "gcd", "a, b, ...", "the greatest common divisor", 1, 99,
      [](Big &z, CalcArgs &a) { return calc_fold(z, a, ty_mp_gcd_vt); } },
    { "lcm", "a, b, ...", "the least common multiple", 1, 99,
      [](Big &z, CalcArgs &a) { return calc_fold(z, a, ty_mp_lcm_vt); } },
    { "jacobi", "a, n",
      "the Kronecker symbol (a/n): Jacobi's for odd n, Legendre's for an odd prime", 2, 2,
      [](Big &z, CalcArgs &a) {
          int k = 0;
          const ty_err e = ty_mp_kronecker_vt(&k, a[0], a[1]);
          return calc_flag(z, e, k);
      } },
    { "isprime", "n", "1 if n is prime, else 0 (BPSW and 8 rounds of Miller-Rabin)", 1, 1,
      [](Big &z, CalcArgs &a) {
          int k = 0;
          const ty_err e = ty_mp_is_prime_vt(&k, a[0], 8, ty_rng_system());
          return calc_flag(z, e, k);
      } },
    { "nextprime", "n", "the least prime above n", 1, 1,
      [](Big &z, CalcArgs &a) { return ty_mp_next_prime_vt(z, a[0]); } },
    { "sqrt", "n", "the square root, rounded down", 1, 1,
      [](Big &z, CalcArgs &a) { return ty_mp_sqrt_vt(z, nullptr, a[0]); } },
    { "root", "n, k", "the k-th root, rounded towards zero", 2, 2,
      [](Big &z, CalcArgs &a) { return ty_mp_root_vt(z, nullptr, a[0], calc_small(a[1])); } },
    { "abs", "n", "the absolute value of n", 1, 1,
      [](Big &z, CalcArgs &a) { return ty_mp_abs(z, a[0]); } },
    { "bits", "n", "the number of bits of n", 1, 1,
      [](Big &z, CalcArgs &a) {
          ty_mp_set_u64(z, a[0].bits());
          return TY_OK;
      } },
    { "and", "a, b", "bitwise, in two's complement", 2, 2,
      [](Big &z, CalcArgs &a) { return ty_mp_and(z, a[0], a[1]); } },
    { "or", "a, b", "", 2, 2, [](Big &z, CalcArgs &a) { return ty_mp_or(z, a[0], a[1]); } },
    { "xor", "a, b", "", 2, 2, [](Big &z, CalcArgs &a) { return ty_mp_xor(z, a[0], a[1]); } },
};

std::string calc_functions()
{
    std::string s;
    for (const auto &f : calc_table) {
        const std::string call = std::string(f.name) + "(" + f.args + ")";
        s += "\n  " + call;
        if (*f.help) s += std::string(call.size() < 18 ? 18 - call.size() : 1, ' ') + f.help;
    }
    return s + "\n  file(\"NAME\")      a number from a file, written as in an expression; "
               "file(\"NAME\", BASE): digits of that base"
               "\n  bytes(\"NAME\")     the bytes of a file as a number, big-endian";
}

/* --- The parser ------------------------------------------------------------------------------- */

class CalcParser {
    const std::string &text;
    const std::map<std::string, Big> &variables;
    size_t at = 0;
    int depth = 0;

    [[noreturn]] static void fail(size_t where, const std::string &what, const std::string &next,
                                  Exit status = EXIT_USAGE)
    {
        throw CalcError(status, where, what, next);
    }
    [[noreturn]] void expected(const std::string &what)
    {
        space();
        size_t end = at + 1;   /* after the character, which may have several bytes in UTF-8 */
        while (end < text.size() && (text[end] & 0xc0) == 0x80) end++;
        const std::string here =
            at < text.size() ? "found '" + text.substr(at, end - at) + "'" : "found the end";
        fail(at, "expected " + what + ", " + here, "see tongyu calc --help");
    }
    void space()
    {
        while (at < text.size() && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')))
            at++;
    }
    bool accept(char c)
    {
        space();
        if (at >= text.size() || text[at] != c) return false;
        at++;
        return true;
    }

    /* Throws if e is an error, which the library returned for an operation or function, `what`. */
    static void checked(ty_err e, size_t where, const std::string &what)
    {
        if (e == TY_OK) return;
        if (e == TY_ERR_ARG)
            fail(where, what + ": a value is out of range", "check for negative values and 0",
                 EXIT_INPUT);
        if (e == TY_ERR_NO_INVERSE)
            fail(where, what + ": there is no inverse", "the two numbers must be coprime",
                 EXIT_INPUT);
        check(e, what);
    }
    /* Throws if a result would be longer than CALC_BITS. */
    static void limited(size_t where, uint64_t bits)
    {
        if (bits > CALC_BITS)
            fail(where, "the result would have more than " + std::to_string(CALC_BITS) + " bits",
                 "that is the limit; for residues use powmod", EXIT_INPUT);
    }

    Big sum()
    {
        if (++depth > CALC_DEPTH)
            fail(at, "too many levels of parentheses or signs", "name a part of it first: x = ...");
        Big x = product();
        for (;;) {
            if (accept('+')) { const Big y = product(); checked(ty_mp_add(x, x, y), at, "+"); }
            else if (accept('-')) { const Big y = product(); checked(ty_mp_sub(x, x, y), at, "-"); }
            else break;
        }
        depth--;
        return x;
    }

    Big product()
    {
        Big x = sign();
        for (;;) {
            space();
            const size_t where = at;
            if (accept('*')) {
                const Big y = sign();
                limited(where, static_cast<uint64_t>(x.bits()) + y.bits());
                checked(ty_mp_mul(x, x, y), where, "*");
            } else if (accept('/') || accept('%')) {
                const bool rest = text[where] == '%';
                const Big y = sign();
                if (!y.sign()) fail(where, "division by zero", "the right side is 0", EXIT_INPUT);
                checked(ty_mp_div_vt(rest ? nullptr : static_cast<ty_mp *>(x),
                                     rest ? static_cast<ty_mp *>(x) : nullptr, x, y),
                        where, std::string(1, text[where]));
            } else {
                return x;
            }
        }
    }

    Big sign()
    {
        if (++depth > CALC_DEPTH)
            fail(at, "too many levels of parentheses or signs", "name a part of it first: x = ...");
        Big x;
        if (accept('-')) {
            x = sign();
            checked(ty_mp_neg(x, x), at, "-");
        } else {
            x = accept('+') ? sign() : power();
        }
        depth--;
        return x;
    }

    Big power()
    {
        Big x = primary();
        space();
        const size_t where = at;
        if (!accept('^')) return x;
        const Big e = sign();
        uint64_t n = 0;
        if (e.sign() < 0)
            fail(where, "the exponent is negative", "for inverses use powmod", EXIT_INPUT);
        if (ty_mp_get_u64(&n, e) != TY_OK || n > CALC_BITS) n = CALC_BITS + uint64_t{1};
        if (x.bits() > 1) limited(where, n * x.bits());
        else if (n > 1) n = 2 + ty_mp_bit(e, 0);   /* 0, 1, -1: of n only the parity counts */
        checked(ty_mp_pow_vt(x, x, n), where, "^");
        return x;
    }

    Big primary()
    {
        space();
        const size_t where = at;
        if (accept('(')) {
            Big x = sum();
            if (!accept(')')) expected("')'");
            return x;
        }
        const char c = at < text.size() ? text[at] : '\0';
        if (c >= '0' && c <= '9') return number();
        if (!is_letter(c)) expected("a number, a name or '('");
        const std::string word = name();
        if (accept('(')) return call(word, where);
        const auto found = variables.find(word);
        if (found != variables.end()) return found->second;
        unknown(word, where);
    }

    static bool is_letter(char c)
    {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }
    static bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }
    std::string name()
    {
        const size_t from = at;
        while (at < text.size() && is_word(text[at])) at++;
        return text.substr(from, at - from);
    }

    [[noreturn]] void unknown(const std::string &word, size_t where)
    {
        std::vector<std::string> names = {"file", "bytes"};
        for (const auto &f : calc_table) names.push_back(f.name);
        for (const auto &v : variables) names.push_back(v.first);
        const std::string near = did_you_mean(word, names);
        fail(where, "'" + word + "' is not defined",
             near.empty() ? "see tongyu calc --help" : near);
    }

    /* --- Numbers ------------------------------------------------------------------------------ */

    static Big digits_of(const std::string &digits, int base, size_t where)
    {
        Big x;
        limited(where, uint64_t{digits.size()} * 2);
        if (ty_mp_set_str_vt(x, digits.data(), digits.size(), base) == TY_ERR_FORMAT ||
            digits[0] == '-' || (digits[0] == '+' && base < 63))
            fail(where,
                 "'" + (digits.size() > 40 ? digits.substr(0, 40) + "..." : digits) +
                     "' is not a number in base " + std::to_string(base),
                 "write 0x, 0o, 0b or BASE# before digits of another base", EXIT_USAGE);
        return x;
    }

    /* The characters from here on that may be digits: + in base 63, + and / in base 64. */
    std::string digits(int base)
    {
        const size_t from = at;
        while (at < text.size() && (is_word(text[at]) || (base > 62 && text[at] == '+') ||
                                    (base > 63 && text[at] == '/')))
            at++;
        return text.substr(from, at - from);
    }

    Big number()
    {
        const size_t where = at;
        const std::string word = digits(10);
        if (at < text.size() && text[at] == '#') {
            const int base =
                word.size() <= 2 && word.find_first_not_of("0123456789") == std::string::npos
                    ? std::stoi(word)
                    : 0;
            if (base < 2 || base > 64)
                fail(where, "'" + word + "' is not a base", "a base is a number from 2 to 64");
            at++;
            const std::string rest = digits(base);
            if (rest.empty()) expected("digits");
            return digits_of(rest, base, where);
        }
        const char kind =
            word.size() > 1 && word[0] == '0' ? static_cast<char>(word[1] | 32) : '\0';
        const int base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
        if (base != 10 && word.size() == 2) expected("digits");
        return digits_of(base == 10 ? word : word.substr(2), base, where);
    }

    /* --- Calls -------------------------------------------------------------------------------- */

    Big call(const std::string &word, size_t where)
    {
        if (word == "file" || word == "bytes") return from_file(word == "bytes", where);
        const auto *const f = std::find_if(std::begin(calc_table), std::end(calc_table),
                                           [&](const CalcFunction &g) { return word == g.name; });
        if (f == std::end(calc_table)) unknown(word, where);
        CalcArgs args;
        if (!accept(')')) {
            do args.push_back(sum());
            while (accept(','));
            if (!accept(')')) expected("',' or ')'");
        }
        if (args.size() < f->from || args.size() > f->to)
            fail(where,
                 word + " takes " + f->args + ", but the number of values is " +
                     std::to_string(args.size()),
                 "see tongyu calc --help");
        Big z;
        checked(f->call(z, args), where, word);
        return z;
    }

    Big from_file(bool raw, size_t where)
    {
        if (!accept('"')) expected("the name of a file in quotes");
        const size_t end = text.find('"', at);
        if (end == std::string::npos)
            fail(at - 1, "the closing quote is missing", "end the name with \"");
        const std::string path = text.substr(at, end - at);
        at = end + 1;
        int base = 0;
        if (!raw && accept(',')) {
            const size_t there = at;
            base = static_cast<int>(std::min<uint32_t>(calc_small(sum()), 99));
            if (base < 2 || base > 64)
                fail(there, "no such base", "a base is a number from 2 to 64");
        }
        if (!accept(')')) expected("')'");
        Input in(path);
        const Secret data = in.read_all(CALC_BITS / 8, "a number");
        Big x;
        if (raw) {
            checked(ty_mp_set_be(x, data.data(), data.size()), where, path);
            return x;
        }
        return number_in(std::string(data.chars(), data.size()), path, base);
    }

    /* The number s, which is all of a file; white space in it and around it is ignored. */
    static Big number_in(std::string s, const std::string &path, int base)
    {
        s.erase(std::remove_if(s.begin(), s.end(),
                               [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }),
                s.end());
        const bool minus = !s.empty() && s[0] == '-';
        try {
            Big x;
            if (base && s.size() > minus) {
                x = digits_of(s.substr(minus), base, 0);
            } else {
                const std::map<std::string, Big> none;
                const std::string rest = s.substr(minus);
                CalcParser inner(rest, none);
                if (rest.empty() || rest[0] < '0' || rest[0] > '9') inner.expected("a number");
                x = inner.number();
                if (inner.at != rest.size()) inner.expected("the end of the number");
            }
            if (minus) check(ty_mp_neg(x, x), path);
            return x;
        } catch (const CalcError &e) {
            throw Failure(EXIT_INPUT, path + ": " + e.what(), e.next);
        }
    }

public:
    CalcParser(const std::string &s, const std::map<std::string, Big> &v) : text(s), variables(v) {}

    Big whole(size_t from)
    {
        at = from;
        Big x = sum();
        space();
        if (at != text.size()) expected("an operator or the end");
        return x;
    }

    /* The name in "name = expression", and from = where the expression begins; "" and 0 if there is
     * no name. */
    std::string assignment(size_t &from)
    {
        space();
        const size_t begin = at;
        const std::string word = at < text.size() && is_letter(text[at]) ? name() : "";
        from = 0;
        if (word.empty() || !accept('=')) return "";
        if (word == "_") fail(begin, "_ is the last result", "give the value another name");
        from = at;
        return word;
    }
};

Big Calculator::evaluate(const std::string &text)
{
    CalcParser parser(text, variables);
    size_t from = 0;
    const std::string name = parser.assignment(from);
    const Big x = parser.whole(from);
    variables["_"] = x;
    if (!name.empty()) variables[name] = x;
    return x;
}
