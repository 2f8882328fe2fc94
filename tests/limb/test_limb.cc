// The limb kernels of every tier, at all lengths up to a few blocks and at guard pages: against the
// portable tier, which tests/mp and, with GMP, tests/diff test in turn, and against their
// definition in schoolbook integers.
#include "limb/limbs.hpp"
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include <cmath>
#include <cstring>

class Limb : public ::testing::Test {
protected:
    const size_t most = full() ? 70 : 26;
};

// Kernels for sums and for products by one limb: a row of a schoolbook product
TEST_F(Limb, Rows)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        TestRng r(1);
        for (size_t n = 1; n < most; n++) {
            const auto x = draw(r, n), y = draw(r, n);
            const ty_limb c = n % 3 ? (ty_limb)r.next() : ~(ty_limb)0;
            Out a(x), b(y), z(n);
            ty_limb top = ops->add(z, a, b, n);
            ASSERT_EQ(z.value() + shifted(top, n), big(x) + big(y)) << n;
            top = ops->sub(z, a, b, n);
            ASSERT_EQ(z.value() + big(y), big(x) + shifted(top, n)) << n;
            top = ops->mul_1(z, a, n, c);
            ASSERT_EQ(z.value() + shifted(top, n), big(x) * big(&c, 1)) << n;
            Out four(y), three(y), minus(y), same(y);
            top = ops->sum_4(four, a, b, z, n, 0);
            ASSERT_EQ(four.value() + shifted(top, n), big(x) + big(y) + big(y) + z.value()) << n;
            top = ops->sum_4(three, a, a, z, n, ~(ty_limb)0);   // 2x + z - y + B^n
            ASSERT_EQ(three.value() + shifted(top, n) + big(y),
                      big(x) + big(x) + z.value() + Big::pow2((unsigned)(n * TY_LIMB_BITS))) << n;
            top = ops->neg_if(minus, n, ~(ty_limb)0);
            ASSERT_EQ(minus.value() + big(y), shifted(1 - top, n)) << n;
            ASSERT_EQ(top, (ty_limb)(big(y) == Big(0))) << n;
            ASSERT_EQ(ops->neg_if(same, n, 0), 0u);
            ASSERT_EQ(same.value(), big(y)) << n;
            Out s(y);
            top = ops->addmul_1(s, a, n, c);
            ASSERT_EQ(s.value() + shifted(top, n), big(y) + big(x) * big(&c, 1)) << n;
            Out d(y);
            top = ops->submul_1(d, a, n, c);
            ASSERT_EQ(d.value() + big(x) * big(&c, 1), big(y) + shifted(top, n)) << n;
        }
    });
}

TEST_F(Limb, Products)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        TestRng r(2);
        for (size_t n = 1; n < most; n++) {
            const auto x = draw(r, n);
            Out a(x), square(2 * n);
            ops->sqr(square, a, n);
            ASSERT_EQ(square.value(), big(x) * big(x)) << n;
            if (ops->mul_short && TY_LIMB_SHORT(n)) {
                const auto y = draw(r, n);
                Out b(y), z(2 * n), again(2 * n);
                const ty_limb top = ops->mul_short(z, a, n, b);
                ASSERT_EQ(z.value(), big(x) * big(y)) << n;
                ASSERT_EQ(top, z[2 * n - 1]) << n;
                const ty_limb high = ops->sqr_short(again, a, n);
                ASSERT_EQ(again.value(), square.value()) << n;
                ASSERT_EQ(high, again[2 * n - 1]) << n;
            }
            for (size_t m : {(size_t)1, n / 2 + 1, n}) {
                const auto y = draw(r, m);
                Out b(y), z(n + m);
                ops->mul(z, a, n, b, m);
                ASSERT_EQ(z.value(), big(x) * big(y)) << n << " " << m;
            }
        }
    });
}

// For the kernels with vectors of 52-bit digits: all lengths that they have, and some for which
// factors are cut into slices; digits at the ends of their range, whose sums are all ones, so that
// a carry propagates from end to end.
TEST_F(Limb, ProductsOfDigits)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        TestRng r(52);
        const auto number = [&](size_t n, bool ones) {
            std::vector<ty_limb> x(n);
            for (size_t at = 0, digit = 0, left = 0; at < n * TY_LIMB_BITS; at++, digit >>= 1) {
                if (!left--) {
                    const uint64_t kind = ones ? 0 : r.below(4), all = ((uint64_t)1 << 52) - 1;
                    digit = kind == 0   ? all
                            : kind == 1 ? 0
                            : kind == 2 ? (uint64_t)1 << r.below(52)
                                        : r.next() & all;
                    left = 51;
                }
                x[at / TY_LIMB_BITS] |= (ty_limb)(digit & 1) << at % TY_LIMB_BITS;
            }
            return x;
        };
        for (size_t n = 9; n <= 100; n += n < 40 ? 1 : 30)
            for (int round = 0; round < (full() ? 40 : 6); round++) {
                const auto x = number(n, round == 0);
                Out a(x), square(2 * n);
                ops->sqr(square, a, n);
                ASSERT_EQ(square.value(), big(x) * big(x)) << n;
                for (size_t m : {n, n - 1, (size_t)10, (size_t)13, (size_t)14, (size_t)20,
                                 (size_t)27, (size_t)33, (size_t)39}) {
                    const auto y = number(m, round < 2);
                    Out b(y), z(n + m);
                    ops->mul(z, a, n, b, m);
                    ASSERT_EQ(z.value(), big(x) * big(y)) << n << " " << m;
                }
            }
    });
}

// z B^n = t (mod m), z < B^n, and z <= m for t < B^n; and the table lookup gather
TEST_F(Limb, Reduction)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        TestRng r(3);
        for (size_t n = 1; n < most; n++) {
            auto m = draw(r, n), x = draw(r, 2 * n);
            m[0] |= 1;
            if (n % 2) m[n - 1] |= (ty_limb)1 << (TY_LIMB_BITS - 1);
            Out t(x), mod(m), z(n);
            ops->redc(z, t, mod, n, ty_limb_minv(m[0]));
            const Big modulus = big(m);
            ASSERT_EQ(z.value() * Big::pow2((unsigned)(n * TY_LIMB_BITS)) % modulus,
                      big(x) % modulus)
                << n;
            std::fill(x.begin() + (long)n, x.end(), 0);
            Out low(x);
            ops->redc(low + n, low, mod, n, ty_limb_minv(m[0]));
            const Big got = big(low + n, n);
            ASSERT_TRUE(got < modulus || got == modulus) << n;
            const auto table = draw(r, 5 * n);
            for (size_t k = 0; k < 5; k++) {
                ops->gather(z, table.data(), n, 5, k);
                ASSERT_EQ(z.value(), big(table.data() + k * n, n));
            }
        }
    });
}

// Entries of so many limbs that some kernels read them in parts
TEST_F(Limb, GatherInParts)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        TestRng r(13);
        for (size_t n : {32, 40, 48, 56, 64, 79}) {
            const auto table = draw(r, 5 * n);
            for (size_t k = 0; k < 5; k++) {
                Out z(n);
                ops->gather(z, table.data(), n, 5, k);
                ASSERT_EQ(z.value(), big(table.data() + k * n, n)) << n;
            }
        }
    });
}

// Operands of n limbs: a single bit, B^(n-1) + 1, B^k - 1, 0, or a result of draw()
static std::vector<ty_limb> shaped(TestRng &r, size_t n)
{
    std::vector<ty_limb> v(n);
    const uint64_t kind = r.below(7);
    if (kind == 0) v[r.below(n)] = (ty_limb)1 << r.below(TY_LIMB_BITS);
    else if (kind == 1) v[0] = v[n - 1] = 1;
    else if (kind == 2) for (size_t i = 0; i + r.below(2) < n; i++) v[i] = ~(ty_limb)0;
    else if (kind == 3) return v;
    else return draw(r, n);
    return v;
}

using Limbs = std::vector<ty_limb>;

static void same_products(const ty_limb_ops *ops, const Limbs &x, const Limbs &y)
{
    const size_t n = x.size(), m = y.size();
    Limbs want(n + m), square(2 * n);
    Out a(x), b(y), z(n + m), w(2 * n);
    ty_limb_ops_c.mul(want.data(), x.data(), n, y.data(), m);
    ops->mul(z, a, n, b, m);
    ASSERT_EQ(std::memcmp(z, want.data(), (n + m) * sizeof(ty_limb)), 0) << n << " x " << m;
    ty_limb_ops_c.sqr(square.data(), x.data(), n);
    ops->sqr(w, a, n);
    ASSERT_EQ(std::memcmp(w, square.data(), 2 * n * sizeof(ty_limb)), 0) << n;
}

// x + y or x - y of one length, in place: result and carry as in the portable tier
template <class F> static void same_row(F ours, F portable, const Limbs &x, const Limbs &y)
{
    Limbs want(x);
    Out z(x), b(y);
    const ty_limb top = portable(want.data(), want.data(), y.data(), x.size());
    ASSERT_EQ(ours(z, z, b, x.size()), top) << x.size();
    ASSERT_EQ(std::memcmp(z, want.data(), x.size() * sizeof(ty_limb)), 0) << x.size();
}
template <class F> static void same_multiple(F ours, F portable, const Limbs &x, ty_limb y)
{
    Limbs want(x);
    Out z(x);
    const ty_limb top = portable(want.data(), want.data(), x.size(), y);
    ASSERT_EQ(ours(z, z, x.size(), y), top) << x.size();
    ASSERT_EQ(std::memcmp(z, want.data(), x.size() * sizeof(ty_limb)), 0) << x.size();
}

static void same_reduction(const ty_limb_ops *ops, TestRng &r, const Limbs &t, Limbs m)
{
    const size_t n = m.size();
    m[0] |= 1;
    const ty_limb minv = ty_limb_minv(m[0]);
    Limbs used(t), want(n);
    ty_limb_ops_c.redc(want.data(), used.data(), m.data(), n, minv);
    const size_t at = r.below(3) ? r.below(2) * n : 0;   // z may be part of t
    Out a(t), b(m);
    ops->redc(a + at, a, b, n, minv);
    ASSERT_EQ(std::memcmp(a + at, want.data(), n * sizeof(ty_limb)), 0) << n;
}

// Montgomery products by the kernel mont against a product and a reduction, limb for limb; out of
// place and in place
TEST_F(Limb, MontgomeryInOneGo)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        TestRng r(7);
        for (size_t n = 2; n <= TY_LIMB_MONT; n++) {
            for (int i = 0; i < (most > 50 ? 20000 : 60); i++) {
                Limbs x = shaped(r, n), y = shaped(r, n), m = shaped(r, n), t(2 * n), want(n);
                // all ones, so that every possible carry occurs
                if (i == 0)
                    for (Limbs *v : { &x, &y, &m }) std::fill(v->begin(), v->end(), ~(ty_limb)0);
                m[0] |= 1;
                const ty_limb minv = ty_limb_minv(m[0]);
                ty_limb_ops_c.mul(t.data(), x.data(), n, y.data(), n);
                ty_limb_ops_c.redc(want.data(), t.data(), m.data(), n, minv);
                Out a(x), b(y), mod(m), z(n);
                ops->mont(z, a, b, mod, n, minv);
                ASSERT_EQ(std::memcmp(z, want.data(), n * sizeof(ty_limb)), 0) << n;
                ty_limb *to = i % 2 ? a : b;
                ops->mont(to, a, b, mod, n, minv);
                ASSERT_EQ(std::memcmp(to, want.data(), n * sizeof(ty_limb)), 0) << n;
            }
        }
    });
}

// x z = 1 (mod m), z < m; and no inverse where there is a common factor
TEST_F(Limb, Inverses)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        if (!ops->inv) return;
        TestRng r(8);
        int found = 0;
        for (int i = 0; i < (most > 50 ? 600 : 90); i++) {
            const size_t n = i < 30   ? (size_t)i % 10 + 1
                             : i % 30 ? 1 + r.below(6)
                                      : 31 + r.below(8);
            Limbs m = shaped(r, n), x = shaped(r, n), work(TY_LIMB_INV_WORK(n)), z(n);
            m[0] |= 1, x[0] |= r.below(2);
            const bool common = i % 5 == 4;
            if (common) {   // 3 times numbers below B^n/4
                m[n - 1] = m[n - 1] >> 2 | (ty_limb)1 << (TY_LIMB_BITS - 3), x[n - 1] >>= 4;
                m[0] |= 1;
                ty_limb_ops_c.mul_1(m.data(), m.data(), n, 3);
                ty_limb_ops_c.mul_1(x.data(), x.data(), n, 3);
            } else if (ty_limb_cmp_vt(x.data(), m.data(), n) >= 0) {
                std::swap(x, m);
                m[0] |= 1;
                if (x == m) x[0] ^= 1;
            }
            Out a(x), b(m);
            const size_t rounds = (9437 * 64 * n + 1) / 4096 / 60 + 1;
            const ty_limb none = ops->inv(z.data(), a, b, n, rounds, work.data());
            if (common) { ASSERT_EQ(none, ~(ty_limb)0) << n; }
            if (none) continue;
            found++;
            ASSERT_TRUE(big(z) < big(m)) << n;
            ASSERT_TRUE(big(x) * big(z) % big(m) == Big(1) % big(m)) << n;
        }
        EXPECT_GT(found, 30);
    });
}

static void same_sums(const ty_limb_ops *ops, const Limbs &w, const Limbs &x, const Limbs &y,
                      const Limbs &z, ty_limb mask)
{
    const size_t n = w.size();
    Limbs want(z), got(z);
    ASSERT_EQ(ops->neg_if(got.data(), n, mask), ty_limb_neg_if(want.data(), n, mask)) << n;
    ASSERT_EQ(got, want) << n;
    ASSERT_EQ(ops->sum_4(got.data(), w.data(), x.data(), y.data(), n, mask),
              ty_limb_sum_4(want.data(), w.data(), x.data(), y.data(), n, mask)) << n;
    ASSERT_EQ(got, want) << n;
}

// Every tier against the portable one, limb for limb, for every pair of lengths, so that loops over
// eight limbs are entered at every place, and blocks of columns have every width; in place where
// limb.h allows it.
TEST_F(Limb, TiersAgree)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        if (ops == &ty_limb_ops_c) return;
        TestRng r(6);
        for (size_t n = 1; n <= (full() ? 80 : 34); n++) {
            for (size_t m = 1; m <= n; m++) {
                same_products(ops, shaped(r, n), shaped(r, m));
                // also with fewer columns than rows
                same_products(ops, shaped(r, m), shaped(r, n));
            }
            for (int i = 0; i < 8; i++) {
                const Limbs x = shaped(r, n), y = shaped(r, n);
                const ty_limb limb = shaped(r, 1)[0];
                same_row(ops->add, ty_limb_ops_c.add, x, y);
                same_row(ops->sub, ty_limb_ops_c.sub, x, y);
                for (const ty_limb mask : { (ty_limb)0, ~(ty_limb)0 })
                    same_sums(ops, x, y, shaped(r, n), shaped(r, n), mask);
                same_multiple(ops->mul_1, ty_limb_ops_c.mul_1, x, limb);
                same_multiple(ops->addmul_1, ty_limb_ops_c.addmul_1, x, limb);
                same_multiple(ops->submul_1, ty_limb_ops_c.submul_1, x, limb);
                same_reduction(ops, r, shaped(r, 2 * n), y);
            }
            if (HasFatalFailure()) return;
        }
    });
}

// A dividend for d and qn limbs of quotient, often one whose quotient digits are hard to estimate:
// its highest limbs are those of d, or a little less; or it is a multiple of d, or one less
static std::vector<ty_limb> dividend(TestRng &r, const std::vector<ty_limb> &d, size_t qn)
{
    auto u = draw(r, d.size() + qn);
    switch (r.below(4)) {
    case 0: std::copy(d.begin(), d.end(), u.begin() + (long)qn); break;
    case 1:
        ty_limb_ops_c.mul(u.data(), d.data(), d.size(), draw(r, qn).data(), qn);
        if (r.below(2)) (void)ty_limb_sub_1(u.data(), u.data(), u.size(), 1);
        break;
    default: break;
    }
    while (ty_limb_cmp_vt(&u[qn], d.data(), d.size()) >= 0) {
        if (r.below(2)) (void)ty_limb_sub_1(&u[qn], &u[qn], d.size(), 1);
        else u.back() /= 2;
    }
    return u;
}

TEST_F(Limb, Division)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        TestRng r(4);
        // so that ty_limb_div uses the portable tier; for the others it uses the best one
        if (ops == &ty_limb_ops_c) ty_cpu_assume(TY_CPU_WORD64);
        for (int i = 0; i < (most > 50 ? 20000 : 300); i++) {
            auto d = draw(r, 1 + r.below(r.below(4) ? 5 : 20));
            const ty_limb half = (ty_limb)1 << (TY_LIMB_BITS - 1);
            d.back() |= half;
            // with these two limbs a sum in the computation of the reciprocal equals the upper one
            if (d.size() > 1 && r.below(8) == 0) d.back() = half + 1, d.end()[-2] = half + 5;
            ASSERT_EQ(ty_limb_recip(d.back()), ty_limb_recip_vt(d.back()));
            const size_t qn = 1 + r.below(r.below(4) ? 5 : 20);
            const auto u = dividend(r, d, qn);
            for (int vt : {0, 1}) {
                Out q(qn), rest(u), alone(u);
                ty_limb_div(q, rest, u.size(), d.data(), d.size(), ty_limb_recip(d.back()), vt);
                ASSERT_EQ(q.value() * big(d) + rest.value(), big(u)) << d.size() << " " << qn;
                ASSERT_TRUE(rest.value() < big(d));
                ty_limb_div(nullptr, alone, u.size(), d.data(), d.size(), ty_limb_recip(d.back()),
                            vt);
                ASSERT_EQ(big(alone, d.size()), rest.value()) << d.size() << " " << qn;
            }
            const ty_limb one = d[0] ? d[0] : 1;
            std::vector<ty_limb> q(u.size());
            const ty_limb left = ty_limb_div_1_vt(q.data(), u.data(), u.size(), one);
            ASSERT_EQ(big(q) * big(&one, 1) + big(&left, 1), big(u));
            ASSERT_LT(left, one);
            if (d.size() < 2) continue;
            const ty_limb two[] = {d[0], d[1] ? d[1] : 1};   // not normalized
            const ty_limb2 rest =
                ty_limb_div_2_vt(q.data(), u.data(), u.size(), ty_limb2_from(two, 2));
            const ty_limb left2[] = {(ty_limb)rest, (ty_limb)(rest >> TY_LIMB_BITS)};
            ASSERT_EQ(big(q.data(), u.size() - 1) * big(two, 2) + big(left2, 2), big(u));
            ASSERT_TRUE(big(left2, 2) < big(two, 2));
        }
        ty_cpu_assume(0);
    });
}

// A random number of any number of bits: some are powers of two, some end in many zero bits
static ty_limb2 two_limbs(TestRng &r)
{
    const auto v = draw(r, 2);
    ty_limb2 x = ty_limb2_from(v.data(), 2);
    x = r.below(4) ? x : (ty_limb2)1 << r.below(2 * TY_LIMB_BITS);
    x >>= r.below(4) ? 0 : r.below(2 * TY_LIMB_BITS);
    return r.below(3) ? x : x << r.below(TY_LIMB_BITS + 9);
}

// gcd(x, y) against Euclid's algorithm
static void divisor(ty_limb2 x, ty_limb2 y)
{
    const ty_limb2 g = ty_limb_gcd_2_vt(x, y);
    while (y) {
        const ty_limb2 rest = x % y;
        x = y, y = rest;
    }
    ASSERT_TRUE(g == x) << (ty_limb)(x >> TY_LIMB_BITS) << ":" << (ty_limb)x;
}

// Pairs of small numbers, of equal or consecutive ones, and with a limb or a factor in common
TEST_F(Limb, Divisors)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        TestRng r(6);
        if (ops == &ty_limb_ops_c) ty_cpu_assume(TY_CPU_WORD64);
        for (ty_limb2 x = 0; x < 12; x++)
            for (ty_limb2 y = 0; y < 12; y++)
                for (unsigned s : { 0u, 1u, TY_LIMB_BITS - 2u, TY_LIMB_BITS - 0u })
                    divisor(x << s, y), divisor(x, y << s), divisor(x << s, (y << s) + 1);
        for (int i = 0; i < (full() ? 100000 : 2000) && !HasFatalFailure(); i++) {
            const ty_limb2 x = two_limbs(r), y = two_limbs(r), low = (ty_limb)~(ty_limb)0;
            divisor(x, y);
            divisor(x, x);
            divisor(x, x + 1);
            divisor(x, (y & ~low) | (x & low));   // lower limbs are equal
            divisor(x, (x & ~low) | (y & low));   // upper limbs are equal
            divisor((x & low) * (ty_limb)(y >> TY_LIMB_BITS),
                    (y & low) * (ty_limb)(y >> TY_LIMB_BITS));
        }
        ty_cpu_assume(0);
    });
}

TEST_F(Limb, Bits)
{
    TestRng r(5);
    EXPECT_EQ(ty_limb_bits(0), 0u);
    for (unsigned s = 0; s < TY_LIMB_BITS; s++) {
        const ty_limb x = (ty_limb)1 << s | ((ty_limb)r.next() >> (TY_LIMB_BITS - 1 - s) >> 1);
        EXPECT_EQ(ty_limb_bits(x), s + 1);
        EXPECT_EQ(ty_limb_minv(x | 1) * (x | 1), ~(ty_limb)0);
        const auto v = draw(r, 5);
        std::vector<ty_limb> up(6), down(5);
        up[5] = ty_limb_shl(up.data(), v.data(), 5, s);
        EXPECT_EQ(big(up), big(v) * Big::pow2(s));
        const ty_limb out = ty_limb_shr(down.data(), v.data(), 5, s);
        EXPECT_EQ(big(down) * Big::pow2(s) + Big(s ? out >> (TY_LIMB_BITS - s) : 0), big(v));
    }
}
