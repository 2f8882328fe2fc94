/* Keys of ML-DSA as DER, PEM (RFC 9881) and text.
 *
 * An encoder that is given a cipher encrypts or fails. Before OpenSSL 3.5, where no other provider
 * writes these keys, it supports SM4-CBC and AES-256-CBC; for any other cipher there is
 * `openssl pkcs8 -topk8`, where libcrypto encrypts. From 3.5 on the default provider writes private
 * keys. */
#include "provider.h"
#include <stdio.h>

#define ITERATIONS 100000 /* of PBKDF2; OpenSSL's default of 2,048 is too few today */
#define PASSWORD_MAX 1024

typedef struct encoder {
    const prov_ctx *ctx;
    int encrypts;
    ty_key_form form; /* if it encrypts */
    char unknown[64]; /* the name of the requested cipher, if it is not supported */
} encoder;

static void *new_encoder(void *ctx)
{
    encoder *e = prov_new(ctx, sizeof *e);
    if (e) e->ctx = ctx;
    return e;
}

static void free_encoder(void *e) { free(e); }

static int set_ctx_params(void *ve, const OSSL_PARAM *params)
{
    encoder *e = ve;
    const OSSL_PARAM *p = prov_param(params, OSSL_ENCODER_PARAM_CIPHER);
    const char *name = "";
    size_t len = 0;
    if (!p) return 1;
    /* Without data the parameter says that there is no cipher. */
    if (p->data && !prov_get_text(e->ctx, p, &name, &len)) return 0;
    e->encrypts = len != 0;
    e->unknown[0] = 0;
    int aes = prov_among(name, len, "AES-256-CBC:AES256:2.16.840.1.101.3.4.1.42");
    e->form = aes ? TY_KEY_PKCS8_PBES2_AES256 : TY_KEY_PKCS8_PBES2_SHA256;
    if (!len || aes || prov_among(name, len, "SM4-CBC:SM4:1.2.156.10197.1.104.2")) return 1;
    if (len >= sizeof e->unknown)
        len = sizeof e->unknown - 1; /* refused in write_private, so that there is one error */
    memcpy(e->unknown, name, len);
    e->unknown[len] = 0;
    return 1;
}

static const OSSL_PARAM *settable_ctx_params(void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_TEXT(OSSL_ENCODER_PARAM_CIPHER),
                                       PROV_TEXT(OSSL_ENCODER_PARAM_PROPERTIES), PROV_END };
    (void)ctx;
    return list;
}

static int selects_private(void *ctx, int selection)
{
    (void)ctx;
    return !selection || selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
}

static int selects_public(void *ctx, int selection)
{
    (void)ctx;
    return !selection
           || (!(selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
               && selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY);
}

static int selects_any(void *ctx, int selection)
{
    (void)ctx, (void)selection;
    return 1;
}

static int put(const encoder *e, OSSL_CORE_BIO *out, const void *data, size_t len)
{
    size_t done;
    while (len) {
        if (!e->ctx->bio_write(out, data, len, &done) || !done)
            return prov_fail(e->ctx, PROV_FAILED, "the key could not be written out");
        data = (const uint8_t *)data + done;
        len -= done;
    }
    return 1;
}

/* --- DER and PEM ------------------------------------------------------------------------------ */

static int write_public(const encoder *e, OSSL_CORE_BIO *out, const prov_mldsa *k,
                        ty_key_coding coding)
{
    uint8_t text[TY_MLDSA_ENCODED_MAX];
    size_t len = sizeof text;
    if (!k || !k->has_pub)
        return prov_fail(e->ctx, PROV_BAD_KEY, "there is no public key to write");
    return prov_check(e->ctx, ty_mldsa_pub_write(text, &len, &k->key.pub, coding),
                      "writing the public key")
           && put(e, out, text, len);
}

static int write_private(const encoder *e, OSSL_CORE_BIO *out, const prov_mldsa *k,
                         ty_key_coding coding, int encrypt, OSSL_PASSPHRASE_CALLBACK *ask,
                         void *ask_arg)
{
    uint8_t text[TY_MLDSA_ENCODED_MAX + 1024];
    char password[PASSWORD_MAX];
    size_t len = sizeof text, password_len = 0;
    if (!k || !k->has_priv)
        return prov_fail(e->ctx, PROV_BAD_KEY, "there is no private key to write");
    /* Without a cipher e->form is that of a plain key. */
    if (encrypt && !e->encrypts)
        return prov_fail(e->ctx, PROV_BAD_PARAMETER,
                         "an encrypted key needs a cipher; set AES-256-CBC or SM4-CBC, or ask for "
                         "\"PrivateKeyInfo\"");
    if (encrypt && e->unknown[0])
        return prov_fail(e->ctx, PROV_NOT_HERE,
                         "keys of ML-DSA are encrypted with AES-256-CBC or SM4-CBC here, not with "
                         "\"%s\"; "
                         "to use that, pipe the unencrypted key into openssl pkcs8 -topk8 -v2 %s",
                         e->unknown, e->unknown);
    if (encrypt && (!ask || !ask(password, sizeof password, &password_len, NULL, ask_arg)))
        return prov_fail(e->ctx, PROV_BAD_PARAMETER,
                         "no password to encrypt the key with; give one, or do not encrypt");
    int ok = prov_check(e->ctx,
                        ty_mldsa_key_write(text, &len, &k->key,
                                           k->key.has_seed ? TY_MLDSA_BOTH : TY_MLDSA_EXPANDED,
                                           encrypt ? e->form : TY_KEY_PKCS8,
                                           coding, encrypt ? password : NULL, password_len,
                                           encrypt ? ITERATIONS : 0, ty_rng_system()),
                        "writing the private key")
             && put(e, out, text, len);
    ty_wipe(password, sizeof password);
    ty_wipe(text, sizeof text);
    if (ok) prov_did(e->ctx, PROV_KEY_ENCODE);
    return ok;
}

/* --- Text ------------------------------------------------------------------------------------- */

/* As OpenSSL's own encoder writes it: a heading, then 15 bytes a line, 16 from 4.0 on. */
static int dump(const encoder *e, OSSL_CORE_BIO *out, const char *heading, const uint8_t *data,
                size_t len)
{
    char line[64];
    size_t width = e->ctx->version < PROV_OPENSSL(4, 0) ? 15 : 16;
    int ok = put(e, out, heading, strlen(heading));
    for (size_t i = 0; ok && i < len; i += width) {
        int at = sprintf(line, "    ");
        for (size_t j = i; j < len && j < i + width; j++)
            at += sprintf(line + at, j + 1 < len ? "%02x:" : "%02x", data[j]);
        at += sprintf(line + at, "\n");
        ok = put(e, out, line, (size_t)at);
    }
    ty_wipe(line, sizeof line);
    return ok;
}

static int write_text(const encoder *e, OSSL_CORE_BIO *out, const prov_mldsa *k, int selection)
{
    char heading[64];
    int private_half = selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY && k && k->has_priv;
    if (!k || !k->has_pub) return prov_fail(e->ctx, PROV_BAD_KEY, "there is no key to write");
    int n = snprintf(heading, sizeof heading, "%s %s-Key:\n", prov_mldsa_row_of(k->set)->name,
                     private_half ? "Private" : "Public");
    if (!put(e, out, heading, (size_t)n)) return 0;
    if (private_half && k->key.has_seed && !dump(e, out, "seed:\n", k->key.seed, TY_MLDSA_SEED_LEN))
        return 0;
    if (private_half && !dump(e, out, "priv:\n", k->key.bytes, ty_mldsa_key_len(k->set))) return 0;
    return dump(e, out, "pub:\n", k->key.pub.bytes, ty_mldsa_pub_len(k->set));
}

/* --- The tables ------------------------------------------------------------------------------- */

/* A key of another provider comes as parameters; the length of its public key determines
 * its parameter set. */
static void *import_object(void *ve, int selection, const OSSL_PARAM *params)
{
    const encoder *e = ve;
    const OSSL_PARAM *pub = prov_param(params, OSSL_PKEY_PARAM_PUB_KEY);
    for (size_t i = 0; pub && i < 3; i++)
        if (pub->data_size == ty_mldsa_pub_len(prov_mldsa_rows[i].set)) {
            void *k = prov_mldsa_new(e->ctx, prov_mldsa_rows[i].set);
            if (k && prov_mldsa_import(k, selection, params)) return k;
            prov_mldsa_free(k);
            return NULL;
        }
    prov_fail(e->ctx, PROV_BAD_KEY, "these parameters are not a key of ML-DSA");
    return NULL;
}

/* OpenSSL passes the cipher to every encoder that it considers; only encoders of private keys have
 * a parameter for it. */
#define CIPHER_PARAMS                                          \
    PROV_FN(OSSL_FUNC_ENCODER_SET_CTX_PARAMS, set_ctx_params), \
        PROV_FN(OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, settable_ctx_params),

#define ENCODER(name, selects, params, body)                               \
    static int encode_##name(void *ve, OSSL_CORE_BIO *out, const void *k,  \
                             const OSSL_PARAM *abstract, int selection,    \
                             OSSL_PASSPHRASE_CALLBACK *ask, void *ask_arg) \
    {                                                                      \
        const encoder *e = ve;                                             \
        (void)abstract, (void)selection, (void)ask, (void)ask_arg;         \
        return body;                                                       \
    }                                                                      \
    const OSSL_DISPATCH prov_mldsa_write_##name[] = {                      \
        PROV_FN(OSSL_FUNC_ENCODER_NEWCTX, new_encoder),                    \
        PROV_FN(OSSL_FUNC_ENCODER_FREECTX, free_encoder),                  \
        params PROV_FN(OSSL_FUNC_ENCODER_DOES_SELECTION, selects),         \
        PROV_FN(OSSL_FUNC_ENCODER_IMPORT_OBJECT, import_object),           \
        PROV_FN(OSSL_FUNC_ENCODER_FREE_OBJECT, prov_mldsa_free),           \
        PROV_FN(OSSL_FUNC_ENCODER_ENCODE, encode_##name),                  \
        PROV_FN_END                                                        \
    };

ENCODER(private_pem, selects_private, CIPHER_PARAMS,
        write_private(e, out, k, TY_KEY_PEM, e->encrypts, ask, ask_arg))
ENCODER(private_der, selects_private, CIPHER_PARAMS,
        write_private(e, out, k, TY_KEY_DER, e->encrypts, ask, ask_arg))
ENCODER(encrypted_pem, selects_private, CIPHER_PARAMS,
        write_private(e, out, k, TY_KEY_PEM, 1, ask, ask_arg))
ENCODER(encrypted_der, selects_private, CIPHER_PARAMS,
        write_private(e, out, k, TY_KEY_DER, 1, ask, ask_arg))
ENCODER(public_pem, selects_public, , write_public(e, out, k, TY_KEY_PEM))
ENCODER(public_der, selects_public, , write_public(e, out, k, TY_KEY_DER))
ENCODER(text, selects_any, , write_text(e, out, k, selection))
