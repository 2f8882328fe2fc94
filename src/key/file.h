/* The outer layers of a key file, for keys of any algorithm: PEM, PKCS #12, and encryption under a
 * password. */
#ifndef TY_KEY_FILE_H
#define TY_KEY_FILE_H

#include "key/pem.h"

/* An opened file. der points into the file or into room; ty_wipe the whole object when done. */
typedef struct ty_key_file {
    const uint8_t *der;      /* the key, as unencrypted DER */
    size_t der_len;
    ty_key_coding coding;
    ty_key_form label;       /* the form that the PEM label names; not set for DER */
    int encrypted;
    ty_key_form form;        /* of an encrypted file; not set otherwise */
    uint8_t room[TY_PEM_DER_MAX];
} ty_key_file;

/* The form of the plaintext of an encrypted form; for a plain form, the form itself;
 * ty_key_form_none for a form that is only read, and for invalid values. */
#define ty_key_form_none ((ty_key_form)-1)
ty_key_form ty_key_inner(ty_key_form form);

/* Opens a key file, and decrypts it if necessary. Errors as ty_key_read; limits may be NULL. f has
 * to be wiped in any case. */
TY_MUST_CHECK ty_err ty_key_open(ty_key_file *f, const void *in, size_t in_len,
                                 const void *password, size_t password_len,
                                 const ty_key_limits *limits);

/* The result for a file whose key was decoded with the result err and found to have *form: only
 * PKCS #8 may be encrypted (and SEC 1 in OpenSSL's old format), noise after a wrong password is
 * TY_ERR_VERIFY, and the PEM label must match. *form becomes that of the file. */
TY_MUST_CHECK ty_err ty_key_judge(ty_err err, ty_key_form *form, const ty_key_file *f);

/* The password and cost of an encrypted file; not used if the form is not encrypted. */
typedef struct ty_key_lock {
    const void *password;
    size_t password_len;
    uint32_t iterations;
    const ty_rng *rng;
} ty_key_lock;

/* out = der[0..der_len), the key in DER, encrypted if form is an encrypted one, and as PEM if
 * coding says so. Errors as ty_key_write; der is overwritten and has to be wiped. The room at out
 * is checked before a key is derived or randomness is drawn. */
TY_MUST_CHECK ty_err ty_key_close(void *out, size_t *out_len,
                                  uint8_t der[TY_AT_LEAST(TY_PEM_DER_MAX)], size_t der_len,
                                  ty_key_form form, ty_key_coding coding, const ty_key_lock *lock);

#endif
