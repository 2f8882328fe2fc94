// Builds for the toy fields with generic mode: one without the optional units, one with a divider
// in named fields, too.
#include "rtl/rig.hh"

#include "Vgenericplain.h"
#include "Vgenerictoy.h"

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
static void every_mode()
{
    Raw<Top> dev;
    const Field generic[] = { Field(3, Element(3)), Field(5, Element(5)), Field(7, Element(0x71)),
                              Field(8, Element(0x1d)) };
    for (const Element &b : { Element(1), Element(6) }) {
        for (const int number : {6, 7}) {
            const Curve c{fields[number], Element(1), b};
            multiplies(dev, c, false);
        }
        for (const Field &f : generic) {
            const Curve c{f, Element(2), b};
            multiplies(dev, c, true);
        }
    }
}

TEST(Small, WithoutOptionalUnits) { every_mode<Vgenericplain>(); }
TEST(Small, WithADivider) { every_mode<Vgenerictoy>(); }

TEST(Small, KnownAnswers)
{
    Raw<Vgenericplain> plain;
    plain.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(plain.rest());
    EXPECT_EQ(plain.error(), TY_ACCEL_E_NONE);
    Raw<Vgenerictoy> divider;
    divider.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(divider.rest());
    EXPECT_EQ(divider.error(), TY_ACCEL_E_NONE);
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
