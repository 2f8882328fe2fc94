/* The DuckDB extension: the SQL functions of tongyu.duckdb in C, over version 1.2 of DuckDB's
 * stable C extension API, so that one file loads in DuckDB 1.2 and all later versions. */
#ifndef TONGYU_DUCKDB_EXTENSION_H
#define TONGYU_DUCKDB_EXTENSION_H

#define DUCKDB_EXTENSION_NAME              tongyu
#define DUCKDB_EXTENSION_API_VERSION_MAJOR 1
#define DUCKDB_EXTENSION_API_VERSION_MINOR 2
#define DUCKDB_EXTENSION_API_VERSION_PATCH 0
#include <duckdb_extension.h>

#include "../python/src/_tongyu/column_work.h"
#include "tongyu/sm2_many.h"
#include <stdbool.h>

/* --- Named keys: keys.c --- */

enum { KEY_MAX = 256, NAME_MAX_LEN = 64 };

typedef struct named_key {
    uint8_t bytes[KEY_MAX];
    size_t len;
    uint64_t number; /* unique, also among earlier keys of this name */
} named_key;

/* keys_add: the name, of 1 to NAME_MAX_LEN bytes, refers to this key, of 1 to KEY_MAX bytes, from
 * now on. Returns NULL, or a message about what is wrong, which follows "key 'name': ". */
const char *keys_add(const char *name, size_t name_len, const uint8_t *bytes, size_t len);
/* keys_find: returns whether the name is known; *key is then a copy, which the caller wipes. */
bool keys_find(named_key *key, const char *name, size_t name_len);
/* keys_number: the number of the key of this name, 0 if there is none. */
uint64_t keys_number(const char *name, size_t name_len);

/* --- State of a thread: thread.c --- */

/* The rows of a call, column by column, and buffers for the results. */
enum { COLUMNS = 4 };
typedef struct work_area {
    ty_column_item *items[COLUMNS];
    uint8_t *reasons, *bits;
    size_t rows; /* for which there is space */
    uint8_t *bytes;
    size_t bytes_len;
} work_area;

/* A key with its precomputed forms */
typedef struct ready_key {
    uint64_t number, used;
    size_t len;
    column_key column; /* only for keys of 16 bytes */
    ty_sm2_key sm2;    /* only if `signs`: the 32 bytes are a private key of SM2 */
    bool signs;
    ty_hmac_sm3 hmac;
} ready_key;

/* thread_work_area: the thread's work area, with space for this number of rows or more; NULL: no
 * memory. The thread owns it. */
work_area *thread_work_area(size_t rows);
/* thread_bytes: bytes of the work area, at least len bytes, not initialised; NULL: no memory. */
uint8_t *thread_bytes(size_t len);
/* The thread's ledgers, which keep precomputed keys from call to call; NULL: no memory. */
ty_sm2_ledger *thread_sm2_ledger(void);
ty_mldsa_ledger *thread_mldsa_ledger(void);
/* thread_key: the key of this name, precomputed; a thread keeps the last READY_KEYS keys. NULL: no
 * such key, or no memory. The pointer is valid until READY_KEYS other keys have been used. */
ready_key *thread_key(const char *name, size_t name_len);

/* --- Functions --- */

/* items[i] = row from + i of a vector of strings, for i < n; a null has the length SIZE_MAX. */
void items_of(ty_column_item *items, duckdb_vector vector, size_t from, size_t n);

bool register_scalars(duckdb_connection connection);    /* scalars.c */
bool register_aggregates(duckdb_connection connection); /* aggregates.c */
/* verify_items: bits and reasons of n rows, as ty_sm2_ledger_verify or ty_mldsa_ledger_verify
 * writes them; id may be NULL. Returns false if there is no memory. */
bool verify_items(uint8_t *bits, uint8_t *reasons, const ty_column_item *msg,
                  const ty_column_item *sig, const ty_column_item *pub, const ty_column_item *id,
                  size_t n, bool mldsa);

#endif
