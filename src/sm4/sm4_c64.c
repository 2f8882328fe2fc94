/* SM4, portable: bit planes in 64-bit words, 16 blocks at once. */
#include "sm4/sm4.h"

#if defined(__SIZEOF_INT128__)
#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

typedef uint64_t W;
#define LANE  16
#define UNITS 0x0001000100010001u

static inline W spread(uint32_t x)
{
    W y = x;
    y = (y | y << 16) & 0x0000ffff0000ffffu;
    return (y | y << 8) & 0x00ff00ff00ff00ffu;
}

static inline uint32_t squeeze(W y)
{
    y &= 0x00ff00ff00ff00ffu;
    y = (y | y >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(y | y >> 16);
}

/* A lane is two bytes: blocks 0 to 7 take the lower one, blocks 8 to 15 the upper one. */
static inline W gather(const uint8_t *p)
{
    return spread(ty_get32be(p)) | spread(ty_get32be(p + 16 * 8)) << 8;
}

static inline void scatter(uint8_t *p, W w)
{
    ty_put32be(p, squeeze(w));
    ty_put32be(p + 16 * 8, squeeze(w >> 8));
}

#define TY_LEVEL c64
#include "base/level_begin.h"
#include "sm4/sm4_circuit.h"
#include "sm4/sm4_bitslice.h"

const ty_sm4_ops ty_sm4_ops_c64 = {
    ty_sm4_schedule_c64, ty_sm4_schedules_c64, ty_sm4_ecb_c64, ty_sm4_ctr32_c64, NULL, 0,
    ty_sm4_cbc_encrypt_c64, ty_sm4_cbc_decrypt_c64, ty_sm4_cfb_decrypt_c64, ty_sm4_xex_c64,
    ty_sm4_lane_key_c64, ty_sm4_lane_keys_c64, ty_sm4_lanes_c64,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
#endif
