// SM4's MACs and CCM against libcrypto: CMAC directly; CBC-MAC and CCM composed from its CBC and
// CTR, since OpenSSL 3.0 has neither of them with SM4.
#include "support/full.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/sm4_aead.h"
#include "tongyu/sm4_mac.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>

namespace {

Bytes peer(const EVP_CIPHER *cipher, const Bytes &key, const Bytes &iv, const Bytes &in)
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    Bytes out(in.size() + 32);
    int n = 0, last = 0;
    EXPECT_EQ(EVP_EncryptInit_ex(c, cipher, nullptr, key.data(), iv.data()), 1);
    EVP_CIPHER_CTX_set_padding(c, 0);
    EXPECT_EQ(EVP_EncryptUpdate(c, out.data(), &n, in.data(), (int)in.size()), 1);
    EXPECT_EQ(EVP_EncryptFinal_ex(c, out.data() + n, &last), 1);
    EVP_CIPHER_CTX_free(c);
    out.resize((size_t)(n + last));
    return out;
}

Bytes peer_cmac(const Bytes &key, const Bytes &msg)
{
    Bytes tag(16);
    size_t n = 0;
    char name[] = "SM4-CBC";
    const OSSL_PARAM params[] = { OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, name, 0),
                                  OSSL_PARAM_construct_end() };
    EVP_MAC *mac = EVP_MAC_fetch(nullptr, "CMAC", nullptr);
    EVP_MAC_CTX *c = EVP_MAC_CTX_new(mac);
    EXPECT_EQ(EVP_MAC_init(c, key.data(), 16, params), 1);
    EXPECT_EQ(EVP_MAC_update(c, msg.data(), msg.size()), 1);
    EXPECT_EQ(EVP_MAC_final(c, tag.data(), &n, 16), 1);
    EVP_MAC_CTX_free(c);
    EVP_MAC_free(mac);
    return tag;
}

Bytes padded(Bytes x)
{
    x.resize((x.size() + 15) / 16 * 16);
    return x;
}

Bytes last_block(const Bytes &x) { return Bytes(x.end() - 16, x.end()); }

int rounds() { return full() ? 20000 : 400; }

size_t any_len(TestRng &rng) { return rng.below(4) ? rng.below(100) : rng.below(3000); }

}   // namespace

TEST(DiffSm4Aead, Cmac)
{
    TestRng rng(31);
    for (int i = 0; i < rounds(); i++) {
        const Bytes k = rng.bytes(16), msg = rng.bytes(any_len(rng));
        Bytes tag(16);
        ty_sm4_cmac_key key;
        ty_sm4_cmac_init(&key, k.data());
        ASSERT_EQ(ty_sm4_cmac_mac(tag.data(), 16, msg.data(), msg.size(), &key), TY_OK);
        ASSERT_EQ(hex(tag), hex(peer_cmac(k, msg))) << msg.size();
    }
}

TEST(DiffSm4Aead, CbcMac)
{
    TestRng rng(32);
    for (int i = 0; i < rounds(); i++) {
        const Bytes k = rng.bytes(16), msg = rng.bytes(any_len(rng));
        Bytes tag(16), x = msg;
        ty_sm4_key key;
        ty_sm4_init(&key, k.data());
        ASSERT_EQ(ty_sm4_cbc_mac_mac(tag.data(), 16, msg.data(), msg.size(), TY_SM4_MAC_ONE, &key),
                  TY_OK);
        x.push_back(0x80);
        ASSERT_EQ(hex(tag), hex(last_block(peer(EVP_sm4_cbc(), k, Bytes(16), padded(x)))))
            << msg.size();
    }
}

TEST(DiffSm4Aead, Ccm)
{
    TestRng rng(33);
    for (int i = 0; i < rounds(); i++) {
        const Bytes k = rng.bytes(16), nonce = rng.bytes(7 + rng.below(7)),
                    aad = rng.bytes(rng.below(60));
        const Bytes text = rng.bytes(any_len(rng));
        const size_t q = 15 - nonce.size();
        Bytes counter(16), out(text.size()), tag(16), back(text.size());
        counter[0] = (uint8_t)(q - 1);
        std::copy(nonce.begin(), nonce.end(), counter.begin() + 1);
        Bytes b = counter;                                    // the authenticated data
        b[0] = (uint8_t)(b[0] | 7 << 3 | (aad.empty() ? 0 : 64));
        b[15] = (uint8_t)text.size();
        b[14] = (uint8_t)(text.size() >> 8);
        if (!aad.empty()) b.insert(b.end(), {0, (uint8_t)aad.size()});
        b.insert(b.end(), aad.begin(), aad.end());
        b = padded(b);
        b.insert(b.end(), text.begin(), text.end());
        Bytes x = last_block(peer(EVP_sm4_cbc(), k, Bytes(16), padded(b)));
        // the tag and the text are encrypted
        x.insert(x.end(), text.begin(), text.end());
        const Bytes expected = peer(EVP_sm4_ctr(), k, counter, x);
        ty_sm4_key key;
        ty_sm4_init(&key, k.data());
        ASSERT_EQ(ty_sm4_ccm_seal(out.data(), tag.data(), 16, text.data(), text.size(), aad.data(),
                                  aad.size(), nonce.data(), nonce.size(), &key),
                  TY_OK);
        ASSERT_EQ(hex(tag), hex(expected.data(), 16));
        ASSERT_EQ(hex(out), hex(expected.data() + 16, text.size()));
        ASSERT_EQ(ty_sm4_ccm_open(back.data(), out.data(), out.size(), tag.data(), 16, aad.data(),
                                  aad.size(), nonce.data(), nonce.size(), &key),
                  TY_OK);
        ASSERT_EQ(hex(back), hex(text));
    }
}
