/* Random numbers: from the kernel, unless the program sets its own source. */
#include "ltm.h"

#include "tongyu/os.h"

static mp_err kernel(void *out, size_t size)
{
    const ty_rng *rng = ty_rng_system();
    return ltm_err(rng->fill(rng->ctx, out, size));
}

/* One source for the process, as in LibTomMath: set it before threads start. */
static mp_err (*source)(void *out, size_t size) = kernel;

void mp_rand_source(mp_err (*from)(void *out, size_t size)) { source = from ? from : kernel; }

static ty_err fill(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    return source(out, len) == MP_OKAY ? TY_OK : TY_ERR_RNG;
}

const ty_rng ltm_rng = { fill, NULL };

mp_err mp_rand_digit(mp_digit *r)
{
    const mp_err e = source(r, sizeof *r);
    *r &= MP_MASK;
    return e;
}

/* a = uniform among the numbers of exactly that many digits. After an error a is 0. */
mp_err mp_rand(mp_int *a, int digits)
{
    if (digits <= 0) {
        mp_zero(a);
        return MP_OKAY;
    }
    const size_t n = (size_t)digits;
    LTM_TRY(ltm_room(a, n));
    mp_err e = source(a->dp, n * sizeof *a->dp);
    for (size_t i = 0; i < n; i++) a->dp[i] &= MP_MASK;
    a->used = a->used > digits ? a->used : digits;
    while (e == MP_OKAY && a->dp[n - 1] == 0) e = mp_rand_digit(a->dp + n - 1);
    ltm_fit(a, e == MP_OKAY ? n : 0, MP_ZPOS);
    return e;
}
