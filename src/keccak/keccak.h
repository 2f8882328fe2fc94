/* Keccak-f[1600], one state at a time and several: the kernel list, the tier list, and the sponge
 * inside the library.
 * spec    FIPS 202, 3 (permutation), 4 (sponge), 6 (SHA-3, SHAKE)
 * state   25 words in the machine's own byte order, word x + 5y the standard's lane (x, y);
 *         messages are little-endian
 * tiers   c        halves of 32 bits, bits interleaved
 *         c64      64-bit words
 *         avx2     one state in scalar registers, with BMI; four in ymm registers
 *         avx512   one state as avx2; four in ymm registers and eight in zmm registers, with
 *                  rotations and logic of three operands
 *         armsha3  two states with the SHA-3 instructions, one as c64
 *         m4       halves as c, in place, rotations in the shifter's operand: assembly; a sponge's
 *                  state stays in halves between permutations */
#ifndef TY_KECCAK_KECCAK_H
#define TY_KECCAK_KECCAK_H

#include "base/levels.h"
#include "tongyu/base.h"
#include "tongyu/keccak.h"

/* Word w of state i is a[w][i]. Constant time. What a kernel leaves on its stack is wiped, except
 * single words. */
typedef struct ty_keccak_ops {
    void (*f1600)(uint64_t a[TY_AT_LEAST(25)]);
    void (*f1600_x4)(uint64_t a[TY_AT_LEAST(25)][4]);   /* a aligned to 32 bytes */
    void (*f1600_x8)(uint64_t a[TY_AT_LEAST(25)][8]);   /* a aligned to 64 bytes */
    /* One state in the tier's own form, in which zero words are zero: that of a sponge. permute:
     * the permutation. add: adds `words` words of bytes, little-endian, from word `at` on. get:
     * reads them. */
    void (*permute)(uint64_t s[TY_AT_LEAST(25)]);
    void (*add)(uint64_t s[TY_AT_LEAST(25)], size_t at, const uint8_t *in, size_t words);
    void (*get)(uint8_t *out, const uint64_t s[TY_AT_LEAST(25)], size_t at, size_t words);
    /* out = the numbers of 23 bits, 3 bytes each, of a block of SHAKE128 that are below `end`;
     * returns how many, at most 56; out has room for one more. Variable time: they are public
     * [FIPS 204, algorithm 14] */
    size_t (*sample_vt)(int32_t *out, const uint64_t s[TY_AT_LEAST(25)], int32_t end);
    /* four or eight states, and one more in the tier's own form, which takes less time than alone
     * if it uses units that would be idle */
    void (*f1600_x4_x1)(uint64_t a[TY_AT_LEAST(25)][4], uint64_t s[TY_AT_LEAST(25)]);
    void (*f1600_x8_x1)(uint64_t a[TY_AT_LEAST(25)][8], uint64_t s[TY_AT_LEAST(25)]);
    /* out[i] = `words` words of lane i, which are a[stride * w + i], little-endian, for i < 4 */
    void (*give_x4)(uint8_t *const out[TY_AT_LEAST(4)], const uint64_t *a, size_t stride,
                    size_t words);
    /* 4 or 8: how many states at once take the least time per state */
    unsigned lanes;
} ty_keccak_ops;

#define TY_KECCAK_TIERS(X)                                                                         \
    X(keccak, c)                                                                                   \
    TY_ON_WORD64(X(keccak, c64)) TY_ON_X86_64(X(keccak, avx2) X(keccak, avx512))                   \
        TY_ON_ARM64(X(keccak, armsha3)) TY_ON_ARM_DSP_LONG(X(keccak, m4))
TY_FAMILY(keccak, TY_KECCAK_TIERS)

/* Kernels of the tiers whose form is the words themselves */
void ty_keccak_add_c(uint64_t s[TY_AT_LEAST(25)], size_t at, const uint8_t *in, size_t words);
void ty_keccak_get_c(uint8_t *out, const uint64_t s[TY_AT_LEAST(25)], size_t at, size_t words);
size_t ty_keccak_sample_vt_c(int32_t *out, const uint64_t s[TY_AT_LEAST(25)], int32_t end);

extern const uint64_t ty_keccak_rc[24];   /* the constants of iota */

/* The sponge for internal callers, without checks of the order of calls. Absorb any number of
 * times, then squeeze any number of times; the first squeeze pads. The caller wipes c, and the
 * stack below. rate: one of the TY_*_BLOCK; suffix: 0x06 for SHA-3, 0x1f for SHAKE */
enum { TY_KECCAK_SHA3 = 0x06, TY_KECCAK_SHAKE = 0x1f };
void ty_keccak_start(ty_keccak *c, unsigned rate, unsigned suffix);
void ty_keccak_absorb(ty_keccak *c, const uint8_t *msg, size_t msg_len);
void ty_keccak_squeeze(uint8_t *out, size_t out_len, ty_keccak *c);

/* Absorbing without the permutations: the caller does them, and sets c->pos = 0 after each.
 * ty_keccak_fill absorbs as much of msg as fits the current block and returns how much that was;
 * ty_keccak_pad pads the end of the message, which fills the block. */
size_t ty_keccak_fill(ty_keccak *c, const uint8_t *msg, size_t msg_len);
void ty_keccak_pad(ty_keccak *c);

#endif
