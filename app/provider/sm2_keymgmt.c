/* Keys of SM2, and of TLS's group curveSM2, which are the same numbers under another name. */
#include "provider.h"

#define NAMES "SM2:sm2p256v1:curveSM2:1.2.156.10197.1.301"
#define PUBLIC "the public key, 33 or 65 bytes of a point of the curve"
#define PRIVATE "the private key, from 1 to the order of the curve less 2"

static void *new_key(void *ctx)
{
    prov_sm2 *k = prov_new(ctx, sizeof *k);
    if (k) k->ctx = ctx;
    return k;
}

void prov_sm2_free(const void *vk)
{
    const prov_sm2 *k = vk;
    if (k && prov_let_go(&k->holders)) prov_delete((void *)k, sizeof *k);
}

void prov_sm2_keep(const prov_sm2 **slot, const prov_sm2 *key)
{
    if (key) prov_hold(&key->holders);
    prov_sm2_free(*slot);
    *slot = key;
}

/* The parameters of the curve are always there. */
static int has(const void *vk, int selection)
{
    const prov_sm2 *k = vk;
    return k && (!(selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) || k->has_priv)
           && (!(selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) || k->has_pub);
}

static void *dup_key(const void *vk, int selection)
{
    const prov_sm2 *k = vk;
    prov_sm2 *copy = new_key((void *)k->ctx);
    if (!copy) return NULL;
    copy->key = k->key;
    copy->has_pub = k->has_pub;
    copy->has_priv = k->has_priv;
    copy->compressed = k->compressed;
    copy->without_pub = k->without_pub;
    if (!(selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)) {
        ty_wipe(copy->key.d, sizeof copy->key.d);
        ty_wipe(copy->key.inv1d, sizeof copy->key.inv1d);
        copy->has_priv = 0;
    }
    if (!(selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) copy->has_pub = 0;
    return copy;
}

/* Only the public keys are compared, because they determine the private ones. */
static int match(const void *va, const void *vb, int selection)
{
    const prov_sm2 *a = va, *b = vb;
    if (!(selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) return 1;
    return a->has_pub && b->has_pub && ty_equal(&a->key.pub, &b->key.pub, sizeof a->key.pub);
}

static int validate(const void *vk, int selection, int check_type)
{
    const prov_sm2 *k = vk;
    uint8_t point[65];
    ty_sm2_pub pub;
    ty_sm2_key key;
    (void)check_type;
    if (!has(vk, selection)) return prov_fail(k->ctx, PROV_BAD_KEY, "the key is incomplete");
    if (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) {
        ty_sm2_pub_get(point, &k->key.pub);
        if (!prov_check(k->ctx, ty_sm2_pub_set(&pub, point, sizeof point), PUBLIC)) return 0;
    }
    if (!(selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)) return 1;
    int ok = prov_check(k->ctx, ty_sm2_key_set(&key, k->key.d), PRIVATE);
    if (ok && !ty_equal(&key.pub, &k->key.pub, sizeof key.pub))
        ok = prov_fail(k->ctx, PROV_BAD_KEY, "the public key does not belong to the private one");
    ty_wipe(&key, sizeof key);
    return ok;
}

/* --- Import and export ------------------------------------------------------------------------ */

static int right_group(const prov_ctx *ctx, const OSSL_PARAM *params)
{
    const OSSL_PARAM *p = prov_param(params, OSSL_PKEY_PARAM_GROUP_NAME);
    const char *name;
    size_t len;
    if (!p) return 1;
    if (!prov_get_text(ctx, p, &name, &len)) return 0;
    return prov_among(name, len, NAMES)
           || prov_fail(
               ctx, PROV_NOT_HERE,
               "keys named SM2 are on its curve, not on \"%.*s\"; use EC for other curves",
               (int)(len > 60 ? 60 : len), name);
}

static int import_form(prov_sm2 *k, const OSSL_PARAM *params)
{
    const OSSL_PARAM *p;
    const char *text;
    size_t len;
    uint64_t v;
    if ((p = prov_param(params, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT))) {
        if (!prov_get_text(k->ctx, p, &text, &len)) return 0;
        if (!prov_among(text, len, "uncompressed:compressed:hybrid"))
            return prov_fail(k->ctx, PROV_BAD_PARAMETER,
                             "\"point-format\" may be uncompressed or compressed");
        k->compressed = prov_same(text, len, "compressed");
    }
    if ((p = prov_param(params, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC))) {
        if (!prov_get_uint(k->ctx, p, UINT32_MAX, &v)) return 0;
        k->without_pub = v == 0;
    }
    return 1;
}

static int set_point(prov_sm2 *k, const uint8_t *point, size_t len)
{
    if (!prov_check(k->ctx, ty_sm2_pub_set(&k->key.pub, point, len), PUBLIC)) return 0;
    k->has_pub = 1;
    return 1;
}

static int set_pub(prov_sm2 *k, const OSSL_PARAM *p)
{
    const uint8_t *point;
    size_t len;
    return prov_get_octets(k->ctx, p, &point, &len) && set_point(k, point, len);
}

/* Files, unlike TLS, may have points in the hybrid form of X9.62: its first byte, 6 or 7, gives the
 * parity of y. */
static int import_pub(prov_sm2 *k, const OSSL_PARAM *p)
{
    const uint8_t *point;
    uint8_t plain[65];
    size_t len;
    if (!prov_get_octets(k->ctx, p, &point, &len)) return 0;
    if (len != sizeof plain || point[0] != (6 | (point[64] & 1))) return set_point(k, point, len);
    memcpy(plain, point, sizeof plain);
    plain[0] = 4;
    return set_point(k, plain, sizeof plain);
}

static int import_private(prov_sm2 *k, const OSSL_PARAM *p)
{
    ty_sm2_pub pub = k->key.pub;
    uint8_t d[32];
    if (!prov_get_number(k->ctx, p, d, sizeof d)) return 0;
    int ok = prov_check(k->ctx, ty_sm2_key_set(&k->key, d), PRIVATE);
    ty_wipe(d, sizeof d);
    if (ok && k->has_pub && !ty_equal(&pub, &k->key.pub, sizeof pub))
        ok = prov_fail(k->ctx, PROV_BAD_KEY, "the public key does not belong to the private one");
    if (!ok) ty_wipe(&k->key, sizeof k->key);
    k->has_priv = k->has_pub = ok;
    return ok;
}

static int import(void *vk, int selection, const OSSL_PARAM *params)
{
    prov_sm2 *k = vk;
    const OSSL_PARAM *pub = prov_param(params, OSSL_PKEY_PARAM_PUB_KEY),
                     *priv = prov_param(params, OSSL_PKEY_PARAM_PRIV_KEY);
    if (!right_group(k->ctx, params) || !import_form(k, params)) return 0;
    if (!prov_param(params, OSSL_PKEY_PARAM_GROUP_NAME) && prov_param(params, OSSL_PKEY_PARAM_EC_P))
        return prov_fail(
            k->ctx, PROV_NOT_HERE,
            "explicit curve parameters; convert the key: openssl pkey -ec_param_enc named_curve");
    /* The public key is set even if only the private one is selected, as in TLS's hybrid groups. */
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) && pub && pub->data_size && !import_pub(k, pub))
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) && priv && !import_private(k, priv)) return 0;
    return !(selection & OSSL_KEYMGMT_SELECT_KEYPAIR) || k->has_pub
           || prov_fail(k->ctx, PROV_BAD_KEY, "there is no key in these parameters");
}

static size_t point_of(uint8_t out[65], const prov_sm2 *k)
{
    if (k->compressed) ty_sm2_pub_get_compressed(out, &k->key.pub);
    else ty_sm2_pub_get(out, &k->key.pub);
    return k->compressed ? 33 : 65;
}

static int export(void *vk, int selection, OSSL_CALLBACK *callback, void *arg)
{
    prov_sm2 *k = vk;
    uint8_t point[65], d[32];
    int include = !k->without_pub, n = 0;
    OSSL_PARAM p[8] = { { 0 } }, number[] = {
        { OSSL_PKEY_PARAM_PRIV_KEY, OSSL_PARAM_UNSIGNED_INTEGER, d, sizeof d, 0 }, PROV_END
    };
#define TEXT(key, value)                                                                       \
    p[n++] = (OSSL_PARAM)                                                                      \
    {                                                                                          \
        key, OSSL_PARAM_UTF8_STRING, (void *)(value), sizeof(value) - 1, OSSL_PARAM_UNMODIFIED \
    }
    TEXT(OSSL_PKEY_PARAM_GROUP_NAME, "SM2");
    TEXT(OSSL_PKEY_PARAM_EC_ENCODING, "named_curve");
    if (k->compressed) TEXT(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, "compressed");
    else TEXT(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, "uncompressed");
#undef TEXT
    p[n++] = (OSSL_PARAM){ OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, OSSL_PARAM_INTEGER, &include,
                           sizeof include, OSSL_PARAM_UNMODIFIED };
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) && k->has_pub)
        p[n++] = (OSSL_PARAM){ OSSL_PKEY_PARAM_PUB_KEY, OSSL_PARAM_OCTET_STRING, point,
                               point_of(point, k), OSSL_PARAM_UNMODIFIED };
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) && k->has_priv
        && prov_set_number(number, OSSL_PKEY_PARAM_PRIV_KEY, k->key.d, 32))
        p[n++] = number[0];
    int ok = callback(p, arg);
    ty_wipe(d, sizeof d);
    return ok;
}

static const OSSL_PARAM *import_export_types(int selection)
{
    static const OSSL_PARAM list[] = { PROV_TEXT(OSSL_PKEY_PARAM_GROUP_NAME),
                                       PROV_TEXT(OSSL_PKEY_PARAM_EC_ENCODING),
                                       PROV_TEXT(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT),
                                       PROV_INT(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC),
                                       PROV_OCTETS(OSSL_PKEY_PARAM_PUB_KEY),
                                       PROV_UINT(OSSL_PKEY_PARAM_PRIV_KEY),
                                       PROV_END };
    (void)selection;
    return list;
}

/* --- Parameters of a key ---------------------------------------------------------------------- */

/* The curve [GB/T 32918.5]: p, a, b, G, n. */
static const uint8_t curve_p[32] = { 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static const uint8_t curve_a[32] = { 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfc };
static const uint8_t curve_b[32] = { 0x28, 0xe9, 0xfa, 0x9e, 0x9d, 0x9f, 0x5e, 0x34,
                                     0x4d, 0x5a, 0x9e, 0x4b, 0xcf, 0x65, 0x09, 0xa7,
                                     0xf3, 0x97, 0x89, 0xf5, 0x15, 0xab, 0x8f, 0x92,
                                     0xdd, 0xbc, 0xbd, 0x41, 0x4d, 0x94, 0x0e, 0x93 };
static const uint8_t curve_g[65] = { 0x04, 0x32, 0xc4, 0xae, 0x2c, 0x1f, 0x19, 0x81, 0x19, 0x5f,
                                     0x99, 0x04, 0x46, 0x6a, 0x39, 0xc9, 0x94, 0x8f, 0xe3, 0x0b,
                                     0xbf, 0xf2, 0x66, 0x0b, 0xe1, 0x71, 0x5a, 0x45, 0x89, 0x33,
                                     0x4c, 0x74, 0xc7, 0xbc, 0x37, 0x36, 0xa2, 0xf4, 0xf6, 0x77,
                                     0x9c, 0x59, 0xbd, 0xce, 0xe3, 0x6b, 0x69, 0x21, 0x53, 0xd0,
                                     0xa9, 0x87, 0x7c, 0xc6, 0x2a, 0x47, 0x40, 0x02, 0xdf, 0x32,
                                     0xe5, 0x21, 0x39, 0xf0, 0xa0 };
static const uint8_t curve_n[32] = { 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0x72, 0x03, 0xdf, 0x6b, 0x21, 0xc6, 0x05, 0x2b,
                                     0x53, 0xbb, 0xf4, 0x09, 0x39, 0xd5, 0x41, 0x23 };

static int get_curve(const prov_sm2 *k, OSSL_PARAM *p)
{
    return prov_set_text(p, OSSL_PKEY_PARAM_GROUP_NAME, "SM2")
           && prov_set_text(p, OSSL_PKEY_PARAM_EC_ENCODING, "named_curve")
           && prov_set_text(p, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT,
                            k->compressed ? "compressed" : "uncompressed")
           && prov_set_text(p, OSSL_PKEY_PARAM_EC_FIELD_TYPE, "prime-field")
           && prov_set_uint(p, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, 0)
           && prov_set_number(p, OSSL_PKEY_PARAM_EC_P, curve_p, 32)
           && prov_set_number(p, OSSL_PKEY_PARAM_EC_A, curve_a, 32)
           && prov_set_number(p, OSSL_PKEY_PARAM_EC_B, curve_b, 32)
           && prov_set_octets(p, OSSL_PKEY_PARAM_EC_GENERATOR, curve_g, 65)
           && prov_set_number(p, OSSL_PKEY_PARAM_EC_ORDER, curve_n, 32)
           && prov_set_uint(p, OSSL_PKEY_PARAM_EC_COFACTOR, 1);
}

static int get_point(const prov_sm2 *k, OSSL_PARAM *p)
{
    uint8_t point[65], form[65];
    if (!k->has_pub) return 1;
    ty_sm2_pub_get(point, &k->key.pub);
    return prov_set_octets(p, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, point, sizeof point)
           && prov_set_octets(p, OSSL_PKEY_PARAM_PUB_KEY, form, point_of(form, k))
           && prov_set_number(p, OSSL_PKEY_PARAM_EC_PUB_X, k->key.pub.x, 32)
           && prov_set_number(p, OSSL_PKEY_PARAM_EC_PUB_Y, k->key.pub.y, 32);
}

static int get_params(void *vk, OSSL_PARAM *p)
{
    const prov_sm2 *k = vk;
    return prov_set_uint(p, OSSL_PKEY_PARAM_BITS, 256)
           && prov_set_uint(p, LATER_PKEY_FIELD_DEGREE, 256)
           && prov_set_uint(p, OSSL_PKEY_PARAM_SECURITY_BITS, 128)
           && prov_set_uint(p, LATER_PKEY_SECURITY_CATEGORY, 0)
           && prov_set_uint(p, OSSL_PKEY_PARAM_MAX_SIZE, TY_SM2_SIG_DER_MAX)
           && prov_set_text(p, OSSL_PKEY_PARAM_DEFAULT_DIGEST, "SM3")
           && prov_set_uint(p, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, (uint64_t)!k->without_pub)
           && get_curve(k, p) && get_point(k, p)
           && (!k->has_priv || prov_set_number(p, OSSL_PKEY_PARAM_PRIV_KEY, k->key.d, 32));
}

static const OSSL_PARAM *gettable_params(void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_INT(OSSL_PKEY_PARAM_BITS),
                                       PROV_INT(LATER_PKEY_FIELD_DEGREE),
                                       PROV_INT(OSSL_PKEY_PARAM_SECURITY_BITS),
                                       PROV_INT(LATER_PKEY_SECURITY_CATEGORY),
                                       PROV_INT(OSSL_PKEY_PARAM_MAX_SIZE),
                                       PROV_TEXT(OSSL_PKEY_PARAM_DEFAULT_DIGEST),
                                       PROV_TEXT(OSSL_PKEY_PARAM_GROUP_NAME),
                                       PROV_TEXT(OSSL_PKEY_PARAM_EC_ENCODING),
                                       PROV_TEXT(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT),
                                       PROV_TEXT(OSSL_PKEY_PARAM_EC_FIELD_TYPE),
                                       PROV_INT(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS),
                                       PROV_INT(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC),
                                       PROV_UINT(OSSL_PKEY_PARAM_EC_P),
                                       PROV_UINT(OSSL_PKEY_PARAM_EC_A),
                                       PROV_UINT(OSSL_PKEY_PARAM_EC_B),
                                       PROV_OCTETS(OSSL_PKEY_PARAM_EC_GENERATOR),
                                       PROV_UINT(OSSL_PKEY_PARAM_EC_ORDER),
                                       PROV_UINT(OSSL_PKEY_PARAM_EC_COFACTOR),
                                       PROV_OCTETS(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY),
                                       PROV_OCTETS(OSSL_PKEY_PARAM_PUB_KEY),
                                       PROV_UINT(OSSL_PKEY_PARAM_EC_PUB_X),
                                       PROV_UINT(OSSL_PKEY_PARAM_EC_PUB_Y),
                                       PROV_UINT(OSSL_PKEY_PARAM_PRIV_KEY),
                                       PROV_END };
    (void)ctx;
    return list;
}

/* Sets the peer's point in a TLS handshake. */
static int set_params(void *vk, const OSSL_PARAM *params)
{
    prov_sm2 *k = vk;
    const OSSL_PARAM *p = prov_param(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    if (!import_form(k, params)) return 0;
    if (!p) return 1;
    if (k->has_priv)
        return prov_fail(k->ctx, PROV_BAD_STATE,
                         "the key has a private half; another public one cannot be set");
    return set_pub(k, p);
}

static const OSSL_PARAM *settable_params(void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_OCTETS(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY),
                                       PROV_TEXT(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT),
                                       PROV_INT(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC), PROV_END };
    (void)ctx;
    return list;
}

/* --- New keys --------------------------------------------------------------------------------- */

typedef struct generator {
    const prov_ctx *ctx;
    int selection;
} generator;

static int gen_set_params(void *vg, const OSSL_PARAM *params)
{
    const generator *g = vg;
    const OSSL_PARAM *p = prov_param(params, OSSL_PKEY_PARAM_EC_ENCODING);
    const char *text;
    size_t len;
    if (!right_group(g->ctx, params)) return 0;
    if (!p) return 1;
    if (!prov_get_text(g->ctx, p, &text, &len)) return 0;
    return prov_same(text, len, "named_curve")
           || prov_fail(
               g->ctx, PROV_NOT_HERE,
               "SM2's curve is written by its name; leave \"encoding\" out or set named_curve");
}

static void *gen_init(void *ctx, int selection, const OSSL_PARAM *params)
{
    generator *g = prov_new(ctx, sizeof *g);
    if (!g) return NULL;
    *g = (generator){ ctx, selection };
    if (gen_set_params(g, params)) return g;
    free(g);
    return NULL;
}

static const OSSL_PARAM *gen_settable_params(void *g, void *ctx)
{
    static const OSSL_PARAM list[] = { PROV_TEXT(OSSL_PKEY_PARAM_GROUP_NAME),
                                       PROV_TEXT(OSSL_PKEY_PARAM_EC_ENCODING), PROV_END };
    (void)g, (void)ctx;
    return list;
}

/* There is one curve, so the parameters of a template are always the same. */
static int gen_set_template(void *g, void *template)
{
    (void)g, (void)template;
    return 1;
}

static void *gen(void *vg, OSSL_CALLBACK *callback, void *arg)
{
    const generator *g = vg;
    prov_sm2 *k = new_key((void *)g->ctx);
    (void)callback, (void)arg;
    if (!k || !(g->selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) return k;
    if (!prov_check(g->ctx, ty_sm2_keygen(&k->key, ty_rng_system()), "a new key")) {
        prov_sm2_free(k);
        return NULL;
    }
    k->has_pub = k->has_priv = 1;
    prov_did(g->ctx, PROV_SM2_KEYGEN);
    return k;
}

static void gen_cleanup(void *g) { free(g); }

static const char *sm2_operation(int operation)
{
    return operation == OSSL_OP_SIGNATURE || operation == OSSL_OP_ASYM_CIPHER ? "SM2" : NULL;
}

static const char *curvesm2_operation(int operation)
{
    return operation == OSSL_OP_KEYEXCH ? "curveSM2" : NULL;
}

#define KEYMGMT(name, operation_name)                                        \
    const OSSL_DISPATCH prov_##name##_keymgmt[] = {                          \
        PROV_FN(OSSL_FUNC_KEYMGMT_NEW, new_key),                             \
        PROV_FN(OSSL_FUNC_KEYMGMT_FREE, prov_sm2_free),                      \
        PROV_FN(OSSL_FUNC_KEYMGMT_HAS, has),                                 \
        PROV_FN(OSSL_FUNC_KEYMGMT_DUP, dup_key),                             \
        PROV_FN(OSSL_FUNC_KEYMGMT_MATCH, match),                             \
        PROV_FN(OSSL_FUNC_KEYMGMT_VALIDATE, validate),                       \
        PROV_FN(OSSL_FUNC_KEYMGMT_IMPORT, import),                           \
        PROV_FN(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, import_export_types),        \
        PROV_FN(OSSL_FUNC_KEYMGMT_EXPORT, export),                           \
        PROV_FN(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, import_export_types),        \
        PROV_FN(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params),                   \
        PROV_FN(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable_params),         \
        PROV_FN(OSSL_FUNC_KEYMGMT_SET_PARAMS, set_params),                   \
        PROV_FN(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, settable_params),         \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN_INIT, gen_init),                       \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, gen_set_params),           \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, gen_settable_params), \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE, gen_set_template),       \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN, gen),                                 \
        PROV_FN(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, gen_cleanup),                 \
        PROV_FN(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, operation_name),     \
        PROV_FN_END                                                          \
    };

KEYMGMT(sm2, sm2_operation)
KEYMGMT(curvesm2, curvesm2_operation)
