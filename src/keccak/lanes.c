/* SHAKE on several messages at once, of equal or different lengths. */
#include "keccak/keccak_lanes.h"
#include "base/bytes.h"

#include <string.h>

/* a[lanes * w] ^= the w-th word of p[0..n), n <= 200; the last word may be incomplete */
static void add_block(uint64_t *a, size_t lanes, const uint8_t *p, size_t n)
{
    size_t w = 0;
    for (; n >= 8; n -= 8, p += 8, w++) a[lanes * w] ^= ty_get64le(p);
    for (size_t i = 0; i < n; i++) a[lanes * w] ^= (uint64_t)p[i] << 8 * i;
}

/* out[len] = the first bytes of the block of a lane, len <= rate */
static void give(uint8_t *out, size_t len, const ty_keccak_lanes *s, size_t lane)
{
    const uint64_t *a = s->a + lane;
    for (; len >= 8; len -= 8, out += 8, a += s->lanes) ty_put64le(out, *a);
    for (size_t i = 0; i < len; i++) out[i] = (uint8_t)(*a >> 8 * i);
}

void ty_keccak_lanes_absorb(ty_keccak_lanes *s, unsigned lanes, unsigned rate,
                            const uint8_t *const *in, size_t len)
{
    memset(s->a, 0, 25 * lanes * sizeof s->a[0]);
    s->lanes = lanes;
    s->rate = rate;
    s->ops = ty_keccak_best();
    s->extra = NULL;
    size_t done = 0;
    for (; len - done >= rate; done += rate) {
        for (unsigned i = 0; i < lanes; i++) add_block(s->a + i, lanes, in[i] + done, rate);
        ty_keccak_lanes_next(s);
    }
    const size_t rest = len - done, last = rate / 8 - 1;   /* rates are whole words */
    for (unsigned i = 0; i < lanes; i++) {
        if (rest) add_block(s->a + i, lanes, in[i] + done, rest);
        s->a[lanes * (rest / 8) + i] ^= (uint64_t)TY_KECCAK_SHAKE << 8 * (rest % 8);
        s->a[lanes * last + i] ^= (uint64_t)1 << 63;
    }
}

void ty_keccak_lanes_squeeze(uint8_t *const *out, size_t blocks, ty_keccak_lanes *s)
{
    int all = 1;
    for (size_t i = 0; i < s->lanes; i++) all &= out[i] != NULL;
    for (size_t b = 0; b < blocks; b++) {
        uint8_t *at[8];
        ty_keccak_lanes_next(s);
        for (size_t i = 0; i < s->lanes; i++) {
            at[i] = out[i] ? out[i] + s->rate * b : NULL;
            if (at[i] && !all) give(at[i], s->rate, s, i);
        }
        for (size_t i = 0; all && i < s->lanes; i += 4)
            TY_HELD(keccak, s->ops)->give_x4(at + i, s->a + i, s->lanes, s->rate / 8);
    }
}

/* --- An extra message ------------------------------------------------------------------------- */

void ty_keccak_extra_start(ty_keccak_extra *r, uint8_t *out, size_t out_len, const uint8_t *in,
                           size_t len, int more)
{
    ty_keccak_start(&r->sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    r->in = in;
    r->left = len;
    r->more = more;
    r->out = out;
    r->out_len = out_len;
    r->then = NULL;
}

uint64_t *ty_keccak_extra_next(ty_keccak_extra *r)
{
    for (; r; r = r->then) {
        if (r->sponge.squeezing) {   /* padded by the last call, permuted since by the caller */
            if (r->out) ty_keccak_squeeze(r->out, r->out_len, &r->sponge);
            r->out = NULL;
            continue;
        }
        const size_t n = r->left ? ty_keccak_fill(&r->sponge, r->in, r->left) : 0;
        if (n) r->in += n;
        r->left -= n;
        if (r->sponge.pos < r->sponge.rate) {
            if (r->more) return NULL;
            ty_keccak_pad(&r->sponge);
        }
        r->sponge.pos = 0;
        return r->sponge.a;
    }
    return NULL;
}

void ty_keccak_extra_rest(ty_keccak_extra *r)
{
    const ty_keccak_ops *const ops = ty_keccak_best();
    r->more = 0;
    while (r->out) {
        uint64_t *const a = ty_keccak_extra_next(r);
        if (a) ops->permute(a);
    }
}

void ty_keccak_extra_finish(ty_keccak_extra *r)
{
    for (; r; r = r->then) ty_keccak_extra_rest(r);
}

/* --- Messages of different lengths ------------------------------------------------------------ */

/* The position in a message: `pieces` pieces are left, from *piece on, of which the first `at`
 * bytes are consumed. */
typedef struct cursor {
    const ty_keccak_piece *piece;
    size_t pieces, at;
} cursor;

/* The next block of a message, in its piece, or assembled in `room` if it spans several. The last
 * one is padded, and *last becomes 1. */
static const uint8_t *next_block(cursor *c, uint8_t *room, size_t rate, int *last)
{
    size_t have = 0;
    for (; c->pieces; c->pieces--, c->piece++, c->at = 0) {
        const size_t left = c->piece->len - c->at, want = rate - have,
                     n = left < want ? left : want;
        if (n == 0) continue;
        const uint8_t *p = c->piece->p + c->at;
        c->at += n;
        if (n == rate) return p;
        memcpy(room + have, p, n);
        have += n;
        if (have == rate) return room;
    }
    memset(room + have, 0, rate - have);
    room[have] = TY_KECCAK_SHAKE;
    room[rate - 1] |= 0x80;
    *last = 1;
    return room;
}

/* Finishes the one message that is left. */
static void finish_alone(uint8_t *out, size_t out_len, ty_keccak *alone, cursor *c)
{
    for (; c->pieces; c->pieces--, c->piece++, c->at = 0)
        if (c->at < c->piece->len)
            ty_keccak_absorb(alone, c->piece->p + c->at, c->piece->len - c->at);
    ty_keccak_squeeze(out, out_len, alone);
    ty_wipe(alone, sizeof *alone);
}

/* Copies a lane into a sponge for one message, whose state has another layout. */
static void extract_lane(ty_keccak *alone, const ty_keccak_lanes *s, size_t lane)
{
    uint8_t word[8];
    for (size_t w = 0; w < 25; w++) {
        ty_put64le(word, s->a[s->lanes * w + lane]);
        TY_HELD(keccak, s->ops)->add(alone->a, w, word, 1);
    }
    ty_wipe(word, sizeof word);
}

/* Hashes block by block while two or more messages are left. Returns how many are left then, 0 or
 * 1. */
static size_t together(ty_keccak_lanes *s, size_t *which, cursor *at, uint8_t *const *out,
                       size_t out_len, size_t n)
{
    uint8_t room[TY_SHAKE128_BLOCK];
    memset(s->a, 0, 25 * s->lanes * sizeof s->a[0]);
    while (n > 1) {
        int last[8] = { 0 };
        for (size_t i = 0; i < n; i++)
            add_block(s->a + which[i], s->lanes, next_block(&at[which[i]], room, s->rate, &last[i]),
                      s->rate);
        ty_keccak_lanes_next(s);
        size_t left = 0;
        for (size_t i = 0; i < n; i++) {
            if (last[i]) give(out[which[i]], out_len, s, which[i]);
            else which[left++] = which[i];
        }
        n = left;
    }
    ty_wipe(room, sizeof room);
    return n;
}

void ty_keccak_lanes_hash(uint8_t *const *out, size_t out_len, unsigned rate,
                          const ty_keccak_piece *in, size_t pieces, size_t n)
{
    ty_keccak_lanes s;
    ty_keccak alone;
    cursor at[8];
    size_t which[8] = { 0 };
    for (size_t i = 0; i < n; i++) {
        at[i] = (cursor){ in + pieces * i, pieces, 0 };
        which[i] = i;
    }
    ty_keccak_start(&alone, rate, TY_KECCAK_SHAKE);
    if (n > 1) {
        s.lanes = n <= 4 ? 4 : 8;
        s.rate = rate;
        s.ops = ty_keccak_best();
        s.extra = NULL;
        n = together(&s, which, at, out, out_len, n);
        if (n) extract_lane(&alone, &s, which[0]);
        ty_wipe(s.a, 25 * s.lanes * sizeof s.a[0]);
    }
    if (n) finish_alone(out[which[0]], out_len, &alone, &at[which[0]]);
}
