/* DSTU 4145-2002 with a polynomial basis: r = h x(kP), truncated as a bit string, s = k + d r, for
 * the base point P, which is G in the code. */
#include "ecdsa/dstu4145.h"
#include "base/ct.h"
#include "ec/ec_binary.h"
#include "ecdsa/nonces.h"
#include "modn/scalar.h"
#include "f2m/f2_any.h"

#include <string.h>

void ty_dstu4145_pub(ty_ec_pub *q, const ty_ec_pub *pub)   /* -(x, y) = (x, x + y) */
{
    const size_t len = ty_ec_len(pub->curve);
    *q = *pub;
    for (size_t i = 0; i < len; i++) q->xy[len + i] ^= q->xy[i];
}

void ty_dstu4145_element(uint8_t *h, const uint8_t *hash, size_t hash_len, const ty_ec_curve *c)
{
    const size_t len = ty_ec_len(c);
    uint8_t any = 0;
    for (size_t i = 0; i < len; i++) h[len - 1 - i] = i < hash_len ? hash[i] : 0;
    if (c->m % 8) h[0] &= (uint8_t)((1u << c->m % 8) - 1);
    for (size_t i = 0; i < len; i++) any |= h[i];
    if (!any) h[len - 1] = 1;
}

static void field_mul(uint8_t *z, const uint8_t *x, const uint8_t *y, const ty_ec_curve *c)
{
    ty_f2_any_el a, b;
    if (!c->field) {
        ty_ec_binary_best(c)->field_mul(z, x, y);
        return;
    }
    const ty_f2_any_kernels *ops = ty_f2_any_pick(c->field);
    (void)ty_f2_any_set(&a, x, c->field, ops);   /* both are in range */
    (void)ty_f2_any_set(&b, y, c->field, ops);
    ops->mul(&a, &a, &b, c->field);
    ty_f2_any_get(z, &a, c->field, ops);
    ty_wipe(&a, sizeof a);
    ty_wipe(&b, sizeof b);
}

/* r[n_len] = the lowest n_bits - 1 bits of h x, so that r is below n */
static void first_half(uint8_t *r, const uint8_t *h, const uint8_t *x, const ty_ec_curve *c)
{
    const size_t len = ty_ec_len(c), n_len = ty_ec_n_len(c),
                 top = (size_t)c->n_bits - 1 - 8 * (n_len - 1);
    uint8_t y[TY_EC_MAX];
    field_mul(y, h, x, c);
    for (size_t i = 0; i < n_len; i++) r[n_len - 1 - i] = i < len ? y[len - 1 - i] : 0;
    r[0] &= (uint8_t)((1u << top) - 1);
    ty_wipe(y, sizeof y);
}

static void reverse(uint8_t *out, const uint8_t *in, size_t len)
{
    for (size_t i = 0; i < len; i++) out[i] = in[len - 1 - i];
}

#if !defined(TY_PUBLIC_ONLY)
int ty_dstu4145_sign_with(uint8_t *sig, const uint8_t *k, const ty_ec_key *key, const void *h)
{
    const ty_ec_curve *c = key->pub.curve;
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    uint8_t xy[2 * TY_EC_MAX], r_bytes[TY_EC_MAX], s_bytes[TY_EC_MAX];
    ty_scalar_ring n;
    ty_scalar r, s, t;
    ty_scalar_ring_init(&n, c->n, c->n_bits);
    uint32_t finite = ops->mul_base(xy, k, c);
    TY_PUBLIC(&finite, sizeof finite);       /* true for every k in its range */
    first_half(r_bytes, h, xy, c);
    ty_scalar_set(&r, r_bytes, n.len, &n);
    ty_scalar_set(&s, key->d, n.len, &n);
    ty_scalar_mul(&s, &s, &r, &n);
    ty_scalar_set(&t, k, n.len, &n);
    ty_scalar_add(&s, &s, &t, &n);
    uint32_t again = ty_scalar_iszero(&r, &n) | ty_scalar_iszero(&s, &n);
    /* reveals only that this k, which is discarded, gave r = 0 or s = 0 */
    TY_PUBLIC(&again, sizeof again);
    int done = !again;
    if (done) {
        ty_scalar_get(s_bytes, &s, &n);
        reverse(sig, r_bytes, n.len);
        reverse(sig + n.len, s_bytes, n.len);
        TY_PUBLIC(sig, 2 * n.len);           /* the signature */
        /* a wrong point could reveal d */
        if (!finite || ops->check_again(xy, c) != TY_OK) done = TY_ERR_FAULT;
    }
    ty_wipe(xy, sizeof xy);
    ty_wipe(s_bytes, sizeof s_bytes);
    ty_wipe(&s, sizeof s);
    ty_wipe(&t, sizeof t);
    return done;
}

ty_err ty_dstu4145_sign(uint8_t *sig, const uint8_t *hash, size_t hash_len, const ty_ec_key *key,
                        const ty_rng *rng)
{
    const ty_ec_curve *c = key->pub.curve;
    uint8_t h[TY_EC_MAX];
    memset(sig, 0, 2 * ty_ec_n_len(c));
    if (hash_len == 0) return TY_ERR_ARG;
    ty_dstu4145_element(h, hash, hash_len, c);
    return ty_nonces_sign(sig, h, ty_ec_len(c), "DSTU 4145", key, rng, ty_dstu4145_sign_with, h);
}
#endif

ty_err ty_dstu4145_verify(const uint8_t *sig, size_t sig_len, const uint8_t *hash, size_t hash_len,
                          const ty_ec_pub *q)
{
    const ty_ec_curve *c = q->curve;
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    const size_t len = ty_ec_n_len(c);
    uint8_t h[TY_EC_MAX], r[TY_EC_MAX], s[TY_EC_MAX], v[TY_EC_MAX], xy[2 * TY_EC_MAX];
    if (hash_len == 0) return TY_ERR_ARG;
    if (ops->check_again(q->xy, c) != TY_OK) return TY_ERR_KEY;
    if (sig_len != 2 * len) return TY_ERR_VERIFY;
    reverse(r, sig, len);
    reverse(s, sig + len, len);
    if (!ty_ec_scalar_ok(r, c) || !ty_ec_scalar_ok(s, c) || !ops->mul_add_vt(xy, s, r, q->xy, c))
        return TY_ERR_VERIFY;
    ty_dstu4145_element(h, hash, hash_len, c);
    first_half(v, h, xy, c);
    return memcmp(v, r, len) == 0 ? TY_OK : TY_ERR_VERIFY;
}
