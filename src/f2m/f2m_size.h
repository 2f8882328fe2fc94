/* GF(2^m): the sizes that follow from a field's constants (F2_M, F2_K1 ...), and which products are
 * inlined. */
#ifndef TY_F2M_F2M_SIZE_H
#define TY_F2M_F2M_SIZE_H

#include "f2m/f2m_inline.h"

#define F2_W     (F2_M / 64 + 1)
#define F2_LANES (F2_M / 128 + 1)     /* of 128 bits */
#define F2_ODD   (F2_W % 2)
#define F2_HIGH  (F2_LANES - F2_ODD)  /* lanes with an upper word */
#define F2_BYTES ((F2_M + 7) / 8)
#define F2_WHOLE (F2_BYTES / 8)       /* full words; the other bytes are in word W - 1 */
#define F2_OVER  (64 * F2_W - F2_M)   /* x^(64 W) == x^F2_OVER (x^k1 + x^k2 + x^k3 + 1) */

/* In vectors an element of some fields has only the bytes of a canonical one, and a product is cut
 * not at the end of a word but so that whole lanes are above: fold_lanes of f2m_vec.h. That is
 * possible where the image of x^F2_CUT fits a word. */
#define F2_CUT   (16 * F2_BYTES - 128 * (F2_LANES - 1))
#define F2_TIGHT (F2_W % 2 && F2_CUT - F2_M + F2_K1 < 64)
#define F2_LOOSE (F2_TIGHT ? 8 * F2_BYTES : 64 * F2_W)   /* bits of an element in vectors */

/* What the includer may define as 1: that the level has GFNI and 512-bit vectors, for f2m_affine.h,
 * and that it is clmul512. */
#if !defined(F2_GFNI)
#  define F2_GFNI 0
#endif
#if !defined(F2_CLMUL512)
#  define F2_CLMUL512 0
#endif

/* On clmul512: whether a trinomial suits the reduction lane by lane, fold_lanewise of f2m_vec.h;
 * points of ec_f2_quads.h for fields of four words; and the ladder of ec_f2_quad_ladder.h for the
 * others: at 233 bits it takes 1.14 times as long as the ladder with pairs. */
#define F2_LANE_FOLD   (!F2_ODD && !F2_K2 && F2_OVER < 64 && F2_OVER + F2_K1 > 64 &&               \
                        F2_OVER + F2_K1 < 128)
#define F2_QUADS       (F2_CLMUL512 && F2_W == 4)
#define F2_QUAD_LADDER (F2_CLMUL512 && F2_ODD)

/* all bits of the first n bytes of a word, n of any sign */
#define F2_FIRST(n) ((n) <= 0 ? 0 : (n) >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * (n) % 64) - 1)
/* x^(m + e) modulo the field's polynomial: the four terms of the identity, in one word */
#define F2_FOLD(e)                                                                                 \
    ((uint64_t)1 << (e) % 64 | (uint64_t)1 << ((e) + F2_K1) % 64 |                                 \
     (uint64_t)1 << ((e) + F2_K2) % 64 | (uint64_t)1 << ((e) + F2_K3) % 64)

/* Which products are inlined: in the ladder's step (F2_INLINE_LADDER), where a product of vectors
 * takes 30 to 60 cycles, too few to pass operands through memory, and in the other formulas
 * (F2_INLINE_LOOP, of the engine) where that was faster. Longer fields take 100 cycles and more,
 * and with sanitizers compilation would take minutes. All other products are calls, to limit the
 * time of compilation. */
#if defined(__OPTIMIZE__) && !defined(F2_SANITIZED) && !defined(__SANITIZE_ADDRESS__)
#  define F2_INLINE_LADDER (F2_W <= 7)
#else
#  define F2_INLINE_LADDER 0
#endif

#endif
