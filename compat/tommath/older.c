/* Names that LibTomMath has replaced, for programs that were linked against them. */
#include "ltm.h"

int KARATSUBA_MUL_CUTOFF = 80, KARATSUBA_SQR_CUTOFF = 120, TOOM_MUL_CUTOFF = 350,
    TOOM_SQR_CUTOFF = 400;

unsigned long mp_get_int(const mp_int *a) { return mp_get_mag_u32(a); }
unsigned long mp_get_long(const mp_int *a) { return mp_get_mag_ul(a); }
unsigned long long mp_get_long_long(const mp_int *a) { return mp_get_mag_u64(a); }
mp_err mp_set_int(mp_int *a, unsigned long b) { mp_set_u32(a, (uint32_t)b); return MP_OKAY; }
mp_err mp_set_long(mp_int *a, unsigned long b) { mp_set_u64(a, b); return MP_OKAY; }
mp_err mp_set_long_long(mp_int *a, unsigned long long b) { mp_set_u64(a, b); return MP_OKAY; }
mp_err mp_init_set_int(mp_int *a, unsigned long b) { return mp_init_u32(a, (uint32_t)b); }

mp_err mp_tc_and(const mp_int *a, const mp_int *b, mp_int *c) { return mp_and(a, b, c); }
mp_err mp_tc_or(const mp_int *a, const mp_int *b, mp_int *c) { return mp_or(a, b, c); }
mp_err mp_tc_xor(const mp_int *a, const mp_int *b, mp_int *c) { return mp_xor(a, b, c); }
mp_err mp_tc_div_2d(const mp_int *a, int b, mp_int *c) { return mp_signed_rsh(a, b, c); }

int mp_get_bit(const mp_int *a, int b)
{
    if (b < 0) return MP_VAL;
    return b / LTM_BITS < a->used && (a->dp[b / LTM_BITS] >> b % LTM_BITS & 1) ? MP_YES : MP_NO;
}

mp_err mp_div_3(const mp_int *a, mp_int *c, mp_digit *d) { return mp_div_d(a, 3, c, d); }

/* The exponent's type has changed twice; LibTomMath, too, refused values above INT_MAX. */
mp_err mp_expt_u32(const mp_int *a, uint32_t b, mp_int *c)
{
    return b > INT_MAX ? MP_VAL : mp_expt_n(a, (int)b, c);
}
mp_err mp_expt_d(const mp_int *a, mp_digit b, mp_int *c)
{
    return b > INT_MAX ? MP_VAL : mp_expt_n(a, (int)b, c);
}
mp_err mp_expt_d_ex(const mp_int *a, mp_digit b, mp_int *c, int fast)
{
    (void)fast;
    return mp_expt_d(a, b, c);
}
mp_err mp_root_u32(const mp_int *a, uint32_t b, mp_int *c)
{
    return b > INT_MAX ? MP_VAL : mp_root_n(a, (int)b, c);
}
mp_err mp_n_root(const mp_int *a, mp_digit b, mp_int *c)
{
    return b > INT_MAX ? MP_VAL : mp_root_n(a, (int)b, c);
}
mp_err mp_n_root_ex(const mp_int *a, mp_digit b, mp_int *c, int fast)
{
    (void)fast;
    return mp_n_root(a, b, c);
}

mp_err mp_log_u32(const mp_int *a, uint32_t base, uint32_t *c)
{
    int n = 0;
    const mp_err e = base > INT_MAX ? MP_VAL : mp_log_n(a, (int)base, &n);
    if (e == MP_OKAY) *c = (uint32_t)n;
    return e;
}

mp_err mp_jacobi(const mp_int *a, const mp_int *n, int *c)
{
    return a->sign == MP_NEG || mp_cmp_d(n, 0) != MP_GT ? MP_VAL : mp_kronecker(a, n, c);
}

mp_err mp_export(void *rop, size_t *countp, int order, size_t size, int endian, size_t nails,
                 const mp_int *op)
{
    return mp_pack(rop, SIZE_MAX, countp, order, size, endian, nails, op);
}

mp_err mp_import(mp_int *rop, size_t count, int order, size_t size, int endian, size_t nails,
                 const void *op)
{
    return mp_unpack(rop, count, order, size, endian, nails, op);
}

int mp_unsigned_bin_size(const mp_int *a) { return (int)mp_ubin_size(a); }
int mp_signed_bin_size(const mp_int *a) { return (int)mp_sbin_size(a); }

mp_err mp_read_unsigned_bin(mp_int *a, const unsigned char *b, int c)
{
    return c < 0 ? MP_VAL : mp_from_ubin(a, b, (size_t)c);
}

mp_err mp_read_signed_bin(mp_int *a, const unsigned char *b, int c)
{
    return c < 0 ? MP_VAL : mp_from_sbin(a, b, (size_t)c);
}

mp_err mp_to_unsigned_bin(const mp_int *a, unsigned char *b)
{
    return mp_to_ubin(a, b, SIZE_MAX, NULL);
}
mp_err mp_to_signed_bin(const mp_int *a, unsigned char *b)
{
    return mp_to_sbin(a, b, SIZE_MAX, NULL);
}

mp_err mp_to_unsigned_bin_n(const mp_int *a, unsigned char *b, unsigned long *outlen)
{
    const size_t n = mp_ubin_size(a);
    if (*outlen < n) return MP_VAL;
    *outlen = (unsigned long)n;
    return mp_to_ubin(a, b, n, NULL);
}

mp_err mp_to_signed_bin_n(const mp_int *a, unsigned char *b, unsigned long *outlen)
{
    const size_t n = mp_sbin_size(a);
    if (*outlen < n) return MP_VAL;
    *outlen = (unsigned long)n;
    return mp_to_sbin(a, b, n, NULL);
}

mp_err mp_toradix(const mp_int *a, char *str, int radix)
{
    return mp_to_radix(a, str, SIZE_MAX, NULL, radix);
}

mp_err mp_toradix_n(const mp_int *a, char *str, int radix, int maxlen)
{
    return maxlen < 0 ? MP_VAL : mp_to_radix(a, str, (size_t)maxlen, NULL, radix);
}
