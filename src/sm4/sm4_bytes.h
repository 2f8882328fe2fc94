/* SM4's kernels for whole batches of 64 blocks, over the assembly of sm4_bytes_gfni512.S, which
 * needs every byte of the round keys four times: they are expanded once a call. Template, included
 * after sm4_lanes.h for v512 and before sm4_modes.h. len is a multiple of BATCH and more than 0
 * everywhere; out and in are the same or disjoint. */
void ty_sm4_bytes64_gfni512(uint8_t *out, const uint8_t *in, const uint8_t *add, uint32_t unused,
                            const uint32_t *keys);
void ty_sm4_bytes64_add_gfni512(uint8_t *out, const uint8_t *in, const uint8_t *add,
                                uint32_t unused, const uint32_t *keys);
void ty_sm4_bytes64_xex_gfni512(uint8_t *out, const uint8_t *in, const uint8_t *masks,
                                uint32_t unused, const uint32_t *keys, const uint8_t *offset);
void ty_sm4_bytes64_ctr32_gfni512(uint8_t *out, const uint32_t *first, const uint8_t *add,
                                  uint32_t n, const uint32_t *keys, v128 *beside);
void ty_sm4_bytes64_ctr32le_gfni512(uint8_t *out, const uint32_t *first, const uint8_t *add,
                                    uint32_t n, const uint32_t *keys);

/* What the assembly reads. keys: every byte of the round keys, four times; words: the round keys
 * themselves, for the blocks at `beside`; first: every byte of a counter block, four times. The
 * last round reads 16 bytes after its keys, and after its words, and does not use them. */
typedef struct fourfold {
    uint32_t keys[128], words[36];
    uint32_t first[16];
} __attribute__((aligned(64))) fourfold;

/* dword i = byte i of the 16 in `row`, four times; every 128-bit part of `row` is the same */
static inline v512 four_times(v512 row)
{
    static const uint8_t each[64] = {
        0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7,
        7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12, 13, 13, 13,
        13, 14, 14, 14, 14, 15, 15, 15, 15
    };
    return v512_shuf8(row, v512_load(each));
}

static inline void fourfold_keys(fourfold *w, const uint32_t *rk)
{
    for (size_t r = 0; r < 32; r += 4) v512_store(w->keys + 4 * r, four_times(v512_row(rk + r)));
}

static void ty_sm4_ecb_batches_gfni512(uint8_t *out, const uint8_t *in, size_t len,
                                       const uint32_t *rk)
{
    fourfold w;
    fourfold_keys(&w, rk);
    for (; len; len -= BATCH, in += BATCH, out += BATCH)
        ty_sm4_bytes64_gfni512(out, in, NULL, 0, w.keys);
    ty_wipe(w.keys, sizeof w.keys);
}

static inline void fourfold_first(fourfold *w, const uint8_t counter[16])
{
    v512_store(w->first, four_times(to_aes_v512(v512_row(counter))));
}

/* `beside` is processed with the last batch */
static __attribute__((noinline)) void ty_sm4_ctr32_batches_gfni512(uint8_t *out, const uint8_t *in,
                                                                   size_t len,
                                                                   const uint8_t counter[16],
                                                                   const uint32_t *rk, v128 *beside)
{
    fourfold w;
    uint32_t n = ty_get32be(counter + 12);
    fourfold_keys(&w, rk);
    memcpy(w.words, rk, 128);
    fourfold_first(&w, counter);
    for (; len; len -= BATCH, in += BATCH, out += BATCH, n = ty_barrier32(n + BATCH / 16))
        ty_sm4_bytes64_ctr32_gfni512(out, w.first, in, n, w.keys, len == BATCH ? beside : NULL);
    ty_wipe(&w, sizeof w);
}

/* out = in + E(first), E(first + 1), ...: the first four bytes are the counter, little-endian, from
 * n on */
static void ty_sm4_ctr32le_gfni512(uint8_t *out, const uint8_t *in, size_t batches,
                                   const uint8_t first[TY_AT_LEAST(16)], uint32_t n,
                                   const uint32_t rk[TY_AT_LEAST(32)])
{
    fourfold w;
    fourfold_keys(&w, rk);
    fourfold_first(&w, first);
    for (; batches; batches--, in += BATCH, out += BATCH, n = ty_barrier32(n + BATCH / 16))
        ty_sm4_bytes64_ctr32le_gfni512(out, w.first, in, n, w.keys);
    ty_wipe(&w, sizeof w);
}

static void ty_sm4_xex_batches_gfni512(uint8_t *out, const uint8_t *in, const uint8_t *mask,
                                       size_t len, const uint32_t *rk)
{
    static const uint8_t none[16];
    fourfold w;
    fourfold_keys(&w, rk);
    for (; len; len -= BATCH, in += BATCH, mask += BATCH, out += BATCH)
        ty_sm4_bytes64_xex_gfni512(out, in, mask, 0, w.keys, none);
    ty_wipe(w.keys, sizeof w.keys);
}

static inline v512 sum_of_batch(const uint8_t *p)
{
    v512 a = v512_load(p), b = v512_load(p + 64);
    for (size_t i = 128; i < BATCH; i += 128) {
        a ^= v512_load(p + i);
        b ^= v512_load(p + i + 64);
    }
    return a ^ b;
}

static void ty_sm4_ocb_gfni512(uint8_t *out, const uint8_t *in, size_t batches,
                               uint8_t masks[TY_AT_LEAST(1024)], const uint8_t *offsets,
                               uint8_t sum[TY_AT_LEAST(16)], int decrypt,
                               const uint32_t rk[TY_AT_LEAST(32)])
{
    fourfold w;
    v512 s = v512_zero();
    fourfold_keys(&w, rk);
    for (; batches; batches--, in += BATCH, out += BATCH, offsets += 16) {
        const v128 last = v128_load(offsets) ^ v128_load(offsets + 16);
        v512_store(masks + BATCH - 64,
                   _mm512_inserti32x4(v512_load(masks + BATCH - 64), last, 3));
        if (!decrypt) s ^= sum_of_batch(in);
        ty_sm4_bytes64_xex_gfni512(out, in, masks, 0, w.keys, offsets);
        if (decrypt) s ^= sum_of_batch(out);
    }
    const v256 half = v512_low(s) ^ v512_high(s);
    v128_store(sum, v128_load(sum) ^ v256_low(half) ^ v256_high(half));
    v_clear_upper(V);
    ty_wipe(w.keys, sizeof w.keys);
}

/* x = the block before each one of a batch: iv, then those at `in`. Stored in the vectors that will
 * be loaded: a load across two stores must wait for both. */
static inline void blocks_before(uint8_t x[BATCH], const uint8_t *in, const uint8_t iv[16])
{
    const v512 head = v512_load(in);
    v512_store(x, _mm512_inserti32x4(_mm512_alignr_epi64(head, head, 6), v128_load(iv), 0));
    for (size_t i = 64; i < BATCH; i += 64) v512_store(x + i, v512_load(in + i - 16));
}

static void ty_sm4_cbc_batches_gfni512(uint8_t *out, const uint8_t *in, size_t len, uint8_t iv[16],
                                       const uint32_t *rk)
{
    uint8_t x[BATCH] __attribute__((aligned(64)));
    fourfold w;
    fourfold_keys(&w, rk);
    for (; len; len -= BATCH, in += BATCH, out += BATCH) {
        blocks_before(x, in, iv);
        memcpy(iv, in + BATCH - 16, 16);
        ty_sm4_bytes64_add_gfni512(out, in, x, 0, w.keys);
    }
    ty_wipe(w.keys, sizeof w.keys);
}

static void ty_sm4_cfb_batches_gfni512(uint8_t *out, const uint8_t *in, size_t len, uint8_t iv[16],
                                       const uint32_t *rk)
{
    uint8_t x[BATCH] __attribute__((aligned(64)));
    fourfold w;
    fourfold_keys(&w, rk);
    for (; len; len -= BATCH, in += BATCH, out += BATCH) {
        blocks_before(x, in, iv);
        memcpy(iv, in + BATCH - 16, 16);
        ty_sm4_bytes64_add_gfni512(out, x, in, 0, w.keys);
    }
    ty_wipe(w.keys, sizeof w.keys);
}
