/* Up to sixteen SM4 messages of one length, a row for each, for the kernels grid, grid_cbc and
 * grid_ctr32 of ty_sm4_ops: no scheduler, and messages are processed where they are. */
#ifndef TY_MANY_SM4_ROWS_H
#define TY_MANY_SM4_ROWS_H

#include "base/overlap.h"
#include "sm4/sm4.h"
#include "tongyu/sm4_many.h"

enum { TY_ROWS = 16 };

typedef struct ty_rows {
    uint32_t keys[512] __attribute__((aligned(64)));   /* the caller wipes them */
    const uint8_t *in[TY_ROWS], *iv[TY_ROWS], *rk[TY_ROWS];
    uint8_t *out[TY_ROWS];
} ty_rows;

/* A job in each row; rows after the n-th repeat the first one. Returns 0 if a job is not valid, or
 * not of the length and tier of the others; if the length is 0 or not a multiple of `unit`; or if
 * the tier has no such kernels. */
static inline int ty_rows_of(ty_rows *s, ty_sm4_job *jobs, size_t n, size_t unit, int decrypt)
{
    const size_t len = jobs->len;
    if (len == 0) return 0;   /* an empty message needs no kernel */
    const ty_sm4_ops *ops = jobs->key->ops;
    int other = len % unit || TY_HELD(sm4, ops)->grid == NULL;
    for (size_t r = 0; r < TY_ROWS; r++) {
        ty_sm4_job *job = &jobs[r < n ? r : 0];
        s->out[r] = job->out;
        s->in[r] = job->in;
        s->iv[r] = job->iv;
        s->rk[r] = (const uint8_t *)(decrypt ? job->key->dec : job->key->enc);
        job->err = TY_OK;
        other |= job->len != len || job->key->ops != ops || ty_crosses(job->out, job->in, len);
    }
    return !other;
}

#endif
