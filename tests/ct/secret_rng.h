/* Shared by the constant-time programs: a source of poisoned bytes, and a check that exits. */
#ifndef TY_TESTS_CT_SECRET_RNG_H
#define TY_TESTS_CT_SECRET_RNG_H

#include "base/ct.h"
#include "tongyu/base.h"

#include <stdio.h>
#include <stdlib.h>

/* For a ty_rng whose ctx is a uint32_t: bytes of a counter, poisoned. */
static inline ty_err secret_bytes(void *ctx, uint8_t *out, size_t len)
{
    uint32_t *counter = ctx;
    for (size_t i = 0; i < len; i++) out[i] = (uint8_t)(++*counter * 2654435761u >> 24);
    TY_SECRET(out, len);
    return TY_OK;
}

static inline void must(int ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "constant-time run: %s failed\n", what);
    exit(1);
}

#endif
