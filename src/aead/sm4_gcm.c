/* SM4-GCM [SP 800-38D; RFC 8998, 3]: CTR with a counter of 32 bits, and GHASH over additional data
 * and ciphertext. This file has the key and the streaming object; the one-shot functions are in
 * sm4_gcm_once.c. Like these, the stream saves calls of kernels: J0 is encrypted with the beginning
 * of the message, and short parts wait to be hashed in one call. */
#include "aead/sm4_gcm.h"
#include "base/tag.h"

/* ty_sm4_gcm.state. A wiped object is IDLE and refuses everything. */
enum { IDLE, AAD, ENCRYPT, DECRYPT };

enum { WAIT = 7 * 16 };   /* with the lengths, eight blocks, which the hash reduces once */

void ty_sm4_gcm_init(ty_sm4_gcm_key *key, const uint8_t bytes[TY_AT_LEAST(16)])
{
    uint8_t h[16] = { 0 };
    const ty_f2_128_ops *ghash = ty_f2_128_best();
    ty_sm4_init(&key->sm4, bytes);
    TY_HELD(sm4, key->sm4.ops)->ecb(h, h, 1, key->sm4.enc);
    key->ghash = ghash;
    ghash->powers(key->power, h);
    ty_wipe(h, sizeof h);
}

ty_err ty_sm4_gcm_start(ty_sm4_gcm *c, const uint8_t *nonce, size_t nonce_len,
                        const ty_sm4_gcm_key *key)
{
    c->state = IDLE;
    if (nonce_len == 0) return TY_ERR_ARG;
    if (ty_over(nonce_len, TY_SM4_GCM_AAD_MAX)) return TY_ERR_SIZE;
    c->key = key;
    c->aad_len = c->len = 0;
    c->waits = c->has_mask = 0;
    memset(c->y, 0, sizeof c->y);
    ty_gcm_j0(c->counter, nonce, nonce_len, key);
    c->state = AAD;
    return TY_OK;
}

/* y absorbs in[len] once there is more than fits into wait, so that short parts take one call of
 * the hash. */
static void gcm_hash(const uint8_t *in, size_t len, ty_sm4_gcm *c)
{
    if (len <= WAIT - c->waits) {
        ty_gcm_copy(c->wait + c->waits, in, len);
        c->waits += (uint32_t)len;
        return;
    }
    const size_t fill = (16 - c->waits % 16) % 16;
    const size_t whole = (len - fill) / 16, rest = (len - fill) % 16;
    ty_gcm_copy(c->wait + c->waits, in, fill);
    ty_gcm_absorb(c->y, c->wait, (c->waits + fill) / 16, c->key);
    ty_gcm_absorb(c->y, in + fill, whole, c->key);
    ty_gcm_copy(c->wait, in + (len - rest), rest);
    c->waits = (uint32_t)rest;
}

/* Additional data and message are each padded with zeros to a whole block. */
static void gcm_hash_zeros(ty_sm4_gcm *c)
{
    while (c->waits % 16) c->wait[c->waits++] = 0;
}

ty_err ty_sm4_gcm_aad(ty_sm4_gcm *c, const uint8_t *aad, size_t aad_len)
{
    if (c->state != AAD) return TY_ERR_STATE;
    if (ty_over(aad_len, TY_SM4_GCM_AAD_MAX - c->aad_len)) return TY_ERR_SIZE;
    c->aad_len += aad_len;
    gcm_hash(aad, aad_len, c);
    return TY_OK;
}

/* Encrypts at most TY_GCM_HEAD bytes, from the beginning of a block; the last block's keystream is
 * kept in pad. The first call also encrypts J0. */
static void gcm_short(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_gcm *c)
{
    uint8_t x[16 + TY_GCM_HEAD];
    const size_t j0 = c->has_mask ? 0 : 16;
    memset(x, 0, 16);
    const size_t all = j0 + ty_gcm_pad(x + j0, in, len);
    ty_gcm_ctr(x, x, all / 16, c->counter, c->key);
    if (j0) memcpy(c->mask, x, 16);
    c->has_mask = 1;
    if (len % 16) memcpy(c->pad, x + all - 16, 16);
    ty_gcm_copy(out, x + j0, len);
    ty_wipe(x, all);
}

/* Continues a block with the keystream in pad, from its byte `at` on. */
static void gcm_rest(uint8_t *out, const uint8_t *in, size_t len, size_t at, const ty_sm4_gcm *c)
{
    for (size_t i = 0; i < len; i++) out[i] = in[i] ^ c->pad[at + i];
}

/* How many bytes are processed next, from byte `at` of a block: the rest of that block; what is
 * encrypted with J0, which may be nothing; whole blocks; or a short text. */
static size_t gcm_piece(const ty_sm4_gcm *c, size_t len, size_t at)
{
    if (at) return len < 16 - at ? len : 16 - at;
    if (!c->has_mask) return ty_gcm_head(len);
    if (len > 16 * TY_GCM_PIECE) return 16 * TY_GCM_PIECE;
    return len <= TY_GCM_HEAD ? len : len - len % 16;
}

/* Ciphertext is hashed before it may be overwritten. */
static void gcm_update(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_gcm *c)
{
    while (len) {
        const size_t at = (size_t)(c->len % 16), n = gcm_piece(c, len, at);
        if (c->state == DECRYPT) gcm_hash(in, n, c);
        if (at) gcm_rest(out, in, n, at, c);
        else if (!c->has_mask || n % 16) gcm_short(out, in, n, c);
        else ty_gcm_ctr(out, in, n / 16, c->counter, c->key);
        if (c->state == ENCRYPT) gcm_hash(out, n, c);
        c->len += n;
        out += n;
        in += n;
        len -= n;
    }
}

/* The first part of the message ends the additional data; after it the direction is fixed. */
static ty_err gcm_crypt(uint32_t state, uint8_t *out, const uint8_t *in, size_t len, ty_sm4_gcm *c)
{
    if (c->state != AAD && c->state != state) return TY_ERR_STATE;
    if (ty_over(len, TY_SM4_GCM_MAX - c->len)) return TY_ERR_SIZE;
    if (ty_crosses(out, in, len)) return TY_ERR_ARG;
    if (c->state == AAD) gcm_hash_zeros(c);
    c->state = state;
    gcm_update(out, in, len, c);
    return TY_OK;
}

ty_err ty_sm4_gcm_encrypt(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_gcm *c)
{
    return gcm_crypt(ENCRYPT, out, in, len, c);
}

ty_err ty_sm4_gcm_decrypt(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_gcm *c)
{
    return gcm_crypt(DECRYPT, out, in, len, c);
}

/* c->state must be AAD, if there was no message, or the given direction. */
static ty_err gcm_finish(uint8_t full[16], ty_sm4_gcm *c, uint32_t state, size_t tag_len)
{
    if (c->state != AAD && c->state != state) return TY_ERR_STATE;
    if (!ty_gcm_tag_len_ok(tag_len)) return TY_ERR_ARG;
    if (!c->has_mask) gcm_short(full, full, 0, c);
    gcm_hash_zeros(c);
    ty_gcm_lengths(c->wait + c->waits, c->aad_len, c->len);
    ty_gcm_absorb(c->y, c->wait, c->waits / 16 + 1, c->key);
    ty_sm4_xor(full, c->y, c->mask);
    return TY_OK;
}

ty_err ty_sm4_gcm_final(uint8_t *tag, size_t tag_len, ty_sm4_gcm *c)
{
    uint8_t full[16];
    const ty_err err = gcm_finish(full, c, ENCRYPT, tag_len);
    if (err != TY_OK) return err;
    memcpy(tag, full, tag_len);
    ty_wipe(full, sizeof full);
    ty_wipe(c, sizeof *c);
    return TY_OK;
}

ty_err ty_sm4_gcm_verify(const uint8_t *tag, size_t tag_len, ty_sm4_gcm *c)
{
    uint8_t full[16];
    ty_err err = gcm_finish(full, c, DECRYPT, tag_len);
    if (err != TY_OK) return err;
    err = ty_tag_verdict(full, tag, tag_len);
    ty_wipe(full, sizeof full);      /* the right tag of a forged message must not stay behind */
    ty_wipe(c, sizeof *c);
    return err;
}
