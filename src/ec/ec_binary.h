/* Curves y^2 + xy = x^3 + ax^2 + b over GF(2^m), at the level of point multiplication: the table of
 * named curves, and the functions of a tier for a field.
 *
 * group      a curve has h n points, n prime, h = 2 or 4 except for curves given at run time; (0,
 *            sqrt b) is the only point of order 2
 * form       a point is 2 len bytes, x || y, big-endian, len = ceil(m/8), each of degree below m;
 *            infinity has no such form, and is returned as zero bytes (not a point: b is not 0)
 *            with a zero mask
 * masks      uint32_t, all ones or zero
 * tiers      in src/ec_f2, a file for each (field, level); the last two for some fields only:
 *            c, c64        words, by integer products with holes (limb/f2_holes.h)
 *            aesni, armce  128-bit vectors and the carry-less product
 *            vaes          two elements at once in 256-bit vectors, where the ladder and
 *                          verification have two to multiply
 *            gfni512       the same with 32 registers, one instruction for a sum of three, and
 *                          inverses with linear maps by GFNI
 *            clmul512      four elements at once in 512-bit vectors where that is faster, and
 *                          fewer sums for more carry-less products */
#ifndef TY_EC_EC_BINARY_H
#define TY_EC_EC_BINARY_H

#include "base/levels.h"
#include "ec/ec_tau.h"
#include "tongyu/ec.h"

struct ty_ec_curve {
    const char *name, *oid;
    /* the field: x^m + x^k[0] + x^k[1] + x^k[2] + 1, or three terms where k[1] is 0 */
    uint16_t m, k[3];
    uint16_t n_bits;
    uint32_t h;
    const uint8_t *abcg;     /* a || b || sqrt(b) || x || y of the generator, len bytes each */
    const uint8_t *n;        /* ceil(n_bits/8) bytes */
    /* constants of ec_f2_complete.h and the table of ec_f2_comb.h, as words of the field */
    const uint64_t *base;
    int b1;                  /* 1 if b = 1: a Koblitz curve */
    const ty_ec_tau *tau;    /* of a Koblitz curve */
    const ty_tier *tiers;    /* its field's: rows of ty_ec_binary_ops */
    /* of a curve given at run time (k is then unused); NULL for a named one */
    const struct ty_f2_any *field;
};

typedef struct ty_ec_binary_ops {
    /* z = kP for the low `bits` bits of k[ceil(bits/8)], for any k and any P of order n; where b is
     * not 1 or bits > n_bits + 16, P may be any point of the curve except that of order 2. returns
     * all ones, or zero where the result is infinity. z may alias P. time: depends on bits only */
    uint32_t (*mul)(uint8_t *z, const uint8_t *k, size_t bits, const uint8_t *p,
                    const ty_ec_curve *c);

    /* The same for four: z[i] = k[i] P[i], and finite[i] what mul returns; z[i] may alias P[i].
     * NULL: the tier has no kernel that is faster than mul. time: depends on bits only */
    void (*mul_four)(uint32_t finite[4], uint8_t *const z[4], const uint8_t *const k[4],
                     size_t bits, const uint8_t *const p[4], const ty_ec_curve *c);

    /* z = kG for k of n_bits.  returns as above.  time: constant */
    uint32_t (*mul_base)(uint8_t *z, const uint8_t *k, const ty_ec_curve *c);

    /* z = uG + vP for u, v of n_bits, P of order n.  returns as above.  time: variable */
    uint32_t (*mul_add_vt)(uint8_t *z, const uint8_t *u, const uint8_t *v, const uint8_t *p,
                           const ty_ec_curve *c);

    /* TY_OK if P is a point of order n. TY_ERR_KEY: a coordinate of degree m or more, not on the
     * curve, or of an order other than n. time: up to the first error */
    ty_err (*check)(const uint8_t *p, const ty_ec_curve *c);

    /* TY_OK if P is on the curve, x != 0 and, on a named curve, the order is n or 2n: for points
     * that were checked once, or were just computed. TY_ERR_KEY if not. time: depends on the answer
     * only, which it makes public */
    ty_err (*check_again)(const uint8_t *p, const ty_ec_curve *c);

    /* z = the point with this x for which the constant term of y/x is `odd`, 0 or 1. TY_ERR_KEY if
     * x = 0, or as for check, but the order is not checked. time: up to the first error */
    ty_err (*decompress)(uint8_t *z, const uint8_t *x, uint32_t odd, const ty_ec_curve *c);

    /* the bit that decompress takes: the constant term of y/x.  time: constant */
    uint32_t (*odd)(const uint8_t *p, const ty_ec_curve *c);

    /* a named field, for tests of the field axioms (NULL where the field is given at run time,
     * f2m/f2_any.h): len bytes each, degrees below m. time: constant */
    void (*field_mul)(uint8_t *z, const uint8_t *x, const uint8_t *y);
    void (*field_sqr)(uint8_t *z, const uint8_t *x);
    void (*field_inv)(uint8_t *z, const uint8_t *x);
    void (*field_sqrt)(uint8_t *z, const uint8_t *x);
    /* z^2 + z = x; all ones if it has a solution */
    uint32_t (*field_solve)(uint8_t *z, const uint8_t *x);
} ty_ec_binary_ops;

/* The tiers of every named field, and of curves given at run time */
#define TY_EC_F2_TIERS(X, family)                                                                  \
    X(family, c)                                                                                   \
    TY_ON_WORD64(X(family, c64)) TY_ON_X86_64(X(family, aesni) X(family, vaes))                    \
        TY_ON_ARM64(X(family, armce))

/* those of 163, 233 and 571 bits */
#define TY_EC_F2_WIDE_TIERS(X, family)                                                             \
    TY_EC_F2_TIERS(X, family) TY_ON_X86_64(X(family, gfni512) X(family, clmul512))

typedef ty_ec_binary_ops ty_ec_any_ops;
#define TY_EC_ANY_TIERS(X) TY_EC_F2_TIERS(X, ec_any)
TY_FAMILY(ec_any, TY_EC_ANY_TIERS)

extern const ty_ec_curve ty_ec_f2_curves[];   /* ends with a row without a name */

static inline const ty_ec_binary_ops *ty_ec_binary_best(const ty_ec_curve *c)
{
    return (const ty_ec_binary_ops *)ty_tier_best(c->tiers);
}

/* pub = the point xy of the curve, which has been checked */
void ty_ec_pub_keep(ty_ec_pub *pub, const ty_ec_curve *curve, const uint8_t *xy);

static inline size_t ty_ec_len(const ty_ec_curve *c) { return (size_t)(c->m + 7) / 8; }
static inline size_t ty_ec_n_len(const ty_ec_curve *c) { return (size_t)(c->n_bits + 7) / 8; }
/* all ones if 1 <= d < n.  time: constant */
uint32_t ty_ec_scalar_ok(const uint8_t *d, const ty_ec_curve *c);

/* d uniform in [1, n - 1]; TY_ERR_RNG as for ty_ec_keygen, with d zeroed */
TY_MUST_CHECK ty_err ty_ec_scalar_draw(uint8_t *d, const ty_ec_curve *c, const ty_rng *rng);

static inline const uint8_t *ty_ec_g(const ty_ec_curve *c) { return c->abcg + 3 * ty_ec_len(c); }

#endif
