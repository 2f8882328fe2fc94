// LibTomMath's interface: modular arithmetic, powers and roots, every kind of reduction.
#include "compat/tom.hpp"

// The results that docs/libtommath.md states; the comments have those of LibTomMath 1.2 and 1.3
TEST(TomMath, DifferencesOnPurpose)
{
    Tom x, u(9), v(9), g(9);
    OK(mp_exptmod(Tom(-3), Tom(-1), Tom(7), x)); EXPECT_EQ(x, Int(2));      // 5
    OK(mp_exptmod(Tom(-3), Tom(-2), Tom(7), x)); EXPECT_EQ(x, Int(4));      // the same
    OK(mp_exptmod(Tom(-10), Tom(-3), Tom(7), x)); EXPECT_EQ(x, Int(1));     // 6
    OK(mp_invmod(Tom(-3), Tom(7), x)); EXPECT_EQ(x, Int(2));                // -2
    OK(mp_exptmod(Tom(5), Tom(-2), Tom(1), x)); EXPECT_EQ(x, Int(0));       // MP_VAL
    OK(mp_exptmod(Tom(5), Tom(0), Tom(1), x)); EXPECT_EQ(x, Int(0));        // 1
    OK(mp_exteuclid(Tom(0), Tom(0), u, v, g));                              // 1, 0, 0
    EXPECT_EQ(u, Int(0)); EXPECT_EQ(v, Int(0)); EXPECT_EQ(g, Int(0));
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
            OK(mp_addmod(a, b, c, d));
            ASSERT_EQ(d, o_mod(o_add(u, v), m));
            OK(mp_addmod(e, b, c, e));
            ASSERT_EQ(e, d.value());
            e = a;
            OK(mp_submod(a, b, c, d));
            ASSERT_EQ(d, o_mod(o_sub(u, v), m));
            OK(mp_submod(b, e, c, e));
            ASSERT_EQ(e, o_mod(o_sub(v, u), m));
            e = a;
            OK(mp_mulmod(a, b, c, d));
            ASSERT_EQ(d, o_mod(o_mul(u, v), m));
            OK(mp_mulmod(a, b, f, f));
            ASSERT_EQ(f, d.value());
            f = c;
            OK(mp_addmod(a, b, f, f)); ASSERT_EQ(f, o_mod(o_add(u, v), m)); f = c;
            OK(mp_sqrmod(a, c, d));
            ASSERT_EQ(d, o_mod(o_mul(u, u), m));
            OK(mp_sqrmod(e, c, e));
            ASSERT_EQ(e, d.value());
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
        const Int m = i % 3 ? odd(r) : positive(r), x = drawn(r, 6),
                  e = drawn(r, 1 + r.below(3), false);
        const Int modulus = ty_mp_bits(m) > 1000 ? o_rem(m, power2(700)) + Int(1) : m;
        const Tom a(x), b(e), c(modulus);
        Tom d(1), f(b);
        OK(mp_exptmod(a, b, c, d));
        ASSERT_EQ(d, o_powm(x, e, modulus)) << x << "^" << e << " mod " << modulus;
        OK(mp_exptmod(a, f, c, f));
        ASSERT_EQ(f, d.value());
        f = b;
        f.v.sign = f.v.used ? MP_NEG : MP_ZPOS;
        const bool good =
            ty_mp_cmp(modulus, Int(1)) == 0 || o_gcd(x, modulus) == Int(1) || !f.v.used;
        const mp_err err = mp_exptmod(a, f, c, f);
        ASSERT_EQ(err, good ? MP_OKAY : MP_VAL) << modulus;
        if (good) {
            ASSERT_EQ(o_mod(o_mul(f.value(), d.value()), modulus), o_mod(Int(1), modulus));
        }
        const int k = 1 + (int)r.below(9);
        const Int y = drawn(r, r.below(5));
        Int want;
        ASSERT_EQ(ty_mp_pow_vt(want, y, (uint64_t)k), TY_OK);
        OK(mp_expt_n(Tom(y), k, d)); ASSERT_EQ(d, want);
        OK(mp_expt_u32(Tom(y), (uint32_t)k, d)); ASSERT_EQ(d, want);
        OK(mp_expt_d_ex(Tom(y), (mp_digit)k, d, 1)); ASSERT_EQ(d, want);
        const bool refused = k % 2 == 0 && ty_mp_sign(y) < 0;
        // the root of a power and its neighbours
        for (int64_t near = -1; near <= 1 && !refused; near++) {
            const Int p = want + Int(near);
            if (k % 2 == 0 && ty_mp_sign(p) < 0) continue;
            OK(mp_root_n(Tom(p), k, d));
            Int z = absolute(d.value()), low, high;
            ASSERT_EQ(ty_mp_pow_vt(low, z, (uint64_t)k), TY_OK);
            ASSERT_EQ(ty_mp_pow_vt(high, z + Int(1), (uint64_t)k), TY_OK);
            ASSERT_TRUE(ty_mp_cmp_abs(low, p) <= 0 && ty_mp_cmp_abs(high, p) > 0)
                << p << " root " << k;
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
    EXPECT_EQ(mp_expt_d(a, (mp_digit)1 << 31 << (MP_DIGIT_BIT > 31 ? 2 : 0), c), MP_VAL);
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
            for (const Int &v : { q, o_mul(special - Int(1), special - Int(1)), special,
                                  special - Int(1), Int(0) }) {
                a = Tom(v);
                OK(mp_dr_reduce(a, s, d));
                ASSERT_EQ(a, o_mod(v, special));
            }
        }
        // 2^p - d, for a d of one digit and of half the digits
        const size_t bits = ty_mp_bits(m) + 2;
        const Int one = Int((int64_t)(1 + ((mp_digit)r.next() & MP_MASK) / 2)),
                  half = o_rem(positive(r), power2(bits / 2)) + Int(1);
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
