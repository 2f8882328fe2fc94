/* 256-bit integers in limbs of TY_LIMB_BITS (32 or 64), least significant limb first: one source
 * for both word sizes.
 *
 * A unit chooses the word size once:
 *     #define TY_LIMB_BITS 64
 *     #include "limb/limb256.h"
 * Include "base/bytes.h", "base/ct.h" and <string.h> before it. C11 and C++17: tests include both
 * word sizes in one unit (tests/limb/words_again.h).
 *
 * All functions take constant time. z may alias x or y unless the comment says otherwise. */
#ifndef TY_LIMB_LIMB256_H
#define TY_LIMB_LIMB256_H

#include "base/unroll.h"
#include "limb/limb1.h"

#define TY_LIMBS (256 / TY_LIMB_BITS)

/* A 64-bit constant as limbs in an initialiser: TY_W64(high 32 bits, low 32 bits). */
#if TY_LIMB_BITS == 64
#  define TY_W64(hi, lo) ((uint64_t)(hi) << 32 | (lo))
#else
#  define TY_W64(hi, lo) (lo), (hi)
#endif

/* Replaces the TY_UNROLL of unroll.h: GCC leaves loops of four and eight limbs rolled at -O2, which
 * costs half the speed; Clang unrolls them by itself. On a Cortex-M4, where the critical products
 * are in assembly, -Os means the shortest code. */
#undef TY_UNROLL
#if defined(__clang__) || !defined(__GNUC__) || (defined(TY_LIMB_M4) && defined(__OPTIMIZE_SIZE__))
#  define TY_UNROLL
#else
#  define TY_UNROLL _Pragma("GCC unroll 8")
#endif

/* A field product is inlined where code memory is plentiful; with 32-bit limbs it is eight times as
 * long, and a call is worth its cost. */
#if TY_LIMB_BITS == 64
#  define TY_PRODUCT static inline
#else
#  define TY_PRODUCT __attribute__((noinline, unused)) static
#endif

/* --- 256 bits --------------------------------------------------------------------------------- */

/* z = x + y mod 2^256; returns the carry */
static inline ty_limb ty_limb256_add(ty_limb *z, const ty_limb *x, const ty_limb *y)
{
    ty_limb c = 0;
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) z[i] = ty_limb_adc(x[i], y[i], &c);
    return c;
}

/* z = x - y mod 2^256; returns the borrow */
static inline ty_limb ty_limb256_sub(ty_limb *z, const ty_limb *x, const ty_limb *y)
{
    ty_limb b = 0;
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) z[i] = ty_limb_sbb(x[i], y[i], &b);
    return b;
}

/* z = mask ? x : y, for mask all ones or zero */
static inline void ty_limb256_sel(ty_limb *z, ty_limb mask, const ty_limb *x, const ty_limb *y)
{
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) z[i] = y[i] ^ (mask & (x[i] ^ y[i]));
}

/* all ones if x == 0, else zero */
static inline ty_limb ty_limb256_iszero(const ty_limb *x)
{
    ty_limb any = 0;
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) any |= x[i];
    /* the top bit of ~any & (any - 1) is set for zero alone */
    return ty_limb_mask((~any & (any - 1)) >> (TY_LIMB_BITS - 1));
}

/* z = (top:x) mod m, for (top:x) < 2m: subtract m, and take the difference unless it went below
 * zero. */
static inline void ty_limb256_canon(ty_limb *z, ty_limb top, const ty_limb *x, const ty_limb *m)
{
    ty_limb d[TY_LIMBS], b = ty_limb256_sub(d, x, m);
    (void)ty_limb_sbb(top, 0, &b);   /* the borrow survives only if top was 0 */
    ty_limb256_sel(z, ty_limb_mask(b), x, d);
}

/* z = x + y mod m, for x, y < m */
static inline void ty_limb256_addmod(ty_limb *z, const ty_limb *x, const ty_limb *y,
                                     const ty_limb *m)
{
    ty_limb s[TY_LIMBS];
    const ty_limb c = ty_limb256_add(s, x, y);
    ty_limb256_canon(z, c, s, m);
}

/* z = x - y mod m, for x, y < m: a borrow means -m < x - y < 0, so m is added once; its carry
 * cancels the borrow. */
static inline void ty_limb256_submod(ty_limb *z, const ty_limb *x, const ty_limb *y,
                                     const ty_limb *m)
{
    ty_limb d[TY_LIMBS], k[TY_LIMBS];
    const ty_limb mask = ty_limb_mask(ty_limb256_sub(d, x, y));
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) k[i] = m[i] & mask;
    (void)ty_limb256_add(z, d, k);
}

/* z = xy, the whole product: row by row.  z[2 TY_LIMBS] may not alias x or y */
static inline void ty_limb256_mul(ty_limb *z, const ty_limb *x, const ty_limb *y)
{
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) z[i] = 0;
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) {
        ty_limb c = 0;
        TY_UNROLL for (int j = 0; j < TY_LIMBS; j++)
            z[i + j] = ty_limb_mac(z[i + j], x[j], y[i], &c);
        z[i + TY_LIMBS] = c;
    }
}

/* z = x^2: the sum of the products of limbs i < j, doubled by a shift, plus the squares of the
 * limbs. That sum is at most x^2/2 < 2^511, so the shift loses nothing.  z[2 TY_LIMBS] may not
 * alias x */
static inline void ty_limb256_sqr(ty_limb *z, const ty_limb *x)
{
    ty_limb c = 0, over = 0;
    TY_UNROLL for (int i = 0; i < 2 * TY_LIMBS; i++) z[i] = 0;
    TY_UNROLL for (int i = 0; i < TY_LIMBS - 1; i++) {
        c = 0;
        TY_UNROLL for (int j = i + 1; j < TY_LIMBS; j++)
            z[i + j] = ty_limb_mac(z[i + j], x[j], x[i], &c);
        z[i + TY_LIMBS] = c;
    }
    c = 0;
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) {
        const ty_limb lo = z[2 * i], hi = z[2 * i + 1];
        const ty_limb2 sq = ty_limb_product(x[i], x[i]);
        z[2 * i] = ty_limb_adc((ty_limb)(lo << 1 | over), (ty_limb)sq, &c);
        z[2 * i + 1] = ty_limb_adc((ty_limb)(hi << 1 | lo >> (TY_LIMB_BITS - 1)),
                                   (ty_limb)(sq >> TY_LIMB_BITS), &c);
        over = hi >> (TY_LIMB_BITS - 1);
    }
}

/* z = t/2^256 mod m (Montgomery), for t < 2^256 m and m0inv = -1/m mod 2^TY_LIMB_BITS. Each step
 * adds the multiple of m that clears the lowest limb. All steps together compute (t + Mm)/2^256
 * with M < 2^256, which is below 2m, so one subtraction makes it canonical. t[2 TY_LIMBS] is
 * destroyed.  z may alias m */
static inline void ty_limb256_redc(ty_limb *z, ty_limb *t, const ty_limb *m, ty_limb m0inv)
{
    ty_limb top = 0;   /* the carry out of t[i + TY_LIMBS], due in the next step's top limb */
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) {
        const ty_limb digit = (ty_limb)(t[i] * m0inv);
        ty_limb c = 0;
        TY_UNROLL for (int j = 0; j < TY_LIMBS; j++)
            t[i + j] = ty_limb_mac(t[i + j], digit, m[j], &c);
        t[i + TY_LIMBS] = ty_limb_adc(t[i + TY_LIMBS], c, &top);
    }
    ty_limb256_canon(z, top, t + TY_LIMBS, m);
}

/* --- Bytes, big-endian as in the standards of SM2 --------------------------------------------- */

static inline void ty_limb256_set(ty_limb *z, const uint8_t in[TY_AT_LEAST(32)])
{
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) {
#if TY_LIMB_BITS == 64
        z[i] = ty_get64be(in + 24 - 8 * i);
#else
        z[i] = ty_get32be(in + 28 - 4 * i);
#endif
    }
}

static inline void ty_limb256_get(uint8_t out[TY_AT_LEAST(32)], const ty_limb *x)
{
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) {
#if TY_LIMB_BITS == 64
        ty_put64be(out + 24 - 8 * i, x[i]);
#else
        ty_put32be(out + 28 - 4 * i, x[i]);
#endif
    }
}

/* ty_limb256_inv, where there is one */
#if TY_LIMB_BITS == 64
#  define TY_LIMB256_INV
#  include "limb/divstep64.h"
#elif defined(TY_LIMB_M4)
#  define TY_LIMB256_INV
#  include "limb/divstep32_m4.h"
#endif

#endif
