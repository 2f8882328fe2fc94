// Integers of 128 to 4096 bits on every tier this CPU supports, and of 2^14 to 2^24 bits on the
// best one; also by GMP, in the same process, where it is installed.
#include "rng.hpp"
#include "tiers.hpp"
extern "C" {
#include "modn/lanes.h"
}
#include "tongyu/mp.h"
#include <memory>
#include <vector>
#if defined(TY_BENCH_GMP)
#include <gmp.h>
#endif

static const std::initializer_list<long> sizes = {128, 256, 512, 1024, 2048, 3072, 4096};
// four times as many bits each time, up to where an operation takes a second
static const long long_from = 1 << 14;

struct Numbers {   // x, y < m, m odd with its top bit set, product = xy
    ty_mp x{}, y{}, m{}, product{}, z{}, r{};
    std::vector<char> text;
    size_t len = 0;
    bool ok = true;
    explicit Numbers(size_t bits)
    {
        uint64_t s = 1;
        std::vector<uint8_t> b(bits / 8);
        for (ty_mp *v : {&m, &x, &y}) {
            for (size_t i = 0; i < bits / 8; i++) b[i] = (uint8_t)(next(s) >> 56);
            b[0] = v == &m ? b[0] | 0x80 : b[0] & 0x7f;
            b[bits / 8 - 1] |= 1;
            ok &= ty_mp_set_be(v, b.data(), b.size()) == TY_OK;
        }
        while ((long)bits < long_from && ty_mp_invmod(&z, &x, &m) != TY_OK) {
            ty_mp_set_u64(&z, 2);
            ok &= ty_mp_add(&x, &x, &z) == TY_OK;
        }
        text.resize(bits / 3 + 8);
        ok &= ty_mp_mul(&product, &x, &y) == TY_OK &&
              ty_mp_get_str_vt(text.data(), text.size(), &len, &x, 10) == TY_OK;
    }
    ~Numbers()
    {
        for (ty_mp *v : {&x, &y, &m, &product, &z, &r}) ty_mp_clear(v);
    }
};

template <class F> static void run(benchmark::State &state, F call)
{
    Numbers w((size_t)state.range(0));
    for (auto _ : state) w.ok &= call(w) == TY_OK;
    if (!w.ok) state.SkipWithError("a call failed");
}

template <class F> static void add(const char *op, F call, long most = 0)
{
    const std::string name = std::string("mp/") + op;
    bench_tiers(name.c_str(), ty_limb_tiers, sizes,
                [=](benchmark::State &state) { run(state, call); });
    if (!most) return;
    auto *b = benchmark::RegisterBenchmark((name + "/best").c_str(),
                                           [=](benchmark::State &state) { run(state, call); });
    for (long n = long_from; n <= most; n *= 4) b->Arg(n);
}

// Eight exponentiations in one call: the time is that of all eight.
static void add_many()
{
    bench_tiers("mp/8-powm", ty_lanes_tiers, sizes, [](benchmark::State &state) {
        Numbers w((size_t)state.range(0));
        ty_mp z[8] = {};
        ty_mp_powm_job jobs[8];
        for (size_t i = 0; i < 8; i++) jobs[i] = {&z[i], &w.x, &w.y, &w.m, TY_OK};
        for (auto _ : state) w.ok &= ty_mp_many_powm(jobs, 8) == TY_OK;
        if (!w.ok) state.SkipWithError("a call failed");
        for (ty_mp &i : z) ty_mp_clear(&i);
    });
}

#if defined(TY_BENCH_GMP)
struct Theirs {
    mpz_t x, y, m, product, z, r;
    explicit Theirs(const Numbers &w)
    {
        const ty_mp *from[] = {&w.x, &w.y, &w.m, &w.product};
        mpz_ptr to[] = {x, y, m, product};
        for (int i = 0; i < 4; i++) {
            mpz_init(to[i]);
            const size_t n = ty_mp_bytes(from[i]);
            std::vector<uint8_t> b(n);
            if (ty_mp_get_be(b.data(), n, from[i]) == TY_OK)
                mpz_import(to[i], n, 1, 1, 1, 0, b.data());
        }
        mpz_inits(z, r, nullptr);
    }
    ~Theirs() { mpz_clears(x, y, m, product, z, r, nullptr); }
};

template <class F> static void gmp(const char *op, F call, long most = 0)
{
    auto *b = benchmark::RegisterBenchmark((std::string("mp/") + op + "/GMP").c_str(),
                                           [=](benchmark::State &state) {
                                               Numbers w((size_t)state.range(0));
                                               Theirs t(w);
                                               for (auto _ : state) call(t, w);
                                           });
    for (long n : sizes) b->Arg(n);
    for (long n = long_from; n <= most; n *= 4) b->Arg(n);
}
#else
#define gmp(...) ((void)0)
#endif

int main(int argc, char **argv)
{
    const long some = 1 << 20, many = 1 << 24;
    add("add", [](Numbers &w) { return ty_mp_add(&w.z, &w.x, &w.y); });
    gmp("add", [](Theirs &t, Numbers &) { mpz_add(t.z, t.x, t.y); });
    add("sub", [](Numbers &w) { return ty_mp_sub(&w.z, &w.x, &w.y); });
    gmp("sub", [](Theirs &t, Numbers &) { mpz_sub(t.z, t.x, t.y); });
    add("mul", [](Numbers &w) { return ty_mp_mul(&w.z, &w.x, &w.y); }, many);
    gmp("mul", [](Theirs &t, Numbers &) { mpz_mul(t.z, t.x, t.y); }, many);
    add("sqr", [](Numbers &w) { return ty_mp_sqr(&w.z, &w.x); }, many);
    gmp("sqr", [](Theirs &t, Numbers &) { mpz_mul(t.z, t.x, t.x); }, many);
    add("div-vt", [](Numbers &w) { return ty_mp_div_vt(&w.z, &w.r, &w.product, &w.m); }, many);
    gmp("div-vt", [](Theirs &t, Numbers &) { mpz_tdiv_qr(t.z, t.r, t.product, t.m); }, many);
    // a divisor whose top bit is 0
    add("div-vt-shifted", [](Numbers &w) { return ty_mp_div_vt(&w.z, &w.r, &w.product, &w.x); });
    gmp("div-vt-shifted", [](Theirs &t, Numbers &) { mpz_tdiv_qr(t.z, t.r, t.product, t.x); });
    add("powm", [](Numbers &w) { return ty_mp_powm(&w.z, &w.x, &w.y, &w.m); });
    gmp("powm", [](Theirs &t, Numbers &) { mpz_powm_sec(t.z, t.x, t.y, t.m); });
    add("powm-vt", [](Numbers &w) { return ty_mp_powm_vt(&w.z, &w.x, &w.y, &w.m); });
    gmp("powm-vt", [](Theirs &t, Numbers &) { mpz_powm(t.z, t.x, t.y, t.m); });
    add_many();
    add("inv", [](Numbers &w) { return ty_mp_invmod(&w.z, &w.x, &w.m); });
    add("inv-vt", [](Numbers &w) { return ty_mp_invmod_vt(&w.z, &w.x, &w.m); });
    gmp("inv-vt", [](Theirs &t, Numbers &) { mpz_invert(t.z, t.x, t.m); });
    add("gcd", [](Numbers &w) { return ty_mp_gcd(&w.z, &w.x, &w.y); });
    add("gcd-vt", [](Numbers &w) { return ty_mp_gcd_vt(&w.z, &w.x, &w.y); }, some);
    gmp("gcd-vt", [](Theirs &t, Numbers &) { mpz_gcd(t.z, t.x, t.y); }, some);
    add(
        "text",
        [](Numbers &w) { return ty_mp_get_str_vt(w.text.data(), w.text.size(), &w.len, &w.x, 10); },
        some);
    gmp("text", [](Theirs &t, Numbers &w) { mpz_get_str(w.text.data(), 10, t.x); }, some);
    add(
        "from-text", [](Numbers &w) { return ty_mp_set_str_vt(&w.z, w.text.data(), w.len, 10); },
        some);
    gmp("from-text", [](Theirs &t, Numbers &w) { mpz_set_str(t.z, w.text.data(), 10); }, some);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
