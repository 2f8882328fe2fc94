// Many SM4 messages at once, each with its own key: c/B over all of them, by the length of one. The
// names end in the number of messages. "one by one" is the same work through the function for one
// message. Lengths are those of records: 1,350 bytes is the payload of a packet, of which all but
// CMAC, CCM and GCM process only the whole blocks. c/key counts TSC cycles for each key.
#include "tiers.hpp"
extern "C" {
#include "sm4/sm4.h"
}
#include "tongyu/sm4_many.h"
#include <functional>
#include <vector>
#if defined(__x86_64__)
#include <x86intrin.h>
static uint64_t cycles() { return __rdtsc(); }
#else
static uint64_t cycles() { return 0; }
#endif

using Bytes = std::vector<uint8_t>;

// All jobs over the same messages, in place
struct Messages {
    std::vector<Bytes> text, tag;
    std::vector<ty_sm4_cmac_key> keys;
    std::vector<ty_sm4_gcm_key> gcm_keys;
    std::vector<ty_sm4_xts_key> xts_keys;
    std::vector<ty_sm4_job> streams;
    std::vector<ty_sm4_xts_job> units;
    std::vector<ty_sm4_cmac_job> cmac;
    std::vector<ty_sm4_ccm_job> ccm;
    std::vector<ty_sm4_gcm_job> gcm;
    Messages(size_t n, size_t len)
        : text(n, Bytes(len, 0x5a)), tag(n, Bytes(16)), keys(n), gcm_keys(n),
          xts_keys(n)
    {
        static const uint8_t iv[16] = {4, 5, 6}, aad[13] = {7};
        for (size_t i = 0; i < n; i++) {
            const uint8_t k[16] = {(uint8_t)i, 1};
            uint8_t *p = text[i].data(), *t = tag[i].data();
            ty_sm4_cmac_init(&keys[i], k);
            ty_sm4_gcm_init(&gcm_keys[i], k);
            streams.push_back({p, p, len / 16 * 16, iv, &keys[i].sm4, TY_OK});
            xts_keys[i] = { keys[i].sm4, keys[i].sm4 };
            units.push_back({p, p, len / 16 * 16, iv, &xts_keys[i], TY_OK});
            cmac.push_back({t, 16, p, len, &keys[i], TY_OK});
            ccm.push_back({p, t, 16, p, len, aad, sizeof aad, iv, 12, &keys[i].sm4, TY_OK});
            gcm.push_back({p, t, 16, p, len, aad, sizeof aad, iv, 12, &gcm_keys[i], TY_OK});
        }
    }
};

static void row(const std::string &name, size_t n, const std::function<ty_err(Messages &)> &f)
{
    bench_tiers((name + "/" + std::to_string(n)).c_str(), ty_sm4_tiers,
                { 16, 64, 256, 1350, 16384 }, [=](benchmark::State &state) {
                    Messages m(n, (size_t)state.range(0));
                    const uint64_t start = cycles();
                    for (auto _ : state) {
                        if (f(m) != TY_OK) state.SkipWithError("failed");
                        benchmark::ClobberMemory();
                    }
                    const double bytes =
                        (double)state.iterations() * (double)(n * (size_t)state.range(0));
                    state.counters["c/B"] = (double)(cycles() - start) / bytes;
                    state.SetBytesProcessed((int64_t)bytes);
                });
}

// f(bytes, n) sets up n keys
static void key_row(const char *name, const std::function<void(const uint8_t *, size_t)> &f)
{
    bench_tiers(name, ty_sm4_tiers, { 1, 4, 16, 32, 256 }, [=](benchmark::State &state) {
        const size_t n = (size_t)state.range(0);
        const Bytes bytes(16 * n, 0x3c);
        const uint64_t start = cycles();
        for (auto _ : state) {
            f(bytes.data(), n);
            benchmark::ClobberMemory();
        }
        state.counters["c/key"] =
            (double)(cycles() - start) / ((double)state.iterations() * (double)n);
    });
}

static void keys()
{
    static std::vector<ty_sm4_key> plain(256);
    static std::vector<ty_sm4_gcm_key> gcm(256);
    key_row("init", [](const uint8_t *b, size_t n) { ty_sm4_many_init(plain.data(), b, n); });
    key_row("init one by one", [](const uint8_t *b, size_t n) {
        for (size_t i = 0; i < n; i++) ty_sm4_init(&plain[i], b + 16 * i);
    });
    key_row("gcm-init", [](const uint8_t *b, size_t n) { ty_sm4_many_gcm_init(gcm.data(), b, n); });
    key_row("gcm-init one by one", [](const uint8_t *b, size_t n) {
        for (size_t i = 0; i < n; i++) ty_sm4_gcm_init(&gcm[i], b + 16 * i);
    });
}

int main(int argc, char **argv)
{
    keys();
    for (size_t n : {4, 16, 32, 64}) {
        row("cbc-encrypt", n, [](Messages &m) {
            return ty_sm4_many_cbc_encrypt(m.streams.data(), m.streams.size());
        });
        row("ecb-encrypt", n, [](Messages &m) {
            return ty_sm4_many_ecb_encrypt(m.streams.data(), m.streams.size());
        });
        row("ctr", n,
            [](Messages &m) { return ty_sm4_many_ctr(m.streams.data(), m.streams.size()); });
        row("cfb-decrypt", n, [](Messages &m) {
            return ty_sm4_many_cfb_decrypt(m.streams.data(), m.streams.size());
        });
        row("xts-ieee-encrypt", n, [](Messages &m) {
            return ty_sm4_many_xts_ieee_encrypt(m.units.data(), m.units.size());
        });
        row("cmac", n, [](Messages &m) { return ty_sm4_many_cmac(m.cmac.data(), m.cmac.size()); });
        row("ccm-seal", n,
            [](Messages &m) { return ty_sm4_many_ccm_seal(m.ccm.data(), m.ccm.size()); });
        row("gcm-seal", n,
            [](Messages &m) { return ty_sm4_many_gcm_seal(m.gcm.data(), m.gcm.size()); });
    }
    row("ctr one by one", 32, [](Messages &m) {
        for (auto &j : m.streams) ty_sm4_ctr(j.out, j.in, j.len, j.iv, j.key);
        return TY_OK;
    });
    row("gcm-seal one by one", 32, [](Messages &m) {
        ty_err err = TY_OK;
        for (auto &j : m.gcm)
            if (err == TY_OK)
                err = ty_sm4_gcm_seal(j.out, j.tag, j.tag_len, j.in, j.len, j.aad, j.aad_len,
                                      j.nonce, j.nonce_len, j.key);
        return err;
    });
    row("ccm-seal one by one", 32, [](Messages &m) {
        ty_err err = TY_OK;
        for (auto &j : m.ccm)
            if (err == TY_OK)
                err = ty_sm4_ccm_seal(j.out, j.tag, j.tag_len, j.in, j.len, j.aad, j.aad_len,
                                      j.nonce, j.nonce_len, j.key);
        return err;
    });
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
