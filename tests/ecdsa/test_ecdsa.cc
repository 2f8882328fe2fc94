// ECDSA and DSTU 4145 over binary curves: the examples of RFC 6979 and of DSTU 4145-2002, the
// shared vectors, what must be refused, many at once; scalars modulo each order.
extern "C" {   // internal headers are plain C
#include "ec/ec_binary.h"
#include "ecdsa/dstu4145.h"
#include "ecdsa/ecdsa.h"
#include "modn/scalar.h"
}
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include "tongyu/ec_any.h"
#include "tongyu/ecdsa.h"
#include "tongyu/ecdsa_many.h"
#include "tongyu/os.h"
#include "tongyu/sha2.h"
#include "tongyu/sm3.h"
#include <cstring>
#include <gtest/gtest.h>
#include <memory>

namespace {

Bytes scalar(std::string h, size_t size)   // padded with zeros to size; longer if the number is
{
    Bytes k = unhex(h.size() % 2 ? "0" + h : h);
    if (k.size() < size) k.insert(k.begin(), size - k.size(), 0);
    while (k.size() > size && k[0] == 0) k.erase(k.begin());
    return k;
}

struct Scalars {
    ty_scalar_ring r;
    Scalars(const ty_ec_curve *c, const ty_limb_ops *ops)
    {
        ty_scalar_ring_init(&r, c->n, c->n_bits);
        r.ops = ops;
    }
    ty_scalar set(const Bytes &x) const
    {
        ty_scalar z;
        ty_scalar_set(&z, x.data(), x.size(), &r);
        return z;
    }
    Bytes get(const ty_scalar &x) const
    {
        Bytes b(r.len);
        ty_scalar_get(b.data(), &x, &r);
        return b;
    }
    ty_scalar mul(const ty_scalar &x, const ty_scalar &y) const
    {
        ty_scalar z;
        ty_scalar_mul(&z, &x, &y, &r);
        return z;
    }
    ty_scalar add(const ty_scalar &x, const ty_scalar &y) const
    {
        ty_scalar z;
        ty_scalar_add(&z, &x, &y, &r);
        return z;
    }
    ty_scalar inv(const ty_scalar &x) const { ty_scalar z; ty_scalar_inv(&z, &x, &r); return z; }
};

}   // namespace

// n - 1 behaves as -1; the distributive and the associative law; inverses
static void laws(const Scalars &s, TestRng &rng, const Bytes &n, int rounds)
{
    const Bytes zero(s.r.len);
    Bytes one = zero, top = n;
    one.back() = 1;
    top.back()--;
    const ty_scalar u = s.set(one), minus = s.set(top);
    // 2^(8i), also where that takes more bytes than the ring's limbs: 256 times 2^(8i - 8)
    ty_scalar power = u, byte = s.set(scalar("0100", s.r.len));
    for (size_t i = 1; i < 2 * s.r.len; i++) {
        Bytes long_(i + 1);
        long_[0] = 1;
        power = s.mul(power, byte);
        ASSERT_EQ(s.get(s.set(long_)), s.get(power)) << i;
    }
    EXPECT_EQ(hex(s.get(u)), hex(one));
    EXPECT_EQ(hex(s.get(minus)), hex(top));
    EXPECT_EQ(hex(s.get(s.set(n))), hex(zero));
    EXPECT_EQ(hex(s.get(s.add(u, minus))), hex(zero));
    EXPECT_EQ(hex(s.get(s.mul(minus, minus))), hex(one));
    EXPECT_EQ(hex(s.get(s.inv(minus))), hex(top));
    EXPECT_EQ(hex(s.get(s.inv(s.set(zero)))), hex(zero));
    const ty_scalar nothing = s.set(n);
    EXPECT_NE(ty_scalar_iszero(&nothing, &s.r), 0u);
    for (int j = 0; j < rounds; j++) {
        const ty_scalar x = s.set(rng.bytes(s.r.len)), y = s.set(rng.bytes(s.r.len)),
                        z = s.set(rng.bytes(s.r.len));
        EXPECT_EQ(s.get(s.mul(x, s.add(y, z))), s.get(s.add(s.mul(x, y), s.mul(x, z))));
        EXPECT_EQ(s.get(s.mul(s.mul(x, y), z)), s.get(s.mul(x, s.mul(y, z))));
        EXPECT_EQ(hex(s.get(s.mul(x, s.inv(x)))), hex(one));
        EXPECT_EQ(hex(s.get(s.set(s.get(x)))), hex(s.get(x)));
    }
}

TEST(Scalar, LawsModuloEveryOrder)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [](const ty_limb_ops *ops, const char *) {
        for (size_t i = 0; const ty_ec_curve *c = ty_ec_curve_at(i); i++) {
            SCOPED_TRACE(ty_ec_curve_name(c));
            const Scalars s(c, ops);
            TestRng rng(i);
            laws(s, rng, Bytes(c->n, c->n + s.r.len), full() ? 200 : 3);
        }
    });
}

static const struct Example {
    const char *curve, *d, *r, *s;
    int longer;   // bits of a longer hash; 0: none
    const char *longer_r, *longer_s;
} examples[] = {
#include "ecdsa/rfc6979.inc"
};

static Bytes pair(const char *r, const char *s, size_t len)
{
    Bytes sig = scalar(r, len);
    const Bytes rest = scalar(s, len);
    sig.insert(sig.end(), rest.begin(), rest.end());
    return sig;
}

static void check_example(const Example &x)
{
    const ty_ec_curve *c = ty_ec_curve_named(x.curve);
    const size_t len = ty_ec_order_len(c);
    const Bytes d = scalar(x.d, len), msg = bytes("sample"), want = pair(x.r, x.s, len);
    ty_ec_key key;
    ASSERT_EQ(ty_ec_key_set(&key, c, d.data(), d.size()), TY_OK);
    uint8_t digest[64];
    Bytes sig(2 * len);
    ty_sha256_hash(digest, msg.data(), msg.size());
    ASSERT_EQ(ty_ecdsa_sign(sig.data(), digest, 32, &key, nullptr), TY_OK);
    EXPECT_EQ(hex(sig), hex(want));
    EXPECT_EQ(ty_ecdsa_verify(want.data(), want.size(), digest, 32, &key.pub), TY_OK);
    if (!x.longer) return;
    const Bytes other = pair(x.longer_r, x.longer_s, len);
    (x.longer == 512 ? ty_sha512_hash : ty_sha384_hash)(digest, msg.data(), msg.size());
    EXPECT_EQ(ty_ecdsa_verify(other.data(), other.size(), digest, (size_t)x.longer / 8, &key.pub),
              TY_OK);
}

TEST(Ecdsa, TheExamplesOfRfc6979)
{
    for (const char *limit : {(const char *)nullptr, "c"}) {
        ASSERT_EQ(ty_tier_limit(limit), TY_OK);
        for (const Example &x : examples) {
            // for longer orders the portable tier is slow
            if (limit && !full() && std::strlen(x.d) > 60) continue;
            SCOPED_TRACE(std::string(x.curve) + (limit ? ", portable" : ""));
            check_example(x);
        }
    }
    ASSERT_EQ(ty_tier_limit(nullptr), TY_OK);
}

TEST(Ecdsa, SignAndVerify)
{
    TestRng r(11);
    const ty_rng rng = r.ty();
    FailingRng none(0);
    const ty_rng failing = none.ty();
    for (size_t i = 0; const ty_ec_curve *c = ty_ec_curve_at(i); i++) {
        if (i % 4 && !full()) continue;
        SCOPED_TRACE(ty_ec_curve_name(c));
        const size_t l = ty_ec_order_len(c);
        ty_ec_key key;
        ASSERT_EQ(ty_ec_keygen(&key, c, &rng), TY_OK);
        for (size_t digest_len : {1, 20, 32, 100}) {
            Bytes digest = r.bytes(digest_len), sig(2 * l), again(2 * l), fixed(2 * l);
            ASSERT_EQ(ty_ecdsa_sign(sig.data(), digest.data(), digest_len, &key, &rng), TY_OK);
            EXPECT_EQ(ty_ecdsa_verify(sig.data(), sig.size(), digest.data(), digest_len, &key.pub),
                      TY_OK);
            ASSERT_EQ(ty_ecdsa_sign(fixed.data(), digest.data(), digest_len, &key, nullptr), TY_OK);
            ASSERT_EQ(ty_ecdsa_sign(again.data(), digest.data(), digest_len, &key, nullptr), TY_OK);
            EXPECT_EQ(fixed, again);
            EXPECT_NE(fixed, sig);
            digest[0] ^= 0x80;
            EXPECT_EQ(ty_ecdsa_verify(sig.data(), sig.size(), digest.data(), digest_len, &key.pub),
                      TY_ERR_VERIFY);
            digest[0] ^= 0x80;
            for (size_t at : {(size_t)1, l - 1, l + 1, 2 * l - 1}) {
                Bytes bad = sig;
                bad[at] ^= 1;
                EXPECT_EQ(
                    ty_ecdsa_verify(bad.data(), bad.size(), digest.data(), digest_len, &key.pub),
                    TY_ERR_VERIFY);
            }
            EXPECT_EQ(ty_ecdsa_verify(sig.data(), 2 * l - 1, digest.data(), digest_len, &key.pub),
                      TY_ERR_VERIFY);
        }
        Bytes sig(2 * l, 7), digest(65);
        EXPECT_EQ(ty_ecdsa_sign(sig.data(), digest.data(), 32, &key, &failing), TY_ERR_RNG);
        EXPECT_EQ(sig, Bytes(2 * l));
        EXPECT_EQ(ty_ecdsa_sign(sig.data(), digest.data(), 0, &key, &rng), TY_ERR_ARG);
        EXPECT_EQ(ty_ecdsa_verify(sig.data(), 2 * l, digest.data(), 0, &key.pub), TY_ERR_ARG);
        key.pub.xy[3] ^= 1;
        EXPECT_EQ(ty_ecdsa_verify(sig.data(), 2 * l, digest.data(), 32, &key.pub), TY_ERR_KEY);
    }
}

// ty_ecdsa_sign_by passes the generator to the engine, as a point on the key's curve, and makes the
// signature from its product.
TEST(Ecdsa, SignsByAnEngine)
{
    struct Seen {
        const ty_ec_curve *curve;
        int calls;
    };
    const auto mul = [](void *ctx, uint8_t *xy, const uint8_t *k, const ty_ec_pub *pub) -> ty_err {
        Seen *seen = (Seen *)ctx;
        seen->calls++;
        EXPECT_EQ(pub->curve, seen->curve);
        EXPECT_EQ(std::memcmp(pub->xy, ty_ec_g(seen->curve), 2 * ty_ec_len(seen->curve)), 0);
        return ty_ec_binary_best(seen->curve)->mul_base(xy, k, seen->curve) ? TY_OK : TY_ERR_FAULT;
    };
    TestRng r(17);
    const ty_rng rng = r.ty();
    for (const char *name : {"sect163r2", "sect233k1"}) {
        Seen seen = { ty_ec_curve_named(name), 0 };
        const ty_ecdsa_engine engine = { mul, &seen };
        ty_ec_key key;
        ASSERT_EQ(ty_ec_keygen(&key, seen.curve, &rng), TY_OK);
        const Bytes digest = r.bytes(32);
        Bytes by_engine(2 * ty_ec_order_len(seen.curve)), alone(by_engine.size());
        ASSERT_EQ(ty_ecdsa_sign(alone.data(), digest.data(), 32, &key, nullptr), TY_OK);
        ASSERT_EQ(ty_ecdsa_sign_by(by_engine.data(), digest.data(), 32, &key, nullptr, &engine),
                  TY_OK);
        EXPECT_EQ(by_engine, alone) << name;
        EXPECT_EQ(seen.calls, 1) << name;
    }
}

TEST(Ecdsa, Vectors)
{
    const auto file = load_vectors("gf2m/binary_curves_a.json");
    if (!file) GTEST_SKIP() << "no vector files";
    size_t valid = 0, refused = 0;
    for (const Json &row : file->at("curves")) {
        const ty_ec_curve *c = ty_ec_curve_named(row.at("curve").text().c_str());
        ASSERT_NE(c, nullptr);
        SCOPED_TRACE(ty_ec_curve_name(c));
        size_t i = 0;
        for (const Json &v : row.at("ecdsa")) {
            if (i++ % (ty_ec_field_bits(c) > 200 ? 7 : 3) && !full()) continue;
            const Bytes q = field(v, "q"), digest = field(v, "digest");
            Bytes sig = scalar(v.at("r").text(), ty_ec_order_len(c)),
                  s = scalar(v.at("s").text(), ty_ec_order_len(c));
            // false for a number that is too long, such as r + n
            const bool fits = sig.size() + s.size() == 2 * ty_ec_order_len(c);
            sig.insert(sig.end(), s.begin(), s.end());
            ty_ec_pub pub;
            ASSERT_EQ(ty_ec_pub_set(&pub, c, q.data(), q.size()), TY_OK);
            const ty_err err =
                ty_ecdsa_verify(sig.data(), sig.size(), digest.data(), digest.size(), &pub);
            if (v.at("result") == "valid") valid++;
            else refused++;
            ASSERT_EQ(err, v.at("result") == "valid" ? TY_OK : TY_ERR_VERIFY) << v;
            if (!fits) { ASSERT_EQ(err, TY_ERR_VERIFY); }
        }
    }
    EXPECT_GT(valid, 20u);
    EXPECT_GT(refused, 50u);
}

// --- Many at once --------------------------------------------------------------------------------

namespace {

struct Signed {   // signatures on several curves, some of them wrong
    std::vector<ty_ec_key> keys;
    std::vector<Bytes> digests, sigs;
    std::vector<ty_ecdsa_verify_job> jobs;
    std::vector<ty_err> want;

    explicit Signed(size_t n)
    {
        TestRng r(12);
        const ty_rng rng = r.ty();
        for (const char *name : {"sect113r1", "sect163k1", "sect113r2"}) {
            ty_ec_key k;
            EXPECT_EQ(ty_ec_keygen(&k, ty_ec_curve_named(name), &rng), TY_OK);
            keys.push_back(k);
        }
        keys.push_back(keys[0]);
        keys.back().pub.xy[5] ^= 1;   // not a point
        for (size_t i = 0; i < n; i++) {
            const ty_ec_key &k = keys[i % 7 < 4 ? 0 : i % 3];
            digests.push_back(r.bytes(1 + i % 40));
            sigs.emplace_back(2 * ty_ec_order_len(k.pub.curve));
            EXPECT_EQ(ty_ecdsa_sign(sigs[i].data(), digests[i].data(), digests[i].size(), &k, &rng),
                      TY_OK);
            jobs.push_back({nullptr, 0, nullptr, digests[i].size(), &k.pub, TY_OK});
            switch (i % 11) {
            case 3: sigs[i].back() ^= 1; break;
            case 5: std::fill(sigs[i].begin(), sigs[i].end(), 0); break;
            case 6: jobs[i].digest_len = 0; break;
            case 8: jobs[i].pub = &keys[3].pub; break;
            case 9: sigs[i].pop_back(); break;
            }
        }
        for (size_t i = 0; i < n; i++) {
            jobs[i].sig = sigs[i].data();
            jobs[i].sig_len = sigs[i].size();
            jobs[i].digest = digests[i].data();
            const auto &j = jobs[i];
            want.push_back(ty_ecdsa_verify(j.sig, j.sig_len, j.digest, j.digest_len, j.pub));
            jobs[i].err = TY_ERR_IO;   // to be replaced
        }
    }
    ty_err first() const
    {
        for (const ty_err e : want)
            if (e != TY_OK) return e;
        return TY_OK;
    }
};

}   // namespace

TEST(EcdsaMany, EveryJobAsAlone)
{
    for (size_t n : {0, 1, 2, 3, 4, 33, 300}) {
        if (n == 300 && !full()) continue;
        SCOPED_TRACE(n);
        Signed s(n);
        EXPECT_EQ(ty_ecdsa_many_verify(s.jobs.data(), n), s.first());
        for (size_t i = 0; i < n; i++) EXPECT_EQ(s.jobs[i].err, s.want[i]) << i;
    }
}

TEST(EcdsaMany, OnSeveralThreads)
{
    Signed s(full() ? 600 : 60);
    const auto part = [](void *jobs, size_t from, size_t to) {
        return ty_ecdsa_many_verify((ty_ecdsa_verify_job *)jobs + from, to - from);
    };
    EXPECT_EQ(ty_parallel(s.jobs.size(), 16, 2, part, s.jobs.data()), s.first());
    for (size_t i = 0; i < s.jobs.size(); i++) EXPECT_EQ(s.jobs[i].err, s.want[i]) << i;
}

// --- DSTU 4145 -----------------------------------------------------------------------------------

namespace {

std::unique_ptr<ty_ec_any> curve_of(const ty_ec_params &p, ty_ec_way way = TY_EC_AUTO)
{
    auto any = std::make_unique<ty_ec_any>();
    const char *why = "";
    EXPECT_EQ(ty_ec_any_init(any.get(), &p, way, 0, &why), TY_OK) << why;
    return any;
}

Bytes backwards(Bytes b)
{
    std::reverse(b.begin(), b.end());
    return b;
}

}   // namespace

// DSTU 4145-2002, annex B.1: GF(2^163) with a polynomial basis, on the curve and the point of its
// example.
TEST(Dstu4145, TheStandardsExample)
{
    const Bytes a = scalar("1", 21), b = scalar("5FF6108462A2DC8210AB403925E638A19C1455D21", 21);
    const Bytes x = scalar("72d867f93a93ac27df9ff01affe74885c8c540420", 21),
                y = scalar("0224a9c3947852b97c5599d5f4ab81122adc3fd9b", 21);
    const Bytes n = scalar("400000000000000000002BEC12BE2262D39BCF14D", 21);
    ty_ec_params p = {};
    const Bytes poly = unhex("08000000000000000000000000000000000000" "00c9");
    std::copy(poly.begin(), poly.end(), p.poly);
    p.poly_len = p.n_len = 21;
    p.a = a.data(), p.b = b.data(), p.x = x.data(), p.y = y.data(), p.n = n.data();
    const Bytes d = scalar("183f60fdf7951ff47d67193f8d073790c1c9b5a3e", 21),
                k = scalar("1025e40bd97db012b7a1d79de8e12932d247f61c6", 21);
    // the standard prints the most significant byte first
    const Bytes hash =
        backwards(unhex("09c9c44277910c9aaee486883a2eb95b7180166ddf73532eeb76edaef52247ff"));
    Bytes sig = backwards(scalar("274ea2c0caa014a0d80a424f59ade7a93068d08a7", 21));
    const Bytes s = backwards(scalar("2100d86957331832b8e8c230f5bd6a332b3615aca", 21));
    sig.insert(sig.end(), s.begin(), s.end());
    for (ty_ec_way way : {TY_EC_AUTO, TY_EC_MONTGOMERY}) {
        const auto any = curve_of(p, way);
        const ty_ec_curve *c = ty_ec_any_curve(any.get());
        ty_ec_key key;
        ty_ec_pub q;
        ASSERT_EQ(ty_ec_key_set(&key, c, d.data(), d.size()), TY_OK);
        ty_dstu4145_pub(&q, &key.pub);
        Bytes point(43);
        ty_ec_pub_get(point.data(), &q);
        EXPECT_EQ(hex(point), "04"
                              "057de7fde023ff929cb6ac785ce4b79cf64abdc2da"
                              "03e85444324bcf06ad85abf6ad7b5f34770532b9aa");
        Bytes h(21), got(42);
        ty_dstu4145_element(h.data(), hash.data(), hash.size(), c);
        ASSERT_EQ(ty_dstu4145_sign_with(got.data(), k.data(), &key, h.data()), 1);
        EXPECT_EQ(hex(got), hex(sig));
        EXPECT_EQ(ty_dstu4145_verify(sig.data(), sig.size(), hash.data(), hash.size(), &q), TY_OK);
        EXPECT_EQ(ty_dstu4145_verify(sig.data(), sig.size(), hash.data(), hash.size(), &key.pub),
                  TY_ERR_VERIFY)
            << "dP is not -dP";
    }
}

TEST(Dstu4145, HashesAreElements)
{
    const ty_ec_curve *c = ty_ec_curve_named("sect163k1");
    const auto element = [&](const Bytes &hash) {
        Bytes h(21);
        ty_dstu4145_element(h.data(), hash.data(), hash.size(), c);
        return hex(h);
    };
    const std::string zeros(40, '0');
    EXPECT_EQ(element({0}), zeros + "01");
    EXPECT_EQ(element(Bytes(64)), zeros + "01");
    EXPECT_EQ(element({1, 2}), zeros.substr(2) + "0201");
    EXPECT_EQ(element(Bytes(21, 0xff)), "07" + std::string(40, 'f'));
    Bytes high(21);
    high[20] = 0xf8;   // of degree 163 and more
    EXPECT_EQ(element(high), zeros + "01");
}

TEST(Dstu4145, SignAndVerify)
{
    TestRng r(14);
    const ty_rng rng = r.ty();
    FailingRng none(0);
    const ty_rng failing = none.ty();
    std::vector<std::unique_ptr<ty_ec_any>> made;
    std::vector<const ty_ec_curve *> curves;
    for (const char *name : { "sect113r1", "sect163k1", "sect233k1" })
        curves.push_back(ty_ec_curve_named(name));
    ty_ec_params p;
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++)
        if (std::string(p.name).compare(0, 8, "dstu4145") == 0 &&
            (full() || ty_ec_standard_at(&p, i + 9) == 0)) {
            ASSERT_TRUE(ty_ec_standard_at(&p, i));
            made.push_back(curve_of(p));
            curves.push_back(ty_ec_any_curve(made.back().get()));
        }
    ASSERT_GE(curves.size(), 4u);
    for (const ty_ec_curve *c : curves) {
        SCOPED_TRACE(ty_ec_curve_name(c));
        const size_t l = ty_ec_order_len(c);
        ty_ec_key key;
        ty_ec_pub q, back;
        ASSERT_EQ(ty_ec_keygen(&key, c, &rng), TY_OK);
        ty_dstu4145_pub(&q, &key.pub);
        ty_dstu4145_pub(&back, &q);
        EXPECT_EQ(std::memcmp(&back, &key.pub, sizeof back), 0);
        Bytes hash = r.bytes(32), sig(2 * l), fixed(2 * l), again(2 * l);
        ASSERT_EQ(ty_dstu4145_sign(sig.data(), hash.data(), 32, &key, &rng), TY_OK);
        ASSERT_EQ(ty_dstu4145_sign(fixed.data(), hash.data(), 32, &key, nullptr), TY_OK);
        ASSERT_EQ(ty_dstu4145_sign(again.data(), hash.data(), 32, &key, nullptr), TY_OK);
        EXPECT_EQ(fixed, again);
        EXPECT_NE(fixed, sig);
        for (const Bytes &good : { sig, fixed })
            EXPECT_EQ(ty_dstu4145_verify(good.data(), 2 * l, hash.data(), 32, &q), TY_OK);
        hash[3] ^= 4;
        EXPECT_EQ(ty_dstu4145_verify(sig.data(), 2 * l, hash.data(), 32, &q), TY_ERR_VERIFY);
        hash[3] ^= 4;
        for (size_t at : {(size_t)0, l - 1, l, 2 * l - 1}) {
            Bytes bad = sig;
            bad[at] ^= 1;
            EXPECT_EQ(ty_dstu4145_verify(bad.data(), 2 * l, hash.data(), 32, &q), TY_ERR_VERIFY);
        }
        Bytes zero = sig, over = sig;
        std::fill(zero.begin(), zero.begin() + (long)l, 0);
        const Bytes n = backwards(Bytes(c->n, c->n + l));
        std::copy(n.begin(), n.end(), over.begin() + (long)l);
        for (const Bytes &bad : { zero, over })
            EXPECT_EQ(ty_dstu4145_verify(bad.data(), 2 * l, hash.data(), 32, &q), TY_ERR_VERIFY);
        EXPECT_EQ(ty_dstu4145_verify(sig.data(), 2 * l - 1, hash.data(), 32, &q), TY_ERR_VERIFY);
        EXPECT_EQ(ty_dstu4145_verify(sig.data(), 2 * l, hash.data(), 0, &q), TY_ERR_ARG);
        EXPECT_EQ(ty_dstu4145_sign(sig.data(), hash.data(), 32, &key, &failing), TY_ERR_RNG);
        EXPECT_EQ(sig, Bytes(2 * l));
        EXPECT_EQ(ty_dstu4145_sign(fixed.data(), hash.data(), 0, &key, &rng), TY_ERR_ARG);
        EXPECT_EQ(fixed, Bytes(2 * l));
        q.xy[3] ^= 1;
        EXPECT_EQ(ty_dstu4145_verify(again.data(), 2 * l, hash.data(), 32, &q), TY_ERR_KEY);
    }
}

// Deterministic nonces differ from those of ECDSA, since one nonce in both schemes would reveal the
// key. With the same nonce r would be the same: x mod n in ECDSA, and in DSTU 4145, for h = 1, the
// low bits of x.
TEST(Dstu4145, NoNonceIsOneOfEcdsas)
{
    const ty_ec_curve *c = ty_ec_curve_named("sect163k1");
    TestRng r(15);
    const ty_rng rng = r.ty();
    ty_ec_key key;
    ASSERT_EQ(ty_ec_keygen(&key, c, &rng), TY_OK);
    Bytes digest(21), hash = {1}, ecdsa(42), dstu(42);
    digest[20] = 1;
    ASSERT_EQ(ty_ecdsa_sign(ecdsa.data(), digest.data(), 21, &key, nullptr), TY_OK);
    ASSERT_EQ(ty_dstu4145_sign(dstu.data(), hash.data(), 1, &key, nullptr), TY_OK);
    EXPECT_NE(Bytes(ecdsa.begin() + 1, ecdsa.begin() + 21),
              backwards(Bytes(dstu.begin(), dstu.begin() + 20)));
}
