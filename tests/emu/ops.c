/* What the emulated instructions compute, after the pseudo-code of Intel's Software Developer's
 * Manual, volume 2. */
#include "ops.h"

#if defined(__x86_64__)
#include <string.h>

/* --- bytes of the AES field ------------------------------------------------------------------- */

static uint8_t gf_mul(uint8_t a, uint8_t b)
{
    uint8_t r = 0;
    for (; b; b >>= 1) {
        if (b & 1) r ^= a;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
    }
    return r;
}

static uint8_t gf_inverse(uint8_t a)       /* a^254, which is 0 for 0 */
{
    uint8_t r = 1;
    for (int i = 7; i >= 0; i--) {
        r = gf_mul(r, r);
        if (i) r = gf_mul(r, a);           /* 254 = 11111110 */
    }
    return r;
}

static uint8_t rol8(uint8_t x, unsigned n) { return (uint8_t)(x << n | x >> (8 - n)); }
static uint32_t rol32(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

/* bit i of the result is the parity of x with byte 7 - i of the matrix, plus bit i of the
 * immediate */
static uint8_t gf_affine(uint64_t matrix, uint8_t x, unsigned imm)
{
    uint8_t r = (uint8_t)imm;
    for (int i = 0; i < 8; i++)
        r ^= (uint8_t)(__builtin_parity((uint8_t)(matrix >> 8 * (7 - i)) & x) << i);
    return r;
}

static void gf2p8mulb(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    (void)imm;
    for (unsigned i = 0; i < len; i++) d->b[i] = gf_mul(a->b[i], b->b[i]);
}

static void gf2p8affineqb(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len,
                          unsigned imm)
{
    for (unsigned i = 0; i < len; i++) d->b[i] = gf_affine(b->q[i / 8], a->b[i], imm);
}

static void gf2p8affineinvqb(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len,
                             unsigned imm)
{
    for (unsigned i = 0; i < len; i++) d->b[i] = gf_affine(b->q[i / 8], gf_inverse(a->b[i]), imm);
}

/* --- AES rounds on each 16 bytes -------------------------------------------------------------- */

static uint8_t aes_sub(uint8_t x)
{
    x = gf_inverse(x);
    return x ^ rol8(x, 1) ^ rol8(x, 2) ^ rol8(x, 3) ^ rol8(x, 4) ^ 0x63;
}

static uint8_t aes_unsub(uint8_t x)
{
    return gf_inverse(rol8(x, 1) ^ rol8(x, 3) ^ rol8(x, 6) ^ 0x05);
}

static void mix(uint8_t t[16], const uint8_t row[4])
{
    uint8_t m[16];
    for (int i = 0; i < 16; i++) {
        m[i] = 0;
        for (int j = 0; j < 4; j++) m[i] ^= gf_mul(t[(i & 12) + j], row[(j - i) & 3]);
    }
    memcpy(t, m, 16);
}

/* ShiftRows moves byte i + 4 (i mod 4) to i, its inverse byte i - 4 (i mod 4). row: the first of
 * MixColumns' matrix, or NULL in a last round */
static void aes_round(uint8_t *d, const uint8_t *x, const uint8_t *key, int decrypt,
                      const uint8_t *row)
{
    uint8_t t[16];
    for (int i = 0; i < 16; i++) {
        const int from = (decrypt ? i - 4 * (i & 3) : i + 4 * (i & 3)) & 15;
        t[i] = decrypt ? aes_unsub(x[from]) : aes_sub(x[from]);
    }
    if (row) mix(t, row);
    for (int i = 0; i < 16; i++) d[i] = t[i] ^ key[i];
}

static const uint8_t mix_row[4] = { 2, 3, 1, 1 }, unmix_row[4] = { 14, 11, 13, 9 };

#    define AES(name, decrypt, row)                                                                \
        static void name(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len,             \
                         unsigned imm)                                                             \
        {                                                                                          \
            (void)imm;                                                                             \
            for (unsigned i = 0; i < len; i += 16)                                                 \
                aes_round(d->b + i, a->b + i, b->b + i, decrypt, row);                             \
        }
AES(vaesenc, 0, mix_row)
AES(vaesenclast, 0, NULL)
AES(vaesdec, 1, unmix_row)
AES(vaesdeclast, 1, NULL)

/* --- carry-less and 52-bit products ----------------------------------------------------------- */

static void vpclmulqdq(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    for (unsigned lane = 0; lane < len / 8; lane += 2) {
        const uint64_t x = a->q[lane + (imm & 1)], y = b->q[lane + (imm >> 4 & 1)];
        uint64_t lo = 0, hi = 0;
        for (int i = 0; i < 64; i++) {
            if (!(y >> i & 1)) continue;
            lo ^= x << i;
            if (i) hi ^= x >> (64 - i);
        }
        d->q[lane] = lo;
        d->q[lane + 1] = hi;
    }
}

__extension__ typedef unsigned __int128 u128;
static const uint64_t low52 = ((uint64_t)1 << 52) - 1;

static void vpmadd52luq(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    (void)imm;
    for (unsigned i = 0; i < len / 8; i++)
        d->q[i] += (uint64_t)((u128)(a->q[i] & low52) * (b->q[i] & low52)) & low52;
}

static void vpmadd52huq(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    (void)imm;
    for (unsigned i = 0; i < len / 8; i++)
        d->q[i] += (uint64_t)((u128)(a->q[i] & low52) * (b->q[i] & low52) >> 52);
}

/* --- SM4 rounds, four at a time --------------------------------------------------------------- */

static uint8_t sm4_affine(uint8_t x)
{
    uint8_t r = 0xd3;
    for (unsigned i = 0; i < 8; i++) r ^= (uint8_t)(__builtin_parity(rol8(0xa7, i) & x) << i);
    return r;
}

static uint8_t sm4_mul(uint8_t a, uint8_t b)
{
    uint8_t r = 0;
    for (; b; b >>= 1) {
        if (b & 1) r ^= a;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0xf5 : 0));
    }
    return r;
}

static uint8_t sm4_sub(uint8_t x)
{
    const uint8_t a = sm4_affine(x);
    uint8_t inverse = 0;
    for (unsigned y = 1; y < 256; y++)
        if (sm4_mul(a, (uint8_t)y) == 1) inverse = (uint8_t)y;
    return sm4_affine(inverse);
}

static uint32_t sm4_tau(uint32_t x)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i += 8) r |= (uint32_t)sm4_sub((uint8_t)(x >> i)) << i;
    return r;
}

static uint32_t sm4_l(uint32_t b)
{
    return b ^ rol32(b, 2) ^ rol32(b, 10) ^ rol32(b, 18) ^ rol32(b, 24);
}
static uint32_t sm4_l_key(uint32_t b) { return b ^ rol32(b, 13) ^ rol32(b, 23); }

static void sm4_four(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len,
                     uint32_t (*l)(uint32_t))
{
    for (unsigned lane = 0; lane < len / 4; lane += 4) {
        uint32_t x[4];
        memcpy(x, a->d + lane, 16);
        for (unsigned i = 0; i < 4; i++)
            x[i] ^= l(sm4_tau(x[(i + 1) & 3] ^ x[(i + 2) & 3] ^ x[(i + 3) & 3] ^ b->d[lane + i]));
        memcpy(d->d + lane, x, 16);
    }
}

static void vsm4rnds4(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    (void)imm;
    sm4_four(d, a, b, len, sm4_l);
}

static void vsm4key4(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    (void)imm;
    sm4_four(d, a, b, len, sm4_l_key);
}

/* --- permutations and shifts of AVX-512 VBMI and VBMI2 ---------------------------------------- */

static void vpermb(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    (void)imm;
    emu_vec r;
    for (unsigned i = 0; i < len; i++) r.b[i] = b->b[a->b[i] & (len - 1)];
    memcpy(d, &r, len);
}

/* index: bit log2(len) chooses between two sources */
static void choose(emu_vec *d, const emu_vec *index, const emu_vec *first, const emu_vec *second,
                   unsigned len)
{
    emu_vec r;
    for (unsigned i = 0; i < len; i++)
        r.b[i] = (index->b[i] & len ? second : first)->b[index->b[i] & (len - 1)];
    memcpy(d, &r, len);
}

static void vpermi2b(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    (void)imm;
    choose(d, d, a, b, len);
}

static void vpermt2b(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    (void)imm;
    choose(d, a, d, b, len);
}

static uint64_t rotr64(uint64_t x, unsigned n) { return n ? x >> n | x << (64 - n) : x; }

static void vpmultishiftqb(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len,
                           unsigned imm)
{
    (void)imm;
    for (unsigned i = 0; i < len; i++) d->b[i] = (uint8_t)rotr64(b->q[i / 8], a->b[i] & 63);
}

static uint64_t shld(uint64_t hi, uint64_t lo, unsigned n)
{
    return n ? hi << n | lo >> (64 - n) : hi;
}
static uint64_t shrd(uint64_t lo, uint64_t hi, unsigned n)
{
    return n ? lo >> n | hi << (64 - n) : lo;
}

static void vpshldq(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    for (unsigned i = 0; i < len / 8; i++) d->q[i] = shld(a->q[i], b->q[i], imm & 63);
}

static void vpshrdq(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    for (unsigned i = 0; i < len / 8; i++) d->q[i] = shrd(a->q[i], b->q[i], imm & 63);
}

static void vpopcntq(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
{
    (void)a;
    (void)imm;
    for (unsigned i = 0; i < len / 8; i++) d->q[i] = (uint64_t)__builtin_popcountll(b->q[i]);
}

#define ANY (EMU_LEGACY | EMU_VEX | EMU_EVEX)
#define AVX (EMU_VEX | EMU_EVEX)
const emu_op emu_ops[] = {
    { "gf2p8mulb", EMU_0F38, EMU_66, 0xcf, EMU_W0, ANY, 1, 0, gf2p8mulb, EMU_RVM, 0, 0, 0 },
    { "gf2p8affineqb", EMU_0F3A, EMU_66, 0xce, EMU_W1, ANY, 1, 8, gf2p8affineqb, EMU_RVM, 0, 0, 0 },
    { "gf2p8affineinvqb", EMU_0F3A, EMU_66, 0xcf, EMU_W1, ANY, 1, 8, gf2p8affineinvqb, EMU_RVM, 0,
      0, 0 },
    { "vaesenc", EMU_0F38, EMU_66, 0xdc, EMU_WIG, AVX, 0, 0, vaesenc, EMU_RVM, 0, 0, 0 },
    { "vaesenclast", EMU_0F38, EMU_66, 0xdd, EMU_WIG, AVX, 0, 0, vaesenclast, EMU_RVM, 0, 0, 0 },
    { "vaesdec", EMU_0F38, EMU_66, 0xde, EMU_WIG, AVX, 0, 0, vaesdec, EMU_RVM, 0, 0, 0 },
    { "vaesdeclast", EMU_0F38, EMU_66, 0xdf, EMU_WIG, AVX, 0, 0, vaesdeclast, EMU_RVM, 0, 0, 0 },
    { "vpclmulqdq", EMU_0F3A, EMU_66, 0x44, EMU_WIG, AVX, 0, 0, vpclmulqdq, EMU_RVM, 0, 0, 0 },
    { "vpmadd52luq", EMU_0F38, EMU_66, 0xb4, EMU_W1, AVX, 8, 8, vpmadd52luq, EMU_RVM, 0, 0, 0 },
    { "vpmadd52huq", EMU_0F38, EMU_66, 0xb5, EMU_W1, AVX, 8, 8, vpmadd52huq, EMU_RVM, 0, 0, 0 },
    { "vsm4key4", EMU_0F38, EMU_F3, 0xda, EMU_W0, EMU_VEX, 0, 0, vsm4key4, EMU_RVM, 0, 0, 0 },
    { "vsm4rnds4", EMU_0F38, EMU_F2, 0xda, EMU_W0, EMU_VEX, 0, 0, vsm4rnds4, EMU_RVM, 0, 0, 0 },
    { "vpermb", EMU_0F38, EMU_66, 0x8d, EMU_W0, EMU_EVEX, 1, 0, vpermb, EMU_RVM, 0, 0, 0 },
    { "vpermi2b", EMU_0F38, EMU_66, 0x75, EMU_W0, EMU_EVEX, 1, 0, vpermi2b, EMU_RVM, 0, 0, 0 },
    { "vpermt2b", EMU_0F38, EMU_66, 0x7d, EMU_W0, EMU_EVEX, 1, 0, vpermt2b, EMU_RVM, 0, 0, 0 },
    { "vpmultishiftqb", EMU_0F38, EMU_66, 0x83, EMU_W1, EMU_EVEX, 1, 8, vpmultishiftqb, EMU_RVM, 0,
      0, 0 },
    { "vpshldq", EMU_0F3A, EMU_66, 0x71, EMU_W1, EMU_EVEX, 8, 8, vpshldq, EMU_RVM, 0, 0, 0 },
    { "vpshrdq", EMU_0F3A, EMU_66, 0x73, EMU_W1, EMU_EVEX, 8, 8, vpshrdq, EMU_RVM, 0, 0, 0 },
    { "vpopcntq", EMU_0F38, EMU_66, 0x55, EMU_W1, EMU_EVEX, 8, 8, vpopcntq, EMU_RVM, 0, 0, 0 },
    { 0 }
};

const emu_op *const emu_op_lists[] = { emu_ops, emu_ops_avx512, emu_ops_vex, NULL };
#endif
