// The multiplier and the squarer alone are compared with arithmetic bit by bit: on all elements of
// the toy fields, on random and extreme elements of the real ones, with products one after the
// other without a pause.
#include "rtl/units.hh"
#include "rtl/full.hh"

#include "Vmul163d82.h"
#include "Vmuld16.h"
#include "Vmuld55.h"
#include "Vmultoy1.h"
#include "Vmultoy3.h"
#include "Vsquare1.h"
#include "Vsquare2.h"
#include "Vsquaretoy.h"

#include <deque>
#include <gtest/gtest.h>

// Products with a load in every c-th cycle (and `pause` cycles more); each is examined c + 1
// cycles after its load.
template <class Unit>
static void products(const Field &f, unsigned digit,
                     const std::vector<std::pair<Element, Element>> &cases, unsigned pause)
{
    const unsigned c = (f.m + digit - 1) / digit;
    Alone<Unit> u;
    reset(u);
    u.step = 1;
    u.generic = 0;
    u.field = f.number;
    std::deque<std::pair<uint64_t, Element>> due;
    size_t next = 0, seen = 0;
    for (uint64_t now = 0; seen < cases.size(); now++) {
        u.load = next < cases.size() && now % (c + pause) == 0;
        if (u.load) {
            set(u.a, cases[next].first);
            set(u.b, cases[next].second);
            due.emplace_back(now + c + 1, f.mul(cases[next].first, cases[next].second));
            next++;
        } else {   // operands are read only in the cycle of load
            set(u.a, cases[0].second);
            set(u.b, cases[0].first);
        }
        u.eval();
        if (!due.empty() && due.front().first == now) {
            ASSERT_EQ(get(u.product), due.front().second)
                << f.m << " bits, digits of " << digit << ", product " << seen;
            due.pop_front();
            seen++;
        }
        tick(u);
    }
}

TEST(Multiplier, EverythingInTheToyFields)
{
    for (int i : {6, 7}) {
        products<Vmultoy1>(fields[i], 1, all(fields[i]), 0);
        products<Vmultoy3>(fields[i], 3, all(fields[i]), 0);
    }
}

TEST(Multiplier, EveryNamedField)
{
    const size_t count = full() ? 1000000 : 4000;
    for (int i = 0; i < 6; i++) {
        products<Vmuld55>(fields[i], 55, some(fields[i], count), 0);
        products<Vmuld16>(fields[i], 16, some(fields[i], full() ? 100000 : 1000), 0);
    }
    products<Vmul163d82>(fields[2], 82, some(fields[2], count), 0);
}

TEST(Multiplier, Pauses)
{
    for (unsigned pause : {1, 2, 7}) products<Vmuld55>(fields[2], 55, some(fields[2], 200), pause);
}

// One unit, with another field selected for each product.
TEST(Multiplier, FieldsInTurn)
{
    std::mt19937_64 rng(7);
    Alone<Vmuld55> u;
    reset(u);
    u.step = 1;
    u.generic = 0;
    for (int n = 0; n < 300; n++) {
        const Field &f = fields[n * 5 % 6];
        const Element a = f.random(rng), b = f.random(rng);
        u.field = f.number;
        set(u.a, a);
        set(u.b, b);
        u.load = 1;
        tick(u);
        u.load = 0;
        for (unsigned i = 0; i < (f.m + 54) / 55; i++) tick(u);
        ASSERT_EQ(get(u.product), f.mul(a, b)) << f.m;
    }
}

template <class Unit>
static void squarings(const Field &f, unsigned per_cycle, size_t count, bool everything)
{
    std::mt19937_64 rng(f.m);
    Alone<Unit> u;
    reset(u);
    u.field = f.number;
    for (size_t n = 0; n < count; n++) {
        const Element a = everything ? Element(n) : n == 0 ? Element() : f.random(rng);
        const unsigned times = static_cast<unsigned>(n % 3 ? n % 3 - 1 : rng() % 240);
        set(u.value, a);
        u.count = static_cast<uint8_t>(times);
        u.load = 1;
        tick(u);
        u.load = 0;
        u.eval();
        unsigned cycles = 1;
        for (; !u.done; cycles++) tick(u);
        ASSERT_EQ(get(u.result), f.power2(a, times)) << f.m << " bits, " << times << " squarings";
        ASSERT_EQ(cycles, times < 2 ? 1 : (times + per_cycle - 1) / per_cycle);
        for (unsigned wait = static_cast<unsigned>(n % 2); wait-- > 0;) tick(u);
        u.eval();
        ASSERT_EQ(get(u.result), f.power2(a, times)) << "the result stays";
    }
}

TEST(Squarer, EverythingInTheToyFields)
{
    for (int i : {6, 7}) squarings<Vsquaretoy>(fields[i], 1, size_t{1} << fields[i].m, true);
}

TEST(Squarer, EveryNamedField)
{
    for (int i = 0; i < 6; i++) {
        squarings<Vsquare1>(fields[i], 1, full() ? 20000 : 300, false);
        squarings<Vsquare2>(fields[i], 2, full() ? 20000 : 300, false);
    }
}
