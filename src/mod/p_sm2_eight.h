/* Z/p for SM2 eight at a time, an element in each lane of AVX-512: see p_sm2.h.
 * Included once in a unit, after mod/p_sm2_words.h in the Montgomery domain.
 *
 * form       five digits of weight 2^(52 i), of which VPMADD52 reads the lower 52 bits; Montgomery
 *            with R = 2^260: x is represented by x R mod p, or by that plus a multiple of p
 * carried    what functions return, carries propagated: digits 0 to 4 in [0, 2^52), so the value is
 *            below 2^260, which is slightly more than 16 p. Only carried elements are factors
 * ranges     in multiples of p, from 0 on: x below s and y below t give a product below st/16 + 1,
 *            as R > 16 p. Callers keep account of them, see ec/ec_sm2_eight.h
 * folded     carried, and the bits above 2^256 replaced by their residue: below 1.0001 p
 * reduction  -1/p is 1 mod 2^52, so the quotient digit of a column is its lowest 52 bits, q. With
 *            A = 2^44 - 2^12, p = 2^208 16 A - 2^52 A - 1: adding q p clears the column, subtracts
 *            q A one column further up, and adds 16 q A three columns above that. So one sum of
 *            halves of q A serves two columns: two VPMADD52 per digit, where an arbitrary modulus
 *            takes nine
 * carries    columns are signed, and shifts are of signed numbers: no column leaves 60 bits
 * bound      product: 50 + 10 VPMADD52 and 40 others, at two operations a cycle. Zen 4 starts one
 *            VPMADD52 a cycle: 60 core cycles for eight; 50 where two start in a cycle (Ice Lake
 *            server and later). Square: 40 and 48: 44. Measured: docs/speed.md
 * time       constant */
#ifndef TY_MOD_P_SM2_EIGHT_H
#define TY_MOD_P_SM2_EIGHT_H

#define EIGHT_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#  define EIGHT_UNROLL _Pragma("clang loop unroll(full)")
#else
#  define EIGHT_UNROLL _Pragma("GCC unroll 16")
#endif
#define EIGHT_EACH(i, n) EIGHT_UNROLL for (int i = 0; i < (n); i++)
#define EIGHT_OUT __attribute__((noinline)) static

typedef struct eight {
    __m512i v[5];
} eight;

/* the ten columns of a product */
typedef struct eight_columns {
    __m512i c[10];
} eight_columns;

EIGHT_INLINE __m512i eight_all(int64_t x) { return _mm512_set1_epi64(x); }
#define EIGHT_DIGIT eight_all(((int64_t)1 << 52) - 1)

/* p in signed digits, of which 2 and 3 are 0 */
#define EIGHT_P0 (-1)
#define EIGHT_P1 (((int64_t)1 << 12) - ((int64_t)1 << 44))
#define EIGHT_P4 (((int64_t)1 << 48) - ((int64_t)1 << 16))

/* R mod p, one in Montgomery form; and R^2 mod p, by which numbers are multiplied to get that
 * form */
static const int64_t eight_one_digits[5] = { 16, ((int64_t)1 << 48) - (1 << 16), 0, 0, 1 << 20 };
static const int64_t eight_r2_digits[5] = { 0x20000000300, 0xffffffff00000, 0x100000002,
                                            0x200000001000, 0x4000000 };

EIGHT_INLINE void eight_constant(eight *z, const int64_t from[TY_AT_LEAST(5)])
{
    EIGHT_EACH(i, 5) z->v[i] = eight_all(from[i]);
}

/* z = x + y, x - y, digit by digit: not carried */
EIGHT_INLINE void eight_add(eight *z, const eight *x, const eight *y)
{
    EIGHT_EACH(i, 5) z->v[i] = _mm512_add_epi64(x->v[i], y->v[i]);
}

EIGHT_INLINE void eight_sub(eight *z, const eight *x, const eight *y)
{
    EIGHT_EACH(i, 5) z->v[i] = _mm512_sub_epi64(x->v[i], y->v[i]);
}

/* z = z + `times` p, for `times` up to 8 */
EIGHT_INLINE void eight_add_p(eight *z, int times)
{
    z->v[0] = _mm512_add_epi64(z->v[0], eight_all(times * EIGHT_P0));
    z->v[1] = _mm512_add_epi64(z->v[1], eight_all(times * EIGHT_P1));
    z->v[4] = _mm512_add_epi64(z->v[4], eight_all(times * EIGHT_P4));
}

/* z = z, carried, for digits of 62 bits and a value in [0, 2^260) */
EIGHT_INLINE void eight_carry(eight *z)
{
    EIGHT_EACH(i, 4)
    {
        z->v[i + 1] = _mm512_add_epi64(z->v[i + 1], _mm512_srai_epi64(z->v[i], 52));
        z->v[i] = _mm512_and_si512(z->v[i], EIGHT_DIGIT);
    }
}

/* z = z mod p, carried and below 1.0001 p, for digits of 60 bits and a value in [2p, 2^260), or for
 * any carried z, where t may be 0. In the first case:
 *   t = what digit 4 has above 2^256; z = z - t p, by 2^256 == 2^224 + 2^96 - 2^64 + 1
 *   digits 0 to 3 are worth between -2^217 and 2^217, so 1 <= t <= 16
 *   z >= 0                                             as t 2^224 > 2^217
 *   z < 2^256 + 2^217 + 16 (2^224 + 2^96) < 1.0001 p */
EIGHT_INLINE void eight_fold(eight *z)
{
    const __m512i t = _mm512_srai_epi64(z->v[4], 48);
    z->v[0] = _mm512_add_epi64(z->v[0], t);
    z->v[1] = _mm512_add_epi64(
        z->v[1], _mm512_sub_epi64(_mm512_slli_epi64(t, 44), _mm512_slli_epi64(t, 12)));
    z->v[4] = _mm512_and_si512(z->v[4], eight_all(((int64_t)1 << 48) - 1));
    z->v[4] = _mm512_add_epi64(z->v[4], _mm512_slli_epi64(t, 16));
    eight_carry(z);
}

/* z = x - y + 2p, carried: for y at most 2p, x below 13 p */
EIGHT_INLINE void eight_sub_carry(eight *z, const eight *x, const eight *y)
{
    eight_sub(z, x, y);
    eight_add_p(z, 2);
    eight_carry(z);
}

/* z = x in the lanes of the mask, else y */
EIGHT_INLINE void eight_sel(eight *z, __mmask8 mask, const eight *x, const eight *y)
{
    EIGHT_EACH(i, 5) z->v[i] = _mm512_mask_blend_epi64(mask, y->v[i], x->v[i]);
}

/* z = -x in the lanes of the mask, else x; carried, at most 2p, for x up to 2p */
EIGHT_INLINE void eight_negate_if(eight *z, const eight *x, __mmask8 mask)
{
    eight minus, zero;
    EIGHT_EACH(i, 5) zero.v[i] = _mm512_setzero_si512();
    eight_sub_carry(&minus, &zero, x);
    eight_sel(z, mask, &minus, x);
}

/* --- Products --------------------------------------------------------------------------------- */

EIGHT_INLINE __m512i eight_lo(__m512i z, __m512i x, __m512i y)
{
    return _mm512_madd52lo_epu64(z, x, y);
}

EIGHT_INLINE __m512i eight_hi(__m512i z, __m512i x, __m512i y)
{
    return _mm512_madd52hi_epu64(z, x, y);
}

/* c = x y: a column has at most five lower and five upper halves, below 2^55.4 */
EIGHT_INLINE void eight_mul_columns(eight_columns *c, const eight *x, const eight *y)
{
    EIGHT_EACH(i, 10) c->c[i] = _mm512_setzero_si512();
    EIGHT_EACH(i, 5)
    EIGHT_EACH(j, 5)
    {
        c->c[i + j] = eight_lo(c->c[i + j], x->v[i], y->v[j]);
        c->c[i + j + 1] = eight_hi(c->c[i + j + 1], x->v[i], y->v[j]);
    }
}

/* c = x^2: each product of two different digits once, then doubled, then the squares of digits */
EIGHT_INLINE void eight_sqr_columns(eight_columns *c, const eight *x)
{
    EIGHT_EACH(i, 10) c->c[i] = _mm512_setzero_si512();
    EIGHT_EACH(i, 4)
    EIGHT_UNROLL for (int j = i + 1; j < 5; j++)
    {
        c->c[i + j] = eight_lo(c->c[i + j], x->v[i], x->v[j]);
        c->c[i + j + 1] = eight_hi(c->c[i + j + 1], x->v[i], x->v[j]);
    }
    EIGHT_UNROLL for (int i = 1; i < 9; i++) c->c[i] = _mm512_add_epi64(c->c[i], c->c[i]);
    EIGHT_EACH(i, 5)
    {
        c->c[2 * i] = eight_lo(c->c[2 * i], x->v[i], x->v[i]);
        c->c[2 * i + 1] = eight_hi(c->c[2 * i + 1], x->v[i], x->v[i]);
    }
}

/* z = c/R, not carried, for columns of 59 bits: the digits of z have 60, and c/R <= z < c/R + p.
 * s[j] is the sum of halves of q A that is subtracted from column j and, times 16, added to column
 * j + 3: two halves below 2^52, so that 16 s[j] is below 2^57. */
EIGHT_INLINE void eight_reduce(eight *z, eight_columns *c)
{
    const __m512i a = eight_all(((int64_t)1 << 44) - ((int64_t)1 << 12));
    __m512i s[7], carry = _mm512_setzero_si512();
    s[0] = s[1] = _mm512_setzero_si512();
    EIGHT_EACH(i, 5)
    {
        __m512i t = c->c[i];
        if (i >= 1) t = _mm512_sub_epi64(t, s[i]);
        if (i >= 4) t = _mm512_add_epi64(t, _mm512_slli_epi64(s[i - 3], 4));
        t = _mm512_add_epi64(t, carry);
        s[i + 1] = eight_lo(s[i + 1], t, a);
        s[i + 2] = eight_hi(_mm512_setzero_si512(), t, a);
        carry = _mm512_srai_epi64(t, 52);
    }
    EIGHT_EACH(i, 5)
    {
        __m512i t = c->c[i + 5];
        if (i < 2) t = _mm512_sub_epi64(t, s[i + 5]);
        z->v[i] = _mm512_add_epi64(t, _mm512_slli_epi64(s[i + 2], 4));
    }
    z->v[0] = _mm512_add_epi64(z->v[0], carry);
}

/* z = x y */
EIGHT_OUT void eight_mul(eight *z, const eight *x, const eight *y)
{
    eight_columns c;
    eight_mul_columns(&c, x, y);
    eight_reduce(z, &c);
    eight_carry(z);
}

/* z = 2 x y */
EIGHT_OUT void eight_mul_twice(eight *z, const eight *x, const eight *y)
{
    eight_columns c;
    eight_mul_columns(&c, x, y);
    eight_reduce(z, &c);
    eight_add(z, z, z);
    eight_carry(z);
}

/* z = 3 x y */
EIGHT_OUT void eight_mul_thrice(eight *z, const eight *x, const eight *y)
{
    eight_columns c;
    eight two;
    eight_mul_columns(&c, x, y);
    eight_reduce(z, &c);
    eight_add(&two, z, z);
    eight_add(z, z, &two);
    eight_carry(z);
}

/* z = x^2 */
EIGHT_OUT void eight_sqr(eight *z, const eight *x)
{
    eight_columns c;
    eight_sqr_columns(&c, x);
    eight_reduce(z, &c);
    eight_carry(z);
}

/* z = 2 x^2 */
EIGHT_OUT void eight_sqr_twice(eight *z, const eight *x)
{
    eight_columns c;
    eight_sqr_columns(&c, x);
    eight_reduce(z, &c);
    eight_add(z, z, z);
    eight_carry(z);
}

/* z = x^2 - w, folded, for x^2 below 112 p^2 and w up to 6 p whose digits have 55 bits */
EIGHT_OUT void eight_sqr_less(eight *z, const eight *x, const eight *w)
{
    eight_columns c;
    eight t;
    eight_sqr_columns(&c, x);
    eight_reduce(&t, &c);
    eight_sub(&t, &t, w);
    eight_add_p(&t, 8);
    eight_fold(&t);
    *z = t;
}

/* z = x y - u w, folded, for x y below 112 p^2 and u w up to 96 p^2 */
EIGHT_OUT void eight_mul_less(eight *z, const eight *x, const eight *y, const eight *u,
                              const eight *w)
{
    eight_columns c, less;
    eight t;
    eight_mul_columns(&c, x, y);
    eight_mul_columns(&less, u, w);
    EIGHT_EACH(i, 10) c.c[i] = _mm512_sub_epi64(c.c[i], less.c[i]);
    eight_reduce(&t, &c);
    eight_add_p(&t, 8);
    eight_fold(&t);
    *z = t;
}

/* z = x y - 2 w^2, folded, for x y below 112 p^2 and 2 w^2 up to 96 p^2 */
EIGHT_OUT void eight_mul_less_sqr(eight *z, const eight *x, const eight *y, const eight *w)
{
    eight_columns c, less;
    eight t;
    eight_mul_columns(&c, x, y);
    eight_sqr_columns(&less, w);
    EIGHT_EACH(i, 10)
    {
        const __m512i twice = _mm512_add_epi64(less.c[i], less.c[i]);
        c.c[i] = _mm512_sub_epi64(c.c[i], twice);
    }
    eight_reduce(&t, &c);
    eight_add_p(&t, 8);
    eight_fold(&t);
    *z = t;
}

/* --- In and out ------------------------------------------------------------------------------- */

/* The words of eight rows, row i in w[i], become columns: w[j] = word j of every row. */
EIGHT_INLINE void eight_transpose(__m512i w[TY_AT_LEAST(8)])
{
    __m512i t[8], u[8];
    EIGHT_EACH(i, 4)
    {
        t[2 * i] = _mm512_unpacklo_epi64(w[2 * i], w[2 * i + 1]);
        t[2 * i + 1] = _mm512_unpackhi_epi64(w[2 * i], w[2 * i + 1]);
    }
    EIGHT_EACH(i, 2)
    {
        u[4 * i] = _mm512_shuffle_i64x2(t[4 * i], t[4 * i + 2], 0x88);
        u[4 * i + 1] = _mm512_shuffle_i64x2(t[4 * i + 1], t[4 * i + 3], 0x88);
        u[4 * i + 2] = _mm512_shuffle_i64x2(t[4 * i], t[4 * i + 2], 0xdd);
        u[4 * i + 3] = _mm512_shuffle_i64x2(t[4 * i + 1], t[4 * i + 3], 0xdd);
    }
    EIGHT_EACH(i, 4)
    {
        w[i] = _mm512_shuffle_i64x2(u[i], u[i + 4], 0x88);
        w[i + 4] = _mm512_shuffle_i64x2(u[i], u[i + 4], 0xdd);
    }
}

/* z = eight numbers of four words, w[i] holding the words i, times 2^up, up <= 4: carried */
EIGHT_INLINE void eight_from_words(eight *z, const __m512i w[TY_AT_LEAST(4)], int up)
{
    z->v[0] = _mm512_and_si512(_mm512_sllv_epi64(w[0], eight_all(up)), EIGHT_DIGIT);
    EIGHT_UNROLL for (int i = 1; i < 4; i++)
    {
        const __m512i low = _mm512_srlv_epi64(w[i - 1], eight_all(64 - 12 * i - up)),
                      high = _mm512_sllv_epi64(w[i], eight_all(12 * i + up));
        z->v[i] = _mm512_and_si512(_mm512_or_si512(low, high), EIGHT_DIGIT);
    }
    z->v[4] = _mm512_srlv_epi64(w[3], eight_all(16 - up));
}

/* z = eight elements in the form of ty_p_sm2, x 2^256 mod p: 2^4 times that is x R.
 *   z: folded */
EIGHT_INLINE void eight_spread(eight *z, const __m512i w[TY_AT_LEAST(4)])
{
    eight_from_words(z, w, 4);
    eight_fold(z);
}

/* x, y = eight points of 64 bytes, p[i] in lane i */
EIGHT_INLINE void eight_set(eight *x, eight *y, const void *const p[TY_AT_LEAST(8)])
{
    __m512i w[8];
    EIGHT_EACH(i, 8) w[i] = _mm512_loadu_si512(p[i]);
    eight_transpose(w);
    eight_spread(x, w);
    eight_spread(y, w + 4);
}

/* z[i] = lane i of x, carried and below 15 p. x 2^252, which is below p 2^256, is reduced, and so
 * divided by 2^256: the factor R = 2^260 becomes 2^256. */
static inline void eight_get(ty_p_sm2 z[TY_AT_LEAST(8)], const eight *x)
{
    uint64_t l[5][8];
    EIGHT_EACH(i, 5) _mm512_storeu_si512(l[i], x->v[i]);
    for (int i = 0; i < 8; i++) {
        const uint64_t w0 = l[0][i] | l[1][i] << 52, w1 = l[1][i] >> 12 | l[2][i] << 40;
        const uint64_t w2 = l[2][i] >> 24 | l[3][i] << 28, w3 = l[3][i] >> 36 | l[4][i] << 16;
        const ty_p_sm2_wide wide = { { 0, 0, 0, w0 << 60, w0 >> 4 | w1 << 60, w1 >> 4 | w2 << 60,
                                       w2 >> 4 | w3 << 60, w3 >> 4 | l[4][i] >> 48 << 60 } };
        ty_p_sm2_reduce(&z[i], &wide);
    }
    ty_wipe(l, sizeof l);
}

/* reverses the bytes of each half: two numbers of 32 big-endian bytes become words, and back */
EIGHT_INLINE __m512i eight_turn_halves(__m512i w)
{
    static const uint8_t order[64] = {
        31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
        15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48,
        47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32,
    };
    return _mm512_permutexvar_epi8(_mm512_loadu_si512(order), w);
}

/* x, y = eight times two numbers of 32 big-endian bytes each: w[i] holds those of lane i.
 *   x, y: at most 1.1 p */
static void eight_set_bytes(eight *x, eight *y, __m512i w[TY_AT_LEAST(8)])
{
    eight r2;
    eight_constant(&r2, eight_r2_digits);
    EIGHT_EACH(i, 8) w[i] = eight_turn_halves(w[i]);
    eight_transpose(w);
    eight_from_words(x, w, 0);
    eight_from_words(y, w + 4, 0);
    eight_mul(x, x, &r2);                 /* 1.0001 1/16 + 1 */
    eight_mul(y, y, &r2);
}

/* z = x/R, canonical: the number that a lane's element represents. As x is below R, its reduction
 * gives at most p, and p only for a multiple of p that is not 0 */
static void eight_plain(eight *z, const eight *x)
{
    eight_columns c;
    eight p;
    __mmask8 same = 0xff;
    EIGHT_EACH(i, 10) c.c[i] = i < 5 ? x->v[i < 5 ? i : 0] : _mm512_setzero_si512();
    eight_reduce(z, &c);
    eight_carry(z);
    EIGHT_EACH(i, 5) p.v[i] = _mm512_setzero_si512();
    eight_add_p(&p, 1);
    eight_carry(&p);
    EIGHT_EACH(i, 5) same &= _mm512_cmpeq_epi64_mask(z->v[i], p.v[i]);
    EIGHT_EACH(i, 5) z->v[i] = _mm512_maskz_mov_epi64((__mmask8)~same, z->v[i]);
}

/* w = the four words of eight numbers below 2^256, for carried digits */
EIGHT_INLINE void eight_to_words(__m512i w[TY_AT_LEAST(4)], const eight *x)
{
    EIGHT_EACH(i, 4)
    {
        const __m512i low = _mm512_srlv_epi64(x->v[i], eight_all(12 * i)),
                      high = _mm512_sllv_epi64(x->v[i + 1], eight_all(52 - 12 * i));
        w[i] = _mm512_or_si512(low, high);
    }
}

/* w[i] = x || y of lane i, 32 big-endian bytes each: the inverse of eight_set_bytes */
static void eight_get_bytes(__m512i w[TY_AT_LEAST(8)], const eight *x, const eight *y)
{
    eight t;
    eight_plain(&t, x);
    eight_to_words(w, &t);
    eight_plain(&t, y);
    eight_to_words(w + 4, &t);
    eight_transpose(w);
    EIGHT_EACH(i, 8) w[i] = eight_turn_halves(w[i]);
    ty_wipe(&t, sizeof t);
}

/* The lanes in which x is 0 mod p, for a carried x. */
static __mmask8 eight_iszero(const eight *x)
{
    eight t = *x, p;
    __mmask8 zero = 0xff, same = 0xff;
    eight_fold(&t);                      /* below 1.0001 p: a multiple of p is 0 or p */
    EIGHT_EACH(i, 5) p.v[i] = _mm512_setzero_si512();
    eight_add_p(&p, 1);
    eight_carry(&p);
    EIGHT_EACH(i, 5)
    {
        zero &= _mm512_cmpeq_epi64_mask(t.v[i], _mm512_setzero_si512());
        same &= _mm512_cmpeq_epi64_mask(t.v[i], p.v[i]);
    }
    return zero | same;
}

/* z = 1/x in each lane, 0 for 0, with one inversion for all (Montgomery, 1987) and 21 products. No
 * branch depends on which lanes are 0.   z: folded, or 0 */
static void eight_inv(eight *z, const eight *x)
{
    const __mmask8 zero = eight_iszero(x);
    ty_p_sm2 v[8], upto[8], all;
    __m512i w[8];
    eight one, t;
    eight_constant(&one, eight_one_digits);
    eight_sel(&t, zero, &one, x);
    eight_get(v, &t);
    upto[0] = v[0];
    for (int i = 1; i < 8; i++) ty_p_sm2_mul(&upto[i], &upto[i - 1], &v[i]);
    ty_p_sm2_inv(&all, &upto[7]);
    for (int i = 7; i > 0; i--) {
        ty_p_sm2_mul(&upto[i], &all, &upto[i - 1]);
        ty_p_sm2_mul(&all, &all, &v[i]);
    }
    upto[0] = all;
    for (int i = 0; i < 8; i++) w[i] = _mm512_maskz_loadu_epi64(0x0f, upto[i].v);
    eight_transpose(w);
    eight_spread(z, w);
    EIGHT_EACH(i, 5) z->v[i] = _mm512_maskz_mov_epi64((__mmask8)~zero, z->v[i]);
    ty_wipe(v, sizeof v);
    ty_wipe(upto, sizeof upto);
    ty_wipe(&all, sizeof all);
    ty_wipe(&t, sizeof t);
    ty_wipe(w, sizeof w);
}

#endif
