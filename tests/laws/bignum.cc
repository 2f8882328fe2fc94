// The arithmetic of bignum.hpp, compiled with optimisation, because on an emulated CPU tests spend
// most of their time in it.
#include "laws/bignum.hpp"

int cmp(const Big &x, const Big &y)
{
    if (x.w.size() != y.w.size()) return x.w.size() < y.w.size() ? -1 : 1;
    for (size_t i = x.w.size(); i-- > 0;)
        if (x.w[i] != y.w[i]) return x.w[i] < y.w[i] ? -1 : 1;
    return 0;
}

Big operator+(const Big &x, const Big &y)
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

Big operator-(const Big &x, const Big &y)
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

Big operator*(const Big &x, const Big &y)
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

Big operator%(const Big &x, const Big &m)   // bit by bit: r = 2 r + bit, minus m if r >= m
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

Big low_bits(Big x, unsigned n)
{
    if (x.w.size() > n / 32) x.w.resize(n / 32);
    x.trim();
    return x;
}

Big power(const Big &x, const Big &e, const Big &m)
{
    Big z = Big(1) % m;
    for (size_t i = e.bits(); i-- > 0;) {
        z = z * z % m;
        if (e.bit(i)) z = z * x % m;
    }
    return z;
}
