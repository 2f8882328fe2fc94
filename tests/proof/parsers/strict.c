/* DER that is parsed in place (src/key/strict.c), for CBMC */
#include "any.h"

#include "key/der.c"
#include "key/strict.c"

#ifndef MOST
#define MOST 12
#endif

int ty_equal(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

static const uint8_t *input;
static size_t input_len;

static ty_der any_input(void)
{
    input_len = any_size_to(MOST);
    input = any_bytes(input_len);
    return ty_der_from(input, input_len);
}

static int inside(const uint8_t *p, size_t len)
{
    return p >= input && p <= input + input_len && len <= (size_t)(input + input_len - p);
}

void proof_element(void)
{
    ty_strict x = { NULL };
    ty_der in = any_input();
    const ty_cert_part part = ty_strict_element(&x, &in, any_byte());
    assert(inside(part.p, part.len) && inside(in.p, in.len));
    assert(x.wrong || part.len >= 2);
    assert(!x.wrong || inside(x.wrong, 0));
}

/* An INTEGER of any sign: accepted only if it is the shortest encoding of its value */
void proof_integer(void)
{
    ty_strict x = { NULL };
    ty_der in = any_input();
    const ty_cert_part part = ty_strict_integer(&x, &in);
    assert(inside(part.p, part.len));
    if (x.wrong) return;
    assert(part.len >= 1);
    if (part.len > 1) {
        assert(part.p[0] != 0 || part.p[1] >= 0x80);
        assert(part.p[0] != 0xff || part.p[1] < 0x80);
    }
}

void proof_bits(void)
{
    ty_strict x = { NULL };
    ty_der in = any_input();
    const ty_cert_part part = ty_strict_bits(&x, &in);
    assert(inside(part.p, part.len));
    assert(x.wrong || part.p[-1] == 0);
}

/* An OBJECT IDENTIFIER: no subidentifier begins with a zero, and the last one ends. */
void proof_oid(void)
{
    ty_strict x = { NULL };
    ty_der in = any_input();
    const ty_der id = ty_strict_oid(&x, &in);
    assert(inside(id.p, id.len));
    if (x.wrong) return;
    assert(id.len >= 1 && id.p[id.len - 1] < 0x80 && id.p[0] != 0x80);
    for (size_t i = 1; i < id.len; i++) assert(id.p[i] != 0x80 || id.p[i - 1] >= 0x80);
}

void proof_algorithm(void)
{
    ty_strict x = { NULL };
    ty_der in = any_input();
    ty_cert_part id, parameters;
    ty_strict_algorithm(&x, &id, &parameters, &in);
    assert(inside(id.p, id.len) && inside(parameters.p, parameters.len));
}

void proof_in_order(void)
{
    const size_t n = any_size_to(MOST), m = any_size_to(MOST);
    const ty_cert_part a = { any_bytes(n), n }, b = { any_bytes(m), m };
    const int up = ty_strict_in_order(&a, &b), down = ty_strict_in_order(&b, &a);
    assert(up || down);   /* a total order */
    assert(!(up && down) || (n == m && memcmp(a.p, b.p, n) == 0));
}

/* Month, day and hour of a time that is accepted are in range. */
void proof_time(void)
{
    ty_strict x = { NULL };
    ty_der in = any_input();
    char out[TY_CERT_TIME];
    ty_strict_time(&x, out, &in);
    if (x.wrong) return;
    assert(out[4] == '-' && out[7] == '-' && out[10] == 'T' && out[19] == 'Z' && out[20] == 0);
    const int month = 10 * (out[5] - '0') + out[6] - '0', day = 10 * (out[8] - '0') + out[9] - '0';
    const int hour = 10 * (out[11] - '0') + out[12] - '0';
    assert(month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour >= 0 && hour <= 23);
    assert(month != 2 || day <= 29);
}
