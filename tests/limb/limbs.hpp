// Limbs in tests: random ones, their value as a schoolbook integer, and an output at a guard page.
#pragma once
#include "laws/bignum.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include <vector>
extern "C" {
#include "limb/limb.h"
}

// n limbs: all ones, mostly ones, or uniform
static inline std::vector<ty_limb> draw(TestRng &r, size_t n)
{
    std::vector<ty_limb> v(n);
    const uint64_t kind = r.below(4);
    for (auto &x : v)
        x = kind == 0   ? ~(ty_limb)0
            : kind == 1 ? (ty_limb)(r.next() | r.next() << 1 | ~r.next())
                        : (ty_limb)r.next();
    return v;
}

static inline Big big(const ty_limb *x, size_t n)
{
    Big z;
    for (size_t i = 0; i < n; i++)
        for (int s = 0; s < TY_LIMB_BITS; s += 32) z.w.push_back((uint32_t)(x[i] >> s));
    z.trim();
    return z;
}
static inline Big big(const std::vector<ty_limb> &x) { return big(x.data(), x.size()); }
// x B^n
static inline Big shifted(ty_limb x, size_t n)
{
    return big(&x, 1) * Big::pow2((unsigned)(n * TY_LIMB_BITS));
}

struct Out {   // limbs that end at a guard page
    Guarded g;
    explicit Out(size_t n) : g(n * sizeof(ty_limb)) {}
    explicit Out(const std::vector<ty_limb> &v) : g(v.data(), v.size() * sizeof(ty_limb)) {}
    operator ty_limb *() { return (ty_limb *)g.data(); }
    Big value() { return big((ty_limb *)g.data(), g.size() / sizeof(ty_limb)); }
};
