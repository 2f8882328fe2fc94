/* Keys on binary curves in files, and ECDSA signatures in DER. */
#include "tongyu/ec_key.h"
#include "base/ct.h"
#include "ec/ec_binary.h"
#include "key/ec_plain.h"
#include "key/file.h"

#include <string.h>

/* LOCKED: bytes of an encrypted key, with padding, salt, IV and algorithm identifiers. CHARS: its
 * base64, without the newline after every 64 characters. */
enum { LOCKED = TY_EC_PLAIN_ONCE + 16 + 192, CHARS = (LOCKED + 2) / 3 * 4 };
_Static_assert(TY_PEM_DER_MAX >= TY_EC_PLAIN_MAX && TY_PBES2_SECRET_MAX > TY_EC_PLAIN_ONCE &&
               TY_EC_ENCODED_MAX >= CHARS + CHARS / 64 + 1 + 74, "every key fits, encrypted too");

ty_err ty_ec_key_read(ty_ec_key *key, ty_ec_file *file, ty_ec_any *room, const void *in,
                      size_t in_len, const void *password, size_t password_len)
{
    return ty_ec_key_read_limited(key, file, room, in, in_len, password, password_len, NULL);
}

ty_err ty_ec_key_read_limited(ty_ec_key *key, ty_ec_file *file, ty_ec_any *room, const void *in,
                              size_t in_len, const void *password, size_t password_len,
                              const ty_key_limits *limits)
{
    ty_key_file f;
    unsigned shape;
    memset(key, 0, sizeof *key);
    memset(file, 0, sizeof *file);
    const int empty = room && !ty_ec_curve_name(ty_ec_any_curve(room));
    ty_err err = ty_key_open(&f, in, in_len, password, password_len, limits);
    if (err == TY_OK)
        err =
            ty_key_judge(ty_ec_decode(key, file, &shape, room, f.der, f.der_len), &file->form, &f);
    file->coding = f.coding;
    if (err != TY_OK) {
        ty_wipe(key, sizeof *key);
        memset(file, 0, sizeof *file);
        if (empty) memset(room, 0, sizeof *room);
    }
    ty_wipe(&f, sizeof f);
    return err;
}

ty_err ty_ec_key_write(void *out, size_t *out_len, const ty_ec_key *key, ty_key_form form,
                       ty_key_coding coding, const void *password, size_t password_len,
                       uint32_t iterations, const ty_rng *rng)
{
    uint8_t der[TY_PEM_DER_MAX];
    const ty_key_lock lock = { password, password_len, iterations, rng };
    const ty_key_form inner = ty_key_inner(form);
    if (inner == ty_key_form_none || form == TY_KEY_SPKI || coding > TY_KEY_DER || !key->pub.curve)
        return TY_ERR_ARG;
    uint32_t whole = ty_ec_scalar_ok(key->d, key->pub.curve);
    TY_PUBLIC(&whole, sizeof whole);   /* that there is a private key */
    if (!whole) return TY_ERR_ARG;
    const size_t len = ty_ec_encode(der, &key->pub, key->d, inner, ty_key_full_shape(inner));
    const ty_err err = ty_key_close(out, out_len, der, len, form, coding, &lock);
    ty_wipe(der, sizeof der);
    return err;
}

ty_err ty_ec_pub_write(void *out, size_t *out_len, const ty_ec_pub *pub, ty_key_coding coding,
                       int compressed)
{
    uint8_t der[TY_PEM_DER_MAX];
    if (coding > TY_KEY_DER || !pub->curve) return TY_ERR_ARG;
    const size_t len =
        ty_ec_encode(der, pub, NULL, TY_KEY_SPKI, compressed ? TY_SHAPE_COMPRESSED : 0);
    return ty_key_close(out, out_len, der, len, TY_KEY_SPKI, coding, NULL);
}

/* --- signatures: all of it is public ---------------------------------------------------------- */

void ty_ecdsa_sig_to_der(uint8_t *out, size_t *out_len, const uint8_t *sig,
                         const ty_ec_curve *curve)
{
    const size_t len = ty_ec_order_len(curve);
    uint8_t b[TY_ECDSA_DER_MAX];   /* 4 + 2 (3 + 1 + 128) */
    ty_der_out o = ty_der_to(b, sizeof b);
    ty_der_put_uint(&o, sig + len, len);
    ty_der_put_uint(&o, sig, len);
    ty_der_wrap(&o, TY_DER_SEQUENCE, b + sizeof b);
    *out_len = (size_t)(b + sizeof b - o.p);
    memcpy(out, o.p, *out_len);
}

ty_err ty_ecdsa_sig_from_der(uint8_t *sig, const uint8_t *in, size_t in_len,
                             const ty_ec_curve *curve)
{
    const size_t len = ty_ec_order_len(curve);
    uint8_t rs[2 * TY_EC_MAX];
    ty_der der = ty_der_from(in, in_len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    ty_der_uint(rs, len, &seq);
    ty_der_uint(rs + len, len, &seq);
    if (!ty_der_done(&seq) || !ty_der_done(&der) || !ty_ec_scalar_ok(rs, curve) ||
        !ty_ec_scalar_ok(rs + len, curve))
        return TY_ERR_FORMAT;
    memcpy(sig, rs, 2 * len);
    return TY_OK;
}
