// SM4 by mode and length with a precomputed key; the key schedule; GHASH alone. c/B counts TSC
// cycles; the label names the tier's bound on bulk work, from the comments in src/sm4.
#include "tiers.hpp"
extern "C" {
#include "mod/f2_128.h"
#include "sm4/sm4.h"
}
#include <map>
#include <vector>
#if defined(__x86_64__)
#include <x86intrin.h>
static uint64_t cycles() { return __rdtsc(); }
#else
static uint64_t cycles() { return 0; }
#endif

static const std::map<std::string, std::string> bounds = {
    { "c", "bound 19 c/B (7240 operations per 8 blocks, 3 a cycle)" },
    { "c64", "bound 9.5 c/B (7240 operations per 16 blocks, 3 a cycle)" },
    { "aesni", "bound 2.6 c/B (21 instructions per round of 4 blocks, 4 a cycle)" },
    { "avx2", "bound 1.5 c/B (24 instructions per round of 8 blocks, 4 a cycle)" },
    { "vaes", "bound 1.31 c/B (21 instructions per round of 8 blocks, 4 a cycle)" },
    { "gfni", "bound 1.0 c/B (12 instructions per round of 8 blocks, 3 a cycle)" },
    { "avx512", "bound 1.1 c/B (18 k operations per 512 blocks, 2 a cycle); below 8 KB 1.75 (14 "
                "byte moves per round of 16 blocks)" },
    { "gfni512", "bound 0.52 c/B (28 instructions per round of 64 blocks, 2 a cycle, and "
                 "transposing)" },
};

static std::string tier()
{
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
        if (t->ops == ty_sm4_best()) return t->name;
    return "?";
}

static const uint8_t key_bytes[16] = {1, 2, 3}, iv[16] = {4, 5, 6};

// f(out, in, len) over a buffer, in place
template <class F> static void run(benchmark::State &state, const std::string &label, F f)
{
    std::vector<uint8_t> data((size_t)state.range(0), 0x5a);
    const uint64_t start = cycles();
    for (auto _ : state) {
        f(data.data(), data.data(), data.size());
        benchmark::ClobberMemory();
    }
    const double bytes = (double)state.iterations() * (double)state.range(0);
    state.counters["c/B"] = (double)(cycles() - start) / bytes;
    state.SetBytesProcessed((int64_t)bytes);
    state.SetLabel(label);
}

static void must(benchmark::State &state, ty_err err)
{
    if (err != TY_OK) state.SkipWithError(ty_err_text(err));
}

int main(int argc, char **argv)
{
    const std::initializer_list<long> sizes = {16, 256, 1024, 8192, 1 << 20};
    bench_tiers("sm4-init", ty_sm4_tiers, {16}, [](benchmark::State &state) {
        ty_sm4_key key;
        run(state, "", [&](uint8_t *, uint8_t *bytes, size_t) { ty_sm4_init(&key, bytes); });
    });
    bench_tiers("sm4-ecb", ty_sm4_tiers, sizes, [](benchmark::State &state) {
        ty_sm4_key key;
        ty_sm4_init(&key, key_bytes);
        run(state, bounds.at(tier()), [&](uint8_t *out, uint8_t *in, size_t n) {
            must(state, ty_sm4_ecb_encrypt(out, in, n, &key));
        });
    });
    bench_tiers("sm4-cbc-encrypt", ty_sm4_tiers, sizes, [](benchmark::State &state) {
        ty_sm4_key key;
        ty_sm4_init(&key, key_bytes);
        run(state, "bound: the latency of 32 rounds per block",
            [&](uint8_t *out, uint8_t *in, size_t n) {
                must(state, ty_sm4_cbc_encrypt(out, in, n, iv, &key));
            });
    });
    bench_tiers("sm4-cbc-decrypt", ty_sm4_tiers, sizes, [](benchmark::State &state) {
        ty_sm4_key key;
        ty_sm4_init(&key, key_bytes);
        run(state, bounds.at(tier()), [&](uint8_t *out, uint8_t *in, size_t n) {
            must(state, ty_sm4_cbc_decrypt(out, in, n, iv, &key));
        });
    });
    bench_tiers("sm4-ctr", ty_sm4_tiers, sizes, [](benchmark::State &state) {
        ty_sm4_key key;
        ty_sm4_init(&key, key_bytes);
        run(state, bounds.at(tier()),
            [&](uint8_t *out, uint8_t *in, size_t n) { ty_sm4_ctr(out, in, n, iv, &key); });
    });
    // Each cipher tier with the best hash of this CPU.
    bench_tiers("sm4-gcm-seal", ty_sm4_tiers, sizes, [](benchmark::State &state) {
        uint8_t tag[16];
        ty_sm4_gcm_key key;
        ty_sm4_key cipher;
        ty_sm4_init(&cipher, key_bytes);
        ty_cpu_assume(0);
        ty_sm4_gcm_init(&key, key_bytes);
        key.sm4 = cipher;
        run(state, "bound: that of CTR, and 0.27 c/B for the hash",
            [&](uint8_t *out, uint8_t *in, size_t n) {
                must(state, ty_sm4_gcm_seal(out, tag, 16, in, n, nullptr, 0, iv, 12, &key));
            });
    });
    bench_tiers("ghash", ty_f2_128_tiers, sizes, [](benchmark::State &state) {
        const ty_f2_128_ops *ops = ty_f2_128_best();
        uint64_t power[8][2];
        uint8_t y[16] = {0};
        ops->powers(power, key_bytes);
        run(state, "",
            [&](uint8_t *, uint8_t *in, size_t n) { ops->horner(y, in, n / 16, power); });
    });
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
