// Simple implementations of fields and curves, with which the circuits are compared.
#ifndef TY_TEST_RTL_REFERENCE_HH
#define TY_TEST_RTL_REFERENCE_HH

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

struct Element {
    std::array<uint64_t, 4> w{};

    Element() = default;
    explicit Element(uint64_t low) { w[0] = low; }
    bool operator==(const Element &b) const { return w == b.w; }
    bool operator!=(const Element &b) const { return w != b.w; }
    bool zero() const { return !(w[0] | w[1] | w[2] | w[3]); }
    bool bit(unsigned i) const { return w[i / 64] >> i % 64 & 1; }
    void flip(unsigned i) { w[i / 64] ^= uint64_t{1} << i % 64; }
    uint32_t word(unsigned i) const { return static_cast<uint32_t>(w[i / 2] >> 32 * (i % 2)); }
    Element shifted(int up) const   // times t^up, truncated to bits 0 to 255
    {
        Element r;
        for (int i = 0; i < 256; i++)
            if (bit(static_cast<unsigned>(i)) && i + up >= 0 && i + up < 256)
                r.flip(static_cast<unsigned>(i + up));
        return r;
    }
    Element operator+(const Element &b) const
    {
        Element r;
        for (int i = 0; i < 4; i++) r.w[i] = w[i] ^ b.w[i];
        return r;
    }
};

// GF(2)[t]/M, M = t^m + rest.
struct Field {
    unsigned number, m;   // a named field's, as in ty_field_pkg
    Element rest;

    Field(unsigned number_, unsigned m_, unsigned k1, unsigned k2, unsigned k3)
        : number(number_), m(m_), rest(1)
    {
        rest.flip(k1);
        if (k2) rest.flip(k2), rest.flip(k3);
    }
    Field(unsigned degree, const Element &low) : number(0), m(degree), rest(low) {}

    Element times_t(const Element &a) const
    {
        Element r;
        for (int i = 0; i < 4; i++) r.w[i] = a.w[i] << 1 | (i ? a.w[i - 1] >> 63 : 0);
        if (r.bit(m)) {
            r.flip(m);
            r = r + rest;
        }
        return r;
    }
    Element mul(const Element &a, const Element &b) const
    {
        Element r;
        for (unsigned i = m; i-- > 0;) {
            r = times_t(r);
            if (b.bit(i)) r = r + a;
        }
        return r;
    }
    Element sqr(const Element &a) const { return mul(a, a); }
    Element power2(Element a, unsigned n) const   // a^(2^n)
    {
        while (n--) a = sqr(a);
        return a;
    }
    Element root(const Element &a) const   // square root
    {
        return power2(a, m - 1);
    }
    Element inv(const Element &a) const
    {
        Element r(1), s = a;
        for (unsigned i = 1; i < m; i++) s = sqr(s), r = mul(r, s);
        return r;
    }
    Element random(std::mt19937_64 &rng) const
    {
        Element r;
        for (unsigned i = 0; i < 4; i++) r.w[i] = rng();
        for (unsigned i = m; i < 256; i++)
            if (r.bit(i)) r.flip(i);
        return r;
    }
};

inline const Field fields[] = {{0, 113, 9, 0, 0},  {1, 131, 8, 3, 2},  {2, 163, 7, 6, 3},
                               {3, 193, 15, 0, 0}, {4, 233, 74, 0, 0}, {5, 239, 158, 0, 0},
                               {6, 7, 1, 0, 0},    {7, 8, 4, 3, 1}};

using Point = std::optional<std::pair<Element, Element>>;   // or infinity

struct Curve {
    Field f;
    Element a, b;

    bool has(const Element &x, const Element &y) const
    {
        return f.sqr(y) + f.mul(x, y) == f.mul(f.sqr(x), x + a) + b;
    }
    Point add(const Point &p, const Point &q) const
    {
        if (!p) return q;
        if (!q) return p;
        const auto &[x1, y1] = *p;
        const auto &[x2, y2] = *q;
        if (x1 == x2) {
            if (y1 + y2 == x1) return {};
            const Element s = x1 + f.mul(y1, f.inv(x1)), x = f.sqr(s) + s + a;
            return std::pair{x, f.sqr(x1) + f.mul(s + Element(1), x)};
        }
        const Element s = f.mul(y1 + y2, f.inv(x1 + x2)), x = f.sqr(s) + s + x1 + x2 + a;
        return std::pair{x, f.mul(s, x1 + x) + x + y1};
    }
    Point times(uint64_t k, const Point &p) const
    {
        Point r;
        for (unsigned i = 64; i-- > 0;) {
            r = add(r, r);
            if (k >> i & 1) r = add(r, p);
        }
        return r;
    }
};

#endif
