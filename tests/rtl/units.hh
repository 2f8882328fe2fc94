// Helpers for tests of single units: the units, the clock, ports as elements, and operands.
#ifndef TY_TEST_RTL_UNITS_HH
#define TY_TEST_RTL_UNITS_HH

#include "../../rtl/sim/coverage.hh"
#include "rtl/reference.hh"

#include <vector>

// A simulation for one circuit, whose registers have random values until they are reset.
struct Context {
    VerilatedContext context;
    Context()
    {
        context.randReset(2);
        context.randSeed(1);
    }
};

template <class Unit>
struct Alone : private Context, Unit {
    Alone() : Unit(&this->context) {}
    ~Alone()
    {
        this->final();
        save_coverage(this->context);
    }
};

template <class Pins>
inline void set(Pins &pins, const Element &e)
{
    if constexpr (sizeof pins <= 8) pins = static_cast<Pins>(e.w[0]);
    else
        for (unsigned i = 0; i < sizeof pins / 4; i++) pins[i] = e.word(i);
}

template <class Pins>
inline Element get(const Pins &pins)
{
    Element e;
    if constexpr (sizeof pins <= 8) e.w[0] = pins;
    else
        for (unsigned i = 0; i < sizeof pins / 4; i++)
            e.w[i / 2] |= uint64_t{pins[i]} << 32 * (i % 2);
    return e;
}

template <class Unit>
inline void tick(Unit &u)
{
    u.clk = 0, u.eval();
    u.clk = 1, u.eval();
    u.clk = 0, u.eval();
}

template <class Unit>
inline void reset(Unit &u)
{
    u.load = 0, u.rst = 1;
    tick(u);
    u.rst = 0;
}

inline std::vector<std::pair<Element, Element>> some(const Field &f, size_t count)
{
    std::mt19937_64 rng(f.m);
    Element top, ones;
    top.flip(f.m - 1);
    for (unsigned i = 0; i < f.m; i++) ones.flip(i);
    std::vector<std::pair<Element, Element>> r;
    for (const Element &a : {Element(), Element(1), Element(2), top, ones})
        for (const Element &b : {Element(), Element(1), Element(2), top, ones})
            r.emplace_back(a, b);
    while (r.size() < count) r.emplace_back(f.random(rng), f.random(rng));
    return r;
}

inline std::vector<std::pair<Element, Element>> all(const Field &f)
{
    std::vector<std::pair<Element, Element>> r;
    for (uint64_t a = 0; a < uint64_t{1} << f.m; a++)
        for (uint64_t b = 0; b < uint64_t{1} << f.m; b++) r.emplace_back(Element(a), Element(b));
    return r;
}

#endif
