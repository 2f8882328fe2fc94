/* Verifying (FIPS 204, algorithm 8). Everything here is public.
 * w = A z - c t1 2^d is one sum of l + 1 products for each row, whose last pair is t1 2^d and -c. */
#include "mldsa/mldsa.h"

#include <string.h>

/* z and -c, transformed; 0 where the signature is malformed */
static int read_signature(ty_q_poly *v, uint32_t h[][8], const uint8_t *sig, size_t sig_len, const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    const size_t z_len = 32u * row->z_bits;
    if (sig_len != row->sig_len) return 0;
    if (!ty_mldsa_hint_unpack_vt(h, sig + row->c_len + z_len * row->l, row)) return 0;
    for (size_t j = 0; j < row->l; j++) {
        env->bytes->unpack(v[j], sig + row->c_len + z_len * j, row->z_bits, row->gamma1);
        if (env->q->add(v[j], v[j], ty_q_zero, row->gamma1 - row->beta)) return 0;
        env->q->ntt(v[j]);
    }
    ty_mldsa_ball_vt(v[row->l], sig, row);
    (void)env->q->sub(v[row->l], ty_q_zero, v[row->l], TY_Q / 4);
    env->q->ntt(v[row->l]);
    return 1;
}

ty_err ty_mldsa_verify_internal(const uint8_t *sig, size_t sig_len, const uint8_t mu[TY_AT_LEAST(64)],
                                const ty_mldsa_pub *pub, const ty_mldsa_verifier *ready)
{
    const ty_mldsa_row *row = ty_mldsa_find(pub->set);
    if (!row) return TY_ERR_ARG;
    const ty_mldsa_env env = ty_mldsa_env_of(row);
    const size_t stride = (size_t)row->l + 1, w1_len = 32u * row->w1_bits;
    uint8_t w1_bytes[1024], c_hash[64];
    uint32_t h[8][8];
    ty_q_poly v[8], w, made[4 * 8];
    if (!read_signature(v, h, sig, sig_len, &env)) return TY_ERR_VERIFY;
    for (size_t i = 0; i < row->k; i++) {
        const size_t left = row->k - i;
        const ty_q_poly *a = (const ty_q_poly *)made + i % 4 * stride;
        if (ready) a = (const ty_q_poly *)ready->polys + i * stride;
        else if (i % 4 == 0) ty_mldsa_expand_a(made, stride, i, left < 4 ? left : 4, pub->bytes, &env);
        if (!ready) ty_mldsa_t1(made[i % 4 * stride + row->l], i, pub, &env);
        env.q->dot(w, a, (const ty_q_poly *)v, stride);
        env.q->intt(w);
        env.q->canon(w);
        env.q->use_hint(w, w, h[i], row->gamma2);
        env.bytes->pack(w1_bytes + w1_len * i, w, row->w1_bits, 0);
    }
    ty_mldsa_h(c_hash, row->c_len, (ty_mldsa_bytes){ mu, 64 }, (ty_mldsa_bytes){ w1_bytes, w1_len * row->k },
               (ty_mldsa_bytes){ NULL, 0 });
    return ty_equal(c_hash, sig, row->c_len) ? TY_OK : TY_ERR_VERIFY;
}
