// Binary curves against libcrypto: multiplications, decoding of points, signatures made by each and
// verified by the other.
#define OPENSSL_SUPPRESS_DEPRECATED   // libcrypto 3 deprecates EC_KEY and ECDSA_do_*
#include "support/full.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/ec_any.h"
#include "tongyu/ecdsa.h"
#include <gtest/gtest.h>
#include <memory>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/objects.h>

namespace {

template <auto F> struct Free { template <class T> void operator()(T *p) const { F(p); } };
using Group = std::unique_ptr<EC_GROUP, Free<EC_GROUP_free>>;
using Point = std::unique_ptr<EC_POINT, Free<EC_POINT_free>>;
using Number = std::unique_ptr<BIGNUM, Free<BN_free>>;
using Key = std::unique_ptr<EC_KEY, Free<EC_KEY_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Free<ECDSA_SIG_free>>;

Number number(const Bytes &b) { return Number(BN_bin2bn(b.data(), (int)b.size(), nullptr)); }

struct Curve {
    const ty_ec_curve *c;
    Group group;
    size_t len, n_len;
};

// every curve that this libcrypto has; some builds have none
std::vector<Curve> curves()
{
    std::vector<Curve> v;
    for (size_t i = 0; const ty_ec_curve *c = ty_ec_curve_at(i); i++) {
        Group g(EC_GROUP_new_by_curve_name(OBJ_txt2nid(ty_ec_curve_oid(c))));
        if (!g) {
            std::cout << "[ NO PEER  ] libcrypto lacks " << ty_ec_curve_name(c) << "\n";
            continue;
        }
        v.push_back({c, std::move(g), ty_ec_field_len(c), ty_ec_order_len(c)});
    }
    return v;
}

Bytes octets(const Curve &e, const EC_POINT *p, point_conversion_form_t form)
{
    Bytes b(EC_POINT_point2oct(e.group.get(), p, form, nullptr, 0, nullptr));
    EC_POINT_point2oct(e.group.get(), p, form, b.data(), b.size(), nullptr);
    return b;
}

Key key(const Curve &e, const ty_ec_key &k)
{
    Key out(EC_KEY_new());
    EC_KEY_set_group(out.get(), e.group.get());
    EC_KEY_set_private_key(out.get(), number(Bytes(k.d, k.d + e.n_len)).get());
    Bytes q(1 + 2 * e.len);
    ty_ec_pub_get(q.data(), &k.pub);
    EXPECT_EQ(EC_KEY_oct2key(out.get(), q.data(), q.size(), nullptr), 1);
    EXPECT_EQ(EC_KEY_check_key(out.get()), 1);
    return out;
}

}   // namespace

TEST(DiffEc2m, KeysPointsAndAgreement)
{
    TestRng r(21);
    const ty_rng rng = r.ty();
    for (const Curve &e : curves()) {
        SCOPED_TRACE(ty_ec_curve_name(e.c));
        EXPECT_EQ((size_t)EC_GROUP_get_degree(e.group.get()), ty_ec_field_bits(e.c));
        EXPECT_EQ((size_t)EC_GROUP_order_bits(e.group.get()), ty_ec_order_bits(e.c));
        for (int i = 0; i < (full() ? 50 : 2); i++) {
            ty_ec_key a, b;
            ASSERT_EQ(ty_ec_keygen(&a, e.c, &rng), TY_OK);
            ASSERT_EQ(ty_ec_keygen(&b, e.c, &rng), TY_OK);
            Point q(EC_POINT_new(e.group.get())), z(EC_POINT_new(e.group.get()));
            const Number d = number(Bytes(a.d, a.d + e.n_len));
            ASSERT_EQ(EC_POINT_mul(e.group.get(), q.get(), d.get(), nullptr, nullptr, nullptr), 1);
            Bytes whole(1 + 2 * e.len), half(1 + e.len), x(e.len);
            ty_ec_pub_get(whole.data(), &a.pub);
            ty_ec_pub_get_compressed(half.data(), &a.pub);
            EXPECT_EQ(hex(whole), hex(octets(e, q.get(), POINT_CONVERSION_UNCOMPRESSED)));
            EXPECT_EQ(hex(half), hex(octets(e, q.get(), POINT_CONVERSION_COMPRESSED)));

            ty_ec_pub_get(whole.data(), &b.pub);
            ASSERT_EQ(
                EC_POINT_oct2point(e.group.get(), q.get(), whole.data(), whole.size(), nullptr), 1);
            ASSERT_EQ(EC_POINT_mul(e.group.get(), z.get(), nullptr, q.get(), d.get(), nullptr), 1);
            ASSERT_EQ(ty_ec_ecdh(x.data(), &b.pub, &a), TY_OK);
            half = octets(e, z.get(), POINT_CONVERSION_COMPRESSED);
            EXPECT_EQ(hex(x), hex(Bytes(half.begin() + 1, half.end())));
            Number h(BN_new());
            EC_GROUP_get_cofactor(e.group.get(), h.get(), nullptr);
            ASSERT_EQ(EC_POINT_mul(e.group.get(), z.get(), nullptr, z.get(), h.get(), nullptr), 1);
            ASSERT_EQ(ty_ec_ecdh_cofactor(x.data(), &b.pub, &a), TY_OK);
            half = octets(e, z.get(), POINT_CONVERSION_COMPRESSED);
            EXPECT_EQ(hex(x), hex(Bytes(half.begin() + 1, half.end())));
        }
    }
}

// Random x: both decode it or neither does, and to the same point. Ours also requires order n.
TEST(DiffEc2m, Decoding)
{
    TestRng r(22);
    size_t taken = 0, refused = 0, small = 0;
    for (const Curve &e : curves()) {
        SCOPED_TRACE(ty_ec_curve_name(e.c));
        const Number n(BN_dup(EC_GROUP_get0_order(e.group.get())));
        for (int i = 0; i < (full() ? 200 : 6); i++) {
            Bytes in = r.bytes(1 + e.len);
            in[0] = (uint8_t)(2 | (in[0] & 1));
            // sometimes one bit too many
            in[1] &= (uint8_t)(0xff >> (8 * e.len - ty_ec_field_bits(e.c) - (i % 5 == 0)));
            Point p(EC_POINT_new(e.group.get())), z(EC_POINT_new(e.group.get()));
            const bool theirs =
                EC_POINT_oct2point(e.group.get(), p.get(), in.data(), in.size(), nullptr) == 1;
            ty_ec_pub pub;
            const ty_err err = ty_ec_pub_set(&pub, e.c, in.data(), in.size());
            if (!theirs) {
                EXPECT_NE(err, TY_OK) << hex(in);
                refused++;
                continue;
            }
            ASSERT_EQ(EC_POINT_mul(e.group.get(), z.get(), nullptr, p.get(), n.get(), nullptr), 1);
            const bool order_n = EC_POINT_is_at_infinity(e.group.get(), z.get()) == 1;
            EXPECT_EQ(err, order_n ? TY_OK : TY_ERR_KEY) << hex(in);
            order_n ? taken++ : small++;
            if (err != TY_OK) continue;
            Bytes whole(1 + 2 * e.len);
            ty_ec_pub_get(whole.data(), &pub);
            EXPECT_EQ(hex(whole), hex(octets(e, p.get(), POINT_CONVERSION_UNCOMPRESSED)));
        }
    }
    std::cout << taken << " points of order n, " << small << " of another order, " << refused
              << " refused\n";
}

TEST(DiffEc2m, Signatures)
{
    TestRng r(23);
    const ty_rng rng = r.ty();
    for (const Curve &e : curves()) {
        SCOPED_TRACE(ty_ec_curve_name(e.c));
        ty_ec_key k;
        ASSERT_EQ(ty_ec_keygen(&k, e.c, &rng), TY_OK);
        const Key theirs = key(e, k);
        for (int i = 0; i < (full() ? 30 : 1); i++) {
            const Bytes digest = r.bytes(1 + r.below(80));
            Bytes sig(2 * e.n_len);
            ASSERT_EQ(
                ty_ecdsa_sign(sig.data(), digest.data(), digest.size(), &k, i % 2 ? nullptr : &rng),
                TY_OK);
            Signature s(ECDSA_SIG_new());
            ECDSA_SIG_set0(s.get(),
                           number(Bytes(sig.begin(), sig.begin() + (long)e.n_len)).release(),
                           number(Bytes(sig.begin() + (long)e.n_len, sig.end())).release());
            EXPECT_EQ(ECDSA_do_verify(digest.data(), (int)digest.size(), s.get(), theirs.get()), 1)
                << hex(digest);

            s.reset(ECDSA_do_sign(digest.data(), (int)digest.size(), theirs.get()));
            ASSERT_NE(s, nullptr);
            BN_bn2binpad(ECDSA_SIG_get0_r(s.get()), sig.data(), (int)e.n_len);
            BN_bn2binpad(ECDSA_SIG_get0_s(s.get()), sig.data() + e.n_len, (int)e.n_len);
            EXPECT_EQ(ty_ecdsa_verify(sig.data(), sig.size(), digest.data(), digest.size(), &k.pub),
                      TY_OK)
                << hex(digest);
        }
    }
}

// The curves of X9.62, which our code takes as parameters: libcrypto has the same parameters and
// computes the same points, and its signatures verify.
TEST(DiffEc2m, CurvesByParameters)
{
    TestRng r(24);
    const ty_rng rng = r.ty();
    ty_ec_params p;
    size_t compared = 0;
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++) {
        SCOPED_TRACE(p.name);
        const int nid = OBJ_txt2nid(p.name);
        Group g(nid ? EC_GROUP_new_by_curve_name(nid) : nullptr);
        if (!g || (i % 4 && !full())) continue;
        const auto any = std::make_unique<ty_ec_any>();
        ASSERT_EQ(ty_ec_any_init(any.get(), &p, TY_EC_AUTO, 0, nullptr), TY_OK);
        const Curve e = { ty_ec_any_curve(any.get()), std::move(g),
                          ty_ec_field_len(ty_ec_any_curve(any.get())),
                          ty_ec_order_len(ty_ec_any_curve(any.get())) };
        EXPECT_EQ(OBJ_txt2nid(p.oid), nid);
        Bytes theirs =
                  octets(e, EC_GROUP_get0_generator(e.group.get()), POINT_CONVERSION_UNCOMPRESSED),
              ours(p.x, p.x + e.len);
        ours.insert(ours.begin(), 4);
        ours.insert(ours.end(), p.y, p.y + e.len);
        EXPECT_EQ(hex(ours), hex(theirs));
        ty_ec_key k;
        ASSERT_EQ(ty_ec_keygen(&k, e.c, &rng), TY_OK);
        const Key same = key(e, k);
        Point q(EC_POINT_new(e.group.get()));
        const Number d = number(Bytes(k.d, k.d + e.n_len));
        ASSERT_EQ(EC_POINT_mul(e.group.get(), q.get(), d.get(), nullptr, nullptr, nullptr), 1);
        Bytes whole(1 + 2 * e.len), sig(2 * e.n_len), digest = r.bytes(32);
        ty_ec_pub_get(whole.data(), &k.pub);
        EXPECT_EQ(hex(whole), hex(octets(e, q.get(), POINT_CONVERSION_UNCOMPRESSED)));
        const Signature s(ECDSA_do_sign(digest.data(), 32, same.get()));
        ASSERT_NE(s, nullptr);
        BN_bn2binpad(ECDSA_SIG_get0_r(s.get()), sig.data(), (int)e.n_len);
        BN_bn2binpad(ECDSA_SIG_get0_s(s.get()), sig.data() + e.n_len, (int)e.n_len);
        EXPECT_EQ(ty_ecdsa_verify(sig.data(), sig.size(), digest.data(), 32, &k.pub), TY_OK);
        compared++;
    }
    std::cout << compared << " curves compared\n";
}
