/* Many short GCM messages at once [SP 800-38D]: their counter blocks go through the cipher in
 * lanes, each record is hashed by itself. Messages that fill the kernels by themselves go the usual
 * way. */
#include "aead/sm4_gcm.h"
#include "base/tag.h"
#include "many/multi_buffer.h"
#include "tongyu/sm4_many.h"

static inline ty_sm4_gcm_job *job_at(const ty_many *m, size_t j)
{
    return (ty_sm4_gcm_job *)m->jobs + j;
}

static const ty_sm4_key *waits(const ty_many *m, size_t j)
{
    const ty_sm4_gcm_job *job = job_at(m, j);
    return job->err == TY_JOB_WAITS ? &job->key->sm4 : NULL;
}

/* y = the hash of additional data, ciphertext and lengths, in one call if the additional data are
 * short */
static void many_gcm_hash(uint8_t y[16], const ty_sm4_gcm_job *job, const uint8_t *text)
{
    enum { SHORT = 64 };
    uint8_t x[SHORT + 16 * TY_MANY_FAIR + 16];
    size_t n = 0;
    memset(y, 0, 16);
    if (job->aad_len <= SHORT) n = ty_gcm_pad(x, job->aad, job->aad_len);
    else ty_gcm_absorb_padded(y, job->aad, job->aad_len, job->key);
    n += ty_gcm_pad(x + n, text, job->len);
    ty_gcm_lengths(x + n, job->aad_len, job->len);
    ty_gcm_absorb(y, x, n / 16 + 1, job->key);
}

/* The block that masks the tag, then the message. To open, the tag is checked as soon as it can be,
 * before the first byte is deciphered. */
static inline int many_gcm_segment(ty_many *m, size_t lane, int opens)
{
    ty_many_slot *slot = ty_many_at(m, lane);
    ty_sm4_gcm_job *job = job_at(m, slot->job);
    const size_t rest = job->len % 16, whole = job->len - rest;
    for (;;)
        switch (slot->stage++) {
        case 0:
            ty_gcm_j0(slot->more, job->nonce, job->nonce_len, job->key);
            ty_many_counter(m, lane, slot->more);
            if (opens) many_gcm_hash(slot->more, job, job->in);
            return ty_many_part(m, lane, NULL, 0);
        case 1:
            if (opens) {
                ty_sm4_xor(slot->more, slot->more, slot->part);
                job->err = ty_tag_verdict(slot->more, job->tag, job->tag_len);
                if (job->err != TY_OK) {
                    ty_wipe(job->out, job->len);
                    return 0;
                }
            } else {
                memcpy(slot->more, slot->part, 16);
            }
            if (whole) return ty_many_blocks(m, lane, job->out, job->in, whole / 16);
            break;
        case 2:
            if (rest) return ty_many_part(m, lane, job->in + whole, rest);
            break;
        default:
            if (rest) memcpy(job->out + whole, slot->part, rest);
            job->err = TY_OK;
            if (opens) return 0;
            many_gcm_hash(slot->part, job, job->out);
            ty_sm4_xor(slot->more, slot->more, slot->part);
            memcpy(job->tag, slot->more, job->tag_len);
            return 0;
        }
}

static int seal(ty_many *m, size_t lane) { return many_gcm_segment(m, lane, 0); }
static int open(ty_many *m, size_t lane) { return many_gcm_segment(m, lane, 1); }

static ty_err limits(const ty_sm4_gcm_job *job, int seals)
{
    if (ty_crosses(job->out, job->in, job->len)) return TY_ERR_ARG;
    if (seals && ty_touches(job->tag, job->tag_len, job->out, job->len)) return TY_ERR_ARG;
    return ty_gcm_limits(job->tag_len, job->len, job->aad_len, job->nonce_len);
}

/* How many messages could share the lanes; those that are longer than that go alone. */
static size_t short_ones(const ty_sm4_gcm_job *jobs, size_t n)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++) count += jobs[j].len / 16 + 1 < TY_MANY_FAIR;
    return count;
}

static inline int alone(const ty_sm4_gcm_job *job, size_t fair)
{
    return job->len / 16 + 1 >= fair;
}

ty_err ty_sm4_many_gcm_seal(ty_sm4_gcm_job *jobs, size_t n)
{
    static const ty_many_kind kind = { TY_MANY_CTR, waits, seal };
    ty_many m;
    const size_t fair = ty_many_fair(short_ones(jobs, n));
    for (ty_sm4_gcm_job *j = jobs, *end = n ? jobs + n : jobs; j < end; j++)
        if ((j->err = limits(j, 1)) == TY_OK)
            j->err = alone(j, fair)
                         ? ty_sm4_gcm_seal(j->out, j->tag, j->tag_len, j->in, j->len, j->aad,
                                           j->aad_len, j->nonce, j->nonce_len, j->key)
                         : TY_JOB_WAITS;
    ty_many_run(&m, jobs, n, &kind);
    return TY_MANY_VERDICT(jobs, n, ty_sm4_gcm_job);
}

ty_err ty_sm4_many_gcm_open(ty_sm4_gcm_job *jobs, size_t n)
{
    static const ty_many_kind kind = { TY_MANY_CTR, waits, open };
    ty_many m;
    const size_t fair = ty_many_fair(short_ones(jobs, n));
    for (ty_sm4_gcm_job *j = jobs, *end = n ? jobs + n : jobs; j < end; j++)
        if ((j->err = limits(j, 0)) == TY_OK)
            j->err = alone(j, fair)
                         ? ty_sm4_gcm_open(j->out, j->in, j->len, j->tag, j->tag_len, j->aad,
                                           j->aad_len, j->nonce, j->nonce_len, j->key)
                         : TY_JOB_WAITS;
    ty_many_run(&m, jobs, n, &kind);
    return TY_MANY_VERDICT(jobs, n, ty_sm4_gcm_job);
}
