/* The byte interface of Z/n for one level: the kernels of ty_n_sm2_ops, around n_sm2_words.h. */
#ifndef TY_MOD_N_SM2_OPS_H
#define TY_MOD_N_SM2_OPS_H

static void TY_K(n_sm2_reduce)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)])
{
    ty_n_sm2 a;
    ty_n_sm2_set(&a, x);
    ty_n_sm2_get(z, &a);
    ty_wipe(&a, sizeof a);
}

static void TY_K(n_sm2_add)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)],
                            const uint8_t y[TY_AT_LEAST(32)])
{
    ty_n_sm2 a, b;
    ty_n_sm2_set(&a, x);
    ty_n_sm2_set(&b, y);
    ty_limb256_addmod(a.v, a.v, b.v, ty_n_sm2_modulus.v);
    ty_n_sm2_get(z, &a);
    ty_wipe(&a, sizeof a);
    ty_wipe(&b, sizeof b);
}

static void TY_K(n_sm2_sub)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)],
                            const uint8_t y[TY_AT_LEAST(32)])
{
    ty_n_sm2 a, b;
    ty_n_sm2_set(&a, x);
    ty_n_sm2_set(&b, y);
    ty_limb256_submod(a.v, a.v, b.v, ty_n_sm2_modulus.v);
    ty_n_sm2_get(z, &a);
    ty_wipe(&a, sizeof a);
    ty_wipe(&b, sizeof b);
}

static void TY_K(n_sm2_mul)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)],
                            const uint8_t y[TY_AT_LEAST(32)])
{
    ty_n_sm2 a, b;
    ty_n_sm2_mont m;
    ty_n_sm2_set(&a, x);
    ty_n_sm2_set(&b, y);
    ty_n_sm2_to_mont(&m, &a);
    ty_n_sm2_montmul(b.v, b.v, m.v);   /* mont times plain is plain */
    ty_n_sm2_get(z, &b);
    ty_wipe(&a, sizeof a);
    ty_wipe(&b, sizeof b);
    ty_wipe(&m, sizeof m);
}

/* By division steps where limb256.h has them. Otherwise by Fermat, x^(n-2), four exponent bits at a
 * time: the exponent is public, so it may be an index into the table.
 * cost of the latter: 256 squarings and 78 products, once for a key and never for a signature. */
static void TY_K(n_sm2_inv)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)])
{
    static const ty_n_sm2 plain_one = { { 1 } };
    ty_n_sm2 a;
    ty_n_sm2_set(&a, x);
#if defined(TY_LIMB256_INV)
    ty_limb256_inv(a.v, a.v, ty_n_sm2_modulus.v, 0 - (uint64_t)TY_N_SM2_MINUS_INV, plain_one.v);
#else
    static const uint8_t exponent[32] = { TY_N_SM2_N_LESS_2 };
    ty_n_sm2_mont power[16], t = ty_n_sm2_one;
    power[0] = ty_n_sm2_one;
    ty_n_sm2_to_mont(&power[1], &a);
    for (int i = 2; i < 16; i++) ty_n_sm2_montmul(power[i].v, power[i - 1].v, power[1].v);
    for (int i = 0; i < 64; i++) {
        const int nibble = exponent[i / 2] >> (i % 2 ? 0 : 4) & 15;
        for (int j = 0; j < 4; j++) ty_n_sm2_montmul(t.v, t.v, t.v);
        ty_n_sm2_montmul(t.v, t.v, power[nibble].v);
    }
    ty_n_sm2_montmul(a.v, t.v, plain_one.v);
    ty_wipe(&t, sizeof t);
    ty_wipe(power, sizeof power);
#endif
    ty_n_sm2_get(z, &a);
    ty_wipe(&a, sizeof a);
}

#endif
