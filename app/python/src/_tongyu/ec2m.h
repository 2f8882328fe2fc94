/* The Python objects of binary curves, for the sources that implement them. */
#ifndef TONGYU_PY_EC2M_H
#define TONGYU_PY_EC2M_H

#include "py.h"

/* A curve of the library, or one that was set up in `any`. */
typedef struct curve {
    PyObject_HEAD
    const ty_ec_curve *curve;
    ty_ec_any any;
} curve;

/* Keys hold a reference to the curve's object, because they point into it. */
typedef struct ec_pub {
    PyObject_HEAD
    PyObject *curve;
    ty_ec_pub pub;
} ec_pub;

typedef struct ec_key {
    PyObject_HEAD
    PyObject *curve;
    ty_ec_key key;
} ec_key;

/* take_curve: the library's curve of a Curve. NULL with TypeError */
const ty_ec_curve *take_curve(state *st, PyObject *o);
/* wrap_curve: a new Curve for one of the library's. */
PyObject *wrap_curve(state *st, const ty_ec_curve *c);

extern PyType_Spec ec_curve_spec;
extern PyMethodDef ec_functions[];

/* Methods of keys that are in ec2m_sign.c. */
typedef PyObject *ec_method(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names);
ec_method ec_key_exchange, ec_key_sign, ec_key_sign_digest, ec_key_sign_dstu4145;
ec_method ec_pub_verify, ec_pub_verify_digest, ec_pub_verify_dstu4145;

#endif
