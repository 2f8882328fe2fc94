/* A binary curve in DER: its object identifier, or ANSI X9.62's ECParameters. All of it is
 * public. */
#include "key/ec_plain.h"

#include <string.h>

/* 1.2.840.10045.1.2 */
static const uint8_t characteristic_two[] = { 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x02 };
/* ...1.2.3.2 */
static const uint8_t trinomial_basis[] = { 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x02, 0x03, 0x02 };
static const uint8_t pentanomial_basis[] = { 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x02, 0x03, 0x03 };

static void put_element(ty_der_out *o, uint8_t tag, const uint8_t *bytes, size_t len)
{
    const uint8_t *end = o->p;
    ty_der_put(o, bytes, len);
    ty_der_wrap(o, tag, end);
}

static void put_number(ty_der_out *o, uint32_t x)
{
    const uint8_t bytes[4] = { (uint8_t)(x >> 24), (uint8_t)(x >> 16), (uint8_t)(x >> 8),
                               (uint8_t)x };
    ty_der_put_uint(o, bytes, sizeof bytes);
}

/* --- names ------------------------------------------------------------------------------------ */

/* A number of a dotted identifier; *text advances past it and its dot. -1 if it is malformed. */
static long next_arc(const char **text)
{
    const char *t = *text;
    long x = 0;
    if (*t < '0' || *t > '9') return -1;
    for (; *t >= '0' && *t <= '9'; t++) {
        if (x > 0xffffff) return -1;
        x = 10 * x + (*t - '0');
    }
    if (*t != 0 && (*t != '.' || t[1] == 0)) return -1;
    *text = *t ? t + 1 : t;
    return x;
}

/* OBJECT IDENTIFIER of the dotted text: base 128, the first two numbers in one. Returns 0 if the
 * text is not an identifier. */
static int put_oid(ty_der_out *o, const char *text)
{
    uint8_t bytes[TY_OID_MAX - 2];
    size_t n = 0;
    long arc = next_arc(&text), second = *text ? next_arc(&text) : -1;
    if (arc < 0 || arc > 2 || second < 0 || (arc < 2 && second > 39)) return 0;
    for (arc = 40 * arc + second;;) {
        int shift = 28;
        while (shift && !(arc >> shift)) shift -= 7;
        for (; shift >= 0; shift -= 7)
            bytes[n++] = (uint8_t)((arc >> shift & 0x7f) | (shift ? 0x80 : 0));
        if (!*text) break;
        arc = next_arc(&text);
        if (arc < 0 || n + 5 > sizeof bytes) return 0;
    }
    put_element(o, TY_DER_OID, bytes, n);
    return 1;
}

/* --- parameters ------------------------------------------------------------------------------- */

/* The exponents of the field polynomial in ascending order, at most six; returns their number. */
static size_t terms_of(uint16_t terms[6], const ty_ec_params *p)
{
    size_t n = 0;
    for (size_t i = 0; i < 8 * p->poly_len && n < 6; i++)
        if (p->poly[p->poly_len - 1 - i / 8] >> i % 8 & 1) terms[n++] = (uint16_t)i;
    return n;
}

/* FieldID { characteristic-two-field, { m, basis, its exponents } }: one number for a trinomial, a
 * SEQUENCE of three for a pentanomial. */
static void put_field(ty_der_out *o, const uint16_t *terms, size_t n)
{
    const uint8_t *const end = o->p;
    for (size_t i = n - 2; i > 0; i--) put_number(o, terms[i]);
    if (n == 5) ty_der_wrap(o, TY_DER_SEQUENCE, end);
    put_element(o, TY_DER_OID, n == 5 ? pentanomial_basis : trinomial_basis,
                sizeof trinomial_basis);
    put_number(o, terms[n - 1]);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
    put_element(o, TY_DER_OID, characteristic_two, sizeof characteristic_two);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
}

/* ECParameters { 1, fieldID, { a, b }, base, order, cofactor }    [SEC 1 v2, C.2] */
static void put_parameters(ty_der_out *o, const ty_ec_params *p, const uint16_t *terms, size_t n)
{
    const uint8_t *const end = o->p, *field;
    const size_t len = (terms[n - 1] + 7u) / 8;
    put_number(o, p->h);
    ty_der_put_uint(o, p->n, p->n_len);
    field = o->p;
    ty_der_put(o, p->y, len);
    ty_der_put(o, p->x, len);
    ty_der_put_byte(o, 4);
    ty_der_wrap(o, TY_DER_OCTETS, field);
    field = o->p;
    put_element(o, TY_DER_OCTETS, p->b, len);
    put_element(o, TY_DER_OCTETS, p->a, len);
    ty_der_wrap(o, TY_DER_SEQUENCE, field);
    put_field(o, terms, n);
    put_number(o, 1);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
}

size_t ty_oid_encode(uint8_t out[TY_AT_LEAST(TY_OID_MAX)], const char *text)
{
    ty_der_out o = ty_der_to(out, TY_OID_MAX);
    const uint8_t *const end = o.p;
    if (!text || !put_oid(&o, text)) return 0;
    const size_t len = (size_t)(end - o.p);
    memmove(out, o.p, len);
    return len;
}

size_t ty_ec_curve_encode(uint8_t out[TY_AT_LEAST(TY_EC_CURVE_DER_MAX)], const ty_ec_curve *curve)
{
    ty_der_out o = ty_der_to(out, TY_EC_CURVE_DER_MAX);
    const uint8_t *const end = o.p;
    const size_t name = ty_oid_encode(out, ty_ec_curve_oid(curve));
    if (name) return name;
    ty_ec_params p;
    uint16_t terms[6];
    ty_ec_params_get(&p, curve);
    const size_t n = terms_of(terms, &p);
    if (n == 3 || n == 5) put_parameters(&o, &p, terms, n);
    else put_element(&o, TY_DER_NULL, NULL, 0);
    const size_t len = (size_t)(end - o.p);
    memmove(out, o.p, len);
    return len;
}
