// The long runs of the accelerator, most of an hour in the simulator: of make rtl-full, not of make
// test-full.
#pragma once
#include <cstdlib>

inline bool full() { return std::getenv("TONGYU_RTL_FULL") != nullptr; }
