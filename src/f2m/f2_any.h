/* GF(2)[t]/M for any irreducible M of degree 2 to 1023, given at run time, with the representation
 * that is fastest on the machine.
 *
 * M = t^m + t^k + ... + 1, k its second exponent. An element has n = 64 W bits, n >= m. There are
 * four methods (ty_f2_way) to reduce a product, of degree 2n - 2 at most:
 * full        degrees stay below m. c = ch t^m + cl, c <- ch (M - t^m) + cl until ch = 0; where M
 *             has few terms, word by word, with shifts
 * partial     degrees stay below n, so that nothing is cut at m: M' = (M - t^m) t^(n-m), c = ch t^n
 *             + cl, c <- ch M' + cl, i = ceil((n-1)/(m-k)) times (Gura, Eberle and Chang Shantz
 *             2002, formula 18). For output, c t^(n-m) is reduced in the same way and shifted back,
 *             which gives exactly c mod M
 * Barrett     degrees below n, ch and cl as in partial reduction; q = ch mu / t^n for mu = t^2n /
 *             (M t^(n-m)), the remainder is exact: two half products whatever k is
 * Montgomery  degrees below n; the lowest word is cleared W times, with M's inverse mod t^64. A
 *             stored x represents x t^-n
 * The caller chooses the method, or leaves it to a count of products and shifts, which finds the
 * cheapest for the kind of machine.
 *
 * time        constant in elements; M, n and the method are public
 *
 * For example, SEC 2's steepest field, x^239 + x^158 + 1 (cards/f2_239.card): partial reduction by
 * M' = x^175 + x^17 needs i = ceil(255/81) = 4 rounds there. */
#ifndef TY_F2M_F2_ANY_H
#define TY_F2M_F2_ANY_H

#include "base/levels.h"
#include "tongyu/base.h"

enum { TY_F2_ANY_BITS = 1023, TY_F2_ANY_WORDS = 16, TY_F2_ANY_TERMS = 6 };

typedef enum ty_f2_way {
    TY_F2_AUTO,
    TY_F2_FULL,
    TY_F2_PARTIAL,
    TY_F2_BARRETT,
    TY_F2_MONTGOMERY
} ty_f2_way;

/* W words; where W is odd, one more, which is zero. */
typedef struct ty_f2_any_el {
    uint64_t w[TY_F2_ANY_WORDS];
} ty_f2_any_el;

typedef struct ty_f2_any_pair {   /* the ladder's two points, x = X/Z */
    ty_f2_any_el x0, z0, x1, z1;
} ty_f2_any_pair;

typedef struct ty_f2_any {
    uint16_t m, k, n, words;
    uint16_t rounds, out_rounds;            /* of partial reduction: i, and for output */
    /* the exponents below m, falling, where they are few; else terms is 0 */
    uint16_t terms, term[TY_F2_ANY_TERMS];
    uint16_t fold_words;                    /* of M', up to its last nonzero word */
    ty_f2_way way;
    uint64_t f[TY_F2_ANY_WORDS + 1];        /* M */
    uint64_t low[TY_F2_ANY_WORDS];          /* M - t^m */
    uint64_t fold[TY_F2_ANY_WORDS];         /* M' */
    uint64_t mu[TY_F2_ANY_WORDS];           /* t^2n / (M t^(n-m)), without its first term, t^n */
    uint64_t inv;                           /* 1/M mod t^64 */
    uint64_t trace[TY_F2_ANY_WORDS];        /* bit i: the trace of t^i */
    ty_f2_any_el one, rr;                   /* 1 in the method's form; the factor that converts */
} ty_f2_any;

typedef struct ty_f2_any_kernels {
    /* z may alias anything.  in, out: in the method's form */
    void (*mul)(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any_el *y, const ty_f2_any *f);
    /* x^(2^n), n > 0 */
    void (*sqr_n)(ty_f2_any_el *z, const ty_f2_any_el *x, size_t n, const ty_f2_any *f);
    /* z = ab + cd, z = ab + c^2: one reduction for both */
    void (*mul_mul)(ty_f2_any_el *z, const ty_f2_any_el *a, const ty_f2_any_el *b,
                    const ty_f2_any_el *c, const ty_f2_any_el *d, const ty_f2_any *f);
    void (*mul_sqr)(ty_f2_any_el *z, const ty_f2_any_el *a, const ty_f2_any_el *b,
                    const ty_f2_any_el *c, const ty_f2_any *f);
    /* z = x, reduced to a degree below m, still in the method's form */
    void (*canon)(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f);
} ty_f2_any_kernels;

/* A step (rung) of Lopez and Dahab's ladder (1999), over the curve whose b is root^2: where mask is
 * all ones the points are exchanged first; then point 1 = point 0 + point 1, whose difference is
 * the point with this x, and point 0 = 2 point 0:
 *   sum     Z = (X0 Z1 + X1 Z0)^2, X = x Z + X0 Z1 X1 Z0
 *   double  Z = X0^2 Z0^2, X = (X0^2 + root Z0^2)^2
 * six products and five squares, which are reduced nine times, or in pairs */
typedef void (*ty_f2_any_rung)(ty_f2_any_pair *p, uint64_t mask, const ty_f2_any_el *x,
                               const ty_f2_any_el *root, const ty_f2_any *f);

/* pick: the tier's kernels for a field. rung: the tier's own function for a step of the ladder;
 * NULL, or returns NULL, where there is none */
typedef struct ty_f2_any_ops {
    const ty_f2_any_kernels *(*pick)(const ty_f2_any *f);
    ty_f2_any_rung (*rung)(const ty_f2_any *f);
} ty_f2_any_ops;

#define TY_F2_ANY_TIERS(X)                                                                         \
    X(f2_any, c)                                                                                   \
    TY_ON_WORD64(X(f2_any, c64)) TY_ON_X86_64(X(f2_any, aesni) X(f2_any, vaes))                    \
        TY_ON_ARM64(X(f2_any, armce))
TY_FAMILY(f2_any, TY_F2_ANY_TIERS)

/* The reductions for which vectors have code of their own: f2_any_size.h */
enum { TY_F2_ONE, TY_F2_TWO, TY_F2_DENSE, TY_F2_FULL1, TY_F2_FULL2, TY_F2_SHAPES };

/* The functions of a file of src/f2m_any, for fields of one size; ty_f2_any_canon_<level> is for
 * all sizes */
typedef struct ty_f2_any_size {    /* aesni, armce */
    ty_f2_any_kernels kernels;
    ty_f2_any_rung rung;
} ty_f2_any_size;
typedef struct ty_f2_any_rungs {   /* vaes */
    ty_f2_any_rung shape[TY_F2_SHAPES];
} ty_f2_any_rungs;
#if defined(__x86_64__)
void ty_f2_any_canon_aesni(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f);
/* functions of the tier aesni that the tier vaes uses too */
const ty_f2_any_kernels *ty_f2_any_pick_aesni(const ty_f2_any *f);
ty_f2_any_rung ty_f2_any_rung_aesni(const ty_f2_any *f);
#elif defined(TY_AARCH64)
void ty_f2_any_canon_armce(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f);
#endif

/* 1 if tiers with a carry-less product have functions for fields of the size of f and this method:
 * f2_any_sizes.h */
static inline int ty_f2_any_in_lanes(const ty_f2_any *f, ty_f2_way way)
{
    if (f->words < 2 || f->words > 9) return 0;
    if (way == TY_F2_FULL) return f->k < 128 && 2 * f->k <= f->m && f->n - f->m < 64;
    return way == TY_F2_BARRETT || (way == TY_F2_PARTIAL && f->fold_words <= 2 && f->rounds <= 2);
}

/* The reduction of such a field: TY_F2_ONE to TY_F2_FULL2 */
static inline int ty_f2_any_shape(const ty_f2_any *f)
{
    if (f->way == TY_F2_FULL) return f->k < 64 ? TY_F2_FULL1 : TY_F2_FULL2;
    return f->way == TY_F2_BARRETT ? TY_F2_DENSE : f->fold_words - 1;
}

static inline const ty_f2_any_kernels *ty_f2_any_pick(const ty_f2_any *f)
{
    return ty_f2_any_best()->pick(f);
}

/* f = GF(2)[t]/M for the big-endian polynomial in[in_len], whose first byte is not zero. reg: 0 for
 * whole words, or 256.
 *   err    TY_ERR_SIZE: the degree is not 2 to 1023, or reg is neither 0 nor 256, or too small
 *          TY_ERR_ARG: M is reducible
 *   time   variable, public
 *          cost: m squarings, and a greatest common divisor for every prime that divides m */
TY_MUST_CHECK ty_err ty_f2_any_init(ty_f2_any *f, const uint8_t *in, size_t in_len, ty_f2_way way,
                                    unsigned reg);

/* The cost of a method in this field, in products of words and in words shifted into place; and the
 * cheapest method for this machine, with the carry-less product or without it. */
typedef struct ty_f2_cost {
    uint32_t products, shifts;
} ty_f2_cost;
ty_f2_cost ty_f2_any_cost(const ty_f2_any *f, ty_f2_way way);
ty_f2_way ty_f2_any_cheapest(const ty_f2_any *f);

/* Elements: sums, masks, bytes. len = ceil(m/8) big-endian bytes. */
void ty_f2_any_add(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any_el *y,
                   const ty_f2_any *f);
void ty_f2_any_sel(ty_f2_any_el *z, uint64_t mask, const ty_f2_any_el *x, const ty_f2_any_el *y,
                   const ty_f2_any *f);
void ty_f2_any_swap(uint64_t mask, ty_f2_any_el *x, ty_f2_any_el *y, const ty_f2_any *f);
/* all ones if the degree is below m, else zero, and then z is undefined */
uint64_t ty_f2_any_set(ty_f2_any_el *z, const uint8_t *in, const ty_f2_any *f,
                       const ty_f2_any_kernels *ops);
void ty_f2_any_get(uint8_t *out, const ty_f2_any_el *x, const ty_f2_any *f,
                   const ty_f2_any_kernels *ops);
/* all ones or zero */
uint64_t ty_f2_any_iszero(const ty_f2_any_el *x, const ty_f2_any *f, const ty_f2_any_kernels *ops);
/* 0 or 1 */
uint64_t ty_f2_any_trace(const ty_f2_any_el *x, const ty_f2_any *f, const ty_f2_any_kernels *ops);
/* A step of the ladder by these kernels */
void ty_f2_any_climb(ty_f2_any_pair *p, uint64_t mask, const ty_f2_any_el *x,
                     const ty_f2_any_el *root, const ty_f2_any *f, const ty_f2_any_kernels *ops);
/* z = 1/x, and 0 for 0.  z may alias x */
void ty_f2_any_inv(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f,
                   const ty_f2_any_kernels *ops);
/* z = y/x for x other than 0, by Chang Shantz's division (2001): at most 2m steps that halve one of
 * two polynomials. Where there is no carry-less product it takes a tenth of an inverse's time.
 * time: variable, public. z may alias anything */
void ty_f2_any_div_vt(ty_f2_any_el *z, const ty_f2_any_el *y, const ty_f2_any_el *x,
                      const ty_f2_any *f, const ty_f2_any_kernels *ops);
/* z^2 + z = x: all ones if there is such a z.  z may not alias x */
uint64_t ty_f2_any_solve(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f,
                         const ty_f2_any_kernels *ops);

#endif
