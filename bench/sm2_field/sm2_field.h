/* The implementations of SM2's field, and of reduction modulo its prime, that were compared. */
#ifndef SM2_FIELD_SM2_FIELD_H
#define SM2_FIELD_SM2_FIELD_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A way: one implementation of the field of SM2, p = 2^256 - 2^224 - 2^96 + 2^64 - 1, to be
 * measured against the others (`tongyu speed sm2-field`). Numbers are 32-bit words, least
 * significant first, whatever the implementation's word size is. */
typedef struct ty_sm2_field_way {
    const char *name;         /* one word, method and word size: "fold64" */
    const char *what;         /* a short description */
    uint32_t word;            /* bits of a machine word inside: 32 or 64 */
    uint32_t montgomery;      /* 1: reduce computes v/2^256 mod p;  0: v mod p */
    uint32_t variable_time;   /* 1: for public numbers only */

    /* z = v mod p or v/2^256 mod p, in [0, p), for v < p^2. z and v do not overlap. */
    void (*reduce)(uint32_t z[TY_AT_LEAST(8)], const uint32_t v[TY_AT_LEAST(16)]);

    /* Loops to be timed, n rounds over x, y < p; x is the result.
     * _chain: each round waits for the previous one.
     * _many: the rounds do not depend on each other. */
    void (*reduce_chain)(uint32_t x[TY_AT_LEAST(8)], const uint32_t y[TY_AT_LEAST(8)], size_t n);
    void (*reduce_many)(uint32_t x[TY_AT_LEAST(8)], const uint32_t y[TY_AT_LEAST(8)], size_t n);
    void (*mul_chain)(uint32_t x[TY_AT_LEAST(8)], const uint32_t y[TY_AT_LEAST(8)], size_t n);
    void (*mul_many)(uint32_t x[TY_AT_LEAST(8)], const uint32_t y[TY_AT_LEAST(8)], size_t n);

    /* n rounds of x = 1/x, or 2^512/x where numbers are in Montgomery form, R = 2^256; 0 stays 0.
     * NULL if there is no inverse in this implementation. */
    void (*inv_chain)(uint32_t x[TY_AT_LEAST(8)], size_t n);
} ty_sm2_field_way;

/* ty_sm2_field_way_at: the i-th implementation that this CPU supports, or NULL after the last.
 *   time   public: i */
TY_API const ty_sm2_field_way *ty_sm2_field_way_at(size_t i);

/* ty_sm2_field_reduce: z = way->reduce(v), after a check of v.
 *   in     v: 512 bits, below p^2
 *   err    TY_ERR_ARG: v >= p^2; z is zeroed
 *   time   secret: v, unless way->variable_time; public: whether v < p^2
 *   alias  z may not overlap v */
TY_API TY_MUST_CHECK ty_err ty_sm2_field_reduce(uint32_t z[TY_AT_LEAST(8)],
                                                const uint32_t v[TY_AT_LEAST(16)],
                                                const ty_sm2_field_way *way);

#if defined(__cplusplus)
}
#endif

#endif
