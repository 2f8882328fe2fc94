/* Sixteen secrets, one trace: each function fw_same_* is called sixteen times with different
 * secrets and the same public input, and tools/fw_traces.py fails if the cycle model saw another
 * order of instructions or other addresses. leaky_* are the controls: functions whose traces must
 * differ. */
#include "fw.h"

#include "keccak/keccak.h"
#include "mldsa/mldsa.h"
#include "mod/q_mldsa.h"
#include "sm3/sm3.h"
#include "tongyu/sm2.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"

#include <string.h>

static uint32_t state = 1;
static ty_err draw(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525u + 1013904223u;
        out[i] = (uint8_t)(state >> 24);
    }
    return TY_OK;
}
static const ty_rng rng = { draw, NULL };

static union {
    uint8_t bytes[8 * 1024];
    ty_q_poly p[8];
    uint64_t words[25];
    int8_t small[1024];
} secret;
static ty_q_poly out;
static uint8_t packed[1024], sealed[200], text[1024];
static const uint8_t message[64] = "the same message every time";
static ty_mldsa_challenge challenge;
static ty_sm2_key mine, other;
static ty_sm4_key sm4;

/* fresh: new random secrets; coefficients: new ones of at most `bits` bits and a sign */
static void fresh(void) { (void)draw(NULL, secret.bytes, sizeof secret.bytes); }
static void coefficients(unsigned bits)
{
    fresh();
    for (size_t i = 0; i < 8 * 256; i++) secret.p[i / 256][i % 256] >>= 31 - bits;
}

#define SAME(name, call)                                      \
    __attribute__((noinline)) static int fw_same_##name(void) \
    {                                                         \
        const int err = (int)(call);                          \
        __asm__ volatile("" ::: "memory");                    \
        return err;                                           \
    }
#define ID (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN
#define Q(f, ...) (ty_q_best()->f(__VA_ARGS__), 0)
#define BYTES(f, ...) (ty_mldsa_best()->f(__VA_ARGS__), 0)
#define PACK(bits, top)                                                                            \
    (ty_mldsa_best()->pack_some(packed, secret.p[0], 64, bits, top),                               \
     BYTES(unpack_some, out, packed, 64, bits, top))

SAME(q_ntt, Q(ntt, secret.p[0]))
SAME(q_intt, Q(intt, secret.p[0]))
SAME(q_dot, Q(dot, out, (const ty_q_poly *)secret.p, (const ty_q_poly *)secret.p + 1, 7))
SAME(q_add, Q(add, out, secret.p[0], secret.p[1], 1000))
SAME(q_decompose, Q(decompose, out, secret.p[1], secret.p[0], TY_Q_GAMMA2_88))
SAME(q_power2round, Q(power2round, out, secret.p[1], secret.p[0]))
SAME(mldsa_fields, PACK(3, 2) | PACK(4, 4) | PACK(6, 0) | PACK(10, 0) | PACK(13, 1 << 12) |
                       PACK(18, 1 << 17) | PACK(20, 1 << 19) | PACK(23, 0))
SAME(mldsa_times, BYTES(times, out, secret.p[0], secret.p[1], 256))
SAME(mldsa_times_packed, BYTES(times_packed, packed, secret.p[0], secret.p[1], 256))
SAME(mldsa_windows, BYTES(windows, out, &challenge, secret.small, 64, 4))
SAME(mldsa_add_times, BYTES(add_times, out, &challenge, secret.small, 2, 1000))
SAME(keccak, (ty_keccak_best()->f1600(secret.words), ty_keccak_best()->permute(secret.words),
              ty_keccak_best()->get(packed, secret.words, 0, 25), 0))
SAME(shake256, (ty_shake256_hash(packed, 64, secret.bytes, 200), 0))
SAME(sm3, (ty_sm3_hash(packed, secret.bytes, 200), 0))
SAME(sm4_key, (ty_sm4_init(&sm4, secret.bytes), 0))
SAME(sm4_block, ty_sm4_ecb_encrypt(text, secret.bytes, 16, &sm4))
SAME(sm4_blocks, ty_sm4_ecb_encrypt(text, secret.bytes, 1024, &sm4))
SAME(sm4_back, ty_sm4_ecb_decrypt(text, text, 1024, &sm4))
SAME(sm4_ctr, (ty_sm4_ctr(text, secret.bytes, 1000, message, &sm4), 0))
SAME(sm2_keygen, ty_sm2_keygen(&mine, &rng))
SAME(sm2_sign, ty_sm2_sign(packed, message, sizeof message, ID, &mine, &rng))
SAME(sm2_ecdh, ty_sm2_ecdh(packed, &other.pub, &mine))
SAME(sm2_encrypt, ty_sm2_encrypt(sealed, secret.bytes, 40, TY_SM2_C1C3C2, &other.pub, &rng))

/* a branch and an address that depend on a secret, each one instruction long */
__attribute__((noinline)) static int leaky_branch(void)
{
    if (secret.bytes[0] & 1) __asm__ volatile("nop");
    return 0;
}
__attribute__((noinline)) static int leaky_address(void)
{
    return ((volatile uint8_t *)text)[secret.bytes[0]] & 0;
}

static int all(void)
{
    int err = 0;
    coefficients(22);
    err |= fw_same_q_ntt();
    coefficients(22);
    err |= fw_same_q_intt();
    coefficients(25);
    err |= fw_same_q_dot();
    coefficients(22);
    err |= fw_same_q_add() | fw_same_q_decompose() | fw_same_q_power2round();
    coefficients(2);
    err |= fw_same_mldsa_fields();
    coefficients(22);
    err |= fw_same_mldsa_times() | fw_same_mldsa_times_packed();
    fresh();
    for (size_t i = 0; i < 512; i++) secret.small[i] = (int8_t)((secret.small[i] & 3) - 1);
    err |= fw_same_mldsa_windows() | fw_same_mldsa_add_times();
    fresh();
    err |= fw_same_keccak() | fw_same_shake256() | fw_same_sm3();
    err |= fw_same_sm4_key() | fw_same_sm4_block() | fw_same_sm4_blocks() | fw_same_sm4_back() |
           fw_same_sm4_ctr();
    err |= fw_same_sm2_keygen() | fw_same_sm2_sign() | fw_same_sm2_ecdh() | fw_same_sm2_encrypt();
    return err | leaky_branch() | leaky_address();
}

int main(void)
{
    int err = ty_sm2_keygen(&other, &rng) != TY_OK;
    for (size_t i = 0; i < 49; i++) challenge.at[i] = (uint8_t)(5 * i);
    challenge.plus = 20;
    challenge.n = 49;
    for (int i = 0; i < 16; i++) err |= all();
    fw_print(err ? "traces: failed\n" : "traces: passed\n");
    return err;
}
