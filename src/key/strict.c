/* The strict parser of DER: see key/strict.h. */
#include "key/strict.h"

#include <string.h>

enum { LONG_TAG = 0x1f, INTEGER_MAX = 64, UTC_TIME = 0x17, GENERALIZED_TIME = 0x18 };

void ty_strict_blame(ty_strict *x, const uint8_t *p)
{
    if (!x->wrong) x->wrong = p;
}

ty_der ty_strict_enter(ty_strict *x, ty_der *in, uint8_t tag)
{
    const ty_der contents = ty_der_enter(in, tag);
    if (contents.bad) ty_strict_blame(x, in->p);
    return contents;
}

void ty_strict_done(ty_strict *x, const ty_der *in)
{
    if (!ty_der_done(in)) ty_strict_blame(x, in->p);
}

static ty_cert_part part_of(const ty_der *in) { return (ty_cert_part){ in->p, in->len }; }

ty_cert_part ty_strict_element(ty_strict *x, ty_der *in, uint8_t tag)
{
    const uint8_t *const start = in->p;
    const uint8_t found = ty_der_tag(in);
    if (found == 0 || (found & LONG_TAG) == LONG_TAG) ty_strict_blame(x, start);
    (void)ty_strict_enter(x, in, tag ? tag : found);
    return in->bad ? (ty_cert_part){ start, 0 } : (ty_cert_part){ start, (size_t)(in->p - start) };
}

/* INTEGER of any sign in the shortest encoding    [X.690, 8.3.2] */
ty_cert_part ty_strict_integer(ty_strict *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    const ty_der n = ty_strict_enter(x, in, TY_DER_INTEGER);
    const int longer =
        n.len > 1 && ((n.p[0] == 0 && n.p[1] < 0x80) || (n.p[0] == 0xff && n.p[1] >= 0x80));
    if (n.len == 0 || n.len > INTEGER_MAX || longer) ty_strict_blame(x, start);
    return part_of(&n);
}

ty_cert_part ty_strict_bits(ty_strict *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    ty_der b = ty_strict_enter(x, in, TY_DER_BITS);
    if (b.len == 0 || b.p[0] != 0) {
        ty_strict_blame(x, start);
        return (ty_cert_part){ start, 0 };
    }
    return (ty_cert_part){ b.p + 1, b.len - 1 };
}

/* Subidentifiers with seven bits in each byte, in the shortest encoding    [X.690, 8.19.2] */
ty_der ty_strict_oid(ty_strict *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    const ty_der id = ty_strict_enter(x, in, TY_DER_OID);
    int bad = id.len == 0;
    for (size_t i = 0; i < id.len; i++) {
        const int first = i == 0 || id.p[i - 1] < 0x80;
        if (first && id.p[i] == 0x80) bad = 1;
    }
    if (id.len && id.p[id.len - 1] >= 0x80) bad = 1;
    if (bad) ty_strict_blame(x, start);
    return id;
}

void ty_strict_algorithm(ty_strict *x, ty_cert_part *id, ty_cert_part *parameters, ty_der *in)
{
    ty_der seq = ty_strict_enter(x, in, TY_DER_SEQUENCE);
    const ty_der found = ty_strict_oid(x, &seq);
    *id = part_of(&found);
    *parameters = (ty_cert_part){ seq.p, 0 };
    if (!seq.bad && seq.len) *parameters = ty_strict_element(x, &seq, 0);
    ty_strict_done(x, &seq);
}

int ty_strict_in_order(const ty_cert_part *before, const ty_cert_part *next)
{
    const size_t n = before->len < next->len ? before->len : next->len;
    const int c = n ? memcmp(before->p, next->p, n) : 0;
    return c < 0 || (c == 0 && before->len <= next->len);
}

ty_der ty_strict_values(ty_strict *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    const ty_der set = ty_strict_enter(x, in, TY_DER_SET);
    ty_der left = set;
    ty_cert_part before = { set.p, 0 };
    if (!set.bad && set.len == 0) ty_strict_blame(x, start);
    while (!left.bad && left.len && !x->wrong) {
        const ty_cert_part next = ty_strict_element(x, &left, 0);
        if (!ty_strict_in_order(&before, &next)) ty_strict_blame(x, next.p);
        before = next;
    }
    return set;
}

/* RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue { type, value } */
static void relative_name(ty_strict *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    ty_der set = ty_strict_enter(x, in, TY_DER_SET);
    ty_cert_part before = { set.p, 0 };
    if (!set.bad && set.len == 0) ty_strict_blame(x, start);
    while (!set.bad && set.len && !x->wrong) {
        ty_der copy = set, pair = ty_strict_enter(x, &copy, TY_DER_SEQUENCE);
        (void)ty_strict_oid(x, &pair);
        (void)ty_strict_element(x, &pair, 0);
        ty_strict_done(x, &pair);
        const ty_cert_part next = ty_strict_element(x, &set, TY_DER_SEQUENCE);
        if (!ty_strict_in_order(&before, &next)) ty_strict_blame(x, next.p);
        before = next;
    }
}

ty_cert_part ty_strict_name(ty_strict *x, ty_der *in)
{
    ty_der copy = *in, rdns = ty_strict_enter(x, &copy, TY_DER_SEQUENCE);
    while (!rdns.bad && rdns.len && !x->wrong) relative_name(x, &rdns);
    return ty_strict_element(x, in, TY_DER_SEQUENCE);
}

static unsigned two_digits(const uint8_t *p, int *bad)
{
    if (p[0] < '0' || p[0] > '9' || p[1] < '0' || p[1] > '9') *bad = 1;
    return 10u * (unsigned)(p[0] - '0') + (unsigned)(p[1] - '0');
}

static unsigned days_of(unsigned year, unsigned month)
{
    static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap ? 1u : 0u);
}

/* YYMMDDHHMMSSZ, or with a year of four digits    [RFC 5280, 4.1.2.5] */
void ty_strict_time(ty_strict *x, char out[TY_CERT_TIME], ty_der *in)
{
    const uint8_t *const start = in->p;
    const int utc = ty_der_tag(in) == UTC_TIME;
    const ty_der t = ty_strict_enter(x, in, utc ? UTC_TIME : GENERALIZED_TIME);
    const size_t century = utc ? 0 : 2;
    int bad = 0;
    if (t.len != 13 + century || t.p[12 + century] != 'Z') {
        ty_strict_blame(x, start);
        return;
    }
    const uint8_t *const p = t.p + century;
    const unsigned yy = two_digits(p, &bad), month = two_digits(p + 2, &bad),
                   day = two_digits(p + 4, &bad);
    const unsigned hundreds = utc ? (yy < 50 ? 20 : 19) : two_digits(t.p, &bad);
    if (bad || month == 0 || month > 12 || day == 0 || day > days_of(100 * hundreds + yy, month) ||
        two_digits(p + 6, &bad) > 23 || two_digits(p + 8, &bad) > 59 ||
        two_digits(p + 10, &bad) > 59 || bad) {
        ty_strict_blame(x, start);
        return;
    }
    out[0] = (char)('0' + hundreds / 10);
    out[1] = (char)('0' + hundreds % 10);
    for (size_t i = 0, at = 2; i < 12; i += 2, at += 3) {
        memcpy(out + at, p + i, 2);
        out[at + 2] = "--T::Z"[i / 2];
    }
    out[20] = 0;
}
