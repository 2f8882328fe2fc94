// SM3: the standard's examples, shared vectors, every length and chunking, the kernels of every
// tier, and many messages at once.
extern "C" {
#include "base/bytes.h"
}
#include "sm3/reference.hpp"
#include "support/full.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include "tongyu/sm3.h"
#include <deque>

using Ops = ty_sm3_ops;

static Bytes hash(const Bytes &m)
{
    Bytes out(TY_SM3_LEN);
    ty_sm3_hash(out.data(), m.data(), m.size());
    return out;
}

static Bytes finish(ty_sm3 c)   // of a copy: the caller's state is unchanged
{
    Bytes out(TY_SM3_LEN);
    ty_sm3_final(out.data(), &c);
    return out;
}

// GB/T 32905-2016, appendix A
static const char A1[] = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";
static const char A2[] = "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732";

TEST(Sm3, StandardExamples)
{
    Bytes abcd16;
    for (int i = 0; i < 16; i++) for (char c : {'a', 'b', 'c', 'd'}) abcd16.push_back((uint8_t)c);
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *, const char *tier) {
        UseSm3Tier use(tier);
        EXPECT_EQ(hex(hash(bytes("abc"))), A1);
        EXPECT_EQ(hex(hash(abcd16)), A2);
    });
    EXPECT_EQ(hex(reference::sm3(bytes("abc"))), A1)
        << "the reference must agree with the standard too";
    EXPECT_EQ(hex(reference::sm3(abcd16)), A2);
}

TEST(Sm3, SharedVectors)
{
    const auto file = load_vectors("sm3.json");
    if (!file) GTEST_SKIP() << "no vector files";
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *, const char *tier) {
        UseSm3Tier use(tier);
        int published = 0, differential = 0;
        for (const Json &v : file->at("published"))
            if (v.at("alg") == "SM3") {
                published++;
                EXPECT_EQ(hash(field(v, "msg")), field(v, "md"));
            }
        for (const Json &v : file->at("differential"))
            if (v.at("alg") == "SM3") {
                differential++;
                EXPECT_EQ(hash(field(v, "msg")), field(v, "md"));
            }
        EXPECT_EQ(published, 2);
        EXPECT_EQ(differential, 76);
    });
}

// The kernel itself: up to nine blocks between unmapped pages, and blocks at every alignment, from
// random chaining values and from zero.
TEST(Sm3, BlocksAgainstTheDefinition)
{
    TestRng rng(1);
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *ops, const char *) {
        for (size_t n = 0; n <= 9; n++) {
            for (auto side : {Guarded::End, Guarded::Start}) {
                Guarded in(64 * n, side);
                rng.fill(in.data(), in.size());
                uint32_t got[8], want[8];
                for (int i = 0; i < 8; i++) got[i] = want[i] = (uint32_t)rng.next();
                ops->blocks(got, in.data(), n);
                for (size_t i = 0; i < n; i++) reference::compress(want, in.data() + 64 * i);
                for (int i = 0; i < 8; i++)
                    ASSERT_EQ(got[i], want[i]) << n << " blocks, word " << i;
            }
        }
        for (size_t shift = 1; shift < 64; shift++) {
            Bytes in = rng.bytes(64 * 3 + shift);
            uint32_t got[8] = {0}, want[8] = {0};
            ops->blocks(got, in.data() + shift, 3);
            for (int i = 0; i < 3; i++) reference::compress(want, in.data() + shift + 64 * i);
            for (int i = 0; i < 8; i++) ASSERT_EQ(got[i], want[i]) << "misaligned by " << shift;
        }
    });
}

// Extreme words: chaining values of zeros, ones and single bits, and blocks of ones, of zeros, and
// with a single bit at each place.
TEST(Sm3, BlocksAtTheEdges)
{
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *ops, const char *) {
        for (uint32_t state : {0u, 0xffffffffu, 0x80000000u, 1u}) {
            for (int bit = -2; bit < 512; bit++) {
                uint8_t in[64];
                std::memset(in, bit == -2 ? 0xff : 0, sizeof in);
                if (bit >= 0) in[bit / 8] = (uint8_t)(0x80 >> bit % 8);
                uint32_t got[8], want[8];
                for (int i = 0; i < 8; i++) got[i] = want[i] = state;
                ops->blocks(got, in, 1);
                reference::compress(want, in);
                ASSERT_EQ(std::memcmp(got, want, sizeof got), 0)
                    << "state " << state << " bit " << bit;
            }
        }
    });
}

TEST(Sm3, EveryLength)
{
    TestRng rng(2);
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *, const char *tier) {
        UseSm3Tier use(tier);
        for (size_t n = 0; n <= 600; n++) {
            const Bytes m = rng.bytes(n), want = reference::sm3(m);
            for (auto side : {Guarded::End, Guarded::Start}) {
                Guarded in(m.data(), n, side), out(TY_SM3_LEN, side);
                ty_sm3_hash(out.data(), in.data(), n);
                ASSERT_EQ(hex(out.data(), out.size()), hex(want)) << n << " bytes";
            }
        }
    });
    EXPECT_EQ(hash({}), reference::sm3({})) << "NULL and no bytes";
}

// One cut at every place of messages of up to 200 bytes, then chunks of one fixed size, then random
// chunks.
TEST(Sm3, EveryChunking)
{
    TestRng rng(3);
    const Bytes m = rng.bytes(300);
    ty_sm3 c;
    for (size_t n = 0; n <= 200; n++) {
        const Bytes want = reference::sm3(Bytes(m.begin(), m.begin() + (long)n));
        for (size_t cut = 0; cut <= n; cut++) {
            ty_sm3_init(&c);
            ty_sm3_update(&c, m.data(), cut);
            ty_sm3_update(&c, m.data() + cut, n - cut);
            ASSERT_EQ(finish(c), want) << n << " cut at " << cut;
        }
    }
    const Bytes want = reference::sm3(m);
    for (size_t step = 1; step <= 130; step++) {
        ty_sm3_init(&c);
        for (size_t i = 0; i < m.size(); i += step)
            ty_sm3_update(&c, &m[i], std::min(step, m.size() - i));
        ASSERT_EQ(finish(c), want) << "steps of " << step;
    }
    for (int round = 0; round < 200; round++) {
        ty_sm3_init(&c);
        for (size_t i = 0; i < m.size();) {
            // a chunk may be empty
            const size_t n = rng.below(std::min<size_t>(150, m.size() - i) + 1);
            ty_sm3_update(&c, &m[i], n);
            i += n;
        }
        ASSERT_EQ(finish(c), want) << "random chunks, round " << round;
    }
}

TEST(Sm3, ACopiedStateIsIndependent)
{
    TestRng rng(4);
    for (size_t n : {0u, 1u, 63u, 64u, 65u, 127u, 128u, 200u}) {
        const Bytes head = rng.bytes(n), left = rng.bytes(77), right = rng.bytes(130);
        ty_sm3 a, b;
        ty_sm3_init(&a);
        ty_sm3_update(&a, head.data(), n);
        b = a;
        EXPECT_EQ(finish(a), reference::sm3(head)) << "the digest of the message so far";
        ty_sm3_update(&a, left.data(), left.size());
        ty_sm3_update(&b, right.data(), right.size());
        EXPECT_EQ(finish(a), reference::sm3(reference::join(head, left)));
        EXPECT_EQ(finish(b), reference::sm3(reference::join(head, right)));
    }
}

TEST(Sm3, FinalWipesTheState)
{
    ty_sm3 c;
    uint8_t out[TY_SM3_LEN];
    for (size_t n : {0u, 3u, 55u, 56u, 63u, 64u, 100u}) {
        const Bytes m(n, 0xA5);
        ty_sm3_init(&c);
        ty_sm3_update(&c, m.data(), n);
        ty_sm3_final(out, &c);
        for (size_t i = 0; i < sizeof c; i++)
            ASSERT_EQ(((uint8_t *)&c)[i], 0) << n << " bytes, offset " << i;
    }
}

TEST(Sm3, OutputMayOverlapTheMessage)
{
    TestRng rng(5);
    for (size_t n : {32u, 64u, 100u, 200u}) {
        Bytes m = rng.bytes(n);
        const Bytes want = reference::sm3(m);
        ty_sm3_hash(m.data(), m.data(), n);
        EXPECT_EQ(hex(m.data(), TY_SM3_LEN), hex(want)) << n;
    }
}

// The length in bits exceeds 32 bits from 512 MiB on. Only the full tests hash that much; here a
// state is set to a length just below, which tests the same carry.
TEST(Sm3, TheLengthIsCountedIn64Bits)
{
    ty_sm3 c;
    const Bytes m(64, 0x5a);
    uint32_t want[8];
    ty_sm3_init(&c);
    // as if 2^23 - 1 blocks had led back to the initial value
    c.len = ((uint64_t)1 << 29) - 64;
    std::memcpy(want, c.h, sizeof want);
    ty_sm3_update(&c, m.data(), m.size());
    reference::compress(want, m.data());
    uint8_t last[64] = {0x80};
    last[59] = 1;   // 2^29 bytes = 2^32 bits
    reference::compress(want, last);
    const Bytes got = finish(c);
    for (int i = 0; i < 8; i++) EXPECT_EQ(ty_get32be(&got[4 * i]), want[i]);
    ty_sm3_init(&c);
    c.len = ((uint64_t)1 << 61) - 64;   // the most whole blocks that the standard allows
    EXPECT_NE(finish(c), got);
}

TEST(Sm3, MoreThan512MegabytesInPieces)
{
    if (!full()) GTEST_SKIP() << "in the full tests";
    ty_sm3 c;
    const Bytes chunk(1 << 20, 'a');
    ty_sm3_init(&c);
    for (int i = 0; i < 513; i++) ty_sm3_update(&c, chunk.data(), chunk.size());
    Bytes whole;
    for (int i = 0; i < 513; i++) whole.insert(whole.end(), chunk.begin(), chunk.end());
    EXPECT_EQ(finish(c), reference::sm3(whole));
}

TEST(Sm3, SizesAreAsDocumented)
{
    EXPECT_EQ(sizeof(ty_sm3), 104u);
    EXPECT_EQ(sizeof(ty_hmac_sm3), 312u);
}

// --- Many messages at once ---

static bool slow_tier(const char *name)
{
    for (const ty_tier *t = ty_sm3_tiers; t->name; t++)
        if (std::string(t->name) == name) return slow_row(ty_sm3_tiers, t);
    return false;
}

// The kernel: every lane has its own state and its own blocks, which are next to an unmapped page.
TEST(Sm3Many, LanesAgainstTheDefinition)
{
    TestRng rng(6);
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *ops, const char *) {
        for (size_t n = 0; n <= 3 && ops->lanes; n++) {
            ty_sm3_lanes l;
            std::deque<Guarded> in;
            uint32_t want[TY_SM3_LANES][8];
            for (size_t i = 0; i < ops->lanes; i++) {
                in.emplace_back(64 * n, i % 2 ? Guarded::Start : Guarded::End);
                rng.fill(in[i].data(), in[i].size());
                l.in[i] = in[i].data();
                for (int k = 0; k < 8; k++)
                    l.h[k][i] = want[i][k] = i == 1 ? 0xffffffffu : (uint32_t)rng.next();
                for (size_t b = 0; b < n; b++) reference::compress(want[i], in[i].data() + 64 * b);
            }
            ops->step(&l, n);
            for (size_t i = 0; i < ops->lanes; i++)
                for (int k = 0; k < 8; k++)
                    ASSERT_EQ(l.h[k][i], want[i][k])
                        << n << " blocks, lane " << i << ", word " << k;
        }
    });
}

// One lane has a block with a single bit, at each place; the blocks of the others are all ones.
TEST(Sm3Many, LanesAtTheEdges)
{
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *ops, const char *name) {
        uint8_t in[TY_SM3_LANES][64];
        for (int bit = 0; bit < 512 && ops->lanes; bit += slow_tier(name) ? 37 : 1) {
            ty_sm3_lanes l;
            const size_t lane = (size_t)bit % ops->lanes;
            for (size_t i = 0; i < ops->lanes; i++) {
                std::memset(in[i], i == lane ? 0 : 0xff, 64);
                l.in[i] = in[i];
                for (int k = 0; k < 8; k++) l.h[k][i] = bit % 2 ? 0xffffffffu : 0;
            }
            in[lane][bit / 8] = (uint8_t)(0x80 >> bit % 8);
            ops->step(&l, 1);
            for (size_t i = 0; i < ops->lanes; i++) {
                uint32_t want[8];
                std::fill(want, want + 8, bit % 2 ? 0xffffffffu : 0);
                reference::compress(want, in[i]);
                for (int k = 0; k < 8; k++)
                    ASSERT_EQ(l.h[k][i], want[k]) << "bit " << bit << ", lane " << i;
            }
        }
    });
}

// Hashes random messages of these lengths in one call; with_heads: each after 32 bytes of its own
static void many_of(const std::vector<size_t> &lengths, TestRng &rng, bool with_heads = false)
{
    std::deque<Guarded> in, out;
    std::vector<ty_sm3_job> jobs;
    for (size_t n : lengths) {
        const Bytes m = rng.bytes(n);
        in.emplace_back(m.data(), n, n % 2 ? Guarded::Start : Guarded::End);
        out.emplace_back((size_t)TY_SM3_LEN, n % 3 ? Guarded::Start : Guarded::End);
    }
    for (size_t i = 0; i < in.size(); i++)
        jobs.push_back({ out[i].data(), in[i].data(), in[i].size() });
    const Bytes heads = rng.bytes(32 * in.size());
    if (with_heads)
        ty_sm3_many_behind(jobs.data(), reinterpret_cast<const uint8_t(*)[32]>(heads.data()),
                           jobs.size());
    else ty_sm3_many_hash(jobs.data(), jobs.size());
    for (size_t i = 0; i < in.size(); i++) {
        Bytes m(in[i].data(), in[i].data() + in[i].size());
        if (with_heads)
            m.insert(m.begin(), heads.begin() + (long)(32 * i),
                     heads.begin() + (long)(32 * i + 32));
        ASSERT_EQ(hex(out[i].data(), TY_SM3_LEN), hex(reference::sm3(m)))
            << "message " << i << " of " << in.size() << ", " << lengths[i] << " bytes"
            << (with_heads ? " after 32" : "");
    }
}

TEST(Sm3Many, AnyNumberOfAnyLengths)
{
    TestRng rng(7);
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *, const char *tier) {
        const bool slow = slow_tier(tier);
        UseSm3Tier use(tier);
        ty_sm3_many_hash(nullptr, 0);
        for (size_t n : slow ? std::vector<size_t>{ 1, 3, 40 }
                             : std::vector<size_t>{ 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 40 }) {
            std::vector<size_t> like(n, 100), mixed, falling;
            for (size_t i = 0; i < n; i++) {
                mixed.push_back(rng.below(i % 3 ? 130 : 700));
                falling.push_back(i % 5 ? 64 * (n - i) - i % 2 : 0);
            }
            many_of(mixed, rng, n % 2);
            if (slow) continue;
            many_of(mixed, rng, n % 2 == 0);
            many_of(like, rng);
            many_of(falling, rng);
        }
        std::vector<size_t> every;
        for (size_t n = 0; n <= (slow ? 70u : 260u); n++) every.push_back(n);
        many_of(every, rng);
        if (!slow) many_of(every, rng, true);
    });
}

// Groups of messages of one length, and a message that follows a group: ends of one block and of
// two, and ends that are padding alone.
TEST(Sm3Many, EqualLengths)
{
    TestRng rng(11);
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *, const char *tier) {
        UseSm3Tier use(tier);
        const bool slow = slow_tier(tier);
        for (size_t len : slow ? std::vector<size_t>{ 0, 56, 64 }
                               : std::vector<size_t>{ 0, 1, 32, 55, 56, 63, 64, 65, 119, 120, 128 })
            for (size_t n : slow ? std::vector<size_t>{ 17 } : std::vector<size_t>{ 16, 17, 40 })
                many_of(std::vector<size_t>(n, len), rng);
    });
}

TEST(Sm3Many, EmptyMessagesAndOutputsInPlace)
{
    TestRng rng(8);
    std::vector<Bytes> m;
    std::vector<Bytes> want;
    std::vector<ty_sm3_job> jobs;
    uint8_t none[5][TY_SM3_LEN];
    for (size_t i = 0; i < 12; i++) m.push_back(rng.bytes(32 + 20 * i));
    for (auto &x : m) {
        want.push_back(reference::sm3(x));
        jobs.push_back({x.data(), x.data(), x.size()});
    }
    for (auto &x : none) jobs.push_back({x, nullptr, 0});
    ty_sm3_many_hash(jobs.data(), jobs.size());
    for (size_t i = 0; i < m.size(); i++)
        EXPECT_EQ(hex(m[i].data(), TY_SM3_LEN), hex(want[i])) << i;
    for (auto &x : none) EXPECT_EQ(hex(x, TY_SM3_LEN), hex(reference::sm3({})));
}

// Many messages under one key, compared with the function for one message. A message that was begun
// with the key object is ignored.
TEST(Sm3Many, Hmac)
{
    TestRng rng(10);
    for_each_tier<Ops>(ty_sm3_tiers, [&](const Ops *, const char *tier) {
        UseSm3Tier use(tier);
        for (size_t n : slow_tier(tier) ? std::vector<size_t>{1, 20}
                                        : std::vector<size_t>{1, 2, 3, 31, 32, 33, 70}) {
            const Bytes key = rng.bytes(n % 3 ? 16 : 100);
            std::vector<Bytes> in(n);
            std::vector<std::array<uint8_t, TY_SM3_LEN>> out(n);
            std::vector<ty_sm3_job> jobs;
            for (size_t i = 0; i < n; i++) {
                in[i] = rng.bytes(i % 4 == 3 ? 10 * i : 50 + i % 10);
                jobs.push_back({out[i].data(), in[i].data(), in[i].size()});
            }
            ty_hmac_sm3 c;
            ty_hmac_sm3_init(&c, key.data(), key.size());
            ty_hmac_sm3_update(&c, key.data(), 1);
            ty_sm3_many_hmac(jobs.data(), n, &c);
            for (size_t i = 0; i < n; i++) {
                uint8_t want[TY_SM3_LEN];
                ty_hmac_sm3_mac(want, in[i].data(), in[i].size(), key.data(), key.size());
                ASSERT_EQ(hex(out[i].data(), TY_SM3_LEN), hex(want, TY_SM3_LEN))
                    << i << " of " << n << ", " << tier;
            }
        }
    });
}

// Of two long messages among short ones, the longer continues alone, and its length in bits is
// still right.
TEST(Sm3Many, LongMessagesAmongShortOnes)
{
    TestRng rng(9);
    std::vector<size_t> lengths(20, 10);
    lengths[3] = 20000;
    lengths[11] = 5000;
    many_of(lengths, rng);
}
