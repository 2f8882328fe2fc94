/* XTS [IEEE 1619-2018, 5; GB/T 17964-2021, 10]: block P of index j in a data unit becomes E(P + T
 * x^j) + T x^j, where T is the tweak, encrypted under a second key. The masks T x^j are computed
 * for a chunk, then the kernel does the rest. */
#include "tongyu/sm4_xts.h"
#include "base/bytes.h"
#include "base/ct.h"
#include "base/overlap.h"
#include "base/wipe.h"
#include "mod/f2_128.h"
#include "sm4/sm4.h"

#include <string.h>

/* The constants of a call, and scratch for masks */
typedef struct job {
    const ty_sm4_ops *ops;
    const uint32_t *rk;
    const ty_f2_128_ops *field;
    int gb, decrypt;   /* gb: 1 for the order of bits of GB/T 17964, 0 for that of IEEE 1619 */
    uint8_t mask[16 * TY_SM4_CHUNK];
} job;

static void whole(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t t[16], job *j)
{
    while (blocks) {
        const size_t some = blocks < TY_SM4_CHUNK ? blocks : TY_SM4_CHUNK;
        j->field->ladder(j->mask, some, t, j->gb);
        TY_HELD(sm4, j->ops)->xex(out, in, j->mask, some, j->rk);
        in += 16 * some;
        out += 16 * some;
        blocks -= some;
    }
}

/* The last block and the `rest` bytes after it, 0 < rest < 16, whose masks are t and t x.
 * Encryption takes the masks in order, decryption the later one first; otherwise they are the same:
 *   the block goes through the cipher, and its first `rest` bytes become the last bytes of `out`;
 *   the last bytes of `in` replace them, and the block goes through the cipher once more. */
static void steal(uint8_t *out, const uint8_t *in, size_t rest, uint8_t t[16], job *j)
{
    uint8_t x[16], last[16];
    j->field->ladder(j->mask, 2, t, j->gb);
    const uint8_t *first = j->mask, *second = j->mask + 16;
    if (j->decrypt) {
        first = second;
        second = j->mask;
    }
    memcpy(last, in + 16, rest);                 /* before `out`, which may be `in`, is written */
    TY_HELD(sm4, j->ops)->xex(x, in, first, 1, j->rk);
    memcpy(out + 16, x, rest);
    memcpy(x, last, rest);
    TY_HELD(sm4, j->ops)->xex(out, x, second, 1, j->rk);
    ty_wipe(x, sizeof x);
    ty_wipe(last, sizeof last);
    ty_wipe_below_8k();
}

/* One data unit; t is its tweak, encrypted, and is overwritten. */
static void unit(uint8_t *out, const uint8_t *in, size_t len, uint8_t t[16], job *j)
{
    const size_t rest = len % 16, done = rest ? len - rest - 16 : len;
    if (len == 16) {
        /* one block: its mask is the tweak itself */
        TY_HELD(sm4, j->ops)->xex(out, in, t, 1, j->rk);
        return;
    }
    whole(out, in, done / 16, t, j);
    if (rest) steal(out + done, in + done, rest, t, j);
}

static void set(job *j, int gb, int decrypt, const ty_sm4_xts_key *key)
{
    j->ops = key->data.ops;
    j->rk = decrypt ? key->data.dec : key->data.enc;
    j->field = ty_f2_128_best();
    j->gb = gb;
    j->decrypt = decrypt;
}

static ty_err check(size_t len)
{
    if (len < TY_SM4_XTS_MIN) return TY_ERR_ARG;
    return len > TY_SM4_XTS_MAX ? TY_ERR_SIZE : TY_OK;
}

static ty_err one(uint8_t *out, const uint8_t *in, size_t len, const uint8_t tweak[16], int gb,
                  int decrypt, const ty_sm4_xts_key *key)
{
    job j;
    uint8_t t[16];
    const ty_err err = check(len);
    if (err != TY_OK) return err;
    if (ty_crosses(out, in, len)) return TY_ERR_ARG;
    set(&j, gb, decrypt, key);
    TY_HELD(sm4, j.ops)->ecb(t, tweak, 1, key->tweak.enc);
    unit(out, in, len, t, &j);
    /* no more of it was written */
    if (len > 16) ty_wipe(j.mask, len < sizeof j.mask - 16 ? len + 16 : sizeof j.mask);
    ty_wipe(t, sizeof t);
    return TY_OK;
}

/* The tweaks of many sectors are encrypted together: one alone would take the time of many blocks
 * of data. */
static ty_err many(uint8_t *out, const uint8_t *in, size_t sectors, size_t len, uint64_t first,
                   int gb, int decrypt, const ty_sm4_xts_key *key)
{
    job j;
    uint8_t t[16 * TY_SM4_CHUNK];
    const ty_err err = check(len);
    if (err != TY_OK) return err;
    if (sectors > SIZE_MAX / len) return TY_ERR_SIZE;
    if (ty_crosses(out, in, sectors * len)) return TY_ERR_ARG;
    set(&j, gb, decrypt, key);
    while (sectors) {
        const size_t some = sectors < TY_SM4_CHUNK ? sectors : TY_SM4_CHUNK;
        for (size_t i = 0; i < some; i++) ty_sm4_xts_tweak(t + 16 * i, first + i);
        TY_HELD(sm4, j.ops)->ecb(t, t, some, key->tweak.enc);
        for (size_t i = 0; i < some; i++, in += len, out += len) unit(out, in, len, t + 16 * i, &j);
        first += some;
        sectors -= some;
    }
    ty_wipe(j.mask, sizeof j.mask);
    ty_wipe(t, sizeof t);
    return TY_OK;
}

ty_err ty_sm4_xts_init(ty_sm4_xts_key *key, const uint8_t bytes[TY_AT_LEAST(32)])
{
    int same = ty_equal(bytes, bytes + 16, 16);
    /* the result tells whether the key is refused */
    TY_PUBLIC(&same, sizeof same);
    if (same) {
        ty_wipe(key, sizeof *key);
        return TY_ERR_KEY;
    }
    ty_sm4_init(&key->data, bytes);
    ty_sm4_init(&key->tweak, bytes + 16);
    return TY_OK;
}

void ty_sm4_xts_tweak(uint8_t tweak[TY_AT_LEAST(16)], uint64_t number)
{
    ty_put64le(tweak, number);
    memset(tweak + 8, 0, 8);
}

ty_err ty_sm4_xts_ieee_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                               const uint8_t tweak[TY_AT_LEAST(16)], const ty_sm4_xts_key *key)
{
    return one(out, in, len, tweak, 0, 0, key);
}

ty_err ty_sm4_xts_ieee_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                               const uint8_t tweak[TY_AT_LEAST(16)], const ty_sm4_xts_key *key)
{
    return one(out, in, len, tweak, 0, 1, key);
}

ty_err ty_sm4_xts_gb_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                             const uint8_t tweak[TY_AT_LEAST(16)], const ty_sm4_xts_key *key)
{
    return one(out, in, len, tweak, 1, 0, key);
}

ty_err ty_sm4_xts_gb_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                             const uint8_t tweak[TY_AT_LEAST(16)], const ty_sm4_xts_key *key)
{
    return one(out, in, len, tweak, 1, 1, key);
}

ty_err ty_sm4_xts_ieee_encrypt_sectors(uint8_t *out, const uint8_t *in, size_t sectors,
                                       size_t sector_len, uint64_t first, const ty_sm4_xts_key *key)
{
    return many(out, in, sectors, sector_len, first, 0, 0, key);
}

ty_err ty_sm4_xts_ieee_decrypt_sectors(uint8_t *out, const uint8_t *in, size_t sectors,
                                       size_t sector_len, uint64_t first, const ty_sm4_xts_key *key)
{
    return many(out, in, sectors, sector_len, first, 0, 1, key);
}

ty_err ty_sm4_xts_gb_encrypt_sectors(uint8_t *out, const uint8_t *in, size_t sectors,
                                     size_t sector_len, uint64_t first, const ty_sm4_xts_key *key)
{
    return many(out, in, sectors, sector_len, first, 1, 0, key);
}

ty_err ty_sm4_xts_gb_decrypt_sectors(uint8_t *out, const uint8_t *in, size_t sectors,
                                     size_t sector_len, uint64_t first, const ty_sm4_xts_key *key)
{
    return many(out, in, sectors, sector_len, first, 1, 1, key);
}
