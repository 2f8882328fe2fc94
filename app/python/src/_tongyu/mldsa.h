/* The Python objects of ML-DSA, for the sources that implement them and for the batches. */
#ifndef TONGYU_PY_MLDSA_H
#define TONGYU_PY_MLDSA_H

#include "py.h"

typedef struct mldsa_key {
    PyObject_HEAD
    ty_mldsa_key key;
} mldsa_key;

typedef struct mldsa_pub {
    PyObject_HEAD
    ty_mldsa_pub pub;
} mldsa_pub;

typedef struct mldsa_signer {
    PyObject_HEAD
    ty_mldsa_signer signer;
} mldsa_signer;

typedef struct mldsa_verifier {
    PyObject_HEAD
    ty_mldsa_verifier verifier;
} mldsa_verifier;

typedef struct mldsa_mu {
    PyObject_HEAD
    atomic_flag busy;
    ty_mldsa_mu mu;
} mldsa_mu;

/* The parameter sets in the order of their types in the state: T_MLDSA_KEY + i, T_MLDSA_PUB + i */
static const ty_mldsa_set mldsa_sets[3] = { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 };

static inline int mldsa_index(ty_mldsa_set set)
{
    return set == TY_MLDSA_44 ? 0 : set == TY_MLDSA_65 ? 1 : 2;
}

/* take_context: b = the context o, None or at most 255 bytes. 0, or -1 with an exception */
int take_context(state *st, Py_buffer *b, PyObject *o);
PyObject *new_mldsa_key(state *st, ty_mldsa_key *key, ty_err err);

/* Methods of keys, and the slots of the types of precomputed keys and of mu, all defined in
 * mldsa_sign.c. */
typedef PyObject *mldsa_method(PyObject *self, PyObject *const *args, Py_ssize_t n,
                               PyObject *names);
mldsa_method mldsa_key_sign, mldsa_key_sign_mu, mldsa_key_sign_prehashed, mldsa_pub_mu;
mldsa_method mldsa_pub_verify, mldsa_pub_verify_mu, mldsa_pub_verify_prehashed;
PyObject *mldsa_key_signer(PyObject *self, PyObject *unused);
PyObject *mldsa_pub_verifier(PyObject *self, PyObject *unused);
extern PyType_Slot mldsa_signer_slots[], mldsa_verifier_slots[], mldsa_mu_slots[];

#endif
