// Z/p of SM2 and division steps with ARM's DSP instructions: the laws of a ring, comparison with
// integers for words at the edges, which need not be below p, and inverses modulo any odd number.
#include "laws/bignum.hpp"
#include "support/full.hpp"
#include "support/rng.hpp"
extern "C" {
#include "base/bytes.h"
#include "base/cpu.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "mod/p_sm2.h"
}
#include <cstring>
#include <gtest/gtest.h>

#if defined(TY_ARM_DSP)
static const char P_HEX[] = "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff";
static const Big two256 = Big::pow2(256);

extern "C" {
#define TY_LIMB_BITS 32
#define TY_LIMB_M4
#define TY_P_SM2_M4
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
}

struct Ring {
    static const char *modulus() { return P_HEX; }
    static ty_p_sm2 in(const Bytes &x)
    {
        ty_p_sm2 z;
        EXPECT_EQ(ty_p_sm2_set(&z, x.data()), (ty_limb)-1);
        return z;
    }
    static Bytes out(const ty_p_sm2 &x)
    {
        Bytes b(32);
        ty_p_sm2_get(b.data(), &x);
        return b;
    }
    static Bytes add(const Bytes &x, const Bytes &y)
    {
        ty_p_sm2 a = in(x), b = in(y);
        ty_p_sm2_add(&a, &a, &b);
        return out(a);
    }
    static Bytes sub(const Bytes &x, const Bytes &y)
    {
        ty_p_sm2 a = in(x), b = in(y);
        ty_p_sm2_sub(&b, &a, &b);
        return out(b);
    }
    static Bytes mul(const Bytes &x, const Bytes &y)
    {
        ty_p_sm2 a = in(x), b = in(y), z;
        ty_p_sm2_mul(&z, &a, &b);
        return out(z);
    }
    static Bytes inv(const Bytes &x)
    {
        ty_p_sm2 a = in(x);
        ty_p_sm2_inv(&a, &a);
        return out(a);
    }
};
#define RING_SUITE PSm2M4
#include "laws/ring.inc"

// Unreduced words: in all of [0, 2^256), where p represents 0 as well
static std::vector<Big> words()
{
    const Big p = Big::hex(P_HEX), one(1), gap = two256 - p;
    std::vector<Big> v = {Big(0),          one, p,         p - one,  p + one, two256 - one,
                          two256 - Big(2), gap, gap - one, gap + gap};
    for (unsigned k : { 32u, 64u, 96u, 128u, 160u, 192u, 224u, 225u, 255u }) {
        v.push_back(Big::pow2(k));
        v.push_back(Big::pow2(k) - one);
        v.push_back(two256 - Big::pow2(k));
        v.push_back(two256 - Big::pow2(k) - one);
    }
    TestRng r(4);
    for (int i = 0; i < 12; i++) v.push_back(Big(r.bytes(32)));
    return v;
}

static ty_p_sm2 raw(const Big &x)
{
    ty_p_sm2 z;
    ty_limb256_set(z.v, x.bytes(32).data());
    return z;
}

static Big value(const ty_p_sm2 &x)
{
    Bytes b(32);
    ty_limb256_get(b.data(), x.v);
    return Big(b) % Big::hex(P_HEX);
}

TEST(PSm2M4, WordsAgainstIntegers)
{
    const Big p = Big::hex(P_HEX), r = two256 % p;
    for (const Big &x : words()) {
        const ty_p_sm2 a = raw(x);
        ty_p_sm2 z, t = a;
        ty_p_sm2_sqr(&z, &a);
        ty_p_sm2_sqr(&t, &t);
        ASSERT_EQ(std::memcmp(&t, &z, sizeof z), 0);
        ASSERT_TRUE(value(z) * r % p == x * x % p) << hex(x.bytes(32));
        ty_p_sm2_half(&z, &a);
        ASSERT_TRUE((value(z) + value(z)) % p == x % p) << hex(x.bytes(32));
        for (const Big &y : words()) {
            const ty_p_sm2 b = raw(y);
            const std::string what = hex(x.bytes(32)) + " " + hex(y.bytes(32));
            ty_p_sm2_mul(&z, &a, &b);
            ASSERT_TRUE(value(z) * r % p == x * y % p) << what;
            t = b;
            ty_p_sm2_mul(&t, &a, &t);
            ASSERT_EQ(std::memcmp(&t, &z, sizeof z), 0) << what;
            ty_p_sm2_add(&z, &a, &b);
            ASSERT_TRUE(value(z) == (x + y) % p) << what;
            ty_p_sm2_sub(&z, &a, &b);
            ASSERT_TRUE(value(z) == (x + p + p - y) % p) << what;
        }
    }
}

static Bytes inverse(const Big &x, const Big &m, const Big &c)
{
    ty_limb lx[8], lm[8], lc[8], z[8];
    ty_limb256_set(lx, x.bytes(32).data());
    ty_limb256_set(lm, m.bytes(32).data());
    ty_limb256_set(lc, c.bytes(32).data());
    uint64_t inv = 1;   // Newton: each step doubles the correct bits of 1/m
    for (int i = 0; i < 6; i++) inv *= 2 - lm[0] * inv;
    ty_limb256_inv(z, lx, lm, inv, lc);
    ty_limb256_inv(lx, lx, lm, inv, lc);   // in place
    EXPECT_EQ(std::memcmp(lx, z, sizeof z), 0);
    Bytes out(32);
    ty_limb256_get(out.data(), z);
    return out;
}

TEST(DivStep32M4, InversesOfManyModuli)
{
    TestRng r(2);
    const Big one(1);
    for (const Big &m :
         {Big(3), two256 - Big(189), Big::pow2(255) - Big(19), Big::pow2(61) - one, Big::hex(P_HEX),
          Big::hex("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123")}) {
        std::vector<Big> xs = { Big(0), one, Big(2) % m, m - one, m - Big(2), (m + one) % m };
        for (unsigned k = 0; k < 256; k += 5) xs.push_back((Big::pow2(k) + Big(k)) % m);
        for (int i = 0; i < (full() ? 20000 : 100); i++) xs.push_back(Big(r.bytes(32)) % m);
        const Big c = Big(r.bytes(32)) % m;
        for (const Big &x : xs) {
            const Big z(inverse(x, m, c));
            ASSERT_TRUE(z < m);
            ASSERT_EQ(hex((z * x % m).bytes(32)), hex((x == Big(0) ? Big(0) : c).bytes(32)))
                << hex(x.bytes(32));
        }
    }
}
#else
TEST(PSm2M4, NeedsDspInstructions) { GTEST_SKIP() << "no ARM with DSP instructions"; }
#endif
