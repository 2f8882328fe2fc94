/* OSSL_PARAM: reading and writing parameters of any width, without libcrypto's helpers. Integers
 * are in native byte order. */
#include "provider.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTE(size, i) (i) /* index of the byte of weight 256^i */
#else
#define BYTE(size, i) ((size) - 1 - (i))
#endif

static uint8_t lower(char c) { return (uint8_t)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }

int prov_same(const char *text, size_t len, const char *name)
{
    for (size_t i = 0; i < len; i++)
        if (!name[i] || lower(text[i]) != lower(name[i])) return 0;
    return !name[len];
}

int prov_among(const char *text, size_t len, const char *names)
{
    while (*names) {
        size_t n = strcspn(names, ":");
        size_t i = 0;
        while (i < n && i < len && lower(names[i]) == lower(text[i])) i++;
        if (i == n && i == len) return 1;
        names += n + (names[n] == ':');
    }
    return 0;
}

const OSSL_PARAM *prov_param(const OSSL_PARAM *params, const char *name)
{
    if (params)
        for (; params->key; params++)
            if (strcmp(params->key, name) == 0) return params;
    return NULL;
}

int prov_get_uint(const prov_ctx *ctx, const OSSL_PARAM *p, uint64_t max, uint64_t *value)
{
    const uint8_t *d = p->data;
    uint64_t v = 0;
    int negative = 0, large = 0;
    if ((p->data_type != OSSL_PARAM_UNSIGNED_INTEGER && p->data_type != OSSL_PARAM_INTEGER) || !d
        || !p->data_size)
        return prov_fail(ctx, PROV_BAD_PARAMETER, "\"%s\" is not an integer; pass one", p->key);
    if (p->data_type == OSSL_PARAM_INTEGER) negative = d[BYTE(p->data_size, p->data_size - 1)] >> 7;
    for (size_t i = 0; i < p->data_size; i++) {
        uint8_t b = d[BYTE(p->data_size, i)];
        if (i < 8) v |= (uint64_t)b << (8 * i);
        else large |= b;
    }
    if (negative || large || v > max)
        return prov_fail(ctx, PROV_BAD_PARAMETER, "\"%s\" is out of range; it may be 0 to %llu",
                         p->key, (unsigned long long)max);
    *value = v;
    return 1;
}

int prov_get_octets(const prov_ctx *ctx, const OSSL_PARAM *p, const uint8_t **data, size_t *len)
{
    if (p->data_type == OSSL_PARAM_OCTET_STRING) *data = p->data;
    else if (p->data_type == OSSL_PARAM_OCTET_PTR && p->data)
        *data = *(const uint8_t *const *)p->data;
    else
        return prov_fail(ctx, PROV_BAD_PARAMETER, "\"%s\" is not an octet string; pass bytes",
                         p->key);
    if (!*data && p->data_size)
        return prov_fail(ctx, PROV_BAD_PARAMETER, "\"%s\" has a length and no data", p->key);
    *len = p->data_size;
    return 1;
}

int prov_get_text(const prov_ctx *ctx, const OSSL_PARAM *p, const char **text, size_t *len)
{
    if (p->data_type == OSSL_PARAM_UTF8_STRING) *text = p->data;
    else if (p->data_type == OSSL_PARAM_UTF8_PTR && p->data) *text = *(const char *const *)p->data;
    else return prov_fail(ctx, PROV_BAD_PARAMETER, "\"%s\" is not a text; pass one", p->key);
    if (!*text) return prov_fail(ctx, PROV_BAD_PARAMETER, "\"%s\" is empty", p->key);
    *len = 0;
    while ((p->data_type == OSSL_PARAM_UTF8_PTR || *len < p->data_size) && (*text)[*len]) ++*len;
    return 1;
}

int prov_get_number(const prov_ctx *ctx, const OSSL_PARAM *p, uint8_t *out, size_t len)
{
    const uint8_t *d = p->data;
    uint8_t over = 0;
    memset(out, 0, len);
    if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER || (!d && p->data_size))
        return prov_fail(ctx, PROV_BAD_PARAMETER, "\"%s\" is not a natural number; pass one",
                         p->key);
    for (size_t i = 0; i < p->data_size; i++) {
        uint8_t b = d[BYTE(p->data_size, i)];
        if (i < len) out[len - 1 - i] = b;
        else over |= b;
    }
    if (!over) return 1;
    ty_wipe(out, len);
    return prov_fail(ctx, PROV_BAD_PARAMETER,
                     "\"%s\" has more than %zu bits; it is not a key of this curve", p->key,
                     8 * len);
}

int prov_set_number(OSSL_PARAM *params, const char *name, const uint8_t *bytes, size_t len)
{
    OSSL_PARAM *p = (OSSL_PARAM *)prov_param(params, name);
    if (!p) return 1;
    int wide =
        p->data_type == OSSL_PARAM_INTEGER && *bytes >> 7; /* a sign needs a bit of its own */
    if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER && p->data_type != OSSL_PARAM_INTEGER) return 0;
    p->return_size = len + (size_t)wide;
    if (!p->data) return 1;
    if (p->data_size < p->return_size) return 0;
    uint8_t *d = p->data;
    for (size_t i = 0; i < p->data_size; i++)
        d[BYTE(p->data_size, i)] = i < len ? bytes[len - 1 - i] : 0;
    p->return_size = p->data_size;
    return 1;
}

int prov_set_uint(OSSL_PARAM *params, const char *name, uint64_t value)
{
    uint8_t bytes[8];
    OSSL_PARAM *p = (OSSL_PARAM *)prov_param(params, name);
    if (!p) return 1;
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> (56 - 8 * i));
    int skip = 0;
    while (p->data && skip < 7 && !bytes[skip]) skip++; /* a small value fits an int */
    return prov_set_number(p, name, bytes + skip, (size_t)(8 - skip));
}

int prov_set_octets(OSSL_PARAM *params, const char *name, const void *data, size_t len)
{
    OSSL_PARAM *p = (OSSL_PARAM *)prov_param(params, name);
    if (!p) return 1;
    p->return_size = len;
    if (p->data_type == OSSL_PARAM_OCTET_PTR) {
        if (p->data) *(const void **)p->data = data;
        return 1;
    }
    if (p->data_type != OSSL_PARAM_OCTET_STRING) return 0;
    if (!p->data) return 1;
    if (p->data_size < len) return 0;
    memcpy(p->data, data, len);
    return 1;
}

int prov_set_text(OSSL_PARAM *params, const char *name, const char *text)
{
    OSSL_PARAM *p = (OSSL_PARAM *)prov_param(params, name);
    size_t len = strlen(text);
    if (!p) return 1;
    p->return_size = len;
    if (p->data_type == OSSL_PARAM_UTF8_PTR) {
        if (p->data) *(const char **)p->data = text;
        return 1;
    }
    if (p->data_type != OSSL_PARAM_UTF8_STRING) return 0;
    if (!p->data) return 1;
    if (p->data_size < len) return 0;
    memcpy(p->data, text, len);
    if (p->data_size > len) ((char *)p->data)[len] = 0;
    return 1;
}
