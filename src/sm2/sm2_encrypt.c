/* SM2 public-key encryption (GB/T 32918.4): 6.1 encrypts, 7.1 decrypts. C1 is uncompressed, 65
 * bytes; C3 is a digest. Both orders of the parts exist in the field: C1 C3 C2 (the standard of
 * 2016) and C1 C2 C3 (before it). */
#include "base/ct.h"
#include "base/wipe.h"
#include "sm2/sm2_internal.h"

#include <string.h>

#define C1_LEN 65
#define C3_LEN 32

/* the counter of the KDF has 32 bits and starts at 1 */
static int too_long(uint64_t msg_len) { return msg_len > 32 * (uint64_t)0xffffffff; }

/* where C2 and C3 begin in a ciphertext for a message of msg_len bytes */
static size_t c2_at(ty_sm2_order order)
{
    return order == TY_SM2_C1C3C2 ? C1_LEN + C3_LEN : C1_LEN;
}
static size_t c3_at(ty_sm2_order order, size_t msg_len)
{
    return order == TY_SM2_C1C3C2 ? C1_LEN : C1_LEN + msg_len;
}

/* out = in xor t, with t = KDF(x2 || y2, len); returns all ones if t is all zero, when the standard
 * gives up on this k. in may not overlap out */
static uint32_t mask_message(uint8_t *out, const uint8_t *in, size_t len,
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

/* c3 = SM3(x2 || msg || y2) */
static void checksum(uint8_t c3[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len,
                     const uint8_t xy[TY_AT_LEAST(64)])
{
    ty_sm3 h;
    ty_sm3_init(&h);
    ty_sm3_update(&h, xy, 32);
    ty_sm3_update(&h, msg, msg_len);
    ty_sm3_update(&h, xy + 32, 32);
    ty_sm3_final(c3, &h);
}

/* out gets C1 and C2 for the nonce k; xy, the shared point, is left for C3. Returns 1, 0 if t was
 * all zero and another k must be taken, or TY_ERR_FAULT after a computation fault. */
static int attempt(uint8_t *out, uint8_t xy[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                   ty_sm2_order order, const ty_sm2_pub *pub, const uint8_t k[TY_AT_LEAST(32)])
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    out[0] = 4;
    uint32_t good = ec->mul_base(out + 1, k) & ec->on_curve(out + 1);
    memcpy(xy, pub->x, 32);
    memcpy(xy + 32, pub->y, 32);
    good &= ec->mul(xy, k, xy);
    uint32_t again = mask_message(out + c2_at(order), msg, msg_len, xy);
    TY_PUBLIC(&good, sizeof good);     /* true unless the machine has failed: k, P are of order n */
    TY_PUBLIC(&again, sizeof again);   /* of a k that is thrown away */
    if (!good) return TY_ERR_FAULT;
    return !again;
}

ty_err ty_sm2_encrypt(uint8_t *out, const uint8_t *msg, size_t msg_len, ty_sm2_order order,
                      const ty_sm2_pub *pub, const ty_rng *rng)
{
    uint8_t k[32], xy[64];
    if (msg_len == 0 || (order != TY_SM2_C1C3C2 && order != TY_SM2_C1C2C3)) return TY_ERR_ARG;
    if (too_long(msg_len) || msg_len > SIZE_MAX - TY_SM2_OVERHEAD) return TY_ERR_SIZE;
    if (!ty_sm2_pub_ok(pub)) return TY_ERR_KEY;
    ty_err err = TY_ERR_RNG;
    for (int i = 0; i < TY_SM2_TRIES; i++) {
        err = ty_sm2_scalar(k, 0, rng);
        if (err != TY_OK) break;
        const int done = attempt(out, xy, msg, msg_len, order, pub, k);
        err = done < 0 ? (ty_err)done : done ? TY_OK : TY_ERR_RNG;
        if (done) break;
    }
    if (err == TY_OK) {
        checksum(out + c3_at(order, msg_len), msg, msg_len, xy);
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
    if (order != TY_SM2_C1C3C2 && order != TY_SM2_C1C2C3) return TY_ERR_ARG;
    if (in_len <= TY_SM2_OVERHEAD) return TY_ERR_FORMAT;
    const size_t msg_len = in_len - TY_SM2_OVERHEAD;
    if (too_long(msg_len)) return TY_ERR_SIZE;
    /* C1 is public, and d never meets a point of another curve */
    if (in[0] != 4 || !ec->on_curve(in + 1)) {
        memset(out, 0, msg_len);
        return TY_ERR_FORMAT;
    }
    uint32_t bad = ~ec->mul(xy, key->d, in + 1);
    bad |= mask_message(out, in + c2_at(order), msg_len, xy);
    checksum(c3, out, msg_len, xy);
    bad |= ~ty_mask_bit32((uint32_t)ty_equal(c3, in + c3_at(order, msg_len), C3_LEN));
    /* the verdict is the answer of this call; why it is bad is not told */
    TY_PUBLIC(&bad, sizeof bad);
    if (bad) ty_wipe(out, msg_len);
    ty_wipe(xy, sizeof xy);
    ty_wipe(c3, sizeof c3);
    ty_wipe_below_8k();
    return bad ? TY_ERR_VERIFY : TY_OK;
}
