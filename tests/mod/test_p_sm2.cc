// Z/p in both word sizes: the laws of a ring, the reduction over its whole domain, roots, and the shared corners.
#include "laws/bignum.hpp"
#include "support/rng.hpp"
#include "support/vectors.hpp"
extern "C" {
#include "mod/p_sm2.h"
}
#include <gtest/gtest.h>

static const char P_HEX[] = "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff";
static const Big two256 = Big::pow2(256);

namespace words32 {
#define TY_LIMB_BITS 32
#define RING_SUITE PSm2Words32
#include "limb/limb256.inc"
#include "mod/p_sm2.inc"
#include "mod/p_sm2_cases.inc"
#include "laws/ring.inc"
#undef TY_LIMB_BITS
#undef RING_SUITE
}

#if defined(__SIZEOF_INT128__)
namespace words64 {
#define TY_LIMB_BITS 64
#define RING_SUITE PSm2Words64
#include "limb/limb256.inc"
#include "mod/p_sm2.inc"
#include "mod/p_sm2_cases.inc"
#include "laws/ring.inc"
#undef TY_LIMB_BITS
#undef RING_SUITE
}

// The two bodies share one text; where they differ, the limbs in memory must still be the same number.
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
