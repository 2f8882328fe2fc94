/* What the files of the OpenSSL provider share: the context of one library context, errors,
 * statistics, parameters, keys.
 *
 * Only declarations of OpenSSL's headers are used, never a function: the module is not linked with
 * libcrypto, so that one file serves OpenSSL 3.0 and everything after it. It is built with the
 * headers of 3.0; later.h declares what later versions added. */
#ifndef TONGYU_PROVIDER_H
#define TONGYU_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>
#include "tongyu/tongyu.h"
#include "counted.h"
#include "later.h"

/* --- The context ------------------------------------------------------------------------------ */

typedef struct prov_ctx {
    const OSSL_CORE_HANDLE *core;
    OSSL_FUNC_core_get_params_fn *get_params;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_FUNC_core_obj_create_fn *obj_create;
    OSSL_FUNC_core_obj_add_sigid_fn *obj_add_sigid;
    OSSL_FUNC_BIO_read_ex_fn *bio_read;
    OSSL_FUNC_BIO_write_ex_fn *bio_write;
    unsigned version;       /* of libcrypto: 0xMMmm, 0x0305 for 3.5 */
    prov_count_row *counts; /* own, or a file that processes share */
    int counts_mapped;
    prov_count_row own_counts[PROV_COUNT_END];
} prov_ctx;

#define PROV_OPENSSL(major, minor) ((unsigned)(major) << 8 | (unsigned)(minor))

/* prov_did: counts one operation of this kind. Other threads and processes may count at the same
 * time. */
static inline void prov_did(const prov_ctx *ctx, prov_count what)
{
    __atomic_fetch_add(&ctx->counts[what].count, 1, __ATOMIC_RELAXED);
}

/* prov_counts_open: counts in the file that the parameter "statistics" of the configuration names.
 * Without that parameter, or if the file cannot be used, which puts an error on the queue, the
 * provider counts in its own memory: a server must not fail to start because of its statistics. */
void prov_counts_open(prov_ctx *ctx);
void prov_counts_close(prov_ctx *ctx);

/* --- Errors ----------------------------------------------------------------------------------- */

#define PROV_REASONS(X)                                                                         \
    X(BAD_PARAMETER, "wrong parameter")                                                         \
    X(BAD_LENGTH, "wrong length") X(BAD_KEY, "wrong or missing key")                            \
        X(BAD_ENCODING, "malformed encoding") X(BAD_DIGEST, "wrong digest")                     \
            X(BAD_STATE, "calls in the wrong order") X(SMALL_BUFFER, "output buffer too small") \
                X(NOT_HERE, "not supported") X(NO_MEMORY, "out of memory")                      \
                    X(FAILED, "operation failed")

#define PROV_REASON_ENUM(id, text) PROV_##id,
typedef enum prov_reason {
    PROV_REASON_NONE,
    PROV_REASONS(PROV_REASON_ENUM) PROV_REASON_END
} prov_reason;
#undef PROV_REASON_ENUM

/* prov_fail: puts one error on OpenSSL's queue: what is wrong, and what to do. Returns 0, so that
 * callers can return it. */
#define prov_fail(ctx, reason, ...) \
    prov_fail_at(ctx, __FILE__, __LINE__, __func__, reason, __VA_ARGS__)
int prov_fail_at(const prov_ctx *ctx, const char *file, int line, const char *func,
                 prov_reason reason, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* prov_check: 1 if err is TY_OK; else 0, after the error "what: text of err". */
#define prov_check(ctx, err, what) prov_check_at(ctx, __FILE__, __LINE__, __func__, err, what)
int prov_check_at(const prov_ctx *ctx, const char *file, int line, const char *func, ty_err err,
                  const char *what);

/* prov_new, prov_copy: zeroed memory, a copy of memory; NULL after an error on the queue.
 * prov_delete wipes and frees p[len]; p may be NULL. */
void *prov_new(const prov_ctx *ctx, size_t len);
void *prov_copy(const prov_ctx *ctx, const void *p, size_t len);
void prov_delete(void *p, size_t len);

/* --- Parameters (params.c) -------------------------------------------------------------------- */

/* prov_param: the parameter of that name, or NULL; params may be NULL. */
const OSSL_PARAM *prov_param(const OSSL_PARAM *params, const char *name);

/* Getters: 1, or 0 after an error that names the parameter.
 * prov_get_uint: an integer of any width, signed or unsigned, from 0 to max.
 * prov_get_octets, prov_get_text: a pointer into the parameter, and the length.
 * prov_get_number: a natural number of any width as big-endian bytes out[len]; it may be secret. */
int prov_get_uint(const prov_ctx *ctx, const OSSL_PARAM *p, uint64_t max, uint64_t *value);
int prov_get_octets(const prov_ctx *ctx, const OSSL_PARAM *p, const uint8_t **data, size_t *len);
int prov_get_text(const prov_ctx *ctx, const OSSL_PARAM *p, const char **text, size_t *len);
int prov_get_number(const prov_ctx *ctx, const OSSL_PARAM *p, uint8_t *out, size_t len);

/* Setters: each sets the parameter of this name among params, if there is one. They return 1, or 0
 * if the value does not fit or the parameter has another type. */
int prov_set_uint(OSSL_PARAM *params, const char *name, uint64_t value);
int prov_set_octets(OSSL_PARAM *params, const char *name, const void *data, size_t len);
int prov_set_text(OSSL_PARAM *params, const char *name, const char *text);
int prov_set_number(OSSL_PARAM *params, const char *name, const uint8_t *bytes, size_t len);

/* prov_same: whether text[len] is name, regardless of case.   prov_among: whether it is one of the
 * names in "A:B:C". */
int prov_same(const char *text, size_t len, const char *name);
int prov_among(const char *text, size_t len, const char *names);

#define PROV_UINT(name) { name, OSSL_PARAM_UNSIGNED_INTEGER, NULL, 0, OSSL_PARAM_UNMODIFIED }
#define PROV_INT(name) { name, OSSL_PARAM_INTEGER, NULL, 0, OSSL_PARAM_UNMODIFIED }
#define PROV_OCTETS(name) { name, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED }
#define PROV_TEXT(name) { name, OSSL_PARAM_UTF8_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED }
#define PROV_PTR(name) { name, OSSL_PARAM_OCTET_PTR, NULL, 0, OSSL_PARAM_UNMODIFIED }
#define PROV_END { NULL, 0, NULL, 0, 0 }

/* A row of a dispatch table. */
#define PROV_FN(id, function) { id, (void (*)(void))(function) }
#define PROV_FN_END { 0, NULL }

/* --- Keys ------------------------------------------------------------------------------------- */

/* A key that libcrypto has from another provider is exported to this one; after a change of its
 * parameters it is exported again, and the first export is freed, though contexts may use it. So
 * contexts hold their keys. `holders` counts these contexts; libcrypto, the first holder, is not
 * counted. */

/* A key of SM2, or of TLS's curveSM2: a key pair, a public key, or still empty. */
typedef struct prov_sm2 {
    const prov_ctx *ctx;
    int holders;
    ty_sm2_key key; /* only key.pub is set if there is no private key */
    int has_pub, has_priv;
    int compressed;  /* 1: its points are written compressed */
    int without_pub; /* 1: its private key is written without the public one */
} prov_sm2;

/* A key of ML-DSA. Its parameter set is known before there is a key in it. */
typedef struct prov_mldsa {
    const prov_ctx *ctx;
    int holders;
    ty_mldsa_set set;
    int has_pub, has_priv;
    ty_mldsa_key key;
} prov_mldsa;

/* The parameter sets and their names. */
typedef struct prov_mldsa_row {
    ty_mldsa_set set;
    const char *name, *names, *short_name, *oid;
    uint8_t oid_last; /* last byte of the encoded object identifier */
    unsigned security_bits, category, tls_code_point;
    const char *tls_name;
} prov_mldsa_row;
const prov_mldsa_row *prov_mldsa_row_of(ty_mldsa_set set);
extern const prov_mldsa_row prov_mldsa_rows[3];

/* prov_hold: one more holder of a key.   prov_let_go: whether the caller was the last one. Both are
 * given the key's field `holders`, as const, because contexts' pointers to keys are const. */
static inline void prov_hold(const int *holders)
{
    __atomic_fetch_add((int *)holders, 1, __ATOMIC_RELAXED);
}
static inline int prov_let_go(const int *holders)
{
    return __atomic_fetch_sub((int *)holders, 1, __ATOMIC_ACQ_REL) == 0;
}

/* prov_sm2_keep, prov_mldsa_keep: *slot of a context holds this key, and no longer the one before.
 * prov_sm2_free, prov_mldsa_free: one holder less. Keys may be NULL. */
void prov_sm2_keep(const prov_sm2 **slot, const prov_sm2 *key);
void prov_sm2_free(const void *key);
void prov_mldsa_keep(const prov_mldsa **slot, const prov_mldsa *key);

void *prov_mldsa_new(const prov_ctx *ctx, ty_mldsa_set set);
void prov_mldsa_free(const void *key);
int prov_mldsa_import(void *key, int selection, const OSSL_PARAM *params);
int prov_mldsa_export(void *key, int selection, OSSL_CALLBACK *callback, void *arg);

/* --- Parameters that all ciphers have (cipher.c) ---------------------------------------------- */

typedef struct prov_cipher_facts {
    unsigned mode, key, iv,
        block; /* EVP_CIPH_*_MODE; bytes of key, IV and block as OpenSSL counts them */
    int aead, custom_iv;
} prov_cipher_facts;

int prov_cipher_get_params(OSSL_PARAM *params, const prov_cipher_facts *facts);
const OSSL_PARAM *prov_cipher_gettable_params(void *ctx);

/* --- The tables ------------------------------------------------------------------------------- */

#define PROV_PROPERTY "provider=tongyu"

extern const OSSL_DISPATCH prov_sm3[], prov_sm2_keymgmt[], prov_curvesm2_keymgmt[],
    prov_sm2_signature[], prov_sm2_cipher[], prov_sm2_exchange[], prov_mldsa_signature[];
extern const OSSL_DISPATCH prov_mldsa44_keymgmt[], prov_mldsa65_keymgmt[], prov_mldsa87_keymgmt[];
extern const OSSL_DISPATCH prov_sm4_ecb[], prov_sm4_cbc[], prov_sm4_cfb[], prov_sm4_ofb[],
    prov_sm4_ctr[], prov_sm4_xts[], prov_sm4_gcm[], prov_sm4_ccm[];
extern const OSSL_DISPATCH prov_mldsa_write_private_pem[], prov_mldsa_write_private_der[],
    prov_mldsa_write_encrypted_pem[], prov_mldsa_write_encrypted_der[],
    prov_mldsa_write_public_pem[], prov_mldsa_write_public_der[], prov_mldsa_write_text[];
extern const OSSL_DISPATCH prov_mldsa44_read_private[], prov_mldsa44_read_public[],
    prov_mldsa65_read_private[], prov_mldsa65_read_public[], prov_mldsa87_read_private[],
    prov_mldsa87_read_public[];

int prov_tls_capabilities(void *ctx, const char *capability, OSSL_CALLBACK *callback, void *arg);
int prov_self_test(void *ctx);

#endif
