/* PKCS #12 (RFC 7292): where in it the encrypted key is. Its certificates are passed over, and its
 * MAC is not examined: what the key's padding, structure and public half do not tell, stays
 * untold. */
#ifndef TY_KEY_PKCS12_H
#define TY_KEY_PKCS12_H

#include "key/der.h"

/* SEQUENCE { version 3, SEQUENCE ... */
int ty_pkcs12_seems(const uint8_t *der, size_t der_len);

/* *bag: the EncryptedPrivateKeyInfo of the one shrouded key bag, tag and all.
 *   err    TY_ERR_FORMAT
 *          TY_ERR_UNSUPPORTED: no such bag that is not itself encrypted, or several */
TY_MUST_CHECK ty_err ty_pkcs12_find(ty_der *bag, const uint8_t *der, size_t der_len);

#endif
