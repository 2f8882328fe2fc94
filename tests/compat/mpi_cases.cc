// mpi.h: the functions of MPI that LibTomMath does not have, and conversions from and to text.
#include "tongyu/compat/mpi.h"
#include <cstdio>
#include <gtest/gtest.h>
#include <string>

namespace {
#define OK(call) ASSERT_EQ(call, MP_OKAY)
std::string text(mp_int *a)
{
    std::string s((size_t)mp_radix_size(a, 10), '#');
    EXPECT_EQ(mp_toradix(a, &s[0], 10), MP_OKAY);
    return s.substr(0, s.size() - 1);
}
}

TEST(Mpi, Extras)
{
    mp_int x[5];
    EXPECT_EQ(mp_init_array(x, 0), MP_BADARG);
    OK(mp_init_array(x, 5));
    EXPECT_EQ(MP_YES, 0);
    EXPECT_EQ(mp_get_prec(), 8u);
    mp_set_prec(20);
    EXPECT_EQ(mp_get_prec(), 20u);
    mp_set_prec(0);
    EXPECT_EQ(mp_get_prec(), 8u);
    for (long v : { 0L, 1L, -1L, 65536L, LONG_MAX, LONG_MIN }) {
        OK(mp_set_int(x, v));
        EXPECT_EQ(mp_cmp_int(x, v), MP_EQ) << v;
        EXPECT_EQ(mp_cmp_int(x, 12345), v > 12345 ? MP_GT : MP_LT) << v;
        EXPECT_EQ(mp_cmp_z(x), (v > 0) - (v < 0));
        EXPECT_EQ(text(x), std::to_string(v));
        EXPECT_EQ(mp_isodd(x), v & 1);
        EXPECT_EQ(mp_iseven(x), !(v & 1));
    }
    OK(mp_set_int(x, -3));
    OK(mp_set_int(x + 1, 5));
    OK(mp_expt(x, x + 1, x + 2));
    EXPECT_EQ(text(x + 2), "-243");
    EXPECT_EQ(mp_expt(x + 1, x, x + 2), MP_RANGE);
    OK(mp_set_int(x, -1));
    OK(mp_2expt(x + 1, 300));
    OK(mp_expt(x, x + 1, x + 2));
    EXPECT_EQ(text(x + 2), "1");
    OK(mp_add_d(x + 1, 1, x + 1)); OK(mp_expt(x, x + 1, x + 2)); EXPECT_EQ(text(x + 2), "-1");
    EXPECT_EQ(mp_expt(x + 1, x + 1, x + 2), MP_MEM);
    mp_digit rest = 5;
    OK(mp_set_int(x, -1003)); OK(mp_mod_d(x, 10, &rest)); EXPECT_EQ(rest, 7u);
    OK(mp_set_int(x, 3));
    OK(mp_set_int(x + 1, 1000));
    OK(mp_exptmod_d(x, 100, x + 1, x + 2));
    EXPECT_EQ(text(x + 2), "1");
    OK(mp_set_int(x, 240)); OK(mp_set_int(x + 1, 46)); OK(mp_xgcd(x, x + 1, x + 2, x + 3, x + 4));
    EXPECT_EQ(text(x + 2), "2");
    OK(mp_mul(x, x + 3, x));
    OK(mp_mul(x + 1, x + 4, x + 1));
    OK(mp_add(x, x + 1, x));
    EXPECT_EQ(text(x), "2");
    mp_zero(x); mp_zero(x + 1);
    EXPECT_EQ(mp_xgcd(x, x + 1, x + 2, NULL, NULL), MP_RANGE);
    EXPECT_EQ(mp_gcd(x, x + 1, x + 2), MP_RANGE);
    EXPECT_EQ(mp_lcm(x, x + 1, x + 2), MP_RANGE);
    OK(mp_set_int(x, 4)); OK(mp_set_int(x + 1, 6));
    EXPECT_EQ(mp_invmod(x, x + 1, x + 2), MP_UNDEF);
    OK(mp_set_int(x, -5)); OK(mp_invmod(x, x + 1, x + 2)); EXPECT_EQ(text(x + 2), "1");
    OK(mp_mod(x, x + 1, x + 2)); EXPECT_EQ(text(x + 2), "1");
    OK(mp_neg(x + 1, x + 1)); EXPECT_EQ(mp_mod(x, x + 1, x + 2), MP_RANGE);
    mp_clear_array(x, 5);
}

TEST(Mpi, Text)
{
    mp_int a;
    OK(mp_init(&a));
    const unsigned char spaces[] = " = +12ab, and more";
    OK(mp_read_radix(&a, spaces, 16)); EXPECT_EQ(text(&a), std::to_string(0x12ab));
    OK(mp_read_radix(&a, "-zZ", 36)); EXPECT_EQ(text(&a), "-1295");
    OK(mp_read_radix(&a, "nothing", 10)); EXPECT_EQ(text(&a), "0");
    EXPECT_EQ(mp_read_radix(&a, "1", 65), MP_BADARG);
    EXPECT_EQ(mp_char2value('z', 36), 35);
    EXPECT_EQ(mp_char2value('z', 62), 61);
    EXPECT_EQ(mp_char2value('/', 64), 63);
    EXPECT_EQ(mp_char2value('9', 8), -1); EXPECT_EQ(mp_char2value(0, 8), -1);
    EXPECT_EQ(mp_value_radix_size(4, 8, 16), 8);
    EXPECT_EQ(mp_value_radix_size(4, 8, 10), 10);
    EXPECT_EQ(mp_value_radix_size(4, 0, 10), 0);
    EXPECT_EQ(mp_value_radix_size(0, 8, 10), 0); EXPECT_EQ(mp_value_radix_size(INT_MAX, 8, 10), 0);
    EXPECT_STREQ(mp_strerror(MP_UNDEF), "result is undefined");
    EXPECT_STREQ(mp_strerror(1), "unknown result code");
    OK(mp_set_int(&a, -255));
    std::FILE *f = std::tmpfile();
    ASSERT_TRUE(f);
    mp_print(&a, f);
    mp_print(NULL, f);
    std::rewind(f);
    char line[40] = "";
    ASSERT_TRUE(std::fgets(line, sizeof line, f));
    EXPECT_EQ(std::string(line), "-" + std::string((size_t)MP_DIGIT_BIT / 4 - 2, '0') + "FF");
    std::fclose(f);
    mp_clear(&a);
}
