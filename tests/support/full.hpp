// The long loops: of make test-full.
#pragma once
#include <cstdlib>

inline bool full() { return std::getenv("TONGYU_TEST_FULL") != nullptr; }

// Set where every instruction is emulated and the portable code runs natively elsewhere, as in CI's
// stage armhf: the portable tier of a family with a stronger one is sampled, and long repetitions
// are cut short.
inline bool sampling() { return std::getenv("TONGYU_SAMPLE") != nullptr; }
