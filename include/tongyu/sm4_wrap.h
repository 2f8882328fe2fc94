/* Tongyu: key wrap with SM4: a key under another key, with a check, and without a nonce.
 *
 * KW takes keys of a multiple of 8 bytes, KWP keys of any length. They are those of RFC 3394 and
 * RFC 5649 (NIST SP 800-38F, KW and KWP) with SM4 in place of AES; neither accepts what the other
 * wrapped. Wrapping the same key twice gives the same bytes. A wrap calls the cipher twelve times
 * for every 16 bytes, one call after the other: it is for keys, not for files.
 *
 * In all functions, out and in begin at the same byte or do not overlap at all (else TY_ERR_ARG,
 * and out is untouched); any alignment; time depends on lengths alone. */
#ifndef TONGYU_SM4_WRAP_H
#define TONGYU_SM4_WRAP_H

#include "tongyu/sm4.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* longest key that KWP takes, in bytes */
#define TY_SM4_KWP_MAX 0xffffffffu
/* bytes of a key of len bytes, wrapped by KWP */
#define TY_SM4_KWP_LEN(len) (((len) + 7) / 8 * 8 + 8)

/* ty_sm4_kw_wrap: out[len + 8] = in[len] under key.
 *   in     len: a multiple of 8, 16 or more
 *   err    TY_ERR_ARG: any other len, or an overlap; out is untouched
 *   time   secret: in, key; public: len
 *          alias: out == in, where the buffer has len + 8 bytes, or apart
 *   spec   [RFC 3394, 2.2.1], [SP 800-38F, 6.2] */
TY_API TY_MUST_CHECK ty_err ty_sm4_kw_wrap(uint8_t *out, const uint8_t *in, size_t len,
                                           const ty_sm4_key *key);

/* ty_sm4_kw_unwrap: out[len - 8] = the key that ty_sm4_kw_wrap wrapped as in[len].
 *   in     len: a multiple of 8, 24 or more
 *   err    TY_ERR_ARG: any other len, or an overlap; out is untouched
 *          TY_ERR_VERIFY: not wrapped under this key, or altered; out[0..len - 8) is zeroed
 *   time   secret: in, key, out; public: len and the verdict          alias: out == in, or apart
 *   spec   [RFC 3394, 2.2.2], [SP 800-38F, 6.2] */
TY_API TY_MUST_CHECK ty_err ty_sm4_kw_unwrap(uint8_t *out, const uint8_t *in, size_t len,
                                             const ty_sm4_key *key);

/* ty_sm4_kwp_wrap: out[TY_SM4_KWP_LEN(len)] = in[len] under key.
 *   in     len: 1 or more
 *   err    TY_ERR_ARG: len is 0, or an overlap
 *          TY_ERR_SIZE: len > TY_SM4_KWP_MAX.
 *          out is untouched
 *   time   as ty_sm4_kw_wrap
 *          alias: out == in, where the buffer has TY_SM4_KWP_LEN(len) bytes, or apart
 *   spec   [RFC 5649, 4.1], [SP 800-38F, 6.3] */
TY_API TY_MUST_CHECK ty_err ty_sm4_kwp_wrap(uint8_t *out, const uint8_t *in, size_t len,
                                            const ty_sm4_key *key);

/* ty_sm4_kwp_unwrap: out[*out_len] = the key that ty_sm4_kwp_wrap wrapped as in[len].
 *   in     len: a multiple of 8, 16 or more; out has room for len - 8 bytes, and those from
 *          *out_len on become zero
 *   err    TY_ERR_ARG: any other len, or an overlap
 *          TY_ERR_SIZE: len is more than KWP can have made.
 *          out is untouched
 *          TY_ERR_VERIFY: not wrapped under this key, or altered; out[0..len - 8) is zeroed.
 *          *out_len = 0 in all cases
 *   time   as ty_sm4_kw_unwrap; *out_len becomes public with TY_OK
 *          alias: out == in, or apart
 *   spec   [RFC 5649, 4.2], [SP 800-38F, 6.3] */
TY_API TY_MUST_CHECK ty_err ty_sm4_kwp_unwrap(uint8_t *out, size_t *out_len, const uint8_t *in,
                                              size_t len, const ty_sm4_key *key);

#if defined(__cplusplus)
}
#endif
#endif
