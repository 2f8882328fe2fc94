// LibTomMath's interface: every function against GMP (or our integers), in place and with distinct
// operands, at lengths around the thresholds of the algorithms; the form of results; errors, after
// which outputs are unchanged. This file has arithmetic, values, bytes and text;
// tommath_mod_cases.cc and tommath_life_cases.cc have modular functions, memory and randomness.
#include "compat/tom.hpp"
#include <cmath>
#include <cstdio>

TEST(TomMath, Arithmetic)
{
    TestRng r(1);
    for (int i = 0; i < rounds; i++) {
        const Int x = some(r), y = r.below(10) ? some(r) : x;
        const Tom a(x), b(y);
        ASSERT_EQ(mp_cmp(a, b), ty_mp_cmp(x, y));
        ASSERT_EQ(mp_cmp_mag(a, b), ty_mp_cmp_abs(x, y));
        AGREE(mp_add, x, y, o_add(x, y));
        AGREE(mp_sub, x, y, o_sub(x, y));
        AGREE(mp_mul, x, y, o_mul(x, y));
        AGREE(mp_and, x, y, o_and(x, y));
        AGREE(mp_or, x, y, o_or(x, y));
        AGREE(mp_xor, x, y, o_xor(x, y));
        AGREE(mp_tc_and, x, y, o_and(x, y));
        AGREE(mp_tc_or, x, y, o_or(x, y));
        AGREE(mp_tc_xor, x, y, o_xor(x, y));
        AGREE(mp_gcd, x, y, o_gcd(x, y));
        AGREE(mp_lcm, x, y, o_lcm(x, y));
        AGREE(mp_sqr, x, o_mul(x, x));
        AGREE(mp_neg, x, o_sub(Int(0), x));
        AGREE(mp_abs, x, absolute(x));
        AGREE(mp_complement, x, o_sub(Int(-1), x));
        AGREE(mp_copy, x, x);
        AGREE(mp_mul_2, x, o_add(x, x));
        AGREE(mp_div_2, x, o_quo(x, Int(2)));
        Tom q(5), m(6);
        ASSERT_EQ(mp_incr(q), MP_OKAY);
        ASSERT_EQ(mp_decr(m), MP_OKAY);
        ASSERT_EQ(q, Int(6));
        ASSERT_EQ(m, Int(5));
        if (!ty_mp_sign(y)) {
            ASSERT_EQ(mp_div(a, b, q, m), MP_VAL);
            ASSERT_EQ(mp_mod(a, b, q), MP_VAL);
            ASSERT_EQ(q, Int(6));
            continue;
        }
        OK(mp_div(a, b, q, m));
        ASSERT_EQ(q, o_quo(x, y)) << x << " / " << y;
        ASSERT_EQ(m, o_rem(x, y)) << x << " / " << y;
        Tom c(a), d(b);
        OK(mp_div(c, d, d, c));
        ASSERT_EQ(d, o_quo(x, y));
        ASSERT_EQ(c, o_rem(x, y));
        OK(mp_div(a, b, NULL, m));
        OK(mp_div(a, b, q, NULL));
        AGREE(mp_mod, x, y, o_mod(x, y));
    }
    EXPECT_EQ(mp_iseven(Tom(0)), MP_YES);
    EXPECT_EQ(mp_isodd(Tom(-3)), MP_YES);
    const Tom zero(0), minus(-1);
    EXPECT_EQ(mp_iszero(&zero.v), MP_YES);
    EXPECT_EQ(mp_isneg(&minus.v), MP_YES);
}

// Quotients of up to three digits, structured ones, and remainders next to 0 and to the divisor.
TEST(TomMath, ShortQuotients)
{
    TestRng r(31);
    for (int i = 0; i < 5 * rounds; i++) {
        const Int y = some(r), q = drawn(r, r.below(MP_DIGIT_BIT * 3 / TY_LIMB_BITS + 1), false);
        if (!ty_mp_sign(y)) continue;
        const Int rest = r.below(2) ? Int((int64_t)r.below(2)) : absolute(y) - Int(1);
        const Int x = o_add(o_mul(absolute(y), q), o_rem(rest, y));
        for (const Int &signed_x : {x, -x}) {
            const Tom a(signed_x), b(y);
            Tom c(5), d(6), e(a), f(b);
            OK(mp_div(a, b, c, d));
            ASSERT_EQ(c, o_quo(signed_x, y)) << signed_x << " / " << y;
            ASSERT_EQ(d, o_rem(signed_x, y)) << signed_x << " / " << y;
            OK(mp_div(e, f, f, e));
            ASSERT_EQ(f, c.value());
            ASSERT_EQ(e, d.value());
            AGREE(mp_mod, signed_x, y, o_mod(signed_x, y));
        }
    }
}

TEST(TomMath, OneDigit)
{
    TestRng r(2);
    for (int i = 0; i < rounds; i++) {
        mp_digit d = (mp_digit)r.next() & MP_MASK, rest;
        if (i % 3 == 0) d >>= r.below(MP_DIGIT_BIT);
        if (i % 17 == 0) d = MP_MASK;
        const Int x = i % 5 ? some(r) : Int((int64_t)(d / 2 + r.below(3) - 1)), y = Int((int64_t)d);
        for (const Int &z : { x, o_sub(Int(0), x) }) {
            const Tom a(z);
            Tom c(3), e(a);
            OK(mp_add_d(a, d, c));
            ASSERT_EQ(c, o_add(z, y));
            OK(mp_add_d(e, d, e));
            ASSERT_EQ(e, o_add(z, y));
            e = a;
            OK(mp_sub_d(a, d, c));
            ASSERT_EQ(c, o_sub(z, y));
            OK(mp_sub_d(e, d, e));
            ASSERT_EQ(e, o_sub(z, y));
            e = a;
            OK(mp_mul_d(a, d, c));
            ASSERT_EQ(c, o_mul(z, y));
            OK(mp_mul_d(e, d, e));
            ASSERT_EQ(e, o_mul(z, y));
            e = a;
            ASSERT_EQ(mp_cmp_d(a, d), ty_mp_cmp(z, y));
            if (d == 0) {
                ASSERT_EQ(mp_div_d(a, d, c, &rest), MP_VAL);
                continue;
            }
            OK(mp_div_d(a, d, c, &rest)); ASSERT_EQ(c, o_quo(z, y)) << z << " / " << y;
            ASSERT_EQ(Int((int64_t)rest), absolute(o_rem(z, y)));
            OK(mp_mod_d(a, d, &rest)); ASSERT_EQ(Int((int64_t)rest), absolute(o_rem(z, y)));
            OK(mp_div_d(e, d, e, NULL)); ASSERT_EQ(e, o_quo(z, y));
            OK(mp_div_3(a, c, &rest)); ASSERT_EQ(c, o_quo(z, Int(3)));
        }
    }
}

TEST(TomMath, Bits)
{
    TestRng r(3);
    for (int i = 0; i < rounds; i++) {
        const Int x = some(r);
        const Tom a(x);
        // lengths at and around the top, where LibTomMath 0.11 read one digit too many
        const int n = i % 4 ? (int)r.below(1600) : a.v.used * MP_DIGIT_BIT + (int)r.below(3) - 1,
                  k = (int)r.below(6);
        Tom q(9), m(9), c(a);
        OK(mp_mul_2d(a, n < 0 ? 0 : n, q)); ASSERT_EQ(q, x << (size_t)(n < 0 ? 0 : n));
        OK(mp_div_2d(a, n, q, m)); ASSERT_EQ(q, o_quo(x, power2((size_t)(n < 0 ? 0 : n))));
        ASSERT_EQ(m, o_rem(x, power2((size_t)(n < 0 ? 0 : n))));
        OK(mp_div_2d(c, n, c, m)); ASSERT_EQ(c, q.value()); c = a;
        OK(mp_div_2d(c, n, q, c)); ASSERT_EQ(c, m.value()); c = a;
        OK(mp_mod_2d(a, n, q)); ASSERT_EQ(q, m.value());
        OK(mp_mod_2d(c, n, c)); ASSERT_EQ(c, m.value()); c = a;
        OK(mp_mul_2d(c, 61, c)); ASSERT_EQ(c, x << 61); c = a;
        OK(mp_signed_rsh(a, n, q)); ASSERT_EQ(q, o_div(x, power2((size_t)(n < 0 ? 0 : n))));
        OK(mp_tc_div_2d(c, n, c)); ASSERT_EQ(c, q.value()); c = a;
        OK(mp_lshd(c, k)); ASSERT_EQ(c, x << (size_t)k * MP_DIGIT_BIT);
        mp_rshd(c, k);
        ASSERT_EQ(c, x);
        mp_rshd(c, k);
        ASSERT_EQ(c, o_quo(x, power2((size_t)k * MP_DIGIT_BIT)));
        ASSERT_EQ((size_t)mp_count_bits(a), ty_mp_bits(x));
        ASSERT_EQ((size_t)mp_cnt_lsb(a), ty_mp_trailing(x));
        const Int y = absolute(x);
        ASSERT_EQ(mp_get_bit(a, n < 0 ? 3 : n), (int)ty_mp_bit(y, (size_t)(n < 0 ? 3 : n)));
        OK(mp_2expt(c, n < 0 ? 0 : n)); ASSERT_EQ(c, power2((size_t)(n < 0 ? 0 : n)));
    }
    Tom a(5), b(7);
    EXPECT_EQ(mp_2expt(a, -1), MP_VAL);
    EXPECT_EQ(mp_mul_2d(a, -1, b), MP_VAL);
    EXPECT_EQ(mp_get_bit(a, -1), MP_VAL);
    EXPECT_EQ(mp_grow(a, -1), MP_VAL);
    mp_int none;
    EXPECT_EQ(mp_init_size(&none, -1), MP_VAL);
    EXPECT_EQ(a, Int(5));
    EXPECT_EQ(b, Int(7));
}

TEST(TomMath, Values)
{
    const int64_t values[] = { 0,
                               1,
                               -1,
                               255,
                               INT32_MAX,
                               INT32_MIN,
                               (int64_t)UINT32_MAX,
                               INT64_MAX,
                               INT64_MIN,
                               (int64_t)1 << 60,
                               -((int64_t)1 << 60) - 1 };
    for (const int64_t v : values) {
        Tom a(12345);
        mp_set_i64(a, v);
        ASSERT_EQ(a, Int(v));
        ASSERT_EQ(mp_get_i64(a), v);
        ASSERT_EQ(mp_get_ll(a), v);
        ASSERT_EQ(mp_get_i32(a), (int32_t)v);
        ASSERT_EQ(mp_get_l(a), (long)v);
        ASSERT_EQ(mp_get_u32(a), (uint32_t)v);
        ASSERT_EQ(mp_get_u64(a), (uint64_t)v); ASSERT_EQ(mp_get_ul(a), (unsigned long)v);
        const uint64_t mag = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
        ASSERT_EQ(mp_get_mag_u64(a), mag); ASSERT_EQ(mp_get_mag_u32(a), (uint32_t)mag);
        ASSERT_EQ(mp_get_mag_ul(a), (unsigned long)mag); ASSERT_EQ(mp_get_mag_ull(a), mag);
        ASSERT_EQ(mp_get_int(a), (uint32_t)mag);
        ASSERT_EQ(mp_get_long(a), (unsigned long)mag);
        ASSERT_EQ(mp_get_long_long(a), mag);
        mp_set_u64(a, (uint64_t)v); ASSERT_EQ(mp_get_mag_u64(a), (uint64_t)v);
        mp_set_ull(a, (uint64_t)v); ASSERT_EQ(mp_get_mag_u64(a), (uint64_t)v);
        mp_set_i32(a, (int32_t)v);
        ASSERT_EQ(a, Int((int32_t)v));
        mp_set_u32(a, (uint32_t)v);
        ASSERT_EQ(a, Int((uint32_t)v));
        mp_set_l(a, (long)v);
        ASSERT_EQ(a, Int((long)v));
        mp_set_ul(a, (unsigned long)v);
        ASSERT_EQ(mp_get_mag_ul(a), (unsigned long)v);
        mp_set_ll(a, v);
        ASSERT_EQ(a, Int(v));
        mp_set(a, (mp_digit)mag & MP_MASK);
        ASSERT_EQ(mp_get_mag_u64(a), mag & MP_MASK);
        OK(mp_set_int(a, (unsigned long)v)); ASSERT_EQ(a, Int((uint32_t)v));
        OK(mp_set_long(a, (unsigned long)mag));
        OK(mp_set_long_long(a, mag));
        ASSERT_EQ(mp_get_mag_u64(a), mag);
        if (mag < ((uint64_t)1 << 53)) {
            OK(mp_set_double(a, (double)v));
            ASSERT_EQ(a, Int(v));
            ASSERT_EQ(mp_get_double(a), (double)v);
        }
    }
#define INIT(f, v, want)                                                                           \
    do {                                                                                           \
        mp_int t;                                                                                  \
        OK(f(&t, v));                                                                              \
        ASSERT_EQ(mp_get_i64(&t), (int64_t)(want));                                                \
        mp_clear(&t);                                                                              \
    } while (0)
    INIT(mp_init_i32, -7, -7);
    INIT(mp_init_u32, 7, 7);
    INIT(mp_init_i64, -7, -7);
    INIT(mp_init_u64, 7, 7);
    INIT(mp_init_l, -7, -7);
    INIT(mp_init_ul, 7, 7);
    INIT(mp_init_ll, -7, -7);
    INIT(mp_init_ull, 7, 7);
    INIT(mp_init_set, 7, 7);
    INIT(mp_init_set_int, 7, 7);
    TestRng r(7);
    for (int i = 0; i < rounds; i++) {
        const double d = std::ldexp((double)(int64_t)r.next(), (int)r.below(300) - 64);
        Tom a;
        OK(mp_set_double(a, d));
        ASSERT_EQ(mp_get_double(a), std::trunc(d));
        const Int x = drawn(r, r.below(8));   // the nearest double: no other is closer
        const Tom b(x);
        const double y = mp_get_double(b);
        Tom low, high;
        OK(mp_set_double(low, std::nextafter(y, -INFINITY)));
        OK(mp_set_double(high, std::nextafter(y, INFINITY)));
        OK(mp_set_double(a, y));
        const Int off = absolute(a.value() - x);
        ASSERT_LE(ty_mp_cmp(off, absolute(low.value() - x)), 0) << x;
        ASSERT_LE(ty_mp_cmp(off, absolute(high.value() - x)), 0) << x;
    }
    Tom a(3);
    EXPECT_EQ(mp_set_double(a, INFINITY), MP_VAL);
    EXPECT_EQ(mp_set_double(a, NAN), MP_VAL);
    EXPECT_EQ(a, Int(3));
    EXPECT_TRUE(std::isinf(mp_get_double(Tom(power2(1100)))));
    EXPECT_STREQ(mp_error_to_string(MP_VAL), "Value out of range");
    EXPECT_STREQ(mp_error_to_string(17), "Invalid error code");
}

TEST(TomMath, Bytes)
{
    TestRng r(8);
    for (int i = 0; i < rounds; i++) {
        const Int x = some(r);
        const Tom a(x);
        const size_t n = ty_mp_bytes(x);
        std::vector<uint8_t> want(n), got(n + 2, 0xEE);
        ASSERT_EQ(ty_mp_get_be(want.data(), n, x), TY_OK);
        size_t written = 99;
        ASSERT_EQ(mp_ubin_size(a), n);
        ASSERT_EQ(mp_sbin_size(a), n + 1);
        OK(mp_to_ubin(a, got.data(), n, &written));
        ASSERT_EQ(written, n);
        ASSERT_TRUE(std::equal(want.begin(), want.end(), got.begin()) && got[n] == 0xEE);
        if (n) { ASSERT_EQ(mp_to_ubin(a, got.data(), n - 1, &written), MP_BUF); }
        OK(mp_to_sbin(a, got.data(), n + 1, &written));
        ASSERT_EQ(written, n + 1);
        ASSERT_EQ(got[0], ty_mp_sign(x) < 0);
        ASSERT_TRUE(std::equal(want.begin(), want.end(), got.begin() + 1));
        ASSERT_EQ(mp_to_sbin(a, got.data(), 0, NULL), MP_BUF);
        Tom b("fedcba9876543210fedcba9876543210fedcba98");
        OK(mp_from_sbin(b, got.data(), n + 1)); ASSERT_EQ(b, x);
        OK(mp_from_ubin(b, want.data(), n)); ASSERT_EQ(b, absolute(x));
        OK(mp_read_unsigned_bin(b, want.data(), (int)n)); ASSERT_EQ(b, absolute(x));
        OK(mp_read_signed_bin(b, got.data(), (int)n + 1)); ASSERT_EQ(b, x);
        unsigned long len = (unsigned long)n;
        OK(mp_to_unsigned_bin_n(a, got.data(), &len));
        OK(mp_to_unsigned_bin(a, got.data()));
        ASSERT_EQ(mp_to_signed_bin_n(a, got.data(), &len), MP_VAL);
        OK(mp_to_signed_bin(a, got.data()));
        ASSERT_EQ(mp_unsigned_bin_size(a) + 1, mp_signed_bin_size(a));
        // words of any kind, packed and unpacked
        const size_t size = 1 + r.below(9), nails = r.below(8 * size);
        const mp_order order = r.below(2) ? MP_MSB_FIRST : MP_LSB_FIRST;
        const mp_endian endian = (mp_endian)((int)r.below(3) - 1);
        const size_t count = mp_pack_count(a, nails, size);
        std::vector<uint8_t> words(count * size + 1, 0xEE);
        OK(mp_pack(words.data(), count, &written, order, size, endian, nails, a));
        ASSERT_EQ(written, count);
        ASSERT_EQ(words[count * size], 0xEE);
#if defined(HAVE_GMP)
        std::vector<uint8_t> theirs(count * size + 64);
        Mpz g(x);
        size_t theirs_count = 0;
        mpz_export(theirs.data(), &theirs_count, order, size, endian, nails, g.z);
        ASSERT_EQ(theirs_count, count);
        ASSERT_TRUE(std::equal(words.begin(), words.end() - 1, theirs.begin()))
            << size << " " << nails;
#endif
        OK(mp_unpack(b, count, order, size, endian, nails, words.data()));
        ASSERT_EQ(b, absolute(x));
        OK(mp_export(words.data(), &written, order, size, endian, nails, a));
        OK(mp_import(b, count, order, size, endian, nails, words.data()));
        ASSERT_EQ(b, absolute(x));
        if (count) {
            ASSERT_EQ(mp_pack(words.data(), count - 1, &written, order, size, endian, nails, a),
                      MP_BUF);
        }
    }
    Tom a(3);
    const uint8_t none[1] = { 0 };
    EXPECT_EQ(mp_from_sbin(a, none, 0), MP_VAL);
    EXPECT_EQ(mp_read_unsigned_bin(a, none, -1), MP_VAL);
    EXPECT_EQ(mp_read_signed_bin(a, none, -1), MP_VAL);
    EXPECT_EQ(mp_unpack(a, 1, MP_MSB_FIRST, 1, MP_BIG_ENDIAN, 8, none), MP_VAL);
    EXPECT_EQ(mp_pack_count(a, 16, 2), 0u);
    EXPECT_EQ(a, Int(3));
}

TEST(TomMath, Text)
{
    TestRng r(9);
    for (int i = 0; i < rounds; i++) {
        const Int x = some(r);
        const Tom a(x);
        const int radix = 2 + (int)r.below(63);
        const std::string want = x.str(radix);
        std::vector<char> got(want.size() + 4, '#');
        size_t written = 0;
        int size = 0;
        OK(mp_radix_size(a, radix, &size));
        ASSERT_EQ((size_t)size, want.size() + 1);
        OK(mp_to_radix(a, got.data(), std::max<size_t>(2, want.size() + 1), &written, radix));
        ASSERT_EQ(written, want.size() + 1);
        ASSERT_EQ(std::string(got.data()), want);
        if (want.size() > 1) {
            ASSERT_EQ(mp_to_radix(a, got.data(), want.size(), &written, radix), MP_BUF);
        }
        OK(mp_toradix(a, got.data(), radix)); ASSERT_EQ(std::string(got.data()), want);
        OK(mp_toradix_n(a, got.data(), radix, (int)want.size() + 2));
        ASSERT_EQ(std::string(got.data()), want);
        Tom b(8);
        OK(mp_read_radix(b, want.c_str(), radix)); ASSERT_EQ(b, x);
        OK(mp_read_radix(b, (want + "\r\n").c_str(), radix)); ASSERT_EQ(b, x);
        if (radix < 62) { ASSERT_EQ(mp_read_radix(b, (want + "+").c_str(), radix), MP_VAL); }
        std::FILE *f = std::tmpfile();
        ASSERT_TRUE(f);
        OK(mp_fwrite(a, radix, f));
        std::rewind(f);
        OK(mp_fread(b, radix, f)); ASSERT_EQ(b, x);
        ASSERT_EQ(mp_fread(b, radix, f), MP_ERR);   // the end
        std::fclose(f);
    }
    Tom a(5);
    char s[9];
    int size;
    EXPECT_EQ(mp_read_radix(a, "12", 1), MP_VAL);
    EXPECT_EQ(mp_read_radix(a, "12", 65), MP_VAL);
    EXPECT_EQ(mp_read_radix(a, "1 2", 10), MP_VAL);
    EXPECT_EQ(mp_to_radix(a, s, 1, NULL, 10), MP_BUF);
    EXPECT_EQ(mp_to_radix(a, s, 9, NULL, 65), MP_VAL);
    EXPECT_EQ(mp_toradix_n(a, s, 10, -1), MP_VAL);
    EXPECT_EQ(mp_radix_size(a, 1, &size), MP_VAL);
    EXPECT_EQ(a, Int(5));
    OK(mp_read_radix(a, "-", 10)); EXPECT_EQ(a, Int(0));
    OK(mp_read_radix(a, "-0", 10)); EXPECT_EQ(a, Int(0));
    OK(mp_read_radix(a, "aF", 16)); EXPECT_EQ(a, Int(0xAF));
}
