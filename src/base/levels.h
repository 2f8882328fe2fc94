/* The levels: named instruction sets that a tier may be written for. Everything about a level is
 * defined here, once:
 *
 *   TY_LEVELS          the levels of this machine, weakest first
 *   TY_NEED_<level>    the features that a CPU must have to run its code
 *   TY_TARGET_<level>  what the compiler may use there: never more than the need
 *                      (tools/levels.py compares the two)
 *
 * A level is a set of features that real CPUs have together. A tier that uses fewer of them still
 * requires all, so that no family states a mask of its own; an unusual CPU then runs a lower tier.
 *
 * A tier file names its level once:
 *
 *   #define TY_LEVEL avx2
 *   #include "base/level_begin.h"     the compiler's target; TY_K(sm3_step) is ty_sm3_step_avx2
 *   ...
 *   const ty_sm3_ops ty_sm3_ops_avx2 = { ... };
 *   #include "base/level_end.h"
 *
 * A family's header lists its tiers once, weakest first, those of each machine in its TY_ON_ macro:
 *
 *   #define TY_SM3_TIERS(X)  X(sm3, c) TY_ON_X86_64(X(sm3, avx2)) TY_ON_ARM64(X(sm3, armce))
 *   TY_FAMILY(sm3, TY_SM3_TIERS)      declares ty_sm3_ops_<level> and ty_sm3_tiers[],
 *                                     and defines ty_sm3_best()
 *
 * and one of its .c files has TY_FAMILY_ROWS(sm3, TY_SM3_TIERS), which defines ty_sm3_tiers[].
 * A level that does not exist and a list that is not weakest first do not compile; a tier without
 * a file does not link. */
#ifndef TY_BASE_LEVELS_H
#define TY_BASE_LEVELS_H

#include "base/cpu.h"

/* --- Machines: each macro keeps or drops what is in it --------------------------------------- */

#if defined(__SIZEOF_INT128__)
#  define TY_ON_WORD64(...) __VA_ARGS__
#else
#  define TY_ON_WORD64(...)
#endif
#if defined(__x86_64__)
#  define TY_ON_X86_64(...) __VA_ARGS__
#else
#  define TY_ON_X86_64(...)
#endif
#if defined(TY_HAS_ADX)   /* x86-64 in a build that can hold asm statements with many operands */
#  define TY_ON_ADX(...)    __VA_ARGS__
#else
#  define TY_ON_ADX(...)
#endif
#if defined(TY_AARCH64)
#  define TY_ON_ARM64(...)  __VA_ARGS__
#else
#  define TY_ON_ARM64(...)
#endif
#if defined(TY_ARM_DSP)
#  define TY_ON_ARM_DSP(...) __VA_ARGS__
#else
#  define TY_ON_ARM_DSP(...)
#endif
/* tiers that are fast because they are unrolled (ML-DSA's arithmetic, Keccak): -DTY_SMALL omits
 * them */
#if defined(TY_ARM_DSP) && !defined(TY_SMALL)
#  define TY_ON_ARM_DSP_LONG(...) __VA_ARGS__
#else
#  define TY_ON_ARM_DSP_LONG(...)
#endif

/* GCC for Windows assumes that it can align the stack to 32 or 64 bytes, which is not so there:
 * without the option, vectors on the stack are stored by instructions that fault at unaligned
 * addresses. */
#if defined(__MINGW32__) && defined(__x86_64__) && !defined(__clang__) && \
    !defined(TY_UNALIGNED_VECTOR_MOVE) && !defined(TY_TIER)
#  error "GCC for Windows: add -Wa,-muse-unaligned-vector-move -DTY_UNALIGNED_VECTOR_MOVE"
#endif

/* --- Levels ----------------------------------------------------------------------------------- */

#define TY_LEVELS(X)                                                                               \
    X(c) TY_ON_WORD64(X(c64))                                                                      \
    TY_ON_X86_64(X(aesni) X(avx2) X(adx) X(vaes) X(gfni) X(avx512) X(gfni512) X(clmul512))         \
    TY_ON_ARM64(X(neon) X(armce) X(armsha3) X(armsm))                                              \
    TY_ON_ARM_DSP(X(m4))

#define TY_NEED_c             TY_CPU_C  /* 32-bit words, nothing but C */
#if defined(__SIZEOF_INT128__)
#  define TY_NEED_c64         (TY_NEED_c | TY_CPU_WORD64)  /* 64-bit words, nothing but C */
#endif
#if defined(__x86_64__)
#  define TY_NEED_aesni (TY_NEED_c64 | TY_CPU_SSE41 | TY_CPU_AES | TY_CPU_CLMUL)  /* Westmere */
#  define TY_TARGET_aesni     "sse4.1,aes,pclmul"
#  define TY_NEED_avx2 (TY_NEED_aesni | TY_CPU_AVX2 | TY_CPU_BMI2 | TY_CPU_FMA)  /* Haswell */
#  define TY_TARGET_avx2      TY_TARGET_aesni ",avx2,bmi,bmi2,popcnt,fma"
#  define TY_NEED_adx         (TY_NEED_avx2 | TY_CPU_ADX)  /* Broadwell, Zen */
#  define TY_TARGET_adx       TY_TARGET_avx2 ",adx"
#  define TY_NEED_vaes (TY_NEED_adx | TY_CPU_VAES | TY_CPU_VCLMUL | TY_CPU_SHA256)  /* Zen 3 */
#  define TY_TARGET_vaes      TY_TARGET_adx ",vaes,vpclmulqdq,sha"
#  define TY_NEED_gfni        (TY_NEED_vaes | TY_CPU_GFNI)  /* Alder Lake */
#  define TY_TARGET_gfni      TY_TARGET_vaes ",gfni"
#  define TY_NEED_avx512      (TY_NEED_adx | TY_CPU_AVX512)  /* Skylake-X, Cascade Lake */
#  define TY_TARGET_avx512    TY_TARGET_adx ",avx512f,avx512bw,avx512dq,avx512vl"
#  define TY_NEED_gfni512     (TY_NEED_gfni | TY_CPU_AVX512 | TY_CPU_IFMA)  /* Ice Lake, Zen 4 */
#    define TY_TARGET_gfni512                                                                      \
        TY_TARGET_gfni ",avx512f,avx512bw,avx512dq,avx512vl,avx512ifma,avx512vbmi"
/* Ice Lake and later CPUs of Intel */
#  define TY_NEED_clmul512    (TY_NEED_gfni512 | TY_CPU_VBMI2 | TY_CPU_CLMUL512)
#  define TY_TARGET_clmul512  TY_TARGET_gfni512 ",avx512vbmi2"
#endif
#if defined(TY_AARCH64)
#  define TY_NEED_neon        (TY_NEED_c64 | TY_CPU_ASIMD)  /* all of ARMv8.0 */
#  define TY_TARGET_neon      "+simd"
#  define TY_NEED_armce       (TY_NEED_neon | TY_CPU_AES | TY_CPU_CLMUL | TY_CPU_SHA256)
#  define TY_TARGET_armce     "+crypto"                            /* the Cryptography Extension */
#  define TY_NEED_armsha3     (TY_NEED_armce | TY_CPU_SHA3)  /* Apple M1, Neoverse V1 */
#  define TY_TARGET_armsha3   "arch=armv8.2-a+crypto+sha3"
#  define TY_NEED_armsm       (TY_NEED_armce | TY_CPU_SM3 | TY_CPU_SM4)    /* some servers */
#  define TY_TARGET_armsm     "arch=armv8.2-a+crypto+sm4"
#endif

#if defined(TY_ARM_DSP)
#  define TY_NEED_m4          (TY_NEED_c | TY_CPU_DSP)  /* ARMv7E-M's integer instructions */
#endif

#define TY_NEED(level)        TY_CAT(TY_NEED_, level)

#if defined(__cplusplus)
#  define TY_ASSERT static_assert
#else
#  define TY_ASSERT _Static_assert
#endif

/* A microcontroller cannot detect its features, so its level is fixed at build time even
 * without -DTY_TIER: packages for build systems without flags of their own need no option. */
#if !defined(TY_TIER) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#  if defined(TY_ARM_DSP)
#    define TY_TIER m4
#  else
#    define TY_TIER c
#  endif
#endif

/* A name that is not a level has no TY_NEED_, which #if reads as 0. */
#if defined(TY_TIER)
#  define TY_WANTS_DSP_m4 1
#  if TY_CAT(TY_WANTS_DSP_, TY_TIER) && !defined(TY_ARM_DSP)
#    if defined(__ARM_ARCH_6M__)
#      error "-DTY_TIER=m4: this Cortex-M0, M0+ or M1 has no DSP instructions: use -DTY_TIER=c"
#    elif defined(__ARM_ARCH_7M__)
#      error "-DTY_TIER=m4: this core, a Cortex-M3, has no DSP instructions: use -DTY_TIER=c"
#    elif defined(__ARM_ARCH_8M_BASE__)
#      error "-DTY_TIER=m4: this core, a Cortex-M23, has no DSP instructions: use -DTY_TIER=c"
#    elif defined(__ARM_ARCH_8M_MAIN__)
#      error "-DTY_TIER=m4: this ARMv8-M core is built without DSP: add +dsp, or use -DTY_TIER=c"
#    else
#      error "-DTY_TIER=m4 is for little-endian ARM with Thumb-2 and DSP: use -DTY_TIER=c"
#    endif
#    undef TY_TIER
#    define TY_TIER c
#  endif
#  if !TY_NEED(TY_TIER)
#    define TY_NAME_(level) " " #level
TY_ASSERT(0, "TY_TIER is not a level of this machine; its levels are:" TY_LEVELS(TY_NAME_));
#    undef TY_TIER
#    define TY_TIER c   /* one error is enough */
#  endif
#endif

#define TY_RANK_(level) TY_RANK_##level,
enum { TY_LEVELS(TY_RANK_) TY_LEVEL_COUNT };
#undef TY_RANK_

/* An ops struct names each of its kernels, and NULL for one that the tier does not have: a list
 * that ends early is an error. */
#if !defined(__cplusplus)
#  pragma GCC diagnostic error "-Wmissing-field-initializers"
#endif

/* --- Families --------------------------------------------------------------------------------- */

/* -1 < rank of c && rank of c < rank of aesni && ... < TY_LEVEL_COUNT */
#define TY_ASCENDS_(family, level) < (int)TY_RANK_##level && (int)TY_RANK_##level
#define TY_ASCENDS(TIERS) \
    TY_ASSERT(-1 TIERS(TY_ASCENDS_) < (int)TY_LEVEL_COUNT, "tiers: weakest first")

#define TY_OPS_(family, level)     extern const ty_##family##_ops ty_##family##_ops_##level;
#define TY_FAMILY(family, TIERS)                                                                  \
    TIERS(TY_OPS_)                                                                                \
    extern const ty_tier ty_##family##_tiers[];                                                   \
    TY_ASCENDS(TIERS);                                                                            \
    static inline const ty_##family##_ops *ty_##family##_best(void) { TY_BEST(family, TIERS); }

/* Where TY_TIER names the level that the CPU is known to have, only the strongest row not above it
 * is referred to, so that the linker drops every other one. Its rank is the highest bit of
 * ty_<family>_ranks, whose name contains the family's, so that two families may be in one unit.
 * Without TY_TIER the choice is inlined, because a call and a loop take as long as a product of
 * four limbs. */
#if defined(TY_TIER)
#  define TY_FITS_(family, level) \
       | ((TY_NEED_##level & ~TY_NEED(TY_TIER)) == 0 ? 1u << TY_RANK_##level : 0u)
#  define TY_FITS(family, TIERS)       enum { ty_##family##_ranks = 0u TIERS(TY_FITS_) }
#  define TY_IS_BEST_(family, level)   (ty_##family##_ranks >> TY_RANK_##level == 1)
#  define TY_BEST_(family, level) \
       if (TY_IS_BEST_(family, level)) return &ty_##family##_ops_##level;
#  define TY_BEST(family, TIERS)       TY_FITS(family, TIERS); TIERS(TY_BEST_) return NULL
#  define TY_ROW_(family, level) \
       { #level, TY_NEED_##level, TY_IS_BEST_(family, level) ? &ty_##family##_ops_##level : NULL },
#else
#  define TY_FITS(family, TIERS)   TY_ASCENDS(TIERS)
/* A unit without optimisation may see a shorter list than the library has: TY_ON_ADX. */
#  if defined(__OPTIMIZE__)
#    define TY_BEST_(family, level) \
         best = TY_NEED_##level & lacks ? best : &ty_##family##_ops_##level;
#    define TY_BEST(family, TIERS)                                                                \
         const ty_cpu lacks = ~ty_cpu_have();                                                     \
         const ty_##family##_ops *best = &ty_##family##_ops_c;                                    \
         TIERS(TY_BEST_)                                                                          \
         return best
#  else
#    define TY_BEST(family, TIERS) \
         return (const ty_##family##_ops *)ty_tier_best(ty_##family##_tiers)
#  endif
#  define TY_ROW_(family, level)   { #level, TY_NEED_##level, &ty_##family##_ops_##level },
#endif
/* The ops that an object holds. Where TY_TIER fixes the tier they are known to the compiler, and
 * calls of their kernels are direct. */
#if defined(TY_TIER)
#  define TY_HELD(family, ops)         ((void)(ops), ty_##family##_best())
#else
#  define TY_HELD(family, ops)         (ops)
#endif
#define TY_FAMILY_ROWS(family, TIERS)                                                             \
    TY_FITS(family, TIERS);                                                                       \
    const ty_tier ty_##family##_tiers[] = { TIERS(TY_ROW_) { 0, 0, 0 } }

#endif
