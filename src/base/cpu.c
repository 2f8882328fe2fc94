#include "base/cpu.h"
#include "tongyu/base.h"

#include <stdatomic.h>
#include <string.h>

/* The named levels, each the features that it and everything below it on its architecture may use.
 * Tier rows are named by these, so that one word forces every family at once. */
static const struct level {
    const char *name;
    ty_cpu mask;
} levels[] = {
#define SCALAR  (TY_CPU_WORD64)
#define AESNI   (SCALAR | TY_CPU_SSE41 | TY_CPU_AES | TY_CPU_CLMUL)
#define AVX2    (AESNI | TY_CPU_AVX2 | TY_CPU_BMI2 | TY_CPU_FMA)
#define ADX     (AVX2 | TY_CPU_ADX)
#define VAES    (ADX | TY_CPU_VAES | TY_CPU_VCLMUL | TY_CPU_SHA256)   /* every CPU with VAES has them */
    { "c",      0 },                        /* 32-bit words, nothing but C */
    { "c64",    SCALAR },                   /* 64-bit words, nothing but C */
#if defined(__x86_64__)
    { "aesni",  AESNI },
    { "avx2",   AVX2 },
    { "adx",    ADX },                      /* and a second carry flag: Broadwell, Zen */
    { "vaes",   VAES },
    { "gfni",   VAES | TY_CPU_GFNI },
    { "avx512", ADX | TY_CPU_AVX512 },      /* Skylake-X, Cascade Lake */
    { "gfni512", VAES | TY_CPU_GFNI | TY_CPU_AVX512 | TY_CPU_IFMA },   /* Ice Lake, Zen 4 */
#endif
#if defined(TY_AARCH64)
#define NEON    (SCALAR | TY_CPU_ASIMD)
#define ARMCE   (NEON | TY_CPU_AES | TY_CPU_CLMUL | TY_CPU_SHA256)
    { "neon",   NEON },                     /* all that ARMv8.0 asks for */
    { "armce",  ARMCE },                    /* its Cryptography Extension */
    { "armsha3", ARMCE | TY_CPU_SHA3 },     /* that of ARMv8.2, in two parts: Apple M1, Neoverse V1 have this one */
    { "armsm",  ARMCE | TY_CPU_SM3 | TY_CPU_SM4 },   /* some servers the other, with or without the first */
#endif
};

enum { LEVELS = sizeof levels / sizeof levels[0] };

const char *ty_tier_level(size_t i) { return i < LEVELS ? levels[i].name : NULL; }

static const struct level *find_level(const char *name)
{
    for (size_t i = 0; i < LEVELS; i++)
        if (strcmp(levels[i].name, name) == 0) return &levels[i];
    return NULL;
}

#if defined(TY_TIER)
/* The tier is a build-time fact, so the CPU is taken to have exactly that level. */
static ty_cpu detect(void)
{
    const struct level *l = find_level(TY_TEXT(TY_TIER));
    return l ? l->mask : 0;
}
#elif defined(__x86_64__)
#include <cpuid.h>

static uint64_t xgetbv0(void)
{
    uint32_t lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (uint64_t)hi << 32 | lo;
}

static ty_cpu detect(void)
{
    unsigned a, b, c, d;
    ty_cpu f = TY_CPU_WORD64;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return f;
    const unsigned ssse3 = 1u << 9, fma = 1u << 12, sse41 = 1u << 19, clmul = 1u << 1, aes = 1u << 25, osxsave = 1u << 27;
    if ((c & ssse3) && (c & sse41)) f |= TY_CPU_SSE41;
    if (c & aes) f |= TY_CPU_AES;
    if (c & clmul) f |= TY_CPU_CLMUL;
    /* XCR0: bits 1,2 = xmm, ymm saved; bits 5,6,7 = opmask, zmm0-15 high halves, zmm16-31 saved */
    const uint64_t xcr0 = (c & osxsave) ? xgetbv0() : 0;
    const int ymm = (xcr0 & 0x06) == 0x06, zmm = (xcr0 & 0xe6) == 0xe6;
    if (ymm && (c & fma)) f |= TY_CPU_FMA;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return f;
    if (b & (1u << 8)) f |= TY_CPU_BMI2;
    if (b & (1u << 19)) f |= TY_CPU_ADX;
    if (b & (1u << 29)) f |= TY_CPU_SHA256;
    if (c & (1u << 8)) f |= TY_CPU_GFNI;
    if (ymm && (b & (1u << 5))) {
        f |= TY_CPU_AVX2;
        if (c & (1u << 9)) f |= TY_CPU_VAES;
        if (c & (1u << 10)) f |= TY_CPU_VCLMUL;
    }
    const unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;   /* F, DQ, BW, VL */
    if (zmm && (b & avx512) == avx512) {
        f |= TY_CPU_AVX512;
        if ((b & (1u << 21)) && (c & (1u << 1))) f |= TY_CPU_IFMA;
    }
    return f;
}
#elif defined(TY_AARCH64) && defined(__linux__) && __STDC_HOSTED__
#include <sys/auxv.h>

/* The CPU's own identification registers belong to the kernel, which hands on what it supports: AT_HWCAP. */
static ty_cpu detect(void)
{
    const unsigned long h = getauxval(AT_HWCAP), asimd = 1ul << 1, aes = 1ul << 3, pmull = 1ul << 4, sha2 = 1ul << 6;
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
#elif defined(__SIZEOF_INT128__)
static ty_cpu detect(void) { return TY_CPU_WORD64; }
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
    if (!(f & TY_CPU_KNOWN)) {
        f = detect() | TY_CPU_KNOWN;
#if defined(TY_CT_MSAN)
        f &= ~(ty_cpu)(TY_CPU_GFNI | TY_CPU_AVX512 | TY_CPU_IFMA);   /* MemorySanitizer has no idea of them and reports every secret there */
#endif
        atomic_store_explicit(&found, f, memory_order_relaxed);
    }
    return f;
}

ty_cpu ty_cpu_look(void)
{
    const ty_cpu f = (detected() & atomic_load_explicit(&limit, memory_order_relaxed)) | TY_CPU_KNOWN;
    __atomic_store_n(&ty_cpu_word, f, __ATOMIC_RELAXED);
    return f;
}

void ty_cpu_assume(ty_cpu features)
{
    atomic_store_explicit(&found, features ? features | TY_CPU_KNOWN : 0, memory_order_relaxed);
    (void)ty_cpu_look();
}

ty_err ty_tier_limit(const char *name)
{
    ty_cpu mask = ~(ty_cpu)0;
    if (name) {
        const struct level *l = find_level(name);
        if (!l) return TY_ERR_ARG;
        mask = l->mask;
        if (mask & ~detected()) return TY_ERR_UNSUPPORTED;
    }
    atomic_store_explicit(&limit, mask, memory_order_relaxed);
    (void)ty_cpu_look();
    return TY_OK;
}

const void *ty_tier_best(const ty_tier *t)
{
    const ty_cpu have = ty_cpu_have();
    const void *best = t->ops;
    for (; t->name; t++)
        if ((t->need & ~have) == 0) best = t->ops;
    return best;
}
