/* Key files: recognising, decrypting and encrypting them, for keys of any algorithm. */
#include "key/file.h"
#include "base/bytes.h"
#include "base/wipe.h"
#include "kdf/scrypt.h"
#include "key/der.h"
#include "key/md5.h"
#include "key/pkcs12.h"

#include <string.h>

_Static_assert(TY_KEY_DECRYPTED_MAX >= TY_PEM_DER_MAX, "what was encrypted fits");

/* DER begins with a SEQUENCE. A text may begin with '0', the same byte, but not with a length that
 * fits: the first byte of a character beyond ASCII is 0xc2 or more. */
static int looks_like_der(const uint8_t *in, size_t len)
{
    return len >= 2 && in[0] == 0x30 &&
           ((in[1] >= 0x80 && in[1] <= 0x80 + sizeof len) || in[1] + 2u == len);
}

/* EncryptedPrivateKeyInfo by its outermost elements: SEQUENCE { SEQUENCE, OCTET STRING */
static int looks_encrypted(const uint8_t *p, size_t len)
{
    ty_der der = ty_der_from(p, len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    (void)ty_der_enter(&seq, TY_DER_SEQUENCE);
    return ty_der_tag(&seq) == TY_DER_OCTETS;
}

static const struct {
    ty_key_form form;
    ty_pbes2_kdf kdf;
    ty_pbes2_cipher cipher;
} locks[] = {
    /* a form is written with its first row */
    { TY_KEY_PKCS8_PBES2, TY_PBES2_401_3_1, TY_PBES2_SM4 },
    { TY_KEY_PKCS8_PBES2, TY_PBES2_401_2, TY_PBES2_SM4 },
    { TY_KEY_PKCS8_PBES2_SHA256, TY_PBES2_SHA256, TY_PBES2_SM4 },
    { TY_KEY_PKCS8_PBES2_AES256, TY_PBES2_SHA256, TY_PBES2_AES256 },
};
enum { LOCKS = sizeof locks / sizeof locks[0] };

static ty_key_form form_of(const ty_pbes2 *p)
{
    for (size_t i = 0; i < LOCKS; i++)
        if (p->kdf == locks[i].kdf && p->cipher == locks[i].cipher) return locks[i].form;
    return TY_KEY_PKCS8_PBES2_OTHER;
}

ty_key_form ty_key_inner(ty_key_form form)
{
    for (size_t i = 0; i < LOCKS; i++)
        if (form == locks[i].form) return TY_KEY_PKCS8;
    return form == TY_KEY_PKCS8 || form == TY_KEY_SEC1 || form == TY_KEY_SPKI ? form
                                                                              : ty_key_form_none;
}

/* The form that pem.c has for the label of this form: labels name neither PRF nor cipher. */
static ty_key_form label_of(ty_key_form form)
{
    if (form == TY_KEY_PKCS8_PBES2_OTHER) return TY_KEY_PKCS8_PBES2;
    return form != TY_KEY_PKCS8 && ty_key_inner(form) == TY_KEY_PKCS8 ? TY_KEY_PKCS8_PBES2 : form;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Removes the coding and finds out whether the file is encrypted and how: the parameters are in *p
 * or, for TY_KEY_SEC1_OPENSSL, in *dek. The label of an encrypted file is checked here. */
static ty_err recognise(ty_key_file *f, ty_pbes2 *p, ty_pem_dek *dek, const uint8_t *in,
                        size_t in_len)
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
        if (f->label == TY_KEY_SEC1_OPENSSL) {
            f->encrypted = 1;
            f->form = f->label;
            return ty_pem_read_dek(dek, in, in_len);
        }
    }
    ty_der key = ty_der_from(f->der, f->der_len);
    const int pkcs12 = ty_pkcs12_seems(f->der, f->der_len);
    f->encrypted = pkcs12 || looks_encrypted(f->der, f->der_len);
    if (!f->encrypted) return TY_OK;
    ty_err err = pkcs12 ? ty_pkcs12_find(&key, f->der, f->der_len) : TY_OK;
    if (err == TY_OK) err = ty_pbes2_decode(p, key.p, key.len);
    f->form = pkcs12 ? TY_KEY_PKCS12 : form_of(p);
    if (err == TY_OK && f->coding == TY_KEY_PEM && label_of(f->form) != f->label)
        err = TY_ERR_FORMAT;
    return err;
}

/* OpenSSL's EVP_BytesToKey: a block of the key is MD5 of the previous block, if there is one, the
 * password, and a salt, which is the first half of the IV. */
static void md5_key(uint8_t key[TY_PBES2_KEY_MAX], const ty_pem_dek *dek, const void *password,
                    size_t password_len)
{
    ty_md5 c;
    for (size_t i = 0; i < TY_PBES2_KEY_MAX; i += 16) {
        ty_md5_init(&c);
        if (i) ty_md5_update(&c, key, 16);
        ty_md5_update(&c, password, password_len);
        ty_md5_update(&c, dek->iv, 8);
        ty_md5_final(key + i, &c);
    }
}

static ty_err decrypt_openssl(ty_key_file *f, const ty_pem_dek *dek, const void *password,
                              size_t password_len)
{
    uint8_t key[TY_PBES2_KEY_MAX], plain[TY_PEM_DER_MAX];
    size_t len;
    md5_key(key, dek, password, password_len);
    const ty_err err =
        ty_pbes2_cbc_decrypt(plain, &len, f->room, f->der_len, dek->cipher, key, dek->iv);
    if (err == TY_OK) {
        memcpy(f->room, plain, len);
        f->der_len = len;
    }
    ty_wipe(key, sizeof key);
    ty_wipe(plain, sizeof plain);
    ty_wipe_below_8k();
    return err;
}

ty_err ty_key_open(ty_key_file *f, const void *in, size_t in_len, const void *password,
                   size_t password_len, const ty_key_limits *limits)
{
    static const ty_key_limits usual = { TY_KEY_ITERATIONS, NULL, 0 };
    ty_pbes2 p;
    ty_pem_dek dek;
    const ty_err err = recognise(f, &p, &dek, in, in_len);
    if (err != TY_OK || !f->encrypted) return err;
    if (!password) return TY_ERR_ARG;
    if (f->form == TY_KEY_SEC1_OPENSSL) return decrypt_openssl(f, &dek, password, password_len);
    f->der = f->room;   /* the ciphertext is in p */
    return ty_pbes2_decrypt(f->room, &f->der_len, &p, password, password_len,
                            limits ? limits : &usual);
}

ty_err ty_key_judge(ty_err err, ty_key_form *form, const ty_key_file *f)
{
    if (f->encrypted) {
        const ty_key_form inner = f->form == TY_KEY_SEC1_OPENSSL ? TY_KEY_SEC1 : TY_KEY_PKCS8;
        if (err == TY_OK && *form != inner) err = TY_ERR_FORMAT;
        /* About one wrong password in 256 gives valid padding, and then this error. */
        if (err == TY_ERR_FORMAT) err = TY_ERR_VERIFY;
        *form = f->form;
    }
    if (err == TY_OK && f->coding == TY_KEY_PEM && label_of(*form) != f->label) err = TY_ERR_FORMAT;
    return err;
}

ty_err ty_key_cost_get(ty_key_cost *cost, const void *in, size_t in_len)
{
    ty_key_file f;
    ty_pbes2 p;
    ty_pem_dek dek;
    memset(cost, 0, sizeof *cost);
    const ty_err err = recognise(&f, &p, &dek, in, in_len);
    if (err == TY_OK && f.encrypted) {
        const int old = f.form == TY_KEY_SEC1_OPENSSL;
        cost->encrypted = 1;
        cost->form = f.form;
        cost->coding = f.coding;
        cost->kdf = old ? "MD5, once" : ty_pbes2_kdf_name(p.kdf);
        cost->cipher = ty_pbes2_cipher_name(old ? dek.cipher : p.cipher);
        cost->iterations = old ? 1 : ty_pbes2_cost(&p);
        if (!old && p.kdf == TY_PBES2_SCRYPT) cost->memory = ty_scrypt_memory(p.n, p.r, p.p);
    }
    ty_wipe(&f, sizeof f);   /* it may hold an unencrypted key */
    return err;
}

/* 1 if the plaintext begins like PrivateKeyInfo or, for TY_KEY_SEC1_OPENSSL, like ECPrivateKey:
 * SEQUENCE { version, and then the tag that distinguishes the two. PEM and encrypted keys do not
 * begin so. */
static int looks_like_key(const ty_key_file *f)
{
    ty_der der = ty_der_from(f->der, f->der_len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    const uint32_t version = ty_der_u32(&seq);
    return ty_der_done(&der) && version <= 1 &&
           ty_der_tag(&seq) == (f->form == TY_KEY_SEC1_OPENSSL ? TY_DER_OCTETS : TY_DER_SEQUENCE);
}

ty_err ty_key_decrypt(void *out, size_t *out_len, const void *in, size_t in_len,
                      const void *password, size_t password_len, const ty_key_limits *limits)
{
    ty_key_file f;
    ty_err err = ty_key_open(&f, in, in_len, password, password_len, limits);
    if (err == TY_OK && !f.encrypted) err = TY_ERR_ARG;
    if (err == TY_OK && !looks_like_key(&f)) err = TY_ERR_VERIFY;
    if (err == TY_OK) {
        const size_t room = *out_len;
        *out_len = f.der_len;
        if (room < f.der_len) err = TY_ERR_SIZE;
        else memcpy(out, f.der, f.der_len);
    }
    ty_wipe(&f, sizeof f);
    return err;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Sets all parameters of an encrypted key of plain_len bytes except salt, IV and ciphertext;
 * returns the length of its DER. */
static size_t plan(ty_pbes2 *p, size_t plain_len, ty_key_form form, const ty_key_lock *lock)
{
    uint8_t dry[TY_PBES2_MAX];
    memset(p, 0, sizeof *p);
    size_t i = 0;
    while (locks[i].form != form) i++;
    p->kdf = locks[i].kdf;
    p->cipher = locks[i].cipher;
    p->prf_null = 1;
    p->iterations = lock->iterations;
    p->salt_len = TY_PBES2_SALT;
    p->secret_len = plain_len + 16 - plain_len % 16;
    return ty_pbes2_encode(dry, sizeof dry, p);
}

static ty_err encrypt(uint8_t *der, size_t *der_len, ty_pbes2 *p, const ty_key_lock *lock)
{
    const ty_rng *const rng = lock->rng;
    if (rng->fill(rng->ctx, p->salt, p->salt_len) != TY_OK ||
        rng->fill(rng->ctx, p->iv, sizeof p->iv) != TY_OK)
        return TY_ERR_RNG;
    const ty_err err = ty_pbes2_encrypt(p, der, *der_len, lock->password, lock->password_len);
    if (err != TY_OK) return err;
    ty_wipe(der, *der_len);
    *der_len = ty_pbes2_encode(der, TY_PEM_DER_MAX, p);
    return TY_OK;
}

ty_err ty_key_close(void *out, size_t *out_len, uint8_t der[TY_AT_LEAST(TY_PEM_DER_MAX)],
                    size_t der_len, ty_key_form form, ty_key_coding coding, const ty_key_lock *lock)
{
    const int locked = ty_key_inner(form) != form;
    const size_t room = *out_len;
    ty_pbes2 p;
    if (locked && (!lock->password || !lock->rng || lock->iterations == 0 ||
                   lock->iterations > TY_KEY_ITERATIONS))
        return TY_ERR_ARG;
    const size_t len = locked ? plan(&p, der_len, form, lock) : der_len;
    *out_len = coding == TY_KEY_PEM ? ty_pem_size(label_of(form), len) : len;
    if (room < *out_len) return TY_ERR_SIZE;
    if (locked) {
        const ty_err err = encrypt(der, &der_len, &p, lock);
        if (err != TY_OK) return err;
    }
    if (coding == TY_KEY_PEM) ty_pem_write(out, label_of(form), der, der_len);
    else memcpy(out, der, der_len);
    return TY_OK;
}
