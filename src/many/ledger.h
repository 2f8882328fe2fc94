/* What the ledgers of SM2 and ML-DSA share: columns, the order of a batch by keys, and the cache of
 * prepared keys.
 *
 * A batch is up to TY_LEDGER_ROWS rows. Each different key in it gets a number in the order of
 * appearance, found by a table of hashes and compared byte for byte; then a counting sort on the
 * number puts the rows of a key together. Hashes are not keyed: an attacker who chooses keys that
 * collide makes a batch compare every key with every other, which takes less time than the
 * verification of as many rows.
 *
 * A key gets ready when enough rows of it have been met for that to pay, in this batch or since it
 * is remembered. Ready keys are in a list by their last use. The last one gives way to a key with
 * enough rows in this batch, and else only to one that came back sooner than it: so more keys than
 * there is room for, in turns, do not throw each other out. None gives way to another of the same
 * batch, because jobs may still wait that use it. */
#ifndef TY_MANY_LEDGER_H
#define TY_MANY_LEDGER_H

#include "tongyu/ledger.h"

enum { TY_LEDGER_ROWS = 8192, TY_LEDGER_PLACES = 4 * TY_LEDGER_ROWS };

#define TY_LEDGER_NO UINT32_MAX

/* row i: 1, or 0 for a null; the column has been checked */
int ty_column_at(ty_column_item *out, const ty_column *column, size_t i);

/* the columns that there must be, and all of them */
TY_MUST_CHECK ty_err ty_ledger_rows_check(const ty_ledger_rows *rows, size_t n);

/* A key of the batch */
typedef struct ty_ledger_key {
    ty_column_item bytes;
    uint64_t hash;
    uint32_t rows, from;     /* its rows are order[from .. from + rows) */
} ty_ledger_key;

/* A ready key, at the same place as what the scheme keeps of it */
typedef struct ty_ledger_ready {
    uint64_t hash, used;     /* used: the batch that last had rows of it */
    uint32_t next;           /* the next one in its bucket */
    uint32_t older, newer;   /* in the list by use */
} ty_ledger_ready;

/* A key that is not ready, as far as it is remembered: another one with the same place takes
 * that */
typedef struct ty_ledger_seen {
    uint64_t hash, used;
    uint32_t rows;
} ty_ledger_seen;

typedef struct ty_ledger_cache {
    size_t keys, made;       /* room, and ready ones */
    uint32_t buckets;        /* a power of two, as many sightings */
    uint32_t newest, oldest;
    uint64_t batch;          /* its number, from 1 */
    ty_ledger_ready *ready;
    ty_ledger_seen *seen;
    uint32_t *bucket;
    /* of the batch */
    ty_ledger_key *key;      /* TY_LEDGER_ROWS */
    /* of each row, its key; the rows by keys; hashes to keys, TY_LEDGER_PLACES */
    uint32_t *number, *order, *place;
    size_t key_n;
} ty_ledger_cache;

/* Whether the key at this place is the one in these bytes. */
typedef int ty_ledger_same(const void *ledger, size_t place, const ty_column_item *bytes);

/* Parts of the caller's memory, one behind the other: the next len bytes at a multiple of 64, or
 * with memory NULL only their end. at is SIZE_MAX from the first part on that could not be. */
typedef struct ty_ledger_memory {
    uint8_t *memory;
    size_t at;
} ty_ledger_memory;
void *ty_ledger_part(ty_ledger_memory *m, size_t n, size_t size);

/* the cache's own arrays, for keys ready keys */
void ty_ledger_parts(ty_ledger_cache *c, ty_ledger_memory *m, size_t keys);
/* a cache without keys in those arrays */
void ty_ledger_reset(ty_ledger_cache *c, size_t keys);

/* The next batch: rows [first, first + n) of pub, n <= TY_LEDGER_ROWS; rows whose number is
 * TY_LEDGER_NO are left out */
void ty_ledger_sort(ty_ledger_cache *c, const ty_column *pub, size_t first, size_t n);

/* The place of this key of the batch if it is ready, else TY_LEDGER_NO. To be asked once for each
 * key of a batch. */
uint32_t ty_ledger_find(ty_ledger_cache *c, const ty_ledger_key *key, ty_ledger_same *same,
                        const void *ledger);
/* A place to make this key ready at, where that pays from pays rows on: TY_LEDGER_NO where it does
 * not, or keys where it does, but only as a place for now: then nobody finds it later. */
uint32_t ty_ledger_room(ty_ledger_cache *c, const ty_ledger_key *key, size_t pays);
/* the key at this place, from room, is ready */
void ty_ledger_made(ty_ledger_cache *c, const ty_ledger_key *key, uint32_t place);

static inline void ty_ledger_verdict_set(uint8_t *good, uint8_t *why, size_t i,
                                         ty_ledger_verdict verdict)
{
    if (verdict == TY_LEDGER_GOOD) good[i >> 3] = (uint8_t)(good[i >> 3] | 1u << (i & 7));
    if (why) why[i] = (uint8_t)verdict;
}

#endif
