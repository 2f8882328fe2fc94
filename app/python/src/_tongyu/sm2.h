/* The objects of SM2, for sm2.c and for the batches. */
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

/* take_id: the id, the default one where none was given.   -1 with an exception; release b in any
 * case */
int take_id(state *st, Py_buffer *b, PyObject *o, const uint8_t **id, size_t *len);
/* take_pub: the ty_sm2_pub of an SM2PublicKey, or NULL with TypeError. */
const ty_sm2_pub *take_sm2_pub(state *st, PyObject *o, const char *name);
PyObject *new_sm2_pub(state *st, const ty_sm2_pub *pub);
/* sig_bytes: raw r || s, or DER. */
PyObject *sm2_sig_bytes(const uint8_t sig[64], int raw);
extern const char *const sm2_sig_formats[]; /* "der", "raw" */

extern PyType_Spec sm2_kx_spec;
PyObject *sm2_key_exchange(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names);

#endif
