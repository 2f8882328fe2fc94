// Published and shared vectors through EVP, by each provider that has the algorithm: SM3, SM4, SM2
// and NIST's ACVP for ML-DSA. The vectors are optional; the standards' own examples are in the
// other tests.
#include "provider/ciphers.hpp"
#include "provider/keys.hpp"
#include "tongyu/key.h"
#include "support/vectors.hpp"

static std::vector<const Side *> sides() { return { &ours(), &theirs() }; }

TEST(Vectors, Sm3)
{
    const auto file = load_vectors("sm3.json");
    if (!file) GTEST_SKIP() << "no vectors here";
    size_t n = 0;
    for (const char *list : { "published", "differential" })
        for (const Json &v : file->at(list)) {
            if (v.at("alg") != "SM3") continue;
            const Bytes msg = field(v, "msg");
            for (const Side *s : sides()) {
                uint8_t out[32];
                size_t len = 0;
                ASSERT_EQ(
                    EVP_Q_digest(s->lib, "SM3", s->properties, msg.data(), msg.size(), out, &len),
                    1);
                EXPECT_EQ(hex(out, len), v.at("md").text());
            }
            n++;
        }
    EXPECT_GT(n, 10u);
}

TEST(Vectors, Sm4)
{
    const auto file = load_vectors("sm4.json");
    if (!file) GTEST_SKIP() << "no vectors here";
    size_t n = 0;
    for (const char *list : { "published", "differential" })
        for (const Json &v : file->at(list)) {
            const std::string alg = v.at("alg").text();
            if (alg != "SM4-ECB" && alg != "SM4-CBC" && alg != "SM4-CTR" && alg != "SM4-CFB"
                && alg != "SM4-OFB")
                continue;
            if (!v.contains("pt") || !v.contains("ct")) continue;
            const Bytes key = field(v, "key"), iv = field(v, "iv"), pt = field(v, "pt"),
                        ct = field(v, "ct");
            if (pt.size() != ct.size()) continue;
            for (const Side *s : sides())
                for (int encrypt : { 1, 0 }) {
                    Cipher cipher = s->cipher(alg.c_str());
                    CipherCtx c(EVP_CIPHER_CTX_new());
                    ASSERT_EQ(EVP_CipherInit_ex2(c.get(), cipher.get(), key.data(),
                                                 iv.empty() ? nullptr : iv.data(), encrypt,
                                                 nullptr),
                              1);
                    EVP_CIPHER_CTX_set_padding(c.get(), 0);
                    Bytes out(pt.size() + 16);
                    int len = 0;
                    const Bytes &in = encrypt ? pt : ct;
                    ASSERT_EQ(
                        EVP_CipherUpdate(c.get(), out.data(), &len, in.data(), (int)in.size()), 1);
                    EXPECT_EQ(hex(out.data(), (size_t)len), hex(encrypt ? ct : pt)) << alg;
                }
            n++;
        }
    EXPECT_GT(n, 10u);
}

// Vectors of GCM and CCM are accepted; with one bit of the tag altered they are refused.
TEST(Vectors, Sm4Authenticated)
{
    const auto file = load_vectors("sm4.json");
    if (!file) GTEST_SKIP() << "no vectors here";
    size_t n = 0;
    for (const char *list : { "published", "differential" })
        for (const Json &v : file->at(list)) {
            const std::string alg = v.at("alg").text();
            if (alg != "SM4-GCM" && alg != "SM4-CCM") continue;
            const Bytes key = field(v, "key"), iv = field(v, "iv"), aad = field(v, "aad"),
                        pt = field(v, "pt"), ct = field(v, "ct"), tag = field(v, "tag");
            const bool ccm = alg == "SM4-CCM";
            if (!ccm && tag.size() < 12) continue;
            for (const Side *s : sides()) {
                if (!s->cipher(alg.c_str()) || (ccm && pt.empty() && s == &theirs())) continue;
                for (bool right : { true, false }) {
                    Bytes given = tag, out(ct.size() + 16);
                    given[n % given.size()] ^= !right;
                    CipherCtx c = aead(*s, alg.c_str(), 0, key, iv, given.size(), &given);
                    int len = 0, ok = 1;
                    if (ccm) EVP_CipherUpdate(c.get(), nullptr, &len, nullptr, (int)ct.size());
                    if (!aad.empty())
                        EVP_CipherUpdate(c.get(), nullptr, &len, aad.data(), (int)aad.size());
                    if (!ct.empty() || ccm)
                        ok = EVP_CipherUpdate(c.get(), out.data(), &len, ct.data(), (int)ct.size());
                    if (!ccm) ok = EVP_CipherFinal_ex(c.get(), out.data() + ct.size(), &len);
                    EXPECT_EQ(ok == 1, right) << alg << " " << n;
                    out.resize(ct.size());
                    if (right) {
                        EXPECT_EQ(hex(out), hex(pt)) << alg;
                    }
                }
            }
            n++;
        }
    ERR_clear_error();
    EXPECT_GT(n, 50u);
}

static Pkey sm2_key(const Side &side, const Json &v)
{
    const Bytes pub = field(v, v.contains("pub") ? "pub" : "peer");
    Bytes d = v.contains("pub") ? field(v, "d") : Bytes();
    std::reverse(d.begin(), d.end()); // OSSL_PARAM's numbers are in native order
    Params p = { OSSL_PARAM_construct_utf8_string("group", (char *)"SM2", 0),
                 octet_param("pub", pub) };
    if (!d.empty()) p.push_back(OSSL_PARAM_construct_BN("priv", d.data(), d.size()));
    p = with_end(p);
    return from_params(side, "SM2", d.empty() ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR, p.data());
}

TEST(Vectors, Sm2Signatures)
{
    const auto file = load_vectors("sm2.json");
    if (!file) GTEST_SKIP() << "no vectors here";
    size_t n = 0;
    for (const char *list : { "published", "differential" })
        for (const Json &v : file->at(list)) {
            if (v.at("alg") != "SM2-SIGN") continue;
            const Bytes msg = field(v, "msg"), der = field(v, "der"), id = field(v, "id");
            for (const Side *s : sides()) {
                Pkey k = sm2_key(*s, v);
                ASSERT_TRUE(k);
                for (size_t bit : { size_t(0), 8 * der.size() - 1, 8 * (4 + n) }) {
                    Bytes sig = der;
                    if (bit) sig[bit / 8] ^= (uint8_t)(1 << bit % 8);
                    EXPECT_EQ(verify(*s, k.get(), "SM3", msg, sig, { octet_param("distid", id) })
                                  == 1,
                              bit == 0)
                        << n << " " << bit;
                }
            }
            n++;
        }
    ERR_clear_error();
    EXPECT_GT(n, 20u);
}

TEST(Vectors, Sm2Ciphertexts)
{
    const auto file = load_vectors("sm2.json");
    if (!file) GTEST_SKIP() << "no vectors here";
    size_t n = 0;
    for (const char *list : { "published", "differential" })
        for (const Json &v : file->at(list)) {
            if (v.at("alg") != "SM2-ENC") continue;
            Bytes raw = field(v, "c1"), ct(1 << 17);
            for (const char *part : { "c3", "c2" }) {
                const Bytes more = field(v, part);
                raw.insert(raw.end(), more.begin(), more.end());
            }
            size_t len = ct.size();
            ASSERT_EQ(ty_sm2_ct_to_der(ct.data(), &len, raw.data(), raw.size()), TY_OK);
            for (const Side *s : sides()) {
                Pkey k = sm2_key(*s, v);
                PkeyCtx c = s->pkey_ctx(k.get());
                for (bool right : { true, false }) {
                    Bytes in(ct.begin(), ct.begin() + (long)len), out(len);
                    in.back() ^= !right;
                    size_t got = out.size();
                    ASSERT_EQ(EVP_PKEY_decrypt_init(c.get()), 1);
                    EXPECT_EQ(EVP_PKEY_decrypt(c.get(), out.data(), &got, in.data(), len) == 1,
                              right);
                    out.resize(got);
                    if (right) {
                        EXPECT_EQ(hex(out), hex(field(v, "msg")));
                    }
                }
            }
            n++;
        }
    ERR_clear_error();
    EXPECT_GT(n, 10u);
}

// The private and public keys generated from a seed are those that NIST lists.
TEST(Vectors, MldsaAcvpKeys)
{
    const auto file = load_vectors("mldsa/ML-DSA-keyGen-FIPS204.json.gz");
    if (!file) GTEST_SKIP() << "no vectors here";
    size_t n = 0;
    for (const Json &group : file->at("testGroups"))
        for (const Json &t : group.at("tests")) {
            const std::string name = group.at("parameterSet").text();
            const Bytes seed = field(t, "seed");
            for (const Side *s : sides()) {
                Params p = with_end({ octet_param("seed", seed) });
                Pkey k = generate(*s, name.c_str(), p.data());
                if (!k && s == &theirs()) continue; // before 3.5
                ASSERT_TRUE(k) << name;
                EXPECT_EQ(octets(k.get(), "pub"), field(t, "pk")) << t.at("tcId");
                EXPECT_EQ(octets(k.get(), "priv"), field(t, "sk")) << t.at("tcId");
            }
            n++;
        }
    ERR_clear_error();
    EXPECT_GE(n, 75u);
}

// Signatures byte for byte: deterministic, and hedged with NIST's random bytes.
TEST(Vectors, MldsaAcvpSignatures)
{
    size_t n = 0;
    for (const char *of : { "ML-DSA-sigGen-FIPS204", "ML-DSA-sigGen-FIPS204-tr1" }) {
        const auto file = load_vectors("mldsa/" + std::string(of) + ".json.gz");
        if (!file) GTEST_SKIP() << "no vectors here";
        for (const Json &group : file->at("testGroups")) {
            if (group.value("preHash", "pure") == "preHash") continue;
            const bool external = group.value("signatureInterface", "") == "external",
                       mu = group.flag("externalMu");
            const std::string name = group.at("parameterSet").text();
            for (const Json &t : group.at("tests")) {
                int one = 1, zero = 0;
                const bool by_seed = t.contains("seed"), hedged = t.contains("rnd");
                const Bytes key = field(t, by_seed ? "seed" : "sk"),
                            msg = field(t, mu ? "mu" : "message"),
                            context = external && !mu ? field(t, "context") : Bytes(),
                            rnd = hedged ? field(t, "rnd") : Bytes();
                Params p;
                if (hedged) p.push_back(octet_param("test-entropy", rnd));
                else p.push_back(OSSL_PARAM_construct_int("deterministic", &one));
                if (mu) p.push_back(OSSL_PARAM_construct_int("mu", &one));
                else if (!external)
                    p.push_back(OSSL_PARAM_construct_int("message-encoding", &zero));
                else if (!context.empty()) p.push_back(octet_param("context-string", context));
                for (const Side *s : sides()) {
                    Params data = with_end({ octet_param(by_seed ? "seed" : "priv", key) });
                    Pkey k = from_params(*s, name.c_str(), EVP_PKEY_KEYPAIR, data.data());
                    if (!k && s == &theirs()) continue;
                    ASSERT_TRUE(k) << name << " " << t.at("tcId");
                    EXPECT_EQ(hex(sign(*s, k.get(), nullptr, msg, p)), hex(field(t, "signature")))
                        << of << " " << t.at("tcId");
                }
                n++;
            }
        }
    }
    ERR_clear_error();
    EXPECT_GT(n, 300u);
}

TEST(Vectors, MldsaAcvp)
{
    const auto file = load_vectors("mldsa/ML-DSA-sigVer-FIPS204.json.gz");
    if (!file) GTEST_SKIP() << "no vectors here";
    size_t right = 0, wrong = 0;
    for (const Json &group : file->at("testGroups")) {
        const bool external = group.value("signatureInterface", "") == "external";
        if (group.value("preHash", "pure") == "preHash") continue;
        const std::string name = group.at("parameterSet").text();
        for (const Json &t : group.at("tests")) {
            const bool mu = group.flag("externalMu");
            int one = 1, zero = 0;
            const Bytes pk = field(t.contains("pk") ? t : group, "pk"), sig = field(t, "signature"),
                        msg = field(t, mu ? "mu" : "message");
            const Bytes context = external ? field(t, "context") : Bytes();
            Params p;
            if (mu) p.push_back(OSSL_PARAM_construct_int("mu", &one));
            else if (!external) p.push_back(OSSL_PARAM_construct_int("message-encoding", &zero));
            else if (!context.empty()) p.push_back(octet_param("context-string", context));
            for (const Side *s : sides()) {
                Params pub = with_end({ octet_param("pub", pk) });
                Pkey k = from_params(*s, name.c_str(), EVP_PKEY_PUBLIC_KEY, pub.data());
                ERR_clear_error();
                if (!k && s == &theirs()) continue; // before 3.5
                ASSERT_TRUE(k) << name;
                EXPECT_EQ(verify(*s, k.get(), nullptr, msg, sig, p) == 1,
                          t.at("testPassed").truth())
                    << name << " " << t.at("tcId");
                ERR_clear_error();
            }
            (t.at("testPassed").truth() ? right : wrong)++;
        }
    }
    EXPECT_GT(right, 10u);
    EXPECT_GT(wrong, 10u);
}
