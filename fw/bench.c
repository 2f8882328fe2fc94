/* The costs of the families on a Cortex-M4, one line for each function. On a board the cycles are
 * those of DWT's counter, and the lines are CSV, through semihosting; under tools/fw_bench.py the
 * cycle model counts them, for the functions named bench_*, and also reports instructions, memory
 * and stack. Keys come from a generator that only counts: there is no entropy on an emulated board,
 * and none is needed to count cycles. */
#include "fw.h"

#include "keccak/keccak.h"
#include "mldsa/lean.h"
#include "mldsa/mldsa.h"
#include "mod/q_mldsa.h"
#include "sm3/sm3.h"
#include "tongyu/mldsa.h"
#include "tongyu/sm2.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"

#include <string.h>

static ty_err count_up(void *ctx, uint8_t *out, size_t len)
{
    uint8_t *next = ctx;
    for (size_t i = 0; i < len; i++) out[i] = (uint8_t)(37 * (*next)++ + 11);
    return TY_OK;
}
static uint8_t seed = 1;
static const ty_rng rng = { count_up, &seed };

static ty_q_poly p[8], q[8], z;
static ty_lean lean;
static ty_mldsa_challenge challenge;
static int8_t small[512];
static uint64_t lanes[25];
static uint32_t state[8];
static uint8_t buffer[1024], digest[32], sig[TY_MLDSA_SIG_MAX];
static ty_sm2_key sm2;
static ty_sm4_key sm4;
static uint8_t pub[TY_MLDSA_PUB_MAX], key[TY_MLDSA_KEY_MAX];

/* Each is a separate function, with an end across which no compiler moves code. */
#define BENCH(name, call)                                 \
    __attribute__((noinline)) static int bench_##name(void) \
    {                                                     \
        const int err = (int)(call);                      \
        __asm__ volatile("" ::: "memory");                \
        return err;                                       \
    }
#define ID (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN
/* The functions for little memory, with encoded keys: the ordinary calls, with up to 132 KB of
 * stack, are not for microcontrollers. */
#define KEY(set) pub, ty_mldsa_pub_len(TY_MLDSA_##set), key, ty_mldsa_key_len(TY_MLDSA_##set)
#define MLDSA(set)                                                                                 \
    BENCH(mldsa##set##_keygen, ty_mldsa_keygen_encoded(KEY(set), digest, TY_MLDSA_##set))          \
    BENCH(mldsa##set##_sign,                                                                       \
          ty_mldsa_sign_encoded(sig, ty_mldsa_sig_len(TY_MLDSA_##set), digest, 32, NULL, 0, key,   \
                                ty_mldsa_key_len(TY_MLDSA_##set), NULL))                           \
    BENCH(mldsa##set##_verify,                                                                     \
          ty_mldsa_verify_encoded(sig, ty_mldsa_sig_len(TY_MLDSA_##set), digest, 32, NULL, 0, pub, \
                                  ty_mldsa_pub_len(TY_MLDSA_##set)))

BENCH(q_ntt, (ty_q_best()->ntt(p[0]), 0))
BENCH(q_intt, (ty_q_best()->intt(p[0]), 0))
BENCH(q_dot4, (ty_q_best()->dot(z, (const ty_q_poly *)p, (const ty_q_poly *)q, 4), 0))
BENCH(q_dot7, (ty_q_best()->dot(z, (const ty_q_poly *)p, (const ty_q_poly *)q, 7), 0))
/* mldsa_a: a polynomial of A, from its seed. c_times_two: the challenge times two polynomials of s1
 * or s2, in one transform; c_times: times one of them, by windows, and added to a polynomial */
BENCH(mldsa_a, (ty_lean_whole_a(&lean, (int32_t *)p, digest, 0, 0), 0))
BENCH(mldsa_c_times_two, (ty_q_best()->ntt(p[0]),
                          ty_q_best()->dot(p[0], (const ty_q_poly *)p, (const ty_q_poly *)q, 1),
                          ty_q_best()->intt(p[0]), 0))
#define TIMES(set, terms, eta)                                              \
    BENCH(mldsa##set##_c_times,                                             \
          (challenge.n = (terms), challenge.plus = (terms) / 2,             \
           ty_mldsa_best()->add_times(z, &challenge, small, eta, TY_Q) != 0))
TIMES(44, 39, 2)
TIMES(65, 49, 4)
TIMES(87, 60, 2)
/* the permutation of a state in the tier's form, which sponges use, and with conversion of the
 * lanes to that form and back */
BENCH(keccak, (ty_keccak_best()->permute(lanes), 0))
BENCH(keccak_lanes, (ty_keccak_best()->f1600(lanes), 0))
BENCH(sm3_16_blocks, (ty_sm3_best()->blocks(state, buffer, 16), 0))
BENCH(sm4_key, (ty_sm4_init(&sm4, buffer), 0))
BENCH(sm4_1_block, ty_sm4_ecb_encrypt(buffer, buffer, 16, &sm4))
BENCH(sm4_64_blocks, ty_sm4_ecb_encrypt(buffer, buffer, 1024, &sm4))
BENCH(sm2_keygen, ty_sm2_keygen(&sm2, &rng))
BENCH(sm2_sign, ty_sm2_sign(sig, digest, 32, ID, &sm2, &rng))
BENCH(sm2_verify, ty_sm2_verify(sig, digest, 32, ID, &sm2.pub))
BENCH(sm2_ecdh, ty_sm2_ecdh(buffer, &sm2.pub, &sm2))
MLDSA(44)
MLDSA(65)
MLDSA(87)

static volatile uint32_t *const dwt_ctrl = (volatile uint32_t *)0xe0001000;
static volatile uint32_t *const dwt_cyccnt = (volatile uint32_t *)0xe0001004;

/* Prints the line of a function, with its cycles. */
static int report(const char *name, int err, uint32_t cycles)
{
    char line[48];
    size_t at = sizeof line;
    line[--at] = 0;
    line[--at] = '\n';
    do line[--at] = (char)('0' + cycles % 10); while (cycles /= 10);
    line[--at] = ',';
    fw_print(name);
    fw_print(err ? ",failed\n" : line + at);
    return err != 0;
}

/* Each is called by its name, because an image has no calls through pointers. */
#define RUN(name)                                                    \
    do {                                                             \
        const uint32_t begin = *dwt_cyccnt;                          \
        const int err = bench_##name();                              \
        failed |= report(#name, err, *dwt_cyccnt - begin);           \
    } while (0)
#define RUN_MLDSA(set) \
    RUN(mldsa##set##_keygen); RUN(mldsa##set##_sign); RUN(mldsa##set##_verify)

int main(void)
{
    int failed = 0;
    *(volatile uint32_t *)0xe000edfc |= 1u << 24;   /* DEMCR.TRCENA */
    *dwt_ctrl |= 1;
    RUN(q_ntt);
    RUN(q_intt);
    RUN(q_dot4);
    RUN(q_dot7);
    RUN(mldsa_a);
    RUN(mldsa_c_times_two);
    for (uint8_t i = 0; i < 64; i++) challenge.at[i] = (uint8_t)(4 * i + 1);
    RUN(mldsa44_c_times);
    RUN(mldsa65_c_times);
    RUN(mldsa87_c_times);
    RUN(keccak);
    RUN(keccak_lanes);
    RUN(sm3_16_blocks);
    RUN(sm4_key);
    RUN(sm4_1_block);
    RUN(sm4_64_blocks);
    RUN(sm2_keygen);
    RUN(sm2_sign);
    RUN(sm2_verify);
    RUN(sm2_ecdh);
    RUN_MLDSA(44);
    RUN_MLDSA(65);
    RUN_MLDSA(87);
    return failed;
}
