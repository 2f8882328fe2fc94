// SM4's authenticated modes, by direction and length, with precomputed keys, on every tier of the
// cipher.
#include "tiers.hpp"
extern "C" {
#include "sm4/sm4.h"
}
#include "tongyu/sm4_aead.h"
#include <memory>
#include <vector>

struct Work {
    ty_sm4_key sm4;
    ty_sm4_gcm_key gcm;
    ty_sm4_ocb_key ocb;
    uint8_t bytes[16] = {1, 2, 3}, nonce[12] = {4}, tag[16];
    std::vector<uint8_t> in, out;
    explicit Work(size_t n) : in(n, 0x5a), out(n)
    {
        ty_sm4_init(&sm4, bytes);
        ty_sm4_gcm_init(&gcm, bytes);
        ty_sm4_ocb_init(&ocb, bytes);
    }
};

// seal: encrypts `in` to `out`;  open: decrypts `out` to `in`, after a seal
static const struct Mode {
    const char *name;
    ty_err (*seal)(Work &w);
    ty_err (*open)(Work &w);
} modes[] = {
    { "sm4-gcm",
      [](Work &w) {
          return ty_sm4_gcm_seal(w.out.data(), w.tag, 16, w.in.data(), w.in.size(), nullptr, 0,
                                 w.nonce, 12, &w.gcm);
      },
      [](Work &w) {
          return ty_sm4_gcm_open(w.in.data(), w.out.data(), w.out.size(), w.tag, 16, nullptr, 0,
                                 w.nonce, 12, &w.gcm);
      } },
    { "sm4-ccm",
      [](Work &w) {
          return ty_sm4_ccm_seal(w.out.data(), w.tag, 16, w.in.data(), w.in.size(), nullptr, 0,
                                 w.nonce, 12, &w.sm4);
      },
      [](Work &w) {
          return ty_sm4_ccm_open(w.in.data(), w.out.data(), w.out.size(), w.tag, 16, nullptr, 0,
                                 w.nonce, 12, &w.sm4);
      } },
    { "sm4-ocb",
      [](Work &w) {
          return ty_sm4_ocb_seal(w.out.data(), w.tag, 16, w.in.data(), w.in.size(), nullptr, 0,
                                 w.nonce, 12, &w.ocb);
      },
      [](Work &w) {
          return ty_sm4_ocb_open(w.in.data(), w.out.data(), w.out.size(), w.tag, 16, nullptr, 0,
                                 w.nonce, 12, &w.ocb);
      } },
    { "sm4-gcm-siv",
      [](Work &w) {
          return ty_sm4_gcm_siv_seal(w.out.data(), w.tag, w.in.data(), w.in.size(), nullptr, 0,
                                     w.nonce, &w.sm4);
      },
      [](Work &w) {
          return ty_sm4_gcm_siv_open(w.in.data(), w.out.data(), w.out.size(), w.tag, nullptr, 0,
                                     w.nonce, &w.sm4);
      } },
};

static void add(const Mode &mode, bool open)
{
    bench_tiers((std::string(mode.name) + (open ? "-open" : "-seal")).c_str(), ty_sm4_tiers,
                { 16, 256, 1024, 16384 }, [&mode, open](benchmark::State &state) {
                    Work w((size_t)state.range(0));
                    bool ok = mode.seal(w) == TY_OK;
                    for (auto _ : state) {
                        ok &= (open ? mode.open : mode.seal)(w) == TY_OK;
                        benchmark::ClobberMemory();
                    }
                    if (!ok) state.SkipWithError("a call failed");
                    state.SetBytesProcessed((int64_t)state.iterations() * state.range(0));
                });
}

int main(int argc, char **argv)
{
    for (const Mode &mode : modes)
        for (bool open : {false, true}) add(mode, open);
    return bench_run(argc, argv);
}
