// Many messages at once against the functions for one message: every mode and tier, any number of jobs, random mixes of
// lengths, keys and buffers, good jobs beside bad ones. Every buffer ends at a guard page.
#include "support/sm4.hpp"
#include "tongyu/sm4_many.h"
#include <memory>

namespace {

// A message of one job: apart or in place, and what the output must be
struct Message {
    bool in_place;
    Guarded in, out;
    Message(const Bytes &bytes, bool same) : in_place(same), in(bytes.data(), bytes.size()), out(same ? 0 : bytes.size())
    {
        if (!same && !bytes.empty()) std::memset(out.data(), 0xEE, bytes.size());
    }
    uint8_t *to() { return in_place ? in.data() : out.data(); }
    Bytes result() { return Bytes(to(), to() + in.size()); }
};

struct Many : testing::Test {
    TestRng rng{77};
    std::vector<size_t> counts, lengths;

    // f() on every tier, with the number of jobs and a choice of lengths that suit it
    void tiers(const std::function<void(size_t)> &f)
    {
        each_cipher_tier([&](bool slow) {
            lengths = {0, 0, 1, 15, 16, 16, 17, 31, 32, 33, 48, 64, 65, 100, 250, 256, 257, 500, 1000, 1504, 2000};
            counts = {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 100};
            if (slow) {
                lengths = {0, 1, 16, 17, 33, 48};
                counts = {1, 2, 5, 17, 34};
            }
            for (size_t n : counts) {
                SCOPED_TRACE(std::to_string(n) + " jobs");
                f(n);
            }
        });
    }
    size_t length() { return lengths[rng.below(lengths.size())]; }
    // keys: each its own, or from a choice of a few
    template <class Key> std::vector<Key> keys(size_t n, void (*init)(Key *, const uint8_t *))
    {
        const size_t different = rng.below(2) ? n : n / 7 + 1;
        std::vector<Key> all(different);
        for (Key &k : all) init(&k, rng.bytes(16).data());
        return all;
    }
};

using Streams = std::function<void(ty_sm4_job *, size_t)>;
using Stream = std::function<void(uint8_t *, const ty_sm4_job &)>;

}   // namespace

TEST_F(Many, StreamsAreTheSameAsOneByOne)
{
    struct { const char *name; bool whole; Streams many; Stream one; } modes[] = {
        {"cbc", true, [](auto *j, size_t n) { EXPECT_EQ(ty_sm4_many_cbc_encrypt(j, n), TY_OK); },
         [](auto *out, auto &j) { EXPECT_EQ(ty_sm4_cbc_encrypt(out, j.in, j.len, j.iv, j.key), TY_OK); }},
        {"cfb", false, ty_sm4_many_cfb_encrypt, [](auto *out, auto &j) { ty_sm4_cfb_encrypt(out, j.in, j.len, j.iv, j.key); }},
        {"ofb", false, ty_sm4_many_ofb, [](auto *out, auto &j) { ty_sm4_ofb(out, j.in, j.len, j.iv, j.key); }},
    };
    tiers([&](size_t n) {
        for (auto &mode : modes) {
            SCOPED_TRACE(mode.name);
            const auto keys = this->keys(n, ty_sm4_init);
            std::vector<std::unique_ptr<Message>> messages;
            std::vector<Bytes> ivs(n), expected(n);
            std::vector<ty_sm4_job> jobs(n);
            for (size_t i = 0; i < n; i++) {
                const size_t len = mode.whole ? length() / 16 * 16 : length();
                messages.push_back(std::make_unique<Message>(rng.bytes(len), rng.below(2)));
                Message &m = *messages[i];
                ivs[i] = rng.bytes(16);
                jobs[i] = {m.to(), m.in.data(), len, ivs[i].data(), &keys[rng.below(keys.size())], TY_ERR_STATE};
                expected[i].resize(len);
                mode.one(expected[i].data(), jobs[i]);
            }
            mode.many(jobs.data(), n);
            for (size_t i = 0; i < n; i++) {
                ASSERT_EQ(jobs[i].err, TY_OK);
                ASSERT_EQ(hex(messages[i]->result()), hex(expected[i])) << "job " << i << ", " << jobs[i].len << " bytes";
            }
        }
    });
}

TEST_F(Many, CbcRefusesBadLengthsAndDoesTheRest)
{
    tiers([&](size_t n) {
        const auto keys = this->keys(n, ty_sm4_init);
        const Bytes iv = rng.bytes(16);
        std::vector<Bytes> in(n), out(n), expected(n);
        std::vector<ty_sm4_job> jobs(n);
        bool bad = false;
        for (size_t i = 0; i < n; i++) {
            in[i] = rng.bytes(length());
            out[i] = expected[i] = Bytes(in[i].size(), 0x55);
            jobs[i] = {out[i].data(), in[i].data(), in[i].size(), iv.data(), &keys[i % keys.size()], TY_OK};
            if (in[i].size() % 16 == 0) {
                ASSERT_EQ(ty_sm4_cbc_encrypt(expected[i].data(), in[i].data(), in[i].size(), iv.data(), jobs[i].key), TY_OK);
            }
        }
        const ty_err err = ty_sm4_many_cbc_encrypt(jobs.data(), n);
        for (size_t i = 0; i < n; i++) {
            ASSERT_EQ(jobs[i].err, in[i].size() % 16 ? TY_ERR_ARG : TY_OK);
            ASSERT_EQ(hex(out[i]), hex(expected[i]));
            bad |= in[i].size() % 16 != 0;
        }
        EXPECT_EQ(err, bad ? TY_ERR_ARG : TY_OK);
    });
}

TEST_F(Many, CmacIsTheSameAsOneByOne)
{
    tiers([&](size_t n) {
        const auto keys = this->keys(n, ty_sm4_cmac_init);
        std::vector<std::unique_ptr<Guarded>> msgs, tags;
        std::vector<Bytes> expected(n);
        std::vector<ty_sm4_cmac_job> jobs(n);
        for (size_t i = 0; i < n; i++) {
            const Bytes msg = rng.bytes(length());
            const size_t tag_len = rng.below(8) ? 4 + rng.below(13) : rng.below(4) + (rng.below(2) ? 0 : 17);
            msgs.push_back(std::make_unique<Guarded>(msg.data(), msg.size()));
            tags.push_back(std::make_unique<Guarded>(Bytes(tag_len, 0x33).data(), tag_len));
            expected[i] = Bytes(tag_len, 0x33);
            jobs[i] = {tags[i]->data(), tag_len, msg.empty() ? nullptr : msgs[i]->data(), msg.size(), &keys[i % keys.size()], TY_OK};
            (void)!ty_sm4_cmac_mac(expected[i].data(), tag_len, msg.data(), msg.size(), jobs[i].key);
        }
        const auto good = [&](size_t i) { return jobs[i].tag_len >= 4 && jobs[i].tag_len <= 16; };
        (void)!ty_sm4_many_cmac(jobs.data(), n);
        for (size_t i = 0; i < n; i++) {
            ASSERT_EQ(jobs[i].err, good(i) ? TY_OK : TY_ERR_ARG);
            ASSERT_EQ(hex(tags[i]->data(), jobs[i].tag_len), hex(expected[i])) << "job " << i << ", " << jobs[i].msg_len;
        }
        for (int forge = 0; forge < 2; forge++) {     // then every third tag is wrong
            ty_err first = TY_OK;
            std::vector<ty_err> want(n);
            for (size_t i = 0; i < n; i++) {
                want[i] = !good(i) ? TY_ERR_ARG : forge && i % 3 == 1 ? TY_ERR_VERIFY : TY_OK;
                if (want[i] == TY_ERR_VERIFY) jobs[i].tag[rng.below(jobs[i].tag_len)] ^= (uint8_t)(1 << rng.below(8));
                if (first == TY_OK) first = want[i];
            }
            EXPECT_EQ(ty_sm4_many_cmac_check(jobs.data(), n), first);
            for (size_t i = 0; i < n; i++) ASSERT_EQ(jobs[i].err, want[i]);
        }
    });
}

// Keys keep the tier they were made on: one call may meet all of them.
TEST_F(Many, KeysOfSeveralTiers)
{
    std::vector<ty_sm4_key> keys;
    each_cipher_tier([&](bool) {
        keys.emplace_back();
        ty_sm4_init(&keys.back(), rng.bytes(16).data());
    });
    const size_t n = 90;
    std::vector<Bytes> data(n), expected(n);
    std::vector<ty_sm4_job> jobs(n);
    const Bytes iv = rng.bytes(16);
    for (size_t i = 0; i < n; i++) {
        data[i] = rng.bytes(rng.below(120));
        expected[i] = data[i];
        jobs[i] = {data[i].data(), data[i].data(), data[i].size(), iv.data(), &keys[rng.below(keys.size())], TY_OK};
        ty_sm4_ofb(expected[i].data(), data[i].data(), data[i].size(), iv.data(), jobs[i].key);
    }
    ty_sm4_many_ofb(jobs.data(), n);
    for (size_t i = 0; i < n; i++) ASSERT_EQ(hex(data[i]), hex(expected[i])) << i;
}
