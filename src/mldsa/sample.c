/* Sampling from SHAKE, four states side by side: the matrix, the secret vectors, the mask; and the challenge. */
#include "mldsa/mldsa.h"

#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

#define LANES 4
enum { SHAKE128_WORDS = TY_SHAKE128_BLOCK / 8, SHAKE256_WORDS = TY_SHAKE256_BLOCK / 8 };

typedef struct lanes {
    uint64_t a[25][LANES];
} __attribute__((aligned(32))) lanes;

/* Each lane absorbs seed || nonce (two bytes, little-endian), which is less than a block. */
static void start(lanes *s, const uint8_t *seed, size_t seed_words, const uint16_t nonce[LANES], size_t rate_words)
{
    memset(s, 0, sizeof *s);
    for (size_t lane = 0; lane < LANES; lane++) {
        for (size_t w = 0; w < seed_words; w++) s->a[w][lane] = ty_get64le(seed + 8 * w);
        s->a[seed_words][lane] = (uint64_t)nonce[lane] | (uint64_t)TY_KECCAK_SHAKE << 16;
        s->a[rate_words - 1][lane] ^= (uint64_t)1 << 63;
    }
}

/* The next blocks of every lane; lane i writes to out + i stride. */
static void squeeze(uint8_t *out, size_t stride, size_t blocks, lanes *s, size_t rate_words, const ty_keccak_ops *keccak)
{
    for (; blocks > 0; blocks--, out += 8 * rate_words) {
        keccak->f1600_x4(s->a);
        for (size_t lane = 0; lane < LANES; lane++)
            for (size_t w = 0; w < rate_words; w++) ty_put64le(out + lane * stride + 8 * w, s->a[w][lane]);
    }
}

/* 5 blocks are 280 candidates, of which one in 1023 is rejected: a sixth block is wanted about once in 10^30 times. */
void ty_mldsa_expand_a(ty_q_poly *a, size_t stride, size_t first, size_t rows, const uint8_t rho[TY_AT_LEAST(32)],
                       const ty_mldsa_env *env)
{
    const size_t l = env->row->l, total = rows * l;
    uint8_t stream[LANES][5 * TY_SHAKE128_BLOCK];
    lanes s;
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
        start(&s, rho, 4, nonce, SHAKE128_WORDS);
        for (size_t blocks = 5; todo < LANES; blocks = 1) {
            squeeze(stream[0], sizeof stream[0], blocks, &s, SHAKE128_WORDS, env->keccak);
            todo = 0;
            for (size_t lane = 0; lane < LANES; lane++) {
                have[lane] = env->bytes->uniform(poly[lane], have[lane], stream[lane], blocks * TY_SHAKE128_BLOCK);
                todo += have[lane] == 256;
            }
        }
    }
}

/* 2 blocks are 544 candidates: for eta = 4, of which 9/16 are taken, fewer than 256 of them once in 10^5 polynomials. */
void ty_mldsa_expand_s(ty_q_poly *s, const uint8_t rho[TY_AT_LEAST(64)], const ty_mldsa_env *env)
{
    const size_t total = (size_t)env->row->k + env->row->l;
    uint8_t stream[LANES][2 * TY_SHAKE256_BLOCK];
    lanes state;
    for (size_t i = 0; i < total; i += LANES) {
        const uint16_t nonce[LANES] = { (uint16_t)i, (uint16_t)(i + 1), (uint16_t)(i + 2), (uint16_t)(i + 3) };
        size_t have[LANES], done = 0;
        for (size_t lane = 0; lane < LANES; lane++) have[lane] = i + lane < total ? 0 : 256;
        start(&state, rho, 8, nonce, SHAKE256_WORDS);
        for (size_t blocks = 2; done < LANES; blocks = 1) {
            squeeze(stream[0], sizeof stream[0], blocks, &state, SHAKE256_WORDS, env->keccak);
            done = 0;
            for (size_t lane = 0; lane < LANES; lane++) {
                if (have[lane] < 256)
                    have[lane] = env->bytes->small(s[i + lane], have[lane], stream[lane], blocks * TY_SHAKE256_BLOCK,
                                                   env->row->eta);
                done += have[lane] == 256;
            }
        }
    }
    ty_wipe(stream, sizeof stream);
    ty_wipe(&state, sizeof state);
}

void ty_mldsa_expand_mask(ty_q_poly y[TY_AT_LEAST(4)], const uint8_t rho[TY_AT_LEAST(64)], unsigned kappa,
                          const ty_mldsa_env *env)
{
    uint8_t stream[LANES][5 * TY_SHAKE256_BLOCK];
    const uint16_t nonce[LANES] = { (uint16_t)kappa, (uint16_t)(kappa + 1), (uint16_t)(kappa + 2), (uint16_t)(kappa + 3) };
    lanes state;
    start(&state, rho, 8, nonce, SHAKE256_WORDS);
    squeeze(stream[0], sizeof stream[0], 5, &state, SHAKE256_WORDS, env->keccak);
    for (size_t lane = 0; lane < LANES; lane++) env->bytes->unpack(y[lane], stream[lane], env->row->z_bits, env->row->gamma1);
    ty_wipe(stream, sizeof stream);
    ty_wipe(&state, sizeof state);
}

/* A shuffle: coefficient i, as they come, changes places with one at or below it, which becomes 1 or -1. */
void ty_mldsa_ball_vt(int32_t c[TY_AT_LEAST(256)], const uint8_t *in, const ty_mldsa_row *row)
{
    uint8_t block[TY_SHAKE256_BLOCK];
    ty_keccak sponge;
    ty_keccak_start(&sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(&sponge, in, row->c_len);
    ty_keccak_squeeze(block, sizeof block, &sponge);
    uint64_t signs = ty_get64le(block);
    size_t at = 8;
    memset(c, 0, sizeof(ty_q_poly));
    for (size_t i = 256u - row->tau; i < 256; at++) {
        if (at == sizeof block) {
            ty_keccak_squeeze(block, sizeof block, &sponge);
            at = 0;
        }
        const size_t j = block[at];
        if (j > i) continue;
        c[i++] = c[j];
        c[j] = 1 - 2 * (int32_t)(signs & 1);
        signs >>= 1;
    }
}
