/* Binary curves: named ones and those given by parameters; keys, ECDSA, ECDH, DSTU 4145, files. */
#include "py.h"
#include <string.h>

/* A curve of the library, or one made ready in this object, which stays where it is. */
typedef struct curve {
    PyObject_HEAD
    const ty_ec_curve *curve;
    ty_ec_any any;
} curve;

/* Keys hold the curve's object, into which they point. */
typedef struct ec_pub {
    PyObject_HEAD
    PyObject *curve;
    ty_ec_pub pub;
} ec_pub;

typedef struct ec_key {
    PyObject_HEAD
    PyObject *curve;
    ty_ec_key key;
} ec_key;

static state *state_of_class(PyObject *cls) { return PyType_GetModuleState((PyTypeObject *)cls); }

static const ty_ec_curve *take_curve(state *st, PyObject *o)
{
    if (Py_TYPE(o) == st->type[T_CURVE]) return ((curve *)o)->curve;
    return PyErr_Format(PyExc_TypeError, "curve must be a Curve, not %R", Py_TYPE(o)), NULL;
}

static const ty_ec_pub *take_ec_pub(state *st, PyObject *o)
{
    if (Py_TYPE(o) == st->type[T_EC_PUB]) return &((ec_pub *)o)->pub;
    return PyErr_Format(PyExc_TypeError, "peer_public_key must be a PublicKey, not %R", Py_TYPE(o)),
           NULL;
}

/* --- Curves --- */

static PyObject *wrap_curve(state *st, const ty_ec_curve *c)
{
    curve *o = new_object(st, T_CURVE);
    if (o) o->curve = c;
    return (PyObject *)o;
}

static PyObject *made_curve(state *st, const ty_ec_params *p)
{
    const char *why = NULL;
    ty_err err;
    curve *o = new_object(st, T_CURVE);
    if (!o) return NULL;
    WITHOUT_GIL(ALWAYS, err = ty_ec_any_init(&o->any, p, TY_EC_AUTO, 0, &why));
    o->curve = ty_ec_any_curve(&o->any);
    if (!err) return (PyObject *)o;
    Py_DECREF(o);
    return err == TY_ERR_MEM ? PyErr_NoMemory()
                             : refuse(st, "not a curve to use: %s", why ? why : ty_err_text(err));
}

static int is_named(const ty_ec_params *p, const char *name)
{
    return (p->name && strcmp(p->name, name) == 0) || (p->oid && strcmp(p->oid, name) == 0);
}

static PyObject *curve_named(PyObject *cls, PyObject *name)
{
    state *st = state_of_class(cls);
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    ty_ec_params p;
    if (!text)
        return PyErr_Occurred() ? NULL
                                : (PyErr_SetString(PyExc_TypeError, "name must be a string"), NULL);
    const ty_ec_curve *c = ty_ec_curve_named(text);
    if (c) return wrap_curve(st, c);
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++)
        if (is_named(&p, text)) return made_curve(st, &p);
    return refuse(st, "there is no curve %R: tongyu.ec2m.curves() lists them", name);
}

/* o, an int, as big-endian bytes: as many as it needs where len is 0. A new reference, or NULL with
 * an exception. */
static PyObject *number_bytes(state *st, PyObject *o, const char *name, size_t len)
{
    if (!PyLong_Check(o)) return PyErr_Format(PyExc_TypeError, "%s must be an integer", name);
    if (!len && int_size(&len, o)) return NULL;
    PyObject *bytes = int_bytes(o, len, "big");
    if (bytes || !PyErr_ExceptionMatches(PyExc_OverflowError)) return bytes;
    PyErr_Clear();
    return refuse(st, "%s is below zero, or of a higher degree than the field", name);
}

/* The parameters in p, which points into the six objects of hold. */
static int take_params(state *st, ty_ec_params *p, PyObject *hold[6], PyObject *const *o,
                       const signature *sig)
{
    size_t len = 0;
    const uint8_t *at[6];
    for (int i = 0; i < 6; i++) {
        if (!(hold[i] = number_bytes(st, o[i], sig->names[i], i == 0 || i == 5 ? 0 : len)))
            return -1;
        at[i] = (const uint8_t *)PyBytes_AsString(hold[i]);
        if (i) continue;
        p->poly_len = (size_t)PyBytes_Size(hold[0]);
        if (p->poly_len < 1 || p->poly_len > sizeof p->poly) {
            refuse(st, "polynomial is of degree 2 to 1023");
            return -1;
        }
        memcpy(p->poly, at[0], p->poly_len);
        len = p->poly[0] == 1 ? p->poly_len - 1
                              : p->poly_len; /* a coordinate has a bit less than the polynomial */
    }
    p->a = at[1], p->b = at[2], p->x = at[3], p->y = at[4], p->n = at[5];
    p->n_len = (size_t)PyBytes_Size(hold[5]);
    return 0;
}

static PyObject *curve_from_parameters(PyObject *cls, PyObject *const *args, Py_ssize_t n,
                                       PyObject *names)
{
    static const signature sig = {
        "from_parameters", 6, 6, { "polynomial", "a", "b", "x", "y", "order", "cofactor", "name" }
    };
    state *st = state_of_class(cls);
    PyObject *o[MAX_ARGS + 1], *hold[6] = { NULL }, *made = NULL;
    ty_ec_params p = { 0 };
    size_t h;
    if (take_args(o, &sig, args, n, names) || take_size(&h, o[6], "cofactor", 0, UINT32_MAX, 0))
        return NULL;
    p.h = (uint32_t)h;
    if (given(o[7]) && !PyUnicode_Check(o[7]))
        return PyErr_Format(PyExc_TypeError, "name must be a string");
    if (given(o[7]) && !(p.name = PyUnicode_AsUTF8AndSize(o[7], NULL))) return NULL;
    if (!take_params(st, &p, hold, o, &sig)) made = made_curve(st, &p);
    for (int i = 0; i < 6; i++) Py_XDECREF(hold[i]);
    return made;
}

static PyObject *number(const uint8_t *p, size_t len)
{
    PyObject *bytes = PyBytes_FromStringAndSize((const char *)p, (Py_ssize_t)len);
    PyObject *i =
        bytes ? PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "Os", bytes, "big")
              : NULL;
    Py_XDECREF(bytes);
    return i;
}

/* dict[name] = value, which is taken over.   -1 with an exception */
static int put(PyObject *dict, const char *name, PyObject *value)
{
    int bad = !value || PyDict_SetItemString(dict, name, value);
    Py_XDECREF(value);
    return bad ? -1 : 0;
}

static PyObject *curve_parameters(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ty_ec_curve *c = ((curve *)self)->curve;
    size_t len = ty_ec_field_len(c);
    ty_ec_params p;
    ty_ec_params_get(&p, c);
    PyObject *dict = PyDict_New();
    if (!dict || put(dict, "polynomial", number(p.poly, p.poly_len))
        || put(dict, "a", number(p.a, len)) || put(dict, "b", number(p.b, len))
        || put(dict, "x", number(p.x, len)) || put(dict, "y", number(p.y, len))
        || put(dict, "order", number(p.n, p.n_len))
        || put(dict, "cofactor", PyLong_FromUnsignedLong(p.h)))
        Py_CLEAR(dict);
    return dict;
}

static PyObject *text_or_none(const char *text)
{
    if (!text || !*text) Py_RETURN_NONE;
    return PyUnicode_FromString(text);
}

enum { FIELD_BITS, ORDER_BITS, FIELD_LEN, ORDER_LEN, NAME, OID };
static PyObject *curve_get(PyObject *self, void *what)
{
    const ty_ec_curve *c = ((curve *)self)->curve;
    switch ((int)(intptr_t)what) {
    case FIELD_BITS:
        return PyLong_FromSize_t(ty_ec_field_bits(c));
    case ORDER_BITS:
        return PyLong_FromSize_t(ty_ec_order_bits(c));
    case FIELD_LEN:
        return PyLong_FromSize_t(ty_ec_field_len(c));
    case ORDER_LEN:
        return PyLong_FromSize_t(ty_ec_order_len(c));
    case NAME:
        return text_or_none(ty_ec_curve_name(c));
    default:
        return text_or_none(ty_ec_curve_oid(c));
    }
}

static PyObject *curve_repr(PyObject *self)
{
    const ty_ec_curve *c = ((curve *)self)->curve;
    const char *name = ty_ec_curve_name(c);
    return PyUnicode_FromFormat("<binary curve %s, degree %zu>",
                                name && *name ? name : "without a name", ty_ec_field_bits(c));
}

static PyObject *curves(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *list = PyList_New(0);
    const ty_ec_curve *c;
    ty_ec_params p;
    int bad = !list;
    for (size_t i = 0, j = 0; !bad;) {
        const char *name = (c = ty_ec_curve_at(i)) ? i++,
                   ty_ec_curve_name(c) : ty_ec_standard_at(&p, j) ? j++, p.name : NULL;
        if (!name) break;
        PyObject *text = PyUnicode_FromString(name);
        bad = !text || PyList_Append(list, text);
        Py_XDECREF(text);
    }
    if (bad) Py_CLEAR(list);
    return list;
}

/* --- Keys --- */

static PyObject *new_pub(state *st, PyObject *c, const ty_ec_pub *pub)
{
    ec_pub *p = new_object(st, T_EC_PUB);
    if (!p) return NULL;
    p->curve = Py_NewRef(c);
    p->pub = *pub;
    return (PyObject *)p;
}

/* Takes over key, and wipes it. */
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

static void plain_dealloc(PyObject *self) { free_object(self); }

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

/* d[len], big-endian, of an int or of len bytes. */
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

/* The object of a key's curve: room, if the curve was made ready there or room is of it already;
 * else one of the library's. */
static PyObject *curve_of(state *st, curve *room, const ty_ec_curve *c)
{
    if (!room->curve) room->curve = c;
    return room->curve == c ? Py_NewRef((PyObject *)room) : wrap_curve(st, c);
}

/* known: the Curve that the key may be of, or NULL. */
static PyObject *read_file(state *st, PyObject *data, PyObject *password, PyObject *known,
                           ty_key_coding coding, int private_key)
{
    Py_buffer b[2] = { 0 };
    ty_ec_key key;
    ty_ec_file file;
    ty_err err = TY_OK;
    curve *room = given(known) ? (curve *)Py_NewRef(known) : new_object(st, T_CURVE);
    PyObject *result = NULL;
    int bad =
        !room || take_in(st, &b[0], data, "data") || take_opt(st, &b[1], password, "password");
    if (!bad) {
        const void *pass = given(password) ? b[1].len ? b[1].buf : "" : NULL;
        ty_ec_any *any =
            given(known) && room->curve != ty_ec_any_curve(&room->any) ? NULL : &room->any;
        WITHOUT_GIL(ALWAYS, err = ty_ec_key_read(&key, &file, any, b[0].buf, (size_t)b[0].len, pass,
                                                 (size_t)b[1].len));
        if (!err && (file.coding != coding)) err = TY_ERR_FORMAT;
        if (err) unreadable(st, err);
        else if (file.private_key != private_key)
            fail(st, TY_ERR_KEY, NULL, "this file holds the other half of a key");
        else {
            PyObject *own = curve_of(st, room, key.pub.curve);
            if (own)
                result = private_key ? new_key(st, own, &key, TY_OK) : new_pub(st, own, &key.pub);
            Py_XDECREF(own);
        }
        ty_wipe(&key, sizeof key);
    }
    release(b, 2);
    Py_XDECREF((PyObject *)room);
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
        static const signature sig = { #name + 4, 1, positional, { __VA_ARGS__ } };                \
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

/* --- Agreement --- */

static PyObject *key_exchange(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "exchange", 1, 1, { "peer_public_key", "cofactor" }
    };
    state *st = state_of(self);
    const ty_ec_key *key = &((ec_key *)self)->key;
    PyObject *o[MAX_ARGS + 1];
    const ty_ec_pub *pub;
    uint8_t out[TY_EC_MAX];
    ty_err err;
    if (take_args(o, &sig, args, n, names) || !(pub = take_ec_pub(st, o[0]))) return NULL;
    int cofactor = take_flag(o[1], 0);
    if (cofactor < 0) return NULL;
    WITHOUT_GIL(ALWAYS,
                err = cofactor ? ty_ec_ecdh_cofactor(out, pub, key) : ty_ec_ecdh(out, pub, key));
    PyObject *bytes =
        err ? fail(st, err, NULL, "the public key must be of the same curve")
            : PyBytes_FromStringAndSize((const char *)out, (Py_ssize_t)ty_ec_field_len(pub->curve));
    ty_wipe(out, sizeof out);
    return bytes;
}

/* --- Signatures --- */

static const char *const formats[] = { "der", "raw", NULL };

/* The digest that is signed: of data by a hash, or data itself where no hash is named. */
static int take_digest(state *st, Py_buffer *b, uint8_t own[64], const uint8_t **digest,
                       size_t *len, PyObject *data, PyObject *hash)
{
    if (take_in(st, b, data, hash ? "data" : "digest")) return -1;
    *digest = b->buf;
    *len = (size_t)b->len;
    if (!hash) return 0;
    *digest = own;
    return hash_named(st, own, len, hash, b);
}

static PyObject *signed_bytes(const uint8_t *sig, const ty_ec_curve *c, int raw)
{
    uint8_t der[TY_ECDSA_DER_MAX];
    size_t len;
    if (raw)
        return PyBytes_FromStringAndSize((const char *)sig, (Py_ssize_t)(2 * ty_ec_order_len(c)));
    ty_ecdsa_sig_to_der(der, &len, sig, c);
    return PyBytes_FromStringAndSize((const char *)der, (Py_ssize_t)len);
}

static PyObject *sign(PyObject *self, PyObject *data, PyObject *hash, PyObject *format,
                      PyObject *same)
{
    state *st = state_of(self);
    const ty_ec_key *key = &((ec_key *)self)->key;
    Py_buffer b = { 0 };
    uint8_t own[64], sig[2 * TY_EC_MAX];
    const uint8_t *digest;
    size_t len;
    ty_err err = TY_OK;
    int raw = take_choice(format, "format", formats, 0), deterministic = take_flag(same, 0);
    int bad = raw < 0 || deterministic < 0 || take_digest(st, &b, own, &digest, &len, data, hash);
    if (!bad)
        WITHOUT_GIL(ALWAYS, err = ty_ecdsa_sign(sig, digest, len, key,
                                                deterministic ? NULL : ty_rng_system()));
    release(&b, 1);
    if (bad) return NULL;
    return err ? fail(st, err, NULL, NULL) : signed_bytes(sig, key->pub.curve, raw);
}

static PyObject *key_sign(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "sign", 2, 2, { "data", "hash", "format", "deterministic" }
    };
    PyObject *o[MAX_ARGS + 1];
    return take_args(o, &sig, args, n, names) ? NULL : sign(self, o[0], o[1], o[2], o[3]);
}

static PyObject *key_sign_digest(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                 PyObject *names)
{
    static const signature sig = {
        "sign_digest", 1, 1, { "digest", "format", "deterministic" }
    };
    PyObject *o[MAX_ARGS + 1];
    return take_args(o, &sig, args, n, names) ? NULL : sign(self, o[0], NULL, o[1], o[2]);
}

static ty_err verify_run(const Py_buffer *sig, int raw, const uint8_t *digest, size_t len,
                         const ty_ec_pub *pub)
{
    uint8_t both[2 * TY_EC_MAX];
    if (raw) return ty_ecdsa_verify(sig->buf, (size_t)sig->len, digest, len, pub);
    if (ty_ecdsa_sig_from_der(both, sig->buf, (size_t)sig->len, pub->curve)) return TY_ERR_VERIFY;
    return ty_ecdsa_verify(both, 2 * ty_ec_order_len(pub->curve), digest, len, pub);
}

static PyObject *verify(PyObject *self, PyObject *signature_, PyObject *data, PyObject *hash,
                        PyObject *format)
{
    state *st = state_of(self);
    Py_buffer b[2] = { 0 };
    uint8_t own[64];
    const uint8_t *digest;
    size_t len;
    ty_err err = TY_OK;
    int raw = take_choice(format, "format", formats, 0);
    int bad = raw < 0 || take_in(st, &b[0], signature_, "signature")
              || take_digest(st, &b[1], own, &digest, &len, data, hash);
    if (!bad)
        WITHOUT_GIL(ALWAYS, err = verify_run(&b[0], raw, digest, len, &((ec_pub *)self)->pub));
    release(b, 2);
    if (bad) return NULL;
    if (err) return fail(st, err, st->invalid_signature, NULL);
    Py_RETURN_NONE;
}

static PyObject *pub_verify(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "verify", 3, 3, { "signature", "data", "hash", "format" }
    };
    PyObject *o[MAX_ARGS + 1];
    return take_args(o, &sig, args, n, names) ? NULL : verify(self, o[0], o[1], o[2], o[3]);
}

static PyObject *pub_verify_digest(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                   PyObject *names)
{
    static const signature sig = {
        "verify_digest", 2, 2, { "signature", "digest", "format" }
    };
    PyObject *o[MAX_ARGS + 1];
    return take_args(o, &sig, args, n, names) ? NULL : verify(self, o[0], o[1], NULL, o[2]);
}

/* --- DSTU 4145 --- */

static PyObject *key_sign_dstu4145(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                   PyObject *names)
{
    static const signature sig = {
        "sign_dstu4145", 1, 1, { "digest", "deterministic" }
    };
    state *st = state_of(self);
    const ty_ec_key *key = &((ec_key *)self)->key;
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b = { 0 };
    uint8_t out[2 * TY_EC_MAX];
    ty_err err;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int same = take_flag(o[1], 0);
    if (same < 0 || take_in(st, &b, o[0], "digest")) return NULL;
    WITHOUT_GIL(ALWAYS, err = ty_dstu4145_sign(out, b.buf, (size_t)b.len, key,
                                               same ? NULL : ty_rng_system()));
    release(&b, 1);
    return err ? fail(st, err, NULL, NULL) : signed_bytes(out, key->pub.curve, 1);
}

static PyObject *pub_verify_dstu4145(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                     PyObject *names)
{
    static const signature sig = {
        "verify_dstu4145", 2, 2, { "signature", "digest" }
    };
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b[2] = { 0 };
    ty_ec_pub q;
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int bad = take_in(st, &b[0], o[0], "signature") || take_in(st, &b[1], o[1], "digest");
    if (!bad) {
        ty_dstu4145_pub(&q, &((ec_pub *)self)->pub);
        WITHOUT_GIL(ALWAYS, err = ty_dstu4145_verify(b[0].buf, (size_t)b[0].len, b[1].buf,
                                                     (size_t)b[1].len, &q));
    }
    release(b, 2);
    if (bad) return NULL;
    if (err) return fail(st, err, st->invalid_signature, NULL);
    Py_RETURN_NONE;
}

/* Whether two curves are one, by whatever names. */
static int is_same_curve(const ty_ec_curve *a, const ty_ec_curve *b)
{
    size_t len = ty_ec_field_len(a);
    ty_ec_params p, q;
    if (a == b) return 1;
    ty_ec_params_get(&p, a);
    ty_ec_params_get(&q, b);
    return p.poly_len == q.poly_len && memcmp(p.poly, q.poly, p.poly_len) == 0
           && memcmp(p.a, q.a, len) == 0 && memcmp(p.b, q.b, len) == 0
           && memcmp(p.x, q.x, len) == 0 && memcmp(p.y, q.y, len) == 0 && p.n_len == q.n_len
           && memcmp(p.n, q.n, p.n_len) == 0;
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

#define CLASS (FAST | METH_CLASS)
static PyMethodDef curve_methods[] = {
    { "named", curve_named, METH_O | METH_CLASS,
     "named($type, name, /)\n--\n\nThe curve of this name or dotted OID: 'sect233r1', "
     "'c2pnb163v1', ... (see curves())." },
    { "from_parameters", FASTCALL(curve_from_parameters), CLASS,
     "from_parameters($type, polynomial, a, b, x, y, order, *, cofactor=0, name=None)\n--\n\n"
      "The curve y^2 + xy = x^3 + ax^2 + b over GF(2)[t]/polynomial, checked.\n\n"
      "Numbers are ints, bit i for t^i; (x, y) is the generator, of the prime order; cofactor 0 is "
      "computed.\n"
      "Only parameters of a standard deserve trust: the checks find what is broken, not what was "
      "chosen to be weak." },
    { "parameters", curve_parameters, METH_NOARGS,
     "parameters($self, /)\n--\n\nA dict of ints: polynomial, a, b, x, y, order, cofactor." },
    { 0 }
};
#define GET(name, what, doc) { name, curve_get, NULL, doc, (void *)(intptr_t)what }
static PyGetSetDef curve_properties[] = { GET("name", NAME, "The name of the curve, or None."),
                                          GET("oid", OID, "Its object identifier, or None."),
                                          GET("field_bits", FIELD_BITS,
                                              "m, the degree of the field."),
                                          GET("order_bits", ORDER_BITS, "Bits of the order."),
                                          GET("field_size", FIELD_LEN, "Bytes of a coordinate."),
                                          GET("order_size", ORDER_LEN, "Bytes of a scalar."),
                                          { 0 } };
static PyMethodDef key_methods[] = {
    { "generate", key_generate, METH_O | METH_CLASS,
     "generate($type, curve, /)\n--\n\nA new key on curve." },
    { "from_scalar", FASTCALL(key_from_scalar), CLASS,
     "from_scalar($type, scalar, curve)\n--\n\nThe key of a number from 1 to n - 1: an int, or "
     "bytes, big-endian." },
    { "from_pem", FASTCALL(key_from_pem), CLASS,
     "from_pem($type, data, password=None, curve=None)\n--\n\n"
      "Read PKCS#8, encrypted or not, or SEC1, in PEM. curve: one from parameters, which the file "
      "may be of." },
    { "from_der", FASTCALL(key_from_der), CLASS,
     "from_der($type, data, password=None, curve=None)\n--\n\nThe same in DER." },
    { "private_bytes", FASTCALL(key_private_bytes), FAST,
     "private_bytes($self, password=None, *, encoding='pem', format='pkcs8', iterations=600000, "
     "prf='sm3')\n--\n\n"
      "The key as a file; with a password PKCS#8 is encrypted by SM4-CBC under PBKDF2." },
    { "scalar", key_scalar, METH_NOARGS,
     "scalar($self, /)\n--\n\nThe private number, big-endian." },
    { "public_key", key_public_key, METH_NOARGS, "public_key($self, /)\n--\n\nThe public half." },
    { "exchange", FASTCALL(key_exchange), FAST,
     "exchange($self, peer_public_key, *, cofactor=False)\n--\n\nECDH: the x coordinate. Derive "
     "keys from it." },
    { "sign", FASTCALL(key_sign), FAST,
     "sign($self, data, hash, *, format='der', deterministic=False)\n--\n\n"
      "An ECDSA signature of data by the hash named: 'sha256', 'sha3_256', 'sm3', ...\n\n"
      "format is 'der' or 'raw' (r || s). deterministic: the nonce of RFC 6979 with "
      "HMAC-SHA-256." },
    { "sign_digest", FASTCALL(key_sign_digest), FAST,
     "sign_digest($self, digest, *, format='der', deterministic=False)\n--\n\nThe same for a "
     "digest." },
    { "sign_dstu4145", FASTCALL(key_sign_dstu4145), FAST,
     "sign_dstu4145($self, digest, *, deterministic=False)\n--\n\n"
      "A signature of DSTU 4145-2002: r || s, little-endian. The hash, GOST 34.311, is the "
      "caller's." },
    NO_PICKLE,
    { 0 }
};
static PyMethodDef pub_methods[] = {
    { "from_point", FASTCALL(pub_from_point), CLASS,
     "from_point($type, point, curve)\n--\n\nThe key 04 || x || y, or 02|03 || x; of the order of "
     "the curve." },
    { "from_pem", FASTCALL(pub_from_pem), CLASS,
     "from_pem($type, data, curve=None)\n--\n\nRead SubjectPublicKeyInfo in PEM." },
    { "from_der", FASTCALL(pub_from_der), CLASS,
     "from_der($type, data, curve=None)\n--\n\nRead SubjectPublicKeyInfo in DER." },
    { "public_bytes", FASTCALL(pub_public_bytes), FAST,
     "public_bytes($self, encoding='pem')\n--\n\nThe key as 'pem', 'der', 'point' or "
     "'compressed'." },
    { "verify", FASTCALL(pub_verify), FAST,
     "verify($self, signature, data, hash, *, format='der')\n--\n\n"
      "Return if signature is an ECDSA one of data by the hash named; else raise "
      "InvalidSignature." },
    { "verify_digest", FASTCALL(pub_verify_digest), FAST,
     "verify_digest($self, signature, digest, *, format='der')\n--\n\nThe same for a digest." },
    { "verify_dstu4145", FASTCALL(pub_verify_dstu4145), FAST,
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

#define FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE)
static PyType_Slot curve_slots[] = {
    { Py_tp_dealloc, (void *)plain_dealloc },
    { Py_tp_methods, curve_methods },
    { Py_tp_getset, curve_properties },
    { Py_tp_repr, (void *)curve_repr },
    { Py_tp_doc, "A binary curve y^2 + xy = x^3 + ax^2 + b." },
    { 0 }
};
static PyType_Slot key_slots[] = {
    { Py_tp_dealloc, (void *)key_dealloc },
    { Py_tp_methods, key_methods },
    { Py_tp_getset, key_properties },
    { Py_tp_doc, "A private key on a binary curve. Wiped when it dies; may be shared by threads." },
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
static PyType_Spec curve_spec = { "tongyu.ec2m.Curve", sizeof(curve), 0, FLAGS, curve_slots };
static PyType_Spec key_spec = { "tongyu.ec2m.PrivateKey", sizeof(ec_key), 0, FLAGS, key_slots };
static PyType_Spec pub_spec = { "tongyu.ec2m.PublicKey", sizeof(ec_pub), 0, FLAGS, pub_slots };

static PyMethodDef functions[] = {
    { "curves", curves, METH_NOARGS,
     "curves($module, /)\n--\n\nThe names of all curves that Curve.named knows." },
    { 0 }
};

int add_ec2m(PyObject *module)
{
    return add_type(module, T_CURVE, &curve_spec) || add_type(module, T_EC_KEY, &key_spec)
                   || add_type(module, T_EC_PUB, &pub_spec)
                   || PyModule_AddFunctions(module, functions)
               ? -1
               : 0;
}
