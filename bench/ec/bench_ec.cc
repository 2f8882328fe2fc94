// Binary curves: point multiplications and field arithmetic, on every tier, for named curves and
// for one of them given by its parameters.
#include "tiers.hpp"
extern "C" {
#include "ec/ec_binary.h"
}
#include "tongyu/ec_any.h"
#include <memory>

// A call with output z, scalar k and the curve c; the result is not checked
using Curve = ty_ec_curve;
using Ops = ty_ec_binary_ops;
static const struct Op {
    const char *name;
    void (*call)(uint8_t *z, const uint8_t *k, const Curve *c, const Ops *ops);
} ops_of_points[] = {
    {"kp", [](uint8_t *z, const uint8_t *k, const Curve *c, const Ops *ops) {
        ops->mul(z, k, c->n_bits, ty_ec_g(c), c); }},
    {"kp-fixed", [](uint8_t *z, const uint8_t *k, const Curve *c, const Ops *ops) {
        ops->mul_base(z, k, c); }},
    {"ug+vp", [](uint8_t *z, const uint8_t *k, const Curve *c, const Ops *ops) {
        ops->mul_add_vt(z, k, k, ty_ec_g(c), c); }},
    {"check", [](uint8_t *, const uint8_t *, const Curve *c, const Ops *ops) {
        (void)!ops->check(ty_ec_g(c), c); }},
}, ops_of_fields[] = {
    {"field-mul", [](uint8_t *z, const uint8_t *, const Curve *, const Ops *ops) {
        ops->field_mul(z, z, z); }},
    {"field-sqr", [](uint8_t *z, const uint8_t *, const Curve *, const Ops *ops) {
        ops->field_sqr(z, z); }},
    {"field-inv", [](uint8_t *z, const uint8_t *, const Curve *, const Ops *ops) {
        ops->field_inv(z, z); }},
};

static void add(const std::string &curve, const Op &op, const ty_ec_curve *c)
{
    bench_tiers((curve + "/" + op.name).c_str(), c->tiers, {}, [c, &op](benchmark::State &state) {
        uint8_t z[2 * TY_EC_MAX] = {}, k[TY_EC_MAX];
        for (size_t i = 0; i < sizeof k; i++) k[i] = (uint8_t)(i * 73 + 41);
        k[0] = 0;   // below n
        z[c->m / 8] = 0x0d;
        const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
        for (auto _ : state) {
            op.call(z, k, c, ops);
            benchmark::DoNotOptimize(z);
        }
    });
}

int main(int argc, char **argv)
{
    for (const char *name :
         { "sect163r2", "sect233k1", "sect233r1", "sect283r1", "sect409r1", "sect571r1" }) {
        for (const Op &op : ops_of_points) add(name, op, ty_ec_curve_named(name));
        for (const Op &op : ops_of_fields) add(name, op, ty_ec_curve_named(name));
    }
    const std::unique_ptr<ty_ec_any> any(new ty_ec_any);
    ty_ec_params p;
    ty_ec_params_get(&p, ty_ec_curve_named("sect233r1"));
    if (ty_ec_any_init(any.get(), &p, TY_EC_AUTO, 0, nullptr) != TY_OK) return 1;
    for (const Op &op : ops_of_points) add("sect233r1-given", op, ty_ec_any_curve(any.get()));
    return bench_run(argc, argv);
}
