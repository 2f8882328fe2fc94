/* GF(2)[t]/M for any M with PMULL. */
#include "base/cpu.h"
#if defined(TY_AARCH64)
#include "mod/f2_any.h"
#include "base/ct.h"
#include "base/v128.h"

#include <string.h>

#define TY_TARGET "+crypto"
#include "base/tier_begin.h"
#include "mod/f2_any_vector.inc"
#include "base/tier_end.h"

const ty_f2_any_tier ty_f2_any_armce = { pick, rung };
#endif
