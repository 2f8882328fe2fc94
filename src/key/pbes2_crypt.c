/* PBES2: derivation of the key from the password, encryption and decryption. */
#include "key/pbes2.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "kdf/scrypt.h"
#include "key/aes.h"
#include "mac/hmac_any.h"
#include "sha2/sha2.h"
#include "sm4/sm4.h"
#include "tongyu/sm4.h"

#include <string.h>

static const struct {
    const char *name;
    size_t key_len;
} ciphers[] = {
    [TY_PBES2_SM4] = { "SM4-CBC", 16 },
    [TY_PBES2_AES128] = { "AES-128-CBC", 16 },
    [TY_PBES2_AES192] = { "AES-192-CBC", 24 },
    [TY_PBES2_AES256] = { "AES-256-CBC", 32 },
};

static const struct {
    const char *name;
    const ty_hash_kind *hash;
} kdfs[] = {
    [TY_PBES2_401_3_1] = { "PBKDF2-HMAC-SM3", &ty_hash_sm3 },
    [TY_PBES2_401_2] = { "PBKDF2-HMAC-SM3", &ty_hash_sm3 },
    [TY_PBES2_SHA1] = { "PBKDF2-HMAC-SHA-1", &ty_hash_sha1 },
    [TY_PBES2_SHA224] = { "PBKDF2-HMAC-SHA-224", &ty_hash_sha224 },
    [TY_PBES2_SHA256] = { "PBKDF2-HMAC-SHA-256", &ty_hash_sha256 },
    [TY_PBES2_SHA384] = { "PBKDF2-HMAC-SHA-384", &ty_hash_sha384 },
    [TY_PBES2_SHA512] = { "PBKDF2-HMAC-SHA-512", &ty_hash_sha512 },
    [TY_PBES2_SHA512_224] = { "PBKDF2-HMAC-SHA-512/224", &ty_hash_sha512_224 },
    [TY_PBES2_SHA512_256] = { "PBKDF2-HMAC-SHA-512/256", &ty_hash_sha512_256 },
    [TY_PBES2_UNNAMED] = { "PBKDF2-HMAC-SHA-1", &ty_hash_sha1 },
    [TY_PBES2_SCRYPT] = { "scrypt", NULL },
};

const char *ty_pbes2_kdf_name(ty_pbes2_kdf kdf) { return kdfs[kdf].name; }
const char *ty_pbes2_cipher_name(ty_pbes2_cipher cipher) { return ciphers[cipher].name; }
size_t ty_pbes2_key_len(ty_pbes2_cipher cipher) { return ciphers[cipher].key_len; }

uint64_t ty_pbes2_cost(const ty_pbes2 *p)
{
    if (p->kdf == TY_PBES2_SCRYPT) {
        const uint64_t blocks = (uint64_t)p->r * p->p;
        return p->n && blocks > UINT64_MAX / p->n ? UINT64_MAX : blocks * p->n;
    }
    const size_t digest = kdfs[p->kdf].hash->len;
    return (uint64_t)p->iterations * ((ciphers[p->cipher].key_len + digest - 1) / digest);
}

/* --- one key, any number of blocks ------------------------------------------------------------ */

static void blocks_encrypt(uint8_t *out, size_t len, ty_pbes2_cipher cipher, const uint8_t *key,
                           const uint8_t *iv)
{
    union {
        ty_sm4_key sm4;
        ty_aes aes;
    } c;
    if (cipher == TY_PBES2_SM4) {
        ty_sm4_init(&c.sm4, key);
        (void)!ty_sm4_cbc_encrypt(out, out, len, iv, &c.sm4);   /* whole blocks: it cannot fail */
    } else {
        ty_aes_init(&c.aes, key, ciphers[cipher].key_len);
        ty_aes_cbc_encrypt(out, out, len, iv, &c.aes);
    }
    ty_wipe(&c, sizeof c);
}

static void blocks_decrypt(uint8_t *out, const uint8_t *in, size_t len, ty_pbes2_cipher cipher,
                           const uint8_t *key, const uint8_t *iv)
{
    union {
        ty_sm4_key sm4;
        ty_aes aes;
    } c;
    if (cipher == TY_PBES2_SM4) {
        ty_sm4_init(&c.sm4, key);
        (void)!ty_sm4_cbc_decrypt(out, in, len, iv, &c.sm4);
    } else {
        ty_aes_init(&c.aes, key, ciphers[cipher].key_len);
        ty_aes_cbc_decrypt(out, in, len, iv, &c.aes);
    }
    ty_wipe(&c, sizeof c);
}

void ty_pbes2_cbc_encrypt(uint8_t *out, size_t *out_len, const uint8_t *in, size_t len,
                          ty_pbes2_cipher cipher, const uint8_t *key,
                          const uint8_t iv[TY_AT_LEAST(16)])
{
    const size_t whole = len / 16 * 16;
    if (len) memcpy(out, in, len);
    ty_sm4_pad_fill(out + whole, len - whole, TY_SM4_PAD_PKCS7);
    *out_len = whole + 16;
    blocks_encrypt(out, *out_len, cipher, key, iv);
}

/* With a wrong password the plaintext is noise; only the fact that its padding is wrong is
 * revealed. */
ty_err ty_pbes2_cbc_decrypt(uint8_t *out, size_t *out_len, const uint8_t *in, size_t len,
                            ty_pbes2_cipher cipher, const uint8_t *key,
                            const uint8_t iv[TY_AT_LEAST(16)])
{
    *out_len = 0;
    if (len == 0 || len % 16) return TY_ERR_FORMAT;
    blocks_decrypt(out, in, len, cipher, key, iv);
    uint32_t pad = ty_sm4_pad_len(out + len - 16, TY_SM4_PAD_PKCS7);
    TY_PUBLIC(&pad, sizeof pad);   /* the length of the key, or the verdict */
    if (pad == 0) {
        ty_wipe(out, len);
        return TY_ERR_VERIFY;
    }
    *out_len = len - pad;
    return TY_OK;
}

/* --- under a password ------------------------------------------------------------------------- */

static ty_err derive(uint8_t key[TY_PBES2_KEY_MAX], const ty_pbes2 *p, const void *password,
                     size_t password_len, void *memory)
{
    const size_t len = ciphers[p->cipher].key_len;
    if (p->kdf == TY_PBES2_SCRYPT)
        return ty_scrypt(key, len, password, password_len, p->salt, p->salt_len, p->n, p->r, p->p,
                         memory);
    const ty_hash_kind *const hash = kdfs[p->kdf].hash;
    if (hash == &ty_hash_sm3)
        return ty_pbkdf2_sm3(key, len, password, password_len, p->salt, p->salt_len, p->iterations);
    if (hash == &ty_hash_sha256)
        return ty_pbkdf2_sha256(key, len, password, password_len, p->salt, p->salt_len,
                                p->iterations);
    return ty_pbkdf2_any(key, len, password, password_len, p->salt, p->salt_len, p->iterations,
                         hash);
}

ty_err ty_pbes2_encrypt(ty_pbes2 *p, const uint8_t *plain, size_t plain_len, const void *password,
                        size_t password_len)
{
    uint8_t key[TY_PBES2_KEY_MAX];
    /* padding adds a byte or more, and the maximum is whole blocks */
    if (plain_len >= TY_PBES2_SECRET_MAX) return TY_ERR_SIZE;
    if (p->kdf == TY_PBES2_SCRYPT) return TY_ERR_ARG;
    const ty_err err = derive(key, p, password, password_len, NULL);
    if (err == TY_OK)
        ty_pbes2_cbc_encrypt(p->secret, &p->secret_len, plain, plain_len, p->cipher, key, p->iv);
    ty_wipe(key, sizeof key);
    ty_wipe_below_8k();
    return err;
}

ty_err ty_pbes2_decrypt(uint8_t plain[TY_AT_LEAST(TY_PBES2_SECRET_MAX)], size_t *plain_len,
                        const ty_pbes2 *p, const void *password, size_t password_len,
                        const ty_key_limits *limits)
{
    uint8_t key[TY_PBES2_KEY_MAX];
    *plain_len = 0;
    if (ty_pbes2_cost(p) > limits->iterations) return TY_ERR_UNSUPPORTED;
    if (p->kdf == TY_PBES2_SCRYPT) {
        const size_t memory = ty_scrypt_memory(p->n, p->r, p->p);
        if (memory == 0) return TY_ERR_FORMAT;   /* no such costs */
        if (!limits->memory || memory > limits->memory_len) return TY_ERR_UNSUPPORTED;
    }
    ty_err err = derive(key, p, password, password_len, limits->memory);
    if (err == TY_OK)
        err =
            ty_pbes2_cbc_decrypt(plain, plain_len, p->secret, p->secret_len, p->cipher, key, p->iv);
    ty_wipe(key, sizeof key);
    ty_wipe_below_8k();
    return err;
}
