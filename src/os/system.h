/* Functions whose implementation depends on the operating system: one each of random_*.c,
 * threads_*.c and file_*.c is compiled. A system may lack threads or files; functions that need
 * them are then missing. */
#ifndef TY_OS_SYSTEM_H
#define TY_OS_SYSTEM_H

#include "tongyu/base.h"

#if defined(__unix__) || defined(__APPLE__)
#  define TY_OS_POSIX 1
#endif

/* ty_os_random: len bytes of the system's random source, once that is seeded.
 *   err    TY_ERR_RNG; out may then hold a part of them */
TY_MUST_CHECK ty_err ty_os_random(uint8_t *out, size_t len);

/* ty_os_cpus: how many CPUs this process may use; at least 1. */
unsigned ty_os_cpus(void);

/* ty_os_together: work(arg[0]) on this thread and work(arg[i]) on a new one for every other i <
 * count. Returns when all have ended. If a thread cannot be created, it and those after it are left
 * out. */
enum { TY_OS_THREADS = 64 };
void ty_os_together(void (*work)(void *arg), void *const *arg, unsigned count);

#endif
