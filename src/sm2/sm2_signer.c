/* Signers and verifiers: keys with Z, the hash of the holder's identifier, the curve and the public
 * key; and for verifiers with a table of multiples of the public key. */
#include "base/ct.h"
#include "sm2/sm2_internal.h"

#include <string.h>

_Static_assert(sizeof((ty_sm2_verifier *)0)->table == TY_EC_SM2_TABLE,
               "the header states the size of a table");

#if !defined(TY_PUBLIC_ONLY)
ty_err ty_sm2_signer_init(ty_sm2_signer *signer, const ty_sm2_key *key, const uint8_t *id,
                          size_t id_len)
{
    const ty_err err = ty_sm2_z(signer->z, id, id_len, &key->pub);
    if (err == TY_OK) signer->key = *key;
    else memset(signer, 0, sizeof *signer);
    return err;
}
#endif

ty_err ty_sm2_verifier_init(ty_sm2_verifier *verifier, const ty_sm2_pub *pub, const uint8_t *id,
                            size_t id_len)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    uint8_t xy[64];
    const ty_err err = ty_sm2_pub_ok(pub) ? ty_sm2_z(verifier->z, id, id_len, pub) : TY_ERR_KEY;
    if (err != TY_OK) {
        memset(verifier, 0, sizeof *verifier);
        return err;
    }
    memcpy(xy, pub->x, 32);
    memcpy(xy + 32, pub->y, 32);
    verifier->ops = ec;
    verifier->pub = *pub;
    ec->table_vt(verifier->table, xy);
    return TY_OK;
}

#if !defined(TY_PUBLIC_ONLY)
void ty_sm2_signer_hash_init(ty_sm3 *h, const ty_sm2_signer *signer)
{
    ty_sm3_init(h);
    ty_sm3_update(h, signer->z, 32);
}
#endif

void ty_sm2_verifier_hash_init(ty_sm3 *h, const ty_sm2_verifier *verifier)
{
    ty_sm3_init(h);
    ty_sm3_update(h, verifier->z, 32);
}

#if !defined(TY_PUBLIC_ONLY)
ty_err ty_sm2_signer_sign(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                          const ty_sm2_signer *signer, const ty_rng *rng)
{
    uint8_t e[32];
    ty_sm2_digest(e, signer->z, msg, msg_len);
    return ty_sm2_sign_digest(sig, e, &signer->key, rng);
}

ty_err ty_sm2_signer_sign_deterministic(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg,
                                        size_t msg_len, const ty_sm2_signer *signer)
{
    uint8_t e[32];
    ty_sm2_digest(e, signer->z, msg, msg_len);
    return ty_sm2_sign_digest_deterministic(sig, e, &signer->key);
}
#endif

ty_err ty_sm2_verifier_verify_digest(const uint8_t sig[TY_AT_LEAST(64)],
                                     const uint8_t e[TY_AT_LEAST(32)],
                                     const ty_sm2_verifier *verifier)
{
    const ty_ec_sm2_ops *ec = verifier->ops;   /* those that computed the table */
    uint8_t t[32], x[32];
    if (!ec) return TY_ERR_STATE;
    if (!ty_sm2_verify_begin(x, t, sig, e)) return TY_ERR_VERIFY;
    return ec->table_has_x_vt(x, sig + 32, t, verifier->table) ? TY_OK : TY_ERR_VERIFY;
}

ty_err ty_sm2_verifier_verify(const uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg,
                              size_t msg_len, const ty_sm2_verifier *verifier)
{
    uint8_t e[32];
    if (!verifier->ops) return TY_ERR_STATE;
    ty_sm2_digest(e, verifier->z, msg, msg_len);
    return ty_sm2_verifier_verify_digest(sig, e, verifier);
}
