// What the tests of the device share: the driver on a simulated device, registers by name, and
// curves.
#ifndef TY_TEST_RTL_RIG_HH
#define TY_TEST_RTL_RIG_HH

#include "../../rtl/sim/device.hh"
#include "accel/accel_const.h"
#include "rtl/reference.hh"
#include "tongyu/tongyu.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

inline std::function<uint32_t()> noise(uint64_t seed)
{
    auto rng = std::make_shared<std::mt19937_64>(seed);
    return [rng] { return static_cast<uint32_t>((*rng)()); };
}

inline ty_err fill(void *rng, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = static_cast<uint8_t>((*static_cast<std::mt19937_64 *>(rng))());
    return TY_OK;
}

inline std::vector<uint8_t> encoded(const ty_ec_pub &p)
{
    std::vector<uint8_t> out(1 + 2 * ty_ec_field_len(p.curve));
    ty_ec_pub_get(out.data(), &p);
    return out;
}

inline ty_ec_pub generator(const ty_ec_curve *curve)
{
    std::vector<uint8_t> one(ty_ec_order_len(curve));
    one.back() = 1;
    ty_ec_key key;
    EXPECT_EQ(ty_ec_key_set(&key, curve, one.data(), one.size()), TY_OK);
    return key.pub;
}

inline std::vector<const ty_ec_curve *> curves_of(const ty_accel &dev)
{
    std::vector<const ty_ec_curve *> r;
    for (size_t i = 0; const ty_ec_curve *c = ty_ec_curve_at(i); i++)
        if (ty_accel_has(&dev, c)) r.push_back(c);
    return r;
}

// The driver with a simulated device.
template <class Top>
struct Rig {
    Device<Top> device;
    ty_accel accel;

    explicit Rig(uint64_t seed = 1) : device(noise(seed))
    {
        const ty_accel_bus bus = device.bus();
        EXPECT_EQ(ty_accel_init(&accel, &bus), TY_OK);
    }
};

// A device that is used register by register, without the driver.
template <class Top>
struct Raw : Device<Top> {
    explicit Raw(uint64_t seed = 1) : Device<Top>(noise(seed)) { rest(); }

    uint32_t status() { return this->read(TY_ACCEL_STATUS); }
    uint32_t error() { return this->read(TY_ACCEL_ERROR); }
    bool rest()
    {
        for (int i = 0; i < 100000; i++)
            if (!(status() & 1)) return true;
        return false;
    }
    void command(uint32_t code, uint32_t slot = 0)
    {
        this->write(TY_ACCEL_COMMAND, code | slot << 8);
    }
    void words(uint32_t offset, const Element &e)
    {
        for (unsigned i = 0; i < 8; i++) this->write(offset + 4 * i, e.word(i));
    }
    unsigned up = 0;   // elements are put and read times t^up
    void put(uint32_t slot, const Element &e)
    {
        words(TY_ACCEL_DATA, e.shifted(static_cast<int>(up)));
        command(TY_ACCEL_DO_PUT, slot);
    }
    Element get(uint32_t slot)
    {
        Element e;
        command(TY_ACCEL_DO_GET, slot);
        for (unsigned i = 0; i < 8; i++)
            e.w[i / 2] |= uint64_t{this->read(TY_ACCEL_DATA + 4 * i)} << 32 * (i % 2);
        return e.shifted(-static_cast<int>(up));
    }
    void curve(const Curve &c, unsigned steps, bool generic = false)
    {
        up = generic ? 256 - c.f.m : 0;
        this->write(TY_ACCEL_CONFIG,
                    generic ? 8 | steps << 8 | c.f.m << 16 : c.f.number | steps << 8);
        put(TY_ACCEL_SLOT_A, c.a);
        put(TY_ACCEL_SLOT_B, c.b);
        put(TY_ACCEL_SLOT_ROOT, c.f.root(c.b));
        if (generic) put(TY_ACCEL_SLOT_POLY, c.f.rest);
    }
    void operands(const Element &x, const Element &y, const Element &k)
    {
        put(TY_ACCEL_SLOT_X, x);
        put(TY_ACCEL_SLOT_Y, y);
        words(TY_ACCEL_SCALAR, k);
        for (int i = 0; i < 100 && !(status() & 2); i++) {}
    }
    uint32_t run(uint32_t code = TY_ACCEL_DO_START)   // the error
    {
        command(code);
        EXPECT_TRUE(rest());
        return error();
    }
    uint32_t add() { return run(TY_ACCEL_DO_ADD); }
    Point result()
    {
        const Element x = get(TY_ACCEL_SLOT_RESULT_X), y = get(TY_ACCEL_SLOT_RESULT_Y);
        if (!(status() >> TY_ACCEL_STATUS_INFINITE_SHIFT & 1)) return std::pair{x, y};
        EXPECT_TRUE(x.zero() && y.zero());
        return {};
    }
};

// Big-endian bytes as an element.
inline Element element_of(const uint8_t *in, size_t len)
{
    Element e;
    for (size_t i = 0; i < len; i++) e.w[i / 8] |= uint64_t{in[len - 1 - i]} << 8 * (i % 8);
    return e;
}

// uP + vQ on a curve over a toy field of the device, for some pairs of its points, with the point
// of order two among them, and scalars that make every case of an addition: either or both
// multiples infinite, two equal ones, two opposite ones. The curve has to be loaded, with `steps`;
// of the points other than that of order two, one in `every` is used.
template <class Top>
void sums(Raw<Top> &dev, const Curve &c, unsigned steps, size_t every, std::mt19937_64 &rng)
{
    std::vector<std::pair<Element, Element>> points;
    size_t found = 0;
    for (uint64_t x = 0; x < uint64_t{1} << c.f.m; x++)
        for (uint64_t y = 0; y < uint64_t{1} << c.f.m; y++)
            if (c.has(Element(x), Element(y)) && (x == 0 || found++ % every == 0))
                points.emplace_back(Element(x), Element(y));
    uint32_t cycles = 0, more = 0;
    bool seen[5] = {};
    for (const auto &p : points)
        for (const auto &q : points)
            for (const uint64_t u : {uint64_t{0}, uint64_t{1}, rng() >> (64 - steps)})
                for (const uint64_t v : {uint64_t{0}, uint64_t{1}, u, rng() >> (64 - steps)}) {
                    // (x, x + y) is the opposite of (x, y)
                    const std::pair opposite{q.first, q.first + q.second};
                    for (const auto &second : {q, opposite}) {
                        const Point one = c.times(u, p), two = c.times(v, second),
                                    want = c.add(one, two);
                        dev.operands(p.first, p.second, Element(u));
                        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
                        if (!cycles) cycles = dev.read(TY_ACCEL_CYCLES);
                        dev.operands(second.first, second.second, Element(v));
                        ASSERT_EQ(dev.add(), TY_ACCEL_E_NONE);
                        ASSERT_EQ(dev.result(), want)
                            << c.f.m << " bits, a " << c.a.w[0] << ", b " << c.b.w[0] << ": " << u
                            << " (" << p.first.w[0] << ", " << p.second.w[0] << ") + " << v << " ("
                            << second.first.w[0] << ", " << second.second.w[0] << ")";
                        // infinity + kP takes the cycles of kP, any other sum always the same
                        if (one && !more) more = dev.read(TY_ACCEL_CYCLES);
                        ASSERT_EQ(dev.read(TY_ACCEL_CYCLES), one ? more : cycles);
                        seen[!one ? 0 : !two ? 1 : one == two ? 2 : !want ? 3 : 4] = true;
                    }
                }
    EXPECT_GT(more, 2 * cycles);
    for (const bool one : seen) EXPECT_TRUE(one);
}

// The curve for the reference arithmetic, whatever its field.
inline Curve reference(const ty_ec_curve *curve)
{
    ty_ec_params p;
    ty_ec_params_get(&p, curve);
    const size_t len = ty_ec_field_len(curve);
    Element rest = element_of(p.poly, p.poly_len);
    const unsigned m = static_cast<unsigned>(ty_ec_field_bits(curve));
    rest.flip(m);
    return {Field(m, rest), element_of(p.a, len), element_of(p.b, len)};
}

inline std::pair<Element, Element> point_of(const ty_ec_pub &p)
{
    const size_t len = ty_ec_field_len(p.curve);
    const auto bytes = encoded(p);
    return {element_of(&bytes[1], len), element_of(&bytes[1 + len], len)};
}

// The driver's k p, for some k and p on each of the device's curves, among them k = 1, 2 and n - 1;
// `expected` has the cycles by the names of the curves.
template <class Top>
void agrees_in_cycles(Rig<Top> &rig, std::mt19937_64 &rng,
                      const std::map<std::string, uint32_t> &expected, int points)
{
    const ty_rng source = {fill, &rng};
    const auto curves = curves_of(rig.accel);
    ASSERT_EQ(curves.size(), expected.size());
    for (const ty_ec_curve *curve : curves) {
        const std::string name = ty_ec_curve_name(curve);
        for (int i = 0; i < points; i++) {
            ty_ec_key mine, theirs;
            ASSERT_EQ(ty_ec_keygen(&mine, curve, &source), TY_OK);
            ASSERT_EQ(ty_ec_keygen(&theirs, curve, &source), TY_OK);
            if (i < 3) {   // 1, 2, n - 1
                std::vector<uint8_t> k(ty_ec_order_len(curve));
                ty_ec_params params;
                ty_ec_params_get(&params, curve);
                if (i == 2) k.assign(params.n, params.n + params.n_len);
                k.back() = static_cast<uint8_t>(i == 2 ? k.back() - 1 : i + 1);
                ASSERT_EQ(ty_ec_key_set(&mine, curve, k.data(), k.size()), TY_OK);
            }
            ty_ec_pub p, q;
            ASSERT_EQ(ty_ec_mul(&p, mine.d, &theirs.pub), TY_OK);
            ASSERT_EQ(ty_accel_mul(&rig.accel, &q, mine.d, &theirs.pub), TY_OK) << name;
            ASSERT_EQ(encoded(p), encoded(q)) << name;
            ASSERT_EQ(ty_accel_cycles(&rig.accel), expected.at(name)) << name;
        }
    }
}

// The driver's u p + v q on a curve, in every case of an addition, and ECDSA's verification by it;
// *cycles is set to their cycles, which are the same in all cases but u = 0.
template <class Top>
void sums_by_driver(Rig<Top> &rig, const ty_ec_curve *curve, std::mt19937_64 &rng, uint32_t *cycles)
{
    const char *name = ty_ec_curve_name(curve);
    const ty_rng source = {fill, &rng};
    const Curve c = reference(curve);
    const size_t len = ty_ec_order_len(curve);
    ty_ec_params params;
    ty_ec_params_get(&params, curve);
    ty_ec_key one, two;
    ASSERT_EQ(ty_ec_keygen(&one, curve, &source), TY_OK);
    ASSERT_EQ(ty_ec_keygen(&two, curve, &source), TY_OK);
    const std::vector<uint8_t> zero(len), u(one.d, one.d + len), v(two.d, two.d + len),
        n(params.n, params.n + len);
    std::vector<uint8_t> less(len);          // n - u
    for (int i = static_cast<int>(len) - 1, borrow = 0; i >= 0; i--) {
        const int d = n[static_cast<size_t>(i)] - u[static_cast<size_t>(i)] - borrow;
        less[static_cast<size_t>(i)] = static_cast<uint8_t>(d);
        borrow = d < 0;
    }
    *cycles = 0;
    const auto sum = [&](const std::vector<uint8_t> &k, const ty_ec_pub &p,
                         const std::vector<uint8_t> &l, const ty_ec_pub &q, const char *what) {
        ty_ec_pub kp, lq, got = p;
        const Point first = ty_ec_mul(&kp, k.data(), &p) == TY_OK ? Point(point_of(kp)) : Point(),
                    second = ty_ec_mul(&lq, l.data(), &q) == TY_OK ? Point(point_of(lq)) : Point(),
                    want = c.add(first, second);
        const ty_err err = ty_accel_mul_add(&rig.accel, &got, k.data(), &p, l.data(), &q);
        ASSERT_EQ(err, want ? TY_OK : TY_ERR_KEY) << name << ": " << what;
        ASSERT_EQ(point_of(got), want ? *want : point_of(p)) << name << ": " << what;
        if (!first) return;
        if (!*cycles) *cycles = ty_accel_cycles(&rig.accel);
        ASSERT_EQ(ty_accel_cycles(&rig.accel), *cycles) << name << ": " << what;
    };
    sum(u, one.pub, v, two.pub, "any");
    sum(v, generator(curve), u, one.pub, "with the generator");
    sum(u, one.pub, u, one.pub, "the double");
    sum(u, two.pub, less, two.pub, "infinity");
    sum(zero, one.pub, v, two.pub, "u = 0");
    sum(u, one.pub, zero, two.pub, "v = 0");
    sum(n, one.pub, n, two.pub, "infinity twice");

    std::vector<uint8_t> sig(2 * len), digest(32), none(32);
    ASSERT_EQ(fill(&rng, digest.data(), digest.size()), TY_OK);
    for (const auto &d : {digest, none}) {   // a digest of zeros: u = 0
        ASSERT_EQ(ty_ecdsa_sign(sig.data(), d.data(), d.size(), &one, &source), TY_OK);
        const auto verify = [&](const ty_ec_pub &pub) {
            return ty_accel_ecdsa_verify(&rig.accel, sig.data(), sig.size(), d.data(), d.size(),
                                         &pub);
        };
        EXPECT_EQ(verify(one.pub), TY_OK) << name;
        if (d == digest) EXPECT_EQ(ty_accel_cycles(&rig.accel), *cycles) << name;
        EXPECT_EQ(verify(two.pub), TY_ERR_VERIFY) << name;
        sig.back() ^= 1;
        EXPECT_EQ(verify(one.pub), TY_ERR_VERIFY) << name;
    }
}

#endif
