/* The sponge, SHA-3 and SHAKE. Every length here is public. */
#include "keccak/keccak.h"
#include "base/wipe.h"

#include <string.h>

void ty_keccak_start(ty_keccak *c, unsigned rate, unsigned suffix)
{
    memset(c, 0, sizeof *c);
    c->rate = (uint16_t)rate;
    c->suffix = (uint8_t)suffix;
}

/* Adds p[0..n) to bytes [i, i + n) of the state, all in one word, n < 8; get_part reads such bytes.
 * Kernels take whole words. */
static void add_part(ty_keccak *c, size_t i, const uint8_t *p, size_t n)
{
    uint8_t word[8] = { 0 };
    for (size_t j = 0; j < n; j++) word[i % 8 + j] = p[j];
    ty_keccak_best()->add(c->a, i / 8, word, 1);
    ty_wipe(word, sizeof word);
}

static void get_part(uint8_t *p, size_t n, const ty_keccak *c, size_t i)
{
    uint8_t word[8];
    ty_keccak_best()->get(word, c->a, i / 8, 1);
    for (size_t j = 0; j < n; j++) p[j] = word[i % 8 + j];
    ty_wipe(word, sizeof word);
}

/* how many of n bytes from position i on are in front of the first whole word */
static inline size_t to_word(size_t i, size_t n)
{
    const size_t want = (8 - i % 8) % 8;
    return want < n ? want : n;
}

/* add_bytes and get_bytes: n bytes into or out of the current block, from c->pos on, n <= rate -
 * pos; whole words at once where they are aligned. c->pos moves on. */
static void add_bytes(ty_keccak *c, const uint8_t *p, size_t n)
{
    size_t i = c->pos;
    const size_t first = to_word(i, n), whole = (n - first) / 8, last = (n - first) % 8;
    c->pos = (uint16_t)(i + n);
    if (first) add_part(c, i, p, first);
    i += first;
    if (whole) ty_keccak_best()->add(c->a, i / 8, p + first, whole);
    if (last) add_part(c, i + 8 * whole, p + n - last, last);
}

static void get_bytes(uint8_t *p, size_t n, ty_keccak *c)
{
    size_t i = c->pos;
    const size_t first = to_word(i, n), whole = (n - first) / 8, last = (n - first) % 8;
    c->pos = (uint16_t)(i + n);
    if (first) get_part(p, first, c, i);
    i += first;
    if (whole) ty_keccak_best()->get(p + first, c->a, i / 8, whole);
    if (last) get_part(p + n - last, last, c, i + 8 * whole);
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
    static const uint8_t top = 0x80;
    add_part(c, c->pos, &c->suffix, 1);
    add_part(c, c->rate - 1u, &top, 1);
    c->squeezing = 1;
    c->pos = c->rate;          /* there is no output before a permutation */
}

/* absorb and squeeze return 1 if there was a permutation, which leaves words of the state on the
 * stack below */
static int absorb(ty_keccak *c, const uint8_t *msg, size_t msg_len)
{
    const ty_keccak_ops *const ops = ty_keccak_best();
    int permuted = 0;
    while (msg_len) {
        const size_t n = ty_keccak_fill(c, msg, msg_len);
        msg += n;
        msg_len -= n;
        if (c->pos < c->rate) break;
        ops->permute(c->a);
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
            ops->permute(c->a);
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

void ty_keccak_absorb(ty_keccak *c, const uint8_t *msg, size_t msg_len)
{
    (void)absorb(c, msg, msg_len);
}
void ty_keccak_squeeze(uint8_t *out, size_t out_len, ty_keccak *c)
{
    (void)squeeze(out, out_len, c);
}

/* --- SHA-3 ------------------------------------------------------------------------------------ */

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

#define SHA3(bits)                                                                                 \
    void ty_sha3_##bits##_init(ty_keccak *c)                                                       \
    {                                                                                              \
        ty_keccak_start(c, TY_SHA3_##bits##_BLOCK, TY_KECCAK_SHA3);                                \
    }                                                                                              \
    void ty_sha3_##bits##_hash(uint8_t out[TY_AT_LEAST(bits / 8)], const uint8_t *msg,             \
                               size_t msg_len)                                                     \
    {                                                                                              \
        ty_keccak c;                                                                               \
        ty_sha3_##bits##_init(&c);                                                                 \
        ty_keccak_absorb(&c, msg, msg_len);                                                        \
        (void)ty_sha3_final(out, &c);                                                              \
    }
SHA3(224)
SHA3(256)
SHA3(384)
SHA3(512)

/* --- SHAKE ------------------------------------------------------------------------------------ */

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

#define SHAKE(bits)                                                                                \
    void ty_shake##bits##_init(ty_keccak *c)                                                       \
    {                                                                                              \
        ty_keccak_start(c, TY_SHAKE##bits##_BLOCK, TY_KECCAK_SHAKE);                               \
    }                                                                                              \
    void ty_shake##bits##_hash(uint8_t *out, size_t out_len, const uint8_t *msg, size_t msg_len)   \
    {                                                                                              \
        ty_keccak c;                                                                               \
        ty_shake##bits##_init(&c);                                                                 \
        ty_keccak_absorb(&c, msg, msg_len);                                                        \
        ty_keccak_squeeze(out, out_len, &c);                                                       \
        ty_wipe(&c, sizeof c);                                                                     \
        ty_wipe_below_1k();                                                                        \
    }
SHAKE(128)
SHAKE(256)
