/* Shared by the primality tests and the search for primes. */
#ifndef TY_MP_PRIME_INTERNAL_H
#define TY_MP_PRIME_INTERNAL_H

#include "mp/mp_internal.h"

enum { TY_PRIMES = 256 };
extern const uint16_t ty_small_primes[TY_PRIMES];

/* *out = 1 if odd x > 3 passes a Miller-Rabin test to the base 0 < base < x; public numbers */
ty_err ty_mp_witness_vt(int *out, const ty_mp *x, const ty_mp *base);
/* out[i] = 1 if odd x[i] > 3 passes a Miller-Rabin test to a random base, else 0, for n <=
 * TY_LANES_MOST numbers at once. time secret: x; public: lengths, out */
ty_err ty_mp_rabin_many(int *out, const ty_mp *x, size_t n, const ty_rng *rng);
/* *out = 1 if odd x > 3 passes the strong Lucas test with Selfridge's parameters */
ty_err ty_mp_lucas_vt(int *out, const ty_mp *x);

#endif
