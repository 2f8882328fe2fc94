/* SM4-GCM for OpenSSL, on the library's streaming interface, because OpenSSL passes a message in
 * several calls: nonce, additional data, text, end, tag.
 *
 * OpenSSL's interface makes decryption write text that is not yet authenticated. The final call
 * does not wipe it, because the caller may have freed or reused that memory by then. An update does
 * not check the tag, even if it is set, because more text may follow. A record of TLS 1.2 and the
 * messages of a pipeline come whole: there a wrong tag leaves zeros. */
#include "aead.h"

#define IV_MAX 128 /* as in OpenSSL's own GCM */

typedef enum iv_state { IV_NONE, IV_SET, IV_USED } iv_state;

typedef struct gcm {
    const prov_ctx *ctx;
    int encrypt, has_key;
    ty_sm4_gcm_key key;
    uint8_t iv[IV_MAX];
    size_t iv_len;
    iv_state iv_state;
    int iv_counts, iv_random; /* TLS 1.2: iv ends in a counter of 8 bytes; iv was drawn here */
    uint8_t tag[AEAD_TAG];
    size_t tag_len; /* 0: no tag was set (decrypting) or made (encrypting) */
    int running; /* stream has a message; iv may already be the next one's */
    ty_sm4_gcm stream;
    uint8_t tls_aad[AEAD_TLS_AAD];
    int has_tls_aad;
    aead_pipes pipes;
} gcm;

static void *new_ctx(void *ctx)
{
    gcm *g = prov_new(ctx, sizeof *g);
    if (!g) return NULL;
    g->ctx = ctx;
    g->iv_len = 12;
    return g;
}

static void free_ctx(void *vg)
{
    gcm *g = vg;
    if (!g) return;
    aead_pipes_free(&g->pipes);
    prov_delete(g, sizeof *g);
}

static void *dup_ctx(void *vg)
{
    gcm *g = vg, *copy = prov_copy(g->ctx, g, sizeof *g);
    if (!copy) return NULL;
    copy->stream.key = &copy->key; /* the stream has a pointer to its key */
    if (aead_pipes_copy(g->ctx, &copy->pipes, &g->pipes)) return copy;
    prov_delete(copy, sizeof *copy);
    return NULL;
}

/* --- One message ------------------------------------------------------------------------------ */

static void new_message(gcm *g)
{
    g->running = 0;
    if (g->encrypt) g->tag_len = 0;
}

static int draw_iv(gcm *g)
{
    const ty_rng *rng = ty_rng_system();
    if (g->iv_len < 12)
        return prov_fail(g->ctx, PROV_BAD_LENGTH,
                         "a random nonce has at least 12 bytes, not %zu; set one", g->iv_len);
    if (!prov_check(g->ctx, rng->fill(rng->ctx, g->iv, g->iv_len), "the nonce")) return 0;
    g->iv_state = IV_SET;
    g->iv_random = 1;
    return 1;
}

static int ready(gcm *g)
{
    if (!g->has_key)
        return prov_fail(g->ctx, PROV_BAD_STATE, "no key yet; set one before the data");
    if (g->iv_state == IV_USED)
        return prov_fail(
            g->ctx, PROV_BAD_STATE,
            "this nonce is used up; set another one, never the same twice under one key");
    if (g->iv_state == IV_SET) return 1;
    return g->encrypt
               ? draw_iv(g)
               : prov_fail(g->ctx, PROV_BAD_STATE, "no nonce yet; set the one of the message");
}

/* Begins a message, unless one is running. From then on its nonce is used up, whether the message
 * ends or not. */
static int begin(gcm *g)
{
    if (g->running) return 1;
    if (!ready(g)
        || !prov_check(g->ctx, ty_sm4_gcm_start(&g->stream, g->iv, g->iv_len, &g->key), "SM4-GCM"))
        return 0;
    g->iv_state = IV_USED;
    g->running = 1;
    return 1;
}

static int take(gcm *g, uint8_t *out, const uint8_t *in, size_t len)
{
    ty_err err = !out         ? ty_sm4_gcm_aad(&g->stream, in, len)
                 : g->encrypt ? ty_sm4_gcm_encrypt(out, in, len, &g->stream)
                              : ty_sm4_gcm_decrypt(out, in, len, &g->stream);
    return err == TY_ERR_STATE && !out
               ? prov_fail(g->ctx, PROV_BAD_STATE, "additional data come before the text")
               : prov_check(g->ctx, err, "SM4-GCM");
}

/* --- A record of TLS 1.2 in place: explicit nonce, text, tag ---------------------------------- */

/* Counts up to the next nonce if this one is used. */
static void count_iv(gcm *g)
{
    if (g->iv_state != IV_USED) return;
    g->iv_state = IV_SET;
    for (size_t i = g->iv_len; i-- > g->iv_len - 8 && ++g->iv[i] == 0;) {
    }
}

static int tls_record(gcm *g, uint8_t *out, size_t *out_len, size_t size, const uint8_t *in,
                      size_t len)
{
    size_t extra = AEAD_TLS_NONCE + AEAD_TAG, n = len - extra;
    g->has_tls_aad = 0;
    if (!g->has_key || !g->iv_counts)
        return prov_fail(g->ctx, PROV_BAD_STATE,
                         "a record of TLS needs a key and \"tlsivfixed\" first");
    if (!in || out != in || len < extra || size < len)
        return prov_fail(g->ctx, PROV_BAD_LENGTH,
                         "a record of TLS is processed in place, and has 24 bytes besides its "
                         "text");
    uint8_t *nonce = g->iv + g->iv_len - AEAD_TLS_NONCE, *text = out + AEAD_TLS_NONCE;
    if (g->encrypt) count_iv(g);
    memcpy(g->encrypt ? out : nonce, g->encrypt ? nonce : in, AEAD_TLS_NONCE);
    ty_err err = g->encrypt ? ty_sm4_gcm_seal(text, text + n, AEAD_TAG, text, n, g->tls_aad,
                                              AEAD_TLS_AAD, g->iv, g->iv_len, &g->key)
                            : ty_sm4_gcm_open(text, text, n, text + n, AEAD_TAG, g->tls_aad,
                                              AEAD_TLS_AAD, g->iv, g->iv_len, &g->key);
    *out_len = err != TY_OK ? 0 : g->encrypt ? len : n;
    g->iv_state = IV_USED;
    return err != TY_ERR_VERIFY && prov_check(g->ctx, err, "SM4-GCM");
}

/* --- What OpenSSL calls ----------------------------------------------------------------------- */

static int update(void *vg, unsigned char *out, size_t *out_len, size_t size,
                  const unsigned char *in, size_t len)
{
    gcm *g = vg;
    *out_len = 0;
    if (g->has_tls_aad) return tls_record(g, out, out_len, size, in, len);
    if (!len) return 1;
    if (!in) return prov_fail(g->ctx, PROV_BAD_PARAMETER, "a length of %zu and no data", len);
    if (out && size < len)
        return prov_fail(g->ctx, PROV_SMALL_BUFFER,
                         "the output has %zu bytes, there is room for %zu",
                         len, size);
    if (!begin(g) || !take(g, out, in, len)) return 0;
    *out_len = len;
    return 1;
}

static int final(void *vg, unsigned char *out, size_t *out_len, size_t size)
{
    gcm *g = vg;
    (void)out, (void)size;
    *out_len = 0;
    if (!g->encrypt && !g->tag_len)
        return prov_fail(g->ctx, PROV_BAD_STATE, "no tag to compare with; set it before the end");
    if (!begin(g)) return 0;
    ty_err err = g->encrypt ? ty_sm4_gcm_final(g->tag, AEAD_TAG, &g->stream)
                            : ty_sm4_gcm_verify(g->tag, g->tag_len, &g->stream);
    g->running = 0;
    g->tag_len = g->encrypt ? AEAD_TAG : 0;
    return err != TY_ERR_VERIFY && prov_check(g->ctx, err, "SM4-GCM");
}

static int one_shot(void *g, unsigned char *out, size_t *out_len, size_t size,
                    const unsigned char *in, size_t len)
{
    return in ? update(g, out, out_len, size, in, len) : final(g, out, out_len, size);
}

/* --- Parameters ------------------------------------------------------------------------------- */

static int set_iv_len(gcm *g, const OSSL_PARAM *p)
{
    uint64_t v;
    if (!prov_get_uint(g->ctx, p, UINT32_MAX, &v)) return 0;
    if (v == 0 || v > IV_MAX)
        return prov_fail(g->ctx, PROV_BAD_LENGTH, "a nonce of GCM has 1 to %d bytes; 12 is usual",
                         IV_MAX);
    if (v != g->iv_len) g->iv_counts = 0;
    if (v != g->iv_len && g->iv_state != IV_NONE)
        g->iv_state = IV_USED; /* the nonce that was set has another length */
    g->iv_len = (size_t)v;
    return 1;
}

static int set_tag(gcm *g, const OSSL_PARAM *p)
{
    const uint8_t *tag;
    size_t len;
    if (!prov_get_octets(g->ctx, p, &tag, &len)) return 0;
    if (g->encrypt)
        return prov_fail(g->ctx, PROV_BAD_STATE,
                         "encryption makes the tag; ask for it after the end");
    if (len < 12 || len > AEAD_TAG)
        return prov_fail(g->ctx, PROV_BAD_LENGTH, "a tag of GCM has 12 to 16 bytes, this one %zu",
                         len);
    memcpy(g->tag, tag, len);
    g->tag_len = len;
    return 1;
}

/* Sets the fixed part of the nonces that follow; the rest is a counter, which begins at a random
 * value if encrypting. OpenSSL's length -1 means that the parameter is the whole first nonce. */
static int set_fixed_iv(gcm *g, const OSSL_PARAM *p)
{
    const ty_rng *rng = ty_rng_system();
    size_t len = p->data_size == SIZE_MAX ? g->iv_len : p->data_size;
    if (p->data_type != OSSL_PARAM_OCTET_STRING || !p->data
        || g->iv_len < AEAD_TLS_FIXED + AEAD_TLS_NONCE || len < AEAD_TLS_FIXED
        || (len > g->iv_len - AEAD_TLS_NONCE && len != g->iv_len))
        return prov_fail(g->ctx, PROV_BAD_LENGTH,
                         "\"tlsivfixed\" has 4 bytes or more, and leaves 8 for the counter");
    memcpy(g->iv, p->data, len);
    if (g->encrypt
        && !prov_check(g->ctx, rng->fill(rng->ctx, g->iv + len, g->iv_len - len), "the nonce"))
        return 0;
    g->iv_counts = 1;
    g->iv_state = IV_SET;
    return 1;
}

static int set_explicit_iv(gcm *g, const OSSL_PARAM *p)
{
    const uint8_t *iv;
    size_t len;
    if (!prov_get_octets(g->ctx, p, &iv, &len)) return 0;
    if (!g->iv_counts || g->encrypt || !len || len > g->iv_len)
        return prov_fail(g->ctx, PROV_BAD_STATE,
                         "\"tlsivinv\" is for decryption, after \"tlsivfixed\"");
    memcpy(g->iv + g->iv_len - len, iv, len);
    g->iv_state = IV_SET;
    new_message(g);
    return 1;
}

static int set_tls_aad(gcm *g, const OSSL_PARAM *p)
{
    const uint8_t *aad;
    size_t len;
    if (!prov_get_octets(g->ctx, p, &aad, &len)) return 0;
    if (len == AEAD_TLS_AAD) memcpy(g->tls_aad, aad, len);
    g->has_tls_aad = len == AEAD_TLS_AAD && aead_tls_length(g->tls_aad, !g->encrypt, AEAD_TAG);
    return g->has_tls_aad
               ? 1
               : prov_fail(g->ctx, PROV_BAD_LENGTH,
                           "the head of a record of TLS has 13 bytes and a length of at least 24");
}

static int set_ctx_params(void *vg, const OSSL_PARAM *params)
{
    gcm *g = vg;
    const OSSL_PARAM *p;
    if (!params || !params->key) return 1;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_AEAD_IVLEN)) && !set_iv_len(g, p)) return 0;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_AEAD_TAG)) && !set_tag(g, p)) return 0;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD)) && !set_tls_aad(g, p)) return 0;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED)) && !set_fixed_iv(g, p))
        return 0;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV)) && !set_explicit_iv(g, p))
        return 0;
    return aead_pipes_set_tags(g->ctx, &g->pipes, params);
}

static int get_tag(gcm *g, OSSL_PARAM *p)
{
    if (!g->encrypt || !g->tag_len)
        return prov_fail(g->ctx, PROV_BAD_STATE,
                         "a tag exists only after the end of an encryption");
    if (p->data && (p->data_size < 12 || p->data_size > AEAD_TAG))
        return prov_fail(g->ctx, PROV_BAD_LENGTH, "a tag of GCM has 12 to 16 bytes, not %zu",
                         p->data_size);
    return prov_set_octets(p, p->key, g->tag, p->data ? p->data_size : g->tag_len);
}

/* Writes the next nonce of TLS 1.2, or its last bytes, and begins a message with it. */
static int next_iv(gcm *g, OSSL_PARAM *p)
{
    if (!g->iv_counts || !g->has_key || !p->data || p->data_type != OSSL_PARAM_OCTET_STRING)
        return prov_fail(g->ctx, PROV_BAD_STATE,
                         "\"tlsivgen\" needs a key and \"tlsivfixed\" first");
    size_t len = p->data_size == 0 || p->data_size > g->iv_len ? g->iv_len : p->data_size;
    count_iv(g);
    memcpy(p->data, g->iv + g->iv_len - len, len);
    p->return_size = len;
    new_message(g);
    return begin(g);
}

static int get_iv(gcm *g, OSSL_PARAM *p)
{
    if (g->iv_state == IV_NONE && g->encrypt && !draw_iv(g)) return 0;
    return prov_set_octets(p, p->key, g->iv, g->iv_len);
}

/* One parameter; the frequent ones are first: OpenSSL asks for a tag and a length with every
 * record. */
static int get_one(gcm *g, OSSL_PARAM *p)
{
    const char *k = p->key;
    if (!strcmp(k, OSSL_CIPHER_PARAM_AEAD_TAG)) return get_tag(g, p);
    if (!strcmp(k, OSSL_CIPHER_PARAM_AEAD_IVLEN)) return prov_set_uint(p, k, g->iv_len);
    if (!strcmp(k, OSSL_CIPHER_PARAM_KEYLEN)) return prov_set_uint(p, k, TY_SM4_BLOCK);
    if (!strcmp(k, OSSL_CIPHER_PARAM_IV) || !strcmp(k, OSSL_CIPHER_PARAM_UPDATED_IV))
        return get_iv(g, p);
    if (!strcmp(k, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN)) return next_iv(g, p);
    if (!strcmp(k, OSSL_CIPHER_PARAM_AEAD_TAGLEN))
        return prov_set_uint(p, k, g->tag_len ? g->tag_len : AEAD_TAG);
    if (!strcmp(k, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD)) return prov_set_uint(p, k, AEAD_TAG);
    if (!strcmp(k, LATER_CIPHER_IV_GENERATED)) return prov_set_uint(p, k, (uint64_t)g->iv_random);
    return aead_pipes_get_tags(g->ctx, &g->pipes, p);
}

static int get_ctx_params(void *g, OSSL_PARAM *params)
{
    for (; params && params->key; params++)
        if (!get_one(g, params)) return 0;
    return 1;
}

static const prov_cipher_facts facts = { 6, TY_SM4_BLOCK, 12, 1, 1, 1 };

static int get_params(OSSL_PARAM *params) { return prov_cipher_get_params(params, &facts); }

/* --- Init calls ------------------------------------------------------------------------------- */

static int set_key(gcm *g, const unsigned char *key, size_t key_len)
{
    if (!key) return 1;
    if (key_len != TY_SM4_BLOCK)
        return prov_fail(g->ctx, PROV_BAD_LENGTH, "a key of SM4 has 16 bytes, this one %zu",
                         key_len);
    ty_sm4_gcm_init(&g->key, key);
    g->has_key = 1;
    prov_did(g->ctx, g->encrypt ? PROV_SM4_ENCRYPT_KEY : PROV_SM4_DECRYPT_KEY);
    return 1;
}

static int init(gcm *g, int encrypt, const unsigned char *key, size_t key_len,
                const unsigned char *iv, size_t iv_len, const OSSL_PARAM *params)
{
    if (g->encrypt != encrypt) g->tag_len = 0; /* made by an encryption, or set for a decryption */
    g->encrypt = encrypt;
    if (iv) {
        if (iv_len == 0 || iv_len > IV_MAX)
            return prov_fail(g->ctx, PROV_BAD_LENGTH,
                             "a nonce of GCM has 1 to %d bytes, this one %zu", IV_MAX, iv_len);
        memcpy(g->iv, iv, iv_len);
        if (iv_len != g->iv_len) g->iv_counts = 0;
        g->iv_len = iv_len;
        g->iv_state = IV_SET;
        g->iv_random = 0;
    }
    if (iv || key) new_message(g);
    return set_key(g, key, key_len) && set_ctx_params(g, params);
}

static int encrypt_init(void *g, const unsigned char *key, size_t key_len, const unsigned char *iv,
                        size_t iv_len, const OSSL_PARAM *params)
{
    return init(g, 1, key, key_len, iv, iv_len, params);
}

static int decrypt_init(void *g, const unsigned char *key, size_t key_len, const unsigned char *iv,
                        size_t iv_len, const OSSL_PARAM *params)
{
    return init(g, 0, key, key_len, iv, iv_len, params);
}

static int pipeline_encrypt_init(void *vg, const unsigned char *key, size_t key_len, size_t n,
                                 const unsigned char **iv, size_t iv_len, const OSSL_PARAM *params)
{
    gcm *g = vg;
    g->encrypt = 1;
    return aead_pipes_init(g->ctx, &g->pipes, n, iv, iv_len) && set_key(g, key, key_len)
           && set_ctx_params(g, params);
}

static int pipeline_decrypt_init(void *vg, const unsigned char *key, size_t key_len, size_t n,
                                 const unsigned char **iv, size_t iv_len, const OSSL_PARAM *params)
{
    gcm *g = vg;
    g->encrypt = 0;
    return aead_pipes_init(g->ctx, &g->pipes, n, iv, iv_len) && set_key(g, key, key_len)
           && set_ctx_params(g, params);
}

static aead_key key_of(const gcm *g)
{
    return (aead_key){ g->has_key ? &g->key : NULL, NULL, AEAD_TAG };
}

static int pipeline_update(void *vg, size_t n, unsigned char **out, size_t *out_len,
                           const size_t *size, const unsigned char **in, const size_t *len)
{
    gcm *g = vg;
    aead_key key = key_of(g);
    return aead_pipes_update(g->ctx, &g->pipes, &key, g->encrypt, n, out, out_len, size, in, len);
}

static int pipeline_final(void *vg, size_t n, unsigned char **out, size_t *out_len,
                          const size_t *size)
{
    gcm *g = vg;
    aead_key key = key_of(g);
    (void)out, (void)out_len, (void)size;
    return aead_pipes_final(g->ctx, &g->pipes, &key, g->encrypt, n);
}

AEAD_TABLE(gcm);
