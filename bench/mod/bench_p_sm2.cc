// The field of SM2 in both word sizes and in assembly: chains of dependent operations, as in point
// formulas.
extern "C" {
#include "base/cpu.h"
#include "mod/p_sm2.h"
}
#include <benchmark/benchmark.h>

namespace c {
#define TY_LIMB_BITS 32
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_chains.inc"
#include "../../tests/limb/words_again.h"
}
BENCHMARK(c::mul)->Name("p_sm2/mul/c");
BENCHMARK(c::sqr)->Name("p_sm2/sqr/c");
BENCHMARK(c::add)->Name("p_sm2/add/c");
BENCHMARK(c::inv)->Name("p_sm2/inv/c");

#if defined(__SIZEOF_INT128__)
namespace c64 {
#define TY_LIMB_BITS 64
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_chains.inc"
#include "../../tests/limb/words_again.h"
}
BENCHMARK(c64::mul)->Name("p_sm2/mul/c64");
BENCHMARK(c64::sqr)->Name("p_sm2/sqr/c64");
BENCHMARK(c64::add)->Name("p_sm2/add/c64");
BENCHMARK(c64::inv)->Name("p_sm2/inv/c64");
#endif

#if defined(TY_HAS_ADX)
namespace adx {
#define TY_LIMB_BITS 64
#define TY_DIV_X86
#define TY_P_SM2_ADX
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_chains.inc"
}
#endif

int main(int argc, char **argv)
{
#if defined(TY_HAS_ADX)
    if ((~ty_cpu_have() & (TY_CPU_BMI2 | TY_CPU_ADX)) == 0) {
        benchmark::RegisterBenchmark("p_sm2/mul/adx", adx::mul);
        benchmark::RegisterBenchmark("p_sm2/sqr/adx", adx::sqr);
        benchmark::RegisterBenchmark("p_sm2/add/adx", adx::add);
        benchmark::RegisterBenchmark("p_sm2/inv/adx", adx::inv);
    }
#endif
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
