// Whether tests run in full, as in make test-full, or are only sampled
#pragma once
#include <cstdlib>

// Whether a test runs only a tenth, or a few, of its cases, because the current tier is emulated,
// at ten microseconds per instruction, or is the portable one and only to be sampled
inline bool &tier_is_slow()
{
    static bool slow;
    return slow;
}

// Whether to run the long loops: not on an emulated tier, where they would take hours; they need a
// CPU that has its instructions.
inline bool full() { return std::getenv("TONGYU_TEST_FULL") != nullptr && !tier_is_slow(); }

// Set where the portable code is slow and other stages run all of it: in CI's stage armhf, where
// every instruction is emulated, and in coverage, at -O0. The portable tier of a family with a
// stronger one is sampled, and long repetitions are cut short.
inline bool sampling() { return std::getenv("TONGYU_SAMPLE") != nullptr; }
