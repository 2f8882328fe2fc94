/* ECDSA over binary curves (FIPS 186-4, 6.4), with the nonces of RFC 6979, hedged if there is a
 * random source. */
#include "base/ct.h"
#include "ec/ec_binary.h"
#include "ecdsa/ecdsa.h"
#include "ecdsa/nonces.h"
#include "tongyu/ecdsa.h"

#include <string.h>

/* e = the digest's leftmost bits mod n */
static void digest_set(ty_scalar *e, const uint8_t *digest, size_t digest_len,
                       const ty_scalar_ring *n)
{
    uint8_t t[TY_EC_MAX];
    ty_nonces_bits(t, digest, digest_len, n->bits);
    ty_scalar_set(e, t, n->len, n);
}

#if !defined(TY_PUBLIC_ONLY)
struct digest {
    ty_scalar e;
    ty_scalar_ring n;
    const ty_ecdsa_engine *engine;
};

/* xy = kG, by the engine if there is one */
static ty_err mul_base(uint8_t *xy, const uint8_t *k, const ty_ec_curve *c,
                       const ty_ecdsa_engine *engine)
{
    if (engine) {
        ty_ec_pub g;
        memset(&g, 0, sizeof g);
        g.curve = c;
        memcpy(g.xy, ty_ec_g(c), 2 * ty_ec_len(c));
        return engine->mul(engine->ctx, xy, k, &g);
    }
    uint32_t finite = ty_ec_binary_best(c)->mul_base(xy, k, c);
    TY_PUBLIC(&finite, sizeof finite);       /* true for every k in its range */
    return finite ? TY_OK : TY_ERR_FAULT;
}

/* sig = (r, s), r = the x of kG mod n, s = (e + r d)/k. Returns 1; 0 if r or s is 0, so that
 * another k is needed; an error if kG is not a point */
static int sign_with_k(uint8_t *sig, const uint8_t *k, const ty_ec_key *key, const void *x)
{
    const struct digest *const of = x;
    const ty_scalar_ring *const n = &of->n;
    const ty_ec_curve *c = key->pub.curve;
    uint8_t xy[2 * TY_EC_MAX] = {0};
    ty_scalar r, s, t;
    const ty_err err = mul_base(xy, k, c, of->engine);
    ty_scalar_set(&r, xy, ty_ec_len(c), n);
    ty_scalar_set(&s, key->d, n->len, n);
    ty_scalar_mul(&s, &s, &r, n);
    ty_scalar_add(&s, &s, &of->e, n);
    ty_scalar_set(&t, k, n->len, n);
    ty_scalar_inv(&t, &t, n);
    ty_scalar_mul(&s, &s, &t, n);
    uint32_t again = ty_scalar_iszero(&r, n) | ty_scalar_iszero(&s, n);
    /* reveals only that this k, which is discarded, gave r = 0 or s = 0 */
    TY_PUBLIC(&again, sizeof again);
    int done = !again;
    if (done) {
        ty_scalar_get(sig, &r, n);
        ty_scalar_get(sig + n->len, &s, n);
        TY_PUBLIC(sig, 2 * n->len);          /* the signature */
        TY_PUBLIC(xy, sizeof xy);            /* which every verifier computes */
        /* a wrong point could reveal d */
        if (err == TY_OK && ty_ec_binary_best(c)->check_again(xy, c) != TY_OK) done = TY_ERR_FAULT;
    }
    if (err != TY_OK) done = err;
    ty_wipe(xy, sizeof xy);
    ty_wipe(&s, sizeof s);
    ty_wipe(&t, sizeof t);
    return done;
}

ty_err ty_ecdsa_sign(uint8_t *sig, const uint8_t *digest, size_t digest_len, const ty_ec_key *key,
                     const ty_rng *rng)
{
    return ty_ecdsa_sign_by(sig, digest, digest_len, key, rng, NULL);
}

ty_err ty_ecdsa_sign_by(uint8_t *sig, const uint8_t *digest, size_t digest_len,
                        const ty_ec_key *key, const ty_rng *rng, const ty_ecdsa_engine *engine)
{
    const ty_ec_curve *c = key->pub.curve;
    struct digest x;
    x.engine = engine;
    uint8_t e_bytes[TY_EC_MAX];
    memset(sig, 0, 2 * ty_ec_n_len(c));
    if (digest_len == 0) return TY_ERR_ARG;
    ty_scalar_ring_init(&x.n, c->n, c->n_bits);
    digest_set(&x.e, digest, digest_len, &x.n);
    ty_scalar_get(e_bytes, &x.e, &x.n);
    return ty_nonces_sign(sig, e_bytes, x.n.len, "", key, rng, sign_with_k, &x);
}
#endif

ty_err ty_ecdsa_claim_set(ty_ecdsa_claim *x, const uint8_t *sig, size_t sig_len,
                          const uint8_t *digest, size_t digest_len, const ty_ec_pub *pub,
                          const ty_scalar_ring *n)
{
    const ty_ec_curve *c = pub->curve;
    const size_t len = n->len;
    if (digest_len == 0) return TY_ERR_ARG;
    if (ty_ec_binary_best(c)->check_again(pub->xy, c) != TY_OK) return TY_ERR_KEY;
    if (sig_len != 2 * len || !ty_ec_scalar_ok(sig, c) || !ty_ec_scalar_ok(sig + len, c))
        return TY_ERR_VERIFY;
    digest_set(&x->e, digest, digest_len, n);
    ty_scalar_set(&x->r, sig, len, n);
    ty_scalar_set(&x->s, sig + len, len, n);
    return TY_OK;
}

void ty_ecdsa_claim_scalars(uint8_t *u, uint8_t *v, const ty_ecdsa_claim *x, const ty_scalar *w,
                            const ty_scalar_ring *n)
{
    ty_scalar t;
    ty_scalar_mul(&t, &x->e, w, n);
    ty_scalar_get(u, &t, n);
    ty_scalar_mul(&t, &x->r, w, n);
    ty_scalar_get(v, &t, n);
}

ty_err ty_ecdsa_claim_check(const ty_ecdsa_claim *x, const ty_scalar *w, const ty_ec_pub *pub,
                            const ty_scalar_ring *n)
{
    const ty_ec_curve *c = pub->curve;
    ty_scalar t;
    uint8_t u[TY_EC_MAX], v[TY_EC_MAX], xy[2 * TY_EC_MAX];
    ty_ecdsa_claim_scalars(u, v, x, w, n);
    if (!ty_ec_binary_best(c)->mul_add_vt(xy, u, v, pub->xy, c)) return TY_ERR_VERIFY;
    ty_scalar_set(&t, xy, ty_ec_len(c), n);
    return memcmp(&t, &x->r, n->limbs * TY_SCALAR_BYTES) == 0 ? TY_OK : TY_ERR_VERIFY;
}

ty_err ty_ecdsa_verify(const uint8_t *sig, size_t sig_len, const uint8_t *digest, size_t digest_len,
                       const ty_ec_pub *pub)
{
    const ty_ec_curve *c = pub->curve;
    ty_scalar_ring n;
    ty_ecdsa_claim x;
    ty_scalar w;
    ty_scalar_ring_init(&n, c->n, c->n_bits);
    const ty_err err = ty_ecdsa_claim_set(&x, sig, sig_len, digest, digest_len, pub, &n);
    if (err != TY_OK) return err;
    ty_scalar_inv(&w, &x.s, &n);
    return ty_ecdsa_claim_check(&x, &w, pub, &n);
}
