// SHA-3 and SHAKE: the standard's examples, every length and chunking, the kernels of every tier,
// and messages in lanes.
extern "C" {
#include "keccak/keccak_lanes.h"
}
#include "keccak/reference.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "tongyu/keccak.h"
#include <algorithm>
#include <functional>
#include <memory>

using Ops = ty_keccak_ops;

namespace {

// One of the six functions behind a common interface, and its parameters for the reference
struct Function {
    const char *name;
    size_t rate, len;   // len: 0 for SHAKE
    uint8_t suffix;
    void (*init)(ty_keccak *);
    void (*fixed)(uint8_t *, const uint8_t *, size_t);
    void (*shake)(uint8_t *, size_t, const uint8_t *, size_t);

    void once(uint8_t *out, size_t n, const uint8_t *m, size_t m_len) const
    {
        if (fixed) fixed(out, m, m_len);
        else shake(out, n, m, m_len);
    }
    Bytes hash(const Bytes &m, size_t n = 0) const
    {
        Bytes out(len ? len : n);
        once(out.data(), out.size(), m.data(), m.size());
        return out;
    }
    Bytes want(const Bytes &m, size_t n = 0) const
    {
        return reference::sponge(rate, suffix, m, len ? len : n);
    }
    void update(ty_keccak *c, const uint8_t *m, size_t m_len) const
    {
        if (fixed) ty_sha3_update(c, m, m_len);
        else EXPECT_EQ(ty_shake_update(c, m, m_len), TY_OK);
    }
    Bytes finish(ty_keccak c, size_t n = 0) const   // of a copy: the caller's state is unchanged
    {
        Bytes out(len ? len : n);
        if (fixed) EXPECT_EQ(ty_sha3_final(out.data(), &c), len);
        else EXPECT_EQ(ty_shake_squeeze(out.data(), out.size(), &c), TY_OK);
        return out;
    }
};

const Function functions[] = {
    { "SHA3-224", TY_SHA3_224_BLOCK, TY_SHA3_224_LEN, 6, ty_sha3_224_init, ty_sha3_224_hash,
      nullptr },
    { "SHA3-256", TY_SHA3_256_BLOCK, TY_SHA3_256_LEN, 6, ty_sha3_256_init, ty_sha3_256_hash,
      nullptr },
    { "SHA3-384", TY_SHA3_384_BLOCK, TY_SHA3_384_LEN, 6, ty_sha3_384_init, ty_sha3_384_hash,
      nullptr },
    { "SHA3-512", TY_SHA3_512_BLOCK, TY_SHA3_512_LEN, 6, ty_sha3_512_init, ty_sha3_512_hash,
      nullptr },
    { "SHAKE128", TY_SHAKE128_BLOCK, 0, 0x1f, ty_shake128_init, nullptr, ty_shake128_hash },
    { "SHAKE256", TY_SHAKE256_BLOCK, 0, 0x1f, ty_shake256_init, nullptr, ty_shake256_hash },
};

void each_tier(const std::function<void()> &f)
{
    for_each_tier<Ops>(ty_keccak_tiers, [&](const Ops *, const char *tier) {
        UseKeccakTier use(tier);
        f();
    });
}

// form: s = the words a in the form of the tier; plain: the reverse
void form(const Ops *ops, uint64_t s[25], const uint64_t a[25])
{
    uint8_t bytes[200];
    for (size_t i = 0; i < 200; i++) bytes[i] = (uint8_t)(a[i / 8] >> 8 * (i % 8));
    std::memset(s, 0, 200);
    ops->add(s, 0, bytes, 25);
}

void plain(const Ops *ops, uint64_t a[25], const uint64_t s[25])
{
    uint8_t bytes[200];
    ops->get(bytes, s, 0, 25);
    std::memset(a, 0, 200);
    for (size_t i = 0; i < 200; i++) a[i / 8] |= (uint64_t)bytes[i] << 8 * (i % 8);
}

}   // namespace

// The examples that NIST publishes with FIPS 202: no bits, "abc", 448 bits, and 200 bytes A3; for
// SHAKE the first and the last 256 of 4096 bits of output.
TEST(Keccak, StandardExamples)
{
    const Bytes none, abc = bytes("abc"),
                      letters = bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
    const Bytes a3(200, 0xa3);
    const char *const digests[4][4] = {
        { "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7",
          "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf",
          "8a24108b154ada21c9fd5574494479ba5c7e7ab76ef264ead0fcce33",
          "9376816aba503f72f96ce7eb65ac095deee3be4bf9bbc2a1cb7e11e0" },
        { "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
          "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
          "41c0dba2a9d6240849100376a8235e2c82e1b9998a999e21db32dd97496d3376",
          "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787" },
        { "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47fb6bd1e0"
          "58d5f004",
          "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf2"
          "28376d25",
          "991c665755eb3a4b6bbdfb75c78a492e8c56a22c5c4d7e429bfdbc32b9d4ad5aa04a1f076e62fea19eef51ac"
          "d0657c22",
          "1881de2ca7e41ef95dc4732b8f5f002b189cc1e42b74168ed1732649ce1dbcdd76197a31fd55ee989f2d7050"
          "dd473e8f" },
        { "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e940"
          "2c3ac558f500199d95b6d3e301758586281dcd26",
          "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec576"
          "47e3934057340b4cf408d5a56592f8274eec53f0",
          "04a371e84ecfb5b8b77cb48610fca8182dd457ce6f326a0fd3d7ec2f1e91636dee691fbe0c985302ba1b0d8d"
          "c78c086346b533b49c030d99a27daf1139d6e75e",
          "e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca81b7c13c30adf52a365958473"
          "9a2df46be589c51ca1a4a8416df6545a1ce8ba00" },
    };
    const char *const ends[2][2][2] = {
        { { "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26",
            "43e41b45a653f2a5c4492c1add544512dda2529833462b71a41a45be97290b6f" },
          { "131ab8d2b594946b9c81333f9bb6e0ce75c3b93104fa3469d3917457385da037",
            "44c9fb359fd56ac0a9a75a743cff6862f17d7259ab075216c0699511643b6439" } },
        { { "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f",
            "ab0bae316339894304e35877b0c28a9b1fd166c796b9cc258a064a8f57e27f2a" },
          { "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d",
            "6a1a9d7846436e4dca5728b6f760eef0ca92bf0be5615e96959d767197a0beeb" } },
    };
    const auto check = [&](auto hash) {
        for (int f = 0; f < 4; f++) {
            const Bytes *const messages[] = {&none, &abc, &letters, &a3};
            for (int m = 0; m < 4; m++)
                EXPECT_EQ(hex(hash(functions[f], *messages[m])), digests[f][m])
                    << functions[f].name;
        }
        for (int f = 0; f < 2; f++)
            for (int m = 0; m < 2; m++) {
                const Bytes out = hash(functions[4 + f], m ? a3 : none);
                EXPECT_EQ(hex(&out[0], 32), ends[f][m][0]) << functions[4 + f].name;
                EXPECT_EQ(hex(&out[480], 32), ends[f][m][1]) << functions[4 + f].name;
            }
    };
    each_tier([&] { check([](const Function &f, const Bytes &m) { return f.hash(m, 512); }); });
    // the reference agrees with the standard
    check([](const Function &f, const Bytes &m) { return f.want(m, 512); });
}

// One, four and eight states; then, on the results, four and eight together with one more. Random
// states differ, so that a word taken from a neighbouring lane is detected.
TEST(Keccak, KernelsAgainstTheDefinition)
{
    TestRng rng(1);
    for_each_tier<Ops>(ty_keccak_tiers, [&](const Ops *ops, const char *) {
        alignas(64) static uint64_t x8[25][8];
        alignas(32) static uint64_t x4[25][4];
        uint64_t x1[25], want[8][25];
        for (int seed = 0; seed < 3; seed++) {
            for (int w = 0; w < 25; w++) {
                for (int i = 0; i < 8; i++) {
                    want[i][w] = seed == 0 ? 0 : seed == 1 ? ~(uint64_t)0 : rng.next();
                    x8[w][i] = want[i][w];
                    if (i < 4) x4[w][i] = want[i][w];
                }
                x1[w] = want[0][w];
            }
            for (int repeat = 0; repeat < 2; repeat++) {
                if (repeat == 0) {
                    ops->f1600(x1);
                    ops->f1600_x4(x4);
                    ops->f1600_x8(x8);
                } else {
                    uint64_t with4[25], with8[25];
                    form(ops, with4, x1);
                    form(ops, with8, x1);
                    ops->f1600_x4_x1(x4, with4);
                    ops->f1600_x8_x1(x8, with8);
                    ASSERT_EQ(std::memcmp(with4, with8, sizeof with4), 0);
                    plain(ops, x1, with8);
                }
                for (auto &state : want) reference::f1600(state);
                for (int w = 0; w < 25; w++) {
                    ASSERT_EQ(x1[w], want[0][w]) << "word " << w;
                    for (int i = 0; i < 4; i++)
                        ASSERT_EQ(x4[w][i], want[i][w]) << "word " << w << " of " << i << " of 4";
                    for (int i = 0; i < 8; i++)
                        ASSERT_EQ(x8[w][i], want[i][w]) << "word " << w << " of " << i << " of 8";
                }
            }
        }
    }, true);
}

// The kernels for one state in the tier's form: words are added and read at their places and
// nowhere else, from and to any address; the permutation; and the sampling of numbers of 23 bits
// below a bound. All are compared with the definition on bytes.
TEST(Keccak, FormOfATier)
{
    TestRng rng(9);
    for_each_tier<Ops>(ty_keccak_tiers, [&](const Ops *ops, const char *) {
        for (int round = 0; round < few(40); round++) {
            uint64_t s[25], a[25], got[25];
            for (uint64_t &w : a) w = rng.next();
            form(ops, s, a);
            const size_t at = rng.next() % 25, words = 1 + rng.next() % (25 - at);
            const Bytes in = rng.bytes(8 * words + 1);
            ops->add(s, at, &in[round % 2], words);
            for (size_t i = 0; i < 8 * words; i++)
                a[at + i / 8] ^= (uint64_t)in[round % 2 + i] << 8 * (i % 8);
            plain(ops, got, s);
            ASSERT_EQ(std::memcmp(got, a, 200), 0) << at << " " << words;
            Bytes out(8 * words + 1, 0x77);
            ops->get(&out[round % 2], s, at, words);
            for (size_t i = 0; i < 8 * words; i++)
                ASSERT_EQ(out[round % 2 + i], (uint8_t)(a[at + i / 8] >> 8 * (i % 8)));
            ASSERT_EQ(out[round % 2 ? 0 : 8 * words], 0x77);
            ops->permute(s);
            reference::f1600(a);
            plain(ops, got, s);
            ASSERT_EQ(std::memcmp(got, a, 200), 0);
            const int32_t end = round == 0   ? 1 << 23
                                : round == 1 ? 0
                                             : (int32_t)(rng.next() % (1 << 23));
            std::vector<int32_t> want, numbers(58, -1);
            for (size_t i = 0; i < 168; i += 3) {
                int32_t x = 0;
                for (size_t j = 0; j < 3; j++)
                    x |= (int32_t)(uint8_t)(a[(i + j) / 8] >> 8 * ((i + j) % 8)) << 8 * j;
                if ((x & 0x7fffff) < end) want.push_back(x & 0x7fffff);
            }
            ASSERT_EQ(ops->sample_vt(numbers.data(), s, end), want.size());
            ASSERT_TRUE(std::equal(want.begin(), want.end(), numbers.begin()));
            ASSERT_EQ(numbers[57], -1);
        }
    });
}

// States with a single bit, at each place: every rotation and every neighbouring lane is used.
TEST(Keccak, SingleBits)
{
    for_each_tier<Ops>(ty_keccak_tiers, [&](const Ops *ops, const char *tier) {
        const int step = std::string(tier) == "avx512" ? 150 : 1;   // slow where it is emulated
        alignas(64) uint64_t x8[25][8];
        for (int bit = 0; bit < 1600; bit += 8 * step) {
            std::memset(x8, 0, sizeof x8);
            for (int i = 0; i < 8 && bit + i < 1600; i++)
                x8[(bit + i) / 64][i] = (uint64_t)1 << (bit + i) % 64;
            uint64_t want[8][25];
            for (int w = 0; w < 25; w++)
                for (int i = 0; i < 8; i++) want[i][w] = x8[w][i];
            ops->f1600_x8(x8);
            for (int i = 0; i < 8; i++) {
                uint64_t x1[25];
                std::memcpy(x1, want[i], sizeof x1);
                reference::f1600(want[i]);
                ops->f1600(x1);
                for (int w = 0; w < 25; w++) {
                    ASSERT_EQ(x8[w][i], want[i][w]) << "bit " << bit + i << " word " << w;
                    ASSERT_EQ(x1[w], want[i][w]) << "bit " << bit + i << " word " << w;
                }
            }
        }
    });
}

TEST(Keccak, EveryLengthAgainstGuardPages)
{
    TestRng rng(2);
    for (const Function &f : functions) {
        SCOPED_TRACE(f.name);
        for (size_t n = 0; n <= 2 * f.rate + 9; n++) {
            const Bytes m = rng.bytes(n);
            const size_t out_len = f.len ? f.len : n;
            const Bytes want = f.want(m, out_len);
            for (auto side : {Guarded::End, Guarded::Start}) {
                Guarded in(m.data(), n, side), out(out_len, side);
                f.once(out.data(), out_len, in.data(), n);
                ASSERT_EQ(hex(out.data(), out_len), hex(want)) << n;
            }
        }
    }
}

TEST(Keccak, EveryChunking)
{
    TestRng rng(3);
    const Bytes m = rng.bytes(400);
    ty_keccak c;
    for (const Function &f : functions) {
        SCOPED_TRACE(f.name);
        const Bytes want = f.want(m, 400);
        for (size_t cut = 0; cut <= m.size(); cut++) {
            f.init(&c);
            f.update(&c, m.data(), cut);
            f.update(&c, m.data() + cut, m.size() - cut);
            f.update(&c, nullptr, 0);
            ASSERT_EQ(f.finish(c, 400), want) << "cut at " << cut;
        }
        for (size_t step = 1; step <= 180; step++) {
            f.init(&c);
            for (size_t i = 0; i < m.size(); i += step)
                f.update(&c, &m[i], std::min(step, m.size() - i));
            ASSERT_EQ(f.finish(c, 400), want) << "steps of " << step;
            if (f.fixed) continue;
            Bytes out(400);
            for (size_t i = 0; i < out.size(); i += step)
                ASSERT_EQ(ty_shake_squeeze(&out[i], std::min(step, out.size() - i), &c), TY_OK);
            ASSERT_EQ(out, want) << "squeezed in steps of " << step;
        }
    }
}

TEST(Keccak, EveryTierHashesTheSame)
{
    const Bytes m = TestRng(4).bytes(1000);
    each_tier([&] {
        for (const Function &f : functions) EXPECT_EQ(f.hash(m, 1000), f.want(m, 1000)) << f.name;
    });
}

TEST(Keccak, OrderOfCalls)
{
    uint8_t out[64], zero[64] = {0};
    ty_keccak c, before;
    ty_shake128_init(&c);
    EXPECT_EQ(ty_shake_squeeze(nullptr, 0, &c), TY_OK) << "ends the message, returns nothing";
    before = c;
    EXPECT_EQ(ty_shake_update(&c, zero, 1), TY_ERR_STATE);
    EXPECT_EQ(std::memcmp(&c, &before, sizeof c), 0);
    EXPECT_EQ(ty_shake_squeeze(out, 32, &c), TY_OK);
    EXPECT_EQ(hex(out, 32), hex(functions[4].hash({}, 32)));

    // final wipes the state; later calls are refused, or do nothing
    for (const Function &f : functions) {
        f.init(&c);
        f.update(&c, (const uint8_t *)"abc", 3);
        (void)ty_sha3_final(out, &c);
        for (size_t i = 0; i < sizeof c; i++)
            ASSERT_EQ(((uint8_t *)&c)[i], 0) << f.name << " offset " << i;
    }
    ty_sha3_update(&c, zero, sizeof zero);
    EXPECT_EQ(ty_sha3_final(out, &c), 0u);
    EXPECT_EQ(ty_shake_update(&c, zero, 1), TY_ERR_STATE);
    std::memset(out, 7, sizeof out);
    EXPECT_EQ(ty_shake_squeeze(out, sizeof out, &c), TY_ERR_STATE);
    EXPECT_EQ(std::memcmp(out, zero, sizeof out), 0);
    EXPECT_EQ(ty_shake_squeeze(nullptr, 0, &c), TY_ERR_STATE);
}

TEST(Keccak, OutputMayOverlapTheMessage)
{
    for (const Function &f : functions)
        for (size_t n : {0u, 1u, 71u, 72u, 136u, 200u, 300u}) {
            Bytes m = TestRng(n).bytes(std::max<size_t>(n, 200));
            const Bytes want = f.want(Bytes(m.begin(), m.begin() + (long)n), 200);
            f.once(m.data(), 200, m.data(), n);
            ASSERT_EQ(hex(m.data(), want.size()), hex(want)) << f.name << " " << n;
        }
}

// Up to eight messages of any lengths, in pieces that end anywhere: each lane has its own end, and
// the longest continues alone.
TEST(Keccak, LanesOfDifferentLengths)
{
    TestRng rng(77);
    for_each_tier<Ops>(ty_keccak_tiers, [&](const Ops *, const char *tier) {
        UseKeccakTier use(tier);
        for (int round = 0; round < 48; round += std::string(tier) == "avx512" ? 21 : 1) {
            const size_t n = 1 + round % 8, pieces = 1 + rng.below(4),
                         rate = round % 2 ? TY_SHAKE256_BLOCK : TY_SHAKE128_BLOCK;
            const size_t out_len = 1 + rng.below((uint32_t)rate);
            std::vector<Bytes> text(n * pieces), out(n, Bytes(out_len));
            std::vector<ty_keccak_piece> in;
            uint8_t *to[8];
            for (size_t i = 0; i < n * pieces; i++) {
                const size_t lengths[] = {
                    0, 1, rate - 1, rate, rate + 1, 2 * rate, 7, 3 * rate + 5
                };
                text[i] = rng.bytes(lengths[rng.below(8)]);
                in.push_back({text[i].data(), text[i].size()});
            }
            for (size_t i = 0; i < n; i++) to[i] = out[i].data();
            ty_keccak_lanes_hash(to, out_len, (unsigned)rate, in.data(), pieces, n);
            for (size_t i = 0; i < n; i++) {
                Bytes whole, want(out_len);
                for (size_t p = 0; p < pieces; p++)
                    whole.insert(whole.end(), text[i * pieces + p].begin(),
                                 text[i * pieces + p].end());
                (rate == TY_SHAKE256_BLOCK ? ty_shake256_hash : ty_shake128_hash)(
                    want.data(), out_len, whole.data(), whole.size());
                ASSERT_EQ(hex(out[i]), hex(want)) << n << " " << i;
            }
        }
    });
}

// Four and eight messages of the same length, of up to two blocks and a few bytes. Two messages are
// equal, and one output may be omitted.
TEST(Keccak, Lanes)
{
    for_each_tier<Ops>(ty_keccak_tiers, [&](const Ops *ops, const char *tier) {
        UseKeccakTier use(tier);
        const bool slow = std::string(tier) == "avx512";
        TestRng rng(5);
        for (const Function *f : {&functions[4], &functions[5]})
            for (unsigned lanes : {4u, 8u})
                for (size_t len = 0; len <= 2 * f->rate + 8; len += slow ? 131 : 1 + rng.below(9)) {
                    const size_t blocks = 1 + rng.below(slow ? 2 : 4);
                    std::vector<Bytes> m(lanes), want(lanes);
                    const uint8_t *in[8];
                    uint8_t *out[8];
                    std::vector<std::unique_ptr<Guarded>> guarded, room;
                    for (unsigned i = 0; i < lanes; i++) {
                        m[i] = i == 2 ? m[1] : rng.bytes(len);
                        guarded.emplace_back(new Guarded(m[i].data(), len));
                        room.emplace_back(new Guarded(blocks * f->rate));
                        want[i] = f->want(m[i], blocks * f->rate);
                        in[i] = guarded[i]->data();
                        out[i] = i == 3 && len % 2 ? nullptr : room[i]->data();
                    }
                    ty_keccak_lanes s;
                    ty_keccak_lanes_absorb(&s, lanes, (unsigned)f->rate, in, len);
                    EXPECT_EQ(s.ops, ops);
                    const size_t first = rng.below(blocks + 1);
                    ty_keccak_lanes_squeeze(out, first, &s);
                    for (unsigned i = 0; i < lanes; i++) if (out[i]) out[i] += first * f->rate;
                    ty_keccak_lanes_squeeze(out, blocks - first, &s);
                    for (unsigned i = 0; i < lanes; i++) {
                        if (i == 3 && len % 2) continue;
                        ASSERT_EQ(hex(room[i]->data(), room[i]->size()), hex(want[i]))
                            << f->name << " lane " << i << " of " << lanes << " length " << len;
                    }
                }
    });
}

// A message that is processed together with the lanes and grows meanwhile, followed by one that
// hashes its output.
TEST(Keccak, ExtraMessages)
{
    for_each_tier<Ops>(ty_keccak_tiers, [&](const Ops *, const char *tier) {
        UseKeccakTier use(tier);
        TestRng rng(6);
        const bool slow = std::string(tier) == "avx512";
        std::vector<size_t> lengths = {0, 135, 136, 137, 271, 272, 407};
        while (lengths.back() < 600) lengths.push_back(lengths.back() + 1 + rng.below(20));
        if (slow) lengths = {0, 135, 272};
        for (size_t len : lengths) {
            const unsigned lanes = len % 2 ? 4 : 8;
            const Bytes whole = rng.bytes(len);
            Guarded m(whole.data(), len);
            const size_t have = rng.below((uint32_t)len + 1);
            Bytes hash(64), again(136), want(64), want_again(136), room(168 * 3 * 8), none(168 * 3);
            ty_shake256_hash(want.data(), 64, whole.data(), len);
            ty_shake256_hash(want_again.data(), 136, want.data(), 64);
            ty_shake128_hash(none.data(), none.size(), nullptr, 0);
            ty_keccak_extra first, second;
            ty_keccak_extra_start(&first, hash.data(), 64, m.data(), have, 1);
            ty_keccak_extra_start(&second, again.data(), 136, hash.data(), 64, 0);
            first.then = &second;
            ty_keccak_lanes s;
            const uint8_t *in[8] = {};
            uint8_t *out[8];
            for (unsigned i = 0; i < lanes; i++) out[i] = &room[168 * 3 * i];
            ty_keccak_lanes_absorb(&s, lanes, 168, in, 0);
            s.extra = &first;
            for (size_t block = 0; block < 3; block++) {
                if (block == 1) first.left += len - have;
                ty_keccak_lanes_squeeze(out, 1, &s);
                for (unsigned i = 0; i < lanes; i++) out[i] += 168;
                EXPECT_NE(first.out, nullptr) << "the message is not complete";
            }
            if (rng.below(2)) ty_keccak_extra_rest(&first);
            ty_keccak_extra_finish(&first);
            ASSERT_EQ(hex(hash), hex(want)) << len << " after " << have;
            ASSERT_EQ(hex(again), hex(want_again)) << len << " after " << have;
            ASSERT_EQ(ty_keccak_extra_next(&first), nullptr);
            for (unsigned i = 0; i < lanes; i++)
                ASSERT_EQ(std::memcmp(&room[168 * 3 * i], none.data(), none.size()), 0) << i;
        }
    });
}
