/* Keccak-f[1600] for ARM's DSP instructions: a state stays in the form of keccak_m4.S while a
 * sponge works, whose bytes are brought into it and back; for other callers a whole state is. */
#include "base/levels.h"

#if defined(TY_ARM_DSP)
#include "base/bytes.h"
#include "base/wipe.h"
#include "keccak/keccak.h"
#include "keccak/keccak_halves.h"

/* The state is halves from here on, whatever the compiler knows of the words that it was declared
 * as. */
typedef uint32_t __attribute__((may_alias)) half_word;
void ty_keccak_rounds_m4(half_word state[TY_AT_LEAST(50)]);
size_t ty_keccak_sample_vt_m4(int32_t *out, const uint64_t s[TY_AT_LEAST(25)], int32_t end);
/* the true half is this one turned right by so much */
extern const uint8_t ty_keccak_turns_m4[50];

/* n may be 32: ROR takes the low byte of a register, so one instruction */
static inline uint32_t right(uint32_t x, unsigned n) { return x >> (n & 31) | x << (-n & 31); }

static void ty_keccak_permute_m4(uint64_t s[TY_AT_LEAST(25)])
{
    ty_keccak_rounds_m4((half_word *)s);
}

static void ty_keccak_add_m4(uint64_t s[TY_AT_LEAST(25)], size_t at, const uint8_t *in,
                             size_t words)
{
    half_word *half = (half_word *)s + 2 * at;
    const uint8_t *turn = ty_keccak_turns_m4 + 2 * at;
    for (; words; words--, half += 2, turn += 2, in += 8) {
        const halves x = apart(ty_get64le(in));
        half[0] ^= right(x.e, 32u - turn[0]);
        half[1] ^= right(x.o, 32u - turn[1]);
    }
}

static inline uint64_t word(const half_word *half, const uint8_t *turn)
{
    return together((halves){ right(half[0], turn[0]), right(half[1], turn[1]) });
}

static void ty_keccak_get_m4(uint8_t *out, const uint64_t s[TY_AT_LEAST(25)], size_t at,
                             size_t words)
{
    const half_word *half = (const half_word *)s + 2 * at;
    const uint8_t *turn = ty_keccak_turns_m4 + 2 * at;
    for (; words; words--, half += 2, turn += 2, out += 8) ty_put64le(out, word(half, turn));
}

static void ty_keccak_f1600_m4(uint64_t a[TY_AT_LEAST(25)])
{
    uint32_t s[50];
    for (size_t i = 0; i < 25; i++) {
        const halves x = apart(a[i]);
        s[2 * i] = right(x.e, 32u - ty_keccak_turns_m4[2 * i]);
        s[2 * i + 1] = right(x.o, 32u - ty_keccak_turns_m4[2 * i + 1]);
    }
    ty_keccak_rounds_m4(s);
    for (size_t i = 0; i < 25; i++) a[i] = word(s + 2 * i, ty_keccak_turns_m4 + 2 * i);
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
typedef int ty_keccak_m4_is_empty;   /* ISO C wants a declaration in every file */
#endif
