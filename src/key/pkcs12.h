/* PKCS #12 (RFC 7292): finds the encrypted key in a file. Certificates are skipped, and the MAC is
 * not verified: damage is detected only by the key's padding, structure and public half. */
#ifndef TY_KEY_PKCS12_H
#define TY_KEY_PKCS12_H

#include "key/der.h"

/* 1 if the file begins like PKCS #12: SEQUENCE { version 3, SEQUENCE ... */
int ty_pkcs12_seems(const uint8_t *der, size_t der_len);

/* *bag: the EncryptedPrivateKeyInfo of the one shrouded key bag, whole.
 *   err    TY_ERR_FORMAT
 *          TY_ERR_UNSUPPORTED: no such bag outside of encrypted contents, or several */
TY_MUST_CHECK ty_err ty_pkcs12_find(ty_der *bag, const uint8_t *der, size_t der_len);

#endif
