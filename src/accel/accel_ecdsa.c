/* ECDSA with the accelerator: the library's own signing and verification, with point multiplication
 * by the device. */
#include "base/ct.h"
#include "ec/ec_binary.h"
#include "ecdsa/ecdsa.h"
#include "f2m/f2_any.h"
#include "tongyu/accel.h"
#include "tongyu/ec_any.h"

#include <string.h>

static ty_err by_device(void *dev, uint8_t *xy, const uint8_t *k, const ty_ec_pub *pub)
{
    ty_ec_pub q;
    const ty_err err = ty_accel_mul(dev, &q, k, pub);
    if (err == TY_OK) memcpy(xy, q.xy, 2 * ty_ec_len(pub->curve));
    ty_wipe(&q, sizeof q);
    return err;
}

ty_err ty_accel_ecdsa_sign(ty_accel *dev, uint8_t *sig, const uint8_t *digest, size_t digest_len,
                           const ty_ec_key *key, const ty_rng *rng)
{
    const ty_ecdsa_engine engine = {by_device, dev};
    memset(sig, 0, 2 * ty_ec_order_len(key->pub.curve));
    if (!ty_accel_has(dev, key->pub.curve)) return TY_ERR_UNSUPPORTED;
    return ty_ecdsa_sign_by(sig, digest, digest_len, key, rng, &engine);
}

/* x[len] = the x coordinate of p + q: TY_OK, or TY_ERR_VERIFY if the sum is infinity. Variable
 * time: all of it is public */
static ty_err sum_x(uint8_t *x, const uint8_t *p, const uint8_t *q, const ty_ec_curve *c)
{
    ty_ec_params params;
    ty_f2_any f;
    ty_f2_any_el x1, y1, x2, y2, s, t, a;
    ty_ec_params_get(&params, c);
    const ty_err err = ty_f2_any_init(&f, params.poly, params.poly_len, TY_F2_AUTO, 0);
    if (err != TY_OK) return err;
    const ty_f2_any_kernels *ops = ty_f2_any_pick(&f);
    const size_t len = ty_ec_len(c);
    if (!(ty_f2_any_set(&x1, p, &f, ops) & ty_f2_any_set(&y1, p + len, &f, ops) &
          ty_f2_any_set(&x2, q, &f, ops) & ty_f2_any_set(&y2, q + len, &f, ops) &
          ty_f2_any_set(&a, params.a, &f, ops)))
        return TY_ERR_FAULT;
    ty_f2_any_add(&t, &x1, &x2, &f);             /* x1 + x2, and 0 for a double */
    if (ty_f2_any_iszero(&t, &f, ops)) {
        ty_f2_any_add(&s, &y1, &y2, &f);
        if (!ty_f2_any_iszero(&s, &f, ops)) return TY_ERR_VERIFY;   /* q = -p */
        ty_f2_any_div_vt(&s, &y1, &x1, &f, ops);
        ty_f2_any_add(&s, &s, &x1, &f);
    } else {
        ty_f2_any_add(&s, &y1, &y2, &f);
        ty_f2_any_div_vt(&s, &s, &t, &f, ops);
    }
    ty_f2_any_add(&t, &t, &s, &f);               /* s^2 + s + x1 + x2 + a */
    ty_f2_any_add(&t, &t, &a, &f);
    ops->sqr_n(&s, &s, 1, &f);
    ty_f2_any_add(&t, &t, &s, &f);
    ty_f2_any_get(x, &t, &f, ops);
    return TY_OK;
}

ty_err ty_accel_ecdsa_verify(ty_accel *dev, const uint8_t *sig, size_t sig_len,
                             const uint8_t *digest, size_t digest_len, const ty_ec_pub *pub)
{
    const ty_ec_curve *c = pub->curve;
    const size_t len = ty_ec_len(c);
    ty_scalar_ring n;
    ty_ecdsa_claim x;
    ty_scalar w;
    ty_ec_pub g;
    uint8_t u[TY_EC_MAX], v[TY_EC_MAX], one[2 * TY_EC_MAX], other[2 * TY_EC_MAX];
    if (!ty_accel_has(dev, c)) return TY_ERR_UNSUPPORTED;
    ty_scalar_ring_init(&n, c->n, c->n_bits);
    ty_err err = ty_ecdsa_claim_set(&x, sig, sig_len, digest, digest_len, pub, &n);
    if (err != TY_OK) return err;
    ty_scalar_inv(&w, &x.s, &n);
    ty_ecdsa_claim_scalars(u, v, &x, &w, &n);
    err = by_device(dev, other, v, pub);         /* v is not 0, because r is not */
    if (err != TY_OK) return err;
    if (ty_scalar_iszero(&x.e, &n)) {
        memcpy(u, other, len);
    } else {
        memset(&g, 0, sizeof g);
        g.curve = c;
        memcpy(g.xy, ty_ec_g(c), 2 * len);
        err = by_device(dev, one, u, &g);
        if (err == TY_OK) err = sum_x(u, one, other, c);
        if (err != TY_OK) return err;
    }
    ty_scalar_set(&w, u, len, &n);
    return memcmp(&w, &x.r, n.limbs * TY_SCALAR_BYTES) == 0 ? TY_OK : TY_ERR_VERIFY;
}
