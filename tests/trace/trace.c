/* Kernels of SM4, GHASH, SM3, SHA-2, ML-DSA, Keccak, integers, binary fields and curves, each call
 * between two marks, for trace.py: it runs this program under QEMU instruction by instruction with
 * different secrets and compares the addresses of instructions and of data.
 *   trace 0 | 1 | 2        with secrets of zeros, of ones, of noise
 * Prints the name of each piece of work, in order. */
#include "ec/ec_binary.h"
#include "f2m/f2_any.h"
#include "keccak/keccak.h"
#include "limb/limb.h"
#include "mldsa/mldsa.h"
#include "mod/f2_128.h"
#include "sha2/sha2.h"
#include "sm3/sm3.h"
#include "sm4/sm4.h"

#include <stdio.h>
#include <stdlib.h>

/* trace.py knows these two by name: what runs between them is compared. */
__attribute__((noipa)) void trace_begin(void) { __asm__ volatile("" : : : "memory"); }
__attribute__((noipa)) void trace_end(void) { __asm__ volatile("" : : : "memory"); }

typedef struct secrets {
    uint8_t key[16], text[16 * 40], mask[16 * 40], iv[16], x[16 * TY_SM4_LANES];
    uint32_t state[8];
} secrets;
static secrets secret, fresh;        /* fresh is made once, because QEMU logs every instruction */
static uint8_t out[16 * 40], table[256 * 64];
static volatile uint8_t sink;

static void make_secrets(int run)
{
    uint8_t *p = (uint8_t *)&fresh;
    uint32_t x = 0x9e3779b9u;
    memset(p, run ? 0xff : 0, sizeof fresh);
    for (size_t i = 0; run == 2 && i < sizeof fresh; i++) {
        x = x * 1664525u + 1013904223u;
        p[i] = (uint8_t)(x >> 24);
    }
}

#define TRACE(name, tier, n, ...)                                                                  \
    do {                                                                                           \
        const char number[] = { ' ', (char)('0' + (n) / 10), (char)('0' + (n) % 10), '\n', 0 };    \
        fputs(name, stdout);                                                                       \
        fputs(tier, stdout);                                                                       \
        fputs(number, stdout);                                                                     \
        secret = fresh;                                                                            \
        trace_begin();                                                                             \
        __VA_ARGS__;                                                                               \
        trace_end();                                                                               \
    } while (0)
#define TRACE_N(n, ...) TRACE(#__VA_ARGS__ ", ", t->name, n, __VA_ARGS__)

/* Controls: four leaks that trace.py has to catch, and a use of the secret that it has to let pass.
 * One leak is a divisor, because the time of a division may depend on its operands. */
__attribute__((noipa)) static void control(int kind)
{
    const uint8_t s = secret.key[3];
    if (kind == 0) {
        if (s & 1) sink = 1;
        else sink = (uint8_t)(sink + 3);
    }
    if (kind == 1) sink = table[64 * s];
    if (kind == 2) table[64 * s] = 1;
    if (kind == 3) sink = (uint8_t)(1000u / (1u + s));
    for (int i = 0; i < 16; i++) sink = (uint8_t)(sink ^ (secret.key[i] & secret.iv[i]));
}

static void sm4_kernels(const ty_tier *t)
{
    static ty_sm4_key key, keys[TY_SM4_LANES];
    static uint8_t h[16 * TY_SM4_LANES];
    static ty_sm4_lanes l;
    /* most tiers process groups of 4 blocks and batches of 16: a part of a group, one block, two
     * groups in part, three groups in part, a batch and a block */
    static const size_t blocks[] = { 3, 1, 6, 9, 17 };
    const ty_sm4_ops *o = t->ops;
    const int all = t->name[0] != 'c';                        /* the portable ones have one path */
    TRACE_N(1, o->schedule(key.enc, secret.key));
    for (size_t n = 3; n <= (all ? 32 : 3); n += n == 3 ? 13 : 16) {   /* 3, 16, 32 */
        TRACE_N(n, o->schedules(keys, sizeof *keys, h, secret.text, n));
        TRACE_N(n, o->schedules(keys, sizeof *keys, NULL, secret.text, n));
    }
    secret = fresh;
    ty_sm4_init_on(&key, o, secret.key);
    for (size_t i = 0; i < (all ? sizeof blocks / sizeof *blocks : 1); i++) {
        const size_t n = blocks[i];
        TRACE_N(n, o->ctr32(out, secret.text, n, secret.iv, key.enc));
        if (!all) continue;
        TRACE_N(n, o->ecb(out, secret.text, n, key.dec));
        TRACE_N(n, o->xex(out, secret.text, secret.mask, n, key.enc));
        TRACE_N(n, o->cbc_decrypt(out, secret.text, n, secret.iv, key.dec));
        TRACE_N(n, o->cfb_decrypt(out, secret.text, n, secret.iv, key.enc));
    }
    /* the blocks beside join an incomplete batch, and a whole one */
    for (size_t n = 5; n <= 33 && o->ctr32_beside; n += 28)
        TRACE_N(n, o->ctr32_beside(out, secret.text, n, secret.iv, secret.mask, 2, key.enc));
    TRACE_N(1, o->cbc_encrypt(out, secret.text, 1, secret.iv, key.enc));
    TRACE_N(5, o->lane_key(&l, 5, key.enc));
    for (size_t i = 0; i < (all ? 15 : 3); i++) o->lane_key(&l, i, key.enc);
    memcpy(l.x, fresh.x, sizeof l.x);
    /* 3, 7, 15 */
    for (size_t n = 3; n <= (all ? 15 : 3); n += n + 1) TRACE_N(n, o->lanes(&l, n));
}

static void ghash_kernels(const ty_tier *t)
{
    static uint64_t power[8][2];
    const ty_f2_128_ops *o = t->ops;
    TRACE_N(1, o->powers(power, secret.key));
    secret = fresh;
    o->powers(power, secret.key);
    for (size_t n = 1; n <= (t->name[0] == 'c' ? 1 : 17); n += 4) {
        TRACE_N(n, o->horner(secret.iv, secret.text, n, (const uint64_t (*)[2])power));
        TRACE_N(n, o->polyval(secret.iv, secret.text, n, (const uint64_t (*)[2])power));
        TRACE_N(n, o->ladder(out, n, secret.iv, 0));
        TRACE_N(n, o->ladder(out, n, secret.iv, 1));
    }
}

static void sm3_kernels(const ty_tier *t)
{
    static ty_sm3_lanes l;
    static ty_sm3_chain c;
    const ty_sm3_ops *o = t->ops;
    TRACE_N(2, o->blocks(secret.state, secret.text, 2));
    if (!o->lanes) return;
    memcpy(l.h, fresh.text, sizeof l.h);
    for (size_t i = 0; i < TY_SM3_LANES; i++) l.in[i] = secret.mask + 16 * i;
    memcpy(c.inner, fresh.text, sizeof c.inner);
    memcpy(c.outer, fresh.mask, sizeof c.outer);
    memcpy(c.u, fresh.text + 64, sizeof c.u);
    TRACE_N(1, o->step(&l, 1));
    TRACE_N(1, o->chain(&c, 1));
}

/* Secret numbers of any size: the transforms may overflow, which does not matter here. */
static ty_q_poly poly[4];
static uint64_t states[25][4] __attribute__((aligned(32))), state[25];
static uint64_t eight[25][8] __attribute__((aligned(64)));

static void mldsaq_kernels(const ty_tier *t)
{
    const ty_q_ops *o = t->ops;
    uint32_t h[8];
    for (size_t i = 0; i < 4; i++)
        memcpy(poly[i], (const uint8_t *)&fresh + 64 * i, sizeof poly[i]);
    TRACE_N(1, o->ntt(poly[0]));
    TRACE_N(1, o->intt(poly[1]));
    TRACE_N(4, o->dot(poly[2], (const ty_q_poly *)poly, (const ty_q_poly *)poly, 4));
    TRACE_N(1, o->add(poly[0], poly[1], poly[2], 1000));
    TRACE_N(1, o->power2round(poly[0], poly[1], poly[2]));
    for (int32_t gamma2 = TY_Q_GAMMA2_88; gamma2;
         gamma2 = gamma2 == TY_Q_GAMMA2_88 ? TY_Q_GAMMA2_32 : 0) {
        TRACE_N(1, o->decompose(poly[0], poly[1], poly[2], gamma2));
        TRACE_N(1, o->make_hint(h, poly[0], poly[2], gamma2));
        TRACE_N(1, o->use_hint(poly[0], poly[3], h, gamma2));
    }
}

/* Without the samplers: which candidates they reject is public. */
static void mldsa_kernels(const ty_tier *t)
{
    static ty_mldsa_challenge challenge = { { 0 }, 20, 39 };   /* a challenge is public */
    const ty_mldsa_ops *o = t->ops;
    for (size_t i = 0; i < challenge.n; i++) challenge.at[i] = (uint8_t)(6 * i);
    for (unsigned bits = 13; bits <= 20; bits += 7) {
        TRACE_N(1, o->pack(out, poly[0], bits, 1 << (bits - 1)));
        TRACE_N(1, o->unpack(poly[0], secret.text, bits, 1 << (bits - 1)));
    }
    TRACE_N(1, o->add_times(poly[0], &challenge, (const int8_t *)&secret, 2, 1000));
    TRACE_N(8, o->pack_some(out, poly[0], 8, 13, 1 << 12));
    TRACE_N(8, o->unpack_some(poly[0], secret.text, 8, 13, 1 << 12));
    TRACE_N(8, o->times(poly[0], poly[1], poly[2], 8));
    TRACE_N(8, o->times_packed(secret.text, poly[1], poly[2], 8));
    TRACE_N(1, o->windows(poly[0], &challenge, (const int8_t *)&secret, 32, 2));
}

static void keccak_kernels(const ty_tier *t)
{
    static uint8_t *const to[4] = { out, out + 136, out + 2 * 136, out + 3 * 136 };
    const ty_keccak_ops *o = t->ops;
    memcpy(states, &fresh, sizeof states);
    memcpy(state, &fresh, sizeof state);
    for (size_t i = 0; i < 25; i++) memcpy(eight[i], fresh.text + 8 * i, sizeof eight[i]);
    TRACE_N(1, o->f1600(state));
    TRACE_N(17, o->add(state, 0, secret.text, 17));
    TRACE_N(17, o->get(out, state, 0, 17));
    if (t->name[0] == 'c') return;
    TRACE_N(4, o->f1600_x4(states));
    TRACE_N(5, o->f1600_x4_x1(states, state));
    TRACE_N(8, o->f1600_x8(eight));
    TRACE_N(9, o->f1600_x8_x1(eight, state));
    TRACE_N(17, o->give_x4(to, &states[0][0], 4, 17));
}

/* Lengths that are not multiples of four limbs */
static void limb_kernels(const ty_tier *t)
{
    enum { N = 11 };
    static ty_limb x[2 * N], y[2 * N], z[2 * N], m[N];
    const ty_limb_ops *o = t->ops;
    memcpy(x, &fresh, sizeof x);
    memcpy(y, (const uint8_t *)&fresh + 40, sizeof y);
    memcpy(m, (const uint8_t *)&fresh + 80, sizeof m);
    TRACE_N(N, o->add(z, x, y, N));
    TRACE_N(N, o->sub(z, x, y, N));
    TRACE_N(N, o->neg_if(z, N, 0 - (x[0] & 1)));
    TRACE_N(N, o->sum_4(z, x, y, y + 1, N, 0 - (x[0] & 1)));
    TRACE_N(N, o->mul_1(z, x, N, y[0]));
    TRACE_N(N, o->addmul_1(z, x, N, y[0]));
    TRACE_N(N, o->submul_1(z, x, N, y[0]));
    TRACE_N(N, o->mul(z, x, N, y, N - 1));
    TRACE_N(N, o->sqr(z, x, N));
    TRACE_N(N, o->redc(z, y, m, N, x[1]));
    TRACE_N(6, o->mont(z, x, y, m, 6, x[1]));
    TRACE_N(5, o->mont2(z, m, 5, x[1], 2));
    TRACE_N(N, o->gather(z, (const ty_limb *)&states, N, 7, x[0] & 3));
}

static void sha256_kernels(const ty_tier *t)
{
    const ty_sha256_ops *sha256 = t->ops;
    TRACE_N(2, sha256->blocks(secret.state, secret.text, 2));
}

static void sha512_kernel(void)
{
    static uint64_t h[8];
    memcpy(h, fresh.mask, sizeof h);
    TRACE("ty_sha512_blocks, ", "c", 1, ty_sha512_blocks(h, secret.text, 1));
}

/* A named field, on encoded elements. */
static void field_kernels(const ty_ec_curve *c, const ty_tier *t)
{
    const ty_ec_binary_ops *o = t->ops;
    static uint8_t x[72], y[72];
    const size_t len = ty_ec_len(c);
    const uint8_t top = (uint8_t)(0xff >> (8 * len - c->m));   /* a degree below m */
    memcpy(x, fresh.text, len);
    memcpy(y, fresh.mask, len);
    x[0] &= top;
    y[0] &= top;
    TRACE_N(c->m / 10, o->field_mul(out, x, y));
    TRACE_N(c->m / 10, o->field_sqr(out, x));
    if (c->m > 163) return;   /* the same chains of products and squares, only longer */
    TRACE_N(c->m / 10, o->field_inv(out, x));
    TRACE_N(c->m / 10, o->field_sqrt(out, x));
    TRACE_N(c->m / 10, o->field_solve(out, x));
}

/* Whole point multiplications: by the ladder, by tau on a Koblitz curve, and by the comb. */
static void curve_kernels(const ty_ec_curve *c, const ty_tier *t)
{
    const ty_ec_binary_ops *o = t->ops;
    static uint8_t p[2 * 72];
    memcpy(p, ty_ec_g(c), 2 * ty_ec_len(c));
    TRACE_N(c->m / 10, o->mul(out, secret.text, c->n_bits, p, c));
    TRACE_N(c->m / 10, o->mul_base(out, secret.text, c));
    TRACE_N(c->m / 10, o->odd(secret.text, c));
}

/* A field given at run time, x^113 + x^9 + 1, with each method of reduction; points and the mask
 * are secret. */
static void any_kernels(const ty_tier *t)
{
    static const uint8_t poly[15] = { 2, [13] = 2, [14] = 1 };
    static ty_f2_any f;
    static ty_f2_any_pair p;
    static ty_f2_any_el x;
    const ty_f2_any_ops *any = t->ops;
    for (ty_f2_way way = TY_F2_FULL; way <= TY_F2_MONTGOMERY; way++) {
        if (ty_f2_any_init(&f, poly, sizeof poly, way, 0) != TY_OK) exit(3);
        const ty_f2_any_kernels *o = any->pick(&f);
        const ty_f2_any_rung rung = any->rung ? any->rung(&f) : NULL;
        const uint64_t mask = 0 - (uint64_t)(fresh.key[3] & 1);
        memcpy(p.x0.w, fresh.text, 14);
        memcpy(p.z0.w, fresh.text + 16, 14);
        memcpy(p.x1.w, fresh.text + 32, 14);
        memcpy(p.z1.w, fresh.text + 48, 14);
        memcpy(x.w, fresh.text + 64, 14);
        if (rung) TRACE_N(way, rung(&p, mask, &x, &f.one, &f));
        else TRACE_N(way, ty_f2_any_climb(&p, mask, &x, &f.one, &f, o));
        TRACE_N(way, o->mul(&x, &p.x0, &p.x1, &f));
        TRACE_N(way, o->sqr_n(&x, &p.x0, 2, &f));
        TRACE_N(way, o->canon(&x, &p.x0, &f));
    }
}

/* A product only for each bit that is set, which trace.py has to catch. */
static void leaky_ladder(void)
{
    const ty_ec_curve *c = ty_ec_curve_named("sect163r2");
    const ty_ec_binary_ops *o = ty_ec_binary_best(c);
    static uint8_t x[21];
    TRACE("leaky: a product for each bit that is set", "", 8, for (int i = 0; i < 8; i++) {
        if (secret.key[3] >> i & 1) o->field_mul(x, x, ty_ec_g(c));
    });
}

static int runs(const ty_tier *t) { return !(t->need & ~ty_cpu_have()); }

static void binary_kernels(void)
{
    leaky_ladder();
    for (const ty_ec_curve *c = ty_ec_f2_curves; c->name; c++) {
        /* the portable tiers are examined on x86-64, by tests/ct */
        for (const ty_tier *t = c->tiers; t->name; t++) {
            if (t->name[0] == 'c' || !runs(t)) continue;
            if (c == ty_ec_f2_curves || c[-1].m != c->m) field_kernels(c, t);
            if (!strcmp(c->name, "sect163k1") || !strcmp(c->name, "sect163r2"))
                curve_kernels(c, t);
        }
    }
    for (const ty_tier *t = ty_f2_any_tiers; t->name; t++)
        if (t->name[0] != 'c' && runs(t)) any_kernels(t);
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    make_secrets(argv[1][0] - '0');
    TRACE("leaky: a branch", "", 0, control(0));
    TRACE("leaky: an index of a load", "", 1, control(1));
    TRACE("leaky: an index of a store", "", 2, control(2));
    TRACE("leaky: a divisor", "", 3, control(3));
    TRACE("masks", "", 4, control(4));
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
        if (runs(t)) sm4_kernels(t);
    for (const ty_tier *t = ty_f2_128_tiers; t->name; t++)
        if (runs(t)) ghash_kernels(t);
    for (const ty_tier *t = ty_sm3_tiers; t->name; t++)
        if (runs(t)) sm3_kernels(t);
    for (const ty_tier *t = ty_sha256_tiers; t->name; t++)
        if (runs(t)) sha256_kernels(t);
    sha512_kernel();
    /* the portable tiers are examined on x86-64, by tests/ct */
    for (const ty_tier *t = ty_q_tiers + 1; t->name; t++)
        if (runs(t)) mldsaq_kernels(t);
    for (const ty_tier *t = ty_mldsa_tiers + 1; t->name; t++)
        if (runs(t)) mldsa_kernels(t);
    for (const ty_tier *t = ty_keccak_tiers + 1; t->name; t++)
        if (runs(t)) keccak_kernels(t);
    for (const ty_tier *t = ty_limb_tiers + 1; t->name; t++)
        if (runs(t)) limb_kernels(t);
    binary_kernels();
    return 0;
}
