/* Tongyu: integers of any size, and arithmetic modulo any of them.
 *
 * A ty_mp is a sign and limbs. The object has room for 4352 bits: shorter integers need no
 * allocation, except in ty_mp_many_powm, in tests of primality, and for the tables of powers modulo
 * more than 1024 bits. Other memory comes from a replaceable allocator and is wiped before it is
 * freed; if allocation fails, the call returns an error. No call takes more than 32 KB of stack,
 * except ty_mp_prime.
 *
 * Outputs come first and may be the same object as any input, unless two outputs would be one.
 * After an error every output holds what it held before. A pointer to an integer is never NULL
 * unless a line says so.
 *
 * Time: the number of limbs and the sign of every integer are public. With that, functions without
 * _vt take constant time in the values; functions that end in _vt are for public values. Ordinary
 * arithmetic gives results of the shortest length, which is then public too. Arithmetic modulo m,
 * and functions marked "fixed length", give results as long as m, with limbs of zero on top where
 * the value is small: the size of a secret residue is not revealed. All functions accept such
 * integers. */
#ifndef TONGYU_MP_H
#define TONGYU_MP_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A limb: 64 bits where the compiler multiplies 64x64 -> 128, else 32. */
#if defined(__SIZEOF_INT128__)
typedef uint64_t ty_mp_limb;
#  define TY_MP_LIMB_BITS 64
#else
typedef uint32_t ty_mp_limb;
#  define TY_MP_LIMB_BITS 32
#endif
#define TY_MP_SMALL_BITS 4352   /* 4096, and a little for carries */

/* An allocator. take returns n bytes aligned for a limb, or NULL; give frees what take returned,
 * with the same n. */
typedef struct ty_alloc {
    void *(*take)(void *ctx, size_t n);
    void (*give)(void *ctx, void *p, size_t n);
    void *ctx;
} ty_alloc;

/* An integer. The fields are private. All zero bytes are the integer 0 with the standard allocator,
 * so `ty_mp x = {0}` is ready for use. It may be moved by memcpy, provided that only one of the two
 * is used afterwards. */
typedef struct ty_mp {
    const ty_alloc *alloc;   /* NULL: malloc and free */
    ty_mp_limb *heap;        /* NULL: the limbs are in small */
    size_t room, len;        /* limbs of heap; limbs in use, the top ones may be zero */
    uint32_t neg;            /* 1: below zero */
    ty_mp_limb small[TY_MP_SMALL_BITS / TY_MP_LIMB_BITS];
} ty_mp;

/* --- Objects ---------------------------------------------------------------------------------- */

/* ty_mp_init: x = 0.
 * ty_mp_init_with: x = 0, and its memory will come from alloc, which must outlive it. */
TY_API void ty_mp_init(ty_mp *x);
TY_API void ty_mp_init_with(ty_mp *x, const ty_alloc *alloc);
/* ty_mp_clear: wipes x and frees its memory; x is 0 again, with the same allocator. */
TY_API void ty_mp_clear(ty_mp *x);
/* ty_mp_reserve: room for `bits` bits, so that results up to there cannot fail.
 * err TY_ERR_MEM TY_ERR_SIZE */
TY_API TY_MUST_CHECK ty_err ty_mp_reserve(ty_mp *x, size_t bits);
/* ty_mp_shrink: frees memory that x does not need. If the smaller block cannot be allocated,
 * nothing changes. */
TY_API void ty_mp_shrink(ty_mp *x);
/* ty_mp_copy: z = x.     ty_mp_swap: exchanges x and y, allocators and all. */
TY_API TY_MUST_CHECK ty_err ty_mp_copy(ty_mp *z, const ty_mp *x);
TY_API void ty_mp_swap(ty_mp *x, ty_mp *y);
/* ty_mp_sel: z = bit ? x : y, for bit 0 or 1, fixed length: the longer of the two. The sign is
 * public.
 * time secret: bit */
TY_API TY_MUST_CHECK ty_err ty_mp_sel(ty_mp *z, uint32_t bit, const ty_mp *x, const ty_mp *y);
/* ty_mp_pad: gives x the fixed length of `bits` bits, rounded up to limbs; its value
 * stays.
 * err TY_ERR_MEM TY_ERR_SIZE: also if |x| is longer */
TY_API TY_MUST_CHECK ty_err ty_mp_pad(ty_mp *x, size_t bits);

/* --- Values ----------------------------------------------------------------------------------- */

TY_API void ty_mp_set_u64(ty_mp *z, uint64_t x);
TY_API void ty_mp_set_i64(ty_mp *z, int64_t x);
/* ty_mp_get_u64, _i64: the value.   err  TY_ERR_SIZE: it is outside the type; *out is untouched */
TY_API TY_MUST_CHECK ty_err ty_mp_get_u64(uint64_t *out, const ty_mp *x);
TY_API TY_MUST_CHECK ty_err ty_mp_get_i64(int64_t *out, const ty_mp *x);

/* ty_mp_set_be, _le: z = in[in_len] as a number, big-endian or little-endian; fixed length.
 * err TY_ERR_MEM TY_ERR_SIZE
 * ty_mp_get_be, _le: out[out_len] = |x|, zeros where x is shorter.
 * err TY_ERR_SIZE: it does not fit; out is untouched
 * ty_mp_bytes: how many bytes |x| needs, 0 for 0. */
TY_API TY_MUST_CHECK ty_err ty_mp_set_be(ty_mp *z, const uint8_t *in, size_t in_len);
TY_API TY_MUST_CHECK ty_err ty_mp_set_le(ty_mp *z, const uint8_t *in, size_t in_len);
TY_API TY_MUST_CHECK ty_err ty_mp_get_be(uint8_t *out, size_t out_len, const ty_mp *x);
TY_API TY_MUST_CHECK ty_err ty_mp_get_le(uint8_t *out, size_t out_len, const ty_mp *x);
TY_API size_t ty_mp_bytes(const ty_mp *x);

/* ty_mp_set_str_vt: z = in[in_len] in radix 2..64: an optional '-' or '+', then one digit or more.
 * The digits are 0-9 A-Z a-z '+' '/'; up to radix 36 lower-case letters count as capitals. In radix
 * 63 and 64 '+' is a digit, even as the first character.
 *   err    TY_ERR_ARG: radix
 *          TY_ERR_FORMAT: anything else in the text, or no digit
 *          TY_ERR_MEM TY_ERR_SIZE
 * ty_mp_get_str_vt: out = x in that radix, with a terminating NUL; *len = its length without
 * that (len may be NULL).
 *   err    TY_ERR_ARG: radix     TY_ERR_SIZE: out_len is too small     TY_ERR_MEM; out is untouched
 * ty_mp_str_size: an out_len that is large enough; 0 if radix is invalid. */
TY_API TY_MUST_CHECK ty_err ty_mp_set_str_vt(ty_mp *z, const char *in, size_t in_len, int radix);
TY_API TY_MUST_CHECK ty_err ty_mp_get_str_vt(char *out, size_t out_len, size_t *len, const ty_mp *x,
                                             int radix);
TY_API size_t ty_mp_str_size(const ty_mp *x, int radix);

/* ty_mp_random_bits: z uniform in [0, 2^bits), fixed length.
 * ty_mp_random_below: z uniform in [0, m), fixed length.
 *   err    TY_ERR_RNG: the source failed, or gave nothing below m 128 times
 *          TY_ERR_ARG: m <= 0
 *          TY_ERR_MEM TY_ERR_SIZE */
TY_API TY_MUST_CHECK ty_err ty_mp_random_bits(ty_mp *z, size_t bits, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_mp_random_below(ty_mp *z, const ty_mp *m, const ty_rng *rng);

/* ty_mp_bits: the bits of |x|: 0 for 0, else floor(log2 |x|) + 1.
 * ty_mp_trailing: how many times 2 divides x; 0 for 0.
 * ty_mp_bit: bit i of x in two's complement.     ty_mp_sign: -1, 0, 1.     ty_mp_odd: 0, 1. */
TY_API size_t ty_mp_bits(const ty_mp *x);
TY_API size_t ty_mp_trailing(const ty_mp *x);
TY_API uint32_t ty_mp_bit(const ty_mp *x, size_t i);
TY_API int ty_mp_sign(const ty_mp *x);
TY_API int ty_mp_odd(const ty_mp *x);
/* ty_mp_cmp: -1, 0, 1 as x < y, x = y, x > y; ty_mp_cmp_abs: the same for |x|, |y|. */
TY_API int ty_mp_cmp(const ty_mp *x, const ty_mp *y);
TY_API int ty_mp_cmp_vt(const ty_mp *x, const ty_mp *y);
TY_API int ty_mp_cmp_abs(const ty_mp *x, const ty_mp *y);
TY_API int ty_mp_cmp_abs_vt(const ty_mp *x, const ty_mp *y);

/* --- Arithmetic: err  TY_ERR_MEM  TY_ERR_SIZE everywhere, and others where stated ------------- */

TY_API TY_MUST_CHECK ty_err ty_mp_add(ty_mp *z, const ty_mp *x, const ty_mp *y);   /* z = x + y */
TY_API TY_MUST_CHECK ty_err ty_mp_sub(ty_mp *z, const ty_mp *x, const ty_mp *y);   /* z = x - y */
TY_API TY_MUST_CHECK ty_err ty_mp_neg(ty_mp *z, const ty_mp *x);                   /* z = -x */
TY_API TY_MUST_CHECK ty_err ty_mp_abs(ty_mp *z, const ty_mp *x);                   /* z = |x| */
TY_API TY_MUST_CHECK ty_err ty_mp_mul(ty_mp *z, const ty_mp *x, const ty_mp *y);   /* z = xy */
TY_API TY_MUST_CHECK ty_err ty_mp_sqr(ty_mp *z, const ty_mp *x);                   /* z = x^2 */
/* z = x^e, 0^0 = 1 */
TY_API TY_MUST_CHECK ty_err ty_mp_pow_vt(ty_mp *z, const ty_mp *x, uint64_t e);

/* ty_mp_shl: z = x 2^n.
 * ty_mp_shr: z = floor(x/2^n).
 * ty_mp_shr_trunc: z = x/2^n, rounded towards zero.
 * ty_mp_low: z = x mod 2^n, 0 <= z < 2^n.     n is public */
TY_API TY_MUST_CHECK ty_err ty_mp_shl(ty_mp *z, const ty_mp *x, size_t n);
TY_API TY_MUST_CHECK ty_err ty_mp_shr(ty_mp *z, const ty_mp *x, size_t n);
TY_API TY_MUST_CHECK ty_err ty_mp_shr_trunc(ty_mp *z, const ty_mp *x, size_t n);
TY_API TY_MUST_CHECK ty_err ty_mp_low(ty_mp *z, const ty_mp *x, size_t n);
/* Bitwise, in two's complement with infinitely many sign bits: -1 is all ones. */
TY_API TY_MUST_CHECK ty_err ty_mp_and(ty_mp *z, const ty_mp *x, const ty_mp *y);
TY_API TY_MUST_CHECK ty_err ty_mp_or(ty_mp *z, const ty_mp *x, const ty_mp *y);
TY_API TY_MUST_CHECK ty_err ty_mp_xor(ty_mp *z, const ty_mp *x, const ty_mp *y);
TY_API TY_MUST_CHECK ty_err ty_mp_not(ty_mp *z, const ty_mp *x);                   /* z = -x - 1 */

/* ty_mp_div: x = qy + r, the quotient rounded towards zero, r with the sign of x; ty_mp_div_vt the
 * same, faster.
 * ty_mp_div_floor_vt: the quotient rounded down, r with the sign of y.
 *   in     q or r may be NULL; they are different objects
 *   err    TY_ERR_ARG: y = 0 */
TY_API TY_MUST_CHECK ty_err ty_mp_div(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y);
TY_API TY_MUST_CHECK ty_err ty_mp_div_vt(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y);
TY_API TY_MUST_CHECK ty_err ty_mp_div_floor_vt(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y);

/* --- Modulo m --------------------------------------------------------------------------------- */

/* x and y may be outside [0, m); results are in it. err TY_ERR_ARG: m <= 0 */

/* fixed length */
TY_API TY_MUST_CHECK ty_err ty_mp_mod(ty_mp *z, const ty_mp *x, const ty_mp *m);
TY_API TY_MUST_CHECK ty_err ty_mp_mod_vt(ty_mp *z, const ty_mp *x, const ty_mp *m);
/* fixed length */
TY_API TY_MUST_CHECK ty_err ty_mp_addmod(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m);
/* fixed length */
TY_API TY_MUST_CHECK ty_err ty_mp_submod(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m);
/* fixed length */
TY_API TY_MUST_CHECK ty_err ty_mp_mulmod(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m);
TY_API TY_MUST_CHECK ty_err ty_mp_addmod_vt(ty_mp *z, const ty_mp *x, const ty_mp *y,
                                            const ty_mp *m);
TY_API TY_MUST_CHECK ty_err ty_mp_submod_vt(ty_mp *z, const ty_mp *x, const ty_mp *y,
                                            const ty_mp *m);
TY_API TY_MUST_CHECK ty_err ty_mp_mulmod_vt(ty_mp *z, const ty_mp *x, const ty_mp *y,
                                            const ty_mp *m);
/* fixed length */
TY_API TY_MUST_CHECK ty_err ty_mp_sqrmod(ty_mp *z, const ty_mp *x, const ty_mp *m);
TY_API TY_MUST_CHECK ty_err ty_mp_sqrmod_vt(ty_mp *z, const ty_mp *x, const ty_mp *m);

/* ty_mp_invmod: z = 1/x mod m, m odd, fixed length.     ty_mp_invmod_vt: any m.
 *   err    TY_ERR_ARG: m <= 0, or even for ty_mp_invmod
 *          TY_ERR_NO_INVERSE: x and m have a common factor (that this is so is public) */
TY_API TY_MUST_CHECK ty_err ty_mp_invmod(ty_mp *z, const ty_mp *x, const ty_mp *m);
TY_API TY_MUST_CHECK ty_err ty_mp_invmod_vt(ty_mp *z, const ty_mp *x, const ty_mp *m);

/* ty_mp_powm: z = x^e mod m, m odd, e >= 0, fixed length.
 * time secret: x, e, m; public: their lengths in limbs
 * ty_mp_powm_vt: any m; a negative e means the inverse.
 *   err    TY_ERR_ARG: m <= 0, or even or e < 0 for ty_mp_powm
 *          TY_ERR_NO_INVERSE: e < 0 and x has none
 *   cost   for m and e of n limbs of 64 bits: 64 n squarings and some 13 n products, one for every
 *          5 bits of e, each of 2 n^2 limb products */
TY_API TY_MUST_CHECK ty_err ty_mp_powm(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m);
TY_API TY_MUST_CHECK ty_err ty_mp_powm_vt(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m);

/* ty_mp_many_powm: ty_mp_powm for many at once: a job has its arguments under the same names, and
 * err, which the call sets. Jobs are independent. Those with moduli of the same number of limbs,
 * and exponents of the same number of limbs, are computed side by side in the lanes of vector
 * registers, four with AVX2 and eight with AVX-512, if they are within 64 places of each other in
 * the array and numerous enough (three, with AVX-512 four, with IFMA four to six): as many as there
 * are lanes take 0.3 to 0.65 of the time. With IFMA fewer of 448 to 1600 bits are done in pairs,
 * 1.2 to 1.8 times as fast. RSA signatures, as two powers modulo the primes, are such jobs.
 *   in     no job's z is an object of another job; all else may be shared
 *   err    of a job TY_ERR_ARG, TY_ERR_MEM: its z is unchanged; the call returns TY_OK if every
 *          job succeeded, else the error of the first that did not
 *   time   as ty_mp_powm; also public: which lengths are the same
 *   cost   tables that need more than 16 KB (above 576 bits, with eight lanes above 256, in pairs
 *          above 1216) come from the allocator of one job's z */
typedef struct ty_mp_powm_job {
    ty_mp *z;
    const ty_mp *x, *e, *m;
    ty_err err;
} ty_mp_powm_job;
TY_API TY_MUST_CHECK ty_err ty_mp_many_powm(ty_mp_powm_job *jobs, size_t n);

/* A modulus prepared for many products: odd (Montgomery), or any (Barrett). The fields are private;
 * clear them when done. */
typedef struct ty_mp_mont {
    ty_mp m, rr;        /* R^2 mod m, R = B^n for the n limbs of m */
    ty_mp_limb minv;    /* -1/m mod B */
} ty_mp_mont;
typedef struct ty_mp_barrett {
    ty_mp m, mu;        /* floor(B^2n / m) */
} ty_mp_barrett;

/* ty_mp_mont_init: c = m prepared.
 *   err    TY_ERR_ARG: m <= 0 or even
 *          TY_ERR_MEM; c is then cleared
 * ty_mp_mont_set: z = x R mod m for any x; ty_mp_mont_get: z = x/R mod m for x of ty_mp_mont_set,
 * _mul, _pow.
 * ty_mp_mont_mul: z = xy/R mod m; ty_mp_mont_pow: z = x^e in that form, e >= 0.   All fixed length
 * ty_mp_mont_pow_vt: the same for a public e; time depends on it
 *   err    TY_ERR_ARG: x or y < 0 or of more limbs than m, e < 0     TY_ERR_MEM */
TY_API TY_MUST_CHECK ty_err ty_mp_mont_init(ty_mp_mont *c, const ty_mp *m);
TY_API void ty_mp_mont_clear(ty_mp_mont *c);
TY_API TY_MUST_CHECK ty_err ty_mp_mont_set(ty_mp *z, const ty_mp *x, const ty_mp_mont *c);
TY_API TY_MUST_CHECK ty_err ty_mp_mont_get(ty_mp *z, const ty_mp *x, const ty_mp_mont *c);
TY_API TY_MUST_CHECK ty_err ty_mp_mont_mul(ty_mp *z, const ty_mp *x, const ty_mp *y,
                                           const ty_mp_mont *c);
TY_API TY_MUST_CHECK ty_err ty_mp_mont_pow(ty_mp *z, const ty_mp *x, const ty_mp *e,
                                           const ty_mp_mont *c);
TY_API TY_MUST_CHECK ty_err ty_mp_mont_pow_vt(ty_mp *z, const ty_mp *x, const ty_mp *e,
                                              const ty_mp_mont *c);

/* ty_mp_barrett_init: c = m prepared, any m > 0.   err as for ty_mp_mont_init
 * ty_mp_barrett_mod: z = x mod m for any x; one of at most twice m's limbs is reduced by two
 * products. Fixed length */
TY_API TY_MUST_CHECK ty_err ty_mp_barrett_init(ty_mp_barrett *c, const ty_mp *m);
TY_API void ty_mp_barrett_clear(ty_mp_barrett *c);
TY_API TY_MUST_CHECK ty_err ty_mp_barrett_mod(ty_mp *z, const ty_mp *x, const ty_mp_barrett *c);

/* --- Divisors --------------------------------------------------------------------------------- */

/* ty_mp_gcd: z = gcd(x, y) >= 0, gcd(0, 0) = 0; fixed length, the longer of the two.
 * ty_mp_gcd_vt the same, faster.
 * ty_mp_gcdext_vt: g = gcd = ux + vy, with |u| <= |y|/g, |v| <= |x|/g or 1; outputs may be NULL.
 * ty_mp_lcm_vt: z = lcm(x, y) >= 0, 0 if one of them is 0. */
TY_API TY_MUST_CHECK ty_err ty_mp_gcd(ty_mp *z, const ty_mp *x, const ty_mp *y);
TY_API TY_MUST_CHECK ty_err ty_mp_gcd_vt(ty_mp *z, const ty_mp *x, const ty_mp *y);
TY_API TY_MUST_CHECK ty_err ty_mp_gcdext_vt(ty_mp *g, ty_mp *u, ty_mp *v, const ty_mp *x,
                                            const ty_mp *y);
TY_API TY_MUST_CHECK ty_err ty_mp_lcm_vt(ty_mp *z, const ty_mp *x, const ty_mp *y);
/* ty_mp_kronecker_vt: *out = (x/y), the Kronecker symbol: Jacobi's for odd y > 0, Legendre's for a
 * prime. */
TY_API TY_MUST_CHECK ty_err ty_mp_kronecker_vt(int *out, const ty_mp *x, const ty_mp *y);

/* --- Roots ------------------------------------------------------------------------------------ */

/* ty_mp_root_vt: z = the k-th root of x, rounded towards zero; r (may be NULL) = x - z^k.
 * ty_mp_sqrt_vt: k = 2.
 *   err    TY_ERR_ARG: k = 0, or x < 0 and k even
 * ty_mp_is_square_vt: *out = 1 if x is a square, else 0.
 * ty_mp_is_power_vt: *out = the largest k >= 2 for which x is a k-th power, else 0; 2 for 0 and 1,
 * 3 for -1. */
TY_API TY_MUST_CHECK ty_err ty_mp_root_vt(ty_mp *z, ty_mp *r, const ty_mp *x, uint32_t k);
TY_API TY_MUST_CHECK ty_err ty_mp_sqrt_vt(ty_mp *z, ty_mp *r, const ty_mp *x);
TY_API TY_MUST_CHECK ty_err ty_mp_is_square_vt(int *out, const ty_mp *x);
TY_API TY_MUST_CHECK ty_err ty_mp_is_power_vt(uint32_t *out, const ty_mp *x);

/* --- Primes ----------------------------------------------------------------------------------- */

/* ty_mp_is_prime_vt: *out = 1 if x is prime, 0 if it is not: small factors, Miller-Rabin to base 2,
 * a strong Lucas test (together BPSW, to which no exception is known), then rounds of Miller-Rabin
 * to random bases.
 *   in     rounds, each of which a composite passes with probability 1/4 at most; rng may be NULL
 *          if rounds is 0
 * ty_mp_miller_rabin: *out = 1 if odd x > 3 passes rounds of Miller-Rabin to random bases, else 0.
 *   time   secret: x; public: its length in limbs, how often 2 divides x - 1, *out and, if 0, the
 *          round that failed
 *   err    TY_ERR_RNG     TY_ERR_ARG (the second: x < 5 or even)
 *   spec   [FIPS 186-5, B.3; Baillie and Wagstaff, Math. Comp. 35 (1980)] */
TY_API TY_MUST_CHECK ty_err ty_mp_is_prime_vt(int *out, const ty_mp *x, uint32_t rounds,
                                              const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_mp_miller_rabin(int *out, const ty_mp *x, uint32_t rounds,
                                               const ty_rng *rng);
/* ty_mp_next_prime_vt: z = the least prime above x (by ty_mp_is_prime_vt with 0 rounds). */
TY_API TY_MUST_CHECK ty_err ty_mp_next_prime_vt(ty_mp *z, const ty_mp *x);

enum {
    TY_MP_PRIME_TOP2 = 1,   /* the two highest bits are ones: a product of two has twice the bits */
    TY_MP_PRIME_3MOD4 = 2,  /* 3 mod 4 */
    TY_MP_PRIME_SAFE = 4    /* (z - 1)/2 is prime too */
};
/* ty_mp_prime: z = a random prime of exactly `bits` bits, fixed length.
 *   in     bits >= 2, 3 with TOP2, 5 with SAFE, 6 with both, but not 4 with TOP2 and 3MOD4 alone,
 *          where there is no prime; flags, a sum of the above
 *   err    TY_ERR_ARG: bits or flags
 *          TY_ERR_RNG: the source failed, or is stuck
 *          TY_ERR_MEM TY_ERR_SIZE
 *   time   secret: z of 24 bits or more; public: bits, how often 2 divides z - 1, and how many
 *          candidates were rejected, which are independent of z     stack: 46 KB
 *   cost   each start is random, and the sieve searches upwards from it: primes after long gaps are
 *          a little more likely */
TY_API TY_MUST_CHECK ty_err ty_mp_prime(ty_mp *z, size_t bits, uint32_t flags, const ty_rng *rng);

#if defined(__cplusplus)
}
#endif
#endif
