#include "tongyu/key.h"
#include "key/pbes2.h"
#include "key/pem.h"
#include "key/plain.h"

#include <string.h>

_Static_assert(TY_PEM_DER_MAX >= TY_PBES2_MAX && TY_PEM_DER_MAX >= TY_KEY_PLAIN_MAX, "every key fits the buffer of PEM");

static int is_encrypted(ty_key_form form) { return form == TY_KEY_PKCS8_PBES2 || form == TY_KEY_PKCS8_PBES2_SHA256; }

/* What PEM knows of a form: the label does not say which PRF is inside. */
static ty_key_form labelled(ty_key_form form) { return is_encrypted(form) ? TY_KEY_PKCS8_PBES2 : form; }

/* DER begins with a SEQUENCE. A text may begin with '0', the same byte, but not with a length that fits. */
static int looks_like_der(const uint8_t *in, size_t len)
{
    return len >= 2 && in[0] == 0x30 && (in[1] >= 0x80 || in[1] + 2u == len);
}

static ty_err read_encrypted(ty_key *key, const uint8_t *der, size_t der_len, const void *password, size_t password_len)
{
    uint8_t plain[TY_PBES2_SECRET_MAX];
    size_t plain_len;
    unsigned shape;
    ty_pbes2 p;
    ty_err err = ty_pbes2_decode(&p, der, der_len);
    if (err == TY_OK && !password) err = TY_ERR_ARG;
    if (err != TY_OK) return err;
    err = ty_pbes2_decrypt(plain, &plain_len, &p, password, password_len);
    if (err == TY_OK) {
        err = ty_key_decode(key, &shape, plain, plain_len);
        if (err == TY_OK && key->form != TY_KEY_PKCS8) err = TY_ERR_FORMAT;
        /* One wrong password in 256 leaves padding that looks right, and then this. */
        if (err == TY_ERR_FORMAT) err = TY_ERR_VERIFY;
    }
    ty_wipe(plain, sizeof plain);
    if (err == TY_OK) key->form = p.prf == TY_PBES2_SHA256 ? TY_KEY_PKCS8_PBES2_SHA256 : TY_KEY_PKCS8_PBES2;
    return err;
}

static ty_err read_der(ty_key *key, const uint8_t *der, size_t der_len, const void *password, size_t password_len)
{
    unsigned shape;
    if (ty_key_is_encrypted(der, der_len)) return read_encrypted(key, der, der_len, password, password_len);
    return ty_key_decode(key, &shape, der, der_len);
}

static ty_err read_pem(ty_key *key, const uint8_t *text, size_t text_len, const void *password, size_t password_len)
{
    uint8_t der[TY_PEM_DER_MAX];
    size_t der_len = 0;
    ty_key_form form = TY_KEY_PKCS8;
    ty_err err = ty_pem_read(der, &der_len, &form, text, text_len);
    if (err == TY_OK) err = read_der(key, der, der_len, password, password_len);
    if (err == TY_OK && labelled(key->form) != form) err = TY_ERR_FORMAT;   /* the label says otherwise */
    ty_wipe(der, sizeof der);
    return err;
}

ty_err ty_key_read(ty_key *key, const void *in, size_t in_len, const void *password, size_t password_len)
{
    memset(key, 0, sizeof *key);
    if (in_len == 0) return TY_ERR_FORMAT;
    const int der = looks_like_der(in, in_len);
    const ty_err err = (der ? read_der : read_pem)(key, in, in_len, password, password_len);
    if (err != TY_OK) ty_wipe(key, sizeof *key);
    else key->coding = der ? TY_KEY_DER : TY_KEY_PEM;
    return err;
}

/* The key as DER; in one of the encrypted forms only once there is room at out, since it takes a while and randomness. */
static ty_err encode(uint8_t der[TY_PEM_DER_MAX], size_t *der_len, const ty_key *key, ty_key_form form, ty_key_coding coding,
                     size_t *out_len, const void *password, size_t password_len, uint32_t iterations, const ty_rng *rng)
{
    const ty_key_form inner = is_encrypted(form) ? TY_KEY_PKCS8 : form;
    ty_pbes2 p;
    memset(&p, 0, sizeof p);
    *der_len = ty_key_encode(der, key, inner, ty_key_full_shape(inner));
    const size_t plain_len = *der_len, room = *out_len;
    if (is_encrypted(form)) {
        p.prf = form == TY_KEY_PKCS8_PBES2_SHA256 ? TY_PBES2_SHA256 : TY_PBES2_401_3_1;
        p.prf_null = 1;
        p.iterations = iterations;
        p.salt_len = TY_PBES2_SALT;
        p.secret_len = plain_len + 16 - plain_len % 16;
        uint8_t dry[TY_PBES2_MAX];
        *der_len = ty_pbes2_encode(dry, sizeof dry, &p);
    }
    *out_len = coding == TY_KEY_PEM ? ty_pem_size(labelled(form), *der_len) : *der_len;
    if (room < *out_len) return TY_ERR_SIZE;
    if (!is_encrypted(form)) return TY_OK;

    if (rng->fill(rng->ctx, p.salt, p.salt_len) != TY_OK || rng->fill(rng->ctx, p.iv, sizeof p.iv) != TY_OK) return TY_ERR_RNG;
    const ty_err err = ty_pbes2_encrypt(&p, der, plain_len, password, password_len);
    if (err != TY_OK) return err;
    ty_wipe(der, plain_len);
    *der_len = ty_pbes2_encode(der, TY_PEM_DER_MAX, &p);
    return TY_OK;
}

ty_err ty_key_write(void *out, size_t *out_len, const ty_key *key, ty_key_form form, ty_key_coding coding,
                    const void *password, size_t password_len, uint32_t iterations, const ty_rng *rng)
{
    uint8_t der[TY_PEM_DER_MAX];
    size_t der_len = 0;
    if (form > TY_KEY_SPKI || coding > TY_KEY_DER || (form != TY_KEY_SPKI && !key->private_key)) return TY_ERR_ARG;
    if (is_encrypted(form) && (!password || !rng || iterations == 0 || iterations > TY_PBES2_ITERATIONS_MAX))
        return TY_ERR_ARG;
    const ty_err err = encode(der, &der_len, key, form, coding, out_len, password, password_len, iterations, rng);
    if (err == TY_OK) {
        if (coding == TY_KEY_PEM) ty_pem_write(out, labelled(form), der, der_len);
        else memcpy(out, der, der_len);
    }
    ty_wipe(der, sizeof der);
    return err;
}
