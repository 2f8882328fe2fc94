// A modulus and its engines against their definition in schoolbook integers, with moduli and
// factors at the ends of their ranges; and the engines' kernels alone, at all lengths they support.
#include "limb/limbs.hpp"
#include "support/full.hpp"
#include "support/tiers.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>
extern "C" {
#include "modn/ifma.h"
#include "modn/lanes.h"
#include "modn/modn.h"
#include "modn/reals.h"
}

class Modn : public ::testing::Test {};

static std::vector<ty_limb> limbs_of(const Big &x, size_t n)
{
    std::vector<ty_limb> z(n);
    for (size_t i = 0; i < n * TY_LIMB_BITS; i++)
        z[i / TY_LIMB_BITS] |= (ty_limb)x.bit(i) << i % TY_LIMB_BITS;
    return z;
}

// A modulus of n limbs: kind 0: the largest; 1: with zeros between its lowest and its highest limb;
// others: random
struct Odd {
    std::vector<ty_limb> m, rr, t;
    Big value, R;
    ty_modn c = {};
    Odd(TestRng &r, size_t n, int kind, const ty_limb_ops *ops) : m(draw(r, n)), t(2 * n)
    {
        if (kind == 0) m.assign(n, ~(ty_limb)0);
        if (kind == 1) m.assign(n, 0), m[n - 1] = 1;
        m[0] |= 1, m[n - 1] |= (ty_limb)1 << r.below(TY_LIMB_BITS);
        value = big(m), R = Big::pow2((unsigned)(n * TY_LIMB_BITS));
        rr = limbs_of(R * R % value, n);
        c.ops = ops, c.m = m.data(), c.rr = rr.data(), c.n = n, c.minv = ty_limb_minv(m[0]);
        c.t = t.data(), c.engine = &ty_modn_limbs, c.words = n;
    }
};

// z R = xy (mod m), z < R, for any x and y below R: products, squares, and conversion to Montgomery
// form and back
TEST_F(Modn, Limbs)
{
    for_each_tier<ty_limb_ops>(ty_limb_tiers, [&](const ty_limb_ops *ops, const char *) {
        TestRng r(23);
        for (size_t n = 1; n < 20; n++) {
            for (int kind = 0; kind < 4; kind++) {
                Odd m(r, n, kind, ops);
                const auto x = draw(r, n), y = draw(r, n);
                const Big p = m.value, R = m.R;
                Out z(n), s(x);
                ty_modn_mul(z, x.data(), y.data(), &m.c);
                ASSERT_EQ(z.value() * R % p, big(x) * big(y) % p) << n << " limbs";
                ty_modn_sqrs(s, 2, &m.c);
                const Big square = big(x) * big(x) % p;
                ASSERT_EQ(s.value() * R % p * R % p * R % p, square * square % p) << n << " limbs";
                ty_modn_one(z, &m.c);
                ASSERT_EQ(z.value() % p, R % p) << n << " limbs";
                ty_modn_get(z, x.data(), &m.c);
                ASSERT_EQ(z.value() * R % p, big(x) % p) << n << " limbs";
                ASSERT_TRUE(z.value() < p || p == Big(1)) << n << " limbs";
                if (n > TY_LIMB_MONT) continue;
                ty_modn_rr_few(z, &m.c);
                ASSERT_EQ(z.value() % p, R * R % p) << n << " limbs";
            }
        }
    });
}

// With every engine, conversion to its form and back leaves a number unchanged modulo m, and
// products are correct. The choice of an engine depends on the CPU: a portable one, this one, and
// this one without IFMA are assumed in turn.
TEST_F(Modn, Engines)
{
    std::vector<const ty_modn_engine *> seen;
    const ty_cpu all = ty_cpu_have();
    for (const ty_cpu of : { 0u, ~0u, ~TY_CPU_IFMA }) {
        ty_cpu_assume(all & (of | TY_CPU_WORD64));
        TestRng r(29);
        // 46 limbs end where a digit of 46 bits ends
        for (size_t n : { 1, 8, 9, 16, 24, 33, 46, 64 }) {
            for (size_t bits : { 16, 17, 256 }) {
                Odd m(r, n, 2, ty_limb_best());
                const size_t room = ty_modn_choose(&m.c, bits);
                std::vector<ty_limb> memory(room, ~(ty_limb)0);
                if (room) ty_modn_start(&m.c, memory.data());
                if (std::find(seen.begin(), seen.end(), m.c.engine) == seen.end())
                    seen.push_back(m.c.engine);
                const auto x = draw(r, n), y = draw(r, n);
                auto longer = x;
                longer.push_back(~(ty_limb)0);   // which must not be read
                std::vector<ty_limb> in(2 * m.c.words + 16), out(n);
                ty_limb *a = in.data(), *b = a + m.c.words;
                ty_modn_in(a, longer.data(), &m.c);
                ty_modn_out(out.data(), a, &m.c);
                ASSERT_EQ(big(out) % m.value, big(x) % m.value) << n << " limbs, " << bits;
                ty_modn_in(a, x.data(), &m.c);
                ty_modn_in(b, y.data(), &m.c);
                m.c.engine->mul(a, a, b, &m.c);
                m.c.engine->sqrs(a, 1, &m.c);
                ty_modn_out(out.data(), a, &m.c);
                const Big p = m.value, product = big(x) * big(y) % p;
                ASSERT_EQ(big(out) * m.R % p * m.R % p * m.R % p, product * product % p)
                    << n << " limbs, " << bits;
#ifdef TY_HAS_LANES
                // get accepts every product that has a factor below m: it is less than 3m
                for (unsigned k = 0; k < 3 && m.c.engine == &ty_modn_ifma; k++) {
                    const Big v = big(x) % p;
                    const auto more = limbs_of(v + p * Big(k), n + 1);
                    m.c.engine->put(a, more.data(), n + 1, &m.c);
                    m.c.engine->get(out.data(), a, &m.c);
                    ASSERT_EQ(big(out), v) << n << " limbs and " << k << " m";
                }
#endif
                if (room) ty_modn_stop(&m.c);
            }
        }
    }
    ty_cpu_assume(0);
    size_t could = 1;
    for (const ty_tier *t = ty_ifma_tiers + 1; t->name; t++) could += ty_tier_runs(t) != 0;
    for (const ty_tier *t = ty_reals_tiers + 1; t->name; t++) could += ty_tier_runs(t) != 0;
    EXPECT_EQ(seen.size(), could);
}

#include "modn/lanes_cases.inc"
#include "modn/ifma_cases.inc"
#include "modn/reals_cases.inc"
