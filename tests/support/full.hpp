// The long loops: of make test-full.
#pragma once
#include <cstdlib>

inline bool full() { return std::getenv("TONGYU_TEST_FULL") != nullptr; }
