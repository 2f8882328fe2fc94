/* Signing with TY_MLDSA_RAM bytes of stack (FIPS 204, algorithm 7), with the signatures of sign.c
 * byte for byte.
 *
 * w = A y is computed by columns where memory is short: a mask is sampled, transformed and
 * multiplied by its column of A, so that it need not be kept, and k packed polynomials hold the
 * sums. Of the memory beyond that, one polynomial keeps the challenge, transformed; then 736 bytes
 * each keep a polynomial of A from attempt to attempt, the first ones by columns; the others are
 * sampled again. Any memory beyond that keeps w unpacked, and the bytes of masks until the attempt
 * ends; the other masks are sampled once more for z = y + c s1, if the attempt gets that far. If
 * all of A fits unpacked, with masks and w, w is computed by rows, each a sum of products.
 *
 * w - c s2 replaces w. If |w0 - c s2| < gamma2 - beta, this is the low part of w - c s2, whose high
 * part is w1, and the hint needs no more. Otherwise the low part is not below gamma2 - beta either:
 * |w0 - c s2| <= gamma2 + beta, and the low part is the same number, or one that differs from it by
 * 2 gamma2 (or 2 gamma2 + 1, across q - 1) and has the other sign.
 *
 * z is written into the signature polynomial by polynomial: until the call returns, sig may hold a
 * part of an answer that is rejected later, or of a mask, which is secret. What becomes public is
 * explained in sign.c. */
#if !defined(TY_PUBLIC_ONLY)
#include "mldsa/lean_ram.h"
#include "mldsa/lean_sign.h"

#include "base/ct.h"
#include "base/wipe.h"

#include <string.h>

enum { ATTEMPTS = 814 };   /* FIPS 204, appendix C */

typedef ty_lean_signing signing;

/* y = mask j, transformed */
static void sample_mask(signing *g, int32_t y[256], size_t j)
{
    const ty_mldsa_row *row = g->s.row;
    ty_lean_stream(&g->s, g->rho, g->kappa + (unsigned)j);
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE) {
        uint8_t *bytes = ty_lean_mask(g, j, at);
        if (!bytes) bytes = (uint8_t *)g->s.piece;
        ty_keccak_squeeze(bytes, 8u * row->z_bits, &g->s.sponge);
        ty_mldsa_best()->unpack_some(y + at, bytes, TY_LEAN_PIECE, row->z_bits, row->gamma1);
    }
    ty_q_best()->ntt(y);
}

/* w_i += A_ij y_j, for a kept A_ij, or for one that is sampled and, in the first attempt, kept if
 * there is room */
static void add_product(signing *g, size_t i, size_t j, int first)
{
    const size_t number = j * g->s.row->k + i;
    uint8_t *const kept = number < g->keeps ? g->kept + TY_LEAN_PACKED * number : NULL;
    uint8_t *const packed = g->w ? NULL : g->packed + TY_LEAN_PACKED * i;
    int32_t *const sum = g->w ? g->w[i] : NULL;
    if (first || !kept) {
        const ty_lean_use use = { sum, packed, g->s.p, kept };
        ty_lean_sample_a(&g->s, g->key, i, j, &use);
        return;
    }
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE) {
        ty_mldsa_best()->unpack_some(g->s.piece, kept + at / 8 * 23, TY_LEAN_PIECE, 23, 0);
        if (sum) ty_mldsa_best()->times(sum + at, g->s.piece, g->s.p + at, TY_LEAN_PIECE);
        else
            ty_mldsa_best()->times_packed(packed + at / 8 * 23, g->s.piece, g->s.p + at,
                                          TY_LEAN_PIECE);
    }
}

/* w, transformed, by columns */
static __attribute__((noinline)) void make_columns(signing *g, int first)
{
    const ty_mldsa_row *row = g->s.row;
    if (g->w) memset(g->w, 0, sizeof(ty_q_poly) * row->k);
    else memset(g->packed, 0, (size_t)TY_LEAN_PACKED * row->k);
    for (size_t j = 0; j < row->l; j++) {
        sample_mask(g, g->s.p, j);
        for (size_t i = 0; i < row->k; i++) add_product(g, i, j, first);
    }
}

/* the same by rows, if all of A is kept */
static void make_rows(signing *g)
{
    const ty_mldsa_row *row = g->s.row;
    for (size_t j = 0; j < row->l; j++) sample_mask(g, g->y[j], j);
    for (size_t i = 0; i < row->k; i++)
        ty_q_best()->dot(g->w[i], (const ty_q_poly *)g->a + row->l * i, (const ty_q_poly *)g->y,
                         row->l);
}

/* row i of w as it is kept; its high part in w1 */
static void finish_row(signing *g, uint8_t *w1, size_t i)
{
    uint8_t *const packed = g->packed + TY_LEAN_PACKED * i;
    int32_t *const p = g->w ? g->w[i] : g->s.p;
    if (!g->w) ty_mldsa_best()->unpack_some(p, packed, 256, 23, 0);
    else if (!g->a) ty_lean_fold(p);           /* l products, less than q each */
    ty_q_best()->intt(p);
    ty_lean_split_row(p, w1, g->s.row);
    if (!g->w) ty_mldsa_best()->pack_some(packed, p, 256, 23, 0);
}

/* w as it is kept, and the challenge of its high parts, whose hash begins the signature */
static __attribute__((noinline)) void lean_commit(signing *g)
{
    const ty_mldsa_row *row = g->s.row;
    uint8_t *const w1 = (uint8_t *)g->s.piece;
    ty_keccak_start(&g->s.sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(&g->s.sponge, g->mu, TY_MLDSA_MU_LEN);
    for (size_t i = 0; i < row->k; i++) {
        finish_row(g, w1, i);
        ty_keccak_absorb(&g->s.sponge, w1, 32u * row->w1_bits);
    }
    ty_keccak_squeeze(g->sig, row->c_len, &g->s.sponge);
    ty_lean_challenged(g);
}

/* 1 if the attempt is accepted. tools/fw_signing.py counts the calls of this name. */
static __attribute__((noinline)) int lean_attempt(signing *g, int first)
{
    if (g->a) make_rows(g);
    else make_columns(g, first);
    lean_commit(g);
    return ty_lean_answer(g);
}

/* A field above 2 eta is not a coefficient: the three or seven such values would give signatures
 * that leak the key. They have the top bit and another one set; eight fields are checked at a
 * time. */
static int coefficients_fit(const signing *g)
{
    const ty_mldsa_row *row = g->s.row;
    const uint8_t *in = g->key + TY_LEAN_S, *const end = g->key + ty_lean_t0_at(row, 0);
    uint32_t bad = 0;
    for (; row->eta_bits == 3 && in < end; in += 3) {
        const uint32_t x = in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16;
        bad |= x & (x << 1 | x << 2) & 0x924924;
    }
    for (; row->eta_bits == 4 && in < end; in += 4) {
        const uint32_t x = in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 |
                           (uint32_t)in[3] << 24;
        bad |= x & (x << 1 | x << 2 | x << 3) & 0x88888888;
    }
    return !ty_lean_rejected(bad);
}

/* rho = rho'' of algorithm 7; before, it begins with the 32 random bytes */
static void seed_masks(signing *g)
{
    ty_keccak *sponge = &g->s.sponge;
    ty_keccak_start(sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(sponge, g->key + TY_LEAN_K, 32);
    ty_keccak_absorb(sponge, g->rho, 32);
    ty_keccak_absorb(sponge, g->mu, TY_MLDSA_MU_LEN);
    ty_keccak_squeeze(g->rho, sizeof g->rho, sponge);
}

/* all of A, once; a little is written beyond the end of a polynomial, where the next one will be,
 * or after the last one the masks */
static void make_a(signing *g)
{
    const ty_mldsa_row *row = g->s.row;
    for (size_t i = 0; i < row->k; i++)
        for (size_t j = 0; j < row->l; j++)
            ty_lean_whole_a(&g->s, g->a[row->l * i + j], g->key, i, j);
}

/* what there is room for: see lean_ram.h */
typedef struct room {
    int32_t *polys;                            /* one after the other */
    uint8_t *bytes;
    size_t masks, keeps;
    int all, rows, challenge;
} room;

/* Divides the memory of r among what is kept. */
static void divide(signing *g, const room *r)
{
    const ty_mldsa_row *row = g->s.row;
    ty_q_poly *next = (ty_q_poly *)r->polys;
    g->a = g->y = g->w = NULL;
    g->c = NULL;
    if (r->all) g->a = next, next += (size_t)row->k * row->l, g->y = next, next += row->l;
    if (r->challenge) g->c = *next++;
    if (r->rows) g->w = next;
    if (r->all) g->c = g->y[0];                /* after w, masks are only needed as bytes */
    g->packed = r->bytes;
    g->masks = r->bytes + (r->rows ? 0 : (size_t)TY_LEAN_PACKED * row->k);
    g->keeps_masks = r->masks;
    g->kept = g->masks + 32u * row->z_bits * r->masks;
    g->keeps = r->keeps;
    g->kappa = 0;
}

static ty_err sign_with(signing *g, const room *r)
{
    ty_err err = TY_ERR_FAULT;
    divide(g, r);
    TY_PUBLIC(g->key, 32);                     /* rho */
    if (!coefficients_fit(g)) err = TY_ERR_KEY;
    seed_masks(g);
    if (r->all && err == TY_ERR_FAULT) make_a(g);
    for (unsigned n = 0; n < ATTEMPTS && err == TY_ERR_FAULT; n++, g->kappa += g->s.row->l)
        if (lean_attempt(g, n == 0)) err = TY_OK;
    if (err != TY_OK) memset(g->sig, 0, g->s.row->sig_len);
    return err;
}

/* One function for each set, so that its frame has only the size that the set needs. What is kept
 * of A is public and not wiped. */
#define SIGN(set, rows, columns)                                                                   \
    static __attribute__((noinline)) ty_err sign_##set(signing *g)                                 \
    {                                                                                              \
        int32_t polys[256 * TY_LEAN_POLYS(set, rows, columns) + 1] __attribute__((aligned(8)));    \
        uint8_t bytes[TY_LEAN_BYTES(set, rows, columns)] __attribute__((aligned(4)));              \
        const room r = { polys,                                                                    \
                         bytes,                                                                    \
                         TY_LEAN_MASKS(set, rows, columns),                                        \
                         TY_LEAN_KEEPS(set, rows, columns),                                        \
                         TY_LEAN_ALL(set, rows, columns),                                          \
                         TY_LEAN_ROWS(set, rows, columns),                                         \
                         TY_LEAN_CHALLENGE(set, rows, columns) };                                  \
        const ty_err err = sign_with(g, &r);                                                       \
        ty_wipe(polys + 256 * TY_LEAN_ALL(set, rows, columns) * (rows) * (columns),                \
                sizeof polys - 1024 * TY_LEAN_ALL(set, rows, columns) * (rows) * (columns));       \
        ty_wipe(bytes, sizeof bytes - TY_LEAN_PACKED * TY_LEAN_KEEPS(set, rows, columns));         \
        return err;                                                                                \
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
    return TY_ERR_ARG;                         /* a set that TY_MLDSA_LARGEST excludes */
}

/* The random source is called first: if it fails, nothing secret has been computed. */
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

/* --- From the seed alone: the key is generated in a frame of the set's size ------------------- */

typedef struct seeded {
    uint8_t *sig;
    size_t sig_len, msg_len, ctx_len;
    const uint8_t *msg, *ctx, *seed;
    const ty_mldsa_row *row;
    const ty_rng *rng;
} seeded;

static ty_err sign_expanded(const seeded *a, uint8_t *key)
{
    ty_mldsa_expand_encoded(NULL, key, a->seed, a->row);
    const ty_err err = ty_mldsa_sign_encoded(a->sig, a->sig_len, a->msg, a->msg_len, a->ctx,
                                             a->ctx_len, key, a->row->key_len, a->rng);
    ty_wipe(key, a->row->key_len);
    return err;
}

#define EXPANDED(set, rows, columns)                                                        \
    static __attribute__((noinline)) ty_err sign_expanded_##set(const seeded *a)            \
    {                                                                                       \
        uint8_t key[128 + 32 * ((set) == 65 ? 4 : 3) * ((rows) + (columns)) + 416 * (rows)]; \
        return sign_expanded(a, key);                                                       \
    }
TY_LEAN_SETS(EXPANDED)

#define EXPANDED_IF(number, rows, columns)                                                         \
    if (set == TY_MLDSA_##number) return sign_expanded_##number(&a);

ty_err ty_mldsa_sign_from_seed(uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len,
                               const uint8_t *ctx, size_t ctx_len,
                               const uint8_t seed[TY_AT_LEAST(TY_MLDSA_SEED_LEN)], ty_mldsa_set set,
                               const ty_rng *rng)
{
    const ty_mldsa_row *row = ty_mldsa_find(set);
    const seeded a = { sig, sig_len, msg_len, ctx_len, msg, ctx, seed, row, rng };
    if (row && sig_len != row->sig_len) return TY_ERR_SIZE;
    TY_LEAN_SETS(EXPANDED_IF)
    memset(sig, 0, sig_len);
    return TY_ERR_ARG;
}
#else
typedef int ty_mldsa_lean_sign_is_empty;   /* ISO C requires a declaration in every file */
#endif
