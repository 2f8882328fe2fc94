// The core for 163 bits, register by register, with sect163r2 in it.
#ifndef TY_TEST_RTL_DEVICE163_HH
#define TY_TEST_RTL_DEVICE163_HH

#include "rtl/rig.hh"

#include "Vaccel163.h"
#include "Vaccel163___024root.h"

// sect163r2, from the library
inline Curve curve163(Element *x, Element *y)
{
    ty_ec_params p;
    ty_ec_params_get(&p, ty_ec_curve_named("sect163r2"));
    *x = element_of(p.x, 21);
    *y = element_of(p.y, 21);
    return {fields[2], element_of(p.a, 21), element_of(p.b, 21)};
}

struct Device163 : testing::Test {
    Raw<Vaccel163> dev;
    Element x, y, k{12345};
    Curve c = curve163(&x, &y);

    void SetUp() override { dev.curve(c, 163); }
    void nothing_to_read()
    {
        dev.write(TY_ACCEL_ERROR, 0);
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
        EXPECT_EQ(dev.error(), TY_ACCEL_E_RESULT);
        EXPECT_FALSE(dev.status() >> TY_ACCEL_STATUS_RESULT_SHIFT & 1);
        dev.write(TY_ACCEL_ERROR, 0);
    }
};

#endif
