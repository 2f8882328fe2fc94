/* GF(2)[t]/M for any M: the field from its polynomial, the choice of the reduction, and functions
 * that are common to all tiers. */
#include "f2m/f2_any.h"
#include "base/ct.h"
#include "limb/f2_holes.h"

#include <string.h>

TY_FAMILY_ROWS(f2_any, TY_F2_ANY_TIERS);

/* --- polynomials in words, public ------------------------------------------------------------- */

static unsigned bit_of(const uint64_t *x, size_t i) { return (unsigned)(x[i / 64] >> i % 64 & 1); }

/* the degree of x[words], -1 for 0 */
static int degree(const uint64_t *x, int words)
{
    int i = 64 * words - 1;
    while (i >= 0 && !bit_of(x, (size_t)i)) i--;
    return i;
}

/* z[words] = x << s, where bits shifted out at the top are lost.  z is not x */
static void shift_left(uint64_t *z, const uint64_t *x, size_t words, size_t s)
{
    const size_t q = s / 64, r = s % 64;
    for (size_t i = 0; i < words; i++) {
        z[i] = i >= q ? x[i - q] << r : 0;
        if (r && i > q) z[i] |= x[i - q - 1] >> (64 - r);
    }
}

/* r = r t mod (t^n + M'); returns the bit shifted out */
static unsigned step(uint64_t *r, const uint64_t *fold, size_t words)
{
    const unsigned top = (unsigned)(r[words - 1] >> 63);
    for (size_t i = words; i-- > 0;) {
        r[i] = r[i] << 1 | (i ? r[i - 1] >> 63 : 0);
        if (top) r[i] ^= fold[i];
    }
    return top;
}

/* 1 if x, which is not 0 and of lower degree than M, is coprime to M */
static int prime_to(const ty_f2_any *f, const uint64_t *x)
{
    enum { ALL = TY_F2_ANY_WORDS + 1 };
    uint64_t a[ALL], b[ALL] = { 0 }, t[ALL];
    memcpy(a, f->f, sizeof a);
    memcpy(b, x, 8 * f->words);
    int da = f->m, db = degree(b, ALL);
    while (db >= 0) {
        while (da >= db) {
            shift_left(t, b, ALL, (size_t)(da - db));
            for (int i = 0; i < ALL; i++) a[i] ^= t[i];
            da = degree(a, da / 64 + 1);
        }
        memcpy(t, a, sizeof a);
        memcpy(a, b, sizeof a);
        memcpy(b, t, sizeof a);
        const int d = da;
        da = db;
        db = d;
    }
    return da == 0;
}

/* Rabin 1980: M is irreducible if and only if t^(2^m) = t mod M, and t^(2^(m/p)) - t is coprime to
 * M for every prime p that divides m. These powers are reached before t^(2^m). Arithmetic is right
 * modulo any M, reducible ones too, except for the inverse. */
static int irreducible(const ty_f2_any *f)
{
    const ty_f2_any_kernels *ops = ty_f2_any_pick(f);
    ty_f2_any_el x, t, c;
    memset(&t, 0, sizeof t);
    t.w[0] = 2;                                   /* m >= 2: t is reduced */
    if (f->way == TY_F2_MONTGOMERY) ops->mul(&t, &t, &f->rr, f);
    x = t;
    for (unsigned i = 1; i <= f->m; i++) {
        ops->sqr_n(&x, &x, 1, f);
        const unsigned p = f->m / i;
        int prime = f->m % i == 0 && p > 1;
        for (unsigned q = 2; prime && q * q <= p; q++) prime = p % q != 0;
        if (!prime && i < f->m) continue;
        ty_f2_any_add(&c, &x, &t, f);
        ops->canon(&c, &c, f);
        const int zero = degree(c.w, f->words) < 0;
        if (i == f->m ? !zero : zero || !prime_to(f, c.w)) return 0;
    }
    return 1;
}

/* --- the field from M ------------------------------------------------------------------------- */

static void list_terms(ty_f2_any *f)
{
    for (unsigned i = f->m; i-- > 0;) {
        if (!bit_of(f->f, i)) continue;
        if (f->k == 0) f->k = (uint16_t)i;
        if (f->terms < TY_F2_ANY_TERMS) f->term[f->terms] = (uint16_t)i;
        f->terms++;
    }
    if (f->terms > TY_F2_ANY_TERMS) f->terms = 0;
}

/* Newton's identities over GF(2): the sums of i-th powers of M's roots, the traces of t^i. With e_j
 * the coefficient of t^(m-j): s_i = e_1 s_(i-1) + ... + e_(i-1) s_1 + i e_i */
static void set_trace(ty_f2_any *f)
{
    f->trace[0] = f->m & 1;
    for (unsigned i = 1; i < f->m; i++) {
        unsigned s = i & bit_of(f->f, f->m - i) & 1;
        for (unsigned j = f->m - f->k; j < i; j++)
            s ^= bit_of(f->f, f->m - j) & bit_of(f->trace, i - j);
        f->trace[i / 64] |= (uint64_t)s << i % 64;
    }
}

static void set_constants(ty_f2_any *f)
{
    const size_t w = f->words, gap = (size_t)f->m - f->k;
    uint64_t t[TY_F2_ANY_WORDS];
    memcpy(f->low, f->f, sizeof f->low);
    if (f->m < 64 * TY_F2_ANY_WORDS) f->low[f->m / 64] ^= (uint64_t)1 << f->m % 64;
    shift_left(f->fold, f->low, w, (size_t)f->n - f->m);
    f->fold_words = (uint16_t)((f->n - f->m + f->k) / 64 + 1);
    f->rounds = (uint16_t)((f->n - 1 + gap - 1) / gap);
    f->out_rounds = (uint16_t)((f->n - f->m + gap - 1) / gap);

    /* t^2n = (t^n + mu) (t^n + M') + rest: long division, one bit of the quotient per step */
    memcpy(t, f->fold, sizeof t);
    for (size_t i = f->n; i-- > 0;) f->mu[i / 64] |= (uint64_t)step(t, f->fold, w) << i % 64;

    /* v = 1/M mod t, t^2, t^4 ... by v <- M v^2: if M v = 1 + e, then M (M v^2) = 1 + e^2 */
    f->inv = 1;
    for (int i = 0; i < 6; i++) {
        uint64_t p[2];
        ty_f2_holes32(p, f->inv, f->inv);
        ty_f2_holes32(p, p[0], f->f[0]);
        f->inv = p[0];
    }
}

/* t^n and t^2n mod M for Montgomery: bit by bit, aligned at the top, where M' replaces the
 * overflow */
static void set_one(ty_f2_any *f)
{
    const size_t w = f->words, s = (size_t)f->n - f->m, q = s / 64, r = s % 64;
    uint64_t aligned[TY_F2_ANY_WORDS] = { 0 };
    f->one.w[0] = 1;
    if (f->way != TY_F2_MONTGOMERY) return;
    aligned[q] = (uint64_t)1 << r;
    for (int twice = 0; twice < 2; twice++) {
        ty_f2_any_el *z = twice ? &f->rr : &f->one;
        for (size_t i = 0; i < f->n; i++) (void)step(aligned, f->fold, w);
        for (size_t i = 0; i + q < w; i++)
            z->w[i] =
                aligned[i + q] >> r | (r && i + q + 1 < w ? aligned[i + q + 1] << (64 - r) : 0);
    }
}

ty_err ty_f2_any_init(ty_f2_any *f, const uint8_t *in, size_t in_len, ty_f2_way way, unsigned reg)
{
    memset(f, 0, sizeof *f);
    if (in_len == 0 || in_len > TY_F2_ANY_BITS / 8 + 1 || in[0] == 0) return TY_ERR_SIZE;
    for (size_t i = 0; i < in_len; i++) f->f[i / 8] |= (uint64_t)in[in_len - 1 - i] << 8 * (i % 8);
    const int m = degree(f->f, TY_F2_ANY_WORDS);
    if (m < 2 || (reg != 0 && (reg != 256 || m >= 256))) return TY_ERR_SIZE;
    if (!(f->f[0] & 1)) return TY_ERR_ARG;        /* t divides it */
    f->m = (uint16_t)m;
    f->n = (uint16_t)(reg ? reg : (unsigned)(m + 63) / 64 * 64);
    f->words = f->n / 64;
    list_terms(f);
    set_constants(f);
    f->way = way == TY_F2_AUTO ? ty_f2_any_cheapest(f) : way;
    set_one(f);
    if (!irreducible(f)) return TY_ERR_ARG;
    set_trace(f);
    return TY_OK;
}

/* --- the choice ------------------------------------------------------------------------------- */

static uint32_t nonzero(const uint64_t *x, size_t n)
{
    uint32_t all = 0;
    for (size_t i = 0; i < n; i++) all += x[i] != 0;
    return all;
}

static ty_f2_cost full_cost(const ty_f2_any *f)
{
    const uint32_t gap = (uint32_t)f->m - f->k, part = f->m % 64;
    ty_f2_cost c = { 0, 0 };
    if (f->terms) {
        const uint32_t words = (2u * f->m - 2) / 64 + 1 - (f->m + 63u) / 64;
        c.shifts = f->terms * (words * ((63 + gap) / gap) + (part ? (63 - part + gap) / gap : 0));
        return c;
    }
    for (uint32_t bits = f->m - 1u;; bits -= gap) {
        const uint32_t n = (bits + 63) / 64;
        c.products += n * nonzero(f->low, TY_F2_ANY_WORDS);
        c.shifts += n;
        if (bits <= gap) return c;
    }
}

ty_f2_cost ty_f2_any_cost(const ty_f2_any *f, ty_f2_way way)
{
    const uint32_t gap = (uint32_t)f->m - f->k, w = f->words;
    ty_f2_cost c = { 0, 0 };
    if (way == TY_F2_FULL) return full_cost(f);
    if (way == TY_F2_MONTGOMERY) {
        const uint32_t all = nonzero(f->f, f->m / 64u + 1);
        c.products = w * (f->inv == 1 ? all - 1 : all + 1);
    } else if (way == TY_F2_BARRETT) {
        for (uint32_t j = 0; j < w; j++)
            c.products += (f->mu[j] ? j + 1 : 0) + (f->fold[j] ? w - j : 0);
    } else {
        for (uint32_t bits = f->n - 1u;; bits -= gap) {
            c.products += (bits + 63) / 64 * nonzero(f->fold, w);
            if (bits <= gap) break;
        }
    }
    return c;
}

ty_f2_way ty_f2_any_cheapest(const ty_f2_any *f)
{
    /* Weights, in quarters of a shift, chosen so that the counts rank the methods as measurements
     * at 163 to 571 bits did: with the instruction a product costs a quarter of a shift in vectors
     * and a whole one in words; without it, sixteen. */
    const int instruction = (ty_cpu_have() & TY_CPU_CLMUL) != 0;
    ty_f2_way best = TY_F2_PARTIAL;
    uint32_t least = UINT32_MAX;
    for (int way = TY_F2_FULL; way <= TY_F2_MONTGOMERY; way++) {
        ty_f2_cost c = ty_f2_any_cost(f, (ty_f2_way)way);
        /* vectors skip no word of the constants */
        if (instruction && way == TY_F2_BARRETT && f->words <= 9)
            c.products = f->words * (f->words + 1u);
        if (instruction && way == TY_F2_FULL && ty_f2_any_in_lanes(f, TY_F2_FULL)) {
            /* in vectors: two rounds, and the cut at t^m, which costs as much as 4 products where W
             * is odd, else W + 2 */
            const uint32_t last = f->k / 64u + 1;
            c.products = f->words * last + last * last + (f->words % 2 ? 4 : f->words + 2u);
            c.shifts = 0;
        }
        const uint32_t product = !instruction ? 64 : ty_f2_any_in_lanes(f, (ty_f2_way)way) ? 1 : 4;
        const uint32_t price = c.products * product + c.shifts * 4;
        if (price >= least) continue;
        least = price;
        best = (ty_f2_way)way;
    }
    return best;
}

/* --- elements --------------------------------------------------------------------------------- */

void ty_f2_any_add(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any_el *y,
                   const ty_f2_any *f)
{
    for (size_t i = 0; i < (f->words + 1u) / 2 * 2; i++) z->w[i] = x->w[i] ^ y->w[i];
}

void ty_f2_any_sel(ty_f2_any_el *z, uint64_t mask, const ty_f2_any_el *x, const ty_f2_any_el *y,
                   const ty_f2_any *f)
{
    for (size_t i = 0; i < (f->words + 1u) / 2 * 2; i++) z->w[i] = ty_sel64(mask, x->w[i], y->w[i]);
}

void ty_f2_any_swap(uint64_t mask, ty_f2_any_el *x, ty_f2_any_el *y, const ty_f2_any *f)
{
    for (size_t i = 0; i < f->words; i++) {
        const uint64_t t = mask & (x->w[i] ^ y->w[i]);
        x->w[i] ^= t;
        y->w[i] ^= t;
    }
}

uint64_t ty_f2_any_set(ty_f2_any_el *z, const uint8_t *in, const ty_f2_any *f,
                       const ty_f2_any_kernels *ops)
{
    const size_t len = (f->m + 7u) / 8;
    memset(z, 0, sizeof *z);
    for (size_t i = 0; i < len; i++) z->w[i / 8] |= (uint64_t)in[len - 1 - i] << 8 * (i % 8);
    const uint64_t ok = f->m % 64 ? ty_mask_zero64(z->w[f->m / 64] >> f->m % 64) : ~(uint64_t)0;
    if (f->way == TY_F2_MONTGOMERY) ops->mul(z, z, &f->rr, f);
    return ok;
}

/* z = the polynomial that x represents, for every method */
static void plain(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f,
                  const ty_f2_any_kernels *ops)
{
    static const ty_f2_any_el one = { { 1 } };
    *z = *x;
    if (f->way == TY_F2_MONTGOMERY) ops->mul(z, z, &one, f);
    ops->canon(z, z, f);
}

void ty_f2_any_get(uint8_t *out, const ty_f2_any_el *x, const ty_f2_any *f,
                   const ty_f2_any_kernels *ops)
{
    const size_t len = (f->m + 7u) / 8;
    ty_f2_any_el t;
    plain(&t, x, f, ops);
    for (size_t i = 0; i < len; i++) out[len - 1 - i] = (uint8_t)(t.w[i / 8] >> 8 * (i % 8));
    ty_wipe(&t, sizeof t);
}

uint64_t ty_f2_any_iszero(const ty_f2_any_el *x, const ty_f2_any *f, const ty_f2_any_kernels *ops)
{
    ty_f2_any_el t;
    uint64_t any = 0;
    ops->canon(&t, x, f);
    for (size_t i = 0; i < f->words; i++) any |= t.w[i];
    ty_wipe(&t, sizeof t);
    return ty_mask_zero64(any);
}

uint64_t ty_f2_any_trace(const ty_f2_any_el *x, const ty_f2_any *f, const ty_f2_any_kernels *ops)
{
    ty_f2_any_el t;
    uint64_t sum = 0;
    plain(&t, x, f, ops);
    for (size_t i = 0; i < f->words; i++) sum ^= t.w[i] & f->trace[i];
    for (unsigned s = 32; s; s /= 2) sum ^= sum >> s;
    ty_wipe(&t, sizeof t);
    return sum & 1;
}

void ty_f2_any_climb(ty_f2_any_pair *p, uint64_t mask, const ty_f2_any_el *x,
                     const ty_f2_any_el *root, const ty_f2_any *f, const ty_f2_any_kernels *ops)
{
    ty_f2_any_el s, t, u;
    ty_f2_any_swap(mask, &p->x0, &p->x1, f);
    ty_f2_any_swap(mask, &p->z0, &p->z1, f);
    ops->mul(&s, &p->x0, &p->z1, f);
    ops->mul(&t, &p->x1, &p->z0, f);
    ty_f2_any_add(&u, &s, &t, f);
    ops->sqr_n(&p->z1, &u, 1, f);
    ops->mul_mul(&p->x1, &s, &t, x, &p->z1, f);
    ops->sqr_n(&u, &p->z0, 1, f);
    ops->sqr_n(&t, &p->x0, 1, f);
    ops->mul_sqr(&s, &u, root, &p->x0, f);
    ops->mul(&p->z0, &t, &u, f);
    ops->sqr_n(&p->x0, &s, 1, f);
    ty_wipe(&s, sizeof s);
}

/* x^(2^m - 2), Itoh and Tsujii 1988: the index j of b(j) = x^(2^j - 1) is doubled for every bit of
 * m - 1 after the first, and incremented where that is 1. */
void ty_f2_any_inv(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f,
                   const ty_f2_any_kernels *ops)
{
    const unsigned e = f->m - 1u;
    ty_f2_any_el b = *x, t, own = *x;
    unsigned j = 1, top = 0;
    while (e >> (top + 1)) top++;
    while (top--) {
        ops->sqr_n(&t, &b, j, f);
        ops->mul(&b, &b, &t, f);
        j = e >> top;
        if (j & 1) {
            ops->sqr_n(&t, &b, 1, f);
            ops->mul(&b, &t, &own, f);
        }
    }
    ops->sqr_n(z, &b, 1, f);
    ty_wipe(&b, sizeof b);
    ty_wipe(&t, sizeof t);
    ty_wipe(&own, sizeof own);
}

enum { POLY = TY_F2_ANY_WORDS + 1 };   /* words of M */

static void xor_poly(uint64_t *z, const uint64_t *x, const ty_f2_any *f)
{
    for (size_t i = 0; i <= f->words; i++) z[i] ^= x[i];
}

/* x = x/t, or (x + M)/t where t does not divide x */
static void halve_poly(uint64_t *x, const ty_f2_any *f)
{
    if (x[0] & 1) xor_poly(x, f->f, f);
    for (size_t i = 0; i < f->words; i++) x[i] = x[i] >> 1 | x[i + 1] << 63;
    x[f->words] >>= 1;
}

/* a y = u x and b y = v x mod M throughout, and the greatest common divisor of a and b remains 1.
 * Where t divides one of the two, that one is divided by t. Else t divides their sum, and the sum,
 * divided by t, replaces the greater one and has a lower degree. */
void ty_f2_any_div_vt(ty_f2_any_el *z, const ty_f2_any_el *y, const ty_f2_any_el *x,
                      const ty_f2_any *f, const ty_f2_any_kernels *ops)
{
    uint64_t ab[2][POLY] = { { 0 } }, uv[2][POLY] = { { 0 } };
    ty_f2_any_el t;
    ops->canon(&t, x, f);
    memcpy(ab[0], t.w, 8 * f->words);
    ops->canon(&t, y, f);
    memcpy(uv[0], t.w, 8 * f->words);
    memcpy(ab[1], f->f, sizeof ab[1]);
    while (memcmp(ab[0], ab[1], sizeof ab[0]) != 0) {
        int which = (ab[0][0] & 1) != 0;
        if (which && (ab[1][0] & 1)) {
            size_t i = POLY - 1;
            while (ab[0][i] == ab[1][i]) i--;
            which = ab[0][i] < ab[1][i];
            xor_poly(ab[which], ab[!which], f);
            xor_poly(uv[which], uv[!which], f);
        }
        halve_poly(ab[which], f);
        halve_poly(uv[which], f);
    }
    memset(z, 0, sizeof *z);
    memcpy(z->w, uv[0], 8 * f->words);
    if (f->way == TY_F2_MONTGOMERY) ops->mul(z, z, &f->rr, f);
}

/* For odd m the half-trace, the sum of x^(4^i). For even m, with any u of trace 1, such as some
 * t^j: from z = 0 and w = x, m - 1 times z = z^2 + w^2 u and w = w^2 + x  [IEEE 1363, A.4.7] */
uint64_t ty_f2_any_solve(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any *f,
                         const ty_f2_any_kernels *ops)
{
    ty_f2_any_el w = *x, u;
    if (f->m & 1) {
        *z = *x;
        for (unsigned i = 0; i < (f->m - 1u) / 2; i++) {
            ops->sqr_n(z, z, 2, f);
            ty_f2_any_add(z, z, x, f);
        }
    } else {
        unsigned j = 0;
        while (!bit_of(f->trace, j)) j++;
        memset(&u, 0, sizeof u);
        u.w[j / 64] = (uint64_t)1 << j % 64;
        if (f->way == TY_F2_MONTGOMERY) ops->mul(&u, &u, &f->rr, f);
        memset(z, 0, sizeof *z);
        for (unsigned i = 1; i < f->m; i++) {
            ops->sqr_n(&w, &w, 1, f);
            ops->mul_sqr(z, &w, &u, z, f);
            ty_f2_any_add(&w, &w, x, f);
        }
    }
    ops->sqr_n(&w, z, 1, f);
    ty_f2_any_add(&w, &w, z, f);
    ty_f2_any_add(&w, &w, x, f);
    return ty_f2_any_iszero(&w, f, ops);
}
