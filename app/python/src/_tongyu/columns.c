/* Columns: what tongyu.arrow lays Arrow arrays of. A row that is null, or that cannot be opened, is
 * null in the result; no Python object is made for a row. */
#include "batch.h"
#include "sm2.h"
#include "tongyu/ledger.h"
#include <stdlib.h>
#include <string.h>

/* --- Ledgers: keys that stay ready between calls --- */

typedef struct ledger_box {
    atomic_flag busy;
    ty_sm2_ledger *sm2; /* one of the two */
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

static ty_column column_of(const batch *b)
{
    return (ty_column){ .form = TY_COLUMN_ITEMS,
                        .items = (const ty_column_item *)(const void *)b->items };
}

/* Replaces each DER signature among the batch's items by its r || s, stored in *room, and an item
 * that is no DER signature by an empty one, which no verifier accepts. */
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
    WITHOUT_GIL(ALWAYS, {
        lock(&box->busy);
        err = box->sm2 ? ty_sm2_ledger_verify(good, why, &rows, n, box->sm2)
                       : ty_mldsa_ledger_verify(good, why, &rows, n, box->mldsa);
        unlock(&box->busy);
    });
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

/* Room for n strings, each more bytes longer (or shorter) than that of b, none shorter than
 * nothing. */
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

static PyObject *give_strings(strings *s, ty_err err)
{
    if (s->objects[2] && !err)
        return Py_BuildValue("(NNNn)", s->objects[0], s->objects[1], s->objects[2], s->failed);
    for (int i = 0; i < 3; i++) Py_XDECREF(s->objects[i]);
    return NULL;
}

/* --- SM4-GCM: nonce || ciphertext || tag; GCM-SIV: ciphertext || tag, under a nonce of zeros
 * --- */

enum { NONCE = 12, TAG = 16, BLOCK = 64 };

typedef struct sealing {
    int siv, derive;
    ty_sm4_gcm_key gcm;
    ty_sm4_key sm4;
    ty_hmac_sm3 nonces; /* of those that are derived */
    const batch *data, *aad, *unique;
    strings out;
} sealing;

static const uint8_t no_nonce[NONCE];

static int is_missing(const batch *b, size_t i) { return b->items && b->items[i].len == MISSING; }
static span item_of(const batch *b, size_t i) { return b->items ? b->items[i] : (span){ NULL, 0 }; }

static void absorb(ty_hmac_sm3 *h, span s)
{
    uint8_t len[8];
    for (int i = 0; i < 8; i++) len[i] = (uint8_t)((uint64_t)s.len >> (56 - 8 * i));
    ty_hmac_sm3_update(h, len, 8);
    ty_hmac_sm3_update(h, s.p, s.len);
}

/* Of everything the row has, so that two rows that differ have different nonces. */
static void derive_nonce(uint8_t nonce[NONCE], sealing *s, size_t i)
{
    uint8_t mac[32];
    absorb(&s->nonces, item_of(s->unique, i));
    absorb(&s->nonces, item_of(s->aad, i));
    absorb(&s->nonces, s->data->items[i]);
    ty_hmac_sm3_final(mac, &s->nonces);
    memcpy(nonce, mac, NONCE);
    ty_wipe(mac, sizeof mac);
}

static ty_err seal_siv(sealing *s, size_t i)
{
    const span in = s->data->items[i], aad = item_of(s->aad, i);
    uint8_t *out = string_out(&s->out, i);
    return ty_sm4_gcm_siv_seal(out, out + in.len, in.p, in.len, aad.p, aad.len, no_nonce, &s->sm4);
}

static ty_sm4_gcm_job gcm_row(const sealing *s, uint8_t *out, uint8_t *sealed, span in, size_t len,
                              size_t i)
{
    const span aad = item_of(s->aad, i);
    return (ty_sm4_gcm_job){ .out = out,
                             .tag = sealed + NONCE + len,
                             .tag_len = TAG,
                             .in = in.p,
                             .len = len,
                             .aad = aad.p,
                             .aad_len = aad.len,
                             .nonce = sealed,
                             .nonce_len = NONCE,
                             .key = &s->gcm };
}

/* Rows [from, to), BLOCK at most */
static ty_err seal_block(sealing *s, size_t from, size_t to)
{
    ty_sm4_gcm_job jobs[BLOCK];
    uint8_t fresh[BLOCK][NONCE];
    size_t live = 0;
    ty_err err = TY_OK;
    if (!s->siv && !s->derive) {
        const ty_rng *rng = ty_rng_system();
        if (rng->fill(rng->ctx, fresh[0], sizeof fresh)) return TY_ERR_RNG;
    }
    for (size_t i = from; i < to && !err; i++) {
        const span in = s->data->items[i];
        uint8_t *out = string_out(&s->out, i);
        if (in.len == MISSING || is_missing(s->aad, i) || is_missing(s->unique, i)) {
            if (in.len != MISSING) memset(out, 0, in.len + TAG + (s->siv ? 0 : NONCE));
            continue;
        }
        set_valid(&s->out, i);
        if (s->siv) {
            err = seal_siv(s, i);
            continue;
        }
        if (s->derive) derive_nonce(out, s, i);
        else memcpy(out, fresh[i - from], NONCE);
        jobs[live++] = gcm_row(s, out + NONCE, out, in, in.len, i);
    }
    return err ? err : ty_sm4_many_gcm_seal(jobs, live);
}

static void open_block(sealing *s, size_t from, size_t to)
{
    ty_sm4_gcm_job jobs[BLOCK];
    size_t row[BLOCK], live = 0;
    const size_t more = TAG + (s->siv ? 0 : NONCE);
    for (size_t i = from; i < to; i++) {
        const span in = s->data->items[i], aad = item_of(s->aad, i);
        uint8_t *out = string_out(&s->out, i);
        if (in.len == MISSING) continue;
        const size_t len = in.len < more ? 0 : in.len - more;
        if (in.len < more || aad.len == MISSING) {
            memset(out, 0, len);
            set_failed(&s->out, i);
        } else if (!s->siv) {
            const span text = { in.p + NONCE, len };
            row[live] = i;
            jobs[live++] = gcm_row(s, out, (uint8_t *)in.p, text, len, i);
        } else if (ty_sm4_gcm_siv_open(out, in.p, len, in.p + len, aad.p, aad.len, no_nonce,
                                       &s->sm4) == TY_OK)
            set_valid(&s->out, i);
        else set_failed(&s->out, i);
    }
    (void)!ty_sm4_many_gcm_open(jobs, live);
    for (size_t j = 0; j < live; j++) {
        if (jobs[j].err == TY_OK) set_valid(&s->out, row[j]);
        else memset(jobs[j].out, 0, jobs[j].len), set_failed(&s->out, row[j]);
    }
}

static void take_key(sealing *s, const uint8_t *key)
{
    uint8_t derived[32];
    ty_sm4_gcm_init(&s->gcm, key);
    ty_sm4_init(&s->sm4, key);
    ty_hmac_sm3_mac(derived, (const uint8_t *)"tongyu column nonce", 19, key, 16);
    ty_hmac_sm3_init(&s->nonces, derived, sizeof derived);
    ty_wipe(derived, sizeof derived);
}

static PyObject *seal_or_open(PyObject *module, PyObject *const *args, Py_ssize_t n,
                              PyObject *names, const signature *sig, int open)
{
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *out = NULL;
    batch b[3] = { 0 };
    Py_buffer key = { 0 };
    ty_err err = TY_OK;
    if (take_args(o, sig, args, n, names)) return NULL;
    sealing *s = PyMem_Calloc(1, sizeof *s);
    if (!s) return PyErr_NoMemory();
    s->siv = take_flag(o[3], 0);
    s->derive = !open && given(o[4]);
    s->data = &b[0], s->aad = &b[1], s->unique = &b[2];
    int bad = s->siv < 0 || take_exact(st, &key, o[0], "key", 16)
              || take_batch(st, &b[0], o[1], "data", 0, 1)
              || (given(o[2])
                  && (take_batch(st, &b[1], o[2], "aad", 0, 1)
                      || same_count(st, &b[1], b[0].n, "aad")))
              || (s->derive
                  && (take_batch(st, &b[2], o[4], "unique", 0, 1)
                      || same_count(st, &b[2], b[0].n, "unique")));
    const ptrdiff_t more = TAG + (s->siv ? 0 : NONCE);
    if (!bad && !reserve_strings(&s->out, &b[0], open ? -more : more)) {
        take_key(s, key.buf);
        WITHOUT_GIL(ALWAYS, {
            for (size_t i = 0; i < b[0].n && !err; i += BLOCK) {
                const size_t to = b[0].n - i < BLOCK ? b[0].n : i + BLOCK;
                if (open) open_block(s, i, to);
                else err = seal_block(s, i, to);
            }
        });
        if (err) (void)fail(st, err, NULL, NULL);
    }
    out = give_strings(&s->out, err);
    ty_wipe(s, sizeof *s);
    PyMem_Free(s);
    for (int i = 0; i < 3; i++) drop_batch(&b[i]);
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

/* --- HMAC-SM3 of many, and chains --- */

/* The hash of pad || text for BLOCK texts side by side: text is at most SHORT long. */
enum { PAD = 64, SHORT = 192 };

typedef struct macs {
    uint8_t pad[2][PAD], text[BLOCK][PAD + SHORT], inner[BLOCK][32];
    ty_sm3_job jobs[BLOCK];
    ty_hmac_sm3 one; /* for longer ones */
} macs;

static void macs_key(macs *m, const uint8_t *key, size_t len)
{
    uint8_t k[PAD] = { 0 };
    if (len > PAD) ty_sm3_hash(k, key, len);
    else if (len) memcpy(k, key, len);
    for (int i = 0; i < PAD; i++) {
        m->pad[0][i] = k[i] ^ 0x36;
        m->pad[1][i] = k[i] ^ 0x5c;
    }
    ty_hmac_sm3_init(&m->one, key, len);
    ty_wipe(k, sizeof k);
}

/* out[32 i] of each row; zeros for a null */
static void macs_block(macs *m, uint8_t *out, const span *in, size_t n)
{
    size_t row[BLOCK], live = 0;
    for (size_t i = 0; i < n; i++) {
        if (in[i].len == MISSING) memset(out + 32 * i, 0, 32);
        else if (in[i].len > SHORT) {
            ty_hmac_sm3_update(&m->one, in[i].p, in[i].len);
            ty_hmac_sm3_final(out + 32 * i, &m->one);
        } else {
            memcpy(m->text[live], m->pad[0], PAD);
            if (in[i].len) memcpy(m->text[live] + PAD, in[i].p, in[i].len);
            m->jobs[live] = (ty_sm3_job){ m->inner[live], m->text[live], PAD + in[i].len };
            row[live++] = i;
        }
    }
    ty_sm3_many_hash(m->jobs, live);
    for (size_t j = 0; j < live; j++) {
        memcpy(m->text[j], m->pad[1], PAD);
        memcpy(m->text[j] + PAD, m->inner[j], 32);
        m->jobs[j] = (ty_sm3_job){ out + 32 * row[j], m->text[j], PAD + 32 };
    }
    ty_sm3_many_hash(m->jobs, live);
}

static PyObject *column_hmac(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
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
    macs *m = PyMem_Calloc(1, sizeof *m);
    if (!m) return PyErr_NoMemory();
    if (!take_in(st, &key, o[0], "key") && !take_batch(st, &b, o[1], "data", 0, 1)
        && (array = new_bytearray(&out, 32 * b.n))) {
        macs_key(m, key.buf, (size_t)key.len);
        WITHOUT_GIL(ALWAYS, {
            for (size_t i = 0; i < b.n; i += BLOCK)
                macs_block(m, out + 32 * i, b.items + i, b.n - i < BLOCK ? b.n - i : BLOCK);
        });
    }
    ty_wipe(m, sizeof *m);
    PyMem_Free(m);
    drop_batch(&b);
    release(&key, 1);
    return array;
}

/* link = SM3(link before || 1 || row), and SM3(link before || 0) for a null: no two columns that
 * differ have the same last link. */
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
     "_column_ledger($module, /, family, keys)\n--\n\nReady keys for _column_verify." },
    { "_column_verify", FASTCALL(column_verify), FAST,
     "_column_verify($module, /, ledger, signatures, messages, public_keys, ids, format)\n--\n\n"
      "A bitmap of the good rows, and a byte for each row that says why." },
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
