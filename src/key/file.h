/* What is around a key in a file, whichever algorithm it is for: PEM, PKCS #12, and encryption
 * under a password. */
#ifndef TY_KEY_FILE_H
#define TY_KEY_FILE_H

#include "key/pem.h"

/* A file that has been opened. der points into the file or into room; ty_wipe the whole when
 * done. */
typedef struct ty_key_file {
    const uint8_t *der;      /* the key, neither PEM nor encrypted any more */
    size_t der_len;
    ty_key_coding coding;
    ty_key_form label;       /* of PEM, as ty_key_label; not set for DER */
    int encrypted;
    ty_key_form form;        /* of an encrypted one */
    uint8_t room[TY_PEM_DER_MAX];
} ty_key_file;

/* What is written when a key is written in this form: what is encrypted, or the form itself;
 * ty_key_form_none of a form that is only read, or none. */
#define ty_key_form_none ((ty_key_form)-1)
ty_key_form ty_key_inner(ty_key_form form);

/* Errors as ty_key_read; limits may be NULL. The file has to be wiped in any case. */
TY_MUST_CHECK ty_err ty_key_open(ty_key_file *f, const void *in, size_t in_len,
                                 const void *password, size_t password_len,
                                 const ty_key_limits *limits);

/* The verdict on a file whose inside was decoded with the result err and turned out to have *form:
 * PKCS#8 alone may be encrypted (and SEC 1 in the way of old), noise from a wrong password is not a
 * key, a label must tell the truth. *form becomes that of the file. */
TY_MUST_CHECK ty_err ty_key_judge(ty_err err, ty_key_form *form, const ty_key_file *f);

/* Who may read what is written, and at which price; not examined unless form is an encrypted
 * one. */
typedef struct ty_key_lock {
    const void *password;
    size_t password_len;
    uint32_t iterations;
    const ty_rng *rng;
} ty_key_lock;

/* out = der[*der_len), the key in DER, encrypted and as PEM where that is asked for. Errors as
 * ty_key_write; der is used up and has to be wiped. Nothing is derived or drawn before there is
 * room at out. */
TY_MUST_CHECK ty_err ty_key_close(void *out, size_t *out_len,
                                  uint8_t der[TY_AT_LEAST(TY_PEM_DER_MAX)], size_t der_len,
                                  ty_key_form form, ty_key_coding coding, const ty_key_lock *lock);

#endif
