/* SM2 keys as plain DER: see key/plain.h. */
#include "key/plain.h"
#include "base/ct.h"

#include <string.h>

/* OBJECT IDENTIFIER 1.2.156.10197.1.301 */
static const uint8_t curve_sm2[] = {
    TY_DER_OID, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d
};

size_t ty_key_encode(uint8_t out[TY_AT_LEAST(TY_KEY_PLAIN_MAX)], const ty_key *key,
                     ty_key_form form, unsigned shape)
{
    ty_ec_frame f;
    f.curve = ty_der_from(curve_sm2, sizeof curve_sm2);
    f.d = ty_der_from(key->sm2.d, 32);
    f.point_len = shape & TY_SHAPE_COMPRESSED ? 33 : 65;
    if (shape & TY_SHAPE_COMPRESSED) ty_sm2_pub_get_compressed(f.point, &key->pub);
    else ty_sm2_pub_get(f.point, &key->pub);
    return ty_ec_frame_encode(out, TY_KEY_PLAIN_MAX, &f, form, shape);
}

static ty_err set_key(ty_key *key, const ty_ec_frame *f)
{
    if (!ty_der_is(&f->curve, curve_sm2, sizeof curve_sm2)) return TY_ERR_UNSUPPORTED;
    key->private_key = key->form != TY_KEY_SPKI;
    if (key->private_key && f->d.len != 32) return TY_ERR_FORMAT;
    if (f->point_len && f->point_len != 33 && f->point_len != 65) return TY_ERR_FORMAT;
    ty_err err = f->point_len ? ty_sm2_pub_set(&key->pub, f->point, f->point_len) : TY_OK;
    if (err != TY_OK || !key->private_key) return err;
    err = ty_sm2_key_set(&key->sm2, f->d.p);
    if (err == TY_OK && !f->point_len) key->pub = key->sm2.pub;
    int match = ty_equal(&key->pub, &key->sm2.pub, sizeof key->pub);
    TY_PUBLIC(&match, sizeof match);   /* both are public keys */
    return err == TY_OK && !match ? TY_ERR_KEY : err;
}

static ty_err check_canonical(const ty_key *key, unsigned shape, const uint8_t *der, size_t der_len)
{
    uint8_t again[TY_KEY_PLAIN_MAX];
    const size_t len = ty_key_encode(again, key, key->form, shape);
    const ty_err err = ty_der_canonical(again, len, der, der_len);
    ty_wipe(again, sizeof again);
    return err;
}

ty_err ty_key_decode(ty_key *key, unsigned *shape, const uint8_t *der, size_t der_len)
{
    ty_ec_frame f;
    memset(key, 0, sizeof *key);
    ty_err err = ty_ec_frame_decode(&f, &key->form, shape, der, der_len);
    if (err == TY_OK) err = set_key(key, &f);
    if (err == TY_OK) err = check_canonical(key, *shape, der, der_len);
    if (err != TY_OK) ty_wipe(key, sizeof *key);
    return err;
}
