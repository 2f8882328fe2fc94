/* The operations whose time is measured, and what each of them is given. */
#ifndef TIMING_KERNELS_H
#define TIMING_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum { SECRET_MOST = 1024 };   /* bytes of the longest secret */

/* prepare makes from secret[len] what run takes, and is not timed; run follows for each secret.
 * family: the operation is measured on each of its tiers (`tongyu tiers`) that this CPU runs, but
 * not on those of portable C; NULL: once, on the strongest. share: a divisor of the number of
 * calls, for an operation that takes long. */
typedef struct kernel {
    const char *family, *name;
    size_t len;
    void (*prepare)(const uint8_t *secret);
    void (*run)(void);
    unsigned share;
} kernel;

extern const kernel kernels[];   /* the last has no name */

/* Operations that leak on purpose, which must be found, and some that read no secret or compare it
 * in constant time, which must not. */
extern const kernel leaks[], controls[];

void kernels_init(void);

#endif
