/* CFB with 128, 8 and 1 bits of feedback, and OFB. Encryption is a chain in all of them. CFB
 * decryption is not: every input of the cipher is ciphertext, which is known from the start. */
#include "sm4/sm4.h"
#include "base/bytes.h"

#include <string.h>

/* The cipher on one block: always encryption, in both directions. */
static void step(uint8_t out[16], const uint8_t in[16], const ty_sm4_key *key)
{
    TY_HELD(sm4, key->ops)->ecb(out, in, 1, key->enc);
}

/* The keystream is the CBC encryption of zeros, which is a loop inside the kernel. len <= 16
 * TY_SM4_CHUNK, whole blocks */
static void ofb_blocks(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[16],
                       const ty_sm4_key *key)
{
    uint8_t pad[16 * TY_SM4_CHUNK];
    if (len == 16) {
        step(reg, reg, key);
        ty_sm4_xor(out, in, reg);
        return;
    }
    memset(pad, 0, len);
    TY_HELD(sm4, key->ops)->cbc_encrypt(pad, pad, len / 16, reg, key->enc);
    for (size_t i = 0; i < len; i += 16) ty_sm4_xor(out + i, in + i, pad + i);
    ty_wipe(pad, len);
}

void ty_sm4_ofb_run(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[TY_AT_LEAST(16)],
                    uint32_t *left, const ty_sm4_key *key)
{
    for (; len && *left; len--) *out++ = *in++ ^ reg[16 - (*left)--];
    while (len >= 16) {
        const size_t some = len < 16 * TY_SM4_CHUNK ? len - len % 16 : 16 * TY_SM4_CHUNK;
        ofb_blocks(out, in, some, reg, key);
        out += some;
        in += some;
        len -= some;
    }
    if (len == 0) return;
    step(reg, reg, key);
    for (size_t i = 0; i < len; i++) out[i] = in[i] ^ reg[i];
    *left = (uint32_t)(16 - len);
}

/* len <= *left bytes: each is added to its byte of keystream, which is replaced by the
 * ciphertext. */
static void cfb_bytes(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[16], uint32_t *left,
                      int decrypt)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t *r = &reg[16 - (*left)--];
        const uint8_t x = in[i], y = x ^ *r;
        *r = decrypt ? x : y;
        out[i] = y;
    }
}

/* Let D_i = E(C_(i-1)) be the keystream, C_i = P_i + D_i. Then D_(i+1) = E(P_i + D_i): the
 * keystream is the CBC encryption of the plaintext with the iv D_1, which is a loop inside the
 * kernel too. Whole blocks. */
static void cfb_blocks(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[16],
                       const ty_sm4_key *key)
{
    uint8_t pad[16 * (TY_SM4_CHUNK + 1)], next[16];
    const size_t all = len;
    if (len == 0) return;
    if (len == 16) {
        step(reg, reg, key);
        ty_sm4_xor(reg, in, reg);
        memcpy(out, reg, 16);
        return;
    }
    step(next, reg, key);
    while (len) {
        const size_t some = len < 16 * TY_SM4_CHUNK ? len : 16 * TY_SM4_CHUNK, more = len > some;
        memcpy(pad, next, 16);
        TY_HELD(sm4, key->ops)->cbc_encrypt(pad + 16, in, some / 16 - !more, next, key->enc);
        for (size_t i = 0; i < some; i += 16) ty_sm4_xor(out + i, in + i, pad + i);
        memcpy(reg, out + some - 16, 16);
        out += some;
        in += some;
        len -= some;
    }
    ty_wipe(pad, all < sizeof pad - 16 ? all + 16 : sizeof pad);
    ty_wipe(next, sizeof next);
}

void ty_sm4_cfb_run(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[TY_AT_LEAST(16)],
                    uint32_t *left, int decrypt, const ty_sm4_key *key)
{
    if (len == 0) return;
    const size_t head = len < *left ? len : *left, rest = (len - head) % 16, done = len - rest;
    cfb_bytes(out, in, head, reg, left, decrypt);
    if (decrypt) {
        TY_HELD(sm4, key->ops)->cfb_decrypt(out + head, in + head, (done - head) / 16, reg,
                                            key->enc);
    } else {
        cfb_blocks(out + head, in + head, done - head, reg, key);
    }
    if (rest == 0) return;
    step(reg, reg, key);
    *left = 16;
    cfb_bytes(out + done, in + done, rest, reg, left, decrypt);
}

/* reg = reg 2^bits + x mod 2^128, x < 2^bits, 0 < bits <= 8: shifts the ciphertext x in. */
static void shift_in(uint8_t reg[16], unsigned x, unsigned bits)
{
    const uint64_t hi = ty_get64be(reg), lo = ty_get64be(reg + 8);
    ty_put64be(reg, hi << bits | lo >> (64 - bits));
    ty_put64be(reg + 8, lo << bits | x);
}

static void cfb8_encrypt(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[16],
                         const ty_sm4_key *key)
{
    uint8_t pad[16];
    for (size_t i = 0; i < len; i++) {
        step(pad, reg, key);
        out[i] = in[i] ^ pad[0];
        shift_in(reg, out[i], 8);
    }
    ty_wipe(pad, sizeof pad);
}

/* The registers for many bytes are computed first, and encrypted in one call. */
static void cfb8_decrypt(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[16],
                         const ty_sm4_key *key)
{
    uint8_t x[16 * TY_SM4_CHUNK];
    while (len) {
        const size_t some = len < TY_SM4_CHUNK ? len : TY_SM4_CHUNK;
        for (size_t i = 0; i < some; i++) {
            memcpy(x + 16 * i, reg, 16);
            shift_in(reg, in[i], 8);
        }
        TY_HELD(sm4, key->ops)->ecb(x, x, some, key->enc);
        for (size_t i = 0; i < some; i++) out[i] = in[i] ^ x[16 * i];
        in += some;
        out += some;
        len -= some;
    }
    ty_wipe(x, sizeof x);
}

void ty_sm4_cfb8_run(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[TY_AT_LEAST(16)],
                     int decrypt, const ty_sm4_key *key)
{
    if (decrypt) cfb8_decrypt(out, in, len, reg, key);
    else cfb8_encrypt(out, in, len, reg, key);
}

static void cfb1_encrypt(uint8_t *out, const uint8_t *in, size_t bits, uint8_t reg[16],
                         const ty_sm4_key *key)
{
    uint8_t pad[16];
    while (bits) {
        const unsigned some = bits < 8 ? (unsigned)bits : 8;
        const unsigned x = *in++;
        unsigned y = 0;
        for (unsigned i = 0; i < some; i++) {
            step(pad, reg, key);
            const unsigned bit = (x >> (7 - i) ^ (unsigned)pad[0] >> 7) & 1;
            shift_in(reg, bit, 1);
            y |= bit << (7 - i);
        }
        *out++ = (uint8_t)y;
        bits -= some;
    }
    ty_wipe(pad, sizeof pad);
}

static void cfb1_decrypt(uint8_t *out, const uint8_t *in, size_t bits, uint8_t reg[16],
                         const ty_sm4_key *key)
{
    uint8_t x[16 * TY_SM4_CHUNK];
    while (bits) {
        /* every chunk but the last is whole bytes */
        const size_t some = bits < TY_SM4_CHUNK ? bits : TY_SM4_CHUNK;
        for (size_t i = 0; i < some; i++) {
            memcpy(x + 16 * i, reg, 16);
            shift_in(reg, in[i / 8] >> (7 - i % 8) & 1, 1);
        }
        TY_HELD(sm4, key->ops)->ecb(x, x, some, key->enc);
        for (size_t at = 0; at < some; at += 8) {
            unsigned y = in[at / 8];
            for (size_t i = at; i < at + 8 && i < some; i++)
                y ^= (unsigned)(x[16 * i] & 0x80) >> (i - at);
            out[at / 8] = (uint8_t)(some - at < 8 ? y & ~(0xffu >> (some - at)) : y);
        }
        in += some / 8;
        out += some / 8;
        bits -= some;
    }
    ty_wipe(x, sizeof x);
}

void ty_sm4_cfb1_run(uint8_t *out, const uint8_t *in, size_t bits, uint8_t reg[TY_AT_LEAST(16)],
                     int decrypt, const ty_sm4_key *key)
{
    if (decrypt) cfb1_decrypt(out, in, bits, reg, key);
    else cfb1_encrypt(out, in, bits, reg, key);
}

/* --- One-shot --------------------------------------------------------------------------------- */

void ty_sm4_cfb_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                        const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t reg[16];
    uint32_t left = 0;
    memcpy(reg, iv, 16);
    ty_sm4_cfb_run(out, in, len, reg, &left, 0, key);
    ty_wipe(reg, sizeof reg);
}

void ty_sm4_cfb_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                        const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t reg[16];
    uint32_t left = 0;
    memcpy(reg, iv, 16);
    ty_sm4_cfb_run(out, in, len, reg, &left, 1, key);
    ty_wipe(reg, sizeof reg);
}

void ty_sm4_ofb(uint8_t *out, const uint8_t *in, size_t len, const uint8_t iv[TY_AT_LEAST(16)],
                const ty_sm4_key *key)
{
    uint8_t reg[16];
    uint32_t left = 0;
    memcpy(reg, iv, 16);
    ty_sm4_ofb_run(out, in, len, reg, &left, key);
    ty_wipe(reg, sizeof reg);
}

void ty_sm4_cfb8_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                         const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t reg[16];
    memcpy(reg, iv, 16);
    cfb8_encrypt(out, in, len, reg, key);
}

void ty_sm4_cfb8_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                         const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t reg[16];
    memcpy(reg, iv, 16);
    cfb8_decrypt(out, in, len, reg, key);
}

void ty_sm4_cfb1_encrypt(uint8_t *out, const uint8_t *in, size_t bits,
                         const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t reg[16];
    memcpy(reg, iv, 16);
    cfb1_encrypt(out, in, bits, reg, key);
}

void ty_sm4_cfb1_decrypt(uint8_t *out, const uint8_t *in, size_t bits,
                         const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t reg[16];
    memcpy(reg, iv, 16);
    cfb1_decrypt(out, in, bits, reg, key);
}
