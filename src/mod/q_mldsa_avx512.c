/* Z/q of ML-DSA with AVX-512: sixteen coefficients in a register, and all 256 in sixteen registers,
 * so that a transform reads and writes memory once.
 *
 * Products are made as in q_mldsa_avx2.c, of even and odd lanes separately; a move under a mask
 * joins their high halves. Layers of distance 128 to 16 pair registers. For those of distance 8 to
 * 1 two registers, 32 neighbours, exchange halves, quarters, pairs and single coefficients, two
 * shuffles each time, so that butterflies again pair one register with the other. The table of
 * powers follows the order that lanes have then (LANES in tools/generate/q_mldsa.py); two
 * permutations at the end, or at the beginning of the inverse, restore the standard's order.
 * Nothing else is shuffled: the powers of odd lanes are read from the same table, one place further
 * on.
 *
 * bound: 64 butterflies of 12 operations (a copy of the odd lanes, 6 products, 2 subtractions, a
 * join, a sum, a difference) and 80 shuffles: 848 forward; the inverse also scales 8 registers,
 * with 10 operations each: 928. Intel CPUs start two a cycle on 512 bits (ports 0 and 5; shuffles,
 * with copies and joins 208 forward, on 5 alone), and so does Zen 4: 424 and 464 core cycles, in
 * parallel with loads and stores. dot: 6 operations for 16 products, 48 core cycles for each 256,
 * and 7 for the reduction of 16 sums, 56 core cycles. Measured on Zen 4: 478 and 493 core cycles,
 * and 335 for five products. Ranges: those of q_mldsa.c, since the butterflies are the same.
 * time: constant */
#include "mod/q_mldsa.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "mod/q_mldsa_avx512.inc"
#include "mod/q_mldsa_far.inc"

#define TY_LEVEL avx512
#include "base/level_begin.h"

typedef __m512i V;
#include "mod/q_mldsa_vec.h"

enum { EVEN = 0x5555, ODD = 0xaaaa };   /* lanes */

TY_INLINE V load(const int32_t *p) { return _mm512_loadu_si512((const void *)p); }
TY_INLINE void store(int32_t *p, V x) { _mm512_storeu_si512((void *)p, x); }
TY_INLINE V add(V x, V y) { return _mm512_add_epi32(x, y); }
TY_INLINE V sub(V x, V y) { return _mm512_sub_epi32(x, y); }
static inline V all(int32_t x) { return _mm512_set1_epi32(x); }

/* the odd lanes of y, with the odd lanes of x in the even places before them; the even lanes of x,
 * with the even lanes of y in the odd places after them */
static inline V odd_of(V x, V y)
{
    return _mm512_castps_si512(
        _mm512_mask_movehdup_ps(_mm512_castsi512_ps(y), EVEN, _mm512_castsi512_ps(x)));
}
static inline V even_of(V x, V y)
{
    return _mm512_castps_si512(
        _mm512_mask_moveldup_ps(_mm512_castsi512_ps(x), ODD, _mm512_castsi512_ps(y)));
}
static inline V odd(V x) { return _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(x))); }

/* The high halves of t - m q, whose low halves are 0: those of te and me in even lanes, those of to
 * and mo in odd lanes */
static inline V redc(V te, V me, V to, V mo)
{
    const V q = all(TY_Q);
    return odd_of(_mm512_sub_epi64(te, _mm512_mul_epi32(me, q)),
                  _mm512_sub_epi64(to, _mm512_mul_epi32(mo, q)));
}

/* b z/R; the even lanes of z and low = z/q are for the even lanes of b, those of z_odd and low_odd
 * for the odd ones */
static inline V mul_16_lanes(V b, V z, V low, V z_odd, V low_odd)
{
    const V bo = odd(b);
    return redc(_mm512_mul_epi32(b, z), _mm512_mul_epi32(b, low), _mm512_mul_epi32(bo, z_odd),
                _mm512_mul_epi32(bo, low_odd));
}

/* one power for all lanes, or a power for each: p[0..16) and, after them, p/q */
TY_INLINE V times(V b, const int32_t *p)
{
    const V z = all(p[0]), low = all(p[1]);
    return mul_16_lanes(b, z, low, z, low);
}
TY_INLINE V times_each(V b, const int32_t *p)
{
    return mul_16_lanes(b, load(p), load(p + 16), load(p + 1), load(p + 17));
}

/* Exchanges between two registers: quarters x0 to x3 and y0 to y3 become x0 x1 y0 y1 and x2 x3 y2
 * y3 (halves), or x0 x2 y0 y2 and x1 x3 y1 y3 (quarters); every other pair of lanes is exchanged
 * (pairs), or every other lane (lanes). pairs and lanes are their own inverses, and so is halves
 * followed by quarters: the inverse transform calls these two in the same order, and its table for
 * distance 8 has the order that lanes have between them. */
#define QUARTERS(x, y, i, j) do {                                                                  \
        const V x_ = *(x), y_ = *(y);                                                              \
        *(x) = _mm512_shuffle_i64x2(x_, y_, i);                                                    \
        *(y) = _mm512_shuffle_i64x2(x_, y_, j);                                                    \
    } while (0)
static inline void halves(V *x, V *y) { QUARTERS(x, y, 0x44, 0xee); }
static inline void quarters(V *x, V *y) { QUARTERS(x, y, 0x88, 0xdd); }
static inline void pairs(V *x, V *y)
{
    const V x_ = *x, y_ = *y;
    *x = _mm512_unpacklo_epi64(x_, y_);
    *y = _mm512_unpackhi_epi64(x_, y_);
}
static inline void lanes(V *x, V *y)
{
    const V x_ = *x, y_ = *y;
    *x = even_of(x_, y_);
    *y = odd_of(x_, y_);
}

/* Coefficients 0 to 31 of two registers in the standard's order, from the order after the last
 * layer: there the quarters of the first register begin with coefficients 0, 16, 8, 24 and contain
 * every other one; the second has their neighbours. disorder is the inverse. */
static inline void order(V *x, V *y)
{
    const V first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27);
    const V x_ = *x, y_ = *y;
    *x = _mm512_permutex2var_epi32(x_, first, y_);
    *y = _mm512_permutex2var_epi32(x_, _mm512_or_si512(first, all(4)), y_);
}
static inline void disorder(V *x, V *y)
{
    const V first = _mm512_setr_epi32(0, 2, 4, 6, 16, 18, 20, 22, 8, 10, 12, 14, 24, 26, 28, 30);
    const V x_ = *x, y_ = *y;
    *x = _mm512_permutex2var_epi32(x_, first, y_);
    *y = _mm512_permutex2var_epi32(x_, _mm512_or_si512(first, all(1)), y_);
}

/* p, with its contents hidden from the compiler: a broadcast from memory needs no shuffle port,
 * whereas a known constant would become an immediate that is moved to a vector by port 5. */
static inline const int32_t *hidden(const int32_t *p)
{
    __asm__("" : "+r"(p));
    return p;
}

#define FAR(k)         (z + 2 * (k))
/* layer l = 0 to 3, of distance 8 to 1, in registers 2i and 2i + 1 */
#define NEAR(i, l)     (near + 128 * (i) + 32 * (l))
#define NEAR_INV(i, l) (near_inv + 128 * (i) + 32 * (l))

/* Layer by layer, so that eight butterflies at a time are independent. Taking each pair of
 * registers through the last layers at once, as AVX2's sixteen registers require, makes a transform
 * 1.28 times as long: the chain of five layers is longer than a core's window of out-of-order
 * execution. */
#define X(j) (&r[2 * (j)])
#define Y(j) (&r[2 * (j) + 1])

static void ty_q_ntt_avx512(int32_t a[TY_AT_LEAST(256)])
{
    const int32_t *const z = hidden(far);
    V r[16];
    TY_EACH(j, 16) r[j] = load(a + 16 * j);
    TY_EACH(j, 8) up(&r[j], &r[j + 8], FAR(1));
    TY_EACH(j, 8) up(&r[j / 4 * 8 + j % 4], &r[j / 4 * 8 + j % 4 + 4], FAR(2 + j / 4));
    TY_EACH(j, 8) up(&r[j / 2 * 4 + j % 2], &r[j / 2 * 4 + j % 2 + 2], FAR(4 + j / 2));
    TY_EACH(j, 8) up(X(j), Y(j), FAR(8 + j));
    TY_EACH(j, 8) halves(X(j), Y(j));
    TY_EACH(j, 8) up_each(X(j), Y(j), NEAR(j, 0));
    TY_EACH(j, 8) quarters(X(j), Y(j));
    TY_EACH(j, 8) up_each(X(j), Y(j), NEAR(j, 1));
    TY_EACH(j, 8) pairs(X(j), Y(j));
    TY_EACH(j, 8) up_each(X(j), Y(j), NEAR(j, 2));
    TY_EACH(j, 8) lanes(X(j), Y(j));
    TY_EACH(j, 8) up_each(X(j), Y(j), NEAR(j, 3));
    TY_EACH(j, 8) order(X(j), Y(j));
    TY_EACH(j, 16) store(a + 16 * j, r[j]);
}

static void ty_q_intt_avx512(int32_t a[TY_AT_LEAST(256)])
{
    static const int32_t scale[2] = { SCALE, SCALE_LOW }, last[2] = { LAST, LAST_LOW };
    const int32_t *const z = hidden(far_inv);
    V r[16];
    TY_EACH(j, 16) r[j] = load(a + 16 * j);
    TY_EACH(j, 8) disorder(X(j), Y(j));
    TY_EACH(j, 8) down_each(X(j), Y(j), NEAR_INV(j, 3));
    TY_EACH(j, 8) lanes(X(j), Y(j));
    TY_EACH(j, 8) down_each(X(j), Y(j), NEAR_INV(j, 2));
    TY_EACH(j, 8) pairs(X(j), Y(j));
    TY_EACH(j, 8) down_each(X(j), Y(j), NEAR_INV(j, 1));
    TY_EACH(j, 8) halves(X(j), Y(j));
    TY_EACH(j, 8) down_each(X(j), Y(j), NEAR_INV(j, 0));
    TY_EACH(j, 8) quarters(X(j), Y(j));
    TY_EACH(j, 8) down(X(j), Y(j), FAR(8 + j));
    TY_EACH(j, 8) down(&r[j / 2 * 4 + j % 2], &r[j / 2 * 4 + j % 2 + 2], FAR(4 + j / 2));
    TY_EACH(j, 8) down(&r[j / 4 * 8 + j % 4], &r[j / 4 * 8 + j % 4 + 4], FAR(2 + j / 4));
    TY_EACH(j, 8) {   /* the last layer scales both halves */
        store(a + 16 * j, times(add(r[j], r[j + 8]), scale));
        store(a + 128 + 16 * j, times(sub(r[j], r[j + 8]), last));
    }
}

TY_INLINE void dot_of(int32_t z[256], const ty_q_poly *x, const ty_q_poly *y, size_t n)
{
    const V inv = all(TY_Q_INV);
    for (size_t i = 0; i < 256; i += 16) {
        V even = _mm512_setzero_si512(), odds = even;
        _Pragma("GCC unroll 8") for (size_t j = 0; j < n; j++) {
            const V s = load(x[j] + i), t = load(y[j] + i);
            even = _mm512_add_epi64(even, _mm512_mul_epi32(s, t));
            odds = _mm512_add_epi64(odds, _mm512_mul_epi32(odd(s), odd(t)));
        }
        store(z + i, redc(even, _mm512_mul_epi32(even, inv), odds, _mm512_mul_epi32(odds, inv)));
    }
}

/* loose coefficients made canonical */
TY_INLINE V canon(V x) { return _mm512_mask_add_epi32(x, _mm512_movepi32_mask(x), x, all(TY_Q)); }

static inline V fold(V x)
{
    const V t = _mm512_srai_epi32(add(x, all(1 << 22)), 23);   /* t q = t 2^23 - t 2^13 + t */
    return add(sub(x, t), sub(_mm512_slli_epi32(t, 13), _mm512_slli_epi32(t, 23)));
}

static uint32_t ty_q_add_avx512(int32_t z[TY_AT_LEAST(256)], const int32_t x[TY_AT_LEAST(256)],
                                const int32_t y[TY_AT_LEAST(256)], int32_t bound)
{
    V most = _mm512_setzero_si512();
    for (size_t i = 0; i < 256; i += 16) {
        const V r = fold(add(load(x + i), load(y + i)));
        most = _mm512_max_epi32(most, _mm512_abs_epi32(r));
        store(z + i, r);
    }
    return (0 - (uint32_t)_mm512_cmpge_epi32_mask(most, all(bound))) >> 31;
}

static void ty_q_power2round_avx512(int32_t t1[TY_AT_LEAST(256)], int32_t t0[TY_AT_LEAST(256)],
                                    const int32_t a[TY_AT_LEAST(256)])
{
    for (size_t i = 0; i < 256; i += 16) {
        const V x = canon(load(a + i)), high = _mm512_srai_epi32(add(x, all((1 << 12) - 1)), 13);
        store(t1 + i, high);
        store(t0 + i, sub(x, _mm512_slli_epi32(high, 13)));
    }
}

/* As in q_mldsa_avx2.c, with masks for comparisons. */
TY_INLINE V split(V *w0, V a, int32_t gamma2)
{
    const V x = add(a, all(gamma2 - 1));
    V w1, base;   /* base = w1 2 gamma2: 93 w1 in 16 bits, or a difference of shifts */
    if (gamma2 == TY_Q_GAMMA2_88) {
        w1 = _mm512_srli_epi32(_mm512_mulhi_epu16(_mm512_srli_epi32(x, 11), all(45101)), 6);
        base = _mm512_slli_epi32(_mm512_mullo_epi16(w1, all(93)), 11);
    } else {
        w1 = _mm512_srli_epi32(sub(add(_mm512_srli_epi32(x, 9), _mm512_srli_epi32(x, 19)), all(-1)),
                               10);
        base = sub(_mm512_slli_epi32(w1, 19), _mm512_slli_epi32(w1, 9));
    }
    const __mmask16 last = _mm512_cmpgt_epi32_mask(w1, all((TY_Q - 1) / (2 * gamma2) - 1));
    const V low = sub(a, base);
    *w0 = _mm512_mask_sub_epi32(low, last, low, all(1));
    return _mm512_mask_mov_epi32(w1, last, _mm512_setzero_si512());
}

static uint32_t ty_q_make_hint_avx512(uint32_t h[TY_AT_LEAST(8)],
                                      const int32_t w1[TY_AT_LEAST(256)],
                                      const int32_t w0[TY_AT_LEAST(256)], int32_t gamma2)
{
    uint32_t count = 0;
    for (size_t i = 0; i < 8; i++) {
        uint32_t bits = 0;
        TY_EACH(j, 2) {
            const V low = load(w0 + 32 * i + 16 * j), high = load(w1 + 32 * i + 16 * j);
            /* where w1 = 0, -gamma2 needs no hint */
            const __mmask16 zero = _mm512_testn_epi32_mask(high, high);
            const V edge = _mm512_mask_sub_epi32(all(1 - gamma2), zero, all(1 - gamma2), all(1));
            const uint32_t above = _mm512_cmpgt_epi32_mask(low, all(gamma2)),
                           below = _mm512_cmpgt_epi32_mask(edge, low);
            bits |= (above | below) << 16 * j;
        }
        h[i] = bits;
        count += (uint32_t)_mm_popcnt_u32(bits);
    }
    return count;
}

TY_INLINE void use_hint_with(int32_t w1[256], const int32_t a[256], const uint32_t h[8],
                             int32_t gamma2)
{
    const V m = all((TY_Q - 1) / (2 * gamma2)), zero = _mm512_setzero_si512();
    for (size_t i = 0; i < 256; i += 16) {
        V low, high = split(&low, canon(load(a + i)), gamma2);
        const __mmask16 bit = (__mmask16)(h[i / 32] >> i % 32),
                        above = _mm512_cmpgt_epi32_mask(low, zero);
        high =
            _mm512_mask_add_epi32(high, bit, high, _mm512_mask_mov_epi32(all(-1), above, all(1)));
        high = _mm512_mask_add_epi32(high, _mm512_movepi32_mask(high), high, m);
        store(w1 + i, _mm512_mask_mov_epi32(high, _mm512_cmpeq_epi32_mask(high, m), zero));
    }
}

const ty_q_ops ty_q_ops_avx512 = {
    ty_q_ntt_avx512, ty_q_intt_avx512, ty_q_dot_avx512, ty_q_add_avx512, ty_q_power2round_avx512,
    ty_q_decompose_avx512, ty_q_make_hint_avx512, ty_q_use_hint_avx512 };

#include "base/level_end.h"
#endif
