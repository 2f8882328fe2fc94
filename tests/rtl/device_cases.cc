// The whole device behind its bus: through the driver against the library, and register by register.
#include "../../rtl/sim/device.hh"
#include "accel/accel_const.h"
#include "rtl/reference.hh"
#include "support/full.hpp"
#include "support/vectors.hpp"
#include "tongyu/tongyu.h"

#include "Vaccel.h"
#include "Vaccel163.h"
#include "Vaccel163___024root.h"
#include "Vacceltoy.h"

#include <gtest/gtest.h>



static std::function<uint32_t()> noise(uint64_t seed)
{
    auto rng = std::make_shared<std::mt19937_64>(seed);
    return [rng] { return static_cast<uint32_t>((*rng)()); };
}

static ty_err fill(void *rng, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++) out[i] = static_cast<uint8_t>((*static_cast<std::mt19937_64 *>(rng))());
    return TY_OK;
}

static std::vector<uint8_t> encoded(const ty_ec_pub &p)
{
    std::vector<uint8_t> out(1 + 2 * ty_ec_field_len(p.curve));
    ty_ec_pub_get(out.data(), &p);
    return out;
}

static ty_ec_pub generator(const ty_ec_curve *curve)
{
    std::vector<uint8_t> one(ty_ec_order_len(curve));
    one.back() = 1;
    ty_ec_key key;
    EXPECT_EQ(ty_ec_key_set(&key, curve, one.data(), one.size()), TY_OK);
    return key.pub;
}

static std::vector<const ty_ec_curve *> curves_of(const ty_accel &dev)
{
    std::vector<const ty_ec_curve *> r;
    for (size_t i = 0; const ty_ec_curve *c = ty_ec_curve_at(i); i++)
        if (ty_accel_has(&dev, c)) r.push_back(c);
    return r;
}

// --- Through the driver ---------------------------------------------------------------------------

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

TEST(Device, AgreesWithTheLibraryOnEveryCurve)
{
    Rig<Vaccel> rig;
    std::mt19937_64 rng(2);
    const ty_rng source = {fill, &rng};
    const auto curves = curves_of(rig.accel);
    ASSERT_EQ(curves.size(), 12u);   // all of SEC 2 below 256 bits
    for (const ty_ec_curve *curve : curves) {
        uint32_t cycles = 0;
        for (int i = 0; i < (full() ? 1000 : 2); i++) {
            ty_ec_key mine, theirs;
            ASSERT_EQ(ty_ec_keygen(&mine, curve, &source), TY_OK);
            ASSERT_EQ(ty_ec_keygen(&theirs, curve, &source), TY_OK);
            const size_t len = ty_ec_field_len(curve);
            std::vector<uint8_t> here(len), there(len);
            ASSERT_EQ(ty_ec_ecdh(here.data(), &theirs.pub, &mine), TY_OK);
            ASSERT_EQ(ty_accel_ecdh(&rig.accel, there.data(), &theirs.pub, &mine), TY_OK) << ty_ec_curve_name(curve);
            ASSERT_EQ(here, there) << ty_ec_curve_name(curve);
            ASSERT_EQ(ty_ec_ecdh_cofactor(here.data(), &theirs.pub, &mine), TY_OK);
            ASSERT_EQ(ty_accel_ecdh_cofactor(&rig.accel, there.data(), &theirs.pub, &mine), TY_OK);
            ASSERT_EQ(here, there) << ty_ec_curve_name(curve);
            ty_ec_pub p, q;
            ASSERT_EQ(ty_ec_mul(&p, mine.d, &theirs.pub), TY_OK);
            ASSERT_EQ(ty_accel_mul(&rig.accel, &q, mine.d, &theirs.pub), TY_OK);
            ASSERT_EQ(encoded(p), encoded(q));
            if (!cycles) cycles = ty_accel_cycles(&rig.accel);
            ASSERT_EQ(cycles, ty_accel_cycles(&rig.accel)) << "cycles depend on the key";
        }
    }
}

TEST(Device, ScalarsByDefinition)
{
    Rig<Vaccel> rig;
    for (const ty_ec_curve *curve : curves_of(rig.accel)) {
        const ty_ec_pub g = generator(curve);
        ty_ec_params params;
        ty_ec_params_get(&params, curve);
        std::vector<uint8_t> k(ty_ec_order_len(curve));
        ty_ec_pub p, q = g;
        EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_ERR_KEY) << "0";
        EXPECT_EQ(encoded(q), encoded(g)) << "an error leaves the output alone";
        for (const uint8_t small : {1, 2, 3, 4}) {
            k.back() = small;
            ASSERT_EQ(ty_ec_mul(&p, k.data(), &g), TY_OK);
            ASSERT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_OK) << ty_ec_curve_name(curve) << " " << int{small};
            EXPECT_EQ(encoded(p), encoded(q));
        }
        k.assign(params.n, params.n + params.n_len);
        EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_ERR_KEY) << "n";
        k.back() = static_cast<uint8_t>(k.back() - 1);   // n is odd
        ASSERT_EQ(ty_ec_mul(&p, k.data(), &g), TY_OK);
        ASSERT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_OK) << "n - 1";
        EXPECT_EQ(encoded(p), encoded(q));
    }
}

TEST(Device, PublishedPoints)
{
    const auto file = load_vectors("gf2m/binary_curves_a.json");
    if (!file) GTEST_SKIP() << "no vectors";
    Rig<Vaccel> rig;
    size_t used = 0;
    for (const auto &curve : (*file)["curves"]) {
        const ty_ec_curve *c = ty_ec_curve_named(curve["curve"].get<std::string>().c_str());
        if (!c || !ty_accel_has(&rig.accel, c)) continue;
        for (const auto &t : curve["mul"]) {
            const auto p = field(t, "p"), r = field(t, "r");
            std::string digits = t["k"];
            if (digits.size() % 2) digits.insert(0, 1, '0');
            Bytes k = unhex(digits);
            const size_t len = ty_ec_order_len(c);
            ty_ec_pub pub, q;
            if (ty_ec_pub_set(&pub, c, p.data(), p.size()) != TY_OK) continue;
            while (k.size() > len && k.front() == 0) k.erase(k.begin());
            if (k.size() > len) continue;
            k.insert(k.begin(), len - k.size(), 0);
            const ty_err err = ty_accel_mul(&rig.accel, &q, k.data(), &pub);
            if (r.size() == 1) {
                EXPECT_EQ(err, TY_ERR_KEY) << t["comment"];
            } else {
                ASSERT_EQ(err, TY_OK) << t["comment"];
                EXPECT_EQ(encoded(q), r) << t["comment"];
            }
            used++;
        }
    }
    EXPECT_GT(used, 100u);
}

TEST(Device, DriverSaysWhatIsWrong)
{
    Rig<Vaccel163> rig;
    const ty_ec_curve *other = ty_ec_curve_named("sect233r1"), *curve = ty_ec_curve_named("sect163r2");
    const ty_ec_pub far = generator(other), g = generator(curve);
    std::vector<uint8_t> k(ty_ec_order_len(curve), 0);
    k.back() = 5;
    ty_ec_pub q;
    EXPECT_FALSE(ty_accel_has(&rig.accel, other));
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &far), TY_ERR_UNSUPPORTED);
    k.front() = 0x08;   // one bit more than the order has
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_ERR_UNSUPPORTED);
    k.front() = 0;
    ty_ec_pub wrong = g;
    wrong.xy[3] ^= 1;
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &wrong), TY_ERR_KEY) << "not on the curve";
    wrong = g;
    wrong.xy[0] |= 0x80;
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &wrong), TY_ERR_FAULT) << "not in the field";
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_OK) << "and then it works again";

    rig.device.random_has = [] { return false; };
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_ERR_RNG);

    const ty_accel_bus nothing = {[](void *, uint32_t) { return 0xffffffffu; }, [](void *, uint32_t, uint32_t) {}, nullptr};
    ty_accel none;
    EXPECT_EQ(ty_accel_init(&none, &nothing), TY_ERR_UNSUPPORTED);
}

// --- Register by register -------------------------------------------------------------------------

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
    void command(uint32_t code, uint32_t slot = 0) { this->write(TY_ACCEL_COMMAND, code | slot << 8); }
    void words(uint32_t offset, const Element &e)
    {
        for (unsigned i = 0; i < 8; i++) this->write(offset + 4 * i, e.word(i));
    }
    void put(uint32_t slot, const Element &e)
    {
        words(TY_ACCEL_DATA, e);
        command(TY_ACCEL_DO_PUT, slot);
    }
    Element get(uint32_t slot)
    {
        Element e;
        command(TY_ACCEL_DO_GET, slot);
        for (unsigned i = 0; i < 8; i++) e.w[i / 2] |= uint64_t{this->read(TY_ACCEL_DATA + 4 * i)} << 32 * (i % 2);
        return e;
    }
    void curve(const Curve &c, unsigned steps)
    {
        this->write(TY_ACCEL_CONFIG, c.f.number | steps << 8);
        put(TY_ACCEL_SLOT_A, c.a);
        put(TY_ACCEL_SLOT_B, c.b);
        put(TY_ACCEL_SLOT_ROOT, c.f.root(c.b));
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

// Every point of curves over the toy fields, the one of order two among them, times every scalar that the ladder takes.
TEST(Device, EverythingOnToyCurves)
{
    Raw<Vacceltoy> dev;
    const unsigned steps = 8;
    for (const int number : {6, 7})
        for (const auto &[a, b] : {std::pair{1u, 1u}, {0u, 1u}, {1u, 0x35u}, {0x2au, 0x4fu}}) {
            const Curve c{fields[number], Element(a), Element(b)};
            dev.curve(c, steps);
            uint32_t cycles = 0;
            size_t points = 0;
            for (uint64_t x = 0; x < uint64_t{1} << c.f.m; x++)
                for (uint64_t y = 0; y < uint64_t{1} << c.f.m; y++) {
                    if (!c.has(Element(x), Element(y))) continue;
                    if (points++ % (full() ? 1 : 50) != 0 && x != 0) continue;
                    Point want;
                    for (unsigned k = 0; k < 1u << steps; k++, want = c.add(want, std::pair{Element(x), Element(y)})) {
                        if (!full() && k > 8 && k < 247 && k % 7 != 0) continue;
                        dev.operands(Element(x), Element(y), Element(k));
                        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE) << number << " " << x << " " << y << " " << k;
                        const bool infinite = dev.status() >> TY_ACCEL_STATUS_INFINITE_SHIFT & 1;
                        ASSERT_EQ(infinite, !want.has_value()) << number << " " << x << " " << y << " " << k;
                        ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want ? want->first : Element());
                        ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_Y), want ? want->second : Element());
                        if (!cycles) cycles = dev.read(TY_ACCEL_CYCLES);
                        ASSERT_EQ(cycles, dev.read(TY_ACCEL_CYCLES));
                    }
                }
            ASSERT_GT(points, 50u);
        }
}

// sect163r2, from the library
static Curve curve163(Element *x, Element *y)
{
    ty_ec_params p;
    ty_ec_params_get(&p, ty_ec_curve_named("sect163r2"));
    const auto number = [](const uint8_t *in) {
        Element e;
        for (unsigned i = 0; i < 21; i++) e.w[i / 8] |= uint64_t{in[20 - i]} << 8 * (i % 8);
        return e;
    };
    *x = number(p.x);
    *y = number(p.y);
    return {fields[2], number(p.a), number(p.b)};
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

TEST_F(Device163, WhatItIs)
{
    EXPECT_EQ(dev.read(TY_ACCEL_IDENT), TY_ACCEL_IDENT_VALUE);
    EXPECT_EQ(dev.read(TY_ACCEL_PARAMETERS), 4u | 55u << 8 | 1u << 16 | 4u << 18 | 3u << 22);
    EXPECT_EQ(dev.read(TY_ACCEL_CONFIG), 2u | 163u << 8);
    dev.read(0x80);
    EXPECT_NE(dev.last_response, 0u) << "no such register";
    dev.write(TY_ACCEL_STATUS, 1);
    EXPECT_NE(dev.last_response, 0u) << "read only";
    EXPECT_EQ(dev.error(), TY_ACCEL_E_ADDRESS);
    dev.pins().s_axil_wstrb = 1;
    dev.write(TY_ACCEL_CONTEXT, 3);
    dev.pins().s_axil_wstrb = 15;
    EXPECT_NE(dev.last_response, 0u) << "a part of a word";
    EXPECT_EQ(dev.read(TY_ACCEL_CONTEXT), 0u);
}

TEST_F(Device163, RefusesWhatIsMissingOrWrong)
{
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND);
    dev.put(TY_ACCEL_SLOT_X, x);
    dev.put(TY_ACCEL_SLOT_Y, y);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << "no scalar";
    dev.words(TY_ACCEL_SCALAR, k);
    dev.write(TY_ACCEL_CONTEXT, 1);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_CONTEXT) << "nothing there";
    dev.write(TY_ACCEL_CONFIG, 4 | 233 << 8);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_CONTEXT) << "a field that is not built in";
    dev.write(TY_ACCEL_CONTEXT, 0);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << "a change of context drops operands";

    Element large = x;
    large.flip(163);
    dev.put(TY_ACCEL_SLOT_X, large);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_RANGE);
    dev.put(TY_ACCEL_SLOT_X, x);
    large = y;
    large.flip(250);
    dev.put(TY_ACCEL_SLOT_Y, large);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_RANGE) << "a word that the register has not got";
    dev.put(TY_ACCEL_SLOT_Y, y);
    for (const unsigned bit : {163u, 170u, 192u, 255u}) {
        Element long_k = k;
        long_k.flip(bit);
        dev.operands(x, y, long_k);
        EXPECT_EQ(dev.run(), TY_ACCEL_E_SCALAR) << bit;
        dev.command(TY_ACCEL_DO_ZEROISE);
        EXPECT_TRUE(dev.rest());
    }
    dev.command(9);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_COMMAND);
    dev.put(TY_ACCEL_SLOT_RESULT_X, x);
    EXPECT_EQ(dev.error(), TY_ACCEL_E_COMMAND);
    for (const unsigned slot : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 10u, 15u}) EXPECT_EQ(dev.get(slot), Element()) << slot;
    nothing_to_read();

    dev.operands(x, y + Element(1), k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_POINT);
    nothing_to_read();
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
}

// Without randomness there is no start; and what was drawn is used once.
TEST_F(Device163, RandomPort)
{
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_ZEROISE);
    dev.random_has = [] { return false; };
    EXPECT_TRUE(dev.rest());
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_RANDOM);
    dev.random_has = [this] { return dev.now % 7 == 0; };
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const uint32_t cycles = dev.read(TY_ACCEL_CYCLES);
    int zeros = 100;   // an element of zeros is drawn again, and that costs the run nothing
    dev.random = [&zeros, other = noise(5)] { return zeros-- > 0 ? 0 : other(); };
    dev.random_has = [] { return true; };
    dev.command(TY_ACCEL_DO_ZEROISE);
    EXPECT_TRUE(dev.rest());
    dev.operands(x, y, k);
    for (int i = 0; i < 500; i++) dev.tick();
    EXPECT_LT(zeros, 0);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.read(TY_ACCEL_CYCLES), cycles);
}

TEST_F(Device163, BusyAbortAndReset)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    for (const int when : {0, 1, 5, 17, 100, 1500, 2990, 3150}) {
        dev.operands(x, y, k);
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < when; i++) dev.tick();
        dev.write(TY_ACCEL_DATA, 7);
        EXPECT_NE(dev.last_response, 0u);
        EXPECT_EQ(dev.error(), TY_ACCEL_E_BUSY);
        for (const uint32_t offset : {TY_ACCEL_SCALAR, TY_ACCEL_CONTEXT, TY_ACCEL_CONFIG, TY_ACCEL_COMMAND}) {
            dev.write(offset, 2);
            EXPECT_NE(dev.last_response, 0u);
        }
        for (unsigned i = 0; i < 8; i++) EXPECT_EQ(dev.read(TY_ACCEL_DATA + 4 * i), 0u);
        if (when % 2) {
            EXPECT_TRUE(dev.rest());
            EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want) << "writes while busy did nothing";
            continue;
        }
        dev.command(TY_ACCEL_DO_ABORT);
        EXPECT_TRUE(dev.rest());
        EXPECT_EQ(dev.error(), TY_ACCEL_E_ABORTED);
        nothing_to_read();
        EXPECT_EQ(dev.run(), TY_ACCEL_E_OPERAND) << "operands are wiped";
    }
    dev.operands(x, y, k);
    dev.command(TY_ACCEL_DO_START);
    for (int i = 0; i < 777; i++) dev.tick();
    dev.reset();
    EXPECT_TRUE(dev.rest());
    nothing_to_read();
    dev.curve(c, 163);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
    EXPECT_FALSE(dev.hung);
}

TEST_F(Device163, Interrupt)
{
    dev.write(TY_ACCEL_INTERRUPT, 1);
    dev.operands(x, y, k);
    EXPECT_FALSE(dev.pins().irq);
    dev.command(TY_ACCEL_DO_START);
    int waited = 0;
    for (; !dev.pins().irq && waited < 10000; waited++) dev.tick();
    EXPECT_FALSE(dev.status() & 1);
    EXPECT_NEAR(waited, static_cast<int>(dev.read(TY_ACCEL_CYCLES)), 3);
    dev.write(TY_ACCEL_INTERRUPT, 3);
    EXPECT_FALSE(dev.pins().irq);
}

TEST_F(Device163, ScalarFromTheKeyPort)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    dev.put(TY_ACCEL_SLOT_X, x);
    dev.put(TY_ACCEL_SLOT_Y, y);
    for (unsigned i = 0; i < 8; i++) {
        dev.pins().key_valid = 1;
        dev.pins().key_index = static_cast<uint8_t>(i);
        dev.pins().key_data = k.word(i);
        dev.tick();
        EXPECT_FALSE(dev.pins().key_refused);
    }
    dev.pins().key_valid = 0;
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
    EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
}

// When a run has ended every register but the result is zero, after an abort the result, too; so are the units. (A cycle
// later the next run's randomness goes in.)
TEST_F(Device163, NothingIsLeft)
{
    auto &root = *dev.pins().rootp;
    const auto ends = [&](int kept) {
        const int ready = 3;   // READY of ty_core
        while (root.ty_accel__DOT__core__DOT__state_q == ready) dev.tick();
        while (root.ty_accel__DOT__core__DOT__state_q != ready) dev.tick();
        for (int r = 0; r < 16 - kept; r++)
            for (int w = 0; w < 6; w++) ASSERT_EQ(root.ty_accel__DOT__core__DOT__regfile__DOT__mem[r][w], 0u) << r;
        for (int w = 0; w < 6; w++) {
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q[w], 0u);
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__multiplier__DOT__a_q[w], 0u);
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__multiplier__DOT__b_q[w], 0u);
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__squarer__DOT__value_q[w], 0u);
            EXPECT_EQ(root.ty_accel__DOT__core__DOT__data_q[w], 0u);
        }
        for (int w = 0; w < 8; w++) EXPECT_EQ(root.ty_accel__DOT__core__DOT__key_q[w], 0u);
    };
    const auto start = [&](const Element &at, int cycles) {
        dev.operands(x, at, k);
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < cycles; i++) dev.tick();
    };
    start(y, 0);
    ends(2);
    EXPECT_NE(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
    start(y + Element(1), 0);
    ends(0);
    start(y, 1000);
    dev.pins().s_axil_awaddr = TY_ACCEL_COMMAND;   // without waiting for the answer
    dev.pins().s_axil_wdata = TY_ACCEL_DO_ABORT;
    dev.pins().s_axil_awvalid = dev.pins().s_axil_wvalid = dev.pins().s_axil_bready = 1;
    dev.tick();
    dev.pins().s_axil_awvalid = dev.pins().s_axil_wvalid = 0;
    ends(0);
}

// The words that are carried out, cycle by cycle, are the same for every scalar, point and randomness.
TEST_F(Device163, ControlDoesNotDependOnSecrets)
{
    auto &root = *dev.pins().rootp;
    std::mt19937_64 rng(3);
    std::vector<uint32_t> first, trace;
    bool record = false;
    dev.watch = [&] {
        if (record) trace.push_back(root.ty_accel__DOT__core__DOT__sequencer__DOT__pc_q);
    };
    Element px = x, py = y;
    for (int i = 0; i < (full() ? 200 : 12); i++) {
        Element scalar = i == 0 ? Element() : i == 1 ? Element(1) : c.f.random(rng);
        dev.operands(px, py, scalar);
        trace.clear();
        record = true;
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
        record = false;
        trace.resize(dev.read(TY_ACCEL_CYCLES));
        if (i == 0) first = trace;
        ASSERT_EQ(first, trace);
        if (i > 1) px = dev.get(TY_ACCEL_SLOT_RESULT_X), py = dev.get(TY_ACCEL_SLOT_RESULT_Y);
    }
    EXPECT_EQ(first.size(), 3233u) << "docs/accelerator.md has what the model counts";
}

// A bit that flips in the multiplier, the squarer or a register: what comes out is right, or nothing does.
TEST_F(Device163, FaultsAreSeen)
{
    auto &root = *dev.pins().rootp;
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element right = dev.get(TY_ACCEL_SLOT_RESULT_X);
    std::mt19937_64 rng(6);
    int seen = 0, all = full() ? 3000 : 60;
    for (int n = 0; n < all; n++) {
        dev.operands(x, y, k);
        dev.command(TY_ACCEL_DO_START);
        for (uint64_t i = rng() % 3200; i-- > 0;) dev.tick();
        const uint32_t bit = 1u << rng() % 32, word = rng() % 5;
        if (n % 3 == 0) root.ty_accel__DOT__core__DOT__multiplier__DOT__acc_q[word] ^= bit;
        else if (n % 3 == 1) root.ty_accel__DOT__core__DOT__squarer__DOT__value_q[word] ^= bit;
        else root.ty_accel__DOT__core__DOT__regfile__DOT__mem[2 + rng() % 12][word] ^= bit;
        EXPECT_TRUE(dev.rest());
        const uint32_t error = dev.error();
        if (error == TY_ACCEL_E_NONE) {
            ASSERT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), right);
            continue;
        }
        ASSERT_TRUE(error == TY_ACCEL_E_FAULT || error == TY_ACCEL_E_POINT) << error;
        seen++;
        nothing_to_read();
    }
    EXPECT_GT(seen, all / 10);   // many flips meet a register whose value is not wanted any more
}

TEST_F(Device163, AnIllegalStateLocks)
{
    auto &root = *dev.pins().rootp;
    for (const bool sequencer : {true, false}) {
        dev.reset();
        EXPECT_TRUE(dev.rest());
        dev.curve(c, 163);
        dev.operands(x, y, k);
        dev.command(TY_ACCEL_DO_START);
        for (int i = 0; i < 50; i++) dev.tick();
        if (sequencer) root.ty_accel__DOT__core__DOT__sequencer__DOT__state_q = 1;
        else root.ty_accel__DOT__core__DOT__state_q = 1;
        for (int i = 0; i < 50; i++) dev.tick();
        EXPECT_TRUE(dev.status() >> TY_ACCEL_STATUS_LOCKED_SHIFT & 1);
        EXPECT_EQ(dev.error(), TY_ACCEL_E_LOCKED);
        dev.command(TY_ACCEL_DO_ABORT);
        dev.command(TY_ACCEL_DO_START);
        EXPECT_TRUE(dev.status() & 1) << "only a reset helps";
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), Element());
    }
    dev.reset();
    EXPECT_TRUE(dev.rest());
    dev.curve(c, 163);
    dev.operands(x, y, k);
    EXPECT_EQ(dev.run(), TY_ACCEL_E_NONE);
}

TEST_F(Device163, SlowHosts)
{
    dev.operands(x, y, k);
    ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
    const Element want = dev.get(TY_ACCEL_SLOT_RESULT_X);
    for (const int stall : {1, 2, 5}) {
        dev.stall = stall;
        dev.operands(x, y, k);
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE);
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), want);
    }
    EXPECT_FALSE(dev.hung);
}

// Four curves side by side.
TEST_F(Device163, Contexts)
{
    std::vector<Curve> curves{c, c, c, c};
    std::mt19937_64 rng(4);
    for (unsigned i = 0; i < 4; i++) {   // P stays a point of each: b follows from a
        curves[i].a = i ? c.f.random(rng) : c.a;
        curves[i].b = c.f.sqr(y) + c.f.mul(x, y) + c.f.mul(c.f.sqr(x), x + curves[i].a);
        dev.write(TY_ACCEL_CONTEXT, i);
        dev.curve(curves[i], 163);
    }
    for (const unsigned i : {2u, 0u, 3u, 1u}) {
        dev.write(TY_ACCEL_CONTEXT, i);
        dev.operands(x, y, Element(5));
        ASSERT_EQ(dev.run(), TY_ACCEL_E_NONE) << i;
        const Point p = std::pair{x, y}, p2 = curves[i].add(p, p), p4 = curves[i].add(p2, p2), p5 = curves[i].add(p4, p);
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_X), p5->first);
        EXPECT_EQ(dev.get(TY_ACCEL_SLOT_RESULT_Y), p5->second);
    }
}
