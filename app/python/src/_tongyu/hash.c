/* SM3, SHA-2, SHA-3 and SHAKE with the interface of hashlib: Hash (a digest of fixed length) and
 * Xof (of any length). */
#include "py.h"
#include <string.h>

typedef union running {
    ty_sm3 sm3;
    ty_sha256 sha256;
    ty_sha512 sha512;
    ty_keccak keccak;
} running;

/* One algorithm; len is 0 for those with digests of variable length. */
typedef struct algorithm {
    const char *name;
    size_t len, block;
    void (*init)(running *);
    void (*update)(running *, const uint8_t *, size_t);
    void (*final)(uint8_t *, size_t, running *);
} algorithm;

static void sm3_update(running *r, const uint8_t *p, size_t n) { ty_sm3_update(&r->sm3, p, n); }
static void sha256_update(running *r, const uint8_t *p, size_t n)
{
    ty_sha256_update(&r->sha256, p, n);
}
static void sha512_update(running *r, const uint8_t *p, size_t n)
{
    ty_sha512_update(&r->sha512, p, n);
}
static void sha3_update(running *r, const uint8_t *p, size_t n)
{
    ty_sha3_update(&r->keccak, p, n);
}
static void shake_update(running *r, const uint8_t *p, size_t n)
{
    (void)!ty_shake_update(&r->keccak, p, n);
}
static void shake_final(uint8_t *out, size_t n, running *r)
{
    (void)!ty_shake_squeeze(out, n, &r->keccak);
}

#define INIT(name, field)                                                                          \
    static void name##_init(running *r) { ty_##name##_init(&r->field); }
#define FINAL(name, field)                                                                         \
    static void name##_final(uint8_t *out, size_t n, running *r)                                   \
    {                                                                                              \
        (void)n;                                                                                   \
        (void)ty_##name##_final(out, &r->field);                                                   \
    }
#define BOTH(name, field) INIT(name, field) FINAL(name, field)
BOTH(sm3, sm3)
BOTH(sha224, sha256)
BOTH(sha256, sha256)
BOTH(sha384, sha512)
BOTH(sha512, sha512)
BOTH(sha512_224, sha512)
BOTH(sha512_256, sha512)
FINAL(sha3, keccak)
INIT(sha3_224, keccak)
INIT(sha3_256, keccak)
INIT(sha3_384, keccak)
INIT(sha3_512, keccak)
INIT(shake128, keccak)
INIT(shake256, keccak)

enum { SM3, SHA3_224 = 7, SHA3_256, SHA3_384, SHA3_512, SHAKE128, SHAKE256 };
static const algorithm algorithms[] = {
    { "sm3", TY_SM3_LEN, TY_SM3_BLOCK, sm3_init, sm3_update, sm3_final },
    { "sha224", TY_SHA224_LEN, TY_SHA256_BLOCK, sha224_init, sha256_update, sha224_final },
    { "sha256", TY_SHA256_LEN, TY_SHA256_BLOCK, sha256_init, sha256_update, sha256_final },
    { "sha384", TY_SHA384_LEN, TY_SHA512_BLOCK, sha384_init, sha512_update, sha384_final },
    { "sha512", TY_SHA512_LEN, TY_SHA512_BLOCK, sha512_init, sha512_update, sha512_final },
    { "sha512_224", TY_SHA512_224_LEN, TY_SHA512_BLOCK, sha512_224_init, sha512_update,
     sha512_224_final },
    { "sha512_256", TY_SHA512_256_LEN, TY_SHA512_BLOCK, sha512_256_init, sha512_update,
     sha512_256_final },
    { "sha3_224", TY_SHA3_224_LEN, TY_SHA3_224_BLOCK, sha3_224_init, sha3_update, sha3_final },
    { "sha3_256", TY_SHA3_256_LEN, TY_SHA3_256_BLOCK, sha3_256_init, sha3_update, sha3_final },
    { "sha3_384", TY_SHA3_384_LEN, TY_SHA3_384_BLOCK, sha3_384_init, sha3_update, sha3_final },
    { "sha3_512", TY_SHA3_512_LEN, TY_SHA3_512_BLOCK, sha3_512_init, sha3_update, sha3_final },
    { "shake_128", 0, TY_SHAKE128_BLOCK, shake128_init, shake_update, shake_final },
    { "shake_256", 0, TY_SHAKE256_BLOCK, shake256_init, shake_update, shake_final },
    { 0 }
};

static const algorithm *algorithm_named(PyObject *name)
{
    const char *names[sizeof algorithms / sizeof *algorithms];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) names[i] = algorithms[i].name;
    int i = take_choice(name, "name", names, -1);
    if (i >= 0) return &algorithms[i];
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "name must be a string");
    return NULL;
}

int hash_named(state *st, uint8_t out[64], size_t *len, PyObject *o, const Py_buffer *data)
{
    const algorithm *a = algorithm_named(o);
    if (!a) return -1;
    if (!a->len) {
        refuse(st, "%s has no digest length of its own: name a hash that has one", a->name);
        return -1;
    }
    running r;
    WITHOUT_GIL(data->len, a->init(&r); a->update(&r, data->buf, (size_t)data->len);
                a->final(out, a->len, &r));
    *len = a->len;
    return 0;
}

/* --- Objects --- */

typedef struct hash {
    PyObject_HEAD
    const algorithm *a;
    atomic_flag busy;
    running r;
} hash;

static int feed(hash *h, PyObject *data)
{
    Py_buffer b = { 0 };
    if (take_in(state_of((PyObject *)h), &b, data, "data")) return -1;
    lock(&h->busy);
    WITHOUT_GIL(b.len, h->a->update(&h->r, b.buf, (size_t)b.len));
    unlock(&h->busy);
    release(&b, 1);
    return 0;
}

static PyObject *hash_new(PyObject *module, const algorithm *a, PyObject *data)
{
    hash *h = new_object(state_of_module(module), a->len ? T_HASH : T_XOF);
    if (!h) return NULL;
    h->a = a;
    a->init(&h->r);
    if (data && feed(h, data)) {
        Py_DECREF(h);
        return NULL;
    }
    return (PyObject *)h;
}

static void hash_dealloc(PyObject *self)
{
    ty_wipe(&((hash *)self)->r, sizeof(running));
    free_object(self);
}

static PyObject *hash_update(PyObject *self, PyObject *data)
{
    if (feed((hash *)self, data)) return NULL;
    Py_RETURN_NONE;
}

static running snapshot(hash *h)
{
    lock(&h->busy);
    running r = h->r;
    unlock(&h->busy);
    return r;
}

static PyObject *hash_copy(PyObject *self, PyObject *unused)
{
    (void)unused;
    hash *from = (hash *)self, *h = new_object(state_of(self), from->a->len ? T_HASH : T_XOF);
    if (!h) return NULL;
    h->a = from->a;
    h->r = snapshot(from);
    return (PyObject *)h;
}

static PyObject *hex(PyObject *bytes)
{
    PyObject *text = bytes ? PyObject_CallMethod(bytes, "hex", NULL) : NULL;
    Py_XDECREF(bytes);
    return text;
}

static PyObject *hash_digest(PyObject *self, PyObject *unused)
{
    (void)unused;
    hash *h = (hash *)self;
    uint8_t out[64];
    running r = snapshot(h);
    h->a->final(out, h->a->len, &r);
    return PyBytes_FromStringAndSize((const char *)out, (Py_ssize_t)h->a->len);
}

static PyObject *hash_hexdigest(PyObject *self, PyObject *unused)
{
    return hex(hash_digest(self, unused));
}

static PyObject *xof_digest(PyObject *self, PyObject *length)
{
    size_t n;
    uint8_t *out;
    if (want_size(&n, length, "length", 0, PY_SSIZE_T_MAX)) return NULL;
    PyObject *bytes = new_bytes(&out, n);
    if (!bytes) return NULL;
    running r = snapshot((hash *)self);
    WITHOUT_GIL(n, ((hash *)self)->a->final(out, n, &r));
    ty_wipe(&r, sizeof r);
    return bytes;
}

static PyObject *xof_hexdigest(PyObject *self, PyObject *length)
{
    return hex(xof_digest(self, length));
}

static PyObject *get_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((hash *)self)->a->name);
}

static PyObject *get_digest_size(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((hash *)self)->a->len);
}

static PyObject *get_block_size(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((hash *)self)->a->block);
}

static PyObject *hash_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<%s tongyu hash>", ((hash *)self)->a->name);
}

static PyGetSetDef properties[] = {
    { "name", get_name, NULL, "The name of the algorithm, as in hashlib.", NULL },
    { "digest_size", get_digest_size, NULL, "Bytes of a digest; 0 if its length is variable.",
      NULL },
    { "block_size", get_block_size, NULL, "Bytes of a block, which hmac needs.", NULL },
    { 0 }
};

#define UPDATE                                                                                     \
    { "update", hash_update, METH_O, "update($self, data, /)\n--\n\nAppend data to the message." }
#define COPY                                                                                       \
    { "copy", hash_copy, METH_NOARGS, "copy($self, /)\n--\n\nA second object in the same state." }

static PyMethodDef hash_methods[] = {
    UPDATE,
    COPY,
    NO_PICKLE,
    { "digest", hash_digest, METH_NOARGS,
      "digest($self, /)\n--\n\nThe digest of the data so far; more may follow." },
    { "hexdigest", hash_hexdigest, METH_NOARGS,
      "hexdigest($self, /)\n--\n\nThe digest in hexadecimal." },
    { 0 }
};

static PyMethodDef xof_methods[] = {
    UPDATE,
    COPY,
    NO_PICKLE,
    { "digest", xof_digest, METH_O,
      "digest($self, length, /)\n--\n\nlength bytes of output for the data so far." },
    { "hexdigest", xof_hexdigest, METH_O,
      "hexdigest($self, length, /)\n--\n\nThe same in hexadecimal." },
    { 0 }
};

#define SLOTS(methods, doc)                                                                        \
    {                                                                                              \
        { Py_tp_dealloc, (void *)hash_dealloc },                                                   \
        { Py_tp_methods, methods },                                                                \
        { Py_tp_getset, properties },                                                              \
        { Py_tp_repr, (void *)hash_repr },                                                         \
        { Py_tp_doc, (void *)doc },                                                                \
        { 0 }                                                                                      \
}
static PyType_Slot hash_slots[] =
    SLOTS(hash_methods, "A running hash as in hashlib: made by functions such as sm3().");
static PyType_Slot xof_slots[] =
    SLOTS(xof_methods, "A running SHAKE as in hashlib: made by shake_128() or shake_256().");
static PyType_Spec hash_spec = { "tongyu.Hash", sizeof(hash), 0, MADE_BY_METHODS, hash_slots };
static PyType_Spec xof_spec = { "tongyu.Xof", sizeof(hash), 0, MADE_BY_METHODS, xof_slots };

/* --- Functions --- */

static PyObject *construct(PyObject *module, const algorithm *a, PyObject *const *args,
                           Py_ssize_t n, PyObject *names)
{
    const signature sig = {
        a->name, 0, 1, { "data", "usedforsecurity" }
    }; /* usedforsecurity is ignored; hashlib has it */
    PyObject *o[MAX_ARGS + 1];
    return take_args(o, &sig, args, n, names) ? NULL : hash_new(module, a, o[0]);
}

#define CONSTRUCTOR(name, place)                                                                   \
    static PyObject *new_##name(PyObject *module, PyObject *const *args, Py_ssize_t n,             \
                                PyObject *names)                                                   \
    {                                                                                              \
        return construct(module, &algorithms[place], args, n, names);                              \
    }
CONSTRUCTOR(sm3, SM3)
CONSTRUCTOR(sha3_224, SHA3_224)
CONSTRUCTOR(sha3_256, SHA3_256)
CONSTRUCTOR(sha3_384, SHA3_384)
CONSTRUCTOR(sha3_512, SHA3_512)
CONSTRUCTOR(shake_128, SHAKE128)
CONSTRUCTOR(shake_256, SHAKE256)

static PyObject *new_named(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "new", 1, 2, { "name", "data", "usedforsecurity" }
    };
    PyObject *o[MAX_ARGS + 1];
    if (take_args(o, &sig, args, n, names)) return NULL;
    const algorithm *a = algorithm_named(o[0]);
    return a ? hash_new(module, a, o[1]) : NULL;
}

static PyObject *sm3_digest(PyObject *module, PyObject *data)
{
    Py_buffer b = { 0 };
    uint8_t out[TY_SM3_LEN];
    if (take_in(state_of_module(module), &b, data, "data")) return NULL;
    WITHOUT_GIL(b.len, ty_sm3_hash(out, b.buf, (size_t)b.len));
    release(&b, 1);
    return PyBytes_FromStringAndSize((const char *)out, sizeof out);
}

#define ROW(name, what)                                                                            \
    { #name, FASTCALL(new_##name), FAST,                                                           \
      #name "($module, data=b'', *, usedforsecurity=True)\n--\n\nA running " what                  \
            ", beginning with data." }
static PyMethodDef functions[] = {
    ROW(sm3, "SM3"),
    ROW(sha3_224, "SHA3-224"),
    ROW(sha3_256, "SHA3-256"),
    ROW(sha3_384, "SHA3-384"),
    ROW(sha3_512, "SHA3-512"),
    ROW(shake_128, "SHAKE128"),
    ROW(shake_256, "SHAKE256"),
    { "new", FASTCALL(new_named), FAST,
      "new($module, name, data=b'', *, usedforsecurity=True)\n--\n\n"
      "A running hash by its name.\n\n"
      "name is 'sm3', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512_224', 'sha512_256', "
      "'sha3_224',\n"
      "'sha3_256', 'sha3_384', 'sha3_512', 'shake_128' or 'shake_256'." },
    { "sm3_digest", sm3_digest, METH_O,
      "sm3_digest($module, data, /)\n--\n\n"
      "The SM3 of data in one call: 32 bytes. The fastest call for short messages." },
    { 0 }
};

int add_hash(PyObject *module)
{
    return add_type(module, T_HASH, &hash_spec) || add_type(module, T_XOF, &xof_spec)
                   || PyModule_AddFunctions(module, functions)
               ? -1
               : 0;
}
