/* Detection of the CPU's features, and the limit on tiers. */
#include "base/bytes.h"
#include "base/levels.h"
#include "tongyu/base.h"

#include <stdatomic.h>

/* The names for ty_tier_limit and `--tier`: one name limits all families at once. */
static const struct level {
    const char *name;
    ty_cpu need;
} levels[] = {
#define ROW(level) { #level, TY_NEED_##level },
    TY_LEVELS(ROW)
#undef ROW
};

const char *ty_tier_level(size_t i) { return i < TY_LEVEL_COUNT ? levels[i].name : NULL; }

static const struct level *find_level(const char *name)
{
    for (size_t i = 0; i < TY_LEVEL_COUNT; i++)
        if (ty_same_name(levels[i].name, name)) return &levels[i];
    return NULL;
}

#if defined(TY_TIER)
/* The tier is fixed at build time, so the CPU is assumed to have exactly that level. */
static ty_cpu detect(void) { return TY_NEED(TY_TIER); }
#elif defined(__x86_64__)
#include <cpuid.h>

static uint64_t xgetbv0(void)
{
    uint32_t lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (uint64_t)hi << 32 | lo;
}

/* Whether the maker is Intel, in whose CPUs VPCLMULQDQ takes one cycle in every width. On Zen 4 it
 * takes more than two, measured. */
static int intel(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0, &a, &b, &c, &d) && b == 0x756e6547 && d == 0x49656e69 && c == 0x6c65746e;
}

static ty_cpu detect(void)
{
    unsigned a, b, c, d;
    ty_cpu f = TY_CPU_WORD64;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return f;
    const unsigned ssse3 = 1u << 9, fma = 1u << 12, sse41 = 1u << 19, clmul = 1u << 1,
                   aes = 1u << 25, osxsave = 1u << 27;
    if ((c & ssse3) && (c & sse41)) f |= TY_CPU_SSE41;
    if (c & aes) f |= TY_CPU_AES;
    if (c & clmul) f |= TY_CPU_CLMUL;
    /* XCR0: bits 1,2 = xmm, ymm saved; bits 5,6,7 = opmask, zmm0-15 high halves, zmm16-31 saved */
    const uint64_t xcr0 = (c & osxsave) ? xgetbv0() : 0;
    const int ymm = (xcr0 & 0x06) == 0x06, zmm = (xcr0 & 0xe6) == 0xe6;
    if (ymm && (c & fma)) f |= TY_CPU_FMA;
    const int popcnt = (c & (1u << 23)) != 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return f;
    if ((b & (1u << 8)) && (b & (1u << 3))) f |= TY_CPU_BMI2;   /* and BMI1 */
    if (b & (1u << 19)) f |= TY_CPU_ADX;
    if (b & (1u << 29)) f |= TY_CPU_SHA256;
    if (c & (1u << 8)) f |= TY_CPU_GFNI;
    if (ymm && popcnt && (b & (1u << 5))) {
        f |= TY_CPU_AVX2;
        if (c & (1u << 9)) f |= TY_CPU_VAES;
        if (c & (1u << 10)) f |= TY_CPU_VCLMUL;
    }
    const unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;   /* F, DQ, BW, VL */
    if (zmm && (b & avx512) == avx512) {
        f |= TY_CPU_AVX512;
        if ((b & (1u << 21)) && (c & (1u << 1))) f |= TY_CPU_IFMA;
        if (c & (1u << 6)) f |= TY_CPU_VBMI2;
        if ((f & TY_CPU_VCLMUL) && intel()) f |= TY_CPU_CLMUL512;
    }
    return f;
}
#elif defined(TY_AARCH64) && defined(__linux__) && __STDC_HOSTED__
#include <sys/auxv.h>

/* Only the kernel can read the CPU's identification registers; it reports the features that it
 * supports in AT_HWCAP. */
static ty_cpu detect(void)
{
    const unsigned long h = getauxval(AT_HWCAP), asimd = 1ul << 1, aes = 1ul << 3, pmull = 1ul << 4,
                        sha2 = 1ul << 6;
    const unsigned long sha3 = 1ul << 17, sm3 = 1ul << 18, sm4 = 1ul << 19;
    ty_cpu f = TY_CPU_WORD64;
    if (!(h & asimd)) return f;
    f |= TY_CPU_ASIMD;
    if (h & aes) f |= TY_CPU_AES;
    if (h & pmull) f |= TY_CPU_CLMUL;
    if (h & sha2) f |= TY_CPU_SHA256;
    if (h & sha3) f |= TY_CPU_SHA3;
    if (h & sm3) f |= TY_CPU_SM3;
    if (h & sm4) f |= TY_CPU_SM4;
    return f;
}
#elif defined(TY_AARCH64) && defined(__APPLE__)
/* Compilers for Apple's systems enable the features that every machine with such a system has. */
static ty_cpu detect(void)
{
    ty_cpu f = TY_CPU_WORD64 | TY_CPU_ASIMD;
#  if defined(__ARM_FEATURE_AES)
    f |= TY_CPU_AES | TY_CPU_CLMUL;
#  endif
#  if defined(__ARM_FEATURE_SHA2)
    f |= TY_CPU_SHA256;
#  endif
#  if defined(__ARM_FEATURE_SHA3)
    f |= TY_CPU_SHA3;
#  endif
    return f;
}
#elif defined(__SIZEOF_INT128__)
static ty_cpu detect(void) { return TY_CPU_WORD64; }
#elif defined(TY_ARM_DSP)
static ty_cpu detect(void) { return TY_CPU_DSP; }
#else
static ty_cpu detect(void) { return 0; }
#endif

/* Detection costs thousands of cycles under a hypervisor, so it is done once. Two threads that race
 * here write the same word. */
static _Atomic ty_cpu found, limit = ~(ty_cpu)0;
ty_cpu ty_cpu_word;

static ty_cpu detected(void)
{
    ty_cpu f = atomic_load_explicit(&found, memory_order_relaxed);
    if (!(f & TY_CPU_C)) {
        f = detect() | TY_CPU_C;
#if defined(TY_CT_MSAN)
        /* MemorySanitizer does not model the instructions of these features, and reports every
         * secret there */
        f &= ~(ty_cpu)(TY_CPU_GFNI | TY_CPU_AVX512 | TY_CPU_IFMA);
#endif
        atomic_store_explicit(&found, f, memory_order_relaxed);
    }
    return f;
}

ty_cpu ty_cpu_look(void)
{
    const ty_cpu f = (detected() & atomic_load_explicit(&limit, memory_order_relaxed)) | TY_CPU_C;
    __atomic_store_n(&ty_cpu_word, f, __ATOMIC_RELAXED);
    return f;
}

void ty_cpu_assume(ty_cpu features)
{
    atomic_store_explicit(&found, features ? features | TY_CPU_C : 0, memory_order_relaxed);
    (void)ty_cpu_look();
}

ty_err ty_tier_limit(const char *name)
{
    ty_cpu mask = ~(ty_cpu)0;
    if (name) {
        const struct level *l = find_level(name);
        if (!l) return TY_ERR_ARG;
        mask = l->need;
        if (mask & ~detected()) return TY_ERR_UNSUPPORTED;
    }
    atomic_store_explicit(&limit, mask, memory_order_relaxed);
    (void)ty_cpu_look();
    return TY_OK;
}

const void *ty_tier_best(const ty_tier *row)
{
    const void *best = NULL;
    for (; row->name; row++)
        if (ty_tier_runs(row)) best = row->ops;
    return best;
}
