// Keys that other programs encrypted: the ciphers and hashes that they use, against published
// vectors, and the files.
#include "key/fixtures.hpp"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include <algorithm>
#include <gtest/gtest.h>
extern "C" {
#include "kdf/scrypt.h"
#include "key/aes.h"
#include "key/md5.h"
#include "key/pbes2.h"
#include "key/pem.h"
#include "key/pkcs12.h"
#include "mac/hmac_any.h"
#include "sha2/sha1.h"
#include "tongyu/ec_key.h"
#include "tongyu/mldsa_key.h"
}

static Bytes repeat(size_t n, int byte) { return Bytes(n, (uint8_t)byte); }

// --- AES

// FIPS 197, appendix C: through CBC with an IV of zeros, which for one block is the cipher itself
TEST(Aes, PublishedBlocks)
{
    const Bytes plain = unhex("00112233445566778899aabbccddeeff"), zero(16);
    const struct { size_t key_len; const char *cipher;
    } rows[] = { { 16, "69c4e0d86a7b0430d8cdb78070b4c55a" },
                 { 24, "dda97ca4864cdfe06eaf70a0ec0d7191" },
                 { 32, "8ea2b7ca516745bfeafc49904b496089" } };
    for (const auto &r : rows) {
        Bytes key(r.key_len), out(16);
        for (size_t i = 0; i < key.size(); i++) key[i] = (uint8_t)i;
        ty_aes c;
        ty_aes_init(&c, key.data(), key.size());
        ty_aes_cbc_encrypt(out.data(), plain.data(), 16, zero.data(), &c);
        EXPECT_EQ(hex(out), r.cipher);
        ty_aes_cbc_decrypt(out.data(), out.data(), 16, zero.data(), &c);
        EXPECT_EQ(out, plain);
    }
}

TEST(Aes, PublishedChains)   // SP 800-38A, F.2
{
    const Bytes iv = unhex("000102030405060708090a0b0c0d0e0f");
    const Bytes plain = unhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                              "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
    const struct { const char *key, *cipher;
    } rows[] = { { "2b7e151628aed2a6abf7158809cf4f3c",
                   "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
                   "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7" },
                 { "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
                   "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
                   "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b" } };
    for (const auto &r : rows) {
        const Bytes key = unhex(r.key);
        Guarded in(plain.data(), plain.size()), out(plain.size());
        ty_aes c;
        ty_aes_init(&c, key.data(), key.size());
        ty_aes_cbc_encrypt(out.data(), in.data(), plain.size(), iv.data(), &c);
        EXPECT_EQ(hex(out.data(), plain.size()), r.cipher);
        ty_aes_cbc_decrypt(out.data(), out.data(), plain.size(), iv.data(), &c);   // in place
        EXPECT_EQ(Bytes(out.data(), out.data() + plain.size()), plain);
    }
}

// Random keys and blocks, enough to use every entry of the S-box and of its inverse.
TEST(Aes, DecryptionUndoesEncryption)
{
    TestRng r(3);
    for (size_t key_len : {16u, 24u, 32u})
        for (int i = 0; i < 256; i++) {
            const Bytes key = r.bytes(key_len), iv = r.bytes(16), plain = r.bytes(48);
            Bytes out(48);
            ty_aes c;
            ty_aes_init(&c, key.data(), key_len);
            ty_aes_cbc_encrypt(out.data(), plain.data(), 48, iv.data(), &c);
            ASSERT_NE(out, plain);
            ty_aes_cbc_decrypt(out.data(), out.data(), 48, iv.data(), &c);
            ASSERT_EQ(out, plain);
        }
}

// --- hashes, and functions built on them

TEST(OldHashes, PublishedDigests)   // FIPS 180-4's examples; RFC 1321, A.5
{
    uint8_t out[64];
    ty_sha1_hash(out, (const uint8_t *)"abc", 3);
    EXPECT_EQ(hex(out, 20), "a9993e364706816aba3e25717850c26c9cd0d89d");
    const std::string two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                      million(1000000, 'a');
    ty_sha1_hash(out, (const uint8_t *)two.data(), two.size());
    EXPECT_EQ(hex(out, 20), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    ty_sha1_hash(out, (const uint8_t *)million.data(), million.size());
    EXPECT_EQ(hex(out, 20), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    const struct { std::string text; const char *digest;
    } rows[] = {
        { "", "d41d8cd98f00b204e9800998ecf8427e" },
        { "abc", "900150983cd24fb0d6963f7d28e17f72" },
        { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
          "d174ab98d277d9f5a5611c2c9f419d9f" },
        { "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
          "57edf4a22be3c955ac49da2e2107b67a" }
    };
    for (const auto &r : rows) {
        ty_md5 c;
        ty_md5_init(&c);
        ty_md5_update(&c, (const uint8_t *)r.text.data(), r.text.size() / 2);
        ty_md5_update(&c, (const uint8_t *)r.text.data() + r.text.size() / 2,
                      r.text.size() - r.text.size() / 2);
        ty_md5_final(out, &c);
        EXPECT_EQ(hex(out, 16), r.digest) << r.text;
    }
}

// RFC 2202, 3; RFC 4231, 4.2, 4.3 and 4.7: short keys, and one longer than a block
TEST(HmacAny, PublishedCodes)
{
    const Bytes hi = bytes("Hi There"), what = bytes("what do ya want for nothing?"),
                jefe = bytes("Jefe");
    const Bytes larger = bytes("Test Using Larger Than Block-Size Key - Hash Key First");
    const struct { const ty_hash_kind *hash; Bytes key, msg; const char *code;
    } rows[] = {
        { &ty_hash_sha1, repeat(20, 0x0b), hi, "b617318655057264e28bc0b6fb378c8ef146be00" },
        { &ty_hash_sha1, jefe, what, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79" },
        { &ty_hash_sha1, repeat(80, 0xaa), larger, "aa4ae5e15272d00e95705637ce8a3b55ed402112" },
        { &ty_hash_sha224, repeat(20, 0x0b), hi,
          "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22" },
        { &ty_hash_sha256, repeat(20, 0x0b), hi,
          "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7" },
        { &ty_hash_sha256, repeat(131, 0xaa), larger,
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54" },
        { &ty_hash_sha384, repeat(20, 0x0b), hi,
          "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8"
          "b2fa9cb6" },
        { &ty_hash_sha512, jefe, what,
          "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65"
          "f8f0e6fd"
          "caeab1a34d4a6b4b636e070a38bce737" },
        { &ty_hash_sha512, repeat(131, 0xaa), larger,
          "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd221"
          "5d6a1e52"
          "95e64f73f63f0aec8b915a985d786598" }
    };
    for (const auto &r : rows) {
        ty_hmac_any c;
        uint8_t out[64];
        ty_hmac_any_init(&c, r.hash, r.key.data(), r.key.size());
        for (int again = 0; again < 2; again++) {
            ty_hmac_any_update(&c, r.msg.data(), 3);
            ty_hmac_any_update(&c, r.msg.data() + 3, r.msg.size() - 3);
            ty_hmac_any_final(out, &c);
            EXPECT_EQ(hex(out, r.hash->len), r.code) << r.hash->name;
        }
    }
}

static std::string pbkdf2(const std::string &password, const std::string &salt, uint32_t iterations,
                          size_t len, const ty_hash_kind &hash)
{
    Guarded out(len);
    EXPECT_EQ(ty_pbkdf2_any(out.data(), len, (const uint8_t *)password.data(), password.size(),
                            (const uint8_t *)salt.data(), salt.size(), iterations, &hash),
              TY_OK);
    return hex(out.data(), len);
}

TEST(Pbkdf2Any, PublishedKeys)   // RFC 6070
{
    EXPECT_EQ(pbkdf2("password", "salt", 1, 20, ty_hash_sha1),
              "0c60c80f961f0e71f3a9b524af6012062fe037a6");
    EXPECT_EQ(pbkdf2("password", "salt", 2, 20, ty_hash_sha1),
              "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957");
    EXPECT_EQ(pbkdf2("password", "salt", 4096, 20, ty_hash_sha1),
              "4b007901b765489abead49d926f721d065a429c1");
    EXPECT_EQ(pbkdf2("passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096, 25,
                     ty_hash_sha1),
              "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038");
}

TEST(Pbkdf2Any, ComputedElsewhere)   // by Python's hashlib
{
    EXPECT_EQ(pbkdf2("secret", "saltsalt", 3, 32, ty_hash_sha224),
              "6978eec920fe66ee40f3f98f730f2e6262a6a673f32d8b90b15306a9e20fe16f");
    EXPECT_EQ(pbkdf2("secret", "saltsalt", 3, 33, ty_hash_sha256),
              "1fae156eca9238a96cf49798d90f0596c7b596cd0e751d4e7dc907a5f2b4f6c99e");
    EXPECT_EQ(pbkdf2("secret", "saltsalt", 3, 100, ty_hash_sha384),
              "bbce4644e05a2ec3dd865002cb0cec90c230c6902f277709ab5a3ee4d32cf4949ab228ae3f69ee5ae68b"
              "5036092006697ea15e2bd3ed9d691bfc2cd678fb13d78e0595a65b0a4812c8239e90980016cf96a594c5"
              "c8b534267411a43a0e16eb1d42e90af2");
    EXPECT_EQ(pbkdf2("secret", "saltsalt", 3, 65, ty_hash_sha512),
              "36416c731b160ba07da744cde88f2110387ecf996fe28341e24db6d55c9cd28dc3b29fc7be335b7a7f0e"
              "1fdd0c6ee4a707519155d5571d7dc42f2c205f58838033");
    EXPECT_EQ(pbkdf2("secret", "saltsalt", 3, 32, ty_hash_sha512_224),
              "9c9ef51e27b18ac4bc74c8bcea3ee1021dc2ed9d7166bc9bc0c44590235432bc");
    EXPECT_EQ(pbkdf2("secret", "saltsalt", 3, 40, ty_hash_sha512_256),
              "b770858927860b737d785348e00ef2205635bd704d22e64f50ada771a24d53227a74c8cd6b5e772c");
    EXPECT_EQ(pbkdf2("secret", "saltsalt", 3, 40, ty_hash_sm3),
              "5638ac4fd4ce6133bce3ab2f8b9427f069c0d7053fd0b9b9f9935ebb21c0023e20f22cbffa718ba5");
    // password and salt both longer than a block
    EXPECT_EQ(pbkdf2(std::string(200, 'p'), std::string(300, 's'), 2, 32, ty_hash_sha512),
              "3f246b89333d6ef08f62b0fbd429fe7cd0e2dc62741d849f21ed4dc77a445b22");
    uint8_t out[4];
    EXPECT_EQ(ty_pbkdf2_any(out, 4, nullptr, 0, nullptr, 0, 0, &ty_hash_sha1), TY_ERR_ARG);
    EXPECT_EQ(ty_pbkdf2_any(out, 4, nullptr, 0, nullptr, 0, 1, &ty_hash_sha1), TY_OK);
}

// --- scrypt

static std::string scrypt(const std::string &password, const std::string &salt, uint64_t n,
                          uint32_t r, uint32_t p, size_t len = 64)
{
    std::vector<uint64_t> memory(ty_scrypt_memory(n, r, p) / 8);
    Bytes out(len);
    EXPECT_EQ(ty_scrypt(out.data(), len, (const uint8_t *)password.data(), password.size(),
                        (const uint8_t *)salt.data(), salt.size(), n, r, p, memory.data()),
              TY_OK);
    EXPECT_EQ(std::count(memory.begin(), memory.end(), 0u), (ptrdiff_t)memory.size()) << "wiped";
    return hex(out);
}

TEST(Scrypt, PublishedKeys)   // RFC 7914, 12
{
    EXPECT_EQ(scrypt("", "", 16, 1, 1),
              "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
              "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906");
    EXPECT_EQ(scrypt("password", "NaCl", 1024, 8, 16),
              "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
              "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640");
    EXPECT_EQ(scrypt("pleaseletmein", "SodiumChloride", 16384, 8, 1),
              "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
              "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887");
}

TEST(Scrypt, Costs)
{
    const struct { uint64_t n; uint32_t r, p; size_t memory;
    } rows[] = { { 0, 8, 1, 0 },
                 { 1, 8, 1, 0 },
                 { 3, 8, 1, 0 },
                 { 2, 0, 1, 0 },
                 { 2, 1, 0, 0 },
                 { 2, 1, 1, 128 * 5 },
                 { 16384, 8, 1, 128 * 8 * 16387 },
                 { 1 << 15, 1, 1, 128 * ((1 << 15) + 3) },
                 { 1 << 16, 1, 1, 0 },
                 { 1 << 16, 2, 1, 256 * ((1 << 16) + 3) },
                 { 2, 1 << 15, 1 << 15, 0 },
                 { (uint64_t)1 << 63, 8, 1, 0 },
                 { (uint64_t)1 << 62, 0xffffffff, 1, 0 } };
    for (const auto &r : rows)
        EXPECT_EQ(ty_scrypt_memory(r.n, r.r, r.p), r.memory) << r.n << " " << r.r << " " << r.p;
    uint8_t out[4];
    EXPECT_EQ(ty_scrypt(out, 4, nullptr, 0, nullptr, 0, 3, 1, 1, nullptr), TY_ERR_ARG);
}

// --- files

static ty_err read_within(ty_key *k, const Bytes &in, const ty_key_limits &limits)
{
    std::memset(k, 0xee, sizeof *k);
    return ty_key_read_limited(k, in.data(), in.size(), "secret", 6, &limits);
}

static bool is_fixture(const ty_key &k) { return k.private_key && hex(k.sm2.d, 32) == fixture::d; }

TEST(Locked, CostOfEveryFixture)
{
    std::vector<uint64_t> memory(16 << 10);
    const size_t room = memory.size() * 8;
    const struct {
        const char *name;
        Bytes in;
        ty_key_form form;
        const char *kdf, *cipher;
        uint64_t iterations;
        size_t memory;
    } rows[] = { { "aes256", bytes(fixture::encrypted_aes256), TY_KEY_PKCS8_PBES2_AES256,
                   "PBKDF2-HMAC-SHA-256", "AES-256-CBC", 2048, 0 },
                 { "gmsm", bytes(fixture::encrypted_gmsm), TY_KEY_PKCS8_PBES2_AES256,
                   "PBKDF2-HMAC-SHA-256", "AES-256-CBC", 2048, 0 },
                 { "aes192", bytes(fixture::encrypted_aes192), TY_KEY_PKCS8_PBES2_OTHER,
                   "PBKDF2-HMAC-SHA-512", "AES-192-CBC", 10, 0 },
                 { "sha1", bytes(fixture::encrypted_sha1), TY_KEY_PKCS8_PBES2_OTHER,
                   "PBKDF2-HMAC-SHA-1", "SM4-CBC", 2048, 0 },
                 { "scrypt", bytes(fixture::encrypted_scrypt), TY_KEY_PKCS8_PBES2_OTHER, "scrypt",
                   "AES-256-CBC", 256, 128 * 8 * 20 },
                 { "gm", bytes(fixture::encrypted_gm), TY_KEY_PKCS8_PBES2, "PBKDF2-HMAC-SM3",
                   "SM4-CBC", 1000, 0 },
                 { "legacy", bytes(fixture::encrypted_legacy), TY_KEY_SEC1_OPENSSL, "MD5, once",
                   "SM4-CBC", 1, 0 },
                 { "legacy aes256", bytes(fixture::legacy_aes256), TY_KEY_SEC1_OPENSSL, "MD5, once",
                   "AES-256-CBC", 1, 0 },
                 { "pkcs12", unhex(fixture::pkcs12), TY_KEY_PKCS12, "PBKDF2-HMAC-SHA-256",
                   "AES-256-CBC", 100, 0 } };
    for (const auto &r : rows) {
        SCOPED_TRACE(r.name);
        ty_key_cost cost;
        ASSERT_EQ(ty_key_cost_get(&cost, r.in.data(), r.in.size()), TY_OK);
        EXPECT_EQ(cost.encrypted, 1);
        EXPECT_EQ(cost.form, r.form);
        EXPECT_STREQ(cost.kdf, r.kdf);
        EXPECT_STREQ(cost.cipher, r.cipher);
        EXPECT_EQ(cost.iterations, r.iterations);
        EXPECT_EQ(cost.memory, r.memory);
        ty_key k;
        ASSERT_EQ(read_within(&k, r.in, {cost.iterations, memory.data(), room}), TY_OK);
        EXPECT_TRUE(is_fixture(k));
        EXPECT_EQ(k.form, r.form);
        const ty_key_limits limits = {cost.iterations, memory.data(), room};
        size_t n = 0, need;
        const auto decrypt = [&](void *out, const char *password) {
            return ty_key_decrypt(out, &n, r.in.data(), r.in.size(), password, 6, &limits);
        };
        ASSERT_EQ(decrypt(nullptr, "secret"), TY_ERR_SIZE);
        need = n--;
        Guarded out(need);
        ASSERT_EQ(decrypt(out.data(), "secret"), TY_ERR_SIZE);
        ASSERT_EQ(decrypt(out.data(), "secret"), TY_OK);
        ASSERT_EQ(n, need);
        ASSERT_EQ(ty_key_read(&k, out.data(), n, nullptr, 0), TY_OK);
        EXPECT_TRUE(is_fixture(k));
        EXPECT_EQ(k.form, r.form == TY_KEY_SEC1_OPENSSL ? TY_KEY_SEC1 : TY_KEY_PKCS8);
        EXPECT_EQ(decrypt(out.data(), "Secret"), TY_ERR_VERIFY);
        EXPECT_EQ(decrypt(out.data(), nullptr), TY_ERR_ARG);
        ASSERT_EQ(ty_key_read_limited(&k, r.in.data(), r.in.size(), "Secret", 6, nullptr),
                  r.memory ? TY_ERR_UNSUPPORTED : TY_ERR_VERIFY);
        EXPECT_EQ(ty_key_read_limited(&k, r.in.data(), r.in.size(), nullptr, 0, nullptr),
                  TY_ERR_ARG);
        if (cost.iterations == 1) continue;
        EXPECT_EQ(read_within(&k, r.in, { cost.iterations - 1, memory.data(), room }),
                  TY_ERR_UNSUPPORTED);
        EXPECT_FALSE(k.private_key);
        if (!r.memory) continue;
        EXPECT_EQ(read_within(&k, r.in, { cost.iterations, memory.data(), cost.memory - 1 }),
                  TY_ERR_UNSUPPORTED);
        EXPECT_EQ(read_within(&k, r.in, {cost.iterations, nullptr, room}), TY_ERR_UNSUPPORTED);
        EXPECT_EQ(read_within(&k, r.in, {cost.iterations, memory.data(), cost.memory}), TY_OK);
    }
}

TEST(Locked, WhatIsNotEncryptedCostsNothing)
{
    ty_key_cost cost;
    for (const char *pem :
         { fixture::pkcs8, fixture::sec1, fixture::spki, fixture::p256, fixture::rsa }) {
        ASSERT_EQ(ty_key_cost_get(&cost, pem, std::strlen(pem)), TY_OK);
        EXPECT_EQ(cost.encrypted, 0);
        EXPECT_EQ(cost.cipher, nullptr);
        uint8_t out[TY_KEY_DECRYPTED_MAX];
        size_t n = sizeof out;
        EXPECT_EQ(ty_key_decrypt(out, &n, pem, std::strlen(pem), "secret", 6, nullptr), TY_ERR_ARG);
    }
    for (const char *pem : {fixture::encrypted_des3, fixture::legacy_des3})
        EXPECT_EQ(ty_key_cost_get(&cost, pem, std::strlen(pem)), TY_ERR_UNSUPPORTED);
    EXPECT_EQ(ty_key_cost_get(&cost, "", 0), TY_ERR_FORMAT);
    EXPECT_EQ(ty_key_cost_get(&cost, "hello\n", 6), TY_ERR_FORMAT);
}

// An encrypted key under the label of another form: all three functions refuse it, with a password
// or without.
TEST(Locked, TheLabelMustMatch)
{
    for (const char *label : {"PRIVATE KEY", "PUBLIC KEY", "EC PRIVATE KEY"}) {
        SCOPED_TRACE(label);
        std::string pem = fixture::encrypted_aes256;
        for (size_t at; (at = pem.find("ENCRYPTED PRIVATE KEY")) != std::string::npos;)
            pem.replace(at, 21, label);
        ty_key_cost cost;
        ty_key k;
        Bytes out(TY_KEY_DECRYPTED_MAX);
        size_t n = out.size();
        EXPECT_EQ(ty_key_cost_get(&cost, pem.data(), pem.size()), TY_ERR_FORMAT);
        EXPECT_EQ(cost.encrypted, 0);
        EXPECT_EQ(ty_key_decrypt(out.data(), &n, pem.data(), pem.size(), "secret", 6, nullptr),
                  TY_ERR_FORMAT);
        EXPECT_EQ(ty_key_read(&k, pem.data(), pem.size(), "secret", 6), TY_ERR_FORMAT);
        EXPECT_EQ(ty_key_read(&k, pem.data(), pem.size(), nullptr, 0), TY_ERR_FORMAT);
    }
}

// Only a private key in DER may be encrypted, and none of the other forms that ty_key_read accepts.
TEST(Locked, NothingElseInside)
{
    ty_pbes2 p{};
    p.kdf = TY_PBES2_SHA256;
    p.cipher = TY_PBES2_AES256;
    p.iterations = 1;
    p.salt_len = 8;
    uint8_t der[TY_PEM_DER_MAX];
    size_t len = 0;
    ty_key_form form;
    const auto der_of = [&](const char *pem) {
        EXPECT_EQ(ty_pem_read(der, &len, &form, (const uint8_t *)pem, std::strlen(pem)), TY_OK);
        return Bytes(der, der + len);
    };
    const Bytes key = der_of(fixture::pkcs8);
    Bytes longer = key;
    longer.push_back(0);
    const struct { const char *name; Bytes inside; ty_err err;
    } rows[] = { { "key", key, TY_OK },
                 { "another algorithm", der_of(fixture::p256), TY_OK },
                 { "PEM", bytes(fixture::pkcs8), TY_ERR_VERIFY },
                 { "encrypted again", der_of(fixture::encrypted_aes256), TY_ERR_VERIFY },
                 { "PKCS#12", unhex(fixture::pkcs12), TY_ERR_VERIFY },
                 { "SEC 1", der_of(fixture::sec1), TY_ERR_VERIFY },
                 { "public", der_of(fixture::spki), TY_ERR_VERIFY },
                 { "longer", longer, TY_ERR_VERIFY },
                 { "nothing", {}, TY_ERR_VERIFY } };
    for (const auto &r : rows) {
        SCOPED_TRACE(r.name);
        ASSERT_EQ(ty_pbes2_encrypt(&p, r.inside.data(), r.inside.size(), "secret", 6), TY_OK);
        Bytes file(TY_PBES2_MAX), out(TY_KEY_DECRYPTED_MAX);
        file.resize(ty_pbes2_encode(file.data(), file.size(), &p));
        size_t n = out.size();
        EXPECT_EQ(ty_key_decrypt(out.data(), &n, file.data(), file.size(), "secret", 6, nullptr),
                  r.err);
        Bytes expected = r.err == TY_OK ? r.inside : Bytes();
        expected.resize(out.size());
        EXPECT_EQ(out, expected);
        ty_key k;
        EXPECT_EQ(ty_key_read(&k, file.data(), file.size(), "secret", 6) == TY_OK, r.inside == key);
    }
}

// A file whose key derivation would take hours is refused at once, with scrypt and with PBKDF2.
TEST(Locked, ExcessiveCosts)
{
    uint8_t der[TY_PEM_DER_MAX], out[TY_PBES2_MAX];
    size_t n = 0;
    ty_key_form form;
    ty_pbes2 p;
    ASSERT_EQ(ty_pem_read(der, &n, &form, (const uint8_t *)fixture::encrypted_scrypt,
                          std::strlen(fixture::encrypted_scrypt)),
              TY_OK);
    ASSERT_EQ(ty_pbes2_decode(&p, der, n), TY_OK);
    std::vector<uint64_t> memory(16 << 10);
    const struct { uint64_t n; uint32_t r, p; ty_err err;
    } rows[] = { { 16, 8, 2, TY_OK },
                 { 16, 8, 4, TY_ERR_VERIFY },
                 { 15, 8, 2, TY_ERR_FORMAT },
                 { 0, 8, 2, TY_ERR_FORMAT },
                 { 16, 0, 2, TY_ERR_FORMAT },
                 { 16, 8, 0, TY_ERR_FORMAT },
                 { 16, 8, 1 << 20, TY_ERR_UNSUPPORTED },
                 { 1 << 20, 8, 1, TY_ERR_UNSUPPORTED },
                 { (uint64_t)1 << 63, 0xffffffff, 0xffffffff, TY_ERR_UNSUPPORTED } };
    for (const auto &r : rows) {
        ty_pbes2 q = p;
        ty_key k;
        q.n = r.n;
        q.r = r.r;
        q.p = r.p;
        const size_t len = ty_pbes2_encode(out, sizeof out, &q);
        ASSERT_NE(len, 0u);
        EXPECT_EQ(
            read_within(&k, Bytes(out, out + len), { 1 << 16, memory.data(), memory.size() * 8 }),
            r.err)
            << r.n << " " << r.r << " " << r.p;
    }
    ASSERT_EQ(ty_pem_read(der, &n, &form, (const uint8_t *)fixture::encrypted_aes256,
                          std::strlen(fixture::encrypted_aes256)),
              TY_OK);
    ASSERT_EQ(ty_pbes2_decode(&p, der, n), TY_OK);
    p.iterations = 0xffffffff;
    n = ty_pbes2_encode(out, sizeof out, &p);
    ty_key k;
    EXPECT_EQ(ty_key_read(&k, out, n, "secret", 6), TY_ERR_UNSUPPORTED);
}

TEST(Locked, KeysOfEveryAlgorithmInOpensslsForm)
{
    TestRng r(4);
    const ty_rng rng = r.ty();
    uint8_t out[TY_MLDSA_ENCODED_MAX];
    for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
        static ty_mldsa_key lattice, again;
        ty_mldsa_file file;
        size_t n = sizeof out;
        ASSERT_EQ(ty_mldsa_keygen(&lattice, TY_MLDSA_87, &rng), TY_OK);
        ASSERT_EQ(ty_mldsa_key_write(out, &n, &lattice, TY_MLDSA_BOTH, TY_KEY_PKCS8_PBES2_AES256,
                                     coding, "secret", 6, 10, &rng),
                  TY_OK);
        ASSERT_EQ(ty_mldsa_key_read(&again, &file, out, n, "secret", 6), TY_OK);
        EXPECT_EQ(file.form, TY_KEY_PKCS8_PBES2_AES256);
        EXPECT_EQ(std::memcmp(lattice.bytes, again.bytes, sizeof again.bytes), 0);
        ty_ec_key ec, ec_again;
        ty_ec_file ec_file;
        n = sizeof out;
        ASSERT_EQ(ty_ec_keygen(&ec, ty_ec_curve_named("sect571r1"), &rng), TY_OK);
        ASSERT_EQ(
            ty_ec_key_write(out, &n, &ec, TY_KEY_PKCS8_PBES2_AES256, coding, "secret", 6, 10, &rng),
            TY_OK);
        EXPECT_LE(n, (size_t)TY_EC_ENCODED_MAX);
        ASSERT_EQ(ty_ec_key_read(&ec_again, &ec_file, nullptr, out, n, "secret", 6), TY_OK);
        EXPECT_EQ(ec_file.form, TY_KEY_PKCS8_PBES2_AES256);
        EXPECT_EQ(std::memcmp(&ec, &ec_again, sizeof ec), 0);
    }
}

namespace {
#include "key/pkcs12_cases.inc"
}   // namespace

// --- lengths in PBES2

static Bytes element(uint8_t tag, std::initializer_list<Bytes> parts)
{
    Bytes body, out{ tag };
    for (const Bytes &p : parts) body.insert(body.end(), p.begin(), p.end());
    if (body.size() >= 256) out.insert(out.end(), { 0x82, (uint8_t)(body.size() >> 8) });
    else if (body.size() >= 128) out.push_back(0x81);
    out.push_back((uint8_t)body.size());
    out.insert(out.end(), body.begin(), body.end());
    return out;
}

static ty_err decoded(size_t salt, size_t iv, size_t secret)
{
    const Bytes kdf = element(0x30, { element(6, { unhex("2a864886f70d01050c") }),
                                      element(0x30, { element(4, { repeat(salt, 7) }),
                                                      element(2, { Bytes{ 9 } }) }) }),
                cipher = element(0x30, { element(6, { unhex("60864801650304012a") }),
                                         element(4, { repeat(iv, 8) }) }),
                algorithm = element(0x30, { element(6, { unhex("2a864886f70d01050d") }),
                                            element(0x30, { kdf, cipher }) }),
                file = element(0x30, { algorithm, element(4, { repeat(secret, 5) }) });
    // a write beyond the object hits a guard page
    Guarded in(file.data(), file.size()), room(sizeof(ty_pbes2));
    return ty_pbes2_decode((ty_pbes2 *)(void *)room.data(), in.data(), in.size());
}

TEST(Pbes2, LengthsBeyondTheBuffers)
{
    EXPECT_EQ(decoded(64, 16, TY_PBES2_SECRET_MAX), TY_OK);
    EXPECT_EQ(decoded(0, 16, 16), TY_OK);
    EXPECT_EQ(decoded(65, 16, 16), TY_ERR_UNSUPPORTED);
    EXPECT_EQ(decoded(TY_PBES2_SECRET_MAX, 16, 16), TY_ERR_UNSUPPORTED);
    EXPECT_EQ(decoded(64, 16, TY_PBES2_SECRET_MAX + 16), TY_ERR_UNSUPPORTED);
    EXPECT_EQ(decoded(64, 16, 2 * TY_PBES2_SECRET_MAX), TY_ERR_UNSUPPORTED);
    for (size_t iv : { 0, 8, 15, 17, 32 }) EXPECT_EQ(decoded(64, iv, 16), TY_ERR_FORMAT) << iv;
    EXPECT_EQ(decoded(64, 0, 0), TY_ERR_FORMAT);   // fewer than 16 bytes follow the IV's header
    for (size_t secret : { 0, 1, 15, 17 })
        EXPECT_EQ(decoded(64, 16, secret), TY_ERR_FORMAT) << secret;
}
