/* The standards' own examples on a bare Cortex-M4: one line per family, exit status 0 if all hold. */
#include "fw.h"

#include "tongyu/sm2.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"

#include <string.h>

static int failures;

static void report(const char *what, int ok)
{
    fw_print(ok ? "ok   " : "FAIL ");
    fw_print(what);
    fw_print("\n");
    failures += !ok;
}

/* GB/T 32905-2016, A.1 */
static void sm3_example(void)
{
    static const uint8_t want[32] = {
        0x66, 0xc7, 0xf0, 0xf4, 0x62, 0xee, 0xed, 0xd9, 0xd1, 0xf2, 0xd4, 0x6b, 0xdc, 0x10, 0xe4, 0xe2,
        0x41, 0x67, 0xc4, 0x87, 0x5c, 0xf2, 0xf7, 0xa2, 0x29, 0x7d, 0xa0, 0x2b, 0x8f, 0x4b, 0xa8, 0xe0,
    };
    uint8_t got[32];
    ty_sm3_hash(got, (const uint8_t *)"abc", 3);
    report("sm3", memcmp(got, want, 32) == 0);
}

/* GB/T 32907-2016, A.1 */
static void sm4_example(void)
{
    static const uint8_t text[16] = {
        0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
    };
    static const uint8_t want[16] = {
        0x68, 0x1e, 0xdf, 0x34, 0xd2, 0x06, 0x96, 0x5e, 0x86, 0xb3, 0xe9, 0x4f, 0x53, 0x6e, 0x42, 0x46,
    };
    ty_sm4_key key;
    uint8_t block[16];
    ty_sm4_init(&key, text);
    int ok = ty_sm4_ecb_encrypt(block, text, 16, &key) == TY_OK && memcmp(block, want, 16) == 0;
    ok = ok && ty_sm4_ecb_decrypt(block, block, 16, &key) == TY_OK && memcmp(block, text, 16) == 0;
    report("sm4", ok);
}

/* A counting generator: there is no entropy on an emulated board, and none is needed to test the arithmetic. */
static ty_err count_up(void *ctx, uint8_t *out, size_t len)
{
    uint8_t *next = ctx;
    for (size_t i = 0; i < len; i++) out[i] = (uint8_t)(37 * (*next)++ + 11);
    return TY_OK;
}

static void sm2_round_trip(void)
{
    static const uint8_t msg[] = "message digest";
    uint8_t seed = 1, sig[64], sealed[sizeof msg + TY_SM2_OVERHEAD], opened[sizeof msg];
    const uint8_t *id = (const uint8_t *)TY_SM2_ID;
    const ty_rng rng = { count_up, &seed };
    ty_sm2_key key;
    int ok = ty_sm2_keygen(&key, &rng) == TY_OK;
    ok = ok && ty_sm2_sign(sig, msg, sizeof msg, id, TY_SM2_ID_LEN, &key, &rng) == TY_OK;
    ok = ok && ty_sm2_verify(sig, msg, sizeof msg, id, TY_SM2_ID_LEN, &key.pub) == TY_OK;
    sig[63] ^= 1;
    ok = ok && ty_sm2_verify(sig, msg, sizeof msg, id, TY_SM2_ID_LEN, &key.pub) == TY_ERR_VERIFY;
    report("sm2 sign, verify", ok);
    ok = ty_sm2_encrypt(sealed, msg, sizeof msg, TY_SM2_C1C3C2, &key.pub, &rng) == TY_OK;
    ok = ok && ty_sm2_decrypt(opened, sealed, sizeof sealed, TY_SM2_C1C3C2, &key) == TY_OK;
    report("sm2 encrypt, decrypt", ok && memcmp(opened, msg, sizeof msg) == 0);
}

int main(void)
{
    sm3_example();
    sm4_example();
    sm2_round_trip();
    fw_print(failures ? "selftest: failed\n" : "selftest: passed\n");
    return failures;
}
