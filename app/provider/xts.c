/* SM4-XTS for OpenSSL: each update is one data unit. The tweaks are those of GB/T 17964-2021 unless
 * the parameter xts_standard is IEEE. */
#include "provider.h"

typedef struct xts {
    const prov_ctx *ctx;
    int encrypt, ieee, has_key, has_iv;
    ty_sm4_xts_key key;
    uint8_t iv[TY_SM4_BLOCK];
} xts;

static void *new_xts(void *ctx)
{
    xts *x = prov_new(ctx, sizeof *x);
    if (x) x->ctx = ctx;
    return x;
}

static void free_xts(void *x) { prov_delete(x, sizeof(xts)); }

static void *dup_xts(void *x) { return prov_copy(((xts *)x)->ctx, x, sizeof(xts)); }

static int set_ctx_params(void *vx, const OSSL_PARAM *params)
{
    xts *x = vx;
    const OSSL_PARAM *p = prov_param(params, LATER_CIPHER_XTS_STANDARD);
    const char *text;
    size_t len;
    if (!p) return 1;
    if (!prov_get_text(x->ctx, p, &text, &len)) return 0;
    if (!prov_among(text, len, "GB:IEEE"))
        return prov_fail(x->ctx, PROV_BAD_PARAMETER, "\"xts_standard\" may be GB or IEEE");
    x->ieee = prov_same(text, len, "IEEE");
    return 1;
}

static int init(xts *x, int encrypt, const unsigned char *key, size_t key_len,
                const unsigned char *iv, size_t iv_len, const OSSL_PARAM *params)
{
    x->encrypt = encrypt;
    if (iv) {
        if (iv_len != sizeof x->iv)
            return prov_fail(x->ctx, PROV_BAD_LENGTH, "a tweak has 16 bytes, this one %zu", iv_len);
        memcpy(x->iv, iv, iv_len);
        x->has_iv = 1;
    }
    if (key) {
        if (key_len != TY_SM4_XTS_KEY)
            return prov_fail(x->ctx, PROV_BAD_LENGTH, "a key of SM4-XTS has 32 bytes, this one %zu",
                             key_len);
        x->has_key = ty_sm4_xts_init(&x->key, key) == TY_OK;
        if (!x->has_key)
            return prov_fail(x->ctx, PROV_BAD_KEY,
                             "the two halves of the key are equal; draw 32 random bytes");
        prov_did(x->ctx, encrypt ? PROV_SM4_ENCRYPT_KEY : PROV_SM4_DECRYPT_KEY);
    }
    return set_ctx_params(x, params);
}

static int encrypt_init(void *x, const unsigned char *key, size_t key_len, const unsigned char *iv,
                        size_t iv_len, const OSSL_PARAM *params)
{
    return init(x, 1, key, key_len, iv, iv_len, params);
}

static int decrypt_init(void *x, const unsigned char *key, size_t key_len, const unsigned char *iv,
                        size_t iv_len, const OSSL_PARAM *params)
{
    return init(x, 0, key, key_len, iv, iv_len, params);
}

static int update(void *vx, unsigned char *out, size_t *out_len, size_t size,
                  const unsigned char *in, size_t len)
{
    const xts *x = vx;
    ty_err err;
    *out_len = 0;
    if (!x->has_key || !x->has_iv)
        return prov_fail(x->ctx, PROV_BAD_STATE,
                         "no key or no tweak yet; set both before the data");
    if (!in && len)
        return prov_fail(x->ctx, PROV_BAD_PARAMETER, "a length of %zu and no data", len);
    if (len > size)
        return prov_fail(x->ctx, PROV_SMALL_BUFFER,
                         "the output has %zu bytes, there is room for %zu",
                         len, size);
    if (x->ieee)
        err = (x->encrypt ? ty_sm4_xts_ieee_encrypt : ty_sm4_xts_ieee_decrypt)(out, in, len, x->iv,
                                                                               &x->key);
    else
        err = (x->encrypt ? ty_sm4_xts_gb_encrypt : ty_sm4_xts_gb_decrypt)(out, in, len, x->iv,
                                                                           &x->key);
    if (err != TY_OK)
        return prov_fail(x->ctx, PROV_BAD_LENGTH,
                         "a data unit of XTS has 16 bytes to 16 MiB, this one %zu; pass whole ones",
                         len);
    *out_len = len;
    return 1;
}

static int final(void *x, unsigned char *out, size_t *out_len, size_t size)
{
    (void)x, (void)out, (void)size;
    *out_len = 0;
    return 1;
}

static int one_shot(void *x, unsigned char *out, size_t *out_len, size_t size,
                    const unsigned char *in, size_t len)
{
    return in ? update(x, out, out_len, size, in, len) : final(x, out, out_len, size);
}

static int get_ctx_params(void *vx, OSSL_PARAM *params)
{
    const xts *x = vx;
    return prov_set_uint(params, OSSL_CIPHER_PARAM_KEYLEN, TY_SM4_XTS_KEY)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_IVLEN, sizeof x->iv)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_PADDING, 1)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_NUM, 0)
           && prov_set_octets(params, OSSL_CIPHER_PARAM_IV, x->iv, sizeof x->iv)
           && prov_set_octets(params, OSSL_CIPHER_PARAM_UPDATED_IV, x->iv, sizeof x->iv);
}

static int get_params(OSSL_PARAM *params)
{
    static const prov_cipher_facts facts = { 0x10001, TY_SM4_XTS_KEY, TY_SM4_BLOCK, 1, 0, 1 };
    return prov_cipher_get_params(params, &facts);
}

static const OSSL_PARAM *gettable_ctx_params(void *x, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_UINT(OSSL_CIPHER_PARAM_KEYLEN),
                                       PROV_UINT(OSSL_CIPHER_PARAM_IVLEN),
                                       PROV_UINT(OSSL_CIPHER_PARAM_PADDING),
                                       PROV_UINT(OSSL_CIPHER_PARAM_NUM),
                                       PROV_OCTETS(OSSL_CIPHER_PARAM_IV),
                                       PROV_OCTETS(OSSL_CIPHER_PARAM_UPDATED_IV),
                                       PROV_END };
    (void)x, (void)ctx;
    return list;
}

static const OSSL_PARAM *settable_ctx_params(void *x, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_TEXT(LATER_CIPHER_XTS_STANDARD), PROV_END };
    (void)x, (void)ctx;
    return list;
}

const OSSL_DISPATCH prov_sm4_xts[] = {
    PROV_FN(OSSL_FUNC_CIPHER_NEWCTX, new_xts),
    PROV_FN(OSSL_FUNC_CIPHER_FREECTX, free_xts),
    PROV_FN(OSSL_FUNC_CIPHER_DUPCTX, dup_xts),
    PROV_FN(OSSL_FUNC_CIPHER_ENCRYPT_INIT, encrypt_init),
    PROV_FN(OSSL_FUNC_CIPHER_DECRYPT_INIT, decrypt_init),
    PROV_FN(OSSL_FUNC_CIPHER_UPDATE, update),
    PROV_FN(OSSL_FUNC_CIPHER_FINAL, final),
    PROV_FN(OSSL_FUNC_CIPHER_CIPHER, one_shot),
    PROV_FN(OSSL_FUNC_CIPHER_GET_PARAMS, get_params),
    PROV_FN(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, get_ctx_params),
    PROV_FN(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, set_ctx_params),
    PROV_FN(OSSL_FUNC_CIPHER_GETTABLE_PARAMS, prov_cipher_gettable_params),
    PROV_FN(OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, gettable_ctx_params),
    PROV_FN(OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, settable_ctx_params),
    PROV_FN_END
};
