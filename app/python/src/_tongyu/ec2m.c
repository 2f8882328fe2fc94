/* Binary curves: keys and their files. Curves are in ec2m_curve.c, operations with keys in
 * ec2m_sign.c. */
#include "ec2m.h"
#include <string.h>

static PyObject *new_pub(state *st, PyObject *c, const ty_ec_pub *pub)
{
    ec_pub *p = new_object(st, T_EC_PUB);
    if (!p) return NULL;
    p->curve = Py_NewRef(c);
    p->pub = *pub;
    return (PyObject *)p;
}

/* A new object with a copy of key, unless err; key is wiped in any case. */
static PyObject *new_key(state *st, PyObject *c, ty_ec_key *key, ty_err err)
{
    ec_key *k = err ? NULL : new_object(st, T_EC_KEY);
    if (k) {
        k->curve = Py_NewRef(c);
        k->key = *key;
    }
    ty_wipe(key, sizeof *key);
    return err ? fail(st, err, NULL, NULL) : (PyObject *)k;
}

static void key_dealloc(PyObject *self)
{
    ty_wipe(&((ec_key *)self)->key, sizeof(ty_ec_key));
    Py_XDECREF(((ec_key *)self)->curve);
    free_object(self);
}

static void pub_dealloc(PyObject *self)
{
    Py_XDECREF(((ec_pub *)self)->curve);
    free_object(self);
}

static PyObject *key_generate(PyObject *cls, PyObject *o)
{
    state *st = state_of_class(cls);
    const ty_ec_curve *c = take_curve(st, o);
    ty_ec_key key;
    ty_err err;
    if (!c) return NULL;
    WITHOUT_GIL(ALWAYS, err = ty_ec_keygen(&key, c, ty_rng_system()));
    return new_key(st, o, &key, err);
}

/* d[len] = o, an int or len bytes, big-endian. */
static int take_scalar(state *st, uint8_t *d, size_t len, PyObject *o)
{
    if (PyLong_Check(o))
        return int_secret(st, d, len, o, "a private key is a number from 1 to n - 1");
    Py_buffer b = { 0 };
    int bad = take_exact(st, &b, o, "scalar", len);
    if (!bad) memcpy(d, b.buf, len);
    release(&b, 1);
    return bad;
}

static PyObject *key_from_scalar(PyObject *cls, PyObject *const *args, Py_ssize_t n,
                                 PyObject *names)
{
    static const signature sig = {
        "from_scalar", 2, 2, { "scalar", "curve" }
    };
    state *st = state_of_class(cls);
    PyObject *o[MAX_ARGS + 1];
    const ty_ec_curve *c;
    uint8_t d[TY_EC_MAX];
    ty_ec_key key;
    ty_err err;
    if (take_args(o, &sig, args, n, names) || !(c = take_curve(st, o[1]))) return NULL;
    if (take_scalar(st, d, ty_ec_order_len(c), o[0])) return NULL;
    WITHOUT_GIL(ALWAYS, err = ty_ec_key_set(&key, c, d, ty_ec_order_len(c)));
    ty_wipe(d, sizeof d);
    return new_key(st, o[1], &key, err);
}

static PyObject *key_scalar(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ty_ec_key *k = &((ec_key *)self)->key;
    return PyBytes_FromStringAndSize((const char *)k->d, (Py_ssize_t)ty_ec_order_len(k->pub.curve));
}

static PyObject *key_public_key(PyObject *self, PyObject *unused)
{
    (void)unused;
    return new_pub(state_of(self), ((ec_key *)self)->curve, &((ec_key *)self)->key.pub);
}

static PyObject *key_curve(PyObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(((ec_key *)self)->curve);
}

static PyObject *pub_curve(PyObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(((ec_pub *)self)->curve);
}

static PyObject *pub_from_point(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "from_point", 2, 2, { "point", "curve" }
    };
    state *st = state_of_class(cls);
    PyObject *o[MAX_ARGS + 1];
    const ty_ec_curve *c;
    Py_buffer b = { 0 };
    ty_ec_pub pub;
    if (take_args(o, &sig, args, n, names) || !(c = take_curve(st, o[1]))
        || take_in(st, &b, o[0], "point"))
        return NULL;
    ty_err err = ty_ec_pub_set(&pub, c, b.buf, (size_t)b.len);
    release(&b, 1);
    return err ? fail(st, err, NULL, NULL) : new_pub(st, o[1], &pub);
}

/* --- Files --- */

/* The Curve object of c, a new reference: `room`, if it has c or no curve yet; otherwise a new
 * object. Only a curve of the library needs a new one, because any other is set up in `room`. */
static PyObject *curve_of(state *st, curve *room, const ty_ec_curve *c)
{
    if (!room->curve) room->curve = c;
    return room->curve == c ? Py_NewRef((PyObject *)room) : wrap_curve(st, c);
}

/* A key that is read. A curve that the library does not know is set up in `any`. */
typedef struct ec_read {
    ty_ec_key key;
    ty_ec_any *any;
} ec_read;

static ty_err reader(file_input *in, void *to)
{
    ec_read *r = to;
    ty_ec_file file;
    ty_err err = ty_ec_key_read(&r->key, &file, r->any, in->data, in->len, in->pass, in->pass_len);
    in->coding = file.coding;
    in->private_key = file.private_key;
    return err;
}

/* known: a Curve on which the key may be, or NULL. */
static PyObject *read_file(state *st, PyObject *data, PyObject *password, PyObject *known,
                           ty_key_coding coding, int private_key)
{
    ec_read r = { .any = NULL };
    PyObject *result = NULL, *own;
    curve *room = given(known) ? (curve *)Py_NewRef(known) : new_object(st, T_CURVE);
    if (!room) return NULL;
    if (!given(known) || room->curve == ty_ec_any_curve(&room->any)) r.any = &room->any;
    if (!read_key_file(st, reader, &r, data, password, coding, private_key)
        && (own = curve_of(st, room, r.key.pub.curve))) {
        result = private_key ? new_key(st, own, &r.key, TY_OK) : new_pub(st, own, &r.key.pub);
        Py_DECREF(own);
    }
    ty_wipe(&r.key, sizeof r.key);
    Py_DECREF((PyObject *)room);
    return result;
}

static PyObject *read_call(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names,
                           const signature *sig, ty_key_coding coding, int private_key)
{
    state *st = state_of_class(cls);
    PyObject *o[MAX_ARGS + 1];
    if (take_args(o, sig, args, n, names)) return NULL;
    PyObject *known = private_key ? o[2] : o[1];
    if (given(known) && !take_curve(st, known)) return NULL;
    return read_file(st, o[0], private_key ? o[1] : NULL, known, coding, private_key);
}

#define READ(name, coding, private_key, positional, ...)                                           \
    static PyObject *name(PyObject *cls, PyObject *const *args, Py_ssize_t n, PyObject *names)     \
    {                                                                                              \
        static const signature sig = { &#name[4], 1, positional, { __VA_ARGS__ } };                \
        return read_call(cls, args, n, names, &sig, coding, private_key);                          \
    }
READ(key_from_pem, TY_KEY_PEM, 1, 3, "data", "password", "curve")
READ(key_from_der, TY_KEY_DER, 1, 3, "data", "password", "curve")
READ(pub_from_pem, TY_KEY_PEM, 0, 2, "data", "curve")
READ(pub_from_der, TY_KEY_DER, 0, 2, "data", "curve")

static PyObject *key_private_bytes(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                   PyObject *names)
{
    static const signature sig = { "private_bytes", 0, 1, { FILE_ARGS } };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    file_options f;
    uint8_t buf[TY_EC_ENCODED_MAX];
    size_t len = sizeof buf;
    ty_err err;
    if (take_args(o, &sig, args, n, names) || take_file(st, &f, o)) return NULL;
    WITHOUT_GIL(f.pass ? ALWAYS : 0,
                err = ty_ec_key_write(buf, &len, &((ec_key *)self)->key, f.form, f.coding, f.pass,
                                      (size_t)f.password.len, f.iterations, ty_rng_system()));
    release(&f.password, 1);
    return written(st, err, buf, len, sizeof buf);
}

static PyObject *pub_public_bytes(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                  PyObject *names)
{
    static const signature sig = { "public_bytes", 0, 1, { "encoding" } };
    static const char *const encodings[] = { "pem", "der", "point", "compressed", NULL };
    const ty_ec_pub *pub = &((ec_pub *)self)->pub;
    size_t field = ty_ec_field_len(pub->curve), len = TY_EC_ENCODED_MAX;
    PyObject *o[MAX_ARGS + 1];
    uint8_t buf[TY_EC_ENCODED_MAX];
    if (take_args(o, &sig, args, n, names)) return NULL;
    int encoding = take_choice(o[0], "encoding", encodings, 0);
    switch (encoding) {
    case -1:
        return NULL;
    case 2:
        ty_ec_pub_get(buf, pub);
        return PyBytes_FromStringAndSize((const char *)buf, (Py_ssize_t)(1 + 2 * field));
    case 3:
        ty_ec_pub_get_compressed(buf, pub);
        return PyBytes_FromStringAndSize((const char *)buf, (Py_ssize_t)(1 + field));
    default:
        break;
    }
    ty_err err = ty_ec_pub_write(buf, &len, pub, encoding ? TY_KEY_DER : TY_KEY_PEM, 0);
    return written(state_of(self), err, buf, len, sizeof buf);
}

/* --- Comparison --- */

/* Whether two curves have the same parameters, whatever their names. */
static int is_same_curve(const ty_ec_curve *a, const ty_ec_curve *b)
{
    size_t len = ty_ec_field_len(a);
    ty_ec_params p, q;
    if (a == b) return 1;
    ty_ec_params_get(&p, a);
    ty_ec_params_get(&q, b);
    return p.poly_len == q.poly_len && memcmp(p.poly, q.poly, p.poly_len) == 0
           && memcmp(p.a, q.a, len) == 0 && memcmp(p.b, q.b, len) == 0 && memcmp(p.x, q.x, len) == 0
           && memcmp(p.y, q.y, len) == 0 && p.n_len == q.n_len && memcmp(p.n, q.n, p.n_len) == 0;
}

static PyObject *pub_compare(PyObject *self, PyObject *other, int how)
{
    if ((how != Py_EQ && how != Py_NE) || Py_TYPE(other) != Py_TYPE(self)) Py_RETURN_NOTIMPLEMENTED;
    const ty_ec_pub *a = &((ec_pub *)self)->pub, *b = &((ec_pub *)other)->pub;
    int same = is_same_curve(a->curve, b->curve)
               && memcmp(a->xy, b->xy, 2 * ty_ec_field_len(a->curve)) == 0;
    return PyBool_FromLong(same == (how == Py_EQ));
}

static Py_hash_t pub_hash(PyObject *self)
{
    Py_hash_t h = 0;
    memcpy(&h, ((ec_pub *)self)->pub.xy, sizeof h);
    return h == -1 ? -2 : h;
}

/* --- Types --- */

static PyMethodDef key_methods[] = {
    { "generate", key_generate, METH_O | METH_CLASS,
     "generate($type, curve, /)\n--\n\nA new key on curve." },
    { "from_scalar", FASTCALL(key_from_scalar), CLASS,
     "from_scalar($type, scalar, curve)\n--\n\nThe key with a number from 1 to n - 1: an int, or "
      "bytes, big-endian." },
    { "from_pem", FASTCALL(key_from_pem), CLASS,
     "from_pem($type, data, password=None, curve=None)\n--\n\n"
      "Read PKCS#8, encrypted or not, or SEC1, in PEM. curve: one made by from_parameters, if "
      "the key may be on it." },
    { "from_der", FASTCALL(key_from_der), CLASS,
     "from_der($type, data, password=None, curve=None)\n--\n\nThe same in DER." },
    { "private_bytes", FASTCALL(key_private_bytes), FAST,
     "private_bytes($self, password=None, *, encoding='pem', format='pkcs8', iterations=600000, "
      "prf='sm3')\n--\n\n"
      "The key as a file; with a password PKCS#8 is encrypted by SM4-CBC under PBKDF2." },
    { "scalar", key_scalar, METH_NOARGS,
     "scalar($self, /)\n--\n\nThe private number, big-endian." },
    { "public_key", key_public_key, METH_NOARGS, "public_key($self, /)\n--\n\nThe public half." },
    { "exchange", FASTCALL(ec_key_exchange), FAST,
     "exchange($self, peer_public_key, *, cofactor=False)\n--\n\nECDH: the x coordinate. Derive "
      "keys from it." },
    { "sign", FASTCALL(ec_key_sign), FAST,
     "sign($self, data, hash, *, format='der', deterministic=False)\n--\n\n"
      "An ECDSA signature of data with the hash named: 'sha256', 'sha3_256', 'sm3', ...\n\n"
      "format is 'der' or 'raw' (r || s). deterministic: the nonce of RFC 6979 with "
      "HMAC-SHA-256." },
    { "sign_digest", FASTCALL(ec_key_sign_digest), FAST,
     "sign_digest($self, digest, *, format='der', deterministic=False)\n--\n\nThe same for a "
      "digest." },
    { "sign_dstu4145", FASTCALL(ec_key_sign_dstu4145), FAST,
     "sign_dstu4145($self, digest, *, deterministic=False)\n--\n\n"
      "A signature of DSTU 4145-2002: r || s, little-endian. The hash, GOST 34.311, is the "
      "caller's." },
    NO_PICKLE,
    { 0 }
};
static PyMethodDef pub_methods[] = {
    { "from_point", FASTCALL(pub_from_point), CLASS,
     "from_point($type, point, curve)\n--\n\nThe key 04 || x || y, or 02|03 || x: a point of the "
      "curve's prime order." },
    { "from_pem", FASTCALL(pub_from_pem), CLASS,
     "from_pem($type, data, curve=None)\n--\n\nRead SubjectPublicKeyInfo in PEM." },
    { "from_der", FASTCALL(pub_from_der), CLASS,
     "from_der($type, data, curve=None)\n--\n\nRead SubjectPublicKeyInfo in DER." },
    { "public_bytes", FASTCALL(pub_public_bytes), FAST,
     "public_bytes($self, encoding='pem')\n--\n\nThe key as 'pem', 'der', 'point' or "
      "'compressed'." },
    { "verify", FASTCALL(ec_pub_verify), FAST,
     "verify($self, signature, data, hash, *, format='der')\n--\n\n"
      "Raise InvalidSignature unless signature is an ECDSA signature of data with the hash "
      "named." },
    { "verify_digest", FASTCALL(ec_pub_verify_digest), FAST,
     "verify_digest($self, signature, digest, *, format='der')\n--\n\nThe same for a digest." },
    { "verify_dstu4145", FASTCALL(ec_pub_verify_dstu4145), FAST,
     "verify_dstu4145($self, signature, digest)\n--\n\nThe same for DSTU 4145-2002." },
    { 0 }
};
static PyGetSetDef key_properties[] = {
    { "curve", key_curve, NULL, "The curve.", NULL },
    { 0 }
};
static PyGetSetDef pub_properties[] = {
    { "curve", pub_curve, NULL, "The curve.", NULL },
    { 0 }
};

static PyType_Slot key_slots[] = {
    { Py_tp_dealloc, (void *)key_dealloc },
    { Py_tp_methods, key_methods },
    { Py_tp_getset, key_properties },
    { Py_tp_doc,
     "A private key on a binary curve. Wiped when it is freed; may be shared by threads." },
    { 0 }
};
static PyType_Slot pub_slots[] = {
    { Py_tp_dealloc, (void *)pub_dealloc },
    { Py_tp_methods, pub_methods },
    { Py_tp_getset, pub_properties },
    { Py_tp_richcompare, (void *)pub_compare },
    { Py_tp_hash, (void *)pub_hash },
    { Py_tp_doc, "A public key on a binary curve." },
    { 0 }
};
static PyType_Spec key_spec = { "tongyu.ec2m.PrivateKey", sizeof(ec_key), 0, MADE_BY_METHODS,
                                key_slots };
static PyType_Spec pub_spec = { "tongyu.ec2m.PublicKey", sizeof(ec_pub), 0, MADE_BY_METHODS,
                                pub_slots };

int add_ec2m(PyObject *module)
{
    return add_type(module, T_CURVE, &ec_curve_spec) || add_type(module, T_EC_KEY, &key_spec)
                   || add_type(module, T_EC_PUB, &pub_spec)
                   || PyModule_AddFunctions(module, ec_functions)
               ? -1
               : 0;
}
