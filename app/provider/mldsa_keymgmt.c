/* Keys of ML-DSA: public, private, or private with the seed from which it was generated. */
#include "provider.h"

void *prov_mldsa_new(const prov_ctx *ctx, ty_mldsa_set set)
{
    prov_mldsa *k = prov_new(ctx, sizeof *k);
    if (!k) return NULL;
    k->ctx = ctx;
    k->set = set;
    return k;
}

void prov_mldsa_free(const void *vk)
{
    const prov_mldsa *k = vk;
    if (k && prov_let_go(&k->holders)) prov_delete((void *)k, sizeof *k);
}

void prov_mldsa_keep(const prov_mldsa **slot, const prov_mldsa *key)
{
    if (key) prov_hold(&key->holders);
    prov_mldsa_free(*slot);
    *slot = key;
}

static int has(const void *vk, int selection)
{
    const prov_mldsa *k = vk;
    return k && (!(selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) || k->has_priv)
           && (!(selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) || k->has_pub);
}

static int match(const void *va, const void *vb, int selection)
{
    const prov_mldsa *a = va, *b = vb;
    if (a->set != b->set) return 0;
    if (!(selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) return 1;
    return a->has_pub && b->has_pub
           && ty_equal(a->key.pub.bytes, b->key.pub.bytes, ty_mldsa_pub_len(a->set));
}

static void *dup_key(const void *vk, int selection)
{
    const prov_mldsa *k = vk;
    prov_mldsa *copy = prov_mldsa_new(k->ctx, k->set);
    if (!copy) return NULL;
    if (k->has_priv && (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)) {
        copy->key = k->key;
        copy->has_pub = copy->has_priv = 1;
    } else if (k->has_pub && (selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) {
        copy->key.pub = k->key.pub;
        copy->has_pub = 1;
    }
    return copy;
}

/* The private key is generated again from its seed or, without one, parsed again, which checks that
 * its parts are consistent. The result must equal the key. */
static int validate(const void *vk, int selection, int check_type)
{
    const prov_mldsa *k = vk;
    (void)check_type;
    if (!has(vk, selection)) return prov_fail(k->ctx, PROV_BAD_KEY, "the key is incomplete");
    if (!(selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)) return 1;
    ty_mldsa_key *again = prov_new(k->ctx, sizeof *again);
    if (!again) return 0;
    ty_err err = k->key.has_seed ? ty_mldsa_key_from_seed(again, k->key.seed, k->set)
                                 : ty_mldsa_key_set(again, k->key.bytes, ty_mldsa_key_len(k->set));
    int ok = prov_check(k->ctx, err, "the private key");
    if (ok
        && (!ty_equal(again->bytes, k->key.bytes, ty_mldsa_key_len(k->set))
            || !ty_equal(again->pub.bytes, k->key.pub.bytes, ty_mldsa_pub_len(k->set))))
        ok = prov_fail(k->ctx, PROV_BAD_KEY,
                       "seed, private key and public key do not belong together");
    prov_delete(again, sizeof *again);
    return ok;
}

/* --- Import and export ------------------------------------------------------------------------ */

typedef struct parts {
    const uint8_t *pub, *priv, *seed;
    size_t pub_len, priv_len, seed_len;
} parts;

/* *data, *len = the parameter of this name, of `want` bytes; *len = 0 if it is absent or empty. */
static int part(const prov_mldsa *k, const OSSL_PARAM *params, const char *name, size_t want,
                const uint8_t **data, size_t *len)
{
    const OSSL_PARAM *p = prov_param(params, name);
    *len = 0;
    if (!p) return 1;
    if (!prov_get_octets(k->ctx, p, data, len)) return 0;
    return !*len || *len == want
           || prov_fail(k->ctx, PROV_BAD_LENGTH, "\"%s\" of %s has %zu bytes, not %zu", name,
                        prov_mldsa_row_of(k->set)->name, want, *len);
}

static ty_err read_private(prov_mldsa *k, const parts *p)
{
    ty_err err = p->seed_len ? ty_mldsa_key_from_seed(&k->key, p->seed, k->set)
                             : ty_mldsa_key_set(&k->key, p->priv, p->priv_len);
    if (err == TY_OK && p->priv_len && !ty_equal(k->key.bytes, p->priv, p->priv_len))
        err = TY_ERR_KEY;
    if (err == TY_OK && p->pub_len && !ty_equal(k->key.pub.bytes, p->pub, p->pub_len))
        err = TY_ERR_KEY;
    return err;
}

int prov_mldsa_import(void *vk, int selection, const OSSL_PARAM *params)
{
    prov_mldsa *k = vk;
    parts p = { 0 };
    if (!part(k, params, OSSL_PKEY_PARAM_PUB_KEY, ty_mldsa_pub_len(k->set), &p.pub, &p.pub_len))
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
        && (!part(k, params, OSSL_PKEY_PARAM_PRIV_KEY, ty_mldsa_key_len(k->set), &p.priv,
                  &p.priv_len)
            || !part(k, params, LATER_PKEY_SEED, TY_MLDSA_SEED_LEN, &p.seed, &p.seed_len)))
        return 0;
    if (!p.pub_len && !p.priv_len && !p.seed_len)
        return prov_fail(k->ctx, PROV_BAD_KEY, "there is no key in these parameters");
    int private_half = p.priv_len || p.seed_len;
    ty_err err =
        private_half ? read_private(k, &p) : ty_mldsa_pub_set(&k->key.pub, p.pub, p.pub_len);
    if (err != TY_OK) ty_wipe(&k->key, sizeof k->key);
    k->has_pub = err == TY_OK;
    k->has_priv = err == TY_OK && private_half;
    return prov_check(k->ctx, err, "seed, private and public key, which must belong together");
}

int prov_mldsa_export(void *vk, int selection, OSSL_CALLBACK *callback, void *arg)
{
    prov_mldsa *k = vk;
    OSSL_PARAM p[4] = { { 0 } };
    int n = 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) && k->has_priv) {
        if (k->key.has_seed)
            p[n++] = (OSSL_PARAM){ LATER_PKEY_SEED, OSSL_PARAM_OCTET_STRING, k->key.seed,
                                   TY_MLDSA_SEED_LEN, OSSL_PARAM_UNMODIFIED };
        p[n++] = (OSSL_PARAM){ OSSL_PKEY_PARAM_PRIV_KEY, OSSL_PARAM_OCTET_STRING, k->key.bytes,
                               ty_mldsa_key_len(k->set), OSSL_PARAM_UNMODIFIED };
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) && k->has_pub)
        p[n++] = (OSSL_PARAM){ OSSL_PKEY_PARAM_PUB_KEY, OSSL_PARAM_OCTET_STRING, k->key.pub.bytes,
                               ty_mldsa_pub_len(k->set), OSSL_PARAM_UNMODIFIED };
    return n && callback(p, arg);
}

static const OSSL_PARAM *import_export_types(int selection)
{
    static const OSSL_PARAM list[] = { PROV_OCTETS(OSSL_PKEY_PARAM_PUB_KEY),
                                       PROV_OCTETS(OSSL_PKEY_PARAM_PRIV_KEY),
                                       PROV_OCTETS(LATER_PKEY_SEED), PROV_END };
    return selection & OSSL_KEYMGMT_SELECT_KEYPAIR ? list : NULL;
}

/* A key that a decoder made: the reference is a pointer to it. OpenSSL now owns the key, so the
 * decoder's pointer is cleared. */
static void *load(const void *reference, size_t len)
{
    void *k;
    if (len != sizeof k) return NULL;
    memcpy(&k, reference, sizeof k);
    memset((void *)reference, 0, sizeof k);
    return k;
}

/* --- Parameters ------------------------------------------------------------------------------- */

static int get_params(void *vk, OSSL_PARAM *p)
{
    const prov_mldsa *k = vk;
    const prov_mldsa_row *row = prov_mldsa_row_of(k->set);
    return prov_set_uint(p, OSSL_PKEY_PARAM_BITS, 8 * ty_mldsa_pub_len(k->set))
           && prov_set_uint(p, OSSL_PKEY_PARAM_SECURITY_BITS, row->security_bits)
           && prov_set_uint(p, LATER_PKEY_SECURITY_CATEGORY, row->category)
           && prov_set_uint(p, OSSL_PKEY_PARAM_MAX_SIZE, ty_mldsa_sig_len(k->set))
           && prov_set_text(p, OSSL_PKEY_PARAM_MANDATORY_DIGEST, "")
           && (!k->has_pub
               || prov_set_octets(p, OSSL_PKEY_PARAM_PUB_KEY, k->key.pub.bytes,
                                  ty_mldsa_pub_len(k->set)))
           && (!k->has_priv
               || prov_set_octets(p, OSSL_PKEY_PARAM_PRIV_KEY, k->key.bytes,
                                  ty_mldsa_key_len(k->set)))
           && (!k->has_priv || !k->key.has_seed
               || prov_set_octets(p, LATER_PKEY_SEED, k->key.seed, TY_MLDSA_SEED_LEN));
}

static const OSSL_PARAM *gettable_params(void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_INT(OSSL_PKEY_PARAM_BITS),
                                       PROV_INT(OSSL_PKEY_PARAM_SECURITY_BITS),
                                       PROV_INT(LATER_PKEY_SECURITY_CATEGORY),
                                       PROV_INT(OSSL_PKEY_PARAM_MAX_SIZE),
                                       PROV_TEXT(OSSL_PKEY_PARAM_MANDATORY_DIGEST),
                                       PROV_OCTETS(OSSL_PKEY_PARAM_PUB_KEY),
                                       PROV_OCTETS(OSSL_PKEY_PARAM_PRIV_KEY),
                                       PROV_OCTETS(LATER_PKEY_SEED),
                                       PROV_END };
    (void)ctx;
    return list;
}

/* --- New keys --------------------------------------------------------------------------------- */

typedef struct generator {
    const prov_ctx *ctx;
    ty_mldsa_set set;
    int selection, has_seed;
    uint8_t seed[TY_MLDSA_SEED_LEN];
} generator;

/* "properties" chooses the provider of OpenSSL's hashes; it is ignored, because the library hashes
 * by itself. */
static int gen_set_params(void *vg, const OSSL_PARAM *params)
{
    generator *g = vg;
    const OSSL_PARAM *p = prov_param(params, LATER_PKEY_SEED);
    const uint8_t *seed;
    size_t len;
    if (!p) return 1;
    if (!prov_get_octets(g->ctx, p, &seed, &len)) return 0;
    if (len != sizeof g->seed)
        return prov_fail(g->ctx, PROV_BAD_LENGTH, "a seed of ML-DSA has 32 bytes, not %zu", len);
    memcpy(g->seed, seed, len);
    g->has_seed = 1;
    return 1;
}

static void gen_cleanup(void *g) { prov_delete(g, sizeof(generator)); }

static void *gen_init(void *ctx, int selection, const OSSL_PARAM *params, ty_mldsa_set set)
{
    generator *g = prov_new(ctx, sizeof *g);
    if (!g) return NULL;
    g->ctx = ctx;
    g->set = set;
    g->selection = selection;
    if (gen_set_params(g, params)) return g;
    gen_cleanup(g);
    return NULL;
}

static const OSSL_PARAM *gen_settable_params(void *g, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_OCTETS(LATER_PKEY_SEED),
                                       PROV_TEXT(OSSL_PKEY_PARAM_PROPERTIES), PROV_END };
    (void)g, (void)ctx;
    return list;
}

static void *gen(void *vg, OSSL_CALLBACK *callback, void *arg)
{
    const generator *g = vg;
    prov_mldsa *k = prov_mldsa_new(g->ctx, g->set);
    (void)callback, (void)arg;
    if (!k || !(g->selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) return k;
    ty_err err = g->has_seed ? ty_mldsa_key_from_seed(&k->key, g->seed, g->set)
                             : ty_mldsa_keygen(&k->key, g->set, ty_rng_system());
    if (!prov_check(g->ctx, err, "a new key")) {
        prov_mldsa_free(k);
        return NULL;
    }
    k->has_pub = k->has_priv = 1;
    prov_did(g->ctx, PROV_MLDSA_KEYGEN);
    return k;
}

#define KEYMGMT(n)                                                                \
    static void *new_##n(void *ctx) { return prov_mldsa_new(ctx, TY_MLDSA_##n); } \
    static void *gen_init_##n(void *ctx, int selection, const OSSL_PARAM *params) \
    {                                                                             \
        return gen_init(ctx, selection, params, TY_MLDSA_##n);                    \
    }                                                                             \
    static const char *operation_##n(int operation)                               \
    {                                                                             \
        return operation == OSSL_OP_SIGNATURE ? "ML-DSA-" #n : NULL;              \
    }                                                                             \
    const OSSL_DISPATCH prov_mldsa##n##_keymgmt[] = {                             \
        PROV_FN(OSSL_FUNC_KEYMGMT_NEW, new_##n),                                  \
        PROV_FN(OSSL_FUNC_KEYMGMT_FREE, prov_mldsa_free),                         \
        PROV_FN(OSSL_FUNC_KEYMGMT_LOAD, load),                                    \
        PROV_FN(OSSL_FUNC_KEYMGMT_HAS, has),                                      \
        PROV_FN(OSSL_FUNC_KEYMGMT_DUP, dup_key),                                  \
        PROV_FN(OSSL_FUNC_KEYMGMT_MATCH, match),                                  \
        PROV_FN(OSSL_FUNC_KEYMGMT_VALIDATE, validate),                            \
        PROV_FN(OSSL_FUNC_KEYMGMT_IMPORT, prov_mldsa_import),                     \
        PROV_FN(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, import_export_types),             \
        PROV_FN(OSSL_FUNC_KEYMGMT_EXPORT, prov_mldsa_export),                     \
        PROV_FN(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, import_export_types),             \
        PROV_FN(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params),                        \
        PROV_FN(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable_params),              \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN_INIT, gen_init_##n),                        \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, gen_set_params),                \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, gen_settable_params),      \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN, gen),                                      \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, gen_cleanup),                      \
        PROV_FN(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, operation_##n),           \
        PROV_FN_END                                                               \
    };

KEYMGMT(44)
KEYMGMT(65)
KEYMGMT(87)
