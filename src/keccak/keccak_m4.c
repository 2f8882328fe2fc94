/* Keccak-f[1600] for ARM's DSP instructions: a state is brought into the form of keccak_m4.S and back. */
#include "base/levels.h"

#if defined(TY_ARM_DSP)
#include "base/wipe.h"
#include "keccak/keccak.h"
#include "keccak/keccak_halves.h"

void ty_keccak_rounds_m4(uint32_t state[TY_AT_LEAST(50)]);
extern const uint8_t ty_keccak_frames_m4[50];   /* how far each half is turned back in that form */

static void ty_keccak_f1600_m4(uint64_t a[TY_AT_LEAST(25)])
{
    const uint8_t *const frame = ty_keccak_frames_m4;
    uint32_t s[50];
    for (size_t i = 0; i < 25; i++) {
        const halves x = apart(a[i]);
        s[2 * i] = rotl(x.e, 32u - frame[2 * i]);
        s[2 * i + 1] = rotl(x.o, 32u - frame[2 * i + 1]);
    }
    ty_keccak_rounds_m4(s);
    for (size_t i = 0; i < 25; i++)
        a[i] = together((halves){ rotl(s[2 * i], frame[2 * i]), rotl(s[2 * i + 1], frame[2 * i + 1]) });
    ty_wipe(s, sizeof s);
}

#define TY_LEVEL m4
#include "base/level_begin.h"
#include "keccak/keccak_narrow.inc"
#include "base/level_end.h"

const ty_keccak_ops ty_keccak_ops_m4 = {
    ty_keccak_f1600_m4, ty_keccak_f1600_x4_m4, ty_keccak_f1600_x8_m4, ty_keccak_f1600_x4_x1_m4,
    ty_keccak_f1600_x8_x1_m4, ty_keccak_give_x4_m4, 4 };
#else
typedef int ty_keccak_m4_is_empty;   /* ISO C wants a declaration in every file */
#endif
