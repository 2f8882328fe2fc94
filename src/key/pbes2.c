/* The DER of PBES2: see key/pbes2.h. */
#include "key/pbes2.h"
#include "base/bytes.h"
#include "key/der.h"

#include <string.h>

typedef struct oid {
    uint8_t len, bytes[11];
} oid;

/* 1.2.840.113549.1.5.13 */
static const oid pbes2 = { 9, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d } };
/* 1.2.840.113549.1.5.12 */
static const oid pbkdf2 = { 9, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c } };
/* 1.3.6.1.4.1.11591.4.11 */
static const oid scrypt = { 9, { 0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x04, 0x0b } };
static const oid ciphers[] = {
    /* 1.2.156.10197.1.104.2 */
    [TY_PBES2_SM4] = { 8, { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x68, 0x02 } },
    /* 2.16.840.1.101.3.4.1.2 */
    [TY_PBES2_AES128] = { 9, { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x02 } },
    [TY_PBES2_AES192] = { 9, { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x16 } },
    [TY_PBES2_AES256] = { 9, { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2a } },
};
static const oid prfs[] = {
    [TY_PBES2_401_3_1] = { 10, { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x83, 0x11, 0x03, 0x01 } },
    [TY_PBES2_401_2] = { 9, { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x83, 0x11, 0x02 } },
    /* 1.2.840.113549.2.7 */
    [TY_PBES2_SHA1] = { 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x07 } },
    [TY_PBES2_SHA224] = { 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x08 } },
    [TY_PBES2_SHA256] = { 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x09 } },
    [TY_PBES2_SHA384] = { 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x0a } },
    [TY_PBES2_SHA512] = { 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x0b } },
    [TY_PBES2_SHA512_224] = { 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x0c } },
    [TY_PBES2_SHA512_256] = { 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x0d } },
};
static const uint8_t null_der[] = { TY_DER_NULL, 0 };

/* --- writing, last field first ---------------------------------------------------------------- */

static void put_element(ty_der_out *o, uint8_t tag, const uint8_t *bytes, size_t len)
{
    const uint8_t *end = o->p;
    ty_der_put(o, bytes, len);
    ty_der_wrap(o, tag, end);
}

static void put_oid(ty_der_out *o, const oid *id)
{
    put_element(o, TY_DER_OID, id->bytes, id->len);
}

static void put_number(ty_der_out *o, uint64_t x)
{
    uint8_t b[8];
    ty_put64be(b, x);
    ty_der_put_uint(o, b, sizeof b);
}

/* PBKDF2-params { salt, iterationCount, keyLength OPTIONAL, prf DEFAULT HMAC-SHA-1 }
 * [RFC 8018, A.2] */
static void put_pbkdf2(ty_der_out *o, const ty_pbes2 *p)
{
    const uint8_t *end = o->p;
    if (p->kdf != TY_PBES2_UNNAMED) {
        if (p->prf_null) ty_der_put(o, null_der, sizeof null_der);
        put_oid(o, &prfs[p->kdf]);
        ty_der_wrap(o, TY_DER_SEQUENCE, end);
    }
    if (p->names_length) put_number(o, ty_pbes2_key_len(p->cipher));
    put_number(o, p->iterations);
}

/* scrypt-params { salt, costParameter, blockSize, parallelizationParameter, keyLength OPTIONAL }
 * [RFC 7914, 7.1] */
static void put_scrypt(ty_der_out *o, const ty_pbes2 *p)
{
    if (p->names_length) put_number(o, ty_pbes2_key_len(p->cipher));
    put_number(o, p->p);
    put_number(o, p->r);
    put_number(o, p->n);
}

static void put_kdf(ty_der_out *o, const ty_pbes2 *p)
{
    const uint8_t *end = o->p;
    if (p->kdf == TY_PBES2_SCRYPT) put_scrypt(o, p);
    else put_pbkdf2(o, p);
    put_element(o, TY_DER_OCTETS, p->salt, p->salt_len);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
    put_oid(o, p->kdf == TY_PBES2_SCRYPT ? &scrypt : &pbkdf2);
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
    put_oid(&o, &ciphers[p->cipher]);
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

/* --- reading ---------------------------------------------------------------------------------- */

/* Enters an AlgorithmIdentifier if it is one of ids[count], whose index is *which; params is then a
 * reader of its parameters. */
static ty_err enter_algorithm(ty_der *params, size_t *which, ty_der *in, const oid *ids,
                              size_t count)
{
    *params = ty_der_enter(in, TY_DER_SEQUENCE);
    const ty_der found = ty_der_enter(params, TY_DER_OID);
    if (found.bad || found.len == 0) return TY_ERR_FORMAT;
    for (size_t i = 0; i < count; i++) {
        *which = i;
        if (ty_der_is(&found, ids[i].bytes, ids[i].len)) return TY_OK;
    }
    return TY_ERR_UNSUPPORTED;
}

static ty_err get_prf(ty_pbes2 *p, ty_der *in)
{
    ty_der params;
    size_t which;
    if (in->bad) return TY_ERR_FORMAT;
    p->kdf = TY_PBES2_UNNAMED;
    if (in->len == 0) return TY_OK;
    const ty_err err = enter_algorithm(&params, &which, in, prfs, sizeof prfs / sizeof prfs[0]);
    if (err != TY_OK) return err;
    p->kdf = (ty_pbes2_kdf)which;
    p->prf_null = params.len > 0;
    if (p->prf_null &&
        !(ty_der_tag(&params) == TY_DER_NULL && ty_der_enter(&params, TY_DER_NULL).len == 0))
        return TY_ERR_FORMAT;
    return ty_der_done(&params) ? TY_OK : TY_ERR_FORMAT;
}

/* keyLength OPTIONAL: whether it is the cipher's is checked by encoding again. */
static void get_length(ty_pbes2 *p, ty_der *in)
{
    p->names_length = ty_der_tag(in) == TY_DER_INTEGER;
    if (p->names_length) (void)ty_der_u32(in);
}

static ty_err get_pbkdf2(ty_pbes2 *p, ty_der *params)
{
    if (ty_der_tag(params) != TY_DER_INTEGER) return TY_ERR_FORMAT;
    p->iterations = ty_der_u32(params);
    if (params->bad || p->iterations == 0) return TY_ERR_FORMAT;
    get_length(p, params);
    return get_prf(p, params);
}

static ty_err get_scrypt(ty_pbes2 *p, ty_der *params)
{
    uint8_t n[8];
    p->kdf = TY_PBES2_SCRYPT;
    ty_der_uint(n, sizeof n, params);
    p->n = ty_get64be(n);
    p->r = ty_der_u32(params);
    p->p = ty_der_u32(params);
    get_length(p, params);
    return params->bad ? TY_ERR_FORMAT : TY_OK;
}

static ty_err get_kdf(ty_pbes2 *p, ty_der *in)
{
    const oid kdfs[] = { pbkdf2, scrypt };
    ty_der seq;
    size_t which;
    ty_err err = enter_algorithm(&seq, &which, in, kdfs, 2);
    if (err != TY_OK) return err;
    ty_der params = ty_der_enter(&seq, TY_DER_SEQUENCE);
    if (!ty_der_done(&seq)) return TY_ERR_FORMAT;
    /* a salt from another source */
    if (ty_der_tag(&params) == TY_DER_SEQUENCE) return TY_ERR_UNSUPPORTED;
    const ty_der salt = ty_der_enter(&params, TY_DER_OCTETS);
    if (salt.bad) return TY_ERR_FORMAT;
    err = which == 0 ? get_pbkdf2(p, &params) : get_scrypt(p, &params);
    if (err == TY_OK && !ty_der_done(&params)) err = TY_ERR_FORMAT;
    if (err == TY_OK && salt.len > sizeof p->salt) err = TY_ERR_UNSUPPORTED;
    if (err != TY_OK) return err;
    p->salt_len = salt.len;
    if (salt.len) memcpy(p->salt, salt.p, salt.len);
    return TY_OK;
}

static ty_err get_cipher(ty_pbes2 *p, ty_der *in)
{
    ty_der params;
    size_t which;
    const ty_err err =
        enter_algorithm(&params, &which, in, ciphers, sizeof ciphers / sizeof ciphers[0]);
    if (err != TY_OK) return err;
    p->cipher = (ty_pbes2_cipher)which;
    const ty_der iv = ty_der_enter(&params, TY_DER_OCTETS);
    if (!ty_der_done(&params) || iv.len != sizeof p->iv) return TY_ERR_FORMAT;
    memcpy(p->iv, iv.p, sizeof p->iv);
    return TY_OK;
}

ty_err ty_pbes2_decode(ty_pbes2 *p, const uint8_t *bytes, size_t len)
{
    ty_der der = ty_der_from(bytes, len), seq = ty_der_enter(&der, TY_DER_SEQUENCE), algorithm;
    size_t which;
    memset(p, 0, sizeof *p);
    if (!ty_der_done(&der)) return TY_ERR_FORMAT;
    ty_err err = enter_algorithm(&algorithm, &which, &seq, &pbes2, 1);
    if (err != TY_OK) return err;
    ty_der params = ty_der_enter(&algorithm, TY_DER_SEQUENCE);
    err = get_kdf(p, &params);
    if (err == TY_OK) err = get_cipher(p, &params);
    if (err != TY_OK) return err;
    const ty_der secret = ty_der_enter(&seq, TY_DER_OCTETS);
    if (!ty_der_done(&params) || !ty_der_done(&algorithm) || !ty_der_done(&seq))
        return TY_ERR_FORMAT;
    if (secret.len == 0 || secret.len % 16) return TY_ERR_FORMAT;
    if (secret.len > sizeof p->secret) return TY_ERR_UNSUPPORTED;   /* some longer kind of key */
    p->secret_len = secret.len;
    memcpy(p->secret, secret.p, secret.len);

    uint8_t again[TY_PBES2_MAX];
    const size_t again_len = ty_pbes2_encode(again, sizeof again, p);
    return again_len == len && memcmp(again, bytes, len) == 0 ? TY_OK : TY_ERR_FORMAT;
}
