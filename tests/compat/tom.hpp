// LibTomMath's integers for tests: converted from and to ours digit by digit, with their form
// checked; an allocator that counts, fails on request, and checks that freed memory is wiped;
// operands, and calls of a function with distinct operands and in place.
#pragma once
#include "mp/mp_support.hpp"
extern "C" {
#include "ltm.h"
}
#include <cstring>
#include <map>
#if defined(HAVE_GMP)
#include <gmp.h>
#endif

struct Memory {   // all allocations of the interface while this object exists
    std::map<void *, size_t> blocks;
    size_t calls = 0, fail_at = (size_t)-1;
    bool dirty = false;
    ty_alloc alloc = { take, give, this };
    Memory() { ltm_alloc = &alloc; }
    ~Memory() { ltm_alloc = nullptr; }
    static void *take(void *ctx, size_t n)
    {
        auto *m = (Memory *)ctx;
        if (m->calls++ == m->fail_at) return nullptr;
        void *p = std::malloc(n ? n : 1);
        m->blocks[p] = n;
        return p;
    }
    static void give(void *ctx, void *p, size_t n)
    {
        auto *m = (Memory *)ctx;
        EXPECT_EQ(m->blocks.at(p), n);
        for (size_t i = 0; i < n; i++) m->dirty |= ((uint8_t *)p)[i] != 0;
        m->blocks.erase(p);
        std::free(p);
    }
};

struct Tom {
    mp_int v;
    Tom(int64_t x = 0) { EXPECT_EQ(mp_init_i64(&v, x), MP_OKAY); }
    Tom(const Int &x) : Tom()
    {
        const size_t bits = ty_mp_bits(x), n = (bits + MP_DIGIT_BIT - 1) / MP_DIGIT_BIT;
        EXPECT_EQ(mp_grow(&v, (int)n), MP_OKAY);
        for (size_t i = 0; i < bits; i++)
            v.dp[i / MP_DIGIT_BIT] |=
                (mp_digit)(ty_mp_cd(x)[i / TY_LIMB_BITS] >> i % TY_LIMB_BITS & 1)
                << i % MP_DIGIT_BIT;
        v.used = (int)n;
        v.sign = n && x.v.neg ? MP_NEG : MP_ZPOS;
    }
    explicit Tom(const std::string &s, int radix = 16) : Tom(Int(s, radix)) {}
    Tom(const Tom &o) { EXPECT_EQ(mp_init_copy(&v, &o.v), MP_OKAY); }
    Tom &operator=(const Tom &o) { EXPECT_EQ(mp_copy(&o.v, &v), MP_OKAY); return *this; }
    ~Tom() { mp_clear(&v); }
    operator mp_int *() { return &v; }
    operator const mp_int *() const { return &v; }

    bool well_formed() const
    {
        for (int i = 0; i < v.alloc; i++)
            if (v.dp[i] > MP_MASK || (i >= v.used && v.dp[i])) return false;
        return v.used <= v.alloc && (v.used == 0 ? v.sign == MP_ZPOS : v.dp[v.used - 1] != 0);
    }
    Int value() const
    {
        EXPECT_TRUE(well_formed());
        Int x;
        std::vector<ty_limb> d((size_t)v.used * MP_DIGIT_BIT / TY_LIMB_BITS + 1);
        for (size_t i = 0; i < (size_t)v.used * MP_DIGIT_BIT; i++)
            d[i / TY_LIMB_BITS] |= (ty_limb)(v.dp[i / MP_DIGIT_BIT] >> i % MP_DIGIT_BIT & 1)
                                   << i % TY_LIMB_BITS;
        EXPECT_EQ(ty_mp_grow(x, d.size()), TY_OK);
        ty_mp_load(x, d.data(), d.size());
        ty_mp_fit(x, d.size(), v.sign == MP_NEG);
        return x;
    }
};
inline bool operator==(const Tom &t, const Int &x) { return t.value() == x; }
inline std::ostream &operator<<(std::ostream &o, const Tom &x) { return o << x.value(); }

// Results are compared with GMP where it is installed, else with our integers, which diff-mp
// compares with GMP.
#if defined(HAVE_GMP)
struct Mpz {
    mpz_t z;
    explicit Mpz(const Int &x)
    {
        mpz_init(z);
        mpz_import(z, x.v.len, -1, sizeof(ty_limb), 0, 0, ty_mp_cd(x));
        if (x.v.neg) mpz_neg(z, z);
    }
    Mpz() { mpz_init(z); }
    Mpz(const Mpz &) = delete;
    ~Mpz() { mpz_clear(z); }
    Int back() const
    {
        std::vector<char> s(mpz_sizeinbase(z, 16) + 2);
        return Int(std::string(mpz_get_str(s.data(), 16, z)));
    }
};
#    define ORACLE2(name, gmp, ours)                                                               \
        inline Int name(const Int &x, const Int &y)                                                \
        {                                                                                          \
            Mpz a(x), b(y), c;                                                                     \
            gmp(c.z, a.z, b.z);                                                                    \
            return c.back();                                                                       \
        }
#    define ORACLE3(name, gmp, ours)                                                               \
        inline Int name(const Int &x, const Int &y, const Int &m)                                  \
        {                                                                                          \
            Mpz a(x), b(y), c(m), d;                                                               \
            gmp(d.z, a.z, b.z, c.z);                                                               \
            return d.back();                                                                       \
        }
#else
#    define ORACLE2(name, gmp, ours)                                                               \
        inline Int name(const Int &x, const Int &y)                                                \
        {                                                                                          \
            Int z;                                                                                 \
            EXPECT_EQ(ours, TY_OK);                                                                \
            return z;                                                                              \
        }
#    define ORACLE3(name, gmp, ours)                                                               \
        inline Int name(const Int &x, const Int &y, const Int &m)                                  \
        {                                                                                          \
            Int z;                                                                                 \
            EXPECT_EQ(ours, TY_OK);                                                                \
            return z;                                                                              \
        }
#endif
ORACLE2(o_add, mpz_add, ty_mp_add(z, x, y))
ORACLE2(o_sub, mpz_sub, ty_mp_sub(z, x, y))
ORACLE2(o_mul, mpz_mul, ty_mp_mul(z, x, y))
ORACLE2(o_and, mpz_and, ty_mp_and(z, x, y))
ORACLE2(o_or, mpz_ior, ty_mp_or(z, x, y))
ORACLE2(o_xor, mpz_xor, ty_mp_xor(z, x, y))
ORACLE2(o_quo, mpz_tdiv_q, ty_mp_div(z, nullptr, x, y))
ORACLE2(o_rem, mpz_tdiv_r, ty_mp_div(nullptr, z, x, y))
ORACLE2(o_mod, mpz_fdiv_r, ty_mp_div_floor_vt(nullptr, z, x, y))
ORACLE2(o_div, mpz_fdiv_q, ty_mp_div_floor_vt(z, nullptr, x, y))
ORACLE2(o_gcd, mpz_gcd, ty_mp_gcd_vt(z, x, y))
ORACLE2(o_lcm, mpz_lcm, ty_mp_lcm_vt(z, x, y))
ORACLE3(o_powm, mpz_powm, ty_mp_powm_vt(z, x, y, m))

// --- what the tests of every function share
#define OK(call) ASSERT_EQ(call, MP_OKAY)
static const int lengths = full() ? 80 : 26;   // in limbs
static const int rounds = full() ? 4000 : 120;

inline Int some(TestRng &r, bool sign = true)
{
    return drawn(r, r.below(r.below(3) ? 9 : (uint64_t)lengths), sign);
}
inline Int positive(TestRng &r)
{
    Int x = some(r, false);
    if (!ty_mp_sign(x)) ty_mp_set_u64(x, 1 + r.below(9));
    return x;
}
inline Int odd(TestRng &r) { Int x = positive(r); return ty_mp_odd(x) ? x : x + Int(1); }
inline Int power2(size_t n) { return Int(1) << n; }
inline Int absolute(const Int &x) { Int z; EXPECT_EQ(ty_mp_abs(z, x), TY_OK); return z; }

// f(a, b, c) with c distinct, c = a, c = b
using Three = mp_err (*)(const mp_int *, const mp_int *, mp_int *);
inline void agree(const char *name, Three f, const Int &x, const Int &y, const Int &want)
{
    const Tom a(x), b(y);
    Tom c(77), d(a), e(b);
    ASSERT_EQ(f(a, b, c), MP_OKAY) << name;
    ASSERT_EQ(c, want) << name << " of " << x << " and " << y;
    ASSERT_EQ(f(d, b, d), MP_OKAY) << name;
    ASSERT_EQ(d, want) << name << " into the first, of " << x << " and " << y;
    ASSERT_EQ(f(a, e, e), MP_OKAY) << name;
    ASSERT_EQ(e, want) << name << " into the second, of " << x << " and " << y;
}
using Two = mp_err (*)(const mp_int *, mp_int *);
inline void agree(const char *name, Two f, const Int &x, const Int &want)
{
    const Tom a(x);
    Tom b("123456789abcdef0123456789abcdef0123456789abcdef"), c(a);
    ASSERT_EQ(f(a, b), MP_OKAY) << name;
    ASSERT_EQ(b, want) << name << " of " << x;
    ASSERT_EQ(f(c, c), MP_OKAY) << name;
    ASSERT_EQ(c, want) << name << " in place, of " << x;
}
#define AGREE(f, ...) ASSERT_NO_FATAL_FAILURE(agree(#f, f, __VA_ARGS__))
