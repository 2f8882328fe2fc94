/* Keys of ML-DSA from DER (RFC 9881): PrivateKeyInfo and SubjectPublicKeyInfo. libcrypto itself
 * decodes PEM and decrypts.
 *
 * OpenSSL asks every decoder about every input. For a key of another algorithm a decoder reports
 * success without an object; for one that names its algorithm and is malformed, an error. */
#include "provider.h"
#include <openssl/core_object.h>

#define DER_MAX 16384 /* every key has less than 8,000 bytes; one with attributes is refused */

typedef struct decoder {
    const prov_ctx *ctx;
} decoder;

static void *new_decoder(void *ctx)
{
    decoder *d = prov_new(ctx, sizeof *d);
    if (d) d->ctx = ctx;
    return d;
}

static void free_decoder(void *d) { free(d); }

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

static size_t fill(const decoder *d, OSSL_CORE_BIO *in, uint8_t *out, size_t want)
{
    size_t have = 0, n;
    while (have < want && d->ctx->bio_read(in, out + have, want - have, &n) && n) have += n;
    return have;
}

/* Reads one DER SEQUENCE: returns its length, and in head the offset of its contents; 0 if the
 * input is not one, or is too long. Nothing after it is read. Of a truncated sequence it returns
 * the length of what there is. */
static size_t read_sequence(const decoder *d, OSSL_CORE_BIO *in, uint8_t der[DER_MAX], size_t *head)
{
    size_t len = 0;
    if (fill(d, in, der, 2) != 2 || der[0] != 0x30 || der[1] == 0x80 || der[1] > 0x82) return 0;
    *head = der[1] < 0x80 ? 2 : der[1] - 0x80 + 2u;
    if (fill(d, in, der + 2, *head - 2) != *head - 2) return 0;
    for (size_t i = 2; i < *head; i++) len = len << 8 | der[i];
    if (*head == 2) len = der[1];
    return *head + len > DER_MAX ? 0 : *head + fill(d, in, der + *head, len);
}

/* Whether the algorithm at der[at] is that of the set: a sequence that begins with its OID, in a
 * private key after the version. */
static int is_ours(const uint8_t *der, size_t len, size_t at, ty_mldsa_set set, int private_key)
{
    uint8_t oid[] = { 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0 };
    oid[sizeof oid - 1] = prov_mldsa_row_of(set)->oid_last;
    if (private_key) {
        if (at + 3 > len || der[at] != 2 || der[at + 1] != 1) return 0;
        at += 3;
    }
    return at + 2 + sizeof oid <= len && der[at] == 0x30
           && memcmp(der + at + 2, oid, sizeof oid) == 0;
}

static int report_key(prov_mldsa **k, OSSL_CALLBACK *callback, void *arg)
{
    int type = OSSL_OBJECT_PKEY;
    const char *name = prov_mldsa_row_of((*k)->set)->name;
    OSSL_PARAM p[] = { { OSSL_OBJECT_PARAM_TYPE, OSSL_PARAM_INTEGER, &type, sizeof type,
                         OSSL_PARAM_UNMODIFIED },
                       { OSSL_OBJECT_PARAM_DATA_TYPE, OSSL_PARAM_UTF8_STRING, (void *)name,
                         strlen(name), OSSL_PARAM_UNMODIFIED },
                       { OSSL_OBJECT_PARAM_REFERENCE, OSSL_PARAM_OCTET_STRING, k, sizeof *k,
                         OSSL_PARAM_UNMODIFIED },
                       PROV_END };
    return callback(p, arg); /* if it takes the key, it sets *k to NULL (load) */
}

static prov_mldsa *read_key(const decoder *d, const uint8_t *der, size_t len, ty_mldsa_set set,
                            int private_key)
{
    ty_mldsa_file file;
    prov_mldsa *k = prov_mldsa_new(d->ctx, set);
    if (!k) return NULL;
    ty_err err = ty_mldsa_key_read(&k->key, &file, der, len, NULL, 0);
    if (err == TY_OK && (file.private_key != private_key || k->key.pub.set != set))
        err = TY_ERR_FORMAT;
    if (!prov_check(d->ctx, err,
                    "a key of ML-DSA in DER, which must have its canonical form (RFC 9881)")) {
        prov_mldsa_free(k);
        return NULL;
    }
    k->has_pub = 1;
    k->has_priv = private_key;
    prov_did(d->ctx, PROV_KEY_DECODE);
    return k;
}

static int decode(const decoder *d, OSSL_CORE_BIO *in, ty_mldsa_set set, int private_key,
                  OSSL_CALLBACK *callback, void *arg)
{
    uint8_t *der = prov_new(d->ctx, DER_MAX);
    if (!der) return 0;
    size_t head, len = read_sequence(d, in, der, &head);
    int ok = 1;
    if (len && is_ours(der, len, head, set, private_key)) {
        prov_mldsa *k = read_key(d, der, len, set, private_key);
        ok = k && report_key(&k, callback, arg);
        prov_mldsa_free(k);
    }
    prov_delete(der, DER_MAX);
    return ok;
}

/* Exports a key for another provider: the reference is a pointer to the key. */
static int export_object(void *d, const void *reference, size_t len, OSSL_CALLBACK *callback,
                         void *arg)
{
    void *k;
    (void)d;
    if (len != sizeof k) return 0;
    memcpy(&k, reference, sizeof k);
    return prov_mldsa_export(k, OSSL_KEYMGMT_SELECT_ALL, callback, arg);
}

#define DECODER(n, kind, is_private, selects)                                    \
    static int decode_##n##_##kind(void *d, OSSL_CORE_BIO *in, int selection,    \
                                   OSSL_CALLBACK *callback, void *arg,           \
                                   OSSL_PASSPHRASE_CALLBACK *ask, void *ask_arg) \
    {                                                                            \
        (void)selection, (void)ask, (void)ask_arg;                               \
        return decode(d, in, TY_MLDSA_##n, is_private, callback, arg);           \
    }                                                                            \
    const OSSL_DISPATCH prov_mldsa##n##_read_##kind[] = {                        \
        PROV_FN(OSSL_FUNC_DECODER_NEWCTX, new_decoder),                          \
        PROV_FN(OSSL_FUNC_DECODER_FREECTX, free_decoder),                        \
        PROV_FN(OSSL_FUNC_DECODER_DOES_SELECTION, selects),                      \
        PROV_FN(OSSL_FUNC_DECODER_DECODE, decode_##n##_##kind),                  \
        PROV_FN(OSSL_FUNC_DECODER_EXPORT_OBJECT, export_object),                 \
        PROV_FN_END                                                              \
    };

DECODER(44, private, 1, selects_private)
DECODER(65, private, 1, selects_private)
DECODER(87, private, 1, selects_private)
DECODER(44, public, 0, selects_public)
DECODER(65, public, 0, selects_public)
DECODER(87, public, 0, selects_public)
