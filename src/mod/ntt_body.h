/* Transforms and products over one of the three primes, in vectors of W values. Template, included
 * once in a unit, after the tier's definitions:
 *   word      one value;  vec  W of them;  load, store, all, add, sub
 *   consts    the prime, as vectors;  consts_of(prime), word_of(x, p) for x < p
 *   factor    a value to multiply by, with its quotient by p;  factor_of(word, consts)
 *   times     by a factor: the result is small, see the tier; reduce: to a smaller representative;
 *             least: to the tier's smallest; canonical: to [0, p)
 *   product   of two variable values
 *   quotients v[W] for w[W]
 *   LEAF      points of the nodes at which passes end, 1, 16 or 64; leaves_forward, leaves_inverse:
 *             all levels of consecutive nodes of that size
 *   WIDEST    the most nodes into which a pass divides one, 4 or 8; forward_8, inverse_8: passes
 *             that divide by 8
 *   residues  the values of W digits;  put_digits: integers of W canonical values
 * The ranges are in the tiers. */
#ifndef TY_MOD_NTT_BODY_H
#define TY_MOD_NTT_BODY_H

#include "base/unroll.h"

enum {
    /* points of a node for which both operands stay in the first-level cache */
    CACHED = 1024,
    /* consecutive factors that the inverse of node 0 needs */
    NEAR = LEAF / 2 > 8 ? LEAF / 2 : 8
};

/* The twiddle factors w and their quotients v; first_w, first_v: those that the inverse of node 0
 * needs, see undo. */
struct ring {
    consts k;
    const ty_ntt_prime *prime;
    word *w, *v;
    word first_w[NEAR], first_v[NEAR];
};

static inline factor at(const word *w, const word *v)
{
    const factor f = { all(*w), all(*v) };
    return f;
}

/* w[i] = w[i - have] root, and the quotients, for `from` <= i < `to` */
static void TY_K(ntt_more_roots)(ring *r, size_t have, size_t from, size_t to, factor root)
{
    const consts k = r->k;
    for (size_t i = from; i < to; i += W) {
        const vec w = least(times(load(r->w + i - have), root, &k), &k);
        store(r->w + i, w);
        store(r->v + i, quotients(w, &k));
    }
}

/* Node j of the inverse needs -1/w[j], which is w[mirror(j)], where all bits of j but the highest
 * one are inverted: the angle of -1/w is half a turn minus that of w. The factors for 2j and 2j + 1
 * are at 2 mirror(j) + 1 and 2 mirror(j), in reverse order. Only w[0] = 1 has no such partner. */
static inline size_t mirror(size_t j)
{
    return j ? j ^ (((size_t)1 << (63 - __builtin_clzll((unsigned long long)j))) - 1) : 0;
}

/* Each root doubles the number of known factors. The first steps write whole vectors, beyond the
 * known factors; the next ones overwrite the excess. Of the last level only the factors of nodes
 * below n/2 are computed, and the mirrored ones for the inverse. */
static void TY_K(ntt_make_roots)(ring *r, size_t count, size_t n)
{
    const consts k = r->k;
    const factor one = factor_of(word_of(1, r->prime->p), &k);
    store(r->w, one.w);
    store(r->v, one.v);
    for (size_t have = 1, level = 0; have < count; have *= 2, level++) {
        const factor root = factor_of(word_of(r->prime->roots[level], r->prime->p), &k);
        const size_t end = 2 * have, use = n / 2 < end ? n / 2 : end, back = have + (end - use);
        TY_K(ntt_more_roots)(r, have, have, use, root);
        TY_K(ntt_more_roots)(r, have, back > use ? back : use, end, root);
    }
    for (size_t i = 0, node = NEAR - 1; i < NEAR; i++, node--)
        r->first_w[i] = r->w[mirror(node)], r->first_v[i] = r->v[mirror(node)];
    r->first_w[NEAR - 1] = word_of(r->prime->p - 1, r->prime->p);
    store_one(r->first_v + NEAR - 1, quotients(all(r->first_w[NEAR - 1]), &k));
}

/* --- Forward ---------------------------------------------------------------------------------- */

/* From node j, of 2h points, to its two children:   u + cv, u - cv */
static void TY_K(ntt_forward_2)(word *x, size_t h, size_t j, const ring *r)
{
    const consts k = r->k;
    const factor c = at(r->w + j, r->v + j);
    for (word *end = x + h; x < end; x += W) {
        const vec u = reduce(load(x), &k), v = times(load(x + h), c, &k);
        store(x, add(u, v));
        store(x + h, sub(u, v, &k));
    }
}

/* From node j, of 4h points, to its four grandchildren */
static void TY_K(ntt_forward_4)(word *x, size_t h, size_t j, const ring *r)
{
    const consts k = r->k;
    const factor f = at(r->w + j, r->v + j), g = at(r->w + 2 * j, r->v + 2 * j),
                 i = at(r->w + 2 * j + 1, r->v + 2 * j + 1);
    for (word *end = x + h; x < end; x += W) {
        const vec a = reduce(load(x), &k), b = load(x + h);
        const vec c = times(load(x + 2 * h), f, &k), d = times(load(x + 3 * h), f, &k);
        const vec s = add(a, c), t = sub(a, c, &k);
        const vec u = times(add(b, d), g, &k), v = times(sub(b, d, &k), i, &k);
        store(x, add(s, u));
        store(x + h, sub(s, u, &k));
        store(x + 2 * h, add(t, v));
        store(x + 3 * h, sub(t, v, &k));
    }
}

/* Into how many nodes the next pass divides one that is to become `nodes`, a power of two: passes
 * do as many levels at once as possible, and a single level only where that is unavoidable. */
static inline size_t next_pass(size_t nodes)
{
    const unsigned most = WIDEST == 8 ? 3 : 2,
                   levels = (unsigned)__builtin_ctzll((unsigned long long)nodes),
                   odd = levels % most;
    if (!odd) return WIDEST;
    return odd == 1 && (most == 2 || levels == 1) ? 2 : 4;
}

static void TY_K(ntt_forward_pass)(word *x, size_t h, size_t j, size_t by, const ring *r)
{
    if (by == 8) TY_K(ntt_forward_8)(x, h, j, r);
    else if (by == 4) TY_K(ntt_forward_4)(x, h, j, r);
    else TY_K(ntt_forward_2)(x, h, j, r);
}

/* all levels of node j, of m points in the cache */
static void TY_K(ntt_forward)(word *x, size_t m, size_t j, const ring *r)
{
    size_t nodes = 1, size = m;
    while (size > LEAF) {
        const size_t by = next_pass(size / LEAF), h = size / by;
        for (size_t i = 0; i < nodes; i++)
            TY_K(ntt_forward_pass)(x + i * size, h, nodes * j + i, by, r);
        nodes *= by, size = h;
    }
    TY_K(ntt_leaves_forward)(x, nodes, nodes * j, r);
}

/* --- Inverse, not divided by the number of points --------------------------------------------- */

/* w, v = the place of count factors of the inverse and of their quotients: that of node j for count
 * = 1, those of its children 1 and 0 in this order for 2, of their children for 4, .. */
static inline void undo(const word **w, const word **v, size_t j, size_t count, const ring *r)
{
    const size_t place = j ? count * mirror(j) : NEAR - count;
    *w = (j ? r->w : r->first_w) + place;
    *v = (j ? r->v : r->first_v) + place;
}

static inline factor undo_at(size_t j, size_t count, size_t i, const ring *r)
{
    const word *w, *v;
    undo(&w, &v, j, count, r);
    return at(w + i, v + i);
}

/* u + v, (u - v)/c */
static void TY_K(ntt_inverse_2)(word *x, size_t h, size_t j, const ring *r)
{
    const consts k = r->k;
    const factor c = undo_at(j, 1, 0, r);
    for (word *end = x + h; x < end; x += W) {
        const vec u = load(x), v = load(x + h);
        store(x, reduce(add(u, v), &k));
        store(x + h, times(sub(v, u, &k), c, &k));
    }
}

static void TY_K(ntt_inverse_4)(word *x, size_t h, size_t j, const ring *r)
{
    const consts k = r->k;
    const factor f = undo_at(j, 1, 0, r), i = undo_at(j, 2, 0, r), g = undo_at(j, 2, 1, r);
    for (word *end = x + h; x < end; x += W) {
        const vec a = load(x), b = load(x + h), c = load(x + 2 * h), d = load(x + 3 * h);
        const vec s = add(a, b), t = add(c, d);
        const vec u = times(sub(b, a, &k), g, &k), v = times(sub(d, c, &k), i, &k);
        store(x, reduce(add(s, t), &k));
        store(x + h, add(u, v));
        store(x + 2 * h, times(sub(t, s, &k), f, &k));
        store(x + 3 * h, times(sub(v, u, &k), f, &k));
    }
}

static void TY_K(ntt_inverse_pass)(word *x, size_t h, size_t j, size_t by, const ring *r)
{
    if (by == 8) TY_K(ntt_inverse_8)(x, h, j, r);
    else if (by == 4) TY_K(ntt_inverse_4)(x, h, j, r);
    else TY_K(ntt_inverse_2)(x, h, j, r);
}

static void TY_K(ntt_inverse)(word *x, size_t m, size_t j, const ring *r)
{
    size_t nodes = m / LEAF, size = LEAF;
    TY_K(ntt_leaves_inverse)(x, nodes, nodes * j, r);
    while (nodes > 1) {
        const size_t by = next_pass(nodes);
        nodes /= by;
        for (size_t i = 0; i < nodes; i++)
            TY_K(ntt_inverse_pass)(x + by * i * size, size, nodes * j + i, by, r);
        size *= by;
    }
}

/* --- Products modulo x^m - c of node j -------------------------------------------------------- */

/* x = scale xy, or scale x^2 if y is NULL */
static void TY_K(ntt_pointwise)(word *x, const word *y, size_t m, factor scale, const ring *r)
{
    const consts k = r->k;
    for (size_t i = 0; i < m; i += W) {
        const vec u = load(x + i), v = y ? load(y + i) : u;
        store(x + i, product(times(u, scale, &k), v, &k));
    }
}

/* x = xy or x^2; y is destroyed. A node that does not fit the cache is divided first, and each part
 * is finished before the next one is begun, so that values stay in the caches as long as possible.
 * Depth of the recursion: half of log2(m) at most. */
static void TY_K(ntt_convolve)(word *x, word *y, size_t m, size_t j, factor scale, const ring *r)
{
    if (m > CACHED) {
        const size_t h = m / WIDEST;
        TY_K(ntt_forward_pass)(x, h, j, WIDEST, r);
        if (y) TY_K(ntt_forward_pass)(y, h, j, WIDEST, r);
        for (size_t i = 0; i < WIDEST; i++)
            TY_K(ntt_convolve)(x + i * h, y ? y + i * h : NULL, h, WIDEST * j + i, scale, r);
        TY_K(ntt_inverse_pass)(x, h, j, WIDEST, r);
        return;
    }
    TY_K(ntt_forward)(x, m, j, r);
    if (y) TY_K(ntt_forward)(y, m, j, r);
    TY_K(ntt_pointwise)(x, y, m, scale, r);
    TY_K(ntt_inverse)(x, m, j, r);
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* With y = x^step a column is a polynomial in y, of `columns` coefficients `step` apart; its parts
 * are its residues modulo y^size - c, where c = w[at/size/2], which is w[0] = 1 for the first part.
 * All counts are compile-time constants. */

enum { MOST = 7 };

typedef struct parts {
    unsigned count, at[3], size[3];
} parts;

/* 3 = 2 + 1, 5 = 4 + 1, 7 = 4 + 2 + 1 */
TY_INLINE parts parts_of(unsigned columns)
{
    const parts three = { 2, { 0, 2 }, { 2, 1 } }, five = { 2, { 0, 4 }, { 4, 1 } },
                seven = { 3, { 0, 4, 6 }, { 4, 2, 1 } };
    const parts one = { 1, { 0 }, { 1 } };
    return columns == 3 ? three : columns == 5 ? five : columns == 7 ? seven : one;
}

static inline unsigned half_node(const parts *s, unsigned i) { return s->at[i] / s->size[i] / 2; }

/* sum c^l f[from + l size] by Horner's rule, l < count; c = NULL stands for 1, that of the first
 * part */
TY_INLINE vec remainder_of(const vec *f, unsigned from, unsigned size, unsigned count,
                           const factor *c, const consts *k)
{
    vec sum = f[from + (count - 1) * size];
    TY_UNROLL for (unsigned l = count - 1; l-- > 0;) sum =
        add(c ? times(sum, *c, k) : sum, f[from + l * size]);
    return sum;
}

TY_INLINE void columns_forward_of(word *x, size_t step, unsigned columns, const ring *r)
{
    const consts k = r->k;
    const parts s = parts_of(columns);
    factor c[3];
    TY_UNROLL for (unsigned i = 0; i < s.count; i++) c[i] =
        at(r->w + half_node(&s, i), r->v + half_node(&s, i));
    for (word *end = x + step; x < end; x += W) {
        vec f[MOST];
        TY_UNROLL for (unsigned n = 0; n < columns; n++) f[n] = load(x + n * step);
        TY_UNROLL for (unsigned i = 0; i < s.count; i++) {
            const unsigned size = s.size[i];
            TY_UNROLL for (unsigned n = 0; n < size; n++) store(
                x + (s.at[i] + n) * step,
                remainder_of(f, n, size, (columns - n + size - 1) / size, i ? c + i : NULL, &k));
        }
    }
}

/* minus = -c, for f + Qg below, and over = 1/Q for each part. Q is the product of the y^size - c of
 * the parts before. Modulo a later part it is a number: a later part divides y^s + d, the sibling
 * of y^s - d, so that y^s - d = -2d there. -1/d is a factor of the inverse, and 1/2 = (p + 1)/2. */
static void TY_K(ntt_part_factors)(factor minus[3], factor over[3], const parts *s, const ring *r)
{
    const consts k = r->k;
    const factor minus_one = factor_of(word_of(r->prime->p - 1, r->prime->p), &k);
    const factor half = factor_of(word_of((r->prime->p + 1) / 2, r->prime->p), &k);
    vec q = all(word_of(1, r->prime->p));
    for (unsigned i = 0; i < s->count; i++) {
        over[i] = factor_of(first(q), &k);
        minus[i] =
            factor_of(first(least(times(load(r->w + half_node(s, i)), minus_one, &k), &k)), &k);
        q = least(times(times(q, undo_at(half_node(s, i), 1, 0, r), &k), half, &k), &k);
    }
}

/* The inverse, part by part: with f known modulo Q and v modulo the next y^size - c, the polynomial
 * modulo both is f + Qg with g = (v - f)/Q mod y^size - c. */
TY_INLINE void columns_inverse_of(word *x, size_t step, unsigned columns, const ring *r)
{
    const consts k = r->k;
    const parts s = parts_of(columns);
    factor c[3], minus[3], over[3];
    TY_UNROLL for (unsigned i = 0; i < s.count; i++) c[i] =
        at(r->w + half_node(&s, i), r->v + half_node(&s, i));
    TY_K(ntt_part_factors)(minus, over, &s, r);
    for (word *end = x + step; x < end; x += W) {
        vec f[MOST], e[MOST];
        TY_UNROLL for (unsigned n = 0; n < columns; n++) f[n] = load(x + n * step);
        TY_UNROLL for (unsigned i = 1; i < s.count; i++) {
            const unsigned from = s.at[i], size = s.size[i], below = s.at[i - 1];
            TY_UNROLL for (unsigned n = 0; n < size; n++) {
                const vec known = reduce(remainder_of(f, n, size, from / size, c + i, &k), &k);
                e[n] = times(sub(f[from + n], known, &k), over[i], &k);
            }
            /* Qg: a factor y^s - d of Q adds g s columns higher, and -d g in place; d = 1 in the
             * first part */
            if (i == 2) {
                TY_UNROLL for (unsigned n = 0; n < size; n++) {
                    const unsigned up = s.size[1] + n;
                    const vec low = times(e[n], minus[1], &k);
                    f[below + size * 2 + n] = e[n];   /* y^(4 + 2) */
                    f[s.size[0] + n] = add(f[s.size[0] + n], low);
                    f[up] = sub(f[up], e[n], &k);
                    f[n] = sub(f[n], low, &k);
                }
            } else {
                TY_UNROLL for (unsigned n = 0; n < size; n++) f[from + n] = e[n],
                                                                       f[n] = sub(f[n], e[n], &k);
            }
        }
        TY_UNROLL for (unsigned n = 0; n < columns; n++) store(x + n * step, f[n]);
    }
}

static void TY_K(ntt_columns_forward)(word *x, size_t step, size_t columns, const ring *r)
{
    if (columns == 3) columns_forward_of(x, step, 3, r);
    if (columns == 5) columns_forward_of(x, step, 5, r);
    if (columns == 7) columns_forward_of(x, step, 7, r);
}

static void TY_K(ntt_columns_inverse)(word *x, size_t step, size_t columns, const ring *r)
{
    if (columns == 3) columns_inverse_of(x, step, 3, r);
    if (columns == 5) columns_inverse_of(x, step, 5, r);
    if (columns == 7) columns_inverse_of(x, step, 7, r);
}

/* --- Digits ----------------------------------------------------------------------------------- */

/* x[n] = the digits of a, zeros above */
static void TY_K(ntt_spread)(word *x, const ty_ntt_plan *plan, const ty_limb *a, size_t an,
                             uint64_t *digits, const consts *k)
{
    const size_t count = ty_ntt_digits(an, plan->bits);
    size_t i = 0;
    for (; i < count; i += TY_NTT_BLOCK) {
        ty_ntt_split(digits, a, an, i, plan->bits);
        for (size_t l = 0; l < TY_NTT_BLOCK && i + l < plan->n; l += W)
            store(x + i + l, residues(digits + l, k));
    }
    if (i < plan->n) memset(x + i, 0, (plan->n - i) * sizeof *x);
}

/* Mixed-radix digits (Garner) of up to a block of values: value i is t[i] + a (t[BLOCK + i] +
 * b t[2 BLOCK + i]), each digit below its prime */
static void TY_K(ntt_garner)(uint64_t *t, word *const x[3], size_t from, size_t count,
                             const consts k[3])
{
    const factor b1 = factor_of(word_of(ty_ntt_join.b, ty_ntt_primes[1].p), &k[1]);
    const factor c1 = factor_of(word_of(ty_ntt_join.c, ty_ntt_primes[2].p), &k[2]);
    const factor c2 = factor_of(word_of(ty_ntt_join.minus_c, ty_ntt_primes[2].p), &k[2]);
    for (size_t i = 0; i < count; i += W) {
        const vec u = canonical(load(x[0] + from + i), &k[0]);
        const vec v = canonical(times(sub(load(x[1] + from + i), u, &k[1]), b1, &k[1]), &k[1]);
        const vec z =
            add(times(sub(load(x[2] + from + i), u, &k[2]), c1, &k[2]), times(v, c2, &k[2]));
        put_digits(t + i, u);
        put_digits(t + TY_NTT_BLOCK + i, v);
        put_digits(t + 2 * TY_NTT_BLOCK + i, canonical(z, &k[2]));
    }
}

/* --- The product of integers ------------------------------------------------------------------ */

static void TY_K(ntt_one_prime)(word *x, word *y, word *roots, const ty_ntt_plan *plan,
                                const ty_limb *a, size_t an, const ty_limb *b, size_t bn,
                                uint64_t *digits, ring *r)
{
    r->w = roots, r->v = roots + plan->roots;
    TY_K(ntt_make_roots)(r, plan->roots, plan->n);
    TY_K(ntt_spread)(x, plan, a, an, digits, &r->k);
    if (b) TY_K(ntt_spread)(y, plan, b, bn, digits, &r->k);
    TY_K(ntt_columns_forward)(x, plan->step, plan->columns, r);
    if (b) TY_K(ntt_columns_forward)(y, plan->step, plan->columns, r);
    const parts s = parts_of((unsigned)plan->columns);
    for (unsigned i = 0; i < s.count; i++) {
        const size_t m = s.size[i] * plan->step, place = s.at[i] * plan->step;
        const uint64_t p = r->prime->p;   /* p - 1 = -1 is a multiple of m: 1/m = -(p - 1)/m */
        const factor scale = factor_of(word_of(p - (p - 1) / m, p), &r->k);
        TY_K(ntt_convolve)(x + place, b ? y + place : NULL, m, place / m, scale, r);
    }
    TY_K(ntt_columns_inverse)(x, plan->step, plan->columns, r);
}

static void TY_K(ntt_whole)(ty_limb *z, const ty_limb *a, size_t an, const ty_limb *b, size_t bn,
                            const ty_ntt_plan *plan, ty_limb *work)
{
    const size_t apart = plan->n + TY_NTT_APART;
    word *base = (word *)(void *)(((uintptr_t)work + 63) & ~(uintptr_t)63);
    word *x[3] = { base, base + apart, base + 2 * apart }, *y = base + 3 * apart,
         *roots = y + apart;
    uint64_t *digits = (uint64_t *)(void *)(roots + 2 * plan->roots);
    consts k[3];
    ring r;
    for (int i = 0; i < 3; i++) {
        r.prime = &ty_ntt_primes[i];
        k[i] = r.k = consts_of(r.prime);
        TY_K(ntt_one_prime)(x[i], y, roots, plan, a, an, b, bn, digits, &r);
    }
    ty_ntt_sum sum = ty_ntt_sum_open(z, plan->cycle ? plan->cycle : an + bn, plan->bits);
    for (size_t at_digit = 0; at_digit < sum.digits; at_digit += TY_NTT_BLOCK) {
        const size_t left = sum.digits - at_digit,
                     count = left < TY_NTT_BLOCK ? left : TY_NTT_BLOCK;
        TY_K(ntt_garner)(digits, x, at_digit, count, k);
        ty_ntt_sum_add(&sum, digits, at_digit, count);
    }
    if (plan->cycle) ty_ntt_sum_close(&sum);
}

#endif
