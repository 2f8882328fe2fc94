// Binary curves: k times a point, by the ladder or in base tau, and k times the generator, on every tier of a field; and the
// compression function of SHA-256, which their nonces wait for, by blocks.
#include "tiers.hpp"
extern "C" {
#include "ec/ec_binary.h"
#include "sha2/sha2.h"
}
#include <vector>

template <bool Base> static void multiply(benchmark::State &state, const ty_ec_curve *c)
{
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    const size_t len = ty_ec_len(c);
    std::vector<uint8_t> k(ty_ec_n_len(c), 0x5a), p(ty_ec_g(c), ty_ec_g(c) + 2 * len);
    k[0] = 0;
    for (auto _ : state) {
        if (Base) ops->mul_base(p.data(), k.data(), c);
        else ops->mul(p.data(), k.data(), c->n_bits, p.data(), c);
        benchmark::DoNotOptimize(p.data());
    }
}

static void sha256(benchmark::State &state)
{
    const std::vector<uint8_t> in(64 * (size_t)state.range(0), 0x5a);
    uint32_t h[8] = {0};
    for (auto _ : state) {
        ty_sha256_best()->blocks(h, in.data(), in.size() / 64);
        benchmark::DoNotOptimize(h);
    }
    state.SetBytesProcessed((int64_t)state.iterations() * (int64_t)in.size());
}

int main(int argc, char **argv)
{
    for (const char *name : {"sect163r2", "sect163k1", "sect233r1", "sect233k1", "sect409r1", "sect571k1"}) {
        const ty_ec_curve *c = ty_ec_curve_named(name);
        const std::string what = name;
        bench_tiers((what + "-kp").c_str(), c->tiers, {1}, [c](benchmark::State &s) { multiply<false>(s, c); });
        bench_tiers((what + "-kg").c_str(), c->tiers, {1}, [c](benchmark::State &s) { multiply<true>(s, c); });
    }
    bench_tiers("sha256", ty_sha256_tiers, {1, 16, 256}, sha256);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
