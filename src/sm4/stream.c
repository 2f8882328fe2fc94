/* Streaming: every mode, any chunking. The modes of whole blocks hold incomplete blocks back, and
 * may be padded; the modes of whole bytes hold nothing back. */
#include "sm4/sm4.h"
#include "base/ct.h"
#include "base/overlap.h"

#include <string.h>

enum { IDLE, RUNNING };                     /* ty_sm4_stream.state; a wiped object is IDLE */
enum { CHUNK = 256 };

static int whole_bytes(const ty_sm4_stream *c) { return c->mode >= TY_SM4_CTR; }

/* Among the modes of whole blocks the odd ones decrypt. */
static int decrypts(const ty_sm4_stream *c) { return c->mode & 1; }

static void blocks(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_stream *c)
{
    const ty_sm4_key *key = c->key;
    const ty_sm4_ops *ops = TY_HELD(sm4, key->ops);
    switch (c->mode) {
    case TY_SM4_ECB_ENCRYPT: ops->ecb(out, in, len / 16, key->enc); break;
    case TY_SM4_ECB_DECRYPT: ops->ecb(out, in, len / 16, key->dec); break;
    case TY_SM4_CBC_ENCRYPT: ops->cbc_encrypt(out, in, len / 16, c->iv, key->enc); break;
    case TY_SM4_CBC_DECRYPT: ops->cbc_decrypt(out, in, len / 16, c->iv, key->dec); break;
    case TY_SM4_BC_ENCRYPT:
    case TY_SM4_BC_DECRYPT:  ty_sm4_bc_run(out, in, len / 16, c->iv, decrypts(c), key); break;
    default:                 ty_sm4_ofbnlf_run(out, in, len / 16, c->iv, decrypts(c), key); break;
    }
}

static void bytes(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_stream *c)
{
    const ty_sm4_key *key = c->key;
    switch (c->mode) {
    case TY_SM4_CTR:
        ty_sm4_ctr_run(out, in, len, c->iv, c->held, &c->held_len, key);
        break;
    case TY_SM4_OFB:          ty_sm4_ofb_run(out, in, len, c->iv, &c->held_len, key); break;
    case TY_SM4_CFB_ENCRYPT:  ty_sm4_cfb_run(out, in, len, c->iv, &c->held_len, 0, key); break;
    case TY_SM4_CFB_DECRYPT:  ty_sm4_cfb_run(out, in, len, c->iv, &c->held_len, 1, key); break;
    case TY_SM4_CFB8_ENCRYPT: ty_sm4_cfb8_run(out, in, len, c->iv, 0, key); break;
    case TY_SM4_CFB8_DECRYPT: ty_sm4_cfb8_run(out, in, len, c->iv, 1, key); break;
    /* CFB-1, in pieces whose number of bits fits a size_t */
    default:
        for (size_t some; len; len -= some, in += some, out += some) {
            some = len < CHUNK ? len : CHUNK;
            ty_sm4_cfb1_run(out, in, 8 * some, c->iv, c->mode == TY_SM4_CFB1_DECRYPT, key);
        }
    }
}

ty_err ty_sm4_start(ty_sm4_stream *c, ty_sm4_mode mode, ty_sm4_pad pad, const uint8_t *iv,
                    const ty_sm4_key *key)
{
    memset(c, 0, sizeof *c);
    if ((unsigned)mode > TY_SM4_CFB1_DECRYPT || (unsigned)pad > TY_SM4_PAD_X923) return TY_ERR_ARG;
    c->mode = (uint8_t)mode;
    if (whole_bytes(c) && pad != TY_SM4_PAD_NONE) return TY_ERR_ARG;
    c->key = key;
    c->pad = (uint8_t)pad;
    if (mode != TY_SM4_ECB_ENCRYPT && mode != TY_SM4_ECB_DECRYPT) memcpy(c->iv, iv, 16);
    c->state = RUNNING;
    return TY_OK;
}

/* How many of `have` waiting bytes can be processed now: whole blocks, except the last one while it
 * may hold the padding. */
static size_t ready(const ty_sm4_stream *c, size_t have)
{
    if (c->pad != TY_SM4_PAD_NONE && decrypts(c) && have) have--;
    return have - have % 16;
}

/* With b bytes held, an output block needs input up to b bytes before its own end. So if out == in,
 * writing block by block would overtake reading by b bytes: a chunk is copied as a whole, after the
 * held bytes, before any of it is written. */
ty_err ty_sm4_update(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len,
                     ty_sm4_stream *c)
{
    *out_len = 0;
    if (c->state != RUNNING) return TY_ERR_STATE;
    if (whole_bytes(c)) {
        if (ty_crosses(out, in, in_len)) return TY_ERR_ARG;
        bytes(out, in, in_len, c);
        *out_len = in_len;
        return TY_OK;
    }
    if (ty_overtakes(out, ready(c, c->held_len + in_len), in, in_len, c->held_len))
        return TY_ERR_ARG;
    uint8_t x[16 + CHUNK];
    while (c->held_len && in_len) {
        const size_t some = in_len < CHUNK ? in_len : CHUNK;
        memcpy(x, c->held, c->held_len);
        memcpy(x + c->held_len, in, some);
        const size_t have = c->held_len + some, go = ready(c, have);
        blocks(x, x, go, c);
        if (go) memcpy(out, x, go);
        c->held_len = (uint32_t)(have - go);
        memcpy(c->held, x + go, c->held_len);
        out += go;
        *out_len += go;
        in += some;
        in_len -= some;
    }
    ty_wipe(x, sizeof x);
    if (in_len == 0) return TY_OK;
    const size_t go = ready(c, in_len);          /* nothing is held: `out` may be `in` */
    c->held_len = (uint32_t)(in_len - go);
    memcpy(c->held, in + go, c->held_len);
    blocks(out, in, go, c);
    *out_len += go;
    return TY_OK;
}

static ty_err finish_decrypt(uint8_t *out, size_t *out_len, ty_sm4_stream *c)
{
    if (c->held_len != 16) return TY_ERR_FORMAT;
    uint8_t x[16];
    blocks(x, c->held, 16, c);
    uint32_t n = ty_sm4_pad_len(x, (ty_sm4_pad)c->pad);
    /* the message's length, or that the padding is wrong, is returned */
    TY_PUBLIC(&n, sizeof n);
    if (n) {
        *out_len = 16 - n;
        memcpy(out, x, *out_len);
    }
    ty_wipe(x, sizeof x);
    return n ? TY_OK : TY_ERR_FORMAT;
}

ty_err ty_sm4_final(uint8_t out[TY_AT_LEAST(16)], size_t *out_len, ty_sm4_stream *c)
{
    ty_err err = TY_OK;
    *out_len = 0;
    if (c->state != RUNNING) return TY_ERR_STATE;
    if (c->pad == TY_SM4_PAD_NONE) {
        if (c->held_len && !whole_bytes(c)) err = TY_ERR_FORMAT;
    } else if (decrypts(c)) {
        err = finish_decrypt(out, out_len, c);
    } else {
        ty_sm4_pad_fill(c->held, c->held_len, (ty_sm4_pad)c->pad);
        blocks(out, c->held, 16, c);
        *out_len = 16;
    }
    ty_wipe(c, sizeof *c);
    return err;
}
