/* Key agreement: plain ECDH as in RFC 8998, and the exchange of GB/T 32918.3 with its confirmation
 * hashes. */
#if !defined(TY_PUBLIC_ONLY)
#include "base/ct.h"
#include "base/wipe.h"
#include "sm2/sm2_internal.h"

#include <string.h>

ty_err ty_sm2_ecdh(uint8_t out[TY_AT_LEAST(32)], const ty_sm2_pub *pub, const ty_sm2_key *key)
{
    uint8_t xy[64];
    if (!ty_sm2_pub_ok(pub)) return TY_ERR_KEY;
    memcpy(xy, pub->x, 32);
    memcpy(xy + 32, pub->y, 32);
    uint32_t finite = ty_ec_sm2_best()->mul(xy, key->d, xy);
    /* always true for a key that was set: d is not 0 mod n, P has order n */
    TY_PUBLIC(&finite, sizeof finite);
    if (finite) memcpy(out, xy, 32);
    ty_wipe(xy, sizeof xy);
    ty_wipe_below_8k();
    return finite ? TY_OK : TY_ERR_KEY;
}

/* Completes the state of an exchange whose r is set: its role, and its point R = rG. */
static ty_err kx_begin(ty_sm2_kx *kx, ty_sm2_role role)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    uint8_t xy[64];
    uint32_t good = ec->mul_base(xy, kx->r) & ec->on_curve(xy);
    TY_PUBLIC(&good, sizeof good);   /* true unless the machine has failed */
    TY_PUBLIC(xy, sizeof xy);        /* R is sent to the peer */
    ty_wipe_below_8k();
    if (!good) {
        ty_wipe(kx, sizeof *kx);
        return TY_ERR_FAULT;
    }
    kx->role = role;
    memcpy(kx->ephemeral.x, xy, 32);
    memcpy(kx->ephemeral.y, xy + 32, 32);
    return TY_OK;
}

ty_err ty_sm2_kx_init(ty_sm2_kx *kx, uint8_t out[TY_AT_LEAST(65)], ty_sm2_role role,
                      const ty_rng *rng)
{
    memset(kx, 0, sizeof *kx);
    memset(out, 0, 65);
    if (role != TY_SM2_INITIATOR && role != TY_SM2_RESPONDER) return TY_ERR_ARG;
    ty_err err = ty_sm2_scalar(kx->r, 0, rng);
    if (err == TY_OK) err = kx_begin(kx, role);
    if (err == TY_OK) ty_sm2_pub_get(out, &kx->ephemeral);
    return err;
}

void ty_sm2_kx_get(uint8_t out[TY_AT_LEAST(TY_SM2_KX_LEN)], const ty_sm2_kx *kx)
{
    out[0] = (uint8_t)kx->role;
    memcpy(out + 1, kx->r, 32);
}

ty_err ty_sm2_kx_set(ty_sm2_kx *kx, const uint8_t in[TY_AT_LEAST(TY_SM2_KX_LEN)])
{
    memset(kx, 0, sizeof *kx);
    uint8_t role = in[0];
    uint32_t valid = ty_n_sm2_valid(in + 1, 0);
    TY_PUBLIC(&role, sizeof role);
    TY_PUBLIC(&valid, sizeof valid);   /* whether r is valid is the result of this call */
    if (role != TY_SM2_INITIATOR && role != TY_SM2_RESPONDER) return TY_ERR_FORMAT;
    if (!valid) return TY_ERR_KEY;
    memcpy(kx->r, in + 1, 32);
    return kx_begin(kx, (ty_sm2_role)role);
}

/* z = x' = 2^127 + (x mod 2^127): w = 127 of GB/T 32918.3, 6.1 */
static void half(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)])
{
    memset(z, 0, 16);
    memcpy(z + 16, x + 16, 16);
    z[16] |= 0x80;
}

/* u = t (P + x2' R), t = d + x1' r, for the peer's key P and point R: the point that both sides
 * compute. Returns a mask: zero if it is infinity. */
static uint32_t shared_point(uint8_t u[TY_AT_LEAST(64)], const uint8_t peer_r[TY_AT_LEAST(64)],
                             const ty_sm2_pub *peer, const ty_sm2_key *key, const ty_sm2_kx *kx)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    uint8_t t[32], x[32], p[64];
    half(x, kx->ephemeral.x);
    n->mul(t, x, kx->r);
    n->add(t, t, key->d);
    half(x, peer_r);
    memcpy(p, peer->x, 32);
    memcpy(p + 32, peer->y, 32);
    uint32_t finite = ec->mul(u, x, peer_r);
    /* zeros, not a point, if infinite: harmless below, and recorded in the mask */
    finite &= ec->add(u, u, p);
    finite &= ec->mul(u, t, u);
    ty_wipe(t, sizeof t);
    return finite;
}

/* The parts of GB/T 32918.3, 6.1 that are hashed, in the standard's order: the initiator is A. */
typedef struct transcript {
    uint8_t u[64], za_zb[64], ra[64], rb[64];
} transcript;

/* out = SM3(tag || yU || SM3(xU || ZA || ZB || RA || RB)) */
static void confirmation(uint8_t out[TY_AT_LEAST(32)], uint8_t tag, const transcript *t)
{
    uint8_t inner[32];
    ty_sm3 h;
    ty_sm3_init(&h);
    ty_sm3_update(&h, t->u, 32);
    ty_sm3_update(&h, t->za_zb, 64);
    ty_sm3_update(&h, t->ra, 64);
    ty_sm3_update(&h, t->rb, 64);
    ty_sm3_final(inner, &h);
    ty_sm3_init(&h);
    ty_sm3_update(&h, &tag, 1);
    ty_sm3_update(&h, t->u + 32, 32);
    ty_sm3_update(&h, inner, 32);
    ty_sm3_final(out, &h);
    ty_wipe(inner, sizeof inner);
}

/* shared = KDF(xU || yU || ZA || ZB); B sends the hash tagged 2 (SB = S1), A the one tagged 3 (SA =
 * S2). */
static ty_err kx_derive(uint8_t *shared, size_t shared_len, uint8_t send[TY_AT_LEAST(32)],
                     uint8_t expect[TY_AT_LEAST(32)], const transcript *t, ty_sm2_role role)
{
    uint8_t seed[128];
    memcpy(seed, t->u, 64);
    memcpy(seed + 64, t->za_zb, 64);
    const ty_err err = ty_kdf_sm3(shared, shared_len, seed, sizeof seed);
    ty_wipe(seed, sizeof seed);
    if (err != TY_OK) return err;
    confirmation(send, role == TY_SM2_INITIATOR ? 3 : 2, t);
    confirmation(expect, role == TY_SM2_INITIATOR ? 2 : 3, t);
    return TY_OK;
}

/* ZA || ZB: ours is the first half if we are the initiator. */
static ty_err identities(transcript *t, const uint8_t *id, size_t id_len, const uint8_t *peer_id,
                         size_t peer_id_len, const ty_sm2_pub *peer, const ty_sm2_key *key,
                         const ty_sm2_kx *kx)
{
    const size_t own = kx->role == TY_SM2_INITIATOR ? 0 : 32;
    const ty_err err = ty_sm2_z(t->za_zb + own, id, id_len, &key->pub);
    return err == TY_OK ? ty_sm2_z(t->za_zb + (32 - own), peer_id, peer_id_len, peer) : err;
}

/* t->u, ra, rb from kx and the peer's point. Failure is public: it means P + x2' R = infinity, a
 * relation between public points (t = 0 does not occur by chance). */
static ty_err agree(transcript *t, const uint8_t peer_r[TY_AT_LEAST(64)], const ty_sm2_pub *peer,
                    const ty_sm2_key *key, const ty_sm2_kx *kx)
{
    const int first = kx->role == TY_SM2_INITIATOR;
    uint8_t *own = first ? t->ra : t->rb;
    memcpy(own, kx->ephemeral.x, 32);
    memcpy(own + 32, kx->ephemeral.y, 32);
    memcpy(first ? t->rb : t->ra, peer_r, 64);
    uint32_t finite = shared_point(t->u, peer_r, peer, key, kx);
    TY_PUBLIC(&finite, sizeof finite);
    return finite ? TY_OK : TY_ERR_KEY;
}

static ty_err check(size_t shared_len, const uint8_t peer_ephemeral[TY_AT_LEAST(65)],
                    const ty_sm2_pub *peer, const ty_sm2_kx *kx)
{
    static const uint8_t zero[32] = { 0 };
    int used = ty_equal(kx->r, zero, 32);
    TY_PUBLIC(&used, sizeof used);   /* r = 0 marks an exchange not started, or ended */
    if (used) return TY_ERR_STATE;
    if (shared_len == 0) return TY_ERR_ARG;
    if (peer_ephemeral[0] != 4 || !ty_ec_sm2_best()->on_curve(peer_ephemeral + 1))
        return TY_ERR_FORMAT;
    return ty_sm2_pub_ok(peer) ? TY_OK : TY_ERR_KEY;
}

ty_err ty_sm2_kx_final(uint8_t *shared, size_t shared_len, uint8_t confirm_send[TY_AT_LEAST(32)],
                       uint8_t confirm_expect[TY_AT_LEAST(32)],
                       const uint8_t peer_ephemeral[TY_AT_LEAST(65)], const uint8_t *id,
                       size_t id_len, const uint8_t *peer_id, size_t peer_id_len,
                       const ty_sm2_pub *peer, const ty_sm2_key *key, ty_sm2_kx *kx)
{
    transcript t;
    ty_err err = check(shared_len, peer_ephemeral, peer, kx);
    if (err == TY_OK) err = identities(&t, id, id_len, peer_id, peer_id_len, peer, key, kx);
    if (err == TY_OK) err = agree(&t, peer_ephemeral + 1, peer, key, kx);
    if (err == TY_OK)
        err = kx_derive(shared, shared_len, confirm_send, confirm_expect, &t, kx->role);
    if (err != TY_OK) {
        if (shared_len) memset(shared, 0, shared_len);
        memset(confirm_send, 0, 32);
        memset(confirm_expect, 0, 32);
    }
    ty_wipe(&t, sizeof t);
    ty_wipe(kx, sizeof *kx);
    ty_wipe_below_8k();
    return err;
}
#else
typedef int ty_sm2_exchange_c_is_empty;   /* ISO C requires a declaration in every file */
#endif
