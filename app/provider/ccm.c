/* SM4-CCM for OpenSSL. CCM has to know the length of the text before the additional data: an update
 * with neither input nor output sets it. The text comes in one update, and so do the additional
 * data, as in OpenSSL's own CCM; decryption writes the text only after it has verified the tag. */
#include "aead.h"

#define NONCE_MAX 13

typedef struct ccm {
    const prov_ctx *ctx;
    int encrypt, has_key, has_iv;
    ty_sm4_key key;
    uint8_t iv[NONCE_MAX];
    size_t iv_len, tag_len;
    uint8_t tag[AEAD_TAG];
    int has_tag; /* encrypting: made; decrypting: set */
    int has_len, done, right; /* done: text processed; right: sealed, or the tag is right */
    size_t len; /* of the text, as announced */
    uint8_t *aad;
    size_t aad_len;
    uint8_t short_aad[AEAD_AAD_SHORT];
    uint8_t tls_aad[AEAD_TLS_AAD];
    int has_tls_aad;
    aead_pipes pipes;
} ccm;

static void *new_ctx(void *ctx)
{
    ccm *c = prov_new(ctx, sizeof *c);
    if (!c) return NULL;
    c->ctx = ctx;
    c->iv_len = 7; /* these defaults are OpenSSL's own; callers usually set both */
    c->tag_len = 12;
    return c;
}

static void drop_aad(ccm *c)
{
    if (c->aad != c->short_aad) prov_delete(c->aad, c->aad_len);
    c->aad = NULL;
    c->aad_len = 0;
}

static void free_ctx(void *vc)
{
    ccm *c = vc;
    if (!c) return;
    drop_aad(c);
    aead_pipes_free(&c->pipes);
    prov_delete(c, sizeof *c);
}

static void *dup_ctx(void *vc)
{
    ccm *c = vc, *copy = prov_copy(c->ctx, c, sizeof *c);
    if (!copy) return NULL;
    memset(&copy->pipes, 0, sizeof copy->pipes);
    copy->aad = c->aad == c->short_aad ? copy->short_aad : NULL;
    if (c->aad && !copy->aad) copy->aad = prov_copy(c->ctx, c->aad, c->aad_len);
    if (!copy->aad == !c->aad && aead_pipes_copy(c->ctx, &copy->pipes, &c->pipes)) return copy;
    free_ctx(copy);
    return NULL;
}

/* --- One message ------------------------------------------------------------------------------ */

static void new_message(ccm *c)
{
    drop_aad(c);
    c->has_len = c->done = 0;
    if (c->encrypt) c->has_tag = 0;
}

static int take_aad(ccm *c, const uint8_t *in, size_t len)
{
    if (c->done) return prov_fail(c->ctx, PROV_BAD_STATE, "additional data come before the text");
    if (!c->has_len)
        return prov_fail(c->ctx, PROV_BAD_STATE,
                         "CCM needs the length of the text before additional data: "
                         "an update with neither input nor output");
    if (c->aad) return prov_fail(c->ctx, PROV_BAD_STATE, "additional data come in one piece");
    c->aad = len <= sizeof c->short_aad ? c->short_aad : prov_new(c->ctx, len);
    if (!c->aad) return 0;
    memcpy(c->aad, in, len);
    c->aad_len = len;
    return 1;
}

static int take_text(ccm *c, uint8_t *out, const uint8_t *in, size_t len)
{
    ty_err err;
    if (c->done)
        return prov_fail(c->ctx, PROV_BAD_STATE,
                         "CCM takes the text in one piece; set a new nonce for another message");
    if (c->has_len && len != c->len)
        return prov_fail(c->ctx, PROV_BAD_LENGTH,
                         "%zu bytes of text were announced and %zu came; CCM takes it in one piece",
                         c->len, len);
    if (!c->encrypt && !c->has_tag)
        return prov_fail(c->ctx, PROV_BAD_STATE, "no tag to compare with; set it before the text");
    err = c->encrypt ? ty_sm4_ccm_seal(out, c->tag, c->tag_len, in, len, c->aad, c->aad_len, c->iv,
                                       c->iv_len, &c->key)
                     : ty_sm4_ccm_open(out, in, len, c->tag, c->tag_len, c->aad, c->aad_len, c->iv,
                                       c->iv_len, &c->key);
    c->done = 1;
    c->right = err == TY_OK;
    c->has_tag = c->encrypt;
    c->has_iv = 0; /* used up, even if another key follows */
    return err != TY_ERR_VERIFY && prov_check(c->ctx, err, "SM4-CCM");
}

/* A record of TLS 1.2 in place: explicit nonce, text, tag. */
static int tls_record(ccm *c, uint8_t *out, size_t *out_len, size_t size, const uint8_t *in,
                      size_t len)
{
    size_t extra = AEAD_TLS_NONCE + c->tag_len, n = len - extra;
    uint8_t *text = out + AEAD_TLS_NONCE;
    c->has_tls_aad = 0;
    if (!c->has_key)
        return prov_fail(c->ctx, PROV_BAD_STATE, "no key yet; set one before the data");
    if (!in || out != in || len < extra || size < len
        || c->iv_len != AEAD_TLS_FIXED + AEAD_TLS_NONCE)
        return prov_fail(c->ctx, PROV_BAD_LENGTH,
                         "a record of TLS is processed in place, with nonces of 12 bytes, and has "
                         "%zu bytes besides its text",
                         extra);
    if (c->encrypt) memcpy(out, c->tls_aad, AEAD_TLS_NONCE);
    memcpy(c->iv + AEAD_TLS_FIXED, out, AEAD_TLS_NONCE);
    ty_err err = c->encrypt ? ty_sm4_ccm_seal(text, text + n, c->tag_len, text, n, c->tls_aad,
                                              AEAD_TLS_AAD, c->iv, c->iv_len, &c->key)
                            : ty_sm4_ccm_open(text, text, n, text + n, c->tag_len, c->tls_aad,
                                              AEAD_TLS_AAD, c->iv, c->iv_len, &c->key);
    *out_len = err != TY_OK ? 0 : c->encrypt ? len : n;
    return err != TY_ERR_VERIFY && prov_check(c->ctx, err, "SM4-CCM");
}

/* --- What OpenSSL calls ----------------------------------------------------------------------- */

static int update(void *vc, unsigned char *out, size_t *out_len, size_t size,
                  const unsigned char *in, size_t len)
{
    ccm *c = vc;
    *out_len = 0;
    if (c->has_tls_aad) return tls_record(c, out, out_len, size, in, len);
    if (!c->has_key || (!c->has_iv && !c->done))
        return prov_fail(c->ctx, PROV_BAD_STATE,
                         "no key or no nonce yet; set both before the data");
    if (!out && !in) {
        c->len = len;
        c->has_len = 1;
    } else if (!in && len) {
        return prov_fail(c->ctx, PROV_BAD_PARAMETER, "a length of %zu and no data", len);
    } else if (!out) {
        if (len && !take_aad(c, in, len)) return 0;
    } else {
        if (size < len)
            return prov_fail(c->ctx, PROV_SMALL_BUFFER,
                             "the output has %zu bytes, there is room for %zu",
                             len, size);
        if (!take_text(c, out, in, len)) return 0;
    }
    *out_len = len;
    return 1;
}

/* An empty text needs no update. A caller that ignored the update's error gets it again. */
static int final(void *vc, unsigned char *out, size_t *out_len, size_t size)
{
    ccm *c = vc;
    uint8_t nothing = 0;
    (void)out, (void)size;
    *out_len = 0;
    if (c->done) return c->right;
    if (!c->has_key || !c->has_iv)
        return prov_fail(c->ctx, PROV_BAD_STATE, "no key or no nonce yet; set both before the end");
    return take_text(c, &nothing, &nothing, 0);
}

static int one_shot(void *c, unsigned char *out, size_t *out_len, size_t size,
                    const unsigned char *in, size_t len)
{
    return in || !out ? update(c, out, out_len, size, in, len) : final(c, out, out_len, size);
}

/* --- Parameters ------------------------------------------------------------------------------- */

static int good_tag_len(const ccm *c, size_t len)
{
    return (len >= 4 && len <= AEAD_TAG && len % 2 == 0)
           || prov_fail(c->ctx, PROV_BAD_LENGTH,
                        "a tag of CCM has 4, 6, 8, 10, 12, 14 or 16 bytes, not %zu", len);
}

static int set_tag(ccm *c, const OSSL_PARAM *p)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return prov_fail(c->ctx, PROV_BAD_PARAMETER, "\"tag\" is not an octet string");
    if (!good_tag_len(c, p->data_size)) return 0;
    if (p->data && c->encrypt)
        return prov_fail(c->ctx, PROV_BAD_STATE, "encryption makes the tag; set its length alone");
    if (p->data) {
        memcpy(c->tag, p->data, p->data_size);
        c->has_tag = 1;
    } else if (p->data_size != c->tag_len)
        c->has_tag = 0; /* the one that is there has another length */
    c->tag_len = p->data_size;
    return 1;
}

static int set_iv_len(ccm *c, const OSSL_PARAM *p)
{
    uint64_t v;
    if (!prov_get_uint(c->ctx, p, UINT32_MAX, &v)) return 0;
    if (v < 7 || v > NONCE_MAX)
        return prov_fail(c->ctx, PROV_BAD_LENGTH, "a nonce of CCM has 7 to 13 bytes, not %llu",
                         (unsigned long long)v);
    if (c->iv_len != v) c->has_iv = 0;
    c->iv_len = (size_t)v;
    return 1;
}

static int set_tls_aad(ccm *c, const OSSL_PARAM *p)
{
    const uint8_t *aad;
    size_t len;
    if (!prov_get_octets(c->ctx, p, &aad, &len)) return 0;
    if (len == AEAD_TLS_AAD) memcpy(c->tls_aad, aad, len);
    c->has_tls_aad = len == AEAD_TLS_AAD && aead_tls_length(c->tls_aad, !c->encrypt, c->tag_len);
    return c->has_tls_aad ? 1
                          : prov_fail(c->ctx, PROV_BAD_LENGTH,
                                      "the head of a record of TLS has 13 bytes and a length that "
                                      "holds nonce and tag");
}

static int set_fixed_iv(ccm *c, const OSSL_PARAM *p)
{
    const uint8_t *iv;
    size_t len;
    if (!prov_get_octets(c->ctx, p, &iv, &len)) return 0;
    if (len != AEAD_TLS_FIXED)
        return prov_fail(c->ctx, PROV_BAD_LENGTH, "\"tlsivfixed\" has 4 bytes, not %zu", len);
    memcpy(c->iv, iv, len);
    return 1;
}

static int set_ctx_params(void *vc, const OSSL_PARAM *params)
{
    ccm *c = vc;
    const OSSL_PARAM *p;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_AEAD_TAG)) && !set_tag(c, p)) return 0;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_AEAD_IVLEN)) && !set_iv_len(c, p)) return 0;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD)) && !set_tls_aad(c, p)) return 0;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED)) && !set_fixed_iv(c, p))
        return 0;
    return aead_pipes_set_tags(c->ctx, &c->pipes, params);
}

/* Asking for the tag ends the message. */
static int get_tag(ccm *c, OSSL_PARAM *p)
{
    if (!c->encrypt || !c->has_tag)
        return prov_fail(c->ctx, PROV_BAD_STATE,
                         "a tag exists only after the end of an encryption");
    if (p->data && p->data_size != c->tag_len)
        return prov_fail(c->ctx, PROV_BAD_LENGTH,
                         "the tag was made with %zu bytes, not %zu; set its length before the data",
                         c->tag_len, p->data_size);
    if (!prov_set_octets(p, OSSL_CIPHER_PARAM_AEAD_TAG, c->tag, c->tag_len)) return 0;
    if (p->data) new_message(c);
    return 1;
}

static int get_ctx_params(void *vc, OSSL_PARAM *params)
{
    ccm *c = vc;
    OSSL_PARAM *p = (OSSL_PARAM *)prov_param(params, OSSL_CIPHER_PARAM_AEAD_TAG);
    if (p && !get_tag(c, p)) return 0;
    return prov_set_uint(params, OSSL_CIPHER_PARAM_KEYLEN, TY_SM4_BLOCK)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_AEAD_IVLEN, c->iv_len)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_AEAD_TAGLEN, c->tag_len)
           && prov_set_octets(params, OSSL_CIPHER_PARAM_IV, c->iv, c->iv_len)
           && prov_set_octets(params, OSSL_CIPHER_PARAM_UPDATED_IV, c->iv, c->iv_len)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, c->tag_len)
           && aead_pipes_get_tags(c->ctx, &c->pipes, params);
}

static int get_params(OSSL_PARAM *params)
{
    static const prov_cipher_facts facts = { 7, TY_SM4_BLOCK, 12, 1, 1, 1 };
    return prov_cipher_get_params(params, &facts);
}

/* --- Init calls ------------------------------------------------------------------------------- */

static int set_key(ccm *c, const unsigned char *key, size_t key_len)
{
    if (!key) return 1;
    if (key_len != TY_SM4_BLOCK)
        return prov_fail(c->ctx, PROV_BAD_LENGTH, "a key of SM4 has 16 bytes, this one %zu",
                         key_len);
    ty_sm4_init(&c->key, key);
    c->has_key = 1;
    prov_did(c->ctx, c->encrypt ? PROV_SM4_ENCRYPT_KEY : PROV_SM4_DECRYPT_KEY);
    return 1;
}

static int init(ccm *c, int encrypt, const unsigned char *key, size_t key_len,
                const unsigned char *iv, size_t iv_len, const OSSL_PARAM *params)
{
    if (c->encrypt != encrypt) c->has_tag = 0; /* made by an encryption, or set for a decryption */
    c->encrypt = encrypt;
    if (iv) {
        if (iv_len != c->iv_len)
            return prov_fail(c->ctx, PROV_BAD_LENGTH,
                             "the nonce has %zu bytes and %zu were announced; set its length first",
                             iv_len, c->iv_len);
        memcpy(c->iv, iv, iv_len);
        c->has_iv = 1;
    }
    if (iv || key) new_message(c);
    return set_key(c, key, key_len) && set_ctx_params(c, params);
}

static int encrypt_init(void *c, const unsigned char *key, size_t key_len, const unsigned char *iv,
                        size_t iv_len, const OSSL_PARAM *params)
{
    return init(c, 1, key, key_len, iv, iv_len, params);
}

static int decrypt_init(void *c, const unsigned char *key, size_t key_len, const unsigned char *iv,
                        size_t iv_len, const OSSL_PARAM *params)
{
    return init(c, 0, key, key_len, iv, iv_len, params);
}

static int pipeline_encrypt_init(void *vc, const unsigned char *key, size_t key_len, size_t n,
                                 const unsigned char **iv, size_t iv_len, const OSSL_PARAM *params)
{
    ccm *c = vc;
    c->encrypt = 1;
    return aead_pipes_init(c->ctx, &c->pipes, n, iv, iv_len) && set_key(c, key, key_len)
           && set_ctx_params(c, params);
}

static int pipeline_decrypt_init(void *vc, const unsigned char *key, size_t key_len, size_t n,
                                 const unsigned char **iv, size_t iv_len, const OSSL_PARAM *params)
{
    ccm *c = vc;
    c->encrypt = 0;
    return aead_pipes_init(c->ctx, &c->pipes, n, iv, iv_len) && set_key(c, key, key_len)
           && set_ctx_params(c, params);
}

static aead_key key_of(const ccm *c)
{
    return (aead_key){ NULL, c->has_key ? &c->key : NULL, c->tag_len };
}

static int pipeline_update(void *vc, size_t n, unsigned char **out, size_t *out_len,
                           const size_t *size, const unsigned char **in, const size_t *len)
{
    ccm *c = vc;
    aead_key key = key_of(c);
    return aead_pipes_update(c->ctx, &c->pipes, &key, c->encrypt, n, out, out_len, size, in, len);
}

static int pipeline_final(void *vc, size_t n, unsigned char **out, size_t *out_len,
                          const size_t *size)
{
    ccm *c = vc;
    aead_key key = key_of(c);
    (void)out, (void)out_len, (void)size;
    return aead_pipes_final(c->ctx, &c->pipes, &key, c->encrypt, n);
}

AEAD_TABLE(ccm);
