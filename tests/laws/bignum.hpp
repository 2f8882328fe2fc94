// Schoolbook integers in 32-bit words, least significant first: the second witness of the modular kernels. Nothing
// here is shared with the library; slow and obvious.
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
        for (size_t i = 0; i < n && i / 4 < w.size(); i++) out[n - 1 - i] = (uint8_t)(w[i / 4] >> 8 * (i % 4));
        return out;
    }
    bool bit(size_t i) const { return i / 32 < w.size() && (w[i / 32] >> i % 32 & 1); }
    size_t bits() const { return w.size() * 32; }
    void trim() { while (!w.empty() && w.back() == 0) w.pop_back(); }
};

inline int cmp(const Big &x, const Big &y)
{
    if (x.w.size() != y.w.size()) return x.w.size() < y.w.size() ? -1 : 1;
    for (size_t i = x.w.size(); i-- > 0;)
        if (x.w[i] != y.w[i]) return x.w[i] < y.w[i] ? -1 : 1;
    return 0;
}
inline bool operator==(const Big &x, const Big &y) { return cmp(x, y) == 0; }
inline bool operator<(const Big &x, const Big &y) { return cmp(x, y) < 0; }

inline Big operator+(const Big &x, const Big &y)
{
    Big z;
    uint64_t c = 0;
    for (size_t i = 0; i < std::max(x.w.size(), y.w.size()) + 1; i++) {
        c += (i < x.w.size() ? x.w[i] : 0ull) + (i < y.w.size() ? y.w[i] : 0ull);
        z.w.push_back((uint32_t)c);
        c >>= 32;
    }
    z.trim();
    return z;
}

inline Big operator-(const Big &x, const Big &y)   // x >= y
{
    Big z;
    int64_t c = 0;
    for (size_t i = 0; i < x.w.size(); i++) {
        c += (int64_t)x.w[i] - (i < y.w.size() ? y.w[i] : 0);
        z.w.push_back((uint32_t)c);
        c >>= 32;
    }
    z.trim();
    return z;
}

inline Big operator*(const Big &x, const Big &y)
{
    Big z;
    z.w.assign(x.w.size() + y.w.size(), 0);
    for (size_t i = 0; i < x.w.size(); i++) {
        uint64_t c = 0;
        for (size_t j = 0; j < y.w.size() || c; j++) {
            c += z.w[i + j] + (j < y.w.size() ? (uint64_t)x.w[i] * y.w[j] : 0);
            z.w[i + j] = (uint32_t)c;
            c >>= 32;
        }
    }
    z.trim();
    return z;
}

inline Big operator%(const Big &x, const Big &m)   // bit by bit: r = 2r + bit, less m where it fits
{
    const size_t n = m.w.size() + 1;
    Big r;
    r.w.assign(n, 0);
    std::vector<uint32_t> d(n);
    for (size_t i = x.bits(); i-- > 0;) {
        for (size_t j = n; j-- > 1;) r.w[j] = r.w[j] << 1 | r.w[j - 1] >> 31;
        r.w[0] = r.w[0] << 1 | x.bit(i);
        int64_t c = 0;
        for (size_t j = 0; j < n; j++) {
            c += (int64_t)r.w[j] - (j + 1 < n ? m.w[j] : 0);
            d[j] = (uint32_t)c;
            c >>= 32;
        }
        if (c == 0) r.w.swap(d);
    }
    r.trim();
    return r;
}

inline Big low_bits(Big x, unsigned n)   // x mod 2^n, n a multiple of 32
{
    if (x.w.size() > n / 32) x.w.resize(n / 32);
    x.trim();
    return x;
}

inline Big power(const Big &x, const Big &e, const Big &m)
{
    Big z = Big(1) % m;
    for (size_t i = e.bits(); i-- > 0;) {
        z = z * z % m;
        if (e.bit(i)) z = z * x % m;
    }
    return z;
}
