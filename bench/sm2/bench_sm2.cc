// The calls of SM2 and the point multiplications that they use, on every tier this CPU supports.
#include "rng.hpp"
#include <benchmark/benchmark.h>
extern "C" {
#include "ec/ec_sm2.h"
}
#include "tongyu/os.h"
#include "tongyu/sm2_many.h"
#include <cstring>
#include <string>

struct Work {
    ty_sm2_key key, peer;
    uint8_t msg[32] = { 1, 2, 3 }, e[32] = { 4 }, sig[64], sealed[32 + TY_SM2_OVERHEAD], out[64],
            pub[65];
    bool ok;
    Work()
    {
        ok = ty_sm2_keygen(&key, &rng) == TY_OK && ty_sm2_keygen(&peer, &rng) == TY_OK &&
             ty_sm2_sign_digest(sig, e, &key, &rng) == TY_OK &&
             ty_sm2_encrypt(sealed, msg, sizeof msg, TY_SM2_C1C3C2, &key.pub, &rng) == TY_OK;
        ty_sm2_pub_get(pub, &peer.pub);
    }
    const uint8_t *id() const { return (const uint8_t *)TY_SM2_ID; }
};

// 32 jobs, which is how many share an inversion, or 256 with one key
struct Many {
    enum { N = 256 };
    ty_sm2_key keys[N];
    uint8_t sigs[N][64], e[32] = {4};
    ty_sm2_keygen_job keygen[N];
    ty_sm2_sign_job sign[N];
    ty_sm2_verify_job verify[N];
    uint8_t msg[32] = {5}, out[32][32], sealed[32][32 + TY_SM2_OVERHEAD];
    ty_sm2_ecdh_job ecdh[32];
    ty_sm2_encrypt_job encrypt[32];
    ty_sm2_decrypt_job decrypt[32];
    bool ok = true;
    explicit Many(bool one_key)
    {
        for (int i = 0; i < N; i++) {
            keygen[i] = {&keys[i], TY_OK};
            ty_sm2_key *key = &keys[one_key ? 0 : i];
            sign[i] = {sigs[i], e, nullptr, 0, nullptr, 0, key, TY_OK};
            verify[i] = {sigs[i], e, nullptr, 0, nullptr, 0, &key->pub, TY_OK};
        }
        for (int i = 0; i < 32; i++) {
            ecdh[i] = {out[i], &keys[31 - i].pub, &keys[i], TY_OK};
            encrypt[i] = {sealed[i], msg, 32, TY_SM2_C1C3C2, &keys[i].pub, TY_OK};
            decrypt[i] = {out[i], sealed[i], sizeof sealed[i], TY_SM2_C1C3C2, &keys[i], TY_OK};
        }
        ok = ty_sm2_many_keygen(keygen, N, &rng) == TY_OK &&
             ty_sm2_many_sign(sign, N, &rng) == TY_OK &&
             ty_sm2_many_encrypt(encrypt, 32, &rng) == TY_OK;
    }
};

// one iteration does all the jobs; items per second are operations per second
template <class F>
static void add_many(const std::string &op, const char *tier, size_t n, bool one_key, F call)
{
    benchmark::RegisterBenchmark(("sm2/" + op + "/" + tier).c_str(), [=](benchmark::State &state) {
        bool ok = ty_tier_limit(tier) == TY_OK;
        static Many w(one_key);
        for (auto _ : state) ok &= call(w, n) == TY_OK;
        state.SetItemsProcessed((int64_t)(n * state.iterations()));
        if (!ok || !w.ok) state.SkipWithError("a call failed");
    })->UseRealTime();
}

template <class F> static void add(const std::string &op, const char *tier, F call)
{
    benchmark::RegisterBenchmark(("sm2/" + op + "/" + tier).c_str(), [=](benchmark::State &state) {
        bool ok = ty_tier_limit(tier) == TY_OK;
        Work w;
        for (auto _ : state) {
            ok &= call(w);
            benchmark::DoNotOptimize(w.out);
        }
        if (!ok || !w.ok) state.SkipWithError("a call failed");
    });
}

int main(int argc, char **argv)
{
    for (const ty_tier *t = ty_ec_sm2_tiers; t->name; t++) {
        if (t->need & ~ty_cpu_have()) continue;
        const auto *ec = (const ty_ec_sm2_ops *)t->ops;
        add("keygen", t->name, [](Work &w) { return ty_sm2_keygen(&w.peer, &rng) == TY_OK; });
        add("sign-digest", t->name,
            [](Work &w) { return ty_sm2_sign_digest(w.sig, w.e, &w.key, &rng) == TY_OK; });
        add("sign-32", t->name, [](Work &w) {
            return ty_sm2_sign(w.out, w.msg, 32, w.id(), TY_SM2_ID_LEN, &w.key, &rng) == TY_OK;
        });
        static ty_sm2_verifier verifier;
        add("verifier-init", t->name, [](Work &w) {
            return ty_sm2_verifier_init(&verifier, &w.key.pub, nullptr, 0) == TY_OK;
        });
        add("verifier-verify-digest", t->name, [](Work &w) {
            if (std::memcmp(&verifier.pub, &w.key.pub, sizeof w.key.pub) != 0 &&
                ty_sm2_verifier_init(&verifier, &w.key.pub, nullptr, 0) != TY_OK) return false;
            return ty_sm2_verifier_verify_digest(w.sig, w.e, &verifier) == TY_OK;
        });
        add("recover-digest", t->name,
            [](Work &w) { return ty_sm2_recover_digest(&w.peer.pub, w.sig, w.e, 0) == TY_OK; });
        add_many("keygen-x32", t->name, 32, false,
                 [](Many &w, size_t n) { return ty_sm2_many_keygen(w.keygen, n, &rng); });
        add_many("sign-x32", t->name, 32, false,
                 [](Many &w, size_t n) { return ty_sm2_many_sign(w.sign, n, &rng); });
        for (const size_t at_once : {8, 32}) {
            const std::string x = "-x" + std::to_string(at_once);
            add_many("ecdh" + x, t->name, at_once, false,
                     [](Many &w, size_t n) { return ty_sm2_many_ecdh(w.ecdh, n); });
            add_many("encrypt-32" + x, t->name, at_once, false,
                     [](Many &w, size_t n) { return ty_sm2_many_encrypt(w.encrypt, n, &rng); });
            add_many("decrypt-32" + x, t->name, at_once, false,
                     [](Many &w, size_t n) { return ty_sm2_many_decrypt(w.decrypt, n); });
        }
        add_many("keygen-x8", t->name, 8, false,
                 [](Many &w, size_t n) { return ty_sm2_many_keygen(w.keygen, n, &rng); });
        add_many("sign-x8", t->name, 8, false,
                 [](Many &w, size_t n) { return ty_sm2_many_sign(w.sign, n, &rng); });
        add_many("verify-x32-keys", t->name, 32, false,
                 [](Many &w, size_t n) { return ty_sm2_many_verify(w.verify, n); });
        add_many("verify-x256-one-key", t->name, 256, true,
                 [](Many &w, size_t n) { return ty_sm2_many_verify(w.verify, n); });
        add_many("verify-x256-one-key-threads", t->name, 256, true, [](Many &w, size_t n) {
            return ty_parallel(n, 64, 0, [](void *p, size_t from, size_t to) {
                return ty_sm2_many_verify(((Many *)p)->verify + from, to - from);
            }, &w);
        });
        add("verify-digest", t->name,
            [](Work &w) { return ty_sm2_verify_digest(w.sig, w.e, &w.key.pub) == TY_OK; });
        add("ecdh", t->name,
            [](Work &w) { return ty_sm2_ecdh(w.out, &w.peer.pub, &w.key) == TY_OK; });
        add("encrypt-32", t->name, [](Work &w) {
            return ty_sm2_encrypt(w.sealed, w.msg, 32, TY_SM2_C1C3C2, &w.key.pub, &rng) == TY_OK;
        });
        add("decrypt-32", t->name, [](Work &w) {
            return ty_sm2_decrypt(w.out, w.sealed, sizeof w.sealed, TY_SM2_C1C3C2, &w.key) == TY_OK;
        });
        add("mul-base", t->name, [=](Work &w) { return ec->mul_base(w.out, w.key.d) != 0; });
        add("mul", t->name, [=](Work &w) { return ec->mul(w.out, w.key.d, w.pub + 1) != 0; });
        add("mul-add-vt", t->name,
            [=](Work &w) { return ec->mul_add_vt(w.out, w.key.d, w.peer.d, w.pub + 1) != 0; });
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
