// Z/n through its byte interface, on every tier: the laws of a ring, comparison with integers,
// ranges.
#include "laws/bignum.hpp"
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
extern "C" {
#include "mod/n_sm2.h"
}

static const char N_HEX[] = "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123";

template <const ty_n_sm2_ops *OPS> struct RingOf {
    static const char *modulus() { return N_HEX; }
    using Binary = void (*)(uint8_t *, const uint8_t *, const uint8_t *);
    static Bytes binary(Binary f, const Bytes &x, const Bytes &y)
    {
        Bytes z(32), a = x, b = y;
        f(z.data(), x.data(), y.data());
        f(a.data(), a.data(), y.data());   // in place of either operand
        f(b.data(), x.data(), b.data());
        EXPECT_EQ(z, a);
        EXPECT_EQ(z, b);
        return z;
    }
    static Bytes add(const Bytes &x, const Bytes &y) { return binary(OPS->add, x, y); }
    static Bytes sub(const Bytes &x, const Bytes &y) { return binary(OPS->sub, x, y); }
    static Bytes mul(const Bytes &x, const Bytes &y) { return binary(OPS->mul, x, y); }
    static Bytes inv(const Bytes &x)
    {
        Bytes z(32), a = x;
        OPS->inv(z.data(), x.data());
        OPS->inv(a.data(), a.data());
        EXPECT_EQ(z, a);
        return z;
    }
};

namespace words32 {
using Ring = RingOf<&ty_n_sm2_ops_c>;
#define RING_SUITE NSm2Words32
#include "laws/ring.inc"
#undef RING_SUITE
}

#if defined(__SIZEOF_INT128__)
namespace words64 {
using Ring = RingOf<&ty_n_sm2_ops_c64>;
#define RING_SUITE NSm2Words64
#include "laws/ring.inc"
#undef RING_SUITE
}
#endif

#if defined(TY_HAS_ADX)
namespace adx {
using Ring = RingOf<&ty_n_sm2_ops_adx>;
#define RING_SUITE NSm2Adx
#include "laws/ring.inc"
#undef RING_SUITE
}

// On a CPU without the instructions these tests are skipped.
static const bool runs_adx = [] {
    const bool have = (~ty_cpu_have() & TY_NEED_adx) == 0;
    if (!have) testing::GTEST_FLAG(filter) = "-NSm2Adx.*";
    return have;
}();
#endif

TEST(NSm2, ReduceAnyBytes)
{
    const Big n = Big::hex(N_HEX), one(1), top = Big::pow2(256);
    TestRng r(3);
    std::vector<Big> xs = { Big(0),         one,     n - one,           n, n + one, top - one,
                            Big::pow2(255), top - n, n - Big::pow2(224) };
    for (int i = 0; i < 50; i++) xs.push_back(Big(r.bytes(32)));
    for_each_tier<ty_n_sm2_ops>(ty_n_sm2_tiers, [&](const ty_n_sm2_ops *ops, const char *) {
        for (const Big &x : xs) {
            Bytes z(32);
            ops->reduce(z.data(), x.bytes(32).data());
            EXPECT_EQ(hex(z), hex((x % n).bytes(32)));
        }
    });
}

// Inverses that are s or -s for a small s: before carries are propagated, only digits below the
// highest one determine the sign.
TEST(NSm2, SmallInverses)
{
    const Big n = Big::hex(N_HEX);
    for_each_tier<ty_n_sm2_ops>(ty_n_sm2_tiers, [&](const ty_n_sm2_ops *ops, const char *) {
        for (unsigned s = 1; s < 60; s++) {
            Bytes x(32), z(32);
            ops->inv(x.data(), Big(s).bytes(32).data());
            ASSERT_EQ(hex((Big(x) * Big(s) % n).bytes(32)), hex(Big(1).bytes(32))) << s;
            ops->inv(z.data(), x.data());
            ASSERT_EQ(hex(z), hex(Big(s).bytes(32)));
            ops->inv(z.data(), (n - Big(x)).bytes(32).data());
            ASSERT_EQ(hex(z), hex((n - Big(s)).bytes(32)));
        }
    });
}

TEST(NSm2, SharedVectors)
{
    const auto file = load_vectors("sm2.json");
    if (!file) GTEST_SKIP() << "no vector files";
    for_each_tier<ty_n_sm2_ops>(ty_n_sm2_tiers, [&](const ty_n_sm2_ops *ops, const char *) {
        int seen = 0;
        for (const Json &v : file->at("differential")) {
            if (v.at("alg") != "SM2-INVN") continue;
            Bytes z(32);
            ops->inv(z.data(), field(v, "v").data());
            EXPECT_EQ(z, field(v, "r"));
            seen++;
        }
        EXPECT_EQ(seen, 10);
    });
}

TEST(NSm2, ValidIsARange)
{
    const Big n = Big::hex(N_HEX);
    auto valid = [](const Big &x, uint32_t slack) {
        return ty_n_sm2_valid(x.bytes(32).data(), slack);
    };
    EXPECT_EQ(hex(ty_n_sm2_order, 32), N_HEX);
    for (uint32_t slack : {0u, 1u}) {
        EXPECT_EQ(valid(Big(0), slack), 0u);
        EXPECT_EQ(valid(Big(1), slack), ~0u);
        EXPECT_EQ(valid(Big(256), slack), ~0u);
        EXPECT_EQ(valid(n - Big(2), slack), ~0u);
        EXPECT_EQ(valid(n - Big(1), slack), slack ? 0u : ~0u);
        EXPECT_EQ(valid(n, slack), 0u);
        EXPECT_EQ(valid(n + Big(1), slack), 0u);
        EXPECT_EQ(valid(Big::pow2(256) - Big(1), slack), 0u);
        // n with one of its bytes 1 larger or smaller
        for (size_t i = 0; i < 32; i++) {
            Bytes x = unhex(N_HEX);
            if (x[i] < 255) {
                x[i]++;
                EXPECT_EQ(ty_n_sm2_valid(x.data(), slack), 0u) << i;
                x[i]--;
            }
            x[i]--;
            EXPECT_EQ(ty_n_sm2_valid(x.data(), slack), i == 31 && slack ? 0u : ~0u) << i;
        }
        for (unsigned k = 0; k < 255; k++) EXPECT_EQ(valid(Big::pow2(k), slack), ~0u);
    }
}
