/* Division, residues, divisors, powers and roots, mostly computed on limbs. */
#include "ltm.h"
#include "mp/mont.h"

#include <string.h>

/* --- Division --------------------------------------------------------------------------------- */

enum { FEW = 2, OWN_DIGITS = 2 * (4352 / LTM_BITS) + FEW + 8 };

/* Quotients of at most FEW + 1 digits, by Knuth's algorithm D on digits: repacking them into limbs
 * would cost more than the division. */
static mp_err div_digits(const mp_int *a, const mp_int *b, mp_int *c, mp_int *d)
{
    const size_t un = (size_t)a->used, n = (size_t)b->used, m = un - n;
    const mp_sign sign = a->sign == b->sign ? MP_ZPOS : MP_NEG, a_sign = a->sign;
    if (c) LTM_TRY(ltm_room(c, m + 1));
    if (d) LTM_TRY(ltm_room(d, n));
    mp_digit own[OWN_DIGITS], quotient[FEW + 1], *u = own, *v = own + un + 1;
    mp_int x = { 0, (int)un + 1, MP_ZPOS, u }, y = { 0, (int)n + 1, MP_ZPOS, v };
    const int shift = LTM_BITS - ltm_bits(b->dp[n - 1]);
    u[un] = 0;
    LTM_TRY(mp_mul_2d(a, shift, &x));   /* there is room in both */
    LTM_TRY(mp_mul_2d(b, shift, &y));
    if (x.used == (int)un) u[un] = 0;
    const mp_digit top = v[n - 1], next = v[n - 2];
    for (size_t j = m + 1; j-- > 0;) {
        mp_digit *at = u + j;
        const ltm_word two = (ltm_word)at[n] << LTM_BITS | at[n - 1];
        /* at most 2 too large; with the third digit, 1 */
        mp_digit q = at[n] >= top ? MP_MASK : (mp_digit)(two / top);
        ltm_word rest = two - (ltm_word)q * top;
        while (rest >> LTM_BITS == 0 && (ltm_word)q * next > (rest << LTM_BITS | at[n - 2]))
            q--, rest += top;
        mp_digit carry = 0;
        for (size_t i = 0; i < n; i++) {
            const ltm_word p = (ltm_word)q * v[i] + carry;
            const mp_digit t = at[i] - ((mp_digit)p & MP_MASK);
            at[i] = t & MP_MASK;
            carry = (mp_digit)(p >> LTM_BITS) + (t >> (8 * sizeof t - 1));
        }
        if (at[n] < carry) {   /* below zero: q was one too large */
            q--;
            carry = 0;
            for (size_t i = 0; i < n; i++) {
                carry += at[i] + v[i];
                at[i] = carry & MP_MASK;
                carry >>= LTM_BITS;
            }
        }
        at[n] = 0;
        quotient[j] = q;
    }
    if (d) {
        x.used = (int)n;
        x.sign = MP_ZPOS;
        LTM_TRY(mp_div_2d(&x, shift, d, NULL));   /* there is room */
        d->sign = d->used ? a_sign : MP_ZPOS;
    }
    if (c) {
        memcpy(c->dp, quotient, (m + 1) * sizeof *quotient);
        ltm_fit(c, m + 1, sign);
    }
    ty_wipe(own, (un + n + 2) * sizeof *own);
    ty_wipe(quotient, sizeof quotient);
    return MP_OKAY;
}

static int few_digits(const mp_int *a, const mp_int *b)
{
    return b->used >= 2 && a->used >= b->used && a->used - b->used <= FEW &&
           a->used + b->used + 2 <= OWN_DIGITS;
}

mp_err mp_div(const mp_int *a, const mp_int *b, mp_int *c, mp_int *d)
{
    ty_mp x, y;
    if (b->used == 0) return MP_VAL;
    if (mp_cmp_mag(a, b) == MP_LT) {
        if (d) LTM_TRY(mp_copy(a, d));
        if (c) mp_zero(c);
        return MP_OKAY;
    }
    if (few_digits(a, b) && c != d) return div_digits(a, b, c, d);
    mp_err e = ltm_get(&x, a);
    if (e == MP_OKAY) {
        e = ltm_get(&y, b);
        if (e == MP_OKAY) e = ltm_err(ty_mp_div_vt(c ? &x : NULL, d ? &y : NULL, &x, &y));
        if (e == MP_OKAY) e = ltm_put2(c, &x, d, &y);
        ty_mp_clear(&y);
    }
    ty_mp_clear(&x);
    return e;
}

/* t[0] mod t[m], with the sign of t[m] */
static ty_err floor_mod(ty_mp *t, size_t m)
{
    return t[m].neg ? ty_mp_div_floor_vt(NULL, t, t, t + m) : ty_mp_mod_vt(t, t, t + m);
}

static ty_err mod2(ty_mp *t) { ty_mp_swap(t, t + 1); return floor_mod(t, 2); }
static ty_err add3(ty_mp *t) { TY_TRY(ty_mp_add(t, t + 1, t + 2)); return floor_mod(t, 3); }
static ty_err sub3(ty_mp *t) { TY_TRY(ty_mp_sub(t, t + 1, t + 2)); return floor_mod(t, 3); }
static ty_err mul3(ty_mp *t) { TY_TRY(ty_mp_mul(t, t + 1, t + 2)); return floor_mod(t, 3); }
static ty_err sqr2(ty_mp *t) { TY_TRY(ty_mp_sqr(t, t + 1)); return floor_mod(t, 2); }

mp_err mp_mod(const mp_int *a, const mp_int *b, mp_int *c)
{
    if (b->used == 0) return MP_VAL;
    if (a->sign == b->sign && mp_cmp_mag(a, b) == MP_LT) return mp_copy(a, c);
    if (a->sign == b->sign && few_digits(a, b)) return div_digits(a, b, NULL, c);
    return ltm_call(mod2, c, a, b, NULL);
}

/* For a and b no longer than the modulus, as residues are, a few additions or subtractions replace
 * the division. */
static mp_err sum_mod(const mp_int *a, const mp_int *b, const mp_int *c, mp_int *d, int minus)
{
    const int limit = mp_count_bits(c);
    if (limit == 0) return MP_VAL;
    if (c->sign == MP_NEG || d == c || mp_count_bits(a) > limit || mp_count_bits(b) > limit)
        return ltm_call(minus ? sub3 : add3, d, a, b, c);
    LTM_TRY(ltm_room(d, (size_t)c->used + 2));   /* nothing below can fail */
    LTM_TRY(minus ? mp_sub(a, b, d) : mp_add(a, b, d));
    /* at most four times: |d| < 2^(limit + 1) <= 4c */
    while (d->sign == MP_NEG) LTM_TRY(mp_add(d, c, d));
    while (mp_cmp_mag(d, c) != MP_LT) LTM_TRY(ltm_sub(d, c, d, MP_ZPOS));
    return MP_OKAY;
}

mp_err mp_addmod(const mp_int *a, const mp_int *b, const mp_int *c, mp_int *d)
{
    return sum_mod(a, b, c, d, 0);
}
mp_err mp_submod(const mp_int *a, const mp_int *b, const mp_int *c, mp_int *d)
{
    return sum_mod(a, b, c, d, 1);
}
mp_err mp_mulmod(const mp_int *a, const mp_int *b, const mp_int *c, mp_int *d)
{
    return ltm_call(mul3, d, a, b, c);
}
mp_err mp_sqrmod(const mp_int *a, const mp_int *b, mp_int *c)
{
    return ltm_call(sqr2, c, a, b, NULL);
}

/* --- Inverses and powers modulo m ------------------------------------------------------------- */

static ty_err inverse(ty_mp *t) { return ty_mp_invmod_vt(t, t + 1, t + 2); }

mp_err mp_invmod(const mp_int *a, const mp_int *b, mp_int *c)
{
    if (mp_cmp_d(b, 1) != MP_GT) return MP_VAL;
    return ltm_call(inverse, c, a, b, NULL);
}

/* z = x^e mod 2^k, e >= 0 */
static ty_err power_low(ty_mp *z, const ty_mp *x, const ty_mp *e, size_t k)
{
    ty_mp_set_u64(z, 1);
    for (size_t i = ty_mp_bits(e); i-- > 0;) {
        TY_TRY(ty_mp_sqr(z, z));
        TY_TRY(ty_mp_low(z, z, k));
        if (!ty_mp_bit(e, i)) continue;
        TY_TRY(ty_mp_mul(z, z, x));
        TY_TRY(ty_mp_low(z, z, k));
    }
    return TY_OK;
}

/* m = 2^k odd: r = x^e modulo the odd part, by Montgomery, and s = x^e mod 2^k give the result by
 * the Chinese remainder theorem: r + odd ((s - r)/odd mod 2^k). t[0] = the result of x = t[1], e =
 * t[2], m = t[3]; u[0..2] is scratch. */
static ty_err power_even(ty_mp *t, ty_mp *u)
{
    const size_t k = ty_mp_trailing(t + 3);
    TY_TRY(ty_mp_shr(u, t + 3, k));
    TY_TRY(ty_mp_low(u + 1, t + 1, k));
    TY_TRY(power_low(u + 2, u + 1, t + 2, k));
    TY_TRY(ty_mp_powm_vt(t, t + 1, t + 2, u));
    ty_mp_set_u64(u + 1, 1);
    TY_TRY(ty_mp_shl(u + 1, u + 1, k));
    TY_TRY(ty_mp_invmod_vt(u + 1, u, u + 1));
    TY_TRY(ty_mp_sub(u + 2, u + 2, t));
    TY_TRY(ty_mp_mul(u + 2, u + 2, u + 1));
    TY_TRY(ty_mp_low(u + 2, u + 2, k));
    TY_TRY(ty_mp_mul(u + 2, u + 2, u));
    return ty_mp_add(t, t, u + 2);
}

/* 1 if m = B^n - c for one limb c, as LibTomMath's diminished-radix moduli are in digits, and long
 * enough for that form to be faster */
static int folds(const ty_mp *m)
{
    const size_t n = ty_mp_n(m);
    for (size_t i = 1; i < n; i++)
        if (ty_mp_cd(m)[i] != ~(ty_limb)0) return 0;
    return n > TY_LIMB_MONT;
}

/* A short exponent is that of a public key, for which variable time is allowed; a longer one is
 * treated as a secret. */
static ty_err power(ty_mp *t)
{
    if (ty_mp_odd(t + 3) && ty_mp_bits(t + 2) > 32 && !t[2].neg)
        return (folds(t + 3) ? ty_mp_powm_fold : ty_mp_powm)(t, t + 1, t + 2, t + 3);
    if (ty_mp_odd(t + 3) || t[2].neg) return ty_mp_powm_vt(t, t + 1, t + 2, t + 3);
    ty_mp u[3];
    for (int i = 0; i < 3; i++) ty_mp_init_with(u + i, ltm_alloc);
    const ty_err e = power_even(t, u);
    for (int i = 0; i < 3; i++) ty_mp_clear(u + i);
    return e;
}

mp_err mp_exptmod(const mp_int *G, const mp_int *X, const mp_int *P, mp_int *Y)
{
    return P->used == 0 || P->sign == MP_NEG ? MP_VAL : ltm_call(power, Y, G, X, P);
}

/* --- Divisors --------------------------------------------------------------------------------- */

static ty_err gcd(ty_mp *t) { return ty_mp_gcd_vt(t, t + 1, t + 2); }
static ty_err lcm(ty_mp *t) { return ty_mp_lcm_vt(t, t + 1, t + 2); }

mp_err mp_gcd(const mp_int *a, const mp_int *b, mp_int *c) { return ltm_call(gcd, c, a, b, NULL); }
mp_err mp_lcm(const mp_int *a, const mp_int *b, mp_int *c) { return ltm_call(lcm, c, a, b, NULL); }

mp_err mp_exteuclid(const mp_int *a, const mp_int *b, mp_int *U1, mp_int *U2, mp_int *U3)
{
    ty_mp x, y, g;
    ty_mp_init_with(&g, ltm_alloc);
    mp_err e = ltm_get(&x, a);
    if (e == MP_OKAY) {
        e = ltm_get(&y, b);
        if (e == MP_OKAY) e = ltm_err(ty_mp_gcdext_vt(&g, &x, &y, &x, &y));
        if (e == MP_OKAY && U1) e = ltm_room(U1, (size_t)(b->used > 1 ? b->used : 1));
        if (e == MP_OKAY && U2) e = ltm_room(U2, (size_t)(a->used > 1 ? a->used : 1));
        /* the last step that can fail; a and b have been read by now */
        if (e == MP_OKAY && U3) e = ltm_put(U3, &g);
        if (e == MP_OKAY) e = ltm_put2(U1, &x, U2, &y);
        ty_mp_clear(&y);
    }
    ty_mp_clear(&x);
    ty_mp_clear(&g);
    return e;
}

static mp_err on_two(ty_err (*f)(int *out, const ty_mp *x, const ty_mp *y), int *out,
                     const mp_int *a, const mp_int *b)
{
    ty_mp x, y;
    mp_err e = ltm_get(&x, a);
    if (e == MP_OKAY) {
        e = ltm_get(&y, b);
        if (e == MP_OKAY) e = ltm_err(f(out, &x, &y));
        ty_mp_clear(&y);
    }
    ty_mp_clear(&x);
    return e;
}

mp_err mp_kronecker(const mp_int *a, const mp_int *p, int *c)
{
    return on_two(ty_mp_kronecker_vt, c, a, p);
}

/* --- Powers and roots ------------------------------------------------------------------------- */

mp_err mp_expt_n(const mp_int *a, int b, mp_int *c)
{
    ty_mp x;
    if (b < 0) return MP_VAL;
    mp_err e = ltm_get(&x, a);
    if (e == MP_OKAY) e = ltm_err(ty_mp_pow_vt(&x, &x, (uint64_t)b));
    if (e == MP_OKAY) e = ltm_put(c, &x);
    ty_mp_clear(&x);
    return e;
}

mp_err mp_root_n(const mp_int *a, int b, mp_int *c)
{
    ty_mp x;
    if (b <= 0 || (b % 2 == 0 && a->sign == MP_NEG)) return MP_VAL;
    mp_err e = ltm_get(&x, a);
    if (e == MP_OKAY) e = ltm_err(ty_mp_root_vt(&x, NULL, &x, (uint32_t)b));
    if (e == MP_OKAY) e = ltm_put(c, &x);
    ty_mp_clear(&x);
    return e;
}

mp_err mp_sqrt(const mp_int *arg, mp_int *ret) { return mp_root_n(arg, 2, ret); }

/* A test by the residues of squares modulo some primes, a bit for each; with that modulo 64 in
 * mp_is_square, one in 285 non-squares passes. */
static __attribute__((noinline)) int may_be_square(const mp_int *a)
{
    static const struct { mp_digit prime; uint32_t squares;
    } row[] = {
        { 3, 0x3 },     { 5, 0x13 },     { 7, 0x17 },     { 11, 0x23b },
        { 13, 0x161b }, { 17, 0x1a317 }, { 19, 0x30af3 },
    };
    mp_digit rest;
    if (mp_mod_d(a, 4849845, &rest) != MP_OKAY) return 1;   /* the product of all of them */
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (!(row[i].squares >> rest % row[i].prime & 1)) return 0;
    return 1;
}

/* A separate function, so that most numbers are decided without its stack frame. */
static __attribute__((noinline)) mp_err is_square(const mp_int *arg, mp_bool *ret)
{
    ty_mp x;
    int is = 0;
    mp_err e = ltm_get(&x, arg);
    if (e == MP_OKAY) e = ltm_err(ty_mp_is_square_vt(&is, &x));
    if (e == MP_OKAY) *ret = is ? MP_YES : MP_NO;
    ty_mp_clear(&x);
    return e;
}

/* As in LibTomMath, 0 does not count as a square. */
mp_err mp_is_square(const mp_int *arg, mp_bool *ret)
{
    *ret = MP_NO;
    if (arg->sign == MP_NEG) return MP_VAL;
    if (arg->used == 0 || !(0x0202021202030213 >> (arg->dp[0] & 63) & 1)) return MP_OKAY;
    return may_be_square(arg) ? is_square(arg, ret) : MP_OKAY;
}

/* *c = the largest c with base^c <= x. The first c is the quotient of the numbers of bits, which
 * can only be too small: log2(base) = k + f, 0 < f <= 1, gives c >= floor((bits - 1)/(k + 1)). It
 * is then increased by one, or by jumps estimated in the same way, until base^(c + 1) > x. */
static ty_err logarithm(int *c, const ty_mp *x, uint64_t base, ty_mp *p, ty_mp *q)
{
    const size_t bits = ty_mp_bits(x), width = ty_limb_bits((ty_limb)base);
    uint64_t n = (bits - 1) / width;
    ty_mp_set_u64(q, base);
    TY_TRY(ty_mp_pow_vt(p, q, n));
    for (;;) {   /* p = base^n <= x */
        TY_TRY(ty_mp_mul(p, p, q));
        if (ty_mp_cmp_abs_vt(p, x) > 0) break;
        n++;
        /* the difference in bits, divided as before, is a jump that cannot be too large */
        const size_t have = ty_mp_bits(p), jump = bits > have ? (bits - have - 1) / width : 0;
        if (jump > 1) {
            ty_mp step;
            ty_mp_init_with(&step, p->alloc);
            ty_err e = ty_mp_pow_vt(&step, q, jump);
            if (!e) e = ty_mp_mul(p, p, &step);
            ty_mp_clear(&step);
            if (e) return e;
            n += jump;
        }
    }
    *c = (int)n;
    return TY_OK;
}

mp_err mp_log_n(const mp_int *a, int base, int *c)
{
    ty_mp x, p, q;
    if (a->used == 0 || a->sign == MP_NEG || base < 2 || (mp_digit)base > MP_DIGIT_MAX)
        return MP_VAL;
    mp_err e = ltm_get(&x, a);
    ty_mp_init_with(&p, ltm_alloc);
    ty_mp_init_with(&q, ltm_alloc);
    if (e == MP_OKAY && (base & (base - 1)) == 0)
        *c = (mp_count_bits(a) - 1) / ((int)ty_limb_bits((ty_limb)base) - 1);
    else if (e == MP_OKAY) e = ltm_err(logarithm(c, &x, (uint64_t)base, &p, &q));
    ty_mp_clear(&x);
    ty_mp_clear(&p);
    ty_mp_clear(&q);
    return e;
}

/* --- Square roots modulo a prime -------------------------------------------------------------- */

enum { N, P, Q, Z, C, R, T, B, ROOM };

/* *i = the number of squarings that turn t[T] into 1, or `limit` if the modulus is not prime */
static ty_err order(size_t *i, ty_mp *t, size_t limit)
{
    TY_TRY(ty_mp_copy(t + B, t + T));
    for (*i = 0; *i < limit && !(ty_mp_bits(t + B) == 1); (*i)++)
        TY_TRY(ty_mp_sqrmod_vt(t + B, t + B, t + P));
    return TY_OK;
}

/* Tonelli and Shanks (Cohen, CCANT 1.5.1): p - 1 = q 2^s, c of order 2^s; r^2 = n t, where the
 * order of t decreases to 1. */
static ty_err tonelli(ty_mp *t)
{
    int k = 0;
    ty_mp_set_u64(t + B, 1);
    TY_TRY(ty_mp_sub(t + Q, t + P, t + B));
    size_t s = ty_mp_trailing(t + Q), i = 0;
    TY_TRY(ty_mp_shr(t + Q, t + Q, s));
    for (uint64_t z = 2; k != -1; z++) {   /* a non-residue, below 2 ln^2 p under the GRH */
        if (z > 100000) return TY_ERR_ARG;
        ty_mp_set_u64(t + Z, z);
        TY_TRY(ty_mp_kronecker_vt(&k, t + Z, t + P));
    }
    TY_TRY(ty_mp_powm_vt(t + C, t + Z, t + Q, t + P));
    TY_TRY(ty_mp_powm_vt(t + T, t + N, t + Q, t + P));
    TY_TRY(ty_mp_add(t + Q, t + Q, t + B));
    TY_TRY(ty_mp_shr(t + Q, t + Q, 1));
    TY_TRY(ty_mp_powm_vt(t + R, t + N, t + Q, t + P));
    for (;;) {
        TY_TRY(order(&i, t, s));
        if (i == 0) return TY_OK;
        if (i >= s) return TY_ERR_ARG;
        for (; s - i > 1; s--) TY_TRY(ty_mp_sqrmod_vt(t + C, t + C, t + P));   /* c^2^(s-i-1) */
        TY_TRY(ty_mp_mulmod_vt(t + R, t + R, t + C, t + P));
        TY_TRY(ty_mp_sqrmod_vt(t + C, t + C, t + P));
        TY_TRY(ty_mp_mulmod_vt(t + T, t + T, t + C, t + P));
        s = i;
    }
}

/* p = 3 mod 4: r = n^((p + 1)/4); otherwise tonelli */
static ty_err root_mod(ty_mp *t)
{
    int k;
    TY_TRY(ty_mp_mod_vt(t + N, t + N, t + P));
    TY_TRY(ty_mp_kronecker_vt(&k, t + N, t + P));
    if (k == -1) return TY_ERR_ARG;
    if (k == 0) return TY_OK;   /* R = 0 */
    if (!(ty_mp_bit(t + P, 1))) return tonelli(t);
    ty_mp_set_u64(t + B, 1);
    TY_TRY(ty_mp_add(t + Q, t + P, t + B));
    TY_TRY(ty_mp_shr(t + Q, t + Q, 2));
    return ty_mp_powm_vt(t + R, t + N, t + Q, t + P);
}

mp_err mp_sqrtmod_prime(const mp_int *n, const mp_int *prime, mp_int *ret)
{
    ty_mp t[ROOM];
    if (n->used == 0) {
        mp_zero(ret);
        return MP_OKAY;
    }
    if (mp_cmp_d(prime, 2) != MP_GT || mp_iseven(prime) == MP_YES) return MP_VAL;
    for (int i = Q; i < ROOM; i++) ty_mp_init_with(t + i, ltm_alloc);
    mp_err e = ltm_get(t + N, n);
    ty_mp_init_with(t + P, ltm_alloc);
    if (e == MP_OKAY) e = ltm_get(t + P, prime);
    if (e == MP_OKAY) e = ltm_err(root_mod(t));
    if (e == MP_OKAY) e = ltm_put(ret, t + R);
    for (int i = 0; i < ROOM; i++) ty_mp_clear(t + i);
    return e;
}
