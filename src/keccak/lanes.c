/* SHAKE on several messages of the same length. */
#include "keccak/keccak_lanes.h"
#include "base/bytes.h"

#include <string.h>

/* a[lanes w] ^= the w-th word of p[0..n), n <= 200; the last word may be a part of one */
static void add_block(uint64_t *a, size_t lanes, const uint8_t *p, size_t n)
{
    size_t w = 0;
    for (; n >= 8; n -= 8, p += 8, w++) a[lanes * w] ^= ty_get64le(p);
    for (size_t i = 0; i < n; i++) a[lanes * w] ^= (uint64_t)p[i] << 8 * i;
}

void ty_keccak_lanes_absorb(ty_keccak_lanes *s, unsigned lanes, unsigned rate, const uint8_t *const *in, size_t len)
{
    memset(s->a, 0, sizeof s->a);
    s->lanes = lanes;
    s->rate = rate;
    s->ops = ty_keccak_best();
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
    const size_t lanes = s->lanes, words = s->rate / 8;
    for (size_t b = 0; b < blocks; b++) {
        ty_keccak_lanes_next(s);
        for (size_t i = 0; i < lanes; i++) {
            if (!out[i]) continue;
            uint8_t *const p = out[i] + s->rate * b;
            for (size_t w = 0; w < words; w++) ty_put64le(p + 8 * w, s->a[lanes * w + i]);
        }
    }
}
