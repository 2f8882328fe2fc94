/* ML-DSA signatures (FIPS 204) of messages, one-shot or streaming, and of mu. */
#include "provider.h"

typedef struct signature {
    const prov_ctx *ctx;
    const prov_mldsa *key;
    uint8_t context[TY_MLDSA_CTX_MAX];
    size_t context_len;
    int deterministic, is_mu, raw; /* raw: the caller has encoded the message with its context */
    int has_entropy;
    uint8_t entropy[32]; /* instead of random bytes, for published vectors */
    int hashing;
    ty_keccak hash; /* of the encoded message, for mu */
    uint8_t *sig;   /* to be verified at the end of a message */
    size_t sig_len;
    uint8_t algorithm[13];
} signature;

static void *new_signature(void *ctx, const char *properties)
{
    signature *s = prov_new(ctx, sizeof *s);
    (void)properties;
    if (s) s->ctx = ctx;
    return s;
}

static void free_signature(void *vs)
{
    signature *s = vs;
    if (!s) return;
    prov_mldsa_free(s->key);
    prov_delete(s->sig, s->sig_len);
    prov_delete(s, sizeof *s);
}

static void *dup_signature(void *vs)
{
    signature *s = vs, *copy = prov_copy(s->ctx, s, sizeof *s);
    if (copy && s->sig && !(copy->sig = prov_copy(s->ctx, s->sig, s->sig_len))) {
        prov_delete(copy, sizeof *copy);
        return NULL;
    }
    if (copy && copy->key) prov_hold(&copy->key->holders);
    return copy;
}

/* --- Parameters ------------------------------------------------------------------------------- */

static int set_context(signature *s, const OSSL_PARAM *p)
{
    const uint8_t *data;
    size_t len;
    if (!prov_get_octets(s->ctx, p, &data, &len)) return 0;
    if (s->hashing)
        return prov_fail(s->ctx, PROV_BAD_STATE, "the context string comes before the message");
    if (len > sizeof s->context)
        return prov_fail(s->ctx, PROV_BAD_LENGTH, "a context string has at most 255 bytes, not %zu",
                         len);
    if (len) memcpy(s->context, data, len);
    s->context_len = len;
    return 1;
}

static int set_entropy(signature *s, const OSSL_PARAM *p)
{
    const uint8_t *data;
    size_t len;
    if (!prov_get_octets(s->ctx, p, &data, &len)) return 0;
    if (len != sizeof s->entropy)
        return prov_fail(s->ctx, PROV_BAD_LENGTH, "\"test-entropy\" has 32 bytes, not %zu", len);
    memcpy(s->entropy, data, len);
    s->has_entropy = 1;
    return 1;
}

static int set_signature(signature *s, const OSSL_PARAM *p)
{
    const uint8_t *data;
    size_t len;
    if (!prov_get_octets(s->ctx, p, &data, &len)) return 0;
    uint8_t *copy = prov_copy(s->ctx, data, len);
    if (!copy) return 0;
    prov_delete(s->sig, s->sig_len);
    s->sig = copy;
    s->sig_len = len;
    return 1;
}

/* *value = whether the parameter of this name equals `when`; unchanged if it is absent */
static int set_switch(const signature *s, const OSSL_PARAM *params, const char *name, int *value,
                      int when)
{
    const OSSL_PARAM *p = prov_param(params, name);
    uint64_t v;
    if (!p) return 1;
    if (!prov_get_uint(s->ctx, p, 1, &v)) return 0;
    *value = (int)v == when;
    return 1;
}

static int set_ctx_params(void *vs, const OSSL_PARAM *params)
{
    signature *s = vs;
    const OSSL_PARAM *p;
    if ((p = prov_param(params, LATER_SIGNATURE_CONTEXT_STRING)) && !set_context(s, p)) return 0;
    if ((p = prov_param(params, LATER_SIGNATURE_TEST_ENTROPY)) && !set_entropy(s, p)) return 0;
    if ((p = prov_param(params, LATER_SIGNATURE_SIGNATURE)) && !set_signature(s, p)) return 0;
    return set_switch(s, params, LATER_SIGNATURE_DETERMINISTIC, &s->deterministic, 1)
           && set_switch(s, params, LATER_SIGNATURE_MU, &s->is_mu, 1)
           && set_switch(s, params, LATER_SIGNATURE_MESSAGE_ENCODING, &s->raw, 0);
}

static const OSSL_PARAM *settable_ctx_params(void *s, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_OCTETS(LATER_SIGNATURE_CONTEXT_STRING),
                                       PROV_OCTETS(LATER_SIGNATURE_TEST_ENTROPY),
                                       PROV_INT(LATER_SIGNATURE_DETERMINISTIC),
                                       PROV_INT(LATER_SIGNATURE_MU),
                                       PROV_INT(LATER_SIGNATURE_MESSAGE_ENCODING),
                                       PROV_OCTETS(LATER_SIGNATURE_SIGNATURE),
                                       PROV_END };
    (void)s, (void)ctx;
    return list;
}

static int get_ctx_params(void *vs, OSSL_PARAM *params)
{
    signature *s = vs;
    static const uint8_t algorithm[13] = { 0x30, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0 };
    if (!s->key) return prov_fail(s->ctx, PROV_BAD_STATE, "no key yet");
    memcpy(s->algorithm, algorithm, sizeof algorithm);
    s->algorithm[12] = prov_mldsa_row_of(s->key->set)->oid_last;
    return prov_set_octets(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID, s->algorithm,
                           sizeof s->algorithm);
}

static const OSSL_PARAM *gettable_ctx_params(void *s, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_OCTETS(OSSL_SIGNATURE_PARAM_ALGORITHM_ID), PROV_END };
    (void)s, (void)ctx;
    return list;
}

/* --- mu --------------------------------------------------------------------------------------- */

/* mu = SHAKE256 of the public key's hash and the encoded message: 0, the context's length, the
 * context, the message [FIPS 204, algorithms 2 and 7], or what the caller has encoded. */
static int begin_hash(signature *s)
{
    uint8_t head[2] = { 0, (uint8_t)s->context_len };
    if (s->is_mu)
        return prov_fail(s->ctx, PROV_BAD_STATE,
                         "\"mu\" cannot be passed in pieces; sign its 64 bytes at once");
    ty_shake256_init(&s->hash);
    ty_err err = ty_shake_update(&s->hash, s->key->key.pub.tr, sizeof s->key->key.pub.tr);
    if (err == TY_OK && !s->raw) err = ty_shake_update(&s->hash, head, sizeof head);
    if (err == TY_OK && !s->raw) err = ty_shake_update(&s->hash, s->context, s->context_len);
    s->hashing = err == TY_OK;
    return prov_check(s->ctx, err, "mu");
}

static int absorb(signature *s, const uint8_t *msg, size_t len)
{
    if (!s->hashing && !begin_hash(s)) return 0;
    return prov_check(s->ctx, ty_shake_update(&s->hash, msg, len), "mu");
}

static int end_hash(signature *s, uint8_t mu[TY_MLDSA_MU_LEN])
{
    if (!s->hashing && !begin_hash(s)) return 0;
    s->hashing = 0;
    int ok = prov_check(s->ctx, ty_shake_squeeze(mu, TY_MLDSA_MU_LEN, &s->hash), "mu");
    ty_wipe(&s->hash, sizeof s->hash);
    return ok;
}

/* mu of a whole message, or the mu that the caller passes instead of one. */
static int mu_of(signature *s, uint8_t mu[TY_MLDSA_MU_LEN], const uint8_t *msg, size_t len)
{
    if (!s->is_mu) return absorb(s, msg, len) && end_hash(s, mu);
    if (len != TY_MLDSA_MU_LEN)
        return prov_fail(s->ctx, PROV_BAD_LENGTH, "mu has 64 bytes, not %zu", len);
    memcpy(mu, msg, len);
    return 1;
}

/* --- Signing and verifying -------------------------------------------------------------------- */

static int begin(signature *s, const prov_mldsa *key, const OSSL_PARAM *params, int private_half)
{
    if (key) prov_mldsa_keep(&s->key, key);
    if (!s->key || !s->key->has_pub || (private_half && !s->key->has_priv))
        return prov_fail(s->ctx, PROV_BAD_KEY,
                         private_half ? "signing needs a private key"
                                      : "verification needs a public key");
    s->hashing = s->is_mu = 0;
    return set_ctx_params(s, params);
}

static int sign_init(void *s, void *key, const OSSL_PARAM *params)
{
    return begin(s, key, params, 1);
}
static int verify_init(void *s, void *key, const OSSL_PARAM *params)
{
    return begin(s, key, params, 0);
}

/* OpenSSL 3.0 turns the empty name of a mandatory digest into "UNDEF". */
static int no_digest(const signature *s, const char *name)
{
    return !name || prov_among(name, strlen(name), "UNDEF:undefined") || !*name
           || prov_fail(s->ctx, PROV_BAD_DIGEST,
                        "ML-DSA hashes by itself; leave the digest \"%.60s\" out", name);
}

static int digest_sign_init(void *s, const char *digest, void *key, const OSSL_PARAM *params)
{
    return no_digest(s, digest) && begin(s, key, params, 1);
}

static int digest_verify_init(void *s, const char *digest, void *key, const OSSL_PARAM *params)
{
    return no_digest(s, digest) && begin(s, key, params, 0);
}

static ty_err fill_fixed(void *entropy, uint8_t *out, size_t len)
{
    if (len != 32) return TY_ERR_RNG;
    memcpy(out, entropy, len);
    return TY_OK;
}

static int sign_mu(signature *s, uint8_t *out, size_t len, const uint8_t mu[TY_MLDSA_MU_LEN])
{
    ty_rng fixed = { fill_fixed, s->entropy };
    const ty_rng *rng = s->has_entropy ? &fixed : s->deterministic ? NULL : ty_rng_system();
    if (!prov_check(s->ctx, ty_mldsa_sign_mu(out, len, mu, &s->key->key, rng), "the signature"))
        return 0;
    prov_did(s->ctx, PROV_MLDSA_SIGN);
    return 1;
}

/* The size is checked before the hash is finished, so that the caller can try again with more
 * room. */
static int sized(signature *s, const unsigned char *out, size_t *out_len, size_t size)
{
    if (!s->key || (out && !s->key->has_priv))
        return prov_fail(s->ctx, PROV_BAD_STATE, "no private key yet; begin with an init call");
    *out_len = ty_mldsa_sig_len(s->key->set);
    return !out || size >= *out_len
           || prov_fail(s->ctx, PROV_SMALL_BUFFER,
                        "a signature has %zu bytes, there is room for %zu", *out_len, size);
}

static int sign(void *vs, unsigned char *out, size_t *out_len, size_t size,
                const unsigned char *msg, size_t len)
{
    signature *s = vs;
    uint8_t mu[TY_MLDSA_MU_LEN];
    if (!sized(s, out, out_len, size)) return 0;
    return !out || (mu_of(s, mu, msg, len) && sign_mu(s, out, *out_len, mu));
}

static int end_sign(void *vs, unsigned char *out, size_t *out_len, size_t size)
{
    signature *s = vs;
    uint8_t mu[TY_MLDSA_MU_LEN];
    if (!sized(s, out, out_len, size)) return 0;
    return !out || (end_hash(s, mu) && sign_mu(s, out, *out_len, mu));
}

/* A signature that does not verify is a result and not an error: OpenSSL tells the two apart by its
 * error queue. */
static int verify_mu(const signature *s, const unsigned char *sig, size_t sig_len,
                     const uint8_t mu[TY_MLDSA_MU_LEN])
{
    prov_did(s->ctx, PROV_MLDSA_VERIFY);
    return ty_mldsa_verify_mu(sig, sig_len, mu, &s->key->key.pub) == TY_OK;
}

static int ready(const signature *s)
{
    return s->key ? 1 : prov_fail(s->ctx, PROV_BAD_STATE, "no key yet; begin with an init call");
}

static int verify(void *vs, const unsigned char *sig, size_t sig_len, const unsigned char *msg,
                  size_t len)
{
    signature *s = vs;
    uint8_t mu[TY_MLDSA_MU_LEN];
    return ready(s) && mu_of(s, mu, msg, len) && verify_mu(s, sig, sig_len, mu);
}

static int update(void *vs, const unsigned char *msg, size_t len)
{
    signature *s = vs;
    return ready(s) && absorb(s, msg, len);
}

static int end_verify(void *vs, const unsigned char *sig, size_t sig_len)
{
    signature *s = vs;
    uint8_t mu[TY_MLDSA_MU_LEN];
    return ready(s) && end_hash(s, mu) && verify_mu(s, sig, sig_len, mu);
}

static int end_verify_message(void *vs)
{
    signature *s = vs;
    if (!s->sig)
        return prov_fail(s->ctx, PROV_BAD_STATE, "set the signature before the end of the message");
    return end_verify(s, s->sig, s->sig_len);
}

const OSSL_DISPATCH prov_mldsa_signature[] = {
    PROV_FN(OSSL_FUNC_SIGNATURE_NEWCTX, new_signature),
    PROV_FN(OSSL_FUNC_SIGNATURE_FREECTX, free_signature),
    PROV_FN(OSSL_FUNC_SIGNATURE_DUPCTX, dup_signature),
    PROV_FN(OSSL_FUNC_SIGNATURE_SIGN_INIT, sign_init),
    PROV_FN(OSSL_FUNC_SIGNATURE_SIGN, sign),
    PROV_FN(OSSL_FUNC_SIGNATURE_VERIFY_INIT, verify_init),
    PROV_FN(OSSL_FUNC_SIGNATURE_VERIFY, verify),
    PROV_FN(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, digest_sign_init),
    PROV_FN(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, update),
    PROV_FN(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, end_sign),
    PROV_FN(OSSL_FUNC_SIGNATURE_DIGEST_SIGN, sign),
    PROV_FN(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, digest_verify_init),
    PROV_FN(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, update),
    PROV_FN(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, end_verify),
    PROV_FN(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, verify),
    PROV_FN(LATER_SIGNATURE_SIGN_MESSAGE_INIT, sign_init),
    PROV_FN(LATER_SIGNATURE_SIGN_MESSAGE_UPDATE, update),
    PROV_FN(LATER_SIGNATURE_SIGN_MESSAGE_FINAL, end_sign),
    PROV_FN(LATER_SIGNATURE_VERIFY_MESSAGE_INIT, verify_init),
    PROV_FN(LATER_SIGNATURE_VERIFY_MESSAGE_UPDATE, update),
    PROV_FN(LATER_SIGNATURE_VERIFY_MESSAGE_FINAL, end_verify_message),
    PROV_FN(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, get_ctx_params),
    PROV_FN(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, gettable_ctx_params),
    PROV_FN(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, set_ctx_params),
    PROV_FN(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, settable_ctx_params),
    PROV_FN_END
};
