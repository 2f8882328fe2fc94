/* SM4's block cipher in bulk: the kernel list and the tier list.
 * spec    GB/T 32907-2016, 6 and 7
 * state   four 32-bit words, big-endian in memory; one round replaces X0 by X0 + L(S(X1 + X2 + X3 +
 *         rk)), "+" being XOR, and moves it to the end; decryption is encryption with the round
 *         keys in reverse order
 * tiers   c        bit planes in 32-bit words, 8 blocks
 *         c64      bit planes in 64-bit words, 16 blocks
 *         aesni    the S-box by AESENCLAST, 16 blocks in xmm registers
 *         avx2     the same, 32 blocks in ymm registers
 *         vaes     the same with AESENCLAST on ymm registers
 *         gfni     the S-box by GF2P8AFFINEINVQB, 32 blocks in ymm registers
 *         avx512   as avx2, 64 blocks in zmm registers; bit planes for 512 blocks or more
 *         gfni512  as gfni, 64 blocks byte by byte in zmm registers
 *         m4       as c, in assembly
 *         armce    the S-box by AESE, 16 blocks
 *         armsm    the SM4 instructions, 8 blocks
 * time    depends only on the number of blocks */
#ifndef TY_SM4_SM4_H
#define TY_SM4_SM4_H

#include "base/levels.h"
#include "tongyu/sm4.h"

#include <string.h>

/* Blocks, each with a key of its own: block i is in lane i. All fields except x are private to
 * the tier, and an object is used by one tier only. It holds secrets; the function that declares it
 * wipes it. */
enum { TY_SM4_LANES = 32 };
typedef struct ty_sm4_lanes {
    union {
        uint32_t word[32][TY_SM4_LANES];   /* vectors: the key of round r for lane i at [r][i] */
        uint64_t plane[512];               /* bit planes: 32 x 8 planes for every group of lanes */
    } key;
    uint64_t work[2 * TY_SM4_LANES];
    uint8_t x[16 * TY_SM4_LANES];          /* the blocks */
} __attribute__((aligned(64))) ty_sm4_lanes;

/* rk[] is in the order of use, key->enc or key->dec, and in the tier's own representation.
 * out and in are the same or disjoint; blocks may be 0. */
typedef struct ty_sm4_ops {
    /* rk = the 32 round keys of key, for encryption */
    void (*schedule)(uint32_t rk[TY_AT_LEAST(32)], const uint8_t key[TY_AT_LEAST(16)]);
    /* the schedules of n keys at once, n <= TY_SM4_LANES: key i, at bytes + 16 i, goes to the
     * object i * stride bytes after the first. If h is not NULL, h + 16 i becomes that key's E(0),
     * the hash key of GCM; h has room for TY_SM4_LANES blocks, and those after the n-th become
     * undefined. It wipes what it leaves on the stack */
    void (*schedules)(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes, size_t n);
    /* out = E of each block of `in` */
    void (*ecb)(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t rk[TY_AT_LEAST(32)]);
    /* out = in + E(counter), E(counter + 1), ...: only the last 32 bits are incremented, and wrap.
     * counter is not changed */
    void (*ctr32)(uint8_t *out, const uint8_t *in, size_t blocks,
                  const uint8_t counter[TY_AT_LEAST(16)], const uint32_t rk[TY_AT_LEAST(32)]);
    /* ctr32, interleaved with E of the n <= 4 blocks at `beside`, in place: alone they would take
     * the latency of 32 rounds. NULL if the tier has no such kernel */
    void (*ctr32_beside)(uint8_t *out, const uint8_t *in, size_t blocks,
                         const uint8_t counter[TY_AT_LEAST(16)], uint8_t *beside, size_t n,
                         const uint32_t rk[TY_AT_LEAST(32)]);
    /* blocks that ctr32 encrypts at once, at most 64, if ctr32_beside makes GCM faster; else 0 */
    size_t batch;
    /* the CBC chain; iv becomes the last ciphertext block */
    void (*cbc_encrypt)(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t iv[TY_AT_LEAST(16)],
                        const uint32_t rk[TY_AT_LEAST(32)]);
    void (*cbc_decrypt)(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t iv[TY_AT_LEAST(16)],
                        const uint32_t rk[TY_AT_LEAST(32)]);
    /* out = in + E(the previous block of `in`, or iv); iv becomes the last ciphertext block. rk for
     * encryption */
    void (*cfb_decrypt)(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t iv[TY_AT_LEAST(16)],
                        const uint32_t rk[TY_AT_LEAST(32)]);
    /* out = E(in + mask) + mask, a mask for every block; mask is disjoint from out */
    void (*xex)(uint8_t *out, const uint8_t *in, const uint8_t *mask, size_t blocks,
                const uint32_t rk[TY_AT_LEAST(32)]);
    /* the key of one lane */
    void (*lane_key)(ty_sm4_lanes *l, size_t lane, const uint32_t rk[TY_AT_LEAST(32)]);
    /* the keys of lanes 0 to n - 1, n <= TY_SM4_LANES: rows[i] is the rk of lane i. All
     * TY_SM4_LANES pointers must be valid, as whole vectors are filled; the lanes after the n-th
     * become undefined */
    void (*lane_keys)(ty_sm4_lanes *l, const uint8_t *const rows[TY_AT_LEAST(32)], size_t n);
    /* block i of x = E(block i of x) for i < n, n <= TY_SM4_LANES; the others become undefined */
    void (*lanes)(ty_sm4_lanes *l, size_t n);
    /* keys = the sixteen keys in the layout for grid; in[i] is the rk of row i. NULL if `grid` is
     * NULL */
    void (*grid_keys)(uint32_t keys[TY_AT_LEAST(512)], const uint8_t *const in[TY_AT_LEAST(16)]);
    /* 16 rows of depth blocks, each row with its key; depth is 1, 2 or 4. to[i] = E(the blocks at
     * in[i]) + the blocks at add[i]. All of `in` is read before anything is written, and add[i]
     * before to[i]. keys and room, 1 KB of scratch that is not used if depth is 4, are aligned as
     * ty_sm4_lanes. NULL if it would not be faster than lanes */
    void (*grid)(uint8_t *const to[TY_AT_LEAST(16)], const uint8_t *const in[TY_AT_LEAST(16)],
                 const uint8_t *const add[TY_AT_LEAST(16)], uint8_t room[TY_AT_LEAST(1024)],
                 size_t depth, const uint32_t keys[TY_AT_LEAST(512)]);
    /* CBC encryption of sixteen messages, each with its key, blocks > 0: out[i], in[i] and iv[i]
     * are those of message i. Of every block all of in is read before anything is written. room:
     * 256 bytes of scratch; it and keys are aligned as for grid. NULL if grid is */
    void (*grid_cbc)(uint8_t *const out[TY_AT_LEAST(16)], const uint8_t *const in[TY_AT_LEAST(16)],
                     const uint8_t *const iv[TY_AT_LEAST(16)], size_t blocks,
                     uint8_t room[TY_AT_LEAST(256)], const uint32_t keys[TY_AT_LEAST(512)]);
    /* ctr32 of sixteen messages, each with its key, blocks > 0. The first counter block of message
     * i is that at counters + 16 i, with `ahead` added to its last 32 bits. keys and room as for
     * grid. NULL if grid is */
    void (*grid_ctr32)(uint8_t *const out[TY_AT_LEAST(16)],
                       const uint8_t *const in[TY_AT_LEAST(16)], size_t blocks,
                       const uint8_t counters[TY_AT_LEAST(256)], uint32_t ahead,
                       uint8_t room[TY_AT_LEAST(1024)], const uint32_t keys[TY_AT_LEAST(512)]);
    /* OCB over batches of 64 blocks in one pass: out = E(in + m) + m. The last mask of batch i is
     * offset i + 1, and any other mask j is the sum of offset i and block j of masks; offset i is
     * the block at offsets + 16 i. sum += the plaintext's blocks, which are out's if decrypt; rk is
     * for that direction. masks is disjoint from out, and its last block is overwritten. NULL if it
     * would not be faster than xex and separate sums */
    void (*ocb)(uint8_t *out, const uint8_t *in, size_t batches, uint8_t masks[TY_AT_LEAST(1024)],
                const uint8_t *offsets, uint8_t sum[TY_AT_LEAST(16)], int decrypt,
                const uint32_t rk[TY_AT_LEAST(32)]);
    /* out = in + E(counter), E(counter + 1), ... for batches of 64 blocks. The counter block is
     * first with n in its first four bytes, little-endian; only these are incremented, and wrap.
     * NULL if it would not be faster than ecb of counters */
    void (*ctr32le)(uint8_t *out, const uint8_t *in, size_t batches,
                    const uint8_t first[TY_AT_LEAST(16)], uint32_t n,
                    const uint32_t rk[TY_AT_LEAST(32)]);
} ty_sm4_ops;

/* 1 if a tier of this architecture has ctr32_beside (TY_SM4_BESIDE), or ocb and ctr32le
 * (TY_SM4_PASS); else 0 */
enum { TY_SM4_BESIDE = TY_ON_X86_64(1 +) TY_ON_ARM64(1 +) 0, TY_SM4_PASS = TY_ON_X86_64(1 +) 0 };

#define TY_SM4_TIERS(X)                                                                            \
    X(sm4, c) TY_ON_ARM_DSP(X(sm4, m4)) TY_ON_WORD64(X(sm4, c64))                                  \
    TY_ON_X86_64(X(sm4, aesni) X(sm4, avx2) X(sm4, vaes) X(sm4, gfni) X(sm4, avx512)               \
    X(sm4, gfni512)) TY_ON_ARM64(X(sm4, armce) X(sm4, armsm))
TY_FAMILY(sm4, TY_SM4_TIERS)

/* The object i * stride bytes after the first */
static inline ty_sm4_key *ty_sm4_key_at(ty_sm4_key *first, size_t stride, size_t i)
{
    return (ty_sm4_key *)(void *)((char *)first + stride * i);
}

/* GB/T 32907-2016, 7.3: the system parameter, and the constants CK_i, whose byte j is 7 (4 i + j)
 * mod 256. */
#define TY_SM4_FK { 0xa3b1bac6u, 0x56aa3350u, 0x677d9197u, 0xb27022dcu }
static inline uint32_t ty_sm4_ck(unsigned i)
{
    const uint32_t b = 28 * i;
    return (b & 255) << 24 | ((b + 7) & 255) << 16 | ((b + 14) & 255) << 8 | ((b + 21) & 255);
}

/* A key for the given kernels; ty_sm4_init chooses the best ones */
void ty_sm4_init_on(ty_sm4_key *key, const ty_sm4_ops *ops, const uint8_t bytes[TY_AT_LEAST(16)]);

/* The modes with a state, which continue where the previous call stopped. In CTR, OFB and CFB the
 * last *left bytes of the keystream block are used first; *left is 0 at the beginning. In OFB `reg`
 * is the keystream; in CFB it is keystream that is replaced by ciphertext byte by byte. bc and
 * ofbnlf take whole blocks; the `bits` of cfb1 are whole bytes. All wipe their temporaries. */
void ty_sm4_ctr_run(uint8_t *out, const uint8_t *in, size_t len, uint8_t counter[TY_AT_LEAST(16)],
                    uint8_t pad[TY_AT_LEAST(16)], uint32_t *left, const ty_sm4_key *key);
void ty_sm4_ofb_run(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[TY_AT_LEAST(16)],
                    uint32_t *left, const ty_sm4_key *key);
void ty_sm4_cfb_run(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[TY_AT_LEAST(16)],
                    uint32_t *left, int decrypt, const ty_sm4_key *key);
void ty_sm4_cfb8_run(uint8_t *out, const uint8_t *in, size_t len, uint8_t reg[TY_AT_LEAST(16)],
                     int decrypt, const ty_sm4_key *key);
void ty_sm4_cfb1_run(uint8_t *out, const uint8_t *in, size_t bits, uint8_t reg[TY_AT_LEAST(16)],
                     int decrypt, const ty_sm4_key *key);
void ty_sm4_bc_run(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t f[TY_AT_LEAST(16)],
                   int decrypt, const ty_sm4_key *key);
void ty_sm4_ofbnlf_run(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t k[TY_AT_LEAST(16)],
                       int decrypt, const ty_sm4_key *key);

/* x[len..16) = padding, len < 16, for any padding but NONE */
void ty_sm4_pad_fill(uint8_t x[TY_AT_LEAST(16)], size_t len, ty_sm4_pad pad);
/* how many bytes of the last block are padding, 1..16, or 0 if the padding is not valid.
 * time: constant */
uint32_t ty_sm4_pad_len(const uint8_t x[TY_AT_LEAST(16)], ty_sm4_pad pad);

/* blocks that a mode prepares on the stack for one call of a kernel */
enum { TY_SM4_CHUNK = 64 };

/* out = a + b, 16 bytes; `out` may be `a` or `b`. Whole words: compilers do not join byte stores
 * that might overlap. */
static inline void ty_sm4_xor(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    uint64_t x[2], y[2];
    memcpy(x, a, 16);
    memcpy(y, b, 16);
    x[0] ^= y[0];
    x[1] ^= y[1];
    memcpy(out, x, 16);
}

#endif
