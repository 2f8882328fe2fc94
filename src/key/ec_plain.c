/* Keys on binary curves as plain DER: see key/ec_plain.h. */
#include "key/ec_plain.h"
#include "base/ct.h"

#include <string.h>

/* --- writing ---------------------------------------------------------------------------------- */

size_t ty_ec_encode(uint8_t out[TY_AT_LEAST(TY_EC_PLAIN_MAX)], const ty_ec_pub *pub,
                    const uint8_t *d, ty_key_form form, unsigned shape)
{
    uint8_t curve[TY_EC_CURVE_DER_MAX];
    const size_t len = ty_ec_field_len(pub->curve);
    ty_ec_frame f;
    f.curve = ty_der_from(curve, ty_ec_curve_encode(curve, pub->curve));
    f.d = ty_der_from(d, ty_ec_order_len(pub->curve));
    f.point_len = shape & TY_SHAPE_COMPRESSED ? 1 + len : 1 + 2 * len;
    if (shape & TY_SHAPE_COMPRESSED) ty_ec_pub_get_compressed(f.point, pub);
    else ty_ec_pub_get(f.point, pub);
    return ty_ec_frame_encode(out, TY_EC_PLAIN_MAX, &f, form, shape);
}

/* --- reading ---------------------------------------------------------------------------------- */

static int is_curve(const ty_der *element, const ty_ec_curve *curve)
{
    uint8_t t[TY_EC_CURVE_DER_MAX];
    return ty_der_is(element, t, ty_ec_curve_encode(t, curve));
}

/* A standard curve without kernels of its own: its parameters are checked and set up in room. */
static ty_err find_standard(const ty_ec_curve **curve, ty_ec_any *room, const ty_der *element)
{
    ty_ec_params p;
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++) {
        uint8_t t[TY_OID_MAX];
        if (!ty_der_is(element, t, ty_oid_encode(t, p.oid))) continue;
        const ty_err err = ty_ec_any_init(room, &p, TY_EC_AUTO, 0, NULL);
        *curve = ty_ec_any_curve(room);
        return err;
    }
    return TY_ERR_UNSUPPORTED;
}

static ty_err find_curve(const ty_ec_curve **curve, ty_ec_any *room, const ty_der *element)
{
    for (size_t i = 0; (*curve = ty_ec_curve_at(i)) != NULL; i++)
        if (is_curve(element, *curve)) return TY_OK;
    if (!room) return TY_ERR_UNSUPPORTED;
    *curve = ty_ec_any_curve(room);
    if (ty_ec_curve_name(*curve)) return is_curve(element, *curve) ? TY_OK : TY_ERR_UNSUPPORTED;
    return find_standard(curve, room, element);
}

static ty_err set_key(ty_ec_key *key, const ty_ec_curve *curve, const ty_ec_frame *f,
                      int private_key)
{
    ty_ec_pub pub;
    ty_err err = f->point_len ? ty_ec_pub_set(&pub, curve, f->point, f->point_len) : TY_OK;
    if (err == TY_OK && !private_key) key->pub = pub;
    if (err == TY_OK && private_key) err = ty_ec_key_set(key, curve, f->d.p, f->d.len);
    if (err != TY_OK || !private_key || !f->point_len) return err;
    int match = ty_equal(pub.xy, key->pub.xy, sizeof pub.xy);
    TY_PUBLIC(&match, sizeof match);   /* both are public keys */
    return match ? TY_OK : TY_ERR_KEY;
}

static ty_err check_canonical(const ty_ec_key *key, const ty_ec_file *file, unsigned shape,
                              const uint8_t *der, size_t der_len)
{
    uint8_t again[TY_EC_PLAIN_MAX];
    const size_t len = ty_ec_encode(again, &key->pub, key->d, file->form, shape);
    const ty_err err = ty_der_canonical(again, len, der, der_len);
    ty_wipe(again, sizeof again);
    return err;
}

ty_err ty_ec_decode(ty_ec_key *key, ty_ec_file *file, unsigned *shape, ty_ec_any *room,
                    const uint8_t *der, size_t der_len)
{
    ty_ec_frame f;
    const ty_ec_curve *curve;
    memset(key, 0, sizeof *key);
    memset(file, 0, sizeof *file);
    ty_err err = ty_ec_frame_decode(&f, &file->form, shape, der, der_len);
    file->private_key = file->form != TY_KEY_SPKI;
    if (err == TY_OK) err = find_curve(&curve, room, &f.curve);
    if (err == TY_OK) err = set_key(key, curve, &f, file->private_key);
    if (err == TY_OK) err = check_canonical(key, file, *shape, der, der_len);
    if (err == TY_OK) return TY_OK;
    ty_wipe(key, sizeof *key);
    memset(file, 0, sizeof *file);
    return err;
}
