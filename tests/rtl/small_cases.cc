// Small builds: generic mode alone, without the optional units, and beside the toy fields, with a
// divider in named fields, too, and with a squarer and a divider; and two multipliers with a
// divider.
#include "rtl/rig.hh"

#include "Vgenericall.h"
#include "Vgenericall___024root.h"
#include "Vgenericbare.h"
#include "Vgenericplain.h"
#include "Vgenerictoy.h"
#include "Vtwotoy.h"

// Some points times some scalars, all in the same number of cycles.
template <class Top>
static void multiplies(Raw<Top> &dev, const Curve &c, bool generic)
{
    std::mt19937_64 rng(c.f.m);
    const unsigned steps = 8;
    dev.curve(c, steps, generic);
    uint32_t cycles = 0;
    size_t points = 0;
    for (uint64_t x = 0; x < uint64_t{1} << c.f.m; x++)
        for (uint64_t y = 0; y < uint64_t{1} << c.f.m; y++) {
            if (!c.has(Element(x), Element(y)) || (x && c.f.m > 5 && rng() % 16)) continue;
            points++;
            Point want;
            for (unsigned k = 0; k < 1u << steps;
                 k++, want = c.add(want, std::pair{ Element(x), Element(y) })) {
                if (k > 4 && k < 252 && rng() % 32 != 0) continue;
                dev.operands(Element(x), Element(y), Element(k));
                ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE) << x << " " << y << " " << k;
                const bool infinite = dev.status() >> TY_ACCEL_STATUS_INFINITE_SHIFT & 1;
                ASSERT_EQ(infinite, !want.has_value()) << x << " " << y << " " << k;
                ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want ? want->first : Element());
                ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_Y), want ? want->second : Element());
                if (!cycles) cycles = dev.read(TY_ACCEL_CYCLES);
                ASSERT_EQ(cycles, dev.read(TY_ACCEL_CYCLES));
            }
        }
    EXPECT_GT(points, 1u);
}

template <class Top>
static void every_mode(bool named = true)
{
    Raw<Top> dev;
    std::mt19937_64 rng(32);
    // m - 1 has bits of both values for two, three and four digits
    const Field generic[] = { Field(3, Element(3)), Field(4, Element(3)), Field(5, Element(5)),
                              Field(6, Element(3)), Field(7, Element(0x71)),
                              Field(8, Element(0x1d)) };
    for (const Element &b : { Element(1), Element(6) }) {
        for (const int number : {6, 7}) {
            const Curve c{fields[number], Element(1), b};
            if (!named) continue;
            multiplies(dev, c, false);
            sums(dev, c, 8, 100, rng);
        }
        for (const Field &f : generic) {
            const Curve c{f, Element(2), b};
            multiplies(dev, c, true);
            sums(dev, c, 8, 100, rng);
        }
    }
}

TEST(Small, WithoutOptionalUnits) { every_mode<Vgenericplain>(false); }

// Without randomness, which nobody has to supply, and without the check of P: that of the result is
// left.
TEST(Small, WithoutRandomnessAndCheck)
{
    every_mode<Vgenericbare>();
    Raw<Vgenericbare> dev;
    dev.random_has = [] { return false; };
    const Field f(7, Element(3));
    const Element b(6), x, y = f.root(b);
    for (const bool generic : {false, true}) {
        dev.curve(Curve{generic ? f : fields[6], Element(1), b}, 8, generic);
        dev.operands(x, generic ? y : fields[6].root(b), Element(77));
        EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
        dev.operands(Element(5), Element(1), Element(77));
        EXPECT_EQ(dev.run(), TY_ACCEL_E_FAULT);
    }
}

TEST(Small, WithADivider) { every_mode<Vgenerictoy>(); }

TEST(Small, WithASquarerAndADivider) { every_mode<Vgenericall>(); }

TEST(Small, WithTwoMultipliersAndADivider)
{
    Raw<Vtwotoy> dev;
    std::mt19937_64 rng(31);
    for (const int number : {6, 7})
        for (const Element &b : { Element(1), Element(6) }) {
            const Curve c{fields[number], Element(1), b};
            multiplies(dev, c, false);
            sums(dev, c, 8, 100, rng);
            if (testing::Test::HasFatalFailure()) return;
        }
}

template <class Top>
static uint32_t known_answers(Raw<Top> &dev)
{
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(dev.rest());
    return dev.error();
}

TEST(Small, KnownAnswers)
{
    Raw<Vgenericplain> plain;
    EXPECT_EQ(known_answers(plain), TY_ACCEL_E_NONE);
    EXPECT_GT(plain.read(TY_ACCEL_CYCLES), 100u) << "without named fields that of generic mode";
    Raw<Vgenerictoy> divider;
    EXPECT_EQ(known_answers(divider), TY_ACCEL_E_NONE);
    Raw<Vgenericall> all;
    EXPECT_EQ(known_answers(all), TY_ACCEL_E_NONE);
    Raw<Vtwotoy> two;
    EXPECT_EQ(known_answers(two), TY_ACCEL_E_NONE);
}

// The test has a run for each of two fields, and one for generic mode; each of them is compared.
TEST(Small, EveryKnownAnswerIsCompared)
{
    Raw<Vgenericall> dev;
    auto &root = *dev.pins().rootp;
    for (int wrong = 1; wrong <= 4; wrong++) {
        int runs = 0;
        dev.watch = [&] {
            if (!root.ty_accel__DOT__core__DOT__start_q || ++runs != wrong) return;
            root.ty_accel__DOT__core__DOT__key_q[0] ^= 1;   // a point of the curve, but another one
        };
        EXPECT_EQ(known_answers(dev), wrong < 4 ? TY_ACCEL_E_FAULT : TY_ACCEL_E_NONE) << wrong;
        EXPECT_EQ(runs, wrong < 4 ? wrong : 3);
    }
}

// The optional units are used in generic mode, and are empty after a run and after an abort.
TEST(Small, NothingIsLeftInTheUnits)
{
    Raw<Vgenericall> dev;
    auto &root = *dev.pins().rootp;
    const Field f(8, Element(0x1d));
    const Element b(6), x, y = f.root(b);   // the point of order two
    dev.curve(Curve{f, Element(2), b}, 8, true);
    bool divides = false, squares = false;
    dev.watch = [&] {
        divides |= root.ty_accel__DOT__core__DOT__others__DOT__g_divider__DOT__divider__DOT__left_q;
        squares |= root.ty_accel__DOT__core__DOT__others__DOT__g_squarer__DOT__squarer__DOT__left_q;
    };
    const auto left = [&]() -> uint32_t {
        return root.ty_accel__DOT__core__DOT__others__DOT__g_divider__DOT__divider__DOT__r_q |
               root.ty_accel__DOT__core__DOT__others__DOT__g_divider__DOT__divider__DOT__s_q |
               root.ty_accel__DOT__core__DOT__others__DOT__g_divider__DOT__divider__DOT__u_q |
               root.ty_accel__DOT__core__DOT__others__DOT__g_divider__DOT__divider__DOT__v_q |
               root.ty_accel__DOT__core__DOT__others__DOT__g_divider__DOT__divider__DOT__left_q |
               root.ty_accel__DOT__core__DOT__others__DOT__g_divider__DOT__divider__DOT__ahead_q |
               root.ty_accel__DOT__core__DOT__others__DOT__g_squarer__DOT__squarer__DOT__acc_q |
               root.ty_accel__DOT__core__DOT__others__DOT__g_squarer__DOT__squarer__DOT__rest_q |
               root.ty_accel__DOT__core__DOT__others__DOT__g_squarer__DOT__squarer__DOT__left_q |
               root.ty_accel__DOT__core__DOT__others__DOT__g_squarer__DOT__squarer__DOT__count_q |
               root.ty_accel__DOT__core__DOT__multiplier__DOT__g_generic__DOT__over_q;
    };
    dev.operands(x, y, Element(77));
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_TRUE(divides && squares);
    EXPECT_EQ(left(), 0u);
    bool used = false;
    for (int cycles = 5; cycles < 300; cycles += 7) {
        dev.operands(x, y, Element(77));
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < cycles; i++) dev.tick();
        used |= left() != 0;
        dev.command(TY_ACCEL_DO_ABORT);
        EXPECT_TRUE(dev.rest());
        EXPECT_EQ(left(), 0u) << cycles;
    }
    EXPECT_TRUE(used);
}

// The order in which M and the curve are written does not matter.
TEST(Small, MFirst)
{
    Raw<Vgenericplain> dev;
    const Field f(7, Element(0x71));   // slow, unlike t^7 + t + 1
    const Element b(6), x, y = f.root(b);
    dev.up = 256 - f.m;
    for (const bool first : {false, true}) {
        dev.write(TY_ACCEL_CONFIG, 8 | 8 << 8 | f.m << 16);
        if (first) dev.put(TY_ACCEL_SLOT_POLY, f.rest);
        dev.put(TY_ACCEL_SLOT_A, Element(2));
        dev.put(TY_ACCEL_SLOT_ROOT, f.root(b));
        dev.put(TY_ACCEL_SLOT_B, b);
        if (!first) dev.put(TY_ACCEL_SLOT_POLY, f.rest);
        EXPECT_TRUE(dev.status() >> TY_ACCEL_STATUS_SLOW_SHIFT & 1);
        dev.operands(x, y, Element(3));
        EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_Y), y) << "the point of order two";
    }
}

// M has to have a constant term and a degree that fits, and every element a degree below it.
TEST(Small, RefusesPolynomials)
{
    Raw<Vgenericplain> dev;
    const Curve c{Field(5, Element(5)), Element(2), Element(6)};
    dev.curve(c, 8, true);
    dev.put(TY_ACCEL_SLOT_POLY, Element(4));
    EXPECT_EQ(dev.error(), TY_ACCEL_E_RANGE) << "t divides M";
    dev.write(TY_ACCEL_ERROR, 0);
    dev.words(TY_ACCEL_DATA, Element(1).shifted(256 - 6));
    dev.command(TY_ACCEL_DO_PUT, TY_ACCEL_SLOT_X);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_RANGE) << "one bit below 1";
    const auto loads = [&](unsigned m, bool poly) {
        dev.write(TY_ACCEL_CONFIG, 8 | 8 << 8 | m << 16);
        dev.up = 256 - m;
        for (const uint32_t slot : { TY_ACCEL_SLOT_A, TY_ACCEL_SLOT_B, TY_ACCEL_SLOT_ROOT })
            dev.put(slot, Element(1));
        if (poly) dev.put(TY_ACCEL_SLOT_POLY, Element(3));
        dev.put(TY_ACCEL_SLOT_X, Element());
        dev.put(TY_ACCEL_SLOT_Y, Element(1));
        dev.words(TY_ACCEL_SCALAR, Element(1));
        return dev.run();
    };
    EXPECT_EQ(loads(3, true), TY_ACCEL_E_NONE);
    EXPECT_EQ(loads(3, false), TY_ACCEL_E_CONTEXT) << "no M";
    EXPECT_EQ(loads(2, true), TY_ACCEL_E_CONTEXT);
    EXPECT_EQ(loads(9, true), TY_ACCEL_E_CONTEXT);
}
