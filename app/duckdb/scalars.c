/* The functions of a row: hashes, tokens, encryption, signatures; and those that name keys. */
#include "extension.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DUCKDB_EXTENSION_EXTERN

/* --- Vectors --- */

void items_of(ty_column_item *items, duckdb_vector vector, size_t n)
{
    const duckdb_string_t *strings = duckdb_vector_get_data(vector);
    const uint64_t *valid = duckdb_vector_get_validity(vector);
    for (size_t i = 0; i < n; i++) {
        const uint32_t len = strings[i].value.inlined.length;
        const char *p = len <= sizeof strings[i].value.inlined.inlined
                            ? strings[i].value.inlined.inlined
                            : strings[i].value.pointer.ptr;
        if (valid && !(valid[i >> 6] >> (i & 63) & 1)) items[i] = (ty_column_item){NULL, SIZE_MAX};
        else items[i] = (ty_column_item){(const uint8_t *)p, len};
    }
}

void set_null(duckdb_vector vector, size_t i)
{
    duckdb_vector_ensure_validity_writable(vector);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), i);
}

static void set_bytes(duckdb_vector vector, size_t i, const uint8_t *bytes, size_t len)
{
    duckdb_vector_assign_string_element_len(vector, i, (const char *)bytes, len);
}

/* The call's room with its columns in it, of which there are as many as the chunk has. */
static workroom *take(duckdb_function_info info, duckdb_data_chunk input, size_t *n)
{
    *n = duckdb_data_chunk_get_size(input);
    workroom *room = thread_room(*n);
    if (!room) {
        duckdb_scalar_function_set_error(info, "out of memory");
        return NULL;
    }
    const size_t columns = duckdb_data_chunk_get_column_count(input);
    for (size_t c = 0; c < columns && c < COLUMNS; c++)
        items_of(room->items[c], duckdb_data_chunk_get_vector(input, c), *n);
    return room;
}

static uint8_t *take_bytes(duckdb_function_info info, size_t len)
{
    uint8_t *bytes = thread_bytes(len);
    if (!bytes) duckdb_scalar_function_set_error(info, "out of memory");
    return bytes;
}

/* --- Keys --- */

static void no_key(duckdb_function_info info, const ty_column_item *name, const char *what)
{
    char text[NAME_MAX_LEN + 160];
    const int len = name->len < NAME_MAX_LEN ? (int)name->len : NAME_MAX_LEN;
    snprintf(text, sizeof text, "%s '%.*s'", what, len, (const char *)name->p);
    duckdb_scalar_function_set_error(info, text);
}

/* The key that a column of one name means; NULL with an error. for_sm4: it has 16 bytes. */
static ready_key *key_of(duckdb_function_info info, const ty_column_item *names, size_t n,
                         bool for_sm4)
{
    for (size_t i = 0; i < n; i++)
        if (names[i].len == SIZE_MAX || names[i].len != names[0].len ||
            memcmp(names[i].p, names[0].p, names[0].len)) {
            duckdb_scalar_function_set_error(
                info, "a key's name differs from row to row: write it as one constant");
            return NULL;
        }
    ready_key *key = thread_key((const char *)names[0].p, names[0].len);
    if (!key)
        no_key(info, names,
               "no key is called (tongyu_key_file and tongyu_key_env make names known)");
    else if (for_sm4 && key->len != 16) {
        no_key(info, names, "SM4 takes 16 bytes, unlike the key");
        key = NULL;
    }
    return key;
}

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

static const char *read_key(uint8_t *bytes, size_t *len, const char *where, bool file)
{
    if (!file) {
        const char *text = getenv(where);
        *len = text ? from_hex(bytes, text, strlen(text)) : 0;
        return !text   ? "no such environment variable for the key"
               : !*len ? "the variable is not hexadecimal, for the key"
                       : NULL;
    }
    FILE *f = fopen(where, "rb");
    if (!f) return "no file can be read there, for the key";
    setvbuf(f, NULL, _IONBF, 0); /* no copy of the key stays behind */
    *len = fread(bytes, 1, KEY_MAX + 1, f);
    const int bad = ferror(f);
    fclose(f);
    return bad ? "no file can be read there, for the key" : NULL;
}

/* For each row, (name, file or variable): true, or an error. */
static void add_keys(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output,
                     bool file)
{
    size_t n;
    workroom *room = take(info, input, &n);
    bool *good = duckdb_vector_get_data(output);
    for (size_t i = 0; room && i < n; i++) {
        const ty_column_item name = room->items[0][i], where = room->items[1][i];
        uint8_t bytes[KEY_MAX + 1];
        char path[4096];
        size_t len = 0;
        const char *wrong = "a path is wanted, or a variable's name, for the key";
        if (name.len != SIZE_MAX && where.len < sizeof path && !memchr(where.p, 0, where.len)) {
            memcpy(path, where.p, where.len);
            path[where.len] = 0;
            wrong = read_key(bytes, &len, path, file);
            if (!wrong) wrong = keys_add((const char *)name.p, name.len, bytes, len);
            ty_wipe(bytes, sizeof bytes);
        }
        if (wrong) {
            no_key(info, name.len == SIZE_MAX ? &(ty_column_item){(const uint8_t *)"", 0} : &name,
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

static void give_digests(duckdb_vector output, const ty_column_item *rows, const uint8_t *out,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].len == SIZE_MAX) set_null(output, i);
        else set_bytes(output, i, out + TY_SM3_LEN * i, TY_SM3_LEN);
    }
}

static void hash_rows(uint8_t *out, const ty_column_item *rows, size_t n)
{
    ty_sm3_job jobs[COLUMN_BLOCK];
    for (size_t from = 0; from < n; from += COLUMN_BLOCK) {
        const size_t end = n - from < COLUMN_BLOCK ? n : from + COLUMN_BLOCK;
        size_t live = 0;
        for (size_t i = from; i < end; i++)
            if (rows[i].len != SIZE_MAX)
                jobs[live++] = (ty_sm3_job){out + TY_SM3_LEN * i, rows[i].p, rows[i].len};
        ty_sm3_many_hash(jobs, live);
    }
}

static void sm3(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    size_t n;
    workroom *room = take(info, input, &n);
    uint8_t *out = room ? take_bytes(info, TY_SM3_LEN * n) : NULL;
    if (!out) return;
    hash_rows(out, room->items[0], n);
    give_digests(output, room->items[0], out, n);
}

static void sm3_hmac(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    size_t n;
    workroom *room = take(info, input, &n);
    ready_key *key = room && n ? key_of(info, room->items[1], n, false) : NULL;
    uint8_t *out = key ? take_bytes(info, TY_SM3_LEN * n) : NULL;
    if (!out) return;
    rows_hmac(out, room->items[0], n, &key->hmac);
    give_digests(output, room->items[0], out, n);
}

/* --- Encryption --- */

/* Where each row's result goes: behind one another in the room's bytes. */
static bool lay_out(duckdb_function_info info, workroom *room, size_t n, size_t more, bool open)
{
    size_t total = 0;
    for (int pass = 0; pass < 2; pass++) {
        uint8_t *at = pass ? take_bytes(info, total) : NULL;
        if (pass && !at) return false;
        for (size_t i = 0; i < n; i++) {
            const size_t len = room->items[0][i].len;
            const size_t size = len == SIZE_MAX ? 0
                                : !open         ? len + more
                                : len > more    ? len - more
                                                : 0;
            if (pass) room->out[i] = at, at += size;
            else total += size;
        }
    }
    return true;
}

static void seal_or_open(duckdb_function_info info, workroom *room, size_t n, ready_key *key,
                         const ty_column_item *aad, const ty_column_item *unique, column_mode mode,
                         bool open)
{
    if (!lay_out(info, room, n, column_more(mode), open)) return;
    for (size_t from = 0; from < n; from += COLUMN_BLOCK) {
        const column_rows rows = {room->items[0] + from, aad + from, unique ? unique + from : NULL,
                                  n - from < COLUMN_BLOCK ? n - from : COLUMN_BLOCK};
        if (open) rows_open(room->fate + from, room->out + from, &rows, mode, &key->column);
        else if (rows_seal(room->fate + from, room->out + from, &rows, mode, &key->column)) {
            duckdb_scalar_function_set_error(
                info, "the system gives no random bytes, or a row is too long");
            memset(room->fate, COLUMN_NULL, n * sizeof *room->fate);
            return;
        }
    }
}

static void give_rows(duckdb_vector output, const workroom *room, size_t n, size_t more, bool open)
{
    for (size_t i = 0; i < n; i++) {
        const size_t len = room->items[0][i].len;
        if (room->fate[i] != COLUMN_DONE) set_null(output, i);
        else set_bytes(output, i, room->out[i], open ? len - more : len + more);
    }
}

static void encryption(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output,
                       column_mode mode, bool open)
{
    size_t n;
    workroom *room = take(info, input, &n);
    ready_key *key = room && n ? key_of(info, room->items[1], n, true) : NULL;
    if (!key) return;
    const ty_column_item *unique = mode == COLUMN_GCM_DERIVED ? room->items[3] : NULL;
    memset(room->fate, 0, n * sizeof *room->fate);
    seal_or_open(info, room, n, key, room->items[2], unique, mode, open);
    give_rows(output, room, n, column_more(mode), open);
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

/* (value, old, new, aad): opened under the old key, sealed under the new one. The opened rows do not
 * leave this function. */
static void reencrypt(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    size_t n;
    workroom *room = take(info, input, &n);
    ready_key *old = room && n ? key_of(info, room->items[1], n, true) : NULL;
    ready_key *fresh = old ? key_of(info, room->items[2], n, true) : NULL;
    if (!fresh) return;
    if (old->number == fresh->number) {
        duckdb_scalar_function_set_error(
            info, "the old key and the new one are the same: rotate to a fresh key");
        return;
    }
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += room->items[0][i].len == SIZE_MAX ? 0 : room->items[0][i].len;
    uint8_t *plain = malloc(total + 1), *at = plain;
    if (!plain) {
        duckdb_scalar_function_set_error(info, "out of memory");
        return;
    }
    seal_or_open(info, room, n, old, room->items[3], NULL, COLUMN_GCM, true);
    const size_t more = column_more(COLUMN_GCM);
    for (size_t i = 0; i < n; i++) {
        ty_column_item *row = &room->items[0][i];
        if (room->fate[i] != COLUMN_DONE) *row = (ty_column_item){NULL, SIZE_MAX};
        else {
            memcpy(at, room->out[i], row->len - more);
            *row = (ty_column_item){at, row->len - more};
            at += row->len;
        }
    }
    seal_or_open(info, room, n, fresh, room->items[3], NULL, COLUMN_GCM, false);
    give_rows(output, room, n, more, false);
    ty_wipe(plain, total);
    free(plain);
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
    workroom *room = take(info, input, &n);
    if (!room) return;
    ty_column_item **c = room->items;
    if (!verify_items(room->bits, room->reasons, c[0], c[1], c[2], with_id ? c[3] : NULL, n,
                      mldsa)) {
        duckdb_scalar_function_set_error(info, "out of memory");
        return;
    }
    bool *good = duckdb_vector_get_data(output);
    for (size_t i = 0; i < n; i++) {
        good[i] = room->reasons[i] == TY_LEDGER_GOOD;
        if (room->reasons[i] == TY_LEDGER_NULL) set_null(output, i);
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

/* --- What SQL calls them: b is BLOB, t VARCHAR --- */

static const struct {
    const char *name, *takes;
    duckdb_scalar_function_t function;
    duckdb_type gives;
    bool fresh; /* another result at each call */
} functions[] = {
    {"sm3",                    "b",    sm3,                DUCKDB_TYPE_BLOB,    false},
    {"sm3_hmac",               "bt",   sm3_hmac,           DUCKDB_TYPE_BLOB,    false},
    {"sm4_gcm_encrypt",        "btb",  gcm_encrypt,        DUCKDB_TYPE_BLOB,    true },
    {"sm4_gcm_encrypt_unique", "btbb", gcm_encrypt_unique, DUCKDB_TYPE_BLOB,    false},
    {"sm4_gcm_decrypt",        "btb",  gcm_decrypt,        DUCKDB_TYPE_BLOB,    false},
    {"sm4_gcm_siv_encrypt",    "btb",  siv_encrypt,        DUCKDB_TYPE_BLOB,    false},
    {"sm4_gcm_siv_decrypt",    "btb",  siv_decrypt,        DUCKDB_TYPE_BLOB,    false},
    {"sm4_reencrypt",          "bttb", reencrypt,          DUCKDB_TYPE_BLOB,    true },
    {"sm2_verify",             "bbb",  sm2_verify,         DUCKDB_TYPE_BOOLEAN, false},
    {"sm2_verify_id",          "bbbb", sm2_verify_id,      DUCKDB_TYPE_BOOLEAN, false},
    {"mldsa_verify",           "bbb",  mldsa_verify,       DUCKDB_TYPE_BOOLEAN, false},
    {"tongyu_key_file",        "tt",   key_file,           DUCKDB_TYPE_BOOLEAN, true },
    {"tongyu_key_env",         "tt",   key_env,            DUCKDB_TYPE_BOOLEAN, true },
};

void register_scalars(duckdb_connection connection)
{
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
    duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        duckdb_scalar_function f = duckdb_create_scalar_function();
        duckdb_logical_type gives = duckdb_create_logical_type(functions[i].gives);
        duckdb_scalar_function_set_name(f, functions[i].name);
        for (const char *t = functions[i].takes; *t; t++)
            duckdb_scalar_function_add_parameter(f, *t == 'b' ? blob : text);
        duckdb_scalar_function_set_return_type(f, gives);
        duckdb_scalar_function_set_function(f, functions[i].function);
        duckdb_scalar_function_set_special_handling(f); /* nulls come here, too */
        if (functions[i].fresh) duckdb_scalar_function_set_volatile(f);
        duckdb_register_scalar_function(connection, f);
        duckdb_destroy_scalar_function(&f);
        duckdb_destroy_logical_type(&gives);
    }
    duckdb_destroy_logical_type(&blob);
    duckdb_destroy_logical_type(&text);
}
