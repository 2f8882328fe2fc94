// Bad input through EVP: the call fails, one error of the provider is on the queue and describes
// the fault, outputs are untouched or zeroed.
#include "provider/keys.hpp"
#include <algorithm>
#include <openssl/decoder.h>
#include <openssl/encoder.h>

static CipherCtx started(const char *name, int encrypt)
{
    static const Bytes key = TestRng(1).bytes(32), iv = TestRng(2).bytes(16);
    Cipher cipher = ours().cipher(name);
    CipherCtx c(EVP_CIPHER_CTX_new());
    EXPECT_EQ(EVP_CipherInit_ex2(c.get(), cipher.get(), key.data(), iv.data(), encrypt, nullptr), 1)
        << name;
    return c;
}

TEST(BadCipher, NoKey)
{
    uint8_t out[64];
    int n;
    for (const char *name : { "SM4-ECB", "SM4-CBC", "SM4-CFB", "SM4-OFB", "SM4-CTR", "SM4-GCM",
                              "SM4-CCM", "SM4-XTS" }) {
        Cipher cipher = ours().cipher(name);
        CipherCtx c(EVP_CIPHER_CTX_new());
        ASSERT_EQ(EVP_CipherInit_ex2(c.get(), cipher.get(), nullptr, nullptr, 1, nullptr), 1);
        EXPECT_EQ(EVP_CipherUpdate(c.get(), out, &n, (const uint8_t *)"0123456789abcdef", 16), 0)
            << name;
        expect_error("no key");
    }
}

// ECB and CBC accept the parameter `num`, as OpenSSL's own do; it changes nothing.
TEST(BadCipher, NumOfABlockMode)
{
    for (const char *name : { "SM4-ECB", "SM4-CBC" }) {
        CipherCtx plain = started(name, 1), with_num = started(name, 1);
        unsigned num = 5;
        OSSL_PARAM params[] = { OSSL_PARAM_construct_uint("num", &num),
                                OSSL_PARAM_construct_end() };
        ASSERT_EQ(EVP_CIPHER_CTX_set_params(with_num.get(), params), 1) << name;
        const Bytes in = TestRng(3).bytes(32);
        Bytes expected(64), out(64);
        int expected_len, n;
        ASSERT_EQ(EVP_CipherUpdate(plain.get(), expected.data(), &expected_len, in.data(), 32), 1);
        ASSERT_EQ(EVP_CipherUpdate(with_num.get(), out.data(), &n, in.data(), 32), 1) << name;
        EXPECT_EQ(n, expected_len) << name;
        EXPECT_EQ(out, expected) << name;
    }
}

TEST(BadCipher, Parameters)
{
    CipherCtx gcm = started("SM4-GCM", 0), ccm = started("SM4-CCM", 0), ctr = started("SM4-CTR", 1);
    uint8_t tag[16] = {};
    unsigned num = 16;
    size_t zero = 0, large = 129, six = 6;
    struct {
        EVP_CIPHER_CTX *c;
        OSSL_PARAM p;
        const char *words;
    } cases[] = {
        { gcm.get(), OSSL_PARAM_construct_octet_string("tag", tag, 11),
          "12 to 16 bytes, this one 11" },
        { gcm.get(), OSSL_PARAM_construct_octet_string("tag", tag, 17), "12 to 16 bytes" },
        { gcm.get(), OSSL_PARAM_construct_utf8_string("tag", (char *)"text", 0),
          "not an octet string" },
        { gcm.get(), OSSL_PARAM_construct_size_t("ivlen", &zero), "1 to 128 bytes" },
        { gcm.get(), OSSL_PARAM_construct_size_t("ivlen", &large), "1 to 128 bytes" },
        { gcm.get(), OSSL_PARAM_construct_octet_string("ivlen", tag, 8), "not an integer" },
        { gcm.get(), OSSL_PARAM_construct_octet_string("tlsaad", tag, 12), "13 bytes" },
        { gcm.get(), OSSL_PARAM_construct_octet_string("tlsivfixed", tag, 3), "4 bytes or more" },
        { ccm.get(), OSSL_PARAM_construct_octet_string("tag", tag, 5), "4, 6, 8" },
        { ccm.get(), OSSL_PARAM_construct_octet_string("tag", tag, 2), "4, 6, 8" },
        { ccm.get(), OSSL_PARAM_construct_size_t("ivlen", &six), "7 to 13 bytes" },
        { ctr.get(), OSSL_PARAM_construct_uint("num", &num), "0 to 15" },
        { ctr.get(), OSSL_PARAM_construct_utf8_string("padding", (char *)"yes", 0),
          "not an integer" },
    };
    for (auto &c : cases) {
        OSSL_PARAM p[] = { c.p, OSSL_PARAM_construct_end() };
        EXPECT_NE(EVP_CIPHER_CTX_set_params(c.c, p), 1) << c.words;
        expect_error(c.words);
    }
}

TEST(BadCipher, XtsKeysAndUnits)
{
    Cipher cipher = ours().cipher("SM4-XTS");
    CipherCtx c(EVP_CIPHER_CTX_new());
    const Bytes equal(32, 7), iv(16);
    EXPECT_EQ(EVP_EncryptInit_ex2(c.get(), cipher.get(), equal.data(), iv.data(), nullptr), 0);
    expect_error("halves of the key are equal");
    CipherCtx d = started("SM4-XTS", 1);
    uint8_t out[16], before[16];
    memset(out, 0xaa, sizeof out);
    memcpy(before, out, sizeof out);
    int n = 0;
    EXPECT_EQ(EVP_EncryptUpdate(d.get(), out, &n, (const uint8_t *)"fifteen bytes..", 15), 0);
    expect_error("16 bytes to 16 MiB");
    EXPECT_EQ(hex(out, 16), hex(before, 16));
    OSSL_PARAM p[] = { OSSL_PARAM_construct_utf8_string("xts_standard", (char *)"NIST", 0),
                       OSSL_PARAM_construct_end() };
    EXPECT_NE(EVP_CIPHER_CTX_set_params(d.get(), p), 1);
    expect_error("GB or IEEE");
}

TEST(BadCipher, PaddingAndHalfBlocks)
{
    uint8_t out[64];
    int n;
    CipherCtx c = started("SM4-CBC", 0);
    ASSERT_EQ(EVP_CipherUpdate(c.get(), out, &n, (const uint8_t *)"0123456789abcdef", 16), 1);
    EXPECT_EQ(EVP_CipherFinal_ex(c.get(), out, &n), 0);
    expect_error("wrong padding");
    c = started("SM4-CBC", 0);
    ASSERT_EQ(EVP_CipherUpdate(c.get(), out, &n, (const uint8_t *)"0123456789abcde", 15), 1);
    EXPECT_EQ(EVP_CipherFinal_ex(c.get(), out, &n), 0);
    expect_error("not whole blocks");
}

TEST(BadCipher, OrderOfAead)
{
    uint8_t out[64];
    int n;
    CipherCtx c = started("SM4-GCM", 1);
    ASSERT_EQ(EVP_CipherUpdate(c.get(), out, &n, (const uint8_t *)"text", 4), 1);
    EXPECT_EQ(EVP_CipherUpdate(c.get(), nullptr, &n, (const uint8_t *)"aad", 3), 0);
    expect_error("before the text");
    EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_GET_TAG, 16, out), 0);
    expect_error("after the end");
    c = started("SM4-GCM", 0);
    ASSERT_EQ(EVP_CipherUpdate(c.get(), out, &n, (const uint8_t *)"text", 4), 1);
    EXPECT_EQ(EVP_CipherFinal_ex(c.get(), out, &n), 0);
    expect_error("no tag");
    c = started("SM4-CCM", 1);
    EXPECT_EQ(EVP_CipherUpdate(c.get(), nullptr, &n, (const uint8_t *)"aad", 3), 0);
    expect_error("length of the text");
    ASSERT_EQ(EVP_CipherUpdate(c.get(), nullptr, &n, nullptr, 5), 1);
    EXPECT_EQ(EVP_CipherUpdate(c.get(), out, &n, (const uint8_t *)"text", 4), 0);
    expect_error("announced");
    for (const char *name : { "SM4-GCM", "SM4-CCM", "SM4-CBC", "SM4-CTR", "SM4-XTS" }) {
        c = started(name, 1);
        EXPECT_EQ(EVP_CipherUpdate(c.get(), out, &n, nullptr, 5), 0);
        expect_error("no data");
    }
}

// --- Keys ---------------------------------------------------------------------------------------

static const char *curve_order = "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123";

static void refuse(const char *name, Params params, const char *words,
                   int selection = EVP_PKEY_KEYPAIR)
{
    params = with_end(params);
    ERR_clear_error();
    EXPECT_FALSE(from_params(ours(), name, selection, params.data())) << words;
    expect_error(words);
}

TEST(BadKey, Sm2)
{
    Pkey k = generate(ours(), "SM2"), other = generate(ours(), "SM2");
    const OSSL_PARAM group = OSSL_PARAM_construct_utf8_string("group", (char *)"SM2", 0);
    Bytes pub = octets(k.get(), "pub"), off = pub, pub2 = octets(other.get(), "pub");
    off[40] ^= 1;
    refuse("SM2", { group, octet_param("pub", off) }, "a point of the curve");
    refuse("SM2", { group, octet_param("pub", Bytes(pub.begin(), pub.begin() + 64)) },
           "public key");
    refuse("SM2", { group, octet_param("pub", Bytes(1)) }, "malformed");
    refuse("SM2",
           { OSSL_PARAM_construct_utf8_string("group", (char *)"prime256v1", 0),
             octet_param("pub", pub) },
           "on its curve");
    refuse("SM2", { group }, "no key");
    Bytes d = unhex(curve_order), zero(32), wide(40, 1);
    std::reverse(d.begin(), d.end());    // OSSL_PARAM's numbers are in native order
    for (Bytes *n : { &d, &zero })
        refuse("SM2", { group, OSSL_PARAM_construct_BN("priv", n->data(), n->size()) },
               "from 1 to the order");
    refuse("SM2", { group, OSSL_PARAM_construct_BN("priv", wide.data(), wide.size()) },
           "more than 256 bits");
    Bytes one(32);
    one[0] = 1;
    refuse("SM2",
           { group, octet_param("pub", pub2),
             OSSL_PARAM_construct_BN("priv", one.data(), one.size()) },
           "does not belong");
    refuse("SM2", { group, OSSL_PARAM_construct_utf8_string("priv", (char *)"x", 0) },
           "natural number");
    PkeyCtx c = ours().pkey_ctx("SM2");
    ASSERT_EQ(EVP_PKEY_keygen_init(c.get()), 1);
    EXPECT_NE(EVP_PKEY_CTX_set_group_name(c.get(), "secp384r1"), 1);
    expect_error("EC for other curves");
    Pkey share = generate(ours(), "curveSM2");
    EXPECT_NE(EVP_PKEY_set1_encoded_public_key(share.get(), off.data(), off.size()), 1);
    expect_error("private half");
}

TEST(BadKey, Mldsa)
{
    Pkey k = generate(ours(), "ML-DSA-44"), other = generate(ours(), "ML-DSA-44");
    const Bytes seed = octets(k.get(), "seed"), priv = octets(k.get(), "priv"),
                pub = octets(k.get(), "pub");
    refuse("ML-DSA-65", { octet_param("pub", pub) },
           "\"pub\" of ML-DSA-65 has 1952 bytes, not 1312");
    refuse("ML-DSA-44", { octet_param("seed", Bytes(31)) }, "32 bytes, not 31");
    refuse("ML-DSA-44", { octet_param("priv", Bytes(10)) }, "2560 bytes, not 10");
    refuse("ML-DSA-44",
           { octet_param("seed", octets(other.get(), "seed")), octet_param("priv", priv) },
           "belong together");
    refuse("ML-DSA-44",
           { octet_param("priv", priv), octet_param("pub", octets(other.get(), "pub")) },
           "belong together");
    Bytes bent = priv;
    bent[2000] ^= 1;
    refuse("ML-DSA-44", { octet_param("priv", bent) }, "belong together");
    refuse("ML-DSA-44", { OSSL_PARAM_construct_utf8_string("pub", (char *)"x", 0) },
           "not an octet string");
    Params p = with_end({ octet_param("seed", Bytes(5)) });
    EXPECT_FALSE(generate(ours(), "ML-DSA-44", p.data()));
    expect_error("32 bytes, not 5");
}

TEST(BadSignature, Parameters)
{
    Pkey sm2 = generate(ours(), "SM2"), mldsa = generate(ours(), "ML-DSA-44");
    int two = 2;
    const Bytes too_long(8192, 'x'), context(256);
    struct {
        EVP_PKEY *k;
        const char *md;
        OSSL_PARAM p;
        const char *words;
    } cases[] = {
        { sm2.get(), "SM3", octet_param("distid", too_long), "at most 8191" },
        { sm2.get(), "SM3", OSSL_PARAM_construct_utf8_string("digest", (char *)"SHA256", 0),
          "SM3, not with \"SHA256\"" },
        { sm2.get(), "SM3", OSSL_PARAM_construct_octet_string("tls-version", (void *)"abcd", 4),
          "not an integer" },
        { mldsa.get(), nullptr, octet_param("context-string", context), "at most 255" },
        { mldsa.get(), nullptr, OSSL_PARAM_construct_int("deterministic", &two), "0 to 1" },
        { mldsa.get(), nullptr, octet_param("test-entropy", Bytes(31)), "32 bytes, not 31" },
    };
    for (auto &c : cases) {
        EXPECT_TRUE(sign(ours(), c.k, c.md, bytes("m"), { c.p }).empty()) << c.words;
        expect_error(c.words);
        EXPECT_EQ(verify(ours(), c.k, c.md, bytes("m"), bytes("s"), { c.p }), -1) << c.words;
        expect_error(c.words);
    }
    MdCtx c(EVP_MD_CTX_new());
    EXPECT_NE(EVP_DigestSignInit_ex(c.get(), nullptr, "SHA256", ours().lib, "provider=tongyu",
                                    sm2.get(), nullptr),
              1);
    expect_error("not with \"SHA256\"");
    MdCtx e(EVP_MD_CTX_new());
    EXPECT_NE(EVP_DigestSignInit_ex(e.get(), nullptr, "SHA256", ours().lib, "provider=tongyu",
                                    mldsa.get(), nullptr),
              1);
    expect_error("leave the digest");
    int one = 1;
    EXPECT_TRUE(
        sign(ours(), mldsa.get(), nullptr, Bytes(63), { OSSL_PARAM_construct_int("mu", &one) })
            .empty());
    expect_error("64 bytes, not 63");
}

TEST(BadSignature, LengthsAndHalves)
{
    Pkey sm2 = generate(ours(), "SM2"), pub = moved(ours(), "SM2", sm2.get(), EVP_PKEY_PUBLIC_KEY);
    PkeyCtx c = ours().pkey_ctx(sm2.get());
    uint8_t out[80];
    size_t n = sizeof out;
    memset(out, 0xaa, sizeof out);
    ASSERT_EQ(EVP_PKEY_sign_init(c.get()), 1);
    EXPECT_NE(EVP_PKEY_sign(c.get(), out, &n, (const uint8_t *)"short", 5), 1);
    expect_error("32 bytes, not 5");
    n = 10;
    EXPECT_NE(EVP_PKEY_sign(c.get(), out, &n, Bytes(32).data(), 32), 1);
    expect_error("room for 10");
    for (uint8_t b : out) EXPECT_EQ(b, 0xaa);
    PkeyCtx p = ours().pkey_ctx(pub.get());
    EXPECT_NE(EVP_PKEY_sign_init(p.get()), 1);
    expect_error("needs a private key");
    // Signatures that are not in the canonical encoding do not verify; that is a result, without an
    // error of the provider.
    const Bytes msg = bytes("m"), s = sign(ours(), sm2.get(), "SM3", msg);
    for (size_t cut = 0; cut < s.size(); cut++)
        EXPECT_EQ(verify(ours(), sm2.get(), "SM3", msg, Bytes(s.begin(), s.begin() + (long)cut)),
                  0);
    Bytes longer = s;
    longer.push_back(0);
    EXPECT_EQ(verify(ours(), sm2.get(), "SM3", msg, longer), 0);
    ERR_clear_error();
}

TEST(BadCiphertext, Sm2)
{
    Pkey k = generate(ours(), "SM2");
    const Bytes msg(40, 'm');
    PkeyCtx e = ours().pkey_ctx(k.get()), d = ours().pkey_ctx(k.get());
    Bytes ct(300), out(300, 0xaa);
    size_t n = ct.size();
    ASSERT_EQ(EVP_PKEY_encrypt_init(e.get()), 1);
    ASSERT_EQ(EVP_PKEY_encrypt(e.get(), ct.data(), &n, msg.data(), msg.size()), 1);
    ct.resize(n);
    ASSERT_EQ(EVP_PKEY_decrypt_init(d.get()), 1);
    for (size_t i = 0; i < n; i++) {
        Bytes wrong = ct;
        wrong[i] ^= 1;
        size_t len = out.size();
        EXPECT_NE(EVP_PKEY_decrypt(d.get(), out.data(), &len, wrong.data(), n), 1) << i;
        expect_error("ciphertext");
        len = out.size();
        EXPECT_NE(EVP_PKEY_decrypt(d.get(), out.data(), &len, ct.data(), i), 1) << i;
        expect_error("ciphertext");
        for (size_t b = 0; b < msg.size(); b++) EXPECT_TRUE(out[b] == 0xaa || out[b] == 0);
        std::fill(out.begin(), out.end(), (uint8_t)0xaa);
    }
    n = 50;
    EXPECT_NE(EVP_PKEY_encrypt(e.get(), out.data(), &n, msg.data(), msg.size()), 1);
    expect_error("there is room for 50");
    size_t len = 300;
    EXPECT_NE(EVP_PKEY_encrypt(e.get(), out.data(), &len, msg.data(), 0), 1) << "an empty message";
    expect_error("encryption");
}

TEST(BadExchange, Peers)
{
    Pkey a = generate(ours(), "curveSM2");
    PkeyCtx c = ours().pkey_ctx(a.get());
    ASSERT_EQ(EVP_PKEY_derive_init(c.get()), 1);
    size_t n = 32;
    uint8_t out[32];
    EXPECT_NE(EVP_PKEY_derive(c.get(), out, &n), 1);
    expect_error("the peer's first");
    PkeyCtx g = ours().pkey_ctx("curveSM2");
    EVP_PKEY *half = nullptr;
    ASSERT_EQ(EVP_PKEY_paramgen_init(g.get()), 1);
    ASSERT_EQ(EVP_PKEY_paramgen(g.get(), &half), 1);
    const Pkey without(half);
    EXPECT_NE(EVP_PKEY_derive_set_peer_ex(c.get(), half, 0), 1);
    expect_error("public key is missing");
    EXPECT_NE(EVP_PKEY_derive(c.get(), out, &n), 1) << "a peer that was refused is not set";
    expect_error("the peer's first");
    ASSERT_EQ(EVP_PKEY_derive_set_peer(c.get(), a.get()), 1);
    n = 31;
    EXPECT_NE(EVP_PKEY_derive(c.get(), out, &n), 1);
    expect_error("room for 31");
}

// --- Files --------------------------------------------------------------------------------------

static EVP_PKEY *read(const Bytes &der)
{
    EVP_PKEY *k = nullptr;
    Bio in(BIO_new_mem_buf(der.data(), (int)der.size()));
    OSSL_DECODER_CTX *d = OSSL_DECODER_CTX_new_for_pkey(&k, "DER", nullptr, "ML-DSA-44", 0,
                                                        ours().lib, "provider=tongyu");
    if (OSSL_DECODER_from_bio(d, in.get()) != 1) {
        EXPECT_EQ(k, nullptr);
    }
    OSSL_DECODER_CTX_free(d);
    return k;
}

TEST(BadFile, CutAndNotCanonical)
{
    Pkey a = generate(ours(), "ML-DSA-44");
    for (bool private_key : { true, false }) {
        Bio bio(BIO_new(BIO_s_mem()));
        OSSL_ENCODER_CTX *e = OSSL_ENCODER_CTX_new_for_pkey(
            a.get(), private_key ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, "DER",
            private_key ? "PrivateKeyInfo" : "SubjectPublicKeyInfo", nullptr);
        ASSERT_EQ(OSSL_ENCODER_to_bio(e, bio.get()), 1);
        OSSL_ENCODER_CTX_free(e);
        char *data;
        const size_t n = (size_t)BIO_get_mem_data(bio.get(), &data);
        const Bytes der(data, data + n);
        EVP_PKEY *k = read(der);
        EXPECT_TRUE(k) << "as it was written";
        EVP_PKEY_free(k);
        for (size_t cut : { size_t(0), size_t(1), size_t(3), size_t(10), size_t(30), n / 2, n - 1 })
            EXPECT_EQ(read(Bytes(der.begin(), der.begin() + (long)cut)), nullptr) << cut;
        ERR_clear_error();
        for (size_t i = 0; i < 3;
             i++) {    // bytes after ML-DSA's OID: from there on, errors are reported
            Bytes wrong = der;
            wrong[(private_key ? 20u : 17u) + (i == 2 && !private_key ? 4u : i)] ^=
                0x40;    // tag, length; if public, the number of unused bits
            EXPECT_EQ(read(wrong), nullptr) << i;
        }
        std::string all;
        const char *data_of;
        int flags;
        while (ERR_get_error_all(nullptr, nullptr, nullptr, &data_of, &flags)) all += data_of;
        EXPECT_NE(all.find("tongyu: a key of ML-DSA in DER"), std::string::npos) << all;
    }
}

// Before 3.5 the encoder is ours: with a cipher that it does not have it fails, and never writes
// the key unencrypted.
TEST(BadFile, UnknownCipherWritesNothing)
{
    Pkey a = generate(ours(), "ML-DSA-44");
    Bio bio(BIO_new(BIO_s_mem()));
    OSSL_ENCODER_CTX *e =
        OSSL_ENCODER_CTX_new_for_pkey(a.get(), EVP_PKEY_KEYPAIR, "PEM", "PrivateKeyInfo", nullptr);
    ASSERT_EQ(OSSL_ENCODER_CTX_set_cipher(e, "AES-128-CBC", nullptr), 1);
    ASSERT_EQ(OSSL_ENCODER_CTX_set_passphrase(e, (const uint8_t *)"secret", 6), 1);
    const int ok = OSSL_ENCODER_to_bio(e, bio.get());
    OSSL_ENCODER_CTX_free(e);
    char *data;
    const size_t n = (size_t)BIO_get_mem_data(bio.get(), &data);
    const std::string text(n ? data : "", n);
    EXPECT_EQ(text.find("BEGIN PRIVATE KEY"), std::string::npos);
    if (openssl_version() < 0x305) {
        EXPECT_NE(ok, 1);
        EXPECT_EQ(text, "");
        expect_error("openssl pkcs8 -topk8 -v2 AES-128-CBC");
    } else {
        EXPECT_EQ(ok, 1);
        EXPECT_NE(text.find("BEGIN ENCRYPTED PRIVATE KEY"), std::string::npos);
    }
    ERR_clear_error();
}

// The structure alone says that the key is to be encrypted: without a cipher this fails, as with
// OpenSSL's own encoders, and never writes the key unencrypted.
TEST(BadFile, EncryptedWithoutACipherWritesNothing)
{
    Pkey a = generate(ours(), "ML-DSA-44");
    for (const char *type : { "PEM", "DER" }) {
        Bio bio(BIO_new(BIO_s_mem()));
        OSSL_ENCODER_CTX *e = OSSL_ENCODER_CTX_new_for_pkey(a.get(), EVP_PKEY_KEYPAIR, type,
                                                            "EncryptedPrivateKeyInfo", nullptr);
        ASSERT_EQ(OSSL_ENCODER_CTX_set_passphrase(e, (const uint8_t *)"secret", 6), 1);
        EXPECT_NE(OSSL_ENCODER_to_bio(e, bio.get()), 1) << type;
        OSSL_ENCODER_CTX_free(e);
        char *data;
        EXPECT_EQ(BIO_get_mem_data(bio.get(), &data), 0) << type;
        if (openssl_version() < 0x305) expect_error("needs a cipher");
        ERR_clear_error();
    }
}
