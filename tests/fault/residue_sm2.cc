// Secrets that SM2 leaves on the stack: the key, the nonce and its seed, the shared points and the
// keys derived from them.
#include "fault/residue_search.hpp"
#include "support/rng.hpp"
#include "tongyu/tongyu.h"
extern "C" {
#include "ec/ec_sm2.h"
#include "mac/hmac_drbg.h"
#include "mod/n_sm2.h"
}

namespace {

Bytes join(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
Bytes of(const uint8_t *p, size_t n) { return Bytes(p, p + n); }

struct ResidueSm2 : testing::Test {
    TestRng r{34};
    ty_rng rng = r.ty();
    ty_sm2_key key, peer;
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    void SetUp() override
    {
        ASSERT_EQ(ty_sm2_keygen(&key, &rng), TY_OK);
        ASSERT_EQ(ty_sm2_keygen(&peer, &rng), TY_OK);
    }
    Secrets own() const
    {
        Secrets s;
        s.add("d", of(key.d, 32)).add("1/(1 + d)", of(key.inv1d, 32));
        return s;
    }
    // 2 min(k, n - k): what the multi-buffer kernels compute from a scalar
    Bytes twice_min(const Bytes &k) const
    {
        Bytes other(32), twice(32);
        n->sub(other.data(), Bytes(32).data(), k.data());
        const Bytes &less = std::min(k, other);
        for (size_t i = 0; i < 32; i++)
            twice[i] = (uint8_t)(less[i] << 1 | (i < 31 ? less[i + 1] >> 7 : 0));
        return twice;
    }
    // both coordinates of k P
    Bytes times(const Bytes &k, const ty_sm2_pub &p) const
    {
        Bytes xy = join(of(p.x, 32), of(p.y, 32));
        EXPECT_NE(ec->mul(xy.data(), k.data(), xy.data()), 0u);
        return xy;
    }
};

TEST_F(ResidueSm2, Keys)
{
    ty_sm2_key k;
    const Secrets s = own();
    at_every_level([&] {
        EXPECT_EQ(traces([&] { MUST_GIVE(ty_sm2_key_set(&k, key.d), TY_OK); }, s), 0) << "set";
        ScriptRng drawn{of(key.d, 32)};
        const ty_rng source = drawn.ty();
        EXPECT_EQ(traces([&] { MUST_GIVE(ty_sm2_keygen(&k, &source), TY_OK); }, s), 0) << "keygen";
        std::vector<ty_sm2_key> many(5);
        std::vector<ty_sm2_keygen_job> jobs;
        Bytes scalars = of(key.d, 32);
        for (ty_sm2_key &one : many) {
            jobs.push_back({&one, TY_OK});
            scalars = join(scalars, r.bytes(32));
        }
        ScriptRng all{scalars};
        const ty_rng sources = all.ty();
        EXPECT_EQ(
            traces(
                [&] { MUST_GIVE(ty_sm2_many_keygen(jobs.data(), jobs.size(), &sources), TY_OK); },
                s),
            0)
            << "many";
    });
}

TEST_F(ResidueSm2, Signing)
{
    const Bytes e = r.bytes(32), noise = r.bytes(32), d = of(key.d, 32);
    ty_hmac_drbg_sm3 drbg;
    Bytes seed = join(d, Bytes(32)), fixed(32), hedged(32),
          message = join(join(join(noise, d), e), bytes("tongyu sm2 nonce"));
    message.push_back(0);   // the number of the candidate, after a label of 16 characters
    ty_sm3_hash(hedged.data(), message.data(), message.size());
    n->reduce(&seed[32], e.data());
    ty_hmac_drbg_sm3_init(&drbg, seed.data(), seed.size());
    Secrets of_fixed = own(), of_hedged = own();
    of_fixed.add("drbg: inner state", drbg.k.inner.h, 32)
        .add("drbg: outer state", drbg.k.outer.h, 32)
        .add("V", drbg.v, 32);
    ty_hmac_drbg_sm3_next(fixed.data(), 32, &drbg);
    of_hedged.add("fresh bytes", noise);
    uint8_t sig[9][64];
    for (const bool hedge : {false, true}) {
        Bytes t(32), &k = hedge ? hedged : fixed;
        Secrets &s = hedge ? of_hedged : of_fixed;
        ScriptRng drawn{noise};
        const ty_rng source = drawn.ty();
        ASSERT_EQ(hedge ? ty_sm2_sign_digest(sig[0], e.data(), &key, &source)
                        : ty_sm2_sign_digest_deterministic(sig[0], e.data(), &key),
                  TY_OK);
        const Bytes xy = [&] {
            Bytes p(64);
            ec->mul_base(p.data(), k.data());
            return p;
        }();
        n->reduce(t.data(), e.data());
        n->add(t.data(), t.data(), xy.data());
        ASSERT_EQ(t, of(sig[0], 32)) << "the signature has another nonce";
        n->add(t.data(), t.data(), k.data());
        s.add("k", k).add("k + r", t).add("2 min(k, n - k)", twice_min(k));
    }
    ty_sm2_signer signer;
    ASSERT_EQ(ty_sm2_signer_init(&signer, &key, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN), TY_OK);
    at_every_level([&] {
        // only the nonce of the first job is searched for
        for (const size_t count : {1, 5, 9}) {
            ScriptRng drawn{join(noise, r.bytes(32 * 8))};
            const ty_rng source = drawn.ty();
            std::vector<ty_sm2_sign_job> jobs;
            for (size_t i = 0; i < count; i++) {
                ty_sm2_sign_job job = {};
                job.sig = sig[i];
                job.e = e.data();
                job.key = &key;
                jobs.push_back(job);
            }
            EXPECT_EQ(
                traces([&] { MUST_GIVE(ty_sm2_many_sign(jobs.data(), count, &source), TY_OK); },
                       of_hedged),
                0)
                << count << " hedged";
            EXPECT_EQ(
                traces(
                    [&] { MUST_GIVE(ty_sm2_many_sign_deterministic(jobs.data(), count), TY_OK); },
                    of_fixed),
                0)
                << count << " deterministic";
        }
        ScriptRng drawn{noise};
        const ty_rng source = drawn.ty();
        EXPECT_EQ(
            traces([&] { MUST_GIVE(ty_sm2_sign_digest(sig[0], e.data(), &key, &source), TY_OK); },
                   of_hedged),
            0)
            << "hedged";
        EXPECT_EQ(
            traces(
                [&] { MUST_GIVE(ty_sm2_sign_digest_deterministic(sig[0], e.data(), &key), TY_OK); },
                of_fixed),
            0)
            << "deterministic";
        const Secrets s = own();
        EXPECT_EQ(
            traces(
                [&] { MUST_GIVE(ty_sm2_signer_sign(sig[0], e.data(), 32, &signer, &rng), TY_OK); },
                s),
            0)
            << "signer";
    });
}

TEST_F(ResidueSm2, Encryption)
{
    for (const size_t len : {16, 500}) {
        SCOPED_TRACE(len);
        const Bytes msg = r.bytes(len), k = r.bytes(32), xy = times(k, key.pub);
        Bytes out(len + TY_SM2_OVERHEAD), back(len), stream(len + 32);
        ASSERT_EQ(ty_kdf_sm3(stream.data(), stream.size(), xy.data(), 64), TY_OK);
        Secrets s = own();
        s.add("k", k).add("x2, y2", xy).add("key stream", stream).add("message", msg);
        at_every_level([&] {
            ScriptRng drawn{k};
            const ty_rng source = drawn.ty();
            EXPECT_EQ(traces(
                          [&] {
                              MUST_GIVE(ty_sm2_encrypt(out.data(), msg.data(), len, TY_SM2_C1C3C2,
                                                       &key.pub, &source),
                                        TY_OK);
                          },
                          s),
                      0)
                << "encrypt";
            EXPECT_EQ(traces(
                          [&] {
                              MUST_GIVE(ty_sm2_decrypt(back.data(), out.data(), out.size(),
                                                       TY_SM2_C1C3C2, &key),
                                        TY_OK);
                          },
                          s),
                      0)
                << "decrypt";
            out.back() ^= 1;
            EXPECT_EQ(traces(
                          [&] {
                              MUST_GIVE(ty_sm2_decrypt(back.data(), out.data(), out.size(),
                                                       TY_SM2_C1C3C2, &key),
                                        TY_ERR_VERIFY);
                          },
                          s),
                      0)
                << "forged";
        });
    }
}

// Nine jobs, which are computed together where a level has vectors. Only the secrets of the first
// one are searched for.
TEST_F(ResidueSm2, ManyPoints)
{
    for (const size_t len : {16, 300}) {
        SCOPED_TRACE(len);
        enum { N = 9 };
        const Bytes msg = r.bytes(len), k = r.bytes(32), rest = r.bytes(32 * (N - 1)),
                    xy = times(k, key.pub), agreed = times(of(key.d, 32), peer.pub);
        std::vector<Bytes> out(N, Bytes(len + TY_SM2_OVERHEAD)), back(N, Bytes(len));
        Bytes stream(len + 32), x(32 * N);
        ASSERT_EQ(ty_kdf_sm3(stream.data(), stream.size(), xy.data(), 64), TY_OK);
        Secrets s = own(), of_ecdh = own();
        s.add("k", k).add("2 min(k, n - k)", twice_min(k)).add("x2, y2", xy);
        s.add("key stream", stream).add("message", msg);
        s.add("2 min(d, n - d)", twice_min(of(key.d, 32)));
        of_ecdh.add("shared point", agreed).add("2 min(d, n - d)", twice_min(of(key.d, 32)));
        std::vector<ty_sm2_ecdh_job> ecdh;
        std::vector<ty_sm2_encrypt_job> encrypt;
        std::vector<ty_sm2_decrypt_job> decrypt;
        for (size_t i = 0; i < N; i++) {
            ecdh.push_back({ &x[32 * i], i ? &key.pub : &peer.pub, i ? &peer : &key, TY_OK });
            encrypt.push_back({ out[i].data(), msg.data(), len, TY_SM2_C1C3C2, &key.pub, TY_OK });
            decrypt.push_back({ back[i].data(), out[i].data(), out[i].size(), TY_SM2_C1C3C2, &key,
                                TY_OK });
        }
        at_every_level([&] {
            ScriptRng drawn{join(k, rest)};
            const ty_rng source = drawn.ty();
            const auto clean = [&](const char *what, const Secrets &of, auto call) {
                EXPECT_EQ(traces([&] { MUST_GIVE(call(), TY_OK); }, of), 0) << what;
            };
            clean("ecdh", of_ecdh, [&] { return ty_sm2_many_ecdh(ecdh.data(), N); });
            clean("encrypt", s, [&] { return ty_sm2_many_encrypt(encrypt.data(), N, &source); });
            clean("decrypt", s, [&] { return ty_sm2_many_decrypt(decrypt.data(), N); });
            EXPECT_EQ(back[0], msg);
            EXPECT_EQ(Bytes(x.begin(), x.begin() + 32), Bytes(agreed.begin(), agreed.begin() + 32));
        });
    }
}

TEST_F(ResidueSm2, Agreement)
{
    uint8_t out[32];
    Secrets s = own();
    s.add("shared point", times(of(key.d, 32), peer.pub));
    at_every_level([&] {
        EXPECT_EQ(traces([&] { MUST_GIVE(ty_sm2_ecdh(out, &peer.pub, &key), TY_OK); }, s), 0);
    });
}

// z = x' = 2^127 + (x mod 2^127): GB/T 32918.3, 6.1
Bytes half(const uint8_t *x)
{
    Bytes z(32);
    std::memcpy(&z[16], x + 16, 16);
    z[16] |= 0x80;
    return z;
}

TEST_F(ResidueSm2, KeyExchange)
{
    const Bytes ours = r.bytes(32), id = bytes("one"), peer_id = bytes("two");
    ty_sm2_kx kx, theirs;
    uint8_t sent[65], got[65], shared[48], send[32], expect[32];
    ASSERT_EQ(ty_sm2_kx_init(&theirs, got, TY_SM2_RESPONDER, &rng), TY_OK);
    const auto begin = [&] {
        ScriptRng drawn{ours};
        const ty_rng source = drawn.ty();
        return ty_sm2_kx_init(&kx, sent, TY_SM2_INITIATOR, &source);
    };
    const auto end = [&] {
        return ty_sm2_kx_final(shared, sizeof shared, send, expect, got, id.data(), id.size(),
                               peer_id.data(), peer_id.size(), &peer.pub, &key, &kx);
    };
    ASSERT_EQ(begin(), TY_OK);
    // U = t (P + x2' R), t = d + x1' r
    Bytes t = half(kx.ephemeral.x), u(64), p = join(of(peer.pub.x, 32), of(peer.pub.y, 32));
    n->mul(t.data(), t.data(), ours.data());
    n->add(t.data(), t.data(), key.d);
    ASSERT_NE(ec->mul(u.data(), half(got + 1).data(), got + 1), 0u);
    ASSERT_NE(ec->add(u.data(), u.data(), p.data()), 0u);
    ASSERT_NE(ec->mul(u.data(), t.data(), u.data()), 0u);
    Bytes names(64), derived(sizeof shared + 16);
    ASSERT_EQ(ty_sm2_z(&names[0], id.data(), id.size(), &key.pub), TY_OK);
    ASSERT_EQ(ty_sm2_z(&names[32], peer_id.data(), peer_id.size(), &peer.pub), TY_OK);
    ASSERT_EQ(ty_kdf_sm3(derived.data(), derived.size(), join(u, names).data(), 128), TY_OK);
    Secrets s = own();
    s.add("r", ours).add("t", t).add("U", u).add("key", derived);
    at_every_level([&] {
        EXPECT_EQ(traces([&] { MUST_GIVE(begin(), TY_OK); }, s), 0) << "init";
        EXPECT_EQ(traces([&] { MUST_GIVE(end(), TY_OK); }, s), 0) << "final";
    });
    EXPECT_EQ(of(shared, sizeof shared), of(derived.data(), sizeof shared)) << "another U";
}

}
