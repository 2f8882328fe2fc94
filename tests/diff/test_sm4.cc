// SM4 against libcrypto: ECB, CBC, CTR, CFB and OFB directly; GCM by libcrypto's ECB and a bitwise
// GHASH, since OpenSSL 3.0 has no SM4-GCM.
#include "support/full.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/sm4.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <openssl/evp.h>

namespace {

Bytes peer(const EVP_CIPHER *cipher, const Bytes &key, const Bytes &iv, const Bytes &in,
           int encrypt, int pad = 0)
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    Bytes out(in.size() + 32);
    int n = 0, last = 0;
    EXPECT_EQ(EVP_CipherInit_ex(c, cipher, nullptr, key.data(), iv.data(), encrypt), 1);
    EVP_CIPHER_CTX_set_padding(c, pad);
    EXPECT_EQ(EVP_CipherUpdate(c, out.data(), &n, in.data(), (int)in.size()), 1);
    EXPECT_EQ(EVP_CipherFinal_ex(c, out.data() + n, &last), 1);
    EVP_CIPHER_CTX_free(c);
    out.resize((size_t)(n + last));
    return out;
}

int rounds() { return full() ? 20000 : 400; }

size_t any_len(TestRng &rng) { return rng.below(4) ? rng.below(100) : rng.below(3000); }

// GHASH as Horner's rule over polynomials kept as 128 bools, x^0 first.
struct BitHash {
    bool h[128], y[128] = {};
    explicit BitHash(const Bytes &key)
    {
        for (size_t i = 0; i < 128; i++) h[i] = key[i / 8] >> (7 - i % 8) & 1;
    }
    void block(const uint8_t *x)
    {
        bool z[255] = {};
        for (size_t i = 0; i < 128; i++) y[i] ^= x[i / 8] >> (7 - i % 8) & 1;
        for (size_t i = 0; i < 128; i++)
            for (size_t j = 0; y[i] && j < 128; j++) z[i + j] ^= h[j];
        for (size_t i = 254; i >= 128; i--)
            for (size_t t : {0, 1, 2, 7}) z[i - 128 + t] ^= z[i];
        std::copy(z, z + 128, y);
    }
    void padded(const Bytes &x)
    {
        Bytes p = x;
        p.resize((x.size() + 15) / 16 * 16);
        for (size_t i = 0; i < p.size(); i += 16) block(&p[i]);
    }
    void lengths(size_t a, size_t b)
    {
        uint8_t x[16];
        for (int i = 0; i < 8; i++) {
            x[i] = (uint8_t)((uint64_t)a * 8 >> (56 - 8 * i));
            x[8 + i] = (uint8_t)((uint64_t)b * 8 >> (56 - 8 * i));
        }
        block(x);
    }
    Bytes value() const
    {
        Bytes v(16);
        for (size_t i = 0; i < 128; i++) v[i / 8] |= (uint8_t)(y[i] << (7 - i % 8));
        return v;
    }
};

Bytes peer_gcm(Bytes &tag, const Bytes &key, const Bytes &nonce, const Bytes &aad,
               const Bytes &text)
{
    const Bytes h = peer(EVP_sm4_ecb(), key, {}, Bytes(16), 1);
    Bytes j = nonce;
    if (j.size() == 12) {
        j.insert(j.end(), {0, 0, 0, 1});
    } else {
        BitHash g(h);
        g.padded(nonce);
        g.lengths(0, nonce.size());
        j = g.value();
    }
    const Bytes mask = peer(EVP_sm4_ecb(), key, {}, j, 1);
    Bytes counters, out = text;
    for (size_t i = 0; i < text.size(); i += 16) {
        for (size_t k = 15; k >= 12 && ++j[k] == 0; k--) {}
        counters.insert(counters.end(), j.begin(), j.end());
    }
    const Bytes pad = peer(EVP_sm4_ecb(), key, {}, counters, 1);
    for (size_t i = 0; i < out.size(); i++) out[i] ^= pad[i];
    BitHash g(h);
    g.padded(aad);
    g.padded(out);
    g.lengths(aad.size(), out.size());
    tag = g.value();
    for (size_t i = 0; i < 16; i++) tag[i] ^= mask[i];
    return out;
}

}   // namespace

TEST(DiffSm4, BlockModes)
{
    TestRng rng(21);
    for (int i = 0; i < rounds(); i++) {
        const Bytes k = rng.bytes(16), iv = rng.bytes(16), in = rng.bytes(16 * (any_len(rng) / 16));
        Bytes out(in.size()), back(in.size());
        ty_sm4_key key;
        ty_sm4_init(&key, k.data());
        ASSERT_EQ(ty_sm4_ecb_encrypt(out.data(), in.data(), in.size(), &key), TY_OK);
        ASSERT_EQ(out, peer(EVP_sm4_ecb(), k, {}, in, 1));
        ASSERT_EQ(ty_sm4_ecb_decrypt(back.data(), in.data(), in.size(), &key), TY_OK);
        ASSERT_EQ(back, peer(EVP_sm4_ecb(), k, {}, in, 0));
        ASSERT_EQ(ty_sm4_cbc_encrypt(out.data(), in.data(), in.size(), iv.data(), &key), TY_OK);
        ASSERT_EQ(out, peer(EVP_sm4_cbc(), k, iv, in, 1));
        ASSERT_EQ(ty_sm4_cbc_decrypt(back.data(), in.data(), in.size(), iv.data(), &key), TY_OK);
        ASSERT_EQ(back, peer(EVP_sm4_cbc(), k, iv, in, 0));
    }
}

TEST(DiffSm4, StreamModes)
{
    TestRng rng(22);
    for (int i = 0; i < rounds(); i++) {
        Bytes k = rng.bytes(16), iv = rng.bytes(16), in = rng.bytes(any_len(rng)), out(in.size());
        // so that the counter carries
        if (i % 4 == 0) std::fill(iv.begin() + (long)rng.below(12), iv.end() - 1, 0xFF);
        ty_sm4_key key;
        ty_sm4_init(&key, k.data());
        ty_sm4_ctr(out.data(), in.data(), in.size(), iv.data(), &key);
        ASSERT_EQ(out, peer(EVP_sm4_ctr(), k, iv, in, 1));
        ty_sm4_ofb(out.data(), in.data(), in.size(), iv.data(), &key);
        ASSERT_EQ(out, peer(EVP_sm4_ofb(), k, iv, in, 1));
        ty_sm4_cfb_encrypt(out.data(), in.data(), in.size(), iv.data(), &key);
        ASSERT_EQ(out, peer(EVP_sm4_cfb128(), k, iv, in, 1));
        ty_sm4_cfb_decrypt(out.data(), in.data(), in.size(), iv.data(), &key);
        ASSERT_EQ(out, peer(EVP_sm4_cfb128(), k, iv, in, 0));
    }
}

TEST(DiffSm4, PaddedStreams)
{
    TestRng rng(23);
    for (int i = 0; i < rounds(); i++) {
        const Bytes k = rng.bytes(16), iv = rng.bytes(16), in = rng.bytes(any_len(rng));
        Bytes out(in.size() + 32);
        ty_sm4_key key;
        ty_sm4_stream c;
        size_t n = 0, total = 0;
        ty_sm4_init(&key, k.data());
        ASSERT_EQ(ty_sm4_start(&c, TY_SM4_CBC_ENCRYPT, TY_SM4_PAD_PKCS7, iv.data(), &key), TY_OK);
        for (size_t at = 0, some; at < in.size(); at += some, total += n) {
            some = std::min<size_t>(in.size() - at, 1 + rng.below(200));
            ASSERT_EQ(ty_sm4_update(&out[total], &n, &in[at], some, &c), TY_OK);
        }
        ASSERT_EQ(ty_sm4_final(&out[total], &n, &c), TY_OK);
        out.resize(total + n);
        ASSERT_EQ(out, peer(EVP_sm4_cbc(), k, iv, in, 1, 1));
    }
}

TEST(DiffSm4, Gcm)
{
    TestRng rng(24);
    for (int i = 0; i < rounds() / 2; i++) {
        const Bytes k = rng.bytes(16), nonce = rng.bytes(i % 2 ? 12 : 1 + rng.below(40)),
                    aad = rng.bytes(rng.below(50));
        const Bytes in = rng.bytes(any_len(rng));
        Bytes out(in.size()), tag(16), expected_tag;
        ty_sm4_gcm_key key;
        ty_sm4_gcm_init(&key, k.data());
        const Bytes expected = peer_gcm(expected_tag, k, nonce, aad, in);
        ASSERT_EQ(ty_sm4_gcm_seal(out.data(), tag.data(), 16, in.data(), in.size(), aad.data(),
                                  aad.size(), nonce.data(), nonce.size(), &key),
                  TY_OK);
        ASSERT_EQ(hex(out), hex(expected));
        ASSERT_EQ(hex(tag), hex(expected_tag));
        ASSERT_EQ(ty_sm4_gcm_open(out.data(), out.data(), out.size(), tag.data(), 16, aad.data(),
                                  aad.size(), nonce.data(), nonce.size(), &key),
                  TY_OK);
        ASSERT_EQ(hex(out), hex(in));
    }
}
