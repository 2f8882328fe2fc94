/* Tongyu: X.509 certificates (RFC 5280) and PKCS #10 requests (RFC 2986) as carriers of public
 * keys. Strict: only DER is read. The functions return the fields, among them the key; no
 * signature, path, name or date is checked here. */
#ifndef TONGYU_CERT_H
#define TONGYU_CERT_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A part of the DER that was read, which must remain in memory while the part is used. A part that
 * is called whole below includes its tag and length. */
typedef struct ty_cert_part {
    const uint8_t *p;
    size_t len;
} ty_cert_part;

#define TY_CERT_TIME 21   /* "2026-01-31T23:59:59Z" and a zero */

typedef struct ty_cert {
    /* 1: a request, which has no issuer, serial number or dates; 0: a certificate */
    int request;
    unsigned version;                                    /* 1, 2 or 3 */
    /* SubjectPublicKeyInfo, whole: for ty_key_read and the like */
    ty_cert_part key;
    ty_cert_part subject, issuer;                        /* Name, whole: for ty_cert_name_text */
    ty_cert_part serial;                                 /* big-endian, two's complement */
    /* of the signature: object identifier, without its tag; parameters, whole */
    ty_cert_part algorithm, parameters;
    ty_cert_part message, signature;                     /* the signed part, whole; the signature */
    /* SEQUENCE OF Extension, or a request's attributes; may be empty */
    ty_cert_part extensions;
    char not_before[TY_CERT_TIME], not_after[TY_CERT_TIME];
} ty_cert;

/* ty_cert_read: *cert = the certificate or request whose DER is in[in_len], all of it.
 * No extension may occur twice, and there may be at most 256. Dates before 2050 should be UTCTime;
 * GeneralizedTime is accepted too, as RFC 5280 demands of readers.
 *   err    TY_ERR_FORMAT: it is neither, and *where is the offset of the error; *cert is zeroed
 *   time   public     spec: [RFC 5280, 4.1] [RFC 2986, 4] [X.690, 10 and 11] */
TY_API TY_MUST_CHECK ty_err ty_cert_read(ty_cert *cert, size_t *where, const void *in,
                                         size_t in_len);

/* ty_cert_from_pem: out = the DER in the first block of the text whose label is CERTIFICATE, X509
 * CERTIFICATE, CERTIFICATE REQUEST or NEW CERTIFICATE REQUEST.
 *   in     *out_len: the room at out; in_len is always enough. On return the bytes written
 *   err    TY_ERR_FORMAT: no such block, or its base64 is broken
 *          TY_ERR_UNSUPPORTED: the block has a header, a line with a colon
 *          TY_ERR_SIZE: too little room
 *          in all cases out may hold a part of the DER */
TY_API TY_MUST_CHECK ty_err ty_cert_from_pem(void *out, size_t *out_len, const void *in,
                                             size_t in_len);

/* ty_cert_extension: the value, without the OCTET STRING around it, of the extension of a
 * certificate, or of one that a request asks for, whose object identifier, without its tag, is
 * id[id_len].
 *   result   an empty part: there is no such extension */
TY_API ty_cert_part ty_cert_extension(const ty_cert *cert, const void *id, size_t id_len);

/* ty_cert_name_text: a Name as text, "C=CN, O=Example, CN=Alice", in UTF-8 and with a zero at its
 * end. Separators, and characters that a terminal might act on, are escaped: "\,", "\0A".
 * ty_cert_oid_text: an object identifier, "1.2.156.10197.1.501".
 *   result the length of the text; if that is more than room - 1, only its beginning is written.
 *   room > 0 */
TY_API size_t ty_cert_name_text(char *out, size_t room, const ty_cert_part *name);
TY_API size_t ty_cert_oid_text(char *out, size_t room, const ty_cert_part *oid);

#if defined(__cplusplus)
}
#endif
#endif
