// ML-DSA through EVP, compared with the library's own functions and, where it has ML-DSA, with the
// default provider; and OpenSSL 3.4's calls for messages, for ML-DSA and SM2.
#include "provider/keys.hpp"
#include "tongyu/mldsa.h"
#include <openssl/decoder.h>
#include <openssl/encoder.h>

class Mldsa : public testing::TestWithParam<int> {
  protected:
    std::string name = "ML-DSA-" + std::to_string(GetParam());
    ty_mldsa_set set = (ty_mldsa_set)GetParam();
};

TEST_P(Mldsa, Facts)
{
    Pkey a = generate(ours(), name.c_str());
    ASSERT_TRUE(a);
    EXPECT_EQ((size_t)EVP_PKEY_get_size(a.get()), ty_mldsa_sig_len(set));
    EXPECT_EQ((size_t)EVP_PKEY_get_bits(a.get()), 8 * ty_mldsa_pub_len(set));
    EXPECT_EQ(octets(a.get(), "pub").size(), ty_mldsa_pub_len(set));
    EXPECT_EQ(octets(a.get(), "priv").size(), ty_mldsa_key_len(set));
    EXPECT_EQ(octets(a.get(), "seed").size(), 32u);
    Pkey b = generate(theirs(), name.c_str());
    if (!b) NOT_THERE("ML-DSA");
    EXPECT_EQ(EVP_PKEY_get_security_bits(a.get()), EVP_PKEY_get_security_bits(b.get()));
    EXPECT_EQ(EVP_PKEY_get_size(a.get()), EVP_PKEY_get_size(b.get()));
    EXPECT_EQ(EVP_PKEY_get_bits(a.get()), EVP_PKEY_get_bits(b.get()));
}

TEST_P(Mldsa, SeedGeneratesTheSameKey)
{
    const Bytes seed(32, (uint8_t)GetParam());
    Params p = with_end({ octet_param("seed", seed) });
    Pkey a = generate(ours(), name.c_str(), p.data());
    ASSERT_TRUE(a);
    ty_mldsa_key k;
    ASSERT_EQ(ty_mldsa_key_from_seed(&k, seed.data(), set), TY_OK);
    EXPECT_EQ(hex(octets(a.get(), "pub")), hex(k.pub.bytes, ty_mldsa_pub_len(set)));
    EXPECT_EQ(hex(octets(a.get(), "priv")), hex(k.bytes, ty_mldsa_key_len(set)));
    EXPECT_EQ(octets(a.get(), "seed"), seed);
    Pkey b = generate(theirs(), name.c_str(), p.data());
    if (!b) NOT_THERE("ML-DSA");
    EXPECT_EQ(octets(a.get(), "pub"), octets(b.get(), "pub"));
    EXPECT_EQ(octets(a.get(), "priv"), octets(b.get(), "priv"));
}

TEST_P(Mldsa, SignsAndVerifiesBothWays)
{
    TestRng rng(4);
    Pkey a = generate(ours(), name.c_str()),
         pub = moved(ours(), name.c_str(), a.get(), EVP_PKEY_PUBLIC_KEY);
    ASSERT_TRUE(a && pub);
    ty_mldsa_pub direct;
    const Bytes p = octets(a.get(), "pub");
    ASSERT_EQ(ty_mldsa_pub_set(&direct, p.data(), p.size()), TY_OK);
    Pkey b = moved(theirs(), name.c_str(), a.get());
    ERR_clear_error();
    const uint64_t signs = ours().count("mldsa-sign");
    for (size_t n : { 0, 1, 100, 5000 })
        for (size_t context_len : { 0, 1, 255 }) {
            const Bytes msg = rng.bytes(n), context = rng.bytes(context_len);
            Params with;
            if (context_len) with.push_back(octet_param("context-string", context));
            for (bool chunks : { false, true }) {
                Bytes s = sign(ours(), a.get(), nullptr, msg, with, chunks);
                ASSERT_EQ(s.size(), ty_mldsa_sig_len(set));
                EXPECT_EQ(ty_mldsa_verify(s.data(), s.size(), msg.data(), n, context.data(),
                                          context_len, &direct),
                          TY_OK);
                EXPECT_EQ(verify(ours(), pub.get(), nullptr, msg, s, with, chunks), 1);
                if (b) {
                    EXPECT_EQ(verify(theirs(), b.get(), nullptr, msg, s, with), 1);
                }
                if (b) {
                    EXPECT_EQ(verify(ours(), a.get(), nullptr, msg,
                                     sign(theirs(), b.get(), nullptr, msg, with), with, chunks),
                              1);
                }
                s[50] ^= 1;
                EXPECT_EQ(verify(ours(), pub.get(), nullptr, msg, s, with, chunks), 0);
            }
        }
    EXPECT_GT(ours().count("mldsa-sign"), signs);
    ERR_clear_error();
}

TEST_P(Mldsa, DeterministicAndMu)
{
    Pkey a = generate(ours(), name.c_str());
    int one = 1;
    Params fixed = { OSSL_PARAM_construct_int("deterministic", &one) };
    const Bytes msg = bytes("the same again"), s = sign(ours(), a.get(), nullptr, msg, fixed);
    EXPECT_EQ(s, sign(ours(), a.get(), nullptr, msg, fixed));
    EXPECT_NE(s, sign(ours(), a.get(), nullptr, msg));
    ty_mldsa_pub pub;
    ty_mldsa_mu m;
    Bytes mu(64), p = octets(a.get(), "pub");
    ASSERT_EQ(ty_mldsa_pub_set(&pub, p.data(), p.size()), TY_OK);
    ASSERT_EQ(ty_mldsa_mu_init(&m, nullptr, 0, &pub), TY_OK);
    ty_mldsa_mu_update(&m, msg.data(), msg.size());
    ty_mldsa_mu_final(mu.data(), &m);
    EXPECT_EQ(
        s, sign(ours(), a.get(), nullptr, mu, { fixed[0], OSSL_PARAM_construct_int("mu", &one) }));
    EXPECT_EQ(verify(ours(), a.get(), nullptr, mu, s, { OSSL_PARAM_construct_int("mu", &one) }), 1);
    Pkey b = moved(theirs(), name.c_str(), a.get());
    if (b) {
        EXPECT_EQ(s, sign(theirs(), b.get(), nullptr, msg, fixed));
    }
    ERR_clear_error();
}

// PEM and DER, private and public, plain and encrypted, by whichever provider OpenSSL chooses; and
// the text form.
TEST_P(Mldsa, Files)
{
    Pkey a = generate(ours(), name.c_str());
    for (const char *type : { "PEM", "DER" })
        for (int kind = 0; kind < 4; kind++) {    // private, encrypted in two ways, public
            const bool is_private = kind < 3, encrypted = kind == 1 || kind == 2;
            Bio bio(BIO_new(BIO_s_mem()));
            OSSL_ENCODER_CTX *e = OSSL_ENCODER_CTX_new_for_pkey(
                a.get(), is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, type,
                is_private ? "PrivateKeyInfo" : "SubjectPublicKeyInfo", nullptr);
            if (!encrypted && is_private) {    // explicitly no cipher
                ASSERT_EQ(OSSL_ENCODER_CTX_set_cipher(e, nullptr, nullptr), 1);
            }
            if (encrypted) {
                const char *cipher = kind == 1 ? "SM4-CBC" : "AES-256-CBC";
                ASSERT_EQ(OSSL_ENCODER_CTX_set_cipher(e, cipher, nullptr), 1);
                ASSERT_EQ(OSSL_ENCODER_CTX_set_passphrase(e, (const uint8_t *)"secret", 6), 1);
            }
            ASSERT_EQ(OSSL_ENCODER_to_bio(e, bio.get()), 1) << type << kind;
            OSSL_ENCODER_CTX_free(e);
            char *data;
            const size_t len = (size_t)BIO_get_mem_data(bio.get(), &data);
            const Bytes clear = octets(a.get(), "seed");
            if (encrypted && *type == 'D') {
                EXPECT_EQ(std::string(data, len).find(std::string(clear.begin(), clear.end())),
                          std::string::npos);
            }
            for (const char *password : { "secret", "wrong" }) {
                if (!encrypted && *password == 'w') continue;
                EVP_PKEY *back = nullptr;
                Bio in(BIO_new_mem_buf(data, (int)len));
                OSSL_DECODER_CTX *d = OSSL_DECODER_CTX_new_for_pkey(
                    &back, nullptr, nullptr, nullptr, 0, ours().lib, nullptr);
                if (encrypted)
                    OSSL_DECODER_CTX_set_passphrase(d, (const uint8_t *)password, strlen(password));
                EXPECT_EQ(OSSL_DECODER_from_bio(d, in.get()), *password == 's')
                    << type << kind << password;
                OSSL_DECODER_CTX_free(d);
                if (*password == 's') {
                    EXPECT_EQ(EVP_PKEY_eq(a.get(), back), 1);
                }
                if (*password == 's' && is_private) {
                    EXPECT_EQ(octets(back, "seed"), octets(a.get(), "seed"));
                }
                EVP_PKEY_free(back);
            }
        }
    Bio bio(BIO_new(BIO_s_mem()));
    ASSERT_EQ(EVP_PKEY_print_private(bio.get(), a.get(), 0, nullptr), 1);
    char *text;
    const size_t n = (size_t)BIO_get_mem_data(bio.get(), &text);
    EXPECT_NE(std::string(text, n).find(name + " Private-Key:\nseed:\n    "), std::string::npos);
    Pkey b = moved(theirs(), name.c_str(), a.get());
    if (b) {
        Bio other(BIO_new(BIO_s_mem()));
        char *standard;
        ASSERT_EQ(EVP_PKEY_print_private(other.get(), b.get(), 0, nullptr), 1);
        const size_t m = (size_t)BIO_get_mem_data(other.get(), &standard);
        EXPECT_EQ(std::string(text, n), std::string(standard, m));
    }
    ERR_clear_error();
}
INSTANTIATE_TEST_SUITE_P(All, Mldsa, testing::Values(44, 65, 87));

// --- sign_message and verify_message (OpenSSL 3.4) ----------------------------------------------

struct MessageCalls {
    EVP_SIGNATURE *(*fetch)(OSSL_LIB_CTX *, const char *, const char *);
    int (*sign_init)(EVP_PKEY_CTX *, EVP_SIGNATURE *, const OSSL_PARAM *);
    int (*sign_update)(EVP_PKEY_CTX *, const unsigned char *, size_t);
    int (*sign_final)(EVP_PKEY_CTX *, unsigned char *, size_t *);
    int (*verify_init)(EVP_PKEY_CTX *, EVP_SIGNATURE *, const OSSL_PARAM *);
    int (*verify_update)(EVP_PKEY_CTX *, const unsigned char *, size_t);
    int (*verify_final)(EVP_PKEY_CTX *);
    int (*set_signature)(EVP_PKEY_CTX *, const unsigned char *, size_t);
};

static MessageCalls message_calls()
{
#if OPENSSL_VERSION_NUMBER >= 0x30400000L
    return { EVP_SIGNATURE_fetch,           EVP_PKEY_sign_message_init,
             EVP_PKEY_sign_message_update,  EVP_PKEY_sign_message_final,
             EVP_PKEY_verify_message_init,  EVP_PKEY_verify_message_update,
             EVP_PKEY_verify_message_final, EVP_PKEY_CTX_set_signature };
#else
#define CALL(field, name) decltype(MessageCalls::field)(dlsym(RTLD_DEFAULT, name))
    return { EVP_SIGNATURE_fetch,
             CALL(sign_init, "EVP_PKEY_sign_message_init"),
             CALL(sign_update, "EVP_PKEY_sign_message_update"),
             CALL(sign_final, "EVP_PKEY_sign_message_final"),
             CALL(verify_init, "EVP_PKEY_verify_message_init"),
             CALL(verify_update, "EVP_PKEY_verify_message_update"),
             CALL(verify_final, "EVP_PKEY_verify_message_final"),
             CALL(set_signature, "EVP_PKEY_CTX_set_signature") };
#endif
}

TEST(Messages, InPiecesAndWhole)
{
    const MessageCalls calls = message_calls();
    if (!calls.sign_init) NOT_THERE("EVP_PKEY_sign_message_init");
    const Bytes msg = bytes("a message of some length");
    for (const char *name : { "SM2", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87" }) {
        Pkey k = generate(ours(), name);
        EVP_SIGNATURE *alg = calls.fetch(ours().lib, name, "provider=tongyu");
        ASSERT_TRUE(k && alg) << name;
        Bytes sig(5000);
        size_t n = sig.size();
        PkeyCtx c = ours().pkey_ctx(k.get());
        ASSERT_EQ(calls.sign_init(c.get(), alg, nullptr), 1) << name;
        ASSERT_EQ(calls.sign_update(c.get(), msg.data(), 5), 1);
        ASSERT_EQ(calls.sign_update(c.get(), msg.data() + 5, msg.size() - 5), 1);
        ASSERT_EQ(calls.sign_final(c.get(), sig.data(), &n), 1) << name;
        for (bool right : { true, false }) {
            PkeyCtx v = ours().pkey_ctx(k.get()), w = ours().pkey_ctx(k.get());
            if (!right) sig[n / 2] ^= 1;
            ASSERT_EQ(calls.verify_init(v.get(), alg, nullptr), 1);
            ASSERT_EQ(calls.set_signature(v.get(), sig.data(), n), 1);
            ASSERT_EQ(calls.verify_update(v.get(), msg.data(), msg.size()), 1);
            EXPECT_EQ(calls.verify_final(v.get()) == 1, right) << name;
            ASSERT_EQ(calls.verify_init(w.get(), alg, nullptr), 1);
            EXPECT_EQ(EVP_PKEY_verify(w.get(), sig.data(), n, msg.data(), msg.size()) == 1, right)
                << name;
        }
        for (size_t len : { size_t(0), n + 80 }) {    // not signatures: a result, not an error
            PkeyCtx v = ours().pkey_ctx(k.get());
            ASSERT_EQ(calls.verify_init(v.get(), alg, nullptr), 1);
            ASSERT_EQ(calls.set_signature(v.get(), sig.data(), len), 1);
            ASSERT_EQ(calls.verify_update(v.get(), msg.data(), msg.size()), 1);
            ERR_clear_error();
            EXPECT_NE(calls.verify_final(v.get()), 1) << name;
            const char *data;
            int flags;
            while (ERR_get_error_all(nullptr, nullptr, nullptr, &data, &flags))
                EXPECT_EQ(std::string(data).find("tongyu"), std::string::npos) << data;
        }
        PkeyCtx none = ours().pkey_ctx(k.get());
        ASSERT_EQ(calls.verify_init(none.get(), alg, nullptr), 1);
        ASSERT_EQ(calls.verify_update(none.get(), msg.data(), msg.size()), 1);
        EXPECT_NE(calls.verify_final(none.get()), 1);
        expect_error("set the signature");
        EVP_SIGNATURE_free(alg);
        if (n < 100) {
            EXPECT_EQ(verify(ours(), k.get(), "SM3", msg, sign(ours(), k.get(), "SM3", msg)), 1);
        }
    }
    ERR_clear_error();
}
