// How much a test does: the long loops of make test-full, or fewer cases.
#pragma once
#include <cstdlib>

// Whether the tier at work is emulated, ten microseconds an instruction, so that a test does with a
// tenth, or a few; or is the portable one where a sample of it is enough.
inline bool &tier_is_slow()
{
    static bool slow;
    return slow;
}

// The long loops: not for an emulated tier, which would take hours. It gets them on a CPU that has
// its instructions.
inline bool full() { return std::getenv("TONGYU_TEST_FULL") != nullptr && !tier_is_slow(); }

// Set where every instruction is emulated and the portable code runs natively elsewhere, as in CI's
// stage armhf: the portable tier of a family with a stronger one is sampled, and long repetitions
// are cut short.
inline bool sampling() { return std::getenv("TONGYU_SAMPLE") != nullptr; }
