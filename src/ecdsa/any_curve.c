/* Binary curves given at run time: their parameters are checked and made into a ty_ec_curve over
 * the field of f2m/f2_any.h. */
#include "ec/ec_binary.h"
#include "ecdsa/any_rows.h"
#include "f2m/f2_any.h"
#include "modn/scalar.h"
#include "tongyu/ec_any.h"

#include <string.h>

enum { TEXT = 32 };   /* bytes of a name or an object identifier, with a zero at the end */

/* The contents of a ty_ec_any */
typedef struct any {
    ty_ec_curve curve;
    ty_f2_any field;
    char name[TEXT], oid[TEXT];
    uint8_t abcg[5 * TY_EC_MAX], n[TY_EC_MAX];
} any;

_Static_assert(sizeof(any) <= sizeof(ty_ec_any), "a curve fits its caller's memory");
_Static_assert((int)TY_EC_MONTGOMERY == (int)TY_F2_MONTGOMERY && TY_EC_MAX * 8 >= TY_F2_ANY_BITS,
               "ty_ec_way and ty_f2_way list the same methods of reduction");

const ty_ec_curve *ty_ec_any_curve(const ty_ec_any *curve)
{
    return (const ty_ec_curve *)(const void *)curve;
}

/* M = t^m + t^k[0] + t^k[1] + t^k[2] + 1, where k[i] = 0 stands for no term */
static void set_poly(ty_ec_params *p, uint16_t m, const uint16_t k[3])
{
    const uint16_t terms[4] = { m, k[0], k[1], k[2] };
    p->poly_len = m / 8u + 1;
    p->poly[p->poly_len - 1] = 1;
    for (size_t i = 0; i < 4; i++)
        if (terms[i]) p->poly[p->poly_len - 1 - terms[i] / 8] |= (uint8_t)(1 << terms[i] % 8);
}

void ty_ec_params_get(ty_ec_params *p, const ty_ec_curve *c)
{
    const size_t len = ty_ec_len(c);
    memset(p, 0, sizeof *p);
    if (!c->field) set_poly(p, c->m, c->k);
    else p->poly_len = c->m / 8u + 1;
    for (size_t i = 0; c->field && i < p->poly_len; i++)
        p->poly[p->poly_len - 1 - i] = (uint8_t)(c->field->f[i / 8] >> 8 * (i % 8));
    p->name = c->name;
    p->oid = c->oid;
    p->a = c->abcg;
    p->b = c->abcg + len;
    p->x = c->abcg + 3 * len;
    p->y = c->abcg + 4 * len;
    p->n = c->n;
    p->n_len = ty_ec_n_len(c);
    p->h = c->h;
}

int ty_ec_standard_at(ty_ec_params *p, size_t i)
{
    const ty_ec_any_row *row = ty_ec_any_rows;
    memset(p, 0, sizeof *p);
    while (row->name && i--) row++;
    if (!row->name) return 0;
    const size_t len = (row->m + 7u) / 8;
    set_poly(p, row->m, row->k);
    p->name = row->name;
    p->oid = row->oid;
    p->a = row->abxy;
    p->b = row->abxy + len;
    p->x = row->abxy + 2 * len;
    p->y = row->abxy + 3 * len;
    p->n = row->n;
    p->n_len = row->n_len;
    p->h = row->h;
    return 1;
}

/* --- the order: public, in variable time ------------------------------------------------------ */

static size_t number_bits(const uint8_t *x, size_t len)
{
    size_t i = 0, bits = 8 * len;
    while (i < len && x[i] == 0) i++, bits -= 8;
    if (i == len) return 0;
    for (unsigned top = 0x80; !(x[i] & top); top >>= 1) bits--;
    return bits;
}

static int same(const ty_scalar *x, const ty_scalar *y, const ty_scalar_ring *r)
{
    return memcmp(x, y, r->limbs * TY_SCALAR_BYTES) == 0;
}

/* z = x^e for e[len], big-endian */
static void power(ty_scalar *z, const ty_scalar *x, const uint8_t *e, size_t len,
                  const ty_scalar_ring *r)
{
    ty_scalar t = r->one;
    for (size_t i = 0; i < 8 * len; i++) {
        ty_scalar_mul(&t, &t, &t, r);
        if (e[i / 8] >> (7 - i % 8) & 1) ty_scalar_mul(&t, &t, x, r);
    }
    *z = t;
}

/* 1 if n is prime, by the test of Miller (1976) and Rabin (1980) with the primes 2 to 41 as bases
 * and forty more that are derived from n. A composite n passes for at most a quarter of all bases,
 * so it would pass 53 random ones with a probability of at most 4^-53. */
static int prime(const ty_scalar_ring *r)
{
    static const uint8_t small[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41 };
    uint8_t e[TY_EC_MAX], base[TY_EC_MAX];
    ty_scalar one = r->one, minus, zero, x;
    memset(&zero, 0, sizeof zero);
    ty_scalar n = r->n;
    size_t s = 0;
    n.w[0] -= 1;
    for (size_t i = 0; i < r->len; i++)
        e[r->len - 1 - i] = (uint8_t)(n.w[i / TY_SCALAR_BYTES] >> 8 * (i % TY_SCALAR_BYTES));
    ty_scalar_set(&minus, e, r->len, r);                    /* n - 1 */
    while (!(e[r->len - 1 - s / 8] >> s % 8 & 1)) s++;
    for (size_t times = s; times--;)                        /* the odd part */
        for (size_t i = r->len; i-- > 0;) e[i] = (uint8_t)(e[i] >> 1 | (i ? e[i - 1] << 7 : 0));
    x = r->rr;
    for (size_t i = 0; i < sizeof small + 40; i++) {
        if (i < sizeof small) {
            ty_scalar_set(&x, small + i, 1, r);
        } else {                           /* the last one, changed and times R^2: arbitrary */
            ty_scalar_get(base, &x, r);
            base[r->len - 1] ^= (uint8_t)(i * 37);
            ty_scalar_set(&x, base, r->len, r);
            ty_scalar_mul(&x, &x, &r->rr, r);
        }
        /* bases of 0, 1 and -1 prove nothing */
        if (same(&x, &zero, r) || same(&x, &one, r) || same(&x, &minus, r)) continue;
        ty_scalar t;
        power(&t, &x, e, r->len, r);
        int strong = same(&t, &one, r) || same(&t, &minus, r);
        for (size_t j = 1; !strong && j < s; j++) {
            ty_scalar_mul(&t, &t, &t, r);
            strong = same(&t, &minus, r);
        }
        if (!strong) return 0;
    }
    return 1;
}

/* 1 if n divides 2^(mB) - 1 for some B from 1 to 100: a pairing would transfer the discrete
 * logarithm to GF(2^(mB))  (Menezes, Okamoto and Vanstone, 1993) */
static int embeds(const ty_scalar_ring *r, unsigned m)
{
    ty_scalar q = r->one, t = r->one;
    for (unsigned i = 0; i < m; i++) ty_scalar_add(&q, &q, &q, r);
    for (int i = 0; i < 100; i++) {
        ty_scalar_mul(&t, &t, &q, r);
        if (same(&t, &r->one, r)) return 1;
    }
    return 0;
}

enum { NUMBER = TY_EC_MAX + 4 };   /* bytes, enough for twice 2^1023 + 1 */

/* z = x - y, and the borrow.  z may alias both */
static unsigned subtract(uint8_t z[NUMBER], const uint8_t x[NUMBER], const uint8_t y[NUMBER])
{
    unsigned borrow = 0;
    for (size_t i = NUMBER; i-- > 0;) {
        const unsigned d = (unsigned)x[i] - y[i] - borrow;
        z[i] = (uint8_t)d;
        borrow = d >> 31;
    }
    return borrow;
}

/* The h for which h n is the order of the group. By Hasse's theorem the order differs from 2^m + 1
 * by at most 2 sqrt(2^m), a number of m/2 + 2 bits; n has more than m/2 + 3 bits, so at most one of
 * its multiples is that close. Returns 0 if none is, or if h has more than 32 bits. */
static uint32_t cofactor(const uint8_t *n_bytes, size_t n_len, size_t n_bits, unsigned m)
{
    uint8_t rest[NUMBER] = { 0 }, n[NUMBER] = { 0 }, t[NUMBER];
    uint64_t h = 0;
    if (n_bits <= m / 2 + 3 || n_bits + 31 < m) return 0;
    memcpy(n + NUMBER - n_len, n_bytes, n_len);
    for (unsigned i = m + 1; i-- > 0;) {   /* long division, by the bits of 2^m + 1 from the top */
        unsigned carry = i == m || i == 0;
        for (size_t j = NUMBER; j-- > 0; carry >>= 8) {
            carry += 2u * rest[j];
            rest[j] = (uint8_t)carry;
        }
        const unsigned less = subtract(t, rest, n);
        if (!less) memcpy(rest, t, sizeof rest);
        h = 2 * h + !less;
    }
    if (number_bits(rest, NUMBER) > m / 2 + 2) {   /* then the next multiple may be close enough */
        (void)subtract(rest, n, rest);
        h++;
    }
    return number_bits(rest, NUMBER) <= m / 2 + 2 && h <= UINT32_MAX ? (uint32_t)h : 0;
}

static ty_err check_order(any *c, uint32_t h, const char **why)
{
    ty_scalar_ring r;
    uint8_t infinity[2 * TY_EC_MAX];
    if (c->curve.n_bits < 2 || !(c->n[ty_ec_n_len(&c->curve) - 1] & 1)) {
        *why = "the order is not an odd prime";
        return TY_ERR_KEY;
    }
    c->curve.h = cofactor(c->n, ty_ec_n_len(&c->curve), c->curve.n_bits, c->curve.m);
    if (c->curve.h == 0 || (h && h != c->curve.h)) {
        *why = "the order and the cofactor do not fit the field";
        return TY_ERR_KEY;
    }
    ty_scalar_ring_init(&r, c->n, c->curve.n_bits);
    if (!prime(&r)) {
        *why = "the order is not an odd prime";
        return TY_ERR_KEY;
    }
    if (embeds(&r, c->curve.m)) {
        *why = "the curve has a small embedding degree";
        return TY_ERR_KEY;
    }
    const ty_ec_binary_ops *ops = ty_ec_binary_best(&c->curve);
    if (ops->mul(infinity, c->n, c->curve.n_bits, ty_ec_g(&c->curve), &c->curve)) {
        *why = "the generator is not of this order";
        return TY_ERR_KEY;
    }
    return TY_OK;
}

/* --- the curve -------------------------------------------------------------------------------- */

/* 1 if one of a, b, x, y in abcg has degree m or more */
static int too_long(const any *c)
{
    const size_t len = ty_ec_len(&c->curve);
    const uint8_t above = (uint8_t)(c->curve.m % 8 ? 0xffu << c->curve.m % 8 : 0);
    return ((c->abcg[0] | c->abcg[len] | c->abcg[3 * len] | c->abcg[4 * len]) & above) != 0;
}

static void set_root(any *c)
{
    const size_t len = ty_ec_len(&c->curve);
    const ty_f2_any_kernels *ops = ty_f2_any_pick(&c->field);
    ty_f2_any_el t;
    (void)ty_f2_any_set(&t, c->abcg + len, &c->field, ops);
    ops->sqr_n(&t, &t, c->curve.m - 1u, &c->field);
    ty_f2_any_get(c->abcg + 2 * len, &t, &c->field, ops);
}

/* The points with this x are (x, y) and (x, x + y); decompression may give either. */
static int generator_fits(const any *c)
{
    const size_t len = ty_ec_len(&c->curve);
    const uint8_t *g = ty_ec_g(&c->curve);
    uint8_t z[2 * TY_EC_MAX];
    int equal = 1, minus = 1;
    if (ty_ec_binary_best(&c->curve)->decompress(z, g, 0, &c->curve) != TY_OK) return 0;
    for (size_t i = len; i < 2 * len; i++) {
        equal &= z[i] == g[i];
        minus &= z[i] == (g[i] ^ g[i - len]);
    }
    return equal || minus;
}

static int fits_text(const char *in)
{
    size_t i = 0;
    while (in && i < TEXT && in[i]) i++;
    return i < TEXT;
}

static void copy_text(char out[TEXT], const char *in)
{
    size_t i = 0;
    for (; in && in[i]; i++) out[i] = in[i];
    out[i] = 0;
}

static void copy_numbers(any *c, const ty_ec_params *p)
{
    const size_t len = ty_ec_len(&c->curve),
                 skip = p->n_len - (number_bits(p->n, p->n_len) + 7) / 8;
    memcpy(c->abcg, p->a, len);
    memcpy(c->abcg + len, p->b, len);
    memcpy(c->abcg + 3 * len, p->x, len);
    memcpy(c->abcg + 4 * len, p->y, len);
    if (p->n_len > skip) memcpy(c->n, p->n + skip, p->n_len - skip);
    c->curve.n_bits = (uint16_t)number_bits(p->n, p->n_len);
}

static ty_err make(any *c, const ty_ec_params *p, ty_ec_way way, unsigned reg, const char **why)
{
    if (way > TY_EC_MONTGOMERY || (reg != 0 && reg != 256)) {
        *why = "no such method of reduction or register size";
        return TY_ERR_ARG;
    }
    if (p->poly_len > TY_EC_MAX || p->n_len > TY_EC_MAX) {
        *why = "the polynomial or the order is too long";
        return TY_ERR_SIZE;
    }
    if (!fits_text(p->name) || !fits_text(p->oid)) {
        *why = "the name or the object identifier is too long";
        return TY_ERR_SIZE;
    }
    ty_err err = ty_f2_any_init(&c->field, p->poly, p->poly_len, (ty_f2_way)way, reg);
    if (err != TY_OK) {
        *why = err == TY_ERR_SIZE ? "the degree of the polynomial does not fit"
                                  : "the polynomial is reducible";
        return err;
    }
    copy_text(c->name, p->name);
    copy_text(c->oid, p->oid);
    c->curve = (ty_ec_curve){ .name = c->name,
                              .oid = c->oid,
                              .m = c->field.m,
                              .abcg = c->abcg,
                              .n = c->n,
                              .tiers = ty_ec_any_tiers,
                              .field = &c->field };
    copy_numbers(c, p);
    if (too_long(c)) {
        *why = "a coefficient or a coordinate has too high a degree";
        return TY_ERR_KEY;
    }
    if (number_bits(p->b, ty_ec_len(&c->curve)) == 0) {
        *why = "b is 0: not an elliptic curve";
        return TY_ERR_ARG;
    }
    set_root(c);
    if (!generator_fits(c)) {
        *why = "the generator is not on the curve, or of order 2";
        return TY_ERR_KEY;
    }
    return check_order(c, p->h, why);
}

ty_err ty_ec_any_init(ty_ec_any *curve, const ty_ec_params *p, ty_ec_way way, unsigned reg,
                      const char **why)
{
    const char *reason = "";
    any *c = (any *)(void *)curve;
    memset(curve, 0, sizeof *curve);
    const ty_err err = make(c, p, way, reg, &reason);
    if (err != TY_OK) memset(curve, 0, sizeof *curve);
    if (why) *why = reason;
    return err;
}

ty_err ty_ec_any_explain(ty_ec_any_facts *facts, const uint8_t *poly, size_t poly_len,
                         ty_ec_way way, unsigned reg)
{
    ty_f2_any f;
    memset(facts, 0, sizeof *facts);
    if (way > TY_EC_MONTGOMERY) return TY_ERR_ARG;
    const ty_err err = ty_f2_any_init(&f, poly, poly_len, (ty_f2_way)way, reg);
    if (err != TY_OK) return err;
    facts->m = f.m;
    facts->k = f.k;
    facts->n = f.n;
    facts->terms = 0;
    for (size_t i = 0; i <= f.m; i++) facts->terms += (unsigned)(f.f[i / 64] >> i % 64 & 1);
    facts->rounds = f.rounds;
    facts->least_rounds = (f.m - 1u + f.m - f.k - 1u) / (unsigned)(f.m - f.k);
    facts->way = (ty_ec_way)f.way;
    for (int i = TY_F2_FULL; i <= TY_F2_MONTGOMERY; i++) {
        const ty_f2_cost cost = ty_f2_any_cost(&f, (ty_f2_way)i);
        facts->products[i] = cost.products;
        facts->shifts[i] = cost.shifts;
    }
    return TY_OK;
}
