/* Eight numbers side by side, by the products of 52-bit integers of AVX-512 IFMA.
 *
 * Products are added in rows: R <= 10 digits b[r] of one factor and R + 1 columns of the sum are in
 * registers, and for each digit of the other factor
 *
 *     column r += lower half of a b[r] + upper half of a b[r - 1],   0 <= r <= R
 *
 * after which column 0 has all products of these rows: it is stored, and the others move down by
 * one. So 2R products take two loads and a store. n digits of a factor are divided into the fewest
 * groups of at most ten, of nearly equal sizes.
 *
 * form      a digit is the lower 52 bits of a lane; what is above them is not used, as the
 *           instructions ignore it in factors: the carries of a product's digits stay there
 *
 * bound: two operations for a product of digits in eight lanes, two a cycle; a product takes 2 n^2
 * such products, a square n (3n + 1)/2. Measured on Granite Rapids, in core cycles, a product and
 * a square: 900 and 730 at n = 20 (bound 800, 610), 3,540 and 2,640 at n = 40 (3,200, 2,420). */
#include "modn/pair.h"

#if defined(TY_HAS_LANES)
#include "base/unroll.h"
#include "base/vec.h"

#define TY_LEVEL gfni512
#include "base/level_begin.h"
#define V v512

enum {
    LANES = sizeof(V) / 8,
    AT = LANES,   /* words from one digit to the next */
    ROWS = 10     /* with more, a square's columns would not fit in 32 registers */
};

#define DIGIT_MASK (((uint64_t)1 << TY_LANES_BITS) - 1)
/* z + the lower, or upper, half of the product of x and y, whose bits above 52 are ignored */
#define LO         _mm512_madd52lo_epu64
#define HI         _mm512_madd52hi_epu64

/* Calls f(R, ...) with a constant for R = 1 ... ROWS, so that its arrays are registers. */
#define CASE(k, f, ...) case k: f(k, __VA_ARGS__); break;
#define FOR_ROWS(R, f, ...)                                                                        \
    switch (R) {                                                                                   \
        CASE(1, f, __VA_ARGS__) CASE(2, f, __VA_ARGS__) CASE(3, f, __VA_ARGS__)                    \
        CASE(4, f, __VA_ARGS__) CASE(5, f, __VA_ARGS__) CASE(6, f, __VA_ARGS__)                    \
        CASE(7, f, __VA_ARGS__) CASE(8, f, __VA_ARGS__) CASE(9, f, __VA_ARGS__)                    \
        CASE(10, f, __VA_ARGS__)                                                                   \
    }

/* How many groups n digits are divided into; the first of `groups` groups of n digits has n/groups
 * digits, so that none is larger than the next. */
static size_t groups_of(size_t n) { return (n + ROWS - 1) / ROWS; }

TY_INLINE V at(const uint64_t *p, size_t i) { return v_load(V, p + i * AT); }
TY_INLINE void put_at(uint64_t *p, size_t i, V x) { v_store(p + i * AT, x); }

TY_INLINE void load(int R, V *x, const uint64_t *p)
{
    TY_UNROLL for (int r = 0; r < R; r++) x[r] = at(p, (size_t)r);
}

TY_INLINE void store(int R, uint64_t *p, const V *x)
{
    TY_UNROLL for (int r = 0; r < R; r++) put_at(p, (size_t)r, x[r]);
}

/* --- Sums of products ------------------------------------------------------------------------- */

/* Adds a b to the columns c[0..R) and to `above`, the next one. Returns the lowest one; the others
 * are c[0..R) then. Processors rename registers, so that such moves are free. No column is added to
 * twice within the four cycles that a product takes, if R is large enough. (Clang turns moves in a
 * loop of their own into memmove, and then has the columns in memory.) */
TY_INLINE V add_row(int R, V *c, V above, V a, const V *b)
{
    TY_UNROLL for (int r = 0; r < R; r++) c[r] = LO(c[r], a, b[r]);
    const V lowest = c[0];
    TY_UNROLL for (int r = 0; r < R; r++) c[r] = HI(r + 1 < R ? c[r + 1] : above, a, b[r]);
    return lowest;
}

/* t += a[0..n) b, where the columns c[0..R) are the digits of t until then */
TY_INLINE void add_rows(int R, uint64_t *t, V *c, const uint64_t *a, const V *b, size_t n)
{
    for (; n; n--, a += AT, t += AT) put_at(t, 0, add_row(R, c, at(t, (size_t)R), at(a, 0), b));
    store(R, t, c);
}

/* t += x y[0..R) */
TY_INLINE void multiply(int R, uint64_t *t, const uint64_t *x, const uint64_t *y, size_t n)
{
    V b[ROWS], c[ROWS];
    load(R, b, y);
    load(R, c, t);
    add_rows(R, t, c, x, b, n);
}

/* twice the products of different digits, and the lower (even k) or upper half of a square */
TY_INLINE V doubled(V c, V x, int k)
{
    const V two = v_add64(c, c);
    return k % 2 ? HI(two, x, x) : LO(two, x, x);
}

/* t += the products of x[0..R) with each other and with all above them, where n = R or n >= 2R. No
 * later group adds to columns below 2R, so these are doubled, and the squares added. */
TY_INLINE void square(int R, uint64_t *t, const uint64_t *x, size_t n)
{
    V b[ROWS], c[2 * ROWS];
    load(R, b, x);
    load(2 * R, c, t);
    TY_UNROLL for (int r = 0; r < R; r++) {
        TY_UNROLL for (int s = 0; s < R; s++)
            if (s > r) c[r + s] = LO(c[r + s], b[r], b[s]);
        TY_UNROLL for (int s = 0; s < R; s++)
            if (s > r) c[r + s + 1] = HI(c[r + s + 1], b[r], b[s]);
    }
    TY_UNROLL for (int k = 0; k < R; k++) put_at(t, (size_t)k, doubled(c[k], b[k / 2], k));
    V *const high = c + R;
    if (n == (size_t)R) {
        TY_UNROLL for (int k = 0; k < R; k++)
            put_at(t, (size_t)(R + k), doubled(high[k], b[(R + k) / 2], R + k));
        return;
    }
    TY_UNROLL for (int k = R; k < 2 * R; k++) {
        const V column = add_row(R, high, at(t, (size_t)(k + R)), at(x, (size_t)k), b);
        put_at(t, (size_t)k, doubled(column, at(x, (size_t)k / 2), k));
    }
    add_rows(R, t + 2 * R * AT, high, x + 2 * R * AT, b, n - 2 * (size_t)R);
}

/* --- Reduction -------------------------------------------------------------------------------- */

/* The R lowest digits of t become quotient digits, each with the products of those before it added.
 * Row k adds quotient digit k times step[0..R), so that the next digit is known long before its row
 * begins. Returns digit R of t; the columns c[0..R) are then those of the digits above it. */
TY_INLINE V quotient(int R, uint64_t *t, V *c, const uint64_t *step)
{
    V s[ROWS], q = at(t, 0);
    load(R, s, step);
    load(R, c, t + AT);
    for (int k = 0; k < R; k++) {
        const V carry = v_shr64(q, TY_LANES_BITS);
        q = v_add64(add_row(R, c, at(t, (size_t)(k + 1 + R)), q, s), carry);
        put_at(t, (size_t)k + 1, q);
    }
    return q;
}

/* t += the R lowest digits of t times the step */
TY_INLINE void clear(int R, uint64_t *t, const ty_lanes *w)
{
    V q[ROWS], c[ROWS];
    (void)quotient(R, t, c, w->step);
    load(R, q, t);
    add_rows(R, t + (R + 1) * AT, c, w->step + R * AT, q, w->n - (size_t)R);
}

/* The digits of the result as they are completed: the next column plus q times the modulus, with
 * carries */
typedef struct result {
    uint64_t *z;
    const uint64_t *m;
    V q, carry;
} result;

TY_INLINE void put_next(result *to, V column, int last)
{
    V v = HI(column, to->q, at(to->m, 0));
    if (!last) v = LO(v, to->q, at(to->m, 1));
    v = v_add64(v, to->carry);
    put_at(to->z, 0, v);
    to->carry = v_shr64(v, TY_LANES_BITS);
    to->z += AT, to->m += AT;
}

/* The last R + 1 digits: the R lowest by the step, the next one by m itself. z = the rest */
TY_INLINE void clear_last(int R, uint64_t *z, uint64_t *t, const ty_lanes *w)
{
    V q[ROWS], c[ROWS];
    const V digit = quotient(R, t, c, w->step), zero = v_set64(V, 0);
    result to = { z, w->m, LO(zero, digit, at(w->minv, 0)), zero };
    to.carry = v_shr64(LO(digit, to.q, at(w->m, 0)), TY_LANES_BITS);
    load(R, q, t);
    t += (R + 1) * AT;
    for (size_t i = (size_t)R; i < w->n; i++, t += AT)
        put_next(&to, add_row(R, c, at(t, (size_t)R), at(w->step, i), q), 0);
    TY_UNROLL for (int r = 0; r < R; r++) put_next(&to, c[r], r == R - 1);
}

/* z = t/R mod m */
static void ty_lanes_redc_gfni512(uint64_t *z, const ty_lanes *w)
{
    uint64_t *t = w->t;
    size_t left = w->n - 1, groups = groups_of(left);
    for (; groups > 1; groups--) {
        const size_t R = left / groups;
        FOR_ROWS(R, clear, t, w)
        t += R * AT, left -= R;
    }
    FOR_ROWS(left, clear_last, z, t, w)
}

/* --- The kernels ------------------------------------------------------------------------------ */

/* The pin keeps compilers from a call of memset, which takes longer. */
TY_INLINE void set_zero(uint64_t *t, size_t n)
{
    V zero = v_set64(V, 0);
    V_PIN(zero);
    for (size_t i = 0; i < n; i++) put_at(t, i, zero);
}

static void ty_lanes_mul_gfni512(uint64_t *z, const uint64_t *x, const uint64_t *y,
                                 const ty_lanes *w)
{
    const size_t n = w->n;
    size_t from = 0;
    set_zero(w->t, 2 * n);
    for (size_t groups = groups_of(n); groups; groups--) {
        const size_t R = (n - from) / groups;
        FOR_ROWS(R, multiply, w->t + from * AT, x, y + from * AT, n)
        from += R;
    }
    ty_lanes_redc_gfni512(z, w);
}

static void ty_lanes_sqrs_gfni512(uint64_t *z, size_t count, const ty_lanes *w)
{
    const size_t n = w->n;
    while (count--) {
        size_t from = 0;
        set_zero(w->t, 2 * n);
        for (size_t groups = groups_of(n); groups; groups--) {
            const size_t R = (n - from) / groups;
            FOR_ROWS(R, square, w->t + 2 * from * AT, z + from * AT, n - from)
            from += R;
        }
        ty_lanes_redc_gfni512(z, w);
    }
}

static void ty_lanes_put_gfni512(uint64_t *x, size_t n) { (void)x, (void)n; }

static void ty_lanes_get_gfni512(uint64_t *x, size_t n)
{
    const V mask = v_set64(V, DIGIT_MASK);
    for (size_t i = 0; i < n; i++) put_at(x, i, at(x, i) & mask);
}

/* z[0..R) = the digits of every lane's entry; the table's entries have n digits */
TY_INLINE void pick(int R, uint64_t *z, const uint64_t *table, size_t n, size_t count, V wanted)
{
    const V one = v_set64(V, 1);
    V i = v_set64(V, 0), x[ROWS];
    TY_UNROLL for (int r = 0; r < R; r++) x[r] = i;
    for (; count; count--, table += n * AT, i = v_add64(i, one)) {
        const __mmask8 here = _mm512_cmpeq_epu64_mask(i, wanted);
        TY_UNROLL for (int r = 0; r < R; r++)
            x[r] = _mm512_mask_mov_epi64(x[r], here, at(table, (size_t)r));
    }
    store(R, z, x);
}

static void ty_lanes_gather_gfni512(uint64_t *z, const uint64_t *table, size_t n, size_t count,
                                    const uint64_t *index)
{
    const V wanted = v_load(V, index);
    size_t from = 0;
    for (size_t groups = groups_of(n); groups; groups--) {
        const size_t R = (n - from) / groups;
        FOR_ROWS(R, pick, z + from * AT, table + from * AT, n, count, wanted)
        from += R;
    }
}

static int ty_lanes_ready_gfni512(void) { return 1; }

/* Fewer moduli are faster in pairs (modn/pair.h), or one by one. Measured on Granite Rapids,
 * exponents of 320 bits; the time of eight at once, and of a pair, as a multiple of a single
 * power's:
 *
 *     bits     256  448  512  576  768 1024 1152 1216 1280 1408 1536 1600 1792 2048 3072 4096
 *     eight    2.1  1.6  1.7  1.7  2.0  2.4  3.0  3.1  2.9  3.2  3.5  3.5  3.7  4.1  3.8  4.5
 *     a pair        1.5  1.3  1.2  1.1  1.3  1.4  1.4  1.7  1.7  1.7  1.6
 *
 * A single power's time grows in steps of eight digits, that of lanes with each digit. A CPU that
 * starts one product a cycle gains less by lanes: hence four and not three up to 1024 bits, and
 * five beyond. */
static size_t ty_lanes_least_gfni512(size_t n) { return n <= 10 ? 3 : n <= 20 ? 4 : 5; }

const ty_lanes_ops ty_lanes_ops_gfni512 = { LANES,
                                            ty_lanes_least_gfni512,
                                            1,
                                            ty_lanes_ready_gfni512,
                                            ty_lanes_put_gfni512,
                                            ty_lanes_get_gfni512,
                                            ty_lanes_mul_gfni512,
                                            ty_lanes_sqrs_gfni512,
                                            ty_lanes_gather_gfni512 };

#include "base/level_end.h"
#endif
