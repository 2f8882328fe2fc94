/* Keys on elliptic curves as DER that is not encrypted: the frame, which is PrivateKeyInfo,
 * ECPrivateKey or SubjectPublicKeyInfo, and the same for every curve. Constant time in the private
 * scalar. */
#ifndef TY_KEY_EC_FRAME_H
#define TY_KEY_EC_FRAME_H

#include "key/der.h"
#include "tongyu/ec.h"
#include "tongyu/key.h"

/* The standards leave choices: an ECPrivateKey may name its curve and may hold the public key, and
 * a point may be compressed. These flags record the choices of a key that was read;
 * ty_key_full_shape of a form has those that we write. */
enum {
    TY_SHAPE_CURVE = 1,       /* ECPrivateKey has [0] parameters; always in SEC1 */
    TY_SHAPE_POINT = 2,       /* ECPrivateKey has [1] publicKey */
    /* the point, there or in SubjectPublicKeyInfo, begins with 02 or 03 */
    TY_SHAPE_COMPRESSED = 4
};

static inline unsigned ty_key_full_shape(ty_key_form form)
{
    return form == TY_KEY_SEC1   ? TY_SHAPE_CURVE | TY_SHAPE_POINT
           : form == TY_KEY_SPKI ? 0
                                 : TY_SHAPE_POINT;
}

/* The contents of the frame */
typedef struct ty_ec_frame {
    /* the parameters, with their tag: an object identifier, or an explicit curve */
    ty_der curve;
    ty_der d;                 /* the scalar's bytes, of a private key */
    size_t point_len;         /* 0: no point */
    uint8_t point[1 + 2 * TY_EC_MAX];
} ty_ec_frame;

/* out[0..result) = DER in one of the three forms that are not encrypted; 0: no room. */
size_t ty_ec_frame_encode(uint8_t *out, size_t room, const ty_ec_frame *f, ty_key_form form,
                          unsigned shape);

/* Reads a key in any of the three forms. f points into der. The caller has to check that curve,
 * scalar and point are valid, and that encoding them again gives der.
 *   err    TY_ERR_FORMAT, TY_ERR_UNSUPPORTED */
TY_MUST_CHECK ty_err ty_ec_frame_decode(ty_ec_frame *f, ty_key_form *form, unsigned *shape,
                                        const uint8_t *der, size_t der_len);

#endif
