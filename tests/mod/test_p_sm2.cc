// Z/p in both word sizes and in assembly: the laws of a ring, the reduction over its whole domain,
// square roots, and the shared vectors; and the implementations of bench/sm2_field.
#include "laws/bignum.hpp"
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/vectors.hpp"
extern "C" {
#include "base/cpu.h"
#include "mod/p_sm2.h"
#include "sm2_field/sm2_field.h"
}
#include <array>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

static const char P_HEX[] = "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff";
static const Big two256 = Big::pow2(256);

namespace words32 {
#define TY_LIMB_BITS 32
#define RING_SUITE PSm2Words32
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_cases.inc"
#include "laws/ring.inc"
#include "limb/words_again.h"
#undef RING_SUITE
}

#if defined(__SIZEOF_INT128__)
namespace words64 {
#define TY_LIMB_BITS 64
#define RING_SUITE PSm2Words64
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_cases.inc"
#include "laws/ring.inc"
#include "limb/words_again.h"
#undef RING_SUITE
}

// In Montgomery form, as in the tiers "adx" and "neon": in C, and with the instructions of the
// tier.
#if defined(TY_HAS_ADX) || defined(TY_AARCH64)
namespace mont64 {
#define TY_LIMB_BITS 64
#define TY_P_SM2_MONT
#define RING_SUITE PSm2Montgomery
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_cases.inc"
#include "laws/ring.inc"
#include "limb/words_again.h"
#undef RING_SUITE
}

namespace own {
#define TY_LIMB_BITS 64
#if defined(TY_AARCH64)
#define TY_P_SM2_NEON
#else
#define TY_P_SM2_ADX
#endif
#define RING_SUITE PSm2Own
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_cases.inc"
#include "laws/ring.inc"
#include "limb/words_again.h"
#undef RING_SUITE
}

// On a CPU without the instructions these tests are skipped, and a line is printed. GoogleTest may
// set its filter before this or after it; if after, it takes the filter from the environment.
static const bool runs = [] {
#if defined(TY_AARCH64)
    const char *tier = "neon";
    const ty_cpu need = TY_CPU_ASIMD;
#else
    const char *tier = "adx";
    const ty_cpu need = TY_CPU_BMI2 | TY_CPU_ADX;
#endif
    const bool have = (need & ~ty_cpu_have()) == 0;
    if (!have) {
        static char filter[] = "GTEST_FILTER=-PSm2Own.*:PSm2.OwnKernelsAgree";
        putenv(filter);
        testing::GTEST_FLAG(filter) = std::strchr(filter, '-');
    }
    std::cout << (have ? "[   TIER   ] " : "[ NO TIER  ] not on this CPU: ") << tier << "\n";
    return have;
}();

// The results are word for word those of the C code, also in place: long chains of operations that
// begin with the edge values of laws/ring.inc.
TEST(PSm2, OwnKernelsAgree)
{
    ASSERT_TRUE(runs);
    using W = mont64::ty_p_sm2;
    using A = own::ty_p_sm2;
    const auto same = [](const W &w, const A &a) { return std::memcmp(&w, &a, sizeof w) == 0; };
    std::vector<Bytes> starts = mont64::edges();
    for (const Bytes &s : starts) {
        for (const Bytes &t : starts) {
            W w, v, u;
            A a, b, c;
            ASSERT_EQ(own::ty_p_sm2_set(&a, s.data()), mont64::ty_p_sm2_set(&w, s.data()));
            ASSERT_EQ(own::ty_p_sm2_set(&b, t.data()), mont64::ty_p_sm2_set(&v, t.data()));
            // the bytes themselves as a Montgomery form, so that the words are at the edges too
            for (int raw = 0; raw < 2; raw++) {
                if (raw) {
                    mont64::ty_limb256_set(w.v, s.data()), mont64::ty_limb256_set(v.v, t.data());
                    std::memcpy(&a, &w, sizeof w), std::memcpy(&b, &v, sizeof v);
                }
                mont64::ty_p_sm2_mul(&u, &w, &v), own::ty_p_sm2_mul(&c, &a, &b);
                ASSERT_TRUE(same(u, c)) << "mul " << hex(s) << " " << hex(t);
                mont64::ty_p_sm2_add(&u, &w, &v), own::ty_p_sm2_add(&c, &a, &b);
                ASSERT_TRUE(same(u, c)) << "add " << hex(s) << " " << hex(t);
                mont64::ty_p_sm2_sub(&u, &w, &v), own::ty_p_sm2_sub(&c, &a, &b);
                ASSERT_TRUE(same(u, c)) << "sub " << hex(s) << " " << hex(t);
                mont64::ty_p_sm2_half(&u, &w), own::ty_p_sm2_half(&c, &a);
                ASSERT_TRUE(same(u, c)) << "half " << hex(s);
                mont64::ty_p_sm2_sqr(&u, &w), own::ty_p_sm2_sqr(&c, &a);
                ASSERT_TRUE(same(u, c)) << "sqr " << hex(s);
                own::ty_p_sm2_sel(&c, ~(uint64_t)0, &a, &b);
                ASSERT_TRUE(same(w, c));
                own::ty_p_sm2_sel(&c, 0, &a, &b);
                ASSERT_TRUE(same(v, c));
            }
            for (int i = 0; i < 20; i++) {   // in place
                mont64::ty_p_sm2_mul(&w, &w, &v), own::ty_p_sm2_mul(&a, &a, &b);
                mont64::ty_p_sm2_sqr(&v, &v), own::ty_p_sm2_sqr(&b, &b);
                mont64::ty_p_sm2_sub(&v, &w, &v), own::ty_p_sm2_sub(&b, &a, &b);
                mont64::ty_p_sm2_add(&w, &v, &w), own::ty_p_sm2_add(&a, &b, &a);
                mont64::ty_p_sm2_half(&v, &v), own::ty_p_sm2_half(&b, &b);
            }
            ASSERT_TRUE(same(w, a) && same(v, b)) << hex(s) << " " << hex(t);
        }
    }
}
#endif

// Both word sizes have one source; their limbs must represent the same number.
TEST(PSm2, WordSizesAgree)
{
    TestRng r(6);
    for (int i = 0; i < 300; i++) {
        const Bytes x = r.bytes(32), y = r.bytes(32);
        words32::ty_p_sm2 a, b;
        words64::ty_p_sm2 c, d;
        words32::ty_p_sm2_set(&a, x.data());
        words32::ty_p_sm2_set(&b, y.data());
        words64::ty_p_sm2_set(&c, x.data());
        words64::ty_p_sm2_set(&d, y.data());
        words32::ty_p_sm2_mul(&a, &a, &b);
        words64::ty_p_sm2_mul(&c, &c, &d);
        for (int w = 0; w < 4; w++) ASSERT_EQ((uint64_t)a.v[2 * w + 1] << 32 | a.v[2 * w], c.v[w]);
    }
}
#endif

#include "mod/p_sm2_ways_cases.inc"
