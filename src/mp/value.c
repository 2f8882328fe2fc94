/* Initialisation, copies, small values, and the queries that need no arithmetic. */
#include "mp/mp_internal.h"

#include <string.h>

void ty_mp_init(ty_mp *x) { ty_mp_init_with(x, NULL); }

void ty_mp_init_with(ty_mp *x, const ty_alloc *alloc)
{
    ty_wipe(x, sizeof *x);
    x->alloc = alloc;
}

void ty_mp_fix(ty_mp *z, size_t n)
{
    z->len = n;
    z->neg = 0;
}

void ty_mp_spread(ty_limb *z, size_t n, const ty_mp *x)
{
    const ty_limb *d = ty_mp_cd(x);
    for (size_t i = 0; i < n; i++) z[i] = i < x->len ? d[i] : 0;
}

void ty_mp_load(ty_mp *z, const ty_limb *t, size_t n) { memcpy(ty_mp_d(z), t, n * sizeof *t); }

/* The two are swapped, allocators included, so that nothing is copied. */
void ty_mp_move(ty_mp *z, ty_mp *t)
{
    if (z != t) {
        ty_mp_swap(z, t);
        ty_mp_clear(t);
    }
}

ty_err ty_mp_copy(ty_mp *z, const ty_mp *x)
{
    if (z == x) return TY_OK;
    const size_t n = x->len;
    TY_TRY(ty_mp_grow(z, n));
    ty_mp_load(z, ty_mp_cd(x), n);
    z->len = n;
    z->neg = x->neg;
    return TY_OK;
}

void ty_mp_swap(ty_mp *x, ty_mp *y)
{
    ty_mp t = *x;
    *x = *y;
    *y = t;
    ty_wipe(&t, sizeof t);
}

ty_err ty_mp_sel(ty_mp *z, uint32_t bit, const ty_mp *x, const ty_mp *y)
{
    const size_t n = x->len > y->len ? x->len : y->len;
    TY_TRY(ty_mp_grow(z, n));
    const ty_limb mask = ty_limb_mask(bit), *xd = ty_mp_cd(x), *yd = ty_mp_cd(y);
    const size_t xn = x->len, yn = y->len;   /* z may be one of them */
    uint32_t neg = y->neg ^ ((uint32_t)mask & (x->neg ^ y->neg));
    for (size_t i = 0; i < n; i++) {
        const ty_limb a = i < xn ? xd[i] : 0, b = i < yn ? yd[i] : 0;
        ty_mp_d(z)[i] = b ^ (mask & (a ^ b));
    }
    ty_mp_fix(z, n);
    TY_PUBLIC(&neg, sizeof neg);   /* signs are public by the contract of mp.h */
    z->neg = neg;
    return TY_OK;
}

ty_err ty_mp_pad(ty_mp *x, size_t bits)
{
    const size_t n = TY_MP_LIMBS(bits), have = ty_mp_n(x);
    if (n < have) return TY_ERR_SIZE;
    TY_TRY(ty_mp_grow(x, n));
    for (size_t i = have; i < n; i++) ty_mp_d(x)[i] = 0;
    x->len = n;
    return TY_OK;
}

/* --- Small values ----------------------------------------------------------------------------- */

void ty_mp_set_u64(ty_mp *z, uint64_t x)
{
    ty_limb *d = ty_mp_d(z);
    d[0] = (ty_limb)x;
    if (TY_LIMB_BITS < 64) d[1] = (ty_limb)(x >> 16 >> 16);
    ty_mp_fit(z, 64 / TY_LIMB_BITS, 0);
}

void ty_mp_set_i64(ty_mp *z, int64_t x)
{
    const uint64_t sign = (uint64_t)(x >> 63);
    ty_mp_set_u64(z, ((uint64_t)x ^ sign) - sign);
    if (z->len) z->neg = (uint32_t)(sign & 1);
}

/* *out = |x|, if that has at most 64 bits */
static ty_err magnitude(uint64_t *out, const ty_mp *x)
{
    const size_t n = ty_mp_n(x);
    if (n > 64 / TY_LIMB_BITS) return TY_ERR_SIZE;
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) v |= (uint64_t)ty_mp_cd(x)[i] << TY_LIMB_BITS * i % 64;
    *out = v;
    return TY_OK;
}

ty_err ty_mp_get_u64(uint64_t *out, const ty_mp *x)
{
    return x->neg && ty_mp_n(x) ? TY_ERR_SIZE : magnitude(out, x);
}

ty_err ty_mp_get_i64(int64_t *out, const ty_mp *x)
{
    uint64_t v;
    TY_TRY(magnitude(&v, x));
    uint64_t over = v > (uint64_t)INT64_MAX + x->neg;
    TY_PUBLIC(&over, sizeof over);   /* the returned error reveals this */
    if (over) return TY_ERR_SIZE;
    *out = (int64_t)(x->neg ? 0 - v : v);
    return TY_OK;
}

/* --- Queries ---------------------------------------------------------------------------------- */

int ty_mp_sign(const ty_mp *x)
{
    const int nonzero = (int)(~ty_limb_zero(ty_mp_cd(x), x->len) & 1);
    return x->neg ? -nonzero : nonzero;
}

int ty_mp_odd(const ty_mp *x) { return x->len ? (int)(ty_mp_cd(x)[0] & 1) : 0; }

size_t ty_mp_bits(const ty_mp *x)
{
    const ty_limb *d = ty_mp_cd(x);
    ty_limb top = 0;   /* the highest limb that is not 0 */
    size_t below = 0;
    for (size_t i = 0; i < x->len; i++) {
        const ty_limb nonzero = ~ty_limb_is0(d[i]);
        top ^= nonzero & (top ^ d[i]);
        below ^= (size_t)nonzero & (below ^ i);
    }
    return below * TY_LIMB_BITS + ty_limb_bits(top);
}

size_t ty_mp_bytes(const ty_mp *x) { return (ty_mp_bits(x) + 7) / 8; }

size_t ty_mp_trailing(const ty_mp *x)
{
    const ty_limb *d = ty_mp_cd(x);
    ty_limb lowest = 0;
    size_t below = 0;
    for (size_t i = x->len; i-- > 0;) {
        const ty_limb nonzero = ~ty_limb_is0(d[i]);
        lowest ^= nonzero & (lowest ^ d[i]);
        below ^= (size_t)nonzero & (below ^ i);
    }
    const size_t bits = below * TY_LIMB_BITS + ty_limb_bits(lowest & (0 - lowest));
    return bits - (size_t)(~ty_limb_is0(lowest) & 1);
}

/* In two's complement -x = ~(x - 1); v is the limb of x or x - 1 that has bit i. */
uint32_t ty_mp_bit(const ty_mp *x, size_t i)
{
    const ty_limb *d = ty_mp_cd(x);
    const size_t at = i / TY_LIMB_BITS;
    if (at >= x->len) return x->neg;
    ty_limb b = x->neg, v = 0;
    for (size_t k = 0; k <= at; k++) v = ty_limb_sbb(d[k], 0, &b);
    return (uint32_t)(v >> i % TY_LIMB_BITS & 1) ^ x->neg;
}

/* --- Order ------------------------------------------------------------------------------------ */

int ty_mp_cmp_abs(const ty_mp *x, const ty_mp *y)
{
    const int swap = x->len < y->len;
    const ty_mp *a = swap ? y : x, *b = swap ? x : y;   /* a is the longer one */
    const int low = ty_limb_cmp(ty_mp_cd(a), ty_mp_cd(b), b->len);
    const int none = (int)ty_limb_zero(ty_mp_cd(a) + b->len, a->len - b->len);   /* -1 or 0 */
    const int c = 1 ^ (none & (1 ^ low));
    return swap ? -c : c;
}

int ty_mp_cmp_abs_vt(const ty_mp *x, const ty_mp *y)
{
    const size_t xn = ty_mp_n(x), yn = ty_mp_n(y);
    if (xn != yn) return xn < yn ? -1 : 1;
    return ty_limb_cmp_vt(ty_mp_cd(x), ty_mp_cd(y), xn);
}

/* With different signs the result is 0 only if both are zero: a zero of fixed length can have a
 * sign. */
int ty_mp_cmp(const ty_mp *x, const ty_mp *y)
{
    if (x->neg != y->neg) return ty_mp_sign(x) | -ty_mp_sign(y);
    const int c = ty_mp_cmp_abs(x, y);
    return x->neg ? -c : c;
}

int ty_mp_cmp_vt(const ty_mp *x, const ty_mp *y)
{
    if (x->neg != y->neg) return ty_mp_cmp(x, y);
    const int c = ty_mp_cmp_abs_vt(x, y);
    return x->neg ? -c : c;
}
