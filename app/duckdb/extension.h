/* The DuckDB extension: the SQL functions of tongyu.duckdb in C, over DuckDB's stable C extension
 * API of version 1.2, so that one file loads in every DuckDB from there on. */
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

/* --- Keys by name: keys.c --- */

enum { KEY_MAX = 256, NAME_MAX_LEN = 64 };

typedef struct named_key {
    uint8_t bytes[KEY_MAX];
    size_t len;
    uint64_t number; /* of no other key, nor of an earlier one of this name */
} named_key;

/* keys_add: from now on the name, name_len <= NAME_MAX_LEN, means this key. NULL, or what is wrong
 * with it. */
const char *keys_add(const char *name, size_t name_len, const uint8_t *bytes, size_t len);
/* keys_find: whether the name is known; *key is then a copy, to be wiped. */
bool keys_find(named_key *key, const char *name, size_t name_len);
/* keys_number: the number of the key of this name, 0 for none. */
uint64_t keys_number(const char *name, size_t name_len);

/* --- What a thread keeps: thread.c --- */

/* The rows of a call, column by column, and room for what they become. */
enum { COLUMNS = 4 };
typedef struct workroom {
    ty_column_item *items[COLUMNS];
    uint8_t *reasons, *bits;
    size_t rows;
    uint8_t *bytes;
    size_t bytes_len;
} workroom;

/* A key and what was made of it */
typedef struct ready_key {
    uint64_t number, used;
    size_t len;
    column_key column; /* of keys of 16 bytes */
    ty_sm2_key sm2;    /* of keys of 32 bytes that are private keys of SM2: signs says so */
    bool signs;
    ty_hmac_sm3 hmac;
} ready_key;

/* thread_room: room for so many rows; NULL: no memory. It is the thread's, and stays so. */
workroom *thread_room(size_t rows);
/* thread_bytes: the room's bytes, at least so many, all unset; NULL: no memory. */
uint8_t *thread_bytes(size_t len);
/* The thread's ledgers, whose keys stay ready from call to call; NULL: no memory. */
ty_sm2_ledger *thread_sm2_ledger(void);
ty_mldsa_ledger *thread_mldsa_ledger(void);
/* thread_key: the key of this name, precomputed once for a thread. NULL: there is no such key, or
 * no memory. */
ready_key *thread_key(const char *name, size_t name_len);

/* --- Functions --- */

/* items[i] = row from + i of a vector of strings, n of them; a null has the length SIZE_MAX. */
void items_of(ty_column_item *items, duckdb_vector vector, size_t from, size_t n);

void register_scalars(duckdb_connection connection);    /* scalars.c */
void register_aggregates(duckdb_connection connection); /* aggregates.c */
/* verify_items: bits and reasons of n rows, as ty_sm2_ledger_verify; id may be NULL. false: no
 * memory */
bool verify_items(uint8_t *bits, uint8_t *reasons, const ty_column_item *msg,
                  const ty_column_item *sig, const ty_column_item *pub, const ty_column_item *id,
                  size_t n, bool mldsa);

#endif
