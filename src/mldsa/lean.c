/* ML-DSA where memory is short: sampling, and verification, which is public. */
#include "mldsa/lean.h"

#include "base/unroll.h"
#include "mod/q_mldsa_one.h"

#include <string.h>

static const ty_mldsa_set sets[3] = { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 };

const ty_mldsa_row *ty_lean_pub_row(size_t len)
{
    for (size_t i = 0; i < 3; i++)
        if (ty_mldsa_pub_len(sets[i]) == len) return ty_mldsa_find(sets[i]);
    return NULL;
}

const ty_mldsa_row *ty_lean_key_row(size_t len)
{
    for (size_t i = 0; i < 3; i++)
        if (ty_mldsa_key_len(sets[i]) == len) return ty_mldsa_find(sets[i]);
    return NULL;
}

static void use_some(const ty_lean *s, const ty_lean_use *use, size_t at, size_t n)
{
    const ty_mldsa_ops *bytes = ty_mldsa_best();
    if (use->sum) bytes->times(use->sum + at, s->piece, use->y + at, n);
    if (use->packed_sum)
        bytes->times_packed(use->packed_sum + at / 8 * 23, s->piece, use->y + at, n);
    if (use->keep) bytes->pack_some(use->keep + at / 8 * 23, s->piece, n, 23, 0);
}

/* Moves the remaining coefficients to the beginning: all loads come first, so that they overlap; at
 * -Os it is a loop. */
static inline void move_8(int32_t *to, const int32_t *from)
#if defined(__OPTIMIZE_SIZE__)
{
    for (size_t k = 0; k < 8; k++) to[k] = from[k];
}
#else
{
    int32_t x[8];
    TY_EACH(k, 8) x[k] = from[k];
    TY_EACH(k, 8) to[k] = x[k];
}
#endif

/* absorbs the message of polynomial (i, j) of A with its padding, by words: rho, j, i, the suffix
 * and the last bit */
static void start_a(ty_lean *s, const uint8_t rho[32], size_t i, size_t j)
{
    static const uint8_t last[8] = { [7] = 0x80 };
    uint8_t first[40] = { [32] = (uint8_t)j, [33] = (uint8_t)i, [34] = TY_KECCAK_SHAKE };
    memcpy(first, rho, 32);
    memset(s->sponge.a, 0, sizeof s->sponge.a);
    ty_keccak_best()->add(s->sponge.a, 0, first, sizeof first / 8);
    ty_keccak_best()->add(s->sponge.a, TY_SHAKE128_BLOCK / 8 - 1, last, 1);
}

/* A block gives at most 56 coefficients, and fewer than 8 remain from before. 5 blocks are nearly
 * always enough. */
void ty_lean_sample_a(ty_lean *s, const uint8_t rho[TY_AT_LEAST(32)], size_t i, size_t j,
                      const ty_lean_use *use)
{
    const ty_keccak_ops *const keccak = ty_keccak_best();
    size_t have = 0, at = 0;
    start_a(s, rho, i, j);
    while (at < 256) {
        keccak->permute(s->sponge.a);
        have += keccak->sample_vt(s->piece + have, s->sponge.a, TY_Q);
        const size_t whole = have & ~(size_t)7, n = whole < 256 - at ? whole : 256 - at;
        use_some(s, use, at, n);
        at += n;
        have -= n;
        move_8(s->piece, s->piece + n);
    }
}

void ty_lean_whole_a(ty_lean *s, int32_t *a, const uint8_t rho[TY_AT_LEAST(32)], size_t i, size_t j)
{
    const ty_keccak_ops *const keccak = ty_keccak_best();
    start_a(s, rho, i, j);
    for (size_t have = 0; have < 256;) {
        keccak->permute(s->sponge.a);
        have += keccak->sample_vt(a + have, s->sponge.a, TY_Q);
    }
}

void ty_lean_stream(ty_lean *s, const uint8_t seed[TY_AT_LEAST(64)], unsigned number)
{
    const uint8_t nonce[2] = { (uint8_t)number, (uint8_t)(number >> 8) };
    ty_keccak_start(&s->sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(&s->sponge, seed, 64);
    ty_keccak_absorb(&s->sponge, nonce, 2);
}

/* FIPS 204, algorithm 29, as it is written there: 8 bytes of signs; then, for each i, bytes until
 * one is at most i */
void ty_lean_challenge_vt(ty_mldsa_challenge *out, ty_lean *s, const uint8_t *in)
{
    int8_t *const c = s->e;
    uint8_t *const block = (uint8_t *)s->piece;
    const ty_mldsa_row *row = s->row;
    size_t next = 8;
    ty_keccak_start(&s->sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(&s->sponge, in, row->c_len);
    ty_keccak_squeeze(block, TY_SHAKE256_BLOCK, &s->sponge);
    memset(c, 0, 256);
    uint8_t signs[8];
    memcpy(signs, block, 8);
    for (size_t n = 0, i = 256u - row->tau; i < 256; next++) {
        if (next == TY_SHAKE256_BLOCK) {
            ty_keccak_squeeze(block, TY_SHAKE256_BLOCK, &s->sponge);
            next = 0;
        }
        const size_t j = block[next];
        if (j > i) continue;
        c[i++] = c[j];
        c[j] = (int8_t)(1 - 2 * (signs[n / 8] >> n % 8 & 1));
        n++;
    }
    out->n = 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (size_t i = 0; i < 256; i++)
            if (c[i] == sign) out->at[out->n++] = (uint8_t)i;
        if (sign == 1) out->plus = out->n;
    }
}

/* x = t 2^23 + r with |r| <= 2^22 and |t| <= 8: the result is at most 2^22 + 8 * 8191 */
void ty_lean_fold(ty_q_poly p)
{
    const int32_t q = ty_lean_q();
    for (size_t i = 0; i < 256; i += 4) {   /* loads that overlap */
        const int32_t a = p[i], b = p[i + 1], c = p[i + 2], d = p[i + 3];
        p[i] = ty_lean_fold_one(a, q);
        p[i + 1] = ty_lean_fold_one(b, q);
        p[i + 2] = ty_lean_fold_one(c, q);
        p[i + 3] = ty_lean_fold_one(d, q);
    }
}

/* --- Verifying (FIPS 204, algorithm 8) -------------------------------------------------------- */

typedef struct verifying {
    ty_lean s;
    ty_keccak mu_w1;                           /* absorbs mu and w1, gives the challenge's hash */
    uint32_t h[8][8];
    const uint8_t *sig, *mu, *pub;
} verifying;

/* z and after it -c 2^d, transformed; returns 0 if the signature is malformed */
static int read_signature(verifying *v, ty_q_poly *z)
{
    const ty_mldsa_row *row = v->s.row;
    const size_t z_len = 32u * row->z_bits;
    const uint8_t *in = v->sig + row->c_len;
    ty_mldsa_challenge challenge;
    if (!ty_mldsa_hint_unpack_vt(v->h, in + z_len * row->l, row)) return 0;
    for (size_t j = 0; j < row->l; j++) {
        ty_mldsa_best()->unpack(z[j], in + z_len * j, row->z_bits, row->gamma1);
        uint32_t large = 0;
        TY_LEAN_FOUR for (size_t i = 0; i < 256; i++)
            large |= beyond(z[j][i], row->gamma1 - row->beta);
        if (large >> 31) return 0;
        ty_q_best()->ntt(z[j]);
    }
    ty_lean_challenge_vt(&challenge, &v->s, v->sig);
    ty_mldsa_challenge_poly(z[row->l], &challenge, -(1 << 13));
    ty_q_best()->ntt(z[row->l]);
    return 1;
}

/* row i of w = A z - c t1 2^d; its high part, adjusted by the hint, is absorbed */
static void lean_w_row(verifying *v, const ty_q_poly *z, size_t i)
{
    const ty_mldsa_row *row = v->s.row;
    int32_t *const w = v->s.p;
    ty_mldsa_best()->unpack(w, v->pub + 32 + TY_LEAN_T1 * i, 10, 0);
    ty_q_best()->ntt(w);
    ty_q_best()->dot(w, (const ty_q_poly *)w, z + row->l, 1);
    for (size_t j = 0; j < row->l; j++) {
        const ty_lean_use use = { w, NULL, z[j], NULL };
        ty_lean_sample_a(&v->s, v->pub, i, j, &use);
    }
    ty_lean_fold(w);
    ty_q_best()->intt(w);
    ty_q_best()->use_hint(w, w, v->h[i], row->gamma2);
    ty_mldsa_best()->pack((uint8_t *)v->s.piece, w, row->w1_bits, 0);
    ty_keccak_absorb(&v->mu_w1, (const uint8_t *)v->s.piece, 32u * row->w1_bits);
}

static ty_err verify_with(verifying *v, ty_q_poly *z)
{
    const ty_mldsa_row *row = v->s.row;
    uint8_t hash[64];
    if (!read_signature(v, z)) return TY_ERR_VERIFY;
    ty_keccak_start(&v->mu_w1, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(&v->mu_w1, v->mu, TY_MLDSA_MU_LEN);
    for (size_t i = 0; i < row->k; i++) lean_w_row(v, (const ty_q_poly *)z, i);
    ty_keccak_squeeze(hash, row->c_len, &v->mu_w1);
    return ty_equal(hash, v->sig, row->c_len) ? TY_OK : TY_ERR_VERIFY;
}

/* One function for each set, so that its frame has only the size that the set needs */
#define VERIFY(set, l)                                                      \
    static __attribute__((noinline)) ty_err verify_##set(verifying *v)      \
    {                                                                       \
        ty_q_poly z[(l) + 1] __attribute__((aligned(64)));                  \
        return verify_with(v, z);                                           \
    }
VERIFY(44, 4)
VERIFY(65, 5)
VERIFY(87, 7)

ty_err ty_mldsa_verify_encoded_mu(const uint8_t *sig, size_t sig_len,
                                  const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
                                  const uint8_t *pub, size_t pub_len)
{
    const ty_mldsa_row *row = ty_lean_pub_row(pub_len);
    verifying v;
    if (!row) return TY_ERR_FORMAT;
    if (sig_len != row->sig_len) return TY_ERR_VERIFY;
    v.s.row = row;
    v.sig = sig;
    v.mu = mu;
    v.pub = pub;
    return row->set == TY_MLDSA_44   ? verify_44(&v)
           : row->set == TY_MLDSA_65 ? verify_65(&v)
                                     : verify_87(&v);
}

ty_err ty_mldsa_mu_init_encoded(ty_mldsa_mu *mu, const uint8_t *ctx, size_t ctx_len,
                                const uint8_t *pub, size_t pub_len)
{
    uint8_t tr[64];
    memset(mu, 0, sizeof *mu);
    if (!ty_lean_pub_row(pub_len)) return TY_ERR_FORMAT;
    ty_keccak_start(&mu->sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(&mu->sponge, pub, pub_len);
    ty_keccak_squeeze(tr, sizeof tr, &mu->sponge);
    return ty_mldsa_mu_of_tr(mu, ctx, ctx_len, tr);
}

static __attribute__((noinline)) ty_err lean_mu_of_pub(uint8_t out[64], const uint8_t *msg,
                                                       size_t msg_len, const uint8_t *ctx,
                                                       size_t ctx_len, const uint8_t *pub,
                                                       size_t pub_len)
{
    ty_mldsa_mu mu;
    const ty_err err = ty_mldsa_mu_init_encoded(&mu, ctx, ctx_len, pub, pub_len);
    if (err != TY_OK) return err;
    ty_mldsa_mu_update(&mu, msg, msg_len);
    ty_mldsa_mu_final(out, &mu);
    return TY_OK;
}

ty_err ty_mldsa_verify_encoded(const uint8_t *sig, size_t sig_len, const uint8_t *msg,
                               size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                               const uint8_t *pub, size_t pub_len)
{
    uint8_t mu[TY_MLDSA_MU_LEN];
    const ty_err err = lean_mu_of_pub(mu, msg, msg_len, ctx, ctx_len, pub, pub_len);
    return err == TY_OK ? ty_mldsa_verify_encoded_mu(sig, sig_len, mu, pub, pub_len) : err;
}
