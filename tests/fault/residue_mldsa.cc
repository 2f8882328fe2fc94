// Secrets that ML-DSA leaves on the stack, for every set: the seeds, the streams of SHAKE256 that
// the secret vectors and the masks are sampled from, and these vectors. The seeds and streams are
// computed here from the seed of the key, by FIPS 204; the secret vectors are decoded from the key.
#include "fault/residue_search.hpp"
#include "support/rng.hpp"
#include "tongyu/keccak.h"
#include "tongyu/mldsa.h"
#include "tongyu/mldsa_key.h"
#include "tongyu/mldsa_many.h"
#include <memory>

namespace {

// attempts at a signature: one signature in 10^6 needs more
enum { ATTEMPTS = 64, RATE = TY_SHAKE256_BLOCK };

Bytes h(std::initializer_list<Bytes> parts, size_t len)
{
    Bytes all, out(len);
    for (const Bytes &p : parts) all.insert(all.end(), p.begin(), p.end());
    ty_shake256_hash(out.data(), len, all.data(), all.size());
    return out;
}
Bytes le16(size_t x) { return {(uint8_t)x, (uint8_t)(x >> 8)}; }
Bytes part(const Bytes &s, size_t from, size_t n)
{
    return Bytes(s.begin() + (long)from, s.begin() + (long)(from + n));
}

struct Set {
    ty_mldsa_set set;
    size_t k, l, eta, z_bits;
    Bytes seed, mu;
    std::unique_ptr<ty_mldsa_key> key{new ty_mldsa_key};
    std::unique_ptr<ty_mldsa_signer> ready{new ty_mldsa_signer};
    Bytes expanded;   // rho, rho', K

    Set(ty_mldsa_set set, size_t k, size_t l, size_t eta, size_t z_bits, TestRng &r)
        : set(set), k(k), l(l), eta(eta), z_bits(z_bits)
    {
        seed = r.bytes(32);
        mu = r.bytes(64);
        expanded = h({seed, {(uint8_t)k, (uint8_t)l}}, 128);
        EXPECT_EQ(ty_mldsa_key_from_seed(key.get(), seed.data(), set), TY_OK);
        EXPECT_EQ(std::memcmp(key->bytes, expanded.data(), 32), 0);
        EXPECT_EQ(ty_mldsa_signer_init(ready.get(), key.get()), TY_OK);
    }
    Bytes k_seed() const { return part(expanded, 96, 32); }

    // adds K, and s1 and s2 in three forms: encoded, as coefficients, and as a ty_mldsa_signer has
    // them
    void add_key(Secrets &s) const
    {
        const size_t bits = eta == 2 ? 3 : 4, len = 32 * bits * (k + l);
        const uint8_t *in = key->bytes + 128;
        s.add("K", k_seed()).add("s1 and s2, encoded", in, len);
        std::vector<int32_t> words(256 * (k + l));
        std::vector<int8_t> bytes(words.size());
        for (size_t i = 0; i < words.size(); i++) {
            const size_t at = bits * i;
            words[i] = (int32_t)eta -
                       (((in[at / 8] | (at / 8 + 1 < len ? in[at / 8 + 1] : 0) << 8) >> at % 8) &
                        ((1 << bits) - 1));
            bytes[i] = (int8_t)(i < 256 * l ? words[i] : -words[i]);
        }
        EXPECT_EQ(std::memcmp(bytes.data(), (const int8_t *)ready->polys[k * l] + 256, 256), 0);
        s.add("coefficients of s1 and s2", words.data(), 4 * words.size(), 64);
        s.add("bytes of s1 and -s2", bytes.data(), bytes.size(), 32);
    }
    // the seeds and the streams of key generation
    Secrets of_keygen() const
    {
        Secrets s;
        add_key(s);
        s.add("seed", seed).add("rho'", part(expanded, 32, 64));
        for (size_t i = 0; i < k + l; i++)   // two blocks, and two that are rarely needed
            s.add("stream of s " + std::to_string(i),
                  h({part(expanded, 32, 64), le16(i)}, 4 * RATE));
        return s;
    }
    // the seed and the streams of a signature with these random bytes, and the masks as
    // coefficients
    Secrets of_signing(const Bytes &rnd) const
    {
        Secrets s;
        add_key(s);
        const Bytes rho = h({k_seed(), rnd, mu}, 64);
        s.add("rho''", rho);
        for (size_t i = 0; i < ATTEMPTS * l; i++) {
            const Bytes stream = h({rho, le16(i)}, 5 * RATE);
            s.add("stream of mask " + std::to_string(i), stream);
            std::vector<int32_t> y(256);
            for (size_t j = 0; j < 256; j++) {
                const size_t at = z_bits * j;
                const uint32_t field =
                    (stream[at / 8] | stream[at / 8 + 1] << 8 | stream[at / 8 + 2] << 16) >> at % 8;
                y[j] = (1 << (z_bits - 1)) - (int32_t)(field & ((1u << z_bits) - 1));
            }
            s.add("mask " + std::to_string(i), y.data(), sizeof(int32_t) * y.size(), 16);
        }
        return s;
    }
};

struct ResidueMlDsa : testing::TestWithParam<int> {
    TestRng r{31};
    Set of = make();
    Set make()
    {
        switch (GetParam()) {
        case 44: return Set(TY_MLDSA_44, 4, 4, 2, 18, r);
        case 65: return Set(TY_MLDSA_65, 6, 5, 4, 20, r);
        default: return Set(TY_MLDSA_87, 8, 7, 2, 20, r);
        }
    }
    const size_t sig_len = ty_mldsa_sig_len(of.set);
    uint8_t sig[9][TY_MLDSA_SIG_MAX];
};

TEST_P(ResidueMlDsa, Keys)
{
    const Secrets secrets = of.of_keygen();
    const size_t len = ty_mldsa_key_len(of.set);
    const std::unique_ptr<ty_mldsa_key[]> again(new ty_mldsa_key[9]);
    const std::unique_ptr<ty_mldsa_signer> ready(new ty_mldsa_signer);
    std::vector<ty_mldsa_keygen_job> jobs;
    for (size_t i = 0; i < 9; i++) jobs.push_back({&again[i], of.set, of.seed.data(), TY_OK});
    at_every_level([&] {
        EXPECT_EQ(traces(
                      [&] {
                          MUST_GIVE(ty_mldsa_key_from_seed(&again[0], of.seed.data(), of.set),
                                    TY_OK);
                      },
                      secrets),
                  0)
            << "from_seed";
        ScriptRng drawn{of.seed};
        const ty_rng rng = drawn.ty();
        EXPECT_EQ(
            traces([&] { MUST_GIVE(ty_mldsa_keygen(&again[0], of.set, &rng), TY_OK); }, secrets), 0)
            << "keygen";
        EXPECT_EQ(traces(
                      [&] {
                          MUST_GIVE(
                              ty_mldsa_keygen_encoded(again[1].pub.bytes, ty_mldsa_pub_len(of.set),
                                                      again[1].bytes, len, of.seed.data(), of.set),
                              TY_OK);
                      },
                      secrets),
                  0)
            << "keygen_encoded";
        EXPECT_EQ(traces([&] { MUST_GIVE(ty_mldsa_key_set(&again[0], of.key->bytes, len), TY_OK); },
                         secrets),
                  0)
            << "key_set";
        EXPECT_EQ(traces([&] { MUST_GIVE(ty_mldsa_signer_init(ready.get(), of.key.get()), TY_OK); },
                         secrets),
                  0)
            << "signer_init";
        for (const size_t n : {2, 9})
            EXPECT_EQ(
                traces([&] { MUST_GIVE(ty_mldsa_many_keygen(jobs.data(), n, nullptr), TY_OK); },
                       secrets),
                0)
                << "many_keygen " << n;
    });
    EXPECT_EQ(std::memcmp(again[8].bytes, of.key->bytes, len), 0);
}

TEST_P(ResidueMlDsa, Signing)
{
    const Bytes zeros(32), noise = r.bytes(32);
    const Secrets fixed = of.of_signing(zeros), hedged = of.of_signing(noise);
    at_every_level([&] {
        for (const bool hedge : {false, true}) {
            SCOPED_TRACE(hedge ? "hedged" : "deterministic");
            const auto clean = [&](const char *name,
                                   const std::function<ty_err(const ty_rng *)> &sign) {
                ScriptRng drawn{noise};
                const ty_rng rng = drawn.ty();
                EXPECT_EQ(traces([&] { MUST_GIVE(sign(hedge ? &rng : nullptr), TY_OK); },
                                 hedge ? hedged : fixed),
                          0)
                    << name;
            };
            clean("sign_mu", [&](const ty_rng *rng) {
                return ty_mldsa_sign_mu(sig[0], sig_len, of.mu.data(), of.key.get(), rng);
            });
            clean("ready", [&](const ty_rng *rng) {
                return ty_mldsa_signer_sign_mu(sig[0], sig_len, of.mu.data(), of.ready.get(), rng);
            });
            clean("small", [&](const ty_rng *rng) {
                return ty_mldsa_sign_small(sig[0], sig_len, of.mu.data(), of.key.get(), rng);
            });
            const size_t key_len = ty_mldsa_key_len(of.set);
            clean("encoded", [&](const ty_rng *rng) {
                return ty_mldsa_sign_encoded_mu(sig[0], sig_len, of.mu.data(), of.key->bytes,
                                                key_len, rng);
            });
            clean("checked", [&](const ty_rng *rng) {
                return ty_mldsa_sign_checked(sig[0], sig_len, of.mu.data(), of.key.get(), rng);
            });
        }
    });
}

// The key is expanded from its seed for each signature: nothing of it may remain.
TEST_P(ResidueMlDsa, SigningFromTheSeed)
{
    const Secrets secrets = of.of_keygen();
    EXPECT_EQ(traces(
                  [&] {
                      MUST_GIVE(ty_mldsa_sign_from_seed(sig[0], sig_len, of.mu.data(), 64, nullptr,
                                                        0, of.seed.data(), of.set, nullptr),
                                TY_OK);
                  },
                  secrets),
              0);
}

TEST_P(ResidueMlDsa, Files)
{
    const Secrets secrets = of.of_keygen();
    const std::unique_ptr<ty_mldsa_key> again(new ty_mldsa_key);
    Bytes file(TY_MLDSA_ENCODED_MAX);
    const ty_rng rng = r.ty();
    for (const ty_mldsa_content content : {TY_MLDSA_SEED, TY_MLDSA_EXPANDED, TY_MLDSA_BOTH})
        for (const ty_key_form form : {TY_KEY_PKCS8, TY_KEY_PKCS8_PBES2})
            for (const ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
                size_t n = file.size();
                ty_mldsa_file was;
                EXPECT_EQ(traces(
                              [&] {
                                  MUST_GIVE(ty_mldsa_key_write(file.data(), &n, of.key.get(),
                                                               content, form, coding, "secret", 6,
                                                               10, &rng),
                                            TY_OK);
                              },
                              secrets),
                          0)
                    << "write " << content << form;
                EXPECT_EQ(traces(
                              [&] {
                                  MUST_GIVE(ty_mldsa_key_read(again.get(), &was, file.data(), n,
                                                              "secret", 6),
                                            TY_OK);
                              },
                              secrets),
                          0)
                    << "read " << content << form;
            }
}

// Secrets of the first job are searched for; the others sign other messages. Keys are given as
// ty_mldsa_key and as ty_mldsa_signer.
TEST_P(ResidueMlDsa, SigningMany)
{
    const Secrets secrets = of.of_signing(Bytes(32));
    std::vector<Bytes> mu(9, of.mu);
    at_every_level([&] {
        for (const bool ready : {false, true})
            for (const size_t n : {1, 9}) {
                std::vector<ty_mldsa_sign_job> jobs;
                for (size_t i = 0; i < n; i++) {
                    mu[i][0] = (uint8_t)(of.mu[0] + i);
                    jobs.push_back({ sig[i], sig_len, mu[i].data(), nullptr, 0, nullptr, 0,
                                     of.key.get(), ready ? of.ready.get() : nullptr, TY_OK });
                }
                EXPECT_EQ(
                    traces([&] { MUST_GIVE(ty_mldsa_many_sign(jobs.data(), n, nullptr), TY_OK); },
                           secrets),
                    0)
                    << n << (ready ? " ready" : "");
            }
    });
}

INSTANTIATE_TEST_SUITE_P(Sets, ResidueMlDsa, testing::Values(44, 65, 87),
                         testing::PrintToStringParamName());
}
