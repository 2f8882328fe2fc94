/* ML-DSA's kernels on bytes for ARM's DSP instructions: the sampler of A reads the permutation's words, and products with the
 * challenge are sums of four bytes at once (SADD8, SSUB8). The rest is portable C.
 *
 * Sums of 8 bits hold 127/eta places: all 60 of them for eta 2, 31 for eta 4, which has 49 and takes them in two parts. */
#include "base/levels.h"

#if defined(TY_ARM_DSP)
#include "base/wipe.h"
#include "mldsa/mldsa.h"

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
            const uint32_t in[6] = { (uint32_t)u, (uint32_t)(u >> 32), (uint32_t)v, (uint32_t)(v >> 32),
                                     (uint32_t)t, (uint32_t)(t >> 32) };
            for (size_t j = 0; j < 6; j += 3) {
                const uint32_t x[4] = { in[j], in[j] >> 24 | in[j + 1] << 8, in[j + 1] >> 16 | in[j + 2] << 16,
                                        in[j + 2] >> 8 };
                for (size_t k = 0; k < 4; k++) {
                    const uint32_t candidate = x[k] & 0x7fffff;
                    if (have < 256 && candidate < TY_Q) out[have++] = (int32_t)candidate;
                }
            }
        }
        n[i] = have;
    }
}

/* four bytes at any address; freestanding, a memcpy would be a call */
typedef struct __attribute__((packed, may_alias)) {
    int32_t v;
} bytes4;
static inline int32_t four(const int8_t *p) { return ((const bytes4 *)p)->v; }

/* sum[256] = the windows that places from to to - 1 open on e, those from `plus` on taken off; 32 bytes at a time */
static void windows(int32_t sum[64], const ty_mldsa_ball *c, size_t from, size_t to, const int8_t *e)
{
    const size_t plus = c->plus < from ? from : c->plus > to ? to : c->plus;
    for (size_t b = 0; b < 64; b += 8) {
        const int8_t *const block = e + 256 + 4 * b;
        int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
#define EIGHT(op)                                                                                        \
        s0 = op(s0, four(w)), s1 = op(s1, four(w + 4)), s2 = op(s2, four(w + 8)), s3 = op(s3, four(w + 12)), \
        s4 = op(s4, four(w + 16)), s5 = op(s5, four(w + 20)), s6 = op(s6, four(w + 24)), s7 = op(s7, four(w + 28))
        for (size_t j = from; j < plus; j++) {
            const int8_t *const w = block - c->at[j];
            EIGHT(__sadd8);
        }
        for (size_t j = plus; j < to; j++) {
            const int8_t *const w = block - c->at[j];
            EIGHT(__ssub8);
        }
        sum[b] = s0, sum[b + 1] = s1, sum[b + 2] = s2, sum[b + 3] = s3;
        sum[b + 4] = s4, sum[b + 5] = s5, sum[b + 6] = s6, sum[b + 7] = s7;
    }
}

/* z += the bytes of sum; the top bit is set where a |z| is bound or more */
static uint32_t add_bytes(int32_t z[256], const int32_t sum[64], int32_t bound)
{
    uint32_t far = 0;
    for (size_t i = 0; i < 256; i++) {
        const int32_t x = z[i] += (int8_t)((uint32_t)sum[i / 4] >> i % 4 * 8), sign = x >> 31;
        far |= (uint32_t)(bound - 1 - ((x ^ sign) - sign));
    }
    return far;
}

static uint32_t ty_mldsa_add_times_m4(int32_t z[TY_AT_LEAST(256)], const ty_mldsa_ball *c,
                                      const int8_t e[TY_AT_LEAST(512)], int32_t eta, int32_t bound)
{
    const size_t most = eta == 2 ? 63 : 31;
    int32_t sum[64];
    uint32_t far;
    size_t to = 0;
    do {   /* once where there are no places, too: for the bound */
        const size_t from = to;
        to = c->n - from < most ? c->n : from + most;
        windows(sum, c, from, to, e);
        far = add_bytes(z, sum, bound);   /* the last one counts */
    } while (to < c->n);
    ty_wipe(sum, sizeof sum);
    return far >> 31;
}

const ty_mldsa_ops ty_mldsa_ops_m4 = {
    ty_mldsa_pack_c, ty_mldsa_unpack_c, ty_mldsa_uniform_m4, ty_mldsa_small_c, ty_mldsa_add_times_m4 };
#else
typedef int ty_mldsa_m4_is_empty;   /* ISO C wants a declaration in every file */
#endif
