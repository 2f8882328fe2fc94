/* GF(2)[t]/M for any M with PMULL. */
#include "f2m/f2_any.h"
#if defined(TY_AARCH64)

#define TY_LEVEL armce
#include "f2m/f2_any_sizes.h"

const ty_f2_any_ops ty_f2_any_ops_armce = { ty_f2_any_pick_armce, ty_f2_any_rung_armce };
#include "base/level_end.h"
#endif
