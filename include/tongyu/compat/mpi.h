/* The interface of Michael Fromberger's MPI 1.8 (mpi.h), including the parts that LibTomMath does
 * not have: link with our libtommath.
 *
 * The functions are those of tommath.h; where MPI's took other arguments or meant something else, a
 * macro of the old name expands to a function of this header. Booleans are MPI's: MP_YES is 0,
 * MP_NO is -1. Errors are MP_OKAY, MP_MEM, MP_RANGE (-3), MP_BADARG (-4) and MP_UNDEF (-5).
 * These are the differences from MPI:
 *
 *   digits   DIGIT_BIT = 60 bits on 64-bit machines, 28 on others, at most DIGIT_MAX, where MPI's
 *            take a whole 16-bit word; the fields of mp_int are in LibTomMath's order
 *   mp_mod, mp_invmod   the result is in [0, m) for a < 0, too; MPI's inverse had the sign of a
 *   mp_gcd, mp_lcm      never negative; MPI's gcd(0, b) was b
 *   mp_radix_size       exact; MPI's was an estimate by doubles that could be one too small
 *   mp_get_prec, mp_set_prec   the room of new integers, stored but without effect: integers grow
 *                              as needed */
#ifndef TONGYU_COMPAT_MPI_H
#define TONGYU_COMPAT_MPI_H

#if !defined(BN_H_)
#  if !defined(MP_DEPRECATED)
#    define MP_DEPRECATED(instead)
#  endif
#  if !defined(MP_WUR)
#    define MP_WUR
#  endif
#endif
#include "tongyu/compat/tommath.h"

#include <limits.h>
#include <string.h>

#if defined(MP_USE_ENUMS) || defined(MP_NO_FILE)
#  error "MPI's booleans are not an enum, and mp_print needs <stdio.h>"
#endif
#if defined(__GNUC__)
/* __inline__: for programs compiled with -ansi */
#  define TY_MPI static __inline__ __attribute__((unused))
#else
#  define TY_MPI static inline
#endif

typedef unsigned int mp_size;
#define MP_BADARG    -4
#define MP_UNDEF     -5
#define MP_LAST_CODE MP_UNDEF
#define NEG          MP_NEG
#define ZPOS         MP_ZPOS
#define DIGIT_MAX    MP_DIGIT_MAX
#define ALLOC(m)     ((m)->alloc)
#define DIGITS(m)    ((m)->dp)
#define MAX_RADIX    64

/* --- Objects: all integers of an array are initialised, or none ------------------------------- */

TY_MPI unsigned int ty_mpi_prec(int set, unsigned int prec)
{
    static unsigned int now = 8;
    if (set) now = prec ? prec : 8;
    return now;
}
#define mp_get_prec()     ty_mpi_prec(0, 0)
#define mp_set_prec(prec) ((void)ty_mpi_prec(1, (prec)))

TY_MPI void mp_clear_array(mp_int *mp, int count) { while (count > 0) mp_clear(mp + --count); }

TY_MPI mp_err mp_init_array(mp_int *mp, int count)
{
    int i = 0;
    if (count <= 0) return MP_BADARG;
    for (; i < count; i++) {
        const mp_err e = mp_init(mp + i);
        if (e != MP_OKAY) {
            mp_clear_array(mp, i);
            return e;
        }
    }
    return MP_OKAY;
}

/* --- Machine integers: a signed long, where LibTomMath takes 32 unsigned bits ----------------- */

TY_MPI mp_err ty_mpi_set_int(mp_int *a, long z) { mp_set_l(a, z); return MP_OKAY; }

TY_MPI int mp_cmp_z(const mp_int *a) { return a->used == 0 ? 0 : a->sign == MP_NEG ? -1 : 1; }

TY_MPI int mp_cmp_int(const mp_int *a, long z)
{
    uint64_t v = z < 0 ? 0 - (uint64_t)z : (uint64_t)z;   /* a long may be shorter than a digit */
    mp_digit d[3] = { 0, 0, 0 };
    mp_int b;
    for (b.used = 0; v; b.used++) {
        d[b.used] = (mp_digit)(v & MP_MASK);
        v = v >> (MP_DIGIT_BIT - 1) >> 1;
    }
    b.alloc = 3;
    b.sign = z < 0 ? MP_NEG : MP_ZPOS;
    b.dp = d;
    return mp_cmp(a, &b);
}

/* --- Powers, divisors ------------------------------------------------------------------------- */

/* c = a^b, b >= 0. A b above INT_MAX is possible only for a = 0, 1 and -1; other powers do not fit
 * into memory: MP_MEM. */
TY_MPI mp_err mp_expt(const mp_int *a, const mp_int *b, mp_int *c)
{
    const int tiny = a->used == 0 || (a->used == 1 && a->dp[0] == 1);
    const int odd = b->used && (b->dp[0] & 1);
    if (b->sign == MP_NEG) return MP_RANGE;
    if (tiny && b->used) return mp_expt_n(a, odd ? 1 : 2, c);
    if (b->used > 1 || mp_get_mag_u64(b) > INT_MAX) return MP_MEM;
    return mp_expt_n(a, (int)mp_get_mag_u32(b), c);
}

TY_MPI mp_err mp_exptmod_d(const mp_int *a, mp_digit d, const mp_int *m, mp_int *c)
{
    mp_digit digit[1];
    mp_int b;
    digit[0] = d & MP_MASK;
    b.used = d ? 1 : 0;
    b.alloc = 1;
    b.sign = MP_ZPOS;
    b.dp = digit;
    return mp_exptmod(a, &b, m, c);
}

/* g = gcd(a, b) = ax + by; outputs may be NULL */
TY_MPI mp_err mp_xgcd(const mp_int *a, const mp_int *b, mp_int *g, mp_int *x, mp_int *y)
{
    return b->used == 0 ? MP_RANGE : mp_exteuclid(a, b, x, y, g);
}

TY_MPI mp_err ty_mpi_gcd(const mp_int *a, const mp_int *b, mp_int *c)
{
    return a->used == 0 && b->used == 0 ? MP_RANGE : mp_gcd(a, b, c);
}

TY_MPI mp_err ty_mpi_lcm(const mp_int *a, const mp_int *b, mp_int *c)
{
    return a->used == 0 && b->used == 0 ? MP_RANGE : mp_lcm(a, b, c);
}

TY_MPI mp_err ty_mpi_mod(const mp_int *a, const mp_int *m, mp_int *c)
{
    return m->sign == MP_NEG ? MP_RANGE : mp_mod(a, m, c);
}

/* c = a mod d, 0 <= c < d, where tommath.h's is |a| mod d; c is left as it is after an error. */
TY_MPI mp_err ty_mpi_mod_d(const mp_int *a, mp_digit d, mp_digit *c)
{
    mp_digit rest;
    const mp_err e = mp_mod_d(a, d, &rest);
    if (e != MP_OKAY) return e;
    *c = rest != 0 && a->sign == MP_NEG ? d - rest : rest;
    return MP_OKAY;
}

/* MP_UNDEF: a and m have a common divisor. */
TY_MPI mp_err ty_mpi_invmod(const mp_int *a, const mp_int *m, mp_int *c)
{
    mp_err e;
    if (a->used == 0 || m->used == 0 || m->sign == MP_NEG) return MP_RANGE;
    if (m->used == 1 && m->dp[0] == 1) {
        mp_zero(c);
        return MP_OKAY;
    }
    e = mp_invmod(a, m, c);
    return e == MP_VAL ? MP_UNDEF : e;
}

/* --- Text ------------------------------------------------------------------------------------- */

/* The value of a digit, or -1. */
TY_MPI int mp_char2value(char ch, int r)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";
    const char c = (char)(r <= 36 && ch >= 'a' && ch <= 'z' ? ch - 'a' + 'A' : ch);
    const char *at = c ? strchr(digits, c) : NULL;
    return at && at - digits < r ? (int)(at - digits) : -1;
}

/* Characters before the number are skipped, and those after it are ignored. */
TY_MPI mp_err ty_mpi_read_radix(mp_int *a, const void *text, int radix)
{
    const char *s = (const char *)text;
    size_t n = 0;
    int minus = 0;
    mp_err e = MP_OKAY;
    mp_int t;
    if (radix < 2 || radix > MAX_RADIX) return MP_BADARG;
    while (*s && *s != '-' && *s != '+' && mp_char2value(*s, radix) < 0) s++;
    if (*s == '-' || *s == '+') minus = *s++ == '-';
    while (mp_char2value(s[n], radix) >= 0) n++;
    if (s[n] == 0) {
        e = mp_read_radix(a, s, radix);
    } else if ((e = mp_init(&t)) == MP_OKAY) {
        /* digit by digit, because other text follows the number */
        for (; n && e == MP_OKAY; n--, s++)
            if ((e = mp_mul_d(&t, (mp_digit)radix, &t)) == MP_OKAY)
                e = mp_add_d(&t, (mp_digit)mp_char2value(*s, radix), &t);
        if (e == MP_OKAY) mp_exch(&t, a);
        mp_clear(&t);
    }
    if (e == MP_OKAY && a->used) a->sign = minus ? MP_NEG : MP_ZPOS;
    return e;
}

TY_MPI int ty_mpi_radix_size(const mp_int *a, int radix)
{
    int size = 0;
    return mp_radix_size(a, radix, &size) == MP_OKAY ? size : 0;
}

TY_MPI mp_err ty_mpi_toradix(const mp_int *a, void *str, int radix)
{
    return mp_toradix(a, (char *)str, radix);
}

/* The number of digits, in that radix, of 2^(num qty) - 1, the greatest number of num times qty
 * bits; 0 after an error. */
TY_MPI int mp_value_radix_size(int num, int qty, int radix)
{
    mp_int a;
    int size = 0;
    if (num < 0 || qty <= 0 || radix < 2 || radix > MAX_RADIX || num > INT_MAX / qty) return 0;
    if (num == 0 || mp_init(&a) != MP_OKAY) return 0;
    if (mp_2expt(&a, num * qty) == MP_OKAY && mp_decr(&a) == MP_OKAY)
        size = ty_mpi_radix_size(&a, radix) - 1;
    mp_clear(&a);
    return size;
}

/* A sign and the digits in hexadecimal, each of the same width, for debugging. */
TY_MPI void mp_print(const mp_int *a, FILE *stream)
{
    int i;
    if (!a || !stream) return;
    fputc(a->sign == MP_NEG ? '-' : '+', stream);
    for (i = a->used; i-- > 0;)
        fprintf(stream, "%0*llX", MP_DIGIT_BIT / 4, (unsigned long long)a->dp[i]);
}

TY_MPI const char *mp_strerror(mp_err e)
{
    static const char *const text[] = {
        "boolean true",          "boolean false",           "out of memory",
        "argument out of range", "invalid input parameter", "result is undefined"
    };
    return e > 0 || e < MP_LAST_CODE ? "unknown result code" : text[-e];
}

/* --- The old names: the functions above use those of tommath.h -------------------------------- */

#undef MP_YES
#undef MP_NO
#define MP_YES 0
#define MP_NO  -1
#undef mp_iszero
#undef mp_isneg
#define mp_isodd(a)               ((a)->used > 0 && ((a)->dp[0] & 1))
#define mp_iseven(a)              (!mp_isodd(a))
#define mp_set_int(a, z)          ty_mpi_set_int((a), (z))
#define mp_gcd(a, b, c)           ty_mpi_gcd((a), (b), (c))
#define mp_lcm(a, b, c)           ty_mpi_lcm((a), (b), (c))
#define mp_mod(a, m, c)           ty_mpi_mod((a), (m), (c))
#define mp_mod_d(a, d, c)         ty_mpi_mod_d((a), (d), (c))
#define mp_invmod(a, m, c)        ty_mpi_invmod((a), (m), (c))
#define mp_read_radix(a, str, r)  ty_mpi_read_radix((a), (str), (r))
#define mp_radix_size(a, r)       ty_mpi_radix_size((a), (r))
#define mp_toradix(a, str, r)     ty_mpi_toradix((a), (str), (r))

#endif
