/* Sixteen GCM messages of one length, with additional data of one length [SP 800-38D]: no scheduler
 * assigns them to rows, and they are hashed together. With AVX-512 and GFNI only: the kernels are
 * ty_sm4_ops.grid_ctr32 and ty_f2_128_ops.horner16. On Granite Rapids, sixteen messages of 256
 * bytes take 3,600 cycles of the TSC, and 6,100 in the rows of sm4_gcm_many.c. */
#include "base/tag.h"
#include "base/wipe.h"
#include "many/sm4_gcm_many.h"
#include "many/sm4_grid.h"

/* so many blocks of additional data are hashed faster by horner than by horner16 */
enum { LONG_AAD = 32 };

typedef struct gcm_equal {
    uint32_t keys[512] __attribute__((aligned(64)));
    uint8_t room[TY_GRID * TY_GRID_ROW] __attribute__((aligned(64)));
    /* of message i at 16 i: J0; E(J0), then the tag; the hash */
    uint8_t j0[16 * TY_GRID], mask[16 * TY_GRID], y[16 * TY_GRID];
    uint8_t part[TY_GRID][32];       /* a last block, padded, and the lengths */
    const ty_sm4_ops *ops;
    const ty_f2_128_ops *ghash;
} gcm_equal;

/* The blocks of all messages from block `ahead` on, where that of J0 is block 0 */
static void equal_ctr(gcm_equal *s, uint8_t *const *out, const uint8_t *const *in, size_t blocks,
                      size_t ahead)
{
    TY_HELD(sm4, s->ops)
        ->grid_ctr32(out, in, blocks, s->j0, (uint32_t)ahead, s->room, s->keys);
}

/* out = in + keystream */
static void equal_text(gcm_equal *s, uint8_t *const *out, const uint8_t *const *in, size_t len)
{
    const size_t rest = len % 16, whole = len - rest;
    uint8_t *part[TY_GRID];
    if (whole) equal_ctr(s, out, in, whole / 16, 1);
    if (rest == 0) return;
    for (size_t r = 0; r < TY_GRID; r++) {
        part[r] = s->part[r];
        ty_gcm_pad(part[r], in[r] + whole, rest);
    }
    equal_ctr(s, part, (const uint8_t *const *)part, 1, 1 + whole / 16);
    for (size_t r = 0; r < TY_GRID; r++) memcpy(out[r] + whole, part[r], rest);
}

/* y absorbs in[i][len], padded, and the lengths if this is the end of the hash */
static void equal_absorb(gcm_equal *s, const uint8_t *const *in, size_t len,
                         const ty_sm4_gcm_job *jobs, int ends)
{
    const size_t rest = len % 16, whole = len - rest;
    const uint64_t (*power[TY_GRID])[2];
    const uint8_t *part[TY_GRID];
    size_t n = 0;
    for (size_t r = 0; r < TY_GRID; r++) {
        power[r] = (const uint64_t (*)[2])jobs[r].key->power;
        part[r] = s->part[r];
        if (rest) n = ty_gcm_pad(s->part[r], in[r] + whole, rest);
        if (ends) ty_gcm_lengths(s->part[r] + n, jobs[r].aad_len, jobs[r].len);
    }
    n = n / 16 + (ends ? 1 : 0);
    if (whole) TY_HELD(f2_128, s->ghash)->horner16(s->y, in, whole / 16, power);
    if (n) TY_HELD(f2_128, s->ghash)->horner16(s->y, part, n, power);
}

/* mask = the tags */
static void equal_tags(gcm_equal *s, const uint8_t *const *text, const ty_sm4_gcm_job *jobs)
{
    const uint8_t *aad[TY_GRID];
    memset(s->y, 0, sizeof s->y);
    for (size_t r = 0; r < TY_GRID; r++) aad[r] = jobs[r].aad;
    equal_absorb(s, aad, jobs->aad_len, jobs, 0);
    equal_absorb(s, text, jobs->len, jobs, 1);
    for (size_t i = 0; i < sizeof s->y; i += 16) ty_sm4_xor(s->mask + i, s->mask + i, s->y + i);
}

/* Lays out the keys; mask = E(J0) */
static void equal_begin(gcm_equal *s, const ty_sm4_gcm_job *jobs)
{
    static const uint8_t zeros[16];
    const uint8_t *rk[TY_GRID], *zero[TY_GRID];
    uint8_t *mask[TY_GRID];
    for (size_t r = 0; r < TY_GRID; r++) {
        const ty_sm4_gcm_key *key = jobs[r].key;
        rk[r] = (const uint8_t *)key->sm4.enc;
        zero[r] = zeros;
        mask[r] = s->mask + 16 * r;
        ty_gcm_j0(s->j0 + 16 * r, jobs[r].nonce, jobs[r].nonce_len, key);
    }
    s->ops = jobs->key->sm4.ops;
    s->ghash = jobs->key->ghash;
    TY_HELD(sm4, s->ops)->grid_keys(s->keys, rk);
    equal_ctr(s, mask, zero, 1, 0);
}

/* No byte is written before all tags are checked. If one is wrong, the messages with right ones are
 * opened one at a time. */
static void equal_open(gcm_equal *s, ty_sm4_gcm_job *jobs, uint8_t *const *out,
                       const uint8_t *const *in)
{
    int forged = 0;
    equal_tags(s, in, jobs);
    for (size_t r = 0; r < TY_GRID; r++) {
        ty_sm4_gcm_job *job = &jobs[r];
        job->err = ty_tag_verdict(s->mask + 16 * r, job->tag, job->tag_len);
        forged |= job->err != TY_OK;
    }
    if (!forged) {
        equal_text(s, out, in, jobs->len);
        return;
    }
    for (ty_sm4_gcm_job *j = jobs; j < jobs + TY_GRID; j++) {
        if (j->err == TY_OK)
            j->err = ty_sm4_gcm_open(j->out, j->in, j->len, j->tag, j->tag_len, j->aad, j->aad_len,
                                     j->nonce, j->nonce_len, j->key);
        else ty_wipe(j->out, j->len);
    }
}

static void equal_group(gcm_equal *s, ty_sm4_gcm_job *jobs, int opens)
{
    uint8_t *out[TY_GRID];
    const uint8_t *in[TY_GRID];
    for (size_t r = 0; r < TY_GRID; r++) {
        out[r] = jobs[r].out;
        in[r] = jobs[r].in;
    }
    equal_begin(s, jobs);
    if (opens) {
        equal_open(s, jobs, out, in);
        return;
    }
    equal_text(s, out, in, jobs->len);
    equal_tags(s, (const uint8_t *const *)out, jobs);
    for (size_t r = 0; r < TY_GRID; r++) {
        memcpy(jobs[r].tag, s->mask + 16 * r, jobs[r].tag_len);
        jobs[r].err = TY_OK;
    }
}

/* Whether sixteen jobs are valid, of one tier, which has the kernels, and of equal lengths, short
 * enough that one message at a time is not faster */
static int are_equal(const ty_sm4_gcm_job *jobs)
{
    const size_t len = jobs->len, aad_len = jobs->aad_len;
    const ty_sm4_gcm_key *key = jobs->key;
    if (len / 16 + 1 >= ty_grid_alone_from(TY_GRID) || aad_len / 16 >= LONG_AAD ||
        !TY_HELD(sm4, key->sm4.ops)->grid_ctr32 || !TY_HELD(f2_128, key->ghash)->horner16)
        return 0;
    int other = 0;
    for (const ty_sm4_gcm_job *j = jobs; j < jobs + TY_GRID; j++)
        other |= j->len != len || j->aad_len != aad_len || j->key->sm4.ops != key->sm4.ops ||
                 j->key->ghash != key->ghash || ty_gcm_many_limits(j) != TY_OK;
    return !other;
}

size_t ty_gcm_many_equal(ty_sm4_gcm_job *jobs, size_t n, int opens)
{
    gcm_equal s;
    size_t done = 0;
    for (; n - done >= TY_GRID && are_equal(jobs + done); done += TY_GRID)
        equal_group(&s, jobs + done, opens);
    if (done == 0) return 0;
    ty_wipe(&s, sizeof s);
    ty_wipe_below_1k();              /* counter blocks that reveal H, as in sm4_gcm_many.c */
    return done;
}
