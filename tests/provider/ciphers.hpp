// Messages through the ciphers of a provider, and directly through the library, for tests.
#pragma once
#include "provider/evp.hpp"
#include "tongyu/sm4_aead.h"

// Encrypts or decrypts a message in random chunks. After each chunk a copy of the context replaces
// the context. seen: the updated IV and num after each chunk.
inline Bytes crypt(const Side &side, const char *name, int encrypt, int pad, const Bytes &key,
                   const Bytes &iv, const Bytes &msg, TestRng rng, bool in_place,
                   std::vector<std::string> *seen = nullptr)
{
    Cipher cipher = side.cipher(name);
    CipherCtx c(EVP_CIPHER_CTX_new());
    EXPECT_EQ(EVP_CipherInit_ex2(c.get(), cipher.get(), key.data(),
                                 iv.empty() ? nullptr : iv.data(), encrypt, nullptr),
              1);
    EXPECT_EQ(EVP_CIPHER_CTX_set_padding(c.get(), pad), 1);
    Bytes out;
    for (size_t at = 0; at < msg.size();) {
        const size_t n = rng.below(std::min<size_t>(msg.size() - at, 700)) + 1;
        Bytes chunk(msg.begin() + (long)at, msg.begin() + (long)(at + n));
        chunk.resize(n + 32);
        Bytes apart(n + 32);
        uint8_t *to = in_place ? chunk.data() : apart.data();
        int len = 0;
        EXPECT_EQ(EVP_CipherUpdate(c.get(), to, &len, chunk.data(), (int)n), 1);
        out.insert(out.end(), to, to + len);
        at += n;
        if (seen) {
            uint8_t updated[16];
            if (EVP_CIPHER_CTX_get_updated_iv(c.get(), updated, sizeof updated) == 1)
                seen->push_back(hex(updated, 16) + " "
                                + std::to_string(EVP_CIPHER_CTX_get_num(c.get())));
        }
        CipherCtx copy(EVP_CIPHER_CTX_new());
        EXPECT_EQ(EVP_CIPHER_CTX_copy(copy.get(), c.get()), 1);
        c = std::move(copy);
    }
    uint8_t last[32];
    int len = 0;
    EXPECT_EQ(EVP_CipherFinal_ex(c.get(), last, &len), 1) << name;
    out.insert(out.end(), last, last + len);
    return out;
}

struct Sealed {
    Bytes text, tag;
};

// A context of SM4-GCM or SM4-CCM with key, nonce, length of the tag and, if tag is not null, the
// tag to compare with.
inline CipherCtx aead(const Side &side, const char *name, int encrypt, const Bytes &key,
                      const Bytes &iv, size_t tag_len, const Bytes *tag)
{
    const bool ccm = std::string(name) == "SM4-CCM";
    Cipher cipher = side.cipher(name);
    CipherCtx c(EVP_CIPHER_CTX_new());
    EXPECT_EQ(EVP_CipherInit_ex2(c.get(), cipher.get(), nullptr, nullptr, encrypt, nullptr), 1);
    EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_IVLEN, (int)iv.size(), nullptr), 1);
    if (ccm || tag) {
        EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, (int)tag_len,
                                      tag ? (void *)tag->data() : nullptr),
                  1);
    }
    EXPECT_EQ(EVP_CipherInit_ex2(c.get(), nullptr, key.data(), iv.data(), encrypt, nullptr), 1);
    return c;
}

// Seals the message with the library's own functions, without OpenSSL.
inline Sealed seal_directly(bool ccm, const Bytes &key, const Bytes &iv, const Bytes &aad,
                            const Bytes &msg, size_t tag_len)
{
    Sealed s{ Bytes(msg.size()), Bytes(tag_len) };
    if (ccm) {
        ty_sm4_key k;
        ty_sm4_init(&k, key.data());
        EXPECT_EQ(ty_sm4_ccm_seal(s.text.data(), s.tag.data(), tag_len, msg.data(), msg.size(),
                                  aad.data(), aad.size(), iv.data(), iv.size(), &k),
                  TY_OK);
    } else {
        ty_sm4_gcm_key k;
        ty_sm4_gcm_init(&k, key.data());
        EXPECT_EQ(ty_sm4_gcm_seal(s.text.data(), s.tag.data(), tag_len, msg.data(), msg.size(),
                                  aad.data(), aad.size(), iv.data(), iv.size(), &k),
                  TY_OK);
    }
    return s;
}
