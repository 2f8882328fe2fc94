/* GF(2)[t]/M for any M with PCLMULQDQ. */
#include "f2m/f2_any.h"
#if defined(__x86_64__)

#define TY_LEVEL aesni
#include "f2m/f2_any_sizes.h"

const ty_f2_any_ops ty_f2_any_ops_aesni = { ty_f2_any_pick_aesni, ty_f2_any_rung_aesni };
#include "base/level_end.h"
#endif
