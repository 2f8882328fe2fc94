/* The SM2 curve's operations for one tier, whose file includes this once, after it has defined
 *     TY_LIMB_BITS       the word size
 *     TY_P_SM2_ADX       defined if the field's products are those of mod/p_sm2_adx.h
 *     TY_P_SM2_NEON      defined if they are those of mod/p_sm2_neon.h
 *     TY_P_SM2_M4        defined if they are those of mod/p_sm2_m4.h
 *     TY_EC_SM2_M4_POINTS   defined, with P_SM2_M4, if point operations are those of ec_sm2_m4.S
 *     TY_EC_SM2_AFFINE   defined, with P_SM2_M4, if multiples of P are affine
 *     TY_EC_SM2_WIDE     defined if multiples of G come from the large table, 148 KB, in the
 *                        Montgomery domain, and not from the small one, 13 KB, of which there is
 *                        one in either domain
 *     TY_EC_SM2_AVX2     defined if tables are read with AVX2
 *     TY_EC_SM2_FOUR     defined, with WIDE and P_SM2_ADX, if several points are computed four at a
 *                        time in lanes of AVX2
 *     TY_EC_SM2_SHARED   defined if a stronger tier has kernels of this one, which then are not
 *                        static
 * and ends with the ops struct of its tier, in which TABLE_PAYS is known. */
#ifndef TY_EC_EC_SM2_TIER_H
#define TY_EC_EC_SM2_TIER_H

#include "base/wipe.h"
#include "ec/ec_sm2_names.h"
#include "ec/sm2_const.h"
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/n_sm2_words.h"

#if defined(TY_EC_SM2_SHARED)
#  define KERNEL
#else
#  define KERNEL static
#endif

/* b, or b 2^256 mod p in the Montgomery domain */
#if defined(TY_P_SM2_MONT)
static const ty_p_sm2 ty_ec_b = { TY_SM2_B_MONT };
#else
static const ty_p_sm2 ty_ec_b = { TY_SM2_B };
#endif

typedef struct affine affine;
typedef struct meanwhile meanwhile;   /* the state of reading an entry of a table */
static inline void meanwhile_step(meanwhile *m, int i);
#include "ec/ec_prime.h"

#include "ec/ec_sm2_digits.h"

/* In mul_base, digit ROUNDS t + r of BASE_DIGITS selects from row t of the table, which holds the
 * multiples 1..BASE_COLS of 2^(BASE_WIDTH ROUNDS t) G. Of the small table's 13 rows, a KB each, a
 * build may keep every fourth one, or only the first one, which verification needs:
 * -DTY_SM2_COMB=4 or 0 (KB; 13 otherwise). */
#if defined(TY_EC_SM2_WIDE)
#  define BASE_WIDTH  7
#  define BASE_COLS   64
#  define BASE_ROWS   37
#  define BASE_DIGITS 37
#  define BASE_EVERY  1
#  define ROUNDS      1
#else
#  define BASE_WIDTH  WIDTH
#  define BASE_COLS   COLS
#  define BASE_DIGITS DIGITS
#  if !defined(TY_SM2_COMB) || TY_SM2_COMB == 13
#    define BASE_ROWS  13
#    define BASE_EVERY 1
#  elif TY_SM2_COMB == 4
#    define BASE_ROWS  4
#    define BASE_EVERY 4
#  elif TY_SM2_COMB == 0
#    define BASE_ROWS  1
#    define BASE_EVERY 13
#  else
#    error "TY_SM2_COMB is 13, 4 or 0: KB of multiples of the base point"
#  endif
#  define ROUNDS      (4 * BASE_EVERY)
#endif

/* Row 0, and rows 1 to BASE_ROWS - 1: verification reads row 0 only, and a linker drops the others
 * from programs that do not sign. */
#define W(hi, lo) TY_W64(0x##hi, 0x##lo)
#if defined(TY_EC_SM2_WIDE)
#  include "ec/tables/ec_sm2_base_wide.inc"
#elif defined(TY_P_SM2_MONT)
#  include "ec/tables/ec_sm2_base_mont.inc"
#else
#  include "ec/tables/ec_sm2_base.inc"
#endif
#undef W
#if BASE_ROWS > 1
static inline const affine *base_row(int t) { return t ? base_rest[t - 1] : base_first; }
#else
static inline const affine *base_row(int t) { return (void)t, base_first; }
#endif

/* all ones if a == b */
static inline ty_limb same_digit(uint32_t a, uint32_t b)
{
    return ty_limb_mask(ty_mask_eq32(a, b) & 1);
}

/* scan_begin .. scan_end, ready_scan: z = table[magnitude - 1], reading every entry; zeros for
 * magnitude 0. Between begin and end come meanwhile_step(m, i) for i = 0 .. 10, each once: with
 * AVX2, each reads six entries of BASE_COLS = 64. */
#if defined(TY_EC_SM2_AVX2)
#  include "ec/ec_sm2_scan_avx2.h"
#else
struct meanwhile {
    const affine *table;
    uint32_t magnitude;
};

static inline void scan_begin(meanwhile *m, const affine *table, uint32_t magnitude)
{
    *m = (meanwhile){ table, magnitude };
}

/* nothing: scan_end reads all entries */
static inline void meanwhile_step(meanwhile *m, int i) { (void)m, (void)i; }

#if defined(TY_P_SM2_M4)
void ty_ec_sm2_scan_affine_m4(affine *z, const affine *table, uint32_t magnitude);
void ty_ec_sm2_scan_8_m4(affine *z, const affine *table, uint32_t magnitude);

static inline void scan_end(affine *z, const meanwhile *m)
{
    _Static_assert(BASE_COLS == 16, "as many as ec_sm2_m4.S adds up");
    ty_ec_sm2_scan_affine_m4(z, m->table, m->magnitude);
}
#else
static void scan_end(affine *z, const meanwhile *m)
{
    const affine *table = m->table;
    memset(z, 0, sizeof *z);
    for (uint32_t j = 0; j < BASE_COLS; j++) {
        const ty_limb mask = same_digit(m->magnitude, j + 1);
        TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) {
            z->x.v[i] |= table[j].x.v[i] & mask;
            z->y.v[i] |= table[j].y.v[i] & mask;
        }
    }
}
#endif

#if !defined(TY_EC_SM2_AFFINE)
static void ready_scan(ready *z, const ready *table, uint32_t entries, uint32_t magnitude)
{
    const size_t limbs = sizeof *z / sizeof(ty_limb);
    ty_limb *out = z->p.x.v;   /* the five elements as one array: they are limbs and nothing else */
    memset(z, 0, sizeof *z);
    for (uint32_t j = 0; j < entries; j++) {
        const ty_limb mask = same_digit(magnitude, j + 1), *in = table[j].p.x.v;
        for (size_t i = 0; i < limbs; i++) out[i] |= in[i] & mask;
    }
}
#endif
#endif

/* kG = sum over rounds r of 2^(w r) sum over rows t of d_(ROUNDS t + r) 2^(w ROUNDS t) G, w =
 * BASE_WIDTH: 52 additions and 15 doublings with the small table, 75 with every fourth row of it,
 * 255 with the first one; 37 additions with the large table, where there is one round.
 *
 * No addition is of two equal points. Let the sum so far be sG and the addend DG, D = d B, B = 2^(w
 * ROUNDS t), d != 0. Rows below t, in this round and earlier ones, contribute at most 0.52 B (0.51
 * B with the large table) to s: a geometric sum of 2^(w-1) 2^(w j), j < ROUNDS t. The rest of s,
 * from row t and those above it in earlier rounds, is a multiple of 2^w B. Since 0.48 B <= |D| -
 * 0.52 B and |D| + 0.52 B < 2^w B, neither s = D nor s = -D as integers; s = 0 is infinity, which
 * is masked. Both are small: with the small table |D| <= 2^244, and |s| < 2^252 before round 0; in
 * round 0, |s - k| < 2^245 with 0 <= k <= (n-1)/2; so |s - D| < n. With the large one |s| < 0.51 B
 * and |D| <= 8 2^252 in the highest row, whose digit has three bits: |s - D| < 2^256 - 2^253 < n.
 * So s != D mod n either. */
static void base_sum(point *sum, const uint8_t k[TY_AT_LEAST(32)])
{
    ty_n_sm2 scalar;
    digits d;
    affine a;
    meanwhile m;
    ty_limb sum_inf = (ty_limb)-1;
    ty_n_sm2_set(&scalar, k);
    const ty_limb flipped = ty_n_sm2_halve_range(&scalar, &scalar);
    recode(&d, &scalar, BASE_WIDTH, BASE_DIGITS);
    memset(sum, 0, sizeof *sum);
    scan_begin(&m, base_first, d.magnitude[ROUNDS - 1]);
    for (int i = 0; i < 11; i++) meanwhile_step(&m, i);
    for (int r = ROUNDS - 1; r >= 0; r--) {
        if (r < ROUNDS - 1)
            for (int i = 0; i < BASE_WIDTH; i++) point_dbl(sum, sum);
        const int rows = (BASE_DIGITS - 1 - r) / ROUNDS + 1;
        for (int t = 0; t < rows; t++) {
            const int i = ROUNDS * t + r, last = t == rows - 1,
                      next = last ? (r ? r - 1 : 0) : i + ROUNDS;
            const ty_limb none = same_digit(d.magnitude[i], 0);
            scan_end(&a, &m);
            negate_if(&a.y, ty_limb_mask(d.negative[i]));
            scan_begin(&m, base_row(last ? 0 : t + 1), d.magnitude[next]);
            point_add_affine(sum, sum, &a, sum_inf, none, &m);
            sum_inf &= none;
        }
    }
    negate_if(&sum->y, flipped);
    ty_wipe(&scalar, sizeof scalar);
    ty_wipe(&d, sizeof d);
    ty_wipe(&a, sizeof a);
    ty_wipe(&m, sizeof m);
}

KERNEL uint32_t TY_K(ec_sm2_mul_base)(uint8_t z[TY_AT_LEAST(64)], const uint8_t k[TY_AT_LEAST(32)])
{
    point sum;
    base_sum(&sum, k);
    const uint32_t finite = point_get(z, &sum);
    ty_wipe(&sum, sizeof sum);
    return finite;
}

#include "ec/ec_sm2_multiples.h"

/* The part of mul after the table of P. It is a function of its own so that the digits are not on
 * the stack while the table is computed. */
static __attribute__((noinline)) void mul_chain(point *sum, const uint8_t k[TY_AT_LEAST(32)],
                                                const multiple table[TY_AT_LEAST(MUL_COLS)])
{
    ty_n_sm2 scalar;
    digits d;
    multiple q;
    ty_limb sum_inf = (ty_limb)-1;
    ty_n_sm2_set(&scalar, k);
    const ty_limb flipped = ty_n_sm2_halve_range(&scalar, &scalar);
    recode(&d, &scalar, MUL_WIDTH, MUL_DIGITS);
    memset(sum, 0, sizeof *sum);
    for (int i = MUL_DIGITS - 1; i >= 0; i--) {
        const ty_limb none = same_digit(d.magnitude[i], 0);
        if (i < MUL_DIGITS - 1)
            for (int j = 0; j < MUL_WIDTH; j++) point_dbl(sum, sum);
        multiple_scan(&q, table, d.magnitude[i]);
        negate_if(multiple_y(&q), ty_limb_mask(d.negative[i]));
        multiple_add(sum, sum, &q, sum_inf, none);
        sum_inf &= none;
    }
    negate_if(&sum->y, flipped);
    ty_wipe(&scalar, sizeof scalar);
    ty_wipe(&d, sizeof d);
    ty_wipe(&q, sizeof q);
}

/* kP, digits from the top: with 5 bits 255 doublings, 52 additions, and 15 operations for P, 2P,
 * ..., 16P; with 4 bits 252, 64 and 7.
 *
 * No addition is of two equal points. Let W = 2^MUL_WIDTH. Before digit d the sum is sP with s = W
 * s', and after it s + d, which is k/W^i rounded: 0 <= s + d <= (n-1)/2. Infinity and d = 0 are
 * handled by masks. Otherwise s >= W > |d|, so s != d; and s - d = (s + d) - 2d <= (n-1)/2 + W < n,
 * so s != d mod n, which is the order of P. */
KERNEL uint32_t TY_K(ec_sm2_mul)(uint8_t z[TY_AT_LEAST(64)], const uint8_t k[TY_AT_LEAST(32)],
                                 const uint8_t p[TY_AT_LEAST(64)])
{
    affine a;
    multiple table[MUL_COLS];
    point sum;
    (void)affine_set(&a, p);
    multiples(table, &a);
    mul_chain(&sum, k, table);
    const uint32_t finite = point_get(z, &sum);
    ty_wipe(table, sizeof table);
    ty_wipe(&sum, sizeof sum);
    ty_wipe(&a, sizeof a);
    ty_wipe_below_8k();
    return finite;
}

#include "ec/ec_sm2_vt.h"
#include "ec/ec_sm2_many.h"

/* --- Single points ---------------------------------------------------------------------------- */

KERNEL uint32_t TY_K(ec_sm2_add)(uint8_t z[TY_AT_LEAST(64)], const uint8_t p[TY_AT_LEAST(64)],
                                 const uint8_t q[TY_AT_LEAST(64)])
{
    affine a, b;
    point pa, sum, dbl;
    ty_p_sm2 h, rr;
    (void)affine_set(&a, p);
    (void)affine_set(&b, q);
    point_lift(&pa, &a);
    point_dbl(&dbl, &pa);
    point_sum_affine(&sum, &h, &rr, &pa, &b, NULL);
    point_sel(&sum, ty_p_sm2_iszero(&h) & ty_p_sm2_iszero(&rr), &dbl, &sum);
    return point_get(z, &sum);
}

KERNEL uint32_t TY_K(ec_sm2_on_curve)(const uint8_t p[TY_AT_LEAST(64)])
{
    affine a;
    const ty_limb in_range = affine_set(&a, p);
    return (uint32_t)(in_range & affine_on_curve(&a));
}

KERNEL uint32_t TY_K(ec_sm2_decompress)(uint8_t z[TY_AT_LEAST(64)],
                                        const uint8_t x[TY_AT_LEAST(32)], uint32_t odd)
{
    affine a;
    ty_p_sm2 t, rhs;
    ty_limb ok = ty_p_sm2_set(&a.x, x);
    ty_p_sm2_sqr(&rhs, &a.x);
    ty_p_sm2_mul(&rhs, &rhs, &a.x);
    ty_p_sm2_add(&t, &a.x, &a.x);
    ty_p_sm2_add(&t, &t, &a.x);
    ty_p_sm2_sub(&rhs, &rhs, &t);
    ty_p_sm2_add(&rhs, &rhs, &ty_ec_b);
    ok &= ty_p_sm2_sqrt(&a.y, &rhs);
    ty_p_sm2_get(z + 32, &a.y);
    /* y = 0 does not occur (the group has odd order), so exactly one of y and p - y has the wanted
     * parity */
    negate_if(&a.y, ty_limb_mask((z[63] ^ odd) & 1));
    ty_p_sm2_get(z, &a.x);
    ty_p_sm2_get(z + 32, &a.y);
    for (int i = 0; i < 64; i++) z[i] &= (uint8_t)ok;
    return (uint32_t)ok;
}

#endif
