// The adversarial set (docs/sm2-vectors.md) on every tier: every verdict, and every result. The set
// is part of the repository, so these tests are never skipped.
#include "sm2/sm2_support.hpp"
#include "tongyu/key.h"
#include "tongyu/sm2_many.h"
#include <algorithm>

namespace {

const Json &set()
{
    static const Json all = load_vectors("sm2_adversarial.json").value();
    return all;
}

// Runs f(group, case) on the cases of a kind, one in 41 where a tier is emulated; it is a failure
// if there are fewer than `least`.
template <class F> void each_case(const char *kind, size_t least, F f)
{
    each_tier([&] {
        size_t n = 0;
        for (const Json &group : set().at("groups")) {
            if (group.at("kind") != kind) continue;
            for (const Json &t : group.at("cases")) {
                if (n++ % (tier_is_slow() ? 41 : 1)) continue;
                SCOPED_TRACE(t.at("id").text() + " " + t.at("why").text());
                f(group, t);
            }
        }
        EXPECT_GE(n, least);
    });
}

bool good(const Json &t) { return t.at("ok").truth(); }
ty_err verdict(const Json &t) { return good(t) ? TY_OK : TY_ERR_VERIFY; }

}   // namespace

TEST(Sm2Adversarial, TheSetIsComplete)
{
    size_t n = 0;
    for (const Json &group : set().at("groups")) n += group.at("cases").size();
    EXPECT_EQ(n, set().at("cases").number());
    EXPECT_GE(n, 3000u);
}

TEST(Sm2Adversarial, Signatures)
{
    each_case("verify", 3000, [](const Json &group, const Json &t) {
        const ty_sm2_pub pub = pub_of(field(group, "key"));
        const Bytes sig = field(t, "sig"), e = field(t, "e");
        EXPECT_EQ(ty_sm2_verify_digest(sig.data(), e.data(), &pub), verdict(t));
    });
}

// With a precomputed verifier, and all signatures of a key in one call
TEST(Sm2Adversarial, SignaturesOfOneKey)
{
    each_tier([&] {
        for (const Json &group : set().at("groups")) {
            if (group.at("kind") != "verify") continue;
            if (tier_is_slow() && group.at("cases").size() < 100) continue;
            const ty_sm2_pub pub = pub_of(field(group, "key"));
            ty_sm2_verifier verifier;
            ASSERT_EQ(ty_sm2_verifier_init(&verifier, &pub, ID.data(), ID.size()), TY_OK);
            std::vector<Bytes> kept;
            std::vector<ty_sm2_verify_job> jobs;
            std::vector<const Json *> cases;
            size_t n = 0;
            for (const Json &t : group.at("cases")) {
                if (n++ % (tier_is_slow() ? 41 : 1)) continue;
                kept.push_back(field(t, "sig"));
                kept.push_back(field(t, "e"));
                cases.push_back(&t);
            }
            for (size_t i = 0; i < cases.size(); i++) {
                ty_sm2_verify_job job = {};
                job.sig = kept[2 * i].data();
                job.e = kept[2 * i + 1].data();
                job.pub = &pub;
                jobs.push_back(job);
                EXPECT_EQ(ty_sm2_verifier_verify_digest(job.sig, job.e, &verifier),
                          verdict(*cases[i]))
                    << *cases[i];
            }
            (void)!ty_sm2_many_verify(jobs.data(), jobs.size());
            for (size_t i = 0; i < cases.size(); i++)
                EXPECT_EQ(jobs[i].err, verdict(*cases[i])) << *cases[i];
        }
    });
}

TEST(Sm2Adversarial, Messages)
{
    each_case("verify-message", 150, [](const Json &group, const Json &t) {
        const ty_sm2_pub pub = pub_of(field(group, "key"));
        const Bytes sig = field(t, "sig"), msg = field(t, "msg"), id = field(t, "identity");
        EXPECT_EQ(ty_sm2_verify(sig.data(), msg.data(), msg.size(), id.data(), id.size(), &pub),
                  verdict(t));
    });
}

TEST(Sm2Adversarial, EncodedSignatures)
{
    each_case("verify-der", 200, [](const Json &group, const Json &t) {
        const ty_sm2_pub pub = pub_of(field(group, "key"));
        const Bytes der = field(t, "der"), e = field(t, "e");
        Bytes sig(64);
        ty_err err = ty_sm2_sig_from_der(sig.data(), der.data(), der.size());
        if (err == TY_OK) err = ty_sm2_verify_digest(sig.data(), e.data(), &pub);
        EXPECT_EQ(err == TY_OK, good(t));
    });
}

TEST(Sm2Adversarial, Points)
{
    each_case("point", 300, [](const Json &, const Json &t) {
        const Bytes in = field(t, "point");
        ty_sm2_pub pub = {};
        const ty_err err = ty_sm2_pub_set(&pub, in.data(), in.size());
        ASSERT_EQ(err == TY_OK, good(t)) << err;
        if (good(t)) {
            EXPECT_EQ(hex(pub_bytes(pub)), hex(field(t, t.contains("full") ? "full" : "point")));
            Bytes shorter(33);
            ty_sm2_pub_get_compressed(shorter.data(), &pub);
            EXPECT_EQ(shorter[0], 2 | (pub.y[31] & 1));
            EXPECT_EQ(hex(&shorter[1], 32), hex(pub.x, 32));
        }
    });
}

TEST(Sm2Adversarial, PrivateKeys)
{
    each_case("scalar", 50, [](const Json &, const Json &t) {
        ty_sm2_key key;
        EXPECT_EQ(ty_sm2_key_set(&key, field(t, "d").data()), good(t) ? TY_OK : TY_ERR_KEY);
        if (good(t)) {
            EXPECT_EQ(hex(pub_bytes(key.pub)), hex(field(t, "public")));
        }
    });
}

TEST(Sm2Adversarial, Ciphertexts)
{
    each_case("decrypt", 300, [](const Json &group, const Json &t) {
        const ty_sm2_key key = key_of(field(group, "d"));
        Bytes ct = field(t, "ct"), msg(ct.size() < 97 ? 0 : ct.size() - 97, 0xAA);
        for (const ty_sm2_order order : {TY_SM2_C1C3C2, TY_SM2_C1C2C3}) {
            const ty_err err = ty_sm2_decrypt(msg.data(), ct.data(), ct.size(), order, &key);
            ASSERT_EQ(err == TY_OK, good(t)) << err;
            if (good(t)) {
                EXPECT_EQ(hex(msg), hex(field(t, "msg")));
            } else if (ct.size() > 97) {
                EXPECT_EQ(msg, Bytes(msg.size()));
            }
            if (ct.size() > 97) std::rotate(ct.begin() + 65, ct.begin() + 97, ct.end());
        }
    });
}

TEST(Sm2Adversarial, EncodedCiphertexts)
{
    each_case("decrypt-der", 70, [](const Json &group, const Json &t) {
        const ty_sm2_key key = key_of(field(group, "d"));
        const Bytes der = field(t, "der");
        size_t len = der.size() + 100;
        Bytes ct(len), msg(len);
        ty_err err = ty_sm2_ct_from_der(ct.data(), &len, der.data(), der.size());
        if (err == TY_OK) err = ty_sm2_decrypt(msg.data(), ct.data(), len, TY_SM2_C1C3C2, &key);
        ASSERT_EQ(err == TY_OK, good(t)) << err;
        if (good(t)) {
            EXPECT_EQ(hex(msg.data(), len - 97), hex(field(t, "msg")));
        }
    });
}

TEST(Sm2Adversarial, Exchanges)
{
    each_case("exchange", 130, [](const Json &, const Json &t) {
        const ty_sm2_key key = key_of(field(t, "d"));
        const ty_sm2_pub peer = pub_of(field(t, "peer"));
        const bool first = t.at("initiator").truth();
        const Bytes id = field(t, "identity"), peer_id = field(t, "peer_identity");
        const Bytes running = cat({{(uint8_t)(first ? TY_SM2_INITIATOR : TY_SM2_RESPONDER)},
                                   field(t, "r")});
        ty_sm2_kx kx;
        ASSERT_EQ(ty_sm2_kx_set(&kx, running.data()), TY_OK);
        Bytes shared(t.at("length").number(), 0xAA), sent(32), wanted(32);
        const ty_err err = ty_sm2_kx_final(
            shared.data(), shared.size(), sent.data(), wanted.data(),
            field(t, "peer_ephemeral").data(), id.data(), id.size(), peer_id.data(), peer_id.size(),
            &peer, &key, &kx);
        ASSERT_EQ(err == TY_OK, good(t)) << err;
        EXPECT_EQ(hex(shared), good(t) ? hex(field(t, "key")) : hex(Bytes(shared.size())));
    });
}
