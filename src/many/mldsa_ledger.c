/* ML-DSA verification of columns. Rows of ready keys share the lanes, whichever key they have; of
 * the other rows only the messages are hashed side by side. A group holds rows of one set. */
#include "many/ledger.h"
#include "mldsa/mldsa.h"

#include <string.h>

enum { LANES = TY_MLDSA_LANES, PAYS = 2 };

static const ty_mldsa_set sets[] = { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 };
enum { SETS = sizeof sets / sizeof sets[0] };

typedef struct group {
    ty_mldsa_verifying work[LANES];
    ty_mldsa_pub pub[LANES];     /* of keys that are not ready */
    size_t row[LANES], n;
} group;

struct ty_mldsa_ledger {
    ty_ledger_cache cache;
    ty_mldsa_verifier *ready;    /* one more than the cache has, for temporary use */
    group made, raw;             /* rows of ready keys; of the others */
};

/* The arguments of a call */
typedef struct call {
    uint8_t *good, *why;
    const ty_ledger_rows *rows;
    size_t first;                /* of the batch */
    ty_mldsa_env env;            /* of the current set */
} call;

size_t ty_mldsa_ledger_size(size_t keys)
{
    ty_ledger_memory m = { NULL, 63 };
    ty_ledger_cache cache;
    if (keys >= UINT32_MAX / 2) return 0;
    (void)ty_ledger_part(&m, 1, sizeof(ty_mldsa_ledger));
    ty_ledger_parts(&cache, &m, keys);
    (void)ty_ledger_part(&m, keys + 1, sizeof(ty_mldsa_verifier));
    return m.at == SIZE_MAX ? 0 : m.at;
}

ty_err ty_mldsa_ledger_init(ty_mldsa_ledger **ledger, void *memory, size_t memory_len, size_t keys)
{
    const size_t size = ty_mldsa_ledger_size(keys);
    ty_ledger_memory m = { memory, (size_t)(-(uintptr_t)memory % 64) };
    *ledger = NULL;
    if (keys == 0) return TY_ERR_ARG;
    if (size == 0 || memory_len < size) return TY_ERR_SIZE;
    ty_mldsa_ledger *l = ty_ledger_part(&m, 1, sizeof *l);
    ty_ledger_parts(&l->cache, &m, keys);
    l->ready = ty_ledger_part(&m, keys + 1, sizeof *l->ready);
    ty_ledger_reset(&l->cache, keys);
    *ledger = l;
    return TY_OK;
}

static int same_mldsa_pub(const void *ledger, size_t place, const ty_column_item *bytes)
{
    const ty_mldsa_pub *pub = &((const ty_mldsa_ledger *)ledger)->ready[place].pub;
    return ty_mldsa_pub_len(pub->set) == bytes->len &&
           memcmp(pub->bytes, bytes->p, bytes->len) == 0;
}

/* --- Groups */

static void context_of(ty_column_item *ctx, const call *c, size_t i)
{
    if (c->rows->id.form == TY_COLUMN_NONE) *ctx = (ty_column_item){ NULL, 0 };
    else (void)ty_column_at(ctx, &c->rows->id, i);
}

/* Verifies the rows of the group and sets their verdicts. */
static void answer_ledger_lanes(group *g, const call *c)
{
    ty_mldsa_text text[LANES];
    uint8_t *mu[LANES];
    for (size_t j = 0; j < g->n; j++) {
        ty_column_item msg, ctx;
        (void)ty_column_at(&msg, &c->rows->msg, g->row[j]);
        context_of(&ctx, c, g->row[j]);
        text[j] = (ty_mldsa_text){ msg.p, ctx.p, msg.len, ctx.len, g->work[j].pub };
        mu[j] = g->work[j].mu_w1;
    }
    if (g->n) {
        ty_mldsa_mu_lanes(mu, text, g->n);
        ty_mldsa_verify_lanes(g->work, g->n, &c->env);
    }
    for (size_t j = 0; j < g->n; j++)
        ty_ledger_verdict_set(c->good, c->why, g->row[j],
                              g->work[j].err == TY_OK ? TY_LEDGER_GOOD : TY_LEDGER_WRONG);
    g->n = 0;
}

/* Adds the row to the group, and verifies the group if it is full. */
static void join_ledger_lanes(group *g, size_t i, const ty_mldsa_pub *pub,
                              const ty_mldsa_verifier *ready, const call *c)
{
    ty_column_item sig;
    ty_mldsa_verifying *work = &g->work[g->n];
    (void)ty_column_at(&sig, &c->rows->sig, i);
    work->sig = sig.p;
    work->sig_len = sig.len;
    work->pub = pub;
    work->ready = ready;
    g->row[g->n++] = i;
    if (g->n == ty_mldsa_lanes()) answer_ledger_lanes(g, c);
}

/* --- Rows */

static const ty_mldsa_row *row_of_pub(size_t len)
{
    for (size_t s = 0; s < SETS; s++)
        if (ty_mldsa_pub_len(sets[s]) == len) return ty_mldsa_find(sets[s]);
    return NULL;
}

/* Checks that need only lengths: 1 if the row stays in the batch; else its verdict is set. */
static int take_mldsa_row(const call *c, size_t i)
{
    ty_column_item msg, sig, pub, ctx = { NULL, 0 };
    ty_ledger_verdict verdict = TY_LEDGER_GOOD;
    const int there = ty_column_at(&msg, &c->rows->msg, i) & ty_column_at(&sig, &c->rows->sig, i) &
                      ty_column_at(&pub, &c->rows->pub, i) &
                      (c->rows->id.form == TY_COLUMN_NONE || ty_column_at(&ctx, &c->rows->id, i));
    const ty_mldsa_row *row = there ? row_of_pub(pub.len) : NULL;
    if (!there) verdict = TY_LEDGER_NULL;
    else if (!row) verdict = TY_LEDGER_BAD_KEY;
    else if (sig.len != row->sig_len) verdict = TY_LEDGER_BAD_SIG;
    else if (ctx.len > TY_MLDSA_CTX_MAX) verdict = TY_LEDGER_BAD_ID;
    if (verdict != TY_LEDGER_GOOD) ty_ledger_verdict_set(c->good, c->why, i, verdict);
    return verdict == TY_LEDGER_GOOD;
}

/* The precomputed key, which is computed now if that pays; or NULL */
static const ty_mldsa_verifier *ready_key(ty_mldsa_ledger *l, const ty_ledger_key *key,
                                          const call *c)
{
    uint32_t place = ty_ledger_find(&l->cache, key, same_mldsa_pub, l);
    if (place != TY_LEDGER_NO) return &l->ready[place];
    place = ty_ledger_room(&l->cache, key, PAYS);
    if (place == TY_LEDGER_NO) return NULL;
    /* waiting rows may use that place */
    if (place == l->cache.keys) answer_ledger_lanes(&l->made, c);
    ty_mldsa_pub *pub = &l->raw.pub[LANES - 1];   /* unused: a full group is verified at once */
    (void)!ty_mldsa_pub_set(pub, key->bytes.p, key->bytes.len);   /* the length is right */
    (void)!ty_mldsa_verifier_init(&l->ready[place], pub);
    ty_ledger_made(&l->cache, key, place);
    return &l->ready[place];
}

static void verify_mldsa_key(ty_mldsa_ledger *l, const ty_ledger_key *key, const call *c)
{
    const uint32_t *order = l->cache.order + key->from;
    const ty_mldsa_verifier *ready = ready_key(l, key, c);
    for (size_t j = 0; j < key->rows; j++) {
        ty_mldsa_pub *own = &l->raw.pub[l->raw.n];
        if (ready) {
            join_ledger_lanes(&l->made, c->first + order[j], &ready->pub, ready, c);
        } else {
            (void)!ty_mldsa_pub_set(own, key->bytes.p, key->bytes.len);
            join_ledger_lanes(&l->raw, c->first + order[j], own, NULL, c);
        }
    }
}

ty_err ty_mldsa_ledger_verify(uint8_t *good, uint8_t *why, const ty_ledger_rows *rows, size_t n,
                              ty_mldsa_ledger *ledger)
{
    call c = { good, why, rows, 0, { 0 } };
    const ty_err err = ty_ledger_rows_check(rows, n);
    if (err != TY_OK) return err;
    if (n) memset(good, 0, (n + 7) / 8);
    ledger->made.n = ledger->raw.n = 0;
    for (; c.first < n; c.first += TY_LEDGER_ROWS) {
        const size_t some = n - c.first < TY_LEDGER_ROWS ? n - c.first : TY_LEDGER_ROWS;
        for (size_t i = 0; i < some; i++)
            ledger->cache.number[i] = take_mldsa_row(&c, c.first + i) ? 0 : TY_LEDGER_NO;
        ty_ledger_sort(&ledger->cache, &rows->pub, c.first, some);
        for (size_t s = 0; s < SETS; s++) {
            c.env = ty_mldsa_env_of(ty_mldsa_find(sets[s]));
            for (size_t k = 0; k < ledger->cache.key_n; k++)
                if (ledger->cache.key[k].bytes.len == c.env.row->pub_len)
                    verify_mldsa_key(ledger, &ledger->cache.key[k], &c);
            answer_ledger_lanes(&ledger->made, &c);
            answer_ledger_lanes(&ledger->raw, &c);
        }
    }
    return TY_OK;
}
