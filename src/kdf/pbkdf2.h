/* PBKDF2 (RFC 8018 section 5.2) with an HMAC under the password:
 * block i of the output is U_1 ^ U_2 ^ ... ^ U_iterations, where U_1 = HMAC(salt || i) and U_k =
 * HMAC(U_{k-1}). Template, once in a unit:
 *
 *   PBKDF2          the name of the function
 *   HMAC            the state of the HMAC, as mac/hmac.h has it; HMAC_FN(verb) its functions: init,
 *                   update, final
 *   BLOCKS          the compression function under it, of 64-byte blocks and eight 32-bit words
 */
#ifndef TY_KDF_PBKDF2_H
#define TY_KDF_PBKDF2_H

#include "base/bytes.h"
#include "base/wipe.h"

#include <string.h>

#define HASH_BLOCK 64
#define HASH_LEN   32

/* Word by word: compilers that use vectors keep copies of a digest in stack slots that nothing
 * wipes. */
static void put_words(uint8_t out[TY_AT_LEAST(32)], const uint32_t x[8])
{
    for (int i = 0; i < 8; i++) {
        ty_put32be(out + 4 * i, x[i]);
        __asm__ volatile("" : : : "memory");
    }
}

/* t = U_1 on entry, U_1 ^ ... ^ U_iterations on return. From U_2 on every message is 32 bytes, so
 * each of HMAC's two hashes is one compression of one padded block after a cached key block:
 * digest, a one bit, zeros, and the length (64 + 32) * 8 bits. Only the digest changes from step to
 * step. */
static void chain(uint8_t t[TY_AT_LEAST(32)], const HMAC *key, uint32_t iterations)
{
    void (*const blocks)(uint32_t *, const uint8_t *, size_t) = BLOCKS;
    uint8_t block[HASH_BLOCK] = {0};
    uint32_t h[8], sum[8];

    memcpy(block, t, HASH_LEN);
    block[HASH_LEN] = 0x80;
    ty_put64be(block + HASH_BLOCK - 8, (HASH_BLOCK + HASH_LEN) * 8);
    for (int i = 0; i < 8; i++) sum[i] = ty_get32be(t + 4 * i);

    while (--iterations) {
        memcpy(h, key->inner.h, sizeof h);
        blocks(h, block, 1);
        put_words(block, h);
        memcpy(h, key->outer.h, sizeof h);
        blocks(h, block, 1);
        put_words(block, h);
        for (int i = 0; i < 8; i++) sum[i] ^= h[i];
        /* keep the sum in memory, where it is wiped; else compilers spill a vector copy that
         * nothing wipes */
        __asm__ volatile("" : : "r"(sum) : "memory");
    }
    put_words(t, sum);
    ty_wipe(block, sizeof block);
    ty_wipe(h, sizeof h);
    ty_wipe(sum, sizeof sum);
    ty_wipe_below_1k();
}

ty_err PBKDF2(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len,
              const uint8_t *salt, size_t salt_len, uint32_t iterations)
{
    if (iterations == 0) return TY_ERR_ARG;
    const uint64_t count = (uint64_t)(out_len / HASH_LEN) + (out_len % HASH_LEN != 0);
    if (count > 0xffffffffu) return TY_ERR_SIZE;   /* the block counter has 32 bits */

    HMAC key;
    HMAC_FN(init)(&key, password, password_len);

    uint8_t counter[4], t[HASH_LEN];
    for (uint32_t i = 1; out_len; i++) {
        const size_t n = out_len < sizeof t ? out_len : sizeof t;
        ty_put32be(counter, i);
        HMAC_FN(update)(&key, salt, salt_len);
        HMAC_FN(update)(&key, counter, sizeof counter);
        HMAC_FN(final)(t, &key);
        chain(t, &key, iterations);
        memcpy(out, t, n);
        out += n;
        out_len -= n;
    }
    ty_wipe(&key, sizeof key);
    ty_wipe(t, sizeof t);
    return TY_OK;
}

#endif
