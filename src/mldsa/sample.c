/* Sampling from SHAKE in four or eight lanes: the matrix, the secret vectors, the mask; and the
 * challenge. */
#include "mldsa/mldsa.h"

#include "base/bytes.h"
#include "base/wipe.h"

#include <string.h>

enum { LANES = 8 };

/* A sampler's streams and what they are read into. */
typedef struct streams {
    ty_keccak_lanes sponge;
    uint8_t bytes[LANES][5 * TY_SHAKE128_BLOCK];
} streams;

/* the number of lanes for `polys` polynomials: four if they are enough */
static unsigned lanes_for(size_t polys) { return polys <= 4 ? 4 : LANES; }

/* Each lane absorbs seed || nonce; a nonce is two bytes, little-endian. */
static void start(streams *s, unsigned lanes, unsigned rate, const uint8_t *seed, size_t seed_len,
                  const uint16_t *nonce)
{
    uint8_t in[LANES][64 + 2] = { { 0 } };
    const uint8_t *p[LANES];
    memcpy(in[0], seed, seed_len);
    for (size_t i = 0; i < lanes; i++) {
        if (i) memcpy(in[i], in[0], sizeof in[0]);   /* a constant length: a few moves */
        in[i][seed_len] = (uint8_t)nonce[i];
        in[i][seed_len + 1] = (uint8_t)(nonce[i] >> 8);
        p[i] = in[i];
    }
    ty_keccak_lanes_absorb(&s->sponge, lanes, rate, p, seed_len + 2);
    ty_wipe(in, lanes * sizeof in[0]);
}

static void squeeze(streams *s, size_t blocks)
{
    uint8_t *p[LANES];
    for (size_t i = 0; i < LANES; i++) p[i] = s->bytes[i];
    ty_keccak_lanes_squeeze(p, blocks, &s->sponge);
}

/* The candidates are read from the states. 5 blocks are 280 candidates, of which one in 1024 is
 * rejected: a sixth block is needed less than once in 10^30 times. */
void ty_mldsa_expand_a(ty_q_poly *a, size_t stride, size_t first, size_t rows,
                       const uint8_t rho[TY_AT_LEAST(32)], const ty_mldsa_env *env,
                       ty_keccak_extra *extra)
{
    const size_t l = env->row->l, total = rows * l;
    streams s;
    for (size_t i = 0, lanes; i < total; i += lanes) {
        uint16_t nonce[LANES];
        size_t have[LANES], todo = lanes = lanes_for(total - i);
        int32_t *poly[LANES];
        for (size_t lane = 0; lane < lanes; lane++) {
            const size_t at = i + lane < total ? i + lane : total - 1, row = at / l,
                         column = at % l;
            nonce[lane] = (uint16_t)(column | (first + row) << 8);
            poly[lane] = a[row * stride + column];
            have[lane] = i + lane < total ? 0 : 256;
        }
        start(&s, (unsigned)lanes, TY_SHAKE128_BLOCK, rho, 32, nonce);
        s.sponge.extra = extra;
        for (size_t block = 0; block < 5 || todo; block++) {
            ty_keccak_lanes_next(&s.sponge);
            mldsa_of(env)->uniform(poly, have, s.sponge.a, lanes);
            if (lanes == 8) mldsa_of(env)->uniform(poly + 4, have + 4, s.sponge.a + 4, lanes);
            if (block < 4) continue;
            todo = 0;
            for (size_t lane = 0; lane < lanes; lane++) todo += have[lane] < 256;
        }
    }
}

/* 2 blocks are 544 candidates: for eta = 4, where 9/16 are accepted, fewer than 256 are accepted
 * once in 10^5 polynomials. */
void ty_mldsa_expand_s(ty_q_poly *polys, const uint8_t rho[TY_AT_LEAST(64)],
                       const ty_mldsa_env *env)
{
    const size_t total = (size_t)env->row->k + env->row->l;
    streams s;
    for (size_t i = 0, lanes; i < total; i += lanes) {
        uint16_t nonce[LANES];
        size_t have[LANES], todo = lanes = lanes_for(total - i);
        for (size_t lane = 0; lane < lanes; lane++) {
            nonce[lane] = (uint16_t)(i + lane);
            have[lane] = i + lane < total ? 0 : 256;
        }
        start(&s, (unsigned)lanes, TY_SHAKE256_BLOCK, rho, 64, nonce);
        for (size_t blocks = 2; todo; blocks = 1) {
            squeeze(&s, blocks);
            todo = 0;
            for (size_t lane = 0; lane < lanes; lane++) {
                if (have[lane] < 256)
                    have[lane] = mldsa_of(env)->small(polys[i + lane], have[lane], s.bytes[lane],
                                                   blocks * TY_SHAKE256_BLOCK, env->row->eta);
                todo += have[lane] < 256;
            }
        }
    }
    ty_wipe(&s.sponge, sizeof s.sponge);
    for (size_t lane = 0; lane < LANES; lane++) ty_wipe(s.bytes[lane], 2 * TY_SHAKE256_BLOCK);
    ty_wipe_below_8k();
}

size_t ty_mldsa_expand_mask(ty_q_poly *y, size_t n, const uint8_t rho[TY_AT_LEAST(64)],
                            unsigned kappa, const ty_mldsa_env *env)
{
    const unsigned lanes = lanes_for(n);
    uint16_t nonce[LANES];
    streams s;
    for (unsigned i = 0; i < lanes; i++) nonce[i] = (uint16_t)(kappa + i);
    start(&s, lanes, TY_SHAKE256_BLOCK, rho, 64, nonce);
    squeeze(&s, 5);
    for (size_t i = 0; i < lanes; i++)
        mldsa_of(env)->unpack(y[i], s.bytes[i], env->row->z_bits, env->row->gamma1);
    ty_wipe(&s.sponge, sizeof s.sponge);
    ty_wipe(s.bytes, lanes * sizeof s.bytes[0]);
    return lanes;
}

/* Wipes the stack below a frame as large as that of ty_mldsa_expand_mask, where its kernels worked
 * in every attempt. */
void ty_mldsa_mask_forget(void)
{
    streams s;
    __asm__ volatile("" : : "r"(&s) : "memory");
    ty_wipe_below_8k();
    __asm__ volatile("" : : "r"(&s) : "memory");
}

/* The shuffle of algorithm 29: coefficient i is exchanged with one at or below it, which becomes 1
 * or -1. Here the nonzero coefficients are numbered from 1 in the order in which they are drawn:
 * which[i] is the number of coefficient i, or 0 if that is zero, and at[n] the position of number
 * n; zeros are moved too, to at[0], which is not used. A position that is drawn too high changes
 * nothing, because the coefficient there is zero. The first block is nearly always enough: each of
 * 60 positions takes 1.14 bytes on average, and 128 are available. */
static void shuffle(uint8_t at[64], uint8_t block[TY_SHAKE256_BLOCK], const uint8_t *in,
                    const ty_mldsa_row *row)
{
    uint8_t which[256] = { 0 };
    size_t next = 8, blocks = 1;
    for (size_t n = 0; n < row->tau; next++) {
        const size_t i = 256u - row->tau + n;
        if (next == TY_SHAKE256_BLOCK) {
            ty_keccak sponge;
            ty_keccak_start(&sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
            ty_keccak_absorb(&sponge, in, row->c_len);
            for (size_t b = 0; b <= blocks; b++)
                ty_keccak_squeeze(block, TY_SHAKE256_BLOCK, &sponge);
            blocks++;
            next = 0;
        }
        const size_t j = block[next], fits = j <= i, moved = which[j],
                     placed = (n + 1) & (0 - fits);
        which[i] = (uint8_t)moved;
        at[moved] = (uint8_t)i;
        which[j] = (uint8_t)placed;
        at[placed] = (uint8_t)j;
        n += fits;
    }
}

/* the positions of 1 first, then those of -1: the n-th position drawn has the n-th sign */
void ty_mldsa_challenge_from_vt(ty_mldsa_challenge *out, uint8_t block[TY_AT_LEAST(136)],
                                const uint8_t *in, const ty_mldsa_row *row)
{
    const uint64_t signs = ty_get64le(block);
    uint8_t at[64];
    size_t n = 0;
    shuffle(at, block, in, row);
    for (size_t i = 0; i < row->tau; i++) {
        out->at[n] = at[i + 1];
        n += (size_t)(~(signs >> i) & 1);
    }
    out->plus = n;
    for (size_t i = 0; i < row->tau; i++) {
        out->at[n] = at[i + 1];
        n += (size_t)(signs >> i & 1);
    }
    out->n = n;
}

void ty_mldsa_challenge_poly(int32_t c[TY_AT_LEAST(256)], const ty_mldsa_challenge *challenge,
                             int32_t one)
{
    memset(c, 0, sizeof(ty_q_poly));
    for (size_t i = 0; i < challenge->plus; i++) c[challenge->at[i]] = one;
    for (size_t i = challenge->plus; i < challenge->n; i++) c[challenge->at[i]] = -one;
}

void ty_mldsa_challenge_vt(ty_mldsa_challenge *const *challenge, const uint8_t *const *in, size_t n,
                      const ty_mldsa_row *row)
{
    uint8_t block[TY_MLDSA_LANES][TY_SHAKE256_BLOCK], *to[TY_MLDSA_LANES] = { NULL };
    ty_keccak_piece piece[TY_MLDSA_LANES] = { { NULL, 0 } };
    for (size_t i = 0; i < n; i++) {
        to[i] = block[i];
        piece[i] = (ty_keccak_piece){ in[i], row->c_len };
    }
    ty_keccak_lanes_hash(to, TY_SHAKE256_BLOCK, TY_SHAKE256_BLOCK, piece, 1, n);
    for (size_t i = 0; i < n; i++) ty_mldsa_challenge_from_vt(challenge[i], block[i], in[i], row);
}
