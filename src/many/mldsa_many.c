/* Many ML-DSA keys, signatures and verifications: jobs of one set share the lanes of the sponge, in
 * the same functions that process a single job. Which jobs share a key, and which have failed, is
 * public. */
#include "tongyu/mldsa_many.h"
#include "base/ct.h"
#include "many/multi_buffer.h"
#include "mldsa/mldsa.h"

#include <string.h>

/* NEAR jobs at a time are sorted by their keys and sets. */
enum { NEAR = 64, LANES = TY_MLDSA_LANES };

static const ty_mldsa_set sets[] = { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 };
enum { SETS = sizeof sets / sizeof sets[0] };

/* --- Keys ------------------------------------------------------------------------------------- */

typedef struct keygen_group {
    ty_mldsa_key *key[LANES];
    uint8_t seed[LANES][32];
    size_t n;
} keygen_group;

/* Generates the keys of the group, which are all of this set. */
static void generate(keygen_group *g, const ty_mldsa_row *row)
{
    if (g->n == 0) return;
    const ty_mldsa_env env = ty_mldsa_env_of(row);
    ty_mldsa_keys_expand(g->key, (const uint8_t (*)[32])g->seed, g->n, &env);
    g->n = 0;
}

/* seed = the job's, or one drawn from rng; on an error the job's key is zeroed */
static ty_err seed_of(uint8_t seed[32], ty_mldsa_keygen_job *job, const ty_rng *rng)
{
    ty_err err = TY_OK;
    if (!ty_mldsa_find(job->set) || (!job->seed && !rng)) err = TY_ERR_ARG;
    else if (job->seed) memcpy(seed, job->seed, 32);
    else if (rng->fill(rng->ctx, seed, 32) != TY_OK) err = TY_ERR_RNG;
    if (err != TY_OK) memset(job->key, 0, sizeof *job->key);
    return err;
}

/* A group for each set; the keys of a full group are generated. */
ty_err ty_mldsa_many_keygen(ty_mldsa_keygen_job *jobs, size_t n, const ty_rng *rng)
{
    const size_t lanes = ty_mldsa_lanes();
    keygen_group g[SETS];
    for (size_t s = 0; s < SETS; s++) g[s].n = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t seed[32];
        jobs[i].err = seed_of(seed, &jobs[i], rng);
        for (size_t s = 0; s < SETS && jobs[i].err == TY_OK; s++) {
            if (jobs[i].set != sets[s]) continue;
            memcpy(g[s].seed[g[s].n], seed, 32);
            g[s].key[g[s].n++] = jobs[i].key;
            if (g[s].n == lanes) generate(&g[s], ty_mldsa_find(sets[s]));
        }
        ty_wipe(seed, sizeof seed);
    }
    for (size_t s = 0; s < SETS; s++) generate(&g[s], ty_mldsa_find(sets[s]));
    ty_wipe(g, sizeof g);
    return TY_MANY_VERDICT(jobs, n, ty_mldsa_keygen_job);
}

/* --- Messages --------------------------------------------------------------------------------- */

/* The messages of n <= LANES jobs whose mu is to be hashed, side by side */
typedef struct hashing {
    ty_mldsa_text text[LANES];
    uint8_t *mu[LANES];
    size_t n;
} hashing;

/* mu = `given` if it is not NULL; else the message is added to those to be hashed */
static void message(hashing *h, uint8_t mu[64], const uint8_t *given, const uint8_t *msg,
                    size_t msg_len, const uint8_t *ctx, size_t ctx_len, const ty_mldsa_pub *pub)
{
    if (given) {
        memcpy(mu, given, 64);
        return;
    }
    h->text[h->n] = (ty_mldsa_text){ msg, ctx, msg_len, ctx_len, pub };
    h->mu[h->n++] = mu;
}

/* Writes mu of all messages that were added. */
static void hash(hashing *h)
{
    ty_mldsa_mu_lanes(h->mu, h->text, h->n);
    h->n = 0;
}

static int same_pub(const ty_mldsa_pub *a, const ty_mldsa_pub *b)
{
    return a == b || (a->set == b->set && memcmp(a->tr, b->tr, sizeof a->tr) == 0 &&
                      memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0);
}

/* --- Signing ---------------------------------------------------------------------------------- */

typedef struct signing {
    ty_mldsa_signing work[NEAR];
    uint8_t rnd[NEAR][32];
    ty_mldsa_sign_lane lane[LANES];   /* wiped by the functions that use them */
    ty_mldsa_signer made;
    int any_made;
} signing;

static const ty_mldsa_pub *pub_of(const ty_mldsa_sign_job *job)
{
    return job->signer ? &job->signer->pub : &job->key->pub;
}

/* Checks for errors before anything is computed; after an error sig is as the functions for one job
 * leave it */
static ty_err check(ty_mldsa_sign_job *job, uint8_t rnd[32], const ty_rng *rng)
{
    const ty_mldsa_row *row = ty_mldsa_find(pub_of(job)->set);
    ty_err err = TY_OK;
    if (!job->mu && job->ctx_len > TY_MLDSA_CTX_MAX) err = TY_ERR_SIZE;
    else if (row && job->sig_len != row->sig_len) return TY_ERR_SIZE;
    else if (!row) err = TY_ERR_ARG;
    else if (rng && rng->fill(rng->ctx, rnd, 32) != TY_OK) err = TY_ERR_RNG;
    if (err != TY_OK) memset(job->sig, 0, job->sig_len);
    return err;
}

/* Signs jobs which[0..n), all of this set; s->made is the key of those without a signer. */
static void sign_group(signing *s, ty_mldsa_sign_job *jobs, const uint8_t *which, size_t n,
                       const ty_mldsa_row *row)
{
    const ty_mldsa_env env = ty_mldsa_env_of(row);
    const size_t lanes = ty_mldsa_lanes();
    hashing h = { .n = 0 };
    uint8_t rnd[LANES][32];
    for (size_t at = 0; at < n; at += lanes) {
        const size_t some = n - at < lanes ? n - at : lanes;
        for (size_t i = 0; i < some; i++) {
            const ty_mldsa_sign_job *job = &jobs[which[at + i]];
            ty_mldsa_signing *work = &s->work[at + i];
            work->sig = job->sig;
            work->from = job->signer ? job->signer : &s->made;
            memcpy(rnd[i], s->rnd[which[at + i]], 32);
            message(&h, work->mu, job->mu, job->msg, job->msg_len, job->ctx, job->ctx_len,
                    pub_of(job));
        }
        hash(&h);
        ty_mldsa_sign_seed(&s->work[at], rnd, some);
    }
    for (size_t i = 0; i < n; i++) memset(s->work[i].sig, 0, row->sig_len);
    ty_mldsa_sign_lanes(s->work, n, s->lane, lanes, &env);
    for (size_t i = 0; i < n; i++) jobs[which[i]].err = s->work[i].err;
    ty_wipe(rnd, sizeof rnd);
}

static int same_key(const ty_mldsa_key *a, const ty_mldsa_key *b)
{
    if (a == b) return 1;
    int same = ty_equal(a->bytes, b->bytes, sizeof a->bytes);
    TY_PUBLIC(&same, sizeof same);   /* which keys are the same is public */
    return same && a->pub.set == b->pub.set;
}

/* First the jobs with signers, set by set; then the others, key by key. */
static void sign_near(signing *s, ty_mldsa_sign_job *jobs, size_t n, const ty_rng *rng)
{
    uint8_t which[NEAR], waits[NEAR];
    for (size_t i = 0; i < n; i++) {
        memset(s->rnd[i], 0, 32);
        jobs[i].err = check(&jobs[i], s->rnd[i], rng);
        waits[i] = jobs[i].err == TY_OK;
    }
    for (size_t set = 0; set < SETS; set++) {
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            if (waits[i] && jobs[i].signer && jobs[i].signer->pub.set == sets[set]) {
                which[count++] = (uint8_t)i;
                waits[i] = 0;
            }
        if (count) sign_group(s, jobs, which, count, ty_mldsa_find(sets[set]));
    }
    for (size_t i = 0; i < n; i++) {
        size_t count = 0;
        if (!waits[i]) continue;
        const ty_mldsa_key *key = jobs[i].key;
        for (size_t j = i; j < n; j++)
            if (waits[j] && same_key(jobs[j].key, key)) {
                which[count++] = (uint8_t)j;
                waits[j] = 0;
            }
        s->any_made = 1;
        if (ty_mldsa_signer_init(&s->made, key) == TY_OK)   /* always: its set was checked */
            sign_group(s, jobs, which, count, ty_mldsa_find(key->pub.set));
    }
}

ty_err ty_mldsa_many_sign(ty_mldsa_sign_job *jobs, size_t n, const ty_rng *rng)
{
    signing s;
    s.any_made = 0;
    for (size_t at = 0; at < n; at += NEAR)
        sign_near(&s, jobs + at, n - at < NEAR ? n - at : NEAR, rng);
    ty_wipe(s.work, sizeof s.work);
    ty_wipe(s.rnd, sizeof s.rnd);
    if (s.any_made) ty_wipe(&s.made, sizeof s.made);
    return TY_MANY_VERDICT(jobs, n, ty_mldsa_sign_job);
}

/* --- Verification ----------------------------------------------------------------------------- */

typedef struct verifying {
    ty_mldsa_verifying work[LANES];
    ty_mldsa_verifier made;
} verifying;

static const ty_mldsa_pub *public_of(const ty_mldsa_verify_job *job)
{
    return job->verifier ? &job->verifier->pub : job->pub;
}

/* Verifies jobs which[0..n), all of this set; `ready`, or NULL, is the key of those without a
 * verifier */
static void verify_group(verifying *v, ty_mldsa_verify_job *jobs, const uint8_t *which, size_t n,
                         const ty_mldsa_row *row, const ty_mldsa_verifier *ready)
{
    const ty_mldsa_env env = ty_mldsa_env_of(row);
    const size_t lanes = ty_mldsa_lanes();
    hashing h = { .n = 0 };
    for (size_t at = 0; at < n; at += lanes) {
        const size_t some = n - at < lanes ? n - at : lanes;
        for (size_t i = 0; i < some; i++) {
            const ty_mldsa_verify_job *job = &jobs[which[at + i]];
            ty_mldsa_verifying *work = &v->work[i];
            work->sig = job->sig;
            work->sig_len = job->sig_len;
            work->pub = public_of(job);
            work->ready = job->verifier ? job->verifier : ready;
            message(&h, work->mu_w1, job->mu, job->msg, job->msg_len, job->ctx, job->ctx_len,
                    work->pub);
        }
        hash(&h);
        ty_mldsa_verify_lanes(v->work, some, &env);
        for (size_t i = 0; i < some; i++) jobs[which[at + i]].err = v->work[i].err;
    }
}

/* First the keys that several jobs have, which are precomputed; then the rest, set by set. */
static void verify_near(verifying *v, ty_mldsa_verify_job *jobs, size_t n)
{
    uint8_t which[NEAR], waits[NEAR];
    for (size_t i = 0; i < n; i++) {
        const ty_mldsa_row *row = ty_mldsa_find(public_of(&jobs[i])->set);
        jobs[i].err = !jobs[i].mu && jobs[i].ctx_len > TY_MLDSA_CTX_MAX ? TY_ERR_SIZE
                      : !row                                            ? TY_ERR_ARG
                                                                        : TY_OK;
        waits[i] = jobs[i].err == TY_OK;
    }
    for (size_t i = 0; i < n; i++) {
        size_t count = 0;
        if (!waits[i] || jobs[i].verifier) continue;
        for (size_t j = i; j < n; j++)
            if (waits[j] && !jobs[j].verifier && same_pub(jobs[j].pub, jobs[i].pub))
                which[count++] = (uint8_t)j;
        if (count < 2 || ty_mldsa_verifier_init(&v->made, jobs[i].pub) != TY_OK) continue;
        verify_group(v, jobs, which, count, ty_mldsa_find(jobs[i].pub->set), &v->made);
        for (size_t j = 0; j < count; j++) waits[which[j]] = 0;
    }
    for (size_t set = 0; set < SETS; set++) {
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            if (waits[i] && public_of(&jobs[i])->set == sets[set]) which[count++] = (uint8_t)i;
        verify_group(v, jobs, which, count, ty_mldsa_find(sets[set]), NULL);
    }
}

ty_err ty_mldsa_many_verify(ty_mldsa_verify_job *jobs, size_t n)
{
    verifying v;
    for (size_t at = 0; at < n; at += NEAR)
        verify_near(&v, jobs + at, n - at < NEAR ? n - at : NEAR);
    return TY_MANY_VERDICT(jobs, n, ty_mldsa_verify_job);
}
