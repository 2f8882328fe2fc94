// Shared points, encryptions and decryptions of many jobs: each result is that of the single call,
// and an error in one job does not affect the others.
#include "sm2/sm2_support.hpp"
#include "tongyu/sm2_many.h"
#include <algorithm>

namespace {

// 0 and 1, around the ends of groups of eight, and more than 16 and 32
const size_t COUNTS[] = {0, 1, 2, 3, 7, 8, 9, 17, 33};
// GB/T 32918.5-2017, C.2
const char D[] = "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8";

bool skipped(size_t n) { return tier_is_slow() && n != 0 && n != 2 && n != 9; }

struct Sm2Points : testing::Test {
    TestRng r{61};
    ty_rng rng = r.ty();
    std::vector<ty_sm2_key> keys = std::vector<ty_sm2_key>(34);
    ty_sm2_pub off, zero = {};
    ty_sm2_key unset = {};
    void SetUp() override
    {
        for (ty_sm2_key &k : keys) ASSERT_EQ(ty_sm2_keygen(&k, &rng), TY_OK);
        off = keys[0].pub;
        off.y[31] ^= 1;
        unset.pub = keys[0].pub;
    }
};

// --- Shared points -------------------------------------------------------------------------------

struct Ecdh {
    std::vector<Bytes> out;
    std::vector<ty_sm2_ecdh_job> jobs;
    Ecdh(const std::vector<ty_sm2_key> &keys, size_t n) : out(n, Bytes(32, 0xAA)), jobs(n)
    {
        for (size_t i = 0; i < n; i++)
            jobs[i] = { out[i].data(), &keys[i + 1].pub, &keys[i / 2], TY_ERR_IO };
    }
    ty_err run() { return ty_sm2_many_ecdh(jobs.data(), jobs.size()); }
};

TEST_F(Sm2Points, EcdhEqualsSingleCalls)
{
    each_tier([&] {
        for (size_t n : COUNTS) {
            if (skipped(n)) continue;
            Ecdh e(keys, n);
            EXPECT_EQ(e.run(), TY_OK);
            for (size_t i = 0; i < n; i++) {
                Bytes want(32);
                ASSERT_EQ(ty_sm2_ecdh(want.data(), e.jobs[i].pub, e.jobs[i].key), TY_OK);
                EXPECT_EQ(e.jobs[i].err, TY_OK);
                EXPECT_EQ(e.out[i], want) << i << " of " << n;
            }
        }
    });
}

TEST_F(Sm2Points, OneWrongEcdh)
{
    each_tier([&] {
        for (size_t n : COUNTS)
            for (size_t wrong = 0; wrong < n; wrong += n < 9 ? 1 : 4) {
                if (skipped(n) || (tier_is_slow() && wrong % 8)) continue;
                Ecdh good(keys, n), bad(keys, n);
                ASSERT_EQ(good.run(), TY_OK);
                const size_t kind = (wrong + n) % 3;
                if (kind == 0) bad.jobs[wrong].pub = &off;
                if (kind == 1) bad.jobs[wrong].pub = &zero;
                if (kind == 2) bad.jobs[wrong].key = &unset;
                EXPECT_EQ(bad.run(), TY_ERR_KEY);
                good.out[wrong].assign(32, 0);
                EXPECT_EQ(bad.out, good.out) << wrong << " of " << n;
                for (size_t i = 0; i < n; i++)
                    EXPECT_EQ(bad.jobs[i].err, i == wrong ? TY_ERR_KEY : TY_OK) << i;
            }
    });
}

// --- Encryption ----------------------------------------------------------------------------------

// Messages below and above the length from which they are hashed alone, in both orders of C2 and C3
struct Encryptions {
    std::vector<Bytes> msg, out;
    std::vector<ty_sm2_encrypt_job> jobs;
    Encryptions(const std::vector<ty_sm2_key> &keys, size_t n) : jobs(n)
    {
        static const size_t lengths[] = { 8, 16, 31, 32, 33, 48, 63, 64, 65, 96, 97, 400 };
        for (size_t i = 0; i < n; i++) {
            msg.push_back(TestRng(i + n).bytes(lengths[i % 12]));
            out.push_back(Bytes(msg[i].size() + TY_SM2_OVERHEAD, 0xAA));
        }
        for (size_t i = 0; i < n; i++)
            jobs[i] = { out[i].data(), msg[i].data(), msg[i].size(),
                        i % 3 ? TY_SM2_C1C3C2 : TY_SM2_C1C2C3, &keys[i].pub, TY_ERR_IO };
    }
    ty_err run(uint64_t seed)
    {
        TestRng r(seed);
        const ty_rng rng = r.ty();
        return ty_sm2_many_encrypt(jobs.data(), jobs.size(), &rng);
    }
};

TEST_F(Sm2Points, EncryptionEqualsSingleCalls)
{
    each_tier([&] {
        for (size_t n : COUNTS) {
            if (skipped(n)) continue;
            TestRng r1(n);
            const ty_rng one = r1.ty();
            Encryptions e(keys, n);
            EXPECT_EQ(e.run(n), TY_OK);
            for (size_t i = 0; i < n; i++) {
                const ty_sm2_encrypt_job &j = e.jobs[i];
                Bytes want(e.out[i].size());
                ASSERT_EQ(ty_sm2_encrypt(want.data(), j.msg, j.msg_len, j.order, j.pub, &one),
                          TY_OK);
                EXPECT_EQ(j.err, TY_OK);
                EXPECT_EQ(e.out[i], want) << i << " of " << n;
            }
        }
    });
}

// GB/T 32918.5-2017, C.2, in every lane, with other keys around it
TEST_F(Sm2Points, StandardExample)
{
    const Bytes k = unhex("59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21"),
                msg = bytes("encryption standard"),
                c1 = unhex("0404ebfc718e8d1798620432268e77feb6415e2ede0e073c0f4f640ecd2e149a73"
                           "e858f9d81e5430a57b36daab8f950a3c64e6ee6a63094d99283aff767e124df0"),
                c2 = unhex("21886ca989ca9c7d58087307ca93092d651efa"),
                c3 = unhex("59983c18f809e262923c53aec295d30383b54e39d609d160afcb1908d0bd8766");
    const ty_sm2_key key = key_of(unhex(D));
    each_tier([&] {
        for (size_t at = 0; at < 9; at++) {
            if (tier_is_slow() && at != 5) continue;
            Encryptions e(keys, 9);
            Bytes script, out(msg.size() + TY_SM2_OVERHEAD), back(msg.size());
            for (size_t i = 0; i < 9; i++) script = cat({script, i == at ? k : number(7 + (int)i)});
            e.jobs[at] = { out.data(), msg.data(), msg.size(), TY_SM2_C1C3C2, &key.pub, TY_ERR_IO };
            ScriptRng drawn(script);
            const ty_rng source = drawn.ty();
            ASSERT_EQ(ty_sm2_many_encrypt(e.jobs.data(), 9, &source), TY_OK);
            EXPECT_EQ(hex(out), hex(cat({ c1, c3, c2 }))) << at;
            ty_sm2_decrypt_job back_job = { back.data(), out.data(), out.size(), TY_SM2_C1C3C2,
                                            &key, TY_ERR_IO };
            ASSERT_EQ(ty_sm2_many_decrypt(&back_job, 1), TY_OK);
            EXPECT_EQ(back, msg);
        }
    });
}

TEST_F(Sm2Points, OneWrongEncryption)
{
    each_tier([&] {
        for (size_t n : COUNTS)
            for (size_t wrong = 0; wrong < n; wrong += n < 9 ? 1 : 4) {
                if (skipped(n) || (tier_is_slow() && wrong % 8)) continue;
                Encryptions bad(keys, n);
                ty_sm2_encrypt_job &job = bad.jobs[wrong];
                const size_t kind = (wrong + n) % 4;
                if (kind == 0) job.pub = &off;
                if (kind == 1) job.pub = &zero;
                if (kind == 2) job.order = (ty_sm2_order)2;
                if (kind == 3) job.msg_len = 0;
                const ty_err want = kind < 2 ? TY_ERR_KEY : TY_ERR_ARG;
                EXPECT_EQ(bad.run(n), want);
                for (size_t i = 0; i < n; i++) {
                    EXPECT_EQ(bad.jobs[i].err, i == wrong ? want : TY_OK) << i;
                    if (i == wrong) {
                        EXPECT_EQ(bad.out[i], Bytes(bad.out[i].size(), kind < 2 ? 0 : 0xAA));
                        continue;
                    }
                    const ty_sm2_encrypt_job &j = bad.jobs[i];
                    Bytes back(j.msg_len);
                    EXPECT_EQ(ty_sm2_decrypt(back.data(), j.out, bad.out[i].size(), j.order,
                                             &keys[i]),
                              TY_OK);
                    EXPECT_EQ(back, bad.msg[i]);
                }
            }
    });
}

// A random source that fails for some jobs, and a message longer than the key stream can be
TEST_F(Sm2Points, EncryptionWithoutRandomness)
{
    Encryptions e(keys, 17);
    FailingRng failing(11);
    const ty_rng source = failing.ty();
    EXPECT_EQ(ty_sm2_many_encrypt(e.jobs.data(), 17, &source), TY_ERR_RNG);
    for (size_t i = 0; i < 17; i++) {
        EXPECT_EQ(e.jobs[i].err, i < 11 ? TY_OK : TY_ERR_RNG) << i;
        if (i >= 11) { EXPECT_EQ(e.out[i], Bytes(e.out[i].size())) << "zeroed"; }
    }
    e.jobs[3].msg_len = SIZE_MAX - 96;
    EXPECT_EQ(e.run(1), TY_ERR_SIZE);
    EXPECT_EQ(e.jobs[3].err, TY_ERR_SIZE);
    EXPECT_EQ(e.jobs[4].err, TY_OK);
}

// A mask of zeros: its k is rejected, and another one is drawn.
TEST_F(Sm2Points, AllZeroMaskIsNotUsed)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    const Bytes pub = pub_bytes(keys[2].pub), msg = { 0x5a };
    Bytes zero_k, xy(64), t(1);
    for (int k = 1; k < 5000 && zero_k.empty(); k++) {
        ec->mul(xy.data(), number(k).data(), pub.data() + 1);
        ASSERT_EQ(ty_kdf_sm3(t.data(), 1, xy.data(), 64), TY_OK);
        if (t[0] == 0) zero_k = number(k);
    }
    ASSERT_FALSE(zero_k.empty());
    Encryptions e(keys, 9);
    Bytes out(98, 0xAA), want(98), script;
    e.jobs[2] = { out.data(), msg.data(), 1, TY_SM2_C1C3C2, &keys[2].pub, TY_ERR_IO };
    for (size_t i = 0; i < 9; i++) script = cat({ script, i == 2 ? zero_k : number(70 + (int)i) });
    ScriptRng drawn(cat({ script, zero_k, unhex(D) })), last(unhex(D));
    const ty_rng source = drawn.ty(), one = last.ty();
    EXPECT_EQ(ty_sm2_many_encrypt(e.jobs.data(), 9, &source), TY_OK);
    ASSERT_EQ(ty_sm2_encrypt(want.data(), msg.data(), 1, TY_SM2_C1C3C2, &keys[2].pub, &one), TY_OK);
    EXPECT_EQ(out, want);
    EXPECT_EQ(drawn.used, 11u * 32);
    // and a ciphertext made with it is refused, although its C3 is correct
    Bytes c1(65), c3(32), back(1, 0xAA);
    c1[0] = 4;
    ec->mul_base(c1.data() + 1, zero_k.data());
    ec->mul(xy.data(), zero_k.data(), pub.data() + 1);
    const Bytes hashed =
        cat({Bytes(xy.begin(), xy.begin() + 32), msg, Bytes(xy.begin() + 32, xy.end())});
    ty_sm3_hash(c3.data(), hashed.data(), hashed.size());
    const Bytes sealed = cat({ c1, c3, msg });
    ty_sm2_decrypt_job job = { back.data(), sealed.data(), 98, TY_SM2_C1C3C2, &keys[2], TY_ERR_IO };
    EXPECT_EQ(ty_sm2_many_decrypt(&job, 1), TY_ERR_VERIFY);
    EXPECT_EQ(back, Bytes(1));
}

// --- Decryption ----------------------------------------------------------------------------------

struct Decryptions {
    std::vector<Bytes> in, out;
    std::vector<ty_sm2_decrypt_job> jobs;
    Decryptions(const Encryptions &e, const std::vector<ty_sm2_key> &keys) : in(e.out)
    {
        for (const Bytes &c : in) out.push_back(Bytes(c.size() - TY_SM2_OVERHEAD, 0xAA));
        for (size_t i = 0; i < in.size(); i++)
            jobs.push_back({ out[i].data(), in[i].data(), in[i].size(), e.jobs[i].order, &keys[i],
                             TY_ERR_IO });
    }
    ty_err run() { return ty_sm2_many_decrypt(jobs.data(), jobs.size()); }
};

TEST_F(Sm2Points, DecryptsWhatWasEncrypted)
{
    each_tier([&] {
        for (size_t n : COUNTS) {
            if (skipped(n)) continue;
            Encryptions e(keys, n);
            ASSERT_EQ(e.run(n), TY_OK);
            Decryptions d(e, keys);
            EXPECT_EQ(d.run(), TY_OK);
            for (size_t i = 0; i < n; i++) {
                EXPECT_EQ(d.jobs[i].err, TY_OK);
                EXPECT_EQ(d.out[i], e.msg[i]) << i << " of " << n;
            }
        }
    });
}

// Each kind of invalid ciphertext, with the error of the single call
TEST_F(Sm2Points, OneWrongDecryption)
{
    each_tier([&] {
        for (size_t n : COUNTS)
            for (size_t wrong = 0; wrong < n; wrong += n < 9 ? 1 : 4) {
                if (skipped(n) || (tier_is_slow() && wrong % 8)) continue;
                Encryptions e(keys, n);
                ASSERT_EQ(e.run(n), TY_OK);
                Decryptions d(e, keys);
                ty_sm2_decrypt_job &job = d.jobs[wrong];
                Bytes &in = d.in[wrong];
                const size_t kind = (wrong + n) % 9;
                if (kind == 0) in[40] ^= 1;                       // C1
                if (kind == 1) in[0] = 6;
                if (kind == 2) std::fill(in.begin() + 1, in.begin() + 65, (uint8_t)0);
                if (kind == 3) in.back() ^= 1;
                if (kind == 4) in[70] ^= 0x80;
                if (kind == 5)
                    job.order = job.order == TY_SM2_C1C3C2 ? TY_SM2_C1C2C3 : TY_SM2_C1C3C2;
                if (kind == 6) job.key = &unset;
                if (kind == 7) job.in_len = 97;
                if (kind == 8) job.order = (ty_sm2_order)2;
                Bytes want_out(d.out[wrong].size(), 0xAA);
                const ty_err want =
                    ty_sm2_decrypt(want_out.data(), job.in, job.in_len, job.order, job.key);
                ASSERT_NE(want, TY_OK);
                EXPECT_EQ(d.run(), want);
                for (size_t i = 0; i < n; i++) {
                    EXPECT_EQ(d.jobs[i].err, i == wrong ? want : TY_OK) << i << ", kind " << kind;
                    EXPECT_EQ(d.out[i], i == wrong ? want_out : e.msg[i]) << i << ", kind " << kind;
                }
            }
    });
}

// --- Overlapping buffers -------------------------------------------------------------------------

// The output of one job overlaps what another one reads or writes: the job with that output is
// refused, both are if their outputs overlap, and the memory there is untouched.
TEST_F(Sm2Points, OverlapsAreRefused)
{
    each_tier([&] {
        for (size_t n : { (size_t)2, (size_t)9, (size_t)17 })
            for (int of = 0; of < 3; of++) {
                if (skipped(n)) continue;
                const size_t bad = n - 1;
                Ecdh want(keys, n), e(keys, n);
                ASSERT_EQ(want.run(), TY_OK);
                std::vector<ty_sm2_key> own(keys);
                ty_sm2_pub pub = keys[3].pub;
                e.jobs[0].pub = want.jobs[0].pub = &pub;
                e.jobs[0].key = want.jobs[0].key = &own[4];
                ASSERT_EQ(want.run(), TY_OK);
                if (of == 0) e.jobs[bad].out = pub.y;
                if (of == 1) e.jobs[bad].out = (uint8_t *)&own[4] + sizeof own[4] - 1;
                if (of == 2) e.jobs[bad].out = e.jobs[0].out;
                if (of == 1) e.jobs[bad].key = &keys[5];
                EXPECT_EQ(e.run(), TY_ERR_ARG);
                EXPECT_EQ(e.jobs[bad].err, TY_ERR_ARG);
                EXPECT_EQ(std::memcmp(&own[4], &keys[4], 2 * sizeof own[4]), 0) << "untouched";
                EXPECT_EQ(std::memcmp(&pub, &keys[3].pub, sizeof pub), 0) << "untouched";
                for (size_t i = of == 2 ? 1 : 0; i < bad; i++) {
                    EXPECT_EQ(e.jobs[i].err, TY_OK) << i;
                    EXPECT_EQ(e.out[i], want.out[i]) << i << " of " << n;
                }
                if (of == 2) {   // neither of the two writes
                    EXPECT_EQ(e.jobs[0].err, TY_ERR_ARG);
                    EXPECT_EQ(e.out[0], Bytes(32, 0xAA));
                }
            }
    });
    Encryptions e(keys, 9);
    Bytes shared = r.bytes(600), before = shared;
    e.jobs[1].msg = shared.data() + 100;
    e.jobs[8].out = shared.data() + 99 + e.jobs[1].msg_len;  // the last byte of the other's message
    EXPECT_EQ(e.run(5), TY_ERR_ARG);
    for (size_t i = 0; i < 9; i++) EXPECT_EQ(e.jobs[i].err, i == 8 ? TY_ERR_ARG : TY_OK) << i;
    EXPECT_EQ(shared, before);
    e.jobs[8].out++;   // adjacent
    EXPECT_EQ(e.run(5), TY_OK);

    Encryptions sealed(keys, 9);
    ASSERT_EQ(sealed.run(6), TY_OK);
    Decryptions d(sealed, keys);
    const Bytes in = d.in[7];
    d.jobs[2].out = d.in[7].data() + in.size() - 1;
    EXPECT_EQ(d.run(), TY_ERR_ARG);
    for (size_t i = 0; i < 9; i++) {
        EXPECT_EQ(d.jobs[i].err, i == 2 ? TY_ERR_ARG : TY_OK) << i;
        if (i != 2) { EXPECT_EQ(d.out[i], sealed.msg[i]) << i; }
    }
    EXPECT_EQ(d.in[7], in);
}

}
