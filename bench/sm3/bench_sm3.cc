// SM3 by message length, and of 64 messages at once; HMAC of a short message under a ready key, the KDF; PBKDF2 with 1000
// iterations, and of 16 passwords at once.
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

static void many(benchmark::State &state)
{
    const std::vector<uint8_t> msg((size_t)state.range(0), 0x5a);
    uint8_t out[64][TY_SM3_LEN];
    std::vector<ty_sm3_job> jobs;
    for (auto &o : out) jobs.push_back({o, msg.data(), msg.size()});
    for (auto _ : state) {
        ty_sm3_many_hash(jobs.data(), jobs.size());
        benchmark::DoNotOptimize(out);
    }
    state.SetBytesProcessed((int64_t)state.iterations() * state.range(0) * 64);
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

static void pbkdf2_many(benchmark::State &state)
{
    uint8_t out[16][TY_SM3_LEN];
    std::vector<ty_pbkdf2_sm3_job> jobs;
    for (auto &o : out) jobs.push_back({o, TY_SM3_LEN, o, 16, o, 16});
    for (auto _ : state) {
        if (ty_sm3_many_pbkdf2(jobs.data(), 16, (uint32_t)state.range(0)) != TY_OK)
            state.SkipWithError("ty_sm3_many_pbkdf2 failed");
        benchmark::DoNotOptimize(out);
    }
}

static void kdf(benchmark::State &state)
{
    std::vector<uint8_t> out((size_t)state.range(0)), z(64, 0x5a);
    for (auto _ : state) {
        if (ty_kdf_sm3(out.data(), out.size(), z.data(), z.size()) != TY_OK) state.SkipWithError("ty_kdf_sm3 failed");
        benchmark::DoNotOptimize(out.data());
    }
    state.SetBytesProcessed((int64_t)state.iterations() * state.range(0));
}

int main(int argc, char **argv)
{
    bench_tiers("sm3", ty_sm3_tiers, {64, 256, 1024, 8192, 16384, 1 << 20}, hash);
    bench_tiers("hmac-sm3", ty_sm3_tiers, {16, 256, 1024, 8192}, hmac);
    bench_tiers("sm3-64-messages", ty_sm3_tiers, {16, 64, 1024, 16384}, many);
    bench_tiers("kdf-sm3", ty_sm3_tiers, {32, 256, 4096}, kdf);
    bench_tiers("pbkdf2-sm3", ty_sm3_tiers, {1000}, pbkdf2);
    bench_tiers("pbkdf2-sm3-16-passwords", ty_sm3_tiers, {1000}, pbkdf2_many);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
