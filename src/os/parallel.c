/* Work on several threads. Pieces are handed out one by one, in order, to whoever is free: a slow CPU, or one that others
 * use, just does fewer of them. The threads live for one call; making one costs some 20 microseconds, so a piece should
 * be worth more than that. */
#define _GNU_SOURCE
#include "tongyu/os.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST = 64 };

typedef struct shared {
    ty_err (*part)(void *ctx, size_t from, size_t to);
    void *ctx;
    size_t n, grain, pieces;
    atomic_size_t next;        /* the piece that is handed out next; at most MOST more than pieces in the end */
    pthread_mutex_t lock;      /* of the two below */
    size_t failed;             /* the first piece that failed, or pieces */
    ty_err err;
} shared;

static void *work(void *p)
{
    shared *s = p;
    for (;;) {
        const size_t piece = atomic_fetch_add(&s->next, 1);
        if (piece >= s->pieces) return NULL;
        const size_t from = piece * s->grain, left = s->n - from;
        const ty_err err = s->part(s->ctx, from, from + (left < s->grain ? left : s->grain));
        if (err == TY_OK) continue;
        pthread_mutex_lock(&s->lock);
        if (piece < s->failed) {
            s->failed = piece;
            s->err = err;
        }
        pthread_mutex_unlock(&s->lock);
    }
}

static unsigned cpus(void)
{
#if defined(__linux__)
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0) return (unsigned)CPU_COUNT(&mine);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

/* Signals are for the program's own threads: a new one inherits the mask of the moment, in which all are held back. */
static unsigned start(pthread_t *thread, unsigned wanted, shared *s)
{
    sigset_t all, before;
    unsigned made = 0;
    if (wanted == 0) return 0;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return 0;
    while (made < wanted && pthread_create(&thread[made], NULL, work, s) == 0) made++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return made;
}

ty_err ty_parallel(size_t n, size_t grain, unsigned threads, ty_err (*part)(void *ctx, size_t from, size_t to), void *ctx)
{
    shared s = { .part = part, .ctx = ctx, .n = n, .grain = grain ? grain : 1, .lock = PTHREAD_MUTEX_INITIALIZER, .err = TY_OK };
    pthread_t thread[MOST - 1];
    s.failed = s.pieces = n / s.grain + (n % s.grain != 0);
    atomic_init(&s.next, 0);
    if (threads == 0) threads = s.pieces > 1 ? cpus() : 1;
    if (threads > MOST) threads = MOST;
    if (threads > s.pieces) threads = (unsigned)s.pieces;   /* 0 of them if there is nothing to do: then work sees it */
    const unsigned made = start(thread, threads > 1 ? threads - 1 : 0, &s);
    (void)work(&s);
    for (unsigned i = 0; i < made; i++) pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&s.lock);
    return s.err;
}
