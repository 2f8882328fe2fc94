// Functions around signatures: recovery of keys, precomputed signers and verifiers, batches.
#include "sm2/sm2_support.hpp"
#include "tongyu/sm2_many.h"
#include <algorithm>

// GB/T 32918.5-2017, A.2
static const char D[] = "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8";
static const char K[] = "59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21";
static const char E[] = "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640";
static const char SIG[] = "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
                          "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa";

static Bytes below_n(Bytes x)
{
    x[0] &= 0x7f;
    return x;
}

static ty_err verify_e(const Bytes &sig, const Bytes &e, const ty_sm2_pub &pub)
{
    return ty_sm2_verify_digest(sig.data(), e.data(), &pub);
}

// --- Recovery ------------------------------------------------------------------------------------

static std::vector<ty_sm2_pub> candidates(const Bytes &sig, const Bytes &e,
                                          std::vector<unsigned> *numbers = nullptr)
{
    std::vector<ty_sm2_pub> found;
    for (unsigned which = 0; which < 4; which++) {
        ty_sm2_pub pub, marked;
        std::memset(&pub, 0xAA, sizeof pub);
        marked = pub;
        const ty_err err = ty_sm2_recover_digest(&pub, sig.data(), e.data(), which);
        if (err == TY_OK) {
            found.push_back(pub);
            if (numbers) numbers->push_back(which);
        } else {
            EXPECT_EQ(err, TY_ERR_VERIFY);
            EXPECT_EQ(std::memcmp(&pub, &marked, sizeof pub), 0) << "untouched";
        }
    }
    return found;
}

static bool has(const std::vector<ty_sm2_pub> &list, const ty_sm2_pub &pub)
{
    return std::any_of(list.begin(), list.end(),
                       [&](const ty_sm2_pub &c) { return pub_bytes(c) == pub_bytes(pub); });
}

TEST(Sm2Recover, FindsTheSigner)
{
    each_tier([&] {
        TestRng r(21);
        const ty_rng rng = r.ty();
        for (int i = 0; i < 6; i++) {
            const ty_sm2_key key = key_of(i == 0   ? number(1)
                                          : i == 1 ? plus(unhex(N_HEX), -2)
                                                   : below_n(r.bytes(32)));
            const Bytes e = i == 2 ? Bytes(32) : i == 3 ? Bytes(32, 0xff) : r.bytes(32);
            Bytes sig(64);
            ASSERT_EQ(ty_sm2_sign_digest(sig.data(), e.data(), &key, &rng), TY_OK);
            std::vector<unsigned> numbers;
            const auto keys = candidates(sig, e, &numbers);
            EXPECT_EQ(numbers, (std::vector<unsigned>{ 0, 1 }))
                << "x + n < p happens in one case of 2^128";
            EXPECT_TRUE(has(keys, key.pub));
            for (const ty_sm2_pub &k : keys) EXPECT_EQ(verify_e(sig, e, k), TY_OK);
        }
        EXPECT_TRUE(has(candidates(unhex(SIG), unhex(E)), key_of(unhex(D)).pub));
    });
}

// x + n < p, forced: a point whose x coordinate is in [n, p). With x - n also on the curve there
// are four keys.
TEST(Sm2Recover, AllFour)
{
    each_tier([&] {
        const ty_n_sm2_ops *n = ty_n_sm2_best();
        size_t most = 0, seen[5] = {};
        // r - e = small: candidates x = small and n + small
        for (int small = 0; small < 24; small++) {
            const Bytes r = unhex(K), s = number(3 + small);
            Bytes e(32), point(64);
            n->sub(e.data(), r.data(), number(small).data());
            const unsigned low =
                ty_ec_sm2_best()->decompress(point.data(), number(small).data(), 0) != 0;
            const unsigned high = ty_ec_sm2_best()->decompress(
                                      point.data(), plus(unhex(N_HEX), small).data(), 0) != 0;
            std::vector<unsigned> numbers, want;
            const auto keys = candidates(cat({r, s}), e, &numbers);
            if (low) want.insert(want.end(), {0, 1});
            if (high) want.insert(want.end(), {2, 3});
            EXPECT_EQ(numbers, want) << small;
            for (const ty_sm2_pub &k : keys) EXPECT_EQ(verify_e(cat({r, s}), e, k), TY_OK) << small;
            most = std::max(most, keys.size());
            seen[keys.size()]++;
        }
        EXPECT_EQ(most, 4u);
        EXPECT_GT(seen[0], 0u);
        EXPECT_GT(seen[2], 0u);
    });
}

TEST(Sm2Recover, Refuses)
{
    const Bytes n_bytes = unhex(N_HEX), e = unhex(E), sig = unhex(SIG);
    const Bytes r(sig.begin(), sig.begin() + 32), s(sig.begin() + 32, sig.end());
    each_tier([&] {
        const ty_n_sm2_ops *n = ty_n_sm2_best();
        for (const Bytes &x : {number(0), n_bytes, plus(n_bytes, 1), Bytes(32, 0xff)}) {
            EXPECT_TRUE(candidates(cat({x, s}), e).empty());
            EXPECT_TRUE(candidates(cat({r, x}), e).empty());
        }
        Bytes minus_r(32);
        n->sub(minus_r.data(), number(0).data(), r.data());
        EXPECT_TRUE(candidates(cat({r, minus_r}), e).empty()) << "r + s = n";
        ty_sm2_pub pub;
        EXPECT_EQ(ty_sm2_recover_digest(&pub, sig.data(), e.data(), 4), TY_ERR_ARG);
        // R = sG leaves P = infinity: r - e = x(sG)
        Bytes point(64), x(32), bad_e(32);
        ASSERT_NE(ty_ec_sm2_best()->mul_base(point.data(), s.data()), 0u);
        n->reduce(x.data(), point.data());
        n->sub(bad_e.data(), r.data(), x.data());
        std::vector<unsigned> numbers;
        EXPECT_EQ(candidates(sig, bad_e, &numbers).size(), 1u) << "only R = -sG remains";
        EXPECT_EQ(numbers[0] & 1, 1u ^ (point[63] & 1u));
    });
}

// --- Signers and verifiers -----------------------------------------------------------------------

// The verifier gives the same verdicts as the key: on valid signatures, altered ones, and numbers
// out of range.
TEST(Sm2Verifier, SameVerdictsAsTheKey)
{
    each_tier([&] {
        TestRng r(31);
        const ty_rng rng = r.ty();
        for (const Bytes &d :
             { unhex(D), number(1), number(2), plus(unhex(N_HEX), -2), below_n(r.bytes(32)) }) {
            const ty_sm2_key key = key_of(d);
            static ty_sm2_verifier v;
            ASSERT_EQ(ty_sm2_verifier_init(&v, &key.pub, ID.data(), ID.size()), TY_OK);
            for (int i = 0; i < 4; i++) {
                const Bytes e = r.bytes(32);
                Bytes sig(64);
                ASSERT_EQ(ty_sm2_sign_digest(sig.data(), e.data(), &key, &rng), TY_OK);
                EXPECT_EQ(ty_sm2_verifier_verify_digest(sig.data(), e.data(), &v), TY_OK);
                for (size_t bit = (size_t)i; bit < 512; bit += 37) {
                    Bytes bad = sig, bad_e = e;
                    bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
                    bad_e[bit / 16] ^= (uint8_t)(1 << bit % 8);
                    EXPECT_EQ(ty_sm2_verifier_verify_digest(bad.data(), e.data(), &v),
                              TY_ERR_VERIFY)
                        << bit;
                    EXPECT_EQ(ty_sm2_verifier_verify_digest(sig.data(), bad_e.data(), &v),
                              TY_ERR_VERIFY)
                        << bit;
                }
            }
            const Bytes n = unhex(N_HEX);
            for (const Bytes &x : {number(0), n, plus(n, 1), Bytes(32, 0xff)}) {
                EXPECT_EQ(ty_sm2_verifier_verify_digest(cat({ x, number(1) }).data(), n.data(), &v),
                          TY_ERR_VERIFY);
                EXPECT_EQ(ty_sm2_verifier_verify_digest(cat({ number(1), x }).data(), n.data(), &v),
                          TY_ERR_VERIFY);
            }
            EXPECT_EQ(
                ty_sm2_verifier_verify_digest(cat({ number(1), plus(n, -1) }).data(), n.data(), &v),
                TY_ERR_VERIFY)
                << "r + s = n";
        }
    });
}

TEST(Sm2Verifier, SharedVectors)
{
    each_tier([&] {
        each_vector("SM2-SIGN", 1, 24, [&](const Json &f) {
            const ty_sm2_key key = key_of(field(f, "d"));
            const Bytes msg = field(f, "msg"), id = field(f, "id"),
                        sig = cat({ field(f, "r"), field(f, "s") });
            static ty_sm2_verifier v;
            ASSERT_EQ(ty_sm2_verifier_init(&v, &key.pub, id.data(), id.size()), TY_OK);
            EXPECT_EQ(ty_sm2_verifier_verify(sig.data(), msg.data(), msg.size(), &v), TY_OK);
            EXPECT_EQ(
                ty_sm2_verifier_verify(sig.data(), msg.data(), msg.size() ? msg.size() - 1 : 0, &v),
                msg.empty() ? TY_OK : TY_ERR_VERIFY);
        });
    });
}

// A verifier keeps the tier with which it was made, whatever the limit is later.
TEST(Sm2Verifier, KeepsItsTier)
{
    const ty_sm2_key key = key_of(unhex(D));
    static ty_sm2_verifier v;
    for (const char *made : {"c", "c64", (const char *)nullptr})
        for (const char *used : {"c", "c64", (const char *)nullptr}) {
            if (ty_tier_limit(made) != TY_OK) continue;
            ASSERT_EQ(ty_sm2_verifier_init(&v, &key.pub, ID.data(), ID.size()), TY_OK);
            if (ty_tier_limit(used) != TY_OK) continue;
            EXPECT_EQ(ty_sm2_verifier_verify_digest(unhex(SIG).data(), unhex(E).data(), &v), TY_OK);
        }
    EXPECT_EQ(ty_tier_limit(nullptr), TY_OK);
}

TEST(Sm2Verifier, Refuses)
{
    const ty_sm2_key key = key_of(unhex(D));
    static ty_sm2_verifier v, zero;
    const Bytes id(8192), sig = unhex(SIG), e = unhex(E), msg = bytes("message digest");
    ty_sm2_pub off = key.pub;
    off.y[31] ^= 1;
    std::memset(&v, 0xAA, sizeof v);
    EXPECT_EQ(ty_sm2_verifier_init(&v, &off, ID.data(), ID.size()), TY_ERR_KEY);
    EXPECT_EQ(std::memcmp(&v, &zero, sizeof v), 0);
    EXPECT_EQ(ty_sm2_verifier_verify_digest(sig.data(), e.data(), &v), TY_ERR_STATE);
    EXPECT_EQ(ty_sm2_verifier_verify(sig.data(), msg.data(), msg.size(), &v), TY_ERR_STATE);
    std::memset(&v, 0xAA, sizeof v);
    EXPECT_EQ(ty_sm2_verifier_init(&v, &key.pub, id.data(), id.size()), TY_ERR_SIZE);
    EXPECT_EQ(std::memcmp(&v, &zero, sizeof v), 0);
    ASSERT_EQ(ty_sm2_verifier_init(&v, &key.pub, ID.data(), ID.size()), TY_OK);
    EXPECT_EQ(ty_sm2_verifier_verify(sig.data(), msg.data(), msg.size(), &v), TY_OK);
    ASSERT_EQ(ty_sm2_verifier_init(&v, &key.pub, nullptr, 0), TY_OK);
    EXPECT_EQ(ty_sm2_verifier_verify(sig.data(), msg.data(), msg.size(), &v), TY_ERR_VERIFY)
        << "another identity";
}

TEST(Sm2Signer, SignsAsTheKey)
{
    const ty_sm2_key key = key_of(unhex(D));
    const Bytes msg = bytes("message digest"), id(8192);
    ty_sm2_signer signer;
    ASSERT_EQ(ty_sm2_signer_init(&signer, &key, ID.data(), ID.size()), TY_OK);
    Bytes a(64), b(64), e(32);
    TestRng r1(5), r2(5);
    const ty_rng rng1 = r1.ty(), rng2 = r2.ty();
    ASSERT_EQ(ty_sm2_signer_sign(a.data(), msg.data(), msg.size(), &signer, &rng1), TY_OK);
    ASSERT_EQ(ty_sm2_sign(b.data(), msg.data(), msg.size(), ID.data(), ID.size(), &key, &rng2),
              TY_OK);
    EXPECT_EQ(a, b);
    ASSERT_EQ(ty_sm2_signer_sign_deterministic(a.data(), msg.data(), msg.size(), &signer), TY_OK);
    ASSERT_EQ(
        ty_sm2_sign_deterministic(b.data(), msg.data(), msg.size(), ID.data(), ID.size(), &key),
        TY_OK);
    EXPECT_EQ(a, b);
    ASSERT_EQ(ty_sm2_signer_sign_deterministic(a.data(), nullptr, 0, &signer), TY_OK);
    ty_sm3 h;
    ty_sm2_signer_hash_init(&h, &signer);
    ty_sm3_update(&h, msg.data(), msg.size());
    ty_sm3_final(e.data(), &h);
    EXPECT_EQ(hex(e), E);
    static ty_sm2_verifier v;
    ASSERT_EQ(ty_sm2_verifier_init(&v, &key.pub, ID.data(), ID.size()), TY_OK);
    ty_sm2_verifier_hash_init(&h, &v);
    ty_sm3_update(&h, msg.data(), msg.size());
    ty_sm3_final(e.data(), &h);
    EXPECT_EQ(hex(e), E);
    EXPECT_EQ(ty_sm2_signer_init(&signer, &key, id.data(), id.size()), TY_ERR_SIZE);
    const ty_sm2_signer zero = {};
    EXPECT_EQ(std::memcmp(&signer, &zero, sizeof zero), 0);
}

// --- Many at once --------------------------------------------------------------------------------

// Fails at the given calls, counted from 0.
struct GapRng {
    std::vector<int> gaps;
    int calls = 0;
    TestRng inner{9};
    ty_rng ty()
    {
        return { [](void *c, uint8_t *o, size_t n) {
                    auto *g = (GapRng *)c;
                    const int call = g->calls++;
                    g->inner.fill(o, n);
                    if (n) o[0] &= 0x7f;
                    return std::count(g->gaps.begin(), g->gaps.end(), call) ? TY_ERR_RNG : TY_OK;
                }, this };
    }
};

TEST(Sm2Many, KeysEqualThoseOfSingleCalls)
{
    each_tier([&] {
        for (size_t n : {0, 1, 2, 7, 8, 9, 17, 31, 32, 33, 70}) {
            TestRng r1(n), r2(n);
            const ty_rng one = r1.ty(), many = r2.ty();
            std::vector<ty_sm2_key> want(n), got(n);
            std::vector<ty_sm2_keygen_job> jobs(n);
            for (size_t i = 0; i < n; i++) {
                ASSERT_EQ(ty_sm2_keygen(&want[i], &one), TY_OK);
                jobs[i] = {&got[i], TY_ERR_IO};
            }
            EXPECT_EQ(ty_sm2_many_keygen(jobs.data(), n, &many), TY_OK);
            for (size_t i = 0; i < n; i++) {
                EXPECT_EQ(jobs[i].err, TY_OK);
                EXPECT_EQ(hex(&got[i], sizeof got[i]), hex(&want[i], sizeof want[i]))
                    << i << " of " << n;
            }
        }
    });
}

TEST(Sm2Many, OneKeyFailsAlone)
{
    GapRng g;
    g.gaps = {0, 7, 8, 39};
    const ty_rng rng = g.ty();
    std::vector<ty_sm2_key> keys(40);
    std::vector<ty_sm2_keygen_job> jobs;
    for (ty_sm2_key &k : keys) {
        std::memset(&k, 0xAA, sizeof k);
        jobs.push_back({&k, TY_OK});
    }
    EXPECT_EQ(ty_sm2_many_keygen(jobs.data(), jobs.size(), &rng), TY_ERR_RNG);
    for (int i = 0; i < 40; i++) {
        const bool failed = std::count(g.gaps.begin(), g.gaps.end(), i) != 0;
        EXPECT_EQ(jobs[(size_t)i].err, failed ? TY_ERR_RNG : TY_OK) << i;
        ty_sm2_key same, zero = {};
        if (failed) { EXPECT_EQ(std::memcmp(&keys[(size_t)i], &zero, sizeof zero), 0) << "zeroed"; }
        else {
            ASSERT_EQ(ty_sm2_key_set(&same, keys[(size_t)i].d), TY_OK);
            EXPECT_EQ(std::memcmp(&keys[(size_t)i], &same, sizeof same), 0);
        }
    }
    FailingRng dead(0);
    const ty_rng none = dead.ty();
    EXPECT_EQ(ty_sm2_many_keygen(jobs.data(), jobs.size(), &none), TY_ERR_RNG);
}

// A batch of messages and digests under three keys; some identities are too long.
TEST(Sm2Many, SignaturesEqualThoseOfSingleCalls)
{
    const ty_sm2_key keys[] = {key_of(unhex(D)), key_of(number(1)), key_of(plus(unhex(N_HEX), -2))};
    const Bytes text = TestRng(12).bytes(300), id(8192, 'i');
    each_tier([&] {
        for (const bool deterministic : {true, false})
            for (size_t n : {0, 1, 2, 7, 8, 9, 17, 32, 33, 75}) {
                TestRng r1(n), r2(n);
                const ty_rng one = r1.ty(), many = r2.ty();
                std::vector<Bytes> sigs(n, Bytes(64, 0xAA)), e(n);
                std::vector<ty_sm2_sign_job> jobs(n);
                for (size_t i = 0; i < n; i++) {
                    e[i] = TestRng(i).bytes(32);
                    jobs[i] = { sigs[i].data(),   i % 3 ? e[i].data() : nullptr,
                                text.data(),      i * 7 % text.size(),
                                id.data(),        i % 15 == 6 ? 8192u : i / 6 % 3,
                                &keys[i / 4 % 3], TY_ERR_IO };
                    if (i % 3 == 1) {   // in place
                        std::copy(e[i].begin(), e[i].end(), sigs[i].begin() + 16);
                        jobs[i].e = sigs[i].data() + 16;
                    }
                }
                const ty_err err = deterministic ? ty_sm2_many_sign_deterministic(jobs.data(), n)
                                                 : ty_sm2_many_sign(jobs.data(), n, &many);
                EXPECT_EQ(err, n > 6 ? TY_ERR_SIZE : TY_OK);
                for (size_t i = 0; i < n; i++) {
                    const ty_sm2_sign_job &j = jobs[i];
                    Bytes want(64);
                    ty_err want_err;
                    if (i % 3 == 0)
                        want_err = deterministic
                                       ? ty_sm2_sign_deterministic(want.data(), j.msg, j.msg_len,
                                                                   j.id, j.id_len, j.key)
                                       : ty_sm2_sign(want.data(), j.msg, j.msg_len, j.id, j.id_len,
                                                     j.key, &one);
                    else
                        want_err =
                            deterministic
                                ? ty_sm2_sign_digest_deterministic(want.data(), e[i].data(), j.key)
                                : ty_sm2_sign_digest(want.data(), e[i].data(), j.key, &one);
                    EXPECT_EQ(j.err, want_err) << i;
                    EXPECT_EQ(sigs[i], want) << i << " of " << n;
                }
            }
    });
}

TEST(Sm2Many, OneSignatureFailsAlone)
{
    const ty_sm2_key key = key_of(unhex(D));
    const Bytes e = unhex(E);
    GapRng g;
    g.gaps = {0, 5, 36};
    const ty_rng rng = g.ty();
    std::vector<Bytes> sigs(37, Bytes(64, 0xAA));
    std::vector<ty_sm2_sign_job> jobs;
    for (Bytes &sig : sigs)
        jobs.push_back({ sig.data(), e.data(), nullptr, 0, nullptr, 0, &key, TY_OK });
    EXPECT_EQ(ty_sm2_many_sign(jobs.data(), jobs.size(), &rng), TY_ERR_RNG);
    for (int i = 0; i < 37; i++) {
        const bool failed = std::count(g.gaps.begin(), g.gaps.end(), i) != 0;
        EXPECT_EQ(jobs[(size_t)i].err, failed ? TY_ERR_RNG : TY_OK) << i;
        if (failed) { EXPECT_EQ(sigs[(size_t)i], Bytes(64)) << "zeroed"; }
        else { EXPECT_EQ(verify_e(sigs[(size_t)i], e, key.pub), TY_OK) << i; }
    }
}

// A first nonce that the standard rejects, and a point that a fault has moved off the curve.
TEST(Sm2Many, FirstNonceIsRejected)
{
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    const ty_sm2_key key = key_of(unhex(D));
    const Bytes k = unhex(K), fresh(32, 7);
    Bytes kg(64), e(32), sig(64), want(64);
    ty_ec_sm2_best()->mul_base(kg.data(), k.data());
    n->reduce(e.data(), kg.data());
    n->sub(e.data(), number(0).data(), e.data());   // r = 0
    EXPECT_EQ(ty_sm2_sign_seeded(want.data(), e.data(), &key, fresh.data(), nullptr, nullptr),
              TY_OK);
    EXPECT_EQ(
        ty_sm2_sign_seeded(sig.data(), e.data(), &key, fresh.data(), k.data(), kg.data()),
        TY_OK);
    EXPECT_EQ(sig, want);
    const Bytes good_e = unhex(E);
    EXPECT_EQ(ty_sm2_sign_seeded(want.data(), good_e.data(), &key, fresh.data(), nullptr, nullptr),
              TY_OK);
    for (const Bytes &useless : {number(0), unhex(N_HEX), Bytes(32, 0xff)}) {   // out of range
        EXPECT_EQ(ty_sm2_sign_seeded(sig.data(), good_e.data(), &key, fresh.data(),
                                          useless.data(), kg.data()),
                  TY_OK);
        EXPECT_EQ(sig, want) << hex(useless);
    }
    kg[63] ^= 1;
    EXPECT_EQ(
        ty_sm2_sign_seeded(sig.data(), e.data(), &key, fresh.data(), k.data(), kg.data()),
        TY_ERR_FAULT);
    EXPECT_EQ(sig, Bytes(64)) << "zeroed";
    ty_sm2_key bad = key;
    EXPECT_EQ(ty_sm2_key_assemble(&bad, key.d, key.inv1d, kg.data()), TY_ERR_FAULT);
    EXPECT_EQ(hex(&bad, sizeof bad), hex(Bytes(sizeof bad)));
}

// Numbers of jobs around the number of lanes, each with another key: whichever job is wrong, only
// that one fails.
TEST(Sm2Many, OneWrongVerification)
{
    enum { MOST = 17 };
    TestRng r(78);
    const ty_rng rng = r.ty();
    ty_sm2_key keys[MOST];
    uint8_t sigs[MOST][64], e[MOST][32];
    for (size_t i = 0; i < MOST; i++) {
        r.fill(e[i], 32);
        ASSERT_EQ(ty_sm2_keygen(&keys[i], &rng), TY_OK);
        ASSERT_EQ(ty_sm2_sign_digest(sigs[i], e[i], &keys[i], &rng), TY_OK);
    }
    ty_sm2_pub off = keys[0].pub, zero = { { 0 }, { 0 } };
    off.y[31] ^= 1;
    each_tier([&] {
        for (size_t n : { (size_t)0, (size_t)1, (size_t)2, (size_t)3, (size_t)7, (size_t)8,
                          (size_t)9, (size_t)MOST })
            for (size_t wrong = 0; wrong <= n; wrong++) {   // n: none
                if (tier_is_slow() && (n != 9 || wrong % 4)) continue;
                ty_sm2_verify_job jobs[MOST];
                ty_err want = TY_OK;
                for (size_t i = 0; i < n; i++)
                    jobs[i] = { sigs[i], e[i], nullptr, 0, nullptr, 0, &keys[i].pub, TY_ERR_IO };
                if (wrong < n) {
                    const size_t kind = wrong % 4;
                    if (kind == 0) jobs[wrong].e = sigs[wrong];
                    if (kind == 1) jobs[wrong].sig = sigs[(wrong + 1) % MOST];
                    if (kind == 2) jobs[wrong].pub = &off;
                    if (kind == 3) jobs[wrong].pub = &zero;
                    want = kind < 2 ? TY_ERR_VERIFY : TY_ERR_KEY;
                }
                EXPECT_EQ(ty_sm2_many_verify(jobs, n), want) << wrong << " of " << n;
                for (size_t i = 0; i < n; i++)
                    EXPECT_EQ(jobs[i].err, i == wrong ? want : TY_OK) << i << " of " << n;
            }
    });
}

// Many signatures of one key, and some of eleven others; every fifth job has one of seven errors.
TEST(Sm2Many, VerdictsEqualThoseOfSingleCalls)
{
    TestRng r(77);
    const ty_rng rng = r.ty();
    std::vector<ty_sm2_key> keys(12);
    for (ty_sm2_key &k : keys) ASSERT_EQ(ty_sm2_keygen(&k, &rng), TY_OK);
    ty_sm2_pub off = keys[0].pub;
    off.x[5] ^= 1;
    const Bytes id(8192, 'i'), msg = r.bytes(50);
    // on the first tier only: more than 256 jobs, among which those of one key are searched for
    bool long_one = true;
    each_tier([&] {
        for (size_t n : { (size_t)0, (size_t)1, (size_t)4, (size_t)5, (size_t)40,
                          (size_t)(long_one ? 262 : 41) }) {
            std::vector<Bytes> sigs(n, Bytes(64)), e(n);
            std::vector<ty_sm2_verify_job> jobs(n);
            std::vector<ty_sm2_pub> copies(n);
            std::vector<ty_err> want(n);
            ty_err first = TY_OK;
            for (size_t i = 0; i < n; i++) {
                const ty_sm2_key &key = keys[i % 4 ? 0 : i / 4 % 12];
                const size_t id_len = i % 3, msg_len = i % 51;
                e[i] = r.bytes(32);
                if (i % 2) {
                    ASSERT_EQ(ty_sm2_sign_digest(sigs[i].data(), e[i].data(), &key, &rng), TY_OK);
                } else {
                    ASSERT_EQ(ty_sm2_sign(sigs[i].data(), msg.data(), msg_len, id.data(), id_len,
                                          &key, &rng),
                              TY_OK);
                }
                copies[i] = key.pub;
                jobs[i] = { sigs[i].data(), i % 2 ? e[i].data() : nullptr,
                            msg.data(),     msg_len,
                            id.data(),      id_len,
                            &copies[i],     TY_ERR_IO };
                if (i % 5 == 4) switch (i / 5 % 7) {
                    case 0:
                        sigs[i][40] ^= 4;
                        break;
                    case 1:
                        sigs[i].assign(64, 0);
                        break;
                    case 2:
                        sigs[i].assign(64, 0xff);
                        break;
                    case 3:
                        jobs[i].pub = &off;
                        break;
                    case 4:
                        jobs[i].e = nullptr;
                        jobs[i].id_len = 8192;
                        break;
                    case 5:
                        jobs[i].pub = &keys[11].pub;
                        break;
                    case 6:
                        jobs[i].e = sigs[i].data();
                        break;
                    }
                const ty_sm2_verify_job &j = jobs[i];
                want[i] = j.e ? ty_sm2_verify_digest(j.sig, j.e, j.pub)
                              : ty_sm2_verify(j.sig, j.msg, j.msg_len, j.id, j.id_len, j.pub);
                EXPECT_EQ(want[i] == TY_OK, i % 5 != 4) << i;
                if (first == TY_OK) first = want[i];
            }
            EXPECT_EQ(ty_sm2_many_verify(jobs.data(), n), first);
            for (size_t i = 0; i < n; i++) EXPECT_EQ(jobs[i].err, want[i]) << i << " of " << n;
        }
        long_one = false;
        // an invalid key in several jobs
        const Bytes sig = unhex(SIG);
        std::vector<ty_sm2_verify_job> jobs(
            7, { sig.data(), msg.data(), nullptr, 0, nullptr, 0, &off, TY_OK });
        EXPECT_EQ(ty_sm2_many_verify(jobs.data(), jobs.size()), TY_ERR_KEY);
        for (const ty_sm2_verify_job &j : jobs) EXPECT_EQ(j.err, TY_ERR_KEY);
    });
}
