/* ML-DSA's kernels on bytes with AArch64's vectors: as with AVX2, but four coefficients in a
 * register.
 *
 * Unpacking: four fields are gathered as 32-bit words by TBL, each shifted right by its position in
 * its first byte (20 + 7 bits fit), and masked. Packing: neighbours are joined to one field of
 * twice the width in 64-bit lanes, shifted to their position in a byte, and two TBL put the lanes
 * together; where the lower half of eight ends inside a byte, that byte is merged into the upper
 * half.
 *
 * bound, in operations on vectors, without loads, stores and moves: unpacking 8 for 8 coefficients,
 * 256 for a polynomial; by published port counts 128 cycles on two vector pipes (Neoverse N1), 64
 * on four (Neoverse V1, Apple M1). Packing 14, 448, 224 and 112. uniform: 6 for 8 candidates;
 * small: 20 for 16; add_times: 16 for each nonzero coefficient of c, with the loads in parallel,
 * and 224 after each part of c, of which there are one (eta 2) or two (eta 4). Not measured: it has
 * only been run under QEMU.
 * time: constant except in `uniform`, and for which candidates `small` rejects */
#include "mldsa/mldsa.h"

#if defined(TY_AARCH64)
#include "base/bytes.h"
#include "base/ct.h"
#include "base/unroll.h"

#include <arm_neon.h>
#include <string.h>

#include "mldsa/forms.h"

#define TY_LEVEL neon
#include "base/level_begin.h"

/* the constants of a width: its form, and the operands that mask and shift a field x and turn it
 * into top + sign x */
typedef struct fields {
    size_t half;                         /* the byte where the upper half begins */
    uint8x16_t gather[2], odd[2], seam;  /* see form */
    int32x4_t down[2], first;            /* shifts: to the left, so down is negative */
    int64x2_t up[2];
    uint32x4_t cut;
    int32x4_t top, sign;
} fields;

static inline fields fields_of(unsigned bits, int32_t top)
{
    const form *f = &forms[bits];
    const int32_t gap = 32 - (int32_t)bits;
    fields s = { .half = bits / 2,
                 .seam = vld1q_u8(f->seam),
                 .first = { gap, 0, gap, 0 },
                 .cut = vdupq_n_u32((1u << bits) - 1),
                 .top = vdupq_n_s32(top),
                 .sign = vdupq_n_s32(top ? -1 : 1) };
    TY_EACH(h, 2) {
        s.gather[h] = vld1q_u8(f->gather + 16 * h);
        s.odd[h] = vld1q_u8(f->odd + 16 * h);
        s.down[h] = vnegq_s32(vreinterpretq_s32_u32(vld1q_u32(f->down + 4 * h)));
        s.up[h] = vsubq_s64(vreinterpretq_s64_u64(vld1q_u64(f->up + 2 * h)), vdupq_n_s64(gap));
    }
    return s;
}

static inline void unpack8(int32_t *a, const uint8_t *in, const fields *s)
{
    TY_EACH(h, 2) {
        const uint8x16_t bytes = vqtbl1q_u8(vld1q_u8(h ? in + s->half : in), s->gather[h]);
        const uint32x4_t x = vandq_u32(vshlq_u32(vreinterpretq_u32_u8(bytes), s->down[h]), s->cut);
        vst1q_s32(a + 4 * h, vmlaq_s32(s->top, vreinterpretq_s32_u32(x), s->sign));
    }
}

/* Half of a group: the lower field of a pair is shifted left against the upper one, and then both
 * to their position. */
static inline uint8x16_t half8(const int32_t *a, size_t h, const fields *s)
{
    const uint8x16_t even = vcombine_u8(vcreate_u8(0x0706050403020100), vdup_n_u8(0x80));
    const uint32x4_t x = vreinterpretq_u32_s32(vmlaq_s32(s->top, vld1q_s32(a + 4 * h), s->sign));
    const uint64x2_t pairs = vshlq_u64(vreinterpretq_u64_u32(vshlq_u32(x, s->first)), s->up[h]);
    const uint8x16_t v = vreinterpretq_u8_u64(pairs);
    return vorrq_u8(vqtbl1q_u8(v, even), vqtbl1q_u8(v, s->odd[h]));
}

static inline void pack8(uint8_t *out, const int32_t *a, const fields *s)
{
    const uint8x16_t low = half8(a, 0, s), high = half8(a, 1, s);
    vst1q_u8(out, low);
    vst1q_u8(out + s->half, vorrq_u8(high, vqtbl1q_u8(low, s->seam)));
}

#include "mldsa/fields.h"

/* All eight candidates are accepted 127 times in 128. */
static size_t ty_mldsa_take_neon(int32_t *a, size_t n, const uint8_t *in, size_t in_len)
{
    static const uint8_t spread[32] = { 0,   1,   2,  255, 3,   4,   5,  255, 6,   7,  8,
                                        255, 9,   10, 11,  255, 4,   5,  6,   255, 7,  8,
                                        9,   255, 10, 11,  12,  255, 13, 14,  15,  255 };
    const uint8x16_t first = vld1q_u8(spread), second = vld1q_u8(spread + 16);
    const uint32x4_t cut = vdupq_n_u32(0x7fffff);
    for (size_t i = 0; n < 256 && i < in_len; i += 24) {
        const uint32x4_t x =
            vandq_u32(vreinterpretq_u32_u8(vqtbl1q_u8(vld1q_u8(in + i), first)), cut);
        const uint32x4_t y =
            vandq_u32(vreinterpretq_u32_u8(vqtbl1q_u8(vld1q_u8(in + i + 8), second)), cut);
        const int all = n <= 248 && vmaxvq_u32(vmaxq_u32(x, y)) < TY_Q;
        int32_t some[8], *const to = all ? a + n : some;
        vst1q_s32(to, vreinterpretq_s32_u32(x));
        vst1q_s32(to + 4, vreinterpretq_s32_u32(y));
        n = all ? n + 8 : ty_mldsa_take_vt(a, n, some);
    }
    return n;
}

static void ty_mldsa_uniform_neon(int32_t *const a[TY_AT_LEAST(4)], size_t n[TY_AT_LEAST(4)],
                                const uint64_t *words, size_t stride)
{
    uint8_t block[TY_SHAKE128_BLOCK];
    for (size_t i = 0; i < 4; i++) {
        for (size_t w = 0; w < sizeof block / 8; w++)
            ty_put64le(block + 8 * w, words[stride * w + i]);
        n[i] = ty_mldsa_take_neon(a[i], n[i], block, sizeof block);
    }
}

/* Sixteen candidates from eight bytes: their values are looked up, and the accepted ones moved
 * together, four candidates at a time. For each four the bits of the accepted ones are added to one
 * number, each at its place; the number's bits are counted. */
static size_t ty_mldsa_small_neon(int32_t a[TY_AT_LEAST(256)], size_t n, const uint8_t *in,
                                  size_t in_len, int32_t eta)
{
    static const int8_t values[2][16] = { { 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0 },
                                          { 4, 3, 2, 1, 0, -1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0 } };
    const int8x16_t value = vld1q_s8(values[eta != 2]);
    const uint8x16_t end = vdupq_n_u8(eta == 2 ? 15 : 9),
                     place = vreinterpretq_u8_u32(vdupq_n_u32(0x08040201));
    for (size_t i = 0; i + 8 <= in_len; i += 8) {
        const uint8x8_t bytes = vld1_u8(in + i);
        const uint8x8x2_t halves = vzip_u8(vand_u8(bytes, vdup_n_u8(15)), vshr_n_u8(bytes, 4));
        const uint8x16_t x = vcombine_u8(halves.val[0], halves.val[1]);
        const int8x16_t v = vqtbl1q_s8(value, x);
        uint8x16_t bits = vandq_u8(vcltq_u8(x, end), place);
        bits = vpaddq_u8(bits, bits);
        bits = vpaddq_u8(bits, bits);
        uint32_t taken = vgetq_lane_u32(vreinterpretq_u32_u8(bits), 0);
        /* which candidates are rejected reveals nothing about the others */
        TY_PUBLIC(&taken, sizeof taken);
        uint32_t count = vget_lane_u32(vreinterpret_u32_u8(vcnt_u8(vcreate_u8(taken))), 0);
        const int16x8_t low = vmovl_s8(vget_low_s8(v)), high = vmovl_high_s8(v);
        const int32x4_t four[4] = { vmovl_s16(vget_low_s16(low)), vmovl_high_s16(low),
                                    vmovl_s16(vget_low_s16(high)), vmovl_high_s16(high) };
        TY_EACH(j, 4) {
            if (n > 252) return ty_mldsa_small_c(a, n, in + i + 2 * j, in_len - i - 2 * (size_t)j,
                                                 eta);
            const uint8x16_t lanes = vld1q_u8(together[taken & 15]);
            vst1q_s32(a + n,
                      vreinterpretq_s32_u8(vqtbl1q_u8(vreinterpretq_u8_s32(four[j]), lanes)));
            n += count & 255;
            taken >>= 8;
            count >>= 8;
        }
    }
    return n;
}

#define V v128
#include "mldsa/windows.h"

/* z += sum; returns the largest |z| so far in each lane */
static inline int32x4_t add_four(int32_t *z, int16x4_t sum, int32x4_t most)
{
    const int32x4_t x = vaddw_s16(vld1q_s32(z), sum);
    vst1q_s32(z, x);
    return vmaxq_s32(most, vabsq_s32(x));
}

static uint32_t ty_mldsa_add_times_neon(int32_t z[TY_AT_LEAST(256)], const ty_mldsa_challenge *c,
                                        const int8_t e[TY_AT_LEAST(512)], int32_t eta,
                                        int32_t bound)
{
    const size_t part = eta == 2 ? 63 : 31;
    int32x4_t most = vdupq_n_s32(0);
    for (size_t from = 0; from < c->n; from += part) {
        const size_t to = c->n - from < part ? c->n : from + part;
        V sum[SUMS];
        sum_windows(sum, c, from, to, e);
        most = vdupq_n_s32(0);   /* only the sums after the last part count */
        /* z stays in its memory: gcc would keep a copy on the stack from part to part */
        __asm__ volatile("" : : : "memory");
        TY_EACH(i, 16) {
            const int8x16_t s = vreinterpretq_s8_u8(sum[i]);
            const int16x8_t low = vmovl_s8(vget_low_s8(s)), high = vmovl_high_s8(s);
            most = add_four(z + 16 * i, vget_low_s16(low), most);
            most = add_four(z + 16 * i + 4, vget_high_s16(low), most);
            most = add_four(z + 16 * i + 8, vget_low_s16(high), most);
            most = add_four(z + 16 * i + 12, vget_high_s16(high), most);
        }
    }
    return (uint32_t)(bound - 1 - vmaxvq_s32(most)) >> 31;
}

const ty_mldsa_ops ty_mldsa_ops_neon = { ty_mldsa_pack_neon,      ty_mldsa_unpack_neon,
                                         ty_mldsa_uniform_neon,   ty_mldsa_small_neon,
                                         ty_mldsa_add_times_neon, ty_mldsa_pack_some_c,
                                         ty_mldsa_unpack_some_c,  ty_mldsa_times_c,
                                         ty_mldsa_times_packed_c, ty_mldsa_windows_c };
#    include "base/level_end.h"
#endif
