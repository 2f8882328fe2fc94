/* SM4, portable: bit planes in 32-bit words, 8 blocks at once. The other tiers are tested
 * against it. */
#include "sm4/sm4.h"
#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

typedef uint32_t W;
#define LANE  8
#define UNITS 0x01010101u

/* Byte j is lane j already. */
static inline W spread(uint32_t x) { return x; }
static inline W gather(const uint8_t *p) { return ty_get32be(p); }
static inline void scatter(uint8_t *p, W w) { ty_put32be(p, w); }

#define TY_LEVEL c
#include "base/level_begin.h"
#include "sm4/sm4_circuit.h"
#include "sm4/sm4_bitslice.h"

const ty_sm4_ops ty_sm4_ops_c = {
    ty_sm4_schedule_c, ty_sm4_schedules_c, ty_sm4_ecb_c, ty_sm4_ctr32_c, NULL, 0,
    ty_sm4_cbc_encrypt_c, ty_sm4_cbc_decrypt_c, ty_sm4_cfb_decrypt_c, ty_sm4_xex_c,
    ty_sm4_lane_key_c, ty_sm4_lane_keys_c, ty_sm4_lanes_c,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
