#include "key/file.h"
#include "key/der.h"

#include <string.h>

/* DER begins with a SEQUENCE. A text may begin with '0', the same byte, but not with a length that fits. */
static int looks_like_der(const uint8_t *in, size_t len)
{
    return len >= 2 && in[0] == 0x30 && (in[1] >= 0x80 || in[1] + 2u == len);
}

/* EncryptedPrivateKeyInfo by its outermost elements: SEQUENCE { SEQUENCE, OCTET STRING */
static int looks_encrypted(const uint8_t *p, size_t len)
{
    ty_der der = ty_der_from(p, len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    (void)ty_der_enter(&seq, TY_DER_SEQUENCE);
    return ty_der_tag(&seq) == TY_DER_OCTETS;
}

static ty_err decrypt(ty_key_file *f, const void *password, size_t password_len)
{
    ty_pbes2 p;
    ty_err err = ty_pbes2_decode(&p, f->der, f->der_len);
    if (err == TY_OK && !password) err = TY_ERR_ARG;
    if (err != TY_OK) return err;
    f->form = p.prf == TY_PBES2_SHA256 ? TY_KEY_PKCS8_PBES2_SHA256 : TY_KEY_PKCS8_PBES2;
    f->der = f->room;   /* p has the ciphertext */
    return ty_pbes2_decrypt(f->room, &f->der_len, &p, password, password_len);
}

ty_err ty_key_open(ty_key_file *f, const void *in, size_t in_len, const void *password, size_t password_len)
{
    memset(f, 0, sizeof *f);
    if (in_len == 0) return TY_ERR_FORMAT;
    f->der = in;
    f->der_len = in_len;
    f->coding = looks_like_der(in, in_len) ? TY_KEY_DER : TY_KEY_PEM;
    if (f->coding == TY_KEY_PEM) {
        const ty_err err = ty_pem_read(f->room, &f->der_len, &f->label, in, in_len);
        if (err != TY_OK) return err;
        f->der = f->room;
    }
    f->encrypted = looks_encrypted(f->der, f->der_len);
    return f->encrypted ? decrypt(f, password, password_len) : TY_OK;
}

ty_err ty_key_judge(ty_err err, ty_key_form *form, const ty_key_file *f)
{
    if (f->encrypted) {
        if (err == TY_OK && *form != TY_KEY_PKCS8) err = TY_ERR_FORMAT;
        /* One wrong password in 256 leaves padding that looks right, and then this. */
        if (err == TY_ERR_FORMAT) err = TY_ERR_VERIFY;
        *form = f->form;
    }
    if (err == TY_OK && f->coding == TY_KEY_PEM && ty_key_label(*form) != f->label) err = TY_ERR_FORMAT;
    return err;
}

/* --- writing ------------------------------------------------------------------------------------------ */

/* What an encrypted key of so many bytes will look like, but for salt, IV and ciphertext. */
static size_t plan(ty_pbes2 *p, size_t plain_len, ty_key_form form, const ty_key_lock *lock)
{
    uint8_t dry[TY_PBES2_MAX];
    memset(p, 0, sizeof *p);
    p->prf = form == TY_KEY_PKCS8_PBES2_SHA256 ? TY_PBES2_SHA256 : TY_PBES2_401_3_1;
    p->prf_null = 1;
    p->iterations = lock->iterations;
    p->salt_len = TY_PBES2_SALT;
    p->secret_len = plain_len + 16 - plain_len % 16;
    return ty_pbes2_encode(dry, sizeof dry, p);
}

static ty_err encrypt(uint8_t *der, size_t *der_len, ty_pbes2 *p, const ty_key_lock *lock)
{
    const ty_rng *const rng = lock->rng;
    if (rng->fill(rng->ctx, p->salt, p->salt_len) != TY_OK || rng->fill(rng->ctx, p->iv, sizeof p->iv) != TY_OK) return TY_ERR_RNG;
    const ty_err err = ty_pbes2_encrypt(p, der, *der_len, lock->password, lock->password_len);
    if (err != TY_OK) return err;
    ty_wipe(der, *der_len);
    *der_len = ty_pbes2_encode(der, TY_PEM_DER_MAX, p);
    return TY_OK;
}

ty_err ty_key_close(void *out, size_t *out_len, uint8_t der[TY_AT_LEAST(TY_PEM_DER_MAX)], size_t der_len, ty_key_form form,
                    ty_key_coding coding, const ty_key_lock *lock)
{
    const int locked = ty_key_is_locked(form);
    const size_t room = *out_len;
    ty_pbes2 p;
    if (locked && (!lock->password || !lock->rng || lock->iterations == 0 || lock->iterations > TY_PBES2_ITERATIONS_MAX))
        return TY_ERR_ARG;
    const size_t len = locked ? plan(&p, der_len, form, lock) : der_len;
    *out_len = coding == TY_KEY_PEM ? ty_pem_size(ty_key_label(form), len) : len;
    if (room < *out_len) return TY_ERR_SIZE;
    if (locked) {
        const ty_err err = encrypt(der, &der_len, &p, lock);
        if (err != TY_OK) return err;
    }
    if (coding == TY_KEY_PEM) ty_pem_write(out, ty_key_label(form), der, der_len);
    else memcpy(out, der, der_len);
    return TY_OK;
}
