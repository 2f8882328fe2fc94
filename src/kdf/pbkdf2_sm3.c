/* PBKDF2 (RFC 8018 section 5.2) with HMAC-SM3 under the password:
 * block i of the output is U_1 ^ U_2 ^ ... ^ U_iterations, where U_1 = HMAC(salt || i) and U_k = HMAC(U_{k-1}). */
#include "sm3/sm3.h"
#include "base/bytes.h"
#include "tongyu/sm3.h"

#include <string.h>

/* Word by word: as vectors, compilers keep copies of a digest in stack slots that nothing wipes. */
static void put_words(uint8_t out[TY_AT_LEAST(32)], const uint32_t x[8])
{
    for (int i = 0; i < 8; i++) {
        ty_put32be(out + 4 * i, x[i]);
        __asm__ volatile("" : : : "memory");
    }
}

/* From U_2 on every message is 32 bytes, so each of HMAC's two hashes is one compression of one padded block
 * on top of a cached key block: digest, a one bit, zeros, and the length (64 + 32) * 8 bits. Only the digest
 * changes from step to step. */
static void chain(uint8_t t[TY_AT_LEAST(32)], const ty_hmac_sm3 *key, uint32_t iterations)
{
    const ty_sm3_ops *ops = ty_sm3_best();
    uint8_t block[TY_SM3_BLOCK] = {0};
    uint32_t h[8], sum[8];

    memcpy(block, t, TY_SM3_LEN);
    block[TY_SM3_LEN] = 0x80;
    ty_put64be(block + TY_SM3_BLOCK - 8, (TY_SM3_BLOCK + TY_SM3_LEN) * 8);
    for (int i = 0; i < 8; i++) sum[i] = ty_get32be(t + 4 * i);

    while (--iterations) {
        memcpy(h, key->inner.h, sizeof h);
        ops->blocks(h, block, 1);
        put_words(block, h);
        memcpy(h, key->outer.h, sizeof h);
        ops->blocks(h, block, 1);
        put_words(block, h);
        for (int i = 0; i < 8; i++) sum[i] ^= h[i];
        /* keep the sum in memory, where it is wiped; else compilers spill a vector copy that nothing wipes */
        __asm__ volatile("" : : "r"(sum) : "memory");
    }
    put_words(t, sum);
    ty_wipe(block, sizeof block);
    ty_wipe(h, sizeof h);
    ty_wipe(sum, sizeof sum);
}

ty_err ty_pbkdf2_sm3(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len,
                     const uint8_t *salt, size_t salt_len, uint32_t iterations)
{
    if (iterations == 0) return TY_ERR_ARG;
    const uint64_t count = (uint64_t)(out_len / TY_SM3_LEN) + (out_len % TY_SM3_LEN != 0);
    if (count > 0xffffffffu) return TY_ERR_SIZE;   /* the block counter has 32 bits */

    ty_hmac_sm3 key;
    ty_hmac_sm3_init(&key, password, password_len);

    uint8_t counter[4], t[TY_SM3_LEN];
    for (uint32_t i = 1; out_len; i++) {
        const size_t n = out_len < sizeof t ? out_len : sizeof t;
        ty_put32be(counter, i);
        ty_hmac_sm3_update(&key, salt, salt_len);
        ty_hmac_sm3_update(&key, counter, sizeof counter);
        ty_hmac_sm3_final(t, &key);
        chain(t, &key, iterations);
        memcpy(out, t, n);
        out += n;
        out_len -= n;
    }
    ty_wipe(&key, sizeof key);
    ty_wipe(t, sizeof t);
    return TY_OK;
}
