/* Keccak-f[1600] for ARM's DSP instructions. The state of a sponge stays in the form of
 * keccak_m4.S, and only the bytes that are absorbed or squeezed are converted; for other callers
 * the whole state is converted before and after each permutation. */
#include "base/levels.h"

#if defined(TY_ARM_DSP) && !defined(TY_SMALL)
#include "base/wipe.h"
#include "keccak/keccak.h"

/* The state, which is declared as words, is accessed as halves. */
typedef uint32_t __attribute__((may_alias)) half_word;
void ty_keccak_rounds_m4(half_word state[TY_AT_LEAST(50)]);
void ty_keccak_add_words_m4(half_word *half, const uint8_t *right, const uint8_t *in, size_t words);
void ty_keccak_get_words_m4(uint8_t *out, const half_word *half, const uint8_t *right,
                            size_t words);
size_t ty_keccak_sample_vt_m4(int32_t *out, const uint64_t s[TY_AT_LEAST(25)], int32_t end);
/* by how much each half of a lane is rotated right to give the true one */
extern const uint8_t ty_keccak_rotations_m4[50];

static void ty_keccak_permute_m4(uint64_t s[TY_AT_LEAST(25)])
{
    ty_keccak_rounds_m4((half_word *)s);
}

static void ty_keccak_add_m4(uint64_t s[TY_AT_LEAST(25)], size_t at, const uint8_t *in,
                             size_t words)
{
    if (words)
        ty_keccak_add_words_m4((half_word *)s + 2 * at, ty_keccak_rotations_m4 + 2 * at, in, words);
}

static void ty_keccak_get_m4(uint8_t *out, const uint64_t s[TY_AT_LEAST(25)], size_t at,
                             size_t words)
{
    if (words)
        ty_keccak_get_words_m4(out, (const half_word *)s + 2 * at, ty_keccak_rotations_m4 + 2 * at,
                               words);
}

static void ty_keccak_f1600_m4(uint64_t a[TY_AT_LEAST(25)])
{
    half_word s[50] = { 0 };
    ty_keccak_add_words_m4(s, ty_keccak_rotations_m4, (const uint8_t *)a, 25);   /* little-endian */
    ty_keccak_rounds_m4(s);
    ty_keccak_get_words_m4((uint8_t *)a, s, ty_keccak_rotations_m4, 25);
    ty_wipe(s, sizeof s);
}

#define TY_LEVEL m4
#include "base/level_begin.h"
#include "keccak/keccak_narrow.h"
#include "base/level_end.h"

const ty_keccak_ops ty_keccak_ops_m4 = { ty_keccak_f1600_m4,
                                         ty_keccak_f1600_x4_m4,
                                         ty_keccak_f1600_x8_m4,
                                         ty_keccak_permute_m4,
                                         ty_keccak_add_m4,
                                         ty_keccak_get_m4,
                                         ty_keccak_sample_vt_m4,
                                         ty_keccak_f1600_x4_x1_m4,
                                         ty_keccak_f1600_x8_x1_m4,
                                         ty_keccak_give_x4_m4,
                                         4 };
#else
typedef int ty_keccak_m4_is_empty;   /* ISO C requires a declaration in every file */
#endif
