/* Sampling from SHAKE, four states side by side: the matrix, the secret vectors, the mask; and the challenge. */
#include "mldsa/mldsa.h"

#include "base/bytes.h"
#include "keccak/keccak_lanes.h"

#include <string.h>

#define LANES 4

/* A sampler's four streams and what they are read into. */
typedef struct streams {
    ty_keccak_lanes sponge;
    uint8_t bytes[LANES][5 * TY_SHAKE128_BLOCK];
} streams;

/* Each lane absorbs seed || nonce, two bytes, little-endian. */
static void start(streams *s, unsigned rate, const uint8_t *seed, size_t seed_len, const uint16_t nonce[LANES])
{
    uint8_t in[LANES][64 + 2];
    for (size_t i = 0; i < LANES; i++) {
        memcpy(in[i], seed, seed_len);
        in[i][seed_len] = (uint8_t)nonce[i];
        in[i][seed_len + 1] = (uint8_t)(nonce[i] >> 8);
    }
    const uint8_t *const p[LANES] = { in[0], in[1], in[2], in[3] };
    ty_keccak_lanes_absorb(&s->sponge, LANES, rate, p, seed_len + 2);
    ty_wipe(in, sizeof in);
}

static void squeeze(streams *s, size_t blocks)
{
    uint8_t *const p[LANES] = { s->bytes[0], s->bytes[1], s->bytes[2], s->bytes[3] };
    ty_keccak_lanes_squeeze(p, blocks, &s->sponge);
}

/* 5 blocks are 280 candidates, of which one in 1023 is rejected: a sixth block is wanted about once in 10^30 times. */
void ty_mldsa_expand_a(ty_q_poly *a, size_t stride, size_t first, size_t rows, const uint8_t rho[TY_AT_LEAST(32)],
                       const ty_mldsa_env *env)
{
    const size_t l = env->row->l, total = rows * l;
    streams s;
    for (size_t i = 0; i < total; i += LANES) {
        uint16_t nonce[LANES];
        size_t have[LANES], todo = 0;
        int32_t *poly[LANES];
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t at = i + lane < total ? i + lane : total - 1, row = at / l, column = at % l;
            nonce[lane] = (uint16_t)(column | (first + row) << 8);
            poly[lane] = a[row * stride + column];
            have[lane] = i + lane < total ? 0 : 256;
        }
        start(&s, TY_SHAKE128_BLOCK, rho, 32, nonce);
        for (size_t blocks = 5; todo < LANES; blocks = 1) {
            squeeze(&s, blocks);
            todo = 0;
            for (size_t lane = 0; lane < LANES; lane++) {
                have[lane] = env->bytes->uniform(poly[lane], have[lane], s.bytes[lane], blocks * TY_SHAKE128_BLOCK);
                todo += have[lane] == 256;
            }
        }
    }
}

/* 2 blocks are 544 candidates: for eta = 4, of which 9/16 are taken, fewer than 256 of them once in 10^5 polynomials. */
void ty_mldsa_expand_s(ty_q_poly *polys, const uint8_t rho[TY_AT_LEAST(64)], const ty_mldsa_env *env)
{
    const size_t total = (size_t)env->row->k + env->row->l;
    streams s;
    for (size_t i = 0; i < total; i += LANES) {
        const uint16_t nonce[LANES] = { (uint16_t)i, (uint16_t)(i + 1), (uint16_t)(i + 2), (uint16_t)(i + 3) };
        size_t have[LANES], done = 0;
        for (size_t lane = 0; lane < LANES; lane++) have[lane] = i + lane < total ? 0 : 256;
        start(&s, TY_SHAKE256_BLOCK, rho, 64, nonce);
        for (size_t blocks = 2; done < LANES; blocks = 1) {
            squeeze(&s, blocks);
            done = 0;
            for (size_t lane = 0; lane < LANES; lane++) {
                if (have[lane] < 256)
                    have[lane] = env->bytes->small(polys[i + lane], have[lane], s.bytes[lane],
                                                   blocks * TY_SHAKE256_BLOCK, env->row->eta);
                done += have[lane] == 256;
            }
        }
    }
    ty_wipe(&s, sizeof s);
}

void ty_mldsa_expand_mask(ty_q_poly y[TY_AT_LEAST(4)], const uint8_t rho[TY_AT_LEAST(64)], unsigned kappa,
                          const ty_mldsa_env *env)
{
    const uint16_t nonce[LANES] = { (uint16_t)kappa, (uint16_t)(kappa + 1), (uint16_t)(kappa + 2), (uint16_t)(kappa + 3) };
    streams s;
    start(&s, TY_SHAKE256_BLOCK, rho, 64, nonce);
    squeeze(&s, 5);
    for (size_t lane = 0; lane < LANES; lane++)
        env->bytes->unpack(y[lane], s.bytes[lane], env->row->z_bits, env->row->gamma1);
    ty_wipe(&s, sizeof s);
}

/* A shuffle: coefficient i, as they come, changes places with one at or below it, which becomes 1 or -1. The first block
 * is nearly always enough: of 60 places each takes 1.14 bytes, and 128 are there. */
typedef struct shuffled {
    uint8_t who[256];               /* which of them is at a place where c is not 0 */
    uint8_t at[64], minus[64];      /* where each is, and its sign */
} shuffled;

static void shuffle(int32_t c[TY_AT_LEAST(256)], shuffled *s, uint8_t block[TY_SHAKE256_BLOCK], const uint8_t *in,
                    const ty_mldsa_row *row)
{
    uint64_t signs = ty_get64le(block);
    size_t next = 8, blocks = 1;
    memset(c, 0, sizeof(ty_q_poly));
    for (size_t n = 0; n < row->tau; next++) {
        const size_t i = 256u - row->tau + n;
        if (next == TY_SHAKE256_BLOCK) {
            ty_keccak sponge;
            ty_keccak_start(&sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
            ty_keccak_absorb(&sponge, in, row->c_len);
            for (size_t b = 0; b <= blocks; b++) ty_keccak_squeeze(block, TY_SHAKE256_BLOCK, &sponge);
            blocks++;
            next = 0;
        }
        const size_t j = block[next];
        if (j > i) continue;
        c[i] = c[j];
        if (c[j]) {
            s->who[i] = s->who[j];
            s->at[s->who[j]] = (uint8_t)i;
        }
        c[j] = 1 - 2 * (int32_t)(signs & 1);
        s->who[j] = (uint8_t)n;
        s->at[n] = (uint8_t)j;
        s->minus[n++] = (uint8_t)(signs & 1);
        signs >>= 1;
    }
}

/* those of 1 first, then those of -1 */
static void sort(ty_mldsa_ball *out, const shuffled *s, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        out->at[at] = s->at[i];
        at += !s->minus[i];
    }
    out->plus = at;
    for (size_t i = 0; i < n; i++) {
        out->at[at] = s->at[i];
        at += s->minus[i];
    }
    out->n = n;
}

void ty_mldsa_ball_vt(int32_t *const *c, ty_mldsa_ball *const *places, const uint8_t *const *in, size_t n,
                      const ty_mldsa_row *row)
{
    uint8_t block[TY_MLDSA_LANES][TY_SHAKE256_BLOCK], *to[TY_MLDSA_LANES] = { NULL };
    ty_keccak_piece piece[TY_MLDSA_LANES] = { { NULL, 0 } };
    for (size_t i = 0; i < n; i++) {
        to[i] = block[i];
        piece[i] = (ty_keccak_piece){ in[i], row->c_len };
    }
    ty_keccak_lanes_hash(to, TY_SHAKE256_BLOCK, TY_SHAKE256_BLOCK, piece, 1, n);
    for (size_t i = 0; i < n; i++) {
        shuffled s;
        shuffle(c[i], &s, block[i], in[i], row);
        if (places) sort(places[i], &s, row->tau);
    }
}
