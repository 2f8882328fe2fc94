/* Binary curves: the public functions for points and key pairs. Scalars and coordinates are
 * big-endian bytes throughout. */
#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "ec/ec_binary.h"

#include <string.h>

/* for an order of just over 2^k nearly half of all strings are rejected, so 128 tries fail with a
 * probability of 2^-128 */
enum { TRIES = 128 };

const ty_ec_curve *ty_ec_curve_at(size_t i)
{
    size_t n = 0;
    while (ty_ec_f2_curves[n].name) n++;
    return i < n ? &ty_ec_f2_curves[i] : NULL;
}

const ty_ec_curve *ty_ec_curve_named(const char *name)
{
    for (const ty_ec_curve *c = ty_ec_f2_curves; c->name; c++)
        if (ty_same_name(c->name, name) || ty_same_name(c->oid, name)) return c;
    return NULL;
}

const char *ty_ec_curve_name(const ty_ec_curve *curve) { return curve->name; }
const char *ty_ec_curve_oid(const ty_ec_curve *curve) { return curve->oid; }
size_t ty_ec_field_len(const ty_ec_curve *curve) { return ty_ec_len(curve); }
size_t ty_ec_field_bits(const ty_ec_curve *curve) { return curve->m; }
size_t ty_ec_order_len(const ty_ec_curve *curve) { return ty_ec_n_len(curve); }
size_t ty_ec_order_bits(const ty_ec_curve *curve) { return curve->n_bits; }

/* --- Points ----------------------------------------------------------------------------------- */

void ty_ec_pub_keep(ty_ec_pub *pub, const ty_ec_curve *curve, const uint8_t *xy)
{
    memset(pub, 0, sizeof *pub);
    pub->curve = curve;
    memcpy(pub->xy, xy, 2 * ty_ec_len(curve));
}

ty_err ty_ec_pub_set(ty_ec_pub *pub, const ty_ec_curve *curve, const uint8_t *in, size_t in_len)
{
    const ty_ec_binary_ops *ops = ty_ec_binary_best(curve);
    const size_t len = ty_ec_len(curve);
    uint8_t xy[2 * TY_EC_MAX];
    if (in_len != 1 + len && in_len != 1 + 2 * len) return TY_ERR_FORMAT;
    const int compressed = in_len == 1 + len;
    if (compressed ? in[0] != 2 && in[0] != 3 : in[0] != 4) return TY_ERR_FORMAT;
    if (compressed) {
        const ty_err err = ops->decompress(xy, in + 1, in[0] & 1u, curve);
        if (err != TY_OK) return err;
    } else {
        memcpy(xy, in + 1, 2 * len);
    }
    const ty_err err = ops->check(xy, curve);
    if (err == TY_OK) ty_ec_pub_keep(pub, curve, xy);
    return err;
}

void ty_ec_pub_get(uint8_t *out, const ty_ec_pub *pub)
{
    out[0] = 4;
    memcpy(out + 1, pub->xy, 2 * ty_ec_len(pub->curve));
}

void ty_ec_pub_get_compressed(uint8_t *out, const ty_ec_pub *pub)
{
    out[0] = (uint8_t)(2 | ty_ec_binary_best(pub->curve)->odd(pub->xy, pub->curve));
    memcpy(out + 1, pub->xy, ty_ec_len(pub->curve));
}

#if !defined(TY_PUBLIC_ONLY)
ty_err ty_ec_mul(ty_ec_pub *z, const uint8_t *k, const ty_ec_pub *pub)
{
    const ty_ec_curve *c = pub->curve;
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    uint8_t xy[2 * TY_EC_MAX];
    if (ops->check_again(pub->xy, c) != TY_OK) return TY_ERR_KEY;
    uint32_t finite = ops->mul(xy, k, 8 * ty_ec_n_len(c), pub->xy, c);
    TY_PUBLIC(&finite, sizeof finite);   /* the return value */
    ty_err err = finite ? TY_OK : TY_ERR_KEY;
    if (finite && ops->check_again(xy, c) != TY_OK) err = TY_ERR_FAULT;
    if (err == TY_OK) ty_ec_pub_keep(z, c, xy);
    ty_wipe(xy, sizeof xy);
    ty_wipe_below_8k();
    return err;
}
#endif

/* --- Keys ------------------------------------------------------------------------------------- */

uint32_t ty_ec_scalar_ok(const uint8_t *d, const ty_ec_curve *c)
{
    uint32_t borrow = 0, any = 0;
    for (size_t i = ty_ec_n_len(c); i-- > 0;) {
        any |= d[i];
        borrow = ((uint32_t)d[i] - c->n[i] - borrow) >> 31;
    }
    return ty_mask_bit32(borrow) & ~ty_mask_zero32(any);
}

#if !defined(TY_PUBLIC_ONLY)
/* pub = dG, and checked: a wrong point from a faulty machine could reveal d later */
static ty_err ec_derive(ty_ec_key *key, const ty_ec_curve *c)
{
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    uint8_t xy[2 * TY_EC_MAX];
    uint32_t finite = ops->mul_base(xy, key->d, c);
    TY_PUBLIC(&finite, sizeof finite);   /* always, for d in its range */
    TY_PUBLIC(xy, sizeof xy);            /* the public key */
    ty_wipe_below_8k();
    if (!finite || ops->check_again(xy, c) != TY_OK) {
        ty_wipe(key, sizeof *key);
        return TY_ERR_FAULT;
    }
    ty_ec_pub_keep(&key->pub, c, xy);
    return TY_OK;
}

ty_err ty_ec_key_set(ty_ec_key *key, const ty_ec_curve *curve, const uint8_t *d, size_t d_len)
{
    const size_t len = ty_ec_n_len(curve);
    ty_err err = d_len == len ? TY_OK : TY_ERR_FORMAT;
    if (err == TY_OK) {
        uint32_t ok = ty_ec_scalar_ok(d, curve);
        TY_PUBLIC(&ok, sizeof ok);       /* the return value: whether d is a key */
        if (!ok) err = TY_ERR_KEY;
    }
    if (err != TY_OK) {
        ty_wipe(key, sizeof *key);
        return err;
    }
    memmove(key->d, d, len);
    memset(key->d + len, 0, sizeof key->d - len);
    return ec_derive(key, curve);
}
#endif

ty_err ty_ec_scalar_draw(uint8_t *d, const ty_ec_curve *c, const ty_rng *rng)
{
    const size_t len = ty_ec_n_len(c);
    for (int i = 0; i < TRIES; i++) {
        if (rng->fill(rng->ctx, d, len) != TY_OK) break;
        d[0] &= (uint8_t)(0xffu >> (8 * len - c->n_bits));
        uint32_t ok = ty_ec_scalar_ok(d, c);
        TY_PUBLIC(&ok, sizeof ok);       /* reveals nothing about the one that is kept */
        if (ok) return TY_OK;
    }
    ty_wipe(d, len);
    return TY_ERR_RNG;
}

#if !defined(TY_PUBLIC_ONLY)
ty_err ty_ec_keygen(ty_ec_key *key, const ty_ec_curve *curve, const ty_rng *rng)
{
    memset(key, 0, sizeof *key);
    const ty_err err = ty_ec_scalar_draw(key->d, curve, rng);
    return err == TY_OK ? ec_derive(key, curve) : err;
}

/* --- Agreement -------------------------------------------------------------------------------- */

/* out = the x of k pub */
static ty_err agree(uint8_t *out, const uint8_t *k, size_t bits, const ty_ec_pub *pub)
{
    const ty_ec_curve *c = pub->curve;
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    uint8_t xy[2 * TY_EC_MAX];
    if (ops->check_again(pub->xy, c) != TY_OK) return TY_ERR_KEY;
    uint32_t finite = ops->mul(xy, k, bits, pub->xy, c);
    TY_PUBLIC(&finite, sizeof finite);   /* always, for a scalar prime to n */
    ty_err err = finite ? TY_OK : TY_ERR_KEY;
    /* a wrong point is never returned */
    if (finite && ops->check_again(xy, c) != TY_OK) err = TY_ERR_FAULT;
    if (err == TY_OK) memcpy(out, xy, ty_ec_len(c));
    ty_wipe(xy, sizeof xy);
    ty_wipe_below_8k();
    return err;
}

ty_err ty_ec_ecdh(uint8_t *out, const ty_ec_pub *pub, const ty_ec_key *key)
{
    if (pub->curve != key->pub.curve) return TY_ERR_ARG;
    return agree(out, key->d, pub->curve->n_bits, pub);
}

ty_err ty_ec_ecdh_cofactor(uint8_t *out, const ty_ec_pub *pub, const ty_ec_key *key)
{
    const ty_ec_curve *c = key->pub.curve;
    uint8_t hd[TY_EC_MAX + 4];
    uint64_t carry = 0;   /* below 2^40, and below 2^32 after a shift */
    if (pub->curve != c) return TY_ERR_ARG;
    const size_t len = ty_ec_n_len(c);
    for (size_t i = len; i-- > 0; carry >>= 8) {
        carry += ty_mul32(key->d[i], c->h);
        hd[i + 4] = (uint8_t)carry;
    }
    for (size_t i = 4; i-- > 0; carry >>= 8) hd[i] = (uint8_t)carry;
    const size_t more = c->h >> 8 ? 4 : 1;
    const ty_err err = agree(out, hd + 4 - more, 8 * (len + more), pub);
    ty_wipe(hd, sizeof hd);
    return err;
}
#endif
