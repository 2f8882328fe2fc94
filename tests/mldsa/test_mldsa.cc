// ML-DSA: NIST's ACVP cases, a few of them in kat.inc; comparison of all tiers, byte for byte;
// inputs that must be refused; failures during a call.
extern "C" {   // internal headers are plain C
#include "base/bytes.h"
#include "mldsa/mldsa.h"
}
#include "support/full.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include "tongyu/mldsa_many.h"
#include "tongyu/os.h"
#include "tongyu/sha2.h"
#include <memory>

namespace {

const ty_mldsa_set sets[] = {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87};

struct Kat {
    ty_mldsa_set set;
    int hash;
    const char *seed, *msg, *rnd, *ctx, *digest;
};
const Kat kats[] = {
#include "kat.inc"
};

// Runs f on every tier of the kernels, with the sponge of the same level. An emulated tier takes a
// second for a key and a signature, so it runs only where emulated_too is true, and in full
// runs; the same holds for the portable tier where a sample of it is enough.
template <class F> void each_tier(F f, bool emulated_too = full())
{
    for_each_tier<ty_mldsa_ops>(ty_mldsa_tiers, [&](const ty_mldsa_ops *, const char *name) {
        if (tier_is_slow() && !emulated_too) {
            std::cout << "[ NOT HERE ] " << name << ": slow here, so in the full tests\n";
            return;
        }
        const ty_tier *t = ty_mldsa_tiers;
        while (std::string(t->name) != name) t++;
        ty_cpu_assume(t->need);
        f();
        ty_cpu_assume(0);
    });
}

// Large structs are on the heap here; the library does not use it.
struct Key {
    std::unique_ptr<ty_mldsa_key> key{new ty_mldsa_key};
    std::unique_ptr<ty_mldsa_signer> signer{new ty_mldsa_signer};
    std::unique_ptr<ty_mldsa_verifier> verifier{new ty_mldsa_verifier};
    size_t sig_len;
    Key(ty_mldsa_set set, const Bytes &seed) : sig_len(ty_mldsa_sig_len(set))
    {
        EXPECT_EQ(ty_mldsa_key_from_seed(key.get(), seed.data(), set), TY_OK);
        ready();
    }
    explicit Key(const Bytes &encoded) : sig_len(0)
    {
        EXPECT_EQ(ty_mldsa_key_set(key.get(), encoded.data(), encoded.size()), TY_OK);
        sig_len = ty_mldsa_sig_len(key->pub.set);
        ready();
    }
    void ready()
    {
        EXPECT_EQ(ty_mldsa_signer_init(signer.get(), key.get()), TY_OK);
        EXPECT_EQ(ty_mldsa_verifier_init(verifier.get(), &key->pub), TY_OK);
    }
    // with the precomputed key and with its encoding: both signatures must agree
    Bytes sign(const Bytes &mu, const Bytes &rnd) const
    {
        Bytes a(sig_len), b(sig_len);
        EXPECT_EQ(ty_mldsa_sign_internal(a.data(), mu.data(), rnd.data(), signer.get()), TY_OK);
        ScriptRng drawn{rnd};
        const ty_rng source = drawn.ty();
        const Bytes encoded(key->bytes, key->bytes + ty_mldsa_key_len(key->pub.set));
        EXPECT_EQ(ty_mldsa_sign_encoded_mu(b.data(), b.size(), mu.data(), encoded.data(),
                                           encoded.size(), &source),
                  TY_OK);
        EXPECT_EQ(a, b);
        return a;
    }
    ty_err verify(const Bytes &sig, const Bytes &mu) const
    {
        const ty_err a = ty_mldsa_verify_mu(sig.data(), sig.size(), mu.data(), &key->pub);
        EXPECT_EQ(ty_mldsa_verifier_verify_mu(sig.data(), sig.size(), mu.data(), verifier.get()),
                  a);
        EXPECT_EQ(ty_mldsa_verify_encoded_mu(sig.data(), sig.size(), mu.data(), key->pub.bytes,
                                             ty_mldsa_pub_len(key->pub.set)),
                  a);
        return a;
    }
};

Bytes shake(const Bytes &in, size_t n = 32)
{
    Bytes out(n);
    ty_shake256_hash(out.data(), n, in.data(), in.size());
    return out;
}

Bytes random_mu(TestRng &rng) { return rng.bytes(64); }

}   // namespace

TEST(Mldsa, Sizes)
{
    const size_t want[3][3] = {{1312, 2560, 2420}, {1952, 4032, 3309}, {2592, 4896, 4627}};
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(ty_mldsa_pub_len(sets[i]), want[i][0]);
        EXPECT_EQ(ty_mldsa_key_len(sets[i]), want[i][1]);
        EXPECT_EQ(ty_mldsa_sig_len(sets[i]), want[i][2]);
    }
    EXPECT_EQ(ty_mldsa_pub_len((ty_mldsa_set)0) + ty_mldsa_key_len((ty_mldsa_set)3) +
                  ty_mldsa_sig_len((ty_mldsa_set)88),
              0u);
    EXPECT_EQ(ty_mldsa_hash_len(TY_MLDSA_SM3), 32u);
    EXPECT_EQ(ty_mldsa_hash_len((ty_mldsa_hash)13), 0u);
}

TEST(Mldsa, PublishedSignatures)
{
    each_tier([] {
        for (const Kat &k : kats) {
            const Bytes msg = unhex(k.msg), ctx = unhex(k.ctx), rnd = unhex(k.rnd);
            const Key key(k.set, unhex(k.seed));
            ScriptRng script(rnd);
            const ty_rng rng = script.ty();
            Bytes sig(key.sig_len);
            if (k.hash < 0)
                ASSERT_EQ(ty_mldsa_sign(sig.data(), sig.size(), msg.data(), msg.size(), ctx.data(),
                                        ctx.size(), key.key.get(), rnd.empty() ? nullptr : &rng),
                          TY_OK);
            else
                ASSERT_EQ(ty_mldsa_sign_hash(sig.data(), sig.size(), msg.data(), msg.size(),
                                             (ty_mldsa_hash)k.hash, ctx.data(), ctx.size(),
                                             key.key.get(), rnd.empty() ? nullptr : &rng),
                          TY_OK);
            EXPECT_EQ(hex(shake(sig)), k.digest);
            EXPECT_EQ(script.used, rnd.size());
            const auto verified =
                k.hash < 0 ? ty_mldsa_verify(sig.data(), sig.size(), msg.data(), msg.size(),
                                             ctx.data(), ctx.size(), &key.key->pub)
                           : ty_mldsa_verify_hash(sig.data(), sig.size(), msg.data(), msg.size(),
                                                  (ty_mldsa_hash)k.hash, ctx.data(), ctx.size(),
                                                  &key.key->pub);
            EXPECT_EQ(verified, TY_OK);
        }
    });
}

TEST(Mldsa, TiersAgree)
{
    for (ty_mldsa_set set : sets) {
        std::vector<Bytes> first;
        each_tier([&] {
            TestRng rng(set + 1u);   // with which the first signature takes one attempt
            std::vector<Bytes> now;
            const bool slow = tier_is_slow() && !sampling();   // not the reference tier
            if (slow && set != TY_MLDSA_44) return;
            for (int i = 0, n = slow ? 1 : full() ? 3400 : 6; i < n; i++) {
                ty_mldsa_key key;
                Bytes sig(ty_mldsa_sig_len(set));
                const Bytes seed = rng.bytes(32), mu = random_mu(rng), rnd = rng.bytes(32);
                ScriptRng script(rnd);
                const ty_rng source = script.ty();
                ASSERT_EQ(ty_mldsa_key_from_seed(&key, seed.data(), set), TY_OK);
                now.push_back(Bytes(key.bytes, key.bytes + ty_mldsa_key_len(set)));
                ASSERT_EQ(ty_mldsa_sign_mu(sig.data(), sig.size(), mu.data(), &key, &source),
                          TY_OK);
                now.push_back(sig);
                if (!slow) { EXPECT_EQ(Key(set, seed).sign(mu, rnd), sig); }
            }
            if (first.empty()) first = now;
            // first has at least as many entries
            EXPECT_TRUE(std::equal(now.begin(), now.end(), first.begin()));
        }, true);
    }
}

// Packing at guard pages, for every width, with the smallest and the largest values of the fields
TEST(Mldsa, PackingMatchesItsDefinition)
{
    TestRng rng(3);
    const struct {
        unsigned bits;
        int32_t top;
    } forms[] = { { 3, 2 },  { 4, 4 },        { 4, 0 },        { 6, 0 },
                  { 10, 0 }, { 13, 1 << 12 }, { 18, 1 << 17 }, { 20, 1 << 19 } };
    for_each_tier<ty_mldsa_ops>(ty_mldsa_tiers, [&](const ty_mldsa_ops *ops, const char *) {
        for (const auto &form : forms) {
            Guarded out(32 * form.bits), a(1024), back(1024);
            auto *x = (int32_t *)a.data(), *y = (int32_t *)back.data();
            for (int round = tier_is_slow() ? 2 : 0; round < 4; round++) {
                Bytes want(32 * form.bits);
                for (unsigned i = 0; i < 256; i++) {
                    const uint32_t top = (1u << form.bits) - 1;
                    const uint32_t f = round == 0   ? 0
                                       : round == 1 ? top
                                                    : (uint32_t)rng.next() & top;
                    x[i] = form.top ? form.top - (int32_t)f : (int32_t)f;
                    for (unsigned b = 0; b < form.bits; b++)
                        want[(i * form.bits + b) / 8] |=
                            (uint8_t)((f >> b & 1) << (i * form.bits + b) % 8);
                }
                ops->pack(out.data(), x, form.bits, form.top);
                ASSERT_EQ(hex(out.data(), out.size()), hex(want)) << form.bits;
                ops->unpack(y, out.data(), form.bits, form.top);
                ASSERT_EQ(std::memcmp(x, y, 1024), 0) << form.bits;
            }
        }
    });
}

// Rejection sampling where nearly all candidates, a few or none are rejected; after any number of
// coefficients.
TEST(Mldsa, SamplersTakeTheSameCandidates)
{
    for_each_tier<ty_mldsa_ops>(ty_mldsa_tiers, [&](const ty_mldsa_ops *ops, const char *) {
        TestRng rng(4);
        for (int round = 0; round < 300; round += tier_is_slow() ? 37 : 1) {
            const size_t stride = round % 2 ? 8 : 4;
            Guarded words(8 * (20 * stride + 4)), a(1024), b(1024), c(1024), d(1024);
            int32_t *const y[4] = { (int32_t *)a.data(), (int32_t *)b.data(), (int32_t *)c.data(),
                                    (int32_t *)d.data() };
            size_t n[4];
            std::vector<int32_t> x[4];
            for (size_t i = 0; i < 4; i++) {
                n[i] = round % 5 ? rng.below(257) : 8 * rng.below(33);
                Bytes in = rng.bytes(168);
                for (size_t k = 0; k < in.size(); k += 3)
                    if (rng.below((uint32_t)round % 7 + 1) > round % 3u)
                        in[k + 2] |= 0x7f, in[k + 1] |= rng.below(2) ? 0xe0 : 0,
                            in[k] = (uint8_t)rng.below(3);
                for (size_t w = 0; w < 21; w++) {
                    const uint64_t word = ty_get64le(&in[8 * w]);
                    std::memcpy(words.data() + 8 * (stride * w + i), &word, 8);
                }
                for (size_t k = 0; k < in.size() && n[i] + x[i].size() < 256; k += 3) {
                    const int32_t one = in[k] | in[k + 1] << 8 | (in[k + 2] & 127) << 16;
                    if (one < TY_Q) x[i].push_back(one);
                }
            }
            size_t now[4] = {n[0], n[1], n[2], n[3]};
            ops->uniform(y, now, (const uint64_t *)(const void *)words.data(), stride);
            for (size_t i = 0; i < 4; i++) {
                ASSERT_EQ(now[i], n[i] + x[i].size());
                ASSERT_TRUE(std::equal(x[i].begin(), x[i].end(), y[i] + n[i]));
            }
            for (int32_t eta : {2, 4}) {
                const Bytes in = rng.bytes(136 * (rng.below(2) + 1));
                Guarded nibbles(in.data(), in.size());
                size_t want = n[0];
                std::vector<int32_t> z(256);
                for (size_t i = 0; i < 2 * nibbles.size() && want < 256; i++) {
                    const int f = nibbles.data()[i / 2] >> i % 2 * 4 & 15;
                    if (eta == 2 ? f < 15 : f < 9) z[want++] = eta == 2 ? 2 - f % 5 : 4 - f;
                }
                ASSERT_EQ(ops->small(y[0], n[0], nibbles.data(), nibbles.size(), eta), want);
                ASSERT_EQ(std::memcmp(&z[n[0]], y[0] + n[0], 4 * (want - n[0])), 0);
            }
        }
    });
}

// The challenge, compared with the standard's algorithm 29, from the first block of the hash and
// from later ones.
TEST(Mldsa, ChallengeIsAShuffle)
{
    TestRng rng(31);
    for (int round = 0; round < 200; round++) {
        const ty_mldsa_row *row = ty_mldsa_find(sets[round % 3]);
        const Bytes hash = rng.bytes(row->c_len);
        Bytes stream(3 * 136);
        ty_shake256_hash(stream.data(), stream.size(), hash.data(), hash.size());
        // a first block that runs out: 255 is accepted for the last position only
        if (round >= 100) {
            std::fill(stream.begin() + 8, stream.begin() + 136, (uint8_t)255);
            for (int some = round % 7; some > 0; some--)
                stream[rng.below(128) + 8] = (uint8_t)rng.next();
        }
        std::vector<int32_t> want(256), c(256);
        size_t at = 8;
        for (int i = 256 - row->tau, n = 0; i < 256; i++, n++) {
            while (stream[at] > i) at++;
            want[(size_t)i] = want[stream[at]];
            want[stream[at++]] = stream[(size_t)n / 8] >> n % 8 & 1 ? -1 : 1;
        }
        ty_mldsa_challenge challenge;
        uint8_t block[136];
        std::copy_n(stream.begin(), 136, block);
        ty_mldsa_challenge_from_vt(&challenge, block, hash.data(), row);
        ASSERT_EQ(challenge.n, row->tau);
        ty_mldsa_challenge_poly(c.data(), &challenge, 1);
        ASSERT_EQ(c, want) << round;
        ty_mldsa_challenge_poly(c.data(), &challenge, -1);
        for (size_t i = 0; i < 256; i++) ASSERT_EQ(c[i], -want[i]);
    }
}

// The sparse product, compared with the product modulo x^256 + 1; also with extreme values, where
// every sum is the largest.
TEST(Mldsa, ChallengeTimesSmall)
{
    for_each_tier<ty_mldsa_ops>(ty_mldsa_tiers, [&](const ty_mldsa_ops *ops, const char *) {
        TestRng rng(30);
        for (int round = 0; round < 60; round += tier_is_slow() ? 11 : 1) {
            const ty_mldsa_row *row = ty_mldsa_find(sets[round % 3]);
            const int eta = row->eta;
            std::vector<int32_t> c(256), s(256), want(256);
            ty_mldsa_challenge challenge, *const places = &challenge;
            const Bytes hash = rng.bytes(row->c_len);
            const uint8_t *in = hash.data();
            ty_mldsa_challenge_vt(&places, &in, 1, row);
            if (round < 12) challenge.plus = round % 2 ? challenge.n : 0;   // all of one sign
            std::fill(c.begin(), c.end(), 0);
            for (size_t i = 0; i < challenge.n; i++)
                c[challenge.at[i]] = i < challenge.plus ? 1 : -1;
            for (auto &x : s)
                x = round < 6    ? eta
                    : round < 12 ? -eta
                                 : (int)rng.below(2 * (uint32_t)eta + 1) - eta;
            for (int i = 0; i < 256; i++)
                for (int j = 0; j < 256; j++)
                    want[(i + j) % 256] += (i + j < 256 ? 1 : -1) * c[i] * s[j];
            Guarded e(512), z(1024);
            for (int i = 0; i < 256; i++) {
                ((int8_t *)e.data())[i] = (int8_t)-s[i];
                ((int8_t *)e.data())[256 + i] = (int8_t)s[i];
            }
            EXPECT_EQ(challenge.n, row->tau);
            int32_t most = 0;
            for (int i = 0; i < 256; i++) {
                ((int32_t *)z.data())[i] = (int32_t)rng.below(1 << 20) - (1 << 19);
                want[i] += ((int32_t *)z.data())[i];
                most = std::max(most, std::abs(want[i]));
            }
            const Bytes before(z.data(), z.data() + 1024);
            for (int32_t bound : {most, most + 1}) {
                std::copy(before.begin(), before.end(), z.data());
                EXPECT_EQ(ops->add_times((int32_t *)z.data(), &challenge, (const int8_t *)e.data(),
                                         eta, bound),
                          bound == most ? 1u : 0u);
                ASSERT_EQ(std::memcmp(z.data(), want.data(), 1024), 0) << round;
            }
            // one coefficient at the bound, at every place; and all of them
            const std::vector<int8_t> nothing(512);
            for (int i = 0; i < 257; i += tier_is_slow() ? 64 : 1) {
                std::vector<int32_t> a(256, i == 256 ? 1000 : -999);
                if (i < 256) a[i] = i % 2 ? 1000 : -1000;
                EXPECT_EQ(ops->add_times(a.data(), &challenge, nothing.data(), eta, 1000), 1u) << i;
                EXPECT_EQ(ops->add_times(a.data(), &challenge, nothing.data(), eta, 1001), 0u) << i;
            }
        }
    });
}

TEST(Mldsa, Contexts)
{
    TestRng rng(5);
    const ty_rng source = rng.ty();
    for (ty_mldsa_set set : sets) {
        const Key key(set, rng.bytes(32));
        const ty_mldsa_pub *pub = &key.key->pub;
        Bytes sig(key.sig_len), long_ctx(256, 7);
        for (size_t ctx_len : {0, 1, 254, 255}) {
            const Bytes ctx = rng.bytes(ctx_len), msg = rng.bytes(ctx_len * 3);
            const auto verify = [&](const Bytes &m, const Bytes &c) {
                const ty_err a = ty_mldsa_verify(sig.data(), sig.size(), m.data(), m.size(),
                                                 c.data(), c.size(), pub);
                EXPECT_EQ(ty_mldsa_verifier_verify(sig.data(), sig.size(), m.data(), m.size(),
                                                   c.data(), c.size(), key.verifier.get()),
                          a);
                return a;
            };
            ASSERT_EQ(ty_mldsa_sign(sig.data(), sig.size(), msg.data(), msg.size(), ctx.data(),
                                    ctx.size(), key.key.get(), &source),
                      TY_OK);
            EXPECT_EQ(verify(msg, ctx), TY_OK);
            EXPECT_EQ(verify(msg, Bytes{1}), ctx == Bytes{1} ? TY_OK : TY_ERR_VERIFY);
            EXPECT_EQ(verify(Bytes{2}, ctx), TY_ERR_VERIFY);
            ASSERT_EQ(ty_mldsa_signer_sign(sig.data(), sig.size(), msg.data(), msg.size(),
                                           ctx.data(), ctx.size(), key.signer.get(), &source),
                      TY_OK);
            EXPECT_EQ(verify(msg, ctx), TY_OK);
            EXPECT_EQ(verify(msg, long_ctx), TY_ERR_SIZE);
            // the same hash, begun from the key and from its encoding
            ty_mldsa_mu from_key, encoded;
            Bytes mu(TY_MLDSA_MU_LEN), same(TY_MLDSA_MU_LEN);
            ASSERT_EQ(ty_mldsa_mu_init(&from_key, ctx.data(), ctx.size(), pub), TY_OK);
            ASSERT_EQ(ty_mldsa_mu_init_encoded(&encoded, ctx.data(), ctx.size(), pub->bytes,
                                               ty_mldsa_pub_len(set)),
                      TY_OK);
            for (ty_mldsa_mu *m : {&from_key, &encoded})
                ty_mldsa_mu_update(m, msg.data(), msg.size());
            ty_mldsa_mu_final(mu.data(), &from_key);
            ty_mldsa_mu_final(same.data(), &encoded);
            EXPECT_EQ(mu, same);
            EXPECT_EQ(ty_mldsa_mu_init_encoded(&encoded, ctx.data(), ctx.size(), pub->bytes,
                                               ty_mldsa_pub_len(set) - 1),
                      TY_ERR_FORMAT);
        }
        EXPECT_EQ(ty_mldsa_sign(sig.data(), sig.size(), nullptr, 0, long_ctx.data(), 256,
                                key.key.get(), &source),
                  TY_ERR_SIZE);
        EXPECT_EQ(sig, Bytes(key.sig_len));
        // hedged signatures differ, deterministic ones do not
        Bytes a(key.sig_len), b(key.sig_len), mu = random_mu(rng);
        ASSERT_EQ(ty_mldsa_sign_mu(a.data(), a.size(), mu.data(), key.key.get(), &source), TY_OK);
        ASSERT_EQ(ty_mldsa_sign_mu(b.data(), b.size(), mu.data(), key.key.get(), &source), TY_OK);
        EXPECT_NE(a, b);
        ASSERT_EQ(ty_mldsa_sign_mu(a.data(), a.size(), mu.data(), key.key.get(), nullptr), TY_OK);
        ASSERT_EQ(ty_mldsa_sign_small(b.data(), b.size(), mu.data(), key.key.get(), nullptr),
                  TY_OK);
        EXPECT_EQ(a, b);
        ASSERT_EQ(ty_mldsa_sign_checked(b.data(), b.size(), mu.data(), key.key.get(), nullptr),
                  TY_OK);
        EXPECT_EQ(a, b);
    }
}

TEST(Mldsa, HashMlDsa)
{
    TestRng rng(6);
    const Key key(TY_MLDSA_44, rng.bytes(32));
    Bytes sig(key.sig_len), pure(64), mu(64);
    std::vector<Bytes> all;
    for (int h = TY_MLDSA_SHA2_224; h <= TY_MLDSA_SM3; h++) {
        const auto hash = (ty_mldsa_hash)h;
        const Bytes d(ty_mldsa_hash_len(hash), 9);
        ASSERT_EQ(ty_mldsa_sign_hash(sig.data(), sig.size(), d.data(), d.size(), hash, nullptr, 0,
                                     key.key.get(), nullptr),
                  TY_OK);
        EXPECT_EQ(ty_mldsa_verify_hash(sig.data(), sig.size(), d.data(), d.size(), hash, nullptr, 0,
                                       &key.key->pub),
                  TY_OK);
        EXPECT_EQ(
            ty_mldsa_verify(sig.data(), sig.size(), d.data(), d.size(), nullptr, 0, &key.key->pub),
            TY_ERR_VERIFY);
        EXPECT_EQ(ty_mldsa_verify_hash(sig.data(), sig.size(), d.data(), d.size() - 1, hash,
                                       nullptr, 0, &key.key->pub),
                  TY_ERR_ARG);
        ASSERT_EQ(ty_mldsa_mu_hash(mu.data(), d.data(), d.size(), hash, nullptr, 0, &key.key->pub),
                  TY_OK);
        // hashes of the same length give different mu
        for (const Bytes &other : all) EXPECT_NE(other, mu);
        all.push_back(mu);
    }
    EXPECT_EQ(
        ty_mldsa_mu_hash(mu.data(), sig.data(), 32, (ty_mldsa_hash)13, nullptr, 0, &key.key->pub),
        TY_ERR_ARG);
    EXPECT_EQ(mu, Bytes(64));
    // SM3, by hand: 1, 0, the identifier 1.2.156.10197.1.401, the digest
    const Bytes d(32, 9);
    Bytes by_hand = unhex("0100 0608 2a811ccf5501 8311");
    by_hand.insert(by_hand.end(), d.begin(), d.end());
    ty_mldsa_mu_raw(pure.data(), by_hand.data(), by_hand.size(), &key.key->pub);
    EXPECT_EQ(pure, all.back());
}

#include "mldsa/acvp_cases.inc"
#include "mldsa/many_cases.inc"
#include "mldsa/refused_cases.inc"
#include "mldsa/encoded_cases.inc"
