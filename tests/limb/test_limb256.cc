// 256-bit integers in both word sizes against schoolbook arithmetic.
#include "laws/bignum.hpp"
#include "support/rng.hpp"
extern "C" {
#include "base/bytes.h"
#include "base/ct.h"
}
#include "tongyu/base.h"
#include <cstring>
#include <gtest/gtest.h>

static const Big two256 = Big::pow2(256);

static std::vector<Bytes> operands()
{
    std::vector<Bytes> v = {Bytes(32), Bytes(32, 0xff)};
    for (unsigned k = 0; k < 256; k += k % 64 == 63 || k % 64 == 0 ? 1 : 31) {
        v.push_back(Big::pow2(k).bytes(32));
        v.push_back((two256 - Big::pow2(k)).bytes(32));
        v.push_back((Big::pow2(k) - Big(1)).bytes(32));
    }
    // each 64-bit limb all zeros or all ones
    for (int pattern = 1; pattern < 15; pattern++) {
        Bytes x(32);
        for (int i = 0; i < 32; i++) x[(size_t)i] = pattern >> i / 8 & 1 ? 0xff : 0;
        v.push_back(x);
    }
    TestRng r(1);
    for (int i = 0; i < 10; i++) v.push_back(r.bytes(32));
    return v;
}

// -1/m mod 2^64, the constant of Montgomery reduction, by Newton's method: each step doubles the
// number of correct bits.
static uint64_t minus_inverse(uint64_t m)
{
    uint64_t x = 1;
    for (int i = 0; i < 6; i++) x *= 2 - m * x;
    return 0 - x;
}

namespace words32 {
#define TY_LIMB_BITS 32
#include "limb/limb256.h"
#include "limb/limb256_cases.inc"
TEST(Limb256Words32, Arithmetic) { arithmetic(); }
TEST(Limb256Words32, Reduction) { reduction(); }
#include "limb/words_again.h"
}

#if defined(__SIZEOF_INT128__)
namespace words64 {
#define TY_LIMB_BITS 64
#include "limb/limb256.h"
#include "limb/limb256_cases.inc"
TEST(Limb256Words64, Arithmetic) { arithmetic(); }
TEST(Limb256Words64, Reduction) { reduction(); }
#include "limb/words_again.h"
}
#endif
