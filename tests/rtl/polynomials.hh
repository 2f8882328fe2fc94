// The polynomials M of generic mode
#ifndef TY_TEST_RTL_POLYNOMIALS_HH
#define TY_TEST_RTL_POLYNOMIALS_HH

#include "rtl/reference.hh"

#include <random>

// Whether f's M is irreducible. If t^(2^m) = t, the degrees of its factors divide m: for m <= 16
// all polynomials of lower degree are tried; else m is prime, and of degree 1 there are only two.
inline bool irreducible(const Field &f)
{
    const Element t(2);
    if (f.power2(t, f.m) != t) return false;
    for (unsigned d = 1; d < f.m && f.m <= 16; d++)
        for (uint64_t p = uint64_t{1} << d; p < uint64_t{2} << d; p++) {
            uint64_t r = f.rest.w[0] | uint64_t{1} << f.m;
            for (unsigned i = f.m + 1; i-- > d;)
                if (r >> i & 1) r ^= p << (i - d);
            if (!r) return false;
        }
    return true;
}

// A dense irreducible M of prime degree whose second term is t^(m - gap).
inline Field dense(unsigned m, unsigned gap, std::mt19937_64 &rng)
{
    for (;;) {
        Field f(m - gap, Element(1));
        Element rest = f.random(rng);
        rest.flip(m - gap);
        if (!rest.bit(0)) rest.flip(0);
        const Field found(m, rest);
        if (irreducible(found)) return found;
    }
}

inline unsigned gap_of(const Field &f)
{
    unsigned k = f.m - 1;
    while (!f.rest.bit(k)) k--;
    return f.m - k;
}

#endif
