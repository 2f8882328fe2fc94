/* GF(2)[t]/M for any M in words, by products of 64-bit integers with holes (limb/f2_holes.h). */
#include "f2m/f2_any.h"
#if defined(__SIZEOF_INT128__)
#include "limb/f2_holes.h"

#define TY_LEVEL c64
#define F2_CLMUL ty_f2_holes64
#include "f2m/f2_any_words.h"

static const ty_f2_any_kernels *ty_f2_any_pick_c64(const ty_f2_any *f)
{
    (void)f;
    return &any_kernels;
}

const ty_f2_any_ops ty_f2_any_ops_c64 = { ty_f2_any_pick_c64, NULL };
#endif
