/* GF(2)[t]/M for any M in words, by products of 32-bit integers that have holes. */
#include "mod/f2_any.h"
#include "base/ct.h"
#include "limb/f2_holes.h"

#include <string.h>

#define FA_(op)           ty_f2_any_##op##_c
#define F2_CLMUL(z, x, y) ty_f2_holes32(z, x, y)
#include "mod/f2_any_words.inc"

static const ty_f2_any_kernels *ty_f2_any_pick_c(const ty_f2_any *f)
{
    (void)f;
    return &ty_f2_any_kernels_c;
}

const ty_f2_any_ops ty_f2_any_ops_c = { ty_f2_any_pick_c, NULL };
