// Generic mode: the multiplier, the squarer and the divider alone, against plain arithmetic, with
// every M of a toy field and with dense random ones.
#include "rtl/units.hh"
#include "rtl/full.hh"
#include "rtl/polynomials.hh"

#include "Vdivider.h"
#include "Vgmul.h"
#include "Vgmultoy.h"
#include "Vgsquare.h"

#include <gtest/gtest.h>

#include <algorithm>

// The numbers that the core derives from M.
template <class Unit>
static void configure(Unit &u, const Field &f, unsigned n, unsigned digit)
{
    const unsigned c = std::max(2u, (f.m + digit - 1) / digit);
    set(u.poly, f.rest.shifted(static_cast<int>(n - f.m)));
    u.offset = static_cast<uint8_t>(c * digit - f.m);
}

template <class Unit>
static void multiply(const Field &f, unsigned n, unsigned digit,
                     const std::vector<std::pair<Element, Element>> &cases)
{
    const unsigned c = std::max(2u, (f.m + digit - 1) / digit), gap = gap_of(f);
    const unsigned folds = gap >= digit ? 1 : (digit + gap - 1) / gap;
    const int up = static_cast<int>(n - f.m);
    Alone<Unit> u;
    reset(u);
    u.generic = 1;
    u.generic_top = static_cast<uint8_t>(c - 1);
    configure(u, f, n, digit);
    const auto word = [&](bool load) {   // sets up a step, after the folds before it
        u.step = 0;
        u.load = 0;
        for (unsigned i = 1; i < folds; i++) tick(u);
        u.step = 1;
        u.load = load;
    };
    for (size_t i = 0; i <= cases.size(); i++) {
        word(true);
        if (i < cases.size()) {
            set(u.a, cases[i].first.shifted(up));
            set(u.b, cases[i].second.shifted(up));
        }
        for (unsigned j = 0; j < c; j++) {
            tick(u);
            word(false);
            u.eval();
            if (j == 0 && i) {   // c + 1 steps after its load
                ASSERT_EQ(get(u.product).shifted(-up),
                          f.mul(cases[i - 1].first, cases[i - 1].second))
                    << f.m << " bits, digits of " << digit << ", product " << i;
            }
            set(u.a, Element(1));
            set(u.b, Element(1));
        }
    }
}

TEST(GenericUnits, EverythingInTheToyFields)
{
    size_t count = 0;
    for (unsigned m = 3; m <= 8; m++)
        for (uint64_t rest = 1; rest < uint64_t{1} << m; rest += 2) {
            const Field f(m, Element(rest));
            if (!irreducible(f)) continue;
            count++;
            if (!full() && m == 8 && rest % 5) continue;
            multiply<Vgmultoy>(f, 8, 2, all(f));
            if (testing::Test::HasFatalFailure()) return;
        }
    EXPECT_EQ(count, 2u + 3 + 6 + 9 + 18 + 30);
}

TEST(GenericUnits, Products)
{
    std::mt19937_64 rng(8);
    std::vector<Field> all_fields;
    for (int i = 0; i < 6; i++) all_fields.push_back(fields[i]);
    for (const auto &[m, gap] : { std::pair{ 163u, 64u },
                                  { 163u, 90u },
                                  { 191u, 70u },
                                  { 127u, 100u },
                                  { 251u, 64u },
                                  { 233u, 65u },
                                  { 191u, 64u },
                                  { 163u, 63u },
                                  { 163u, 17u },
                                  { 193u, 2u },
                                  { 251u, 1u },
                                  { 67u, 33u },
                                  { 61u, 5u } })
        all_fields.push_back(dense(m, gap, rng));
    for (const Field &f : all_fields) multiply<Vgmul>(f, 256, 64, some(f, full() ? 100000 : 300));
}

template <class Unit>
static void squares(const Field &f, unsigned n, unsigned digit, size_t count)
{
    std::mt19937_64 rng(f.m);
    const unsigned c = std::max(2u, (f.m + digit - 1) / digit), gap = gap_of(f),
                   folds = gap >= digit ? 1 : (digit + gap - 1) / gap;
    const int up = static_cast<int>(n - f.m);
    Alone<Unit> u;
    reset(u);
    u.top = static_cast<uint8_t>(c - 1);
    configure(u, f, n, digit);
    for (size_t i = 0; i < count; i++) {
        const Element a = i ? f.random(rng) : Element();
        const unsigned times = 1 + static_cast<unsigned>(i % 5);
        set(u.value, a.shifted(up));
        u.count = static_cast<uint8_t>(times);
        u.load = u.step = 1;
        tick(u);
        u.load = 0;
        set(u.value, Element(1));
        unsigned steps = 0;
        for (;; steps++) {
            u.step = 0;
            for (unsigned j = 1; j < folds; j++) tick(u);
            u.step = 1;
            u.eval();
            if (u.done) break;
            tick(u);
        }
        ASSERT_EQ(steps + 1, times * c);
        ASSERT_EQ(get(u.result).shifted(-up), f.power2(a, times))
            << f.m << " bits, " << times << " squarings";
    }
}

TEST(GenericUnits, Squares)
{
    std::mt19937_64 rng(9);
    for (int i = 0; i < 6; i++) squares<Vgsquare>(fields[i], 256, 64, full() ? 20000 : 200);
    for (const auto &[m, gap] : { std::pair{ 163u, 64u },
                                  { 251u, 64u },
                                  { 127u, 80u },
                                  { 191u, 64u },
                                  { 163u, 3u },
                                  { 61u, 20u } })
        squares<Vgsquare>(dense(m, gap, rng), 256, 64, full() ? 20000 : 200);
}

TEST(GenericUnits, Inverses)
{
    std::mt19937_64 rng(10);
    std::vector<Field> all_fields{ dense(251, 1, rng), dense(251, 200, rng), dense(127, 64, rng),
                                   Field(3, Element(3)) };
    for (int i = 0; i < 6; i++) all_fields.push_back(fields[i]);
    Alone<Vdivider> u;
    reset(u);
    for (const Field &f : all_fields) {
        const int up = static_cast<int>(256 - f.m);
        set(u.poly, f.rest.shifted(up));
        set(u.low, Element(1).shifted(up));
        u.m = static_cast<uint8_t>(f.m);
        for (int i = 0; i < (full() ? 2000 : 20); i++) {
            const Element a = i < 2 ? Element(static_cast<uint64_t>(i)) : f.random(rng);
            set(u.value, a.shifted(up));
            u.load = 1;
            tick(u);
            u.load = 0;
            unsigned cycles = 0;
            for (; !u.done; cycles++) tick(u);
            ASSERT_EQ(cycles, 2 * f.m);
            ASSERT_EQ(f.mul(a, get(u.result).shifted(-up)), a.zero() ? Element() : Element(1))
                << f.m << " bits";
        }
    }
}
