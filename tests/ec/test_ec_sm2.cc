// The SM2 curve on every tier: comparison with the group law in schoolbook integers, the laws of a
// group, and four computations of kG (comb, window, interleaved NAF with k as either scalar) that
// must agree on every edge scalar.
#include "laws/bignum.hpp"
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
extern "C" {
#include "ec/ec_sm2.h"
}
#include <map>

static const Big P = Big::hex("fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff");
static const Big N = Big::hex("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123");
static const Bytes B = unhex("28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93");
static const Bytes G = unhex("32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"
                             "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0");

// A point as 64 bytes; infinity is 64 zeros, as the library writes it.
static const Bytes INFINITY_(64);

static Bytes sc(const Big &k) { return k.bytes(32); }

static Bytes checked(const Bytes &z, uint32_t mask)
{
    EXPECT_EQ(mask, z == INFINITY_ ? 0u : ~0u);
    return z;
}

struct Curve {
    const ty_ec_sm2_ops *ops;
    Bytes base(const Big &k) const
    {
        Bytes z(64);
        const uint32_t m = ops->mul_base(z.data(), sc(k).data());
        return checked(z, m);
    }
    Bytes mul(const Big &k, const Bytes &p) const
    {
        Bytes z = p;   // in place
        const uint32_t m = ops->mul(z.data(), sc(k).data(), z.data());
        return checked(z, m);
    }
    Bytes mul_add(const Big &u, const Big &v, const Bytes &p) const
    {
        Bytes z(64);
        const uint32_t m = ops->mul_add_vt(z.data(), sc(u).data(), sc(v).data(), p.data());
        const Big x = Big(Bytes(z.begin(), z.begin() + 32)) % N;   // 0 for infinity, which has no x
        EXPECT_EQ(has_x(x, u, v, p), m);
        EXPECT_EQ(by_table((x + Big(1)) % N, u, v, p), 0u);
        return checked(z, m);
    }
    uint32_t by_table(const Big &x, const Big &u, const Big &v, const Bytes &p) const
    {
        return ops->table_has_x_vt(sc(x).data(), sc(u).data(), sc(v).data(), table_of(p));
    }
    const uint8_t *table_of(const Bytes &p) const
    {
        static std::map<std::pair<const void *, Bytes>, Bytes> tables;
        Bytes &table = tables[{ops, p}];
        if (table.empty()) {
            table.resize(TY_EC_SM2_TABLE);
            ops->table_vt(table.data(), p.data());
        }
        return table.data();
    }
    // Whether uG + vP has the coordinate x modulo n, by every function that decides it; they agree.
    uint32_t has_x(const Big &x, const Big &u, const Big &v, const Bytes &p) const
    {
        const uint32_t m = ops->joint_has_x_vt(sc(x).data(), sc(u).data(), sc(v).data(), p.data());
        EXPECT_EQ(by_table(x, u, v, p), m);
        // together with earlier checks
        static std::map<const void *, std::vector<ty_ec_sm2_check>> asked;
        auto &all = asked[ops];
        ty_ec_sm2_check c;
        const auto put = [](uint8_t *to, const Bytes &from) {
            std::copy(from.begin(), from.end(), to);
        };
        put(c.x, sc(x)), put(c.u, sc(u)), put(c.v, sc(v)), put(c.p, p);
        c.table = nullptr;
        c.good = m;
        all.push_back(c);
        if (all.size() < 3u + all[0].x[31] % 9) return m;   // 3 to 11 at a time
        static unsigned groups;
        if (tier_is_slow() && groups++ % 16) all.clear();   // slow: every instruction traps
        if (all.empty()) return m;
        together(all);
        // lanes with tables of their own
        for (ty_ec_sm2_check &one : all) one.table = table_of(Bytes(one.p, one.p + 64));
        together(all);
        all[all.size() / 2].table = nullptr;
        together(all);
        all.clear();
        return m;
    }
    void together(std::vector<ty_ec_sm2_check> all) const
    {
        const std::vector<ty_ec_sm2_check> want = all;
        ops->checks_vt(all.data(), all.size());
        for (size_t i = 0; i < all.size(); i++)
            EXPECT_EQ(all[i].good, want[i].good)
                << hex(all[i].u, 32) << " " << hex(all[i].v, 32) << " " << hex(all[i].p, 64);
    }
    Bytes add(const Bytes &p, const Bytes &q) const
    {
        if (p == INFINITY_) return q;
        if (q == INFINITY_) return p;
        Bytes z(64);
        const uint32_t m = ops->add(z.data(), p.data(), q.data());
        return checked(z, m);
    }
    Bytes neg(Bytes p) const
    {
        if (p == INFINITY_) return p;
        const Bytes y = (P - Big(Bytes(p.begin() + 32, p.end()))).bytes(32);
        std::copy(y.begin(), y.end(), p.begin() + 32);
        return p;
    }
};

template <class F> static void each_tier(F run)
{
    for_each_tier<ty_ec_sm2_ops>(
        ty_ec_sm2_tiers, [&](const ty_ec_sm2_ops *ops, const char *) { run(Curve{ ops }); });
}

// Chord and tangent in integers: the definition.
static Bytes reference_add(const Bytes &p, const Bytes &q)
{
    const Big x1(Bytes(p.begin(), p.begin() + 32)), y1(Bytes(p.begin() + 32, p.end()));
    const Big x2(Bytes(q.begin(), q.begin() + 32)), y2(Bytes(q.begin() + 32, q.end()));
    Big top, bottom;
    if (x1 == x2) {
        if (!(y1 == y2)) return INFINITY_;
        top = Big(3) * (x1 * x1 + (P - Big(1))) % P;   // 3x^2 - 3
        bottom = Big(2) * y1;
    } else {
        top = y2 + P - y1;
        bottom = x2 + P - x1;
    }
    const Big slope = top * power(bottom % P, P - Big(2), P) % P;
    const Big x3 = (slope * slope + P + P - x1 - x2) % P;
    const Big y3 = (slope * (x1 + P - x3) + P - y1) % P;
    Bytes z = x3.bytes(32), y = y3.bytes(32);
    z.insert(z.end(), y.begin(), y.end());
    return z;
}

static std::vector<Big> edge_scalars()
{
    // (n-1)/2
    const Big one(1),
        half = Big::hex("7fffffff7fffffffffffffffffffffffb901efb590e30295a9ddfa049ceaa091");
    std::vector<Big> v = {Big::pow2(256) - one, N, N + one};
    for (uint64_t i : {0, 1, 2, 3, 15, 16, 17, 31, 32, 33}) v.push_back(Big(i));
    for (uint64_t i = 1; i <= 36; i += full() || i < 8 ? 1 : 3) v.push_back(N - Big(i));
    for (int i = 0; i < 4; i++) {
        v.push_back(half - Big((uint64_t)i));
        v.push_back(half + Big((uint64_t)i));
    }
    for (unsigned k = 6; k < 256; k += full() ? 1 : k % 5 == 4 ? 1 : 9) {
        v.push_back(Big::pow2(k));
        v.push_back(Big::pow2(k) - one);
        v.push_back(N - Big::pow2(k));
    }
    // runs that make every signed digit +16, -16, 0 or alternate
    for (const char *byte : {"10", "0f", "84", "42", "21", "aa", "55", "f0"}) {
        std::string s;
        for (int i = 0; i < 32; i++) s += byte;
        v.push_back(Big::hex(s) % N);
        v.push_back(N - v.back());
    }
    // 3 k carries out of words that are all ones: for its non-adjacent form
    v.push_back(Big::hex("5555555555555555ffffffffffffffff5555555555555555ffffffffffffffff"));
    // digits of every width in use at the ends of their range, with zeros and ones
    TestRng r(8);
    for (unsigned width : {5u, 7u}) {
        for (int round = 0; round < (full() ? 400 : 12); round++) {
            const uint64_t top = (uint64_t)1 << (width - 1),
                           values[] = { 0, 1, top - 1, top, 0, 1, top - 1, top };
            Big plus(0), minus(0);
            for (unsigned at = 0; at + width < 256; at += width) {
                const unsigned pick = r.bytes(1)[0] & 7;
                Big &side = pick < 4 ? plus : minus;
                side = side + Big(values[pick]) * Big::pow2(at);
            }
            v.push_back((plus + N - minus % N) % N);
        }
    }
    return v;
}

TEST(EcSm2, AdditionMatchesTheDefinition)
{
    each_tier([](const Curve &c) {
        const Bytes g2 = c.base(Big(2)), g5 = c.base(Big(5)), high = c.base(N - Big(77));
        for (const Bytes &p : {G, g2, g5, high, c.neg(g5)})
            for (const Bytes &q : { G, g5, high, c.neg(high) })
                EXPECT_EQ(hex(c.add(p, q)), hex(reference_add(p, q)));
    });
}

TEST(EcSm2, SmallMultiples)
{
    each_tier([](const Curve &c) {
        Bytes sum = INFINITY_;
        const Bytes p = c.base(Big::hex("123456789abcdef0fedcba9876543210"));
        Bytes sum_p = INFINITY_;
        for (uint64_t k = 0; k <= 36; k++) {
            ASSERT_EQ(hex(c.base(Big(k))), hex(sum)) << k;
            ASSERT_EQ(hex(c.mul(Big(k), G)), hex(sum)) << k;
            ASSERT_EQ(hex(c.mul(Big(k), p)), hex(sum_p)) << k;
            ASSERT_EQ(hex(c.mul_add(Big(k), Big(0), p)), hex(sum)) << k;
            ASSERT_EQ(hex(c.mul_add(Big(0), Big(k), p)), hex(sum_p)) << k;
            ASSERT_EQ(hex(c.base(N - Big(k))), hex(c.neg(sum))) << "n - " << k;
            sum = c.add(sum, G);
            sum_p = c.add(sum_p, p);
        }
    });
}

TEST(EcSm2, EdgeScalarsByFourAlgorithms)
{
    const std::vector<Big> all = edge_scalars();
    std::vector<Bytes> first;
    each_tier([&](const Curve &c) {
        const Bytes p = c.base(Big(1000003));
        for (size_t i = 0; i < all.size(); i++) {
            const Big &k = all[i];
            const Bytes want = c.base(k);
            if (first.size() <= i) first.push_back(want);
            ASSERT_EQ(hex(want), hex(first[i])) << "tiers differ on " << hex(sc(k));
            ASSERT_EQ(hex(c.mul(k, G)), hex(want)) << hex(sc(k));
            ASSERT_EQ(hex(c.mul_add(k, Big(0), p)), hex(want)) << hex(sc(k));
            ASSERT_EQ(hex(c.mul_add(Big(0), k, G)), hex(want)) << hex(sc(k));
            ASSERT_EQ(hex(c.mul(k, p)), hex(c.base(k * Big(1000003) % N))) << hex(sc(k));
            if (want != INFINITY_) { ASSERT_EQ(c.ops->on_curve(want.data()), ~0u); }
        }
    });
}

// Every bit of either scalar alone, so that each entry of the tables and each doubling is used; and
// of both, where P is G or -G, so that equal or opposite points meet wherever they can.
TEST(EcSm2, EveryBitOfAJointMultiplication)
{
    each_tier([](const Curve &c) {
        const Bytes p = c.base(Big(12345));
        Bytes g2 = G, p2 = p;
        for (unsigned i = 0; i < 256; i++) {
            const Big gx = Big(Bytes(g2.begin(), g2.begin() + 32)) % N,
                      px = Big(Bytes(p2.begin(), p2.begin() + 32)) % N;
            ASSERT_EQ(c.has_x(gx, Big::pow2(i), Big(0), p), ~0u) << i;
            ASSERT_EQ(c.has_x(px, Big(0), Big::pow2(i), p), ~0u) << i;
            EXPECT_EQ(c.has_x(gx, Big::pow2(i), Big::pow2(i), c.neg(G)), 0u) << i;
            g2 = c.add(g2, g2);
            p2 = c.add(p2, p2);
            const Big twice = Big(Bytes(g2.begin(), g2.begin() + 32)) % N;
            ASSERT_EQ(c.has_x(twice, Big::pow2(i), Big::pow2(i), G), ~0u) << i;
        }
        EXPECT_EQ(c.has_x(Big(0), Big(0), Big(0), p), 0u) << "infinity has no x";
    });
}

// Points that share an inversion: each is the same as alone, also with infinity among them.
TEST(EcSm2, ManyBaseMultiples)
{
    const std::vector<Big> all = edge_scalars();
    each_tier([&](const Curve &c) {
        uint8_t k[TY_EC_SM2_MANY][32], z[TY_EC_SM2_MANY + 1][64];
        c.ops->mul_base_many(z, k, 0);
        for (size_t n :
             { (size_t)1, (size_t)2, (size_t)3, (size_t)5, (size_t)7, (size_t)8, (size_t)9,
               (size_t)10, (size_t)17, (size_t)27, (size_t)TY_EC_SM2_MANY }) {
            std::memset(z, 0xAA, sizeof z);
            for (size_t i = 0; i < n; i++)
                std::memcpy(k[i], sc(all[(i * 5 + n) % all.size()]).data(), 32);
            // infinity
            for (size_t i = n / 2; i < n; i += 5)
                std::memcpy(k[i], sc(i % 2 ? N : Big(0)).data(), 32);
            c.ops->mul_base_many(z, k, n);
            for (size_t i = 0; i < n; i++)
                EXPECT_EQ(hex(z[i], 64), hex(c.base(Big(Bytes(k[i], k[i] + 32)))))
                    << i << " of " << n;
            EXPECT_EQ(hex(z[n], 64), hex(Bytes(64, 0xAA))) << "no more than n";
        }
        // every edge scalar, among others
        for (size_t at = 0; at + TY_EC_SM2_MANY <= all.size(); at += TY_EC_SM2_MANY) {
            for (size_t i = 0; i < TY_EC_SM2_MANY; i++)
                std::memcpy(k[i], sc(all[at + i]).data(), 32);
            c.ops->mul_base_many(z, k, TY_EC_SM2_MANY);
            for (size_t i = 0; i < TY_EC_SM2_MANY; i++) {
                Bytes one(64);
                (void)c.ops->mul_base(one.data(), k[i]);
                EXPECT_EQ(hex(z[i], 64), hex(one)) << hex(k[i], 32);
            }
        }
        std::memset(k, 0, sizeof k);
        c.ops->mul_base_many(z, k, TY_EC_SM2_MANY);
        for (size_t i = 0; i < TY_EC_SM2_MANY; i++) EXPECT_EQ(hex(z[i], 64), hex(INFINITY_));
    });
}

// Different points, in place too: the same results as one at a time, with every edge scalar in some
// lane.
TEST(EcSm2, ManyMultiplesOfPoints)
{
    const std::vector<Big> all = edge_scalars();
    TestRng r(14);
    each_tier([&](const Curve &c) {
        enum { MOST = TY_EC_SM2_MANY };
        uint8_t k[MOST][32], p[MOST][64], z[MOST + 1][64];
        std::vector<Bytes> points;
        for (int i = 0; i < 5; i++)
            points.push_back(c.base(i == 4 ? N - Big(1) : Big(r.bytes(32))));
        size_t at = 0;
        const auto run = [&](size_t n, bool in_place) {
            for (size_t i = 0; i < n; i++, at++) {
                std::memcpy(k[i], sc(all[at % all.size()]).data(), 32);
                std::memcpy(p[i], points[at % points.size()].data(), 64);
            }
            std::memset(z, 0xAA, sizeof z);
            if (in_place) std::memcpy(z, p, 64 * n);
            c.ops->mul_many(z, k, in_place ? z : p, n);
            for (size_t i = 0; i < n; i++) {
                const Bytes point(p[i], p[i] + 64),
                    want = c.mul(Big(Bytes(k[i], k[i] + 32)), point);
                EXPECT_EQ(hex(z[i], 64), hex(want)) << i << " of " << n << ": " << hex(k[i], 32);
            }
            EXPECT_EQ(hex(z[n], 64), hex(Bytes(64, 0xAA))) << "no more than n";
        };
        for (size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 17}) {
            if (tier_is_slow() && n != 2 && n != 9) continue;
            run(n, n % 2 != 0);
        }
        while (at < all.size() && !tier_is_slow()) run(MOST, false);
        std::memset(k, 0, sizeof k);   // infinity in all lanes
        c.ops->mul_many(z, k, p, 9);
        for (size_t i = 0; i < 9; i++) EXPECT_EQ(hex(z[i], 64), hex(INFINITY_));
    });
}

TEST(EcSm2, DoubleAndAdd)   // the simplest algorithm, bit by bit
{
    TestRng r(3);
    const Big k = Big(r.bytes(32)) % N;
    each_tier([&](const Curve &c) {
        Bytes sum = INFINITY_;
        for (size_t i = 256; i-- > 0;) {
            sum = c.add(sum, sum);
            if (k.bit(i)) sum = c.add(sum, G);
        }
        EXPECT_EQ(hex(c.base(k)), hex(sum));
    });
}

// uG + vP where P is itself a small multiple of G or the negative of one, so that table entries and
// partial sums coincide.
TEST(EcSm2, JointMultiplicationWithCoincidences)
{
    each_tier([](const Curve &c) {
        for (int j : {1, 3, 16, 31, 63, 127}) {
            for (int sign : {1, -1}) {
                const Big pj = sign > 0 ? Big((uint64_t)j) : N - Big((uint64_t)j);
                const Bytes p = c.base(pj);
                std::vector<Big> us;
                for (uint64_t u : {0, 1, 3, 15, 16, 31, 63}) us.push_back(Big(u));
                us.push_back(N - Big(1));
                us.push_back(Big::pow2(255) + Big(3));
                for (const Big &u : us)
                    for (const Big &v : us)
                        ASSERT_EQ(hex(c.mul_add(u, v, p)), hex(c.base((u + v * pj) % N)))
                            << hex(sc(u)) << hex(sc(v)) << j;
            }
        }
        const Big k = Big::hex("59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21");
        const Bytes p = c.base(k);
        EXPECT_EQ(c.mul_add(N - k, Big(1), p), INFINITY_);
        EXPECT_EQ(c.mul_add(k, N - Big(1), p), INFINITY_);
        EXPECT_EQ(hex(c.mul_add(k, Big(1), p)), hex(c.base((k + k) % N)));
    });
}

// "adx" and "gfni512" have tables of one form, which either of them reads. The last two points were
// computed so that 4xy^2 and 8y^4, which an entry begins with, are folded to 2^256 or more: random
// points do so once in a million tables.
TEST(EcSm2, TablesInLanes)
{
    const char *beyond[] = {
        "d7f78f8383b3fd3ea0a8cadd28de55cceb2b7deb41aec40df619292e82c6950a"
        "c0a63696bedd4df449234be566a5de7f8ef0eaf7dfdf79552cc7cbfd9f43dfa6",
        "05c24b577836ad6e3aa5807c86314e2844b8e733d4579d5a47de53950c34f820"
        "5c416476f53d910a753e6054d07e7a96d4a90b59f79626b80bb5660da39f385f" };
    std::map<Bytes, Bytes> tables;
    size_t same = 0;
    for_each_tier<ty_ec_sm2_ops>(ty_ec_sm2_tiers, [&](const ty_ec_sm2_ops *ops,
                                                      const std::string &name) {
        if (name != "adx" && name != "gfni512") return;
        const Curve c{ ops };
        TestRng r(14);
        std::vector<Bytes> points = { G, c.neg(G), c.base(Big(2)), c.base(Big::pow2(42)) };
        for (const char *point : beyond) points.push_back(unhex(point));
        for (int i = 0; i < (tier_is_slow() ? 1 : full() ? 2000 : 60); i++)
            points.push_back(c.base(Big(r.bytes(32)) % N));
        for (const Bytes &p : points) {
            Bytes &table = tables[p];
            if (table.empty()) table = Bytes(c.table_of(p), c.table_of(p) + TY_EC_SM2_TABLE);
            else same += table == Bytes(c.table_of(p), c.table_of(p) + TY_EC_SM2_TABLE);
        }
        if (name == "gfni512") { EXPECT_EQ(same, points.size()); }
    });
}

// A coordinate x from n to p - 1 is in the same class mod n as x - n: each of the two must be
// found, by its point.
TEST(EcSm2, CoordinatesAboveTheOrder)
{
    each_tier([](const Curve &c) {
        int above = 0, below = 0;
        for (uint64_t i = 0; above < 3 || below < 3; i++) {
            Bytes z(64);
            if (c.ops->decompress(z.data(), sc(N + Big(i)).data(), 0)) {
                above++;
                EXPECT_EQ(c.has_x(Big(i), Big(0), Big(1), z), ~0u) << i;
                EXPECT_EQ(c.has_x(Big(i + 1), Big(0), Big(1), z), 0u) << i;
            }
            if (c.ops->decompress(z.data(), sc(Big(i)).data(), 1)) {
                below++;
                EXPECT_EQ(c.has_x(Big(i), Big(0), Big(1), z), ~0u) << i;
                EXPECT_EQ(c.has_x(Big(i + 1), Big(0), Big(1), z), 0u) << i;
                // this plus n is i mod p, but it is not i mod n
                EXPECT_EQ(c.has_x(P - N + Big(i), Big(0), Big(1), z), 0u) << i;
            }
        }
        // the two largest coordinates, p - j for some j, and x + n beyond p
        const Big gap = P - N;
        for (uint64_t j = 1, found = 0; found < 2; j++) {
            Bytes z(64);
            if (!c.ops->decompress(z.data(), sc(P - Big(j)).data(), 0)) continue;
            found++;
            EXPECT_EQ(c.has_x(gap - Big(j), Big(0), Big(1), z), ~0u) << j;
            EXPECT_EQ(c.has_x(gap + Big(j), Big(0), Big(1), z), 0u) << j;
        }
    });
}

TEST(EcSm2, LawsOfTheGroup)
{
    const int rounds = full() ? 1000 : 6;
    each_tier([&](const Curve &c) {
        TestRng r(4);
        for (int i = 0; i < rounds; i++) {
            const Big a = Big(r.bytes(32)) % N, b = Big(r.bytes(32)) % N;
            const Bytes ag = c.base(a), bg = c.base(b);
            ASSERT_EQ(hex(c.add(ag, bg)), hex(c.base((a + b) % N)));
            ASSERT_EQ(hex(c.add(bg, ag)), hex(c.add(ag, bg)));
            ASSERT_EQ(hex(c.mul(a, bg)), hex(c.base(a * b % N)));
            ASSERT_EQ(hex(c.mul_add(a, b, bg)), hex(c.base((a + b * b) % N)));
            ASSERT_EQ(c.add(ag, c.neg(ag)), INFINITY_);
            ASSERT_EQ(hex(c.add(ag, ag)), hex(c.base((a + a) % N)));
        }
    });
}

TEST(EcSm2, OnCurveAndDecompress)
{
    each_tier([](const Curve &c) {
        EXPECT_EQ(c.ops->on_curve(G.data()), ~0u);
        EXPECT_EQ(c.ops->on_curve(INFINITY_.data()), 0u);
        for (size_t bit = 0; bit < 512; bit++) {
            Bytes off = G;
            off[bit / 8] ^= (uint8_t)(1 << bit % 8);
            EXPECT_EQ(c.ops->on_curve(off.data()), 0u) << bit;
        }
        TestRng r(5);
        // (p-1)/2
        const Big half =
            Big::hex("7fffffff7fffffffffffffffffffffffffffffff800000007fffffffffffffff");
        int found = 0;
        for (int i = 0; i < 12; i++) {
            // x = 0 has the point (0, sqrt b), if any
            const Bytes x = i ? (Big(r.bytes(32)) % P).bytes(32) : Bytes(32);
            Bytes even(64, 0xAA), odd(64, 0xAA);
            const uint32_t a = c.ops->decompress(even.data(), x.data(), 0),
                           b = c.ops->decompress(odd.data(), x.data(), 1);
            EXPECT_EQ(a, b);
            // Euler's criterion decides, in integers
            const Big bx(x), rhs = (bx * bx % P * bx + (P - Big(3)) * bx + Big(B)) % P;
            EXPECT_EQ(a, power(rhs, half, P) == Big(1) ? ~0u : 0u);
            if (!a) {
                EXPECT_EQ(even, INFINITY_);
                EXPECT_EQ(odd, INFINITY_);
                continue;
            }
            found++;
            EXPECT_EQ(even[63] & 1, 0);
            EXPECT_EQ(odd[63] & 1, 1);
            EXPECT_EQ(c.neg(even), odd);
            EXPECT_EQ(c.ops->on_curve(even.data()) & c.ops->on_curve(odd.data()), ~0u);
            EXPECT_EQ(Bytes(even.begin(), even.begin() + 32), x);
        }
        EXPECT_GT(found, 2);
        Bytes z(64, 0xAA);
        EXPECT_EQ(c.ops->decompress(z.data(), P.bytes(32).data(), 0), 0u) << "x >= p";
        EXPECT_EQ(z, INFINITY_);
    });
}
