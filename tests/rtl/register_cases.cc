// The registers of the device one by one: each has a value after a reset, and what depends on the
// scalar, the point or an earlier run is cleared when it has to be.
#include "rtl/device163.hh"

// Sets or examines a register, whatever type Verilator has for it.
template <class Word>
static void mark(Word &r)
{
    r = 1;   // the lowest bit, which every register has
}
template <std::size_t words>
static void mark(VlWide<words> &r)
{
    for (std::size_t i = 0; i + 1 < words; i++) r[i] = ~0u;   // the last one may be shorter
}
template <class Row, std::size_t rows>
static void mark(VlUnpacked<Row, rows> &r)
{
    for (std::size_t i = 0; i < rows; i++) mark(r[i]);
}

template <class Word>
static bool clear(const Word &r)
{
    return r == 0;
}
template <std::size_t words>
static bool clear(const VlWide<words> &r)
{
    uint32_t any = 0;
    for (std::size_t i = 0; i < words; i++) any |= r[i];
    return !any;
}
template <class Row, std::size_t rows>
static bool clear(const VlUnpacked<Row, rows> &r)
{
    bool all = true;
    for (std::size_t i = 0; i < rows; i++) all = all && clear(r[i]);
    return all;
}

// each(name of a register, the register), by module
#define TOP(name) each(#name, root.ty_accel__DOT__##name)
#define BUS(name) each("bus, " #name, root.ty_accel__DOT__bus__DOT__##name)
#define TESTER(name) \
    each("selftest, " #name, root.ty_accel__DOT__g_test__DOT__selftest__DOT__##name)
#define CORE(name) each(#name, root.ty_accel__DOT__core__DOT__##name)
#define SEQUENCER(name) CORE(sequencer__DOT__##name)
#define MULTIPLIER(name) CORE(multiplier__DOT__##name)
#define SQUARER(name) CORE(squarer__DOT__##name)
#define RANDOM(name) CORE(random__DOT__g_random__DOT__##name)

// What a reset clears.
template <class Each>
static void registers(Vaccel163___024root &root, Each &&each)
{
    TOP(core_error_set), TOP(core_error), TOP(testing_q), TOP(host_refused_q), TOP(stop_q);
    TOP(stopped_q), TOP(bus_error_set), TOP(bus_error), TOP(core_in);
    BUS(written_q), BUS(at_core_q), BUS(judged_q), BUS(known_q), BUS(starts_q);
    BUS(known_at_core_q), BUS(starts_at_core_q), BUS(data_q), BUS(error_q), BUS(enable_q);
    BUS(pending_q), BUS(error_clear), BUS(irq_we);
    TESTER(stop_q), TESTER(word_q), TESTER(active_q), TESTER(item_q);
    TESTER(part_q), TESTER(beat_q), TESTER(tries_q), TESTER(refused_q);
    TESTER(no_random_q), TESTER(sum_q), TESTER(verdict_q);
    CORE(state_q), CORE(context_q), CORE(config_q), CORE(loaded_q), CORE(b_is_one_q), CORE(gap_q);
    CORE(field), CORE(degree), CORE(blind_q), CORE(generic_q), CORE(steps_q), CORE(gap_now_q);
    CORE(context_good_q), CORE(b_is_one_now_q), CORE(mask_q), CORE(spare_q), CORE(top_q);
    CORE(offset_q), CORE(data_q), CORE(data_shown_q), CORE(data_excess_q), CORE(data_wide_q);
    CORE(data_odd_q), CORE(data_is_one_q), CORE(data_gap_q), CORE(key_q), CORE(key_have_q);
    CORE(key_excess_q), CORE(key_manager_q), CORE(point_have_q), CORE(lambda_q), CORE(mu_q);
    CORE(complete_q), CORE(put_over_q);
    CORE(start_q), CORE(put_q), CORE(get_q), CORE(run_q), CORE(past_a_q), CORE(from_a_q);
    CORE(from_b_q), CORE(from_made_q), CORE(sums_q), CORE(other_q), CORE(divides_q), CORE(writes_q);
    CORE(read_address_a), CORE(read_address_b), CORE(folds_q), CORE(element_goes_q);
    CORE(key_word_q), CORE(key_index_q), CORE(bit_q), CORE(before_q), CORE(coming_q);
    CORE(offcurve_q), CORE(infinite_q), CORE(negated_q), CORE(fault_q), CORE(zero_q);
    CORE(test_q), CORE(wipe_q), CORE(adds_q), CORE(ran_q), CORE(keep_q), CORE(ended_q);
    CORE(poly_q), CORE(others__DOT__inverts_q);
    SEQUENCER(state_q), SEQUENCER(pc_q), SEQUENCER(next_q), SEQUENCER(branch_q);
    SEQUENCER(units_q), SEQUENCER(hold_q), SEQUENCER(delay_q), SEQUENCER(last_q);
    SEQUENCER(second_q), SEQUENCER(count_q), SEQUENCER(more_q), SEQUENCER(exponent_q);
    SEQUENCER(exponent_now_q), SEQUENCER(chain_q), SEQUENCER(chain_left_q);
    MULTIPLIER(running_q), MULTIPLIER(first_q), MULTIPLIER(left_q), MULTIPLIER(acc_q);
    MULTIPLIER(a_q), MULTIPLIER(b_q), MULTIPLIER(digit_q);
    SQUARER(value_q), SQUARER(count_q);
    RANDOM(pool_q), RANDOM(have_q), RANDOM(judged_q), RANDOM(good_q);
}

TEST_F(Device163, AResetReachesEveryRegister)
{
    auto &root = *dev.pins().rootp;
    registers(root, [](const char *, auto &r) { mark(r); });
    root.ty_accel__DOT__core__DOT__wiping_q = 0;
    root.ty_accel__DOT__core__DOT__squarer__DOT__none_q = 0;
    root.ty_accel__DOT__core__DOT__squarer__DOT__done_q = 0;
    dev.reset();
    registers(root, [](const char *name, auto &r) { EXPECT_TRUE(clear(r)) << name; });
    EXPECT_EQ(root.ty_accel__DOT__core__DOT__wiping_q, 1);
    EXPECT_EQ(root.ty_accel__DOT__core__DOT__squarer__DOT__none_q, 1) << "the result is the value";
    EXPECT_EQ(root.ty_accel__DOT__core__DOT__squarer__DOT__done_q, 1);
    EXPECT_FALSE(dev.pins().irq || dev.pins().s_axil_bvalid || dev.pins().s_axil_rvalid);
    EXPECT_TRUE(dev.rest());
    dev.curve(c, 163);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
}

// What a run, an abort or another curve must not leave behind.
template <class Each>
static void secrets(Vaccel163___024root &root, Each &&each)
{
    CORE(key_q), CORE(key_have_q), CORE(key_excess_q), CORE(key_word_q), CORE(coming_q);
    CORE(bit_q), CORE(before_q), CORE(point_have_q), CORE(lambda_q), CORE(mu_q), CORE(adds_q);
}

static const int ready = 3, wipe = 6;   // states of ty_core

TEST_F(Device163, WhatAWipeClears)
{
    auto &root = *dev.pins().rootp;
    const auto &state = root.ty_accel__DOT__core__DOT__state_q;
    int last = state, wiped = 0;
    dev.watch = [&] {
        if (last == wipe) {
            wiped++;
            secrets(root, [](const char *name, auto &r) { EXPECT_TRUE(clear(r)) << name; });
            EXPECT_TRUE(clear(root.ty_accel__DOT__core__DOT__data_q));
            EXPECT_FALSE(root.ty_accel__DOT__core__DOT__data_shown_q);
        }
        last = state;
    };
    for (const uint32_t code : {TY_ACCEL_DO_ZEROISE, TY_ACCEL_DO_ABORT}) {
        secrets(root, [](const char *, auto &r) { mark(r); });
        mark(root.ty_accel__DOT__core__DOT__data_q);
        root.ty_accel__DOT__core__DOT__data_shown_q = 1;
        wiped = 0;
        dev.command(code);
        EXPECT_TRUE(dev.rest());
        EXPECT_EQ(wiped, 16) << code;
    }
    dev.operands(x, y, k);
    wiped = 0;
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(wiped, 14) << "two registers have the result";
    EXPECT_EQ(state, ready);
    EXPECT_FALSE(root.ty_accel__DOT__core__DOT__ran_q) << "the run has ended";
}

TEST_F(Device163, WhatAnotherCurveClears)
{
    auto &root = *dev.pins().rootp;
    for (const uint32_t offset : {TY_ACCEL_CONTEXT, TY_ACCEL_CONFIG}) {
        dev.random_has = [] { return false; };
        secrets(root, [](const char *, auto &r) { mark(r); });
        dev.write(offset, 0);
        secrets(root, [](const char *name, auto &r) { EXPECT_TRUE(clear(r)) << name; });
    }
}

TEST_F(Device163, WhatAStartClears)
{
    auto &root = *dev.pins().rootp;
    const auto flags = [&](auto &&each) {
        CORE(bit_q), CORE(before_q), CORE(offcurve_q), CORE(infinite_q), CORE(negated_q);
        CORE(fault_q), CORE(keep_q), CORE(data_shown_q);
    };
    dev.operands(x, y, k);
    flags([](const char *, auto &r) { mark(r); });
    mark(root.ty_accel__DOT__core__DOT__data_q);
    int seen = 0;
    bool started = false;
    dev.watch = [&] {
        if (started) {
            EXPECT_TRUE(clear(root.ty_accel__DOT__core__DOT__data_q));
        }
        started = root.ty_accel__DOT__core__DOT__start_q;
        if (!started) return;
        seen++;
        flags([](const char *name, auto &r) { EXPECT_TRUE(clear(r)) << name; });
        EXPECT_TRUE(root.ty_accel__DOT__core__DOT__ran_q);
        EXPECT_EQ(root.ty_accel__DOT__core__DOT__key_index_q, 162) << "the first bit";
    };
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(seen, 1);
}

// The flags of the two checks stay set until the end of a run, and each has an error of its own.
TEST_F(Device163, FlagsOfTheChecks)
{
    auto &root = *dev.pins().rootp;
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_START);
    root.ty_accel__DOT__core__DOT__offcurve_q = 1;   // before P is checked
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_POINT);
    nothing_to_read();
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_START);
    root.ty_accel__DOT__core__DOT__fault_q = 1;      // before the result is checked
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_FAULT);
    nothing_to_read();
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
}
