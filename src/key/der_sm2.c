/* SM2 signatures and ciphertexts in the DER of GB/T 35276-2017 (7.2 and 7.3), from and to the
 * fixed-length forms. All of it is public. */
#include "key/der.h"
#include "mod/n_sm2.h"
#include "tongyu/key.h"

#include <string.h>

void ty_sm2_sig_to_der(uint8_t out[TY_AT_LEAST(72)], size_t *out_len,
                       const uint8_t sig[TY_AT_LEAST(64)])
{
    uint8_t b[TY_SM2_SIG_DER_MAX];
    ty_der_out o = ty_der_to(b, sizeof b);   /* 2 + 2 (2 + 33) = 72 at most */
    ty_der_put_uint(&o, sig + 32, 32);
    ty_der_put_uint(&o, sig, 32);
    ty_der_wrap(&o, TY_DER_SEQUENCE, b + sizeof b);
    *out_len = (size_t)(b + sizeof b - o.p);
    memcpy(out, o.p, *out_len);
}

ty_err ty_sm2_sig_from_der(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *in, size_t in_len)
{
    uint8_t rs[64];
    ty_der der = ty_der_from(in, in_len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    ty_der_uint(rs, 32, &seq);
    ty_der_uint(rs + 32, 32, &seq);
    if (!ty_der_done(&seq) || !ty_der_done(&der) || !ty_n_sm2_valid(rs, 0) ||
        !ty_n_sm2_valid(rs + 32, 0))
        return TY_ERR_FORMAT;
    memcpy(sig, rs, 64);
    return TY_OK;
}

/* C1C3C2 = 04 || x || y || C3 || C2 */
enum { X = 1, Y = 33, C3 = 65, C2 = 97 };

ty_err ty_sm2_ct_to_der(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len)
{
    if (in_len <= C2 || in[0] != 4) return TY_ERR_FORMAT;
    if (in_len > SIZE_MAX / 2) return TY_ERR_SIZE;   /* the sums below cannot wrap */
    const size_t body = ty_der_uint_size(in + X, 32) + ty_der_uint_size(in + Y, 32) +
                        ty_der_size(32) + ty_der_size(in_len - C2);
    const size_t room = *out_len, need = ty_der_size(body);
    *out_len = need;
    if (room < need) return TY_ERR_SIZE;

    ty_der_out o = ty_der_to(out, need);
    ty_der_put(&o, in + C2, in_len - C2);
    ty_der_wrap(&o, TY_DER_OCTETS, out + need);
    const uint8_t *end = o.p;
    ty_der_put(&o, in + C3, 32);
    ty_der_wrap(&o, TY_DER_OCTETS, end);
    ty_der_put_uint(&o, in + Y, 32);
    ty_der_put_uint(&o, in + X, 32);
    ty_der_wrap(&o, TY_DER_SEQUENCE, out + need);
    return TY_OK;
}

ty_err ty_sm2_ct_from_der(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len)
{
    uint8_t xy[64];
    ty_der der = ty_der_from(in, in_len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    ty_der_uint(xy, 32, &seq);
    ty_der_uint(xy + 32, 32, &seq);
    const ty_der c3 = ty_der_enter(&seq, TY_DER_OCTETS), c2 = ty_der_enter(&seq, TY_DER_OCTETS);
    if (!ty_der_done(&seq) || !ty_der_done(&der) || c3.len != 32 || c2.len == 0)
        return TY_ERR_FORMAT;
    const size_t room = *out_len, need = C2 + c2.len;
    *out_len = need;
    if (room < need) return TY_ERR_SIZE;
    out[0] = 4;
    memcpy(out + X, xy, 64);
    memcpy(out + C3, c3.p, 32);
    memcpy(out + C2, c2.p, c2.len);
    return TY_OK;
}
