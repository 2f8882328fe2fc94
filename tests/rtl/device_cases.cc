// The device behind its bus, register by register.
#include "rtl/device163.hh"
#include "rtl/full.hh"

#include "Vacceltoy.h"

// Every point of curves over the toy fields, the one of order two among them, times every scalar
// that the ladder takes.
TEST(Device, EverythingOnToyCurves)
{
    Raw<Vacceltoy> dev;
    const unsigned steps = 8;
    for (const int number : {6, 7})
        for (const auto &[a, b] : {std::pair{1u, 1u}, {0u, 1u}, {1u, 0x35u}, {0x2au, 0x4fu}}) {
            const Curve c{fields[number], Element(a), Element(b)};
            dev.curve(c, steps);
            uint32_t cycles = 0;
            size_t points = 0;
            for (uint64_t x = 0; x < uint64_t{1} << c.f.m; x++)
                for (uint64_t y = 0; y < uint64_t{1} << c.f.m; y++) {
                    if (!c.has(Element(x), Element(y))) continue;
                    if (points++ % (full() ? 1 : 50) != 0 && x != 0) continue;
                    Point want;
                    for (unsigned k = 0; k < 1u << steps;
                         k++, want = c.add(want, std::pair{ Element(x), Element(y) })) {
                        if (!full() && k > 8 && k < 247 && k % 7 != 0) continue;
                        dev.operands(Element(x), Element(y), Element(k));
                        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE)
                            << number << " " << x << " " << y << " " << k;
                        const bool infinite = dev.status() >> TY_ACCEL_STATUS_INFINITE_SHIFT & 1;
                        ASSERT_EQ(infinite, !want.has_value())
                            << number << " " << x << " " << y << " " << k;
                        ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want ? want->first : Element());
                        ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_Y), want ? want->second : Element());
                        if (!cycles) cycles = dev.read(TY_ACCEL_CYCLES);
                        ASSERT_EQ(cycles, dev.read(TY_ACCEL_CYCLES));
                    }
                }
            ASSERT_GT(points, 50u);
        }
}

TEST(Device, SumsOnToyCurves)
{
    Raw<Vacceltoy> dev;
    std::mt19937_64 rng(21);
    for (const int number : {6, 7})
        for (const auto &[a, b] : {std::pair{1u, 1u}, {0u, 1u}, {1u, 0x35u}, {0x2au, 0x4fu}}) {
            const Curve c{fields[number], Element(a), Element(b)};
            dev.curve(c, 8);
            sums(dev, c, 8, full() ? 12 : 50, rng);
            if (HasFatalFailure()) return;
        }
}

TEST_F(Device163, WhatItIs)
{
    EXPECT_EQ(dev.read(TY_ACCEL_IDENT), TY_ACCEL_IDENT_VALUE);
    EXPECT_EQ(dev.read(TY_ACCEL_PARAMETERS), 4u | 55u << 8 | 1u << 16 | 4u << 18 | 3u << 22);
    EXPECT_EQ(dev.read(TY_ACCEL_OPTIONS), 2u << 11 | 1u << 13);
    EXPECT_EQ(dev.read(TY_ACCEL_CONFIG), 2u | 163u << 8);
    dev.read(0x80);
    EXPECT_NE(dev.last_response, 0u) << "no such register";
    dev.write(TY_ACCEL_STATUS, 1);
    EXPECT_NE(dev.last_response, 0u) << "read only";
    EXPECT_EQ(dev.error(), TY_ACCEL_E_ADDRESS);
    dev.pins().s_axil_wstrb = 1;
    dev.write(TY_ACCEL_CONTEXT, 3);
    dev.pins().s_axil_wstrb = 15;
    EXPECT_NE(dev.last_response, 0u) << "a part of a word";
    EXPECT_EQ(dev.read(TY_ACCEL_CONTEXT), 0u);
}

TEST_F(Device163, RefusesWhatIsMissingOrWrong)
{
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND);
    dev.put(TY_ACCEL_SLOT_X, x);
    dev.put(TY_ACCEL_SLOT_Y, y);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << "no scalar";
    dev.words(TY_ACCEL_SCALAR, k);
    dev.write(TY_ACCEL_CONTEXT, 1);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_CONTEXT) << "an empty context";
    dev.write(TY_ACCEL_CONFIG, 4 | 233 << 8);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_CONTEXT) << "a field that is not built in";
    dev.write(TY_ACCEL_CONTEXT, 0);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << "a change of context drops operands";

    Element large = x;
    large.flip(163);
    dev.put(TY_ACCEL_SLOT_X, large);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_RANGE);
    dev.put(TY_ACCEL_SLOT_X, x);
    large = y;
    large.flip(250);
    dev.put(TY_ACCEL_SLOT_Y, large);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_RANGE) << "a word beyond the register";
    dev.put(TY_ACCEL_SLOT_Y, y);
    for (const unsigned bit : {163u, 170u, 192u, 255u}) {
        Element long_k = k;
        long_k.flip(bit);
        dev.operands(x, y, long_k);
        EXPECT_EQ(dev.run(), TY_ACCEL_E_SCALAR) << bit;
        dev.command(TY_ACCEL_DO_ZEROISE);
        EXPECT_TRUE(dev.rest());
    }
    dev.command(9);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_COMMAND);
    dev.put(TY_ACCEL_SLOT_RESULT_X, x);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_COMMAND);
    for (const unsigned slot : { 0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 10u, 15u })
        EXPECT_EQ(dev.get(slot), Element()) << slot;
    nothing_to_read();

    dev.operands(x, y + Element(1), k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_POINT);
    nothing_to_read();
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
}

// A run does not start without randomness, and each random element is used once.
TEST_F(Device163, RandomPort)
{
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_ZEROISE);
    dev.random_has = [] { return false; };
    EXPECT_TRUE(dev.rest());
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_RANDOM);
    dev.random_has = [this] { return dev.now % 7 == 0; };
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const uint32_t cycles = dev.read(TY_ACCEL_CYCLES);
    int zeros = 100;   // an element of zeros is drawn again, which takes no cycles of the run
    dev.random = [&zeros, other = noise(5)] { return zeros-- > 0 ? 0 : other(); };
    dev.random_has = [] { return true; };
    dev.command(TY_ACCEL_DO_ZEROISE);
    EXPECT_TRUE(dev.rest());
    dev.operands(x, y, k);
    for (int i = 0; i < 500; i++) dev.tick();
    EXPECT_LT(zeros, 0);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.read(TY_ACCEL_CYCLES), cycles);
}

TEST_F(Device163, BusyAbortAndReset)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    for (const int when : {0, 1, 5, 17, 100, 1500, 2990, 3150}) {
        dev.operands(x, y, k);
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < when; i++) dev.tick();
        dev.write(TY_ACCEL_DATA, 7);
        EXPECT_NE(dev.last_response, 0u);
        EXPECT_EQ(dev.error(), TY_ACCEL_E_BUSY);
        for (const uint32_t offset :
             { TY_ACCEL_SCALAR, TY_ACCEL_CONTEXT, TY_ACCEL_CONFIG, TY_ACCEL_COMMAND }) {
            dev.write(offset, 2);
            EXPECT_NE(dev.last_response, 0u);
        }
        for (unsigned i = 0; i < 8; i++) EXPECT_EQ(dev.read(TY_ACCEL_DATA + 4 * i), 0u);
        if (when % 2) {
            EXPECT_TRUE(dev.rest());
            EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want) << "writes while busy did nothing";
            continue;
        }
        dev.command(TY_ACCEL_DO_ABORT);
        EXPECT_TRUE(dev.rest());
        EXPECT_EQ(dev.error(), TY_ACCEL_E_ABORTED);
        nothing_to_read();
        EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << "operands are wiped";
    }
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_START);
    for (int i = 0; i < 777; i++) dev.tick();
    dev.reset();
    EXPECT_TRUE(dev.rest());
    nothing_to_read();
    dev.curve(c, 163);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
    EXPECT_FALSE(dev.hung);
}

TEST_F(Device163, Interrupt)
{
    dev.write(TY_ACCEL_INTERRUPT, 1);
    dev.operands(x, y, k);
    EXPECT_FALSE(dev.pins().irq);
    dev.command(TY_ACCEL_DO_START);
    int waited = 0;
    for (; !dev.pins().irq && waited < 10000; waited++) dev.tick();
    EXPECT_FALSE(dev.status() & 1);
    EXPECT_NEAR(waited, static_cast<int>(dev.read(TY_ACCEL_CYCLES)), 5);
    dev.write(TY_ACCEL_INTERRUPT, 3);
    EXPECT_FALSE(dev.pins().irq);
}

TEST_F(Device163, ScalarFromTheKeyPort)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    dev.put(TY_ACCEL_SLOT_X, x);
    dev.put(TY_ACCEL_SLOT_Y, y);
    for (unsigned i = 0; i < 8; i++) {
        dev.pins().key_valid = 1;
        dev.pins().key_index = static_cast<uint8_t>(i);
        dev.pins().key_data = k.word(i);
        dev.tick();
        EXPECT_FALSE(dev.pins().key_refused);
    }
    dev.pins().key_valid = 0;
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
}

TEST_F(Device163, SlowHosts)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    for (const int stall : {1, 2, 5}) {
        dev.stall = stall;
        dev.operands(x, y, k);
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
    }
    EXPECT_FALSE(dev.hung);
}

// ADD needs a result, which every command and write except PUT of a point, GET and SCALAR drops.
TEST_F(Device163, WhatASumNeeds)
{
    const auto refused = [&](const char *why) {
        dev.operands(x, y, k);
        EXPECT_EQ(dev.add(), TY_ACCEL_E_RESULT) << why;
        nothing_to_read();
    };
    const auto multiply = [&] {
        dev.operands(x, y, k);
        EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    };
    refused("no run yet");
    multiply();
    const Point want = dev.result();
    EXPECT_EQ(dev.add(), TY_ACCEL_E_OPERAND) << "operands are for one run";
    dev.operands(x, y, Element(1));
    EXPECT_EQ(dev.add(), TY_ACCEL_E_NONE) << "GET and a refused ADD leave it";
    EXPECT_EQ(dev.result(), c.add(want, std::pair{x, y}));
    EXPECT_EQ(dev.read(TY_ACCEL_CYCLES), 6725u) << "docs/accelerator.md has what the model counts";
    dev.operands(x, y + x, Element(1));
    EXPECT_EQ(dev.add(), TY_ACCEL_E_NONE) << "a sum is a result, too";
    EXPECT_EQ(dev.result(), want);

    dev.command(TY_ACCEL_DO_ZEROISE);
    EXPECT_TRUE(dev.rest());
    refused("ZEROISE");
    multiply();
    dev.write(TY_ACCEL_CONTEXT, 0);
    refused("CONTEXT");
    for (const uint32_t slot : {TY_ACCEL_SLOT_A, TY_ACCEL_SLOT_B, TY_ACCEL_SLOT_ROOT}) {
        multiply();
        dev.put(slot, slot == TY_ACCEL_SLOT_A ? c.a : slot == TY_ACCEL_SLOT_B ? c.b
                                                                              : c.f.root(c.b));
        refused("another curve");
    }
    multiply();
    dev.curve(c, 163);
    refused("CONFIG");
    multiply();
    dev.command(TY_ACCEL_DO_ABORT);
    EXPECT_TRUE(dev.rest());
    refused("ABORT");
    multiply();
    dev.operands(x, y + Element(1), k);
    EXPECT_EQ(dev.add(), TY_ACCEL_E_POINT);
    refused("a sum that failed");
    multiply();
    dev.operands(x, y + Element(1), k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_POINT);
    refused("a run that failed");
    for (const int when : {3, 1600, 3300, 3450}) {
        multiply();
        dev.operands(x, y, k);
        dev.command(TY_ACCEL_DO_ADD);
        for (int i = 0; i < when; i++) dev.tick();
        for (unsigned i = 0; i < 8; i++) EXPECT_EQ(dev.read(TY_ACCEL_DATA + 4 * i), 0u);
        dev.command(TY_ACCEL_DO_ABORT);
        EXPECT_TRUE(dev.rest());
        EXPECT_EQ(dev.error(), TY_ACCEL_E_ABORTED);
        refused("a sum that was aborted");
    }
    multiply();
    dev.reset();
    EXPECT_TRUE(dev.rest());
    dev.curve(c, 163);
    refused("reset");
    multiply();
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(dev.rest());
    dev.write(TY_ACCEL_CONTEXT, 0);
    refused("SELFTEST");
}

// Four curves side by side.
TEST_F(Device163, Contexts)
{
    std::vector<Curve> curves{c, c, c, c};
    std::mt19937_64 rng(4);
    for (unsigned i = 0; i < 4; i++) {   // P stays a point of each: b follows from a
        curves[i].a = i ? c.f.random(rng) : c.a;
        curves[i].b = c.f.sqr(y) + c.f.mul(x, y) + c.f.mul(c.f.sqr(x), x + curves[i].a);
        dev.write(TY_ACCEL_CONTEXT, i);
        dev.curve(curves[i], 163);
    }
    for (const unsigned i : {2u, 0u, 3u, 1u}) {
        dev.write(TY_ACCEL_CONTEXT, i);
        dev.operands(x, y, Element(5));
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE) << i;
        const Point p = std::pair{ x, y }, p2 = curves[i].add(p, p), p4 = curves[i].add(p2, p2),
                    p5 = curves[i].add(p4, p);
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), p5->first);
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_Y), p5->second);
    }
}

// Scalars that are longer than n: all their words have to be written, and no bit may be beyond the
// ladder's steps.
TEST_F(Device163, LongScalars)
{
    const uint32_t longer = 2u | 163u << 8 | 1u << TY_ACCEL_CONFIG_BLIND_SHIFT;
    const auto curve = [&](uint32_t config) {
        const Element root = c.f.root(c.b);
        dev.write(TY_ACCEL_CONFIG, config);
        dev.put(TY_ACCEL_SLOT_A, c.a);
        dev.put(TY_ACCEL_SLOT_B, c.b);
        dev.put(TY_ACCEL_SLOT_ROOT, root);
    };
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    const uint32_t cycles = dev.read(TY_ACCEL_CYCLES);
    curve(longer);
    EXPECT_EQ(dev.read(TY_ACCEL_CONFIG), longer);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << "a word is missing";
    dev.write(TY_ACCEL_SCALAR_MORE, 0);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
    EXPECT_EQ(dev.read(TY_ACCEL_CYCLES), cycles + 32 * 18);
    for (const unsigned bit : {194u, 195u, 254u}) {   // the last that is examined, and two beyond
        Element scalar = k;
        scalar.flip(bit);
        dev.operands(x, y, scalar);
        dev.write(TY_ACCEL_SCALAR_MORE, 0);
        EXPECT_EQ(dev.run(), bit == 194 ? TY_ACCEL_E_NONE : TY_ACCEL_E_SCALAR) << bit;
        if (bit == 194) EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
        dev.command(TY_ACCEL_DO_ZEROISE);
        EXPECT_TRUE(dev.rest());
    }
    dev.operands(x, y, k);
    dev.write(TY_ACCEL_SCALAR_MORE, 1);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_SCALAR);
    curve(2u | 163u << 8 | 3u << TY_ACCEL_CONFIG_BLIND_SHIFT);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_CONTEXT) << "more than it was built for";

    Raw<Vacceltoy> without;
    without.write(TY_ACCEL_SCALAR_MORE, 0);
    EXPECT_NE(without.last_response, 0u);
    EXPECT_EQ(without.error(), TY_ACCEL_E_ADDRESS);
}

// A run is started by START and ADD only, and not by other commands or writes of the same values.
TEST_F(Device163, OnlyStartAndAddStartARun)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Point want = dev.result();
    dev.operands(x, y, Element(1));
    for (const uint32_t code : {TY_ACCEL_DO_START, TY_ACCEL_DO_ADD}) {
        dev.write(TY_ACCEL_INTERRUPT, code);
        EXPECT_FALSE(dev.status() & 1) << code;
        dev.write(TY_ACCEL_ERROR, code);
        EXPECT_FALSE(dev.status() & 1) << code;
    }
    EXPECT_EQ(dev.result(), want);
    EXPECT_FALSE(dev.status() & 1) << "GET";
    EXPECT_EQ(dev.add(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.result(), c.add(want, std::pair{x, y}));
}

// Where the core refuses what the known-answer test writes, the machine has failed.
TEST_F(Device163, KnownAnswerTestIsRefused)
{
    auto &root = *dev.pins().rootp;
    dev.watch = [&] { root.ty_accel__DOT__core__DOT__data_wide_q = 1; };
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(dev.rest());
    dev.watch = [] {};
    EXPECT_EQ(dev.error(), TY_ACCEL_E_FAULT);
    nothing_to_read();
}

// The known-answer test passes, leaves nothing, and detects a flipped bit.
TEST_F(Device163, KnownAnswerTest)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    dev.write(TY_ACCEL_INTERRUPT, 3);
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(dev.status() & 1);
    dev.write(TY_ACCEL_DATA, 7);
    EXPECT_NE(dev.last_response, 0u);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_BUSY);
    EXPECT_FALSE(dev.pins().irq);
    EXPECT_TRUE(dev.rest());
    EXPECT_TRUE(dev.pins().irq);
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.read(TY_ACCEL_CYCLES), 3234u);
    EXPECT_EQ(dev.read(TY_ACCEL_CONTEXT), 3u);
    nothing_to_read();
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << "operands and scalar are dropped";

    auto &root = *dev.pins().rootp;
    const auto flips = [&](auto &&flip) {
        dev.command(TY_ACCEL_DO_SELFTEST);
        for (int i = 0; i < 1500; i++) dev.tick();
        flip();
        EXPECT_TRUE(dev.rest());
        EXPECT_EQ(dev.error(), TY_ACCEL_E_FAULT);
        nothing_to_read();
    };
    flips([&] { root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q[2] ^= 8; });
    // a valid point, with the wrong scalar
    flips([&] { root.ty_accel__DOT__core__DOT__key_q[1] ^= 1; });
    dev.command(TY_ACCEL_DO_SELFTEST);
    for (int i = 0; i < 700; i++) dev.tick();
    dev.command(TY_ACCEL_DO_ABORT);
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_ABORTED);
    nothing_to_read();
    dev.random_has = [] { return false; };
    dev.command(TY_ACCEL_DO_ZEROISE);
    EXPECT_TRUE(dev.rest());
    const uint64_t begun = dev.now;
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_RANDOM);
    EXPECT_GT(dev.now - begun, 16384u + 200) << "it waits from the first START on";
    dev.random_has = [] { return true; };
    dev.write(TY_ACCEL_CONTEXT, 0);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE) << "the other contexts are unchanged";
}
