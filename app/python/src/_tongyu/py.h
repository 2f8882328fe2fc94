/* What the files of the C module share: its state, arguments, buffers, errors, the GIL. They use
 * only Tongyu's public headers and the limited API of Python 3.11. No file here has global state:
 * all state is in the module object. */
#ifndef TONGYU_PY_H
#define TONGYU_PY_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include <tongyu/tongyu.h>

/* The types of the module: indices into state.type. */
enum {
    T_HASH,
    T_XOF,
    T_HMAC,
    T_CMAC,
    T_GCM,
    T_CCM,
    T_OCB,
    T_GCM_SIV,
    T_MODE,
    T_STREAM,
    T_SM2_KEY,
    T_SM2_PUB,
    T_SM2_VERIFIER,
    T_SM2_KX,
    T_MLDSA_KEY,
    T_MLDSA_PUB = T_MLDSA_KEY + 3,
    T_MLDSA_SIGNER = T_MLDSA_PUB + 3,
    T_MLDSA_VERIFIER,
    T_MLDSA_MU,
    T_CURVE,
    T_EC_KEY,
    T_EC_PUB,
    T_INTEGER,
    TYPES
};

/* The exceptions come first: module.c visits them as an array that ends where type begins. */
typedef struct state {
    PyObject *error, *invalid_signature, *invalid_tag, *invalid_key, *format_error, *random_error,
        *text_error;
    PyTypeObject *type[TYPES];
} state;

static inline state *state_of(PyObject *self) { return PyType_GetModuleState(Py_TYPE(self)); }
static inline state *state_of_module(PyObject *module) { return PyModule_GetState(module); }
static inline state *state_of_class(PyObject *cls)
{
    return PyType_GetModuleState((PyTypeObject *)cls);
}

/* --- Families: each adds its types and functions to the module; -1 with an exception --- */

int add_hash(PyObject *module);
int add_kdf(PyObject *module);
int add_mac(PyObject *module);
int add_aead(PyObject *module);
int add_modes(PyObject *module);
int add_sm2(PyObject *module);
int add_mldsa(PyObject *module);
int add_ec2m(PyObject *module);
int add_mp(PyObject *module);
int add_mp_functions(PyObject *module);
int add_many(PyObject *module);
int add_many_mldsa(PyObject *module);
int add_columns(PyObject *module);

/* add_type: makes the type of spec, keeps it in state.type[place], and adds it to the module.
 * -1 with an exception */
int add_type(PyObject *module, int place, PyType_Spec *spec);
/* new_object: a zeroed object of state.type[place]; NULL with MemoryError. */
void *new_object(state *st, int place);
/* free_object: the end of every dealloc: frees the object and releases its type. */
void free_object(void *object);
static inline void plain_dealloc(PyObject *self) { free_object(self); }
/* The flags of types whose objects come from class methods and from other objects. */
#define MADE_BY_METHODS                                                                            \
    (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE)
/* no_pickle: __reduce__ of everything secret. */
PyObject *no_pickle(PyObject *self, PyObject *unused);
#define NO_PICKLE                                                                                  \
    { "__reduce__", no_pickle, METH_NOARGS, "Raises TypeError: secrets are not pickled." }
/* generate_key: the classmethod of types that take a key of 16 bytes. */
PyObject *generate_key(PyObject *cls, PyObject *unused);

/* --- Arguments --- */

#define MAX_ARGS 9

/* The parameters of a call: the first `required` must be given, the first `positional` may be given
 * without their names. */
typedef struct signature {
    const char *call;
    int required, positional;
    const char *names[MAX_ARGS + 1];
} signature;

#define FAST               (METH_FASTCALL | METH_KEYWORDS)
#define CLASS              (FAST | METH_CLASS)
#define FASTCALL(function) ((PyCFunction)(void (*)(void))(function))

/* take_args: out[i] = the argument names[i], borrowed, or NULL if it was not given.
 * -1 with TypeError */
int take_args(PyObject **out, const signature *sig, PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames);
/* take_tuple: the same for a tp_new. */
int take_tuple(PyObject **out, const signature *sig, PyObject *args, PyObject *kwargs);

/* given: neither absent nor None. */
static inline int given(PyObject *o) { return o && o != Py_None; }

/* take_choice: the index of the string o in choices (ended by NULL), fallback if it was not given.
 * -1 with an exception */
int take_choice(PyObject *o, const char *name, const char *const *choices, int fallback);
/* take_size: a number in [low, high], fallback if it was not given.
 * -1 with TypeError or ValueError */
int take_size(size_t *out, PyObject *o, const char *name, size_t low, size_t high, size_t fallback);
/* want_size: the same for one that must be given, so that None is a TypeError. */
int want_size(size_t *out, PyObject *o, const char *name, size_t low, size_t high);
/* The value of an int, by int's own methods: those of a subclass are not called.
 * int_size: the bytes that its absolute value needs.
 * -1 with an exception */
int int_size(size_t *size, PyObject *o);
/* int_bytes: its value in len bytes, order "big" or "little".
 * NULL with OverflowError where it is below zero or needs more bytes */
PyObject *int_bytes(PyObject *o, size_t len, const char *order);
/* int_secret: its value as d[len], big-endian; the bytes object in between is wiped. hint says what
 * the range is.
 * -1 with an exception: InvalidKey where it does not fit */
int int_secret(state *st, uint8_t *d, size_t len, PyObject *o, const char *hint);
/* take_flag: 1 or 0, fallback if it was not given.
 * -1 with an exception, also if one is set already, by an earlier argument */
int take_flag(PyObject *o, int fallback);

/* --- Buffers: zeroed before the first use, so that release takes one that was never filled --- */

/* take_in: any contiguous bytes-like object.
 * -1 with TypeError, TextError (a str) or BufferError (not contiguous) */
int take_in(state *st, Py_buffer *b, PyObject *o, const char *name);
/* take_opt: the same, and empty where o was not given. */
int take_opt(state *st, Py_buffer *b, PyObject *o, const char *name);
/* take_exact: as take_in, of len bytes; other lengths are a ValueError. */
int take_exact(state *st, Py_buffer *b, PyObject *o, const char *name, size_t len);
/* take_out: a writable buffer of at least len bytes.
 * -1 with TypeError, BufferError or ValueError */
int take_out(state *st, Py_buffer *b, PyObject *o, const char *name, size_t len);
void release(Py_buffer *b, size_t n);
/* apart: 1 if the a_len bytes at a and the buffer b do not overlap. */
int apart(const void *a, size_t a_len, const Py_buffer *b);
/* new_bytes: a bytes object of len bytes; *out points at them. NULL with MemoryError */
PyObject *new_bytes(uint8_t **out, size_t len);
/* shrunk: a bytes object of the first len bytes of this one, which is released; NULL stays NULL. */
PyObject *shrunk(PyObject *bytes, size_t len);

/* --- Errors: both return NULL --- */

/* fail: raises the exception for err, which for TY_ERR_VERIFY is `verify` (NULL: InvalidSignature).
 * hint says what the caller should do (NULL: a default text). */
PyObject *fail(state *st, ty_err err, PyObject *verify, const char *hint);
/* refuse: raises a tongyu.Error, which is a ValueError; the text is formatted as by printf. */
PyObject *refuse(state *st, const char *format, ...);

/* --- Threads --- */

/* From this many bytes on a call releases the GIL: releasing and taking it costs some 100 ns. */
#define NOGIL_FROM 2048
#define ALWAYS     NOGIL_FROM
#define WITHOUT_GIL(len, ...)                                                                      \
    do {                                                                                           \
        PyThreadState *gil_ = (size_t)(len) >= NOGIL_FROM ? PyEval_SaveThread() : NULL;            \
        __VA_ARGS__;                                                                               \
        if (gil_) PyEval_RestoreThread(gil_);                                                      \
    } while (0)

/* Objects that change (hashes, streams) are used by one thread at a time; others wait, without the
 * GIL. Call lock while the GIL is held: outside WITHOUT_GIL. */
void lock(atomic_flag *busy);
static inline void unlock(atomic_flag *busy)
{
    atomic_flag_clear_explicit(busy, memory_order_release);
}

/* --- Hashes by name --- */

/* hash_named: out = the digest of data by the hash that o names; *len = its length.
 * -1 with an exception */
int hash_named(state *st, uint8_t out[64], size_t *len, PyObject *o, const Py_buffer *data);

/* --- Key files: what all kinds of keys share --- */

typedef struct file_options {
    Py_buffer password;
    const void *pass; /* NULL: not encrypted */
    ty_key_form form;
    ty_key_coding coding;
    uint32_t iterations;
} file_options;

/* take_file: the options of a private key's file; o are the arguments FILE_ARGS, in this order.
 * -1 with an exception */
int take_file(state *st, file_options *f, PyObject *const o[5]);
#define FILE_ARGS "password", "encoding", "format", "iterations", "prf"
/* written: a bytes object of the len bytes that a *_write function put into buf[room], which is
 * wiped; NULL with the exception of err */
PyObject *written(state *st, ty_err err, uint8_t *buf, size_t len, size_t room);

/* The arguments of a *_read function of the library, and coding and private_key as it found
 * them. */
typedef struct file_input {
    const uint8_t *data;
    size_t len;
    const void *pass; /* NULL: no password was given */
    size_t pass_len;
    ty_key_coding coding;
    int private_key;
} file_input;
typedef ty_err file_reader(file_input *in, void *key);
/* read_key_file: runs `read` on `data`, without the GIL. The file must be of this coding, and hold
 * a private key where private_key is 1, else a public one. The caller wipes key in any case.
 * -1 with an exception */
int read_key_file(state *st, file_reader *read, void *key, PyObject *data, PyObject *password,
                  ty_key_coding coding, int private_key);

#endif
