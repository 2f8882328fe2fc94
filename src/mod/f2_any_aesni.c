/* GF(2)[t]/M for any M with PCLMULQDQ. */
#if defined(__x86_64__)
#include "mod/f2_any.h"
#include "base/ct.h"
#include "base/v128.h"

#include <string.h>

#define TY_TARGET "sse4.1,pclmul"
#include "base/tier_begin.h"
#include "mod/f2_any_vector.inc"
#include "base/tier_end.h"

const ty_f2_any_tier ty_f2_any_aesni = { pick, rung };
#endif
