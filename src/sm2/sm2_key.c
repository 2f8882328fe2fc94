/* SM2 keys and their encodings (GB/T 32918.1, 4.2.9 and 4.2.10; key pairs: 6.1), and Z (GB/T
 * 32918.2, 5.5). */
#include "base/ct.h"
#include "base/wipe.h"
#include "ec/sm2_const.h"
#include "sm2/sm2_internal.h"

#include <string.h>

ty_err ty_sm2_scalar(uint8_t k[TY_AT_LEAST(32)], uint32_t slack, const ty_rng *rng)
{
    for (int i = 0; i < TY_SM2_TRIES; i++) {
        if (rng->fill(rng->ctx, k, 32) != TY_OK) break;
        uint32_t valid = ty_n_sm2_valid(k, slack);
        /* reveals only that discarded strings were out of range, and that k is in range */
        TY_PUBLIC(&valid, sizeof valid);
        if (valid) return TY_OK;
    }
    ty_wipe(k, 32);
    return TY_ERR_RNG;
}

int ty_sm2_pub_ok(const ty_sm2_pub *pub)
{
    uint8_t xy[64];
    memcpy(xy, pub->x, 32);
    memcpy(xy + 32, pub->y, 32);
    return ty_ec_sm2_best()->on_curve(xy) != 0;
}

static ty_err pub_set_compressed(ty_sm2_pub *pub, const uint8_t in[TY_AT_LEAST(33)])
{
    uint8_t xy[64];
    if (!ty_ec_sm2_best()->decompress(xy, in + 1, in[0] & 1u)) return TY_ERR_KEY;
    memcpy(pub->x, xy, 32);
    memcpy(pub->y, xy + 32, 32);
    return TY_OK;
}

ty_err ty_sm2_pub_set(ty_sm2_pub *pub, const uint8_t *in, size_t in_len)
{
    if (in_len == 33 && (in[0] == 2 || in[0] == 3)) return pub_set_compressed(pub, in);
    if (in_len == 65 && in[0] == 4) in++;
    else if (in_len != 64) return TY_ERR_FORMAT;
    if (!ty_ec_sm2_best()->on_curve(in)) return TY_ERR_KEY;
    memcpy(pub->x, in, 32);
    memcpy(pub->y, in + 32, 32);
    return TY_OK;
}

void ty_sm2_pub_get(uint8_t out[TY_AT_LEAST(65)], const ty_sm2_pub *pub)
{
    out[0] = 4;
    memcpy(out + 1, pub->x, 32);
    memcpy(out + 33, pub->y, 32);
}

void ty_sm2_pub_get_compressed(uint8_t out[TY_AT_LEAST(33)], const ty_sm2_pub *pub)
{
    out[0] = (uint8_t)(2 | (pub->y[31] & 1));
    memcpy(out + 1, pub->x, 32);
}

#if !defined(TY_PUBLIC_ONLY)
ty_err ty_sm2_key_assemble(ty_sm2_key *key, const uint8_t d[TY_AT_LEAST(32)],
                           const uint8_t inv1d[TY_AT_LEAST(32)], const uint8_t xy[TY_AT_LEAST(64)])
{
    uint32_t good = ty_ec_sm2_best()->on_curve(xy);
    memmove(key->d, d, 32);
    memmove(key->inv1d, inv1d, 32);
    memcpy(key->pub.x, xy, 32);
    memcpy(key->pub.y, xy + 32, 32);
    /* the public key, and whether it is a point */
    TY_PUBLIC(&key->pub, sizeof key->pub);
    TY_PUBLIC(&good, sizeof good);
    if (good) return TY_OK;
    ty_wipe(key, sizeof *key);
    return TY_ERR_FAULT;   /* dG not on the curve: a computation fault */
}

/* Computes the fields of a key from d. d = n - 1 is excluded because 1 + d would have no
 * inverse. */
static ty_err sm2_derive(ty_sm2_key *key)
{
    static const uint8_t one[32] = { [31] = 1 };
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    uint8_t xy[64];
    n->add(key->inv1d, key->d, one);
    n->inv(key->inv1d, key->inv1d);
    /* zeros, which are not on the curve, for infinity */
    (void)ty_ec_sm2_best()->mul_base(xy, key->d);
    const ty_err err = ty_sm2_key_assemble(key, key->d, key->inv1d, xy);
    ty_wipe_below_8k();
    return err;
}

ty_err ty_sm2_keygen(ty_sm2_key *key, const ty_rng *rng)
{
    memset(key, 0, sizeof *key);
    const ty_err err = ty_sm2_scalar(key->d, 1, rng);
    return err == TY_OK ? sm2_derive(key) : err;
}

ty_err ty_sm2_key_set(ty_sm2_key *key, const uint8_t d[TY_AT_LEAST(32)])
{
    uint32_t valid = ty_n_sm2_valid(d, 1);
    TY_PUBLIC(&valid, sizeof valid);   /* whether d is valid is the result of this call */
    if (!valid) {
        ty_wipe(key, sizeof *key);
        return TY_ERR_KEY;
    }
    memmove(key->d, d, 32);
    return sm2_derive(key);
}
#endif

static const uint8_t curve[128] = {
    TY_SM2_A_BYTES, TY_SM2_B_BYTES, TY_SM2_GX_BYTES, TY_SM2_GY_BYTES,
};

size_t ty_sm2_z_text(uint8_t *text, const uint8_t *id, size_t id_len, const ty_sm2_pub *pub)
{
    uint8_t *p = text;
    *p++ = (uint8_t)(id_len >> 5);   /* the length in bits */
    *p++ = (uint8_t)(id_len << 3);
    if (id_len) memcpy(p, id, id_len);
    p += id_len;
    memcpy(p, curve, sizeof curve);
    memcpy(p + 128, pub->x, 32);
    memcpy(p + 160, pub->y, 32);
    return TY_SM2_Z_TEXT + id_len;
}

ty_err ty_sm2_z(uint8_t z[TY_AT_LEAST(32)], const uint8_t *id, size_t id_len, const ty_sm2_pub *pub)
{
    if (id_len > TY_SM2_ID_MAX) return TY_ERR_SIZE;
    /* the length in bits */
    const uint8_t entl[2] = { (uint8_t)(id_len >> 5), (uint8_t)(id_len << 3) };
    ty_sm3 h;
    ty_sm3_init(&h);
    ty_sm3_update(&h, entl, sizeof entl);
    if (id_len) ty_sm3_update(&h, id, id_len);
    ty_sm3_update(&h, curve, sizeof curve);
    ty_sm3_update(&h, pub->x, 32);
    ty_sm3_update(&h, pub->y, 32);
    ty_sm3_final(z, &h);
    return TY_OK;
}

ty_err ty_sm2_hash_init(ty_sm3 *h, const uint8_t *id, size_t id_len, const ty_sm2_pub *pub)
{
    uint8_t z[32];
    const ty_err err = ty_sm2_z(z, id, id_len, pub);
    if (err != TY_OK) return err;
    ty_sm3_init(h);
    ty_sm3_update(h, z, sizeof z);
    return TY_OK;
}
