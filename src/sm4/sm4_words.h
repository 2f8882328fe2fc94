/* SM4's kernels for whole batches, words in lanes: four groups of N blocks are interleaved.
 * Template, included after sm4_lanes.h for v128 and for V, and before sm4_modes.h.
 *   V      the vector type
 *   TY_K   names the kernels (base/level_begin.h), and the tier's own rounds of four groups,
 *          declared below. If `beside` is not NULL, a group of four blocks in 128 bits fills the
 *          gaps of the four; there is room for a fifth vector after its words
 * len is a multiple of BATCH and more than 0 everywhere; out and in are the same or disjoint. */
void TY_K(sm4_rounds4)(V *x, const uint32_t *rk, v128 *beside);

/* blocks of a group; bytes of one group and of four */
enum { N = sizeof(V) / 4, GROUP = 16 * N, BATCH = 4 * GROUP };

static void TY_K(sm4_ecb_batches)(uint8_t *out, const uint8_t *in, size_t len, const uint32_t *rk)
{
    V x[16], y[4];
    for (; len; len -= BATCH, in += BATCH, out += BATCH) {
        EACH(c) {
            V_NAME(load)(y, in + GROUP * c);
            V_NAME(enter)(x, 4, c, y);
        }
        TY_K(sm4_rounds4)(x, rk, NULL);
        EACH(c) {
            V_NAME(leave)(y, x, 4, c);
            V_NAME(store)(out + GROUP * c, y);
        }
    }
    v_clear_upper(V);
    ty_wipe(x, sizeof x);
}

/* `beside` is processed with the last batch */
static __attribute__((noinline)) void TY_K(sm4_ctr32_batches)(uint8_t *out, const uint8_t *in,
                                                              size_t len, const uint8_t counter[16],
                                                              const uint32_t *rk, v128 *beside)
{
    V x[16 + 3], *first = x + 16, y[4];
    uint32_t n = ty_get32be(counter + 12);
    V_NAME(counter_words)(first, counter);
    for (; len; len -= BATCH, in += BATCH, out += BATCH, n += 4 * N) {
        EACH(c) V_NAME(counters)(x, 4, c, first, n + (uint32_t)(N * c));
        TY_K(sm4_rounds4)(x, rk, len == BATCH ? beside : NULL);
        EACH(c) {
            V_NAME(leave)(y, x, 4, c);
            V_NAME(mix)(y, in + GROUP * c);
            V_NAME(store)(out + GROUP * c, y);
        }
    }
    v_clear_upper(V);
    ty_wipe(x, sizeof x);
}

static void TY_K(sm4_xex_batches)(uint8_t *out, const uint8_t *in, const uint8_t *mask, size_t len,
                                  const uint32_t *rk)
{
    V x[16], y[4];
    for (; len; len -= BATCH, in += BATCH, mask += BATCH, out += BATCH) {
        EACH(c) {
            V_NAME(load)(y, in + GROUP * c);
            V_NAME(mix)(y, mask + GROUP * c);
            V_NAME(enter)(x, 4, c, y);
        }
        TY_K(sm4_rounds4)(x, rk, NULL);
        EACH(c) {
            V_NAME(leave)(y, x, 4, c);
            V_NAME(mix)(y, mask + GROUP * c);
            V_NAME(store)(out + GROUP * c, y);
        }
    }
    v_clear_upper(V);
    ty_wipe(x, sizeof x);
}

/* y += the block before each one of group c. When in place, the blocks before group c must not have
 * been overwritten yet, so groups are written from the last to the first. Only the first vector of
 * a batch includes iv. */
static inline void mix_before(V y[4], const uint8_t *in, size_t c, const uint8_t iv[16])
{
    uint8_t head[4 * N];
    in += GROUP * c;
    memcpy(head, iv, 16);
    memcpy(head + 16, in, sizeof head - 16);
    EACH(i) y[i] = y[i] ^ v_load(V, c + i ? in + 4 * N * i - 16 : head);
}

static void TY_K(sm4_cbc_batches)(uint8_t *out, const uint8_t *in, size_t len, uint8_t iv[16],
                                  const uint32_t *rk)
{
    uint8_t last[16];
    V x[16], y[4];
    for (; len; len -= BATCH, in += BATCH, out += BATCH) {
        EACH(c) {
            V_NAME(load)(y, in + GROUP * c);
            V_NAME(enter)(x, 4, c, y);
        }
        TY_K(sm4_rounds4)(x, rk, NULL);
        memcpy(last, in + BATCH - 16, 16);
        for (size_t c = 4; c-- > 0;) {
            V_NAME(leave)(y, x, 4, c);
            mix_before(y, in, c, iv);
            V_NAME(store)(out + GROUP * c, y);
        }
        memcpy(iv, last, 16);
    }
    v_clear_upper(V);
    ty_wipe(x, sizeof x);
}

static void TY_K(sm4_cfb_batches)(uint8_t *out, const uint8_t *in, size_t len, uint8_t iv[16],
                                  const uint32_t *rk)
{
    V x[16], y[4];
    for (; len; len -= BATCH, in += BATCH, out += BATCH) {
        EACH(c) {
            EACH(i) y[i] = v_set32(V, 0);
            mix_before(y, in, c, iv);
            V_NAME(enter)(x, 4, c, y);
        }
        TY_K(sm4_rounds4)(x, rk, NULL);
        memcpy(iv, in + BATCH - 16, 16);
        EACH(c) {
            V_NAME(leave)(y, x, 4, c);
            V_NAME(mix)(y, in + GROUP * c);
            V_NAME(store)(out + GROUP * c, y);
        }
    }
    v_clear_upper(V);
    ty_wipe(x, sizeof x);
}
