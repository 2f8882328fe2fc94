/* The integers, for mp.c and mp_functions.c. */
#ifndef TONGYU_PY_MP_H
#define TONGYU_PY_MP_H

#include "py.h"

/* An integer never changes once a caller has it: it may be shared by threads. */
typedef struct integer {
    PyObject_HEAD
    ty_mp v;
} integer;

/* An argument: the value of an Integer, or an int converted into `own`, which mp_release clears. */
typedef struct operand {
    const ty_mp *v;
    ty_mp own;
} operand;

/* mp_take: x = the value of o. 1, without an exception, if o is not a number; -1 with an exception.
 * An operand that is all zeros may be released. */
int mp_take(state *st, operand *x, PyObject *o);
/* mp_want: the same for the argument called `name`, which must be a number. -1 with TypeError */
int mp_want(state *st, operand *x, PyObject *o, const char *name);
void mp_release(operand *x, size_t n);
integer *mp_new(state *st);
/* mp_done: r; or NULL with the exception of err, and r is released. */
PyObject *mp_done(state *st, integer *r, ty_err err);
PyObject *mp_to_int(const ty_mp *v);

#endif
