// SHA-2, HMAC-SHA-256 and PBKDF2-HMAC-SHA-256: published examples, every length and chunking, guard
// pages.
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include <algorithm>
extern "C" {
#include "sha2/sha2.h"
}

static Bytes hash(const Bytes &m)
{
    Bytes out(TY_SHA256_LEN);
    ty_sha256_hash(out.data(), m.data(), m.size());
    return out;
}

static Bytes finish(ty_sha256 c)   // of a copy: the caller's state is unchanged
{
    Bytes out(TY_SHA256_LEN);
    ty_sha256_final(out.data(), &c);
    return out;
}

// The functions other than SHA-256 behind one interface
struct Other {
    const char *name;
    size_t len, block;
    void (*hash)(uint8_t *, const uint8_t *, size_t);
    Bytes (*in_pieces)(const Bytes &, size_t step);
    const char *abc, *two_blocks;   // digests of the standard's examples
    Bytes of(const Bytes &m) const
    {
        Bytes out(len);
        hash(out.data(), m.data(), m.size());
        return out;
    }
};

template <class State, void (*Init)(State *), void (*Update)(State *, const uint8_t *, size_t),
          void (*Final)(uint8_t *, State *), size_t Len>
static Bytes pieces(const Bytes &m, size_t step)
{
    State c;
    Bytes out(Len);
    Init(&c);
    for (size_t i = 0; i < m.size(); i += step) Update(&c, &m[i], std::min(step, m.size() - i));
    Update(&c, nullptr, 0);
    Final(out.data(), &c);
    for (size_t i = 0; i < sizeof c; i++) EXPECT_EQ(((uint8_t *)&c)[i], 0) << "offset " << i;
    return out;
}

#define OTHER(name, state)                                                                         \
    "SHA-" #name, TY_SHA##name##_LEN, sizeof((ty_##state *)0)->block, ty_sha##name##_hash,         \
        pieces<ty_##state, ty_sha##name##_init, ty_##state##_update, ty_sha##name##_final,         \
               TY_SHA##name##_LEN>

// The examples that NIST publishes with FIPS 180-4, of one block and of two
static const Other others[] = {
    { OTHER(224, sha256), "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
      "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525" },
    { OTHER(384, sha512),
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c8"
      "25a7",
      "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa9174"
      "6039" },
    { OTHER(512, sha512),
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3fe"
      "ebbd454d4423643ce80e2a9ac94fa54ca49f",
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5"
      "433ac7d329eeb6dd26545e96e55b874be909" },
    { OTHER(512_224, sha512), "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa",
      "23fec5bb94d60b23308192640b0c453335d664734fe40e7268674af9" },
    { OTHER(512_256, sha512), "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23",
      "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a" },
};

TEST(Sha2, StandardExamples)
{
    for (const Other &f : others) {
        EXPECT_EQ(hex(f.of(bytes("abc"))), f.abc) << f.name;
        EXPECT_EQ(hex(f.of(bytes(f.block == 64
                                     ? "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
                                     : "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhij"
                                       "klmnoijklmnopjklmnopqk"
                                       "lmnopqrlmnopqrsmnopqrstnopqrstu"))),
                  f.two_blocks)
            << f.name;
    }
}

// Every length of up to three blocks: in one call against guard pages, in pieces, and with the
// output over the message.
TEST(Sha2, EveryLengthAndChunking)
{
    TestRng rng(4);
    for (const Other &f : others) {
        SCOPED_TRACE(f.name);
        for (size_t n = 0; n <= 3 * f.block; n++) {
            const Bytes m = rng.bytes(n), want = f.in_pieces(m, 1);
            for (auto side : {Guarded::End, Guarded::Start}) {
                Guarded in(m.data(), n, side), out(f.len, side);
                f.hash(out.data(), in.data(), n);
                ASSERT_EQ(hex(out.data(), f.len), hex(want)) << n;
            }
            for (size_t step : { size_t(7), f.block - 1, f.block, f.block + 1, n / 2 + 1 })
                ASSERT_EQ(f.in_pieces(m, step), want) << n;
            Bytes both = m;
            both.resize(std::max(n, f.len));
            f.hash(both.data(), both.data(), n);
            both.resize(f.len);
            ASSERT_EQ(both, want) << n;
        }
    }
}

static Bytes mac(const Bytes &key, const Bytes &m)
{
    Bytes out(TY_SHA256_LEN);
    ty_hmac_sha256_mac(out.data(), m.data(), m.size(), key.data(), key.size());
    return out;
}

static Bytes pbkdf2(const Bytes &password, const Bytes &salt, uint32_t iterations, size_t len)
{
    Bytes out(len);
    EXPECT_EQ(ty_pbkdf2_sha256(out.data(), len, password.data(), password.size(), salt.data(),
                               salt.size(), iterations),
              TY_OK);
    return out;
}

// The examples that NIST publishes with FIPS 180-4: no bits, one block, two blocks, and a million
// letters a.
TEST(Sha256, StandardExamples)
{
    EXPECT_EQ(hex(hash({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hex(hash(bytes("abc"))),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hex(hash(bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hex(hash(bytes("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklm"
                             "nopjklmnopqklmnopqr"
                             "lmnopqrsmnopqrstnopqrstu"))),
              "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    EXPECT_EQ(hex(hash(Bytes(1000000, 'a'))),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// The kernels: two known answers on every tier; then comparisons with the portable kernel, from
// random states with some words of all zeros or all ones: up to nine blocks of random bytes, zeros
// or ones against guard pages, and three blocks at every alignment.
TEST(Sha256, Tiers)
{
    for_each_tier<ty_sha256_ops>(ty_sha256_tiers, [&](const ty_sha256_ops *ops, const char *tier) {
        for (const ty_tier *t = ty_sha256_tiers; t->name; t++)
            if (std::string(t->name) == tier) ty_cpu_assume(t->need);
        EXPECT_EQ(ty_sha256_best(), ops);
        EXPECT_EQ(hex(hash(bytes("abc"))),
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        EXPECT_EQ(hex(hash(Bytes(100000, 'a'))),
                  "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee");
        ty_cpu_assume(0);
        TestRng rng(7);
        const auto same = [&](const uint8_t *in, size_t n) {
            uint32_t got[8], want[8];
            for (int i = 0; i < 8; i++)
                got[i] = want[i] = rng.below(8) ? (uint32_t)rng.next() : i % 2 ? 0 : 0xffffffffu;
            ops->blocks(got, in, n);
            ty_sha256_ops_c.blocks(want, in, n);
            ASSERT_EQ(std::memcmp(got, want, sizeof got), 0) << n << " blocks";
        };
        for (size_t n = 0; n <= 9; n++)
            for (auto side : {Guarded::End, Guarded::Start})
                for (int fill = 0; fill < 3; fill++) {
                    Guarded in(64 * n, side);
                    if (n)
                        fill ? std::memset(in.data(), fill == 1 ? 0 : 0xff, 64 * n)
                             : (rng.fill(in.data(), 64 * n), nullptr);
                    same(in.data(), n);
                }
        for (size_t shift = 1; shift < 64; shift++)
            same(rng.bytes(64 * 3 + shift).data() + shift, 3);
    });
}

// The messages 0, 1, 2, ... of 0 to 300 bytes. The digest of all their digests was computed by an
// independent implementation.
TEST(Sha256, EveryLengthAgainstGuardPages)
{
    ty_sha256 all;
    ty_sha256_init(&all);
    for (size_t n = 0; n <= 300; n++) {
        Bytes m(n);
        for (size_t i = 0; i < n; i++) m[i] = (uint8_t)i;
        const Bytes want = hash(m);
        for (auto side : {Guarded::End, Guarded::Start}) {
            Guarded in(m.data(), n, side), out(TY_SHA256_LEN, side);
            ty_sha256_hash(out.data(), in.data(), n);
            ASSERT_EQ(hex(out.data(), out.size()), hex(want)) << n;
        }
        ty_sha256_update(&all, want.data(), want.size());
    }
    EXPECT_EQ(hex(finish(all)), "ddbdb189f5834c274dbe603d6d2874adf7234fd8a075c3d1bfbadc2107a75676");
}

TEST(Sha256, EveryChunking)
{
    TestRng rng(3);
    const Bytes m = rng.bytes(300);
    ty_sha256 c;
    for (size_t n = 0; n <= 200; n++) {
        const Bytes want = hash(Bytes(m.begin(), m.begin() + (long)n));
        for (size_t cut = 0; cut <= n; cut++) {
            ty_sha256_init(&c);
            ty_sha256_update(&c, m.data(), cut);
            ty_sha256_update(&c, m.data() + cut, n - cut);
            ASSERT_EQ(finish(c), want) << n << " cut at " << cut;
        }
    }
    const Bytes want = hash(m);
    for (size_t step = 1; step <= 130; step++) {
        ty_sha256_init(&c);
        for (size_t i = 0; i < m.size(); i += step)
            ty_sha256_update(&c, &m[i], std::min(step, m.size() - i));
        ASSERT_EQ(finish(c), want) << "steps of " << step;
    }
}

TEST(Sha256, FinalWipesTheStateAndOutputMayOverlapTheMessage)
{
    for (size_t n : {0u, 3u, 55u, 56u, 63u, 64u, 100u}) {
        Bytes m(std::max<size_t>(n, 32), 0xA5);
        const Bytes want = hash(Bytes(m.begin(), m.begin() + (long)n));
        ty_sha256 c;
        ty_sha256_init(&c);
        ty_sha256_update(&c, m.data(), n);
        ty_sha256_final(m.data(), &c);
        EXPECT_EQ(Bytes(m.begin(), m.begin() + 32), want);
        for (size_t i = 0; i < sizeof c; i++)
            ASSERT_EQ(((uint8_t *)&c)[i], 0) << n << " bytes, offset " << i;
    }
}

// RFC 4231, cases 1, 2, 4 and 7: keys of 20, 4 and 25 bytes, and one of 131, which is hashed first.
TEST(Sha256, Hmac)
{
    Bytes counting(25);
    for (size_t i = 0; i < 25; i++) counting[i] = (uint8_t)(i + 1);
    EXPECT_EQ(hex(mac(Bytes(20, 0x0b), bytes("Hi There"))),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    EXPECT_EQ(hex(mac(bytes("Jefe"), bytes("what do ya want for nothing?"))),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(hex(mac(counting, Bytes(50, 0xcd))),
              "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
    EXPECT_EQ(
        hex(mac(Bytes(131, 0xaa),
                bytes("This is a test using a larger than block-size key and a larger than "
                      "block-size data. "
                      "The key needs to be hashed before being used by the HMAC algorithm."))),
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

// The vectors of RFC 7914, section 11, and the definition
TEST(Sha256, Pbkdf2)
{
    EXPECT_EQ(hex(pbkdf2(bytes("passwd"), bytes("salt"), 1, 64)),
              "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
              "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783");
    EXPECT_EQ(hex(pbkdf2(bytes("Password"), bytes("NaCl"), 80000, 64)),
              "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
              "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d");
    // compared with the definition, U_1 ^ ... ^ U_n, computed with HMAC
    for (uint32_t n : {1u, 2u, 3u, 100u}) {
        Bytes u = mac(bytes("pw"), bytes(std::string("salt\0\0\0\1", 8))), sum = u;
        for (uint32_t i = 1; i < n; i++) {
            u = mac(bytes("pw"), u);
            for (size_t j = 0; j < 32; j++) sum[j] ^= u[j];
        }
        EXPECT_EQ(pbkdf2(bytes("pw"), bytes("salt"), n, 32), sum) << n;
        for (size_t len = 0; len <= 70; len++) {
            const Bytes part = pbkdf2(bytes("pw"), bytes("salt"), n, len);
            ASSERT_EQ(hex(part).substr(0, 64), hex(sum).substr(0, 2 * std::min<size_t>(len, 32)));
        }
    }
    uint8_t out[32] = {7};
    EXPECT_EQ(ty_pbkdf2_sha256(out, sizeof out, nullptr, 0, nullptr, 0, 0), TY_ERR_ARG);
    EXPECT_EQ(out[0], 7);
#if SIZE_MAX > 0xffffffffu
    EXPECT_EQ(ty_pbkdf2_sha256(out, (size_t)32 * 0xffffffffu + 1, nullptr, 0, nullptr, 0, 1),
              TY_ERR_SIZE);
#endif
    EXPECT_EQ(ty_pbkdf2_sha256(out, sizeof out, nullptr, 0, nullptr, 0, 1), TY_OK)
        << "empty password and salt";
}
