/* Random primes in constant time: from a random start the numbers in steps of 2 or 4 are sieved
 * with the small primes, and those that pass are tested by Miller-Rabin.
 *
 * Which candidates are refused is public: they are discarded, and the refusals reveal nothing about
 * the prime that is found except its distance from the start. The residues modulo all small primes
 * are computed for every candidate, even if one of them is already 0.
 * bound: 256 additions and comparisons per candidate, 16-bit lanes, and one power for about one
 * candidate in seven */
#include "modn/modn.h"
#include "mp/prime_internal.h"

typedef struct sieve {
    uint16_t residue[TY_PRIMES];   /* of the candidate modulo each small prime; 2 is unused */
    uint16_t step[TY_PRIMES];      /* of the step between candidates */
} sieve;

/* x mod p for secret x: 16 bits at a time, with a reciprocal, since a division may take a time that
 * depends on x. t = r 2^16 + c < p 2^16 < 2^27; with v = floor(2^32/p), floor(t v/2^32) > t/p -
 * 2^-5 - 1: the quotient or one less. */
static uint16_t residue(const ty_mp *x, uint32_t p)
{
    const uint32_t v = (uint32_t)(((uint64_t)1 << 32) / p);
    const ty_limb *d = ty_mp_cd(x);
    uint32_t r = 0;
    for (size_t i = x->len * (TY_LIMB_BITS / 16); i-- > 0;) {
        const uint32_t c =
            (uint32_t)(d[i / (TY_LIMB_BITS / 16)] >> i % (TY_LIMB_BITS / 16) * 16) & 0xffff;
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

/* Moves on to the next candidate. Residues are below 2^11, so that the top bit is the sign. */
static void sieve_next(sieve *s)
{
    for (int i = 1; i < TY_PRIMES; i++) {
        const uint16_t r = (uint16_t)(s->residue[i] + s->step[i] - ty_small_primes[i]);
        s->residue[i] = (uint16_t)(r + (ty_small_primes[i] & (0 - (r >> 15))));
    }
}

/* 1 if a small prime divides the candidate, or, if `safe`, (candidate - 1)/2: the residue is 0, or
 * 1 */
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

/* Rounds of Miller-Rabin for random candidates, for a probability below 2^-128 that a composite
 * passes (Damgard, Landrock and Pomerance, Math. Comp. 61 (1993); the table of FIPS 186-5, B.1, has
 * fewer rounds where the signature scheme is weaker). */
static uint32_t rounds_for(size_t bits)
{
    return bits >= 3072 ? 4 : bits >= 2048 ? 6 : bits >= 1024 ? 12 : bits >= 512 ? 24 : 64;
}

/* Candidates that no small prime divides, as many as are tested at once, in the order in which they
 * were found */
typedef struct batch {
    ty_mp z[TY_LANES_MOST], half[TY_LANES_MOST];   /* half: (z - 1)/2, for safe primes */
    size_t n;
} batch;

/* *out = 1 if z is prime, and for a safe prime `half` too. One round has already been passed: by z,
 * or for a safe prime by `half`. */
static ty_err judge(int *out, const ty_mp *z, const ty_mp *half, int safe, const ty_rng *rng)
{
    const uint32_t rounds = rounds_for(z->len * TY_LIMB_BITS);
    TY_TRY(ty_mp_miller_rabin(out, z, safe ? rounds : rounds - 1, rng));
    return *out && safe ? ty_mp_miller_rabin(out, half, rounds - 1, rng) : TY_OK;
}

/* *found = 1 and z = the first prime of the batch, if there is one. All are first tested by one
 * round, which most composites fail. */
static ty_err test(int *found, ty_mp *z, batch *b, int safe, const ty_rng *rng)
{
    int pass[TY_LANES_MOST] = { 0 };
    ty_err e = TY_OK;
    for (size_t i = 0; i < b->n && safe && !e; i++) e = ty_mp_shr(b->half + i, b->z + i, 1);
    if (!e && b->n) e = ty_mp_rabin_many(pass, safe ? b->half : b->z, b->n, rng);
    for (size_t i = 0; i < b->n && !*found && !e; i++) {
        if (pass[i]) e = judge(found, b->z + i, b->half + i, safe, rng);
        if (*found && !e) e = ty_mp_copy(z, b->z + i);
    }
    b->n = 0;
    return e;
}

/* Sets the fixed bits of a candidate: the top one or two, and the lowest one or two. */
static void shape(ty_mp *z, size_t bits, uint32_t flags)
{
    ty_limb *d = ty_mp_d(z);
    const size_t top = bits - 1;
    d[top / TY_LIMB_BITS] |= (ty_limb)1 << top % TY_LIMB_BITS;
    if (flags & TY_MP_PRIME_TOP2)
        d[(top - 1) / TY_LIMB_BITS] |= (ty_limb)1 << (top - 1) % TY_LIMB_BITS;
    d[0] |= flags & (TY_MP_PRIME_3MOD4 | TY_MP_PRIME_SAFE) ? 3 : 1;
}

/* A prime of less than 24 bits, too short for the sieve: drawn until one is found. Not in constant
 * time, as so short a number is not a secret. */
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

/* From the random start z, at most 16 steps per bit: primes after longer gaps would be found too
 * often, and the top bit could be lost. */
static ty_err search(int *found, ty_mp *z, size_t bits, uint32_t flags, const ty_rng *rng)
{
    const uint32_t step = flags & (TY_MP_PRIME_3MOD4 | TY_MP_PRIME_SAFE) ? 4 : 2,
                   safe = !!(flags & TY_MP_PRIME_SAFE);
    const size_t lanes = ty_modn_beside(z->len);
    sieve s;
    batch b;
    ty_err e = TY_OK;
    for (size_t i = 0; i < TY_LANES_MOST; i++)
        ty_mp_init_with(b.z + i, z->alloc), ty_mp_init_with(b.half + i, z->alloc);
    b.n = 0;
    shape(z, bits, flags);
    start(&s, z, step);
    *found = 0;
    for (size_t i = 0; i < 16 * bits && !*found && !e; i++) {
        if (i) {
            sieve_next(&s);
            const ty_limb c = ty_limb_add_1(ty_mp_d(z), ty_mp_cd(z), z->len, step);
            const size_t top = bits - 1;
            uint32_t over = (uint32_t)c |
                            (uint32_t)(ty_mp_cd(z)[top / TY_LIMB_BITS] >> top % TY_LIMB_BITS != 1);
            TY_PUBLIC(&over, sizeof over);   /* beyond the last candidate: the start is discarded */
            if (over) break;
        }
        if (has_factor(&s, safe)) continue;
        e = ty_mp_copy(b.z + b.n++, z);
        if (!e && b.n == lanes) e = test(found, z, &b, (int)safe, rng);
    }
    if (!e && !*found) e = test(found, z, &b, (int)safe, rng);
    for (size_t i = 0; i < TY_LANES_MOST; i++) ty_mp_clear(b.z + i), ty_mp_clear(b.half + i);
    ty_wipe(&s, sizeof s);
    return e;
}

/* The number of starts after which the source of randomness is taken to be broken. About one start
 * in 47 finds a safe prime of 4096 bits, and one in 190 a safe prime of 16,384 bits, so that with a
 * good source all of them fail with a probability below 10^-9. */
static size_t starts(size_t bits) { return 1024 + bits / 4; }

ty_err ty_mp_prime(ty_mp *z, size_t bits, uint32_t flags, const ty_rng *rng)
{
    const uint32_t all = TY_MP_PRIME_TOP2 | TY_MP_PRIME_3MOD4 | TY_MP_PRIME_SAFE;
    const size_t least = flags & TY_MP_PRIME_SAFE   ? (flags & TY_MP_PRIME_TOP2 ? 6 : 5)
                         : flags & TY_MP_PRIME_TOP2 ? 3
                                                    : 2;
    if (bits < least || flags & ~all) return TY_ERR_ARG;
    /* only 15 has these bits, and it is not prime */
    if (bits == 4 && flags == (TY_MP_PRIME_TOP2 | TY_MP_PRIME_3MOD4)) return TY_ERR_ARG;
    ty_mp t;
    ty_mp_init_with(&t, z->alloc);
    ty_err e = TY_OK;
    if (bits < 24) {
        e = small_prime(&t, bits, flags, rng);
        if (!e) e = ty_mp_pad(&t, bits);
    }
    int found = bits < 24;
    for (size_t i = 0; !found && !e; i++) {
        e = i < starts(bits) ? ty_mp_random_bits(&t, bits, rng) : TY_ERR_RNG;
        if (!e) e = search(&found, &t, bits, flags, rng);
    }
    if (!e) ty_mp_swap(z, &t);
    ty_mp_clear(&t);
    return e;
}
