/* The CBC chain of CMAC, CBC-MAC and CCM, by the kernel for CBC encryption. */
#include "mac/sm4_chain.h"

enum { PIECE = 16 };                 /* blocks of a call, whose ciphertext is discarded */

static void encrypt(uint8_t *scratch, const uint8_t *in, size_t blocks, uint8_t x[16],
                    const ty_sm4_key *key)
{
    TY_HELD(sm4, key->ops)->cbc_encrypt(scratch, in, blocks, x, key->enc);
}

void ty_sm4_chain_end(uint8_t x[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    static const uint8_t zero[16];
    uint8_t scratch[16];
    encrypt(scratch, zero, 1, x, key);
    ty_wipe(scratch, sizeof scratch);
}

static void add(uint8_t x[16], uint32_t *used, const uint8_t *in, size_t len)
{
    for (size_t i = 0; i < len; i++) x[*used + i] ^= in[i];
    *used += (uint32_t)len;
}

void ty_sm4_chain(uint8_t x[TY_AT_LEAST(16)], uint32_t *used, const uint8_t *in, size_t len,
                  const ty_sm4_key *key)
{
    if (*used % 16) {                            /* the rest of a block begun earlier */
        const size_t some = len < 16 - *used ? len : 16 - *used;
        add(x, used, in, some);
        in += some;
        len -= some;
    }
    if (len == 0) return;
    if (*used == 16) ty_sm4_chain_end(x, key);   /* there is more, so that block is not the last */
    *used = 0;
    if (len > 16) {
        uint8_t scratch[16 * PIECE];
        const size_t all = (len - 1) / 16;
        for (size_t left = all, some; left; left -= some, in += 16 * some) {
            some = left < PIECE ? left : PIECE;
            encrypt(scratch, in, some, x, key);
        }
        ty_wipe(scratch, 16 * (all < PIECE ? all : PIECE));
        len -= 16 * all;
    }
    add(x, used, in, len);
}
