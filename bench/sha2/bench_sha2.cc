// SHA-2 by message length, on every tier; HMAC-SHA-256 including its key setup.
#include "tiers.hpp"
extern "C" {
#include "sha2/sha2.h"
}
#include <vector>

static const ty_tier portable[] = {{"c", 0, nullptr}, {nullptr, 0, nullptr}};

static const struct Hash {
    const char *name;
    const ty_tier *tiers;
    void (*call)(uint8_t *out, const uint8_t *msg, size_t len);
} hashes[] = {
    { "sha256", ty_sha256_tiers,
      [](uint8_t *out, const uint8_t *msg, size_t len) { ty_sha256_hash(out, msg, len); } },
    { "sha512", portable,
      [](uint8_t *out, const uint8_t *msg, size_t len) { ty_sha512_hash(out, msg, len); } },
    { "hmac-sha256", ty_sha256_tiers,
      [](uint8_t *out, const uint8_t *msg, size_t len) {
          ty_hmac_sha256_mac(out, msg, len, msg, 32);
      } },
};

int main(int argc, char **argv)
{
    for (const Hash &h : hashes)
        bench_tiers(h.name, h.tiers, {64, 1024, 16384}, [&h](benchmark::State &state) {
            const std::vector<uint8_t> msg((size_t)state.range(0), 0x5a);
            uint8_t out[64];
            for (auto _ : state) {
                h.call(out, msg.data(), msg.size());
                benchmark::DoNotOptimize(out);
            }
            state.SetBytesProcessed((int64_t)state.iterations() * state.range(0));
        });
    return bench_run(argc, argv);
}
