// LibTomMath's interface: random numbers and primes; initialization and clearing of integers; every
// allocation failing once.
#include "compat/tom.hpp"
#include <cmath>
#include <cstdio>
#include <functional>

static uint64_t script;
static mp_err scripted(void *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)out)[i] =
            (uint8_t)((script = script * 6364136223846793005u + 1442695040888963407u) >> 56);
    return MP_OKAY;
}
static mp_err failing(void *, size_t) { return MP_ERR; }
static int callback(unsigned char *out, int n, void *dat)
{
    *(int *)dat += n;
    (void)scripted(out, (size_t)n);
    return n;
}
static int bad_callback(unsigned char *, int n, void *) { return n - 1; }

TEST(TomMath, Random)
{
    Tom a(5), b;
    mp_digit d;
    for (int n : { 1, 2, 5, 40 }) {
        OK(mp_rand(a, n)); ASSERT_EQ(a.v.used, n); ASSERT_TRUE(a.well_formed());
        OK(mp_rand(b, n)); ASSERT_NE(mp_cmp(a, b), MP_EQ);
    }
    OK(mp_rand(a, 0)); EXPECT_EQ(a, Int(0));
    OK(mp_rand(a, -1)); EXPECT_EQ(a, Int(0));
    OK(mp_rand_digit(&d)); EXPECT_LE(d, MP_MASK);
    mp_rand_source(scripted);
    script = 1; OK(mp_rand(a, 7));
    script = 1; OK(mp_rand(b, 7));
    EXPECT_EQ(mp_cmp(a, b), MP_EQ);
    mp_rand_source(failing);
    EXPECT_EQ(mp_rand(a, 7), MP_ERR); EXPECT_EQ(a, Int(0));
    EXPECT_EQ(mp_prime_rand(a, 1, 64, 0), MP_ERR);
    mp_rand_source(NULL);
    OK(mp_rand(a, 7));
}

TEST(TomMath, Primes)
{
    mp_rand_source(scripted);
    const int limit = 2000;
    std::vector<bool> sieve((size_t)limit, true);
    for (int i = 2; i < limit; i++)
        for (int k = 2 * i; k < limit; k += i) sieve[(size_t)k] = false;
    mp_bool is;
    for (int i = 0, at = 0; i < limit - 400; i++) {
        const bool prime = i > 1 && sieve[(size_t)i];
        for (int t : { -1, 0, 3 }) {
            OK(mp_prime_is_prime(Tom(i), t, &is)); ASSERT_EQ(is == MP_YES, prime) << i;
        }
        if (prime && at < 256) { ASSERT_EQ(ltm_prime_tab[at++], (mp_digit)i); }
        OK(mp_prime_strong_lucas_selfridge(Tom(i), &is));
        if (prime) { ASSERT_EQ(is, MP_YES) << i; }
        const mp_err found = mp_prime_frobenius_underwood(Tom(i), &is);
        const int root = (int)std::sqrt(i);
        // no parameter suits a square
        ASSERT_TRUE(found == MP_OKAY || (found == MP_ITER && root * root == i)) << i;
        if (!prime) { ASSERT_EQ(is, MP_NO) << i; }
        else if (i > 41) { ASSERT_EQ(is, MP_YES) << i; }
        if (i > 3) {
            OK(mp_prime_miller_rabin(Tom(i), Tom(2), &is));
            if (prime || i == 2047) { ASSERT_EQ(is, MP_YES) << i; }
            OK(mp_prime_fermat(Tom(i), Tom(2), &is));
            ASSERT_EQ(is == MP_YES,
                      prime || i == 341 || i == 561 || i == 645 || i == 1105 || i == 1387)
                << i;
        }
        for (int bbs = 0; bbs < 2; bbs++) {
            Tom n(i);
            OK(mp_prime_next_prime(n, 3, bbs));
            int want = i + 1;
            while (want < 2 || !sieve[(size_t)want] || (bbs && want % 4 != 3)) want++;
            ASSERT_EQ(n, Int(want)) << i << " " << bbs;
        }
        OK(mp_prime_is_divisible(Tom(i), &is));
        ASSERT_EQ(is == MP_YES, i != 1) << i;
    }
    // pseudoprimes: to base 2, Carmichael, strong Lucas, Arnault's to all bases below 307
    for (const char *s : { "2047", "3215031751", "341550071728321", "5459", "5777", "10877",
                           "80383745745363949125707961434194210813883768828755814583748891752229742"
                           "73765333652186502336163960045457915042023603208765699667609872840439654"
                           "08232928738791850869166857328267761771029389697739470167082304286871099"
                           "97439976544144845341155872450633409279022275296229414984230688168540432"
                           "6457534018329786111298960644845216191652872597534901" }) {
        OK(mp_prime_is_prime(Tom(std::string(s), 10), 1, &is)); ASSERT_EQ(is, MP_NO) << s;
    }
    const Tom mersenne(o_sub(power2(127), Int(1))),
        below(std::string("3317044064679887385961813"), 10);
    OK(mp_prime_is_prime(mersenne, 8, &is)); EXPECT_EQ(is, MP_YES);
    EXPECT_EQ(mp_prime_is_prime(mersenne, -1, &is), MP_VAL);
    OK(mp_prime_is_prime(Tom(std::string("318665857834031151167461"), 10), -1, &is));
    EXPECT_EQ(is, MP_NO);
    OK(mp_prime_is_prime(below, -1, &is));
    EXPECT_EQ(mp_prime_is_prime(Tom(-7), 1, &is), MP_VAL);
    EXPECT_EQ(mp_prime_fermat(Tom(7), Tom(1), &is), MP_VAL);
    EXPECT_EQ(mp_prime_miller_rabin(Tom(7), Tom(1), &is), MP_VAL);
    OK(mp_prime_frobenius_underwood(mersenne, &is)); EXPECT_EQ(is, MP_YES);
    OK(mp_prime_frobenius_underwood(Tom(o_mul(mersenne.value(), Int(3))), &is));
    EXPECT_EQ(is, MP_NO);
    const int trials[][2] = { { 64, -1 },   { 80, -1 },  { 81, 37 },  { 100, 32 },
                              { 1024, 12 }, { 2047, 8 }, { 4096, 5 }, { 99999, 2 } };
    for (const auto &t : trials) EXPECT_EQ(mp_prime_rabin_miller_trials(t[0]), t[1]) << t[0];
    Tom p;
    for (int size : { 2, 3, 4, 5, 7, 16, 33, 64, 120 }) {
        for (int flags : { 0, MP_PRIME_BBS, MP_PRIME_2MSB_ON, MP_PRIME_BBS | MP_PRIME_2MSB_ON,
                           MP_PRIME_SAFE }) {
            // no such prime exists
            if ((size == 2 && flags == MP_PRIME_SAFE) ||
                (size == 4 && flags == (MP_PRIME_BBS | MP_PRIME_2MSB_ON)))
                continue;
            OK(mp_prime_rand(p, 4, size, flags)) << size << " " << flags;
            ASSERT_EQ(mp_count_bits(p), size);
            OK(mp_prime_is_prime(p, 4, &is)); ASSERT_EQ(is, MP_YES) << p;
            if (flags & (MP_PRIME_BBS | MP_PRIME_SAFE)) { ASSERT_EQ(p.v.dp[0] & 3, 3u) << p; }
            if (flags & MP_PRIME_2MSB_ON) { ASSERT_EQ(mp_get_bit(p, size - 2), MP_YES) << p; }
            if (flags & MP_PRIME_SAFE) {
                OK(mp_div_2(p, p));
                OK(mp_prime_is_prime(p, 4, &is));
                ASSERT_EQ(is, MP_YES) << p;
            }
        }
    }
    int drawn_bytes = 0;
    OK(mp_prime_random_ex(p, 4, 100, 0, callback, &drawn_bytes));
    EXPECT_EQ(mp_count_bits(p), 100);
    EXPECT_GT(drawn_bytes, 11);
    OK(mp_prime_random(p, 4, 8, 1, callback, &drawn_bytes)); EXPECT_EQ(mp_count_bits(p), 65);
    EXPECT_EQ(mp_prime_random_ex(p, 4, 100, 0, bad_callback, NULL), MP_VAL);
    EXPECT_EQ(mp_prime_rand(p, 0, 100, 0), MP_VAL);
    EXPECT_EQ(mp_prime_rand(p, 4, 1, 0), MP_VAL);
    EXPECT_EQ(mp_prime_rand(p, 4, 2, MP_PRIME_SAFE), MP_VAL);
    // square roots modulo primes of every kind: 3 mod 4, 5 mod 8, many twos in p - 1
    for (const char *s :
         { "7", "13", "65537", "170141183460469231731687303715884105727",
           "115792089237316195423570985008687907853269984665640564039457584007913129639747",
           "26959946667150639794667015087019630673557916260026308143510066298881", "3489660929" }) {
        const Int q(std::string(s), 10);
        TestRng r(10);
        for (int i = 0; i < 12; i++) {
            const Int x = i ? o_mod(drawn(r, 4, false), q) : Int(0), square = o_mod(o_mul(x, x), q);
            Tom root(3);
            OK(mp_sqrtmod_prime(Tom(square), Tom(q), root)) << s;
            ASSERT_EQ(o_mod(o_mul(root.value(), root.value()), q), square) << s;
            int k = 0;
            OK(mp_kronecker(Tom(x), Tom(q), &k));
            if (k == -1) { ASSERT_EQ(mp_sqrtmod_prime(Tom(x), Tom(q), root), MP_VAL); }
        }
    }
    EXPECT_EQ(mp_sqrtmod_prime(Tom(1), Tom(2), p), MP_VAL);
    // with a composite modulus the function returns, with any result
    EXPECT_EQ(mp_sqrtmod_prime(Tom(2), Tom(15), p), MP_OKAY);
    EXPECT_NE(mp_sqrtmod_prime(Tom(4), Tom(65 * 17), p), MP_MEM);
    mp_rand_source(NULL);
}

TEST(TomMath, InitAndClear)
{
    Memory memory;
    {
        mp_int a, b, c;
        OK(mp_init_multi(&a, &b, &c, NULL));
        mp_set(&a, 5);
        OK(mp_grow(&a, 100));
        ASSERT_EQ(a.alloc, 100);
        OK(mp_shrink(&a));
        ASSERT_EQ(a.alloc, MP_PREC);
        ASSERT_EQ(mp_get_i32(&a), 5);
        mp_exch(&a, &b);
        ASSERT_EQ(mp_get_i32(&b), 5);
        b.dp[1] = b.dp[2] = 0;
        b.used = 3;
        mp_clamp(&b);
        ASSERT_EQ(b.used, 1);
        mp_zero(&b);
        ASSERT_TRUE(b.used == 0 && b.dp[0] == 0);
        mp_clear_multi(&a, &b, &c, NULL);
        ASSERT_TRUE(a.dp == NULL && a.used == 0 && a.alloc == 0);
        mp_clear(&a);   // a second time does nothing
    }
    EXPECT_TRUE(memory.blocks.empty());
    EXPECT_FALSE(memory.dirty);
    for (size_t at = 0; at < 3; at++) {
        mp_int a, b, c;
        memory.calls = 0, memory.fail_at = at;
        EXPECT_EQ(mp_init_multi(&a, &b, &c, NULL), MP_MEM);
        EXPECT_TRUE(memory.blocks.empty());
    }
    mp_int a;
    memory.calls = 0, memory.fail_at = 0;
    const mp_int one = { 0, 0, MP_ZPOS, NULL };
    EXPECT_EQ(mp_init_copy(&a, &one), MP_MEM);
}

// Every allocation of every function fails once: MP_MEM, no leak, no memory freed unwiped, and the
// output keeps its value.
TEST(TomMath, NoMemory)
{
    TestRng r(11);
    mp_rand_source(scripted);
    const Int big = drawn(r, 300, false) + power2(300 * TY_LIMB_BITS),
              other = drawn(r, 290, false) + power2(290 * TY_LIMB_BITS + 1) + Int(1);
    const Tom prime(o_sub(power2(127), Int(1)));
    const std::string text = big.str(7);
    Memory memory;
    {
        const Tom a(big), b(other), m(ty_mp_odd(other) ? other : other + Int(1)), e(65537);
        const std::vector<uint8_t> bytes(3000, 0x5A);
        std::vector<char> out(30000);
        mp_digit d;
        mp_bool is;
        int n;
        std::FILE *f = std::tmpfile();
        ASSERT_TRUE(f);
        struct Case { const char *name; std::function<mp_err(mp_int *)> run; };
#define CASE(...) { #__VA_ARGS__, [&](mp_int *c) { (void)c; return __VA_ARGS__; } }
        const Case cases[] = {
            CASE(mp_copy(a, c)),
            CASE(mp_grow(c, 500)),
            CASE(mp_add(a, b, c)),
            CASE(mp_sub(b, a, c)),
            CASE(mp_mul(a, b, c)),
            CASE(mp_sqr(a, c)),
            CASE(mp_neg(a, c)),
            CASE(mp_complement(a, c)),
            CASE(mp_mul_2d(a, 900, c)),
            CASE(mp_div_2d(a, 9, c, NULL)),
            CASE(mp_mod_2d(a, 9000, c)),
            CASE(mp_signed_rsh(a, 9, c)),
            CASE(mp_2expt(c, 9999)),
            CASE(mp_and(a, b, c)),
            CASE(mp_mul_d(a, 9, c)),
            CASE(mp_div_d(a, 9, c, &d)),
            CASE(mp_add_d(a, 9, c)),
            CASE(mp_div(a, e, c, NULL)),
            CASE(mp_div(a, b, NULL, c)),
            CASE(mp_mod(a, b, c)),
            CASE(mp_addmod(a, b, m, c)),
            CASE(mp_submod(a, b, m, c)),
            CASE(mp_mulmod(a, b, m, c)),
            CASE(mp_sqrmod(a, m, c)),
            CASE(mp_exptmod(a, e, m, c)),
            CASE(mp_gcd(a, b, c)),
            CASE(mp_lcm(a, b, c)),
            CASE(mp_exteuclid(a, b, c, NULL, NULL)),
            CASE(mp_sqrt(a, c)),
            CASE(mp_root_n(a, 3, c)),
            CASE(mp_expt_n(a, 3, c)),
            CASE(mp_log_n(a, 10, &n)),
            CASE(mp_kronecker(a, prime, &n)),   // a long modulus needs thousands of allocations
            CASE(mp_is_square(a, &is)),
            CASE(mp_read_radix(c, text.c_str(), 7)),
            CASE(mp_to_radix(a, out.data(), out.size(), NULL, 7)),
            CASE(mp_radix_size(a, 7, &n)),
            CASE(mp_fwrite(a, 7, f)),
            CASE(mp_from_ubin(c, bytes.data(), 3000)),
            CASE(mp_unpack(c, 1500, MP_MSB_FIRST, 2, MP_BIG_ENDIAN, 3, bytes.data())),
            CASE(mp_reduce_setup(c, b)),
            CASE(mp_montgomery_calc_normalization(c, m)),
            CASE(mp_reduce_2k_setup_l(a, c)),
            CASE(mp_reduce_2k_setup(a, &d)),
            CASE(mp_prime_is_prime(prime, 2, &is)),
            CASE(mp_prime_fermat(prime, e, &is)),
            CASE(mp_prime_miller_rabin(prime, e, &is)),
            CASE(mp_prime_frobenius_underwood(prime, &is)),
            CASE(mp_rand(c, 100)),
        };
        for (const Case &k : cases) {
            mp_err err = MP_MEM;
            for (size_t at = 0; err == MP_MEM && at < 400; at++) {
                Tom c(-12345);
                memory.calls = 0, memory.fail_at = at;
                const size_t before = memory.blocks.size();
                err = k.run(c);
                memory.fail_at = (size_t)-1;
                ASSERT_EQ(memory.blocks.size(), before) << k.name;
                if (err == MP_OKAY) ASSERT_LE(memory.calls, at) << k.name;   // nothing failed
                else {
                    ASSERT_EQ(err, MP_MEM) << k.name << " " << at;
                    ASSERT_EQ(c, Int(-12345)) << k.name;
                }
            }
            ASSERT_EQ(err, MP_OKAY) << k.name;
        }
        std::fclose(f);
    }
    EXPECT_FALSE(memory.dirty);
    mp_rand_source(NULL);
}
