// Keccak as FIPS 202 defines it: the five step mappings on a state of 25 lanes, constants computed
// by their rules, bytes one at a time. The tests compare the library with it.
#pragma once
extern "C" {
#include "keccak/keccak.h"
}
#include "support/hex.hpp"

namespace reference {

inline uint64_t rotl64(uint64_t x, unsigned n)
{
    return n % 64 ? x << n % 64 | x >> (64 - n % 64) : x;
}

// 3.2.5, algorithm 5: bit t of the sequence of a linear feedback shift register of 8 bits
inline unsigned rc_bit(unsigned t)
{
    unsigned r = 1;
    for (t %= 255; t; t--) r = r & 0x80 ? (r << 1) ^ 0x171 : r << 1;
    return r & 1;
}

struct Constants {
    uint64_t rc[24] = {0};
    unsigned offset[25] = {0};
    Constants()
    {
        for (unsigned round = 0; round < 24; round++)
            for (unsigned j = 0; j <= 6; j++)
                rc[round] |= (uint64_t)rc_bit(j + 7 * round) << ((1u << j) - 1);
        // 3.2.2: along a path that visits every lane except (0, 0)
        unsigned x = 1, y = 0;
        for (unsigned t = 0; t < 24; t++) {
            offset[x + 5 * y] = (t + 1) * (t + 2) / 2;
            const unsigned next = (2 * x + 3 * y) % 5;
            x = y;
            y = next;
        }
    }
};

inline void f1600(uint64_t a[25])
{
    static const Constants k;
    for (unsigned round = 0; round < 24; round++) {
        uint64_t c[5], b[25];
        for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        for (int i = 0; i < 25; i++) a[i] ^= c[(i + 4) % 5] ^ rotl64(c[(i + 1) % 5], 1);
        for (int x = 0; x < 5; x++)
            for (int y = 0; y < 5; y++)
                b[y + 5 * ((2 * x + 3 * y) % 5)] = rotl64(a[x + 5 * y], k.offset[x + 5 * y]);
        for (int x = 0; x < 5; x++)
            for (int y = 0; y < 5; y++)
                a[x + 5 * y] = b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
        a[0] ^= k.rc[round];
    }
}

inline Bytes sponge(size_t rate, uint8_t suffix, Bytes m, size_t len)
{
    m.push_back(suffix);
    while (m.size() % rate) m.push_back(0);
    m.back() |= 0x80;
    uint64_t a[25] = {0};
    for (size_t i = 0; i < m.size(); i++) {
        a[i % rate / 8] ^= (uint64_t)m[i] << 8 * (i % rate % 8);
        if (i % rate == rate - 1) f1600(a);
    }
    Bytes out;
    for (size_t i = 0; out.size() < len; i++) {
        if (i && i % rate == 0) f1600(a);
        out.push_back((uint8_t)(a[i % rate / 8] >> 8 * (i % rate % 8)));
    }
    return out;
}

}   // namespace reference

// As long as an object exists, every call uses the named tier of Keccak, which this CPU or the
// emulator must be able to run.
struct UseKeccakTier {
    explicit UseKeccakTier(const char *name)
    {
        for (const ty_tier *t = ty_keccak_tiers; t->name; t++)
            if (std::string(t->name) == name) ty_cpu_assume(t->need);
    }
    ~UseKeccakTier() { ty_cpu_assume(0); }
    UseKeccakTier(const UseKeccakTier &) = delete;
    UseKeccakTier &operator=(const UseKeccakTier &) = delete;
};
