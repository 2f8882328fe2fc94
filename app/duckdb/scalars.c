/* The scalar SQL functions: hashes, HMACs (tokens), encryption, signatures; and those that add
 * named keys. */
#include "extension.h"
#include "tongyu/os.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DUCKDB_EXTENSION_EXTERN

/* --- Vectors --- */

void items_of(ty_column_item *items, duckdb_vector vector, size_t from, size_t n)
{
    const duckdb_string_t *strings = (duckdb_string_t *)duckdb_vector_get_data(vector) + from;
    const uint64_t *valid = duckdb_vector_get_validity(vector);
    for (size_t i = 0; i < n; i++) {
        const uint32_t len = strings[i].value.inlined.length;
        const char *p = len <= sizeof strings[i].value.inlined.inlined
                            ? strings[i].value.inlined.inlined
                            : strings[i].value.pointer.ptr;
        items[i] = (ty_column_item){(const uint8_t *)p, len};
        if (valid && !(valid[(from + i) >> 6] >> ((from + i) & 63) & 1))
            items[i] = (ty_column_item){NULL, SIZE_MAX};
    }
}

static void set_null(duckdb_vector vector, size_t i)
{
    duckdb_vector_ensure_validity_writable(vector);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), i);
}

/* Rows `from`, `from` + 1, ... of the vector become the n rows, all of which are in base[total].
 * DuckDB copies the whole of base as one string, so that it allocates only once, and each row's
 * string then points into that copy; short strings are in the vector itself. If total is more than
 * TOGETHER, each row is copied as a separate string. */
static void give_rows(duckdb_vector output, size_t from, const ty_column_item *rows, size_t n,
                      const uint8_t *base, size_t total)
{
    enum { INLINED = 12, TOGETHER = 1 << 20 };
    duckdb_string_t *strings = (duckdb_string_t *)duckdb_vector_get_data(output) + from;
    char *there = NULL;
    if (n && total > INLINED && total <= TOGETHER) {
        duckdb_vector_assign_string_element_len(output, from, (const char *)base, total);
        there = strings[0].value.pointer.ptr;
    }
    for (size_t i = 0; i < n; i++) {
        const char *p = (const char *)rows[i].p;
        if (rows[i].len == SIZE_MAX) {
            strings[i] = (duckdb_string_t){0};
            set_null(output, from + i);
        } else if (!there || rows[i].len <= INLINED) {
            duckdb_vector_assign_string_element_len(output, from + i, p, rows[i].len);
        } else {
            strings[i].value.pointer.length = (uint32_t)rows[i].len;
            memcpy(strings[i].value.pointer.prefix, p, sizeof strings[i].value.pointer.prefix);
            strings[i].value.pointer.ptr = there + (rows[i].p - base);
        }
    }
}

/* Rows `from`, `from` + 1, ... of a chunk: so few that they stay in the L1 cache. */
typedef struct block {
    ty_column_item items[COLUMNS][COLUMN_BLOCK];
    size_t from, n;
} block;

/* The block that begins at row `from`, with the columns in the mask; false after the last row. */
static bool take_block(block *b, duckdb_data_chunk input, size_t from, unsigned mask)
{
    const size_t n = duckdb_data_chunk_get_size(input);
    b->from = from;
    b->n = n - from < COLUMN_BLOCK ? n - from : COLUMN_BLOCK;
    if (from >= n) return false;
    for (unsigned c = 0; c < COLUMNS; c++)
        if (mask >> c & 1)
            items_of(b->items[c], duckdb_data_chunk_get_vector(input, c), from, b->n);
    return true;
}

/* The thread's work area, filled with the columns of the chunk, and *n = their rows; NULL with an
 * error. */
static work_area *take(duckdb_function_info info, duckdb_data_chunk input, size_t *n)
{
    *n = duckdb_data_chunk_get_size(input);
    work_area *area = thread_work_area(*n);
    if (!area) {
        duckdb_scalar_function_set_error(info, "out of memory");
        return NULL;
    }
    const size_t columns = duckdb_data_chunk_get_column_count(input);
    for (size_t c = 0; c < columns && c < COLUMNS; c++)
        items_of(area->items[c], duckdb_data_chunk_get_vector(input, c), 0, *n);
    return area;
}

/* --- Keys --- */

/* Sets the error "key 'name': what"; a long name is cut. */
static void key_error(duckdb_function_info info, const ty_column_item *name, const char *what)
{
    char text[NAME_MAX_LEN + 160];
    const int len = name->len < NAME_MAX_LEN ? (int)name->len : NAME_MAX_LEN;
    snprintf(text, sizeof text, "key '%.*s': %s", len, (const char *)name->p, what);
    duckdb_scalar_function_set_error(info, text);
}

typedef enum key_use { FOR_HMAC, FOR_SM4, FOR_SM2 } key_use;

/* The key whose name column c has in every row; NULL with an error if there is none, or if it is
 * not suitable for this use; NULL without an error if there are no rows. */
static ready_key *key_of(duckdb_function_info info, duckdb_data_chunk input, unsigned c,
                         key_use use)
{
    block b;
    char name[NAME_MAX_LEN];
    ty_column_item first = {NULL, SIZE_MAX};
    for (size_t from = 0; take_block(&b, input, from, 1u << c); from += COLUMN_BLOCK) {
        if (!from) first = b.items[c][0];
        for (size_t i = 0; i < b.n; i++)
            if (b.items[c][i].len == SIZE_MAX || b.items[c][i].len != first.len ||
                memcmp(b.items[c][i].p, first.p, first.len)) {
                duckdb_scalar_function_set_error(
                    info, "a key's name differs from row to row: write it as one constant");
                return NULL;
            }
    }
    if (first.len == SIZE_MAX) return NULL; /* no rows */
    const size_t len = first.len < NAME_MAX_LEN ? first.len : NAME_MAX_LEN;
    memcpy(name, first.p, len);
    ready_key *key = first.len > NAME_MAX_LEN ? NULL : thread_key(name, len);
    if (!key)
        key_error(info, &first,
                  "no key is called that: add it with tongyu_key_file or tongyu_key_env");
    else if (use == FOR_SM4 && key->len != 16) {
        key_error(info, &first, "SM4 needs a key of 16 bytes");
        key = NULL;
    } else if (use == FOR_SM2 && !key->signs) {
        key_error(info, &first, "SM2 needs the 32 bytes of a private key");
        key = NULL;
    }
    return key;
}

/* out = the bytes that text[len] represents in hexadecimal. Returns their number; 0 if the text is
 * not hexadecimal or represents more than KEY_MAX bytes. */
static size_t from_hex(uint8_t *out, const char *text, size_t len)
{
    if (len % 2 || len / 2 > KEY_MAX) return 0;
    for (size_t i = 0; i < len; i++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF",
                   *d = text[i] ? strchr(digits, text[i]) : NULL;
        if (!d) return 0;
        const uint8_t half = (uint8_t)((d - digits) & 15);
        out[i / 2] = (uint8_t)(i % 2 ? out[i / 2] | half : half << 4);
    }
    return len / 2;
}

/* bytes[*len] = the key in a file, or in hexadecimal in an environment variable. Of a longer file
 * KEY_MAX + 1 bytes are read, which keys_add refuses. Returns as keys_add does. */
static const char *read_key(uint8_t *bytes, size_t *len, const char *where, bool file)
{
    if (!file) {
        const char *text = getenv(where);
        *len = text ? from_hex(bytes, text, strlen(text)) : 0;
        return !text   ? "there is no such environment variable"
               : !*len ? "the variable is not 1 to 256 bytes in hexadecimal"
                       : NULL;
    }
    FILE *f = fopen(where, "rb");
    if (!f) return "the file cannot be read";
    setvbuf(f, NULL, _IONBF, 0); /* so that no copy of the key remains in a buffer */
    *len = fread(bytes, 1, KEY_MAX + 1, f);
    const int bad = ferror(f);
    fclose(f);
    return bad ? "the file cannot be read" : NULL;
}

/* For each row (name, file or variable) adds the key: the result is true, or an error. */
static void add_keys(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output,
                     bool file)
{
    size_t n;
    work_area *area = take(info, input, &n);
    bool *good = duckdb_vector_get_data(output);
    for (size_t i = 0; area && i < n; i++) {
        const ty_column_item name = area->items[0][i], where = area->items[1][i];
        uint8_t bytes[KEY_MAX + 1];
        char path[4096];
        size_t len = 0;
        const char *wrong = "give a name, and the path of a file or the name of a variable";
        if (name.len != SIZE_MAX && where.len < sizeof path && !memchr(where.p, 0, where.len)) {
            memcpy(path, where.p, where.len);
            path[where.len] = 0;
            wrong = read_key(bytes, &len, path, file);
            if (!wrong) wrong = keys_add((const char *)name.p, name.len, bytes, len);
            ty_wipe(bytes, sizeof bytes);
        }
        if (wrong) {
            key_error(info,
                      name.len == SIZE_MAX ? &(ty_column_item){(const uint8_t *)"", 0} : &name,
                      wrong);
            return;
        }
        good[i] = true;
    }
}

static void key_file(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    add_keys(info, input, output, true);
}

static void key_env(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    add_keys(info, input, output, false);
}

/* --- Hashes --- */

static void give_digests(duckdb_vector output, const block *b, uint8_t (*out)[TY_SM3_LEN])
{
    ty_column_item rows[COLUMN_BLOCK];
    for (size_t i = 0; i < b->n; i++) {
        const bool null = b->items[0][i].len == SIZE_MAX;
        if (null) memset(out[i], 0, TY_SM3_LEN);
        rows[i] = (ty_column_item){out[i], null ? SIZE_MAX : TY_SM3_LEN};
    }
    give_rows(output, b->from, rows, b->n, out[0], b->n * TY_SM3_LEN);
}

static void sm3(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    block b;
    uint8_t out[COLUMN_BLOCK][TY_SM3_LEN];
    ty_sm3_job jobs[COLUMN_BLOCK];
    (void)info;
    for (size_t from = 0; take_block(&b, input, from, 1); from += COLUMN_BLOCK) {
        size_t live = 0;
        for (size_t i = 0; i < b.n; i++)
            if (b.items[0][i].len != SIZE_MAX)
                jobs[live++] = (ty_sm3_job){out[i], b.items[0][i].p, b.items[0][i].len};
        ty_sm3_many_hash(jobs, live);
        give_digests(output, &b, out);
    }
}

static void sm3_hmac(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    block b;
    uint8_t out[COLUMN_BLOCK][TY_SM3_LEN];
    const ready_key *key = key_of(info, input, 1, FOR_HMAC);
    for (size_t from = 0; key && take_block(&b, input, from, 1); from += COLUMN_BLOCK) {
        rows_hmac(out[0], b.items[0], b.n, &key->hmac);
        give_digests(output, &b, out);
    }
}

/* --- Encryption --- */

/* The length of row i after sealing or opening. */
static size_t result_len(const block *b, size_t i, size_t more, bool open)
{
    const size_t len = b->items[0][i].len;
    return len == SIZE_MAX ? 0 : !open ? len + more : len > more ? len - more : 0;
}

/* Seals or opens the rows of a block: out[i] points to the result of row i in thread_bytes(), where
 * one result follows another. aad and unique are columns of the block; unique may be NULL.
 * Returns false after it has set an error. */
static bool seal_or_open(duckdb_function_info info, const block *b, uint8_t **out,
                         column_fate *fate, const ty_column_item *aad, const ty_column_item *unique,
                         ready_key *key, column_mode mode, bool open)
{
    const column_rows rows = {b->items[0], aad, unique, b->n};
    const size_t more = column_more(mode);
    size_t total = 0;
    for (size_t i = 0; i < b->n; i++) total += result_len(b, i, more, open);
    uint8_t *at = thread_bytes(total);
    if (!at) {
        duckdb_scalar_function_set_error(info, "out of memory");
        return false;
    }
    for (size_t i = 0; i < b->n; at += result_len(b, i++, more, open)) out[i] = at;
    if (open) rows_open(fate, out, &rows, mode, &key->column);
    else if (rows_seal(fate, out, &rows, mode, &key->column)) {
        duckdb_scalar_function_set_error(info,
                                         "the system gives no random bytes, or a row is too long");
        return false;
    }
    return true;
}

static void give_results(duckdb_vector output, const block *b, uint8_t **out,
                         const column_fate *fate, size_t more, bool open)
{
    ty_column_item rows[COLUMN_BLOCK];
    size_t total = 0;
    for (size_t i = 0; i < b->n; i++) {
        const size_t len = result_len(b, i, more, open);
        rows[i] = (ty_column_item){out[i], fate[i] == COLUMN_DONE ? len : SIZE_MAX};
        total += len;
    }
    give_rows(output, b->from, rows, b->n, out[0], total);
}

static void encryption(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output,
                       column_mode mode, bool open)
{
    block b;
    uint8_t *out[COLUMN_BLOCK];
    column_fate fate[COLUMN_BLOCK];
    const bool derived = mode == COLUMN_GCM_DERIVED;
    ready_key *key = key_of(info, input, 1, FOR_SM4);
    for (size_t from = 0; key && take_block(&b, input, from, derived ? 13 : 5);
         from += COLUMN_BLOCK) {
        if (!seal_or_open(info, &b, out, fate, b.items[2], derived ? b.items[3] : NULL, key, mode,
                          open))
            return;
        give_results(output, &b, out, fate, column_more(mode), open);
    }
}

static void gcm_encrypt(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    encryption(info, input, output, COLUMN_GCM, false);
}

static void gcm_encrypt_unique(duckdb_function_info info, duckdb_data_chunk input,
                               duckdb_vector output)
{
    encryption(info, input, output, COLUMN_GCM_DERIVED, false);
}

static void gcm_decrypt(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    encryption(info, input, output, COLUMN_GCM, true);
}

static void siv_encrypt(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    encryption(info, input, output, COLUMN_SIV, false);
}

static void siv_decrypt(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    encryption(info, input, output, COLUMN_SIV, true);
}

/* Opens the rows of a block under the old key: the items then point to the plaintexts, which are in
 * *plain, of *plain_len bytes in all. The caller wipes and frees *plain, also after an error. */
static bool open_block(duckdb_function_info info, block *b, ready_key *old, uint8_t **plain,
                       size_t *plain_len)
{
    uint8_t *out[COLUMN_BLOCK], *at;
    column_fate fate[COLUMN_BLOCK];
    const size_t more = column_more(COLUMN_GCM);
    *plain_len = 0;
    for (size_t i = 0; i < b->n; i++) *plain_len += result_len(b, i, more, true);
    *plain = at = malloc(*plain_len + 1);
    if (!at || !seal_or_open(info, b, out, fate, b->items[3], NULL, old, COLUMN_GCM, true))
        return false;
    for (size_t i = 0; i < b->n; i++) {
        const size_t len = result_len(b, i, more, true);
        if (fate[i] == COLUMN_DONE && len) memcpy(at, out[i], len);
        b->items[0][i] =
            fate[i] == COLUMN_DONE ? (ty_column_item){at, len} : (ty_column_item){NULL, SIZE_MAX};
        at += len;
    }
    uint8_t *opened = thread_bytes(*plain_len);   /* as seal_or_open left it: of this length */
    if (opened) ty_wipe(opened, *plain_len);
    return true;
}

/* (value, old, new, aad): opens each row under the old key and seals it under the new one. No
 * plaintext is left in the extension's memory. */
static void reencrypt(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    block b;
    uint8_t *out[COLUMN_BLOCK];
    column_fate fate[COLUMN_BLOCK];
    ready_key *old = key_of(info, input, 1, FOR_SM4);
    ready_key *fresh = old ? key_of(info, input, 2, FOR_SM4) : NULL;
    if (fresh && old->number == fresh->number) {
        duckdb_scalar_function_set_error(
            info, "the old key and the new one are the same: rotate to a fresh key");
        return;
    }
    bool ok = true;
    for (size_t from = 0; fresh && ok && take_block(&b, input, from, 9); from += COLUMN_BLOCK) {
        uint8_t *plain;
        size_t len;
        ok = open_block(info, &b, old, &plain, &len) &&
             seal_or_open(info, &b, out, fate, b.items[3], NULL, fresh, COLUMN_GCM, false);
        if (ok) give_results(output, &b, out, fate, column_more(COLUMN_GCM), false);
        if (!plain) duckdb_scalar_function_set_error(info, "out of memory");
        else ty_wipe(plain, len);
        free(plain);
    }
}

/* --- Signatures --- */

bool verify_items(uint8_t *bits, uint8_t *reasons, const ty_column_item *msg,
                  const ty_column_item *sig, const ty_column_item *pub, const ty_column_item *id,
                  size_t n, bool mldsa)
{
    ty_ledger_rows rows = {
        .msg = {.form = TY_COLUMN_ITEMS, .items = msg},
        .sig = {.form = TY_COLUMN_ITEMS, .items = sig},
        .pub = {.form = TY_COLUMN_ITEMS, .items = pub}
    };
    if (id) rows.id = (ty_column){.form = TY_COLUMN_ITEMS, .items = id};
    if (mldsa) {
        ty_mldsa_ledger *ledger = thread_mldsa_ledger();
        return ledger && ty_mldsa_ledger_verify(bits, reasons, &rows, n, ledger) == TY_OK;
    }
    ty_sm2_ledger *ledger = thread_sm2_ledger();
    return ledger && ty_sm2_ledger_verify(bits, reasons, &rows, n, ledger) == TY_OK;
}

static void verify(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output,
                   bool with_id, bool mldsa)
{
    size_t n;
    work_area *area = take(info, input, &n);
    if (!area) return;
    ty_column_item **c = area->items;
    if (!verify_items(area->bits, area->reasons, c[0], c[1], c[2], with_id ? c[3] : NULL, n,
                      mldsa)) {
        duckdb_scalar_function_set_error(info, "out of memory");
        return;
    }
    bool *good = duckdb_vector_get_data(output);
    for (size_t i = 0; i < n; i++) {
        good[i] = area->reasons[i] == TY_LEDGER_GOOD;
        if (area->reasons[i] == TY_LEDGER_NULL) set_null(output, i);
    }
}

static void sm2_verify(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    verify(info, input, output, false, false);
}

static void sm2_verify_id(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    verify(info, input, output, true, false);
}

static void mldsa_verify(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    verify(info, input, output, false, true);
}

/* (message, key): a signature of each row, r || s, with the standard's default identity */
static void sm2_sign(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    static const uint8_t id[] = TY_SM2_ID;
    block b;
    uint8_t out[COLUMN_BLOCK][64];
    ty_column_item rows[COLUMN_BLOCK];
    ty_sm2_sign_job jobs[COLUMN_BLOCK];
    const ready_key *key = key_of(info, input, 1, FOR_SM2);
    for (size_t from = 0; key && take_block(&b, input, from, 1); from += COLUMN_BLOCK) {
        size_t live = 0;
        memset(out, 0, sizeof out);
        for (size_t i = 0; i < b.n; i++) {
            const ty_column_item msg = b.items[0][i];
            rows[i] = (ty_column_item){out[i], msg.len == SIZE_MAX ? SIZE_MAX : sizeof out[i]};
            if (msg.len != SIZE_MAX)
                jobs[live++] = (ty_sm2_sign_job){.sig = out[i],
                                                 .msg = msg.p,
                                                 .msg_len = msg.len,
                                                 .id = id,
                                                 .id_len = TY_SM2_ID_LEN,
                                                 .key = &key->sm2};
        }
        if (ty_sm2_many_sign(jobs, live, ty_rng_system())) {
            duckdb_scalar_function_set_error(info, "the system gives no random bytes");
            return;
        }
        give_rows(output, b.from, rows, b.n, out[0], b.n * sizeof out[0]);
    }
}

/* --- Names and parameters in SQL: b is BLOB, t VARCHAR --- */

static const struct {
    const char *name, *takes;
    duckdb_scalar_function_t function;
    duckdb_type gives;
    bool fresh; /* volatile: the result differs from call to call */
} functions[] = {
    {"sm3",                    "b",    sm3,                DUCKDB_TYPE_BLOB,    false},
    {"sm3_hmac",               "bt",   sm3_hmac,           DUCKDB_TYPE_BLOB,    false},
    {"sm4_gcm_encrypt",        "btb",  gcm_encrypt,        DUCKDB_TYPE_BLOB,    true },
    {"sm4_gcm_encrypt_unique", "btbb", gcm_encrypt_unique, DUCKDB_TYPE_BLOB,    false},
    {"sm4_gcm_decrypt",        "btb",  gcm_decrypt,        DUCKDB_TYPE_BLOB,    false},
    {"sm4_gcm_siv_encrypt",    "btb",  siv_encrypt,        DUCKDB_TYPE_BLOB,    false},
    {"sm4_gcm_siv_decrypt",    "btb",  siv_decrypt,        DUCKDB_TYPE_BLOB,    false},
    {"sm4_reencrypt",          "bttb", reencrypt,          DUCKDB_TYPE_BLOB,    true },
    {"sm2_sign",               "bt",   sm2_sign,           DUCKDB_TYPE_BLOB,    true },
    {"sm2_verify",             "bbb",  sm2_verify,         DUCKDB_TYPE_BOOLEAN, false},
    {"sm2_verify_id",          "bbbb", sm2_verify_id,      DUCKDB_TYPE_BOOLEAN, false},
    {"mldsa_verify",           "bbb",  mldsa_verify,       DUCKDB_TYPE_BOOLEAN, false},
    {"tongyu_key_file",        "tt",   key_file,           DUCKDB_TYPE_BOOLEAN, true },
    {"tongyu_key_env",         "tt",   key_env,            DUCKDB_TYPE_BOOLEAN, true },
};

bool register_scalars(duckdb_connection connection)
{
    bool ok = true;
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
    duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    for (size_t i = 0; ok && i < sizeof functions / sizeof *functions; i++) {
        duckdb_scalar_function f = duckdb_create_scalar_function();
        duckdb_logical_type gives = duckdb_create_logical_type(functions[i].gives);
        duckdb_scalar_function_set_name(f, functions[i].name);
        for (const char *t = functions[i].takes; *t; t++)
            duckdb_scalar_function_add_parameter(f, *t == 'b' ? blob : text);
        duckdb_scalar_function_set_return_type(f, gives);
        duckdb_scalar_function_set_function(f, functions[i].function);
        duckdb_scalar_function_set_special_handling(f); /* it is called for nulls, too */
        if (functions[i].fresh) duckdb_scalar_function_set_volatile(f);
        ok = duckdb_register_scalar_function(connection, f) == DuckDBSuccess;
        duckdb_destroy_scalar_function(&f);
        duckdb_destroy_logical_type(&gives);
    }
    duckdb_destroy_logical_type(&blob);
    duckdb_destroy_logical_type(&text);
    return ok;
}
