/* The field of SM2 in the instructions of the "neon" tier (sm2_field/ways_words.h). */
#include "sm2_field/ways.h"

#if defined(TY_AARCH64)
#define TY_LEVEL neon
#include "base/level_begin.h"
#define TY_LIMB_BITS 64
#define TY_P_SM2_NEON
#define TY_OWN(name) TY_K(p_sm2_ways_##name)
#include "mod/sm2_names.h"
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "sm2_field/ways_words.h"

static inline void ty_p_sm2_ways_reduce_neon(ty_limb *z, const ty_limb *v)
{
    ty_p_sm2_wide t;
    ty_p_sm2 r;
    memcpy(t.v, v, sizeof t.v);
    ty_p_sm2_reduce(&r, &t);
    memcpy(z, r.v, sizeof r.v);
}

#define TY_WAY            neon64
#define TY_WAY_WHAT       "the same in AArch64's assembly"
#define TY_WAY_MONTGOMERY 1
#define TY_WAY_VARIABLE   0
#define TY_WAY_REDUCE     ty_p_sm2_ways_reduce_neon
#define TY_WAY_MUL        ty_p_sm2_mul
#define TY_WAY_INV
#include "sm2_field/way.h"
#include "base/level_end.h"
#else
typedef int ty_p_sm2_ways_neon_is_empty;   /* ISO C requires a declaration in every file */
#endif
