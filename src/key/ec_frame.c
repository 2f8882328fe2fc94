/* The DER around keys on elliptic curves: see key/ec_frame.h. */
#include "key/ec_frame.h"
#include "base/ct.h"

#include <string.h>

/* 1.2.840.10045.2.1 */
static const uint8_t ec_public_key[] = { 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01 };

/* --- writing, last field first ---------------------------------------------------------------- */

/* AlgorithmIdentifier { id-ecPublicKey, the curve } */
static void put_algorithm(ty_der_out *o, const ty_ec_frame *f)
{
    const uint8_t *const end = o->p, *field;
    ty_der_put(o, f->curve.p, f->curve.len);
    field = o->p;
    ty_der_put(o, ec_public_key, sizeof ec_public_key);
    ty_der_wrap(o, TY_DER_OID, field);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
}

static void put_point(ty_der_out *o, const ty_ec_frame *f)
{
    const uint8_t *end = o->p;
    ty_der_put(o, f->point, f->point_len);
    ty_der_put_byte(o, 0);   /* no unused bits */
    ty_der_wrap(o, TY_DER_BITS, end);
}

/* ECPrivateKey { 1, privateKey, [0] parameters OPTIONAL, [1] publicKey OPTIONAL }
 * [RFC 5915, 3] */
static void put_private(ty_der_out *o, const ty_ec_frame *f, unsigned shape)
{
    const uint8_t *end = o->p, *field = o->p, one = 1;
    if (shape & TY_SHAPE_POINT) {
        put_point(o, f);
        ty_der_wrap(o, TY_DER_CTX1, field);
    }
    field = o->p;
    if (shape & TY_SHAPE_CURVE) {
        ty_der_put(o, f->curve.p, f->curve.len);
        ty_der_wrap(o, TY_DER_CTX0, field);
    }
    field = o->p;
    ty_der_put(o, f->d.p, f->d.len);
    ty_der_wrap(o, TY_DER_OCTETS, field);
    ty_der_put_uint(o, &one, 1);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
}

size_t ty_ec_frame_encode(uint8_t *out, size_t room, const ty_ec_frame *f, ty_key_form form,
                          unsigned shape)
{
    static const uint8_t version = 0;
    ty_der_out o = ty_der_to(out, room);
    const uint8_t *const end = out + room;
    /* SubjectPublicKeyInfo { algorithm, subjectPublicKey }    [RFC 5480, 2] */
    if (form == TY_KEY_SPKI) {
        put_point(&o, f);
        put_algorithm(&o, f);
        ty_der_wrap(&o, TY_DER_SEQUENCE, end);
    } else {
        put_private(&o, f, shape);
        /* PrivateKeyInfo { 0, algorithm, privateKey }    [RFC 5208, 5] */
        if (form == TY_KEY_PKCS8) {
            ty_der_wrap(&o, TY_DER_OCTETS, end);
            put_algorithm(&o, f);
            ty_der_put_uint(&o, &version, 1);
            ty_der_wrap(&o, TY_DER_SEQUENCE, end);
        }
    }
    const size_t len = o.bad ? 0 : (size_t)(end - o.p);
    memmove(out, o.p, len);
    return len;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* The curve's element, whole: an object identifier, explicit parameters, or NULL. */
static ty_err get_curve(ty_der *curve, ty_der *in)
{
    const uint8_t *const start = in->p;
    const uint8_t tag = ty_der_tag(in);
    if (tag == 0) return TY_ERR_FORMAT;
    const ty_der inside = ty_der_enter(in, tag);
    if (in->bad || (tag == TY_DER_OID && inside.len == 0)) return TY_ERR_FORMAT;
    *curve = ty_der_from(start, (size_t)(in->p - start));
    return TY_OK;
}

static ty_err get_algorithm(ty_der *curve, ty_der *in)
{
    ty_der seq = ty_der_enter(in, TY_DER_SEQUENCE);
    if (ty_der_tag(&seq) != TY_DER_OID)
        return seq.bad || seq.len == 0 ? TY_ERR_FORMAT : TY_ERR_UNSUPPORTED;
    const ty_der found = ty_der_enter(&seq, TY_DER_OID);
    if (found.bad || found.len == 0) return TY_ERR_FORMAT;
    if (!ty_der_is(&found, ec_public_key, sizeof ec_public_key)) return TY_ERR_UNSUPPORTED;
    const ty_err err = get_curve(curve, &seq);
    return err == TY_OK && !ty_der_done(&seq) ? TY_ERR_FORMAT : err;
}

static ty_err get_point(ty_ec_frame *f, unsigned *shape, ty_der *in)
{
    uint8_t unused;
    const ty_der bits = ty_der_enter(in, TY_DER_BITS);
    if (bits.bad || bits.len < 2 || bits.len - 1 > sizeof f->point) return TY_ERR_FORMAT;
    unused = bits.p[0];
    f->point_len = bits.len - 1;
    memcpy(f->point, bits.p + 1, f->point_len);
    TY_PUBLIC(&unused, 1);   /* of a public key, or noise after a wrong password */
    TY_PUBLIC(f->point, f->point_len);
    if (f->point[0] != 4) *shape |= TY_SHAPE_COMPRESSED;
    return unused == 0 ? TY_OK : TY_ERR_FORMAT;
}

/* The fields after the version of an ECPrivateKey, which the caller has read. */
static ty_err get_private_fields(ty_ec_frame *f, unsigned *shape, ty_der *seq)
{
    ty_der curve, point;
    f->d = ty_der_enter(seq, TY_DER_OCTETS);
    ty_err err = f->d.bad ? TY_ERR_FORMAT : TY_OK;
    curve = point = ty_der_from(f->d.p, 0);
    if (err == TY_OK && ty_der_tag(seq) == TY_DER_CTX0) {
        *shape |= TY_SHAPE_CURVE;
        curve = ty_der_enter(seq, TY_DER_CTX0);
        err = get_curve(&f->curve, &curve);
    }
    if (err == TY_OK && ty_der_tag(seq) == TY_DER_CTX1) {
        *shape |= TY_SHAPE_POINT;
        point = ty_der_enter(seq, TY_DER_CTX1);
        err = get_point(f, shape, &point);
    }
    if (err == TY_OK && (!ty_der_done(&curve) || !ty_der_done(&point) || !ty_der_done(seq)))
        err = TY_ERR_FORMAT;
    return err;
}

/* PrivateKeyInfo and ECPrivateKey both are a SEQUENCE that begins with a version. */
static ty_err get_private(ty_ec_frame *f, ty_key_form *form, unsigned *shape, ty_der *seq)
{
    ty_der outer;
    const uint32_t version = ty_der_u32(seq);
    if (ty_der_tag(seq) == TY_DER_OCTETS) {
        *form = TY_KEY_SEC1;
        if (version != 1) return TY_ERR_FORMAT;
        const ty_err err = get_private_fields(f, shape, seq);
        /* alone, it must name its curve */
        return err == TY_OK && !(*shape & TY_SHAPE_CURVE) ? TY_ERR_FORMAT : err;
    }
    *form = TY_KEY_PKCS8;
    if (seq->bad || seq->len == 0) return TY_ERR_FORMAT;
    /* RFC 5958 version 2; PKCS #1 */
    if (version != 0 || ty_der_tag(seq) != TY_DER_SEQUENCE) return TY_ERR_UNSUPPORTED;
    ty_err err = get_algorithm(&outer, seq);
    if (err != TY_OK) return err;
    ty_der octets = ty_der_enter(seq, TY_DER_OCTETS),
           inner = ty_der_enter(&octets, TY_DER_SEQUENCE);
    if (ty_der_tag(seq) == TY_DER_CTX0) return TY_ERR_UNSUPPORTED;   /* attributes */
    if (ty_der_u32(&inner) != 1 || !ty_der_done(&octets) || !ty_der_done(seq)) return TY_ERR_FORMAT;
    err = get_private_fields(f, shape, &inner);
    f->curve = outer;   /* if the inner one differs, so does the key when encoded again */
    return err;
}

static ty_err get_public(ty_ec_frame *f, ty_key_form *form, unsigned *shape, ty_der *seq)
{
    ty_der rest = *seq;
    *form = TY_KEY_SPKI;
    (void)ty_der_enter(&rest, TY_DER_SEQUENCE);
    /* a certificate or a request */
    if (ty_der_tag(&rest) == TY_DER_SEQUENCE) return TY_ERR_UNSUPPORTED;
    ty_err err = get_algorithm(&f->curve, seq);
    if (err == TY_OK) err = get_point(f, shape, seq);
    if (err == TY_OK && !ty_der_done(seq)) err = TY_ERR_FORMAT;
    return err;
}

ty_err ty_ec_frame_decode(ty_ec_frame *f, ty_key_form *form, unsigned *shape, const uint8_t *p,
                          size_t len)
{
    ty_der der = ty_der_from(p, len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    memset(f, 0, sizeof *f);
    *shape = 0;
    if (!ty_der_done(&der)) return TY_ERR_FORMAT;
    const uint8_t first = ty_der_tag(&seq);
    if (first == TY_DER_INTEGER) return get_private(f, form, shape, &seq);
    if (first == TY_DER_SEQUENCE) return get_public(f, form, shape, &seq);
    return TY_ERR_FORMAT;
}
