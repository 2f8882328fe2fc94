/* Recovers the public key from a signature. The x coordinate of R = kG is r - e mod n, or that plus
 * n, and R = sG + (r + s)P is the equation of verification (GB/T 32918.2, 7.1): so P =
 * (R - sG)/(r + s) for each of the at most four points R. */
#include "base/bytes.h"
#include "sm2/sm2_internal.h"

#include <string.h>

/* x += n; returns 0 if the sum is 2^256 or more, which no coordinate is. All of it is public. */
static int plus_n(uint8_t x[TY_AT_LEAST(32)])
{
    unsigned carry = 0;
    for (int i = 31; i >= 0; i--) {
        carry += (unsigned)x[i] + ty_n_sm2_order[i];
        x[i] = (uint8_t)carry;
        carry >>= 8;
    }
    return !carry;
}

ty_err ty_sm2_recover_digest(ty_sm2_pub *pub, const uint8_t sig[TY_AT_LEAST(64)],
                             const uint8_t e[TY_AT_LEAST(32)], unsigned which)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    static const uint8_t zero[32] = { 0 };
    uint8_t point[64], x[32], t[32], u[32];
    if (which > 3) return TY_ERR_ARG;
    if (!ty_sm2_verify_begin(x, t, sig, e)) return TY_ERR_VERIFY;
    if (which >= 2 && !plus_n(x)) return TY_ERR_VERIFY;
    if (!ec->decompress(point, x, which & 1)) return TY_ERR_VERIFY;   /* x >= p is refused there */
    n->inv(t, t);
    n->mul(u, t, sig + 32);
    n->sub(u, zero, u);
    if (!ec->mul_add_vt(point, u, t, point)) return TY_ERR_VERIFY;    /* P = infinity: no key */
    memcpy(pub->x, point, 32);
    memcpy(pub->y, point + 32, 32);
    return TY_OK;
}
