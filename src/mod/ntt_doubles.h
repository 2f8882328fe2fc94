/* Arithmetic modulo a prime in double-precision floating point: the definitions that ntt_body.h
 * needs, for a tier that defines vectors of W doubles:
 *   load, store, store_one, first, all, add, sub     as in ntt_body.h
 *   rounded(x, y)                                    xy
 *   times_add(x, y, z), times_less(x, y, z),
 *   less_times(z, x, y)                              xy + z, xy - z, z - xy by an FMA
 *   add_if_negative(x, y)                            x + y where x < 0, else x
 *   halves_of(digits, &high, &low)                   the bits of 2^84 + high 2^32 and of 2^52 + low
 *   put_digits(t, x)                                 t[W] = the integers 0 <= x < 2^52
 *
 * Values are whole numbers of at most 53 bits with a sign, which doubles hold exactly; only the
 * quotients are approximate, and only the nearest whole number to each is used. Let |x| < 2^52,
 * w a factor, |w| < p/2, v = w/p with an error of at most 2^-55 (v < 1/2 is rounded to the
 * nearest). Then
 *     h = xw rounded, l = xw - h:    exact, as the error of a rounded product is a double
 *     q = xv rounded to a whole number, by adding 3 2^51, where doubles are whole, and subtracting
 *     it again: |xv| < 2^51 holds
 *     |q - xw/p| <= 1/2 + |x|/2^55:  rounding, and the error of v
 *     r = (h - qp) + l = xw - qp:    |r| <= (1/2 + |x|/2^55) p < 0.63 p, and |h - qp| is less than
 *                                    p/4 larger; both are whole numbers below 2^53, so
 *                                    neither the second FMA nor the sum rounds
 * No product is followed by a sum that a compiler could contract with it.
 *
 * The tiers state the ranges that follow for their levels. During a product of integers the
 * rounding mode is to nearest and exceptions are masked; then the caller's mode is restored. */
#ifndef TY_MOD_NTT_DOUBLES_H
#define TY_MOD_NTT_DOUBLES_H

typedef struct consts {
    vec p, over, magic;   /* the prime, its inverse rounded, 3 2^51 */
} consts;

typedef struct factor {
    vec w, v;
} factor;

/* between -p/2 and p/2 */
static inline word word_of(uint64_t x, uint64_t p)
{
    return (word)(int64_t)(x > p / 2 ? x - p : x);
}

static inline consts consts_of(const ty_ntt_prime *prime)
{
    const double p = (double)(int64_t)prime->p;
    const consts k = { all(p), all(1 / p), all(3.0 * ((uint64_t)1 << 51)) };
    return k;
}

/* xy, rounded to the nearest whole number */
static inline vec nearest(vec x, vec y, const consts *k)
{
    return sub(times_add(x, y, k->magic), k->magic, k);
}

static inline vec times(vec x, factor f, const consts *k)
{
    const vec h = rounded(x, f.w), l = times_less(x, f.w, h), q = nearest(x, f.v, k);
    return add(less_times(h, q, k->p), l);
}

/* |x| <= 2^52: 1/p rounded is as good as exact, as no whole number is nearer to p/2 than 1/2 */
static inline vec reduce(vec x, const consts *k)
{
    return less_times(x, nearest(x, k->over, k), k->p);
}
static inline vec least(vec x, const consts *k) { return reduce(x, k); }

static inline vec product(vec x, vec y, const consts *k)
{
    const vec h = rounded(x, y), l = times_less(x, y, h), q = nearest(h, k->over, k);
    return add(less_times(h, q, k->p), l);
}

/* w/p: the first approximation v has an error of two units in its last place; the remainder w - vp
 * is exact, and corrects it */
static inline vec quotients(vec w, const consts *k)
{
    const vec v = rounded(w, k->over);
    return times_add(less_times(w, v, k->p), k->over, v);
}

static inline factor factor_of(word w, const consts *k)
{
    const factor f = { all(w), quotients(all(w), k) };
    return f;
}

static inline vec canonical(vec x, const consts *k) { return add_if_negative(reduce(x, k), k->p); }

/* 64 bits in two halves, each written to the low bits of a double whose last place has the weight
 * of the half */
static inline vec residues(const uint64_t *digits, const consts *k)
{
    vec high, low;
    halves_of(digits, &high, &low);
    return add(reduce(sub(high, all(0x1p84), k), k), sub(low, all(0x1p52), k));
}

typedef struct ring ring;
static void TY_K(ntt_leaves_forward)(word *x, size_t count, size_t j, const ring *r);
static void TY_K(ntt_leaves_inverse)(word *x, size_t count, size_t j, const ring *r);
#if WIDEST == 8
static void TY_K(ntt_forward_8)(word *x, size_t h, size_t j, const ring *r);
static void TY_K(ntt_inverse_8)(word *x, size_t h, size_t j, const ring *r);
#else
static inline void TY_K(ntt_forward_8)(word *x, size_t h, size_t j, const ring *r)
{
    (void)x, (void)h, (void)j, (void)r;
}
static inline void TY_K(ntt_inverse_8)(word *x, size_t h, size_t j, const ring *r)
{
    (void)x, (void)h, (void)j, (void)r;
}
#endif
#include "mod/ntt_body.h"

/* z = xy as ty_ntt_ops says, computed in the mode described above. The call is indirect, so that no
 * compiler moves arithmetic across the changes of the mode. */
static void TY_K(ntt_mul)(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                          const ty_ntt_plan *plan, ty_limb *work)
{
    void (*volatile const run)(ty_limb *, const ty_limb *, size_t, const ty_limb *, size_t,
                               const ty_ntt_plan *, ty_limb *) = TY_K(ntt_whole);
    const unsigned was = _mm_getcsr();
    _mm_setcsr(0x1f80);
    run(z, x, xn, y, yn, plan, work);
    _mm_setcsr(was);
}

#endif
