// bn.h: the manual of LibTomMath 0.11, line by line, and the places where it is wrong.
#include "tongyu/compat/bn.h"
#include <gtest/gtest.h>
#include <string>

namespace {
struct Bn {
    mp_int v;
    explicit Bn(const char *s = "0")
    {
        EXPECT_EQ(mp_init(&v), MP_OKAY);
        EXPECT_EQ(mp_read_radix(&v, s, 10), MP_OKAY);
    }
    Bn(const Bn &) = delete;
    ~Bn() { mp_clear(&v); }
    operator mp_int *() { return &v; }
    std::string text()
    {
        std::string s((size_t)mp_radix_size(&v, 10), '#');
        EXPECT_EQ(mp_toradix(&v, &s[0], 10), MP_OKAY);
        return s.substr(0, s.size() - 1);
    }
};
#define IS(x, want) EXPECT_EQ((x).text(), want)
#define OK(call) ASSERT_EQ(call, MP_OKAY)
}

TEST(Bn, CallingFunctions)   // section 3.2
{
    Bn x("10"), y("7"), z("3");
    OK(mp_add(x, y, x)); IS(x, "17");
    OK(mp_mul(x, z, x)); IS(x, "51");
    OK(mp_div_2(x, x)); IS(x, "25");
}

TEST(Bn, Overview)   // section 4
{
    mp_int num;
    OK(mp_init(&num));
    OK(mp_set_int(&num, 0x12345678UL));
    EXPECT_EQ(mp_count_bits(&num), 29);
    mp_set(&num, 5);
    EXPECT_EQ(USED(&num), 1);
    EXPECT_EQ(DIGIT(&num, 0), 5u);
    EXPECT_EQ(SIGN(&num), MP_ZPOS);
    mp_zero(&num);
    EXPECT_EQ(mp_iszero(&num), 1);
    mp_clear(&num);
    mp_int a, b;
    OK(mp_init_size(&a, 40));
    EXPECT_GE(a.alloc, 40);
    mp_set(&a, 9);
    OK(mp_init_copy(&b, &a));   // unlike in mp_copy, the destination comes first
    EXPECT_EQ(mp_cmp(&a, &b), MP_EQ);
    mp_clear(&a);
    mp_clear(&b);
}

TEST(Bn, Shifts)   // section 5.1
{
    Bn a("-13"), c, d;
    mp_rshd(a, 0); IS(a, "-13"); mp_rshd(a, -1); IS(a, "-13");
    OK(mp_lshd(a, 2)); mp_rshd(a, 2); IS(a, "-13"); mp_rshd(a, 1); IS(a, "0");
    Bn x("-13");
    OK(mp_div_2d(x, 2, c, d)); IS(c, "-3"); IS(d, "-1");
    OK(mp_div_2d(x, 0, c, d)); IS(c, "-13");
    OK(mp_div_2d(x, 2, c, NULL));
    OK(mp_mul_2d(x, 3, c)); IS(c, "-104");
    OK(mp_mul_2d(x, -3, c)); IS(c, "-13");   // as the manual says
    OK(mp_mod_2d(x, 2, c)); IS(c, "-1");
    OK(mp_mod_2d(x, 0, c)); IS(c, "0");      // as the code did
    Bn big;
    OK(mp_2expt(big, 3 * DIGIT_BIT - 1));
    OK(mp_mod_2d(big, USED(&big.v) * DIGIT_BIT, c));   // where 0.11 read one digit beyond
    EXPECT_EQ(mp_cmp(big, c), MP_EQ);
}

TEST(Bn, Arithmetic)   // section 5.2
{
    Bn a("-5"), b("3"), c, d;
    EXPECT_EQ(mp_cmp(a, b), MP_LT);
    EXPECT_EQ(mp_cmp_mag(a, b), MP_GT);
    Bn x("-7"), y("2"), m("-2");
    OK(mp_div(x, y, c, d)); IS(c, "-3"); IS(d, "-1");   // towards zero
    OK(mp_mod(x, y, c)); IS(c, "1");
    OK(mp_mod(x, m, c)); IS(c, "-1");                   // 0.11: -3
    EXPECT_EQ(mp_div(x, Bn("0"), c, d), MP_VAL);
    mp_digit r;
    OK(mp_div_d(x, 2, c, &r)); EXPECT_EQ(r, 1u);
    OK(mp_mod_d(y, 2, &r)); EXPECT_EQ(r, 0u);
    OK(mp_mod_d(Bn("-1003"), 10, &r)); EXPECT_EQ(r, 7u);   // in [0, b), as the manual says
    OK(mp_mod_d(Bn("-1000"), 10, &r)); EXPECT_EQ(r, 0u);
    OK(mp_mod_d(Bn("1003"), 10, &r)); EXPECT_EQ(r, 3u);
    EXPECT_EQ(mp_mod_d(Bn("-1003"), 0, &r), MP_VAL); EXPECT_EQ(r, 3u) << "an error changes nothing";
    const mp_word square = (mp_word)MP_MASK * MP_MASK;     // a word holds a product of digits
    EXPECT_EQ(square / MP_MASK, (mp_word)MP_MASK);
    EXPECT_GE(MP_WARRAY, 256);
    MONTGOMERY_EXPT_CUTOFF = 80;                           // may be set, and has no effect
    EXPECT_EQ(mp_cmp_d(y, 2), MP_EQ);
    OK(mp_add_d(x, 10, c));
    IS(c, "3");
    OK(mp_sub_d(x, 10, c));
    IS(c, "-17");
    OK(mp_mul_d(x, 10, c));
    IS(c, "-70");
    OK(mp_expt_d(x, 3, c)); IS(c, "-343");
}

TEST(Bn, NumberTheory)   // section 5.3
{
    Bn a("-12"), b("18"), zero, c, seven("7"), ten("10");
    OK(mp_gcd(a, b, c)); IS(c, "6"); OK(mp_gcd(zero, zero, c)); IS(c, "0");
    OK(mp_lcm(a, b, c)); IS(c, "36");
    OK(mp_addmod(ten, b, seven, c)); IS(c, "0"); OK(mp_submod(ten, b, seven, c)); IS(c, "6");
    OK(mp_mulmod(ten, b, seven, c)); IS(c, "5"); OK(mp_sqrmod(ten, seven, c)); IS(c, "2");
    OK(mp_invmod(ten, seven, c)); IS(c, "5"); EXPECT_EQ(mp_invmod(a, b, c), MP_VAL);
    OK(mp_n_root(Bn("1000"), 3, c));
    IS(c, "10");
    OK(mp_n_root(Bn("-28"), 3, c));
    IS(c, "-3");
    EXPECT_EQ(mp_n_root(Bn("-4"), 2, c), MP_VAL);
    OK(mp_sqrt(Bn("99"), c)); IS(c, "9");
    int k;
    OK(mp_jacobi(ten, seven, &k));
    EXPECT_EQ(k, -1);
    OK(mp_jacobi(Bn("14"), seven, &k));
    EXPECT_EQ(k, 0);
    EXPECT_EQ(mp_jacobi(seven, ten, &k), MP_VAL);
    OK(mp_exptmod(ten, Bn("100"), seven, c)); IS(c, "4");
}

TEST(Bn, Reductions)   // section 5.4
{
    Bn m("170141183460469231731687303715884105727"), mu,
        a("123456789012345678901234567890123456789"), c, r;
    OK(mp_mul(a, a, c));
    OK(mp_copy(c, r));
    OK(mp_mod(r, m, r));
    OK(mp_reduce_setup(mu, m));
    OK(mp_reduce(c, m, mu));
    EXPECT_EQ(mp_cmp(c, r), MP_EQ);
    mp_digit rho;
    OK(mp_montgomery_setup(m, &rho));
    OK(mp_copy(a, c));
    OK(mp_lshd(c, USED(&m.v)));   // times R = B^n: no multiplication needed
    OK(mp_mod(c, m, c));
    OK(mp_montgomery_reduce(c, m, rho));
    EXPECT_EQ(mp_cmp(c, a), MP_EQ);
}

TEST(Bn, Radix)   // section 4.5
{
    Bn a("-255"), c;
    unsigned char text[20], bytes[4];
    EXPECT_EQ(mp_radix_size(&a.v, 16), 4);
    EXPECT_EQ(mp_radix_size(&a.v, 65), 0);
    OK(mp_toradix(&a.v, text, 16)); EXPECT_STREQ((char *)text, "-FF");
    OK(mp_read_radix(&c.v, text, 16)); EXPECT_EQ(mp_cmp(a, c), MP_EQ);
    OK(mp_tohex(&a.v, text)); EXPECT_STREQ((char *)text, "-FF");
    Bn zero;
    OK(mp_toradix(&zero.v, text, 10)); EXPECT_STREQ((char *)text, "0");   // 0.11: ""
    EXPECT_EQ(mp_unsigned_bin_size(a), 1);
    EXPECT_EQ(mp_signed_bin_size(a), 2);
    OK(mp_to_unsigned_bin(a, bytes)); EXPECT_EQ(bytes[0], 255);
    OK(mp_read_unsigned_bin(c, bytes, 1)); IS(c, "255");
    OK(mp_toraw(a, bytes)); EXPECT_EQ(bytes[0], 1);
    OK(mp_read_raw(c, bytes, 2)); IS(c, "-255");
    EXPECT_EQ(mp_mag_size(a), 1);
}
