/* Batches of SM3, SM2 and SM4-GCM, on several threads: each item has its own result. */
#include "batch.h"
#include "sm2.h"
#include <stdlib.h>
#include <string.h>

/* --- SM3 --- */

static ty_err hash_part(void *ctx, size_t from, size_t to)
{
    ty_sm3_many_hash((ty_sm3_job *)ctx + from, to - from);
    return TY_OK;
}

static PyObject *hash_batch(const batch *b, unsigned threads)
{
    uint8_t *out;
    PyObject *array = new_bytearray(&out, b->n * TY_SM3_LEN);
    ty_sm3_job *jobs = array ? PyMem_Calloc(b->n + 1, sizeof *jobs) : NULL;
    if (!jobs) {
        Py_XDECREF(array);
        return PyErr_NoMemory();
    }
    for (size_t i = 0; i < b->n; i++)
        jobs[i] = (ty_sm3_job){ out + TY_SM3_LEN * i, b->items[i].p, b->items[i].len };
    WITHOUT_GIL(ALWAYS, (void)!ty_parallel(b->n, 64, threads, hash_part, jobs));
    PyMem_Free(jobs);
    return array;
}

static PyObject *sm3_many(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "sm3_many", 1, 1, { "data", "threads" }
    };
    PyObject *o[MAX_ARGS + 1], *array = NULL;
    unsigned threads;
    batch b = { 0 };
    if (take_args(o, &sig, args, n, names) || take_threads(o[1], &threads)) return NULL;
    if (!take_batch(state_of_module(module), &b, o[0], "data", 0, 0))
        array = hash_batch(&b, threads);
    drop_batch(&b);
    return array;
}

/* --- Signing with SM2 --- */

/* The private key of item i: one for all, or one of a tuple. */
static const ty_sm2_key *key_at(state *st, PyObject *keys, size_t i)
{
    PyObject *o = PyTuple_Check(keys) ? PyTuple_GetItem(keys, (Py_ssize_t)i) : keys;
    if (Py_TYPE(o) == st->type[T_SM2_KEY]) return &((sm2_key *)o)->signer.key;
    return PyErr_Format(PyExc_TypeError, "keys must be an SM2PrivateKey or a list of them, not %R",
                        Py_TYPE(o)),
           NULL;
}

static ty_err sign_part(void *ctx, size_t from, size_t to)
{
    return ty_sm2_many_sign((ty_sm2_sign_job *)ctx + from, to - from, ty_rng_system());
}

static PyObject *sign_batch(state *st, PyObject *keys, const batch *msgs, const uint8_t *id,
                            size_t id_len, unsigned threads)
{
    uint8_t *out;
    ty_err err = TY_OK;
    PyObject *array = new_bytearray(&out, msgs->n * 64);
    ty_sm2_sign_job *jobs = array ? PyMem_Calloc(msgs->n + 1, sizeof *jobs) : NULL;
    int bad = !jobs;
    if (bad) PyErr_NoMemory();
    for (size_t i = 0; i < msgs->n && !bad; i++) {
        const ty_sm2_key *key = key_at(st, keys, i);
        bad = !key;
        jobs[i] = (ty_sm2_sign_job){ .sig = out + 64 * i,
                                     .msg = msgs->items[i].p,
                                     .msg_len = msgs->items[i].len,
                                     .id = id,
                                     .id_len = id_len,
                                     .key = key };
    }
    if (!bad) WITHOUT_GIL(ALWAYS, err = ty_parallel(msgs->n, 64, threads, sign_part, jobs));
    PyMem_Free(jobs);
    if (!bad && !err) return array;
    Py_XDECREF(array);
    return err ? fail(st, err, NULL, NULL) : NULL;
}

/* One key stays as it is; many become a tuple, which holds them. */
static PyObject *keys_of(state *st, PyObject *o, int type, size_t n, const char *name)
{
    if (Py_TYPE(o) == st->type[type]) return Py_NewRef(o);
    PyObject *all = PySequence_Tuple(o);
    if (!all || (size_t)PyTuple_Size(all) == n) return all;
    refuse(st, "%s has %zd items, and %zu are needed", name, PyTuple_Size(all), n);
    Py_DECREF(all);
    return NULL;
}

static PyObject *sm2_sign_many(PyObject *module, PyObject *const *args, Py_ssize_t n,
                               PyObject *names)
{
    static const signature sig = {
        "sign_many", 2, 2, { "keys", "messages", "id", "threads" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *array = NULL, *keys;
    Py_buffer id_buf = { 0 };
    const uint8_t *id;
    size_t id_len;
    unsigned threads;
    batch b = { 0 };
    if (take_args(o, &sig, args, n, names) || take_threads(o[3], &threads)) return NULL;
    if (!take_id(st, &id_buf, o[2], &id, &id_len) && !take_batch(st, &b, o[1], "messages", 0, 0)
        && (keys = keys_of(st, o[0], T_SM2_KEY, b.n, "keys"))) {
        array = sign_batch(st, keys, &b, id, id_len, threads);
        Py_DECREF(keys);
    }
    drop_batch(&b);
    release(&id_buf, 1);
    return array;
}

/* --- Verifying with SM2 --- */

/* The data of a batch of verifications. Jobs are in the order of keys, so that those of one key are
 * adjacent and share its table; place[j] is the item of job j. */
typedef struct verification {
    ty_sm2_verify_job *jobs;
    const ty_sm2_pub **pub; /* of each item */
    ty_sm2_pub *own;        /* keys that were read from points, or NULL */
    PyObject *keep;         /* SM2PublicKey objects that the caller passed, or NULL */
    uint8_t (*sigs)[64];
    size_t *place;
    uint8_t *out;
} verification;

static int take_pub_objects(state *st, verification *v, PyObject *o, size_t n)
{
    if (!(v->keep = keys_of(st, o, T_SM2_PUB, n, "public_keys"))) return -1;
    for (size_t i = 0; i < n; i++) {
        PyObject *key = PyTuple_Check(v->keep) ? PyTuple_GetItem(v->keep, (Py_ssize_t)i) : v->keep;
        if (!(v->pub[i] = take_sm2_pub(st, key, "public_keys"))) return -1;
    }
    return 0;
}

/* An item that is not a point becomes a key of all zeros, under which nothing verifies. */
static int take_points(state *st, verification *v, PyObject *o, size_t n)
{
    batch b = { 0 };
    int bad = take_batch(st, &b, o, "public_keys", 0, 1) || same_count(st, &b, n, "public_keys");
    if (!bad && !(v->own = PyMem_Calloc(n + 1, sizeof *v->own))) {
        PyErr_NoMemory();
        bad = 1;
    }
    for (size_t i = 0; i < n && !bad; i++) {
        ty_sm2_pub *pub = &v->own[i];
        if (b.items[i].len == MISSING || ty_sm2_pub_set(pub, b.items[i].p, b.items[i].len))
            memset(pub, 0, sizeof *pub);
        v->pub[i] = pub;
    }
    drop_batch(&b);
    return bad ? -1 : 0;
}

/* One SM2PublicKey, a list of them, or a batch of points. */
static int take_pubs(state *st, verification *v, PyObject *o, size_t n)
{
    int objects = Py_TYPE(o) == st->type[T_SM2_PUB];
    if ((PyList_Check(o) || PyTuple_Check(o)) && PySequence_Size(o) > 0) {
        PyObject *first = PySequence_GetItem(o, 0);
        if (!first) return -1;
        objects = Py_TYPE(first) == st->type[T_SM2_PUB];
        Py_DECREF(first);
    }
    return objects ? take_pub_objects(st, v, o, n) : take_points(st, v, o, n);
}

typedef struct keyed {
    const ty_sm2_pub *pub;
    size_t i;
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    int order = x->pub == y->pub ? 0 : memcmp(x->pub, y->pub, sizeof *x->pub);
    return order ? order : x->i < y->i ? -1 : 1;
}

/* place = 0 .. n-1 in the order of keys.   -1 if there is not enough memory */
static int order_by_key(verification *v, size_t n)
{
    for (size_t i = 0; i < n; i++) v->place[i] = i;
    if (v->keep && !PyTuple_Check(v->keep)) return 0; /* one key */
    keyed *all = PyMem_Malloc((n + 1) * sizeof *all);
    if (!all) return -1;
    for (size_t i = 0; i < n; i++) all[i] = (keyed){ v->pub[i], i };
    qsort(all, n, sizeof *all, by_key);
    for (size_t i = 0; i < n; i++) v->place[i] = all[i].i;
    PyMem_Free(all);
    return 0;
}

static ty_err verify_part(void *ctx, size_t from, size_t to)
{
    verification *v = ctx;
    (void)!ty_sm2_many_verify(v->jobs + from, to - from);
    for (size_t i = from; i < to; i++) v->out[v->place[i]] = v->jobs[i].err == TY_OK;
    return TY_OK;
}

/* The signature of item i as r || s; all zeros, which never verifies, where it has none. */
static void take_sig(uint8_t out[64], const span *s, int raw)
{
    memset(out, 0, 64);
    if (s->len == MISSING) return;
    if (!raw) (void)!ty_sm2_sig_from_der(out, s->p, s->len);
    else if (s->len == 64) memcpy(out, s->p, 64);
}

/* v->jobs, in the order of keys. -1 if there is not enough memory */
static int lay_out(verification *v, const batch *sigs, const batch *msgs, const uint8_t *id,
                   size_t id_len, int raw)
{
    if (order_by_key(v, sigs->n)) return -1;
    for (size_t j = 0; j < sigs->n; j++) {
        size_t i = v->place[j];
        const span *m = &msgs->items[i];
        take_sig(v->sigs[j], &sigs->items[i], raw);
        if (m->len == MISSING) memset(v->sigs[j], 0, 64);
        v->jobs[j] = (ty_sm2_verify_job){ .sig = v->sigs[j],
                                          .msg = m->p,
                                          .msg_len = m->len == MISSING ? 0 : m->len,
                                          .id = id,
                                          .id_len = id_len,
                                          .pub = v->pub[i] };
    }
    return 0;
}

static PyObject *verify_batch(state *st, const batch *sigs, const batch *msgs, PyObject *pubs,
                              const uint8_t *id, size_t id_len, int raw, unsigned threads)
{
    size_t n = sigs->n, room = n + 1;
    verification v = { .jobs = PyMem_Calloc(room, sizeof *v.jobs),
                       .pub = PyMem_Calloc(room, sizeof *v.pub),
                       .sigs = PyMem_Calloc(room, sizeof *v.sigs),
                       .place = PyMem_Calloc(room, sizeof *v.place) };
    PyObject *array = new_bytearray(&v.out, n);
    int allocated = v.jobs && v.pub && v.sigs && v.place, bad = !array || !allocated;
    if (array && !allocated) PyErr_NoMemory();
    if (!bad) bad = take_pubs(st, &v, pubs, n);
    if (!bad && (bad = lay_out(&v, sigs, msgs, id, id_len, raw))) PyErr_NoMemory();
    /* Each part computes the tables of its keys, so a single thread takes all items as one part. */
    const size_t grain = threads == 1 ? n : 256;
    if (!bad) WITHOUT_GIL(ALWAYS, (void)!ty_parallel(n, grain, threads, verify_part, &v));
    PyMem_Free(v.jobs);
    PyMem_Free((void *)v.pub);
    PyMem_Free(v.own);
    Py_XDECREF(v.keep);
    PyMem_Free(v.sigs);
    PyMem_Free(v.place);
    if (bad) Py_CLEAR(array);
    return array;
}

static PyObject *sm2_verify_many(PyObject *module, PyObject *const *args, Py_ssize_t n,
                                 PyObject *names)
{
    static const signature sig = {
        "verify_many", 3, 3, { "signatures", "messages", "public_keys", "id", "format", "threads" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *array = NULL;
    Py_buffer id_buf = { 0 };
    const uint8_t *id;
    size_t id_len;
    unsigned threads;
    batch sigs = { 0 }, msgs = { 0 };
    if (take_args(o, &sig, args, n, names) || take_threads(o[5], &threads)) return NULL;
    int is_raw = take_choice(o[4], "format", sm2_sig_formats, 1);
    if (is_raw < 0) return NULL;
    if (!take_id(st, &id_buf, o[3], &id, &id_len)
        && !take_batch(st, &sigs, o[0], "signatures", 0, 1)
        && !take_batch(st, &msgs, o[1], "messages", 0, 1)
        && !same_count(st, &msgs, sigs.n, "messages"))
        array = verify_batch(st, &sigs, &msgs, o[2], id, id_len, is_raw, threads);
    drop_batch(&sigs);
    drop_batch(&msgs);
    release(&id_buf, 1);
    return array;
}

/* --- SM4-GCM --- */

static ty_err seal_part(void *ctx, size_t from, size_t to)
{
    return ty_sm4_many_gcm_seal((ty_sm4_gcm_job *)ctx + from, to - from);
}

static ty_err open_part(void *ctx, size_t from, size_t to)
{
    (void)!ty_sm4_many_gcm_open((ty_sm4_gcm_job *)ctx + from, to - from);
    return TY_OK;
}

/* One message of a batch: its job, and the bytes object that it writes. */
static PyObject *gcm_job(ty_sm4_gcm_job *job, const span *nonce, const span *in, const span *aad,
                         int open, size_t tag_len, const ty_sm4_gcm_key *key)
{
    uint8_t *out;
    if (open && (in->len == MISSING || in->len < tag_len)) {
        job->err = TY_ERR_VERIFY;
        return Py_NewRef(Py_None);
    }
    size_t len = open ? in->len - tag_len : in->len;
    PyObject *bytes = new_bytes(&out, open ? len : len + tag_len);
    if (!bytes) return NULL;
    *job = (ty_sm4_gcm_job){ .out = out,
                             .tag = open ? (uint8_t *)in->p + len : out + len,
                             .tag_len = tag_len,
                             .in = in->p,
                             .len = len,
                             .aad = aad ? aad->p : NULL,
                             .aad_len = aad ? aad->len : 0,
                             .nonce = nonce->p,
                             .nonce_len = nonce->len,
                             .key = key };
    return bytes;
}

/* None where a message does not verify; an exception only if an argument is wrong. */
static PyObject *gcm_results(state *st, PyObject *list, const ty_sm4_gcm_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (jobs[i].err == TY_OK) continue;
        if (jobs[i].err != TY_ERR_VERIFY) {
            Py_DECREF(list);
            return fail(st, jobs[i].err, NULL, "a nonce is empty, or a message too long");
        }
        if (PyList_SetItem(list, (Py_ssize_t)i, Py_NewRef(Py_None))) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *gcm_batch(PyObject *self, const batch *nonces, const batch *data, const batch *aad,
                           int open, unsigned threads)
{
    size_t n = data->n, tag_len, live = 0;
    const ty_sm4_gcm_key *key = gcm_key(self, &tag_len);
    PyObject *list = PyList_New((Py_ssize_t)n);
    ty_sm4_gcm_job *jobs = list ? PyMem_Calloc(n + 1, sizeof *jobs) : NULL;
    ty_sm4_gcm_job *dense = jobs ? PyMem_Calloc(n + 1, sizeof *dense) : NULL;
    int bad = !dense;
    if (bad) PyErr_NoMemory();
    for (size_t i = 0; i < n && !bad; i++) {
        PyObject *o = gcm_job(&jobs[i], &nonces->items[i], &data->items[i],
                              aad->n ? &aad->items[i] : NULL, open, tag_len, key);
        bad = !o || PyList_SetItem(list, (Py_ssize_t)i, o);
        if (!bad && !jobs[i].err) dense[live++] = jobs[i];
    }
    if (!bad)
        WITHOUT_GIL(ALWAYS,
                    (void)!ty_parallel(live, 64, threads, open ? open_part : seal_part, dense));
    for (size_t i = 0, j = 0; i < n && !bad; i++)
        if (!jobs[i].err) jobs[i].err = dense[j++].err;
    if (bad) Py_CLEAR(list);
    else list = gcm_results(state_of(self), list, jobs, n);
    PyMem_Free(jobs);
    PyMem_Free(dense);
    return list;
}

static PyObject *gcm_many(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names,
                          const signature *sig, int open)
{
    state *st = state_of(self);
    PyObject *o[MAX_ARGS + 1], *list = NULL;
    unsigned threads;
    batch b[3] = { 0 };
    if (take_args(o, sig, args, n, names) || take_threads(o[3], &threads)) return NULL;
    int bad = take_batch(st, &b[0], o[0], "nonces", 0, 0)
              || take_batch(st, &b[1], o[1], "data", 0, open)
              || same_count(st, &b[0], b[1].n, "nonces")
              || (given(o[2])
                  && (take_batch(st, &b[2], o[2], "associated_data", 0, 0)
                      || same_count(st, &b[2], b[1].n, "associated_data")));
    if (!bad) list = gcm_batch(self, &b[0], &b[1], &b[2], open, threads);
    for (int i = 0; i < 3; i++) drop_batch(&b[i]);
    return list;
}

PyObject *gcm_seal_many(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "seal_many", 2, 3, { "nonces", "data", "associated_data", "threads" }
    };
    return gcm_many(self, args, n, names, &sig, 0);
}

PyObject *gcm_open_many(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "open_many", 2, 3, { "nonces", "data", "associated_data", "threads" }
    };
    return gcm_many(self, args, n, names, &sig, 1);
}

static PyMethodDef functions[] = {
    { "sm3_many", FASTCALL(sm3_many), FAST,
     "sm3_many($module, data, *, threads=0)\n--\n\nThe SM3 of each item of a batch: a bytearray "
     "of 32 bytes for each." },
    { "sm2_sign_many", FASTCALL(sm2_sign_many), FAST,
     "sm2_sign_many($module, keys, messages, *, id=b'1234567812345678', threads=0)\n--\n\n"
      "A signature of each message: a bytearray of 64 bytes (r || s) for each." },
    { "sm2_verify_many", FASTCALL(sm2_verify_many), FAST,
     "sm2_verify_many($module, signatures, messages, public_keys, *, id=b'1234567812345678', "
     "format='raw', threads=0)\n--\n\n"
      "Whether each signature verifies: a bytearray of 1 and 0." },
    { 0 }
};

int add_many(PyObject *module) { return PyModule_AddFunctions(module, functions); }
