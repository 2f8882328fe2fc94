/* SM4 by AES-NI in xmm registers, for CPUs without AVX2: 16 blocks at a time.
 *
 * Floor: sm4_rounds_x86.S counts 21 instructions per round of one chain, here of 4 blocks: 32 x 21 / 64 bytes = 10.5
 * per byte, and copies, for an instruction overwrites its first operand: at four a cycle 2.6 cycles per byte and more. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/v128.h"
#include "mod/f8_sm4.h"

#define TY_LEVEL aesni
#include "base/level_begin.h"

#define SBOX_INC "sm4/sm4_sbox_aesni.inc"
#include "sm4/sm4_vector.inc"

const ty_sm4_ops ty_sm4_ops_aesni = {
    ty_sm4_schedule_aesni, ty_sm4_ecb_aesni, ty_sm4_ctr32_aesni, ty_sm4_cbc_encrypt_aesni,
    ty_sm4_cbc_decrypt_aesni, ty_sm4_cfb_decrypt_aesni, ty_sm4_xex_aesni, ty_sm4_lane_key_aesni,
    ty_sm4_lanes_aesni
};
#include "base/level_end.h"
#endif
