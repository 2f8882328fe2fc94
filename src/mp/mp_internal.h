/* What the files of src/mp share: the limbs of an integer, room for them, scratch space, and
 * products of limb arrays. */
#ifndef TY_MP_INTERNAL_H
#define TY_MP_INTERNAL_H

#include "limb/limb.h"
#include "tongyu/mp.h"

#if TY_MP_LIMB_BITS != TY_LIMB_BITS
#  error "one limb everywhere"
#endif

#define TY_MP_SMALL  (TY_MP_SMALL_BITS / TY_MP_LIMB_BITS)
#define TY_MP_LIMBS(bits)  ((bits) / TY_LIMB_BITS + ((bits) % TY_LIMB_BITS != 0))
#define TY_TRY(call) do { const ty_err e_ = (call); if (e_) return e_; } while (0)

static inline ty_limb *ty_mp_d(ty_mp *x) { return x->heap ? x->heap : x->small; }
static inline const ty_limb *ty_mp_cd(const ty_mp *x) { return x->heap ? x->heap : x->small; }
/* the length without leading zeros */
static inline size_t ty_mp_n(const ty_mp *x) { return ty_limb_len(ty_mp_cd(x), x->len); }

/* z = 0, its room as it is: for what ty_mp_clear follows soon, where to write so many zeros is a
 * part of the time */
static inline void ty_mp_open(ty_mp *z, const ty_alloc *alloc)
{
    z->alloc = alloc;
    z->heap = NULL;
    z->room = z->len = 0;
    z->neg = 0;
}
/* Room for n limbs; the value stays. */
ty_err ty_mp_grow(ty_mp *z, size_t n);
static inline ty_err ty_mp_room(ty_mp *z, size_t n)
{
    return n <= TY_MP_SMALL ? TY_OK : ty_mp_grow(z, n);
}
/* The value becomes its n lowest limbs, as few as it needs, with the sign neg; or exactly n limbs,
 * not below zero. */
static inline void ty_mp_fit(ty_mp *z, size_t n, uint32_t neg)
{
    z->len = ty_limb_len(ty_mp_cd(z), n);
    z->neg = z->len ? neg : 0;
}
void ty_mp_fix(ty_mp *z, size_t n);
/* z[n] = x, zeros above, x->len <= n or the rest is zero */
void ty_mp_spread(ty_limb *z, size_t n, const ty_mp *x);
/* z takes the value of t, and t is cleared: the last step of what is computed aside */
void ty_mp_move(ty_mp *z, ty_mp *t);
/* z's value from n limbs in t, n within z's room */
void ty_mp_load(ty_mp *z, const ty_limb *t, size_t n);

/* n limbs of scratch: own[own_n] if they suffice, else from the allocator; NULL if there are none.
 * give wipes them. */
ty_limb *ty_mp_take(ty_limb *own, size_t own_n, size_t n, const ty_alloc *alloc);
void ty_mp_give(ty_limb *p, ty_limb *own, size_t n, const ty_alloc *alloc);

/* --- Products of limb arrays ------------------------------------------------------------------ */

/* From these lengths on the cheaper methods of mul.c are taken: one row where products are of
 * limbs, one where they are of vectors (ty_limb_ops.by_vectors). A test program lowers them: with
 * TY_MP_OWN_THRESHOLDS it has rows of its own, which a linker takes instead of the
 * library's. */
typedef struct ty_mp_thresholds {
    /* at least 4 for Karatsuba, 10 for Toom */
    size_t mul_karatsuba, sqr_karatsuba, mul_toom3, sqr_toom3;
    /* at least 4: div_long.c, reciprocal.c */
    size_t div_long, div_newton;
    /* for four values in a vector; one, for both */
    size_t mul_ntt, sqr_ntt, ntt_c;
} ty_mp_thresholds;
#define TY_MP_THRESHOLDS                                                                           \
    {                                                                                              \
        { 32, 48, 260, 520, 80, 900, 240, 376, 12000 },                                            \
        {                                                                                          \
            40, 40, 640, 480, 80, 1500, 468, 468, 12000                                            \
        }                                                                                          \
    }
#if !defined(TY_MP_OWN_THRESHOLDS)
extern const ty_mp_thresholds ty_mp_threshold_rows[2];

/* the row that goes with the best tier's kernels */
static inline const ty_mp_thresholds *ty_mp_from(const ty_limb_ops *ops)
{
    return &ty_mp_threshold_rows[ops->by_vectors];
}
#endif

/* Scratch limbs for the product of xn by yn limbs, xn >= yn, or a square; enough for shorter ones,
 * too. */
size_t ty_mp_mul_work(size_t xn, size_t yn);
/* z[xn+yn] = xy, xn >= yn >= 1; z apart from all else */
void ty_mp_mul_limbs(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                     ty_limb *work);
void ty_mp_sqr_limbs(ty_limb *z, const ty_limb *x, size_t n, ty_limb *work);
/* toom.c: z[2n] = xy, or x^2 if y is NULL, in five products of a third; work as ty_mp_mul_work
 * says */
void ty_mp_toom3(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n, ty_limb *work);
/* the same for balanced lengths, by whichever method suits */
void ty_mp_mul_n(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n, ty_limb *work);

/* The length n >= least for which z[n] = xy mod B^n - B costs the least, xn >= yn, least <= xn +
 * yn: less than that if transforms of n - 1 limbs serve, which have it modulo B^(n-1) - 1, while
 * modulo B it is a product of two limbs; else xn + yn, and xy as it is. 0 may come as B^n - B. */
size_t ty_mp_cycle(size_t least, size_t xn, size_t yn);
size_t ty_mp_cycle_work(size_t n, size_t xn, size_t yn);
void ty_mp_mul_cycle(ty_limb *z, size_t n, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                     ty_limb *work);

/* --- Others ----------------------------------------------------------------------------------- */

/* z[mn] = |x| mod m, or m - that if neg, canonical; mn = m's length without leading zeros, which is
 * at least 1 */
ty_err ty_mp_reduce(ty_limb *z, const ty_limb *x, size_t xn, uint32_t neg, const ty_limb *m,
                    size_t mn, int vt, const ty_alloc *alloc);
/* q[xn - dn + 1] = floor(x/d), r[dn] = x mod d, or NULL where one is not wanted; for public xn >=
 * dn >= 1 limbs, the top limb of d is not 0. q and r may be x or d, but apart from each other. */
ty_err ty_mp_divide_vt(ty_limb *q, ty_limb *r, const ty_limb *x, size_t xn, const ty_limb *d,
                       size_t dn, const ty_alloc *alloc);
/* div_long.c: as ty_limb_div does for public numbers, in time of products from .div_long limbs of
 * quotient and divisor on, for which there has to be scratch; q may be NULL */
ty_err ty_mp_div_limbs_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn, ty_limb v,
                          const ty_alloc *alloc);
/* reciprocal.c: x[n + 1] = B^2n/d less 4 to 6, for the top bit of d set, v as above; and
 * ty_mp_div_limbs_vt by a reciprocal of d's n highest limbs, n >= 2 */
ty_err ty_mp_reciprocal_vt(ty_limb *x, const ty_limb *d, size_t n, ty_limb v,
                           const ty_alloc *alloc);
ty_err ty_mp_div_reciprocal_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn,
                               const ty_limb *x, size_t n, const ty_alloc *alloc);
/* whether a quotient of qn limbs pays for a reciprocal */
int ty_mp_newton_pays(size_t qn, size_t dn);
/* the same with a reciprocal of its own, of as many limbs as suit the lengths */
ty_err ty_mp_div_newton_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn,
                           ty_limb v, const ty_alloc *alloc);

#endif
