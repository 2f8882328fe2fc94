/* scrypt (RFC 7914), for keys that other programs encrypted. Nothing is allocated: the caller
 * provides the memory.
 * time    the addresses that it reads depend on the password, by design (section 10 of the RFC);
 *         salt, lengths and costs are public */
#ifndef TY_KDF_SCRYPT_H
#define TY_KDF_SCRYPT_H

#include "tongyu/base.h"

/* Bytes of memory for these costs; 0 if they exceed SIZE_MAX / 2, or the costs are not valid. Valid
 * are: n a power of two, 2 <= n < 2^(16 r), r > 0, p > 0, r p < 2^30. */
size_t ty_scrypt_memory(uint64_t n, uint32_t r, uint32_t p);

/* out[out_len] = scrypt of password and salt. memory[ty_scrypt_memory(n, r, p)] must be aligned as
 * by malloc, and is wiped at the end.
 *   err    TY_ERR_ARG: the costs are not valid     TY_ERR_SIZE: out_len beyond 2^32 - 1 digests */
TY_MUST_CHECK ty_err ty_scrypt(uint8_t *out, size_t out_len, const uint8_t *password,
                               size_t password_len, const uint8_t *salt, size_t salt_len,
                               uint64_t n, uint32_t r, uint32_t p, void *memory);

#endif
