// SM2 keys: the range of private keys, generation, encodings of points, points that are refused.
#include "sm2/sm2_support.hpp"

static ty_err set(const Bytes &in)
{
    ty_sm2_pub pub, before;
    std::memset(&pub, 0xAA, sizeof pub);
    before = pub;
    Guarded exact(in.data(), in.size());
    const ty_err err = ty_sm2_pub_set(&pub, exact.data(), in.size());
    if (err != TY_OK) {
        EXPECT_EQ(std::memcmp(&pub, &before, sizeof pub), 0) << "unchanged after an error";
    }
    return err;
}

TEST(Sm2Keys, SharedVectors)
{
    each_tier([&] {
        each_vector("SM2-PUBKEY", 0, 20, [&](const Json &v) {
            const ty_sm2_key key = key_of(field(v, "d"));
            Bytes small(33);
            ty_sm2_pub_get_compressed(small.data(), &key.pub);
            EXPECT_EQ(small, field(v, "compressed"));
            EXPECT_EQ(pub_bytes(key.pub), field(v, "pub"));
            EXPECT_EQ(pub_bytes(pub_of(small)), field(v, "pub"));
            EXPECT_EQ(pub_bytes(pub_of(field(v, "pub"))), field(v, "pub"));
        });
    });
}

// GB/T 32918.5-2017, A.2
TEST(Sm2Keys, StandardExample)
{
    each_tier([&] {
        const ty_sm2_key key =
            key_of(unhex("3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8"));
        EXPECT_EQ(hex(pub_bytes(key.pub)),
                  "0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
                  "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13");
    });
}

TEST(Sm2Keys, PrivateRange)
{
    const Bytes n = unhex(N_HEX);
    each_tier([&] {
        for (const Bytes &d : {number(1), number(2), plus(n, -3), plus(n, -2)}) {
            const ty_sm2_key key = key_of(d);
            EXPECT_EQ(hex(key.d, 32), hex(d));
            Bytes one(32), sum = plus(d, 1);
            ty_n_sm2_best()->mul(one.data(), sum.data(), key.inv1d);
            EXPECT_EQ(one, number(1)) << "(1 + d)^-1";
        }
        for (const Bytes &d : {number(0), plus(n, -1), n, plus(n, 1), Bytes(32, 0xff)}) {
            ty_sm2_key key;
            std::memset(&key, 0xAA, sizeof key);
            EXPECT_EQ(ty_sm2_key_set(&key, d.data()), TY_ERR_KEY) << hex(d);
            EXPECT_EQ(hex(&key, sizeof key), hex(Bytes(sizeof key))) << "zeroed";
        }
    });
    ty_sm2_key key = key_of(number(3));
    EXPECT_EQ(ty_sm2_key_set(&key, key.d), TY_OK) << "d may be key->d";
    EXPECT_EQ(hex(key.d, 32), hex(number(3)));
}

TEST(Sm2Keys, Generation)
{
    const Bytes n = unhex(N_HEX), zero = number(0), d = number(1234);
    // strings out of range are rejected, and drawn again: 0, n-1, n, all ones
    ScriptRng script(cat({zero, plus(n, -1), n, Bytes(32, 0xff), d, d}));
    ty_rng rng = script.ty();
    ty_sm2_key key;
    ASSERT_EQ(ty_sm2_keygen(&key, &rng), TY_OK);
    EXPECT_EQ(script.used, 5 * 32u);
    EXPECT_EQ(hex(key.d, 32), hex(d));
    const ty_sm2_key same = key_of(d);
    EXPECT_EQ(std::memcmp(&key, &same, sizeof key), 0);
    // n - 2 is the last one allowed
    ScriptRng last(plus(n, -2));
    rng = last.ty();
    EXPECT_EQ(ty_sm2_keygen(&key, &rng), TY_OK);

    ScriptRng runs_dry(cat({zero, n}));
    rng = runs_dry.ty();
    EXPECT_EQ(ty_sm2_keygen(&key, &rng), TY_ERR_RNG);
    EXPECT_EQ(hex(&key, sizeof key), hex(Bytes(sizeof key)));
    ty_rng zeros = { [](void *, uint8_t *o, size_t len) {
                        std::memset(o, 0, len);
                        return TY_OK;
                    },
                     nullptr };
    EXPECT_EQ(ty_sm2_keygen(&key, &zeros), TY_ERR_RNG) << "gives up on a source that is stuck";
    EXPECT_EQ(hex(&key, sizeof key), hex(Bytes(sizeof key)));
}

TEST(Sm2Keys, PublicEncodings)
{
    const Bytes g = unhex(G_HEX), p = unhex(P_HEX), x(g.begin(), g.begin() + 32),
                y(g.begin() + 32, g.end());
    each_tier([&] {
        EXPECT_EQ(set(g), TY_OK);
        EXPECT_EQ(set(cat({{4}, g})), TY_OK);
        EXPECT_EQ(set(cat({{2}, x})), TY_OK);
        EXPECT_EQ(set(cat({{3}, x})), TY_OK) << "-G";
        EXPECT_EQ(pub_bytes(pub_of(cat({{2}, x}))), cat({{4}, g}));
        // lengths and first bytes
        EXPECT_EQ(set({}), TY_ERR_FORMAT);
        EXPECT_EQ(set({0}), TY_ERR_FORMAT) << "infinity";
        for (size_t len = 1; len < 130; len++) {
            if (len == 33 || len == 64 || len == 65) continue;
            Bytes in(len, 0);
            in[0] = len < 64 ? 2 : 4;
            EXPECT_EQ(set(in), TY_ERR_FORMAT) << len;
        }
        for (int lead = 0; lead < 256; lead++) {
            const Bytes first = {(uint8_t)lead};
            EXPECT_EQ(set(cat({first, g})), lead == 4 ? TY_OK : TY_ERR_FORMAT) << lead;
            EXPECT_EQ(set(cat({first, x})), lead == 2 || lead == 3 ? TY_OK : TY_ERR_FORMAT) << lead;
        }
        // not on the curve
        for (size_t bit = 0; bit < 512; bit++) {
            Bytes off = g;
            off[bit / 8] ^= (uint8_t)(1 << bit % 8);
            EXPECT_EQ(set(off), TY_ERR_KEY) << bit;
        }
        EXPECT_EQ(set(Bytes(64)), TY_ERR_KEY) << "(0, 0)";
        EXPECT_EQ(set(cat({p, p})), TY_ERR_KEY);
    });
}

// A coordinate with p added is the same residue, but not a valid encoding. Only coordinates below
// 2^256 - p, about 2^224, have such a second form: small x are found by trying; a point with y = 1
// comes from a root of x^3 - 3x + b - 1.
TEST(Sm2Keys, CoordinatesBelowP)
{
    const Bytes p = unhex(P_HEX);
    each_tier([&] {
        Bytes point(64), zero(32);
        int found = 0;
        for (int x = 0; x < 12; x++) {
            if (!ty_ec_sm2_best()->decompress(point.data(), number(x).data(), 0)) continue;
            found++;
            EXPECT_EQ(set(point), TY_OK);
            Bytes big = point;
            const Bytes px = plus(p, x);
            std::copy(px.begin(), px.end(), big.begin());
            EXPECT_EQ(set(big), TY_ERR_KEY) << "x + p, x = " << x;
            EXPECT_EQ(set(cat({{2}, px})), TY_ERR_KEY);
            EXPECT_EQ(set(cat({{3}, px})), TY_ERR_KEY);
        }
        EXPECT_GE(found, 2);
        const Bytes x1 = unhex("9c17043effe1a805a74a9a5e70b9d659705d3242094a566dc016f49311178d1f");
        EXPECT_EQ(set(cat({x1, number(1)})), TY_OK);
        EXPECT_EQ(set(cat({x1, plus(p, 1)})), TY_ERR_KEY);
    });
}

TEST(Sm2Keys, CompressedWithoutARoot)
{
    each_tier([&] {
        TestRng r(4);
        int roots = 0, none = 0;
        for (int i = 0; i < 40; i++) {
            const Bytes x = cat({Bytes(1), r.bytes(31)});
            const ty_err even = set(cat({{2}, x})), odd = set(cat({{3}, x}));
            EXPECT_EQ(even, odd);
            if (even == TY_OK) {
                roots++;
                const ty_sm2_pub a = pub_of(cat({{2}, x})), b = pub_of(cat({{3}, x}));
                EXPECT_EQ(a.y[31] & 1, 0);
                EXPECT_EQ(b.y[31] & 1, 1);
                EXPECT_EQ(set(pub_bytes(a)), TY_OK);
                EXPECT_EQ(set(pub_bytes(b)), TY_OK);
            } else {
                EXPECT_EQ(even, TY_ERR_KEY);
                none++;
            }
        }
        EXPECT_GT(roots, 5);
        EXPECT_GT(none, 5);
    });
}

// Signatures, encryption and ECDH, with keys at the ends of their range and with coordinates that
// have leading zero bytes.
TEST(Sm2Keys, Corners)
{
    const Bytes n = unhex(N_HEX), msg = bytes("corner");
    each_tier([&] {
        std::vector<Bytes> secrets = {number(1), number(2), plus(n, -2), plus(n, -3)};
        // x, then y, below 2^248
        for (int d = 3, zeros[2] = {0, 0}; (!zeros[0] || !zeros[1]) && d < 3000; d++) {
            Bytes point(64);
            (void)ty_ec_sm2_best()->mul_base(point.data(), number(d).data());
            for (int half = 0; half < 2; half++)
                if (point[32 * (size_t)half] == 0 && !zeros[half]++) secrets.push_back(number(d));
        }
        ASSERT_GE(secrets.size(), 6u);
        EXPECT_EQ(hex(pub_bytes(key_of(number(1)).pub)), "04" + std::string(G_HEX));
        TestRng r(8);
        const ty_rng rng = r.ty();
        const ty_sm2_key peer = key_of(number(77));
        for (const Bytes &d : secrets) {
            const ty_sm2_key key = key_of(d);
            Bytes sig(64), ct(msg.size() + TY_SM2_OVERHEAD), out(msg.size()), ours(32), theirs(32);
            EXPECT_EQ(set(pub_bytes(key.pub)), TY_OK);
            ASSERT_EQ(ty_sm2_sign(sig.data(), msg.data(), msg.size(), nullptr, 0, &key, &rng),
                      TY_OK)
                << "empty identity";
            EXPECT_EQ(ty_sm2_verify(sig.data(), msg.data(), msg.size(), nullptr, 0, &key.pub),
                      TY_OK);
            EXPECT_EQ(ty_sm2_verify(sig.data(), msg.data(), msg.size(), nullptr, 0, &peer.pub),
                      TY_ERR_VERIFY);
            ASSERT_EQ(
                ty_sm2_encrypt(ct.data(), msg.data(), msg.size(), TY_SM2_C1C3C2, &key.pub, &rng),
                TY_OK);
            ASSERT_EQ(ty_sm2_decrypt(out.data(), ct.data(), ct.size(), TY_SM2_C1C3C2, &key), TY_OK);
            EXPECT_EQ(out, msg);
            ASSERT_EQ(ty_sm2_ecdh(ours.data(), &peer.pub, &key), TY_OK);
            ASSERT_EQ(ty_sm2_ecdh(theirs.data(), &key.pub, &peer), TY_OK);
            EXPECT_EQ(ours, theirs);
        }
    });
}

// The x of points of the quadratic twist, -y^2 = x^3 - 3x + b (p == 3 mod 4, so -1 is not a
// square), with any y: every x that is not on the curve is on the twist, where a multiplication by
// x alone, which ignores y, would leak a key modulo small factors of the twist's order.
TEST(Sm2Keys, TwistIsRefused)
{
    each_tier([&] {
        const ty_sm2_key key = key_of(number(5));
        int twisted = 0;
        for (int x = 1; x < 40; x++) {
            if (set(cat({{2}, number(x)})) == TY_OK) continue;
            twisted++;
            for (const Bytes &y : {number(0), number(1), number(x), plus(unhex(P_HEX), -1)}) {
                EXPECT_EQ(set(cat({number(x), y})), TY_ERR_KEY);
                ty_sm2_pub off = key.pub;   // a key object that was changed after the check
                std::memcpy(off.x, number(x).data(), 32), std::memcpy(off.y, y.data(), 32);
                Bytes shared(32, 0xaa);
                EXPECT_EQ(ty_sm2_ecdh(shared.data(), &off, &key), TY_ERR_KEY);
                EXPECT_EQ(shared, Bytes(32, 0xaa)) << "untouched";
            }
        }
        EXPECT_GT(twisted, 10);
    });
}
