/* Certificates and requests: the structure, down to what is shown and used. */
#include "tongyu/cert.h"
#include "key/pem.h"
#include "key/der.h"

#include <string.h>

enum {
    BOOLEAN = 0x01, SET = 0x31, UTC_TIME = 0x17, GENERALIZED_TIME = 0x18, BARE1 = 0x81, BARE2 = 0x82, CTX3 = 0xa3,
    LONG_TAG = 0x1f, SERIAL_MAX = 64
};

/* Where the first mistake is. Readers stop at the element they could not take. */
typedef struct parse {
    const uint8_t *wrong;
} parse;

static void blame(parse *x, const uint8_t *p)
{
    if (!x->wrong) x->wrong = p;
}

static ty_der enter(parse *x, ty_der *in, uint8_t tag)
{
    const ty_der contents = ty_der_enter(in, tag);
    if (contents.bad) blame(x, in->p);
    return contents;
}

static void done(parse *x, const ty_der *in)
{
    if (!ty_der_done(in)) blame(x, in->p);
}

static ty_cert_part part(const ty_der *in) { return (ty_cert_part){ in->p, in->len }; }

/* One element of this tag, or of any for 0; whole. */
static ty_cert_part whole_element(parse *x, ty_der *in, uint8_t tag)
{
    const uint8_t *const start = in->p;
    const uint8_t found = ty_der_tag(in);
    if (found == 0 || (found & LONG_TAG) == LONG_TAG) blame(x, start);
    (void)enter(x, in, tag ? tag : found);
    return in->bad ? (ty_cert_part){ start, 0 } : (ty_cert_part){ start, (size_t)(in->p - start) };
}

/* INTEGER of any sign, the shortest that it can be    [X.690, 8.3.2] */
static ty_cert_part integer(parse *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    const ty_der n = enter(x, in, TY_DER_INTEGER);
    const int longer = n.len > 1 && ((n.p[0] == 0 && n.p[1] < 0x80) || (n.p[0] == 0xff && n.p[1] >= 0x80));
    if (n.len == 0 || n.len > SERIAL_MAX || longer) blame(x, start);
    return part(&n);
}

/* BIT STRING of whole bytes */
static ty_cert_part bits(parse *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    ty_der b = enter(x, in, TY_DER_BITS);
    if (b.len == 0 || b.p[0] != 0) {
        blame(x, start);
        return (ty_cert_part){ start, 0 };
    }
    return (ty_cert_part){ b.p + 1, b.len - 1 };
}

/* Subidentifiers of seven bits a byte, the shortest that they can be    [X.690, 8.19.2] */
static ty_der oid(parse *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    const ty_der id = enter(x, in, TY_DER_OID);
    int bad = id.len == 0;
    for (size_t i = 0; i < id.len; i++) {
        const int first = i == 0 || id.p[i - 1] < 0x80;
        if (first && id.p[i] == 0x80) bad = 1;
    }
    if (id.len && id.p[id.len - 1] >= 0x80) bad = 1;
    if (bad) blame(x, start);
    return id;
}

/* AlgorithmIdentifier { algorithm, parameters ANY OPTIONAL } */
static void algorithm(parse *x, ty_cert *c, ty_der *in)
{
    ty_der seq = enter(x, in, TY_DER_SEQUENCE);
    const ty_der id = oid(x, &seq);
    c->algorithm = part(&id);
    c->parameters = (ty_cert_part){ seq.p, 0 };
    if (!seq.bad && seq.len) c->parameters = whole_element(x, &seq, 0);
    done(x, &seq);
}

/* The next of a SET OF must not come before the one before it    [X.690, 11.6] */
static int in_order(const ty_cert_part *before, const ty_cert_part *next)
{
    const size_t n = before->len < next->len ? before->len : next->len;
    const int c = n ? memcmp(before->p, next->p, n) : 0;
    return c < 0 || (c == 0 && before->len <= next->len);
}

/* RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue { type, value } */
static void rdn(parse *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    ty_der set = enter(x, in, SET);
    ty_cert_part before = { set.p, 0 };
    if (!set.bad && set.len == 0) blame(x, start);
    while (!set.bad && set.len && !x->wrong) {
        ty_der copy = set, pair = enter(x, &copy, TY_DER_SEQUENCE);
        (void)oid(x, &pair);
        (void)whole_element(x, &pair, 0);
        done(x, &pair);
        const ty_cert_part next = whole_element(x, &set, TY_DER_SEQUENCE);
        if (!in_order(&before, &next)) blame(x, next.p);
        before = next;
    }
}

static ty_cert_part name(parse *x, ty_der *in)
{
    ty_der copy = *in, rdns = enter(x, &copy, TY_DER_SEQUENCE);
    while (!rdns.bad && rdns.len && !x->wrong) rdn(x, &rdns);
    return whole_element(x, in, TY_DER_SEQUENCE);
}

/* --- times ------------------------------------------------------------------------------------------------ */

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

/* YYMMDDHHMMSSZ, or with four digits of the year    [RFC 5280, 4.1.2.5] */
static void get_time(parse *x, char out[TY_CERT_TIME], ty_der *in)
{
    const uint8_t *const start = in->p;
    const int utc = ty_der_tag(in) == UTC_TIME;
    const ty_der t = enter(x, in, utc ? UTC_TIME : GENERALIZED_TIME);
    const size_t century = utc ? 0 : 2;
    int bad = 0;
    if (t.len != 13 + century || t.p[12 + century] != 'Z') {
        blame(x, start);
        return;
    }
    const uint8_t *const p = t.p + century;
    const unsigned yy = two_digits(p, &bad), month = two_digits(p + 2, &bad), day = two_digits(p + 4, &bad);
    const unsigned hundreds = utc ? (yy < 50 ? 20 : 19) : two_digits(t.p, &bad);
    if (bad || month == 0 || month > 12 || day == 0 || day > days_of(100 * hundreds + yy, month) ||
        two_digits(p + 6, &bad) > 23 || two_digits(p + 8, &bad) > 59 || two_digits(p + 10, &bad) > 59 || bad) {
        blame(x, start);
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

/* --- the two structures ------------------------------------------------------------------------------------- */

/* Extensions ::= SEQUENCE SIZE (1..MAX) OF Extension { extnID, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING } */
static ty_cert_part extensions(parse *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    ty_der copy = *in, all = enter(x, &copy, TY_DER_SEQUENCE);
    if (!all.bad && all.len == 0) blame(x, start);
    while (!all.bad && all.len && !x->wrong) {
        ty_der one = enter(x, &all, TY_DER_SEQUENCE);
        (void)oid(x, &one);
        if (ty_der_tag(&one) == BOOLEAN) {
            const uint8_t *const flag = one.p;
            const ty_der critical = enter(x, &one, BOOLEAN);
            if (critical.len != 1 || critical.p[0] != 0xff) blame(x, flag);   /* FALSE is what it is without */
        }
        (void)enter(x, &one, TY_DER_OCTETS);
        done(x, &one);
    }
    return whole_element(x, in, TY_DER_SEQUENCE);
}

/* What may stand behind the key of a certificate: [1] and [2] from version 2 on, [3] from version 3 on */
static void get_options(parse *x, ty_cert *c, ty_der *tbs)
{
    if (c->version >= 2 && ty_der_tag(tbs) == BARE1) (void)whole_element(x, tbs, BARE1);
    if (c->version >= 2 && ty_der_tag(tbs) == BARE2) (void)whole_element(x, tbs, BARE2);
    if (c->version == 3 && ty_der_tag(tbs) == CTX3) {
        ty_der outer = enter(x, tbs, CTX3);
        c->extensions = extensions(x, &outer);
        done(x, &outer);
    }
    done(x, tbs);
}

/* TBSCertificate { [0] version DEFAULT v1, serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo, ... } */
static void get_certificate(parse *x, ty_cert *c, ty_der *tbs)
{
    c->version = 1;
    if (ty_der_tag(tbs) == TY_DER_CTX0) {
        ty_der outer = enter(x, tbs, TY_DER_CTX0);
        const uint8_t *const number = outer.p;
        const uint32_t version = ty_der_u32(&outer);
        if (outer.bad || version < 1 || version > 2) blame(x, number);   /* v1 is what it is without */
        done(x, &outer);
        c->version = version + 1;
    }
    c->serial = integer(x, tbs);
    algorithm(x, c, tbs);
    c->issuer = name(x, tbs);
    ty_der validity = enter(x, tbs, TY_DER_SEQUENCE);
    get_time(x, c->not_before, &validity);
    get_time(x, c->not_after, &validity);
    done(x, &validity);
    c->subject = name(x, tbs);
    c->key = whole_element(x, tbs, TY_DER_SEQUENCE);
    if (!x->wrong) get_options(x, c, tbs);
}

/* CertificationRequestInfo { version v1, subject, subjectPKInfo, [0] attributes } */
static void get_request(parse *x, ty_cert *c, ty_der *info)
{
    const uint8_t *const number = info->p;
    c->request = 1;
    c->version = 1;
    if (ty_der_u32(info) != 0 || info->bad) blame(x, number);
    c->subject = name(x, info);
    c->key = whole_element(x, info, TY_DER_SEQUENCE);
    ty_der attributes = enter(x, info, TY_DER_CTX0);
    c->extensions = part(&attributes);
    ty_cert_part before = { attributes.p, 0 };
    while (!attributes.bad && attributes.len && !x->wrong) {
        ty_der copy = attributes, one = enter(x, &copy, TY_DER_SEQUENCE);
        (void)oid(x, &one);
        (void)whole_element(x, &one, SET);
        done(x, &one);
        const ty_cert_part next = whole_element(x, &attributes, TY_DER_SEQUENCE);
        if (!in_order(&before, &next)) blame(x, next.p);
        before = next;
    }
    done(x, info);
}

/* 1 if what is to be signed begins as that of a request does: INTEGER 0 and a Name, where a certificate of version 1 has a serial
 * number and an algorithm. A Name begins with a SET or is empty, an algorithm begins with an OBJECT IDENTIFIER. */
static int looks_like_request(const ty_der *info)
{
    ty_der in = *info;
    (void)ty_der_enter(&in, TY_DER_INTEGER);
    const ty_der second = ty_der_enter(&in, TY_DER_SEQUENCE);
    return !second.bad && ty_der_tag(&second) != TY_DER_OID;
}

ty_err ty_cert_read(ty_cert *cert, size_t *where, const void *in, size_t in_len)
{
    ty_cert again;
    parse x = { NULL };
    memset(cert, 0, sizeof *cert);
    memset(&again, 0, sizeof again);
    *where = 0;
    if (in_len == 0) return TY_ERR_FORMAT;   /* in may be NULL, and then no place could be blamed */
    ty_der der = ty_der_from(in, in_len), outer = enter(&x, &der, TY_DER_SEQUENCE);
    done(&x, &der);
    ty_der copy = outer, info = enter(&x, &copy, TY_DER_SEQUENCE);
    if (looks_like_request(&info)) get_request(&x, cert, &info);
    else get_certificate(&x, cert, &info);
    cert->message = whole_element(&x, &outer, TY_DER_SEQUENCE);
    const uint8_t *const named = outer.p;
    algorithm(&x, &again, &outer);
    cert->signature = bits(&x, &outer);
    done(&x, &outer);
    /* The algorithm stands in a certificate twice, once of them signed. */
    if (!cert->request && !x.wrong &&
        (again.algorithm.len != cert->algorithm.len || again.parameters.len != cert->parameters.len ||
         memcmp(again.algorithm.p, cert->algorithm.p, again.algorithm.len) != 0 ||
         memcmp(again.parameters.p, cert->parameters.p, again.parameters.len) != 0))
        blame(&x, named);
    cert->algorithm = again.algorithm;
    cert->parameters = again.parameters;
    if (!x.wrong) return TY_OK;
    *where = (size_t)(x.wrong - (const uint8_t *)in);
    memset(cert, 0, sizeof *cert);
    return TY_ERR_FORMAT;
}

ty_err ty_cert_from_pem(void *out, size_t *out_len, const void *in, size_t in_len)
{
    static const char *const labels[] = { "CERTIFICATE", "X509 CERTIFICATE", "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST" };
    return ty_pem_read_any(out, out_len, labels, sizeof labels / sizeof labels[0], in, in_len);
}
