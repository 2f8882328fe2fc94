// Generic mode: the device on curves of X9.62 and DSTU 4145, on named ones, and in fields of dense
// random polynomials, against the library and against affine arithmetic.
#include "rtl/rig.hh"
#include "rtl/units.hh"
#include "rtl/full.hh"
#include "rtl/polynomials.hh"

#include "Vaccel.h"
#include "Vgenericq.h"
#include "Vgenerictoy.h"

#include <algorithm>
#include <memory>
#include <tuple>

// --- Curves of standards, through the driver -----------------------------------------------------

struct Numbers {
    Field f;
    Element a, b, x, y;
    std::vector<uint8_t> n;
    uint32_t h;

    // The library's curve, with the memory of its parameters.
    struct Made {
        std::vector<uint8_t> a, b, x, y;
        std::unique_ptr<ty_ec_any> any = std::make_unique<ty_ec_any>();
    };
    std::unique_ptr<Made> made() const
    {
        auto r = std::make_unique<Made>();
        const auto bytes = [](const Element &e, size_t len) {
            std::vector<uint8_t> out(len);
            for (size_t i = 0; i < len; i++)
                out[len - 1 - i] = static_cast<uint8_t>(e.w[i / 8] >> 8 * (i % 8));
            return out;
        };
        const size_t len = (f.m + 7) / 8;
        r->a = bytes(a, len), r->b = bytes(b, len), r->x = bytes(x, len), r->y = bytes(y, len);
        ty_ec_params p = {};
        Element all = f.rest;
        all.flip(f.m);
        p.poly_len = f.m / 8 + 1;
        const auto poly = bytes(all, p.poly_len);
        std::copy(poly.begin(), poly.end(), p.poly);
        p.a = r->a.data(), p.b = r->b.data(), p.x = r->x.data(), p.y = r->y.data(), p.n = n.data();
        p.n_len = n.size();
        p.h = h;
        const char *why = "";
        EXPECT_EQ(ty_ec_any_init(r->any.get(), &p, TY_EC_AUTO, 0, &why), TY_OK) << why;
        return r;
    }
};

static Numbers numbers(const ty_ec_params &p)
{
    unsigned m = 8 * static_cast<unsigned>(p.poly_len) - 1;
    while (!(p.poly[0] >> m % 8 & 1)) m--;
    Element rest = element_of(p.poly, p.poly_len);
    rest.flip(m);
    const size_t len = (m + 7) / 8;
    return { Field(m, rest),
             element_of(p.a, len),
             element_of(p.b, len),
             element_of(p.x, len),
             element_of(p.y, len),
             { p.n, p.n + p.n_len },
             p.h };
}

static Numbers standard(const std::string &name)
{
    ty_ec_params p;
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++)
        if (p.name == name) return numbers(p);
    ADD_FAILURE() << "no " << name;
    return numbers(p);
}

// The same curve over an isomorphic field: M is the minimal polynomial of a random element, and is
// dense; every coordinate is expressed in powers of that element. m is prime, so the element
// generates the field.
static Numbers elsewhere(const Numbers &c, std::mt19937_64 &rng, unsigned least_gap)
{
    for (;;) {
        const Element theta = c.f.random(rng);
        // Gaussian elimination: each row is a sum of powers of theta, and which powers they are;
        // row i has the leading bit i.
        std::vector<std::pair<Element, Element>> triangle(c.f.m);
        // reduces e by the rows so far: (remainder, the powers that were added to `how`)
        const auto express = [&](Element e, Element how) {
            for (unsigned i = c.f.m; i-- > 0;)
                if (e.bit(i) && !triangle[i].first.zero())
                    e = e + triangle[i].first, how = how + triangle[i].second;
            return std::pair{e, how};
        };
        Element power(1);
        bool independent = true;
        for (unsigned i = 0; i < c.f.m && independent; i++, power = c.f.mul(power, theta)) {
            const auto [left, how] = express(power, Element(1).shifted(static_cast<int>(i)));
            independent = !left.zero();
            if (!independent) break;
            unsigned top = c.f.m - 1;
            while (!left.bit(top)) top--;
            triangle[top] = {left, how};
        }
        if (!independent) continue;
        const auto again = [&](const Element &e) { return express(e, Element()).second; };
        const Field f(c.f.m, again(power));
        if (gap_of(f) < least_gap) continue;
        return {f, again(c.a), again(c.b), again(c.x), again(c.y), c.n, c.h};
    }
}

template <class Top>
static void agrees(Rig<Top> &rig, const Numbers &c, std::mt19937_64 &rng, int count,
                   const std::string &name, uint32_t *cycles)
{
    const ty_rng source = {fill, &rng};
    const auto made = c.made();
    const ty_ec_curve *curve = ty_ec_any_curve(made->any.get());
    ASSERT_TRUE(ty_accel_has(&rig.accel, curve)) << name;
    *cycles = 0;
    for (int i = 0; i < count; i++) {
        ty_ec_key mine, theirs;
        ASSERT_EQ(ty_ec_keygen(&mine, curve, &source), TY_OK);
        ASSERT_EQ(ty_ec_keygen(&theirs, curve, &source), TY_OK);
        ty_ec_pub p, q;
        ASSERT_EQ(ty_ec_mul(&p, mine.d, &theirs.pub), TY_OK);
        ASSERT_EQ(ty_accel_mul(&rig.accel, &q, mine.d, &theirs.pub), TY_OK) << name;
        ASSERT_EQ(encoded(p), encoded(q)) << name;
        if (i)
            ASSERT_EQ(*cycles, ty_accel_cycles(&rig.accel)) << name << ": cycles depend on the key";
        *cycles = ty_accel_cycles(&rig.accel);
    }
}

template <class Top>
static void every_curve(Rig<Top> &rig, bool named_too, int long_run)
{
    std::mt19937_64 rng(11);
    size_t count = 0;
    uint32_t cycles;
    const auto one = [&](const Numbers &c, const std::string &name) {
        agrees(rig, c, rng, full() ? long_run : 1, name, &cycles);
        EXPECT_FALSE(rig.device.read(TY_ACCEL_STATUS) >> TY_ACCEL_STATUS_SLOW_SHIFT & 1) << name;
        count++;
    };
    ty_ec_params p;
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++)
        if (p.poly_len <= 32) one(numbers(p), p.name);
    EXPECT_EQ(count, 17u) << "those of X9.62 and DSTU 4145 up to 255 bits";
    for (size_t i = 0; const ty_ec_curve *curve = ty_ec_curve_at(i); i++) {
        ty_ec_params_get(&p, curve);
        if (!named_too || ty_ec_field_bits(curve) > 255) continue;
        one(numbers(p), ty_ec_curve_name(curve));
        if (i % 2 || full()) one(numbers(p), ty_ec_curve_name(curve));
    }
}

TEST(Generic, EveryCurveSquaringsOnTheMultiplier)
{
    Rig<Vaccel> rig;
    every_curve(rig, false, 200);
}

TEST(Generic, EveryCurveWithASquarer)
{
    Rig<Vgenericq> rig;
    every_curve(rig, true, 50);
}

// Polynomials whose terms are close need several folds per digit, which STATUS shows; their results
// are right, too.
TEST(Generic, DensePolynomials)
{
    Rig<Vaccel> rig;
    Rig<Vgenericq> rigq;
    std::mt19937_64 rng(12);
    ty_ec_params p;
    bool slow = false;
    for (const char *name : {"sect113r1", "sect163r2", "sect193r1", "sect233r1"}) {
        ty_ec_params_get(&p, ty_ec_curve_named(name));
        // a gap of 1 takes 64 times as long
        for (const unsigned least : {8u, 1u}) {
            if (!full() && (least == 1 || p.n_len > 21)) continue;
            const Numbers c = elsewhere(numbers(p), rng, least);
            uint32_t cycles, cyclesq;
            agrees(rig, c, rng, 1, name, &cycles);
            agrees(rigq, c, rng, 1, name, &cyclesq);
            const unsigned gap = gap_of(c.f);
            EXPECT_EQ(rig.device.read(TY_ACCEL_STATUS) >> TY_ACCEL_STATUS_SLOW_SHIFT & 1, gap < 64);
            EXPECT_GT(cycles, cyclesq);
            slow |= gap < 64;
        }
    }
    EXPECT_TRUE(slow);
}

// The cycles in docs/accelerator.md are those of the device.
TEST(Generic, Cycles)
{
    Rig<Vaccel> rig;
    Rig<Vgenericq> rigq;
    std::mt19937_64 rng(13);
    for (const auto &[name, want, wantq] :
         { std::tuple{ "c2pnb163v1", 5311u, 3565u }, { "dstu4145-233", 9900u, 6694u } }) {
        uint32_t cycles, cyclesq;
        agrees(rig, standard(name), rng, 2, name, &cycles);
        agrees(rigq, standard(name), rng, 2, name, &cyclesq);
        EXPECT_EQ(cycles, want);
        EXPECT_EQ(cyclesq, wantq);
    }
}

// Sums on curves of standards, by products and the divider, and by the squarer and its chain.
TEST(Generic, Sums)
{
    Rig<Vaccel> rig;
    Rig<Vgenericq> rigq;
    std::mt19937_64 rng(15);
    for (const auto &[name, want, wantq] :
         { std::tuple{ "c2pnb163v1", 10998u, 7716u }, { "dstu4145-233", 20322u, 14435u } }) {
        const auto made = standard(name).made();
        const ty_ec_curve *curve = ty_ec_any_curve(made->any.get());
        uint32_t cycles, cyclesq;
        sums_by_driver(rig, curve, rng, &cycles);
        sums_by_driver(rigq, curve, rng, &cyclesq);
        EXPECT_EQ(cycles, want) << "docs/accelerator.md has what the model counts";
        EXPECT_EQ(cyclesq, wantq);
    }
    // terms so close that a digit takes several folds
    ty_ec_params p;
    ty_ec_params_get(&p, ty_ec_curve_named("sect113r1"));
    const auto made = elsewhere(numbers(p), rng, 8).made();
    uint32_t cycles;
    sums_by_driver(rigq, ty_ec_any_curve(made->any.get()), rng, &cycles);
}

// --- Register by register ------------------------------------------------------------------------

// Points of curves over fields of every irreducible M of degree 3 to 8, with scalars of 8 bits: a
// random selection of each.
TEST(Generic, ToyCurves)
{
    Raw<Vgenerictoy> dev;
    std::mt19937_64 rng(14);
    const unsigned steps = 8;
    for (unsigned m = 3; m <= 8; m++)
        for (uint64_t rest = 1; rest < uint64_t{1} << m; rest += 2) {
            const Field f(m, Element(rest));
            if (!irreducible(f) || (!full() && m > 5 && rng() % 6)) continue;
            Curve c{f, f.random(rng), f.random(rng)};
            if (c.b.zero() || rng() % 4 == 0) c.b = Element(1);
            dev.curve(c, steps, true);
            for (uint64_t x = 0; x < uint64_t{1} << m; x++)
                for (uint64_t y = 0; y < uint64_t{1} << m; y++) {
                    if (!c.has(Element(x), Element(y)) || (x && rng() % (full() ? 4 : 60)))
                        continue;
                    Point want;
                    for (unsigned k = 0; k < 1u << steps;
                         k++, want = c.add(want, std::pair{ Element(x), Element(y) })) {
                        if (k > 8 && k < 250 && rng() % 8) continue;
                        dev.operands(Element(x), Element(y), Element(k));
                        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE)
                            << m << " " << rest << " " << x << " " << y << " " << k;
                        const bool infinite = dev.status() >> TY_ACCEL_STATUS_INFINITE_SHIFT & 1;
                        ASSERT_EQ(infinite, !want.has_value());
                        ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want ? want->first : Element());
                        ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_Y), want ? want->second : Element());
                    }
                }
        }
}

TEST(Generic, SumsOnToyCurves)
{
    Raw<Vgenerictoy> dev;
    std::mt19937_64 rng(16);
    for (const auto &[m, rest] :
         { std::pair{ 4u, 3u }, { 5u, 5u }, { 7u, 3u }, { 8u, 0x1bu }, { 8u, 0xf5u } }) {
        const Field f(m, Element(rest));
        ASSERT_TRUE(irreducible(f)) << rest;
        for (const Element &b : { Element(1), f.random(rng) + Element(2) }) {
            const Curve c{f, f.random(rng), b.zero() ? Element(2) : b};
            dev.curve(c, 8, true);
            sums(dev, c, 8, full() ? 12 : 50, rng);
            if (HasFatalFailure()) return;
        }
    }
    for (const int number : {6, 7}) {        // the divider in a named field
        const Curve c{fields[number], Element(1), Element(0x35)};
        dev.curve(c, 8);
        sums(dev, c, 8, 50, rng);
    }
}

// Named fields beside generic mode, with two and with three digits: kP and a sum, on a curve with
// b = 1 and another one, whose a or b is what a random point has.
template <class Top>
static void named_fields()
{
    Raw<Top> dev;
    std::mt19937_64 rng(17);
    for (const int number : {0, 2})
        for (const bool one : {false, true}) {
            const Field &f = fields[number];
            const Element x = f.random(rng), y = f.random(rng);
            Curve c{f, Element(), Element(1)};
            const Element left = f.sqr(y) + f.mul(x, y) + f.mul(f.sqr(x), x);   // a x^2 + b
            if (one) c.a = f.mul(left + c.b, f.inv(f.sqr(x)));
            else c.b = left;
            ASSERT_TRUE(c.has(x, y));
            const unsigned steps = 40;
            dev.curve(c, steps);
            const uint64_t k = rng() >> (64 - steps), l = rng() >> (64 - steps);
            const Point p = std::pair{ x, y };
            dev.operands(x, y, Element(k));
            ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE) << f.m;
            EXPECT_EQ(dev.result(), c.times(k, p)) << f.m << " bits, b = 1: " << one;
            dev.operands(x, y, Element(l));
            ASSERT_EQ(dev.add(), TY_ACCEL_E_NONE) << f.m;
            EXPECT_EQ(dev.result(), c.times(k + l, p)) << f.m << " bits, b = 1: " << one;
        }
}

TEST(Generic, NamedFieldsSquaringsOnTheMultiplier) { named_fields<Vaccel>(); }
TEST(Generic, NamedFieldsWithASquarer) { named_fields<Vgenericq>(); }

TEST(Generic, RefusesWhatIsWrong)
{
    Raw<Vaccel> dev;
    EXPECT_EQ(dev.read(TY_ACCEL_OPTIONS), 255u | 1u << 9 | 1u << 13);
    const Numbers c = standard("dstu4145-167");
    const Curve curve{c.f, c.a, c.b};
    dev.curve(curve, 167, true);
    dev.operands(c.x, c.y, Element(5));
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);

    dev.write(TY_ACCEL_CONFIG, 8 | 167 << 8 | 167 << 16);   // drops M
    dev.put(TY_ACCEL_SLOT_A, c.a);
    dev.put(TY_ACCEL_SLOT_B, c.b);
    dev.put(TY_ACCEL_SLOT_ROOT, c.f.root(c.b));
    dev.operands(c.x, c.y, Element(5));
    EXPECT_EQ(dev.run(), TY_ACCEL_E_CONTEXT) << "no M";
    dev.put(TY_ACCEL_SLOT_POLY, c.f.rest + Element(1));
    EXPECT_EQ(dev.error(), TY_ACCEL_E_RANGE) << "t divides M";
    dev.words(TY_ACCEL_DATA, c.x.shifted(static_cast<int>(256 - 168)));
    dev.command(TY_ACCEL_DO_PUT, TY_ACCEL_SLOT_X);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_RANGE) << "one bit below 1";
    for (const unsigned m : {0u, 1u, 2u}) {
        dev.write(TY_ACCEL_CONFIG, 8 | 167 << 8 | m << 16);
        for (const uint32_t slot :
             { TY_ACCEL_SLOT_A, TY_ACCEL_SLOT_B, TY_ACCEL_SLOT_ROOT, TY_ACCEL_SLOT_POLY })
            dev.put(slot, Element());
        EXPECT_EQ(dev.run(), TY_ACCEL_E_CONTEXT) << m << " bits";
    }
    dev.write(TY_ACCEL_CONFIG, 2 | 163 << 8);
    dev.put(TY_ACCEL_SLOT_POLY, c.f.rest);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_COMMAND) << "a named field has its M";

    dev.curve(curve, 167, true);
    dev.operands(c.x, c.y + Element(1), Element(5));
    EXPECT_EQ(dev.run(), TY_ACCEL_E_POINT);
}

// That of each of two named fields, and generic mode's.
TEST(Generic, KnownAnswers)
{
    Rig<Vgenericq> rig;
    const uint64_t before = rig.device.now;
    EXPECT_EQ(ty_accel_selftest(&rig.accel), TY_OK);
    EXPECT_GT(rig.device.now - before, 3u * 1500) << "three multiplications";
}

// The driver detects that another curve was made at the same address.
TEST(Generic, ACurveMadeAnewAtOneAddress)
{
    Rig<Vaccel> rig;
    const auto room = standard("dstu4145-167").made();
    for (const char *which :
         { "dstu4145-167", "dstu4145-191", "dstu4145-167", "c2pnb163v2", "c2pnb163v3" }) {
        const auto other = standard(which).made();
        ty_ec_params p;
        ty_ec_params_get(&p, ty_ec_any_curve(other->any.get()));
        const char *why = "";
        ASSERT_EQ(ty_ec_any_init(room->any.get(), &p, TY_EC_AUTO, 0, &why), TY_OK) << why;
        const ty_ec_curve *curve = ty_ec_any_curve(room->any.get());
        const ty_ec_pub g = generator(curve);
        std::vector<uint8_t> k(ty_ec_order_len(curve));
        k.back() = 77;
        ty_ec_pub q, want;
        ASSERT_EQ(ty_ec_mul(&want, k.data(), &g), TY_OK);
        ASSERT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_OK) << which;
        EXPECT_EQ(encoded(q), encoded(want)) << which;
    }
}
