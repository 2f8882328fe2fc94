/* Batches of ML-DSA: keys, signatures and verifications, interleaved and on several threads. */
#include "batch.h"
#include "mldsa.h"
#include <string.h>

enum { GRAIN = 16 };

static int is_of(state *st, PyObject *o, int first)
{
    for (int i = 0; i < 3; i++)
        if (Py_TYPE(o) == st->type[first + i]) return 1;
    return 0;
}

/* One key stays as it is; many become a tuple, which holds them. `first` is the first of the three
 * types of keys, `ready` the type of precomputed keys. */
static PyObject *keys_of(state *st, PyObject *o, int first, int ready, size_t n, const char *name)
{
    if (is_of(st, o, first) || Py_TYPE(o) == st->type[ready]) return Py_NewRef(o);
    PyObject *all = PySequence_Tuple(o);
    for (size_t i = 0; all && i < (size_t)PyTuple_Size(all); i++) {
        PyObject *key = PyTuple_GetItem(all, (Py_ssize_t)i);
        if (is_of(st, key, first) || Py_TYPE(key) == st->type[ready]) continue;
        PyErr_Format(PyExc_TypeError, "%s: item %zu is %R, and a key of ML-DSA is needed", name, i,
                     Py_TYPE(key));
        Py_CLEAR(all);
    }
    if (!all || (size_t)PyTuple_Size(all) == n) return all;
    refuse(st, "%s has %zd items, and %zu are needed", name, PyTuple_Size(all), n);
    Py_DECREF(all);
    return NULL;
}

static PyObject *key_at(PyObject *keys, size_t i)
{
    return PyTuple_Check(keys) ? PyTuple_GetItem(keys, (Py_ssize_t)i) : keys;
}

/* --- Signing --- */

typedef struct sign_run {
    ty_mldsa_sign_job *jobs;
    const ty_rng *rng;
} sign_run;

static ty_err sign_part(void *ctx, size_t from, size_t to)
{
    sign_run *r = ctx;
    return ty_mldsa_many_sign(r->jobs + from, to - from, r->rng);
}

static void set_key(state *st, ty_mldsa_sign_job *job, PyObject *key)
{
    if (Py_TYPE(key) == st->type[T_MLDSA_SIGNER]) {
        job->signer = &((mldsa_signer *)key)->signer;
        job->sig_len = ty_mldsa_sig_len(job->signer->pub.set);
    } else {
        job->key = &((mldsa_key *)key)->key;
        job->sig_len = ty_mldsa_sig_len(job->key->pub.set);
    }
}

static PyObject *sign_batch(state *st, PyObject *keys, const batch *msgs, const Py_buffer *ctx,
                            const ty_rng *rng, unsigned threads)
{
    PyObject *list = PyList_New((Py_ssize_t)msgs->n);
    sign_run r = { list ? PyMem_Calloc(msgs->n + 1, sizeof *r.jobs) : NULL, rng };
    ty_err err = TY_OK;
    int bad = !r.jobs;
    if (bad) PyErr_NoMemory();
    for (size_t i = 0; i < msgs->n && !bad; i++) {
        ty_mldsa_sign_job *job = &r.jobs[i];
        set_key(st, job, key_at(keys, i));
        job->msg = msgs->items[i].p;
        job->msg_len = msgs->items[i].len;
        job->ctx = ctx->buf;
        job->ctx_len = (size_t)ctx->len;
        PyObject *sig = new_bytes(&job->sig, job->sig_len);
        bad = !sig || PyList_SetItem(list, (Py_ssize_t)i, sig);
    }
    if (!bad) WITHOUT_GIL(ALWAYS, err = ty_parallel(msgs->n, GRAIN, threads, sign_part, &r));
    PyMem_Free(r.jobs);
    if (!bad && !err) return list;
    Py_XDECREF(list);
    return err ? fail(st, err, NULL, NULL) : NULL;
}

static PyObject *mldsa_sign_many(PyObject *module, PyObject *const *args, Py_ssize_t n,
                                 PyObject *names)
{
    static const signature sig = {
        "sign_many", 2, 2, { "keys", "messages", "context", "deterministic", "threads" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *list = NULL, *keys;
    Py_buffer ctx = { 0 };
    unsigned threads;
    batch b = { 0 };
    if (take_args(o, &sig, args, n, names) || take_threads(o[4], &threads)) return NULL;
    int deterministic = take_flag(o[3], 0);
    if (deterministic < 0) return NULL;
    if (!take_context(st, &ctx, o[2]) && !take_batch(st, &b, o[1], "messages", 0, 0)
        && (keys = keys_of(st, o[0], T_MLDSA_KEY, T_MLDSA_SIGNER, b.n, "keys"))) {
        list = sign_batch(st, keys, &b, &ctx, deterministic ? NULL : ty_rng_system(), threads);
        Py_DECREF(keys);
    }
    drop_batch(&b);
    release(&ctx, 1);
    return list;
}

/* --- Verifying --- */

typedef struct verify_run {
    ty_mldsa_verify_job *jobs;
    uint8_t *out;
} verify_run;

static ty_err verify_part(void *ctx, size_t from, size_t to)
{
    verify_run *r = ctx;
    (void)!ty_mldsa_many_verify(r->jobs + from, to - from);
    for (size_t i = from; i < to; i++) r->out[i] = r->jobs[i].err == TY_OK;
    return TY_OK;
}

/* A missing signature or message is a signature of no length, which does not verify. */
static ty_mldsa_verify_job verify_job(state *st, PyObject *key, const span *sig, const span *msg,
                                      const Py_buffer *ctx)
{
    int missing = sig->len == MISSING || msg->len == MISSING;
    ty_mldsa_verify_job job = { .sig = sig->p,
                                .sig_len = missing ? 0 : sig->len,
                                .msg = msg->p,
                                .msg_len = missing ? 0 : msg->len,
                                .ctx = ctx->buf,
                                .ctx_len = (size_t)ctx->len };
    if (Py_TYPE(key) == st->type[T_MLDSA_VERIFIER])
        job.verifier = &((mldsa_verifier *)key)->verifier;
    else job.pub = &((mldsa_pub *)key)->pub;
    return job;
}

static PyObject *verify_batch(state *st, const batch *sigs, const batch *msgs, PyObject *keys,
                              const Py_buffer *ctx, unsigned threads)
{
    verify_run r = { PyMem_Calloc(sigs->n + 1, sizeof *r.jobs), NULL };
    PyObject *array = r.jobs ? new_bytearray(&r.out, sigs->n) : PyErr_NoMemory();
    for (size_t i = 0; array && i < sigs->n; i++)
        r.jobs[i] = verify_job(st, key_at(keys, i), &sigs->items[i], &msgs->items[i], ctx);
    if (array) WITHOUT_GIL(ALWAYS, (void)!ty_parallel(sigs->n, GRAIN, threads, verify_part, &r));
    PyMem_Free(r.jobs);
    return array;
}

static PyObject *mldsa_verify_many(PyObject *module, PyObject *const *args, Py_ssize_t n,
                                   PyObject *names)
{
    static const signature sig = {
        "verify_many", 3, 3, { "signatures", "messages", "public_keys", "context", "threads" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *array = NULL, *keys;
    Py_buffer ctx = { 0 };
    unsigned threads;
    batch b[2] = { 0 };
    if (take_args(o, &sig, args, n, names) || take_threads(o[4], &threads)) return NULL;
    if (!take_context(st, &ctx, o[3]) && !take_batch(st, &b[0], o[0], "signatures", 0, 1)
        && !take_batch(st, &b[1], o[1], "messages", 0, 1)
        && !same_count(st, &b[1], b[0].n, "messages")
        && (keys = keys_of(st, o[2], T_MLDSA_PUB, T_MLDSA_VERIFIER, b[0].n, "public_keys"))) {
        array = verify_batch(st, &b[0], &b[1], keys, &ctx, threads);
        Py_DECREF(keys);
    }
    drop_batch(&b[0]);
    drop_batch(&b[1]);
    release(&ctx, 1);
    return array;
}

/* --- Keys --- */

static ty_err keygen_part(void *ctx, size_t from, size_t to)
{
    return ty_mldsa_many_keygen((ty_mldsa_keygen_job *)ctx + from, to - from, ty_rng_system());
}

static PyObject *make_keys(state *st, ty_mldsa_set set, size_t n, unsigned threads)
{
    PyObject *list = PyList_New((Py_ssize_t)n);
    ty_mldsa_keygen_job *jobs = list ? PyMem_Calloc(n + 1, sizeof *jobs) : NULL;
    ty_err err = TY_OK;
    int bad = !jobs;
    if (bad) PyErr_NoMemory();
    for (size_t i = 0; i < n && !bad; i++) {
        mldsa_key *key = new_object(st, T_MLDSA_KEY + mldsa_index(set));
        bad = !key || PyList_SetItem(list, (Py_ssize_t)i, (PyObject *)key);
        if (!bad) jobs[i] = (ty_mldsa_keygen_job){ .key = &key->key, .set = set };
    }
    if (!bad) WITHOUT_GIL(ALWAYS, err = ty_parallel(n, GRAIN, threads, keygen_part, jobs));
    PyMem_Free(jobs);
    if (!bad && !err) return list;
    Py_XDECREF(list);
    return err ? fail(st, err, NULL, NULL) : NULL;
}

static PyObject *mldsa_generate_many(PyObject *module, PyObject *const *args, Py_ssize_t n,
                                     PyObject *names)
{
    static const signature sig = {
        "generate_many", 2, 2, { "cls", "count", "threads" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1];
    size_t count;
    unsigned threads;
    if (take_args(o, &sig, args, n, names) || want_size(&count, o[1], "count", 0, 1 << 24)
        || take_threads(o[2], &threads))
        return NULL;
    for (int i = 0; i < 3; i++)
        if (o[0] == (PyObject *)st->type[T_MLDSA_KEY + i])
            return make_keys(st, mldsa_sets[i], count, threads);
    return PyErr_Format(PyExc_TypeError,
                        "cls must be MLDSA44PrivateKey, MLDSA65PrivateKey or MLDSA87PrivateKey");
}

static PyMethodDef functions[] = {
    { "mldsa_generate_many", FASTCALL(mldsa_generate_many), FAST,
     "mldsa_generate_many($module, cls, count, *, threads=0)\n--\n\ncount new keys of one class: "
     "a list." },
    { "mldsa_sign_many", FASTCALL(mldsa_sign_many), FAST,
     "mldsa_sign_many($module, keys, messages, *, context=None, deterministic=False, "
     "threads=0)\n--\n\n"
      "A signature of each message: a list of bytes." },
    { "mldsa_verify_many", FASTCALL(mldsa_verify_many), FAST,
     "mldsa_verify_many($module, signatures, messages, public_keys, *, context=None, "
     "threads=0)\n--\n\n"
      "Whether each signature verifies: a bytearray of 1 and 0." },
    { 0 }
};

int add_many_mldsa(PyObject *module) { return PyModule_AddFunctions(module, functions); }
