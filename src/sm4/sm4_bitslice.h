/* SM4 on bit planes: the kernels of the portable tiers. Template, once in a unit. No table, no
 * multiplication, no branch on data.
 *
 * The including file gives the machine's word:
 *   W, LANE      an unsigned type of 4 LANE bits; LANE blocks are worked on at once
 *   UNITS        the lowest bit of each of the four lanes
 *   gather(p)    a word of the plane layout before its bits are transposed (below); p points at
 *                word k of block 0
 *   scatter(p,w) the opposite
 *   spread(x)    byte j of x at the bottom of lane j
 *
 * Layout. A state word X of LANE blocks is eight planes; plane p has four lanes, and bit i of lane
 * j is bit p of byte j of block i's word (byte 0 the least significant). So
 *   - the S-box is one circuit for all four bytes of all blocks,
 *   - rotating the words left by 8 is rotating every plane left by LANE: a single instruction,
 *   - rotating by 2 renames planes, and the two that wrap around move up one lane.
 *
 * Floor: a round is 24 XOR and the key, 105 gates of S-box, 26 rotations and 40 XOR of L: 195
 * operations; 32 rounds are 6240, and the transpositions in and out about 1000. At LANE = 16 that
 * is 28 operations per byte, at three per cycle 9.5 cycles per byte; twice that with 32-bit
 * words. */
#ifndef TY_SM4_SM4_BITSLICE_H
#define TY_SM4_SM4_BITSLICE_H

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

/* In every byte position, bit p of x[m] changes places with bit m of x[p]. Its own inverse. */
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

/* Round keys as planes: each bit fills its lane. */
typedef struct keys { W p[32][8]; } keys;

static void TY_K(sm4_expand)(keys *k, const uint32_t rk[32])
{
    for (unsigned r = 0; r < 32; r++)
        for (int p = 0; p < 8; p++) {
            const W unit = (spread(ty_sm4_plane_key(rk[r], r)) >> p) & UNITS;
            /* 2^LANE - 1 times each unit bit; the top lane wraps as it should */
            k->p[r][p] = (unit << LANE) - unit;
        }
}

/* LANE blocks, out and in the same or apart. */
static void TY_K(sm4_crypt)(uint8_t out[16 * LANE], const uint8_t in[16 * LANE], const keys *k)
{
    W x[4][8];
    for (int i = 0; i < 4; i++) {
        for (int m = 0; m < 8; m++) x[i][m] = gather(in + 16 * m + 4 * i);
        transpose(x[i]);
    }
    for (int r = 0; r < 32; r += 4) {
        TY_K(sm4_round)(x[0], x[1], x[2], x[3], k->p[r]);
        TY_K(sm4_round)(x[1], x[2], x[3], x[0], k->p[r + 1]);
        TY_K(sm4_round)(x[2], x[3], x[0], x[1], k->p[r + 2]);
        TY_K(sm4_round)(x[3], x[0], x[1], x[2], k->p[r + 3]);
    }
    for (int i = 0; i < 4; i++) {   /* the words leave in the opposite order */
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

/* x += w, a word that all lanes have in common */
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

/* The schedules on planes, and if h is given a block of zeros behind them through the cipher: each
 * round key goes into its round as soon as it is made. */
static void TY_K(sm4_schedules)(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes,
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
            if (d == 2)   /* the fourth word is new */
                TY_K(sm4_store_keys)(ty_sm4_key_at(first, stride, from), stride, some, r - 3, &s);
        }
        if (h == NULL) continue;
        for (unsigned i = 0; i < 4; i++) {   /* the words leave in the opposite order */
            transpose(s.x[3 - i]);
            for (int m = 0; m < 8; m++) scatter(s.bytes + 16 * m + 4 * i, s.x[3 - i][m]);
        }
        memcpy(h + 16 * from, s.bytes, 16 * some);
    }
    ty_wipe(&s, sizeof s);
    ty_wipe_below_1k();
}

/* The modes go through a batch: up to LANE blocks, the cipher, and what the mode adds. */
typedef struct batch {
    keys k;
    uint8_t x[16 * LANE], y[16 * LANE];
} batch;

static void TY_K(sm4_batch_init)(batch *b, const uint32_t rk[32])
{
    TY_K(sm4_expand)(&b->k, rk);
    memset(b->x, 0, sizeof b->x);   /* a short batch runs on whatever is there */
}

static void TY_K(sm4_ecb)(uint8_t *out, const uint8_t *in, size_t blocks,
                          const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 0) return;
    if (blocks == 1) {
        TY_K(sm4_one)(out, in, rk);
        ty_wipe_below_1k();   /* words of the block, where the compiler kept them */
        return;
    }
    batch b;
    TY_K(sm4_batch_init)(&b, rk);
    for (; blocks >= LANE; blocks -= LANE, in += 16 * LANE, out += 16 * LANE)
        TY_K(sm4_crypt)(out, in, &b.k);
    if (blocks) {
        memcpy(b.x, in, 16 * blocks);
        TY_K(sm4_crypt)(b.x, b.x, &b.k);
        memcpy(out, b.x, 16 * blocks);
    }
    ty_wipe(&b, sizeof b);
}

static void TY_K(sm4_ctr32)(uint8_t *out, const uint8_t *in, size_t blocks,
                            const uint8_t counter[TY_AT_LEAST(16)],
                            const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 0) return;
    uint32_t n = ty_get32be(counter + 12);
    if (blocks == 1) {
        uint8_t pad[16];
        TY_K(sm4_one)(pad, counter, rk);
        ty_sm4_xor(out, in, pad);
        ty_wipe(pad, sizeof pad);
        ty_wipe_below_1k();
        return;
    }
    batch b;
    TY_K(sm4_batch_init)(&b, rk);
    while (blocks) {
        const size_t some = blocks < LANE ? blocks : LANE;
        for (size_t i = 0; i < LANE; i++) {
            memcpy(b.x + 16 * i, counter, 12);
            ty_put32be(b.x + 16 * i + 12, n);
            /* GCM's may be secret: the compiler shall not count the loop in it */
            n = ty_barrier32(n + 1);
        }
        TY_K(sm4_crypt)(b.x, b.x, &b.k);
        for (size_t i = 0; i < 16 * some; i++) out[i] = in[i] ^ b.x[i];
        blocks -= some;
        in += 16 * some;
        out += 16 * some;
    }
    ty_wipe(&b, sizeof b);
}

/* A chain has nothing to do side by side. */
static void TY_K(sm4_cbc_encrypt)(uint8_t *out, const uint8_t *in, size_t blocks,
                                  uint8_t iv[TY_AT_LEAST(16)], const uint32_t rk[TY_AT_LEAST(32)])
{
    for (; blocks; blocks--, in += 16, out += 16) {
        ty_sm4_xor(iv, iv, in);
        TY_K(sm4_one)(iv, iv, rk);
        memcpy(out, iv, 16);
    }
    ty_wipe_below_1k();
}

static void TY_K(sm4_cbc_decrypt)(uint8_t *out, const uint8_t *in, size_t blocks,
                                  uint8_t iv[TY_AT_LEAST(16)], const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 0) return;
    batch b;
    TY_K(sm4_batch_init)(&b, rk);
    while (blocks) {
        const size_t some = blocks < LANE ? blocks : LANE;
        memcpy(b.x, in, 16 * some);            /* out may be in: keep the ciphertext */
        TY_K(sm4_crypt)(b.y, b.x, &b.k);
        ty_sm4_xor(out, b.y, iv);
        for (size_t i = 16; i < 16 * some; i++) out[i] = b.y[i] ^ b.x[i - 16];
        memcpy(iv, b.x + 16 * (some - 1), 16);
        blocks -= some;
        in += 16 * some;
        out += 16 * some;
    }
    ty_wipe(&b, sizeof b);
}

static void TY_K(sm4_cfb_decrypt)(uint8_t *out, const uint8_t *in, size_t blocks,
                                  uint8_t iv[TY_AT_LEAST(16)], const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 0) return;
    batch b;
    TY_K(sm4_batch_init)(&b, rk);
    while (blocks) {
        const size_t some = blocks < LANE ? blocks : LANE;
        memcpy(b.x, iv, 16);
        memcpy(b.x + 16, in, 16 * (some - 1));
        memcpy(iv, in + 16 * (some - 1), 16);
        TY_K(sm4_crypt)(b.y, b.x, &b.k);
        for (size_t i = 0; i < 16 * some; i++) out[i] = in[i] ^ b.y[i];
        blocks -= some;
        in += 16 * some;
        out += 16 * some;
    }
    ty_wipe(&b, sizeof b);
}

static void TY_K(sm4_xex)(uint8_t *out, const uint8_t *in, const uint8_t *mask, size_t blocks,
                          const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 0) return;
    batch b;
    TY_K(sm4_batch_init)(&b, rk);
    while (blocks) {
        const size_t some = blocks < LANE ? blocks : LANE;
        for (size_t i = 0; i < 16 * some; i++) b.x[i] = in[i] ^ mask[i];
        TY_K(sm4_crypt)(b.x, b.x, &b.k);
        for (size_t i = 0; i < 16 * some; i++) out[i] = b.x[i] ^ mask[i];
        blocks -= some;
        in += 16 * some;
        mask += 16 * some;
        out += 16 * some;
    }
    ty_wipe(&b, sizeof b);
}

/* A key for every block: the planes of LANE lanes together, group after group. */
static void TY_K(sm4_lane_key)(ty_sm4_lanes *l, size_t lane, const uint32_t rk[TY_AT_LEAST(32)])
{
    keys *k = (keys *)(void *)&l->key + lane / LANE;
    const unsigned i = lane % LANE;
    for (unsigned r = 0; r < 32; r++)
        for (int p = 0; p < 8; p++) {
            const W units = (spread(ty_sm4_plane_key(rk[r], r)) >> p) & UNITS;
            k->p[r][p] = (k->p[r][p] & ~((W)UNITS << i)) | units << i;
        }
}

static void TY_K(sm4_lanes)(ty_sm4_lanes *l, size_t n)
{
    const keys *k = (const keys *)(const void *)&l->key;
    for (size_t from = 0; from < n; from += LANE)
        TY_K(sm4_crypt)(l->x + 16 * from, l->x + 16 * from, k++);
}

#endif
