/* The reader and the writer of PEM: see key/pem.h. */
#include "key/pem.h"
#include "base/ct.h"

#include <string.h>

/* The first label of a form is the one that is written. OpenSSL 3.0 writes SM2 PRIVATE KEY for
 * ECPrivateKey. */
static const struct label {
    const char *name;
    ty_key_form form;
} labels[] = {
    { "PRIVATE KEY", TY_KEY_PKCS8 },
    { "ENCRYPTED PRIVATE KEY", TY_KEY_PKCS8_PBES2 },
    { "EC PRIVATE KEY", TY_KEY_SEC1 },
    { "SM2 PRIVATE KEY", TY_KEY_SEC1 },
    { "PUBLIC KEY", TY_KEY_SPKI },
};
enum { LABELS = sizeof labels / sizeof labels[0], LINE = 64 };
static const char begin[] = "-----BEGIN ", end[] = "-----END ", dashes[] = "-----";

/* --- one base64 character --------------------------------------------------------------------- */

/* all ones if lo <= x <= hi;  x, lo, hi < 2^31: a difference's top bit is its sign */
static inline uint32_t within(uint32_t x, uint32_t lo, uint32_t hi)
{
    return ty_mask_bit32((~(x - lo) & ~(hi - x)) >> 31);
}

/* 0 to 63, or 64 for a character outside the alphabet */
static uint32_t from_base64(uint32_t c)
{
    const uint32_t upper = within(c, 'A', 'Z'), lower = within(c, 'a', 'z'),
                   digit = within(c, '0', '9');
    const uint32_t plus = ty_mask_eq32(c, '+'), slash = ty_mask_eq32(c, '/');
    const uint32_t x = (upper & (c - 'A')) | (lower & (c - 'a' + 26)) | (digit & (c - '0' + 52)) |
                       (plus & 62) | (slash & 63);
    return x | (~(upper | lower | digit | plus | slash) & 64);
}

static uint8_t to_base64(uint32_t x)
{
    const uint32_t upper = within(x, 0, 25), lower = within(x, 26, 51), digit = within(x, 52, 61);
    return (uint8_t)((upper & (x + 'A')) | (lower & (x - 26 + 'a')) | (digit & (x - 52 + '0')) |
                     (ty_mask_eq32(x, 62) & '+') | (ty_mask_eq32(x, 63) & '/'));
}

/* --- reading: all of the text except the body is public --------------------------------------- */

typedef struct text {
    const uint8_t *p, *end;
} text;

/* 1 if the text starts with s. Stops at the first difference: the text may have a shorter label,
 * and the body after it is secret. */
static int starts(const text *t, const char *s, size_t n)
{
    if ((size_t)(t->end - t->p) < n) return 0;
    for (size_t i = 0; i < n; i++)
        if (t->p[i] != (uint8_t)s[i]) return 0;
    return 1;
}

static int take(text *t, const char *s)
{
    const size_t n = strlen(s);
    if (!starts(t, s, n)) return 0;
    t->p += n;
    return 1;
}

static int take_eol(text *t) { return take(t, "\r\n") || take(t, "\n") || take(t, "\r"); }

static int is_eol(uint8_t c) { return c == '\n' || c == '\r'; }
static int is_space(uint8_t c) { return is_eol(c) || c == ' ' || c == '\t'; }

/* Skips the rest of the line after the final dashes; 0 if it is not blank. */
static int rest_is_blank(text *t)
{
    while (t->p < t->end && is_space(*t->p)) {
        if (take_eol(t)) return 1;
        t->p++;
    }
    return t->p == t->end;
}

/* Skips "<label>-----" and the end of the line; NULL for another label or a malformed line. */
static const struct label *take_label(text *t)
{
    for (size_t i = 0; i < LABELS; i++) {
        const size_t n = strlen(labels[i].name);
        text u = *t;
        if (!starts(&u, labels[i].name, n)) continue;
        u.p += n;
        if (!starts(&u, dashes, 5)) continue;
        u.p += 5;
        if (!rest_is_blank(&u)) return NULL;
        *t = u;
        return &labels[i];
    }
    return NULL;
}

/* Skips the text up to the end of the first BEGIN line of a key. */
static ty_err find_begin(text *t, const struct label **label)
{
    const uint8_t *start = t->p;
    ty_err err = TY_ERR_FORMAT;
    for (; t->p < t->end; t->p++) {
        if (*t->p != '-' || (t->p > start && !is_eol(t->p[-1])) ||
            !starts(t, begin, sizeof begin - 1))
            continue;
        t->p += sizeof begin - 1;
        *label = take_label(t);
        if (*label) return TY_OK;
        err = TY_ERR_UNSUPPORTED;   /* unless a key follows: parameters, a certificate, ... */
        t->p--;
    }
    return err;
}

/* --- the headers of OpenSSL's old encrypted format: two lines and an empty one (RFC 1421, 4.6.1.1
 * and 4.6.1.3) */

/* 16 bytes as 32 hexadecimal digits */
static int take_iv(text *t, uint8_t iv[16])
{
    for (int i = 0; i < 32; i++, t->p++) {
        if (t->p == t->end) return 0;
        const uint32_t c = *t->p, letter = (c | 0x20) - 'a', digit = c - '0';
        if (digit > 9 && letter > 5) return 0;
        iv[i / 2] = (uint8_t)((uint32_t)iv[i / 2] << 4 | (digit <= 9 ? digit : letter + 10));
    }
    return 1;
}

/* 1 if "Proc-Type" follows. What follows may be a body instead, whose characters are secret; so the
 * fifth is tested first, because base64 has no dash. */
static int has_headers(const text *t)
{
    if (t->end - t->p < 5) return 0;
    uint32_t other = from_base64(t->p[4]) >> 6;
    TY_PUBLIC(&other, sizeof other);   /* as in read_body() */
    return other && t->p[4] == '-' && starts(t, "Proc-Type", 9);
}

static ty_err take_dek(text *t, ty_pem_dek *dek)
{
    if (!take(t, "Proc-Type: 4,ENCRYPTED") || !take_eol(t) || !take(t, "DEK-Info: "))
        return TY_ERR_FORMAT;
    for (ty_pbes2_cipher c = TY_PBES2_SM4; c <= TY_PBES2_AES256; c++) {
        text u = *t;
        if (!take(&u, ty_pbes2_cipher_name(c)) || !take(&u, ",")) continue;
        dek->cipher = c;
        if (!take_iv(&u, dek->iv) || !take_eol(&u) || !take_eol(&u)) return TY_ERR_FORMAT;
        *t = u;
        return TY_OK;
    }
    return TY_ERR_UNSUPPORTED;
}

/* Decodes the body, up to the dashes; TY_ERR_SIZE if there is not enough room. Four characters make
 * three bytes; the last group may be padded. */
static ty_err read_body(uint8_t *der, size_t *der_len, size_t room, text *t)
{
    uint32_t group = 0;
    size_t chars = 0, pads = 0, n = 0;
    ty_err err = TY_OK;
    for (; err == TY_OK && t->p < t->end; t->p++) {
        uint32_t x = from_base64(*t->p), other = x >> 6;
        /* Public: that a character belongs to the alphabet, which it always does in a key. If not,
         * it is itself public. */
        TY_PUBLIC(&other, sizeof other);
        if (!other) {
            group = group << 6 | x;
            if (pads) err = TY_ERR_FORMAT;
            else if (++chars % 4 == 0) {
                if (n + 3 > room) err = TY_ERR_SIZE;
                else
                    for (int shift = 16; shift >= 0; shift -= 8)
                        der[n++] = (uint8_t)(group >> shift);
            }
            continue;
        }
        uint8_t c = *t->p;
        TY_PUBLIC(&c, 1);
        if (c == '-') break;
        if (c == '=') pads++;
        else if (c == ':') err = TY_ERR_UNSUPPORTED;   /* a header */
        else if (!is_space(c)) err = TY_ERR_FORMAT;
    }
    /* 2 characters and 2 pads make a byte, 3 and 1 make two; the bits left over must be zero. */
    const size_t tail = chars % 4;
    if (err == TY_OK && (tail == 1 || pads != (4 - tail) % 4)) err = TY_ERR_FORMAT;
    if (err == TY_OK && tail && n + tail - 1 > room) err = TY_ERR_SIZE;
    if (err == TY_OK && tail) {
        uint32_t spare = tail == 2 ? group & 15 : group & 3;
        TY_PUBLIC(&spare, sizeof spare);   /* zero in every key */
        if (spare) err = TY_ERR_FORMAT;
        if (tail == 2) {
            der[n++] = (uint8_t)(group >> 4);
        } else {
            der[n++] = (uint8_t)(group >> 10);
            der[n++] = (uint8_t)(group >> 2);
        }
    }
    *der_len = n;
    ty_wipe(&group, sizeof group);
    return err;
}

ty_err ty_pem_read(uint8_t der[TY_AT_LEAST(TY_PEM_DER_MAX)], size_t *der_len, ty_key_form *form,
                   const uint8_t *in, size_t in_len)
{
    text t = { in, in + in_len };
    const struct label *label;
    ty_err err = find_begin(&t, &label);
    const int locked = err == TY_OK && has_headers(&t);
    ty_pem_dek dek = { 0 };   /* its values are not used here */
    if (locked) err = label->form == TY_KEY_SEC1 ? take_dek(&t, &dek) : TY_ERR_UNSUPPORTED;
    if (err == TY_OK) err = read_body(der, der_len, TY_PEM_DER_MAX, &t);
    if (err == TY_ERR_SIZE) err = TY_ERR_UNSUPPORTED;   /* some longer kind of key */
    if (err != TY_OK) return err;
    if (!is_eol(t.p[-1]) || !starts(&t, end, sizeof end - 1)) return TY_ERR_FORMAT;
    t.p += sizeof end - 1;
    if (take_label(&t) != label) return TY_ERR_FORMAT;
    *form = locked ? TY_KEY_SEC1_OPENSSL : label->form;
    return TY_OK;
}

ty_err ty_pem_read_dek(ty_pem_dek *dek, const uint8_t *in, size_t in_len)
{
    text t = { in, in + in_len };
    const struct label *label;
    memset(dek, 0, sizeof *dek);
    const ty_err err = find_begin(&t, &label);
    return err == TY_OK ? take_dek(&t, dek) : err;
}

/* Skips "<name>-----" and the end of the line. */
static int take_named(text *t, const char *name)
{
    text u = *t;
    if (!take(&u, name) || !take(&u, dashes) || !rest_is_blank(&u)) return 0;
    *t = u;
    return 1;
}

ty_err ty_pem_read_any(uint8_t *out, size_t *out_len, const char *const *names, size_t count,
                       const uint8_t *in, size_t in_len)
{
    const size_t room = *out_len;
    for (text t = { in, in + in_len }; t.p < t.end; t.p++) {
        if ((t.p > in && !is_eol(t.p[-1])) || !starts(&t, begin, sizeof begin - 1)) continue;
        text u = { t.p + sizeof begin - 1, t.end };
        for (size_t i = 0; i < count; i++) {
            if (!take_named(&u, names[i])) continue;
            const ty_err err = read_body(out, out_len, room, &u);
            if (err != TY_OK) return err;
            return is_eol(u.p[-1]) && take(&u, end) && take_named(&u, names[i]) ? TY_OK
                                                                                : TY_ERR_FORMAT;
        }
    }
    return TY_ERR_FORMAT;
}

/* --- writing ---------------------------------------------------------------------------------- */

static const char *name_of(ty_key_form form)
{
    const struct label *l = labels;
    while (l->form != form) l++;
    return l->name;
}

size_t ty_pem_size(ty_key_form form, size_t der_len)
{
    const size_t chars = (der_len + 2) / 3 * 4;
    return chars + (chars + LINE - 1) / LINE + sizeof begin - 1 + sizeof end - 1 +
           2 * (strlen(name_of(form)) + 6);
}

static uint8_t *put_text(uint8_t *p, const char *s)
{
    const size_t n = strlen(s);
    memcpy(p, s, n);
    return p + n;
}

static uint8_t *put_frame(uint8_t *p, const char *word, const char *name)
{
    return put_text(put_text(put_text(put_text(p, word), name), dashes), "\n");
}

void ty_pem_write(uint8_t *out, ty_key_form form, const uint8_t *der, size_t der_len)
{
    uint8_t *p = put_frame(out, begin, name_of(form));
    uint32_t group = 0;
    for (size_t i = 0, column = 0; i < der_len; i += 3) {
        const size_t have = der_len - i < 3 ? der_len - i : 3;
        group = 0;
        for (size_t j = 0; j < 3; j++) group = group << 8 | (j < have ? der[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            *p++ = j <= have ? to_base64(group >> (18 - 6 * j) & 63) : '=';
        column += 4;
        if (column == LINE || i + have == der_len) {
            *p++ = '\n';
            column = 0;
        }
    }
    put_frame(p, end, name_of(form));
    ty_wipe(&group, sizeof group);
}
