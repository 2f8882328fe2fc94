/* Random primes in constant time: a random start, a sieve that walks along with it, Miller-Rabin on what passes.
 *
 * A candidate is refused openly: it is thrown away, and all that a refusal says of the number finally taken is that it lies
 * so many steps further on. Of every candidate the residues modulo all small primes are kept, whether it matters or not.
 * bound: 256 additions and comparisons per candidate, 16-bit lanes, and one power for one in some twelve */
#include "mp/prime_internal.h"

typedef struct sieve {
    uint16_t residue[TY_PRIMES];   /* of the candidate modulo each small prime; 2 is not asked */
    uint16_t step[TY_PRIMES];      /* of the step between candidates */
} sieve;

/* x mod p for secret x: 16 bits at a time, by a reciprocal, since a division may take a time that depends on x.
 * t = r 2^16 + c < p 2^16 < 2^27; with v = floor(2^32/p), t v/2^32 > t/p - 2^27/2^32 - 1: the quotient or one less. */
static uint16_t residue(const ty_mp *x, uint32_t p)
{
    const uint32_t v = (uint32_t)(((uint64_t)1 << 32) / p);
    const ty_limb *d = ty_mp_cd(x);
    uint32_t r = 0;
    for (size_t i = x->len * (TY_LIMB_BITS / 16); i-- > 0;) {
        const uint32_t c = (uint32_t)(d[i / (TY_LIMB_BITS / 16)] >> i % (TY_LIMB_BITS / 16) * 16) & 0xffff;
        const uint32_t t = r << 16 | c;
        r = t - (uint32_t)((uint64_t)t * v >> 32) * p;
        r -= p & ~ty_mask_bit32((r - p) >> 31);
    }
    return (uint16_t)r;
}

static void start(sieve *s, const ty_mp *x, uint32_t step)
{
    for (int i = 0; i < TY_PRIMES; i++) {
        s->residue[i] = residue(x, ty_small_primes[i]);
        s->step[i] = (uint16_t)(step % ty_small_primes[i]);
    }
}

/* All residues one step on; residues below 2^11 leave the top bit as the sign. */
static void walk(sieve *s)
{
    for (int i = 1; i < TY_PRIMES; i++) {
        const uint16_t r = (uint16_t)(s->residue[i] + s->step[i] - ty_small_primes[i]);
        s->residue[i] = (uint16_t)(r + (ty_small_primes[i] & (0 - (r >> 15))));
    }
}

/* 1 if a small prime divides the candidate, or for a safe prime (candidate - 1)/2: it leaves 0, or 1 */
static uint32_t has_factor(const sieve *s, uint32_t safe)
{
    uint32_t any = 0;   /* r - 1 wraps for r = 0; with safe r = 1 counts as well */
    for (int i = 1; i < TY_PRIMES; i++) {
        const uint32_t r = s->residue[i];
        any |= (r - 1) >> 31 | (((r ^ 1) - 1) >> 31 & safe);
    }
    TY_PUBLIC(&any, sizeof any);   /* refused, or to be tested: public */
    return any & 1;
}

/* Rounds of Miller-Rabin for random candidates, chance of a composite below 2^-128 (Damgard, Landrock and Pomerance, Math.
 * Comp. 61 (1993); the table of FIPS 186-5, B.1, goes lower where the signature scheme is weaker). */
static uint32_t rounds_for(size_t bits)
{
    return bits >= 3072 ? 4 : bits >= 2048 ? 6 : bits >= 1024 ? 12 : bits >= 512 ? 24 : 64;
}

/* *out = 1 if z, and for a safe prime (z - 1)/2, are prime. One round of each first: most composites fail that. */
static ty_err judge(int *out, const ty_mp *z, int safe, const ty_rng *rng)
{
    const uint32_t rounds = rounds_for(z->len * TY_LIMB_BITS);
    ty_mp q;
    ty_mp_init_with(&q, z->alloc);
    ty_err e = TY_OK;
    *out = 1;
    if (safe) {
        e = ty_mp_shr(&q, z, 1);
        if (!e) e = ty_mp_miller_rabin(out, &q, 1, rng);
    }
    if (!e && *out) e = ty_mp_miller_rabin(out, z, rounds, rng);
    if (!e && *out && safe) e = ty_mp_miller_rabin(out, &q, rounds, rng);
    ty_mp_clear(&q);
    return e;
}

/* Fixed bits of a candidate: the top one or two, and the lowest one or two */
static void shape(ty_mp *z, size_t bits, uint32_t flags)
{
    ty_limb *d = ty_mp_d(z);
    const size_t top = bits - 1;
    d[top / TY_LIMB_BITS] |= (ty_limb)1 << top % TY_LIMB_BITS;
    if (flags & TY_MP_PRIME_TOP2) d[(top - 1) / TY_LIMB_BITS] |= (ty_limb)1 << (top - 1) % TY_LIMB_BITS;
    d[0] |= flags & (TY_MP_PRIME_3MOD4 | TY_MP_PRIME_SAFE) ? 3 : 1;
}

/* Too short for the sieve: draw until it fits. Not in constant time, as a number of 24 bits is no secret. */
static ty_err small_prime(ty_mp *z, size_t bits, uint32_t flags, const ty_rng *rng)
{
    for (int tries = 0; tries < 65536; tries++) {
        int prime;
        uint64_t v;
        ty_mp q;
        ty_mp_init(&q);
        TY_TRY(ty_mp_random_bits(z, bits, rng));
        if (bits > 2 || flags) shape(z, bits, flags);
        else ty_mp_d(z)[0] |= 2;   /* 2 or 3 */
        TY_TRY(ty_mp_get_u64(&v, z));
        TY_TRY(ty_mp_is_prime_vt(&prime, z, 0, NULL));
        ty_mp_set_u64(&q, v / 2);
        if (prime && flags & TY_MP_PRIME_SAFE) TY_TRY(ty_mp_is_prime_vt(&prime, &q, 0, NULL));
        if (prime) return TY_OK;
    }
    return TY_ERR_RNG;
}

/* From one random start at most so many steps: a longer gap would be chosen too often, and the top bit could be lost. */
static ty_err search(int *found, ty_mp *z, size_t bits, uint32_t flags, const ty_rng *rng)
{
    const uint32_t step = flags & (TY_MP_PRIME_3MOD4 | TY_MP_PRIME_SAFE) ? 4 : 2, safe = !!(flags & TY_MP_PRIME_SAFE);
    sieve s;
    ty_err e = TY_OK;
    shape(z, bits, flags);
    start(&s, z, step);
    *found = 0;
    for (size_t i = 0; i < 16 * bits && !*found && !e; i++) {
        if (i) {
            walk(&s);
            const ty_limb c = ty_limb_add_1(ty_mp_d(z), ty_mp_cd(z), z->len, step);
            const size_t top = bits - 1;
            uint32_t over = (uint32_t)c | (uint32_t)(ty_mp_cd(z)[top / TY_LIMB_BITS] >> top % TY_LIMB_BITS != 1);
            TY_PUBLIC(&over, sizeof over);   /* the start was among the last: it is thrown away */
            if (over) break;
        }
        if (!has_factor(&s, safe)) e = judge(found, z, (int)safe, rng);
    }
    ty_wipe(&s, sizeof s);
    return e;
}

ty_err ty_mp_prime(ty_mp *z, size_t bits, uint32_t flags, const ty_rng *rng)
{
    const uint32_t all = TY_MP_PRIME_TOP2 | TY_MP_PRIME_3MOD4 | TY_MP_PRIME_SAFE;
    const size_t least = flags & TY_MP_PRIME_SAFE ? (flags & TY_MP_PRIME_TOP2 ? 6 : 5) : flags & TY_MP_PRIME_TOP2 ? 3 : 2;
    if (bits < least || flags & ~all) return TY_ERR_ARG;
    ty_mp t;
    ty_mp_init_with(&t, z->alloc);
    ty_err e = TY_OK;
    if (bits < 24) {
        e = small_prime(&t, bits, flags, rng);
        if (!e) e = ty_mp_pad(&t, bits);
    }
    for (int found = bits < 24; !found && !e;) {
        e = ty_mp_random_bits(&t, bits, rng);
        if (!e) e = search(&found, &t, bits, flags, rng);
    }
    if (!e) ty_mp_swap(z, &t);
    ty_mp_clear(&t);
    return e;
}
