// SM3, HMAC-SM3 and PBKDF2-HMAC-SM3 against libcrypto, on random lengths and contents.
#include "support/full.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/sm3.h"
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

static int rounds(int quick) { return full() ? quick * 100 : quick; }

class DiffSm3 : public testing::Test {
protected:
    void SetUp() override { if (!EVP_sm3()) GTEST_SKIP() << "this libcrypto has no SM3"; }
    TestRng rng{ std::getenv("TONGYU_SEED") ? std::strtoull(std::getenv("TONGYU_SEED"), nullptr, 0)
                                            : 1 };
};

TEST_F(DiffSm3, Hash)
{
    for (int i = 0; i < rounds(2000); i++) {
        const Bytes m = rng.bytes(rng.below(i % 50 ? 600 : 20000));
        uint8_t got[32], want[32];
        ASSERT_EQ(EVP_Digest(m.data(), m.size(), want, nullptr, EVP_sm3(), nullptr), 1);
        ty_sm3 c;
        ty_sm3_init(&c);
        for (size_t at = 0; at < m.size();) {
            const size_t n = rng.below(m.size() - at + 1);
            ty_sm3_update(&c, m.data() + at, n);
            at += n;
            if (rng.below(4) == 0) { ty_sm3_update(&c, m.data() + at, m.size() - at); break; }
        }
        ty_sm3_final(got, &c);
        ASSERT_EQ(hex(got, 32), hex(want, 32)) << m.size() << " bytes: " << hex(m);
    }
}

TEST_F(DiffSm3, Hmac)
{
    for (int i = 0; i < rounds(2000); i++) {
        const Bytes key = rng.bytes(rng.below(200)), m = rng.bytes(rng.below(400));
        uint8_t got[32], want[32];
        // for libcrypto a NULL key means the previous key
        const void *k = key.empty() ? (const void *)"" : key.data();
        ASSERT_NE(HMAC(EVP_sm3(), k, (int)key.size(), m.data(), m.size(), want, nullptr), nullptr);
        ty_hmac_sm3_mac(got, m.data(), m.size(), key.data(), key.size());
        ASSERT_EQ(hex(got, 32), hex(want, 32)) << "key " << hex(key) << " message " << hex(m);
    }
}

TEST_F(DiffSm3, Pbkdf2)
{
    for (int i = 0; i < rounds(60); i++) {
        const Bytes password = rng.bytes(rng.below(150)), salt = rng.bytes(rng.below(100));
        const int iterations = 1 + (int)rng.below(i % 10 ? 20 : 1500);
        Bytes got(1 + rng.below(100)), want(got.size());
        const char *p = password.empty() ? "" : (const char *)password.data();
        ASSERT_EQ(PKCS5_PBKDF2_HMAC(p, (int)password.size(), salt.data(), (int)salt.size(),
                                    iterations, EVP_sm3(), (int)want.size(), want.data()),
                  1);
        ASSERT_EQ(ty_pbkdf2_sm3(got.data(), got.size(), password.data(), password.size(),
                                salt.data(), salt.size(), (uint32_t)iterations),
                  TY_OK);
        ASSERT_EQ(got, want) << iterations << " iterations, password " << hex(password) << " salt "
                             << hex(salt);
    }
}
