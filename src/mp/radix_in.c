/* Text to numbers. Digits are collected in chunks of a limb, eight chunks in a block; a block is
 * appended to the number by one product with a power whose lowest limbs are zero; a long number is
 * joined from two halves by one product.
 * bound: in blocks 3/8 n^2 limb products for n limbs in decimal, 1/2 n^2 in an odd radix, and the
 * digits */
#include "base/bytes.h"
#include "mp/radix.h"

#include <string.h>

enum {
    BLOCK = TY_RADIX_FIRST,   /* chunks of a block */
    FEW = 12,                 /* the most chunks that are converted one by one */
    SHORT = 112               /* the most for which block after block is faster than halves */
};

/* --- Digits ----------------------------------------------------------------------------------- */

/* value: each byte's value as a digit, 64 if it is not one. Up to radix 36, lower-case letters
 * count as capitals. */
typedef struct reader {
    uint8_t value[256];
    const ty_radix *r;
    const ty_radix_power *powers;
    const ty_alloc *alloc;
} reader;

static void prepare(reader *s, const ty_radix *r)
{
    s->r = r;
    if (r->base == 10) return;   /* its digits need no table */
    memset(s->value, 64, sizeof s->value);
    for (unsigned i = 0; i < 64; i++) s->value[(uint8_t)ty_radix_digits[i]] = (uint8_t)i;
    if (r->base <= 36)
        for (unsigned i = 10; i < 36; i++) s->value['a' + i - 10] = (uint8_t)i;
}

static unsigned digit_of(const reader *s, char c)
{
    return s->r->base == 10 ? (uint8_t)(c - '0') : s->value[(uint8_t)c];
}

static int all_digits(const reader *s, const char *in, size_t len)
{
    uint64_t bad = 0;
    size_t i = 0;
    /* eight at a time: '0' to '9' have 3 as their upper half, even after 6 is added */
    if (s->r->base == 10) {
        for (; i + 8 <= len; i += 8) {
            const uint64_t x = ty_get64le((const uint8_t *)in + i) ^ 0x3030303030303030;
            bad |= (x | (x + 0x0606060606060606)) & 0xf0f0f0f0f0f0f0f0;
        }
    }
    for (; i < len; i++) bad |= digit_of(s, in[i]) >= s->r->base;
    return bad == 0;
}

/* The value of eight decimal digits: of pairs, of fours, of all. Each step adds neighbouring lanes
 * and masks out every second one. */
static inline uint32_t eight(const char *in)
{
    uint64_t x = ty_get64le((const uint8_t *)in) ^ 0x3030303030303030;
    x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ff;
    x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;
    return (uint32_t)(x * 10000 + (x >> 32));
}

/* Decimal, the common case, needs no preparation. */
enum { TEN_DIGITS = TY_LIMB_BITS == 64 ? 19 : 9 };
static const ty_radix ten = { 10,
                              (ty_limb)(TY_LIMB_BITS == 64 ? 10000000000000000000u : 1000000000u),
                              TEN_DIGITS, 0 };

/* The value of len decimal digits, at most a chunk; without loops if len is a constant */
static inline ty_limb decimal(const char *in, size_t len)
{
    ty_limb v = 0;
    for (; len % 8; len--) v = v * 10 + (ty_limb)(*in++ - '0');
    for (; len; len -= 8, in += 8) v = v * 100000000 + eight(in);
    return v;
}

/* The value of a whole chunk */
static inline ty_limb whole(const reader *s, const char *in)
{
    if (s->r->base == 10) return decimal(in, TEN_DIGITS);
    ty_limb v = 0;
    for (size_t i = 0; i < s->r->count; i++) v = v * s->r->base + s->value[(uint8_t)in[i]];
    return v;
}

/* The value of len digits, at most a chunk */
static ty_limb chunk(const reader *s, const char *in, size_t len)
{
    if (s->r->base == 10) return decimal(in, len);
    ty_limb v = 0;
    for (; len; len--) v = v * s->r->base + s->value[(uint8_t)*in++];
    return v;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* z[n+1] = z[n] power + v. Inline, so that the loop is unrolled for a constant n */
static inline void append(ty_limb *z, size_t n, ty_limb power, ty_limb v)
{
    _Pragma("GCC unroll 8") for (size_t i = 0; i < n; i++) z[i] = ty_limb_mac(0, z[i], power, &v);
    z[n] = v;
}

/* z = in[len], a limb for each of its chunks */
static void get_few(ty_limb *z, const char *in, size_t len, const reader *s)
{
    const size_t count = s->r->count, first = len % count ? len % count : count;
    z[0] = chunk(s, in, first);
    for (size_t n = 1, at = first; at < len; at += count, n++)
        append(z, n, s->r->power, whole(s, in + at));
}

/* z = BLOCK whole chunks */
static inline void get_block(ty_limb *z, const char *in, const reader *s)
{
    z[0] = whole(s, in);
    _Pragma("GCC unroll 8") for (size_t n = 1; n < BLOCK; n++)
        append(z, n, s->r->power, whole(s, in + n * s->r->count));
}

/* z[n + BLOCK] = x[n] p + v[BLOCK], for p = power^BLOCK, x < power^n and v < p: z < power^(n +
 * BLOCK), so there is no carry out of it */
static void join(ty_limb *z, const ty_limb *x, size_t n, const ty_radix_power *p, const ty_limb *v)
{
    const ty_limb_ops *ops = ty_limb_best();
    const size_t zeros = p->zeros, end = n + p->n + zeros;
    ty_limb *high = z + zeros;
    for (size_t i = 0; i < zeros; i++) z[i] = v[i];
    if (n < p->n) ops->mul(high, p->p, p->n, x, n);
    else ops->mul(high, x, n, p->p, p->n);
    for (size_t i = end; i < n + BLOCK; i++) z[i] = 0;
    const ty_limb c = ops->add(high, high, v + zeros, BLOCK - zeros);
    (void)ty_limb_add_1(z + BLOCK, z + BLOCK, n, c);
}

/* z = in[len], len >= 1, one limb for every chunk, SHORT at most: block by block. Returns its
 * length. */
static size_t get_short(ty_limb *z, const char *in, size_t len, const reader *s)
{
    const size_t count = s->r->count, chunks = (len + count - 1) / count,
                 over = chunks > FEW ? (chunks - FEW + BLOCK - 1) / BLOCK : 0;
    const size_t few = chunks - over * BLOCK;   /* FEW at most, and more than FEW - BLOCK */
    ty_limb other[SHORT], v[BLOCK], *now = over % 2 ? other : z, *next = now == z ? other : z;
    size_t n = few;
    const char *at = in + len - over * BLOCK * count;
    get_few(now, in, (size_t)(at - in), s);
    for (; n < chunks; n += BLOCK, at += BLOCK * count) {
        get_block(v, at, s);
        join(next, now, n, s->powers, v);
        ty_limb *t = now;
        now = next, next = t;
    }
    return ty_limb_len(z, n);
}

static size_t limbs_for(size_t len, const ty_radix *r) { return len / r->count + 1; }

/* The same for any length. z has limbs_for(len) limbs, of which *n are used; work has twice as
 * many, and 2 a level. Of the powers those below `level` may be used. */
static ty_err get_long(ty_limb *z, size_t *n, const char *in, size_t len, int level, ty_limb *work,
                       const reader *s)
{
    const size_t count = s->r->count, chunks = len / count;
    while (level && (size_t)TY_RADIX_FIRST << (level - 1) > (chunks + 1) / 2) level--;
    if (!level || chunks < SHORT) {
        *n = get_short(z, in, len, s);
        return TY_OK;
    }
    const ty_radix_power *p = s->powers + level - 1;
    const size_t low = (size_t)TY_RADIX_FIRST << (level - 1), low_len = low * count,
                 high_len = len - low_len;
    ty_limb *part = work, *rest = work + limbs_for(high_len > low_len ? high_len : low_len, s->r);
    size_t pn;
    TY_TRY(get_long(part, &pn, in, high_len, level, rest, s));
    if (pn == 0) return get_long(z, n, in + high_len, low_len, level - 1, rest, s);
    memset(z, 0, p->zeros * sizeof *z);
    TY_TRY(ty_radix_mul(z + p->zeros, part, pn, p->p, p->n, s->alloc));
    size_t zn = ty_limb_len(z, p->zeros + p->n + pn);
    TY_TRY(get_long(part, &pn, in + high_len, low_len, level - 1, rest, s));
    /* the low part is below the power that z is a multiple of, so no longer than z */
    ty_limb c = ty_limb_best()->add(z, z, part, pn);
    c = ty_limb_add_1(z + pn, z + pn, zn - pn, c);
    if (c) z[zn++] = c;
    *n = zn;
    return TY_OK;
}

/* z[n] = in[len] for a radix that is a power of two: digits of `bits` bits each, from the lowest */
static size_t get_bits(ty_limb *z, size_t n, const char *in, size_t len, const reader *s)
{
    const unsigned bits = s->r->bits;
    memset(z, 0, n * sizeof *z);
    for (size_t i = 0; i < len; i++) {
        const ty_limb v = s->value[(uint8_t)in[len - 1 - i]];
        const size_t at = i * bits / TY_LIMB_BITS;
        const unsigned t = (unsigned)(i * bits % TY_LIMB_BITS);
        z[at] |= v << t;
        const ty_limb over = v >> 1 >> (TY_LIMB_BITS - 1 - t);
        if (over) z[at + 1] |= over;
    }
    return n;
}

/* z = in[len], *n limbs; scratch holds the powers and the work of get_long */
static ty_err get_all(ty_limb *z, size_t *n, const char *in, size_t len, reader *s,
                      ty_limb *scratch, size_t limbs)
{
    ty_radix_power powers[TY_RADIX_LEVELS];
    int levels = 0;
    s->powers = powers;
    if (limbs > SHORT) {
        ty_limb *room = scratch;
        scratch += limbs + 2 * ty_limb_bits((ty_limb)limbs) + 2;
        TY_TRY(ty_radix_powers(powers, &levels, s->r, (limbs + 1) / 2, room, s->alloc));
    }
    return get_long(z, n, in, len, levels, scratch, s);
}

/* z = in[len], long, in a radix that is not a power of two */
static ty_err get(ty_mp *z, const char *in, size_t len, size_t limbs, reader *s)
{
    size_t n;
    const size_t total = 4 * limbs + 8 * ty_limb_bits((ty_limb)limbs) + 16;
    TY_TRY(ty_mp_grow(z, limbs + 1));
    ty_limb own[6 * TY_MP_SMALL],
        *scratch = ty_mp_take(own, sizeof own / sizeof *own, total, z->alloc);
    if (!scratch) return TY_ERR_MEM;
    const ty_err e = get_all(ty_mp_d(z), &n, in, len, s, scratch, limbs);
    ty_mp_give(scratch, own, total, z->alloc);
    if (!e) ty_mp_fit(z, n, 0);
    return e;
}

ty_err ty_mp_set_str_vt(ty_mp *z, const char *in, size_t in_len, int base)
{
    if (!ty_radix_valid(base)) return TY_ERR_ARG;
    const uint32_t neg = in_len && *in == '-';
    const size_t sign = neg || (in_len && *in == '+' && base < 63);
    in += sign, in_len -= sign;
    if (in_len == 0) return TY_ERR_FORMAT;
    const ty_radix r = base == 10 ? ten : ty_radix_prepare(base, TY_LIMB_BITS);
    reader s;
    prepare(&s, &r);
    s.alloc = z->alloc;
    if (!all_digits(&s, in, in_len)) return TY_ERR_FORMAT;
    if (r.bits) {   /* nothing can fail once there is room */
        const size_t limbs =
            in_len / TY_LIMB_BITS * r.bits + in_len % TY_LIMB_BITS * r.bits / TY_LIMB_BITS + 1;
        TY_TRY(ty_mp_grow(z, limbs));
        ty_mp_fit(z, get_bits(ty_mp_d(z), limbs, in, in_len, &s), neg);
        return TY_OK;
    }
    const size_t limbs = limbs_for(in_len, &r);
    if (limbs <= SHORT) {
        ty_limb room[2 * BLOCK];
        ty_radix_power power;
        int levels;
        s.powers = &power;
        TY_TRY(ty_mp_grow(z, limbs));
        if (limbs > BLOCK) TY_TRY(ty_radix_powers(&power, &levels, &r, BLOCK, room, z->alloc));
        ty_mp_fit(z, get_short(ty_mp_d(z), in, in_len, &s), neg);
        return TY_OK;
    }
    ty_mp t;
    ty_mp_init_with(&t, z->alloc);
    const ty_err e = get(&t, in, in_len, limbs, &s);
    if (!e) {
        ty_mp_fit(&t, t.len, neg);
        ty_mp_swap(z, &t);
    }
    ty_mp_clear(&t);
    return e;
}
