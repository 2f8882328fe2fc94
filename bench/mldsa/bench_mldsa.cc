// ML-DSA on every tier this CPU supports: whole calls with encoded and with precomputed keys, and
// the transforms that they use. The number of attempts to sign depends on the message, so 256
// messages are signed in turn, the same for every tier. "-x16" is one call for sixteen operations
// with one key; the time is that of all sixteen.
#include <benchmark/benchmark.h>
extern "C" {
#include "mldsa/mldsa.h"
}
#include "tongyu/mldsa_many.h"
#include <memory>
#include <string>

struct Work {
    ty_mldsa_key key;
    ty_mldsa_signer signer;
    ty_mldsa_verifier verifier;
    uint8_t seed[32] = {1}, msg[32] = {}, sig[TY_MLDSA_SIG_MAX];
    size_t sig_len;
    bool ok;
    explicit Work(ty_mldsa_set set) : sig_len(ty_mldsa_sig_len(set))
    {
        ok = ty_mldsa_key_from_seed(&key, seed, set) == TY_OK &&
             ty_mldsa_signer_init(&signer, &key) == TY_OK &&
             ty_mldsa_verifier_init(&verifier, &key.pub) == TY_OK &&
             ty_mldsa_sign(sig, sig_len, seed, 32, nullptr, 0, &key, nullptr) == TY_OK;
    }
    const uint8_t *next() { return msg[0]++, msg; }
};

constexpr size_t MANY = 16;

static ty_err many_keys(Work &w)
{
    static ty_mldsa_key keys[MANY];
    ty_mldsa_keygen_job jobs[MANY];
    for (size_t i = 0; i < MANY; i++) jobs[i] = {&keys[i], w.key.pub.set, w.seed, TY_OK};
    return ty_mldsa_many_keygen(jobs, MANY, nullptr);
}

static ty_err many_sign(Work &w, bool ready)
{
    static uint8_t sigs[MANY][TY_MLDSA_SIG_MAX], msgs[MANY][32];
    ty_mldsa_sign_job jobs[MANY];
    for (size_t i = 0; i < MANY; i++) {
        msgs[i][0] = w.next()[0];
        jobs[i] = { sigs[i],
                    w.sig_len,
                    nullptr,
                    msgs[i],
                    32,
                    nullptr,
                    0,
                    ready ? nullptr : &w.key,
                    ready ? &w.signer : nullptr,
                    TY_OK };
    }
    return ty_mldsa_many_sign(jobs, MANY, nullptr);
}

static ty_err many_verify(Work &w, bool ready)
{
    ty_mldsa_verify_job jobs[MANY];
    for (auto &job : jobs)
        job = { w.sig,
                w.sig_len,
                nullptr,
                w.seed,
                32,
                nullptr,
                0,
                ready ? nullptr : &w.key.pub,
                ready ? &w.verifier : nullptr,
                TY_OK };
    return ty_mldsa_many_verify(jobs, MANY);
}

template <class F>
static void add(const std::string &op, const char *tier, ty_mldsa_set set, F call)
{
    benchmark::RegisterBenchmark(("mldsa" + std::to_string(set) + "/" + op + "/" + tier).c_str(),
                                 [=](benchmark::State &state) {
                                     bool ok = ty_tier_limit(tier) == TY_OK;
                                     const std::unique_ptr<Work> w(new Work(set));
                                     for (auto _ : state) {
                                         ok &= call(*w) == TY_OK;
                                         benchmark::DoNotOptimize(w->sig);
                                     }
                                     if (!ok || !w->ok) state.SkipWithError("a call failed");
                                 });
}

int main(int argc, char **argv)
{
    for (const ty_tier *t = ty_mldsa_tiers; t->name; t++) {
        if (t->need & ~ty_cpu_have()) continue;
        for (ty_mldsa_set set : {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87}) {
            add("keygen", t->name, set,
                [=](Work &w) { return ty_mldsa_key_from_seed(&w.key, w.seed, set); });
            add("sign", t->name, set, [](Work &w) {
                return ty_mldsa_sign(w.sig, w.sig_len, w.next(), 32, nullptr, 0, &w.key, nullptr);
            });
            add("sign-ready", t->name, set, [](Work &w) {
                return ty_mldsa_signer_sign(w.sig, w.sig_len, w.next(), 32, nullptr, 0, &w.signer,
                                            nullptr);
            });
            add("verify", t->name, set, [](Work &w) {
                return ty_mldsa_verify(w.sig, w.sig_len, w.seed, 32, nullptr, 0, &w.key.pub);
            });
            add("verify-ready", t->name, set, [](Work &w) {
                return ty_mldsa_verifier_verify(w.sig, w.sig_len, w.seed, 32, nullptr, 0,
                                                &w.verifier);
            });
        }
        for (ty_mldsa_set set : {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87}) {
            add("keygen-x16", t->name, set, many_keys);
            for (bool ready : {false, true}) {
                add(ready ? "sign-ready-x16" : "sign-x16", t->name, set,
                    [=](Work &w) { return many_sign(w, ready); });
                add(ready ? "verify-ready-x16" : "verify-x16", t->name, set,
                    [=](Work &w) { return many_verify(w, ready); });
            }
        }
        const auto kernel = [&](const char *name, void (*ty_q_ops::*f)(int32_t *)) {
            const ty_q_ops *q = ty_q_best();
            for (const ty_tier *tier = ty_q_tiers; tier->name; tier++)
                if (std::string(tier->name) == t->name) q = (const ty_q_ops *)tier->ops;
            benchmark::RegisterBenchmark((std::string("mldsa/") + name + "/" + t->name).c_str(),
                                         [=](benchmark::State &state) {
                                             ty_q_poly a = { 1 };
                                             for (auto _ : state) {
                                                 a[0] = 1;
                                                 (q->*f)(a);
                                                 benchmark::DoNotOptimize(a);
                                                 for (auto &x : a) x &= 0x7fffff;
                                             }
                                         });
        };
        kernel("ntt", &ty_q_ops::ntt);
        kernel("intt", &ty_q_ops::intt);
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
