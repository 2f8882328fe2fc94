/* SM2 encryption (GB/T 32918.4) of messages of any length, with ciphertexts in DER (GB/T 35276). */
#include "provider.h"

#define DER_EXTRA                                                                              \
    32 /* bytes of a ciphertext in DER beyond the raw one: headers, and a sign byte for each   \
          coordinate */

typedef struct pke {
    const prov_ctx *ctx;
    const prov_sm2 *key;
} pke;

static void *new_pke(void *ctx)
{
    pke *e = prov_new(ctx, sizeof *e);
    if (e) e->ctx = ctx;
    return e;
}

static void free_pke(void *ve)
{
    pke *e = ve;
    if (e) prov_sm2_free(e->key);
    prov_delete(e, sizeof *e);
}

static void *dup_pke(void *ve)
{
    pke *e = ve, *copy = prov_copy(e->ctx, e, sizeof *e);
    if (copy && copy->key) prov_hold(&copy->key->holders);
    return copy;
}

static int set_ctx_params(void *ve, const OSSL_PARAM *params)
{
    const pke *e = ve;
    const OSSL_PARAM *p = prov_param(params, OSSL_ASYM_CIPHER_PARAM_DIGEST);
    const char *name;
    size_t len;
    if (!p) return 1;
    if (!prov_get_text(e->ctx, p, &name, &len)) return 0;
    return prov_among(name, len, "SM3:1.2.156.10197.1.401")
           || prov_fail(e->ctx, PROV_BAD_DIGEST, "SM2 encrypts with SM3, not with \"%.*s\"",
                        (int)(len > 60 ? 60 : len), name);
}

static int encrypt_init(void *ve, void *key, const OSSL_PARAM *params)
{
    pke *e = ve;
    if (key) prov_sm2_keep(&e->key, key);
    if (!e->key || !e->key->has_pub)
        return prov_fail(e->ctx, PROV_BAD_KEY, "encryption needs a public key");
    return set_ctx_params(e, params);
}

static int decrypt_init(void *ve, void *key, const OSSL_PARAM *params)
{
    pke *e = ve;
    if (key) prov_sm2_keep(&e->key, key);
    if (!e->key || !e->key->has_priv)
        return prov_fail(e->ctx, PROV_BAD_KEY, "decryption needs a private key");
    return set_ctx_params(e, params);
}

static int encrypt(void *ve, unsigned char *out, size_t *out_len, size_t size,
                   const unsigned char *in, size_t len)
{
    const pke *e = ve;
    if (!e->key) return prov_fail(e->ctx, PROV_BAD_STATE, "no key yet");
    if (len > SIZE_MAX / 2) return prov_fail(e->ctx, PROV_BAD_LENGTH, "the message is too long");
    size_t raw_len = len + TY_SM2_OVERHEAD, need = raw_len + DER_EXTRA;
    if (!out) {
        *out_len = need;
        return 1;
    }
    uint8_t *raw = prov_new(e->ctx, raw_len);
    if (!raw) return 0;
    *out_len = size;
    int ok =
        prov_check(e->ctx,
                   ty_sm2_encrypt(raw, in, len, TY_SM2_C1C3C2, &e->key->key.pub, ty_rng_system()),
                   "encryption")
        && (ty_sm2_ct_to_der(out, out_len, raw, raw_len) == TY_OK
            || prov_fail(e->ctx, PROV_SMALL_BUFFER,
                         "the ciphertext has %zu bytes, there is room for %zu", *out_len, size));
    prov_delete(raw, raw_len);
    if (ok) prov_did(e->ctx, PROV_SM2_ENCRYPT);
    return ok;
}

/* An error does not reveal what is wrong with a ciphertext. */
static int decrypt(void *ve, unsigned char *out, size_t *out_len, size_t size,
                   const unsigned char *in, size_t len)
{
    const pke *e = ve;
    if (!e->key || !e->key->has_priv)
        return prov_fail(e->ctx, PROV_BAD_STATE, "no private key yet");
    if (len <= TY_SM2_OVERHEAD)
        return prov_fail(e->ctx, PROV_BAD_ENCODING,
                         "this is not an SM2 ciphertext, it is too short");
    size_t raw_len = len; /* raw is shorter, unless x and y begin with 10 zero bytes in all */
    uint8_t *raw = prov_new(e->ctx, raw_len);
    if (!raw) return 0;
    int ok = ty_sm2_ct_from_der(raw, &raw_len, in, len) == TY_OK && raw_len > TY_SM2_OVERHEAD;
    if (!ok)
        prov_fail(e->ctx, PROV_BAD_ENCODING,
                  "this is not an SM2 ciphertext in DER (C1, C3, C2 of GB/T 35276)");
    size_t text_len = ok ? raw_len - TY_SM2_OVERHEAD : 0;
    if (ok && out && size < text_len)
        ok = prov_fail(e->ctx, PROV_SMALL_BUFFER, "the output has %zu bytes, there is room for %zu",
                       text_len, size);
    if (ok && out && ty_sm2_decrypt(out, raw, raw_len, TY_SM2_C1C3C2, &e->key->key) != TY_OK)
        ok = prov_fail(e->ctx, PROV_FAILED, "the ciphertext is not for this key, or was altered");
    prov_delete(raw, len);
    if (!ok) return 0;
    *out_len = text_len;
    if (out) prov_did(e->ctx, PROV_SM2_DECRYPT);
    return 1;
}

static int get_ctx_params(void *e, OSSL_PARAM *params)
{
    (void)e;
    return prov_set_text(params, OSSL_ASYM_CIPHER_PARAM_DIGEST, "SM3");
}

static const OSSL_PARAM *ctx_params(void *e, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_TEXT(OSSL_ASYM_CIPHER_PARAM_DIGEST), PROV_END };
    (void)e, (void)ctx;
    return list;
}

const OSSL_DISPATCH prov_sm2_cipher[] = {
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_NEWCTX, new_pke),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_FREECTX, free_pke),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_DUPCTX, dup_pke),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT, encrypt_init),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_ENCRYPT, encrypt),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT, decrypt_init),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_DECRYPT, decrypt),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS, get_ctx_params),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_GETTABLE_CTX_PARAMS, ctx_params),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS, set_ctx_params),
    PROV_FN(OSSL_FUNC_ASYM_CIPHER_SETTABLE_CTX_PARAMS, ctx_params),
    PROV_FN_END
};
