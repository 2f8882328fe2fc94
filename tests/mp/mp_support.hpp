// Integers for tests: a class with a destructor and operators, conversion to and from text, and
// operands with structure.
#pragma once
#include "support/full.hpp"
#include "support/rng.hpp"
#include "tongyu/mp.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#define TY_MP_OWN_THRESHOLDS
extern "C" {
#include "mp/mp_internal.h"
// replaces the library's table in a program that includes this file, so that Lowered can change it
inline ty_mp_thresholds ty_mp_threshold_rows[2] = TY_MP_THRESHOLDS;
}

struct Lowered {   // sets low thresholds, and its destructor restores the old ones
    const ty_mp_thresholds was[2] = { ty_mp_threshold_rows[0], ty_mp_threshold_rows[1] };
    Lowered(size_t karatsuba, size_t toom, size_t division = 48, size_t ntt = 100000,
            size_t newton = 100000)
    {
        for (auto &row : ty_mp_threshold_rows)
            row = { karatsuba, karatsuba, toom, toom, division, newton, ntt, ntt, ntt };
        EXPECT_GT(ty_mp_mul_work(karatsuba, karatsuba), 0u) << "the library uses other thresholds";
    }
    Lowered(const Lowered &) = delete;
    ~Lowered() { std::copy(was, was + 2, ty_mp_threshold_rows); }
};

struct Int {
    ty_mp v;
    Int(int64_t x = 0) { ty_mp_init(&v); ty_mp_set_i64(&v, x); }
    explicit Int(const std::string &s, int radix = 16) : Int()
    {
        EXPECT_EQ(ty_mp_set_str_vt(&v, s.data(), s.size(), radix), TY_OK) << s;
    }
    Int(const Int &o) : Int() { EXPECT_EQ(ty_mp_copy(&v, &o.v), TY_OK); }
    Int &operator=(const Int &o) { EXPECT_EQ(ty_mp_copy(&v, &o.v), TY_OK); return *this; }
    ~Int() { ty_mp_clear(&v); }
    operator ty_mp *() { return &v; }
    operator const ty_mp *() const { return &v; }
    std::string str(int radix = 16) const
    {
        std::string s(ty_mp_str_size(&v, radix), 0);
        size_t n = 0;
        EXPECT_EQ(ty_mp_get_str_vt(&s[0], s.size(), &n, &v, radix), TY_OK);
        return s.substr(0, n);
    }
};

#define INT_OP(name, f)                                                                            \
    inline Int name(const Int &x, const Int &y)                                                    \
    {                                                                                              \
        Int z;                                                                                     \
        EXPECT_EQ(f(z, x, y), TY_OK);                                                              \
        return z;                                                                                  \
    }
INT_OP(operator+, ty_mp_add)
INT_OP(operator-, ty_mp_sub)
INT_OP(operator*, ty_mp_mul)
INT_OP(operator%, ty_mp_mod)
#undef INT_OP
inline Int operator/(const Int &x, const Int &y)
{
    Int z;
    EXPECT_EQ(ty_mp_div(z, nullptr, x, y), TY_OK);
    return z;
}
inline Int operator-(const Int &x) { Int z; EXPECT_EQ(ty_mp_neg(z, x), TY_OK); return z; }
inline Int operator<<(const Int &x, size_t n)
{
    Int z;
    EXPECT_EQ(ty_mp_shl(z, x, n), TY_OK);
    return z;
}
inline bool operator==(const Int &x, const Int &y) { return ty_mp_cmp(x, y) == 0; }
inline std::ostream &operator<<(std::ostream &o, const Int &x) { return o << x.str(); }

// Limbs with structure: runs of ones and zeros, sparse bits, powers of B +- 1, random ones.
inline std::vector<ty_limb> structured(TestRng &r, size_t n)
{
    std::vector<ty_limb> v(n);
    switch (r.below(8)) {
    case 0: break;
    case 1: for (auto &x : v) x = ~(ty_limb)0; break;
    case 2: if (n) v[r.below(n)] = (ty_limb)1 << r.below(TY_LIMB_BITS); break;
    // B^k, B^k + 1
    case 3: if (n) v[n - 1] = 1; if (n && r.below(2)) v[0] |= 1; break;
    // B^k - 1
    case 4: for (size_t i = 0; i + 1 < n; i++) v[i] = ~(ty_limb)0; break;
    // runs
    case 5: {
        size_t i = 0, bits = n * TY_LIMB_BITS;
        for (bool one = r.below(2); i < bits; one = !one)
            for (size_t k = 1 + r.below(r.below(2) ? 8 : 200); k && i < bits; k--, i++)
                if (one) v[i / TY_LIMB_BITS] |= (ty_limb)1 << i % TY_LIMB_BITS;
        break;
    }
    default: for (auto &x : v) x = (ty_limb)r.next();
    }
    return v;
}

// A number of n structured limbs, of either sign if `sign`
inline Int drawn(TestRng &r, size_t n, bool sign = true)
{
    Int z;
    const auto v = structured(r, n);
    EXPECT_EQ(ty_mp_grow(z, n), TY_OK);
    if (n) ty_mp_load(z, v.data(), n);
    if (r.below(8)) ty_mp_fit(z, n, sign ? (uint32_t)r.below(2) : 0);
    else ty_mp_fix(z, n);   // with zeros on top
    return z;
}
