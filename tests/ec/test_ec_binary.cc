// Binary curves on every tier: the laws of each field, the shared vectors (made with OpenSSL 4.0.3,
// checked by affine arithmetic), and everything that a strict decoder refuses.
extern "C" {   // internal headers are plain C
#include "ec/ec_binary.h"
}
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include <bitset>

namespace {

using Ops = ty_ec_binary_ops;
using Poly = std::bitset<1200>;   // bit i is the coefficient of x^i

size_t len(const ty_ec_curve *c) { return ty_ec_field_len(c); }

Poly poly(const Bytes &b)
{
    Poly p;
    for (size_t i = 0; i < 8 * b.size(); i++) p[i] = b[b.size() - 1 - i / 8] >> i % 8 & 1;
    return p;
}

Bytes element(const Poly &p, const ty_ec_curve *c)
{
    Bytes b(len(c));
    for (size_t i = 0; i < c->m; i++)
        if (p[i]) b[b.size() - 1 - i / 8] |= (uint8_t)(1 << i % 8);
    return b;
}

// Schoolbook product and long division, by the definition alone.
Bytes by_definition(const Bytes &x, const Bytes &y, const ty_ec_curve *c)
{
    const Poly a = poly(x), b = poly(y);
    Poly z;
    for (size_t i = 0; i < c->m; i++)
        if (b[i]) z ^= a << i;
    for (size_t i = 2 * c->m; i >= c->m; i--) {
        if (!z[i]) continue;
        for (size_t k : {(size_t)c->m, (size_t)c->k[0], (size_t)0}) z.flip(i - c->m + k);
        if (c->k[1]) z.flip(i - c->m + c->k[1]).flip(i - c->m + c->k[2]);
    }
    return element(z, c);
}

Bytes random_element(TestRng &r, const ty_ec_curve *c) { return element(poly(r.bytes(len(c))), c); }

// 0, 1, x^i at the ends of words, all ones and runs of them
std::vector<Bytes> edges(const ty_ec_curve *c)
{
    std::vector<Bytes> v = {element({}, c), element(Poly().set(), c)};
    for (size_t i : {0, 1, 63, 64, (int)c->m - 1, (int)c->m - 2, (int)c->m / 64 * 64}) {
        v.push_back(element(Poly().set(i), c));
        v.push_back(element(Poly().set() << i, c));
    }
    return v;
}

struct Field {
    const Ops *ops;
    const ty_ec_curve *c;
    Bytes mul(const Bytes &x, const Bytes &y) const
    {
        Bytes z(len(c));
        ops->field_mul(z.data(), x.data(), y.data());
        return z;
    }
    Bytes sqr(const Bytes &x) const
    {
        Bytes z(len(c));
        ops->field_sqr(z.data(), x.data());
        return z;
    }
    Bytes inv(const Bytes &x) const
    {
        Bytes z(len(c));
        ops->field_inv(z.data(), x.data());
        return z;
    }
    Bytes sqrt(const Bytes &x) const
    {
        Bytes z(len(c));
        ops->field_sqrt(z.data(), x.data());
        return z;
    }
    static Bytes add(Bytes x, const Bytes &y)
    {
        for (size_t i = 0; i < x.size(); i++) x[i] ^= y[i];
        return x;
    }
};

std::vector<const ty_ec_curve *> all_curves()
{
    std::vector<const ty_ec_curve *> v;
    for (size_t i = 0; ty_ec_curve_at(i); i++) v.push_back(ty_ec_curve_at(i));
    return v;
}

// the first curve of each field
std::vector<const ty_ec_curve *> fields()
{
    std::vector<const ty_ec_curve *> v;
    for (const ty_ec_curve *c : all_curves())
        if (v.empty() || v.back()->m != c->m) v.push_back(c);
    return v;
}

Bytes scalar(const std::string &hexadecimal, size_t size)   // right-aligned
{
    Bytes k = unhex(hexadecimal.size() % 2 ? "0" + hexadecimal : hexadecimal);
    while (k.size() > size && k[0] == 0) k.erase(k.begin());
    EXPECT_LE(k.size(), size);
    k.insert(k.begin(), size - k.size(), 0);
    return k;
}

// The portable tiers are slow, and more so in an emulator: they run on two small curves, except in
// a full run.
bool chosen(const ty_ec_curve *c, const std::string &tier)
{
    if (full() || (tier != "c" && tier != "c64")) return true;
    return std::string(c->name) == "sect163r2" || std::string(c->name) == "sect239k1";
}

Bytes join4(Bytes xy)   // as a point is encoded
{
    xy.insert(xy.begin(), 4);
    return xy;
}

}   // namespace

TEST(F2, ProductMatchesItsDefinition)
{
    for (const ty_ec_curve *c : fields()) {
        SCOPED_TRACE(c->m);
        TestRng r(c->m);
        std::vector<Bytes> v = edges(c);
        for (int i = 0; i < 3; i++) v.push_back(random_element(r, c));
        std::vector<Bytes> want;
        for (const Bytes &x : v)
            for (const Bytes &y : v) want.push_back(by_definition(x, y, c));
        for_each_tier<Ops>(c->tiers, [&](const Ops *ops, const char *) {
            const Field f{ops, c};
            size_t i = 0;
            for (const Bytes &x : v)
                for (const Bytes &y : v)
                    ASSERT_EQ(hex(f.mul(x, y)), hex(want[i++])) << hex(x) << " " << hex(y);
        });
    }
}

TEST(F2, Laws)
{
    for (const ty_ec_curve *c : fields()) {
        SCOPED_TRACE(c->m);
        for_each_tier<Ops>(c->tiers, [&](const Ops *ops, const char *) {
            const Field f{ops, c};
            TestRng r(3);
            std::vector<Bytes> v = edges(c);
            for (int i = 0; i < (full() ? 500 : 4); i++) v.push_back(random_element(r, c));
            const Bytes zero = element({}, c), one = element(Poly().set(0), c);
            for (const Bytes &x : v) {
                const Bytes y = v[r.below(v.size())], z = v[r.below(v.size())];
                ASSERT_EQ(f.mul(x, y), f.mul(y, x));
                ASSERT_EQ(f.mul(f.mul(x, y), z), f.mul(x, f.mul(y, z)));
                ASSERT_EQ(f.mul(x, Field::add(y, z)), Field::add(f.mul(x, y), f.mul(x, z)));
                ASSERT_EQ(hex(f.sqr(x)), hex(f.mul(x, x)));
                ASSERT_EQ(hex(f.mul(x, f.inv(x))), hex(x == zero ? zero : one));
                ASSERT_EQ(hex(f.sqr(f.sqrt(x))), hex(x));
                const Bytes p = Field::add(f.sqr(y), y);
                Bytes s(len(c));
                ASSERT_NE(ops->field_solve(s.data(), p.data()), 0u);
                ASSERT_EQ(hex(Field::add(f.sqr(s), s)), hex(p));
                // Tr(1) = 1 for odd m
                ASSERT_EQ(ops->field_solve(s.data(), Field::add(p, one).data()), 0u);
            }
        });
    }
}

TEST(EcBinary, Rows)
{
    ASSERT_GE(all_curves().size(), 18u);
    for (const ty_ec_curve *c : all_curves()) {
        EXPECT_EQ(ty_ec_curve_named(ty_ec_curve_name(c)), c);
        EXPECT_EQ(ty_ec_curve_named(ty_ec_curve_oid(c)), c);
        EXPECT_EQ(ty_ec_order_len(c), (ty_ec_order_bits(c) + 7) / 8);
        EXPECT_LE(len(c), (size_t)TY_EC_MAX);
        EXPECT_LE(ty_ec_order_len(c), (size_t)TY_EC_MAX);
        for_each_tier<Ops>(c->tiers, [&](const Ops *ops, const char *tier) {
            EXPECT_EQ(ops->check(ty_ec_g(c), c), TY_OK);
            if (!chosen(c, tier)) return;
            Bytes z(2 * len(c), 9);
            EXPECT_EQ(ops->mul(z.data(), c->n, c->n_bits, ty_ec_g(c), c), 0u);
            EXPECT_EQ(z, Bytes(2 * len(c)));
        });
    }
    EXPECT_EQ(ty_ec_curve_named("sect1"), nullptr);
    EXPECT_EQ(ty_ec_curve_at(all_curves().size()), nullptr);
}

// The comb, compared with the ladder: ends of the range, carries through all of k + n, columns of
// equal and of single bits
TEST(EcBinary, FixedBase)
{
    for (const ty_ec_curve *c : all_curves()) {
        SCOPED_TRACE(c->name);
        for_each_tier<Ops>(c->tiers, [&](const Ops *ops, const char *tier) {
            if (!chosen(c, tier)) return;
            TestRng r(c->m);
            const size_t nl = ty_ec_n_len(c);
            const Bytes n(c->n, c->n + nl), zero(nl);
            std::vector<Bytes> scalars = {zero, n, Bytes(nl, 0xff), Bytes(nl, 0x55)};
            for (int i : {1, 2, 3}) {
                scalars.push_back(zero), scalars.back()[nl - 1] = (uint8_t)i;
                // no borrow: n ends in a byte that is large enough
                scalars.push_back(n),
                    scalars.back()[nl - 1] = (uint8_t)(scalars.back()[nl - 1] - i);
            }
            for (size_t i = r.below(9); i < c->n_bits; i += full() ? 1 : 41)
                scalars.push_back(zero), scalars.back()[nl - 1 - i / 8] = (uint8_t)(1 << i % 8);
            for (int i = 0; i < (full() ? 200 : 2); i++) scalars.push_back(r.bytes(nl));
            for (Bytes &k : scalars) {
                k[0] &= (uint8_t)(0xff >> (8 * nl - c->n_bits));
                Bytes want(2 * len(c)), z(2 * len(c), 1);
                const uint32_t finite = ops->mul(want.data(), k.data(), c->n_bits, ty_ec_g(c), c);
                ASSERT_EQ(ops->mul_base(z.data(), k.data(), c), finite) << hex(k);
                ASSERT_EQ(hex(z), hex(want)) << hex(k);
            }
        });
    }
}

// check_again refuses what is not a point, and the point of order 2, and, if h = 2, every point
// that is not of order n.
TEST(EcBinary, CheckAgain)
{
    for (const ty_ec_curve *c : all_curves()) {
        SCOPED_TRACE(c->name);
        for_each_tier<Ops>(c->tiers, [&](const Ops *ops, const char *) {
            const size_t l = len(c);
            const Bytes g(ty_ec_g(c), ty_ec_g(c) + 2 * l);
            EXPECT_EQ(ops->check_again(g.data(), c), TY_OK);
            for (size_t bit = 0; bit < 16 * l; bit += 7) {
                Bytes p = g;
                p[bit / 8] ^= (uint8_t)(1 << bit % 8);
                EXPECT_EQ(ops->check_again(p.data(), c), TY_ERR_KEY) << bit;
            }
            Bytes order2(2 * l);
            std::copy(c->abcg + 2 * l, c->abcg + 3 * l, order2.begin() + (long)l);
            EXPECT_EQ(ops->check_again(order2.data(), c), TY_ERR_KEY);
            EXPECT_EQ(ops->check_again(Bytes(2 * l).data(), c), TY_ERR_KEY);
            // G + (0, sqrt b), with x = sqrt b/x(G): a point of the curve, but not of order n
            Bytes x(l), p(2 * l);
            ops->field_inv(x.data(), g.data());
            ops->field_mul(x.data(), x.data(), c->abcg + 2 * l);
            ASSERT_EQ(ops->decompress(p.data(), x.data(), 0, c), TY_OK);
            EXPECT_EQ(ops->check(p.data(), c), TY_ERR_KEY);
            EXPECT_EQ(ops->check_again(p.data(), c), c->h == 2 ? TY_ERR_KEY : TY_OK);
        });
    }
}

// k (j G) = j (k G), with one product in place, and j G + k G = (j + k) G, where the joint
// multiplication is compared with single ones
TEST(EcBinary, GroupLaws)
{
    for (const ty_ec_curve *c : all_curves()) {
        SCOPED_TRACE(c->name);
        for_each_tier<Ops>(c->tiers, [&](const Ops *ops, const char *tier) {
            if (!chosen(c, tier) && std::string(c->name) != "sect283r1") return;
            TestRng r(c->m);
            const size_t l = len(c), nl = ty_ec_n_len(c);
            const Bytes g(ty_ec_g(c), ty_ec_g(c) + 2 * l);
            for (int i = 0; i < (full() ? 20 : 1); i++) {
                Bytes j = r.bytes(nl), k = r.bytes(nl), sum(nl), p(2 * l), q(2 * l), s(2 * l),
                      t(2 * l), zero(nl);
                j[0] = k[0] = 0;
                unsigned carry = 0;
                for (size_t b = nl; b-- > 0; carry >>= 8) sum[b] = (uint8_t)(carry += j[b] + k[b]);
                ASSERT_NE(ops->mul(p.data(), j.data(), 8 * nl, g.data(), c), 0u);
                ASSERT_NE(ops->mul(q.data(), k.data(), 8 * nl, g.data(), c), 0u);
                ASSERT_NE(ops->mul(p.data(), k.data(), 8 * nl, p.data(), c), 0u);
                ASSERT_NE(ops->mul(s.data(), j.data(), 8 * nl, q.data(), c), 0u);
                EXPECT_EQ(hex(p), hex(s));
                ASSERT_NE(ops->mul(p.data(), sum.data(), 8 * nl, g.data(), c), 0u);
                ASSERT_NE(ops->mul_add_vt(s.data(), j.data(), k.data(), g.data(), c), 0u);
                EXPECT_EQ(hex(p), hex(s));
                EXPECT_NE(ops->mul_add_vt(t.data(), zero.data(), k.data(), g.data(), c), 0u);
                EXPECT_EQ(hex(t), hex(q));
                Bytes two = {2};
                ASSERT_NE(ops->mul(p.data(), two.data(), 2, q.data(), c), 0u);
                // equal points
                EXPECT_NE(ops->mul_add_vt(t.data(), k.data(), k.data(), g.data(), c), 0u);
                EXPECT_EQ(hex(t), hex(p));
                EXPECT_NE(ops->mul_add_vt(t.data(), k.data(), zero.data(), g.data(), c), 0u);
                EXPECT_EQ(hex(t), hex(q));
                // the end of the ladder at -P, where y is a special case
                Bytes top(c->n, c->n + nl), one(nl);
                top[nl - 1]--, one[nl - 1] = 1;
                ASSERT_NE(ops->mul(p.data(), top.data(), 8 * nl, q.data(), c), 0u);
                EXPECT_NE(ops->mul_add_vt(t.data(), zero.data(), top.data(), q.data(), c), 0u);
                EXPECT_EQ(hex(t), hex(p));
                // G - G
                EXPECT_EQ(ops->mul_add_vt(t.data(), one.data(), top.data(), g.data(), c), 0u);
                EXPECT_EQ(t, Bytes(2 * l));
                EXPECT_EQ(ops->mul_add_vt(t.data(), zero.data(), zero.data(), q.data(), c), 0u);
                Bytes minus = g;   // -(x, y) = (x, x + y)
                for (size_t b = 0; b < l; b++) minus[l + b] ^= minus[b];
                // infinity
                EXPECT_EQ(ops->mul_add_vt(t.data(), k.data(), k.data(), minus.data(), c), 0u);
                EXPECT_EQ(t, Bytes(2 * l));
            }
        });
    }
}

#include "ec/every_tier_cases.inc"

// tau^2 + 2 = mu tau for tau(x, y) = (x^2, y^2); and multiplication in base tau, compared with the
// ladder, which is used for longer scalars than the digits in base tau allow: ends of the range,
// multiples of n, single bits, all bits.
TEST(EcBinary, Koblitz)
{
    for (const ty_ec_curve *c : all_curves()) {
        EXPECT_EQ(c->tau != nullptr, c->b1 != 0) << c->name;
        if (!c->tau) continue;
        SCOPED_TRACE(c->name);
        for_each_tier<Ops>(c->tiers, [&](const Ops *ops, const char *tier) {
            // armce is slow under QEMU
            const bool slow = std::string(tier) == "c" || std::string(tier) == "c64" ||
                              std::string(tier) == "armce";
            if (slow && !chosen(c, "c")) return;
            TestRng r(c->m);
            const size_t l = len(c), nl = ty_ec_n_len(c), bits = c->tau->bits, kl = (bits + 8) / 8;
            const auto tau = [&](const Bytes &p) {
                Bytes q(2 * l);
                ops->field_sqr(q.data(), p.data());
                ops->field_sqr(q.data() + l, p.data() + l);
                return q;
            };
            const Bytes g(ty_ec_g(c), ty_ec_g(c) + 2 * l), one = scalar("1", nl),
                                                           two = scalar("2", nl);
            Bytes p = tau(g), sum(2 * l);
            ASSERT_NE(ops->mul_add_vt(sum.data(), two.data(), one.data(), tau(p).data(), c), 0u);
            if (c->tau->mu < 0)
                for (size_t i = 0; i < l; i++) p[l + i] ^= p[i];
            EXPECT_EQ(hex(sum), hex(p));

            std::vector<Bytes> scalars;
            const auto around = [&](unsigned times, int by) {   // times n + by
                Bytes k(kl);
                int carry = by;
                for (size_t i = kl; i-- > 0; carry >>= 8) {
                    if (i >= kl - nl) carry += (int)times * c->n[i - (kl - nl)];
                    k[i] = (uint8_t)carry;
                }
                scalars.push_back(k);
            };
            for (unsigned times : {0u, 1u, 2u, 255u})
                for (int by : {0, 1, 2, 3, -1, -2})
                    if (by >= 0 || times) around(times, by);
            for (int i = 0; i < (full() ? 1000 : slow ? 1 : 12); i++) {
                Bytes k = r.bytes(kl);
                k[0] = 0;
                scalars.push_back(k);
            }
            for (size_t i = r.below(13); i < bits; i += slow ? 101 : full() ? 1 : 13)
                scalars.push_back(Bytes(kl)),
                    scalars.back()[kl - 1 - i / 8] = (uint8_t)(1 << i % 8);
            scalars.push_back(Bytes(kl, 0xff));
            for (Bytes &k : scalars) {
                k[0] = 0;
                if (slow && r.below(4)) continue;
                Bytes want(2 * l), z(2 * l, 1);
                const uint32_t finite = ops->mul(want.data(), k.data(), 8 * kl, g.data(), c);
                ASSERT_EQ(ops->mul(z.data(), k.data() + 1, bits, g.data(), c), finite) << hex(k);
                ASSERT_EQ(hex(z), hex(want)) << hex(k);
                // the top bits of the first byte are ignored
                for (size_t some : {bits - 3, (size_t)c->n_bits}) {
                    Bytes low(k.end() - (long)((some + 7) / 8), k.end()), cut = low;
                    cut[0] &= (uint8_t)(0xff >> (8 * low.size() - some));
                    cut.insert(cut.begin(), kl - cut.size(), 0);
                    ASSERT_EQ(ops->mul(want.data(), cut.data(), 8 * kl, g.data(), c),
                              ops->mul(z.data(), low.data(), some, g.data(), c));
                    ASSERT_EQ(hex(z), hex(want)) << hex(k);
                    if (slow) break;
                }
            }
        });
    }
}

TEST(EcBinary, VectorsOfMultiplication)
{
    const auto file = load_vectors("gf2m/binary_curves_a.json");
    if (!file) GTEST_SKIP() << "no vector files";
    size_t seen = 0;
    for (const Json &row : file->at("curves")) {
        const ty_ec_curve *c = ty_ec_curve_named(row.at("curve").text().c_str());
        ASSERT_NE(c, nullptr);
        SCOPED_TRACE(c->name);
        EXPECT_EQ(row.at("oid"), c->oid);
        EXPECT_EQ(scalar(row.at("n").text(), ty_ec_n_len(c)), Bytes(c->n, c->n + ty_ec_n_len(c)));
        for_each_tier<Ops>(c->tiers, [&](const Ops *ops, const char *tier) {
            if (!chosen(c, tier)) return;
            size_t i = 0;
            for (const Json &v : row.at("mul")) {
                if (i++ % 4 && !full()) continue;
                const size_t nl = ty_ec_n_len(c) + 1;   // n + 1 is among the scalars
                const Bytes k = scalar(v.at("k").text(), nl), p = field(v, "p"),
                            want = field(v, "r");
                Bytes z(2 * len(c));
                const uint32_t finite = ops->mul(z.data(), k.data(), 8 * nl, p.data() + 1, c);
                ASSERT_EQ(finite != 0, want.size() > 1) << v;
                if (finite) { ASSERT_EQ(hex(z), hex(Bytes(want.begin() + 1, want.end()))) << v; }
                seen++;
            }
        });
    }
    EXPECT_GE(seen, 12u);     // the number for one slow tier
}

TEST(EcBinary, VectorsOfAgreement)
{
    const auto file = load_vectors("gf2m/binary_curves_a.json");
    if (!file) GTEST_SKIP() << "no vector files";
    size_t agreed = 0, refused = 0;
    each_level([&](const std::string &level) {
        for (const Json &row : file->at("curves")) {
            const ty_ec_curve *c = ty_ec_curve_named(row.at("curve").text().c_str());
            SCOPED_TRACE(c->name);
            size_t i = 0;
            for (const Json &v : row.at("ecdh")) {
                const Bytes peer = field(v, "peer"), d = scalar(v.at("d").text(), ty_ec_n_len(c));
                ty_ec_pub pub;
                const ty_err err = ty_ec_pub_set(&pub, c, peer.data(), peer.size());
                // OpenSSL accepts these, this library does not
                const bool hybrid = !peer.empty() && (peer[0] == 6 || peer[0] == 7);
                ASSERT_EQ(err == TY_OK, v.at("result") == "valid" && !hybrid) << v;
                if (err != TY_OK) {
                    refused++;
                    continue;
                }
                if (!chosen(c, level) || (i++ % 4 && !full())) continue;
                Bytes again(peer.size()), x(len(c));
                if (peer[0] == 4) ty_ec_pub_get(again.data(), &pub);
                else ty_ec_pub_get_compressed(again.data(), &pub);
                ASSERT_EQ(hex(again), hex(peer));
                ty_ec_key key{};
                key.pub.curve = c;   // without its public key, which agreement does not need
                std::copy(d.begin(), d.end(), key.d);
                ASSERT_EQ(ty_ec_ecdh(x.data(), &pub, &key), TY_OK);
                ASSERT_EQ(hex(x), v.at("x").text()) << v;
                ASSERT_EQ(ty_ec_ecdh_cofactor(x.data(), &pub, &key), TY_OK);
                ASSERT_EQ(hex(x), v.at("x_cofactor").text()) << v;
                agreed++;
            }
        }
    });
    EXPECT_GE(agreed, 4u);
    EXPECT_GT(refused, 300u);
}

// Encodings that are refused, with their errors; pub is unchanged.
TEST(EcBinary, StrictDecoding)
{
    for (const ty_ec_curve *c : all_curves()) {
        SCOPED_TRACE(c->name);
        const size_t l = len(c);
        const Bytes g(ty_ec_g(c), ty_ec_g(c) + 2 * l);
        Bytes whole = g;
        whole.insert(whole.begin(), 4);
        ty_ec_pub pub;
        std::memset(&pub, 0x5a, sizeof pub);
        const ty_ec_pub before = pub;
        const auto refused = [&](Bytes in, ty_err why) {
            EXPECT_EQ(ty_ec_pub_set(&pub, c, in.data(), in.size()), why) << hex(in);
            EXPECT_EQ(std::memcmp(&pub, &before, sizeof pub), 0);
        };
        refused({}, TY_ERR_FORMAT);
        refused({0}, TY_ERR_FORMAT);
        for (size_t n = 1; n <= 2 * l + 4; n++)
            if (n != l + 1 && n != 2 * l + 1) {
                Bytes in = whole;
                in.resize(n);
                refused(in, TY_ERR_FORMAT);
            }
        for (int first : {0, 1, 2, 3, 5, 6, 7, 0x84}) {
            Bytes in = whole;
            in[0] = (uint8_t)first;
            refused(in, TY_ERR_FORMAT);
        }
        Bytes x(whole.begin(), whole.begin() + 1 + (long)l);
        refused(x, TY_ERR_FORMAT);   // 04 and one coordinate
        for (size_t at : {(size_t)1, 1 + l}) {
            Bytes in = whole;
            in[at] |= (uint8_t)(1u << c->m % 8);   // degree m
            refused(in, TY_ERR_KEY);
            in = whole;
            in[at + l - 1] ^= 1;
            refused(in, TY_ERR_KEY);
        }
        x[0] = 2;
        x[1] |= (uint8_t)(1u << c->m % 8);
        refused(x, TY_ERR_KEY);
        refused(Bytes(2 * l + 1, 0), TY_ERR_FORMAT);
        Bytes zero(2 * l + 1, 0), order2 = zero;
        zero[0] = order2[0] = 4;
        refused(zero, TY_ERR_KEY);
        std::copy(c->abcg + 2 * l, c->abcg + 3 * l, order2.begin() + 1 + (long)l);
        refused(order2, TY_ERR_KEY);
        zero.resize(l + 1);
        zero[0] = 2;
        refused(zero, TY_ERR_KEY);
        zero[0] = 3;
        refused(zero, TY_ERR_KEY);
        EXPECT_EQ(ty_ec_pub_set(&pub, c, whole.data(), whole.size()), TY_OK);
    }
}

TEST(EcBinary, Keys)
{
    TestRng r(5);
    const ty_rng rng = r.ty();
    for (const ty_ec_curve *c : all_curves()) {
        SCOPED_TRACE(c->name);
        if (!chosen(c, "c")) continue;
        const size_t nl = ty_ec_n_len(c);
        ty_ec_key a, b, bad;
        ASSERT_EQ(ty_ec_keygen(&a, c, &rng), TY_OK);
        ASSERT_EQ(ty_ec_keygen(&b, c, &rng), TY_OK);
        Bytes x(len(c)), y(len(c));
        ASSERT_EQ(ty_ec_ecdh(x.data(), &b.pub, &a), TY_OK);
        ASSERT_EQ(ty_ec_ecdh(y.data(), &a.pub, &b), TY_OK);
        EXPECT_EQ(x, y);
        ty_ec_pub z;
        ASSERT_EQ(ty_ec_mul(&z, a.d, &b.pub), TY_OK);
        EXPECT_EQ(hex(z.xy, len(c)), hex(x));
        const Bytes n(c->n, c->n + nl);
        EXPECT_EQ(ty_ec_mul(&z, n.data(), &b.pub), TY_ERR_KEY);
        EXPECT_EQ(ty_ec_key_set(&bad, c, n.data(), nl), TY_ERR_KEY);
        EXPECT_EQ(ty_ec_key_set(&bad, c, Bytes(nl).data(), nl), TY_ERR_KEY);
        EXPECT_EQ(ty_ec_key_set(&bad, c, a.d, nl - 1), TY_ERR_FORMAT);
        Bytes top = n;
        top[nl - 1]--;                                        // n - 1: the generator's negative
        ASSERT_EQ(ty_ec_key_set(&bad, c, top.data(), nl), TY_OK);
        EXPECT_EQ(hex(bad.pub.xy, len(c)), hex(ty_ec_g(c), len(c)));
        ASSERT_EQ(ty_ec_key_set(&bad, c, a.d, nl), TY_OK);
        EXPECT_EQ(std::memcmp(&bad, &a, sizeof a), 0);
        b.pub.xy[len(c) - 1] ^= 1;                            // checked again when it is used
        Bytes untouched(len(c), 7);
        EXPECT_EQ(ty_ec_ecdh(untouched.data(), &b.pub, &a), TY_ERR_KEY);
        EXPECT_EQ(ty_ec_ecdh_cofactor(untouched.data(), &b.pub, &a), TY_ERR_KEY);
        EXPECT_EQ(untouched, Bytes(len(c), 7));
        FailingRng none(0);
        const ty_rng failing = none.ty();
        EXPECT_EQ(ty_ec_keygen(&bad, c, &failing), TY_ERR_RNG);
        EXPECT_EQ(Bytes((uint8_t *)&bad, (uint8_t *)(&bad + 1)), Bytes(sizeof bad));
        const ty_rng stuck = { [](void *, uint8_t *out, size_t n_) {
                                  std::memset(out, 0, n_);
                                  return TY_OK;
                              },
                               nullptr };
        EXPECT_EQ(ty_ec_keygen(&bad, c, &stuck), TY_ERR_RNG);
    }
    const ty_ec_curve *one = ty_ec_curve_named("sect163r1"),
                      *other = ty_ec_curve_named("sect163r2");
    ty_ec_key a, b;
    ASSERT_EQ(ty_ec_keygen(&a, one, &rng), TY_OK);
    ASSERT_EQ(ty_ec_keygen(&b, other, &rng), TY_OK);
    uint8_t out[TY_EC_MAX];
    EXPECT_EQ(ty_ec_ecdh(out, &b.pub, &a), TY_ERR_ARG);
    EXPECT_EQ(ty_ec_ecdh_cofactor(out, &b.pub, &a), TY_ERR_ARG);
}
