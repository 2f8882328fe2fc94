/* SM4 on bit planes in C: LANE blocks, one block, and key schedules. Template, once in a unit,
 * before sm4_bitslice.h, which describes the layout, W, LANE, UNITS and spread. For this file the
 * including file also defines
 *   gather(p)    the word at p, of one block, and the same word of every eighth block after it,
 *                byte j of each in lane j; the bits are not transposed yet
 *   scatter(p,w) the inverse */
#ifndef TY_SM4_SM4_CIRCUIT_H
#define TY_SM4_SM4_CIRCUIT_H

#include "base/wipe.h"
#include "sm4/sm4_planes.h"
#define sbox TY_K(sm4_sbox)   /* it is called, not inlined: a profile shows it */
#include "sm4/sm4_sbox.inc"
#include "sm4/sm4_word.h"

#define ROTL(x, lanes) ((x) << (LANE * (lanes)) | (x) >> (4 * LANE - LANE * (lanes)))

/* Exchange the bits of a that mask << s selects with the bits of b that mask selects. */
static inline void swap_bits(W *a, W *b, unsigned s, W mask)
{
    const W t = ((*a >> s) ^ *b) & mask;
    *b ^= t;
    *a ^= t << s;
}

/* In every byte position, bit p of x[m] is exchanged with bit m of x[p]. Its own inverse. */
static inline void transpose(W x[8])
{
    const W ones = (W)~(W)0;
    /* 0x55... */
    for (unsigned i = 0; i < 8; i += 2) swap_bits(&x[i], &x[i + 1], 1, ones / 3);
    /* 0x33... */
    for (unsigned i = 0; i < 4; i++) swap_bits(&x[i + (i & 2)], &x[i + (i & 2) + 2], 2, ones / 5);
    /* 0x0f... */
    for (unsigned i = 0; i < 4; i++) swap_bits(&x[i], &x[i + 4], 4, ones / 17);
}

/* x0 ^= L(S(x1 ^ x2 ^ x3 ^ rk)), L(b) = b ^ b<<<2 ^ b<<<10 ^ b<<<18 ^ b<<<24 = b ^ b<<<24 ^ (b ^
 * b<<<8 ^ b<<<16)<<<2 */
static inline void TY_K(sm4_round)(W x0[8], const W x1[8], const W x2[8], const W x3[8],
                                   const W rk[8])
{
    W b[8], a[8];
    for (int p = 0; p < 8; p++) b[p] = x1[p] ^ x2[p] ^ x3[p] ^ rk[p];
    sbox(b);
    for (int p = 0; p < 8; p++) a[p] = b[p] ^ ROTL(b[p], 1) ^ ROTL(b[p], 2);
    for (int p = 0; p < 8; p++)
        x0[p] ^= b[p] ^ ROTL(b[p], 3) ^ (p < 2 ? ROTL(a[(p + 6) & 7], 1) : a[(p + 6) & 7]);
}

/* LANE blocks, out and in the same or disjoint. */
static void TY_K(sm4_crypt)(uint8_t out[16 * LANE], const uint8_t in[16 * LANE],
                            const W k[256])
{
    W x[4][8];
    for (int i = 0; i < 4; i++) {
        for (int m = 0; m < 8; m++) x[i][m] = gather(in + 16 * m + 4 * i);
        transpose(x[i]);
    }
    for (int r = 0; r < 32; r += 4) {
        TY_K(sm4_round)(x[0], x[1], x[2], x[3], k + 8 * r);
        TY_K(sm4_round)(x[1], x[2], x[3], x[0], k + 8 * (r + 1));
        TY_K(sm4_round)(x[2], x[3], x[0], x[1], k + 8 * (r + 2));
        TY_K(sm4_round)(x[3], x[0], x[1], x[2], k + 8 * (r + 3));
    }
    for (int i = 0; i < 4; i++) {   /* the words are output in reverse order */
        transpose(x[3 - i]);
        for (int m = 0; m < 8; m++) scatter(out + 16 * m + 4 * i, x[3 - i][m]);
    }
    ty_wipe(x, sizeof x);
}

static void TY_K(sm4_schedule)(uint32_t rk[TY_AT_LEAST(32)], const uint8_t key[TY_AT_LEAST(16)])
{
    const uint32_t fk[4] = TY_SM4_FK;
    uint32_t k[4];
    for (int i = 0; i < 4; i++) k[i] = ty_get32be(key + 4 * i) ^ fk[i];
    for (unsigned i = 0; i < 32; i++) {
        const uint32_t x = k[(i + 1) & 3] ^ k[(i + 2) & 3] ^ k[(i + 3) & 3] ^ ty_sm4_ck(i);
        const uint32_t b = TY_K(sm4_tau)(x);
        rk[i] = k[i & 3] ^= b ^ ty_rotl32(b, 13) ^ ty_rotl32(b, 23);
    }
    ty_wipe(k, sizeof k);
    ty_wipe_below_1k();
}

/* x += w, the same word in all blocks */
static inline void TY_K(sm4_add_word)(W x[8], uint32_t w)
{
    for (int p = 0; p < 8; p++) {
        const W unit = (spread(w) >> p) & UNITS;
        x[p] ^= (unit << LANE) - unit;
    }
}

/* k0 += L'(S(k1 + k2 + k3 + CK_r)), L'(b) = b + b<<<13 + b<<<23 */
static void TY_K(sm4_key_round)(W k0[8], const W k1[8], const W k2[8], const W k3[8], unsigned r)
{
    W b[8];
    for (int p = 0; p < 8; p++) b[p] = k1[p] ^ k2[p] ^ k3[p];
    TY_K(sm4_add_word)(b, ty_sm4_ck(r) ^ TY_SM4_PLANES_BEFORE);
    sbox(b);
    TY_K(sm4_add_word)(b, TY_SM4_PLANES_AFTER);
    for (int p = 0; p < 8; p++)
        k0[p] ^= b[p] ^ ROTL(b[(p + 3) & 7], p < 5 ? 2 : 1) ^ ROTL(b[(p + 1) & 7], p < 7 ? 3 : 2);
}

/* LANE keys and their E(0) */
typedef struct schedules {
    W k[4][8], x[4][8], rk[8];
    uint8_t bytes[16 * LANE];
} schedules;

/* Round keys r to r + 3 of n keys */
static void TY_K(sm4_store_keys)(ty_sm4_key *first, size_t stride, size_t n, unsigned r,
                                 schedules *s)
{
    for (unsigned i = 0; i < 4; i++) {
        memcpy(s->rk, s->k[i], sizeof s->rk);
        transpose(s->rk);
        for (int m = 0; m < 8; m++) scatter(s->bytes + 16 * m + 4 * i, s->rk[m]);
    }
    for (size_t j = 0; j < n; j++) {
        ty_sm4_key *key = ty_sm4_key_at(first, stride, j);
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t rk = ty_get32be(s->bytes + 16 * j + 4 * i);
            key->enc[r + i] = key->dec[31 - r - i] = rk;
        }
    }
}

/* The schedules on planes, and if h is not NULL the encryption of a block of zeros: each round key
 * is used in its round as soon as it is computed. */
static __attribute__((noinline))
void TY_K(sm4_schedules_all)(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes,
                             size_t n)
{
    static const uint32_t fk[4] = TY_SM4_FK;
    schedules s;
    for (size_t from = 0; from < n; from += LANE) {
        const size_t some = n - from < LANE ? n - from : LANE;
        memset(&s, 0, sizeof s);
        memcpy(s.bytes, bytes + 16 * from, 16 * some);
        for (unsigned i = 0; i < 4; i++) {
            for (int m = 0; m < 8; m++) s.k[i][m] = gather(s.bytes + 16 * m + 4 * i);
            transpose(s.k[i]);
            TY_K(sm4_add_word)(s.k[i], fk[i]);
        }
        for (unsigned r = 0; r < 32; r++) {
            const unsigned a = r & 3, b = (r + 1) & 3, c = (r + 2) & 3, d = (r + 3) & 3;
            TY_K(sm4_key_round)(s.k[a], s.k[b], s.k[c], s.k[d], r);
            if (h) {
                memcpy(s.rk, s.k[a], sizeof s.rk);
                TY_K(sm4_add_word)(s.rk, ty_sm4_plane_key(0, r));
                TY_K(sm4_round)(s.x[a], s.x[b], s.x[c], s.x[d], s.rk);
            }
            if (d == 2)   /* all four words are new */
                TY_K(sm4_store_keys)(ty_sm4_key_at(first, stride, from), stride, some, r - 3, &s);
        }
        if (h == NULL) continue;
        for (unsigned i = 0; i < 4; i++) {   /* the words are output in reverse order */
            transpose(s.x[3 - i]);
            for (int m = 0; m < 8; m++) scatter(s.bytes + 16 * m + 4 * i, s.x[3 - i][m]);
        }
        memcpy(h + 16 * from, s.bytes, 16 * some);
    }
    ty_wipe(&s, sizeof s);
}

static void TY_K(sm4_schedules)(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes,
                                size_t n)
{
    TY_K(sm4_schedules_all)(first, stride, h, bytes, n);
    ty_wipe_below_8k();
}

#endif
