/* Scalars of SM2, integers mod n, in 32-bit limbs: the portable tier. The order in bytes and the
 * check of a private key or a nonce, which need no limbs, are here too. */
#include "mod/n_sm2.h"

#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

#define TY_LEVEL c
#include "base/level_begin.h"
#define TY_LIMB_BITS 32
#define TY_OWN(name) TY_K(n_sm2_##name)
#include "mod/sm2_names.h"
#include "limb/limb256.h"
#include "mod/n_sm2_words.h"
#include "mod/n_sm2_ops.h"

const ty_n_sm2_ops ty_n_sm2_ops_c = {
    ty_n_sm2_reduce_c, ty_n_sm2_add_c, ty_n_sm2_sub_c, ty_n_sm2_mul_c, ty_n_sm2_inv_c };
#include "base/level_end.h"

const uint8_t ty_n_sm2_order[32] = { TY_N_SM2_N_BYTES };

uint32_t ty_n_sm2_valid(const uint8_t x[TY_AT_LEAST(32)], uint32_t slack)
{
    /* x - n + slack, byte by byte from the last: a borrow means x < n - slack. n ends in 0x23, so
     * subtracting the slack from that byte borrows nothing from its neighbours. */
    uint32_t borrow = 0, any = 0;
    for (int i = 31; i >= 0; i--) {
        const uint32_t m = ty_n_sm2_order[i] - (i == 31 ? slack : 0);
        borrow = (x[i] - m - borrow) >> 31;   /* -256 <= the difference <= 255 */
        any |= x[i];
    }
    return ty_mask_bit32(borrow) & ~ty_mask_zero32(any);
}

TY_FAMILY_ROWS(n_sm2, TY_N_SM2_TIERS);
