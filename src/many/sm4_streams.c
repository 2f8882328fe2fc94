/* Many messages at once in the modes whose blocks depend on each other: CBC and CFB encryption, and
 * OFB. */
#include "many/multi_buffer.h"
#include "many/sm4_rows.h"
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

/* --- CBC of two to sixteen messages of one length */

/* Returns 0, with no output written, if the messages do not fit */
static __attribute__((noinline)) int cbc_equal(ty_sm4_job *jobs, size_t n)
{
    uint8_t room[256] __attribute__((aligned(64)));
    ty_rows s;
    if (!ty_rows_of(&s, jobs, n, 16, 0)) return 0;
    const ty_sm4_ops *ops = TY_HELD(sm4, jobs->key->ops);
    ops->grid_keys(s.keys, s.rk);
    ops->grid_cbc(s.out, s.in, s.iv, jobs->len / 16, room, s.keys);
    ty_wipe(room, sizeof room);
    ty_wipe(s.keys, sizeof s.keys);
    return 1;
}

/* --- The calls */

static __attribute__((noinline)) ty_err cbc_any(ty_sm4_job *jobs, size_t n)
{
    static const ty_many_kind cbc = { TY_MANY_CBC, waits, many_stream_segment };
    ty_many m;
    for (size_t j = 0; j < n; j++) {
        const int bad = jobs[j].len % 16 || ty_crosses(jobs[j].out, jobs[j].in, jobs[j].len);
        jobs[j].err = bad ? TY_ERR_ARG : TY_JOB_WAITS;
    }
    ty_many_run(&m, jobs, n, &cbc);
    return TY_MANY_VERDICT(jobs, n, ty_sm4_job);
}

ty_err ty_sm4_many_cbc_encrypt(ty_sm4_job *jobs, size_t n)
{
    if (n == 1)
        return jobs->err = ty_sm4_cbc_encrypt(jobs->out, jobs->in, jobs->len, jobs->iv, jobs->key);
    return n > 1 && n <= TY_ROWS && cbc_equal(jobs, n) ? TY_OK : cbc_any(jobs, n);
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
