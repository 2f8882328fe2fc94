/* SM2: private keys and their files. Public keys are in sm2_pub.c, the key exchange is in
 * sm2_exchange.c, batches are in many.c. */
#include "sm2.h"
#include <string.h>

const char *const sm2_sig_formats[] = { "der", "raw", NULL };

int take_id(state *st, Py_buffer *b, PyObject *o, const uint8_t **id, size_t *len)
{
    static const uint8_t usual[] = TY_SM2_ID;
    *id = usual;
    *len = TY_SM2_ID_LEN;
    if (!given(o)) return 0;
    if (take_in(st, b, o, "id")) return -1;
    *id = b->buf;
    *len = (size_t)b->len;
    if (*len <= TY_SM2_ID_MAX) return 0;
    refuse(st, "id has %zu bytes, and %d is the most: use a shorter one", *len, TY_SM2_ID_MAX);
    return -1;
}

const ty_sm2_pub *take_sm2_pub(state *st, PyObject *o, const char *name)
{
    if (Py_TYPE(o) == st->type[T_SM2_PUB]) return &((sm2_pub *)o)->pub;
    return PyErr_Format(PyExc_TypeError, "%s must be an SM2PublicKey, not %R", name, Py_TYPE(o)),
           NULL;
}

PyObject *new_sm2_pub(state *st, const ty_sm2_pub *pub)
{
    sm2_pub *p = new_object(st, T_SM2_PUB);
    if (p) p->pub = *pub;
    return (PyObject *)p;
}

#define SCALAR_RANGE "a private key is a number from 1 to n - 2"

/* A new object with a copy of key, unless err; key is wiped in any case. */
static PyObject *new_key(state *st, ty_sm2_key *key, ty_err err)
{
    sm2_key *k = err ? NULL : new_object(st, T_SM2_KEY);
    if (k) err = ty_sm2_signer_init(&k->signer, key, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN);
    ty_wipe(key, sizeof *key);
    if (!err) return (PyObject *)k;
    Py_XDECREF((PyObject *)k);
    return fail(st, err, NULL, err == TY_ERR_KEY ? SCALAR_RANGE : NULL);
}

static void key_dealloc(PyObject *self)
{
    ty_wipe(&((sm2_key *)self)->signer, sizeof(ty_sm2_signer));
    free_object(self);
}

/* --- Making private keys --- */

static PyObject *key_generate(PyObject *cls, PyObject *unused)
{
    (void)unused;
    ty_sm2_key key;
    ty_err err;
    WITHOUT_GIL(ALWAYS, err = ty_sm2_keygen(&key, ty_rng_system()));
    return new_key(state_of_class(cls), &key, err);
}

static PyObject *key_from_scalar(PyObject *cls, PyObject *scalar)
{
    state *st = state_of_class(cls);
    Py_buffer b = { 0 };
    uint8_t d[32];
    ty_sm2_key key;
    ty_err err;
    if (PyLong_Check(scalar)) {
        if (int_secret(st, d, 32, scalar, SCALAR_RANGE)) return NULL;
    } else {
        int bad = take_exact(st, &b, scalar, "scalar", 32);
        if (!bad) memcpy(d, b.buf, 32);
        release(&b, 1);
        if (bad) return NULL;
    }
    WITHOUT_GIL(ALWAYS, err = ty_sm2_key_set(&key, d));
    ty_wipe(d, sizeof d);
    return new_key(st, &key, err);
}

static ty_err reader(file_input *in, void *key)
{
    ty_key *k = key;
    ty_err err = ty_key_read(k, in->data, in->len, in->pass, in->pass_len);
    in->coding = k->coding;
    in->private_key = k->private_key;
    return err;
}

int sm2_read_file(state *st, ty_key *key, PyObject *data, PyObject *password, ty_key_coding coding,
                  int private_key)
{
    int bad = read_key_file(st, reader, key, data, password, coding, private_key);
    if (bad) ty_wipe(key, sizeof *key);
    return bad;
}

static PyObject *key_read(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names,
                          const signature *sig, ty_key_coding coding)
{
    state *st = state_of_class(cls);
    PyObject *o[MAX_ARGS + 1];
    ty_key file;
    if (take_args(o, sig, args, n, names) || sm2_read_file(st, &file, o[0], o[1], coding, 1))
        return NULL;
    ty_sm2_key key = file.sm2;
    ty_wipe(&file, sizeof file);
    return new_key(st, &key, TY_OK);
}

#define READ(name, coding)                                                                         \
    static PyObject *name(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names)     \
    {                                                                                              \
        static const signature sig = {                                                             \
            &#name[4], 1, 2, { "data", "password" }                                                \
        };                                                                                         \
        return key_read(cls, args, n, names, &sig, coding);                                        \
    }
READ(key_from_pem, TY_KEY_PEM)
READ(key_from_der, TY_KEY_DER)

static PyObject *key_private_bytes(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                   PyObject *names)
{
    static const signature sig = { "private_bytes", 0, 1, { FILE_ARGS } };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    file_options f;
    uint8_t buf[TY_KEY_ENCODED_MAX];
    size_t len = sizeof buf;
    ty_err err;
    if (take_args(o, &sig, args, n, names) || take_file(st, &f, o)) return NULL;
    ty_key key = { 1, f.form, f.coding, ((sm2_key *)self)->signer.key,
                   ((sm2_key *)self)->signer.key.pub };
    WITHOUT_GIL(f.pass ? ALWAYS : 0,
                err = ty_key_write(buf, &len, &key, f.form, f.coding, f.pass,
                                   (size_t)f.password.len, f.iterations, ty_rng_system()));
    ty_wipe(&key, sizeof key);
    release(&f.password, 1);
    return written(st, err, buf, len, sizeof buf);
}

static PyObject *key_scalar(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyBytes_FromStringAndSize((const char *)((sm2_key *)self)->signer.key.d, 32);
}

static PyObject *key_public_key(PyObject *self, PyObject *unused)
{
    (void)unused;
    return new_sm2_pub(state_of(self), &((sm2_key *)self)->signer.key.pub);
}

/* --- Signing --- */

PyObject *sm2_sig_bytes(const uint8_t sig[64], int raw)
{
    uint8_t der[TY_SM2_SIG_DER_MAX];
    size_t len;
    if (raw) return PyBytes_FromStringAndSize((const char *)sig, 64);
    ty_sm2_sig_to_der(der, &len, sig);
    return PyBytes_FromStringAndSize((const char *)der, (Py_ssize_t)len);
}

/* id: NULL for the default one, whose hash the signer has. */
static ty_err sign_with(uint8_t sig[64], const Py_buffer *msg, const Py_buffer *id,
                        const ty_sm2_signer *signer, int deterministic)
{
    size_t n = (size_t)msg->len;
    if (!id)
        return deterministic ? ty_sm2_signer_sign_deterministic(sig, msg->buf, n, signer)
                             : ty_sm2_signer_sign(sig, msg->buf, n, signer, ty_rng_system());
    return deterministic ? ty_sm2_sign_deterministic(sig, msg->buf, n, id->buf, (size_t)id->len,
                                                     &signer->key)
                         : ty_sm2_sign(sig, msg->buf, n, id->buf, (size_t)id->len, &signer->key,
                                       ty_rng_system());
}

static PyObject *key_sign(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "sign", 1, 2, { "data", "id", "format", "deterministic" }
    };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b[2] = { 0 };
    const uint8_t *id;
    uint8_t out[64];
    size_t id_len;
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int raw = take_choice(o[2], "format", sm2_sig_formats, 0), deterministic = take_flag(o[3], 0);
    int bad = raw < 0 || deterministic < 0 || take_in(st, &b[0], o[0], "data")
              || take_id(st, &b[1], o[1], &id, &id_len);
    if (!bad)
        WITHOUT_GIL(ALWAYS, err = sign_with(out, &b[0], given(o[1]) ? &b[1] : NULL,
                                            &((sm2_key *)self)->signer, deterministic));
    release(b, 2);
    if (bad) return NULL;
    return err ? fail(st, err, NULL, NULL) : sm2_sig_bytes(out, raw);
}

static PyObject *key_sign_digest(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                 PyObject *names)
{
    static const signature sig = {
        "sign_digest", 1, 1, { "digest", "format", "deterministic" }
    };
    state *st = state_of(self);
    const ty_sm2_key *key = &((sm2_key *)self)->signer.key;
    PyObject *o[MAX_ARGS + 1];
    Py_buffer e = { 0 };
    uint8_t out[64];
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int raw = take_choice(o[1], "format", sm2_sig_formats, 0), deterministic = take_flag(o[2], 0);
    int bad = raw < 0 || deterministic < 0 || take_exact(st, &e, o[0], "digest", 32);
    if (!bad)
        WITHOUT_GIL(ALWAYS, err = deterministic
                                      ? ty_sm2_sign_digest_deterministic(out, e.buf, key)
                                      : ty_sm2_sign_digest(out, e.buf, key, ty_rng_system()));
    release(&e, 1);
    if (bad) return NULL;
    return err ? fail(st, err, NULL, NULL) : sm2_sig_bytes(out, raw);
}

/* --- Decryption and agreement --- */

const char *const sm2_ct_formats[] = { "c1c3c2", "c1c2c3", "der", NULL };

/* *raw = C1 || C3 || C2 of the ciphertext `in`, which is in DER. The caller frees *raw. */
static ty_err from_der(uint8_t **raw, size_t *len, const Py_buffer *in)
{
    *len = (size_t)in->len;
    *raw = PyMem_Malloc(*len + 1);
    return *raw ? ty_sm2_ct_from_der(*raw, len, in->buf, (size_t)in->len) : TY_ERR_MEM;
}

static PyObject *decrypted(state *st, const uint8_t *in, size_t len, ty_sm2_order order,
                           const ty_sm2_key *key)
{
    uint8_t *out;
    ty_err err;
    if (len <= TY_SM2_OVERHEAD) return fail(st, TY_ERR_FORMAT, NULL, NULL);
    PyObject *bytes = new_bytes(&out, len - TY_SM2_OVERHEAD);
    if (!bytes) return NULL;
    WITHOUT_GIL(ALWAYS, err = ty_sm2_decrypt(out, in, len, order, key));
    if (!err) return bytes;
    Py_DECREF(bytes);
    return fail(st, err, st->invalid_tag, NULL);
}

static PyObject *key_decrypt(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "decrypt", 1, 2, { "ciphertext", "format" }
    };
    state *st = state_of(self);
    const ty_sm2_key *key = &((sm2_key *)self)->signer.key;
    PyObject *o[MAX_ARGS + 1], *bytes;
    Py_buffer in = { 0 };
    if (take_args(o, &sig, args, n, names)) return NULL;
    int format = take_choice(o[1], "format", sm2_ct_formats, C1C3C2);
    if (format < 0 || take_in(st, &in, o[0], "ciphertext")) return NULL;
    if (format == CT_DER) {
        uint8_t *raw;
        size_t len;
        ty_err err = from_der(&raw, &len, &in);
        bytes = err ? fail(st, err, NULL, NULL) : decrypted(st, raw, len, TY_SM2_C1C3C2, key);
        PyMem_Free(raw);
    } else {
        bytes = decrypted(st, in.buf, (size_t)in.len,
                          format == C1C2C3 ? TY_SM2_C1C2C3 : TY_SM2_C1C3C2, key);
    }
    release(&in, 1);
    return bytes;
}

static PyObject *key_exchange(PyObject *self, PyObject *peer)
{
    state *st = state_of(self);
    const ty_sm2_pub *pub = take_sm2_pub(st, peer, "peer_public_key");
    uint8_t out[32];
    ty_err err;
    if (!pub) return NULL;
    WITHOUT_GIL(ALWAYS, err = ty_sm2_ecdh(out, pub, &((sm2_key *)self)->signer.key));
    PyObject *bytes =
        err ? fail(st, err, NULL, NULL) : PyBytes_FromStringAndSize((const char *)out, 32);
    ty_wipe(out, sizeof out);
    return bytes;
}

/* --- The type --- */

static PyMethodDef key_methods[] = {
    { "generate", key_generate, METH_NOARGS | METH_CLASS, "generate($type, /)\n--\n\nA new key." },
    { "from_scalar", key_from_scalar, METH_O | METH_CLASS,
     "from_scalar($type, scalar, /)\n--\n\nThe key with a number from 1 to n - 2: an int, or 32 "
      "bytes, big-endian." },
    { "from_pem", FASTCALL(key_from_pem), CLASS,
     "from_pem($type, data, password=None)\n--\n\nRead PKCS#8, encrypted or not, or SEC1, in "
      "PEM.\n\n"
      "A wrong password is InvalidKey, and takes as long as a right one." },
    { "from_der", FASTCALL(key_from_der), CLASS,
     "from_der($type, data, password=None)\n--\n\nThe same in DER." },
    { "private_bytes", FASTCALL(key_private_bytes), FAST,
     "private_bytes($self, password=None, *, encoding='pem', format='pkcs8', iterations=600000, "
      "prf='sm3')\n--\n\n"
      "The key as a file; with a password PKCS#8 is encrypted by SM4-CBC under PBKDF2.\n\n"
      "encoding is 'pem' or 'der', format 'pkcs8' or 'sec1', prf 'sm3' or 'sha256' (for OpenSSL "
      "3.0)." },
    { "scalar", key_scalar, METH_NOARGS,
     "scalar($self, /)\n--\n\nThe private number: 32 bytes, big-endian." },
    { "public_key", key_public_key, METH_NOARGS, "public_key($self, /)\n--\n\nThe public half." },
    { "sign", FASTCALL(key_sign), FAST,
     "sign($self, data, id=b'1234567812345678', *, format='der', deterministic=False)\n--\n\n"
      "A signature of data by the signer id (GB/T 32918.2).\n\n"
      "format is 'der' or 'raw' (r || s, 64 bytes). deterministic: the nonce of RFC 6979 with "
      "HMAC-SM3." },
    { "sign_digest", FASTCALL(key_sign_digest), FAST,
     "sign_digest($self, digest, *, format='der', deterministic=False)\n--\n\nThe same for SM3(Z "
      "|| data): 32 bytes." },
    { "decrypt", FASTCALL(key_decrypt), FAST,
     "decrypt($self, ciphertext, format='c1c3c2')\n--\n\n"
      "The plaintext; InvalidTag if it is not for this key or was altered. format is 'c1c3c2', "
      "'c1c2c3' or 'der'." },
    { "exchange", key_exchange, METH_O,
     "exchange($self, peer_public_key, /)\n--\n\nECDH: the x coordinate, 32 bytes. Derive keys "
      "from it (hkdf_sm3)." },
    { "key_exchange", FASTCALL(sm2_key_exchange), FAST,
     "key_exchange($self, role, id=b'1234567812345678')\n--\n\n"
      "Begin an exchange with confirmation (GB/T 32918.3); role is 'initiator' or 'responder'." },
    NO_PICKLE,
    { 0 }
};

static PyType_Slot key_slots[] = {
    { Py_tp_dealloc, (void *)key_dealloc },
    { Py_tp_methods, key_methods },
    { Py_tp_doc, "A private key of SM2. Wiped when it is freed; may be shared by threads." },
    { 0 }
};
static PyType_Spec key_spec = { "tongyu.sm2.SM2PrivateKey", sizeof(sm2_key), 0, MADE_BY_METHODS,
                                key_slots };

int add_sm2(PyObject *module)
{
    return add_type(module, T_SM2_KEY, &key_spec) || add_type(module, T_SM2_PUB, &sm2_pub_spec)
                   || add_type(module, T_SM2_VERIFIER, &sm2_verifier_spec)
                   || add_type(module, T_SM2_KX, &sm2_kx_spec)
               ? -1
               : 0;
}
