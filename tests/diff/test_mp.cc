// Integers against GMP, on structured operands, with lowered thresholds of the asymptotically
// faster algorithms.
#include "mp/mp_support.hpp"
extern "C" {
#include "mp/prime_internal.h"
}
#include <gmp.h>

struct Mpz {
    mpz_t z;
    Mpz() { mpz_init(z); }
    explicit Mpz(const Int &x) : Mpz()
    {
        mpz_import(z, x.v.len, -1, sizeof(ty_limb), 0, 0, ty_mp_cd(&x.v));
        if (x.v.neg) mpz_neg(z, z);
    }
    Mpz(const Mpz &) = delete;
    ~Mpz() { mpz_clear(z); }
};

static bool same(const Int &x, const Mpz &y) { return mpz_cmp(Mpz(x).z, y.z) == 0; }

#define SAME(ours, theirs) ASSERT_TRUE(same(ours, theirs)) << ours << "\nx = " << x << "\ny = " << y
#define OK(call) ASSERT_EQ(call, TY_OK)

static void arithmetic(const Int &x, const Int &y)
{
    Int z, r;
    Mpz a(x), b(y), c, d;
    OK(ty_mp_add(z, x, y)); mpz_add(c.z, a.z, b.z); SAME(z, c);
    OK(ty_mp_sub(z, x, y)); mpz_sub(c.z, a.z, b.z); SAME(z, c);
    OK(ty_mp_mul(z, x, y)); mpz_mul(c.z, a.z, b.z); SAME(z, c);
    OK(ty_mp_sqr(z, x)); mpz_mul(c.z, a.z, a.z); SAME(z, c);
    OK(ty_mp_and(z, x, y)); mpz_and(c.z, a.z, b.z); SAME(z, c);
    OK(ty_mp_or(z, x, y)); mpz_ior(c.z, a.z, b.z); SAME(z, c);
    OK(ty_mp_xor(z, x, y)); mpz_xor(c.z, a.z, b.z); SAME(z, c);
    OK(ty_mp_not(z, x)); mpz_com(c.z, a.z); SAME(z, c);
    const int order = mpz_cmp(a.z, b.z), order_abs = mpz_cmpabs(a.z, b.z);
    ASSERT_EQ(ty_mp_cmp(x, y), (order > 0) - (order < 0));
    ASSERT_EQ(ty_mp_cmp_vt(x, y), (order > 0) - (order < 0));
    ASSERT_EQ(ty_mp_cmp_abs(x, y), (order_abs > 0) - (order_abs < 0));
    ASSERT_EQ(ty_mp_cmp_abs_vt(x, y), (order_abs > 0) - (order_abs < 0));
    if (mpz_sgn(b.z) == 0) {
        ASSERT_EQ(ty_mp_div(z, r, x, y), TY_ERR_ARG);
        return;
    }
    mpz_tdiv_qr(c.z, d.z, a.z, b.z);
    OK(ty_mp_div(z, r, x, y)); SAME(z, c); SAME(r, d);
    OK(ty_mp_div_vt(z, r, x, y)); SAME(z, c); SAME(r, d);
    mpz_fdiv_qr(c.z, d.z, a.z, b.z);
    OK(ty_mp_div_floor_vt(z, r, x, y)); SAME(z, c); SAME(r, d);
}

static void shifts(const Int &x, size_t n)
{
    Int z;
    Mpz a(x), c;
    const Int y((int64_t)n);
    OK(ty_mp_shl(z, x, n)); mpz_mul_2exp(c.z, a.z, n); SAME(z, c);
    OK(ty_mp_shr(z, x, n)); mpz_fdiv_q_2exp(c.z, a.z, n); SAME(z, c);
    OK(ty_mp_shr_trunc(z, x, n)); mpz_tdiv_q_2exp(c.z, a.z, n); SAME(z, c);
    OK(ty_mp_low(z, x, n)); mpz_fdiv_r_2exp(c.z, a.z, n); SAME(z, c);
    ASSERT_EQ(ty_mp_bit(x, n), (uint32_t)mpz_tstbit(a.z, n)) << x << " bit " << n;
    ASSERT_EQ(ty_mp_bits(x), mpz_sgn(a.z) ? mpz_sizeinbase(a.z, 2) : 0);
    ASSERT_EQ(ty_mp_trailing(x), mpz_sgn(a.z) ? mpz_scan1(a.z, 0) : 0);
}

static void modular(const Int &x, const Int &y, const Int &m, const Int &e)
{
    Int z;
    Mpz a(x), b(y), n(m), k(e), c, d;
    mpz_mod(c.z, a.z, n.z);
    OK(ty_mp_mod(z, x, m)); SAME(z, c);
    OK(ty_mp_mod_vt(z, x, m)); SAME(z, c);
    mpz_add(c.z, a.z, b.z); mpz_mod(c.z, c.z, n.z);
    OK(ty_mp_addmod(z, x, y, m)); SAME(z, c);
    OK(ty_mp_addmod_vt(z, x, y, m)); SAME(z, c);
    mpz_sub(c.z, a.z, b.z); mpz_mod(c.z, c.z, n.z);
    OK(ty_mp_submod(z, x, y, m)); SAME(z, c);
    OK(ty_mp_submod_vt(z, x, y, m)); SAME(z, c);
    mpz_mul(c.z, a.z, b.z); mpz_mod(c.z, c.z, n.z);
    OK(ty_mp_mulmod(z, x, y, m)); SAME(z, c);
    OK(ty_mp_mulmod_vt(z, x, y, m)); SAME(z, c);
    mpz_mul(c.z, a.z, a.z); mpz_mod(c.z, c.z, n.z);
    OK(ty_mp_sqrmod(z, x, m)); SAME(z, c);
    OK(ty_mp_sqrmod_vt(z, x, m)); SAME(z, c);
    ty_mp_barrett barrett;
    OK(ty_mp_barrett_init(&barrett, m));
    mpz_mod(c.z, a.z, n.z);
    OK(ty_mp_barrett_mod(z, x, &barrett)); SAME(z, c);
    ty_mp_barrett_clear(&barrett);
    mpz_gcd(d.z, a.z, n.z);
    const bool invertible = mpz_cmp_ui(d.z, 1) == 0;
    if (invertible && mpz_cmp_ui(n.z, 1) == 0) mpz_set_ui(c.z, 0);
    else if (invertible) mpz_invert(c.z, a.z, n.z);
    ASSERT_EQ(ty_mp_invmod_vt(z, x, m), invertible ? TY_OK : TY_ERR_NO_INVERSE) << x << " " << m;
    if (invertible) { SAME(z, c); }
    if (ty_mp_odd(m)) {
        ASSERT_EQ(ty_mp_invmod(z, x, m), invertible ? TY_OK : TY_ERR_NO_INVERSE) << x << " " << m;
        if (invertible) { SAME(z, c); }
    }
    mpz_powm(c.z, a.z, k.z, n.z);
    OK(ty_mp_powm_vt(z, x, e, m));
    ASSERT_TRUE(same(z, c)) << x << " ^ " << e << " mod " << m;
    if (ty_mp_odd(m)) {
        OK(ty_mp_powm(z, x, e, m));
        ASSERT_TRUE(same(z, c)) << x << " ^ " << e << " mod " << m;
    }
}

static void divisors(const Int &x, const Int &y)
{
    Int z, u, v;
    Mpz a(x), b(y), c;
    mpz_gcd(c.z, a.z, b.z);
    OK(ty_mp_gcd(z, x, y)); SAME(z, c);
    OK(ty_mp_gcd_vt(z, x, y)); SAME(z, c);
    OK(ty_mp_gcdext_vt(z, u, v, x, y)); SAME(z, c);
    ASSERT_TRUE(same(u * x + v * y, c)) << u << " * " << x << " + " << v << " * " << y;
    if (ty_mp_sign(x) && ty_mp_sign(y)) {
        ASSERT_TRUE(ty_mp_cmp_abs(u * z, y) <= 0 || ty_mp_cmp_abs(u, Int(1)) <= 0);
        ASSERT_TRUE(ty_mp_cmp_abs(v * z, x) <= 0 || ty_mp_cmp_abs(v, Int(1)) <= 0);
    }
    mpz_lcm(c.z, a.z, b.z);
    OK(ty_mp_lcm_vt(z, x, y)); SAME(z, c);
    int k;
    OK(ty_mp_kronecker_vt(&k, x, y));
    ASSERT_EQ(k, mpz_kronecker(a.z, b.z)) << x << " / " << y;
}

static void roots(const Int &x, uint32_t k)
{
    Int z, r, y((int64_t)k);
    Mpz a(x), c, d;
    int square;
    uint32_t power;
    OK(ty_mp_is_square_vt(&square, x));
    ASSERT_EQ(square, mpz_perfect_square_p(a.z) != 0) << x;
    OK(ty_mp_is_power_vt(&power, x));
    ASSERT_EQ(power != 0, mpz_perfect_power_p(a.z) != 0) << x;
    if (ty_mp_sign(x) < 0 && k % 2 == 0) return;
    mpz_rootrem(c.z, d.z, a.z, k);
    OK(ty_mp_root_vt(z, r, x, k)); SAME(z, c); SAME(r, d);
}

static void text(const Int &x, int radix)
{
    Mpz a(x);
    const int theirs = radix <= 36 ? -radix : radix;   // capitals
    std::vector<char> s(mpz_sizeinbase(a.z, radix) + 2);
    mpz_get_str(s.data(), theirs, a.z);
    ASSERT_EQ(x.str(radix), s.data());
    ASSERT_EQ(Int(s.data(), radix), x);
}

TEST(DiffMp, Arithmetic)
{
    TestRng r(1);
    const int rounds = full() ? 1000000 : 4000;
    for (int i = 0; i < rounds && !HasFatalFailure(); i++) {
        const Lowered t(4 + r.below(8), 10 + r.below(30), 4 + r.below(20), 4 + r.below(100),
                        4 + r.below(100));
        const size_t n = r.below(4) ? 12 : 70;
        arithmetic(drawn(r, r.below(n)), drawn(r, r.below(n)));
        shifts(drawn(r, r.below(9)), r.below(600));
    }
    for (int i = 0; i < 60 && !HasFatalFailure(); i++)
        arithmetic(drawn(r, r.below(700)), drawn(r, r.below(700)));
}

// n limbs as an integer of GMP that refers to them, valid while they are not moved
static mpz_srcptr as_mpz(mpz_t z, const std::vector<ty_limb> &v, size_t n)
{
    return mpz_roinit_n(z, (const mp_limb_t *)v.data(),
                        (mp_size_t)(n * sizeof(ty_limb) / sizeof(mp_limb_t)));
}

// Only products, squares and quotients, of as many pairs as TONGYU_MP_PAIRS says (100000000 take
// minutes); --gtest_random_seed=N draws others. Structured pairs of 1 to 70 limbs, now and then of
// up to 1500, so that transforms exceed the cache; every algorithm from its minimal length on;
// dividends are products, some with one bit changed.
TEST(DiffMp, Pairs)
{
    TestRng r(7 + (uint64_t)::testing::GTEST_FLAG(random_seed));
    const char *asked = std::getenv("TONGYU_MP_PAIRS");
    const unsigned long long rounds = asked    ? std::strtoull(asked, nullptr, 10)
                                      : full() ? 1000000
                                               : 3000;
    mpz_t z, rest, a, b, c;
    mpz_inits(z, rest, nullptr);
    for (unsigned long long i = 0; i < rounds; i++) {
        const Lowered t(4 + r.below(30), 10 + r.below(60), 4 + r.below(r.below(2) ? 8 : 80),
                        4 + r.below(r.below(4) ? 120 : 10), 4 + r.below(r.below(2) ? 30 : 300));
        const size_t most = r.below(16)   ? 12
                            : r.below(32) ? 70
                                          : 1500,
                     xn = 1 + r.below(most), yn = 1 + r.below(xn);
        const auto x = structured(r, xn), y = structured(r, yn);
        std::vector<ty_limb> got(2 * xn), q(2 * xn), left(yn),
            work(ty_mp_mul_work(xn, xn) + ty_mp_mul_work(xn, yn));
        ty_mp_sqr_limbs(got.data(), x.data(), xn, work.data());
        as_mpz(a, x, xn);
        mpz_mul(z, a, a);
        ASSERT_EQ(mpz_cmp(as_mpz(c, got, 2 * xn), z), 0) << "square " << i << ": " << xn;
        ty_mp_mul_limbs(got.data(), x.data(), xn, y.data(), yn, work.data());
        as_mpz(b, y, yn);
        mpz_mul(z, a, b);
        ASSERT_EQ(mpz_cmp(as_mpz(c, got, xn + yn), z), 0)
            << "pair " << i << ": " << xn << " x " << yn;
        if (r.below(2)) got[r.below((uint32_t)(xn + yn))] ^= (ty_limb)1 << r.below(TY_LIMB_BITS);
        const size_t dn = ty_limb_len(y.data(), yn), qn = xn + yn - dn + 1;
        if (!dn) continue;
        mpz_tdiv_qr(z, rest, as_mpz(c, got, xn + yn), b);
        ASSERT_EQ(
            ty_mp_divide_vt(q.data(), left.data(), got.data(), xn + yn, y.data(), dn, nullptr),
            TY_OK);
        ASSERT_TRUE(mpz_cmp(as_mpz(c, q, qn), z) == 0 && mpz_cmp(as_mpz(c, left, dn), rest) == 0)
            << "quotient " << i;
    }
    mpz_clears(z, rest, nullptr);
}

TEST(DiffMp, Modular)
{
    TestRng r(2);
    const int rounds = full() ? 100000 : 400;
    for (int i = 0; i < rounds && !HasFatalFailure(); i++) {
        const Lowered t(4 + r.below(8), 10 + r.below(30));
        Int m = drawn(r, 1 + r.below(8), false);
        if (ty_mp_sign(m) == 0) m = Int(1);
        const Int e = r.below(3) ? drawn(r, r.below(3), false) : Int((int64_t)r.below(70));
        modular(drawn(r, r.below(16)), drawn(r, r.below(16)), m, e);
    }
}

TEST(DiffMp, Divisors)
{
    TestRng r(3);
    const int rounds = full() ? 100000 : 400;
    for (int i = 0; i < rounds && !HasFatalFailure(); i++) {
        const Int g = drawn(r, r.below(4)), x = drawn(r, r.below(8)), y = drawn(r, r.below(8));
        divisors(x, y);
        divisors(x * g, y * g);
    }
    for (int i = 0; i < 10 && !HasFatalFailure(); i++) divisors(drawn(r, 50), drawn(r, 50));
}

// Operands that are long enough for many runs of quotients and many rounds of division steps.
TEST(DiffMp, LongInverses)
{
    TestRng r(8);
    const int rounds = full() ? 20000 : 40;
    for (int i = 0; i < rounds && !HasFatalFailure(); i++) {
        Int m = drawn(r, 1 + r.below(66), false), x = drawn(r, 1 + r.below(66)), z;
        if (ty_mp_sign(m) == 0) m = Int(7);
        if (!ty_mp_odd(m)) m = m + Int(1);
        Mpz a(x), n(m), c;
        if (mpz_cmp_ui(n.z, 1) == 0) continue;
        const bool some = mpz_invert(c.z, a.z, n.z);
        ASSERT_EQ(ty_mp_invmod(z, x, m), some ? TY_OK : TY_ERR_NO_INVERSE) << x << " mod " << m;
        if (some) { ASSERT_TRUE(same(z, c)) << x << " mod " << m; }
        ASSERT_EQ(ty_mp_invmod_vt(z, x, m), some ? TY_OK : TY_ERR_NO_INVERSE) << x << " mod " << m;
        if (some) { ASSERT_TRUE(same(z, c)) << x << " mod " << m; }
        divisors(x, m);
    }
}

// Long enough for the half-gcd, with common factors, with quotients of many limbs among small ones,
// and with quotients that are all 1: Fibonacci numbers.
TEST(DiffMp, LongGcds)
{
    TestRng r(9);
    for (int i = 0; i < (full() ? 400 : 5) && !HasFatalFailure(); i++) {
        const size_t n = 380 + r.below(full() ? 2000 : 500);
        const Int g = drawn(r, r.below(3) ? r.below(40) : n), a = drawn(r, n),
                  b = drawn(r, n - r.below(60));
        Int x = a * g, y = b * g, z;
        if (i % 3 == 0) y = x * drawn(r, 30) + y;   // one long quotient first
        if (i % 5 == 1) x = (a << 13000) + b, y = (a << 4) + Int(1);
        Mpz p(x), q(y), c;
        mpz_gcd(c.z, p.z, q.z);
        OK(ty_mp_gcd_vt(z, x, y));
        ASSERT_TRUE(same(z, c)) << n;
    }
    Mpz f, g, c;
    mpz_fib2_ui(f.z, g.z, 90000);
    Int x, y, z;
    std::vector<char> text(mpz_sizeinbase(f.z, 16) + 2);
    x = Int(mpz_get_str(text.data(), 16, f.z), 16), y = Int(mpz_get_str(text.data(), 16, g.z), 16);
    OK(ty_mp_gcd_vt(z, x, y));
    ASSERT_EQ(z, Int(1));
}

TEST(DiffMp, Roots)
{
    TestRng r(4);
    const int rounds = full() ? 20000 : 200;
    for (int i = 0; i < rounds && !HasFatalFailure(); i++) {
        Int x = drawn(r, r.below(5)), p;
        const uint32_t k = 1 + (uint32_t)r.below(7);
        roots(x, k);
        ASSERT_EQ(ty_mp_pow_vt(p, drawn(r, r.below(3)), k), TY_OK);
        roots(p, k);
        roots(p + Int(1), k);
        roots(p - Int(1), k);
    }
}

TEST(DiffMp, Text)
{
    TestRng r(5);
    for (int radix = 2; radix <= 62; radix++) {
        for (int i = 0; i < 12 && !HasFatalFailure(); i++)
            text(drawn(r, r.below(i ? 8 : 120)), radix);
    }
    text(drawn(r, 600), 10);
}

TEST(DiffMp, Primes)
{
    TestRng r(6);
    const int rounds = full() ? 20000 : 200;
    for (int i = 0; i < rounds; i++) {
        Int x = drawn(r, r.below(4), false), z;
        int prime;
        Mpz a(x), b;
        ASSERT_EQ(ty_mp_is_prime_vt(&prime, x, 0, nullptr), TY_OK);
        ASSERT_EQ(prime, mpz_probab_prime_p(a.z, 25) != 0) << x;
        if (i % 4) continue;
        ASSERT_EQ(ty_mp_next_prime_vt(z, x), TY_OK);
        mpz_nextprime(b.z, a.z);
        ASSERT_TRUE(same(z, b)) << x;
    }
}
