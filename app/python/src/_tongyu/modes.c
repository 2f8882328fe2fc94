/* SM4 without authentication: the modes of GB/T 17964 and SP 800-38A, XTS in both forms, and HCTR.
 * A Mode is a key in a mode; a Stream is one message that comes in parts. */
#include "py.h"
#include <string.h>

typedef union mode_key {
    ty_sm4_key sm4;
    ty_sm4_xts_key xts;
    ty_sm4_hctr_key hctr;
} mode_key;

/* Encrypts or decrypts a whole message, for the modes without streaming. */
typedef ty_err whole(uint8_t *out, const uint8_t *in, size_t len, const uint8_t *iv,
                     const mode_key *key);

#define WHOLE(name, field)                                                                         \
    static ty_err name(uint8_t *out, const uint8_t *in, size_t len, const uint8_t *iv,             \
                       const mode_key *key)                                                        \
    {                                                                                              \
        return ty_sm4_##name(out, in, len, iv, &key->field);                                       \
    }
WHOLE(xts_ieee_encrypt, xts)
WHOLE(xts_ieee_decrypt, xts)
WHOLE(xts_gb_encrypt, xts)
WHOLE(xts_gb_decrypt, xts)
WHOLE(hctr_encrypt, hctr)
WHOLE(hctr_decrypt, hctr)

/* One mode. Those with `whole` functions are one-shot only; the others use ty_sm4_start with
 * modes[decrypt]. */
typedef struct mode_kind {
    const char *name;
    size_t key_len, iv_len;
    int pads; /* a mode of whole blocks, which may be padded */
    ty_sm4_mode modes[2];
    whole *whole[2];
} mode_kind;

enum { ECB, CBC, CFB, CFB8, CFB1, OFB, CTR, BC, OFBNLF, XTS_IEEE, XTS_GB, HCTR };
#define DIRECTIONS(mode) { TY_SM4_##mode##_ENCRYPT, TY_SM4_##mode##_DECRYPT }, { 0 }
static const mode_kind kinds[] = {
    { "ecb", 16, 0, 1, DIRECTIONS(ECB) },
    { "cbc", 16, 16, 1, DIRECTIONS(CBC) },
    { "cfb", 16, 16, 0, DIRECTIONS(CFB) },
    { "cfb8", 16, 16, 0, DIRECTIONS(CFB8) },
    { "cfb1", 16, 16, 0, DIRECTIONS(CFB1) },
    { "ofb", 16, 16, 0, { TY_SM4_OFB, TY_SM4_OFB }, { 0 } },
    { "ctr", 16, 16, 0, { TY_SM4_CTR, TY_SM4_CTR }, { 0 } },
    { "bc", 16, 16, 1, DIRECTIONS(BC) },
    { "ofbnlf", 16, 16, 1, DIRECTIONS(OFBNLF) },
    { "xts_ieee", 32, 16, 0, { 0 }, { xts_ieee_encrypt, xts_ieee_decrypt } },
    { "xts_gb", 32, 16, 0, { 0 }, { xts_gb_encrypt, xts_gb_decrypt } },
    { "hctr", 32, 16, 0, { 0 }, { hctr_encrypt, hctr_decrypt } },
};

typedef struct mode {
    PyObject_HEAD
    const mode_kind *kind;
    mode_key key;
} mode;

static ty_err key_init(mode *m, const uint8_t *bytes)
{
    if (m->kind == &kinds[HCTR]) ty_sm4_hctr_init(&m->key.hctr, bytes);
    else if (m->kind->whole[0]) return ty_sm4_xts_init(&m->key.xts, bytes);
    else ty_sm4_init(&m->key.sm4, bytes);
    return TY_OK;
}

static PyObject *mode_new(PyObject *module, PyObject *key, const mode_kind *kind)
{
    state *st = state_of_module(module);
    Py_buffer b = { 0 };
    ty_err err = TY_OK;
    mode *m = NULL;
    if (!take_exact(st, &b, key, "key", kind->key_len) && (m = new_object(st, T_MODE))) {
        m->kind = kind;
        err = key_init(m, b.buf);
    }
    release(&b, 1);
    if (!err) return (PyObject *)m;
    Py_DECREF(m);
    return fail(st, err, NULL, "the two halves of the key are equal: use 32 random bytes");
}

static void mode_dealloc(PyObject *self)
{
    ty_wipe(&((mode *)self)->key, sizeof(mode_key));
    free_object(self);
}

/* --- Arguments --- */

/* iv = the argument o: 16 bytes, or for XTS and HCTR the number of a sector; zeros for a mode
 * without an iv. -1 with an exception */
static int take_iv(state *st, const mode_kind *kind, uint8_t iv[16], PyObject *o)
{
    memset(iv, 0, 16);
    if (kind->iv_len == 0) {
        if (!given(o)) return 0;
        refuse(st, "%s takes no iv", kind->name);
        return -1;
    }
    if (!given(o)) {
        refuse(st, "%s needs an iv of 16 bytes", kind->name);
        return -1;
    }
    if (kind->key_len == 32 && PyLong_Check(o)) {
        size_t number;
        if (want_size(&number, o, "iv", 0, SIZE_MAX)) return -1;
        ty_sm4_xts_tweak(iv, number);
        return 0;
    }
    Py_buffer b = { 0 };
    int bad = take_exact(st, &b, o, "iv", 16);
    if (!bad) memcpy(iv, b.buf, 16);
    release(&b, 1);
    return bad;
}

static int take_pad(state *st, const mode_kind *kind, PyObject *o)
{
    static const char *const pads[] = { "none", "pkcs7", "iso7816", "x923",
                                        NULL }; /* in the order of ty_sm4_pad */
    int pad = take_choice(o, "padding", pads, TY_SM4_PAD_NONE);
    if (pad <= 0 || kind->pads) return pad;
    refuse(st, "%s takes messages of any length and no padding", kind->name);
    return -1;
}

/* The largest possible length of the output. */
static size_t room_for(size_t len, int pad, int decrypt)
{
    return pad && !decrypt ? len / 16 * 16 + 16 : len;
}

/* --- One-shot --- */

static ty_err by_stream(uint8_t *out, size_t *out_len, const Py_buffer *in, const uint8_t *iv,
                        mode *m, int pad, int decrypt)
{
    ty_sm4_stream s;
    uint8_t last[16];
    size_t n = 0, end = 0;
    ty_err err = ty_sm4_start(&s, m->kind->modes[decrypt], (ty_sm4_pad)pad, iv, &m->key.sm4);
    if (!err) err = ty_sm4_update(out, &n, in->buf, (size_t)in->len, &s);
    if (!err) err = ty_sm4_final(last, &end, &s);
    if (!err && end) memcpy(out + n, last, end);
    *out_len = n + end;
    ty_wipe(&s, sizeof s);
    ty_wipe(last, sizeof last);
    return err;
}

static ty_err run(uint8_t *out, size_t *len, const Py_buffer *in, const uint8_t *iv, mode *m,
                  int pad, int decrypt)
{
    whole *f = m->kind->whole[decrypt];
    *len = (size_t)in->len;
    return f ? f(out, in->buf, *len, iv, &m->key) : by_stream(out, len, in, iv, m, pad, decrypt);
}

static const char *hint_for(const mode *m, ty_err err)
{
    if (err == TY_ERR_FORMAT)
        return "the data is not whole blocks of 16 bytes, or its padding is wrong: encrypt other "
               "lengths with padding='pkcs7', and decrypt with the padding of the encryption";
    if (err == TY_ERR_ARG && m->kind->whole[0]) return "a message has 16 bytes or more";
    if (err == TY_ERR_SIZE && m->kind->whole[0] && m->kind != &kinds[HCTR])
        return "XTS takes 16 MiB (2^24 bytes) at most: encrypt sector by sector";
    return NULL;
}

static PyObject *to_bytes(mode *m, PyObject *const *o, int decrypt)
{
    state *st = state_of((PyObject *)m);
    Py_buffer in = { 0 };
    uint8_t iv[16], *out;
    size_t len = 0;
    ty_err err = TY_OK;
    PyObject *bytes = NULL;
    int pad = take_pad(st, m->kind, o[2]);
    if (pad < 0 || take_iv(st, m->kind, iv, o[1]) || take_in(st, &in, o[0], "data")) return NULL;
    size_t room = room_for((size_t)in.len, pad, decrypt);
    if ((bytes = new_bytes(&out, room)))
        WITHOUT_GIL(in.len, err = run(out, &len, &in, iv, m, pad, decrypt));
    release(&in, 1);
    if (err) {
        Py_DECREF(bytes);
        return fail(st, err, NULL, hint_for(m, err));
    }
    return shrunk(bytes, len);
}

static PyObject *into(mode *m, PyObject *const *o, int decrypt)
{
    state *st = state_of((PyObject *)m);
    Py_buffer b[2] = { 0 };
    uint8_t iv[16];
    size_t len = 0;
    ty_err err = TY_OK;
    int pad = take_pad(st, m->kind, o[3]);
    if (pad < 0 || take_iv(st, m->kind, iv, o[2])) return NULL;
    int bad = take_in(st, &b[0], o[0], "data")
              || take_out(st, &b[1], o[1], "buf", room_for((size_t)b[0].len, pad, decrypt));
    if (!bad && b[0].buf != b[1].buf && !apart(b[1].buf, (size_t)b[1].len, &b[0])) {
        refuse(st, "buf overlaps data: it may begin where data begins, and not overlap otherwise");
        bad = 1;
    }
    if (!bad) WITHOUT_GIL(b[0].len, err = run(b[1].buf, &len, &b[0], iv, m, pad, decrypt));
    release(b, 2);
    if (bad) return NULL;
    return err ? fail(st, err, NULL, hint_for(m, err)) : PyLong_FromSize_t(len);
}

#define ONE_SHOT(name, call, direction, required, ...)                                             \
    static PyObject *mode_##name(PyObject *self, PyObject *const *args, Py_ssize_t n,              \
                                 PyObject *names)                                                  \
    {                                                                                              \
        static const signature sig = {                                                             \
            #name, required, required + 1, { __VA_ARGS__, "iv", "padding" }                        \
        };                                                                                         \
        PyObject *o[MAX_ARGS + 1];                                                                 \
        return take_args(o, &sig, args, n, names) ? NULL : call((mode *)self, o, direction);       \
    }
ONE_SHOT(encrypt, to_bytes, 0, 1, "data")
ONE_SHOT(decrypt, to_bytes, 1, 1, "data")
ONE_SHOT(encrypt_into, into, 0, 2, "data", "buf")
ONE_SHOT(decrypt_into, into, 1, 2, "data", "buf")

/* --- Streams --- */

typedef struct stream {
    PyObject_HEAD
    PyObject *mode; /* holds the key */
    atomic_flag busy;
    ty_sm4_stream s;
} stream;

static PyObject *stream_new(mode *m, PyObject *const *args, Py_ssize_t n, PyObject *names,
                            const signature *sig, int decrypt)
{
    state *st = state_of((PyObject *)m);
    PyObject *o[MAX_ARGS + 1];
    uint8_t iv[16];
    int pad;
    if (take_args(o, sig, args, n, names) || (pad = take_pad(st, m->kind, o[1])) < 0) return NULL;
    if (take_iv(st, m->kind, iv, o[0])) return NULL;
    if (m->kind->whole[0])
        return refuse(st, "%s takes a message in one piece: use encrypt and decrypt",
                      m->kind->name);
    stream *s = new_object(st, T_STREAM);
    if (!s) return NULL;
    s->mode = Py_NewRef((PyObject *)m);
    ty_err err = ty_sm4_start(&s->s, m->kind->modes[decrypt], (ty_sm4_pad)pad, iv, &m->key.sm4);
    if (!err) return (PyObject *)s;
    Py_DECREF(s);
    return fail(st, err, NULL, NULL);
}

#define STREAM(name, direction)                                                                    \
    static PyObject *mode_##name(PyObject *self, PyObject *const *args, Py_ssize_t n,              \
                                 PyObject *names)                                                  \
    {                                                                                              \
        static const signature sig = {                                                             \
            #name, 0, 1, { "iv", "padding" }                                                       \
        };                                                                                         \
        return stream_new((mode *)self, args, n, names, &sig, direction);                          \
    }
STREAM(encryptor, 0)
STREAM(decryptor, 1)

static void stream_dealloc(PyObject *self)
{
    stream *s = (stream *)self;
    ty_wipe(&s->s, sizeof s->s);
    Py_XDECREF(s->mode);
    free_object(self);
}

static PyObject *stream_update(PyObject *self, PyObject *data)
{
    stream *s = (stream *)self;
    state *st = state_of(self);
    Py_buffer in = { 0 };
    uint8_t *out;
    size_t len = 0;
    ty_err err = TY_OK;
    if (take_in(st, &in, data, "data")) return NULL;
    PyObject *bytes = new_bytes(&out, (size_t)in.len + (((mode *)s->mode)->kind->pads ? 15 : 0));
    if (bytes) {
        lock(&s->busy);
        WITHOUT_GIL(in.len, err = ty_sm4_update(out, &len, in.buf, (size_t)in.len, &s->s));
        unlock(&s->busy);
    }
    release(&in, 1);
    if (err) {
        Py_DECREF(bytes);
        return fail(st, err, NULL, NULL);
    }
    return shrunk(bytes, len);
}

static PyObject *stream_finalize(PyObject *self, PyObject *unused)
{
    (void)unused;
    stream *s = (stream *)self;
    uint8_t last[16];
    size_t len = 0;
    lock(&s->busy);
    ty_err err = ty_sm4_final(last, &len, &s->s);
    unlock(&s->busy);
    PyObject *bytes = err ? fail(state_of(self), err, NULL, hint_for((mode *)s->mode, err))
                          : PyBytes_FromStringAndSize((const char *)last, (Py_ssize_t)len);
    ty_wipe(last, sizeof last);
    return bytes;
}

static PyMethodDef stream_methods[] = {
    { "update", stream_update, METH_O,
     "update($self, data, /)\n--\n\nTake data, and return what is complete: all of it, or in a "
     "mode of whole blocks every whole block; decryption with padding holds back the last one." },
    { "finalize", stream_finalize, METH_NOARGS,
     "finalize($self, /)\n--\n\nThe rest of the message; the object cannot be used again." },
    NO_PICKLE,
    { 0 }
};
static PyType_Slot stream_slots[] = {
    { Py_tp_dealloc, (void *)stream_dealloc },
    { Py_tp_methods, stream_methods },
    { Py_tp_doc, "One message in pieces: made by Mode.encryptor and Mode.decryptor." },
    { 0 }
};
static PyType_Spec stream_spec = { "tongyu.modes.Stream", sizeof(stream), 0, MADE_BY_METHODS,
                                   stream_slots };

/* --- The type and its functions --- */

static PyObject *get_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((mode *)self)->kind->name);
}

static PyObject *mode_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<SM4 key in mode %s>", ((mode *)self)->kind->name);
}

static PyGetSetDef mode_properties[] = {
    { "name", get_name, NULL, "The name of the mode.", NULL },
    { 0 }
};
static PyMethodDef mode_methods[] = {
    { "encrypt", FASTCALL(mode_encrypt), FAST,
     "encrypt($self, data, iv=None, *, padding='none')\n--\n\n"
      "The ciphertext of a whole message.\n\n"
      "iv has 16 bytes (ecb takes none; for XTS and HCTR it is the tweak, or the number of a "
      "sector as an int).\n"
      "padding is 'none', 'pkcs7', 'iso7816' or 'x923', for the modes of whole blocks: ecb, cbc, "
      "bc, ofbnlf." },
    { "decrypt", FASTCALL(mode_decrypt), FAST,
     "decrypt($self, data, iv=None, *, padding='none')\n--\n\n"
      "The plaintext of a whole message. Alterations are not detected: prefer tongyu.aead." },
    { "encrypt_into", FASTCALL(mode_encrypt_into), FAST,
     "encrypt_into($self, data, buf, iv=None, *, padding='none')\n--\n\n"
      "encrypt, into a writable buffer of at least len(data) bytes, or with padding of at least "
      "the next multiple of 16 above len(data); buf may begin where data begins. Returns how many "
      "bytes were written." },
    { "decrypt_into", FASTCALL(mode_decrypt_into), FAST,
     "decrypt_into($self, data, buf, iv=None, *, padding='none')\n--\n\n"
      "decrypt, into a writable buffer of len(data) bytes or more; returns how many bytes were "
      "written." },
    { "encryptor", FASTCALL(mode_encryptor), FAST,
     "encryptor($self, iv=None, *, padding='none')\n--\n\nA Stream that encrypts one message in "
     "pieces." },
    { "decryptor", FASTCALL(mode_decryptor), FAST,
     "decryptor($self, iv=None, *, padding='none')\n--\n\nA Stream that decrypts one message in "
     "pieces." },
    NO_PICKLE,
    { 0 }
};
static PyType_Slot mode_slots[] = {
    { Py_tp_dealloc, (void *)mode_dealloc },
    { Py_tp_methods, mode_methods },
    { Py_tp_getset, mode_properties },
    { Py_tp_repr, (void *)mode_repr },
    { Py_tp_doc,
     "An SM4 key in one mode: made by functions such as cbc(). No mode here authenticates." },
    { 0 }
};
static PyType_Spec mode_spec = { "tongyu.modes.Mode", sizeof(mode), 0, MADE_BY_METHODS,
                                 mode_slots };

#define MODES(X)                                                                                   \
    X(ecb, ECB, "electronic code book: equal blocks give equal ciphertext")                        \
    X(cbc, CBC, "cipher block chaining")                                                           \
    X(cfb, CFB, "cipher feedback, 128 bits") X(cfb8, CFB8, "cipher feedback, 8 bits")              \
        X(cfb1, CFB1, "cipher feedback, 1 bit") X(ofb, OFB, "output feedback")                     \
            X(ctr, CTR, "counter mode; iv is the first counter block")                             \
                X(bc, BC, "block chaining (GB/T 17964-2021, 12)")                                  \
                    X(ofbnlf, OFBNLF, "OFB with a nonlinear function (GB/T 17964-2021, 13)")       \
                        X(xts_ieee, XTS_IEEE, "XTS of IEEE 1619; key of 32 bytes")                 \
                            X(xts_gb, XTS_GB, "XTS of GB/T 17964-2021; key of 32 bytes")           \
                                X(hctr, HCTR,                                                      \
                                  "HCTR, a wide-block mode (GB/T 17964-2021, 11); key of 32 bytes")
#define MAKER(name, place, doc)                                                                    \
    static PyObject *make_##name(PyObject *module, PyObject *key)                                  \
    {                                                                                              \
        return mode_new(module, key, &kinds[place]);                                               \
    }
#define ROW(name, place, doc)                                                                      \
    { #name, make_##name, METH_O, #name "($module, key, /)\n--\n\nSM4, " doc "." },
MODES(MAKER)
static PyMethodDef functions[] = { MODES(ROW){ 0 } };

int add_modes(PyObject *module)
{
    return add_type(module, T_MODE, &mode_spec) || add_type(module, T_STREAM, &stream_spec)
                   || PyModule_AddFunctions(module, functions)
               ? -1
               : 0;
}
