/* Signing in TY_MLDSA_RAM bytes of stack: the signatures are those of the ordinary functions, the
 * stack is not deeper than that, no secret remains on it, and a failing random source leaves zeros.
 * The checks are printed for each set that fits the budget. */
#include "fw.h"

#include "mldsa/lean_ram.h"
#include "tongyu/keccak.h"
#include "tongyu/mldsa.h"

#include <string.h>

/* DEPTH: bytes of stack that are examined; TOP: the uppermost of them, for the frames of the
 * functions that paint and search; PART: bytes of a secret that are searched for at once */
enum { DEPTH = 96 * 1024, TOP = 96, FRESH = 0xa5, PART = 16 };

static uint8_t pub[TY_MLDSA_PUB_MAX], key[TY_MLDSA_KEY_MAX], sig[TY_MLDSA_SIG_MAX],
    want[TY_MLDSA_SIG_MAX];
static ty_mldsa_key whole;
static int failures;

static void report(const char *what, int ok)
{
    fw_print(ok ? "ok   " : "FAIL ");
    fw_print(what);
    fw_print("\n");
    failures += !ok;
}

/* The lowest address of the DEPTH bytes of stack below the caller. Only the code under test uses
 * them before they are searched. */
static __attribute__((noinline)) volatile uint8_t *below(void)
{
    return (volatile uint8_t *)__builtin_frame_address(0) - DEPTH;
}

static __attribute__((noinline)) void paint(volatile uint8_t *p)
{
    for (size_t i = 0; i < DEPTH - TOP; i++) p[i] = FRESH;
}

/* bytes between the lowest one that was written and the top */
static size_t used(const volatile uint8_t *p)
{
    size_t i = 0;
    while (i < DEPTH && p[i] == FRESH) i++;
    return DEPTH - i;
}

/* how often a part of the secret, PART bytes each, is found from p[from] to p[DEPTH - TOP], at any
 * address */
static size_t traces(const volatile uint8_t *p, size_t from, const uint8_t *secret, size_t len)
{
    size_t found = 0;
    for (size_t at = 0; at + PART <= len; at += PART)
        for (size_t i = from; i + PART <= DEPTH - TOP; i++) {
            size_t same = 0;
            while (same < PART && p[i + same] == secret[at + same]) same++;
            found += same == PART;
        }
    return found;
}

/* Secrets of signing: K, coefficients of s1, the seed of the masks, and the first mask's stream and
 * coefficients */
static struct {
    uint8_t k[32], rho[64], stream[128];
    int8_t s[64];
    int32_t mask[48];
} secret;

/* Sets `secret` from the encoded private key and mu [FIPS 204, algorithm 7]. */
static void derive(ty_mldsa_set set, const uint8_t mu[64])
{
    const unsigned z_bits = set == TY_MLDSA_44 ? 18 : 20, bits = set == TY_MLDSA_65 ? 4 : 3;
    uint8_t in[128] = { 0 }, seed[66] = { 0 };
    memcpy(secret.k, key + 32, 32);
    memcpy(in, key + 32, 32);
    memcpy(in + 64, mu, 64);
    ty_shake256_hash(secret.rho, 64, in, sizeof in);
    memcpy(seed, secret.rho, 64);
    ty_shake256_hash(secret.stream, sizeof secret.stream, seed, sizeof seed);
    for (size_t i = 0; i < 48; i++) {
        int32_t field = 0;
        for (size_t b = 0; b < z_bits; b++)
            field |= (int32_t)(secret.stream[(z_bits * i + b) / 8] >> (z_bits * i + b) % 8 & 1)
                     << b;
        secret.mask[i] = (1 << (z_bits - 1)) - field;
    }
    for (size_t i = 0; i < 64; i++) {
        int field = 0;
        for (size_t b = 0; b < bits; b++)
            field |= (key[128 + (bits * i + b) / 8] >> (bits * i + b) % 8 & 1) << b;
        secret.s[i] = (int8_t)((bits == 4 ? 4 : 2) - field);
    }
}

static size_t all_traces(const volatile uint8_t *p, size_t from)
{
    return traces(p, from, secret.k, sizeof secret.k) +
           traces(p, from, secret.rho, sizeof secret.rho) +
           traces(p, from, secret.stream, sizeof secret.stream) +
           traces(p, from, (const uint8_t *)secret.s, sizeof secret.s) +
           traces(p, from, (const uint8_t *)secret.mask, sizeof secret.mask);
}

/* leaves a copy that is not wiped, which the search must find */
static __attribute__((noinline)) void careless(void)
{
    uint8_t copy[1024];
    memcpy(copy, secret.rho, 32);
    __asm__ volatile("" : : "r"(copy) : "memory");
}

static ty_err no_bytes(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    memset(out, 0x11, len);
    return TY_ERR_RNG;
}

static void one_set(const char *name, ty_mldsa_set set)
{
    static const uint8_t msg[] = "a message of some length";
    const size_t sig_len = ty_mldsa_sig_len(set), key_len = ty_mldsa_key_len(set),
                 pub_len = ty_mldsa_pub_len(set);
    const ty_rng dead = { no_bytes, NULL };
    uint8_t seed[32] = { (uint8_t)set }, mu[64];
    volatile uint8_t *const stack = below();
    int same = 1, clean = 1, found = 1, zeros;
    size_t deepest = 0;
    for (uint8_t n = 0; n < 4; n++) {   /* several attempts among them */
        seed[1] = n;
        same &= ty_mldsa_keygen_encoded(pub, pub_len, key, key_len, seed, set) == TY_OK;
        same &= ty_mldsa_key_from_seed(&whole, seed, set) == TY_OK &&
                memcmp(whole.bytes, key, key_len) == 0;
        same &= memcmp(whole.pub.bytes, pub, pub_len) == 0;
        same &= ty_mldsa_sign(want, sig_len, msg, sizeof msg, NULL, 0, &whole, NULL) == TY_OK;
        {
            ty_mldsa_mu running;
            same &= ty_mldsa_mu_init_encoded(&running, NULL, 0, pub, pub_len) == TY_OK;
            ty_mldsa_mu_update(&running, msg, sizeof msg);
            ty_mldsa_mu_final(mu, &running);
        }
        derive(set, mu);
        paint(stack);
        same &= ty_mldsa_sign_encoded(sig, sig_len, msg, sizeof msg, NULL, 0, key, key_len, NULL) ==
                TY_OK;
        const size_t depth = used(stack);
        clean &= all_traces(stack, DEPTH - depth) == 0;
        if (depth > deepest) deepest = depth;
        same &= memcmp(sig, want, sig_len) == 0;
        same &=
            ty_mldsa_verify_encoded(sig, sig_len, msg, sizeof msg, NULL, 0, pub, pub_len) == TY_OK;
        sig[40] ^= 1;
        same &= ty_mldsa_verify_encoded(sig, sig_len, msg, sizeof msg, NULL, 0, pub, pub_len) ==
                TY_ERR_VERIFY;
        paint(stack);
        careless();
        found &= all_traces(stack, DEPTH - used(stack)) > 0;
    }
    zeros = ty_mldsa_sign_encoded(sig, sig_len, msg, sizeof msg, NULL, 0, key, key_len, &dead) ==
            TY_ERR_RNG;
    for (size_t i = 0; i < sig_len; i++) zeros &= sig[i] == 0;
    fw_print(name);
    fw_print("\n");
    report("the signatures of the ordinary functions", same);
    report("no deeper than TY_MLDSA_RAM", deepest <= TY_MLDSA_RAM);
    report("nothing secret on the stack", clean);
    report("a careless copy is found there", found);
    report("zeros without random bytes", zeros);
}

#define ONE(number, k, l) one_set("ml-dsa-" #number, TY_MLDSA_##number);

int main(void)
{
    TY_LEAN_SETS(ONE)
    fw_print(failures ? "budget: failed\n" : "budget: passed\n");
    return failures;
}
