// Binary curves given at run time, on every tier and with every method of reduction: the field is
// compared with its definition for random polynomials, named curves with their own code and with
// the shared vectors; Koblitz curves in fields of any polynomial, the curves of other standards,
// and everything that is refused.
extern "C" {   // internal headers are plain C
#include "ec/ec_binary.h"
#include "f2m/f2_any.h"
}
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include "tongyu/ec_any.h"
#include "tongyu/ecdsa.h"
#include <bitset>
#include <map>
#include <memory>

namespace {

using Poly = std::bitset<2100>;
using Field = std::unique_ptr<ty_f2_any>;
using El = ty_f2_any_el;

Bytes bytes(const Poly &p, size_t len)
{
    Bytes b(len);
    for (size_t i = 0; i < 8 * len; i++)
        if (p[i]) b[len - 1 - i / 8] |= (uint8_t)(1 << i % 8);
    return b;
}

Poly poly(const Bytes &b)
{
    Poly p;
    for (size_t i = 0; i < 8 * b.size(); i++) p[i] = b[b.size() - 1 - i / 8] >> i % 8 & 1;
    return p;
}

// x y mod M, by the definition alone
Poly by_definition(const Poly &x, const Poly &y, const Poly &M, size_t m)
{
    Poly z;
    for (size_t i = 0; i < m; i++)
        if (y[i]) z ^= x << i;
    for (size_t i = 2 * m; i >= m; i--)
        if (z[i]) z ^= M << (i - m);
    return z;
}

// An irreducible polynomial of degree m, with up to `terms` terms between the first and the last
// (0: any number)
Poly irreducible(size_t m, size_t terms, TestRng &r)
{
    for (;;) {
        Poly M;
        M.set(m).set(0);
        for (size_t i = 0; i < terms; i++) M.set(1 + r.below(m - 1));
        for (size_t i = 1; i < m && !terms; i++) M[i] = r.below(2);
        ty_f2_any f;
        const Bytes in = bytes(M, m / 8 + 1);
        if (ty_f2_any_init(&f, in.data(), in.size(), TY_F2_AUTO, 0) == TY_OK) return M;
    }
}

const ty_f2_way ways[] = {TY_F2_FULL, TY_F2_PARTIAL, TY_F2_BARRETT, TY_F2_MONTGOMERY};

// Every function of a field, with all methods of reduction and all tiers, on a few elements and on
// the results of other functions, which may be unreduced, of degrees below n.
void check_field(const Poly &M, size_t m, unsigned reg, TestRng &r)
{
    const Bytes in = bytes(M, m / 8 + 1);
    const size_t len = (m + 7) / 8;
    const auto element = [&] { return poly(r.bytes(len)) & ~(~Poly() << m); };
    const std::vector<Poly> v = {element(), ~(~Poly() << m), Poly(1) << (m - 1), element()};
    const auto times = [&](const Poly &x, const Poly &y) { return by_definition(x, y, M, m); };
    const Poly xy = times(v[0], v[1]), sq = times(xy, xy), both = times(v[0], sq) ^ times(v[2], xy);
    const Poly last = times(both, v[3]) ^ times(sq, sq);
    for (const ty_f2_way way : ways) {
        ty_f2_any f;
        ASSERT_EQ(ty_f2_any_init(&f, in.data(), in.size(), way, reg), TY_OK);
        SCOPED_TRACE("m " + std::to_string(m) + " k " + std::to_string(f.k) + " way " +
                     std::to_string(way));
        for_each_tier<ty_f2_any_ops>(ty_f2_any_tiers, [&](const ty_f2_any_ops *tier, const char *) {
            const ty_f2_any_kernels *ops = tier->pick(&f);
            const auto get = [&](const El &x) {
                Bytes b(len);
                ty_f2_any_get(b.data(), &x, &f, ops);
                return hex(b);
            };
            El x[4], a, b, c, d;
            for (size_t i = 0; i < 4; i++)
                ASSERT_NE(ty_f2_any_set(&x[i], bytes(v[i], len).data(), &f, ops), 0u);
            EXPECT_EQ(get(x[3]), hex(bytes(v[3], len)));
            ops->mul(&a, &x[0], &x[1], &f);
            EXPECT_EQ(get(a), hex(bytes(xy, len)));
            ops->sqr_n(&b, &a, 1, &f);
            EXPECT_EQ(get(b), hex(bytes(sq, len)));
            ops->mul_mul(&c, &x[0], &b, &x[2], &a, &f);
            EXPECT_EQ(get(c), hex(bytes(both, len)));
            ops->mul_sqr(&d, &c, &x[3], &b, &f);
            EXPECT_EQ(get(d), hex(bytes(last, len)));
            ty_f2_any_inv(&c, &d, &f, ops);
            ops->mul(&c, &c, &d, &f);
            EXPECT_EQ(get(c), hex(bytes(last.any() ? Poly(1) : Poly(), len)));
            if (last.any()) {
                ty_f2_any_div_vt(&c, &a, &d, &f, ops);
                ops->mul(&c, &c, &d, &f);
                EXPECT_EQ(get(c), hex(bytes(xy, len)));
            }
            ty_f2_any_add(&c, &b, &a, &f);            // z^2 + z for z = xy
            ASSERT_NE(ty_f2_any_solve(&d, &c, &f, ops), 0u);
            ops->sqr_n(&a, &d, 1, &f);
            ty_f2_any_add(&a, &a, &d, &f);
            EXPECT_EQ(get(a), get(c));
            EXPECT_EQ(ty_f2_any_trace(&c, &f, ops), 0u);
            EXPECT_EQ(ty_f2_any_solve(&d, &x[0], &f, ops) != 0,
                      ty_f2_any_trace(&x[0], &f, ops) == 0);
            ty_f2_any_add(&c, &c, &a, &f);
            EXPECT_NE(ty_f2_any_iszero(&c, &f, ops), 0u);
            EXPECT_EQ(ty_f2_any_iszero(&b, &f, ops) != 0, sq.none());
        });
    }
}

struct Made {   // a curve with the numbers to which it points
    std::unique_ptr<ty_ec_any> any = std::make_unique<ty_ec_any>();
    const ty_ec_curve *curve() const { return ty_ec_any_curve(any.get()); }
};

Made made(const ty_ec_params &p, ty_ec_way way = TY_EC_AUTO, unsigned reg = 0)
{
    Made c;
    const char *why = nullptr;
    EXPECT_EQ(ty_ec_any_init(c.any.get(), &p, way, reg, &why), TY_OK) << why;
    return c;
}

ty_ec_params params(const ty_ec_curve *c)
{
    ty_ec_params p;
    ty_ec_params_get(&p, c);
    return p;
}

Bytes point(const ty_ec_pub &pub)
{
    Bytes b(1 + 2 * ty_ec_field_len(pub.curve));
    ty_ec_pub_get(b.data(), &pub);
    return b;
}

}   // namespace

TEST(F2Any, EveryMethodMatchesTheDefinition)
{
    TestRng r(1);
    // degrees that are small, at the ends of words, and of the sizes that have their own functions
    size_t terms = 0;
    for (size_t m : {2, 3, 8, 63, 64, 65, 113, 128, 163, 191, 192, 239}) {
        if (m > 120 && m % 2 == 0 && !full()) continue;
        const Poly M = irreducible(m, m < 8 ? 0 : terms, r);
        check_field(M, m, 0, r);
        if (m > 100) check_field(M, m, 256, r);
        terms ^= 3;
    }
    for (size_t m : {257, 320, 367, 409, 431, 509, 571, 640, 1023})
        if (full() || m == 257) check_field(irreducible(m, 3, r), m, 0, r);
    for (int i = 0; full() && i < 100; i++) {
        const size_t m = 4 + r.below(300);
        check_field(irreducible(m, i % 2 ? 3 : 0, r), m, 0, r);
    }
    // of sizes that have their own functions: the polynomials of sect571k1, sect409k1, and of DSTU
    // 4145 for degree 367
    check_field(Poly(1) << 571 ^ Poly(1) << 10 ^ Poly(1) << 5 ^ Poly(1) << 2 ^ Poly(1), 571, 0, r);
    check_field(Poly(1) << 409 ^ Poly(1) << 87 ^ Poly(1), 409, 0, r);
    check_field(Poly(1) << 367 ^ Poly(1) << 21 ^ Poly(1), 367, 0, r);
    const Poly trinomial = Poly(1) << 233 ^ Poly(1) << 74 ^ Poly(1),
               steep = Poly(1) << 239 ^ Poly(1) << 158 ^ Poly(1);
    for (unsigned reg : {0u, 256u}) {
        check_field(trinomial, 233, reg, r);
        check_field(steep, 239, reg, r);
    }
}

TEST(F2Any, Refused)
{
    ty_f2_any f;
    const auto init = [&f](const Bytes &b, unsigned reg = 0) {
        return ty_f2_any_init(&f, b.data(), b.size(), TY_F2_AUTO, reg);
    };
    EXPECT_EQ(init({7}), TY_OK);                      // t^2 + t + 1
    EXPECT_EQ(init({}), TY_ERR_SIZE);
    EXPECT_EQ(init({0}), TY_ERR_SIZE);
    EXPECT_EQ(init({1}), TY_ERR_SIZE);
    EXPECT_EQ(init({3}), TY_ERR_SIZE);
    EXPECT_EQ(init({0, 7}), TY_ERR_SIZE);             // a leading zero
    EXPECT_EQ(init({7}, 255), TY_ERR_SIZE);
    EXPECT_EQ(init({5}), TY_ERR_ARG);                 // (t + 1)^2
    // t (t + 1): t^4 = t, but t^2 - t is not a unit
    EXPECT_EQ(init({6}), TY_ERR_ARG);
    EXPECT_EQ(init({0x15}), TY_ERR_ARG);              // (t^2 + t + 1)^2
    EXPECT_EQ(init({0x1b}), TY_ERR_ARG);              // (t + 1)(t^3 + 1)
    EXPECT_EQ(init({0x13}), TY_OK);
    EXPECT_EQ(init({1, 0x1b}), TY_OK);                // that of AES
    EXPECT_EQ(init({1, 0x1a}), TY_ERR_ARG);
    Bytes large(129, 0);
    large[0] = 1;
    large[128] = 1;
    EXPECT_EQ(init(large), TY_ERR_SIZE);              // degree 1024
    Bytes just(33, 0);
    just[0] = 1;
    just[31] = 0x04;
    just[32] = 0x25;                                  // t^256 + t^10 + t^5 + t^2 + 1
    EXPECT_EQ(init(just), TY_OK);
    EXPECT_EQ(init(just, 256), TY_ERR_SIZE);
    // every polynomial of degree 10, compared with trial division
    for (unsigned p = 1024; p < 2048; p++) {
        bool prime = true;
        for (unsigned d = 2; d < 64 && prime; d++) {
            unsigned rest = p;
            int db = 31 - __builtin_clz(d);
            for (int i = 10; i >= db; i--)
                if (rest >> i & 1) rest ^= d << (i - db);
            prime = rest != 0;
        }
        ASSERT_EQ(init({(uint8_t)(p >> 8), (uint8_t)p}), prime ? TY_OK : TY_ERR_ARG) << p;
    }
}

// The number of rounds, as in table 2 of Gura, Eberle and Chang Shantz 2002. The text of the paper
// allows three at most, which sect239k1 contradicts.
TEST(F2Any, Rounds)
{
    const std::vector<std::tuple<const char *, unsigned, unsigned, unsigned>> table = {
        { "sect113r1", 2, 3, 2 }, { "sect131r1", 2, 3, 2 }, { "sect163k1", 2, 2, 2 },
        { "sect193r1", 2, 2, 2 }, { "sect233k1", 2, 2, 2 }, { "sect239k1", 3, 4, 4 },
        { "sect283k1", 2, 0, 2 }, { "sect409k1", 2, 0, 2 }, { "sect571k1", 2, 0, 2 }
    };
    for (const auto &[name, least, at_256, words] : table) {
        const ty_ec_params p = params(ty_ec_curve_named(name));
        ty_ec_any_facts f;
        ASSERT_EQ(ty_ec_any_explain(&f, p.poly, p.poly_len, TY_EC_AUTO, 0), TY_OK);
        EXPECT_EQ(f.least_rounds, least) << name;
        EXPECT_EQ(f.rounds, words) << name;
        EXPECT_EQ(f.n, (f.m + 63) / 64 * 64);
        EXPECT_GT(f.products[TY_EC_MONTGOMERY], 0u) << name;
        const ty_err err = ty_ec_any_explain(&f, p.poly, p.poly_len, TY_EC_AUTO, 256);
        EXPECT_EQ(err, at_256 ? TY_OK : TY_ERR_SIZE);
        EXPECT_EQ(f.rounds, at_256) << name;
    }
}

TEST(EcAny, NamedCurvesAgree)
{
    TestRng r(2);
    const ty_rng rng = r.ty();
    for (size_t i = 0; const ty_ec_curve *c = ty_ec_curve_at(i); i++) {
        SCOPED_TRACE(ty_ec_curve_name(c));
        const size_t len = ty_ec_field_len(c), n_len = ty_ec_order_len(c);
        if (i % 3 && len > 30 && !full()) continue;
        ty_ec_key key, other;
        ASSERT_EQ(ty_ec_keygen(&key, c, &rng), TY_OK);
        ASSERT_EQ(ty_ec_keygen(&other, c, &rng), TY_OK);
        Bytes x(len), h(len), sig(2 * n_len), digest = r.bytes(32);
        ASSERT_EQ(ty_ec_ecdh(x.data(), &other.pub, &key), TY_OK);
        ASSERT_EQ(ty_ec_ecdh_cofactor(h.data(), &other.pub, &key), TY_OK);
        ASSERT_EQ(ty_ecdsa_sign(sig.data(), digest.data(), 32, &key, nullptr), TY_OK);
        for (int way = TY_EC_AUTO; way <= TY_EC_MONTGOMERY; way++) {
            if (way != TY_EC_AUTO && len > 21 && !full()) continue;
            const Made any =
                made(params(c), (ty_ec_way)way, way == TY_EC_PARTIAL && len < 32 ? 256 : 0);
            const ty_ec_curve *a = any.curve();
            ty_ec_key k;
            ty_ec_pub pub;
            ASSERT_EQ(ty_ec_key_set(&k, a, key.d, n_len), TY_OK);
            EXPECT_EQ(hex(point(k.pub)), hex(point(key.pub)));
            // the end of the ladder at -G, where y is a special case
            Bytes top(c->n, c->n + n_len);
            ty_ec_key named;
            ty_ec_key end;
            top[n_len - 1]--;
            ASSERT_EQ(ty_ec_key_set(&end, a, top.data(), n_len), TY_OK);
            ASSERT_EQ(ty_ec_key_set(&named, c, top.data(), n_len), TY_OK);
            EXPECT_EQ(hex(point(end.pub)), hex(point(named.pub)));
            Bytes peer = point(other.pub), half(1 + len), again(1 + len), y(len), s(2 * n_len);
            ty_ec_pub_get_compressed(half.data(), &other.pub);
            ASSERT_EQ(ty_ec_pub_set(&pub, a, half.data(), half.size()), TY_OK);
            EXPECT_EQ(hex(point(pub)), hex(peer));
            ty_ec_pub_get_compressed(again.data(), &pub);
            EXPECT_EQ(again, half);
            ASSERT_EQ(ty_ec_ecdh(y.data(), &pub, &k), TY_OK);
            EXPECT_EQ(hex(y), hex(x));
            ASSERT_EQ(ty_ec_ecdh_cofactor(y.data(), &pub, &k), TY_OK);
            EXPECT_EQ(hex(y), hex(h));
            ASSERT_EQ(ty_ecdsa_sign(s.data(), digest.data(), 32, &k, nullptr), TY_OK);
            EXPECT_EQ(hex(s), hex(sig));
            EXPECT_EQ(ty_ecdsa_verify(s.data(), s.size(), digest.data(), 32, &k.pub), TY_OK);
            s[n_len - 1] ^= 1;
            EXPECT_EQ(ty_ecdsa_verify(s.data(), s.size(), digest.data(), 32, &k.pub),
                      TY_ERR_VERIFY);
            const ty_ec_params back = params(a), p = params(c);
            EXPECT_EQ(Bytes(back.poly, back.poly + back.poly_len),
                      Bytes(p.poly, p.poly + p.poly_len));
            EXPECT_EQ(back.h, p.h);
        }
    }
}

TEST(EcAny, Vectors)
{
    const auto file = load_vectors("gf2m/binary_curves_a.json");
    if (!file) GTEST_SKIP() << "no vector files";
    size_t seen = 0, refused = 0;
    each_level([&](const std::string &level) {
        for (const Json &row : file->at("curves")) {
            const ty_ec_curve *c = ty_ec_curve_named(row.at("curve").text().c_str());
            if (!full() && ty_ec_field_bits(c) > (level[0] == 'c' ? 131u : 240u)) continue;
            SCOPED_TRACE(ty_ec_curve_name(c));
            const Made any = made(params(c));
            size_t i = 0;
            for (const Json &v : row.at("ecdh")) {
                const Bytes peer = field(v, "peer");
                if (level[0] == 'c' && i++ % 5 && !full()) continue;
                ty_ec_pub pub, named;
                const ty_err err = ty_ec_pub_set(&pub, any.curve(), peer.data(), peer.size());
                ASSERT_EQ(err, ty_ec_pub_set(&named, c, peer.data(), peer.size())) << v;
                if (err != TY_OK) {
                    refused++;
                    continue;
                }
                ASSERT_EQ(hex(point(pub)), hex(point(named)));
                if (seen++ % 8 && !full()) continue;
                std::string d = v.at("d").text();
                const size_t n_len = ty_ec_order_len(c);
                d.insert(0, 2 * n_len > d.size() ? 2 * n_len - d.size() : 0, '0');
                const Bytes k = unhex(d);
                ty_ec_key key{};
                key.pub.curve = any.curve();
                std::copy(k.end() - (long)n_len, k.end(), key.d);
                Bytes x(ty_ec_field_len(c));
                ASSERT_EQ(ty_ec_ecdh(x.data(), &pub, &key), TY_OK);
                ASSERT_EQ(hex(x), v.at("x").text()) << v;
            }
            i = 0;
            for (const Json &v : row.at("mul")) {
                if (i++ % 5 && !full()) continue;
                const size_t n_len = ty_ec_order_len(c) + 1;
                std::string d = v.at("k").text();
                d.insert(0, 2 * n_len > d.size() ? 2 * n_len - d.size() : 0, '0');
                const Bytes k = unhex(d), p = field(v, "p"), want = field(v, "r");
                Bytes z(2 * ty_ec_field_len(c));
                const uint32_t finite =
                    ty_ec_binary_best(any.curve())
                        ->mul(z.data(), k.data(), 8 * n_len, p.data() + 1, any.curve());
                ASSERT_EQ(finite != 0, want.size() > 1) << v;
                if (finite) { ASSERT_EQ(hex(z), hex(Bytes(want.begin() + 1, want.end()))) << v; }
            }
        }
    });
    EXPECT_GE(seen, 4u);        // the number for one slow level
    EXPECT_GE(refused, 20u);
}

// y^2 + xy = x^3 + ax^2 + 1 has the same number of points in every representation of its field: the
// order is that of sect163k1 and others, with random polynomials. The generator is h times any
// point.
TEST(EcAny, KoblitzCurvesInFieldsOfAnyPolynomial)
{
    TestRng r(3);
    const ty_rng rng = r.ty();
    for (const char *name :
         { "sect163k1", "sect233k1", "sect239k1", "sect283k1", "sect409k1", "sect571k1" }) {
        const ty_ec_curve *c = ty_ec_curve_named(name);
        const size_t m = ty_ec_field_bits(c), len = ty_ec_field_len(c);
        if (m > 163 && !full()) continue;
        for (size_t terms : {0, 3}) {
            SCOPED_TRACE(name + std::to_string(terms));
            const Poly M = irreducible(m, terms, r);
            ty_ec_params p = params(c);
            const Bytes in = bytes(M, m / 8 + 1);
            std::copy(in.begin(), in.end(), p.poly);
            // any x with a point: y = x w for w^2 + w = x + a + 1/x^2; h times it by the formula
            // for twice a point
            ty_f2_any f;
            ASSERT_EQ(ty_f2_any_init(&f, in.data(), in.size(), TY_F2_AUTO, 0), TY_OK);
            const ty_f2_any_kernels *ops = ty_f2_any_pick(&f);
            Bytes gx(len), gy(len);
            for (bool found = false; !found;) {
                El x, y, l, t, a;
                gx = bytes(poly(r.bytes(len)) & ~(~Poly() << m), len);
                (void)ty_f2_any_set(&x, gx.data(), &f, ops);
                (void)ty_f2_any_set(&a, p.a, &f, ops);
                ty_f2_any_inv(&t, &x, &f, ops);
                ops->sqr_n(&t, &t, 1, &f);
                ty_f2_any_add(&t, &t, &x, &f);
                ty_f2_any_add(&t, &t, &a, &f);
                if (!ty_f2_any_solve(&l, &t, &f, ops)) continue;
                ops->mul(&y, &l, &x, &f);
                for (unsigned h = p.h; h > 1; h /= 2) {
                    ty_f2_any_inv(&t, &x, &f, ops);
                    ops->mul(&t, &t, &y, &f);
                    ty_f2_any_add(&l, &t, &x, &f);
                    ops->sqr_n(&y, &x, 1, &f);
                    ops->sqr_n(&t, &l, 1, &f);
                    ty_f2_any_add(&t, &t, &l, &f);
                    ty_f2_any_add(&x, &t, &a, &f);
                    ty_f2_any_add(&t, &l, &f.one, &f);
                    ops->mul(&t, &t, &x, &f);
                    ty_f2_any_add(&y, &y, &t, &f);
                }
                ty_f2_any_get(gx.data(), &x, &f, ops);
                ty_f2_any_get(gy.data(), &y, &f, ops);
                found = true;
            }
            p.x = gx.data();
            p.y = gy.data();
            std::string first;
            for (int way = TY_EC_FULL; way <= TY_EC_MONTGOMERY; way++) {
                const Made any = made(p, (ty_ec_way)way);
                ty_ec_key k;
                Bytes d(ty_ec_order_len(c), 0x15), sig(2 * d.size());
                d[0] = 0;
                ASSERT_EQ(ty_ec_key_set(&k, any.curve(), d.data(), d.size()), TY_OK);
                if (first.empty()) first = hex(point(k.pub));
                EXPECT_EQ(hex(point(k.pub)), first);
                ASSERT_EQ(ty_ecdsa_sign(sig.data(), d.data(), 8, &k, &rng), TY_OK);
                EXPECT_EQ(ty_ecdsa_verify(sig.data(), sig.size(), d.data(), 8, &k.pub), TY_OK);
            }
        }
    }
}

static const struct Multiple {
    const char *name, *k, *x, *y;
} multiples[] = {
#include "ec/multiples.inc"
};

// A multiple on every named curve, computed by tools/generate from the definition: compared with
// the kernels of its field if there are any, and with the code for curves that are given by their
// parameters. The list has each curve once, and nothing else.
TEST(EcAny, MultiplesOfEveryGenerator)
{
    std::map<std::string, const ty_ec_curve *> own;
    std::map<std::string, ty_ec_params> all;
    for (size_t i = 0; const ty_ec_curve *c = ty_ec_curve_at(i); i++) {
        own[ty_ec_curve_name(c)] = c;
        all[ty_ec_curve_name(c)] = params(c);
    }
    ty_ec_params p;
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++) all[p.name] = p;
    EXPECT_EQ(all.size(), std::size(multiples));
    each_level([&](const std::string &level) {
        for (const Multiple &v : multiples) {
            SCOPED_TRACE(v.name);
            ASSERT_EQ(all.count(v.name), 1u) << "no such curve";
            const Bytes k = unhex(v.k);
            const auto check = [&](const ty_ec_curve *c) {
                ty_ec_key key;
                ASSERT_EQ(ty_ec_key_set(&key, c, k.data(), k.size()), TY_OK);
                EXPECT_EQ(hex(point(key.pub)), std::string("04") + v.x + v.y);
            };
            if (own.count(v.name)) check(own[v.name]);
            if (full() || level[0] != 'c' || all[v.name].poly_len < 30)
                check(made(all[v.name]).curve());
        }
    });
}

// The curves of X9.62 and DSTU 4145, with cofactors up to 65392 and even degrees: keys, agreement,
// signatures, points of other orders refused.
TEST(EcAny, Standards)
{
    TestRng r(4);
    const ty_rng rng = r.ty();
    ty_ec_params p;
    size_t i = 0;
    for (; ty_ec_standard_at(&p, i); i++) {
        SCOPED_TRACE(p.name);
        if (i % 3 == 2 && !full()) continue;
        const Made any = made(p);
        const ty_ec_curve *c = any.curve();
        EXPECT_STREQ(ty_ec_curve_name(c), p.name);
        EXPECT_STREQ(ty_ec_curve_oid(c), p.oid);
        EXPECT_EQ(ty_ec_curve_named(p.name), nullptr);
        const size_t len = ty_ec_field_len(c), n_len = ty_ec_order_len(c);
        ty_ec_key a, b;
        ASSERT_EQ(ty_ec_keygen(&a, c, &rng), TY_OK);
        ASSERT_EQ(ty_ec_keygen(&b, c, &rng), TY_OK);
        Bytes x(len), y(len), sig(2 * n_len), half(1 + len), low(1 + 2 * len);
        ASSERT_EQ(ty_ec_ecdh_cofactor(x.data(), &a.pub, &b), TY_OK);
        ASSERT_EQ(ty_ec_ecdh_cofactor(y.data(), &b.pub, &a), TY_OK);
        EXPECT_EQ(x, y);
        ty_ec_pub_get_compressed(half.data(), &a.pub);
        ty_ec_pub z;
        ASSERT_EQ(ty_ec_pub_set(&z, c, half.data(), half.size()), TY_OK);
        EXPECT_EQ(hex(point(z)), hex(point(a.pub)));
        ASSERT_EQ(ty_ecdsa_sign(sig.data(), x.data(), 20, &a, &rng), TY_OK);
        EXPECT_EQ(ty_ecdsa_verify(sig.data(), sig.size(), x.data(), 20, &a.pub), TY_OK);
        EXPECT_EQ(ty_ecdsa_verify(sig.data(), sig.size(), x.data(), 21, &a.pub), TY_ERR_VERIFY);
        // random x: some have no point, or one that is not in the subgroup of order n
        size_t others = 0;
        for (int j = 0; j < 12; j++) {
            half = r.bytes(1 + len);
            half[0] = 2;
            half[1] &= (uint8_t)(0xff >> (8 * len - ty_ec_field_bits(c)));
            half[len] &= 0xfe;
            if (ty_ec_pub_set(&z, c, half.data(), half.size()) == TY_OK)
                EXPECT_EQ(ty_ec_mul(&z, sig.data(), &z), TY_OK);
            else others++;
        }
        EXPECT_GT(others, 2u);
    }
    EXPECT_GE(i, 26u);
    EXPECT_EQ(p.name, nullptr);
}

TEST(EcAny, Refused)
{
    const ty_ec_curve *c = ty_ec_curve_named("sect163r2");
    const size_t len = ty_ec_field_len(c);
    const Bytes zero(len), one = [&] { Bytes b(len); b[len - 1] = 1; return b; }();
    Made any;
    const auto init = [&](const ty_ec_params &p, ty_ec_way way = TY_EC_AUTO, unsigned reg = 0) {
        const char *why = nullptr;
        const ty_err err = ty_ec_any_init(any.any.get(), &p, way, reg, &why);
        EXPECT_EQ(std::string(why).empty(), err == TY_OK);
        if (err != TY_OK) { EXPECT_EQ(any.any->opaque[1], 0u); }
        return err;
    };
    const ty_ec_params good = params(c);
    EXPECT_EQ(init(good), TY_OK);
    EXPECT_EQ(init(good, (ty_ec_way)9), TY_ERR_ARG);
    EXPECT_EQ(init(good, TY_EC_AUTO, 128), TY_ERR_ARG);
    const auto with = [&](auto change) { ty_ec_params p = good; change(p); return init(p); };
    EXPECT_EQ(with([&](ty_ec_params &p) { p.poly[p.poly_len - 1] ^= 2; }), TY_ERR_ARG);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.poly_len = 200; }), TY_ERR_SIZE);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.poly_len = 0; }), TY_ERR_SIZE);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.n_len = 200; }), TY_ERR_SIZE);
    // cut off, an object identifier would be that of another curve
    const std::string fits(31, '1'), too_long(32, '1');
    EXPECT_EQ(with([&](ty_ec_params &p) { p.name = p.oid = fits.c_str(); }), TY_OK);
    EXPECT_EQ(ty_ec_curve_name(any.curve()), fits);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.name = too_long.c_str(); }), TY_ERR_SIZE);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.oid = too_long.c_str(); }), TY_ERR_SIZE);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.b = zero.data(); }), TY_ERR_ARG);
    // G is not on that curve
    EXPECT_EQ(with([&](ty_ec_params &p) { p.b = one.data(); }), TY_ERR_KEY);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.x = zero.data(); }), TY_ERR_KEY);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.h = 4; }), TY_ERR_KEY);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.h = 0; }), TY_OK);
    Bytes n(good.n, good.n + good.n_len), high(len, 0xff);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.a = high.data(); }), TY_ERR_KEY);
    EXPECT_EQ(with([&](ty_ec_params &p) { p.y = high.data(); }), TY_ERR_KEY);
    ty_ec_params p = good;
    p.n = n.data();
    n.back() ^= 1;
    EXPECT_EQ(init(p), TY_ERR_KEY);                   // even
    n.back() ^= 1 ^ 2;
    EXPECT_EQ(init(p), TY_ERR_KEY);                   // odd, and not prime or not the order
    n.assign(n.size(), 0);
    EXPECT_EQ(init(p), TY_ERR_KEY);
    n.back() = 13;
    EXPECT_EQ(init(p), TY_ERR_KEY);                   // prime, much too small
    Bytes longer(good.n, good.n + good.n_len);
    longer.insert(longer.begin(), 3, 0);              // leading zeros are allowed
    p.n = longer.data();
    p.n_len += 3;
    EXPECT_EQ(init(p), TY_OK);
    // -G, which is a generator, too
    Bytes minus(good.y, good.y + len);
    for (size_t i = 0; i < len; i++) minus[i] ^= good.x[i];
    EXPECT_EQ(with([&](ty_ec_params &q) { q.y = minus.data(); }), TY_OK);
    minus[len - 1] ^= 1;
    EXPECT_EQ(with([&](ty_ec_params &q) { q.y = minus.data(); }), TY_ERR_KEY);
}
