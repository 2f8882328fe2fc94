/* scrypt in portable C. */
#include "kdf/scrypt.h"
#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "sha2/sha2.h"

#include <string.h>

enum { WORDS = 16 };   /* of a block of Salsa20: 64 bytes */

static uint32_t get32le(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void put32le(uint8_t *p, uint32_t x)
{
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(x >> 8 * i);
}

static void quarter(uint32_t x[WORDS], int a, int b, int c, int d)
{
    x[b] ^= ty_rotl32(x[a] + x[d], 7);
    x[c] ^= ty_rotl32(x[b] + x[a], 9);
    x[d] ^= ty_rotl32(x[c] + x[b], 13);
    x[a] ^= ty_rotl32(x[d] + x[c], 18);
}

/* x = Salsa20/8 of x ^ in; start is scratch space    [RFC 7914, 3] */
static void salsa(uint32_t x[WORDS], uint32_t start[WORDS], const uint32_t *in)
{
    for (int i = 0; i < WORDS; i++) start[i] = x[i] ^= in[i];
    for (int round = 0; round < 8; round += 2) {
        quarter(x, 0, 4, 8, 12);
        quarter(x, 5, 9, 13, 1);
        quarter(x, 10, 14, 2, 6);
        quarter(x, 15, 3, 7, 11);
        quarter(x, 0, 1, 2, 3);
        quarter(x, 5, 6, 7, 4);
        quarter(x, 10, 11, 8, 9);
        quarter(x, 15, 12, 13, 14);
    }
    for (int i = 0; i < WORDS; i++) x[i] += start[i];
}

/* out = scryptBlockMix of b, 2 r blocks: the even-numbered ones first    [RFC 7914, 4] */
static void block_mix(uint32_t *out, const uint32_t *b, size_t r)
{
    uint32_t x[WORDS], start[WORDS];
    memcpy(x, b + (2 * r - 1) * WORDS, sizeof x);
    for (size_t i = 0; i < 2 * r; i++) {
        salsa(x, start, b + i * WORDS);
        memcpy(out + (i / 2 + i % 2 * r) * WORDS, x, sizeof x);
    }
    ty_wipe(x, sizeof x);
    ty_wipe(start, sizeof start);
}

/* scryptROMix of b in place. v has n times as many words as b, t the same number as b.
 * [RFC 7914, 5] */
static void ro_mix(uint32_t *b, uint32_t *v, uint32_t *t, uint64_t n, size_t r)
{
    const size_t len = 2 * r * WORDS;
    for (size_t i = 0; i < n; i++) {
        memcpy(v + i * len, b, len * sizeof *b);
        block_mix(t, b, r);
        memcpy(b, t, len * sizeof *b);
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t *const last = b + (2 * r - 1) * WORDS;
        uint64_t place = ((uint64_t)last[1] << 32 | last[0]) & (n - 1);
        /* in scrypt, addresses depend on the password by design */
        TY_PUBLIC(&place, sizeof place);
        const uint32_t *const there = v + (size_t)place * len;
        for (size_t j = 0; j < len; j++) b[j] ^= there[j];
        block_mix(t, b, r);
        memcpy(b, t, len * sizeof *b);
    }
}

size_t ty_scrypt_memory(uint64_t n, uint32_t r, uint32_t p)
{
    if (n < 2 || n & (n - 1) || r == 0 || p == 0 || (uint64_t)r * p >= 1u << 30) return 0;
    if (r < 4 && n >> 16 * r) return 0;
    /* the p blocks B_i, n blocks V_i, and 2 more: 128 r bytes each */
    const uint64_t pieces = n + p + 2, most = SIZE_MAX / 2 / 128;
    return pieces > most / r ? 0 : (size_t)(128 * pieces * r);
}

ty_err ty_scrypt(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len,
                 const uint8_t *salt, size_t salt_len, uint64_t n, uint32_t r, uint32_t p,
                 void *memory)
{
    const size_t all = ty_scrypt_memory(n, r, p), piece = (size_t)128 * r;
    if (all == 0) return TY_ERR_ARG;
    uint8_t *const b = memory;
    uint32_t *const x = (uint32_t *)(void *)(b + p * piece), *const t = x + piece / 4,
                    *const v = t + piece / 4;
    ty_err err = ty_pbkdf2_sha256(b, p * piece, password, password_len, salt, salt_len, 1);
    for (uint32_t i = 0; err == TY_OK && i < p; i++) {
        for (size_t j = 0; j < piece / 4; j++) x[j] = get32le(b + i * piece + 4 * j);
        ro_mix(x, v, t, n, r);
        for (size_t j = 0; j < piece / 4; j++) put32le(b + i * piece + 4 * j, x[j]);
    }
    if (err == TY_OK) err = ty_pbkdf2_sha256(out, out_len, password, password_len, b, p * piece, 1);
    ty_wipe(memory, all);
    ty_wipe_below_8k();
    return err;
}
