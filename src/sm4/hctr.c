/* HCTR [GB/T 17964-2021, 11]: with P the first block, R the rest and H the hash of rest and tweak,
 *     A = P + H(R)
 *     B = E(A)
 *     R' = R + E(S + 1), E(S + 2), ... with S = A + B
 *     P' = B + H(R')
 * "+" being XOR, also in S + i. Decryption exchanges A and B: B = P + H(R), A = D(B), P' = A +
 * H(R'). */
#include "tongyu/sm4_hctr.h"
#include "base/bytes.h"
#include "base/overlap.h"
#include "base/tag.h"
#include "mod/f2_128.h"
#include "sm4/sm4.h"

#include <string.h>

void ty_sm4_hctr_init(ty_sm4_hctr_key *key, const uint8_t bytes[TY_AT_LEAST(32)])
{
    const ty_f2_128_ops *hash = ty_f2_128_best();
    ty_sm4_init(&key->sm4, bytes);
    key->hash = hash;
    hash->powers(key->power, bytes + 16);
}

static void absorb(uint8_t y[16], const uint8_t *in, size_t blocks, const ty_sm4_hctr_key *key)
{
    TY_HELD(f2_128, key->hash)->horner(y, in, blocks, (const uint64_t (*)[2])key->power);
}

/* y = the hash of r || tweak, padded with zeros, || its length in bits, where r is what follows the
 * first block of a message of `len` bytes: r || tweak is as long as the message. */
static void hctr_hash(uint8_t y[16], const uint8_t *r, size_t len, const uint8_t tweak[16],
                      const ty_sm4_hctr_key *key)
{
    uint8_t tail[48] = { 0 };
    const size_t rest = len % 16, blocks = len / 16 - 1, tail_len = rest ? 48 : 32;
    memset(y, 0, 16);
    absorb(y, r, blocks, key);
    if (rest) memcpy(tail, r + 16 * blocks, rest);
    memcpy(tail + rest, tweak, 16);
    ty_put64be(tail + tail_len - 8, 8 * (uint64_t)len);
    absorb(y, tail, tail_len / 16, key);
    ty_wipe(tail, sizeof tail);
}

/* out = in + E(s + 1), E(s + 2), ...: the number is XORed to the last 64 bits */
static void hctr_ctr(uint8_t *out, const uint8_t *in, size_t len, const uint8_t s[16],
                     const ty_sm4_key *key)
{
    uint8_t x[16 * TY_SM4_CHUNK];
    const uint64_t low = ty_get64be(s + 8);
    uint64_t number = 1;
    const size_t most = len < sizeof x ? (len + 15) / 16 * 16 : sizeof x;
    while (len) {
        const size_t some = len < sizeof x ? len : sizeof x, blocks = (some + 15) / 16;
        for (size_t i = 0; i < blocks; i++) {
            memcpy(x + 16 * i, s, 8);
            ty_put64be(x + 16 * i + 8, low ^ number++);
        }
        TY_HELD(sm4, key->ops)->ecb(x, x, blocks, key->enc);
        const size_t whole = some - some % 16;
        for (size_t i = 0; i < whole; i += 16) ty_sm4_xor(out + i, in + i, x + i);
        for (size_t i = whole; i < some; i++) out[i] = in[i] ^ x[i];
        in += some;
        out += some;
        len -= some;
    }
    ty_wipe(x, most);
}

static ty_err hctr(uint8_t *out, const uint8_t *in, size_t len, const uint8_t tweak[16],
                   const uint32_t *rk, const ty_sm4_hctr_key *key)
{
    uint8_t a[16], b[16], s[16];
    if (len < TY_SM4_HCTR_MIN || ty_crosses(out, in, len)) return TY_ERR_ARG;
    if (ty_over(len, TY_SM4_HCTR_MAX)) return TY_ERR_SIZE;
    hctr_hash(a, in + 16, len, tweak, key);
    ty_sm4_xor(a, a, in);
    TY_HELD(sm4, key->sm4.ops)->ecb(b, a, 1, rk);
    ty_sm4_xor(s, a, b);
    hctr_ctr(out + 16, in + 16, len - 16, s, &key->sm4);
    hctr_hash(a, out + 16, len, tweak, key);
    ty_sm4_xor(out, a, b);
    ty_wipe(a, sizeof a);
    ty_wipe(b, sizeof b);
    ty_wipe(s, sizeof s);
    return TY_OK;
}

ty_err ty_sm4_hctr_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                           const uint8_t tweak[TY_AT_LEAST(16)], const ty_sm4_hctr_key *key)
{
    return hctr(out, in, len, tweak, key->sm4.enc, key);
}

ty_err ty_sm4_hctr_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                           const uint8_t tweak[TY_AT_LEAST(16)], const ty_sm4_hctr_key *key)
{
    return hctr(out, in, len, tweak, key->sm4.dec, key);
}
