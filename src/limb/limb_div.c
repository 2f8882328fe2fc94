/* Division: quotient limbs are estimated with a reciprocal of the top of the divisor, at most one
 * too large (Knuth, TAOCP 2, 4.3.1, algorithm D, with the estimate of three limbs by two of Moeller
 * and Granlund 2011, algorithm 5 and section IV).
 * bound: per quotient limb dn products, and for the estimate at most 2 more and the lower half of
 * one */
#include "limb/limb.h"

/* The time of a hardware divider depends on its operands, so none is used.
 * 64 bits: from floor((2^19 - 3 2^8)/d9), d9 the highest 9 bits of d, by Newton's iteration, with
 * 11, 21, 34, 65 correct bits [Moeller and Granlund, algorithm 2; proved for all d in
 * tests/formal/division.py]; their table of 256 entries is replaced by a division that finds the 10
 * bits of the quotient below its leading one. 32 bits: (B^2 - 1 - B d)/d bit by bit, where the
 * remainder begins as B - 1 - d < d and stays below d. */
ty_limb ty_limb_recip(ty_limb d)
{
#if TY_LIMB_BITS == 64
    const uint64_t d9 = d >> 55, d40 = (d >> 24) + 1, d63 = (d >> 1) + (d & 1);
    uint64_t r = ((uint64_t)1 << 19) - 768 - (d9 << 10), v = 1024;
    for (int i = 9; i >= 0; i--) {
        const uint64_t t = r - (d9 << i), fits = ~ty_limb_mask(t >> 63);
        r ^= fits & (r ^ t);
        v |= fits & (uint64_t)1 << i;
    }
    v = (v << 11) - (v * v * d40 >> 40) - 1;
    v = (v << 13) + (v * (((uint64_t)1 << 60) - v * d40) >> 47);
    const uint64_t e = (v >> 1 & ty_limb_mask(d & 1)) - v * d63;
    v = (v << 31) + (uint64_t)((ty_limb2)v * e >> 65);
    return v - d - (uint64_t)(((ty_limb2)v * d + d) >> 64);
#else
    ty_limb r = ~d, q = 0;
    for (int i = 0; i < TY_LIMB_BITS; i++) {
        const ty_limb out = ty_limb_mask(r >> (TY_LIMB_BITS - 1));
        r = r << 1 | 1;
        ty_limb b = 0;
        const ty_limb t = ty_limb_sbb(r, d, &b), fits = out | ~ty_limb_mask(b);
        r ^= fits & (r ^ t);
        q = q << 1 | (fits & 1);
    }
    return q;
#endif
}

/* B - 1 - d < d, so that the CPU's instruction, two limbs by one, does not overflow. In C this is a
 * division of two limbs, for which compilers call a routine. */
ty_limb ty_limb_recip_vt(ty_limb d)
{
#if defined(__x86_64__) && TY_LIMB_BITS == 64
    ty_limb q = ~(ty_limb)0, r = ~d;
    __asm__("divq %[d]" : "+a"(q), "+d"(r) : [d] "r"(d) : "cc");
    return q;
#else
    return (ty_limb)(((ty_limb2)~d << TY_LIMB_BITS | ~(ty_limb)0) / d);
#endif
}

/* *r = u1:u0 mod d, the quotient is returned, for u1 < d, d normalised, v = recip(d): Moeller
 * and Granlund's algorithm 4 with masks. */
static ty_limb div_2by1(ty_limb *r, ty_limb u1, ty_limb u0, ty_limb d, ty_limb v)
{
    const ty_limb2 t = ty_limb_product(v, u1) + ((ty_limb2)u1 << TY_LIMB_BITS | u0);
    ty_limb q = (ty_limb)(t >> TY_LIMB_BITS) + 1, x = u0 - q * d, b = 0;
    (void)ty_limb_sbb((ty_limb)t, x, &b);   /* x > the lower half: q was one too large */
    const ty_limb down = ty_limb_mask(b);
    q += down;
    x += d & down;
    b = 0;
    /* rarely q is still one too small */
    const ty_limb y = ty_limb_sbb(x, d, &b), up = ~ty_limb_mask(b);
    *r = x ^ (up & (x ^ y));
    return q - up;
}

/* min(B - 1, floor(u2:u1 / d1)), at most 2 larger than the quotient [Knuth, theorem B], lowered
 * once if q d1:d0 > u2:u1:u0, which means q d0 > r B + u0; u2:u1 <= d1:d0. The quotient of these
 * three limbs by two is at most 1 larger than the true one, so that an excess of 2 is always
 * detected, and the result is at most 1 too large: tests/formal/division.py. With u2 = d1 the
 * estimate is B - 1 and r = u1 + d1, and r >= B means that q is small enough. */
static ty_limb guess(ty_limb u2, ty_limb u1, ty_limb u0, ty_limb d1, ty_limb d0, ty_limb v)
{
    ty_limb r, b = 0, c = 0;
    const ty_limb less = ~ty_limb_is0(u2 ^ d1), sum = ty_limb_adc(u1, d1, &c);
    const ty_limb q = div_2by1(&r, u2 & less, u1, d1, v) | ~less;
    r ^= ~less & (r ^ sum);
    const ty_limb2 p = ty_limb_product(q, d0);
    (void)ty_limb_sbb(u0, (ty_limb)p, &b);
    (void)ty_limb_sbb(r, (ty_limb)(p >> TY_LIMB_BITS), &b);
    return q + (ty_limb_mask(b) & (less | ~ty_limb_mask(c)));
}

/* --- For public numbers: two limbs of the divisor in one reciprocal --------------------------- */

/* floor((B^3 - 1)/(d1 B + d0)) - B from v = floor((B^2 - 1)/d1) - B [Moeller and Granlund,
 * algorithm 6] */
static ty_limb recip_2_vt(ty_limb d1, ty_limb d0, ty_limb v)
{
    ty_limb p = d1 * v + d0;
    if (p < d0) {
        v--;
        if (p >= d1) v--, p -= d1;
        p -= d1;
    }
    const ty_limb2 t = (ty_limb2)v * d0;
    p += (ty_limb)(t >> TY_LIMB_BITS);
    if (p < (ty_limb)(t >> TY_LIMB_BITS)) {
        v--;
        if (p > d1 || (p == d1 && (ty_limb)t >= d0)) v--;
    }
    return v;
}

/* The quotient of u2:u1:u0 by d = d1:d0, u2:u1 < d, and *r the remainder [algorithm 5, three
 * limbs by two] */
static inline ty_limb div_3by2_vt(ty_limb2 *r, ty_limb u2, ty_limb u1, ty_limb u0, ty_limb2 d,
                                  ty_limb v)
{
    const ty_limb2 t = (ty_limb2)v * u2 + ((ty_limb2)u2 << TY_LIMB_BITS | u1);
    ty_limb q = (ty_limb)(t >> TY_LIMB_BITS);
    const ty_limb d1 = (ty_limb)(d >> TY_LIMB_BITS), d0 = (ty_limb)d;
    ty_limb2 x = ((ty_limb2)(u1 - q * d1) << TY_LIMB_BITS | u0) - d - (ty_limb2)d0 * q;
    q++;
    if ((ty_limb)(x >> TY_LIMB_BITS) >= (ty_limb)t) q--, x += d;
    if (x >= d) q++, x -= d;   /* rarely */
    *r = x;
    return q;
}

/* q[count] = the quotient, u[0..dn) = the remainder; v = recip_2_vt of d's two highest limbs. The
 * estimate from three limbs by two is too large in about one case in B; then d is added back
 * once. */
static void div_rows_vt(ty_limb *q, ty_limb *u, size_t count, const ty_limb *d, size_t dn,
                        ty_limb v, const ty_limb_ops *ops)
{
    const ty_limb d1 = d[dn - 1], d0 = d[dn - 2];
    for (size_t j = count; j-- > 0;) {
        ty_limb *at = u + j, *top = at + dn, g = ~(ty_limb)0;
        if (top[0] == d1 && top[-1] == d0) {
            (void)ops->submul_1(at, d, dn, g);   /* u < d B: exactly B - 1 times */
        } else {
            ty_limb2 r;
            g = div_3by2_vt(&r, top[0], top[-1], top[-2], (ty_limb2)d1 << TY_LIMB_BITS | d0, v);
            const ty_limb c = ops->submul_1(at, d, dn - 2, g);
            const int less = r < c;
            r -= c;
            top[-2] = (ty_limb)r, top[-1] = (ty_limb)(r >> TY_LIMB_BITS);
            if (less) g--, (void)ops->add(at, at, d, dn);
        }
        top[0] = 0;
        q[j] = g;
    }
}

/* dn >= 2. If no quotient is requested, its digits overwrite limbs that are no longer needed. */
static void div_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn, ty_limb v)
{
    enum { MOST = 256 };   /* limbs of a divisor that is copied */
    const ty_limb_ops *ops = ty_limb_best();
    const ty_limb d1 = d[dn - 1], d0 = d[dn - 2];
    size_t count = un - dn;
    if (!q) q = u + dn;
    if (!u[un - 1] && u[un - 2] < d1) {   /* the highest digit is 0, as usual */
        q[--count] = 0;
        if (!count) return;
    }
    v = recip_2_vt(d1, d0, v);
    if (ops->div_vt && dn > 2 && dn <= MOST) {
        ty_limb e[MOST + 1];
        for (size_t i = 0; i < dn - 2; i++) e[i] = ~d[i];
        e[dn - 2] = d0, e[dn - 1] = d1, e[dn] = v;
        ops->div_vt(q, u, count, e, dn);
    } else {
        div_rows_vt(q, u, count, d, dn, v, ops);
    }
}

void ty_limb_div(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn, ty_limb v, int vt)
{
    if (vt && dn > 1) {
        div_vt(q, u, un, d, dn, v);
        return;
    }
    const ty_limb_ops *ops = ty_limb_best();
    const ty_limb d1 = d[dn - 1], d0 = dn > 1 ? d[dn - 2] : 0;
    for (size_t j = un - dn; j-- > 0;) {
        ty_limb *at = u + j, *top = at + dn;
        if (dn == 1) {
            const ty_limb g = div_2by1(at, *top, *at, d1, v);
            *top = 0;
            if (q) q[j] = g;
            continue;
        }
        ty_limb g = guess(top[0], top[-1], top[-2], d1, d0, v), b = 0;
        const ty_limb c = ops->submul_1(at, d, dn, g);
        *top = ty_limb_sbb(*top, c, &b);
        const ty_limb mask = ty_limb_mask(b);   /* negative: g was one too large */
        g += mask;
        *top += ty_limb_add_if(at, d, dn, mask);
        if (q) q[j] = g;
    }
}

ty_limb ty_limb_div_1_vt(ty_limb *q, const ty_limb *x, size_t n, ty_limb d)
{
    const unsigned s = ty_limb_zeros_vt(d);
    const ty_limb dd = d << s, v = ty_limb_recip_vt(dd);
    ty_limb r = n && s ? x[n - 1] >> (TY_LIMB_BITS - s) : 0;   /* x is shifted as it is read */
    for (size_t i = n; i-- > 0;) {
        const ty_limb low = i && s ? x[i - 1] >> (TY_LIMB_BITS - s) : 0;
        const ty_limb g = div_2by1(&r, r, x[i] << s | low, dd, v);
        if (q) q[i] = g;
    }
    return r >> s;
}

/* Limbs of x are shifted as they are read. The first r is x's highest limb with a zero limb above
 * it, shifted: it is less than d, since d >= B before the shift. */
ty_limb2 ty_limb_div_2_vt(ty_limb *q, const ty_limb *x, size_t n, ty_limb2 d)
{
    const unsigned s = ty_limb_zeros_vt((ty_limb)(d >> TY_LIMB_BITS)), rest = TY_LIMB_BITS - 1 - s;
    d <<= s;
    const ty_limb d1 = (ty_limb)(d >> TY_LIMB_BITS),
                  v = recip_2_vt(d1, (ty_limb)d, ty_limb_recip_vt(d1));
    ty_limb2 r =
        (ty_limb2)(x[n - 1] >> 1 >> rest) << TY_LIMB_BITS | (x[n - 1] << s | x[n - 2] >> 1 >> rest);
    for (size_t i = n - 1; i-- > 0;) {
        const ty_limb next = x[i] << s | (i ? x[i - 1] >> 1 >> rest : 0);
        const ty_limb g = div_3by2_vt(&r, (ty_limb)(r >> TY_LIMB_BITS), (ty_limb)r, next, d, v);
        if (q) q[i] = g;
    }
    return r >> s;
}
