/* OSSL_PROVIDER_self_test: published values of SM3 and SM4; signatures of SM2 and ML-DSA that
 * verify, and do not when altered. */
#include "provider.h"

/* SM3 of "abc" [GB/T 32905-2016, A.1]. */
static int test_sm3(void)
{
    static const uint8_t want[32] = { 0x66, 0xc7, 0xf0, 0xf4, 0x62, 0xee, 0xed, 0xd9,
                                      0xd1, 0xf2, 0xd4, 0x6b, 0xdc, 0x10, 0xe4, 0xe2,
                                      0x41, 0x67, 0xc4, 0x87, 0x5c, 0xf2, 0xf7, 0xa2,
                                      0x29, 0x7d, 0xa0, 0x2b, 0x8f, 0x4b, 0xa8, 0xe0 };
    uint8_t out[32];
    ty_sm3_hash(out, (const uint8_t *)"abc", 3);
    return memcmp(out, want, sizeof out) == 0;
}

/* One block of SM4 [GB/T 32907-2016, A.1]: key and text are the same. */
static int test_sm4(void)
{
    static const uint8_t key[16] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                     0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10 },
                         want[16] = { 0x68, 0x1e, 0xdf, 0x34, 0xd2, 0x06, 0x96, 0x5e,
                                      0x86, 0xb3, 0xe9, 0x4f, 0x53, 0x6e, 0x42, 0x46 };
    uint8_t out[16];
    ty_sm4_key k;
    ty_sm4_init(&k, key);
    return ty_sm4_ecb_encrypt(out, key, 16, &k) == TY_OK && memcmp(out, want, 16) == 0;
}

static int test_sm2(void)
{
    static const uint8_t d[32] = { 1, 2, 3 }, msg[] = "message digest";
    ty_sm2_key key;
    uint8_t sig[64];
    if (ty_sm2_key_set(&key, d) != TY_OK) return 0;
    int ok =
        ty_sm2_sign_deterministic(sig, msg, sizeof msg, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN,
                                  &key)
            == TY_OK
        && ty_sm2_verify(sig, msg, sizeof msg, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN, &key.pub)
               == TY_OK;
    sig[40] ^= 1;
    return ok
           && ty_sm2_verify(sig, msg, sizeof msg, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN,
                            &key.pub)
                  == TY_ERR_VERIFY;
}

static int test_mldsa(const prov_ctx *ctx)
{
    static const uint8_t seed[TY_MLDSA_SEED_LEN] = { 0 }, msg[] = "message";
    struct work {
        ty_mldsa_key key;
        uint8_t sig[TY_MLDSA_SIG_MAX];
    } *w = prov_new(ctx, sizeof *w);
    size_t len = ty_mldsa_sig_len(TY_MLDSA_44);
    if (!w) return 0;
    int ok = ty_mldsa_key_from_seed(&w->key, seed, TY_MLDSA_44) == TY_OK
             && ty_mldsa_sign(w->sig, len, msg, sizeof msg, NULL, 0, &w->key, NULL) == TY_OK
             && ty_mldsa_verify(w->sig, len, msg, sizeof msg, NULL, 0, &w->key.pub) == TY_OK;
    w->sig[len / 2] ^= 1;
    ok = ok && ty_mldsa_verify(w->sig, len, msg, sizeof msg, NULL, 0, &w->key.pub) == TY_ERR_VERIFY;
    prov_delete(w, sizeof *w);
    return ok;
}

int prov_self_test(void *ctx)
{
    return (test_sm3()
            || prov_fail(ctx, PROV_FAILED,
                         "SM3 does not give its published value; this machine or module is broken"))
           && (test_sm4()
               || prov_fail(
                   ctx, PROV_FAILED,
                   "SM4 does not give its published value; this machine or module is broken"))
           && (test_sm2()
               || prov_fail(ctx, PROV_FAILED,
                            "SM2 signatures fail their test; this machine or module is broken"))
           && (test_mldsa(ctx)
               || prov_fail(ctx, PROV_FAILED,
                            "ML-DSA signatures fail their test; this machine or module is broken"));
}
