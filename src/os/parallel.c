/* Work on several threads. Chunks are handed out one by one, in order, to the next free thread: a
 * slow CPU, or one that other programs use, processes fewer of them. Threads exist for one call
 * only; creating one costs about 20 microseconds, so a chunk should take longer than that. */
#include "os/system.h"
#include "tongyu/os.h"

#if defined(TY_OS_POSIX) || defined(_WIN32)
#include <stdatomic.h>

typedef struct shared {
    ty_err (*part)(void *ctx, size_t from, size_t to);
    void *ctx;
    size_t n, grain, chunks;
    /* the chunk that is handed out next; in the end at most chunks + TY_OS_THREADS */
    atomic_size_t next;
} shared;

typedef struct worker {
    shared *s;
    size_t failed;        /* the first chunk that failed here, which is the lowest; or s->chunks */
    ty_err err;
} worker;

static void work(void *p)
{
    worker *w = p;
    shared *s = w->s;
    for (;;) {
        const size_t chunk = atomic_fetch_add(&s->next, 1);
        if (chunk >= s->chunks) return;
        const size_t from = chunk * s->grain, left = s->n - from;
        const ty_err err = s->part(s->ctx, from, from + (left < s->grain ? left : s->grain));
        if (err == TY_OK || w->err != TY_OK) continue;
        w->failed = chunk;
        w->err = err;
    }
}

ty_err ty_parallel(size_t n, size_t grain, unsigned threads,
                   ty_err (*part)(void *ctx, size_t from, size_t to), void *ctx)
{
    shared s = { .part = part, .ctx = ctx, .n = n, .grain = grain ? grain : 1 };
    s.chunks = n / s.grain + (n % s.grain != 0);
    atomic_init(&s.next, 0);
    if (threads == 0) threads = s.chunks > 1 ? ty_os_cpus() : 1;
    if (threads > TY_OS_THREADS) threads = TY_OS_THREADS;
    /* with no chunks, work returns at once */
    if (threads > s.chunks) threads = s.chunks ? (unsigned)s.chunks : 1;

    worker w[TY_OS_THREADS];
    void *arg[TY_OS_THREADS];
    for (unsigned i = 0; i < threads; i++) {
        w[i] = (worker){ .s = &s, .failed = s.chunks, .err = TY_OK };
        arg[i] = &w[i];
    }
    ty_os_together(work, arg, threads);
    const worker *first = &w[0];
    for (unsigned i = 1; i < threads; i++)
        if (w[i].failed < first->failed) first = &w[i];
    return first->err;
}
#endif
