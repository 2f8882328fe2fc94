/* Authenticated encryption with SM4: GCM, CCM, OCB and GCM-SIV, four types over one table. */
#include "batch.h"

typedef union aead_key {
    ty_sm4_gcm_key gcm;
    ty_sm4_ocb_key ocb;
    ty_sm4_key sm4;
} aead_key;

/* One message: the arguments of the library's functions, under the same names. */
typedef struct message {
    uint8_t *out;
    uint8_t *tag; /* written by seal, read by open */
    size_t tag_len;
    const uint8_t *in;
    size_t in_len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce;
    size_t nonce_len;
} message;

#define REST m->aad, m->aad_len, m->nonce, m->nonce_len
static ty_err gcm_seal(const message *m, const aead_key *k)
{
    return ty_sm4_gcm_seal(m->out, m->tag, m->tag_len, m->in, m->in_len, REST, &k->gcm);
}
static ty_err gcm_open(const message *m, const aead_key *k)
{
    return ty_sm4_gcm_open(m->out, m->in, m->in_len, m->tag, m->tag_len, REST, &k->gcm);
}
static ty_err ccm_seal(const message *m, const aead_key *k)
{
    return ty_sm4_ccm_seal(m->out, m->tag, m->tag_len, m->in, m->in_len, REST, &k->sm4);
}
static ty_err ccm_open(const message *m, const aead_key *k)
{
    return ty_sm4_ccm_open(m->out, m->in, m->in_len, m->tag, m->tag_len, REST, &k->sm4);
}
static ty_err ocb_seal(const message *m, const aead_key *k)
{
    return ty_sm4_ocb_seal(m->out, m->tag, m->tag_len, m->in, m->in_len, REST, &k->ocb);
}
static ty_err ocb_open(const message *m, const aead_key *k)
{
    return ty_sm4_ocb_open(m->out, m->in, m->in_len, m->tag, m->tag_len, REST, &k->ocb);
}
static ty_err siv_seal(const message *m, const aead_key *k)
{
    return ty_sm4_gcm_siv_seal(m->out, m->tag, m->in, m->in_len, m->aad, m->aad_len, m->nonce,
                               &k->sm4);
}
static ty_err siv_open(const message *m, const aead_key *k)
{
    return ty_sm4_gcm_siv_open(m->out, m->in, m->in_len, m->tag, m->aad, m->aad_len, m->nonce,
                               &k->sm4);
}
static void gcm_init(aead_key *k, const uint8_t *bytes) { ty_sm4_gcm_init(&k->gcm, bytes); }
static void ocb_init(aead_key *k, const uint8_t *bytes) { ty_sm4_ocb_init(&k->ocb, bytes); }
static void sm4_init(aead_key *k, const uint8_t *bytes) { ty_sm4_init(&k->sm4, bytes); }

/* What each kind allows. Bit n of tags is set if a tag may have n bytes. */
typedef struct aead_kind {
    const char *name;
    size_t nonce_min, nonce_max;
    uint32_t tags;
    void (*init)(aead_key *, const uint8_t *);
    ty_err (*seal)(const message *, const aead_key *), (*open)(const message *, const aead_key *);
} aead_kind;

static const aead_kind kinds[] = {
  /* in the order of T_GCM ... */
    { "SM4GCM",    1,  SIZE_MAX, 0x1f000, gcm_init, gcm_seal, gcm_open },
    { "SM4CCM",    7,  13,       0x15550, sm4_init, ccm_seal, ccm_open },
    { "SM4OCB",    1,  15,       0x1ff00, ocb_init, ocb_seal, ocb_open },
    { "SM4GCMSIV", 12, 12,       0x10000, sm4_init, siv_seal, siv_open },
};

typedef struct aead {
    PyObject_HEAD
    const aead_kind *kind;
    size_t tag_len;
    aead_key key;
} aead;

static int kind_of(state *st, PyTypeObject *type)
{
    int i = 0;
    while (st->type[T_GCM + i] != type) i++;
    return i;
}

static PyObject *aead_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    state *st = PyType_GetModuleState(type);
    int i = kind_of(st, type);
    const signature sig = {
        kinds[i].name, 1, 2, { "key", "tag_length" }
    };
    PyObject *o[MAX_ARGS + 1];
    Py_buffer key = { 0 };
    size_t tag_len;
    aead *a = NULL;
    if (take_tuple(o, &sig, args, kwargs) || take_size(&tag_len, o[1], "tag_length", 4, 16, 16))
        return NULL;
    if (!(kinds[i].tags >> tag_len & 1))
        return refuse(st, "%s has no tags of %zu bytes: use 16", kinds[i].name, tag_len);
    if (!take_exact(st, &key, o[0], "key", TY_SM4_BLOCK) && (a = new_object(st, T_GCM + i))) {
        a->kind = &kinds[i];
        a->tag_len = tag_len;
        a->kind->init(&a->key, key.buf);
    }
    release(&key, 1);
    return (PyObject *)a;
}

static void aead_dealloc(PyObject *self)
{
    ty_wipe(&((aead *)self)->key, sizeof(aead_key));
    free_object(self);
}

/* --- One call --- */

enum { NONCE, DATA, AAD, OUT, BUFFERS };

/* -1 with ValueError where the kind takes no nonce of n bytes */
static int check_nonce(state *st, const aead_kind *kind, size_t n)
{
    size_t least = kind->nonce_min, most = kind->nonce_max;
    if (n >= least && n <= most) return 0;
    if (most == SIZE_MAX) refuse(st, "%s takes no empty nonce: use 12 bytes", kind->name);
    else if (least == most)
        refuse(st, "%s takes a nonce of %zu bytes, and was given %zu", kind->name, most, n);
    else
        refuse(st, "%s takes a nonce of %zu to %zu bytes, and was given %zu: use 12", kind->name,
               least, most, n);
    return -1;
}

static int take_message(state *st, aead *a, Py_buffer b[BUFFERS], PyObject *const *o, int open)
{
    if (take_in(st, &b[NONCE], o[0], "nonce") || take_in(st, &b[DATA], o[1], "data")
        || take_opt(st, &b[AAD], o[2], "associated_data"))
        return -1;
    if (check_nonce(st, a->kind, (size_t)b[NONCE].len)) return -1;
    if (!open || (size_t)b[DATA].len >= a->tag_len) return 0;
    PyErr_Format(st->invalid_tag, "data has %zd bytes, and a tag has %zu: it was cut short",
                 b[DATA].len, a->tag_len);
    return -1;
}

/* The length of the result: the ciphertext followed by its tag, or the plaintext. */
static size_t out_len(const aead *a, const Py_buffer *data, int open)
{
    return open ? (size_t)data->len - a->tag_len : (size_t)data->len + a->tag_len;
}

static ty_err aead_run(aead *a, uint8_t *out, const Py_buffer b[BUFFERS], int open)
{
    size_t len = open ? (size_t)b[DATA].len - a->tag_len : (size_t)b[DATA].len;
    uint8_t *in = b[DATA].buf;
    message m = { out,
                  open ? in + len : out + len,
                  a->tag_len,
                  in,
                  len,
                  b[AAD].buf,
                  (size_t)b[AAD].len,
                  b[NONCE].buf,
                  (size_t)b[NONCE].len };
    return open ? a->kind->open(&m, &a->key) : a->kind->seal(&m, &a->key);
}

static PyObject *to_bytes(aead *a, PyObject *const *args, Py_ssize_t n, PyObject *names,
                          const signature *sig, int open)
{
    state *st = state_of((PyObject *)a);
    PyObject *o[MAX_ARGS + 1], *bytes = NULL;
    Py_buffer b[BUFFERS] = { 0 };
    uint8_t *out;
    ty_err err = TY_OK;
    if (take_args(o, sig, args, n, names)) return NULL;
    if (!take_message(st, a, b, o, open) && (bytes = new_bytes(&out, out_len(a, &b[DATA], open))))
        WITHOUT_GIL(b[DATA].len + b[AAD].len, err = aead_run(a, out, b, open));
    release(b, BUFFERS);
    if (!err) return bytes;
    Py_DECREF(bytes);
    return fail(st, err, st->invalid_tag, NULL);
}

/* b[OUT] = the buffer out, which may begin where data does (in place), and must not overlap an
 * input otherwise. */
static int take_room(state *st, aead *a, Py_buffer b[BUFFERS], PyObject *out, int open)
{
    size_t len = out_len(a, &b[DATA], open);
    if (take_out(st, &b[OUT], out, "buf", len)) return -1;
    const void *p = b[OUT].buf;
    if (apart(p, len, &b[NONCE]) && apart(p, len, &b[AAD])
        && (p == b[DATA].buf || apart(p, len, &b[DATA])))
        return 0;
    refuse(st,
           "buf overlaps an input: it may begin where data begins, and not overlap otherwise");
    return -1;
}

static PyObject *to_buffer(aead *a, PyObject *const *args, Py_ssize_t n, PyObject *names,
                           const signature *sig, int open)
{
    state *st = state_of((PyObject *)a);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b[BUFFERS] = { 0 };
    ty_err err = TY_OK;
    size_t len = 0;
    if (take_args(o, sig, args, n, names)) return NULL;
    int bad = take_message(st, a, b, o, open) || take_room(st, a, b, o[3], open);
    if (!bad) {
        len = out_len(a, &b[DATA], open);
        WITHOUT_GIL(b[DATA].len + b[AAD].len, err = aead_run(a, b[OUT].buf, b, open));
    }
    release(b, BUFFERS);
    if (bad) return NULL;
    return err ? fail(st, err, st->invalid_tag, NULL) : PyLong_FromSize_t(len);
}

#define CALL(name, run, open, required, ...)                                                       \
    static PyObject *aead_##name(PyObject *self, PyObject *const *args, Py_ssize_t n,              \
                                 PyObject *names)                                                  \
    {                                                                                              \
        static const signature sig = { #name, required, required > 2 ? 4 : 3, { __VA_ARGS__ } };   \
        return run((aead *)self, args, n, names, &sig, open);                                      \
    }
CALL(encrypt, to_bytes, 0, 2, "nonce", "data", "associated_data")
CALL(decrypt, to_bytes, 1, 2, "nonce", "data", "associated_data")
CALL(encrypt_into, to_buffer, 0, 4, "nonce", "data", "associated_data", "buf")
CALL(decrypt_into, to_buffer, 1, 4, "nonce", "data", "associated_data", "buf")

#define METHODS                                                                                    \
    { "encrypt", FASTCALL(aead_encrypt), FAST,                                                     \
      "encrypt($self, nonce, data, associated_data=None)\n--\n\n"                                  \
      "The ciphertext of data, followed by the tag, which covers associated_data too.\n\n"         \
      "Never use a nonce twice under one key." },                                                  \
        { "decrypt", FASTCALL(aead_decrypt), FAST,                                                 \
          "decrypt($self, nonce, data, associated_data=None)\n--\n\n"                              \
          "The plaintext of what encrypt returned; raise InvalidTag if anything was altered." },   \
        { "encrypt_into", FASTCALL(aead_encrypt_into), FAST,                                       \
          "encrypt_into($self, nonce, data, associated_data, buf)\n--\n\n"                         \
          "encrypt, into a writable buffer of len(data) + tag_length bytes or more; returns how "  \
          "many were written.\n\n"                                                                 \
          "buf may begin where data begins (in place), and must not overlap it otherwise." },      \
        { "decrypt_into", FASTCALL(aead_decrypt_into), FAST,                                       \
          "decrypt_into($self, nonce, data, associated_data, buf)\n--\n\n"                         \
          "decrypt, into a writable buffer of len(data) - tag_length bytes or more; returns how "  \
          "many were written.\n\n"                                                                 \
          "After InvalidTag these bytes of buf are zero." },                                       \
        { "generate_key", generate_key, METH_NOARGS | METH_CLASS,                                  \
          "generate_key($type, /)\n--\n\n16 random bytes." },                                      \
        NO_PICKLE, { 0 }

static PyMethodDef methods[] = { METHODS };
static PyMethodDef gcm_methods[] = {
    { "seal_many", FASTCALL(gcm_seal_many), FAST,
     "seal_many($self, nonces, data, associated_data=None, *, threads=0)\n--\n\n"
      "encrypt for many messages: a list of ciphertexts, each followed by its tag.\n\n"
      "nonces, data and associated_data are batches of the same length (see tongyu.batch); "
      "threads=0 is one per CPU." },
    { "open_many", FASTCALL(gcm_open_many), FAST,
     "open_many($self, nonces, data, associated_data=None, *, threads=0)\n--\n\n"
      "decrypt for many messages: a list of plaintexts, with None in place of what does not "
      "verify."                   },
    METHODS
};

const ty_sm4_gcm_key *gcm_key(PyObject *self, size_t *tag_len)
{
    *tag_len = ((aead *)self)->tag_len;
    return &((aead *)self)->key.gcm;
}

#define TYPE(name, methods, doc)                                                                   \
    static PyType_Slot slots_##name[] = {                                                          \
        { Py_tp_new, (void *)aead_new },                                                           \
        { Py_tp_dealloc, (void *)aead_dealloc },                                                   \
        { Py_tp_methods, methods },                                                                \
        { Py_tp_doc, #name "(key, tag_length=16)\n--\n\n" doc },                                   \
        { 0 }                                                                                      \
    };                                                                                             \
    static PyType_Spec spec_##name = { "tongyu.aead." #name, sizeof(aead), 0,                      \
                                       Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,              \
                                       slots_##name };
TYPE(SM4GCM, gcm_methods,
     "SM4-GCM (SP 800-38D, RFC 8998): the one to use if in doubt. Nonces of any length but 0, "
     "usually 12 bytes; tags of 12 to 16.")
TYPE(SM4CCM, methods,
     "SM4-CCM (SP 800-38C, RFC 8998). Nonces of 7 to 13 bytes; tags of 4, 6, ... 16. Slow; for "
     "protocols that require it.")
TYPE(SM4OCB, methods, "SM4-OCB (RFC 7253). Nonces of 1 to 15 bytes; tags of 8 to 16.")
TYPE(SM4GCMSIV, methods,
     "SM4-GCM-SIV (RFC 8452), which forgives a nonce that is used twice. Nonces of 12 bytes, tags "
     "of 16.")

int add_aead(PyObject *module)
{
    return add_type(module, T_GCM, &spec_SM4GCM) || add_type(module, T_CCM, &spec_SM4CCM)
                   || add_type(module, T_OCB, &spec_SM4OCB)
                   || add_type(module, T_GCM_SIV, &spec_SM4GCMSIV)
               ? -1
               : 0;
}
