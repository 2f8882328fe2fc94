/* Columns, and the cache of keys of both ledgers: see ledger.h. */
#include "many/ledger.h"

#include <string.h>

/* --- Columns */

static int64_t column_offset(const ty_column *c, size_t i)
{
    const uint8_t *p = c->offsets;
    int32_t narrow;
    int64_t wide;
    if (c->form == TY_COLUMN_OFFSETS_32) return memcpy(&narrow, p + 4 * i, 4), narrow;
    return memcpy(&wide, p + 8 * i, 8), wide;
}

/* the first row of n that is not within the data, or n */
static size_t first_outside(const ty_column *c, size_t n)
{
    if (c->form == TY_COLUMN_FIXED) {
        /* the number of rows in the data */
        const size_t held = c->width ? c->data_len / c->width : SIZE_MAX;
        return held < c->first ? 0 : held - c->first < n ? held - c->first : n;
    }
    if (c->form != TY_COLUMN_OFFSETS_32 && c->form != TY_COLUMN_OFFSETS_64) return n;
    for (size_t i = 0; i < n; i++) {
        const int64_t from = column_offset(c, c->first + i),
                      to = column_offset(c, c->first + i + 1);
        if (from < 0 || to < from || (uint64_t)to > c->data_len) return i;
    }
    return n;
}

ty_err ty_column_check(const ty_column *column, size_t n, size_t *row)
{
    if (row) *row = 0;
    if ((unsigned)column->form > TY_COLUMN_ITEMS || column->first > SIZE_MAX - n) return TY_ERR_ARG;
    const size_t outside = first_outside(column, n);
    if (row) *row = outside;
    return outside < n ? TY_ERR_FORMAT : TY_OK;
}

int ty_column_at(ty_column_item *out, const ty_column *column, size_t i)
{
    const size_t at = column->first + i;
    *out = (ty_column_item){ column->data, column->data_len };
    if (column->valid && !(column->valid[at >> 3] >> (at & 7) & 1)) return 0;
    if (column->form == TY_COLUMN_ITEMS) {
        *out = column->items[at];
        return out->len != SIZE_MAX;
    }
    if (column->form == TY_COLUMN_FIXED) {
        *out = (ty_column_item){ column->data + at * column->width, column->width };
    } else if (column->form != TY_COLUMN_SAME) {
        const int64_t from = column_offset(column, at), to = column_offset(column, at + 1);
        *out = (ty_column_item){ column->data + from, (size_t)(to - from) };
    }
    return 1;
}

ty_err ty_ledger_rows_check(const ty_ledger_rows *rows, size_t n)
{
    const ty_column *all[] = { &rows->msg, &rows->sig, &rows->pub, &rows->id };
    for (size_t c = 0; c < 4; c++) {
        if (c < 3 && all[c]->form == TY_COLUMN_NONE) return TY_ERR_ARG;
        const ty_err err = ty_column_check(all[c], n, NULL);
        if (err != TY_OK) return err;
    }
    return TY_OK;
}

/* --- Memory */

void *ty_ledger_part(ty_ledger_memory *m, size_t n, size_t size)
{
    uint8_t *part = m->memory ? m->memory + m->at : NULL;
    const size_t len = size && n > (SIZE_MAX - 63) / size ? SIZE_MAX : (n * size + 63) / 64 * 64;
    m->at = len > SIZE_MAX / 2 || m->at > SIZE_MAX / 2 ? SIZE_MAX : m->at + len;
    return part;
}

static uint32_t buckets_for(size_t keys)
{
    uint32_t n = 1024;
    while (n < keys && n < (uint32_t)1 << 31) n *= 2;
    return n;
}

void ty_ledger_parts(ty_ledger_cache *c, ty_ledger_memory *m, size_t keys)
{
    const uint32_t buckets = buckets_for(keys);
    c->key = ty_ledger_part(m, TY_LEDGER_ROWS, sizeof *c->key);
    c->number = ty_ledger_part(m, TY_LEDGER_ROWS, sizeof *c->number);
    c->order = ty_ledger_part(m, TY_LEDGER_ROWS, sizeof *c->order);
    c->place = ty_ledger_part(m, TY_LEDGER_PLACES, sizeof *c->place);
    c->ready = ty_ledger_part(m, keys, sizeof *c->ready);
    c->bucket = ty_ledger_part(m, buckets, sizeof *c->bucket);
    c->seen = ty_ledger_part(m, buckets, sizeof *c->seen);
}

void ty_ledger_reset(ty_ledger_cache *c, size_t keys)
{
    c->keys = keys;
    c->made = 0;
    c->buckets = buckets_for(keys);
    c->newest = c->oldest = TY_LEDGER_NO;
    c->batch = 0;
    c->key_n = 0;
    memset(c->bucket, 0xff, c->buckets * sizeof *c->bucket);
    memset(c->seen, 0, c->buckets * sizeof *c->seen);
}

/* --- The order of a batch */

/* A hash of the length and the first 64 bytes; in a key of ML-DSA these are the seed rho and a part
 * of t1. */
static uint64_t hash_of(const ty_column_item *key)
{
    const size_t len = key->len < 64 ? key->len : 64;
    uint64_t h = key->len, w;
    for (size_t at = 0; at < len; at += 8) {
        w = 0;
        memcpy(&w, key->p + at, len - at < 8 ? len - at : 8);
        h = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15);   /* 2^64 over the golden ratio */
        h ^= h >> 29;
    }
    return h;
}

/* The number of this key in the batch; a key that is not in it yet is added */
static uint32_t number_of(ty_ledger_cache *c, const ty_column_item *bytes)
{
    const uint64_t hash = hash_of(bytes);
    size_t at = (size_t)(hash >> 20) % TY_LEDGER_PLACES;
    for (; c->place[at] != TY_LEDGER_NO; at = (at + 1) % TY_LEDGER_PLACES) {
        const ty_ledger_key *key = &c->key[c->place[at]];
        if (key->hash == hash && key->bytes.len == bytes->len &&
            (bytes->len == 0 || memcmp(key->bytes.p, bytes->p, bytes->len) == 0))
            return c->place[at];
    }
    c->key[c->key_n] = (ty_ledger_key){ *bytes, hash, 0, 0 };
    return c->place[at] = (uint32_t)c->key_n++;
}

void ty_ledger_sort(ty_ledger_cache *c, const ty_column *pub, size_t first, size_t n)
{
    ty_column_item bytes;
    uint32_t from = 0;
    c->batch++;
    c->key_n = 0;
    memset(c->place, 0xff, TY_LEDGER_PLACES * sizeof *c->place);
    for (size_t i = 0; i < n; i++) {
        if (c->number[i] == TY_LEDGER_NO || !ty_column_at(&bytes, pub, first + i)) continue;
        c->number[i] = number_of(c, &bytes);
        c->key[c->number[i]].rows++;
    }
    for (size_t k = 0; k < c->key_n; from += c->key[k++].rows) c->key[k].from = from;
    for (size_t i = 0; i < n; i++)
        if (c->number[i] != TY_LEDGER_NO) c->order[c->key[c->number[i]].from++] = (uint32_t)i;
    for (size_t k = 0; k < c->key_n; k++) c->key[k].from -= c->key[k].rows;
}

/* --- Ready keys */

static uint32_t *bucket_of(ty_ledger_cache *c, uint64_t hash)
{
    return &c->bucket[hash & (c->buckets - 1)];
}
static ty_ledger_seen *seen_of(ty_ledger_cache *c, uint64_t hash)
{
    return &c->seen[hash & (c->buckets - 1)];
}

static void unlink_place(ty_ledger_cache *c, uint32_t place)
{
    ty_ledger_ready *r = &c->ready[place];
    if (r->newer == TY_LEDGER_NO) c->newest = r->older;
    else c->ready[r->newer].older = r->older;
    if (r->older == TY_LEDGER_NO) c->oldest = r->newer;
    else c->ready[r->older].newer = r->newer;
}

static void link_newest(ty_ledger_cache *c, uint32_t place)
{
    ty_ledger_ready *r = &c->ready[place];
    r->used = c->batch;
    r->newer = TY_LEDGER_NO;
    r->older = c->newest;
    if (c->newest == TY_LEDGER_NO) c->oldest = place;
    else c->ready[c->newest].newer = place;
    c->newest = place;
}

uint32_t ty_ledger_find(ty_ledger_cache *c, const ty_ledger_key *key, ty_ledger_same *same,
                        const void *ledger)
{
    for (uint32_t at = *bucket_of(c, key->hash); at != TY_LEDGER_NO; at = c->ready[at].next) {
        if (c->ready[at].hash != key->hash || !same(ledger, at, &key->bytes)) continue;
        unlink_place(c, at);
        link_newest(c, at);
        return at;
    }
    return TY_LEDGER_NO;
}

static void forget(ty_ledger_cache *c, uint32_t place)
{
    uint32_t *link = bucket_of(c, c->ready[place].hash);
    while (*link != place) link = &c->ready[*link].next;
    *link = c->ready[place].next;
    unlink_place(c, place);
}

uint32_t ty_ledger_room(ty_ledger_cache *c, const ty_ledger_key *key, size_t pays)
{
    ty_ledger_seen *seen = seen_of(c, key->hash), before = *seen;
    if (before.hash != key->hash) before = (ty_ledger_seen){ key->hash, 0, 0 };
    const int now = key->rows >= pays;
    *seen = (ty_ledger_seen){ key->hash, c->batch, before.rows + key->rows };
    if (seen->rows < pays) return TY_LEDGER_NO;
    seen->rows = (uint32_t)pays;   /* so that it does not overflow */
    if (c->made < c->keys) return (uint32_t)c->made;
    const uint64_t idle_since = c->ready[c->oldest].used;
    if (idle_since < c->batch && (now || idle_since < before.used)) return c->oldest;
    return now ? (uint32_t)c->keys : TY_LEDGER_NO;
}

void ty_ledger_made(ty_ledger_cache *c, const ty_ledger_key *key, uint32_t place)
{
    if (place == c->keys) return;
    if (place == c->made) c->made++;
    else forget(c, place);
    uint32_t *bucket = bucket_of(c, key->hash);
    c->ready[place].hash = key->hash;
    c->ready[place].next = *bucket;
    *bucket = place;
    link_newest(c, place);
}
