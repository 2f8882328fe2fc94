/* The reader and the writer of DER: see key/der.h. */
#include "key/der.h"
#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

/* Every byte that the reader branches on is read here. In a decrypted key, only the encoding that
 * all keys of its kind share becomes public; after a wrong password, a few bits of noise. */
static uint8_t look(const uint8_t *p)
{
    uint8_t b = *p;
    TY_PUBLIC(&b, 1);
    return b;
}

uint8_t ty_der_tag(const ty_der *in) { return in->bad || in->len == 0 ? 0 : look(in->p); }

static ty_der fail(ty_der *in)
{
    *in = (ty_der){ in->p, 0, 1 };
    return *in;
}

ty_der ty_der_enter(ty_der *in, uint8_t tag)
{
    if (in->bad || in->len < 2 || look(in->p) != tag) return fail(in);
    const uint8_t *p = in->p + 2;
    const size_t left = in->len - 2;
    size_t len = look(in->p + 1), more = 0;
    if (len >= 0x80) {
        /* Long form: 0x80 + number of length bytes. 0x80 itself is the indefinite length; an
         * encoding with a first byte of zero, or of a length that fits the short form, is not the
         * shortest. */
        more = len - 0x80;
        if (more == 0 || more > sizeof len || more > left || look(p) == 0) return fail(in);
        len = 0;
        for (size_t i = 0; i < more; i++) len = len << 8 | look(p + i);
        if (len < 0x80) return fail(in);
    }
    if (len > left - more) return fail(in);
    const ty_der contents = { p + more, len, 0 };
    in->p = p + more + len;
    in->len = left - more - len;
    return contents;
}

void ty_der_uint(uint8_t *out, size_t n, ty_der *in)
{
    memset(out, 0, n);
    ty_der x = ty_der_enter(in, TY_DER_INTEGER);
    if (x.bad || x.len == 0 || look(x.p) & 0x80) {   /* empty, or negative */
        fail(in);
        return;
    }
    /* a leading zero is allowed only to keep the number from being negative */
    if (look(x.p) == 0 && x.len > 1) {
        x.p++;
        x.len--;
        if (!(look(x.p) & 0x80)) {
            fail(in);
            return;
        }
    }
    if (x.len > n) {
        fail(in);
        return;
    }
    memcpy(out + (n - x.len), x.p, x.len);
    /* versions, counts, r and s, x and y: no private key is an INTEGER in our formats */
    TY_PUBLIC(out, n);
}

uint32_t ty_der_u32(ty_der *in)
{
    uint8_t b[4];
    ty_der_uint(b, sizeof b, in);
    const uint32_t x = ty_get32be(b);
    return in->bad ? 0 : x;
}

int ty_der_is(const ty_der *contents, const uint8_t *bytes, size_t len)
{
    if (contents->bad || contents->len != len) return 0;
    for (size_t i = 0; i < len; i++)
        if (look(contents->p + i) != bytes[i]) return 0;
    return 1;
}

void ty_der_put(ty_der_out *o, const uint8_t *bytes, size_t len)
{
    if (o->bad || (size_t)(o->p - o->start) < len) {
        o->bad = 1;
        return;
    }
    o->p -= len;
    if (len) memcpy(o->p, bytes, len);
}

void ty_der_put_byte(ty_der_out *o, uint8_t byte) { ty_der_put(o, &byte, 1); }

void ty_der_wrap(ty_der_out *o, uint8_t tag, const uint8_t *end)
{
    if (o->bad) return;
    size_t len = (size_t)(end - o->p);
    if (len < 0x80) {
        ty_der_put_byte(o, (uint8_t)len);
    } else {
        uint8_t more = 0;
        for (; len; len >>= 8, more++) ty_der_put_byte(o, (uint8_t)len);
        ty_der_put_byte(o, (uint8_t)(0x80 + more));
    }
    ty_der_put_byte(o, tag);
}

/* Skips leading zeros of *x; returns the number of bytes that remain, at least one. */
static size_t strip(const uint8_t **x, size_t n)
{
    for (; n > 1 && **x == 0; n--) ++*x;
    return n;
}

void ty_der_put_uint(ty_der_out *o, const uint8_t *x, size_t n)
{
    const uint8_t *end = o->p;
    n = strip(&x, n);
    ty_der_put(o, x, n);
    if (x[0] & 0x80) ty_der_put_byte(o, 0);
    ty_der_wrap(o, TY_DER_INTEGER, end);
}

size_t ty_der_size(size_t len)
{
    size_t n = 2 + len;
    if (len >= 0x80)
        for (size_t rest = len; rest; rest >>= 8) n++;
    return n;
}

size_t ty_der_uint_size(const uint8_t *x, size_t n)
{
    n = strip(&x, n);
    return ty_der_size(n + (x[0] >> 7));
}

ty_err ty_der_canonical(const uint8_t *again, size_t again_len, const uint8_t *der, size_t der_len)
{
    int same = again_len == der_len && ty_equal(again, der, der_len);
    TY_PUBLIC(&same, sizeof same);   /* the verdict */
    return same ? TY_OK : TY_ERR_FORMAT;
}
