/* What sm4_gcm_many.c and sm4_gcm_equal.c share. */
#ifndef TY_MANY_SM4_GCM_MANY_H
#define TY_MANY_SM4_GCM_MANY_H

#include "aead/sm4_gcm.h"
#include "tongyu/sm4_many.h"

/* Processes groups of sixteen short jobs that are valid, of one tier, and of one length of message
 * and of additional data, up to the first group that is not; returns how many jobs that is. */
size_t ty_gcm_many_equal(ty_sm4_gcm_job *jobs, size_t n, int opens);

static inline ty_err ty_gcm_many_limits(const ty_sm4_gcm_job *job)
{
    if (ty_aead_crosses(job->out, job->in, job->len, job->tag, job->tag_len)) return TY_ERR_ARG;
    return ty_gcm_limits(job->tag_len, job->len, job->aad_len, job->nonce_len);
}

#endif
