#include "key/pbes2.h"
#include "base/bytes.h"
#include "key/der.h"
#include "sha2/sha2.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"

#include <string.h>

typedef struct oid {
    uint8_t len, bytes[11];
} oid;

static const oid pbes2 = { 9, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d } };     /* 1.2.840.113549.1.5.13 */
static const oid pbkdf2 = { 9, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c } };    /* 1.2.840.113549.1.5.12 */
static const oid sm4_cbc = { 8, { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x68, 0x02 } };         /* 1.2.156.10197.1.104.2 */
static const oid prfs[] = {
    [TY_PBES2_401_3_1] = { 10, { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x83, 0x11, 0x03, 0x01 } },
    [TY_PBES2_401_2] = { 9, { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x83, 0x11, 0x02 } },
    [TY_PBES2_SHA256] = { 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x09 } },            /* 1.2.840.113549.2.9 */
};
static const uint8_t null_der[] = { TY_DER_NULL, 0 };

/* --- DER ---------------------------------------------------------------------------------------------- */

static void put_element(ty_der_out *o, uint8_t tag, const uint8_t *bytes, size_t len)
{
    const uint8_t *end = o->p;
    ty_der_put(o, bytes, len);
    ty_der_wrap(o, tag, end);
}

static void put_oid(ty_der_out *o, const oid *id) { put_element(o, TY_DER_OID, id->bytes, id->len); }

/* PBKDF2-params { salt, iterationCount, keyLength OPTIONAL, prf } as an AlgorithmIdentifier    [RFC 8018, A.2] */
static void put_kdf(ty_der_out *o, const ty_pbes2 *p)
{
    static const uint8_t key_length = 16;
    uint8_t count[4];
    const uint8_t *end = o->p;
    if (p->prf_null) ty_der_put(o, null_der, sizeof null_der);
    put_oid(o, &prfs[p->prf]);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
    if (p->names_length) ty_der_put_uint(o, &key_length, 1);
    ty_put32be(count, p->iterations);
    ty_der_put_uint(o, count, sizeof count);
    put_element(o, TY_DER_OCTETS, p->salt, p->salt_len);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
    put_oid(o, &pbkdf2);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
}

size_t ty_pbes2_encode(uint8_t *out, size_t room, const ty_pbes2 *p)
{
    uint8_t b[TY_PBES2_MAX];
    const uint8_t *const end = b + sizeof b;
    ty_der_out o = ty_der_to(b, sizeof b);
    put_element(&o, TY_DER_OCTETS, p->secret, p->secret_len);
    const uint8_t *const algorithm = o.p;
    put_element(&o, TY_DER_OCTETS, p->iv, sizeof p->iv);
    put_oid(&o, &sm4_cbc);
    ty_der_wrap(&o, TY_DER_SEQUENCE, algorithm);
    put_kdf(&o, p);
    ty_der_wrap(&o, TY_DER_SEQUENCE, algorithm);
    put_oid(&o, &pbes2);
    ty_der_wrap(&o, TY_DER_SEQUENCE, algorithm);
    ty_der_wrap(&o, TY_DER_SEQUENCE, end);
    const size_t len = (size_t)(end - o.p);
    if (o.bad || len > room) return 0;
    memcpy(out, o.p, len);
    return len;
}

/* Enter an AlgorithmIdentifier if it is the one expected; what is left are its parameters. */
static ty_err enter_algorithm(ty_der *params, ty_der *in, const oid *id)
{
    *params = ty_der_enter(in, TY_DER_SEQUENCE);
    const ty_der found = ty_der_enter(params, TY_DER_OID);
    if (found.bad || found.len == 0) return TY_ERR_FORMAT;
    return ty_der_is(&found, id->bytes, id->len) ? TY_OK : TY_ERR_UNSUPPORTED;
}

static ty_err get_prf(ty_pbes2 *p, ty_der *in)
{
    if (in->bad) return TY_ERR_FORMAT;
    if (in->len == 0) return TY_ERR_UNSUPPORTED;   /* the default, HMAC-SHA-1 */
    ty_der params = *in;
    ty_err err = TY_ERR_UNSUPPORTED;
    for (size_t i = 0; err == TY_ERR_UNSUPPORTED && i < sizeof prfs / sizeof prfs[0]; i++) {
        ty_der copy = *in;
        err = enter_algorithm(&params, &copy, &prfs[i]);
        p->prf = (ty_pbes2_prf)i;
    }
    if (err != TY_OK) return err;
    (void)ty_der_enter(in, TY_DER_SEQUENCE);
    p->prf_null = params.len > 0;
    if (p->prf_null && !(ty_der_tag(&params) == TY_DER_NULL && ty_der_enter(&params, TY_DER_NULL).len == 0)) return TY_ERR_FORMAT;
    return ty_der_done(&params) ? TY_OK : TY_ERR_FORMAT;
}

static ty_err get_kdf(ty_pbes2 *p, ty_der *in)
{
    ty_der seq, params;
    const ty_err err = enter_algorithm(&seq, in, &pbkdf2);
    if (err != TY_OK) return err;
    params = ty_der_enter(&seq, TY_DER_SEQUENCE);
    if (!ty_der_done(&seq)) return TY_ERR_FORMAT;
    if (ty_der_tag(&params) == TY_DER_SEQUENCE) return TY_ERR_UNSUPPORTED;   /* a salt from elsewhere */
    const ty_der salt = ty_der_enter(&params, TY_DER_OCTETS);
    if (ty_der_tag(&params) != TY_DER_INTEGER || salt.bad) return TY_ERR_FORMAT;
    p->iterations = ty_der_u32(&params);
    if (params.bad) return TY_ERR_FORMAT;
    if (ty_der_tag(&params) == TY_DER_INTEGER) {
        p->names_length = 1;
        const uint32_t length = ty_der_u32(&params);
        if (!params.bad && length != 16) return TY_ERR_FORMAT;
    }
    const ty_err prf_err = get_prf(p, &params);
    if (prf_err != TY_OK) return prf_err;
    if (!ty_der_done(&params) || p->iterations == 0) return TY_ERR_FORMAT;
    if (p->iterations > TY_PBES2_ITERATIONS_MAX || salt.len > sizeof p->salt) return TY_ERR_UNSUPPORTED;
    p->salt_len = salt.len;
    if (salt.len) memcpy(p->salt, salt.p, salt.len);
    return TY_OK;
}

static ty_err get_cipher(ty_pbes2 *p, ty_der *in)
{
    ty_der params;
    const ty_err err = enter_algorithm(&params, in, &sm4_cbc);
    if (err != TY_OK) return err;
    const ty_der iv = ty_der_enter(&params, TY_DER_OCTETS);
    if (!ty_der_done(&params) || iv.len != sizeof p->iv) return TY_ERR_FORMAT;
    memcpy(p->iv, iv.p, sizeof p->iv);
    return TY_OK;
}

ty_err ty_pbes2_decode(ty_pbes2 *p, const uint8_t *bytes, size_t len)
{
    ty_der der = ty_der_from(bytes, len), seq = ty_der_enter(&der, TY_DER_SEQUENCE), algorithm;
    memset(p, 0, sizeof *p);
    if (!ty_der_done(&der)) return TY_ERR_FORMAT;
    ty_err err = enter_algorithm(&algorithm, &seq, &pbes2);
    if (err != TY_OK) return err;
    ty_der params = ty_der_enter(&algorithm, TY_DER_SEQUENCE);
    err = get_kdf(p, &params);
    if (err == TY_OK) err = get_cipher(p, &params);
    if (err != TY_OK) return err;
    const ty_der secret = ty_der_enter(&seq, TY_DER_OCTETS);
    if (!ty_der_done(&params) || !ty_der_done(&algorithm) || !ty_der_done(&seq)) return TY_ERR_FORMAT;
    if (secret.len == 0 || secret.len % 16) return TY_ERR_FORMAT;
    if (secret.len > sizeof p->secret) return TY_ERR_UNSUPPORTED;   /* some longer kind of key */
    p->secret_len = secret.len;
    memcpy(p->secret, secret.p, secret.len);

    uint8_t again[TY_PBES2_MAX];
    const size_t again_len = ty_pbes2_encode(again, sizeof again, p);
    return again_len == len && memcmp(again, bytes, len) == 0 ? TY_OK : TY_ERR_FORMAT;
}

/* --- encryption --------------------------------------------------------------------------------------- */

static ty_err derive(ty_sm4_key *cipher, const ty_pbes2 *p, const void *password, size_t password_len)
{
    uint8_t key[16];
    const ty_err err = (p->prf == TY_PBES2_SHA256 ? ty_pbkdf2_sha256 : ty_pbkdf2_sm3)(
        key, sizeof key, password, password_len, p->salt, p->salt_len, p->iterations);
    if (err == TY_OK) ty_sm4_init(cipher, key);
    ty_wipe(key, sizeof key);
    return err;
}

/* out[*out_len] = in[len] through SM4-CBC with PKCS #7 padding, under the password. */
static ty_err cbc(uint8_t *out, size_t *out_len, ty_sm4_mode mode, const uint8_t *in, size_t len, const ty_pbes2 *p,
                  const void *password, size_t password_len)
{
    ty_sm4_key cipher;
    ty_sm4_stream stream;
    size_t last = 0;
    ty_err err = derive(&cipher, p, password, password_len);
    if (err != TY_OK) return err;
    err = ty_sm4_start(&stream, mode, TY_SM4_PAD_PKCS7, p->iv, &cipher);
    if (err == TY_OK) err = ty_sm4_update(out, out_len, in, len, &stream);
    if (err == TY_OK) err = ty_sm4_final(out + *out_len, &last, &stream);
    *out_len += last;
    ty_wipe(&stream, sizeof stream);
    ty_wipe(&cipher, sizeof cipher);
    return err;
}

ty_err ty_pbes2_encrypt(ty_pbes2 *p, const uint8_t *plain, size_t plain_len, const void *password, size_t password_len)
{
    if (plain_len >= TY_PBES2_SECRET_MAX) return TY_ERR_SIZE;   /* with padding, whole blocks */
    const ty_err err = cbc(p->secret, &p->secret_len, TY_SM4_CBC_ENCRYPT, plain, plain_len, p, password, password_len);
    if (err != TY_OK) ty_wipe(p->secret, sizeof p->secret);
    return err;
}

/* Under a wrong password the plaintext is noise, and what its padding looks like is nobody's business: ty_sm4_final says
 * that it is wrong, in constant time. */
ty_err ty_pbes2_decrypt(uint8_t plain[TY_AT_LEAST(TY_PBES2_SECRET_MAX)], size_t *plain_len, const ty_pbes2 *p,
                        const void *password, size_t password_len)
{
    *plain_len = 0;
    const ty_err err = cbc(plain, plain_len, TY_SM4_CBC_DECRYPT, p->secret, p->secret_len, p, password, password_len);
    if (err != TY_OK) ty_wipe(plain, p->secret_len);
    return err == TY_ERR_FORMAT ? TY_ERR_VERIFY : err;
}
