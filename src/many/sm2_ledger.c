/* SM2 verification of columns. Rows of ready keys wait in one group, the others in a second one, so
 * that either all lanes of the curve have a table or none has. A ready key also keeps its Z where
 * all rows of the call have the same short name, as the signer's identity is called here. */
#include "many/ledger.h"
#include "many/sm2_digests.h"

enum { MANY = TY_EC_SM2_MANY, LONGEST_PUB = 65 };

/* A ready key; `z` is for the name whose number is z_of */
typedef struct ready_key {
    uint8_t table[TY_EC_SM2_TABLE];   /* first, so that it is aligned to a cache line */
    ty_sm2_pub pub;
    uint8_t z[32], len, bytes[LONGEST_PUB];
    uint64_t z_of;
} __attribute__((aligned(64))) ready_key;

typedef struct group {
    ty_sm2_digests digests;
    uint8_t e[MANY][32];
    ty_ec_sm2_check check[MANY];
    const uint8_t *sig[MANY];
    size_t row[MANY], n;
} group;

struct ty_sm2_ledger {
    const ty_ec_sm2_ops *ec;
    ty_ledger_cache cache;
    ready_key *ready;            /* one more than the cache has, for temporary use */
    group with_table, without;
    uint8_t name[TY_SM2_SHORT_ID];   /* the one that Z was last computed for */
    size_t name_len;
    uint64_t name_number;
};

/* The arguments of a call, and the name of its rows */
typedef struct call {
    uint8_t *good, *why;
    const ty_ledger_rows *rows;
    size_t first;                /* of the batch */
    /* the name of every row, if name_is_one; if it is also short, ready keys keep its Z */
    ty_column_item name;
    int name_is_one, name_is_short;
} call;

/* --- Memory */

static void lay_out(ty_sm2_ledger *l, ty_ledger_memory *m, size_t keys)
{
    ty_ledger_parts(&l->cache, m, keys);
    l->ready = ty_ledger_part(m, keys + 1, sizeof *l->ready);
}

size_t ty_sm2_ledger_size(size_t keys)
{
    ty_ledger_memory m = { NULL, 63 };
    ty_ledger_cache cache;
    if (keys >= UINT32_MAX / 2) return 0;
    (void)ty_ledger_part(&m, 1, sizeof(ty_sm2_ledger));
    ty_ledger_parts(&cache, &m, keys);
    (void)ty_ledger_part(&m, keys + 1, sizeof(ready_key));
    return m.at == SIZE_MAX ? 0 : m.at;
}

ty_err ty_sm2_ledger_init(ty_sm2_ledger **ledger, void *memory, size_t memory_len, size_t keys)
{
    const size_t size = ty_sm2_ledger_size(keys);
    ty_ledger_memory m = { memory, (size_t)(-(uintptr_t)memory % 64) };
    *ledger = NULL;
    if (keys == 0) return TY_ERR_ARG;
    if (size == 0 || memory_len < size) return TY_ERR_SIZE;
    ty_sm2_ledger *l = ty_ledger_part(&m, 1, sizeof *l);
    lay_out(l, &m, keys);
    ty_ledger_reset(&l->cache, keys);
    l->ec = ty_ec_sm2_best();
    l->name_len = 0;
    l->name_number = 0;
    l->with_table.n = l->without.n = 0;
    *ledger = l;
    return TY_OK;
}

/* --- Keys */

static int same_point(const void *ledger, size_t place, const ty_column_item *bytes)
{
    const ready_key *key = &((const ty_sm2_ledger *)ledger)->ready[place];
    return key->len == bytes->len && memcmp(key->bytes, bytes->p, bytes->len) == 0;
}

/* Verifies the rows of the group and sets their verdicts. */
static void answer_points(group *g, const call *c, const ty_ec_sm2_ops *ec)
{
    size_t which[MANY], live = 0;
    ty_sm2_digests_run(&g->digests);
    for (size_t i = 0; i < g->n; i++) {
        ty_ec_sm2_check *check = &g->check[live];
        if (live < i) *check = g->check[i];
        ty_ledger_verdict_set(c->good, c->why, g->row[i], TY_LEDGER_WRONG);
        if (!ty_sm2_verify_begin(check->x, check->v, g->sig[i], g->e[i])) continue;
        memcpy(check->u, g->sig[i] + 32, 32);
        which[live++] = i;
    }
    ec->checks_vt(g->check, live);
    for (size_t i = 0; i < live; i++)
        if (g->check[i].good)
            ty_ledger_verdict_set(c->good, c->why, g->row[which[i]], TY_LEDGER_GOOD);
    g->n = 0;
}

/* The key, precomputed if that pays; or NULL. The point is valid. The temporary place may be in use
 * by waiting rows, so these are verified first. */
static ready_key *make_ready(ty_sm2_ledger *l, const ty_ledger_key *key, const ty_sm2_pub *pub,
                             const call *c)
{
    const uint32_t place = ty_ledger_room(&l->cache, key, l->ec->table_pays);
    if (place == TY_LEDGER_NO) return NULL;
    if (place == l->cache.keys) answer_points(&l->with_table, c, l->ec);
    ready_key *ready = &l->ready[place];
    ready->pub = *pub;
    ready->z_of = 0;
    ready->len = (uint8_t)key->bytes.len;
    memcpy(ready->bytes, key->bytes.p, key->bytes.len);
    uint8_t xy[64];
    memcpy(xy, pub->x, 32);
    memcpy(xy + 32, pub->y, 32);
    l->ec->table_vt(ready->table, xy);
    ty_ledger_made(&l->cache, key, place);
    return ready;
}

/* The key's Z for the name of the call, which is short */
static const uint8_t *z_of(ty_sm2_ledger *l, ready_key *key, const call *c)
{
    if (key->z_of != l->name_number) (void)!ty_sm2_z(key->z, c->name.p, c->name.len, &key->pub);
    key->z_of = l->name_number;
    return key->z;
}

/* --- Rows */

/* Checks that need no key: 1 if the row stays in the batch; else its verdict is set. */
static int take_sm2_row(const call *c, size_t i)
{
    ty_column_item msg, sig, pub, id = c->name;
    ty_ledger_verdict verdict = TY_LEDGER_GOOD;
    const int there = ty_column_at(&msg, &c->rows->msg, i) & ty_column_at(&sig, &c->rows->sig, i) &
                      ty_column_at(&pub, &c->rows->pub, i) &
                      (c->name_is_one || ty_column_at(&id, &c->rows->id, i));
    if (!there) verdict = TY_LEDGER_NULL;
    else if (sig.len != 64) verdict = TY_LEDGER_BAD_SIG;
    else if (id.len > TY_SM2_ID_MAX) verdict = TY_LEDGER_BAD_ID;
    if (verdict != TY_LEDGER_GOOD) ty_ledger_verdict_set(c->good, c->why, i, verdict);
    return verdict == TY_LEDGER_GOOD;
}

/* Adds the row to the group, and verifies the group if it is full. */
static void join_points(group *g, ty_sm2_ledger *l, size_t i, const ty_sm2_pub *pub,
                        ready_key *ready, const call *c)
{
    ty_column_item msg, sig, id = c->name;
    ty_ec_sm2_check *check = &g->check[g->n];
    (void)ty_column_at(&msg, &c->rows->msg, i);
    (void)ty_column_at(&sig, &c->rows->sig, i);
    if (!c->name_is_one) (void)ty_column_at(&id, &c->rows->id, i);
    memcpy(check->p, pub->x, 32);
    memcpy(check->p + 32, pub->y, 32);
    check->table = ready ? ready->table : NULL;
    if (ready && c->name_is_short)
        ty_sm2_digests_add_behind(&g->digests, g->e[g->n], msg.p, msg.len, z_of(l, ready, c));
    else ty_sm2_digests_add(&g->digests, g->e[g->n], msg.p, msg.len, id.p, id.len, pub);
    g->sig[g->n] = sig.p;
    g->row[g->n++] = i;
    if (g->n == MANY) answer_points(g, c, l->ec);
}

static void verify_sm2_key(ty_sm2_ledger *l, const ty_ledger_key *key, const call *c)
{
    const uint32_t *order = l->cache.order + key->from;
    const uint32_t place = ty_ledger_find(&l->cache, key, same_point, l);
    ready_key *ready = place == TY_LEDGER_NO ? NULL : &l->ready[place];
    ty_sm2_pub pub;
    if (ready) pub = ready->pub;
    else if (ty_sm2_pub_set(&pub, key->bytes.p, key->bytes.len) == TY_OK)
        ready = make_ready(l, key, &pub, c);
    else {
        for (size_t j = 0; j < key->rows; j++)
            ty_ledger_verdict_set(c->good, c->why, c->first + order[j], TY_LEDGER_BAD_KEY);
        return;
    }
    for (size_t j = 0; j < key->rows; j++)
        join_points(ready ? &l->with_table : &l->without, l, c->first + order[j], &pub, ready, c);
}

static void begin(group *g) { g->n = g->digests.zs = g->digests.texts = g->digests.msgs = 0; }

/* Finds the name of the rows; if it is one short name, and a new one, it becomes the name whose Z
 * ready keys keep */
static void take_name(ty_sm2_ledger *l, call *c)
{
    const ty_column *id = &c->rows->id;
    c->name = (ty_column_item){ (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN };
    if (id->form == TY_COLUMN_SAME) c->name = (ty_column_item){ id->data, id->data_len };
    c->name_is_one = id->form == TY_COLUMN_NONE || (id->form == TY_COLUMN_SAME && !id->valid);
    c->name_is_short = c->name_is_one && c->name.len <= TY_SM2_SHORT_ID;
    if (!c->name_is_short) return;
    if (l->name_number && l->name_len == c->name.len &&
        (c->name.len == 0 || memcmp(l->name, c->name.p, c->name.len) == 0))
        return;
    l->name_number++;
    l->name_len = c->name.len;
    if (c->name.len) memcpy(l->name, c->name.p, c->name.len);
}

ty_err ty_sm2_ledger_verify(uint8_t *good, uint8_t *why, const ty_ledger_rows *rows, size_t n,
                            ty_sm2_ledger *ledger)
{
    call c = { good, why, rows, 0, { NULL, 0 }, 0, 0 };
    const ty_err err = ty_ledger_rows_check(rows, n);
    if (err != TY_OK) return err;
    take_name(ledger, &c);
    if (n) memset(good, 0, (n + 7) / 8);
    begin(&ledger->with_table);
    begin(&ledger->without);
    for (; c.first < n; c.first += TY_LEDGER_ROWS) {
        const size_t some = n - c.first < TY_LEDGER_ROWS ? n - c.first : TY_LEDGER_ROWS;
        for (size_t i = 0; i < some; i++)
            ledger->cache.number[i] = take_sm2_row(&c, c.first + i) ? 0 : TY_LEDGER_NO;
        ty_ledger_sort(&ledger->cache, &rows->pub, c.first, some);
        for (size_t k = 0; k < ledger->cache.key_n; k++)
            verify_sm2_key(ledger, &ledger->cache.key[k], &c);
        answer_points(&ledger->with_table, &c, ledger->ec);
        answer_points(&ledger->without, &c, ledger->ec);
    }
    return TY_OK;
}
