/* Many messages at once in the modes whose blocks depend on each other: CBC and CFB encryption, and
 * OFB. */
#include "base/overlap.h"
#include "many/multi_buffer.h"
#include "tongyu/sm4_many.h"

static const ty_sm4_key *waits(const ty_many *m, size_t j)
{
    const ty_sm4_job *job = (const ty_sm4_job *)m->jobs + j;
    return job->err == TY_JOB_WAITS ? job->key : NULL;
}

/* The whole blocks, then the last partial block, which CBC does not have, then the end. */
static int many_stream_segment(ty_many *m, size_t lane)
{
    ty_many_slot *slot = ty_many_at(m, lane);
    ty_sm4_job *job = (ty_sm4_job *)m->jobs + slot->job;
    const size_t rest = job->len % 16, whole = job->len - rest;
    switch (slot->stage++) {
    case 0:
        memcpy(ty_many_x(m, lane), job->iv, 16);
        if (whole) return ty_many_blocks(m, lane, job->out, job->in, whole / 16);
        slot->stage++; /* fall through */
    case 1:
        if (rest) return ty_many_part(m, lane, job->in + whole, rest);
        break;
    default:
        memcpy(job->out + whole, slot->part, rest);
    }
    job->err = TY_OK;
    return 0;
}

ty_err ty_sm4_many_cbc_encrypt(ty_sm4_job *jobs, size_t n)
{
    static const ty_many_kind cbc = { TY_MANY_CBC, waits, many_stream_segment };
    ty_many m;
    if (n == 1)
        return jobs->err = ty_sm4_cbc_encrypt(jobs->out, jobs->in, jobs->len, jobs->iv, jobs->key);
    for (size_t j = 0; j < n; j++) {
        const int bad = jobs[j].len % 16 || ty_crosses(jobs[j].out, jobs[j].in, jobs[j].len);
        jobs[j].err = bad ? TY_ERR_ARG : TY_JOB_WAITS;
    }
    ty_many_run(&m, jobs, n, &cbc);
    return TY_MANY_VERDICT(jobs, n, ty_sm4_job);
}

void ty_sm4_many_cfb_encrypt(ty_sm4_job *jobs, size_t n)
{
    static const ty_many_kind cfb = { TY_MANY_CFB, waits, many_stream_segment };
    ty_many m;
    for (size_t j = 0; j < n; j++) jobs[j].err = TY_JOB_WAITS;
    ty_many_run(&m, jobs, n, &cfb);
}

void ty_sm4_many_ofb(ty_sm4_job *jobs, size_t n)
{
    static const ty_many_kind ofb = { TY_MANY_OFB, waits, many_stream_segment };
    ty_many m;
    for (size_t j = 0; j < n; j++) jobs[j].err = TY_JOB_WAITS;
    ty_many_run(&m, jobs, n, &ofb);
}
