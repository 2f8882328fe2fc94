/* The OpenSSL provider: its entry point, the algorithms that it offers, and its parameters. */
#include "provider.h"

/* --- The tables ------------------------------------------------------------------------------- */

#define SM2 "SM2:1.2.156.10197.1.301"
#define MLDSA(n, last) "ML-DSA-" n ":MLDSA" n ":2.16.840.1.101.3.4.3." last ":id-ml-dsa-" n
#define ROW(names, functions) { names, PROV_PROPERTY, functions, "Tongyu" }
#define ROW_END { NULL, NULL, NULL, NULL }

const prov_mldsa_row prov_mldsa_rows[3] = {
    { TY_MLDSA_44, "ML-DSA-44", MLDSA("44", "17"), "id-ml-dsa-44", "2.16.840.1.101.3.4.3.17", 17,
      128, 2, 0x0904, "mldsa44" },
    { TY_MLDSA_65, "ML-DSA-65", MLDSA("65", "18"), "id-ml-dsa-65", "2.16.840.1.101.3.4.3.18", 18,
      192, 3, 0x0905, "mldsa65" },
    { TY_MLDSA_87, "ML-DSA-87", MLDSA("87", "19"), "id-ml-dsa-87", "2.16.840.1.101.3.4.3.19", 19,
      256, 5, 0x0906, "mldsa87" },
};

const prov_mldsa_row *prov_mldsa_row_of(ty_mldsa_set set)
{
    return &prov_mldsa_rows[set == TY_MLDSA_44 ? 0 : set == TY_MLDSA_65 ? 1 : 2];
}

static const OSSL_ALGORITHM digests[] = { ROW("SM3:1.2.156.10197.1.401", prov_sm3), ROW_END };

static const OSSL_ALGORITHM ciphers[] = {
    ROW("SM4-ECB:1.2.156.10197.1.104.1", prov_sm4_ecb),
    ROW("SM4-CBC:SM4:1.2.156.10197.1.104.2", prov_sm4_cbc),
    ROW("SM4-OFB:SM4-OFB128:1.2.156.10197.1.104.3", prov_sm4_ofb),
    ROW("SM4-CFB:SM4-CFB128:1.2.156.10197.1.104.4", prov_sm4_cfb),
    ROW("SM4-CTR:1.2.156.10197.1.104.7", prov_sm4_ctr),
    ROW("SM4-GCM:1.2.156.10197.1.104.8", prov_sm4_gcm),
    ROW("SM4-CCM:1.2.156.10197.1.104.9", prov_sm4_ccm),
    ROW("SM4-XTS:1.2.156.10197.1.104.10", prov_sm4_xts),
    ROW_END
};

static const OSSL_ALGORITHM keymgmts[] = { ROW(SM2, prov_sm2_keymgmt),
                                           ROW("curveSM2", prov_curvesm2_keymgmt),
                                           ROW(MLDSA("44", "17"), prov_mldsa44_keymgmt),
                                           ROW(MLDSA("65", "18"), prov_mldsa65_keymgmt),
                                           ROW(MLDSA("87", "19"), prov_mldsa87_keymgmt),
                                           ROW_END };

static const OSSL_ALGORITHM signatures[] = { ROW(SM2, prov_sm2_signature),
                                             ROW(MLDSA("44", "17"), prov_mldsa_signature),
                                             ROW(MLDSA("65", "18"), prov_mldsa_signature),
                                             ROW(MLDSA("87", "19"), prov_mldsa_signature),
                                             ROW_END };

static const OSSL_ALGORITHM asym_ciphers[] = { ROW(SM2, prov_sm2_cipher), ROW_END };
static const OSSL_ALGORITHM exchanges[] = { ROW("curveSM2", prov_sm2_exchange), ROW_END };

#define ROW_FOR(names, kind, functions) { names, PROV_PROPERTY "," kind, functions, "Tongyu" }
#define PUBLIC_ENCODERS(names)                                                                    \
    ROW_FOR(names, "output=pem,structure=SubjectPublicKeyInfo", prov_mldsa_write_public_pem),     \
        ROW_FOR(names, "output=der,structure=SubjectPublicKeyInfo", prov_mldsa_write_public_der), \
        ROW_FOR(names, "output=text", prov_mldsa_write_text)
#define PRIVATE_ENCODERS(names)                                                              \
    ROW_FOR(names, "output=pem,structure=PrivateKeyInfo", prov_mldsa_write_private_pem),     \
        ROW_FOR(names, "output=der,structure=PrivateKeyInfo", prov_mldsa_write_private_der), \
        ROW_FOR(names, "output=pem,structure=EncryptedPrivateKeyInfo",                       \
                prov_mldsa_write_encrypted_pem),                                             \
        ROW_FOR(names, "output=der,structure=EncryptedPrivateKeyInfo",                       \
                prov_mldsa_write_encrypted_der)

/* From 3.5 on the default provider writes private keys of ML-DSA, with every encryption it has, so
 * this one does not offer to. */
static const OSSL_ALGORITHM encoders[] = { PUBLIC_ENCODERS(MLDSA("44", "17")),
                                           PUBLIC_ENCODERS(MLDSA("65", "18")),
                                           PUBLIC_ENCODERS(MLDSA("87", "19")), ROW_END };
static const OSSL_ALGORITHM encoders_before_3_5[] = { PUBLIC_ENCODERS(MLDSA("44", "17")),
                                                      PUBLIC_ENCODERS(MLDSA("65", "18")),
                                                      PUBLIC_ENCODERS(MLDSA("87", "19")),
                                                      PRIVATE_ENCODERS(MLDSA("44", "17")),
                                                      PRIVATE_ENCODERS(MLDSA("65", "18")),
                                                      PRIVATE_ENCODERS(MLDSA("87", "19")),
                                                      ROW_END };

#define DECODERS(names, set)                                                              \
    ROW_FOR(names, "input=der,structure=PrivateKeyInfo", prov_mldsa##set##_read_private), \
        ROW_FOR(names, "input=der,structure=SubjectPublicKeyInfo", prov_mldsa##set##_read_public)
static const OSSL_ALGORITHM decoders[] = { DECODERS(MLDSA("44", "17"), 44),
                                           DECODERS(MLDSA("65", "18"), 65),
                                           DECODERS(MLDSA("87", "19"), 87), ROW_END };

static const OSSL_ALGORITHM *query(void *vctx, int operation, int *no_cache)
{
    const prov_ctx *ctx = vctx;
    *no_cache = 0;
    switch (operation) {
    case OSSL_OP_DIGEST: return digests;
    case OSSL_OP_CIPHER: return ciphers;
    case OSSL_OP_KEYMGMT: return keymgmts;
    case OSSL_OP_SIGNATURE: return signatures;
    case OSSL_OP_ASYM_CIPHER: return asym_ciphers;
    case OSSL_OP_KEYEXCH: return exchanges;
    case OSSL_OP_ENCODER: return ctx->version < PROV_OPENSSL(3, 5) ? encoders_before_3_5 : encoders;
    case OSSL_OP_DECODER: return decoders;
    default: return NULL;
    }
}

/* --- Parameters, reasons, capabilities -------------------------------------------------------- */

#define COUNT_PARAM(id, name) PROV_UINT(name),
static const OSSL_PARAM gettable[] = { PROV_TEXT(OSSL_PROV_PARAM_NAME),
                                       PROV_TEXT(OSSL_PROV_PARAM_VERSION),
                                       PROV_TEXT(OSSL_PROV_PARAM_BUILDINFO),
                                       PROV_INT(OSSL_PROV_PARAM_STATUS),
                                       PROV_COUNTS(COUNT_PARAM) PROV_END };

static const OSSL_PARAM *gettable_params(void *ctx)
{
    (void)ctx;
    return gettable;
}

static int get_params(void *vctx, OSSL_PARAM *params)
{
    const prov_ctx *ctx = vctx;
    for (int i = 0; i < PROV_COUNT_END; i++)
        if (!prov_set_uint(params, ctx->counts[i].name,
                           __atomic_load_n(&ctx->counts[i].count, __ATOMIC_RELAXED)))
            return 0;
    return prov_set_text(params, OSSL_PROV_PARAM_NAME, "Tongyu")
           && prov_set_text(params, OSSL_PROV_PARAM_VERSION, ty_version())
           && prov_set_text(params, OSSL_PROV_PARAM_BUILDINFO, "Tongyu " TY_VERSION_STRING)
           && prov_set_uint(params, OSSL_PROV_PARAM_STATUS, 1);
}

#define REASON_ROW(id, text) { PROV_##id, (void *)text },
static const OSSL_ITEM reasons[] = { PROV_REASONS(REASON_ROW){ 0, NULL } };

static const OSSL_ITEM *reason_strings(void *ctx)
{
    (void)ctx;
    return reasons;
}

static void teardown(void *vctx)
{
    prov_counts_close(vctx);
    prov_delete(vctx, sizeof(prov_ctx));
}

static const OSSL_DISPATCH functions[] = {
    PROV_FN(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
    PROV_FN(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable_params),
    PROV_FN(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
    PROV_FN(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query),
    PROV_FN(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, reason_strings),
    PROV_FN(OSSL_FUNC_PROVIDER_GET_CAPABILITIES, prov_tls_capabilities),
    PROV_FN(OSSL_FUNC_PROVIDER_SELF_TEST, prov_self_test),
    PROV_FN_END
};

/* --- Start ------------------------------------------------------------------------------------ */

static void take_upcalls(prov_ctx *ctx, const OSSL_DISPATCH *in)
{
    for (; in->function_id; in++) switch (in->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS: ctx->get_params = OSSL_FUNC_core_get_params(in); break;
        case OSSL_FUNC_CORE_NEW_ERROR: ctx->new_error = OSSL_FUNC_core_new_error(in); break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
            ctx->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
            break;
        case OSSL_FUNC_CORE_VSET_ERROR: ctx->vset_error = OSSL_FUNC_core_vset_error(in); break;
        case OSSL_FUNC_CORE_OBJ_CREATE: ctx->obj_create = OSSL_FUNC_core_obj_create(in); break;
        case OSSL_FUNC_CORE_OBJ_ADD_SIGID:
            ctx->obj_add_sigid = OSSL_FUNC_core_obj_add_sigid(in);
            break;
        case OSSL_FUNC_BIO_READ_EX: ctx->bio_read = OSSL_FUNC_BIO_read_ex(in); break;
        case OSSL_FUNC_BIO_WRITE_EX: ctx->bio_write = OSSL_FUNC_BIO_write_ex(in); break;
        default: break;
        }
}

static unsigned version_of_core(const prov_ctx *ctx)
{
    const char *text = NULL;
    char *end;
    OSSL_PARAM ask[] = { { OSSL_PROV_PARAM_CORE_VERSION, OSSL_PARAM_UTF8_PTR, &text, sizeof text,
                           OSSL_PARAM_UNMODIFIED },
                         PROV_END };
    if (!ctx->get_params || !ctx->get_params(ctx->core, ask) || !text) return 0;
    unsigned long major = strtoul(text, &end, 10);
    unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    return major > 255 || minor > 255 ? PROV_OPENSSL(255, 255) : PROV_OPENSSL(major, minor);
}

/* Registers ML-DSA's object identifiers, by which certificates name their algorithms: before 3.5
 * libcrypto does not know them. */
static int name_objects(const prov_ctx *ctx)
{
    if (!ctx->obj_create || !ctx->obj_add_sigid) return 0;
    for (size_t i = 0; i < 3; i++) {
        const prov_mldsa_row *r = &prov_mldsa_rows[i];
        if (!ctx->obj_create(ctx->core, r->oid, r->short_name, r->name)
            || !ctx->obj_add_sigid(ctx->core, r->oid, "", r->oid))
            return prov_fail(ctx, PROV_FAILED,
                             "libcrypto refuses the object identifier of %s", r->name);
    }
    return 1;
}

__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *core,
                                                              const OSSL_DISPATCH *in,
                                                              const OSSL_DISPATCH **out,
                                                              void **provctx)
{
    prov_ctx *ctx = calloc(1, sizeof *ctx);
    if (!ctx) return 0;
    ctx->core = core;
    take_upcalls(ctx, in);
    ctx->version = version_of_core(ctx);
    if (ctx->version < PROV_OPENSSL(3, 0) || !ctx->bio_read || !ctx->bio_write)
        prov_fail(ctx, PROV_NOT_HERE,
                  "this libcrypto is not OpenSSL 3.0 or later; use the module with one that is");
    else if (name_objects(ctx)) {
        prov_counts_open(ctx);
        *out = functions;
        *provctx = ctx;
        return 1;
    }
    teardown(ctx);
    return 0;
}
