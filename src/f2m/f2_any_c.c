/* GF(2)[t]/M for any M in words, by products of 32-bit integers with holes (limb/f2_holes.h). */
#include "f2m/f2_any.h"
#include "limb/f2_holes.h"

#define TY_LEVEL c
#define F2_CLMUL ty_f2_holes32
#include "f2m/f2_any_words.h"

static const ty_f2_any_kernels *ty_f2_any_pick_c(const ty_f2_any *f)
{
    (void)f;
    return &any_kernels;
}

const ty_f2_any_ops ty_f2_any_ops_c = { ty_f2_any_pick_c, NULL };
