/* Integers of n limbs, least significant first. n is public; functions take constant time unless
 * their names end in _vt.
 *
 * limb      64 bits where the compiler multiplies 64x64 -> 128, else 32, fixed when the library is
 *           built. B = 2^TY_LIMB_BITS
 * kernels   ty_limb_ops: everything that takes more than n steps goes through them
 * loose     for redc: any value below B^n, canonical [0, m)
 *
 * A length may be 0 where n >= 0 is stated; otherwise it is at least 1. */
#ifndef TY_LIMB_LIMB_H
#define TY_LIMB_LIMB_H

#include "base/levels.h"
#include "base/ct.h"
#include "tongyu/base.h"

#if defined(__SIZEOF_INT128__)
#  define TY_LIMB_BITS 64
#else
#  define TY_LIMB_BITS 32
#endif
#include "limb/limb1.h"

typedef struct ty_limb_ops {
    /* z = x + y, x - y; the carry or borrow is returned.  z may be x or y; n >= 0 */
    ty_limb (*add)(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n);
    ty_limb (*sub)(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n);
    /* z = mask ? -z : z mod B^n; the carry out of the negation, 1 only for z = 0 under the mask. n
     * >= 0 */
    ty_limb (*neg_if)(ty_limb *z, size_t n, ty_limb mask);
    /* z = w + x + y + (z ^ mask) + (mask & 1), which is w + x + y + z, or w + x + y - z + B^n under
     * the mask; the carry, 0 to 3, is returned. z may not overlap the others; n >= 0 */
    ty_limb (*sum_4)(ty_limb *z, const ty_limb *w, const ty_limb *x, const ty_limb *y, size_t n,
                     ty_limb mask);
    /* z = xy, z + xy, z - xy for one limb y; the limb above is returned.  z may be x */
    ty_limb (*mul_1)(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
    ty_limb (*addmul_1)(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
    ty_limb (*submul_1)(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
    /* z[xn+yn] = xy, by rows: xn yn products; z[2n] = x^2: n(n+1)/2 products. z may not overlap the
     * factors */
    void (*mul)(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn);
    void (*sqr)(ty_limb *z, const ty_limb *x, size_t n);
    /* z[2n] = x y, or x^2, for two factors of n limbs, TY_LIMB_SHORT(n), with less on the way to
     * the products; z overlaps neither. z's highest limb is returned, too. NULL: mul and sqr are as
     * fast */
    ty_limb(TY_SYSV *mul_short)(ty_limb *z, const ty_limb *x, size_t n, const ty_limb *y);
    ty_limb(TY_SYSV *sqr_short)(ty_limb *z, const ty_limb *x, size_t n);
    /* z[n] = t/B^n mod m, loose, for any t[2n], which is destroyed; m odd, minv = -1/m mod B. z may
     * be part of t. t < m B^n gives a value that is t/B^n or m more; t < B^n gives at most m, and m
     * only for t = 0 (mod m), t > 0 */
    void (*redc)(ty_limb *z, ty_limb *t, const ty_limb *m, size_t n, ty_limb minv);
    /* z[n] = x y/B^n mod m, in the range that redc states for t = x y, for any x, y below B^n and
     * 2 <= n <= TY_LIMB_MONT. z may be x or y */
    void (*mont)(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_limb *m, size_t n,
                 ty_limb minv);
    /* z = z^2/B^n mod m in the same way, count >= 1 times */
    void (*mont2)(ty_limb *z, const ty_limb *m, size_t n, ty_limb minv, size_t count);
    /* z[n] = 1/x mod m, for x < m, m odd, by `rounds` rounds of 60 division steps; returns all ones
     * if there is no inverse, else 0. work[TY_LIMB_INV_WORK(n)]. NULL: that of divstep.c is used */
    ty_limb (*inv)(ty_limb *z, const ty_limb *x, const ty_limb *m, size_t n, size_t rounds,
                   ty_limb *work);
    /* q[count] = floor(t/d), t[0..dn) = t mod d, for public t of dn + count limbs, the upper dn of
     * which are below d, whose top bit is set. The limbs of t above dn become 0, or the quotient: q
     * may be t + dn. dn >= 3, count >= 1. e holds the complement of d's dn - 2 lower limbs, then
     * d's two highest limbs, d0 and d1, and floor((B^3 - 1)/(d1 B + d0)) - B. NULL: that of
     * limb_div.c is used */
    void (*div_vt)(ty_limb *q, ty_limb *t, size_t count, const ty_limb *e, size_t dn);
    /* gcd(x, y) for public odd x, y.  NULL: that of limb_gcd.c is used */
    ty_limb2 (TY_SYSV *gcd_2_vt)(ty_limb2 x, ty_limb2 y);
    /* z[n] = table[index], of count entries of n limbs each: every entry is read */
    void (*gather)(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index);
    /* 1 if mul and sqr work on vectors (limb_gfni512.c), which decides from which lengths on mp
     * uses other methods; else 0 */
    int by_vectors;
} ty_limb_ops;

#define TY_LIMB_SHORT(n) ((n) >= 3 && (n) <= 8)
#define TY_LIMB_MONT 8
/* digits of inv, of 30 bits: at least 4, and enough for two bits more than n limbs; its work is in
 * limbs of 64 bits */
#define TY_LIMB_INV_DIGITS(n)  (((n) * 64 + 31) / 30 + ((n) == 1))
#define TY_LIMB_INV_WORK(n)  (13 + 5 * TY_LIMB_INV_DIGITS(n))
/* digits of divstep.c, of TY_LIMB_BITS - 4 bits, for n limbs and two bits more; and the
 * largest value of ty_limb_inv_work */
#define TY_LIMB_STEP_DIGITS(n) (((n) * TY_LIMB_BITS + TY_LIMB_BITS - 3) / (TY_LIMB_BITS - 4))
#define TY_LIMB_INV_MOST(n)                                                                        \
    (TY_LIMB_BITS == 64 ? TY_LIMB_INV_WORK(n) : 5 * TY_LIMB_STEP_DIGITS(n))

#define TY_LIMB_TIERS(X) \
    X(limb, c) TY_ON_ADX(X(limb, adx) X(limb, gfni512) X(limb, clmul512)) \
    TY_ON_ARM64(X(limb, neon))
TY_FAMILY(limb, TY_LIMB_TIERS)

/* ops->add and ops->sub; on x86-64 without dispatch, which would take as long as a sum of four
 * limbs: every such CPU can run these two functions of the tier "adx". */
#if defined(TY_HAS_ADX)
ty_limb ty_limb_add_x86(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n);
ty_limb ty_limb_sub_x86(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n);
#  define ty_limb_add  ty_limb_add_x86
#  define ty_limb_sub  ty_limb_sub_x86
#else
#  define ty_limb_add  ty_limb_best()->add
#  define ty_limb_sub  ty_limb_best()->sub
#endif

/* all ones if x == 0, else zero */
static inline ty_limb ty_limb_is0(ty_limb x)
{
    return ty_limb_mask((~x & (x - 1)) >> (TY_LIMB_BITS - 1));
}

/* z = x + c, x - c for a limb c; the carry or borrow is returned.  z may be x; n >= 0 */
ty_limb ty_limb_add_1(ty_limb *z, const ty_limb *x, size_t n, ty_limb c);
ty_limb ty_limb_sub_1(ty_limb *z, const ty_limb *x, size_t n, ty_limb c);
/* neg_if and sum_4 of the portable tier */
ty_limb ty_limb_neg_if(ty_limb *z, size_t n, ty_limb mask);
ty_limb ty_limb_sum_4(ty_limb *z, const ty_limb *w, const ty_limb *x, const ty_limb *y, size_t n,
                      ty_limb mask);
/* z = mask ? z + x : z; the carry is returned */
ty_limb ty_limb_add_if(ty_limb *z, const ty_limb *x, size_t n, ty_limb mask);
/* z = x - m if top:x >= m, else x, for top:x < 2m.  z may be x */
void ty_limb_canon(ty_limb *z, ty_limb top, const ty_limb *x, const ty_limb *m, size_t n);
/* z = mask ? x : y; exchange x and y under the mask.  n >= 0 */
void ty_limb_sel(ty_limb *z, ty_limb mask, const ty_limb *x, const ty_limb *y, size_t n);
void ty_limb_swap_if(ty_limb *x, ty_limb *y, size_t n, ty_limb mask);
/* all ones if x == 0; -1, 0 or 1 as x < y, x = y, x > y.  n >= 0 */
ty_limb ty_limb_zero(const ty_limb *x, size_t n);
int ty_limb_cmp(const ty_limb *x, const ty_limb *y, size_t n);
int ty_limb_cmp_vt(const ty_limb *x, const ty_limb *y, size_t n);
/* z = x 2^s, x/2^s for 0 <= s < TY_LIMB_BITS; the bits shifted out are returned, at the bottom
 * (shl) or at the top (shr) of a limb. shl runs downwards, shr upwards, so z may also overlap x
 * from above (shl) or from below (shr). n >= 0, s may be secret */
ty_limb ty_limb_shl(ty_limb *z, const ty_limb *x, size_t n, unsigned s);
ty_limb ty_limb_shr(ty_limb *z, const ty_limb *x, size_t n, unsigned s);
/* n less the number of zero limbs at the top; reveals that number and nothing else */
static inline size_t ty_limb_len(const ty_limb *x, size_t n)
{
    for (; n; n--) {
        ty_limb zero = x[n - 1] == 0;
        /* the length is public: so is whether the top limb is zero */
        TY_PUBLIC(&zero, sizeof zero);
        if (!zero) break;
    }
    return n;
}
/* bits of one limb: 0 for 0; and its leading zeros, x > 0 */
unsigned ty_limb_bits(ty_limb x);
static inline unsigned ty_limb_zeros_vt(ty_limb x)
{
    return (unsigned)(TY_LIMB_BITS == 64 ? __builtin_clzll(x) : __builtin_clz((unsigned)x));
}
/* the bits of e[en] from bit `at` on, w of them at most; `at` is public */
static inline size_t ty_limb_window(const ty_limb *e, size_t en, size_t at, unsigned w)
{
    const size_t i = at / TY_LIMB_BITS, s = at % TY_LIMB_BITS;
    ty_limb d = e[i] >> s;
    if (s + w > TY_LIMB_BITS && i + 1 < en) d |= e[i + 1] << (TY_LIMB_BITS - s);
    return (size_t)(d & (((ty_limb)1 << w) - 1));
}
/* -1/m mod B, m odd */
ty_limb ty_limb_minv(ty_limb m);

/* the number of n <= 2 limbs */
static inline ty_limb2 ty_limb2_from(const ty_limb *x, size_t n)
{
    return (n > 1 ? (ty_limb2)x[1] << TY_LIMB_BITS : 0) | (n ? x[0] : 0);
}

/* --- Division --------------------------------------------------------------------------------- */

/* floor((B^2 - 1)/d) - B for d with its top bit set (Moeller and Granlund, "Improved division by
 * invariant integers", IEEE Trans. Comput. 2011). _vt divides with the CPU's own instruction or the
 * compiler's routine. */
ty_limb ty_limb_recip(ty_limb d);
ty_limb ty_limb_recip_vt(ty_limb d);
/* q[un - dn] = floor(u/d), u[0..dn) = u mod d, for the top bit of d set, un > dn, and u[un-dn..un)
 * < d: append a zero limb. u[dn..un) becomes 0 unless q is NULL; v = recip of d's top limb. vt not
 * 0: corrections are made only where needed */
void ty_limb_div(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn, ty_limb v, int vt);
/* q = floor(x/d), x mod d is returned; any d > 0 (div_1), or any d >= B, n >= 2 and q[n - 1]
 * (div_2). q may be x or NULL */
ty_limb ty_limb_div_1_vt(ty_limb *q, const ty_limb *x, size_t n, ty_limb d);
ty_limb2 ty_limb_div_2_vt(ty_limb *q, const ty_limb *x, size_t n, ty_limb2 d);
/* gcd(x, y), 0 for two zeros */
ty_limb2 ty_limb_gcd_2_vt(ty_limb2 x, ty_limb2 y);

/* --- Division steps: divstep.c ---------------------------------------------------------------- */

/* z[n] = 1/x mod m for x < m, m odd, B^(n-1) <= m < 2^bits, where bits is public; returns all ones
 * if there is no inverse, else 0, and z = 0 for x = 0. work[ty_limb_inv_work(n)]; z may be x */
size_t ty_limb_inv_work(size_t n);
ty_limb ty_limb_inv(ty_limb *z, const ty_limb *x, const ty_limb *m, size_t n, size_t bits,
                    ty_limb *work);
/* x[n] = gcd(x, y) for odd x, or 0 if both are 0. work[2 TY_LIMB_STEP_DIGITS(n)] */
void ty_limb_gcd(ty_limb *x, const ty_limb *y, size_t n, ty_limb *work);

#endif
