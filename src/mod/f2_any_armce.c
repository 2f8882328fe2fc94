/* GF(2)[t]/M for any M with PMULL. */
#include "mod/f2_any.h"
#if defined(TY_AARCH64)
#include "base/ct.h"
#include "base/vec.h"

#include <string.h>

#define TY_LEVEL armce
#include "base/level_begin.h"
#include "mod/f2_any_vector.inc"

const ty_f2_any_ops ty_f2_any_ops_armce = { ty_f2_any_pick_armce, ty_f2_any_rung_armce };
#include "base/level_end.h"
#endif
