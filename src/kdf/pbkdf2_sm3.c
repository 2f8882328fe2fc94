/* PBKDF2-HMAC-SM3. Its blocks of output, of one password or of many, are independent of each other,
 * and are computed in lanes. */
#include "sm3/sm3.h"
#include "tongyu/sm3.h"

/* PBKDF2 of one password, which this declaration makes static. Its chain() and put_words() are used
 * here, too. */
static ty_err one_by_one(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len,
                         const uint8_t *salt, size_t salt_len, uint32_t iterations);
#define PBKDF2        one_by_one
#define HMAC          ty_hmac_sm3
#define HMAC_FN(verb) ty_hmac_sm3_##verb
#define BLOCKS        ty_sm3_best()->blocks
#include "kdf/pbkdf2.h"

/* A call for all lanes takes at least as long as this many blocks one by one. */
enum { FEW = 2 };

/* Blocks of output that wait for their iterations, in the first lanes */
typedef struct group {
    ty_sm3_chain c;
    uint8_t t[TY_SM3_LEN];
    uint8_t *out[TY_SM3_LANES];
    size_t len[TY_SM3_LANES];
    size_t n;
} group;

static void column(uint32_t x[8], uint32_t rows[8][TY_SM3_LANES], size_t lane)
{
    for (int k = 0; k < 8; k++) x[k] = rows[k][lane];
}

/* g->t = the block of output of one lane, from its U_1, by chain() */
static void alone(group *g, size_t lane, uint32_t iterations)
{
    ty_hmac_sm3 key;
    uint32_t u[8];
    column(u, g->c.u, lane);
    column(key.inner.h, g->c.inner, lane);
    column(key.outer.h, g->c.outer, lane);
    put_words(g->t, u);
    chain(g->t, &key, iterations);
    ty_wipe(&key, sizeof key);
    ty_wipe(u, sizeof u);
}

static void pbkdf2_finish(group *g, const ty_sm3_ops *ops, uint32_t iterations)
{
    uint32_t sum[8];
    if (g->n > FEW) ops->chain(&g->c, iterations - 1);
    for (size_t i = 0; i < g->n; i++) {
        if (g->n > FEW) {
            column(sum, g->c.sum, i);
            put_words(g->t, sum);
        } else {
            alone(g, i, iterations);
        }
        memcpy(g->out[i], g->t, g->len[i]);
    }
    g->n = 0;
    ty_wipe(sum, sizeof sum);
}

/* computes U_1 of block i under key, in the next lane */
static void take(group *g, uint8_t *out, size_t len, ty_hmac_sm3 *key, const ty_pbkdf2_sm3_job *job,
                 uint32_t i)
{
    uint8_t counter[4];
    const size_t lane = g->n++;
    ty_put32be(counter, i);
    ty_hmac_sm3_update(key, job->salt, job->salt_len);
    ty_hmac_sm3_update(key, counter, sizeof counter);
    ty_hmac_sm3_final(g->t, key);
    for (int k = 0; k < 8; k++) {
        g->c.u[k][lane] = g->c.sum[k][lane] = ty_get32be(g->t + 4 * k);
        g->c.inner[k][lane] = key->inner.h[k];
        g->c.outer[k][lane] = key->outer.h[k];
    }
    g->out[lane] = out;
    g->len[lane] = len;
}

static void derive_in_lanes(const ty_pbkdf2_sm3_job *jobs, size_t n, uint32_t iterations,
                            const ty_sm3_ops *ops)
{
    group g;
    ty_hmac_sm3 key;
    memset(&g.c, 0, sizeof g.c);   /* lanes without a block are processed, too */
    g.n = 0;
    for (size_t j = 0; j < n; j++) {
        const ty_pbkdf2_sm3_job *job = &jobs[j];
        ty_hmac_sm3_init(&key, job->password, job->password_len);
        uint32_t i = 1;
        for (size_t at = 0; at < job->out_len; at += HASH_LEN) {
            const size_t rest = job->out_len - at;
            take(&g, job->out + at, rest < HASH_LEN ? rest : HASH_LEN, &key, job, i++);
            if (g.n == ops->lanes) pbkdf2_finish(&g, ops, iterations);
        }
    }
    pbkdf2_finish(&g, ops, iterations);
    ty_wipe(&key, sizeof key);
    ty_wipe(&g, sizeof g);
    ty_wipe_below_8k();
}

static int fits(size_t out_len)   /* the block counter has 32 bits */
{
    return (uint64_t)(out_len / HASH_LEN) + (out_len % HASH_LEN != 0) <= 0xffffffffu;
}

ty_err ty_sm3_many_pbkdf2(const ty_pbkdf2_sm3_job *jobs, size_t n, uint32_t iterations)
{
    const ty_sm3_ops *ops = ty_sm3_best();
    ty_err err = iterations ? TY_OK : TY_ERR_ARG;
    for (size_t j = 0; j < n && err == TY_OK; j++)
        if (!fits(jobs[j].out_len)) err = TY_ERR_SIZE;
    if (err != TY_OK) return err;
    if (ops->lanes) {
        derive_in_lanes(jobs, n, iterations, ops);
        return TY_OK;
    }
    for (size_t j = 0; j < n && err == TY_OK; j++)
        err = one_by_one(jobs[j].out, jobs[j].out_len, jobs[j].password, jobs[j].password_len,
                         jobs[j].salt, jobs[j].salt_len, iterations);
    return err;
}

ty_err ty_pbkdf2_sm3(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len,
                     const uint8_t *salt, size_t salt_len, uint32_t iterations)
{
    const ty_pbkdf2_sm3_job job = { out, out_len, password, password_len, salt, salt_len };
    if (out_len <= FEW * HASH_LEN)
        return one_by_one(out, out_len, password, password_len, salt, salt_len, iterations);
    return ty_sm3_many_pbkdf2(&job, 1, iterations);
}
