// Sealed files: the format byte by byte, and every kind of change to a file.
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/box.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <numeric>

static const std::string password = "correct horse";

// The whole file: `header`, then `plain` sealed in chunks by b, which has been started
static Bytes seal_all(ty_box &b, Bytes header, const Bytes &plain)
{
    Bytes out = std::move(header);
    size_t at = 0;
    do {
        const size_t n = std::min<size_t>(TY_BOX_CHUNK, plain.size() - at);
        const bool last = at + n == plain.size();
        Guarded in(plain.data() + at, n), sealed(n + TY_BOX_TAG);
        EXPECT_EQ(ty_box_seal(&b, sealed.data(), in.data(), n, last), TY_OK);
        out.insert(out.end(), sealed.data(), sealed.data() + sealed.size());
        at += n;
    } while (at < plain.size());
    return out;
}

static Bytes seal_password(const Bytes &plain, Bytes salt = Bytes(16, 9), uint32_t iterations = 2,
                           ty_box *keep = nullptr)
{
    ty_box b;
    Bytes header(TY_BOX_HEADER_MAX);
    size_t n = header.size();
    ScriptRng script(salt);
    const ty_rng rng = script.ty();
    EXPECT_EQ(ty_box_seal_password(&b, header.data(), &n, password.data(), password.size(),
                                   iterations, &rng),
              TY_OK);
    header.resize(n);
    if (keep) *keep = b;
    return seal_all(b, header, plain);
}

static Bytes seal_scrypt(const Bytes &plain, ty_box_costs costs, Bytes salt = Bytes(16, 9))
{
    ty_box b;
    Bytes header(TY_BOX_HEADER_MAX);
    size_t n = header.size();
    ScriptRng script(salt);
    const ty_rng rng = script.ty();
    std::vector<uint64_t> memory(ty_box_scrypt_memory(costs) / 8 + 1);
    EXPECT_EQ(ty_box_seal_scrypt(&b, header.data(), &n, password.data(), password.size(), costs,
                                 memory.data(), 8 * memory.size(), &rng),
              TY_OK);
    EXPECT_EQ(
        std::count(memory.begin(), memory.begin() + (long)(ty_box_scrypt_memory(costs) / 8), 0u),
        (long)(ty_box_scrypt_memory(costs) / 8));
    header.resize(n);
    return seal_all(b, header, plain);
}

static Bytes seal_pub(const Bytes &plain, const std::vector<ty_sm2_pub> &pubs)
{
    ty_box b;
    Bytes header(TY_BOX_HEADER_MAX);
    size_t n = header.size();
    TestRng r(17);
    const ty_rng rng = r.ty();
    EXPECT_EQ(ty_box_seal_pub(&b, header.data(), &n, pubs.data(), pubs.size(), &rng), TY_OK);
    header.resize(n);
    return seal_all(b, header, plain);
}

// Opens a file as a program would, with `key` or, if it was sealed with a password, with `pw`.
// `plain` receives the chunks that were released, even if the file is bad.
static ty_err open_all(Bytes &plain, const Bytes &file, const ty_sm2_key *key = nullptr,
                       const std::string &pw = password)
{
    plain.clear();
    ty_box_info info;
    Guarded prefix(file.data(), std::min<size_t>(file.size(), TY_BOX_PREFIX));
    ty_err err = ty_box_peek(&info, prefix.data(), prefix.size());
    if (err != TY_OK) return err;
    if (file.size() < info.header_len) return TY_ERR_FORMAT;
    Guarded header(file.data(), info.header_len);
    ty_box b;
    std::vector<uint64_t> memory(info.memory / 8 + 1);
    err = info.kind == TY_BOX_SCRYPT
              ? ty_box_open_scrypt(&b, header.data(), header.size(), pw.data(), pw.size(),
                                   memory.data(), info.memory)
          : info.kind == TY_BOX_PASSWORD
              ? ty_box_open_password(&b, header.data(), header.size(), pw.data(), pw.size(), 100000)
          : key ? ty_box_open_key(&b, header.data(), header.size(), key)
                : TY_ERR_ARG;
    size_t at = info.header_len;
    for (bool last = false; err == TY_OK && !last;) {
        const size_t n = std::min<size_t>(TY_BOX_CHUNK + TY_BOX_TAG, file.size() - at);
        last = at + n == file.size();
        Guarded in(file.data() + at, n), out(n < TY_BOX_TAG ? 0 : n - TY_BOX_TAG);
        std::fill(out.data(), out.data() + out.size(), (uint8_t)0xee);
        err = ty_box_open(&b, out.data(), in.data(), n, last);
        if (err == TY_OK) plain.insert(plain.end(), out.data(), out.data() + out.size());
        EXPECT_TRUE(err != TY_ERR_VERIFY || std::all_of(out.data(), out.data() + out.size(),
                                                        [](uint8_t x) { return x == 0; }));
        if (err != TY_OK || last) {
            uint8_t unused[TY_BOX_CHUNK];
            EXPECT_EQ(ty_box_open(&b, unused, in.data(), n, last), TY_ERR_STATE);
            EXPECT_EQ(std::count((uint8_t *)&b, (uint8_t *)(&b + 1), 0), (long)sizeof b) << "wiped";
        }
        at += n;
    }
    return err;
}

static Bytes pattern(size_t n)
{
    Bytes v(n);
    for (size_t i = 0; i < n; i++) v[i] = (uint8_t)(i * 7 + (i >> 8));
    return v;
}

static ty_sm2_key make_key(uint64_t seed)
{
    TestRng r(seed);
    const ty_rng rng = r.ty();
    ty_sm2_key k;
    EXPECT_EQ(ty_sm2_keygen(&k, &rng), TY_OK);
    return k;
}

// --- the format

static Bytes count_salt() { Bytes s(16); std::iota(s.begin(), s.end(), (uint8_t)0); return s; }

TEST(BoxFormat, TheExamplesOfTheDocument)
{
    std::ifstream f(TY_TEST_FORMAT);
    ASSERT_TRUE(f) << TY_TEST_FORMAT;
    const std::string text{std::istreambuf_iterator<char>(f), {}}, open = "```hex\n";
    std::vector<Bytes> examples;
    for (size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
        at += open.size();
        examples.push_back(unhex(text.substr(at, text.find("```", at) - at)));
    }
    ASSERT_EQ(examples.size(), 3u);
    const Bytes plain[3] = {bytes("Tongyu"), {}, bytes("Tongyu")};
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(hex(i == 2 ? seal_scrypt(plain[i], {4, 1, 1}, count_salt())
                             : seal_password(plain[i], count_salt(), 1000)),
                  hex(examples[i]));
        Bytes got;
        EXPECT_EQ(open_all(got, examples[i]), TY_OK);
        EXPECT_EQ(got, plain[i]);
    }
}

TEST(BoxFormat, ThreeChunksAsTheReferenceWritesThem)
{
    const Bytes file = seal_password(pattern(2 * 65536 + 3), count_salt(), 1000);
    EXPECT_EQ(file.size(), 62u + 2 * 65536 + 3 + 3 * 16);
    uint8_t digest[32];
    ty_sm3_hash(digest, file.data(), file.size());
    EXPECT_EQ(hex(digest, 32), "a19fa91d07642c3fee14de1b5dfa6b476af9165c2559fb4ca53fdadf4e88527e");
}

TEST(BoxFormat, HeaderForPublicKeys)
{
    const ty_sm2_key a = make_key(1), c = make_key(2);
    const Bytes file = seal_pub(bytes("x"), {a.pub, c.pub});
    ASSERT_EQ(file.size(), 42u + 2 * 137 + 1 + 16);
    EXPECT_EQ(hex(file.data(), 10), "5459424f580d0a010202");
    int i = 0;
    for (const ty_sm2_key *k : {&a, &c}) {
        uint8_t id[8], digest[32], point[65], file_key[32], mac[32];
        Bytes m = bytes("tongyu box 1 recipient");
        ty_sm2_pub_get(point, &k->pub);
        m.insert(m.end(), point, point + 65);
        ty_sm3_hash(digest, m.data(), m.size());
        ty_box_recipient_id(id, &k->pub);
        EXPECT_EQ(hex(id, 8), hex(digest, 8));
        EXPECT_EQ(hex(file.data() + 10 + 137 * i, 8), hex(id, 8));
        ASSERT_EQ(ty_sm2_decrypt(file_key, file.data() + 18 + 137 * i, 129, TY_SM2_C1C3C2, k),
                  TY_OK);
        m = bytes("tongyu box 1 header");
        m.insert(m.end(), file.begin(), file.begin() + 10 + 2 * 137);
        ty_hmac_sm3_mac(mac, m.data(), m.size(), file_key, 32);
        EXPECT_EQ(hex(file.data() + 10 + 2 * 137, 32), hex(mac, 32));
        i++;
    }
}

TEST(BoxFormat, ConstantsOfTheHeaderFile)
{
    EXPECT_EQ(TY_BOX_RECIPIENT, 137);
    EXPECT_EQ(TY_BOX_HEADER_MAX, 42 + 16 * 137);
}

// --- round trips

TEST(Box, EveryLengthThatMatters)
{
    const ty_sm2_key k = make_key(3);
    for (size_t n : { 0u, 1u, 15u, 16u, 17u, 1000u, 65535u, 65536u, 65537u, 131071u, 131072u,
                      131073u, 200000u }) {
        Bytes got;
        ASSERT_EQ(open_all(got, seal_password(pattern(n))), TY_OK) << n;
        ASSERT_EQ(got, pattern(n));
        ASSERT_EQ(open_all(got, seal_pub(pattern(n), {k.pub}), &k), TY_OK) << n;
        ASSERT_EQ(got, pattern(n));
    }
}

TEST(Box, InPlace)
{
    ty_box b, o;
    const Bytes file = seal_password({}, Bytes(16, 1), 2, &b);
    ASSERT_EQ(ty_box_open_password(&o, file.data(), 62, password.data(), password.size(), 2),
              TY_OK);
    Bytes buf = pattern(TY_BOX_CHUNK);
    buf.resize(TY_BOX_CHUNK + TY_BOX_TAG);
    ASSERT_EQ(ty_box_seal(&b, buf.data(), buf.data(), TY_BOX_CHUNK, 0), TY_OK);
    ASSERT_EQ(ty_box_open(&o, buf.data(), buf.data(), buf.size(), 0), TY_OK);
    buf.resize(TY_BOX_CHUNK);
    EXPECT_EQ(buf, pattern(TY_BOX_CHUNK));
}

TEST(Box, EachOfSixteenRecipients)
{
    std::vector<ty_sm2_key> keys;
    std::vector<ty_sm2_pub> pubs;
    for (uint64_t i = 0; i < 17; i++) keys.push_back(make_key(100 + i));
    for (int i = 0; i < 16; i++) pubs.push_back(keys[(size_t)i].pub);
    const Bytes file = seal_pub(bytes("for all of you"), pubs);
    EXPECT_EQ(file.size(), (size_t)TY_BOX_HEADER_MAX + 14 + 16);
    Bytes got;
    for (size_t i = 0; i < 16; i++) {
        ASSERT_EQ(open_all(got, file, &keys[i]), TY_OK) << i;
        EXPECT_EQ(got, bytes("for all of you"));
        EXPECT_EQ(ty_box_is_for(file.data(), TY_BOX_HEADER_MAX, &keys[i].pub), 1);
    }
    EXPECT_EQ(open_all(got, file, &keys[16]), TY_ERR_KEY);
    EXPECT_EQ(ty_box_is_for(file.data(), TY_BOX_HEADER_MAX, &keys[16].pub), 0);
    EXPECT_EQ(ty_box_is_for(file.data(), TY_BOX_HEADER_MAX - 1, &keys[0].pub), 0);
}

TEST(Box, AnotherEntryWithTheSameIdentifierIsNoObstacle)
{
    const ty_sm2_key a = make_key(1), c = make_key(2);
    // the same recipient may be named twice
    Bytes file = seal_pub({}, {a.pub, a.pub, c.pub}), got;
    EXPECT_EQ(open_all(got, file, &a), TY_OK);
    // a's first entry no longer decrypts, a's second does; but the header was changed
    file[20] ^= 1;
    EXPECT_EQ(open_all(got, file, &a), TY_ERR_VERIFY);

    // The same in a file that is otherwise right, as if the identifiers of c and a were equal:
    // entries for c and a, both with the identifier of a, and the file authenticated again.
    Bytes forged = seal_pub({}, {c.pub, a.pub});
    uint8_t file_key[32], okm[32];
    ASSERT_EQ(ty_sm2_decrypt(file_key, &forged[10 + 137 + 8], 129, TY_SM2_C1C3C2, &a), TY_OK);
    std::copy_n(&forged[10 + 137], 8, &forged[10]);
    Bytes m = bytes("tongyu box 1 header");
    m.insert(m.end(), forged.begin(), forged.begin() + 10 + 2 * 137);
    ty_hmac_sm3_mac(&forged[10 + 2 * 137], m.data(), m.size(), file_key, 32);
    m = bytes("tongyu box 1 payload");
    m.insert(m.end(), forged.end() - 48, forged.end() - 16);
    ty_hmac_sm3_mac(okm, m.data(), m.size(), file_key, 32);
    uint8_t nonce[12] = {0};
    std::copy_n(okm + 16, 7, nonce);
    nonce[11] = 1;
    ty_sm4_gcm_key gcm;
    ty_sm4_gcm_init(&gcm, okm);
    forged.resize(forged.size() + 1);
    ASSERT_EQ(ty_sm4_gcm_seal(&forged[forged.size() - 17], &forged[forged.size() - 16], 16,
                              (const uint8_t *)"!", 1, nullptr, 0, nonce, 12, &gcm),
              TY_OK);
    EXPECT_EQ(open_all(got, forged, &a), TY_OK);
    EXPECT_EQ(got, bytes("!"));
    EXPECT_EQ(open_all(got, forged, &c), TY_ERR_KEY) << "c's entry has another identifier";
}

// A bit of the only entry is wrong, in its point, its hash or its text: the error is the same.
TEST(Box, DamagedEntry)
{
    const ty_sm2_key a = make_key(1);
    for (const size_t at : {18, 19, 51, 83, 115, 146}) {
        Bytes file = seal_pub({}, {a.pub}), got;
        file[at] ^= 1;
        EXPECT_EQ(open_all(got, file, &a), TY_ERR_VERIFY) << at;
    }
}

// --- changed files

TEST(Box, EveryBitOfAFileCounts)
{
    const ty_sm2_key k = make_key(4), other = make_key(5);
    Bytes got;
    const Bytes p = seal_password(bytes("Tongyu"));
    for (size_t i = 0; i < 8 * p.size(); i++) {
        Bytes m = p;
        m[i / 8] ^= (uint8_t)(1 << i % 8);
        const ty_err err = open_all(got, m);
        ASSERT_NE(err, TY_OK) << i;
        ASSERT_TRUE(got.empty());
        ASSERT_TRUE(i < 8 * 14 || err == TY_ERR_VERIFY) << i;
    }
    const Bytes s = seal_pub(bytes("Tongyu"), {other.pub, k.pub});
    for (size_t i = 0; i < s.size(); i++) {
        Bytes m = s;
        m[i] ^= (uint8_t)(1 << i % 8);
        ASSERT_NE(open_all(got, m, &k), TY_OK) << i;
        ASSERT_TRUE(got.empty());
    }
}

TEST(Box, EveryTruncationAndExtension)
{
    Bytes got;
    const Bytes small = seal_password(bytes("Tongyu"));
    for (size_t n = 0; n < small.size(); n++)
        EXPECT_NE(open_all(got, Bytes(small.begin(), small.begin() + (long)n)), TY_OK) << n;
    const Bytes plain = pattern(3 * 65536), file = seal_password(plain);
    const size_t chunk = 65552;
    for (size_t n : { 62u, 62u + 1, 62u + 15, 62u + 16, 62u + 65551, 62u + 65552, 62u + 65553,
                      62u + 65568, 62u + 2 * 65552, 62u + 3 * 65552 - 1 }) {
        EXPECT_NE(open_all(got, Bytes(file.begin(), file.begin() + (long)n)), TY_OK) << n;
        EXPECT_LE(got.size(), (n - 62) / chunk * 65536);
        EXPECT_TRUE(std::equal(got.begin(), got.end(), plain.begin()))
            << "what was released is genuine";
    }
    for (size_t extra : {1u, 15u, 16u, 17u, 65552u}) {
        Bytes m = file;
        m.insert(m.end(), file.end() - (long)std::min<size_t>(extra, 65552), file.end());
        EXPECT_NE(open_all(got, m), TY_OK) << extra;
        EXPECT_EQ(got.size(), 2u * 65536) << "the former last chunk is not released";
    }
}

TEST(Box, ChunksExchangedRepeatedLeftOutOrFromElsewhere)
{
    const Bytes file = seal_password(pattern(4 * 65536)),
                twin = seal_password(pattern(4 * 65536), Bytes(16, 8));
    const auto build = [&](const std::vector<int> &order) {
        Bytes m(file.begin(), file.begin() + 62);
        for (int i : order) {
            const Bytes &from = i < 10 ? file : twin;
            m.insert(m.end(), from.begin() + 62 + i % 10 * 65552,
                     from.begin() + 62 + (i % 10 + 1) * 65552);
        }
        return m;
    };
    Bytes got;
    ASSERT_EQ(open_all(got, build({0, 1, 2, 3})), TY_OK);
    const struct { std::vector<int> order; size_t released;
    } rows[] = {
        { { 1, 0, 2, 3 }, 0 },  { { 0, 2, 1, 3 }, 1 },    { { 0, 0, 1, 2, 3 }, 1 },
        { { 0, 1, 3 }, 2 },     { { 1, 2, 3 }, 0 },       { { 0, 1, 2 }, 2 },
        { { 3 }, 0 },           { { 0, 1, 2, 3, 3 }, 3 }, { { 0, 11, 2, 3 }, 1 },
        { { 10, 1, 2, 3 }, 0 }, { { 0, 1, 2, 13 }, 3 },   { { 0, 3, 1, 2 }, 1 },
    };
    for (const auto &r : rows) {
        EXPECT_EQ(open_all(got, build(r.order)), TY_ERR_VERIFY);
        EXPECT_EQ(got.size(), r.released * 65536);
    }
}

TEST(Box, TheDivisionIntoChunksIsUnique)
{
    // An empty last chunk after a full one: ty_box_seal does not write it, ty_box_open refuses it.
    ty_box b;
    const Bytes file = seal_password({}, Bytes(16, 9), 2, &b);
    Bytes chunk = pattern(65536), sealed(65552), none(16);
    ty_box r;
    ASSERT_EQ(ty_box_seal(&b, sealed.data(), chunk.data(), chunk.size(), 0), TY_OK);
    EXPECT_EQ(ty_box_seal(&b, none.data(), chunk.data(), 0, 1), TY_ERR_ARG);
    EXPECT_EQ(ty_box_seal(&b, none.data(), chunk.data(), 65535, 0), TY_ERR_ARG);
    EXPECT_EQ(ty_box_seal(&b, none.data(), chunk.data(), 65537, 1), TY_ERR_ARG);
    EXPECT_EQ(ty_box_seal(&b, none.data(), chunk.data(), 0, 0), TY_ERR_ARG);
    ASSERT_EQ(ty_box_open_password(&r, file.data(), 62, password.data(), password.size(), 2),
              TY_OK);
    ASSERT_EQ(ty_box_open(&r, chunk.data(), sealed.data(), sealed.size(), 0), TY_OK);
    EXPECT_EQ(ty_box_open(&r, chunk.data(), none.data(), 16, 1), TY_ERR_FORMAT);
    EXPECT_EQ(ty_box_open(&r, chunk.data(), none.data(), 16, 1), TY_ERR_STATE) << "after an error";
    for (size_t n : {0u, 15u, 65551u}) {
        ASSERT_EQ(ty_box_open_password(&r, file.data(), 62, password.data(), password.size(), 2),
                  TY_OK);
        EXPECT_EQ(ty_box_open(&r, chunk.data(), sealed.data(), n, 0), TY_ERR_FORMAT) << n;
    }
}

TEST(Box, WhenTheNumbersOfTheChunksRunOut)
{
    ty_box b, o;
    const Bytes file = seal_password({}, Bytes(16, 9), 2, &b);
    ASSERT_EQ(ty_box_open_password(&o, file.data(), 62, password.data(), password.size(), 2),
              TY_OK);
    std::memset(b.nonce + 7, 0xff, 4);   // as after 2^32 - 2 chunks
    b.nonce[10] = 0xfe;
    std::memcpy(o.nonce + 7, b.nonce + 7, 4);
    Bytes chunk = pattern(65536), sealed(65552);
    ASSERT_EQ(ty_box_seal(&b, sealed.data(), chunk.data(), chunk.size(), 0), TY_OK);
    ASSERT_EQ(ty_box_open(&o, chunk.data(), sealed.data(), sealed.size(), 0), TY_OK);
    ty_box again = b, again_o = o;
    EXPECT_EQ(ty_box_seal(&again, sealed.data(), chunk.data(), chunk.size(), 0), TY_ERR_SIZE)
        << "number 2^32 - 1 must be the last";
    EXPECT_EQ(ty_box_seal(&again, sealed.data(), chunk.data(), chunk.size(), 1), TY_ERR_STATE);
    ASSERT_EQ(ty_box_seal(&b, sealed.data(), chunk.data(), chunk.size(), 1), TY_OK);
    EXPECT_EQ(ty_box_open(&again_o, chunk.data(), sealed.data(), sealed.size(), 0), TY_ERR_SIZE);
    EXPECT_EQ(ty_box_open(&o, chunk.data(), sealed.data(), sealed.size(), 1), TY_OK);
}

// --- headers, passwords, states

TEST(Box, Passwords)
{
    Bytes got;
    const Bytes file = seal_password(bytes("x"));
    for (const char *p : { "", "correct", "correct horse ", "Correct horse" })
        EXPECT_EQ(open_all(got, file, nullptr, p), TY_ERR_VERIFY) << p;
    ty_box b;
    EXPECT_EQ(ty_box_open_password(&b, file.data(), 62, password.data(), password.size(), 1),
              TY_ERR_UNSUPPORTED)
        << "the file requires 2";
    Bytes greedy = file;
    greedy[10] = 0xff;
    EXPECT_EQ(ty_box_open_password(&b, greedy.data(), 62, password.data(), password.size(),
                                   TY_BOX_ITERATIONS_MAX),
              TY_ERR_UNSUPPORTED)
        << "at once, not after an hour";
}

// The costs of scrypt are in the header, and are checked before anything is computed.
TEST(Box, Scrypt)
{
    Bytes got;
    const Bytes file = seal_scrypt(bytes("x"), {5, 8, 2});
    ty_box_info info;
    ASSERT_EQ(ty_box_peek(&info, file.data(), TY_BOX_PREFIX), TY_OK);
    EXPECT_EQ(info.kind, TY_BOX_SCRYPT);
    EXPECT_EQ(info.header_len, 62u);
    EXPECT_EQ(info.iterations, 32u * 8 * 2);
    EXPECT_EQ(info.costs.log_n, 5);
    EXPECT_EQ(info.memory, ty_box_scrypt_memory({5, 8, 2}));
    EXPECT_GE(info.memory, 128u * 32 * 8);
    EXPECT_EQ(open_all(got, file), TY_OK);
    EXPECT_EQ(got, bytes("x"));
    for (const char *p : {"", "correct", "correct horse ", "Correct horse"})
        EXPECT_EQ(open_all(got, file, nullptr, p), TY_ERR_VERIFY) << p;
    for (size_t i = 0; i < 8 * file.size(); i++) {
        if (i / 8 >= 10 && i / 8 < 13) continue;   // the costs are tested below
        Bytes m = file;
        m[i / 8] ^= (uint8_t)(1 << i % 8);
        ASSERT_NE(open_all(got, m), TY_OK) << i;
        ASSERT_TRUE(i < 8 * 14 || open_all(got, m) == TY_ERR_VERIFY) << i;
    }
    for (const auto &row :
         std::vector<std::pair<int, Bytes>>{{TY_ERR_FORMAT, {0, 8, 1, 0}},
                                            {TY_ERR_FORMAT, {5, 0, 1, 0}},
                                            {TY_ERR_FORMAT, {5, 8, 0, 0}},
                                            {TY_ERR_FORMAT, {5, 8, 1, 1}},
                                            {TY_ERR_UNSUPPORTED, {63, 8, 1, 0}},
                                            {TY_ERR_UNSUPPORTED, {255, 255, 255, 0}},
                                            {TY_ERR_UNSUPPORTED, {21, 8, 1, 0}},
                                            {TY_ERR_UNSUPPORTED, {31, 1, 1, 0}},
                                            {TY_OK, {20, 8, 1, 0}},
                                            {TY_OK, {4, 8, 2, 0}},
                                            {TY_OK, {5, 8, 1, 0}}}) {
        Bytes m = file;
        std::copy(row.second.begin(), row.second.end(), m.begin() + 10);
        EXPECT_EQ(ty_box_peek(&info, m.data(), TY_BOX_PREFIX), row.first) << hex(row.second);
        EXPECT_LE(info.memory, TY_BOX_MEMORY_MAX);
        if (row.first == TY_OK && info.memory < 1 << 20) {
            EXPECT_EQ(open_all(got, m), TY_ERR_VERIFY);
        }
    }
    ty_box b;
    Bytes h(TY_BOX_HEADER_MAX, 0xee);
    std::vector<uint64_t> memory(1 << 13);
    TestRng r(1);
    const ty_rng rng = r.ty();
    size_t n = h.size();
    const size_t need = ty_box_scrypt_memory({5, 8, 1});
    const auto seal = [&](ty_box_costs c, size_t room) {
        return ty_box_seal_scrypt(&b, h.data(), &n, "x", 1, c, memory.data(), room, &rng);
    };
    EXPECT_EQ(seal({0, 8, 1}, need), TY_ERR_ARG);
    EXPECT_EQ(seal({21, 8, 1}, need), TY_ERR_ARG);
    EXPECT_EQ(seal({5, 8, 1}, need - 1), TY_ERR_SIZE);
    n = 61;
    EXPECT_EQ(seal({5, 8, 1}, need), TY_ERR_SIZE);
    EXPECT_EQ(n, 62u);
    EXPECT_EQ(h, Bytes(TY_BOX_HEADER_MAX, 0xee)) << "untouched";
    EXPECT_EQ(ty_box_open_scrypt(&b, file.data(), 62, "x", 1, memory.data(),
                                 ty_box_scrypt_memory({5, 8, 2}) - 1),
              TY_ERR_UNSUPPORTED);
    EXPECT_EQ(ty_box_open_password(&b, file.data(), 62, "x", 1, 100), TY_ERR_ARG);
    EXPECT_EQ(ty_box_open_scrypt(&b, file.data(), 61, "x", 1, memory.data(), 8 * memory.size()),
              TY_ERR_FORMAT);
}

TEST(Box, InvalidHeaders)
{
    const ty_sm2_key k = make_key(6);
    const Bytes p = seal_password({}), s = seal_pub({}, {k.pub});
    ty_box_info info;
    ty_box b;
    ASSERT_EQ(ty_box_peek(&info, p.data(), 14), TY_OK);
    EXPECT_EQ(info.kind, TY_BOX_PASSWORD);
    EXPECT_EQ(info.iterations, 2u);
    EXPECT_EQ(info.recipients, 0u);
    EXPECT_EQ(info.header_len, 62u);
    ASSERT_EQ(ty_box_peek(&info, s.data(), 14), TY_OK);
    EXPECT_EQ(info.kind, TY_BOX_SM2);
    EXPECT_EQ(info.iterations, 0u);
    EXPECT_EQ(info.recipients, 1u);
    EXPECT_EQ(info.header_len, 179u);
    EXPECT_EQ(ty_box_peek(&info, p.data(), 13), TY_ERR_FORMAT);
    const struct { size_t at; int value; bool pub; ty_err err;
    } rows[] = {
        {0, 't', false, TY_ERR_FORMAT},    {5, '\n', false, TY_ERR_FORMAT},
        {6, '\r', false, TY_ERR_FORMAT},   {7, 0, false, TY_ERR_UNSUPPORTED},
        {7, 2, false, TY_ERR_UNSUPPORTED}, {8, 0, false, TY_ERR_FORMAT},
        {8, 4, false, TY_ERR_FORMAT},      {8, 2, false, TY_ERR_FORMAT},
        {9, 1, false, TY_ERR_FORMAT},      {13, 0, false, TY_ERR_FORMAT},
        {8, 1, true, TY_ERR_FORMAT},       {9, 0, true, TY_ERR_FORMAT},
        {9, 17, true, TY_ERR_FORMAT},      {9, 16, true, TY_OK},
    };
    for (const auto &r : rows) {
        Bytes m = r.pub ? s : p;
        m[r.at] = (uint8_t)r.value;
        EXPECT_EQ(ty_box_peek(&info, m.data(), 14), r.err) << r.at << " " << r.value;
    }
    const auto pw = [&](const Bytes &h, size_t n) {
        return ty_box_open_password(&b, h.data(), n, "x", 1, 10);
    };
    EXPECT_EQ(pw(s, 179), TY_ERR_ARG);
    EXPECT_EQ(ty_box_open_key(&b, p.data(), 62, &k), TY_ERR_ARG);
    for (size_t n : {0u, 13u, 61u, 63u}) EXPECT_EQ(pw(p, n), TY_ERR_FORMAT) << n;
    for (size_t n : { 14u, 178u, 180u })
        EXPECT_EQ(ty_box_open_key(&b, s.data(), n, &k), TY_ERR_FORMAT) << n;
}

TEST(Box, ArgumentsAndRoom)
{
    const ty_sm2_key k = make_key(7);
    std::vector<ty_sm2_pub> pubs(17, k.pub);
    ty_box b;
    Bytes h(TY_BOX_HEADER_MAX, 0xee);
    TestRng r(1);
    const ty_rng rng = r.ty();
    size_t n = h.size();
    EXPECT_EQ(ty_box_seal_password(&b, h.data(), &n, "x", 1, 0, &rng), TY_ERR_ARG);
    n = 61;
    EXPECT_EQ(ty_box_seal_password(&b, h.data(), &n, "x", 1, 1, &rng), TY_ERR_SIZE);
    EXPECT_EQ(n, 62u);
    for (size_t count : { 0u, 17u })
        EXPECT_EQ(ty_box_seal_pub(&b, h.data(), &n, pubs.data(), count, &rng), TY_ERR_ARG);
    n = 178;
    EXPECT_EQ(ty_box_seal_pub(&b, h.data(), &n, pubs.data(), 1, &rng), TY_ERR_SIZE);
    EXPECT_EQ(n, 179u);
    EXPECT_EQ(h, Bytes(TY_BOX_HEADER_MAX, 0xee)) << "untouched";
    uint8_t out[32] = {0};
    EXPECT_EQ(ty_box_seal(&b, out, out, 1, 1), TY_ERR_STATE) << "not started";
    EXPECT_EQ(ty_box_open(&b, out, out, 17, 1), TY_ERR_STATE);
    const Bytes file = seal_password({}, Bytes(16, 9), 2, &b);
    EXPECT_EQ(ty_box_open(&b, out, out, 17, 1), TY_ERR_STATE) << "a box for sealing does not open";
    EXPECT_EQ(ty_box_seal(&b, out, out, 1, 1), TY_OK);
    EXPECT_EQ(ty_box_seal(&b, out, out, 1, 1), TY_ERR_STATE) << "after the last chunk";
    ASSERT_EQ(ty_box_open_password(&b, file.data(), 62, password.data(), password.size(), 2),
              TY_OK);
    EXPECT_EQ(ty_box_seal(&b, out, out, 1, 1), TY_ERR_STATE);
}
