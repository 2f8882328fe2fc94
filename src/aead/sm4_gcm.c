/* SM4-GCM [SP 800-38D; RFC 8998, 3]: CTR with 32 bits counting, and GHASH over additional data and ciphertext.
 * Here the key and the streaming object; messages in one piece are in sm4_gcm_once.c. */
#include "aead/sm4_gcm.h"
#include "base/tag.h"

/* ty_sm4_gcm.state. A wiped object is IDLE and refuses everything. */
enum { IDLE, AAD, ENCRYPT, DECRYPT };

void ty_sm4_gcm_init(ty_sm4_gcm_key *key, const uint8_t bytes[TY_AT_LEAST(16)])
{
    uint8_t h[16] = { 0 };
    const ty_f2_128_ops *ghash = ty_f2_128_best();
    ty_sm4_init(&key->sm4, bytes);
    key->sm4.ops->ecb(h, h, 1, key->sm4.enc);
    key->ghash = ghash;
    ghash->powers(key->power, h);
    ty_wipe(h, sizeof h);
}

ty_err ty_sm4_gcm_start(ty_sm4_gcm *c, const uint8_t *nonce, size_t nonce_len, const ty_sm4_gcm_key *key)
{
    static const uint8_t zero[16];
    memset(c, 0, sizeof *c);
    if (nonce_len == 0) return TY_ERR_ARG;
    if (ty_over(nonce_len, TY_SM4_GCM_AAD_MAX)) return TY_ERR_SIZE;
    c->key = key;
    ty_gcm_j0(c->counter, nonce, nonce_len, key);
    ty_gcm_ctr(c->first, zero, 1, c->counter, c->key);      /* E(J0) waits for the tag; the message's counter begins one further */
    c->state = AAD;
    return TY_OK;
}

ty_err ty_sm4_gcm_aad(ty_sm4_gcm *c, const uint8_t *aad, size_t aad_len)
{
    if (c->state != AAD) return TY_ERR_STATE;
    if (ty_over(aad_len, TY_SM4_GCM_AAD_MAX - c->aad_len)) return TY_ERR_SIZE;
    size_t at = (size_t)(c->aad_len % 16);
    c->aad_len += aad_len;
    while (at && aad_len) {
        c->part[at++] = *aad++;
        aad_len--;
        if (at < 16) continue;
        ty_gcm_absorb(c->y, c->part, 1, c->key);
        at = 0;
    }
    if (aad_len == 0) return TY_OK;
    ty_gcm_absorb(c->y, aad, aad_len / 16, c->key);
    memcpy(c->part, aad + (aad_len - aad_len % 16), aad_len % 16);
    return TY_OK;
}

/* What is left in part is filled up with zeros and absorbed. */
static void flush(ty_sm4_gcm *c, uint64_t len)
{
    const size_t n = (size_t)(len % 16);
    if (n == 0) return;
    memset(c->part + n, 0, 16 - n);
    ty_gcm_absorb(c->y, c->part, 1, c->key);
}

/* The first piece of message closes the additional data; after it, the direction stays. */
static ty_err enter(ty_sm4_gcm *c, uint32_t state, uint8_t *out, const uint8_t *in, size_t len)
{
    if (c->state != AAD && c->state != state) return TY_ERR_STATE;
    if (ty_over(len, TY_SM4_GCM_MAX - c->len)) return TY_ERR_SIZE;
    if (ty_crosses(out, in, len)) return TY_ERR_ARG;
    if (c->state == AAD) flush(c, c->aad_len);
    c->state = state;
    return TY_OK;
}

/* Less than a block, beginning at byte at of it; part collects the ciphertext. */
static void bytes(uint8_t *out, const uint8_t *in, size_t len, size_t at, ty_sm4_gcm *c)
{
    for (size_t i = 0; i < len; i++) {
        const uint8_t x = in[i], y = x ^ c->pad[at + i];
        c->part[at + i] = c->state == ENCRYPT ? y : x;
        out[i] = y;
    }
    if (at + len == 16) ty_gcm_absorb(c->y, c->part, 1, c->key);
}

/* Whole blocks; each piece is hashed before it may be overwritten. */
static void decrypt(uint8_t *out, const uint8_t *in, size_t blocks, ty_sm4_gcm *c)
{
    while (blocks) {
        const size_t some = blocks < TY_GCM_PIECE ? blocks : TY_GCM_PIECE;
        ty_gcm_absorb(c->y, in, some, c->key);
        ty_gcm_ctr(out, in, some, c->counter, c->key);
        blocks -= some;
        in += 16 * some;
        out += 16 * some;
    }
}

static void gcm_update(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_gcm *c)
{
    static const uint8_t zero[16];
    const size_t at = (size_t)(c->len % 16);
    if (len == 0) return;            /* out and in may be NULL */
    c->len += len;
    if (at) {
        const size_t some = len < 16 - at ? len : 16 - at;
        bytes(out, in, some, at, c);
        out += some;
        in += some;
        len -= some;
    }
    const size_t whole = len - len % 16;
    if (c->state == ENCRYPT) ty_gcm_encrypt(out, in, whole / 16, c->counter, c->y, c->key);
    else decrypt(out, in, whole / 16, c);
    if (len > whole) {
        ty_gcm_ctr(c->pad, zero, 1, c->counter, c->key);
        bytes(out + whole, in + whole, len - whole, 0, c);
    }
}

ty_err ty_sm4_gcm_encrypt(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_gcm *c)
{
    const ty_err err = enter(c, ENCRYPT, out, in, len);
    if (err == TY_OK) gcm_update(out, in, len, c);
    return err;
}

ty_err ty_sm4_gcm_decrypt(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_gcm *c)
{
    const ty_err err = enter(c, DECRYPT, out, in, len);
    if (err == TY_OK) gcm_update(out, in, len, c);
    return err;
}

/* AAD when there was no message, else the direction asked for. */
static ty_err gcm_finish(uint8_t full[16], ty_sm4_gcm *c, uint32_t state, size_t tag_len)
{
    if (c->state != AAD && c->state != state) return TY_ERR_STATE;
    if (!ty_gcm_tag_len_ok(tag_len)) return TY_ERR_ARG;
    flush(c, c->state == AAD ? c->aad_len : c->len);
    ty_gcm_lengths(full, c->aad_len, c->len);
    ty_gcm_absorb(c->y, full, 1, c->key);
    ty_sm4_xor(full, c->y, c->first);
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
