/* The interface of LibTomMath 0.11 (bn.h, 2003), for programs written to its manual: link with our
 * libtommath.
 *
 * The functions are those of tommath.h; where 0.11's took other arguments or meant something else,
 * a macro of the old name expands to a function of this header. Where the manual, the code and
 * arithmetic disagree, this header follows arithmetic; these are the differences:
 *
 *   digits   DIGIT_BIT = 60 bits on 64-bit machines (0.11: 28), 28 bits on others. MP_8BIT and
 *            MP_16BIT are refused
 *   mp_err   int, with the values MP_OKAY, MP_MEM and MP_VAL, as in 0.11
 *   mp_mod   0 <= c < b; for b < 0, where the manual leaves it open, c has the sign of b (0.11: |c|
 *            might exceed |b|)
 *   mp_mod_d   0 <= c < b for negative a too, as in 0.11 and its manual; tommath.h's gives
 *              |a| mod b
 *   mp_gcd   never negative, gcd(0, 0) = 0 (0.11: 1); lcm never negative (0.11: lcm(-12, 18) = -36)
 *   mp_div   rounds towards zero, the remainder has the sign of a; the manual's floor(a/b) holds
 *            for positive numbers only
 *   mp_mod_2d   c = 0 for b <= 0, as in 0.11's code; its manual says c = a. No digit beyond a is
 *               read (0.11 read one if b = a->used * DIGIT_BIT)
 *   mp_montgomery_reduce   R = B^n for n digits, B = 2^DIGIT_BIT, as in 0.11's code; its manual
 *                          says B^(n+1) in one place
 *   mp_exptmod  d = a^b mod c: for b < 0 a is inverted, which 0.11 did not support. Modulo 1 every
 *               power is 0 (LibTomMath 1.3: an error), and (-3)^-1 mod 7 is 2 (LibTomMath 1.3: 5)
 *   mp_toradix  0 is written "0" (0.11: the empty text) */
#ifndef TONGYU_COMPAT_BN_H
#define TONGYU_COMPAT_BN_H

#if !defined(BN_H_)
#  if !defined(MP_DEPRECATED)
#    define MP_DEPRECATED(instead)   /* all names are old here, so there are no warnings */
#  endif
#  if !defined(MP_WUR)
#    define MP_WUR                   /* programs of the time ignore some results */
#  endif
#endif
#include "tongyu/compat/tommath.h"

#if defined(__GNUC__)
/* __inline__: for programs compiled with -ansi */
#  define TY_BN static __inline__ __attribute__((unused))
#else
#  define TY_BN static inline
#endif

/* mp_word holds the product of two digits. MP_WARRAY and MONTGOMERY_EXPT_CUTOFF are for programs
 * that read or set them, and have no effect. */
#if defined(MP_64BIT)
__extension__ typedef unsigned __int128 mp_word;
#else
typedef uint64_t mp_word;
#endif
#define MP_WARRAY (1 << (sizeof(mp_word) * CHAR_BIT - 2 * DIGIT_BIT + 1))
#if defined(__GNUC__)
__attribute__((unused))
#endif
static int MONTGOMERY_EXPT_CUTOFF = 74;

/* a = the lowest 32 bits of b. */
TY_BN int ty_bn_set_int(mp_int *a, unsigned long b) { mp_set_u32(a, (uint32_t)b); return MP_OKAY; }

/* c = a 2^b; c = a for b <= 0, as the manual says (0.11's code shifted by a negative number of
 * bits). */
TY_BN int ty_bn_mul_2d(const mp_int *a, int b, mp_int *c) { return mp_mul_2d(a, b > 0 ? b : 0, c); }

/* c = a mod b, 0 <= c < b; c is left as it is after an error. */
TY_BN int ty_bn_mod_d(const mp_int *a, mp_digit b, mp_digit *c)
{
    mp_digit rest;
    const int err = mp_mod_d(a, b, &rest);   /* |a| mod b */
    if (err != MP_OKAY) return err;
    *c = rest != 0 && a->sign == MP_NEG ? b - rest : rest;
    return MP_OKAY;
}

/* The size of a as text, with sign and terminating NUL, or 0 for an invalid radix. tommath.h's
 * returns it through a pointer. */
TY_BN int ty_bn_radix_size(const mp_int *a, int radix)
{
    int size = 0;
    return mp_radix_size(a, radix, &size) == MP_OKAY ? size : 0;
}

/* 0.11's manual has unsigned char, its header char: both are accepted. The size of str is not an
 * argument: it must be at least what mp_radix_size returns. */
TY_BN int ty_bn_toradix(const mp_int *a, void *str, int radix)
{
    return mp_toradix(a, (char *)str, radix);
}
TY_BN int ty_bn_read_radix(mp_int *a, const void *str, int radix)
{
    return mp_read_radix(a, (const char *)str, radix);
}

/* c = the Jacobi symbol (a/n) for odd n > 0; it is 0 if a and n have a common divisor, a case that
 * the manual omits. Unlike in 0.11, a may be negative, and other n give MP_VAL. */
TY_BN int ty_bn_jacobi(const mp_int *a, const mp_int *n, int *c)
{
    return mp_cmp_d(n, 0) != MP_GT || mp_iseven(n) == MP_YES ? MP_VAL : mp_kronecker(a, n, c);
}

#define mp_set_int(a, b)            ty_bn_set_int((a), (b))
#define mp_mul_2d(a, b, c)          ty_bn_mul_2d((a), (b), (c))
#define mp_mod_d(a, b, c)           ty_bn_mod_d((a), (b), (c))
#define mp_radix_size(a, radix)     ty_bn_radix_size((a), (radix))
#define mp_toradix(a, str, radix)   ty_bn_toradix((a), (str), (radix))
#define mp_read_radix(a, str, r)    ty_bn_read_radix((a), (str), (r))
#define mp_jacobi(a, n, c)          ty_bn_jacobi((a), (n), (c))

#endif
