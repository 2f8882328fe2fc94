/* The key derivation function of SM2 (GB/T 32918.4-2016, 5.4.3): SM3 in counter mode. */
#include "sm3/sm3.h"
#include "tongyu/sm3.h"
#include "base/bytes.h"
#include "base/wipe.h"

#include <string.h>

/* From this number of blocks of output on, they are computed in lanes. */
enum { MANY = 3 };

/* Blocks of output, one in each lane: for each of them the end of z, the counter and the padding,
 * of which only the counters differ. */
typedef struct group {
    ty_sm3_lanes l;
    uint8_t end[TY_SM3_LANES][2 * TY_SM3_BLOCK], digest[TY_SM3_LEN];
} group;

static void prepare(group *g, const ty_sm3 *start, size_t used, size_t blocks)
{
    for (size_t i = 0; i < TY_SM3_LANES; i++) {
        memset(g->end[i], 0, sizeof g->end[i]);
        memcpy(g->end[i], start->block, used);
        g->end[i][used + 4] = 0x80;
        ty_put64be(g->end[i] + TY_SM3_BLOCK * blocks - 8, (start->len + 4) * 8);
        g->l.in[i] = g->end[i];
    }
}

/* Computes a block of output in each lane, up to out_len bytes; i is the first counter. Returns the
 * number of bytes. */
static size_t in_lanes(uint8_t *out, size_t out_len, group *g, const ty_sm3_ops *ops,
                       const ty_sm3 *start, uint32_t i)
{
    const size_t used = start->len % TY_SM3_BLOCK, blocks = used + 4 < TY_SM3_BLOCK - 8 ? 1 : 2;
    size_t done = 0;
    for (size_t lane = 0; lane < ops->lanes; lane++) {
        ty_put32be(g->end[lane] + used, i + (uint32_t)lane);
        for (int k = 0; k < 8; k++) g->l.h[k][lane] = start->h[k];
    }
    TY_HELD(sm3, ops)->step(&g->l, blocks);
    for (size_t lane = 0; lane < ops->lanes && done < out_len; lane++) {
        const size_t n = out_len - done < TY_SM3_LEN ? out_len - done : TY_SM3_LEN;
        for (int k = 0; k < 8; k++) ty_put32be(g->digest + 4 * k, g->l.h[k][lane]);
        memcpy(out + done, g->digest, n);
        done += n;
    }
    return done;
}

static void many_blocks(uint8_t *out, size_t out_len, const ty_sm3_ops *ops, const ty_sm3 *start)
{
    const size_t used = start->len % TY_SM3_BLOCK;
    group g;
    prepare(&g, start, used, used + 4 < TY_SM3_BLOCK - 8 ? 1 : 2);
    for (uint32_t i = 1; out_len; i += (uint32_t)ops->lanes) {
        const size_t n = in_lanes(out, out_len, &g, ops, start, i);
        out += n;
        out_len -= n;
    }
    ty_wipe(&g, sizeof g);
    ty_wipe_below_8k();
}

static void one_by_one(uint8_t *out, size_t out_len, const ty_sm3 *start)
{
    uint8_t counter[4], digest[TY_SM3_LEN];
    for (uint32_t i = 1; out_len; i++) {
        const size_t n = out_len < sizeof digest ? out_len : sizeof digest;
        ty_sm3 c = *start;
        ty_put32be(counter, i);
        ty_sm3_update(&c, counter, sizeof counter);
        ty_sm3_final(digest, &c);
        memcpy(out, digest, n);
        out += n;
        out_len -= n;
    }
    ty_wipe(digest, sizeof digest);
}

ty_err ty_kdf_sm3(uint8_t *out, size_t out_len, const uint8_t *z, size_t z_len)
{
    const ty_sm3_ops *ops = ty_sm3_best();
    const uint64_t count = (uint64_t)(out_len / TY_SM3_LEN) + (out_len % TY_SM3_LEN != 0);
    if (count > 0xffffffffu) return TY_ERR_SIZE;   /* the block counter has 32 bits */

    /* z is hashed once; every output block continues from there with its own counter */
    ty_sm3 start;
    ty_sm3_init(&start);
    ty_sm3_update(&start, z, z_len);
    if (ops->lanes && count >= MANY) many_blocks(out, out_len, ops, &start);
    else one_by_one(out, out_len, &start);
    ty_wipe(&start, sizeof start);
    ty_wipe_below_1k();
    return TY_OK;
}
