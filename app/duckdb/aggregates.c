/* sm2_verify_agg(msg, sig, pub), mldsa_verify_agg: the number of rows of a group whose signatures
 * are valid. Up to BATCH rows of a group are collected before they are verified, so that rows of
 * the same key are processed together even if each call has few of them; the result does not depend
 * on this. */
#include "extension.h"
#include <stdlib.h>
#include <string.h>

DUCKDB_EXTENSION_EXTERN

enum { BATCH = 8192, FIELDS = 3 };

/* The rows of a group that are not verified yet: their bytes, concatenated, and the ends of their
 * fields. */
typedef struct group {
    uint8_t *bytes;
    size_t len, room;
    size_t (*ends)[FIELDS];
    size_t rows, rows_room;
    int64_t good;
    bool failed; /* no memory: reported at the end of the group */
} group;

/* The function's extra info tells whether it is for ML-DSA. */
static bool is_mldsa(duckdb_function_info info)
{
    return duckdb_aggregate_function_get_extra_info(info) != NULL;
}

static group *group_of(duckdb_aggregate_state state) { return (group *)(void *)state; }

static idx_t state_size(duckdb_function_info info)
{
    (void)info;
    return sizeof(group);
}

static void init(duckdb_function_info info, duckdb_aggregate_state state)
{
    (void)info;
    memset(group_of(state), 0, sizeof(group));
}

static void empty(group *g)
{
    free(g->bytes);
    free(g->ends);
    const group bare = {.good = g->good, .failed = g->failed};
    *g = bare;
}

static void destroy(duckdb_aggregate_state *states, idx_t count)
{
    for (idx_t i = 0; i < count; i++) empty(group_of(states[i]));
}

/* Verifies the collected rows. */
static void flush(group *g, bool mldsa)
{
    work_area *area = thread_work_area(g->rows);
    const uint8_t *at = g->bytes;
    size_t start = 0;
    if (!area) g->failed = true;
    if (g->failed || !g->rows) return;
    for (size_t i = 0; i < g->rows; i++)
        for (int f = 0; f < FIELDS; f++) {
            area->items[f][i] = (ty_column_item){at + start, g->ends[i][f] - start};
            start = g->ends[i][f];
        }
    ty_column_item **c = area->items;
    g->failed = !verify_items(area->bits, area->reasons, c[0], c[1], c[2], NULL, g->rows, mldsa);
    for (size_t i = 0; i < g->rows && !g->failed; i++)
        g->good += area->reasons[i] == TY_LEDGER_GOOD;
    g->rows = g->len = 0;
}

static bool reserve(group *g, size_t more)
{
    if (g->rows == g->rows_room) {
        const size_t rows = g->rows_room ? 2 * g->rows_room : 16;
        void *ends = realloc(g->ends, rows * sizeof *g->ends);
        if (!ends) return false;
        g->ends = ends;
        g->rows_room = rows;
    }
    if (g->len + more > g->room || !g->bytes) {
        const size_t room = 2 * (g->len + more) + 64;
        void *bytes = realloc(g->bytes, room);
        if (!bytes) return false;
        g->bytes = bytes;
        g->room = room;
    }
    return true;
}

/* Adds a row; one with a null among its fields is not good, and is skipped. */
static void add(group *g, const ty_column_item *fields, bool mldsa)
{
    size_t more = 0;
    for (int f = 0; f < FIELDS; f++) {
        if (fields[f].len == SIZE_MAX) return;
        more += fields[f].len;
    }
    if (g->rows == BATCH) flush(g, mldsa);
    if (g->failed || !reserve(g, more)) {
        g->failed = true;
        return;
    }
    for (int f = 0; f < FIELDS; f++) {
        if (fields[f].len) memcpy(g->bytes + g->len, fields[f].p, fields[f].len);
        g->ends[g->rows][f] = g->len += fields[f].len;
    }
    g->rows++;
}

static void update(duckdb_function_info info, duckdb_data_chunk input,
                   duckdb_aggregate_state *states)
{
    const size_t n = duckdb_data_chunk_get_size(input);
    const bool mldsa = is_mldsa(info);
    /* the items are not in the thread's work area, because flush uses that */
    ty_column_item *items = malloc(FIELDS * n * sizeof *items + 1);
    if (!items) {
        duckdb_aggregate_function_set_error(info, "out of memory");
        return;
    }
    for (size_t f = 0; f < FIELDS; f++)
        items_of(items + f * n, duckdb_data_chunk_get_vector(input, f), 0, n);
    for (size_t i = 0; i < n; i++) {
        const ty_column_item fields[FIELDS] = {items[i], items[n + i], items[2 * n + i]};
        add(group_of(states[i]), fields, mldsa);
    }
    free(items);
}

static void combine(duckdb_function_info info, duckdb_aggregate_state *source,
                    duckdb_aggregate_state *target, idx_t count)
{
    const bool mldsa = is_mldsa(info);
    for (idx_t i = 0; i < count; i++) {
        group *from = group_of(source[i]), *to = group_of(target[i]);
        size_t start = 0;
        for (size_t r = 0; r < from->rows; r++) {
            ty_column_item fields[FIELDS];
            for (int f = 0; f < FIELDS; f++) {
                fields[f] = (ty_column_item){from->bytes + start, from->ends[r][f] - start};
                start = from->ends[r][f];
            }
            add(to, fields, mldsa);
        }
        to->good += from->good;
        to->failed |= from->failed;
    }
}

static void finalize(duckdb_function_info info, duckdb_aggregate_state *source,
                     duckdb_vector result, idx_t count, idx_t offset)
{
    int64_t *out = (int64_t *)duckdb_vector_get_data(result) + offset;
    const bool mldsa = is_mldsa(info);
    for (idx_t i = 0; i < count; i++) {
        group *g = group_of(source[i]);
        flush(g, mldsa);
        if (g->failed) duckdb_aggregate_function_set_error(info, "out of memory");
        out[i] = g->good;
    }
}

static bool add_function(duckdb_connection connection, const char *name, const char *mldsa)
{
    duckdb_aggregate_function f = duckdb_create_aggregate_function();
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
    duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
    duckdb_aggregate_function_set_name(f, name);
    for (int i = 0; i < FIELDS; i++) duckdb_aggregate_function_add_parameter(f, blob);
    duckdb_aggregate_function_set_return_type(f, number);
    duckdb_aggregate_function_set_functions(f, state_size, init, update, combine, finalize);
    duckdb_aggregate_function_set_destructor(f, destroy);
    duckdb_aggregate_function_set_special_handling(f);
    if (mldsa) duckdb_aggregate_function_set_extra_info(f, (void *)mldsa, NULL);
    const bool ok = duckdb_register_aggregate_function(connection, f) == DuckDBSuccess;
    duckdb_destroy_logical_type(&blob);
    duckdb_destroy_logical_type(&number);
    duckdb_destroy_aggregate_function(&f);
    return ok;
}

bool register_aggregates(duckdb_connection connection)
{
    return add_function(connection, "sm2_verify_agg", NULL)
           && add_function(connection, "mldsa_verify_agg", "ML-DSA");
}
