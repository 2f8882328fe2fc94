// Division steps: a matrix of twenty against the definition, one step at a time; inverses against their law.
#include "laws/bignum.hpp"
#include "support/rng.hpp"
extern "C" {
#include "base/bytes.h"
#include "base/ct.h"
#include "tongyu/base.h"
}
#include <cstring>
#include <gtest/gtest.h>

#if defined(__SIZEOF_INT128__)
namespace {
#define TY_LIMB_BITS 64
#include "limb/limb256.inc"

// The definition, on whole numbers: twice delta is kept, since delta starts at 1/2.
struct Plain {
    int64_t delta2, f, g;
    void step()
    {
        if (delta2 > 0 && (g & 1)) {
            const int64_t old = f;
            f = g, g = (g - old) / 2, delta2 = 2 - delta2;
        } else {
            g = (g & 1) ? (g + f) / 2 : g / 2, delta2 += 2;
        }
    }
};

void check_20(int64_t delta2, int64_t f, int64_t g)
{
    ty_div_matrix t;
    const int64_t zeta = ty_div_20(&t, -(delta2 + 1) / 2, (uint64_t)f, (uint64_t)g);
    Plain p = {delta2, f, g};
    for (int i = 0; i < 20; i++) p.step();
    ASSERT_EQ(t.u * f + t.v * g, p.f * (1 << 20)) << f << " " << g << " " << delta2;
    ASSERT_EQ(t.q * f + t.r * g, p.g * (1 << 20)) << f << " " << g << " " << delta2;
    ASSERT_EQ(zeta, -(p.delta2 + 1) / 2);
    ASSERT_LE(std::llabs(t.u) + std::llabs(t.v), 1 << 20);
    ASSERT_LE(std::llabs(t.q) + std::llabs(t.r), 1 << 20);
    ASSERT_EQ(t.u * t.r - t.v * t.q, 1 << 20);
}

TEST(DivStep64, TwentyStepsAreTwentySteps)
{
    TestRng r(1);
    const int rounds = std::getenv("TONGYU_TEST_FULL") ? 2000000 : 20000;
    for (int i = 0; i < rounds; i++) {
        const Bytes b = r.bytes(9);
        const int64_t f = (b[0] | b[1] << 8 | b[2] << 16) | 1, g = b[3] | b[4] << 8 | b[5] << 16;
        check_20(2 * (int8_t)b[6] + 1, f, (b[7] & 1) ? -g : g);
    }
    // both ends of delta, so that there is a swap at once, and none at all; and the lowest bits that make runs of either
    for (int64_t delta2 : {-1201, -41, -3, -1, 1, 3, 41, 1201})
        for (int64_t f : {1, 3, 5, (1 << 20) - 1, (1 << 20) + 1, -1, -3})
            for (int64_t g : {0, 1, 2, 3, 1 << 19, 1 << 20, (1 << 20) - 1, (1 << 20) - 2, -1, -2}) check_20(delta2, f, g);
}

Bytes inverse(const Bytes &x, const Bytes &m, const Bytes &c)
{
    ty_limb lx[4], lm[4], lc[4], z[4];
    ty_limb256_set(lx, x.data());
    ty_limb256_set(lm, m.data());
    ty_limb256_set(lc, c.data());
    uint64_t inv = 1;   // Newton: each turn doubles the bits of 1/m mod 2^64
    for (int i = 0; i < 6; i++) inv *= 2 - lm[0] * inv;
    ty_limb256_inv(z, lx, lm, inv, lc);
    ty_limb256_inv(lx, lx, lm, inv, lc);   // in place
    EXPECT_EQ(std::memcmp(lx, z, sizeof z), 0);
    Bytes out(32);
    ty_limb256_get(out.data(), z);
    return out;
}

TEST(DivStep64, InversesOfManyModuli)
{
    TestRng r(2);
    const int rounds = std::getenv("TONGYU_TEST_FULL") ? 200000 : 200;
    const Big one(1);
    std::vector<Big> moduli = {Big(3), Big::pow2(256) - Big(189), Big::pow2(255) - Big(19), Big::pow2(61) - one,
                               Big::hex("fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff"),
                               Big::hex("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123")};
    for (const Big &m : moduli) {   // primes, so that all but 0 has an inverse
        std::vector<Big> xs = {Big(0), one, Big(2) % m, m - one, (m - one) % m, Big::pow2(60) % m, Big::pow2(240) % m,
                               (m + one) % m, Big::pow2(255) % m, m - Big(2)};
        for (unsigned k = 0; k < 256; k += 5) xs.push_back((Big::pow2(k) + Big(k)) % m);
        for (int i = 0; i < rounds; i++) xs.push_back(Big(r.bytes(32)) % m);
        const Big c = Big(r.bytes(32)) % m;
        for (const Big &x : xs) {
            const Big z(inverse(x.bytes(32), m.bytes(32), c.bytes(32)));
            ASSERT_TRUE(z < m);
            ASSERT_EQ(hex((z * x % m).bytes(32)), hex((x == Big(0) ? Big(0) : c).bytes(32))) << hex(x.bytes(32));
            if (x == Big(0)) { ASSERT_TRUE(z == Big(0)); }
        }
    }
}
}
#endif
