/* SM3 for OpenSSL. */
#include "provider.h"

typedef struct digest {
    const prov_ctx *ctx;
    ty_sm3 h;
} digest;

static void *new_digest(void *ctx)
{
    digest *d = prov_new(ctx, sizeof *d);
    if (!d) return NULL;
    d->ctx = ctx;
    ty_sm3_init(&d->h);
    prov_did(ctx, PROV_SM3_CONTEXT);
    return d;
}

static void free_digest(void *d) { prov_delete(d, sizeof(digest)); }

static void *dup_digest(void *from)
{
    return prov_copy(((digest *)from)->ctx, from, sizeof(digest));
}

static int init(void *d, const OSSL_PARAM *params)
{
    (void)params;
    ty_sm3_init(&((digest *)d)->h);
    return 1;
}

static int update(void *d, const unsigned char *in, size_t len)
{
    ty_sm3_update(&((digest *)d)->h, in, len);
    return 1;
}

static int final(void *vd, unsigned char *out, size_t *out_len, size_t size)
{
    digest *d = vd;
    if (size < TY_SM3_LEN)
        return prov_fail(d->ctx, PROV_SMALL_BUFFER,
                         "a digest of SM3 has 32 bytes, there is room for %zu", size);
    ty_sm3_final(out, &d->h);
    ty_sm3_init(&d->h);
    *out_len = TY_SM3_LEN;
    return 1;
}

static int one_shot(void *ctx, const unsigned char *in, size_t len, unsigned char *out,
                    size_t *out_len, size_t size)
{
    if (size < TY_SM3_LEN)
        return prov_fail(ctx, PROV_SMALL_BUFFER,
                         "a digest of SM3 has 32 bytes, there is room for %zu", size);
    prov_did(ctx, PROV_SM3_CONTEXT);
    ty_sm3_hash(out, in, len);
    *out_len = TY_SM3_LEN;
    return 1;
}

static int get_params(OSSL_PARAM *params)
{
    return prov_set_uint(params, OSSL_DIGEST_PARAM_BLOCK_SIZE, TY_SM3_BLOCK)
           && prov_set_uint(params, OSSL_DIGEST_PARAM_SIZE, TY_SM3_LEN)
           && prov_set_uint(params, OSSL_DIGEST_PARAM_XOF, 0)
           && prov_set_uint(params, OSSL_DIGEST_PARAM_ALGID_ABSENT,
                            0); /* as OpenSSL's own, so that CMS is the same byte for byte */
}

static const OSSL_PARAM gettable[] = { PROV_UINT(OSSL_DIGEST_PARAM_BLOCK_SIZE),
                                       PROV_UINT(OSSL_DIGEST_PARAM_SIZE),
                                       PROV_INT(OSSL_DIGEST_PARAM_XOF),
                                       PROV_INT(OSSL_DIGEST_PARAM_ALGID_ABSENT), PROV_END };

static const OSSL_PARAM *gettable_params(void *ctx)
{
    (void)ctx;
    return gettable;
}

/* A serialized state: a magic number, which includes the version of the format, and the state as it
 * is in memory. Both are in the machine's byte order, so a state in the other order is refused. */
static const uint32_t magic = 0x53333101;
#define SERIAL_LEN (sizeof magic + sizeof(ty_sm3))

static int serialize(void *vd, unsigned char *out, size_t *out_len)
{
    digest *d = vd;
    if (!out) {
        *out_len = SERIAL_LEN;
        return 1;
    }
    if (*out_len < SERIAL_LEN)
        return prov_fail(d->ctx, PROV_SMALL_BUFFER,
                         "a state of SM3 has %zu bytes, there is room for %zu", SERIAL_LEN,
                         *out_len);
    memcpy(out, &magic, sizeof magic);
    memcpy(out + sizeof magic, &d->h, sizeof d->h);
    *out_len = SERIAL_LEN;
    return 1;
}

static int deserialize(void *vd, const unsigned char *in, size_t len)
{
    digest *d = vd;
    if (len != SERIAL_LEN || memcmp(in, &magic, sizeof magic) != 0)
        return prov_fail(d->ctx, PROV_BAD_ENCODING,
                         "this is not a state of SM3 in this module's format and byte order");
    memcpy(&d->h, in + sizeof magic, sizeof d->h);
    return 1;
}

const OSSL_DISPATCH prov_sm3[] = { PROV_FN(OSSL_FUNC_DIGEST_NEWCTX, new_digest),
                                   PROV_FN(OSSL_FUNC_DIGEST_FREECTX, free_digest),
                                   PROV_FN(OSSL_FUNC_DIGEST_DUPCTX, dup_digest),
                                   PROV_FN(OSSL_FUNC_DIGEST_INIT, init),
                                   PROV_FN(OSSL_FUNC_DIGEST_UPDATE, update),
                                   PROV_FN(OSSL_FUNC_DIGEST_FINAL, final),
                                   PROV_FN(OSSL_FUNC_DIGEST_DIGEST, one_shot),
                                   PROV_FN(OSSL_FUNC_DIGEST_GET_PARAMS, get_params),
                                   PROV_FN(OSSL_FUNC_DIGEST_GETTABLE_PARAMS, gettable_params),
                                   PROV_FN(LATER_DIGEST_SERIALIZE, serialize),
                                   PROV_FN(LATER_DIGEST_DESERIALIZE, deserialize),
                                   PROV_FN_END };
