/* SM3's compression function: the kernel list and the tier list.
 * spec    GB/T 32905-2016, 5.3 (the same function is ISO/IEC 10118-3, dedicated hash function 17)
 * state   eight 32-bit words in the machine's own byte order; messages are big-endian
 * rows    "c" portable, 32-bit words       "avx2" the expansion in vector registers, the rounds in BMI2 scalars
 *         "armsm" by the instructions made for SM3 */
#ifndef TY_SM3_SM3_H
#define TY_SM3_SM3_H

#include "base/cpu.h"
#include "tongyu/base.h"

typedef struct ty_sm3_ops {
    /* h = CF(... CF(CF(h, in[0..64)), in[64..128)) ...), nblocks blocks of 64 bytes; in at any alignment.
     * time: depends on nblocks alone. h may not overlap in. nblocks = 0 is allowed and reads nothing */
    void (*blocks)(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks);
} ty_sm3_ops;

extern const ty_sm3_ops ty_sm3_ops_c;
#define ty_sm3_ops_c64 ty_sm3_ops_c
#if defined(__x86_64__)
extern const ty_sm3_ops ty_sm3_ops_avx2;
#  define ty_sm3_ops_aesni  ty_sm3_ops_c
#  define ty_sm3_ops_adx    ty_sm3_ops_avx2
#  define ty_sm3_ops_vaes   ty_sm3_ops_avx2
#  define ty_sm3_ops_gfni   ty_sm3_ops_avx2
#  define ty_sm3_ops_avx512 ty_sm3_ops_avx2
#  define ty_sm3_ops_gfni512 ty_sm3_ops_avx2
#endif
#if defined(TY_AARCH64)
extern const ty_sm3_ops ty_sm3_ops_armsm;
#  define ty_sm3_ops_armce  ty_sm3_ops_c
#endif
extern const ty_tier ty_sm3_tiers[];

static inline const ty_sm3_ops *ty_sm3_best(void)
{
#if defined(TY_TIER)
    return &TY_CAT(ty_sm3_ops_, TY_TIER);
#else
    return (const ty_sm3_ops *)ty_tier_best(ty_sm3_tiers);
#endif
}

#endif
