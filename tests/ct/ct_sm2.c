/* Constant time of SM2: every private operation runs on poisoned keys and nonces, once per tier.
 * What may be examined is declared where it becomes public, in src/sm2; anything else that steers
 * a branch or an address makes this program fail. */
#include "base/cpu.h"
#include "base/ct.h"
#include "ec/ec_sm2.h"
#include "mod/n_sm2.h"
#include "sm2/sm2_internal.h"
#include "tongyu/sm2_many.h"
#include "ct/secret_rng.h"

#include <stdio.h>
#include <string.h>

/* Secret random bytes that are scalars. */
static ty_err fill(void *ctx, uint8_t *out, size_t len)
{
    (void)secret_bytes(ctx, out, len);
    if (len) out[0] &= 0x7f;   /* below n: the draw is accepted */
    TY_SECRET(out, len);
    return TY_OK;
}

static void schemes(void)
{
    uint32_t counter = 1;
    const ty_rng rng = { fill, &counter };
    ty_sm2_key key, same, peer;
    uint8_t sig[64], sealed[40 + TY_SM2_OVERHEAD], text[40] = { 0 }, x[32], y[32], d[32];

    must(ty_sm2_keygen(&key, &rng) == TY_OK, "keygen");
    memcpy(d, key.d, 32);
    must(ty_sm2_key_set(&same, d) == TY_OK, "key_set");
    must(ty_sm2_keygen(&peer, &rng) == TY_OK, "keygen");

    must(ty_sm2_sign(sig, text, sizeof text, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN, &key,
                     &rng) == TY_OK,
         "sign");
    must(ty_sm2_verify(sig, text, sizeof text, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN,
                       &key.pub) == TY_OK,
         "verify");

    ty_sm2_signer signer;
    static ty_sm2_verifier verifier;
    must(ty_sm2_signer_init(&signer, &key, NULL, 0) == TY_OK, "signer");
    must(ty_sm2_verifier_init(&verifier, &key.pub, NULL, 0) == TY_OK, "verifier");
    must(ty_sm2_signer_sign(sig, text, sizeof text, &signer, &rng) == TY_OK, "signer");
    must(ty_sm2_verifier_verify(sig, text, sizeof text, &verifier) == TY_OK, "verifier");
    must(ty_sm2_signer_sign_deterministic(sig, text, sizeof text, &signer) == TY_OK, "signer");
    must(ty_sm2_verifier_verify(sig, text, sizeof text, &verifier) == TY_OK, "verifier");

    TY_SECRET(text, sizeof text);
    must(ty_sm2_encrypt(sealed, text, sizeof text, TY_SM2_C1C3C2, &key.pub, &rng) == TY_OK,
         "encrypt");
    must(ty_sm2_decrypt(text, sealed, sizeof sealed, TY_SM2_C1C3C2, &key) == TY_OK, "decrypt");
    sealed[100] ^= 1;
    must(ty_sm2_decrypt(text, sealed, sizeof sealed, TY_SM2_C1C3C2, &key) == TY_ERR_VERIFY,
         "decrypt of a forgery");

    must(ty_sm2_ecdh(x, &peer.pub, &key) == TY_OK, "ecdh");
    must(ty_sm2_ecdh(y, &key.pub, &peer) == TY_OK, "ecdh");
    TY_PUBLIC(x, sizeof x);   /* the test looks at what the library keeps secret */
    TY_PUBLIC(y, sizeof y);
    must(memcmp(x, y, 32) == 0, "agreement");
}

static void many(void)
{
    enum { N = 11 };   /* lanes of eight, and three more */
    uint32_t counter = 5;
    const ty_rng rng = { fill, &counter };
    ty_sm2_key key[N];
    ty_sm2_keygen_job keygen[N];
    ty_sm2_sign_job sign[N];
    ty_sm2_verify_job verify[N];
    uint8_t sig[N][64];
    const uint8_t e[32] = { 1 };
    for (int i = 0; i < N; i++) keygen[i] = (ty_sm2_keygen_job){ &key[i], TY_OK };
    must(ty_sm2_many_keygen(keygen, N, &rng) == TY_OK, "many keygen");
    for (int i = 0; i < N; i++) {
        sign[i] = (ty_sm2_sign_job){ .sig = sig[i], .e = i ? e : NULL, .key = &key[i] };
        verify[i] = (ty_sm2_verify_job){ .sig = sig[i], .e = i ? e : NULL, .pub = &key[i].pub };
    }
    must(ty_sm2_many_sign(sign, N, &rng) == TY_OK && ty_sm2_many_verify(verify, N) == TY_OK,
         "many sign");
    must(ty_sm2_many_sign_deterministic(sign, N) == TY_OK && ty_sm2_many_verify(verify, N) == TY_OK,
         "many sign");
}

/* Short texts, which are hashed side by side, and one that is not; a forgery among good ones. */
static void many_points(void)
{
    enum { N = 9, MOST = 100 };
    uint32_t counter = 9;
    const ty_rng rng = { fill, &counter };
    ty_sm2_key key[N];
    ty_sm2_ecdh_job ecdh[N];
    ty_sm2_encrypt_job encrypt[N];
    ty_sm2_decrypt_job decrypt[N];
    uint8_t x[N][32], text[N][MOST], sealed[N][MOST + TY_SM2_OVERHEAD];
    for (int i = 0; i < N; i++) must(ty_sm2_keygen(&key[i], &rng) == TY_OK, "keygen");
    for (size_t i = 0; i < N; i++) {
        const size_t len = i == 4 ? MOST : 10 + 7 * i % 64;
        memset(text[i], (int)i, MOST);
        TY_SECRET(text[i], MOST);
        ecdh[i] = (ty_sm2_ecdh_job){ x[i], &key[(i + 1) % N].pub, &key[i], TY_OK };
        encrypt[i] = (ty_sm2_encrypt_job){ sealed[i], text[i], len, TY_SM2_C1C3C2, &key[i].pub,
                                           TY_OK };
        decrypt[i] = (ty_sm2_decrypt_job){ text[i], sealed[i], len + TY_SM2_OVERHEAD,
                                           TY_SM2_C1C3C2, &key[i], TY_OK };
    }
    must(ty_sm2_many_ecdh(ecdh, N) == TY_OK, "many ecdh");
    must(ty_sm2_many_encrypt(encrypt, N, &rng) == TY_OK, "many encrypt");
    must(ty_sm2_many_decrypt(decrypt, N) == TY_OK, "many decrypt");
    sealed[7][97] ^= 1;
    must(ty_sm2_many_decrypt(decrypt, N) == TY_ERR_VERIFY && decrypt[7].err == TY_ERR_VERIFY,
         "many decrypt of a forgery");
}

static void exchange(void)
{
    uint32_t counter = 77;
    const ty_rng rng = { fill, &counter };
    ty_sm2_key a, b;
    ty_sm2_kx ka, kb;
    uint8_t ra[65], rb[65], shared[2][48], send[2][32], expect[2][32], state[TY_SM2_KX_LEN];
    must(ty_sm2_keygen(&a, &rng) == TY_OK && ty_sm2_keygen(&b, &rng) == TY_OK, "keygen");
    must(ty_sm2_kx_init(&ka, ra, TY_SM2_INITIATOR, &rng) == TY_OK, "kx_init");
    must(ty_sm2_kx_init(&kb, rb, TY_SM2_RESPONDER, &rng) == TY_OK, "kx_init");
    ty_sm2_kx_get(state, &ka);
    must(ty_sm2_kx_set(&ka, state) == TY_OK, "kx_set");
    must(ty_sm2_kx_final(shared[0], 48, send[0], expect[0], rb, NULL, 0, NULL, 0, &b.pub, &a,
                         &ka) == TY_OK,
         "kx_final");
    must(ty_sm2_kx_final(shared[1], 48, send[1], expect[1], ra, NULL, 0, NULL, 0, &a.pub, &b,
                         &kb) == TY_OK,
         "kx_final");
    TY_PUBLIC(shared, sizeof shared);
    TY_PUBLIC(send, sizeof send);
    TY_PUBLIC(expect, sizeof expect);
    must(memcmp(shared[0], shared[1], 48) == 0 && memcmp(send[0], expect[1], 32) == 0, "agreement");
}

/* Scalars and points below the schemes: zero, and a scalar whose digits are nearly all zero, take
 * the same path. */
static void kernels(void)
{
    static const uint8_t scalars[3][32] = { { 0 },
                                            { [0] = 0x80, [31] = 1 },
                                            { [15] = 0xff, [16] = 0xff } };
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    for (int i = 0; i < 3; i++) {
        uint8_t k[32], g[64], z[64];
        const uint8_t one[32] = { [31] = 1 };
        must(ec->mul_base(g, one) != 0, "mul_base");
        memcpy(k, scalars[i], 32);
        TY_SECRET(k, sizeof k);
        (void)ec->mul_base(z, k);
        enum { N = 12 };
        uint8_t many[N][32], out[N][64];   /* infinity in the middle */
        memset(many, 0, sizeof many);
        for (int j = 2; j < N; j++) many[j][31] = (uint8_t)(3 * j - 5);
        TY_SECRET(many, sizeof many);
        memcpy(many[0], k, 32);
        ec->mul_base_many(out, (const uint8_t (*)[32])many, 3);
        ec->mul_base_many(out, (const uint8_t (*)[32])many, N);
        uint8_t points[N][64];
        for (int j = 0; j < N; j++) memcpy(points[j], g, 64);
        ec->mul_many(out, (const uint8_t (*)[32])many, (const uint8_t (*)[64])points, N);
        (void)ec->mul(z, k, g);
        (void)ec->add(z, z, g);
        (void)ec->on_curve(z);
        (void)ec->decompress(z, z, 1);
        n->reduce(k, k);
        n->inv(k, k);
        n->mul(k, k, one);
        n->add(k, k, one);
        n->sub(k, k, one);
        (void)ty_n_sm2_valid(k, 1);
    }
}

int main(void)
{
    const ty_tier *t = ty_ec_sm2_tiers;
#if defined(TY_CT_MEMCHECK)
    /* valgrind runs adcx and adox wherever it runs AVX2, though its CPUID does not name them */
    if (ty_cpu_have() & TY_CPU_AVX2) ty_cpu_assume(ty_cpu_have() | TY_NEED_adx);
#endif
    for (; t->name; t++) {
        if (ty_tier_limit(t->name) != TY_OK) {
            printf("no tier: %s\n", t->name);
            continue;
        }
        printf("tier %s\n", t->name);
        kernels();
        schemes();
        many();
        many_points();
        exchange();
    }
    return 0;
}
