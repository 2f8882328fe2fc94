/* Numbers to text: halves by division with a power of the radix, chunks of digits out of what is short, and their digits out
 * of a chunk without division. All of it is written from the right end of the text to the left.
 * bound: for n limbs n^2/2 limb products, of which an even radix saves those with the zeros of its powers; and the digits */
#include "base/bytes.h"
#include "mp/radix.h"

#include <string.h>

enum { SHORT = 24, ALONE = 36 };   /* limbs that are divided chunk by chunk: of a part, and of a number that is not worth powers */

/* --- The digits of a chunk ------------------------------------------------------------------------------------------ */

/* Eight decimal digits of v < 10^8, each in a byte, the first in the lowest: halves of four digits, quarters, single ones, the
 * lower one of each a lane above the upper. 10486/2^20 and 103/2^10 are a little more than 1/100 and 1/10, by so little that
 * n < 10^4 and n < 100 are divided right. */
static inline uint64_t eight(uint32_t v)
{
    const uint32_t top = v / 10000;
    uint64_t x = top | (uint64_t)(v - 10000 * top) << 32;
    uint64_t q = (x * 10486) >> 20 & 0x7f0000007f;
    x = q | (x - 100 * q) << 16;
    q = (x * 103) >> 10 & 0x000f000f000f000f;
    x = q | (x - 10 * q) << 8;
    return x | 0x3030303030303030;
}

/* The count decimal digits of v before end; three (or one) and twice (or once) eight */
static inline void put_decimal(char *end, ty_limb v)
{
    uint8_t *p = (uint8_t *)end;
#if TY_LIMB_BITS == 64
    const ty_limb high = v / 100000000, top = high / 100000000;   /* < 10^11, < 1000 */
    const uint32_t hundreds = (uint32_t)top / 100, rest = (uint32_t)top % 100;
    ty_put64le(p - 8, eight((uint32_t)(v - high * 100000000)));
    ty_put64le(p - 16, eight((uint32_t)(high - top * 100000000)));
    p[-19] = (uint8_t)('0' + hundreds);
    p[-18] = (uint8_t)('0' + rest / 10);
    p[-17] = (uint8_t)('0' + rest % 10);
#else
    ty_put64le(p - 8, eight((uint32_t)(v % 100000000)));
    p[-9] = (uint8_t)('0' + v / 100000000);
#endif
}

/* *q = floor(r:x / d), the rest is returned, for r < d, d's top bit set, v its reciprocal (Moeller and Granlund, "Improved
 * division by invariant integers", algorithm 4). The first correction is as likely as not: no branch; the second is rare. */
static inline ty_limb step(ty_limb *q, ty_limb r, ty_limb x, ty_limb d, ty_limb v)
{
    const ty_limb2 t = (ty_limb2)v * r;
    const ty_limb low = (ty_limb)t + x;
    ty_limb g = (ty_limb)(t >> TY_LIMB_BITS) + r + 1 + (low < x), rest = x - g * d;
    const ty_limb down = ty_limb_mask(rest > low);   /* pinned: compilers find a longer way */
    g += down;
    rest += down & d;
    if (rest >= d) g++, rest -= d;
    *q = g;
    return rest;
}

/* The same for any radix. f = v/power as a fraction of B, rounded up: too large by less than 1/B, which the multiplications by
 * the radix raise to less than power/B < 1 of the last digit. */
static void put_digits(char *end, ty_limb v, const ty_radix *r)
{
    ty_limb f;
    const ty_limb rest = step(&f, v << r->shift, 0, r->d, r->v);
    f += rest != 0;   /* v <= power - 1: f is below B */
    for (char *p = end - r->count; p < end; p++) {
        const ty_limb2 t = (ty_limb2)f * r->base;
        *p = ty_radix_digits[t >> TY_LIMB_BITS];
        f = (ty_limb)t;
    }
}

static inline char *put(char *end, ty_limb v, const ty_radix *r)
{
    if (r->base == 10) put_decimal(end, v);
    else put_digits(end, v, r);
    return end - r->count;
}

/* --- Short numbers ---------------------------------------------------------------------------------------------------- */

static inline size_t length(const ty_limb *x, size_t n)
{
    while (n && x[n - 1] == 0) n--;
    return n;
}

/* x[at] shifted to the left by s < B's bits as it is read */
static inline ty_limb shifted(const ty_limb *x, size_t at, unsigned s)
{
    return x[at] << s | (at ? x[at - 1] >> 1 >> (TY_LIMB_BITS - 1 - s) : 0);
}

/* x[n] = x/power, the rest is returned; n >= 1 */
static ty_limb divide_once(ty_limb *x, size_t n, const ty_radix *r)
{
    const unsigned s = r->shift;
    ty_limb rest = x[n - 1] >> 1 >> (TY_LIMB_BITS - 1 - s);
    for (size_t i = n; i-- > 0;) rest = step(x + i, rest, shifted(x, i, s), r->d, r->v);
    return rest >> s;
}

/* x[n] = x/power^2, the rests of both divisions go to out, n >= 2. The second one follows the first a limb behind: two
 * chains of steps that do not wait for each other. What it reads, it reads before the first one's next quotient is there. */
static void divide_twice(ty_limb out[2], ty_limb *x, size_t n, const ty_radix *r)
{
    const unsigned s = r->shift;
    const ty_limb d = r->d, v = r->v;
    ty_limb a = x[n - 1] >> 1 >> (TY_LIMB_BITS - 1 - s), b, above, here = 0;   /* quotients of the first: limbs i + 1 and i */
    a = step(&above, a, shifted(x, n - 1, s), d, v);
    b = above >> 1 >> (TY_LIMB_BITS - 1 - s);
    for (size_t i = n - 1; i-- > 0; above = here) {
        a = step(&here, a, shifted(x, i, s), d, v);
        b = step(x + i + 1, b, above << s | here >> 1 >> (TY_LIMB_BITS - 1 - s), d, v);
    }
    b = step(x, b, above << s, d, v);
    out[0] = a >> s;
    out[1] = b >> s;
}

/* x[n] = x/power^4 where power has its top bit set, as 10^19 has: four divisions, each a limb behind the one before, n >= 4 */
static void divide_four_times(ty_limb out[4], ty_limb *x, size_t n, const ty_radix *r)
{
    const ty_limb p = r->d, v = r->v;
    ty_limb a, b, c, d, *top = x + n;
    a = step(top - 1, 0, top[-1], p, v);
    a = step(top - 2, a, top[-2], p, v), b = step(top - 1, 0, top[-1], p, v);
    a = step(top - 3, a, top[-3], p, v), b = step(top - 2, b, top[-2], p, v), c = step(top - 1, 0, top[-1], p, v);
    d = 0;
    for (size_t i = n - 3; i-- > 0;) {
        ty_limb *at = x + i;
        a = step(at, a, at[0], p, v);
        b = step(at + 1, b, at[1], p, v);
        c = step(at + 2, c, at[2], p, v);
        d = step(at + 3, d, at[3], p, v);
    }
    b = step(x, b, x[0], p, v), c = step(x + 1, c, x[1], p, v), d = step(x + 2, d, x[2], p, v);
    c = step(x, c, x[0], p, v), d = step(x + 1, d, x[1], p, v);
    d = step(x, d, x[0], p, v);
    out[0] = a, out[1] = b, out[2] = c, out[3] = d;
}

/* All digits of x, whole chunks of them, before end; where they begin is returned. x is destroyed. */
static char *put_short(char *end, ty_limb *x, size_t n, const ty_radix *r)
{
    ty_limb rest[4];
    n = length(x, n);
    for (; n > 3 && r->shift == 0; n = length(x, n)) {
        divide_four_times(rest, x, n, r);
        for (int i = 0; i < 4; i++) end = put(end, rest[i], r);
    }
    for (; n > 1; n = length(x, n)) {
        divide_twice(rest, x, n, r);
        end = put(put(end, rest[0], r), rest[1], r);
    }
    for (; n; n = length(x, n)) end = put(end, divide_once(x, 1, r), r);
    return end;
}

/* --- Long numbers ------------------------------------------------------------------------------------------------------ */

typedef struct writer {
    const ty_radix *r;
    const ty_radix_power *powers;
    const ty_alloc *alloc;
} writer;

/* The digits of x[n] before end, no more than needed but whole chunks, or exactly so many chunks if chunks is not 0; *start is where
 * they begin. x is destroyed, and has room for one limb more; the powers below `level` may serve. The one
 * that does is of 5/16 to 5/8 of x's length, as each is twice as long as the one before: a quotient is at most 11/16 and a limb,
 * and those of all levels take less than 3n limbs of work and 4 for each bit of n. */
static ty_err put_long(char **start, char *end, ty_limb *x, size_t n, size_t chunks, int level, ty_limb *work, const writer *w)
{
    ty_err e = TY_OK;
    n = length(x, n);
    while (level && 8 * (w->powers[level - 1].n + w->powers[level - 1].zeros) > 5 * n) level--;
    if (!level || n <= SHORT) {
        *start = put_short(end, x, n, w->r);
    } else {
        const ty_radix_power *p = w->powers + level - 1;   /* shorter than x: q > 0 */
        /* x = h B^zeros + l, h = q p + rest: the rest of all is rest B^zeros + l, which is where it has to be */
        ty_limb *h = x + p->zeros, *q = work;
        const size_t hn = n - p->zeros + 1, qn = hn - p->n, low = (size_t)TY_RADIX_FIRST << (level - 1);
        h[hn - 1] = ty_limb_shl(h, h, hn - 1, p->shift);
        e = ty_mp_div_limbs_vt(q, h, hn, p->p, p->n, p->v, w->alloc);
        (void)ty_limb_shr(h, h, p->n, p->shift);
        char *middle = end - low * w->r->count;
        if (!e) e = put_long(start, middle, q, qn, chunks ? chunks - low : 0, level, work + qn + 1, w);
        if (!e) e = put_long(&middle, end, x, p->zeros + p->n, low, level - 1, work, w);
    }
    if (chunks && !e) {   /* zeros up to there */
        char *first = end - chunks * w->r->count;
        memset(first, '0', (size_t)(*start - first));
        *start = first;
    }
    return e;
}

/* Digits of some bits each */
static char *put_bits(char *end, const ty_limb *x, size_t n, unsigned bits)
{
    const size_t count = n ? ((n - 1) * TY_LIMB_BITS + ty_limb_bits(x[n - 1]) + bits - 1) / bits : 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = i * bits / TY_LIMB_BITS;
        const unsigned s = (unsigned)(i * bits % TY_LIMB_BITS);
        ty_limb v = x[at] >> s;
        if (at + 1 < n) v |= x[at + 1] << 1 << (TY_LIMB_BITS - 1 - s);
        *--end = ty_radix_digits[v & (((ty_limb)1 << bits) - 1)];
    }
    return end;
}

/* Digits of floor(log2(base)) bits each are enough; a sign, and the closing 0. */
static size_t size_for(size_t bits, int base) { return bits / (ty_limb_bits((ty_limb)base) - 1) + 3; }

size_t ty_mp_str_size(const ty_mp *x, int base) { return ty_radix_valid(base) ? size_for(ty_mp_bits(x), base) : 0; }

/* x with its sign to out, from the digits start..end, of which there may be too many zeros in front and room for a sign before */
static ty_err deliver(char *out, size_t out_len, size_t *len, const ty_mp *x, char *start, char *end)
{
    while (start < end && *start == '0') start++;
    const int neg = x->neg && start < end;
    if (start == end) *--start = '0';
    if (neg) *--start = '-';
    const size_t all = (size_t)(end - start);
    if (all >= out_len) return TY_ERR_SIZE;
    memcpy(out, start, all);
    out[all] = 0;
    if (len) *len = all;
    return TY_OK;
}

/* Scratch: x and a limb, the powers, quotients */
static ty_err put_all(char **start, char *end, const ty_mp *x, size_t n, const ty_radix *r, ty_limb *scratch)
{
    ty_radix_power powers[TY_RADIX_LEVELS];
    const writer w = { r, powers, x->alloc };
    int levels;
    ty_limb *copy = scratch, *room = copy + n + 1, *work = room + 2 * (5 * n / 8) + 2 * ty_limb_bits((ty_limb)n);
    memcpy(copy, ty_mp_cd(x), n * sizeof *copy);
    TY_TRY(ty_radix_powers(powers, &levels, r, 5 * n / 8, room, x->alloc));
    ty_radix_normalize(powers, levels);
    return put_long(start, end, copy, n, 0, levels, work, &w);
}

/* Written aside: what the caller sees is the text or nothing. A radix of at least 3 takes fewer than 5 digits for 7 bits. */
ty_err ty_mp_get_str_vt(char *out, size_t out_len, size_t *len, const ty_mp *x, int base)
{
    if (!ty_radix_valid(base)) return TY_ERR_ARG;
    const ty_radix r = ty_radix_prepare(base);
    const size_t n = length(ty_mp_cd(x), x->len);
    if (n <= ALONE && !r.bits) {
        char text[ALONE * TY_LIMB_BITS / 7 * 5 + 2 * TY_LIMB_BITS], *end = text + sizeof text;
        ty_limb copy[ALONE];
        if (n) memcpy(copy, ty_mp_cd(x), n * sizeof *copy);
        return deliver(out, out_len, len, x, put_short(end, copy, n, &r), end);
    }
    const size_t text = (size_for(n * TY_LIMB_BITS, base) + r.count) / sizeof(ty_limb) + 1;
    const size_t total = text + (r.bits ? 0 : n + 5 * n / 4 + 3 * n + 6 * ty_limb_bits((ty_limb)n) + 8);
    ty_limb own[14 * TY_MP_SMALL], *buffer = ty_mp_take(own, sizeof own / sizeof *own, total, x->alloc);
    if (!buffer) return TY_ERR_MEM;
    char *end = (char *)(buffer + text), *start = end;
    ty_err e = TY_OK;
    if (r.bits) start = put_bits(end, ty_mp_cd(x), n, r.bits);
    else e = put_all(&start, end, x, n, &r, buffer + text);
    if (!e) e = deliver(out, out_len, len, x, start, end);
    ty_mp_give(buffer, own, total, x->alloc);
    return e;
}
