// The device with two multipliers, whose products take 3, 4 and 4 cycles in its fields of 163, 193
// and 233 bits: the driver against the library, and what a second multiplier could leave behind or
// disturb.
#include "rtl/full.hh"
#include "rtl/rig.hh"

#include "Vacceltwo.h"
#include "Vacceltwo___024root.h"

// Cycles of a run with as many steps as the order has bits, as the model counts them:
// docs/accelerator.md has some of them.
static const std::map<std::string, uint32_t> expected = {
    {"sect163k1", 1685}, {"sect163r1", 1838}, {"sect163r2", 1848}, {"sect193r1", 2749},
    {"sect193r2", 2749}, {"sect233k1", 3058}, {"sect233r1", 3303}};

TEST(TwoMultipliers, AgreeWithTheLibraryInTheModelsCycles)
{
    Rig<Vacceltwo> rig;
    std::mt19937_64 rng(11);
    agrees_in_cycles(rig, rng, expected, full() ? 200 : 5);
}

// Of uG + vP, on the curves of the page whose order has as many bits as the field.
static const std::map<std::string, uint32_t> expected_sums = {
    {"sect163k1", 3549}, {"sect163r2", 3875}, {"sect193r1", 5696}, {"sect233r1", 6838}};

TEST(TwoMultipliers, Add)
{
    Rig<Vacceltwo> rig;
    std::mt19937_64 rng(23);
    uint32_t cycles;
    for (const ty_ec_curve *curve : curves_of(rig.accel)) {
        const auto want = expected_sums.find(ty_ec_curve_name(curve));
        if (want == expected_sums.end() && !full()) continue;
        sums_by_driver(rig, curve, rng, &cycles);
        if (HasFatalFailure()) return;
        if (want != expected_sums.end()) EXPECT_EQ(cycles, want->second) << want->first;
    }
}

TEST(TwoMultipliers, KnownAnswers)
{
    Rig<Vacceltwo> rig;
    EXPECT_EQ(ty_accel_selftest(&rig.accel), TY_OK);
    auto &root = *rig.device.pins().rootp;
    for (const bool second : {false, true}) {
        const uint64_t flips = rig.device.now + 3000;   // in the first of three runs
        rig.device.watch = [&] {
            if (rig.device.now != flips) return;
            (second ? root.ty_accel__DOT__core__DOT__g_two__DOT__multiplier2__DOT__acc_q
                    : root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q)[2] ^= 8;
        };
        EXPECT_EQ(ty_accel_selftest(&rig.accel), TY_ERR_FAULT) << second;
    }
    rig.device.watch = [] {};
    EXPECT_EQ(ty_accel_selftest(&rig.accel), TY_OK);
}

// sect233r1 on this device, register by register.
struct DeviceTwo : testing::Test {
    Raw<Vacceltwo> dev;
    Element x, y;
    std::optional<Curve> c;

    void SetUp() override
    {
        ty_ec_params p;
        ty_ec_params_get(&p, ty_ec_curve_named("sect233r1"));
        x = element_of(p.x, 30);
        y = element_of(p.y, 30);
        c = Curve{fields[4], element_of(p.a, 30), element_of(p.b, 30)};
        dev.curve(*c, 233);
    }
};

TEST_F(DeviceTwo, WhatItIs)
{
    EXPECT_EQ(dev.read(TY_ACCEL_PARAMETERS),
              28u | 59u << 8 | 2u << 16 | 4u << 18 | 3u << 22 |
                  1u << TY_ACCEL_PARAMETERS_TWO_MULTIPLIERS_SHIFT);
}

// The words that are executed are the same for every scalar, point and randomness.
TEST_F(DeviceTwo, ControlDoesNotDependOnSecrets)
{
    auto &root = *dev.pins().rootp;
    std::mt19937_64 rng(12);
    std::vector<uint32_t> first, trace;
    bool record = false;
    dev.watch = [&] {
        if (record) trace.push_back(root.ty_accel__DOT__core__DOT__sequencer__DOT__pc_q);
    };
    for (int i = 0; i < (full() ? 200 : 12); i++) {
        const Element scalar = i == 0 ? Element() : i == 1 ? Element(1) : c->f.random(rng);
        dev.operands(x, y, scalar);
        trace.clear();
        record = true;
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
        record = false;
        trace.resize(dev.read(TY_ACCEL_CYCLES));
        if (i == 0) first = trace;
        ASSERT_EQ(first, trace);
        if (i > 1) x = dev.get(TY_ACCEL_SLOT_RESULT_X), y = dev.get(TY_ACCEL_SLOT_RESULT_Y);
    }
    EXPECT_EQ(first.size(), expected.at("sect233r1"));
}

// The same of a sum, whatever the points: a double and infinity among them.
TEST_F(DeviceTwo, SumsDoNotDependOnSecrets)
{
    auto &root = *dev.pins().rootp;
    std::mt19937_64 rng(24);
    std::vector<uint32_t> first, trace;
    bool record = false;
    dev.watch = [&] {
        if (record) trace.push_back(root.ty_accel__DOT__core__DOT__sequencer__DOT__pc_q);
    };
    for (int i = 0; i < 6; i++) {
        const Element scalar = i < 3 ? Element(5) : c->f.random(rng);
        dev.operands(x, y, scalar);
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
        const uint32_t cycles = dev.read(TY_ACCEL_CYCLES);
        dev.operands(x, i == 1 ? x + y : y, i == 2 ? Element() : scalar);
        trace.clear();
        record = true;
        ASSERT_EQ(dev.add(), TY_ACCEL_E_NONE);
        record = false;
        trace.resize(dev.read(TY_ACCEL_CYCLES) - cycles);
        if (i == 0) first = trace;
        ASSERT_EQ(first, trace);
    }
    EXPECT_EQ(first.size(), expected_sums.at("sect233r1") - expected.at("sect233r1"));
}

// Both multipliers are empty after a run and after an abort.
TEST_F(DeviceTwo, NothingIsLeftInTheMultipliers)
{
    auto &root = *dev.pins().rootp;
    const auto empty = [&] {
        uint32_t any = 0;
        for (int w = 0; w < 8; w++) {
            any |= root.ty_accel__DOT__core__DOT__multiplier__DOT__a_q[w] |
                   root.ty_accel__DOT__core__DOT__multiplier__DOT__b_q[w] |
                   root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q[w] |
                   root.ty_accel__DOT__core__DOT__g_two__DOT__multiplier2__DOT__a_q[w] |
                   root.ty_accel__DOT__core__DOT__g_two__DOT__multiplier2__DOT__b_q[w] |
                   root.ty_accel__DOT__core__DOT__g_two__DOT__multiplier2__DOT__acc_q[w];
        }
        return !any;
    };
    for (const int cycles : {0, 1000, 2000}) {
        dev.operands(x, y, Element(12345));
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < 100; i++) dev.tick();
        EXPECT_FALSE(empty());
        for (int i = 0; i < cycles; i++) dev.tick();
        if (cycles) dev.command(TY_ACCEL_DO_ABORT);
        EXPECT_TRUE(dev.rest());
        EXPECT_TRUE(empty());
    }
}

// A bit is flipped in one of the multipliers: the result is right, or there is none.
TEST_F(DeviceTwo, FaultsAreSeen)
{
    auto &root = *dev.pins().rootp;
    dev.operands(x, y, Element(12345));
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element right = dev.get(TY_ACCEL_SLOT_RESULT_X);
    std::mt19937_64 rng(13);
    int seen = 0, all = full() ? 2000 : 40;
    for (int n = 0; n < all; n++) {
        dev.operands(x, y, Element(12345));
        dev.command(TY_ACCEL_DO_START);
        for (uint64_t i = rng() % 3000; i-- > 0;) dev.tick();
        (n % 2 ? root.ty_accel__DOT__core__DOT__g_two__DOT__multiplier2__DOT__acc_q
               : root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q)[rng() % 7] ^=
            1u << rng() % 32;
        EXPECT_TRUE(dev.rest());
        const uint32_t error = dev.error();
        if (error == TY_ACCEL_E_NONE) {
            ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), right);
            continue;
        }
        ASSERT_TRUE(error == TY_ACCEL_E_FAULT || error == TY_ACCEL_E_POINT) << error;
        seen++;
    }
    EXPECT_GT(seen, all / 10);   // many flips are in digits that are not used any more
}
