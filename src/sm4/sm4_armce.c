/* SM4 by the AES instructions of ARMv8's Cryptography Extension: 16 blocks at a time. AESE adds its key before the bytes
 * go through the S-box, where x86's AESENCLAST adds it behind: so it takes the last sum before the S-box upon itself.
 *
 * Floor: per round of 4 blocks 2 EOR for the next input, AESE, a shift, AND, 4 lookups, 2 EOR, TBL, EOR, 3 TBL, 3 EOR = 19
 * instructions. By published port counts: two vector pipes (Neoverse N1) 32 x 19 / 2 / 64 = 4.75 cycles per byte, four
 * (Neoverse V1, Apple M1) 2.4. Not measured: run under QEMU alone so far. */
#include "sm4/sm4.h"

#if defined(TY_AARCH64)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/v128.h"
#include "mod/f8_sm4.h"

#define TY_LEVEL armce
#include "base/level_begin.h"

#define SBOX_INC "sm4/sm4_sbox_aesni.inc"
#include "sm4/sm4_vector.inc"

const ty_sm4_ops ty_sm4_ops_armce = {
    ty_sm4_schedule_armce, ty_sm4_ecb_armce, ty_sm4_ctr32_armce, ty_sm4_cbc_encrypt_armce,
    ty_sm4_cbc_decrypt_armce, ty_sm4_cfb_decrypt_armce, ty_sm4_xex_armce, ty_sm4_lane_key_armce,
    ty_sm4_lanes_armce
};
#include "base/level_end.h"
#endif
