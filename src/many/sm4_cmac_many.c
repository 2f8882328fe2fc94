/* Many CMACs at once [SP 800-38B]. */
#include "base/tag.h"
#include "many/multi_buffer.h"
#include "tongyu/sm4_many.h"

static const ty_sm4_key *waits(const ty_many *m, size_t j)
{
    const ty_sm4_cmac_job *job = (const ty_sm4_cmac_job *)m->jobs + j;
    return job->err == TY_JOB_WAITS ? &job->key->sm4 : NULL;
}

/* All blocks except the last; then the last, with a subkey added. In the end the lane holds the
 * MAC. */
static int many_cmac_segment(ty_many *m, size_t lane)
{
    ty_many_slot *slot = ty_many_at(m, lane);
    const ty_sm4_cmac_job *job = (const ty_sm4_cmac_job *)m->jobs + slot->job;
    const size_t len = job->msg_len, last = len ? (len - 1) % 16 + 1 : 0, before = len - last;
    switch (slot->stage++) {
    case 0:
        memset(ty_many_x(m, lane), 0, 16);
        if (before) return ty_many_blocks(m, lane, NULL, job->msg, before / 16);
        slot->stage++; /* fall through */
    case 1:
        ty_many_part(m, lane, last ? job->msg + before : NULL, last);
        if (last < 16) slot->part[last] = 0x80;
        ty_sm4_xor(slot->part, slot->part, job->key->sub[last < 16]);
        return 1;
    default:
        return 0;
    }
}

static inline ty_sm4_cmac_job *finished(ty_many *m, size_t lane)
{
    return (ty_sm4_cmac_job *)m->jobs + ty_many_at(m, lane)->job;
}

static int make(ty_many *m, size_t lane)
{
    if (many_cmac_segment(m, lane)) return 1;
    ty_sm4_cmac_job *job = finished(m, lane);
    memcpy(job->tag, ty_many_x(m, lane), job->tag_len);
    job->err = TY_OK;
    return 0;
}

static int check(ty_many *m, size_t lane)
{
    if (many_cmac_segment(m, lane)) return 1;
    ty_sm4_cmac_job *job = finished(m, lane);
    job->err = ty_tag_verdict(ty_many_x(m, lane), job->tag, job->tag_len);
    return 0;
}

static inline __attribute__((always_inline)) ty_err run(ty_sm4_cmac_job *jobs, size_t n,
                                                        const ty_many_kind *kind)
{
    ty_many m;
    for (size_t j = 0; j < n; j++)
        jobs[j].err = jobs[j].tag_len < 4 || jobs[j].tag_len > 16 ? TY_ERR_ARG : TY_JOB_WAITS;
    ty_many_run(&m, jobs, n, kind);
    return TY_MANY_VERDICT(jobs, n, ty_sm4_cmac_job);
}

ty_err ty_sm4_many_cmac(ty_sm4_cmac_job *jobs, size_t n)
{
    static const ty_many_kind kind = { TY_MANY_MAC, waits, make };
    if (n == 1)
        return jobs->err =
                   ty_sm4_cmac_mac(jobs->tag, jobs->tag_len, jobs->msg, jobs->msg_len, jobs->key);
    return run(jobs, n, &kind);
}

ty_err ty_sm4_many_cmac_check(ty_sm4_cmac_job *jobs, size_t n)
{
    static const ty_many_kind kind = { TY_MANY_MAC, waits, check };
    if (n == 1)
        return jobs->err =
                   ty_sm4_cmac_check(jobs->tag, jobs->tag_len, jobs->msg, jobs->msg_len, jobs->key);
    return run(jobs, n, &kind);
}
