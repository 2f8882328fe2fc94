/* Signing where memory is short (FIPS 204, algorithm 7), with the signatures of sign.c byte for
 * byte.
 *
 * w = A y is made by columns: a mask is sampled, transformed and multiplied by its column of A, so
 * that it need not be kept, and k packed polynomials take the sums. Of what TY_MLDSA_RAM leaves
 * beyond these, 736 bytes each keep a polynomial of A over the attempts, the first ones by columns;
 * the others are sampled again. What is left even then keeps the bytes of masks until the attempt
 * ends; the other masks are sampled once more for z = y + c s1, if the attempt comes so far.
 *
 * w - c s2 takes the place of w. Where its low part is below gamma2 - beta, its high part is w1, so
 * that low(w - c s2) = w0 - c s2 is what the hint needs, and w1 need not be kept either.
 *
 * z is written where it belongs, polynomial by polynomial: until the call returns, sig may hold a
 * part of an answer that is rejected after all, which is secret. What becomes public is said in
 * sign.c. */
#if !defined(TY_PUBLIC_ONLY)
#include "mldsa/lean.h"
#include "mldsa/lean_ram.h"

#include "base/ct.h"
#include "base/wipe.h"
#include "mod/q_mldsa_one.h"

#include <string.h>

enum { ATTEMPTS = 814 };   /* FIPS 204, appendix C */

typedef struct signing {
    ty_lean s;
    ty_mldsa_challenge challenge;
    uint8_t rho[64];                           /* rho'' of algorithm 7 */
    const uint8_t *key, *mu;
    /* w: k packed polynomials; masks: the bytes of so many; kept: so many of A, by columns */
    uint8_t *sig, *w, *masks, *kept;
    size_t keeps_masks, keeps;
    unsigned kappa;                            /* number of the first mask of this attempt */
} signing;

static int lean_rejected(uint32_t large)
{
    /* which check rejects an attempt is public: sign.c says why */
    TY_PUBLIC(&large, sizeof large);
    return large != 0;
}

/* where the bytes of coefficients `at` and on of mask j are kept, or NULL */
static uint8_t *kept_mask(const signing *g, size_t j, size_t at)
{
    const size_t bits = g->s.row->z_bits;
    return j < g->keeps_masks ? g->masks + 32u * bits * j + at / 8 * bits : NULL;
}

/* 64 coefficients of mask j, in the piece: from its bytes where they are kept, else from its
 * stream, whose bytes then are behind s.e */
static void next_mask(signing *g, size_t j, size_t at)
{
    const ty_mldsa_row *row = g->s.row;
    uint8_t *bytes = kept_mask(g, j, at);
    if (!bytes) {
        bytes = g->s.bytes + 512;
        ty_keccak_squeeze(bytes, 8u * row->z_bits, &g->s.sponge);
    }
    ty_mldsa_best()->unpack_some(g->s.piece, bytes, TY_LEAN_PIECE, row->z_bits, row->gamma1);
}

/* mask j, transformed, in s.p */
static void sample_mask(signing *g, size_t j)
{
    const ty_mldsa_row *row = g->s.row;
    ty_lean_stream(&g->s, g->rho, g->kappa + (unsigned)j);
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE) {
        uint8_t *bytes = kept_mask(g, j, at);
        if (!bytes) bytes = (uint8_t *)g->s.piece;
        ty_keccak_squeeze(bytes, 8u * row->z_bits, &g->s.sponge);
        ty_mldsa_best()->unpack_some(g->s.p + at, bytes, TY_LEAN_PIECE, row->z_bits, row->gamma1);
    }
    ty_q_best()->ntt(g->s.p);
}

/* w_i += A_ij y_j, from what is kept, or sampled and then perhaps kept */
static void add_product(signing *g, size_t i, size_t j, int first)
{
    const size_t number = j * g->s.row->k + i;
    uint8_t *const kept = number < g->keeps ? g->kept + TY_LEAN_PACKED * number : NULL;
    uint8_t *const w = g->w + TY_LEAN_PACKED * i;
    if (first || !kept) {
        const ty_lean_use use = { NULL, w, g->s.p, kept };
        ty_lean_sample_a(&g->s, g->key, i, j, &use);
        return;
    }
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE) {
        ty_mldsa_best()->unpack_some(g->s.piece, kept + at / 8 * 23, TY_LEAN_PIECE, 23, 0);
        ty_mldsa_best()->times_packed(w + at / 8 * 23, g->s.piece, g->s.p + at, TY_LEAN_PIECE);
    }
}

/* the rows of w, canonical, and the challenge of their high parts, whose hash begins the
 * signature */
static void lean_challenge(signing *g)
{
    static const uint32_t no_hint[8];
    const ty_mldsa_row *row = g->s.row;
    uint8_t *const w1 = (uint8_t *)g->s.piece;
    ty_keccak_start(&g->s.sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(&g->s.sponge, g->mu, TY_MLDSA_MU_LEN);
    for (size_t i = 0; i < row->k; i++) {
        uint8_t *const w = g->w + TY_LEAN_PACKED * i;
        ty_mldsa_best()->unpack_some(g->s.p, w, 256, 23, 0);
        ty_q_best()->intt(g->s.p);
        for (size_t j = 0; j < 256; j++) g->s.p[j] = canon(g->s.p[j]);
        ty_mldsa_best()->pack_some(w, g->s.p, 256, 23, 0);
        ty_q_best()->use_hint(g->s.p, g->s.p, no_hint, row->gamma2);   /* the high part */
        ty_mldsa_best()->pack(w1, g->s.p, row->w1_bits, 0);
        ty_keccak_absorb(&g->s.sponge, w1, 32u * row->w1_bits);
    }
    ty_keccak_squeeze(g->sig, row->c_len, &g->s.sponge);
    TY_PUBLIC(g->sig, row->c_len);             /* a hash */
    ty_lean_challenge_vt(&g->challenge, &g->s, g->sig);
}

/* s.e = polynomial i of s1 and -s2, and before it its negative */
static void unpack_s(signing *g, size_t i)
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

/* 32 coefficients of w - c s2, canonical; the top bit is set where a low part is bound or more */
static inline uint32_t low_parts(int32_t x[32], int32_t gamma2, int32_t bound)
{
    uint32_t large = 0;
    for (size_t i = 0; i < 32; i++) {
        int32_t low;
        x[i] = canon(canon(x[i]) - TY_Q);      /* -240 < x < q + 240 */
        (void)split(&low, x[i], gamma2);
        large |= beyond(low, bound);
    }
    return large >> 31;
}

/* w_i = w_i - c s2_i; 0 where its low part is too large */
static int take_s2(signing *g, size_t i)
{
    const ty_mldsa_row *row = g->s.row;
    const ty_mldsa_ops *bytes = ty_mldsa_best();
    int32_t *const x = g->s.piece;
    uint32_t large = 0;
    unpack_s(g, row->l + i);
    for (size_t at = 0; at < 256; at += 32) {
        uint8_t *const w = g->w + TY_LEAN_PACKED * i + at / 8 * 23;
        bytes->unpack_some(x, w, 32, 23, 0);
        bytes->windows(x, &g->challenge, g->s.e, at, row->eta);
        large |= row->gamma2 == TY_Q_GAMMA2_88
                   ? low_parts(x, TY_Q_GAMMA2_88, row->gamma2 - row->beta)
                   : low_parts(x, TY_Q_GAMMA2_32, row->gamma2 - row->beta);
        bytes->pack_some(w, x, 32, 23, 0);
    }
    return !lean_rejected(large);
}

/* z_j = y_j + c s1_j in the signature; 0 where it is too large */
static int give_z(signing *g, size_t j)
{
    const ty_mldsa_row *row = g->s.row;
    uint8_t *out = g->sig + row->c_len + 32u * row->z_bits * j;
    uint32_t large = 0;
    unpack_s(g, j);
    if (j >= g->keeps_masks) ty_lean_stream(&g->s, g->rho, g->kappa + (unsigned)j);
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE, out += TY_LEAN_PIECE / 8 * row->z_bits) {
        next_mask(g, j, at);
        for (size_t b = 0; b < TY_LEAN_PIECE; b += 32)
            ty_mldsa_best()->windows(g->s.piece + b, &g->challenge, g->s.e, at + b, row->eta);
        for (size_t i = 0; i < TY_LEAN_PIECE; i++)
            large |= beyond(g->s.piece[i], row->gamma1 - row->beta);
        ty_mldsa_best()->pack_some(out, g->s.piece, TY_LEAN_PIECE, row->z_bits, row->gamma1);
    }
    return !lean_rejected(large >> 31);
}

/* z[8] = coefficients at and on of c e, e as windows has it, of 13 bits and a sign */
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

static void unpack_t0(signing *g, size_t i)
{
    const ty_mldsa_row *row = g->s.row;
    const uint8_t *in = g->key + ty_lean_t0_at(row, i);
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE, in += TY_LEAN_PIECE / 8 * 13) {
        ty_mldsa_best()->unpack_some(g->s.piece, in, TY_LEAN_PIECE, 13, TY_LEAN_T0_TOP);
        for (size_t j = 0; j < TY_LEAN_PIECE; j++) {
            g->s.e2[256 + at + j] = (int16_t)g->s.piece[j];
            g->s.e2[at + j] = (int16_t)-g->s.piece[j];
        }
    }
}

/* The hint of eight coefficients x = w - c s2 with c t0 = add: bits from below; sets the top bit of
 * large where c t0 is too large. The low part, moved by c t0, leaves its interval (see
 * hint_bit). */
static inline uint32_t hint8(uint32_t *large, const int32_t x[8], const int32_t add[8],
                             int32_t gamma2)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < 8; i++) {
        int32_t low;
        const int32_t high = split(&low, x[i], gamma2);
        *large |= beyond(add[i], gamma2);
        bits |= hint_bit(high, low + add[i], gamma2) << i;
    }
    return bits;
}

/* the hint of row i, 256 bits, in place of w_i; returns how many are set; 1 in *large where c t0 is
 * too large */
static uint32_t make_hint(signing *g, size_t i, uint32_t *large)
{
    const ty_mldsa_row *row = g->s.row;
    uint8_t *const w = g->w + TY_LEAN_PACKED * i;
    int32_t *const x = g->s.piece, *const add = g->s.piece + 8;
    uint32_t count = 0, top = 0;
    unpack_t0(g, i);
    for (size_t at = 0; at < 256; at += 8) {
        ty_mldsa_best()->unpack_some(x, w + at / 8 * 23, 8, 23, 0);
        windows16(add, &g->challenge, g->s.e2, at);
        const uint32_t bits = row->gamma2 == TY_Q_GAMMA2_88 ? hint8(&top, x, add, TY_Q_GAMMA2_88)
                                                            : hint8(&top, x, add, TY_Q_GAMMA2_32);
        for (size_t b = 0; b < 8; b++) count += bits >> b & 1;
        w[at / 8] = (uint8_t)bits;             /* behind what is still to be read */
    }
    *large |= top >> 31;
    return count;
}

/* as ty_mldsa_hint_pack, from the bits where make_hint left them */
static void give_hint(signing *g)
{
    const ty_mldsa_row *row = g->s.row;
    uint8_t *const out = g->sig + row->c_len + 32u * row->z_bits * row->l;
    size_t n = 0;
    memset(out, 0, (size_t)row->omega + row->k);
    for (size_t i = 0; i < row->k; i++) {
        uint8_t *const bits = g->w + TY_LEAN_PACKED * i;
        /* the attempt was accepted: the hint is in the signature */
        TY_PUBLIC(bits, 32);
        for (size_t j = 0; j < 256; j++)
            if (bits[j / 8] >> j % 8 & 1) out[n++] = (uint8_t)j;
        out[row->omega + i] = (uint8_t)n;
    }
}

/* 1 if the attempt is accepted; checks in the order of sign.c. Its calls are counted by name:
 * tools/fw_signing.py. */
static __attribute__((noinline)) int lean_attempt(signing *g, int first)
{
    const ty_mldsa_row *row = g->s.row;
    uint32_t hints = 0, large = 0;
    memset(g->w, 0, (size_t)TY_LEAN_PACKED * row->k);
    for (size_t j = 0; j < row->l; j++) {
        sample_mask(g, j);
        for (size_t i = 0; i < row->k; i++) add_product(g, i, j, first);
    }
    lean_challenge(g);
    for (size_t i = 0; i < row->k; i++)
        if (!take_s2(g, i)) return 0;
    for (size_t j = 0; j < row->l; j++)
        if (!give_z(g, j)) return 0;
    for (size_t i = 0; i < row->k; i++) {
        hints += make_hint(g, i, &large);
        if (lean_rejected(large)) return 0;
    }
    if (lean_rejected(hints > row->omega)) return 0;
    give_hint(g);
    TY_PUBLIC(g->sig, row->sig_len);
    return 1;
}

/* A field above 2 eta is no coefficient; the two or four of them that exist would make signatures
 * that leak. */
static int coefficients_fit(signing *g)
{
    const ty_mldsa_row *row = g->s.row;
    int32_t low = 0;
    for (size_t at = 0; at < 256u * (row->k + row->l); at += TY_LEAN_PIECE) {
        ty_mldsa_best()->unpack_some(g->s.piece,
                                     g->key + ty_lean_s_at(row, 0) + at / 8 * row->eta_bits,
                                     TY_LEAN_PIECE, row->eta_bits, row->eta);
        /* negative below -eta */
        for (size_t j = 0; j < TY_LEAN_PIECE; j++) low |= g->s.piece[j] + row->eta;
    }
    return !lean_rejected((uint32_t)low >> 31);
}

/* rho begins with the random bytes */
static void seed_masks(signing *g)
{
    ty_keccak *sponge = &g->s.sponge;
    ty_keccak_start(sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(sponge, g->key + TY_LEAN_K, 32);
    ty_keccak_absorb(sponge, g->rho, 32);
    ty_keccak_absorb(sponge, g->mu, TY_MLDSA_MU_LEN);
    ty_keccak_squeeze(g->rho, sizeof g->rho, sponge);
}

static ty_err sign_with(signing *g, uint8_t *room, size_t masks, size_t keeps)
{
    const ty_mldsa_row *row = g->s.row;
    ty_err err = TY_ERR_FAULT;
    g->w = room;
    g->masks = room + (size_t)TY_LEAN_PACKED * row->k;
    g->keeps_masks = masks;
    g->kept = g->masks + 32u * row->z_bits * masks;
    g->keeps = keeps;
    g->kappa = 0;
    TY_PUBLIC(g->key, 32);                     /* rho */
    if (!coefficients_fit(g)) err = TY_ERR_KEY;
    seed_masks(g);
    for (unsigned n = 0; n < ATTEMPTS && err == TY_ERR_FAULT; n++, g->kappa += row->l)
        if (lean_attempt(g, n == 0)) err = TY_OK;
    if (err != TY_OK) memset(g->sig, 0, row->sig_len);
    ty_wipe(room, (size_t)(g->kept - room));   /* what is kept of A is public */
    return err;
}

/* A frame for each set, of its size */
#define SIGN(set, rows, columns)                                                                   \
    static __attribute__((noinline)) ty_err sign_##set(signing *g)                                 \
    {                                                                                              \
        uint8_t room[TY_LEAN_PACKED * ((rows) + TY_LEAN_KEEPS(set, rows, columns)) +               \
                     TY_LEAN_MASK(set) * TY_LEAN_MASKS(set, rows, columns)]                        \
            __attribute__((aligned(4)));                                                           \
        return sign_with(g, room, TY_LEAN_MASKS(set, rows, columns),                               \
                         TY_LEAN_KEEPS(set, rows, columns));                                       \
    }
TY_LEAN_SETS(SIGN)

static ty_err random_bytes(uint8_t out[32], const ty_rng *rng)
{
    if (rng) return rng->fill(rng->ctx, out, 32) == TY_OK ? TY_OK : TY_ERR_RNG;
    memset(out, 0, 32);
    return TY_OK;
}

static ty_err sign_set(signing *g)
{
#define SIGN_IF(number, rows, columns)                                                             \
    if (g->s.row->set == TY_MLDSA_##number) return sign_##number(g);
    TY_LEAN_SETS(SIGN_IF)
    return TY_ERR_ARG;                         /* a set that TY_MLDSA_LARGEST leaves out */
}

/* The random source comes first: if it fails, nothing has been computed that could be given
 * away. */
ty_err ty_mldsa_sign_lean(uint8_t *sig, size_t sig_len,
                          const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)], const uint8_t *key,
                          const ty_mldsa_row *row, const ty_rng *rng)
{
    signing g;
    if (row && sig_len != row->sig_len) return TY_ERR_SIZE;
    memset(sig, 0, sig_len);
    if (!row) return TY_ERR_FORMAT;
    g.s.row = row;
    g.key = key;
    g.mu = mu;
    g.sig = sig;
    ty_err err = random_bytes(g.rho, rng);
    if (err == TY_OK) err = sign_set(&g);
    ty_wipe(&g, sizeof g);
    ty_wipe_below_8k();
    return err;
}

ty_err ty_mldsa_sign_encoded_mu(uint8_t *sig, size_t sig_len,
                                const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)], const uint8_t *key,
                                size_t key_len, const ty_rng *rng)
{
    return ty_mldsa_sign_lean(sig, sig_len, mu, key, ty_lean_key_row(key_len), rng);
}

static __attribute__((noinline)) ty_err lean_mu_of_tr(uint8_t out[64], const uint8_t *msg,
                                                      size_t msg_len, const uint8_t *ctx,
                                                      size_t ctx_len, const uint8_t tr[64])
{
    ty_mldsa_mu mu;
    const ty_err err = ty_mldsa_mu_of_tr(&mu, ctx, ctx_len, tr);
    if (err != TY_OK) return err;
    ty_mldsa_mu_update(&mu, msg, msg_len);
    ty_mldsa_mu_final(out, &mu);
    return TY_OK;
}

ty_err ty_mldsa_sign_encoded(uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len,
                             const uint8_t *ctx, size_t ctx_len, const uint8_t *key, size_t key_len,
                             const ty_rng *rng)
{
    uint8_t mu[TY_MLDSA_MU_LEN];
    ty_err err = ty_lean_key_row(key_len) ? TY_OK : TY_ERR_FORMAT;
    if (err == TY_OK) err = lean_mu_of_tr(mu, msg, msg_len, ctx, ctx_len, key + TY_LEAN_TR);
    if (err == TY_OK) return ty_mldsa_sign_encoded_mu(sig, sig_len, mu, key, key_len, rng);
    memset(sig, 0, sig_len);
    return err;
}

/* --- From the seed alone: the key is made in a frame of its size ------------------------------ */

typedef struct seeded {
    uint8_t *sig;
    size_t sig_len, msg_len, ctx_len;
    const uint8_t *msg, *ctx, *seed;
    const ty_mldsa_row *row;
    const ty_rng *rng;
} seeded;

static ty_err sign_grown(const seeded *a, uint8_t *key)
{
    ty_mldsa_grow_encoded(NULL, key, a->seed, a->row);
    const ty_err err = ty_mldsa_sign_encoded(a->sig, a->sig_len, a->msg, a->msg_len, a->ctx,
                                             a->ctx_len, key, a->row->key_len, a->rng);
    ty_wipe(key, a->row->key_len);
    return err;
}

#define GROWN(set, rows, columns)                                                           \
    static __attribute__((noinline)) ty_err sign_grown_##set(const seeded *a)               \
    {                                                                                       \
        uint8_t key[128 + 32 * ((set) == 65 ? 4 : 3) * ((rows) + (columns)) + 416 * (rows)]; \
        return sign_grown(a, key);                                                          \
    }
TY_LEAN_SETS(GROWN)

#define GROWN_IF(number, rows, columns)                                                            \
    if (set == TY_MLDSA_##number) return sign_grown_##number(&a);

ty_err ty_mldsa_sign_from_seed(uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len,
                               const uint8_t *ctx, size_t ctx_len,
                               const uint8_t seed[TY_AT_LEAST(TY_MLDSA_SEED_LEN)], ty_mldsa_set set,
                               const ty_rng *rng)
{
    const ty_mldsa_row *row = ty_mldsa_find(set);
    const seeded a = { sig, sig_len, msg_len, ctx_len, msg, ctx, seed, row, rng };
    if (row && sig_len != row->sig_len) return TY_ERR_SIZE;
    TY_LEAN_SETS(GROWN_IF)
    memset(sig, 0, sig_len);
    return TY_ERR_ARG;
}
#else
typedef int ty_mldsa_lean_sign_is_empty;   /* ISO C wants a declaration in every file */
#endif
