/* Tongyu: signed and encrypted messages, as GM/T 0010-2012 (GB/T 35275-2017) and the Cryptographic
 * Message Syntax (RFC 5652) define them, parsed in place. Strict: only DER is read, except that
 * SETs outside the signed parts may be in any order, because many writers do not sort them. Nothing
 * is verified or decrypted here; the source of the command `tongyu cms` shows how that is done
 * with the rest of the library. */
#ifndef TONGYU_CMS_H
#define TONGYU_CMS_H

#include "tongyu/cert.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum ty_cms_kind {
    TY_CMS_SIGNED = 1,
    TY_CMS_ENVELOPED = 2,
    TY_CMS_SIGNED_ENVELOPED = 3 /* both: only GM/T 0010 and PKCS #7 have it */
} ty_cms_kind;

/* A message that was read: all parts point into the input. */
typedef struct ty_cms {
    ty_cms_kind kind;
    int gm;   /* 1: identifiers of GM/T 0010; 0: those of RFC 5652 */
    int detached;                                 /* the content is somewhere else */
    ty_cert_part content_type;                    /* object identifier, without its tag */
    /* of a signed message the bytes that are signed, of others the ciphertext */
    ty_cert_part content;
    /* of the encryption: object identifier; parameters, whole */
    ty_cert_part cipher, parameters;
    ty_cert_part certificates, signers, recipients;   /* for the functions below */
} ty_cms;

/* The certificate of a signer or recipient, identified by its issuer (a Name, whole) and serial
 * number, or by the key identifier in it. The unused fields are empty. */
typedef struct ty_cms_whose {
    ty_cert_part issuer, serial, key_id;
} ty_cms_whose;

typedef struct ty_cms_signer {
    ty_cms_whose whose;
    /* object identifiers of the hash and of the signature */
    ty_cert_part digest, algorithm;
    ty_cert_part signature;
    /* whole; if not empty, the signature is over these bytes, the first of them replaced by 0x31,
     * instead of the content [RFC 5652, 5.4] */
    ty_cert_part attributes;
    ty_cert_part content_type, message_digest;    /* two of the attributes */
    char signing_time[TY_CERT_TIME];              /* a third, or "": as the signer claims */
} ty_cms_signer;

typedef struct ty_cms_recipient {
    ty_cms_whose whose;   /* empty: a kind of recipient without a certificate, such as a password */
    ty_cert_part algorithm, encrypted_key;
} ty_cms_recipient;

/* ty_cms_read: *m = the message, of one of the three kinds, whose DER is in[in_len], all of it.
 *   err    TY_ERR_FORMAT: in is not such a message
 *          TY_ERR_UNSUPPORTED: it begins like a message, but of another kind
 *          *where is the offset of the wrong or unknown element; *m is zeroed
 *   time   public     spec: [GM/T 0010-2012, 8 to 10] [RFC 5652, 3, 5, 6] [RFC 2315, 11] */
TY_API TY_MUST_CHECK ty_err ty_cms_read(ty_cms *m, size_t *where, const void *in, size_t in_len);

/* ty_cms_next_certificate, _signer, _recipient: take the next one from *rest, which is at first a
 * copy of the message's part of that name. result 1; 0 at the end */
TY_API int ty_cms_next_certificate(ty_cert_part *certificate, ty_cert_part *rest);
TY_API int ty_cms_next_signer(ty_cms_signer *signer, ty_cert_part *rest);
TY_API int ty_cms_next_recipient(ty_cms_recipient *recipient, ty_cert_part *rest);

/* ty_cms_is_of: 1 if *whose identifies *cert, else 0. */
TY_API int ty_cms_is_of(const ty_cms_whose *whose, const ty_cert *cert);

/* ty_cms_from_pem: out = the DER in the first block of the text whose label is CMS or PKCS7. As
 * ty_cert_from_pem. */
TY_API TY_MUST_CHECK ty_err ty_cms_from_pem(void *out, size_t *out_len, const void *in,
                                            size_t in_len);

#if defined(__cplusplus)
}
#endif
#endif
