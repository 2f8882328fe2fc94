/* Limbs as digits of 52 bits, and back: see digits52.h. */
#include "modn/digits52.h"
#include "modn/modn.h"

#if defined(TY_HAS_LANES)

void ty_digits52_put(uint64_t *z, size_t stride, size_t d, const ty_limb *x, size_t n, size_t from)
{
    for (size_t j = 0; j < d; j++) {
        const size_t at = from + TY_LANES_BITS * j;
        z[j * stride] = at < 64 * n ? ty_limb_window(x, n, at, TY_LANES_BITS) : 0;
    }
}

void ty_digits52_get(ty_limb *x, size_t n, const uint64_t *z, size_t stride, size_t d)
{
    for (size_t i = 0; i < n; i++) x[i] = 0;
    for (size_t j = 0; j < d; j++) {
        const size_t at = TY_LANES_BITS * j, i = at / 64, s = at % 64;
        const uint64_t v = z[j * stride];
        if (i < n) x[i] |= v << s;
        if (s + TY_LANES_BITS > 64 && i + 1 < n) x[i + 1] |= v >> (64 - s);
    }
}

uint64_t ty_digits52_step(uint64_t *z, size_t stride, size_t d, const ty_limb *m, size_t n,
                          ty_limb *work)
{
    const uint64_t minv = ty_limb_minv(m[0]) & (((uint64_t)1 << TY_LANES_BITS) - 1);
    work[n] = ty_limb_best()->mul_1(work, m, n, minv);   /* -1 mod D */
    (void)ty_limb_add_1(work, work, n + 1, 1);
    ty_digits52_put(z, stride, d, work, n + 1, TY_LANES_BITS);
    return minv;
}
#endif
