/* Columns of strings are sealed, opened, or replaced by tokens, without a Python object per row. */
#include "column_work.h"
#include "tongyu/os.h"
#include "tongyu/sm4_many.h"
#include <string.h>

static const uint8_t no_nonce[COLUMN_NONCE];
static const ty_column_item nothing;

static int is_null(const ty_column_item *column, size_t i)
{
    return column && column[i].len == SIZE_MAX;
}

static ty_column_item item_of(const ty_column_item *column, size_t i)
{
    return column ? column[i] : nothing;
}

void column_key_init(column_key *key, const uint8_t bytes[16])
{
    uint8_t derived[32];
    ty_sm4_gcm_init(&key->gcm, bytes);
    ty_sm4_init(&key->sm4, bytes);
    ty_hmac_sm3_mac(derived, (const uint8_t *)"tongyu column nonce", 19, bytes, 16);
    ty_hmac_sm3_init(&key->nonces, derived, sizeof derived);
    ty_wipe(derived, sizeof derived);
}

static void absorb(ty_hmac_sm3 *h, ty_column_item s)
{
    uint8_t len[8];
    for (int i = 0; i < 8; i++) len[i] = (uint8_t)((uint64_t)s.len >> (56 - 8 * i));
    ty_hmac_sm3_update(h, len, 8);
    ty_hmac_sm3_update(h, s.p, s.len);
}

/* nonce = the first 12 bytes of the HMAC of all fields of row i, so that rows that differ have
 * different nonces, except with negligible probability. */
static void derive_nonce(uint8_t nonce[COLUMN_NONCE], const column_rows *rows, size_t i,
                         ty_hmac_sm3 *h)
{
    uint8_t mac[32];
    absorb(h, item_of(rows->unique, i));
    absorb(h, item_of(rows->aad, i));
    absorb(h, rows->data[i]);
    ty_hmac_sm3_final(mac, h);
    memcpy(nonce, mac, COLUMN_NONCE);
    ty_wipe(mac, sizeof mac);
}

static ty_err seal_siv(uint8_t *out, const column_rows *rows, size_t i, const ty_sm4_key *key)
{
    const ty_column_item in = rows->data[i], aad = item_of(rows->aad, i);
    return ty_sm4_gcm_siv_seal(out, out + in.len, in.p, in.len, aad.p, aad.len, no_nonce, key);
}

/* sealed points to nonce, ciphertext and tag. */
static ty_sm4_gcm_job gcm_job(uint8_t *out, uint8_t *sealed, const uint8_t *in, size_t len,
                              ty_column_item aad, const column_key *key)
{
    return (ty_sm4_gcm_job){ .out = out,
                             .tag = sealed + COLUMN_NONCE + len,
                             .tag_len = COLUMN_TAG,
                             .in = in,
                             .len = len,
                             .aad = aad.p,
                             .aad_len = aad.len,
                             .nonce = sealed,
                             .nonce_len = COLUMN_NONCE,
                             .key = &key->gcm };
}

ty_err rows_seal(column_fate *fate, uint8_t *const *out, const column_rows *rows, column_mode mode,
                 column_key *key)
{
    ty_sm4_gcm_job jobs[COLUMN_BLOCK];
    uint8_t fresh[COLUMN_BLOCK][COLUMN_NONCE];
    size_t live = 0;
    ty_err err = TY_OK;
    if (mode == COLUMN_GCM) {
        const ty_rng *rng = ty_rng_system();
        if (rng->fill(rng->ctx, fresh[0], rows->n * COLUMN_NONCE)) return TY_ERR_RNG;
    }
    for (size_t i = 0; i < rows->n && !err; i++) {
        const ty_column_item in = rows->data[i];
        fate[i] = COLUMN_NULL;
        if (in.len == SIZE_MAX) continue;
        if (is_null(rows->aad, i) || is_null(rows->unique, i)) {
            memset(out[i], 0, in.len + column_more(mode));
            continue;
        }
        fate[i] = COLUMN_DONE;
        if (mode == COLUMN_SIV) {
            err = seal_siv(out[i], rows, i, &key->sm4);
            continue;
        }
        if (mode == COLUMN_GCM) memcpy(out[i], fresh[i], COLUMN_NONCE);
        else derive_nonce(out[i], rows, i, &key->nonces);
        jobs[live++] =
            gcm_job(out[i] + COLUMN_NONCE, out[i], in.p, in.len, item_of(rows->aad, i), key);
    }
    return err ? err : ty_sm4_many_gcm_seal(jobs, live);
}

void rows_open(column_fate *fate, uint8_t *const *out, const column_rows *rows, column_mode mode,
               const column_key *key)
{
    ty_sm4_gcm_job jobs[COLUMN_BLOCK];
    size_t row[COLUMN_BLOCK], live = 0;
    const size_t more = column_more(mode);
    for (size_t i = 0; i < rows->n; i++) {
        const ty_column_item in = rows->data[i], aad = item_of(rows->aad, i);
        fate[i] = in.len == SIZE_MAX ? COLUMN_NULL : COLUMN_FAILED;
        if (in.len == SIZE_MAX) continue;
        const size_t len = in.len < more ? 0 : in.len - more;
        if (in.len < more || aad.len == SIZE_MAX) {
            if (len) memset(out[i], 0, len);
        } else if (mode != COLUMN_SIV) {
            row[live] = i;
            jobs[live++] = gcm_job(out[i], (uint8_t *)in.p, in.p + COLUMN_NONCE, len, aad, key);
        } else if (ty_sm4_gcm_siv_open(out[i], in.p, len, in.p + len, aad.p, aad.len, no_nonce,
                                       &key->sm4)
                   == TY_OK)
            fate[i] = COLUMN_DONE;
        else if (len) memset(out[i], 0, len);
    }
    (void)!ty_sm4_many_gcm_open(jobs, live);
    for (size_t j = 0; j < live; j++) {
        if (jobs[j].err == TY_OK) fate[row[j]] = COLUMN_DONE;
        else if (jobs[j].len) memset(jobs[j].out, 0, jobs[j].len);
    }
}

void rows_hmac(uint8_t *out, const ty_column_item *rows, size_t n, const ty_hmac_sm3 *key)
{
    ty_sm3_job jobs[COLUMN_BLOCK];
    while (n) {
        const size_t block = n < COLUMN_BLOCK ? n : COLUMN_BLOCK;
        size_t live = 0;
        for (size_t i = 0; i < block; i++) {
            if (rows[i].len == SIZE_MAX) memset(out + 32 * i, 0, 32);
            else jobs[live++] = (ty_sm3_job){ out + 32 * i, rows[i].p, rows[i].len };
        }
        ty_sm3_many_hmac(jobs, live, key);
        out += 32 * block, rows += block, n -= block;
    }
}
