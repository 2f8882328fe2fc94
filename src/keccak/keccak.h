/* Keccak-f[1600], one state at a time and several: the kernel list, the tier list, and the sponge inside the library.
 * spec    FIPS 202, 3 (permutation), 4 (sponge), 6 (SHA-3, SHAKE)
 * state   25 words in the machine's own byte order, word x + 5y the standard's lane (x, y); messages are little-endian
 * rows    "c" halves of 32 bits, bits interleaved      "c64" 64-bit words      "avx2" BMI scalars, and 4 states in ymm
 *         "avx512" 8 states in zmm, 4 in ymm, with rotations and three-operand logic
 *         "armsha3" 2 states in a register by the instructions made for them, one state as "c64" */
#ifndef TY_KECCAK_KECCAK_H
#define TY_KECCAK_KECCAK_H

#include "base/cpu.h"
#include "tongyu/base.h"
#include "tongyu/keccak.h"

/* Word w of state i is a[w][i]. Constant time. What a kernel leaves on its stack is wiped, but for single words. */
typedef struct ty_keccak_ops {
    void (*f1600)(uint64_t a[TY_AT_LEAST(25)]);
    void (*f1600_x4)(uint64_t a[TY_AT_LEAST(25)][4]);   /* a aligned to 32 bytes */
    void (*f1600_x8)(uint64_t a[TY_AT_LEAST(25)][8]);   /* a aligned to 64 bytes */
    /* the same and one state more, which goes along for a part of its price where units would stand idle */
    void (*f1600_x4_x1)(uint64_t a[TY_AT_LEAST(25)][4], uint64_t b[TY_AT_LEAST(25)]);
    void (*f1600_x8_x1)(uint64_t a[TY_AT_LEAST(25)][8], uint64_t b[TY_AT_LEAST(25)]);
    /* out[i] = words words of lane i of the four that are a[stride w + i], little-endian */
    void (*give_x4)(uint8_t *const out[TY_AT_LEAST(4)], const uint64_t *a, size_t stride, size_t words);
    unsigned lanes;                                     /* 4 or 8: what makes a state the cheapest */
} ty_keccak_ops;

extern const ty_keccak_ops ty_keccak_ops_c, ty_keccak_ops_c64;
#if defined(__x86_64__)
extern const ty_keccak_ops ty_keccak_ops_avx2, ty_keccak_ops_avx512;
#  define ty_keccak_ops_aesni   ty_keccak_ops_c64
#  define ty_keccak_ops_adx     ty_keccak_ops_avx2
#  define ty_keccak_ops_vaes    ty_keccak_ops_avx2
#  define ty_keccak_ops_gfni    ty_keccak_ops_avx2
#  define ty_keccak_ops_gfni512 ty_keccak_ops_avx512
#endif
#if defined(TY_AARCH64)
extern const ty_keccak_ops ty_keccak_ops_armsha3;
#  define ty_keccak_ops_neon    ty_keccak_ops_c64
#  define ty_keccak_ops_armce   ty_keccak_ops_c64
#  define ty_keccak_ops_armsm   ty_keccak_ops_c64
#endif
extern const ty_tier ty_keccak_tiers[];
extern const uint64_t ty_keccak_rc[24];   /* the constants of iota */

static inline const ty_keccak_ops *ty_keccak_best(void)
{
#if defined(TY_TIER)
    return &TY_CAT(ty_keccak_ops_, TY_TIER);
#else
    return (const ty_keccak_ops *)ty_tier_best(ty_keccak_tiers);
#endif
}

/* The sponge for those who know what they do: no errors. Absorb any number of times, then squeeze any number of times;
 * the first squeeze pads. The caller wipes c.     rate  one of the TY_*_BLOCK; suffix  0x06 for SHA-3, 0x1f for SHAKE */
enum { TY_KECCAK_SHA3 = 0x06, TY_KECCAK_SHAKE = 0x1f };
void ty_keccak_start(ty_keccak *c, unsigned rate, unsigned suffix);
void ty_keccak_absorb(ty_keccak *c, const uint8_t *msg, size_t msg_len);
void ty_keccak_squeeze(uint8_t *out, size_t out_len, ty_keccak *c);

/* Absorbing without the permutations, which the caller makes and says so by c->pos = 0: as much of msg as the present block
 * takes, and how much that was; and the end of the message, which fills the block. */
size_t ty_keccak_fill(ty_keccak *c, const uint8_t *msg, size_t msg_len);
void ty_keccak_pad(ty_keccak *c);

#endif
