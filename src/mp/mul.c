/* Products: by the schoolbook method, by Karatsuba's with three products of half the length, by
 * Toom-Cook's with five of a third, by number-theoretic transforms (mod/ntt.h); if the lengths
 * differ, the longer operand is cut into slices.
 * bound: xn yn limb products by the schoolbook method, n(n+1)/2 for a square; each level of
 * Karatsuba saves a quarter of them
 *
 * The methods recurse, each time to at most two thirds of the length; the depth is below 2
 * log2(n). */
#include "mod/ntt.h"
#include "mp/mp_internal.h"

#include <string.h>

/* z[n] = |x - y|, y of m <= n limbs; returns all ones if x < y, else zero. Constant time. */
static ty_limb difference(ty_limb *z, const ty_limb *x, size_t n, const ty_limb *y, size_t m,
                          const ty_limb_ops *ops)
{
    const ty_limb b = ops->sub(z, x, y, m);
    const ty_limb mask = ty_limb_mask(ty_limb_sub_1(z + m, x + m, n - m, b));
    (void)ops->neg_if(z, n, mask);
    return mask;
}

/* z[2n] = xy, or x^2 if y is NULL. x = x0 + x1 B^h, y likewise, with h = ceil(n/2) and upper parts
 * of l = n - h limbs: x0 y1 + x1 y0 = x0 y0 + x1 y1 - (x0 - x1)(y0 - y1) takes only one product
 * more. For a square that product is not negative.
 * work: 2h limbs, for |x0 - x1| |y0 - y1| and then for limbs h to 3h of z, and the scratch of the
 * products. */
static void karatsuba(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n, ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    const size_t h = n - n / 2, l = n / 2;
    ty_limb *product = work, *rest = work + 2 * h;
    ty_limb minus = ~(ty_limb)0;
    if (y) {
        minus = ~difference(z, x, h, x + h, l, ops);
        minus ^= difference(z + h, y, h, y + h, l, ops);
        ty_mp_mul_n(product, z, z + h, h, rest);
        ty_mp_mul_n(z, x, y, h, rest);
        ty_mp_mul_n(z + 2 * h, x + h, y + h, l, rest);
    } else {
        (void)difference(z, x, h, x + h, l, ops);
        ty_mp_sqr_limbs(product, z, h, rest);
        ty_mp_sqr_limbs(z, x, h, rest);
        ty_mp_sqr_limbs(z + 2 * h, x + h, l, rest);
    }
    ty_limb up = ops->sum_4(product, z + h, z, z + 2 * h, 2 * l, minus);
    for (size_t i = 2 * l; i < 2 * h; i++) {   /* above x1 y1 */
        const ty_limb2 t = (ty_limb2)z[h + i] + z[i] + (product[i] ^ minus) + up;
        product[i] = (ty_limb)t;
        up = (ty_limb)(t >> TY_LIMB_BITS);
    }
    memcpy(z + h, product, 2 * h * sizeof *z);
    up += minus;   /* ~product + 1 = B^2h - product has B^2h too much */
    /* at least one limb, for n >= 4 */
    (void)ty_limb_add_1(z + 3 * h, z + 3 * h, 2 * n - 3 * h, up);
}

/* The length from which transforms are the fastest method on this machine, where `from` is that for
 * transforms with four values in a vector */
static size_t transforms_from(size_t from)
{
    const unsigned width = ty_ntt_best()->width;
    if (width == 1) {
        const size_t c = ty_mp_thresholds_of(ty_limb_best())->ntt_c;
        return from > c ? from : c;
    }
    return width == 8 ? from - from / 3 : from;
}

/* Whether transforms are the fastest method for xn by yn limbs, xn >= yn. `from` is the length from
 * which they are the fastest for equal lengths, with four values in a vector. Their time depends on
 * the sum of the lengths, that of the other methods more on the shorter length. */
static int by_transforms(size_t xn, size_t yn, size_t from)
{
    const size_t n = transforms_from(from);
    return yn >= n / 2 && xn + yn >= 2 * n && ty_ntt_fits(xn, yn);
}

void ty_mp_mul_n(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n, ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    const ty_mp_thresholds *from = ty_mp_thresholds_of(ops);
    if (n < from->mul_karatsuba) ops->mul(z, x, n, y, n);
    else if (by_transforms(n, n, from->mul_ntt)) ty_ntt_mul(z, x, n, y, n, work);
    else if (n < from->mul_toom3) karatsuba(z, x, y, n, work);
    else ty_mp_toom3(z, x, y, n, work);
}

void ty_mp_sqr_limbs(ty_limb *z, const ty_limb *x, size_t n, ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    const ty_mp_thresholds *from = ty_mp_thresholds_of(ops);
    if (n < from->sqr_karatsuba) ops->sqr(z, x, n);
    else if (by_transforms(n, n, from->sqr_ntt)) ty_ntt_mul(z, x, n, NULL, n, work);
    else if (n < from->sqr_toom3) karatsuba(z, x, NULL, n, work);
    else ty_mp_toom3(z, x, NULL, n, work);
}

/* The length of slices of x: that of y, or where transforms are the fastest method at most three
 * times that, with as few slices as possible, of equal lengths */
static size_t slice_of(size_t xn, size_t yn)
{
    const size_t count = (xn - 1) / yn / 3 + 1, slice = (xn - 1) / count + 1;
    return by_transforms(slice, yn, ty_mp_thresholds_of(ty_limb_best())->mul_ntt) ? slice : yn;
}

/* Scratch of ty_mp_mul_n. A level of Karatsuba takes 2h limbs and the scratch of h limbs, h = (n +
 * 1)/2 at most: 2n, and 2 a level. Toom-Cook takes 4n + 20 and the scratch of a third: 6n, and 20 a
 * level; or 12n if the thirds go to transforms, which take up to 12 limbs for each of the 2n/3 of a
 * product. */
static size_t balanced(size_t n)
{
    const ty_mp_thresholds *at = ty_mp_thresholds_of(ty_limb_best());
    if (n < at->mul_karatsuba && n < at->sqr_karatsuba) return 0;
    const int toom = n >= at->mul_toom3 || n >= at->sqr_toom3;
    const size_t most = toom ? 6 * n + 1024 : 2 * n + 2 + 2 * (TY_LIMB_BITS - ty_limb_zeros_vt(n));
    const size_t from = at->mul_ntt < at->sqr_ntt ? at->mul_ntt : at->sqr_ntt;
    if (n < transforms_from(from)) return most;
    const size_t transforms = ty_ntt_fits(n, n) ? ty_ntt_work(n, n) : 12 * n;
    return most > transforms ? most : transforms;
}

/* All slices but the lowest take room for a product; each takes the scratch of its product. */
size_t ty_mp_mul_work(size_t xn, size_t yn)
{
    if (xn == yn) return balanced(yn);
    const ty_mp_thresholds *from = ty_mp_thresholds_of(ty_limb_best());
    size_t before = 0, most = 0;
    for (;;) {
        if (yn < from->mul_karatsuba && yn < from->sqr_karatsuba)
            return most > before ? most : before;
        const size_t slice = slice_of(xn, yn), left = xn % slice;
        if (slice < xn) before += slice + yn;
        const size_t here = before + (slice > yn ? ty_ntt_work(slice, yn) : balanced(yn));
        if (here > most) most = here;
        if (!left) return most;
        xn = left > yn ? left : yn;
        yn = left > yn ? yn : left;
    }
}

/* Slices of x from the lowest one; each product is added to the upper limbs of the one before. */
void ty_mp_mul_limbs(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                     ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    if (yn < ty_mp_thresholds_of(ops)->mul_karatsuba) {
        ops->mul(z, x, xn, y, yn);
        return;
    }
    if (xn == yn) {
        ty_mp_mul_n(z, x, y, yn, work);
        return;
    }
    const size_t slice = slice_of(xn, yn);
    ty_limb *product = z, *rest = work;
    for (size_t at = 0; at < xn;) {
        const size_t n = xn - at < slice ? xn - at : slice;
        if (n == yn) ty_mp_mul_n(product, x + at, y, n, rest);
        else if (n == slice) ty_ntt_mul(product, x + at, n, y, yn, rest);
        else if (n > yn) ty_mp_mul_limbs(product, x + at, n, y, yn, rest);
        else ty_mp_mul_limbs(product, y, yn, x + at, n, rest);
        if (at) {
            const ty_limb c = ops->add(z + at, z + at, product, yn);
            (void)ty_limb_add_1(z + at + yn, product + yn, n, c);
        }
        at += n;
        product = work, rest = work + slice + yn;
    }
}

/* --- Modulo B^n - B --------------------------------------------------------------------------- */

size_t ty_mp_cycle(size_t least, size_t xn, size_t yn)
{
    if (!by_transforms(xn, yn, ty_mp_thresholds_of(ty_limb_best())->mul_ntt)) return xn + yn;
    const ty_ntt_plan cycle = ty_ntt_cycle(least - 1 > xn ? least - 1 : xn, yn),
                      whole = ty_ntt_plan_for(xn, yn, cycle.bits);
    return cycle.n < whole.n && cycle.cycle + 1 < xn + yn ? cycle.cycle + 1 : xn + yn;
}

size_t ty_mp_cycle_work(size_t n, size_t xn, size_t yn)
{
    if (n == xn + yn) return ty_mp_mul_work(xn, yn);
    const ty_ntt_plan plan = ty_ntt_cycle(n - 1, yn);
    return ty_ntt_plan_work(&plan);
}

/* From z = xy mod B^(n-1) - 1, and xy mod B: z + t (B^(n-1) - 1), with the t that makes the lowest
 * limb right. */
void ty_mp_mul_cycle(ty_limb *z, size_t n, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                     ty_limb *work)
{
    if (n == xn + yn) {
        ty_mp_mul_limbs(z, x, xn, y, yn, work);
        return;
    }
    const ty_ntt_plan plan = ty_ntt_cycle(n - 1, yn);
    ty_ntt_best()->mul(z, x, xn, y, yn, &plan, work);
    const ty_limb t = z[0] - x[0] * y[0];
    z[n - 1] = t - ty_limb_sub_1(z, z, n - 1, t);
}

/* --- Integers --------------------------------------------------------------------------------- */

/* z[4] = x y of two limbs each, which takes less time than a call */
static void two(ty_limb *z, const ty_limb *x, const ty_limb *y)
{
    const ty_limb x0 = x[0], x1 = x[1], y0 = y[0], y1 = y[1];
    ty_limb c = 0, d = 0;
    z[0] = ty_limb_mac(0, x0, y0, &c);
    const ty_limb z1 = ty_limb_mac(0, x1, y0, &c);
    z[1] = ty_limb_mac(z1, x0, y1, &d);
    z[2] = ty_limb_mac(c, x1, y1, &d);
    z[3] = d;
}

/* z = xy, or x^2 if y is NULL, with scratch; x has at least yn >= 1 limbs, z is neither x nor y */
__attribute__((noinline)) static ty_err product_long(ty_mp *z, const ty_mp *x, const ty_mp *y,
                                                     size_t yn)
{
    const size_t xn = x->len;
    ty_limb own[3 * TY_MP_SMALL + 128];
    const size_t need = ty_mp_mul_work(xn, yn);
    TY_TRY(ty_mp_grow(z, xn + yn));
    ty_limb *work = ty_mp_take(own, sizeof own / sizeof *own, need, z->alloc);
    if (!work) return TY_ERR_MEM;
    if (y) ty_mp_mul_limbs(ty_mp_d(z), ty_mp_cd(x), xn, ty_mp_cd(y), yn, work);
    else ty_mp_sqr_limbs(ty_mp_d(z), ty_mp_cd(x), xn, work);
    ty_mp_give(work, own, need, z->alloc);
    ty_mp_fit(z, xn + yn, y ? x->neg ^ y->neg : 0);
    return TY_OK;
}

/* the same for a z that may be x or y */
__attribute__((noinline)) static ty_err product_aside(ty_mp *z, const ty_mp *x, const ty_mp *y,
                                                      size_t yn)
{
    ty_mp t = { .alloc = z->alloc };
    const ty_err err = product_long(&t, x, y, yn);
    if (err) ty_mp_clear(&t);
    else ty_mp_move(z, &t);
    return err;
}

/* z = xy, or x^2 if y is NULL: computed in z itself unless it is x or y. Short products need no
 * scratch, which would have to be allocated and wiped. */
static inline ty_err product(ty_mp *z, const ty_mp *x, const ty_mp *y)
{
    if (y && x->len < y->len) {
        const ty_mp *t = x;
        x = y, y = t;
    }
    const size_t xn = x->len, yn = y ? y->len : xn;
    if (yn == 0) {
        ty_mp_fix(z, 0);
        return TY_OK;
    }
    if (z == x || z == y) return product_aside(z, x, y, yn);
    if (xn == 2 && yn == 2) {
        two(ty_mp_d(z), ty_mp_cd(x), ty_mp_cd(y ? y : x));
        ty_mp_fit(z, 4, y ? x->neg ^ y->neg : 0);
        return TY_OK;
    }
    const ty_limb_ops *ops = ty_limb_best();
    const ty_mp_thresholds *from = ty_mp_thresholds_of(ops);
    if (yn >= (y ? from->mul_karatsuba : from->sqr_karatsuba)) return product_long(z, x, y, yn);
    const uint32_t neg = y ? x->neg ^ y->neg : 0;
    TY_TRY(ty_mp_room(z, xn + yn));
    if (y) ops->mul(ty_mp_d(z), ty_mp_cd(x), xn, ty_mp_cd(y), yn);
    else ops->sqr(ty_mp_d(z), ty_mp_cd(x), xn);
    ty_mp_fit(z, xn + yn, neg);
    return TY_OK;
}

/* z's length and sign, where `top` is the highest of its 2n limbs. This branch is predicted; the
 * loop of ty_mp_fit would wait until the product is in memory. */
static inline void fit_short(ty_mp *z, size_t n, ty_limb top, uint32_t neg)
{
    ty_limb zero = top == 0;
    TY_PUBLIC(&zero, sizeof zero);   /* the length reveals it */
    if (__builtin_expect(zero != 0, 0)) {
        ty_mp_fit(z, 2 * n, neg);
        return;
    }
    z->len = 2 * n;
    z->neg = neg;
}

/* Products and squares of TY_LIMB_SHORT(n) limbs, where z is neither factor: in `product` four
 * limbs spend a third of their time outside the kernel. These are functions of their own, so that
 * others do not pay for the registers that they save. A ty_mp has room for 16 limbs by itself. */
__attribute__((noinline)) static ty_err mul_short(ty_mp *z, const ty_mp *x, const ty_mp *y)
{
    const ty_limb_ops *ops = ty_limb_best();
    if (!ops->mul_short) return product(z, x, y);
    const ty_limb top = ops->mul_short(ty_mp_d(z), ty_mp_cd(x), x->len, ty_mp_cd(y));
    fit_short(z, x->len, top, x->neg ^ y->neg);
    return TY_OK;
}

__attribute__((noinline)) static ty_err sqr_short(ty_mp *z, const ty_mp *x)
{
    const ty_limb_ops *ops = ty_limb_best();
    if (!ops->sqr_short) return product(z, x, NULL);
    const ty_limb top = ops->sqr_short(ty_mp_d(z), ty_mp_cd(x), x->len);
    fit_short(z, x->len, top, 0);
    return TY_OK;
}

ty_err ty_mp_mul(ty_mp *z, const ty_mp *x, const ty_mp *y)
{
    if (TY_LIMB_SHORT(x->len) && x->len == y->len && x != y && z != x && z != y)
        return mul_short(z, x, y);
    return product(z, x, x == y ? NULL : y);
}

ty_err ty_mp_sqr(ty_mp *z, const ty_mp *x)
{
    return TY_LIMB_SHORT(x->len) && z != x ? sqr_short(z, x) : product(z, x, NULL);
}

/* Left-to-right binary exponentiation (HAC 14.79) */
ty_err ty_mp_pow_vt(ty_mp *z, const ty_mp *x, uint64_t e)
{
    const size_t bits = ty_mp_bits(x);
    /* x^e has at least (bits - 1) e + 1 bits */
    if (bits > 1 && e > (size_t)-1 / 16 / (bits - 1)) return TY_ERR_SIZE;
    ty_mp t = { .alloc = z->alloc };
    ty_err err = TY_OK;
    ty_mp_set_u64(&t, 1);
    for (int i = 63; i >= 0 && !err; i--) {
        if (e >> i > 1) err = ty_mp_sqr(&t, &t);
        if (!err && (e >> i & 1)) err = ty_mp_mul(&t, &t, x);
        if (t.len == 0 && e >> i) break;   /* 0 stays 0 */
    }
    if (!err) ty_mp_swap(z, &t);
    ty_mp_clear(&t);
    return err;
}
