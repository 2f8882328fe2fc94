/* The CPU's features, detected once, and the choice of a family's tier by them. */
#ifndef TY_BASE_CPU_H
#define TY_BASE_CPU_H

/* 32-bit ARM with Thumb-2 and the DSP instructions, little-endian: Cortex-M4, M7, M33 with DSP,
 * and ARMv7-A. The compiler's options decide, because a Cortex-M cannot detect its features. */
#if !defined(__aarch64__) && defined(__ARMEL__) && defined(__ARM_FEATURE_DSP) && \
    defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB >= 2
#  define TY_ARM_DSP 1
#endif

#if !defined(__ASSEMBLER__)
#include <stddef.h>
#include <stdint.h>

typedef uint32_t ty_cpu;

/* AArch64 has tiers of its own where it is little-endian and the compiler's arm_neon.h offers
 * instructions to single functions. Clang does so from version 16 on; before that, and on
 * big-endian machines, only the portable tiers are built. */
#if defined(__aarch64__) && defined(__AARCH64EL__) && (!defined(__clang__) || __clang_major__ >= 16)
#  define TY_AARCH64 1
#endif

/* Features. They are macros because base/levels.h asks the preprocessor if a level has any. */
#define TY_CPU_C      (1u << 0)    /* plain C: missing only in a set that is not yet detected */
#define TY_CPU_WORD64 (1u << 1)    /* 64-bit words, 64x64 -> 128 product: as the compiler says */
#define TY_CPU_SSE41  (1u << 2)    /* with SSSE3 */
#define TY_CPU_AES    (1u << 3)    /* a round of AES; AArch64: with ASIMD */
#define TY_CPU_CLMUL  (1u << 4)    /* the carry-less product 64x64 -> 128 */
#define TY_CPU_AVX2   (1u << 5)    /* and the OS saves ymm registers; with POPCNT */
#define TY_CPU_BMI2   (1u << 6)    /* and BMI1 */
#define TY_CPU_ADX    (1u << 7)
#define TY_CPU_AVX512 (1u << 8)    /* F, BW, DQ, VL, and the OS saves zmm and opmask registers */
#define TY_CPU_GFNI   (1u << 9)
#define TY_CPU_VAES   (1u << 10)
#define TY_CPU_VCLMUL (1u << 11)
#define TY_CPU_IFMA   (1u << 12)   /* and VBMI: every CPU with one of them has the other */
#define TY_CPU_SM3    (1u << 13)   /* instructions made for SM3, and for SM4 */
#define TY_CPU_SM4    (1u << 14)
#define TY_CPU_SHA256 (1u << 15)   /* instructions made for SHA-256 */
#define TY_CPU_FMA    (1u << 16)   /* fused multiply-add on vectors of doubles */
#define TY_CPU_ASIMD  (1u << 17)   /* AArch64's vectors of 128 bits */
#define TY_CPU_SHA3   (1u << 18)   /* instructions made for SHA-3 */
#define TY_CPU_DSP    (1u << 19)   /* TY_ARM_DSP: as the compiler's options say */
#define TY_CPU_VBMI2  (1u << 20)
#define TY_CPU_CLMUL512 (1u << 21) /* a carry-less product of 512 bits every cycle: Intel's CPUs */

/* Tiers with asm statements of many operands: not in builds for a debugger, which keep registers
 * for themselves, nor under MemorySanitizer, which cannot see into such statements. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(TY_CT_MSAN)
#  define TY_HAS_ADX
#endif

/* Before the prototype of a function in assembly that takes or returns vectors or structures: they
 * are passed as in the System V ABI (base/asm_x86_64.h). */
#if defined(_WIN32) && defined(__x86_64__)
#  define TY_SYSV __attribute__((sysv_abi))
#else
#  define TY_SYSV
#endif

/* A row of a family's tier list, weakest first, which ends with a row whose name is NULL. */
typedef struct ty_tier {
    const char *name;   /* its level */
    ty_cpu need;        /* the features of that level */
    const void *ops;    /* NULL: not in this build, see TY_TIER */
} ty_tier;

/* ty_cpu_have: the detected features under the current limit. Inline, with one relaxed load after
 * the first call, because a call would be a tenth of a short operation.
 * ty_cpu_look: detects them, fills in ty_cpu_word and returns it. */
extern ty_cpu ty_cpu_word;
ty_cpu ty_cpu_look(void);
static inline ty_cpu ty_cpu_have(void)
{
    const ty_cpu f = __atomic_load_n(&ty_cpu_word, __ATOMIC_RELAXED);
    return f & TY_CPU_C ? f : ty_cpu_look();
}

/* ty_cpu_assume: pretend that the CPU has exactly these features; 0 restores detection. For tests
 * that run missing instructions in an emulator. */
void ty_cpu_assume(ty_cpu features);

/* ty_tier_best: the ops of the last row that is in this build and whose needs are met. The first
 * row must need TY_CPU_C alone.
 * ty_tier_runs: 1 if the row is in this build and the CPU meets it. */
const void *ty_tier_best(const ty_tier *tiers);
static inline int ty_tier_runs(const ty_tier *row)
{
    return row->ops && !(row->need & ~ty_cpu_have());
}

#define TY_CAT_(a, b) a##b
#define TY_CAT(a, b)  TY_CAT_(a, b)
#define TY_TEXT_(x)   #x
#define TY_TEXT(x)    TY_TEXT_(x)

#endif /* __ASSEMBLER__ */
#endif
