/* Inverses modulo an odd number below 2^256 by division steps, for ARM's DSP instructions. Part of
 * limb/limb256.h, which includes it where TY_LIMB_M4 is defined. time: constant
 *
 * As in limb/divstep64.h, with the same bound of 590 steps: this code takes 20 rounds of 30.
 * Numbers are nine signed limbs of 30 bits; the rounds are assembly. */
#ifndef TY_LIMB_DIVSTEP32_M4_H
#define TY_LIMB_DIVSTEP32_M4_H

#define TY_DIV32_LIMBS 9
#define TY_DIV32_MASK  (((uint32_t)1 << 30) - 1)

typedef struct ty_div32 {   /* the assembly depends on this order; d becomes c/x */
    int32_t d[TY_DIV32_LIMBS], e[TY_DIV32_LIMBS], m[TY_DIV32_LIMBS];
    int32_t f[TY_DIV32_LIMBS], g[TY_DIV32_LIMBS];
} ty_div32;

/* all rounds, from delta = 1/2 on; m_inv = 1/m mod 2^30 */
void ty_div_rounds_m4(ty_div32 *s, uint32_t m_inv);

static inline void ty_div32_set(int32_t z[TY_DIV32_LIMBS], const ty_limb x[TY_AT_LEAST(8)])
{
    z[0] = (int32_t)(x[0] & TY_DIV32_MASK);
    TY_UNROLL for (int i = 1; i < 8; i++)
        z[i] = (int32_t)((x[i - 1] >> (32 - 2 * i) | x[i] << 2 * i) & TY_DIV32_MASK);
    z[8] = (int32_t)(x[7] >> 16);
}

/* x = ((x + (m & mask)) ^ sign) - sign, carries propagated */
static inline void ty_div32_add(int32_t x[TY_DIV32_LIMBS], const int32_t m[TY_DIV32_LIMBS],
                                int32_t mask, int32_t sign)
{
    int32_t carry = 0;
    TY_UNROLL for (int i = 0; i < TY_DIV32_LIMBS; i++) {
        const int32_t t = ((x[i] + (m[i] & mask)) ^ sign) - sign + carry;
        carry = t >> 30;
        x[i] = i < TY_DIV32_LIMBS - 1 ? (int32_t)((uint32_t)t & TY_DIV32_MASK) : t;
    }
}

/* z = c/x mod m, or 0 if x is 0, for x, c < m; m_inv = 1/m mod 2^30 at least.   z may alias x */
static inline void ty_limb256_inv(ty_limb z[TY_AT_LEAST(8)], const ty_limb x[TY_AT_LEAST(8)],
                                  const ty_limb m[TY_AT_LEAST(8)], uint64_t m_inv,
                                  const ty_limb c[TY_AT_LEAST(8)])
{
    ty_div32 s;
    memset(s.d, 0, sizeof s.d);
    ty_div32_set(s.e, c);
    ty_div32_set(s.m, m);
    ty_div32_set(s.f, m);
    ty_div32_set(s.g, x);
    ty_div_rounds_m4(&s, (uint32_t)m_inv);
    /* g = 0, f = +-1, or +-m for x = 0; d = +-c/x in (-2m, m): m is added to a negative d, then the
     * sign is taken from f, and m is added once more to a negative d, which is then in [0, m) */
    ty_div32_add(s.d, s.m, s.d[8] >> 31, s.f[8] >> 31);
    ty_div32_add(s.d, s.m, s.d[8] >> 31, 0);
    TY_UNROLL for (int i = 0; i < 8; i++)
        z[i] = (uint32_t)s.d[i] >> 2 * i | (uint32_t)s.d[i + 1] << (30 - 2 * i);
    ty_wipe(&s, sizeof s);
}

#endif
