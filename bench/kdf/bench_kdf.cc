// Key derivation, on every tier: the KDF of GB/T 32918.4 and HKDF by output length; PBKDF2 by
// iterations, also of 16 passwords at once.
#include "tiers.hpp"
extern "C" {
#include "sha2/sha2.h"
#include "sm3/sm3.h"
}
#include "tongyu/sm3.h"
#include <vector>

static const uint8_t input[64] = {1, 2, 3};

static ty_err sixteen(uint8_t *out, size_t iterations)
{
    std::vector<ty_pbkdf2_sm3_job> jobs;
    for (size_t i = 0; i < 16; i++) jobs.push_back({out + 32 * i, 32, input + i, 16, input, 16});
    return ty_sm3_many_pbkdf2(jobs.data(), jobs.size(), (uint32_t)iterations);
}

static const struct Op {
    const char *name;
    const ty_tier *tiers;
    // bytes of output; for PBKDF2, iterations for 32 bytes of output
    std::initializer_list<long> sizes;
    ty_err (*call)(uint8_t *out, size_t size);
} ops[] = {
    { "kdf-sm3",
      ty_sm3_tiers,
      { 32, 256, 4096 },
      [](uint8_t *out, size_t n) { return ty_kdf_sm3(out, n, input, 64); } },
    { "hkdf-sm3",
      ty_sm3_tiers,
      { 32, 256, 4096 },
      [](uint8_t *out, size_t n) { return ty_hkdf_sm3(out, n, input, 32, input, 32, input, 16); } },
    { "pbkdf2-sm3",
      ty_sm3_tiers,
      { 1000 },
      [](uint8_t *out, size_t n) {
          return ty_pbkdf2_sm3(out, 32, input, 16, input, 16, (uint32_t)n);
      } },
    { "pbkdf2-sm3-16-passwords", ty_sm3_tiers, { 1000 }, sixteen },
    { "pbkdf2-sha256",
      ty_sha256_tiers,
      { 1000 },
      [](uint8_t *out, size_t n) {
          return ty_pbkdf2_sha256(out, 32, input, 16, input, 16, (uint32_t)n);
      } },
};

int main(int argc, char **argv)
{
    for (const Op &op : ops)
        bench_tiers(op.name, op.tiers, op.sizes, [&op](benchmark::State &state) {
            uint8_t out[4096];
            bool ok = true;
            for (auto _ : state) {
                ok &= op.call(out, (size_t)state.range(0)) == TY_OK;
                benchmark::DoNotOptimize(out);
            }
            if (!ok) state.SkipWithError("a call failed");
        });
    return bench_run(argc, argv);
}
