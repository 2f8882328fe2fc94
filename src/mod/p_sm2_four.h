/* Z/p for SM2 four at a time, an element in each lane of AVX2: see p_sm2.h. Included
 * once in a unit, after mod/p_sm2_words.h.
 *
 * form       nine limbs, of weight 2^(29 i), signed, in 64 bits of which products read the low 32;
 *            Montgomery with R = 2^261: x is kept as x R mod p. Signs make differences as cheap as
 *            sums, and no multiple of p is added
 * tight      what functions return: limbs 0 to 7 in [0, 2^29), limb 8 the rest
 * products   limbs of x at most a, of y at most b, a b <= 2^59.8: nine products and the multiples
 *            of p that clear digits stay in 63 bits. The product of two tight limbs is below 2^58.
 *            A sum of two tight ones, up to 2^30, may be multiplied by a tight one or by a
 *            difference, up to 2^29 (2^59), but not by another sum. In multiples of p: |x| <= s,
 *            |y| <= t give a result in (-st/32, st/32 + 1), as R is slightly more than 32 p;
 *            callers keep s t small, see ec/ec_sm2_four.h
 * reduction  -1/p is 1 mod 2^29, so the quotient digit of a column is its lowest 29 bits; adding
 *            digit q times p = 2^256 - 2^224 - 2^96 + 2^64 - 1 clears the column and changes those
 *            at 64, 96, 224 and 256 bits, which are 6 and 9, 21 and 24 bits into columns 2 and 3, 7
 *            and 8 further: with d = 8 q' - q for neighbours q', q, two shifts serve four of them
 * carries    AVX2 has no arithmetic right shift of 64 bits: 2^63 is added to a column first, so
 *            that the carry out of it is too large by 2^34
 * bound      product: 81 vpmuldq, 64 sums of them, 17 carries of 4, 9 digits of 2, 20 of 2 to
 *            clear: 271 / 4 a cycle = 68 core cycles for four; square: 45, 28, 8 to double, the
 *            same rest: 207 / 4 = 52. Measured on Zen 3: 93 and 76, since one product has more
 *            instructions than the core's window of out-of-order execution
 * time       constant */
#ifndef TY_MOD_P_SM2_FOUR_H
#define TY_MOD_P_SM2_FOUR_H

#define FOUR_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#  define FOUR_UNROLL _Pragma("clang loop unroll(full)")
#else
#  define FOUR_UNROLL _Pragma("GCC unroll 16")
#endif

typedef struct four {
    __m256i v[9];
} four;

/* 2^261 mod p = 2^229 + 2^101 - 2^69 + 2^5, and 8 p = 2^259 - 2^227 - 2^99 + 2^67 - 2^3 */
static const int64_t four_one_limbs[9] = { 32, 0, -2048, 1 << 14, 0, 0, 0, 1 << 26, 0 };
static const int64_t four_8p_limbs[9] = { -8, 0, 1 << 9, -(1 << 12), 0, 0, 0, -(1 << 24), 1 << 27 };

FOUR_INLINE __m256i four_all(int64_t x) { return _mm256_set1_epi64x(x); }
#define FOUR_LOW   four_all((1 << 29) - 1)
#define FOUR_HIGH  four_all(INT64_MIN)                             /* 2^63 */
/* the same for the next columns, less the excess of the carry into them */
#define FOUR_AGAIN four_all((int64_t)(((uint64_t)1 << 63) - ((uint64_t)1 << 34)))
#define FOUR_LAST  four_all(-((int64_t)1 << 34))

/* Keeps the compiler from mixing the additions before and after it: the carries are the longest
 * dependency chain, of two instructions per column if everything else has been added before. */
#define FOUR_PIN(t) __asm__("" : "+x"(t))

/* z = x + y, x - y, limb by limb */
FOUR_INLINE void four_add(four *z, const four *x, const four *y)
{
    FOUR_UNROLL for (int i = 0; i < 9; i++) z->v[i] = _mm256_add_epi64(x->v[i], y->v[i]);
}

FOUR_INLINE void four_sub(four *z, const four *x, const four *y)
{
    FOUR_UNROLL for (int i = 0; i < 9; i++) z->v[i] = _mm256_sub_epi64(x->v[i], y->v[i]);
}

/* z = mask ? x : y, lane by lane; a mask's lanes are all ones or zero */
FOUR_INLINE void four_sel(four *z, __m256i mask, const four *x, const four *y)
{
    FOUR_UNROLL for (int i = 0; i < 9; i++) z->v[i] = _mm256_blendv_epi8(y->v[i], x->v[i], mask);
}

/* z = x, tight, for limbs below 2^62 */
FOUR_INLINE void four_carry(four *z, const four *x)
{
    __m256i carry = _mm256_setzero_si256();
    FOUR_UNROLL for (int i = 0; i < 8; i++) {
        __m256i t = _mm256_add_epi64(x->v[i], i ? FOUR_AGAIN : FOUR_HIGH);
        FOUR_PIN(t);
        t = _mm256_add_epi64(t, carry);
        z->v[i] = _mm256_and_si256(t, FOUR_LOW);
        carry = _mm256_srli_epi64(t, 29);
    }
    z->v[8] = _mm256_add_epi64(_mm256_add_epi64(x->v[8], FOUR_LAST), carry);
}

/* z = x, or -x in the lanes where mask is all ones, tight: a negative limb less a positive one
 * would be too long to square */
FOUR_INLINE void four_negate_if(four *z, const four *x, __m256i mask)
{
    FOUR_UNROLL for (int i = 0; i < 9; i++) z->v[i] =
        _mm256_sub_epi64(_mm256_xor_si256(x->v[i], mask), mask);
    four_carry(z, z);
}

/* --- Products, column by column --------------------------------------------------------------- */

typedef struct four_columns {
    __m256i carry, last, d[10], out[9];   /* last: the digit before */
} four_columns;

/* x y, and t + x y, with y from memory, where it stays. Compilers would copy operands to the stack
 * and back, and move sums away from their products, which takes a quarter longer. */
FOUR_INLINE __m256i four_times(__m256i x, const __m256i *y)
{
    __m256i t;
    __asm__ volatile("vpmuldq %2, %1, %0" : "=x"(t) : "x"(x), "m"(*y));
    return t;
}

FOUR_INLINE __m256i four_plus_times(__m256i t, __m256i x, const __m256i *y)
{
    __m256i u;
    __asm__ volatile("vpmuldq %3, %2, %1\n\tvpaddq %1, %0, %0"
                     : "+x"(t), "=&x"(u)
                     : "x"(x), "m"(*y));
    return t;
}

/* column j of x y */
FOUR_INLINE __m256i four_column(const four *x, const four *y, int j)
{
    const int from = j > 8 ? j - 8 : 0, to = j < 8 ? j : 8;
    __m256i t = four_times(x->v[from], &y->v[j - from]);
    FOUR_UNROLL for (int i = from + 1; i <= to; i++) t = four_plus_times(t, x->v[i], &y->v[j - i]);
    return t;
}

/* column j of x^2, with xx = 2x */
FOUR_INLINE __m256i four_column_sqr(const four *x, const four *xx, int j)
{
    const int from = j > 8 ? j - 8 : 0, to = (j + 1) / 2 - 1;
    __m256i t =
        j % 2 ? four_times(xx->v[from], &x->v[j - from]) : four_times(x->v[j / 2], &x->v[j / 2]);
    FOUR_UNROLL for (int i = j % 2 ? from + 1 : from; i <= to; i++) t =
        four_plus_times(t, xx->v[i], &x->v[j - i]);
    return t;
}

/* Column j of a product, less what is to be subtracted from the result, if anything */
FOUR_INLINE void four_step(four_columns *c, int j, __m256i column, const four *less)
{
    __m256i t = _mm256_add_epi64(column, j ? FOUR_AGAIN : FOUR_HIGH);
    if (less && j >= 9) t = _mm256_sub_epi64(t, less->v[j - 9]);
    if (j >= 7) t = _mm256_add_epi64(t, _mm256_slli_epi64(c->d[j - 7], 21));
    if (j >= 2 && j <= 11) t = _mm256_sub_epi64(t, _mm256_slli_epi64(c->d[j - 2], 6));
    FOUR_PIN(t);
    if (j) t = _mm256_add_epi64(t, c->carry);
    const __m256i low = _mm256_and_si256(t, FOUR_LOW);
    if (j < 9) {
        c->d[j] = _mm256_sub_epi64(_mm256_slli_epi64(c->last, 3), low);
        c->last = low;
        if (j == 8) c->d[9] = _mm256_slli_epi64(low, 3);
    } else {
        c->out[j - 9] = low;
    }
    c->carry = _mm256_srli_epi64(t, 29);
}

#define FOUR_COLUMNS(z, column, less)                                                              \
    do {                                                                                           \
        four_columns c;                                                                            \
        c.carry = c.last = _mm256_setzero_si256();                                                 \
        four_step(&c, 0, column(0), less);                                                         \
        four_step(&c, 1, column(1), less);                                                         \
        four_step(&c, 2, column(2), less);                                                         \
        four_step(&c, 3, column(3), less);                                                         \
        four_step(&c, 4, column(4), less);                                                         \
        four_step(&c, 5, column(5), less);                                                         \
        four_step(&c, 6, column(6), less);                                                         \
        four_step(&c, 7, column(7), less);                                                         \
        four_step(&c, 8, column(8), less);                                                         \
        four_step(&c, 9, column(9), less);                                                         \
        four_step(&c, 10, column(10), less);                                                       \
        four_step(&c, 11, column(11), less);                                                       \
        four_step(&c, 12, column(12), less);                                                       \
        four_step(&c, 13, column(13), less);                                                       \
        four_step(&c, 14, column(14), less);                                                       \
        four_step(&c, 15, column(15), less);                                                       \
        four_step(&c, 16, column(16), less);                                                       \
        FOUR_UNROLL for (int i = 0; i < 8; i++)(z)->v[i] = c.out[i];                               \
        c.carry = _mm256_add_epi64(c.carry, FOUR_LAST);                                            \
        (z)->v[8] = (less) ? _mm256_sub_epi64(c.carry, ((const four *)(less))->v[8]) : c.carry;    \
    } while (0)
#define FOUR_OUT __attribute__((noinline)) static

/* z = x y */
FOUR_OUT void four_mul(four *z, const four *x, const four *y)
{
#define COLUMN(j) four_column(x, y, j)
    FOUR_COLUMNS(z, COLUMN, NULL);
#undef COLUMN
}

/* z = x y - u w */
FOUR_OUT void four_mul_less(four *z, const four *x, const four *y, const four *u, const four *w)
{
#define COLUMN(j) _mm256_sub_epi64(four_column(x, y, j), four_column(u, w, j))
    FOUR_COLUMNS(z, COLUMN, NULL);
#undef COLUMN
}

/* z = x^2 */
FOUR_OUT void four_sqr(four *z, const four *x)
{
    four xx;
    four_add(&xx, x, x);
#define COLUMN(j) four_column_sqr(x, &xx, j)
    FOUR_COLUMNS(z, COLUMN, NULL);
}

/* z = x^2 - w */
FOUR_OUT void four_sqr_less(four *z, const four *x, const four *w)
{
    four xx;
    four_add(&xx, x, x);
    FOUR_COLUMNS(z, COLUMN, w);
#undef COLUMN
}

/* --- In and out ------------------------------------------------------------------------------- */

/* z = the elements a, b, c and d, each in the form of ty_p_sm2: 4 words, x 2^256 mod p. x R is 2^5
 * times that, so limb i begins 5 bits lower, at bit 29 i - 5. The five bits above 2^256, t, are
 * folded by the identity, t (2^224 + 2^96 - 2^64 + 1).
 *   z: below 1.01 p; limbs within 2^29 + 2^26 */
FOUR_INLINE void four_spread(four *z, __m256i a, __m256i b, __m256i c, __m256i d)
{
    const __m256i ab = _mm256_unpacklo_epi64(a, b), ab1 = _mm256_unpackhi_epi64(a, b);
    const __m256i cd = _mm256_unpacklo_epi64(c, d), cd1 = _mm256_unpackhi_epi64(c, d);
    const __m256i w0 = _mm256_permute2x128_si256(ab, cd, 0x20),
                  w1 = _mm256_permute2x128_si256(ab1, cd1, 0x20);
    const __m256i w2 = _mm256_permute2x128_si256(ab, cd, 0x31),
                  w3 = _mm256_permute2x128_si256(ab1, cd1, 0x31);
#define BITS(x)          _mm256_and_si256(x, FOUR_LOW)
#define ACROSS(x, r, y, l) BITS(_mm256_or_si256(_mm256_srli_epi64(x, r), _mm256_slli_epi64(y, l)))
    const __m256i high = _mm256_srli_epi64(w3, 35), t = _mm256_srli_epi64(high, 24);
    z->v[0] = _mm256_add_epi64(BITS(_mm256_slli_epi64(w0, 5)), t);
    z->v[1] = BITS(_mm256_srli_epi64(w0, 24));
    z->v[2] = _mm256_sub_epi64(ACROSS(w0, 53, w1, 11), _mm256_slli_epi64(t, 6));
    z->v[3] = _mm256_add_epi64(BITS(_mm256_srli_epi64(w1, 18)), _mm256_slli_epi64(t, 9));
    z->v[4] = ACROSS(w1, 47, w2, 17);
    z->v[5] = BITS(_mm256_srli_epi64(w2, 12));
    z->v[6] = ACROSS(w2, 41, w3, 23);
    z->v[7] = _mm256_add_epi64(BITS(_mm256_srli_epi64(w3, 6)), _mm256_slli_epi64(t, 21));
    z->v[8] = _mm256_and_si256(high, four_all((1 << 24) - 1));
#undef BITS
#undef ACROSS
}

static inline void four_set(four *z, const ty_p_sm2 x[TY_AT_LEAST(4)])
{
    __m256i a[4];
    for (int i = 0; i < 4; i++) a[i] = _mm256_loadu_si256((const __m256i *)(const void *)x[i].v);
    four_spread(z, a[0], a[1], a[2], a[3]);
}

/* z[i] = lane i of x, |x| < 8p. x + 8p, below 2^260, is multiplied by 2^251 and reduced, and so
 * divided by 2^256: the factor R = 2^261 becomes 2^256. */
static inline void four_get(ty_p_sm2 z[TY_AT_LEAST(4)], const four *x)
{
    uint64_t l[9][4];
    four t;
    FOUR_UNROLL for (int i = 0; i < 9; i++) t.v[i] =
        _mm256_add_epi64(x->v[i], four_all(four_8p_limbs[i]));
    four_carry(&t, &t);
    FOUR_UNROLL for (int i = 0; i < 9; i++) _mm256_storeu_si256((__m256i *)(void *)l[i], t.v[i]);
    for (int i = 0; i < 4; i++) {
        const uint64_t w0 = l[0][i] | l[1][i] << 29 | l[2][i] << 58,
                       w1 = l[2][i] >> 6 | l[3][i] << 23 | l[4][i] << 52;
        const uint64_t w2 = l[4][i] >> 12 | l[5][i] << 17 | l[6][i] << 46,
                       w3 = l[6][i] >> 18 | l[7][i] << 11 | l[8][i] << 40;
        const ty_p_sm2_wide wide = { { 0, 0, 0, w0 << 59, w0 >> 5 | w1 << 59, w1 >> 5 | w2 << 59,
                                       w2 >> 5 | w3 << 59, w3 >> 5 | l[8][i] >> 24 << 59 } };
        ty_p_sm2_reduce(&z[i], &wide);
    }
    ty_wipe(l, sizeof l);
    ty_wipe(&t, sizeof t);
}

#endif
