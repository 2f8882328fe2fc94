/* The sponge, and SHA-3 and SHAKE made of it. Every length here is public. */
#include "keccak/keccak.h"
#include "base/bytes.h"
#include "base/wipe.h"

#include <string.h>

void ty_keccak_start(ty_keccak *c, unsigned rate, unsigned suffix)
{
    memset(c, 0, sizeof *c);
    c->rate = (uint16_t)rate;
    c->suffix = (uint8_t)suffix;
}

/* Byte i of the state, whatever the machine's byte order. */
static inline void add_byte(ty_keccak *c, size_t i, uint8_t x) { c->a[i / 8] ^= (uint64_t)x << 8 * (i % 8); }
static inline uint8_t get_byte(const ty_keccak *c, size_t i) { return (uint8_t)(c->a[i / 8] >> 8 * (i % 8)); }

/* n bytes into or out of the present block, at c->pos; n <= rate - pos. Whole words where the place allows it. */
static void add_bytes(ty_keccak *c, const uint8_t *p, size_t n)
{
    size_t i = c->pos;
    c->pos = (uint16_t)(c->pos + n);
    for (; n && i % 8; n--) add_byte(c, i++, *p++);
    for (; n >= 8; n -= 8, i += 8, p += 8) c->a[i / 8] ^= ty_get64le(p);
    for (; n; n--) add_byte(c, i++, *p++);
}

static void get_bytes(uint8_t *p, size_t n, ty_keccak *c)
{
    size_t i = c->pos;
    c->pos = (uint16_t)(c->pos + n);
    for (; n && i % 8; n--) *p++ = get_byte(c, i++);
    for (; n >= 8; n -= 8, i += 8, p += 8) ty_put64le(p, c->a[i / 8]);
    for (; n; n--) *p++ = get_byte(c, i++);
}

size_t ty_keccak_fill(ty_keccak *c, const uint8_t *msg, size_t msg_len)
{
    const size_t room = (size_t)(c->rate - c->pos), n = msg_len < room ? msg_len : room;
    add_bytes(c, msg, n);
    return n;
}

/* suffix, zeros, and a last bit */
void ty_keccak_pad(ty_keccak *c)
{
    add_byte(c, c->pos, c->suffix);
    add_byte(c, c->rate - 1u, 0x80);
    c->squeezing = 1;
    c->pos = c->rate;          /* nothing of the output is there before a permutation */
}

/* 1 if there was a permutation, which leaves words of the state below */
static int absorb(ty_keccak *c, const uint8_t *msg, size_t msg_len)
{
    const ty_keccak_ops *const ops = ty_keccak_best();
    int permuted = 0;
    while (msg_len) {
        const size_t n = ty_keccak_fill(c, msg, msg_len);
        msg += n;
        msg_len -= n;
        if (c->pos < c->rate) break;
        ops->f1600(c->a);
        c->pos = 0;
        permuted = 1;
    }
    return permuted;
}

static int squeeze(uint8_t *out, size_t out_len, ty_keccak *c)
{
    const ty_keccak_ops *const ops = ty_keccak_best();
    int permuted = 0;
    if (!c->squeezing) ty_keccak_pad(c);
    while (out_len) {
        if (c->pos == c->rate) {
            ops->f1600(c->a);
            c->pos = 0;
            permuted = 1;
        }
        const size_t there = (size_t)(c->rate - c->pos), n = out_len < there ? out_len : there;
        get_bytes(out, n, c);
        out += n;
        out_len -= n;
    }
    return permuted;
}

void ty_keccak_absorb(ty_keccak *c, const uint8_t *msg, size_t msg_len) { (void)absorb(c, msg, msg_len); }
void ty_keccak_squeeze(uint8_t *out, size_t out_len, ty_keccak *c) { (void)squeeze(out, out_len, c); }

/* --- SHA-3 -------------------------------------------------------------------------------------------------------- */

void ty_sha3_update(ty_keccak *c, const uint8_t *msg, size_t msg_len)
{
    if (c->rate && absorb(c, msg, msg_len)) ty_wipe_below_1k();
}

size_t ty_sha3_final(uint8_t *out, ty_keccak *c)
{
    const size_t len = c->rate ? (200u - c->rate) / 2 : 0;   /* the capacity is twice the digest */
    if (len && squeeze(out, len, c)) ty_wipe_below_1k();
    ty_wipe(c, sizeof *c);
    return len;
}

#define SHA3(bits)                                                                                                    \
    void ty_sha3_##bits##_init(ty_keccak *c) { ty_keccak_start(c, TY_SHA3_##bits##_BLOCK, TY_KECCAK_SHA3); }          \
    void ty_sha3_##bits##_hash(uint8_t out[TY_AT_LEAST(bits / 8)], const uint8_t *msg, size_t msg_len)                \
    {                                                                                                                 \
        ty_keccak c;                                                                                                  \
        ty_sha3_##bits##_init(&c);                                                                                    \
        ty_keccak_absorb(&c, msg, msg_len);                                                                           \
        (void)ty_sha3_final(out, &c);                                                                                 \
    }
SHA3(224)
SHA3(256)
SHA3(384)
SHA3(512)

/* --- SHAKE -------------------------------------------------------------------------------------------------------- */

ty_err ty_shake_update(ty_keccak *c, const uint8_t *msg, size_t msg_len)
{
    if (!c->rate || c->squeezing) return TY_ERR_STATE;
    if (absorb(c, msg, msg_len)) ty_wipe_below_1k();
    return TY_OK;
}

ty_err ty_shake_squeeze(uint8_t *out, size_t out_len, ty_keccak *c)
{
    if (!c->rate) {
        if (out_len) memset(out, 0, out_len);
        return TY_ERR_STATE;
    }
    if (squeeze(out, out_len, c)) ty_wipe_below_1k();
    return TY_OK;
}

#define SHAKE(bits)                                                                                                   \
    void ty_shake##bits##_init(ty_keccak *c) { ty_keccak_start(c, TY_SHAKE##bits##_BLOCK, TY_KECCAK_SHAKE); }         \
    void ty_shake##bits##_hash(uint8_t *out, size_t out_len, const uint8_t *msg, size_t msg_len)                      \
    {                                                                                                                 \
        ty_keccak c;                                                                                                  \
        ty_shake##bits##_init(&c);                                                                                    \
        ty_keccak_absorb(&c, msg, msg_len);                                                                           \
        ty_keccak_squeeze(out, out_len, &c);                                                                          \
        ty_wipe(&c, sizeof c);                                                                                        \
        ty_wipe_below_1k();                                                                                           \
    }
SHAKE(128)
SHAKE(256)
