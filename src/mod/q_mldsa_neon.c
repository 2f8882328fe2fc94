/* Z/q of ML-DSA with AArch64's vectors: four coefficients in a register.
 *
 * SQDMULH gives the upper half of twice a product. For t = b z and m = b (z/q mod R), twice t and
 * twice m q have the same lower halves, so the difference of their upper halves is exact, 2 (t - m
 * q)/R, and SHSUB halves it: the number that the portable tier computes. z/q is stored next to z,
 * so that m does not wait for t. SQDMULH saturates only where both factors are -2^31, and powers
 * and q are small.
 *
 * A transform is two passes. The first joins the layers of distance 128 to 16, on one register from
 * each of sixteen blocks. The second holds 16 neighbours in four registers, two such blocks at
 * once: distances 8 and 4, then rows become columns, and distances 2 and 1 are again between
 * registers; then back to the standard's order.
 *
 * bound: 256 butterflies of 6 operations, 3 of them products, and 256 shuffles: 1792. By published
 * port counts: two vector pipes, one of which multiplies (Neoverse N1), 896 cycles; four (Neoverse
 * V1, Apple M1) 448. (With SQRDMLSH of ARMv8.1 a butterfly would take 5.) Not measured: the code
 * has only run under QEMU. Ranges: those of q_mldsa.c.
 * time: constant */
#include "mod/q_mldsa.h"

#if defined(TY_AARCH64)
#include <arm_neon.h>

#include "mod/q_mldsa_far.inc"
#include "mod/q_mldsa_neon.inc"

#define TY_LEVEL neon
#include "base/level_begin.h"

typedef int32x4_t V;
#include "mod/q_mldsa_vec.h"

TY_INLINE V load(const int32_t *p) { return vld1q_s32(p); }
TY_INLINE void store(int32_t *p, V x) { vst1q_s32(p, x); }
TY_INLINE V add(V x, V y) { return vaddq_s32(x, y); }
TY_INLINE V sub(V x, V y) { return vsubq_s32(x, y); }
static inline V halved(V t, V m) { return vhsubq_s32(t, vqdmulhq_s32(m, vdupq_n_s32(TY_Q))); }

/* b z/R: one power for all lanes and after it z/q; or a power for each, p[0..4), and their p/q */
TY_INLINE V times(V b, const int32_t *p)
{
    return halved(vqdmulhq_n_s32(b, p[0]), vmulq_n_s32(b, p[1]));
}
TY_INLINE V times_each(V b, const int32_t *p)
{
    return halved(vqdmulhq_s32(b, load(p)), vmulq_s32(b, load(p + 4)));
}

#define PAIRS(f, x, y) vreinterpretq_s32_s64(f(vreinterpretq_s64_s32(x), vreinterpretq_s64_s32(y)))

/* rows become columns: coefficient 4 i + j goes to lane i of register j, and back */
static inline void transpose(V r[4])
{
    const V s0 = vtrn1q_s32(r[0], r[1]), s1 = vtrn2q_s32(r[0], r[1]);
    const V s2 = vtrn1q_s32(r[2], r[3]), s3 = vtrn2q_s32(r[2], r[3]);
    r[0] = PAIRS(vtrn1q_s64, s0, s2);
    r[1] = PAIRS(vtrn1q_s64, s1, s3);
    r[2] = PAIRS(vtrn2q_s64, s0, s2);
    r[3] = PAIRS(vtrn2q_s64, s1, s3);
}

/* p, with its contents hidden from the compiler, which would build known numbers with
 * additional instructions. */
static inline const int32_t *hidden(const int32_t *p)
{
    __asm__("" : "+r"(p));
    return p;
}
#define FAR(k) (f + 2 * (k))

static void ty_q_ntt_neon(int32_t a[TY_AT_LEAST(256)])
{
    const int32_t *const f = hidden(far);
    for (size_t i = 0; i < 16; i += 4) {
        V r[16];
        TY_EACH(j, 16) r[j] = load(a + 16 * j + i);
        TY_EACH(j, 8) up(&r[j], &r[j + 8], FAR(1));
        TY_EACH(j, 8) up(&r[j + j / 4 * 4], &r[j + j / 4 * 4 + 4], FAR(2 + j / 4));
        TY_EACH(j, 8) up(&r[j + j / 2 * 2], &r[j + j / 2 * 2 + 2], FAR(4 + j / 2));
        TY_EACH(j, 8) up(&r[2 * j], &r[2 * j + 1], FAR(8 + j));
        TY_EACH(j, 16) store(a + 16 * j + i, r[j]);
    }
    for (size_t b = 0; b < 16; b += 2) {
        const int32_t *p = near + 24 * b;
        V r[8];
        TY_EACH(j, 8) r[j] = load(a + 16 * b + 4 * j);
        TY_EACH(j, 4) up(&r[j + j / 2 * 2], &r[j + j / 2 * 2 + 2], FAR(16 + b + j / 2));
        TY_EACH(j, 4) up(&r[2 * j], &r[2 * j + 1], FAR(32 + 2 * b + j));
        transpose(r);
        transpose(r + 4);
        TY_EACH(j, 4) up_each(&r[j + j / 2 * 2], &r[j + j / 2 * 2 + 2], p + 24 * (j / 2));
        TY_EACH(j, 4) up_each(&r[2 * j], &r[2 * j + 1], p + 24 * (j / 2) + 8 + 8 * (j % 2));
        transpose(r);
        transpose(r + 4);
        TY_EACH(j, 8) store(a + 16 * b + 4 * j, r[j]);
    }
}

static void ty_q_intt_neon(int32_t a[TY_AT_LEAST(256)])
{
    static const int32_t ends[4] = { SCALE, SCALE_LOW, LAST, LAST_LOW };
    const int32_t *const f = hidden(far_inv), *const scale = hidden(ends), *const last = scale + 2;
    for (size_t b = 0; b < 16; b += 2) {
        const int32_t *p = near_inv + 24 * b;
        V r[8];
        TY_EACH(j, 8) r[j] = load(a + 16 * b + 4 * j);
        transpose(r);
        transpose(r + 4);
        TY_EACH(j, 4) down_each(&r[2 * j], &r[2 * j + 1], p + 24 * (j / 2) + 8 + 8 * (j % 2));
        TY_EACH(j, 4) down_each(&r[j + j / 2 * 2], &r[j + j / 2 * 2 + 2], p + 24 * (j / 2));
        transpose(r);
        transpose(r + 4);
        TY_EACH(j, 4) down(&r[2 * j], &r[2 * j + 1], FAR(32 + 2 * b + j));
        TY_EACH(j, 4) down(&r[j + j / 2 * 2], &r[j + j / 2 * 2 + 2], FAR(16 + b + j / 2));
        TY_EACH(j, 8) store(a + 16 * b + 4 * j, r[j]);
    }
    for (size_t i = 0; i < 16; i += 4) {
        V r[16];
        TY_EACH(j, 16) r[j] = load(a + 16 * j + i);
        TY_EACH(j, 8) down(&r[2 * j], &r[2 * j + 1], FAR(8 + j));
        TY_EACH(j, 8) down(&r[j + j / 2 * 2], &r[j + j / 2 * 2 + 2], FAR(4 + j / 2));
        TY_EACH(j, 8) down(&r[j + j / 4 * 4], &r[j + j / 4 * 4 + 4], FAR(2 + j / 4));
        TY_EACH(j, 8) {   /* the last layer scales both halves */
            store(a + 16 * j + i, times(add(r[j], r[j + 8]), scale));
            store(a + 128 + 16 * j + i, times(sub(r[j], r[j + 8]), last));
        }
    }
}

/* Sums of 64 bits, two lanes in each of two registers; the m of all four is one product of the
 * lower halves. */
TY_INLINE void dot_of(int32_t z[256], const ty_q_poly *x, const ty_q_poly *y, size_t n)
{
    for (size_t i = 0; i < 256; i += 4) {
        int64x2_t low = vdupq_n_s64(0), high = low;
        _Pragma("GCC unroll 8") for (size_t j = 0; j < n; j++) {
            const V s = load(x[j] + i), t = load(y[j] + i);
            low = vmlal_s32(low, vget_low_s32(s), vget_low_s32(t));
            high = vmlal_high_s32(high, s, t);
        }
        const V m = vmulq_n_s32(vuzp1q_s32(vreinterpretq_s32_s64(low), vreinterpretq_s32_s64(high)),
                                TY_Q_INV);
        low = vmlsl_n_s32(low, vget_low_s32(m), TY_Q);
        high = vmlsl_high_n_s32(high, m, TY_Q);
        store(z + i, vuzp2q_s32(vreinterpretq_s32_s64(low), vreinterpretq_s32_s64(high)));
    }
}

/* loose coefficients made canonical: q is added under a mask, which is -1 */
TY_INLINE V canon(V x) { return vmlsq_n_s32(x, vshrq_n_s32(x, 31), TY_Q); }

/* The shift rounds: (x + 2^22) >> 23. */
static inline V fold(V x) { return vmlsq_n_s32(x, vrshrq_n_s32(x, 23), TY_Q); }

static uint32_t ty_q_add_neon(int32_t z[TY_AT_LEAST(256)], const int32_t x[TY_AT_LEAST(256)],
                              const int32_t y[TY_AT_LEAST(256)], int32_t bound)
{
    V most = vdupq_n_s32(0);
    for (size_t i = 0; i < 256; i += 4) {
        const V r = fold(add(load(x + i), load(y + i)));
        most = vmaxq_s32(most, vabsq_s32(r));
        store(z + i, r);
    }
    return (uint32_t)(bound - 1 - vmaxvq_s32(most)) >> 31;
}

static void ty_q_power2round_neon(int32_t t1[TY_AT_LEAST(256)], int32_t t0[TY_AT_LEAST(256)],
                                  const int32_t a[TY_AT_LEAST(256)])
{
    for (size_t i = 0; i < 256; i += 4) {
        const V x = canon(load(a + i)), high = vshrq_n_s32(add(x, vdupq_n_s32((1 << 12) - 1)), 13);
        store(t1 + i, high);
        store(t0 + i, sub(x, vshlq_n_s32(high, 13)));
    }
}

/* As in q_mldsa_one.h; masks are -1. */
TY_INLINE V split(V *w0, V a, int32_t gamma2)
{
    const V x = add(a, vdupq_n_s32(gamma2 - 1));
    V w1;
    if (gamma2 == TY_Q_GAMMA2_88) w1 = vshrq_n_s32(vmulq_n_s32(vshrq_n_s32(x, 11), 2819), 18);
    else w1 = vshrq_n_s32(add(vsraq_n_s32(vshrq_n_s32(x, 9), x, 19), vdupq_n_s32(1)), 10);
    const V last = vreinterpretq_s32_u32(vcgtq_s32(w1, vdupq_n_s32((TY_Q - 1) / (2 * gamma2) - 1)));
    *w0 = vmlsq_n_s32(add(a, last), w1, 2 * gamma2);
    return vbicq_s32(w1, last);
}

/* all ones where w0 = low, w1 = high need a hint */
static inline uint32x4_t hinted(V low, V high, int32_t gamma2)
{
    /* -1 where w1 = 0, for which -gamma2 needs no hint */
    const V inner = vreinterpretq_s32_u32(vceqzq_s32(high));
    return vorrq_u32(vcgtq_s32(low, vdupq_n_s32(gamma2)),
                     vcgtq_s32(add(inner, vdupq_n_s32(1 - gamma2)), low));
}

#define HALVES(x, y) vuzp1q_u16(vreinterpretq_u16_u32(x), vreinterpretq_u16_u32(y))
#define BYTES(x, y)  vuzp1q_u8(vreinterpretq_u8_u16(x), vreinterpretq_u8_u16(y))

/* 32 masks become bytes, each keeps the bit of its place in eight, and neighbours are added three
 * times. */
static uint32_t ty_q_make_hint_neon(uint32_t h[TY_AT_LEAST(8)], const int32_t w1[TY_AT_LEAST(256)],
                                    const int32_t w0[TY_AT_LEAST(256)], int32_t gamma2)
{
    const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    uint32x4_t count = vdupq_n_u32(0);
    for (size_t i = 0; i < 8; i++) {
        uint32x4_t out[8];
        TY_EACH(j, 8) {
            out[j] = hinted(load(w0 + 32 * i + 4 * j), load(w1 + 32 * i + 4 * j), gamma2);
            count = vsubq_u32(count, out[j]);
        }
        const uint8x16_t first =
            vandq_u8(BYTES(HALVES(out[0], out[1]), HALVES(out[2], out[3])), place);
        const uint8x16_t second =
            vandq_u8(BYTES(HALVES(out[4], out[5]), HALVES(out[6], out[7])), place);
        uint8x16_t bits = vpaddq_u8(first, second);
        bits = vpaddq_u8(bits, bits);
        bits = vpaddq_u8(bits, bits);
        h[i] = vgetq_lane_u32(vreinterpretq_u32_u8(bits), 0);
    }
    return vaddvq_u32(count);
}

TY_INLINE void use_hint_with(int32_t w1[256], const int32_t a[256], const uint32_t h[8],
                                                                int32_t gamma2)
{
    const V m = vdupq_n_s32((TY_Q - 1) / (2 * gamma2)), one = vdupq_n_s32(1),
            less = vdupq_n_s32(-1);
    const uint32x4_t lane = { 1, 2, 4, 8 };
    for (size_t i = 0; i < 256; i += 4) {
        V low, high = split(&low, canon(load(a + i)), gamma2);
        const V bit = vreinterpretq_s32_u32(vtstq_u32(vdupq_n_u32(h[i / 32] >> i % 32), lane));
        const V by = vbslq_s32(vcgtzq_s32(low), one, less);
        high = add(high, vandq_s32(by, bit));
        high = add(high, vandq_s32(m, vshrq_n_s32(high, 31)));
        store(w1 + i, vbicq_s32(high, vreinterpretq_s32_u32(vceqq_s32(high, m))));
    }
}

const ty_q_ops ty_q_ops_neon = {
    ty_q_ntt_neon, ty_q_intt_neon, ty_q_dot_neon, ty_q_add_neon, ty_q_power2round_neon,
    ty_q_decompose_neon, ty_q_make_hint_neon, ty_q_use_hint_neon };
#include "base/level_end.h"
#endif
