/* What the CPU can do, found out once, and how a family's tier is chosen from it. */
#ifndef TY_BASE_CPU_H
#define TY_BASE_CPU_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t ty_cpu;

/* AArch64 has tiers of its own where it runs little-endian and the compiler's arm_neon.h offers instructions to single
 * functions. Clang learnt that in version 16; before, as on big-endian machines, the portable tiers do the work. */
#if defined(__aarch64__) && defined(__AARCH64EL__) && (!defined(__clang__) || __clang_major__ >= 16)
#  define TY_AARCH64 1
#endif

enum {
    TY_CPU_WORD64 = 1u << 0,   /* 64-bit words with a 64x64 -> 128 product: a fact of the build */
    TY_CPU_SSE41  = 1u << 1,   /* with SSSE3 */
    TY_CPU_AES    = 1u << 2,   /* a round of AES; AArch64: with ASIMD */
    TY_CPU_CLMUL  = 1u << 3,   /* the carry-less product 64x64 -> 128 */
    TY_CPU_AVX2   = 1u << 4,   /* and the OS saves ymm registers */
    TY_CPU_BMI2   = 1u << 5,
    TY_CPU_ADX    = 1u << 6,
    TY_CPU_AVX512 = 1u << 7,   /* F, BW, DQ, VL, and the OS saves zmm and opmask registers */
    TY_CPU_GFNI   = 1u << 8,
    TY_CPU_VAES   = 1u << 9,
    TY_CPU_VCLMUL = 1u << 10,
    TY_CPU_IFMA   = 1u << 11,  /* and VBMI: every CPU with one of them has the other */
    TY_CPU_SM3    = 1u << 12,  /* instructions made for SM3, and for SM4 */
    TY_CPU_SM4    = 1u << 13,
    TY_CPU_SHA256 = 1u << 14,  /* instructions made for SHA-256 */
    TY_CPU_FMA    = 1u << 15,  /* fused multiply-add on vectors of doubles */
    TY_CPU_ASIMD  = 1u << 16,  /* AArch64's vectors of 128 bits */
    TY_CPU_SHA3   = 1u << 17,  /* instructions made for SHA-3: sums of three words, sums rotated */
    TY_CPU_KNOWN  = 1u << 30   /* the word has been filled in (ISO C wants enumerators to fit an int) */
};

/* Tiers made of asm statements with many operands: not where registers are kept for a debugger, nor under
 * MemorySanitizer, which cannot see into them. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(TY_CT_MSAN)
#  define TY_HAS_ADX
#endif

/* A row of a family's tier list, weakest first, closed by a row whose name is NULL. */
typedef struct ty_tier {
    const char *name;   /* one of the levels in cpu.c */
    ty_cpu need;
    const void *ops;
} ty_tier;

/* ty_cpu_have: detected features under the present limit. In line, one relaxed load after the first call: a call would be a tenth of
 * a short operation.   ty_cpu_look: finds them out for ty_cpu_word, which has TY_CPU_KNOWN then, and returns that */
extern ty_cpu ty_cpu_word;
ty_cpu ty_cpu_look(void);
static inline ty_cpu ty_cpu_have(void)
{
    const ty_cpu f = __atomic_load_n(&ty_cpu_word, __ATOMIC_RELAXED);
    return (f & TY_CPU_KNOWN ? f : ty_cpu_look()) & ~(ty_cpu)TY_CPU_KNOWN;
}

/* ty_cpu_assume: pretend the CPU has exactly these features; 0 goes back to what was detected.
 * For tests that run missing instructions in an emulator. */
void ty_cpu_assume(ty_cpu features);

/* ty_tier_best: ops of the last row whose needs are met. The first row must need nothing. */
const void *ty_tier_best(const ty_tier *tiers);

#define TY_CAT_(a, b) a##b
#define TY_CAT(a, b)  TY_CAT_(a, b)
#define TY_TEXT_(x)   #x
#define TY_TEXT(x)    TY_TEXT_(x)

#endif
