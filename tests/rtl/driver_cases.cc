// The driver on the whole device against the library, in named fields.
#include "rtl/rig.hh"
#include "rtl/full.hh"
#include "support/vectors.hpp"

#include "Vaccel.h"
#include "Vaccel163.h"
#include "Vaccel163___024root.h"

#include <set>

using Number = std::array<uint32_t, 11>;   // least significant word first

static Number number(const uint8_t *in, size_t len)
{
    Number r{};
    for (size_t i = 0; i < len; i++) r[i / 4] |= uint32_t{in[len - 1 - i]} << 8 * (i % 4);
    return r;
}

// a mod n, by shifting and subtracting
static Number remainder(const Number &a, const Number &n)
{
    Number r{};
    for (size_t i = 32 * a.size(); i-- > 0;) {
        for (size_t w = r.size(); w-- > 0;)
            r[w] = r[w] << 1 | (w ? r[w - 1] >> 31 : a[i / 32] >> i % 32 & 1);
        Number less{};
        uint64_t borrow = 0;
        for (size_t w = 0; w < r.size(); w++) {
            const uint64_t d = uint64_t{r[w]} - n[w] - borrow;
            less[w] = static_cast<uint32_t>(d);
            borrow = d >> 63;
        }
        if (!borrow) r = less;
    }
    return r;
}

static unsigned length(const Number &a)   // in bits
{
    unsigned bits = static_cast<unsigned>(32 * a.size());
    while (bits > 0 && !(a[(bits - 1) / 32] >> (bits - 1) % 32 & 1)) bits--;
    return bits;
}

TEST(Device, AgreesWithTheLibraryOnEveryCurve)
{
    Rig<Vaccel> rig;
    std::mt19937_64 rng(2);
    const ty_rng source = {fill, &rng};
    const auto curves = curves_of(rig.accel);
    ASSERT_EQ(curves.size(), 12u);   // all of SEC 2 below 256 bits
    for (const ty_ec_curve *curve : curves) {
        uint32_t cycles = 0;
        for (int i = 0; i < (full() ? 200 : 2); i++) {
            ty_ec_key mine, theirs;
            ASSERT_EQ(ty_ec_keygen(&mine, curve, &source), TY_OK);
            ASSERT_EQ(ty_ec_keygen(&theirs, curve, &source), TY_OK);
            const size_t len = ty_ec_field_len(curve);
            std::vector<uint8_t> here(len), there(len);
            ASSERT_EQ(ty_ec_ecdh(here.data(), &theirs.pub, &mine), TY_OK);
            ASSERT_EQ(ty_accel_ecdh(&rig.accel, there.data(), &theirs.pub, &mine), TY_OK)
                << ty_ec_curve_name(curve);
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

TEST(Device, AddsOnEveryCurve)
{
    Rig<Vaccel> rig;
    std::mt19937_64 rng(22);
    uint32_t cycles;
    for (const ty_ec_curve *curve : curves_of(rig.accel)) {
        sums_by_driver(rig, curve, rng, &cycles);
        if (HasFatalFailure()) return;
        if (ty_ec_curve_name(curve) == std::string("sect163r2"))
            EXPECT_EQ(cycles, 6725u) << "docs/accelerator.md has what the model counts";
    }
}

// Every field and generic mode; the driver then loads its curve again, because the test overwrites
// a context.
TEST(Device, KnownAnswersOfEveryField)
{
    Rig<Vaccel> rig;
    const ty_ec_curve *names[] = { ty_ec_curve_named("sect113r1"), ty_ec_curve_named("sect163r2"),
                                   ty_ec_curve_named("sect233r1"), ty_ec_curve_named("sect239k1") };
    for (int round = 0; round < 2; round++) {
        for (const ty_ec_curve *curve : names) {
            const ty_ec_pub g = generator(curve);
            std::vector<uint8_t> k(ty_ec_order_len(curve));
            k.back() = 77;
            ty_ec_pub p, q;
            ASSERT_EQ(ty_ec_mul(&p, k.data(), &g), TY_OK);
            ASSERT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_OK);
            EXPECT_EQ(encoded(p), encoded(q));
        }
        const uint64_t before = rig.device.now;
        ASSERT_EQ(ty_accel_selftest(&rig.accel), TY_OK);
        EXPECT_GT(rig.device.now - before, 7u * 2500) << "seven multiplications";
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
            ASSERT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_OK)
                << ty_ec_curve_name(curve) << " " << int{ small };
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
    for (const auto &curve : file->at("curves")) {
        const ty_ec_curve *c = ty_ec_curve_named(curve.at("curve").text().c_str());
        if (!c || !ty_accel_has(&rig.accel, c)) continue;
        for (const auto &t : curve.at("mul")) {
            const auto p = field(t, "p"), r = field(t, "r");
            std::string digits = t.at("k").text();
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
                EXPECT_EQ(err, TY_ERR_KEY) << t.at("comment");
            } else {
                ASSERT_EQ(err, TY_OK) << t.at("comment");
                EXPECT_EQ(encoded(q), r) << t.at("comment");
            }
            used++;
        }
    }
    EXPECT_GT(used, 100u);
}

TEST(Device, DriverSaysWhatIsWrong)
{
    Rig<Vaccel163> rig;
    const ty_ec_curve *other = ty_ec_curve_named("sect233r1"),
                      *curve = ty_ec_curve_named("sect163r2");
    const ty_ec_pub elsewhere = generator(other), g = generator(curve);
    std::vector<uint8_t> k(ty_ec_order_len(curve), 0);
    k.back() = 5;
    ty_ec_pub q;
    EXPECT_FALSE(ty_accel_has(&rig.accel, other));
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &elsewhere), TY_ERR_UNSUPPORTED);
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
    EXPECT_EQ(ty_accel_mul_add(&rig.accel, &q, k.data(), &g, k.data(), &elsewhere), TY_ERR_ARG);
    EXPECT_EQ(ty_accel_mul_add(&rig.accel, &q, k.data(), &wrong, k.data(), &g), TY_ERR_FAULT);
    EXPECT_EQ(ty_accel_mul_add(&rig.accel, &q, k.data(), &g, k.data(), &wrong), TY_ERR_FAULT);
    wrong = g;
    wrong.xy[3] ^= 1;
    EXPECT_EQ(ty_accel_mul_add(&rig.accel, &q, k.data(), &wrong, k.data(), &g), TY_ERR_KEY);
    EXPECT_EQ(ty_accel_mul_add(&rig.accel, &q, k.data(), &g, k.data(), &wrong), TY_ERR_KEY);
    EXPECT_EQ(ty_accel_mul_add(&rig.accel, &q, k.data(), &g, k.data(), &g), TY_OK);
    ty_accel old = rig.accel;                // a device without ADD
    old.bus = {[](void *d, uint32_t offset) {
                   const uint32_t is = static_cast<Device<Vaccel163> *>(d)->read(offset);
                   return offset == TY_ACCEL_VERSION ? 0x103u : is;
               },
               rig.accel.bus.write, rig.accel.bus.ctx};
    EXPECT_EQ(ty_accel_mul_add(&old, &q, k.data(), &g, k.data(), &g), TY_ERR_UNSUPPORTED);
    EXPECT_EQ(ty_accel_mul(&old, &q, k.data(), &g), TY_OK);
    ty_accel_reset(&rig.accel);
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_OK) << "the curve was kept";
    rig.device.reset();
    while (rig.device.read(TY_ACCEL_STATUS) & TY_ACCEL_STATUS_BUSY_MASK) {}
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_OK) << "the curve is loaded again";

    rig.device.random_has = [] { return false; };
    EXPECT_EQ(ty_accel_mul(&rig.accel, &q, k.data(), &g), TY_ERR_RNG);
    EXPECT_EQ(ty_accel_selftest(&rig.accel), TY_ERR_RNG);

    const ty_accel_bus nothing = { [](void *, uint32_t) { return 0xffffffffu; },
                                   [](void *, uint32_t, uint32_t) {}, nullptr };
    ty_accel none;
    EXPECT_EQ(ty_accel_init(&none, &nothing), TY_ERR_UNSUPPORTED);
}

// A blinded scalar is k + r n with another r each time, of up to the full length, and the result is
// that of k.
TEST(Device, BlindedScalars)
{
    Rig<Vaccel163> rig;
    const auto &root = *rig.device.pins().rootp;
    std::mt19937_64 rng(8);
    const ty_rng source = {fill, &rng};
    for (const char *name : {"sect163k1", "sect163r2"}) {
        const ty_ec_curve *curve = ty_ec_curve_named(name);
        ty_ec_params params;
        ty_ec_params_get(&params, curve);
        const Number n = number(params.n, params.n_len);
        const unsigned n_bits = static_cast<unsigned>(ty_ec_order_bits(curve));
        ty_ec_key mine, theirs;
        ASSERT_EQ(ty_ec_keygen(&mine, curve, &source), TY_OK);
        ASSERT_EQ(ty_ec_keygen(&theirs, curve, &source), TY_OK);
        ty_ec_pub p, q;
        ASSERT_EQ(ty_ec_mul(&p, mine.d, &theirs.pub), TY_OK);
        uint32_t cycles = 0;
        for (const unsigned bits : {0u, 32u, 64u}) {
            ASSERT_EQ(ty_accel_blind(&rig.accel, bits, &source), TY_OK);
            std::set<Number> scalars;
            for (int i = 0; i < 4; i++) {
                Number scalar{};   // the register, before the ladder has used it
                rig.device.watch = [&] {
                    if (root.ty_accel__DOT__core__DOT__key_index_q != n_bits + bits - 1) return;
                    for (size_t w = 0; w < 10; w++)
                        scalar[w] = root.ty_accel__DOT__core__DOT__key_q[w];
                };
                ASSERT_EQ(ty_accel_mul(&rig.accel, &q, mine.d, &theirs.pub), TY_OK) << bits;
                rig.device.watch = [] {};
                EXPECT_EQ(encoded(p), encoded(q));
                EXPECT_EQ(remainder(scalar, n), number(mine.d, params.n_len));
                EXPECT_LE(length(scalar), n_bits + bits);
                EXPECT_GT(length(scalar), bits ? n_bits + bits - 12 : 0) << "r is short";
                scalars.insert(scalar);
            }
            EXPECT_EQ(scalars.size(), bits ? 4u : 1u);
            if (!bits) cycles = ty_accel_cycles(&rig.accel);
            const unsigned step = name == std::string("sect163k1") ? 15 : 18;
            EXPECT_EQ(ty_accel_cycles(&rig.accel), cycles + step * bits);
        }
        ty_ec_pub twice;     // of a scalar that is blinded, too
        ASSERT_EQ(ty_ec_mul(&twice, mine.d, &p), TY_OK);
        ASSERT_EQ(ty_accel_mul_add(&rig.accel, &q, mine.d, &p, mine.d, &theirs.pub), TY_OK);
        EXPECT_EQ(point_of(q), *reference(curve).add(point_of(twice), point_of(p)));
        const ty_rng none = { [](void *, uint8_t *, size_t) { return TY_ERR_RNG; }, nullptr };
        ASSERT_EQ(ty_accel_blind(&rig.accel, 32, &none), TY_OK);
        EXPECT_EQ(ty_accel_mul(&rig.accel, &q, mine.d, &theirs.pub), TY_ERR_RNG);
        ASSERT_EQ(ty_accel_blind(&rig.accel, 0, nullptr), TY_OK);
        EXPECT_EQ(ty_accel_mul(&rig.accel, &q, mine.d, &theirs.pub), TY_OK);
    }
    EXPECT_EQ(ty_accel_blind(&rig.accel, 48, &source), TY_ERR_ARG);
    EXPECT_EQ(ty_accel_blind(&rig.accel, 96, &source), TY_ERR_ARG);
    Rig<Vaccel> without;
    EXPECT_EQ(ty_accel_blind(&without.accel, 32, &source), TY_ERR_UNSUPPORTED);
}
