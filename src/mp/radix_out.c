/* Numbers to text: a long number is cut in two by division by a power of the radix, a short one
 * into chunks of digits, without divisions and with carries that are delayed to the end, and a
 * chunk into digits, again without divisions.
 * bound: for n limbs n^2/2 limb products, of which an even radix saves those with the zero limbs of
 * its powers; and the digits */
#include "mp/radix.h"
#include "base/unroll.h"

#include <string.h>

/* the most limbs that are cut chunk by chunk: of a part, and of a whole number, which then needs no
 * powers */
enum { SHORT = 24, ALONE = 46 };

/* --- Chunks ----------------------------------------------------------------------------------- */

/* A chunk is a digit to the base P, the largest power of the radix below B/4. The number is read in
 * pieces of w bits, the highest first: x becomes 2^w x + piece, and each chunk c becomes
 * c 2^w - q P + the q of the chunk below, where
 *     q = floor(c v/B), v = floor(2^w B/P), 2^w <= P/2:
 *     q is at most c 2^w/P, and above c 2^w/P - c/B - 1
 * No q depends on another one. The chunks are unreduced, c <= 4P - 4: then q <= 2P - 2, and c 2^w -
 * q P < P + P c/B is at most 2P - 2, for P > B/8 as c/B <= 1 - 8/B, and else as c/B < 1/2. The
 * carries are propagated at the end. */
typedef struct cutter {
    ty_radix r;       /* power = P */
    unsigned shift;   /* P 2^shift has its top bit set; a piece has two bits less than P */
    ty_limb recip;    /* floor(B^2/(P 2^shift)) - B */
} cutter;

#if TY_LIMB_BITS == 64
#  define TEN_CHUNK  1000000000000000000u
enum { TEN_DIGITS = 18, TEN_SHIFT = 4 };
#else
#  define TEN_CHUNK  1000000000u
enum { TEN_DIGITS = 9, TEN_SHIFT = 2 };
#endif
#define TEN_TOP  ((ty_limb)TEN_CHUNK << TEN_SHIFT)
static const cutter ten = { { 10, TEN_CHUNK, TEN_DIGITS, 0 },
                            TEN_SHIFT,
                            (ty_limb)(((ty_limb2)~TEN_TOP << TY_LIMB_BITS | ~(ty_limb)0) /
                                      TEN_TOP) };

static const cutter *prepare(cutter *k, int base)
{
    if (base == 10) return &ten;
    k->r = ty_radix_prepare(base, TY_LIMB_BITS - 2);
    k->shift = ty_limb_zeros_vt(k->r.power);
    k->recip = k->r.bits ? 0 : ty_limb_recip_vt(k->r.power << k->shift);
    return k;
}

/* bits < TY_LIMB_BITS bits of x from bit `at` on */
static inline ty_limb piece(const ty_limb *x, size_t n, size_t at, unsigned bits)
{
    const size_t i = at / TY_LIMB_BITS;
    const unsigned s = (unsigned)(at % TY_LIMB_BITS);
    ty_limb v = x[i] >> s;
    if (i + 1 < n) v |= x[i + 1] << 1 << (TY_LIMB_BITS - 1 - s);
    return v & (((ty_limb)1 << bits) - 1);
}

TY_INLINE size_t cut_with(ty_limb *c, const ty_limb *x, size_t n, const cutter *k)
{
    const unsigned w = TY_LIMB_BITS - 2 - k->shift;
    const ty_limb v = k->recip >> 2 | (ty_limb)1 << (TY_LIMB_BITS - 2), p = k->r.power;
    size_t count = 0;
    if (n == 1) {   /* needs no pieces */
        c[0] = *x % p, c[1] = *x / p;
        return 1 + (c[1] != 0);
    }
    for (size_t at = (n * TY_LIMB_BITS + w - 1) / w * w; at;) {
        ty_limb q, below = piece(x, n, at -= w, w);
        for (size_t i = 0; i < count; i++, below = q) {
            q = (ty_limb)((ty_limb2)c[i] * v >> TY_LIMB_BITS);
            c[i] = (c[i] << w) - q * p + below;
        }
        if (below) c[count++] = below;
    }
    ty_limb carry = 0;
    for (size_t i = 0; i < count; i++) {
        const ty_limb sum = c[i] + carry;   /* < B: a carry is at most 3 */
        carry = sum / p;
        c[i] = sum % p;
    }
    if (carry) c[count++] = carry;
    return count;
}

/* The chunks of x, the lowest first; returns their number, 0 if x is 0. For radix 10 the compiler
 * knows the constants. */
static size_t cut(ty_limb *c, const ty_limb *x, size_t n, const cutter *k)
{
    return k->r.base == 10 ? cut_with(c, x, n, &ten) : cut_with(c, x, n, k);
}

/* --- Long numbers ----------------------------------------------------------------------------- */

typedef struct writer {
    const cutter *k;
    const ty_radix_power *powers;
    const ty_alloc *alloc;
} writer;

/* Writes the chunks of x[n] to c, the lowest first, with zeros up to `chunks` of them, and their
 * number to *count. x is overwritten, and has room for one limb more. Of the powers below `level`
 * one of 5/16 to 5/8 of x's length is used, as each is twice as long as the one before: a quotient
 * has at most 11/16 of that length and a limb, and those of all levels take less than 3n limbs of
 * work and 4 for each bit of n. */
static ty_err cut_long(ty_limb *c, size_t *count, ty_limb *x, size_t n, size_t chunks, int level,
                       ty_limb *work, const writer *w)
{
    n = ty_limb_len(x, n);
    while (level && 8 * (w->powers[level - 1].n + w->powers[level - 1].zeros) > 5 * n) level--;
    if (!level || n <= SHORT) {
        *count = cut(c, x, n, w->k);
    } else {
        const ty_radix_power *p = w->powers + level - 1;   /* shorter than x: q > 0 */
        /* x = h B^zeros + l, h = q p + rest: the remainder of x is rest B^zeros + l, which is in
         * place already */
        ty_limb *h = x + p->zeros, *q = work;
        size_t low = (size_t)TY_RADIX_FIRST << (level - 1), high;
        const size_t hn = n - p->zeros + 1, qn = hn - p->n;
        h[hn - 1] = ty_limb_shl(h, h, hn - 1, p->shift);
        if (p->rn) TY_TRY(ty_mp_div_reciprocal_vt(q, h, hn, p->p, p->n, p->recip, p->rn, w->alloc));
        else TY_TRY(ty_mp_div_limbs_vt(q, h, hn, p->p, p->n, p->v, w->alloc));
        (void)ty_limb_shr(h, h, p->n, p->shift);
        TY_TRY(cut_long(c + low, &high, q, qn, chunks ? chunks - low : 0, level, work + qn + 1, w));
        TY_TRY(cut_long(c, &low, x, p->zeros + p->n, low, level - 1, work, w));
        *count = low + high;
    }
    for (; *count < chunks; ++*count) c[*count] = 0;
    return TY_OK;
}

/* The chunks of x[n] and their number; scratch holds a copy of x and a limb, the powers, their
 * reciprocals, and quotients */
static ty_err cut_all(ty_limb *c, size_t *count, const ty_mp *x, size_t n, const cutter *k,
                      ty_limb *scratch)
{
    ty_radix_power powers[TY_RADIX_LEVELS];
    const writer w = { k, powers, x->alloc };
    int levels;
    const size_t most = 5 * n / 8, levels_most = ty_limb_bits((ty_limb)n);
    ty_limb *copy = scratch, *room = copy + n + 1, *recips = room + 2 * most + 2 * levels_most,
            *work = recips + most + 3 * levels_most;
    memcpy(copy, ty_mp_cd(x), n * sizeof *copy);
    TY_TRY(ty_radix_powers(powers, &levels, &k->r, most, room, x->alloc));
    TY_TRY(ty_radix_normalize(powers, levels, recips, x->alloc));
    return cut_long(c, count, copy, n, 0, levels, work, &w);
}

/* --- The digits of a chunk -------------------------------------------------------------------- */

/* The number of digits of c, at least one */
static inline size_t digits(ty_limb c, const ty_radix *r)
{
    size_t n = 1;
    for (ty_limb p = r->base; n < r->count && p <= c; p *= r->base) n++;
    return n;
}

/* c/P as a fraction f/B, too large by at most 2/B: less than 2 was cut off, and 2 is added. The
 * multiplications by the radix that follow, each of which gives a digit, raise that error to less
 * than 2P/B <= 1/2 of the last digit. */
TY_INLINE ty_limb fraction(ty_limb c, const cutter *k)
{
    c <<= k->shift;
    return c + (ty_limb)((ty_limb2)c * k->recip >> TY_LIMB_BITS) + 2;
}

/* Writes c, which has at most `count` digits, to p with that many. */
static void put_digits(char *p, ty_limb c, size_t count, const cutter *k)
{
    ty_limb f = fraction(c, k);
    for (size_t i = count; i < k->r.count; i++) f *= k->r.base;   /* skips leading zeros */
    for (; count; count--) {
        const ty_limb2 t = (ty_limb2)f * k->r.base;
        *p++ = ty_radix_digits[t >> TY_LIMB_BITS];
        f = (ty_limb)t;
    }
}

/* Decimal digits are written two at a time. */
static const char pairs[201] =
    "00010203040506070809101112131415161718192021222324"
    "25262728293031323334353637383940414243444546474849"
    "50515253545556575859606162636465666768697071727374"
    "75767778798081828384858687888990919293949596979899";

static inline void put_tens(char *p, ty_limb c, size_t count)
{
    for (; count > 1; c /= 100) memcpy(p + (count -= 2), pairs + c % 100 * 2, 2);
    if (count) *p = (char)('0' + c);
}

/* All TEN_DIGITS digits of a chunk */
static inline void put_ten(char *p, ty_limb c)
{
    ty_limb f = fraction(c, &ten);
    if (TEN_DIGITS % 2) {
        const ty_limb2 t = (ty_limb2)f * 10;
        *p++ = (char)('0' + (t >> TY_LIMB_BITS));
        f = (ty_limb)t;
    }
    _Pragma("GCC unroll 9") for (int i = 0; i < TEN_DIGITS / 2; i++) {
        const ty_limb2 t = (ty_limb2)f * 100;
        memcpy(p + 2 * i, pairs + 2 * (t >> TY_LIMB_BITS), 2);
        f = (ty_limb)t;
    }
}

/* --- The text --------------------------------------------------------------------------------- */

typedef struct text {
    char *out;
    size_t room, *len;
    int neg;
} text;

/* Writes the sign and the NUL, and returns the place of the digits; NULL if there is no room */
static inline char *begin(const text *t, size_t digits)
{
    const size_t all = digits + (size_t)t->neg;
    if (all >= t->room) return NULL;
    if (t->neg) *t->out = '-';
    t->out[all] = 0;
    if (t->len) *t->len = all;
    return t->out + t->neg;
}

static ty_err write_chunks(const text *t, const ty_limb *c, size_t count, const cutter *k)
{
    const ty_limb top = count ? c[--count] : 0;
    const size_t first = digits(top, &k->r);
    char *p = begin(t, first + count * k->r.count);
    if (!p) return TY_ERR_SIZE;
    if (k->r.base == 10) {
        put_tens(p, top, first);
        for (p += first; count; p += TEN_DIGITS) put_ten(p, c[--count]);
    } else {
        put_digits(p, top, first, k);
        for (p += first; count; p += k->r.count) put_digits(p, c[--count], k->r.count, k);
    }
    return TY_OK;
}

/* For a radix that is a power of two: digits of `bits` bits each */
static ty_err write_bits(const text *t, const ty_limb *x, size_t n, unsigned bits)
{
    const size_t count =
        n ? ((n - 1) * TY_LIMB_BITS + ty_limb_bits(x[n - 1]) + bits - 1) / bits : 1;
    char *p = begin(t, count);
    if (!p) return TY_ERR_SIZE;
    if (!n) *p = '0';
    else for (size_t i = count; i-- > 0;) *p++ = ty_radix_digits[piece(x, n, i * bits, bits)];
    return TY_OK;
}

/* P > B/256 has more than 3/4 of a limb's bits: n limbs are at most 4/3 n chunks, and one. */
#define CHUNKS(n)  ((n) + (n) / 3 + 2)

static ty_err write_long(const text *t, const ty_mp *x, size_t n, const cutter *k)
{
    const size_t total = CHUNKS(n) + n + 5 * n / 8 * 3 + 3 * n + 9 * ty_limb_bits((ty_limb)n) + 8;
    ty_limb own[14 * TY_MP_SMALL], *c = ty_mp_take(own, sizeof own / sizeof *own, total, x->alloc);
    if (!c) return TY_ERR_MEM;
    size_t count;
    ty_err e = cut_all(c, &count, x, n, k, c + CHUNKS(n));
    if (!e) e = write_chunks(t, c, count, k);
    ty_mp_give(c, own, total, x->alloc);
    return e;
}

/* An upper bound: digits of floor(log2(base)) bits each, a sign, and the NUL */
size_t ty_mp_str_size(const ty_mp *x, int base)
{
    return ty_radix_valid(base) ? ty_mp_bits(x) / (ty_limb_bits((ty_limb)base) - 1) + 3 : 0;
}

/* Nothing can fail once the first character is written: out holds the whole text or is
 * untouched. */
ty_err ty_mp_get_str_vt(char *out, size_t out_len, size_t *len, const ty_mp *x, int base)
{
    if (!ty_radix_valid(base)) return TY_ERR_ARG;
    const size_t n = ty_mp_n(x);
    const text t = { out, out_len, len, x->neg && n };
    cutter own;
    const cutter *k = prepare(&own, base);
    if (k->r.bits) return write_bits(&t, ty_mp_cd(x), n, k->r.bits);
    if (n > ALONE) return write_long(&t, x, n, k);
    ty_limb c[CHUNKS(ALONE)];
    return write_chunks(&t, c, cut(c, ty_mp_cd(x), n, k), k);
}
