/* SM2 signatures (GB/T 32918.2) in DER.
 *
 * The signer's name (distinguishing identifier) is part of what is signed. If none is set,
 * OpenSSL's own provider takes an empty one up to 3.6, and 1234567812345678 from 4.0 on; so does
 * this one, because otherwise the two would not verify each other's signatures. In a TLS 1.3
 * handshake the name is that of RFC 8998. OpenSSL 4.0 sets a parameter in a handshake; with older
 * versions a handshake is recognised by the beginning of the message. */
#include "provider.h"

#define TLS_ID "TLSv1.3+GM+Cipher+Suite" /* RFC 8998, 3.2.1 */
#define TLS_ID_LEN (sizeof TLS_ID - 1)
#define TLS_HEAD 73 /* RFC 8446, 4.4.3: 64 spaces, "TLS 1.3, " */

static const char tls_head[TLS_HEAD + 1] =
    "                                                                TLS 1.3, ";

typedef struct signature {
    const prov_ctx *ctx;
    const prov_sm2 *key;
    uint8_t *id;
    size_t id_len;
    int has_id, id_by_message; /* an id was set; it is TLS's, set because of the message */
    int whole_message;         /* sign and verify take a message, not a digest */
    int hashing;               /* the hash has begun, with the name */
    ty_sm3 hash;
    uint8_t head[TLS_HEAD]; /* the beginning of a message, while it may be TLS's */
    size_t head_len;
    uint8_t sig[TY_SM2_SIG_DER_MAX]; /* to be verified at the end of a message */
    size_t sig_len;
    int has_sig;
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
    prov_sm2_free(s->key);
    prov_delete(s->id, s->id_len);
    prov_delete(s, sizeof *s);
}

static void *dup_signature(void *vs)
{
    signature *s = vs, *copy = prov_copy(s->ctx, s, sizeof *s);
    if (copy && s->id && !(copy->id = prov_copy(s->ctx, s->id, s->id_len))) {
        prov_delete(copy, sizeof *copy);
        return NULL;
    }
    if (copy && copy->key) prov_hold(&copy->key->holders);
    return copy;
}

/* --- The name, and the hash that begins with it ----------------------------------------------- */

static int set_id(signature *s, const void *id, size_t len)
{
    if (len > TY_SM2_ID_MAX)
        return prov_fail(s->ctx, PROV_BAD_LENGTH, "a signer's name has at most %d bytes, not %zu",
                         TY_SM2_ID_MAX, len);
    uint8_t *copy = prov_copy(s->ctx, id, len);
    if (!copy) return 0;
    prov_delete(s->id, s->id_len);
    s->id = copy;
    s->id_len = len;
    s->has_id = 1;
    return 1;
}

static int set_tls_id(signature *s)
{
    prov_did(s->ctx, PROV_SM2_TLS_ID);
    return set_id(s, TLS_ID, TLS_ID_LEN);
}

static int begin_hash(signature *s)
{
    const void *id = s->has_id ? s->id : NULL;
    size_t len = s->has_id ? s->id_len : 0;
    if (!s->has_id && s->ctx->version >= PROV_OPENSSL(4, 0)) id = TY_SM2_ID, len = TY_SM2_ID_LEN;
    if (!prov_check(s->ctx, ty_sm2_hash_init(&s->hash, id, len, &s->key->key.pub), "the key"))
        return 0;
    ty_sm3_update(&s->hash, s->head, s->head_len);
    s->head_len = 0;
    s->hashing = 1;
    return 1;
}

/* TLS's id that was set because of one message does not apply to the next. */
static void forget_message(signature *s)
{
    s->hashing = 0;
    s->head_len = 0;
    if (s->id_by_message) s->has_id = s->id_by_message = 0;
}

/* Whether the beginning of the message has to be kept: no id was set, and so far the message begins
 * as in TLS. */
static int may_be_tls(signature *s)
{
    return !s->has_id && s->ctx->version < PROV_OPENSSL(4, 0)
           && memcmp(s->head, tls_head, s->head_len) == 0;
}

static int absorb(signature *s, const uint8_t *msg, size_t len)
{
    while (!s->hashing && may_be_tls(s) && len && s->head_len < TLS_HEAD)
        s->head[s->head_len++] = *msg++, len--;
    if (!s->hashing) {
        int waits = may_be_tls(s);
        if (waits && s->head_len == TLS_HEAD && !(s->id_by_message = set_tls_id(s))) return 0;
        if (waits && s->head_len < TLS_HEAD) return 1;
        if (!begin_hash(s)) return 0;
    }
    ty_sm3_update(&s->hash, msg, len);
    return 1;
}

static int end_hash(signature *s, uint8_t e[TY_SM3_LEN])
{
    if (!s->hashing && !begin_hash(s)) return 0;
    ty_sm3_final(e, &s->hash);
    forget_message(s);
    return 1;
}

/* --- Parameters ------------------------------------------------------------------------------- */

static int right_digest(const signature *s, const char *name, size_t len)
{
    return prov_among(name, len, "SM3:1.2.156.10197.1.401")
           || prov_fail(s->ctx, PROV_BAD_DIGEST, "SM2 signs with SM3, not with \"%.*s\"",
                        (int)(len > 60 ? 60 : len), name);
}

static int set_distid(signature *s, const OSSL_PARAM *p)
{
    const uint8_t *id = NULL;
    size_t len = 0;
    if (s->hashing || s->head_len)
        return prov_fail(s->ctx, PROV_BAD_STATE, "the signer's name comes before the message");
    if (p->data && !prov_get_octets(s->ctx, p, &id, &len)) return 0;
    return set_id(s, id, len);
}

static int set_ctx_params(void *vs, const OSSL_PARAM *params)
{
    signature *s = vs;
    const OSSL_PARAM *p;
    const char *text;
    const uint8_t *sig;
    size_t len;
    uint64_t v;
    if ((p = prov_param(params, OSSL_PKEY_PARAM_DIST_ID))) {
        if (!set_distid(s, p)) return 0;
    } else if ((p = prov_param(params, LATER_SIGNATURE_TLS_VERSION))) {
        if (!prov_get_uint(s->ctx, p, UINT32_MAX, &v)) return 0;
        if (v == 0x0304 && !set_tls_id(s)) return 0;
    }
    if ((p = prov_param(params, OSSL_SIGNATURE_PARAM_DIGEST)))
        if (!prov_get_text(s->ctx, p, &text, &len) || !right_digest(s, text, len)) return 0;
    if ((p = prov_param(params, OSSL_SIGNATURE_PARAM_DIGEST_SIZE))) {
        if (!prov_get_uint(s->ctx, p, UINT32_MAX, &v)) return 0;
        if (v != TY_SM3_LEN)
            return prov_fail(s->ctx, PROV_BAD_LENGTH, "a digest of SM3 has 32 bytes, not %llu",
                             (unsigned long long)v);
    }
    if ((p = prov_param(params, LATER_SIGNATURE_SIGNATURE))) {
        if (!prov_get_octets(s->ctx, p, &sig, &len)) return 0;
        s->sig_len =
            len > sizeof s->sig ? 0 : len; /* a longer one is not a signature and does not verify */
        if (s->sig_len) memcpy(s->sig, sig, len);
        s->has_sig = 1;
    }
    return 1;
}

static const OSSL_PARAM *settable_ctx_params(void *s, void *ctx)
{
    static const OSSL_PARAM list[] = {
        PROV_OCTETS(OSSL_PKEY_PARAM_DIST_ID),   PROV_INT(LATER_SIGNATURE_TLS_VERSION),
        PROV_TEXT(OSSL_SIGNATURE_PARAM_DIGEST), PROV_UINT(OSSL_SIGNATURE_PARAM_DIGEST_SIZE),
        PROV_OCTETS(LATER_SIGNATURE_SIGNATURE), PROV_END
    };
    (void)s, (void)ctx;
    return list;
}

static int get_ctx_params(void *s, OSSL_PARAM *params)
{
    static const uint8_t sm2_with_sm3[] = {
        0x30, 10, 6, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x75
    }; /* 1.2.156.10197.1.501 */
    (void)s;
    return prov_set_octets(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID, sm2_with_sm3,
                           sizeof sm2_with_sm3)
           && prov_set_uint(params, OSSL_SIGNATURE_PARAM_DIGEST_SIZE, TY_SM3_LEN)
           && prov_set_text(params, OSSL_SIGNATURE_PARAM_DIGEST, "SM3");
}

static const OSSL_PARAM *gettable_ctx_params(void *s, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_OCTETS(OSSL_SIGNATURE_PARAM_ALGORITHM_ID),
                                       PROV_UINT(OSSL_SIGNATURE_PARAM_DIGEST_SIZE),
                                       PROV_TEXT(OSSL_SIGNATURE_PARAM_DIGEST), PROV_END };
    (void)s, (void)ctx;
    return list;
}

/* --- Signing and verifying -------------------------------------------------------------------- */

static int begin(signature *s, const prov_sm2 *key, const OSSL_PARAM *params, int private_half,
                 int whole_message)
{
    if (key) prov_sm2_keep(&s->key, key);
    if (!s->key || !s->key->has_pub || (private_half && !s->key->has_priv))
        return prov_fail(s->ctx, PROV_BAD_KEY,
                         private_half ? "signing needs a private key"
                                      : "verification needs a public key");
    s->whole_message = whole_message;
    forget_message(s);
    return set_ctx_params(s, params);
}

static int sign_init(void *s, void *key, const OSSL_PARAM *params)
{
    return begin(s, key, params, 1, 0);
}
static int verify_init(void *s, void *key, const OSSL_PARAM *params)
{
    return begin(s, key, params, 0, 0);
}
static int sign_message_init(void *s, void *key, const OSSL_PARAM *params)
{
    return begin(s, key, params, 1, 1);
}
static int verify_message_init(void *s, void *key, const OSSL_PARAM *params)
{
    return begin(s, key, params, 0, 1);
}

static int sign_digest(signature *s, unsigned char *out, size_t *out_len, size_t size,
                       const uint8_t e[TY_SM3_LEN])
{
    uint8_t raw[64], der[TY_SM2_SIG_DER_MAX];
    size_t len;
    if (!prov_check(s->ctx, ty_sm2_sign_digest(raw, e, &s->key->key, ty_rng_system()),
                    "the signature"))
        return 0;
    ty_sm2_sig_to_der(der, &len, raw);
    if (size < len)
        return prov_fail(s->ctx, PROV_SMALL_BUFFER,
                         "the signature has %zu bytes, there is room for %zu", len, size);
    memcpy(out, der, len);
    *out_len = len;
    prov_did(s->ctx, PROV_SM2_SIGN);
    return 1;
}

/* A signature that does not verify is a result and not an error: OpenSSL tells the two apart by its
 * error queue. */
static int verify_digest(signature *s, const unsigned char *sig, size_t sig_len,
                         const uint8_t e[TY_SM3_LEN])
{
    uint8_t raw[64];
    prov_did(s->ctx, PROV_SM2_VERIFY);
    return ty_sm2_sig_from_der(raw, sig, sig_len) == TY_OK
           && ty_sm2_verify_digest(raw, e, &s->key->key.pub) == TY_OK;
}

/* The size is checked before the hash is finished, so that the caller can try again with more
 * room. */
static int sized(signature *s, const unsigned char *out, size_t *out_len, size_t size)
{
    *out_len = TY_SM2_SIG_DER_MAX;
    return !out || size >= TY_SM2_SIG_DER_MAX
           || prov_fail(s->ctx, PROV_SMALL_BUFFER,
                        "a signature has up to %d bytes, there is room for %zu", TY_SM2_SIG_DER_MAX,
                        size);
}

static int end_sign(void *vs, unsigned char *out, size_t *out_len, size_t size)
{
    signature *s = vs;
    uint8_t e[TY_SM3_LEN];
    if (!sized(s, out, out_len, size)) return 0;
    return !out || (end_hash(s, e) && sign_digest(s, out, out_len, size, e));
}

static int end_verify(void *vs, const unsigned char *sig, size_t sig_len)
{
    signature *s = vs;
    uint8_t e[TY_SM3_LEN];
    return end_hash(s, e) && verify_digest(s, sig, sig_len, e);
}

static int ready(const signature *s)
{
    return s->key ? 1 : prov_fail(s->ctx, PROV_BAD_STATE, "no key yet; begin with an init call");
}

static int digest_len(const signature *s, size_t len)
{
    return len == TY_SM3_LEN
           || prov_fail(s->ctx, PROV_BAD_LENGTH,
                        "a digest of SM3 has 32 bytes, not %zu; hash the message first", len);
}

static int sign(void *vs, unsigned char *out, size_t *out_len, size_t size,
                const unsigned char *tbs, size_t len)
{
    signature *s = vs;
    if (!ready(s) || !sized(s, out, out_len, size)) return 0;
    if (!out) return 1;
    if (s->whole_message) return absorb(s, tbs, len) && end_sign(s, out, out_len, size);
    return digest_len(s, len) && sign_digest(s, out, out_len, size, tbs);
}

static int verify(void *vs, const unsigned char *sig, size_t sig_len, const unsigned char *tbs,
                  size_t len)
{
    signature *s = vs;
    if (!ready(s)) return 0;
    if (s->whole_message) return absorb(s, tbs, len) && end_verify(s, sig, sig_len);
    return digest_len(s, len) && verify_digest(s, sig, sig_len, tbs);
}

static int update(void *vs, const unsigned char *msg, size_t len)
{
    signature *s = vs;
    return ready(s) && absorb(s, msg, len);
}

static int end_verify_message(void *vs)
{
    signature *s = vs;
    if (!s->has_sig)
        return prov_fail(s->ctx, PROV_BAD_STATE, "set the signature before the end of the message");
    return ready(s) && end_verify(s, s->sig, s->sig_len);
}

static int digest_init(signature *s, const char *digest, const prov_sm2 *key,
                       const OSSL_PARAM *params, int private_half)
{
    if (digest && *digest && !right_digest(s, digest, strlen(digest))) return 0;
    return begin(s, key, params, private_half, 1);
}

static int digest_sign_init(void *s, const char *digest, void *key, const OSSL_PARAM *params)
{
    return digest_init(s, digest, key, params, 1);
}

static int digest_verify_init(void *s, const char *digest, void *key, const OSSL_PARAM *params)
{
    return digest_init(s, digest, key, params, 0);
}

const OSSL_DISPATCH prov_sm2_signature[] = {
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
    PROV_FN(LATER_SIGNATURE_SIGN_MESSAGE_INIT, sign_message_init),
    PROV_FN(LATER_SIGNATURE_SIGN_MESSAGE_UPDATE, update),
    PROV_FN(LATER_SIGNATURE_SIGN_MESSAGE_FINAL, end_sign),
    PROV_FN(LATER_SIGNATURE_VERIFY_MESSAGE_INIT, verify_message_init),
    PROV_FN(LATER_SIGNATURE_VERIFY_MESSAGE_UPDATE, update),
    PROV_FN(LATER_SIGNATURE_VERIFY_MESSAGE_FINAL, end_verify_message),
    PROV_FN(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, get_ctx_params),
    PROV_FN(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, gettable_ctx_params),
    PROV_FN(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, set_ctx_params),
    PROV_FN(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, settable_ctx_params),
    PROV_FN_END
};
