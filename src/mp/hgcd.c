/* Half of Euclid's algorithm in less than quadratic time (Knuth 1970; Schoenhage 1971; with one
 * condition on lengths after Moeller, "On Schoenhage's algorithm and subquadratic integer gcd
 * computation", Math. Comp. 77 (2008)), for public numbers.
 *
 * The upper halves of a and b determine the first half of the quotients. These form a matrix M of
 * determinant +-1, which reduces the halves to a quarter of the length, and a and b, by products,
 * to three quarters. This is done again from there, and the matrices are multiplied.
 *
 * The result does not depend on which quotients these are: any matrix of determinant +-1 keeps the
 * gcd, and the lengths alone ensure that a and b stay positive. Let a = a1 B^p + a0, let M have
 * entries of mn limbs, and let M a be either entry of M (a, b). Then M a = M a1 B^p + M a0, and
 * |M a0| < B^(mn + p) <= M a1 B^p if M a1 has more than mn limbs, which is checked before M is
 * applied.
 * bound: O(log n) times a product of n limbs */
#include "mp/lehmer.h"

#include <string.h>

enum { BASE = 96 };   /* limbs, at least 8; shorter numbers are reduced by runs of quotients */

/* A matrix: (a, b) becomes (m[0] a - m[1] b, m[3] b - m[2] a), both negated if `odd`. The entries
 * have n limbs. */
typedef struct half {
    ty_limb *m[4];
    size_t n;
    int odd;
} half;

typedef struct pair {
    ty_limb *a, *b;
    size_t an, bn;
} pair;

static size_t length(const ty_limb *x, size_t n) { return ty_limb_len(x, n); }

/* n limbs of the scratch at *place */
static ty_limb *take(ty_limb **place, size_t n)
{
    ty_limb *at = *place;
    *place += n;
    return at;
}

/* The identity matrix, with room for entries of n limbs, which are zero */
static half identity(ty_limb **place, size_t n)
{
    half h = { .n = 1 };
    for (int i = 0; i < 4; i++) {
        h.m[i] = take(place, n);
        h.m[i][0] = i == 0 || i == 3;
    }
    return h;
}

/* (x, y) = (m00 x + m01 y, m10 x + m11 y) with the entries of r; x and y have n limbs before, n + 1
 * after */
static void mix_pair(ty_limb *x, ty_limb *y, const ty_run *r, size_t n)
{
    ty_limb c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    for (size_t i = 0; i < n; i++) {
        const ty_limb xi = x[i], yi = y[i];
        x[i] = ty_limb_mac(ty_limb_mac(0, xi, r->m00, &c0), yi, r->m01, &c1);
        y[i] = ty_limb_mac(ty_limb_mac(0, xi, r->m10, &c2), yi, r->m11, &c3);
    }
    x[n] = c0 + c1;   /* no carry: entries are at most a, for which there is room */
    y[n] = c2 + c3;
}

/* h = r h: first the quotients of h, then those of r */
static void extend(half *h, const ty_run *r)
{
    mix_pair(h->m[0], h->m[2], r, h->n);
    mix_pair(h->m[1], h->m[3], r, h->n);
    h->odd ^= r->odd;
    size_t n = h->n + 1;
    while (n > 1 && !(h->m[0][n - 1] | h->m[1][n - 1] | h->m[2][n - 1] | h->m[3][n - 1])) n--;
    h->n = n;
}

/* (a, b) = (b, a mod b) and *moved = 1, if the quotient has one limb and the new b more than
 * `least` limbs; else *moved = 0 and nothing changes. Scratch t[an + bn + 4] */
static ty_err half_divide(half *h, pair *x, size_t least, int *moved, ty_limb *t,
                          const ty_alloc *alloc)
{
    const size_t qn = x->an - x->bn + 1;
    ty_limb *r = t, *q = t + x->an;
    *moved = 0;
    if (qn > 2 || x->bn <= least) return TY_OK;
    memcpy(r, x->a, x->an * sizeof *r);
    TY_TRY(ty_mp_divide_vt(q, r, r, x->an, x->b, x->bn, alloc));
    const size_t rn = length(r, x->bn);
    if (length(q, qn) > 1 || rn <= least) return TY_OK;
    const ty_run one = { 0, 1, 1, q[0], 1 };
    extend(h, &one);
    memcpy(x->a, x->b, x->bn * sizeof *r);
    memcpy(x->b, r, rn * sizeof *r);
    x->an = x->bn, x->bn = rn;
    *moved = 1;
    return TY_OK;
}

/* Applies runs of quotients while b has more than `least` limbs afterwards. */
static ty_err short_half(half *h, pair *x, size_t least, ty_limb *t, const ty_alloc *alloc)
{
    for (;;) {
        const size_t n = x->an;
        if (n - x->bn > 1 || x->bn <= least || n < 3) return TY_OK;
        for (size_t i = x->bn; i < n; i++) x->b[i] = 0;
        const ty_run r = ty_run_of(x->a, x->b, n);
        if (!r.m01) {
            int moved;
            TY_TRY(half_divide(h, x, least, &moved, t, alloc));
            if (!moved) return TY_OK;
            continue;
        }
        ty_limb *c = t, *d = t + n;
        ty_run_apply(c, d, x->a, x->b, &r, n);
        const size_t cn = length(c, n), dn = length(d, n);
        if (dn <= least) return TY_OK;
        memcpy(x->a, c, n * sizeof *c);
        memcpy(x->b, d, n * sizeof *d);
        x->an = cn, x->bn = dn;
        extend(h, &r);
    }
}

/* z = xy, either of them the longer one */
static void times(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                  ty_limb *work)
{
    if (xn >= yn) ty_mp_mul_limbs(z, x, xn, y, yn, work);
    else ty_mp_mul_limbs(z, y, yn, x, xn, work);
}

/* z[zn] = top B^p + (x u - y v), or top B^p - (x u - y v) if `minus`, for u, v of p limbs and x, y
 * of mn: top is already in z, from limb p on. s and t have room for a product each. Returns the
 * length of z. */
static size_t replace(ty_limb *z, size_t zn, const ty_limb *x, const ty_limb *u, const ty_limb *y,
                      const ty_limb *v, size_t mn, size_t p, int minus, ty_limb *s, ty_limb *t,
                      ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    times(s, u, p, x, mn, work);
    times(t, v, p, y, mn, work);
    const ty_limb below = minus ? ops->sub(s, t, s, p + mn) : ops->sub(s, s, t, p + mn);
    memcpy(z, s, p * sizeof *z);
    const ty_limb c = ops->add(z + p, z + p, s + p, mn);
    (void)ty_limb_add_1(z + p + mn, z + p + mn, zn - p - mn, c);
    (void)ty_limb_sub_1(z + p + mn, z + p + mn, zn - p - mn, below);
    return length(z, zn);
}

/* Applies h to x, whose a and b have room for n limbs each. For the limbs from p on this is done
 * already, and top holds the result. If b becomes larger than a, they are exchanged, and so are the
 * rows of h. */
static void lower_part(pair *x, size_t n, const pair *top, size_t p, half *h, ty_limb **place)
{
    ty_limb *const mark = *place;
    ty_limb *a = take(place, p), *b = take(place, p), *s = take(place, p + h->n),
            *t = take(place, p + h->n);
    memcpy(a, x->a, p * sizeof *a);
    memcpy(b, x->b, p * sizeof *b);
    memset(x->a + p, 0, (n - p) * sizeof *a);
    memset(x->b + p, 0, (n - p) * sizeof *b);
    memcpy(x->a + p, top->a, top->an * sizeof *a);
    memcpy(x->b + p, top->b, top->bn * sizeof *b);
    x->an = replace(x->a, n, h->m[0], a, h->m[1], b, h->n, p, h->odd, s, t, *place);
    x->bn = replace(x->b, n, h->m[3], b, h->m[2], a, h->n, p, h->odd, s, t, *place);
    *place = mark;
    if (x->an > x->bn || (x->an == x->bn && ty_limb_cmp_vt(x->a, x->b, x->an) >= 0)) return;
    pair y = { x->b, x->a, x->bn, x->an };
    for (size_t i = 0; i < n; i++) {   /* the limbs, not the pointers */
        const ty_limb v = x->a[i];
        x->a[i] = x->b[i], x->b[i] = v;
    }
    x->an = y.an, x->bn = y.bn;
    for (int i = 0; i < 2; i++) {
        ty_limb *row = h->m[i];
        h->m[i] = h->m[i + 2], h->m[i + 2] = row;
    }
    h->odd ^= 1;
}

/* h = g h: first the quotients of h, then those of g. The result's entries are at most a. */
static void multiply(half *h, const half *g, ty_limb **place)
{
    ty_limb *const mark = *place;
    const size_t n = h->n + g->n + 1;   /* a sum of two products may need a bit more */
    ty_limb *s = take(place, n), *t = take(place, n), *u = take(place, n);
    size_t most = 1;
    for (int column = 0; column < 2; column++) {
        ty_limb *x = h->m[column], *y = h->m[column + 2];
        for (int row = 0; row < 2; row++) {
            times(s, g->m[2 * row], g->n, x, h->n, *place);
            times(t, g->m[2 * row + 1], g->n, y, h->n, *place);
            ty_limb *z = row ? s : u;
            z[n - 1] = ty_limb_best()->add(z, s, t, n - 1);
        }
        const size_t xn = length(u, n), yn = length(s, n);
        memcpy(x, u, xn * sizeof *x);
        memcpy(y, s, yn * sizeof *y);
        memset(x + xn, 0, (n - xn) * sizeof *x);
        memset(y + yn, 0, (n - yn) * sizeof *y);
        if (xn > most) most = xn;
        if (yn > most) most = yn;
    }
    h->n = most;
    h->odd ^= g->odd;
    *place = mark;
}

static ty_err half_of(half *h, pair *x, ty_limb *place, const ty_alloc *alloc);

/* Applies to x the matrix that its limbs from p on determine, multiplies h by it unless h is NULL,
 * and sets *moved = 1; or *moved = 0, and nothing changes, if they determine no quotients. */
static ty_err by_top(half *h, pair *x, size_t p, int *moved, ty_limb *place, const ty_alloc *alloc)
{
    const size_t n = x->an;
    *moved = 0;
    if (x->bn <= p + (n - p) / 2 + 1) return TY_OK;
    pair top = { take(&place, n - p), take(&place, n - p), n - p, x->bn - p };
    memset(top.b, 0, (n - p) * sizeof *top.b);
    memcpy(top.a, x->a + p, top.an * sizeof *top.a);
    memcpy(top.b, x->b + p, top.bn * sizeof *top.b);
    half g = identity(&place, n - p + 4);
    TY_TRY(half_of(&g, &top, place, alloc));
    if (top.bn <= g.n || top.an <= g.n || (g.n == 1 && !g.m[1][0] && !g.m[2][0])) return TY_OK;
    lower_part(x, n, &top, p, &g, &place);
    if (h) multiply(h, &g, &place);
    *moved = 1;
    return TY_OK;
}

/* Reduces x to little more than half its length, and h, the identity before, becomes the matrix.
 * The recursion is on upper parts of at most 5/8 of the length, so that its depth is below 2 log2
 * of the length. */
static ty_err half_of(half *h, pair *x, ty_limb *place, const ty_alloc *alloc)
{
    const size_t n = x->an, least = n / 2 + 1;
    if (n < BASE) return short_half(h, x, least, place, alloc);
    while (x->bn > least + 2) {
        int moved;
        size_t p = x->an < 2 * least ? 2 * least - x->an : 0;
        if (x->an - p > 5 * n / 8) p = x->an - n / 2;
        TY_TRY(by_top(h, x, p, &moved, place, alloc));
        if (!moved) TY_TRY(half_divide(h, x, least, &moved, place, alloc));
        if (!moved) break;
    }
    return TY_OK;
}

/* Limbs of scratch: at each level two upper parts and a matrix, 6 times 5/8 n, and the scratch of
 * the level below, in all 10 n; and the scratch of products. */
static size_t room(size_t n) { return 16 * n + 4096 + ty_mp_mul_work(n, n); }

ty_err ty_hgcd_run(ty_euclid *e)
{
    int moved = 1;
    const size_t total = room(e->an);
    ty_limb *place = ty_mp_take(NULL, 0, total, e->alloc);
    if (!place) return TY_ERR_MEM;
    ty_err err = TY_OK;
    while (!err && moved && e->bn > TY_HGCD_LEAST) {
        pair x = { e->a, e->b, e->an, e->bn };
        err = by_top(NULL, &x, x.an / 2, &moved, place, e->alloc);
        e->an = x.an, e->bn = x.bn;
    }
    ty_mp_give(place, NULL, total, e->alloc);
    return err;
}
