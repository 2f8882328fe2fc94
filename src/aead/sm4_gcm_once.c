/* One-shot SM4-GCM, with as few calls of kernels as possible: the head of the message is encrypted
 * together with J0, whose encryption masks the tag, and hashed together with the additional data
 * and the lengths. A short message consists of its head: one call of the cipher, one of the hash.
 * If the cipher interleaves single blocks with whole batches, a longer message has no head, and J0
 * and the last partial block are interleaved with it. */
#include "aead/sm4_gcm.h"
#include "base/tag.h"

/* The first batch of a long message is decrypted before it is known to be genuine, so that J0 is
 * encrypted together with it. */
enum { TEXT = TY_SM4_BESIDE ? 16 * 64 : 16 + TY_GCM_HEAD };

typedef struct once {
    const ty_sm4_gcm_key *key;
    size_t head;                     /* bytes of the message encrypted with J0 */
    size_t used;                     /* bytes of text in use */
    uint8_t counter[16], y[16], mask[16];
    uint8_t beside[32];              /* J0, and the counter of a partial block; then E of them */
    /* E(J0), and the head as the cipher returns it; or the first blocks of a long message that is
     * opened */
    uint8_t text[TEXT];
    /* what is hashed: the last block of the additional data, ciphertext, lengths */
    uint8_t hashed[16 + TY_GCM_HEAD + 16];
} once;

static ty_err gcm_once_begin(once *w, size_t tag_len, size_t len, size_t aad_len,
                             const uint8_t *nonce, size_t nonce_len, const ty_sm4_gcm_key *key)
{
    const ty_err err = ty_gcm_limits(tag_len, len, aad_len, nonce_len);
    if (err != TY_OK) return err;
    w->key = key;
    w->head = ty_gcm_head(len);
    ty_gcm_j0(w->counter, nonce, nonce_len, key);
    memset(w->y, 0, 16);
    return TY_OK;
}

/* text = E(J0), and the head of the message through the cipher. If that is the whole message, the
 * lengths follow it in hashed: they are written before the cipher runs, so that the hash need not
 * wait for them. */
static void gcm_once_crypt_head(once *w, const uint8_t *in, size_t len, size_t aad_len)
{
    memset(w->text, 0, 16);
    const size_t n = ty_gcm_pad(w->text + 16, in, w->head);
    w->used = 16 + n;
    ty_gcm_lengths(w->hashed + 16 + n, aad_len, len);
    ty_gcm_ctr(w->text, w->text, 1 + n / 16, w->counter, w->key);
    memcpy(w->mask, w->text, 16);
}

/* y absorbs the additional data, except its last block, which is put before the head; returns the
 * place in hashed where hashing continues. */
static size_t hash_aad(once *w, const uint8_t *aad, size_t aad_len)
{
    if (aad_len == 0) return 16;
    const size_t last = (aad_len - 1) % 16 + 1;
    if (aad_len > 16) ty_gcm_absorb(w->y, aad, aad_len / 16 - (last == 16), w->key);
    ty_gcm_pad(w->hashed, aad + (aad_len - last), last);
    return 0;
}

/* y = the tag; hashed[from..to) remains to be hashed, and includes the lengths */
static void gcm_once_finish(once *w, size_t from, size_t to)
{
    ty_gcm_absorb(w->y, w->hashed + from, (to - from) / 16, w->key);
    ty_sm4_xor(w->y, w->y, w->mask);
}

/* --- J0 with the head of the message */

/* The message after the head: whole blocks from `in` to `out`, the rest through a block of w, which
 * is hashed last. */
static void seal_more(uint8_t *out, const uint8_t *in, size_t len, once *w)
{
    const size_t rest = len % 16;
    ty_gcm_encrypt(out, in, len / 16, w->counter, w->y, w->key);
    if (rest == 0) return;
    ty_gcm_pad(w->text, in + (len - rest), rest);
    ty_gcm_ctr(w->text, w->text, 1, w->counter, w->key);
    memcpy(out + (len - rest), w->text, rest);
    ty_gcm_pad(w->hashed, w->text, rest);
}

static void seal_head(uint8_t *out, const uint8_t *in, size_t len, size_t aad_len, size_t from,
                      once *w)
{
    gcm_once_crypt_head(w, in, len, aad_len);
    ty_gcm_copy(out, w->text + 16, w->head);
    size_t to = 16 + ty_gcm_pad(w->hashed + 16, w->text + 16, w->head);
    if (len > w->head) {
        ty_gcm_absorb(w->y, w->hashed + from, (to - from) / 16, w->key);
        seal_more(out + w->head, in + w->head, len - w->head, w);
        from = 0;
        to = len % 16 ? 16 : 0;
        ty_gcm_lengths(w->hashed + to, aad_len, len);
    }
    gcm_once_finish(w, from, to + 16);
}

/* y = the tag, and the head decrypted in text */
static void open_head(const uint8_t *in, size_t len, size_t aad_len, size_t from, once *w)
{
    size_t to = 16 + ty_gcm_pad(w->hashed + 16, in, w->head);
    gcm_once_crypt_head(w, in, len, aad_len);
    if (len > w->head) {
        ty_gcm_absorb(w->y, w->hashed + from, (to - from) / 16, w->key);
        ty_gcm_absorb(w->y, in + w->head, (len - w->head) / 16, w->key);
        from = 0;
        to = ty_gcm_pad(w->hashed, in + (len - len % 16), len % 16);
        ty_gcm_lengths(w->hashed + to, aad_len, len);
    }
    gcm_once_finish(w, from, to + 16);
}

/* The plaintext, once the tag is verified. */
static void release_head(uint8_t *out, const uint8_t *in, size_t len, once *w)
{
    const size_t rest = len % 16, whole = len - rest;
    ty_gcm_copy(out, w->text + 16, w->head);
    if (len == w->head) return;
    ty_gcm_ctr(out + w->head, in + w->head, (whole - w->head) / 16, w->counter, w->key);
    if (rest == 0) return;
    ty_gcm_pad(w->text, in + whole, rest);
    ty_gcm_ctr(w->text, w->text, 1, w->counter, w->key);
    memcpy(out + whole, w->text, rest);
}

/* --- Single blocks interleaved with a long message */

/* beside = J0, which counter holds on entry, and the counter of a partial block; counter advances
 * to the first block. Returns the number of blocks in beside. */
static size_t beside_begin(once *w, size_t len)
{
    const uint32_t first = ty_get32be(w->counter + 12);
    memcpy(w->beside, w->counter, 16);
    memcpy(w->beside + 16, w->counter, 12);
    ty_put32be(w->beside + 28, first + 1 + (uint32_t)(len / 16));
    ty_put32be(w->counter + 12, first + 1);
    return 1 + (len % 16 != 0);
}

static void beside_ctr(uint8_t *out, const uint8_t *in, size_t blocks, size_t n, once *w)
{
    TY_HELD(sm4, w->key->sm4.ops)->ctr32_beside(out, in, blocks, w->counter, w->beside, n,
                                                w->key->sm4.enc);
    ty_put32be(w->counter + 12, ty_get32be(w->counter + 12) + (uint32_t)blocks);
    memcpy(w->mask, w->beside, 16);
}

/* The partial block at the end of a message of len bytes. */
static void beside_piece(uint8_t *out, const uint8_t *in, size_t len, const once *w)
{
    for (size_t i = len - len % 16, k = 16; i < len; i++, k++) out[i] = in[i] ^ w->beside[k];
}

/* hashed = the partial block of the ciphertext, padded, and the lengths; returns the number of
 * bytes. */
static size_t beside_hash_end(once *w, const uint8_t *text, size_t len, size_t aad_len)
{
    const size_t to = ty_gcm_pad(w->hashed, text + (len - len % 16), len % 16);
    ty_gcm_lengths(w->hashed + to, aad_len, len);
    return to + 16;
}

/* The last whole blocks of the message are encrypted in one call with those of w->beside, which can
 * be interleaved with what remains after whole batches. */
static void seal_beside(uint8_t *out, const uint8_t *in, size_t len, size_t aad_len, size_t from,
                        once *w)
{
    const size_t last = (len / 16 - 1) % TY_GCM_PIECE + 1, before = len / 16 - last;
    const size_t n = beside_begin(w, len);
    if (from == 0) ty_gcm_absorb(w->y, w->hashed, 1, w->key);
    ty_gcm_encrypt(out, in, before, w->counter, w->y, w->key);
    beside_ctr(out + 16 * before, in + 16 * before, last, n, w);
    ty_gcm_absorb(w->y, out + 16 * before, last, w->key);
    beside_piece(out, in, len, w);
    gcm_once_finish(w, 0, beside_hash_end(w, out, len, aad_len));
    w->used = 0;
}

/* y = the tag; text = the first blocks decrypted, as many as leave whole batches. */
static void open_beside(const uint8_t *in, size_t len, size_t aad_len, size_t from, once *w)
{
    const size_t batch = TY_HELD(sm4, w->key->sm4.ops)->batch;
    const size_t n = beside_begin(w, len), early = (len / 16 - 1) % batch + 1;
    if (from == 0) ty_gcm_absorb(w->y, w->hashed, 1, w->key);
    ty_gcm_absorb(w->y, in, len / 16, w->key);
    beside_ctr(w->text, in, early, n, w);
    gcm_once_finish(w, 0, beside_hash_end(w, in, len, aad_len));
    w->used = 16 * early;
}

/* The plaintext, once the tag is verified */
static void release_beside(uint8_t *out, const uint8_t *in, size_t len, once *w)
{
    ty_gcm_copy(out, w->text, w->used);
    if (len / 16 > w->used / 16)
        ty_gcm_ctr(out + w->used, in + w->used, len / 16 - w->used / 16, w->counter, w->key);
    beside_piece(out, in, len, w);
}

/* --- Public functions */

ty_err ty_sm4_gcm_seal(uint8_t *out, uint8_t *tag, size_t tag_len, const uint8_t *in, size_t in_len,
                       const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                       const ty_sm4_gcm_key *key)
{
    once w;
    if (ty_aead_crosses(out, in, in_len, tag, tag_len)) return TY_ERR_ARG;
    const ty_err err = gcm_once_begin(&w, tag_len, in_len, aad_len, nonce, nonce_len, key);
    if (err != TY_OK) return err;
    const size_t from = hash_aad(&w, aad, aad_len);
    if (ty_gcm_beside(key, in_len)) seal_beside(out, in, in_len, aad_len, from, &w);
    else seal_head(out, in, in_len, aad_len, from, &w);
    memcpy(tag, w.y, tag_len);
    ty_wipe(&w, offsetof(once, text) + w.used);
    return TY_OK;
}

ty_err ty_sm4_gcm_open(uint8_t *out, const uint8_t *in, size_t in_len, const uint8_t *tag,
                       size_t tag_len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                       size_t nonce_len, const ty_sm4_gcm_key *key)
{
    once w;
    if (ty_aead_crosses(out, in, in_len, tag, tag_len)) return TY_ERR_ARG;
    ty_err err = gcm_once_begin(&w, tag_len, in_len, aad_len, nonce, nonce_len, key);
    if (err != TY_OK) return err;
    const int beside = ty_gcm_beside(key, in_len);
    const size_t from = hash_aad(&w, aad, aad_len);
    if (beside) open_beside(in, in_len, aad_len, from, &w);
    else open_head(in, in_len, aad_len, from, &w);
    err = ty_tag_verdict(w.y, tag, tag_len);
    if (err != TY_OK) ty_wipe(out, in_len);
    else if (beside) release_beside(out, in, in_len, &w);
    else release_head(out, in, in_len, &w);
    /* the right tag of a forged message must not stay behind */
    ty_wipe(&w, offsetof(once, text) + w.used);
    return err;
}
