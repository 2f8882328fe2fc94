// Two libraries with LibTomMath's interface against each other, function by function: bench-tommath
// THEIRS OURS [PREFIX] (files: libtommath.so.1 of the system, and ours). Interleaved batches,
// minimum of TSC cycles, and the ratio theirs/ours. Ratios below 0.97 are marked; the exit status
// is 1 if there are any.
#include "tongyu/compat/tommath.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
static uint64_t ticks() { return __rdtsc(); }
#else
#include <chrono>
static uint64_t ticks()
{
    return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
#endif
#pragma GCC diagnostic ignored "-Wunused-result"

struct Lib {
    void *so;
    explicit Lib(const char *path) : so(dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND))
    {
        if (!so) std::fprintf(stderr, "%s\n", dlerror()), std::exit(2);
    }
    template <class F> F *find(F *, const char *name) const
    {
        return reinterpret_cast<F *>(dlsym(so, name));
    }
};
#define GET(lib, name) (lib).find(static_cast<decltype(::name) *>(nullptr), #name)

static uint64_t next(uint64_t &s)
{
    s ^= s >> 12, s ^= s << 25, s ^= s >> 27;
    return s * 0x2545F4914F6CDD1Du;
}

// m is odd and has `bits` bits, even = m - 1, two = 2^bits - 0x1235; x, y < m, x2 < m^2; e is a
// short exponent.
struct Numbers {
    const Lib &lib;
    mp_int x, y, m, x2, even, two, mu, e, z, w, u;
    mp_digit rho = 0, k = 0, digit = 0x123456789abcdef, out = 0;
    int bits, result = 0;
    unsigned char bytes[1100];
    char text[4400], decimal[1400];
    size_t len = 0;
    decltype(::mp_clear) *clear = GET(lib, mp_clear);
    decltype(::mp_copy) *copy = GET(lib, mp_copy);
    decltype(::mp_lshd) *lshd = GET(lib, mp_lshd);

    void random(mp_int *a, size_t n, uint64_t seed, int top, int odd)
    {
        std::vector<unsigned char> b(n);
        for (auto &c : b) c = static_cast<unsigned char>(next(seed) >> 56);
        b[0] = static_cast<unsigned char>(top ? b[0] | 0x80 : (b[0] & 0x7f) | 0x40);
        b[n - 1] = static_cast<unsigned char>(odd ? b[n - 1] | 1 : b[n - 1] & 0xfe);
        GET(lib, mp_from_ubin)(a, b.data(), n);
    }
    Numbers(const Lib &l, int size) : lib(l), bits(size)
    {
        for (mp_int *a : {&x, &y, &m, &x2, &even, &two, &mu, &e, &z, &w, &u}) GET(lib, mp_init)(a);
        const size_t n = static_cast<size_t>(size) / 8;
        random(&m, n, 1, 1, 1);
        random(&even, n, 1, 1, 0);
        random(&x, n, 2, 0, 1);
        random(&y, n, 3, 0, 1);
        random(&x2, 2 * n, 4, 0, 1);
        while (GET(lib, mp_invmod)(&x, &m, &z) != MP_OKAY) GET(lib, mp_add_d)(&x, 2, &x);
        GET(lib, mp_set_u32)(&e, 65537);
        GET(lib, mp_2expt)(&two, size);
        GET(lib, mp_sub_d)(&two, 0x1235, &two);
        GET(lib, mp_reduce_setup)(&mu, &m);
        GET(lib, mp_montgomery_setup)(&m, &rho);
        GET(lib, mp_reduce_2k_setup)(&two, &k);
        GET(lib, mp_to_ubin)(&x, bytes, sizeof bytes, &len);
        GET(lib, mp_to_radix)(&x, decimal, sizeof decimal, nullptr, 10);
        GET(lib, mp_copy)(&x, &w);
    }
};

using Call = std::function<void()>;
struct Op {
    std::string name;
    std::function<Call(Numbers &)> make;
    int least = 0, most = 4096;
};

#define OP(label, name, ...)                                                                       \
    ops.push_back({ label, [](Numbers &v) -> Call {                                                \
                       auto *f = GET(v.lib, name);                                                 \
                       if (!f) return nullptr;                                                     \
                       return [&v, f] { __VA_ARGS__; };                                            \
                   } })

static std::vector<Op> all()
{
    std::vector<Op> ops;
    OP("mp_init", mp_init, mp_int t; f(&t); v.clear(&t));
    OP("mp_copy", mp_copy, f(&v.x, &v.z));
    OP("mp_zero", mp_zero, f(&v.z));
    OP("mp_exch", mp_exch, f(&v.z, &v.w));
    OP("mp_clamp", mp_clamp, f(&v.x));
    OP("mp_count_bits", mp_count_bits, v.result = f(&v.x));
    OP("mp_cnt_lsb", mp_cnt_lsb, v.result = f(&v.two));
    OP("mp_set", mp_set, f(&v.z, 5));
    OP("mp_set_u64", mp_set_u64, f(&v.z, 0x123456789abcdef0));
    OP("mp_get_mag_u64", mp_get_mag_u64, v.digit = f(&v.x) | 1);
    OP("mp_get_i64", mp_get_i64, v.out = static_cast<mp_digit>(f(&v.x)));
    OP("mp_get_double", mp_get_double, v.out = f(&v.x) > 1);
    OP("mp_set_double", mp_set_double, f(&v.z, 1.5e30));
    OP("mp_cmp", mp_cmp, v.result = f(&v.x, &v.y));
    OP("mp_cmp equal", mp_cmp, v.result = f(&v.x, &v.w));
    OP("mp_cmp_mag", mp_cmp_mag, v.result = f(&v.x, &v.y));
    OP("mp_cmp_d", mp_cmp_d, v.result = f(&v.x, 5));
    OP("mp_iseven", mp_iseven, v.result = f(&v.x));
    OP("mp_neg", mp_neg, f(&v.x, &v.z));
    OP("mp_abs", mp_abs, f(&v.x, &v.z));
    OP("mp_add", mp_add, f(&v.x, &v.y, &v.z));
    OP("mp_add in place", mp_add, f(&v.x, &v.z, &v.z); v.z.used = v.x.used);
    OP("mp_sub", mp_sub, f(&v.x, &v.y, &v.z));
    OP("mp_sub long", mp_sub, f(&v.x2, &v.y, &v.z));
    OP("mp_add long", mp_add, f(&v.x2, &v.y, &v.z));
    OP("mp_add_d", mp_add_d, f(&v.x, 5, &v.z));
    OP("mp_sub_d", mp_sub_d, f(&v.x, 5, &v.z));
    OP("mp_incr", mp_incr, f(&v.w));
    OP("mp_decr", mp_decr, f(&v.w));
    OP("mp_mul_d", mp_mul_d, f(&v.x, 0x123456789abcdef, &v.z));
    OP("mp_div_d", mp_div_d, f(&v.x, 0x123456789abcdef, &v.z, &v.out));
    OP("mp_div_d 8", mp_div_d, f(&v.x, 8, &v.z, &v.out));
    OP("mp_div_d 3", mp_div_d, f(&v.x, 3, &v.z, &v.out));
    OP("mp_mod_d", mp_mod_d, f(&v.x, 1000003, &v.out));
    OP("mp_div_2", mp_div_2, f(&v.x, &v.z));
    OP("mp_mul_2", mp_mul_2, f(&v.x, &v.z));
    OP("mp_div_2d 7", mp_div_2d, f(&v.x, 7, &v.z, nullptr));
    OP("mp_div_2d 77 rest", mp_div_2d, f(&v.x, 77, &v.z, &v.u));
    OP("mp_mul_2d 7", mp_mul_2d, f(&v.x, 7, &v.z));
    OP("mp_mul_2d 120", mp_mul_2d, f(&v.x, 120, &v.z));
    OP("mp_mod_2d", mp_mod_2d, f(&v.x, v.bits / 2 + 1, &v.z));
    OP("mp_rshd lshd", mp_rshd, v.lshd(&v.w, 1); f(&v.w, 1));
    OP("mp_2expt", mp_2expt, f(&v.z, v.bits));
    OP("mp_and", mp_and, f(&v.x, &v.y, &v.z));
    OP("mp_or", mp_or, f(&v.x, &v.y, &v.z));
    OP("mp_xor", mp_xor, f(&v.x, &v.y, &v.z));
    OP("mp_complement", mp_complement, f(&v.x, &v.z));
    OP("mp_signed_rsh", mp_signed_rsh, f(&v.x, 7, &v.z));
    OP("mp_mul", mp_mul, f(&v.x, &v.y, &v.z));
    OP("mp_mul long", mp_mul, f(&v.x2, &v.y, &v.z));
    OP("mp_mul short", mp_mul, f(&v.x, &v.e, &v.z));
    OP("mp_sqr", mp_sqr, f(&v.x, &v.z));
    OP("mp_div", mp_div, f(&v.x2, &v.m, &v.z, &v.u));
    OP("mp_div equal", mp_div, f(&v.m, &v.x, &v.z, &v.u));
    OP("mp_div short", mp_div, f(&v.x2, &v.e, &v.z, &v.u));
    OP("mp_mod", mp_mod, f(&v.x2, &v.m, &v.z));
    OP("mp_mod equal", mp_mod, f(&v.m, &v.x, &v.z));
    OP("mp_addmod", mp_addmod, f(&v.x, &v.y, &v.m, &v.z));
    OP("mp_submod", mp_submod, f(&v.x, &v.y, &v.m, &v.z));
    OP("mp_mulmod", mp_mulmod, f(&v.x, &v.y, &v.m, &v.z));
    OP("mp_sqrmod", mp_sqrmod, f(&v.x, &v.m, &v.z));
    OP("mp_invmod", mp_invmod, f(&v.x, &v.m, &v.z));
    OP("mp_invmod even", mp_invmod, f(&v.x, &v.even, &v.z));
    OP("mp_exptmod", mp_exptmod, f(&v.x, &v.y, &v.m, &v.z));
    OP("mp_exptmod even", mp_exptmod, f(&v.x, &v.y, &v.even, &v.z));
    OP("mp_exptmod 2^k - c", mp_exptmod, f(&v.x, &v.y, &v.two, &v.z));
    OP("mp_exptmod 65537", mp_exptmod, f(&v.x, &v.e, &v.m, &v.z));
    OP("mp_gcd", mp_gcd, f(&v.x, &v.y, &v.z));
    OP("mp_lcm", mp_lcm, f(&v.x, &v.y, &v.z));
    OP("mp_exteuclid", mp_exteuclid, f(&v.x, &v.m, &v.z, &v.w, &v.u));
    OP("mp_sqrt", mp_sqrt, f(&v.x, &v.z));
    OP("mp_is_square", mp_is_square, mp_bool b; f(&v.x, &b));
    OP("mp_kronecker", mp_kronecker, f(&v.x, &v.m, &v.result));
    OP("mp_reduce_setup", mp_reduce_setup, f(&v.z, &v.m));
    OP("mp_reduce", mp_reduce, v.copy(&v.x2, &v.z); f(&v.z, &v.m, &v.mu));
    OP("mp_montgomery_setup", mp_montgomery_setup, f(&v.m, &v.out));
    OP("mp_montgomery_calc_normalization", mp_montgomery_calc_normalization, f(&v.z, &v.m));
    OP("mp_montgomery_reduce", mp_montgomery_reduce, v.copy(&v.x2, &v.z); f(&v.z, &v.m, v.rho));
    OP("mp_reduce_2k_setup", mp_reduce_2k_setup, f(&v.two, &v.out));
    OP("mp_reduce_2k", mp_reduce_2k, v.copy(&v.x2, &v.z); f(&v.z, &v.two, v.k));
    OP("mp_reduce_is_2k", mp_reduce_is_2k, v.result = f(&v.two));
    OP("mp_ubin_size", mp_ubin_size, v.len = f(&v.x));
    OP("mp_from_ubin", mp_from_ubin, f(&v.z, v.bytes, static_cast<size_t>(v.bits) / 8));
    OP("mp_to_ubin", mp_to_ubin, f(&v.x, v.bytes, sizeof v.bytes, &v.len));
    OP("mp_pack", mp_pack, f(v.text, 1000, &v.len, MP_LSB_FIRST, 8, MP_NATIVE_ENDIAN, 0, &v.x));
    OP("mp_to_radix 2", mp_to_radix, f(&v.x, v.text, sizeof v.text, &v.len, 2));
    OP("mp_to_radix 7", mp_to_radix, f(&v.x, v.text, sizeof v.text, &v.len, 7));
    OP("mp_to_radix 10", mp_to_radix, f(&v.x, v.text, sizeof v.text, &v.len, 10));
    OP("mp_to_radix 16", mp_to_radix, f(&v.x, v.text, sizeof v.text, &v.len, 16));
    OP("mp_to_radix 64", mp_to_radix, f(&v.x, v.text, sizeof v.text, &v.len, 64));
    OP("mp_radix_size 10", mp_radix_size, f(&v.x, 10, &v.result));
    OP("mp_radix_size 16", mp_radix_size, f(&v.x, 16, &v.result));
    OP("mp_read_radix 10", mp_read_radix, f(&v.z, v.decimal, 10));
    OP("mp_prime_miller_rabin", mp_prime_miller_rabin, mp_bool b; f(&v.m, &v.x, &b));
    OP("mp_prime_is_prime", mp_prime_is_prime, mp_bool b; f(&v.m, 8, &b));
    return ops;
}

static double batch(const Call &call, size_t n)
{
    const uint64_t start = ticks();
    for (size_t i = 0; i < n; i++) call();
    return static_cast<double>(ticks() - start) / static_cast<double>(n);
}

int main(int argc, char **argv)
{
    if (argc < 3) return std::fprintf(stderr, "bench-tommath THEIRS OURS [PREFIX]\n"), 2;
    const Lib theirs(argv[1]), ours(argv[2]);
    const std::string prefix = argc > 3 ? argv[3] : "mp_";
    int slower = 0;
    for (int bits : {64, 128, 256, 512, 1024, 2048, 4096}) {
        for (const Op &op : all()) {
            if (op.name.compare(0, prefix.size(), prefix) != 0) continue;
            const auto a = std::make_unique<Numbers>(theirs, bits),
                       b = std::make_unique<Numbers>(ours, bits);
            const Call f = op.make(*a), g = op.make(*b);
            if (!f || !g) continue;
            double best[2] = {1e300, 1e300};
            const Call calls[2] = {f, g};
            // calls in a batch: several, so that refilling the caches after the other library's
            // call hardly counts
            size_t n[2];
            for (int k = 0; k < 2; k++) {
                const double one = batch(calls[k], 1);
                n[k] = static_cast<size_t>(std::max(one < 1000000 ? 4.0 : 1.0, 10000 / one));
            }
            const uint64_t until = ticks() + 6000000;
            for (int i = 0; i < 3 || (ticks() < until && i < 400); i++)
                for (int k = 0; k < 2; k++) best[k] = std::min(best[k], batch(calls[k], n[k]));
            const double ratio = best[0] / best[1];
            slower += ratio < 0.97;
            std::printf("%5d  %-36s %12.0f %12.0f %8.2f%s\n", bits, op.name.c_str(), best[0],
                        best[1], ratio, ratio < 0.97 ? "  slower" : "");
        }
    }
    std::printf("%d slower\n", slower);
    return slower != 0;
}
