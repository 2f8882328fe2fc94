/* The system's random source as a ty_rng. Nothing is kept between calls: no descriptor, no buffer,
 * no "already seeded" flag, so there is nothing that a fork, a clone or a snapshot of the process
 * could duplicate. */
#include "os/system.h"
#include "tongyu/os.h"

static ty_err from_system(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    const ty_err err = ty_os_random(out, len);
    if (err != TY_OK) ty_wipe(out, len);
    return err;
}

const ty_rng *ty_rng_system(void)
{
    static const ty_rng system_rng = { from_system, NULL };
    return &system_rng;
}
