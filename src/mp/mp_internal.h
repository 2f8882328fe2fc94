/* What the files of src/mp share: the limbs of an integer, room for them, scratch space, and
 * products of limb arrays. */
#ifndef TY_MP_INTERNAL_H
#define TY_MP_INTERNAL_H

#include "limb/limb.h"
#include "tongyu/mp.h"

#if TY_MP_LIMB_BITS != TY_LIMB_BITS
#  error "TY_MP_LIMB_BITS of tongyu/mp.h differs from TY_LIMB_BITS"
#endif

#define TY_MP_SMALL  (TY_MP_SMALL_BITS / TY_MP_LIMB_BITS)
#define TY_MP_LIMBS(bits)  ((bits) / TY_LIMB_BITS + ((bits) % TY_LIMB_BITS != 0))
#define TY_TRY(call) do { const ty_err e_ = (call); if (e_) return e_; } while (0)

static inline ty_limb *ty_mp_d(ty_mp *x) { return x->heap ? x->heap : x->small; }
static inline const ty_limb *ty_mp_cd(const ty_mp *x) { return x->heap ? x->heap : x->small; }
/* the length without leading zeros */
static inline size_t ty_mp_n(const ty_mp *x) { return ty_limb_len(ty_mp_cd(x), x->len); }

/* z = 0 without zeroing its limbs, for short-lived integers, where that would take a considerable
 * part of the time */
static inline void ty_mp_open(ty_mp *z, const ty_alloc *alloc)
{
    z->alloc = alloc;
    z->heap = NULL;
    z->room = z->len = 0;
    z->neg = 0;
}
/* Makes room for n limbs and keeps the value. ty_mp_room: without a call if they fit into the
 * object. */
ty_err ty_mp_grow(ty_mp *z, size_t n);
static inline ty_err ty_mp_room(ty_mp *z, size_t n)
{
    return n <= TY_MP_SMALL ? TY_OK : ty_mp_grow(z, n);
}
/* ty_mp_fit: z's value becomes its n lowest limbs with the sign neg, without leading zeros.
 * ty_mp_fix: it becomes exactly n limbs, and not negative. */
static inline void ty_mp_fit(ty_mp *z, size_t n, uint32_t neg)
{
    z->len = ty_limb_len(ty_mp_cd(z), n);
    z->neg = z->len ? neg : 0;
}
void ty_mp_fix(ty_mp *z, size_t n);
/* z[n] = |x| mod B^n, with zeros above x's limbs */
void ty_mp_spread(ty_limb *z, size_t n, const ty_mp *x);
/* z takes the value of t, and t is cleared: for results that were computed in a temporary */
void ty_mp_move(ty_mp *z, ty_mp *t);
/* z's limbs are copied from t[n], for which z has room; ty_mp_fit or ty_mp_fix follows */
void ty_mp_load(ty_mp *z, const ty_limb *t, size_t n);

/* n limbs of scratch: `own` if own_n limbs are enough, else from the allocator; NULL if it fails.
 * ty_mp_give wipes and frees them. */
ty_limb *ty_mp_take(ty_limb *own, size_t own_n, size_t n, const ty_alloc *alloc);
void ty_mp_give(ty_limb *p, ty_limb *own, size_t n, const ty_alloc *alloc);

/* --- Products of limb arrays ------------------------------------------------------------------ */

/* The lengths from which the methods for longer numbers are used: one row for kernels that multiply
 * limbs, one for those that multiply vectors (ty_limb_ops.by_vectors). A test program lowers them:
 * with TY_MP_OWN_THRESHOLDS it defines rows of its own, which the linker uses instead of the
 * library's. */
typedef struct ty_mp_thresholds {
    /* at least 4 for Karatsuba, 10 for Toom */
    size_t mul_karatsuba, sqr_karatsuba, mul_toom3, sqr_toom3;
    /* at least 4: div_long.c, reciprocal.c */
    size_t div_long, div_newton;
    /* transforms with four values in a vector; ntt_c: with one, for products and squares */
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

/* the row for the best tier's kernels */
static inline const ty_mp_thresholds *ty_mp_thresholds_of(const ty_limb_ops *ops)
{
    return &ty_mp_threshold_rows[ops->by_vectors];
}
#endif

/* Scratch limbs for the product of xn by yn limbs, xn >= yn, or a square; enough for shorter ones,
 * too. */
size_t ty_mp_mul_work(size_t xn, size_t yn);
/* z[xn+yn] = xy, xn >= yn >= 1; z overlaps nothing else */
void ty_mp_mul_limbs(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                     ty_limb *work);
void ty_mp_sqr_limbs(ty_limb *z, const ty_limb *x, size_t n, ty_limb *work);
/* toom.c: z[2n] = xy, or x^2 if y is NULL, in five products of a third of the length; work has
 * ty_mp_mul_work(n, n) limbs */
void ty_mp_toom3(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n, ty_limb *work);
/* z[2n] = xy by the method that suits n */
void ty_mp_mul_n(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n, ty_limb *work);

/* ty_mp_cycle: the length n >= least for which z[n] = xy mod B^n - B costs the least, xn >= yn,
 * least <= xn + yn. It is below xn + yn if cyclic transforms of n - 1 limbs cost less: they give xy
 * mod B^(n-1) - 1, and xy mod B is a product of two limbs. Else it is xn + yn, and z = xy.
 * ty_mp_cycle_work: limbs of scratch for such an n.
 * ty_mp_mul_cycle: z = xy mod B^n - B, where 0 may be represented as B^n - B. */
size_t ty_mp_cycle(size_t least, size_t xn, size_t yn);
size_t ty_mp_cycle_work(size_t n, size_t xn, size_t yn);
void ty_mp_mul_cycle(ty_limb *z, size_t n, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                     ty_limb *work);

/* --- Others ----------------------------------------------------------------------------------- */

/* z[mn] = x[xn] mod m, or -x mod m if `neg`, canonical; mn = m's length without leading zeros,
 * which is at least 1. vt not 0: for public numbers */
ty_err ty_mp_reduce(ty_limb *z, const ty_limb *x, size_t xn, uint32_t neg, const ty_limb *m,
                    size_t mn, int vt, const ty_alloc *alloc);
/* q[xn - dn + 1] = floor(x/d), r[dn] = x mod d; either may be NULL. For public numbers, xn >= dn >=
 * 1, and the top limb of d is not 0. q and r may be x or d, but must not overlap each other. */
ty_err ty_mp_divide_vt(ty_limb *q, ty_limb *r, const ty_limb *x, size_t xn, const ty_limb *d,
                       size_t dn, const ty_alloc *alloc);
/* div_long.c: ty_limb_div for public numbers, v as there, in the time of a few products if quotient
 * and divisor have at least div_long limbs, for which scratch is allocated; q may be NULL */
ty_err ty_mp_div_limbs_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn, ty_limb v,
                          const ty_alloc *alloc);
/* reciprocal.c. ty_mp_reciprocal_vt: x[n + 1] = B^2n/d less 4 to 6, for the top bit of d set, v as
 * above. ty_mp_div_reciprocal_vt: ty_mp_div_limbs_vt with such an x for d's n highest limbs, n >=
 * 2 */
ty_err ty_mp_reciprocal_vt(ty_limb *x, const ty_limb *d, size_t n, ty_limb v,
                           const ty_alloc *alloc);
ty_err ty_mp_div_reciprocal_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn,
                               const ty_limb *x, size_t n, const ty_alloc *alloc);
/* whether a reciprocal is worth it for a quotient of qn limbs */
int ty_mp_newton_pays(size_t qn, size_t dn);
/* ty_mp_div_limbs_vt with a reciprocal that it computes, of a length that suits un and dn */
ty_err ty_mp_div_newton_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn,
                           ty_limb v, const ty_alloc *alloc);

#endif
