// Z/p for SM2 in eight lanes: every operation is compared with integers, for digits and values at
// the ends of its stated ranges, with different numbers in each lane.
#include "laws/bignum.hpp"
#include "support/rng.hpp"
extern "C" {
#include "base/cpu.h"
#include "base/levels.h"
#include "base/wipe.h"
#include "mod/p_sm2.h"
}
#include <gtest/gtest.h>

#if defined(TY_HAS_ADX)
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"   // in a header of GCC 12
#endif
#include <immintrin.h>
#define TY_LEVEL gfni512
#include "base/level_begin.h"
namespace {
#define TY_LIMB_BITS 64
#define TY_DIV_X86
#define TY_P_SM2_ADX
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_eight.h"
#include "mod/p_sm2_quad.h"

const Big P = Big::hex("fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff");
const Big R = Big::pow2(260);
const Big DIGIT = Big::pow2(52);

uint64_t digit_of(const eight &x, int lane, int i)
{
    uint64_t l[8];
    _mm512_storeu_si512(l, x.v[i]);
    return l[lane];
}

// The value of a lane, whose digits must be carried.
Big value(const eight &x, int lane)
{
    Big sum;
    for (int i = 4; i >= 0; i--) {
        EXPECT_LT(digit_of(x, lane, i), (uint64_t)1 << 52) << "digit " << i;
        sum = sum * DIGIT + Big(digit_of(x, lane, i));
    }
    return sum;
}

void put(eight *x, int lane, const Big &v)
{
    Big rest = v;
    for (int i = 0; i < 5; i++) {
        uint64_t l[8];
        _mm512_storeu_si512(l, x->v[i]);
        l[lane] = 0;
        for (unsigned b = 0; b < 52; b++) l[lane] |= (uint64_t)v.bit(52 * i + b) << b;
        x->v[i] = _mm512_loadu_si512(l);
    }
}

// Numbers up to tenths/10 p: the ends, neighbours of multiples of p, powers of two, digits
// that are all ones or zero, and random numbers.
Big pick(TestRng &r, uint64_t tenths)
{
    const Big most = P * Big(tenths);   // ten times a number is at most this
    for (;;) {
        Big x;
        switch (r.below(6)) {
        case 0: x = P * Big(r.below(tenths / 10 + 1)) + Big(r.below(3)); break;
        case 1: x = P * Big(1 + r.below(tenths / 10 + 1)) - Big(1 + r.below(3)); break;
        case 2:
            for (int i = 0; i < 5; i++)
                x = x * DIGIT + (r.below(2) ? DIGIT - Big(1 + r.below(2)) : Big(r.below(2)));
            break;
        case 3: x = Big::pow2((unsigned)r.below(260)); break;
        default: x = Big(r.bytes(33)) % Big::pow2(256); x = x * Big(1 + r.below(tenths)) ; break;
        }
        if (!(most < x * Big(10))) return x;
        if (!(most < x)) continue;
        x = x % P;
        return x;
    }
}

struct Lanes {
    eight e;
    Big v[8];
    Lanes() { std::memset((void *)&e, 0, sizeof e); }
    Lanes(TestRng &r, uint64_t tenths) : Lanes()
    {
        for (int i = 0; i < 8; i++) put(&e, i, v[i] = pick(r, tenths));
    }
};

// Expects the result to be want(lane) mod p, and at most tenths/10 p.
template <class F> void same(const eight &got, uint64_t tenths, const char *what, F want)
{
    for (int i = 0; i < 8; i++) {
        const Big z = value(got, i);
        EXPECT_TRUE(z % P == want(i) % P) << what << ", lane " << i;
        EXPECT_FALSE(P * Big(tenths) < z * Big(10)) << what << ": too large, lane " << i;
    }
}

const Big &inv_r()   // 1/R
{
    static const Big z = power(R % P, P - Big(2), P);
    return z;
}

template <class F> void many(F run)
{
    TestRng r(52);
    for (int i = 0; i < 400 && !testing::Test::HasFailure(); i++) run(r);
}

void products()
{
    many([](TestRng &r) {
        // (s, t) in tenths of p, and st/16 + 1 as tenths, rounded up
        static const uint64_t ranges[][3] = { { 11, 25, 12 }, { 31, 31, 17 }, { 27, 27, 15 },
                                              { 45, 45, 23 }, { 150, 150, 151 } };
        const uint64_t *of = ranges[r.below(5)];
        const Lanes x(r, of[0]), y(r, of[1]);
        eight z;
        eight_mul(&z, &x.e, &y.e);
        same(z, of[2], "mul", [&](int i) { return x.v[i] * y.v[i] * inv_r(); });
        eight_sqr(&z, &x.e);
        same(z, of[0] * of[0] / 160 + 11, "sqr", [&](int i) { return x.v[i] * x.v[i] * inv_r(); });
        z = x.e;                             // in place
        eight_mul(&z, &z, &z);
        same(z, 151, "mul in place", [&](int i) { return x.v[i] * x.v[i] * inv_r(); });
        if (of[2] > 23) return;
        eight_mul_twice(&z, &x.e, &y.e);
        same(z, 2 * of[2], "twice", [&](int i) { return Big(2) * x.v[i] * y.v[i] * inv_r(); });
        eight_mul_thrice(&z, &x.e, &y.e);
        same(z, 3 * of[2], "thrice", [&](int i) { return Big(3) * x.v[i] * y.v[i] * inv_r(); });
        eight_sqr_twice(&z, &x.e);
        same(z, 2 * of[2], "sqr twice", [&](int i) { return Big(2) * x.v[i] * x.v[i] * inv_r(); });
    });
}

void products_less()
{
    many([](TestRng &r) {
        const Lanes x(r, 45), y(r, 45), u(r, 98), w(r, 97), v(r, 69);
        eight z, six;
        eight_mul_less(&z, &x.e, &y.e, &u.e, &w.e);
        const auto minus = [](const Big &a, const Big &b) { return a + (P - b % P); };
        same(z, 11, "mul_less", [&](int i) {
            return minus(x.v[i] * y.v[i], u.v[i] * w.v[i]) * inv_r();
        });
        eight_mul_less_sqr(&z, &x.e, &y.e, &v.e);
        same(z, 11, "mul_less_sqr", [&](int i) {
            return minus(x.v[i] * y.v[i], Big(2) * v.v[i] * v.v[i]) * inv_r();
        });
        const Lanes third(r, 20);            // 6 p in digits that are not carried
        eight_add(&six, &third.e, &third.e);
        eight_add(&six, &six, &third.e);
        eight_sqr_less(&z, &x.e, &six);
        same(z, 11, "sqr_less", [&](int i) {
            return minus(x.v[i] * x.v[i] * inv_r(), Big(3) * third.v[i]);
        });
    });
}

void sums_and_signs()
{
    many([](TestRng &r) {
        const Lanes x(r, 100), y(r, 20);
        eight z;
        eight_add(&z, &x.e, &y.e);
        eight_carry(&z);
        same(z, 120, "add", [&](int i) { return x.v[i] + y.v[i]; });
        eight_sub_carry(&z, &x.e, &y.e);
        same(z, 120, "sub", [&](int i) { return x.v[i] + (P - y.v[i] % P); });
        const __mmask8 mask = (__mmask8)r.next();
        eight_negate_if(&z, &y.e, mask);
        same(z, 20, "negate", [&](int i) { return mask >> i & 1 ? P - y.v[i] % P : y.v[i]; });
        eight_sel(&z, mask, &x.e, &y.e);
        same(z, 100, "sel", [&](int i) { return mask >> i & 1 ? x.v[i] : y.v[i]; });
        z = x.e;
        eight_fold(&z);
        same(z, 11, "fold", [&](int i) { return x.v[i]; });
        const unsigned zero = eight_iszero(&x.e);
        for (int i = 0; i < 8; i++) EXPECT_EQ(zero >> i & 1, x.v[i] % P == Big() ? 1u : 0u) << i;
    });
}

quad lower(const eight &x)
{
    quad z;
    for (int i = 0; i < 5; i++) z.v[i] = _mm512_castsi512_si256(x.v[i]);
    return z;
}

// four of the lanes: the upper ones are not looked at, as their numbers are those of the lower ones
eight widened(const quad &x)
{
    eight z;
    for (int i = 0; i < 5; i++) z.v[i] = _mm512_broadcast_i64x4(x.v[i]);
    return z;
}

void four_of_them()
{
    many([](TestRng &r) {
        const Lanes x(r, 100), y(r, 100), w(r, 30);
        const quad a = lower(x.e), b = lower(y.e), c = lower(w.e);
        quad z, p;
        quad_zero(&z);
        quad_mul_add(&z, &a, &b, &z);
        quad_carry(&z);
        same(widened(z), 640, "quad mul", [&](int i) { return x.v[i % 4] * y.v[i % 4] * inv_r(); });
        quad_mul_add(&z, &a, &b, &c);
        quad_carry(&z);
        same(widened(z), 670, "quad mul add", [&](int i) {
            return x.v[i % 4] * y.v[i % 4] * inv_r() + w.v[i % 4];
        });
        quad_times_p(&p, 2, 5, 3, 4);
        for (int i = 0; i < 5; i++) z.v[i] = _mm256_add_epi64(c.v[i], p.v[i]);
        quad_fold(&z);
        same(widened(z), 11, "quad fold", [&](int i) { return w.v[i % 4]; });
        quad_times_p(&p, 2, 3, 4, 5);
        for (int i = 0; i < 5; i++) z.v[i] = _mm256_add_epi64(c.v[i], p.v[i]);
        quad_carry(&z);
        for (int i = 0; i < 4; i++)
            EXPECT_TRUE(value(widened(z), i) == w.v[i] + P * Big(2 + (uint64_t)i)) << "lane " << i;
    });
}

// Conversion between lanes and single field elements or bytes; the inverse.
void in_and_out()
{
    const Big sixteenth = power(Big(16), P - Big(2), P);   // 2^256/R
    many([&](TestRng &r) {
        const Lanes x(r, 149);
        eight z, a, b;
        ty_p_sm2 out[8];
        uint8_t points[8][64];
        const void *at[8];
        __m512i w[8];
        eight_get(out, &x.e);
        for (int i = 0; i < 8; i++) {
            Big got;
            for (int j = 3; j >= 0; j--) got = got * Big::pow2(64) + Big(out[i].v[j]);
            EXPECT_TRUE(got == x.v[i] * sixteenth % P) << "get, lane " << i;
            std::memcpy(points[i], &out[i], 32);
            std::memcpy(points[i] + 32, &out[7 - i], 32);
            at[i] = points[i];
        }
        eight_set(&a, &b, at);
        same(a, 11, "set x", [&](int i) { return x.v[i]; });
        same(b, 11, "set y", [&](int i) { return x.v[7 - i]; });
        for (int i = 0; i < 8; i++) {
            r.fill(points[i], 64);
            w[i] = _mm512_loadu_si512(points[i]);
        }
        eight_set_bytes(&a, &b, w);
        same(a, 11, "bytes x", [&](int i) { return Big(Bytes(points[i], points[i] + 32)) * R; });
        same(b, 11, "bytes y",
             [&](int i) { return Big(Bytes(points[i] + 32, points[i] + 64)) * R; });
        const Lanes y(r, 149);
        const Big back = inv_r();
        eight_get_bytes(w, &x.e, &y.e);
        for (int i = 0; i < 8; i++) {
            uint8_t bytes[64];
            _mm512_storeu_si512(bytes, w[i]);
            EXPECT_TRUE(Big(Bytes(bytes, bytes + 32)) == x.v[i] * back % P) << "x, lane " << i;
            EXPECT_TRUE(Big(Bytes(bytes + 32, bytes + 64)) == y.v[i] * back % P) << "y, lane " << i;
        }
        eight_inv(&z, &x.e);
        for (int i = 0; i < 8; i++) {
            const Big product = value(z, i) * x.v[i] % P;
            const Big want = x.v[i] % P == Big() ? Big() : R * R % P;
            EXPECT_TRUE(product == want) << "inverse, lane " << i;
        }
    });
}

}
#include "base/level_end.h"

// Compiled without the level's instructions, which any function above may use from its beginning
static void on_this_cpu(void (*run)())
{
    if (TY_NEED_gfni512 & ~ty_cpu_have()) {
        std::cout << "[ NO TIER  ] not on this CPU: gfni512\n";
        GTEST_SKIP();
    }
    run();
}

TEST(PSm2Eight, Products) { on_this_cpu(products); }
TEST(PSm2Eight, ProductsLess) { on_this_cpu(products_less); }
TEST(PSm2Eight, SumsAndSigns) { on_this_cpu(sums_and_signs); }
TEST(PSm2Eight, FourOfThem) { on_this_cpu(four_of_them); }
TEST(PSm2Eight, InAndOut) { on_this_cpu(in_and_out); }
#else
TEST(PSm2Eight, NeedsX86) { GTEST_SKIP() << "only with vectors of x86-64"; }
#endif
