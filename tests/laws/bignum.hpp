// Schoolbook integers in 32-bit words, least significant first, with which tests compare the
// modular kernels. They share no code with the library, and are slow and simple.
#pragma once
#include "support/hex.hpp"
#include <algorithm>

struct Big {
    std::vector<uint32_t> w;
    Big() = default;
    Big(uint64_t x) : w{(uint32_t)x, (uint32_t)(x >> 32)} { trim(); }
    explicit Big(const Bytes &be)
    {
        for (size_t i = 0; i < be.size(); i++) {
            const size_t at = be.size() - 1 - i;
            if (i % 4 == 0) w.push_back(0);
            w.back() |= (uint32_t)be[at] << 8 * (i % 4);
        }
        trim();
    }
    static Big hex(const std::string &s) { return Big(unhex(s)); }
    static Big pow2(unsigned n)
    {
        Big z;
        z.w.assign(n / 32 + 1, 0);
        z.w.back() = 1u << n % 32;
        return z;
    }
    Bytes bytes(size_t n) const
    {
        Bytes out(n);
        for (size_t i = 0; i < n && i / 4 < w.size(); i++)
            out[n - 1 - i] = (uint8_t)(w[i / 4] >> 8 * (i % 4));
        return out;
    }
    bool bit(size_t i) const { return i / 32 < w.size() && (w[i / 32] >> i % 32 & 1); }
    size_t bits() const { return w.size() * 32; }   // of the words: an upper bound
    void trim() { while (!w.empty() && w.back() == 0) w.pop_back(); }
};

int cmp(const Big &x, const Big &y);
Big operator+(const Big &x, const Big &y);
Big operator-(const Big &x, const Big &y);       // x >= y
Big operator*(const Big &x, const Big &y);
Big operator%(const Big &x, const Big &m);
Big low_bits(Big x, unsigned n);                 // x mod 2^n, n a multiple of 32
Big power(const Big &x, const Big &e, const Big &m);
inline bool operator==(const Big &x, const Big &y) { return cmp(x, y) == 0; }
inline bool operator<(const Big &x, const Big &y) { return cmp(x, y) < 0; }
