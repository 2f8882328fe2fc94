// Whether the accelerator's tests run in full, as in make rtl-full, which takes most of an hour;
// make test-full does not include it.
#pragma once
#include <cstdlib>

inline bool full() { return std::getenv("TONGYU_RTL_FULL") != nullptr; }
