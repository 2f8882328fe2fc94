/* curveSM2: the Diffie-Hellman exchange of TLS 1.3 on SM2's curve (RFC 8998, 3.3). The shared
 * secret is the x coordinate. */
#include "provider.h"

#define SECRET_LEN 32

/* libcrypto does not always keep the peer's key alive as long as the context: not before OpenSSL
 * 3.5 and the later releases of 3.0 to 3.4 (pull request 26976), and not for copies of the context.
 * So the peer's key is copied. */
typedef struct exchange {
    const prov_ctx *ctx;
    const prov_sm2 *key;
    ty_sm2_pub peer;
    int has_peer;
} exchange;

static void *new_exchange(void *ctx)
{
    exchange *e = prov_new(ctx, sizeof *e);
    if (e) e->ctx = ctx;
    return e;
}

static void free_exchange(void *ve)
{
    exchange *e = ve;
    if (e) prov_sm2_free(e->key);
    prov_delete(e, sizeof *e);
}

static void *dup_exchange(void *ve)
{
    exchange *e = ve, *copy = prov_copy(e->ctx, e, sizeof *e);
    if (copy && copy->key) prov_hold(&copy->key->holders);
    return copy;
}

static int init(void *ve, void *key, const OSSL_PARAM *params)
{
    exchange *e = ve;
    (void)params;
    if (key) prov_sm2_keep(&e->key, key);
    return (e->key && e->key->has_priv)
           || prov_fail(e->ctx, PROV_BAD_KEY, "an exchange needs a key with its private half");
}

static int set_peer(void *ve, void *vpeer)
{
    exchange *e = ve;
    const prov_sm2 *peer = vpeer;
    if (!peer || !peer->has_pub)
        return prov_fail(e->ctx, PROV_BAD_KEY, "the peer's public key is missing");
    e->peer = peer->key.pub;
    e->has_peer = 1;
    return 1;
}

static int derive(void *ve, unsigned char *out, size_t *out_len, size_t size)
{
    const exchange *e = ve;
    if (!e->key || !e->has_peer)
        return prov_fail(e->ctx, PROV_BAD_STATE, "set your own key and the peer's first");
    *out_len = SECRET_LEN;
    if (!out) return 1;
    if (size < SECRET_LEN)
        return prov_fail(e->ctx, PROV_SMALL_BUFFER,
                         "the secret has 32 bytes, there is room for %zu", size);
    if (!prov_check(e->ctx, ty_sm2_ecdh(out, &e->peer, &e->key->key),
                    "the peer's public key"))
        return 0;
    prov_did(e->ctx, PROV_CURVESM2_DERIVE);
    return 1;
}

static int set_ctx_params(void *e, const OSSL_PARAM *params)
{
    (void)e, (void)params;
    return 1;
}

static const OSSL_PARAM *settable_ctx_params(void *e, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_END };
    (void)e, (void)ctx;
    return list;
}

const OSSL_DISPATCH prov_sm2_exchange[] = {
    PROV_FN(OSSL_FUNC_KEYEXCH_NEWCTX, new_exchange),
    PROV_FN(OSSL_FUNC_KEYEXCH_FREECTX, free_exchange),
    PROV_FN(OSSL_FUNC_KEYEXCH_DUPCTX, dup_exchange),
    PROV_FN(OSSL_FUNC_KEYEXCH_INIT, init),
    PROV_FN(OSSL_FUNC_KEYEXCH_SET_PEER, set_peer),
    PROV_FN(OSSL_FUNC_KEYEXCH_DERIVE, derive),
    PROV_FN(OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS, set_ctx_params),
    PROV_FN(OSSL_FUNC_KEYEXCH_SETTABLE_CTX_PARAMS, settable_ctx_params),
    PROV_FN_END
};
