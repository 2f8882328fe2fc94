/* SM4-GCM of a message in one piece. What a call of a kernel costs is paid once: the head of the
 * message goes through the cipher together with J0, whose encryption masks the tag, and through the
 * hash together with the additional data and the lengths. A short message is all head: one call of
 * the cipher, one of the hash. */
#include "aead/sm4_gcm.h"
#include "base/tag.h"

typedef struct once {
    const ty_sm4_gcm_key *key;
    size_t head;                     /* bytes of the message that go with J0 */
    uint8_t counter[16], y[16], mask[16];
    /* the message as the cipher gives it back, behind E(J0) */
    uint8_t text[16 + TY_GCM_HEAD];
    /* what is hashed: the last of the additional data, ciphertext, lengths */
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

/* text = E(J0), and the head of the message through the cipher. If that is all, the lengths
 * follow it: they are written before the cipher runs, so that the hash need not wait for them. */
static void gcm_once_crypt_head(once *w, const uint8_t *in, size_t len, size_t aad_len)
{
    memset(w->text, 0, 16);
    const size_t n = ty_gcm_pad(w->text + 16, in, w->head);
    ty_gcm_lengths(w->hashed + 16 + n, aad_len, len);
    ty_gcm_ctr(w->text, w->text, 1 + n / 16, w->counter, w->key);
    memcpy(w->mask, w->text, 16);
}

/* y absorbs the additional data, except its last block, which is put before the head; returns where
 * hashing goes on. */
static size_t hash_aad(once *w, const uint8_t *aad, size_t aad_len)
{
    if (aad_len == 0) return 16;
    const size_t last = (aad_len - 1) % 16 + 1;
    if (aad_len > 16) ty_gcm_absorb(w->y, aad, aad_len / 16 - (last == 16), w->key);
    ty_gcm_pad(w->hashed, aad + (aad_len - last), last);
    return 0;
}

/* y = the tag; hashed[from..to) is what is left to hash, the lengths with it */
static void gcm_once_finish(once *w, size_t from, size_t to)
{
    ty_gcm_absorb(w->y, w->hashed + from, (to - from) / 16, w->key);
    ty_sm4_xor(w->y, w->y, w->mask);
}

/* What is longer than the head: whole blocks where they lie, the rest in a block of ours that is
 * then the one to hash. */
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

ty_err ty_sm4_gcm_seal(uint8_t *out, uint8_t *tag, size_t tag_len, const uint8_t *in, size_t in_len,
                       const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                       const ty_sm4_gcm_key *key)
{
    once w;
    if (ty_crosses(out, in, in_len) || ty_touches(tag, tag_len, out, in_len)) return TY_ERR_ARG;
    const ty_err err = gcm_once_begin(&w, tag_len, in_len, aad_len, nonce, nonce_len, key);
    if (err != TY_OK) return err;
    size_t from = hash_aad(&w, aad, aad_len);
    gcm_once_crypt_head(&w, in, in_len, aad_len);
    ty_gcm_copy(out, w.text + 16, w.head);
    size_t to = 16 + ty_gcm_pad(w.hashed + 16, w.text + 16, w.head);
    if (in_len > w.head) {
        ty_gcm_absorb(w.y, w.hashed + from, (to - from) / 16, key);
        seal_more(out + w.head, in + w.head, in_len - w.head, &w);
        from = 0;
        to = in_len % 16 ? 16 : 0;
        ty_gcm_lengths(w.hashed + to, aad_len, in_len);
    }
    gcm_once_finish(&w, from, to + 16);
    memcpy(tag, w.y, tag_len);
    ty_wipe(&w, offsetof(once, hashed));
    return TY_OK;
}

/* The plaintext, once the tag is verified. The head is decrypted already, and is copied out now. */
static void open_more(uint8_t *out, const uint8_t *in, size_t len, once *w)
{
    const size_t rest = len % 16;
    ty_gcm_ctr(out, in, len / 16, w->counter, w->key);
    if (rest == 0) return;
    ty_gcm_pad(w->text, in + (len - rest), rest);
    ty_gcm_ctr(w->text, w->text, 1, w->counter, w->key);
    memcpy(out + (len - rest), w->text, rest);
}

ty_err ty_sm4_gcm_open(uint8_t *out, const uint8_t *in, size_t in_len, const uint8_t *tag,
                       size_t tag_len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                       size_t nonce_len, const ty_sm4_gcm_key *key)
{
    once w;
    if (ty_crosses(out, in, in_len)) return TY_ERR_ARG;
    ty_err err = gcm_once_begin(&w, tag_len, in_len, aad_len, nonce, nonce_len, key);
    if (err != TY_OK) return err;
    size_t from = hash_aad(&w, aad, aad_len), to = 16 + ty_gcm_pad(w.hashed + 16, in, w.head);
    gcm_once_crypt_head(&w, in, in_len, aad_len);
    if (in_len > w.head) {
        ty_gcm_absorb(w.y, w.hashed + from, (to - from) / 16, key);
        ty_gcm_absorb(w.y, in + w.head, (in_len - w.head) / 16, key);
        from = 0;
        to = ty_gcm_pad(w.hashed, in + (in_len - in_len % 16), in_len % 16);
        ty_gcm_lengths(w.hashed + to, aad_len, in_len);
    }
    gcm_once_finish(&w, from, to + 16);
    err = ty_tag_verdict(w.y, tag, tag_len);
    if (err == TY_OK) {
        ty_gcm_copy(out, w.text + 16, w.head);
        if (in_len > w.head) open_more(out + w.head, in + w.head, in_len - w.head, &w);
    } else {
        ty_wipe(out, in_len);
    }
    /* the right tag of a forged message must not stay behind */
    ty_wipe(&w, offsetof(once, hashed));
    return err;
}
