/* ML-DSA keys in files. */
#include "tongyu/mldsa_key.h"
#include "key/file.h"
#include "key/mldsa_plain.h"

#include <string.h>

_Static_assert(TY_PBES2_SECRET_MAX > TY_MLDSA_PLAIN_MAX && TY_PEM_DER_MAX >= TY_PBES2_MAX,
               "every key fits, encrypted too");

ty_err ty_mldsa_key_read(ty_mldsa_key *key, ty_mldsa_file *file, const void *in, size_t in_len,
                         const void *password, size_t password_len)
{
    return ty_mldsa_key_read_limited(key, file, in, in_len, password, password_len, NULL);
}

ty_err ty_mldsa_key_read_limited(ty_mldsa_key *key, ty_mldsa_file *file, const void *in,
                                 size_t in_len, const void *password, size_t password_len,
                                 const ty_key_limits *limits)
{
    ty_key_file f;
    memset(key, 0, sizeof *key);
    memset(file, 0, sizeof *file);
    ty_err err = ty_key_open(&f, in, in_len, password, password_len, limits);
    if (err == TY_OK)
        err = ty_key_judge(ty_mldsa_decode(key, file, f.der, f.der_len), &file->form, &f);
    file->coding = f.coding;
    if (err != TY_OK) {
        ty_wipe(key, sizeof *key);
        memset(file, 0, sizeof *file);
    }
    ty_wipe(&f, sizeof f);
    return err;
}

ty_err ty_mldsa_key_write(void *out, size_t *out_len, const ty_mldsa_key *key,
                          ty_mldsa_content content, ty_key_form form, ty_key_coding coding,
                          const void *password, size_t password_len, uint32_t iterations,
                          const ty_rng *rng)
{
    uint8_t der[TY_PEM_DER_MAX];
    const ty_key_lock lock = { password, password_len, iterations, rng };
    if (ty_key_inner(form) != TY_KEY_PKCS8 || coding > TY_KEY_DER || content > TY_MLDSA_BOTH)
        return TY_ERR_ARG;
    if (!ty_mldsa_key_len(key->pub.set) || (content != TY_MLDSA_EXPANDED && !key->has_seed))
        return TY_ERR_ARG;
    const ty_err err =
        ty_key_close(out, out_len, der, ty_mldsa_encode(der, key, content), form, coding, &lock);
    ty_wipe(der, sizeof der);
    return err;
}

ty_err ty_mldsa_pub_write(void *out, size_t *out_len, const ty_mldsa_pub *pub, ty_key_coding coding)
{
    uint8_t der[TY_PEM_DER_MAX];
    if (!ty_mldsa_pub_len(pub->set) || coding > TY_KEY_DER) return TY_ERR_ARG;
    return ty_key_close(out, out_len, der, ty_mldsa_pub_encode(der, pub), TY_KEY_SPKI, coding,
                        NULL);
}
