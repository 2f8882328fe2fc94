// ECDSA over binary curves: the example of RFC 6979, the shared vectors, what must be refused, scalars modulo each order.
extern "C" {   // internal headers are plain C
#include "ec/ec_binary.h"
#include "mod/scalar.h"
}
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include "tongyu/ecdsa.h"
#include "tongyu/sha2.h"
#include "tongyu/sm3.h"
#include <cstring>
#include <gtest/gtest.h>

namespace {

Bytes scalar(std::string h, size_t size)   // right-aligned; longer where the number is
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
    ty_scalar set(const Bytes &x) const { ty_scalar z; ty_scalar_set(&z, x.data(), x.size(), &r); return z; }
    Bytes get(const ty_scalar &x) const { Bytes b(r.len); ty_scalar_get(b.data(), &x, &r); return b; }
    ty_scalar mul(const ty_scalar &x, const ty_scalar &y) const { ty_scalar z; ty_scalar_mul(&z, &x, &y, &r); return z; }
    ty_scalar add(const ty_scalar &x, const ty_scalar &y) const { ty_scalar z; ty_scalar_add(&z, &x, &y, &r); return z; }
    ty_scalar inv(const ty_scalar &x) const { ty_scalar z; ty_scalar_inv(&z, &x, &r); return z; }
};

}   // namespace

// n - 1 is -1, and what follows from it; the ring's laws; inverses
static void laws(const Scalars &s, TestRng &rng, const Bytes &n, int rounds)
{
    const Bytes zero(s.r.len);
    Bytes one = zero, top = n;
    one.back() = 1;
    top.back()--;
    const ty_scalar u = s.set(one), minus = s.set(top);
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
        const ty_scalar x = s.set(rng.bytes(s.r.len)), y = s.set(rng.bytes(s.r.len)), z = s.set(rng.bytes(s.r.len));
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
    int longer;   // bits of the other hash, 0: none
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
    EXPECT_EQ(ty_ecdsa_verify(other.data(), other.size(), digest, (size_t)x.longer / 8, &key.pub), TY_OK);
}

TEST(Ecdsa, TheExamplesOfRfc6979)
{
    for (const char *limit : {(const char *)nullptr, "c"}) {
        ASSERT_EQ(ty_tier_limit(limit), TY_OK);
        for (const Example &x : examples) {
            if (limit && !full() && std::strlen(x.d) > 60) continue;   // as the longer ones, which take their time
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
            EXPECT_EQ(ty_ecdsa_verify(sig.data(), sig.size(), digest.data(), digest_len, &key.pub), TY_OK);
            ASSERT_EQ(ty_ecdsa_sign(fixed.data(), digest.data(), digest_len, &key, nullptr), TY_OK);
            ASSERT_EQ(ty_ecdsa_sign(again.data(), digest.data(), digest_len, &key, nullptr), TY_OK);
            EXPECT_EQ(fixed, again);
            EXPECT_NE(fixed, sig);
            digest[0] ^= 0x80;
            EXPECT_EQ(ty_ecdsa_verify(sig.data(), sig.size(), digest.data(), digest_len, &key.pub), TY_ERR_VERIFY);
            digest[0] ^= 0x80;
            for (size_t at : {(size_t)1, l - 1, l + 1, 2 * l - 1}) {
                Bytes bad = sig;
                bad[at] ^= 1;
                EXPECT_EQ(ty_ecdsa_verify(bad.data(), bad.size(), digest.data(), digest_len, &key.pub), TY_ERR_VERIFY);
            }
            EXPECT_EQ(ty_ecdsa_verify(sig.data(), 2 * l - 1, digest.data(), digest_len, &key.pub), TY_ERR_VERIFY);
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

TEST(Ecdsa, Vectors)
{
    const auto file = load_vectors("gf2m/binary_curves_a.json");
    if (!file) return;
    size_t valid = 0, refused = 0;
    for (const Json &row : file->at("curves")) {
        const ty_ec_curve *c = ty_ec_curve_named(row.at("curve").get<std::string>().c_str());
        ASSERT_NE(c, nullptr);
        SCOPED_TRACE(ty_ec_curve_name(c));
        size_t i = 0;
        for (const Json &v : row.at("ecdsa")) {
            if (i++ % (ty_ec_field_bits(c) > 200 ? 7 : 3) && !full()) continue;
            const Bytes q = field(v, "q"), digest = field(v, "digest");
            Bytes sig = scalar(v.at("r"), ty_ec_order_len(c)), s = scalar(v.at("s"), ty_ec_order_len(c));
            const bool fits = sig.size() + s.size() == 2 * ty_ec_order_len(c);   // r + n may not
            sig.insert(sig.end(), s.begin(), s.end());
            ty_ec_pub pub;
            ASSERT_EQ(ty_ec_pub_set(&pub, c, q.data(), q.size()), TY_OK);
            const ty_err err = ty_ecdsa_verify(sig.data(), sig.size(), digest.data(), digest.size(), &pub);
            if (v.at("result") == "valid") valid++;
            else refused++;
            ASSERT_EQ(err, v.at("result") == "valid" ? TY_OK : TY_ERR_VERIFY) << v;
            if (!fits) { ASSERT_EQ(err, TY_ERR_VERIFY); }
        }
    }
    EXPECT_GT(valid, 20u);
    EXPECT_GT(refused, 50u);
}
