/* Signed and encrypted messages: the parser of their structure. GM/T 0010 took it from PKCS #7, as
 * RFC 5652 did, and changed the identifiers. The only other differences are version numbers, which
 * add nothing to the structure, and parts that only one of the standards has. */
#include "tongyu/cms.h"
#include "key/pem.h"
#include "key/strict.h"

#include <string.h>

enum { BARE1 = 0x81, BARE2 = 0x82, VERSION_MAX = 5, CLASS = 0xc0, CONTEXT = 0x80 };

/* 1.2.156.10197.6.1.4.2, 1.2.840.113549.1.7 and .9 */
static const uint8_t gm_t_0010[] = { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 6, 1, 4, 2 };
static const uint8_t pkcs7[] = { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7 };
static const uint8_t pkcs9[] = { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9 };

/* the last numbers of identifiers: after gm_t_0010 or pkcs7 */
enum { SIGNED = 2, ENVELOPED = 3, SIGNED_ENVELOPED = 4 };
enum { CONTENT_TYPE = 3, MESSAGE_DIGEST = 4, SIGNING_TIME = 5 };   /* after pkcs9 */

/* The last number of an identifier that is the prefix and one number; 0 for any other. */
static unsigned last_of(const ty_der *id, const uint8_t *prefix, size_t len)
{
    return id->len == len + 1 && memcmp(id->p, prefix, len) == 0 ? id->p[len] : 0;
}

static ty_cert_part octets(ty_strict *x, ty_der *in)
{
    const ty_der s = ty_strict_enter(x, in, TY_DER_OCTETS);
    return (ty_cert_part){ s.p, s.len };
}

static void version(ty_strict *x, ty_der *in)
{
    const uint8_t *const start = in->p;
    if (ty_der_u32(in) > VERSION_MAX || in->bad) ty_strict_blame(x, start);
}

/* Skips an optional element, which must be well-formed; its contents are not examined. */
static void skip(ty_strict *x, ty_der *in, uint8_t tag)
{
    if (ty_der_tag(in) == tag) (void)ty_strict_element(x, in, tag);
}

/* --- attributes ------------------------------------------------------------------------------- */

/* The value of an attribute that has exactly one    [RFC 5652, 11] */
static void get_value(ty_strict *x, ty_cms_signer *s, unsigned type, ty_der *values)
{
    if (type == CONTENT_TYPE) {
        const ty_der id = ty_strict_oid(x, values);
        s->content_type = (ty_cert_part){ id.p, id.len };
    } else if (type == MESSAGE_DIGEST) {
        s->message_digest = octets(x, values);
    } else {
        ty_strict_time(x, s->signing_time, values);
    }
    ty_strict_done(x, values);
}

/* Attribute ::= SEQUENCE { attrType OBJECT IDENTIFIER, attrValues SET SIZE (1..MAX) OF ANY }: the
 * values are sorted, because signed attributes are in DER. Unknown attributes are ignored. */
static void get_attribute(ty_strict *x, ty_cms_signer *s, unsigned *seen, ty_der *in)
{
    ty_der one = ty_strict_enter(x, in, TY_DER_SEQUENCE);
    const uint8_t *const start = one.p;
    const ty_der id = ty_strict_oid(x, &one);
    const unsigned type = last_of(&id, pkcs9, sizeof pkcs9);
    ty_der values = ty_strict_values(x, &one);
    ty_strict_done(x, &one);
    if (x->wrong || type < CONTENT_TYPE || type > SIGNING_TIME) return;
    if (*seen & 1u << type) ty_strict_blame(x, start);
    *seen |= 1u << type;
    get_value(x, s, type, &values);
}

/* [0] IMPLICIT SET SIZE (1..MAX) OF Attribute, in DER even inside BER, with the two mandatory
 * attributes */
static void get_attributes(ty_strict *x, ty_cms_signer *s, ty_der *in)
{
    unsigned seen = 0;
    ty_der copy = *in, all = ty_strict_enter(x, &copy, TY_DER_CTX0);
    s->attributes = ty_strict_element(x, in, TY_DER_CTX0);
    ty_cert_part before = { all.p, 0 };
    while (!all.bad && all.len && !x->wrong) {
        ty_der one = all;
        get_attribute(x, s, &seen, &one);
        const ty_cert_part next = ty_strict_element(x, &all, TY_DER_SEQUENCE);
        if (!ty_strict_in_order(&before, &next)) ty_strict_blame(x, next.p);
        before = next;
    }
    if (!(seen & 1u << CONTENT_TYPE) || !(seen & 1u << MESSAGE_DIGEST))
        ty_strict_blame(x, s->attributes.p);
}

/* --- signers and recipients ------------------------------------------------------------------- */

/* IssuerAndSerialNumber, or [0] IMPLICIT SubjectKeyIdentifier */
static void get_whose(ty_strict *x, ty_cms_whose *w, ty_der *in)
{
    if (ty_der_tag(in) == TY_DER_BARE0) {
        const ty_der id = ty_strict_enter(x, in, TY_DER_BARE0);
        w->key_id = (ty_cert_part){ id.p, id.len };
        if (id.len == 0) ty_strict_blame(x, id.p);
        return;
    }
    ty_der both = ty_strict_enter(x, in, TY_DER_SEQUENCE);
    w->issuer = ty_strict_name(x, &both);
    w->serial = ty_strict_integer(x, &both);
    ty_strict_done(x, &both);
}

/* SignerInfo { version, sid, digestAlgorithm, [0] signedAttrs, signatureAlgorithm, signature,
 * [1] unsignedAttrs } */
static void get_signer(ty_strict *x, ty_cms_signer *s, ty_der *in)
{
    ty_cert_part parameters;
    ty_der seq = ty_strict_enter(x, in, TY_DER_SEQUENCE);
    version(x, &seq);
    get_whose(x, &s->whose, &seq);
    ty_strict_algorithm(x, &s->digest, &parameters, &seq);
    if (ty_der_tag(&seq) == TY_DER_CTX0) get_attributes(x, s, &seq);
    ty_strict_algorithm(x, &s->algorithm, &parameters, &seq);
    s->signature = octets(x, &seq);
    skip(x, &seq, TY_DER_CTX1);
    ty_strict_done(x, &seq);
}

/* KeyTransRecipientInfo { version, rid, keyEncryptionAlgorithm, encryptedKey }; other kinds have a
 * context-specific tag and are skipped. */
static void get_recipient(ty_strict *x, ty_cms_recipient *r, ty_der *in)
{
    ty_cert_part parameters;
    if ((ty_der_tag(in) & CLASS) == CONTEXT) {
        (void)ty_strict_element(x, in, 0);
        return;
    }
    ty_der seq = ty_strict_enter(x, in, TY_DER_SEQUENCE);
    version(x, &seq);
    get_whose(x, &r->whose, &seq);
    ty_strict_algorithm(x, &r->algorithm, &parameters, &seq);
    r->encrypted_key = octets(x, &seq);
    ty_strict_done(x, &seq);
}

int ty_cms_next_certificate(ty_cert_part *certificate, ty_cert_part *rest)
{
    ty_strict x = { NULL };
    ty_der in = ty_der_from(rest->p, rest->len);
    while (in.len && !x.wrong) {
        const uint8_t tag = ty_der_tag(&in);
        *certificate = ty_strict_element(&x, &in, 0);
        *rest = (ty_cert_part){ in.p, in.len };
        if (tag == TY_DER_SEQUENCE && !x.wrong)
            return 1;   /* elements with other tags are attribute certificates and the like */
    }
    return 0;
}

int ty_cms_next_signer(ty_cms_signer *signer, ty_cert_part *rest)
{
    ty_strict x = { NULL };
    ty_der in = ty_der_from(rest->p, rest->len);
    memset(signer, 0, sizeof *signer);
    if (in.len == 0) return 0;
    get_signer(&x, signer, &in);
    *rest = (ty_cert_part){ in.p, in.len };
    return !x.wrong;
}

int ty_cms_next_recipient(ty_cms_recipient *recipient, ty_cert_part *rest)
{
    ty_strict x = { NULL };
    ty_der in = ty_der_from(rest->p, rest->len);
    memset(recipient, 0, sizeof *recipient);
    if (in.len == 0) return 0;
    get_recipient(&x, recipient, &in);
    *rest = (ty_cert_part){ in.p, in.len };
    return !x.wrong;
}

static int same(const ty_cert_part *a, const uint8_t *p, size_t len)
{
    return a->len == len && memcmp(a->p, p, len) == 0;
}

int ty_cms_is_of(const ty_cms_whose *whose, const ty_cert *cert)
{
    static const uint8_t subject_key_identifier[] = { 0x55, 0x1d, 14 };
    if (cert->request) return 0;
    if (whose->issuer.len)
        return same(&whose->issuer, cert->issuer.p, cert->issuer.len) &&
               same(&whose->serial, cert->serial.p, cert->serial.len);
    const ty_cert_part value =
        ty_cert_extension(cert, subject_key_identifier, sizeof subject_key_identifier);
    ty_der in = ty_der_from(value.p, value.len);
    const ty_der id = ty_der_enter(&in, TY_DER_OCTETS);
    return ty_der_done(&in) && id.len && same(&whose->key_id, id.p, id.len);
}

/* --- the message ------------------------------------------------------------------------------ */

/* SET OF SignerInfo and, below, SET OF RecipientInfo: check all elements and return the contents */
static ty_cert_part get_signers(ty_strict *x, ty_der *in)
{
    ty_der set = ty_strict_enter(x, in, TY_DER_SET);
    const ty_cert_part all = { set.p, set.len };
    while (!set.bad && set.len && !x->wrong) {
        ty_cms_signer one;
        memset(&one, 0, sizeof one);
        get_signer(x, &one, &set);
    }
    return all;
}

static ty_cert_part get_recipients(ty_strict *x, ty_der *in)
{
    ty_der set = ty_strict_enter(x, in, TY_DER_SET);
    const ty_cert_part all = { set.p, set.len };
    while (!set.bad && set.len && !x->wrong) {
        ty_cms_recipient one;
        memset(&one, 0, sizeof one);
        get_recipient(x, &one, &set);
    }
    return all;
}

/* SET OF DigestAlgorithmIdentifier, which is only checked: each SignerInfo repeats its own. */
static void digest_algorithms(ty_strict *x, ty_der *in)
{
    ty_cert_part id, parameters;
    ty_der set = ty_strict_enter(x, in, TY_DER_SET);
    while (!set.bad && set.len && !x->wrong) ty_strict_algorithm(x, &id, &parameters, &set);
}

/* [0] IMPLICIT SET OF certificates OPTIONAL, [1] IMPLICIT SET OF revocation lists OPTIONAL, which
 * are skipped */
static void get_certificates(ty_strict *x, ty_cms *m, ty_der *in)
{
    if (ty_der_tag(in) == TY_DER_CTX0) {
        ty_der set = ty_strict_enter(x, in, TY_DER_CTX0);
        m->certificates = (ty_cert_part){ set.p, set.len };
        while (!set.bad && set.len && !x->wrong) (void)ty_strict_element(x, &set, 0);
    }
    skip(x, in, TY_DER_CTX1);
}

/* EncapsulatedContentInfo { eContentType, [0] EXPLICIT OCTET STRING OPTIONAL } */
static void get_content(ty_strict *x, ty_cms *m, ty_der *in)
{
    ty_der seq = ty_strict_enter(x, in, TY_DER_SEQUENCE);
    const ty_der id = ty_strict_oid(x, &seq);
    m->content_type = (ty_cert_part){ id.p, id.len };
    m->detached = ty_der_tag(&seq) != TY_DER_CTX0;
    if (!m->detached) {
        ty_der outer = ty_strict_enter(x, &seq, TY_DER_CTX0);
        m->content = octets(x, &outer);
        ty_strict_done(x, &outer);
    }
    ty_strict_done(x, &seq);
}

/* EncryptedContentInfo { contentType, algorithm, [0] IMPLICIT OCTET STRING OPTIONAL }; in GM/T 0010
 * [1] and [2] may follow, for key agreement. */
static void get_ciphertext(ty_strict *x, ty_cms *m, ty_der *in)
{
    ty_der seq = ty_strict_enter(x, in, TY_DER_SEQUENCE);
    const ty_der id = ty_strict_oid(x, &seq);
    m->content_type = (ty_cert_part){ id.p, id.len };
    ty_strict_algorithm(x, &m->cipher, &m->parameters, &seq);
    m->detached = ty_der_tag(&seq) != TY_DER_BARE0;
    if (!m->detached) {
        const ty_der bytes = ty_strict_enter(x, &seq, TY_DER_BARE0);
        m->content = (ty_cert_part){ bytes.p, bytes.len };
    }
    if (m->gm) {
        skip(x, &seq, BARE1);
        skip(x, &seq, BARE2);
    }
    ty_strict_done(x, &seq);
}

static void get_body(ty_strict *x, ty_cms *m, ty_der *in)
{
    version(x, in);
    if (m->kind == TY_CMS_ENVELOPED && !m->gm) skip(x, in, TY_DER_CTX0);   /* originatorInfo */
    if (m->kind & TY_CMS_ENVELOPED) m->recipients = get_recipients(x, in);
    if (m->kind & TY_CMS_SIGNED) digest_algorithms(x, in);
    if (m->kind & TY_CMS_ENVELOPED) get_ciphertext(x, m, in);
    else get_content(x, m, in);
    if (m->kind & TY_CMS_SIGNED) {
        get_certificates(x, m, in);
        m->signers = get_signers(x, in);
    } else if (!m->gm) {
        skip(x, in, TY_DER_CTX1);   /* unprotectedAttrs */
    }
    ty_strict_done(x, in);
}

static ty_cms_kind kind_of(unsigned last)
{
    return last == SIGNED ? TY_CMS_SIGNED : last == ENVELOPED ? TY_CMS_ENVELOPED
           : last == SIGNED_ENVELOPED ? TY_CMS_SIGNED_ENVELOPED : (ty_cms_kind)0;
}

/* ContentInfo { contentType, [0] EXPLICIT content } */
ty_err ty_cms_read(ty_cms *m, size_t *where, const void *in, size_t in_len)
{
    ty_strict x = { NULL };
    memset(m, 0, sizeof *m);
    *where = 0;
    if (in_len == 0) return TY_ERR_FORMAT;   /* in may be NULL, which has no position to report */
    ty_der der = ty_der_from(in, in_len), outer = ty_strict_enter(&x, &der, TY_DER_SEQUENCE);
    ty_strict_done(&x, &der);
    const uint8_t *const type = outer.p;
    const ty_der id = ty_strict_oid(&x, &outer);
    m->gm = last_of(&id, gm_t_0010, sizeof gm_t_0010) != 0;
    m->kind = kind_of(m->gm ? last_of(&id, gm_t_0010, sizeof gm_t_0010)
                            : last_of(&id, pkcs7, sizeof pkcs7));
    ty_der inner = ty_strict_enter(&x, &outer, TY_DER_CTX0);
    ty_strict_done(&x, &outer);
    const int known = m->kind != 0;
    if (known && !x.wrong) {
        ty_der body = ty_strict_enter(&x, &inner, TY_DER_SEQUENCE);
        ty_strict_done(&x, &inner);
        get_body(&x, m, &body);
    }
    if (known && !x.wrong) return TY_OK;
    *where = (size_t)((x.wrong ? x.wrong : type) - (const uint8_t *)in);
    memset(m, 0, sizeof *m);
    return x.wrong ? TY_ERR_FORMAT : TY_ERR_UNSUPPORTED;
}

ty_err ty_cms_from_pem(void *out, size_t *out_len, const void *in, size_t in_len)
{
    static const char *const labels[] = { "CMS", "PKCS7" };
    return ty_pem_read_any(out, out_len, labels, sizeof labels / sizeof labels[0], in, in_len);
}
