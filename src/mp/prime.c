/* Primality tests: division by small primes, Miller-Rabin (HAC 4.24), and Baillie-PSW, which is
 * Miller-Rabin to the base 2 and the strong Lucas test of lucas.c. */
#include "modn/modn.h"
#include "mp/mont.h"
#include "mp/prime_internal.h"

const uint16_t ty_small_primes[TY_PRIMES] = {
#include "mp/small_primes.inc"
};

/* --- Miller-Rabin ----------------------------------------------------------------------------- */

/* What the tests of one x to several bases share: x - 1 = d 2^s, one and minus_one are 1 and -1 in
 * Montgomery form. y is a power of the base. */
typedef struct rabin {
    ty_mp_mont c;
    ty_mp d, one, minus_one, y;
    size_t s;
} rabin;

static void close_rabin(rabin *r)
{
    ty_mp *all[] = { &r->d, &r->one, &r->minus_one, &r->y };
    ty_mp_mont_clear(&r->c);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) ty_mp_clear(all[i]);
}

static ty_err prepare(rabin *r, const ty_mp *x)
{
    TY_TRY(ty_mp_mont_init(&r->c, x));
    ty_mp_set_u64(&r->one, 1);
    TY_TRY(ty_mp_copy(&r->d, &r->c.m));
    ty_mp_d(&r->d)[0] -= 1;   /* x is odd */
    r->s = ty_mp_trailing(&r->d);
    TY_PUBLIC(&r->s, sizeof r->s);   /* how often 2 divides x - 1 is public */
    TY_TRY(ty_mp_shr(&r->d, &r->d, r->s));
    TY_TRY(ty_mp_pad(&r->d, r->c.m.len * TY_LIMB_BITS));
    TY_TRY(ty_mp_mont_set(&r->one, &r->one, &r->c));
    return ty_mp_submod(&r->minus_one, &r->c.m, &r->one, &r->c.m);
}

static ty_err open_rabin(rabin *r, const ty_mp *x)
{
    ty_mp *all[] = { &r->d, &r->one, &r->minus_one, &r->y };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) ty_mp_init_with(all[i], x->alloc);
    ty_mp_init_with(&r->c.m, x->alloc);
    ty_mp_init_with(&r->c.rr, x->alloc);
    const ty_err e = prepare(r, x);
    if (e) close_rabin(r);
    return e;
}

static uint32_t equal(const ty_mp *x, const ty_mp *y, size_t n)
{
    ty_limb diff = 0;
    for (size_t i = 0; i < n; i++) diff |= ty_mp_cd(x)[i] ^ ty_mp_cd(y)[i];
    return (uint32_t)(ty_limb_is0(diff) & 1);
}

/* *out = 1 if y = base^d is 1 or -1, or one of the s - 1 squares after it is -1. All of them are
 * computed, so that only this bit is revealed. */
static ty_err judge(int *out, rabin *r)
{
    const size_t n = r->c.m.len;
    uint32_t pass = equal(&r->y, &r->one, n) | equal(&r->y, &r->minus_one, n);
    for (size_t i = 1; i < r->s; i++) {
        TY_TRY(ty_mp_mont_mul(&r->y, &r->y, &r->y, &r->c));
        pass |= equal(&r->y, &r->minus_one, n);
    }
    TY_PUBLIC(&pass, sizeof pass);   /* the verdict */
    *out = (int)pass;
    return TY_OK;
}

/* *out = 1 if r's x passes the test to this base */
static ty_err passes(int *out, rabin *r, const ty_mp *base, int vt)
{
    TY_TRY(ty_mp_mont_set(&r->y, base, &r->c));
    TY_TRY((vt ? ty_mp_mont_pow_vt : ty_mp_mont_pow)(&r->y, &r->y, &r->d, &r->c));
    return judge(out, r);
}

/* The same for n numbers, with ty_mp_many_powm: out[i] for r[i] and base[i], which is
 * overwritten. */
static ty_err many_pass(int *out, rabin *const *r, ty_mp *base, size_t n)
{
    ty_mp_powm_job jobs[TY_LANES_MOST];
    for (size_t i = 0; i < n; i++)
        jobs[i] = (ty_mp_powm_job){ base + i, base + i, &r[i]->d, &r[i]->c.m, TY_OK };
    TY_TRY(ty_mp_many_powm(jobs, n));
    for (size_t i = 0; i < n; i++) {
        TY_TRY(ty_mp_mont_set(&r[i]->y, base + i, &r[i]->c));
        TY_TRY(judge(out + i, r[i]));
    }
    return TY_OK;
}

/* base is random in [2, x - 2] */
static ty_err random_base(ty_mp *base, const ty_mp *x, const ty_rng *rng)
{
    ty_mp offset, range;
    ty_mp_init_with(&offset, x->alloc);
    ty_mp_init_with(&range, x->alloc);
    ty_mp_set_u64(&offset, 3);
    ty_err e = ty_mp_sub(&range, x, &offset);
    if (!e) e = ty_mp_random_below(base, &range, rng);
    ty_mp_set_u64(&offset, 2);
    if (!e) e = ty_mp_addmod(base, base, &offset, x);
    ty_mp_clear(&offset);
    ty_mp_clear(&range);
    return e;
}

/* many_pass to random bases */
static ty_err many_random(int *out, rabin *const *r, size_t n, const ty_rng *rng)
{
    ty_mp base[TY_LANES_MOST];
    ty_err e = TY_OK;
    for (size_t i = 0; i < n; i++) ty_mp_init_with(base + i, r[i]->c.m.alloc);
    for (size_t i = 0; i < n && !e; i++) e = random_base(base + i, &r[i]->c.m, rng);
    if (!e) e = many_pass(out, r, base, n);
    for (size_t i = 0; i < n; i++) ty_mp_clear(base + i);
    return e;
}

/* *out = 1 if x passes `rounds` rounds to random bases. The first round, which most composites
 * fail, is computed alone; then as many at once as there are lanes. */
static ty_err rounds_of(int *out, const ty_mp *x, uint32_t rounds, const ty_rng *rng, int vt)
{
    const size_t lanes = ty_modn_beside(ty_mp_n(x));
    rabin r, *same[TY_LANES_MOST];
    ty_mp base;
    TY_TRY(open_rabin(&r, x));
    for (size_t i = 0; i < TY_LANES_MOST; i++) same[i] = &r;
    ty_mp_init_with(&base, x->alloc);
    ty_err e = TY_OK;
    int pass[TY_LANES_MOST] = { 1 };
    size_t some = 1;
    for (uint32_t done = 0; done < rounds && pass[0] && !e; done += (uint32_t)some) {
        some = done == 0 ? 1 : lanes < rounds - done ? lanes : rounds - done;
        if (some == 1) {
            e = random_base(&base, x, rng);
            if (!e) e = passes(pass, &r, &base, vt);
        } else {
            e = many_random(pass, same, some, rng);
        }
        for (size_t i = 1; i < some; i++) pass[0] &= pass[i];
    }
    if (!e) *out = pass[0];
    ty_mp_clear(&base);
    close_rabin(&r);
    return e;
}

ty_err ty_mp_rabin_many(int *out, const ty_mp *x, size_t n, const ty_rng *rng)
{
    rabin *r, *each[TY_LANES_MOST];   /* about 4 KB each, so not on the stack */
    const size_t words = TY_LANES_MOST * sizeof *r / sizeof(ty_limb);
    ty_limb *const room = ty_mp_take(NULL, 0, words, x->alloc);
    ty_err e = TY_OK;
    size_t open = 0;
    if (!room) return TY_ERR_MEM;
    r = (rabin *)(void *)room;
    for (size_t i = 0; i < TY_LANES_MOST; i++) each[i] = r + i;
    while (open < n && (e = open_rabin(r + open, x + open)) == TY_OK) open++;
    if (!e) e = many_random(out, each, n, rng);
    while (open) close_rabin(r + --open);
    ty_mp_give(room, NULL, words, x->alloc);
    return e;
}

ty_err ty_mp_miller_rabin(int *out, const ty_mp *x, uint32_t rounds, const ty_rng *rng)
{
    const size_t n = ty_mp_n(x);
    ty_limb small = n > 1 ? 0 : n ? (ty_limb)(ty_mp_cd(x)[0] < 5) : 1;
    int odd = ty_mp_odd(x);
    TY_PUBLIC(&small, sizeof small);   /* small and even x are refused, which is public */
    TY_PUBLIC(&odd, sizeof odd);
    if (small || !odd || x->neg) return TY_ERR_ARG;
    return rounds_of(out, x, rounds, rng, 0);
}

ty_err ty_mp_witness_vt(int *out, const ty_mp *x, const ty_mp *base)
{
    rabin r;
    TY_TRY(open_rabin(&r, x));
    const ty_err e = passes(out, &r, base, 1);
    close_rabin(&r);
    return e;
}

/* --- Public numbers --------------------------------------------------------------------------- */

/* *out = 1 if x is prime, 0 if it is composite or below 2, -1 if that is undecided: no small prime
 * divides x, which is larger than the square of the largest one */
static ty_err small_factors(int *out, const ty_mp *x)
{
    const size_t n = ty_mp_n(x);
    *out = 0;
    if (n == 0 || x->neg || (n == 1 && ty_mp_cd(x)[0] == 1)) return TY_OK;
    for (size_t i = 0; i < TY_PRIMES; i++) {
        const ty_limb p = ty_small_primes[i];
        if (ty_limb_div_1_vt(NULL, ty_mp_cd(x), n, p) == 0) {
            *out = n == 1 && ty_mp_cd(x)[0] == p;
            return TY_OK;
        }
        if (n == 1 && p * p > ty_mp_cd(x)[0]) {
            *out = 1;
            return TY_OK;
        }
    }
    *out = -1;
    return TY_OK;
}

static ty_err bpsw(int *out, const ty_mp *x)
{
    ty_mp two;
    ty_mp_init(&two);
    ty_mp_set_u64(&two, 2);
    TY_TRY(ty_mp_witness_vt(out, x, &two));
    return *out ? ty_mp_lucas_vt(out, x) : TY_OK;
}

ty_err ty_mp_is_prime_vt(int *out, const ty_mp *x, uint32_t rounds, const ty_rng *rng)
{
    int verdict;
    TY_TRY(small_factors(&verdict, x));
    if (verdict < 0) {
        TY_TRY(bpsw(&verdict, x));
        if (verdict && rounds) TY_TRY(rounds_of(&verdict, x, rounds, rng, 1));
    }
    *out = verdict;
    return TY_OK;
}

/* Tests the odd numbers above x one after the other. */
ty_err ty_mp_next_prime_vt(ty_mp *z, const ty_mp *x)
{
    ty_mp t, step;
    ty_mp_init_with(&t, z->alloc);
    ty_mp_init(&step);
    ty_mp_set_u64(&step, ty_mp_odd(x) ? 2 : 1);
    ty_err e = TY_OK;
    int prime = 0;
    if (ty_mp_sign(x) <= 0 || ty_mp_bits(x) == 1) {   /* below 2 */
        ty_mp_set_u64(&t, 2);
        prime = 1;
    } else {
        e = ty_mp_add(&t, x, &step);
    }
    ty_mp_set_u64(&step, 2);
    while (!prime && !e) {
        e = ty_mp_is_prime_vt(&prime, &t, 0, NULL);
        if (!e && !prime) e = ty_mp_add(&t, &t, &step);
    }
    if (!e) ty_mp_swap(z, &t);
    ty_mp_clear(&t);
    return e;
}
