/* SM2 signatures (GB/T 32918.2): signing 6.1, verification 7.1. Scalars are 32 big-endian bytes
 * throughout. */
#include "base/ct.h"
#include "base/wipe.h"
#include "sm2/sm2_internal.h"

#include <string.h>

static uint32_t zero_mask(const uint8_t x[TY_AT_LEAST(32)])
{
    uint32_t any = 0;
    for (int i = 0; i < 32; i++) any |= x[i];
    return ty_mask_zero32(any);
}

#if !defined(TY_PUBLIC_ONLY)
/* r = e + x1 and s = (k - r d)/(1 + d) = (k + r)/(1 + d) - r: one product with the inverse that the
 * key holds. Returns 1, or 0 if k cannot be used; xy = k G is wiped. A separate function, so that
 * its values are not on the stack while k G is computed. */
static __attribute__((noinline)) int sign_with_point(uint8_t sig[TY_AT_LEAST(64)],
                                                     const uint8_t e[TY_AT_LEAST(32)],
                                                     const ty_sm2_key *key,
                                                     const uint8_t k[TY_AT_LEAST(32)],
                                                     uint8_t xy[TY_AT_LEAST(64)])
{
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    uint8_t r[32], s[32], t[32];
    n->reduce(r, e);
    n->reduce(t, xy);
    n->add(r, r, t);
    n->add(t, k, r);
    n->mul(s, key->inv1d, t);
    n->sub(s, s, r);
    uint32_t again = zero_mask(r) | zero_mask(t) | zero_mask(s);   /* r = 0, r + k = n, s = 0 */
    /* reveals only that this k, which is discarded, hit one value in 2^256 */
    TY_PUBLIC(&again, sizeof again);
    if (!again) {
        memcpy(sig, r, 32);
        memcpy(sig + 32, s, 32);
        TY_PUBLIC(sig, 64);   /* the signature */
    }
    ty_wipe(xy, 64);
    ty_wipe(r, sizeof r);
    ty_wipe(s, sizeof s);
    ty_wipe(t, sizeof t);
    return !again;
}

int ty_sm2_sign_with_nonce(uint8_t sig[TY_AT_LEAST(64)], const uint8_t e[TY_AT_LEAST(32)],
                           const ty_sm2_key *key, const uint8_t k[TY_AT_LEAST(32)],
                           const uint8_t *kg)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    uint8_t xy[64];
    if (kg) memcpy(xy, kg, sizeof xy);
    else (void)ec->mul_base(xy, k);   /* if that is not a point, xy is not on the curve */
    /* a wrong point could reveal d */
    uint32_t good = ec->on_curve(xy);
    TY_PUBLIC(&good, sizeof good);    /* true unless the machine has failed */
    if (good) return sign_with_point(sig, e, key, k, xy);
    ty_wipe(xy, sizeof xy);
    return TY_ERR_FAULT;
}

ty_err ty_sm2_sign_from(uint8_t sig[TY_AT_LEAST(64)], const uint8_t e[TY_AT_LEAST(32)],
                        const ty_sm2_key *key, const ty_rng *nonces)
{
    uint8_t k[32], own_e[32];
    memcpy(own_e, e, 32);   /* sig may overlap e */
    memset(sig, 0, 64);
    ty_err err = TY_ERR_RNG;
    for (int i = 0; i < TY_SM2_TRIES; i++) {
        err = ty_sm2_scalar(k, 0, nonces);
        if (err != TY_OK) break;
        const int done = ty_sm2_sign_with_nonce(sig, own_e, key, k, NULL);
        err = done < 0 ? (ty_err)done : done ? TY_OK : TY_ERR_RNG;
        if (done) break;
    }
    ty_wipe(k, sizeof k);
    return err;
}

ty_err ty_sm2_sign_seeded(uint8_t sig[TY_AT_LEAST(64)], const uint8_t e[TY_AT_LEAST(32)],
                          const ty_sm2_key *key, const uint8_t *fresh, const uint8_t *k,
                          const uint8_t *kg)
{
    if (k) {
        uint32_t valid = ty_n_sm2_valid(k, 0);
        TY_PUBLIC(&valid, sizeof valid);   /* as in ty_sm2_scalar */
        memset(sig, 0, 64);
        const int done = valid ? ty_sm2_sign_with_nonce(sig, e, key, k, kg) : 0;
        if (done) return done < 0 ? (ty_err)done : TY_OK;
    }
    /* from the start: a k that was refused above is computed again, and refused again */
    ty_sm2_nonces nonces;
    ty_sm2_nonces_init(&nonces, e, key, fresh);
    const ty_rng source = ty_sm2_nonces_rng(&nonces);
    const ty_err err = ty_sm2_sign_from(sig, e, key, &source);
    ty_wipe(&nonces, sizeof nonces);
    ty_wipe_below_8k();
    return err;
}

ty_err ty_sm2_sign_digest(uint8_t sig[TY_AT_LEAST(64)], const uint8_t e[TY_AT_LEAST(32)],
                          const ty_sm2_key *key, const ty_rng *rng)
{
    uint8_t fresh[32];
    ty_err err = TY_ERR_RNG;
    if (rng->fill(rng->ctx, fresh, sizeof fresh) == TY_OK)
        err = ty_sm2_sign_seeded(sig, e, key, fresh, NULL, NULL);
    else memset(sig, 0, 64);
    ty_wipe(fresh, sizeof fresh);
    return err;
}

ty_err ty_sm2_sign_digest_deterministic(uint8_t sig[TY_AT_LEAST(64)],
                                        const uint8_t e[TY_AT_LEAST(32)], const ty_sm2_key *key)
{
    return ty_sm2_sign_seeded(sig, e, key, NULL, NULL, NULL);
}
#endif

void ty_sm2_digest(uint8_t e[TY_AT_LEAST(32)], const uint8_t z[TY_AT_LEAST(32)], const uint8_t *msg,
                   size_t msg_len)
{
    ty_sm3 h;
    ty_sm3_init(&h);
    ty_sm3_update(&h, z, 32);
    if (msg_len) ty_sm3_update(&h, msg, msg_len);
    ty_sm3_final(e, &h);
}

/* A separate function, so that the hash's state is not on the stack while the curve's kernels
 * run. */
static __attribute__((noinline)) ty_err digest(uint8_t e[TY_AT_LEAST(32)], const uint8_t *msg,
                                               size_t msg_len, const uint8_t *id, size_t id_len,
                                               const ty_sm2_pub *pub)
{
    uint8_t z[32];
    const ty_err err = ty_sm2_z(z, id, id_len, pub);
    if (err == TY_OK) ty_sm2_digest(e, z, msg, msg_len);
    return err;
}

#if !defined(TY_PUBLIC_ONLY)
ty_err ty_sm2_sign(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                   const uint8_t *id, size_t id_len, const ty_sm2_key *key, const ty_rng *rng)
{
    uint8_t e[32];
    const ty_err err = digest(e, msg, msg_len, id, id_len, &key->pub);
    if (err == TY_OK) return ty_sm2_sign_digest(sig, e, key, rng);
    memset(sig, 0, 64);
    return err;
}

ty_err ty_sm2_sign_deterministic(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                                 const uint8_t *id, size_t id_len, const ty_sm2_key *key)
{
    uint8_t e[32];
    const ty_err err = digest(e, msg, msg_len, id, id_len, &key->pub);
    if (err == TY_OK) return ty_sm2_sign_digest_deterministic(sig, e, key);
    memset(sig, 0, 64);
    return err;
}
#endif

int ty_sm2_verify_begin(uint8_t x[TY_AT_LEAST(32)], uint8_t t[TY_AT_LEAST(32)],
                        const uint8_t sig[TY_AT_LEAST(64)], const uint8_t e[TY_AT_LEAST(32)])
{
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    const uint8_t *r = sig, *s = sig + 32;
    if (!ty_n_sm2_valid(r, 0) || !ty_n_sm2_valid(s, 0)) return 0;
    n->add(t, r, s);
    if (zero_mask(t)) return 0;
    n->reduce(x, e);
    n->sub(x, r, x);   /* x1 == r - e: the last step of the standard, solved for x1 */
    return 1;
}

ty_err ty_sm2_verify_digest(const uint8_t sig[TY_AT_LEAST(64)], const uint8_t e[TY_AT_LEAST(32)],
                            const ty_sm2_pub *pub)
{
    uint8_t xy[64], t[32], x[32];
    if (!ty_sm2_pub_ok(pub)) return TY_ERR_KEY;
    if (!ty_sm2_verify_begin(x, t, sig, e)) return TY_ERR_VERIFY;
    memcpy(xy, pub->x, 32);
    memcpy(xy + 32, pub->y, 32);
    return ty_ec_sm2_best()->joint_has_x_vt(x, sig + 32, t, xy) ? TY_OK : TY_ERR_VERIFY;
}

ty_err ty_sm2_verify(const uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                     const uint8_t *id, size_t id_len, const ty_sm2_pub *pub)
{
    uint8_t e[32];
    const ty_err err = digest(e, msg, msg_len, id, id_len, pub);
    return err == TY_OK ? ty_sm2_verify_digest(sig, e, pub) : err;
}
