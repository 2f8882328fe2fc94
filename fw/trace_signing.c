/* Sixteen keys and seeds of masks, one trace: fw_same_sign_* are whole signatures of ML-DSA in
 * TY_MLDSA_RAM bytes, of which tools/fw_traces.py compares the order of instructions and the
 * addresses. Public values are the same every time: rho, the message, the challenge (here the same
 * for every commitment), and the number of attempts (secrets that need a second attempt are
 * replaced). leaky_* are the controls: the same signature with one more instruction, which depends
 * on the key. */
#define ty_lean_challenged same_challenge
#include "mldsa/lean_sign.c"
#undef ty_lean_challenged
void ty_lean_challenged(ty_lean_signing *g);

#include "fw.h"

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

static uint8_t key[TY_MLDSA_KEY_MAX], sig[TY_MLDSA_SIG_MAX];
static const uint8_t message[TY_MLDSA_MU_LEN] = "the same message every time";
static volatile uint8_t table[256];
static unsigned attempts;
static enum { SAFE, BRANCH, ADDRESS } leak;

/* Sets w0 to 12 bits and the challenge to the same value whatever w is, so that only the check of z
 * can reject */
void same_challenge(ty_lean_signing *g)
{
    const ty_mldsa_ops *bytes = ty_mldsa_best();
    attempts++;
    for (size_t i = 0; i < g->s.row->k; i++) {
        uint8_t *const packed = g->packed + TY_LEAN_PACKED * i;
        int32_t *const p = g->w ? g->w[i] : g->s.p;
        if (!g->w) bytes->unpack_some(p, packed, 256, 23, 0);
        for (size_t j = 0; j < 256; j++) p[j] = TY_LEAN_MIDDLE | (p[j] & (TY_LEAN_NOT_0 | 0xfff));
        if (!g->w) bytes->pack_some(packed, p, 256, 23, 0);
    }
    memset(g->sig, 23, g->s.row->c_len);
    if (leak == BRANCH && (g->key[TY_LEAN_K] & 1)) __asm__ volatile("nop");
    if (leak == ADDRESS) (void)table[g->key[TY_LEAN_K]];
    ty_lean_challenged(g);
}

/* draws random secrets: K, s1 and s2 in their range, t0 */
static void fresh_key(const ty_mldsa_row *row)
{
    uint8_t *const s = key + TY_LEAN_S;
    const size_t bits = row->eta_bits, end = 8 * (ty_lean_t0_at(row, 0) - TY_LEAN_S);
    (void)draw(NULL, key + TY_LEAN_K, row->key_len - TY_LEAN_K);
    for (size_t at = 0; at < end; at += bits) {
        uint32_t field;
        do {
            uint8_t byte;
            (void)draw(NULL, &byte, 1);
            field = byte & ((1u << bits) - 1);
        } while (field > 2u * row->eta);
        for (size_t b = 0; b < bits; b++) {
            uint8_t *const in = s + (at + b) / 8;
            *in = (uint8_t)((*in & ~(1u << (at + b) % 8)) | (field >> b & 1) << (at + b) % 8);
        }
    }
}

static int sign_once(const ty_mldsa_row *row)
{
    attempts = 0;
    return (int)ty_mldsa_sign_lean(sig, row->sig_len, message, key, row, &rng);
}

#define SAME(number, k, l)                                                         \
    __attribute__((noinline)) static int fw_same_sign_##number(void)               \
    {                                                                              \
        const int err = sign_once(ty_mldsa_find(TY_MLDSA_##number));               \
        __asm__ volatile("" ::: "memory");                                         \
        return err;                                                                \
    }
TY_LEAN_SETS(SAME)

__attribute__((noinline)) static int leaky_branch(void)
{
    leak = BRANCH;
    const int err = sign_once(ty_mldsa_find(TY_MLDSA_44));
    leak = SAFE;
    return err;
}
__attribute__((noinline)) static int leaky_address(void)
{
    leak = ADDRESS;
    const int err = sign_once(ty_mldsa_find(TY_MLDSA_44));
    leak = SAFE;
    return err;
}

/* draws secrets whose first attempt is accepted, and resets the generator to its state before that
 * attempt */
static int ready(ty_mldsa_set set)
{
    const ty_mldsa_row *row = ty_mldsa_find(set);
    int err = 0;
    do {
        fresh_key(row);
        const uint32_t before = state;
        err |= sign_once(row);
        state = before;
    } while (attempts > 1 && !err);
    return err;
}

#define RUN(number, k, l)                 \
    err |= ready(TY_MLDSA_##number);      \
    err |= fw_same_sign_##number();       \
    again |= attempts - 1;

int main(void)
{
    int err = 0;
    unsigned again = 0;
    for (int i = 0; i < 16; i++) {
        TY_LEAN_SETS(RUN)
        err |= ready(TY_MLDSA_44) | leaky_branch();
        err |= ready(TY_MLDSA_44) | leaky_address();
    }
    fw_print(err || again ? "trace_signing: failed\n" : "trace_signing: passed\n");
    return err || again;
}
