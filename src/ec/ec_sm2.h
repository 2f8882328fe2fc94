/* The SM2 curve (GB/T 32918.5: sm2p256v1), at the level of point multiplication.
 *
 * curve      y^2 = x^3 - 3x + b over Z/p (mod/p_sm2.h); its points are a group of prime order n
 *            (mod/n_sm2.h), so the cofactor is 1 and every point of the curve but infinity has
 *            order n
 * form       a point is 64 bytes, x || y, big-endian, each below p; the point at infinity has no
 *            such form, and is returned as 64 zero bytes (not a point: b is not 0) with a zero mask
 * masks      uint32_t, all ones or zero
 * tiers      "c"     32-bit limbs
 *            "c64"   64-bit limbs
 *            "adx"   mulx, adcx and adox, a larger table for G, AVX2 to read it and for several
 *                    points at once
 *            "neon"  64-bit limbs, the field in AArch64's assembly, in the Montgomery domain
 *            "m4"    32-bit limbs, the field's operations in assembly, in the Montgomery domain
 *            all of these are compiled from ec_sm2_tier.h and ec_prime.h
 *            "gfni512"  as "adx", except that several points are computed eight at a time by
 *                    AVX-512 IFMA, ec_sm2_eight.h, and so are the parts of a single verification
 *                    and a table, ec_sm2_eight_one.h */
#ifndef TY_EC_EC_SM2_H
#define TY_EC_EC_SM2_H

#include "base/levels.h"
#include "tongyu/base.h"

#define TY_EC_SM2_MANY  32       /* points that share an inversion, at most */
#define TY_EC_SM2_TABLE 14336    /* bytes of a table of multiples of a point */

/* What a verification needs to know: whether uG + vP is a point whose x-coordinate is x mod n; u, v
 * below 2^256, x < n */
typedef struct ty_ec_sm2_check {
    uint8_t x[32], u[32], v[32], p[64];
    const uint8_t *table;    /* that of P, by the same tier, used in place of p; or NULL */
    uint32_t good;           /* the answer: all ones or zero */
} ty_ec_sm2_check;

typedef struct ty_ec_sm2_ops {
    /* z = kG for any k (as k mod n).  returns all ones, or zero where the result is infinity
     * time: constant */
    uint32_t (*mul_base)(uint8_t z[TY_AT_LEAST(64)], const uint8_t k[TY_AT_LEAST(32)]);

    /* z[i] = k[i] G for i < n, n <= TY_EC_SM2_MANY; zeros where that is infinity, which does
     * not affect the others
     * time: depends on n only */
    void (*mul_base_many)(uint8_t (*z)[64], const uint8_t (*k)[32], size_t n);

    /* z = kP for any k, P on the curve.  returns as above.  z may alias P.  time: constant */
    uint32_t (*mul)(uint8_t z[TY_AT_LEAST(64)], const uint8_t k[TY_AT_LEAST(32)],
                    const uint8_t p[TY_AT_LEAST(64)]);

    /* z[i] = k[i] p[i] for i < n, n <= TY_EC_SM2_MANY; zeros where that is infinity. z may alias
     * p.   time: depends on n only */
    void (*mul_many)(uint8_t (*z)[64], const uint8_t (*k)[32], const uint8_t (*p)[64], size_t n);

    /* z = uG + vP for u, v below 2^256, P on the curve; all of it public. returns as above. time:
     * variable */
    uint32_t (*mul_add_vt)(uint8_t z[TY_AT_LEAST(64)], const uint8_t u[TY_AT_LEAST(32)],
                           const uint8_t v[TY_AT_LEAST(32)], const uint8_t p[TY_AT_LEAST(64)]);

    /* all ones if uG + vP is a point, not infinity, whose x-coordinate is x mod n, for x < n; else
     * zero. u, v, P as above
     * time: variable */
    uint32_t (*joint_has_x_vt)(const uint8_t x[TY_AT_LEAST(32)], const uint8_t u[TY_AT_LEAST(32)],
                               const uint8_t v[TY_AT_LEAST(32)], const uint8_t p[TY_AT_LEAST(64)]);

    /* table = multiples of P, on the curve, for table_has_x_vt of the same tier. time: variable,
     * that of two or three joint_has_x_vt */
    void (*table_vt)(uint8_t table[TY_AT_LEAST(TY_EC_SM2_TABLE)], const uint8_t p[TY_AT_LEAST(64)]);

    /* the same answer as joint_has_x_vt, for the P of the table.  time: variable */
    uint32_t (*table_has_x_vt)(const uint8_t x[TY_AT_LEAST(32)], const uint8_t u[TY_AT_LEAST(32)],
                               const uint8_t v[TY_AT_LEAST(32)],
                               const uint8_t table[TY_AT_LEAST(TY_EC_SM2_TABLE)]);

    /* The answers to any number n of checks, by table_has_x_vt where there is a table, else by
     * joint_has_x_vt; neighbours that both have one, or both have none, share lanes. time:
     * variable */
    void (*checks_vt)(ty_ec_sm2_check *c, size_t n);
    size_t table_pays;       /* the least number of checks with one P for which a table is faster */

    /* z = P + Q for any two points on the curve, equal and opposite ones too. returns as above.
     * time: constant */
    uint32_t (*add)(uint8_t z[TY_AT_LEAST(64)], const uint8_t p[TY_AT_LEAST(64)],
                    const uint8_t q[TY_AT_LEAST(64)]);

    /* all ones if x, y < p and y^2 = x^3 - 3x + b, else zero.  time: constant */
    uint32_t (*on_curve)(const uint8_t p[TY_AT_LEAST(64)]);

    /* z = the point with this x and with y == odd (mod 2), odd 0 or 1. returns zero, and zeroes z,
     * if x >= p or no point has it. time: constant */
    uint32_t (*decompress)(uint8_t z[TY_AT_LEAST(64)], const uint8_t x[TY_AT_LEAST(32)],
                           uint32_t odd);
} ty_ec_sm2_ops;

#define TY_EC_SM2_TIERS(X) \
    X(ec_sm2, c) TY_ON_WORD64(X(ec_sm2, c64)) TY_ON_ADX(X(ec_sm2, adx) X(ec_sm2, gfni512)) \
    TY_ON_ARM64(X(ec_sm2, neon)) TY_ON_ARM_DSP(X(ec_sm2, m4))
TY_FAMILY(ec_sm2, TY_EC_SM2_TIERS)

#endif
