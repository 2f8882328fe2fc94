/* Key wrap, KW and KWP [RFC 3394, RFC 5649]. The 8-byte semiblocks of the key are processed in
 * `out`, which is wiped if the check fails. Addresses do not depend on secrets. */
#include "tongyu/sm4_wrap.h"
#include "base/bytes.h"
#include "base/ct.h"
#include "base/overlap.h"
#include "base/tag.h"
#include "sm4/sm4.h"

#include <string.h>

static const uint64_t kw_check = 0xa6a6a6a6a6a6a6a6u;      /* [RFC 3394, 2.2.3.1] */
static const uint32_t kwp_check = 0xa65959a6u;             /* [RFC 5649, 3], before the length */

static void cipher(uint8_t x[16], const uint32_t *rk, const ty_sm4_key *key)
{
    TY_HELD(sm4, key->ops)->ecb(x, x, 1, rk);
}

/* The 6 n steps of W on (a, r[n]): `a` is encrypted together with each semiblock, and then the
 * number of the step is added to it. n >= 2 [SP 800-38F, 6.1, algorithm 1] */
static void wrap_mix(uint8_t a[8], uint8_t *r, size_t n, const ty_sm4_key *key)
{
    uint8_t x[16];
    uint64_t step = 0;
    memcpy(x, a, 8);
    for (int round = 0; round < 6; round++)
        for (size_t i = 0; i < n; i++) {
            memcpy(x + 8, r + 8 * i, 8);
            cipher(x, key->enc, key);
            memcpy(r + 8 * i, x + 8, 8);
            ty_put64be(x, ty_get64be(x) ^ ++step);
        }
    memcpy(a, x, 8);
    ty_wipe(x, sizeof x);
}

/* the inverse [algorithm 2] */
static void unmix(uint8_t a[8], uint8_t *r, size_t n, const ty_sm4_key *key)
{
    uint8_t x[16];
    uint64_t step = 6 * (uint64_t)n;
    memcpy(x, a, 8);
    for (int round = 0; round < 6; round++)
        for (size_t i = n; i-- > 0;) {
            ty_put64be(x, ty_get64be(x) ^ step--);
            memcpy(x + 8, r + 8 * i, 8);
            cipher(x, key->dec, key);
            memcpy(r + 8 * i, x + 8, 8);
        }
    memcpy(a, x, 8);
    ty_wipe(x, sizeof x);
}

/* right: all ones, or zero. Only whether something is wrong becomes public; what is wrong stays
 * secret. */
static ty_err verdict(uint8_t *out, size_t len, uint64_t right)
{
    TY_PUBLIC(&right, sizeof right);
    if (right) return TY_OK;
    ty_wipe(out, len);
    return TY_ERR_VERIFY;
}

ty_err ty_sm4_kw_wrap(uint8_t *out, const uint8_t *in, size_t len, const ty_sm4_key *key)
{
    if (len % 8 || len < 16 || ty_overtakes(out, len + 8, in, len, 0)) return TY_ERR_ARG;
    memmove(out + 8, in, len);
    ty_put64be(out, kw_check);
    wrap_mix(out, out + 8, len / 8, key);
    return TY_OK;
}

ty_err ty_sm4_kw_unwrap(uint8_t *out, const uint8_t *in, size_t len, const ty_sm4_key *key)
{
    uint8_t a[8];
    if (len % 8 || len < 24 || ty_overtakes(out, len - 8, in, len, 0)) return TY_ERR_ARG;
    memcpy(a, in, 8);
    memmove(out, in + 8, len - 8);
    unmix(a, out, len / 8 - 1, key);
    const uint64_t right = ty_mask_eq64(ty_get64be(a), kw_check);
    ty_wipe(a, sizeof a);
    return verdict(out, len - 8, right);
}

/* A single semiblock is encrypted once, with its check value: W needs two [RFC 5649, 4.1, step
 * 2]. */
ty_err ty_sm4_kwp_wrap(uint8_t *out, const uint8_t *in, size_t len, const ty_sm4_key *key)
{
    if (len == 0) return TY_ERR_ARG;
    if (ty_over(len, TY_SM4_KWP_MAX)) return TY_ERR_SIZE;
    const size_t padded = (len + 7) / 8 * 8;
    if (ty_overtakes(out, padded + 8, in, len, 0)) return TY_ERR_ARG;
    memmove(out + 8, in, len);
    memset(out + 8 + len, 0, padded - len);
    ty_put64be(out, (uint64_t)kwp_check << 32 | len);
    if (padded == 8) cipher(out, key->enc, key);
    else wrap_mix(out, out + 8, padded / 8, key);
    return TY_OK;
}

/* All ones if `a` is the check value and a length that takes n semiblocks, and the last semiblock
 * is zero after that length.
 *   *len = the length, if so */
static uint64_t kwp_right(uint64_t a, uint64_t last, uint64_t n, uint32_t *len)
{
    /* bytes of padding: 0..7, or the length is wrong */
    const uint64_t over = 8 * n - (uint32_t)a;
    uint64_t right = ty_mask_eq64(a >> 32, kwp_check) & ty_mask_zero64(over >> 3);
    for (unsigned i = 1; i < 8; i++) {
        /* i <= over: the i-th byte from the end is padding */
        const uint64_t inside = ty_mask_bit64((i - over - 1) >> 63);
        right &= ~inside | ty_mask_zero64(last >> 8 * (i - 1) & 255);
    }
    *len = (uint32_t)a;
    return right;
}

ty_err ty_sm4_kwp_unwrap(uint8_t *out, size_t *out_len, const uint8_t *in, size_t len,
                         const ty_sm4_key *key)
{
    uint8_t x[16];
    uint32_t found;
    *out_len = 0;
    if (len % 8 || len < 16) return TY_ERR_ARG;
    if (ty_over(len, (uint64_t)TY_SM4_KWP_MAX + 9)) return TY_ERR_SIZE;
    if (ty_overtakes(out, len - 8, in, len, 0)) return TY_ERR_ARG;
    if (len == 16) {
        memcpy(x, in, 16);
        cipher(x, key->dec, key);
        memcpy(out, x + 8, 8);
    } else {
        memcpy(x, in, 8);
        memmove(out, in + 8, len - 8);
        unmix(x, out, len / 8 - 1, key);
    }
    const uint64_t right =
        kwp_right(ty_get64be(x), ty_get64be(out + (len - 16)), len / 8 - 1, &found);
    ty_wipe(x, sizeof x);
    const ty_err err = verdict(out, len - 8, right);
    if (err != TY_OK) return err;
    /* the check has passed, and the length is returned */
    TY_PUBLIC(&found, sizeof found);
    *out_len = found;
    return TY_OK;
}
