/* GF(2)[t]/M for any M with PCLMULQDQ. */
#include "mod/f2_any.h"
#if defined(__x86_64__)
#include "base/ct.h"
#include "base/vec.h"

#include <string.h>

#define TY_LEVEL aesni
#include "base/level_begin.h"
#include "mod/f2_any_vector.inc"

const ty_f2_any_ops ty_f2_any_ops_aesni = { ty_f2_any_pick_aesni, ty_f2_any_rung_aesni };
#include "base/level_end.h"
#endif
