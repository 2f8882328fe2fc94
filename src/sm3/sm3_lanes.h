/* SM3 on as many messages at once as a vector has words: a vector holds one word of each.
 * Template, once per level.
 *   V        the vector type
 *   TY_K     names the kernels, TY_K(sm3_step) and TY_K(sm3_chain) (base/level_begin.h) */
enum { LANES = sizeof(V) / 4 };

/* P0(x) = x ^ (x <<< 9) ^ (x <<< 17) and P1(x) = x ^ (x <<< 15) ^ (x <<< 23). The two rotations are
 * a byte apart: below AVX-512, where a rotation takes two or three instructions and a move of bytes
 * one, y = x ^ (x <<< 8) is rotated once. */
static inline V rol8(V x)
{
    static const uint8_t up[16] = { 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14 };
    return v_shuf8(x, v_row(V, up));
}
static inline V p0(V x)
{
    if (sizeof(V) == 64) return v_xor3(x, v_rotl32(x, 9), v_rotl32(x, 17));
    const V y = x ^ rol8(x);
    return x ^ v_rotl32(y, 9);
}
static inline V p1(V x)
{
    if (sizeof(V) == 64) return v_xor3(x, v_rotl32(x, 15), v_rotl32(x, 23));
    const V y = x ^ rol8(x);
    return x ^ v_rotl32(y, 15);
}

/* 16 bytes of the messages e, e + 4, ..., as big-endian words */
static inline V quarter(const uint8_t *const *in, size_t e, size_t at)
{
    static const uint8_t swap32[16] = { 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12 };
    return v_shuf8(v_load_rows(V, in + e, at), v_row(V, swap32));
}

#define RT(c, n)    ((uint32_t)(c) << ((n) % 32) | (uint32_t)(c) >> ((32 - (n) % 32) % 32))
#define RT4(c, j)   RT(c, j), RT(c, (j) + 1), RT(c, (j) + 2), RT(c, (j) + 3)
#define RT16(c, j)  RT4(c, j), RT4(c, (j) + 4), RT4(c, (j) + 8), RT4(c, (j) + 12)
static const uint32_t constants[64] = {   /* T_j <<< j */
    RT16(0x79cc4519u, 0), RT16(0x7a879d8au, 16), RT16(0x7a879d8au, 32), RT16(0x7a879d8au, 48)
};
/* *p in every lane. It is read here, where it is used: GCC 12 reads an argument of v_set32 earlier,
 * and keeps it in a vector register, of which there are too few. */
static inline V every(const uint32_t *p) { return v_set32(V, *p); }

#define ROW(x, k) (*(V *)(void *)(x)[k])
#define FF0 v_xor3
#define GG0 v_xor3
#define FF1 v_maj
#define GG1 v_choose

/* w[] is a window of the expanded message, word k at k mod 16: before round j it holds W_{j-12} to
 * W_{j+3}. */
#define W(k)      w[(k) % 16]
#define HAVE(j)   (W(j) ^ W((j) + 4))
#define EXPAND(j) (W(j) ^ (W((j) + 4) = expand(W((j) + 4), W((j) + 11), W((j) + 1),                \
                                               W((j) + 7), W((j) + 14))))
/* W_{j+4} = P1(W_{j-12} ^ W_{j-5} ^ (W_{j+1} <<< 15)) ^ (W_{j-9} <<< 7) ^ W_{j-2} */
static inline V expand(V w12, V w5, V w1, V w9, V w2)
{
    const V x = p1(v_xor3(w12, w5, v_rotl32(w1, 15)));
    return v_xor3(x, v_rotl32(w9, 7), w2);
}

/* EXPAND as WX also writes W_{j+4}. The names move, the registers do not, as in sm3_round.h. */
#define ROUND(n, a, b, c, d, e, f, g, h, j, i, WX) do {                                            \
        const V wx = WX(i), a12 = v_rotl32(a, 12);                                                 \
        const V ss1 = v_rotl32(v_add32(v_add32(a12, every(constants + (j) + (i))), e), 7);         \
        d = v_add32(v_add32(v_add32(d, wx), FF##n(a, b, c)), ss1 ^ a12);                           \
        h = v_add32(v_add32(v_add32(h, W(i)), GG##n(e, f, g)), ss1);                               \
        h = p0(h);                                                                                 \
        b = v_rotl32(b, 9);                                                                        \
        f = v_rotl32(f, 19);                                                                       \
    } while (0)
#define FOUR(n, j, i, WX) do {                                                                     \
        ROUND(n, a, b, c, d, e, f, g, h, j, (i), WX);                                              \
        ROUND(n, d, a, b, c, h, e, f, g, j, (i) + 1, WX);                                          \
        ROUND(n, c, d, a, b, g, h, e, f, j, (i) + 2, WX);                                          \
        ROUND(n, b, c, d, a, f, g, h, e, j, (i) + 3, WX);                                          \
    } while (0)

/* One block of every lane, whose words are in w, which is overwritten. v is the state, eight
 * rows. */
static void TY_K(sm3_compress)(uint32_t v[8][TY_SM3_LANES], V w[16])
{
    V a = ROW(v, 0), b = ROW(v, 1), c = ROW(v, 2), d = ROW(v, 3);
    V e = ROW(v, 4), f = ROW(v, 5), g = ROW(v, 6), h = ROW(v, 7);
    FOUR(0, 0, 0, HAVE);
    FOUR(0, 0, 4, HAVE);
    FOUR(0, 0, 8, HAVE);
    FOUR(0, 0, 12, EXPAND);
    for (int j = 16; j < 64; j += 16) {
        FOUR(1, j, 0, EXPAND);
        FOUR(1, j, 4, EXPAND);
        FOUR(1, j, 8, EXPAND);
        FOUR(1, j, 12, EXPAND);
    }
    ROW(v, 0) ^= a;
    ROW(v, 1) ^= b;
    ROW(v, 2) ^= c;
    ROW(v, 3) ^= d;
    ROW(v, 4) ^= e;
    ROW(v, 5) ^= f;
    ROW(v, 6) ^= g;
    ROW(v, 7) ^= h;
}

/* Sixteen bytes of the lanes e, e + 4, ... are in the e-th vector: transposing each square of 4 x 4
 * words, in 128 bits, leaves the lanes in their order. */
static inline void load(V w[16], const uint8_t *const *in, size_t at)
{
    for (size_t q = 0; q < 4; q++, at += 16) {
        const V x0 = quarter(in, 0, at), x1 = quarter(in, 1, at);
        const V x2 = quarter(in, 2, at), x3 = quarter(in, 3, at);
        const V lo01 = v_zip_lo32(x0, x1), hi01 = v_zip_hi32(x0, x1);
        const V lo23 = v_zip_lo32(x2, x3), hi23 = v_zip_hi32(x2, x3);
        w[4 * q + 0] = v_zip_lo64(lo01, lo23);
        w[4 * q + 1] = v_zip_hi64(lo01, lo23);
        w[4 * q + 2] = v_zip_lo64(hi01, hi23);
        w[4 * q + 3] = v_zip_hi64(hi01, hi23);
    }
}

/* Declared, as another tier may use them. */
void TY_K(sm3_step)(ty_sm3_lanes *l, size_t nblocks);
void TY_K(sm3_chain)(ty_sm3_chain *c, uint32_t iterations);

void TY_K(sm3_step)(ty_sm3_lanes *l, size_t nblocks)
{
    V w[16];
    for (size_t at = 0; at < 64 * nblocks; at += 64) {
        load(w, l->in, at);
        TY_K(sm3_compress)(l->h, w);
    }
    ty_wipe(w, sizeof w);
}

/* h = CF(from, x || 1 || 0 .. || (64 + 32) * 8): what HMAC hashes is a block of the key and then
 * 32 bytes */
static inline void second_block(uint32_t h[8][TY_SM3_LANES], uint32_t from[8][TY_SM3_LANES],
                                uint32_t x[8][TY_SM3_LANES], V w[16])
{
    const uint32_t one_bit = 0x80000000u, length = (64 + 32) * 8;
    for (int k = 0; k < 8; k++) {
        w[k] = ROW(x, k);
        w[k + 8] = v_set32(V, k == 0 ? one_bit : k == 7 ? length : 0);
    }
    for (int k = 0; k < 8; k++) ROW(h, k) = ROW(from, k);
    TY_K(sm3_compress)(h, w);
}

void TY_K(sm3_chain)(ty_sm3_chain *c, uint32_t iterations)
{
    V w[16];
    while (iterations--) {
        second_block(c->u, c->inner, c->u, w);
        second_block(c->u, c->outer, c->u, w);
        for (int k = 0; k < 8; k++) ROW(c->sum, k) ^= ROW(c->u, k);
    }
    ty_wipe(w, sizeof w);
}
