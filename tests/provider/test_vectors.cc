// Published and shared vectors through EVP, by each provider that has the algorithm: SM3, SM4, SM2
// and NIST's ACVP for ML-DSA. The vectors are optional; the standards' own examples are in the
// other tests.
#include "provider/keys.hpp"
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
                EXPECT_EQ(hex(out, len), v.at("md").get<std::string>());
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
            const std::string alg = v.at("alg");
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

TEST(Vectors, MldsaAcvp)
{
    const auto file = load_vectors("mldsa/ML-DSA-sigVer-FIPS204.json.gz");
    if (!file) GTEST_SKIP() << "no vectors here";
    size_t right = 0, wrong = 0;
    for (const Json &group : file->at("testGroups")) {
        const bool external = group.value("signatureInterface", "") == "external";
        if (group.value("preHash", "pure") == "preHash") continue;
        const std::string name = group.at("parameterSet");
        for (const Json &t : group.at("tests")) {
            const bool mu = group.value("externalMu", false);
            int one = 1, zero = 0;
            const Bytes pk = field(t.contains("pk") ? t : group, "pk"), sig = field(t, "signature"),
                        msg = field(t, mu ? "mu" : "message");
            const Bytes context = external ? field(t, "context") : Bytes();
            Params p;
            if (external) p.push_back(octet_param("context-string", context));
            else if (mu) p.push_back(OSSL_PARAM_construct_int("mu", &one));
            else p.push_back(OSSL_PARAM_construct_int("message-encoding", &zero));
            for (const Side *s : sides()) {
                Params pub = with_end({ octet_param("pub", pk) });
                Pkey k = from_params(*s, name.c_str(), EVP_PKEY_PUBLIC_KEY, pub.data());
                ERR_clear_error();
                if (!k && s == &theirs()) continue; // before 3.5
                ASSERT_TRUE(k) << name;
                EXPECT_EQ(verify(*s, k.get(), nullptr, msg, sig, p) == 1,
                          t.at("testPassed").get<bool>())
                    << name << " " << t.at("tcId");
                ERR_clear_error();
            }
            (t.at("testPassed").get<bool>() ? right : wrong)++;
        }
    }
    EXPECT_GT(right, 10u);
    EXPECT_GT(wrong, 10u);
}
