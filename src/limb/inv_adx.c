/* Inverses modulo odd numbers of any length by division steps, for the tier "adx": the method of
 * limb/divstep.c, with the numbers in vectors, and the steps of a round in general registers while
 * the vectors still apply the round before.
 * time: constant
 *
 * All four numbers are processed as one: digit i of f, g, d and e is a vector of four words, s[i] =
 * (f_i, g_i, d_i, e_i), of 30 bits, all but the highest in [0, 2^30). With the halves of an entry u
 * = u_lo + 2^30 u_hi, 0 <= u_lo < 2^30, a round of 60 steps adds up
 *
 *     sum_i = (u_lo f_i + v_lo g_i) + (u_hi f_i-1 + v_hi g_i-1) + (k_lo m_i + k_hi m_i-1) + carry
 *
 * for all four at once (k = 0 for f and g), and the sum of digit i, without its carry, is digit
 * i - 2 of the quotient by 2^60. Ranges: |u| + |v| <= 2^60, -2^61 < k <= 2^60 and a highest digit
 * in [-2^29, 2^29) keep each product with a lower half below 2^60, those of f, g with upper halves
 * together within 2^60 + 2^31, and k_hi m in [-2^61, 2^60]; so a sum is below 6 2^60 in absolute
 * value, and with 2^63 added it can be shifted as an unsigned word: AVX2 has no arithmetic shift of
 * 64 bits.
 *
 * The steps of the next round need only the lowest 60 bits of the new f and g, which four products
 * compute from 120 bits of the old ones: so they need not wait.
 * bound: a round of 60 steps takes 60 times 4 cycles; at the same time 16 vector operations for a
 * digit of all four numbers, 4 per cycle */
#include "limb/limb_x86.h"
#if defined(TY_HAS_ADX)
#include <immintrin.h>
#include <string.h>
#define TY_LEVEL adx
#include "base/level_begin.h"

enum { DIGIT = 30 };
#define LOW30 (((uint64_t)1 << 30) - 1)
#define LOW60 (((uint64_t)1 << 60) - 1)
__extension__ typedef __int128 wide;

/* The application of a matrix to the digits: `s` and `m` point at the next digit, of 0 .. k, and
 * `past` beyond the last one; x and mod are the digit before, y is x with the words of each half
 * exchanged. */
typedef struct pass {
    __m256i a_lo, b_lo, k_lo, a_hi, b_hi, k_hi, x, y, mod, carry;
    int64_t *s, *past;
    const int64_t *m;
    size_t pace;   /* digits for each step */
} pass;

static inline __m256i same(int64_t x) { return _mm256_set1_epi64x(x); }
static inline __m256i load(const int64_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
static inline void put(int64_t *p, __m256i x) { _mm256_storeu_si256((__m256i *)(void *)p, x); }
static inline __m256i plus(__m256i x, __m256i y) { return _mm256_add_epi64(x, y); }
static inline __m256i times(__m256i x, __m256i y) { return _mm256_mul_epi32(x, y); }

/* 2^63 for the shift, less the excess 2^63 >> 30 of a carry */
#define BIAS ((int64_t)(((uint64_t)1 << 63) - ((uint64_t)1 << 33)))

static inline __attribute__((always_inline)) void pass_digit(pass *j)
{
    const __m256i x = load(j->s), y = _mm256_shuffle_epi32(x, 0x4e), mod = same(*j->m);
    const __m256i low = plus(plus(times(j->a_lo, x), times(j->b_lo, y)), times(j->k_lo, mod));
    const __m256i high =
        plus(plus(times(j->a_hi, j->x), times(j->b_hi, j->y)), times(j->k_hi, j->mod));
    const __m256i sum = plus(plus(low, high), j->carry);
    put(j->s - 8, _mm256_and_si256(sum, same((int64_t)LOW30)));
    j->carry = plus(_mm256_srli_epi64(sum, DIGIT), same(BIAS));
    j->x = x, j->y = y, j->mod = mod;
    j->s += 4;
    j->m++;
}

static inline __attribute__((always_inline)) void pass_beside(pass *j)
{
    for (size_t i = 0; i < j->pace && j->s != j->past; i++) pass_digit(j);
}

#define TY_DIV_X86
#define TY_DIV_BESIDE pass
#define ty_div_beside pass_beside
#include "limb/divstep64_matrix.h"

/* Lane l's 60 bits from digit i on, signed if the highest digit is among them. */
static inline int64_t word(const int64_t *s, size_t i, size_t l)
{
    return s[4 * i + l] + (int64_t)((uint64_t)s[4 * i + 4 + l] << DIGIT);
}

/* Begins to apply t. m is added to negative d and e, and then as often as makes the sums
 * multiples of 2^60: as in limb/divstep64.h. */
static inline void pass_begin(pass *j, const ty_div_matrix *t, uint64_t m_inv, int64_t *s,
                               const int64_t *m)
{
    const int64_t *top = j->past - 8;
    const uint64_t d = (uint64_t)word(s, 0, 2), e = (uint64_t)word(s, 0, 3);
    const int64_t d_neg = top[2] >> 63, e_neg = top[3] >> 63;
    int64_t kd = (t->u & d_neg) + (t->v & e_neg), ke = (t->q & d_neg) + (t->r & e_neg);
    kd -= (int64_t)((m_inv * ((uint64_t)t->u * d + (uint64_t)t->v * e) + (uint64_t)kd) & LOW60);
    ke -= (int64_t)((m_inv * ((uint64_t)t->q * d + (uint64_t)t->r * e) + (uint64_t)ke) & LOW60);
    const __m256i a = _mm256_set_epi64x(t->r, t->u, t->r, t->u),
                  b = _mm256_set_epi64x(t->q, t->v, t->q, t->v);
    const __m256i k = _mm256_set_epi64x(ke, kd, 0, 0), low = same((int64_t)LOW30);
    /* the upper halves keep their 34 bits, of which the products read the lowest 32: these suffice
     * for the number and its sign */
    j->a_lo = _mm256_and_si256(a, low), j->a_hi = _mm256_srli_epi64(a, DIGIT);
    j->b_lo = _mm256_and_si256(b, low), j->b_hi = _mm256_srli_epi64(b, DIGIT);
    j->k_lo = _mm256_and_si256(k, low), j->k_hi = _mm256_srli_epi64(k, DIGIT);
    j->x = j->y = j->mod = same(0);
    j->carry = same((int64_t)((uint64_t)1 << 63));
    j->s = s, j->m = m;
}

/* Processes the remaining digits; the carry out of them is the highest digit, with its sign. */
static inline void pass_end(pass *j)
{
    while (j->s != j->past) pass_digit(j);
    put(j->past - 8, plus(j->carry, same((int64_t)((uint64_t)1 << 63))));
}

/* 60 bits from 120 of the old numbers: (a f + b g)/2^60, exactly */
static inline uint64_t ahead(int64_t a, int64_t b, const int64_t *s)
{
    const wide low = (wide)a * word(s, 0, 0) + (wide)b * word(s, 0, 1);
    return (uint64_t)(low >> 60) + (uint64_t)a * (uint64_t)word(s, 2, 0) +
           (uint64_t)b * (uint64_t)word(s, 2, 1);
}

/* The k digits of x[n], in every `step`-th word from z on; and back: lane l of s in n + 1 limbs, in
 * two's complement. */
static void ty_limb_inv_spread_adx(int64_t *z, size_t step, const ty_limb *x, size_t n, size_t k)
{
    for (size_t i = 0; i < k; i++) {
        const size_t at = i * DIGIT / 64, s = i * DIGIT % 64;
        uint64_t d = at < n ? x[at] >> s : 0;
        if (s > 64 - DIGIT && at + 1 < n) d |= x[at + 1] << (64 - s);
        z[step * i] = (int64_t)(d & LOW30);
    }
}

static void ty_limb_inv_collect_adx(ty_limb *z, size_t n, const int64_t *s, size_t l, size_t k)
{
    unsigned have = 0;   /* bits of sum */
    wide sum = 0;
    for (size_t i = 0, out = 0; out <= n; i++) {
        if (i < k) sum += (wide)s[4 * i + l] * ((wide)1 << have), have += DIGIT;
        if (i < k && have < 64) continue;
        z[out++] = (ty_limb)sum;
        sum >>= 64;
        have -= 64;
    }
}

/* All rounds on the k digits from s on; before them there is room for two more, which become 0, and
 * after them is one that is 0. */
static inline __attribute__((always_inline)) void run(int64_t *s, const int64_t *m, size_t k,
                                                      uint64_t m_inv, size_t rounds, size_t pace)
{
    int64_t zeta = -1, *past = s + 4 * (k + 1);
    pass j = { .s = past, .past = past, .pace = pace };
    ty_div_matrix t;
    zeta = ty_div_60(&t, zeta, (uint64_t)word(s, 0, 0), (uint64_t)word(s, 0, 1), &j);
    for (size_t i = 1; i < rounds; i++) {
        const uint64_t f = ahead(t.u, t.v, s), g = ahead(t.q, t.r, s);
        pass_begin(&j, &t, m_inv, s, m);
        zeta = ty_div_60(&t, zeta, f, g, &j);
        pass_end(&j);
    }
    pass_begin(&j, &t, m_inv, s, m);
    pass_end(&j);
}

ty_limb ty_limb_inv_adx(ty_limb *z, const ty_limb *x, const ty_limb *m, size_t n, size_t rounds,
                        ty_limb *work)
{
    const size_t k = TY_LIMB_INV_DIGITS(n);
    int64_t *s = (int64_t *)work + 8, *mod = s + 4 * (k + 1);
    memset(work, 0, TY_LIMB_INV_WORK(n) * sizeof *work);
    ty_limb_inv_spread_adx(s, 4, m, n, k);
    ty_limb_inv_spread_adx(s + 1, 4, x, n, k);
    ty_limb_inv_spread_adx(mod, 1, m, n, k);
    s[3] = 1;
    const uint64_t m_inv = 0 - ty_limb_minv(m[0]);
    if (k < 60) run(s, mod, k, m_inv, rounds, 1);
    else run(s, mod, k, m_inv, rounds, 1 + k / 60);
    ty_limb *f = (ty_limb *)mod, *d = f + n + 1;   /* there is room for k + 1 >= 2n + 2 */
    ty_limb_inv_collect_adx(f, n, s, 0, k);
    ty_limb_inv_collect_adx(d, n, s, 2, k);
    const ty_limb sign = ty_limb_mask(f[n] >> 63);
    (void)ty_limb_neg_if(f, n + 1, sign);           /* the gcd: is it 1? */
    const ty_limb other = ~ty_limb_zero(f + 1, n) | ~ty_limb_is0(f[0] ^ 1);
    d[n] += ty_limb_add_if(d, m, n, ty_limb_mask(d[n] >> 63));   /* (-m, m) */
    (void)ty_limb_neg_if(d, n + 1, sign);
    (void)ty_limb_add_if(d, m, n, ty_limb_mask(d[n] >> 63));     /* [0, m) */
    memcpy(z, d, n * sizeof *z);
    return other;
}
#include "base/level_end.h"
#endif
