/* SM2 keys in files. */
#include "tongyu/key.h"
#include "key/file.h"
#include "key/plain.h"

#include <string.h>

_Static_assert(TY_PEM_DER_MAX >= TY_PBES2_MAX && TY_PEM_DER_MAX >= TY_KEY_PLAIN_MAX,
               "every key fits the buffer of PEM");

ty_err ty_key_read(ty_key *key, const void *in, size_t in_len, const void *password,
                   size_t password_len)
{
    return ty_key_read_limited(key, in, in_len, password, password_len, NULL);
}

ty_err ty_key_read_limited(ty_key *key, const void *in, size_t in_len, const void *password,
                           size_t password_len, const ty_key_limits *limits)
{
    ty_key_file f;
    unsigned shape;
    memset(key, 0, sizeof *key);
    ty_err err = ty_key_open(&f, in, in_len, password, password_len, limits);
    if (err == TY_OK)
        err = ty_key_judge(ty_key_decode(key, &shape, f.der, f.der_len), &key->form, &f);
    if (err != TY_OK) ty_wipe(key, sizeof *key);
    else key->coding = f.coding;
    ty_wipe(&f, sizeof f);
    return err;
}

ty_err ty_key_write(void *out, size_t *out_len, const ty_key *key, ty_key_form form,
                    ty_key_coding coding, const void *password, size_t password_len,
                    uint32_t iterations, const ty_rng *rng)
{
    uint8_t der[TY_PEM_DER_MAX];
    const ty_key_lock lock = { password, password_len, iterations, rng };
    const ty_key_form inner = ty_key_inner(form);
    if (inner == ty_key_form_none || coding > TY_KEY_DER ||
        (form != TY_KEY_SPKI && !key->private_key))
        return TY_ERR_ARG;
    const size_t len = ty_key_encode(der, key, inner, ty_key_full_shape(inner));
    const ty_err err = ty_key_close(out, out_len, der, len, form, coding, &lock);
    ty_wipe(der, sizeof der);
    return err;
}
