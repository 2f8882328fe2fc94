// Secrets that calls on binary curves leave on the stack, for every named curve: scalars, nonces
// and values computed from them, shared points.
#include "fault/residue_search.hpp"
#include "support/rng.hpp"
#include "tongyu/tongyu.h"
extern "C" {
#include "ec/ec_binary.h"
#include "mac/hmac_drbg.h"
#include "modn/scalar.h"
}

namespace {

struct ResidueEc : testing::Test {
    TestRng r{35};
    ty_rng rng = r.ty();
    const ty_ec_curve *curve = nullptr;
    ty_ec_key key, peer;
    size_t len = 0;
    uint8_t sig[2 * TY_EC_MAX];
    template <class F> void on_every_curve(F run)
    {
        for (size_t i = 0; (curve = ty_ec_curve_at(i)); i++) {
            SCOPED_TRACE(ty_ec_curve_name(curve));
            len = ty_ec_order_len(curve);
            ASSERT_EQ(ty_ec_keygen(&key, curve, &rng), TY_OK);
            ASSERT_EQ(ty_ec_keygen(&peer, curve, &rng), TY_OK);
            run();
        }
    }
    Secrets own() const
    {
        Secrets s;
        s.add("d", key.d, len);
        return s;
    }
    // the bytes of a scalar's limbs without the last one, which may have only a few bits
    static size_t whole(const ty_scalar_ring &n) { return n.bits / 64 * 8; }
    // adds k for this seed and what is computed with it: the state of the DRBG, 1/k and r d
    void add_nonce(Secrets &s, Bytes seed, bool dstu) const
    {
        ty_hmac_drbg_sha256 drbg;
        ty_scalar_ring n;
        ty_scalar x, y;
        Bytes k(len), t(len);
        ty_scalar_ring_init(&n, curve->n, curve->n_bits);
        ty_hmac_drbg_sha256_init(&drbg, seed.data(), seed.size());
        s.add("drbg: inner state", drbg.k.inner.h, 32)
            .add("drbg: outer state", drbg.k.outer.h, 32)
            .add("V", drbg.v, 32);
        do {
            ty_hmac_drbg_sha256_next(t.data(), len, &drbg);
            for (size_t i = 0, shift = (size_t)-(int)curve->n_bits & 7; i < len; i++)
                k[i] = (uint8_t)(((i ? t[i - 1] << 8 : 0) | t[i]) >> shift);
        } while (!ty_ec_scalar_ok(k.data(), curve));
        s.add("candidate", t).add("k", k);
        ty_scalar_set(&x, k.data(), len, &n);
        s.add("k as a scalar", x.w, whole(n));
        if (!dstu) {
            ty_scalar_inv(&x, &x, &n);
            ty_scalar_get(t.data(), &x, &n);
            s.add("1/k", t).add("1/k as a scalar", x.w, whole(n));
        }
        Bytes half(sig, sig + len);
        if (dstu) std::reverse(half.begin(), half.end());
        ty_scalar_set(&x, half.data(), len, &n);
        ty_scalar_set(&y, key.d, len, &n);
        s.add("d as a scalar", y.w, whole(n));
        ty_scalar_mul(&x, &x, &y, &n);
        ty_scalar_get(t.data(), &x, &n);
        s.add("r d", t).add("r d as a scalar", x.w, whole(n));
        expect_nonce(k, x, half, dstu, n);
    }
    // checks that k is the nonce: r = x(kG) in ECDSA, s = k + r d in DSTU 4145
    void expect_nonce(const Bytes &k, ty_scalar rd, const Bytes &r, bool dstu,
                      const ty_scalar_ring &n) const
    {
        ty_scalar x;
        Bytes got(len), xy(2 * TY_EC_MAX), s(sig + len, sig + 2 * len);
        if (dstu) {
            ty_scalar_set(&x, k.data(), len, &n);
            ty_scalar_add(&x, &x, &rd, &n);
            std::reverse(s.begin(), s.end());
        } else {
            ty_ec_binary_best(curve)->mul_base(xy.data(), k.data(), curve);
            ty_scalar_set(&x, xy.data(), ty_ec_field_len(curve), &n);
        }
        ty_scalar_get(got.data(), &x, &n);
        EXPECT_EQ(got, dstu ? s : r) << "the signature has another nonce";
    }
};

TEST_F(ResidueEc, Keys)
{
    on_every_curve([&] {
        const Secrets s = own();
        ty_ec_key again;
        at_every_level([&] {
            EXPECT_EQ(
                traces([&] { MUST_GIVE(ty_ec_key_set(&again, curve, key.d, len), TY_OK); }, s), 0)
                << "set";
            ScriptRng drawn{Bytes(key.d, key.d + len)};
            const ty_rng source = drawn.ty();
            EXPECT_EQ(traces([&] { MUST_GIVE(ty_ec_keygen(&again, curve, &source), TY_OK); }, s), 0)
                << "keygen";
        });
    });
}

TEST_F(ResidueEc, Agreement)
{
    on_every_curve([&] {
        Secrets s = own(), with_h;
        ty_ec_pub z, hz;
        uint8_t out[TY_EC_MAX], h[TY_EC_MAX] = {0};
        const size_t field = ty_ec_field_len(curve);
        for (size_t i = 0; i < 4 && i < len; i++) h[len - 1 - i] = (uint8_t)(curve->h >> 8 * i);
        ASSERT_EQ(ty_ec_mul(&z, key.d, &peer.pub), TY_OK);
        ASSERT_EQ(ty_ec_mul(&hz, h, &z), TY_OK);
        with_h = s;
        s.add("x", z.xy, field).add("y", z.xy + field, field);
        with_h.add("x", hz.xy, field).add("y", hz.xy + field, field);
        at_every_level([&] {
            EXPECT_EQ(traces([&] { MUST_GIVE(ty_ec_ecdh(out, &peer.pub, &key), TY_OK); }, s), 0)
                << "ecdh";
            EXPECT_EQ(std::memcmp(out, z.xy, field), 0);
            EXPECT_EQ(traces([&] { MUST_GIVE(ty_ec_ecdh_cofactor(out, &peer.pub, &key), TY_OK); },
                             with_h),
                      0)
                << "cofactor";
            EXPECT_EQ(std::memcmp(out, hz.xy, field), 0);
            EXPECT_EQ(traces([&] { MUST_GIVE(ty_ec_mul(&hz, key.d, &peer.pub), TY_OK); }, s), 0)
                << "mul";
            ty_ec_pub four[4];
            ty_ec_mul_job jobs[4];
            for (int i = 0; i < 4; i++) jobs[i] = {&four[i], key.d, &peer.pub, TY_OK};
            EXPECT_EQ(traces([&] { MUST_GIVE(ty_ec_many_mul(jobs, 4), TY_OK); }, s), 0)
                << "many_mul";
            EXPECT_EQ(std::memcmp(four[3].xy, z.xy, 2 * field), 0);
            ASSERT_EQ(ty_ec_mul(&hz, h, &z), TY_OK);
        });
    });
}

// The seed of a nonce is d || the digest as a scalar (ECDSA) or a field element (DSTU 4145), then a
// label for DSTU 4145, then fresh random bytes if the nonce is hedged.
TEST_F(ResidueEc, Signing)
{
    on_every_curve([&] {
        const Bytes digest = r.bytes(32), noise = r.bytes(32);
        const size_t field = ty_ec_field_len(curve);
        ty_scalar_ring n;
        ty_scalar e;
        Bytes cut(len), e_bytes(len), h(field);
        ty_scalar_ring_init(&n, curve->n, curve->n_bits);
        // a digest that is shorter than n is not shifted
        const size_t shift = len <= 32 ? (size_t)-(int)curve->n_bits & 7 : 0;
        for (size_t i = 0; i < len; i++) {
            const size_t gap = len > 32 ? len - 32 : 0;
            cut[i] = i < gap
                         ? 0
                         : (uint8_t)(((i > gap ? digest[i - gap - 1] << 8 : 0) | digest[i - gap]) >>
                                     shift);
        }
        ty_scalar_set(&e, cut.data(), len, &n);
        ty_scalar_get(e_bytes.data(), &e, &n);
        for (size_t i = 0; i < field && i < 32; i++) h[field - 1 - i] = digest[i];
        if (ty_ec_field_bits(curve) % 8) h[0] &= (uint8_t)((1u << ty_ec_field_bits(curve) % 8) - 1);
        for (const bool dstu : {false, true})
            for (const bool hedge : {false, true}) {
                SCOPED_TRACE(std::string(dstu ? "DSTU" : "ECDSA") + (hedge ? ", hedged" : ""));
                const auto sign = [&] {
                    ScriptRng drawn{noise};
                    const ty_rng source = drawn.ty();
                    return (dstu ? ty_dstu4145_sign : ty_ecdsa_sign)(sig, digest.data(), 32, &key,
                                                                     hedge ? &source : nullptr);
                };
                ASSERT_EQ(sign(), TY_OK);
                Bytes seed(key.d, key.d + len);
                for (const Bytes &part : { dstu ? h : e_bytes, dstu ? bytes("DSTU 4145") : Bytes(),
                                           hedge ? noise : Bytes() })
                    seed.insert(seed.end(), part.begin(), part.end());
                Secrets s = own();
                if (hedge) s.add("fresh bytes", noise);
                add_nonce(s, seed, dstu);
                at_every_level([&] { EXPECT_EQ(traces([&] { MUST_GIVE(sign(), TY_OK); }, s), 0); });
            }
    });
}

}
