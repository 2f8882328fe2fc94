/* The clock of the verb speed: the time stamp counter where there is one, else nanoseconds. */
#ifndef TONGYU_CLI_TICKS_HPP
#define TONGYU_CLI_TICKS_HPP

#include <chrono>
#include <cstdint>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

using Clock = std::chrono::steady_clock;

constexpr bool ticks_are_cycles()
{
#if defined(__x86_64__) || defined(__i386__)
    return true;
#else
    return false;
#endif
}

inline uint64_t ticks()
{
#if defined(__x86_64__) || defined(__i386__)
    return __rdtsc();
#else
    const auto now =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch());
    return static_cast<uint64_t>(now.count());
#endif
}

#endif
