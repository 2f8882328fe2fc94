// HMAC-SM3: shared vectors, keys of every length on every tier, messages of every length and in
// chunks.
#include "sm3/reference.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include "tongyu/sm3.h"

static Bytes mac(const Bytes &key, const Bytes &msg)
{
    Bytes out(TY_SM3_LEN);
    ty_hmac_sm3_mac(out.data(), msg.data(), msg.size(), key.data(), key.size());
    return out;
}

static Bytes finish(ty_hmac_sm3 *c)
{
    Bytes out(TY_SM3_LEN);
    ty_hmac_sm3_final(out.data(), c);
    return out;
}

TEST(HmacSm3, SharedVectors)
{
    const auto file = load_vectors("sm3.json");
    if (!file) GTEST_SKIP() << "no vector files";
    int count = 0;
    for (const Json &v : file->at("differential"))
        if (v.at("alg") == "HMAC-SM3") {
            count++;
            EXPECT_EQ(mac(field(v, "key"), field(v, "msg")), field(v, "md"));
        }
    EXPECT_EQ(count, 44);
}

TEST(HmacSm3, EveryKeyLengthOnEveryTier)
{
    TestRng rng(1);
    for_each_tier<ty_sm3_ops>(ty_sm3_tiers, [&](const ty_sm3_ops *, const char *tier) {
        UseSm3Tier use(tier);
        for (size_t n = 0; n <= 200; n++) {
            const Bytes key = rng.bytes(n), msg = rng.bytes(n * 7 % 150);
            const auto side = n % 2 ? Guarded::Start : Guarded::End;
            Guarded k(key.data(), n, side), m(msg.data(), msg.size(), side), out(TY_SM3_LEN, side);
            ty_hmac_sm3_mac(out.data(), m.data(), m.size(), k.data(), k.size());
            ASSERT_EQ(hex(out.data(), out.size()), hex(reference::hmac(key, msg)))
                << "key of " << n;
        }
    });
}

TEST(HmacSm3, EveryMessageLength)
{
    TestRng rng(2);
    const Bytes key = rng.bytes(20);
    for (size_t n = 0; n <= 200; n++) {
        const Bytes msg = rng.bytes(n);
        ASSERT_EQ(mac(key, msg), reference::hmac(key, msg)) << "message of " << n;
    }
}

// RFC 2104: a key of up to 64 bytes is padded with zeros, so trailing zeros change nothing; a
// longer one is hashed first.
TEST(HmacSm3, KeysArePaddedWithZeros)
{
    const Bytes msg = bytes("message");
    Bytes key = bytes("key");
    const Bytes want = mac(key, msg);
    for (key.push_back(0); key.size() <= 64; key.push_back(0))
        EXPECT_EQ(mac(key, msg), want) << key.size();
    EXPECT_NE(mac(key, msg), want) << "65 bytes are hashed first";
    EXPECT_EQ(mac(key, msg), mac(reference::sm3(key), msg));
}

TEST(HmacSm3, OneKeyManyMessagesInAnyChunks)
{
    TestRng rng(3);
    for (size_t key_len : {0u, 16u, 64u, 65u, 150u}) {
        const Bytes key = rng.bytes(key_len);
        ty_hmac_sm3 c;
        ty_hmac_sm3_init(&c, key.data(), key.size());
        for (size_t n : {0u, 1u, 31u, 32u, 55u, 56u, 64u, 129u, 0u}) {
            const Bytes msg = rng.bytes(n);
            for (size_t step : {1u, 13u, 64u, 200u}) {
                for (size_t i = 0; i < n; i += step)
                    ty_hmac_sm3_update(&c, &msg[i], std::min(step, n - i));
                EXPECT_EQ(finish(&c), reference::hmac(key, msg))
                    << "key " << key_len << " message " << n;
            }
        }
    }
}

TEST(HmacSm3, ACopiedStateIsIndependent)
{
    const Bytes key = bytes("a key"), head = bytes("head"), left = bytes(" left"),
                right = bytes(" right");
    ty_hmac_sm3 a, b;
    ty_hmac_sm3_init(&a, key.data(), key.size());
    ty_hmac_sm3_update(&a, head.data(), head.size());
    b = a;
    ty_hmac_sm3_update(&a, left.data(), left.size());
    ty_hmac_sm3_update(&b, right.data(), right.size());
    EXPECT_EQ(finish(&a), reference::hmac(key, reference::join(head, left)));
    EXPECT_EQ(finish(&b), reference::hmac(key, reference::join(head, right)));
}

TEST(HmacSm3, EveryBitOfTheKeyAndMessageCounts)
{
    Bytes key(64, 0x11), msg(33, 0x22);
    const Bytes want = mac(key, msg);
    for (size_t bit = 0; bit < 8 * key.size(); bit++) {
        key[bit / 8] ^= (uint8_t)(1u << bit % 8);
        EXPECT_NE(mac(key, msg), want) << "key bit " << bit;
        key[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t bit = 0; bit < 8 * msg.size(); bit++) {
        msg[bit / 8] ^= (uint8_t)(1u << bit % 8);
        EXPECT_NE(mac(key, msg), want) << "message bit " << bit;
        msg[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}
