// What the tests of the device share: the driver on a simulated device, registers by name, and
// curves.
#ifndef TY_TEST_RTL_RIG_HH
#define TY_TEST_RTL_RIG_HH

#include "../../rtl/sim/device.hh"
#include "accel/accel_const.h"
#include "rtl/reference.hh"
#include "tongyu/tongyu.h"

#include <gtest/gtest.h>

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
    uint32_t run()   // the error
    {
        command(TY_ACCEL_DO_START);
        EXPECT_TRUE(rest());
        return error();
    }
};

// Big-endian bytes as an element.
inline Element element_of(const uint8_t *in, size_t len)
{
    Element e;
    for (size_t i = 0; i < len; i++) e.w[i / 8] |= uint64_t{in[len - 1 - i]} << 8 * (i % 8);
    return e;
}

#endif
