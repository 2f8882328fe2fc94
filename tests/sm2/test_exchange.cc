// Shared points (ECDH) of SM2 keys, and the key exchange of GB/T 32918.3.
#include "sm2/sm2_support.hpp"

TEST(Sm2Ecdh, SharedVectors)
{
    each_tier([&] {
        each_vector("SM2-ECDH", 0, 15, [&](const Json &v) {
            const ty_sm2_key key = key_of(field(v, "d"));
            const ty_sm2_pub peer = pub_of(field(v, "peer"));
            const Bytes want = field(v, "shared");
            Bytes x(32);
            ASSERT_EQ(ty_sm2_ecdh(x.data(), &peer, &key), TY_OK);
            EXPECT_EQ(x, Bytes(want.begin() + 1, want.begin() + 33));
        });
    });
}

TEST(Sm2Ecdh, BothSidesAgree)
{
    each_tier([&] {
        TestRng r(2);
        const ty_rng rng = r.ty();
        for (int i = 0; i < 4; i++) {
            ty_sm2_key a, b;
            ASSERT_EQ(ty_sm2_keygen(&a, &rng), TY_OK);
            ASSERT_EQ(ty_sm2_keygen(&b, &rng), TY_OK);
            Bytes ab(32), ba(32);
            ASSERT_EQ(ty_sm2_ecdh(ab.data(), &b.pub, &a), TY_OK);
            ASSERT_EQ(ty_sm2_ecdh(ba.data(), &a.pub, &b), TY_OK);
            EXPECT_EQ(ab, ba);
            Bytes xy = pub_bytes(b.pub);   // x of the multiple, as the curve computes it
            EXPECT_TRUE(ty_ec_sm2_best()->mul(xy.data(), a.d, xy.data() + 1));
            EXPECT_EQ(hex(ab), hex(xy.data(), 32));
        }
    });
}

TEST(Sm2Ecdh, RefusesWhatIsNotAPoint)
{
    const ty_sm2_key key = key_of(number(7));
    Bytes out(32, 0xAA);
    for (size_t bit = 0; bit < 512; bit += 7) {
        ty_sm2_pub off = key.pub;
        (bit < 256 ? off.x : off.y)[bit / 8 % 32] ^= (uint8_t)(1 << bit % 8);
        EXPECT_EQ(ty_sm2_ecdh(out.data(), &off, &key), TY_ERR_KEY);
    }
    const ty_sm2_pub zero = {};
    EXPECT_EQ(ty_sm2_ecdh(out.data(), &zero, &key), TY_ERR_KEY);
    EXPECT_EQ(out, Bytes(32, 0xAA)) << "untouched";
}

// --- GB/T 32918.3 --------------------------------------------------------------------------------

struct Side {
    ty_sm2_key key;
    Bytes id, sent = Bytes(65), shared, send = Bytes(32, 0xAA), expect = Bytes(32, 0xAA);
    ty_sm2_kx kx;
    void begin(const Bytes &d, const Bytes &name, ty_sm2_role role, const Bytes &r)
    {
        key = key_of(d);
        id = name;
        ScriptRng script(r);
        const ty_rng rng = script.ty();
        ASSERT_EQ(ty_sm2_kx_init(&kx, sent.data(), role, &rng), TY_OK);
    }
    ty_err finish(const Bytes &peer_sent, const Bytes &peer_id, const ty_sm2_pub &peer, size_t len)
    {
        Guarded out(len);
        const ty_err err =
            ty_sm2_kx_final(out.data(), len, send.data(), expect.data(), peer_sent.data(),
                            id.data(), id.size(), peer_id.data(), peer_id.size(), &peer, &key, &kx);
        shared.assign(out.data(), out.data() + len);
        EXPECT_EQ(hex(&kx, sizeof kx), hex(Bytes(sizeof kx))) << "wiped, whatever the result is";
        return err;
    }
};

struct Example { Bytes dA, rA, RA, idA, dB, rB, RB, idB, key, s1_sb, s2_sa; };

static void check(const Example &e)
{
    Side a, b;
    a.begin(e.dA, e.idA, TY_SM2_INITIATOR, e.rA);
    b.begin(e.dB, e.idB, TY_SM2_RESPONDER, e.rB);
    EXPECT_EQ(a.sent, e.RA);
    EXPECT_EQ(b.sent, e.RB);
    ASSERT_EQ(b.finish(a.sent, e.idA, a.key.pub, e.key.size()), TY_OK);
    ASSERT_EQ(a.finish(b.sent, e.idB, b.key.pub, e.key.size()), TY_OK);
    EXPECT_EQ(a.shared, e.key);
    EXPECT_EQ(b.shared, e.key);
    EXPECT_EQ(b.send, e.s1_sb);
    EXPECT_EQ(a.expect, e.s1_sb);
    EXPECT_EQ(a.send, e.s2_sa);
    EXPECT_EQ(b.expect, e.s2_sa);
}

// GB/T 32918.5-2017, B.2
static Example standard()
{
    return {unhex("81eb26e941bb5af16df116495f90695272ae2cd63d6c4ae1678418be48230029"),
            unhex("d4de15474db74d06491c440d305e012400990f3e390c7e87153c12db2ea60bb3"),
            unhex("0464ced1bdbc99d590049b434d0fd73428cf608a5db8fe5ce07f15026940bae40e"
                  "376629c7ab21e7db260922499ddb118f07ce8eaae3e7720afef6a5cc062070c0"),
            ID,
            unhex("785129917d45a9ea5437a59356b82338eaadda6ceb199088f14ae10defa229b5"),
            unhex("7e07124814b309489125eaed101113164ebf0f3458c5bd88335c1f9d596243d6"),
            unhex("04acc27688a6f7b706098bc91ff3ad1bff7dc2802cdb14ccccdb0a90471f9bd707"
                  "2fedac0494b2ffc4d6853876c79b8f301c6573ad0aa50f39fc87181e1a1b46fe"),
            ID,
            unhex("6c89347354de2484c60b4ab1fde4c6e5"),
            unhex("d3a0fe15dee185ceae907a6b595cc32a266ed7b3367e9983a896dc32fa20f8eb"),
            unhex("18c7894b3816df16cf07b05c5ec0bef5d655d58f779cc1b400a4f3884644db88")};
}

TEST(Sm2Exchange, StandardExample)
{
    each_tier([&] { check(standard()); });
}

TEST(Sm2Exchange, SharedVectors)
{
    each_tier([&] {
        each_vector("SM2-KX", 1, 8, [&](const Json &v) {
            const Example e = { field(v, "dA"),    field(v, "rA"),   field(v, "RA"),
                                field(v, "idA"),   field(v, "dB"),   field(v, "rB"),
                                field(v, "RB"),    field(v, "idB"),  field(v, "key"),
                                field(v, "s1_sb"), field(v, "s2_sa") };
            EXPECT_EQ(e.key.size(), v.at("len").number());
            check(e);
        });
    });
}

// The result depends on the identities, keys, roles and points.
TEST(Sm2Exchange, DisagreementShows)
{
    const Example e = standard();
    const ty_sm2_pub pub_a = key_of(e.dA).pub, pub_b = key_of(e.dB).pub,
                     other = key_of(number(3)).pub;
    auto run = [&](ty_sm2_role role, const Bytes &id, const Bytes &peer_id, const ty_sm2_pub &peer,
                   const Bytes &R) {
        Side a;
        a.begin(e.dA, id, role, e.rA);
        EXPECT_EQ(a.finish(R, peer_id, peer, 16), TY_OK);
        return cat({a.shared, a.send, a.expect});
    };
    const Bytes good = run(TY_SM2_INITIATOR, ID, ID, pub_b, e.RB);
    EXPECT_NE(run(TY_SM2_RESPONDER, ID, ID, pub_b, e.RB), good);
    EXPECT_NE(run(TY_SM2_INITIATOR, bytes("Alice"), ID, pub_b, e.RB), good);
    EXPECT_NE(run(TY_SM2_INITIATOR, ID, bytes("Bob"), pub_b, e.RB), good);
    EXPECT_NE(run(TY_SM2_INITIATOR, {}, ID, pub_b, e.RB), good);
    EXPECT_NE(run(TY_SM2_INITIATOR, ID, ID, other, e.RB), good);
    EXPECT_NE(run(TY_SM2_INITIATOR, ID, ID, pub_b, e.RA), good);
    EXPECT_EQ(run(TY_SM2_INITIATOR, ID, ID, pub_b, e.RB), good);
    (void)pub_a;
}

TEST(Sm2Exchange, Refusals)
{
    const Example e = standard();
    const ty_sm2_pub pub_b = key_of(e.dB).pub;
    auto run = [&](const Bytes &R, const Bytes &id, const Bytes &peer_id, const ty_sm2_pub &peer,
                   size_t len) {
        Side a;
        a.begin(e.dA, id, TY_SM2_INITIATOR, e.rA);
        const ty_err err = a.finish(R, peer_id, peer, len);
        if (err != TY_OK) {
            EXPECT_EQ(cat({ a.shared, a.send, a.expect }), Bytes(len + 64)) << "zeroed";
        }
        return err;
    };
    const Bytes longest(8191, 'x'), too_long(8192, 'x');
    EXPECT_EQ(run(e.RB, longest, longest, pub_b, 48), TY_OK);
    EXPECT_EQ(run(e.RB, {}, {}, pub_b, 1), TY_OK);
    EXPECT_EQ(run(e.RB, too_long, ID, pub_b, 48), TY_ERR_SIZE);
    EXPECT_EQ(run(e.RB, ID, too_long, pub_b, 48), TY_ERR_SIZE);
    EXPECT_EQ(run(e.RB, ID, ID, pub_b, 0), TY_ERR_ARG);
    Bytes R = e.RB;
    R[0] = 2;
    EXPECT_EQ(run(R, ID, ID, pub_b, 16), TY_ERR_FORMAT);
    for (size_t bit = 8; bit < 520; bit += 5) {
        R = e.RB;
        R[bit / 8] ^= (uint8_t)(1 << bit % 8);
        EXPECT_EQ(run(R, ID, ID, pub_b, 16), TY_ERR_FORMAT) << bit;
    }
    ty_sm2_pub off = pub_b;
    off.y[0] ^= 1;
    EXPECT_EQ(run(e.RB, ID, ID, off, 16), TY_ERR_KEY);
}

// A peer may send R with P + x'R = infinity, that is R = -P/x', where x' depends on x of R. Such an
// R cannot be computed for a given P, but a peer can choose r first and then the private key d =
// -x' r. The shared point would not depend on our key.
TEST(Sm2Exchange, InfinityIsRefused)
{
    each_tier([&] {
        const Example e = standard();
        const ty_n_sm2_ops *n = ty_n_sm2_best();
        Bytes half(32), d(32);
        std::copy(e.RB.begin() + 17, e.RB.begin() + 33, half.begin() + 16);
        half[16] |= 0x80;
        n->mul(d.data(), half.data(), e.rB.data());
        n->sub(d.data(), number(0).data(), d.data());
        // With several scalars: infinity is represented by zeros, and what a multiplication makes
        // of these as coordinates depends on the scalar.
        for (int i = 0; i < 8; i++) {
            Side a;
            a.begin(e.dA, ID, TY_SM2_INITIATOR, plus(e.rA, i));
            EXPECT_EQ(a.finish(e.RB, ID, key_of(d).pub, 16), TY_ERR_KEY) << i;
            EXPECT_EQ(cat({a.shared, a.send, a.expect}), Bytes(16 + 64));
        }
        // and our own t = 0
        Side b;
        b.begin(d, ID, TY_SM2_RESPONDER, e.rB);
        EXPECT_EQ(b.finish(e.RA, ID, key_of(e.dA).pub, 16), TY_ERR_KEY);
    });
}

TEST(Sm2Exchange, State)
{
    const Example e = standard();
    Side a;
    a.begin(e.dA, ID, TY_SM2_INITIATOR, e.rA);
    EXPECT_EQ(a.finish(e.RB, ID, key_of(e.dB).pub, 16), TY_OK);
    EXPECT_EQ(a.finish(e.RB, ID, key_of(e.dB).pub, 16), TY_ERR_STATE) << "used up";
    EXPECT_EQ(a.shared, Bytes(16));
    ty_sm2_kx kx;
    FailingRng dead(0);
    TestRng alive;
    ty_rng rng = dead.ty();
    Bytes out(65, 0xAA);
    EXPECT_EQ(ty_sm2_kx_init(&kx, out.data(), TY_SM2_INITIATOR, &rng), TY_ERR_RNG);
    EXPECT_EQ(out, Bytes(65));
    EXPECT_EQ(hex(&kx, sizeof kx), hex(Bytes(sizeof kx)));
    rng = alive.ty();
    EXPECT_EQ(ty_sm2_kx_init(&kx, out.data(), (ty_sm2_role)2, &rng), TY_ERR_ARG);
    EXPECT_EQ(ty_sm2_kx_init(&kx, out.data(), TY_SM2_RESPONDER, &rng), TY_OK);
}
