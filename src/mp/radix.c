/* Text in radix 2 to 64. A limb takes as many digits as fit it; above that numbers are cut in halves by powers of the radix,
 * so that the work is that of a few multiplications and divisions of the whole size. */
#include "mp/mp_internal.h"

#include <string.h>

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";

/* The digits that fit a limb and radix to their power, or its bits for a power of two. */
typedef struct radix {
    ty_limb base, power;
    size_t count;
} radix;

static radix prepare(int base)
{
    radix r = { (ty_limb)base, (ty_limb)base, 1 };
    while (r.power <= ~(ty_limb)0 / r.base) r.power *= r.base, r.count++;
    return r;
}

static int valid(int base) { return base >= 2 && base <= 64; }

/* The place of c among the digits; up to radix 36 small letters are capitals. */
static int value(char c, int base)
{
    int v = -1;
    if (c >= '0' && c <= '9') v = c - '0';
    else if (c >= 'A' && c <= 'Z') v = c - 'A' + 10;
    else if (c >= 'a' && c <= 'z') v = c - 'a' + (base <= 36 ? 10 : 36);
    else if (c == '+') v = 62;
    else if (c == '/') v = 63;
    return v < base ? v : -1;
}

/* --- From text ---------------------------------------------------------------------------------------------------- */

/* z = in[len], by one multiplication by a limb for every limb of digits; len >= 1, all of them digits. */
static ty_err set_short(ty_mp *z, const char *in, size_t len, int base, const radix *r)
{
    const ty_limb_ops *ops = ty_limb_best();
    TY_TRY(ty_mp_grow(z, len / r->count + 2));
    ty_limb *d = ty_mp_d(z);
    size_t n = 0;
    while (len) {
        size_t take = len % r->count ? len % r->count : r->count;
        ty_limb v = 0, power = r->power;   /* of no use to the first limb, which may have fewer digits */
        len -= take;
        for (; take; take--) v = v * r->base + (ty_limb)value(*in++, base);
        const ty_limb c = n ? ops->mul_1(d, d, n, power) : 0;
        const ty_limb top = ty_limb_add_1(d, d, n, v);
        if (n == 0) d[n++] = v;
        else if (c + top) d[n++] = c + top;
    }
    ty_mp_fit(z, n, 0);
    return TY_OK;
}

/* Long texts: the lower half of the digits is a power of two times a limb's digits, so that few powers are needed. */
static ty_err set_digits(ty_mp *z, const char *in, size_t len, int base, const radix *r)
{
    size_t low = 64 * r->count;
    if (len <= 2 * low) return set_short(z, in, len, base, r);
    while (low < len / 2 + len % 2) low *= 2;
    ty_mp power, top;
    ty_mp_init_with(&power, z->alloc);
    ty_mp_init_with(&top, z->alloc);
    ty_mp_set_u64(&power, (uint64_t)base);
    ty_err e = ty_mp_pow_vt(&power, &power, low);
    if (!e) e = set_digits(&top, in, len - low, base, r);
    if (!e) e = ty_mp_mul(&top, &top, &power);
    if (!e) e = set_digits(&power, in + (len - low), low, base, r);
    if (!e) e = ty_mp_add(z, &top, &power);
    ty_mp_clear(&power);
    ty_mp_clear(&top);
    return e;
}

ty_err ty_mp_set_str_vt(ty_mp *z, const char *in, size_t in_len, int base)
{
    if (!valid(base)) return TY_ERR_ARG;
    uint32_t neg = 0;
    if (in_len && (*in == '-' || (*in == '+' && value('+', base) < 0))) {
        neg = *in == '-';
        in++, in_len--;
    }
    if (in_len == 0) return TY_ERR_FORMAT;
    for (size_t i = 0; i < in_len; i++)
        if (value(in[i], base) < 0) return TY_ERR_FORMAT;
    const radix r = prepare(base);
    ty_mp t;
    ty_mp_init_with(&t, z->alloc);
    const ty_err e = set_digits(&t, in, in_len, base, &r);
    if (!e) {
        ty_mp_fit(&t, t.len, neg);
        ty_mp_swap(z, &t);
    }
    ty_mp_clear(&t);
    return e;
}

/* --- To text ------------------------------------------------------------------------------------------------------ */

/* Digits of floor(log2(base)) bits each are enough; a sign, and the closing 0. */
size_t ty_mp_str_size(const ty_mp *x, int base)
{
    if (!valid(base)) return 0;
    return ty_mp_bits(x) / (ty_limb_bits((ty_limb)base) - 1) + 3;
}

/* out[n] = v, zeros before. Division by a number that the compiler knows is a multiplication. */
static void put(char *out, size_t n, ty_limb v, ty_limb base)
{
    if (base == 10)
        for (; n; v /= 10) out[--n] = digits[v % 10];
    else
        for (; n; v /= base) out[--n] = digits[v % base];
}

/* out[len] = x, zeros before; x is destroyed */
static void get_short(char *out, size_t len, ty_mp *x, const radix *r)
{
    ty_limb *d = ty_mp_d(x);
    size_t n = x->len;
    while (len) {
        ty_limb v = ty_limb_div_1_vt(d, d, n, r->power);
        n = ty_limb_len(d, n);
        const size_t some = len < r->count ? len : r->count;
        len -= some;
        put(out + len, some, v, r->base);
    }
}

/* Halves by division: the lower one gets as many digits as the power has. */
static ty_err get_digits(char *out, size_t len, ty_mp *x, int base, const radix *r)
{
    size_t low = 32 * r->count;
    if (len <= 2 * low) {
        get_short(out, len, x, r);
        return TY_OK;
    }
    while (low < len / 2 + len % 2) low *= 2;
    ty_mp power;
    ty_mp_init_with(&power, x->alloc);
    ty_mp_set_u64(&power, (uint64_t)base);
    ty_err e = ty_mp_pow_vt(&power, &power, low);
    if (!e) e = ty_mp_div_vt(x, &power, x, &power);
    if (!e) e = get_digits(out, len - low, x, base, r);
    if (!e) e = get_digits(out + (len - low), low, &power, base, r);
    ty_mp_clear(&power);
    return e;
}

/* Written aside with zeros in front, which are then left away: what the caller sees is the text or nothing. */
ty_err ty_mp_get_str_vt(char *out, size_t out_len, size_t *len, const ty_mp *x, int base)
{
    if (!valid(base)) return TY_ERR_ARG;
    const size_t most = ty_mp_str_size(x, base), limbs = most / sizeof(ty_limb) + 1;
    const radix r = prepare(base);
    ty_limb own[8 * TY_MP_SMALL], *buffer = ty_mp_take(own, sizeof own / sizeof *own, limbs, x->alloc);
    if (!buffer) return TY_ERR_MEM;
    ty_mp t;
    ty_mp_init_with(&t, x->alloc);
    char *text = (char *)buffer;
    size_t first = 0, n = most - 1;
    ty_err e = ty_mp_abs(&t, x);
    ty_mp_fit(&t, t.len, 0);
    if (!e) e = get_digits(text, n, &t, base, &r);
    if (!e) {
        while (first + 1 < n && text[first] == '0') first++;
        if (x->neg && !(first + 1 == n && text[first] == '0')) text[--first] = '-';
        n -= first;
        if (n >= out_len) e = TY_ERR_SIZE;
    }
    if (!e) {
        memcpy(out, text + first, n);
        out[n] = 0;
        if (len) *len = n;
    }
    ty_mp_clear(&t);
    ty_mp_give(buffer, own, limbs, x->alloc);
    return e;
}
