/* SM4 in vector lanes, for one width. Template.
 *   V   the vector type
 * Functions that are defined before it, in sm4_sbox_aes.h or sm4_sbox_gfni.h:
 *   to_aes_<V>(), from_aes_<V>()   every byte to AES form and back
 *   round_<V>(x0, a, b)            x0 + L(S(a + b))
 *
 * Layout: a group is a block for every 32-bit word of V, in V x[4], where x[i] holds word i of
 * each; bytes stay in the order of memory, so byte 0 of a word is its most significant one. Words
 * are in AES form from entry to exit, and so are round keys. x[groups * i + c] is word i of group c
 * where several groups run together, to hide each other's latency. */

/* Rows to columns in every 128-bit part: y[i] = four words of one block <-> word i of four blocks.
 * Its own inverse. */
static inline void V_NAME(transpose)(V y[4])
{
    const V a = v_zip_lo32(y[0], y[1]), b = v_zip_hi32(y[0], y[1]);
    const V c = v_zip_lo32(y[2], y[3]), d = v_zip_hi32(y[2], y[3]);
    y[0] = v_zip_lo64(a, c);
    y[1] = v_zip_hi64(a, c);
    y[2] = v_zip_lo64(b, d);
    y[3] = v_zip_hi64(b, d);
}

/* The blocks in y, as they are in memory, to group c of x */
static inline void V_NAME(enter)(V *x, size_t groups, size_t c, V y[4])
{
    EACH(i) y[i] = V_NAME(to_aes)(y[i]);
    V_NAME(transpose)(y);
    EACH(i) x[groups * i + c] = y[i];
}

/* The inverse, but with a block's words in reverse order, as the output of SM4 has them */
static inline void V_NAME(leave)(V y[4], const V *x, size_t groups, size_t c)
{
    EACH(i) y[i] = x[groups * (3 - i) + c];
    V_NAME(transpose)(y);
    EACH(i) y[i] = V_NAME(from_aes)(y[i]);
}

/* The three words that all counter blocks begin with */
static inline void V_NAME(counter_words)(V first[3], const uint8_t counter[12])
{
    for (size_t i = 0; i < 3; i++) {
        uint32_t word;
        memcpy(&word, counter + 4 * i, 4);
        first[i] = V_NAME(to_aes)(v_set32(V, word));
    }
}

/* The counter blocks n, n + 1, ... in group c. Each vector holds one word of all of them already,
 * so nothing is transposed. */
static inline void V_NAME(counters)(V *x, size_t groups, size_t c, const V first[3], uint32_t n)
{
    for (size_t i = 0; i < 3; i++) x[groups * i + c] = first[i];
    const V last = v_add32(v_set32(V, n), v_block_numbers(V));
    x[groups * 3 + c] = V_NAME(to_aes)(v_shuf8(last, v_row(V, swap32)));
}

static inline void V_NAME(load)(V y[4], const uint8_t *in)
{
    EACH(i) y[i] = v_load(V, in + sizeof(V) * i);
}

static inline void V_NAME(store)(uint8_t *out, const V y[4])
{
    EACH(i) v_store(out + sizeof(V) * i, y[i]);
}

/* y ^= the 4 sizeof(V) bytes at p */
static inline void V_NAME(mix)(V y[4], const uint8_t *p)
{
    EACH(i) y[i] ^= v_load(V, p + sizeof(V) * i);
}

/* A round's S-box input is the sum of the last round's word and of three words that are known
 * before it; their sum is in early[c]. own = 0: rk[r] is the key of round r. Otherwise rk has rows
 * of TY_SM4_LANES words, with a key for every block. */
#if defined(TY_AARCH64)
/* 32 registers hold four groups */
#  define GROUPS(c) _Pragma("GCC unroll 4") for (size_t c = 0; c < groups; c++)
#else
#  define GROUPS(c) for (size_t c = 0; c < groups; c++)
#endif
#define X(i) x[groups * ((i) & 3) + c]
#define OWN(r, c) v_load(V, rk + TY_SM4_LANES * (size_t)(r) + sizeof(V) / 4 * (c))
#define STEP(i) do {                                                                               \
        const V key = v_set32(V, rk[(r + 1 + i) & 31]);                                            \
        GROUPS(c) {                                                                                \
            V next = X(i + 2) ^ (own ? OWN((r + 1 + i) & 31, c) : key) ^ X(i + 3);                 \
            V_PIN(next);                                                                           \
            X(i) = V_NAME(round)(X(i), X(i + 3), early[c]);                                        \
            early[c] = next;                                                                       \
        }                                                                                          \
    } while (0)

static inline __attribute__((always_inline))
void V_NAME(rounds)(V *x, const size_t groups, const uint32_t *rk, const int own)
{
    V early[4];
    GROUPS(c) early[c] = X(1) ^ X(2) ^ (own ? OWN(0, c) : v_set32(V, rk[0]));
    for (size_t r = 0; r < 32; r += 4) {
        STEP(0);
        STEP(1);
        STEP(2);
        STEP(3);
    }
}
#undef GROUPS
#undef X
#undef STEP
#undef OWN
