// Constant time of code that valgrind cannot run: its decoder knows neither VAES nor GFNI nor
// AVX-512 nor SHA. Each kernel runs with several keys, texts and counters, instruction by
// instruction (emulated where this CPU lacks them). The address of every instruction and the
// address that it read or wrote must be the same each time: no branch or index used a secret.
extern "C" {   // internal headers are plain C
#include "base/bytes.h"
#include "ec/ec_binary.h"
#include "ec/ec_sm2.h"
#include "keccak/keccak.h"
#include "modn/ifma.h"
#include "modn/lanes.h"
#include "modn/pair.h"
#include "mldsa/mldsa.h"
#include "f2m/f2_any.h"
#include "mod/ntt.h"
#include "sha2/sha2.h"
#include "sm3/sm3.h"
#include "tongyu/mp.h"
}
#include "support/full.hpp"
#include "support/sm4.hpp"

#if !defined(__x86_64__)
TEST(Trace, IsForX86Alone) {}
#else
namespace {

struct Step {
    const uint8_t *at;
    uint64_t address, stack;
    bool operator==(const Step &o) const
    {
        return at == o.at && address == o.address && stack == o.stack;
    }
};

std::vector<Step> steps;     // allocated beforehand, because a signal handler fills it
size_t taken;
bool gathers;

void record(const uint8_t *at, const uint64_t gpr[16])
{
    int vector = 0;
    const uint64_t address = emu_operand(at, gpr, &vector);
    gathers |= vector != 0;
    if (taken < steps.size()) steps[taken] = {at, address, gpr[4]};
    taken++;
}

// The trace of f(). Not inlined, so that each run begins at the same address.
__attribute__((noinline)) std::vector<Step> trace(const std::function<void()> &f)
{
    taken = 0;
    emu_watch(record);
    f();
    emu_watch(nullptr);
    EXPECT_LT(taken, steps.size()) << "no room for the trace";
    return std::vector<Step>(steps.begin(), steps.begin() + (long)std::min(taken, steps.size()));
}

// set(run) makes the secrets of a run, in the same places each time: zeros in run 0, ones in run 1,
// random ones in the three runs that only the full test makes. f uses them. Returns "", the first
// difference between two runs, or "a gather", whose addresses are not recorded.
std::string differs(const std::function<void(int)> &set, const std::function<void()> &f)
{
    const int runs = full() ? 5 : 2;
    std::vector<Step> first;
    set(0);
    f();                     // initialises what is initialised only once
    for (int run = 0; run < runs; run++) {
        set(run);
        const std::vector<Step> t = trace(f);
        if (run == 0) first = t;
        for (size_t i = 0; i < std::min(t.size(), first.size()); i++)
            if (!(t[i] == first[i]))
                return "step " + std::to_string(i) +
                       (t[i].at == first[i].at ? ", an address" : ", a branch");
        if (t.size() != first.size()) return "length";
    }
    EXPECT_GT(first.size(), 20u) << "nothing was traced";
    return gathers ? "a gather" : "";
}

struct Secrets {
    alignas(64) uint8_t key[16], text[16 * 700], mask[16 * 700], iv[16], other[16];
    void set(int run)
    {
        TestRng rng(77 + (uint64_t)run);
        rng.fill(this, sizeof *this);
        if (run == 0) memset(this, 0, sizeof *this);
        if (run == 1) memset(this, 0xff, sizeof *this);
    }
};
Secrets secret;
uint8_t out[16 * 700], table[256 * 64];
volatile uint8_t sink;

// Nothing can be stepped under valgrind, nor on a system other than Linux.
bool can_step() { return emu_can_watch() && !no_emulation(); }

}   // namespace

class Trace : public testing::Test {
protected:
    void SetUp() override
    {
        if (!can_step()) GTEST_SKIP() << "nothing can be stepped here";
        steps.resize(1 << 20);
        gathers = false;
    }
};

namespace {

// Calls f for the tiers of a family that valgrind does not support: the others would take too long
// to be stepped, and tests/ct examines them. Each that this CPU or the emulator can run must run.
template <class Ops>
void each_unknown_tier(const ty_tier *tiers,
                       const std::function<void(const Ops *, const char *)> &f)
{
    constexpr ty_cpu unknown =
        TY_CPU_VAES | TY_CPU_GFNI | TY_CPU_AVX512 | TY_CPU_VCLMUL | TY_CPU_SHA256;
    const ty_cpu can = ty_cpu_have() | emu_features();
    int want = 0, ran = 0;
    for (const ty_tier *t = tiers; t->name; t++)
        want += t->ops && (t->need & unknown) && !(t->need & ~can);
    for_each_tier<Ops>(tiers, [&](const Ops *o, const char *name) {
        for (const ty_tier *t = tiers; t->name; t++)
            if (t->ops == o && t->need & unknown) {
                f(o, name);
                ran++;
            }
    });
    EXPECT_EQ(ran, want);
}

const auto set = [](int run) { secret.set(run); };

}   // namespace

TEST_F(Trace, CatchesABranch)
{
    EXPECT_NE(differs(set,
                      [] {
                          if (secret.key[3] & 1) sink = 1;
                          else sink = (uint8_t)(sink + 3);
                      }),
              "");
}

TEST_F(Trace, CatchesAnIndex)
{
    EXPECT_NE(differs(set,
                      [] {
                          for (int i = 0; i < 4; i++) sink = table[64 * secret.key[i]];
                      }),
              "");
    EXPECT_NE(differs(set,
                      [] {
                          for (int i = 0; i < 4; i++) table[64 * secret.key[i]] = (uint8_t)i;
                      }),
              "");
}

TEST_F(Trace, LetsMasksPass)
{
    EXPECT_EQ(differs(set,
                      [] {
                          for (int i = 0; i < 16; i++)
                              sink = (uint8_t)(sink ^ (secret.key[i] & secret.iv[i]));
                      }),
              "");
}

TEST_F(Trace, Sm4OfEveryTier)
{
    each_unknown_tier<ty_sm4_ops>(ty_sm4_tiers, [&](const ty_sm4_ops *o, const char *name) {
        static ty_sm4_key key;
        static ty_sm4_lanes l;
        const auto init = [&](int run) {
            secret.set(run);
            ty_sm4_init_on(&key, o, secret.key);
            for (size_t i = 0; i < TY_SM4_LANES; i++) o->lane_key(&l, i, i & 1 ? key.enc : key.dec);
            memcpy(l.x, secret.text, sizeof l.x);
        };
        static ty_sm4_key keys[TY_SM4_LANES];
        static uint8_t h[16 * TY_SM4_LANES];
        EXPECT_EQ(differs(init, [&] { o->schedule(key.enc, secret.key); }), "") << "schedule";
        for (size_t n : {3, 17})
            EXPECT_EQ(differs(init, [&] { o->schedules(keys, sizeof *keys, h, secret.text, n); }),
                      "")
                << n << " schedules";
        EXPECT_EQ(differs(init, [&] { o->lane_key(&l, 5, key.enc); }), "") << "lane_key";
        const auto blocks = [&](size_t n) { return std::to_string(n) + " blocks"; };
        // for every number of interleaved chains; 513 for the bit planes of avx512
        for (size_t n : {1, 2, 3, 7, 20, 40, 65, 513}) {
            if (n == 513 && std::string(name) != "avx512") continue;
            EXPECT_EQ(differs(init, [&] { o->ctr32(out, secret.text, n, secret.iv, key.enc); }), "")
                << "ctr32, " << blocks(n);
            if (o->ctr32_beside && (n == 7 || n == 65)) {
                EXPECT_EQ(differs(init,
                                  [&] {
                                      o->ctr32_beside(out, secret.text, n, secret.iv, secret.mask,
                                                      2, key.enc);
                                  }),
                          "")
                    << "ctr32_beside, " << blocks(n);
            }
            if (!full() && n == 1) continue;
            // the kernels below have the rounds of ctr32; more blocks are for the full run
            if (!full() && n >= 7) break;
            EXPECT_EQ(differs(init, [&] { o->ecb(out, secret.text, n, key.dec); }), "")
                << "ecb, " << blocks(n);
            if (!full() && n == 2) continue;
            EXPECT_EQ(
                differs(init, [&] { o->cbc_decrypt(out, secret.text, n, secret.iv, key.dec); }), "")
                << "cbc, " << blocks(n);
            EXPECT_EQ(
                differs(init, [&] { o->cfb_decrypt(out, secret.text, n, secret.iv, key.enc); }), "")
                << "cfb, " << blocks(n);
            EXPECT_EQ(differs(init, [&] { o->xex(out, secret.text, secret.mask, n, key.enc); }), "")
                << "xex, " << blocks(n);
        }
        if (o->ocb) {
            const auto ocb = [&](int back) {
                return differs(init, [&] {
                    o->ocb(out, secret.text, 1, secret.mask, secret.mask + 1024, secret.iv, back,
                           key.enc);
                });
            };
            EXPECT_EQ(ocb(0), "") << "ocb";
            EXPECT_EQ(ocb(1), "") << "ocb, decryption";
        }
        if (o->ctr32le) {
            const auto count = [&] {
                o->ctr32le(out, secret.text, 1, secret.iv, ty_get32be(secret.mask), key.enc);
            };
            EXPECT_EQ(differs(init, count), "") << "ctr32le";
        }
        for (size_t n : {3, 7, 20}) {
            if (n > 3 && !full()) continue;
            EXPECT_EQ(differs(init, [&] { o->lanes(&l, n); }), "") << "lanes, " << blocks(n);
        }
        if (o->grid) {
            alignas(64) static uint32_t row_keys[512];
            alignas(64) static uint8_t room[1024];
            uint8_t *to[16];
            const uint8_t *in[16], *add[16], *rk[16];
            for (size_t i = 0; i < 16; i++) {
                to[i] = out + 128 * i;
                in[i] = secret.text + 128 * i;
                add[i] = secret.mask + 128 * i;
                rk[i] = (const uint8_t *)(i & 1 ? key.enc : key.dec);
            }
            const auto lay = [&](int run) {
                init(run);
                o->grid_keys(row_keys, rk);
            };
            EXPECT_EQ(differs(init, [&] { o->grid_keys(row_keys, rk); }), "") << "grid_keys";
            EXPECT_EQ(differs(lay, [&] { o->grid(to, in, add, room, 4, row_keys); }), "") << "grid";
            EXPECT_EQ(differs(lay, [&] { o->grid_cbc(to, in, add, 2, room, row_keys); }), "")
                << "grid_cbc";
            EXPECT_EQ(
                differs(lay, [&] { o->grid_ctr32(to, in, 7, secret.mask, 1, room, row_keys); }), "")
                << "grid_ctr32";
        }
        EXPECT_EQ(differs(init, [&] { o->cbc_encrypt(out, secret.text, 2, secret.iv, key.enc); }),
                  "")
            << "cbc_encrypt";
    });
}

// GHASH and the masks of XTS. The hash's key, what it has hashed and the text are secret; up to two
// groups of eight blocks and seven more.
TEST_F(Trace, GhashOfEveryTier)
{
    each_unknown_tier<ty_f2_128_ops>(ty_f2_128_tiers, [&](const ty_f2_128_ops *o, const char *) {
        static uint64_t power[8][2];
        const auto init = [&](int run) {
            secret.set(run);
            o->powers(power, secret.key);
        };
        EXPECT_EQ(differs(init, [&] { o->powers(power, secret.key); }), "") << "powers";
        for (size_t n : {1, 2, 5, 7, 8, 9, 16, 23}) {
            EXPECT_EQ(differs(init, [&] { o->horner(secret.iv, secret.text, n, power); }), "")
                << "horner, " << n << " blocks";
            EXPECT_EQ(differs(init, [&] { o->polyval(secret.iv, secret.text, n, power); }), "")
                << "polyval, " << n << " blocks";
            for (const int reflected : {0, 1}) {
                const auto ladder = [&] { o->ladder(out, n, secret.iv, reflected); };
                EXPECT_EQ(differs(init, ladder), "") << "ladder, " << n << " blocks, " << reflected;
            }
        }
        if (!o->horner16) return;
        const uint8_t *in[16];
        const uint64_t (*powers[16])[2];
        for (size_t i = 0; i < 16; i++) {
            in[i] = secret.text + 256 * i;
            powers[i] = power;
        }
        for (size_t n : {3, 11})
            EXPECT_EQ(differs(init, [&] { o->horner16(secret.mask, in, n, powers); }), "")
                << "horner16, " << n << " blocks";
    });
}

// The ladder, the tau-adic method and the comb: scalars of zeros, of ones, and random ones.
TEST_F(Trace, BinaryCurvesOfEveryTier)
{
    for (const ty_ec_curve *c = ty_ec_f2_curves; c->name; c++) {
        const std::string curve = c->name;
        /* sect233k1 has points of four products at once */
        const bool quads = curve == "sect233k1";
        if (curve != "sect163k1" && curve != "sect163r2" && !quads && !full()) continue;
        if (c->m > 233) continue;        // like the others, except for the number of words
        each_unknown_tier<ty_ec_binary_ops>(c->tiers, [&](const auto *o, const char *n) {
            const std::string tier = n;
            if (tier != "clmul512" && ((tier != "gfni512" && tier != "vaes") || !full()) &&
                (tier != "gfni512" || quads))
                return;
            const auto init = [](int run) { secret.set(run); };
            EXPECT_EQ(differs(init, [&] { o->mul(out, secret.text, c->n_bits, ty_ec_g(c), c); }),
                      "")
                << curve;
            EXPECT_EQ(differs(init, [&] { o->mul_base(out, secret.text, c); }), "") << curve;
            if (!o->mul_four) return;
            static uint8_t points[4][2 * TY_EC_MAX];
            uint8_t *const z[4] = {points[0], points[1], points[2], points[3]};
            const uint8_t *k[4], *const p[4] = {ty_ec_g(c), ty_ec_g(c), ty_ec_g(c), ty_ec_g(c)};
            for (size_t i = 0; i < 4; i++) k[i] = secret.text + 8 * i;
            uint32_t finite[4];
            EXPECT_EQ(differs(init, [&] { o->mul_four(finite, z, k, c->n_bits, p, c); }), "")
                << curve;
        });
    }
}

// The messages count as secret: those of PBKDF2, for example, are passwords.
TEST_F(Trace, HashesOfEveryTier)
{
    each_unknown_tier<ty_sm3_ops>(ty_sm3_tiers, [&](const ty_sm3_ops *o, const char *) {
        static ty_sm3_lanes l;
        static ty_sm3_chain c;
        const auto init = [&](int run) {
            secret.set(run);
            memcpy(l.h, secret.text, sizeof l.h);
            memcpy(&c, secret.text, sizeof c);
            for (size_t i = 0; i < TY_SM3_LANES; i++) l.in[i] = secret.text + 64 * i;
        };
        EXPECT_EQ(differs(init, [&] { o->step(&l, 2); }), "") << "SM3, step";
        EXPECT_EQ(differs(init, [&] { o->chain(&c, 2); }), "") << "SM3, chain";
    });
    each_unknown_tier<ty_keccak_ops>(ty_keccak_tiers, [&](const ty_keccak_ops *o, const char *) {
        alignas(64) static uint64_t a[25][8], one[25];
        const auto init = [&](int run) {
            secret.set(run);
            memcpy(a, secret.text, sizeof a);
            memcpy(one, secret.mask, sizeof one);
        };
        EXPECT_EQ(differs(init, [&] { o->f1600(one); }), "") << "Keccak";
        EXPECT_EQ(differs(init, [&] { o->f1600_x8(a); }), "") << "Keccak, eight";
        EXPECT_EQ(differs(init, [&] { o->f1600_x8_x1(a, one); }), "") << "Keccak, eight and one";
        EXPECT_EQ(differs(init, [&] { o->f1600_x4(reinterpret_cast<uint64_t(*)[4]>(a)); }), "")
            << "Keccak, four";
    });
    each_unknown_tier<ty_sha256_ops>(ty_sha256_tiers, [&](const ty_sha256_ops *o, const char *) {
        static uint32_t h[8];
        const auto init = [&](int run) {
            secret.set(run);
            memcpy(h, secret.mask, sizeof h);
        };
        EXPECT_EQ(differs(init, [&] { o->blocks(h, secret.text, 3); }), "") << "SHA-256";
    });
}

// Coefficients of keys, masks and values computed from them: all zero, the ends of the unreduced
// range, and random ones.
TEST_F(Trace, MldsaOfEveryTier)
{
    alignas(64) static ty_q_poly a[5], b[5], z;
    static uint32_t h[8];
    static int8_t e[512];
    const auto init = [&](int run) {
        secret.set(run);
        TestRng rng(99);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 256; j++) {
                const int32_t x = run == 0   ? 0
                                  : run == 1 ? TY_Q - 1
                                             : (int32_t)rng.below(2 * TY_Q - 1) - (TY_Q - 1);
                a[i][j] = x;
                b[i][j] = j % 2 ? x : -x;
            }
        for (int j = 0; j < 256; j++)
            e[j] = (int8_t) - (e[256 + j] = (int8_t)(run == 1   ? -2
                                                     : run == 2 ? (int)rng.below(5) - 2
                                                                : 0));
        // candidates of 4 bits, all below 9: accepted for either eta
        for (uint8_t &x : secret.mask) x = (uint8_t)(run * 0x22);
    };
    each_unknown_tier<ty_q_ops>(ty_q_tiers, [&](const ty_q_ops *o, const char *) {
        EXPECT_EQ(differs(init, [&] { o->ntt(a[0]); }), "") << "transform";
        EXPECT_EQ(differs(init, [&] { o->intt(a[0]); }), "") << "inverse";
        EXPECT_EQ(differs(init, [&] { o->dot(z, a, b, 5); }), "") << "dot";
        EXPECT_EQ(differs(init, [&] { sink = (uint8_t)o->add(z, a[0], b[1], 1000); }), "") << "add";
        EXPECT_EQ(differs(init, [&] { o->power2round(z, b[0], a[0]); }), "") << "power2round";
        for (const int32_t gamma2 : {TY_Q_GAMMA2_88, TY_Q_GAMMA2_32}) {
            EXPECT_EQ(differs(init, [&] { o->decompose(z, b[0], a[0], gamma2); }), "")
                << "decompose";
            EXPECT_EQ(differs(init, [&] { sink = (uint8_t)o->make_hint(h, a[0], b[0], gamma2); }),
                      "")
                << "make_hint";
            EXPECT_EQ(differs(init,
                              [&] {
                                  o->use_hint(z, a[0], (const uint32_t *)(const void *)secret.text,
                                              gamma2);
                              }),
                      "")
                << "use_hint";
        }
    });
    each_unknown_tier<ty_mldsa_ops>(ty_mldsa_tiers, [&](const ty_mldsa_ops *o, const char *) {
        ty_mldsa_challenge challenge = {{0}, 20, 39};   // which is public
        for (size_t i = 0; i < 39; i++) challenge.at[i] = (uint8_t)(6 * i);
        for (const unsigned bits : {3u, 4u, 6u, 10u, 13u, 18u, 20u}) {
            EXPECT_EQ(differs(init, [&] { o->pack(out, a[0], bits, 1 << (bits - 1)); }), "")
                << "pack " << bits;
            EXPECT_EQ(differs(init, [&] { o->unpack(z, secret.text, bits, 1 << (bits - 1)); }), "")
                << "unpack " << bits;
        }
        for (const int32_t eta : {2, 4})
            EXPECT_EQ(differs(init, [&] { sink = (uint8_t)o->small(z, 0, secret.mask, 136, eta); }),
                      "")
                << "small " << eta;
        EXPECT_EQ(differs(init, [&] {
                      sink = (uint8_t)o->add_times(a[0], &challenge, e, 2, 1000);
                  }), "")
            << "add_times";
    });
}

// The ladder's rung in a field of 233 bits that is given at run time: points, and whether they are
// swapped, are secret.
TEST_F(Trace, BinaryFieldsOfEveryTier)
{
    each_unknown_tier<ty_f2_any_ops>(ty_f2_any_tiers, [&](const ty_f2_any_ops *t, const char *) {
        // t^233 + t^74 + 1
        const Bytes poly = unhex("02"
                                 "00000000000000000000000000000000000000"
                                 "04000000000000000001");
        for (ty_f2_way way : {TY_F2_FULL, TY_F2_PARTIAL, TY_F2_BARRETT, TY_F2_MONTGOMERY}) {
            static ty_f2_any f;
            static ty_f2_any_pair p;
            static ty_f2_any_el x;
            static uint64_t mask;
            ASSERT_EQ(ty_f2_any_init(&f, poly.data(), poly.size(), way, 0), TY_OK);
            const auto element = [&](ty_f2_any_el &e, const uint8_t *from) {
                e = {};
                memcpy(e.w, from, 29);
            };
            const auto init = [&](int run) {
                secret.set(run);
                ty_f2_any_el *e[] = {&p.x0, &p.z0, &p.x1, &p.z1, &x};
                for (size_t i = 0; i < 5; i++) element(*e[i], secret.text + 32 * i);
                mask = 0 - (uint64_t)(secret.key[0] & 1);
            };
            const ty_f2_any_kernels *o = t->pick(&f);
            const ty_f2_any_rung own = t->rung(&f);
            const auto rung = [&] {
                if (own) own(&p, mask, &x, &f.one, &f);
                else ty_f2_any_climb(&p, mask, &x, &f.one, &f, o);
            };
            EXPECT_EQ(differs(init, rung), "") << "rung, way " << way;
            EXPECT_EQ(differs(init, [&] { o->sqr_n(&x, &p.x0, 2, &f); }), "")
                << "square, way " << way;
            EXPECT_EQ(differs(init, [&] { o->mul(&x, &p.x0, &p.x1, &f); }), "")
                << "product, way " << way;
            EXPECT_EQ(differs(init, [&] { o->canon(&x, &p.x0, &f); }), "")
                << "canonical, way " << way;
        }
    });
}

// Numbers of n digits side by side: all digits zero, all ones, and random ones; indices into a
// table.
static void side_by_side(const ty_lanes_ops *o, size_t n)
{
    enum { MOST = 96 };
    alignas(64) static uint64_t m[MOST], step[MOST], minv[TY_LANES_MOST], t[2 * MOST], x[MOST],
        y[MOST], entries[4 * MOST], index[TY_LANES_MOST];
    const ty_lanes w = {n, m, step, minv, t};
    ASSERT_LE(ty_lanes_stored(o, n) * o->lanes, (size_t)MOST);
    const auto init = [&](int run) {
        secret.set(run);
        for (uint64_t *digits : {m, step, x, y}) {
            memcpy(digits, secret.text + 64 * (size_t)(digits == x), sizeof m);
            for (size_t i = 0; i < MOST; i++) digits[i] >>= 64 - TY_LANES_BITS;
            o->put(digits, n);
        }
        memcpy(minv, m, sizeof minv);
        for (uint64_t &i : index) i = secret.key[&i - index] & 3;
    };
    EXPECT_EQ(differs(init, [&] { o->put(t, n), o->get(x, n); }), "") << "form";
    EXPECT_EQ(differs(init, [&] { o->mul(x, x, y, &w); }), "") << "product";
    EXPECT_EQ(differs(init, [&] { o->sqrs(x, 1, &w); }), "") << "square";
    EXPECT_EQ(differs(init, [&] { o->gather(x, entries, n, 4, index); }), "") << "table";
}

#include "emu/trace_integer_cases.inc"
#endif
