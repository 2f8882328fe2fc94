// Z/q of ML-DSA: every kernel of every tier is compared with its definition, at the ends of its
// range, and with the portable tier; and bounds that are propagated through the butterflies show
// that no lane overflows for any input.
extern "C" {   // internal headers are plain C
#include "mod/q_mldsa.h"
}
#include "support/full.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace {
#include "mod/q_mldsa.inc"

constexpr int64_t q = TY_Q, R = (int64_t)1 << 32;
using Poly = std::array<int32_t, 256>;

int64_t mod(int64_t x) { return (x % q + q) % q; }
int64_t centred(int64_t x) { return mod(x) > q / 2 ? mod(x) - q : mod(x); }

int64_t power(int64_t x, uint64_t e)
{
    int64_t r = 1;
    for (x = mod(x); e; e >>= 1, x = x * x % q)
        if (e & 1) r = r * x % q;
    return r;
}

const int64_t over_R = power(R % q, (uint64_t)q - 2);

unsigned reversed_bits(unsigned k)
{
    unsigned r = 0;
    for (int i = 0; i < 8; i++) r |= (k >> i & 1) << (7 - i);
    return r;
}

// Unreduced polynomials: the ends of the range in every pattern that makes sums large, and random
// ones.
std::vector<Poly> loose(TestRng &rng, int randoms)
{
    std::vector<Poly> v;
    for (int64_t x : {0, 1, -1, TY_Q - 1, 1 - TY_Q, TY_Q / 2, -TY_Q / 2}) {
        Poly p;
        p.fill((int32_t)x);
        v.push_back(p);
    }
    for (unsigned bit = 1; bit < 256; bit *= 2) {
        Poly p;
        for (unsigned i = 0; i < 256; i++) p[i] = i & bit ? TY_Q - 1 : 1 - TY_Q;
        v.push_back(p);
    }
    for (int n = 0; n < randoms; n++) {
        Poly p;
        for (auto &x : p) x = (int32_t)rng.below(2 * q - 1) - (TY_Q - 1);
        v.push_back(p);
    }
    return v;
}

std::vector<Poly> canonical(TestRng &rng, int randoms)
{
    auto v = loose(rng, randoms);
    for (auto &p : v)
        for (auto &x : p) x = (int32_t)mod(x);
    return v;
}

int32_t *at(Poly &p) { return p.data(); }
const int32_t *at(const Poly &p) { return p.data(); }
const ty_q_poly *polys(const Poly *p) { return reinterpret_cast<const ty_q_poly *>(p); }

template <class F> void each_tier(F f)
{
    for_each_tier<ty_q_ops>(ty_q_tiers, [&](const ty_q_ops *ops, const char *) { f(ops); });
}

bool within(const Poly &p, double bound)
{
    for (int32_t x : p)
        if (std::abs((double)x) >= bound) return false;
    return true;
}

}   // namespace

// Coefficient i of the transform is the value at the power 2 rev(i) + 1 of 1753.
TEST(QMldsa, TransformIsEvaluation)
{
    TestRng rng(1);
    each_tier([&](const ty_q_ops *ops) {
        for (const Poly &a : loose(rng, 2)) {
            Poly t = a;
            ops->ntt(at(t));
            ASSERT_TRUE(within(t, 5.1 * q));
            for (unsigned i = 0; i < 256; i += full() ? 1 : 23) {
                const int64_t x = power(1753, 2 * reversed_bits(i) + 1);
                int64_t value = 0;
                for (unsigned j = 256; j-- > 0;) value = mod(value * x + a[j]);
                ASSERT_EQ(mod(t[i]), value) << i;
            }
        }
    });
}

TEST(QMldsa, InverseTransform)
{
    TestRng rng(2);
    each_tier([&](const ty_q_ops *ops) {
        for (const Poly &a : loose(rng, few(20))) {
            Poly t = a, back;
            ops->ntt(at(t));
            for (unsigned i = 0; i < 256; i++) back[i] = (int32_t)centred(t[i]);
            ops->intt(at(back));
            for (unsigned i = 0; i < 256; i++) ASSERT_EQ(mod(back[i]), mod(a[i] * (R % q)));
            t = a;
            ops->intt(at(t));
            ASSERT_TRUE(within(t, q));
        }
    });
}

// x y mod X^256 + 1, compared with the schoolbook product
TEST(QMldsa, ProductOfPolynomials)
{
    TestRng rng(3);
    each_tier([&](const ty_q_ops *ops) {
        const auto v = loose(rng, 3);
        const Poly &x = v[v.size() - 1], &y = v[v.size() - 2];
        Poly a = x, b = y, z;
        ops->ntt(at(a));
        ops->ntt(at(b));
        ops->dot(at(z), polys(&a), polys(&b), 1);
        ops->intt(at(z));
        for (unsigned i = 0; i < 256; i++) {
            int64_t sum = 0;
            for (unsigned j = 0; j < 256; j++)
                sum += mod((int64_t)x[j] * y[(256 + i - j) % 256]) * (j <= i ? 1 : -1);
            ASSERT_EQ(mod(z[i]), mod(sum)) << i;
        }
    });
}

TEST(QMldsa, SumsOfProductsAtTheEndsOfTheRange)
{
    TestRng rng(4);
    const int32_t wide = 42740126;   // below 5.1 q
    static_assert(wide < 5.1 * q && wide + 1 > 5.1 * q, "");
    each_tier([&](const ty_q_ops *ops) {
        for (size_t n = 0; n <= 8; n++) {
            std::array<Poly, 8> x, y;
            Poly z;
            for (size_t i = 0; i < 8; i++)
                for (unsigned j = 0; j < 256; j++) {
                    x[i][j] = j % 3 == 0   ? wide
                              : j % 3 == 1 ? -wide
                                           : (int32_t)rng.below(2 * wide) - wide;
                    y[i][j] = j % 5 < 3 ? wide : (int32_t)rng.below(2 * wide) - wide;
                }
            ops->dot(at(z), polys(&x[0]), polys(&y[0]), n);
            ASSERT_TRUE(within(z, q));
            for (unsigned j = 0; j < 256; j++) {
                int64_t sum = 0;
                for (size_t i = 0; i < n; i++) sum = mod(sum + mod((int64_t)x[i][j] * y[i][j]));
                ASSERT_EQ(mod(z[j]), mod(sum * over_R));
            }
        }
    });
}

TEST(QMldsa, AddAndItsBound)
{
    TestRng rng(5);
    each_tier([&](const ty_q_ops *ops) {
        for (int round = 0; round < few(40); round++) {
            Poly x, y, z;
            for (auto &e : x) e = (int32_t)rng.below(4 * q - 1) - (2 * TY_Q - 1);
            for (auto &e : y) e = (int32_t)rng.below(4 * q - 1) - (2 * TY_Q - 1);
            x[3] = y[3] = 2 * TY_Q - 1;
            x[4] = y[4] = 1 - 2 * TY_Q;
            (void)ops->add(at(z), at(x), at(y), TY_Q / 4);
            for (unsigned i = 0; i < 256; i++) {
                const int64_t sum = (int64_t)x[i] + y[i], c = centred(sum);
                ASSERT_EQ(mod(z[i]), mod(sum));
                ASSERT_LT(std::abs(z[i]), 0.51 * q);
                if (std::abs(c) <= q / 4) { ASSERT_EQ(z[i], c); }
            }
            // one coefficient, at every position, at or just below the bound; all of them also
            // given by another representative
            const int32_t bound = (int32_t)(1 + rng.below(q / 4)),
                          small = (round % 2 ? 1 : -1) * (bound - 1);
            for (unsigned i = 0; i < 256; i += tier_is_slow() ? 51 : 1) {
                Poly a{}, shifted;
                shifted.fill(round % 3 == 0 ? TY_Q : round % 3 == 1 ? -TY_Q : 0);
                a[i] = small;
                ASSERT_EQ(ops->add(at(z), at(a), at(shifted), bound), 0u);
                a[i] = round % 2 ? bound : -bound;
                ASSERT_EQ(ops->add(at(z), at(a), at(shifted), bound), 1u) << i;
            }
            x.fill(bound);
            y.fill(0);
            ASSERT_EQ(ops->add(at(z), at(x), at(y), bound), 1u) << "all of them";
        }
    });
}

// Every canonical number, or a sample of them and all near the ends of intervals; every second one
// is given as its negative representative.
TEST(QMldsa, RoundingOfEveryNumber)
{
    std::vector<int32_t> numbers;
    if (full()) {
        for (int32_t a = 0; a < TY_Q; a++) numbers.push_back(a);
    } else {
        for (int32_t a = 0; a < TY_Q; a += 1009) numbers.push_back(a);
        for (int32_t step : {TY_Q_GAMMA2_32, TY_Q_GAMMA2_88, 1 << 12})
            for (int32_t a = 0; a < TY_Q + 3; a += step)
                for (int32_t d = -2; d <= 2; d++)
                    if (a + d >= 0 && a + d < TY_Q) numbers.push_back(a + d);
    }
    while (numbers.size() % 256) numbers.push_back(TY_Q - 1);
    each_tier([&](const ty_q_ops *ops) {
        for (size_t n = 0; n < numbers.size(); n += 256 * (tier_is_slow() ? 7 : 1)) {
            Poly a, given, high, low;
            std::copy_n(numbers.begin() + (long)n, 256, a.begin());
            for (unsigned i = 0; i < 256; i++)
                given[i] = (n / 256 + i) % 2 && a[i] ? a[i] - TY_Q : a[i];
            ops->power2round(at(high), at(low), at(given));
            for (unsigned i = 0; i < 256; i++) {
                ASSERT_EQ(high[i] * 8192 + low[i], a[i]);
                ASSERT_TRUE(low[i] > -4096 && low[i] <= 4096) << a[i];
            }
            for (int32_t gamma2 : {TY_Q_GAMMA2_32, TY_Q_GAMMA2_88}) {
                const int32_t m = (TY_Q - 1) / (2 * gamma2);
                ops->decompose(at(high), at(low), at(given), gamma2);
                for (unsigned i = 0; i < 256; i++) {
                    ASSERT_EQ(mod((int64_t)high[i] * 2 * gamma2 + low[i]), a[i]);
                    ASSERT_TRUE(high[i] >= 0 && high[i] < m) << a[i];
                    ASSERT_TRUE(low[i] <= gamma2 && low[i] >= -gamma2 + (high[i] != 0)) << a[i];
                }
            }
        }
    });
}

// UseHint(MakeHint(z, r), r) is the high part of r + z for |z| <= gamma2 [FIPS 204, 7.4; lemma 1 of
// Dilithium].
TEST(QMldsa, HintsCarryTheHighPart)
{
    TestRng rng(6);
    each_tier([&](const ty_q_ops *ops) {
        for (int32_t gamma2 : {TY_Q_GAMMA2_32, TY_Q_GAMMA2_88})
            for (const Poly &moved : canonical(rng, few(30))) {   // r + z
                Poly w1, w0, z, r, got, r1, r0;
                uint32_t h[8], count = 0;
                ops->decompose(at(w1), at(w0), at(moved), gamma2);
                for (unsigned i = 0; i < 256; i++) {
                    const int32_t edges[] = { 0,
                                              1,
                                              -1,
                                              gamma2,
                                              -gamma2,
                                              w0[i] - gamma2,
                                              w0[i] + gamma2,
                                              w0[i] + gamma2 - 1 };
                    z[i] =
                        i % 2 ? edges[rng.below(8)] : (int32_t)rng.below(2 * gamma2 + 1) - gamma2;
                    if (std::abs(z[i]) > gamma2) z[i] = 0;
                    r[i] = (int32_t)mod((int64_t)moved[i] - z[i]);
                    w0[i] -= z[i];
                }
                const uint32_t hints = ops->make_hint(h, at(w1), at(w0), gamma2);
                ops->use_hint(at(got), at(r), h, gamma2);
                ops->decompose(at(r1), at(r0), at(r), gamma2);
                for (unsigned i = 0; i < 256; i++) {
                    const uint32_t bit = h[i / 32] >> i % 32 & 1;
                    ASSERT_EQ(got[i], w1[i]) << i;
                    ASSERT_EQ(bit, (uint32_t)(r1[i] != w1[i])) << i;
                    count += bit;
                }
                ASSERT_EQ(hints, count);
            }
    });
}

// A hint for a number that was not changed: use_hint steps to the neighbour on the side of w0.
TEST(QMldsa, HintsStepToTheNeighbour)
{
    TestRng rng(7);
    each_tier([&](const ty_q_ops *ops) {
        for (int32_t gamma2 : {TY_Q_GAMMA2_32, TY_Q_GAMMA2_88})
            for (const Poly &a : canonical(rng, few(10))) {
                const int32_t m = (TY_Q - 1) / (2 * gamma2);
                uint32_t h[8];
                Poly w1, w0, got = a;
                for (auto &word : h) word = (uint32_t)rng.next();
                for (unsigned i = 0; i < 256; i += 1 + rng.below(5)) got[i] -= got[i] ? TY_Q : 0;
                ops->decompose(at(w1), at(w0), at(a), gamma2);
                ops->use_hint(at(got), at(got), h, gamma2);
                for (unsigned i = 0; i < 256; i++) {
                    const int32_t step = h[i / 32] >> i % 32 & 1 ? (w0[i] > 0 ? 1 : -1) : 0;
                    ASSERT_EQ(got[i], (w1[i] + step + m) % m);
                }
            }
    });
}

// All tiers give the same numbers, not only the same residues, except for the inverse transform;
// and write nothing after the 256th.
TEST(QMldsa, TiersAgree)
{
    TestRng rng(8);
    const auto in = loose(rng, 30);
    const ty_q_ops *c = &ty_q_ops_c;
    each_tier([&](const ty_q_ops *ops) {
        for (size_t n = 0; n < in.size(); n += tier_is_slow() ? 9 : 1) {
            const Poly &a = in[n];
            Guarded g(a.data(), sizeof a);
            Poly want = a;
            auto *got = (int32_t *)g.data();
            c->ntt(at(want));
            ops->ntt(got);
            ASSERT_EQ(std::memcmp(got, want.data(), sizeof want), 0);
            const std::array<Poly, 8> x = { want, a, want, a, a, want, want, a },
                                      y = { a, want, want, a, want, a, want, a };
            for (size_t len = 0; len <= 8; len++) {
                ops->dot(got, polys(&x[0]), polys(&y[0]), len);
                c->dot(at(want), polys(&x[0]), polys(&y[0]), len);
                ASSERT_EQ(std::memcmp(got, want.data(), sizeof want), 0) << len;
            }
            ops->intt(got);
            c->intt(at(want));
            for (unsigned i = 0; i < 256; i++) {
                ASSERT_EQ(mod(got[i]), mod(want[i]));
                ASSERT_LT(std::abs(got[i]), TY_Q);
            }
            std::memcpy(got, want.data(), sizeof want);
            ASSERT_EQ(ops->add(got, got, a.data(), 1000),
                      c->add(at(want), want.data(), a.data(), 1000));
            ASSERT_EQ(std::memcmp(got, want.data(), sizeof want), 0);
        }
    });
}

// Rounding a quotient has a tie where b round(z R/q) is R/2 mod R. This happens for one power of
// the layer of distance 4 and b = 2^21 or 3 2^21, and coefficients 4 to 7 are unchanged before that
// layer.
TEST(QMldsa, TiersRoundTheSameWay)
{
    unsigned ties = 0;
    for (int64_t k = 32; k < 64; k++) {
        const int64_t z = centred(zeta[k] * over_R),
                      rounded = (2 * z * R + q) / (2 * q) - (2 * z * R + q < 0);
        ties += ((rounded << 21) & (R - 1)) == R / 2;
    }
    ASSERT_EQ(ties, 1u);
    each_tier([&](const ty_q_ops *ops) {
        for (int32_t b : {1 << 21, -(1 << 21), 3 << 21, -(3 << 21)})
            for (unsigned i = 4; i < 8; i++) {
                Poly got{}, want{};
                got[i] = want[i] = b;
                ops->ntt(at(got));
                ty_q_ops_c.ntt(at(want));
                ASSERT_EQ(got, want) << b << " at " << i;
            }
    });
}

// --- No lane overflows ---------------------------------------------------------------------------
namespace {

// |x| <= bound for each coefficient, propagated through one transform. Only the schedule and the
// powers matter, so the result holds for every input within the bounds and for every tier: all
// compute the same butterflies, except for the inverse of m4, which has a function of its own.
struct Bounds {
    std::array<int64_t, 256> bound;
    bool fits = true;
    explicit Bounds(int64_t b) { bound.fill(b); }

    int64_t sum(int64_t x, int64_t y)
    {
        if (x + y >= (int64_t)1 << 31) fits = false;
        return x + y;
    }
    // the bound of (t - m q)/R, for |t| <= |z| b and |m| <= 2^31, rounded away from 0
    int64_t product(int64_t z, int64_t b)
    {
        const int64_t t = std::abs(z) * b;
        if (t >= q << 31) fits = false;
        return (t + (q << 31) + R - 1) / R;
    }
    void forward()
    {
        size_t k = 1;
        for (size_t len = 128; len > 0; len /= 2)
            for (size_t start = 0; start < 256; start += 2 * len, k++)
                for (size_t i = start; i < start + len; i++)
                    bound[i] = bound[i + len] = sum(bound[i], product(zeta[k], bound[i + len]));
    }
    void inverse()
    {
        for (size_t len = 1; len < 256; len *= 2) {
            size_t k = 128 / len;
            for (size_t start = 0; start < 256; start += 2 * len, k++)
                for (size_t i = start; i < start + len; i++) {
                    const int64_t s = sum(bound[i], bound[i + len]);
                    bound[i] = len < 128 ? s : product(TY_Q_SCALE, s);
                    bound[i + len] = product(len < 128 ? zeta_inv[k] : TY_Q_LAST, s);
                }
        }
    }
    // The inverse of q_mldsa_m4.S, by roots of unity: a product is t = b z + k q with a rounded
    // quotient k, so |t| <= q/2 + q |b|/2R. Factors of 1, those of the first column of the layers
    // up to a distance of 16, need no product. The last layer and its factors take one reduction.
    void inverse_by_roots()
    {
        for (size_t len = 1; len < 128; len *= 2)
            for (size_t start = 0; start < 256; start += 2 * len)
                for (size_t i = 0; i < len; i++) {
                    const int64_t a = bound[start + i], b = bound[start + i + len];
                    const bool by_1 = i == 0 && len <= 16;
                    bound[start + i] = bound[start + i + len] =
                        sum(a, by_1 ? b : q / 2 + 1 + (q * b) / (2 * R) + 1);
                }
        for (size_t i = 0; i < 128; i++)
            bound[i] = bound[i + 128] = product(q / 2, bound[i] + bound[i + 128]);
    }
    int64_t most() const { return *std::max_element(bound.begin(), bound.end()); }
};

}   // namespace

TEST(QMldsa, NoLaneOverflows)
{
    Bounds forward(q - 1), inverse(q - 1), roots(q - 1);
    roots.inverse_by_roots();
    EXPECT_TRUE(roots.fits);
    EXPECT_LT(roots.most(), q);
    forward.forward();
    EXPECT_TRUE(forward.fits);
    EXPECT_LT((double)forward.most(), 5.1 * q);
    inverse.inverse();
    EXPECT_TRUE(inverse.fits);
    EXPECT_LT(inverse.most(), q);
    std::cout << "forward: " << (double)forward.most() / q
              << " q, inverse: " << (double)inverse.most() / q << " q\n";

    // the checks of sums and of products can fail; the inverse has hardly any slack
    Bounds many(8 * q), wide(300 * q), slack(q + 20000);
    many.inverse_by_roots();
    EXPECT_FALSE(many.fits);
    wide.forward();
    EXPECT_FALSE(wide.fits);
    slack.inverse();
    EXPECT_FALSE(slack.fits);

    TestRng rng(9);   // the results of the tiers are within the bounds
    each_tier([&](const ty_q_ops *ops) {
        for (const Poly &a : loose(rng, few(50))) {
            Poly f = a, i = a;
            ops->ntt(at(f));
            ops->intt(at(i));
            for (unsigned j = 0; j < 256; j++) {
                ASSERT_LE(std::abs((int64_t)f[j]), forward.bound[j]);
                ASSERT_LE(std::abs((int64_t)i[j]), std::max(inverse.bound[j], roots.bound[j]));
            }
        }
    });
}
