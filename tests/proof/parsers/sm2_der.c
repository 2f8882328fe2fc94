/* Signatures of SM2 in DER (src/key/der_sm2.c), for CBMC */
#include "any.h"

#include "key/der.c"
#include "key/der_sm2.c"

/* any verdict on the range of r and s */
uint32_t ty_n_sm2_valid(const uint8_t x[32], uint32_t zero)
{
    (void)zero;
    assert(__CPROVER_r_ok(x, 32));
    return any_int() ? ~(uint32_t)0 : 0;
}

int ty_equal(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

void proof_signature_out(void)
{
    const uint8_t *const sig = any_bytes(64);
    uint8_t *const out = any_bytes(TY_SM2_SIG_DER_MAX);
    size_t len = any_size();
    ty_sm2_sig_to_der(out, &len, sig);
    assert(len >= 8 && len <= TY_SM2_SIG_DER_MAX && out[0] == TY_DER_SEQUENCE);
    assert((size_t)out[1] + 2 == len);
}
