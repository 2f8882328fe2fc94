/* Constant time of integers: every entry point without _vt on poisoned values, once per tier of the
 * limb kernels. Lengths and signs are public; values reach no branch and no address. */
#include "base/cpu.h"
#include "base/ct.h"
#include "modn/ifma.h"
#include "modn/lanes.h"
#include "limb/limb.h"
#include "limb/limb_x86.h"
#include "modn/reals.h"
#include "mp/mont.h"
#include "mod/ntt.h"
#include "tongyu/mp.h"
#include "ct/secret_rng.h"

#include <stdio.h>
#include <string.h>

#define MUST(call) must((call) == TY_OK, #call)

/* z = a secret of n bytes, of which the first `zeros` are 0; odd if `odd` */
static void secret(ty_mp *z, size_t n, size_t zeros, int odd)
{
    static uint32_t seed = 1;
    uint8_t b[512];
    for (size_t i = 0; i < n; i++) b[i] = i < zeros ? 0 : (uint8_t)(++seed * 2654435761u >> 24);
    if (odd) b[n - 1] |= 1;
    if (!zeros) b[0] |= 0x80;
    TY_SECRET(b, n);
    MUST(ty_mp_set_be(z, b, n));
}

static void integers(ty_mp *z, ty_mp *r, ty_mp *x, ty_mp *y)
{
    uint8_t out[64];
    uint64_t word;
    MUST(ty_mp_add(z, x, y));
    MUST(ty_mp_sub(z, x, y));
    MUST(ty_mp_sub(z, y, x));
    MUST(ty_mp_neg(z, z));
    MUST(ty_mp_abs(z, z));
    MUST(ty_mp_mul(z, x, y));
    MUST(ty_mp_sqr(z, x));
    MUST(ty_mp_copy(r, x));
    MUST(ty_mp_mul(z, x, r));    /* of equal lengths */
    MUST(ty_mp_shl(z, x, 77));
    MUST(ty_mp_shr(z, z, 77));
    MUST(ty_mp_neg(z, z));
    MUST(ty_mp_shr(z, z, 7));
    MUST(ty_mp_shr_trunc(z, z, 7));
    MUST(ty_mp_low(z, z, 100));
    MUST(ty_mp_and(z, x, y));
    MUST(ty_mp_or(z, x, y));
    MUST(ty_mp_xor(z, x, y));
    MUST(ty_mp_not(z, x));
    MUST(ty_mp_div(z, r, x, y));
    MUST(ty_mp_gcd(z, x, y));
    MUST(ty_mp_copy(r, x));
    MUST(ty_mp_pad(r, 1024));
    MUST(ty_mp_get_be(out, sizeof out, x));
    MUST(ty_mp_get_le(out, sizeof out, y));
    uint32_t bit = 1;
    TY_SECRET(&bit, sizeof bit);
    MUST(ty_mp_sel(z, bit, x, y));
    MUST(ty_mp_low(z, x, 60));
    MUST(ty_mp_get_u64(&word, z));
    (void)(ty_mp_cmp(x, y) + ty_mp_cmp_abs(x, y) + ty_mp_sign(x) + ty_mp_odd(x));
    (void)(ty_mp_bits(x) + ty_mp_trailing(x) + ty_mp_bit(x, 100) + ty_mp_bytes(x));
}

static void residues(ty_mp *z, ty_mp *x, ty_mp *y, ty_mp *m)
{
    MUST(ty_mp_mod(z, x, m));
    MUST(ty_mp_addmod(z, x, y, m));
    MUST(ty_mp_submod(z, x, y, m));
    MUST(ty_mp_mulmod(z, x, y, m));
    MUST(ty_mp_sqrmod(z, x, m));
    MUST(ty_mp_powm(z, x, y, m));
    const ty_err e = ty_mp_invmod(z, x, m);   /* there may be no inverse */
    must(e == TY_OK || e == TY_ERR_NO_INVERSE, "invmod");
    ty_mp_mont c;
    MUST(ty_mp_mont_init(&c, m));
    MUST(ty_mp_mont_set(z, x, &c));
    MUST(ty_mp_mont_mul(z, z, z, &c));
    MUST(ty_mp_mont_pow(z, z, y, &c));
    MUST(ty_mp_mont_get(z, z, &c));
    ty_mp_mont_clear(&c);
    ty_mp_barrett b;
    MUST(ty_mp_barrett_init(&b, m));
    MUST(ty_mp_barrett_mod(z, x, &b));
    ty_mp_barrett_clear(&b);
}

/* The lengths that have Montgomery kernels of their own, and one more; and inverses at these
 * lengths */
static void lengths(ty_mp *z, ty_mp *x, ty_mp *m)
{
    for (size_t n = 1; n <= 9; n++) {
        ty_mp_mont c;
        secret(m, 8 * n, 0, 1);
        secret(x, 8 * n, 1, 0);
        MUST(ty_mp_mont_init(&c, m));
        MUST(ty_mp_mont_mul(z, x, x, &c));
        ty_mp_mont_clear(&c);
        const ty_err e = ty_mp_invmod(z, x, m);
        must(e == TY_OK || e == TY_ERR_NO_INVERSE, "invmod");
    }
}

/* Modulo 2^768 - 5, which is public */
static void folded(ty_mp *z, ty_mp *x, ty_mp *e, ty_mp *m)
{
    ty_mp_set_u64(z, 5);
    ty_mp_set_u64(m, 1);
    MUST(ty_mp_shl(m, m, 768));
    MUST(ty_mp_sub(m, m, z));
    secret(x, 96, 0, 0);
    secret(e, 16, 0, 0);
    MUST(ty_mp_powm_fold(z, x, e, m));
}

static void primes(ty_mp *z, ty_mp *x)
{
    uint32_t counter = 3;
    const ty_rng rng = { secret_bytes, &counter };
    int prime;
    MUST(ty_mp_random_bits(z, 200, &rng));
    MUST(ty_mp_random_below(z, x, &rng));
    MUST(ty_mp_miller_rabin(&prime, x, 1, &rng));
    MUST(ty_mp_prime(z, 72, TY_MP_PRIME_TOP2, &rng));
    MUST(ty_mp_prime(z, 40, TY_MP_PRIME_SAFE, &rng));
}

/* Products by transforms, at lengths at which other methods are faster: with columns, and a node of
 * every kind */
static void transforms(void)
{
    enum { XN = 215, YN = 185 };
    static ty_limb x[XN], y[YN], z[XN + YN], work[12 * (XN + YN) * (64 / TY_LIMB_BITS) + 4096];
    memset(x, 0x5a, sizeof x);
    memset(y, 0xa5, sizeof y);
    TY_SECRET(x, sizeof x);
    TY_SECRET(y, sizeof y);
    for (const ty_tier *t = ty_ntt_tiers; t->name; t++) {
        if (t->need & ~ty_cpu_have()) continue;
        const ty_ntt_plan plan = ty_ntt_plan_for(XN, YN, 64), narrow = ty_ntt_plan_for(XN, YN, 56);
        must(ty_ntt_plan_work(&plan) <= sizeof work / sizeof *work &&
                 ty_ntt_plan_work(&narrow) <= sizeof work / sizeof *work,
             "scratch");
        printf("transforms: tier %s\n", t->name);
        ((const ty_ntt_ops *)t->ops)->mul(z, x, XN, y, YN, &plan, work);
        ((const ty_ntt_ops *)t->ops)->mul(z, x, XN, y, YN, &narrow, work);
        ((const ty_ntt_ops *)t->ops)->mul(z, x, YN, NULL, YN, &plan, work);
    }
}

/* Products with digits of 52 bits, called directly: MemorySanitizer supports their instructions,
 * but not all those of a tier that contains them */
static void digits(void)
{
#if defined(__x86_64__) && defined(TY_CT_MSAN)
    static ty_limb x[80], y[39], z[119];
    if (!__builtin_cpu_supports("avx512ifma") || !__builtin_cpu_supports("avx512vbmi")) return;
    printf("products by digits of 52 bits\n");
    TY_SECRET(x, sizeof x);
    TY_SECRET(y, sizeof y);
    for (size_t n = 10; n <= 39; n++) {
        ty_limb_mul_gfni512(z, x, n, y, n);
        ty_limb_sqr_gfni512(z, x, n);
    }
    ty_limb_mul_gfni512(z, x, 80, y, 15);
#endif
}

/* As many powers at once as fill the lanes, and one more, on every tier that has lanes */
static void many_powers(ty_mp *x, ty_mp *e, ty_mp *m)
{
    static ty_mp z[9];
    ty_mp_powm_job jobs[9];
    secret(x, 48, 3, 1);
    secret(e, 24, 0, 0);
    secret(m, 48, 0, 1);
    for (size_t i = 0; i < 9; i++) jobs[i] = (ty_mp_powm_job){ z + i, x, e, m, TY_OK };
    for (const ty_tier *t = ty_lanes_tiers; t->name; t++) {
        if (ty_tier_limit(t->name) != TY_OK) continue;
        printf("lanes: tier %s\n", t->name);
        MUST(ty_mp_many_powm(jobs, 9));
    }
}

/* Numbers long enough for doubles and for vectors of integers */
static void long_power(ty_mp *z, ty_mp *x, ty_mp *e, ty_mp *m)
{
    secret(x, 192, 3, 1);
    secret(e, 40, 0, 0);
    secret(m, 192, 0, 1);
    const ty_tier *const tiers[] = { ty_reals_tiers, ty_ifma_tiers };
    for (size_t i = 0; i < 2; i++)
        for (const ty_tier *t = tiers[i]; t->name; t++) {
            if (ty_tier_limit(t->name) != TY_OK) continue;
            printf("powers in another form: tier %s\n", t->name);
            MUST(ty_mp_powm(z, x, e, m));
        }
}

int main(void)
{
#if defined(TY_CT_MEMCHECK)
    /* valgrind runs adcx and adox wherever it runs AVX2, though its CPUID does not name them */
    if (ty_cpu_have() & TY_CPU_AVX2) ty_cpu_assume(ty_cpu_have() | TY_NEED_adx);
#endif
    static ty_mp x, y, z, r, m;
    for (const ty_tier *t = ty_limb_tiers; t->name; t++) {
        if (ty_tier_limit(t->name) != TY_OK) {
            printf("no tier: %s\n", t->name);
            continue;
        }
        printf("tier %s\n", t->name);
        for (size_t zeros = 0; zeros < 24; zeros += 11) {   /* the same length, smaller values */
            secret(&x, 64, zeros, 1);
            secret(&y, 40, 0, 0);
            secret(&m, 48, 0, 1);
            integers(&z, &r, &x, &y);
            residues(&z, &x, &y, &m);
        }
        lengths(&z, &x, &m);
        folded(&z, &x, &y, &m);
        primes(&z, &m);
        secret(&x, 512, 0, 0);   /* long enough for Karatsuba */
        secret(&y, 512, 9, 0);
        MUST(ty_mp_mul(&z, &x, &y));
        MUST(ty_mp_sqr(&z, &x));
    }
    MUST(ty_tier_limit(NULL));   /* the following functions set tiers of their own */
    transforms();
    digits();
    many_powers(&x, &y, &m);
    long_power(&z, &x, &y, &m);
    return 0;
}
