/* Certificates and requests: the parser of their structure, and of the fields that are shown or
 * used. */
#include "tongyu/cert.h"
#include "key/pem.h"
#include "key/strict.h"

#include <string.h>

enum { BOOLEAN = 0x01, BARE1 = 0x81, BARE2 = 0x82, CTX3 = 0xa3 };
/* the maximum number of extensions: each is compared with all before it; certificates have about
 * ten */
enum { EXTENSIONS_MAX = 256 };

/* extensionRequest of PKCS #9: 1.2.840.113549.1.9.14    [RFC 2985, 5.4.2] */
static const uint8_t extension_request[] = { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 14 };

/* 1 if one of the first `count` extensions of a list, all well-formed, has this identifier. */
static int has_extension(ty_der all, size_t count, const ty_der *id)
{
    while (count--) {
        ty_der one = ty_der_enter(&all, TY_DER_SEQUENCE);
        const ty_der found = ty_der_enter(&one, TY_DER_OID);
        if (ty_der_is(&found, id->p, id->len)) return 1;
    }
    return 0;
}

/* Extensions ::= SEQUENCE SIZE (1..MAX) OF Extension { extnID, critical BOOLEAN DEFAULT FALSE,
 * extnValue OCTET STRING }, each identifier at most once    [RFC 5280, 4.2] */
static ty_cert_part extensions(ty_strict *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    ty_der copy = *in, all = ty_strict_enter(x, &copy, TY_DER_SEQUENCE);
    const ty_der list = all;
    if (!all.bad && all.len == 0) ty_strict_blame(x, start);
    for (size_t count = 0; !all.bad && all.len && !x->wrong; count++) {
        const uint8_t *const begin = all.p;
        ty_der one = ty_strict_enter(x, &all, TY_DER_SEQUENCE);
        const ty_der id = ty_strict_oid(x, &one);
        if (count == EXTENSIONS_MAX || (!id.bad && has_extension(list, count, &id)))
            ty_strict_blame(x, begin);
        if (ty_der_tag(&one) == BOOLEAN) {
            const uint8_t *const flag = one.p;
            const ty_der critical = ty_strict_enter(x, &one, BOOLEAN);
            /* FALSE is the default, which DER omits */
            if (critical.len != 1 || critical.p[0] != 0xff) ty_strict_blame(x, flag);
        }
        (void)ty_strict_enter(x, &one, TY_DER_OCTETS);
        ty_strict_done(x, &one);
    }
    return ty_strict_element(x, in, TY_DER_SEQUENCE);
}

/* The optional elements after the key of a certificate: [1] and [2] from version 2 on, [3] from
 * version 3 on */
static void get_options(ty_strict *x, ty_cert *c, ty_der *tbs)
{
    if (c->version >= 2 && ty_der_tag(tbs) == BARE1) (void)ty_strict_element(x, tbs, BARE1);
    if (c->version >= 2 && ty_der_tag(tbs) == BARE2) (void)ty_strict_element(x, tbs, BARE2);
    if (c->version == 3 && ty_der_tag(tbs) == CTX3) {
        ty_der outer = ty_strict_enter(x, tbs, CTX3);
        c->extensions = extensions(x, &outer);
        ty_strict_done(x, &outer);
    }
    ty_strict_done(x, tbs);
}

/* TBSCertificate { [0] version DEFAULT v1, serialNumber, signature, issuer, validity, subject,
 * subjectPublicKeyInfo, ... } */
static void get_certificate(ty_strict *x, ty_cert *c, ty_der *tbs)
{
    c->version = 1;
    if (ty_der_tag(tbs) == TY_DER_CTX0) {
        ty_der outer = ty_strict_enter(x, tbs, TY_DER_CTX0);
        const uint8_t *const number = outer.p;
        const uint32_t version = ty_der_u32(&outer);
        /* v1 is the default, which DER omits */
        if (outer.bad || version < 1 || version > 2) ty_strict_blame(x, number);
        ty_strict_done(x, &outer);
        c->version = version + 1;
    }
    c->serial = ty_strict_integer(x, tbs);
    ty_strict_algorithm(x, &c->algorithm, &c->parameters, tbs);
    c->issuer = ty_strict_name(x, tbs);
    ty_der validity = ty_strict_enter(x, tbs, TY_DER_SEQUENCE);
    ty_strict_time(x, c->not_before, &validity);
    ty_strict_time(x, c->not_after, &validity);
    ty_strict_done(x, &validity);
    c->subject = ty_strict_name(x, tbs);
    c->key = ty_strict_element(x, tbs, TY_DER_SEQUENCE);
    if (!x->wrong) get_options(x, c, tbs);
}

/* Attribute ::= SEQUENCE { type, values SET SIZE (1..MAX) OF ANY }; the requested extensions are
 * one value of one attribute. */
static void get_request_attribute(ty_strict *x, int *asked, ty_der *in)
{
    ty_der one = ty_strict_enter(x, in, TY_DER_SEQUENCE);
    const uint8_t *const start = one.p;
    const ty_der id = ty_strict_oid(x, &one);
    ty_der values = ty_strict_values(x, &one);
    ty_strict_done(x, &one);
    if (x->wrong || !ty_der_is(&id, extension_request, sizeof extension_request)) return;
    if ((*asked)++) ty_strict_blame(x, start);
    (void)extensions(x, &values);
    ty_strict_done(x, &values);
}

/* CertificationRequestInfo { version v1, subject, subjectPKInfo, [0] attributes } */
static void get_request(ty_strict *x, ty_cert *c, ty_der *info)
{
    const uint8_t *const number = info->p;
    c->request = 1;
    c->version = 1;
    if (ty_der_u32(info) != 0 || info->bad) ty_strict_blame(x, number);
    c->subject = ty_strict_name(x, info);
    c->key = ty_strict_element(x, info, TY_DER_SEQUENCE);
    ty_der attributes = ty_strict_enter(x, info, TY_DER_CTX0);
    c->extensions = (ty_cert_part){ attributes.p, attributes.len };
    ty_cert_part before = { attributes.p, 0 };
    int asked = 0;   /* 1 after an attribute that requests extensions */
    while (!attributes.bad && attributes.len && !x->wrong) {
        ty_der one = attributes;
        get_request_attribute(x, &asked, &one);
        const ty_cert_part next = ty_strict_element(x, &attributes, TY_DER_SEQUENCE);
        if (!ty_strict_in_order(&before, &next)) ty_strict_blame(x, next.p);
        before = next;
    }
    ty_strict_done(x, info);
}

/* 1 if the signed part begins like that of a request: INTEGER 0 and a Name, where a certificate of
 * version 1 has a serial number and an algorithm. A Name begins with a SET or is empty, an
 * algorithm begins with an OBJECT IDENTIFIER. */
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
    ty_strict x = { NULL };
    memset(cert, 0, sizeof *cert);
    memset(&again, 0, sizeof again);
    *where = 0;
    if (in_len == 0) return TY_ERR_FORMAT;   /* in may be NULL, which has no position to report */
    ty_der der = ty_der_from(in, in_len), outer = ty_strict_enter(&x, &der, TY_DER_SEQUENCE);
    ty_strict_done(&x, &der);
    ty_der copy = outer, info = ty_strict_enter(&x, &copy, TY_DER_SEQUENCE);
    if (looks_like_request(&info)) get_request(&x, cert, &info);
    else get_certificate(&x, cert, &info);
    cert->message = ty_strict_element(&x, &outer, TY_DER_SEQUENCE);
    const uint8_t *const named = outer.p;
    ty_strict_algorithm(&x, &again.algorithm, &again.parameters, &outer);
    cert->signature = ty_strict_bits(&x, &outer);
    ty_strict_done(&x, &outer);
    /* A certificate contains the algorithm twice, once in the signed part. */
    if (!cert->request && !x.wrong &&
        (again.algorithm.len != cert->algorithm.len ||
         again.parameters.len != cert->parameters.len ||
         memcmp(again.algorithm.p, cert->algorithm.p, again.algorithm.len) != 0 ||
         memcmp(again.parameters.p, cert->parameters.p, again.parameters.len) != 0))
        ty_strict_blame(&x, named);
    cert->algorithm = again.algorithm;
    cert->parameters = again.parameters;
    if (!x.wrong) return TY_OK;
    *where = (size_t)(x.wrong - (const uint8_t *)in);
    memset(cert, 0, sizeof *cert);
    return TY_ERR_FORMAT;
}

/* The list of extensions of a certificate, or of those that a request asks for; empty if there are
 * none. */
static ty_der extension_list(const ty_cert *cert)
{
    ty_der in = ty_der_from(cert->extensions.p, cert->extensions.len);
    while (cert->request && in.len && !in.bad) {
        ty_der one = ty_der_enter(&in, TY_DER_SEQUENCE);
        const ty_der id = ty_der_enter(&one, TY_DER_OID);
        if (!ty_der_is(&id, extension_request, sizeof extension_request)) continue;
        in = ty_der_enter(&one, TY_DER_SET);
        break;
    }
    return in.len ? ty_der_enter(&in, TY_DER_SEQUENCE) : in;
}

ty_cert_part ty_cert_extension(const ty_cert *cert, const void *id, size_t id_len)
{
    ty_der all = extension_list(cert);
    while (!all.bad && all.len) {
        ty_der one = ty_der_enter(&all, TY_DER_SEQUENCE);
        const ty_der found = ty_der_enter(&one, TY_DER_OID);
        if (!ty_der_is(&found, id, id_len)) continue;
        if (ty_der_tag(&one) == BOOLEAN) (void)ty_der_enter(&one, BOOLEAN);
        const ty_der value = ty_der_enter(&one, TY_DER_OCTETS);
        return (ty_cert_part){ value.p, value.len };
    }
    return (ty_cert_part){ NULL, 0 };
}

ty_err ty_cert_from_pem(void *out, size_t *out_len, const void *in, size_t in_len)
{
    static const char *const labels[] = { "CERTIFICATE", "X509 CERTIFICATE", "CERTIFICATE REQUEST",
                                          "NEW CERTIFICATE REQUEST" };
    return ty_pem_read_any(out, out_len, labels, sizeof labels / sizeof labels[0], in, in_len);
}
