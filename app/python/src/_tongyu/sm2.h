/* The Python objects of SM2, for the sources that implement them and for the batches. */
#ifndef TONGYU_PY_SM2_H
#define TONGYU_PY_SM2_H

#include "py.h"

typedef struct sm2_key {
    PyObject_HEAD
    ty_sm2_signer signer; /* the key, and the hash of the default id */
} sm2_key;

typedef struct sm2_pub {
    PyObject_HEAD
    ty_sm2_pub pub;
} sm2_pub;

/* take_id: the id o, or the default one where none was given. The caller releases b in any case.
 * -1 with an exception */
int take_id(state *st, Py_buffer *b, PyObject *o, const uint8_t **id, size_t *len);
/* take_sm2_pub: the ty_sm2_pub of an SM2PublicKey, or NULL with TypeError. */
const ty_sm2_pub *take_sm2_pub(state *st, PyObject *o, const char *name);
PyObject *new_sm2_pub(state *st, const ty_sm2_pub *pub);
/* sm2_sig_bytes: a bytes object of the signature, r || s where raw is 1, else DER. */
PyObject *sm2_sig_bytes(const uint8_t sig[64], int raw);
extern const char *const sm2_sig_formats[]; /* "der", "raw" */

/* sm2_read_file: key = the key in a file, as read_key_file reads it. 0, and the caller wipes the
 * key; or -1 with an exception */
int sm2_read_file(state *st, ty_key *key, PyObject *data, PyObject *password, ty_key_coding coding,
                  int private_key);
enum { C1C3C2, C1C2C3, CT_DER }; /* indices into sm2_ct_formats */
extern const char *const sm2_ct_formats[];

extern PyType_Spec sm2_pub_spec, sm2_verifier_spec, sm2_kx_spec;
PyObject *sm2_key_exchange(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names);

#endif
