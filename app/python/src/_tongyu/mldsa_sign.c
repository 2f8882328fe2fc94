/* ML-DSA signatures: pure, by mu, and pre-hashed; precomputed keys; streaming computation of mu. */
#include "mldsa.h"
#include <string.h>

int take_context(state *st, Py_buffer *b, PyObject *o)
{
    if (take_opt(st, b, o, "context")) return -1;
    if (b->len <= TY_MLDSA_CTX_MAX) return 0;
    refuse(st, "context has %zd bytes, and %d is the most", b->len, TY_MLDSA_CTX_MAX);
    return -1;
}

static int take_hash(PyObject *o)
{
    static const char *const hashes[] = {
        /* in the order of ty_mldsa_hash */
        "sha224",   "sha256",   "sha384",   "sha512",    "sha512_224", "sha512_256", "sha3_224",
        "sha3_256", "sha3_384", "sha3_512", "shake_128", "shake_256",  "sm3",        NULL
    };
    return take_choice(o, "hash", hashes, -1);
}

/* --- Signing --- */

/* What is signed: a message, a mu, or a digest. */
typedef enum subject { MESSAGE, MU, DIGEST } subject;
typedef struct request {
    subject what;
    Py_buffer data, context;
    ty_mldsa_hash hash;
    const ty_rng *rng; /* NULL: deterministic */
} request;

static int take_request(state *st, request *r, subject what, PyObject *data, PyObject *context,
                        PyObject *hash, PyObject *deterministic)
{
    static const char *const names[] = { "data", "mu", "digest" };
    int no_rng = take_flag(deterministic, 0), h = what == DIGEST ? take_hash(hash) : 0;
    r->what = what;
    r->rng = no_rng ? NULL : ty_rng_system();
    r->hash = (ty_mldsa_hash)h;
    if (no_rng < 0) return -1;
    if (h < 0)
        return PyErr_Occurred() ? -1
                                : (PyErr_SetString(PyExc_TypeError, "hash must be a string"), -1);
    if (what == MU && take_exact(st, &r->data, data, "mu", TY_MLDSA_MU_LEN)) return -1;
    if (what == DIGEST && take_exact(st, &r->data, data, "digest", ty_mldsa_hash_len(r->hash)))
        return -1;
    if (what == MESSAGE && take_in(st, &r->data, data, names[what])) return -1;
    return take_context(st, &r->context, context);
}

#define MSG r->data.buf, (size_t)r->data.len
#define CTX r->context.buf, (size_t)r->context.len
static ty_err key_run(uint8_t *sig, size_t len, const request *r, PyObject *self)
{
    const ty_mldsa_key *k = &((mldsa_key *)self)->key;
    switch (r->what) {
    case MU:
        return ty_mldsa_sign_mu(sig, len, r->data.buf, k, r->rng);
    case DIGEST:
        return ty_mldsa_sign_hash(sig, len, MSG, r->hash, CTX, k, r->rng);
    default:
        return ty_mldsa_sign(sig, len, MSG, CTX, k, r->rng);
    }
}

static ty_err signer_run(uint8_t *sig, size_t len, const request *r, PyObject *self)
{
    const ty_mldsa_signer *s = &((mldsa_signer *)self)->signer;
    return r->what == MU ? ty_mldsa_signer_sign_mu(sig, len, r->data.buf, s, r->rng)
                         : ty_mldsa_signer_sign(sig, len, MSG, CTX, s, r->rng);
}

static ty_err pub_run(const Py_buffer *sig, const request *r, PyObject *self)
{
    const ty_mldsa_pub *p = &((mldsa_pub *)self)->pub;
    switch (r->what) {
    case MU:
        return ty_mldsa_verify_mu(sig->buf, (size_t)sig->len, r->data.buf, p);
    case DIGEST:
        return ty_mldsa_verify_hash(sig->buf, (size_t)sig->len, MSG, r->hash, CTX, p);
    default:
        return ty_mldsa_verify(sig->buf, (size_t)sig->len, MSG, CTX, p);
    }
}

static ty_err verifier_run(const Py_buffer *sig, const request *r, PyObject *self)
{
    const ty_mldsa_verifier *v = &((mldsa_verifier *)self)->verifier;
    return r->what == MU ? ty_mldsa_verifier_verify_mu(sig->buf, (size_t)sig->len, r->data.buf, v)
                         : ty_mldsa_verifier_verify(sig->buf, (size_t)sig->len, MSG, CTX, v);
}

typedef ty_err sign_run(uint8_t *, size_t, const request *, PyObject *);
typedef ty_err verify_run(const Py_buffer *, const request *, PyObject *);

static PyObject *signature_of(state *st, PyObject *self, sign_run *run, size_t len,
                              const request *r)
{
    uint8_t *out;
    ty_err err;
    PyObject *bytes = new_bytes(&out, len);
    if (!bytes) return NULL;
    WITHOUT_GIL(ALWAYS, err = run(out, len, r, self));
    if (!err) return bytes;
    Py_DECREF(bytes);
    return fail(st, err, NULL, NULL);
}

static PyObject *sign_call(PyObject *self, sign_run *run, ty_mldsa_set set, subject what,
                           PyObject *const *args, Py_ssize_t n, PyObject *names,
                           const signature *sig, const int place[3])
{
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1], *a[3], *bytes = NULL;
    request r = { 0 };
    if (take_args(o, sig, args, n, names)) return NULL;
    for (int i = 0; i < 3; i++) a[i] = place[i] < 0 ? NULL : o[place[i]];
    if (!take_request(st, &r, what, o[0], a[0], a[1], a[2]))
        bytes = signature_of(st, self, run, ty_mldsa_sig_len(set), &r);
    release(&r.data, 2);
    return bytes;
}

static PyObject *verify_call(PyObject *self, verify_run *run, subject what, PyObject *const *args,
                             Py_ssize_t n, PyObject *names, const signature *sig,
                             const int place[2])
{
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer s = { 0 };
    request r = { 0 };
    ty_err err = TY_OK;
    if (take_args(o, sig, args, n, names)) return NULL;
    int bad = take_in(st, &s, o[0], "signature")
              || take_request(st, &r, what, o[1], place[0] < 0 ? NULL : o[place[0]],
                              place[1] < 0 ? NULL : o[place[1]], NULL);
    if (!bad) WITHOUT_GIL(ALWAYS, err = run(&s, &r, self));
    release(&s, 1);
    release(&r.data, 2);
    if (bad) return NULL;
    if (err) return fail(st, err, st->invalid_signature, NULL);
    Py_RETURN_NONE;
}

/* context, hash, deterministic: the indices of these arguments in the signature; -1 for those that
 * it does not have. */
#define SIGN(name, call, run, set_, what, required, positional, context, hash, deterministic, ...) \
    PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)           \
    {                                                                                              \
        static const signature sig = { call, required, positional, { __VA_ARGS__ } };              \
        static const int place[3] = { context, hash, deterministic };                              \
        return sign_call(self, run, set_, what, args, n, names, &sig, place);                      \
    }
#define VERIFY(name, call, run, what, required, positional, context, hash, ...)                    \
    PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)           \
    {                                                                                              \
        static const signature sig = { call, required, positional, { __VA_ARGS__ } };              \
        static const int place[2] = { context, hash };                                             \
        return verify_call(self, run, what, args, n, names, &sig, place);                          \
    }
#define KEY_SET    ((mldsa_key *)self)->key.pub.set
#define SIGNER_SET ((mldsa_signer *)self)->signer.pub.set
SIGN(mldsa_key_sign, "sign", key_run, KEY_SET, MESSAGE, 1, 2, 1, -1, 2, "data", "context",
     "deterministic")
SIGN(mldsa_key_sign_mu, "sign_mu", key_run, KEY_SET, MU, 1, 1, -1, -1, 1, "mu", "deterministic")
SIGN(mldsa_key_sign_prehashed, "sign_prehashed", key_run, KEY_SET, DIGEST, 2, 3, 2, 1, 3, "digest",
     "hash", "context", "deterministic")
VERIFY(mldsa_pub_verify, "verify", pub_run, MESSAGE, 2, 3, 2, -1, "signature", "data", "context")
VERIFY(mldsa_pub_verify_mu, "verify_mu", pub_run, MU, 2, 2, -1, -1, "signature", "mu")
VERIFY(mldsa_pub_verify_prehashed, "verify_prehashed", pub_run, DIGEST, 3, 4, 3, 2, "signature",
       "digest", "hash", "context")

static mldsa_method signer_sign, signer_sign_mu, verifier_verify, verifier_verify_mu;
SIGN(signer_sign, "sign", signer_run, SIGNER_SET, MESSAGE, 1, 2, 1, -1, 2, "data", "context",
     "deterministic")
SIGN(signer_sign_mu, "sign_mu", signer_run, SIGNER_SET, MU, 1, 1, -1, -1, 1, "mu", "deterministic")
VERIFY(verifier_verify, "verify", verifier_run, MESSAGE, 2, 3, 2, -1, "signature", "data",
       "context")
VERIFY(verifier_verify_mu, "verify_mu", verifier_run, MU, 2, 2, -1, -1, "signature", "mu")

PyObject *mldsa_key_signer(PyObject *self, PyObject *unused)
{
    (void)unused;
    mldsa_signer *s = new_object(state_of(self), T_MLDSA_SIGNER);
    ty_err err = TY_OK;
    if (s) WITHOUT_GIL(ALWAYS, err = ty_mldsa_signer_init(&s->signer, &((mldsa_key *)self)->key));
    return err ? fail(state_of(self), err, NULL, NULL)
               : (PyObject *)s; /* the key was checked when it was made, so err is TY_OK */
}

PyObject *mldsa_pub_verifier(PyObject *self, PyObject *unused)
{
    (void)unused;
    mldsa_verifier *v = new_object(state_of(self), T_MLDSA_VERIFIER);
    ty_err err = TY_OK;
    if (v)
        WITHOUT_GIL(ALWAYS, err = ty_mldsa_verifier_init(&v->verifier, &((mldsa_pub *)self)->pub));
    return err ? fail(state_of(self), err, NULL, NULL) : (PyObject *)v;
}

/* --- mu, streaming --- */

PyObject *mldsa_pub_mu(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = { "mu", 0, 1, { "context" } };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b = { 0 };
    mldsa_mu *m = NULL;
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    if (!take_context(st, &b, o[0]) && (m = new_object(st, T_MLDSA_MU)))
        err = ty_mldsa_mu_init(&m->mu, b.buf, (size_t)b.len, &((mldsa_pub *)self)->pub);
    release(&b, 1);
    if (!err) return (PyObject *)m;
    Py_DECREF(m);
    return fail(st, err, NULL, NULL);
}

static PyObject *mu_update(PyObject *self, PyObject *data)
{
    mldsa_mu *m = (mldsa_mu *)self;
    Py_buffer b = { 0 };
    if (take_in(state_of(self), &b, data, "data")) return NULL;
    lock(&m->busy);
    WITHOUT_GIL(b.len, ty_mldsa_mu_update(&m->mu, b.buf, (size_t)b.len));
    unlock(&m->busy);
    release(&b, 1);
    Py_RETURN_NONE;
}

static PyObject *mu_digest(PyObject *self, PyObject *unused)
{
    (void)unused;
    mldsa_mu *m = (mldsa_mu *)self;
    uint8_t out[TY_MLDSA_MU_LEN];
    lock(&m->busy);
    ty_mldsa_mu copy = m->mu;
    unlock(&m->busy);
    ty_mldsa_mu_final(out, &copy);
    return PyBytes_FromStringAndSize((const char *)out, sizeof out);
}

/* --- Types --- */

static void signer_dealloc(PyObject *self)
{
    ty_wipe(&((mldsa_signer *)self)->signer, sizeof(ty_mldsa_signer));
    free_object(self);
}

static PyMethodDef signer_methods[] = {
    { "sign", FASTCALL(signer_sign), FAST,
     "sign($self, data, context=None, *, deterministic=False)\n--\n\nAs the private key's." },
    { "sign_mu", FASTCALL(signer_sign_mu), FAST,
     "sign_mu($self, mu, *, deterministic=False)\n--\n\nAs the private key's." },
    NO_PICKLE,
    { 0 }
};
static PyMethodDef verifier_methods[] = {
    { "verify", FASTCALL(verifier_verify), FAST,
     "verify($self, signature, data, context=None)\n--\n\nAs the public key's." },
    { "verify_mu", FASTCALL(verifier_verify_mu), FAST,
     "verify_mu($self, signature, mu)\n--\n\nAs the public key's." },
    { 0 }
};
static PyMethodDef mu_methods[] = {
    { "update", mu_update, METH_O, "update($self, data, /)\n--\n\nAppend data to the message." },
    { "digest", mu_digest, METH_NOARGS,
     "digest($self, /)\n--\n\nThe mu of the data so far: 64 bytes." },
    NO_PICKLE,
    { 0 }
};

#define SLOTS(dealloc, methods, doc)                                                               \
    {                                                                                              \
        { Py_tp_dealloc, (void *)dealloc }, \
        { Py_tp_methods, methods }, \
        { Py_tp_doc, doc }, \
        { 0 } \
}
PyType_Slot mldsa_signer_slots[] =
    SLOTS(signer_dealloc, signer_methods, "A private key of ML-DSA, precomputed: signer().");
PyType_Slot mldsa_verifier_slots[] =
    SLOTS(plain_dealloc, verifier_methods, "A public key of ML-DSA, precomputed: verifier().");
PyType_Slot mldsa_mu_slots[] =
    SLOTS(plain_dealloc, mu_methods, "The mu of a message that comes in pieces.");
