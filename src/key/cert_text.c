/* Names and object identifiers as human-readable text. */
#include "key/der.h"
#include "tongyu/cert.h"

#include <string.h>

/* A text under construction. Characters that do not fit are still counted in len. */
typedef struct text {
    char *out;
    size_t room, len;
} text;

static void put(text *t, char c)
{
    if (t->len + 1 < t->room) t->out[t->len] = c;
    t->len++;
}

static void put_string(text *t, const char *s)
{
    for (; *s; s++) put(t, *s);
}

static size_t finish(text *t)
{
    t->out[t->len < t->room ? t->len : t->room - 1] = 0;
    return t->len;
}

static void put_number(text *t, uint64_t n)
{
    char digits[20];
    size_t len = 0;
    do digits[len++] = (char)('0' + n % 10);
    while (n /= 10);
    while (len) put(t, digits[--len]);
}

static void put_escaped(text *t, uint8_t byte)
{
    static const char hex[] = "0123456789ABCDEF";
    put(t, '\\');
    put(t, hex[byte >> 4]);
    put(t, hex[byte & 15]);
}

/* --- object identifiers ----------------------------------------------------------------------- */

static void put_oid(text *t, const uint8_t *p, size_t len)
{
    uint64_t n = 0;
    int first = 1;
    for (size_t i = 0; i < len; i++) {
        if (n >> 57) {   /* a UUID in an identifier is such a number    [X.667] */
            put_string(t, "...");
            return;
        }
        n = n << 7 | (p[i] & 0x7f);
        if (p[i] & 0x80) continue;
        if (first) {     /* the first two numbers are encoded as one: 40 a + b */
            const uint64_t a = n < 80 ? n / 40 : 2;
            put_number(t, a);
            n -= 40 * a;
            first = 0;
        }
        put(t, '.');
        put_number(t, n);
        n = 0;
    }
}

size_t ty_cert_oid_text(char *out, size_t room, const ty_cert_part *oid)
{
    text t = { out, room, 0 };
    put_oid(&t, oid->p, oid->len);
    return finish(&t);
}

/* --- strings ---------------------------------------------------------------------------------- */

enum {
    UTF8 = 0x0c,
    NUMERIC = 0x12,
    PRINTABLE = 0x13,
    T61 = 0x14,
    IA5 = 0x16,
    VISIBLE = 0x1a,
    UNIVERSAL = 0x1c,
    BMP = 0x1e
};

/* A character in UTF-8. Those that a terminal might act on and those that separate names are
 * escaped. */
static void put_character(text *t, uint32_t c)
{
    if (c < 0x20 || c == 0x7f) {
        put_escaped(t, (uint8_t)c);
    } else if (c < 0x80) {
        if (memchr(",+\"\\<>;=", (int)c, 8)) put(t, '\\');
        put(t, (char)c);
    } else if (c < 0xa0 || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
               (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
               (c >= 0xd800 && c < 0xe000) || c == 0xfeff || c > 0x10ffff) {
        /* C1 controls, invisible characters, line separators, changes of direction, surrogates */
        put_string(t, "\\u");
        for (int shift = 28; shift >= 0; shift -= 4)
            if (shift < 16 || c >> shift) put(t, "0123456789ABCDEF"[c >> shift & 15]);
    } else if (c < 0x800) {
        put(t, (char)(0xc0 | c >> 6));
        put(t, (char)(0x80 | (c & 0x3f)));
    } else {
        if (c < 0x10000) {
            put(t, (char)(0xe0 | c >> 12));
        } else {
            put(t, (char)(0xf0 | c >> 18));
            put(t, (char)(0x80 | (c >> 12 & 0x3f)));
        }
        put(t, (char)(0x80 | (c >> 6 & 0x3f)));
        put(t, (char)(0x80 | (c & 0x3f)));
    }
}

/* c = the character that p[len] begins with, in its shortest form of UTF-8. Returns how many bytes
 * it has, or 0 if there is none. len > 0 */
static size_t get_utf8(uint32_t *c, const uint8_t *p, size_t len)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const size_t n = p[0] < 0x80                   ? 1
                     : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                     : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                     : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                   : 0;
    if (n == 0 || n > len) return 0;
    *c = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
        *c = *c << 6 | (p[i] & 0x3fu);
    }
    return *c >= least[n] ? n : 0;
}

static void put_value(text *t, uint8_t tag, const uint8_t *p, size_t len)
{
    const size_t wide = tag == BMP ? 2 : tag == UNIVERSAL ? 4 : 1;
    if (tag != UTF8 && tag != NUMERIC && tag != PRINTABLE && tag != T61 && tag != IA5 &&
        tag != VISIBLE && wide == 1) {
        put(t, '#');   /* not a string: its bytes */
        for (size_t i = 0; i < len; i++) put_escaped(t, p[i]);
        return;
    }
    for (int first = 1; len >= wide; first = 0) {
        uint32_t c = 0;
        size_t n = wide;
        if (tag == UTF8) n = get_utf8(&c, p, len);
        else for (size_t i = 0; i < wide; i++) c = c << 8 | p[i];
        /* A space at either end is easily lost, and '#' at the beginning means that bytes
         * follow    [RFC 4514, 2.4] */
        if (n && ((c == ' ' && (first || n == len)) || (c == '#' && first))) put(t, '\\');
        if (n) put_character(t, c);
        else put_escaped(t, *p);   /* a byte that is not part of UTF-8 */
        p += n ? n : 1;
        len -= n ? n : 1;
    }
    for (; len; len--) put_escaped(t, *p++);
}

/* --- names ------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    uint8_t len, oid[10];
} types[] = {
    { "CN", 3, { 0x55, 4, 3 } },
    { "SN", 3, { 0x55, 4, 4 } },
    { "serialNumber", 3, { 0x55, 4, 5 } },
    { "C", 3, { 0x55, 4, 6 } },
    { "L", 3, { 0x55, 4, 7 } },
    { "ST", 3, { 0x55, 4, 8 } },
    { "street", 3, { 0x55, 4, 9 } },
    { "O", 3, { 0x55, 4, 10 } },
    { "OU", 3, { 0x55, 4, 11 } },
    { "title", 3, { 0x55, 4, 12 } },
    { "postalCode", 3, { 0x55, 4, 17 } },
    { "GN", 3, { 0x55, 4, 42 } },
    { "emailAddress", 9, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1 } },
    { "UID", 10, { 0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 1 } },
    { "DC", 10, { 0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 25 } },
};

static void put_type(text *t, const ty_der *oid)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (ty_der_is(oid, types[i].oid, types[i].len)) {
            put_string(t, types[i].name);
            return;
        }
    put_oid(t, oid->p, oid->len);
}

size_t ty_cert_name_text(char *out, size_t room, const ty_cert_part *name)
{
    text t = { out, room, 0 };
    ty_der in = ty_der_from(name->p, name->len), rdns = ty_der_enter(&in, TY_DER_SEQUENCE);
    while (!rdns.bad && rdns.len) {
        ty_der set = ty_der_enter(&rdns, 0x31);
        if (t.len && !set.bad) put_string(&t, ", ");
        for (int more = 0; !set.bad && set.len; more = 1) {
            ty_der pair = ty_der_enter(&set, TY_DER_SEQUENCE);
            const ty_der type = ty_der_enter(&pair, TY_DER_OID);
            const uint8_t tag = ty_der_tag(&pair);
            const ty_der value = ty_der_enter(&pair, tag);
            if (value.bad) break;
            if (more) put_string(&t, " + ");
            put_type(&t, &type);
            put(&t, '=');
            put_value(&t, tag, value.p, value.len);
        }
    }
    return finish(&t);
}
