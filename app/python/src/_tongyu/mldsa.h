/* The objects of ML-DSA, for mldsa.c and for the batches. */
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

/* The three parameter sets by their place in the state: T_MLDSA_KEY + i, T_MLDSA_PUB + i. */
static const ty_mldsa_set mldsa_sets[3] = { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 };

static inline int mldsa_index(ty_mldsa_set set)
{
    return set == TY_MLDSA_44 ? 0 : set == TY_MLDSA_65 ? 1 : 2;
}

/* take_context: at most 255 bytes.   -1 with an exception */
int take_context(state *st, Py_buffer *b, PyObject *o);
PyObject *new_mldsa_key(state *st, ty_mldsa_key *key, ty_err err);

#endif
