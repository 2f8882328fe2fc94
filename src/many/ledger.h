/* The common part of the ledgers of SM2 and ML-DSA: columns, the sorting of a batch by keys, and
 * the cache of ready keys, that is, precomputed ones.
 *
 * A batch is up to TY_LEDGER_ROWS rows. Each different key in it gets a number in the order of
 * appearance, found through a hash table and compared byte for byte; then a counting sort by these
 * numbers groups the rows of a key. Hashes are not keyed: an attacker who chooses keys that collide
 * makes a batch compare every key with every other, which takes less time than verifying
 * that many rows.
 *
 * A key is precomputed when enough rows of it have been seen for that to pay, in this batch or
 * since it has been remembered. Ready keys are in a list in the order of their last use. The least
 * recently used one is evicted for a key with enough rows in this batch, and otherwise only for one
 * whose previous rows were in a later batch than the last use of the evicted one: so more keys than
 * the cache has room for, used in rotation, do not evict each other. A key that this batch has used
 * is not evicted, because waiting rows may still use it. */
#ifndef TY_MANY_LEDGER_H
#define TY_MANY_LEDGER_H

#include "tongyu/ledger.h"

enum { TY_LEDGER_ROWS = 8192, TY_LEDGER_PLACES = 4 * TY_LEDGER_ROWS };

#define TY_LEDGER_NO UINT32_MAX

/* *out = row i; returns 1, or 0 for a null. The column has been checked */
int ty_column_at(ty_column_item *out, const ty_column *column, size_t i);

/* checks all columns, and that those which must not be missing are there */
TY_MUST_CHECK ty_err ty_ledger_rows_check(const ty_ledger_rows *rows, size_t n);

/* A key of the batch */
typedef struct ty_ledger_key {
    ty_column_item bytes;
    uint64_t hash;
    uint32_t rows, from;     /* its rows are order[from .. from + rows) */
} ty_ledger_key;

/* A ready key; the scheme's own array has its precomputed data at the same index */
typedef struct ty_ledger_ready {
    uint64_t hash, used;     /* used: the batch that last had rows of it */
    uint32_t next;           /* the next one in its bucket */
    uint32_t older, newer;   /* in the list by use */
} ty_ledger_ready;

/* A key that is not ready, remembered until another one with the same bucket overwrites the
 * entry */
typedef struct ty_ledger_seen {
    uint64_t hash, used;
    uint32_t rows;
} ty_ledger_seen;

typedef struct ty_ledger_cache {
    size_t keys, made;       /* capacity; ready keys */
    uint32_t buckets;        /* length of bucket and of seen, a power of two */
    uint32_t newest, oldest;
    uint64_t batch;          /* its number, from 1 */
    ty_ledger_ready *ready;
    ty_ledger_seen *seen;
    uint32_t *bucket;
    /* of the batch */
    ty_ledger_key *key;      /* TY_LEDGER_ROWS */
    /* number: the key of each row; order: the rows sorted by keys; place: a hash table of keys with
     * TY_LEDGER_PLACES entries */
    uint32_t *number, *order, *place;
    size_t key_n;
} ty_ledger_cache;

/* Returns 1 if the ready key at this place is the one encoded in these bytes. */
typedef int ty_ledger_same(const void *ledger, size_t place, const ty_column_item *bytes);

/* Allocates parts of the caller's memory one after the other: ty_ledger_part returns the next
 * n * size bytes, rounded up to a multiple of 64. If `memory` is NULL, it only counts. After a part
 * whose end does not fit a size_t, `at` is SIZE_MAX. */
typedef struct ty_ledger_memory {
    uint8_t *memory;
    size_t at;
} ty_ledger_memory;
void *ty_ledger_part(ty_ledger_memory *m, size_t n, size_t size);

/* allocates the cache's own arrays, for `keys` ready keys */
void ty_ledger_parts(ty_ledger_cache *c, ty_ledger_memory *m, size_t keys);
/* empties the cache */
void ty_ledger_reset(ty_ledger_cache *c, size_t keys);

/* Sorts the next batch: rows [first, first + n) of pub, n <= TY_LEDGER_ROWS. The caller has
 * set c->number[i] to TY_LEDGER_NO for rows to be left out, which nulls must be, else to 0 */
void ty_ledger_sort(ty_ledger_cache *c, const ty_column *pub, size_t first, size_t n);

/* The place of this key of the batch if it is ready, else TY_LEDGER_NO. Call it once for each key
 * of a batch. */
uint32_t ty_ledger_find(ty_ledger_cache *c, const ty_ledger_key *key, ty_ledger_same *same,
                        const void *ledger);
/* A place for the precomputed data of this key, if precomputation pays, which it does from `pays`
 * rows on; else TY_LEDGER_NO. The place `keys` is temporary: later calls do not find the key. */
uint32_t ty_ledger_room(ty_ledger_cache *c, const ty_ledger_key *key, size_t pays);
/* the key at this place, which ty_ledger_room returned, is ready */
void ty_ledger_made(ty_ledger_cache *c, const ty_ledger_key *key, uint32_t place);

static inline void ty_ledger_verdict_set(uint8_t *good, uint8_t *why, size_t i,
                                         ty_ledger_verdict verdict)
{
    if (verdict == TY_LEDGER_GOOD) good[i >> 3] = (uint8_t)(good[i >> 3] | 1u << (i & 7));
    if (why) why[i] = (uint8_t)verdict;
}

#endif
