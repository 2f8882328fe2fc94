/* The interface of LibTomMath 1.2 and 1.3, over Tongyu's integers: link with Tongyu's libtommath.so
 * or libtommath.a.
 *
 * The layout of mp_int, the digit size, the values of every constant and the meaning of every
 * function are LibTomMath's, so a program that was compiled against either header runs on either
 * library. docs/libtommath.md says what differs.
 *
 * Arithmetic takes inputs first and outputs last; functions that set an integer take it first. An
 * output may be the same object as an input. After an error an integer holds what it held before,
 * where LibTomMath may leave a part of the result; only mp_rand leaves 0. */
#ifndef BN_H_   /* LibTomMath's own guard: the two headers exclude each other */
#define BN_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#if !defined(MP_NO_FILE) && !defined(LTM_NO_FILE)
#  include <stdio.h>
#endif

#if defined(MP_8BIT) || defined(MP_16BIT) || defined(MP_31BIT)
#  error "digits of 60 bits on 64-bit machines, of 28 bits on others: no other size"
#endif

/* --- Digits: MP_DIGIT_BIT bits, least significant first, in the lower bits of an mp_digit ----- */

#if defined(__SIZEOF_INT128__)
#  if defined(MP_32BIT)
#    error "this machine has digits of 60 bits"
#  endif
#  if !defined(MP_64BIT)
#    define MP_64BIT
#  endif
typedef uint64_t mp_digit;
#  define MP_DIGIT_BIT 60
#else
#  if defined(MP_64BIT)
#    error "this machine has digits of 28 bits"
#  endif
typedef uint32_t mp_digit;
#  define MP_DIGIT_BIT 28
#  define MP_28BIT
#endif
#define MP_MASK      ((((mp_digit)1) << ((mp_digit)MP_DIGIT_BIT)) - ((mp_digit)1))
#define MP_DIGIT_MAX MP_MASK

/* --- Constants -------------------------------------------------------------------------------- */

#if defined(MP_USE_ENUMS)
typedef enum { MP_ZPOS = 0, MP_NEG = 1 } mp_sign;
typedef enum { MP_LT = -1, MP_EQ = 0, MP_GT = 1 } mp_ord;
typedef enum { MP_NO = 0, MP_YES = 1 } mp_bool;
typedef enum {
    MP_OKAY = 0,
    MP_ERR = -1,
    MP_MEM = -2,
    MP_VAL = -3,
    MP_ITER = -4,
    MP_BUF = -5
} mp_err;
typedef enum { MP_LSB_FIRST = -1, MP_MSB_FIRST = 1 } mp_order;
typedef enum { MP_LITTLE_ENDIAN = -1, MP_NATIVE_ENDIAN = 0, MP_BIG_ENDIAN = 1 } mp_endian;
#else
typedef int mp_sign;
#  define MP_ZPOS 0            /* zero or more */
#  define MP_NEG  1            /* below zero */
typedef int mp_ord;
#  define MP_LT  -1
#  define MP_EQ   0
#  define MP_GT   1
typedef int mp_bool;
#  define MP_NO   0
#  define MP_YES  1
typedef int mp_err;
#  define MP_OKAY 0
#  define MP_ERR  -1           /* anything else: a file, a random source */
#  define MP_MEM  -2           /* no memory */
#  define MP_VAL  -3           /* an argument is outside its range */
#  define MP_ITER -4           /* too many attempts */
#  define MP_BUF  -5           /* a buffer is too small */
typedef int mp_order;
#  define MP_LSB_FIRST -1
#  define MP_MSB_FIRST  1
typedef int mp_endian;
#  define MP_LITTLE_ENDIAN -1
#  define MP_NATIVE_ENDIAN  0
#  define MP_BIG_ENDIAN     1
#endif
#define MP_RANGE MP_VAL

#define MP_PRIME_BBS     0x0001   /* 3 mod 4 */
#define MP_PRIME_SAFE    0x0002   /* (p-1)/2 is prime too */
#define MP_PRIME_2MSB_ON 0x0008   /* the two highest bits are ones */
#define LTM_PRIME_BBS      MP_PRIME_BBS
#define LTM_PRIME_SAFE     MP_PRIME_SAFE
#define LTM_PRIME_2MSB_ON  MP_PRIME_2MSB_ON
#define PRIVATE_MP_PRIME_TAB_SIZE 256
#define PRIME_SIZE         PRIVATE_MP_PRIME_TAB_SIZE

#if !defined(MP_PREC)
#  define MP_PREC 32             /* digits of a new integer */
#endif
#define DIGIT_BIT          MP_DIGIT_BIT
#define MP_SIZEOF_MP_DIGIT sizeof(mp_digit)
#define USED(m)            ((m)->used)
#define DIGIT(m, k)        ((m)->dp[(k)])
#define SIGN(m)            ((m)->sign)

#if defined(__GNUC__)
#  define MP_NULL_TERMINATED __attribute__((sentinel))
#  if !defined(MP_WUR)
#    define MP_WUR __attribute__((warn_unused_result))
#  endif
#  if !defined(MP_DEPRECATED)
#    define MP_DEPRECATED(instead) __attribute__((deprecated("replaced by " #instead)))
#  endif
#else
#  define MP_NULL_TERMINATED
#  if !defined(MP_WUR)
#    define MP_WUR
#  endif
#  if !defined(MP_DEPRECATED)
#    define MP_DEPRECATED(instead)
#  endif
#endif

#if defined(__cplusplus)
extern "C" {
#endif
#if defined(__GNUC__)
#  pragma GCC visibility push(default)
#endif

/* An integer: dp[0..used) with dp[used-1] not 0, zeros up to dp[alloc); used = 0 and MP_ZPOS for 0.
 * Programs read and write the fields; if they leave zeros on top, mp_clamp restores this form. */
typedef struct {
    int used, alloc;
    mp_sign sign;
    mp_digit *dp;
} mp_int;

/* Fills dst[0..len) with random bytes and returns len. */
typedef int private_mp_prime_callback(unsigned char *dst, int len, void *dat);
typedef private_mp_prime_callback ltm_prime_callback;

/* For programs that set them; they have no effect. */
extern int KARATSUBA_MUL_CUTOFF, KARATSUBA_SQR_CUTOFF, TOOM_MUL_CUTOFF, TOOM_SQR_CUTOFF;
extern const mp_digit ltm_prime_tab[PRIVATE_MP_PRIME_TAB_SIZE];   /* 2, 3, ..., 1619 */

const char *mp_error_to_string(mp_err code) MP_WUR;

/* --- Objects ---------------------------------------------------------------------------------- */

mp_err mp_init(mp_int *a) MP_WUR;                                  /* a = 0 */
mp_err mp_init_size(mp_int *a, int size) MP_WUR;                   /* a = 0, room for size digits */
mp_err mp_init_copy(mp_int *a, const mp_int *b) MP_WUR;            /* a = b */
/* initialises all integers up to NULL, or none */
mp_err mp_init_multi(mp_int *mp, ...) MP_NULL_TERMINATED MP_WUR;
void mp_clear(mp_int *a);                                          /* wiped and freed */
void mp_clear_multi(mp_int *mp, ...) MP_NULL_TERMINATED;
/* reserves room for at least size digits */
mp_err mp_grow(mp_int *a, int size) MP_WUR;
mp_err mp_shrink(mp_int *a) MP_WUR;
void mp_exch(mp_int *a, mp_int *b);
mp_err mp_copy(const mp_int *a, mp_int *b) MP_WUR;                 /* b = a */
/* removes leading zero digits */
void mp_clamp(mp_int *a);
void mp_zero(mp_int *a);

/* --- Machine integers: get returns a modulo 2^bits, get_mag |a| modulo 2^bits ----------------- */

#define mp_iszero(a) (((a)->used == 0) ? MP_YES : MP_NO)
#define mp_isneg(a)  (((a)->sign != MP_ZPOS) ? MP_YES : MP_NO)
mp_bool mp_iseven(const mp_int *a) MP_WUR;
mp_bool mp_isodd(const mp_int *a) MP_WUR;

void mp_set(mp_int *a, mp_digit b);
mp_err mp_init_set(mp_int *a, mp_digit b) MP_WUR;

int32_t mp_get_i32(const mp_int *a) MP_WUR;
int64_t mp_get_i64(const mp_int *a) MP_WUR;
long mp_get_l(const mp_int *a) MP_WUR;
MP_DEPRECATED(mp_get_i64) long long mp_get_ll(const mp_int *a) MP_WUR;
#define mp_get_u32(a) ((uint32_t)mp_get_i32(a))
#define mp_get_u64(a) ((uint64_t)mp_get_i64(a))
#define mp_get_ul(a)  ((unsigned long)mp_get_l(a))
#define mp_get_ull(a) ((unsigned long long)mp_get_i64(a))

uint32_t mp_get_mag_u32(const mp_int *a) MP_WUR;
uint64_t mp_get_mag_u64(const mp_int *a) MP_WUR;
unsigned long mp_get_mag_ul(const mp_int *a) MP_WUR;
MP_DEPRECATED(mp_get_mag_u64) unsigned long long mp_get_mag_ull(const mp_int *a) MP_WUR;

void mp_set_i32(mp_int *a, int32_t b);
void mp_set_u32(mp_int *a, uint32_t b);
void mp_set_i64(mp_int *a, int64_t b);
void mp_set_u64(mp_int *a, uint64_t b);
void mp_set_l(mp_int *a, long b);
void mp_set_ul(mp_int *a, unsigned long b);
MP_DEPRECATED(mp_set_i64) void mp_set_ll(mp_int *a, long long b);
MP_DEPRECATED(mp_set_u64) void mp_set_ull(mp_int *a, unsigned long long b);

mp_err mp_init_i32(mp_int *a, int32_t b) MP_WUR;
mp_err mp_init_u32(mp_int *a, uint32_t b) MP_WUR;
mp_err mp_init_i64(mp_int *a, int64_t b) MP_WUR;
mp_err mp_init_u64(mp_int *a, uint64_t b) MP_WUR;
mp_err mp_init_l(mp_int *a, long b) MP_WUR;
mp_err mp_init_ul(mp_int *a, unsigned long b) MP_WUR;
MP_DEPRECATED(mp_init_i64) mp_err mp_init_ll(mp_int *a, long long b) MP_WUR;
MP_DEPRECATED(mp_init_u64) mp_err mp_init_ull(mp_int *a, unsigned long long b) MP_WUR;

/* the nearest double; an infinity if a is too large */
double mp_get_double(const mp_int *a) MP_WUR;
/* rounded towards zero; MP_VAL: b is an infinity or not a number */
mp_err mp_set_double(mp_int *a, double b) MP_WUR;

/* --- Digits and bits -------------------------------------------------------------------------- */

/* by b digits */
void mp_rshd(mp_int *a, int b);
mp_err mp_lshd(mp_int *a, int b) MP_WUR;
/* c = a/2^b towards zero, d = the remainder, or NULL */
mp_err mp_div_2d(const mp_int *a, int b, mp_int *c, mp_int *d) MP_WUR;
mp_err mp_mul_2d(const mp_int *a, int b, mp_int *c) MP_WUR;                         /* c = a 2^b */
/* |c| = |a| mod 2^b, the sign of a */
mp_err mp_mod_2d(const mp_int *a, int b, mp_int *c) MP_WUR;
/* b = a/2 towards zero */
mp_err mp_div_2(const mp_int *a, mp_int *b) MP_WUR;
mp_err mp_mul_2(const mp_int *a, mp_int *b) MP_WUR;                                 /* b = 2a */
mp_err mp_2expt(mp_int *a, int b) MP_WUR;                                           /* a = 2^b */
/* how often 2 divides a; 0 for 0 */
int mp_cnt_lsb(const mp_int *a) MP_WUR;
int mp_count_bits(const mp_int *a) MP_WUR;                                          /* of |a| */
/* two's complement, with infinitely many sign bits */
mp_err mp_and(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
mp_err mp_or(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
mp_err mp_xor(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
mp_err mp_complement(const mp_int *a, mp_int *b) MP_WUR;                            /* b = -a - 1 */
/* c = floor(a/2^b) */
mp_err mp_signed_rsh(const mp_int *a, int b, mp_int *c) MP_WUR;

/* --- Random numbers: from the kernel, or from source; NULL: the kernel again ------------------ */

mp_err mp_rand(mp_int *a, int digits) MP_WUR;
void mp_rand_source(mp_err (*source)(void *out, size_t size));

/* --- Arithmetic ------------------------------------------------------------------------------- */

mp_ord mp_cmp(const mp_int *a, const mp_int *b) MP_WUR;
mp_ord mp_cmp_mag(const mp_int *a, const mp_int *b) MP_WUR;
mp_err mp_neg(const mp_int *a, mp_int *b) MP_WUR;
mp_err mp_abs(const mp_int *a, mp_int *b) MP_WUR;
mp_err mp_add(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
mp_err mp_sub(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
mp_err mp_mul(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
mp_err mp_sqr(const mp_int *a, mp_int *b) MP_WUR;
/* a = cb + d, c rounded towards zero; c and d may be NULL */
mp_err mp_div(const mp_int *a, const mp_int *b, mp_int *c, mp_int *d) MP_WUR;
/* c = a mod b, with the sign of b */
mp_err mp_mod(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
mp_err mp_incr(mp_int *a) MP_WUR;
mp_err mp_decr(mp_int *a) MP_WUR;

/* with one digit, at most MP_DIGIT_MAX */
mp_ord mp_cmp_d(const mp_int *a, mp_digit b) MP_WUR;
mp_err mp_add_d(const mp_int *a, mp_digit b, mp_int *c) MP_WUR;
mp_err mp_sub_d(const mp_int *a, mp_digit b, mp_int *c) MP_WUR;
mp_err mp_mul_d(const mp_int *a, mp_digit b, mp_int *c) MP_WUR;
/* d = |a| mod b */
mp_err mp_div_d(const mp_int *a, mp_digit b, mp_int *c, mp_digit *d) MP_WUR;
/* c = |a| mod b */
mp_err mp_mod_d(const mp_int *a, mp_digit b, mp_digit *c) MP_WUR;

/* --- Numbers and moduli ----------------------------------------------------------------------- */

/* d = a + b mod c */
mp_err mp_addmod(const mp_int *a, const mp_int *b, const mp_int *c, mp_int *d) MP_WUR;
mp_err mp_submod(const mp_int *a, const mp_int *b, const mp_int *c, mp_int *d) MP_WUR;
mp_err mp_mulmod(const mp_int *a, const mp_int *b, const mp_int *c, mp_int *d) MP_WUR;
mp_err mp_sqrmod(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
/* c = 1/a mod b, b > 1 */
mp_err mp_invmod(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
/* Y = G^X mod P, P > 0; X < 0 inverts. Constant time in G and X, except for their lengths, if P is
 * odd and X has more than 32 bits. */
mp_err mp_exptmod(const mp_int *G, const mp_int *X, const mp_int *P, mp_int *Y) MP_WUR;
mp_err mp_gcd(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
mp_err mp_lcm(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
/* U1 a + U2 b = U3 */
mp_err mp_exteuclid(const mp_int *a, const mp_int *b, mp_int *U1, mp_int *U2, mp_int *U3) MP_WUR;
mp_err mp_sqrt(const mp_int *arg, mp_int *ret) MP_WUR;
/* c = a^(1/b) towards zero */
mp_err mp_root_n(const mp_int *a, int b, mp_int *c) MP_WUR;
/* ret^2 = n mod prime */
mp_err mp_sqrtmod_prime(const mp_int *n, const mp_int *prime, mp_int *ret) MP_WUR;
mp_err mp_is_square(const mp_int *arg, mp_bool *ret) MP_WUR;
mp_err mp_kronecker(const mp_int *a, const mp_int *p, int *c) MP_WUR;
/* base^c <= a < base^(c+1) */
mp_err mp_log_n(const mp_int *a, int base, int *c) MP_WUR;
/* c = a^b */
mp_err mp_expt_n(const mp_int *a, int b, mp_int *c) MP_WUR;

/* Reductions, x in place; B = 2^MP_DIGIT_BIT, and the modulus has s digits */
/* Barrett: a = floor(B^(2s)/b) */
mp_err mp_reduce_setup(mp_int *a, const mp_int *b) MP_WUR;
/* x mod m, 0 <= x < m^2 */
mp_err mp_reduce(mp_int *x, const mp_int *m, const mp_int *mu) MP_WUR;
/* rho = -1/n mod B */
mp_err mp_montgomery_setup(const mp_int *n, mp_digit *rho) MP_WUR;
/* a = B^s mod b */
mp_err mp_montgomery_calc_normalization(mp_int *a, const mp_int *b) MP_WUR;
/* x/B^s mod n, 0 <= x < n B^s */
mp_err mp_montgomery_reduce(mp_int *x, const mp_int *n, mp_digit rho) MP_WUR;
/* B^s - k for a digit k */
mp_bool mp_dr_is_modulus(const mp_int *a) MP_WUR;
void mp_dr_setup(const mp_int *a, mp_digit *d);
mp_err mp_dr_reduce(mp_int *x, const mp_int *n, mp_digit k) MP_WUR;
/* 2^p - d for a digit d */
mp_bool mp_reduce_is_2k(const mp_int *a) MP_WUR;
mp_err mp_reduce_2k_setup(const mp_int *a, mp_digit *d) MP_WUR;
mp_err mp_reduce_2k(mp_int *a, const mp_int *n, mp_digit d) MP_WUR;
/* 2^p - d for a longer d: half of a's digits or more are all ones */
mp_bool mp_reduce_is_2k_l(const mp_int *a) MP_WUR;
mp_err mp_reduce_2k_setup_l(const mp_int *a, mp_int *d) MP_WUR;
mp_err mp_reduce_2k_l(mp_int *a, const mp_int *n, const mp_int *d) MP_WUR;

/* --- Primes ----------------------------------------------------------------------------------- */

mp_err mp_prime_fermat(const mp_int *a, const mp_int *b, mp_bool *result) MP_WUR;
mp_err mp_prime_miller_rabin(const mp_int *a, const mp_int *b, mp_bool *result) MP_WUR;
mp_err mp_prime_strong_lucas_selfridge(const mp_int *a, mp_bool *result) MP_WUR;
mp_err mp_prime_frobenius_underwood(const mp_int *N, mp_bool *result) MP_WUR;
int mp_prime_rabin_miller_trials(int size) MP_WUR;
/* BPSW, then t rounds of Miller-Rabin, 1 for t = 0, to random bases. For t < 0: without random
 * bases; above 3.3e24 the result is then MP_VAL */
mp_err mp_prime_is_prime(const mp_int *a, int t, mp_bool *result) MP_WUR;
/* bbs_style 1: 3 mod 4 */
mp_err mp_prime_next_prime(mp_int *a, int t, int bbs_style) MP_WUR;
/* a prime of exactly size bits */
mp_err mp_prime_rand(mp_int *a, int t, int size, int flags) MP_WUR;

/* --- Bytes and text --------------------------------------------------------------------------- */

size_t mp_ubin_size(const mp_int *a) MP_WUR;
mp_err mp_from_ubin(mp_int *a, const unsigned char *buf, size_t size) MP_WUR;
mp_err mp_to_ubin(const mp_int *a, unsigned char *buf, size_t maxlen, size_t *written) MP_WUR;
/* with a byte in front for the sign */
size_t mp_sbin_size(const mp_int *a) MP_WUR;
mp_err mp_from_sbin(mp_int *a, const unsigned char *buf, size_t size) MP_WUR;
mp_err mp_to_sbin(const mp_int *a, unsigned char *buf, size_t maxlen, size_t *written) MP_WUR;

/* count words of size bytes, the highest `nails` bits of each unused */
size_t mp_pack_count(const mp_int *a, size_t nails, size_t size) MP_WUR;
mp_err mp_pack(void *rop, size_t maxcount, size_t *written, mp_order order, size_t size,
               mp_endian endian, size_t nails, const mp_int *op) MP_WUR;
mp_err mp_unpack(mp_int *rop, size_t count, mp_order order, size_t size, mp_endian endian,
                 size_t nails, const void *op) MP_WUR;

/* radix 2..64, digits 0-9 A-Z a-z + /; a text may end with a newline */
mp_err mp_read_radix(mp_int *a, const char *str, int radix) MP_WUR;
/* written counts the terminating NUL */
mp_err mp_to_radix(const mp_int *a, char *str, size_t maxlen, size_t *written, int radix) MP_WUR;
/* with sign and terminating NUL */
mp_err mp_radix_size(const mp_int *a, int radix, int *size) MP_WUR;
#define mp_to_binary(M, S, N)  mp_to_radix((M), (S), (N), NULL, 2)
#define mp_to_octal(M, S, N)   mp_to_radix((M), (S), (N), NULL, 8)
#define mp_to_decimal(M, S, N) mp_to_radix((M), (S), (N), NULL, 10)
#define mp_to_hex(M, S, N)     mp_to_radix((M), (S), (N), NULL, 16)
#if !defined(MP_NO_FILE) && !defined(LTM_NO_FILE)
mp_err mp_fread(mp_int *a, int radix, FILE *stream) MP_WUR;
mp_err mp_fwrite(const mp_int *a, int radix, FILE *stream) MP_WUR;
#endif

/* --- Older names, which are functions of the library too -------------------------------------- */

MP_DEPRECATED(mp_get_mag_u32) unsigned long mp_get_int(const mp_int *a) MP_WUR;
MP_DEPRECATED(mp_get_mag_ul) unsigned long mp_get_long(const mp_int *a) MP_WUR;
MP_DEPRECATED(mp_get_mag_u64) unsigned long long mp_get_long_long(const mp_int *a) MP_WUR;
MP_DEPRECATED(mp_set_ul) mp_err mp_set_int(mp_int *a, unsigned long b);
MP_DEPRECATED(mp_set_ul) mp_err mp_set_long(mp_int *a, unsigned long b);
MP_DEPRECATED(mp_set_u64) mp_err mp_set_long_long(mp_int *a, unsigned long long b);
MP_DEPRECATED(mp_init_ul) mp_err mp_init_set_int(mp_int *a, unsigned long b) MP_WUR;
MP_DEPRECATED(mp_pack)
mp_err mp_export(void *rop, size_t *countp, int order, size_t size, int endian, size_t nails,
                 const mp_int *op) MP_WUR;
MP_DEPRECATED(mp_unpack)
mp_err mp_import(mp_int *rop, size_t count, int order, size_t size, int endian, size_t nails,
                 const void *op) MP_WUR;
MP_DEPRECATED(mp_div_d) mp_err mp_div_3(const mp_int *a, mp_int *c, mp_digit *d) MP_WUR;
MP_DEPRECATED(mp_rand) mp_err mp_rand_digit(mp_digit *r) MP_WUR;
/* bit b of |a|; MP_VAL for b < 0 */
MP_DEPRECATED(mp_and) int mp_get_bit(const mp_int *a, int b) MP_WUR;
MP_DEPRECATED(mp_xor) mp_err mp_tc_xor(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
MP_DEPRECATED(mp_or) mp_err mp_tc_or(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
MP_DEPRECATED(mp_and) mp_err mp_tc_and(const mp_int *a, const mp_int *b, mp_int *c) MP_WUR;
MP_DEPRECATED(mp_signed_rsh) mp_err mp_tc_div_2d(const mp_int *a, int b, mp_int *c) MP_WUR;
MP_DEPRECATED(mp_log_n) mp_err mp_log_u32(const mp_int *a, uint32_t base, uint32_t *c) MP_WUR;
MP_DEPRECATED(mp_expt_n) mp_err mp_expt_u32(const mp_int *a, uint32_t b, mp_int *c) MP_WUR;
MP_DEPRECATED(mp_expt_n) mp_err mp_expt_d(const mp_int *a, mp_digit b, mp_int *c) MP_WUR;
MP_DEPRECATED(mp_expt_n)
mp_err mp_expt_d_ex(const mp_int *a, mp_digit b, mp_int *c, int fast) MP_WUR;
MP_DEPRECATED(mp_root_n) mp_err mp_root_u32(const mp_int *a, uint32_t b, mp_int *c) MP_WUR;
MP_DEPRECATED(mp_root_n) mp_err mp_n_root(const mp_int *a, mp_digit b, mp_int *c) MP_WUR;
MP_DEPRECATED(mp_root_n)
mp_err mp_n_root_ex(const mp_int *a, mp_digit b, mp_int *c, int fast) MP_WUR;
MP_DEPRECATED(mp_kronecker) mp_err mp_jacobi(const mp_int *a, const mp_int *n, int *c) MP_WUR;
MP_DEPRECATED(mp_prime_is_prime)
mp_err mp_prime_is_divisible(const mp_int *a, mp_bool *result) MP_WUR;
MP_DEPRECATED(mp_prime_rand)
mp_err mp_prime_random_ex(mp_int *a, int t, int size, int flags, private_mp_prime_callback cb,
                          void *dat) MP_WUR;
#define mp_prime_random(a, t, size, bbs, cb, dat) \
    mp_prime_random_ex((a), (t), ((size) * 8) + 1, ((bbs) == 1) ? MP_PRIME_BBS : 0, (cb), (dat))
MP_DEPRECATED(mp_ubin_size) int mp_unsigned_bin_size(const mp_int *a) MP_WUR;
MP_DEPRECATED(mp_from_ubin)
mp_err mp_read_unsigned_bin(mp_int *a, const unsigned char *b, int c) MP_WUR;
MP_DEPRECATED(mp_to_ubin) mp_err mp_to_unsigned_bin(const mp_int *a, unsigned char *b) MP_WUR;
MP_DEPRECATED(mp_to_ubin)
mp_err mp_to_unsigned_bin_n(const mp_int *a, unsigned char *b, unsigned long *outlen) MP_WUR;
MP_DEPRECATED(mp_sbin_size) int mp_signed_bin_size(const mp_int *a) MP_WUR;
MP_DEPRECATED(mp_from_sbin)
mp_err mp_read_signed_bin(mp_int *a, const unsigned char *b, int c) MP_WUR;
MP_DEPRECATED(mp_to_sbin) mp_err mp_to_signed_bin(const mp_int *a, unsigned char *b) MP_WUR;
MP_DEPRECATED(mp_to_sbin)
mp_err mp_to_signed_bin_n(const mp_int *a, unsigned char *b, unsigned long *outlen) MP_WUR;
MP_DEPRECATED(mp_to_radix) mp_err mp_toradix(const mp_int *a, char *str, int radix) MP_WUR;
MP_DEPRECATED(mp_to_radix)
mp_err mp_toradix_n(const mp_int *a, char *str, int radix, int maxlen) MP_WUR;

#define mp_read_raw(mp, str, len) mp_read_signed_bin((mp), (str), (len))
#define mp_raw_size(mp)           mp_signed_bin_size(mp)
#define mp_toraw(mp, str)         mp_to_signed_bin((mp), (str))
#define mp_read_mag(mp, str, len) mp_read_unsigned_bin((mp), (str), (len))
#define mp_mag_size(mp)           mp_unsigned_bin_size(mp)
#define mp_tomag(mp, str)         mp_to_unsigned_bin((mp), (str))
#define mp_tobinary(M, S)         mp_toradix((M), (S), 2)
#define mp_tooctal(M, S)          mp_toradix((M), (S), 8)
#define mp_todecimal(M, S)        mp_toradix((M), (S), 10)
#define mp_tohex(M, S)            mp_toradix((M), (S), 16)

#if defined(__GNUC__)
#  pragma GCC visibility pop
#endif
#if defined(__cplusplus)
}
#endif
#endif
