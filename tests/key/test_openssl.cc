// Exchange of files with the openssl command, where it is installed: its files are read here, and
// ours by it.
#if defined(TY_TEST_DLOPEN)
#include "key/libcrypto.hpp"
#endif
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "support/tempdir.hpp"
#include "tongyu/tongyu.h"
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <iostream>

static bool run(const std::string &command)
{
    return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

static bool have_openssl(const TempDir &d)
{
    if (run("openssl genpkey -algorithm SM2 -out " + d("probe"))) return true;
    std::cout << "[ OPENSSL  ] no openssl command with SM2: only the fixtures are tested\n";
    return false;
}

static ty_err read(ty_key *k, const std::string &s)
{
    return ty_key_read(k, s.data(), s.size(), "secret", 6);
}

static std::string write(const ty_key &k, ty_key_form form, ty_key_coding coding,
                         const ty_rng *rng = nullptr)
{
    std::string out(TY_KEY_ENCODED_MAX, '\0');
    size_t n = out.size();
    EXPECT_EQ(ty_key_write(&out[0], &n, &k, form, coding, rng ? "secret" : nullptr, 6, 1000, rng),
              TY_OK);
    out.resize(n);
    return out;
}

TEST(Openssl, ItsKeysAreReadHere)
{
    TempDir d;
    if (!have_openssl(d)) return;
    for (int i = 0; i < 3; i++) {
        ASSERT_TRUE(run("openssl genpkey -algorithm SM2 -out " + d("key")));
        ty_key first, k;
        ASSERT_EQ(read(&first, d.read("key")), TY_OK);
        for (const char *c :
             { "pkcs8 -topk8 -nocrypt -outform DER", "ec", "ec -outform DER",
               "ec -conv_form compressed -outform DER", "ec -no_public -outform DER", "pkey -text",
               "pkey -pubout", "pkey -pubout -outform DER", "ec -pubout -conv_form compressed" }) {
            ASSERT_TRUE(
                run(std::string("openssl ") + c + " -in " + d("key") + " -out " + d("other")))
                << c;
            ASSERT_EQ(read(&k, d.read("other")), TY_OK) << c;
            EXPECT_EQ(std::memcmp(&k.pub, &first.pub, sizeof k.pub), 0) << c;
            EXPECT_EQ(k.private_key, std::strstr(c, "pubout") ? 0 : 1);
        }
    }
}

TEST(Openssl, OurKeysAreReadThere)
{
    TempDir d;
    if (!have_openssl(d)) return;
    TestRng r(77);
    const ty_rng rng = r.ty();
    for (int i = 0; i < 3; i++) {
        ty_key k{};
        ASSERT_EQ(ty_sm2_keygen(&k.sm2, &rng), TY_OK);
        k.private_key = 1;
        k.pub = k.sm2.pub;
        for (ty_key_form form : {TY_KEY_PKCS8, TY_KEY_SEC1, TY_KEY_SPKI})
            for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
                d.write("ours", write(k, form, coding));
                const std::string in = "openssl pkey -in " + d("ours") +
                                       (coding == TY_KEY_DER ? " -inform DER" : "") +
                                       (form == TY_KEY_SPKI ? " -pubin" : "");
                ASSERT_TRUE(run(in + " -pubout -out " + d("pub"))) << form << coding;
                EXPECT_EQ(d.read("pub"), write(k, TY_KEY_SPKI, TY_KEY_PEM));
            }
        EXPECT_TRUE(run("openssl pkey -in " + d("ours") + " -inform DER -pubin -pubcheck"));
    }
}

TEST(Openssl, EncryptedKeysBothWays)
{
    TempDir d;
    if (!have_openssl(d)) return;
    TestRng r(79);
    const ty_rng rng = r.ty();
    for (int i = 0; i < 3; i++) {
        ASSERT_TRUE(run("openssl genpkey -algorithm SM2 -out " + d("key")));
        ty_key first, k;
        ASSERT_EQ(read(&first, d.read("key")), TY_OK);
        for (const char *coding : {"PEM", "DER"}) {
            ASSERT_TRUE(run("openssl pkcs8 -topk8 -v2 sm4-cbc -v2prf hmacWithSHA256 -passout "
                            "pass:secret -outform " +
                            std::string(coding) + " -in " + d("key") + " -out " + d("theirs")));
            ASSERT_EQ(read(&k, d.read("theirs")), TY_OK) << coding;
            EXPECT_EQ(k.form, TY_KEY_PKCS8_PBES2_SHA256);
            EXPECT_EQ(std::memcmp(&k.sm2, &first.sm2, sizeof k.sm2), 0);

            const ty_key_coding how = coding[0] == 'P' ? TY_KEY_PEM : TY_KEY_DER;
            d.write("ours", write(first, TY_KEY_PKCS8_PBES2_SHA256, how, &rng));
            const std::string in =
                "openssl pkey -inform " + std::string(coding) + " -in " + d("ours");
            ASSERT_TRUE(run(in + " -passin pass:secret -out " + d("plain"))) << coding;
            EXPECT_EQ(d.read("plain"), write(first, TY_KEY_PKCS8, TY_KEY_PEM));
            EXPECT_FALSE(run(in + " -passin pass:Secret -out " + d("plain")));
            d.write("ours", write(first, TY_KEY_PKCS8_PBES2_AES256, how, &rng));
            ASSERT_TRUE(run(in + " -passin pass:secret -out " + d("plain"))) << coding;
            EXPECT_EQ(d.read("plain"), write(first, TY_KEY_PKCS8, TY_KEY_PEM));
        }
    }
}

// Keys that openssl encrypted with each cipher that is read here and each HMAC of SHA-1 and SHA-2,
// and with its defaults.
TEST(Openssl, ItsEncryptedKeysAreReadHere)
{
    TempDir d;
    if (!have_openssl(d)) return;
    ASSERT_TRUE(run("openssl genpkey -algorithm SM2 -out " + d("key")));
    ty_key first, k;
    ASSERT_EQ(read(&first, d.read("key")), TY_OK);
    std::vector<uint64_t> memory(16384 * 8 * 128 / 8 + 1024);
    const ty_key_limits limits = {1 << 20, memory.data(), memory.size() * 8};
    const auto expect = [&](const std::string &command, const char *cipher, const char *kdf) {
        SCOPED_TRACE(command);
        ASSERT_TRUE(run("openssl " + command + " -passout pass:secret -in " + d("key") + " -out " +
                        d("theirs")));
        const std::string s = d.read("theirs");
        ty_key_cost cost;
        ASSERT_EQ(ty_key_read_limited(&k, s.data(), s.size(), "secret", 6, &limits), TY_OK);
        EXPECT_EQ(std::memcmp(&k.sm2, &first.sm2, sizeof k.sm2), 0);
        EXPECT_EQ(ty_key_read_limited(&k, s.data(), s.size(), "secreT", 6, &limits), TY_ERR_VERIFY);
        ASSERT_EQ(ty_key_cost_get(&cost, s.data(), s.size()), TY_OK);
        EXPECT_STREQ(cost.cipher, cipher);
        EXPECT_STREQ(cost.kdf, kdf);
    };
    const struct { const char *name, *title;
    } ciphers[] = { { "sm4-cbc", "SM4-CBC" },
                    { "aes-128-cbc", "AES-128-CBC" },
                    { "aes-192-cbc", "AES-192-CBC" },
                    { "aes-256-cbc", "AES-256-CBC" } };
    const struct { const char *name, *title;
    } prfs[] = { { "hmacWithSHA1", "PBKDF2-HMAC-SHA-1" },
                 { "hmacWithSHA224", "PBKDF2-HMAC-SHA-224" },
                 { "hmacWithSHA256", "PBKDF2-HMAC-SHA-256" },
                 { "hmacWithSHA384", "PBKDF2-HMAC-SHA-384" },
                 { "hmacWithSHA512", "PBKDF2-HMAC-SHA-512" },
                 { "hmacWithSHA512-224", "PBKDF2-HMAC-SHA-512/224" },
                 { "hmacWithSHA512-256", "PBKDF2-HMAC-SHA-512/256" } };
    for (const auto &c : ciphers) {
        for (const auto &p : prfs)
            expect(std::string("pkcs8 -topk8 -iter 3 -v2 ") + c.name + " -v2prf " + p.name, c.title,
                   p.title);
        expect(std::string("pkcs8 -topk8 -scrypt_N 16 -scrypt_r 8 -scrypt_p 1 -v2 ") + c.name,
               c.title, "scrypt");
        expect(std::string("ec -") + c.name, c.title, "MD5, once");
    }
    expect("pkcs8 -topk8", "AES-256-CBC", "PBKDF2-HMAC-SHA-256");
    expect("pkcs8 -topk8 -scrypt", "AES-256-CBC", "scrypt");
    expect("pkcs8 -topk8 -outform DER", "AES-256-CBC", "PBKDF2-HMAC-SHA-256");
}

TEST(Openssl, SignaturesAndCiphertextsBothWays)
{
    TempDir d;
    if (!have_openssl(d)) return;
    TestRng r(78);
    const ty_rng rng = r.ty();
    ty_key k{};
    ASSERT_EQ(ty_sm2_keygen(&k.sm2, &rng), TY_OK);
    k.private_key = 1;
    k.pub = k.sm2.pub;
    d.write("key", write(k, TY_KEY_PKCS8, TY_KEY_PEM));
    d.write("pub", write(k, TY_KEY_SPKI, TY_KEY_PEM));
    const std::string msg = "a message of some length";
    const auto *m = (const uint8_t *)msg.data(), *id = (const uint8_t *)TY_SM2_ID;
    d.write("msg", msg);
    for (int i = 0; i < 4; i++) {   // r, s, x and y vary in their lengths in DER
        uint8_t sig[64], der[TY_SM2_SIG_DER_MAX];
        size_t n;
        ASSERT_EQ(ty_sm2_sign(sig, m, msg.size(), id, TY_SM2_ID_LEN, &k.sm2, &rng), TY_OK);
        ty_sm2_sig_to_der(der, &n, sig);
        d.write("sig", std::string((const char *)der, n));
        const std::string with = " -sm3 -sigopt distid:1234567812345678 ";
        EXPECT_TRUE(run("openssl dgst -verify " + d("pub") + with + "-signature " + d("sig") + " " +
                        d("msg")));
        ASSERT_TRUE(
            run("openssl dgst -sign " + d("key") + with + "-out " + d("sig") + " " + d("msg")));
        const std::string s = d.read("sig");
        ASSERT_EQ(ty_sm2_sig_from_der(sig, (const uint8_t *)s.data(), s.size()), TY_OK);
        EXPECT_EQ(ty_sm2_verify(sig, m, msg.size(), id, TY_SM2_ID_LEN, &k.pub), TY_OK);

        Bytes c(msg.size() + TY_SM2_OVERHEAD), cd(300), plain(msg.size());
        n = cd.size();
        ASSERT_EQ(ty_sm2_encrypt(c.data(), m, msg.size(), TY_SM2_C1C3C2, &k.pub, &rng), TY_OK);
        ASSERT_EQ(ty_sm2_ct_to_der(cd.data(), &n, c.data(), c.size()), TY_OK);
        d.write("ct", std::string((const char *)cd.data(), n));
        ASSERT_TRUE(run("openssl pkeyutl -decrypt -inkey " + d("key") + " -in " + d("ct") +
                        " -out " + d("plain")));
        EXPECT_EQ(d.read("plain"), msg);
        ASSERT_TRUE(run("openssl pkeyutl -encrypt -pubin -inkey " + d("pub") + " -in " + d("msg") +
                        " -out " + d("ct")));
        const std::string ct = d.read("ct");
        n = c.size();
        ASSERT_EQ(ty_sm2_ct_from_der(c.data(), &n, (const uint8_t *)ct.data(), ct.size()), TY_OK);
        ASSERT_EQ(ty_sm2_decrypt(plain.data(), c.data(), n, TY_SM2_C1C3C2, &k.sm2), TY_OK);
        EXPECT_EQ(std::string(plain.begin(), plain.end()), msg);
    }
}

#if defined(TY_TEST_DLOPEN)
// --- ML-DSA with libcrypto, 3.5 or later ---------------------------------------------------------

namespace {

const struct { ty_mldsa_set set; const char *name; } mldsa_sets[] = {
    {TY_MLDSA_44, "ML-DSA-44"}, {TY_MLDSA_65, "ML-DSA-65"}, {TY_MLDSA_87, "ML-DSA-87"}};
const struct { ty_mldsa_content content; const char *name; } mldsa_contents[] = {
    {TY_MLDSA_SEED, "seed-only"}, {TY_MLDSA_EXPANDED, "priv-only"}, {TY_MLDSA_BOTH, "seed-priv"}};

Bytes spki(const ty_mldsa_pub &pub)
{
    Bytes out(TY_MLDSA_ENCODED_MAX);
    size_t n = out.size();
    EXPECT_EQ(ty_mldsa_pub_write(out.data(), &n, &pub, TY_KEY_DER), TY_OK);
    out.resize(n);
    return out;
}

Bytes pkcs8(const ty_mldsa_key &key, ty_mldsa_content content)
{
    Bytes out(TY_MLDSA_ENCODED_MAX);
    size_t n = out.size();
    EXPECT_EQ(ty_mldsa_key_write(out.data(), &n, &key, content, TY_KEY_PKCS8, TY_KEY_DER, nullptr,
                                 0, 0, nullptr),
              TY_OK);
    out.resize(n);
    return out;
}

// ours and theirs are the same key: each side verifies the signatures of the other
void both_sign(const ty_mldsa_key &ours, const Libcrypto::Object &theirs)
{
    const Libcrypto &lib = Libcrypto::get();
    TestRng r(81);
    const ty_rng rng = r.ty();
    for (size_t ctx_len : {0, 1, 255}) {
        const Bytes msg = r.bytes(1 + ctx_len), ctx = r.bytes(ctx_len),
                    other = r.bytes(ctx_len + 1);
        Bytes sig(ty_mldsa_sig_len(ours.pub.set));
        ASSERT_EQ(ty_mldsa_sign(sig.data(), sig.size(), msg.data(), msg.size(), ctx.data(),
                                ctx.size(), &ours, &rng),
                  TY_OK);
        EXPECT_TRUE(lib.verify(theirs, sig, msg, ctx)) << ctx_len;
        EXPECT_FALSE(lib.verify(theirs, sig, other, ctx));
        const Bytes again = lib.sign(theirs, msg, ctx, sig.size());
        const auto here = [&](const Bytes &m) {
            return ty_mldsa_verify(again.data(), again.size(), m.data(), m.size(), ctx.data(),
                                   ctx.size(), &ours.pub);
        };
        EXPECT_EQ(here(msg), TY_OK) << ctx_len;
        EXPECT_EQ(here(other), TY_ERR_VERIFY);
    }
}

}   // namespace

TEST(OpensslMldsa, KeysAndSignaturesOfEitherSide)
{
    const Libcrypto &lib = Libcrypto::get();
    if (!lib.there) return;
    TestRng r(80);
    const ty_rng rng = r.ty();
    std::unique_ptr<ty_mldsa_key> k(new ty_mldsa_key);
    ty_mldsa_file file;
    for (const auto &s : mldsa_sets)
        for (const auto &c : mldsa_contents) {
            SCOPED_TRACE(std::string(s.name) + " " + c.name);
            const Libcrypto::Object theirs = lib.keygen(s.name);
            ASSERT_NE(theirs, nullptr);
            ASSERT_TRUE(lib.write_as(c.name));
            const Bytes der = lib.write(theirs, true), pub = lib.write(theirs, false);
            ASSERT_EQ(ty_mldsa_key_read(k.get(), &file, der.data(), der.size(), nullptr, 0), TY_OK);
            EXPECT_EQ(file.content, c.content);
            EXPECT_EQ(pkcs8(*k, c.content), der);
            EXPECT_EQ(spki(k->pub), pub);
            both_sign(*k, theirs);

            ASSERT_EQ(ty_mldsa_keygen(k.get(), s.set, &rng), TY_OK);
            const Libcrypto::Object ours = lib.read(pkcs8(*k, c.content), true),
                                    ours_pub = lib.read(spki(k->pub), false);
            ASSERT_NE(ours, nullptr);
            ASSERT_NE(ours_pub, nullptr);
            EXPECT_EQ(lib.write(ours, false), spki(k->pub));
            EXPECT_EQ(lib.write(ours_pub, false), spki(k->pub));
            both_sign(*k, ours);
        }
}
#endif
