/* SM2: public keys, their files, and verifiers with a table. */
#include "sm2.h"
#include <string.h>

static PyObject *pub_from_point(PyObject *cls, PyObject *point)
{
    state *st = state_of_class(cls);
    Py_buffer b = { 0 };
    ty_sm2_pub pub;
    if (take_in(st, &b, point, "point")) return NULL;
    ty_err err = ty_sm2_pub_set(&pub, b.buf, (size_t)b.len);
    release(&b, 1);
    return err ? fail(st, err, NULL, "a point has 33, 64 or 65 bytes and lies on the curve")
               : new_sm2_pub(st, &pub);
}

static PyObject *pub_read(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names,
                          const signature *sig, ty_key_coding coding)
{
    state *st = state_of_class(cls);
    PyObject *o[MAX_ARGS + 1];
    ty_key file;
    if (take_args(o, sig, args, n, names) || sm2_read_file(st, &file, o[0], NULL, coding, 0))
        return NULL;
    return new_sm2_pub(st, &file.pub);
}

#define READ(name, coding)                                                                         \
    static PyObject *name(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names)     \
    {                                                                                              \
        static const signature sig = { &#name[4], 1, 1, { "data" } };                              \
        return pub_read(cls, args, n, names, &sig, coding);                                        \
    }
READ(pub_from_pem, TY_KEY_PEM)
READ(pub_from_der, TY_KEY_DER)

static PyObject *pub_file(state *st, const ty_sm2_pub *pub, ty_key_coding coding)
{
    uint8_t buf[TY_KEY_ENCODED_MAX];
    size_t len = sizeof buf;
    ty_key key = { .private_key = 0, .pub = *pub };
    ty_err err = ty_key_write(buf, &len, &key, TY_KEY_SPKI, coding, NULL, 0, 0, NULL);
    return written(st, err, buf, len, sizeof buf);
}

static PyObject *pub_public_bytes(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                  PyObject *names)
{
    static const signature sig = { "public_bytes", 0, 1, { "encoding" } };
    static const char *const encodings[] = { "pem", "der", "point", "compressed", NULL };
    const ty_sm2_pub *pub = &((sm2_pub *)self)->pub;
    PyObject *o[MAX_ARGS + 1];
    uint8_t point[65];
    if (take_args(o, &sig, args, n, names)) return NULL;
    int encoding = take_choice(o[0], "encoding", encodings, 0);
    switch (encoding) {
    case -1:
        return NULL;
    case 2:
        ty_sm2_pub_get(point, pub);
        return PyBytes_FromStringAndSize((const char *)point, 65);
    case 3:
        ty_sm2_pub_get_compressed(point, pub);
        return PyBytes_FromStringAndSize((const char *)point, 33);
    default:
        return pub_file(state_of(self), pub, encoding ? TY_KEY_DER : TY_KEY_PEM);
    }
}

/* raw = the raw form of a signature given in either format. TY_ERR_VERIFY if it is malformed. */
static ty_err sig_raw(uint8_t raw[64], const Py_buffer *sig, int is_raw)
{
    if (!is_raw)
        return ty_sm2_sig_from_der(raw, sig->buf, (size_t)sig->len) ? TY_ERR_VERIFY : TY_OK;
    if (sig->len != 64) return TY_ERR_VERIFY;
    memcpy(raw, sig->buf, 64);
    return TY_OK;
}

static PyObject *verdict(state *st, ty_err err)
{
    if (err) return fail(st, err, st->invalid_signature, NULL);
    Py_RETURN_NONE;
}

static PyObject *pub_verify(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "verify", 2, 3, { "signature", "data", "id", "format" }
    };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b[3] = { 0 };
    const uint8_t *id;
    uint8_t raw[64];
    size_t id_len;
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int is_raw = take_choice(o[3], "format", sm2_sig_formats, 0);
    int bad = is_raw < 0 || take_in(st, &b[0], o[0], "signature")
              || take_in(st, &b[1], o[1], "data") || take_id(st, &b[2], o[2], &id, &id_len);
    if (!bad && !(err = sig_raw(raw, &b[0], is_raw)))
        WITHOUT_GIL(ALWAYS, err = ty_sm2_verify(raw, b[1].buf, (size_t)b[1].len, id, id_len,
                                                &((sm2_pub *)self)->pub));
    release(b, 3);
    return bad ? NULL : verdict(st, err);
}

static PyObject *pub_verify_digest(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                   PyObject *names)
{
    static const signature sig = {
        "verify_digest", 2, 2, { "signature", "digest", "format" }
    };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b[2] = { 0 };
    uint8_t raw[64];
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int is_raw = take_choice(o[2], "format", sm2_sig_formats, 0);
    int bad = is_raw < 0 || take_in(st, &b[0], o[0], "signature")
              || take_exact(st, &b[1], o[1], "digest", 32);
    if (!bad && !(err = sig_raw(raw, &b[0], is_raw)))
        WITHOUT_GIL(ALWAYS, err = ty_sm2_verify_digest(raw, b[1].buf, &((sm2_pub *)self)->pub));
    release(b, 2);
    return bad ? NULL : verdict(st, err);
}

static PyObject *encrypted(state *st, const Py_buffer *msg, int format, const ty_sm2_pub *pub)
{
    uint8_t *out;
    ty_err err;
    PyObject *bytes = new_bytes(&out, (size_t)msg->len + TY_SM2_OVERHEAD), *der = NULL;
    if (!bytes) return NULL;
    ty_sm2_order order = format == C1C2C3 ? TY_SM2_C1C2C3 : TY_SM2_C1C3C2;
    WITHOUT_GIL(ALWAYS,
                err = ty_sm2_encrypt(out, msg->buf, (size_t)msg->len, order, pub, ty_rng_system()));
    if (!err && format != CT_DER) return bytes;
    if (!err) {
        uint8_t *to;
        size_t len = (size_t)msg->len + TY_SM2_OVERHEAD,
               room = len + 32; /* DER adds tags and lengths: 27 bytes at most */
        der = new_bytes(&to, room);
        if (der && !(err = ty_sm2_ct_to_der(to, &room, out, len))) der = shrunk(der, room);
    }
    Py_DECREF(bytes);
    if (!err) return der;
    Py_XDECREF(der);
    return fail(st, err, NULL,
                err == TY_ERR_ARG ? "SM2 does not encrypt an empty message" : NULL);
}

static PyObject *pub_encrypt(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "encrypt", 1, 2, { "data", "format" }
    };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer in = { 0 };
    if (take_args(o, &sig, args, n, names)) return NULL;
    int format = take_choice(o[1], "format", sm2_ct_formats, C1C3C2);
    if (format < 0 || take_in(st, &in, o[0], "data")) return NULL;
    PyObject *bytes = encrypted(st, &in, format, &((sm2_pub *)self)->pub);
    release(&in, 1);
    return bytes;
}

static PyObject *pub_compare(PyObject *self, PyObject *other, int how)
{
    if ((how != Py_EQ && how != Py_NE) || Py_TYPE(other) != Py_TYPE(self)) Py_RETURN_NOTIMPLEMENTED;
    int same = memcmp(&((sm2_pub *)self)->pub, &((sm2_pub *)other)->pub, sizeof(ty_sm2_pub)) == 0;
    return PyBool_FromLong(same == (how == Py_EQ));
}

static Py_hash_t pub_hash(PyObject *self)
{
    Py_hash_t h;
    memcpy(&h, ((sm2_pub *)self)->pub.x, sizeof h);
    return h == -1 ? -2 : h;
}

/* --- Verifiers --- */

typedef struct sm2_verifier {
    PyObject_HEAD
    ty_sm2_verifier v;
} sm2_verifier;

static PyObject *pub_verifier(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = { "verifier", 0, 1, { "id" } };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b = { 0 };
    const uint8_t *id;
    size_t id_len;
    ty_err err = TY_OK;
    sm2_verifier *v = NULL;
    if (take_args(o, &sig, args, n, names)) return NULL;
    if (!take_id(st, &b, o[0], &id, &id_len) && (v = new_object(st, T_SM2_VERIFIER)))
        WITHOUT_GIL(ALWAYS, err = ty_sm2_verifier_init(&v->v, &((sm2_pub *)self)->pub, id, id_len));
    release(&b, 1);
    if (!err) return (PyObject *)v;
    Py_DECREF(v);
    return fail(st, err, NULL, NULL);
}

static PyObject *verifier_verify(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                 PyObject *names)
{
    static const signature sig = {
        "verify", 2, 2, { "signature", "data", "format" }
    };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b[2] = { 0 };
    uint8_t raw[64];
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int is_raw = take_choice(o[2], "format", sm2_sig_formats, 0);
    int bad =
        is_raw < 0 || take_in(st, &b[0], o[0], "signature") || take_in(st, &b[1], o[1], "data");
    if (!bad && !(err = sig_raw(raw, &b[0], is_raw)))
        WITHOUT_GIL(ALWAYS, err = ty_sm2_verifier_verify(raw, b[1].buf, (size_t)b[1].len,
                                                         &((sm2_verifier *)self)->v));
    release(b, 2);
    return bad ? NULL : verdict(st, err);
}

/* --- Types --- */

static PyMethodDef pub_methods[] = {
    { "from_point", pub_from_point, METH_O | METH_CLASS,
     "from_point($type, point, /)\n--\n\nThe key 04 || x || y, x || y, or 02|03 || x: 65, 64 or "
      "33 bytes." },
    { "from_pem", FASTCALL(pub_from_pem), CLASS,
     "from_pem($type, data)\n--\n\nRead SubjectPublicKeyInfo in PEM." },
    { "from_der", FASTCALL(pub_from_der), CLASS,
     "from_der($type, data)\n--\n\nRead SubjectPublicKeyInfo in DER." },
    { "public_bytes", FASTCALL(pub_public_bytes), FAST,
     "public_bytes($self, encoding='pem')\n--\n\nThe key as 'pem', 'der', 'point' (65 bytes) or "
      "'compressed' (33)." },
    { "verify", FASTCALL(pub_verify), FAST,
     "verify($self, signature, data, id=b'1234567812345678', *, format='der')\n--\n\n"
      "Raise InvalidSignature unless signature is a signature of data by the signer id." },
    { "verify_digest", FASTCALL(pub_verify_digest), FAST,
     "verify_digest($self, signature, digest, *, format='der')\n--\n\nThe same for SM3(Z || "
      "data): 32 bytes." },
    { "verifier", FASTCALL(pub_verifier), FAST,
     "verifier($self, id=b'1234567812345678')\n--\n\n"
      "This key with a table of 14 KB: each verification takes a third of the time; worth it from "
      "five on." },
    { "encrypt", FASTCALL(pub_encrypt), FAST,
     "encrypt($self, data, format='c1c3c2')\n--\n\n"
      "data encrypted to this key (GB/T 32918.4). format is 'c1c3c2' (the standard), 'c1c2c3' or "
      "'der'." },
    { 0 }
};

static PyMethodDef verifier_methods[] = {
    { "verify", FASTCALL(verifier_verify), FAST,
     "verify($self, signature, data, *, format='der')\n--\n\nAs SM2PublicKey.verify, faster." },
    { 0 }
};

static PyType_Slot pub_slots[] = {
    { Py_tp_dealloc, (void *)plain_dealloc },
    { Py_tp_methods, pub_methods },
    { Py_tp_richcompare, (void *)pub_compare },
    { Py_tp_hash, (void *)pub_hash },
    { Py_tp_doc, "A public key of SM2. Objects with the same key compare equal." },
    { 0 }
};
static PyType_Slot verifier_slots[] = {
    { Py_tp_dealloc, (void *)plain_dealloc },
    { Py_tp_methods, verifier_methods },
    { Py_tp_doc,
     "A public key of SM2, precomputed for many verifications: SM2PublicKey.verifier()." },
    { 0 }
};
PyType_Spec sm2_pub_spec = { "tongyu.sm2.SM2PublicKey", sizeof(sm2_pub), 0, MADE_BY_METHODS,
                             pub_slots };
PyType_Spec sm2_verifier_spec = { "tongyu.sm2.SM2Verifier", sizeof(sm2_verifier), 0,
                                  MADE_BY_METHODS, verifier_slots };
