/* Tongyu: verification of columns: ledgers, archives, tables of a database, with few signers in
 * mixed order or with many. A ledger caches precomputed keys (ty_sm2_verifier,
 * ty_mldsa_verifier) and evicts the least recently used. It sorts the rows of a call by their keys,
 * 8192 at a time, so that rows of one key share its precomputed data and are verified together.
 *
 * A ledger is in the caller's memory, of fixed size, and its keys stay cached between calls: give
 * each thread its own, and keep it. Everything is public and takes variable time. Nothing is
 * allocated; up to 64 KB of stack. */
#ifndef TONGYU_LEDGER_H
#define TONGYU_LEDGER_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* One string of a column of the form TY_COLUMN_ITEMS. A len of SIZE_MAX means null. */
typedef struct ty_column_item {
    const uint8_t *p;
    size_t len;
} ty_column_item;

typedef enum ty_column_form {
    TY_COLUMN_NONE,          /* no column: allowed only where a comment says what it means */
    TY_COLUMN_FIXED,         /* row i is data[i width .. (i + 1) width) */
    /* row i is data[offsets[i] .. offsets[i + 1]), int32_t in native byte order */
    TY_COLUMN_OFFSETS_32,
    TY_COLUMN_OFFSETS_64,    /* the same, int64_t */
    TY_COLUMN_SAME,          /* every row is data[0 .. data_len) */
    TY_COLUMN_ITEMS          /* row i is items[i]; data and data_len are not used */
} ty_column_form;

/* A column of strings as Apache Arrow lays it out. Its row 0 is row `first` of the buffers, so that
 * a slice needs no copy. */
typedef struct ty_column {
    ty_column_form form;
    size_t first;
    const uint8_t *data;
    size_t data_len, width;
    const void *offsets;     /* of any alignment */
    const ty_column_item *items;
    /* bit i & 7 of byte i >> 3 is 0 where row i is null; NULL: no row is */
    const uint8_t *valid;
} ty_column;

/* ty_column_check: checks that n rows are within the column's data.
 *   err    TY_ERR_ARG: no such form
 *          TY_ERR_FORMAT: offsets decrease, begin below 0 or exceed the data, or there is less data
 *          than rows of this width; *row is then the first such row. row may be NULL */
TY_API TY_MUST_CHECK ty_err ty_column_check(const ty_column *column, size_t n, size_t *row);

/* The result for a row. */
typedef enum ty_ledger_verdict {
    TY_LEDGER_GOOD,
    TY_LEDGER_NULL,          /* one of its fields is null */
    TY_LEDGER_WRONG,         /* the signature does not verify */
    TY_LEDGER_BAD_SIG,       /* not a signature: wrong length */
    TY_LEDGER_BAD_KEY,       /* not a public key: wrong length, or not a point of the curve */
    TY_LEDGER_BAD_ID,        /* id or context too long */
    TY_LEDGER_VERDICTS
} ty_ledger_verdict;

/* sig     SM2: r || s; ML-DSA: as the standard encodes it, of the key's set
 * pub     SM2: 64, 65 or 33 bytes, as ty_sm2_pub_set takes them; ML-DSA: as ty_mldsa_pub_set does,
 *         sets may be mixed
 * id      SM2: the signer's identity, TY_SM2_ID if there is no column; ML-DSA: the context, empty
 *         if there is no column. A short SM2 identity in the form TY_COLUMN_SAME is hashed once per
 *         key, others once for each run of rows with the same identity */
typedef struct ty_ledger_rows {
    ty_column msg, sig, pub, id;
} ty_ledger_rows;

typedef struct ty_sm2_ledger ty_sm2_ledger;
typedef struct ty_mldsa_ledger ty_mldsa_ledger;

/* ty_sm2_ledger_size, ty_mldsa_ledger_size: bytes of a ledger that caches `keys` keys: 15 KB for
 * each plus 530 KB; 67 KB for each plus 740 KB. 0 if keys >= 2^31 - 1, or the size does not fit
 * a size_t.
 * ty_sm2_ledger_init, ty_mldsa_ledger_init: *ledger = a ledger without keys in memory[memory_len],
 * of any alignment.
 *   err    TY_ERR_ARG: keys is 0
 *          TY_ERR_SIZE: memory_len is below the size for `keys` keys
 *          *ledger is then NULL */
TY_API size_t ty_sm2_ledger_size(size_t keys);
TY_API TY_MUST_CHECK ty_err ty_sm2_ledger_init(ty_sm2_ledger **ledger, void *memory,
                                               size_t memory_len, size_t keys);
TY_API size_t ty_mldsa_ledger_size(size_t keys);
TY_API TY_MUST_CHECK ty_err ty_mldsa_ledger_init(ty_mldsa_ledger **ledger, void *memory,
                                                 size_t memory_len, size_t keys);

/* ty_sm2_ledger_verify, ty_mldsa_ledger_verify: bit i & 7 of good[i >> 3] is 1 if row i is good, of
 * n rows; the bits after the last row are 0. why[i], where why is not NULL, is its
 * ty_ledger_verdict.
 *   in     rows are sorted by keys only within a call, so calls with thousands of rows are fastest;
 *          keys stay cached between calls
 *   err    TY_ERR_ARG, TY_ERR_FORMAT: ty_column_check refuses a column, or msg, sig or pub is
 *          TY_COLUMN_NONE; good and why are untouched. A row that is not good is not an error of
 *          the call
 *   alias  good and why overlap nothing
 *   cost   SM2: for a row with a cached key, at most a third of ty_sm2_verify */
TY_API TY_MUST_CHECK ty_err ty_sm2_ledger_verify(uint8_t *good, uint8_t *why,
                                                 const ty_ledger_rows *rows, size_t n,
                                                 ty_sm2_ledger *ledger);
TY_API TY_MUST_CHECK ty_err ty_mldsa_ledger_verify(uint8_t *good, uint8_t *why,
                                                   const ty_ledger_rows *rows, size_t n,
                                                   ty_mldsa_ledger *ledger);

#if defined(__cplusplus)
}
#endif
#endif
