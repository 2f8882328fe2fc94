// What a host or a key manager can do at an unusual time, and registers that no other test reads.
#include "rtl/device163.hh"

#include "Vacceltoy.h"

// The key manager's word is refused, and not taken, while a host's write is on its way, during a
// run, and during the known-answer test.
TEST_F(Device163, KeyPortRefusesWhileTheHostWrites)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    auto &pins = dev.pins();
    const auto refused = [&] {
        pins.clk = 0;
        pins.eval();
        return bool{pins.key_refused != 0};
    };
    dev.operands(x, y, k);
    pins.key_index = 0;
    pins.key_data = 99;
    EXPECT_FALSE(refused());
    pins.s_axil_awaddr = TY_ACCEL_INTERRUPT;
    pins.s_axil_wdata = 0;
    pins.s_axil_awvalid = pins.s_axil_wvalid = pins.s_axil_bready = pins.key_valid = 1;
    for (int cycle = 0; cycle < 3; cycle++) {   // decoded, at the ports, at the core
        EXPECT_TRUE(refused()) << cycle;
        dev.tick();
        pins.s_axil_awvalid = pins.s_axil_wvalid = 0;
    }
    pins.key_valid = 0;
    EXPECT_FALSE(refused());
    for (int i = 0; i < 5; i++) dev.tick();
    pins.s_axil_bready = 0;
    dev.command(TY_ACCEL_DO_START);
    pins.key_valid = 1;
    EXPECT_TRUE(refused()) << "during a run";
    dev.tick();
    pins.key_valid = 0;
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
    dev.command(TY_ACCEL_DO_SELFTEST);
    pins.key_valid = 1;
    for (int i = 0; i < 40; i++) {   // the core is idle in many of these cycles
        EXPECT_TRUE(refused()) << i;
        dev.tick();
    }
    pins.key_valid = 0;
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_NONE);
}

// A host that could replace words of a key manager's scalar would learn the others from results.
TEST_F(Device163, AScalarHasOneSource)
{
    auto &pins = dev.pins();
    const auto manager = [&](unsigned i, uint32_t word) {
        pins.key_valid = 1;
        pins.key_index = static_cast<uint8_t>(i);
        pins.key_data = word;
        dev.tick();
        EXPECT_FALSE(pins.key_refused);
        pins.key_valid = 0;
    };
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    for (unsigned at = 0; at < 8; at++) {
        dev.put(TY_ACCEL_SLOT_X, x);
        dev.put(TY_ACCEL_SLOT_Y, y);
        for (unsigned i = 0; i < 8; i++) manager(i, k.word(i));
        dev.write(TY_ACCEL_SCALAR + 4 * at, k.word(at));
        EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << at;
        for (unsigned i = 0; i < 8; i++)
            if (i != at) dev.write(TY_ACCEL_SCALAR + 4 * i, k.word(i));
        EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE) << "all words are the host's";
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
        dev.operands(x, y, k);
        manager(at, k.word(at));
        EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << at;
        for (unsigned i = 0; i < 8; i++) manager(i, k.word(i));
        EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
    }
}

// A PUT that was refused leaves nothing in DATA of which another PUT could make an element; and
// what was wrong with DATA is forgotten when DATA is wiped or read from a result.
TEST_F(Device163, ARefusedElementIsDropped)
{
    for (unsigned word = 5; word < 8; word++) {
        dev.operands(x, y, k);
        dev.words(TY_ACCEL_DATA, x);
        dev.write(TY_ACCEL_DATA + 4 * word, 0x80000000u | x.word(word));
        dev.command(TY_ACCEL_DO_PUT, TY_ACCEL_SLOT_X);
        EXPECT_EQ(dev.error(), TY_ACCEL_E_RANGE) << word;
        dev.command(TY_ACCEL_DO_PUT, TY_ACCEL_SLOT_X);
        EXPECT_EQ(dev.last_response, 0u) << "DATA is 0";
        EXPECT_EQ(dev.run(), TY_ACCEL_E_POINT) << word;
    }
    dev.write(TY_ACCEL_DATA + 28, 1);
    dev.command(TY_ACCEL_DO_ZEROISE);
    EXPECT_TRUE(dev.rest());
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    dev.write(TY_ACCEL_DATA + 28, 1);
    EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
    dev.command(TY_ACCEL_DO_PUT, TY_ACCEL_SLOT_X);
    EXPECT_EQ(dev.last_response, 0u);
}

TEST_F(Device163, InterruptRegister)
{
    EXPECT_EQ(dev.read(TY_ACCEL_INTERRUPT), 0u);
    dev.write(TY_ACCEL_INTERRUPT, 1);
    EXPECT_EQ(dev.read(TY_ACCEL_INTERRUPT), 1u);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.read(TY_ACCEL_INTERRUPT), 3u);
    dev.write(TY_ACCEL_INTERRUPT, 0);
    EXPECT_EQ(dev.read(TY_ACCEL_INTERRUPT), 2u) << "pending until it is cleared";
    EXPECT_FALSE(dev.pins().irq);
    dev.reset();
    EXPECT_EQ(dev.read(TY_ACCEL_INTERRUPT), 0u);
}

// No image of the microprogram is as long as its addresses allow: the last one is an illegal state.
TEST_F(Device163, AProgramThatRunsAwayLocks)
{
    auto &root = *dev.pins().rootp;
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_START);
    for (int i = 0; i < 50; i++) dev.tick();
    dev.write(TY_ACCEL_INTERRUPT, 1);
    EXPECT_FALSE(dev.pins().irq);
    root.ty_accel__DOT__core__DOT__sequencer__DOT__pc_q = 0x1ff;
    for (int i = 0; i < 5; i++) dev.tick();
    EXPECT_TRUE(dev.pins().irq) << "BUSY does not fall any more";
    EXPECT_EQ(dev.error(), TY_ACCEL_E_LOCKED);
    EXPECT_TRUE(dev.status() >> TY_ACCEL_STATUS_LOCKED_SHIFT & 1);
    EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
}

TEST(Device, WithoutAKnownAnswerTest)
{
    Raw<Vacceltoy> dev;
    EXPECT_EQ(dev.read(TY_ACCEL_OPTIONS), 0u);
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_NE(dev.last_response, 0u);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_COMMAND);
    EXPECT_FALSE(dev.status() & 1);
}

// An abort of the known-answer test is reported and ends it at once, also where the core has no run
// to abort: while the test writes operands, reads results or wipes.
TEST_F(Device163, AnAbortedKnownAnswerTestHasNotPassed)
{
    for (int when = 0; when < 4000; when += when < 500 || when > 3500 ? 23 : 400) {
        dev.command(TY_ACCEL_DO_SELFTEST);
        for (int i = 0; i < when; i++) dev.tick();
        const bool still = dev.status() & 1;
        const auto asked = dev.now;
        dev.command(TY_ACCEL_DO_ABORT);
        EXPECT_TRUE(dev.rest());
        EXPECT_LE(dev.now - asked, 60u) << when;   // what is left is a wipe
        EXPECT_EQ(dev.error(), still ? TY_ACCEL_E_ABORTED : TY_ACCEL_E_NONE) << when;
        nothing_to_read();
    }
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_NONE);
}

// ERROR is cleared by a write to it, and by a START, ADD or SELFTEST that is accepted, and by
// nothing else.
TEST_F(Device163, ErrorStaysUntilItIsCleared)
{
    const auto wrong = [&] {
        dev.write(TY_ACCEL_STATUS, 1);
        EXPECT_EQ(dev.error(), TY_ACCEL_E_ADDRESS);
    };
    wrong();
    dev.operands(x, y, k);
    dev.write(TY_ACCEL_INTERRUPT, 0);
    dev.command(TY_ACCEL_DO_ABORT);
    EXPECT_TRUE(dev.rest());
    dev.command(TY_ACCEL_DO_ZEROISE);
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_ADDRESS);
    dev.write(TY_ACCEL_ERROR, 0);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_NONE);
    wrong();
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    wrong();
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_NONE);
}

// DATA reads as zero from the first word that is written until the next GET, and after commands
// that wipe.
TEST_F(Device163, DataIsShownAfterGetOnly)
{
    const auto shown = [&] {
        uint32_t any = 0;
        for (unsigned i = 0; i < 8; i++) any |= dev.read(TY_ACCEL_DATA + 4 * i);
        return any != 0;
    };
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_FALSE(shown());
    EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
    EXPECT_TRUE(shown());
    dev.write(TY_ACCEL_DATA, 1);
    EXPECT_FALSE(shown()) << "the words that were not written";
    EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
    dev.command(TY_ACCEL_DO_ABORT);
    EXPECT_TRUE(dev.rest());
    EXPECT_FALSE(shown());
    nothing_to_read();
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_Y), Element());
    dev.write(TY_ACCEL_INTERRUPT, 3);
    dev.command(TY_ACCEL_DO_ZEROISE);
    EXPECT_TRUE(dev.rest());
    EXPECT_FALSE(shown());
    EXPECT_FALSE(dev.pins().irq) << "a wipe is no run";
    nothing_to_read();
}

// A write to CONFIG or CONTEXT drops operands, the scalar and the randomness.
TEST_F(Device163, AnotherCurveDropsOperands)
{
    dev.operands(x, y, k);
    dev.curve(c, 163);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND);
    dev.operands(x, y, k);
    dev.write(TY_ACCEL_CONTEXT, 0);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND);
    dev.operands(x, y, k);
    dev.random_has = [] { return false; };
    dev.curve(c, 163);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_RANDOM);
    dev.random_has = [] { return true; };
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    dev.operands(x, y, k);
    dev.random_has = [] { return false; };
    dev.write(TY_ACCEL_CONTEXT, 0);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_RANDOM);
}

// Randomness may arrive in any cycle, also in that of a command.
TEST_F(Device163, RandomnessAtAnyTime)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    for (unsigned delay = 0; delay < 90; delay += 3) {
        dev.command(TY_ACCEL_DO_ZEROISE);
        dev.random_has = [] { return false; };
        EXPECT_TRUE(dev.rest());
        const uint64_t from = dev.now + delay;
        dev.random_has = [this, from] { return dev.now >= from; };
        dev.operands(x, y, k);
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE) << delay;
        ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want) << delay;
    }
}

// The known-answer test waits for randomness that is slow.
TEST_F(Device163, KnownAnswerTestWithSlowRandomness)
{
    dev.random_has = [this] { return dev.now % 200 == 0; };
    dev.command(TY_ACCEL_DO_ZEROISE);
    EXPECT_TRUE(dev.rest());
    dev.command(TY_ACCEL_DO_SELFTEST);
    EXPECT_TRUE(dev.rest());
    EXPECT_EQ(dev.error(), TY_ACCEL_E_NONE);
}
