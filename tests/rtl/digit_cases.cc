// A device with digits of 8 bits: a product takes 21 cycles, and words of the microprogram have
// delays of up to 21. The cycles are those that rtl/ucode/model.py counts.
#include "rtl/full.hh"
#include "rtl/rig.hh"

#include "Vacceld8.h"

TEST(SmallDigits, AgreeWithTheLibraryInTheModelsCycles)
{
    Rig<Vacceld8> rig;
    std::mt19937_64 rng(8);
    agrees_in_cycles(rig, rng,
                     {{"sect163k1", 17876}, {"sect163r1", 21172}, {"sect163r2", 21298}},
                     full() ? 50 : 4);
}

TEST(SmallDigits, Add)
{
    Rig<Vacceld8> rig;
    std::mt19937_64 rng(9);
    uint32_t cycles = 0;
    sums_by_driver(rig, ty_ec_curve_named("sect163r2"), rng, &cycles);
    EXPECT_EQ(cycles, 43130u);
}
