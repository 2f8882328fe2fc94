// Keys in every form: files that openssl wrote, our own, and everything that must be refused.
#include "key/fixtures.hpp"
#include "support/full.hpp"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
extern "C" {
#include "ec/ec_binary.h"
#include "key/ec_plain.h"
#include "key/pbes2.h"
#include "key/pem.h"
#include "key/plain.h"
}

static ty_err read(ty_key *k, const std::string &s, const char *password = nullptr)
{
    Guarded in(s.data(), s.size());
    std::memset(k, 0xee, sizeof *k);
    return ty_key_read(k, in.data(), in.size(), password, password ? std::strlen(password) : 0);
}

static const ty_key_limits usual = {TY_KEY_ITERATIONS, nullptr, 0};

static std::string der_of(const std::string &pem)
{
    uint8_t der[TY_PEM_DER_MAX];
    size_t len = 0;
    ty_key_form form;
    EXPECT_EQ(ty_pem_read(der, &len, &form, (const uint8_t *)pem.data(), pem.size()), TY_OK);
    return std::string((const char *)der, len);
}

static std::string write(const ty_key &k, ty_key_form form, ty_key_coding coding)
{
    TestRng r(5);
    const ty_rng rng = r.ty();
    size_t need = 0, len;
    EXPECT_EQ(ty_key_write(nullptr, &need, &k, form, coding, "secret", 6, 100, &rng), TY_ERR_SIZE);
    EXPECT_LE(need, (size_t)TY_KEY_ENCODED_MAX);
    Guarded out(need);
    len = need - 1;
    EXPECT_EQ(ty_key_write(out.data(), &len, &k, form, coding, "secret", 6, 100, &rng),
              TY_ERR_SIZE);
    EXPECT_EQ(ty_key_write(out.data(), &len, &k, form, coding, "secret", 6, 100, &rng), TY_OK);
    EXPECT_EQ(len, need);
    return std::string((const char *)out.data(), len);
}

static bool all_zero(const ty_key &k)
{
    for (size_t i = 0; i < sizeof k; i++)
        if (((const uint8_t *)&k)[i]) return false;
    return true;
}

static void expect_key(const ty_key &k, bool priv)
{
    uint8_t p[65];
    ty_sm2_pub_get(p, &k.pub);
    EXPECT_EQ(hex(p, 65), fixture::pub);
    EXPECT_EQ(k.private_key, priv ? 1 : 0);
    if (!priv) return;
    EXPECT_EQ(hex(k.sm2.d, 32), fixture::d);
    EXPECT_EQ(std::memcmp(&k.sm2.pub, &k.pub, sizeof k.pub), 0);
}

struct Row { const char *name; const char *pem; ty_key_form form; bool priv; };
static const Row good[] = {
    {"ecparam", fixture::ecparam, TY_KEY_PKCS8, true},
    {"pkcs8", fixture::pkcs8, TY_KEY_PKCS8, true},
    {"sec1", fixture::sec1, TY_KEY_SEC1, true},
    {"sec1_ec", fixture::sec1_ec, TY_KEY_SEC1, true},
    {"sec1_compressed", fixture::sec1_compressed, TY_KEY_SEC1, true},
    {"sec1_no_public", fixture::sec1_no_public, TY_KEY_SEC1, true},
    {"spki", fixture::spki, TY_KEY_SPKI, false},
    {"spki_compressed", fixture::spki_compressed, TY_KEY_SPKI, false},
    {"encrypted", fixture::encrypted, TY_KEY_PKCS8_PBES2, true},
    {"encrypted_gm", fixture::encrypted_gm, TY_KEY_PKCS8_PBES2, true},
    {"encrypted_sha256", fixture::encrypted_sha256, TY_KEY_PKCS8_PBES2_SHA256, true},
    {"encrypted_aes256", fixture::encrypted_aes256, TY_KEY_PKCS8_PBES2_AES256, true},
    {"encrypted_sha1", fixture::encrypted_sha1, TY_KEY_PKCS8_PBES2_OTHER, true},
    {"encrypted_aes", fixture::encrypted_aes, TY_KEY_PKCS8_PBES2_OTHER, true},
    {"encrypted_aes192", fixture::encrypted_aes192, TY_KEY_PKCS8_PBES2_OTHER, true},
};

TEST(Key, ReadsWhatOpensslWrites)
{
    for (const Row &r : good) {
        SCOPED_TRACE(r.name);
        ty_key k;
        ASSERT_EQ(read(&k, r.pem, "secret"), TY_OK);
        EXPECT_EQ(k.form, r.form);
        EXPECT_EQ(k.coding, TY_KEY_PEM);
        expect_key(k, r.priv);
        ASSERT_EQ(read(&k, der_of(r.pem), "secret"), TY_OK);
        EXPECT_EQ(k.form, r.form);
        EXPECT_EQ(k.coding, TY_KEY_DER);
        expect_key(k, r.priv);
    }
}

TEST(Key, WritesWhatOpensslWrites)
{
    ty_key k;
    ASSERT_EQ(read(&k, fixture::ecparam), TY_OK);
    EXPECT_EQ(write(k, TY_KEY_PKCS8, TY_KEY_PEM), fixture::pkcs8);
    EXPECT_EQ(write(k, TY_KEY_SEC1, TY_KEY_PEM), fixture::sec1_ec);
    EXPECT_EQ(write(k, TY_KEY_SPKI, TY_KEY_PEM), fixture::spki);
    EXPECT_EQ(write(k, TY_KEY_PKCS8, TY_KEY_DER), der_of(fixture::pkcs8));
    EXPECT_EQ(write(k, TY_KEY_SEC1, TY_KEY_DER), der_of(fixture::sec1));
    EXPECT_EQ(write(k, TY_KEY_SPKI, TY_KEY_DER), der_of(fixture::spki));
}

TEST(Key, TheParametersOfTheEncryptedFixtureGiveTheFixtureAgain)
{
    ty_key k;
    uint8_t plain[TY_KEY_PLAIN_MAX], out[TY_PBES2_MAX];
    ASSERT_EQ(read(&k, fixture::pkcs8), TY_OK);
    const size_t n = ty_key_encode(plain, &k, TY_KEY_PKCS8, ty_key_full_shape(TY_KEY_PKCS8));
    for (const char *pem : { fixture::encrypted, fixture::encrypted_gm, fixture::encrypted_sha256,
                             fixture::encrypted_sha1, fixture::encrypted_aes,
                             fixture::encrypted_aes192, fixture::encrypted_aes256 }) {
        const std::string der = der_of(pem);
        ty_pbes2 p;
        ASSERT_EQ(ty_pbes2_decode(&p, (const uint8_t *)der.data(), der.size()), TY_OK);
        std::memset(p.secret, 0, sizeof p.secret);
        ASSERT_EQ(ty_pbes2_encrypt(&p, plain, n, "secret", 6), TY_OK);
        const size_t len = ty_pbes2_encode(out, sizeof out, &p);
        EXPECT_EQ(std::string((const char *)out, len), der);
        EXPECT_EQ(ty_pbes2_encode(out, der.size() - 1, &p), 0u);
    }
}

TEST(Key, RoundTripOfEveryForm)
{
    TestRng r(11);
    const ty_rng rng = r.ty();
    for (int i = 0; i < 6; i++) {
        ty_key k{}, back;
        ASSERT_EQ(ty_sm2_keygen(&k.sm2, &rng), TY_OK);
        k.pub = k.sm2.pub;
        k.private_key = 1;
        for (ty_key_form form : { TY_KEY_PKCS8, TY_KEY_PKCS8_PBES2, TY_KEY_PKCS8_PBES2_SHA256,
                                  TY_KEY_PKCS8_PBES2_AES256, TY_KEY_SEC1, TY_KEY_SPKI })
            for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
                ASSERT_EQ(read(&back, write(k, form, coding), "secret"), TY_OK);
                EXPECT_EQ(back.form, form);
                EXPECT_EQ(back.coding, coding);
                EXPECT_EQ(back.private_key, form != TY_KEY_SPKI);
                EXPECT_EQ(std::memcmp(&back.pub, &k.pub, sizeof k.pub), 0);
                EXPECT_TRUE(!back.private_key || std::memcmp(&back.sm2, &k.sm2, sizeof k.sm2) == 0);
            }
    }
}

TEST(Key, APublicKeyHasNoScalar)
{
    ty_key key;
    std::memset(&key, 0xee, sizeof key);
    ASSERT_EQ(ty_key_read(&key, fixture::spki, std::strlen(fixture::spki), nullptr, 0), TY_OK);
    EXPECT_EQ(key.private_key, 0);
    EXPECT_EQ(hex(key.sm2.d, 32), std::string(64, '0'));
    EXPECT_EQ(hex(key.sm2.inv1d, 32), std::string(64, '0'));
}

TEST(Key, EveryShapeIsReadAndKept)
{
    ty_key k, back;
    ASSERT_EQ(read(&k, fixture::pkcs8), TY_OK);
    uint8_t der[TY_KEY_PLAIN_MAX];
    for (ty_key_form form : {TY_KEY_PKCS8, TY_KEY_SEC1, TY_KEY_SPKI})
        for (unsigned shape = 0; shape < 8; shape++) {
            const bool point = shape & TY_SHAPE_POINT, curve = shape & TY_SHAPE_CURVE,
                       compressed = shape & TY_SHAPE_COMPRESSED;
            if (form == TY_KEY_SPKI ? point || curve : !point && compressed)
                continue;   // no such shape
            unsigned found = 99;
            const size_t n = ty_key_encode(der, &k, form, shape);
            ASSERT_LE(n, (size_t)TY_KEY_PLAIN_MAX);
            const ty_err err = ty_key_decode(&back, &found, der, n);
            if (form == TY_KEY_SEC1 && !curve) {
                EXPECT_EQ(err, TY_ERR_FORMAT) << "without the curve";
                continue;
            }
            ASSERT_EQ(err, TY_OK) << form << " " << shape;
            EXPECT_EQ(found, shape);
            EXPECT_EQ(back.form, form);
        }
}

// --- passwords

TEST(Key, Passwords)
{
    ty_key k;
    EXPECT_EQ(read(&k, fixture::encrypted, nullptr), TY_ERR_ARG);
    EXPECT_TRUE(all_zero(k));
    for (const char *pem :
         { fixture::encrypted, fixture::encrypted_sha256, fixture::encrypted_aes256,
           fixture::encrypted_legacy, fixture::legacy_aes256 })
        for (const char *p : {"", "Secret", "secret ", "secre"}) {
            EXPECT_EQ(read(&k, pem, p), TY_ERR_VERIFY) << p;
            EXPECT_TRUE(all_zero(k));
        }
    EXPECT_EQ(read(&k, fixture::pkcs8, "not needed"), TY_OK);
}

TEST(Key, OneWrongPasswordIn256HasValidPaddingAndIsStillRefused)
{
    // Many salts instead of many passwords: each gives another key.
    ty_key k;
    ASSERT_EQ(read(&k, fixture::pkcs8), TY_OK);
    const std::string der = der_of(fixture::encrypted);
    ty_pbes2 p;
    ASSERT_EQ(ty_pbes2_decode(&p, (const uint8_t *)der.data(), der.size()), TY_OK);
    p.iterations = 1;
    int padded = 0;
    for (int i = 0; i < 2000; i++) {
        uint8_t plain[TY_PBES2_SECRET_MAX], again[TY_PBES2_MAX];
        size_t n;
        p.salt[0] = (uint8_t)i;
        p.salt[1] = (uint8_t)(i >> 8);
        padded += ty_pbes2_decrypt(plain, &n, &p, "secret", 6, &usual) == TY_OK;
        n = ty_pbes2_encode(again, sizeof again, &p);
        ASSERT_EQ(ty_key_read(&k, again, n, "secret", 6), TY_ERR_VERIFY);
        ASSERT_TRUE(all_zero(k));
    }
    EXPECT_GT(padded, 0);
    EXPECT_LT(padded, 40);
}

TEST(Key, WhatIsEncryptedMustBePkcs8)
{
    const std::string der = der_of(fixture::encrypted);
    ty_pbes2 p;
    ASSERT_EQ(ty_pbes2_decode(&p, (const uint8_t *)der.data(), der.size()), TY_OK);
    p.iterations = 1;
    const struct { const char *pem; ty_err err; } rows[] = {
        {fixture::pkcs8, TY_OK}, {fixture::sec1, TY_ERR_VERIFY}, {fixture::spki, TY_ERR_VERIFY},
    };
    for (const auto &r : rows) {
        const std::string inner = der_of(r.pem);
        uint8_t out[TY_PBES2_MAX];
        ty_key k;
        ASSERT_EQ(ty_pbes2_encrypt(&p, (const uint8_t *)inner.data(), inner.size(), "secret", 6),
                  TY_OK);
        EXPECT_EQ(ty_key_read(&k, out, ty_pbes2_encode(out, sizeof out, &p), "secret", 6), r.err)
            << r.pem;
        if (r.err != TY_OK) { EXPECT_TRUE(all_zero(k)); }
    }
}

TEST(Key, PaddingIsCheckedInEveryByte)
{
    const std::string der = der_of(fixture::encrypted);
    ty_pbes2 p;
    ASSERT_EQ(ty_pbes2_decode(&p, (const uint8_t *)der.data(), der.size()), TY_OK);
    p.iterations = 1;
    for (size_t n = 0; n <= 32; n++) {   // n bytes and 16 - n % 16 of padding
        uint8_t in[32], out[TY_PBES2_SECRET_MAX];
        size_t out_len;
        TestRng(n).fill(in, sizeof in);
        ASSERT_EQ(ty_pbes2_encrypt(&p, in, n, "x", 1), TY_OK);
        ASSERT_EQ(p.secret_len, n / 16 * 16 + 16);
        ASSERT_EQ(ty_pbes2_decrypt(out, &out_len, &p, "x", 1, &usual), TY_OK);
        ASSERT_EQ(out_len, n);
        ASSERT_EQ(std::memcmp(in, out, n), 0);
        // CBC: a changed byte in the last block but one, or in the IV if there is only one block,
        // changes one byte of the padding
        const size_t pad = 16 - n % 16;
        for (size_t i = 1; i <= pad; i++) {
            ty_pbes2 q = p;
            (q.secret_len > 16 ? q.secret + q.secret_len - 32 : q.iv)[16 - i] ^= 0x20;
            EXPECT_EQ(ty_pbes2_decrypt(out, &out_len, &q, "x", 1, &usual), TY_ERR_VERIFY)
                << n << " " << i;
        }
    }
    // a padding byte out of range: 16 bytes of that value, unpadded
    for (int last : {0, 17, 32, 255}) {
        uint8_t in[16], out[TY_PBES2_SECRET_MAX];
        size_t out_len;
        std::memset(in, last, sizeof in);
        ASSERT_EQ(ty_pbes2_encrypt(&p, in, 16, "x", 1), TY_OK);
        p.secret_len = 16;
        EXPECT_EQ(ty_pbes2_decrypt(out, &out_len, &p, "x", 1, &usual), TY_ERR_VERIFY) << last;
    }
}

TEST(Key, IterationsSaltAndCiphertextAtTheirLimits)
{
    const std::string der = der_of(fixture::encrypted);
    ty_pbes2 p;
    ASSERT_EQ(ty_pbes2_decode(&p, (const uint8_t *)der.data(), der.size()), TY_OK);
    const auto decode = [](const ty_pbes2 &q) {
        uint8_t b[TY_PBES2_MAX];
        ty_pbes2 got;
        const size_t n = ty_pbes2_encode(b, sizeof b, &q);
        EXPECT_NE(n, 0u);
        return ty_pbes2_decode(&got, b, n);
    };
    const struct { uint32_t iterations; ty_err err;
    } rows[] = { { 0, TY_ERR_FORMAT }, { 1, TY_OK },        { 127, TY_OK },
                 { 128, TY_OK },       { 10000001, TY_OK }, { 0xffffffff, TY_OK } };
    for (const auto &r : rows) {
        ty_pbes2 q = p;
        q.iterations = r.iterations;
        EXPECT_EQ(decode(q), r.err) << r.iterations;
    }
    for (size_t salt : {0u, 1u, 8u, 63u, 64u}) {
        ty_pbes2 q = p;
        q.salt_len = salt;
        EXPECT_EQ(decode(q), TY_OK) << salt;
    }
    for (size_t secret : {0u, 1u, 15u, 17u, 255u}) {
        ty_pbes2 q = p;
        q.secret_len = secret;
        EXPECT_EQ(decode(q), TY_ERR_FORMAT) << secret;
    }
    ty_pbes2 q = p;
    q.secret_len = 256;
    EXPECT_EQ(decode(q), TY_OK);
}

static Bytes tlv(int tag, const Bytes &body)
{
    Bytes v{(uint8_t)tag};
    if (body.size() >= 256) v.insert(v.end(), {0x82, (uint8_t)(body.size() >> 8)});
    else if (body.size() >= 128) v.push_back(0x81);
    v.push_back((uint8_t)body.size());
    v.insert(v.end(), body.begin(), body.end());
    return v;
}

static Bytes operator+(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

TEST(Key, EachPartOfTheEncryptedStructureIsChecked)
{
    const Bytes salt = tlv(4, Bytes(16, 1)), count = unhex("02020800"), iv = tlv(4, Bytes(16, 2)),
                secret = tlv(4, Bytes(144, 3));
    const Bytes oid_pbes2 = unhex("06092a864886f70d01050d"),
                oid_pbkdf2 = unhex("06092a864886f70d01050c");
    const Bytes oid_sm4 = unhex("06082a811ccf55016802"), null = unhex("0500");
    const Bytes prf = tlv(0x30, unhex("060a2a811ccf550183110301") + null),
                prf_gm = tlv(0x30, unhex("06092a811ccf5501831102") + null);
    const Bytes prf_256 = tlv(0x30, unhex("06082a864886f70d0209") + null);
    const auto make = [&](const Bytes &kdf_params, const Bytes &cipher, const Bytes &tail = {},
                          const Bytes &end = {}) {
        const Bytes kdf = tlv(0x30, oid_pbkdf2 + tlv(0x30, kdf_params) + end);
        return tlv(0x30, tlv(0x30, oid_pbes2 + tlv(0x30, kdf + tlv(0x30, cipher) + tail)) + secret);
    };
    const struct { const char *what; Bytes der; ty_err err;
    } rows[] = {
        { "as it should be", make(salt + count + prf, oid_sm4 + iv), TY_OK },
        { "the other PRF", make(salt + count + prf_gm, oid_sm4 + iv), TY_OK },
        { "keyLength 16", make(salt + count + unhex("020110") + prf, oid_sm4 + iv), TY_OK },
        { "PRF without NULL",
          make(salt + count + tlv(0x30, unhex("060a2a811ccf550183110301")), oid_sm4 + iv), TY_OK },
        { "salt of 64 bytes", make(tlv(4, Bytes(64, 1)) + count + prf, oid_sm4 + iv), TY_OK },
        { "salt of 65 bytes", make(tlv(4, Bytes(65, 1)) + count + prf, oid_sm4 + iv),
          TY_ERR_UNSUPPORTED },
        { "salt by algorithm", make(tlv(0x30, oid_pbkdf2) + count + prf, oid_sm4 + iv),
          TY_ERR_UNSUPPORTED },
        { "2^32 iterations", make(salt + unhex("02050100000000") + prf, oid_sm4 + iv),
          TY_ERR_FORMAT },
        { "no iterations", make(salt + prf, oid_sm4 + iv), TY_ERR_FORMAT },
        { "negative iterations", make(salt + unhex("0201ff") + prf, oid_sm4 + iv), TY_ERR_FORMAT },
        { "keyLength 32", make(salt + count + unhex("020120") + prf, oid_sm4 + iv), TY_ERR_FORMAT },
        { "HMAC-SHA-256", make(salt + count + prf_256, oid_sm4 + iv), TY_OK },
        { "HMAC-SHA-256 and keyLength 16",
          make(salt + count + unhex("020110") + prf_256, oid_sm4 + iv), TY_OK },
        { "HMAC-SHA-256 without NULL",
          make(salt + count + tlv(0x30, unhex("06082a864886f70d0209")), oid_sm4 + iv), TY_OK },
        { "HMAC-SHA-256 and AES-128",
          make(salt + count + prf_256, unhex("0609608648016503040102") + iv), TY_OK },
        { "AES-256 and keyLength 32",
          make(salt + count + unhex("020120") + prf_256, unhex("060960864801650304012a") + iv),
          TY_OK },
        { "AES-256 and keyLength 16",
          make(salt + count + unhex("020110") + prf_256, unhex("060960864801650304012a") + iv),
          TY_ERR_FORMAT },
        { "AES-192 and keyLength 24",
          make(salt + count + unhex("020118") + prf, unhex("0609608648016503040116") + iv), TY_OK },
        { "AES-256-GCM", make(salt + count + prf_256, unhex("060960864801650304012e") + iv),
          TY_ERR_UNSUPPORTED },
        { "AES-256 without IV", make(salt + count + prf_256, unhex("060960864801650304012a")),
          TY_ERR_FORMAT },
        { "DES-EDE3", make(salt + count + prf_256, unhex("06082a864886f70d0307") + iv),
          TY_ERR_UNSUPPORTED },
        { "HMAC-SHA-256 with a number",
          make(salt + count + tlv(0x30, unhex("06082a864886f70d0209020101")), oid_sm4 + iv),
          TY_ERR_FORMAT },
        { "HMAC-SHA-384",
          make(salt + count + tlv(0x30, unhex("06082a864886f70d020a") + null), oid_sm4 + iv),
          TY_OK },
        { "HMAC-SHA-1, by name",
          make(salt + count + tlv(0x30, unhex("06082a864886f70d0207") + null), oid_sm4 + iv),
          TY_OK },
        { "default PRF", make(salt + count, oid_sm4 + iv), TY_OK },
        { "default PRF and keyLength", make(salt + count + unhex("020110"), oid_sm4 + iv), TY_OK },
        { "HMAC-MD5",
          make(salt + count + tlv(0x30, unhex("06082a864886f70d0206") + null), oid_sm4 + iv),
          TY_ERR_UNSUPPORTED },
        { "SM3 itself as PRF",
          make(salt + count + tlv(0x30, unhex("06082a811ccf55018311") + null), oid_sm4 + iv),
          TY_ERR_UNSUPPORTED },
        { "PRF with a number",
          make(salt + count + tlv(0x30, unhex("060a2a811ccf550183110301020101")), oid_sm4 + iv),
          TY_ERR_FORMAT },
        { "PRF with NULL of one byte",
          make(salt + count + tlv(0x30, unhex("060a2a811ccf550183110301050100")), oid_sm4 + iv),
          TY_ERR_FORMAT },
        { "PRF with two NULL",
          make(salt + count + tlv(0x30, unhex("060a2a811ccf550183110301") + null + null),
               oid_sm4 + iv),
          TY_ERR_FORMAT },
        { "a NULL after the PRF", make(salt + count + prf + null, oid_sm4 + iv), TY_ERR_FORMAT },
        { "a NULL after the KDF's parameters", make(salt + count + prf, oid_sm4 + iv, {}, null),
          TY_ERR_FORMAT },
        { "a NULL after the cipher", make(salt + count + prf, oid_sm4 + iv, null), TY_ERR_FORMAT },
        { "a NULL after the IV", make(salt + count + prf, oid_sm4 + iv + null), TY_ERR_FORMAT },
        { "IV of 15 bytes", make(salt + count + prf, oid_sm4 + tlv(4, Bytes(15, 2))),
          TY_ERR_FORMAT },
        { "SM4-ECB", make(salt + count + prf, unhex("06082a811ccf55016801") + iv),
          TY_ERR_UNSUPPORTED },
        { "PBES1",
          tlv(0x30, tlv(0x30, unhex("06092a864886f70d010503") + tlv(0x30, salt + count)) + secret),
          TY_ERR_UNSUPPORTED },
    };
    const auto scrypt = [&](const Bytes &params) {
        const Bytes kdf = tlv(0x30, unhex("06092b06010401da47040b") + tlv(0x30, params));
        return tlv(0x30, tlv(0x30, oid_pbes2 + tlv(0x30, kdf + tlv(0x30, oid_sm4 + iv))) + secret);
    };
    const Bytes costs = unhex("020110020108020101");
    const struct { const char *what; Bytes der; ty_err err;
    } of_scrypt[] = {
        { "without keyLength", scrypt(salt + costs), TY_OK },
        { "keyLength 16", scrypt(salt + costs + unhex("020110")), TY_OK },
        { "keyLength 17", scrypt(salt + costs + unhex("020111")), TY_ERR_FORMAT },
        { "a NULL after keyLength", scrypt(salt + costs + unhex("0201100500")), TY_ERR_FORMAT },
    };
    for (const auto &r : of_scrypt) {
        ty_pbes2 p;
        EXPECT_EQ(ty_pbes2_decode(&p, r.der.data(), r.der.size()), r.err) << "scrypt, " << r.what;
    }
    for (const auto &r : rows) {
        ty_pbes2 p;
        EXPECT_EQ(ty_pbes2_decode(&p, r.der.data(), r.der.size()), r.err) << r.what;
        ty_key k;
        EXPECT_EQ(ty_key_read(&k, r.der.data(), r.der.size(), "secret", 6),
                  r.err == TY_OK ? TY_ERR_VERIFY : r.err)
            << r.what;
    }
}

TEST(Key, WriteChecksItsArguments)
{
    ty_key k, pub;
    ASSERT_EQ(read(&k, fixture::pkcs8), TY_OK);
    ASSERT_EQ(read(&pub, fixture::spki), TY_OK);
    uint8_t out[TY_KEY_ENCODED_MAX];
    TestRng r(1);
    const ty_rng rng = r.ty();
    const auto call = [&](const ty_key &key, int form, int coding, const char *pw, uint32_t it,
                          const ty_rng *g) {
        size_t n = sizeof out;
        return ty_key_write(out, &n, &key, (ty_key_form)form, (ty_key_coding)coding, pw, pw ? 6 : 0,
                            it, g);
    };
    EXPECT_EQ(call(pub, TY_KEY_SPKI, TY_KEY_PEM, nullptr, 0, nullptr), TY_OK);
    EXPECT_EQ(call(k, TY_KEY_SPKI, TY_KEY_PEM, nullptr, 0, nullptr), TY_OK);
    for (int form : { TY_KEY_PKCS8, TY_KEY_PKCS8_PBES2, TY_KEY_PKCS8_PBES2_SHA256,
                      TY_KEY_PKCS8_PBES2_AES256, TY_KEY_SEC1 })
        EXPECT_EQ(call(pub, form, 0, "secret", 1, &rng), TY_ERR_ARG);
    for (int form : { (int)TY_KEY_PKCS8_PBES2_OTHER, (int)TY_KEY_PKCS12, (int)TY_KEY_SEC1_OPENSSL,
                      (int)TY_KEY_SEC1_OPENSSL + 1, -1 })
        EXPECT_EQ(call(k, form, TY_KEY_PEM, "secret", 1, &rng), TY_ERR_ARG) << form;
    EXPECT_EQ(call(k, TY_KEY_SPKI, TY_KEY_DER + 1, "secret", 1, &rng), TY_ERR_ARG);
    for (int form : {TY_KEY_PKCS8_PBES2, TY_KEY_PKCS8_PBES2_SHA256, TY_KEY_PKCS8_PBES2_AES256}) {
        EXPECT_EQ(call(k, form, 0, nullptr, 1, &rng), TY_ERR_ARG);
        EXPECT_EQ(call(k, form, 0, "secret", 0, &rng), TY_ERR_ARG);
        EXPECT_EQ(call(k, form, 0, "secret", 10000001, &rng), TY_ERR_ARG);
        EXPECT_EQ(call(k, form, 0, "secret", 1, nullptr), TY_ERR_ARG);
        EXPECT_EQ(call(k, form, 0, "secret", 1, &rng), TY_OK);
    }
}

namespace {
#include "key/refused_key_cases.inc"
}   // namespace

#include "key/ec_key_cases.inc"
