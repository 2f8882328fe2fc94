// Secrets that functions built on hashes leave on the stack: SHAKE as a generator, MACs, and key
// derivation. The inner values of HMAC are computed here, starting from its pads (RFC 2104).
#include "fault/residue_search.hpp"
#include "support/rng.hpp"
#include "tongyu/tongyu.h"
extern "C" {
#include "mac/hmac_drbg.h"
#include "sha2/sha2.h"
}

namespace {

Bytes pad(Bytes key, uint8_t with, Bytes (*hash)(const Bytes &))
{
    if (key.size() > 64) key = hash(key);
    key.resize(64);
    for (uint8_t &b : key) b ^= with;
    return key;
}
Bytes join(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
template <class State> Bytes words(const State &h)
{
    return Bytes((const uint8_t *)h.h, (const uint8_t *)(h.h + 8));
}

// The library's functions over SM3 and over SHA-256: type parameters of the tests
struct Sm3 {
    using Hmac = ty_hmac_sm3;
    using Drbg = ty_hmac_drbg_sm3;
    static constexpr auto init = ty_hmac_sm3_init;
    static constexpr auto update = ty_hmac_sm3_update;
    static constexpr auto final = ty_hmac_sm3_final;
    static constexpr auto mac = ty_hmac_sm3_mac;
    static constexpr auto pbkdf2 = ty_pbkdf2_sm3;
    static constexpr auto drbg_init = ty_hmac_drbg_sm3_init;
    static constexpr auto drbg_next = ty_hmac_drbg_sm3_next;
    static Bytes hash(const Bytes &m)
    {
        Bytes out(32);
        ty_sm3_hash(out.data(), m.data(), m.size());
        return out;
    }
};
struct Sha256 {
    using Hmac = ty_hmac_sha256;
    using Drbg = ty_hmac_drbg_sha256;
    static constexpr auto init = ty_hmac_sha256_init;
    static constexpr auto update = ty_hmac_sha256_update;
    static constexpr auto final = ty_hmac_sha256_final;
    static constexpr auto mac = ty_hmac_sha256_mac;
    static constexpr auto pbkdf2 = ty_pbkdf2_sha256;
    static constexpr auto drbg_init = ty_hmac_drbg_sha256_init;
    static constexpr auto drbg_next = ty_hmac_drbg_sha256_next;
    static Bytes hash(const Bytes &m)
    {
        Bytes out(32);
        ty_sha256_hash(out.data(), m.data(), m.size());
        return out;
    }
};

// adds the pads, which reveal the key, the states after them, with which MACs can be forged, and
// the inner digest of a message
template <class H>
void add_hmac(Secrets &s, const std::string &name, const Bytes &key, const Bytes &msg)
{
    const Bytes inner = pad(key, 0x36, H::hash), outer = pad(key, 0x5c, H::hash);
    typename H::Hmac c;
    H::init(&c, key.data(), key.size());
    s.add(name + ": inner pad", inner.data(), std::min<size_t>(key.size(), 64) / 8 * 8);
    s.add(name + ": outer pad", outer.data(), std::min<size_t>(key.size(), 64) / 8 * 8);
    s.add(name + ": inner state", words(c.inner)).add(name + ": outer state", words(c.outer));
    s.add(name + ": inner digest", H::hash(join(inner, msg)));
    if (key.size() >= 8) s.add(name + ": key", key);
}
template <class H> Bytes hmac(const Bytes &key, const Bytes &msg)
{
    return H::hash(join(pad(key, 0x5c, H::hash), H::hash(join(pad(key, 0x36, H::hash), msg))));
}

template <class H> struct ResidueHmac : testing::Test {
    TestRng r{33};
};
using Hashes = testing::Types<Sm3, Sha256>;
TYPED_TEST_SUITE(ResidueHmac, Hashes);

TYPED_TEST(ResidueHmac, Macs)
{
    using H = TypeParam;
    for (const size_t key_len : {16, 64, 100})
        for (const size_t msg_len : {20, 200}) {
            SCOPED_TRACE(std::to_string(key_len) + ", " + std::to_string(msg_len));
            const Bytes key = this->r.bytes(key_len), msg = this->r.bytes(msg_len);
            uint8_t tag[32];
            typename H::Hmac c;
            Secrets s;
            add_hmac<H>(s, "HMAC", key, msg);
            at_every_level([&] {
                EXPECT_EQ(traces([&] { H::mac(tag, msg.data(), msg_len, key.data(), key_len); }, s),
                          0)
                    << "mac";
                EXPECT_EQ(traces([&] {
                    H::init(&c, key.data(), key_len);
                    H::update(&c, msg.data(), 7);
                    H::update(&c, msg.data() + 7, msg_len - 7);
                    H::final(tag, &c);
                }, s), 0) << "streaming";
            });
            EXPECT_EQ(Bytes(tag, tag + 32), hmac<H>(key, msg));
        }
}

TYPED_TEST(ResidueHmac, Passwords)
{
    using H = TypeParam;
    const Bytes pw = this->r.bytes(40), salt = this->r.bytes(16), first = join(salt, {0, 0, 0, 1});
    Bytes dk(32), u = first;
    Secrets s;
    add_hmac<H>(s, "password", pw, first);
    for (const char *name : {"U 1", "U 2", "U 3"}) s.add(name, u = hmac<H>(pw, u));
    ASSERT_EQ(H::pbkdf2(dk.data(), 32, pw.data(), pw.size(), salt.data(), 16, 3), TY_OK);
    s.add("key", dk);
    at_every_level([&] {
        EXPECT_EQ(traces(
                      [&] {
                          MUST_GIVE(
                              H::pbkdf2(dk.data(), 32, pw.data(), pw.size(), salt.data(), 16, 3),
                              TY_OK);
                      },
                      s),
                  0);
    });
}

TYPED_TEST(ResidueHmac, Generator)
{
    using H = TypeParam;
    const Bytes seed = this->r.bytes(64);
    typename H::Drbg c;
    Bytes k(32), v(32, 1), out(64);   // RFC 6979, 3.2
    Secrets s;
    s.add("seed", seed);
    for (const uint8_t tag : {0, 1}) {
        const Bytes msg = join(join(v, {tag}), seed);
        if (tag) add_hmac<H>(s, "K " + std::to_string(tag), k, msg);
        k = hmac<H>(k, msg);
        v = hmac<H>(k, v);
        s.add("K", k).add("V", v);
    }
    add_hmac<H>(s, "K", k, v);
    for (int i = 0; i < 2; i++) s.add("output", v = hmac<H>(k, v));
    at_every_level([&] {
        EXPECT_EQ(traces([&] {
            H::drbg_init(&c, seed.data(), seed.size());
            H::drbg_next(out.data(), 64, &c);
        }, s), 0);
    });
    EXPECT_EQ(Bytes(out.begin() + 32, out.end()), v);
}

struct ResidueHash : testing::Test {
    TestRng r{32};
};

// every block of the output, and the states that they were squeezed from
TEST_F(ResidueHash, ShakeAsGenerator)
{
    for (const size_t seed_len : {32, 300}) {
        const Bytes seed = r.bytes(seed_len);
        Bytes out(3 * TY_SHAKE128_BLOCK), all(out.size() + 64);
        for (const bool wide : {false, true}) {
            SCOPED_TRACE(wide ? "SHAKE256" : "SHAKE128");
            const auto hash = wide ? ty_shake256_hash : ty_shake128_hash;
            const auto init = wide ? ty_shake256_init : ty_shake128_init;
            hash(all.data(), all.size(), seed.data(), seed_len);
            Secrets s;
            s.add("seed", seed).add("output", all);
            ty_keccak c;
            init(&c);
            ASSERT_EQ(ty_shake_update(&c, seed.data(), seed_len), TY_OK);
            for (size_t i = 0; i < 4; i++) {
                uint8_t byte;
                ASSERT_EQ(ty_shake_squeeze(&byte, 1, &c), TY_OK);
                s.add("state " + std::to_string(i), c.a, sizeof c.a);
                uint32_t halves[50] = {0};   // of the 32-bit kernel: even bits, odd bits
                for (unsigned j = 0; j < 25 * 64; j++)
                    halves[j / 64 * 2 + j % 2] |= (uint32_t)(c.a[j / 64] >> j % 64 & 1)
                                                  << j % 64 / 2;
                s.add("halves " + std::to_string(i), halves, sizeof halves);
                Bytes skip((wide ? TY_SHAKE256_BLOCK : TY_SHAKE128_BLOCK) - 1);
                ASSERT_EQ(ty_shake_squeeze(skip.data(), skip.size(), &c), TY_OK);
            }
            at_every_level([&] {
                EXPECT_EQ(traces([&] { hash(out.data(), out.size(), seed.data(), seed_len); }, s),
                          0)
                    << "hash";
                EXPECT_EQ(traces([&] {
                    ty_keccak g;
                    init(&g);
                    MUST_GIVE(ty_shake_update(&g, seed.data(), seed_len), TY_OK);
                    for (size_t o = 0; o + 40 <= out.size(); o += 40)
                        MUST_GIVE(ty_shake_squeeze(out.data() + o, 40, &g), TY_OK);
                    ty_wipe(&g, sizeof g);
                }, s), 0) << "streaming";
            });
        }
    }
}

TEST_F(ResidueHash, Sha3UnderAKey)
{
    const Bytes secret = r.bytes(64);
    uint8_t out[32];
    Secrets s;
    s.add("message", secret);
    ty_keccak c;
    ty_shake256_init(&c);
    c.suffix = 6;   // a state of SHA3-256, whose rate is SHAKE256's
    ASSERT_EQ(ty_shake_update(&c, secret.data(), 64), TY_OK);
    ASSERT_EQ(ty_shake_squeeze(out, 1, &c), TY_OK);
    s.add("state", c.a, sizeof c.a);
    at_every_level([&] {
        EXPECT_EQ(traces([&] { ty_sha3_256_hash(out, secret.data(), 64); }, s), 0);
    });
    EXPECT_EQ(std::memcmp(out, c.a, 8), 0);
}

TEST_F(ResidueHash, DerivedKeys)
{
    const Bytes ikm = r.bytes(32), salt = r.bytes(32), info = r.bytes(10), z = r.bytes(64);
    const Bytes prk = hmac<Sm3>(salt, ikm), t1 = hmac<Sm3>(prk, join(info, { 1 })),
                t2 = hmac<Sm3>(prk, join(join(t1, info), { 2 }));
    Bytes out(64);
    Secrets s;
    add_hmac<Sm3>(s, "extract", salt, ikm);
    add_hmac<Sm3>(s, "expand", prk, join(info, {1}));
    s.add("input", ikm).add("T(1)", t1).add("T(2)", t2);
    at_every_level([&] {
        EXPECT_EQ(traces(
                      [&] {
                          MUST_GIVE(ty_hkdf_sm3(out.data(), 64, ikm.data(), 32, salt.data(), 32,
                                                info.data(), 10),
                                    TY_OK);
                      },
                      s),
                  0);
    });
    EXPECT_EQ(out, join(t1, t2));
    for (const size_t len : {32, 64, 500}) {   // with one block after the other, and multi-buffer
        SCOPED_TRACE(len);
        Bytes stream(len + 32);
        ASSERT_EQ(ty_kdf_sm3(stream.data(), stream.size(), z.data(), 64), TY_OK);
        out.resize(len);
        Secrets k;
        k.add("z", z).add("stream", stream);
        at_every_level([&] {
            EXPECT_EQ(
                traces([&] { MUST_GIVE(ty_kdf_sm3(out.data(), len, z.data(), 64), TY_OK); }, k), 0);
        });
    }
}

}
