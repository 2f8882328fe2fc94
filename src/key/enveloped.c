/* The enveloped key of GB/T 35276-2017, 7.4, in which an authority sends an encryption key pair:
 * the private key encrypted with SM4, and the SM4 key encrypted to the recipient's SM2 key.
 *
 *   SM2EnvelopedKey ::= SEQUENCE {
 *       symAlgID                AlgorithmIdentifier,
 *                               -- SM4, ECB: two blocks, equal with probability 2^-128
 *       symEncryptedKey         SM2Cipher,
 *       Sm2PublicKey            BIT STRING,
 *       Sm2EncryptedPrivateKey  BIT STRING }           -- 32 bytes
 */
#include "base/ct.h"
#include "key/der.h"
#include "tongyu/key.h"
#include "tongyu/sm4.h"

#include <string.h>

/* 1.2.156.10197.1.104; with .1 appended, SM4 in ECB mode */
static const uint8_t sm4[] = { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x68 };

enum { SM4_KEY = 16, CIPHER = SM4_KEY + TY_SM2_OVERHEAD, POINT = 65, SCALAR = 32 };

typedef struct envelope {
    uint8_t cipher[CIPHER];   /* C1C3C2 */
    const uint8_t *point, *scalar;
} envelope;

static ty_err get_algorithm(ty_der *in)
{
    ty_der seq = ty_der_enter(in, TY_DER_SEQUENCE);
    const ty_der id = ty_der_enter(&seq, TY_DER_OID);
    if (id.bad || id.len == 0) return TY_ERR_FORMAT;
    const int ecb = id.len == sizeof sm4 + 1 && id.p[sizeof sm4] == 1;
    const ty_der family = { id.p, ecb ? sizeof sm4 : id.len, 0 };
    if (!ty_der_is(&family, sm4, sizeof sm4)) return TY_ERR_UNSUPPORTED;
    if (ty_der_tag(&seq) == TY_DER_NULL && ty_der_enter(&seq, TY_DER_NULL).len)
        return TY_ERR_FORMAT;
    return ty_der_done(&seq) ? TY_OK : TY_ERR_FORMAT;
}

/* The contents of a BIT STRING of len whole bytes; NULL, and in is bad, if it is not one */
static const uint8_t *get_bits(ty_der *in, size_t len)
{
    const ty_der bits = ty_der_enter(in, TY_DER_BITS);
    if (bits.bad || bits.len != len + 1 || bits.p[0] != 0) in->bad = 1;
    return in->bad ? NULL : bits.p + 1;
}

static ty_err get_envelope(envelope *e, const uint8_t *p, size_t len)
{
    ty_der der = ty_der_from(p, len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    size_t cipher_len = CIPHER;
    if (!ty_der_done(&der)) return TY_ERR_FORMAT;
    const ty_err err = get_algorithm(&seq);
    if (err != TY_OK) return err;
    const uint8_t *const start = seq.p;
    (void)ty_der_enter(&seq, TY_DER_SEQUENCE);
    if (seq.bad ||
        ty_sm2_ct_from_der(e->cipher, &cipher_len, start, (size_t)(seq.p - start)) != TY_OK ||
        cipher_len != CIPHER)
        return TY_ERR_FORMAT;
    e->point = get_bits(&seq, POINT);
    e->scalar = get_bits(&seq, SCALAR);
    return ty_der_done(&seq) ? TY_OK : TY_ERR_FORMAT;
}

static ty_err set_key(ty_key *key, const envelope *e, const uint8_t d[SCALAR])
{
    ty_err err = ty_sm2_pub_set(&key->pub, e->point, POINT);
    if (err == TY_OK) err = ty_sm2_key_set(&key->sm2, d);
    if (err != TY_OK) return TY_ERR_VERIFY;
    int match = ty_equal(&key->pub, &key->sm2.pub, sizeof key->pub);
    TY_PUBLIC(&match, sizeof match);   /* both are public keys */
    return match ? TY_OK : TY_ERR_VERIFY;
}

ty_err ty_key_from_enveloped(ty_key *key, const void *in, size_t in_len,
                             const ty_sm2_key *recipient)
{
    envelope e;
    uint8_t k[SM4_KEY], d[SCALAR];
    ty_sm4_key cipher;
    memset(key, 0, sizeof *key);
    ty_err err = get_envelope(&e, in, in_len);
    if (err != TY_OK) return err;
    err = ty_sm2_decrypt(k, e.cipher, CIPHER, TY_SM2_C1C3C2, recipient);
    if (err != TY_OK) return err == TY_ERR_FORMAT ? TY_ERR_FORMAT : TY_ERR_VERIFY;
    ty_sm4_init(&cipher, k);
    (void)!ty_sm4_ecb_decrypt(d, e.scalar, SCALAR, &cipher);   /* whole blocks: it cannot fail */
    err = set_key(key, &e, d);
    key->private_key = 1;
    key->form = TY_KEY_ENVELOPED;
    key->coding = TY_KEY_DER;
    if (err != TY_OK) ty_wipe(key, sizeof *key);
    ty_wipe(&cipher, sizeof cipher);
    ty_wipe(k, sizeof k);
    ty_wipe(d, sizeof d);
    return err;
}
