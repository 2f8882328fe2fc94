// A cheap deterministic random source, the same for all benchmarks.
#pragma once
#include "tongyu/base.h"
#include <cstddef>
#include <cstdint>

inline uint64_t next(uint64_t &s)   // xorshift64*
{
    s ^= s >> 12, s ^= s << 25, s ^= s >> 27;
    return s * 0x2545F4914F6CDD1Du;
}

inline uint64_t seed = 1;
inline const ty_rng rng = { [](void *, uint8_t *out, size_t len) {
                               for (size_t i = 0; i < len; i++)
                                   out[i] = (uint8_t)(next(seed) >> 56);
                               return TY_OK;
                           },
                            nullptr };
