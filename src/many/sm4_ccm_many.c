/* Many CCM messages at once [SP 800-38C]: one pass for all CBC-MACs, and one for all keystreams,
 * which have about the same number of blocks. To open, the keystream comes first, because the MAC
 * is over the plaintext. */
#include "aead/sm4_ccm.h"
#include "base/bytes.h"
#include "base/overlap.h"
#include "many/multi_buffer.h"
#include "tongyu/sm4_many.h"

static inline ty_sm4_ccm_job *job_at(const ty_many *m, size_t j)
{
    return (ty_sm4_ccm_job *)m->jobs + j;
}

static const ty_sm4_key *waits(const ty_many *m, size_t j)
{
    const ty_sm4_ccm_job *job = job_at(m, j);
    return job->err == TY_JOB_WAITS ? job->key : NULL;
}

static const ty_sm4_key *waits_longer(const ty_many *m, size_t j)
{
    const ty_sm4_ccm_job *job = job_at(m, j);
    return job->err == TY_JOB_LATER ? job->key : NULL;
}

/* --- The CBC-MAC ------------------------------------------------------------------------------ */

/* The first block; the additional data, after their length; the plaintext. Then the counter block
 * that masks the tag, which is not part of the CBC-MAC but is encrypted in the same lane. In the
 * end slot->more is the tag. */
static int many_ccm_chain(ty_many *m, size_t lane, const uint8_t *text)
{
    ty_many_slot *slot = ty_many_at(m, lane);
    const ty_sm4_ccm_job *job = job_at(m, slot->job);
    uint8_t *x = ty_many_x(m, lane), head[10];
    const size_t number = job->aad_len ? ty_ccm_aad_len(head, job->aad_len) : 0;
    const size_t begun = job->aad_len < 16 - number ? job->aad_len : 16 - number,
                 aad = job->aad_len - begun;
    for (;;)
        switch (slot->stage++) {
        case 0:
            memset(x, 0, 16);
            ty_ccm_first(slot->part, job->tag_len, job->len, job->aad_len != 0, job->nonce,
                         job->nonce_len);
            return ty_many_blocks(m, lane, slot->part, slot->part, 1);
        case 1:
            if (job->aad_len == 0) break;
            ty_many_part(m, lane, head, number);
            memcpy(slot->part + number, job->aad, begun);
            return 1;
        case 2:
            if (aad >= 16) return ty_many_blocks(m, lane, NULL, job->aad + begun, aad / 16);
            break;
        case 3:
            if (aad % 16)
                return ty_many_part(m, lane, job->aad + (job->aad_len - aad % 16), aad % 16);
            break;
        case 4:
            if (job->len >= 16) return ty_many_blocks(m, lane, NULL, text, job->len / 16);
            break;
        case 5:
            if (job->len % 16)
                return ty_many_part(m, lane, text + (job->len - job->len % 16), job->len % 16);
            break;
        case 6:
            memcpy(slot->more, x, 16);
            memset(x, 0, 16);
            ty_ccm_counter(slot->part, job->nonce, job->nonce_len);
            return ty_many_blocks(m, lane, slot->part, slot->part, 1);
        default:
            ty_sm4_xor(slot->more, slot->more, x);
            return 0;
        }
}

static int many_ccm_make_tag(ty_many *m, size_t lane)
{
    ty_many_slot *slot = ty_many_at(m, lane);
    ty_sm4_ccm_job *job = job_at(m, slot->job);
    if (many_ccm_chain(m, lane, job->in)) return 1;
    memcpy(job->tag, slot->more, job->tag_len);
    job->err = TY_JOB_LATER;
    return 0;
}

static int check_tag(ty_many *m, size_t lane)
{
    ty_many_slot *slot = ty_many_at(m, lane);
    ty_sm4_ccm_job *job = job_at(m, slot->job);
    if (many_ccm_chain(m, lane, job->out)) return 1;
    job->err = ty_tag_verdict(slot->more, job->tag, job->tag_len);
    if (job->err != TY_OK) ty_wipe(job->out, job->len);
    return 0;
}

/* --- The keystream ---------------------------------------------------------------------------- */

/* counter = that of the first block of the message */
static void counter_of(uint8_t counter[16], const ty_sm4_ccm_job *job)
{
    ty_ccm_counter(counter, job->nonce, job->nonce_len);
    counter[15] = 1;
}

static int many_ccm_crypt(ty_many *m, size_t lane, ty_err next)
{
    ty_many_slot *slot = ty_many_at(m, lane);
    ty_sm4_ccm_job *job = job_at(m, slot->job);
    const size_t rest = job->len % 16, whole = job->len - rest;
    uint8_t counter[16];
    for (;;)
        switch (slot->stage++) {
        case 0:
            counter_of(counter, job);
            ty_many_counter(m, lane, counter);
            if (whole) return ty_many_blocks(m, lane, job->out, job->in, whole / 16);
            break;
        case 1:
            if (rest) return ty_many_part(m, lane, job->in + whole, rest);
            job->err = next;
            return 0;
        default:
            memcpy(job->out + whole, slot->part, rest);
            job->err = next;
            return 0;
        }
}

static int encrypt(ty_many *m, size_t lane) { return many_ccm_crypt(m, lane, TY_OK); }
static int decrypt(ty_many *m, size_t lane) { return many_ccm_crypt(m, lane, TY_JOB_LATER); }

/* Adds the keystream to the messages with err == `now` that are long enough to fill the kernels by
 * themselves; their err becomes `next`. */
static void crypt_long(ty_sm4_ccm_job *jobs, size_t n, ty_err now, ty_err next)
{
    uint8_t counter[16];
    for (size_t j = 0; j < n; j++) {
        if (jobs[j].err != now || jobs[j].len / 16 < ty_many_alone_from(n)) continue;
        counter_of(counter, &jobs[j]);
        ty_sm4_ctr(jobs[j].out, jobs[j].in, jobs[j].len, counter, jobs[j].key);
        jobs[j].err = next;
    }
}

static void many_ccm_prepare(ty_sm4_ccm_job *jobs, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        jobs[j].err = ty_ccm_limits(jobs[j].nonce_len, jobs[j].tag_len, jobs[j].len);
        if (ty_aead_crosses(jobs[j].out, jobs[j].in, jobs[j].len, jobs[j].tag, jobs[j].tag_len))
            jobs[j].err = TY_ERR_ARG;
        if (jobs[j].err == TY_OK) jobs[j].err = TY_JOB_WAITS;
    }
}

ty_err ty_sm4_many_ccm_seal(ty_sm4_ccm_job *jobs, size_t n)
{
    static const ty_many_kind chains = { TY_MANY_MAC, waits, many_ccm_make_tag };
    static const ty_many_kind streams = { TY_MANY_CTR, waits_longer, encrypt };
    ty_many m;
    if (n == 1)
        return jobs->err = ty_sm4_ccm_seal(jobs->out, jobs->tag, jobs->tag_len, jobs->in, jobs->len,
                                           jobs->aad, jobs->aad_len, jobs->nonce, jobs->nonce_len,
                                           jobs->key);
    many_ccm_prepare(jobs, n);
    ty_many_run(&m, jobs, n, &chains);
    crypt_long(jobs, n, TY_JOB_LATER, TY_OK);
    ty_many_run(&m, jobs, n, &streams);
    return TY_MANY_VERDICT(jobs, n, ty_sm4_ccm_job);
}

ty_err ty_sm4_many_ccm_open(ty_sm4_ccm_job *jobs, size_t n)
{
    static const ty_many_kind streams = { TY_MANY_CTR, waits, decrypt },
                              chains = { TY_MANY_MAC, waits_longer, check_tag };
    ty_many m;
    if (n == 1)
        return jobs->err = ty_sm4_ccm_open(jobs->out, jobs->in, jobs->len, jobs->tag, jobs->tag_len,
                                           jobs->aad, jobs->aad_len, jobs->nonce, jobs->nonce_len,
                                           jobs->key);
    many_ccm_prepare(jobs, n);
    crypt_long(jobs, n, TY_JOB_WAITS, TY_JOB_LATER);
    ty_many_run(&m, jobs, n, &streams);
    ty_many_run(&m, jobs, n, &chains);
    return TY_MANY_VERDICT(jobs, n, ty_sm4_ccm_job);
}
