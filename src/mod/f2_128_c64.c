/* GF(2^128) with the 64x64 -> 128 integer product: a carry-less product from products with holes.
 *
 * Let x_i be the bits of x at positions i mod 4. In the integer product x_i y_j the columns that
 * can be non-zero are four apart, so a column's sum may reach 15 without touching the next one, and
 * its lowest bit is the carry-less sum. Sixteen such products and masks give the whole product.
 * With all 64 bits a class has 16 members and one column could reach 16; so only the low 60 bits,
 * 15 to a class, are multiplied like this, and the top four are added as shifts. (The holes are an
 * old idea: T. Pornin's BearSSL uses them with half products and bit reversal.)
 *
 * Time: the integer product of a 64-bit CPU takes the same time for all operands. 32-bit CPUs use
 * the tier "c", without multiplications. Lower bound: 3 carry-less products of 16 multiplications
 * and about 110 other operations: some 400 per block. */
#include "mod/f2_128.h"

#if defined(__SIZEOF_INT128__)
#include "base/bytes.h"
#include "base/ct.h"
#include "mod/f2_128_const.h"

__extension__ typedef unsigned __int128 u128;

static inline u128 twice(uint64_t x) { return (u128)x << 64 | x; }

static inline u128 clmul(uint64_t x, uint64_t y)
{
    const uint64_t holes = 0x0111111111111111u;
    uint64_t a[4], b[4];
    u128 z = 0;
    for (int i = 0; i < 4; i++) {
        a[i] = x & holes << i;
        b[i] = y & holes << i;
    }
    for (int k = 0; k < 4; k++) {
        u128 sum = 0;
        for (int i = 0; i < 4; i++) sum ^= (u128)a[i] * b[(k - i) & 3];
        z |= sum & twice(0x1111111111111111u << k);
    }
    /* x y = x' y' + (x_top y + x' y_top) z^60, primes for the low 60 bits */
    for (int i = 60; i < 64; i++) {
        z ^= (u128)(y & ty_mask_bit64(x >> i & 1)) << i;
        z ^= (u128)((x & ~((uint64_t)15 << 60)) & ty_mask_bit64(y >> i & 1)) << i;
    }
    return z;
}

/* the low word clears itself and returns as (z^57 + z^62 + z^63 + z^64) n0, one word higher */
static inline u128 cleared(uint64_t n0)
{
    const u128 n = n0;
    return n << 57 ^ n << 62 ^ n << 63 ^ n << 64;
}

/* y = y h for a primed h: Karatsuba, then clear two words */
static inline void mul(uint64_t y[2], const uint64_t h[2])
{
    const u128 low = clmul(y[0], h[0]), high = clmul(y[1], h[1]);
    const u128 middle = clmul(y[0] ^ y[1], h[0] ^ h[1]) ^ low ^ high;
    /* words 1, 2 (and no carry) */
    const u128 one = (low >> 64) ^ middle ^ cleared((uint64_t)low);
    const u128 two = high ^ (one >> 64) ^ cleared((uint64_t)one);         /* words 2, 3 */
    y[0] = (uint64_t)two;
    y[1] = (uint64_t)(two >> 64);
}

static void ty_f2_128_powers_c64(uint64_t power[TY_AT_LEAST(8)][2],
                                 const uint8_t h[TY_AT_LEAST(16)])
{
    const uint64_t lo = ty_get64be(h + 8), hi = ty_get64be(h);
    /* h z: z^128 == 1 + z^121 + z^126 + z^127 */
    const uint64_t over = ty_mask_bit64(hi >> 63);
    power[0][0] = lo << 1 ^ (over & 1);
    power[0][1] = (hi << 1 | lo >> 63) ^ (over & TY_F2_128_DIGIT);
    /* this tier multiplies block by block, by h only */
    for (int i = 1; i < 8; i++) power[i][0] = power[i][1] = 0;
}

static void ty_f2_128_horner_c64(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                 const uint64_t power[TY_AT_LEAST(8)][2])
{
    uint64_t a[2] = { ty_get64be(y + 8), ty_get64be(y) };
    for (; blocks; blocks--, in += 16) {
        a[0] ^= ty_get64be(in + 8);
        a[1] ^= ty_get64be(in);
        mul(a, power[0]);
    }
    ty_put64be(y, a[1]);
    ty_put64be(y + 8, a[0]);
    ty_wipe(a, sizeof a);
}

static void ty_f2_128_polyval_c64(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                  const uint64_t power[TY_AT_LEAST(8)][2])
{
    uint64_t a[2] = { ty_get64le(y), ty_get64le(y + 8) };
    for (; blocks; blocks--, in += 16) {
        a[0] ^= ty_get64le(in);
        a[1] ^= ty_get64le(in + 8);
        mul(a, power[0]);
    }
    ty_put64le(y, a[0]);
    ty_put64le(y + 8, a[1]);
    ty_wipe(a, sizeof a);
}

const ty_f2_128_ops ty_f2_128_ops_c64 = {
    ty_f2_128_powers_c64, ty_f2_128_horner_c64, ty_f2_128_polyval_c64, NULL,
    ty_f2_128_ladder_c };
#endif
