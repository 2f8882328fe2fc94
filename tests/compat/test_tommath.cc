// LibTomMath's interface: every function against GMP (or our integers), in place and apart, at the lengths around which the
// methods change; the shape of what comes out; errors, with outputs as they were; every allocation failing once.
#include "compat/tom.hpp"
#include <cmath>
#include <cstdio>
#include <functional>

#define OK(call) ASSERT_EQ(call, MP_OKAY)
static const int lengths = full() ? 80 : 26;   // digits of 60 bits
static const int rounds = full() ? 4000 : 120;

static Int some(TestRng &r, bool sign = true) { return drawn(r, r.below(r.below(3) ? 9 : (uint64_t)lengths), sign); }
static Int positive(TestRng &r) { Int x = some(r, false); if (!ty_mp_sign(x)) ty_mp_set_u64(x, 1 + r.below(9)); return x; }
static Int odd(TestRng &r) { Int x = positive(r); return ty_mp_odd(x) ? x : x + Int(1); }
static Int power2(size_t n) { return Int(1) << n; }
static Int absolute(const Int &x) { Int z; EXPECT_EQ(ty_mp_abs(z, x), TY_OK); return z; }

// f(a, b, c) apart, c = a, c = b
using Three = mp_err (*)(const mp_int *, const mp_int *, mp_int *);
static void agree(const char *name, Three f, const Int &x, const Int &y, const Int &want)
{
    const Tom a(x), b(y);
    Tom c(77), d(a), e(b);
    ASSERT_EQ(f(a, b, c), MP_OKAY) << name;
    ASSERT_EQ(c, want) << name << " of " << x << " and " << y;
    ASSERT_EQ(f(d, b, d), MP_OKAY) << name;
    ASSERT_EQ(d, want) << name << " into the first, of " << x << " and " << y;
    ASSERT_EQ(f(a, e, e), MP_OKAY) << name;
    ASSERT_EQ(e, want) << name << " into the second, of " << x << " and " << y;
}
using Two = mp_err (*)(const mp_int *, mp_int *);
static void agree(const char *name, Two f, const Int &x, const Int &want)
{
    const Tom a(x);
    Tom b("123456789abcdef0123456789abcdef0123456789abcdef"), c(a);
    ASSERT_EQ(f(a, b), MP_OKAY) << name;
    ASSERT_EQ(b, want) << name << " of " << x;
    ASSERT_EQ(f(c, c), MP_OKAY) << name;
    ASSERT_EQ(c, want) << name << " in place, of " << x;
}
#define AGREE(f, ...) ASSERT_NO_FATAL_FAILURE(agree(#f, f, __VA_ARGS__))

TEST(TomMath, Arithmetic)
{
    TestRng r(1);
    for (int i = 0; i < rounds; i++) {
        const Int x = some(r), y = r.below(10) ? some(r) : x;
        const Tom a(x), b(y);
        ASSERT_EQ(mp_cmp(a, b), ty_mp_cmp(x, y));
        ASSERT_EQ(mp_cmp_mag(a, b), ty_mp_cmp_abs(x, y));
        AGREE(mp_add, x, y, o_add(x, y));
        AGREE(mp_sub, x, y, o_sub(x, y));
        AGREE(mp_mul, x, y, o_mul(x, y));
        AGREE(mp_and, x, y, o_and(x, y));
        AGREE(mp_or, x, y, o_or(x, y));
        AGREE(mp_xor, x, y, o_xor(x, y));
        AGREE(mp_tc_and, x, y, o_and(x, y));
        AGREE(mp_tc_or, x, y, o_or(x, y));
        AGREE(mp_tc_xor, x, y, o_xor(x, y));
        AGREE(mp_gcd, x, y, o_gcd(x, y));
        AGREE(mp_lcm, x, y, o_lcm(x, y));
        AGREE(mp_sqr, x, o_mul(x, x));
        AGREE(mp_neg, x, o_sub(Int(0), x));
        AGREE(mp_abs, x, absolute(x));
        AGREE(mp_complement, x, o_sub(Int(-1), x));
        AGREE(mp_copy, x, x);
        AGREE(mp_mul_2, x, o_add(x, x));
        AGREE(mp_div_2, x, o_quo(x, Int(2)));
        Tom q(5), m(6);
        ASSERT_EQ(mp_incr(q), MP_OKAY);
        ASSERT_EQ(mp_decr(m), MP_OKAY);
        ASSERT_EQ(q, Int(6));
        ASSERT_EQ(m, Int(5));
        if (!ty_mp_sign(y)) {
            ASSERT_EQ(mp_div(a, b, q, m), MP_VAL);
            ASSERT_EQ(mp_mod(a, b, q), MP_VAL);
            ASSERT_EQ(q, Int(6));
            continue;
        }
        OK(mp_div(a, b, q, m));
        ASSERT_EQ(q, o_quo(x, y)) << x << " / " << y;
        ASSERT_EQ(m, o_rem(x, y)) << x << " / " << y;
        Tom c(a), d(b);
        OK(mp_div(c, d, d, c));
        ASSERT_EQ(d, o_quo(x, y));
        ASSERT_EQ(c, o_rem(x, y));
        OK(mp_div(a, b, NULL, m));
        OK(mp_div(a, b, q, NULL));
        AGREE(mp_mod, x, y, o_mod(x, y));
    }
    EXPECT_EQ(mp_iseven(Tom(0)), MP_YES);
    EXPECT_EQ(mp_isodd(Tom(-3)), MP_YES);
    const Tom zero(0), minus(-1);
    EXPECT_EQ(mp_iszero(&zero.v), MP_YES);
    EXPECT_EQ(mp_isneg(&minus.v), MP_YES);
}

// Quotients of up to three digits, structured ones, and remainders next to 0 and to the divisor.
TEST(TomMath, ShortQuotients)
{
    TestRng r(31);
    for (int i = 0; i < 5 * rounds; i++) {
        const Int y = some(r), q = drawn(r, r.below(MP_DIGIT_BIT * 3 / TY_LIMB_BITS + 1), false);
        if (!ty_mp_sign(y)) continue;
        const Int rest = r.below(2) ? Int((int64_t)r.below(2)) : absolute(y) - Int(1);
        const Int x = o_add(o_mul(absolute(y), q), o_rem(rest, y));
        for (const Int &signed_x : {x, -x}) {
            const Tom a(signed_x), b(y);
            Tom c(5), d(6), e(a), f(b);
            OK(mp_div(a, b, c, d));
            ASSERT_EQ(c, o_quo(signed_x, y)) << signed_x << " / " << y;
            ASSERT_EQ(d, o_rem(signed_x, y)) << signed_x << " / " << y;
            OK(mp_div(e, f, f, e));
            ASSERT_EQ(f, c.value());
            ASSERT_EQ(e, d.value());
            AGREE(mp_mod, signed_x, y, o_mod(signed_x, y));
        }
    }
}

TEST(TomMath, OneDigit)
{
    TestRng r(2);
    for (int i = 0; i < rounds; i++) {
        mp_digit d = (mp_digit)r.next() & MP_MASK, rest;
        if (i % 3 == 0) d >>= r.below(MP_DIGIT_BIT);
        if (i % 17 == 0) d = MP_MASK;
        const Int x = i % 5 ? some(r) : Int((int64_t)(d / 2 + r.below(3) - 1)), y = Int((int64_t)d);
        for (const Int &z : { x, o_sub(Int(0), x) }) {
            const Tom a(z);
            Tom c(3), e(a);
            OK(mp_add_d(a, d, c)); ASSERT_EQ(c, o_add(z, y)); OK(mp_add_d(e, d, e)); ASSERT_EQ(e, o_add(z, y)); e = a;
            OK(mp_sub_d(a, d, c)); ASSERT_EQ(c, o_sub(z, y)); OK(mp_sub_d(e, d, e)); ASSERT_EQ(e, o_sub(z, y)); e = a;
            OK(mp_mul_d(a, d, c)); ASSERT_EQ(c, o_mul(z, y)); OK(mp_mul_d(e, d, e)); ASSERT_EQ(e, o_mul(z, y)); e = a;
            ASSERT_EQ(mp_cmp_d(a, d), ty_mp_cmp(z, y));
            if (d == 0) {
                ASSERT_EQ(mp_div_d(a, d, c, &rest), MP_VAL);
                continue;
            }
            OK(mp_div_d(a, d, c, &rest)); ASSERT_EQ(c, o_quo(z, y)) << z << " / " << y;
            ASSERT_EQ(Int((int64_t)rest), absolute(o_rem(z, y)));
            OK(mp_mod_d(a, d, &rest)); ASSERT_EQ(Int((int64_t)rest), absolute(o_rem(z, y)));
            OK(mp_div_d(e, d, e, NULL)); ASSERT_EQ(e, o_quo(z, y));
            OK(mp_div_3(a, c, &rest)); ASSERT_EQ(c, o_quo(z, Int(3)));
        }
    }
}

TEST(TomMath, Bits)
{
    TestRng r(3);
    for (int i = 0; i < rounds; i++) {
        const Int x = some(r);
        const Tom a(x);
        // lengths at and around the top, where 0.11 read one digit too many
        const int n = i % 4 ? (int)r.below(1600) : a.v.used * MP_DIGIT_BIT + (int)r.below(3) - 1, k = (int)r.below(6);
        Tom q(9), m(9), c(a);
        OK(mp_mul_2d(a, n < 0 ? 0 : n, q)); ASSERT_EQ(q, x << (size_t)(n < 0 ? 0 : n));
        OK(mp_div_2d(a, n, q, m)); ASSERT_EQ(q, o_quo(x, power2((size_t)(n < 0 ? 0 : n))));
        ASSERT_EQ(m, o_rem(x, power2((size_t)(n < 0 ? 0 : n))));
        OK(mp_div_2d(c, n, c, m)); ASSERT_EQ(c, q.value()); c = a;
        OK(mp_div_2d(c, n, q, c)); ASSERT_EQ(c, m.value()); c = a;
        OK(mp_mod_2d(a, n, q)); ASSERT_EQ(q, m.value());
        OK(mp_mod_2d(c, n, c)); ASSERT_EQ(c, m.value()); c = a;
        OK(mp_mul_2d(c, 61, c)); ASSERT_EQ(c, x << 61); c = a;
        OK(mp_signed_rsh(a, n, q)); ASSERT_EQ(q, o_div(x, power2((size_t)(n < 0 ? 0 : n))));
        OK(mp_tc_div_2d(c, n, c)); ASSERT_EQ(c, q.value()); c = a;
        OK(mp_lshd(c, k)); ASSERT_EQ(c, x << (size_t)k * MP_DIGIT_BIT);
        mp_rshd(c, k); ASSERT_EQ(c, x); mp_rshd(c, k); ASSERT_EQ(c, o_quo(x, power2((size_t)k * MP_DIGIT_BIT)));
        ASSERT_EQ((size_t)mp_count_bits(a), ty_mp_bits(x));
        ASSERT_EQ((size_t)mp_cnt_lsb(a), ty_mp_trailing(x));
        const Int y = absolute(x);
        ASSERT_EQ(mp_get_bit(a, n < 0 ? 3 : n), (int)ty_mp_bit(y, (size_t)(n < 0 ? 3 : n)));
        OK(mp_2expt(c, n < 0 ? 0 : n)); ASSERT_EQ(c, power2((size_t)(n < 0 ? 0 : n)));
    }
    Tom a(5), b(7);
    EXPECT_EQ(mp_2expt(a, -1), MP_VAL);
    EXPECT_EQ(mp_mul_2d(a, -1, b), MP_VAL);
    EXPECT_EQ(mp_get_bit(a, -1), MP_VAL);
    EXPECT_EQ(mp_grow(a, -1), MP_VAL);
    mp_int none;
    EXPECT_EQ(mp_init_size(&none, -1), MP_VAL);
    EXPECT_EQ(a, Int(5));
    EXPECT_EQ(b, Int(7));
}

TEST(TomMath, Modular)
{
    TestRng r(4);
    for (int i = 0; i < rounds; i++) {
        const Int x = some(r), y = some(r), m = i % 5 ? positive(r) : o_sub(Int(0), positive(r));
        const Int rx = o_mod(x, m), ry = o_mod(y, m);
        for (int in = 0; in < 2; in++) {   // any operands, and residues
            const Int &u = in ? rx : x, &v = in ? ry : y;
            const Tom a(u), b(v), c(m);
            Tom d(1), e(a), f(c);
            OK(mp_addmod(a, b, c, d)); ASSERT_EQ(d, o_mod(o_add(u, v), m)); OK(mp_addmod(e, b, c, e)); ASSERT_EQ(e, d.value()); e = a;
            OK(mp_submod(a, b, c, d)); ASSERT_EQ(d, o_mod(o_sub(u, v), m)); OK(mp_submod(b, e, c, e)); ASSERT_EQ(e, o_mod(o_sub(v, u), m)); e = a;
            OK(mp_mulmod(a, b, c, d)); ASSERT_EQ(d, o_mod(o_mul(u, v), m)); OK(mp_mulmod(a, b, f, f)); ASSERT_EQ(f, d.value()); f = c;
            OK(mp_addmod(a, b, f, f)); ASSERT_EQ(f, o_mod(o_add(u, v), m)); f = c;
            OK(mp_sqrmod(a, c, d)); ASSERT_EQ(d, o_mod(o_mul(u, u), m)); OK(mp_sqrmod(e, c, e)); ASSERT_EQ(e, d.value());
        }
        const Tom a(x), b(m);
        Tom c(3), u, v, g;
        const bool some_inverse = ty_mp_cmp(m, Int(1)) > 0 && o_gcd(x, m) == Int(1);
        ASSERT_EQ(mp_invmod(a, b, c), some_inverse ? MP_OKAY : MP_VAL) << x << " mod " << m;
        if (some_inverse) { ASSERT_EQ(o_mod(o_mul(c.value(), x), m), Int(1)); }
        else { ASSERT_EQ(c, Int(3)); }
        OK(mp_exteuclid(a, b, u, v, g));
        ASSERT_EQ(g, o_gcd(x, m));
        ASSERT_EQ(o_add(o_mul(u.value(), x), o_mul(v.value(), m)), g.value());
        OK(mp_exteuclid(a, b, u, NULL, NULL));
        int k = 5, want = 6;
        OK(mp_kronecker(a, b, &k));
        ASSERT_EQ(ty_mp_kronecker_vt(&want, x, m), TY_OK);
        ASSERT_EQ(k, want);
        ASSERT_EQ(mp_jacobi(a, b, &k), a.v.sign == MP_NEG || b.v.sign == MP_NEG ? MP_VAL : MP_OKAY);
    }
    Tom z(4);
    EXPECT_EQ(mp_gcd(Tom(0), Tom(0), z), MP_OKAY);
    EXPECT_EQ(z, Int(0));
}

TEST(TomMath, Powers)
{
    TestRng r(5);
    for (int i = 0; i < rounds / 6; i++) {
        const Int m = i % 3 ? odd(r) : positive(r), x = drawn(r, 6), e = drawn(r, 1 + r.below(3), false);
        const Int modulus = ty_mp_bits(m) > 1000 ? o_rem(m, power2(700)) + Int(1) : m;
        const Tom a(x), b(e), c(modulus);
        Tom d(1), f(b);
        OK(mp_exptmod(a, b, c, d));
        ASSERT_EQ(d, o_powm(x, e, modulus)) << x << "^" << e << " mod " << modulus;
        OK(mp_exptmod(a, f, c, f));
        ASSERT_EQ(f, d.value());
        f = b;
        f.v.sign = f.v.used ? MP_NEG : MP_ZPOS;
        const bool good = ty_mp_cmp(modulus, Int(1)) == 0 || o_gcd(x, modulus) == Int(1) || !f.v.used;
        const mp_err err = mp_exptmod(a, f, c, f);
        ASSERT_EQ(err, good ? MP_OKAY : MP_VAL) << modulus;
        if (good) { ASSERT_EQ(o_mod(o_mul(f.value(), d.value()), modulus), o_mod(Int(1), modulus)); }
        const int k = 1 + (int)r.below(9);
        const Int y = drawn(r, r.below(5));
        Int want;
        ASSERT_EQ(ty_mp_pow_vt(want, y, (uint64_t)k), TY_OK);
        OK(mp_expt_n(Tom(y), k, d)); ASSERT_EQ(d, want);
        OK(mp_expt_u32(Tom(y), (uint32_t)k, d)); ASSERT_EQ(d, want);
        OK(mp_expt_d_ex(Tom(y), (mp_digit)k, d, 1)); ASSERT_EQ(d, want);
        const bool refused = k % 2 == 0 && ty_mp_sign(y) < 0;
        for (int64_t near = -1; near <= 1 && !refused; near++) {   // the root of a power and its neighbours
            const Int p = want + Int(near);
            if (k % 2 == 0 && ty_mp_sign(p) < 0) continue;
            OK(mp_root_n(Tom(p), k, d));
            Int z = absolute(d.value()), low, high;
            ASSERT_EQ(ty_mp_pow_vt(low, z, (uint64_t)k), TY_OK);
            ASSERT_EQ(ty_mp_pow_vt(high, z + Int(1), (uint64_t)k), TY_OK);
            ASSERT_TRUE(ty_mp_cmp_abs(low, p) <= 0 && ty_mp_cmp_abs(high, p) > 0) << p << " root " << k;
            OK(mp_root_u32(Tom(p), (uint32_t)k, d)); ASSERT_EQ(absolute(d.value()), z);
            OK(mp_n_root(Tom(p), (mp_digit)k, d)); OK(mp_n_root_ex(Tom(p), (mp_digit)k, d, 0));
            mp_bool is = 5;
            if (ty_mp_sign(p) > 0 && k == 2) {
                OK(mp_sqrt(Tom(p), d)); ASSERT_EQ(d, z);
                OK(mp_is_square(Tom(p), &is)); ASSERT_EQ(is, low == p ? MP_YES : MP_NO) << p;
            }
        }
        const int base = 2 + (int)r.below(r.below(2) ? 70 : 100000);
        const Int p = positive(r);
        int log = -1;
        uint32_t log32 = 0;
        Int low, high;
        OK(mp_log_n(Tom(p), base, &log));
        ASSERT_EQ(ty_mp_pow_vt(low, Int(base), (uint64_t)log), TY_OK);
        ASSERT_EQ(ty_mp_pow_vt(high, Int(base), (uint64_t)log + 1), TY_OK);
        ASSERT_TRUE(ty_mp_cmp(low, p) <= 0 && ty_mp_cmp(high, p) > 0) << p << " log " << base;
        OK(mp_log_u32(Tom(p), (uint32_t)base, &log32));
        ASSERT_EQ((int)log32, log);
    }
    Tom a(-4), c(9);
    int log;
    mp_bool is;
    EXPECT_EQ(mp_exptmod(Tom(3), Tom(3), Tom(-7), c), MP_VAL);
    EXPECT_EQ(mp_exptmod(Tom(3), Tom(3), Tom(0), c), MP_VAL);
    EXPECT_EQ(mp_sqrt(a, c), MP_VAL);
    EXPECT_EQ(mp_root_n(a, 2, c), MP_VAL);
    EXPECT_EQ(mp_root_n(Tom(4), 0, c), MP_VAL);
    EXPECT_EQ(mp_root_n(Tom(4), -1, c), MP_VAL);
    EXPECT_EQ(mp_expt_n(a, -1, c), MP_VAL);
    EXPECT_EQ(mp_expt_d(a, (mp_digit)1 << 31 << (MP_DIGIT_BIT > 31 ? 2 : 0), c), MP_DIGIT_BIT > 31 ? MP_VAL : MP_VAL);
    EXPECT_EQ(mp_is_square(a, &is), MP_VAL);
    EXPECT_EQ(mp_log_n(a, 10, &log), MP_VAL);
    EXPECT_EQ(mp_log_n(Tom(0), 10, &log), MP_VAL);
    EXPECT_EQ(mp_log_n(Tom(7), 1, &log), MP_VAL);
    EXPECT_EQ(c, Int(9));
}

TEST(TomMath, Reductions)
{
    TestRng r(6);
    for (int i = 0; i < rounds; i++) {
        const Int m = odd(r), x = o_mod(some(r), m), y = o_mod(some(r), m), p = o_mul(x, y);
        if (m == Int(1)) continue;
        const Tom n(m);
        const size_t digits = (size_t)n.v.used;
        const Int R = power2(digits * MP_DIGIT_BIT);
        mp_digit rho, d;
        OK(mp_montgomery_setup(n, &rho));
        ASSERT_EQ((mp_digit)(rho * n.v.dp[0]) & MP_MASK, MP_MASK);   // -1
        Tom a(p), t, mu;
        OK(mp_montgomery_reduce(a, n, rho));
        ASSERT_EQ(o_mod(o_mul(a.value(), R), m), o_mod(p, m)) << p << " mod " << m;
        ASSERT_LT(ty_mp_cmp(a.value(), m), 0);
        a = Tom(o_sub(o_mul(m, R), Int(1)));   // the largest
        OK(mp_montgomery_reduce(a, n, rho));
        ASSERT_EQ(o_mod(o_mul(a.value(), R), m), m - Int(1));
        OK(mp_montgomery_calc_normalization(t, n));
        ASSERT_EQ(t, o_mod(R, m));
        OK(mp_reduce_setup(mu, n));
        ASSERT_EQ(mu, o_quo(o_mul(R, R), m));
        a = Tom(p);
        OK(mp_reduce(a, n, mu));
        ASSERT_EQ(a, o_mod(p, m));
        // B^n - k
        if (digits > 1) {
            const mp_digit k = 1 + ((mp_digit)r.next() & MP_MASK) / (i % 2 ? 1 : 1024);
            const Int special = o_sub(R, Int((int64_t)k)), q = o_mod(p, o_mul(special, special));
            const Tom s(special);
            ASSERT_EQ(mp_dr_is_modulus(s), k <= MP_MASK ? MP_YES : mp_dr_is_modulus(s));
            mp_dr_setup(s, &d);
            ASSERT_EQ(d, k);
            for (const Int &v : { q, o_mul(special - Int(1), special - Int(1)), special, special - Int(1), Int(0) }) {
                a = Tom(v);
                OK(mp_dr_reduce(a, s, d));
                ASSERT_EQ(a, o_mod(v, special));
            }
        }
        // 2^p - d, for a d of one digit and of half the digits
        const size_t bits = ty_mp_bits(m) + 2;
        const Int one = Int((int64_t)(1 + ((mp_digit)r.next() & MP_MASK) / 2)), half = o_rem(positive(r), power2(bits / 2)) + Int(1);
        for (const Int &less : { one, half }) {
            const Int special = o_sub(power2(bits), less);
            if (ty_mp_sign(special) <= 0 || ty_mp_bits(special) != bits) continue;
            const Tom s(special);
            if (ty_mp_cmp(less, Int((int64_t)MP_MASK)) <= 0) {
                if (bits > MP_DIGIT_BIT) { ASSERT_EQ(mp_reduce_is_2k(s), MP_YES) << special; }
                OK(mp_reduce_2k_setup(s, &d));
                ASSERT_EQ(Int((int64_t)d), less);
                a = Tom(p);
                OK(mp_reduce_2k(a, s, d));
                ASSERT_EQ(a, o_mod(p, special));
            }
            OK(mp_reduce_2k_setup_l(s, t));
            ASSERT_EQ(t, less);
            a = Tom(p);
            OK(mp_reduce_2k_l(a, s, t));
            ASSERT_EQ(a, o_mod(p, special));
        }
    }
    mp_digit d;
    EXPECT_EQ(mp_montgomery_setup(Tom(4), &d), MP_VAL);
    EXPECT_EQ(mp_reduce_is_2k(Tom(0)), MP_NO);
    EXPECT_EQ(mp_reduce_is_2k_l(Tom(0)), MP_NO);
    EXPECT_EQ(mp_reduce_is_2k(Tom(5)), MP_YES);
    EXPECT_EQ(mp_dr_is_modulus(Tom(5)), MP_NO);
    EXPECT_EQ(mp_reduce_is_2k(Tom(o_sub(power2(200), power2(100)))), MP_NO);
    EXPECT_EQ(mp_reduce_is_2k_l(Tom(o_sub(power2(240), power2(100)))), MP_YES);
}

TEST(TomMath, Values)
{
    const int64_t values[] = { 0, 1, -1, 255, INT32_MAX, INT32_MIN, (int64_t)UINT32_MAX, INT64_MAX, INT64_MIN, (int64_t)1 << 60, -((int64_t)1 << 60) - 1 };
    for (const int64_t v : values) {
        Tom a(12345);
        mp_set_i64(a, v); ASSERT_EQ(a, Int(v)); ASSERT_EQ(mp_get_i64(a), v); ASSERT_EQ(mp_get_ll(a), v);
        ASSERT_EQ(mp_get_i32(a), (int32_t)v); ASSERT_EQ(mp_get_l(a), (long)v); ASSERT_EQ(mp_get_u32(a), (uint32_t)v);
        ASSERT_EQ(mp_get_u64(a), (uint64_t)v); ASSERT_EQ(mp_get_ul(a), (unsigned long)v);
        const uint64_t mag = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
        ASSERT_EQ(mp_get_mag_u64(a), mag); ASSERT_EQ(mp_get_mag_u32(a), (uint32_t)mag);
        ASSERT_EQ(mp_get_mag_ul(a), (unsigned long)mag); ASSERT_EQ(mp_get_mag_ull(a), mag);
        ASSERT_EQ(mp_get_int(a), (uint32_t)mag); ASSERT_EQ(mp_get_long(a), (unsigned long)mag); ASSERT_EQ(mp_get_long_long(a), mag);
        mp_set_u64(a, (uint64_t)v); ASSERT_EQ(mp_get_mag_u64(a), (uint64_t)v);
        mp_set_ull(a, (uint64_t)v); ASSERT_EQ(mp_get_mag_u64(a), (uint64_t)v);
        mp_set_i32(a, (int32_t)v); ASSERT_EQ(a, Int((int32_t)v)); mp_set_u32(a, (uint32_t)v); ASSERT_EQ(a, Int((uint32_t)v));
        mp_set_l(a, (long)v); ASSERT_EQ(a, Int((long)v)); mp_set_ul(a, (unsigned long)v); ASSERT_EQ(mp_get_mag_ul(a), (unsigned long)v);
        mp_set_ll(a, v); ASSERT_EQ(a, Int(v)); mp_set(a, (mp_digit)mag & MP_MASK); ASSERT_EQ(mp_get_mag_u64(a), mag & MP_MASK);
        OK(mp_set_int(a, (unsigned long)v)); ASSERT_EQ(a, Int((uint32_t)v));
        OK(mp_set_long(a, (unsigned long)mag)); OK(mp_set_long_long(a, mag)); ASSERT_EQ(mp_get_mag_u64(a), mag);
        if (mag < ((uint64_t)1 << 53)) {
            OK(mp_set_double(a, (double)v)); ASSERT_EQ(a, Int(v)); ASSERT_EQ(mp_get_double(a), (double)v);
        }
    }
#define INIT(f, v, want) do { mp_int t; OK(f(&t, v)); ASSERT_EQ(mp_get_i64(&t), (int64_t)(want)); mp_clear(&t); } while (0)
    INIT(mp_init_i32, -7, -7); INIT(mp_init_u32, 7, 7); INIT(mp_init_i64, -7, -7); INIT(mp_init_u64, 7, 7); INIT(mp_init_l, -7, -7);
    INIT(mp_init_ul, 7, 7); INIT(mp_init_ll, -7, -7); INIT(mp_init_ull, 7, 7); INIT(mp_init_set, 7, 7); INIT(mp_init_set_int, 7, 7);
    TestRng r(7);
    for (int i = 0; i < rounds; i++) {
        const double d = std::ldexp((double)(int64_t)r.next(), (int)r.below(300) - 64);
        Tom a;
        OK(mp_set_double(a, d));
        ASSERT_EQ(mp_get_double(a), std::trunc(d));
        const Int x = drawn(r, r.below(8));   // the nearest double: no other is closer
        const Tom b(x);
        const double y = mp_get_double(b);
        Tom low, high;
        OK(mp_set_double(low, std::nextafter(y, -INFINITY))); OK(mp_set_double(high, std::nextafter(y, INFINITY))); OK(mp_set_double(a, y));
        const Int off = absolute(a.value() - x);
        ASSERT_LE(ty_mp_cmp(off, absolute(low.value() - x)), 0) << x;
        ASSERT_LE(ty_mp_cmp(off, absolute(high.value() - x)), 0) << x;
    }
    Tom a(3);
    EXPECT_EQ(mp_set_double(a, INFINITY), MP_VAL);
    EXPECT_EQ(mp_set_double(a, NAN), MP_VAL);
    EXPECT_EQ(a, Int(3));
    EXPECT_TRUE(std::isinf(mp_get_double(Tom(power2(1100)))));
    EXPECT_STREQ(mp_error_to_string(MP_VAL), "Value out of range");
    EXPECT_STREQ(mp_error_to_string(17), "Invalid error code");
}

TEST(TomMath, Bytes)
{
    TestRng r(8);
    for (int i = 0; i < rounds; i++) {
        const Int x = some(r);
        const Tom a(x);
        const size_t n = ty_mp_bytes(x);
        std::vector<uint8_t> want(n), got(n + 2, 0xEE);
        ASSERT_EQ(ty_mp_get_be(want.data(), n, x), TY_OK);
        size_t written = 99;
        ASSERT_EQ(mp_ubin_size(a), n);
        ASSERT_EQ(mp_sbin_size(a), n + 1);
        OK(mp_to_ubin(a, got.data(), n, &written));
        ASSERT_EQ(written, n);
        ASSERT_TRUE(std::equal(want.begin(), want.end(), got.begin()) && got[n] == 0xEE);
        if (n) { ASSERT_EQ(mp_to_ubin(a, got.data(), n - 1, &written), MP_BUF); }
        OK(mp_to_sbin(a, got.data(), n + 1, &written));
        ASSERT_EQ(written, n + 1);
        ASSERT_EQ(got[0], ty_mp_sign(x) < 0);
        ASSERT_TRUE(std::equal(want.begin(), want.end(), got.begin() + 1));
        ASSERT_EQ(mp_to_sbin(a, got.data(), 0, NULL), MP_BUF);
        Tom b("fedcba9876543210fedcba9876543210fedcba98");
        OK(mp_from_sbin(b, got.data(), n + 1)); ASSERT_EQ(b, x);
        OK(mp_from_ubin(b, want.data(), n)); ASSERT_EQ(b, absolute(x));
        OK(mp_read_unsigned_bin(b, want.data(), (int)n)); ASSERT_EQ(b, absolute(x));
        OK(mp_read_signed_bin(b, got.data(), (int)n + 1)); ASSERT_EQ(b, x);
        unsigned long len = (unsigned long)n;
        OK(mp_to_unsigned_bin_n(a, got.data(), &len));
        OK(mp_to_unsigned_bin(a, got.data()));
        ASSERT_EQ(mp_to_signed_bin_n(a, got.data(), &len), MP_VAL);
        OK(mp_to_signed_bin(a, got.data()));
        ASSERT_EQ(mp_unsigned_bin_size(a) + 1, mp_signed_bin_size(a));
        // words of any kind, there and back
        const size_t size = 1 + r.below(9), nails = r.below(8 * size);
        const mp_order order = r.below(2) ? MP_MSB_FIRST : MP_LSB_FIRST;
        const mp_endian endian = (mp_endian)((int)r.below(3) - 1);
        const size_t count = mp_pack_count(a, nails, size);
        std::vector<uint8_t> words(count * size + 1, 0xEE);
        OK(mp_pack(words.data(), count, &written, order, size, endian, nails, a));
        ASSERT_EQ(written, count);
        ASSERT_EQ(words[count * size], 0xEE);
#if defined(HAVE_GMP)
        std::vector<uint8_t> theirs(count * size + 64);
        Mpz g(x);
        size_t theirs_count = 0;
        mpz_export(theirs.data(), &theirs_count, order, size, endian, nails, g.z);
        ASSERT_EQ(theirs_count, count);
        ASSERT_TRUE(std::equal(words.begin(), words.end() - 1, theirs.begin())) << size << " " << nails;
#endif
        OK(mp_unpack(b, count, order, size, endian, nails, words.data())); ASSERT_EQ(b, absolute(x));
        OK(mp_export(words.data(), &written, order, size, endian, nails, a));
        OK(mp_import(b, count, order, size, endian, nails, words.data())); ASSERT_EQ(b, absolute(x));
        if (count) { ASSERT_EQ(mp_pack(words.data(), count - 1, &written, order, size, endian, nails, a), MP_BUF); }
    }
    Tom a(3);
    const uint8_t none[1] = { 0 };
    EXPECT_EQ(mp_from_sbin(a, none, 0), MP_VAL);
    EXPECT_EQ(mp_read_unsigned_bin(a, none, -1), MP_VAL);
    EXPECT_EQ(mp_read_signed_bin(a, none, -1), MP_VAL);
    EXPECT_EQ(mp_unpack(a, 1, MP_MSB_FIRST, 1, MP_BIG_ENDIAN, 8, none), MP_VAL);
    EXPECT_EQ(mp_pack_count(a, 16, 2), 0u);
    EXPECT_EQ(a, Int(3));
}

TEST(TomMath, Text)
{
    TestRng r(9);
    for (int i = 0; i < rounds; i++) {
        const Int x = some(r);
        const Tom a(x);
        const int radix = 2 + (int)r.below(63);
        const std::string want = x.str(radix);
        std::vector<char> got(want.size() + 4, '#');
        size_t written = 0;
        int size = 0;
        OK(mp_radix_size(a, radix, &size));
        ASSERT_EQ((size_t)size, want.size() + 1);
        OK(mp_to_radix(a, got.data(), std::max<size_t>(2, want.size() + 1), &written, radix));
        ASSERT_EQ(written, want.size() + 1);
        ASSERT_EQ(std::string(got.data()), want);
        if (want.size() > 1) { ASSERT_EQ(mp_to_radix(a, got.data(), want.size(), &written, radix), MP_BUF); }
        OK(mp_toradix(a, got.data(), radix)); ASSERT_EQ(std::string(got.data()), want);
        OK(mp_toradix_n(a, got.data(), radix, (int)want.size() + 2)); ASSERT_EQ(std::string(got.data()), want);
        Tom b(8);
        OK(mp_read_radix(b, want.c_str(), radix)); ASSERT_EQ(b, x);
        OK(mp_read_radix(b, (want + "\r\n").c_str(), radix)); ASSERT_EQ(b, x);
        if (radix < 62) { ASSERT_EQ(mp_read_radix(b, (want + "+").c_str(), radix), MP_VAL); }
        std::FILE *f = std::tmpfile();
        ASSERT_TRUE(f);
        OK(mp_fwrite(a, radix, f));
        std::rewind(f);
        OK(mp_fread(b, radix, f)); ASSERT_EQ(b, x);
        ASSERT_EQ(mp_fread(b, radix, f), MP_ERR);   // the end
        std::fclose(f);
    }
    Tom a(5);
    char s[9];
    int size;
    EXPECT_EQ(mp_read_radix(a, "12", 1), MP_VAL);
    EXPECT_EQ(mp_read_radix(a, "12", 65), MP_VAL);
    EXPECT_EQ(mp_read_radix(a, "1 2", 10), MP_VAL);
    EXPECT_EQ(mp_to_radix(a, s, 1, NULL, 10), MP_BUF);
    EXPECT_EQ(mp_to_radix(a, s, 9, NULL, 65), MP_VAL);
    EXPECT_EQ(mp_toradix_n(a, s, 10, -1), MP_VAL);
    EXPECT_EQ(mp_radix_size(a, 1, &size), MP_VAL);
    EXPECT_EQ(a, Int(5));
    OK(mp_read_radix(a, "-", 10)); EXPECT_EQ(a, Int(0));
    OK(mp_read_radix(a, "-0", 10)); EXPECT_EQ(a, Int(0));
    OK(mp_read_radix(a, "aF", 16)); EXPECT_EQ(a, Int(0xAF));
}

static uint64_t script;
static mp_err counting(void *out, size_t n)
{
    for (size_t i = 0; i < n; i++) ((uint8_t *)out)[i] = (uint8_t)((script = script * 6364136223846793005u + 1442695040888963407u) >> 56);
    return MP_OKAY;
}
static mp_err failing(void *, size_t) { return MP_ERR; }
static int callback(unsigned char *out, int n, void *dat) { *(int *)dat += n; (void)counting(out, (size_t)n); return n; }
static int bad_callback(unsigned char *, int n, void *) { return n - 1; }

TEST(TomMath, Random)
{
    Tom a(5), b;
    mp_digit d;
    for (int n : { 1, 2, 5, 40 }) {
        OK(mp_rand(a, n)); ASSERT_EQ(a.v.used, n); ASSERT_TRUE(a.shapely());
        OK(mp_rand(b, n)); ASSERT_NE(mp_cmp(a, b), MP_EQ);
    }
    OK(mp_rand(a, 0)); EXPECT_EQ(a, Int(0));
    OK(mp_rand(a, -1)); EXPECT_EQ(a, Int(0));
    OK(mp_rand_digit(&d)); EXPECT_LE(d, MP_MASK);
    mp_rand_source(counting);
    script = 1; OK(mp_rand(a, 7));
    script = 1; OK(mp_rand(b, 7));
    EXPECT_EQ(mp_cmp(a, b), MP_EQ);
    mp_rand_source(failing);
    EXPECT_EQ(mp_rand(a, 7), MP_ERR); EXPECT_EQ(a, Int(0));
    EXPECT_EQ(mp_prime_rand(a, 1, 64, 0), MP_ERR);
    mp_rand_source(NULL);
    OK(mp_rand(a, 7));
}

TEST(TomMath, Primes)
{
    mp_rand_source(counting);
    const int know = 2000;
    std::vector<bool> sieve((size_t)know, true);
    for (int i = 2; i < know; i++)
        for (int k = 2 * i; k < know; k += i) sieve[(size_t)k] = false;
    mp_bool is;
    for (int i = 0, at = 0; i < know - 400; i++) {
        const bool prime = i > 1 && sieve[(size_t)i];
        for (int t : { -1, 0, 3 }) {
            OK(mp_prime_is_prime(Tom(i), t, &is)); ASSERT_EQ(is == MP_YES, prime) << i;
        }
        if (prime && at < 256) { ASSERT_EQ(ltm_prime_tab[at++], (mp_digit)i); }
        OK(mp_prime_strong_lucas_selfridge(Tom(i), &is));
        if (prime) { ASSERT_EQ(is, MP_YES) << i; }
        const mp_err found = mp_prime_frobenius_underwood(Tom(i), &is);
        const int root = (int)std::sqrt(i);
        ASSERT_TRUE(found == MP_OKAY || (found == MP_ITER && root * root == i)) << i;   // no parameter suits a square
        if (!prime) { ASSERT_EQ(is, MP_NO) << i; }
        else if (i > 41) { ASSERT_EQ(is, MP_YES) << i; }
        if (i > 3) {
            OK(mp_prime_miller_rabin(Tom(i), Tom(2), &is));
            if (prime || i == 2047) { ASSERT_EQ(is, MP_YES) << i; }
            OK(mp_prime_fermat(Tom(i), Tom(2), &is));
            ASSERT_EQ(is == MP_YES, prime || i == 341 || i == 561 || i == 645 || i == 1105 || i == 1387) << i;
        }
        for (int bbs = 0; bbs < 2; bbs++) {
            Tom n(i);
            OK(mp_prime_next_prime(n, 3, bbs));
            int want = i + 1;
            while (want < 2 || !sieve[(size_t)want] || (bbs && want % 4 != 3)) want++;
            ASSERT_EQ(n, Int(want)) << i << " " << bbs;
        }
        OK(mp_prime_is_divisible(Tom(i), &is));
        ASSERT_EQ(is == MP_YES, i != 1) << i;
    }
    // pseudoprimes: to base 2, Carmichael, strong Lucas, Arnault's to all bases below 307
    for (const char *s : { "2047", "3215031751", "341550071728321", "5459", "5777", "10877",
                           "80383745745363949125707961434194210813883768828755814583748891752229742737653336521865023361639600454579150420236032087656996676098728404396540823292873879185086916685732826776177102938969773947016708230428687109997439976544144845341155872450633409279022275296229414984230688168540432"
                           "6457534018329786111298960644845216191652872597534901" }) {
        OK(mp_prime_is_prime(Tom(std::string(s), 10), 1, &is)); ASSERT_EQ(is, MP_NO) << s;
    }
    const Tom mersenne(o_sub(power2(127), Int(1))), below(std::string("3317044064679887385961813"), 10);
    OK(mp_prime_is_prime(mersenne, 8, &is)); EXPECT_EQ(is, MP_YES);
    EXPECT_EQ(mp_prime_is_prime(mersenne, -1, &is), MP_VAL);
    OK(mp_prime_is_prime(Tom(std::string("318665857834031151167461"), 10), -1, &is)); EXPECT_EQ(is, MP_NO);
    OK(mp_prime_is_prime(below, -1, &is));
    EXPECT_EQ(mp_prime_is_prime(Tom(-7), 1, &is), MP_VAL);
    EXPECT_EQ(mp_prime_fermat(Tom(7), Tom(1), &is), MP_VAL);
    EXPECT_EQ(mp_prime_miller_rabin(Tom(7), Tom(1), &is), MP_VAL);
    OK(mp_prime_frobenius_underwood(mersenne, &is)); EXPECT_EQ(is, MP_YES);
    OK(mp_prime_frobenius_underwood(Tom(o_mul(mersenne.value(), Int(3))), &is)); EXPECT_EQ(is, MP_NO);
    const int trials[][2] = { { 64, -1 }, { 80, -1 }, { 81, 37 }, { 100, 32 }, { 1024, 12 }, { 2047, 8 }, { 4096, 5 }, { 99999, 2 } };
    for (const auto &t : trials) EXPECT_EQ(mp_prime_rabin_miller_trials(t[0]), t[1]) << t[0];
    Tom p;
    for (int size : { 2, 3, 4, 5, 7, 16, 33, 64, 120 }) {
        for (int flags : { 0, MP_PRIME_BBS, MP_PRIME_2MSB_ON, MP_PRIME_BBS | MP_PRIME_2MSB_ON, MP_PRIME_SAFE }) {
            if ((size == 2 && flags == MP_PRIME_SAFE) || (size == 4 && flags == (MP_PRIME_BBS | MP_PRIME_2MSB_ON))) continue;   // there is none
            OK(mp_prime_rand(p, 4, size, flags)) << size << " " << flags;
            ASSERT_EQ(mp_count_bits(p), size);
            OK(mp_prime_is_prime(p, 4, &is)); ASSERT_EQ(is, MP_YES) << p;
            if (flags & (MP_PRIME_BBS | MP_PRIME_SAFE)) { ASSERT_EQ(p.v.dp[0] & 3, 3u) << p; }
            if (flags & MP_PRIME_2MSB_ON) { ASSERT_EQ(mp_get_bit(p, size - 2), MP_YES) << p; }
            if (flags & MP_PRIME_SAFE) { OK(mp_div_2(p, p)); OK(mp_prime_is_prime(p, 4, &is)); ASSERT_EQ(is, MP_YES) << p; }
        }
    }
    int drawn_bytes = 0;
    OK(mp_prime_random_ex(p, 4, 100, 0, callback, &drawn_bytes)); EXPECT_EQ(mp_count_bits(p), 100); EXPECT_GT(drawn_bytes, 11);
    OK(mp_prime_random(p, 4, 8, 1, callback, &drawn_bytes)); EXPECT_EQ(mp_count_bits(p), 65);
    EXPECT_EQ(mp_prime_random_ex(p, 4, 100, 0, bad_callback, NULL), MP_VAL);
    EXPECT_EQ(mp_prime_rand(p, 0, 100, 0), MP_VAL);
    EXPECT_EQ(mp_prime_rand(p, 4, 1, 0), MP_VAL);
    EXPECT_EQ(mp_prime_rand(p, 4, 2, MP_PRIME_SAFE), MP_VAL);
    // square roots modulo primes of every kind: 3 mod 4, 5 mod 8, many twos in p - 1
    for (const char *s : { "7", "13", "65537", "170141183460469231731687303715884105727", "115792089237316195423570985008687907853269984665640564039457584007913129639747",
                           "26959946667150639794667015087019630673557916260026308143510066298881", "3489660929" }) {
        const Int q(std::string(s), 10);
        TestRng r(10);
        for (int i = 0; i < 12; i++) {
            const Int x = i ? o_mod(drawn(r, 4, false), q) : Int(0), square = o_mod(o_mul(x, x), q);
            Tom root(3);
            OK(mp_sqrtmod_prime(Tom(square), Tom(q), root)) << s;
            ASSERT_EQ(o_mod(o_mul(root.value(), root.value()), q), square) << s;
            int k = 0;
            OK(mp_kronecker(Tom(x), Tom(q), &k));
            if (k == -1) { ASSERT_EQ(mp_sqrtmod_prime(Tom(x), Tom(q), root), MP_VAL); }
        }
    }
    EXPECT_EQ(mp_sqrtmod_prime(Tom(1), Tom(2), p), MP_VAL);
    EXPECT_EQ(mp_sqrtmod_prime(Tom(2), Tom(15), p), MP_OKAY);   // a modulus that is no prime ends, whatever comes of it
    EXPECT_NE(mp_sqrtmod_prime(Tom(4), Tom(65 * 17), p), MP_MEM);
    mp_rand_source(NULL);
}

TEST(TomMath, Life)
{
    Memory memory;
    {
        mp_int a, b, c;
        OK(mp_init_multi(&a, &b, &c, NULL));
        mp_set(&a, 5);
        OK(mp_grow(&a, 100));
        ASSERT_EQ(a.alloc, 100);
        OK(mp_shrink(&a));
        ASSERT_EQ(a.alloc, MP_PREC);
        ASSERT_EQ(mp_get_i32(&a), 5);
        mp_exch(&a, &b);
        ASSERT_EQ(mp_get_i32(&b), 5);
        b.dp[1] = b.dp[2] = 0;
        b.used = 3;
        mp_clamp(&b);
        ASSERT_EQ(b.used, 1);
        mp_zero(&b);
        ASSERT_TRUE(b.used == 0 && b.dp[0] == 0);
        mp_clear_multi(&a, &b, &c, NULL);
        ASSERT_TRUE(a.dp == NULL && a.used == 0 && a.alloc == 0);
        mp_clear(&a);   // again does nothing
    }
    EXPECT_TRUE(memory.pieces.empty());
    EXPECT_FALSE(memory.dirty);
    for (size_t at = 0; at < 3; at++) {
        mp_int a, b, c;
        memory.calls = 0, memory.fail_at = at;
        EXPECT_EQ(mp_init_multi(&a, &b, &c, NULL), MP_MEM);
        EXPECT_TRUE(memory.pieces.empty());
    }
    mp_int a;
    memory.calls = 0, memory.fail_at = 0;
    const mp_int one = { 0, 0, MP_ZPOS, NULL };
    EXPECT_EQ(mp_init_copy(&a, &one), MP_MEM);
}

// Every allocation of every function fails once: MP_MEM, nothing lost, nothing given back unwiped, and what was there stays.
TEST(TomMath, NoMemory)
{
    TestRng r(11);
    mp_rand_source(counting);
    const Int big = drawn(r, 300, false) + power2(300 * TY_LIMB_BITS), other = drawn(r, 290, false) + power2(290 * TY_LIMB_BITS + 1) + Int(1);
    const Tom prime(o_sub(power2(127), Int(1)));
    const std::string text = big.str(7);
    Memory memory;
    {
        const Tom a(big), b(other), m(ty_mp_odd(other) ? other : other + Int(1)), e(65537);
        const std::vector<uint8_t> bytes(3000, 0x5A);
        std::vector<char> out(30000);
        mp_digit d;
        mp_bool is;
        int n;
        std::FILE *f = std::tmpfile();
        ASSERT_TRUE(f);
        struct Case { const char *name; std::function<mp_err(mp_int *)> run; };
#define CASE(...) { #__VA_ARGS__, [&](mp_int *c) { (void)c; return __VA_ARGS__; } }
        const Case cases[] = {
            CASE(mp_copy(a, c)), CASE(mp_grow(c, 500)), CASE(mp_add(a, b, c)), CASE(mp_sub(b, a, c)), CASE(mp_mul(a, b, c)), CASE(mp_sqr(a, c)),
            CASE(mp_neg(a, c)), CASE(mp_complement(a, c)), CASE(mp_mul_2d(a, 900, c)), CASE(mp_div_2d(a, 9, c, NULL)), CASE(mp_mod_2d(a, 9000, c)),
            CASE(mp_signed_rsh(a, 9, c)), CASE(mp_2expt(c, 9999)), CASE(mp_and(a, b, c)), CASE(mp_mul_d(a, 9, c)), CASE(mp_div_d(a, 9, c, &d)),
            CASE(mp_add_d(a, 9, c)), CASE(mp_div(a, e, c, NULL)), CASE(mp_div(a, b, NULL, c)), CASE(mp_mod(a, b, c)), CASE(mp_addmod(a, b, m, c)), CASE(mp_submod(a, b, m, c)),
            CASE(mp_mulmod(a, b, m, c)), CASE(mp_sqrmod(a, m, c)), CASE(mp_exptmod(a, e, m, c)), CASE(mp_gcd(a, b, c)), CASE(mp_lcm(a, b, c)),
            CASE(mp_exteuclid(a, b, c, NULL, NULL)), CASE(mp_sqrt(a, c)), CASE(mp_root_n(a, 3, c)), CASE(mp_expt_n(a, 3, c)), CASE(mp_log_n(a, 10, &n)),
            CASE(mp_kronecker(a, m, &n)), CASE(mp_is_square(a, &is)), CASE(mp_read_radix(c, text.c_str(), 7)), CASE(mp_to_radix(a, out.data(), out.size(), NULL, 7)),
            CASE(mp_radix_size(a, 7, &n)), CASE(mp_fwrite(a, 7, f)), CASE(mp_from_ubin(c, bytes.data(), 3000)),
            CASE(mp_unpack(c, 1500, MP_MSB_FIRST, 2, MP_BIG_ENDIAN, 3, bytes.data())), CASE(mp_reduce_setup(c, b)), CASE(mp_montgomery_calc_normalization(c, m)),
            CASE(mp_reduce_2k_setup_l(a, c)), CASE(mp_reduce_2k_setup(a, &d)), CASE(mp_prime_is_prime(prime, 2, &is)), CASE(mp_prime_fermat(prime, e, &is)),
            CASE(mp_prime_miller_rabin(prime, e, &is)), CASE(mp_prime_frobenius_underwood(prime, &is)), CASE(mp_rand(c, 100)),
        };
        for (const Case &k : cases) {
            mp_err err = MP_MEM;
            for (size_t at = 0; err == MP_MEM && at < 400; at++) {
                Tom c(-12345);
                memory.calls = 0, memory.fail_at = at;
                const size_t before = memory.pieces.size();
                err = k.run(c);
                memory.fail_at = (size_t)-1;
                ASSERT_EQ(memory.pieces.size(), before) << k.name;
                if (err == MP_OKAY) ASSERT_LE(memory.calls, at) << k.name;   // nothing failed
                else {
                    ASSERT_EQ(err, MP_MEM) << k.name << " " << at;
                    ASSERT_EQ(c, Int(-12345)) << k.name;
                }
            }
            ASSERT_EQ(err, MP_OKAY) << k.name;
        }
        std::fclose(f);
    }
    EXPECT_FALSE(memory.dirty);
    mp_rand_source(NULL);
}
