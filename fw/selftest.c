/* The standards' own examples on a bare Cortex-M4: one line per family, exit status 0 if all
 * hold. */
#include "fw.h"

#include "tongyu/keccak.h"
#include "tongyu/mldsa.h"
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
        0x66, 0xc7, 0xf0, 0xf4, 0x62, 0xee, 0xed, 0xd9, 0xd1, 0xf2, 0xd4,
        0x6b, 0xdc, 0x10, 0xe4, 0xe2, 0x41, 0x67, 0xc4, 0x87, 0x5c, 0xf2,
        0xf7, 0xa2, 0x29, 0x7d, 0xa0, 0x2b, 0x8f, 0x4b, 0xa8, 0xe0,
    };
    uint8_t got[32];
    ty_sm3_hash(got, (const uint8_t *)"abc", 3);
    report("sm3", memcmp(got, want, 32) == 0);
}

/* GB/T 32907-2016, A.1 */
static void sm4_example(void)
{
    static const uint8_t text[16] = {
        0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
        0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
    };
    static const uint8_t want[16] = {
        0x68, 0x1e, 0xdf, 0x34, 0xd2, 0x06, 0x96, 0x5e,
        0x86, 0xb3, 0xe9, 0x4f, 0x53, 0x6e, 0x42, 0x46,
    };
    ty_sm4_key key;
    uint8_t block[16];
    ty_sm4_init(&key, text);
    int ok = ty_sm4_ecb_encrypt(block, text, 16, &key) == TY_OK && memcmp(block, want, 16) == 0;
    ok = ok && ty_sm4_ecb_decrypt(block, block, 16, &key) == TY_OK && memcmp(block, text, 16) == 0;
    report("sm4", ok);
}

/* RFC 8998, A.1 */
static void sm4_gcm_example(void)
{
    static const uint8_t key_bytes[16] = {
        0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
        0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
    };
    static const uint8_t nonce[12] = { 0, 0, 0x12, 0x34, 0x56, 0x78, 0, 0, 0, 0, 0xab, 0xcd };
    static const uint8_t aad[20] = {
        0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xfe, 0xed,
        0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xab, 0xad, 0xda, 0xd2,
    };
    static const uint8_t eighths[8] = { 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0xee, 0xaa };
    static const uint8_t want[64 + 16] = {
        0x17, 0xf3, 0x99, 0xf0, 0x8c, 0x67, 0xd5, 0xee, 0x19, 0xd0, 0xdc, 0x99,
        0x69, 0xc4, 0xbb, 0x7d, 0x5f, 0xd4, 0x6f, 0xd3, 0x75, 0x64, 0x89, 0x06,
        0x91, 0x57, 0xb2, 0x82, 0xbb, 0x20, 0x07, 0x35, 0xd8, 0x27, 0x10, 0xca,
        0x5c, 0x22, 0xf0, 0xcc, 0xfa, 0x7c, 0xbf, 0x93, 0xd4, 0x96, 0xac, 0x15,
        0xa5, 0x68, 0x34, 0xcb, 0xcf, 0x98, 0xc3, 0x97, 0xb4, 0x02, 0x4a, 0x26,
        0x91, 0x23, 0x3b, 0x8d, 0x83, 0xde, 0x35, 0x41, 0xe4, 0xc2, 0xb5, 0x81,
        0x77, 0xe0, 0x65, 0xa9, 0xbf, 0x7b, 0x62, 0xec,
    };
    uint8_t text[64], out[64 + 16];
    ty_sm4_gcm_key key;
    for (size_t i = 0; i < 64; i++) text[i] = eighths[i / 8];
    ty_sm4_gcm_init(&key, key_bytes);
    int ok = ty_sm4_gcm_seal(out, out + 64, 16, text, 64, aad, sizeof aad, nonce, sizeof nonce,
                             &key) == TY_OK;
    ok = ok && memcmp(out, want, sizeof want) == 0;
    ok = ok && ty_sm4_gcm_open(out, out, 64, out + 64, 16, aad, sizeof aad, nonce, sizeof nonce,
                               &key) == TY_OK;
    report("sm4-gcm", ok && memcmp(out, text, 64) == 0);
}

/* A counting generator: there is no entropy on an emulated board, and none is needed to test the
 * arithmetic. */
static ty_err count_up(void *ctx, uint8_t *out, size_t len)
{
    uint8_t *next = ctx;
    for (size_t i = 0; i < len; i++) out[i] = (uint8_t)(37 * (*next)++ + 11);
    return TY_OK;
}

/* GB/T 32918.5-2017, A.2: e = SM3(Z || "message digest") and the signature r || s under the key of
 * the example */
static void sm2_example(void)
{
    static const uint8_t point[65] = {
        0x04, 0x09, 0xf9, 0xdf, 0x31, 0x1e, 0x54, 0x21, 0xa1, 0x50, 0xdd, 0x7d, 0x16,
        0x1e, 0x4b, 0xc5, 0xc6, 0x72, 0x17, 0x9f, 0xad, 0x18, 0x33, 0xfc, 0x07, 0x6b,
        0xb0, 0x8f, 0xf3, 0x56, 0xf3, 0x50, 0x20, 0xcc, 0xea, 0x49, 0x0c, 0xe2, 0x67,
        0x75, 0xa5, 0x2d, 0xc6, 0xea, 0x71, 0x8c, 0xc1, 0xaa, 0x60, 0x0a, 0xed, 0x05,
        0xfb, 0xf3, 0x5e, 0x08, 0x4a, 0x66, 0x32, 0xf6, 0x07, 0x2d, 0xa9, 0xad, 0x13,
    };
    static const uint8_t sig[64] = {
        0xf5, 0xa0, 0x3b, 0x06, 0x48, 0xd2, 0xc4, 0x63, 0x0e, 0xea, 0xc5, 0x13, 0xe1,
        0xbb, 0x81, 0xa1, 0x59, 0x44, 0xda, 0x38, 0x27, 0xd5, 0xb7, 0x41, 0x43, 0xac,
        0x7e, 0xac, 0xee, 0xe7, 0x20, 0xb3, 0xb1, 0xb6, 0xaa, 0x29, 0xdf, 0x21, 0x2f,
        0xd8, 0x76, 0x31, 0x82, 0xbc, 0x0d, 0x42, 0x1c, 0xa1, 0xbb, 0x90, 0x38, 0xfd,
        0x1f, 0x7f, 0x42, 0xd4, 0x84, 0x0b, 0x69, 0xc4, 0x85, 0xbb, 0xc1, 0xaa,
    };
    static const uint8_t msg[] = { 'm', 'e', 's', 's', 'a', 'g', 'e',
                                   ' ', 'd', 'i', 'g', 'e', 's', 't' };
    ty_sm2_pub pub;
    int ok = ty_sm2_pub_set(&pub, point, sizeof point) == TY_OK;
    ok = ok && ty_sm2_verify(sig, msg, sizeof msg, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN,
                             &pub) == TY_OK;
    report("sm2 example", ok);
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

/* FIPS 202: SHA3-256 of "abc" */
static void keccak_example(void)
{
    static const uint8_t want[32] = {
        0x3a, 0x98, 0x5d, 0xa7, 0x4f, 0xe2, 0x25, 0xb2, 0x04, 0x5c, 0x17,
        0x2d, 0x6b, 0xd3, 0x90, 0xbd, 0x85, 0x5f, 0x08, 0x6e, 0x3e, 0x9d,
        0x52, 0x5b, 0x46, 0xbf, 0xe2, 0x45, 0x11, 0x43, 0x15, 0x32,
    };
    uint8_t got[32];
    ty_sha3_256_hash(got, (const uint8_t *)"abc", 3);
    report("sha3", memcmp(got, want, 32) == 0);
}

static void mldsa_round_trip(const char *what, ty_mldsa_set set)
{
    static ty_mldsa_key key;
    static uint8_t sig[TY_MLDSA_SIG_MAX];
    static const uint8_t msg[] = "message digest";
    const size_t len = ty_mldsa_sig_len(set);
    uint8_t seed = 1;
    const ty_rng rng = { count_up, &seed };
    int ok = ty_mldsa_keygen(&key, set, &rng) == TY_OK;
    ok = ok && ty_mldsa_sign(sig, len, msg, sizeof msg, NULL, 0, &key, &rng) == TY_OK;
    ok = ok && ty_mldsa_verify(sig, len, msg, sizeof msg, NULL, 0, &key.pub) == TY_OK;
    sig[len / 2] ^= 1;
    ok = ok && ty_mldsa_verify(sig, len, msg, sizeof msg, NULL, 0, &key.pub) == TY_ERR_VERIFY;
    report(what, ok);
}

int main(void)
{
    keccak_example();
    mldsa_round_trip("ml-dsa-44", TY_MLDSA_44);
    mldsa_round_trip("ml-dsa-65", TY_MLDSA_65);
    mldsa_round_trip("ml-dsa-87", TY_MLDSA_87);
    sm3_example();
    sm4_example();
    sm4_gcm_example();
    sm2_example();
    sm2_round_trip();
    fw_print(failures ? "selftest: failed\n" : "selftest: passed\n");
    return failures;
}
