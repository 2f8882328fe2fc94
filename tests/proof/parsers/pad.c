/* Paddings of SM4's modes (src/sm4/pad.c), for CBMC */
#include "any.h"

#include "sm4/pad.c"

static ty_sm4_pad any_pad(void)
{
    return any_int() ? TY_SM4_PAD_PKCS7 : any_int() ? TY_SM4_PAD_ISO7816 : TY_SM4_PAD_X923;
}

/* A padding that was added is found. */
void proof_fill(void)
{
    const size_t len = any_size_to(15);
    const ty_sm4_pad pad = any_pad();
    uint8_t *const x = any_bytes(16);
    ty_sm4_pad_fill(x, len, pad);
    assert(ty_sm4_pad_len(x, pad) == 16 - len);
}

/* A block in which a padding is found equals the bytes before it with that padding added. */
void proof_len(void)
{
    const ty_sm4_pad pad = any_pad();
    const uint8_t *const x = any_bytes(16);
    uint8_t again[16];
    const uint32_t n = ty_sm4_pad_len(x, pad);
    assert(n <= 16);
    if (n == 0) return;
    memcpy(again, x, 16 - n);
    ty_sm4_pad_fill(again, 16 - n, pad);
    for (int i = 0; i < 16; i++) assert(again[i] == x[i]);
}
