// A key exchange whose state is written and read again between its messages.
#include "sm2/sm2_support.hpp"

struct Begun {
    ty_sm2_kx kx;
    Bytes point = Bytes(65);
    Begun(ty_sm2_role role, uint64_t seed)
    {
        TestRng r(seed);
        const ty_rng rng = r.ty();
        EXPECT_EQ(ty_sm2_kx_init(&kx, point.data(), role, &rng), TY_OK);
    }
    Bytes written() const
    {
        Guarded out(TY_SM2_KX_LEN);
        ty_sm2_kx_get(out.data(), &kx);
        return Bytes(out.data(), out.data() + TY_SM2_KX_LEN);
    }
};

// shared || confirm_send || confirm_expect
static Bytes finish(ty_sm2_kx *kx, const Bytes &peer_point, const ty_sm2_pub &peer,
                    const ty_sm2_key &key)
{
    Bytes out(48 + 64);
    EXPECT_EQ(ty_sm2_kx_final(out.data(), 48, out.data() + 48, out.data() + 80, peer_point.data(),
                              nullptr, 0, nullptr, 0, &peer, &key, kx),
              TY_OK);
    return out;
}

TEST(Sm2ExchangeState, RoundTrip)
{
    each_tier([&] {
        const ty_sm2_key a = key_of(number(7)), b = key_of(number(9));
        for (const ty_sm2_role role : {TY_SM2_INITIATOR, TY_SM2_RESPONDER}) {
            Begun ours(role, 1),
                theirs(role == TY_SM2_INITIATOR ? TY_SM2_RESPONDER : TY_SM2_INITIATOR, 2);
            const Bytes state = ours.written();
            EXPECT_EQ(state, cat({Bytes{(uint8_t)role}, Bytes(ours.kx.r, ours.kx.r + 32)}));
            ty_sm2_kx again;
            memset(&again, 0xAA, sizeof again);
            ASSERT_EQ(ty_sm2_kx_set(&again, state.data()), TY_OK);
            EXPECT_EQ(finish(&again, theirs.point, b.pub, a),
                      finish(&ours.kx, theirs.point, b.pub, a));
        }
    });
}

TEST(Sm2ExchangeState, RefusesInvalidStates)
{
    const auto set = [](Bytes state) {
        ty_sm2_kx kx;
        memset(&kx, 0xAA, sizeof kx);
        const ty_err err = ty_sm2_kx_set(&kx, state.data());
        if (err != TY_OK) { EXPECT_EQ(hex(&kx, sizeof kx), hex(Bytes(sizeof kx))) << "zeroed"; }
        return err;
    };
    const Bytes initiator = {0}, n = unhex(N_HEX);
    for (int role = 0; role < 256; role++)
        EXPECT_EQ(set(cat({Bytes{(uint8_t)role}, number(1)})), role < 2 ? TY_OK : TY_ERR_FORMAT);
    EXPECT_EQ(set(cat({initiator, number(0)})), TY_ERR_KEY);
    EXPECT_EQ(set(cat({initiator, n})), TY_ERR_KEY);
    EXPECT_EQ(set(cat({initiator, plus(n, 1)})), TY_ERR_KEY);
    EXPECT_EQ(set(cat({initiator, Bytes(32, 0xff)})), TY_ERR_KEY);
    Bytes last = n;
    last[31]--;   // n ends in 23: no borrow
    EXPECT_EQ(set(cat({initiator, last})), TY_OK);
}
