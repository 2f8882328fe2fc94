/* SM4-ECB, CBC, CFB, OFB and CTR for OpenSSL: one message, or up to 32 side by side (pipelines,
 * OpenSSL 3.5).
 *
 * OpenSSL reads and sets what the library's streams do not expose (num, updated-iv, and padding
 * after the beginning), so the state of a message is kept here, and the library's one-shot
 * functions process whole blocks. */
#include "provider.h"

#define BLOCK TY_SM4_BLOCK
#define PIPES_MAX 32 /* EVP_MAX_PIPES */

typedef enum mode { ECB, CBC, CFB, OFB, CTR } mode;

static const prov_cipher_facts modes[] = { [ECB] = { 1, BLOCK, 0, BLOCK, 0, 0 },
                                           [CBC] = { 2, BLOCK, BLOCK, BLOCK, 0, 0 },
                                           [CFB] = { 3, BLOCK, BLOCK, 1, 0, 0 },
                                           [OFB] = { 4, BLOCK, BLOCK, 1, 0, 0 },
                                           [CTR] = { 5, BLOCK, BLOCK, 1, 0, 0 } };

typedef struct message {
    uint8_t iv[BLOCK];   /* last ciphertext, feedback register (CFB, OFB), or next counter */
    uint8_t held[BLOCK]; /* ECB, CBC: input that waits; CTR: the current block of keystream */
    uint32_t num;        /* ECB, CBC: bytes of held; else bytes used of keystream or register */
} message;

typedef struct cipher {
    const prov_ctx *ctx;
    mode mode;
    int encrypt, pad, has_key, has_iv;
    ty_sm4_key key;
    uint8_t first_iv[BLOCK];
    message one, *pipes;
    size_t n_pipes;
    int pipes_have_iv;
} cipher;

static int is_block(const cipher *c) { return c->mode == ECB || c->mode == CBC; }

static void *new_cipher(void *ctx, mode which)
{
    cipher *c = prov_new(ctx, sizeof *c);
    if (!c) return NULL;
    c->ctx = ctx;
    c->mode = which;
    c->pad = 1;
    return c;
}

static void free_cipher(void *vc)
{
    cipher *c = vc;
    if (!c) return;
    prov_delete(c->pipes, c->n_pipes * sizeof *c->pipes);
    prov_delete(c, sizeof *c);
}

static void *dup_cipher(void *vc)
{
    cipher *c = vc, *copy = prov_copy(c->ctx, c, sizeof *c);
    if (copy && c->pipes
        && !(copy->pipes = prov_copy(c->ctx, c->pipes, c->n_pipes * sizeof *c->pipes))) {
        prov_delete(copy, sizeof *copy);
        return NULL;
    }
    return copy;
}

/* --- Whole blocks ----------------------------------------------------------------------------- */

static void add_to_counter(uint8_t counter[BLOCK], uint64_t blocks)
{
    for (int i = BLOCK - 1; i >= 0 && blocks; i--) {
        blocks += counter[i];
        counter[i] = (uint8_t)blocks;
        blocks >>= 8;
    }
}

/* out = the encrypted or decrypted blocks in[len], len > 0, a multiple of BLOCK; m->iv is updated.
 * `out` may be `in`. */
static int run(const cipher *c, message *m, uint8_t *out, const uint8_t *in, size_t len)
{
    uint8_t last[BLOCK];
    ty_err err = TY_OK;
    memcpy(last, in + len - BLOCK, BLOCK);
    switch (c->mode) {
    case ECB:
        err = (c->encrypt ? ty_sm4_ecb_encrypt : ty_sm4_ecb_decrypt)(out, in, len, &c->key);
        break;
    case CBC:
        err = (c->encrypt ? ty_sm4_cbc_encrypt : ty_sm4_cbc_decrypt)(out, in, len, m->iv, &c->key);
        memcpy(m->iv, c->encrypt ? out + len - BLOCK : last, BLOCK);
        break;
    case CFB:
        (c->encrypt ? ty_sm4_cfb_encrypt : ty_sm4_cfb_decrypt)(out, in, len, m->iv, &c->key);
        memcpy(m->iv, c->encrypt ? out + len - BLOCK : last, BLOCK);
        break;
    case OFB:
        ty_sm4_ofb(out, in, len, m->iv, &c->key);
        for (int i = 0; i < BLOCK; i++) m->iv[i] = last[i] ^ out[len - BLOCK + (size_t)i];
        break;
    case CTR:
        ty_sm4_ctr(out, in, len, m->iv, &c->key);
        add_to_counter(m->iv, len / BLOCK);
        break;
    }
    ty_wipe(last, sizeof last);
    return prov_check(c->ctx, err, "SM4");
}

/* --- Modes of whole blocks --------------------------------------------------------------------
 * Input that does not fill a block waits in m->held; with padding, decryption also holds back the
 * last block. */

/* Processes whole blocks, `todo` bytes, where m->num bytes are held from the call before;
 * afterwards the last `keep` bytes of the input are held. It uses a buffer, because `out` may be
 * `in`, and the bytes held make the output run ahead of the input. */
static int run_shifted(const cipher *c, message *m, uint8_t *out, size_t todo, const uint8_t *in,
                       size_t keep)
{
    uint8_t buffer[256];
    size_t have = m->num;
    int ok = 1;
    while (ok && todo) {
        size_t n = todo < sizeof buffer ? todo : sizeof buffer;
        memcpy(buffer, m->held, have);
        memcpy(buffer + have, in, n - have);
        in += n - have;
        todo -= n;
        if (!todo) have = keep;
        memcpy(m->held, in, have);
        in += have;
        ok = run(c, m, buffer, buffer, n);
        memcpy(out, buffer, n);
        out += n;
    }
    ty_wipe(buffer, sizeof buffer);
    return ok;
}

/* The bytes that wait after an update of len bytes: less than a block; when decrypting with
 * padding, 1 to 16 bytes, because the last block may be padded. */
static size_t kept_back(const cipher *c, const message *m, size_t len)
{
    size_t total = m->num + len;
    return !c->encrypt && c->pad && total ? (total - 1) % BLOCK + 1 : total % BLOCK;
}

static int update_blocks(const cipher *c, message *m, uint8_t *out, size_t *out_len, size_t size,
                         const uint8_t *in, size_t len)
{
    size_t keep = kept_back(c, m, len), todo = m->num + len - keep;
    int ok = 1;
    if (todo > size)
        return prov_fail(c->ctx, PROV_SMALL_BUFFER,
                         "the output has %zu bytes, there is room for %zu",
                         todo, size);
    if (!todo && len) memcpy(m->held + m->num, in, len);
    else if (m->num) ok = run_shifted(c, m, out, todo, in, keep);
    else if (todo) {
        memcpy(m->held, in + todo, keep);
        ok = run(c, m, out, in, todo);
    }
    m->num = (uint32_t)keep;
    *out_len = ok ? todo : 0;
    return ok;
}

/* The number of bytes of padding, 1 to 16, or 0 if the padding is wrong. The time does not depend
 * on the bytes. */
static unsigned padding_of(const uint8_t block[BLOCK])
{
    uint32_t n = block[BLOCK - 1],
             wrong = (n - 1) >> 4; /* 0 if n is 1 to 16 */
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint32_t is_padding = (i - n) >> 31; /* 1 for i < n */
        wrong |= (0 - is_padding) & (block[BLOCK - 1 - i] ^ n);
    }
    return n & (((wrong - 1) & ~wrong) >> 31 ? 0xff : 0);
}

/* The end of a message: the last output, and the state of the message after it. The message keeps
 * its state until the output is written, so that a caller with too little room can try again with
 * more. */
typedef struct ending {
    message after;
    uint8_t block[BLOCK];
    size_t len;
} ending;

static int make_end(const cipher *c, const message *m, ending *e, size_t size)
{
    e->after = *m;
    e->len = 0;
    if (!c->pad && !m->num) return 1;
    if (!(c->encrypt && c->pad) && m->num != BLOCK)
        return prov_fail(
            c->ctx, PROV_BAD_LENGTH,
            "the message is not whole blocks of 16 bytes; it is cut, or needs padding");
    memset(e->after.held + m->num, (int)(BLOCK - m->num), BLOCK - m->num);
    if (!run(c, &e->after, e->block, e->after.held, BLOCK)) return 0;
    e->after.num = 0;
    e->len = BLOCK;
    if (!c->encrypt && c->pad) e->len -= padding_of(e->block);
    if (!c->encrypt && c->pad && e->len == BLOCK)
        return prov_fail(c->ctx, PROV_BAD_ENCODING,
                         "wrong padding: another key or IV, or the message was altered");
    return e->len <= size
           || prov_fail(c->ctx, PROV_SMALL_BUFFER,
                        "the output has %zu bytes, there is room for %zu",
                        e->len, size);
}

static void write_end(message *m, const ending *e, uint8_t *out, size_t *out_len)
{
    if (e->len) memcpy(out, e->block, e->len);
    *out_len = e->len;
    *m = e->after;
}

static int final_block(const cipher *c, message *m, uint8_t *out, size_t *out_len, size_t size)
{
    ending e;
    *out_len = 0;
    int ok = make_end(c, m, &e, size);
    if (ok) write_end(m, &e, out, out_len);
    ty_wipe(&e, sizeof e);
    return ok;
}

/* --- Stream modes: CFB, OFB, CTR -------------------------------------------------------------- */

static uint8_t one_byte(const cipher *c, message *m, uint8_t in)
{
    uint8_t out = in ^ (c->mode == CTR ? m->held : m->iv)[m->num];
    if (c->mode == CFB) m->iv[m->num] = c->encrypt ? out : in;
    m->num = (m->num + 1) % BLOCK;
    return out;
}

static int update_bytes(const cipher *c, message *m, uint8_t *out, size_t *out_len, size_t size,
                        const uint8_t *in, size_t len)
{
    size_t i = 0, whole;
    if (len > size)
        return prov_fail(c->ctx, PROV_SMALL_BUFFER,
                         "the output has %zu bytes, there is room for %zu",
                         len, size);
    while (i < len && m->num) out[i] = one_byte(c, m, in[i]), i++;
    whole = (len - i) / BLOCK * BLOCK;
    if (whole && !run(c, m, out + i, in + i, whole)) return 0;
    i += whole;
    if (i < len) {
        uint8_t *running = c->mode == CTR ? m->held : m->iv;
        if (!prov_check(c->ctx, ty_sm4_ecb_encrypt(running, m->iv, BLOCK, &c->key), "SM4"))
            return 0;
        if (c->mode == CTR) add_to_counter(m->iv, 1);
    }
    while (i < len) out[i] = one_byte(c, m, in[i]), i++;
    *out_len = len;
    return 1;
}

/* --- What OpenSSL calls ----------------------------------------------------------------------- */

static int set_ctx_params(void *vc, const OSSL_PARAM *params)
{
    cipher *c = vc;
    const OSSL_PARAM *p;
    uint64_t v;
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_PADDING))) {
        if (!prov_get_uint(c->ctx, p, UINT32_MAX, &v)) return 0;
        c->pad = v != 0;
    }
    if ((p = prov_param(params, OSSL_CIPHER_PARAM_NUM))) {
        if (!prov_get_uint(c->ctx, p, BLOCK - 1, &v)) return 0;
        if (!is_block(c)) c->one.num = (uint32_t)v;   /* ECB and CBC hold no part of a keystream */
    }
    return 1;
}

static int set_key(cipher *c, const unsigned char *key, size_t key_len)
{
    if (!key) return 1;
    if (key_len != BLOCK)
        return prov_fail(c->ctx, PROV_BAD_LENGTH, "a key of SM4 has 16 bytes, this one %zu",
                         key_len);
    ty_sm4_init(&c->key, key);
    c->has_key = 1;
    prov_did(c->ctx, c->encrypt ? PROV_SM4_ENCRYPT_KEY : PROV_SM4_DECRYPT_KEY);
    return 1;
}

static int init(cipher *c, int encrypt, const unsigned char *key, size_t key_len,
                const unsigned char *iv, size_t iv_len, const OSSL_PARAM *params)
{
    c->encrypt = encrypt;
    c->one.num = 0;
    if (iv && c->mode != ECB) {
        if (iv_len != BLOCK)
            return prov_fail(c->ctx, PROV_BAD_LENGTH, "an IV of SM4 has 16 bytes, this one %zu",
                             iv_len);
        memcpy(c->first_iv, iv, BLOCK);
        memcpy(c->one.iv, iv, BLOCK);
        c->has_iv = 1;
    } else if (c->has_iv && c->mode != CTR)
        memcpy(c->one.iv, c->first_iv,
               BLOCK); /* as OpenSSL's own: these modes begin again, CTR continues */
    return set_key(c, key, key_len) && set_ctx_params(c, params);
}

static int encrypt_init(void *c, const unsigned char *key, size_t key_len, const unsigned char *iv,
                        size_t iv_len, const OSSL_PARAM *params)
{
    return init(c, 1, key, key_len, iv, iv_len, params);
}

static int decrypt_init(void *c, const unsigned char *key, size_t key_len, const unsigned char *iv,
                        size_t iv_len, const OSSL_PARAM *params)
{
    return init(c, 0, key, key_len, iv, iv_len, params);
}

static int ready(const cipher *c)
{
    return c->has_key ? 1
                      : prov_fail(c->ctx, PROV_BAD_STATE, "no key yet; set one before the data");
}

static int update(void *vc, unsigned char *out, size_t *out_len, size_t size,
                  const unsigned char *in, size_t len)
{
    cipher *c = vc;
    *out_len = 0;
    if (!in && len)
        return prov_fail(c->ctx, PROV_BAD_PARAMETER, "a length of %zu and no data", len);
    return ready(c)
           && (is_block(c) ? update_blocks : update_bytes)(c, &c->one, out, out_len, size, in, len);
}

static int final(void *vc, unsigned char *out, size_t *out_len, size_t size)
{
    cipher *c = vc;
    *out_len = 0;
    return ready(c) && (!is_block(c) || final_block(c, &c->one, out, out_len, size));
}

/* EVP_Cipher: in ECB and CBC, whole blocks without padding, none of which is held back. */
static int one_shot(void *vc, unsigned char *out, size_t *out_len, size_t size,
                    const unsigned char *in, size_t len)
{
    cipher *c = vc;
    *out_len = 0;
    if (!ready(c)) return 0;
    if (!in) return 1;
    if (!is_block(c)) return update_bytes(c, &c->one, out, out_len, size, in, len);
    if (len % BLOCK)
        return prov_fail(c->ctx, PROV_BAD_LENGTH, "%zu bytes are not whole blocks of 16", len);
    if (len > size)
        return prov_fail(c->ctx, PROV_SMALL_BUFFER,
                         "the output has %zu bytes, there is room for %zu",
                         len, size);
    if (len && !run(c, &c->one, out, in, len)) return 0;
    *out_len = len;
    return 1;
}

/* --- Pipelines -------------------------------------------------------------------------------- */

static int pipeline_init(cipher *c, int encrypt, const unsigned char *key, size_t key_len, size_t n,
                         const unsigned char **iv, size_t iv_len, const OSSL_PARAM *params)
{
    if (n > PIPES_MAX)
        return prov_fail(c->ctx, PROV_BAD_PARAMETER, "a pipeline has at most %d messages, not %zu",
                         PIPES_MAX, n);
    if (iv && iv_len != modes[c->mode].iv)
        return prov_fail(c->ctx, PROV_BAD_LENGTH,
                         "the IV has %u bytes in this mode, these have %zu", modes[c->mode].iv,
                         iv_len);
    message *pipes = n ? prov_new(c->ctx, n * sizeof *pipes) : NULL;
    if (n && !pipes) return 0;
    prov_delete(c->pipes, c->n_pipes * sizeof *c->pipes);
    c->pipes = pipes;
    c->n_pipes = n;
    c->encrypt = encrypt;
    c->pipes_have_iv = iv || c->mode == ECB;
    for (size_t i = 0; iv && i < n; i++)
        if (iv[i]) memcpy(pipes[i].iv, iv[i], iv_len);
        else if (c->mode != ECB) c->pipes_have_iv = 0;
    return set_key(c, key, key_len) && set_ctx_params(c, params);
}

static int pipeline_encrypt_init(void *c, const unsigned char *key, size_t key_len, size_t n,
                                 const unsigned char **iv, size_t iv_len, const OSSL_PARAM *params)
{
    return pipeline_init(c, 1, key, key_len, n, iv, iv_len, params);
}

static int pipeline_decrypt_init(void *c, const unsigned char *key, size_t key_len, size_t n,
                                 const unsigned char **iv, size_t iv_len, const OSSL_PARAM *params)
{
    return pipeline_init(c, 0, key, key_len, n, iv, iv_len, params);
}

/* Whole blocks of all messages at once, in the modes that are serial within one message. 0 if that
 * is not possible: then the caller processes them one after another. */
static int run_side_by_side(const cipher *c, size_t n, unsigned char **out,
                            const unsigned char **in, const size_t *len)
{
    ty_sm4_job jobs[PIPES_MAX];
    if (!c->encrypt ? c->mode != OFB : c->mode != CBC && c->mode != CFB && c->mode != OFB) return 0;
    for (size_t i = 0; i < n; i++) {
        if (c->pipes[i].num || len[i] < BLOCK) return 0;
        jobs[i] =
            (ty_sm4_job){ out[i], in[i], len[i] / BLOCK * BLOCK, c->pipes[i].iv, &c->key, TY_OK };
    }
    uint8_t last[PIPES_MAX][BLOCK];
    for (size_t i = 0; i < n; i++) memcpy(last[i], in[i] + jobs[i].len - BLOCK, BLOCK);
    int ok = 1;
    if (c->mode == CBC) ok = ty_sm4_many_cbc_encrypt(jobs, n) == TY_OK;
    else if (c->mode == CFB) ty_sm4_many_cfb_encrypt(jobs, n);
    else ty_sm4_many_ofb(jobs, n);
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0, at = jobs[i].len - BLOCK; b < BLOCK; b++)
            c->pipes[i].iv[b] = out[i][at + b] ^ (c->mode == OFB ? last[i][b] : 0);
    ty_wipe(last, sizeof last);
    return ok;
}

/* Without this, messages whose IVs came in an init call before the last would have IVs of zeros. */
static int ready_pipes(const cipher *c, size_t n)
{
    if (!ready(c)) return 0;
    if (n != c->n_pipes)
        return prov_fail(c->ctx, PROV_BAD_STATE,
                         "the pipeline was begun with %zu messages, not %zu", c->n_pipes, n);
    return c->pipes_have_iv
           || prov_fail(c->ctx, PROV_BAD_STATE,
                        "no IVs yet; a pipeline begins with one for each message");
}

static int pipeline_update(void *vc, size_t n, unsigned char **out, size_t *out_len,
                           const size_t *size, const unsigned char **in, const size_t *len)
{
    cipher *c = vc;
    if (!ready_pipes(c, n)) return 0;
    for (size_t i = 0; i < n; i++) {
        message *m = &c->pipes[i];
        size_t todo = is_block(c) ? m->num + len[i] - kept_back(c, m, len[i]) : len[i];
        if (todo > size[i])
            return prov_fail(c->ctx, PROV_SMALL_BUFFER,
                             "the output has %zu bytes, there is room for %zu",
                             todo, size[i]);
    }
    int together = run_side_by_side(c, n, out, in, len);
    for (size_t i = 0; i < n; i++) {
        size_t done = together ? len[i] / BLOCK * BLOCK : 0;
        if (!(is_block(c) ? update_blocks : update_bytes)(c, &c->pipes[i], out[i] + done,
                                                          &out_len[i], size[i] - done, in[i] + done,
                                                          len[i] - done))
            return 0;
        out_len[i] += done;
    }
    return 1;
}

/* All messages end or none: if one fails, the others keep their state. */
static int pipeline_final(void *vc, size_t n, unsigned char **out, size_t *out_len,
                          const size_t *size)
{
    cipher *c = vc;
    ending ends[PIPES_MAX];
    int ok = 1;
    if (!ready_pipes(c, n)) return 0;
    memset(out_len, 0, n * sizeof *out_len);
    if (!is_block(c)) return 1;
    for (size_t i = 0; ok && i < n; i++) ok = make_end(c, &c->pipes[i], &ends[i], size[i]);
    for (size_t i = 0; ok && i < n; i++) write_end(&c->pipes[i], &ends[i], out[i], &out_len[i]);
    ty_wipe(ends, n * sizeof *ends);
    return ok;
}

/* --- Parameters ------------------------------------------------------------------------------- */

/* One parameter; the frequent one is first, since OpenSSL 3.0 asks for the length with every IV. */
static int get_one(const cipher *c, OSSL_PARAM *p)
{
    const char *k = p->key;
    size_t iv_len = modes[c->mode].iv;
    if (!strcmp(k, OSSL_CIPHER_PARAM_IVLEN)) return prov_set_uint(p, k, iv_len);
    if (!strcmp(k, OSSL_CIPHER_PARAM_KEYLEN)) return prov_set_uint(p, k, BLOCK);
    if (!strcmp(k, OSSL_CIPHER_PARAM_PADDING)) return prov_set_uint(p, k, (uint64_t)c->pad);
    if (!strcmp(k, OSSL_CIPHER_PARAM_NUM)) return prov_set_uint(p, k, is_block(c) ? 0 : c->one.num);
    if (!strcmp(k, OSSL_CIPHER_PARAM_IV)) return prov_set_octets(p, k, c->first_iv, iv_len);
    if (!strcmp(k, OSSL_CIPHER_PARAM_UPDATED_IV)) return prov_set_octets(p, k, c->one.iv, iv_len);
    return 1;
}

static int get_ctx_params(void *c, OSSL_PARAM *params)
{
    for (; params && params->key; params++)
        if (!get_one(c, params)) return 0;
    return 1;
}

int prov_cipher_get_params(OSSL_PARAM *params, const prov_cipher_facts *f)
{
    return prov_set_uint(params, OSSL_CIPHER_PARAM_MODE, f->mode)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_KEYLEN, f->key)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_IVLEN, f->iv)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_BLOCK_SIZE, f->block)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_AEAD, (uint64_t)f->aead)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_CUSTOM_IV, (uint64_t)f->custom_iv)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_CTS, 0)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, 0)
           && prov_set_uint(params, OSSL_CIPHER_PARAM_HAS_RAND_KEY, 0);
}

const OSSL_PARAM *prov_cipher_gettable_params(void *ctx)
{
    static const OSSL_PARAM list[] = {
        PROV_UINT(OSSL_CIPHER_PARAM_MODE),        PROV_UINT(OSSL_CIPHER_PARAM_KEYLEN),
        PROV_UINT(OSSL_CIPHER_PARAM_IVLEN),       PROV_UINT(OSSL_CIPHER_PARAM_BLOCK_SIZE),
        PROV_INT(OSSL_CIPHER_PARAM_AEAD),         PROV_INT(OSSL_CIPHER_PARAM_CUSTOM_IV),
        PROV_INT(OSSL_CIPHER_PARAM_CTS),          PROV_INT(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK),
        PROV_INT(OSSL_CIPHER_PARAM_HAS_RAND_KEY), PROV_END
    };
    (void)ctx;
    return list;
}

static const OSSL_PARAM *gettable_ctx_params(void *c, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_UINT(OSSL_CIPHER_PARAM_KEYLEN),
                                       PROV_UINT(OSSL_CIPHER_PARAM_IVLEN),
                                       PROV_UINT(OSSL_CIPHER_PARAM_PADDING),
                                       PROV_UINT(OSSL_CIPHER_PARAM_NUM),
                                       PROV_OCTETS(OSSL_CIPHER_PARAM_IV),
                                       PROV_OCTETS(OSSL_CIPHER_PARAM_UPDATED_IV),
                                       PROV_END };
    (void)c, (void)ctx;
    return list;
}

static const OSSL_PARAM *settable_ctx_params(void *c, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_UINT(OSSL_CIPHER_PARAM_PADDING),
                                       PROV_UINT(OSSL_CIPHER_PARAM_NUM), PROV_END };
    (void)c, (void)ctx;
    return list;
}

/* A mode: the two functions that get no context that says which mode it is, and the dispatch
 * table. */
#define CIPHER(name, MODE)                                                      \
    static void *new_##name(void *ctx) { return new_cipher(ctx, MODE); }        \
    static int get_params_##name(OSSL_PARAM *params)                            \
    {                                                                           \
        return prov_cipher_get_params(params, &modes[MODE]);                    \
    }                                                                           \
    const OSSL_DISPATCH prov_sm4_##name[] = {                                   \
        PROV_FN(OSSL_FUNC_CIPHER_NEWCTX, new_##name),                           \
        PROV_FN(OSSL_FUNC_CIPHER_FREECTX, free_cipher),                         \
        PROV_FN(OSSL_FUNC_CIPHER_DUPCTX, dup_cipher),                           \
        PROV_FN(OSSL_FUNC_CIPHER_ENCRYPT_INIT, encrypt_init),                   \
        PROV_FN(OSSL_FUNC_CIPHER_DECRYPT_INIT, decrypt_init),                   \
        PROV_FN(OSSL_FUNC_CIPHER_UPDATE, update),                               \
        PROV_FN(OSSL_FUNC_CIPHER_FINAL, final),                                 \
        PROV_FN(OSSL_FUNC_CIPHER_CIPHER, one_shot),                             \
        PROV_FN(LATER_CIPHER_PIPELINE_ENCRYPT_INIT, pipeline_encrypt_init),     \
        PROV_FN(LATER_CIPHER_PIPELINE_DECRYPT_INIT, pipeline_decrypt_init),     \
        PROV_FN(LATER_CIPHER_PIPELINE_UPDATE, pipeline_update),                 \
        PROV_FN(LATER_CIPHER_PIPELINE_FINAL, pipeline_final),                   \
        PROV_FN(OSSL_FUNC_CIPHER_GET_PARAMS, get_params_##name),                \
        PROV_FN(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, get_ctx_params),               \
        PROV_FN(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, set_ctx_params),               \
        PROV_FN(OSSL_FUNC_CIPHER_GETTABLE_PARAMS, prov_cipher_gettable_params), \
        PROV_FN(OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, gettable_ctx_params),     \
        PROV_FN(OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, settable_ctx_params),     \
        PROV_FN_END                                                             \
    };

CIPHER(ecb, ECB)
CIPHER(cbc, CBC)
CIPHER(cfb, CFB)
CIPHER(ofb, OFB)
CIPHER(ctr, CTR)
