/* Names and numbers that OpenSSL added after 3.0, the version whose headers the provider is built
 * with. A libcrypto that does not know one never asks for it and ignores it in a table. "First in"
 * is the version where it first appears. */
#ifndef TONGYU_PROVIDER_LATER_H
#define TONGYU_PROVIDER_LATER_H

/* Functions of dispatch tables                                          first in */
#define LATER_DIGEST_SERIALIZE                16                       /* 4.0 */
#define LATER_DIGEST_DESERIALIZE              17                       /* 4.0 */
#define LATER_CIPHER_PIPELINE_ENCRYPT_INIT    15                       /* 3.5 */
#define LATER_CIPHER_PIPELINE_DECRYPT_INIT    16                       /* 3.5 */
#define LATER_CIPHER_PIPELINE_UPDATE          17                       /* 3.5 */
#define LATER_CIPHER_PIPELINE_FINAL           18                       /* 3.5 */
#define LATER_SIGNATURE_SIGN_MESSAGE_INIT     27                       /* 3.4 */
#define LATER_SIGNATURE_SIGN_MESSAGE_UPDATE   28                       /* 3.4 */
#define LATER_SIGNATURE_SIGN_MESSAGE_FINAL    29                       /* 3.4 */
#define LATER_SIGNATURE_VERIFY_MESSAGE_INIT   30                       /* 3.4 */
#define LATER_SIGNATURE_VERIFY_MESSAGE_UPDATE 31                       /* 3.4 */
#define LATER_SIGNATURE_VERIFY_MESSAGE_FINAL  32                       /* 3.4 */

/* Parameters */
#define LATER_CIPHER_XTS_STANDARD             "xts_standard"           /* 3.2 */
#define LATER_CIPHER_PIPELINE_TAG             "pipeline-tag"           /* 3.5 */
#define LATER_CIPHER_IV_GENERATED             "iv-generated"           /* 3.4 */
#define LATER_PKEY_SEED                       "seed"                   /* 3.5 */
#define LATER_PKEY_SECURITY_CATEGORY          "security-category"      /* 3.6 */
#define LATER_PKEY_FIELD_DEGREE               "field-degree"           /* 4.0 */
#define LATER_SIGNATURE_CONTEXT_STRING        "context-string"         /* 3.2 */
#define LATER_SIGNATURE_DETERMINISTIC         "deterministic"          /* 3.5 */
#define LATER_SIGNATURE_MESSAGE_ENCODING      "message-encoding"       /* 3.5 */
#define LATER_SIGNATURE_MU                    "mu"                     /* 3.5 */
#define LATER_SIGNATURE_SIGNATURE             "signature"              /* 3.4 */
#define LATER_SIGNATURE_TEST_ENTROPY          "test-entropy"           /* 3.5 */
#define LATER_SIGNATURE_TLS_VERSION           "tls-version"            /* 4.0 */

/* Capabilities; TLS-GROUP is in 3.0 */
#define LATER_TLS_SIGALG                      "TLS-SIGALG"             /* 3.2 */
#define LATER_TLS_SIGALG_IANA_NAME            "tls-sigalg-iana-name"   /* 3.2 */
#define LATER_TLS_SIGALG_NAME                 "tls-sigalg-name"        /* 3.2 */
#define LATER_TLS_SIGALG_OID                  "tls-sigalg-oid"         /* 3.2 */
#define LATER_TLS_SIGALG_CODE_POINT           "tls-sigalg-code-point"  /* 3.2 */
#define LATER_TLS_SIGALG_SEC_BITS             "tls-sigalg-sec-bits"    /* 3.2 */
#define LATER_TLS_SIGALG_MIN_TLS              "tls-min-tls"            /* 3.2 */
#define LATER_TLS_SIGALG_MAX_TLS              "tls-max-tls"            /* 3.2 */
#define LATER_TLS_SIGALG_MIN_DTLS             "tls-min-dtls"           /* 3.2 */
#define LATER_TLS_SIGALG_MAX_DTLS             "tls-max-dtls"           /* 3.2 */

#endif
