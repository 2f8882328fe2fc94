// Keccak: the permutation of one, four and eight states, and of four and eight with one more, by
// the interleaved kernels; SHA3-256 by message length and SHAKE256 by output length.
#include "tiers.hpp"
extern "C" {
#include "keccak/keccak.h"
}
#include "tongyu/keccak.h"
#include <vector>

template <class F> static void permutation(const char *what, F f)
{
    bench_tiers(what, ty_keccak_tiers, {}, [f](benchmark::State &state) {
        alignas(64) static uint64_t x8[25][8];
        alignas(64) static uint64_t x4[25][4];
        uint64_t x1[25] = {1};
        const ty_keccak_ops *const ops = ty_keccak_best();
        for (auto _ : state) {
            f(ops, x1, x4, x8);
            benchmark::ClobberMemory();
        }
    });
}

static void sha3(benchmark::State &state)
{
    const std::vector<uint8_t> msg((size_t)state.range(0), 0x5a);
    uint8_t out[TY_SHA3_256_LEN];
    for (auto _ : state) {
        ty_sha3_256_hash(out, msg.data(), msg.size());
        benchmark::DoNotOptimize(out);
    }
    state.SetBytesProcessed((int64_t)state.iterations() * state.range(0));
}

static void shake(benchmark::State &state)
{
    std::vector<uint8_t> out((size_t)state.range(0));
    for (auto _ : state) {
        ty_shake256_hash(out.data(), out.size(), nullptr, 0);
        benchmark::DoNotOptimize(out.data());
    }
    state.SetBytesProcessed((int64_t)state.iterations() * state.range(0));
}

int main(int argc, char **argv)
{
    using Ops = ty_keccak_ops;
    using X4 = uint64_t (*)[4];
    using X8 = uint64_t (*)[8];
    permutation("keccak-f1600", [](const Ops *ops, uint64_t *x1, X4, X8) { ops->f1600(x1); });
    permutation("keccak-f1600-x4",
                [](const Ops *ops, uint64_t *, X4 x4, X8) { ops->f1600_x4(x4); });
    permutation("keccak-f1600-x8",
                [](const Ops *ops, uint64_t *, X4, X8 x8) { ops->f1600_x8(x8); });
    permutation("keccak-f1600-x4-x1",
                [](const Ops *ops, uint64_t *x1, X4 x4, X8) { ops->f1600_x4_x1(x4, x1); });
    permutation("keccak-f1600-x8-x1",
                [](const Ops *ops, uint64_t *x1, X4, X8 x8) { ops->f1600_x8_x1(x8, x1); });
    bench_tiers("sha3-256", ty_keccak_tiers, {64, 1024, 16384}, sha3);
    bench_tiers("shake256-out", ty_keccak_tiers, {64, 1024, 16384}, shake);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
