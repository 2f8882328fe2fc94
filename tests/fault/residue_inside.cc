// Internal functions alone, so that no later call writes over what they leave on the stack. Secrets
// that cannot be searched for as bytes (residues, the matrix of a division step, halves of words)
// are found by comparison: the stack must be the same for another secret.
#include "fault/residue_search.hpp"
#include "support/rng.hpp"
#include "tongyu/tongyu.h"
#include <memory>
extern "C" {
#include "ec/ec_binary.h"
#include "limb/limb.h"
#include "mldsa/mldsa.h"
#include "modn/modn.h"
#include "modn/scalar.h"
}

namespace {

// The number of bytes on the stack that depend on which of two secrets f was given. choose(i) puts
// secret i in its place, outside the stack that is compared; f reads it there.
size_t leaking(const std::function<void(int)> &choose, const std::function<void()> &f)
{
    Bytes left[3];
    for (int i = 0; i < 3; i++) {
        const uint8_t *end;
        choose(i % 2);
        (void)residue::run(f, &end);
        left[i].assign(end - (residue::STACK - 2 * residue::ABOVE), end);
        EXPECT_FALSE(residue::wrong) << "a call returned an unexpected value";
        residue::wrong = false;
    }
    EXPECT_EQ(left[0], left[2]) << "not the same twice";
    size_t count = 0, deepest = 0;
    for (size_t i = left[0].size(); i-- > 0;)
        if (left[0][i] != left[1][i]) count++, deepest = left[0].size() - i;
    if (count) std::cout << "[ RESIDUE  ] " << count << " bytes, down to " << deepest << "\n";
    return count;
}

struct ResidueInside : testing::Test {
    TestRng r{36};
    // draws two secrets of n bytes; the function that is returned copies one of them to place
    template <class T> std::function<void(int)> either(T *place, size_t n)
    {
        const Bytes a = r.bytes(n), b = r.bytes(n);
        return [=](int i) { std::memcpy((void *)place, (i ? b : a).data(), n); };
    }
};

TEST_F(ResidueInside, TheComparisonFinds)
{
    uint8_t secret[16];
    const auto careless = [&] {
        volatile uint8_t copy[64];
        for (int i = 0; i < 64; i++) copy[i] = i & 3 ? 0 : secret[i / 4];
        (void)copy[0];
    };
    const auto careful = [&] {
        volatile uint8_t copy[64];
        for (int i = 0; i < 64; i++) copy[i] = i & 3 ? 0 : secret[i / 4];
        ty_wipe((void *)copy, sizeof copy);
    };
    EXPECT_GE(leaking(either(secret, 16), careless), 8u);
    EXPECT_EQ(leaking(either(secret, 16), careful), 0u);
}

// The compiler spills some words of the last messages, far fewer than the lanes hold.
TEST_F(ResidueInside, ManyDigests)
{
    static uint8_t in[9][200], out[9][32];
    std::vector<ty_sm3_job> jobs;
    for (size_t i = 0; i < 9; i++) jobs.push_back({ out[i], in[i], 20 * i + 7 });
    at_every_level([&] {
        EXPECT_LE(leaking(either(in, sizeof in), [&] { ty_sm3_many_hash(jobs.data(), 9); }), 512u);
    });
}

TEST_F(ResidueInside, Scalars)
{
    ty_scalar_ring n;
    static ty_scalar x, z;
    static uint8_t bytes[32];
    const ty_ec_curve *curve = ty_ec_curve_named("sect233r1");
    ty_scalar_ring_init(&n, curve->n, curve->n_bits);
    const auto choose = [&, put = either(bytes, n.len)](int i) {
        put(i);
        ty_scalar_set(&x, bytes, n.len, &n);
    };
    EXPECT_EQ(leaking(choose, [&] { ty_scalar_inv(&z, &x, &n); }), 0u) << "inverse";
    EXPECT_EQ(leaking(choose, [&] { ty_scalar_get(bytes, &x, &n); }), 0u) << "to bytes";
}

TEST_F(ResidueInside, Integers)
{
    static ty_mp x, y;
    const auto choose = [&](int i) {
        const Bytes of[] = { Bytes(32, (uint8_t)(i + 1)), Bytes(32, (uint8_t)(i + 3)) };
        ASSERT_EQ(ty_mp_set_be(&x, of[0].data(), 32), TY_OK);
        ASSERT_EQ(ty_mp_set_be(&y, of[1].data(), 32), TY_OK);
    };
    ty_mp_init(&x), ty_mp_init(&y);
    EXPECT_EQ(leaking(choose, [&] { ty_mp_swap(&x, &y); }), 0u) << "swap";
    // R^2 modulo a secret modulus, and a product: some words are spilt, but no whole number
    {
        const size_t n = TY_LIMB_MONT, spilt = 5 * sizeof(ty_limb);
        std::vector<ty_limb> m(n), rr(n), t(2 * n);
        ty_modn c = {};
        c.ops = ty_limb_best(), c.m = m.data(), c.rr = rr.data(), c.n = n, c.t = t.data();
        c.engine = &ty_modn_limbs, c.words = n;
        const Bytes a = r.bytes(n * sizeof m[0]), b = r.bytes(n * sizeof m[0]);
        const auto modulus = [&](int i) {
            std::memcpy(m.data(), (i ? b : a).data(), a.size());
            m[0] |= 1, m[n - 1] |= (ty_limb)1 << (TY_LIMB_BITS - 1);
            c.minv = ty_limb_minv(m[0]);
        };
        EXPECT_LE(leaking(modulus, [&] { ty_modn_rr_few(rr.data(), &c); }), spilt);
        const auto factors = either(rr.data(), n * sizeof rr[0]);
        modulus(0);
        EXPECT_LE(leaking(factors, [&] {
            ty_limb_ops_c.mont(t.data(), rr.data(), rr.data(), m.data(), n, c.minv);
        }), spilt + 4 * sizeof(ty_limb)) << "product";
    }
}

// Products and squares of every length that has code of its own: the compiler spills two limbs of
// the portable ones.
TEST_F(ResidueInside, Products)
{
    enum { MOST = 2560 / TY_LIMB_BITS, SPILT = 2 * sizeof(ty_limb) };
    static ty_limb x[MOST], z[2 * MOST];
    at_every_level([&] {
        const ty_limb_ops *ops = ty_limb_best();
        for (size_t n = 3; n <= MOST; n++) {
            const auto factor = either(x, n * sizeof x[0]);
#if defined(__x86_64__)
            const size_t spilt = ops == &ty_limb_ops_c ? SPILT : 0;
#else
            const size_t spilt = SPILT;
#endif
            EXPECT_LE(leaking(factor, [&] { ops->sqr(z, x, n); }), spilt) << "square, " << n;
            EXPECT_LE(leaking(factor, [&] { ops->mul(z, x, n, x, n); }), spilt) << "product, " << n;
        }
    });
}

// The masks of a data unit: each is as good as the encrypted tweak. 16 blocks and more are computed
// by vectors, and a part of a block wipes the stack below.
TEST_F(ResidueInside, MasksOfXts)
{
    static uint8_t tweak[16], in[1040], out[1040];
    ty_sm4_xts_key key;
    ASSERT_EQ(ty_sm4_xts_init(&key, r.bytes(32).data()), TY_OK);
    at_every_level([&] {
        for (const size_t len : { 16, 32, 48, 64, 128, 144, 256, 512, 544, 1024, 1040 })
            for (const auto f : { ty_sm4_xts_ieee_encrypt, ty_sm4_xts_gb_encrypt })
                EXPECT_EQ(leaking(either(tweak, 16), [&] {
                    MUST_GIVE(f(out, in, len, tweak, &key), TY_OK);
                }), 0u) << len;
    });
}

TEST_F(ResidueInside, MlDsaKernels)
{
    static int32_t a[256 + 16], x[256], y[256];
    static uint8_t in[2 * TY_SHAKE256_BLOCK], packed[23 * 32];
    at_every_level([&] {
        const ty_mldsa_ops *ops = ty_mldsa_best();
        for (const int32_t eta : {2, 4}) {
            SCOPED_TRACE(eta);
            // both give 256 coefficients, so that the last group ends in the same place
            size_t first = 0;
            std::vector<Bytes> of;
            while (of.size() < 2) {
                const Bytes some = r.bytes(sizeof in);
                if (ops->small(a, 0, some.data(), some.size(), eta) == 256) of.push_back(some);
                ASSERT_LT(++first, 1000u);
            }
            EXPECT_LE(leaking([&](int i) { std::memcpy(in, of[(size_t)i].data(), sizeof in); },
                              [&] { (void)ops->small(a, 0, in, sizeof in, eta); }),
                      8u)
                << "small";
        }
        const auto choose = [&, put = either(packed, sizeof packed)](int i) {
            put(i);
            for (size_t j = 0; j < 256; j++) x[j] = packed[j], y[j] = packed[2 * j];
        };
        EXPECT_LE(leaking(choose, [&] { ops->times_packed(packed, x, y, 256); }), 8u) << "times";
    });
}

// Seeds and masks of a signature, before the next function writes over them
TEST_F(ResidueInside, MlDsaSeeds)
{
    static ty_mldsa_signer signer;
    static ty_mldsa_signing job;
    static ty_q_poly y[8];
    static uint8_t rnd[1][32];
    const Bytes k = r.bytes(32), noise = r.bytes(32), mu = r.bytes(64), rho = r.bytes(64);
    const auto all = [](std::initializer_list<Bytes> parts, size_t len) {
        Bytes in, out(len);
        for (const Bytes &p : parts) in.insert(in.end(), p.begin(), p.end());
        ty_shake256_hash(out.data(), len, in.data(), in.size());
        return out;
    };
    std::memcpy(signer.k, k.data(), 32);
    std::memcpy(job.mu, mu.data(), 64);
    job.from = &signer;
    Secrets seeds{ k, noise, all({ k, noise, mu }, 64) }, masks;
    const ty_mldsa_env env = ty_mldsa_env_of(ty_mldsa_find(TY_MLDSA_65));
    for (uint8_t i = 0; i < 5; i++)
        masks.add("stream", all({ rho, { i, 0 } }, 5 * TY_SHAKE256_BLOCK));
    at_every_level([&] {
        std::memcpy(rnd[0], noise.data(), 32);
        EXPECT_EQ(traces([&] { ty_mldsa_sign_seed(&job, rnd, 1); }, seeds), 0) << "seed";
        EXPECT_EQ(traces(
                      [&] {
                          (void)ty_mldsa_expand_mask(y, 5, rho.data(), 0, &env);
                          ty_mldsa_mask_forget();
                      },
                      masks),
                  0)
            << "masks";
    });
    EXPECT_EQ(Bytes(job.rho, job.rho + 64), all({ k, noise, mu }, 64));
}

// The bytes that a random source returned before it failed
TEST_F(ResidueInside, SourceThatFails)
{
    static ty_mldsa_key key;
    static uint8_t sig[TY_MLDSA_SIG_MAX], seed[32];
    static Bytes noise;
    noise = r.bytes(32);
    const ty_rng failing = { [](void *, uint8_t *p, size_t n) {
                                std::memcpy(p, noise.data(), std::min(n, noise.size()));
                                return TY_ERR_RNG;
                            },
                             nullptr };
    ASSERT_EQ(ty_mldsa_key_from_seed(&key, seed, TY_MLDSA_44), TY_OK);
    static ty_mldsa_signer ready;
    ASSERT_EQ(ty_mldsa_signer_init(&ready, &key), TY_OK);
    EXPECT_EQ(traces([&] {
        MUST_GIVE(ty_mldsa_signer_sign_mu(sig, ty_mldsa_sig_len(TY_MLDSA_44), noise.data(), &ready,
                                          &failing),
                  TY_ERR_RNG);
    }, { noise }), 0);
}

}
