/* Parameters of PBES2 in DER (src/key/pbes2.c), for CBMC */
#include "any.h"

#include "key/der.c"
#include "key/pbes2.c"

#ifndef MOST
#define MOST 24
#endif

int ty_equal(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

size_t ty_pbes2_key_len(ty_pbes2_cipher cipher) { return cipher == TY_PBES2_AES256 ? 32 : 16; }

static const uint8_t *input;
static size_t input_len;

static ty_der any_input(void)
{
    input_len = any_size_to(MOST);
    input = any_bytes(input_len);
    return ty_der_from(input, input_len);
}

static int inside(const ty_der *in)
{
    return in->p >= input && in->len <= (size_t)(input + input_len - in->p);
}

/* A PRF that is accepted is one of the table, or unnamed if there is no input. */
void proof_prf(void)
{
    ty_pbes2 p;
    ty_der in = any_input();
    in.bad = any_int() != 0;
    const size_t len = in.len;
    const ty_err err = get_prf(&p, &in);
    assert(err == TY_OK || err == TY_ERR_FORMAT || err == TY_ERR_UNSUPPORTED);
    assert(inside(&in));
    if (err != TY_OK) return;
    assert(len == 0 ? p.kdf == TY_PBES2_UNNAMED
                    : (size_t)p.kdf < sizeof prfs / sizeof prfs[0] && prfs[p.kdf].len);
}
