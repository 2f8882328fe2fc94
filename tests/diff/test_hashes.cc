// SHA-2, SHA-3 and SHAKE, and SHA-256's HMAC and PBKDF2, against libcrypto: every short length,
// then random lengths and contents, split at random.
#include "support/full.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/keccak.h"
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
extern "C" {
#include "sha2/sha2.h"
}

static int rounds(int quick) { return full() ? quick * 100 : quick; }

class DiffHashes : public testing::Test {
protected:
  TestRng rng{ std::getenv("TONGYU_SEED") ? std::strtoull(std::getenv("TONGYU_SEED"), nullptr, 0)
                                          : 1 };
};

TEST_F(DiffHashes, Sha256)
{
    for (int i = 0; i < rounds(2000); i++) {
        const Bytes m = rng.bytes(i <= 300 ? (size_t)i : rng.below(i % 50 ? 600 : 20000));
        uint8_t got[32], want[32];
        ASSERT_EQ(EVP_Digest(m.data(), m.size(), want, nullptr, EVP_sha256(), nullptr), 1);
        ty_sha256 c;
        ty_sha256_init(&c);
        for (size_t at = 0; at < m.size();) {
            const size_t n = rng.below(m.size() - at + 1);
            ty_sha256_update(&c, m.data() + at, n);
            at += n;
            if (rng.below(4) == 0) { ty_sha256_update(&c, m.data() + at, m.size() - at); break; }
        }
        ty_sha256_final(got, &c);
        ASSERT_EQ(hex(got, 32), hex(want, 32)) << m.size() << " bytes: " << hex(m);
    }
}

// f(p, n) for the parts of m, split at random
template <class F> static void in_parts(TestRng &rng, const Bytes &m, F f)
{
    for (size_t at = 0; at < m.size();) {
        const size_t n = rng.below(4) ? rng.below(m.size() - at + 1) : m.size() - at;
        f(m.data() + at, n);
        at += n;
    }
}

template <class State>
static void same(TestRng &rng, const EVP_MD *md, size_t len, void (*init)(State *),
                 void (*update)(State *, const uint8_t *, size_t),
                 void (*final)(uint8_t *, State *))
{
    ASSERT_EQ((size_t)EVP_MD_size(md), len);
    for (int i = 0; i < rounds(500); i++) {
        const Bytes m = rng.bytes(i <= 400 ? (size_t)i : rng.below(i % 50 ? 600 : 20000));
        uint8_t got[64], want[64];
        ASSERT_EQ(EVP_Digest(m.data(), m.size(), want, nullptr, md, nullptr), 1);
        State c;
        init(&c);
        in_parts(rng, m, [&](const uint8_t *p, size_t n) { update(&c, p, n); });
        final(got, &c);
        ASSERT_EQ(hex(got, len), hex(want, len)) << m.size() << " bytes: " << hex(m);
    }
}

TEST_F(DiffHashes, Sha2)
{
    same(rng, EVP_sha224(), 28, ty_sha224_init, ty_sha256_update, ty_sha224_final);
    same(rng, EVP_sha384(), 48, ty_sha384_init, ty_sha512_update, ty_sha384_final);
    same(rng, EVP_sha512(), 64, ty_sha512_init, ty_sha512_update, ty_sha512_final);
    same(rng, EVP_sha512_224(), 28, ty_sha512_224_init, ty_sha512_update, ty_sha512_224_final);
    same(rng, EVP_sha512_256(), 32, ty_sha512_256_init, ty_sha512_update, ty_sha512_256_final);
}

TEST_F(DiffHashes, Sha3)
{
    const auto final = [](uint8_t *out, ty_keccak *c) { (void)ty_sha3_final(out, c); };
    same<ty_keccak>(rng, EVP_sha3_224(), 28, ty_sha3_224_init, ty_sha3_update, final);
    same<ty_keccak>(rng, EVP_sha3_256(), 32, ty_sha3_256_init, ty_sha3_update, final);
    same<ty_keccak>(rng, EVP_sha3_384(), 48, ty_sha3_384_init, ty_sha3_update, final);
    same<ty_keccak>(rng, EVP_sha3_512(), 64, ty_sha3_512_init, ty_sha3_update, final);
}

TEST_F(DiffHashes, Shake)
{
    for (int i = 0; i < rounds(1000); i++) {
        const bool wide = i % 2;
        const Bytes m = rng.bytes(i / 2 <= 400 ? (size_t)i / 2 : rng.below(3000));
        Bytes got(1 + rng.below(i % 50 ? 400 : 5000)), want(got.size());
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        ASSERT_EQ(EVP_DigestInit_ex(ctx, wide ? EVP_shake256() : EVP_shake128(), nullptr), 1);
        ASSERT_EQ(EVP_DigestUpdate(ctx, m.data(), m.size()), 1);
        ASSERT_EQ(EVP_DigestFinalXOF(ctx, want.data(), want.size()), 1);
        EVP_MD_CTX_free(ctx);
        ty_keccak c;
        wide ? ty_shake256_init(&c) : ty_shake128_init(&c);
        in_parts(rng, m,
                 [&](const uint8_t *p, size_t n) { ASSERT_EQ(ty_shake_update(&c, p, n), TY_OK); });
        in_parts(rng, got, [&](const uint8_t *p, size_t n) {
            ASSERT_EQ(ty_shake_squeeze((uint8_t *)p, n, &c), TY_OK);
        });
        ASSERT_EQ(hex(got), hex(want)) << "SHAKE" << (wide ? 256 : 128) << " of " << hex(m);
    }
}

TEST_F(DiffHashes, Hmac)
{
    for (int i = 0; i < rounds(2000); i++) {
        const Bytes key = rng.bytes(rng.below(200)), m = rng.bytes(rng.below(400));
        uint8_t got[32], want[32];
        // for libcrypto a NULL key means the previous key
        const void *k = key.empty() ? (const void *)"" : key.data();
        ASSERT_NE(HMAC(EVP_sha256(), k, (int)key.size(), m.data(), m.size(), want, nullptr),
                  nullptr);
        ty_hmac_sha256_mac(got, m.data(), m.size(), key.data(), key.size());
        ASSERT_EQ(hex(got, 32), hex(want, 32)) << "key " << hex(key) << " message " << hex(m);
    }
}

TEST_F(DiffHashes, Pbkdf2)
{
    for (int i = 0; i < rounds(60); i++) {
        const Bytes password = rng.bytes(rng.below(150)), salt = rng.bytes(rng.below(100));
        const int iterations = 1 + (int)rng.below(i % 10 ? 20 : 1500);
        Bytes got(1 + rng.below(100)), want(got.size());
        const char *p = password.empty() ? "" : (const char *)password.data();
        ASSERT_EQ(PKCS5_PBKDF2_HMAC(p, (int)password.size(), salt.data(), (int)salt.size(),
                                    iterations, EVP_sha256(), (int)want.size(), want.data()),
                  1);
        ASSERT_EQ(ty_pbkdf2_sha256(got.data(), got.size(), password.data(), password.size(),
                                   salt.data(), salt.size(), (uint32_t)iterations),
                  TY_OK);
        ASSERT_EQ(got, want) << iterations << " iterations, password " << hex(password) << " salt "
                             << hex(salt);
    }
}
