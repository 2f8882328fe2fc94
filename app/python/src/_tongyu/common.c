/* Arguments, buffers, errors and objects, as declared in py.h. */
#include "py.h"
#include <sched.h>
#include <stdarg.h>
#include <string.h>

/* --- Objects --- */

int add_type(PyObject *module, int place, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (!type) return -1;
    state_of_module(module)->type[place] = (PyTypeObject *)type; /* the state owns it */
    return PyModule_AddType(module, (PyTypeObject *)type);
}

void *new_object(state *st, int place) { return PyType_GenericAlloc(st->type[place], 0); }

void free_object(void *object)
{
    PyTypeObject *type = Py_TYPE((PyObject *)object);
    freefunc free_memory = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_memory(object);
    Py_DECREF(type);
}

PyObject *no_pickle(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    PyErr_SetString(PyExc_TypeError,
                    "secrets are not pickled; a key is written by private_bytes(password=...)");
    return NULL;
}

PyObject *generate_key(PyObject *cls, PyObject *unused)
{
    (void)unused;
    uint8_t key[16];
    const ty_rng *rng = ty_rng_system();
    ty_err err = rng->fill(rng->ctx, key, sizeof key);
    if (err) return fail(PyType_GetModuleState((PyTypeObject *)cls), err, NULL, NULL);
    PyObject *bytes = PyBytes_FromStringAndSize((const char *)key, sizeof key);
    ty_wipe(key, sizeof key);
    return bytes;
}

/* --- Arguments --- */

static int place_of(const signature *sig, PyObject *name)
{
    for (int i = 0; sig->names[i]; i++)
        if (PyUnicode_CompareWithASCIIString(name, sig->names[i]) == 0) return i;
    return -1;
}

static int put_named(PyObject **out, const signature *sig, PyObject *name, PyObject *value)
{
    int i = place_of(sig, name);
    if (i < 0) {
        PyErr_Format(PyExc_TypeError, "%s() has no parameter named %R", sig->call, name);
        return -1;
    }
    if (out[i]) {
        PyErr_Format(PyExc_TypeError, "%s() was given '%s' twice", sig->call, sig->names[i]);
        return -1;
    }
    out[i] = value;
    return 0;
}

static int put_positional(PyObject **out, const signature *sig, PyObject *const *args, Py_ssize_t n)
{
    if (n > sig->positional) {
        PyErr_Format(PyExc_TypeError,
                     "%s() takes at most %d arguments without a name, and was given %zd", sig->call,
                     sig->positional, n);
        return -1;
    }
    for (int i = 0; i <= MAX_ARGS; i++) out[i] = i < n ? args[i] : NULL;
    return 0;
}

static int all_there(PyObject *const *out, const signature *sig)
{
    for (int i = 0; i < sig->required; i++)
        if (!out[i]) {
            PyErr_Format(PyExc_TypeError, "%s() is missing the argument '%s'", sig->call,
                         sig->names[i]);
            return -1;
        }
    return 0;
}

int take_args(PyObject **out, const signature *sig, PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames)
{
    if (put_positional(out, sig, args, nargs)) return -1;
    Py_ssize_t n = kwnames ? PyTuple_Size(kwnames) : 0;
    for (Py_ssize_t i = 0; i < n; i++)
        if (put_named(out, sig, PyTuple_GetItem(kwnames, i), args[nargs + i])) return -1;
    return all_there(out, sig);
}

int take_tuple(PyObject **out, const signature *sig, PyObject *args, PyObject *kwargs)
{
    PyObject *list[MAX_ARGS + 1], *name, *value;
    Py_ssize_t n = PyTuple_Size(args), at = 0;
    for (Py_ssize_t i = 0; i < n && i <= MAX_ARGS; i++) list[i] = PyTuple_GetItem(args, i);
    if (put_positional(out, sig, list, n)) return -1;
    while (kwargs && PyDict_Next(kwargs, &at, &name, &value))
        if (put_named(out, sig, name, value)) return -1;
    return all_there(out, sig);
}

static int not_one_of(const char *name, PyObject *o, const char *const *choices)
{
    PyObject *list = PyUnicode_FromString(""), *next;
    for (int i = 0; list && choices[i]; i++, list = next) {
        next = PyUnicode_FromFormat("%U%s'%s'", list, i ? ", " : "", choices[i]);
        Py_DECREF(list);
    }
    if (list) PyErr_Format(PyExc_ValueError, "%s: %R is not one of %U", name, o, list);
    Py_XDECREF(list);
    return -1;
}

int take_choice(PyObject *o, const char *name, const char *const *choices, int fallback)
{
    if (!given(o)) return fallback;
    if (!PyUnicode_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s must be a string", name);
        return -1;
    }
    for (int i = 0; choices[i]; i++)
        if (PyUnicode_CompareWithASCIIString(o, choices[i]) == 0) return i;
    return not_one_of(name, o, choices);
}

int take_size(size_t *out, PyObject *o, const char *name, size_t low, size_t high, size_t fallback)
{
    *out = fallback;
    if (!given(o)) return 0;
    if (!PyLong_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s must be an integer", name);
        return -1;
    }
    size_t n = PyLong_AsSize_t(o);
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return -1;
        PyErr_Clear();
    } else if (n >= low && n <= high) {
        *out = n;
        return 0;
    }
    PyErr_Format(PyExc_ValueError, "%s must be from %zu to %zu", name, low, high);
    return -1;
}

int want_size(size_t *out, PyObject *o, const char *name, size_t low, size_t high)
{
    if (given(o)) return take_size(out, o, name, low, high, 0);
    PyErr_Format(PyExc_TypeError, "%s must be an integer", name);
    return -1;
}

int int_size(size_t *size, PyObject *o)
{
    PyObject *exact = PyNumber_Index(o), /* an int itself: no method of a subclass is called */
        *bits = exact ? PyObject_CallMethod(exact, "bit_length", NULL) : NULL;
    if (bits) *size = PyLong_AsSize_t(bits) / 8 + (PyLong_AsSize_t(bits) % 8 != 0);
    Py_XDECREF(exact);
    Py_XDECREF(bits);
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *int_bytes(PyObject *o, size_t len, const char *order)
{
    PyObject *exact = PyNumber_Index(o),
             *bytes = exact ? PyObject_CallMethod(exact, "to_bytes", "ns", (Py_ssize_t)len, order)
                            : NULL;
    Py_XDECREF(exact);
    if (!bytes || (PyBytes_CheckExact(bytes) && (size_t)PyBytes_Size(bytes) == len)) return bytes;
    Py_DECREF(bytes);
    PyErr_SetString(PyExc_SystemError, "int.to_bytes did not return the bytes asked for");
    return NULL;
}

int int_secret(state *st, uint8_t *d, size_t len, PyObject *o, const char *hint)
{
    PyObject *bytes = int_bytes(o, len, "big");
    if (!bytes) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return -1;
        PyErr_Clear();
        fail(st, TY_ERR_KEY, NULL, hint);
        return -1;
    }
    char *p = PyBytes_AsString(bytes);
    memcpy(d, p, len);
    if (Py_REFCNT(bytes) == 1) ty_wipe(p, len); /* else of at most one byte, and shared by Python */
    Py_DECREF(bytes);
    return 0;
}

/* __bool__ may be Python code, which must not run while an exception is set. */
int take_flag(PyObject *o, int fallback)
{
    if (PyErr_Occurred()) return -1;
    return o ? PyObject_IsTrue(o) : fallback;
}

/* --- Buffers --- */

/* Replaces the exception of a failed request for a buffer with one that says what to do. */
static int no_buffer(state *st, PyObject *o, const char *name)
{
    if (PyErr_ExceptionMatches(PyExc_MemoryError)) return -1;
    PyErr_Clear();
    if (PyUnicode_Check(o))
        PyErr_Format(st->text_error,
                     "%s is text where bytes belong: encode it first, as in text.encode()", name);
    else if (!PyObject_CheckBuffer(o))
        PyErr_Format(PyExc_TypeError, "%s must be bytes-like, not %R", name, Py_TYPE(o));
    else
        PyErr_Format(PyExc_BufferError,
                     "%s must be contiguous in memory: copy it, as in bytes(%s)", name, name);
    return -1;
}

int take_in(state *st, Py_buffer *b, PyObject *o, const char *name)
{
    if (PyBytes_CheckExact(o)) { /* immutable, and the caller's for as long as the call lasts */
        b->buf = PyBytes_AsString(o);
        b->len = PyBytes_Size(o);
        return 0;
    }
    return PyObject_GetBuffer(o, b, PyBUF_SIMPLE) ? no_buffer(st, o, name) : 0;
}

int take_opt(state *st, Py_buffer *b, PyObject *o, const char *name)
{
    return given(o) ? take_in(st, b, o, name) : 0;
}

int take_exact(state *st, Py_buffer *b, PyObject *o, const char *name, size_t len)
{
    if (take_in(st, b, o, name)) return -1;
    if ((size_t)b->len == len) return 0;
    refuse(st, "%s must have %zu bytes, and has %zd", name, len, b->len);
    return -1;
}

int take_out(state *st, Py_buffer *b, PyObject *o, const char *name, size_t len)
{
    if (PyObject_GetBuffer(o, b, PyBUF_WRITABLE)) {
        if (PyErr_ExceptionMatches(PyExc_MemoryError)) return -1;
        PyErr_Clear();
        Py_buffer any;
        if (PyObject_GetBuffer(o, &any, PyBUF_SIMPLE)) return no_buffer(st, o, name);
        PyBuffer_Release(&any);
        PyErr_Format(PyExc_BufferError,
                     "%s is read-only: pass a bytearray or another writable buffer", name);
        return -1;
    }
    if ((size_t)b->len >= len) return 0;
    refuse(st, "%s needs %zu bytes, and has %zd", name, len, b->len);
    return -1;
}

void release(Py_buffer *b, size_t n)
{
    while (n-- > 0)
        if (b[n].obj) PyBuffer_Release(&b[n]);
}

int apart(const void *a, size_t a_len, const Py_buffer *b)
{
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b->buf;
    return a_len == 0 || b->len == 0 || x + a_len <= y || y + (size_t)b->len <= x;
}

PyObject *new_bytes(uint8_t **out, size_t len)
{
    if (len > (size_t)PY_SSIZE_T_MAX) return PyErr_NoMemory();
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)len);
    *out = bytes ? (uint8_t *)PyBytes_AsString(bytes) : NULL;
    return bytes;
}

PyObject *shrunk(PyObject *bytes, size_t len)
{
    if (!bytes || (size_t)PyBytes_Size(bytes) == len) return bytes;
    PyObject *part = PyBytes_FromStringAndSize(PyBytes_AsString(bytes), (Py_ssize_t)len);
    Py_DECREF(bytes);
    return part;
}

/* --- Errors --- */

static const char *usual_hint(ty_err err)
{
    switch (err) {
    case TY_ERR_VERIFY:
        return "the data was altered, or the key is wrong; do not use the data";
    case TY_ERR_RNG:
        return "check that the operating system gives random bytes";
    case TY_ERR_FORMAT:
        return "check that it is complete and in the format asked for";
    case TY_ERR_KEY:
        return "use another key";
    case TY_ERR_FAULT:
        return "nothing was revealed; try again on another machine";
    case TY_ERR_STATE:
        return "use a fresh object";
    case TY_ERR_NO_INVERSE:
        return "use a number that is coprime to the modulus";
    case TY_ERR_UNSUPPORTED:
        return "convert it first";
    default:
        return "see the lengths and ranges in the documentation of this call";
    }
}

static PyObject *exception_of(state *st, ty_err err, PyObject *verify)
{
    switch (err) {
    case TY_ERR_VERIFY:
        return verify ? verify : st->invalid_signature;
    case TY_ERR_RNG:
        return st->random_error;
    case TY_ERR_FORMAT:
        return st->format_error;
    case TY_ERR_KEY:
        return st->invalid_key;
    case TY_ERR_FAULT:
        return PyExc_RuntimeError;
    default:
        return st->error;
    }
}

PyObject *fail(state *st, ty_err err, PyObject *verify, const char *hint)
{
    if (err == TY_ERR_MEM) return PyErr_NoMemory();
    return PyErr_Format(exception_of(st, err, verify), "%s: %s", ty_err_text(err),
                        hint ? hint : usual_hint(err));
}

PyObject *refuse(state *st, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    PyErr_FormatV(st->error, format, rest);
    va_end(rest);
    return NULL;
}

/* --- Threads --- */

void lock(atomic_flag *busy)
{
    if (!atomic_flag_test_and_set_explicit(busy, memory_order_acquire)) return;
    PyThreadState *gil = PyEval_SaveThread();
    while (atomic_flag_test_and_set_explicit(busy, memory_order_acquire)) sched_yield();
    PyEval_RestoreThread(gil);
}
