/* CMAC with SM4, and key wrap (RFC 3394, RFC 5649). */
#include "py.h"
#include <string.h>

/* --- CMAC --- */

typedef struct cmac {
    PyObject_HEAD
    atomic_flag busy;
    ty_sm4_cmac_key key;
    ty_sm4_cmac c;
} cmac;

static PyObject *cmac_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static const signature sig = { "CMAC", 1, 1, { "key" } };
    PyObject *o[MAX_ARGS + 1];
    state *st = PyType_GetModuleState(type);
    Py_buffer key = { 0 };
    cmac *m = NULL;
    if (take_tuple(o, &sig, args, kwargs)) return NULL;
    if (!take_exact(st, &key, o[0], "key", TY_SM4_BLOCK) && (m = new_object(st, T_CMAC))) {
        ty_sm4_cmac_init(&m->key, key.buf);
        ty_sm4_cmac_start(&m->c, &m->key);
    }
    release(&key, 1);
    return (PyObject *)m;
}

static void cmac_dealloc(PyObject *self)
{
    cmac *m = (cmac *)self;
    ty_wipe(&m->key, sizeof m->key);
    ty_wipe(&m->c, sizeof m->c);
    free_object(self);
}

static PyObject *cmac_update(PyObject *self, PyObject *data)
{
    cmac *m = (cmac *)self;
    state *st = state_of(self);
    Py_buffer b = { 0 };
    ty_err err;
    if (take_in(st, &b, data, "data")) return NULL;
    lock(&m->busy);
    WITHOUT_GIL(b.len, err = ty_sm4_cmac_update(&m->c, b.buf, (size_t)b.len));
    unlock(&m->busy);
    release(&b, 1);
    if (err) return fail(st, err, NULL, NULL);
    Py_RETURN_NONE;
}

static PyObject *cmac_finalize(PyObject *self, PyObject *unused)
{
    (void)unused;
    cmac *m = (cmac *)self;
    uint8_t tag[16];
    lock(&m->busy);
    ty_err err = ty_sm4_cmac_final(tag, sizeof tag, &m->c);
    unlock(&m->busy);
    return err ? fail(state_of(self), err, NULL, NULL)
               : PyBytes_FromStringAndSize((const char *)tag, sizeof tag);
}

static PyObject *cmac_verify(PyObject *self, PyObject *tag)
{
    cmac *m = (cmac *)self;
    state *st = state_of(self);
    Py_buffer b = { 0 };
    if (take_exact(st, &b, tag, "tag", 16)) {
        release(&b, 1);
        return NULL;
    }
    lock(&m->busy);
    ty_err err = ty_sm4_cmac_verify(b.buf, 16, &m->c);
    unlock(&m->busy);
    release(&b, 1);
    if (err) return fail(st, err, st->invalid_tag, NULL);
    Py_RETURN_NONE;
}

static PyObject *cmac_copy(PyObject *self, PyObject *unused)
{
    (void)unused;
    cmac *from = (cmac *)self, *m = new_object(state_of(self), T_CMAC);
    if (!m) return NULL;
    m->key = from->key;
    lock(&from->busy);
    m->c = from->c;
    unlock(&from->busy);
    if (m->c.key) m->c.key = &m->key; /* the pointer to the key must point into the copy */
    return (PyObject *)m;
}

static PyMethodDef cmac_methods[] = {
    { "update", cmac_update, METH_O, "update($self, data, /)\n--\n\nAppend data to the message." },
    { "finalize", cmac_finalize, METH_NOARGS,
     "finalize($self, /)\n--\n\nThe tag, 16 bytes; the object cannot be used again." },
    { "verify", cmac_verify, METH_O,
     "verify($self, tag, /)\n--\n\nRaise InvalidTag unless tag is that of the message. "
     "The object cannot be used again." },
    { "copy", cmac_copy, METH_NOARGS, "copy($self, /)\n--\n\nA second object in the same state." },
    { "generate_key", generate_key, METH_NOARGS | METH_CLASS,
     "generate_key($type, /)\n--\n\n16 random bytes." },
    NO_PICKLE,
    { 0 }
};

static PyType_Slot cmac_slots[] = {
    { Py_tp_new, (void *)cmac_new },
    { Py_tp_dealloc, (void *)cmac_dealloc },
    { Py_tp_methods, cmac_methods },
    { Py_tp_doc, "CMAC(key)\n--\n\nA running CMAC with SM4 (SP 800-38B)." },
    { 0 }
};
static PyType_Spec cmac_spec = { "tongyu.cmac.CMAC", sizeof(cmac), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, cmac_slots };

static PyObject *cmac_once(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "cmac", 2, 3, { "key", "data", "tag_length" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *bytes = NULL;
    Py_buffer b[2] = { 0 };
    ty_sm4_cmac_key key;
    uint8_t tag[16];
    size_t len;
    ty_err err;
    if (take_args(o, &sig, args, n, names) || take_size(&len, o[2], "tag_length", 4, 16, 16))
        return NULL;
    if (!take_exact(st, &b[0], o[0], "key", TY_SM4_BLOCK) && !take_in(st, &b[1], o[1], "data")) {
        ty_sm4_cmac_init(&key, b[0].buf);
        WITHOUT_GIL(b[1].len, err = ty_sm4_cmac_mac(tag, len, b[1].buf, (size_t)b[1].len, &key));
        ty_wipe(&key, sizeof key);
        bytes = err ? fail(st, err, NULL, NULL)
                    : PyBytes_FromStringAndSize((const char *)tag, (Py_ssize_t)len);
    }
    release(b, 2);
    return bytes;
}

/* --- Key wrap --- */

typedef enum wrap_kind { KW_WRAP, KW_UNWRAP, KWP_WRAP, KWP_UNWRAP } wrap_kind;

static size_t wrap_room(wrap_kind kind, size_t n)
{
    return kind == KW_WRAP ? n + 8 : kind == KWP_WRAP ? TY_SM4_KWP_LEN(n) : n < 8 ? 0 : n - 8;
}

static ty_err wrap_run(uint8_t *out, size_t *out_len, wrap_kind kind, const Py_buffer *in,
                       const ty_sm4_key *key)
{
    size_t n = (size_t)in->len;
    switch (kind) {
    case KW_WRAP:
        return ty_sm4_kw_wrap(out, in->buf, n, key);
    case KW_UNWRAP:
        return ty_sm4_kw_unwrap(out, in->buf, n, key);
    case KWP_WRAP:
        return ty_sm4_kwp_wrap(out, in->buf, n, key);
    default:
        return ty_sm4_kwp_unwrap(out, out_len, in->buf, n, key);
    }
}

static PyObject *wrap_bytes(state *st, wrap_kind kind, const Py_buffer *in, const uint8_t *bytes)
{
    ty_sm4_key key;
    size_t room = wrap_room(kind, (size_t)in->len), len = room;
    uint8_t *out = PyMem_Malloc(room + 1);
    if (!out) return PyErr_NoMemory();
    ty_sm4_init(&key, bytes);
    ty_err err = wrap_run(out, &len, kind, in, &key);
    ty_wipe(&key, sizeof key);
    /* The length is not that of a wrapped key: it was cut short, or altered otherwise. */
    if ((kind == KW_UNWRAP || kind == KWP_UNWRAP) && (err == TY_ERR_ARG || err == TY_ERR_SIZE))
        err = TY_ERR_VERIFY;
    PyObject *result = err ? fail(st, err, st->invalid_tag, NULL)
                           : PyBytes_FromStringAndSize((const char *)out, (Py_ssize_t)len);
    ty_wipe(out, room);
    PyMem_Free(out);
    return result;
}

static PyObject *wrap_call(PyObject *module, const signature *sig, wrap_kind kind,
                           PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *result = NULL;
    Py_buffer b[2] = { 0 };
    if (take_args(o, sig, args, n, names)) return NULL;
    if (!take_exact(st, &b[0], o[0], sig->names[0], TY_SM4_BLOCK)
        && !take_in(st, &b[1], o[1], sig->names[1]))
        result = wrap_bytes(st, kind, &b[1], b[0].buf);
    release(b, 2);
    return result;
}

#define WRAP(name, kind, what)                                                                     \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)  \
    {                                                                                              \
        static const signature sig = {                                                             \
            #name, 2, 2, { "wrapping_key", what }                                                  \
        };                                                                                         \
        return wrap_call(module, &sig, kind, args, n, names);                                      \
    }
WRAP(sm4_key_wrap, KW_WRAP, "key_to_wrap")
WRAP(sm4_key_unwrap, KW_UNWRAP, "wrapped_key")
WRAP(sm4_key_wrap_with_padding, KWP_WRAP, "key_to_wrap")
WRAP(sm4_key_unwrap_with_padding, KWP_UNWRAP, "wrapped_key")

static PyMethodDef functions[] = {
    { "cmac", FASTCALL(cmac_once), FAST,
     "cmac($module, key, data, tag_length=16)\n--\n\nThe CMAC of data in one call; tag_length is "
     "4 to 16." },
    { "sm4_key_wrap", FASTCALL(sm4_key_wrap), FAST,
     "sm4_key_wrap($module, wrapping_key, key_to_wrap)\n--\n\n"
      "A key of 16 bytes or more, a multiple of 8, wrapped under another (RFC 3394)." },
    { "sm4_key_unwrap", FASTCALL(sm4_key_unwrap), FAST,
     "sm4_key_unwrap($module, wrapping_key, wrapped_key)\n--\n\nThe key that sm4_key_wrap wrapped; "
     "raise InvalidTag if anything was altered." },
    { "sm4_key_wrap_with_padding", FASTCALL(sm4_key_wrap_with_padding), FAST,
     "sm4_key_wrap_with_padding($module, wrapping_key, key_to_wrap)\n--\n\nA key of any length "
     "wrapped under another (RFC 5649)." },
    { "sm4_key_unwrap_with_padding", FASTCALL(sm4_key_unwrap_with_padding), FAST,
     "sm4_key_unwrap_with_padding($module, wrapping_key, wrapped_key)\n--\n\n"
      "The key that sm4_key_wrap_with_padding wrapped; raise InvalidTag if anything was altered." },
    { 0 }
};

int add_mac(PyObject *module)
{
    return add_type(module, T_CMAC, &cmac_spec) || PyModule_AddFunctions(module, functions) ? -1
                                                                                            : 0;
}
