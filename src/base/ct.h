/* Constant-time building blocks: masks are all ones or zero, and a barrier keeps the compiler from
 * turning them back into branches. The poison and declassify hooks are for the constant-time
 * runs. */
#ifndef TY_BASE_CT_H
#define TY_BASE_CT_H

#include <stddef.h>
#include <stdint.h>

#if defined(TY_CT_MSAN)
/* MemorySanitizer reports every poisoned operand of an asm statement, and loses the poison after
 * it, so there is no barrier here. */
static inline uint32_t ty_barrier32(uint32_t x) { return x; }
#else
static inline uint32_t ty_barrier32(uint32_t x) { __asm__("" : "+r"(x)); return x; }
#endif

static inline uint64_t ty_barrier64(uint64_t x)
{
#if defined(TY_CT_MSAN)
    return x;
#elif UINTPTR_MAX > 0xffffffffu
    __asm__("" : "+r"(x));
    return x;
#else
    return (uint64_t)ty_barrier32((uint32_t)(x >> 32)) << 32 | ty_barrier32((uint32_t)x);
#endif
}

/* all ones if bit is 1, zero if it is 0; other values are not allowed */
static inline uint32_t ty_mask_bit32(uint32_t bit) { return ty_barrier32(0 - bit); }
static inline uint64_t ty_mask_bit64(uint64_t bit) { return ty_barrier64(0 - bit); }

/* all ones if x == 0: the top bit of ~x & (x-1) is set for zero alone */
static inline uint32_t ty_mask_zero32(uint32_t x) { return ty_mask_bit32((~x & (x - 1)) >> 31); }
static inline uint64_t ty_mask_zero64(uint64_t x) { return ty_mask_bit64((~x & (x - 1)) >> 63); }

static inline uint32_t ty_mask_eq32(uint32_t x, uint32_t y) { return ty_mask_zero32(x ^ y); }
static inline uint64_t ty_mask_eq64(uint64_t x, uint64_t y) { return ty_mask_zero64(x ^ y); }

/* --- Long products: 32 x 32 -> 64 ------------------------------------------------------------- */

/* On a Cortex-M3 a long multiplication takes 3 to 7 cycles, depending on the operands; MUL, which
 * gives the low word, always takes one. So secrets are multiplied there with products of 16 bits.
 * -DTY_PUBLIC_ONLY builds only verification, which has no secrets and uses long multiplications;
 * the functions for private keys are not built. */
#if defined(__ARM_ARCH_7M__) && !defined(TY_PUBLIC_ONLY)
#  define TY_SHORT_PRODUCTS 1
#endif

#if defined(TY_SHORT_PRODUCTS)
/* x1 x0 times y1 y0: no sum is above (2^16 - 1)^2 + 2 (2^16 - 1) = 2^32 - 1 */
static inline uint64_t ty_mul32(uint32_t x, uint32_t y)
{
    const uint32_t x0 = x & 0xffff, x1 = x >> 16, y0 = y & 0xffff, y1 = y >> 16;
    const uint32_t low = x0 * y0, a = x0 * y1 + (low >> 16), b = x1 * y0 + (a & 0xffff);
    return (uint64_t)(x1 * y1 + (a >> 16) + (b >> 16)) << 32 | (b << 16 | (low & 0xffff));
}
/* A negative factor is 2^32 too large as a word: the excess is subtracted from the upper word. */
static inline int64_t ty_mul32s(int32_t x, int32_t y)
{
    const uint32_t ux = (uint32_t)x, uy = (uint32_t)y;
    const uint32_t over = (uy & (uint32_t)(x >> 31)) + (ux & (uint32_t)(y >> 31));
    return (int64_t)(ty_mul32(ux, uy) - ((uint64_t)over << 32));
}
#else
static inline uint64_t ty_mul32(uint32_t x, uint32_t y) { return (uint64_t)x * y; }
static inline int64_t ty_mul32s(int32_t x, int32_t y) { return (int64_t)x * y; }
#endif

/* --- Selection -------------------------------------------------------------------------------- */

/* mask ? x : y */
static inline uint32_t ty_sel32(uint32_t mask, uint32_t x, uint32_t y)
{
    return y ^ (mask & (x ^ y));
}
static inline uint64_t ty_sel64(uint64_t mask, uint64_t x, uint64_t y)
{
    return y ^ (mask & (x ^ y));
}

/* TY_SECRET marks bytes whose value must not reach a branch or an address; TY_PUBLIC removes the
 * mark at the exact place where a value becomes public, with a comment that says why. They do
 * nothing except in the builds made for the constant-time runs. */
#if defined(TY_CT_MEMCHECK)
#  include <valgrind/memcheck.h>
#  define TY_SECRET(p, n) ((void)VALGRIND_MAKE_MEM_UNDEFINED(p, n))
#  define TY_PUBLIC(p, n) ((void)VALGRIND_MAKE_MEM_DEFINED(p, n))
#elif defined(TY_CT_MSAN)
#  include <sanitizer/msan_interface.h>
#  define TY_SECRET(p, n) __msan_allocated_memory(p, n)
#  define TY_PUBLIC(p, n) __msan_unpoison(p, n)
#else
#  define TY_SECRET(p, n) ((void)(p))
#  define TY_PUBLIC(p, n) ((void)(p))
#endif

#endif
