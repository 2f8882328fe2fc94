/* The reader and the writer of DER (src/key/der.h), for CBMC: parsers.py names each proof. */
#include "any.h"

#include "key/der.c"

#ifndef MOST
#define MOST 24
#endif

/* One element of any tag: refused, or inside the input and with its length in the shortest form */
void proof_enter(void)
{
    const size_t len = any_size_to(MOST);
    const uint8_t tag = any_byte();
    const uint8_t *const p = any_bytes(len);
    ty_der in = ty_der_from(p, len);
    const ty_der inside = ty_der_enter(&in, tag);
    if (inside.bad) {
        assert(in.bad && in.len == 0 && inside.len == 0);
        return;
    }
    const size_t head = (size_t)(inside.p - p);
    assert(p[0] == tag && head >= 2 && head + inside.len + in.len == len);
    assert(in.p == inside.p + inside.len);
    assert(head + inside.len == ty_der_size(inside.len));
}

void proof_tag(void)
{
    const size_t len = any_size_to(MOST);
    const uint8_t *const p = any_bytes(len);
    ty_der in = ty_der_from(p, len);
    in.bad = any_int();
    const uint8_t tag = ty_der_tag(&in);
    assert(tag == (in.bad || len == 0 ? 0 : p[0]));
}

/* A bad reader stays bad, and values read from it are empty. */
void proof_bad(void)
{
    ty_der in = { any_bytes(2), any_size_to(2), 1 };
    uint8_t out[4];
    const ty_der inside = ty_der_enter(&in, any_byte());
    assert(inside.bad && inside.len == 0 && in.bad && in.len == 0);
    ty_der_uint(out, sizeof out, &in);
    assert(in.bad && out[0] == 0 && out[3] == 0);
    assert(ty_der_u32(&in) == 0 && ty_der_tag(&in) == 0 && !ty_der_done(&in));
}

/* An INTEGER that is accepted is written again as it was. */
void proof_uint(void)
{
    enum { N = 6 };
    const size_t len = any_size_to(MOST), n = any_size_to(N);
    const uint8_t *const p = any_bytes(len);
    uint8_t out[N], again[N + 3];
    assume(n >= 1);
    ty_der in = ty_der_from(p, len);
    ty_der_uint(out, n, &in);
    if (in.bad) return;
    ty_der_out o = ty_der_to(again, sizeof again);
    ty_der_put_uint(&o, out, n);
    assert(!o.bad);
    const size_t size = (size_t)(again + sizeof again - o.p);
    assert(size == (size_t)(in.p - p) && size == ty_der_uint_size(out, n));
    for (size_t i = 0; i < size; i++) assert(o.p[i] == p[i]);
}

/* A number that is written is read again as it was. */
void proof_put_uint(void)
{
    enum { N = 6 };
    const size_t n = any_size_to(N);
    assume(n >= 1);
    const uint8_t *const x = any_bytes(n);
    uint8_t again[N], der[N + 3];
    ty_der_out o = ty_der_to(der, sizeof der);
    ty_der_put_uint(&o, x, n);
    assert(!o.bad);
    ty_der in = ty_der_from(o.p, (size_t)(der + sizeof der - o.p));
    ty_der_uint(again, n, &in);
    assert(ty_der_done(&in));
    for (size_t i = 0; i < n; i++) assert(again[i] == x[i]);
}

void proof_u32(void)
{
    const size_t len = any_size_to(MOST);
    const uint8_t *const p = any_bytes(len);
    ty_der in = ty_der_from(p, len);
    const uint32_t x = ty_der_u32(&in);
    if (in.bad) {
        assert(x == 0);
        return;
    }
    assert(p[0] == 2 && p[1] >= 1 && p[1] <= 5 && (p[2] & 0x80) == 0);
    uint64_t value = 0;
    for (size_t i = 0; i < p[1]; i++) value = value << 8 | p[2 + i];
    assert(value == x);
}

void proof_is(void)
{
    const size_t len = any_size_to(MOST), n = any_size_to(MOST);
    const ty_der in = { any_bytes(len), len, any_int() };
    const uint8_t *const bytes = any_bytes(n);
    const int same = ty_der_is(&in, bytes, n);
    assert(same == (!in.bad && len == n && memcmp(in.p, bytes, n) == 0));
}

/* The writer writes only inside its room, of any size, and its output is read as one element. */
void proof_wrap(void)
{
    const size_t room = any_size_to(MOST), len = any_size_to(MOST);
    uint8_t *const out = any_bytes(room);
    const uint8_t *const bytes = any_bytes(len);
    const uint8_t tag = any_byte();
    ty_der_out o = ty_der_to(out, room);
    ty_der_put(&o, bytes, len);
    ty_der_wrap(&o, tag, out + room);
    assert(o.p >= out && o.p <= out + room);
    assert(!o.bad == (ty_der_size(len) <= room));
    if (o.bad) return;
    ty_der in = ty_der_from(o.p, (size_t)(out + room - o.p));
    const ty_der inside = ty_der_enter(&in, tag);
    assert(ty_der_done(&in) && !inside.bad && inside.len == len);
    for (size_t i = 0; i < len; i++) assert(inside.p[i] == bytes[i]);
}

/* The size of every element that memory can hold */
void proof_size(void)
{
    const size_t len = any_size();
    assume(len < SIZE_MAX - 10);
    const size_t n = ty_der_size(len);
    size_t more = 0;
    if (len >= 0x80) {
        more = 1;
        while (more < 8 && len >> 8 * more) more++;
    }
    assert(n == len + 2 + more);
}

void proof_canonical(void)
{
    const size_t n = any_size_to(MOST), m = any_size_to(MOST);
    const uint8_t *const again = any_bytes(n), *const der = any_bytes(m);
    const ty_err err = ty_der_canonical(again, n, der, m);
    assert(err == (n == m && memcmp(again, der, n) == 0 ? TY_OK : TY_ERR_FORMAT));
}

/* ty_equal is the library's, in another file */
int ty_equal(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}
