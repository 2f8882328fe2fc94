/* ML-DSA (FIPS 204): keys of three parameter sets and their files. Operations with keys are in
 * mldsa_sign.c, batches in many_mldsa.c. */
#include "mldsa.h"
#include <string.h>

/* The index of the parameter set of a class; the three classes share their methods. */
static int index_of(state *st, PyObject *cls, int first)
{
    int i = 0;
    while (st->type[first + i] != (PyTypeObject *)cls) i++;
    return i;
}

/* A new object with a copy of key, unless err; key is wiped in any case. */
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
        got == TY_MLDSA_44   ? "this is a key of ML-DSA-44: read it with the classes of that set"
        : got == TY_MLDSA_65 ? "this is a key of ML-DSA-65: read it with the classes of that set"
        : want               ? "this is a key of ML-DSA-87: read it with the classes of that set"
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

typedef struct mldsa_read {
    ty_mldsa_key key;
    ty_mldsa_file file;
} mldsa_read;

static ty_err reader(file_input *in, void *to)
{
    mldsa_read *r = to;
    ty_err err = ty_mldsa_key_read(&r->key, &r->file, in->data, in->len, in->pass, in->pass_len);
    in->coding = r->file.coding;
    in->private_key = r->file.private_key;
    return err;
}

static PyObject *file_key(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names,
                          const signature *sig, ty_key_coding coding, int first)
{
    state *st = state_of_class(cls);
    ty_mldsa_set set = mldsa_sets[index_of(st, cls, first)];
    int private_key = first == T_MLDSA_KEY;
    PyObject *o[MAX_ARGS + 1], *result = NULL;
    mldsa_read r;
    if (take_args(o, sig, args, n, names)) return NULL;
    if (!read_key_file(st, reader, &r, o[0], private_key ? o[1] : NULL, coding, private_key))
        result = r.key.pub.set != set ? wrong_set(st, set, r.key.pub.set)
                 : private_key        ? new_mldsa_key(st, &r.key, TY_OK)
                                      : new_pub(st, &r.key.pub);
    ty_wipe(&r.key, sizeof r.key);
    return result;
}

#define READ(name, coding, first, positional, ...)                                                 \
    static PyObject *name(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names)     \
    {                                                                                              \
        static const signature sig = { &#name[4], 1, positional, { __VA_ARGS__ } };                \
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

static PyMethodDef key_methods[] = {
    { "generate", key_generate, METH_NOARGS | METH_CLASS, "generate($type, /)\n--\n\nA new key." },
    { "from_seed_bytes", key_from_seed, METH_O | METH_CLASS,
     "from_seed_bytes($type, data, /)\n--\n\nThe key that is made from a seed of 32 bytes." },
    { "from_private_bytes", key_from_private_bytes, METH_O | METH_CLASS,
     "from_private_bytes($type, data, /)\n--\n\nThe key as FIPS 204 encodes it, checked, without "
      "its seed." },
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
    { "sign", FASTCALL(mldsa_key_sign), FAST,
     "sign($self, data, context=None, *, deterministic=False)\n--\n\nA signature of data; context "
      "has at most 255 bytes." },
    { "sign_mu", FASTCALL(mldsa_key_sign_mu), FAST,
     "sign_mu($self, mu, *, deterministic=False)\n--\n\nThe same for the mu of a message: 64 "
      "bytes." },
    { "sign_prehashed", FASTCALL(mldsa_key_sign_prehashed), FAST,
     "sign_prehashed($self, digest, hash, context=None, *, deterministic=False)\n--\n\n"
      "HashML-DSA: a signature of a digest. hash names what made it: 'sha256', "
      "'sha3_512', 'shake_128' (32 bytes), 'sm3', ..." },
    { "signer", mldsa_key_signer, METH_NOARGS,
     "signer($self, /)\n--\n\nThis key precomputed for many signatures: 82 KB, and each takes less "
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
    { "verify", FASTCALL(mldsa_pub_verify), FAST,
     "verify($self, signature, data, context=None)\n--\n\nRaise InvalidSignature unless "
      "signature is a signature of data." },
    { "verify_mu", FASTCALL(mldsa_pub_verify_mu), FAST,
     "verify_mu($self, signature, mu)\n--\n\nThe same for the mu of a message: 64 bytes." },
    { "verify_prehashed", FASTCALL(mldsa_pub_verify_prehashed), FAST,
     "verify_prehashed($self, signature, digest, hash, context=None)\n--\n\nThe same for "
      "HashML-DSA." },
    { "mu", FASTCALL(mldsa_pub_mu), FAST,
     "mu($self, context=None)\n--\n\nA streaming hash of a long message; its digest is "
      "for sign_mu and verify_mu." },
    { "verifier", mldsa_pub_verifier, METH_NOARGS,
     "verifier($self, /)\n--\n\nThis key precomputed for many verifications: 67 KB, and each takes "
      "less time." },
    { 0 }
};
static PyType_Slot key_slots[] = {
    { Py_tp_dealloc, (void *)key_dealloc },
    { Py_tp_methods, key_methods },
    { Py_tp_doc, "A private key of ML-DSA. Wiped when it is freed; may be shared by threads." },
    { 0 }
};
static PyType_Slot pub_slots[] = {
    { Py_tp_dealloc, (void *)plain_dealloc },
    { Py_tp_methods, pub_methods },
    { Py_tp_richcompare, (void *)pub_compare },
    { Py_tp_hash, (void *)pub_hash },
    { Py_tp_doc, "A public key of ML-DSA. Objects with the same key compare equal." },
    { 0 }
};
#define SPEC(name, object, slots)                                                                  \
    { "tongyu.mldsa." name, sizeof(object), 0, MADE_BY_METHODS, slots }
static PyType_Spec specs[] = {
    /* in the order of T_MLDSA_KEY ... */
    SPEC("MLDSA44PrivateKey", mldsa_key, key_slots),
    SPEC("MLDSA65PrivateKey", mldsa_key, key_slots),
    SPEC("MLDSA87PrivateKey", mldsa_key, key_slots),
    SPEC("MLDSA44PublicKey", mldsa_pub, pub_slots),
    SPEC("MLDSA65PublicKey", mldsa_pub, pub_slots),
    SPEC("MLDSA87PublicKey", mldsa_pub, pub_slots),
    SPEC("MLDSASigner", mldsa_signer, mldsa_signer_slots),
    SPEC("MLDSAVerifier", mldsa_verifier, mldsa_verifier_slots),
    SPEC("MLDSAMu", mldsa_mu, mldsa_mu_slots),
};

int add_mldsa(PyObject *module)
{
    for (int i = 0; i < (int)(sizeof specs / sizeof *specs); i++)
        if (add_type(module, T_MLDSA_KEY + i, &specs[i])) return -1;
    return 0;
}
