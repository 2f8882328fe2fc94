/* Keccak-f[1600] for machines with 32-bit words, and the tier list.
 *
 * Bit interleaving: a word is kept as its even bits and its odd bits, 32 each. A rotation by 2k
 * then rotates both halves by k, and one by 2k + 1 also exchanges them: two rotations of 32 bits
 * instead of four shifts and two ORs. The state is converted to this form and back in every call,
 * which takes a fifteenth of the time.
 *
 * bound: 2 x 130 operations a round, 6240. Measured on i686: 5000 core cycles; 6000 without
 * interleaving. */
#include "keccak/keccak.h"
#include "base/bytes.h"
#include "base/unroll.h"
#include "base/vec.h"
#include "keccak/keccak_halves.h"

#include <string.h>

/* FIPS 202, 3.2.5: bit 2^j - 1 of constant i is bit 7 i + j of the sequence of x^8 + x^6 + x^5 +
 * x^4 + 1. */
const uint64_t ty_keccak_rc[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

/* the same, interleaved */
static const halves rc_halves[24] = {
    { 0x00000001, 0x00000000 }, { 0x00000000, 0x00000089 }, { 0x00000000, 0x8000008b },
    { 0x00000000, 0x80008080 }, { 0x00000001, 0x0000008b }, { 0x00000001, 0x00008000 },
    { 0x00000001, 0x80008088 }, { 0x00000001, 0x80000082 }, { 0x00000000, 0x0000000b },
    { 0x00000000, 0x0000000a }, { 0x00000001, 0x00008082 }, { 0x00000000, 0x00008003 },
    { 0x00000001, 0x0000808b }, { 0x00000001, 0x8000000b }, { 0x00000001, 0x8000008a },
    { 0x00000001, 0x80000081 }, { 0x00000000, 0x80000081 }, { 0x00000000, 0x80000008 },
    { 0x00000000, 0x00000083 }, { 0x00000000, 0x80008003 }, { 0x00000001, 0x80008088 },
    { 0x00000000, 0x80000088 }, { 0x00000001, 0x00008000 }, { 0x00000000, 0x80008082 },
};

static inline halves rol(halves x, unsigned n)
{
    if (n % 2) return (halves){ rotl(x.o, n / 2 + 1), rotl(x.e, n / 2) };
    return (halves){ rotl(x.e, n / 2), rotl(x.o, n / 2) };
}

TY_INLINE halves add_halves(halves x, halves y) { return (halves){ x.e ^ y.e, x.o ^ y.o }; }
TY_INLINE halves parity_halves(const halves *a, size_t stride)
{
    return add_halves(add_halves(add_halves(a[0], a[5 * stride]),
                                 add_halves(a[10 * stride], a[15 * stride])),
                      a[20 * stride]);
}
TY_INLINE halves add_rol_halves(halves x, halves y, int n)
{
    return rol(add_halves(x, y), (unsigned)n);
}
TY_INLINE halves add_rol1_halves(halves x, halves y) { return add_halves(x, rol(y, 1)); }
TY_INLINE halves chi_halves(halves x, halves y, halves z)
{
    return (halves){ x.e ^ (~y.e & z.e), x.o ^ (~y.o & z.o) };
}
TY_INLINE halves constant_halves(int i) { return rc_halves[i]; }
TY_INLINE void pin_halves(void) { }

#define V halves
#include "keccak/keccak_round.h"

static void ty_keccak_f1600_c(uint64_t a[TY_AT_LEAST(25)])
{
    halves h[25];
    for (int i = 0; i < 25; i++) h[i] = apart(a[i]);
    permute_halves(h);
    for (int i = 0; i < 25; i++) a[i] = together(h[i]);
    ty_wipe(h, sizeof h);
}

void ty_keccak_add_c(uint64_t s[TY_AT_LEAST(25)], size_t at, const uint8_t *in, size_t words)
{
    for (size_t i = 0; i < words; i++) s[at + i] ^= ty_get64le(in + 8 * i);
}

void ty_keccak_get_c(uint8_t *out, const uint64_t s[TY_AT_LEAST(25)], size_t at, size_t words)
{
    for (size_t i = 0; i < words; i++) ty_put64le(out + 8 * i, s[at + i]);
}

/* Three words are eight numbers of 3 bytes, without the top bit: appends to out[0..n) those below
 * `end`; returns the new n. Each is written, but counted only if it is below `end`. */
static inline size_t take8(int32_t *out, size_t n, uint64_t u, uint64_t v, uint64_t w, int32_t end)
{
    const uint32_t in[6] = { (uint32_t)u, (uint32_t)(u >> 32), (uint32_t)v,
                             (uint32_t)(v >> 32), (uint32_t)w, (uint32_t)(w >> 32) };
    for (size_t i = 0; i < 6; i += 3) {
        const uint32_t x[4] = { in[i], in[i] >> 24 | in[i + 1] << 8,
                                in[i + 1] >> 16 | in[i + 2] << 16, in[i + 2] >> 8 };
        for (size_t j = 0; j < 4; j++) {
            out[n] = (int32_t)(x[j] & 0x7fffff);
            n += out[n] < end;
        }
    }
    return n;
}

size_t ty_keccak_sample_vt_c(int32_t *out, const uint64_t s[TY_AT_LEAST(25)], int32_t end)
{
    size_t n = 0;
    for (size_t i = 0; i < TY_SHAKE128_BLOCK / 8; i += 3)
        n = take8(out, n, s[i], s[i + 1], s[i + 2], end);
    return n;
}

static inline void ty_keccak_permute_c(uint64_t s[TY_AT_LEAST(25)]) { ty_keccak_f1600_c(s); }

#define TY_LEVEL c
#include "base/level_begin.h"
#include "keccak/keccak_narrow.h"
#include "base/level_end.h"

const ty_keccak_ops ty_keccak_ops_c = { ty_keccak_f1600_c,
                                        ty_keccak_f1600_x4_c,
                                        ty_keccak_f1600_x8_c,
                                        ty_keccak_f1600_c,
                                        ty_keccak_add_c,
                                        ty_keccak_get_c,
                                        ty_keccak_sample_vt_c,
                                        ty_keccak_f1600_x4_x1_c,
                                        ty_keccak_f1600_x8_x1_c,
                                        ty_keccak_give_x4_c,
                                        4 };
TY_FAMILY_ROWS(keccak, TY_KECCAK_TIERS);
