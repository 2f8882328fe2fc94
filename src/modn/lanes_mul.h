/* The kernels of ty_lanes_ops. Template, once per level. The level defines before it
 *
 *   V            a vector (base/vec.h) of LANES integers of 64 bits
 *   form(x)      a digit, brought into the form that product takes; digit(x) brings it back
 *   product(&lo, &hi, a, b)   lo += LO_EXCESS + l and hi += HI_EXCESS + h with ab = h D + l, where
 *                |l| and h are at most D and a, b are digits in form
 *
 * bound: product n^2 times for a product, n(n + 1)/2 times for a square, and n^2 + 1 times to
 * reduce; everything else is linear in n, including the wait for quotient digits: see redc. */
#include "base/unroll.h"

enum {
    LANES = sizeof(V) / 8,
    AT = LANES,   /* words from one digit to the next */
    ROWS = 3      /* digits of one factor that are held in registers: with more rows, which would
                     have to share AVX2's sixteen registers, moves cost more than the rows save */
};

#define DIGIT_MASK  (((uint64_t)1 << TY_LANES_BITS) - 1)
/* An offset keeps columns from being negative; CARRIED is its part in a column's carry. */
#define OFFSET      ((uint64_t)1 << 62)
#define CARRIED     (OFFSET >> TY_LANES_BITS)
#define UNROLLED    _Pragma("GCC unroll 8")

TY_INLINE V at(const uint64_t *p, size_t i) { return v_load(V, p + i * AT); }
TY_INLINE void put_at(uint64_t *p, size_t i, V x) { v_store(p + i * AT, x); }

/* --- Sums of products */

/* One column: adds b[r] a[-r] for the rows from <= r < to. Returns lo with the lower halves; the
 * upper ones belong to the next column, and become *up. */
TY_INLINE V column(V *up, V lo, const uint64_t *a, const V b[ROWS], int from, int to)
{
    V hi = v_set64(V, 0);
    UNROLLED for (int r = 0; r < ROWS; r++)
        if (from <= r && r < to) product(&lo, &hi, v_load(V, a - r * AT), b[r]);
    *up = hi;
    return lo;
}

/* Columns from <= s < to of t += b a, each with all R rows: t[s] += sum of b[r] a[s - r]. */
TY_INLINE void columns(uint64_t *t, const uint64_t *a, const V b[ROWS], V *up, size_t from,
                       size_t to, int R)
{
    for (size_t s = from; s < to; s++)
        put_at(t, s, column(up, v_add64(at(t, s), *up), a + s * AT, b, 0, R));
}

/* The same for R = ROWS: the last digits of `a` rotate through registers, so that each is loaded
 * once. */
#define TURN(x0, x1, x2)                                                                           \
    do {                                                                                           \
        V hi_ = v_set64(V, 0), lo_ = v_add64(at(t, s), *up);                                       \
        x0 = at(a, s);                                                                             \
        product(&lo_, &hi_, x0, b[0]);                                                             \
        product(&lo_, &hi_, x1, b[1]);                                                             \
        product(&lo_, &hi_, x2, b[2]);                                                             \
        put_at(t, s++, lo_);                                                                       \
        *up = hi_;                                                                                 \
    } while (0)

TY_INLINE void full_columns(uint64_t *t, const uint64_t *a, const V b[ROWS], V *up, size_t from,
                            size_t to)
{
    size_t s = from;
    V x0, x1 = at(a, s - 1), x2 = at(a, s - 2);
    while (s + 3 <= to) {
        TURN(x0, x1, x2);
        TURN(x2, x0, x1);
        TURN(x1, x2, x0);
    }
    columns(t, a, b, up, s, to, ROWS);
}

/* the last columns, where the rows end one after the other; `a` has n digits */
TY_INLINE void tail(uint64_t *t, const uint64_t *a, const V b[ROWS], V up, size_t n, int R)
{
    UNROLLED for (int r = 1; r < R; r++, n++)
        put_at(t, n, column(&up, v_add64(at(t, n), up), a + n * AT, b, r, R));
    put_at(t, n, v_add64(at(t, n), up));
}

/* t += y[0..R) x */
TY_INLINE void mul_rows(uint64_t *t, const uint64_t *x, const uint64_t *y, size_t n, int R)
{
    V b[ROWS], up = v_set64(V, 0);
    UNROLLED for (int r = 0; r < ROWS; r++) b[r] = at(y, r < R ? (size_t)r : 0);
    UNROLLED for (int s = 0; s < R - 1; s++)
        put_at(t, (size_t)s, column(&up, v_add64(at(t, (size_t)s), up), x + s * AT, b, 0, s + 1));
    if (R == ROWS) full_columns(t, x, b, &up, (size_t)R - 1, n);
    else columns(t, x, b, &up, (size_t)R - 1, n, R);
    tail(t, x, b, up, n, R);
}

/* t += the products of x[0..ROWS) with each other and with all above them, n >= 2 ROWS */
TY_INLINE void sqr_rows(uint64_t *t, const uint64_t *x, size_t n)
{
    V b[ROWS], up = v_set64(V, 0);
    UNROLLED for (int r = 0; r < ROWS; r++) b[r] = at(x, (size_t)r);
    UNROLLED for (int s = 1; s < 2 * ROWS - 1; s++) /* rows r < s - r */
        put_at(t, (size_t)s,
               column(&up, v_add64(at(t, (size_t)s), up), x + s * AT, b, 0, (s + 1) / 2));
    full_columns(t, x, b, &up, 2 * ROWS - 1, n);
    tail(t, x, b, up, n, ROWS);
}

/* Columns begin with the offset less all excess that the computation adds to them; t is that
 * divided by `divisor`, which is 1 or 2. While c < n, column c gets the lower halves of c + 1
 * products of digits and of c products with the step; from n on, those of 2n - 1 - c of either kind
 * and, except in column 2n - 1, of one product of the last row. Every column also gets the upper
 * halves of the products of the column before. (The excess of the last row in column n - 1 is
 * subtracted by last_row.) */
TY_INLINE void start(uint64_t *t, size_t n, unsigned divisor)
{
    const V two = v_set64(V, 2 * (LO_EXCESS + HI_EXCESS) / divisor);
    const uint64_t base = OFFSET - CARRIED - LO_EXCESS + HI_EXCESS;
    V v = v_set64(V, base / divisor);
    for (size_t c = 0; c < n; c++, v = v_sub64(v, two)) put_at(t, c, v);
    v = v_add64(v, v_set64(V, 2 * (LO_EXCESS - HI_EXCESS) / divisor));
    for (size_t c = n; c < 2 * n; c++, v = v_add64(v, two)) put_at(t, c, v);
    put_at(t, 0, v_set64(V, (OFFSET - LO_EXCESS) / divisor));
    put_at(t, n, v_add64(at(t, n), v_set64(V, HI_EXCESS / divisor)));
    put_at(t, 2 * n - 1, v_add64(at(t, 2 * n - 1), v_set64(V, LO_EXCESS / divisor)));
}

/* --- Reduction */

/* The R lowest digits of t are quotient digits, each known when the products of those before it are
 * added: this completes t[0..R]; *up belongs to t[R + 1]. */
TY_INLINE void digits(V q[ROWS], V *up, uint64_t *t, const uint64_t *step, int R)
{
    const V mask = v_set64(V, DIGIT_MASK);
    V v = at(t, 0);
    *up = v_set64(V, 0);
    UNROLLED for (int r = 0; r < R; r++) {
        q[r] = form(v & mask);
        v = column(up, v_add64(at(t, (size_t)r + 1), v_add64(v_shr64(v, TY_LANES_BITS), *up)),
                   step + r * AT, q, 0, r + 1);
    }
    put_at(t, (size_t)R, v);
}

/* The last digit is cleared by m itself; the rest is converted to digits. t points at that digit */
TY_INLINE void last_row(uint64_t *z, const uint64_t *t, const ty_lanes *w)
{
    const size_t n = w->n;
    const V mask = v_set64(V, DIGIT_MASK), excess = v_set64(V, 0 - LO_EXCESS);
    V v = at(t, 0), low = excess, up = v_set64(V, 0), next;
    product(&low, &up, form(v & mask), v_load(V, w->minv));
    const V q = form(low & mask);
    up = v_set64(V, 0);
    v = v_add64(v, excess);
    product(&v, &up, v_load(V, w->m), q);
    for (size_t j = 1; j < n; j++, up = next) {
        next = v_set64(V, 0);
        v = v_add64(v_shr64(v, TY_LANES_BITS), v_add64(at(t, j), up));
        product(&v, &next, at(w->m, j), q);
        put_at(z, j - 1, form(v & mask));
    }
    put_at(z, n - 1, form(v_add64(v_shr64(v, TY_LANES_BITS), v_add64(at(t, n), up)) & mask));
}

/* t += the R lowest digits of t times the step */
TY_INLINE void redc_rows(uint64_t *t, const uint64_t *step, size_t n, int R)
{
    V q[ROWS], up;
    digits(q, &up, t, step, R);
    if (R == ROWS) full_columns(t + AT, step, q, &up, ROWS, n);
    else columns(t + AT, step, q, &up, (size_t)R, n, R);
    tail(t + AT, step, q, up, n, R);
}

/* z = t/R mod m. Between one quotient digit and the next there are a product (two dependent FMAs
 * where digits are doubles) and a conversion, some 20 cycles, three times for ROWS; out-of-order
 * execution computes them during the columns before. (Computing the next ones explicitly, once
 * their columns are complete, was no faster.) */
TY_INLINE void redc(uint64_t *z, const ty_lanes *w)
{
    uint64_t *t = w->t;
    size_t rows = w->n - 1;
    for (; rows >= ROWS; rows -= ROWS, t += ROWS * AT) redc_rows(t, w->step, w->n, ROWS);
    for (; rows; rows--, t += AT) redc_rows(t, w->step, w->n, 1);
    last_row(z, t, w);
}

/* --- The kernels */

static void TY_K(lanes_mul)(uint64_t *z, const uint64_t *x, const uint64_t *y, const ty_lanes *w)
{
    const size_t n = w->n;
    uint64_t *t = w->t;
    size_t i = 0;
    start(t, n, 1);
    for (; i + ROWS <= n; i += ROWS) mul_rows(t + i * AT, x, y + i * AT, n, ROWS);
    for (; i < n; i++) mul_rows(t + i * AT, x, y + i * AT, n, 1);
    redc(z, w);
}

/* Products of different digits are summed once and doubled, with half of the columns' first values,
 * which are all even. */
static void TY_K(lanes_sqrs)(uint64_t *z, size_t count, const ty_lanes *w)
{
    const size_t n = w->n;
    while (count--) {
        uint64_t *t = w->t;
        size_t i = 0;
        start(t, n, 2);
        for (; i + 2 * ROWS <= n; i += ROWS) sqr_rows(t + 2 * i * AT, z + i * AT, n - i);
        for (; i + 1 < n; i++) {
            const V b[ROWS] = { at(z, i) };
            V up = v_set64(V, 0);
            columns(t + 2 * i * AT, z + i * AT, b, &up, 1, n - i, 1);
            tail(t + 2 * i * AT, z + i * AT, b, up, n - i, 1);
        }
        for (i = 0; i < n; i++, t += 2 * AT) {
            const V x = at(z, i);
            V lo = v_add64(at(t, 0), at(t, 0)), hi = v_add64(at(t, 1), at(t, 1));
            product(&lo, &hi, x, x);
            put_at(t, 0, lo);
            put_at(t, 1, hi);
        }
        redc(z, w);
    }
}

static void TY_K(lanes_put)(uint64_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++) put_at(x, i, form(at(x, i)));
}

static void TY_K(lanes_get)(uint64_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++) put_at(x, i, digit(at(x, i)));
}

/* Four digits at a time, so that the comparison with the index is shared. */
static void TY_K(lanes_gather)(uint64_t *z, const uint64_t *table, size_t n, size_t count,
                               const uint64_t *index)
{
    const V want = v_load(V, index), one = v_set64(V, 1);
    for (size_t i = 0; i < n; i += 4) {
        const size_t i1 = i + 1 < n ? i + 1 : i, i2 = i + 2 < n ? i + 2 : i,
                     i3 = i + 3 < n ? i + 3 : i;
        const uint64_t *entry = table;
        V k = v_set64(V, 0), a = k, b = k, c = k, d = k;
        for (size_t j = 0; j < count; j++, entry += n * AT, k = v_add64(k, one)) {
            a = a | v_pick64(at(entry, i), k, want);
            b = b | v_pick64(at(entry, i1), k, want);
            c = c | v_pick64(at(entry, i2), k, want);
            d = d | v_pick64(at(entry, i3), k, want);
        }
        put_at(z, i, a);
        put_at(z, i1, b);
        put_at(z, i2, c);
        put_at(z, i3, d);
    }
}
