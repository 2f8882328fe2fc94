/* Z/q of ML-DSA with AVX2: eight coefficients in a register.
 *
 * AVX2 has no instruction for the high half of a 32 x 32 product, but one for signed products of
 * the even lanes, 32 x 32 -> 64. So a multiplication by a power z processes the even and the odd
 * lanes separately (with one copy of the odd ones), and computes for each
 *     t = b z, m = the low half of b (z/q mod R), and t - m q,
 * whose low half is 0 and whose high half is b z/R.
 * This takes six products, two subtractions and one blend. z/q is stored next to z, so m does not
 * wait for t.
 *
 * A transform is two passes. The first joins the layers of distance 128, 64, 32, on one register
 * from each of eight blocks. The second holds 64 neighbours in eight registers: distances 16 and 8,
 * then rows become columns, and distances 4, 2, 1 are again between registers; then back to the
 * standard's order.
 *
 * bound: 128 butterflies of 13 operations, 192 shuffles, 128 loads and stores: 1984; at four a
 * cycle 496 core cycles, of which the 768 products alone take 384. Measured on Zen 3: 714 forward,
 * 780 inverse. Ranges: those of q_mldsa.c.
 * time: constant */
#include "mod/q_mldsa.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "mod/q_mldsa_avx2.inc"
#include "mod/q_mldsa_far.inc"

#define TY_LEVEL avx2
#include "base/level_begin.h"

typedef __m256i V;
#include "mod/q_mldsa_vec.h"

TY_INLINE V load(const int32_t *p) { return _mm256_loadu_si256((const V *)(const void *)p); }
TY_INLINE void store(int32_t *p, V x) { _mm256_storeu_si256((V *)(void *)p, x); }
TY_INLINE V add(V x, V y) { return _mm256_add_epi32(x, y); }
TY_INLINE V sub(V x, V y) { return _mm256_sub_epi32(x, y); }
static inline V all(int32_t x) { return _mm256_set1_epi32(x); }
static inline V odd(V x) { return _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(x))); }

/* the high halves of even and odd 64-bit results, back in their lanes */
static inline V join(V even, V odds) { return _mm256_blend_epi32(odd(even), odds, 0xaa); }

/* b z/R; the even lanes of z and low = z/q are for the even lanes of b, those of z_odd and low_odd
 * for the odd ones */
static inline V mul_8_lanes(V b, V z, V low, V z_odd, V low_odd)
{
    const V q = all(TY_Q), bo = odd(b);
    const V te = _mm256_mul_epi32(b, z), to = _mm256_mul_epi32(bo, z_odd);
    const V me = _mm256_mul_epi32(b, low), mo = _mm256_mul_epi32(bo, low_odd);
    const V re = _mm256_sub_epi64(te, _mm256_mul_epi32(me, q)),
            ro = _mm256_sub_epi64(to, _mm256_mul_epi32(mo, q));
    return join(re, ro);
}

/* one power for all lanes, or a power for each: p[0..8) and, after them, p/q */
TY_INLINE V times(V b, const int32_t *p)
{
    const V z = all(p[0]), low = all(p[1]);
    return mul_8_lanes(b, z, low, z, low);
}
TY_INLINE V times_each(V b, const int32_t *p)
{
    const V z = load(p), low = load(p + 8);
    return mul_8_lanes(b, z, low, odd(z), odd(low));
}

/* rows become columns: coefficient 8 i + j goes to lane i of register j */
static inline void transpose(V r[8])
{
    V s[8], t[8];
    TY_UNROLL for (size_t i = 0; i < 8; i += 2) {
        s[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
        s[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
    }
    TY_UNROLL for (size_t i = 0; i < 8; i += 4)
        TY_EACH(j, 2) {
            t[i + 2 * j] = _mm256_unpacklo_epi64(s[i + j], s[i + j + 2]);
            t[i + 2 * j + 1] = _mm256_unpackhi_epi64(s[i + j], s[i + j + 2]);
        }
    TY_EACH(i, 4) {
        r[i] = _mm256_permute2x128_si256(t[i], t[i + 4], 0x20);
        r[i + 4] = _mm256_permute2x128_si256(t[i], t[i + 4], 0x31);
    }
}

#define FAR(k) (far + 2 * (k))
#define FAR_INV(k) (far_inv + 2 * (k))

static void ty_q_ntt_avx2(int32_t a[TY_AT_LEAST(256)])
{
    V r[8];
    for (size_t i = 0; i < 32; i += 8) {
        TY_EACH(j, 8) r[j] = load(a + 32 * j + i);
        TY_EACH(j, 4) up(&r[j], &r[j + 4], FAR(1));
        TY_EACH(j, 2) {
            up(&r[j], &r[j + 2], FAR(2));
            up(&r[j + 4], &r[j + 6], FAR(3));
        }
        TY_EACH(j, 4) up(&r[2 * j], &r[2 * j + 1], FAR(4 + j));
        TY_EACH(j, 8) store(a + 32 * j + i, r[j]);
    }
    for (size_t b = 0; b < 4; b++) {
        const int32_t *p = near + 112 * b;
        TY_EACH(j, 8) r[j] = load(a + 64 * b + 8 * j);
        TY_EACH(j, 2) {
            up(&r[j], &r[j + 2], FAR(8 + 2 * b));
            up(&r[j + 4], &r[j + 6], FAR(9 + 2 * b));
        }
        TY_EACH(j, 4) up(&r[2 * j], &r[2 * j + 1], FAR(16 + 4 * b + j));
        transpose(r);
        TY_EACH(j, 4) up_each(&r[j], &r[j + 4], p);
        TY_EACH(j, 2) {
            up_each(&r[j], &r[j + 2], p + 16);
            up_each(&r[j + 4], &r[j + 6], p + 32);
        }
        TY_EACH(j, 4) up_each(&r[2 * j], &r[2 * j + 1], p + 48 + 16 * j);
        transpose(r);
        TY_EACH(j, 8) store(a + 64 * b + 8 * j, r[j]);
    }
}

static void ty_q_intt_avx2(int32_t a[TY_AT_LEAST(256)])
{
    static const int32_t scale[2] = { SCALE, SCALE_LOW }, last[2] = { LAST, LAST_LOW };
    V r[8];
    for (size_t b = 0; b < 4; b++) {
        const int32_t *p = near_inv + 112 * b;
        TY_EACH(j, 8) r[j] = load(a + 64 * b + 8 * j);
        transpose(r);
        TY_EACH(j, 4) down_each(&r[2 * j], &r[2 * j + 1], p + 48 + 16 * j);
        TY_EACH(j, 2) {
            down_each(&r[j], &r[j + 2], p + 16);
            down_each(&r[j + 4], &r[j + 6], p + 32);
        }
        TY_EACH(j, 4) down_each(&r[j], &r[j + 4], p);
        transpose(r);
        TY_EACH(j, 4) down(&r[2 * j], &r[2 * j + 1], FAR_INV(16 + 4 * b + j));
        TY_EACH(j, 2) {
            down(&r[j], &r[j + 2], FAR_INV(8 + 2 * b));
            down(&r[j + 4], &r[j + 6], FAR_INV(9 + 2 * b));
        }
        TY_EACH(j, 8) store(a + 64 * b + 8 * j, r[j]);
    }
    for (size_t i = 0; i < 32; i += 8) {
        TY_EACH(j, 8) r[j] = load(a + 32 * j + i);
        TY_EACH(j, 4) down(&r[2 * j], &r[2 * j + 1], FAR_INV(4 + j));
        TY_EACH(j, 2) {
            down(&r[j], &r[j + 2], FAR_INV(2));
            down(&r[j + 4], &r[j + 6], FAR_INV(3));
        }
        TY_EACH(j, 4) {   /* the last layer scales both halves */
            store(a + 32 * j + i, times(add(r[j], r[j + 4]), scale));
            store(a + 128 + 32 * j + i, times(sub(r[j], r[j + 4]), last));
        }
    }
}

/* the quotient m of even and odd lanes at once would need a product of all lanes; two products of
 * even lanes are as cheap */
TY_INLINE void dot_of(int32_t z[256], const ty_q_poly *x, const ty_q_poly *y, size_t n)
{
    const V q = all(TY_Q), inv = all(TY_Q_INV);
    for (size_t i = 0; i < 256; i += 8) {
        V even = _mm256_setzero_si256(), odds = even;
        _Pragma("GCC unroll 8") for (size_t j = 0; j < n; j++) {
            const V s = load(x[j] + i), t = load(y[j] + i);
            even = _mm256_add_epi64(even, _mm256_mul_epi32(s, t));
            odds = _mm256_add_epi64(odds, _mm256_mul_epi32(odd(s), odd(t)));
        }
        even = _mm256_sub_epi64(even, _mm256_mul_epi32(_mm256_mul_epi32(even, inv), q));
        odds = _mm256_sub_epi64(odds, _mm256_mul_epi32(_mm256_mul_epi32(odds, inv), q));
        store(z + i, join(even, odds));
    }
}

/* loose coefficients made canonical */
TY_INLINE V canon(V x) { return add(x, _mm256_and_si256(_mm256_srai_epi32(x, 31), all(TY_Q))); }

static inline V fold(V x)
{
    const V t = _mm256_srai_epi32(add(x, all(1 << 22)), 23);   /* t q = t 2^23 - t 2^13 + t */
    return add(sub(x, t), sub(_mm256_slli_epi32(t, 13), _mm256_slli_epi32(t, 23)));
}

static inline V beyond(V z, int32_t bound)
{
    return _mm256_cmpgt_epi32(_mm256_abs_epi32(z), all(bound - 1));
}
/* 1 if any lane is all ones */
static inline uint32_t any(V x)
{
    return (0 - (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(x))) >> 31;
}

static uint32_t ty_q_add_avx2(int32_t z[TY_AT_LEAST(256)], const int32_t x[TY_AT_LEAST(256)],
                              const int32_t y[TY_AT_LEAST(256)], int32_t bound)
{
    V large = _mm256_setzero_si256();
    for (size_t i = 0; i < 256; i += 8) {
        const V r = fold(add(load(x + i), load(y + i)));
        large = _mm256_or_si256(large, beyond(r, bound));
        store(z + i, r);
    }
    return any(large);
}

static void ty_q_power2round_avx2(int32_t t1[TY_AT_LEAST(256)], int32_t t0[TY_AT_LEAST(256)],
                                  const int32_t a[TY_AT_LEAST(256)])
{
    for (size_t i = 0; i < 256; i += 8) {
        const V x = canon(load(a + i)), high = _mm256_srai_epi32(add(x, all((1 << 12) - 1)), 13);
        store(t1 + i, high);
        store(t0 + i, sub(x, _mm256_slli_epi32(high, 13)));
    }
}

/* As in q_mldsa_one.h; y/93 by a 16-bit high product: y 45101 >> 22, since 93 * 45101 = 2^22 + 89
 * and 89 y < 2^22. */
TY_INLINE V split(V *w0, V a, int32_t gamma2)
{
    const V x = add(a, all(gamma2 - 1));
    V w1, base;   /* base = w1 2 gamma2: 93 w1 in 16 bits, or a difference of shifts */
    if (gamma2 == TY_Q_GAMMA2_88) {
        w1 = _mm256_srli_epi32(_mm256_mulhi_epu16(_mm256_srli_epi32(x, 11), all(45101)), 6);
        base = _mm256_slli_epi32(_mm256_mullo_epi16(w1, all(93)), 11);
    } else {
        w1 = _mm256_srli_epi32(sub(add(_mm256_srli_epi32(x, 9), _mm256_srli_epi32(x, 19)), all(-1)),
                               10);
        base = sub(_mm256_slli_epi32(w1, 19), _mm256_slli_epi32(w1, 9));
    }
    const V last = _mm256_cmpgt_epi32(w1, all((TY_Q - 1) / (2 * gamma2) - 1));
    *w0 = add(sub(a, base), last);
    return _mm256_andnot_si256(last, w1);
}

static uint32_t ty_q_make_hint_avx2(uint32_t h[TY_AT_LEAST(8)], const int32_t w1[TY_AT_LEAST(256)],
                                    const int32_t w0[TY_AT_LEAST(256)], int32_t gamma2)
{
    const V zero = _mm256_setzero_si256();
    uint32_t count = 0;
    for (size_t i = 0; i < 8; i++) {
        uint32_t bits = 0;
        TY_EACH(j, 4) {
            const V low = load(w0 + 32 * i + 8 * j), high = load(w1 + 32 * i + 8 * j);
            /* -1 where w1 = 0, for which -gamma2 needs no hint */
            const V inner = _mm256_cmpeq_epi32(high, zero);
            const V edge = add(all(1 - gamma2), inner);
            const V out = _mm256_or_si256(_mm256_cmpgt_epi32(low, all(gamma2)),
                                          _mm256_cmpgt_epi32(edge, low));
            bits |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(out)) << 8 * j;
        }
        h[i] = bits;
        count += (uint32_t)_mm_popcnt_u32(bits);
    }
    return count;
}

TY_INLINE void use_hint_with(int32_t w1[256], const int32_t a[256], const uint32_t h[8],
                             int32_t gamma2)
{
    const V m = all((TY_Q - 1) / (2 * gamma2)), zero = _mm256_setzero_si256(), one = all(1);
    const V lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    for (size_t i = 0; i < 256; i += 8) {
        V low, high = split(&low, canon(load(a + i)), gamma2);
        const V bit = _mm256_cmpeq_epi32(
            _mm256_and_si256(all((int32_t)(h[i / 32] >> i % 32 & 255)), lane), lane);
        const V above = _mm256_cmpgt_epi32(low, zero);
        const V by = _mm256_blendv_epi8(all(-1), one, above);
        high = add(high, _mm256_and_si256(by, bit));
        high = add(high, _mm256_and_si256(m, _mm256_srai_epi32(high, 31)));
        store(w1 + i, _mm256_andnot_si256(_mm256_cmpeq_epi32(high, m), high));
    }
}

const ty_q_ops ty_q_ops_avx2 = {
    ty_q_ntt_avx2, ty_q_intt_avx2, ty_q_dot_avx2, ty_q_add_avx2, ty_q_power2round_avx2,
    ty_q_decompose_avx2, ty_q_make_hint_avx2, ty_q_use_hint_avx2 };

#include "base/level_end.h"
#endif
