/* One side of the key exchange of SM2 with confirmation (GB/T 32918.3). */
#include "sm2.h"
#include <string.h>

typedef struct exchange {
    PyObject_HEAD
    atomic_flag busy;
    ty_sm2_key key;
    ty_sm2_kx kx;
    uint8_t ephemeral[65], send[32], expect[32];
    int done;
    size_t id_len;
    uint8_t id[TY_SM2_ID_MAX];
} exchange;

PyObject *sm2_key_exchange(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "key_exchange", 1, 2, { "role", "id" }
    };
    /* In the order of ty_sm2_role. */
    static const char *const roles[] = { "initiator", "responder", NULL };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b = { 0 };
    const uint8_t *id;
    ty_err err = TY_OK;
    exchange *x = NULL;
    size_t id_len;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int role = take_choice(o[0], "role", roles, -1);
    if (role < 0) return PyErr_Occurred() ? NULL : refuse(st, "role is 'initiator' or 'responder'");
    if (!take_id(st, &b, o[1], &id, &id_len) && (x = new_object(st, T_SM2_KX))) {
        x->key = ((sm2_key *)self)->signer.key;
        memcpy(x->id, id, x->id_len = id_len);
        WITHOUT_GIL(ALWAYS,
                    err = ty_sm2_kx_init(&x->kx, x->ephemeral, (ty_sm2_role)role, ty_rng_system()));
    }
    release(&b, 1);
    if (!err) return (PyObject *)x;
    Py_DECREF(x);
    return fail(st, err, NULL, NULL);
}

static void exchange_dealloc(PyObject *self)
{
    exchange *x = (exchange *)self;
    ty_wipe(&x->key, sizeof x->key);
    ty_wipe(&x->kx, sizeof x->kx);
    ty_wipe(x->expect, sizeof x->expect);
    free_object(self);
}

static PyObject *finished(state *st, exchange *x, size_t len, const ty_sm2_pub *peer,
                          const Py_buffer *point, const uint8_t *id, size_t id_len)
{
    uint8_t *shared;
    ty_err err = TY_ERR_STATE;
    PyObject *bytes = new_bytes(&shared, len);
    if (!bytes) return NULL;
    lock(&x->busy);
    if (!x->done) { /* a second call would zero the confirmations of the first */
        WITHOUT_GIL(ALWAYS,
                    err = ty_sm2_kx_final(shared, len, x->send, x->expect, point->buf, x->id,
                                          x->id_len, id, id_len, peer, &x->key, &x->kx));
        x->done = !err;
    }
    unlock(&x->busy);
    if (!err) return bytes;
    Py_DECREF(bytes);
    return fail(st, err, NULL,
                err == TY_ERR_STATE ? "an exchange gives one key: begin another" : NULL);
}

static PyObject *exchange_finish(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                 PyObject *names)
{
    static const signature sig = {
        "finish", 2, 4, { "peer_public_key", "peer_ephemeral", "length", "peer_id" }
    };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1], *bytes = NULL;
    Py_buffer b[2] = { 0 };
    const uint8_t *id;
    const ty_sm2_pub *peer;
    size_t len, id_len;
    if (take_args(o, &sig, args, n, names) || !(peer = take_sm2_pub(st, o[0], "peer_public_key"))
        || take_size(&len, o[2], "length", 1, PY_SSIZE_T_MAX, 16))
        return NULL;
    if (!take_exact(st, &b[0], o[1], "peer_ephemeral", 65)
        && !take_id(st, &b[1], o[3], &id, &id_len))
        bytes = finished(st, (exchange *)self, len, peer, &b[0], id, id_len);
    release(b, 2);
    return bytes;
}

/* out = hash, x->send or x->expect. -1 with an exception if finish was not called */
static int after_finish(uint8_t out[32], exchange *x, const uint8_t hash[32])
{
    lock(&x->busy);
    int done = x->done;
    memcpy(out, hash, 32);
    unlock(&x->busy);
    if (done) return 0;
    fail(state_of((PyObject *)x), TY_ERR_STATE, NULL, "call finish first");
    return -1;
}

static PyObject *exchange_check(PyObject *self, PyObject *confirmation)
{
    exchange *x = (exchange *)self;
    state *st = state_of(self);
    Py_buffer b = { 0 };
    uint8_t expect[32];
    int bad = after_finish(expect, x, x->expect) || take_in(st, &b, confirmation, "confirmation");
    int ok = !bad && b.len == 32 && ty_equal(expect, b.buf, 32);
    release(&b, 1);
    ty_wipe(expect, sizeof expect);
    if (bad) return NULL;
    if (!ok)
        return fail(st, TY_ERR_VERIFY, st->invalid_tag,
                    "the peer has another key: do not use this one");
    Py_RETURN_NONE;
}

static PyObject *get_ephemeral(PyObject *self, void *unused)
{
    (void)unused;
    return PyBytes_FromStringAndSize((const char *)((exchange *)self)->ephemeral, 65);
}

static PyObject *get_confirmation(PyObject *self, void *unused)
{
    (void)unused;
    exchange *x = (exchange *)self;
    uint8_t out[32];
    return after_finish(out, x, x->send) ? NULL : PyBytes_FromStringAndSize((const char *)out, 32);
}

static PyGetSetDef properties[] = {
    { "ephemeral", get_ephemeral, NULL, "The point to send to the peer: 65 bytes.", NULL },
    { "confirmation", get_confirmation, NULL,
     "After finish: the hash to send to the peer, 32 bytes.", NULL },
    { 0 }
};
static PyMethodDef methods[] = {
    { "finish", FASTCALL(exchange_finish), FAST,
     "finish($self, peer_public_key, peer_ephemeral, length=16, "
     "peer_id=b'1234567812345678')\n--\n\n"
      "The shared key. Use it only after check() accepted the peer's confirmation." },
    { "check", exchange_check, METH_O,
     "check($self, confirmation, /)\n--\n\nRaise InvalidTag unless the peer's confirmation is "
     "right." },
    NO_PICKLE,
    { 0 }
};
static PyType_Slot slots[] = {
    { Py_tp_dealloc, (void *)exchange_dealloc },
    { Py_tp_methods, methods },
    { Py_tp_getset, properties },
    { Py_tp_doc, "One side of a key exchange with confirmation: SM2PrivateKey.key_exchange()." },
    { 0 }
};
PyType_Spec sm2_kx_spec = { "tongyu.sm2.SM2KeyExchange", sizeof(exchange), 0, MADE_BY_METHODS,
                            slots };
