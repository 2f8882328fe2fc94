/* ML-DSA's parameter rows, and its kernels on bytes in portable C: packing, unpacking, rejection
 * sampling. */
#include "mldsa/mldsa.h"

#include "base/bytes.h"
#include "base/ct.h"
#include "mod/q_mldsa_one.h"

#define PUB(k)       (32 + 320 * (k))
#define KEY(k, l, e) (128 + 32 * (e) * ((k) + (l)) + 416 * (k))
#define SIG(k, l, z, omega, c) ((c) + 32 * (z) * (l) + (omega) + (k))

static const ty_mldsa_row rows[] = {
    { TY_MLDSA_44, 4, 4, 2, 3, 39, 80, 18, 6, 1 << 17, TY_Q_GAMMA2_88, 78, 32,
      PUB(4), KEY(4, 4, 3), SIG(4, 4, 18, 80, 32) },
    { TY_MLDSA_65, 6, 5, 4, 4, 49, 55, 20, 4, 1 << 19, TY_Q_GAMMA2_32, 196, 48,
      PUB(6), KEY(6, 5, 4), SIG(6, 5, 20, 55, 48) },
    { TY_MLDSA_87, 8, 7, 2, 3, 60, 75, 20, 4, 1 << 19, TY_Q_GAMMA2_32, 120, 64,
      PUB(8), KEY(8, 7, 3), SIG(8, 7, 20, 75, 64) },
};

const ty_mldsa_row *ty_mldsa_find(ty_mldsa_set set)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].set == set) return &rows[i];
    return NULL;
}

size_t ty_mldsa_pub_len(ty_mldsa_set set)
{
    const ty_mldsa_row *row = ty_mldsa_find(set);
    return row ? row->pub_len : 0;
}

size_t ty_mldsa_key_len(ty_mldsa_set set)
{
    const ty_mldsa_row *row = ty_mldsa_find(set);
    return row ? row->key_len : 0;
}

size_t ty_mldsa_sig_len(ty_mldsa_set set)
{
    const ty_mldsa_row *row = ty_mldsa_find(set);
    return row ? row->sig_len : 0;
}

/* Eight fields are `bits` whole bytes, and at most 23 bits with 7 from the field before fit in
 * 32. */
static inline void pack8(uint8_t *out, const int32_t a[8], unsigned bits, int32_t top)
{
    uint32_t waiting = 0;
    unsigned have = 0;
    for (size_t i = 0; i < 8; i++) {
        waiting |= (uint32_t)(top ? top - a[i] : a[i]) << have;
        for (have += bits; have >= 8; have -= 8, waiting >>= 8) *out++ = (uint8_t)waiting;
    }
}

void ty_mldsa_pack_some_c(uint8_t *out, const int32_t *a, size_t n, unsigned bits, int32_t top)
{
    for (size_t i = 0; i < n; i += 8, out += bits) pack8(out, a + i, bits, top);
}

void ty_mldsa_pack_c(uint8_t *out, const int32_t a[TY_AT_LEAST(256)], unsigned bits, int32_t top)
{
    ty_mldsa_pack_some_c(out, a, 256, bits, top);
}

static inline void unpack8(int32_t a[8], const uint8_t *in, unsigned bits, int32_t top)
{
    uint32_t waiting = 0;
    unsigned have = 0;
    for (size_t i = 0; i < 8; i++, waiting >>= bits, have -= bits) {
        for (; have < bits; have += 8) waiting |= (uint32_t)*in++ << have;
        const int32_t field = (int32_t)(waiting & ((1u << bits) - 1));
        a[i] = top ? top - field : field;
    }
}

void ty_mldsa_unpack_some_c(int32_t *a, const uint8_t *in, size_t n, unsigned bits, int32_t top)
{
    for (size_t i = 0; i < n; i += 8, in += bits) unpack8(a + i, in, bits, top);
}

void ty_mldsa_unpack_c(int32_t a[TY_AT_LEAST(256)], const uint8_t *in, unsigned bits, int32_t top)
{
    ty_mldsa_unpack_some_c(a, in, 256, bits, top);
}

void ty_mldsa_times_c(int32_t *z, const int32_t *x, const int32_t *y, size_t n)
{
    for (size_t i = 0; i < n; i++) z[i] += redc(ty_mul32s(x[i], y[i]));
}

void ty_mldsa_times_packed_c(uint8_t *z, const int32_t *x, const int32_t *y, size_t n)
{
    int32_t a[8];
    for (size_t i = 0; i < n; i += 8, z += 23) {
        unpack8(a, z, 23, 0);
        for (size_t j = 0; j < 8; j++)
            a[j] = canon(canon(a[j] + redc(ty_mul32s(x[i + j], y[i + j]))) - TY_Q);
        pack8(z, a, 23, 0);
    }
    ty_wipe(a, sizeof a);
}

void ty_mldsa_windows_c(int32_t z[TY_AT_LEAST(32)], const ty_mldsa_challenge *c,
                        const int8_t e[TY_AT_LEAST(512)], size_t at, int32_t eta)
{
    (void)eta;
    for (size_t j = 0; j < c->n; j++) {
        const int8_t *w = e + 256 + at - c->at[j];
        for (size_t i = 0; i < 32; i++) z[i] += j < c->plus ? w[i] : -w[i];
    }
}

static size_t ty_mldsa_take_c(int32_t *a, size_t n, const uint8_t *in, size_t in_len)
{
    for (size_t i = 0; n < 256 && i < in_len; i += 24) {
        int32_t x[8];
        for (size_t j = 0; j < 8; j++, in += 3)
            x[j] = (int32_t)(in[0] | (uint32_t)in[1] << 8 | (uint32_t)(in[2] & 127) << 16);
        n = ty_mldsa_take_vt(a, n, x);
    }
    return n;
}

static void ty_mldsa_uniform_c(int32_t *const a[TY_AT_LEAST(4)], size_t n[TY_AT_LEAST(4)],
                             const uint64_t *words, size_t stride)
{
    uint8_t block[TY_SHAKE128_BLOCK];
    for (size_t i = 0; i < 4; i++) {
        for (size_t w = 0; w < sizeof block / 8; w++)
            ty_put64le(block + 8 * w, words[stride * w + i]);
        n[i] = ty_mldsa_take_c(a[i], n[i], block, sizeof block);
    }
}

/* x mod 5 for x < 15: x 13 >> 6 is the quotient */
static inline int32_t mod5(int32_t x) { return x - (x * 13 >> 6) * 5; }

size_t ty_mldsa_small_c(int32_t a[TY_AT_LEAST(256)], size_t n, const uint8_t *in, size_t in_len,
                        int32_t eta)
{
    const uint32_t end = eta == 2 ? 15 : 9;
    for (size_t i = 0; i < 2 * in_len && n < 256; i++) {
        const uint32_t x = (uint32_t)(in[i / 2] >> i % 2 * 4) & 15;
        uint32_t taken = (x - end) >> 31;
        /* which candidates are rejected reveals nothing about the others */
        TY_PUBLIC(&taken, sizeof taken);
        if (taken) a[n++] = eta - (eta == 2 ? mod5((int32_t)x) : (int32_t)x);
    }
    return n;
}

/* sums are at most 60 * 4 = 240, so 16 bits are enough */
static uint32_t ty_mldsa_add_times_c(int32_t z[TY_AT_LEAST(256)], const ty_mldsa_challenge *c,
                                     const int8_t e[TY_AT_LEAST(512)], int32_t eta, int32_t bound)
{
    int16_t sum[256] = { 0 };
    uint32_t large = 0;
    (void)eta;
    for (size_t j = 0; j < c->n; j++) {
        const int8_t *w = e + 256 - c->at[j];
        if (j < c->plus)
            for (size_t i = 0; i < 256; i++) sum[i] = (int16_t)(sum[i] + w[i]);
        else
            for (size_t i = 0; i < 256; i++) sum[i] = (int16_t)(sum[i] - w[i]);
    }
    for (size_t i = 0; i < 256; i++) {
        const int32_t x = z[i] += sum[i], sign = x >> 31;
        large |= (uint32_t)(bound - 1 - ((x ^ sign) - sign));   /* negative where |x| >= bound */
    }
    ty_wipe(sum, sizeof sum);
    return large >> 31;
}

const ty_mldsa_ops ty_mldsa_ops_c = { ty_mldsa_pack_c,         ty_mldsa_unpack_c,
                                      ty_mldsa_uniform_c,      ty_mldsa_small_c,
                                      ty_mldsa_add_times_c,    ty_mldsa_pack_some_c,
                                      ty_mldsa_unpack_some_c,  ty_mldsa_times_c,
                                      ty_mldsa_times_packed_c, ty_mldsa_windows_c };

TY_FAMILY_ROWS(mldsa, TY_MLDSA_TIERS);
