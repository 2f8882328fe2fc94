/* Verifying (FIPS 204, algorithm 8), one signature or several side by side. Everything here is public.
 * w = A z - c t1 2^d is one sum of l + 1 products for each row, whose last pair is t1 2^d and -c. */
#include "mldsa/mldsa.h"

#include <string.h>

/* z, transformed, and the hint; 0 where the signature is malformed */
static int read_signature(ty_mldsa_verifying *job, const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    const size_t z_len = 32u * row->z_bits;
    if (job->sig_len != row->sig_len) return 0;
    const uint8_t *z = job->sig + row->c_len;
    if (!ty_mldsa_hint_unpack_vt(job->h, z + z_len * row->l, row)) return 0;
    for (size_t j = 0; j < row->l; j++) {
        env->bytes->unpack(job->v[j], z + z_len * j, row->z_bits, row->gamma1);
        if (env->q->add(job->v[j], job->v[j], ty_q_zero, row->gamma1 - row->beta)) return 0;
        env->q->ntt(job->v[j]);
    }
    return 1;
}

/* -c of all jobs, transformed */
static void challenges(ty_mldsa_verifying **job, size_t n, const ty_mldsa_env *env)
{
    const uint8_t *hash[TY_MLDSA_LANES];
    int32_t *c[TY_MLDSA_LANES];
    for (size_t i = 0; i < n; i++) {
        hash[i] = job[i]->sig;
        c[i] = job[i]->v[env->row->l];
    }
    ty_mldsa_ball_vt(c, NULL, hash, n, env->row);
    for (size_t i = 0; i < n; i++) {
        (void)env->q->sub(c[i], ty_q_zero, c[i], TY_Q / 4);
        env->q->ntt(c[i]);
    }
}

/* Row i of w, from a row of A and t1; its high part, moved by the hint, packed */
static void commit(ty_mldsa_verifying *job, size_t i, const ty_q_poly *a, const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    ty_q_poly w;
    env->q->dot(w, a, (const ty_q_poly *)job->v, (size_t)row->l + 1);
    env->q->intt(w);
    env->q->canon(w);
    env->q->use_hint(w, w, job->h[i], row->gamma2);
    env->bytes->pack(job->w1 + 32u * row->w1_bits * i, w, row->w1_bits, 0);
}

/* Rows of a key that is not ready are made four at a time, which fills the lanes of the sampler. */
static __attribute__((noinline)) void commit_raw(ty_mldsa_verifying *job, const ty_mldsa_env *env)
{
    const size_t stride = (size_t)env->row->l + 1, k = env->row->k;
    ty_q_poly made[4 * 8];
    for (size_t i = 0; i < k; i++) {
        const size_t left = k - i;
        ty_q_poly *a = made + i % 4 * stride;
        if (i % 4 == 0) ty_mldsa_expand_a(made, stride, i, left < 4 ? left : 4, job->pub->bytes, env);
        ty_mldsa_t1(a[env->row->l], i, job->pub, env);
        commit(job, i, (const ty_q_poly *)a, env);
    }
}

static void verdicts(ty_mldsa_verifying **job, size_t n, const ty_mldsa_row *row)
{
    ty_keccak_piece piece[TY_MLDSA_LANES][2] = { { { NULL, 0 } } };
    uint8_t hash[TY_MLDSA_LANES][64], *to[TY_MLDSA_LANES] = { NULL };
    for (size_t i = 0; i < n; i++) {
        piece[i][0] = (ty_keccak_piece){ job[i]->mu, 64 };
        piece[i][1] = (ty_keccak_piece){ job[i]->w1, (size_t)32 * row->w1_bits * row->k };
        to[i] = hash[i];
    }
    ty_keccak_lanes_hash(to, row->c_len, TY_SHAKE256_BLOCK, piece[0], 2, n);
    for (size_t i = 0; i < n; i++) job[i]->err = ty_equal(hash[i], job[i]->sig, row->c_len) ? TY_OK : TY_ERR_VERIFY;
}

void ty_mldsa_verify_lanes(ty_mldsa_verifying *job, size_t n, const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    ty_mldsa_verifying *live[TY_MLDSA_LANES];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        job[i].err = TY_ERR_VERIFY;
        if (read_signature(&job[i], env)) live[count++] = &job[i];
    }
    if (count == 0) return;
    challenges(live, count, env);
    for (size_t i = 0; i < count; i++) {
        if (!live[i]->ready) {
            commit_raw(live[i], env);
            continue;
        }
        const ty_q_poly *a = (const ty_q_poly *)live[i]->ready->polys;
        for (size_t r = 0; r < row->k; r++) commit(live[i], r, a + r * ((size_t)row->l + 1), env);
    }
    verdicts(live, count, row);
}
