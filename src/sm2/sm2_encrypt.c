/* SM2 public-key encryption (GB/T 32918.4): encryption 6.1, decryption 7.1. C1 is an uncompressed
 * point, 65 bytes; C2 the masked message; C3 a digest of 32 bytes. Both orders of the parts are in
 * use: C1 C3 C2 (the standard of 2016) and C1 C2 C3 (before it). */
#if !defined(TY_PUBLIC_ONLY)
#include "base/ct.h"
#include "base/wipe.h"
#include "sm2/sm2_internal.h"

#include <string.h>

/* the counter of the KDF has 32 bits and starts at 1 */
static int too_long(uint64_t msg_len) { return msg_len > 32 * (uint64_t)0xffffffff; }

static int bad_order(ty_sm2_order order)
{
    return order != TY_SM2_C1C3C2 && order != TY_SM2_C1C2C3;
}

ty_err ty_sm2_encrypt_begin(size_t msg_len, ty_sm2_order order)
{
    if (msg_len == 0 || bad_order(order)) return TY_ERR_ARG;
    return too_long(msg_len) || msg_len > SIZE_MAX - TY_SM2_OVERHEAD ? TY_ERR_SIZE : TY_OK;
}

ty_err ty_sm2_decrypt_begin(size_t in_len, ty_sm2_order order)
{
    if (bad_order(order)) return TY_ERR_ARG;
    if (in_len <= TY_SM2_OVERHEAD) return TY_ERR_FORMAT;
    return too_long(in_len - TY_SM2_OVERHEAD) ? TY_ERR_SIZE : TY_OK;
}

uint32_t ty_sm2_mask_message(uint8_t *out, const uint8_t *in, size_t len,
                             const uint8_t xy[TY_AT_LEAST(64)])
{
    uint32_t any = 0;
    /* callers have checked the length */
    if (ty_kdf_sm3(out, len, xy, 64) != TY_OK) return ty_mask_bit32(1);
    for (size_t i = 0; i < len; i++) {
        any |= out[i];
        out[i] ^= in[i];
    }
    return ty_mask_zero32(any);
}

void ty_sm2_checksum(uint8_t c3[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len,
                     const uint8_t xy[TY_AT_LEAST(64)])
{
    ty_sm3 h;
    ty_sm3_init(&h);
    ty_sm3_update(&h, xy, 32);
    ty_sm3_update(&h, msg, msg_len);
    ty_sm3_update(&h, xy + 32, 32);
    ty_sm3_final(c3, &h);
}

/* Writes C1 and C2 for the nonce k to out, and the shared point, which C3 needs, to xy. Returns 1;
 * or 0 if t = KDF(x2 || y2) was all zero, so that another k is needed; or TY_ERR_FAULT after a
 * computation fault. */
static int attempt(uint8_t *out, uint8_t xy[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                   ty_sm2_order order, const ty_sm2_pub *pub, const uint8_t k[TY_AT_LEAST(32)])
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    out[0] = 4;
    uint32_t good = ec->mul_base(out + 1, k) & ec->on_curve(out + 1);
    memcpy(xy, pub->x, 32);
    memcpy(xy + 32, pub->y, 32);
    good &= ec->mul(xy, k, xy);
    uint32_t again = ty_sm2_mask_message(out + ty_sm2_c2_at(order), msg, msg_len, xy);
    TY_PUBLIC(&good, sizeof good);     /* true unless there was a fault: P has order n, k < n */
    TY_PUBLIC(&again, sizeof again);   /* not 0 only for a k that is discarded */
    if (!good) return TY_ERR_FAULT;
    return !again;
}

ty_err ty_sm2_encrypt(uint8_t *out, const uint8_t *msg, size_t msg_len, ty_sm2_order order,
                      const ty_sm2_pub *pub, const ty_rng *rng)
{
    uint8_t k[32], xy[64];
    ty_err err = ty_sm2_encrypt_begin(msg_len, order);
    if (err != TY_OK) return err;
    if (!ty_sm2_pub_ok(pub)) return TY_ERR_KEY;
    err = TY_ERR_RNG;
    for (int i = 0; i < TY_SM2_TRIES; i++) {
        err = ty_sm2_scalar(k, 0, rng);
        if (err != TY_OK) break;
        const int done = attempt(out, xy, msg, msg_len, order, pub, k);
        err = done < 0 ? (ty_err)done : done ? TY_OK : TY_ERR_RNG;
        if (done) break;
    }
    if (err == TY_OK) {
        ty_sm2_checksum(out + ty_sm2_c3_at(order, msg_len), msg, msg_len, xy);
        TY_PUBLIC(out, msg_len + TY_SM2_OVERHEAD);   /* the ciphertext */
    } else {
        memset(out, 0, msg_len + TY_SM2_OVERHEAD);
    }
    ty_wipe(k, sizeof k);
    ty_wipe(xy, sizeof xy);
    ty_wipe_below_8k();
    return err;
}

ty_err ty_sm2_decrypt(uint8_t *out, const uint8_t *in, size_t in_len, ty_sm2_order order,
                      const ty_sm2_key *key)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    uint8_t xy[64], c3[32];
    const ty_err err = ty_sm2_decrypt_begin(in_len, order);
    if (err != TY_OK) return err;
    const size_t msg_len = in_len - TY_SM2_OVERHEAD;
    /* C1 is public, and d is never multiplied by a point of another curve */
    if (in[0] != 4 || !ec->on_curve(in + 1)) {
        memset(out, 0, msg_len);
        return TY_ERR_FORMAT;
    }
    uint32_t bad = ~ec->mul(xy, key->d, in + 1);
    bad |= ty_sm2_mask_message(out, in + ty_sm2_c2_at(order), msg_len, xy);
    ty_sm2_checksum(c3, out, msg_len, xy);
    bad |= ~ty_mask_bit32((uint32_t)ty_equal(c3, in + ty_sm2_c3_at(order, msg_len), 32));
    /* the caller learns the verdict, and not the reason */
    TY_PUBLIC(&bad, sizeof bad);
    if (bad) ty_wipe(out, msg_len);
    ty_wipe(xy, sizeof xy);
    ty_wipe(c3, sizeof c3);
    ty_wipe_below_8k();
    return bad ? TY_ERR_VERIFY : TY_OK;
}
#else
typedef int ty_sm2_encrypt_c_is_empty;   /* ISO C requires a declaration in every file */
#endif
