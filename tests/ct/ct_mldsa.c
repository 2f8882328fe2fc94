/* Constant time of ML-DSA: keys expanded from poisoned seeds, signatures with poisoned keys and
 * random bytes, on every tier. What may be examined is declared where it becomes public, in
 * src/mldsa. */
#include "base/ct.h"
#include "mldsa/mldsa.h"
#include "tongyu/mldsa_many.h"
#include "ct/secret_rng.h"

#include <stdio.h>
#include <string.h>

static ty_mldsa_key key, again;
static ty_mldsa_signer signer;

static void one_set(ty_mldsa_set set)
{
    uint32_t counter = 1;
    const ty_rng rng = { secret_bytes, &counter };
    uint8_t sig[TY_MLDSA_SIG_MAX], small[TY_MLDSA_SIG_MAX], seed[32], mu[TY_MLDSA_MU_LEN] = { 0 };
    const size_t sig_len = ty_mldsa_sig_len(set);

    must(ty_mldsa_keygen(&key, set, &rng) == TY_OK, "keygen");
    must(ty_mldsa_key_set(&again, key.bytes, ty_mldsa_key_len(set)) == TY_OK, "key_set");
    must(memcmp(key.pub.bytes, again.pub.bytes, ty_mldsa_pub_len(set)) == 0, "the public key");
    must(ty_mldsa_signer_init(&signer, &again) == TY_OK, "signer_init");
    must(ty_mldsa_signer_sign_mu(sig, sig_len, mu, &signer, &rng) == TY_OK, "hedged signature");
    must(ty_mldsa_verify_mu(sig, sig_len, mu, &key.pub) == TY_OK, "verify");
    must(ty_mldsa_sign(sig, sig_len, mu, sizeof mu, NULL, 0, &key, NULL) == TY_OK,
         "deterministic signature");
    must(ty_mldsa_verify(sig, sig_len, mu, sizeof mu, NULL, 0, &key.pub) == TY_OK, "verify");
    must(ty_mldsa_signer_sign_mu(sig, sig_len, mu, &signer, NULL) == TY_OK, "signature");
    must(ty_mldsa_sign_small(small, sig_len, mu, &key, NULL) == TY_OK, "small signature");
    must(memcmp(sig, small, sig_len) == 0, "agreement");
    must(ty_mldsa_sign_encoded(small, sig_len, mu, sizeof mu, NULL, 0, key.bytes,
                               ty_mldsa_key_len(set), &rng) == TY_OK,
         "encoded");
    must(ty_mldsa_verify_encoded(small, sig_len, mu, sizeof mu, NULL, 0, key.pub.bytes,
                                 ty_mldsa_pub_len(set)) == TY_OK,
         "verify");
    must(rng.fill(rng.ctx, seed, sizeof seed) == TY_OK, "seed");
    must(ty_mldsa_keygen_encoded(again.pub.bytes, ty_mldsa_pub_len(set), again.bytes,
                                 ty_mldsa_key_len(set), seed, set) == TY_OK,
         "encoded key");
    must(ty_mldsa_sign_from_seed(small, sig_len, mu, sizeof mu, NULL, 0, seed, set, &rng) == TY_OK,
         "from the seed");
    again.bytes[200] ^= 1;   /* in s1 */
    must(ty_mldsa_key_set(&key, again.bytes, ty_mldsa_key_len(set)) == TY_ERR_KEY, "refusal");
}

/* Batches of keys and signatures: with keys, one of them twice, and with a prepared signer. */
static void many(void)
{
    static ty_mldsa_key keys[3];
    static uint8_t sigs[4][TY_MLDSA_SIG_MAX];
    ty_mldsa_keygen_job made[3];
    ty_mldsa_sign_job sign[4];
    uint32_t counter = 1;
    const ty_rng rng = { secret_bytes, &counter };
    for (int i = 0; i < 3; i++)
        made[i] = (ty_mldsa_keygen_job){ &keys[i], i ? TY_MLDSA_44 : TY_MLDSA_65, NULL, TY_OK };
    must(ty_mldsa_many_keygen(made, 3, &rng) == TY_OK, "many keys");
    must(ty_mldsa_signer_init(&signer, &keys[2]) == TY_OK, "signer_init");
    for (int i = 0; i < 4; i++) {
        const int k = i % 3;
        sign[i] = (ty_mldsa_sign_job){ sigs[i],
                                       ty_mldsa_sig_len(keys[k].pub.set),
                                       NULL,
                                       (const uint8_t *)"hello",
                                       5,
                                       NULL,
                                       0,
                                       k == 2 ? NULL : &keys[k],
                                       k == 2 ? &signer : NULL,
                                       TY_OK };
    }
    must(ty_mldsa_many_sign(sign, 4, &rng) == TY_OK, "many signatures");
}

/* Kernels on poisoned coefficients, also those that the schemes call rarely. */
static void kernels(void)
{
    static ty_q_poly a, b, c;
    uint32_t h[8];
    const ty_q_ops *q = ty_q_best();
    for (int i = 0; i < 256; i++) {
        a[i] = i * 32000;
        b[i] = i - 128;
    }
    TY_SECRET(a, sizeof a);
    TY_SECRET(b, sizeof b);
    for (int i = 0; i < 2; i++) {
        const int32_t gamma2 = i ? TY_Q_GAMMA2_32 : TY_Q_GAMMA2_88;
        q->decompose(c, b, a, gamma2);
        (void)q->make_hint(h, c, b, gamma2);
        q->use_hint(c, a, h, gamma2);
    }
    (void)q->add(a, a, b, 1000);
    q->power2round(b, c, a);
}

int main(void)
{
    static const ty_mldsa_set sets[3] = { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 };
    const ty_cpu have = ty_cpu_have();
    for (const ty_tier *t = ty_mldsa_tiers; t->name; t++) {
        if (t->need & ~have) {
            printf("mldsa %s: not on this CPU\n", t->name);
            continue;
        }
        ty_cpu_assume(t->need);
        kernels();
        for (int i = 0; i < 3; i++) one_set(sets[i]);
        many();
        printf("mldsa %s: secrets stayed out of branches and addresses\n", t->name);
    }
    return 0;
}
