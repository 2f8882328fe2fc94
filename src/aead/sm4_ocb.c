/* SM4-OCB [RFC 7253]: every block is encrypted between two additions of a mask, which follows a
 * Gray code over doublings of E(0); the tag is the encrypted sum of the plaintext's blocks, added
 * to a hash of the additional data. The names are those of the RFC.
 *
 * A piece of 64 blocks is processed in three passes in the L1 cache: masks, sum, cipher; or, if the
 * tier has a kernel for it, in one, with masks that are the same for every piece. Lower bound
 * on top of the cipher: a mask is a load and two sums, a block of the checksum a load and a sum.
 * Measured on Zen 4 (tier gfni512, TSC): 0.59 cycles per byte of 64 KB, of which the cipher is
 * 0.53, and 0.67 of 8 KB, which in three passes took 0.77. */
#include "base/overlap.h"
#include "base/tag.h"
#include "base/wipe.h"
#include "sm4/double.h"
#include "sm4/sm4.h"
#include "tongyu/sm4_aead.h"

#include <string.h>

/* ty_sm4_ocb.state. A wiped object is IDLE and refuses everything. */
enum { IDLE, READY, ENCRYPT, DECRYPT };

/* blocks whose masks are computed together: several batches of the kernels; a power of 2 */
enum { PIECE = 64, PIECE_LOG = 6 };
/* bytes that are copied at once if updates do not end with whole blocks */
enum { CHUNK = 256 };

void ty_sm4_ocb_init(ty_sm4_ocb_key *key, const uint8_t bytes[TY_AT_LEAST(16)])
{
    ty_sm4_init(&key->sm4, bytes);
    memset(key->rest, 0, 16);
    TY_HELD(sm4, key->sm4.ops)->ecb(key->rest, key->rest, 1, key->sm4.enc);
    ty_sm4_double(key->tag, key->rest);
    ty_sm4_double(key->mask[0], key->tag);
    for (int i = 1; i < TY_SM4_OCB_MASKS; i++) ty_sm4_double(key->mask[i], key->mask[i - 1]);
}

static void add(uint8_t x[16], const uint8_t y[16]) { ty_sm4_xor(x, x, y); }

/* offset += the 16 bytes at l, without a local array, which would remain on the stack */
static inline void step_by(uint64_t offset[2], const uint8_t *l)
{
    uint64_t w;
    memcpy(&w, l, 8);
    offset[0] ^= w;
    memcpy(&w, l + 8, 8);
    offset[1] ^= w;
}

/* offset += L_ntz(i); i is the number of a block, and public */
static inline void next_offset(uint64_t offset[2], uint64_t i, const ty_sm4_ocb_key *key)
{
    const int n = __builtin_ctzll(i), last = TY_SM4_OCB_MASKS - 1;
    if (n <= last) {
        step_by(offset, key->mask[n]);
        return;
    }
    uint8_t more[16];
    memcpy(more, key->mask[last], 16);
    for (int k = last; k < n; k++) ty_sm4_double(more, more);
    step_by(offset, more);
    ty_wipe(more, sizeof more);
}

/* A block as one vector */
typedef uint64_t block __attribute__((vector_size(16), aligned(1), may_alias));
#define BLOCK(p)    (*(block *)(void *)(p))
#define BLOCK_IN(p) (*(const block *)(const void *)(p))

/* The same as next_masks(), if *count is a multiple of PIECE and n <= PIECE. After step 2^k the
 * Gray code repeats the steps before it, so mask 2^k + m is mask m plus a constant: no mask depends
 * on the one before it. Not inlined: with a constant n compilers unroll it and keep doublings on
 * the stack. */
static __attribute__((noinline)) void aligned_masks(uint8_t *masks, size_t n, uint64_t *count,
                                                    uint8_t offset[16], const ty_sm4_ocb_key *key)
{
    const block o = BLOCK_IN(offset);
    block last = o;
    for (size_t k = 0, at = 1; k < PIECE_LOG && at <= n; k++, at *= 2) {
        uint8_t *from = masks + 16 * (at - 1);
        const size_t more = n - at < at - 1 ? n - at : at - 1;
        BLOCK(from) = last ^ BLOCK_IN(key->mask[k]);
        const block add = BLOCK_IN(from) ^ o;
        for (size_t i = 0; i < 16 * more; i += 16) BLOCK(from + 16 + i) = BLOCK_IN(masks + i) ^ add;
        last = BLOCK_IN(from + 16 * more);
    }
    BLOCK(offset) = last;
    *count += n;
    if (n < PIECE) return;
    uint64_t next[2];
    memcpy(next, offset, 16);
    next_offset(next, *count, key);
    memcpy(masks + 16 * (PIECE - 1), next, 16);
    memcpy(offset, next, 16);
}

/* masks of the next n blocks; *count is the number of those before */
static void next_masks(uint8_t *masks, size_t n, uint64_t *count, uint8_t offset[16],
                       const ty_sm4_ocb_key *key)
{
    uint64_t o[2];
    if (*count % PIECE == 0) {
        aligned_masks(masks, n, count, offset, key);
        return;
    }
    memcpy(o, offset, 16);
    for (size_t i = 0; i < n; i++) {
        next_offset(o, ++*count, key);
        memcpy(masks + 16 * i, o, 16);
    }
    memcpy(offset, o, 16);
}

/* how many blocks are processed together: up to the next multiple of PIECE */
static inline size_t piece(size_t blocks, uint64_t count)
{
    const size_t room = PIECE - (size_t)(count % PIECE);
    return blocks < room ? blocks : room;
}

/* sum += the blocks of x, as four independent sums */
static void add_all(uint8_t sum[16], const uint8_t *x, size_t blocks)
{
    block s = BLOCK_IN(sum), t = { 0 }, u = t, v = t;
    for (; blocks >= 4; blocks -= 4, x += 64) {
        s ^= BLOCK_IN(x);
        t ^= BLOCK_IN(x + 16);
        u ^= BLOCK_IN(x + 32);
        v ^= BLOCK_IN(x + 48);
    }
    for (; blocks; blocks--, x += 16) s ^= BLOCK_IN(x);
    BLOCK(sum) = s ^ t ^ u ^ v;
}

static void encrypt(uint8_t *x, size_t blocks, const ty_sm4_ocb_key *key)
{
    TY_HELD(sm4, key->sm4.ops)->ecb(x, x, blocks, key->sm4.enc);
}

/* Processes up to MOST whole pieces in one pass, and returns the number of their blocks: 0 if the
 * tier has no kernel for that, there is no whole piece, or the blocks before are not a multiple of
 * PIECE. Relative to the offset before it every piece has the same masks, except the last mask. */
static __attribute__((noinline)) size_t ocb_pieces(uint8_t *out, const uint8_t *in, size_t blocks,
                                                   uint8_t masks[16 * PIECE], ty_sm4_ocb *c)
{
    enum { MOST = 16 };
    const ty_sm4_key *key = &c->key->sm4;
    const ty_sm4_ops *ops = TY_HELD(sm4, key->ops);
    const size_t all = blocks / PIECE, pieces = all < MOST ? all : MOST;
    const int decrypting = c->state == DECRYPT;
    uint8_t offsets[16 * (MOST + 1)], last[16] = { 0 };
    uint64_t count = 0;
    if (ops->ocb == NULL || pieces == 0 || c->blocks % PIECE) return 0;
    aligned_masks(masks, PIECE - 1, &count, last, c->key);
    memcpy(offsets, c->offset, 16);
    for (size_t i = 0; i < pieces; i++) {
        uint64_t next[2];
        ty_sm4_xor(offsets + 16 * (i + 1), offsets + 16 * i, last);
        memcpy(next, offsets + 16 * (i + 1), 16);
        next_offset(next, c->blocks += PIECE, c->key);
        memcpy(offsets + 16 * (i + 1), next, 16);
    }
    ops->ocb(out, in, pieces, masks, offsets, c->checksum, decrypting,
             decrypting ? key->dec : key->enc);
    memcpy(c->offset, offsets + 16 * pieces, 16);
    ty_wipe(offsets, sizeof offsets);
    ty_wipe(last, sizeof last);
    return pieces * PIECE;
}

/* The message's blocks, in the direction of c */
static void ocb_crypt(uint8_t *out, const uint8_t *in, size_t blocks, ty_sm4_ocb *c)
{
    const ty_sm4_key *key = &c->key->sm4;
    const ty_sm4_ops *ops = TY_HELD(sm4, key->ops);
    const int encrypting = c->state == ENCRYPT;
    const size_t all = blocks;
    uint8_t masks[16 * PIECE] __attribute__((aligned(64)));
    while (blocks) {
        size_t some = TY_SM4_PASS ? ocb_pieces(out, in, blocks, masks, c) : 0;
        if (some) ty_wipe_below_1k();   /* compilers leave a copy of a doubling, the last mask */
        if (some == 0) {
            some = piece(blocks, c->blocks);
            next_masks(masks, some, &c->blocks, c->offset, c->key);
            if (encrypting) add_all(c->checksum, in, some);
            ops->xex(out, in, masks, some, encrypting ? key->enc : key->dec);
            if (!encrypting) add_all(c->checksum, out, some);
        }
        blocks -= some;
        in += 16 * some;
        out += 16 * some;
    }
    ty_wipe(masks, 16 * (all < PIECE ? all : PIECE));
}

/* HASH of the RFC, over whole blocks */
static void ocb_hash(const uint8_t *aad, size_t blocks, ty_sm4_ocb *c)
{
    const size_t all = blocks;
    uint8_t x[16 * PIECE];
    while (blocks) {
        const size_t some = piece(blocks, c->aad_blocks);
        next_masks(x, some, &c->aad_blocks, c->aad_offset, c->key);
        for (size_t i = 0; i < 16 * some; i += 16) BLOCK(x + i) ^= BLOCK_IN(aad + i);
        encrypt(x, some, c->key);
        add_all(c->aad_sum, x, some);
        blocks -= some;
        aad += 16 * some;
    }
    ty_wipe(x, 16 * (all < PIECE ? all : PIECE));
}

/* Offset_0: 128 bits out of 192, from the bit that the nonce's last 6 bits give [RFC 7253, 4.2] */
ty_err ty_sm4_ocb_start(ty_sm4_ocb *c, const uint8_t *nonce, size_t nonce_len, size_t tag_len,
                        const ty_sm4_ocb_key *key)
{
    uint8_t x[24] = { 0 };
    memset(c, 0, sizeof *c);
    if (nonce_len < 1 || nonce_len > 15 || tag_len < 8 || tag_len > 16) return TY_ERR_ARG;
    x[0] = (uint8_t)(8 * tag_len % 128 << 1);
    memcpy(x + 16 - nonce_len, nonce, nonce_len);
    x[15 - nonce_len] |= 1;
    const size_t skip = (x[15] & 63) / 8, shift = x[15] & 7;
    x[15] &= 0xc0;
    encrypt(x, 1, key);
    for (size_t i = 0; i < 8; i++) x[16 + i] = x[i] ^ x[i + 1];
    for (size_t i = 0; i < 16; i++)
        c->offset[i] = (uint8_t)((x[i + skip] << 8 | x[i + skip + 1]) >> (8 - shift));
    ty_wipe(x, sizeof x);
    c->key = key;
    c->tag_len = (uint8_t)tag_len;
    c->state = READY;
    return TY_OK;
}

ty_err ty_sm4_ocb_aad(ty_sm4_ocb *c, const uint8_t *aad, size_t aad_len)
{
    if (c->state == IDLE) return TY_ERR_STATE;
    while (c->aad_used && aad_len) {             /* the rest of a block begun earlier */
        c->aad_part[c->aad_used++] = *aad++;
        aad_len--;
        if (c->aad_used < 16) continue;
        ocb_hash(c->aad_part, 1, c);
        c->aad_used = 0;
    }
    if (aad_len == 0) return TY_OK;
    ocb_hash(aad, aad_len / 16, c);
    c->aad_used = (uint32_t)(aad_len % 16);
    memcpy(c->aad_part, aad + (aad_len - c->aad_used), c->aad_used);
    return TY_OK;
}

/* As in ty_sm4_update: with bytes held, writing would overtake reading if out == in. So a chunk is
 * copied as a whole, after the held bytes, before any of it is written. */
static ty_err ocb_update(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len,
                         ty_sm4_ocb *c, uint8_t state)
{
    *out_len = 0;
    if (c->state != READY && c->state != state) return TY_ERR_STATE;
    const size_t all = c->used + in_len;
    if (ty_overtakes(out, all - all % 16, in, in_len, c->used)) return TY_ERR_ARG;
    c->state = state;
    if (c->used && in_len) {
        uint8_t x[16 + CHUNK];
        while (c->used && in_len) {
            const size_t some = in_len < CHUNK ? in_len : CHUNK, have = c->used + some,
                         go = have - have % 16;
            memcpy(x, c->part, c->used);
            memcpy(x + c->used, in, some);
            ocb_crypt(x, x, go / 16, c);
            if (go) memcpy(out, x, go);
            c->used = (uint32_t)(have - go);
            memcpy(c->part, x + go, c->used);
            out += go;
            *out_len += go;
            in += some;
            in_len -= some;
        }
        ty_wipe(x, sizeof x);
    }
    if (in_len == 0) return TY_OK;
    c->used = (uint32_t)(in_len % 16);
    memcpy(c->part, in + (in_len - c->used), c->used);
    ocb_crypt(out, in, in_len / 16, c);
    *out_len += in_len - c->used;
    return TY_OK;
}

ty_err ty_sm4_ocb_encrypt(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len,
                          ty_sm4_ocb *c)
{
    return ocb_update(out, out_len, in, in_len, c, ENCRYPT);
}

ty_err ty_sm4_ocb_decrypt(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len,
                          ty_sm4_ocb *c)
{
    return ocb_update(out, out_len, in, in_len, c, DECRYPT);
}

/* pads x, of which `used` bytes are set, with a 1 and zeros */
static void fill(uint8_t x[16], uint32_t used)
{
    x[used] = 0x80;
    memset(x + used + 1, 0, 15 - used);
}

/* last = the incomplete block in c->part, encrypted or decrypted; tag = the full tag. */
static void ocb_finish(uint8_t last[16], uint8_t tag[16], ty_sm4_ocb *c)
{
    const ty_sm4_ocb_key *key = c->key;
    uint8_t x[32];
    if (c->used) {
        add(c->offset, key->rest);
        memcpy(last, c->offset, 16);
        encrypt(last, 1, key);
        for (uint32_t i = 0; i < c->used; i++) last[i] ^= c->part[i];
        memcpy(x, c->state == DECRYPT ? last : c->part, c->used);
        fill(x, c->used);
        add(c->checksum, x);
    }
    ty_sm4_xor(x, c->checksum, c->offset);
    add(x, key->tag);
    if (c->aad_used) {
        add(c->aad_offset, key->rest);
        fill(c->aad_part, c->aad_used);
        ty_sm4_xor(x + 16, c->aad_part, c->aad_offset);
    }
    encrypt(x, c->aad_used ? 2 : 1, key);
    ty_sm4_xor(tag, x, c->aad_sum);
    if (c->aad_used) add(tag, x + 16);
    ty_wipe(x, sizeof x);
}

ty_err ty_sm4_ocb_final(uint8_t out[TY_AT_LEAST(15)], size_t *out_len, uint8_t *tag, size_t tag_len,
                        ty_sm4_ocb *c)
{
    uint8_t last[16], full[16];
    *out_len = 0;
    if (c->state != READY && c->state != ENCRYPT) return TY_ERR_STATE;
    if (tag_len != c->tag_len || ty_touches(tag, tag_len, out, c->used)) return TY_ERR_ARG;
    ocb_finish(last, full, c);
    *out_len = c->used;
    if (c->used) memcpy(out, last, c->used);
    memcpy(tag, full, tag_len);
    ty_wipe(last, sizeof last);      /* keystream follows the ciphertext in it */
    ty_wipe(full, sizeof full);
    ty_wipe(c, sizeof *c);
    return TY_OK;
}

ty_err ty_sm4_ocb_verify(uint8_t out[TY_AT_LEAST(15)], size_t *out_len, const uint8_t *tag,
                         size_t tag_len, ty_sm4_ocb *c)
{
    uint8_t last[16], full[16];
    *out_len = 0;
    if (c->state != READY && c->state != DECRYPT) return TY_ERR_STATE;
    if (tag_len != c->tag_len) return TY_ERR_ARG;
    c->state = DECRYPT;
    ocb_finish(last, full, c);
    const ty_err err = ty_tag_verdict(full, tag, tag_len);
    if (err == TY_OK) {
        *out_len = c->used;
        if (c->used) memcpy(out, last, c->used);
    }
    ty_wipe(last, sizeof last);
    ty_wipe(full, sizeof full);      /* the right tag of a forged message must not stay behind */
    ty_wipe(c, sizeof *c);
    return err;
}

ty_err ty_sm4_ocb_seal(uint8_t *out, uint8_t *tag, size_t tag_len, const uint8_t *in, size_t in_len,
                       const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                       const ty_sm4_ocb_key *key)
{
    ty_sm4_ocb c;
    size_t n, rest;
    if (ty_aead_crosses(out, in, in_len, tag, tag_len)) return TY_ERR_ARG;
    ty_err err = ty_sm4_ocb_start(&c, nonce, nonce_len, tag_len, key);
    if (err == TY_OK) err = ty_sm4_ocb_aad(&c, aad, aad_len);
    if (err == TY_OK) err = ty_sm4_ocb_encrypt(out, &n, in, in_len, &c);
    return err == TY_OK ? ty_sm4_ocb_final(n < in_len ? out + n : out, &rest, tag, tag_len, &c)
                        : err;
}

ty_err ty_sm4_ocb_open(uint8_t *out, const uint8_t *in, size_t in_len, const uint8_t *tag,
                       size_t tag_len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                       size_t nonce_len, const ty_sm4_ocb_key *key)
{
    ty_sm4_ocb c;
    size_t n, rest;
    if (ty_aead_crosses(out, in, in_len, tag, tag_len)) return TY_ERR_ARG;
    ty_err err = ty_sm4_ocb_start(&c, nonce, nonce_len, tag_len, key);
    if (err == TY_OK) err = ty_sm4_ocb_aad(&c, aad, aad_len);
    if (err == TY_OK) err = ty_sm4_ocb_decrypt(out, &n, in, in_len, &c);
    if (err == TY_OK) err = ty_sm4_ocb_verify(n < in_len ? out + n : out, &rest, tag, tag_len, &c);
    if (err == TY_ERR_VERIFY) ty_wipe(out, in_len);
    return err;
}
