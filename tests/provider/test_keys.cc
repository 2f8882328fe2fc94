// SM2, curveSM2 and ML-DSA through EVP: keys in and out, signatures, encryption, exchange, with the
// default provider at the other end where it has the same, and the library's own functions where
// not.
#include "provider/keys.hpp"
#include "support/vectors.hpp"
#include "tongyu/key.h"
#include "tongyu/mldsa.h"
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/pem.h>
#include <unistd.h>

// --- SM2 ----------------------------------------------------------------------------------------

TEST(Sm2, KeysGoBothWays)
{
    const uint64_t before = ours().count("sm2-keygen");
    Pkey a = generate(ours(), "SM2");
    ASSERT_TRUE(a);
    EXPECT_EQ(ours().count("sm2-keygen"), before + 1);
    for (int selection : { EVP_PKEY_KEYPAIR, EVP_PKEY_PUBLIC_KEY }) {
        Pkey b = moved(theirs(), "SM2", a.get(), selection);
        ASSERT_TRUE(b);
        Pkey c = moved(ours(), "SM2", b.get(), selection);
        ASSERT_TRUE(c);
        EXPECT_EQ(EVP_PKEY_eq(a.get(), c.get()), 1);
        EXPECT_EQ(hex(octets(a.get(), "pub")), hex(octets(b.get(), "pub")));
    }
    Pkey d = generate(theirs(), "SM2");
    Pkey e = moved(ours(), "SM2", d.get());
    ASSERT_TRUE(e);
    EXPECT_NE(EVP_PKEY_eq(a.get(), e.get()), 1);
}

TEST(Sm2, FactsAreThoseOfTheDefaultProvider)
{
    Pkey a = generate(ours(), "SM2"), b = moved(theirs(), "SM2", a.get());
    ASSERT_TRUE(a && b);
    EXPECT_EQ(EVP_PKEY_get_bits(a.get()), EVP_PKEY_get_bits(b.get()));
    EXPECT_EQ(EVP_PKEY_get_security_bits(a.get()), EVP_PKEY_get_security_bits(b.get()));
    EXPECT_EQ(EVP_PKEY_get_size(a.get()), EVP_PKEY_get_size(b.get()));
    for (const char *name : { "p", "a", "b", "order", "cofactor", "priv", "qx", "qy" }) {
        BIGNUM *x = nullptr, *y = nullptr;
        EXPECT_EQ(EVP_PKEY_get_bn_param(a.get(), name, &x), 1) << name;
        EXPECT_EQ(EVP_PKEY_get_bn_param(b.get(), name, &y), 1) << name;
        EXPECT_TRUE(x && y && BN_cmp(x, y) == 0) << name;
        BN_free(x), BN_free(y);
    }
    for (const char *name : { "generator", "pub", "encoded-pub-key" })
        EXPECT_EQ(hex(octets(a.get(), name)), hex(octets(b.get(), name))) << name;
    for (const char *name :
         { "group", "encoding", "point-format", "field-type", "default-digest" }) {
        char x[64] = "", y[64] = "";
        EXPECT_EQ(EVP_PKEY_get_utf8_string_param(a.get(), name, x, sizeof x, nullptr), 1) << name;
        EXPECT_EQ(EVP_PKEY_get_utf8_string_param(b.get(), name, y, sizeof y, nullptr), 1) << name;
        EXPECT_STREQ(x, y) << name;
    }
    for (const char *name : { "bits", "security-bits", "max-size", "decoded-from-explicit" }) {
        int x = -1, y = -1;
        EXPECT_EQ(EVP_PKEY_get_int_param(a.get(), name, &x), 1) << name;
        EXPECT_EQ(EVP_PKEY_get_int_param(b.get(), name, &y), 1) << name;
        EXPECT_EQ(x, y) << name;
    }
}

TEST(Sm2, SignsAndVerifiesWithTheDefaultProvider)
{
    TestRng rng(1);
    Pkey a = generate(ours(), "SM2"), b = moved(theirs(), "SM2", a.get());
    const Bytes empty, standard = bytes("1234567812345678"),
                       longest(8190, 'x');    // OpenSSL's own takes one byte less than the standard
    const uint64_t signs = ours().count("sm2-sign"), verifies = ours().count("sm2-verify");
    for (size_t n : { 0, 1, 31, 32, 64, 100, 1000 }) {
        const Bytes msg = rng.bytes(n);
        for (int which = 0; which < 3; which++) {    // no name, the usual one, the longest
            Params p;
            if (which) p.push_back(octet_param("distid", which == 1 ? standard : longest));
            for (bool pieces : { false, true }) {
                const Bytes s = sign(ours(), a.get(), "SM3", msg, p, pieces),
                            t = sign(theirs(), b.get(), "SM3", msg, p, pieces);
                ASSERT_FALSE(s.empty() || t.empty()) << n << " " << which;
                EXPECT_EQ(verify(theirs(), b.get(), "SM3", msg, s, p, pieces), 1)
                    << n << " " << which;
                EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, t, p, pieces), 1)
                    << n << " " << which;
                Bytes wrong = s;
                wrong.back() ^= 1;
                EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, wrong, p, pieces), 0);
            }
        }
        // Another name is another signature.
        const Bytes s = sign(ours(), a.get(), "SM3", msg, { octet_param("distid", standard) });
        EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, s, { octet_param("distid", longest) }), 0);
    }
    EXPECT_GT(ours().count("sm2-sign"), signs);
    EXPECT_GT(ours().count("sm2-verify"), verifies);
    ERR_clear_error();
}

// Until 3.6 no name means an empty one, from 4.0 on the usual one; and ours goes with the libcrypto
// that loads it.
TEST(Sm2, NoNameMeansWhatThisOpensslMeans)
{
    Pkey a = generate(ours(), "SM2");
    const Bytes msg = bytes("who signs?"), s = sign(ours(), a.get(), "SM3", msg);
    const Bytes usual = bytes("1234567812345678");
    ty_sm2_pub pub;
    uint8_t raw[64];
    const Bytes point = octets(a.get(), "pub");
    ASSERT_EQ(ty_sm2_pub_set(&pub, point.data(), point.size()), TY_OK);
    ASSERT_EQ(ty_sm2_sig_from_der(raw, s.data(), s.size()), TY_OK);
    const Bytes &name = openssl_version() < 0x400 ? Bytes() : usual;
    EXPECT_EQ(ty_sm2_verify(raw, msg.data(), msg.size(), name.data(), name.size(), &pub), TY_OK);
}

// What libssl signs in a handshake of TLS 1.3, before 4.0 said that it is one; in pieces of every
// length.
TEST(Sm2, HandshakeIsKnownByItsMessage)
{
    if (openssl_version() >= 0x400)
        NOT_THERE("a handshake that has to be known by its message: libssl says so by a parameter");
    Pkey a = generate(ours(), "SM2");
    Bytes msg(64, ' ');
    for (char c : std::string("TLS 1.3, server CertificateVerify")) msg.push_back((uint8_t)c);
    msg.push_back(0);
    msg.insert(msg.end(), 32, 0x55);
    const Bytes name = bytes("TLSv1.3+GM+Cipher+Suite");
    for (bool pieces : { false, true }) {
        const Bytes s = sign(ours(), a.get(), "SM3", msg, {}, pieces);
        EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, s, { octet_param("distid", name) }), 1);
        EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, s, {}, !pieces), 1);
        const Bytes named =
            sign(ours(), a.get(), "SM3", msg, { octet_param("distid", Bytes()) }, pieces);
        EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, named, { octet_param("distid", name) }), 0)
            << "a name that is given counts";
    }
    for (size_t n : { 64, 72, 73, 74 }) {    // around the length of what is looked at
        const Bytes part(msg.begin(), msg.begin() + (long)n);
        const Bytes s = sign(ours(), a.get(), "SM3", part);
        EXPECT_EQ(verify(ours(), a.get(), "SM3", part, s,
                         { octet_param("distid", n >= 73 ? name : Bytes()) }),
                  1)
            << n;
    }
    MdCtx c(EVP_MD_CTX_new());    // one context, a handshake and then something else
    size_t n = 100;
    uint8_t sig[100];
    ASSERT_EQ(EVP_DigestSignInit_ex(c.get(), nullptr, "SM3", ours().lib, "provider=tongyu", a.get(),
                                    nullptr),
              1);
    ASSERT_EQ(EVP_DigestSign(c.get(), sig, &n, msg.data(), msg.size()), 1);
    ASSERT_EQ(EVP_DigestSignInit_ex(c.get(), nullptr, "SM3", ours().lib, "provider=tongyu", a.get(),
                                    nullptr),
              1);
    n = 100;
    ASSERT_EQ(EVP_DigestSign(c.get(), sig, &n, (const uint8_t *)"plain", 5), 1);
    EXPECT_EQ(verify(ours(), a.get(), "SM3", bytes("plain"), Bytes(sig, sig + n),
                     { octet_param("distid", Bytes()) }),
              1);
    // And without a new beginning, which 3.0 allows: TLS's name stays with TLS's message.
    ASSERT_EQ(EVP_DigestSignInit_ex(c.get(), nullptr, "SM3", ours().lib, "provider=tongyu", a.get(),
                                    nullptr),
              1);
    for (const Bytes &m : { msg, bytes("plain") }) {
        n = 100;
        if (EVP_DigestSign(c.get(), sig, &n, m.data(), m.size()) != 1) {
            ERR_clear_error();
            ASSERT_EQ(EVP_DigestSignInit_ex(c.get(), nullptr, nullptr, nullptr, nullptr, nullptr,
                                            nullptr),
                      1);
            n = 100;
            ASSERT_EQ(EVP_DigestSign(c.get(), sig, &n, m.data(), m.size()), 1);
        }
        EXPECT_EQ(verify(ours(), a.get(), "SM3", m, Bytes(sig, sig + n),
                         { octet_param("distid", m == msg ? name : Bytes()) }),
                  1)
            << m.size();
    }
    ERR_clear_error();
}

TEST(Sm2, TlsVersionParameter)
{
    Pkey a = generate(ours(), "SM2");
    int version = 0x0304;
    const Bytes s = sign(ours(), a.get(), "SM3", bytes("m"),
                         { OSSL_PARAM_construct_int("tls-version", &version) });
    EXPECT_EQ(verify(ours(), a.get(), "SM3", bytes("m"), s,
                     { octet_param("distid", bytes("TLSv1.3+GM+Cipher+Suite")) }),
              1);
}

TEST(Sm2, Digests)
{
    TestRng rng(2);
    Pkey a = generate(ours(), "SM2"), b = moved(theirs(), "SM2", a.get());
    const Bytes e = rng.bytes(32);
    for (const Side *s : { &ours(), &theirs() }) {
        PkeyCtx signer = s->pkey_ctx(s == &ours() ? a.get() : b.get());
        Bytes sig(80);
        size_t n = sig.size();
        ASSERT_EQ(EVP_PKEY_sign_init(signer.get()), 1);
        ASSERT_EQ(EVP_PKEY_sign(signer.get(), sig.data(), &n, e.data(), e.size()), 1);
        for (const Side *v : { &ours(), &theirs() }) {
            PkeyCtx verifier = v->pkey_ctx(v == &ours() ? a.get() : b.get());
            ASSERT_EQ(EVP_PKEY_verify_init(verifier.get()), 1);
            EXPECT_EQ(EVP_PKEY_verify(verifier.get(), sig.data(), n, e.data(), e.size()), 1);
        }
    }
}

TEST(Sm2, EncryptsBothWays)
{
    TestRng rng(3);
    Pkey a = generate(ours(), "SM2"), b = moved(theirs(), "SM2", a.get());
    const uint64_t before = ours().count("sm2-decrypt");
    for (size_t n : { 1, 2, 31, 32, 33, 127, 128, 255, 256, 1000, 70000 }) {
        const Bytes msg = rng.bytes(n);
        for (const Side *s : { &ours(), &theirs() }) {
            PkeyCtx c = s->pkey_ctx(s == &ours() ? a.get() : b.get());
            size_t len = 0;
            ASSERT_EQ(EVP_PKEY_encrypt_init(c.get()), 1);
            ASSERT_EQ(EVP_PKEY_encrypt(c.get(), nullptr, &len, msg.data(), n), 1);
            Bytes ct(len);
            ASSERT_EQ(EVP_PKEY_encrypt(c.get(), ct.data(), &len, msg.data(), n), 1) << n;
            for (const Side *t : { &ours(), &theirs() }) {
                PkeyCtx d = t->pkey_ctx(t == &ours() ? a.get() : b.get());
                size_t room = 0;
                ASSERT_EQ(EVP_PKEY_decrypt_init(d.get()), 1);
                ASSERT_EQ(EVP_PKEY_decrypt(d.get(), nullptr, &room, ct.data(), len), 1);
                Bytes out(room);
                ASSERT_EQ(EVP_PKEY_decrypt(d.get(), out.data(), &room, ct.data(), len), 1) << n;
                out.resize(room);
                EXPECT_EQ(out, msg);
            }
        }
    }
    EXPECT_GT(ours().count("sm2-decrypt"), before);
}

// OpenSSL's encoders write our key and its decoders read it, in every form.
TEST(Sm2, FilesOfTheDefaultProvider)
{
    Pkey a = generate(ours(), "SM2");
    for (const char *type : { "PEM", "DER" })
        for (bool private_key : { true, false }) {
            Bio bio(BIO_new(BIO_s_mem()));
            OSSL_ENCODER_CTX *e = OSSL_ENCODER_CTX_new_for_pkey(
                a.get(), private_key ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, type,
                private_key ? "PrivateKeyInfo" : "SubjectPublicKeyInfo", nullptr);
            ASSERT_EQ(OSSL_ENCODER_to_bio(e, bio.get()), 1) << type;
            OSSL_ENCODER_CTX_free(e);
            EVP_PKEY *back = nullptr;
            OSSL_DECODER_CTX *d = OSSL_DECODER_CTX_new_for_pkey(&back, type, nullptr, nullptr, 0,
                                                                ours().lib, nullptr);
            ASSERT_EQ(OSSL_DECODER_from_bio(d, bio.get()), 1) << type;
            OSSL_DECODER_CTX_free(d);
            EXPECT_EQ(EVP_PKEY_eq(a.get(), back), 1);
            EVP_PKEY_free(back);
        }
}

// --- curveSM2 -----------------------------------------------------------------------------------

TEST(CurveSm2, AsTlsUsesIt)
{
    Params group = with_end({ OSSL_PARAM_construct_utf8_string("group", (char *)"SM2", 0) });
    Pkey a = generate(ours(), "curveSM2", group.data()),
         b = generate(ours(), "curveSM2", group.data());
    ASSERT_TRUE(a && b);
    unsigned char *share = nullptr;
    size_t n = EVP_PKEY_get1_encoded_public_key(b.get(), &share);
    ASSERT_EQ(n, 65u);
    // The peer: parameters alone, then its share.
    PkeyCtx c = ours().pkey_ctx("curveSM2");
    EVP_PKEY *peer = nullptr;
    ASSERT_EQ(EVP_PKEY_paramgen_init(c.get()), 1);
    ASSERT_EQ(EVP_PKEY_CTX_set_params(c.get(), group.data()), 1);
    ASSERT_EQ(EVP_PKEY_paramgen(c.get(), &peer), 1);
    ASSERT_EQ(EVP_PKEY_set1_encoded_public_key(peer, share, n), 1);
    EXPECT_EQ(EVP_PKEY_eq(peer, b.get()), 1);
    EVP_PKEY *copy = EVP_PKEY_new();
    EXPECT_EQ(EVP_PKEY_copy_parameters(copy, a.get()), 1);
    ASSERT_EQ(EVP_PKEY_set1_encoded_public_key(copy, share, n), 1);
    const uint64_t before = ours().count("curvesm2-derive");
    auto derive = [](EVP_PKEY *own, EVP_PKEY *other) {
        PkeyCtx d = ours().pkey_ctx(own);
        size_t len = 0;
        EXPECT_EQ(EVP_PKEY_derive_init(d.get()), 1);
        EXPECT_EQ(EVP_PKEY_derive_set_peer(d.get(), other), 1);
        EXPECT_EQ(EVP_PKEY_derive(d.get(), nullptr, &len), 1);
        Bytes out(len);
        EXPECT_EQ(EVP_PKEY_derive(d.get(), out.data(), &len), 1);
        return out;
    };
    const Bytes secret = derive(a.get(), peer);
    EXPECT_EQ(secret.size(), 32u);
    EXPECT_EQ(secret, derive(b.get(), a.get()));
    EXPECT_EQ(secret, derive(a.get(), copy));
    EXPECT_EQ(ours().count("curvesm2-derive"), before + 3);
    // With the library itself.
    BIGNUM *d = nullptr;
    uint8_t bytes_d[32], x[32];
    ASSERT_EQ(EVP_PKEY_get_bn_param(a.get(), "priv", &d), 1);
    BN_bn2binpad(d, bytes_d, 32);
    BN_free(d);
    ty_sm2_key key;
    ty_sm2_pub pub;
    ASSERT_EQ(ty_sm2_key_set(&key, bytes_d), TY_OK);
    ASSERT_EQ(ty_sm2_pub_set(&pub, share, n), TY_OK);
    ASSERT_EQ(ty_sm2_ecdh(x, &pub, &key), TY_OK);
    EXPECT_EQ(hex(secret), hex(x, 32));
    OPENSSL_free(share);
    EVP_PKEY_free(peer), EVP_PKEY_free(copy);
}

// --- ML-DSA -------------------------------------------------------------------------------------

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

TEST_P(Mldsa, SeedGrowsTheSameKey)
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
            for (bool pieces : { false, true }) {
                Bytes s = sign(ours(), a.get(), nullptr, msg, with, pieces);
                ASSERT_EQ(s.size(), ty_mldsa_sig_len(set));
                EXPECT_EQ(ty_mldsa_verify(s.data(), s.size(), msg.data(), n, context.data(),
                                          context_len, &direct),
                          TY_OK);
                EXPECT_EQ(verify(ours(), pub.get(), nullptr, msg, s, with, pieces), 1);
                if (b) {
                    EXPECT_EQ(verify(theirs(), b.get(), nullptr, msg, s, with), 1);
                }
                if (b) {
                    EXPECT_EQ(verify(ours(), a.get(), nullptr, msg,
                                     sign(theirs(), b.get(), nullptr, msg, with), with, pieces),
                              1);
                }
                s[50] ^= 1;
                EXPECT_EQ(verify(ours(), pub.get(), nullptr, msg, s, with, pieces), 0);
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

// PEM and DER, private and public, plain and encrypted, by whichever provider OpenSSL takes; and
// the text.
TEST_P(Mldsa, Files)
{
    Pkey a = generate(ours(), name.c_str());
    for (const char *type : { "PEM", "DER" })
        for (int kind = 0; kind < 3; kind++) {    // private, encrypted, public
            Bio bio(BIO_new(BIO_s_mem()));
            OSSL_ENCODER_CTX *e = OSSL_ENCODER_CTX_new_for_pkey(
                a.get(), kind < 2 ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, type,
                kind < 2 ? "PrivateKeyInfo" : "SubjectPublicKeyInfo", nullptr);
            if (kind == 1) {
                ASSERT_EQ(OSSL_ENCODER_CTX_set_cipher(e, "SM4-CBC", nullptr), 1);
                ASSERT_EQ(OSSL_ENCODER_CTX_set_passphrase(e, (const uint8_t *)"secret", 6), 1);
            }
            ASSERT_EQ(OSSL_ENCODER_to_bio(e, bio.get()), 1) << type << kind;
            OSSL_ENCODER_CTX_free(e);
            char *data;
            const size_t len = (size_t)BIO_get_mem_data(bio.get(), &data);
            const Bytes clear = octets(a.get(), "seed");
            if (kind == 1 && *type == 'D') {
                EXPECT_EQ(std::string(data, len).find(std::string(clear.begin(), clear.end())),
                          std::string::npos);
            }
            for (const char *password : { "secret", "wrong" }) {
                if (kind != 1 && *password == 'w') continue;
                EVP_PKEY *back = nullptr;
                Bio in(BIO_new_mem_buf(data, (int)len));
                OSSL_DECODER_CTX *d = OSSL_DECODER_CTX_new_for_pkey(
                    &back, nullptr, nullptr, nullptr, 0, ours().lib, nullptr);
                if (kind == 1)
                    OSSL_DECODER_CTX_set_passphrase(d, (const uint8_t *)password, strlen(password));
                EXPECT_EQ(OSSL_DECODER_from_bio(d, in.get()), *password == 's')
                    << type << kind << password;
                OSSL_DECODER_CTX_free(d);
                if (*password == 's') {
                    EXPECT_EQ(EVP_PKEY_eq(a.get(), back), 1);
                }
                if (*password == 's' && kind < 2) {
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
        for (size_t len : { size_t(0), n + 80 }) {    // of no signature: an answer, not an error
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

// --- The module ---------------------------------------------------------------------------------

TEST(Module, TestsItself) { EXPECT_EQ(OSSL_PROVIDER_self_test(ours().tongyu), 1); }

TEST(Module, SideBySideAndUnloadedWithLiveContexts)
{
    Side *other = new Side(true);
    MdCtx c(EVP_MD_CTX_new());
    uint8_t out[32];
    {
        Md md = other->md("SM3");
        ASSERT_EQ(EVP_DigestInit_ex2(c.get(), md.get(), nullptr), 1);
    }
    Pkey k = generate(*other, "SM2");
    EXPECT_EQ(other->count("sm2-keygen"), 1u);
    delete other;
    ASSERT_EQ(EVP_DigestUpdate(c.get(), "abc", 3), 1);
    ASSERT_EQ(EVP_DigestFinal_ex(c.get(), out, nullptr), 1);
    EXPECT_EQ(hex(out, 4), "66c7f0f4");
}

// A file of statistics that cannot be had is no reason not to work. Where the configuration file
// activates the module OpenSSL drops the error; where the program does, it is told.
TEST(Module, WorksWithoutItsFileOfStatistics)
{
    for (bool by_file : { true, false }) {
        char config[] = "/tmp/tongyu-XXXXXX";
        const int fd = mkstemp(config);
        ASSERT_GE(fd, 0);
        FILE *f = fdopen(fd, "w");
        std::fprintf(f,
                     "openssl_conf = a\n[a]\nproviders = b\n[b]\ntongyu = c\n[c]\n%s"
                     "statistics = /nowhere/s\nmodule = %s/tongyu.so\n",
                     by_file ? "activate = 1\n" : "", module_dir());
        std::fclose(f);
        OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
        EXPECT_EQ(OSSL_LIB_CTX_load_config(lib, config), 1);
        unlink(config);
        ERR_clear_error();
        OSSL_PROVIDER *p = by_file ? nullptr : OSSL_PROVIDER_load(lib, "tongyu");
        if (!by_file) expect_error("cannot write the file \"/nowhere/s\"");
        EXPECT_EQ(OSSL_PROVIDER_available(lib, "tongyu"), 1) << by_file;
        Md md(EVP_MD_fetch(lib, "SM3", "provider=tongyu"));
        EXPECT_TRUE(md) << by_file;
        md.reset();
        if (p) OSSL_PROVIDER_unload(p);
        OSSL_LIB_CTX_free(lib);
    }
    ERR_clear_error();
}

TEST(Module, FipsFindsTheDefaultProvider)
{
    Md md(EVP_MD_fetch(ours().lib, "SM3", "fips=yes"));
    EXPECT_FALSE(md);
    Cipher c(EVP_CIPHER_fetch(ours().lib, "SM4-CBC", "fips=yes"));
    EXPECT_FALSE(c);
    ERR_clear_error();
}
