/* GF(2)[t]/M for any M, on elements of ANY_W words, in vectors with the carry-less product, for one
 * (size, level). The includer, a file of src/f2m_any, defines
 *     ANY_W    words of an element, 2 to 9
 *     V        v128: one element; v256: two, one in each half, and everything is done to both
 * A lane is 128 bits, two words. What depends only on M is data. M' and mu are those of
 * f2_any.h. */
#ifndef TY_F2M_F2_ANY_SIZE_H
#define TY_F2M_F2_ANY_SIZE_H

#include "base/unroll.h"
#include "base/vec.h"
#include "f2m/f2_any.h"
#include "f2m/f2_any_names.h"
#include "f2m/f2m_inline.h"

#define ANY_LANES ((ANY_W + 1) / 2)
#define ANY_HIGH  (ANY_W / 2)   /* lanes with an upper word */

typedef struct wide {
    V v[ANY_W];   /* 2 W words */
} wide;

/* makes word W zero, after the part above t^n has been reduced */
static F2_INLINE void mask_top(V *x)
{
    if (ANY_W % 2) x[ANY_LANES - 1] = v_low64(x[ANY_LANES - 1]);
}

static F2_INLINE void clear(wide *c)
{
    TY_UNROLL for (int i = 0; i < ANY_W; i++) c->v[i] = v_zero(V);
}

/* the words W + 2i, W + 2i + 1 of c */
static F2_INLINE V above(const V *c, int i)
{
    const int at = (ANY_W + 2 * i) / 2;
    if (ANY_W % 2 == 0) return c[at];
    return at + 1 < ANY_W ? v_span64(c[at], c[at + 1]) : v_span64(c[at], v_zero(V));
}

/* c[0..2n-1) += x y of n lanes' lower words (half 0) or upper ones (half 1): a product for each
 * lane, and one for each pair of lanes */
static F2_INLINE void halves(V *c, const V *x, const V *y, int n, int half)
{
    V own[ANY_LANES];
    TY_UNROLL for (int i = 0; i < n; i++) {
        own[i] = half ? v_clmul_hh(x[i], y[i]) : v_clmul_ll(x[i], y[i]);
        c[2 * i] ^= own[i];
    }
    TY_UNROLL for (int i = 1; i < n; i++) {
        TY_UNROLL for (int j = 0; j < i; j++) {
            const V a = x[i] ^ x[j], b = y[i] ^ y[j];
            c[i + j] ^= ((half ? v_clmul_hh(a, b) : v_clmul_ll(a, b)) ^ (own[i] ^ own[j]));
        }
    }
}

/* c += x y, Karatsuba: lower words, upper words, and their sums for the products at odd words */
static F2_INLINE void product(wide *c, const V *x, const V *y)
{
    V low[2 * ANY_LANES], high[2 * ANY_LANES], sum[2 * ANY_LANES], xs[ANY_LANES], ys[ANY_LANES];
    TY_UNROLL for (int i = 0; i < 2 * ANY_LANES; i++) low[i] = high[i] = sum[i] = v_zero(V);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        xs[i] = x[i] ^ v_swap64(x[i]);
        ys[i] = y[i] ^ v_swap64(y[i]);
    }
    halves(low, x, y, ANY_LANES, 0);
    halves(high, x, y, ANY_HIGH, 1);
    halves(sum, xs, ys, ANY_LANES, 0);
    TY_UNROLL for (int i = 0; i < 2 * ANY_LANES - 1; i++) sum[i] ^= (low[i] ^ high[i]);
    TY_UNROLL for (int i = 0; i < ANY_W; i++) {
        V t = low[i] ^ v_span64(i ? sum[i - 1] : v_zero(V), sum[i]);
        if (i) t ^= high[i - 1];
        c->v[i] ^= t;
    }
}

/* c += x^2: a zero after every bit, by a table of the sixteen nibbles */
static F2_INLINE void square(wide *c, const V *x)
{
    const V spread = v_pair(V, 0x5554515045444140u, 0x1514111005040100u), nibble = v_set8(V, 15);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        const V a = v_shuf8(spread, x[i] & nibble), b = v_shuf8(spread, v_high4(x[i]));
        c->v[2 * i] ^= v_zip_lo8(a, b);
        if (2 * i + 1 < ANY_W) c->v[2 * i + 1] ^= v_zip_hi8(a, b);
    }
}

/* e, o += h fold, where h is lane i of the upper part, of n words, and fold is M' or M - t^m, of
 * `words` words: e[j] begins at word 2j, o[j] at word 2j + 1 */
static F2_INLINE void times_fold(V *e, V *o, V h, int n, V fold, int i, int words)
{
    e[i] ^= v_clmul_ll(h, fold);
    if (n == 2) o[i] ^= v_clmul_hl(h, fold);
    if (words == 2) o[i] ^= v_clmul_lh(h, fold);
    if (words == 2 && n == 2) e[i + 1] ^= v_clmul_hh(h, fold);
}

/* Partial reduction by an M' of `words` words, two rounds. The first leaves `words` words or fewer
 * from t^n on, which fit one lane. */
static F2_INLINE void partial(V *z, const wide *c, const ty_f2_any *f, int words)
{
    const V fold = v_row(V, f->fold);
    V e[ANY_LANES + 1], o[ANY_LANES + 1], e2[2] = { v_zero(V), v_zero(V) },
                                          o2[2] = { v_zero(V), v_zero(V) };
    TY_UNROLL for (int i = 0; i < ANY_LANES + 1; i++) e[i] = o[i] = v_zero(V);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++)
        times_fold(e, o, above(c->v, i), i < ANY_HIGH ? 2 : 1, fold, i, words);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) e[i] ^= v_span64(i ? o[i - 1] : v_zero(V), o[i]);
    e[ANY_LANES] ^= v_span64(o[ANY_LANES - 1], v_zero(V));
    const V again = ANY_W % 2 ? v_span64(e[ANY_LANES - 1], e[ANY_LANES]) : e[ANY_LANES];
    times_fold(e2, o2, again, words, fold, 0, words);
    e2[0] ^= v_span64(v_zero(V), o2[0]);
    e2[1] ^= v_span64(o2[0], v_zero(V));
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        z[i] = c->v[i] ^ e[i];
        if (i < 2) z[i] ^= e2[i];
    }
    mask_top(z);
}

/* Full reduction for M - t^m of `words` words, two rounds, of elements of degree below m: c is cut
 * at t^m, which is inside its word W - 1, so that the part above has to be shifted down by r = m -
 * 64 (W - 1), 1 to 64; so has the part above after the first round. */
static F2_INLINE void full(V *z, const wide *c, const ty_f2_any *f, int words)
{
    const V low = v_row(V, f->low);
    const int r = f->m - 64 * (ANY_W - 1);
    const uint64_t keep = ~(uint64_t)0 >> (64 - r);
    const V mask = ANY_W % 2 ? v_pair(V, 0, keep) : v_pair(V, keep, ~(uint64_t)0);
    V e[ANY_LANES + 1], o[ANY_LANES + 1], e2[2] = { v_zero(V), v_zero(V) },
                                          o2[2] = { v_zero(V), v_zero(V) };
    TY_UNROLL for (int i = 0; i < ANY_LANES + 1; i++) e[i] = o[i] = v_zero(V);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        const int at = (ANY_W - 1 + 2 * i) / 2;             /* the lane of word W - 1 + 2i */
        const V next = at + 1 < ANY_W ? c->v[at + 1] : v_zero(V),
                from = ANY_W % 2 ? c->v[at] : v_span64(c->v[at], next);
        const V h = v_shr64_by(from, r) ^ v_shl64_by(above(c->v, i), 64 - r);
        times_fold(e, o, h, i < ANY_HIGH ? 2 : 1, low, i, words);
    }
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) e[i] ^= v_span64(i ? o[i - 1] : v_zero(V), o[i]);
    e[ANY_LANES] ^= v_span64(o[ANY_LANES - 1], v_zero(V));
    /* `top` begins at word W - 1 and `over` at W + 1 where W is odd, else at W - 2 and W */
    const V top = e[ANY_LANES - 1], over = e[ANY_LANES];
    const V from = ANY_W % 2 ? top : v_span64(top, over),
            above = ANY_W % 2 ? v_span64(top, over) : over;
    times_fold(e2, o2, v_shr64_by(from, r) ^ v_shl64_by(above, 64 - r), words, low, 0, words);
    e2[0] ^= v_span64(v_zero(V), o2[0]);
    e2[1] ^= v_span64(o2[0], v_zero(V));
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        z[i] = c->v[i] ^ e[i];
        if (i == ANY_LANES - 1) z[i] &= mask;
        if (i < 2) z[i] ^= e2[i];
    }
}

/* c = x y; Barrett's two products are called where they are long */
static F2_INLINE void any_times_inline(wide *c, const V *x, const V *y)
{
    clear(c);
    product(c, x, y);
}

static F2_NOINLINE void any_times(wide *c, const V *x, const V *y) { any_times_inline(c, x, y); }

static F2_INLINE void times(wide *c, const V *x, const V *y)
{
    if (ANY_W <= 4) any_times_inline(c, x, y);
    else any_times(c, x, y);
}

/* For c = ch t^n + cl: q = ch + ch mu/t^n, as mu is stored without its first term; z = cl + q M',
 * below t^n */
static F2_INLINE void barrett(V *z, const wide *c, const ty_f2_any *f)
{
    V h[ANY_LANES], q[ANY_LANES], constant[ANY_LANES];
    wide p;
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) h[i] = above(c->v, i);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) constant[i] = v_row(V, f->mu + 2 * i);
    times(&p, h, constant);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) q[i] = h[i] ^ above(p.v, i);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) constant[i] = v_row(V, f->fold + 2 * i);
    times(&p, q, constant);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) z[i] = c->v[i] ^ p.v[i];
    mask_top(z);
}

/* The reduction of a product, for all M in five shapes; M and the method determine the shape
 * (ty_f2_any_shape), which never changes for a field:
 *     TY_F2_ONE, _TWO       partial reduction for an M' that ends in its first or second word, two
 *                           rounds: nearly every polynomial of a standard
 *     TY_F2_DENSE           Barrett's, for any M
 *     TY_F2_FULL1, _FULL2   full reduction for an M whose second exponent is in its first or second
 *                           word, two rounds */
static F2_INLINE void reduce(V *z, const wide *c, const ty_f2_any *f, int shape)
{
    switch (shape) {
    case TY_F2_ONE: partial(z, c, f, 1); break;
    case TY_F2_TWO: partial(z, c, f, 2); break;
    case TY_F2_DENSE: barrett(z, c, f); break;
    case TY_F2_FULL1: full(z, c, f, 1); break;
    default: full(z, c, f, 2); break;
    }
}

#endif
