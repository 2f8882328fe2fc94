// The emulator: each instruction is compared with a model written here in another way, or with this
// CPU if it has the instruction; decoding of every operand form; and real traps, with the registers
// examined afterwards.
#include "emu/decode.h"
#include "emu/emu.h"
#include "emu/ops.h"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <set>

#if !defined(__x86_64__) || !defined(__linux__)
TEST(Emu, OffersNothingHere) { EXPECT_EQ(emu_features(), 0u); }
#else
#include <cpuid.h>

namespace {

using V = emu_vec;

const emu_op *op(const std::string &name)
{
    for (const emu_op *o = emu_ops; o->name; o++)
        if (name == o->name) return o;
    ADD_FAILURE() << name;
    return nullptr;
}

// --- models: each computes the same as ops.c in another way --------------------------------------

// Polynomials as integers, multiplied first and divided afterwards.
unsigned long long clmul(unsigned long long a, unsigned b)
{
    unsigned long long r = 0;
    for (int i = 0; i < 8; i++) r ^= (b >> i & 1) * (a << i);
    return r;
}

uint8_t rem(unsigned long long x, unsigned modulus)
{
    for (int i = 15; i >= 8; i--)
        if (x >> i & 1) x ^= (unsigned long long)modulus << (i - 8);
    return (uint8_t)x;
}

uint8_t inverse(uint8_t a, unsigned modulus)
{
    for (unsigned y = 1; y < 256; y++)
        if (rem(clmul(a, y), modulus) == 1) return (uint8_t)y;
    return 0;
}

uint8_t affine(const uint8_t *matrix, uint8_t x, unsigned imm)     // by columns of the bit matrix
{
    uint8_t r = 0;
    for (int column = 0; column < 8; column++)
        if (x >> column & 1)
            for (int bit = 0; bit < 8; bit++)
                if (matrix[7 - bit] >> column & 1) r ^= (uint8_t)(1 << bit);
    return r ^ (uint8_t)imm;
}

uint8_t aes_sub(uint8_t x)
{
    return affine((const uint8_t *)"\xF8\x7C\x3E\x1F\x8F\xC7\xE3\xF1", inverse(x, 0x11B), 0x63);
}

void random_vec(V &v, TestRng &rng) { rng.fill(&v, sizeof v); }

// Compares the row called `name` with `model`, on random operands of every width.
template <class F> void against(const char *name, F model)
{
    SCOPED_TRACE(name);
    TestRng rng(9);
    const emu_op *o = op(name);
    for (int round = 0; round < 40; round++)
        for (unsigned len : {16u, 32u, 64u}) {
            V d, a, b, expected;
            random_vec(d, rng);
            random_vec(a, rng);
            random_vec(b, rng);
            const unsigned imm = (unsigned)rng.below(256);
            expected = d;
            model(expected, a, b, len, imm);
            o->fn(&d, &a, &b, len, imm);
            ASSERT_EQ(hex(&d, len), hex(&expected, len)) << len;
        }
}

uint64_t rotl(uint64_t x, unsigned n) { return n % 64 ? x << n % 64 | x >> (64 - n % 64) : x; }

}   // namespace

TEST(EmuOps, NamesAndOpcodesAreDistinct)
{
    std::set<std::string> names;
    std::set<std::vector<int>> codes;
    for (const emu_op *o = emu_ops; o->name; o++) {
        EXPECT_TRUE(names.insert(o->name).second) << o->name;
        EXPECT_TRUE(
            codes.insert({ o->map, o->prefix, o->opcode, o->w == EMU_WIG ? 0 : o->w }).second)
            << o->name;
    }
}

TEST(EmuOps, Gfni)
{
    for (unsigned x = 0; x < 256; x++) {             // exhaustively, both operands
        V d, a, b;
        for (unsigned base = 0; base < 256; base += 64) {
            for (unsigned i = 0; i < 64; i++) {
                a.b[i] = (uint8_t)x;
                b.b[i] = (uint8_t)(base + i);
            }
            op("gf2p8mulb")->fn(&d, &a, &b, 64, 0);
            for (unsigned i = 0; i < 64; i++) ASSERT_EQ(d.b[i], rem(clmul(x, base + i), 0x11B));
        }
    }
    against("gf2p8affineqb", [](V &d, const V &a, const V &b, unsigned len, unsigned imm) {
        for (unsigned i = 0; i < len; i++) d.b[i] = affine(&b.b[i & ~7u], a.b[i], imm);
    });
    against("gf2p8affineinvqb", [](V &d, const V &a, const V &b, unsigned len, unsigned imm) {
        for (unsigned i = 0; i < len; i++)
            d.b[i] = affine(&b.b[i & ~7u], inverse(a.b[i], 0x11B), imm);
    });
    // Intel's own example of the instruction: the AES S-box. First entries of FIPS 197, figure 7.
    V d, a = {}, b;
    for (uint64_t &q : b.q) q = 0xF1E3C78F1F3E7CF8;
    for (unsigned i = 0; i < 16; i++) a.b[i] = (uint8_t)i;
    op("gf2p8affineinvqb")->fn(&d, &a, &b, 16, 0x63);
    EXPECT_EQ(hex(&d, 16), "637c777bf26b6fc53001672bfed7ab76");
}

TEST(EmuOps, AesLastRoundAndInverses)
{
    against("vaesenclast", [](V &d, const V &a, const V &b, unsigned len, unsigned) {
        for (unsigned lane = 0; lane < len; lane += 16)
            for (unsigned row = 0; row < 4; row++)
                for (unsigned column = 0; column < 4; column++)
                    d.b[lane + 4 * column + row] =
                        aes_sub(a.b[lane + 4 * ((column + row) % 4) + row]) ^
                        b.b[lane + 4 * column + row];
    });
    TestRng rng(10);
    V zero = {}, x, y;
    // the last round of decryption undoes that of encryption
    for (int round = 0; round < 50; round++) {
        random_vec(x, rng);
        op("vaesenclast")->fn(&y, &x, &zero, 64, 0);
        op("vaesdeclast")->fn(&y, &y, &zero, 64, 0);
        EXPECT_EQ(hex(&y, 64), hex(&x, 64));
    }
}

TEST(EmuOps, ProductsAndShifts)
{
    against("vpclmulqdq", [](V &d, const V &a, const V &b, unsigned len, unsigned imm) {
        for (unsigned lane = 0; lane < len / 8; lane += 2) {
            uint64_t r[2] = {0, 0};
            for (unsigned i = 0; i < 64; i++)
                for (unsigned j = 0; j < 64; j++)
                    r[(i + j) / 64] ^=
                        (a.q[lane + (imm & 1)] >> i & b.q[lane + (imm >> 4 & 1)] >> j & 1)
                        << (i + j) % 64;
            d.q[lane] = r[0];
            d.q[lane + 1] = r[1];
        }
    });
    for (const bool high : {false, true})
        against(high ? "vpmadd52huq" : "vpmadd52luq",
                [high](V &d, const V &a, const V &b, unsigned len, unsigned) {
                    // 26-bit halves, so that nothing overflows 64 bits
                    for (unsigned i = 0; i < len / 8; i++) {
                        const uint64_t m = (1u << 26) - 1, al = a.q[i] & m, ah = a.q[i] >> 26 & m,
                                       bl = b.q[i] & m, bh = b.q[i] >> 26 & m;
                        const uint64_t mid = al * bh + ah * bl + (al * bl >> 26);
                        d.q[i] += high ? ah * bh + (mid >> 26) : (mid & m) << 26 | (al * bl & m);
                    }
                });
    against("vpshldq", [](V &d, const V &a, const V &b, unsigned len, unsigned imm) {
        for (unsigned i = 0; i < len / 8; i++) {
            const unsigned n = imm & 63;
            d.q[i] = a.q[i];
            for (unsigned k = 0; k < n; k++) d.q[i] = d.q[i] << 1 | (b.q[i] >> (63 - k) & 1);
        }
    });
    against("vpshrdq", [](V &d, const V &a, const V &b, unsigned len, unsigned imm) {
        for (unsigned i = 0; i < len / 8; i++) {
            const unsigned n = imm & 63;
            d.q[i] = a.q[i];
            for (unsigned k = 0; k < n; k++) d.q[i] = d.q[i] >> 1 | (b.q[i] >> k & 1) << 63;
        }
    });
    against("vpmultishiftqb", [](V &d, const V &a, const V &b, unsigned len, unsigned) {
        for (unsigned i = 0; i < len; i++) d.b[i] = (uint8_t)rotl(b.q[i / 8], 64 - (a.b[i] & 63u));
    });
    against("vpopcntq", [](V &d, const V &, const V &b, unsigned len, unsigned) {
        for (unsigned i = 0; i < len / 8; i++) {
            d.q[i] = 0;
            for (unsigned k = 0; k < 64; k++) d.q[i] += b.q[i] >> k & 1;
        }
    });
}

TEST(EmuOps, Permutations)
{
    against("vpermb", [](V &d, const V &a, const V &b, unsigned len, unsigned) {
        for (unsigned i = 0; i < len; i++) d.b[i] = b.b[a.b[i] % len];
    });
    const auto two = [](const uint8_t *low, const uint8_t *high, unsigned index, unsigned len) {
        index %= 2 * len;
        return index < len ? low[index] : high[index - len];
    };
    against("vpermi2b", [&](V &d, const V &a, const V &b, unsigned len, unsigned) {
        for (unsigned i = 0; i < len; i++) d.b[i] = two(a.b, b.b, d.b[i], len);
    });
    against("vpermt2b", [&](V &d, const V &a, const V &b, unsigned len, unsigned) {
        const V old = d;
        for (unsigned i = 0; i < len; i++) d.b[i] = two(old.b, b.b, a.b[i], len);
    });
}

// GB/T 32907-2016, A.1, four rounds per step: schedule and encryption.
TEST(EmuOps, Sm4)
{
    const uint32_t text[4] = {0x01234567, 0x89ABCDEF, 0xFEDCBA98, 0x76543210};
    const uint32_t fk[4] = {0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC};
    V key = {}, x = {};
    for (unsigned i = 0; i < 4; i++) {
        key.d[i] = key.d[i + 4] = text[i] ^ fk[i];   // the same in both lanes of 16 bytes
        x.d[i] = x.d[i + 4] = text[i];
    }
    for (unsigned r = 0; r < 32; r += 4) {
        V ck = {};
        for (unsigned i = 0; i < 8; i++)
            for (unsigned j = 0; j < 4; j++)
                ck.d[i] = ck.d[i] << 8 | ((4 * (r + i % 4) + j) * 7 & 255);
        op("vsm4key4")->fn(&key, &key, &ck, 32, 0);
        op("vsm4rnds4")->fn(&x, &x, &key, 32, 0);
    }
    EXPECT_EQ(key.d[3], 0x9124A012u);
    for (unsigned lane : {0u, 4u}) {
        EXPECT_EQ(x.d[lane + 3], 0x681EDF34u);
        EXPECT_EQ(x.d[lane + 2], 0xD206965Eu);
        EXPECT_EQ(x.d[lane + 1], 0x86B3E94Fu);
        EXPECT_EQ(x.d[lane + 0], 0x536E4246u);
    }
}

// --- against this CPU ----------------------------------------------------------------------------

namespace {

bool cpu(unsigned leaf, char reg, unsigned bit)
{
    unsigned a, b, c, d;
    if (!__get_cpuid_count(leaf, 0, &a, &b, &c, &d)) return false;
    return (reg == 'b' ? b : c) >> bit & 1;
}
bool has_aes() { return cpu(1, 'c', 25) && cpu(1, 'c', 1); }
bool has_vaes() { return cpu(7, 'b', 5) && cpu(7, 'c', 9) && cpu(7, 'c', 10); }
bool has_gfni() { return cpu(7, 'b', 5) && cpu(7, 'c', 8); }

// One instruction on registers loaded from a and b; AT&T order: source, source, target.
#    define HARDWARE(name, text)                                                                   \
        void name(V *d, const V *a, const V *b)                                                    \
        {                                                                                          \
            __asm__ volatile("vmovdqu (%1), %%ymm0\n vmovdqu (%2), %%ymm1\n" text                  \
                             "\n vmovdqu %%ymm0, (%0)"                                             \
                             :                                                                     \
                             : "r"(d), "r"(a), "r"(b)                                              \
                             : "xmm0", "xmm1", "memory");                                          \
        }
HARDWARE(hw_enc, "vaesenc %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_enclast, "vaesenclast %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_dec, "vaesdec %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_declast, "vaesdeclast %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_clmul00, "vpclmulqdq $0x00, %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_clmul01, "vpclmulqdq $0x01, %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_clmul10, "vpclmulqdq $0x10, %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_clmul11, "vpclmulqdq $0x11, %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_xenc, "vaesenc %%xmm1, %%xmm0, %%xmm0")
HARDWARE(hw_xdec, "vaesdec %%xmm1, %%xmm0, %%xmm0")
HARDWARE(hw_xclmul, "vpclmulqdq $0x10, %%xmm1, %%xmm0, %%xmm0")
HARDWARE(hw_gfmul, "vgf2p8mulb %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_gfaff, "vgf2p8affineqb $0x5a, %%ymm1, %%ymm0, %%ymm0")
HARDWARE(hw_gfinv, "vgf2p8affineinvqb $0xa5, %%ymm1, %%ymm0, %%ymm0")

void against_hardware(const char *name, void (*hw)(V *, const V *, const V *), unsigned len,
                      unsigned imm)
{
    TestRng rng(12);
    for (int round = 0; round < 200; round++) {
        V d = {}, a, b, expected = {};
        random_vec(a, rng);
        random_vec(b, rng);
        hw(&expected, &a, &b);
        op(name)->fn(&d, &a, &b, len, imm);
        ASSERT_EQ(hex(&d, len), hex(&expected, len)) << name;
    }
}

}   // namespace

TEST(EmuOps, TheCpusOwnInstructionsAgree)
{
    std::cout << "[ HARDWARE ] AES and CLMUL: " << has_aes() << ", 256-bit: " << has_vaes()
              << ", GFNI: " << has_gfni() << "\n";
    if (has_aes() && cpu(7, 'b', 5)) {
        against_hardware("vaesenc", hw_xenc, 16, 0);
        against_hardware("vaesdec", hw_xdec, 16, 0);
        against_hardware("vpclmulqdq", hw_xclmul, 16, 0x10);
    }
    if (has_vaes()) {
        against_hardware("vaesenc", hw_enc, 32, 0);
        against_hardware("vaesenclast", hw_enclast, 32, 0);
        against_hardware("vaesdec", hw_dec, 32, 0);
        against_hardware("vaesdeclast", hw_declast, 32, 0);
        against_hardware("vpclmulqdq", hw_clmul00, 32, 0x00);
        against_hardware("vpclmulqdq", hw_clmul01, 32, 0x01);
        against_hardware("vpclmulqdq", hw_clmul10, 32, 0x10);
        against_hardware("vpclmulqdq", hw_clmul11, 32, 0x11);
    }
    if (has_gfni()) {
        against_hardware("gf2p8mulb", hw_gfmul, 32, 0);
        against_hardware("gf2p8affineqb", hw_gfaff, 32, 0x5a);
        against_hardware("gf2p8affineinvqb", hw_gfinv, 32, 0xa5);
    }
}

// --- real traps ----------------------------------------------------------------------------------

namespace {

struct Trap : testing::Test {
    V a, b, old;
    unsigned long before = 0;
    bool traps = false;
    void SetUp() override
    {
        if (!cpu(7, 'b', 5)) GTEST_SKIP() << "no AVX2: nothing here can run";
        if (!has_gfni() && !(emu_features() & TY_CPU_GFNI))
            GTEST_SKIP() << "no emulator on this host";
        traps = !has_gfni();
        TestRng rng(14);
        random_vec(a, rng);
        random_vec(b, rng);
        random_vec(old, rng);
        before = emu_count();
    }
    // The lower len bytes of d are gf2p8mulb of a and b, those from len to 31 are those of rest.
    void expect(const V &d, unsigned len, const uint8_t *rest)
    {
        V product = {};
        op("gf2p8mulb")->fn(&product, &a, &b, len, 0);
        std::memcpy(product.b + len, rest + len, 32 - len);
        EXPECT_EQ(hex(&d, 32), hex(&product, 32));
        expect_emulated(1);
    }
    // At least n instructions: those of AVX2 that follow one are emulated, too.
    void expect_emulated(unsigned n)
    {
        EXPECT_EQ(emu_count() - before >= n, traps) << emu_count() - before;
    }
};
const uint8_t zeros[64] = {0};

}   // namespace

TEST_F(Trap, Vex256Registers)
{
    V d;
    __asm__ volatile("vmovdqu (%1), %%ymm9\n vmovdqu (%2), %%ymm14\n vgf2p8mulb %%ymm14, %%ymm9, "
                     "%%ymm3\n vmovdqu %%ymm3, (%0)"
                     :
                     : "r"(&d), "r"(&a), "r"(&b)
                     : "xmm3", "xmm9", "xmm14", "memory");
    expect(d, 32, zeros);
}

TEST_F(Trap, Vex128ClearsTheUpperHalf)
{
    V d;
    __asm__ volatile("vmovdqu (%3), %%ymm13\n vmovdqu (%1), %%ymm2\n vmovdqu (%2), %%ymm4\n "
                     "vgf2p8mulb %%xmm4, %%xmm2, %%xmm13\n"
                     "vmovdqu %%ymm13, (%0)"
                     :
                     : "r"(&d), "r"(&a), "r"(&b), "r"(&old)
                     : "xmm13", "xmm2", "xmm4", "memory");
    expect(d, 16, zeros);
}

TEST_F(Trap, LegacyKeepsTheUpperHalf)
{
    V d;
    __asm__ volatile("vmovdqu (%1), %%ymm11\n vmovdqu (%2), %%ymm4\n gf2p8mulb %%xmm4, %%xmm11\n "
                     "vmovdqu %%ymm11, (%0)"
                     :
                     : "r"(&d), "r"(&a), "r"(&b)
                     : "xmm11", "xmm4", "memory");
    expect(d, 16, a.b);
}

TEST_F(Trap, MemoryOperandAtThePagesEnd)
{
    Guarded m(b.b, 32);
    V d;
    // base + index * 4 + 8-bit displacement, with a high index register
    __asm__ volatile("vmovdqu (%1), %%ymm1\n mov %3, %%r12\n vgf2p8mulb -20(%2,%%r12,4), %%ymm1, "
                     "%%ymm1\n vmovdqu %%ymm1, (%0)"
                     :
                     : "r"(&d), "r"(&a), "r"(m.data()), "r"((uint64_t)5)
                     : "xmm1", "r12", "memory");
    expect(d, 32, zeros);
}

TEST_F(Trap, MemoryThroughRspR12R13AndRip)
{
    static V here;
    V d[4];
    here = b;
    __asm__ volatile(
        "vmovdqu (%1), %%ymm1\n"
        "mov %2, %%r12\n vgf2p8mulb (%%r12), %%ymm1, %%ymm5\n vmovdqu %%ymm5, (%0)\n"
        "lea 512(%2), %%r13\n vgf2p8mulb -512(%%r13), %%ymm1, %%ymm5\n vmovdqu %%ymm5, 64(%0)\n"
        "lea -128(%2), %%r13\n vgf2p8mulb 128(%%r13), %%ymm1, %%ymm5\n vmovdqu %%ymm5, 128(%0)\n"
        "vgf2p8mulb %3, %%ymm1, %%ymm5\n vmovdqu %%ymm5, 192(%0)"
        :
        : "r"(&d[0]), "r"(&a), "r"(&b), "m"(here)
        : "xmm1", "xmm5", "r12", "r13", "memory");
    V product = {};
    op("gf2p8mulb")->fn(&product, &a, &b, 32, 0);
    for (const V &v : d) EXPECT_EQ(hex(&v, 32), hex(&product, 32));
    expect_emulated(4);
}

// An immediate follows a rip-relative displacement.
TEST_F(Trap, AffineWithImmediateAndRip)
{
    static V matrix;
    V d[3], expected = {}, inv = {};
    matrix = b;
    __asm__ volatile(
        "vmovdqu (%1), %%ymm8\n vgf2p8affineqb $0x63, %2, %%ymm8, %%ymm5\n vmovdqu %%ymm5, (%0)\n"
        "vgf2p8affineinvqb $0x1b, %2, %%ymm8, %%ymm15\n vmovdqu %%ymm15, 64(%0)\n"
        "vmovdqu (%1), %%ymm1\n vmovdqu %2, %%ymm0\n gf2p8affineqb $0x63, %%xmm0, %%xmm1\n vmovdqu "
        "%%ymm1, 128(%0)"
        :
        : "r"(&d[0]), "r"(&a), "m"(matrix)
        : "xmm0", "xmm1", "xmm5", "xmm8", "xmm15", "memory");
    op("gf2p8affineqb")->fn(&expected, &a, &b, 32, 0x63);
    op("gf2p8affineinvqb")->fn(&inv, &a, &b, 32, 0x1b);
    EXPECT_EQ(hex(&d[0], 32), hex(&expected, 32));
    EXPECT_EQ(hex(&d[1], 32), hex(&inv, 32));
    std::memcpy(expected.b + 16, a.b + 16, 16);
    EXPECT_EQ(hex(&d[2], 32), hex(&expected, 32));
    expect_emulated(3);
}

TEST_F(Trap, WhatIsNotEmulatedStillKills)
{
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            (void)emu_features();
            __asm__ volatile("ud2");
        },
        testing::KilledBySignal(SIGILL), "");
}

// --- decoding, also of what this CPU could not trap on -------------------------------------------

namespace {

emu_insn decode(const Bytes &code, const std::map<unsigned, uint64_t> &regs = {})
{
    uint64_t gpr[16] = {0};
    for (const auto &[r, v] : regs) gpr[r] = v;
    static Bytes kept;
    kept = code;
    kept.resize(16, 0x90);
    emu_insn i;
    if (!emu_decode(&i, kept.data(), gpr)) i.op = nullptr;
    else EXPECT_EQ(i.next, kept.data() + code.size());
    return i;
}

}   // namespace

TEST(EmuDecode, Evex)
{
    // Encodings as binutils makes them.
    // vgf2p8affineqb zmm17{k7}{z}, zmm16, zmm18, 0x5a, W0: not an encoding
    emu_insn i = decode(unhex("62a37dc7ceca5a"));
    EXPECT_EQ(i.op, nullptr);
    i = decode(unhex("62a3fdc7ceca5a"));                 // the same with W1: vvvv = 16
    ASSERT_NE(i.op, nullptr);
    EXPECT_STREQ(i.op->name, "gf2p8affineqb");
    EXPECT_EQ(i.encoding, (unsigned)EMU_EVEX);
    EXPECT_EQ(i.len, 64u);
    EXPECT_EQ(i.dst, 17u);
    EXPECT_EQ(i.src1, 16u);
    EXPECT_EQ(i.src2, 18u);
    EXPECT_EQ(i.mask, 7u);
    EXPECT_EQ(i.zeroing, 1);
    EXPECT_EQ(i.imm, 0x5Au);
    // vpmadd52luq zmm1, zmm2, [rax+64]: displacement 1 times 64
    i = decode(unhex("62f2ed48b44801"), {{0, 0x1000}});
    ASSERT_NE(i.op, nullptr);
    EXPECT_STREQ(i.op->name, "vpmadd52luq");
    EXPECT_EQ(i.address, 0x1040u);
    EXPECT_EQ(i.broadcast, 0);
    i = decode(unhex("62f2ed58b44801"), {{0, 0x1000}});  // with broadcast: displacement 1 times 8
    ASSERT_NE(i.op, nullptr);
    EXPECT_EQ(i.broadcast, 1);
    EXPECT_EQ(i.address, 0x1008u);
    EXPECT_EQ(decode(unhex("62f27d48fec1")).op, nullptr) << "vpaddd is not in emu_ops";
    EXPECT_EQ(decode(unhex("0f0b")).op, nullptr) << "ud2";
}

#endif
