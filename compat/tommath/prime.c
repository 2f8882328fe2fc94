/* Primality, and primes. */
#include "ltm.h"

#include "mp/prime_internal.h"

const mp_digit ltm_prime_tab[PRIVATE_MP_PRIME_TAB_SIZE] = {
#include "mp/small_primes.inc"
};

/* --- Single tests ----------------------------------------------------------------------------- */

mp_err mp_prime_is_divisible(const mp_int *a, mp_bool *result)
{
    *result = MP_NO;
    for (int i = 0; i < PRIVATE_MP_PRIME_TAB_SIZE && *result == MP_NO; i++) {
        mp_digit r;
        LTM_TRY(mp_mod_d(a, ltm_prime_tab[i], &r));
        if (r == 0) *result = MP_YES;
    }
    return MP_OKAY;
}

/* b^a = b mod a */
mp_err mp_prime_fermat(const mp_int *a, const mp_int *b, mp_bool *result)
{
    mp_int t;
    *result = MP_NO;
    if (mp_cmp_d(b, 1) != MP_GT) return MP_VAL;
    LTM_TRY(mp_init(&t));
    const mp_err e = mp_exptmod(b, a, a, &t);
    if (e == MP_OKAY && mp_cmp(&t, b) == MP_EQ) *result = MP_YES;
    mp_clear(&t);
    return e;
}

/* a - 1 = d 2^s: b^d is 1, or -1 after fewer than s squarings. minus = a - 1, y is scratch. */
static mp_err strong_test(const mp_int *a, const mp_int *b, mp_int *minus, mp_int *y,
                          mp_bool *result)
{
    LTM_TRY(mp_sub_d(a, 1, minus));
    const int s = mp_cnt_lsb(minus);
    LTM_TRY(mp_div_2d(minus, s, y, NULL));
    LTM_TRY(mp_exptmod(b, y, a, y));
    if (mp_cmp_d(y, 1) == MP_EQ || mp_cmp(y, minus) == MP_EQ) *result = MP_YES;
    for (int i = 1; i < s && *result == MP_NO; i++) {
        LTM_TRY(mp_sqrmod(y, a, y));
        if (mp_cmp(y, minus) == MP_EQ) *result = MP_YES;
    }
    return MP_OKAY;
}

mp_err mp_prime_miller_rabin(const mp_int *a, const mp_int *b, mp_bool *result)
{
    mp_int minus, y;
    *result = MP_NO;
    if (mp_cmp_d(b, 1) != MP_GT) return MP_VAL;
    LTM_TRY(mp_init_multi(&minus, &y, NULL));
    const mp_err e = strong_test(a, b, &minus, &y, result);
    mp_clear_multi(&minus, &y, NULL);
    return e;
}

mp_err mp_prime_strong_lucas_selfridge(const mp_int *a, mp_bool *result)
{
    ty_mp x;
    int pass = 0;
    *result = MP_NO;
    if (mp_cmp_d(a, 3) != MP_GT || mp_iseven(a) == MP_YES) {   /* 2 and 3 are primes */
        *result = mp_cmp_d(a, 1) == MP_GT && mp_cmp_d(a, 4) == MP_LT ? MP_YES : MP_NO;
        return MP_OKAY;
    }
    mp_err e = ltm_get(&x, a);
    if (e == MP_OKAY) e = ltm_err(ty_mp_lucas_vt(&pass, &x));
    if (e == MP_OKAY) *result = pass ? MP_YES : MP_NO;
    ty_mp_clear(&x);
    return e;
}

/* --- Frobenius test of Underwood ("Quadratic composite tests", 2016) -------------------------- */

enum { N, S, V, U, W, ROOM };

/* z = x + k y mod n for a small k */
static ty_err add_small(ty_mp *t, int z, int x, uint32_t k, int y)
{
    ty_mp_set_u64(t + W, k);
    TY_TRY(ty_mp_mul(t + W, t + W, t + y));
    return ty_mp_addmod_vt(t + z, t + W, t + x, t + N);
}

/* One bit of n + 1 for (x + 2)^(n+1) = s x + v modulo x^2 - a x + 1. Squaring: s' = s(a s + 2v), v'
 * = (v - s)(v + s), and for a one s' = (a + 2)s + v, v' = 2v - s. */
static ty_err frobenius_bit(ty_mp *t, uint32_t a, uint32_t bit)
{
    TY_TRY(ty_mp_add(t + U, t + V, t + V));
    TY_TRY(add_small(t, U, U, a, S));
    TY_TRY(ty_mp_mulmod_vt(t + U, t + U, t + S, t + N));
    TY_TRY(ty_mp_add(t + W, t + V, t + S));
    TY_TRY(ty_mp_sub(t + V, t + V, t + S));
    TY_TRY(ty_mp_mulmod_vt(t + V, t + V, t + W, t + N));
    TY_TRY(ty_mp_copy(t + S, t + U));
    if (!bit) return TY_OK;
    TY_TRY(add_small(t, U, V, a + 2, S));
    TY_TRY(ty_mp_add(t + V, t + V, t + V));
    TY_TRY(ty_mp_submod_vt(t + V, t + V, t + S, t + N));
    return ty_mp_copy(t + S, t + U);
}

/* t[S] x + t[V] = (x + 2)^(n+1), by the bits of n + 1 below the top one; *pass = 1 if that is
 * 2a + 5. */
static ty_err frobenius(int *pass, ty_mp *t, uint32_t a)
{
    ty_mp e;
    ty_mp_init_with(&e, ltm_alloc);
    ty_mp_set_u64(t + S, 1);
    ty_mp_set_u64(t + V, 2);
    ty_err err = ty_mp_add(&e, t + N, t + S);
    for (size_t i = err ? 0 : ty_mp_bits(&e) - 1; i-- > 0 && !err;)
        err = frobenius_bit(t, a, ty_mp_bit(&e, i));
    ty_mp_clear(&e);
    ty_mp_set_u64(t + U, 2 * a + 5);
    if (!err) err = ty_mp_submod_vt(t + V, t + V, t + U, t + N);
    if (!err) *pass = ty_mp_bits(t + S) == 0 && ty_mp_bits(t + V) == 0;
    return err;
}

/* *a = the least a with (a^2 - 4 / n) = -1, except those that Underwood's paper excludes;
 * UINT32_MAX if n is found to be composite. */
static mp_err choose(uint32_t *a, ty_mp *t)
{
    static const uint32_t never = 1u << 2 | 1u << 4 | 1u << 7 | 1u << 8 | 1u << 10 | 1u << 14 |
                                  1u << 18 | 1u << 23 | 1u << 26 | 1u << 28;
    for (*a = 0; *a < 32764; ++*a) {
        int k = 0;
        if (*a < 32 && never >> *a & 1) continue;
        ty_mp_set_i64(t + U, (int64_t)*a * *a - 4);
        LTM_TRY(ltm_err(ty_mp_kronecker_vt(&k, t + U, t + N)));
        if (k == -1) return MP_OKAY;
        if (k == 0) {
            *a = UINT32_MAX;
            return MP_OKAY;
        }
    }
    return MP_ITER;
}

static mp_err underwood(int *pass, ty_mp *t)
{
    uint32_t a;
    LTM_TRY(choose(&a, t));
    if (a == UINT32_MAX) return MP_OKAY;
    ty_mp_set_u64(t + U, (uint64_t)(a + 4) * (2 * a + 5));
    LTM_TRY(ltm_err(ty_mp_gcd_vt(t + U, t + U, t + N)));
    return ty_mp_bits(t + U) == 1 ? ltm_err(frobenius(pass, t, a)) : MP_OKAY;
}

mp_err mp_prime_frobenius_underwood(const mp_int *n, mp_bool *result)
{
    ty_mp t[ROOM];
    int pass = 0;
    *result = MP_NO;
    if (n->sign == MP_NEG || mp_iseven(n) == MP_YES) return MP_OKAY;
    for (int i = S; i < ROOM; i++) ty_mp_init_with(t + i, ltm_alloc);
    mp_err e = ltm_get(t + N, n);
    if (e == MP_OKAY) e = underwood(&pass, t);
    if (e == MP_OKAY && pass) *result = MP_YES;
    for (int i = 0; i < ROOM; i++) ty_mp_clear(t + i);
    return e;
}

/* --- Tests of primality ----------------------------------------------------------------------- */

/* Rounds that leave an error below 2^-96 (81 to 127 bits), 2^-112, 2^-128, 2^-160, 2^-192 and
 * 2^-256 as numbers grow [FIPS 186-4, appendix F.1; Damgard, Landrock and Pomerance, Math. Comp. 61
 * (1993)]; up to 80 bits -1, with which mp_prime_is_prime needs no random bases. */
int mp_prime_rabin_miller_trials(int size)
{
    static const struct { int bits, rounds;
    } table[] = { { 0, -1 },   { 81, 37 },  { 96, 32 },  { 128, 40 }, { 160, 35 },  { 256, 27 },
                  { 384, 16 }, { 512, 18 }, { 768, 11 }, { 896, 10 }, { 1024, 12 }, { 1536, 8 },
                  { 2048, 6 }, { 3072, 4 }, { 4096, 5 }, { 5120, 4 }, { 8192, 3 },  { 10240, 2 } };
    size_t i = sizeof table / sizeof *table - 1;
    while (i && table[i].bits > size) i--;
    return table[i].rounds;
}

/* Strong tests with the prime bases 2 to 37 are exact below 318665857834031151167461, with 41 below
 * 3317044064679887385961981 [Sorenson and Webster, Math. Comp. 86 (2017)]. */
static mp_err known_bases(int *prime, const ty_mp *x)
{
    ty_mp limit, base;
    int count = 0;
    ty_mp_init_with(&limit, ltm_alloc);
    ty_mp_init_with(&base, ltm_alloc);
    ty_err e = ty_mp_set_str_vt(&limit, "318665857834031151167461", 24, 10);
    if (!e && ty_mp_cmp_vt(x, &limit) < 0) count = 12;
    if (!e && !count) e = ty_mp_set_str_vt(&limit, "3317044064679887385961981", 25, 10);
    if (!e && !count && ty_mp_cmp_vt(x, &limit) < 0) count = 13;
    if (!e && !count) e = TY_ERR_ARG;
    for (int i = 0; i < count && *prime && !e; i++) {
        ty_mp_set_u64(&base, ltm_prime_tab[i]);
        e = ty_mp_witness_vt(prime, x, &base);
    }
    ty_mp_clear(&limit);
    ty_mp_clear(&base);
    return ltm_err(e);
}

mp_err mp_prime_is_prime(const mp_int *a, int t, mp_bool *result)
{
    ty_mp x;
    int prime = 0;
    *result = MP_NO;
    if (mp_iseven(a) == MP_NO && a->sign == MP_NEG) return MP_VAL;
    mp_err e = ltm_get(&x, a);
    if (e == MP_OKAY)
        e = ltm_err(ty_mp_is_prime_vt(&prime, &x, t < 0 ? 0 : t ? (uint32_t)t : 1, &ltm_rng));
    /* below 2^64 BPSW is proved to be exact */
    if (e == MP_OKAY && prime && t < 0 && ty_mp_bits(&x) > 64) e = known_bases(&prime, &x);
    if (e == MP_OKAY && prime) *result = MP_YES;
    ty_mp_clear(&x);
    return e;
}

/* --- The next prime --------------------------------------------------------------------------- */

/* 1 if b + delta has no divisor in the table except itself */
static int survives(const mp_int *b, const uint32_t *residues, uint32_t delta)
{
    for (int i = 1; i < PRIVATE_MP_PRIME_TAB_SIZE; i++) {
        const uint32_t p = (uint32_t)ltm_prime_tab[i];
        if ((residues[i] + delta) % p == 0)
            return mp_cmp_d(b, p - (delta < p ? delta : p)) == MP_EQ && delta < p;
    }
    return 1;
}

/* a = the first prime among b, b + step, ...; b is odd */
static mp_err search_from(mp_int *a, mp_int *b, uint32_t step, int t)
{
    uint32_t residues[PRIVATE_MP_PRIME_TAB_SIZE];
    for (int i = 1; i < PRIVATE_MP_PRIME_TAB_SIZE; i++) {
        mp_digit r;
        LTM_TRY(mp_mod_d(b, ltm_prime_tab[i], &r));
        residues[i] = (uint32_t)r;
    }
    mp_int c;
    mp_bool prime = MP_NO;
    LTM_TRY(mp_init(&c));
    mp_err e = MP_OKAY;
    for (uint32_t delta = 0; e == MP_OKAY && prime == MP_NO; delta += step) {
        if (delta >> 27) e = MP_VAL;   /* fits a digit; known prime gaps are much smaller */
        if (e != MP_OKAY || !survives(b, residues, delta)) continue;
        e = mp_add_d(b, delta, &c);
        if (e == MP_OKAY) e = mp_prime_is_prime(&c, t, &prime);
    }
    if (e == MP_OKAY) mp_exch(a, &c);
    mp_clear(&c);
    return e;
}

mp_err mp_prime_next_prime(mp_int *a, int t, int bbs_style)
{
    mp_int b;
    LTM_TRY(mp_init_copy(&b, a));
    b.sign = MP_ZPOS;
    mp_err e = mp_add_d(&b, 1, &b);
    if (e == MP_OKAY && bbs_style == 1) e = mp_add_d(&b, 3 - (b.dp[0] & 3), &b);
    else if (e == MP_OKAY && mp_cmp_d(&b, 2) != MP_GT) mp_set(&b, 2);
    else if (e == MP_OKAY && mp_iseven(&b) == MP_YES) e = mp_add_d(&b, 1, &b);
    if (e == MP_OKAY && mp_iseven(&b) == MP_YES) mp_exch(a, &b);   /* 2 */
    else if (e == MP_OKAY) e = search_from(a, &b, bbs_style == 1 ? 4 : 2, t);
    mp_clear(&b);
    return e;
}

/* --- Random primes ---------------------------------------------------------------------------- */

/* The only prime of this size and with these flags, where ty_mp_prime has no choice; 0 in other
 * cases. */
static int small_one(int size, int flags)
{
    if (size == 2 && flags & MP_PRIME_SAFE) return 0;
    if (size == 2 && flags) return 3;
    if (size == 3 && flags & MP_PRIME_SAFE) return 7;
    if (size == 4 && (flags & (MP_PRIME_SAFE | MP_PRIME_2MSB_ON)) == MP_PRIME_SAFE) return 11;
    return 0;
}

static mp_err random_prime(mp_int *a, int t, int size, int flags, const ty_rng *rng)
{
    ty_mp z;
    if (size <= 1 || t <= 0) return MP_VAL;
    const int small = small_one(size, flags);
    if (small) {
        mp_set(a, (mp_digit)small);
        return MP_OKAY;
    }
    const uint32_t how = (flags & MP_PRIME_BBS ? TY_MP_PRIME_3MOD4 : 0u) |
                         (flags & MP_PRIME_SAFE ? TY_MP_PRIME_SAFE : 0u) |
                         (flags & MP_PRIME_2MSB_ON ? TY_MP_PRIME_TOP2 : 0u);
    ty_mp_init_with(&z, ltm_alloc);
    mp_err e = ltm_err(ty_mp_prime(&z, (size_t)size, how, rng));
    if (e == MP_OKAY) e = ltm_put(a, &z);
    ty_mp_clear(&z);
    return e;
}

mp_err mp_prime_rand(mp_int *a, int t, int size, int flags)
{
    return random_prime(a, t, size, flags, &ltm_rng);
}

typedef struct { private_mp_prime_callback *fill; void *dat; } callback;

static ty_err fill(void *ctx, uint8_t *out, size_t len)
{
    const callback *c = ctx;
    return len <= INT_MAX && c->fill(out, (int)len, c->dat) == (int)len ? TY_OK : TY_ERR_RNG;
}

mp_err mp_prime_random_ex(mp_int *a, int t, int size, int flags, private_mp_prime_callback cb,
                          void *dat)
{
    callback c = { cb, dat };
    const ty_rng rng = { fill, &c };
    const mp_err e = random_prime(a, t, size, flags, &rng);
    return e == MP_ERR ? MP_VAL : e;   /* as LibTomMath if the callback fails */
}
