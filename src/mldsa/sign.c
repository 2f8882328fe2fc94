/* Signing (FIPS 204, algorithm 7). An attempt commits to a mask y, is challenged by the hash of w1,
 * and answers with z = y + c s1, unless z or the low part of w would reveal something about the
 * key.
 *
 * The checks are in a different order from the standard's, with the same outcome: r0 first and
 * polynomial by polynomial, because it rejects most attempts (two in three) for the least work.
 * Masks are numbered consecutively across attempts, so the sampler always fills its lanes, and
 * masks that one attempt does not use are used by the next. (Sampling the masks of an attempt that
 * may not be needed, interleaved with the serial hashes of the current challenge, was measured: it
 * wastes as much as it saves.) Two things become public: the challenge of each attempt, a hash of
 * w1, which looks random without knowledge of y; and which check rejected an attempt, since this
 * does not depend on the key (Lyubashevsky, ASIACRYPT 2009; Dilithium specification, version 3.1,
 * 5.5). */
#if !defined(TY_PUBLIC_ONLY)
#include "mldsa/mldsa.h"

#include "base/ct.h"
#include "base/wipe.h"

#include <string.h>

enum { ATTEMPTS = 814 };   /* FIPS 204, appendix C: more are needed with probability below 2^-256 */

/* What the lanes use in turn */
typedef struct shared {
    ty_mldsa_env env;
    uint32_t h[8][8];
    ty_q_poly v[7] __attribute__((aligned(64))), t, c;   /* c: a challenge, transformed */
} __attribute__((aligned(64))) shared;

/* polynomial i of a precomputed key: A by rows, s1 and -s2, t0 */
static const ty_q_poly *polys(const ty_mldsa_sign_lane *lane, size_t i)
{
    return (const ty_q_poly *)lane->job->from->polys + i;
}

/* z += c times polynomial i of s1 and -s2; returns 1 if after that any |z| >= bound. The product is
 * a sum of tau windows, which takes so much less work than transforms that c is only transformed in
 * the attempts that reach t0. */
static uint32_t add_times_s(shared *s, int32_t z[256], const ty_mldsa_sign_lane *lane, size_t i,
                            int32_t bound)
{
    const ty_mldsa_row *row = s->env.row;
    const int8_t *e = (const int8_t *)*polys(lane, (size_t)row->k * row->l + i);
    return mldsa_of(&s->env)->add_times(z, &lane->challenge, e, row->eta, bound);
}

/* t = c times polynomial i of t0, c transformed */
static void times_t0(shared *s, const ty_mldsa_sign_lane *lane, size_t i)
{
    const ty_mldsa_row *row = s->env.row;
    q_of(&s->env)->dot(s->t, (const ty_q_poly *)&s->c,
                  polys(lane, (size_t)row->k * row->l + row->l + row->k + i), 1);
    q_of(&s->env)->intt(s->t);
}

/* samples y; w = A y in two parts, w1 packed and w0 */
static void commit(shared *s, ty_mldsa_sign_lane *lane)
{
    const ty_mldsa_row *row = s->env.row;
    const ty_q_ops *q = q_of(&s->env);
    const size_t w1_len = 32u * row->w1_bits;
    while (lane->have < row->l) {
        const size_t got = ty_mldsa_expand_mask(lane->y + lane->have, row->l - lane->have,
                                                lane->job->rho, lane->kappa, &s->env);
        lane->have += got;
        lane->kappa += (unsigned)got;
    }
    for (size_t j = 0; j < row->l; j++) {
        memcpy(s->v[j], lane->y[j], sizeof s->v[j]);
        q->ntt(s->v[j]);
    }
    for (size_t i = 0; i < row->k; i++) {
        q->dot(s->t, polys(lane, i * row->l), (const ty_q_poly *)s->v, row->l);
        q->intt(s->t);
        q->decompose(s->t, lane->w0[i], s->t, row->gamma2);
        mldsa_of(&s->env)->pack(lane->mu_w1 + 64 + w1_len * i, s->t, row->w1_bits, 0);
    }
}

/* The challenges of all lanes */
static void challenges(ty_mldsa_sign_lane **lane, size_t n, const ty_mldsa_row *row)
{
    ty_keccak_piece piece[TY_MLDSA_LANES];
    uint8_t *hash[TY_MLDSA_LANES];
    const uint8_t *in[TY_MLDSA_LANES];
    ty_mldsa_challenge *challenge[TY_MLDSA_LANES];
    for (size_t i = 0; i < n; i++) {
        piece[i] = (ty_keccak_piece){ lane[i]->mu_w1, 64 + (size_t)32 * row->w1_bits * row->k };
        in[i] = hash[i] = lane[i]->c_hash;
        challenge[i] = &lane[i]->challenge;
    }
    ty_keccak_lanes_hash(hash, row->c_len, TY_SHAKE256_BLOCK, piece, 1, n);
    for (size_t i = 0; i < n; i++) TY_PUBLIC(lane[i]->c_hash, row->c_len);   /* a hash, see above */
    ty_mldsa_challenge_vt(challenge, in, n, row);
}

static int rejected(uint32_t large)
{
    TY_PUBLIC(&large, sizeof large);   /* see above */
    return large != 0;
}

/* replaces y by z, and makes the hint; returns 0 if the attempt is rejected */
static int answer(shared *s, ty_mldsa_sign_lane *lane)
{
    const ty_mldsa_row *row = s->env.row;
    const ty_q_ops *q = q_of(&s->env);
    const size_t w1_len = 32u * row->w1_bits;
    uint32_t hints = 0;
    for (size_t i = 0; i < row->k; i++)   /* r0 = w0 - c s2 */
        if (rejected(add_times_s(s, lane->w0[i], lane, row->l + i, row->gamma2 - row->beta)))
            return 0;
    for (size_t j = 0; j < row->l; j++)
        if (rejected(add_times_s(s, lane->y[j], lane, j, row->gamma1 - row->beta))) return 0;
    ty_mldsa_challenge_poly(s->c, &lane->challenge, 1);
    q->ntt(s->c);
    for (size_t i = 0; i < row->k; i++) {
        times_t0(s, lane, i);
        if (rejected(q->add(s->t, s->t, ty_q_zero, row->gamma2))) return 0;
        (void)q->add(lane->w0[i], lane->w0[i], s->t, TY_Q / 4);
        mldsa_of(&s->env)->unpack(s->t, lane->mu_w1 + 64 + w1_len * i, row->w1_bits, 0);
        hints += q->make_hint(s->h[i], s->t, lane->w0[i], row->gamma2);
    }
    return !rejected(hints > row->omega);
}

static void write_signature(shared *s, ty_mldsa_sign_lane *lane)
{
    const ty_mldsa_row *row = s->env.row;
    const size_t z_len = 32u * row->z_bits;
    uint8_t *sig = lane->job->sig, *z = sig + row->c_len;
    memcpy(sig, lane->c_hash, row->c_len);
    for (size_t j = 0; j < row->l; j++)
        mldsa_of(&s->env)->pack(z + z_len * j, lane->y[j], row->z_bits, row->gamma1);
    TY_PUBLIC(s->h, sizeof s->h);   /* the attempt was accepted: z and the hint are the signature */
    ty_mldsa_hint_pack(z + z_len * row->l, s->h, row);
    TY_PUBLIC(sig, row->sig_len);
}

/* Returns 1 if the lane's job is done, with or without success. */
static int finish(shared *s, ty_mldsa_sign_lane *lane)
{
    const ty_mldsa_row *row = s->env.row;
    if (answer(s, lane)) {
        write_signature(s, lane);
        lane->job->err = TY_OK;
        return 1;
    }
    if (++lane->attempts == ATTEMPTS) {
        memset(lane->job->sig, 0, row->sig_len);
        lane->job->err = TY_ERR_FAULT;
        return 1;
    }
    lane->have -= row->l;
    memmove(lane->y, lane->y + row->l, lane->have * sizeof lane->y[0]);
    return 0;
}

static void take(ty_mldsa_sign_lane *lane, ty_mldsa_signing *job)
{
    lane->job = job;
    memcpy(lane->mu_w1, job->mu, 64);
    lane->have = lane->kappa = lane->attempts = 0;
}

/* wipes what the lane has used; of masks, it holds at most three more than an attempt needs */
static void forget(ty_mldsa_sign_lane *lane, const ty_mldsa_row *row)
{
    ty_wipe(lane->y, (row->l + 3u) * sizeof lane->y[0]);
    ty_wipe(lane->w0, row->k * sizeof lane->w0[0]);
    ty_wipe(lane->mu_w1, sizeof lane->mu_w1);
}

/* A lane that has finished takes the next job, or the last active lane replaces it. */
void ty_mldsa_sign_lanes(ty_mldsa_signing *job, size_t n, ty_mldsa_sign_lane *lane, size_t lanes,
                         const ty_mldsa_env *env)
{
    shared s;
    ty_mldsa_sign_lane *at[TY_MLDSA_LANES];
    size_t next = 0, active = 0;
    s.env = *env;
    for (; active < lanes && next < n; active++) take(at[active] = &lane[active], &job[next++]);
    const size_t used = active;
    while (active) {
        for (size_t i = 0; i < active; i++) commit(&s, at[i]);
        challenges(at, active, env->row);
        for (size_t i = active; i-- > 0;) {
            if (!finish(&s, at[i])) continue;
            if (next < n) take(at[i], &job[next++]);
            else at[i] = at[--active];
        }
    }
    for (size_t i = 0; i < used; i++) forget(&lane[i], env->row);
    ty_wipe(&s, sizeof s);
    ty_mldsa_mask_forget();
    ty_wipe_below_8k();
}

void ty_mldsa_sign_seed(ty_mldsa_signing *job, uint8_t (*rnd)[32], size_t n)
{
    ty_keccak_piece piece[TY_MLDSA_LANES][3];
    uint8_t *rho[TY_MLDSA_LANES];
    for (size_t i = 0; i < n; i++) {
        piece[i][0] = (ty_keccak_piece){ job[i].from->k, 32 };
        piece[i][1] = (ty_keccak_piece){ rnd[i], 32 };
        piece[i][2] = (ty_keccak_piece){ job[i].mu, 64 };
        rho[i] = job[i].rho;
    }
    ty_keccak_lanes_hash(rho, 64, TY_SHAKE256_BLOCK, piece[0], 3, n);
    ty_wipe_below_8k();
}

ty_err ty_mldsa_sign_internal(uint8_t *sig, const uint8_t mu[TY_AT_LEAST(64)],
                              const uint8_t rnd[TY_AT_LEAST(32)], const ty_mldsa_signer *signer)
{
    const ty_mldsa_env env = ty_mldsa_env_of(ty_mldsa_find(signer->pub.set));
    ty_mldsa_sign_lane lane;
    ty_mldsa_signing job = { .sig = sig, .from = signer };
    uint8_t copy[1][32];
    memcpy(job.mu, mu, sizeof job.mu);
    memcpy(copy[0], rnd, 32);
    ty_mldsa_sign_seed(&job, copy, 1);
    ty_mldsa_sign_lanes(&job, 1, &lane, 1, &env);
    ty_wipe(copy, sizeof copy);
    ty_wipe(job.rho, sizeof job.rho);
    return job.err;
}
#else
typedef int ty_mldsa_sign_c_is_empty;   /* ISO C requires a declaration in every file */
#endif
