// Signatures (also many at once, and of DSTU 4145), key generation and ECDH on binary curves, and
// the arithmetic of scalars that they use, on every tier.
#include "rng.hpp"
#include "tiers.hpp"
extern "C" {
#include "ec/ec_binary.h"
#include "modn/scalar.h"
}
#include "tongyu/dstu4145.h"
#include "tongyu/ecdsa.h"
#include "tongyu/ecdsa_many.h"

struct Work {
    ty_ec_key key;
    uint8_t sig[2 * TY_EC_MAX], digest[32] = {4}, out[2 * TY_EC_MAX];
    ty_scalar_ring ring;
    ty_scalar x;
    bool ok;
    explicit Work(const ty_ec_curve *c)
    {
        ok = ty_ec_keygen(&key, c, &rng) == TY_OK &&
             ty_ecdsa_sign(sig, digest, 32, &key, &rng) == TY_OK;
        ty_scalar_ring_init(&ring, c->n, c->n_bits);
        ty_scalar_set(&x, key.d, ring.len, &ring);
    }
};

static const struct Op {
    const char *name;
    ty_err (*call)(Work &w);
} ops[] = {
    { "keygen", [](Work &w) { return ty_ec_keygen(&w.key, w.key.pub.curve, &rng); } },
    { "sign", [](Work &w) { return ty_ecdsa_sign(w.sig, w.digest, 32, &w.key, &rng); } },
    { "sign-deterministic",
      [](Work &w) { return ty_ecdsa_sign(w.sig, w.digest, 32, &w.key, nullptr); } },
    { "verify",
      [](Work &w) { return ty_ecdsa_verify(w.sig, 2 * w.ring.len, w.digest, 32, &w.key.pub); } },
    { "verify-many-32",
      [](Work &w) {   // the time of all 32
          ty_ecdsa_verify_job jobs[32];
          for (auto &j : jobs) j = { w.sig, 2 * w.ring.len, w.digest, 32, &w.key.pub, TY_OK };
          return ty_ecdsa_many_verify(jobs, 32);
      } },
    { "dstu4145-sign",
      [](Work &w) { return ty_dstu4145_sign(w.out, w.digest, 32, &w.key, &rng); } },
    { "ecdh", [](Work &w) { return ty_ec_ecdh(w.out, &w.key.pub, &w.key); } },
    { "scalar-mul", [](Work &w) { return ty_scalar_mul(&w.x, &w.x, &w.x, &w.ring), TY_OK; } },
    { "scalar-inv", [](Work &w) { return ty_scalar_inv(&w.x, &w.x, &w.ring), TY_OK; } },
};

int main(int argc, char **argv)
{
    for (const char *name : {"sect163r2", "sect233r1", "sect283r1", "sect571r1"})
        for (const Op &op : ops) {
            const ty_ec_curve *c = ty_ec_curve_named(name);
            bench_tiers((std::string("ecdsa/") + name + "/" + op.name).c_str(), c->tiers, {},
                        [c, &op](benchmark::State &state) {
                            Work w(c);
                            for (auto _ : state) {
                                w.ok &= op.call(w) == TY_OK;
                                benchmark::DoNotOptimize(w);
                            }
                            if (!w.ok) state.SkipWithError("a call failed");
                        });
        }
    return bench_run(argc, argv);
}
