/* Columns: the results from which tongyu.arrow makes Arrow arrays. A row that is null, or that
 * cannot be opened, is null in the result; no Python object is made for a row. */
#include "batch.h"
#include "column_work.h"
#include "sm2.h"
#include "tongyu/ledger.h"
#include <stdlib.h>
#include <string.h>

/* --- Ledgers: keys that stay precomputed between calls --- */

typedef struct ledger_box {
    atomic_flag busy;
    ty_sm2_ledger *sm2; /* one of these two is NULL */
    ty_mldsa_ledger *mldsa;
    uint8_t memory[];
} ledger_box;
static const char LEDGER[] = "tongyu.ledger";

static void drop_ledger(PyObject *capsule) { free(PyCapsule_GetPointer(capsule, LEDGER)); }

static PyObject *column_ledger(PyObject *module, PyObject *const *args, Py_ssize_t n,
                               PyObject *names)
{
    static const signature sig = {
        "_column_ledger", 2, 2, { "family", "keys" }
    };
    static const char *const families[] = { "sm2", "mldsa", NULL };
    PyObject *o[MAX_ARGS + 1];
    size_t keys;
    int family;
    (void)module;
    if (take_args(o, &sig, args, n, names) ||
        (family = take_choice(o[0], "family", families, 0)) < 0 ||
        want_size(&keys, o[1], "keys", 1, 1 << 20))
        return NULL;
    size_t size = family ? ty_mldsa_ledger_size(keys) : ty_sm2_ledger_size(keys);
    ledger_box *box = size ? malloc(sizeof *box + size) : NULL;
    if (!box) return PyErr_NoMemory();
    memset(box, 0, sizeof *box);
    (void)!(family ? ty_mldsa_ledger_init(&box->mldsa, box->memory, size, keys)
                   : ty_sm2_ledger_init(&box->sm2, box->memory, size, keys));
    PyObject *capsule = PyCapsule_New(box, LEDGER, drop_ledger);
    if (!capsule) free(box);
    return capsule;
}

_Static_assert(sizeof(span) == sizeof(ty_column_item) && MISSING == SIZE_MAX, "spans are items");

/* NULL where there is no such column. */
static const ty_column_item *items_of(const batch *b, size_t from)
{
    return b->items ? (const ty_column_item *)(const void *)(b->items + from) : NULL;
}

static ty_column column_of(const batch *b)
{
    return (ty_column){ .form = TY_COLUMN_ITEMS, .items = items_of(b, 0) };
}

/* Replaces each DER signature among the batch's items with its r || s, stored in *room, and an item
 * that is no DER signature with an empty one, which no verifier accepts. */
static int from_der(void **room, batch *b)
{
    uint8_t(*raw)[64] = *room = PyMem_Malloc((b->n + 1) * sizeof *raw);
    if (!raw) return -1;
    for (size_t i = 0; i < b->n; i++) {
        span *s = &b->items[i];
        if (s->len == MISSING) continue;
        *s = (span){ raw[i], ty_sm2_sig_from_der(raw[i], s->p, s->len) == TY_OK ? 64 : 0 };
    }
    return 0;
}

static PyObject *verify_columns(ledger_box *box, const batch *sigs, const batch *msgs,
                                const batch *pubs, const batch *ids, const Py_buffer *one_id)
{
    uint8_t *good, *why;
    ty_err err;
    const size_t n = sigs->n;
    ty_ledger_rows rows = { column_of(msgs), column_of(sigs), column_of(pubs), { 0 } };
    if (ids->items) rows.id = column_of(ids);
    else if (one_id)
        rows.id = (ty_column){ .form = TY_COLUMN_SAME,
                               .data = one_id->buf,
                               .data_len = (size_t)one_id->len };
    PyObject *bits = new_bytearray(&good, (n + 7) / 8), *reasons = new_bytearray(&why, n);
    if (!bits || !reasons) {
        Py_XDECREF(bits);
        Py_XDECREF(reasons);
        return NULL;
    }
    lock(&box->busy);
    WITHOUT_GIL(ALWAYS, err = box->sm2 ? ty_sm2_ledger_verify(good, why, &rows, n, box->sm2)
                                       : ty_mldsa_ledger_verify(good, why, &rows, n, box->mldsa));
    unlock(&box->busy);
    if (!err) return Py_BuildValue("(NN)", bits, reasons);
    Py_DECREF(bits);
    Py_DECREF(reasons);
    return PyErr_Format(PyExc_SystemError, "ty_ledger_verify: %s", ty_err_text(err));
}

static PyObject *column_verify(PyObject *module, PyObject *const *args, Py_ssize_t n,
                               PyObject *names)
{
    static const signature sig = {
        "_column_verify",
        6,
        6,
        { "ledger", "signatures", "messages", "public_keys", "ids", "format" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *out = NULL;
    batch b[4] = { 0 };
    Py_buffer id = { 0 };
    if (take_args(o, &sig, args, n, names)) return NULL;
    ledger_box *box = PyCapsule_GetPointer(o[0], LEDGER);
    int is_raw = box ? take_choice(o[5], "format", sm2_sig_formats, 1) : -1;
    if (is_raw < 0) return NULL;
    const int one_id = given(o[4]) && PyBytes_Check(o[4]), many_ids = given(o[4]) && !one_id;
    int bad = take_batch(st, &b[0], o[1], "sig", 0, 1) || take_batch(st, &b[1], o[2], "msg", 0, 1)
              || same_count(st, &b[1], b[0].n, "msg") || take_batch(st, &b[2], o[3], "pub", 0, 1)
              || same_count(st, &b[2], b[0].n, "pub") || (one_id && take_in(st, &id, o[4], "id"))
              || (many_ids
                  && (take_batch(st, &b[3], o[4], "id", 0, 1)
                      || same_count(st, &b[3], b[0].n, "id")));
    void *raw = NULL;
    if (!bad && !is_raw && box->sm2 && (bad = from_der(&raw, &b[0]))) PyErr_NoMemory();
    if (!bad) out = verify_columns(box, &b[0], &b[1], &b[2], &b[3], one_id ? &id : NULL);
    PyMem_Free(raw);
    for (int i = 0; i < 4; i++) drop_batch(&b[i]);
    release(&id, 1);
    return out;
}

/* --- Results: (validity, offsets, data, first row that failed or -1) --- */

typedef struct strings {
    uint8_t *valid, *offsets, *data;
    PyObject *objects[3];
    int wide;
    Py_ssize_t failed;
} strings;

static void set_valid(strings *s, size_t i) { s->valid[i >> 3] |= (uint8_t)(1 << (i & 7)); }
static void set_failed(strings *s, size_t i)
{
    if (s->failed < 0 || s->failed > (Py_ssize_t)i) s->failed = (Py_ssize_t)i;
}

static uint8_t *string_out(const strings *s, size_t i)
{
    int32_t narrow;
    int64_t wide;
    if (s->wide) return memcpy(&wide, s->offsets + 8 * i, 8), s->data + wide;
    return memcpy(&narrow, s->offsets + 4 * i, 4), s->data + narrow;
}

/* s = memory for b->n strings, all null as yet: string i has the length of item i of b plus `more`,
 * which may be negative; it is empty if that sum is below zero, or item i is missing.
 * -1 with MemoryError; strings_result releases s in any case */
static int reserve_strings(strings *s, const batch *b, ptrdiff_t more)
{
    size_t total = 0;
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].len != MISSING && (ptrdiff_t)b->items[i].len + more > 0)
            total += b->items[i].len + (size_t)more;
    s->wide = total > INT32_MAX;
    s->failed = -1;
    s->objects[0] = new_bytearray(&s->valid, (b->n + 7) / 8);
    s->objects[1] = s->objects[0] ? new_bytearray(&s->offsets, (b->n + 1) * (s->wide ? 8 : 4)) : 0;
    s->objects[2] = s->objects[1] ? new_bytearray(&s->data, total) : 0;
    if (!s->objects[2]) return -1;
    memset(s->valid, 0, (b->n + 7) / 8);
    int64_t at = 0;
    for (size_t i = 0; i <= b->n; i++) {
        int32_t narrow = (int32_t)at;
        if (s->wide) memcpy(s->offsets + 8 * i, &at, 8);
        else memcpy(s->offsets + 4 * i, &narrow, 4);
        if (i < b->n && b->items[i].len != MISSING && (ptrdiff_t)b->items[i].len + more > 0)
            at += (ptrdiff_t)b->items[i].len + more;
    }
    return 0;
}

static PyObject *strings_result(strings *s, ty_err err)
{
    if (s->objects[2] && !err)
        return Py_BuildValue("(NNNn)", s->objects[0], s->objects[1], s->objects[2], s->failed);
    for (int i = 0; i < 3; i++) Py_XDECREF(s->objects[i]);
    return NULL;
}

/* --- Encryption --- */

typedef struct sealing {
    column_mode mode;
    column_key key;
    batch data, aad, unique;
    strings out;
} sealing;

/* Seals or opens all rows, block by block. */
static ty_err work_through(sealing *s, int open)
{
    uint8_t *out[COLUMN_BLOCK];
    column_fate fate[COLUMN_BLOCK];
    for (size_t from = 0; from < s->data.n; from += COLUMN_BLOCK) {
        const size_t n = s->data.n - from < COLUMN_BLOCK ? s->data.n - from : COLUMN_BLOCK;
        const column_rows rows = { items_of(&s->data, from), items_of(&s->aad, from),
                                   items_of(&s->unique, from), n };
        for (size_t i = 0; i < n; i++) out[i] = string_out(&s->out, from + i);
        if (open) rows_open(fate, out, &rows, s->mode, &s->key);
        else {
            const ty_err err = rows_seal(fate, out, &rows, s->mode, &s->key);
            if (err) return err;
        }
        for (size_t i = 0; i < n; i++) {
            if (fate[i] == COLUMN_DONE) set_valid(&s->out, from + i);
            else if (fate[i] == COLUMN_FAILED) set_failed(&s->out, from + i);
        }
    }
    return TY_OK;
}

static PyObject *seal_or_open(PyObject *module, PyObject *const *args, Py_ssize_t n,
                              PyObject *names, const signature *sig, int open)
{
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *out = NULL;
    Py_buffer key = { 0 };
    ty_err err = TY_OK;
    if (take_args(o, sig, args, n, names)) return NULL;
    sealing *s = PyMem_Calloc(1, sizeof *s);
    if (!s) return PyErr_NoMemory();
    const int siv = take_flag(o[3], 0), derive = !open && given(o[4]);
    s->mode = siv ? COLUMN_SIV : derive ? COLUMN_GCM_DERIVED : COLUMN_GCM;
    int bad = siv < 0 || take_exact(st, &key, o[0], "key", 16)
              || take_batch(st, &s->data, o[1], "data", 0, 1)
              || (given(o[2])
                  && (take_batch(st, &s->aad, o[2], "aad", 0, 1)
                      || same_count(st, &s->aad, s->data.n, "aad")))
              || (derive
                  && (take_batch(st, &s->unique, o[4], "unique", 0, 1)
                      || same_count(st, &s->unique, s->data.n, "unique")));
    const ptrdiff_t more = (ptrdiff_t)column_more(s->mode);
    if (!bad && !reserve_strings(&s->out, &s->data, open ? -more : more)) {
        column_key_init(&s->key, key.buf);
        WITHOUT_GIL(ALWAYS, { err = work_through(s, open); });
        if (err) (void)fail(st, err, NULL, NULL);
    }
    out = strings_result(&s->out, err);
    drop_batch(&s->data);
    drop_batch(&s->aad);
    drop_batch(&s->unique);
    ty_wipe(s, sizeof *s);
    PyMem_Free(s);
    release(&key, 1);
    return out;
}

static PyObject *column_seal(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "_column_seal", 2, 5, { "key", "data", "aad", "siv", "unique" }
    };
    return seal_or_open(module, args, n, names, &sig, 0);
}

static PyObject *column_open(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "_column_open", 2, 4, { "key", "data", "aad", "siv" }
    };
    return seal_or_open(module, args, n, names, &sig, 1);
}

/* --- Tokens and chains --- */

static PyObject *column_hmac(PyObject *module, PyObject *const *args, Py_ssize_t n,
                               PyObject *names)
{
    static const signature sig = {
        "_column_hmac", 2, 2, { "key", "data" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *array = NULL;
    Py_buffer key = { 0 };
    batch b = { 0 };
    uint8_t *out;
    if (take_args(o, &sig, args, n, names)) return NULL;
    if (!take_in(st, &key, o[0], "key") && !take_batch(st, &b, o[1], "data", 0, 1)
        && (array = new_bytearray(&out, 32 * b.n))) {
        ty_hmac_sm3 h;
        ty_hmac_sm3_init(&h, key.buf, (size_t)key.len);
        WITHOUT_GIL(ALWAYS, { rows_hmac(out, items_of(&b, 0), b.n, &h); });
        ty_wipe(&h, sizeof h);
    }
    drop_batch(&b);
    release(&key, 1);
    return array;
}

/* link = SM3(previous link || 1 || row), and SM3(previous link || 0) for a null, so that the last
 * link depends on every row, and on which rows are null. */
static PyObject *column_chain(PyObject *module, PyObject *const *args, Py_ssize_t n,
                              PyObject *names)
{
    static const signature sig = {
        "_column_chain", 2, 2, { "data", "previous" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *array = NULL;
    Py_buffer previous = { 0 };
    batch b = { 0 };
    uint8_t *out;
    if (take_args(o, &sig, args, n, names)) return NULL;
    if (!take_exact(st, &previous, o[1], "previous", 32) && !take_batch(st, &b, o[0], "data", 0, 1)
        && (array = new_bytearray(&out, 32 * b.n))) {
        const uint8_t *before = previous.buf;
        WITHOUT_GIL(ALWAYS, {
            for (size_t i = 0; i < b.n; before = out + 32 * i++) {
                const uint8_t there = b.items[i].len != MISSING;
                ty_sm3 h;
                ty_sm3_init(&h);
                ty_sm3_update(&h, before, 32);
                ty_sm3_update(&h, &there, 1);
                if (there) ty_sm3_update(&h, b.items[i].p, b.items[i].len);
                ty_sm3_final(out + 32 * i, &h);
            }
        });
    }
    drop_batch(&b);
    release(&previous, 1);
    return array;
}

/* --- */

static PyMethodDef functions[] = {
    { "_column_ledger", FASTCALL(column_ledger), FAST,
     "_column_ledger($module, /, family, keys)\n--\n\nA table of keys for _column_verify." },
    { "_column_verify", FASTCALL(column_verify), FAST,
     "_column_verify($module, /, ledger, signatures, messages, public_keys, ids, format)\n--\n\n"
      "A bitmap of the good rows, and for each row a byte with the reason." },
    { "_column_seal", FASTCALL(column_seal), FAST,
     "_column_seal($module, /, key, data, aad=None, siv=False, unique=None)\n--\n\n"
      "Validity, offsets and data of sealed rows, and -1." },
    { "_column_open", FASTCALL(column_open), FAST,
     "_column_open($module, /, key, data, aad=None, siv=False)\n--\n\n"
      "Validity, offsets and data of opened rows, and the first that failed." },
    { "_column_hmac", FASTCALL(column_hmac), FAST,
     "_column_hmac($module, /, key, data)\n--\n\n32 bytes for each row." },
    { "_column_chain", FASTCALL(column_chain), FAST,
     "_column_chain($module, /, data, previous)\n--\n\n32 bytes for each row." },
    { 0 }
};

int add_columns(PyObject *module) { return PyModule_AddFunctions(module, functions); }
