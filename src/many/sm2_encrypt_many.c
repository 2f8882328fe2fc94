/* Many SM2 encryptions and decryptions at once: points in lanes where the curve's tier has them,
 * one inversion for all, and the hashes of short texts side by side. The steps, and what is secret,
 * are those of sm2/sm2_encrypt.c; which jobs have failed is public. */
#include "many/sm2_points.h"
#include "sm3/sm3.h"

enum {
    MANY = TY_EC_SM2_MANY,
    SHORT = 64,                  /* the longest text that is hashed side by side, in bytes */
    TEXT = 32 + SHORT + 32,
};

/* A text that is being processed: `in` and `out` are the message and C2, or the reverse */
typedef struct text {
    uint8_t *out, *c3;
    const uint8_t *in, *msg;
    size_t len;
    uint32_t any;                /* 0 if t = KDF(x2 || y2, len) is all zeros, else not 0 */
} text;

typedef struct points {
    uint8_t k[MANY][32], kg[MANY][64], xy[MANY][64];
    text t[MANY];
    size_t which[MANY], live;
    /* the inputs and outputs of the hash */
    uint8_t hashed[MANY][TEXT], digest[MANY][32];
} points;

/* --- Hashes ----------------------------------------------------------------------------------- */

/* out = in xor mask, from byte `from` on */
static void mask_by(text *t, size_t from, const uint8_t *mask, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        t->any |= mask[i];
        t->out[from + i] = t->in[from + i] ^ mask[i];
    }
}

/* Masks all texts with t: long ones one by one, short ones in blocks of 32 bytes, side by side */
static void mask_all(points *p)
{
    ty_sm3_job jobs[MANY];
    size_t of[MANY];
    for (size_t i = 0; i < p->live; i++)
        if (p->t[i].len > SHORT)
            p->t[i].any = ~ty_sm2_mask_message(p->t[i].out, p->t[i].in, p->t[i].len, p->xy[i]);
    for (uint8_t block = 0; block < SHORT / 32; block++) {
        size_t n = 0;
        for (size_t i = 0; i < p->live; i++) {
            if (p->t[i].len > SHORT || p->t[i].len <= 32u * block) continue;
            const uint8_t counter[4] = { 0, 0, 0, (uint8_t)(block + 1) };
            memcpy(p->hashed[n], p->xy[i], 64);
            memcpy(p->hashed[n] + 64, counter, 4);
            jobs[n] = (ty_sm3_job){ p->digest[n], p->hashed[n], 68 };
            of[n++] = i;
        }
        ty_sm3_many_hash(jobs, n);
        for (size_t j = 0; j < n; j++) {
            text *t = &p->t[of[j]];
            const size_t from = 32u * block, left = t->len - from;
            mask_by(t, from, p->digest[j], left < 32 ? left : 32);
        }
    }
}

/* c3 = SM3(x2 || msg || y2) */
static void checksum_all(points *p)
{
    ty_sm3_job jobs[MANY];
    size_t n = 0;
    for (size_t i = 0; i < p->live; i++) {
        const text *t = &p->t[i];
        if (t->len > SHORT) {
            ty_sm2_checksum(t->c3, t->msg, t->len, p->xy[i]);
            continue;
        }
        memcpy(p->hashed[n], p->xy[i], 32);
        memcpy(p->hashed[n] + 32, t->msg, t->len);
        memcpy(p->hashed[n] + 32 + t->len, p->xy[i] + 32, 32);
        jobs[n] = (ty_sm3_job){ t->c3, p->hashed[n], 64 + t->len };
        n++;
    }
    ty_sm3_many_hash(jobs, n);
}

static void points_wipe(points *p)
{
    ty_wipe(p, sizeof *p);
    ty_wipe_below_8k();
}

static ty_err first_of(ty_err first, ty_err err) { return first == TY_OK ? err : first; }

/* --- Encryption ------------------------------------------------------------------------------- */

/* Adds the job to the group, or returns its error. */
static ty_err join_encryption(points *p, const ty_sm2_encrypt_job *job, const ty_sm2_reach *reach,
                              size_t n, size_t i, const ty_rng *rng)
{
    ty_err err = ty_sm2_encrypt_begin(job->msg_len, job->order);
    if (err != TY_OK) return err;
    if (ty_sm2_overlaps(reach, n, i)) return TY_ERR_ARG;
    err = ty_sm2_pub_ok(job->pub) ? ty_sm2_scalar(p->k[p->live], 0, rng) : TY_ERR_KEY;
    if (err != TY_OK) {
        memset(job->out, 0, job->msg_len + TY_SM2_OVERHEAD);
        return err;
    }
    uint8_t *xy = p->xy[p->live];
    memcpy(xy, job->pub->x, 32);
    memcpy(xy + 32, job->pub->y, 32);
    p->which[p->live++] = i;
    return TY_OK;
}

/* Writes C1 and sets up the texts for C2 and C3. A job whose points are wrong leaves the group. */
static void lay_out_ciphertexts(points *p, ty_sm2_encrypt_job *jobs)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    size_t live = 0;
    for (size_t i = 0; i < p->live; i++) {
        ty_sm2_encrypt_job *job = &jobs[p->which[i]];
        uint32_t good = ec->on_curve(p->kg[i]) & ty_sm2_finite(p->xy[i]);
        TY_PUBLIC(&good, sizeof good);   /* true unless the machine has failed */
        if (!good) {
            job->err = TY_ERR_FAULT;
            memset(job->out, 0, job->msg_len + TY_SM2_OVERHEAD);
            continue;
        }
        job->out[0] = 4;
        memcpy(job->out + 1, p->kg[i], 64);
        if (live < i) memcpy(p->xy[live], p->xy[i], 64);
        p->t[live] = (text){ .out = job->out + ty_sm2_c2_at(job->order), .in = job->msg,
                             .c3 = job->out + ty_sm2_c3_at(job->order, job->msg_len),
                             .msg = job->msg, .len = job->msg_len };
        p->which[live++] = p->which[i];
    }
    p->live = live;
}

static void encrypt_group(points *p, ty_sm2_encrypt_job *jobs, size_t n, const ty_rng *rng)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    ty_sm2_reach reach[MANY];
    p->live = 0;
    for (size_t i = 0; i < n; i++) {
        const ty_sm2_encrypt_job *job = &jobs[i];
        const size_t room = ty_sm2_encrypt_begin(job->msg_len, job->order) == TY_OK
                                ? job->msg_len + TY_SM2_OVERHEAD
                                : 0;
        reach[i] = (ty_sm2_reach){ job->out, { job->msg, job->pub }, room,
                                   { room ? job->msg_len : 0, sizeof *job->pub } };
    }
    for (size_t i = 0; i < n; i++)
        jobs[i].err = join_encryption(p, &jobs[i], reach, n, i, rng);
    ec->mul_base_many(p->kg, (const uint8_t (*)[32])p->k, p->live);
    ec->mul_many(p->xy, (const uint8_t (*)[32])p->k, (const uint8_t (*)[64])p->xy, p->live);
    lay_out_ciphertexts(p, jobs);
    mask_all(p);
    checksum_all(p);
    for (size_t i = 0; i < p->live; i++) {
        ty_sm2_encrypt_job *job = &jobs[p->which[i]];
        uint32_t again = ty_mask_zero32(p->t[i].any);
        TY_PUBLIC(&again, sizeof again);   /* about a k that is discarded */
        if (again)
            job->err = ty_sm2_encrypt(job->out, job->msg, job->msg_len, job->order, job->pub, rng);
        else TY_PUBLIC(job->out, job->msg_len + TY_SM2_OVERHEAD);   /* the ciphertext */
    }
}

ty_err ty_sm2_many_encrypt(ty_sm2_encrypt_job *jobs, size_t n, const ty_rng *rng)
{
    points p;
    ty_err first = TY_OK;
    for (size_t at = 0; at < n; at += MANY)
        encrypt_group(&p, jobs + at, n - at < MANY ? n - at : MANY, rng);
    for (size_t i = 0; i < n; i++) first = first_of(first, jobs[i].err);
    points_wipe(&p);
    return first;
}

/* --- Decryption ------------------------------------------------------------------------------- */

static ty_err join_decryption(points *p, const ty_sm2_decrypt_job *job, const ty_sm2_reach *reach,
                              size_t n, size_t i)
{
    const ty_err err = ty_sm2_decrypt_begin(job->in_len, job->order);
    if (err != TY_OK) return err;
    if (ty_sm2_overlaps(reach, n, i)) return TY_ERR_ARG;
    const size_t len = job->in_len - TY_SM2_OVERHEAD;
    /* C1 is public, and d multiplies only points of the curve */
    if (job->in[0] != 4 || !ty_ec_sm2_best()->on_curve(job->in + 1)) {
        memset(job->out, 0, len);
        return TY_ERR_FORMAT;
    }
    memcpy(p->k[p->live], job->key->d, 32);
    memcpy(p->xy[p->live], job->in + 1, 64);
    p->t[p->live] = (text){ .out = job->out, .c3 = p->kg[p->live], .msg = job->out,
                            .in = job->in + ty_sm2_c2_at(job->order), .len = len };
    p->which[p->live++] = i;
    return TY_OK;
}

static void decrypt_group(points *p, ty_sm2_decrypt_job *jobs, size_t n)
{
    ty_sm2_reach reach[MANY];
    p->live = 0;
    for (size_t i = 0; i < n; i++) {
        const ty_sm2_decrypt_job *job = &jobs[i];
        const int fits = ty_sm2_decrypt_begin(job->in_len, job->order) == TY_OK;
        reach[i] = (ty_sm2_reach){ job->out, { job->in, job->key },
                                   fits ? job->in_len - TY_SM2_OVERHEAD : 0,
                                   { fits ? job->in_len : 0, sizeof *job->key } };
    }
    for (size_t i = 0; i < n; i++) jobs[i].err = join_decryption(p, &jobs[i], reach, n, i);
    ty_ec_sm2_best()->mul_many(p->xy, (const uint8_t (*)[32])p->k, (const uint8_t (*)[64])p->xy,
                               p->live);
    mask_all(p);
    checksum_all(p);
    for (size_t i = 0; i < p->live; i++) {
        ty_sm2_decrypt_job *job = &jobs[p->which[i]];
        const text *t = &p->t[i];
        const uint8_t *c3 = job->in + ty_sm2_c3_at(job->order, t->len);
        uint32_t bad = ~ty_sm2_finite(p->xy[i]) | ty_mask_zero32(t->any);
        bad |= ~ty_mask_bit32((uint32_t)ty_equal(t->c3, c3, 32));
        /* the verdict is this call's result; the reason is not revealed */
        TY_PUBLIC(&bad, sizeof bad);
        if (!bad) continue;
        ty_wipe(job->out, t->len);
        job->err = TY_ERR_VERIFY;
    }
}

ty_err ty_sm2_many_decrypt(ty_sm2_decrypt_job *jobs, size_t n)
{
    points p;
    ty_err first = TY_OK;
    for (size_t at = 0; at < n; at += MANY)
        decrypt_group(&p, jobs + at, n - at < MANY ? n - at : MANY);
    for (size_t i = 0; i < n; i++) first = first_of(first, jobs[i].err);
    points_wipe(&p);
    return first;
}
