/* GF(2)[t]/M for any M on a machine with the carry-less product: the tiers aesni and armce except
 * for their ops structs. Fields of 2 to 9 words with partial or full reduction by a short constant,
 * or with Barrett's, have kernels of their size (f2_any_lanes.h, a file of src/f2m_any for each);
 * others are computed word by word. The includer defines TY_LEVEL, and ends with level_end.h. */
#ifndef TY_F2M_F2_ANY_SIZES_H
#define TY_F2M_F2_ANY_SIZES_H

#include "base/ct.h"
#include "base/vec.h"
#include "base/wipe.h"
#include "f2m/f2_any.h"

#include "base/level_begin.h"

static inline void TY_K(f2_any_clmul)(uint64_t z[2], uint64_t x, uint64_t y)
{
    v128_store(z, v128_clmul_ll(v128_pair(0, x), v128_pair(0, y)));
}

#define F2_CLMUL TY_K(f2_any_clmul)
#include "f2m/f2_any_words.h"

void TY_K(f2_any_canon)(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f)
{
    any_canon(z, x, f);
}

#define EACH_SIZE(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define SIZE(w)      TY_CAT(ty_f2_any_w##w##_size_, TY_LEVEL)
#define DECLARE(w)   extern const ty_f2_any_size SIZE(w);
#define ADDRESS(w)   &SIZE(w),
EACH_SIZE(DECLARE)
static const ty_f2_any_size *const sizes[] = { EACH_SIZE(ADDRESS) };

const ty_f2_any_kernels *TY_K(f2_any_pick)(const ty_f2_any *f)
{
    return ty_f2_any_in_lanes(f, f->way) ? &sizes[f->words - 2]->kernels : &any_kernels;
}

ty_f2_any_rung TY_K(f2_any_rung)(const ty_f2_any *f)
{
    return ty_f2_any_in_lanes(f, f->way) ? sizes[f->words - 2]->rung : NULL;
}

#endif
