/* GF(2)[t]/M for any M with VPCLMULQDQ: the ladder makes two products at a time
 * (f2_any_pairs.h, a file of src/f2m_any for each size). The rest is that of the tier aesni. */
#include "f2m/f2_any.h"
#if defined(__x86_64__)

#define TY_LEVEL vaes
#include "base/level_begin.h"

#define EACH_SIZE(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define DECLARE(w)   extern const ty_f2_any_rungs ty_f2_any_w##w##_rungs_vaes;
#define ADDRESS(w)   &ty_f2_any_w##w##_rungs_vaes,
EACH_SIZE(DECLARE)
static const ty_f2_any_rungs *const sizes[] = { EACH_SIZE(ADDRESS) };

static ty_f2_any_rung ty_f2_any_rung_vaes(const ty_f2_any *f)
{
    if (!ty_f2_any_in_lanes(f, f->way)) return ty_f2_any_rung_aesni(f);
    return sizes[f->words - 2]->shape[ty_f2_any_shape(f)];
}

const ty_f2_any_ops ty_f2_any_ops_vaes = { ty_f2_any_pick_aesni, ty_f2_any_rung_vaes };
#include "base/level_end.h"
#endif
