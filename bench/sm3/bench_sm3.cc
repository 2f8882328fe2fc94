// SM3 by message length, also of 64 messages at once; HMAC with a precomputed key.
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

int main(int argc, char **argv)
{
    bench_tiers("sm3", ty_sm3_tiers, {64, 256, 1024, 8192, 16384, 1 << 20}, hash);
    bench_tiers("hmac-sm3", ty_sm3_tiers, {16, 256, 1024, 8192}, hmac);
    bench_tiers("sm3-64-messages", ty_sm3_tiers, {16, 64, 1024, 16384}, many);
    return bench_run(argc, argv);
}
