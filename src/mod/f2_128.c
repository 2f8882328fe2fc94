/* GF(2^128) in portable C, and the tier list. This tier is the definition: Algorithm 1 of SP
 * 800-38D with masks for its branches. It uses no multiplication, which small CPUs do in variable
 * time, and no table.
 *
 * Lower bound: 128 steps of 4 AND, 4 XOR, 7 for the shift, 4 for the two masks: 2432 operations per
 * block. */
#include "mod/f2_128.h"
#include "base/bytes.h"
#include "base/ct.h"
#include "mod/f2_128_x.h"

static void ty_f2_128_powers_c(uint64_t power[TY_AT_LEAST(8)][2], const uint8_t h[TY_AT_LEAST(16)])
{
    power[0][0] = ty_get64be(h);
    power[0][1] = ty_get64be(h + 8);
    for (int i = 1; i < 8; i++) power[i][0] = power[i][1] = 0;
}

/* y = y h; word 0 holds x^0 .. x^31, x^0 on top */
static void mul(uint32_t y[4], const uint32_t h[4])
{
    uint32_t z[4] = { 0, 0, 0, 0 }, v[4] = { h[0], h[1], h[2], h[3] };   /* v = h x^i */
    for (unsigned i = 0; i < 128; i++) {
        const uint32_t bit = ty_mask_bit32((y[i / 32] >> (31 - i % 32)) & 1);
        for (int j = 0; j < 4; j++) z[j] ^= v[j] & bit;
        /* x^127 becomes x^128, which is reduced */
        const uint32_t over = ty_mask_bit32(v[3] & 1);
        for (int j = 3; j > 0; j--) v[j] = v[j] >> 1 | v[j - 1] << 31;
        v[0] = v[0] >> 1 ^ ((uint32_t)TY_F2_128_CARRY_REFLECTED << 24 & over);
    }
    for (int j = 0; j < 4; j++) y[j] = z[j];
    ty_wipe(v, sizeof v);
    ty_wipe(z, sizeof z);
}

static void ty_f2_128_horner_c(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                               const uint64_t power[TY_AT_LEAST(8)][2])
{
    uint32_t a[4], h[4];
    for (int j = 0; j < 4; j++) {
        a[j] = ty_get32be(y + 4 * j);
        h[j] = (uint32_t)(power[0][j / 2] >> (j % 2 ? 0 : 32));
    }
    for (; blocks; blocks--, in += 16) {
        for (int j = 0; j < 4; j++) a[j] ^= ty_get32be(in + 4 * j);
        mul(a, h);
    }
    for (int j = 0; j < 4; j++) ty_put32be(y + 4 * j, a[j]);
    ty_wipe(a, sizeof a);
    ty_wipe(h, sizeof h);
}

static void turn_round(uint8_t out[16], const uint8_t in[16])
{
    for (int i = 0; i < 16; i++) out[i] = in[15 - i];
}

static void ty_f2_128_polyval_c(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                const uint64_t power[TY_AT_LEAST(8)][2])
{
    uint8_t a[16], x[16];
    turn_round(a, y);
    for (; blocks; blocks--, in += 16) {
        turn_round(x, in);
        ty_f2_128_horner_c(a, x, 1, power);
    }
    turn_round(y, a);
    ty_wipe(a, sizeof a);
    ty_wipe(x, sizeof x);
}

/* the ladder in the order "number", and in the order "reflected" */
static void numbers(uint8_t *m, size_t n, uint8_t t[16])
{
    uint64_t w[2] = { ty_get64le(t), ty_get64le(t + 8) };
    for (; n; n--, m += 16) {
        ty_put64le(m, w[0]);
        ty_put64le(m + 8, w[1]);
        ty_f2_128_double(w);
    }
    ty_put64le(t, w[0]);
    ty_put64le(t + 8, w[1]);
    ty_wipe(w, sizeof w);
}

static void reflections(uint8_t *m, size_t n, uint8_t t[16])
{
    uint64_t w[2] = { ty_get64be(t + 8), ty_get64be(t) };
    for (; n; n--, m += 16) {
        ty_put64be(m, w[1]);
        ty_put64be(m + 8, w[0]);
        ty_f2_128_double_reflected(w);
    }
    ty_put64be(t, w[1]);
    ty_put64be(t + 8, w[0]);
    ty_wipe(w, sizeof w);
}

void ty_f2_128_ladder_c(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)], int reflected)
{
    if (reflected) reflections(m, n, t);
    else numbers(m, n, t);
}

const ty_f2_128_ops ty_f2_128_ops_c = {
    ty_f2_128_powers_c, ty_f2_128_horner_c, ty_f2_128_polyval_c, NULL, ty_f2_128_ladder_c };
TY_FAMILY_ROWS(f2_128, TY_F2_128_TIERS);
