/* Verifying (FIPS 204, algorithm 8), one signature or several at once. Everything here is public.
 * w = A z - c t1 2^d is one sum of l + 1 products for each row; the last is of t1 2^d and -c. */
#include "mldsa/mldsa.h"

#include <string.h>

/* z, transformed, and the hint; returns 0 if the signature is malformed */
static int read_signature(ty_mldsa_verifying *job, const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    const size_t z_len = 32u * row->z_bits;
    if (job->sig_len != row->sig_len) return 0;
    const uint8_t *z = job->sig + row->c_len;
    if (!ty_mldsa_hint_unpack_vt(job->h, z + z_len * row->l, row)) return 0;
    for (size_t j = 0; j < row->l; j++) {
        mldsa_of(env)->unpack(job->v[j], z + z_len * j, row->z_bits, row->gamma1);
        if (q_of(env)->add(job->v[j], job->v[j], ty_q_zero, row->gamma1 - row->beta)) return 0;
        q_of(env)->ntt(job->v[j]);
    }
    return 1;
}

/* -c of a job, transformed */
static void put_challenge(ty_mldsa_verifying *job, const ty_mldsa_challenge *challenge,
                          const ty_mldsa_env *env)
{
    int32_t *const c = job->v[env->row->l];
    ty_mldsa_challenge_poly(c, challenge, -1);
    q_of(env)->ntt(c);
}

/* Row i of w, from a row of A and t1; its high part, adjusted by the hint, is packed */
static void commit(ty_mldsa_verifying *job, size_t i, const ty_q_poly *a, const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    ty_q_poly w __attribute__((aligned(64)));
    q_of(env)->dot(w, a, (const ty_q_poly *)job->v, (size_t)row->l + 1);
    q_of(env)->intt(w);
    q_of(env)->use_hint(w, w, job->h[i], row->gamma2);
    mldsa_of(env)->pack(job->mu_w1 + 64 + 32u * row->w1_bits * i, w, row->w1_bits, 0);
}

/* One signature with a key that is not precomputed: its serial hashes are interleaved with the
 * sampling of A, half of it at a time, which fills the lanes of the sampler. */
static __attribute__((noinline)) void verify_raw(ty_mldsa_verifying *job, const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    const size_t stride = (size_t)row->l + 1, half = row->k / 2u;
    ty_keccak_extra first, second;
    ty_mldsa_challenge challenge;
    uint8_t block[TY_SHAKE256_BLOCK], hash[64];
    ty_q_poly made[4 * 8] __attribute__((aligned(64)));
    ty_keccak_extra_start(&first, block, sizeof block, job->sig, row->c_len, 0);
    ty_keccak_extra_start(&second, hash, row->c_len, job->mu_w1, 64, 1);
    first.then = &second;
    for (size_t i = 0; i < row->k; i++) {
        ty_q_poly *a = made + i % half * stride;
        if (i % half == 0) ty_mldsa_expand_a(made, stride, i, half, job->pub->bytes, env, &first);
        if (i == 0) {
            ty_keccak_extra_rest(&first);
            ty_mldsa_challenge_from_vt(&challenge, block, job->sig, row);
            put_challenge(job, &challenge, env);
        }
        ty_mldsa_t1(a[row->l], i, job->pub, env);
        commit(job, i, (const ty_q_poly *)a, env);
        second.left += 32u * row->w1_bits;
    }
    ty_keccak_extra_finish(&second);
    job->err = ty_equal(hash, job->sig, row->c_len) ? TY_OK : TY_ERR_VERIFY;
}

/* Signatures with precomputed keys, all at once */
static void verify_ready(ty_mldsa_verifying **job, size_t n, const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    ty_keccak_piece piece[TY_MLDSA_LANES] = { { NULL, 0 } };
    ty_mldsa_challenge challenges[TY_MLDSA_LANES], *challenge[TY_MLDSA_LANES] = { NULL };
    uint8_t hash[TY_MLDSA_LANES][64], *to[TY_MLDSA_LANES] = { NULL };
    const uint8_t *sig[TY_MLDSA_LANES] = { NULL };
    for (size_t i = 0; i < n; i++) {
        sig[i] = job[i]->sig;
        challenge[i] = &challenges[i];
        piece[i] = (ty_keccak_piece){ job[i]->mu_w1, 64 + (size_t)32 * row->w1_bits * row->k };
        to[i] = hash[i];
    }
    ty_mldsa_challenge_vt(challenge, sig, n, row);
    for (size_t i = 0; i < n; i++) {
        const ty_q_poly *a = (const ty_q_poly *)job[i]->ready->polys;
        put_challenge(job[i], challenge[i], env);
        for (size_t r = 0; r < row->k; r++) commit(job[i], r, a + r * ((size_t)row->l + 1), env);
    }
    ty_keccak_lanes_hash(to, row->c_len, TY_SHAKE256_BLOCK, piece, 1, n);
    for (size_t i = 0; i < n; i++)
        job[i]->err = ty_equal(hash[i], sig[i], row->c_len) ? TY_OK : TY_ERR_VERIFY;
}

void ty_mldsa_verify_lanes(ty_mldsa_verifying *job, size_t n, const ty_mldsa_env *env)
{
    ty_mldsa_verifying *ready[TY_MLDSA_LANES];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        job[i].err = TY_ERR_VERIFY;
        if (!read_signature(&job[i], env)) continue;
        if (job[i].ready) ready[count++] = &job[i];
        else verify_raw(&job[i], env);
    }
    if (count) verify_ready(ready, count, env);
}
