// Many multiplications at once give what each gives alone: the kernels for four, and jobs whatever
// their neighbours are.
extern "C" {   // internal headers are plain C
#include "ec/ec_binary.h"
#include "tongyu/ec_many.h"
}
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"

namespace {

using Ops = ty_ec_binary_ops;

// Jobs and, made one by one, what they must give. A job whose number is in `wrong` has a point off
// the curve, or, if it is odd, the scalar 0.
struct Jobs {
    std::vector<ty_ec_pub> pub, got, result;
    std::vector<Bytes> k;
    std::vector<ty_err> want;
    std::vector<ty_ec_mul_job> jobs;
    ty_err first = TY_OK;

    Jobs(TestRng &r, const std::vector<const ty_ec_curve *> &curves, unsigned wrong)
        : pub(curves.size()), got(curves.size()), result(curves.size())
    {
        for (size_t i = 0; i < curves.size(); i++) {
            ty_ec_key key;
            const ty_rng rng = r.ty();
            EXPECT_EQ(ty_ec_keygen(&key, curves[i], &rng), TY_OK);
            pub[i] = key.pub;
            k.push_back(r.bytes(ty_ec_order_len(curves[i])));
            if (wrong >> i & 1) {
                if (i % 2) k[i].assign(k[i].size(), 0);
                else pub[i].xy[3] ^= 1;
            }
            memset(&result[i], 5, sizeof result[i]);
            got[i] = result[i];
            want.push_back(ty_ec_mul(&result[i], k[i].data(), &pub[i]));
            if (first == TY_OK) first = want[i];
            jobs.push_back({ &got[i], k[i].data(), &pub[i], TY_ERR_IO });
        }
    }

    // into other objects, and then in place of the points
    void check()
    {
        const std::vector<ty_ec_pub> before = pub;
        ASSERT_EQ(ty_ec_many_mul(jobs.data(), jobs.size()), first);
        for (size_t i = 0; i < jobs.size(); i++) {
            ASSERT_EQ(jobs[i].err, want[i]) << i;
            ASSERT_EQ(memcmp(&got[i], &result[i], sizeof got[i]), 0) << i;
            jobs[i].z = &pub[i];
        }
        ASSERT_EQ(ty_ec_many_mul(jobs.data(), jobs.size()), first);
        for (size_t i = 0; i < jobs.size(); i++) {
            const ty_ec_pub *left = want[i] == TY_OK ? &result[i] : &before[i];
            ASSERT_EQ(memcmp(&pub[i], left, sizeof pub[i]), 0) << i;
        }
    }
};

}   // namespace

// mul_four is mul in each lane: scalars of zeros, of ones, near n, with bits above `bits`, random
TEST(EcMany, FourAtOnce)
{
    size_t kernels = 0;
    for (size_t at = 0; ty_ec_curve_at(at); at++) {
        const ty_ec_curve *c = ty_ec_curve_at(at);
        SCOPED_TRACE(c->name);
        for_each_tier<Ops>(c->tiers, [&](const Ops *ops, const char *) {
            if (!ops->mul_four) return;
            kernels++;
            TestRng r(c->m);
            const size_t l = ty_ec_field_len(c), nl = ty_ec_n_len(c);
            Bytes points[4];
            for (Bytes &p : points) p.assign(ty_ec_g(c), ty_ec_g(c) + 2 * l);
            for (int round = 0; round < few(full() ? 60 : 8); round++) {
                Bytes k[4], z[4], want[4];
                uint32_t finite[4];
                uint8_t *out[4];
                const uint8_t *scalar[4], *in[4];
                for (int i = 0; i < 4; i++) {
                    k[i] = round || i == 3 ? r.bytes(nl) : Bytes(nl, i ? 0xff : 0);
                    if (round == 1) k[i].assign(c->n, c->n + nl), k[i][nl - 1] ^= (uint8_t)i;
                    z[i].assign(2 * l, 7), want[i].assign(2 * l, 9);
                    out[i] = z[i].data(), scalar[i] = k[i].data(), in[i] = points[i].data();
                }
                const size_t bits = round % 2 ? 8 * nl : c->n_bits;
                ops->mul_four(finite, out, scalar, bits, in, c);
                for (int i = 0; i < 4; i++) {
                    ASSERT_EQ(ops->mul(want[i].data(), scalar[i], bits, in[i], c), finite[i]);
                    ASSERT_EQ(hex(z[i]), hex(want[i])) << round << " " << i << " " << hex(k[i]);
                }
                for (int i = 0; i < 4; i++)
                    if (finite[i] && round > 1) points[(i + 1) % 4] = z[i];
            }
        });
    }
    if (std::getenv("TONGYU_ALL_TIERS")) { EXPECT_GT(kernels, 0u); }
}

// Every number of jobs up to nine, on one curve, a Koblitz curve or not, and on two
TEST(EcMany, Numbers)
{
    each_level([](const std::string &level) {
        if (level == "c" && !full()) return;
        TestRng r(7);
        for (const char *name : {"sect163r2", "sect163k1"})
            for (size_t n = 0; n <= 9; n++) {
                std::vector<const ty_ec_curve *> curves(n, ty_ec_curve_named(name));
                for (size_t i = 4; n >= 7 && i < n; i += 5)
                    curves[i] = ty_ec_curve_named("sect233k1");
                SCOPED_TRACE(n);
                Jobs(r, curves, 0).check();
            }
    });
}

// Wrong jobs in every place of a group of three, of four, and of four and one; all of them wrong
TEST(EcMany, WrongJobs)
{
    each_level([](const std::string &level) {
        if (level == "c" && !full()) return;
        TestRng r(8);
        for (size_t n = 3; n <= 5; n++)
            for (unsigned wrong = 1; wrong < 1u << n; wrong++) {
                SCOPED_TRACE(wrong);
                const ty_ec_curve *c = ty_ec_curve_named("sect163r2");
                Jobs(r, std::vector<const ty_ec_curve *>(n, c), wrong).check();
            }
    });
}
