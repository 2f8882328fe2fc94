/* AES by computation in its field, without tables: see key/aes.h. */
#include "key/aes.h"
#include "base/bytes.h"
#include "base/wipe.h"

#include <string.h>

/* --- the field GF(2)[x] / (x^8 + x^4 + x^3 + x + 1), eight elements in a word ----------------- */

static const uint64_t ones = 0x0101010101010101;

static uint64_t twice(uint64_t a)   /* x a */
{
    const uint64_t top = a >> 7 & ones;
    return (a << 1 & ~ones) ^ top ^ top << 1 ^ top << 3 ^ top << 4;
}

static uint64_t mul(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    for (int i = 0; i < 8; i++, a = twice(a)) {
        const uint64_t bit = b >> i & ones;
        sum ^= a & ((bit << 8) - bit);   /* ff where the bit is set */
    }
    return sum;
}

/* 1/a, and 0 for a = 0: a^254 */
static uint64_t invert(uint64_t a)
{
    const uint64_t a2 = mul(a, a), a3 = mul(a2, a), a6 = mul(a3, a3), a12 = mul(a6, a6),
                   a15 = mul(a12, a3);
    const uint64_t a30 = mul(a15, a15), a60 = mul(a30, a30), a120 = mul(a60, a60),
                   a240 = mul(a120, a120);
    return mul(mul(a240, a12), a2);
}

static uint64_t rotate(uint64_t a, int n)   /* each byte to the left */
{
    const uint64_t low = ones * ((1u << n) - 1);
    return (a << n & ~low) | (a >> (8 - n) & low);
}

static uint64_t sub(uint64_t a)             /* the S-box    [FIPS 197, 5.1.1] */
{
    a = invert(a);
    return a ^ rotate(a, 1) ^ rotate(a, 2) ^ rotate(a, 3) ^ rotate(a, 4) ^ ones * 0x63;
}

static uint64_t unsub(uint64_t a)
{
    return invert(rotate(a, 1) ^ rotate(a, 3) ^ rotate(a, 6) ^ ones * 0x05);
}

/* --- columns, two in a word ------------------------------------------------------------------- */

/* For each byte, the byte n rows below it in its column. */
static uint64_t below(uint64_t a, int n)
{
    const uint64_t low = (0xffffffffu >> 8 * n) * 0x100000001u;
    return (a >> 8 * n & low) | (a << (32 - 8 * n) & ~low);
}

static uint64_t mix(uint64_t a)     /* times 3 x^3 + x^2 + x + 2 modulo x^4 + 1    [5.1.3] */
{
    return twice(a ^ below(a, 1)) ^ below(a, 1) ^ below(a, 2) ^ below(a, 3);
}

/* 11 x^3 + 13 x^2 + 9 x + 14 is the polynomial of mix() times 4 x^2 + 5. */
static uint64_t unmix(uint64_t a) { return mix(a ^ twice(twice(a ^ below(a, 2)))); }

/* Rotates row r to the left by r columns, or to the right. */
static void shift_rows(uint64_t s[2], int left)
{
    uint8_t in[16], out[16];
    ty_put64le(in, s[0]);
    ty_put64le(in + 8, s[1]);
    for (int i = 0; i < 16; i++) out[i] = in[(i + (left ? 4 : 12) * (i % 4)) % 16];
    s[0] = ty_get64le(out);
    s[1] = ty_get64le(out + 8);
    ty_wipe(in, sizeof in);
    ty_wipe(out, sizeof out);
}

/* --- the cipher ------------------------------------------------------------------------------- */

void ty_aes_init(ty_aes *c, const uint8_t *key, size_t key_len)
{
    const size_t words = key_len / 4, total = 4 * (words + 7);
    uint8_t w[60][4], power[8] = { 1 };
    c->rounds = (unsigned)words + 6;
    memcpy(w, key, key_len);
    for (size_t i = words; i < total; i++) {
        uint8_t t[8] = { 0 };
        memcpy(t, w[i - 1], 4);
        if (i % words == 0) {
            const uint8_t first = t[0];
            memmove(t, t + 1, 3);
            t[3] = first;
        }
        if (i % words == 0 || (words == 8 && i % 8 == 4)) ty_put64le(t, sub(ty_get64le(t)));
        if (i % words == 0) {
            t[0] ^= power[0];
            ty_put64le(power, twice(ty_get64le(power)));
        }
        for (int j = 0; j < 4; j++) w[i][j] = w[i - words][j] ^ t[j];
        ty_wipe(t, sizeof t);
    }
    for (size_t i = 0; i < total / 2; i++) c->round_key[i / 2][i % 2] = ty_get64le(w[2 * i]);
    ty_wipe(w, sizeof w);
    ty_wipe_below_1k();
}

static void add_key(uint64_t s[2], const ty_aes *c, unsigned round)
{
    s[0] ^= c->round_key[round][0];
    s[1] ^= c->round_key[round][1];
}

static void encrypt(uint64_t s[2], const ty_aes *c)
{
    add_key(s, c, 0);
    for (unsigned round = 1; round <= c->rounds; round++) {
        s[0] = sub(s[0]);
        s[1] = sub(s[1]);
        shift_rows(s, 1);
        if (round < c->rounds) {
            s[0] = mix(s[0]);
            s[1] = mix(s[1]);
        }
        add_key(s, c, round);
    }
}

static void decrypt(uint64_t s[2], const ty_aes *c)
{
    for (unsigned round = c->rounds; round > 0; round--) {
        add_key(s, c, round);
        if (round < c->rounds) {
            s[0] = unmix(s[0]);
            s[1] = unmix(s[1]);
        }
        shift_rows(s, 0);
        s[0] = unsub(s[0]);
        s[1] = unsub(s[1]);
    }
    add_key(s, c, 0);
}

void ty_aes_cbc_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                        const uint8_t iv[TY_AT_LEAST(16)], const ty_aes *c)
{
    uint64_t s[2] = { ty_get64le(iv), ty_get64le(iv + 8) };
    for (; len; len -= 16, in += 16, out += 16) {
        s[0] ^= ty_get64le(in);
        s[1] ^= ty_get64le(in + 8);
        encrypt(s, c);
        ty_put64le(out, s[0]);
        ty_put64le(out + 8, s[1]);
    }
    ty_wipe(s, sizeof s);
    ty_wipe_below_1k();
}

/* Not inlined: GCC -O3 keeps round key 0 in this function's frame, and the caller wipes the stack
 * below its own frame only. */
static __attribute__((noinline))
void aes_cbc_decrypt_blocks(uint8_t *out, const uint8_t *in, size_t len, const uint8_t *iv,
                            const ty_aes *c)
{
    uint64_t s[2], before[2] = { ty_get64le(iv), ty_get64le(iv + 8) };
    for (; len; len -= 16, in += 16, out += 16) {
        const uint64_t now[2] = { ty_get64le(in), ty_get64le(in + 8) };
        memcpy(s, now, sizeof s);
        decrypt(s, c);
        ty_put64le(out, s[0] ^ before[0]);
        ty_put64le(out + 8, s[1] ^ before[1]);
        memcpy(before, now, sizeof before);
    }
    ty_wipe(s, sizeof s);
}

void ty_aes_cbc_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                        const uint8_t iv[TY_AT_LEAST(16)], const ty_aes *c)
{
    aes_cbc_decrypt_blocks(out, in, len, iv, c);
    ty_wipe_below_1k();
}
