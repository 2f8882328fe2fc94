/* GF(2)[t]/M for any M in words, by products of 64-bit integers that have holes. */
#include "mod/f2_any.h"
#if defined(__SIZEOF_INT128__)
#include "base/ct.h"
#include "limb/f2_holes.h"

#include <string.h>

#define FA_(op)           ty_f2_any_##op##_c64
#define F2_CLMUL(z, x, y) ty_f2_holes64(z, x, y)
#include "mod/f2_any_words.inc"

static const ty_f2_any_kernels *ty_f2_any_pick_c64(const ty_f2_any *f)
{
    (void)f;
    return &ty_f2_any_kernels_c64;
}

const ty_f2_any_ops ty_f2_any_ops_c64 = { ty_f2_any_pick_c64, NULL };
#endif
