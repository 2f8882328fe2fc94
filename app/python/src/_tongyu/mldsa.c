/* ML-DSA (FIPS 204): keys of three sets, signatures pure, by mu and pre-hashed, keys made ready,
 * files. */
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

/* The set of a class: its methods are shared by three. */
static int index_of(state *st, PyObject *cls, int first)
{
    int i = 0;
    while (st->type[first + i] != (PyTypeObject *)cls) i++;
    return i;
}

/* Takes over key, and wipes it. */
PyObject *new_mldsa_key(state *st, ty_mldsa_key *key, ty_err err)
{
    mldsa_key *k = err ? NULL : new_object(st, T_MLDSA_KEY + mldsa_index(key->pub.set));
    if (k) k->key = *key;
    ty_wipe(key, sizeof *key);
    return err ? fail(st, err, NULL, NULL) : (PyObject *)k;
}

static PyObject *new_pub(state *st, const ty_mldsa_pub *pub)
{
    mldsa_pub *p = new_object(st, T_MLDSA_PUB + mldsa_index(pub->set));
    if (p) p->pub = *pub;
    return (PyObject *)p;
}

static void key_dealloc(PyObject *self)
{
    ty_wipe(&((mldsa_key *)self)->key, sizeof(ty_mldsa_key));
    free_object(self);
}

static void signer_dealloc(PyObject *self)
{
    ty_wipe(&((mldsa_signer *)self)->signer, sizeof(ty_mldsa_signer));
    free_object(self);
}

static void plain_dealloc(PyObject *self) { free_object(self); }

static state *state_of_class(PyObject *cls) { return PyType_GetModuleState((PyTypeObject *)cls); }

/* --- Making keys --- */

static PyObject *key_generate(PyObject *cls, PyObject *unused)
{
    (void)unused;
    state *st = state_of_class(cls);
    ty_mldsa_key key;
    ty_err err;
    WITHOUT_GIL(ALWAYS, err = ty_mldsa_keygen(&key, mldsa_sets[index_of(st, cls, T_MLDSA_KEY)],
                                              ty_rng_system()));
    return new_mldsa_key(st, &key, err);
}

static PyObject *key_from_seed(PyObject *cls, PyObject *seed)
{
    state *st = state_of_class(cls);
    Py_buffer b = { 0 };
    ty_mldsa_key key;
    ty_err err = TY_OK;
    int bad = take_exact(st, &b, seed, "seed", TY_MLDSA_SEED_LEN);
    if (!bad)
        WITHOUT_GIL(ALWAYS, err = ty_mldsa_key_from_seed(
                                &key, b.buf, mldsa_sets[index_of(st, cls, T_MLDSA_KEY)]));
    release(&b, 1);
    return bad ? NULL : new_mldsa_key(st, &key, err);
}

static PyObject *wrong_set(state *st, ty_mldsa_set want, ty_mldsa_set got)
{
    return fail(
        st, TY_ERR_KEY, NULL,
        got == TY_MLDSA_44   ? "this is a key of ML-DSA-44: read it by the classes of that set"
        : got == TY_MLDSA_65 ? "this is a key of ML-DSA-65: read it by the classes of that set"
        : want               ? "this is a key of ML-DSA-87: read it by the classes of that set"
                             : NULL);
}

static PyObject *key_from_private_bytes(PyObject *cls, PyObject *data)
{
    state *st = state_of_class(cls);
    ty_mldsa_set set = mldsa_sets[index_of(st, cls, T_MLDSA_KEY)];
    Py_buffer b = { 0 };
    ty_mldsa_key key;
    ty_err err = TY_OK;
    int bad = take_exact(st, &b, data, "data", ty_mldsa_key_len(set));
    if (!bad) WITHOUT_GIL(ALWAYS, err = ty_mldsa_key_set(&key, b.buf, (size_t)b.len));
    release(&b, 1);
    return bad ? NULL : new_mldsa_key(st, &key, err);
}

static PyObject *pub_from_public_bytes(PyObject *cls, PyObject *data)
{
    state *st = state_of_class(cls);
    ty_mldsa_set set = mldsa_sets[index_of(st, cls, T_MLDSA_PUB)];
    Py_buffer b = { 0 };
    ty_mldsa_pub pub;
    ty_err err = TY_OK;
    int bad = take_exact(st, &b, data, "data", ty_mldsa_pub_len(set));
    if (!bad) err = ty_mldsa_pub_set(&pub, b.buf, (size_t)b.len);
    release(&b, 1);
    if (bad) return NULL;
    return err ? fail(st, err, NULL, NULL) : new_pub(st, &pub);
}

/* Reads a file of the coding asked for; key is the caller's to wipe. */
static int read_file(state *st, ty_mldsa_key *key, PyObject *data, PyObject *password,
                     ty_key_coding coding, int private_key)
{
    Py_buffer b[2] = { 0 };
    ty_mldsa_file file;
    ty_err err = TY_OK;
    int bad = take_in(st, &b[0], data, "data") || take_opt(st, &b[1], password, "password");
    if (!bad) {
        const void *pass = given(password) ? b[1].len ? b[1].buf : "" : NULL;
        WITHOUT_GIL(ALWAYS, err = ty_mldsa_key_read(key, &file, b[0].buf, (size_t)b[0].len, pass,
                                                    (size_t)b[1].len));
    }
    release(b, 2);
    if (bad) return -1;
    if (!err && file.coding != coding) err = TY_ERR_FORMAT;
    if (!err && file.private_key == private_key) return 0;
    ty_wipe(key, sizeof *key);
    if (err) unreadable(st, err);
    else
        fail(st, TY_ERR_KEY, NULL,
             private_key ? "this file holds a public key" : "this file holds a private key");
    return -1;
}

static PyObject *file_key(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names,
                          const signature *sig, ty_key_coding coding, int first)
{
    state *st = state_of_class(cls);
    ty_mldsa_set set = mldsa_sets[index_of(st, cls, first)];
    int private_key = first == T_MLDSA_KEY;
    PyObject *o[MAX_ARGS + 1], *result;
    ty_mldsa_key key;
    if (take_args(o, sig, args, n, names)) return NULL;
    if (read_file(st, &key, o[0], private_key ? o[1] : NULL, coding, private_key)) return NULL;
    if (key.pub.set != set) result = wrong_set(st, set, key.pub.set);
    else if (private_key) return new_mldsa_key(st, &key, TY_OK);
    else result = new_pub(st, &key.pub);
    ty_wipe(&key, sizeof key);
    return result;
}

#define READ(name, coding, first, positional, ...)                                                 \
    static PyObject *name(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names)     \
    {                                                                                              \
        static const signature sig = { #name + 4, 1, positional, { __VA_ARGS__ } };                \
        return file_key(cls, args, n, names, &sig, coding, first);                                 \
    }
READ(key_from_pem, TY_KEY_PEM, T_MLDSA_KEY, 2, "data", "password")
READ(key_from_der, TY_KEY_DER, T_MLDSA_KEY, 2, "data", "password")
READ(pub_from_pem, TY_KEY_PEM, T_MLDSA_PUB, 1, "data")
READ(pub_from_der, TY_KEY_DER, T_MLDSA_PUB, 1, "data")

/* --- Writing keys --- */

static PyObject *key_public_key(PyObject *self, PyObject *unused)
{
    (void)unused;
    return new_pub(state_of(self), &((mldsa_key *)self)->key.pub);
}

static PyObject *key_private_bytes_raw(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ty_mldsa_key *key = &((mldsa_key *)self)->key;
    if (!key->has_seed)
        return refuse(state_of(self),
                      "this key was read without its seed: use private_bytes_expanded()");
    return PyBytes_FromStringAndSize((const char *)key->seed, TY_MLDSA_SEED_LEN);
}

static PyObject *key_private_bytes_expanded(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ty_mldsa_key *key = &((mldsa_key *)self)->key;
    return PyBytes_FromStringAndSize((const char *)key->bytes,
                                     (Py_ssize_t)ty_mldsa_key_len(key->pub.set));
}

static PyObject *key_private_bytes(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                   PyObject *names)
{
    static const signature sig = {
        "private_bytes", 0, 1, { FILE_ARGS, "content" }
    };
    static const char *const contents[] = { "seed", "expanded", "both",
                                            NULL }; /* in the order of ty_mldsa_content */
    state *st = state_of(self);
    const ty_mldsa_key *key = &((mldsa_key *)self)->key;
    PyObject *o[MAX_ARGS + 1];
    file_options f;
    uint8_t buf[TY_MLDSA_ENCODED_MAX];
    size_t len = sizeof buf;
    ty_err err;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int content =
        take_choice(o[5], "content", contents, key->has_seed ? TY_MLDSA_SEED : TY_MLDSA_EXPANDED);
    if (content < 0 || take_file(st, &f, o)) return NULL;
    WITHOUT_GIL(f.pass ? ALWAYS : 0,
                err = ty_mldsa_key_write(buf, &len, key, (ty_mldsa_content)content, f.form,
                                         f.coding, f.pass, (size_t)f.password.len, f.iterations,
                                         ty_rng_system()));
    release(&f.password, 1);
    return written(st, err, buf, len, sizeof buf);
}

static PyObject *pub_public_bytes_raw(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ty_mldsa_pub *pub = &((mldsa_pub *)self)->pub;
    return PyBytes_FromStringAndSize((const char *)pub->bytes,
                                     (Py_ssize_t)ty_mldsa_pub_len(pub->set));
}

static PyObject *pub_public_bytes(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                  PyObject *names)
{
    static const signature sig = { "public_bytes", 0, 1, { "encoding" } };
    static const char *const encodings[] = { "pem", "der", "raw", NULL };
    PyObject *o[MAX_ARGS + 1];
    uint8_t buf[TY_MLDSA_ENCODED_MAX];
    size_t len = sizeof buf;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int encoding = take_choice(o[0], "encoding", encodings, 0);
    if (encoding < 0) return NULL;
    if (encoding == 2) return pub_public_bytes_raw(self, NULL);
    ty_err err = ty_mldsa_pub_write(buf, &len, &((mldsa_pub *)self)->pub,
                                    encoding ? TY_KEY_DER : TY_KEY_PEM);
    return written(state_of(self), err, buf, len, sizeof buf);
}

/* --- Signing --- */

/* What is signed: a message, a mu, or a digest by its hash. */
typedef enum subject { MESSAGE, MU, DIGEST } subject;
typedef struct request {
    subject what;
    Py_buffer data, context;
    ty_mldsa_hash hash;
    const ty_rng *rng; /* NULL: deterministic */
} request;

static int take_request(state *st, request *r, subject what, PyObject *data, PyObject *context,
                        PyObject *hash, PyObject *same)
{
    static const char *const names[] = { "data", "mu", "digest" };
    int deterministic = take_flag(same, 0), h = what == DIGEST ? take_hash(hash) : 0;
    r->what = what;
    r->rng = deterministic ? NULL : ty_rng_system();
    r->hash = (ty_mldsa_hash)h;
    if (deterministic < 0) return -1;
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

/* Where a signature has context, hash and deterministic; -1: nowhere. */
#define SIGN(name, call, run, set_, what, required, positional, context, hash, same, ...)          \
    static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)    \
    {                                                                                              \
        static const signature sig = { call, required, positional, { __VA_ARGS__ } };              \
        static const int place[3] = { context, hash, same };                                       \
        return sign_call(self, run, set_, what, args, n, names, &sig, place);                      \
    }
#define VERIFY(name, call, run, what, required, positional, context, hash, ...)                    \
    static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)    \
    {                                                                                              \
        static const signature sig = { call, required, positional, { __VA_ARGS__ } };              \
        static const int place[2] = { context, hash };                                             \
        return verify_call(self, run, what, args, n, names, &sig, place);                          \
    }
#define KEY_SET    ((mldsa_key *)self)->key.pub.set
#define SIGNER_SET ((mldsa_signer *)self)->signer.pub.set
SIGN(key_sign, "sign", key_run, KEY_SET, MESSAGE, 1, 2, 1, -1, 2, "data", "context",
     "deterministic")
SIGN(key_sign_mu, "sign_mu", key_run, KEY_SET, MU, 1, 1, -1, -1, 1, "mu", "deterministic")
SIGN(key_sign_prehashed, "sign_prehashed", key_run, KEY_SET, DIGEST, 2, 3, 2, 1, 3, "digest",
     "hash", "context", "deterministic")
SIGN(signer_sign, "sign", signer_run, SIGNER_SET, MESSAGE, 1, 2, 1, -1, 2, "data", "context",
     "deterministic")
SIGN(signer_sign_mu, "sign_mu", signer_run, SIGNER_SET, MU, 1, 1, -1, -1, 1, "mu", "deterministic")
VERIFY(pub_verify, "verify", pub_run, MESSAGE, 2, 3, 2, -1, "signature", "data", "context")
VERIFY(pub_verify_mu, "verify_mu", pub_run, MU, 2, 2, -1, -1, "signature", "mu")
VERIFY(pub_verify_prehashed, "verify_prehashed", pub_run, DIGEST, 3, 4, 3, 2, "signature", "digest",
       "hash", "context")
VERIFY(verifier_verify, "verify", verifier_run, MESSAGE, 2, 3, 2, -1, "signature", "data",
       "context")
VERIFY(verifier_verify_mu, "verify_mu", verifier_run, MU, 2, 2, -1, -1, "signature", "mu")

static PyObject *key_signer(PyObject *self, PyObject *unused)
{
    (void)unused;
    mldsa_signer *s = new_object(state_of(self), T_MLDSA_SIGNER);
    ty_err err = TY_OK;
    if (s) WITHOUT_GIL(ALWAYS, err = ty_mldsa_signer_init(&s->signer, &((mldsa_key *)self)->key));
    return err ? fail(state_of(self), err, NULL, NULL)
               : (PyObject *)s; /* a key that exists was set: no error is left */
}

static PyObject *pub_verifier(PyObject *self, PyObject *unused)
{
    (void)unused;
    mldsa_verifier *v = new_object(state_of(self), T_MLDSA_VERIFIER);
    ty_err err = TY_OK;
    if (v)
        WITHOUT_GIL(ALWAYS, err = ty_mldsa_verifier_init(&v->verifier, &((mldsa_pub *)self)->pub));
    return err ? fail(state_of(self), err, NULL, NULL) : (PyObject *)v;
}

/* --- mu in pieces --- */

typedef struct mldsa_mu {
    PyObject_HEAD
    atomic_flag busy;
    ty_mldsa_mu mu;
} mldsa_mu;

static PyObject *pub_mu(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
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

/* --- Comparison --- */

static PyObject *pub_compare(PyObject *self, PyObject *other, int how)
{
    if ((how != Py_EQ && how != Py_NE) || Py_TYPE(other) != Py_TYPE(self)) Py_RETURN_NOTIMPLEMENTED;
    const ty_mldsa_pub *a = &((mldsa_pub *)self)->pub, *b = &((mldsa_pub *)other)->pub;
    return PyBool_FromLong((memcmp(a->bytes, b->bytes, ty_mldsa_pub_len(a->set)) == 0)
                           == (how == Py_EQ));
}

static Py_hash_t pub_hash(PyObject *self)
{
    Py_hash_t h;
    memcpy(&h, ((mldsa_pub *)self)->pub.tr, sizeof h);
    return h == -1 ? -2 : h;
}

/* --- Types --- */

#define CLASS (FAST | METH_CLASS)
static PyMethodDef key_methods[] = {
    { "generate", key_generate, METH_NOARGS | METH_CLASS, "generate($type, /)\n--\n\nA new key." },
    { "from_seed_bytes", key_from_seed, METH_O | METH_CLASS,
     "from_seed_bytes($type, data, /)\n--\n\nThe key that grows from a seed of 32 bytes." },
    { "from_private_bytes", key_from_private_bytes, METH_O | METH_CLASS,
     "from_private_bytes($type, data, /)\n--\n\nThe key as FIPS 204 encodes it, checked; its seed "
     "stays unknown." },
    { "from_pem", FASTCALL(key_from_pem), CLASS,
     "from_pem($type, data, password=None)\n--\n\nRead PKCS#8 (RFC 9881), encrypted or not, in "
     "PEM." },
    { "from_der", FASTCALL(key_from_der), CLASS,
     "from_der($type, data, password=None)\n--\n\nThe same in DER." },
    { "private_bytes", FASTCALL(key_private_bytes), FAST,
     "private_bytes($self, password=None, *, encoding='pem', format='pkcs8', iterations=600000, "
     "prf='sm3', content=None)\n--\n\n"
      "The key as a file. content is 'seed', 'expanded' or 'both'; by default the seed, where it "
      "is known." },
    { "private_bytes_raw", key_private_bytes_raw, METH_NOARGS,
     "private_bytes_raw($self, /)\n--\n\nThe seed: 32 bytes." },
    { "private_bytes_expanded", key_private_bytes_expanded, METH_NOARGS,
     "private_bytes_expanded($self, /)\n--\n\nThe key as FIPS 204 encodes it." },
    { "public_key", key_public_key, METH_NOARGS, "public_key($self, /)\n--\n\nThe public half." },
    { "sign", FASTCALL(key_sign), FAST,
     "sign($self, data, context=None, *, deterministic=False)\n--\n\nA signature of data; context "
     "has at most 255 bytes." },
    { "sign_mu", FASTCALL(key_sign_mu), FAST,
     "sign_mu($self, mu, *, deterministic=False)\n--\n\nThe same for the mu of a message: 64 "
     "bytes." },
    { "sign_prehashed", FASTCALL(key_sign_prehashed), FAST,
     "sign_prehashed($self, digest, hash, context=None, *, deterministic=False)\n--\n\n"
      "HashML-DSA: a signature of a digest. hash names it: 'sha256', 'sha3_512', 'shake_128' (32 "
      "bytes), 'sm3', ..." },
    { "signer", key_signer, METH_NOARGS,
     "signer($self, /)\n--\n\nThis key made ready for many signatures: 80 KB, and each takes less "
     "time." },
    NO_PICKLE,
    { 0 }
};
static PyMethodDef pub_methods[] = {
    { "from_public_bytes", pub_from_public_bytes, METH_O | METH_CLASS,
     "from_public_bytes($type, data, /)\n--\n\nThe key as FIPS 204 encodes it." },
    { "from_pem", FASTCALL(pub_from_pem), CLASS,
     "from_pem($type, data)\n--\n\nRead SubjectPublicKeyInfo in PEM." },
    { "from_der", FASTCALL(pub_from_der), CLASS,
     "from_der($type, data)\n--\n\nRead SubjectPublicKeyInfo in DER." },
    { "public_bytes", FASTCALL(pub_public_bytes), FAST,
     "public_bytes($self, encoding='pem')\n--\n\nThe key as 'pem', 'der' or 'raw'." },
    { "public_bytes_raw", pub_public_bytes_raw, METH_NOARGS,
     "public_bytes_raw($self, /)\n--\n\nThe key as FIPS 204 encodes it." },
    { "verify", FASTCALL(pub_verify), FAST,
     "verify($self, signature, data, context=None)\n--\n\nReturn if signature is one of data; "
     "else raise InvalidSignature." },
    { "verify_mu", FASTCALL(pub_verify_mu), FAST,
     "verify_mu($self, signature, mu)\n--\n\nThe same for the mu of a message: 64 bytes." },
    { "verify_prehashed", FASTCALL(pub_verify_prehashed), FAST,
     "verify_prehashed($self, signature, digest, hash, context=None)\n--\n\nThe same for "
     "HashML-DSA." },
    { "mu", FASTCALL(pub_mu), FAST,
     "mu($self, context=None)\n--\n\nA hash that takes a long message in pieces; its digest is "
     "for sign_mu and verify_mu." },
    { "verifier", pub_verifier, METH_NOARGS,
     "verifier($self, /)\n--\n\nThis key made ready for many verifications: 67 KB, and each takes "
     "less time." },
    { 0 }
};
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
     "digest($self, /)\n--\n\nThe mu of what came so far: 64 bytes." },
    NO_PICKLE,
    { 0 }
};

#define FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE)
#define SLOTS(dealloc, methods, doc)                                                               \
    {                                                                                              \
        { Py_tp_dealloc, (void *)dealloc }, \
        { Py_tp_methods, methods }, \
        { Py_tp_doc, doc }, \
        { 0 } \
}
static PyType_Slot key_slots[] =
    SLOTS(key_dealloc, key_methods,
          "A private key of ML-DSA. Wiped when it dies; may be shared by threads.");
static PyType_Slot pub_slots[] = {
    { Py_tp_dealloc, (void *)plain_dealloc },
    { Py_tp_methods, pub_methods },
    { Py_tp_richcompare, (void *)pub_compare },
    { Py_tp_hash, (void *)pub_hash },
    { Py_tp_doc, "A public key of ML-DSA. Keys that are equal compare equal." },
    { 0 }
};
static PyType_Slot signer_slots[] =
    SLOTS(signer_dealloc, signer_methods, "A private key of ML-DSA made ready: signer().");
static PyType_Slot verifier_slots[] =
    SLOTS(plain_dealloc, verifier_methods, "A public key of ML-DSA made ready: verifier().");
static PyType_Slot mu_slots[] =
    SLOTS(plain_dealloc, mu_methods, "The mu of a message that comes in pieces.");

#define SPEC(name, object, slots) { "tongyu.mldsa." name, sizeof(object), 0, FLAGS, slots }
static PyType_Spec specs[] = {
    /* in the order of T_MLDSA_KEY ... */
    SPEC("MLDSA44PrivateKey", mldsa_key, key_slots),
    SPEC("MLDSA65PrivateKey", mldsa_key, key_slots),
    SPEC("MLDSA87PrivateKey", mldsa_key, key_slots),
    SPEC("MLDSA44PublicKey", mldsa_pub, pub_slots),
    SPEC("MLDSA65PublicKey", mldsa_pub, pub_slots),
    SPEC("MLDSA87PublicKey", mldsa_pub, pub_slots),
    SPEC("MLDSASigner", mldsa_signer, signer_slots),
    SPEC("MLDSAVerifier", mldsa_verifier, verifier_slots),
    SPEC("MLDSAMu", mldsa_mu, mu_slots),
};

int add_mldsa(PyObject *module)
{
    for (int i = 0; i < (int)(sizeof specs / sizeof *specs); i++)
        if (add_type(module, T_MLDSA_KEY + i, &specs[i])) return -1;
    return 0;
}
