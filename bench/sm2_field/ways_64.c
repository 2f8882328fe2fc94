/* The implementations of the field of SM2 in 64-bit words (sm2_field/ways_words.h). */
#include "sm2_field/ways.h"

#if defined(__SIZEOF_INT128__)
#define TY_LEVEL c64
#include "base/level_begin.h"
#define TY_LIMB_BITS 64
#define TY_OWN(name) TY_K(p_sm2_ways_##name)
#include "mod/sm2_names.h"
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_clear.h"
#include "sm2_field/ways_words.h"

static inline void clear_mul(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_wide t;
    ty_limb256_mul(t.v, x->v, y->v);
    ty_p_sm2_clear(z->v, t.v);
}

#define TY_WAY            fold64
#define TY_WAY_WHAT       "fast reduction: fold the top by the identity of p"
#define TY_WAY_MONTGOMERY 0
#define TY_WAY_VARIABLE   0
#define TY_WAY_REDUCE     ty_p_sm2_fold
#define TY_WAY_MUL        ty_p_sm2_mul
#define TY_WAY_INV
#include "sm2_field/way.h"

#define TY_WAY            clear64
#define TY_WAY_WHAT       "Montgomery without products, -1/p = 1"
#define TY_WAY_MONTGOMERY 1
#define TY_WAY_VARIABLE   0
#define TY_WAY_REDUCE     ty_p_sm2_clear
#define TY_WAY_MUL        clear_mul
#include "sm2_field/way.h"

#define TY_WAY            mont64
#define TY_WAY_WHAT       "Montgomery for any odd modulus"
#define TY_WAY_MONTGOMERY 1
#define TY_WAY_VARIABLE   0
#define TY_WAY_REDUCE(z, v)  ty_limb256_redc(z, v, ty_any_modulus(), ty_any_m0inv())
#define TY_WAY_MUL(z, x, y)  ty_mont_mul((z)->v, (x)->v, (y)->v, ty_any_modulus(), ty_any_m0inv())
#include "sm2_field/way.h"
#include "base/level_end.h"
#else
typedef int ty_p_sm2_ways_64_is_empty;   /* ISO C requires a declaration in every file */
#endif
