/* Pipelines of SM4-GCM and SM4-CCM: up to 32 messages under one key, each with its own nonce,
 * processed together by the multi-buffer functions (tongyu/sm4_many.h). */
#include "aead.h"

#define GCM_TAG_MIN 12

const OSSL_PARAM *aead_gettable(void *c, void *ctx)
{
    static const OSSL_PARAM list[] = {
        PROV_UINT(OSSL_CIPHER_PARAM_KEYLEN),
        PROV_UINT(OSSL_CIPHER_PARAM_AEAD_IVLEN),
        PROV_UINT(OSSL_CIPHER_PARAM_AEAD_TAGLEN),
        PROV_OCTETS(OSSL_CIPHER_PARAM_IV),
        PROV_OCTETS(OSSL_CIPHER_PARAM_UPDATED_IV),
        PROV_OCTETS(OSSL_CIPHER_PARAM_AEAD_TAG),
        PROV_UINT(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD),
        PROV_OCTETS(OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN),
        PROV_UINT(LATER_CIPHER_IV_GENERATED),
        PROV_PTR(LATER_CIPHER_PIPELINE_TAG),
        PROV_END
    };
    (void)c, (void)ctx;
    return list;
}

const OSSL_PARAM *aead_settable(void *c, void *ctx)
{
    static const OSSL_PARAM list[] = {
        PROV_UINT(OSSL_CIPHER_PARAM_AEAD_IVLEN),
        PROV_OCTETS(OSSL_CIPHER_PARAM_AEAD_TAG),
        PROV_OCTETS(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD),
        PROV_OCTETS(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED),
        PROV_OCTETS(OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV),
        PROV_PTR(LATER_CIPHER_PIPELINE_TAG),
        PROV_END
    };
    (void)c, (void)ctx;
    return list;
}

int aead_tls_length(uint8_t aad[AEAD_TLS_AAD], int sealed, size_t tag_len)
{
    size_t len = (size_t)aad[11] << 8 | aad[12], extra = AEAD_TLS_NONCE + (sealed ? tag_len : 0);
    if (len < extra) return 0;
    aad[11] = (uint8_t)((len - extra) >> 8);
    aad[12] = (uint8_t)(len - extra);
    return 1;
}

int aead_pipes_init(const prov_ctx *ctx, aead_pipes *p, size_t n, const unsigned char **iv,
                    size_t iv_len)
{
    if (n > AEAD_PIPES_MAX)
        return prov_fail(ctx, PROV_BAD_PARAMETER, "a pipeline has at most %d messages, not %zu",
                         AEAD_PIPES_MAX, n);
    if (iv && (iv_len == 0 || iv_len > sizeof p->pipe->iv))
        return prov_fail(ctx, PROV_BAD_LENGTH, "a nonce of a pipeline has 1 to 16 bytes, not %zu",
                         iv_len);
    aead_pipe *pipe = n ? prov_new(ctx, n * sizeof *pipe) : NULL;
    if (n && !pipe) return 0;
    aead_pipes_free(p);
    p->pipe = pipe;
    p->n = n;
    p->iv_len = iv ? iv_len : 0;
    for (size_t i = 0; iv && i < n; i++)
        if (iv[i]) memcpy(pipe[i].iv, iv[i], iv_len);
        else p->iv_len = 0;   /* no nonces yet */
    return 1;
}

int aead_pipes_copy(const prov_ctx *ctx, aead_pipes *to, const aead_pipes *from)
{
    *to = *from;
    if (!from->pipe) return 1;
    to->pipe = prov_copy(ctx, from->pipe, from->n * sizeof *from->pipe);
    return to->pipe != NULL;
}

void aead_pipes_free(aead_pipes *p)
{
    prov_delete(p->pipe, p->n * sizeof *p->pipe);
    memset(p, 0, sizeof *p);
}

/* The parameter is an array of pointers, one for each message, to tags of data_size bytes. */
int aead_pipes_set_tags(const prov_ctx *ctx, aead_pipes *p, const OSSL_PARAM *params)
{
    const OSSL_PARAM *q = prov_param(params, LATER_CIPHER_PIPELINE_TAG);
    if (!q) return 1;
    if (q->data_type != OSSL_PARAM_OCTET_PTR || !q->data || q->data_size < 4
        || q->data_size > AEAD_TAG)
        return prov_fail(ctx, PROV_BAD_PARAMETER,
                         "\"pipeline-tag\" is an array of pointers to tags of 4 to 16 bytes");
    for (size_t i = 0; i < p->n; i++)
        memcpy(p->pipe[i].tag, ((const void *const *)q->data)[i], q->data_size);
    p->tag_len = q->data_size;
    return 1;
}

int aead_pipes_get_tags(const prov_ctx *ctx, const aead_pipes *p, OSSL_PARAM *params)
{
    OSSL_PARAM *q = (OSSL_PARAM *)prov_param(params, LATER_CIPHER_PIPELINE_TAG);
    if (!q) return 1;
    if (q->data_type != OSSL_PARAM_OCTET_PTR || !q->data)
        return prov_fail(ctx, PROV_BAD_PARAMETER,
                         "\"pipeline-tag\" is an array of pointers to room for tags");
    if (!p->made_max)
        return prov_fail(ctx, PROV_BAD_STATE,
                         "tags exist only after the end of the messages of an encryption");
    if (q->data_size < p->made_min || q->data_size > p->made_max)
        return prov_fail(ctx, PROV_BAD_LENGTH,
                         "the tags were made with %zu bytes, not %zu; set their length before the "
                         "data",
                         p->made_max, q->data_size);
    for (size_t i = 0; i < p->n; i++)
        memcpy(((void *const *)q->data)[i], p->pipe[i].tag, q->data_size);
    q->return_size = q->data_size;
    return 1;
}

static ty_err run_gcm(aead_pipes *p, const aead_key *key, int encrypt, unsigned char **out,
                      const unsigned char **in, const size_t *len, size_t tag_len)
{
    ty_sm4_gcm_job jobs[AEAD_PIPES_MAX];
    for (size_t i = 0; i < p->n; i++)
        jobs[i] = (ty_sm4_gcm_job){ out ? out[i] : NULL,
                                    p->pipe[i].tag,
                                    tag_len,
                                    in ? in[i] : NULL,
                                    len ? len[i] : 0,
                                    p->pipe[i].aad,
                                    p->pipe[i].aad_len,
                                    p->pipe[i].iv,
                                    p->iv_len,
                                    key->gcm,
                                    TY_OK };
    return (encrypt ? ty_sm4_many_gcm_seal : ty_sm4_many_gcm_open)(jobs, p->n);
}

static ty_err run_ccm(aead_pipes *p, const aead_key *key, int encrypt, unsigned char **out,
                      const unsigned char **in, const size_t *len, size_t tag_len)
{
    ty_sm4_ccm_job jobs[AEAD_PIPES_MAX];
    for (size_t i = 0; i < p->n; i++)
        jobs[i] = (ty_sm4_ccm_job){ out ? out[i] : NULL,
                                    p->pipe[i].tag,
                                    tag_len,
                                    in ? in[i] : NULL,
                                    len ? len[i] : 0,
                                    p->pipe[i].aad,
                                    p->pipe[i].aad_len,
                                    p->pipe[i].iv,
                                    p->iv_len,
                                    key->ccm,
                                    TY_OK };
    return (encrypt ? ty_sm4_many_ccm_seal : ty_sm4_many_ccm_open)(jobs, p->n);
}

static int run(const prov_ctx *ctx, aead_pipes *p, const aead_key *key, int encrypt,
               unsigned char **out, const unsigned char **in, const size_t *len)
{
    if (!key->gcm && !key->ccm)
        return prov_fail(ctx, PROV_BAD_STATE, "no key yet; set one before the data");
    if (!p->iv_len)
        return prov_fail(ctx, PROV_BAD_STATE,
                         "no nonces yet; a pipeline begins with one for each message");
    if (!encrypt && !p->tag_len)
        return prov_fail(
            ctx, PROV_BAD_STATE,
            "a pipeline checks before it decrypts: set \"pipeline-tag\" before the data");
    ty_err err = (key->gcm ? run_gcm : run_ccm)(p, key, encrypt, out, in, len,
                                                encrypt ? key->tag_len : p->tag_len);
    p->done = 1;
    p->right = err == TY_OK;
    if (encrypt && p->right) {
        p->made_max = key->tag_len;
        p->made_min = key->gcm ? GCM_TAG_MIN : key->tag_len;
    }
    return p->right || (!encrypt && err == TY_ERR_VERIFY) || prov_check(ctx, err, "SM4");
}

static int gather(const prov_ctx *ctx, aead_pipes *p, const unsigned char **in, const size_t *len)
{
    if (p->done) return prov_fail(ctx, PROV_BAD_STATE, "additional data come before the text");
    for (size_t i = 0; i < p->n; i++)
        if (len[i] > AEAD_AAD_SHORT - p->pipe[i].aad_len)
            return prov_fail(
                ctx, PROV_BAD_LENGTH,
                "a pipeline takes at most %d bytes of additional data; pass one message at a time",
                AEAD_AAD_SHORT);
    for (size_t i = 0; i < p->n; i++) {
        if (len[i]) memcpy(p->pipe[i].aad + p->pipe[i].aad_len, in[i], len[i]);
        p->pipe[i].aad_len += len[i];
    }
    return 1;
}

int aead_pipes_update(const prov_ctx *ctx, aead_pipes *p, const aead_key *key, int encrypt,
                      size_t n, unsigned char **out, size_t *out_len, const size_t *size,
                      const unsigned char **in, const size_t *len)
{
    if (n != p->n || !n)
        return prov_fail(ctx, PROV_BAD_STATE, "the pipeline was begun with %zu messages, not %zu",
                         p->n, n);
    if (!out || !out[0]) return gather(ctx, p, in, len);
    if (p->done)
        return prov_fail(ctx, PROV_BAD_STATE,
                         "a pipeline takes the text of its messages in one update");
    for (size_t i = 0; i < n; i++)
        if (size[i] < len[i])
            return prov_fail(ctx, PROV_SMALL_BUFFER,
                             "the output has %zu bytes, there is room for %zu",
                             len[i], size[i]);
    if (!run(ctx, p, key, encrypt, out, in, len)) return 0;
    for (size_t i = 0; i < n; i++) out_len[i] = len[i];
    return 1;
}

int aead_pipes_final(const prov_ctx *ctx, aead_pipes *p, const aead_key *key, int encrypt, size_t n)
{
    if (n != p->n || !n)
        return prov_fail(ctx, PROV_BAD_STATE, "the pipeline was begun with %zu messages, not %zu",
                         p->n, n);
    return (p->done || run(ctx, p, key, encrypt, NULL, NULL, NULL)) && p->right;
}
