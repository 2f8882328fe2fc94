/* SM4-CCM [SP 800-38C; RFC 8998, 3]: CBC-MAC over lengths, additional data and plaintext; CTR over
 * plaintext and tag. The counter block is 15 - nonce_len - 1, the nonce, and a number that cannot
 * overflow, because of the limit on the length. So the whole block may be incremented as one
 * number, as in CTR. */
#include "aead/sm4_ccm.h"
#include "base/overlap.h"
#include "base/tag.h"
#include "mac/sm4_chain.h"
#include "tongyu/sm4_aead.h"

#include <string.h>

/* ty_sm4_ccm.state. A wiped object is IDLE and refuses everything. */
enum { IDLE, AAD, ENCRYPT, DECRYPT };

/* bytes: chain and keystream alternate on pieces that stay in the L1 cache */
enum { PIECE = 4096 };
/* one-shot: bytes of the message that are encrypted together with the block that masks the tag */
enum { HEAD = 15 * 16 };

static void ccm_chain(ty_sm4_ccm *c, const uint8_t *in, size_t len)
{
    ty_sm4_chain(c->x, &c->used, in, len, c->key);
}

/* out = in + keystream, which continues where it stopped */
static void ccm_ctr(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_ccm *c)
{
    ty_sm4_ctr_run(out, in, len, c->counter, c->pad, &c->pad_left, c->key);
}

/* Starts c, up to the additional data; the keystream begins with the block that masks the tag. */
static ty_err ccm_begin(ty_sm4_ccm *c, const uint8_t *nonce, size_t nonce_len,
                        uint64_t aad_len, uint64_t len, size_t tag_len, const ty_sm4_key *key)
{
    uint8_t block[16];
    memset(c, 0, sizeof *c);
    const ty_err err = ty_ccm_limits(nonce_len, tag_len, len);
    if (err != TY_OK) return err;
    ty_ccm_counter(c->counter, nonce, nonce_len);
    c->key = key;
    ty_ccm_first(block, tag_len, len, aad_len != 0, nonce, nonce_len);
    ccm_chain(c, block, 16);
    if (aad_len) ccm_chain(c, block, ty_ccm_aad_len(block, aad_len));
    c->aad_left = aad_len;
    c->left = len;
    c->tag_len = (uint8_t)tag_len;
    c->state = AAD;
    return TY_OK;
}

/* The chain absorbs the plaintext, which is at `in` or at `out`. */
static void ccm_crypt(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_ccm *c)
{
    while (len) {
        const size_t some = len < PIECE ? len : PIECE;
        if (c->state == ENCRYPT) ccm_chain(c, in, some);
        ccm_ctr(out, in, some, c);
        if (c->state == DECRYPT) ccm_chain(c, out, some);
        out += some;
        in += some;
        len -= some;
    }
}

/* x becomes the full tag. */
static void ccm_make_tag(ty_sm4_ccm *c)
{
    ty_sm4_chain_end(c->x, c->key);
    ty_sm4_xor(c->x, c->x, c->mask);
}

/* --- Streaming -------------------------------------------------------------------------------- */

ty_err ty_sm4_ccm_start(ty_sm4_ccm *c, const uint8_t *nonce, size_t nonce_len, uint64_t aad_len,
                        uint64_t len, size_t tag_len, const ty_sm4_key *key)
{
    const ty_err err = ccm_begin(c, nonce, nonce_len, aad_len, len, tag_len, key);
    if (err == TY_OK) ccm_ctr(c->mask, c->mask, 16, c);
    return err;
}

ty_err ty_sm4_ccm_aad(ty_sm4_ccm *c, const uint8_t *aad, size_t aad_len)
{
    if (c->state != AAD) return TY_ERR_STATE;
    if (ty_over(aad_len, c->aad_left)) return TY_ERR_SIZE;
    ccm_chain(c, aad, aad_len);
    c->aad_left -= aad_len;
    return TY_OK;
}

static ty_err ccm_update(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_ccm *c, uint8_t state)
{
    if ((c->state != AAD && c->state != state) || c->aad_left) return TY_ERR_STATE;
    if (ty_over(len, c->left)) return TY_ERR_SIZE;
    if (ty_crosses(out, in, len)) return TY_ERR_ARG;
    if (c->state == AAD) c->used = 16;           /* the message begins a block */
    c->state = state;
    c->left -= len;
    ccm_crypt(out, in, len, c);
    return TY_OK;
}

ty_err ty_sm4_ccm_encrypt(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_ccm *c)
{
    return ccm_update(out, in, len, c, ENCRYPT);
}

ty_err ty_sm4_ccm_decrypt(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_ccm *c)
{
    return ccm_update(out, in, len, c, DECRYPT);
}

/* c->state must be AAD, if there was no message, or the given direction. */
static ty_err ccm_finish(ty_sm4_ccm *c, uint8_t state, size_t tag_len)
{
    if (c->state == IDLE || (c->state != AAD && c->state != state)) return TY_ERR_STATE;
    if (tag_len != c->tag_len) return TY_ERR_ARG;
    if (c->aad_left || c->left) return TY_ERR_SIZE;
    ccm_make_tag(c);
    return TY_OK;
}

ty_err ty_sm4_ccm_final(uint8_t *tag, size_t tag_len, ty_sm4_ccm *c)
{
    const ty_err err = ccm_finish(c, ENCRYPT, tag_len);
    if (err != TY_OK) return err;
    memcpy(tag, c->x, tag_len);
    ty_wipe(c, sizeof *c);
    return TY_OK;
}

ty_err ty_sm4_ccm_verify(const uint8_t *tag, size_t tag_len, ty_sm4_ccm *c)
{
    ty_err err = ccm_finish(c, DECRYPT, tag_len);
    if (err != TY_OK) return err;
    err = ty_tag_verdict(c->x, tag, tag_len);
    ty_wipe(c, sizeof *c);           /* the right tag of a forged message must not stay behind */
    return err;
}

/* --- One-shot --------------------------------------------------------------------------------- */

/* text = the block that masks the tag, and the head of the message through CTR, in one call of the
 * kernel; returns the length of the head */
static size_t ccm_crypt_head(uint8_t text[16 + HEAD], const uint8_t *in, size_t len, ty_sm4_ccm *c)
{
    const size_t head = len < HEAD ? len : HEAD, whole = (head + 15) / 16 * 16;
    memset(text, 0, 16);
    memset(text + whole, 0, 16);     /* after the head, if its last block is incomplete */
    if (head) memcpy(text + 16, in, head);
    ccm_ctr(text, text, 16 + whole, c);
    memcpy(c->mask, text, 16);
    return head;
}

static ty_err begin_whole(ty_sm4_ccm *c, size_t tag_len, size_t len, const uint8_t *aad,
                          size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                          const ty_sm4_key *key)
{
    const ty_err err = ccm_begin(c, nonce, nonce_len, aad_len, len, tag_len, key);
    if (err != TY_OK) return err;
    ccm_chain(c, aad, aad_len);
    c->used = 16;
    return TY_OK;
}

ty_err ty_sm4_ccm_seal(uint8_t *out, uint8_t *tag, size_t tag_len, const uint8_t *in, size_t in_len,
                       const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                       const ty_sm4_key *key)
{
    ty_sm4_ccm c;
    uint8_t text[16 + HEAD];
    if (ty_aead_crosses(out, in, in_len, tag, tag_len)) return TY_ERR_ARG;
    const ty_err err = begin_whole(&c, tag_len, in_len, aad, aad_len, nonce, nonce_len, key);
    if (err != TY_OK) return err;
    const size_t head = ccm_crypt_head(text, in, in_len, &c);
    ccm_chain(&c, in, head);
    if (head) memcpy(out, text + 16, head);
    if (in_len > head) {
        c.state = ENCRYPT;
        ccm_crypt(out + head, in + head, in_len - head, &c);
    }
    ccm_make_tag(&c);
    memcpy(tag, c.x, tag_len);
    ty_wipe(text, sizeof text);
    ty_wipe(&c, sizeof c);
    return TY_OK;
}

/* The chain over the plaintext of a long message, which is decrypted for that and discarded. */
static void chain_deciphered(ty_sm4_ccm *c, const uint8_t *in, size_t len)
{
    uint8_t start[16], text[1024];
    memcpy(start, c->counter, 16);
    while (len) {
        const size_t some = len < sizeof text ? len : sizeof text;
        ccm_ctr(text, in, some, c);
        ccm_chain(c, text, some);
        in += some;
        len -= some;
    }
    memcpy(c->counter, start, 16);      /* the keystream restarts after the head */
    c->pad_left = 0;
    ty_wipe(text, sizeof text);
}

ty_err ty_sm4_ccm_open(uint8_t *out, const uint8_t *in, size_t in_len, const uint8_t *tag,
                       size_t tag_len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                       size_t nonce_len, const ty_sm4_key *key)
{
    ty_sm4_ccm c;
    uint8_t text[16 + HEAD];
    if (ty_aead_crosses(out, in, in_len, tag, tag_len)) return TY_ERR_ARG;
    ty_err err = begin_whole(&c, tag_len, in_len, aad, aad_len, nonce, nonce_len, key);
    if (err != TY_OK) return err;
    const size_t head = ccm_crypt_head(text, in, in_len, &c);
    ccm_chain(&c, text + 16, head);
    if (in_len > head) chain_deciphered(&c, in + head, in_len - head);
    ccm_make_tag(&c);
    err = ty_tag_verdict(c.x, tag, tag_len);
    if (err != TY_OK) {
        ty_wipe(out, in_len);
    } else if (head) {
        memcpy(out, text + 16, head);
        if (in_len > head) ccm_ctr(out + head, in + head, in_len - head, &c);
    }
    ty_wipe(text, sizeof text);
    ty_wipe(&c, sizeof c);
    return err;
}
