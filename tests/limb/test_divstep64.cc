// Division steps: the matrix of twenty steps against the definition, one step at a time; inverses,
// by multiplication.
#include "laws/bignum.hpp"
#include "support/full.hpp"
#include "support/rng.hpp"
extern "C" {
#include "base/bytes.h"
#include "base/cpu.h"
#include "base/ct.h"
#include "tongyu/base.h"
}
#include <cstring>
#include <gtest/gtest.h>

#if defined(__SIZEOF_INT128__)
namespace masks {
#define TY_LIMB_BITS 64
#define DIV_SUITE DivStep64
#include "limb/limb256.h"
#include "limb/divstep64_cases.inc"
#undef DIV_SUITE
#include "limb/words_again.h"
}

#if defined(TY_HAS_ADX)   // with conditional moves, which every x86-64 has
namespace moves {
#define TY_LIMB_BITS 64
#define TY_DIV_X86
#define DIV_SUITE DivStep64Moves
#include "limb/limb256.h"
#include "limb/divstep64_cases.inc"
}
#endif
#endif
