/* What the provider counts, and the format of its file of statistics: for the provider and for
 * programs that read the file. */
#ifndef TONGYU_PROVIDER_COUNTED_H
#define TONGYU_PROVIDER_COUNTED_H

#include <stdint.h>

/* The operations that are counted, and their names in parameters and in files of statistics. */
#define PROV_COUNTS(X)                                                                             \
    X(SM3_CONTEXT, "sm3-context")                                                                  \
    X(SM4_ENCRYPT_KEY, "sm4-encrypt-key") X(SM4_DECRYPT_KEY, "sm4-decrypt-key")                    \
    X(SM2_KEYGEN, "sm2-keygen") X(SM2_SIGN, "sm2-sign") X(SM2_VERIFY, "sm2-verify")                \
    X(SM2_TLS_ID, "sm2-tls-id") X(SM2_ENCRYPT, "sm2-encrypt") X(SM2_DECRYPT, "sm2-decrypt")        \
    X(CURVESM2_DERIVE, "curvesm2-derive")                                                          \
    X(MLDSA_KEYGEN, "mldsa-keygen") X(MLDSA_SIGN, "mldsa-sign") X(MLDSA_VERIFY, "mldsa-verify")    \
    X(KEY_ENCODE, "key-encode") X(KEY_DECODE, "key-decode")

#define PROV_COUNT_ENUM(id, name) PROV_##id,
typedef enum prov_count { PROV_COUNTS(PROV_COUNT_ENUM) PROV_COUNT_END } prov_count;
#undef PROV_COUNT_ENUM

/* One row of a file of statistics, which other programs read: a name, padded with zeros, and a
 * number in native order. The file has PROV_COUNT_END of them. */
typedef struct prov_count_row {
    char name[24];
    uint64_t count;
} prov_count_row;

#endif
