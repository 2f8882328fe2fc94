/* Every function that the manual of LibTomMath 0.11 (August 2003) names, called as described there,
 * with the results that it promises; in the C of the time (-ansi). A name that is not called is a
 * failure. */
#include <stdio.h>
#include <string.h>
#include "tongyu/compat/bn.h"

static struct {
    const char *name;
    int called;
} functions[] = { { "mp_init", 0 },
                  { "mp_clear", 0 },
                  { "mp_zero", 0 },
                  { "mp_set", 0 },
                  { "mp_set_int", 0 },
                  { "mp_init_size", 0 },
                  { "mp_copy", 0 },
                  { "mp_init_copy", 0 },
                  { "mp_rshd", 0 },
                  { "mp_lshd", 0 },
                  { "mp_div_2d", 0 },
                  { "mp_div_2", 0 },
                  { "mp_mul_2d", 0 },
                  { "mp_mul_2", 0 },
                  { "mp_mod_2d", 0 },
                  { "mp_neg", 0 },
                  { "mp_abs", 0 },
                  { "mp_cmp", 0 },
                  { "mp_cmp_mag", 0 },
                  { "mp_add", 0 },
                  { "mp_sub", 0 },
                  { "mp_mul", 0 },
                  { "mp_sqr", 0 },
                  { "mp_div", 0 },
                  { "mp_mod", 0 },
                  { "mp_cmp_d", 0 },
                  { "mp_add_d", 0 },
                  { "mp_sub_d", 0 },
                  { "mp_mul_d", 0 },
                  { "mp_div_d", 0 },
                  { "mp_mod_d", 0 },
                  { "mp_addmod", 0 },
                  { "mp_submod", 0 },
                  { "mp_mulmod", 0 },
                  { "mp_sqrmod", 0 },
                  { "mp_invmod", 0 },
                  { "mp_gcd", 0 },
                  { "mp_lcm", 0 },
                  { "mp_n_root", 0 },
                  { "mp_jacobi", 0 },
                  { "mp_reduce_setup", 0 },
                  { "mp_reduce", 0 },
                  { "mp_montgomery_setup", 0 },
                  { "mp_montgomery_reduce", 0 },
                  { "mp_exptmod", 0 },
                  { "mp_unsigned_bin_size", 0 },
                  { "mp_read_unsigned_bin", 0 },
                  { "mp_to_unsigned_bin", 0 },
                  { "mp_signed_bin_size", 0 },
                  { "mp_read_signed_bin", 0 },
                  { "mp_to_signed_bin", 0 },
                  { "mp_read_radix", 0 },
                  { "mp_toradix", 0 },
                  { "mp_radix_size", 0 } };
enum { COUNT = sizeof functions / sizeof functions[0] };
static int failures;

static void call(const char *name, int good)
{
    int i;
    for (i = 0; i < COUNT; i++)
        if (strcmp(functions[i].name, name) == 0) break;
    if (i == COUNT) { printf("%s: not in the manual\n", name); failures++; return; }
    functions[i].called = 1;
    if (!good) { printf("%s: not what the manual says\n", name); failures++; }
}

static mp_int a, b, c, d;

/* x = the number in decimal text */
static void set(mp_int *x, const char *text)
{
    if (mp_read_radix(x, (unsigned char *)text, 10) != MP_OKAY) failures++;
}

static int is(mp_int *x, const char *text)
{
    unsigned char s[400];
    return mp_radix_size(x, 10) <= (int)sizeof s && mp_toradix(x, s, 10) == MP_OKAY &&
           strcmp((char *)s, text) == 0;
}

static void two(const char *x, const char *y) { set(&a, x); set(&b, y); }

static void beginnings(void)
{
    mp_int x, y;
    call("mp_init", mp_init(&x) == MP_OKAY && is(&x, "0"));
    mp_set(&x, 7);
    call("mp_set", is(&x, "7"));
    call("mp_set_int", mp_set_int(&x, 0xfffffffful) == MP_OKAY && is(&x, "4294967295"));
    call("mp_init_copy", mp_init_copy(&y, &x) == MP_OKAY && mp_cmp(&x, &y) == MP_EQ);
    mp_zero(&x);
    call("mp_zero", is(&x, "0") && x.sign == MP_ZPOS && is(&y, "4294967295"));
    call("mp_copy", mp_copy(&y, &x) == MP_OKAY && is(&x, "4294967295"));
    mp_clear(&x);
    mp_clear(&y);
    call("mp_init_size", mp_init_size(&x, 50) == MP_OKAY && x.alloc >= 50 && x.used == 0);
    mp_clear(&x);
    call("mp_clear", x.dp == NULL && x.used == 0 && x.alloc == 0);
}

static void digits(void)
{
    int good;
    two("12345678901234567890123456789", "0");
    good = mp_copy(&a, &b) == MP_OKAY && mp_lshd(&b, 3) == MP_OKAY &&
           mp_mul_2d(&a, 3 * DIGIT_BIT, &c) == MP_OKAY;
    call("mp_lshd",
         good && mp_cmp(&b, &c) == MP_EQ && mp_lshd(&b, 0) == MP_OKAY && mp_cmp(&b, &c) == MP_EQ);
    mp_rshd(&b, 3);
    mp_rshd(&b, -1);
    call("mp_rshd", mp_cmp(&a, &b) == MP_EQ);
    set(&a, "-13");
    call("mp_div_2d", mp_div_2d(&a, 2, &c, NULL) == MP_OKAY && is(&c, "-3") &&
                          mp_div_2d(&a, 0, &c, NULL) == MP_OKAY && is(&c, "-13"));
    call("mp_div_2", mp_div_2(&a, &c) == MP_OKAY && is(&c, "-6"));
    call("mp_mul_2d", mp_mul_2d(&a, 70, &c) == MP_OKAY && is(&c, "-15347691069326346944512") &&
                          mp_mul_2d(&a, -1, &c) == MP_OKAY && is(&c, "-13"));
    call("mp_mul_2", mp_mul_2(&a, &a) == MP_OKAY && is(&a, "-26"));
    set(&a, "1000003");
    call("mp_mod_2d", mp_mod_2d(&a, 4, &c) == MP_OKAY && is(&c, "3"));
}

static void arithmetic(void)
{
    two("-5", "3");
    call("mp_neg", mp_neg(&a, &c) == MP_OKAY && is(&c, "5"));
    call("mp_abs", mp_abs(&a, &c) == MP_OKAY && is(&c, "5"));
    call("mp_cmp", mp_cmp(&a, &b) == MP_LT && mp_cmp(&b, &a) == MP_GT && mp_cmp(&a, &a) == MP_EQ);
    call("mp_cmp_mag", mp_cmp_mag(&a, &b) == MP_GT);
    two("99999999999999999999999", "-1");
    call("mp_add", mp_add(&a, &b, &c) == MP_OKAY && is(&c, "99999999999999999999998"));
    call("mp_sub", mp_sub(&a, &b, &c) == MP_OKAY && is(&c, "100000000000000000000000"));
    call("mp_mul", mp_mul(&c, &c, &d) == MP_OKAY &&
                       is(&d, "10000000000000000000000000000000000000000000000"));
    call("mp_sqr", mp_sqr(&c, &c) == MP_OKAY && mp_cmp(&c, &d) == MP_EQ);
    two("-7", "2");   /* the remainder has the sign of a, the quotient that of a b */
    call("mp_div", mp_div(&a, &b, &c, &d) == MP_OKAY && is(&c, "-3") && is(&d, "-1") &&
                       mp_div(&a, &b, NULL, &d) == MP_OKAY && mp_div(&a, &b, &c, NULL) == MP_OKAY);
    call("mp_mod", mp_mod(&a, &b, &c) == MP_OKAY && is(&c, "1"));
}

static void single(void)
{
    mp_digit r;
    set(&a, "-1003");
    call("mp_cmp_d", mp_cmp_d(&a, 3) == MP_LT);
    call("mp_add_d", mp_add_d(&a, 4, &c) == MP_OKAY && is(&c, "-999"));
    call("mp_sub_d", mp_sub_d(&a, 4, &c) == MP_OKAY && is(&c, "-1007"));
    call("mp_mul_d", mp_mul_d(&a, 10, &c) == MP_OKAY && is(&c, "-10030"));
    call("mp_mod_d", mp_mod_d(&a, 10, &r) == MP_OKAY && r == 7);
    set(&a, "1003");
    call("mp_div_d", mp_div_d(&a, 10, &c, &r) == MP_OKAY && is(&c, "100") && r == 3);
}

static void theory(void)
{
    int symbol;
    two("10", "18");
    set(&c, "7");
    call("mp_addmod", mp_addmod(&a, &b, &c, &d) == MP_OKAY && is(&d, "0"));
    call("mp_submod", mp_submod(&a, &b, &c, &d) == MP_OKAY && is(&d, "6"));
    call("mp_mulmod", mp_mulmod(&a, &b, &c, &d) == MP_OKAY && is(&d, "5"));
    call("mp_sqrmod", mp_sqrmod(&a, &c, &d) == MP_OKAY && is(&d, "2"));
    call("mp_invmod", mp_invmod(&a, &c, &d) == MP_OKAY && is(&d, "5"));
    call("mp_gcd", mp_gcd(&a, &b, &d) == MP_OKAY && is(&d, "2"));
    call("mp_lcm", mp_lcm(&a, &b, &d) == MP_OKAY && is(&d, "90"));
    set(&b, "1000000000000000000000000000001");
    call("mp_n_root", mp_n_root(&b, 3, &d) == MP_OKAY && is(&d, "10000000000"));
    call("mp_jacobi", mp_jacobi(&a, &c, &symbol) == MP_OKAY && symbol == -1);
    set(&b, "100");
    call("mp_exptmod", mp_exptmod(&a, &b, &c, &d) == MP_OKAY && is(&d, "4"));
}

static void reductions(void)
{
    mp_digit rho;
    two("170141183460469231731687303715884105727", "123456789012345678901234567890123456789");
    mp_sqr(&b, &c);
    mp_mod(&c, &a, &d);
    call("mp_reduce_setup", mp_reduce_setup(&b, &a) == MP_OKAY);
    call("mp_reduce", mp_reduce(&c, &a, &b) == MP_OKAY && mp_cmp(&c, &d) == MP_EQ);
    call("mp_montgomery_setup", mp_montgomery_setup(&a, &rho) == MP_OKAY);
    mp_lshd(&c, a.used);
    mp_mod(&c, &a, &c);
    call("mp_montgomery_reduce",
         mp_montgomery_reduce(&c, &a, rho) == MP_OKAY && mp_cmp(&c, &d) == MP_EQ);
}

static void text(void)
{
    unsigned char bytes[8] = {9, 9, 9, 9, 9, 9, 9, 9}, s[16];
    call("mp_read_radix", mp_read_radix(&a, (unsigned char *)"-fF0/", 64) == MP_OKAY);
    set(&a, "-66051");   /* 0x010203 */
    call("mp_unsigned_bin_size", mp_unsigned_bin_size(&a) == 3);
    call("mp_to_unsigned_bin",
         mp_to_unsigned_bin(&a, bytes) == MP_OKAY && memcmp(bytes, "\1\2\3\11", 4) == 0);
    call("mp_read_unsigned_bin", mp_read_unsigned_bin(&b, bytes, 3) == MP_OKAY && is(&b, "66051"));
    call("mp_signed_bin_size", mp_signed_bin_size(&a) == 4);
    call("mp_to_signed_bin",
         mp_to_signed_bin(&a, bytes) == MP_OKAY && memcmp(bytes, "\1\1\2\3\11", 5) == 0);
    call("mp_read_signed_bin", mp_read_signed_bin(&b, bytes, 4) == MP_OKAY && is(&b, "-66051"));
    call("mp_radix_size", mp_radix_size(&a, 16) == 7);
    call("mp_toradix", mp_toradix(&a, s, 16) == MP_OKAY && strcmp((char *)s, "-10203") == 0);
}

int main(void)
{
    int i;
    if (mp_init(&a) != MP_OKAY || mp_init(&b) != MP_OKAY || mp_init(&c) != MP_OKAY ||
        mp_init(&d) != MP_OKAY)
        return 1;
    beginnings();
    digits();
    arithmetic();
    single();
    theory();
    reductions();
    text();
    for (i = 0; i < COUNT; i++)
        if (!functions[i].called) { printf("%s: not called\n", functions[i].name); failures++; }
    mp_clear(&a);
    mp_clear(&b);
    mp_clear(&c);
    mp_clear(&d);
    if (failures == 0) printf("manual: %d functions do what the manual says\n", (int)COUNT);
    return failures != 0;
}
