#include "key/plain.h"
#include "base/ct.h"
#include "key/der.h"

#include <string.h>

static const uint8_t ec_public_key[] = { 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01 };       /* 1.2.840.10045.2.1 */
static const uint8_t curve_sm2[] = { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d };     /* 1.2.156.10197.1.301 */

/* --- writing, last field first ------------------------------------------------------------------------ */

static void put_oid(ty_der_out *o, const uint8_t *oid, size_t len)
{
    const uint8_t *end = o->p;
    ty_der_put(o, oid, len);
    ty_der_wrap(o, TY_DER_OID, end);
}

/* AlgorithmIdentifier { id-ecPublicKey, namedCurve sm2 } */
static void put_algorithm(ty_der_out *o)
{
    const uint8_t *end = o->p;
    put_oid(o, curve_sm2, sizeof curve_sm2);
    put_oid(o, ec_public_key, sizeof ec_public_key);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
}

static void put_point(ty_der_out *o, const ty_sm2_pub *pub, unsigned shape)
{
    uint8_t point[65];
    const uint8_t *end = o->p;
    if (shape & TY_SHAPE_COMPRESSED) ty_sm2_pub_get_compressed(point, pub);
    else ty_sm2_pub_get(point, pub);
    ty_der_put(o, point, shape & TY_SHAPE_COMPRESSED ? 33 : 65);
    ty_der_put_byte(o, 0);   /* no unused bits */
    ty_der_wrap(o, TY_DER_BITS, end);
}

/* ECPrivateKey { 1, privateKey, [0] parameters OPTIONAL, [1] publicKey OPTIONAL }    [RFC 5915, 3] */
static void put_ec_private(ty_der_out *o, const ty_sm2_key *key, unsigned shape)
{
    const uint8_t *end = o->p, *field = o->p, one = 1;
    if (shape & TY_SHAPE_POINT) {
        put_point(o, &key->pub, shape);
        ty_der_wrap(o, TY_DER_CTX1, field);
    }
    field = o->p;
    if (shape & TY_SHAPE_CURVE) {
        put_oid(o, curve_sm2, sizeof curve_sm2);
        ty_der_wrap(o, TY_DER_CTX0, field);
    }
    field = o->p;
    ty_der_put(o, key->d, 32);
    ty_der_wrap(o, TY_DER_OCTETS, field);
    ty_der_put_uint(o, &one, 1);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
}

size_t ty_key_encode(uint8_t out[TY_AT_LEAST(TY_KEY_PLAIN_MAX)], const ty_key *key, ty_key_form form, unsigned shape)
{
    static const uint8_t version = 0;
    uint8_t b[TY_KEY_PLAIN_MAX];
    ty_der_out o = ty_der_to(b, sizeof b);
    const uint8_t *const end = b + sizeof b;
    if (form == TY_KEY_SPKI) {   /* SubjectPublicKeyInfo { algorithm, subjectPublicKey }    [RFC 5480, 2] */
        put_point(&o, &key->pub, shape);
        put_algorithm(&o);
        ty_der_wrap(&o, TY_DER_SEQUENCE, end);
    } else {
        put_ec_private(&o, &key->sm2, shape);
        if (form == TY_KEY_PKCS8) {   /* PrivateKeyInfo { 0, algorithm, privateKey }    [RFC 5208, 5] */
            ty_der_wrap(&o, TY_DER_OCTETS, end);
            put_algorithm(&o);
            ty_der_put_uint(&o, &version, 1);
            ty_der_wrap(&o, TY_DER_SEQUENCE, end);
        }
    }
    const size_t len = (size_t)(end - o.p);
    memcpy(out, o.p, len);
    ty_wipe(b, sizeof b);
    return len;
}

/* --- reading ------------------------------------------------------------------------------------------ */

static ty_err expect_oid(ty_der *in, const uint8_t *oid, size_t len)
{
    /* anything else in the place of the curve's name spells out parameters, or says that there are none */
    if (ty_der_tag(in) != TY_DER_OID) return in->bad || in->len == 0 ? TY_ERR_FORMAT : TY_ERR_UNSUPPORTED;
    const ty_der found = ty_der_enter(in, TY_DER_OID);
    if (found.bad || found.len == 0) return TY_ERR_FORMAT;
    return ty_der_is(&found, oid, len) ? TY_OK : TY_ERR_UNSUPPORTED;
}

static ty_err get_algorithm(ty_der *in)
{
    ty_der seq = ty_der_enter(in, TY_DER_SEQUENCE);
    ty_err err = expect_oid(&seq, ec_public_key, sizeof ec_public_key);
    if (err == TY_OK) err = expect_oid(&seq, curve_sm2, sizeof curve_sm2);
    if (err == TY_OK && !ty_der_done(&seq)) err = TY_ERR_FORMAT;
    return err;
}

static ty_err get_point(ty_sm2_pub *pub, unsigned *shape, ty_der *in)
{
    uint8_t point[66];   /* the number of unused bits, then the point */
    const ty_der bits = ty_der_enter(in, TY_DER_BITS);
    if (bits.bad || (bits.len != 34 && bits.len != 66)) return TY_ERR_FORMAT;
    memcpy(point, bits.p, bits.len);
    TY_PUBLIC(point, bits.len);   /* a public key, or after a wrong password noise */
    if (point[0] != 0) return TY_ERR_FORMAT;
    if (bits.len == 34) *shape |= TY_SHAPE_COMPRESSED;
    return ty_sm2_pub_set(pub, point + 1, bits.len - 1);
}

/* The fields behind the version of an ECPrivateKey; the caller has read that. */
static ty_err get_ec_private(ty_key *key, unsigned *shape, ty_der *seq)
{
    const ty_der d = ty_der_enter(seq, TY_DER_OCTETS);
    ty_err err = d.bad || d.len != 32 ? TY_ERR_FORMAT : TY_OK;
    ty_der curve = { d.p, 0, 0 }, point = curve;
    if (err == TY_OK && ty_der_tag(seq) == TY_DER_CTX0) {
        *shape |= TY_SHAPE_CURVE;
        curve = ty_der_enter(seq, TY_DER_CTX0);
        err = expect_oid(&curve, curve_sm2, sizeof curve_sm2);
    }
    if (err == TY_OK && ty_der_tag(seq) == TY_DER_CTX1) {
        *shape |= TY_SHAPE_POINT;
        point = ty_der_enter(seq, TY_DER_CTX1);
        err = get_point(&key->pub, shape, &point);
    }
    if (err == TY_OK && (!ty_der_done(&curve) || !ty_der_done(&point) || !ty_der_done(seq))) err = TY_ERR_FORMAT;
    if (err == TY_OK) err = ty_sm2_key_set(&key->sm2, d.p);
    if (err == TY_OK && !(*shape & TY_SHAPE_POINT)) key->pub = key->sm2.pub;
    int match = ty_equal(&key->pub, &key->sm2.pub, sizeof key->pub);
    TY_PUBLIC(&match, sizeof match);   /* both are public keys */
    if (err == TY_OK && !match) err = TY_ERR_KEY;
    key->private_key = 1;
    return err;
}

/* PrivateKeyInfo and ECPrivateKey both are a SEQUENCE that begins with a version. */
static ty_err get_private(ty_key *key, unsigned *shape, ty_der *seq)
{
    const uint32_t version = ty_der_u32(seq);
    if (ty_der_tag(seq) == TY_DER_OCTETS) {
        key->form = TY_KEY_SEC1;
        if (version != 1) return TY_ERR_FORMAT;
        const ty_err err = get_ec_private(key, shape, seq);
        return err == TY_OK && !(*shape & TY_SHAPE_CURVE) ? TY_ERR_FORMAT : err;   /* alone, it must name its curve */
    }
    key->form = TY_KEY_PKCS8;
    if (seq->bad || seq->len == 0) return TY_ERR_FORMAT;
    if (version != 0 || ty_der_tag(seq) != TY_DER_SEQUENCE) return TY_ERR_UNSUPPORTED;   /* RFC 5958 version 2; PKCS #1 */
    const ty_err err = get_algorithm(seq);
    if (err != TY_OK) return err;
    ty_der octets = ty_der_enter(seq, TY_DER_OCTETS), inner = ty_der_enter(&octets, TY_DER_SEQUENCE);
    if (ty_der_tag(seq) == TY_DER_CTX0) return TY_ERR_UNSUPPORTED;   /* attributes */
    if (ty_der_u32(&inner) != 1 || !ty_der_done(&octets) || !ty_der_done(seq)) return TY_ERR_FORMAT;
    return get_ec_private(key, shape, &inner);
}

static ty_err get_public(ty_key *key, unsigned *shape, ty_der *seq)
{
    ty_der rest = *seq;
    key->form = TY_KEY_SPKI;
    (void)ty_der_enter(&rest, TY_DER_SEQUENCE);
    if (ty_der_tag(&rest) == TY_DER_SEQUENCE) return TY_ERR_UNSUPPORTED;   /* a certificate or a request */
    ty_err err = get_algorithm(seq);
    if (err == TY_OK) err = get_point(&key->pub, shape, seq);
    if (err == TY_OK && !ty_der_done(seq)) err = TY_ERR_FORMAT;
    return err;
}

static ty_err check_canonical(const ty_key *key, unsigned shape, const uint8_t *der, size_t der_len)
{
    uint8_t again[TY_KEY_PLAIN_MAX];
    const size_t len = ty_key_encode(again, key, key->form, shape);
    const ty_err err = ty_der_canonical(again, len, der, der_len);
    ty_wipe(again, sizeof again);
    return err;
}

ty_err ty_key_decode(ty_key *key, unsigned *shape, const uint8_t *p, size_t len)
{
    ty_der der = ty_der_from(p, len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    *shape = 0;
    memset(key, 0, sizeof *key);
    ty_err err = TY_ERR_FORMAT;
    if (!ty_der_done(&der)) return err;
    const uint8_t first = ty_der_tag(&seq);
    if (first == TY_DER_INTEGER) err = get_private(key, shape, &seq);
    else if (first == TY_DER_SEQUENCE) err = get_public(key, shape, &seq);
    if (err == TY_OK) err = check_canonical(key, *shape, p, len);
    if (err != TY_OK) ty_wipe(key, sizeof *key);
    return err;
}
