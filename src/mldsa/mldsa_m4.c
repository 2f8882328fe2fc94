/* ML-DSA's kernels on bytes for ARM's DSP instructions: the sampler of A reads the permutation's
 * words, and products with the challenge are sums of four bytes at once (SADD8, SSUB8). The rest is
 * in mldsa_m4.S, or portable C.
 *
 * Sums of 8 bits hold 127/eta windows: for eta 2 all of at most 60, for eta 4 only 31, so that its
 * 49 are added in two parts. */
#include "base/levels.h"

#if defined(TY_ARM_DSP)
#include "base/unroll.h"
#include "base/wipe.h"
#include "mldsa/mldsa.h"
#include "mod/q_mldsa_one.h"

#include <arm_acle.h>

static void ty_mldsa_uniform_m4(int32_t *const a[TY_AT_LEAST(4)], size_t n[TY_AT_LEAST(4)],
                                const uint64_t *words, size_t stride)
{
    for (size_t i = 0; i < 4; i++) {
        int32_t *const out = a[i];
        size_t have = n[i];
        for (size_t w = 0; w < TY_SHAKE128_BLOCK / 8 && have < 256; w += 3) {
            const uint64_t u = words[stride * w + i], v = words[stride * (w + 1) + i];
            const uint64_t t = words[stride * (w + 2) + i];
            const uint32_t in[6] = {
                (uint32_t)u,         (uint32_t)(u >> 32), (uint32_t)v,
                (uint32_t)(v >> 32), (uint32_t)t,         (uint32_t)(t >> 32)
            };
            for (size_t j = 0; j < 6; j += 3) {
                const uint32_t x[4] = { in[j], in[j] >> 24 | in[j + 1] << 8,
                                        in[j + 1] >> 16 | in[j + 2] << 16, in[j + 2] >> 8 };
                for (size_t k = 0; k < 4; k++) {
                    const uint32_t candidate = x[k] & 0x7fffff;
                    if (have < 256 && candidate < TY_Q) out[have++] = (int32_t)candidate;
                }
            }
        }
        n[i] = have;
    }
}

/* four bytes at any address; in a freestanding build a memcpy would be a call */
typedef struct __attribute__((packed, may_alias)) {
    int32_t v;
} bytes4;
static inline int32_t four(const int8_t *p) { return ((const bytes4 *)p)->v; }

/* sum[8] = the sum of 32 bytes of the windows of the nonzero coefficients `from` to `to` - 1 of c,
 * where those from `plus` on are subtracted */
static inline void add_windows(int32_t sum[8], const ty_mldsa_challenge *c, size_t from, size_t to,
                               const int8_t *block)
{
    const size_t plus = c->plus < from ? from : c->plus > to ? to : c->plus;
    int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
#    define EIGHT(op)                                                                              \
        s0 = op(s0, four(w)), s1 = op(s1, four(w + 4)), s2 = op(s2, four(w + 8)),                  \
        s3 = op(s3, four(w + 12)), s4 = op(s4, four(w + 16)), s5 = op(s5, four(w + 20)),           \
        s6 = op(s6, four(w + 24)), s7 = op(s7, four(w + 28))
    for (size_t j = from; j < plus; j++) {
        const int8_t *const w = block - c->at[j];
        EIGHT(__sadd8);
    }
    for (size_t j = plus; j < to; j++) {
        const int8_t *const w = block - c->at[j];
        EIGHT(__ssub8);
    }
    sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3, sum[4] = s4, sum[5] = s5, sum[6] = s6,
    sum[7] = s7;
}

static void ty_mldsa_windows_m4(int32_t z[TY_AT_LEAST(32)], const ty_mldsa_challenge *c,
                                const int8_t e[TY_AT_LEAST(512)], size_t at, int32_t eta)
{
    const size_t most = eta == 2 ? 63 : 31;
    int32_t sum[8];
    for (size_t from = 0, to; from < c->n; from = to) {
        to = c->n - from < most ? c->n : from + most;
        add_windows(sum, c, from, to, e + 256 + at);
        for (size_t i = 0; i < 32; i++) z[i] += (int8_t)((uint32_t)sum[i / 4] >> i % 4 * 8);
    }
    ty_wipe(sum, sizeof sum);
}

static uint32_t ty_mldsa_add_times_m4(int32_t z[TY_AT_LEAST(256)], const ty_mldsa_challenge *c,
                                      const int8_t e[TY_AT_LEAST(512)], int32_t eta, int32_t bound)
{
    uint32_t large = 0;
    for (size_t at = 0; at < 256; at += 32) ty_mldsa_windows_m4(z + at, c, e, at, eta);
    for (size_t i = 0; i < 256; i++) large |= beyond(z[i], bound);
    return large >> 31;
}

/* --- Fields ----------------------------------------------------------------------------------- */

/* A field is one load of the four bytes around it in its group of eight. Its width is a constant,
 * or at -Os a variable, which saves 2.7 KB. */

#if defined(__OPTIMIZE_SIZE__)
#    define FIELDS static
#    define UNROLLED
#else
#    define FIELDS TY_INLINE
#    define UNROLLED TY_UNROLL
#endif

FIELDS void unpack_with(int32_t *a, const uint8_t *in, size_t n, size_t bits, int32_t top)
{
    const uint32_t mask = ((uint32_t)1 << bits) - 1;
    for (; n; n -= 8, a += 8, in += bits)
        UNROLLED for (size_t i = 0; i < 8; i++) {
            const size_t byte = i * bits / 8 < bits - 4 ? i * bits / 8 : bits - 4;
            const int32_t field =
                (int32_t)((uint32_t)four((const int8_t *)in + byte) >> (i * bits - 8 * byte) &
                          mask);
            a[i] = top ? top - field : field;
        }
}

FIELDS void pack_with(uint8_t *out, const int32_t *a, size_t n, size_t bits, int32_t top)
{
    for (; n; n -= 8, a += 8, out += bits) {
        uint32_t word = 0;
        size_t have = 0, at = 0;
        UNROLLED for (size_t i = 0; i < 8; i++) {
            const uint32_t field = (uint32_t)(top ? top - a[i] : a[i]);
            word |= field << have;
            have += bits;
            if (have < 32) continue;
            ((bytes4 *)(out + at))->v = (int32_t)word;
            at += 4;
            have -= 32;
            word = have ? field >> (bits - have) : 0;
        }
        for (; have; have -= 8, word >>= 8) out[at++] = (uint8_t)word;
    }
}

/* s1 and s2 for eta 2: groups of three bytes */
FIELDS void unpack3(int32_t *a, const uint8_t *in, size_t n, int32_t top)
{
    for (; n; n -= 8, a += 8, in += 3) {
        const uint32_t word = in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16;
        UNROLLED for (size_t i = 0; i < 8; i++) {
            const int32_t field = (int32_t)(word >> 3 * i & 7);
            a[i] = top ? top - field : field;
        }
    }
}

FIELDS void pack3(uint8_t *out, const int32_t *a, size_t n, int32_t top)
{
    for (; n; n -= 8, a += 8, out += 3) {
        uint32_t word = 0;
        UNROLLED for (size_t i = 0; i < 8; i++) {
            const uint32_t field = (uint32_t)(top ? top - a[i] : a[i]);
            word |= field << 3 * i;
        }
        out[0] = (uint8_t)word;
        out[1] = (uint8_t)(word >> 8);
        out[2] = (uint8_t)(word >> 16);
    }
}

#if defined(__OPTIMIZE_SIZE__)
#    define WIDTHS(f, x, y, n, bits, top)                                                          \
        if (bits >= 4) f##_with(x, y, n, bits, top);                                               \
        else f##3(x, y, n, top)
#else
#    define CASE(b, f, x, y, n, top)                                                               \
    case b:                                                                                        \
        if (top) f##_with(x, y, n, b, top);                                                        \
        else f##_with(x, y, n, b, 0);                                                              \
        break;
#    define WIDTHS(f, x, y, n, bits, top)                                                          \
        switch (bits) {                                                                            \
        case 3:                                                                                    \
            if (top) f##3(x, y, n, top);                                                           \
            else f##3(x, y, n, 0);                                                                 \
            break;                                                                                 \
            CASE(4, f, x, y, n, top)                                                               \
            CASE(6, f, x, y, n, top)                                                               \
            CASE(10, f, x, y, n, top)                                                              \
            CASE(13, f, x, y, n, top)                                                              \
            CASE(18, f, x, y, n, top)                                                              \
            CASE(20, f, x, y, n, top)                                                              \
            CASE(23, f, x, y, n, top)                                                              \
        default: ty_mldsa_##f##_some_c(x, y, n, bits, top);                                        \
        }
#endif

static void ty_mldsa_unpack_some_m4(int32_t *a, const uint8_t *in, size_t n, unsigned bits,
                                    int32_t top)
{
    WIDTHS(unpack, a, in, n, bits, top);
}

static void ty_mldsa_pack_some_m4(uint8_t *out, const int32_t *a, size_t n, unsigned bits,
                                  int32_t top)
{
    WIDTHS(pack, out, a, n, bits, top);
}

static void ty_mldsa_unpack_m4(int32_t a[TY_AT_LEAST(256)], const uint8_t *in, unsigned bits,
                               int32_t top)
{
    ty_mldsa_unpack_some_m4(a, in, 256, bits, top);
}

static void ty_mldsa_pack_m4(uint8_t *out, const int32_t a[TY_AT_LEAST(256)], unsigned bits,
                             int32_t top)
{
    ty_mldsa_pack_some_m4(out, a, 256, bits, top);
}

int32_t *ty_mldsa_small2_m4(int32_t *out, const int32_t *out_end, const uint8_t **in,
                            const uint8_t *in_end);
int32_t *ty_mldsa_small4_m4(int32_t *out, const int32_t *out_end, const uint8_t **in,
                            const uint8_t *in_end);

/* whole words, and the last few candidates one by one */
static size_t ty_mldsa_small_m4(int32_t a[TY_AT_LEAST(256)], size_t n, const uint8_t *in,
                                size_t in_len, int32_t eta)
{
    const uint8_t *at = in, *const end = in + in_len;
    const uint8_t *const whole = end - in_len % 4;
    const int32_t *const filled = eta == 2 ? ty_mldsa_small2_m4(a + n, a + 256, &at, whole)
                                           : ty_mldsa_small4_m4(a + n, a + 256, &at, whole);
    return ty_mldsa_small_c(a, (size_t)(filled - a), at, (size_t)(end - at), eta);
}

void ty_mldsa_times_m4(int32_t *z, const int32_t *x, const int32_t *y, size_t n);
void ty_mldsa_times_packed_m4(uint8_t *z, const int32_t *x, const int32_t *y, size_t n);

const ty_mldsa_ops ty_mldsa_ops_m4 = { ty_mldsa_pack_m4,         ty_mldsa_unpack_m4,
                                       ty_mldsa_uniform_m4,      ty_mldsa_small_m4,
                                       ty_mldsa_add_times_m4,    ty_mldsa_pack_some_m4,
                                       ty_mldsa_unpack_some_m4,  ty_mldsa_times_m4,
                                       ty_mldsa_times_packed_m4, ty_mldsa_windows_m4 };
#else
typedef int ty_mldsa_m4_is_empty;   /* ISO C requires a declaration in every file */
#endif
