// What every fuzz target has: the function that libFuzzer calls, seeds, and a check that aborts.
#pragma once
#include "support/hex.hpp"
#include "support/rng.hpp"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Valid and nearly valid inputs; the driver of the ordinary build mutates them. libFuzzer's mutator
// starts from its corpus; `fuzz-x --seeds DIR` of the ordinary build writes one.
std::vector<Bytes> fuzz_seeds();

#define HOLDS(condition)                                                                       \
    do {                                                                                       \
        if (!(condition)) {                                                                    \
            std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                      \
        }                                                                                      \
    } while (0)

inline bool same(const void *a, size_t a_len, const void *b, size_t b_len)
{
    return a_len == b_len && (a_len == 0 || std::memcmp(a, b, a_len) == 0);
}

inline Bytes text(const char *s) { return bytes(s); }
