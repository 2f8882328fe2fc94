/* Capabilities for TLS 1.3: the group curveSM2 and the signature algorithms of ML-DSA and SM2.
 * libssl accepts such an entry only from the provider that holds the key. So a provider that offers
 * SM2 keys must list SM2 here, or certificates with SM2 keys cannot be used. */
#include "provider.h"

/* Code point, bits of security, versions (max 0: no limit; -1: not in DTLS). OSSL_PARAM's data is
 * not const, but libssl only reads it. */
typedef struct entry {
    unsigned code_point, bits;
    int min, max, min_dtls, max_dtls;
    unsigned is_kem;
} entry;

#define TLS13(code_point, bits) { code_point, bits, 0x0304, 0, -1, -1, 0 }
static const entry curvesm2 = TLS13(41, 128), mldsa44 = TLS13(0x0904, 128),
                   mldsa65 = TLS13(0x0905, 192), mldsa87 = TLS13(0x0906, 256),
                   sm2sig = TLS13(0x0708, 128);

#define TEXT(key, text) \
    { key, OSSL_PARAM_UTF8_STRING, (void *)(text), sizeof(text), OSSL_PARAM_UNMODIFIED }
#define NUMBER(key, field) \
    { key, OSSL_PARAM_UNSIGNED_INTEGER, (void *)&(field), sizeof(field), OSSL_PARAM_UNMODIFIED }
#define VERSION(key, field) \
    { key, OSSL_PARAM_INTEGER, (void *)&(field), sizeof(field), OSSL_PARAM_UNMODIFIED }

static const OSSL_PARAM group_curvesm2[] = {
    TEXT(OSSL_CAPABILITY_TLS_GROUP_NAME, "curveSM2"),
    TEXT(OSSL_CAPABILITY_TLS_GROUP_NAME_INTERNAL, "SM2"),
    TEXT(OSSL_CAPABILITY_TLS_GROUP_ALG, "curveSM2"),
    NUMBER(OSSL_CAPABILITY_TLS_GROUP_ID, curvesm2.code_point),
    NUMBER(OSSL_CAPABILITY_TLS_GROUP_SECURITY_BITS, curvesm2.bits),
    VERSION(OSSL_CAPABILITY_TLS_GROUP_MIN_TLS, curvesm2.min),
    VERSION(OSSL_CAPABILITY_TLS_GROUP_MAX_TLS, curvesm2.max),
    VERSION(OSSL_CAPABILITY_TLS_GROUP_MIN_DTLS, curvesm2.min_dtls),
    VERSION(OSSL_CAPABILITY_TLS_GROUP_MAX_DTLS, curvesm2.max_dtls),
    NUMBER(OSSL_CAPABILITY_TLS_GROUP_IS_KEM, curvesm2.is_kem),
    PROV_END
};

#define SIGALG(list, tls_name, name, oid, e)                                              \
    static const OSSL_PARAM list[] = { TEXT(LATER_TLS_SIGALG_IANA_NAME, tls_name),        \
                                       TEXT(LATER_TLS_SIGALG_NAME, name),                 \
                                       TEXT(LATER_TLS_SIGALG_OID, oid),                   \
                                       NUMBER(LATER_TLS_SIGALG_CODE_POINT, e.code_point), \
                                       NUMBER(LATER_TLS_SIGALG_SEC_BITS, e.bits),         \
                                       VERSION(LATER_TLS_SIGALG_MIN_TLS, e.min),          \
                                       VERSION(LATER_TLS_SIGALG_MAX_TLS, e.max),          \
                                       VERSION(LATER_TLS_SIGALG_MIN_DTLS, e.min_dtls),    \
                                       VERSION(LATER_TLS_SIGALG_MAX_DTLS, e.max_dtls),    \
                                       PROV_END };
SIGALG(sigalg_mldsa44, "mldsa44", "ML-DSA-44", "2.16.840.1.101.3.4.3.17", mldsa44)
SIGALG(sigalg_mldsa65, "mldsa65", "ML-DSA-65", "2.16.840.1.101.3.4.3.18", mldsa65)
SIGALG(sigalg_mldsa87, "mldsa87", "ML-DSA-87", "2.16.840.1.101.3.4.3.19", mldsa87)
SIGALG(sigalg_sm2, "sm2sig_sm3", "SM2", "1.2.156.10197.1.301", sm2sig)

int prov_tls_capabilities(void *ctx, const char *capability, OSSL_CALLBACK *callback, void *arg)
{
    static const OSSL_PARAM *const sigalgs[] = { sigalg_mldsa44, sigalg_mldsa65, sigalg_mldsa87,
                                                 sigalg_sm2 };
    (void)ctx;
    if (prov_same(capability, strlen(capability), "TLS-GROUP"))
        return callback(group_curvesm2, arg);
    if (!prov_same(capability, strlen(capability), LATER_TLS_SIGALG)) return 0;
    for (size_t i = 0; i < sizeof sigalgs / sizeof *sigalgs; i++)
        if (!callback(sigalgs[i], arg)) return 0;
    return 1;
}
