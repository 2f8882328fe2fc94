/* SM3 on four messages at once by ASIMD, which every AArch64 machine with the tier "armce" has. One message goes as in sm3.c.
 *
 * Bound: a rotation is a shift and a shift with insertion. With P0 and P1 as one rotation and one move of bytes each, a round
 * and its expansion are 39 instructions, 16 of them shifts: on the four vector ports of a Neoverse V1, where two shift,
 * 9.75 cycles, 2.4 per byte of each message. Not measured: run under QEMU alone so far. */
#include "sm3/sm3.h"
#if defined(TY_AARCH64)
#include "base/bytes.h"
#include <arm_neon.h>
#define TY_LEVEL armce
#include "base/level_begin.h"

#define LANES           TY_SM3_ARMCE_LANES
#define V               uint32x4_t
#define ADD(a, b)       vaddq_u32(a, b)
#define XOR(a, b)       veorq_u32(a, b)
#define ROT(x, n)       vsriq_n_u32(vshlq_n_u32(x, n), x, 32 - (n))
#define XOR3(a, b, c)   XOR(XOR(a, b), c)
#define MAJ(a, b, c)    vbslq_u32(XOR(a, b), c, b)
#define CHOICE(a, b, c) vbslq_u32(a, b, c)
#define SAME(p)         vld1q_dup_u32(p)

static inline V lo_epi32(V a, V b) { return vzip1q_u32(a, b); }
static inline V hi_epi32(V a, V b) { return vzip2q_u32(a, b); }
static inline V lo_epi64(V a, V b) { return vreinterpretq_u32_u64(vzip1q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b))); }
static inline V hi_epi64(V a, V b) { return vreinterpretq_u32_u64(vzip2q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b))); }
#define UNPACK(what, a, b) what(a, b)
static inline V quarter(const uint8_t *p) { return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p))); }
#define QUARTER(in, e, at) quarter((in)[e] + (at))

/* x ^ (x <<< 9) ^ (x <<< 17) and x ^ (x <<< 15) ^ (x <<< 23): the two rotations are a byte apart, so y = x ^ (x <<< 8) is
 * rotated once */
static inline V with_byte(V x)
{
    static const uint8_t rol8[16] = { 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14 };
    return XOR(x, vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), vld1q_u8(rol8))));
}
static inline V p0(V x)
{
    const V y = with_byte(x);
    return XOR(x, ROT(y, 9));
}
static inline V p1(V x)
{
    const V y = with_byte(x);
    return XOR(x, ROT(y, 15));
}
#define P0 p0
#define P1 p1
#include "sm3/sm3_lanes.inc"

const ty_sm3_ops ty_sm3_ops_armce = { ty_sm3_blocks_c, LANES, ty_sm3_step_armce, ty_sm3_chain_armce };
#include "base/level_end.h"
#endif
