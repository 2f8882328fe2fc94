/* The checks of each kind of case, in both directions where there are two. The comment in front of
 * a check lists its fields, in the order of tests/fw/vectors.py; "passes" is 1 if the signature
 * must verify. */
#include "vectors.h"

#include "sm2/sm2_internal.h"
#include "tongyu/keccak.h"
#include "tongyu/mldsa.h"
#include "tongyu/sm2.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"
#include "tongyu/sm4_aead.h"
#include "tongyu/sm4_mac.h"
#include "tongyu/sm4_xts.h"

#include <string.h>

static uint8_t out[1 << 15], back[1 << 15];

/* A random source that returns the bytes of one field, once */
static ty_err give(void *ctx, uint8_t *to, size_t len)
{
    fw_field *f = ctx;
    if (f->len != len) return TY_ERR_RNG;
    memcpy(to, f->at, len);
    f->len = 0;
    return TY_OK;
}

/* --- ML-DSA ----------------------------------------------------------------------------------- */

/* seed pk sk */
static int mldsa_keygen(const fw_field *f)
{
    static const ty_mldsa_set sets[] = { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 };
    for (size_t i = 0; i < 3; i++) {
        const size_t pub_len = ty_mldsa_pub_len(sets[i]), key_len = ty_mldsa_key_len(sets[i]);
        if (f[1].len != pub_len) continue;
        return f[0].len == 32 &&
               ty_mldsa_keygen_encoded(out, pub_len, back, key_len, f[0].at, sets[i]) == TY_OK &&
               fw_same(f[1], out, pub_len) && fw_same(f[2], back, key_len);
    }
    return 0;
}

/* mu = SHAKE256(tr, message), the message as FIPS 204's internal functions take it */
static int raw_mu(uint8_t mu[64], const uint8_t tr[64], fw_field message)
{
    ty_keccak c;
    ty_shake256_init(&c);
    return ty_shake_update(&c, tr, 64) == TY_OK &&
           ty_shake_update(&c, message.at, message.len) == TY_OK &&
           ty_shake_squeeze(mu, 64, &c) == TY_OK;
}

/* passes pk message context signature */
static int mldsa_verify(const fw_field *f)
{
    const ty_err err = ty_mldsa_verify_encoded(f[4].at, f[4].len, f[2].at, f[2].len, f[3].at,
                                               f[3].len, f[1].at, f[1].len);
    return err == (f[0].at[0] == 1 ? TY_OK : TY_ERR_VERIFY);
}

static int verify_mu(const fw_field *f, const uint8_t *mu)
{
    const ty_err err = ty_mldsa_verify_encoded_mu(f[3].at, f[3].len, mu, f[1].at, f[1].len);
    return err == (f[0].at[0] == 1 ? TY_OK : TY_ERR_VERIFY);
}

/* passes pk message signature */
static int mldsa_verify_raw(const fw_field *f)
{
    uint8_t tr[64], mu[64];
    ty_shake256_hash(tr, 64, f[1].at, f[1].len);
    return raw_mu(mu, tr, f[2]) && verify_mu(f, mu);
}

/* passes pk mu signature */
static int mldsa_verify_mu(const fw_field *f) { return f[2].len == 64 && verify_mu(f, f[2].at); }

/* rnd (empty for the deterministic signature) sk message context signature */
static int mldsa_sign(const fw_field *f)
{
    fw_field fresh = f[0];
    const ty_rng rng = { give, &fresh };
    return ty_mldsa_sign_encoded(out, f[4].len, f[2].at, f[2].len, f[3].at, f[3].len, f[1].at,
                                 f[1].len, f[0].len ? &rng : NULL) == TY_OK &&
           fw_same(f[4], out, f[4].len);
}

static int sign_mu(const fw_field *f, const uint8_t *mu)
{
    fw_field fresh = f[0];
    const ty_rng rng = { give, &fresh };
    return ty_mldsa_sign_encoded_mu(out, f[3].len, mu, f[1].at, f[1].len,
                                    f[0].len ? &rng : NULL) == TY_OK &&
           fw_same(f[3], out, f[3].len);
}

/* rnd sk message signature; an encoded key holds rho, K, tr */
static int mldsa_sign_raw(const fw_field *f)
{
    uint8_t mu[64];
    return f[1].len > 128 && raw_mu(mu, f[1].at + 64, f[2]) && sign_mu(f, mu);
}

/* rnd sk mu signature */
static int mldsa_sign_mu(const fw_field *f) { return f[2].len == 64 && sign_mu(f, f[2].at); }

/* --- SM2 -------------------------------------------------------------------------------------- */

static ty_sm2_key key;
static ty_sm2_pub pub;

/* d pub compressed */
static int sm2_pubkey(const fw_field *f)
{
    uint8_t got[65];
    if (f[0].len != 32 || ty_sm2_key_set(&key, f[0].at) != TY_OK) return 0;
    ty_sm2_pub_get(got, &key.pub);
    if (!fw_same(f[1], got, 65) || ty_sm2_pub_set(&pub, f[2].at, f[2].len) != TY_OK) return 0;
    ty_sm2_pub_get(got, &pub);
    if (!fw_same(f[1], got, 65)) return 0;
    ty_sm2_pub_get_compressed(got, &key.pub);
    return fw_same(f[2], got, 33);
}

/* d pub id msg z e k sig */
static int sm2_sign(const fw_field *f)
{
    uint8_t got[65];
    if (f[0].len != 32 || ty_sm2_key_set(&key, f[0].at) != TY_OK) return 0;
    if (ty_sm2_pub_set(&pub, f[1].at, f[1].len) != TY_OK) return 0;
    if (ty_sm2_z(got, f[2].at, f[2].len, &pub) != TY_OK || !fw_same(f[4], got, 32)) return 0;
    ty_sm2_digest(got, got, f[3].at, f[3].len);
    if (!fw_same(f[5], got, 32) || f[6].len != 32 || f[7].len != 64) return 0;
    return ty_sm2_sign_with_nonce(got, f[5].at, &key, f[6].at, NULL) == 1 &&
           fw_same(f[7], got, 64) &&
           ty_sm2_verify(f[7].at, f[3].at, f[3].len, f[2].at, f[2].len, &pub) == TY_OK;
}

/* d pub k msg, ciphertext in the standard's order */
static int sm2_encrypt(const fw_field *f)
{
    fw_field k = f[2];
    const ty_rng rng = { give, &k };
    if (f[0].len != 32 || ty_sm2_key_set(&key, f[0].at) != TY_OK) return 0;
    return ty_sm2_pub_set(&pub, f[1].at, f[1].len) == TY_OK &&
           ty_sm2_encrypt(out, f[3].at, f[3].len, TY_SM2_C1C3C2, &pub, &rng) == TY_OK &&
           fw_same(f[4], out, f[3].len + TY_SM2_OVERHEAD) &&
           ty_sm2_decrypt(back, f[4].at, f[4].len, TY_SM2_C1C3C2, &key) == TY_OK &&
           fw_same(f[3], back, f[4].len - TY_SM2_OVERHEAD);
}

/* d peer shared */
static int sm2_ecdh(const fw_field *f)
{
    uint8_t got[32];
    return f[0].len == 32 && ty_sm2_key_set(&key, f[0].at) == TY_OK &&
           ty_sm2_pub_set(&pub, f[1].at, f[1].len) == TY_OK &&
           ty_sm2_ecdh(got, &pub, &key) == TY_OK && fw_same(f[2], got, 32);
}

/* role d r own-point id, and of the peer: d point id; then key, confirmations to send and to get */
static int sm2_exchange(const fw_field *f)
{
    fw_field r = f[2];
    const ty_rng rng = { give, &r };
    ty_sm2_key peer;
    ty_sm2_kx kx;
    uint8_t point[65], send[32], get[32];
    if (f[1].len != 32 || ty_sm2_key_set(&key, f[1].at) != TY_OK || f[5].len != 32 ||
        ty_sm2_key_set(&peer, f[5].at) != TY_OK || f[6].len != 65)
        return 0;
    const ty_sm2_role role = (ty_sm2_role)f[0].at[0];   /* kx_init refuses other values */
    return ty_sm2_kx_init(&kx, point, role, &rng) == TY_OK && fw_same(f[3], point, 65) &&
           ty_sm2_kx_final(out, f[8].len, send, get, f[6].at, f[4].at, f[4].len, f[7].at, f[7].len,
                           &peer.pub, &key, &kx) == TY_OK &&
           fw_same(f[8], out, f[8].len) && fw_same(f[9], send, 32) && fw_same(f[10], get, 32);
}

/* --- SM3 -------------------------------------------------------------------------------------- */

/* msg md */
static int sm3(const fw_field *f)
{
    ty_sm3_hash(out, f[0].at, f[0].len);
    return fw_same(f[1], out, 32);
}

/* key msg md */
static int sm3_hmac(const fw_field *f)
{
    ty_hmac_sm3_mac(out, f[1].at, f[1].len, f[0].at, f[0].len);
    return fw_same(f[2], out, 32);
}

/* z out */
static int sm3_kdf(const fw_field *f)
{
    return ty_kdf_sm3(out, f[1].len, f[0].at, f[0].len) == TY_OK && fw_same(f[1], out, f[1].len);
}

/* password salt iterations out */
static int sm3_pbkdf2(const fw_field *f)
{
    return ty_pbkdf2_sm3(out, f[3].len, f[0].at, f[0].len, f[1].at, f[1].len, fw_number(f[2])) ==
               TY_OK &&
           fw_same(f[3], out, f[3].len);
}

/* --- SM4: key iv plaintext ciphertext --------------------------------------------------------- */

static ty_sm4_key sm4;

static int both(const fw_field *f, ty_err there, ty_err and_back)
{
    return there == TY_OK && and_back == TY_OK && f[2].len == f[3].len &&
           fw_same(f[3], out, f[3].len) && fw_same(f[2], back, f[2].len);
}

static int sm4_ecb(const fw_field *f)
{
    ty_sm4_init(&sm4, f[0].at);
    return both(f, ty_sm4_ecb_encrypt(out, f[2].at, f[2].len, &sm4),
                ty_sm4_ecb_decrypt(back, f[3].at, f[3].len, &sm4));
}

static int sm4_cbc(const fw_field *f)
{
    ty_sm4_init(&sm4, f[0].at);
    return both(f, ty_sm4_cbc_encrypt(out, f[2].at, f[2].len, f[1].at, &sm4),
                ty_sm4_cbc_decrypt(back, f[3].at, f[3].len, f[1].at, &sm4));
}

static int sm4_ctr(const fw_field *f)
{
    ty_sm4_init(&sm4, f[0].at);
    ty_sm4_ctr(out, f[2].at, f[2].len, f[1].at, &sm4);
    ty_sm4_ctr(back, f[3].at, f[3].len, f[1].at, &sm4);
    return both(f, TY_OK, TY_OK);
}

static int sm4_ofb(const fw_field *f)
{
    ty_sm4_init(&sm4, f[0].at);
    ty_sm4_ofb(out, f[2].at, f[2].len, f[1].at, &sm4);
    ty_sm4_ofb(back, f[3].at, f[3].len, f[1].at, &sm4);
    return both(f, TY_OK, TY_OK);
}

static int sm4_cfb(const fw_field *f)
{
    ty_sm4_init(&sm4, f[0].at);
    ty_sm4_cfb_encrypt(out, f[2].at, f[2].len, f[1].at, &sm4);
    ty_sm4_cfb_decrypt(back, f[3].at, f[3].len, f[1].at, &sm4);
    return both(f, TY_OK, TY_OK);
}

/* 1 if `in`, processed in this mode with padding and in two chunks, gives `want` */
static int padded(fw_field want, fw_field in, const uint8_t *iv, ty_sm4_mode mode)
{
    ty_sm4_stream c;
    size_t n[3];
    return ty_sm4_start(&c, mode, TY_SM4_PAD_PKCS7, iv, &sm4) == TY_OK &&
           ty_sm4_update(out, &n[0], in.at, in.len / 3, &c) == TY_OK &&
           ty_sm4_update(out + n[0], &n[1], in.at + in.len / 3, in.len - in.len / 3, &c) == TY_OK &&
           ty_sm4_final(out + n[0] + n[1], &n[2], &c) == TY_OK &&
           fw_same(want, out, n[0] + n[1] + n[2]);
}

static int sm4_ecb_pkcs7(const fw_field *f)
{
    ty_sm4_init(&sm4, f[0].at);
    return padded(f[3], f[2], NULL, TY_SM4_ECB_ENCRYPT) &&
           padded(f[2], f[3], NULL, TY_SM4_ECB_DECRYPT);
}

static int sm4_cbc_pkcs7(const fw_field *f)
{
    ty_sm4_init(&sm4, f[0].at);
    return padded(f[3], f[2], f[1].at, TY_SM4_CBC_ENCRYPT) &&
           padded(f[2], f[3], f[1].at, TY_SM4_CBC_DECRYPT);
}

/* key iv plaintext ciphertext aad tag */
static int sm4_gcm(const fw_field *f)
{
    static ty_sm4_gcm_key gcm;
    uint8_t tag[16];
    if (f[5].len > sizeof tag) return 0;
    ty_sm4_gcm_init(&gcm, f[0].at);
    const ty_err there = ty_sm4_gcm_seal(out, tag, f[5].len, f[2].at, f[2].len, f[4].at, f[4].len,
                                         f[1].at, f[1].len, &gcm);
    return fw_same(f[5], tag, f[5].len) &&
           both(f, there, ty_sm4_gcm_open(back, f[3].at, f[3].len, f[5].at, f[5].len, f[4].at,
                                          f[4].len, f[1].at, f[1].len, &gcm));
}

static int sm4_ccm(const fw_field *f)
{
    uint8_t tag[16];
    if (f[5].len > sizeof tag) return 0;
    ty_sm4_init(&sm4, f[0].at);
    const ty_err there = ty_sm4_ccm_seal(out, tag, f[5].len, f[2].at, f[2].len, f[4].at, f[4].len,
                                         f[1].at, f[1].len, &sm4);
    return fw_same(f[5], tag, f[5].len) &&
           both(f, there, ty_sm4_ccm_open(back, f[3].at, f[3].len, f[5].at, f[5].len, f[4].at,
                                          f[4].len, f[1].at, f[1].len, &sm4));
}

static ty_sm4_xts_key xts;

static int sm4_xts_ieee(const fw_field *f)
{
    return f[0].len == 32 && ty_sm4_xts_init(&xts, f[0].at) == TY_OK &&
           both(f, ty_sm4_xts_ieee_encrypt(out, f[2].at, f[2].len, f[1].at, &xts),
                ty_sm4_xts_ieee_decrypt(back, f[3].at, f[3].len, f[1].at, &xts));
}

static int sm4_xts_gb(const fw_field *f)
{
    return f[0].len == 32 && ty_sm4_xts_init(&xts, f[0].at) == TY_OK &&
           both(f, ty_sm4_xts_gb_encrypt(out, f[2].at, f[2].len, f[1].at, &xts),
                ty_sm4_xts_gb_decrypt(back, f[3].at, f[3].len, f[1].at, &xts));
}

/* key msg tag */
static int sm4_cmac(const fw_field *f)
{
    ty_sm4_cmac_key cmac;
    ty_sm4_cmac_init(&cmac, f[0].at);
    return f[2].len <= 16 && ty_sm4_cmac_mac(out, f[2].len, f[1].at, f[1].len, &cmac) == TY_OK &&
           fw_same(f[2], out, f[2].len);
}

/* --- All of them ------------------------------------------------------------------------------ */

#define KIND(name, fields, run) { name, sizeof name - 1, fields, run }
const fw_kind fw_kinds[] = {
    KIND("ML-DSA-KEYGEN", 3, mldsa_keygen),
    KIND("ML-DSA-VERIFY", 5, mldsa_verify),
    KIND("ML-DSA-VERIFY-RAW", 4, mldsa_verify_raw),
    KIND("ML-DSA-VERIFY-MU", 4, mldsa_verify_mu),
    KIND("ML-DSA-SIGN", 5, mldsa_sign),
    KIND("ML-DSA-SIGN-RAW", 4, mldsa_sign_raw),
    KIND("ML-DSA-SIGN-MU", 4, mldsa_sign_mu),
    KIND("SM2-PUBKEY", 3, sm2_pubkey),
    KIND("SM2-SIGN", 8, sm2_sign),
    KIND("SM2-ENC", 5, sm2_encrypt),
    KIND("SM2-ECDH", 3, sm2_ecdh),
    KIND("SM2-KX", 11, sm2_exchange),
    KIND("SM3", 2, sm3),
    KIND("HMAC-SM3", 3, sm3_hmac),
    KIND("SM2-KDF", 2, sm3_kdf),
    KIND("PBKDF2-HMAC-SM3", 4, sm3_pbkdf2),
    KIND("SM4-ECB", 4, sm4_ecb),
    KIND("SM4-ECB-PKCS7", 4, sm4_ecb_pkcs7),
    KIND("SM4-CBC", 4, sm4_cbc),
    KIND("SM4-CBC-PKCS7", 4, sm4_cbc_pkcs7),
    KIND("SM4-CTR", 4, sm4_ctr),
    KIND("SM4-OFB", 4, sm4_ofb),
    KIND("SM4-CFB", 4, sm4_cfb),
    KIND("SM4-GCM", 6, sm4_gcm),
    KIND("SM4-CCM", 6, sm4_ccm),
    KIND("SM4-XTS-IEEE", 4, sm4_xts_ieee),
    KIND("SM4-XTS-GB", 4, sm4_xts_gb),
    KIND("SM4-CMAC", 3, sm4_cmac),
    { NULL, 0, 0, NULL },
};
