/* Checks that the SM2 calls for batches of jobs share: whether jobs overlap in memory, and whether
 * a product is the point at infinity. */
#ifndef TY_MANY_SM2_POINTS_H
#define TY_MANY_SM2_POINTS_H

#include "base/ct.h"
#include "base/overlap.h"
#include "base/wipe.h"
#include "sm2/sm2_internal.h"
#include "tongyu/sm2_many.h"

#include <string.h>

/* The memory that a job writes and reads; lengths may be 0 */
typedef struct ty_sm2_reach {
    const void *out, *in[2];
    size_t out_len, in_len[2];
} ty_sm2_reach;

/* 1 if job i of n writes where another job writes or reads */
static inline int ty_sm2_overlaps(const ty_sm2_reach *r, size_t n, size_t i)
{
    int touches = 0;
    for (size_t j = 0; j < n; j++)
        touches |= j != i && (ty_touches(r[i].out, r[i].out_len, r[j].out, r[j].out_len) |
                              ty_touches(r[i].out, r[i].out_len, r[j].in[0], r[j].in_len[0]) |
                              ty_touches(r[i].out, r[i].out_len, r[j].in[1], r[j].in_len[1]));
    return touches;
}

/* 0 for the point at infinity, which ty_ec_sm2_ops writes as 64 zero bytes; else all ones */
static inline uint32_t ty_sm2_finite(const uint8_t xy[TY_AT_LEAST(64)])
{
    uint32_t any = 0;
    for (int i = 0; i < 64; i++) any |= xy[i];
    return ~ty_mask_zero32(any);
}

#endif
