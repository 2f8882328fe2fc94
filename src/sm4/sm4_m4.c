/* SM4 for ARM's DSP instructions: the cipher is assembly, on bit planes as in the portable tier. */
#include "sm4/sm4.h"
#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

#if defined(TY_ARM_DSP)
typedef uint32_t W;
#define LANE  8
#define UNITS 0x01010101u

/* Byte j is lane j already. */
static inline W spread(uint32_t x) { return x; }

void ty_sm4_crypt_m4(uint8_t out[16 * LANE], const uint8_t in[16 * LANE], const W k[256]);
void ty_sm4_one_m4(uint8_t out[16], const uint8_t in[16], const uint32_t rk[32]);
void ty_sm4_schedule_m4(uint32_t rk[TY_AT_LEAST(32)], const uint8_t key[TY_AT_LEAST(16)]);

#define TY_LEVEL m4
#include "base/level_begin.h"
#include "sm4/sm4_bitslice.h"

/* One after the other: a key alone is fast enough, and there are rarely many at once. */
static void ty_sm4_schedules_m4(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes,
                                size_t n)
{
    static const uint8_t zero[16] = { 0 };
    for (size_t i = 0; i < n; i++) {
        ty_sm4_key *key = ty_sm4_key_at(first, stride, i);
        ty_sm4_schedule_m4(key->enc, bytes + 16 * i);
        for (unsigned r = 0; r < 32; r++) key->dec[r] = key->enc[31 - r];
        if (h) ty_sm4_one_m4(h + 16 * i, zero, key->enc);
    }
    ty_wipe_below_8k();
}

const ty_sm4_ops ty_sm4_ops_m4 = {
    ty_sm4_schedule_m4, ty_sm4_schedules_m4, ty_sm4_ecb_m4, ty_sm4_ctr32_m4, NULL, 0,
    ty_sm4_cbc_encrypt_m4, ty_sm4_cbc_decrypt_m4, ty_sm4_cfb_decrypt_m4, ty_sm4_xex_m4,
    ty_sm4_lane_key_m4, ty_sm4_lane_keys_m4, ty_sm4_lanes_m4,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
#else
typedef int ty_sm4_m4_is_empty;   /* ISO C requires a declaration in every file */
#endif
