/* Work on several threads. Pieces are handed out one by one, in order, to whoever is free: a slow
 * CPU, or one that others use, just does fewer of them. The threads live for one call; making one
 * costs some 20 microseconds, so a piece should be worth more than that. */
#include "os/system.h"
#include "tongyu/os.h"

#if defined(TY_OS_POSIX) || defined(_WIN32)
#include <stdatomic.h>

typedef struct shared {
    ty_err (*part)(void *ctx, size_t from, size_t to);
    void *ctx;
    size_t n, grain, pieces;
    /* the piece that is handed out next; at most TY_OS_THREADS beyond pieces in the end */
    atomic_size_t next;
} shared;

typedef struct worker {
    shared *s;
    size_t failed;        /* the first piece that failed here: pieces come in order; or s->pieces */
    ty_err err;
} worker;

static void work(void *p)
{
    worker *w = p;
    shared *s = w->s;
    for (;;) {
        const size_t piece = atomic_fetch_add(&s->next, 1);
        if (piece >= s->pieces) return;
        const size_t from = piece * s->grain, left = s->n - from;
        const ty_err err = s->part(s->ctx, from, from + (left < s->grain ? left : s->grain));
        if (err == TY_OK || w->err != TY_OK) continue;
        w->failed = piece;
        w->err = err;
    }
}

ty_err ty_parallel(size_t n, size_t grain, unsigned threads,
                   ty_err (*part)(void *ctx, size_t from, size_t to), void *ctx)
{
    shared s = { .part = part, .ctx = ctx, .n = n, .grain = grain ? grain : 1 };
    s.pieces = n / s.grain + (n % s.grain != 0);
    atomic_init(&s.next, 0);
    if (threads == 0) threads = s.pieces > 1 ? ty_os_cpus() : 1;
    if (threads > TY_OS_THREADS) threads = TY_OS_THREADS;
    /* work sees that there is nothing to do */
    if (threads > s.pieces) threads = s.pieces ? (unsigned)s.pieces : 1;

    worker w[TY_OS_THREADS];
    void *arg[TY_OS_THREADS];
    for (unsigned i = 0; i < threads; i++) {
        w[i] = (worker){ .s = &s, .failed = s.pieces, .err = TY_OK };
        arg[i] = &w[i];
    }
    ty_os_together(work, arg, threads);
    const worker *first = &w[0];
    for (unsigned i = 1; i < threads; i++)
        if (w[i].failed < first->failed) first = &w[i];
    return first->err;
}
#endif
