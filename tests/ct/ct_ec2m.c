/* Constant time of the binary curves: every private operation runs on poisoned scalars, once per
 * tier. What may be examined is declared where it becomes public, in src/ec and src/ecdsa;
 * anything else that steers a branch or an address makes this program fail. */
#include "base/cpu.h"
#include "base/ct.h"
#include "ec/ec_binary.h"
#include "tongyu/dstu4145.h"
#include "tongyu/ec_any.h"
#include "tongyu/ec_many.h"
#include "tongyu/ecdsa.h"
#include "ct/secret_rng.h"

#include <stdio.h>
#include <string.h>

static void schemes(const ty_ec_curve *c)
{
    uint32_t counter = 1;
    const ty_rng rng = { secret_bytes, &counter };
    ty_ec_key a, b, same;
    ty_ec_pub z, each[5];
    uint8_t x[TY_EC_MAX], y[TY_EC_MAX];
    const size_t len = ty_ec_field_len(c);
    must(ty_ec_keygen(&a, c, &rng) == TY_OK && ty_ec_keygen(&b, c, &rng) == TY_OK, "keygen");
    must(ty_ec_key_set(&same, c, a.d, ty_ec_order_len(c)) == TY_OK, "key_set");
    must(ty_ec_mul(&z, a.d, &b.pub) == TY_OK, "mul");
    ty_ec_mul_job jobs[5];   /* four at once, where the tier has that, and one alone */
    for (int i = 0; i < 5; i++) jobs[i] = (ty_ec_mul_job){ &each[i], a.d, &b.pub, TY_OK };
    must(ty_ec_many_mul(jobs, 5) == TY_OK, "many_mul");
    must(ty_ec_ecdh(x, &b.pub, &a) == TY_OK && ty_ec_ecdh(y, &a.pub, &b) == TY_OK, "ecdh");
    TY_PUBLIC(x, len);   /* the test looks at what the library keeps secret */
    TY_PUBLIC(y, len);
    must(memcmp(x, y, len) == 0, "agreement");
    must(ty_ec_ecdh_cofactor(x, &b.pub, &a) == TY_OK, "cofactor ecdh");
    uint8_t sig[2 * TY_EC_MAX], digest[32] = { 1, 2, 3 };
    must(ty_ecdsa_sign(sig, digest, sizeof digest, &a, &rng) == TY_OK, "sign");
    must(ty_ecdsa_verify(sig, 2 * ty_ec_order_len(c), digest, sizeof digest, &a.pub) == TY_OK,
         "verify");
    must(ty_ecdsa_sign(sig, digest, sizeof digest, &a, NULL) == TY_OK, "deterministic sign");
    must(ty_dstu4145_sign(sig, digest, sizeof digest, &a, &rng) == TY_OK, "sign with DSTU 4145");
    ty_dstu4145_pub(&z, &a.pub);
    must(ty_dstu4145_verify(sig, 2 * ty_ec_order_len(c), digest, sizeof digest, &z) == TY_OK,
         "verify with DSTU 4145");
}

/* Below the schemes: scalars with long runs of zeros, whose ladder passes through infinity, take
 * the same path. */
static void kernels(const ty_ec_curve *c)
{
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    for (int i = 0; i < 2; i++) {
        uint8_t k[TY_EC_MAX] = { 0 }, x[TY_EC_MAX], z[2 * TY_EC_MAX];
        if (i) k[1] = 1;
        TY_SECRET(k, sizeof k);
        (void)ops->mul_base(z, k, c);
        (void)ops->mul(z, k, c->n_bits, ty_ec_g(c), c);
        memcpy(x, z, sizeof x);
        (void)ops->odd(z, c);
        if (!ops->field_inv) continue;   /* the field is given at run time */
        ops->field_inv(x, x);
        ops->field_sqrt(x, x);
        ops->field_mul(x, x, x);
    }
}

static void curve(const ty_ec_curve *c, const char *how)
{
    for (const ty_tier *t = c->tiers; t->name; t++) {
        if (ty_tier_limit(t->name) != TY_OK) {
            printf("no tier: %s\n", t->name);
            continue;
        }
        printf("%s%s, tier %s\n", c->name, how, t->name);
        kernels(c);
        schemes(c);
    }
    must(ty_tier_limit(NULL) == TY_OK, "no limit");
}

/* A curve given at run time, with one of the methods of reduction. */
static void any(const char *name, ty_ec_way way)
{
    static const char *const hows[] = { "", ", full", ", partial", ", Barrett", ", Montgomery" };
    static ty_ec_any memory;
    ty_ec_params p;
    ty_ec_params_get(&p, ty_ec_curve_named(name));
    must(ty_ec_any_init(&memory, &p, way, 0, NULL) == TY_OK, "any curve");
    curve(ty_ec_any_curve(&memory), hows[way]);
}

int main(void)
{
    static const char *names[] = { "sect163r2", "sect233k1", "sect283r1" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const ty_ec_curve *c = ty_ec_curve_named(names[i]);
        must(c != NULL, names[i]);
        curve(c, "");
    }
    for (ty_ec_way way = TY_EC_FULL; way <= TY_EC_MONTGOMERY; way++) any("sect113r1", way);
    any("sect163k1", TY_EC_PARTIAL);
    return 0;
}
