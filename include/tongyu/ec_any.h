/* Tongyu: binary curves given at run time: y^2 + xy = x^3 + ax^2 + b over GF(2)[t]/M for any
 * irreducible M of degree 2 to 1023. A curve that was checked and set up here is a ty_ec_curve,
 * for everything in tongyu/ec.h and tongyu/ecdsa.h.
 *
 * Parameters from other parties deserve trust only if they are those of a standard: the checks here
 * find errors, not parameters that were chosen to be weak. Nothing is allocated. */
#ifndef TONGYU_EC_ANY_H
#define TONGYU_EC_ANY_H

#include "tongyu/ec.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The parameters of a curve, big-endian. poly is M with its leading term, and its first byte is not
 * zero; len = ceil(m/8) bytes at a, b, x and y (the generator), n_len at n, its prime order. h, the
 * cofactor, is computed if it is 0. */
typedef struct ty_ec_params {
    const char *name, *oid;     /* of at most 31 bytes; may be NULL */
    uint8_t poly[TY_EC_MAX];
    size_t poly_len, n_len;
    const uint8_t *a, *b, *x, *y, *n;
    uint32_t h;
} ty_ec_params;

/* ty_ec_params_get: p = the parameters of a curve, with pointers into it. */
TY_API void ty_ec_params_get(ty_ec_params *p, const ty_ec_curve *curve);

/* How a product is reduced to a small representative; src/f2m/f2_any.h says what each does. */
typedef enum ty_ec_way {
    TY_EC_AUTO,
    TY_EC_FULL,
    TY_EC_PARTIAL,
    TY_EC_BARRETT,
    TY_EC_MONTGOMERY
} ty_ec_way;

/* A curve in the caller's memory. It points into itself, so it must not be moved or copied. Nothing
 * in it is secret. */
typedef struct ty_ec_any {
    uint64_t opaque[320];
} ty_ec_any;

/* ty_ec_any_init: the curve of these parameters, checked; p is not needed afterwards.
 *   in     way: TY_EC_AUTO is the cheapest on this machine for M
 *          reg: bits of a register: 0 for as many whole words as m needs, or 256, which Gura,
 *          Eberle and Chang Shantz use for every field (then m is at most 255)
 *   err    TY_ERR_SIZE: the degree of M or a length is out of range, name's and oid's included
 *          TY_ERR_ARG: M is reducible, b is 0, way or reg is not one of the above
 *          TY_ERR_KEY: a coefficient or coordinate has degree m or more, the generator is not on
 *          the curve, n is not an odd prime, or not the generator's order, or h is wrong
 *          curve is zeroed in all cases. *why, if why is not NULL, is the reason in English, or ""
 *          with TY_OK
 *   time   public     cost: about six point multiplications
 *   spec   [SEC 1 v2, 3.1.2.2.1]
 * n must not divide 2^(mB) - 1 for B up to 100 (Menezes, Okamoto and Vanstone 1993). It must have
 * m/2 + 4 bits or more (m/2 rounded down), so that only one multiple of it, nh, can be the order of
 * the group. h is at most 2^32 - 1. */
TY_API TY_MUST_CHECK ty_err ty_ec_any_init(ty_ec_any *curve, const ty_ec_params *p, ty_ec_way way,
                                           unsigned reg, const char **why);

/* ty_ec_any_curve: the curve, for the functions of tongyu/ec.h. */
TY_API const ty_ec_curve *ty_ec_any_curve(const ty_ec_any *curve);

/* ty_ec_standard_at: p = the i-th of the curves that the library knows but has no kernels for:
 * those of ANSI X9.62 that are not among SEC 2's, and those of DSTU 4145.
 * Returns 1, or 0 if i is past the end. */
TY_API int ty_ec_standard_at(ty_ec_params *p, size_t i);

/* The method chosen for a field, and the cost of every method: products of words, and words that
 * are shifted into place. */
typedef struct ty_ec_any_facts {
    unsigned m, k, n;                 /* degree and second exponent of M, bits of a register */
    unsigned terms;                   /* of M */
    /* i of partial reduction: ceil((n-1)/(m-k)), and the same for n = m */
    unsigned rounds, least_rounds;
    ty_ec_way way;
    uint32_t products[5], shifts[5];  /* of each ty_ec_way */
} ty_ec_any_facts;

/* ty_ec_any_explain: the facts of a polynomial.
 *   err    as ty_ec_any_init, but TY_ERR_SIZE for a wrong reg; facts are zeroed then */
TY_API TY_MUST_CHECK ty_err ty_ec_any_explain(ty_ec_any_facts *facts, const uint8_t *poly,
                                              size_t poly_len, ty_ec_way way, unsigned reg);

#if defined(__cplusplus)
}
#endif
#endif
