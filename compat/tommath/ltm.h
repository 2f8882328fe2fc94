/* Declarations that the files of the LibTomMath interface share. An mp_int holds digits of 60 bits
 * (28 where limbs have 32), as programs that access its fields expect. Linear operations work on
 * the digits; longer products, division and what uses them work on limbs, into which digits are
 * repacked in one pass.
 *
 * Names: mp_ is LibTomMath's, ltm_ ours and never exported. n counts digits, and is below 2^31 as
 * `used` and `alloc` are. */
#ifndef LTM_H
#define LTM_H

#include "mp/mp_internal.h"
#include "tongyu/compat/tommath.h"

#include <string.h>

#define LTM_BITS  MP_DIGIT_BIT
#define LTM_SPARE (TY_LIMB_BITS - LTM_BITS)   /* 4 */
#if LTM_BITS + 4 != TY_LIMB_BITS
#  error "digits are 4 bits shorter than limbs"
#endif

/* before a loop over digits: four at a time */
#if defined(__clang__)
#  define LTM_UNROLL _Pragma("clang loop unroll_count(4)")
#else
#  define LTM_UNROLL _Pragma("GCC unroll 4")
#endif

typedef ty_limb2 ltm_word;   /* holds 256 products of digits */

#define LTM_TRY(call) do { const mp_err e_ = (call); if (e_ != MP_OKAY) return e_; } while (0)

/* --- Memory ----------------------------------------------------------------------------------- */

/* The allocator of digits, limbs and texts; NULL: malloc and free. Tests replace it. */
extern const ty_alloc *ltm_alloc;
void *ltm_take(size_t bytes);
void ltm_give(void *p, size_t bytes);   /* wiped */
mp_err ltm_err(ty_err e);

/* A vector of the digits in 16 bytes, at any address: operations without carries process that many
 * at once. */
#if defined(__GNUC__) && !defined(__clang__)
/* GCC warns that calls with and without SSE pass such vectors differently: all are inlined. */
#  pragma GCC diagnostic ignored "-Wpsabi"
#endif
typedef mp_digit ltm_digits __attribute__((vector_size(16)));
enum { LTM_LANES = 16 / sizeof(mp_digit) };

static inline ltm_digits ltm_load(const mp_digit *x)
{
    ltm_digits v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline void ltm_store(mp_digit *z, ltm_digits v) { memcpy(z, &v, sizeof v); }

/* z = x for one digit. Wide loads and stores at different offsets defeat store forwarding: so
 * digits are moved one by one, and the compiler must not turn a loop of these into a memcpy */
static inline void ltm_move(mp_digit *z, const mp_digit *x)
{
    mp_digit t = *x;
    __asm__("" : "+r"(t));
    *z = t;
}

/* z[n] = x, faster than a call of memcpy for a few digits. z may begin below x */
static inline void ltm_copy(mp_digit *z, const mp_digit *x, size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        ltm_move(z + i, x + i);
        ltm_move(z + i + 1, x + i + 1);
        ltm_move(z + i + 2, x + i + 2);
        ltm_move(z + i + 3, x + i + 3);
    }
    for (; i < n; i++) ltm_move(z + i, x + i);
}

/* reallocates `a` for n >= a->used digits. MP_MEM also if n exceeds INT_MAX */
mp_err ltm_settle(mp_int *a, size_t n);
/* room for n digits */
static inline mp_err ltm_room(mp_int *a, size_t n)
{
    return n <= (size_t)a->alloc ? MP_OKAY : ltm_settle(a, n);
}

/* z[n] = 0; usually for few digits, for which a call of memset takes longer */
static inline void ltm_zero(mp_digit *z, size_t n)
{
    for (; n > 64; n--) z[n - 1] = 0;
    for (size_t i = 0; i < n; i++) {
        z[i] = 0;
        __asm__("" ::: "memory");
    }
}

/* zeroes the digits in use above n */
static inline void ltm_clear_above(mp_int *a, size_t n)
{
    if ((size_t)a->used > n) ltm_zero(a->dp + n, (size_t)a->used - n);
}

/* a's value is its n lowest digits, leading zeros removed */
static inline void ltm_fit(mp_int *a, size_t n, mp_sign sign)
{
    ltm_clear_above(a, n);
    while (n && a->dp[n - 1] == 0) n--;
    a->used = (int)n;
    a->sign = n ? sign : MP_ZPOS;
}

/* c = |a| with that sign, for an `a` without zeros on top; few digits are copied without a call */
mp_err ltm_assign_long(mp_int *c, const mp_int *a, mp_sign sign);
static inline mp_err ltm_assign(mp_int *c, const mp_int *a, mp_sign sign)
{
    const size_t n = (size_t)a->used;
    if (n > 24 || n > (size_t)c->alloc) return ltm_assign_long(c, a, sign);
    if (a != c) {
        ltm_copy(c->dp, a->dp, n);
        ltm_clear_above(c, n);
    }
    c->used = (int)n;
    c->sign = n ? sign : MP_ZPOS;
    return MP_OKAY;
}

/* --- Digits and limbs ------------------------------------------------------------------------- */

static inline size_t ltm_limbs(int used)
{
    return (size_t)(((uint64_t)used * LTM_BITS + TY_LIMB_BITS - 1) / TY_LIMB_BITS);
}

/* bits of a digit: 0 for 0. Lengths are public */
static inline int ltm_bits(mp_digit d)
{
#if defined(__GNUC__)
    return d ? 64 - __builtin_clzll(d) : 0;
#else
    return (int)ty_limb_bits((ty_limb)d);
#endif
}

/* z[ltm_limbs(n)] = x[n] */
void ltm_pack(ty_limb *z, const mp_digit *x, int n);
/* z[n] = the n lowest digits of x[xn]; limbs above xn count as zero */
void ltm_unpack(mp_digit *z, size_t n, const ty_limb *x, size_t xn);

/* ltm_get: z = a, for a `z` that is not initialised. ltm_put: c = x. */
mp_err ltm_get(ty_mp *z, const mp_int *a);
mp_err ltm_put(mp_int *c, const ty_mp *x);
/* Two outputs at once: both, or none. */
mp_err ltm_put2(mp_int *c, const ty_mp *x, mp_int *d, const ty_mp *y);

/* c = f of up to three integers, computed on limbs: t[1], t[2], t[3] = x, y, m, of which the last
 * ones may be NULL; f computes t[0] from them, which is written to c. */
typedef ty_err ltm_function(ty_mp *t);
mp_err ltm_call(ltm_function *f, mp_int *c, const mp_int *x, const mp_int *y, const mp_int *m);

/* --- Magnitudes ------------------------------------------------------------------------------- */

/* t + x[0] y[0] + x[1] y[-1] + ...: n products of one column */
static inline ltm_word ltm_column(ltm_word t, const mp_digit *x, const mp_digit *y, size_t n)
{
    LTM_UNROLL
    for (size_t i = 0; i < n; i++) t += (ltm_word)x[i] * *(y - i);
    return t;
}

/* c = |a| + |b|, c = |a| - |b| for |a| >= |b|, with that sign */
mp_err ltm_add(const mp_int *a, const mp_int *b, mp_int *c, mp_sign sign);
mp_err ltm_sub(const mp_int *a, const mp_int *b, mp_int *c, mp_sign sign);

/* --- Random bytes from mp_rand_source's function ---------------------------------------------- */

extern const ty_rng ltm_rng;

#endif
