/* ECDSA with the accelerator: the library's own signing and verification, with point multiplication
 * by the device. */
#include "base/ct.h"
#include "ec/ec_binary.h"
#include "ecdsa/ecdsa.h"
#include "tongyu/accel.h"

#include <string.h>

#if !defined(TY_PUBLIC_ONLY)
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
#endif

ty_err ty_accel_ecdsa_verify(ty_accel *dev, const uint8_t *sig, size_t sig_len,
                             const uint8_t *digest, size_t digest_len, const ty_ec_pub *pub)
{
    const ty_ec_curve *c = pub->curve;
    ty_scalar_ring n;
    ty_ecdsa_claim x;
    ty_scalar w;
    ty_ec_pub g, sum;
    uint8_t u[TY_EC_MAX], v[TY_EC_MAX];
    if (!ty_accel_has(dev, c)) return TY_ERR_UNSUPPORTED;
    ty_scalar_ring_init(&n, c->n, c->n_bits);
    ty_err err = ty_ecdsa_claim_set(&x, sig, sig_len, digest, digest_len, pub, &n);
    if (err != TY_OK) return err;
    ty_scalar_inv(&w, &x.s, &n);
    ty_ecdsa_claim_scalars(u, v, &x, &w, &n);
    memset(&g, 0, sizeof g);
    g.curve = c;
    memcpy(g.xy, ty_ec_g(c), 2 * ty_ec_len(c));
    err = ty_accel_mul_add(dev, &sum, u, &g, v, pub);
    if (err == TY_ERR_KEY) return TY_ERR_VERIFY;     /* infinity: both points were checked */
    if (err != TY_OK) return err;
    ty_scalar_set(&w, sum.xy, ty_ec_len(c), &n);
    return memcmp(&w, &x.r, n.limbs * TY_SCALAR_BYTES) == 0 ? TY_OK : TY_ERR_VERIFY;
}
