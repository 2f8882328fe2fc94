/* A key of ML-DSA from its seed where memory is short (FIPS 204, algorithm 6): both encodings are
 * written while they are computed. */
#if !defined(TY_PUBLIC_ONLY)
#include "mldsa/lean.h"

#include "base/ct.h"
#include "base/wipe.h"
#include "mod/q_mldsa_one.h"

#include <string.h>

typedef struct expanding {
    ty_lean s;
    ty_keccak tr;                              /* absorbs the public key */
    uint8_t expanded[128];                     /* rho, rho', K */
    uint8_t *pub, *key;                        /* pub may be NULL */
} expanding;

/* samples polynomial i of s1 and s2, to s.p and to the key */
static void sample_s(expanding *g, size_t i)
{
    const ty_mldsa_row *row = g->s.row;
    uint8_t *const block = (uint8_t *)g->s.piece;
    ty_lean_stream(&g->s, g->expanded + 32, (unsigned)i);
    for (size_t n = 0; n < 256;) {
        ty_keccak_squeeze(block, TY_SHAKE256_BLOCK, &g->s.sponge);
        n = ty_mldsa_best()->small(g->s.p, n, block, TY_SHAKE256_BLOCK, row->eta);
    }
    ty_mldsa_best()->pack(g->key + ty_lean_s_at(row, i), g->s.p, row->eta_bits, row->eta);
}

/* the next len bytes of the public key: absorbed, and written if pub is not NULL */
static void put_pub(expanding *g, size_t at, const uint8_t *p, size_t len)
{
    ty_keccak_absorb(&g->tr, p, len);
    if (g->pub) memcpy(g->pub + at, p, len);
}

/* row i of t = A s1 + s2, as t1 and t0: in multiples of eight coefficients, which are 10 and 13
 * bytes */
static void lean_t_row(expanding *g, const ty_q_poly *s1, size_t i)
{
    const ty_mldsa_row *row = g->s.row;
    const uint8_t *s2 = g->key + ty_lean_s_at(row, row->l + i);
    uint8_t *t0 = g->key + ty_lean_t0_at(row, i);
    int32_t *const t = g->s.p, *const piece = g->s.piece;
    const int32_t q = ty_lean_q();
    uint8_t t1[10 * TY_LEAN_PIECE / 8];
    memset(t, 0, sizeof g->s.p);
    for (size_t j = 0; j < row->l; j++) {
        const ty_lean_use use = { t, NULL, s1[j], NULL };
        ty_lean_sample_a(&g->s, g->expanded, i, j, &use);
    }
    ty_lean_fold(t);
    ty_q_best()->intt(t);
    for (size_t at = 0; at < 256; at += TY_LEAN_PIECE) {
        ty_mldsa_best()->unpack_some(piece, s2 + at / 8 * row->eta_bits, TY_LEAN_PIECE,
                                     row->eta_bits, row->eta);
        TY_LEAN_FOUR for (size_t j = 0; j < TY_LEAN_PIECE; j++) {   /* algorithm 35 */
            const int32_t x = canon(ty_lean_fold_one(t[at + j] + piece[j], q));
            const int32_t high = (x + (1 << 12) - 1) >> 13;
            t[at + j] = x - (high << 13);
            piece[j] = high;
        }
        TY_PUBLIC(piece, sizeof g->s.piece);   /* t1 is the public key */
        ty_mldsa_best()->pack_some(t1, piece, TY_LEAN_PIECE, 10, 0);
        put_pub(g, 32 + TY_LEAN_T1 * i + at / 8 * 10, t1, sizeof t1);
    }
    ty_mldsa_best()->pack_some(t0, t, 256, 13, TY_LEAN_T0_TOP);
}

static void expand_with(expanding *g, ty_q_poly *s1)
{
    const ty_mldsa_row *row = g->s.row;
    memcpy(g->key, g->expanded, 32);
    memcpy(g->key + TY_LEAN_K, g->expanded + 96, 32);
    TY_PUBLIC(g->expanded, 32);                /* rho is part of the public key */
    ty_keccak_start(&g->tr, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    put_pub(g, 0, g->expanded, 32);
    for (size_t i = 0; i < (size_t)row->l + row->k; i++) {
        sample_s(g, i);
        if (i >= row->l) continue;
        memcpy(s1[i], g->s.p, sizeof s1[i]);
        ty_q_best()->ntt(s1[i]);
    }
    for (size_t i = 0; i < row->k; i++) lean_t_row(g, (const ty_q_poly *)s1, i);
    ty_keccak_squeeze(g->key + TY_LEAN_TR, 64, &g->tr);
    ty_wipe(s1, row->l * sizeof s1[0]);
    ty_wipe_below_8k();
}

#define EXPAND(set, l)                                                \
    static __attribute__((noinline)) void expand_##set(expanding *g)  \
    {                                                                 \
        ty_q_poly s1[l] __attribute__((aligned(64)));                 \
        expand_with(g, s1);                                           \
    }
EXPAND(44, 4)
EXPAND(65, 5)
EXPAND(87, 7)

void ty_mldsa_expand_encoded(uint8_t *pub, uint8_t *key, const uint8_t seed[TY_AT_LEAST(32)],
                             const ty_mldsa_row *row)
{
    const uint8_t shape[2] = { row->k, row->l };
    expanding g;
    g.s.row = row;
    g.pub = pub;
    g.key = key;
    ty_mldsa_h(g.expanded, sizeof g.expanded, (ty_keccak_piece){ seed, 32 },
               (ty_keccak_piece){ shape, 2 });
    if (row->set == TY_MLDSA_44) expand_44(&g);
    else if (row->set == TY_MLDSA_65) expand_65(&g);
    else expand_87(&g);
    ty_wipe(&g, sizeof g);
    ty_wipe_below_8k();
}

ty_err ty_mldsa_keygen_encoded(uint8_t *pub, size_t pub_len, uint8_t *key, size_t key_len,
                               const uint8_t seed[TY_AT_LEAST(32)], ty_mldsa_set set)
{
    const ty_mldsa_row *row = ty_mldsa_find(set);
    if (!row) return TY_ERR_ARG;
    if (pub_len != row->pub_len || key_len != row->key_len) return TY_ERR_SIZE;
    ty_mldsa_expand_encoded(pub, key, seed, row);
    return TY_OK;
}
#else
typedef int ty_mldsa_lean_key_is_empty;   /* ISO C requires a declaration in every file */
#endif
