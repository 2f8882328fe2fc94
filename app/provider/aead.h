/* What SM4-GCM and SM4-CCM have in common: sizes, parameters, and many messages side by side
 * (pipelines, OpenSSL 3.5). */
#ifndef TONGYU_PROVIDER_AEAD_H
#define TONGYU_PROVIDER_AEAD_H

#include "provider.h"

#define AEAD_TAG 16
#define AEAD_AAD_SHORT 64 /* bytes of additional data kept for the call that has the text */
#define AEAD_TLS_AAD \
    13 /* TLS 1.2: the additional data of a record: sequence number, type, version, length */
#define AEAD_TLS_NONCE 8 /* the explicit part of a nonce */
#define AEAD_TLS_FIXED 4 /* its fixed part */
#define AEAD_PIPES_MAX 32 /* EVP_MAX_PIPES */

const OSSL_PARAM *aead_gettable(void *c, void *ctx);
const OSSL_PARAM *aead_settable(void *c, void *ctx);

/* aead_tls_length: corrects the length in the additional data of a TLS 1.2 record to that of its
 * text: without the nonce and, if it is sealed, the tag. 1, or 0 if the length is too small. */
int aead_tls_length(uint8_t aad[AEAD_TLS_AAD], int sealed, size_t tag_len);

/* One message among several. */
typedef struct aead_pipe {
    uint8_t iv[16], aad[AEAD_AAD_SHORT], tag[AEAD_TAG];
    size_t aad_len;
} aead_pipe;

typedef struct aead_pipes {
    aead_pipe *pipe;
    size_t n, iv_len, tag_len; /* tag_len: of the tags to compare with, 0 until they are set */
    size_t made_min, made_max; /* lengths in which tags can be read, 0 until they are made: GCM's
                                  may be shortened, CCM's have one length */
    int done, right;           /* done: texts processed; right: sealed, or all tags are right */
} aead_pipes;

/* The functions below return 1, or 0 after an error. aead_pipes_update takes additional data if out
 * or out[0] is NULL, else the texts. aead_pipes_final also returns 0, without an error, if a tag
 * was wrong. */
int aead_pipes_init(const prov_ctx *ctx, aead_pipes *p, size_t n, const unsigned char **iv,
                    size_t iv_len);
int aead_pipes_copy(const prov_ctx *ctx, aead_pipes *to, const aead_pipes *from);
void aead_pipes_free(aead_pipes *p);
int aead_pipes_set_tags(const prov_ctx *ctx, aead_pipes *p, const OSSL_PARAM *params);
int aead_pipes_get_tags(const prov_ctx *ctx, const aead_pipes *p, OSSL_PARAM *params);

/* At most one of gcm and ccm is a key, and the other is NULL; both are NULL while no key is set.
 * The text of each message comes in one update. */
typedef struct aead_key {
    const ty_sm4_gcm_key *gcm;
    const ty_sm4_key *ccm;
    size_t tag_len; /* of the tags that encryption makes */
} aead_key;
int aead_pipes_update(const prov_ctx *ctx, aead_pipes *p, const aead_key *key, int encrypt,
                      size_t n, unsigned char **out, size_t *out_len, const size_t *size,
                      const unsigned char **in, const size_t *len);
int aead_pipes_final(const prov_ctx *ctx, aead_pipes *p, const aead_key *key, int encrypt,
                     size_t n);

/* The dispatch table of a mode, from the functions of its file. */
#define AEAD_TABLE(name)                                                  \
    const OSSL_DISPATCH prov_sm4_##name[] = {                             \
        PROV_FN(OSSL_FUNC_CIPHER_NEWCTX, new_ctx),                        \
        PROV_FN(OSSL_FUNC_CIPHER_FREECTX, free_ctx),                      \
        PROV_FN(OSSL_FUNC_CIPHER_DUPCTX, dup_ctx),                        \
        PROV_FN(OSSL_FUNC_CIPHER_ENCRYPT_INIT, encrypt_init),             \
        PROV_FN(OSSL_FUNC_CIPHER_DECRYPT_INIT, decrypt_init),             \
        PROV_FN(OSSL_FUNC_CIPHER_UPDATE, update),                         \
        PROV_FN(OSSL_FUNC_CIPHER_FINAL, final),                           \
        PROV_FN(OSSL_FUNC_CIPHER_CIPHER, one_shot),                       \
        PROV_FN(LATER_CIPHER_PIPELINE_ENCRYPT_INIT, pipeline_encrypt_init), \
        PROV_FN(LATER_CIPHER_PIPELINE_DECRYPT_INIT, pipeline_decrypt_init), \
        PROV_FN(LATER_CIPHER_PIPELINE_UPDATE, pipeline_update),           \
        PROV_FN(LATER_CIPHER_PIPELINE_FINAL, pipeline_final),             \
        PROV_FN(OSSL_FUNC_CIPHER_GET_PARAMS, get_params),                 \
        PROV_FN(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, get_ctx_params),         \
        PROV_FN(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, set_ctx_params),         \
        PROV_FN(OSSL_FUNC_CIPHER_GETTABLE_PARAMS, prov_cipher_gettable_params), \
        PROV_FN(OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, aead_gettable),     \
        PROV_FN(OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, aead_settable),     \
        PROV_FN_END                                                       \
    }

#endif
