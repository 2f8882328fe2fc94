/* Private keys in PEM and DER, passwords, sealed files: with the scalar, the base64 that holds it,
 * the password and the plaintext poisoned, only lengths, the parts of an encoding that all keys
 * share, and verdicts may influence branches and addresses. */
#include "base/ct.h"
#include "tongyu/box.h"
#include "tongyu/ec_key.h"
#include "tongyu/key.h"
#include "tongyu/mldsa_key.h"
#include "tongyu/sm4.h"

#include "key/foreign.h"

#include <stdio.h>
#include <string.h>

static int bad;

static void check(int good, const char *what)
{
    if (good) return;
    bad++;
    printf("%s: wrong result\n", what);
}

/* Deterministic bytes in place of random ones */
static ty_err fill(void *ctx, uint8_t *out, size_t len)
{
    uint8_t *state = ctx;
    for (size_t i = 0; i < len; i++) out[i] = (uint8_t)(*state = (uint8_t)(*state * 5 + 17));
    return TY_OK;
}

static uint8_t state = 1;
static const ty_rng rng = { fill, &state };
static uint8_t d[32];
static const char password[] = "open sesame";
static char secret_password[sizeof password];

static void poison(void)
{
    for (size_t i = 0; i < 32; i++) d[i] = (uint8_t)(i * 11 + 3);
    memcpy(secret_password, password, sizeof password);
    TY_SECRET(d, sizeof d);
    TY_SECRET(secret_password, sizeof secret_password);
}

/* Poisons the secret parts of an encoding: the body of a PEM text, the scalar in a DER key. */
static void poison_written(uint8_t *p, size_t len, ty_key_coding coding, size_t scalar_at,
                           size_t scalar_len)
{
    TY_PUBLIC(p, len);
    if (coding == TY_KEY_DER) {
        if (scalar_at) TY_SECRET(p + scalar_at, scalar_len);
        return;
    }
    for (size_t i = 0, body = 0; i < len; i++) {
        if (p[i] == '\n') body = p[i + 1 < len ? i + 1 : i] != '-';
        else if (body) TY_SECRET(p + i, 1);
    }
}

static void one(const ty_key *key, ty_key_form form, ty_key_coding coding, size_t scalar_at)
{
    uint8_t out[TY_KEY_ENCODED_MAX];
    ty_key back;
    size_t n = sizeof out;
    ty_err err =
        ty_key_write(out, &n, key, form, coding, secret_password, sizeof password - 1, 3, &rng);
    check(err == TY_OK, "write");
    const int encrypted = form != TY_KEY_PKCS8 && form != TY_KEY_SEC1;
    if (encrypted) TY_PUBLIC(out, n);   /* a ciphertext is public */
    else poison_written(out, n, coding, scalar_at, 32);
    err = ty_key_read(&back, out, n, secret_password, sizeof password - 1);
    check(err == TY_OK, "read");
    TY_PUBLIC(&back, sizeof back);
    ty_key want = *key;
    TY_PUBLIC(&want, sizeof want);
    check(memcmp(&back.sm2, &want.sm2, sizeof back.sm2) == 0, "read gives what was written");
    if (!encrypted) return;
    secret_password[0] ^= 1;
    err = ty_key_read(&back, out, n, secret_password, sizeof password - 1);
    check(err == TY_ERR_VERIFY, "wrong password");
    secret_password[0] ^= 1;
}

/* An ML-DSA key, its seed and its expanded form: both are secret in a file, except rho, with which
 * the latter begins. */
static void lattice(ty_mldsa_content content, ty_key_form form, ty_key_coding coding)
{
    static ty_mldsa_key key, back;
    static uint8_t out[TY_MLDSA_ENCODED_MAX];
    ty_mldsa_file file;
    size_t n = sizeof out;
    check(ty_mldsa_key_from_seed(&key, d, TY_MLDSA_44) == TY_OK, "lattice key");
    ty_err err = ty_mldsa_key_write(out, &n, &key, content, form, coding, secret_password,
                                    sizeof password - 1, 3, &rng);
    check(err == TY_OK, "lattice write");
    const int encrypted = form != TY_KEY_PKCS8;
    if (encrypted) TY_PUBLIC(out, n);
    else
        poison_written(out, n, coding,
                       coding == TY_KEY_DER && content == TY_MLDSA_SEED ? n - 32 : 0, 32);
    err = ty_mldsa_key_read(&back, &file, out, n, secret_password, sizeof password - 1);
    check(err == TY_OK, "lattice read");
    TY_PUBLIC(&back, sizeof back);
    TY_PUBLIC(&key, sizeof key);
    check(memcmp(back.bytes, key.bytes, sizeof key.bytes) == 0,
          "lattice: read gives what was written");
}

static void lattices(void)
{
    lattice(TY_MLDSA_SEED, TY_KEY_PKCS8, TY_KEY_DER);
    lattice(TY_MLDSA_BOTH, TY_KEY_PKCS8, TY_KEY_PEM);
    lattice(TY_MLDSA_EXPANDED, TY_KEY_PKCS8, TY_KEY_PEM);
    lattice(TY_MLDSA_BOTH, TY_KEY_PKCS8_PBES2, TY_KEY_DER);
}

/* A key on a binary curve; scalar_at is the offset of the scalar in DER. */
static void binary_curve(const ty_ec_key *key, ty_key_form form, ty_key_coding coding,
                         size_t scalar_at)
{
    uint8_t out[TY_EC_ENCODED_MAX];
    ty_ec_key back, want = *key;
    ty_ec_file file;
    size_t n = sizeof out;
    ty_err err =
        ty_ec_key_write(out, &n, key, form, coding, secret_password, sizeof password - 1, 3, &rng);
    check(err == TY_OK, "binary write");
    if (form == TY_KEY_PKCS8_PBES2) TY_PUBLIC(out, n);
    else poison_written(out, n, coding, scalar_at, 30);
    err = ty_ec_key_read(&back, &file, NULL, out, n, secret_password, sizeof password - 1);
    check(err == TY_OK, "binary read");
    TY_PUBLIC(&back, sizeof back);
    TY_PUBLIC(&want, sizeof want);
    check(memcmp(back.d, want.d, sizeof want.d) == 0, "binary: read gives what was written");
}

static void binary_curves(void)
{
    ty_ec_key key;
    uint8_t scalar[30];
    memcpy(scalar, d, sizeof scalar);   /* its top byte is 3, and n has 233 bits */
    scalar[0] = 0;
    TY_SECRET(scalar, 1);
    const ty_err err = ty_ec_key_set(&key, ty_ec_curve_named("sect233r1"), scalar, sizeof scalar);
    check(err == TY_OK, "binary key");
    binary_curve(&key, TY_KEY_PKCS8, TY_KEY_DER, 36);
    binary_curve(&key, TY_KEY_PKCS8, TY_KEY_PEM, 0);
    binary_curve(&key, TY_KEY_SEC1, TY_KEY_DER, 8);
    binary_curve(&key, TY_KEY_PKCS8_PBES2, TY_KEY_PEM, 0);
    puts("binary curves: the scalar, its base64 and the password stayed out of branches and "
         "addresses");
}

static void keys(void)
{
    ty_key key;
    memset(&key, 0, sizeof key);
    key.private_key = 1;
    const ty_err err = ty_sm2_key_set(&key.sm2, d);
    check(err == TY_OK, "key");
    key.pub = key.sm2.pub;
    one(&key, TY_KEY_PKCS8, TY_KEY_DER, 36);
    one(&key, TY_KEY_PKCS8, TY_KEY_PEM, 0);
    one(&key, TY_KEY_SEC1, TY_KEY_DER, 7);
    one(&key, TY_KEY_SEC1, TY_KEY_PEM, 0);
    one(&key, TY_KEY_PKCS8_PBES2, TY_KEY_DER, 0);
    one(&key, TY_KEY_PKCS8_PBES2, TY_KEY_PEM, 0);
    one(&key, TY_KEY_PKCS8_PBES2_SHA256, TY_KEY_DER, 0);
    one(&key, TY_KEY_PKCS8_PBES2_SHA256, TY_KEY_PEM, 0);
    one(&key, TY_KEY_PKCS8_PBES2_AES256, TY_KEY_DER, 0);
    one(&key, TY_KEY_PKCS8_PBES2_AES256, TY_KEY_PEM, 0);
    puts("keys: the scalar, its base64 and the password stayed out of branches and addresses");
}

/* Reads keys that other programs wrote, from the fixtures, with a poisoned password: values derived
 * from it by MD5, scrypt or the other HMACs must influence no branch and no address on their way to
 * the key, except the addresses in scrypt. */
static void foreign(const char *pem)
{
    static uint64_t memory[16 << 10];
    const ty_key_limits limits = { 1 << 20, memory, sizeof memory };
    char secret[] = "secret";
    ty_key key;
    TY_SECRET(secret, 6);
    ty_err err = ty_key_read_limited(&key, pem, strlen(pem), secret, 6, &limits);
    check(err == TY_OK, "a key from elsewhere");
    secret[0] ^= 1;
    err = ty_key_read_limited(&key, pem, strlen(pem), secret, 6, &limits);
    check(err == TY_ERR_VERIFY, "a key from elsewhere, wrong password");
}

/* The recipient's key and the enveloped key are secret. The SM2 ciphertext in the envelope is made
 * here; the envelope is public. */
static void enveloped(void)
{
    static const uint8_t head[] = { 0x30, 0x0a, 0x06, 0x08, 0x2a, 0x81,
                                    0x1c, 0xcf, 0x55, 0x01, 0x68, 0x01 };
    uint8_t wrap[16], c[16 + TY_SM2_OVERHEAD], file[300], *p = file + 3;
    ty_sm2_key recipient;
    ty_sm4_key cipher;
    ty_key key;
    size_t n = 200;
    ty_err err = ty_sm2_key_set(&recipient, d);
    check(err == TY_OK, "recipient");
    memcpy(wrap, d, sizeof wrap);
    err = ty_sm2_encrypt(c, wrap, sizeof wrap, TY_SM2_C1C3C2, &recipient.pub, &rng);
    check(err == TY_OK, "envelope");
    TY_PUBLIC(c, sizeof c);
    memcpy(p, head, sizeof head);
    p += sizeof head;
    err = ty_sm2_ct_to_der(p, &n, c, sizeof c);
    check(err == TY_OK, "envelope's cipher");
    p += n;
    memcpy(p, "\3\102", 3);
    ty_sm2_pub_get(p + 3, &recipient.pub);   /* the key in the envelope is the recipient's own */
    memcpy(p + 68, "\3\41", 3);
    ty_sm4_init(&cipher, wrap);
    err = ty_sm4_ecb_encrypt(p + 71, d, 32, &cipher);
    check(err == TY_OK, "envelope's key");
    p += 103;
    file[0] = 0x30;
    file[1] = 0x81;
    file[2] = (uint8_t)(p - file - 3);
    TY_PUBLIC(file, sizeof file);
    err = ty_key_from_enveloped(&key, file, (size_t)(p - file), &recipient);
    check(err == TY_OK, "enveloped key");
    p[-1] ^= 1;
    err = ty_key_from_enveloped(&key, file, (size_t)(p - file), &recipient);
    check(err == TY_ERR_VERIFY, "damaged enveloped key");
    puts("enveloped keys: the one that opens and the one inside stayed out of branches and "
         "addresses");
}

static void foreign_keys(void)
{
    foreign(encrypted_aes192);
    foreign(encrypted_sha1);
    foreign(encrypted_scrypt);
    foreign(legacy_aes256);
    puts("keys from elsewhere: the password and what was derived from it, except the addresses of "
         "scrypt, stayed out as well");
}

static void chunk(ty_box *seal, ty_box *open)
{
    uint8_t plain[100], sealed[100 + TY_BOX_TAG];
    memset(plain, 7, sizeof plain);
    TY_SECRET(plain, sizeof plain);
    ty_err err = ty_box_seal(seal, sealed, plain, sizeof plain, 1);
    check(err == TY_OK, "seal");
    TY_PUBLIC(sealed, sizeof sealed);   /* it goes into the file */
    err = ty_box_open(open, plain, sealed, sizeof sealed, 1);
    check(err == TY_OK, "open");
}

static void boxes(void)
{
    ty_box seal, open;
    ty_sm2_key key;
    uint8_t header[TY_BOX_HEADER_MAX];
    size_t n = sizeof header;
    ty_err err =
        ty_box_seal_password(&seal, header, &n, secret_password, sizeof password - 1, 3, &rng);
    check(err == TY_OK, "seal for a password");
    TY_PUBLIC(header, n);   /* it goes into the file */
    err = ty_box_open_password(&open, header, n, secret_password, sizeof password - 1, 3);
    check(err == TY_OK, "open with the password");
    chunk(&seal, &open);

    err = ty_sm2_key_set(&key, d);
    check(err == TY_OK, "key");
    n = sizeof header;
    err = ty_box_seal_pub(&seal, header, &n, &key.pub, 1, &rng);
    check(err == TY_OK, "seal for a public key");
    TY_PUBLIC(header, n);
    err = ty_box_open_key(&open, header, n, &key);
    check(err == TY_OK, "open with the key");
    chunk(&seal, &open);
    puts("sealed files: passwords, file keys and plaintext stayed out of branches and addresses");
}

int main(void)
{
    poison();
    keys();
    foreign_keys();
    enveloped();
    binary_curves();
    lattices();
    boxes();
    return bad != 0;
}
