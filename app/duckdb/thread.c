/* The state that a thread keeps from call to call: DuckDB passes 2,048 rows at a time, and
 * precomputed keys should be kept longer than that. When the thread ends, its secrets are wiped and
 * all of it is freed. */
#include "extension.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { READY_KEYS = 8, SM2_KEYS = 2048, MLDSA_KEYS = 256 };

typedef struct thread {
    work_area area;
    ready_key *keys[READY_KEYS];
    uint64_t uses;
    ty_sm2_ledger *sm2;
    ty_mldsa_ledger *mldsa;
    void *sm2_memory, *mldsa_memory;
} thread;

static pthread_key_t slot;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_bytes(work_area *r)
{
    if (r->bytes) ty_wipe(r->bytes, r->bytes_len);
    free(r->bytes);
    r->bytes = NULL;
    r->bytes_len = 0;
}

static void free_rows(work_area *r)
{
    for (int c = 0; c < COLUMNS; c++) free(r->items[c]);
    free(r->reasons);
    free(r->bits);
    const work_area bare = {.bytes = r->bytes, .bytes_len = r->bytes_len};
    *r = bare;
}

static void drop(void *memory)
{
    thread *t = memory;
    free_bytes(&t->area);
    free_rows(&t->area);
    for (int i = 0; i < READY_KEYS; i++) {
        if (t->keys[i]) ty_wipe(t->keys[i], sizeof *t->keys[i]);
        free(t->keys[i]);
    }
    free(t->sm2_memory);
    free(t->mldsa_memory);
    free(t);
}

static void make_slot(void) { (void)!pthread_key_create(&slot, drop); }

static thread *this_thread(void)
{
    pthread_once(&once, make_slot);
    thread *t = pthread_getspecific(slot);
    if (t) return t;
    t = calloc(1, sizeof *t);
    if (t && pthread_setspecific(slot, t)) {
        free(t);
        t = NULL;
    }
    return t;
}

work_area *thread_work_area(size_t rows)
{
    thread *t = this_thread();
    if (!t) return NULL;
    work_area *r = &t->area;
    if (rows <= r->rows) return r;
    free_rows(r);
    bool ok = true;
    for (int c = 0; c < COLUMNS; c++) ok &= !!(r->items[c] = malloc(rows * sizeof **r->items));
    ok &= !!(r->reasons = malloc(rows));
    ok &= !!(r->bits = malloc(rows / 8 + 1));
    if (!ok) {
        free_rows(r);
        return NULL;
    }
    r->rows = rows;
    return r;
}

uint8_t *thread_bytes(size_t len)
{
    thread *t = this_thread();
    if (!t) return NULL;
    if (len <= t->area.bytes_len && t->area.bytes) return t->area.bytes;
    free_bytes(&t->area);
    t->area.bytes = malloc(len + 1);
    if (t->area.bytes) t->area.bytes_len = len;
    return t->area.bytes;
}

ty_sm2_ledger *thread_sm2_ledger(void)
{
    thread *t = this_thread();
    if (!t || t->sm2) return t ? t->sm2 : NULL;
    const size_t size = ty_sm2_ledger_size(SM2_KEYS);
    t->sm2_memory = malloc(size);
    if (t->sm2_memory) (void)!ty_sm2_ledger_init(&t->sm2, t->sm2_memory, size, SM2_KEYS);
    return t->sm2;
}

ty_mldsa_ledger *thread_mldsa_ledger(void)
{
    thread *t = this_thread();
    if (!t || t->mldsa) return t ? t->mldsa : NULL;
    const size_t size = ty_mldsa_ledger_size(MLDSA_KEYS);
    t->mldsa_memory = malloc(size);
    if (t->mldsa_memory) (void)!ty_mldsa_ledger_init(&t->mldsa, t->mldsa_memory, size, MLDSA_KEYS);
    return t->mldsa;
}

/* The place of the key with this number; if there is none, a free place or that of the least
 * recently used key. */
static ready_key **place_of(thread *t, uint64_t number)
{
    ready_key **oldest = &t->keys[0];
    for (int i = 0; i < READY_KEYS; i++) {
        ready_key **k = &t->keys[i];
        if (*k && (*k)->number == number) return k;
        if (*oldest && (!*k || (*k)->used < (*oldest)->used)) oldest = k;
    }
    return oldest;
}

ready_key *thread_key(const char *name, size_t name_len)
{
    thread *t = this_thread();
    const uint64_t number = keys_number(name, name_len);
    if (!t || !number) return NULL;
    ready_key **place = place_of(t, number);
    if (!*place && !(*place = calloc(1, sizeof **place))) return NULL;
    ready_key *k = *place;
    if (k->number != number) {
        named_key key;
        if (!keys_find(&key, name, name_len)) return NULL;
        ty_wipe(k, sizeof *k);
        k->number = key.number;
        k->len = key.len;
        if (key.len == 16) column_key_init(&k->column, key.bytes);
        k->signs = key.len == 32 && ty_sm2_key_set(&k->sm2, key.bytes) == TY_OK;
        ty_hmac_sm3_init(&k->hmac, key.bytes, key.len);
        ty_wipe(&key, sizeof key);
    }
    k->used = ++t->uses;
    return k;
}
