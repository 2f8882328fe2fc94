// Many messages at once, compared with the functions for one message: every mode and tier, any
// number of jobs, random mixes of lengths, keys and buffers, valid jobs with invalid ones. Every
// buffer ends at a guard page.
#include "support/sm4.hpp"
#include "tongyu/sm4_many.h"
#include <memory>

namespace {

// The buffers of one job: two, or one that is changed in place
struct Message {
    bool in_place;
    Guarded in, out;
    Message(const Bytes &bytes, bool same)
        : in_place(same), in(bytes.data(), bytes.size()), out(same ? 0 : bytes.size())
    {
        if (!same && !bytes.empty()) std::memset(out.data(), 0xEE, bytes.size());
    }
    uint8_t *to() { return in_place ? in.data() : out.data(); }
    Bytes result() { return Bytes(to(), to() + in.size()); }
};

struct Many : testing::Test {
    TestRng rng{77};
    std::vector<size_t> counts, lengths, aad_lengths;

    // f() on every tier, with the number of jobs and a choice of lengths that suit it
    void tiers(const std::function<void(size_t)> &f)
    {
        each_cipher_tier([&](bool slow) {
            lengths = { 0,  0,  1,   15,  16,  16,  17,  31,   32,   33,  48,
                        64, 65, 100, 250, 256, 257, 500, 1000, 1504, 2000 };
            counts = {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100};
            if (slow) {
                lengths = {0, 5, 16, 33};
                counts = {17, 33};
            }
            for (size_t n : counts) {
                SCOPED_TRACE(std::to_string(n) + " jobs");
                f(n);
            }
        });
    }
    // Where kernels are emulated, only some tests run with more than 32 jobs: the others use the
    // same kernels, and run with 17.
    void quick_tiers(const std::function<void(size_t)> &f)
    {
        tiers([&](size_t n) {
            if (counts.size() > 2 || n == 17) f(n);
        });
    }
    size_t length() { return lengths[rng.below(lengths.size())]; }
    size_t aad_length()
    {
        if (!aad_lengths.empty()) return aad_lengths[rng.below(aad_lengths.size())];
        return rng.below(4) ? rng.below(40) : length();
    }
    // n different keys, or a few that jobs share
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

// Key objects made together are byte for byte those made one by one, and nothing beyond is written.
TEST_F(Many, KeysAreTheSameAsOneByOne)
{
    each_cipher_tier([&](bool slow) {
        for (size_t n : slow ? std::vector<size_t>{0, 1, 17, 33}
                             : std::vector<size_t>{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 24,
                                                   25, 31, 32, 33, 47, 64, 65, 100}) {
            SCOPED_TRACE(std::to_string(n) + " keys");
            const Bytes bytes = rng.bytes(16 * n);
            Guarded in(bytes.data(), bytes.size());
            Guarded keys(n * sizeof(ty_sm4_key)), gcm(n * sizeof(ty_sm4_gcm_key));
            const auto key = (ty_sm4_key *)(void *)keys.data();
            const auto gcm_key = (ty_sm4_gcm_key *)(void *)gcm.data();
            std::memset(keys.data(), 0xEE, n * sizeof(ty_sm4_key));
            std::memset(gcm.data(), 0xEE, n * sizeof(ty_sm4_gcm_key));
            ty_sm4_many_init(n ? key : nullptr, n ? in.data() : nullptr, n);
            ty_sm4_many_gcm_init(n ? gcm_key : nullptr, n ? in.data() : nullptr, n);
            for (size_t i = 0; i < n; i++) {
                ty_sm4_gcm_key one;
                ty_sm4_gcm_init(&one, &bytes[16 * i]);
                ASSERT_EQ(hex(key[i].enc, 128), hex(one.sm4.enc, 128)) << i;
                ASSERT_EQ(hex(key[i].dec, 128), hex(one.sm4.dec, 128)) << i;
                ASSERT_EQ(key[i].ops, one.sm4.ops);
                ASSERT_EQ(hex(&gcm_key[i], sizeof one), hex(&one, sizeof one)) << i;
            }
        }
    });
}

#include "sm4/many_stream_cases.inc"

// Messages that are all long: every lane is busy until the shortest message ends
TEST_F(Many, LongMessagesTogether)
{
    tiers([&](size_t) {
        enum { N = 32 };
        const auto keys = this->keys(N, ty_sm4_init);
        std::vector<Bytes> in, out, ivs;
        std::vector<ty_sm4_job> jobs;
        for (size_t i = 0; i < N; i++) {
            in.push_back(rng.bytes(640 + 16 * rng.below(20)));
            out.push_back(Bytes(in[i].size()));
            ivs.push_back(rng.bytes(16));
        }
        for (size_t i = 0; i < N; i++)
            jobs.push_back({ out[i].data(), in[i].data(), in[i].size(), ivs[i].data(),
                             &keys[i % keys.size()], TY_ERR_STATE });
        const auto same = [&](const char *mode, auto f) {
            for (size_t i = 0; i < N; i++) {
                Bytes one(in[i].size());
                f(one.data(), jobs[i]);
                ASSERT_EQ(hex(out[i]), hex(one)) << mode << " " << i;
            }
        };
        ASSERT_EQ(ty_sm4_many_ctr(jobs.data(), N), TY_OK);
        same("ctr", [](uint8_t *o, ty_sm4_job &j) { ty_sm4_ctr(o, j.in, j.len, j.iv, j.key); });
        ASSERT_EQ(ty_sm4_many_ecb_encrypt(jobs.data(), N), TY_OK);
        same("ecb", [](uint8_t *o, ty_sm4_job &j) {
            EXPECT_EQ(ty_sm4_ecb_encrypt(o, j.in, j.len, j.key), TY_OK);
        });
        ASSERT_EQ(ty_sm4_many_ecb_decrypt(jobs.data(), N), TY_OK);
        same("ecb decrypt", [](uint8_t *o, ty_sm4_job &j) {
            EXPECT_EQ(ty_sm4_ecb_decrypt(o, j.in, j.len, j.key), TY_OK);
        });
    });
}

// Counters that carry beyond 32, 64 and 128 bits, within a message and between its steps. Half of
// the time all messages have one length.
TEST_F(Many, CtrCarries)
{
    tiers([&](size_t n) {
        const size_t equal = rng.below(2) ? 1 + rng.below(200) : 0;
        const auto keys = this->keys(n, ty_sm4_init);
        std::vector<Bytes> ivs(n), text(n), expected(n);
        std::vector<ty_sm4_job> jobs(n);
        for (size_t i = 0; i < n; i++) {
            ivs[i] = rng.bytes(16);
            for (size_t b = rng.below(3) * 6; b < 15; b++) ivs[i][b] = 0xff;
            ivs[i][15] = (uint8_t)(0xff - rng.below(9));
            text[i] = expected[i] = rng.bytes(equal ? equal : length());
            jobs[i] = { text[i].data(), text[i].data(),        text[i].size(),
                        ivs[i].data(),  &keys[i % keys.size()], TY_ERR_STATE };
            ty_sm4_ctr(expected[i].data(), text[i].data(), text[i].size(), ivs[i].data(),
                       jobs[i].key);
        }
        EXPECT_EQ(ty_sm4_many_ctr(jobs.data(), n), TY_OK);
        for (size_t i = 0; i < n; i++) ASSERT_EQ(hex(text[i]), hex(expected[i])) << i;
    });
}

// Both forms, encryption and decryption, units of any length; jobs of less than a block are
// refused, and the others are processed.
TEST_F(Many, XtsIsTheSameAsOneByOne)
{
    struct { const char *name; decltype(&ty_sm4_many_xts_gb_encrypt) many;
             decltype(&ty_sm4_xts_gb_encrypt) one;
    } forms[] = { { "ieee", ty_sm4_many_xts_ieee_encrypt, ty_sm4_xts_ieee_encrypt },
                  { "ieee decrypt", ty_sm4_many_xts_ieee_decrypt, ty_sm4_xts_ieee_decrypt },
                  { "gb", ty_sm4_many_xts_gb_encrypt, ty_sm4_xts_gb_encrypt },
                  { "gb decrypt", ty_sm4_many_xts_gb_decrypt, ty_sm4_xts_gb_decrypt } };
    tiers([&](size_t n) {
        for (auto &form : forms) {
            SCOPED_TRACE(form.name);
            std::vector<ty_sm4_xts_key> keys(rng.below(2) ? n : n / 7 + 1);
            for (auto &k : keys) ASSERT_EQ(ty_sm4_xts_init(&k, rng.bytes(32).data()), TY_OK);
            std::vector<std::unique_ptr<Message>> messages;
            std::vector<Bytes> tweaks(n), expected(n);
            std::vector<ty_sm4_xts_job> jobs(n);
            std::vector<ty_err> want(n);
            ty_err first = TY_OK;
            for (size_t i = 0; i < n; i++) {
                const size_t some = length(), len = rng.below(3) ? some / 16 * 16 : some;
                messages.push_back(std::make_unique<Message>(rng.bytes(len), rng.below(2)));
                Message &m = *messages[i];
                tweaks[i] = rng.bytes(16);
                jobs[i] = { m.to(), m.in.data(), len, tweaks[i].data(), &keys[i % keys.size()],
                            TY_ERR_STATE };
                expected[i] = m.result();
                want[i] = form.one(expected[i].data(), m.in.data(), len, tweaks[i].data(),
                                   jobs[i].key);
                ASSERT_EQ(want[i], len < 16 ? TY_ERR_ARG : TY_OK);
                if (first == TY_OK) first = want[i];
            }
            EXPECT_EQ(form.many(jobs.data(), n), first);
            for (size_t i = 0; i < n; i++) {
                ASSERT_EQ(jobs[i].err, want[i]);
                ASSERT_EQ(hex(messages[i]->result()), hex(expected[i]))
                    << "job " << i << ", " << jobs[i].len << " bytes";
            }
        }
    });
}

// A job whose buffers overlap partly is refused, and its output is unchanged.
TEST_F(Many, OverlapsAreRefused)
{
    const std::function<ty_err(ty_sm4_job *, size_t)> calls[] = {
        ty_sm4_many_cbc_encrypt, ty_sm4_many_ecb_encrypt, ty_sm4_many_ecb_decrypt,
        ty_sm4_many_ctr,         ty_sm4_many_cfb_decrypt,
    };
    tiers([&](size_t n) {
        if (n < 2) return;
        for (auto &call : calls) {
            const auto keys = this->keys(n, ty_sm4_init);
            const Bytes iv = rng.bytes(16);
            std::vector<Bytes> room(n), before(n);
            std::vector<ty_sm4_job> jobs(n);
            for (size_t i = 0; i < n; i++) {
                before[i] = room[i] = rng.bytes(64);
                uint8_t *p = room[i].data();
                jobs[i] = { i % 3 == 1 ? p + 1 + rng.below(47) : p, p, 48, iv.data(),
                            &keys[i % keys.size()], TY_OK };
            }
            EXPECT_EQ(call(jobs.data(), n), TY_ERR_ARG);
            for (size_t i = 0; i < n; i++) {
                ASSERT_EQ(jobs[i].err, i % 3 == 1 ? TY_ERR_ARG : TY_OK);
                ASSERT_EQ(room[i] == before[i], i % 3 == 1);
            }
        }
    });
}

TEST_F(Many, EcbRefusesBadLengthsAndDoesTheRest)
{
    tiers([&](size_t n) {
        const auto keys = this->keys(n, ty_sm4_init);
        std::vector<Bytes> in(n), out(n), expected(n);
        std::vector<ty_sm4_job> jobs(n);
        ty_err first = TY_OK;
        for (size_t i = 0; i < n; i++) {
            in[i] = rng.bytes(length());
            out[i] = expected[i] = Bytes(in[i].size(), 0x55);
            jobs[i] = { out[i].data(), in[i].data(),           in[i].size(),
                        nullptr,       &keys[i % keys.size()], TY_OK };
            const ty_err err = ty_sm4_ecb_encrypt(expected[i].data(), in[i].data(), in[i].size(),
                                                  jobs[i].key);
            if (first == TY_OK) first = err;
        }
        EXPECT_EQ(ty_sm4_many_ecb_encrypt(jobs.data(), n), first);
        for (size_t i = 0; i < n; i++) {
            ASSERT_EQ(jobs[i].err, in[i].size() % 16 ? TY_ERR_ARG : TY_OK);
            ASSERT_EQ(hex(out[i]), hex(expected[i]));
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
            jobs[i] = { out[i].data(), in[i].data(),           in[i].size(),
                        iv.data(),     &keys[i % keys.size()], TY_OK };
            if (in[i].size() % 16 == 0) {
                ASSERT_EQ(ty_sm4_cbc_encrypt(expected[i].data(), in[i].data(), in[i].size(),
                                             iv.data(), jobs[i].key),
                          TY_OK);
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
            const size_t tag_len =
                rng.below(8) ? 4 + rng.below(13) : rng.below(4) + (rng.below(2) ? 0 : 17);
            msgs.push_back(std::make_unique<Guarded>(msg.data(), msg.size()));
            tags.push_back(std::make_unique<Guarded>(Bytes(tag_len, 0x33).data(), tag_len));
            expected[i] = Bytes(tag_len, 0x33);
            jobs[i] = { tags[i]->data(),
                        tag_len,
                        msg.empty() ? nullptr : msgs[i]->data(),
                        msg.size(),
                        &keys[i % keys.size()],
                        TY_OK };
            (void)!ty_sm4_cmac_mac(expected[i].data(), tag_len, msg.data(), msg.size(),
                                   jobs[i].key);
        }
        const auto good = [&](size_t i) { return jobs[i].tag_len >= 4 && jobs[i].tag_len <= 16; };
        (void)!ty_sm4_many_cmac(jobs.data(), n);
        for (size_t i = 0; i < n; i++) {
            ASSERT_EQ(jobs[i].err, good(i) ? TY_OK : TY_ERR_ARG);
            ASSERT_EQ(hex(tags[i]->data(), jobs[i].tag_len), hex(expected[i]))
                << "job " << i << ", " << jobs[i].msg_len;
        }
        for (int forge = 0; forge < 2; forge++) {     // then every third tag is wrong
            ty_err first = TY_OK;
            std::vector<ty_err> want(n);
            for (size_t i = 0; i < n; i++) {
                want[i] = !good(i) ? TY_ERR_ARG : forge && i % 3 == 1 ? TY_ERR_VERIFY : TY_OK;
                if (want[i] == TY_ERR_VERIFY)
                    jobs[i].tag[rng.below(jobs[i].tag_len)] ^= (uint8_t)(1 << rng.below(8));
                if (first == TY_OK) first = want[i];
            }
            EXPECT_EQ(ty_sm4_many_cmac_check(jobs.data(), n), first);
            for (size_t i = 0; i < n; i++) ASSERT_EQ(jobs[i].err, want[i]);
        }
    });
}

namespace {

struct Ccm {
    using Job = ty_sm4_ccm_job;
    using Key = ty_sm4_key;
    static constexpr auto init = ty_sm4_init;
    static constexpr auto seal = ty_sm4_ccm_seal;
    static constexpr auto many_seal = ty_sm4_many_ccm_seal, many_open = ty_sm4_many_ccm_open;
    static size_t nonce_len(TestRng &rng) { return 7 + rng.below(7); }
    static size_t tag_len(TestRng &rng) { return 4 + 2 * rng.below(7); }
    static size_t bad_nonce_len(TestRng &rng) { return rng.below(2) ? 6 : 14; }
};

struct Gcm {
    using Job = ty_sm4_gcm_job;
    using Key = ty_sm4_gcm_key;
    static constexpr auto init = ty_sm4_gcm_init;
    static constexpr auto seal = ty_sm4_gcm_seal;
    static constexpr auto many_seal = ty_sm4_many_gcm_seal, many_open = ty_sm4_many_gcm_open;
    static size_t nonce_len(TestRng &rng) { return rng.below(3) ? 12 : 1 + rng.below(40); }
    static size_t tag_len(TestRng &rng) { return 12 + rng.below(5); }
    static size_t bad_nonce_len(TestRng &) { return 0; }
};

// Records that are sealed by the function for one job and by that for many, and opened by that for
// many, some of them forged.
template <class A> struct Records {
    std::vector<typename A::Key> keys;
    std::vector<Bytes> texts, aads, nonces, sealed, tags;
    std::vector<typename A::Job> jobs;
    std::vector<std::unique_ptr<Message>> messages;
    std::vector<std::unique_ptr<Guarded>> guarded_tags, guarded_aads;

    Records(size_t n, std::vector<typename A::Key> k, Many &t)
        : keys(std::move(k)), aads(n), sealed(n), tags(n), jobs(n)
    {
        TestRng &rng = t.rng;
        for (size_t i = 0; i < n; i++) {
            texts.push_back(rng.bytes(t.length()));
            aads[i] = rng.bytes(t.aad_length());
            nonces.push_back(rng.bytes(A::nonce_len(rng)));
            sealed[i].resize(texts[i].size());
            tags[i].resize(A::tag_len(rng));
            guarded_aads.push_back(std::make_unique<Guarded>(aads[i].data(), aads[i].size()));
            auto &j = jobs[i];
            j = { nullptr,          nullptr,
                  tags[i].size(),   nullptr,
                  texts[i].size(),  aads[i].empty() ? nullptr : guarded_aads[i]->data(),
                  aads[i].size(),   nonces[i].data(),
                  nonces[i].size(), &keys[rng.below(keys.size())],
                  TY_ERR_STATE };
            EXPECT_EQ(A::seal(sealed[i].data(), tags[i].data(), tags[i].size(), texts[i].data(),
                              texts[i].size(), j.aad, j.aad_len, j.nonce, j.nonce_len, j.key),
                      TY_OK);
        }
    }
    // job i gets buffers that hold `in` and `tag`
    void give(size_t i, const Bytes &in, const Bytes &tag, bool in_place)
    {
        if (i == 0) {
            messages.clear();
            guarded_tags.clear();
        }
        messages.push_back(std::make_unique<Message>(in, in_place));
        guarded_tags.push_back(std::make_unique<Guarded>(tag.data(), tag.size()));
        jobs[i].out = messages[i]->to();
        jobs[i].in = messages[i]->in.data();
        jobs[i].tag = guarded_tags[i]->data();
    }
    Bytes tag(size_t i) { return Bytes(jobs[i].tag, jobs[i].tag + tags[i].size()); }
};

template <class A> void seal_and_open(Many &t, size_t n)
{
    Records<A> r(n, t.keys(n, A::init), t);
    for (size_t i = 0; i < n; i++)
        r.give(i, r.texts[i], Bytes(r.tags[i].size(), 0x11), t.rng.below(2));
    ASSERT_EQ(A::many_seal(r.jobs.data(), n), TY_OK);
    for (size_t i = 0; i < n; i++) {
        ASSERT_EQ(r.jobs[i].err, TY_OK);
        ASSERT_EQ(hex(r.tag(i)), hex(r.tags[i]))
            << "job " << i << ", " << r.jobs[i].len << " + " << r.jobs[i].aad_len;
        ASSERT_EQ(hex(r.messages[i]->result()), hex(r.sealed[i])) << i;
    }
    for (size_t i = 0; i < n; i++) r.give(i, r.sealed[i], r.tags[i], t.rng.below(2));
    ASSERT_EQ(A::many_open(r.jobs.data(), n), TY_OK);
    for (size_t i = 0; i < n; i++) {
        ASSERT_EQ(r.jobs[i].err, TY_OK);
        ASSERT_EQ(hex(r.messages[i]->result()), hex(r.texts[i])) << i;
    }
}

// Some jobs are invalid: a flipped bit of tag, text or additional data, and, if `bad_lengths`, a
// length that is not allowed.
template <class A> void valid_and_invalid(Many &t, size_t n, bool bad_lengths = true)
{
    Records<A> r(n, t.keys(n, A::init), t);
    std::vector<ty_err> want(n);
    std::vector<Bytes> left(n);
    ty_err first = TY_OK;
    for (size_t i = 0; i < n; i++) {
        Bytes in = r.sealed[i], tag = r.tags[i];
        const uint64_t any = t.rng.below(12), kind = !bad_lengths && any > 2 ? 5 : any;
        auto flip = [&](uint8_t *p, size_t len) {
            p[t.rng.below(len)] ^= (uint8_t)(1 << t.rng.below(8));
        };
        want[i] = kind < 3 ? TY_ERR_VERIFY : TY_OK;
        if (kind == 0 || (kind == 1 && in.empty()) || (kind == 2 && r.aads[i].empty()))
            flip(tag.data(), tag.size());
        else if (kind == 1) flip(in.data(), in.size());
        else if (kind == 2) flip(r.guarded_aads[i]->data(), r.aads[i].size());
        r.give(i, in, tag, t.rng.below(2));
        left[i] = want[i] == TY_OK ? r.texts[i] : Bytes(in.size());
        if (kind == 3) {
            want[i] = TY_ERR_ARG;
            r.jobs[i].nonce_len = A::bad_nonce_len(t.rng);
            left[i] = r.messages[i]->result();    // untouched
        }
        if (kind == 4) {
            want[i] = TY_ERR_ARG;
            r.jobs[i].tag_len = 3;
            left[i] = r.messages[i]->result();
        }
        if (first == TY_OK) first = want[i];
    }
    ASSERT_EQ(A::many_open(r.jobs.data(), n), first);
    for (size_t i = 0; i < n; i++) {
        ASSERT_EQ(r.jobs[i].err, want[i]) << i;
        ASSERT_EQ(hex(r.messages[i]->result()), hex(left[i])) << "job " << i << ", " << want[i];
    }
    for (size_t i = 0; i < n; i++) {              // the same wrong lengths at seal
        r.give(i, r.texts[i], Bytes(r.tags[i].size(), 0x11), t.rng.below(2));
        left[i] = r.messages[i]->result();
    }
    first = TY_OK;
    for (size_t i = 0; i < n && first == TY_OK; i++)
        first = want[i] == TY_ERR_ARG ? TY_ERR_ARG : TY_OK;
    ASSERT_EQ(A::many_seal(r.jobs.data(), n), first);
    for (size_t i = 0; i < n; i++) {
        ASSERT_EQ(r.jobs[i].err, want[i] == TY_ERR_ARG ? TY_ERR_ARG : TY_OK);
        if (want[i] == TY_ERR_ARG) {
            ASSERT_EQ(hex(r.messages[i]->result()), hex(left[i]));
            ASSERT_EQ(hex(r.tag(i)), hex(Bytes(r.tags[i].size(), 0x11)));
        } else {
            ASSERT_EQ(hex(r.messages[i]->result()), hex(r.sealed[i]));
        }
    }
}

}   // namespace

TEST_F(Many, CcmIsTheSameAsOneByOne)
{
    quick_tiers([&](size_t n) { seal_and_open<Ccm>(*this, n); });
}
TEST_F(Many, GcmIsTheSameAsOneByOne)
{
    quick_tiers([&](size_t n) { seal_and_open<Gcm>(*this, n); });
}
TEST_F(Many, CcmValidAndInvalidJobs)
{
    quick_tiers([&](size_t n) { valid_and_invalid<Ccm>(*this, n); });
}
TEST_F(Many, GcmValidAndInvalidJobs)
{
    quick_tiers([&](size_t n) { valid_and_invalid<Gcm>(*this, n); });
}

namespace {
#include "sm4/many_aead_cases.inc"
}   // namespace

// Keys keep the tier they were made on: one call may be given keys of all tiers.
// Sixteen messages of one length are processed together only if all their keys are of one tier.
TEST_F(Many, EqualLengthsWithKeysOfTwoTiers)
{
    std::vector<ty_sm4_key> keys;
    std::vector<ty_sm4_gcm_key> gcm_keys;
    each_cipher_tier([&](bool) {
        ty_sm4_init(&keys.emplace_back(), rng.bytes(16).data());
        ty_sm4_gcm_init(&gcm_keys.emplace_back(), rng.bytes(16).data());
    });
    const size_t n = 16, len = 64;
    const Bytes iv = rng.bytes(16), text = rng.bytes(len);
    std::vector<Bytes> out(n, Bytes(len)), tags(n, Bytes(16));
    Bytes expected(len), tag(16);
    for (size_t base : { (size_t)0, keys.size() - 1 })
        for (size_t other = 0; other < keys.size(); other++) {
            std::vector<ty_sm4_job> cbc;
            std::vector<ty_sm4_gcm_job> gcm;
            for (size_t i = 0; i < n; i++) {
                const size_t k = i == 5 ? other : base;
                cbc.push_back({ out[i].data(), text.data(), len, iv.data(), &keys[k], TY_OK });
                gcm.push_back({ out[i].data(), tags[i].data(), 16, text.data(), len, nullptr, 0,
                                iv.data(), 12, &gcm_keys[k], TY_OK });
            }
            ASSERT_EQ(ty_sm4_many_cbc_encrypt(cbc.data(), n), TY_OK);
            for (size_t i = 0; i < n; i++) {
                ASSERT_EQ(ty_sm4_cbc_encrypt(expected.data(), text.data(), len, iv.data(),
                                             cbc[i].key), TY_OK);
                ASSERT_EQ(hex(out[i]), hex(expected)) << base << " " << other << " " << i;
            }
            ASSERT_EQ(ty_sm4_many_gcm_seal(gcm.data(), n), TY_OK);
            for (size_t i = 0; i < n; i++) {
                ASSERT_EQ(ty_sm4_gcm_seal(expected.data(), tag.data(), 16, text.data(), len,
                                          nullptr, 0, iv.data(), 12, gcm[i].key), TY_OK);
                ASSERT_EQ(hex(out[i]), hex(expected)) << base << " " << other << " " << i;
                ASSERT_EQ(hex(tags[i]), hex(tag)) << base << " " << other << " " << i;
            }
        }
}

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
        jobs[i] = { data[i].data(),
                    data[i].data(),
                    data[i].size(),
                    iv.data(),
                    &keys[rng.below(keys.size())],
                    TY_OK };
        ty_sm4_ofb(expected[i].data(), data[i].data(), data[i].size(), iv.data(), jobs[i].key);
    }
    ty_sm4_many_ofb(jobs.data(), n);
    for (size_t i = 0; i < n; i++) ASSERT_EQ(hex(data[i]), hex(expected[i])) << i;
    for (size_t i = 0; i < n; i++)
        ty_sm4_ctr(expected[i].data(), data[i].data(), data[i].size(), iv.data(), jobs[i].key);
    EXPECT_EQ(ty_sm4_many_ctr(jobs.data(), n), TY_OK);
    for (size_t i = 0; i < n; i++) ASSERT_EQ(hex(data[i]), hex(expected[i])) << i;
}
