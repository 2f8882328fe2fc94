/* Binary curves: agreement, and signatures by ECDSA and DSTU 4145. */
#include "ec2m.h"
#include <string.h>

static const ty_ec_pub *take_ec_pub(state *st, PyObject *o)
{
    if (Py_TYPE(o) == st->type[T_EC_PUB]) return &((ec_pub *)o)->pub;
    return PyErr_Format(PyExc_TypeError, "peer_public_key must be a PublicKey, not %R", Py_TYPE(o)),
           NULL;
}

/* --- Agreement --- */

PyObject *ec_key_exchange(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
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
                      PyObject *deterministic)
{
    state *st = state_of(self);
    const ty_ec_key *key = &((ec_key *)self)->key;
    Py_buffer b = { 0 };
    uint8_t own[64], sig[2 * TY_EC_MAX];
    const uint8_t *digest;
    size_t len;
    ty_err err = TY_OK;
    int raw = take_choice(format, "format", formats, 0), no_rng = take_flag(deterministic, 0);
    int bad = raw < 0 || no_rng < 0 || take_digest(st, &b, own, &digest, &len, data, hash);
    if (!bad)
        WITHOUT_GIL(ALWAYS, err = ty_ecdsa_sign(sig, digest, len, key,
                                                no_rng ? NULL : ty_rng_system()));
    release(&b, 1);
    if (bad) return NULL;
    return err ? fail(st, err, NULL, NULL) : signed_bytes(sig, key->pub.curve, raw);
}

PyObject *ec_key_sign(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "sign", 2, 2, { "data", "hash", "format", "deterministic" }
    };
    PyObject *o[MAX_ARGS + 1];
    return take_args(o, &sig, args, n, names) ? NULL : sign(self, o[0], o[1], o[2], o[3]);
}

PyObject *ec_key_sign_digest(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
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

PyObject *ec_pub_verify(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "verify", 3, 3, { "signature", "data", "hash", "format" }
    };
    PyObject *o[MAX_ARGS + 1];
    return take_args(o, &sig, args, n, names) ? NULL : verify(self, o[0], o[1], o[2], o[3]);
}

PyObject *ec_pub_verify_digest(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "verify_digest", 2, 2, { "signature", "digest", "format" }
    };
    PyObject *o[MAX_ARGS + 1];
    return take_args(o, &sig, args, n, names) ? NULL : verify(self, o[0], o[1], NULL, o[2]);
}

/* --- DSTU 4145 --- */

PyObject *ec_key_sign_dstu4145(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
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
    int deterministic = take_flag(o[1], 0);
    if (deterministic < 0 || take_in(st, &b, o[0], "digest")) return NULL;
    WITHOUT_GIL(ALWAYS, err = ty_dstu4145_sign(out, b.buf, (size_t)b.len, key,
                                               deterministic ? NULL : ty_rng_system()));
    release(&b, 1);
    return err ? fail(st, err, NULL, NULL) : signed_bytes(out, key->pub.curve, 1);
}

PyObject *ec_pub_verify_dstu4145(PyObject *self, PyObject *const *args, Py_ssize_t n,
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
