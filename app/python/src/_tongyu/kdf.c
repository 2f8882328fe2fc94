/* HMAC-SM3, and keys from passwords and from other secrets: PBKDF2, HKDF, and the KDF of
 * GB/T 32918.4. */
#include "py.h"

/* --- HMAC --- */

typedef struct hmac {
    PyObject_HEAD
    atomic_flag busy;
    ty_hmac_sm3 c;
} hmac;

static int hmac_feed(hmac *h, PyObject *data)
{
    Py_buffer b = { 0 };
    if (take_in(state_of((PyObject *)h), &b, data, "data")) return -1;
    lock(&h->busy);
    WITHOUT_GIL(b.len, ty_hmac_sm3_update(&h->c, b.buf, (size_t)b.len));
    unlock(&h->busy);
    release(&b, 1);
    return 0;
}

static PyObject *hmac_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static const signature sig = {
        "HMACSM3", 1, 2, { "key", "data" }
    };
    PyObject *o[MAX_ARGS + 1];
    state *st = PyType_GetModuleState(type);
    Py_buffer key = { 0 };
    if (take_tuple(o, &sig, args, kwargs) || take_in(st, &key, o[0], "key")) return NULL;
    hmac *h = new_object(st, T_HMAC);
    if (h) ty_hmac_sm3_init(&h->c, key.buf, (size_t)key.len);
    release(&key, 1);
    if (h && o[1] && hmac_feed(h, o[1])) Py_CLEAR(h);
    return (PyObject *)h;
}

static void hmac_dealloc(PyObject *self)
{
    ty_wipe(&((hmac *)self)->c, sizeof(ty_hmac_sm3));
    free_object(self);
}

static PyObject *hmac_update(PyObject *self, PyObject *data)
{
    if (hmac_feed((hmac *)self, data)) return NULL;
    Py_RETURN_NONE;
}

static ty_hmac_sm3 hmac_snapshot(hmac *h)
{
    lock(&h->busy);
    ty_hmac_sm3 c = h->c;
    unlock(&h->busy);
    return c;
}

static void hmac_tag(uint8_t out[TY_SM3_LEN], hmac *h)
{
    ty_hmac_sm3 c = hmac_snapshot(h);
    ty_hmac_sm3_final(out, &c);
    ty_wipe(&c, sizeof c);
}

static PyObject *hmac_digest(PyObject *self, PyObject *unused)
{
    (void)unused;
    uint8_t out[TY_SM3_LEN];
    hmac_tag(out, (hmac *)self);
    return PyBytes_FromStringAndSize((const char *)out, sizeof out);
}

static PyObject *hmac_hexdigest(PyObject *self, PyObject *unused)
{
    PyObject *bytes = hmac_digest(self, unused),
             *text = bytes ? PyObject_CallMethod(bytes, "hex", NULL) : NULL;
    Py_XDECREF(bytes);
    return text;
}

static PyObject *hmac_verify(PyObject *self, PyObject *tag)
{
    state *st = state_of(self);
    Py_buffer b = { 0 };
    uint8_t out[TY_SM3_LEN];
    if (take_in(st, &b, tag, "tag")) return NULL;
    hmac_tag(out, (hmac *)self);
    int ok = b.len == TY_SM3_LEN && ty_equal(out, b.buf, TY_SM3_LEN);
    release(&b, 1);
    ty_wipe(out, sizeof out);
    if (!ok) return fail(st, TY_ERR_VERIFY, st->invalid_tag, NULL);
    Py_RETURN_NONE;
}

static PyObject *hmac_copy(PyObject *self, PyObject *unused)
{
    (void)unused;
    hmac *h = new_object(state_of(self), T_HMAC);
    if (h) h->c = hmac_snapshot((hmac *)self);
    return (PyObject *)h;
}

static PyMethodDef hmac_methods[] = {
    { "update", hmac_update, METH_O, "update($self, data, /)\n--\n\nAppend data to the message." },
    { "digest", hmac_digest, METH_NOARGS,
     "digest($self, /)\n--\n\nThe tag of the data so far: 32 bytes." },
    { "hexdigest", hmac_hexdigest, METH_NOARGS,
     "hexdigest($self, /)\n--\n\nThe tag in hexadecimal." },
    { "verify", hmac_verify, METH_O,
     "verify($self, tag, /)\n--\n\nRaise InvalidTag unless tag is that of the data so "
     "far. Constant time." },
    { "copy", hmac_copy, METH_NOARGS, "copy($self, /)\n--\n\nA second object in the same state." },
    NO_PICKLE,
    { 0 }
};

static PyType_Slot hmac_slots[] = {
    { Py_tp_new, (void *)hmac_new },
    { Py_tp_dealloc, (void *)hmac_dealloc },
    { Py_tp_methods, hmac_methods },
    { Py_tp_doc, "HMACSM3(key, data=b'')\n--\n\nA running HMAC-SM3 (RFC 2104)." },
    { 0 }
};
static PyType_Spec hmac_spec = { "tongyu.HMACSM3", sizeof(hmac), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, hmac_slots };

static PyObject *hmac_sm3(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "hmac_sm3", 2, 2, { "key", "data" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b[2] = { 0 };
    uint8_t out[TY_SM3_LEN];
    if (take_args(o, &sig, args, n, names)) return NULL;
    int ok = !take_in(st, &b[0], o[0], "key") && !take_in(st, &b[1], o[1], "data");
    if (ok)
        WITHOUT_GIL(b[1].len,
                    ty_hmac_sm3_mac(out, b[1].buf, (size_t)b[1].len, b[0].buf, (size_t)b[0].len));
    release(b, 2);
    return ok ? PyBytes_FromStringAndSize((const char *)out, sizeof out) : NULL;
}

/* --- Derivation --- */

/* All arguments of derivations, of which each kind uses some. */
typedef struct derivation {
    Py_buffer secret, salt, info;
    size_t len, iterations;
} derivation;

typedef ty_err derive(uint8_t *out, const derivation *d);

static ty_err run_pbkdf2(uint8_t *out, const derivation *d)
{
    return ty_pbkdf2_sm3(out, d->len, d->secret.buf, (size_t)d->secret.len, d->salt.buf,
                         (size_t)d->salt.len, (uint32_t)d->iterations);
}

static ty_err run_hkdf(uint8_t *out, const derivation *d)
{
    return ty_hkdf_sm3(out, d->len, d->secret.buf, (size_t)d->secret.len, d->salt.buf,
                       (size_t)d->salt.len, d->info.buf, (size_t)d->info.len);
}

static ty_err run_extract(uint8_t *out, const derivation *d)
{
    ty_hkdf_sm3_extract(out, d->secret.buf, (size_t)d->secret.len, d->salt.buf,
                        (size_t)d->salt.len);
    return TY_OK;
}

static ty_err run_expand(uint8_t *out, const derivation *d)
{
    return ty_hkdf_sm3_expand(out, d->len, d->secret.buf, (size_t)d->secret.len, d->info.buf,
                              (size_t)d->info.len);
}

static ty_err run_kdf(uint8_t *out, const derivation *d)
{
    return ty_kdf_sm3(out, d->len, d->secret.buf, (size_t)d->secret.len);
}

static PyObject *derived(state *st, derive *run, const derivation *d)
{
    uint8_t *out;
    ty_err err;
    PyObject *bytes = new_bytes(&out, d->len);
    if (!bytes) return NULL;
    WITHOUT_GIL(d->iterations ? ALWAYS : d->len + (size_t)d->secret.len, err = run(out, d));
    if (!err) return bytes;
    Py_DECREF(bytes);
    return fail(st, err, NULL, NULL);
}

static int is_required(const signature *sig, int place)
{
    return place >= 0 && place < sig->required;
}

/* place: the indices of `secret`, `salt`, `info`, `length` and `iterations` among the arguments of
 * sig; -1 for those that it does not have. */
static PyObject *derive_call(PyObject *module, const signature *sig, const int place[5],
                             derive *run, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *bytes = NULL, *a[5];
    derivation d = { .len = TY_SM3_LEN };
    if (take_args(o, sig, args, n, names)) return NULL;
    for (int i = 0; i < 5; i++) a[i] = place[i] < 0 ? NULL : o[place[i]];
    int bad = take_in(st, &d.secret, a[0], sig->names[place[0]])
              || (is_required(sig, place[1]) ? take_in : take_opt)(st, &d.salt, a[1], "salt")
              || take_opt(st, &d.info, a[2], "info")
              || (is_required(sig, place[3])
                      ? want_size(&d.len, a[3], "length", 0, PY_SSIZE_T_MAX)
                      : take_size(&d.len, a[3], "length", 0, PY_SSIZE_T_MAX, TY_SM3_LEN))
              || (a[4] && want_size(&d.iterations, a[4], "iterations", 1, UINT32_MAX));
    if (!bad) bytes = derived(st, run, &d);
    release(&d.secret, 3);
    return bytes;
}

#define DERIVE(name, sig_, run, secret, salt, info, length, iterations)                            \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)  \
    {                                                                                              \
        static const signature sig = sig_;                                                         \
        static const int place[5] = { secret, salt, info, length, iterations };                    \
        return derive_call(module, &sig, place, run, args, n, names);                              \
    }
#define SIG(...) { __VA_ARGS__ }
DERIVE(pbkdf2_sm3, SIG("pbkdf2_sm3", 3, 4, { "password", "salt", "iterations", "length" }),
       run_pbkdf2, 0, 1, -1, 3, 2)
DERIVE(hkdf_sm3, SIG("hkdf_sm3", 2, 4, { "secret", "length", "salt", "info" }), run_hkdf, 0, 2, 3,
       1, -1)
DERIVE(hkdf_sm3_extract, SIG("hkdf_sm3_extract", 1, 2, { "secret", "salt" }), run_extract, 0, 1, -1,
       -1, -1)
DERIVE(hkdf_sm3_expand, SIG("hkdf_sm3_expand", 2, 3, { "prk", "length", "info" }), run_expand, 0,
       -1, 2, 1, -1)
DERIVE(kdf_sm3, SIG("kdf_sm3", 2, 2, { "secret", "length" }), run_kdf, 0, -1, -1, 1, -1)

static PyMethodDef functions[] = {
    { "hmac_sm3", FASTCALL(hmac_sm3), FAST,
     "hmac_sm3($module, key, data)\n--\n\nHMAC-SM3 of data in one call: 32 bytes." },
    { "pbkdf2_sm3", FASTCALL(pbkdf2_sm3), FAST,
     "pbkdf2_sm3($module, password, salt, iterations, length=32)\n--\n\n"
      "A key from a password, slowly (RFC 8018, 5.2, with HMAC-SM3). 600000 iterations take about "
      "0.2 seconds." },
    { "hkdf_sm3", FASTCALL(hkdf_sm3), FAST,
     "hkdf_sm3($module, secret, length, salt=b'', info=b'')\n--\n\n"
      "A key from a secret that is not uniform (RFC 5869 with HMAC-SM3); length is at most 8160." },
    { "hkdf_sm3_extract", FASTCALL(hkdf_sm3_extract), FAST,
     "hkdf_sm3_extract($module, secret, salt=b'')\n--\n\nThe first half of HKDF: 32 bytes (RFC "
     "5869, 2.2)." },
    { "hkdf_sm3_expand", FASTCALL(hkdf_sm3_expand), FAST,
     "hkdf_sm3_expand($module, prk, length, info=b'')\n--\n\nThe second half of HKDF (RFC 5869, "
     "2.3)." },
    { "kdf_sm3", FASTCALL(kdf_sm3), FAST,
     "kdf_sm3($module, secret, length)\n--\n\nThe KDF of GB/T 32918.4-2016, 5.4.3 (that of X9.63 "
     "without shared info)." },
    { 0 }
};

int add_kdf(PyObject *module)
{
    return add_type(module, T_HMAC, &hmac_spec) || PyModule_AddFunctions(module, functions) ? -1
                                                                                            : 0;
}
