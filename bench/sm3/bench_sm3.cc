// SM3 by message length, HMAC of a short message under a ready key, PBKDF2 with 1000 iterations.
#include "tiers.hpp"
extern "C" {
#include "sm3/sm3.h"
}
#include "tongyu/sm3.h"
#include <vector>

static void hash(benchmark::State &state)
{
    const std::vector<uint8_t> msg((size_t)state.range(0), 0x5a);
    uint8_t out[TY_SM3_LEN];
    for (auto _ : state) {
        ty_sm3_hash(out, msg.data(), msg.size());
        benchmark::DoNotOptimize(out);
    }
    state.SetBytesProcessed((int64_t)state.iterations() * state.range(0));
}

static void hmac(benchmark::State &state)
{
    const std::vector<uint8_t> msg((size_t)state.range(0), 0x5a);
    uint8_t out[TY_SM3_LEN];
    ty_hmac_sm3 c;
    ty_hmac_sm3_init(&c, msg.data(), msg.size());
    for (auto _ : state) {
        ty_hmac_sm3_update(&c, msg.data(), msg.size());
        ty_hmac_sm3_final(out, &c);
        benchmark::DoNotOptimize(out);
    }
    state.SetBytesProcessed((int64_t)state.iterations() * state.range(0));
}

static void pbkdf2(benchmark::State &state)
{
    uint8_t out[TY_SM3_LEN];
    for (auto _ : state) {
        if (ty_pbkdf2_sm3(out, sizeof out, out, 16, out, 16, (uint32_t)state.range(0)) != TY_OK)
            state.SkipWithError("ty_pbkdf2_sm3 failed");
        benchmark::DoNotOptimize(out);
    }
}

int main(int argc, char **argv)
{
    bench_tiers("sm3", ty_sm3_tiers, {64, 256, 1024, 8192, 16384, 1 << 20}, hash);
    bench_tiers("hmac-sm3", ty_sm3_tiers, {16, 256, 1024, 8192}, hmac);
    bench_tiers("pbkdf2-sm3", ty_sm3_tiers, {1000}, pbkdf2);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
