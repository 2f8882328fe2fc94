/* Signing (FIPS 204, algorithm 7). An attempt commits to a mask y, is challenged by the hash of w1, and answers with
 * z = y + c s1 unless z, or what rounding left of w, would tell something about the key.
 *
 * The checks come in another order than in the standard, with the same outcome: r0 first and polynomial by polynomial,
 * because it rejects most (two attempts of three) for the least work. Masks are numbered through all attempts, so the
 * sampler always fills its four lanes, and what one attempt leaves over begins the next.
 * What becomes public: the challenge of each attempt, a hash of w1, which is as good as random to whoever does not know
 * y; and which check rejected an attempt, since this does not depend on the key (Lyubashevsky, ASIACRYPT 2009; FIPS 204,
 * 3.6.2 counts the rejected attempts among what may be seen). */
#include "mldsa/mldsa.h"

#include "base/ct.h"

#include <stddef.h>
#include <string.h>

enum { ATTEMPTS = 814 };   /* FIPS 204, appendix C: more are needed with probability below 2^-256 */

typedef struct work {
    ty_q_poly y[7 + 3], v[7], w0[8], w1[8], c, t, made;
    ty_q_poly made_row[7];                  /* last: touched only where the key is not ready */
} __attribute__((aligned(32))) work;

typedef struct state {
    ty_mldsa_env env;
    ty_mldsa_source from;
    work *w;
    const uint8_t *mu;
    uint8_t rho[64], c_hash[64], w1_bytes[1024];
    uint32_t h[8][8];
    size_t have;            /* masks in y */
    unsigned kappa;         /* number of the next one */
} state;

static const ty_q_poly *matrix_row(const state *s, size_t i)
{
    const size_t l = s->env.row->l;
    if (s->from.ready) return (const ty_q_poly *)s->from.ready->polys + i * l;
    ty_mldsa_expand_a(s->w->made_row, l, i, 1, s->from.key->pub.bytes, &s->env);
    return (const ty_q_poly *)s->w->made_row;
}

/* t = c times polynomial i of s1, s2, t0, one after the other */
static void times_challenge(const state *s, size_t i)
{
    const ty_mldsa_row *row = s->env.row;
    const ty_q_poly *p = (const ty_q_poly *)&s->w->made;
    if (s->from.ready) p = (const ty_q_poly *)s->from.ready->polys + (size_t)row->k * row->l + i;
    else ty_mldsa_secret(s->w->made, i, s->from.key, &s->env);
    s->env.q->dot(s->w->t, (const ty_q_poly *)&s->w->c, p, 1);
    s->env.q->intt(s->w->t);
}

/* y, w = A y in two parts, the challenge */
static void commit(state *s)
{
    const ty_mldsa_row *row = s->env.row;
    const ty_q_ops *q = s->env.q;
    work *w = s->w;
    const size_t w1_len = 32u * row->w1_bits;
    for (; s->have < row->l; s->have += 4, s->kappa += 4) ty_mldsa_expand_mask(w->y + s->have, s->rho, s->kappa, &s->env);
    for (size_t j = 0; j < row->l; j++) {
        memcpy(w->v[j], w->y[j], sizeof w->v[j]);
        q->ntt(w->v[j]);
    }
    for (size_t i = 0; i < row->k; i++) {
        q->dot(w->t, matrix_row(s, i), (const ty_q_poly *)w->v, row->l);
        q->intt(w->t);
        q->canon(w->t);
        q->decompose(w->w1[i], w->w0[i], w->t, row->gamma2);
        s->env.bytes->pack(s->w1_bytes + w1_len * i, w->w1[i], row->w1_bits, 0);
    }
    ty_mldsa_h(s->c_hash, row->c_len, (ty_mldsa_bytes){ s->mu, 64 }, (ty_mldsa_bytes){ s->w1_bytes, w1_len * row->k },
               (ty_mldsa_bytes){ NULL, 0 });
    TY_PUBLIC(s->c_hash, row->c_len);   /* a hash, see above */
    ty_mldsa_ball_vt(w->c, s->c_hash, row);
    q->ntt(w->c);
}

static int rejected(uint32_t far)
{
    TY_PUBLIC(&far, sizeof far);   /* see above */
    return far != 0;
}

/* z in place of y, the hint; 0 where the attempt is rejected */
static int answer(state *s)
{
    const ty_mldsa_row *row = s->env.row;
    const ty_q_ops *q = s->env.q;
    work *w = s->w;
    uint32_t hints = 0;
    for (size_t i = 0; i < row->k; i++) {   /* r0 = w0 - c s2 */
        times_challenge(s, row->l + i);
        if (rejected(q->sub(w->w0[i], w->w0[i], w->t, row->gamma2 - row->beta))) return 0;
    }
    for (size_t j = 0; j < row->l; j++) {
        times_challenge(s, j);
        if (rejected(q->add(w->y[j], w->y[j], w->t, row->gamma1 - row->beta))) return 0;
    }
    for (size_t i = 0; i < row->k; i++) {
        times_challenge(s, (size_t)row->l + row->k + i);
        if (rejected(q->add(w->t, w->t, ty_q_zero, row->gamma2))) return 0;
        (void)q->add(w->w0[i], w->w0[i], w->t, TY_Q / 4);
        hints += q->make_hint(s->h[i], w->w1[i], w->w0[i], row->gamma2);
    }
    return !rejected(hints > row->omega);
}

static void write_signature(uint8_t *sig, state *s)
{
    const ty_mldsa_row *row = s->env.row;
    const size_t z_len = 32u * row->z_bits;
    memcpy(sig, s->c_hash, row->c_len);
    for (size_t j = 0; j < row->l; j++) s->env.bytes->pack(sig + row->c_len + z_len * j, s->w->y[j], row->z_bits, row->gamma1);
    TY_PUBLIC(s->h, sizeof s->h);   /* the attempt was accepted: z and the hint are the signature */
    ty_mldsa_hint_pack(sig + row->c_len + z_len * row->l, s->h, row);
    TY_PUBLIC(sig, row->sig_len);
}

ty_err ty_mldsa_sign_internal(uint8_t *sig, const uint8_t mu[TY_AT_LEAST(64)], const uint8_t rnd[TY_AT_LEAST(32)],
                              ty_mldsa_source source)
{
    work w;
    state s;
    const ty_mldsa_row *row = ty_mldsa_find(source.ready ? source.ready->pub.set : source.key->pub.set);
    const uint8_t *k = source.ready ? source.ready->k : source.key->bytes + 32;
    ty_err err = TY_ERR_STATE;
    s.env = ty_mldsa_env_of(row);
    s.from = source;
    s.w = &w;
    s.mu = mu;
    s.have = s.kappa = 0;
    ty_mldsa_h(s.rho, sizeof s.rho, (ty_mldsa_bytes){ k, 32 }, (ty_mldsa_bytes){ rnd, 32 }, (ty_mldsa_bytes){ mu, 64 });
    for (int i = 0; i < ATTEMPTS && err != TY_OK; i++) {
        commit(&s);
        if (answer(&s)) {
            write_signature(sig, &s);
            err = TY_OK;
        }
        s.have -= row->l;
        memmove(w.y, w.y + row->l, s.have * sizeof w.y[0]);
    }
    if (err != TY_OK) memset(sig, 0, row->sig_len);
    ty_wipe(&w, source.ready ? offsetof(work, made) : sizeof w);
    ty_wipe(&s, sizeof s);
    return err;
}
