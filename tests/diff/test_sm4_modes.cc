// Modes that libcrypto 3.0 lacks for SM4. The definitions of tests/sm4/reference.hpp are compared
// with libcrypto over AES, where it has the mode; then the library is compared with the definitions
// over libcrypto's SM4.
#include "sm4/reference.hpp"
#include "support/full.hpp"
#include "support/rng.hpp"
#include "tongyu/sm4_hctr.h"
#include "tongyu/sm4_wrap.h"
#include "tongyu/sm4_xts.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <openssl/evp.h>

namespace {

using reference::to_bits;
using reference::to_bytes;

Bytes peer(const EVP_CIPHER *cipher, const Bytes &key, const Bytes &iv, const Bytes &in,
           bool encrypt)
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    Bytes out(in.size() + 32);
    int n = 0, last = 0;
    EVP_CIPHER_CTX_set_flags(c, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    EXPECT_EQ(EVP_CipherInit_ex(c, cipher, nullptr, key.data(), iv.empty() ? nullptr : iv.data(),
                                encrypt),
              1);
    EVP_CIPHER_CTX_set_padding(c, 0);
    EXPECT_EQ(EVP_CipherUpdate(c, out.data(), &n, in.data(), (int)in.size()), 1);
    if (EVP_CIPHER_get_mode(cipher) != EVP_CIPH_WRAP_MODE) {
        EXPECT_EQ(EVP_CipherFinal_ex(c, out.data() + n, &last), 1);
    }
    EVP_CIPHER_CTX_free(c);
    out.resize((size_t)(n + last));
    return out;
}

reference::Block block(const EVP_CIPHER *ecb, const Bytes &key, bool encrypt = true)
{
    return [=](const Bytes &x) { return peer(ecb, key, {}, x, encrypt); };
}

int rounds() { return full() ? 2000 : 40; }
const Bytes kw_iv(8, 0xA6);

}   // namespace

TEST(DiffSm4Modes, DefinitionsMatchLibcryptoOverAes)
{
    TestRng rng(71);
    for (int i = 0; i < rounds(); i++) {
        const Bytes k = rng.bytes(16), k2 = rng.bytes(16), iv = rng.bytes(16),
                    in = rng.bytes(16 + rng.below(100));
        const auto e = block(EVP_aes_128_ecb(), k), d = block(EVP_aes_128_ecb(), k, false);
        for (const bool decrypt : {false, true}) {
            ASSERT_EQ(hex(to_bytes(reference::cfb(e, to_bits(iv), to_bits(in), 8, decrypt))),
                      hex(peer(EVP_aes_128_cfb8(), k, iv, in, !decrypt)));
            ASSERT_EQ(hex(to_bytes(reference::cfb(e, to_bits(iv), to_bits(in), 1, decrypt))),
                      hex(peer(EVP_aes_128_cfb1(), k, iv, in, !decrypt)));
            Bytes both = k;
            reference::append(both, k2);
            ASSERT_EQ(hex(reference::xts(decrypt ? d : e, block(EVP_aes_128_ecb(), k2)(iv), in,
                                         true, decrypt)),
                      hex(peer(EVP_aes_128_xts(), both, iv, in, !decrypt)));
        }
        const Bytes eights = reference::part(in, 0, in.size() / 8 * 8);
        ASSERT_EQ(hex(reference::kw(e, kw_iv, eights)),
                  hex(peer(EVP_aes_128_wrap(), k, {}, eights, true)));
        const Bytes any = reference::part(in, 0, 1 + rng.below(in.size()));
        ASSERT_EQ(hex(reference::kwp(e, any, (uint32_t)any.size())),
                  hex(peer(EVP_aes_128_wrap_pad(), k, {}, any, true)));
    }
}

TEST(DiffSm4Modes, LibraryMatchesDefinitionsOverLibcryptosSm4)
{
    TestRng rng(72);
    for (int i = 0; i < rounds(); i++) {
        const Bytes k = rng.bytes(16), k2 = rng.bytes(16), iv = rng.bytes(16),
                    in = rng.bytes(16 + rng.below(100));
        const auto e = block(EVP_sm4_ecb(), k);
        const size_t len = in.size(), bits = 8 * len - rng.below(8), eights = len / 8 * 8,
                     sixteens = len / 16 * 16;
        Bytes out(len), both = k;
        reference::append(both, k2);
        ty_sm4_key key;
        ty_sm4_xts_key xts;
        ty_sm4_hctr_key hctr;
        ty_sm4_init(&key, k.data());
        ASSERT_EQ(ty_sm4_xts_init(&xts, both.data()), TY_OK);
        ty_sm4_hctr_init(&hctr, both.data());

        ty_sm4_cfb8_encrypt(out.data(), in.data(), len, iv.data(), &key);
        ASSERT_EQ(hex(out), hex(to_bytes(reference::cfb(e, to_bits(iv), to_bits(in), 8, false))));
        reference::Bits text = to_bits(in);
        text.resize(bits);
        ty_sm4_cfb1_encrypt(out.data(), in.data(), bits, iv.data(), &key);
        ASSERT_EQ(hex(out), hex(to_bytes(reference::cfb(e, to_bits(iv), text, 1, false))));

        const Bytes t = block(EVP_sm4_ecb(), k2)(iv);
        ASSERT_EQ(ty_sm4_xts_ieee_encrypt(out.data(), in.data(), len, iv.data(), &xts), TY_OK);
        ASSERT_EQ(hex(out), hex(reference::xts(e, t, in, true, false)));
        ASSERT_EQ(ty_sm4_xts_gb_encrypt(out.data(), in.data(), len, iv.data(), &xts), TY_OK);
        ASSERT_EQ(hex(out), hex(reference::xts(e, t, in, false, false)));
        ASSERT_EQ(ty_sm4_hctr_encrypt(out.data(), in.data(), len, iv.data(), &hctr), TY_OK);
        ASSERT_EQ(hex(out), hex(reference::hctr(e, e, k2, iv, in)));

        const Bytes whole = reference::part(in, 0, sixteens);
        const auto keyed = [](const Bytes &any_key, const Bytes &x) {
            return block(EVP_sm4_ecb(), any_key)(x);
        };
        out.resize(sixteens);
        ASSERT_EQ(ty_sm4_bc_encrypt(out.data(), whole.data(), sixteens, iv.data(), &key), TY_OK);
        ASSERT_EQ(hex(out), hex(reference::bc(e, iv, whole)));
        ASSERT_EQ(ty_sm4_ofbnlf_encrypt(out.data(), whole.data(), sixteens, iv.data(), &key),
                  TY_OK);
        ASSERT_EQ(hex(out), hex(reference::ofbnlf(keyed, k, iv, whole)));

        out.resize(eights + 8);
        ASSERT_EQ(ty_sm4_kw_wrap(out.data(), in.data(), eights, &key), TY_OK);
        ASSERT_EQ(hex(out), hex(reference::kw(e, kw_iv, reference::part(in, 0, eights))));
        const Bytes any = reference::part(in, 0, 1 + rng.below(len));
        out.resize(TY_SM4_KWP_LEN(any.size()));
        ASSERT_EQ(ty_sm4_kwp_wrap(out.data(), any.data(), any.size(), &key), TY_OK);
        ASSERT_EQ(hex(out), hex(reference::kwp(e, any, (uint32_t)any.size())));
    }
}
