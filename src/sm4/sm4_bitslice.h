/* SM4 on bit planes: the kernels of the tiers whose planes are in general registers. Template, once
 * in a unit. No table, no multiplication, no branch on data.
 *
 * The including file defines the machine's word:
 *   W, LANE      an unsigned type of 4 LANE bits; LANE blocks are processed at once
 *   UNITS        the lowest bit of each of the four lanes
 *   spread(x)    byte j of x at the bottom of lane j
 * and the cipher, out and in the same or disjoint:
 *   void TY_K(sm4_crypt)(uint8_t out[16 * LANE], const uint8_t in[16 * LANE], const W k[256]);
 *   void TY_K(sm4_one)(uint8_t out[16], const uint8_t in[16], const uint32_t rk[32]);
 * sm4_circuit.h has them in C, and the schedules.
 *
 * Layout. A state word X of LANE blocks is eight planes; plane p has four lanes, and bit i of lane
 * j is bit p of byte j of block i's word (byte 0 the least significant). So
 *   - the S-box is one circuit for all four bytes of all blocks,
 *   - rotating the words left by 8 is rotating every plane left by LANE: a single instruction,
 *   - rotating by 2 renames planes, and the two that wrap around move up one lane.
 *
 * Lower bound: a round is 24 XOR of three words and the key, 105 gates of S-box, 26 rotations and
 * 40 XOR of L: 195 operations; 32 rounds are 6240, and the transpositions in and out about 1000. At
 * LANE = 16 that is 28 operations per byte, at three per cycle 9.5 cycles per byte; twice that with
 * 32-bit words. */
#ifndef TY_SM4_SM4_BITSLICE_H
#define TY_SM4_SM4_BITSLICE_H

#include "base/wipe.h"
#include "sm4/sm4_planes.h"

/* Round keys as planes: each bit fills its lane. */
typedef struct keys { W p[32 * 8]; } keys;

static void TY_K(sm4_expand)(keys *k, const uint32_t rk[32])
{
    for (unsigned r = 0; r < 32; r++)
        for (unsigned p = 0; p < 8; p++) {
            const W unit = (spread(ty_sm4_plane_key(rk[r], r)) >> p) & UNITS;
            /* 2^LANE - 1 times each unit bit; the top lane wraps around, which is correct */
            k->p[8 * r + p] = (unit << LANE) - unit;
        }
}

/* A batch of the modes: the round keys, up to LANE blocks, and room for the result. */
typedef struct batch {
    keys k;
    uint8_t x[16 * LANE], y[16 * LANE];
} batch;

static void TY_K(sm4_batch_init)(batch *b, const uint32_t rk[32])
{
    TY_K(sm4_expand)(&b->k, rk);
    memset(b->x, 0, sizeof b->x);   /* unused blocks of a short batch are encrypted, too */
}

static void TY_K(sm4_ecb)(uint8_t *out, const uint8_t *in, size_t blocks,
                          const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 0) return;
    if (blocks == 1) {
        TY_K(sm4_one)(out, in, rk);
        ty_wipe_below_1k();   /* words of the block that the compiler kept on the stack */
        return;
    }
    batch b;
    TY_K(sm4_batch_init)(&b, rk);
    for (; blocks >= LANE; blocks -= LANE, in += 16 * LANE, out += 16 * LANE)
        TY_K(sm4_crypt)(out, in, b.k.p);
    if (blocks) {
        memcpy(b.x, in, 16 * blocks);
        TY_K(sm4_crypt)(b.x, b.x, b.k.p);
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
            /* GCM's counter may be secret: the compiler must not count the loop with it */
            n = ty_barrier32(n + 1);
        }
        TY_K(sm4_crypt)(b.x, b.x, b.k.p);
        for (size_t i = 0; i < 16 * some; i++) out[i] = in[i] ^ b.x[i];
        blocks -= some;
        in += 16 * some;
        out += 16 * some;
    }
    ty_wipe(&b, sizeof b);
}

/* The blocks of a chain cannot be processed in parallel. */
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
        memcpy(b.x, in, 16 * some);            /* `out` may be `in`: keep the ciphertext */
        TY_K(sm4_crypt)(b.y, b.x, b.k.p);
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
        TY_K(sm4_crypt)(b.y, b.x, b.k.p);
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
        TY_K(sm4_crypt)(b.x, b.x, b.k.p);
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
        for (unsigned p = 0; p < 8; p++) {
            const W units = (spread(ty_sm4_plane_key(rk[r], r)) >> p) & UNITS;
            k->p[8 * r + p] = (k->p[8 * r + p] & ~((W)UNITS << i)) | units << i;
        }
}

static void TY_K(sm4_lane_keys)(ty_sm4_lanes *l, const uint8_t *const rows[TY_AT_LEAST(32)],
                                size_t n)
{
    for (size_t i = 0; i < n; i++)
        TY_K(sm4_lane_key)(l, i, (const uint32_t *)(const void *)rows[i]);
}

static void TY_K(sm4_lanes)(ty_sm4_lanes *l, size_t n)
{
    const keys *k = (const keys *)(const void *)&l->key;
    for (size_t from = 0; from < n; from += LANE)
        TY_K(sm4_crypt)(l->x + 16 * from, l->x + 16 * from, (k++)->p);
}

#endif
