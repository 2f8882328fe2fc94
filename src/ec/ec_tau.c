/* Scalars in base tau: the reduction by delta, and the digits. Here tau^2 + 2 = tau; the last lines
 * convert the result for mu = -1. */
#include "ec/ec_tau.h"
#include "limb/limb.h"

#include <string.h>

typedef ty_limb limb;
enum {
    LB = TY_LIMB_BITS, PER_WORD = 64 / LB,
    HALF = 6 * PER_WORD,     /* limbs of m/2 + 36 bits: r, and r conj(t) in divide */
    LONG = 16 * PER_WORD,    /* of k g: up to q's last limb */
    STEPS = LB - 4           /* digits that the lowest limb gives */
};

/* z[n] = the number in two's complement w[words] */
static void load(limb *z, size_t n, const uint64_t *w, size_t words)
{
    const limb fill = (limb)(0 - (w[words - 1] >> 63));
    for (size_t i = 0; i < n; i++)
        z[i] = i / PER_WORD < words ? (limb)(w[i / PER_WORD] >> LB * (i % PER_WORD) % 64) : fill;
}

/* z[n] += x y mod 2^(LB n) for x[xn], not negative unless xn = n.  z may not be x or y */
static void mul_add(limb *z, const limb *x, size_t xn, const limb *y, size_t n)
{
    for (size_t i = 0; i < xn; i++) {
        limb carry = 0;
        for (size_t j = i; j < n; j++) z[j] = ty_limb_mac(z[j], x[i], y[j - i], &carry);
    }
}

/* add: z[n] += x.  sub: z[n] = x - y */
static void add(limb *z, const limb *x, size_t n)
{
    limb carry = 0;
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_adc(z[i], x[i], &carry);
}

static void sub(limb *z, const limb *x, const limb *y, size_t n)
{
    limb borrow = 0;
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_sbb(x[i], y[i], &borrow);
}

/* z[n] += x for one limb in two's complement */
static void add_signed(limb *z, limb x, size_t n)
{
    const limb fill = 0 - (x >> (LB - 1));
    limb carry = 0;
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_adc(z[i], i ? fill : x, &carry);
}

/* z[n] = x/2^s, 0 < s < LB, with x's sign */
static void shift_signed(limb *z, const limb *x, size_t s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const limb above = i + 1 < n ? x[i + 1] : 0 - (x[n - 1] >> (LB - 1));
        z[i] = x[i] >> s | above << (LB - s);
    }
}

typedef struct element {   /* x + y tau */
    limb x[HALF], y[HALF];
} element;

/* r = k - q delta, small and odd: x is odd, that is, r is not divisible by tau.
 * With (l0, l1) = k/delta exactly, q0 is the nearest integer to l0 that makes x odd, d0 being odd:
 * e0 = l0 - q0 is in [-1, 1). N(e0 + e1 tau) = e0^2 + e0 e1 + 2 e1^2 = (7/8) e0^2 + 2 (e1 +
 * e0/4)^2, so q1 is the integer nearest to l1 + e0/4. Then N is 7/8 + 2/4 at most; the errors of l0
 * and l1 are 2^-8 at most, and N(r) < 1.39 n. */
static void reduce(element *r, const limb *k, const ty_ec_tau *c)
{
    const size_t h = PER_WORD * (size_t)c->words, at = PER_WORD * (size_t)c->scale, all = at + h;
    struct { limb d0[HALF], d1[HALF], q0[HALF], q1[HALF], t[HALF], g[LONG], p[LONG]; } v;
    memset(&v, 0, sizeof v);
    load(v.d0, h, c->constants, c->words);
    load(v.d1, h, c->constants + c->words, c->words);

    /* q0 = 2 floor((l0 + 1 - odd)/2) + odd, odd = 1 where k is even */
    load(v.g, all, c->constants + 2 * c->words, c->g_words);
    mul_add(v.p, k, at, v.g, all);
    add_signed(v.p + at, k[0] & 1, h);
    memcpy(v.q0, v.p + at, h * sizeof(limb));
    /* (e0 + 1)/4, as a binary fraction of one limb */
    const limb quarter = (v.q0[0] & 1) << (LB - 2) | v.p[at - 1] >> 2;
    v.q0[0] = (v.q0[0] & ~(limb)1) | (~k[0] & 1);

    /* q1 = floor(l1 + e0/4 + 1/2) */
    memset(v.p, 0, sizeof v.p);
    load(v.g, all, c->constants + 2 * c->words + c->g_words, c->g_words);
    mul_add(v.p, k, at, v.g, all);
    limb carry = 0;
    (void)ty_limb_adc(v.p[at - 1], quarter + ((limb)1 << (LB - 2)), &carry);
    memcpy(v.q1, v.p + at, h * sizeof(limb));
    add_signed(v.q1, carry, h);

    /* x = k - q0 d0 + 2 q1 d1, y = -(q0 d1 + q1 (d0 + d1)) */
    memset(r, 0, sizeof *r);
    mul_add(v.t, v.q0, h, v.d0, h);
    mul_add(r->x, v.q1, h, v.d1, h);
    add(r->x, r->x, h);
    add(r->x, k, h);
    sub(r->x, r->x, v.t, h);
    add(v.d0, v.d1, h);
    memset(v.t, 0, sizeof v.t);
    mul_add(v.t, v.q0, h, v.d1, h);
    mul_add(v.t, v.q1, h, v.d0, h);
    sub(r->y, r->y, v.t, h);
    ty_wipe(&v, sizeof v);
}

/* Four steps at once. A digit s is the one of -1 and 1 that leaves (r - s)/tau odd again, so four
 * of them follow from r mod tau^5: from x + 6y mod 32, as tau is 6 there (6^2 + 2 = 6 mod 32). Its
 * 16 odd values index nibbles: the digits, and both parts, plus 8, of the column e = s_0 + s_1 tau
 * + s_2 tau^2 + s_3 tau^3 (tau^2 = tau - 2, tau^3 = -tau - 2). As conj(tau)^4 = 3 tau - 1 and 16 =
 * (tau conj(tau))^4, the next r is (r - e)(3 tau - 1)/16. All of this depends on lowest bits only:
 * LB of them give LB - 4 digits; then r itself is updated by these.
 *
 * |(r - s)/tau| <= (|r| + 1)/sqrt(2): L steps leave less than |r| 2^(-L/2) + sqrt(2) + 1. With 2^L
 * > 26 n and |r|^2 < 1.39 n that is below sqrt(7), and the odd elements of a norm below 7 are +-1,
 * +-(tau - 1) and +-(tau + 1). */
#define DIGITS 0x983254fe10badc76U
#define PART_0 0x97db9753db975397U
#define PART_1 0x55999999777777bbU

/* x, y: lowest limbs, which are updated; got: their digits; s: the sum of these; t: tau^digits */
typedef struct block {
    limb x, y, got, s0, s1, t0, t1;
} block;

static void block_take(block *b, size_t digits)
{
    limb x = b->x, y = b->y, t0 = 1, t1 = 0;
    b->got = b->s0 = b->s1 = 0;
    for (size_t i = 0; i < digits; i += 4) {
        const unsigned at = (unsigned)(x + 6 * y) << 1 & 60;
        const limb e0 = (limb)((PART_0 >> at & 15) - 8), e1 = (limb)((PART_1 >> at & 15) - 8),
                   before = t0;
        b->got |= (limb)(DIGITS >> at & 15) << i;
        x -= e0;
        y -= e1;
        const limb x6 = x + 6 * y;
        y = (3 * x + 2 * y) >> 4;
        x = 0 - (x6 >> 4);
        b->s0 += e0 * t0 - 2 * e1 * t1;
        b->s1 += e0 * t1 + e1 * (t0 + t1);
        t0 = 2 * t0 + 6 * t1;          /* tau^4 = 2 - 3 tau */
        t1 = 0 - 3 * before - t1;
    }
    b->x = x;
    b->y = y;
    b->t0 = t0;
    b->t1 = t1;
}

/* r = (r - s) conj(t)/2^j = (r - s)/t for t = tau^j: the rest of r after j digits with the sum s */
static void divide(element *r, const block *b, size_t j, size_t h)
{
    struct { limb c0[HALF], c1[HALF], x[HALF], y[HALF]; } v;
    memset(&v, 0, sizeof v);
    add_signed(r->x, 0 - b->s0, h);
    add_signed(r->y, 0 - b->s1, h);
    add_signed(v.c0, b->t0 + b->t1, h);          /* conj(tau) = 1 - tau */
    add_signed(v.c1, 0 - b->t1, h);
    mul_add(v.x, r->y, h, v.c1, h);
    memcpy(v.y, v.x, sizeof v.y);
    add(v.x, v.x, h);
    mul_add(v.y, r->x, h, v.c1, h);
    mul_add(v.y, r->y, h, v.c0, h);        /* y: x c1 + y c0 + y c1 */
    limb product[HALF] = { 0 };
    mul_add(product, r->x, h, v.c0, h);
    sub(v.x, product, v.x, h);             /* x: x c0 - 2 y c1 */
    shift_signed(r->x, v.x, j, h);
    shift_signed(r->y, v.y, j, h);
    ty_wipe(&v, sizeof v);
    ty_wipe(product, sizeof product);
}

void ty_ec_tau_set(ty_ec_tau_form *form, const uint8_t *k, size_t bits, const ty_ec_tau *c)
{
    const size_t h = PER_WORD * (size_t)c->words, len = (bits + 7) / 8;
    limb in[LONG] = { 0 };
    element r;
    block b = { 0, 0, 0, 0, 0, 0, 0 };
    memset(form, 0, sizeof *form);
    for (size_t i = 0; i < len; i += sizeof(limb)) {
        limb w = 0;
        for (size_t j = i; j < len && j < i + sizeof(limb); j++)
            w |= (limb)k[len - 1 - j] << 8 * (j - i);
        in[i / sizeof(limb)] = w;
    }
    /* the first byte's upper bits do not count */
    if (bits % LB) in[bits / LB] &= ((limb)1 << bits % LB) - 1;
    reduce(&r, in, c);
    for (size_t at = 0; at < c->digits;) {
        const size_t left = c->digits - at, steps = left < STEPS ? left : STEPS;
        b.x = r.x[0];
        b.y = r.y[0];
        block_take(&b, steps);
        form->plus[at / 64] |= (uint64_t)b.got << at % 64;
        if (at % 64 + steps > 64) form->plus[at / 64 + 1] |= (uint64_t)b.got >> (64 - at % 64);
        at += steps;
        if (at < c->digits) divide(&r, &b, steps, h);
    }

    /* even powers of tau and -tau are equal: only digits at odd positions, and y of the rest,
     * change their sign */
    const uint64_t turn = c->mu < 0 ? 0xaaaaaaaaaaaaaaaau : 0;
    for (size_t i = 0; i < TY_EC_TAU_WORDS; i++) form->plus[i] ^= turn;
    const uint32_t y = (uint32_t)b.y & 3, odd = y & 1, x_minus = (uint32_t)(b.x >> 1) & 1;
    const uint32_t y_minus = (y >> 1 ^ (uint32_t)(c->mu < 0)) & 1;
    form->rest = odd + (odd & (x_minus ^ y_minus ^ 1));
    form->rest_minus = ty_mask_bit64((odd & y_minus) | ((odd ^ 1) & x_minus));
    ty_wipe(in, sizeof in);
    ty_wipe(&r, sizeof r);
    ty_wipe(&b, sizeof b);
}
