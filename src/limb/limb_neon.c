/* The kernels for AArch64: assembly, and a table that is read with vectors. */
#include "limb/limb.h"
#if defined(TY_AARCH64)
#include <arm_neon.h>

#define TY_LEVEL neon
#include "base/level_begin.h"

ty_limb ty_limb_add_neon(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n);
ty_limb ty_limb_sub_neon(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n);
ty_limb ty_limb_mul_1_neon(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
ty_limb ty_limb_addmul_1_neon(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
ty_limb ty_limb_submul_1_neon(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
void ty_limb_mul_neon(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn);
void ty_limb_sqr_neon(ty_limb *z, const ty_limb *x, size_t n);
void ty_limb_redc_neon(ty_limb *z, ty_limb *t, const ty_limb *m, size_t n, ty_limb minv);

static void ty_limb_mont_neon(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_limb *m,
                              size_t n, ty_limb minv)
{
    ty_limb t[2 * TY_LIMB_MONT];
    ty_limb_mul_neon(t, x, n, y, n);
    ty_limb_redc_neon(z, t, m, n, minv);
    ty_wipe(t, 2 * n * sizeof *t);
}

static void ty_limb_mont2_neon(ty_limb *z, const ty_limb *m, size_t n, ty_limb minv, size_t count)
{
    ty_limb t[2 * TY_LIMB_MONT];
    for (; count; count--) {
        ty_limb_sqr_neon(t, z, n);
        ty_limb_redc_neon(z, t, m, n, minv);
    }
    ty_wipe(t, 2 * n * sizeof *t);
}

/* z[2 pairs] = limbs of entry `index`; table points at these limbs of entry 0.
 * bound: a load and two operations for two limbs of each entry */
static inline __attribute__((always_inline)) void gather_pairs(ty_limb *z, const ty_limb *table,
                                                               size_t n, size_t count, size_t index,
                                                               size_t pairs)
{
    uint64x2_t sum[4] = { vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0) };
    for (size_t k = 0; k < count; k++, table += n) {
        const uint64x2_t mask = vceqq_u64(vdupq_n_u64(k), vdupq_n_u64(index));
        _Pragma("GCC unroll 4") for (size_t i = 0; i < pairs; i++)
            sum[i] = vorrq_u64(sum[i], vandq_u64(mask, vld1q_u64(table + 2 * i)));
    }
    _Pragma("GCC unroll 4") for (size_t i = 0; i < pairs; i++) vst1q_u64(z + 2 * i, sum[i]);
}

static void ty_limb_gather_neon(ty_limb *z, const ty_limb *table, size_t n, size_t count,
                                size_t index)
{
    size_t at = 0;
    for (; at + 8 <= n; at += 8) gather_pairs(z + at, table + at, n, count, index, 4);
    for (; at + 2 <= n; at += 2) gather_pairs(z + at, table + at, n, count, index, 1);
    if (at == n) return;
    z[at] = 0;
    for (size_t k = 0; k < count; k++)
        z[at] |= table[n * k + at] & ty_limb_is0((ty_limb)(k ^ index));
}

const ty_limb_ops ty_limb_ops_neon = {
    ty_limb_add_neon, ty_limb_sub_neon, ty_limb_neg_if, ty_limb_sum_4, ty_limb_mul_1_neon,
    ty_limb_addmul_1_neon, ty_limb_submul_1_neon, ty_limb_mul_neon, ty_limb_sqr_neon,
    NULL, NULL, ty_limb_redc_neon, ty_limb_mont_neon, ty_limb_mont2_neon, NULL, NULL, NULL,
    ty_limb_gather_neon, 0 };
#include "base/level_end.h"
#endif
