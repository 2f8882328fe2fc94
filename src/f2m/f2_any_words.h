/* GF(2)[t]/M for any M, in 64-bit words: the kernels of the levels c and c64, and of aesni and
 * armce for the fields that f2_any_lanes.h does not cover. The includer defines TY_LEVEL, and
 *     F2_CLMUL(z, x, y)    z[2] = the carry-less product of two words
 * Sizes and M are public: where loops end depends on them, and zero words of M are skipped. M' and
 * mu are those of f2_any.h. */
#ifndef TY_F2M_F2_ANY_WORDS_H
#define TY_F2M_F2_ANY_WORDS_H

#include "base/ct.h"
#include "base/wipe.h"
#include "f2m/f2_any.h"

#include <string.h>

#define ANY_NAME(op)  TY_CAT(TY_CAT(ty_f2_any_words_, op), TY_CAT(_, TY_LEVEL))
#define any_product      ANY_NAME(product)
#define any_square       ANY_NAME(square)
#define any_add_public   ANY_NAME(add_public)
#define any_partial      ANY_NAME(partial)
#define any_fold_terms   ANY_NAME(fold_terms)
#define any_full_terms   ANY_NAME(full_terms)
#define any_full_product ANY_NAME(full_product)
#define any_barrett      ANY_NAME(barrett)
#define any_montgomery   ANY_NAME(montgomery)
#define any_reduce       ANY_NAME(reduce)
#define any_mul          ANY_NAME(mul)
#define any_sqr_n        ANY_NAME(sqr_n)
#define any_mul_mul      ANY_NAME(mul_mul)
#define any_mul_sqr      ANY_NAME(mul_sqr)
#define any_canon        ANY_NAME(canon)

/* c[2n] = x y. x_i y_j + x_j y_i = (x_i + x_j)(y_i + y_j) + x_i y_i + x_j y_j, so one product
 * replaces two.   cost: n (n + 1)/2 products */
static void any_product(uint64_t *c, const uint64_t *x, const uint64_t *y, size_t n)
{
    uint64_t own[TY_F2_ANY_WORDS][2], p[2];
    memset(c, 0, 16 * n);
    for (size_t i = 0; i < n; i++) {
        F2_CLMUL(own[i], x[i], y[i]);
        c[2 * i] ^= own[i][0];
        c[2 * i + 1] ^= own[i][1];
    }
    for (size_t sum = 1; sum < 2 * n - 2; sum++) {   /* by anti-diagonals, i + j = sum */
        uint64_t low = 0, high = 0;
        for (size_t i = sum < n ? 0 : sum - n + 1; 2 * i < sum; i++) {
            const size_t j = sum - i;
            F2_CLMUL(p, x[i] ^ x[j], y[i] ^ y[j]);
            low ^= p[0] ^ own[i][0] ^ own[j][0];
            high ^= p[1] ^ own[i][1] ^ own[j][1];
        }
        c[sum] ^= low;
        c[sum + 1] ^= high;
    }
    ty_wipe(own, 16 * n);
}

/* c[2n] = x^2: a zero after every bit */
static void any_square(uint64_t *c, const uint64_t *x, size_t n)
{
    static const uint64_t keep[5] = { 0x0000ffff0000ffffu, 0x00ff00ff00ff00ffu, 0x0f0f0f0f0f0f0f0fu,
                                      0x3333333333333333u, 0x5555555555555555u };
    for (size_t i = 0; i < 2 * n; i++) {
        uint64_t t = x[i / 2] >> 32 * (i % 2) & 0xffffffffu;
        for (int j = 0; j < 5; j++) t = (t | t << (16 >> j)) & keep[j];
        c[i] = t;
    }
}

/* c[from..to) += the words from <= i < to of x y, y a public polynomial. c[from - 1] and c[to] may
 * change too */
static void any_add_public(uint64_t *c, const uint64_t *x, size_t xn, const uint64_t *y, size_t yn,
                           size_t from, size_t to)
{
    uint64_t p[2];
    for (size_t j = 0; j < yn; j++) {
        if (y[j] == 0) continue;
        for (size_t i = from > j + 1 ? from - j - 1 : 0; i < xn && i + j < to; i++) {
            F2_CLMUL(p, x[i], y[j]);
            c[i + j] ^= p[0];
            c[i + j + 1] ^= p[1];
        }
    }
}

/* c has `bits` bits from t^n on; each round takes m - k of them */
static void any_partial(uint64_t *c, size_t bits, size_t rounds, const ty_f2_any *f)
{
    uint64_t h[TY_F2_ANY_WORDS];
    for (; rounds > 0; rounds--, bits -= f->m - f->k) {
        const size_t n = (bits + 63) / 64;
        memcpy(h, c + f->words, 8 * n);
        memset(c + f->words, 0, 8 * n);
        any_add_public(c, h, n, f->fold, f->fold_words, 0, SIZE_MAX);
        if (bits <= (size_t)(f->m - f->k)) break;
    }
    ty_wipe(h, sizeof h);
}

/* Adds h t^at, reduced by t^m == M - t^m once, at >= m */
static void any_fold_terms(uint64_t *c, uint64_t h, size_t at, const ty_f2_any *f)
{
    for (size_t i = 0; i < f->terms; i++) {
        const size_t e = at - f->m + f->term[i];
        c[e / 64] ^= h << e % 64;
        if (e % 64) c[e / 64 + 1] ^= h >> (64 - e % 64);
    }
}

/* Word by word from the top, then the bits from m on. A word's image begins m - k bits lower, and
 * reaches into the word again if that is less than 64: after ceil(64/(m-k)) times it is 0. */
static void any_full_terms(uint64_t *c, const ty_f2_any *f)
{
    const size_t gap = f->m - f->k, last = f->m / 64, part = f->m % 64;
    for (size_t i = (2 * (size_t)f->m - 2) / 64; i > last || (part == 0 && i >= last); i--)
        for (size_t bits = 0; bits < 64; bits += gap) {
            const uint64_t h = c[i];
            c[i] = 0;
            any_fold_terms(c, h, 64 * i, f);
        }
    for (size_t bits = part; part && bits < 64; bits += gap) {
        const uint64_t h = c[last] >> part;
        c[last] ^= h << part;
        any_fold_terms(c, h, f->m, f);
    }
}

/* Products for any M: the part of c from t^m on, of m - 1 bits or fewer, is not aligned to words
 * and has to be shifted. */
static void any_full_product(uint64_t *c, const ty_f2_any *f)
{
    const size_t q = f->m / 64, r = f->m % 64, gap = f->m - f->k, top = 2 * (size_t)f->words;
    uint64_t h[TY_F2_ANY_WORDS];
    for (size_t bits = f->m - 1u;; bits -= gap) {
        const size_t n = (bits + 63) / 64;
        for (size_t i = 0; i < n; i++)
            h[i] = c[q + i] >> r | (r && q + i + 1 < top ? c[q + i + 1] << (64 - r) : 0);
        if (r) c[q] &= ((uint64_t)1 << r) - 1;
        else c[q] = 0;
        memset(c + q + 1, 0, 8 * (top - q - 1));
        any_add_public(c, h, n, f->low, f->k / 64u + 1, 0, SIZE_MAX);
        if (bits <= gap) break;
    }
    ty_wipe(h, sizeof h);
}

/* For c = ch t^n + cl: q = ch + ch mu/t^n, as mu is stored without its first term; the remainder is
 * cl + q M', below t^n */
static void any_barrett(uint64_t *c, const ty_f2_any *f)
{
    const size_t n = f->words;
    uint64_t q[2 * TY_F2_ANY_WORDS + 1] = { 0 };
    any_add_public(q, c + n, n, f->mu, n, n, 2 * n);
    for (size_t i = 0; i < n; i++) q[i] = q[n + i] ^ c[n + i];
    any_add_public(c, q, n, f->fold, f->fold_words, 0, n);
    ty_wipe(q, sizeof q);
}

/* q M cancels word i. Where M is 1 mod t^64, q is that word itself, and the product with M's first
 * word only cancels it, so it is skipped. */
static void any_montgomery(uint64_t *c, const ty_f2_any *f)
{
    const size_t skip = f->inv == 1;
    uint64_t q[2];
    for (size_t i = 0; i < f->words; i++) {
        q[0] = c[i];
        if (!skip) F2_CLMUL(q, c[i], f->inv);
        any_add_public(c + i + skip, q, 1, f->f + skip, f->m / 64u + 1 - skip, 0, SIZE_MAX);
    }
    memcpy(c, c + f->words, 8 * f->words);
}

/* z = c, reduced. c has 2 W words and one more. */
static void any_reduce(ty_f2_any_el *z, uint64_t *c, const ty_f2_any *f)
{
    c[2 * f->words] = 0;
    switch (f->way) {
    case TY_F2_FULL:
        if (f->terms) any_full_terms(c, f);
        else any_full_product(c, f);
        break;
    case TY_F2_BARRETT: any_barrett(c, f); break;
    case TY_F2_MONTGOMERY: any_montgomery(c, f); break;
    default: any_partial(c, f->n - 1u, f->rounds, f); break;
    }
    c[f->words] = 0;
    memcpy(z->w, c, 8 * (((size_t)f->words + 1) & ~(size_t)1));
}

static void any_mul(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any_el *y,
                    const ty_f2_any *f)
{
    uint64_t c[2 * TY_F2_ANY_WORDS + 1];
    any_product(c, x->w, y->w, f->words);
    any_reduce(z, c, f);
}

static void any_sqr_n(ty_f2_any_el *z, const ty_f2_any_el *x, size_t n, const ty_f2_any *f)
{
    uint64_t c[2 * TY_F2_ANY_WORDS + 1];
    const ty_f2_any_el *from = x;
    while (n--) {
        any_square(c, from->w, f->words);
        any_reduce(z, c, f);
        from = z;
    }
}

static void any_mul_mul(ty_f2_any_el *z, const ty_f2_any_el *a, const ty_f2_any_el *b,
                        const ty_f2_any_el *c, const ty_f2_any_el *d, const ty_f2_any *f)
{
    uint64_t p[2 * TY_F2_ANY_WORDS + 1], q[2 * TY_F2_ANY_WORDS];
    any_product(p, a->w, b->w, f->words);
    any_product(q, c->w, d->w, f->words);
    for (size_t i = 0; i < 2 * (size_t)f->words; i++) p[i] ^= q[i];
    any_reduce(z, p, f);
}

static void any_mul_sqr(ty_f2_any_el *z, const ty_f2_any_el *a, const ty_f2_any_el *b,
                        const ty_f2_any_el *c, const ty_f2_any *f)
{
    uint64_t p[2 * TY_F2_ANY_WORDS + 1], q[2 * TY_F2_ANY_WORDS];
    any_product(p, a->w, b->w, f->words);
    any_square(q, c->w, f->words);
    for (size_t i = 0; i < 2 * (size_t)f->words; i++) p[i] ^= q[i];
    any_reduce(z, p, f);
}

/* x t^(n-m) has n - m bits from t^n on; reduced, it is still a multiple of t^(n-m), and of degree
 * below n. */
static void any_canon(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f)
{
    const size_t s = f->n - f->m, q = s / 64, r = s % 64, n = f->words;
    uint64_t c[2 * TY_F2_ANY_WORDS + 1] = { 0 };
    if (f->way == TY_F2_FULL || s == 0) {
        *z = *x;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        c[i + q] ^= x->w[i] << r;
        if (r) c[i + q + 1] ^= x->w[i] >> (64 - r);
    }
    any_partial(c, s, f->out_rounds, f);
    memset(z, 0, sizeof *z);
    for (size_t i = 0; i + q < n; i++)
        z->w[i] = c[i + q] >> r | (r && i + q + 1 < n ? c[i + q + 1] << (64 - r) : 0);
    ty_wipe(c, sizeof c);
}

static const ty_f2_any_kernels any_kernels = { any_mul, any_sqr_n, any_mul_mul, any_mul_sqr,
                                               any_canon };

#endif
