/* Operations on columns of strings that need neither Python nor a database: app/duckdb compiles
 * them, too. Rows come in blocks of at most COLUMN_BLOCK, as items; a null has the length
 * SIZE_MAX. */
#ifndef TONGYU_COLUMN_WORK_H
#define TONGYU_COLUMN_WORK_H

#include "tongyu/ledger.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4_aead.h"

enum { COLUMN_BLOCK = 64, COLUMN_NONCE = 12, COLUMN_TAG = 16 };

/* GCM: nonce || ciphertext || tag, with a nonce that is random or, if derived, an HMAC of the row.
 * GCM-SIV: ciphertext || tag, under a nonce of zeros. */
typedef enum column_mode { COLUMN_GCM, COLUMN_GCM_DERIVED, COLUMN_SIV } column_mode;

/* How many bytes longer a sealed row is. */
static inline size_t column_more(column_mode mode)
{
    return COLUMN_TAG + (mode == COLUMN_SIV ? 0 : COLUMN_NONCE);
}

typedef struct column_key {
    ty_sm4_gcm_key gcm;
    ty_sm4_key sm4;
    ty_hmac_sm3 nonces; /* derives nonces, for COLUMN_GCM_DERIVED */
} column_key;

void column_key_init(column_key *key, const uint8_t bytes[16]);

/* aad, and unique for COLUMN_GCM_DERIVED, may be NULL: then they are empty. */
typedef struct column_rows {
    const ty_column_item *data, *aad, *unique;
    size_t n;
} column_rows;

/* The result for a row: COLUMN_NULL if its data is null or, when sealing, another of its fields is;
 * COLUMN_FAILED if it cannot be opened. */
typedef enum column_fate { COLUMN_NULL, COLUMN_DONE, COLUMN_FAILED } column_fate;

/* rows_seal: out[i] = row i sealed, column_more() bytes longer; for a row that is null, zeros of
 * that length, or nothing if its data is null.
 *   err    TY_ERR_RNG     TY_ERR_SIZE: a row or its aad is too long */
TY_MUST_CHECK ty_err rows_seal(column_fate *fate, uint8_t *const *out, const column_rows *rows,
                               column_mode mode, column_key *key);
/* rows_open: out[i] = row i opened, column_more() bytes shorter; zeros if it failed. */
void rows_open(column_fate *fate, uint8_t *const *out, const column_rows *rows, column_mode mode,
               const column_key *key);

/* rows_hmac: out[32 i] = HMAC-SM3 of row i; zeros for a null. */
void rows_hmac(uint8_t *out, const ty_column_item *rows, size_t n, const ty_hmac_sm3 *key);

#endif
