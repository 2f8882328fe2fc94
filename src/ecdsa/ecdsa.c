/* ECDSA over binary curves (FIPS 186-4, 6.4), with the nonces of RFC 6979, hedged if there is a random source. */
#include "base/ct.h"
#include "ec/ec_binary.h"
#include "mac/hmac_drbg.h"
#include "mod/scalar.h"
#include "tongyu/ecdsa.h"

#include <string.h>

enum { TRIES = 128 };   /* of nonces: half may be refused where n is just above a power of two */

/* out[len] = the leftmost `bits` bits of in[in_len] as a number, len = ceil(bits/8)      [RFC 6979, 2.3.2] */
static void bits_to_number(uint8_t *out, const uint8_t *in, size_t in_len, size_t bits)
{
    const size_t len = (bits + 7) / 8, have = in_len < len ? in_len : len;
    memset(out, 0, len);
    memcpy(out + len - have, in, have);
    if (in_len < len || bits % 8 == 0) return;
    const unsigned shift = (unsigned)(8 - bits % 8);
    for (size_t i = len; i-- > 0;) out[i] = (uint8_t)((i ? out[i - 1] << 8 | out[i] : out[i]) >> shift);
}

/* seed = d || digest mod n || 32 random bytes, if any */
static ty_err nonces_init(ty_hmac_drbg_sha256 *c, const ty_scalar *e, const ty_ec_key *key, const ty_scalar_ring *n,
                          const ty_rng *rng)
{
    uint8_t seed[2 * TY_EC_MAX + 32];
    memcpy(seed, key->d, n->len);
    ty_scalar_get(seed + n->len, e, n);
    const int failed = rng && rng->fill(rng->ctx, seed + 2 * n->len, 32) != TY_OK;
    if (!failed) ty_hmac_drbg_sha256_init(c, seed, 2 * n->len + (rng ? 32 : 0));
    ty_wipe(seed, sizeof seed);
    return failed ? TY_ERR_RNG : TY_OK;
}

/* k[len] = the next candidate, below 2^bits */
static void nonces_next(ty_hmac_drbg_sha256 *c, uint8_t *k, const ty_scalar_ring *n)
{
    uint8_t t[TY_EC_MAX];
    ty_hmac_drbg_sha256_next(t, n->len, c);
    bits_to_number(k, t, n->len, n->bits);
    ty_wipe(t, sizeof t);
}

/* sig = (x of kG, (e + r d)/k) and 1; 0 where r or s is 0 and another k is wanted; an error where kG is no point */
static int sign_with_k(uint8_t *sig, const uint8_t *k, const ty_scalar *e, const ty_ec_key *key, const ty_scalar_ring *n)
{
    const ty_ec_curve *c = key->pub.curve;
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    uint8_t xy[2 * TY_EC_MAX];
    ty_scalar r, s, t;
    uint32_t finite = ops->mul_base(xy, k, c);
    TY_PUBLIC(&finite, sizeof finite);       /* always, for k in its range */
    ty_scalar_set(&r, xy, ty_ec_len(c), n);
    ty_scalar_set(&s, key->d, n->len, n);
    ty_scalar_mul(&s, &s, &r, n);
    ty_scalar_add(&s, &s, e, n);
    ty_scalar_set(&t, k, n->len, n);
    ty_scalar_inv(&t, &t, n);
    ty_scalar_mul(&s, &s, &t, n);
    uint32_t again = ty_scalar_iszero(&r, n) | ty_scalar_iszero(&s, n);
    TY_PUBLIC(&again, sizeof again);         /* says that this k, now thrown away, hit one value in n */
    int done = !again;
    if (done) {
        ty_scalar_get(sig, &r, n);
        ty_scalar_get(sig + n->len, &s, n);
        TY_PUBLIC(sig, 2 * n->len);          /* the signature */
        TY_PUBLIC(xy, sizeof xy);            /* which every verifier computes */
        if (!finite || ops->check_again(xy, c) != TY_OK) done = TY_ERR_FAULT;   /* a wrong point could give d away */
    }
    ty_wipe(xy, sizeof xy);
    ty_wipe(&s, sizeof s);
    ty_wipe(&t, sizeof t);
    return done;
}

/* e = the digest's leftmost bits mod n */
static void digest_set(ty_scalar *e, const uint8_t *digest, size_t digest_len, const ty_scalar_ring *n)
{
    uint8_t t[TY_EC_MAX];
    bits_to_number(t, digest, digest_len, n->bits);
    ty_scalar_set(e, t, n->len, n);
}

ty_err ty_ecdsa_sign(uint8_t *sig, const uint8_t *digest, size_t digest_len, const ty_ec_key *key, const ty_rng *rng)
{
    const ty_ec_curve *c = key->pub.curve;
    ty_scalar_ring n;
    ty_scalar e;
    ty_hmac_drbg_sha256 drbg;
    uint8_t k[TY_EC_MAX];
    memset(sig, 0, 2 * ty_ec_n_len(c));
    if (digest_len == 0) return TY_ERR_ARG;
    ty_scalar_ring_init(&n, c->n, c->n_bits);
    digest_set(&e, digest, digest_len, &n);
    ty_err err = nonces_init(&drbg, &e, key, &n, rng);
    int done = 0;
    for (int i = 0; err == TY_OK && !done && i < TRIES; i++) {
        nonces_next(&drbg, k, &n);
        uint32_t ok = ty_ec_scalar_ok(k, c);
        TY_PUBLIC(&ok, sizeof ok);           /* says nothing about the candidate that is kept */
        if (ok) done = sign_with_k(sig, k, &e, key, &n);
    }
    if (err == TY_OK && done != 1) err = done < 0 ? (ty_err)done : TY_ERR_RNG;
    if (err != TY_OK) memset(sig, 0, 2 * n.len);
    ty_wipe(&drbg, sizeof drbg);
    ty_wipe(k, sizeof k);
    return err;
}

ty_err ty_ecdsa_verify(const uint8_t *sig, size_t sig_len, const uint8_t *digest, size_t digest_len, const ty_ec_pub *pub)
{
    const ty_ec_curve *c = pub->curve;
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    const size_t len = ty_ec_n_len(c);
    ty_scalar_ring n;
    ty_scalar r, u, v, w;
    uint8_t u_bytes[TY_EC_MAX], v_bytes[TY_EC_MAX], xy[2 * TY_EC_MAX];
    if (digest_len == 0) return TY_ERR_ARG;
    if (ops->check_again(pub->xy, c) != TY_OK) return TY_ERR_KEY;
    if (sig_len != 2 * len || !ty_ec_scalar_ok(sig, c) || !ty_ec_scalar_ok(sig + len, c)) return TY_ERR_VERIFY;
    ty_scalar_ring_init(&n, c->n, c->n_bits);
    ty_scalar_set(&w, sig + len, len, &n);
    ty_scalar_inv(&w, &w, &n);
    digest_set(&u, digest, digest_len, &n);
    ty_scalar_mul(&u, &u, &w, &n);
    ty_scalar_set(&r, sig, len, &n);
    ty_scalar_mul(&v, &r, &w, &n);
    ty_scalar_get(u_bytes, &u, &n);
    ty_scalar_get(v_bytes, &v, &n);
    if (!ops->mul_add_vt(xy, u_bytes, v_bytes, pub->xy, c)) return TY_ERR_VERIFY;
    ty_scalar_set(&w, xy, ty_ec_len(c), &n);
    return memcmp(&w, &r, n.limbs * TY_SCALAR_BYTES) == 0 ? TY_OK : TY_ERR_VERIFY;
}
