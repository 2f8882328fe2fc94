// The random source fails at its first call, its second, and so on: the function returns an error,
// and no partial output.
#include "support/rng.hpp"
#include "tongyu/tongyu.h"
#include "tongyu/box.h"
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <memory>

struct Case {
    const char *name;
    size_t out_len;
    std::function<ty_err(uint8_t *out, const ty_rng *rng)> call;
};

TEST(RngFaults, AtEveryCall)
{
    TestRng r(21);
    const ty_rng good = r.ty();
    ty_key key{};
    ASSERT_EQ(ty_sm2_keygen(&key.sm2, &good), TY_OK);
    key.private_key = 1;
    key.pub = key.sm2.pub;
    const ty_sm2_pub pubs[3] = {key.pub, key.pub, key.pub};
    const uint8_t msg[40] = {1, 2, 3}, *id = (const uint8_t *)TY_SM2_ID;
    const ty_ec_curve *curve = ty_ec_curve_named("sect233r1");
    ty_ec_key ec;
    ASSERT_EQ(ty_ec_keygen(&ec, curve, &good), TY_OK);
    const std::unique_ptr<ty_mldsa_key> mldsa(new ty_mldsa_key), signing(new ty_mldsa_key);
    ASSERT_EQ(ty_mldsa_keygen(signing.get(), TY_MLDSA_44, &good), TY_OK);
    // writes f's result to o, zeros if z is untouched
    const auto number = [](uint8_t *o, const std::function<ty_err(ty_mp *)> &f) {
        ty_mp z;
        ty_mp_init(&z);
        const ty_err err = f(&z);
        EXPECT_EQ(ty_mp_get_be(o, 64, &z), TY_OK);
        ty_mp_clear(&z);
        return err;
    };
    const Case cases[] = {
        { "sm2_keygen", sizeof(ty_sm2_key),
          [&](uint8_t *o, const ty_rng *g) {
              ty_sm2_key k;
              std::memset(&k, 0xee, sizeof k);
              const ty_err err = ty_sm2_keygen(&k, g);
              std::memcpy(o, &k, sizeof k);
              return err;
          } },
        { "sm2_sign", 64,
          [&](uint8_t *o, const ty_rng *g) {
              return ty_sm2_sign(o, msg, 40, id, TY_SM2_ID_LEN, &key.sm2, g);
          } },
        { "sm2_sign_digest", 64,
          [&](uint8_t *o, const ty_rng *g) { return ty_sm2_sign_digest(o, msg, &key.sm2, g); } },
        { "sm2_encrypt", 137,
          [&](uint8_t *o, const ty_rng *g) {
              return ty_sm2_encrypt(o, msg, 40, TY_SM2_C1C3C2, &key.pub, g);
          } },
        { "sm2_kx_init", 65,
          [&](uint8_t *o, const ty_rng *g) {
              ty_sm2_kx kx;
              const ty_err err = ty_sm2_kx_init(&kx, o, TY_SM2_INITIATOR, g);
              return err;
          } },
        { "key_write", TY_KEY_ENCODED_MAX,
          [&](uint8_t *o, const ty_rng *g) {
              size_t n = TY_KEY_ENCODED_MAX;
              return ty_key_write(o, &n, &key, TY_KEY_PKCS8_PBES2, TY_KEY_PEM, "pw", 2, 10, g);
          } },
        { "ec_keygen", sizeof(ty_ec_key),
          [&](uint8_t *o, const ty_rng *g) {
              ty_ec_key k;
              std::memset(&k, 0xee, sizeof k);
              const ty_err err = ty_ec_keygen(&k, curve, g);
              std::memcpy(o, &k, sizeof k);
              return err;
          } },
        { "ecdsa_sign", 60,
          [&](uint8_t *o, const ty_rng *g) { return ty_ecdsa_sign(o, msg, 32, &ec, g); } },
        { "dstu4145_sign", 60,
          [&](uint8_t *o, const ty_rng *g) { return ty_dstu4145_sign(o, msg, 32, &ec, g); } },
        { "ec_key_write", TY_EC_ENCODED_MAX,
          [&](uint8_t *o, const ty_rng *g) {
              size_t n = TY_EC_ENCODED_MAX;
              return ty_ec_key_write(o, &n, &ec, TY_KEY_PKCS8_PBES2, TY_KEY_PEM, "pw", 2, 10, g);
          } },
        { "mldsa_keygen", sizeof(ty_mldsa_key),
          [&](uint8_t *o, const ty_rng *g) {
              std::memset(mldsa.get(), 0xee, sizeof *mldsa);
              const ty_err err = ty_mldsa_keygen(mldsa.get(), TY_MLDSA_44, g);
              std::memcpy(o, mldsa.get(), sizeof *mldsa);
              return err;
          } },
        { "mldsa_sign", 2420,
          [&](uint8_t *o, const ty_rng *g) {
              return ty_mldsa_sign(o, 2420, msg, 40, nullptr, 0, signing.get(), g);
          } },
        { "mp_random_bits", 64,
          [&](uint8_t *o, const ty_rng *g) {
              return number(o, [g](ty_mp *z) { return ty_mp_random_bits(z, 500, g); });
          } },
        { "mp_prime", 64,
          [&](uint8_t *o, const ty_rng *g) {
              return number(o, [g](ty_mp *z) { return ty_mp_prime(z, 128, 0, g); });
          } },
        { "box_seal_password", 62,
          [&](uint8_t *o, const ty_rng *g) {
              ty_box b;
              size_t n = 62;
              const ty_err err = ty_box_seal_password(&b, o, &n, "pw", 2, 10, g);
              uint8_t t[17];
              EXPECT_EQ(ty_box_seal(&b, t, msg, 1, 1), err == TY_OK ? TY_OK : TY_ERR_STATE)
                  << "a box that did not start";
              return err;
          } },
        { "box_seal_scrypt", 62,
          [&](uint8_t *o, const ty_rng *g) {
              ty_box b;
              size_t n = 62;
              uint64_t memory[512];
              const ty_err err =
                  ty_box_seal_scrypt(&b, o, &n, "pw", 2, { 2, 1, 1 }, memory, sizeof memory, g);
              uint8_t t[17];
              EXPECT_EQ(ty_box_seal(&b, t, msg, 1, 1), err == TY_OK ? TY_OK : TY_ERR_STATE)
                  << "a box that did not start";
              return err;
          } },
        { "box_seal_pub", 42 + 3 * 137,
          [&](uint8_t *o, const ty_rng *g) {
              ty_box b;
              size_t n = 42 + 3 * 137;
              const ty_err err = ty_box_seal_pub(&b, o, &n, pubs, 3, g);
              uint8_t t[17];
              EXPECT_EQ(ty_box_seal(&b, t, msg, 1, 1), err == TY_OK ? TY_OK : TY_ERR_STATE);
              return err;
          } },
    };
    for (const Case &c : cases) {
        ty_err err = TY_ERR_RNG;
        long fails = 0;
        for (long n = 0; err == TY_ERR_RNG; n++) {
            SCOPED_TRACE(std::string(c.name) + " call " + std::to_string(n));
            ASSERT_LT(n, 2000);
            FailingRng bad(n);
            const ty_rng rng = bad.ty();
            std::vector<uint8_t> out(c.out_len, 0xee);
            err = c.call(out.data(), &rng);
            if (err == TY_OK) break;
            fails++;
            EXPECT_EQ(err, TY_ERR_RNG);
            const bool zero = std::all_of(out.begin(), out.end(), [](uint8_t x) { return x == 0; });
            const bool untouched =
                std::all_of(out.begin(), out.end(), [](uint8_t x) { return x == 0xee; });
            EXPECT_TRUE(zero || untouched);
        }
        EXPECT_GT(fails, 0) << c.name << " did not ask for randomness";
        EXPECT_EQ(err, TY_OK) << c.name;
    }
}

// Many jobs at once: those that got their random bytes succeed, the others have an error and zeros
// in their outputs.
struct ManyCase {
    const char *name;
    size_t out_len;
    std::function<ty_err(std::vector<std::vector<uint8_t>> &outs, std::vector<ty_err> &errs,
                         const ty_rng *rng)>
        call;
};

template <class Job, class Fill, class Run>
static ty_err with_jobs(std::vector<ty_err> &errs, Fill fill, Run run)
{
    std::vector<Job> jobs(errs.size());
    for (size_t i = 0; i < jobs.size(); i++) {
        fill(jobs[i], i);
        jobs[i].err = TY_ERR_STATE;   // must be replaced
    }
    const ty_err err = run(jobs.data(), jobs.size());
    for (size_t i = 0; i < jobs.size(); i++) errs[i] = jobs[i].err;
    return err;
}

TEST(RngFaults, ManyAtOnce)
{
    TestRng r(22);
    const ty_rng good = r.ty();
    ty_sm2_key key;
    ASSERT_EQ(ty_sm2_keygen(&key, &good), TY_OK);
    const std::unique_ptr<ty_mldsa_key> signing(new ty_mldsa_key);
    ASSERT_EQ(ty_mldsa_keygen(signing.get(), TY_MLDSA_44, &good), TY_OK);
    const uint8_t msg[40] = {1, 2, 3};
    const ManyCase cases[] = {
        { "sm2_many_keygen", sizeof(ty_sm2_key),
          [](auto &outs, auto &errs, const ty_rng *g) {
              return with_jobs<ty_sm2_keygen_job>(
                  errs,
                  [&](auto &job, size_t i) { job.key = (ty_sm2_key *)(void *)outs[i].data(); },
                  [g](auto *jobs, size_t n) { return ty_sm2_many_keygen(jobs, n, g); });
          } },
        { "sm2_many_sign", 64,
          [&](auto &outs, auto &errs, const ty_rng *g) {
              return with_jobs<ty_sm2_sign_job>(
                  errs,
                  [&](auto &job, size_t i) {
                      job.sig = outs[i].data(), job.e = msg, job.key = &key;
                  },
                  [g](auto *jobs, size_t n) { return ty_sm2_many_sign(jobs, n, g); });
          } },
        { "sm2_many_encrypt", 40 + TY_SM2_OVERHEAD,
          [&](auto &outs, auto &errs, const ty_rng *g) {
              return with_jobs<ty_sm2_encrypt_job>(
                  errs,
                  [&](auto &job, size_t i) {
                      job.out = outs[i].data(), job.msg = msg, job.msg_len = 40;
                      job.order = TY_SM2_C1C3C2, job.pub = &key.pub;
                  },
                  [g](auto *jobs, size_t n) { return ty_sm2_many_encrypt(jobs, n, g); });
          } },
        { "mldsa_many_keygen", sizeof(ty_mldsa_key),
          [](auto &outs, auto &errs, const ty_rng *g) {
              return with_jobs<ty_mldsa_keygen_job>(
                  errs,
                  [&](auto &job, size_t i) {
                      job.key = (ty_mldsa_key *)(void *)outs[i].data(), job.set = TY_MLDSA_44;
                  },
                  [g](auto *jobs, size_t n) { return ty_mldsa_many_keygen(jobs, n, g); });
          } },
        { "mldsa_many_sign", 2420,
          [&](auto &outs, auto &errs, const ty_rng *g) {
              return with_jobs<ty_mldsa_sign_job>(
                  errs,
                  [&](auto &job, size_t i) {
                      job.sig = outs[i].data(), job.sig_len = 2420;
                      job.msg = msg, job.msg_len = 40, job.key = signing.get();
                  },
                  [g](auto *jobs, size_t n) { return ty_mldsa_many_sign(jobs, n, g); });
          } },
    };
    for (const ManyCase &c : cases) {
        ty_err err = TY_ERR_RNG;
        for (long n = 0; err != TY_OK; n++) {
            SCOPED_TRACE(std::string(c.name) + " call " + std::to_string(n));
            ASSERT_LT(n, 50);
            FailingRng bad(n);
            const ty_rng rng = bad.ty();
            std::vector<std::vector<uint8_t>> outs(5, std::vector<uint8_t>(c.out_len, 0xee));
            std::vector<ty_err> errs(outs.size());
            err = c.call(outs, errs, &rng);
            size_t done = 0;
            for (size_t i = 0; i < outs.size(); i++) {
                const bool zero =
                    std::all_of(outs[i].begin(), outs[i].end(), [](uint8_t x) { return x == 0; });
                EXPECT_EQ(zero, errs[i] != TY_OK) << i;
                EXPECT_TRUE(errs[i] == TY_OK || errs[i] == TY_ERR_RNG) << i;
                done += errs[i] == TY_OK;
            }
            EXPECT_EQ(err, done == outs.size() ? TY_OK : TY_ERR_RNG);
            if (n == 0) { EXPECT_EQ(done, 0u); }
        }
    }
}

// A source that succeeds, but never returns a valid scalar: the search for one ends.
TEST(RngFaults, ASourceThatAlwaysReturnsTheSame)
{
    for (int byte : {0x00, 0xff}) {
        uint8_t value = (uint8_t)byte;
        const ty_rng stuck = { [](void *c, uint8_t *o, size_t n) {
                                  std::memset(o, *(uint8_t *)c, n);
                                  return TY_OK;
                              },
                               &value };
        ty_sm2_key k;
        std::memset(&k, 0xee, sizeof k);
        EXPECT_EQ(ty_sm2_keygen(&k, &stuck), TY_ERR_RNG) << byte;
    }
}
