/* PEM (RFC 7468): DER in base64 between two labelled lines. Constant time in the DER, which may be
 * a private key. Line ends, line lengths, labels, and the text before and after are public. */
#ifndef TY_KEY_PEM_H
#define TY_KEY_PEM_H

#include "key/pbes2.h"

/* bytes of the longest DER: ML-DSA-87's seed and expanded key, encrypted */
#define TY_PEM_DER_MAX 5168

/* The first block in the text that holds a key: *form from its label (TY_KEY_SEC1_OPENSSL if
 * Proc-Type and DEK-Info lines follow it), der[0..*der_len) from its body. Text before and after,
 * other blocks, any line length, CR LF, LF and CR are accepted; padding and its spare bits must be
 * as RFC 4648 says.
 *   err    TY_ERR_FORMAT
 *          TY_ERR_UNSUPPORTED: there are blocks, but none holds a key; other headers before the
 *          body; or a body that is too long
 *          der may hold a part of the key even then: wipe it */
TY_MUST_CHECK ty_err ty_pem_read(uint8_t der[TY_AT_LEAST(TY_PEM_DER_MAX)], size_t *der_len,
                                 ty_key_form *form, const uint8_t *text, size_t text_len);

/* The encryption of a key of form TY_KEY_SEC1_OPENSSL, from "DEK-Info: AES-256-CBC,<IV as 32
 * digits>".
 *   err    TY_ERR_FORMAT     TY_ERR_UNSUPPORTED: another cipher */
typedef struct ty_pem_dek {
    ty_pbes2_cipher cipher;
    uint8_t iv[16];
} ty_pem_dek;
TY_MUST_CHECK ty_err ty_pem_read_dek(ty_pem_dek *dek, const uint8_t *text, size_t text_len);

/* out = the DER in the first block whose label is one of these names; *out_len: the room at out,
 * on return the bytes written. All of it is public.
 *   err    TY_ERR_FORMAT: also if there is no such block
 *          TY_ERR_UNSUPPORTED: a header before the body     TY_ERR_SIZE: too little room */
TY_MUST_CHECK ty_err ty_pem_read_any(uint8_t *out, size_t *out_len, const char *const *names,
                                     size_t count, const uint8_t *text, size_t text_len);

/* ty_pem_size: the length of a PEM block. ty_pem_write: writes it, with lines of 64 characters,
 * each ended by LF.
 *   in     form: TY_KEY_PKCS8, TY_KEY_PKCS8_PBES2, TY_KEY_SEC1 or TY_KEY_SPKI */
size_t ty_pem_size(ty_key_form form, size_t der_len);
void ty_pem_write(uint8_t *text, ty_key_form form, const uint8_t *der, size_t der_len);

#endif
