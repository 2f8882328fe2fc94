// SM2 and curveSM2 through EVP: import and export of keys, signatures, encryption, exchange,
// compared with the default provider where it has the algorithm, otherwise with the library's own
// functions. A name is the identifier of a signer, OpenSSL's parameter "distid".
#include "provider/keys.hpp"
#include "tongyu/key.h"
#include <openssl/decoder.h>
#include <openssl/encoder.h>

TEST(Sm2, KeysMoveBothWays)
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
                       longest(8190, 'x');    // the default provider's limit: the standard's less 1
    const uint64_t signs = ours().count("sm2-sign"), verifies = ours().count("sm2-verify");
    for (size_t n : { 0, 1, 31, 32, 64, 100, 1000 }) {
        const Bytes msg = rng.bytes(n);
        for (int which = 0; which < 3; which++) {    // no name, the usual one, the longest
            Params p;
            if (which) p.push_back(octet_param("distid", which == 1 ? standard : longest));
            for (bool chunks : { false, true }) {
                const Bytes s = sign(ours(), a.get(), "SM3", msg, p, chunks),
                            t = sign(theirs(), b.get(), "SM3", msg, p, chunks);
                ASSERT_FALSE(s.empty() || t.empty()) << n << " " << which;
                EXPECT_EQ(verify(theirs(), b.get(), "SM3", msg, s, p, chunks), 1)
                    << n << " " << which;
                EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, t, p, chunks), 1)
                    << n << " " << which;
                Bytes wrong = s;
                wrong.back() ^= 1;
                EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, wrong, p, chunks), 0);
            }
        }
        // A signature does not verify under another name.
        const Bytes s = sign(ours(), a.get(), "SM3", msg, { octet_param("distid", standard) });
        EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, s, { octet_param("distid", longest) }), 0);
    }
    EXPECT_GT(ours().count("sm2-sign"), signs);
    EXPECT_GT(ours().count("sm2-verify"), verifies);
    ERR_clear_error();
}

// Up to 3.6 no name means an empty one, from 4.0 on the usual one; our provider does the same as
// the libcrypto that loads it.
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

// The message that libssl signs in a TLS 1.3 handshake is recognised by its beginning, whole and in
// chunks. From 4.0 on libssl sets a parameter instead.
TEST(Sm2, HandshakeIsRecognisedByItsMessage)
{
    if (openssl_version() >= 0x400)
        NOT_THERE("a handshake without a parameter, which is recognised by its message");
    Pkey a = generate(ours(), "SM2");
    Bytes msg(64, ' ');
    for (char c : std::string("TLS 1.3, server CertificateVerify")) msg.push_back((uint8_t)c);
    msg.push_back(0);
    msg.insert(msg.end(), 32, 0x55);
    const Bytes name = bytes("TLSv1.3+GM+Cipher+Suite");
    for (bool chunks : { false, true }) {
        const Bytes s = sign(ours(), a.get(), "SM3", msg, {}, chunks);
        EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, s, { octet_param("distid", name) }), 1);
        EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, s, {}, !chunks), 1);
        const Bytes named =
            sign(ours(), a.get(), "SM3", msg, { octet_param("distid", Bytes()) }, chunks);
        EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, named, { octet_param("distid", name) }), 0)
            << "a name that was set takes precedence";
    }
    for (size_t n : { 64, 72, 73, 74 }) {    // around the length of what is examined
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
    // The same without another init call, which 3.0 allows: TLS's name is used for TLS's message
    // only.
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

// A key of the default provider is exported to ours. After a change of its parameters it is
// exported again, and OpenSSL frees the first export: contexts that were begun before still have
// their key.
TEST(Sm2, ContextsKeepAKeyThatIsExportedAgain)
{
    EVP_PKEY *made = nullptr;
    PkeyCtx g(EVP_PKEY_CTX_new_from_name(ours().lib, "SM2", "provider=default"));
    ASSERT_EQ(EVP_PKEY_keygen_init(g.get()), 1);
    ASSERT_EQ(EVP_PKEY_generate(g.get(), &made), 1);
    Pkey k(made);
    PkeyCtx signer = ours().pkey_ctx(k.get()), decrypter = ours().pkey_ctx(k.get());
    ASSERT_EQ(EVP_PKEY_sign_init(signer.get()), 1);
    ASSERT_EQ(EVP_PKEY_decrypt_init(decrypter.get()), 1);
    PkeyCtx copy(EVP_PKEY_CTX_dup(signer.get()));
    signer.reset();
    EVP_PKEY_set_utf8_string_param(k.get(), "point-format", "compressed");
    PkeyCtx verifier = ours().pkey_ctx(k.get()), encrypter = ours().pkey_ctx(k.get());
    ASSERT_EQ(EVP_PKEY_verify_init(verifier.get()), 1);
    ASSERT_EQ(EVP_PKEY_encrypt_init(encrypter.get()), 1);
    const Bytes e(32, 7), msg = bytes("a message");
    const uint64_t signs = ours().count("sm2-sign"), decrypts = ours().count("sm2-decrypt");
    Bytes sig(80), ct(200), text(200);
    size_t n = sig.size(), ct_len = ct.size(), text_len = text.size();
    ASSERT_EQ(EVP_PKEY_sign(copy.get(), sig.data(), &n, e.data(), e.size()), 1);
    EXPECT_EQ(EVP_PKEY_verify(verifier.get(), sig.data(), n, e.data(), e.size()), 1);
    ASSERT_EQ(EVP_PKEY_encrypt(encrypter.get(), ct.data(), &ct_len, msg.data(), msg.size()), 1);
    ASSERT_EQ(EVP_PKEY_decrypt(decrypter.get(), text.data(), &text_len, ct.data(), ct_len), 1);
    text.resize(text_len);
    EXPECT_EQ(text, msg);
    EXPECT_EQ(ours().count("sm2-sign"), signs + 1);
    EXPECT_EQ(ours().count("sm2-decrypt"), decrypts + 1);
    ERR_clear_error();
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

// X9.62's hybrid form of a public key: 6 or 7 by the parity of y. Wrong parities are refused.
TEST(Sm2, HybridPoints)
{
    Pkey a = generate(ours(), "SM2");
    Bytes point = octets(a.get(), "pub");
    point[0] = (uint8_t)(6 | (point[64] & 1));
    const OSSL_PARAM group = OSSL_PARAM_construct_utf8_string("group", (char *)"SM2", 0);
    Params good = with_end({ group, octet_param("pub", point) });
    Pkey b = from_params(ours(), "SM2", EVP_PKEY_PUBLIC_KEY, good.data());
    ASSERT_TRUE(b);
    EXPECT_EQ(EVP_PKEY_eq(a.get(), b.get()), 1);
    point[0] ^= 1;
    Params bad = with_end({ group, octet_param("pub", point) });
    EXPECT_FALSE(from_params(ours(), "SM2", EVP_PKEY_PUBLIC_KEY, bad.data()));
    expect_error("malformed");
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
    // The peer's key: parameters only, then its share is set.
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
    // The peer's key may be freed, and its memory used again, before the secret is derived: also by
    // a copy of the context.
    Pkey gone = generate(ours(), "curveSM2", group.data());
    const Bytes with_gone = derive(a.get(), gone.get());
    PkeyCtx first = ours().pkey_ctx(a.get());
    ASSERT_EQ(EVP_PKEY_derive_init(first.get()), 1);
    ASSERT_EQ(EVP_PKEY_derive_set_peer(first.get(), gone.get()), 1);
    const PkeyCtx second(EVP_PKEY_CTX_dup(first.get()));
    first.reset();
    gone = generate(ours(), "curveSM2", group.data());
    Bytes late(32);
    size_t late_len = late.size();
    ASSERT_EQ(EVP_PKEY_derive(second.get(), late.data(), &late_len), 1);
    EXPECT_EQ(late, with_gone);
    // Compared with the library itself.
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
