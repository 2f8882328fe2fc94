// Integers: ring laws on structured operands, known answers, corner cases; failing allocations and
// impossible sizes (memory_cases.inc), primes (prime_cases.inc), many powers at once
// (many_cases.inc), transforms (transform_cases.inc), common factors (factor_cases.inc).
#include "mp/mp_support.hpp"
extern "C" {
#include "modn/ifma.h"
#include "modn/lanes.h"
#include "modn/reals.h"
#include "mp/lehmer.h"
#include "mp/mont.h"
#include "mod/ntt.h"
#include "mp/prime_internal.h"
#include "mp/radix.h"
}
#include "support/hex.hpp"
#include "support/tiers.hpp"
#include <cfenv>

static TestRng source(9);
static const ty_rng rng = source.ty();

static Int square(const Int &x) { Int z; EXPECT_EQ(ty_mp_sqr(z, x), TY_OK); return z; }

TEST(Mp, RingLaws)
{
    TestRng r(1);
    for (int i = 0; i < (full() ? 20000 : 300); i++) {
        const Lowered t(4 + r.below(8), 10 + r.below(20), 48, r.below(2) ? 4 + r.below(40) : 1000);
        const size_t n = r.below(4) ? 10 : 80;
        const Int x = drawn(r, r.below(n)), y = drawn(r, r.below(n)), z = drawn(r, r.below(n));
        ASSERT_EQ(x + y, y + x);
        ASSERT_EQ(x * y, y * x);
        ASSERT_EQ((x + y) + z, x + (y + z));
        ASSERT_EQ((x * y) * z, x * (y * z));
        ASSERT_EQ(x * (y + z), x * y + x * z);
        ASSERT_EQ((x - y) + y, x);
        ASSERT_EQ(x - x, Int(0));
        ASSERT_EQ(square(x), x * x);
        ASSERT_EQ(square(x + y), square(x) + ((x * y) << 1) + square(y));
        ASSERT_EQ(-(-x), x);
        if (!ty_mp_sign(y)) continue;
        Int q, m;
        ASSERT_EQ(ty_mp_div(q, m, x, y), TY_OK);
        ASSERT_EQ(q * y + m, x);
        ASSERT_LT(ty_mp_cmp_abs(m, y), 0);
        ASSERT_TRUE(ty_mp_sign(m) == 0 || ty_mp_sign(m) == ty_mp_sign(x));
    }
}

// Products by every method at the lengths around each threshold, compared with the schoolbook
// method.
TEST(Mp, Thresholds)
{
    TestRng r(2);
    for (size_t n = 1; n <= 40; n++) {
        for (size_t k : {n, n / 2 + 1, (size_t)3}) {
            const Int x = drawn(r, n), y = drawn(r, k);
            Int product, squares;
            {
                const Lowered t(1000, 2000);
                product = x * y, squares = square(x);
            }
            for (size_t karatsuba : {4, 5, 8}) {
                const Lowered t(karatsuba, 1000);
                ASSERT_EQ(x * y, product) << n << " " << k;
                ASSERT_EQ(square(x), squares) << n;
            }
            for (size_t ntt : {8, 100}) {
                const Lowered t(5, 10, 48, ntt);
                ASSERT_EQ(x * y, product) << n << " " << k;
                ASSERT_EQ(square(x), squares) << n;
            }
        }
    }
}

// The division by 3 in Toom's method borrows where a limb of the dividend is less than the borrow
// from it, which random numbers do not test: x = 1, y = z B^k with z = ((B - 1)/3) B + (B + 2)/3,
// so that 3z has a limb of zero.
TEST(Mp, BorrowInToomsDivision)
{
    const size_t n = 12, k = 4;
    const Lowered t(5, 10);   // Toom's scratch is only counted above Karatsuba's threshold
    std::vector<ty_limb> x(n), y(n), z(2 * n), want(2 * n), work(ty_mp_mul_work(n, n));
    const ty_limb third = ~(ty_limb)0 / 3;
    for (ty_limb low : {third + 1, 2 * third + 2}) {
        x[0] = 1;
        y[k] = low, y[k + 1] = low == third + 1 ? third : 2 * third;
        want[k] = y[k], want[k + 1] = y[k + 1];
        ty_mp_toom3(z.data(), x.data(), y.data(), n, work.data());
        EXPECT_EQ(z, want);
    }
}

// Quotients by recursive division and by reciprocals, from very short numbers on, compared with the
// constant-time schoolbook division.
TEST(Mp, LongDivision)
{
    TestRng r(21);
    for (int i = 0; i < (full() ? 50000 : 600); i++) {
        const Lowered t(4 + r.below(8), 10 + r.below(20), 4 + r.below(6),
                        r.below(2) ? 4 + r.below(40) : 1000, r.below(2) ? 4 + r.below(20) : 1000);
        const size_t n = r.below(6) ? 24 : 90;
        Int x = drawn(r, 1 + r.below(2 * n));
        const Int y = drawn(r, 1 + r.below(n));
        if (!ty_mp_sign(y)) continue;
        if (r.below(4) == 0) x = x * y + Int((int64_t)r.below(3) - 1);   /* next to a multiple */
        Int q, m, quotient, rest;
        ASSERT_EQ(ty_mp_div(q, m, x, y), TY_OK);
        ASSERT_EQ(ty_mp_div_vt(quotient, rest, x, y), TY_OK);
        ASSERT_EQ(quotient, q) << x << " / " << y;
        ASSERT_EQ(rest, m) << x << " / " << y;
        ASSERT_EQ(ty_mp_div_vt(nullptr, rest, x, y), TY_OK);   // without the quotient
        ASSERT_EQ(rest, m);
        ASSERT_EQ(ty_mp_div_vt(x, nullptr, x, y), TY_OK);      // in place
        ASSERT_EQ(x, q);
    }
}

// The definition of a reciprocal, 4 <= B^2n/d - x < 6, for divisors at the ends of their range and
// structured ones, of every length
TEST(Mp, Reciprocals)
{
    TestRng r(22);
    for (size_t n = 1; n < (full() ? 600 : 120); n++) {
        const Lowered t(4 + r.below(8), 10 + r.below(20), 4 + r.below(6),
                        r.below(2) ? 4 + r.below(40) : 1000, 4 + r.below(20));
        for (int i = 0; i < 6; i++) {
            std::vector<ty_limb> d = i < 2 ? std::vector<ty_limb>(n, i ? ~(ty_limb)0 : 0)
                                           : structured(r, n),
                                 x(n + 1);
            d[n - 1] |= (ty_limb)1 << (TY_LIMB_BITS - 1);
            ASSERT_EQ(
                ty_mp_reciprocal_vt(x.data(), d.data(), n, ty_limb_recip_vt(d[n - 1]), nullptr),
                TY_OK);
            Int divisor, reciprocal;
            ASSERT_EQ(ty_mp_grow(divisor, n), TY_OK);
            ASSERT_EQ(ty_mp_grow(reciprocal, n + 1), TY_OK);
            ty_mp_load(divisor, d.data(), n);
            ty_mp_fit(divisor, n, 0);
            ty_mp_load(reciprocal, x.data(), n + 1);
            ty_mp_fit(reciprocal, n + 1, 0);
            const Int rest = (Int(1) << 2 * n * TY_LIMB_BITS) - reciprocal * divisor;
            ASSERT_GE(ty_mp_cmp(rest, divisor * Int(4)), 0) << n;
            ASSERT_LT(ty_mp_cmp(rest, divisor * Int(6)), 0) << n;
        }
    }
}

// The number that a text represents, by Horner's rule
static Int horner(const std::string &s, int radix)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";
    Int z;
    const bool neg = s[0] == '-';
    for (size_t i = neg; i < s.size(); i++) z = z * Int(radix) + Int(strchr(digits, s[i]) - digits);
    return neg ? -z : z;
}

// Text of every radix, of lengths below and above the limits of each method: structured numbers,
// powers of the radix and their neighbours, zeros inside; and back to numbers, also with leading
// zeros.
TEST(Mp, Text)
{
    TestRng r(22);
    for (int i = 0; i < (full() ? 6000 : 250); i++) {
        const int radix = r.below(2) ? 10 : 2 + (int)r.below(63);
        const size_t most = r.below(4) ? 20 : r.below(8) ? 60 : 260;
        Int x = drawn(r, r.below(most) * 64 / TY_LIMB_BITS);
        if (r.below(3) == 0) {
            ASSERT_EQ(ty_mp_pow_vt(x, Int(radix),
                                   r.below(most * 60) * 69 / 100 / ty_limb_bits((ty_limb)radix)),
                      TY_OK);
            x = x + Int((int64_t)r.below(3) - 1);
        }
        const std::string s = x.str(radix);
        if (most < 60 || i % 8 == 0) { ASSERT_EQ(horner(s, radix), x) << s; }
        const bool neg = s[0] == '-';
        Int back(s, radix),
            padded((neg ? "-" : "") + std::string(r.below(100), '0') + s.substr(neg), radix);
        ASSERT_EQ(back, x) << radix << " " << s;
        ASSERT_EQ(padded, x) << radix << " " << s;
        ASSERT_TRUE(s == "0" || s[neg] != '0') << s;
        std::string wrong = s;
        wrong[neg + r.below((uint32_t)(s.size() - neg))] = "!:@[`{\xb9,."[r.below(9)];
        ASSERT_EQ(ty_mp_set_str_vt(back, wrong.data(), wrong.size(), radix), TY_ERR_FORMAT)
            << radix << " " << wrong;
        ASSERT_EQ(back, x);
    }
    for (char c = 0; c < 127; c++) {   // every character is a digit, or is refused, at every place
        const bool digit = c >= '0' && c <= '9';
        for (size_t at = 0; at < 10; at++) {
            std::string s = "1234567890";
            s[at] = c;
            Int z;
            const bool sign = at == 0 && (c == '-' || c == '+');
            EXPECT_EQ(ty_mp_set_str_vt(z, s.data(), s.size(), 10),
                      digit || sign ? TY_OK : TY_ERR_FORMAT)
                << s;
        }
    }
}

// Texts around the numbers of chunks at which reading or writing changes its method: whole chunks,
// and a digit more or less. 10...0 and 9...9 differ by 1.
TEST(Mp, TextByChunks)
{
    for (int radix : {10, 7, 63}) for (unsigned fit : {TY_LIMB_BITS, TY_LIMB_BITS - 2}) {
        const size_t digits = ty_radix_prepare(radix, fit).count;
        for (size_t chunks : { 1,  2,  3,  4,  5,  8,   11,  12,  13,  19,  20, 21,
                               28, 29, 36, 49, 50, 111, 112, 113, 120, 150, 225 }) {
            for (size_t n = chunks * digits - 1; n <= chunks * digits + 1; n++) {
                Int power;
                ASSERT_EQ(ty_mp_pow_vt(power, Int(radix), n), TY_OK);
                const std::string round = "1" + std::string(n, '0'),
                                  full = std::string(n, ty_radix_digits[radix - 1]);
                ASSERT_EQ(Int(round, radix), power) << radix << " " << n;
                ASSERT_EQ(Int(full, radix) + Int(1), power) << radix << " " << n;
                ASSERT_EQ(Int(std::string(n, '0') + "5", radix), Int(5));
                ASSERT_EQ(Int(round + "5", radix), power * Int(radix) + Int(5));
                ASSERT_EQ(power.str(radix), round);
                ASSERT_EQ((power - Int(1)).str(radix), full);
                ASSERT_EQ((-power).str(radix), "-" + round);
            }
        }
    }
}

// Barrett's reduction, with estimated quotients that are too small by one and two
TEST(Mp, Barrett)
{
    TestRng r(7);
    for (int i = 0; i < (full() ? 20000 : 600); i++) {
        const Int m = drawn(r, 1 + r.below(4), false) + Int(1), x = drawn(r, r.below(9));
        ty_mp_barrett c;
        Int z;
        ASSERT_EQ(ty_mp_barrett_init(&c, m), TY_OK);
        for (const Int &v : {x, m * x, m * x - Int(1), m * m - Int(1)}) {
            ASSERT_EQ(ty_mp_barrett_mod(z, v, &c), TY_OK);
            ASSERT_EQ(z, v % m) << v << " mod " << m;
        }
        ty_mp_barrett_clear(&c);
    }
}

struct Kat {
    const char *x, *y, *m, *sum, *difference, *product, *quotient, *gcd, *power, *inverse, *root;
};
static const Kat kats[] = {
#include "mp/kats.inc"
};

TEST(Mp, KnownAnswers)
{
    for (const Kat &k : kats) {
        const Int x(k.x), y(k.y), m(k.m);
        Int z, a;
        EXPECT_EQ((x + y).str(), k.sum);
        EXPECT_EQ((x - y).str(), k.difference);
        EXPECT_EQ((x * y).str(), k.product);
        ASSERT_EQ(ty_mp_div_floor_vt(z, nullptr, x, y), TY_OK);
        EXPECT_EQ(z.str(), k.quotient);
        ASSERT_EQ(ty_mp_gcd(z, x, y), TY_OK);
        EXPECT_EQ(z.str(), k.gcd);
        ASSERT_EQ(ty_mp_gcd_vt(z, x, y), TY_OK);
        EXPECT_EQ(z.str(), k.gcd);
        ASSERT_EQ(ty_mp_abs(a, y), TY_OK);
        ASSERT_EQ(ty_mp_powm(z, x, a, m), TY_OK);
        EXPECT_EQ(z.str(), k.power);
        ASSERT_EQ(ty_mp_powm_vt(z, x, a, m), TY_OK);
        EXPECT_EQ(z.str(), k.power);
        ASSERT_EQ(ty_mp_invmod(z, x, m), TY_OK);
        EXPECT_EQ(z.str(), k.inverse);
        ASSERT_EQ(ty_mp_powm_vt(z, x, Int(-1), m), TY_OK);
        EXPECT_EQ(z.str(), k.inverse);
        ASSERT_EQ(ty_mp_abs(a, x), TY_OK);
        ASSERT_EQ(ty_mp_sqrt_vt(z, nullptr, a), TY_OK);
        EXPECT_EQ(z.str(), k.root);
    }
}

// A result may be any of its operands.
TEST(Mp, Aliases)
{
    TestRng r(3);
    using Op = ty_err (*)(ty_mp *, const ty_mp *, const ty_mp *);
    for (Op op : { ty_mp_add, ty_mp_sub, ty_mp_mul, ty_mp_and, ty_mp_or, ty_mp_xor, ty_mp_gcd,
                   ty_mp_gcd_vt, ty_mp_lcm_vt, ty_mp_mod, ty_mp_mod_vt }) {
        for (int i = 0; i < 20; i++) {
            const Int x = drawn(r, 1 + r.below(5)), m = drawn(r, 1 + r.below(5), false) + Int(1);
            Int z, first = x, second = m;
            ASSERT_EQ(op(z, x, m), TY_OK);
            ASSERT_EQ(op(first, first, m), TY_OK);
            ASSERT_EQ(first, z);
            ASSERT_EQ(op(second, x, second), TY_OK);
            ASSERT_EQ(second, z);
            Int both = m, same;
            ASSERT_EQ(op(same, m, m), TY_OK);
            ASSERT_EQ(op(both, both, both), TY_OK);
            ASSERT_EQ(both, same);
        }
    }
    for (int i = 0; i < 40; i++) {
        const Int x = drawn(r, r.below(6)), m = drawn(r, 1 + r.below(3), false) + Int(1),
                  odd = (m << 1) + Int(1);
        Int q, rem, a = x, b = m;
        ASSERT_EQ(ty_mp_div(q, rem, x, m), TY_OK);
        ASSERT_EQ(ty_mp_div(a, b, a, b), TY_OK);
        ASSERT_TRUE(a == q && b == rem);
        a = x, b = m;
        ASSERT_EQ(ty_mp_div(b, a, a, b), TY_OK);
        ASSERT_TRUE(b == q && a == rem);
        ASSERT_EQ(ty_mp_div(a, a, x, m), TY_ERR_ARG);
        a = odd;
        ASSERT_EQ(ty_mp_powm(a, a, a, a), TY_OK);
        ASSERT_EQ(ty_mp_sign(a), 0);
        a = odd;
        ASSERT_EQ(ty_mp_mulmod(q, x, m, odd), TY_OK);
        ASSERT_EQ(ty_mp_mulmod(a, x, m, a), TY_OK);
        ASSERT_EQ(a, q);
        a = x, b = m;
        ty_mp_swap(a, b);
        ASSERT_TRUE(a == m && b == x);
        ASSERT_EQ(ty_mp_sel(a, 1, a, b), TY_OK);
        ASSERT_EQ(a, m);
        ASSERT_EQ(ty_mp_sel(a, 0, a, b), TY_OK);
        ASSERT_EQ(a, x);
    }
}

// Powers of lengths for which doubles and vectors of integers are used, and longer ones, on every
// tier of these: compared with the powers computed in limbs.
TEST(Mp, LongPowers)
{
    TestRng r(20);
    for (size_t bits :
         { 960, 1024, 1472, 1536, 1600, 2048, 2912, 2944, 3072, 4096, 5760, 5888, 8256, 8320 }) {
        const size_t n = bits / TY_LIMB_BITS;
        Int m = drawn(r, n, false), x = drawn(r, n, false), e = drawn(r, 320 / TY_LIMB_BITS, false),
            want, z;
        for (Int *p : {&m, &x, &e}) ASSERT_EQ(ty_mp_pad(*p, (p == &e ? 320 : bits)), TY_OK);
        ty_mp_d(m)[0] |= 1, ty_mp_d(m)[n - 1] |= (ty_limb)1 << (TY_LIMB_BITS - 1),
            ty_mp_d(e)[320 / TY_LIMB_BITS - 1] |= 1;
        ASSERT_EQ(ty_tier_limit("c"), TY_OK);
        ASSERT_EQ(ty_mp_powm(want, x, e, m), TY_OK);
        for (const ty_tier *tiers : {ty_reals_tiers, ty_ifma_tiers})
            for (const ty_tier *t = tiers; t->name; t++) {
                if (ty_tier_limit(t->name) != TY_OK) continue;
                ASSERT_EQ(ty_mp_powm(z, x, e, m), TY_OK);
                ASSERT_EQ(z, want) << bits << " " << t->name;
                ASSERT_EQ(ty_mp_powm_vt(z, x, e, m), TY_OK);
                ASSERT_EQ(z, want) << bits << " " << t->name;
            }
        ASSERT_EQ(ty_tier_limit(nullptr), TY_OK);
    }
}

// Moduli of one and two limbs, the smallest and largest among them; x of both signs, short and
// long; the result also in place of the modulus or the exponent.
TEST(Mp, PowersOfShortModuli)
{
    TestRng r(24);
    for (int i = 0; i < (full() ? 20000 : 1000); i++) {
        const size_t n = 1 + (size_t)i % 2;
        Int m = i < 8    ? Int(1 + 2 * (i / 2))
                : i < 16 ? (Int(1) << n * TY_LIMB_BITS) - Int(2 * (i / 2) - 7)
                         : drawn(r, n, false);
        if (!ty_mp_odd(m)) m = m + Int(1);
        const Int x = drawn(r, r.below(5)),
                  e = i % 9 == 0 ? Int(i / 9 % 4) : drawn(r, 1 + r.below(3), false);
        Int reduced, want, z;
        ASSERT_EQ(ty_mp_mod(reduced, x, m), TY_OK);
        ASSERT_EQ(ty_mp_powm(want, reduced, e, m), TY_OK);
        ASSERT_EQ(ty_mp_powm_vt(z, x, e, m), TY_OK);
        ASSERT_EQ(z, want) << x << "^" << e << " mod " << m;
        z = m;
        ASSERT_EQ(ty_mp_powm_vt(z, x, e, z), TY_OK);
        ASSERT_EQ(z, want) << x << "^" << e << " mod " << m << ", in place of the modulus";
        z = e;
        ASSERT_EQ(ty_mp_powm_vt(z, x, z, m), TY_OK);
        ASSERT_EQ(z, want) << x << "^" << e << " mod " << m << ", in place of the exponent";
    }
}

// Powers in Montgomery form, in constant time and for public exponents, against ty_mp_powm.
TEST(Mp, PowersOfAPreparedModulus)
{
    TestRng r(9);
    for (int i = 0; i < (full() ? 5000 : 150); i++) {
        Int m = drawn(r, 1 + r.below(9), false), x, y, z, want;
        const Int e = i % 5 ? drawn(r, r.below(7), false) : Int(i / 5 % 3),
                  v = drawn(r, r.below(12));
        if (!ty_mp_odd(m)) m = m + Int(1);
        ty_mp_mont c;
        ASSERT_EQ(ty_mp_mont_init(&c, m), TY_OK);
        ASSERT_EQ(ty_mp_powm(want, v, e, m), TY_OK);
        ASSERT_EQ(ty_mp_mont_set(x, v, &c), TY_OK);
        for (auto *power : {ty_mp_mont_pow, ty_mp_mont_pow_vt}) {
            ASSERT_EQ(power(y, x, e, &c), TY_OK);
            ASSERT_EQ(ty_mp_mont_get(z, y, &c), TY_OK);
            ASSERT_EQ(z, want) << v << "^" << e << " mod " << m;
            ASSERT_EQ(power(y, x, Int(-1), &c), TY_ERR_ARG);
        }
        ty_mp_mont_clear(&c);
    }
}

// Powers modulo B^n - c, where reduction is a product with c, compared with Montgomery form: also
// of -1, and for c of any number of bits up to a whole limb.
TEST(Mp, PowersByFolding)
{
    TestRng r(23);
    for (int i = 0; i < (full() ? 2000 : 40); i++) {
        const size_t n = TY_LIMB_MONT + 1 + r.below(6);
        const ty_limb c =
            (i % 4 == 0 ? ~(ty_limb)0 : (ty_limb)r.next() >> r.below(TY_LIMB_BITS)) | 1;
        Int m = (Int(1) << n * TY_LIMB_BITS), less, z, want;
        ty_mp_set_u64(less, c);
        m = m - less;
        const Int x = i % 5 == 1 ? m - Int(1) : drawn(r, r.below(2 * n)),
                  e = drawn(r, r.below(4), false);
        const Lowered t(4 + r.below(30), 100);
        ASSERT_EQ(ty_mp_powm(want, x, e, m), TY_OK);
        ASSERT_EQ(ty_mp_powm_fold(z, x, e, m), TY_OK);
        ASSERT_EQ(z, want) << x << "^" << e << " mod " << m;
    }
}

// Corner cases: gcd(0, 0), negative moduli, shifts by exactly the length,
// the text of zero, and as many low bits as there are.
TEST(Mp, Corners)
{
    Int z, u, v;
    ASSERT_EQ(ty_mp_gcd(z, Int(0), Int(0)), TY_OK);
    EXPECT_EQ(z, Int(0));
    ASSERT_EQ(ty_mp_gcdext_vt(z, u, v, Int(0), Int(0)), TY_OK);
    EXPECT_EQ(z, Int(0));
    ASSERT_EQ(ty_mp_gcd_vt(z, Int(-12), Int(-18)), TY_OK);
    EXPECT_EQ(z, Int(6));
    ASSERT_EQ(ty_mp_lcm_vt(z, Int(-12), Int(18)), TY_OK);
    EXPECT_EQ(z, Int(36));
    ASSERT_EQ(ty_mp_lcm_vt(z, Int(0), Int(0)), TY_OK);
    EXPECT_EQ(z, Int(0));
    EXPECT_EQ(Int(-7) / Int(2), Int(-3));
    ASSERT_EQ(ty_mp_div_floor_vt(z, u, Int(-7), Int(2)), TY_OK);
    EXPECT_TRUE(z == Int(-4) && u == Int(1));
    ASSERT_EQ(ty_mp_div_floor_vt(z, u, Int(7), Int(-2)), TY_OK);
    EXPECT_TRUE(z == Int(-4) && u == Int(-1));
    for (int64_t m : {0, -2}) {   // refused, and z is unchanged
        z = Int(77);
        EXPECT_EQ(ty_mp_mod(z, Int(5), Int(m)), TY_ERR_ARG);
        EXPECT_EQ(ty_mp_mod_vt(z, Int(5), Int(m)), TY_ERR_ARG);
        EXPECT_EQ(ty_mp_addmod(z, Int(5), Int(5), Int(m)), TY_ERR_ARG);
        EXPECT_EQ(ty_mp_addmod_vt(z, Int(5), Int(5), Int(m)), TY_ERR_ARG);
        EXPECT_EQ(ty_mp_mulmod(z, Int(5), Int(5), Int(m)), TY_ERR_ARG);
        EXPECT_EQ(ty_mp_invmod(z, Int(5), Int(m)), TY_ERR_ARG);
        EXPECT_EQ(ty_mp_invmod_vt(z, Int(5), Int(m)), TY_ERR_ARG);
        EXPECT_EQ(ty_mp_powm(z, Int(5), Int(5), Int(m)), TY_ERR_ARG);
        EXPECT_EQ(ty_mp_powm_vt(z, Int(5), Int(5), Int(m)), TY_ERR_ARG);
        ty_mp_barrett c;
        EXPECT_EQ(ty_mp_barrett_init(&c, Int(m)), TY_ERR_ARG);
        ty_mp_mont t;
        EXPECT_EQ(ty_mp_mont_init(&t, Int(m)), TY_ERR_ARG);
        EXPECT_EQ(z, Int(77));
    }
    EXPECT_EQ(ty_mp_div(z, nullptr, Int(1), Int(0)), TY_ERR_ARG);
    EXPECT_EQ(ty_mp_powm(z, Int(3), Int(-1), Int(7)), TY_ERR_ARG);
    EXPECT_EQ(ty_mp_powm(z, Int(3), Int(1), Int(8)), TY_ERR_ARG);
    EXPECT_EQ(ty_mp_invmod_vt(z, Int(6), Int(9)), TY_ERR_NO_INVERSE);
    EXPECT_EQ(ty_mp_invmod(z, Int(6), Int(9)), TY_ERR_NO_INVERSE);
    EXPECT_EQ(ty_mp_root_vt(z, nullptr, Int(-4), 2), TY_ERR_ARG);
    EXPECT_EQ(ty_mp_root_vt(z, nullptr, Int(4), 0), TY_ERR_ARG);
    for (int x : {1, 5, 7, -1, -7}) {   // with at most as many bits as the root's degree
        Int rest;
        ASSERT_EQ(ty_mp_root_vt(z, rest, Int(x), 3), TY_OK);
        EXPECT_EQ(z, Int(x < 0 ? -1 : 1));
        EXPECT_EQ(rest, Int(x < 0 ? x + 1 : x - 1));
    }
    ASSERT_EQ(ty_mp_pow_vt(z, Int(0), 0), TY_OK);
    EXPECT_EQ(z, Int(1));
    ASSERT_EQ(ty_mp_pow_vt(z, Int(0), ~(uint64_t)0), TY_OK);
    EXPECT_EQ(z, Int(0));
    for (int radix = 2; radix <= 64; radix++) EXPECT_EQ(Int(0).str(radix), "0");
    EXPECT_EQ(Int(-1).str(64), "-1");
    EXPECT_EQ(Int("+/", 64), Int(62 * 64 + 63));
    EXPECT_EQ(Int("+10", 36), Int(36));
    EXPECT_EQ(Int("zZ", 36), Int(35 * 36 + 35));
    for (const char *bad : {"", "-", "+", "12a", " 1", "1 ", "--1", "9"})
        EXPECT_EQ(ty_mp_set_str_vt(z, bad, strlen(bad), 8), TY_ERR_FORMAT) << bad;
    EXPECT_EQ(ty_mp_set_str_vt(z, "1", 1, 1), TY_ERR_ARG);
    EXPECT_EQ(ty_mp_set_str_vt(z, "1", 1, 65), TY_ERR_ARG);
    EXPECT_EQ(ty_mp_str_size(z, 65), 0u);
    char text[4] = "abc";
    size_t len = 9;
    EXPECT_EQ(ty_mp_get_str_vt(text, 3, &len, Int(-10), 10), TY_ERR_SIZE);
    EXPECT_EQ(ty_mp_get_str_vt(text, 4, &len, Int(-10), 1), TY_ERR_ARG);
    EXPECT_TRUE(!strcmp(text, "abc") && len == 9);
    EXPECT_EQ(ty_mp_get_str_vt(text, 4, &len, Int(-10), 10), TY_OK);
    EXPECT_TRUE(!strcmp(text, "-10") && len == 3);
    TestRng r(4);
    // exactly as many bits as there are, at the end of the allocated memory
    for (size_t n = 1; n < 70; n++) {
        Int x = drawn(r, n);
        ty_mp_shrink(x);
        const size_t bits = n * TY_LIMB_BITS;
        ASSERT_EQ(ty_mp_low(z, x, bits), TY_OK);
        EXPECT_EQ(z, ty_mp_sign(x) < 0 ? (Int(1) << bits) + x : x);
        ASSERT_EQ(ty_mp_shr_trunc(z, x, bits), TY_OK);
        EXPECT_EQ(z, Int(0));
        ASSERT_EQ(ty_mp_shr(z, x, bits), TY_OK);
        EXPECT_EQ(z, Int(ty_mp_sign(x) < 0 ? -1 : 0));
    }
}

// Factors with leading zero limbs, which ty_mp_pad and constant-time results have: the product has
// none of them, and 0 no sign.
TEST(Mp, PaddedFactors)
{
    TestRng r(14);
    for (size_t n = 1; n <= 10; n++)
        for (size_t xn = 0; xn <= n; xn++)
            for (size_t yn = 0; yn <= n; yn++) {
                const Int x = -drawn(r, xn), y = drawn(r, yn), want = x * y, squared = square(x);
                Int padded = x, other = y, z;
                ASSERT_EQ(ty_mp_pad(padded, n * TY_LIMB_BITS), TY_OK);
                ASSERT_EQ(ty_mp_pad(other, n * TY_LIMB_BITS), TY_OK);
                ASSERT_EQ(ty_mp_mul(z, padded, other), TY_OK);
                ASSERT_EQ(z, want) << n << " " << xn << " " << yn;
                ASSERT_EQ(z.v.len, want.v.len) << n << " " << xn << " " << yn;
                ASSERT_EQ(z.v.neg, want.v.neg) << n << " " << xn << " " << yn;
                ASSERT_EQ(ty_mp_sqr(z, padded), TY_OK);
                ASSERT_EQ(z, squared) << n << " " << xn;
                ASSERT_EQ(z.v.len, squared.v.len) << n << " " << xn;
                ASSERT_EQ(z.v.neg, 0u) << n << " " << xn;
            }
}

TEST(Mp, SmallValuesAndBytes)
{
    uint64_t u = 5;
    int64_t s = 5;
    Int z;
    for (uint64_t x : { (uint64_t)0, (uint64_t)1, (uint64_t)0xffffffff, (uint64_t)1 << 32,
                        (uint64_t)1 << 63, ~(uint64_t)0 }) {
        ty_mp_set_u64(z, x);
        ASSERT_EQ(ty_mp_get_u64(&u, z), TY_OK);
        EXPECT_EQ(u, x);
        EXPECT_EQ(ty_mp_get_i64(&s, z), x >> 63 ? TY_ERR_SIZE : TY_OK);
    }
    for (int64_t x : {(int64_t)0, (int64_t)-1, INT64_MIN, INT64_MAX, -((int64_t)1 << 32)}) {
        ty_mp_set_i64(z, x);
        ASSERT_EQ(ty_mp_get_i64(&s, z), TY_OK);
        EXPECT_EQ(s, x);
        EXPECT_EQ(ty_mp_get_u64(&u, z), x < 0 ? TY_ERR_SIZE : TY_OK);
        ASSERT_EQ(ty_mp_pad(z, 10000), TY_OK);
        ASSERT_EQ(ty_mp_get_i64(&s, z), TY_OK);
        EXPECT_EQ(s, x);
        EXPECT_EQ(ty_mp_sign(z), (x > 0) - (x < 0));
    }
    EXPECT_EQ(ty_mp_get_i64(&s, Int(INT64_MIN) - Int(1)), TY_ERR_SIZE);
    EXPECT_EQ(ty_mp_get_i64(&s, Int(1) << 64), TY_ERR_SIZE);
    EXPECT_EQ(ty_mp_get_u64(&u, Int(1) << 64), TY_ERR_SIZE);
    TestRng r(5);
    for (size_t n = 0; n < 40; n++) {
        const Bytes in = r.bytes(n);
        Bytes be(n + 3, 1), le(n, 1), reversed(in.rbegin(), in.rend());
        ASSERT_EQ(ty_mp_set_be(z, in.data(), n), TY_OK);
        ASSERT_EQ(ty_mp_get_be(be.data(), n + 3, z), TY_OK);
        EXPECT_EQ(hex(be), "000000" + hex(in));
        ASSERT_EQ(ty_mp_get_le(le.data(), n, z), TY_OK);
        EXPECT_EQ(hex(le), hex(reversed));
        Int y;
        ASSERT_EQ(ty_mp_set_le(y, reversed.data(), n), TY_OK);
        EXPECT_EQ(y, z);
        const size_t least = ty_mp_bytes(z);
        EXPECT_LE(least, n);
        if (!least) continue;
        EXPECT_EQ(ty_mp_get_be(be.data(), least - 1, z), TY_ERR_SIZE);
        EXPECT_EQ(ty_mp_get_le(be.data(), least - 1, z), TY_ERR_SIZE);
        EXPECT_EQ(hex(be), "000000" + hex(in));
    }
    z = Int(5);
    ASSERT_EQ(ty_mp_pad(z, 1000), TY_OK);
    EXPECT_EQ(z.v.len, TY_MP_LIMBS((size_t)1000));
    EXPECT_EQ(z, Int(5));
    EXPECT_EQ(ty_mp_pad(z, 0), TY_ERR_SIZE);
}

#include "mp/memory_cases.inc"
#include "mp/prime_cases.inc"
#include "mp/many_cases.inc"
#include "mp/transform_cases.inc"
#include "mp/factor_cases.inc"
