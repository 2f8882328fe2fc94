// Tests of internal signals: what a run leaves behind, what its control depends on, and the effect
// of faults.
#include "rtl/device163.hh"
#include "rtl/full.hh"

// After a run every register except the result is zero, after an abort the result, too; so are the
// units. (A cycle later the randomness of the next run is written.)
TEST_F(Device163, NothingIsLeft)
{
    auto &root = *dev.pins().rootp;
    const auto ends = [&](int kept) {
        const int ready = 3;   // READY of ty_core
        while (root.ty_accel__DOT__core__DOT__state_q == ready) dev.tick();
        while (root.ty_accel__DOT__core__DOT__state_q != ready) dev.tick();
        for (int r = 0; r < 16 - kept; r++)
            for (int w = 0; w < 6; w++)
                ASSERT_EQ(root.ty_accel__DOT__core__DOT__regfile__DOT__mem[r][w], 0u) << r;
        for (int w = 0; w < 6; w++) {
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q[w], 0u);
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__multiplier__DOT__a_q[w], 0u);
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__multiplier__DOT__b_q[w], 0u);
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__squarer__DOT__value_q[w], 0u);
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__data_q[w], 0u);
        }
        for (int w = 0; w < 10; w++) EXPECT_EQ(root.ty_accel__DOT__core__DOT__key_q[w], 0u);
    };
    const auto start = [&](const Element &at, int cycles) {
        dev.operands(x, at, k);
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < cycles; i++) dev.tick();
    };
    start(y, 0);
    ends(2);
    EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_ADD);
    ends(2);
    EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
    dev.operands(x, y + Element(1), k);
    dev.command(TY_ACCEL_DO_ADD);
    ends(0);
    start(y + Element(1), 0);
    ends(0);
    start(y, 1000);
    dev.pins().s_axil_awaddr = TY_ACCEL_COMMAND;   // without waiting for the answer
    dev.pins().s_axil_wdata = TY_ACCEL_DO_ABORT;
    dev.pins().s_axil_awvalid = dev.pins().s_axil_wvalid = dev.pins().s_axil_bready = 1;
    dev.tick();
    dev.pins().s_axil_awvalid = dev.pins().s_axil_wvalid = 0;
    ends(0);
}

// The words that are executed, cycle by cycle, are the same for every scalar, point and
// randomness.
TEST_F(Device163, ControlDoesNotDependOnSecrets)
{
    auto &root = *dev.pins().rootp;
    std::mt19937_64 rng(3);
    std::vector<uint32_t> first, trace;
    bool record = false;
    dev.watch = [&] {
        if (record) trace.push_back(root.ty_accel__DOT__core__DOT__sequencer__DOT__pc_q);
    };
    Element px = x, py = y;
    for (int i = 0; i < (full() ? 200 : 12); i++) {
        Element scalar = i == 0 ? Element() : i == 1 ? Element(1) : c.f.random(rng);
        dev.operands(px, py, scalar);
        trace.clear();
        record = true;
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
        record = false;
        trace.resize(dev.read(TY_ACCEL_CYCLES));
        if (i == 0) first = trace;
        ASSERT_EQ(first, trace);
        if (i > 1) px = dev.get(TY_ACCEL_SLOT_RESULT_X), py = dev.get(TY_ACCEL_SLOT_RESULT_Y);
    }
    EXPECT_EQ(first.size(), 3234u) << "docs/accelerator.md has what the model counts";
}

// A bit is flipped in the multiplier, the squarer or a register: the result is right, or there is
// none.
TEST_F(Device163, FaultsAreSeen)
{
    auto &root = *dev.pins().rootp;
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element right = dev.get(TY_ACCEL_SLOT_RESULT_X);
    std::mt19937_64 rng(6);
    int seen = 0, all = full() ? 3000 : 60;
    for (int n = 0; n < all; n++) {
        dev.operands(x, y, k);
        dev.command(TY_ACCEL_DO_START);
        for (uint64_t i = rng() % 3200; i-- > 0;) dev.tick();
        const uint32_t bit = 1u << rng() % 32, word = rng() % 5;
        if (n % 3 == 0) root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q[word] ^= bit;
        else if (n % 3 == 1) root.ty_accel__DOT__core__DOT__squarer__DOT__value_q[word] ^= bit;
        else root.ty_accel__DOT__core__DOT__regfile__DOT__mem[2 + rng() % 12][word] ^= bit;
        EXPECT_TRUE(dev.rest());
        const uint32_t error = dev.error();
        if (error == TY_ACCEL_E_NONE) {
            ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), right);
            continue;
        }
        ASSERT_TRUE(error == TY_ACCEL_E_FAULT || error == TY_ACCEL_E_POINT) << error;
        seen++;
        nothing_to_read();
    }
    EXPECT_GT(seen, all / 10);   // many flips are in registers whose value is not used any more
}

// The same in a sum, where the result of the run before may change between the runs, too.
TEST_F(Device163, FaultsOfASumAreSeen)
{
    auto &root = *dev.pins().rootp;
    const auto multiply = [&] {
        dev.operands(x, y, k);
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
        dev.operands(x, y, Element(777));
    };
    multiply();
    ASSERT_EQ(dev.add(), TY_ACCEL_E_NONE);
    const Point right = dev.result();
    std::mt19937_64 rng(7);
    int seen = 0, all = full() ? 3000 : 60;
    for (int n = 0; n < all; n++) {
        multiply();
        const uint32_t bit = 1u << rng() % 32, word = rng() % 5;
        auto &mem = root.ty_accel__DOT__core__DOT__regfile__DOT__mem;
        if (n % 4 == 3) mem[14 + rng() % 2][word] ^= bit;
        dev.command(TY_ACCEL_DO_ADD);
        for (uint64_t i = n % 2 ? 3200 + rng() % 270 : rng() % 3470; i-- > 0;) dev.tick();
        if (n % 4 == 0) root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q[word] ^= bit;
        else if (n % 4 == 1) root.ty_accel__DOT__core__DOT__squarer__DOT__value_q[word] ^= bit;
        else if (n % 4 == 2) mem[2 + rng() % 14][word] ^= bit;
        EXPECT_TRUE(dev.rest());
        const uint32_t error = dev.error();
        if (error == TY_ACCEL_E_NONE) {
            ASSERT_EQ(dev.result(), right) << n;
            ASSERT_NE(n % 4, 3) << "another result before is not on the curve";
            continue;
        }
        ASSERT_TRUE(error == TY_ACCEL_E_FAULT || error == TY_ACCEL_E_POINT) << error;
        seen++;
        nothing_to_read();
    }
    EXPECT_GT(seen, all / 4);
}

TEST_F(Device163, AnIllegalStateLocks)
{
    auto &root = *dev.pins().rootp;
    for (const bool sequencer : {true, false}) {
        dev.reset();
        EXPECT_TRUE(dev.rest());
        dev.curve(c, 163);
        dev.operands(x, y, k);
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < 50; i++) dev.tick();
        if (sequencer) root.ty_accel__DOT__core__DOT__sequencer__DOT__state_q = 1;
        else root.ty_accel__DOT__core__DOT__state_q = 1;
        for (int i = 0; i < 50; i++) dev.tick();
        EXPECT_TRUE(dev.status() >> TY_ACCEL_STATUS_LOCKED_SHIFT & 1);
        EXPECT_EQ(dev.error(), TY_ACCEL_E_LOCKED);
        dev.command(TY_ACCEL_DO_ABORT);
        dev.command(TY_ACCEL_DO_START);
        EXPECT_TRUE(dev.status() & 1) << "only a reset helps";
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
    }
    dev.reset();
    EXPECT_TRUE(dev.rest());
    dev.curve(c, 163);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
}

// Whether all 32 rows of the register file, or the first ones, are zero.
static bool rows_empty(const Vaccel163___024root &root, int from, int to)
{
    for (int r = from; r < to; r++)
        for (int w = 0; w < 6; w++)
            if (root.ty_accel__DOT__core__DOT__regfile__DOT__mem[r][w]) return false;
    return true;
}

static bool units_empty(const Vaccel163___024root &root)
{
    uint32_t any = 0;
    for (int w = 0; w < 6; w++)
        any |= root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q[w] |
               root.ty_accel__DOT__core__DOT__multiplier__DOT__a_q[w] |
               root.ty_accel__DOT__core__DOT__multiplier__DOT__b_q[w] |
               root.ty_accel__DOT__core__DOT__squarer__DOT__value_q[w] |
               root.ty_accel__DOT__core__DOT__data_q[w];
    for (int w = 0; w < 10; w++) any |= root.ty_accel__DOT__core__DOT__key_q[w];
    return !any;
}

// After a reset, and in a core that has locked, there is nothing: neither the curves nor what the
// units held. A reset takes 32 cycles of wiping, and a lock refuses every write.
TEST_F(Device163, NothingIsLeftByResetsAndLocks)
{
    auto &root = *dev.pins().rootp;
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_START);
    for (int i = 0; i < 1000; i++) dev.tick();
    EXPECT_FALSE(rows_empty(root, 0, 16));
    EXPECT_FALSE(rows_empty(root, 16, 32));
    dev.random_has = [] { return false; };
    dev.reset();
    int cycles = 0;
    for (; root.ty_accel__DOT__core__DOT__state_q != 3 && cycles < 100; cycles++) dev.tick();
    EXPECT_EQ(cycles, 32);
    EXPECT_TRUE(rows_empty(root, 0, 32));
    EXPECT_TRUE(units_empty(root));

    dev.random_has = [] { return true; };
    dev.curve(c, 163);
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_START);
    for (int i = 0; i < 1000; i++) dev.tick();
    EXPECT_FALSE(units_empty(root));
    root.ty_accel__DOT__core__DOT__sequencer__DOT__state_q = 1;
    for (int i = 0; i < 50; i++) dev.tick();
    EXPECT_TRUE(rows_empty(root, 0, 32));
    EXPECT_TRUE(units_empty(root));
    for (const uint32_t offset : { TY_ACCEL_DATA, TY_ACCEL_SCALAR, TY_ACCEL_CONTEXT,
                                   TY_ACCEL_CONFIG, TY_ACCEL_COMMAND }) {
        dev.write(TY_ACCEL_ERROR, 0);
        dev.write(offset, 2);
        EXPECT_NE(dev.last_response, 0u) << offset;
        EXPECT_EQ(dev.error(), TY_ACCEL_E_LOCKED) << offset;
    }
}

// Randomness that is being collected for the next run is dropped by ZEROISE and ABORT, and kept
// over a run.
TEST_F(Device163, CollectedRandomness)
{
    auto &root = *dev.pins().rootp;
    const auto &have = root.ty_accel__DOT__core__DOT__random__DOT__g_random__DOT__have_q;
    const auto &pool = root.ty_accel__DOT__core__DOT__random__DOT__g_random__DOT__pool_q;
    const auto collect = [&] {
        dev.random_has = [] { return true; };
        for (int i = 0; i < 100; i++) dev.tick();
        dev.random_has = [] { return false; };
        EXPECT_EQ(have, 6) << "a third element, of six words";
    };
    for (const uint32_t command : { TY_ACCEL_DO_ZEROISE, TY_ACCEL_DO_ABORT }) {
        collect();
        dev.command(command);
        EXPECT_TRUE(dev.rest());
        EXPECT_EQ(have, 0);
        for (int w = 0; w < 6; w++) EXPECT_EQ(pool[w], 0u);
    }
    dev.operands(x, y, k);
    collect();
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(have, 0) << "it is the first element of the next run";
    EXPECT_TRUE(root.ty_accel__DOT__core__DOT__lambda_q);
    EXPECT_FALSE(root.ty_accel__DOT__core__DOT__mu_q);
}

// After a fault the next run is as if there had been none.
TEST_F(Device163, AFaultIsForgotten)
{
    auto &root = *dev.pins().rootp;
    int seen = 0;
    for (int when = 2000; when < 2040 && seen < 3; when++) {
        dev.operands(x, y, k);
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < when; i++) dev.tick();
        root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q[1] ^= 16;
        EXPECT_TRUE(dev.rest());
        if (dev.error() == TY_ACCEL_E_NONE) continue;   // the bit was not used any more
        EXPECT_EQ(dev.error(), TY_ACCEL_E_FAULT);
        seen++;
        nothing_to_read();
        dev.operands(x, y + Element(1), k);
        EXPECT_EQ(dev.run(), TY_ACCEL_E_POINT);
        dev.operands(x, y, k);
        EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
        EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
    }
    EXPECT_EQ(seen, 3);
}

// An abort in any of the last cycles, also those of the wipe, leaves no result.
TEST_F(Device163, AbortsAtTheEnd)
{
    auto &root = *dev.pins().rootp;
    for (int when = 3185; when < 3250; when++) {
        dev.operands(x, y, k);
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < when; i++) dev.tick();
        dev.command(TY_ACCEL_DO_ABORT);
        while (root.ty_accel__DOT__core__DOT__state_q != 3) dev.tick();
        EXPECT_TRUE(rows_empty(root, 6, 16)) << when;
        EXPECT_TRUE(dev.rest());
        nothing_to_read();
    }
}

// The two random elements are the words that were taken, in their order, and each word is used
// once; an element that is zero in the bits of the field is drawn again.
TEST_F(Device163, RandomElements)
{
    auto &root = *dev.pins().rootp;
    std::vector<uint32_t> words;
    dev.random = [&, source = noise(9)] {
        const size_t n = words.size();
        words.push_back(n == 6 ? 0xfffffff8 : n > 6 && n < 12 ? 0 : source());
        return words.back();
    };
    dev.write(TY_ACCEL_CONTEXT, 0);   // drops the words so far
    for (int i = 0; i < 100; i++) dev.tick();
    dev.random_has = [] { return false; };
    dev.write(TY_ACCEL_CONTEXT, 0);
    words = {words.back()};   // which is waiting at the port
    dev.random_has = [] { return true; };
    for (int i = 0; i < 100; i++) dev.tick();
    ASSERT_GE(words.size(), 18u);
    const auto &rows = root.ty_accel__DOT__core__DOT__regfile__DOT__mem;
    for (size_t w = 0; w < 6; w++) {   // the first word is the most significant one
        const uint32_t mask = w == 5 ? 7 : ~0u;
        EXPECT_EQ(rows[2][w], words[5 - w] & mask) << w;
        EXPECT_EQ(rows[5][w], words[17 - w] & mask) << w;
    }
}
