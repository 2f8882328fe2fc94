/* SM4's kernels in vectors, for any number of blocks. Template, included after sm4_lanes.h for v128
 * and for V, and after N, GROUP, BATCH and the kernels for whole batches, which sm4_words.h or the
 * tier itself defines.
 *   V         the vector type of bulk work
 *   TY_K      names the kernels (base/level_begin.h), and those declared below, which the tier
 *             defines in assembly or over rounds_<V>(): the rounds of two groups, of one, and of
 *             one in 128 bits. Declared before: sm4_one, E of a block in AES form with the least
 *             latency
 *   HAS_TWO   1 if the tier has sm4_two: out = E of two blocks, a and b, with the least latency,
 *             plus the 32 bytes at `in` unless that is NULL; else 0, and it is not called
 *   SHORT     the most blocks that the kernels sm4_short take, which leave nothing on the stack; 0
 *             if the tier has none
 * What remains after whole batches is processed as the fewest groups that hold it; up to four
 * blocks in registers of 128 bits, and a single one by sm4_one; with SHORT, up to SHORT blocks by
 * sm4_short and its like instead. _own: every block has a key, and rk is a row of TY_SM4_LANES
 * words for each round; rounds4_own is not called if two groups fill a row. */
void TY_K(sm4_rounds2)(V *x, const uint32_t *rk);
void TY_K(sm4_rounds1)(V *x, const uint32_t *rk);
void TY_K(sm4_small)(v128 *x, const uint32_t *rk);
void TY_K(sm4_rounds4_own)(V *x, const uint32_t *rk);
void TY_K(sm4_rounds2_own)(V *x, const uint32_t *rk);
void TY_K(sm4_rounds1_own)(V *x, const uint32_t *rk);
void TY_K(sm4_small_own)(v128 *x, const uint32_t *rk);
void TY_K(sm4_two)(uint8_t *out, const uint8_t *in, v128 a, v128 b, const uint32_t *rk);
/* These need no tier with SHORT = 0. unused: NULL; iv: the block before the first one; n: the first
 * counter, which replaces the last 32 bits of `counter` */
void TY_K(sm4_short)(uint8_t *out, const uint8_t *in, const uint8_t *unused, size_t blocks,
                     const uint32_t *rk);
void TY_K(sm4_short_ctr32)(uint8_t *out, const uint8_t *counter, const uint8_t *in, size_t blocks,
                           const uint32_t *rk, uint32_t n);
void TY_K(sm4_short_cbc)(uint8_t *out, const uint8_t *in, const uint8_t *iv, size_t blocks,
                         const uint32_t *rk);
void TY_K(sm4_short_cfb)(uint8_t *out, const uint8_t *in, const uint8_t *iv, size_t blocks,
                         const uint32_t *rk);

/* For bytes that are read as vectors */
#define ALIGNED __attribute__((aligned(sizeof(V))))

/* E of a block in memory order. Kernels call it for a single block, without the copy that more
 * blocks need, and its wiping. */
static inline v128 single(v128 block, const uint32_t *rk)
{
    return from_aes_v128(TY_K(sm4_one)(to_aes_v128(block), rk));
}

/* The key schedule is a dependency chain like sm4_one's: with e = k2 + k3 + CK of the next round,
 * which is known before, the next round's input is (k0 + e) + L', and the new word is that + e.
 * Four tables give the four terms of L' directly. The bytes of the constants CK increase by seven:
 * four rounds later each is 112 more. */
static void TY_K(sm4_schedule)(uint32_t rk[TY_AT_LEAST(32)], const uint8_t key[TY_AT_LEAST(16)])
{
    static const uint32_t fk[4] = TY_SM4_FK;
    static const uint8_t ck[16] = { 0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98, 105 };
    const v128 first = to_aes_v128(v128_load(key) ^ v128_shuf8(v128_load(fk), v128_load(swap32)));
    const v128 c = v128_set8(TY_F8_SM4_C), mask = v128_load(low_nibbles);
    v128 k[4] = { v128_splat32(first, 0), v128_splat32(first, 1),
                  v128_splat32(first, 2), v128_splat32(first, 3) };
    v128 ck4 = v128_load(ck), add = to_aes_v128(ck4) ^ c;
    v128 a = (k[1] ^ k[2]) ^ v128_splat32(add, 0), b = k[3];   /* their sum is the next input */
#define PIECE(n) (v128_shuf8(v128_load(key##n##_lo), lo) ^ v128_shuf8(v128_load(key##n##_hi), hi))
#define STEP(i, next) do { \
        const v128 z = v128_aes_last(a, b), lo = z & mask, hi = v128_high4(z); \
        v128 e = (k[(i + 2) & 3] ^ k[(i + 3) & 3]) ^ next; \
        V_PIN(e); \
        v128 y = k[i] ^ e; \
        V_PIN(y); \
        y ^= PIECE(0); \
        V_PIN(y); \
        a = y ^ v128_shuf8(PIECE(1), v128_load(up)); \
        V_PIN(a); \
        b = v128_shuf8(PIECE(2), v128_load(up2)) ^ v128_shuf8(PIECE(3), v128_load(up3)); \
        V_PIN(b); \
        k[i] = (a ^ e) ^ b; \
    } while (0)
    for (int r = 0; r < 32; r += 4) {
        STEP(0, v128_splat32(add, 1));
        STEP(1, v128_splat32(add, 2));
        STEP(2, v128_splat32(add, 3));
        ck4 = v128_add8(ck4, v128_set8(112));
        add = to_aes_v128(ck4) ^ c;
        /* in the last round any constant will do, as it cancels out */
        STEP(3, v128_splat32(add, 0));
        v128_store(rk + r, c ^ v128_zip_lo64(v128_zip_lo32(k[0], k[1]), v128_zip_lo32(k[2], k[3])));
    }
#undef STEP
#undef PIECE
}

/* --- Any number of blocks */

/* E of the blocks of one batch in place, 0 < bytes <= BATCH, a multiple of 16. The rounds take
 * whole groups, so the blocks after the last one are filled with ones: their E stays on the stack,
 * but no mode needs it, while E of zeros, which a wiped stack holds, is the key of GHASH. They are
 * stored as the vectors that are loaded: a load across two stores must wait for both. */
static void TY_K(sm4_few)(uint8_t data[BATCH], size_t bytes, const uint32_t *rk)
{
    const size_t groups = bytes <= GROUP ? 1 : bytes <= 2 * GROUP ? 2 : 4;
    const size_t whole = bytes <= 64 ? 64 : GROUP * groups;
    size_t i = bytes;
    if (SHORT > 0 && bytes <= 16 * SHORT) {
        TY_K(sm4_short)(data, data, NULL, bytes / 16, rk);
        return;
    }
    for (; i % sizeof(V); i += 16) v128_store(data + i, v128_set8(0xff));
    for (; i < whole; i += sizeof(V)) v_store(data + i, v_set32(V, 0xffffffff));
    if (HAS_TWO && bytes <= 32) {
        TY_K(sm4_two)(data, NULL, v128_load(data), v128_load(data + 16), rk);
        return;
    }
    if (SHORT > 0 || groups == 4) {
        TY_K(sm4_ecb_batches)(data, data, BATCH, rk);
        return;
    }
    if (bytes <= 64) {
        v128 x[4], y[4];
        load_v128(y, data);
        enter_v128(x, 1, 0, y);
        TY_K(sm4_small)(x, rk);
        leave_v128(y, x, 1, 0);
        store_v128(data, y);
        ty_wipe(x, sizeof x);
    } else {
        V x[8], y[4];
        for (size_t c = 0; c < groups; c++) {
            V_NAME(load)(y, data + GROUP * c);
            V_NAME(enter)(x, groups, c, y);
        }
        if (groups == 1) TY_K(sm4_rounds1)(x, rk);
        else TY_K(sm4_rounds2)(x, rk);
        for (size_t c = 0; c < groups; c++) {
            V_NAME(leave)(y, x, groups, c);
            V_NAME(store)(data + GROUP * c, y);
        }
        ty_wipe(x, sizeof x);
    }
    v_clear_upper(V);
}

/* Not inlined: in a kernel, whose constants fill the registers, the compiler would copy the message
 * through the stack. */
static __attribute__((noinline)) void TY_K(sm4_xor_bytes)(uint8_t *out, const uint8_t *a,
                                                          const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i += 16)
        v128_store(out + i, v128_load(a + i) ^ v128_load(b + i));
}

static void TY_K(sm4_ecb)(uint8_t *out, const uint8_t *in, size_t blocks,
                          const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 1) {
        v128_store(out, single(v128_load(in), rk));
        return;
    }
    const size_t len = 16 * blocks % BATCH, bulk = 16 * blocks - len;
    if (bulk) TY_K(sm4_ecb_batches)(out, in, bulk, rk);
    if (SHORT > 0 && len && len <= 16 * SHORT) {
        TY_K(sm4_short)(out + bulk, in + bulk, NULL, len / 16, rk);
    } else if (len) {
        uint8_t rest[BATCH];
        memcpy(rest, in + bulk, len);
        TY_K(sm4_few)(rest, len, rk);
        memcpy(out + bulk, rest, len);
        ty_wipe(rest, len);
    }
}

/* rest = len bytes of counter blocks: counter[0..12), followed by n, n + 1, ... GCM's counter is
 * secret if it is the GHASH of the nonce: no loop may count with n, as n would be compared. */
static void TY_K(sm4_count)(uint8_t *rest, size_t len, const uint8_t counter[16], uint32_t n)
{
    const v128 block = v128_shuf8(v128_load(counter), v128_load(swap32));
    for (size_t i = 0; i < len; i += 16) {
        const v128 next = v128_shuf8(v128_insert32(block, n, 3), v128_load(swap32));
        v128_store(rest + i, next);
        n = ty_barrier32(n + 1);
    }
}

static void TY_K(sm4_ctr32)(uint8_t *out, const uint8_t *in, size_t blocks,
                            const uint8_t counter[TY_AT_LEAST(16)],
                            const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 1) {
        const v128 y = single(v128_load(counter), rk);
        v128_store(out, v128_load(in) ^ y);
        return;
    }
    if (HAS_TWO && blocks == 2) {   /* a short message of GCM, with the mask of its tag */
        const v128 first = v128_load(counter), swap = v128_load(swap32);
        const uint32_t n = ty_get32be(counter + 12);
        const v128 second = v128_insert32(v128_shuf8(first, swap), ty_barrier32(n + 1), 3);
        TY_K(sm4_two)(out, in, first, v128_shuf8(second, swap), rk);
        return;
    }
    const size_t len = 16 * blocks % BATCH, bulk = 16 * blocks - len;
    const uint32_t n = ty_get32be(counter + 12) + (uint32_t)(bulk / 16);
    if (bulk) TY_K(sm4_ctr32_batches)(out, in, bulk, counter, rk, NULL);
    if (SHORT > 0 && len && len <= 16 * SHORT) {
        TY_K(sm4_short_ctr32)(out + bulk, counter, in + bulk, len / 16, rk, n);
    } else if (len) {
        uint8_t rest[BATCH] ALIGNED;
        TY_K(sm4_count)(rest, len, counter, n);
        TY_K(sm4_few)(rest, len, rk);
        TY_K(sm4_xor_bytes)(out + bulk, in + bulk, rest, len);
        ty_wipe(rest, len);
    }
}

/* The blocks at `beside` are processed with what remains after whole batches, after its counters.
 * If all these are at most four blocks, they are processed with the last whole batch. */
static void TY_K(sm4_ctr32_beside)(uint8_t *out, const uint8_t *in, size_t blocks,
                                   const uint8_t counter[TY_AT_LEAST(16)], uint8_t *beside,
                                   size_t n, const uint32_t rk[TY_AT_LEAST(32)])
{
    const size_t len = 16 * blocks % BATCH, bulk = 16 * blocks - len, all = len + 16 * n;
    struct { v128 x[8]; uint8_t rest[BATCH]; } ALIGNED w;   /* five of x are needed */
    if (all > BATCH) {
        TY_K(sm4_ctr32)(out, in, blocks, counter, rk);
        TY_K(sm4_ecb)(beside, beside, n, rk);
        return;
    }
    TY_K(sm4_count)(w.rest, len, counter,
                    ty_get32be(counter + 12) + (uint32_t)(bulk / 16));
    memcpy(w.rest + len, beside, 16 * n);
    if (bulk && all <= 64) {
        v128 y[4];
        for (size_t i = all; i < 64; i += 16) v128_store(w.rest + i, v128_set8(0xff));
        load_v128(y, w.rest);
        enter_v128(w.x, 1, 0, y);
        TY_K(sm4_ctr32_batches)(out, in, bulk, counter, rk, w.x);
        leave_v128(y, w.x, 1, 0);
        store_v128(w.rest, y);
    } else {
        if (bulk) TY_K(sm4_ctr32_batches)(out, in, bulk, counter, rk, NULL);
        TY_K(sm4_few)(w.rest, all, rk);
    }
    TY_K(sm4_xor_bytes)(out + bulk, in + bulk, w.rest, len);
    memcpy(beside, w.rest + len, 16 * n);
    ty_wipe(&w, sizeof w.x + (all <= 64 ? 64 : all));
}

static void TY_K(sm4_xex)(uint8_t *out, const uint8_t *in, const uint8_t *mask, size_t blocks,
                          const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 1) {
        const v128 y = single(v128_load(mask) ^ v128_load(in), rk);
        /* read again: what is kept across the call would be left on the stack. Without the barrier
         * a compiler that sees that the call does not write to memory would keep it. */
        __asm__("" : "+r"(mask) : : "memory");
        v128_store(out, v128_load(mask) ^ y);
        return;
    }
    const size_t len = 16 * blocks % BATCH, bulk = 16 * blocks - len;
    if (bulk) TY_K(sm4_xex_batches)(out, in, mask, bulk, rk);
    if (len) {
        uint8_t rest[BATCH];
        TY_K(sm4_xor_bytes)(rest, in + bulk, mask + bulk, len);
        TY_K(sm4_few)(rest, len, rk);
        TY_K(sm4_xor_bytes)(out + bulk, rest, mask + bulk, len);
        ty_wipe(rest, len);
    }
}

/* --- Chained modes */

static void TY_K(sm4_cbc_encrypt)(uint8_t *out, const uint8_t *in, size_t blocks,
                                  uint8_t iv[TY_AT_LEAST(16)], const uint32_t rk[TY_AT_LEAST(32)])
{
    v128 chain = to_aes_v128(v128_load(iv));
    for (; blocks; blocks--, in += 16, out += 16) {
        chain = TY_K(sm4_one)(chain ^ to_aes_v128(v128_load(in)), rk);
        v128_store(out, from_aes_v128(chain));
    }
    v128_store(iv, from_aes_v128(chain));
}

static void TY_K(sm4_cbc_decrypt)(uint8_t *out, const uint8_t *in, size_t blocks,
                                  uint8_t iv[TY_AT_LEAST(16)], const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 1) {
        const v128 c = v128_load(in);
        v128_store(out, v128_load(iv) ^ single(c, rk));
        v128_store(iv, c);
        return;
    }
    const size_t len = 16 * blocks % BATCH, bulk = 16 * blocks - len;
    if (bulk) TY_K(sm4_cbc_batches)(out, in, bulk, iv, rk);
    if (SHORT > 0 && len && len <= 16 * SHORT) {
        const v128 last = v128_load(in + 16 * blocks - 16);
        TY_K(sm4_short_cbc)(out + bulk, in + bulk, iv, len / 16, rk);
        v128_store(iv, last);
    } else if (len) {
        uint8_t rest[BATCH], last[16];
        in += bulk;
        out += bulk;
        memcpy(rest, in, len);
        TY_K(sm4_few)(rest, len, rk);
        memcpy(last, in + len - 16, 16);
        for (size_t i = len - 16; i > 0; i -= 16) ty_sm4_xor(out + i, rest + i, in + i - 16);
        ty_sm4_xor(out, rest, iv);
        memcpy(iv, last, 16);
        ty_wipe(rest, len);
    }
}

static void TY_K(sm4_cfb_decrypt)(uint8_t *out, const uint8_t *in, size_t blocks,
                                  uint8_t iv[TY_AT_LEAST(16)], const uint32_t rk[TY_AT_LEAST(32)])
{
    if (blocks == 1) {
        const v128 c = v128_load(in);
        v128_store(out, c ^ single(v128_load(iv), rk));
        v128_store(iv, c);
        return;
    }
    const size_t len = 16 * blocks % BATCH, bulk = 16 * blocks - len;
    if (bulk) TY_K(sm4_cfb_batches)(out, in, bulk, iv, rk);
    if (SHORT > 0 && len && len <= 16 * SHORT) {
        const v128 last = v128_load(in + 16 * blocks - 16);
        TY_K(sm4_short_cfb)(out + bulk, in + bulk, iv, len / 16, rk);
        v128_store(iv, last);
    } else if (len) {
        uint8_t rest[BATCH];
        in += bulk;
        memcpy(rest, iv, 16);
        memcpy(rest + 16, in, len - 16);
        memcpy(iv, in + len - 16, 16);
        TY_K(sm4_few)(rest, len, rk);
        TY_K(sm4_xor_bytes)(out + bulk, in, rest, len);
        ty_wipe(rest, len);
    }
}

/* --- A key for every block */

static void TY_K(sm4_lane_key)(ty_sm4_lanes *l, size_t lane, const uint32_t rk[TY_AT_LEAST(32)])
{
    /* Stored one by one: Clang would make scatters of them, which are slow, and whose addresses,
     * in vectors, the tests' traces cannot follow. */
    for (size_t r = 0; r < 32; r++) l->key.word[r][lane] = ty_barrier32(rk[r]);
}

/* Four rounds of N lanes at a time, whose words are transposed */
static void TY_K(sm4_lane_keys)(ty_sm4_lanes *l, const uint8_t *const rows[TY_AT_LEAST(32)],
                                size_t n)
{
    V y[4];
    for (size_t from = 0; from < n; from += N)
        for (size_t r = 0; r < 32; r += 4) {
            EACH(i) y[i] = v_load_rows(V, rows + from + i, 4 * r);
            V_NAME(transpose)(y);
            EACH(i) v_store(l->key.word[r + i] + from, y[i]);
        }
    v_clear_upper(V);
}

/* One call: `groups` groups of N lanes, which begin with lane `from` */
static inline void TY_K(sm4_some_lanes)(ty_sm4_lanes *l, size_t from, const size_t groups)
{
    V *x = (V *)(void *)l->work, y[4];
    for (size_t c = 0; c < groups; c++) {
        EACH(i) y[i] = v_load_step(V, l->x + 16 * (from + N * c + i), 64);
        V_NAME(enter)(x, groups, c, y);
    }
    if (groups == 1) TY_K(sm4_rounds1_own)(x, l->key.word[0] + from);
    else if (groups == 2) TY_K(sm4_rounds2_own)(x, l->key.word[0] + from);
    else if (4 * N <= TY_SM4_LANES) TY_K(sm4_rounds4_own)(x, l->key.word[0] + from);
    for (size_t c = 0; c < groups; c++) {
        V_NAME(leave)(y, x, groups, c);
        EACH(i) v_store_step(l->x + 16 * (from + N * c + i), 64, y[i]);
    }
}

static void TY_K(sm4_lanes)(ty_sm4_lanes *l, size_t n)
{
    size_t from = 0;
    if (n <= 4) {
        v128 x[4], y[4];
        load_v128(y, l->x);
        enter_v128(x, 1, 0, y);
        TY_K(sm4_small_own)(x, l->key.word[0]);
        leave_v128(y, x, 1, 0);
        store_v128(l->x, y);
        ty_wipe(x, sizeof x);
        return;
    }
    if (4 * N <= TY_SM4_LANES)
        for (; n > from + 2 * N; from += 4 * N) TY_K(sm4_some_lanes)(l, from, 4);
    if (n > from + N) TY_K(sm4_some_lanes)(l, from, 2);
    else if (n > from) TY_K(sm4_some_lanes)(l, from, 1);
    v_clear_upper(V);
}
