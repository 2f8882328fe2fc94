// SM4's kernels on wide bit planes: each is compared with the portable tier at numbers of blocks
// around whole batches.
extern "C" {   // internal headers are plain C
#include "sm4/sm4_slice.h"
}
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#if !defined(__x86_64__)
TEST(Sm4Slice, OnlyOnX86) {}
#else
namespace {

struct Kernels {
    const char *name;
    ty_cpu need;
    size_t batch;
    decltype(&ty_sm4_slice_ecb_avx512) ecb;
    decltype(&ty_sm4_slice_ctr32_avx512) ctr32;
    decltype(&ty_sm4_slice_cbc_decrypt_avx512) cbc_decrypt;
    decltype(&ty_sm4_slice_cfb_decrypt_avx512) cfb_decrypt;
    decltype(&ty_sm4_slice_xex_avx512) xex;
};

#    define KERNELS(tier, need, batch)                                                             \
        {                                                                                          \
#            tier, need, batch, ty_sm4_slice_ecb_##tier, ty_sm4_slice_ctr32_##tier,                \
                ty_sm4_slice_cbc_decrypt_##tier, ty_sm4_slice_cfb_decrypt_##tier,                  \
                ty_sm4_slice_xex_##tier                                                            \
        }
const Kernels widths[] = {
    KERNELS(avx512, TY_CPU_AVX512, 512),
};

template <class F> void each_width(F f)
{
    for (const Kernels &k : widths) {
        const ty_cpu missing = k.need & ~ty_cpu_have();
        if ((missing & ~emu_features()) || (missing && no_emulation())) {
            std::cout << "[ NO TIER  ] " << k.name
                      << " slices: neither this CPU nor the emulator runs them\n";
            EXPECT_EQ(std::getenv("TONGYU_ALL_TIERS"), nullptr) << k.name << " did not run";
            continue;
        }
        SCOPED_TRACE(std::string(k.name) + " slices" + (missing ? " (emulated)" : ""));
        const unsigned long before = emu_count();
        f(k, missing != 0);
        if (missing) { EXPECT_GT(emu_count(), before) << "nothing was emulated"; }
        std::cout << "[   TIER   ] " << k.name << " slices" << (missing ? " (emulated)" : "")
                  << "\n";
    }
}

struct Key {
    uint32_t enc[32], dec[32];
    explicit Key(const Bytes &bytes)
    {
        ty_sm4_ops_c.schedule(enc, bytes.data());
        std::reverse_copy(enc, enc + 32, dec);
    }
};

}   // namespace

TEST(Sm4Slice, EqualsThePortableTier)
{
    const size_t most = 1025;
    TestRng rng(31);
    const Key key(rng.bytes(16));
    const Bytes data = rng.bytes(16 * most), mask = rng.bytes(16 * most);
    Bytes iv = rng.bytes(16);
    std::fill(&iv[13], &iv[16], 0xFF);        // so that counters carry through many bits
    using Sliced =
        std::function<size_t(const Kernels &, uint8_t *, const uint8_t *, size_t, uint8_t *)>;
    using Portable = std::function<void(uint8_t *, const uint8_t *, size_t, uint8_t *)>;
    const ty_sm4_ops &c = ty_sm4_ops_c;
    const std::map<std::string, std::pair<Sliced, Portable>> kernels = {
        { "ecb",
          { [&](auto &k, auto *out, auto *in, size_t n, auto *) {
               return k.ecb(out, in, n, key.dec);
           },
            [&](auto *out, auto *in, size_t n, auto *) { c.ecb(out, in, n, key.dec); } } },
        { "ctr32",
          { [&](auto &k, auto *out, auto *in, size_t n, auto *v) {
               return k.ctr32(out, in, n, v, key.enc);
           },
            [&](auto *out, auto *in, size_t n, auto *v) { c.ctr32(out, in, n, v, key.enc); } } },
        { "cbc",
          { [&](auto &k, auto *out, auto *in, size_t n, auto *v) {
               return k.cbc_decrypt(out, in, n, v, key.dec);
           },
            [&](auto *out, auto *in, size_t n, auto *v) {
                c.cbc_decrypt(out, in, n, v, key.dec);
            } } },
        { "cfb",
          { [&](auto &k, auto *out, auto *in, size_t n, auto *v) {
               return k.cfb_decrypt(out, in, n, v, key.enc);
           },
            [&](auto *out, auto *in, size_t n, auto *v) {
                c.cfb_decrypt(out, in, n, v, key.enc);
            } } },
        { "xex",
          { [&](auto &k, auto *out, auto *in, size_t n, auto *) {
               Guarded m(mask.data(), 16 * n);
               return k.xex(out, in, m.data(), n, key.enc);
           },
            [&](auto *out, auto *in, size_t n, auto *) {
                c.xex(out, in, mask.data(), n, key.enc);
            } } },
    };
    each_width([&](const Kernels &k, bool slow) {
        const size_t b = k.batch;
        const std::set<size_t> counts = slow ? std::set<size_t>{ 0, b - 1, b, 2 * b + 1 }
                                             : std::set<size_t>{ 0,     1,         b - 1, b,
                                                                 b + 1, 2 * b - 1, 2 * b, 2 * b + 1,
                                                                 1024,  1025 };
        for (const auto &[name, run] : kernels) {
            SCOPED_TRACE(name);
            for (size_t n : counts) {
                if (n > most) continue;
                const size_t whole = n / b * b;
                Bytes expected(16 * n, 0xEE), expected_iv = iv;
                run.second(expected.data(), data.data(), whole, expected_iv.data());
                for (const auto side : {Guarded::End, Guarded::Start}) {
                    Guarded in(data.data(), 16 * n, side), out(16 * n, side),
                        v(iv.data(), 16, side);
                    std::fill(out.data(), out.data() + 16 * n, 0xEE);
                    ASSERT_EQ(run.first(k, out.data(), in.data(), n, v.data()), whole) << n;
                    ASSERT_EQ(hex(out.data(), 16 * n), hex(expected)) << n;
                    ASSERT_EQ(hex(v.data(), 16), hex(expected_iv)) << n;
                    if (slow && side == Guarded::Start) continue;
                    std::copy(iv.begin(), iv.end(), v.data());
                    ASSERT_EQ(run.first(k, in.data(), in.data(), n, v.data()), whole) << n;
                    ASSERT_EQ(hex(in.data(), 16 * whole), hex(expected.data(), 16 * whole))
                        << n << " in place";
                    ASSERT_EQ(hex(in.data() + 16 * whole, 16 * (n - whole)),
                              hex(&data[16 * whole], 16 * (n - whole)))
                        << n;
                    ASSERT_EQ(hex(v.data(), 16), hex(expected_iv)) << n;
                }
            }
        }
    });
}

// The counter's sum, computed plane by plane, wraps without changing the higher words.
TEST(Sm4Slice, CountersWrapAnywhere)
{
    TestRng rng(32);
    const Key key(rng.bytes(16));
    each_width([&](const Kernels &k, bool slow) {
        const size_t b = k.batch;
        const Bytes zero(16 * b);
        const uint32_t batch = (uint32_t)b;
        for (const uint32_t n : { 0u, 1u, 0u - 1, 0u - batch, 0u - batch + 1, 0x12345678u,
                                  0xFFFF00FFu, 0x7FFFFFF0u }) {
            if (slow && n != 0u - batch + 1) continue;
            Bytes counter = rng.bytes(16), out(16 * b), expected(16 * b);
            for (int i = 0; i < 4; i++) counter[12 + (size_t)i] = (uint8_t)(n >> (24 - 8 * i));
            ASSERT_EQ(k.ctr32(out.data(), zero.data(), b, counter.data(), key.enc), b);
            ty_sm4_ops_c.ctr32(expected.data(), zero.data(), b, counter.data(), key.enc);
            ASSERT_EQ(hex(out), hex(expected)) << n;
        }
    });
}

TEST(Sm4Slice, AnyAlignment)
{
    TestRng rng(33);
    const Key key(rng.bytes(16));
    const Bytes iv = rng.bytes(16);
    each_width([&](const Kernels &k, bool slow) {
        const size_t n = k.batch;
        const Bytes data = rng.bytes(16 * n);
        Bytes expected(16 * n);
        Bytes v = iv;
        ty_sm4_ops_c.cbc_decrypt(expected.data(), data.data(), n, v.data(), key.dec);
        for (size_t shift = 1; shift < 64; shift += slow ? 40 : 7) {
            Bytes in(16 * n + 64), out(16 * n + 64, 0xEE);
            v = iv;
            std::copy(data.begin(), data.end(), in.begin() + (long)shift);
            k.cbc_decrypt(&out[64 - shift], &in[shift], n, v.data(), key.dec);
            ASSERT_EQ(hex(&out[64 - shift], 16 * n), hex(expected)) << shift;
            for (size_t i = 0; i < 64 - shift; i++) ASSERT_EQ(out[i], 0xEE);
        }
    });
}

// Every kernel of every tier at the numbers of blocks where a tier changes from one implementation
// to another: around full registers, batches and bit planes.
TEST(Sm4Slice, TiersAtTheirThresholds)
{
    const size_t most = 1089;
    TestRng rng(34);
    const Bytes bytes = rng.bytes(16), data = rng.bytes(16 * most), mask = rng.bytes(16 * most);
    Bytes iv = rng.bytes(16);
    std::fill(&iv[12], &iv[16], 0xFF);
    using Run = std::function<void(const ty_sm4_ops *, uint8_t *, const uint8_t *, size_t,
                                   uint8_t *, const ty_sm4_key &)>;
    const std::map<std::string, Run> kernels = {
        { "ecb", [](auto *o, auto *out, auto *in, size_t n, auto *,
                    auto &key) { o->ecb(out, in, n, key.dec); } },
        { "ctr32", [](auto *o, auto *out, auto *in, size_t n, auto *v,
                      auto &key) { o->ctr32(out, in, n, v, key.enc); } },
        { "cbc", [](auto *o, auto *out, auto *in, size_t n, auto *v,
                    auto &key) { o->cbc_decrypt(out, in, n, v, key.dec); } },
        { "cfb", [](auto *o, auto *out, auto *in, size_t n, auto *v,
                    auto &key) { o->cfb_decrypt(out, in, n, v, key.enc); } },
        { "xex", [&](auto *o, auto *out, auto *in, size_t n, auto *,
                     auto &key) { o->xex(out, in, mask.data(), n, key.enc); } },
    };
    const auto key_of = [&](const ty_sm4_ops *ops) {
        ty_sm4_key key;
        ty_sm4_init_on(&key, ops, bytes.data());
        return key;
    };
    for_each_tier<ty_sm4_ops>(ty_sm4_tiers, [&](const ty_sm4_ops *ops, const char *name) {
        bool slow = false;
        for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
            slow |= t->ops == ops && (t->need & ~ty_cpu_have()) != 0;
        const ty_sm4_key key = key_of(ops), portable = key_of(&ty_sm4_ops_c);
        const std::set<size_t> counts =
            slow ? std::set<size_t>{ 33, 65, 577 }
                 : std::set<size_t>{ 31, 32, 33, 63, 64, 65, 129, 511, 512, 513, 577, most };
        for (const auto &[kernel, run] : kernels)
            for (size_t n : counts) {
                // only avx512 has a threshold above 65
                if (slow && n == 577 && std::string(name) != "avx512") continue;
                Bytes expected(16 * n), in(data.begin(), data.begin() + (long)(16 * n)),
                    out(16 * n), v = iv, w = iv;
                run(&ty_sm4_ops_c, expected.data(), in.data(), n, v.data(), portable);
                run(ops, out.data(), in.data(), n, w.data(), key);
                ASSERT_EQ(hex(out), hex(expected)) << kernel << " " << n;
                ASSERT_EQ(hex(w), hex(v)) << kernel << " " << n;
                w = iv;
                run(ops, in.data(), in.data(), n, w.data(), key);
                ASSERT_EQ(hex(in), hex(expected)) << kernel << " " << n << " in place";
            }
    });
}
#endif
