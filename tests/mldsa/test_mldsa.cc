// ML-DSA: NIST's ACVP cases, a few of them written in; every tier byte for byte; what must be refused; failures on the way.
extern "C" {   // internal headers are plain C
#include "mldsa/mldsa.h"
}
#include "support/full.hpp"
#include "support/guard.hpp"
#include "support/gz.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
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

// Every tier of the kernels; the sponge goes with them.
template <class F> void each_tier(F f)
{
    for_each_tier<ty_mldsa_ops>(ty_mldsa_tiers, [&](const ty_mldsa_ops *, const char *name) {
        const ty_tier *t = ty_mldsa_tiers;
        while (std::string(t->name) != name) t++;
        ty_cpu_assume(t->need | TY_CPU_KNOWN);
        f();
        ty_cpu_assume(0);
    });
}

// Large structs live on the heap here; the library has none.
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
    // by the ready key and by the small one, which must agree
    Bytes sign(const Bytes &mu, const Bytes &rnd) const
    {
        Bytes a(sig_len), b(sig_len);
        EXPECT_EQ(ty_mldsa_sign_internal(a.data(), mu.data(), rnd.data(), {signer.get(), nullptr}), TY_OK);
        EXPECT_EQ(ty_mldsa_sign_internal(b.data(), mu.data(), rnd.data(), {nullptr, key.get()}), TY_OK);
        EXPECT_EQ(a, b);
        return a;
    }
    ty_err verify(const Bytes &sig, const Bytes &mu) const
    {
        const ty_err a = ty_mldsa_verify_mu(sig.data(), sig.size(), mu.data(), &key->pub);
        EXPECT_EQ(ty_mldsa_verifier_verify_mu(sig.data(), sig.size(), mu.data(), verifier.get()), a);
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
    EXPECT_EQ(ty_mldsa_pub_len((ty_mldsa_set)0) + ty_mldsa_key_len((ty_mldsa_set)3) + ty_mldsa_sig_len((ty_mldsa_set)88), 0u);
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
                ASSERT_EQ(ty_mldsa_sign(sig.data(), sig.size(), msg.data(), msg.size(), ctx.data(), ctx.size(), key.key.get(),
                                        rnd.empty() ? nullptr : &rng), TY_OK);
            else
                ASSERT_EQ(ty_mldsa_sign_hash(sig.data(), sig.size(), msg.data(), msg.size(), (ty_mldsa_hash)k.hash, ctx.data(),
                                             ctx.size(), key.key.get(), rnd.empty() ? nullptr : &rng), TY_OK);
            EXPECT_EQ(hex(shake(sig)), k.digest);
            EXPECT_EQ(script.used, rnd.size());
            const auto verified = k.hash < 0
                ? ty_mldsa_verify(sig.data(), sig.size(), msg.data(), msg.size(), ctx.data(), ctx.size(), &key.key->pub)
                : ty_mldsa_verify_hash(sig.data(), sig.size(), msg.data(), msg.size(), (ty_mldsa_hash)k.hash, ctx.data(),
                                       ctx.size(), &key.key->pub);
            EXPECT_EQ(verified, TY_OK);
        }
    });
}

// --- ACVP --------------------------------------------------------------------------------------------------
namespace {

ty_mldsa_set set_of(const Json &group)
{
    return (ty_mldsa_set)std::stoi(group.at("parameterSet").get<std::string>().substr(7));
}

// HashML-DSA's cases give the message and the name of the hash.
Bytes digest(ty_mldsa_hash &hash, const std::string &name, const Bytes &msg)
{
    using Fixed = void (*)(uint8_t *, const uint8_t *, size_t);
    static const struct { const char *name; Fixed run; } hashes[] = {
        {"SHA2-224", ty_sha224_hash}, {"SHA2-256", ty_sha256_hash}, {"SHA2-384", ty_sha384_hash}, {"SHA2-512", ty_sha512_hash},
        {"SHA2-512/224", ty_sha512_224_hash}, {"SHA2-512/256", ty_sha512_256_hash}, {"SHA3-224", ty_sha3_224_hash},
        {"SHA3-256", ty_sha3_256_hash}, {"SHA3-384", ty_sha3_384_hash}, {"SHA3-512", ty_sha3_512_hash},
        {"SHAKE-128", [](uint8_t *o, const uint8_t *m, size_t n) { ty_shake128_hash(o, 32, m, n); }},
        {"SHAKE-256", [](uint8_t *o, const uint8_t *m, size_t n) { ty_shake256_hash(o, 64, m, n); }},
    };
    int i = 0;
    while (name != hashes[i].name) i++;
    hash = (ty_mldsa_hash)i;
    Bytes out(ty_mldsa_hash_len(hash));
    hashes[i].run(out.data(), msg.data(), msg.size());
    return out;
}

bool flag(const Json &j, const char *name) { return j.contains(name) && j[name].get<bool>(); }

Bytes mu_of(const Json &group, const Json &t, const ty_mldsa_pub *pub)
{
    if (flag(group, "externalMu")) return field(t, "mu");
    Bytes mu(64);
    const Bytes msg = field(t, "message");
    if (group.at("signatureInterface") == "internal") {
        ty_mldsa_mu_raw(mu.data(), msg.data(), msg.size(), pub);
        return mu;
    }
    const Bytes ctx = field(t, "context");
    if (group.at("preHash") == "pure") {
        ty_mldsa_mu running;
        EXPECT_EQ(ty_mldsa_mu_init(&running, ctx.data(), ctx.size(), pub), TY_OK);
        for (size_t i = 0; i < msg.size(); i += 100) ty_mldsa_mu_update(&running, &msg[i], std::min<size_t>(100, msg.size() - i));
        ty_mldsa_mu_final(mu.data(), &running);
        return mu;
    }
    ty_mldsa_hash hash;
    const Bytes d = digest(hash, t.at("hashAlg").get<std::string>(), msg);
    EXPECT_EQ(ty_mldsa_mu_hash(mu.data(), d.data(), d.size(), hash, ctx.data(), ctx.size(), pub), TY_OK);
    return mu;
}

// Runs f(group, test) over the file: every case under TONGYU_TEST_FULL, one in seven otherwise.
template <class F> void each_case(const char *name, F f)
{
    const auto file = load_gz_vectors(std::string("mldsa/ML-DSA-") + name + ".json.gz");
    if (!file) return;
    each_tier([&] {
        size_t n = 0, ran = 0;
        for (const Json &group : file->at("testGroups"))
            for (const Json &t : group.at("tests")) {
                if (n++ % (full() ? 1 : 7)) continue;
                SCOPED_TRACE("tcId " + t.at("tcId").dump());
                f(group, t);
                ran++;
            }
        std::cout << name << ": " << ran << " of " << n << " cases\n";
    });
}

void sign_case(const Json &group, const Json &t)
{
    const Key key = t.contains("seed") ? Key(set_of(group), field(t, "seed")) : Key(field(t, "sk"));
    const Bytes mu = mu_of(group, t, &key.key->pub);
    const Bytes sig = key.sign(mu, t.contains("rnd") ? field(t, "rnd") : Bytes(32));
    EXPECT_EQ(sig, field(t, "signature"));
    EXPECT_EQ(key.verify(sig, mu), TY_OK);
}

}   // namespace

TEST(MldsaAcvp, KeyGen)
{
    each_case("keyGen-FIPS204", [](const Json &group, const Json &t) {
        const Key key(set_of(group), field(t, "seed"));
        const Bytes pk = field(t, "pk"), sk = field(t, "sk");
        EXPECT_EQ(hex(key.key->pub.bytes, pk.size()), hex(pk));
        EXPECT_EQ(hex(key.key->bytes, sk.size()), hex(sk));
    });
}

// 1080 cases, and 25 MB of JSON, which instrumented and emulated runs would read for minutes
TEST(MldsaAcvp, SigGen)
{
    if (!full()) return;
    each_case("sigGen-FIPS204", sign_case);
    each_case("sigGen-FIPS204-tr1", sign_case);
}

TEST(MldsaAcvp, SigVer)
{
    each_case("sigVer-FIPS204", [](const Json &group, const Json &t) {
        const Bytes pk = field(t, "pk"), sig = field(t, "signature");
        ty_mldsa_pub pub;
        EXPECT_EQ(ty_mldsa_pub_set(&pub, pk.data(), pk.size()), TY_OK);
        const Bytes mu = mu_of(group, t, &pub);
        const ty_err err = ty_mldsa_verify_mu(sig.data(), sig.size(), mu.data(), &pub);
        EXPECT_EQ(err, t.at("testPassed").get<bool>() ? TY_OK : TY_ERR_VERIFY) << t.at("reason");
    });
}

// --- Every tier, every way to sign --------------------------------------------------------------------------

TEST(Mldsa, TiersAgree)
{
    for (ty_mldsa_set set : sets) {
        std::vector<Bytes> first;
        each_tier([&] {
            TestRng rng(set);
            std::vector<Bytes> now;
            for (int i = 0; i < (full() ? 3400 : 6); i++) {
                const Key key(set, rng.bytes(32));
                now.push_back(Bytes(key.key->bytes, key.key->bytes + ty_mldsa_key_len(set)));
                now.push_back(key.sign(random_mu(rng), rng.bytes(32)));
            }
            if (first.empty()) first = now;
            EXPECT_EQ(first, now);
        });
    }
}

// The kernels on bytes at guard pages, at every width, and both ends of the fields.
TEST(Mldsa, PackingIsItsDefinition)
{
    TestRng rng(3);
    const struct { unsigned bits; int32_t top; } forms[] = {{3, 2}, {4, 4}, {4, 0}, {6, 0}, {10, 0}, {13, 1 << 12},
                                                            {18, 1 << 17}, {20, 1 << 19}};
    for_each_tier<ty_mldsa_ops>(ty_mldsa_tiers, [&](const ty_mldsa_ops *ops, const char *) {
        for (const auto &form : forms) {
            Guarded out(32 * form.bits), a(1024), back(1024);
            auto *x = (int32_t *)a.data(), *y = (int32_t *)back.data();
            for (int round = 0; round < 4; round++) {
                Bytes want(32 * form.bits);
                for (unsigned i = 0; i < 256; i++) {
                    const uint32_t top = (1u << form.bits) - 1;
                    const uint32_t f = round == 0 ? 0 : round == 1 ? top : (uint32_t)rng.next() & top;
                    x[i] = form.top ? form.top - (int32_t)f : (int32_t)f;
                    for (unsigned b = 0; b < form.bits; b++)
                        want[(i * form.bits + b) / 8] |= (uint8_t)((f >> b & 1) << (i * form.bits + b) % 8);
                }
                ops->pack(out.data(), x, form.bits, form.top);
                ASSERT_EQ(hex(out.data(), out.size()), hex(want)) << form.bits;
                ops->unpack(y, out.data(), form.bits, form.top);
                ASSERT_EQ(std::memcmp(x, y, 1024), 0) << form.bits;
            }
        }
    });
}

// Rejection sampling with candidates that are nearly all refused, at any fill, one or many blocks.
TEST(Mldsa, SamplersTakeTheSameCandidates)
{
    for_each_tier<ty_mldsa_ops>(ty_mldsa_tiers, [&](const ty_mldsa_ops *ops, const char *) {
        TestRng rng(4);
        for (int round = 0; round < 300; round++) {
            const size_t n0 = rng.below(257), blocks = 1 + rng.below(5);
            Bytes in = rng.bytes(168 * blocks);
            for (size_t i = 0; i + 3 <= in.size(); i += 3)
                if (rng.below(round % 4 + 1) > 0) in[i + 2] |= 0x7f, in[i + 1] |= rng.below(2) ? 0xe0 : 0, in[i] = (uint8_t)rng.below(3);
            Guarded g(in.data(), in.size()), a(1024), b(1024);
            std::memset(a.data(), 0x55, 1024);
            std::memset(b.data(), 0x55, 1024);
            auto *x = (int32_t *)a.data(), *y = (int32_t *)b.data();
            size_t n = n0;
            for (size_t i = 0; i + 3 <= in.size() && n < 256; i += 3) {
                const int32_t c = in[i] | in[i + 1] << 8 | (in[i + 2] & 127) << 16;
                if (c < TY_Q) x[n++] = c;
            }
            ASSERT_EQ(ops->uniform(y, n0, g.data(), g.size()), n);
            ASSERT_EQ(std::memcmp(x, y, 4 * n), 0);
            for (int32_t eta : {2, 4}) {
                Guarded half(in.data(), 136 * (blocks / 3 + 1));
                n = n0;
                for (size_t i = 0; i < 2 * half.size() && n < 256; i++) {
                    const int c = half.data()[i / 2] >> i % 2 * 4 & 15;
                    if (eta == 2 ? c < 15 : c < 9) x[n++] = eta == 2 ? 2 - c % 5 : 4 - c;
                }
                ASSERT_EQ(ops->small(y, n0, half.data(), half.size(), eta), n);
                ASSERT_EQ(std::memcmp(x + n0, y + n0, 4 * (n - n0)), 0);
            }
        }
    });
}

// The challenge against the standard's own words [algorithm 29], from the first block of the hash and from later ones.
TEST(Mldsa, ChallengeIsAShuffle)
{
    TestRng rng(31);
    for (int round = 0; round < 200; round++) {
        const ty_mldsa_row *row = ty_mldsa_find(sets[round % 3]);
        const Bytes hash = rng.bytes(row->c_len);
        Bytes stream(3 * 136);
        ty_shake256_hash(stream.data(), stream.size(), hash.data(), hash.size());
        if (round >= 100) {   // a first block that runs out: no place is that high, but for the last of all
            std::fill(stream.begin() + 8, stream.begin() + 136, (uint8_t)255);
            for (int some = round % 7; some > 0; some--) stream[rng.below(128) + 8] = (uint8_t)rng.next();
        }
        std::vector<int32_t> want(256), c(256);
        size_t at = 8;
        for (int i = 256 - row->tau, n = 0; i < 256; i++, n++) {
            while (stream[at] > i) at++;
            want[(size_t)i] = want[stream[at]];
            want[stream[at++]] = stream[(size_t)n / 8] >> n % 8 & 1 ? -1 : 1;
        }
        ty_mldsa_ball ball;
        uint8_t block[136];
        std::copy_n(stream.begin(), 136, block);
        ty_mldsa_ball_from_vt(&ball, block, hash.data(), row);
        ASSERT_EQ(ball.n, row->tau);
        ty_mldsa_ball_poly(c.data(), &ball, 1);
        ASSERT_EQ(c, want) << round;
        ty_mldsa_ball_poly(c.data(), &ball, -1);
        for (size_t i = 0; i < 256; i++) ASSERT_EQ(c[i], -want[i]);
    }
}

// The sparse product against the rule x^256 = -1, coefficient by coefficient; the extremes, where every sum is full.
TEST(Mldsa, ChallengeTimesSmall)
{
    for_each_tier<ty_mldsa_ops>(ty_mldsa_tiers, [&](const ty_mldsa_ops *ops, const char *) {
        TestRng rng(30);
        for (int round = 0; round < 60; round++) {
            const ty_mldsa_row *row = ty_mldsa_find(sets[round % 3]);
            const int eta = row->eta;
            std::vector<int32_t> c(256), s(256), want(256);
            ty_mldsa_ball ball, *const places = &ball;
            const Bytes hash = rng.bytes(row->c_len);
            const uint8_t *in = hash.data();
            ty_mldsa_ball_vt(&places, &in, 1, row);
            if (round < 12) ball.plus = round % 2 ? ball.n : 0;   // all of one sign
            std::fill(c.begin(), c.end(), 0);
            for (size_t i = 0; i < ball.n; i++) c[ball.at[i]] = i < ball.plus ? 1 : -1;
            for (auto &x : s) x = round < 6 ? eta : round < 12 ? -eta : (int)rng.below(2 * (uint32_t)eta + 1) - eta;
            for (int i = 0; i < 256; i++)
                for (int j = 0; j < 256; j++) want[(i + j) % 256] += (i + j < 256 ? 1 : -1) * c[i] * s[j];
            Guarded e(512), z(1024);
            for (int i = 0; i < 256; i++) {
                ((int8_t *)e.data())[i] = (int8_t)-s[i];
                ((int8_t *)e.data())[256 + i] = (int8_t)s[i];
            }
            EXPECT_EQ(ball.n, row->tau);
            int32_t most = 0;
            for (int i = 0; i < 256; i++) {
                ((int32_t *)z.data())[i] = (int32_t)rng.below(1 << 20) - (1 << 19);
                want[i] += ((int32_t *)z.data())[i];
                most = std::max(most, std::abs(want[i]));
            }
            const Bytes before(z.data(), z.data() + 1024);
            for (int32_t bound : {most, most + 1}) {
                std::copy(before.begin(), before.end(), z.data());
                EXPECT_EQ(ops->add_times((int32_t *)z.data(), &ball, (const int8_t *)e.data(), eta, bound), bound == most ? 1u : 0u);
                ASSERT_EQ(std::memcmp(z.data(), want.data(), 1024), 0) << round;
            }
            // one coefficient at the bound, at every place; and all of them
            const std::vector<int8_t> nothing(512);
            for (int i = 0; i < 257; i++) {
                std::vector<int32_t> a(256, i == 256 ? 1000 : -999);
                if (i < 256) a[i] = i % 2 ? 1000 : -1000;
                EXPECT_EQ(ops->add_times(a.data(), &ball, nothing.data(), eta, 1000), 1u) << i;
                EXPECT_EQ(ops->add_times(a.data(), &ball, nothing.data(), eta, 1001), 0u) << i;
            }
        }
    });
}

TEST(Mldsa, ContextsAndPieces)
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
                const ty_err a = ty_mldsa_verify(sig.data(), sig.size(), m.data(), m.size(), c.data(), c.size(), pub);
                EXPECT_EQ(ty_mldsa_verifier_verify(sig.data(), sig.size(), m.data(), m.size(), c.data(), c.size(),
                                                   key.verifier.get()), a);
                return a;
            };
            ASSERT_EQ(ty_mldsa_sign(sig.data(), sig.size(), msg.data(), msg.size(), ctx.data(), ctx.size(), key.key.get(), &source), TY_OK);
            EXPECT_EQ(verify(msg, ctx), TY_OK);
            EXPECT_EQ(verify(msg, Bytes{1}), ctx == Bytes{1} ? TY_OK : TY_ERR_VERIFY);
            EXPECT_EQ(verify(Bytes{2}, ctx), TY_ERR_VERIFY);
            ASSERT_EQ(ty_mldsa_signer_sign(sig.data(), sig.size(), msg.data(), msg.size(), ctx.data(), ctx.size(), key.signer.get(), &source), TY_OK);
            EXPECT_EQ(verify(msg, ctx), TY_OK);
            EXPECT_EQ(verify(msg, long_ctx), TY_ERR_SIZE);
        }
        EXPECT_EQ(ty_mldsa_sign(sig.data(), sig.size(), nullptr, 0, long_ctx.data(), 256, key.key.get(), &source), TY_ERR_SIZE);
        EXPECT_EQ(sig, Bytes(key.sig_len));
        // hedged signatures differ, deterministic ones do not
        Bytes a(key.sig_len), b(key.sig_len), mu = random_mu(rng);
        ASSERT_EQ(ty_mldsa_sign_mu(a.data(), a.size(), mu.data(), key.key.get(), &source), TY_OK);
        ASSERT_EQ(ty_mldsa_sign_mu(b.data(), b.size(), mu.data(), key.key.get(), &source), TY_OK);
        EXPECT_NE(a, b);
        ASSERT_EQ(ty_mldsa_sign_mu(a.data(), a.size(), mu.data(), key.key.get(), nullptr), TY_OK);
        ASSERT_EQ(ty_mldsa_sign_small(b.data(), b.size(), mu.data(), key.key.get(), nullptr), TY_OK);
        EXPECT_EQ(a, b);
        ASSERT_EQ(ty_mldsa_sign_checked(b.data(), b.size(), mu.data(), key.key.get(), nullptr), TY_OK);
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
        ASSERT_EQ(ty_mldsa_sign_hash(sig.data(), sig.size(), d.data(), d.size(), hash, nullptr, 0, key.key.get(), nullptr), TY_OK);
        EXPECT_EQ(ty_mldsa_verify_hash(sig.data(), sig.size(), d.data(), d.size(), hash, nullptr, 0, &key.key->pub), TY_OK);
        EXPECT_EQ(ty_mldsa_verify(sig.data(), sig.size(), d.data(), d.size(), nullptr, 0, &key.key->pub), TY_ERR_VERIFY);
        EXPECT_EQ(ty_mldsa_verify_hash(sig.data(), sig.size(), d.data(), d.size() - 1, hash, nullptr, 0, &key.key->pub), TY_ERR_ARG);
        ASSERT_EQ(ty_mldsa_mu_hash(mu.data(), d.data(), d.size(), hash, nullptr, 0, &key.key->pub), TY_OK);
        for (const Bytes &other : all) EXPECT_NE(other, mu);   // hashes of one length are told apart
        all.push_back(mu);
    }
    EXPECT_EQ(ty_mldsa_mu_hash(mu.data(), sig.data(), 32, (ty_mldsa_hash)13, nullptr, 0, &key.key->pub), TY_ERR_ARG);
    EXPECT_EQ(mu, Bytes(64));
    // SM3, by hand: 1, 0, the identifier 1.2.156.10197.1.401, the digest
    const Bytes d(32, 9);
    Bytes by_hand = unhex("0100 0608 2a811ccf5501 8311");
    by_hand.insert(by_hand.end(), d.begin(), d.end());
    ty_mldsa_mu_raw(pure.data(), by_hand.data(), by_hand.size(), &key.key->pub);
    EXPECT_EQ(pure, all.back());
}

// --- Many at once --------------------------------------------------------------------------------------------
namespace {

// Jobs in a random order: sets, raw and ready keys, two of every three keys shared, contexts, lengths, mu given.
struct Many {
    std::vector<std::unique_ptr<Key>> keys;
    struct Job {
        const Key *key;
        bool ready, by_mu;
        Bytes msg, ctx, mu, sig;
        void use(const Key *k)
        {
            ty_mldsa_mu running;
            key = k;
            EXPECT_EQ(ty_mldsa_mu_init(&running, ctx.data(), ctx.size(), &k->key->pub), TY_OK);
            ty_mldsa_mu_update(&running, msg.data(), msg.size());
            ty_mldsa_mu_final(mu.data(), &running);
            sig = Bytes(k->sig_len, 1);
        }
    };
    std::vector<Job> jobs;
    Many(TestRng &rng, size_t n)
    {
        for (ty_mldsa_set set : sets)
            for (int i = 0; i < 3; i++) keys.emplace_back(new Key(set, rng.bytes(32)));
        for (size_t i = 0; i < n; i++) {
            Job j{keys[rng.below(9)].get(), rng.below(2) == 0, rng.below(4) == 0, rng.bytes(rng.below(700)), rng.bytes(rng.below(256)), Bytes(64), {}};
            if (i % 16 == 15) j.msg = rng.bytes(5000);   // goes on when the other lanes are done
            j.use(j.key);
            jobs.push_back(j);
        }
    }
    std::vector<ty_mldsa_sign_job> to_sign()
    {
        std::vector<ty_mldsa_sign_job> out;
        for (Job &j : jobs)
            out.push_back({j.sig.data(), j.sig.size(), j.by_mu ? j.mu.data() : nullptr, j.msg.data(), j.msg.size(), j.ctx.data(),
                           j.ctx.size(), j.ready ? nullptr : j.key->key.get(), j.ready ? j.key->signer.get() : nullptr, TY_ERR_IO});
        return out;
    }
    std::vector<ty_mldsa_verify_job> to_verify()
    {
        std::vector<ty_mldsa_verify_job> out;
        for (Job &j : jobs)
            out.push_back({j.sig.data(), j.sig.size(), j.by_mu ? j.mu.data() : nullptr, j.msg.data(), j.msg.size(), j.ctx.data(),
                           j.ctx.size(), j.ready ? nullptr : &j.key->key->pub, j.ready ? j.key->verifier.get() : nullptr, TY_ERR_IO});
        return out;
    }
};

}   // namespace

TEST(MldsaMany, SignsAndVerifiesAsOneByOne)
{
    each_tier([] {
        TestRng rng(20), draws(21);
        for (size_t n : {(size_t)1, (size_t)3, (size_t)(full() ? 300 : 21)}) {
            Many many(rng, n);
            auto sign = many.to_sign();
            const auto fresh = draws.bytes(32 * n);
            ScriptRng script(fresh);
            const ty_rng source = script.ty();
            ASSERT_EQ(ty_mldsa_many_sign(sign.data(), n, &source), TY_OK);
            EXPECT_EQ(script.used, 32 * n);
            for (size_t i = 0; i < n; i++) {
                Bytes want(many.jobs[i].key->sig_len);
                EXPECT_EQ(sign[i].err, TY_OK);
                ASSERT_EQ(ty_mldsa_sign_internal(want.data(), many.jobs[i].mu.data(), &fresh[32 * i], {many.jobs[i].key->signer.get(), nullptr}), TY_OK);
                EXPECT_EQ(many.jobs[i].sig, want) << i;
            }
            auto verify = many.to_verify();
            ASSERT_EQ(ty_mldsa_many_verify(verify.data(), n), TY_OK);
            for (const auto &job : verify) EXPECT_EQ(job.err, TY_OK);
            // deterministically, without a source; then every third signature is damaged, one is short
            sign = many.to_sign();
            ASSERT_EQ(ty_mldsa_many_sign(sign.data(), n, nullptr), TY_OK);
            EXPECT_EQ(many.jobs[0].sig, many.jobs[0].key->sign(many.jobs[0].mu, Bytes(32)));
            for (size_t i = 0; i < n; i += 3) many.jobs[i].sig[rng.below((uint32_t)many.jobs[i].sig.size())] ^= 4;
            if (n > 1) many.jobs[1].sig.pop_back();
            verify = many.to_verify();
            EXPECT_EQ(ty_mldsa_many_verify(verify.data(), n), TY_ERR_VERIFY);
            for (size_t i = 0; i < n; i++) EXPECT_EQ(verify[i].err, i % 3 == 0 || i == 1 ? TY_ERR_VERIFY : TY_OK) << i;
        }
    });
    EXPECT_EQ(ty_mldsa_many_sign(nullptr, 0, nullptr), TY_OK);
    EXPECT_EQ(ty_mldsa_many_verify(nullptr, 0), TY_OK);
    EXPECT_EQ(ty_mldsa_many_keygen(nullptr, 0, nullptr), TY_OK);
}

TEST(MldsaMany, KeysGrowAsOneByOne)
{
    each_tier([] {
        TestRng rng(22);
        const size_t n = full() ? 100 : 14;
        std::vector<ty_mldsa_key> keys(n);
        std::vector<ty_mldsa_keygen_job> jobs;
        const Bytes seeds = rng.bytes(32 * n), drawn = rng.bytes(32 * n);
        ScriptRng script(drawn);
        const ty_rng source = script.ty();
        for (size_t i = 0; i < n; i++) jobs.push_back({&keys[i], sets[rng.below(3)], i % 4 ? &seeds[32 * i] : nullptr, TY_ERR_IO});
        jobs[5].set = (ty_mldsa_set)45;
        std::memset(&keys[5], 1, sizeof keys[5]);
        EXPECT_EQ(ty_mldsa_many_keygen(jobs.data(), n, &source), TY_ERR_ARG);
        for (size_t i = 0, at = 0; i < n; i++) {
            ty_mldsa_key want;
            EXPECT_EQ(jobs[i].err, i == 5 ? TY_ERR_ARG : TY_OK);
            const uint8_t *seed = i % 4 ? &seeds[32 * i] : &drawn[32 * at++];
            EXPECT_EQ(ty_mldsa_key_from_seed(&want, seed, jobs[i].set), jobs[i].err);
            EXPECT_EQ(std::memcmp(&want, &keys[i], sizeof want), 0) << i;
        }
        EXPECT_EQ(ty_mldsa_many_keygen(&jobs[4], 1, nullptr), TY_ERR_ARG) << "neither seed nor source";
        FailingRng failing(1);
        const ty_rng dying = failing.ty();
        ty_mldsa_keygen_job two[2] = {{&keys[0], TY_MLDSA_44, nullptr, TY_OK}, {&keys[1], TY_MLDSA_44, nullptr, TY_OK}};
        EXPECT_EQ(ty_mldsa_many_keygen(two, 2, &dying), TY_ERR_RNG);
        EXPECT_EQ(two[0].err, TY_OK);
        EXPECT_EQ(hex(&keys[1], sizeof keys[1]), std::string(2 * sizeof keys[1], '0'));
    });
}

// What is wrong with one job is told of that job, and the others are signed.
TEST(MldsaMany, BadJobsStandAlone)
{
    TestRng rng(23);
    const std::unique_ptr<ty_mldsa_key> never(new ty_mldsa_key());
    const std::unique_ptr<ty_mldsa_signer> empty(new ty_mldsa_signer());
    Many many(rng, 8);
    for (auto &j : many.jobs) j.by_mu = false;
    auto sign = many.to_sign();
    sign[1].ctx_len = 256;
    sign[2].sig_len--;
    sign[4].key = never.get(), sign[4].signer = nullptr;
    sign[5].key = nullptr, sign[5].signer = empty.get();
    EXPECT_EQ(ty_mldsa_many_sign(sign.data(), 8, nullptr), TY_ERR_SIZE);
    const ty_err want[8] = {TY_OK, TY_ERR_SIZE, TY_ERR_SIZE, TY_OK, TY_ERR_ARG, TY_ERR_ARG, TY_OK, TY_OK};
    for (size_t i = 0; i < 8; i++) {
        EXPECT_EQ(sign[i].err, want[i]) << i;
        const auto &j = many.jobs[i];
        const Bytes left = want[i] == TY_OK ? j.key->sign(j.mu, Bytes(32)) : Bytes(j.sig.size(), i == 2);   // of a wrong length: untouched
        EXPECT_EQ(j.sig, left) << i;
    }
    auto verify = many.to_verify();
    const ty_mldsa_pub nobody{};
    verify[1].ctx_len = 256;
    verify[4].pub = &nobody, verify[4].verifier = nullptr;
    EXPECT_EQ(ty_mldsa_many_verify(verify.data(), 8), TY_ERR_SIZE);
    const ty_err verdict[8] = {TY_OK, TY_ERR_SIZE, TY_ERR_VERIFY, TY_OK, TY_ERR_ARG, TY_ERR_VERIFY, TY_OK, TY_OK};
    for (size_t i = 0; i < 8; i++) EXPECT_EQ(verify[i].err, verdict[i]) << i;
    FailingRng failing(2);
    const ty_rng dying = failing.ty();
    sign = many.to_sign();
    EXPECT_EQ(ty_mldsa_many_sign(sign.data(), 4, &dying), TY_ERR_RNG);
    EXPECT_EQ(sign[0].err, TY_OK);
    EXPECT_EQ(sign[3].err, TY_ERR_RNG);
    EXPECT_EQ(many.jobs[3].sig, Bytes(many.jobs[3].key->sig_len));
}

// With AVX-512 eight go side by side: nine jobs are a full group and one more. The sponge is emulated, so no matrix is made here.
TEST(MldsaMany, EightLanes)
{
    const ty_tier *row = ty_keccak_tiers;
    while (row->name && std::string(row->name) != "avx512") row++;
    if (!row->name || no_emulation() || (row->need & ~ty_cpu_have() & ~emu_features())) return;
    TestRng rng(25);
    Many many(rng, 9);
    for (auto &j : many.jobs) {
        j.use(many.keys[2].get());
        j.ready = true;
        j.sig = j.key->sign(j.mu, Bytes(32));
    }
    many.jobs[6].sig[0] ^= 1;
    auto verify = many.to_verify();
    ty_cpu_assume(row->need | TY_CPU_KNOWN);
    EXPECT_EQ(ty_keccak_best()->lanes, 8u);
    EXPECT_EQ(ty_mldsa_many_verify(verify.data(), 9), TY_ERR_VERIFY);
    for (size_t i = 0; i < 9; i++) EXPECT_EQ(verify[i].err, i == 6 ? TY_ERR_VERIFY : TY_OK) << i;
    if (full()) {
        auto sign = many.to_sign();
        EXPECT_EQ(ty_mldsa_many_sign(sign.data(), 9, nullptr), TY_OK);
    }
    ty_cpu_assume(0);
    for (const auto &j : many.jobs)
        if (full()) { EXPECT_EQ(j.sig, j.key->sign(j.mu, Bytes(32))); }
}

TEST(MldsaMany, OnThreads)
{
    TestRng rng(24);
    Many many(rng, 24);
    auto sign = many.to_sign();
    const auto part = [](void *ctx, size_t from, size_t to) { return ty_mldsa_many_sign((ty_mldsa_sign_job *)ctx + from, to - from, nullptr); };
    ASSERT_EQ(ty_parallel(24, 8, 2, part, sign.data()), TY_OK);
    for (const auto &j : many.jobs) EXPECT_EQ(j.sig, j.key->sign(j.mu, Bytes(32)));
}

// --- What must be refused ----------------------------------------------------------------------------------

TEST(MldsaRefuses, ChangedSignatures)
{
    TestRng rng(7);
    for (ty_mldsa_set set : sets) {
        const Key key(set, rng.bytes(32));
        const Bytes mu = random_mu(rng), sig = key.sign(mu, Bytes(32));
        ASSERT_EQ(key.verify(sig, mu), TY_OK);
        for (size_t i = 0; i < sig.size(); i += full() ? 1 : 37) {
            Bytes bad = sig;
            bad[i] ^= (uint8_t)(1 << rng.below(8));
            EXPECT_EQ(key.verify(bad, mu), TY_ERR_VERIFY) << i;
        }
        Bytes bad = sig;
        bad.push_back(0);
        EXPECT_EQ(key.verify(bad, mu), TY_ERR_VERIFY);
        bad.resize(sig.size() - 1);
        EXPECT_EQ(key.verify(bad, mu), TY_ERR_VERIFY);
        EXPECT_EQ(key.verify(Bytes(), mu), TY_ERR_VERIFY);
    }
}

// The same hint, or the same z, written in another way: refused by the decoder itself, before any hash is compared.
TEST(MldsaRefuses, OtherEncodings)
{
    TestRng rng(8);
    for (ty_mldsa_set set : sets) {
        const ty_mldsa_row *row = ty_mldsa_find(set);
        const size_t omega = row->omega, k = row->k;
        uint32_t h[8][8] = {}, back[8][8];
        for (size_t n = 0; n < omega - 5; n++) h[n % k][rng.below(8)] |= 1u << rng.below(32);
        h[0][0] |= 3;
        h[k - 1][0] |= 1;
        Bytes in(omega + k);
        ty_mldsa_hint_pack(in.data(), h, row);
        ASSERT_EQ(ty_mldsa_hint_unpack_vt(back, in.data(), row), 1);
        ASSERT_EQ(std::memcmp(h, back, k * sizeof h[0]), 0);
        const auto refused = [&](Bytes bad) { return ty_mldsa_hint_unpack_vt(back, Guarded(bad.data(), bad.size()).data(), row) == 0; };
        Bytes bad = in;
        std::swap(bad[0], bad[1]);
        EXPECT_TRUE(refused(bad)) << "positions fall";
        bad = in;
        bad[1] = bad[0];
        EXPECT_TRUE(refused(bad)) << "a position twice";
        bad = in;
        bad[omega] = (uint8_t)(in[omega + 1] + 1);
        EXPECT_TRUE(refused(bad)) << "counts fall";
        for (size_t i : {(size_t)0, k - 1}) {
            bad = in;
            for (size_t j = i; j < k; j++) bad[omega + j] = (uint8_t)(omega + 1);
            EXPECT_TRUE(refused(bad)) << "a count above omega";
            bad[omega + i] = 255;
            EXPECT_TRUE(refused(bad));
        }
        if (in[omega + k - 1] < omega) {
            bad = in;
            bad[omega - 1] = 1;
            EXPECT_TRUE(refused(bad)) << "padding";
        }
        // z one beyond the bound, and the field of most distance
        const Key key(set, rng.bytes(32));
        const Bytes mu = random_mu(rng), sig = key.sign(mu, Bytes(32));
        std::vector<int32_t> z(256);
        for (int32_t x : {row->gamma1 - row->beta, -(row->gamma1 - row->beta), row->gamma1, 1 - row->gamma1}) {
            bad = sig;
            ty_mldsa_ops_c.unpack(z.data(), &bad[row->c_len], row->z_bits, row->gamma1);
            z[rng.below(256)] = x;
            ty_mldsa_ops_c.pack(&bad[row->c_len], z.data(), row->z_bits, row->gamma1);
            EXPECT_EQ(key.verify(bad, mu), TY_ERR_VERIFY);
        }
    }
}

TEST(MldsaRefuses, CorruptedKeys)
{
    TestRng rng(9);
    for (ty_mldsa_set set : sets) {
        const Key key(set, rng.bytes(32));
        const ty_mldsa_row *row = ty_mldsa_find(set);
        const Bytes good(key.key->bytes, key.key->bytes + row->key_len);
        const size_t t0 = 128 + 32u * row->eta_bits * (row->k + row->l);
        ty_mldsa_key k;
        ASSERT_EQ(ty_mldsa_key_set(&k, good.data(), good.size()), TY_OK);
        EXPECT_EQ(hex(k.pub.bytes, row->pub_len), hex(key.key->pub.bytes, row->pub_len));
        EXPECT_EQ(k.has_seed, 0u);
        const auto zeroed = [&] { return hex(&k, sizeof k) == std::string(2 * sizeof k, '0'); };
        for (size_t at : {(size_t)0, (size_t)31, (size_t)64, (size_t)127, (size_t)128, t0 - 1, t0, good.size() - 1}) {
            Bytes bad = good;
            bad[at] ^= 1;   // rho, tr, s, t0
            EXPECT_EQ(ty_mldsa_key_set(&k, bad.data(), bad.size()), TY_ERR_KEY) << at;
            EXPECT_TRUE(zeroed());
        }
        Bytes bad = good;   // K belongs to nothing that could be checked
        bad[40] ^= 1;
        EXPECT_EQ(ty_mldsa_key_set(&k, bad.data(), bad.size()), TY_OK);
        // a key that fits together, but for one coefficient of -eta - 1: the range check alone can see it
        bad = good;
        std::vector<int32_t> s(256);
        ty_mldsa_ops_c.unpack(s.data(), &bad[128], row->eta_bits, row->eta);
        s[77] = -row->eta - 1;
        ty_mldsa_ops_c.pack(&bad[128], s.data(), row->eta_bits, row->eta);
        EXPECT_EQ(ty_mldsa_key_set(&k, bad.data(), bad.size()), TY_ERR_KEY);
        EXPECT_EQ(ty_mldsa_key_set(&k, good.data(), good.size() - 1), TY_ERR_FORMAT);
        EXPECT_TRUE(zeroed());
        ty_mldsa_pub pub;
        EXPECT_EQ(ty_mldsa_pub_set(&pub, good.data(), row->pub_len + 1u), TY_ERR_FORMAT);
        EXPECT_EQ(pub.set, 0);
    }
}

TEST(MldsaRefuses, WhatWasNeverSet)
{
    const std::unique_ptr<ty_mldsa_key> key(new ty_mldsa_key());
    const std::unique_ptr<ty_mldsa_signer> signer(new ty_mldsa_signer());
    const std::unique_ptr<ty_mldsa_verifier> verifier(new ty_mldsa_verifier());
    Bytes sig(2420, 1), mu(64);
    EXPECT_EQ(ty_mldsa_sign_mu(sig.data(), sig.size(), mu.data(), key.get(), nullptr), TY_ERR_ARG);
    EXPECT_EQ(sig, Bytes(2420));
    EXPECT_EQ(ty_mldsa_sign_small(sig.data(), sig.size(), mu.data(), key.get(), nullptr), TY_ERR_ARG);
    EXPECT_EQ(ty_mldsa_sign(sig.data(), sig.size(), nullptr, 0, nullptr, 0, key.get(), nullptr), TY_ERR_ARG);
    EXPECT_EQ(ty_mldsa_signer_sign_mu(sig.data(), sig.size(), mu.data(), signer.get(), nullptr), TY_ERR_ARG);
    EXPECT_EQ(ty_mldsa_verify_mu(sig.data(), sig.size(), mu.data(), &key->pub), TY_ERR_ARG);
    EXPECT_EQ(ty_mldsa_verifier_verify_mu(sig.data(), sig.size(), mu.data(), verifier.get()), TY_ERR_ARG);
    EXPECT_EQ(ty_mldsa_signer_init(signer.get(), key.get()), TY_ERR_ARG);
    EXPECT_EQ(ty_mldsa_verifier_init(verifier.get(), &key->pub), TY_ERR_ARG);
    EXPECT_EQ(ty_mldsa_key_from_seed(key.get(), mu.data(), (ty_mldsa_set)45), TY_ERR_ARG);
    ty_mldsa_mu running;
    EXPECT_EQ(ty_mldsa_mu_init(&running, nullptr, 0, &key->pub), TY_ERR_ARG);
    ty_mldsa_mu_update(&running, sig.data(), sig.size());
    ty_mldsa_mu_final(mu.data(), &running);
    EXPECT_EQ(mu, Bytes(64));
}

TEST(Mldsa, RandomSourceFails)
{
    TestRng rng(10);
    FailingRng failing(0);
    const ty_rng dead = failing.ty(), alive = rng.ty();
    const std::unique_ptr<ty_mldsa_key> key(new ty_mldsa_key);
    std::memset(key.get(), 1, sizeof *key);
    EXPECT_EQ(ty_mldsa_keygen(key.get(), TY_MLDSA_65, &dead), TY_ERR_RNG);
    EXPECT_EQ(hex(key.get(), sizeof *key), std::string(2 * sizeof *key, '0'));
    EXPECT_EQ(ty_mldsa_keygen(key.get(), (ty_mldsa_set)1, &alive), TY_ERR_ARG);
    ASSERT_EQ(ty_mldsa_keygen(key.get(), TY_MLDSA_65, &alive), TY_OK);
    EXPECT_EQ(key->has_seed, 1u);
    Bytes sig(3309, 1), mu(64);
    EXPECT_EQ(ty_mldsa_sign_mu(sig.data(), sig.size(), mu.data(), key.get(), &dead), TY_ERR_RNG);
    EXPECT_EQ(sig, Bytes(3309));
    sig.assign(3310, 1);
    EXPECT_EQ(ty_mldsa_sign_mu(sig.data(), sig.size(), mu.data(), key.get(), &alive), TY_ERR_SIZE);
    EXPECT_EQ(sig, Bytes(3310, 1));
}

// The bound of appendix C: a key whose t0 is far too large rejects every attempt, and the loop ends.
TEST(Mldsa, AttemptsAreBounded)
{
    const Key key(TY_MLDSA_44, Bytes(32, 3));
    const ty_mldsa_row *row = ty_mldsa_find(TY_MLDSA_44);
    auto *t0 = key.signer->polys[row->k * row->l + row->l + row->k];
    for (int i = 0; i < 256; i++) t0[i] = TY_Q / 2 - 7919 * i;
    Bytes sig(key.sig_len, 1), mu(64);
    EXPECT_EQ(ty_mldsa_signer_sign_mu(sig.data(), sig.size(), mu.data(), key.signer.get(), nullptr), TY_ERR_FAULT);
    EXPECT_EQ(sig, Bytes(key.sig_len));
}
