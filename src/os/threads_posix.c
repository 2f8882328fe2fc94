/* ty_os_cpus and ty_os_together with POSIX threads. */
#define _GNU_SOURCE
#include "os/system.h"

#if defined(TY_OS_POSIX)
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

unsigned ty_os_cpus(void)
{
#if defined(__linux__)
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0) return (unsigned)CPU_COUNT(&mine);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

typedef struct job {
    void (*work)(void *arg);
    void *arg;
    pthread_t thread;
} job;

static void *run_job(void *p)
{
    const job *j = p;
    j->work(j->arg);
    return NULL;
}

/* Some systems give a thread 128 KB of stack; the deepest call of the library takes 275 KB
 * (docs/stacks.md), and the caller's part needs some as well. */
enum { STACK = 1 << 20 };

/* Initialises *attr for a stack of at least that size; returns 1, or 0 if the system refuses it. */
static int with_stack(pthread_attr_t *attr)
{
    size_t now;
    if (pthread_attr_init(attr) != 0) return 0;
    if (pthread_attr_getstacksize(attr, &now) == 0 &&
        (now >= STACK || pthread_attr_setstacksize(attr, STACK) == 0))
        return 1;
    pthread_attr_destroy(attr);
    return 0;
}

/* Starts up to `wanted` threads; returns the number started. Signals are for the program's own
 * threads: new ones inherit the current mask, in which all signals are blocked. */
static unsigned start(job *j, unsigned wanted)
{
    sigset_t all, before;
    pthread_attr_t attr;
    unsigned made = 0;
    if (wanted == 0 || !with_stack(&attr)) return 0;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) == 0) {
        while (made < wanted && pthread_create(&j[made].thread, &attr, run_job, &j[made]) == 0)
            made++;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attr);
    return made;
}

void ty_os_together(void (*work)(void *arg), void *const *arg, unsigned count)
{
    job others[TY_OS_THREADS - 1];
    for (unsigned i = 1; i < count; i++) others[i - 1] = (job){ .work = work, .arg = arg[i] };
    const unsigned made = start(others, count - 1);
    work(arg[0]);
    for (unsigned i = 0; i < made; i++) pthread_join(others[i].thread, NULL);
}
#endif
