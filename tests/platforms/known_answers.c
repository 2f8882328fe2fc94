/* Known answers of every family in one program that needs only C and <stdio.h>: for systems where
 * the tests of the other folders, which are C++ and GoogleTest, do not run. Examples of the
 * standards where they have short ones; otherwise a digest, or a check value, of results that those
 * tests compare with published vectors.
 *
 *     known_answers      one line for each family; exit status 0 if all hold
 */
#include "tongyu/tongyu.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void report(const char *what, int ok)
{
    printf("%s %s\n", ok ? "ok  " : "FAIL", what);
    failures += !ok;
}

/* 1 if got is the bytes of these hexadecimal digits */
static int is(const uint8_t *got, size_t len, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    if (strlen(hex) != 2 * len) return 0;
    for (size_t i = 0; i < len; i++)
        if (hex[2 * i] != digits[got[i] >> 4] || hex[2 * i + 1] != digits[got[i] & 15]) return 0;
    return 1;
}

/* 1 if the digest of len bytes begins with these eight bytes. */
static int digest_is(const uint8_t *got, size_t len, const char *hex)
{
    uint8_t digest[32];
    ty_sm3_hash(digest, got, len);
    if (is(digest, 8, hex)) return 1;
    printf("     got ");
    for (int i = 0; i < 8; i++) printf("%02x", digest[i]);
    printf("\n");
    return 0;
}

/* A counter in place of randomness, so that results are known. */
static ty_err count_up(void *ctx, uint8_t *out, size_t len)
{
    uint8_t *next = ctx;
    for (size_t i = 0; i < len; i++) out[i] = (uint8_t)(37 * (*next)++ + 11);
    return TY_OK;
}

/* GB/T 32905-2016, A.1 */
static void sm3(void)
{
    uint8_t out[32];
    ty_sm3_hash(out, (const uint8_t *)"abc", 3);
    report("sm3", is(out, 32, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"));
}

/* FIPS 180-2 and FIPS 202 */
static void sha(void)
{
    uint8_t out[32];
    ty_sha256_hash(out, (const uint8_t *)"abc", 3);
    report("sha256",
           is(out, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    ty_sha3_256_hash(out, (const uint8_t *)"abc", 3);
    report("sha3-256",
           is(out, 32, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"));
}

/* GB/T 32907-2016, A.1; and many blocks, which other kernels encrypt and decrypt */
static void sm4(void)
{
    static const uint8_t text[16] = {
        0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
        0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
    };
    static uint8_t many[16 * 131];
    ty_sm4_key key;
    uint8_t block[16];
    ty_sm4_init(&key, text);
    int ok = ty_sm4_ecb_encrypt(block, text, 16, &key) == TY_OK;
    report("sm4", ok && is(block, 16, "681edf34d206965e86b3e94f536e4246"));
    for (size_t i = 0; i < sizeof many; i++) many[i] = (uint8_t)(i * i >> 3);
    ok = ty_sm4_ecb_encrypt(many, many, sizeof many, &key) == TY_OK &&
         digest_is(many, sizeof many, "6854e2c3df52baf7");
    ok = ok && ty_sm4_ecb_decrypt(many, many, sizeof many, &key) == TY_OK;
    for (size_t i = 0; i < sizeof many; i++) ok = ok && many[i] == (uint8_t)(i * i >> 3);
    report("sm4, 131 blocks", ok);
}

/* RFC 8998, appendix A.1 */
static void gcm(void)
{
    static const uint8_t bytes[16] = {
        0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
        0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
    };
    static const uint8_t nonce[12] = { 0, 0, 0x12, 0x34, 0x56, 0x78, 0, 0, 0, 0, 0xab, 0xcd };
    static const uint8_t aad[20] = { 0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xfe, 0xed,
                                     0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xab, 0xad, 0xda, 0xd2 };
    static const uint8_t each[8] = { 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0xee, 0xaa };
    uint8_t text[64], out[64], tag[16], back[64];
    ty_sm4_gcm_key key;
    for (int i = 0; i < 64; i++) text[i] = each[i / 8];
    ty_sm4_gcm_init(&key, bytes);
    int ok = ty_sm4_gcm_seal(out, tag, 16, text, 64, aad, 20, nonce, 12, &key) == TY_OK;
    ok = ok && is(out, 64, "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735"
                           "d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d");
    ok = ok && is(tag, 16, "83de3541e4c2b58177e065a9bf7b62ec");
    ok = ok && ty_sm4_gcm_open(back, out, 64, tag, 16, aad, 20, nonce, 12, &key) == TY_OK &&
         memcmp(back, text, 64) == 0;
    tag[0] ^= 1;
    report("sm4-gcm", ok && ty_sm4_gcm_open(back, out, 64, tag, 16, aad, 20, nonce, 12, &key) ==
                                TY_ERR_VERIFY);
}

/* GB/T 32918.5-2017, A.2: the signature of the example; and all operations with a generated key */
static void sm2(void)
{
    static const uint8_t point[65] = {
        0x04, 0x09, 0xf9, 0xdf, 0x31, 0x1e, 0x54, 0x21, 0xa1, 0x50, 0xdd, 0x7d, 0x16,
        0x1e, 0x4b, 0xc5, 0xc6, 0x72, 0x17, 0x9f, 0xad, 0x18, 0x33, 0xfc, 0x07, 0x6b,
        0xb0, 0x8f, 0xf3, 0x56, 0xf3, 0x50, 0x20, 0xcc, 0xea, 0x49, 0x0c, 0xe2, 0x67,
        0x75, 0xa5, 0x2d, 0xc6, 0xea, 0x71, 0x8c, 0xc1, 0xaa, 0x60, 0x0a, 0xed, 0x05,
        0xfb, 0xf3, 0x5e, 0x08, 0x4a, 0x66, 0x32, 0xf6, 0x07, 0x2d, 0xa9, 0xad, 0x13,
    };
    static const uint8_t example[64] = {
        0xf5, 0xa0, 0x3b, 0x06, 0x48, 0xd2, 0xc4, 0x63, 0x0e, 0xea, 0xc5, 0x13, 0xe1,
        0xbb, 0x81, 0xa1, 0x59, 0x44, 0xda, 0x38, 0x27, 0xd5, 0xb7, 0x41, 0x43, 0xac,
        0x7e, 0xac, 0xee, 0xe7, 0x20, 0xb3, 0xb1, 0xb6, 0xaa, 0x29, 0xdf, 0x21, 0x2f,
        0xd8, 0x76, 0x31, 0x82, 0xbc, 0x0d, 0x42, 0x1c, 0xa1, 0xbb, 0x90, 0x38, 0xfd,
        0x1f, 0x7f, 0x42, 0xd4, 0x84, 0x0b, 0x69, 0xc4, 0x85, 0xbb, 0xc1, 0xaa,
    };
    const uint8_t *const id = (const uint8_t *)TY_SM2_ID, *const msg =
                                                              (const uint8_t *)"message digest";
    uint8_t seed = 1, sig[64], sealed[14 + TY_SM2_OVERHEAD], opened[14];
    const ty_rng rng = { count_up, &seed };
    ty_sm2_pub pub;
    ty_sm2_key key;
    int ok = ty_sm2_pub_set(&pub, point, sizeof point) == TY_OK;
    report("sm2 example", ok && ty_sm2_verify(example, msg, 14, id, TY_SM2_ID_LEN, &pub) == TY_OK);
    ok = ty_sm2_keygen(&key, &rng) == TY_OK;
    ok = ok && ty_sm2_sign_deterministic(sig, msg, 14, id, TY_SM2_ID_LEN, &key) == TY_OK &&
         digest_is(sig, 64, "16e0772d4fe46a46");
    ok = ok && ty_sm2_verify(sig, msg, 14, id, TY_SM2_ID_LEN, &key.pub) == TY_OK;
    sig[63] ^= 1;
    report("sm2 sign, verify",
           ok && ty_sm2_verify(sig, msg, 14, id, TY_SM2_ID_LEN, &key.pub) == TY_ERR_VERIFY);
    ok = ty_sm2_encrypt(sealed, msg, 14, TY_SM2_C1C3C2, &key.pub, &rng) == TY_OK;
    ok = ok && ty_sm2_decrypt(opened, sealed, sizeof sealed, TY_SM2_C1C3C2, &key) == TY_OK;
    report("sm2 encrypt, decrypt", ok && memcmp(opened, msg, 14) == 0);
}

/* The key from the seed of bytes 0 to 31, and its deterministic signature of the empty message */
static void mldsa(ty_mldsa_set set, const char *name, const char *key_digest,
                  const char *sig_digest)
{
    static ty_mldsa_key key;
    static uint8_t sig[TY_MLDSA_SIG_MAX];
    uint8_t seed[32];
    const size_t sig_len = ty_mldsa_sig_len(set);
    for (int i = 0; i < 32; i++) seed[i] = (uint8_t)i;
    int ok = ty_mldsa_key_from_seed(&key, seed, set) == TY_OK;
    ok = ok && digest_is(key.bytes, ty_mldsa_key_len(set), key_digest);
    ok = ok && ty_mldsa_sign(sig, sig_len, seed, 0, NULL, 0, &key, NULL) == TY_OK &&
         digest_is(sig, sig_len, sig_digest);
    report(name, ok && ty_mldsa_verify(sig, sig_len, seed, 0, NULL, 0, &key.pub) == TY_OK);
}

/* ECDH with the scalar of the bytes 0, 0, 2, 3, ... and the public key of another one, on every
 * curve that the library has kernels for: the digest of all x together */
static void binary_curves(void)
{
    static uint8_t all[64 * 72];
    size_t len = 0;
    int ok = 1;
    for (size_t i = 0; ty_ec_curve_at(i) && len + 72 <= sizeof all; i++) {
        const ty_ec_curve *const curve = ty_ec_curve_at(i);
        uint8_t d[72], e[72];
        ty_ec_key a, b;
        const size_t n = ty_ec_order_len(curve);
        memset(d, 0, sizeof d);
        memset(e, 0, sizeof e);
        for (size_t j = 1; j < n; j++) d[j] = (uint8_t)j, e[j] = (uint8_t)(255 - j);
        d[0] = e[0] = 0;
        d[1] = e[1] = 0;
        ok = ok && ty_ec_key_set(&a, curve, d, n) == TY_OK &&
             ty_ec_key_set(&b, curve, e, n) == TY_OK;
        ok = ok && ty_ec_ecdh(all + len, &b.pub, &a) == TY_OK;
        len += ty_ec_field_len(curve);
    }
    report("binary curves", ok && digest_is(all, len, "f08a9fa3b82e193f"));
}

/* 3^(2^607 - 1) mod 2^521 - 1: a Mersenne number as modulus and another as exponent; and the
 * inverse of the result's inverse */
static void integers(void)
{
    ty_mp m, e, x, z;
    uint8_t out[66];
    ty_mp_init(&m);
    ty_mp_init(&e);
    ty_mp_init(&x);
    ty_mp_init(&z);
    ty_mp_set_u64(&x, 1);
    int ok = ty_mp_shl(&m, &x, 521) == TY_OK && ty_mp_sub(&m, &m, &x) == TY_OK;
    ok = ok && ty_mp_shl(&e, &x, 607) == TY_OK && ty_mp_sub(&e, &e, &x) == TY_OK;
    ty_mp_set_u64(&x, 3);
    ok = ok && ty_mp_powm(&z, &x, &e, &m) == TY_OK && ty_mp_get_be(out, sizeof out, &z) == TY_OK;
    ok = ok && digest_is(out, sizeof out, "2b47e0e2ce5b6020");
    ok = ok && ty_mp_invmod(&z, &z, &m) == TY_OK && ty_mp_invmod(&z, &z, &m) == TY_OK;
    ok = ok && ty_mp_get_be(out, sizeof out, &z) == TY_OK &&
         digest_is(out, sizeof out, "2b47e0e2ce5b6020");
    report("integers", ok);
    ty_mp_clear(&m);
    ty_mp_clear(&e);
    ty_mp_clear(&x);
    ty_mp_clear(&z);
}

/* Two draws of the system's source differ. */
static void randomness(void)
{
    uint8_t a[300] = { 0 }, b[300] = { 0 };
    const ty_rng *const rng = ty_rng_system();
    const int ok =
        rng->fill(rng->ctx, a, sizeof a) == TY_OK && rng->fill(rng->ctx, b, sizeof b) == TY_OK;
    report("randomness", ok && memcmp(a, b, sizeof a) != 0 && memcmp(a + 256, a, 44) != 0);
}

int main(void)
{
    sm3();
    sha();
    sm4();
    gcm();
    sm2();
    mldsa(TY_MLDSA_44, "ml-dsa-44", "db2fa90a3ef7922b", "a36fc9c9006f8935");
    mldsa(TY_MLDSA_65, "ml-dsa-65", "24d223ff7387d4ad", "0099d927f3421ef4");
    mldsa(TY_MLDSA_87, "ml-dsa-87", "5a6c707de506b23c", "192519f7196c6c42");
    binary_curves();
    integers();
    randomness();
    printf(failures ? "known answers: %d failed\n" : "known answers: all hold\n", failures);
    return failures != 0;
}
