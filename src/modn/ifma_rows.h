/* Products of numbers whose digits are side by side in V vectors: the rows of ifma_gfni512.c and
 * pair_gfni512.c. Template, included between level_begin.h and level_end.h. */
#ifndef TY_MODN_IFMA_ROWS_H
#define TY_MODN_IFMA_ROWS_H

typedef __m512i vec;
enum { W = 8 };   /* digits in a vector */

#define LOAD(p)    _mm512_loadu_si512((const void *)(p))
#define STORE(p,x) _mm512_storeu_si512((void *)(p), x)
#define SET1(x)    _mm512_set1_epi64((long long)(x))
#define ADD        _mm512_add_epi64
/* z + the lower, or upper, half of the product of the digits of x and y, whose bits above 52 are
 * ignored */
#define LO         _mm512_madd52lo_epu64
#define HI         _mm512_madd52hi_epu64
#define DIGIT_MASK (((uint64_t)1 << TY_LANES_BITS) - 1)

/* the lowest column in all lanes; its bits above the digit, in the lowest lane */
TY_INLINE vec lowest(vec x) { return _mm512_broadcastq_epi64(_mm512_castsi512_si128(x)); }
TY_INLINE vec carry(vec x) { return _mm512_maskz_srli_epi64(1, x, TY_LANES_BITS); }

/* columns x moved a digit down, plus `more`; `above` is the next vector */
TY_INLINE vec down(vec above, vec x, vec more)
{
    return ADD(_mm512_alignr_epi64(above, x, 1), more);
}

/* z[V] = the columns' digits. After one pass of carries a digit is at most D + 2^10, so the carry
 * out of it is 0 or 1: digits above D - 1 generate one, those equal to it propagate one. An
 * addition of words finds the carries of 64 digits at once. */
TY_INLINE void digits(uint64_t *z, vec *t, int V)
{
    const vec mask = SET1(DIGIT_MASK);
    vec before = SET1(0);
    uint64_t carries[3] = { 0 }, full[3] = { 0 };
    ty_limb in = 0;
    TY_UNROLL for (int v = 0; v < V; v++) {
        const vec c = _mm512_srli_epi64(t[v], TY_LANES_BITS);
        t[v] = ADD(_mm512_and_si512(t[v], mask), _mm512_alignr_epi64(c, before, W - 1));
        carries[v / 8] |= (uint64_t)_mm512_cmpgt_epu64_mask(t[v], mask) << v % 8 * W;
        full[v / 8] |= (uint64_t)_mm512_cmpeq_epu64_mask(t[v], mask) << v % 8 * W;
        before = c;
    }
    TY_UNROLL for (int i = 0; i < (V + 7) / 8; i++) {
        const uint64_t up = carries[i] << 1 | in;
        in = carries[i] >> 63;
        ty_limb c = 0;
        carries[i] = ty_limb_adc(full[i], up, &c) ^ full[i];
        in |= c;
    }
    TY_UNROLL for (int v = 0; v < V; v++) {
        const __mmask8 one = (__mmask8)(carries[v / 8] >> v % 8 * W);
        STORE(z + W * v, _mm512_and_si512(_mm512_mask_add_epi64(t[v], one, t[v], SET1(1)), mask));
    }
}

/* The last quotient digit is for m itself: its lower halves are added in place, then all remaining
 * upper halves in a last row. */
TY_INLINE void last_row(vec *t, const uint64_t *x, vec y, vec q, const ty_ifma *w, int V)
{
    const vec zero = SET1(0), r = LO(zero, lowest(t[0]), SET1(w->minv));
    TY_UNROLL for (int v = 0; v < V; v++) t[v] = LO(t[v], LOAD(w->m + W * v), r);
    const vec c = carry(t[0]);
    TY_UNROLL for (int v = 0; v < V; v++) {
        vec more = HI(v ? zero : c, LOAD(x + W * v), y);
        more = HI(more, LOAD(w->step + W * v), q);
        more = HI(more, LOAD(w->m + W * v), r);
        t[v] = down(v + 1 < V ? t[v + 1] : zero, t[v], more);
    }
}

/* What a product carries from row to row: the columns, and the digits of y and of the quotient
 * whose upper halves are still to be added */
typedef struct sum {
    vec t[20], y, q;
} sum;

TY_INLINE void first_row(sum *s, const uint64_t *x, const uint64_t *y, int V)
{
    const vec zero = SET1(0);
    s->y = SET1(y[0]), s->q = zero;
    TY_UNROLL for (int v = 0; v < V; v++) s->t[v] = LO(zero, LOAD(x + W * v), s->y);
}

/* Row i. The sum without the lower half of the last quotient digit's product is ready before that
 * digit is: each row waits for that product alone. */
TY_INLINE void row(sum *s, const uint64_t *x, const uint64_t *y, const ty_ifma *w, size_t i, int V)
{
    const vec zero = SET1(0), c = carry(s->t[0]), y0 = SET1(y[i]), q0 = lowest(s->t[0]);
    TY_UNROLL for (int v = 0; v < V; v++) {
        const vec a = LOAD(x + W * v), b = LOAD(w->step + W * v);
        const vec more = HI(LO(HI(zero, a, s->y), a, y0), b, s->q);
        s->t[v] = down(v + 1 < V ? s->t[v + 1] : zero, s->t[v], more);
        if (v == 0) s->t[0] = ADD(s->t[0], c);
        s->t[v] = LO(s->t[v], b, q0);
    }
    s->y = y0, s->q = q0;
}

TY_INLINE void finish(uint64_t *z, sum *s, const uint64_t *x, const ty_ifma *w, int V)
{
    last_row(s->t, x, s->y, s->q, w, V);
    digits(z, s->t, V);
}

#endif
