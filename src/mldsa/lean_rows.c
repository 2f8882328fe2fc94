/* The answer to the challenge, where memory is short: z, w - c s2, and the hint, by rows.
 *
 * Products with c are computed by transforms, or, if there is no room for the transformed c, as
 * sums of windows of s1, s2 and t0 (see add_times). c s1 and c s2 have small coefficients, |x| <
 * 2^8, so that two polynomials share one transform, as a + 2^9 b: |c (a + 2^9 b)| is below q/2, and
 * both products are read from that representative. (Two polynomials in one word: Zheng, He, Shen,
 * Xue, Zhao, ACSAC 2022, for products without transforms.) */
#if !defined(TY_PUBLIC_ONLY)
#include "mldsa/lean_sign.h"

#include "base/ct.h"
#include "base/unroll.h"

#include <string.h>

enum { HALF = 9 };   /* bits of the lower one of two products in a word */

/* --- w ---------------------------------------------------------------------------------------- */

/* constants that the compiler is to keep in registers, not to compute again for every coefficient:
 * q, gamma2 - 1, 2 gamma2, and the factor 2819 or the summand 1 of high_part() in q_mldsa_one.h */
typedef struct rounding {
    int32_t q, below, twice, factor;
} rounding;

static inline rounding rounding_of(int32_t gamma2)
{
    return (rounding){ ty_lean_q(), (int32_t)ty_barrier32((uint32_t)gamma2 - 1),
                       (int32_t)ty_barrier32(2 * (uint32_t)gamma2),
                       (int32_t)ty_barrier32(gamma2 == TY_Q_GAMMA2_88 ? 2819 : 1) };
}

/* split() of q_mldsa_one.h for a loose coefficient, into the form in which w is kept; returns the
 * high part, which is below 64 */
TY_INLINE uint32_t split_one(int32_t *x, int small, const rounding *c)
{
    const int32_t a = *x + (*x >> 31 & c->q);
    const uint32_t y = (uint32_t)(a + c->below);
    const uint32_t high = small ? (y >> 11) * (uint32_t)c->factor >> 18
                                : ((y >> 9) + (uint32_t)c->factor + (y >> 19)) >> 10;
    const int32_t last = ((small ? 43 : 15) - (int32_t)high) >> 31;
    const uint32_t w1 = high & ~(uint32_t)last;
    const uint32_t not_0 = (w1 + 63) & 64;
    *x = a + TY_LEAN_MIDDLE - (int32_t)high * c->twice + last + (int32_t)(not_0 << 16);
    return w1;
}

/* four coefficients, whose high parts have 4 or 6 bits: two or three bytes */
TY_INLINE void split_four(int32_t x[4], uint8_t *w1, int small, const rounding *c)
{
    const unsigned bits = small ? 6 : 4;
    uint32_t word = 0;
    TY_EACH(i, 4) word |= split_one(x + i, small, c) << i * bits;
    TY_EACH(b, bits / 2) w1[b] = (uint8_t)(word >> 8 * b);
}

__attribute__((noinline)) void ty_lean_split_row(int32_t p[TY_AT_LEAST(256)], uint8_t *w1,
                                                 const ty_mldsa_row *row)
{
    const rounding c = rounding_of(row->gamma2);
    const int32_t *const end = p + 256;
    if (row->gamma2 == TY_Q_GAMMA2_88)
        for (; p != end; p += 4, w1 += 3) split_four(p, w1, 1, &c);
    else
        for (; p != end; p += 4, w1 += 2) split_four(p, w1, 0, &c);
}

/* TY_LEAN_PIECE coefficients of row i of w, from `at` on: in place, or unpacked to the piece, from
 * which close_row packs them again */
static int32_t *open_row(ty_lean_signing *g, size_t i, size_t at)
{
    if (g->w) return g->w[i] + at;
    ty_mldsa_best()->unpack_some(g->s.piece, g->packed + TY_LEAN_PACKED * i + at / 8 * 23,
                                 TY_LEAN_PIECE, 23, 0);
    return g->s.piece;
}

static void close_row(ty_lean_signing *g, size_t i, size_t at)
{
    if (g->w) return;
    ty_mldsa_best()->pack_some(g->packed + TY_LEAN_PACKED * i + at / 8 * 23, g->s.piece,
                               TY_LEAN_PIECE, 23, 0);
}

/* w0 + TY_LEAN_MIDDLE */
static inline int32_t low_of(int32_t x) { return x & (TY_LEAN_NOT_0 - 1); }

/* the top bit is set where x is not in (middle - bound, middle + bound) */
static inline uint32_t outside(int32_t x, int32_t middle, int32_t bound)
{
    return (uint32_t)((x - (middle - bound + 1)) | (middle + bound - 1 - x));
}

/* --- Products with c -------------------------------------------------------------------------- */

/* s.p = c s.p, loose */
static void times_challenge(ty_lean_signing *g)
{
    int32_t *const p = g->s.p;
    ty_q_best()->ntt(p);
    ty_q_best()->dot(p, (const ty_q_poly *)p, (const ty_q_poly *)g->c, 1);
    ty_q_best()->intt(p);
}

/* s.p = c times polynomials i and i + 1 of s1 and s2, or i alone */
static void times_pair(ty_lean_signing *g, size_t i, int both)
{
    const ty_mldsa_row *row = g->s.row;
    const uint8_t *in = g->key + ty_lean_s_at(row, i);
    ty_mldsa_best()->unpack(g->s.p, in, row->eta_bits, row->eta);
    in += 32u * row->eta_bits;
    for (size_t at = 0; both && at < 256; at += TY_LEAN_PIECE) {
        ty_mldsa_best()->unpack_some(g->s.piece, in + at / 8 * row->eta_bits, TY_LEAN_PIECE,
                                     row->eta_bits, row->eta);
        TY_LEAN_FOUR for (size_t j = 0; j < TY_LEAN_PIECE; j++)
            g->s.p[at + j] += g->s.piece[j] * (1 << HALF);
    }
    times_challenge(g);
    ty_lean_fold(g->s.p);
}

/* the lower one of the two products in v, or the upper one */
TY_INLINE int32_t part_of(int32_t v, int above)
{
    return above ? (v + (1 << (HALF - 1))) >> HALF
                 : (int32_t)((uint32_t)v << (32 - HALF)) >> (32 - HALF);
}

/* s.e = the negative of polynomial i of s1 and -s2, then the polynomial */
static void unpack_s(ty_lean_signing *g, size_t i)
{
    const ty_mldsa_row *row = g->s.row;
    const uint8_t *in = g->key + ty_lean_s_at(row, i);
    const int32_t sign = i < row->l ? 1 : -1;
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE, in += TY_LEAN_PIECE / 8 * row->eta_bits) {
        ty_mldsa_best()->unpack_some(g->s.piece, in, TY_LEAN_PIECE, row->eta_bits, row->eta);
        for (size_t j = 0; j < TY_LEAN_PIECE; j++) {
            g->s.e[256 + at + j] = (int8_t)(sign * g->s.piece[j]);
            g->s.e[at + j] = (int8_t)-(sign * g->s.piece[j]);
        }
    }
}

/* prepares the product with polynomial i of s1 and s2; pairs begin at even numbers of each
 * vector */
static void prepare_s(ty_lean_signing *g, size_t i)
{
    const ty_mldsa_row *row = g->s.row;
    const size_t j = i < row->l ? i : i - row->l, n = i < row->l ? row->l : row->k;
    if (!g->c) unpack_s(g, i);
    else if (j % 2 == 0) times_pair(g, i, j + 1 < n);
}

/* x = y + c s1, or w0 - c s2, from the product in v; returns the top bit set if one is too large */
TY_INLINE uint32_t combine(int32_t *x, const int32_t *v, int above, int is_w, int32_t bound)
{
    uint32_t large = 0;
    TY_LEAN_FOUR for (size_t i = 0; i < TY_LEAN_PIECE; i++)
    {
        const int32_t product = part_of(v[i], above), sum = is_w ? x[i] - product : x[i] + product;
        x[i] = sum;
        large |= is_w ? outside(low_of(sum), TY_LEAN_MIDDLE, bound) : outside(sum, 0, bound);
    }
    return large;
}

static uint32_t combine_z(int32_t *x, const int32_t *v, int above, int32_t bound)
{
    return above ? combine(x, v, 1, 0, bound) : combine(x, v, 0, 0, bound);
}
static uint32_t combine_w(int32_t *x, const int32_t *v, int above, int32_t bound)
{
    return above ? combine(x, v, 1, 1, bound) : combine(x, v, 0, 1, bound);
}

/* the same by windows of s1 and -s2, without the check */
static void add_windows(int32_t *x, ty_lean_signing *g, size_t at)
{
    for (size_t b = 0; b < TY_LEAN_PIECE; b += 32)
        ty_mldsa_best()->windows(x + b, &g->challenge, g->s.e, at + b, g->s.row->eta);
}

/* --- The parts of the answer ------------------------------------------------------------------ */

/* w0_i - c s2_i in place of w0_i; returns 0 if it is too large */
static __attribute__((noinline)) int take_s2(ty_lean_signing *g, size_t i)
{
    const ty_mldsa_row *row = g->s.row;
    const int32_t bound = row->gamma2 - row->beta;
    uint32_t large = 0;
    prepare_s(g, row->l + i);
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE) {
        int32_t *const x = open_row(g, i, at);
        if (!g->c) {
            add_windows(x, g, at);
            for (size_t j = 0; j < TY_LEAN_PIECE; j++)
                large |= outside(low_of(x[j]), TY_LEAN_MIDDLE, bound);
        } else
            large |= combine_w(x, g->s.p + at, i % 2, bound);
        close_row(g, i, at);
    }
    return !ty_lean_rejected(large >> 31);
}

/* Writes z_j = y_j + c s1_j to the signature; the mask's bytes, if they are not kept, are squeezed
 * to the same place before. Returns 0 if z_j is too large. */
static __attribute__((noinline)) int give_z(ty_lean_signing *g, size_t j)
{
    const ty_mldsa_row *row = g->s.row;
    const int32_t bound = row->gamma1 - row->beta;
    uint8_t *out = g->sig + row->c_len + 32u * row->z_bits * j;
    int32_t *const x = g->s.piece;
    uint32_t large = 0;
    prepare_s(g, j);
    if (j >= g->keeps_masks) ty_lean_stream(&g->s, g->rho, g->kappa + (unsigned)j);
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE, out += TY_LEAN_PIECE / 8 * row->z_bits) {
        const uint8_t *in = ty_lean_mask(g, j, at);
        if (!in) ty_keccak_squeeze(out, 8u * row->z_bits, &g->s.sponge);
        ty_mldsa_best()->unpack_some(x, in ? in : out, TY_LEAN_PIECE, row->z_bits, row->gamma1);
        if (!g->c) {
            add_windows(x, g, at);
            for (size_t i = 0; i < TY_LEAN_PIECE; i++) large |= outside(x[i], 0, bound);
        } else
            large |= combine_z(x, g->s.p + at, j % 2, bound);
        ty_mldsa_best()->pack_some(out, x, TY_LEAN_PIECE, row->z_bits, row->gamma1);
    }
    return !ty_lean_rejected(large >> 31);
}

/* z[8] = the coefficients of c e from `at` on, for e as in add_times, but of |e| <= 2^12 */
static void windows16(int32_t z[8], const ty_mldsa_challenge *c, const int16_t e[512], size_t at)
{
    int32_t z0 = 0, z1 = 0, z2 = 0, z3 = 0, z4 = 0, z5 = 0, z6 = 0, z7 = 0;
    const int16_t *const from = e + 256 + at;
    for (size_t j = 0; j < c->plus; j++) {
        const int16_t *const w = from - c->at[j];
        z0 += w[0], z1 += w[1], z2 += w[2], z3 += w[3], z4 += w[4], z5 += w[5], z6 += w[6],
            z7 += w[7];
    }
    for (size_t j = c->plus; j < c->n; j++) {
        const int16_t *const w = from - c->at[j];
        z0 -= w[0], z1 -= w[1], z2 -= w[2], z3 -= w[3], z4 -= w[4], z5 -= w[5], z6 -= w[6],
            z7 -= w[7];
    }
    z[0] = z0, z[1] = z1, z[2] = z2, z[3] = z3, z[4] = z4, z[5] = z5, z[6] = z6, z[7] = z7;
}

/* polynomial i of t0: its product with c in s.p, or the polynomial in s.e2 for windows16 */
static void prepare_t0(ty_lean_signing *g, size_t i)
{
    const uint8_t *in = g->key + ty_lean_t0_at(g->s.row, i);
    if (g->c) {
        ty_mldsa_best()->unpack(g->s.p, in, 13, TY_LEAN_T0_TOP);
        times_challenge(g);
        return;
    }
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE, in += TY_LEAN_PIECE / 8 * 13) {
        ty_mldsa_best()->unpack_some(g->s.piece, in, TY_LEAN_PIECE, 13, TY_LEAN_T0_TOP);
        for (size_t j = 0; j < TY_LEAN_PIECE; j++) {
            g->s.e2[256 + at + j] = (int16_t)g->s.piece[j];
            g->s.e2[at + j] = (int16_t)-g->s.piece[j];
        }
    }
}

/* The hint of n coefficients x of w, 8 in a byte, for c t0 = `add`, not yet folded; sets the top
 * bit of *large if c t0 is too large. A bit is set if the low part plus c t0 leaves its interval
 * (see hint_bit). Not inlined, so that its variables stay in registers; `out` may be `x`. */
static __attribute__((noinline)) void hint_some(uint8_t *out, uint32_t *large, const int32_t *x,
                                                const int32_t *add, size_t n, int32_t gamma2)
{
    const int32_t most = TY_LEAN_MIDDLE + gamma2, least = TY_LEAN_MIDDLE - gamma2;
    const int32_t q = ty_lean_q(), bound = (int32_t)ty_barrier32((uint32_t)gamma2 - 1);
    uint32_t over = 0;
    for (const int32_t *const end = x + n; x != end;) {
        uint32_t bits = 0;
        TY_LEAN_FOUR for (size_t i = 0; i < 8; i++)
        {
            const int32_t t = ty_lean_fold_one(*add++, q), w = *x++;
            const int32_t moved = low_of(w) + t;
            over |= (uint32_t)((t + bound) | (bound - t));
            const int32_t out_of_it = (most - moved) | (moved - least - (w >> 22));
            bits = bits >> 1 | ((uint32_t)out_of_it & 1u << 31);
        }
        *out++ = (uint8_t)(bits >> 24);
    }
    *large |= over;
}

/* the bits of row i, in the place of its first coefficients */
static uint8_t *hint_bits(const ty_lean_signing *g, size_t i)
{
    return g->w ? (uint8_t *)g->w[i] : g->packed + TY_LEAN_PACKED * i;
}

/* how many bits of 32 bytes are set */
static uint32_t weight(const uint8_t *bits)
{
    uint32_t count = 0;
    for (size_t i = 0; i < 32; i++) {
        uint32_t x = bits[i];
        x -= x >> 1 & 0x55;
        x = (x & 0x33) + (x >> 2 & 0x33);
        count += (x + (x >> 4)) & 15;
    }
    return count;
}

/* the hint of row i, 256 bits, in place of w_i; returns how many are set; the top bit of *large is
 * set if c t0 is too large */
static __attribute__((noinline)) uint32_t make_hint(ty_lean_signing *g, size_t i, uint32_t *large)
{
    const int32_t gamma2 = g->s.row->gamma2;
    uint8_t *const out = hint_bits(g, i);      /* writes stay behind reads */
    int32_t product[8];
    prepare_t0(g, i);
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE) {
        const int32_t *const x = open_row(g, i, at);
        if (g->c) hint_some(out + at / 8, large, x, g->s.p + at, TY_LEAN_PIECE, gamma2);
        for (size_t b = 0; !g->c && b < TY_LEAN_PIECE; b += 8) {
            windows16(product, &g->challenge, g->s.e2, at + b);
            hint_some(out + (at + b) / 8, large, x + b, product, 8, gamma2);
        }
    }
    return weight(out);
}

/* as ty_mldsa_hint_pack, from the bits where make_hint left them */
static void give_hint(ty_lean_signing *g)
{
    const ty_mldsa_row *row = g->s.row;
    uint8_t *const out = g->sig + row->c_len + 32u * row->z_bits * row->l;
    size_t n = 0;
    memset(out, 0, (size_t)row->omega + row->k);
    for (size_t i = 0; i < row->k; i++) {
        uint8_t *const bits = hint_bits(g, i);
        /* the attempt was accepted: the hint is in the signature */
        TY_PUBLIC(bits, 32);
        for (size_t j = 0; j < 32; j++)
            for (size_t b = 0, left = bits[j]; left; b++, left >>= 1)
                if (left & 1) out[n++] = (uint8_t)(8 * j + b);
        out[row->omega + i] = (uint8_t)n;
    }
}

void ty_lean_challenged(ty_lean_signing *g)
{
    TY_PUBLIC(g->sig, g->s.row->c_len);        /* a hash */
    ty_lean_challenge_vt(&g->challenge, &g->s, g->sig);
    if (!g->c) return;
    ty_mldsa_challenge_poly(g->c, &g->challenge, 1);
    ty_q_best()->ntt(g->c);
}

__attribute__((noinline)) int ty_lean_answer(ty_lean_signing *g)
{
    const ty_mldsa_row *row = g->s.row;
    uint32_t hints = 0, large = 0;
    for (size_t i = 0; i < row->k; i++)
        if (!take_s2(g, i)) return 0;
    for (size_t j = 0; j < row->l; j++)
        if (!give_z(g, j)) return 0;
    for (size_t i = 0; i < row->k; i++) {
        hints += make_hint(g, i, &large);
        if (ty_lean_rejected(large >> 31)) return 0;
    }
    if (ty_lean_rejected(hints > row->omega)) return 0;
    give_hint(g);
    TY_PUBLIC(g->sig, row->sig_len);
    return 1;
}
#else
typedef int ty_mldsa_lean_rows_is_empty;   /* ISO C requires a declaration in every file */
#endif
