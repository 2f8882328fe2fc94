/* Tongyu: SHA-3 and SHAKE (FIPS 202): Keccak-f[1600] as four hashes of fixed length and two of any
 * length. */
#ifndef TONGYU_KECCAK_H
#define TONGYU_KECCAK_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define TY_SHA3_224_LEN 28  /* bytes of a digest */
#define TY_SHA3_256_LEN 32
#define TY_SHA3_384_LEN 48
#define TY_SHA3_512_LEN 64

#define TY_SHA3_224_BLOCK 144  /* bytes absorbed by one permutation */
#define TY_SHA3_256_BLOCK 136
#define TY_SHA3_384_BLOCK 104
#define TY_SHA3_512_BLOCK 72
#define TY_SHAKE128_BLOCK 168  /* bytes absorbed, or squeezed, per permutation */
#define TY_SHAKE256_BLOCK 136

/* A running sponge, for any of the six. May be copied to fork the state; as secret as the message,
 * so ty_wipe it when an output is abandoned. 208 bytes, alignment of uint64_t; the fields are
 * private. */
typedef struct ty_keccak {
    uint64_t a[25];
    uint16_t pos, rate;     /* pos: bytes of the current block that are done, 0 <= pos <= rate */
    /* domain separation: the bits after the message, and the first bit of the padding */
    uint8_t suffix;
    uint8_t squeezing;
    uint8_t zero[2];
} ty_keccak;

/* ty_sha3_*_init: an empty message for one of the four hashes. */
TY_API void ty_sha3_224_init(ty_keccak *c);
TY_API void ty_sha3_256_init(ty_keccak *c);
TY_API void ty_sha3_384_init(ty_keccak *c);
TY_API void ty_sha3_512_init(ty_keccak *c);

/* ty_sha3_update: append msg[msg_len] to the message. Chunks may have any length; msg may be NULL
 * when msg_len is 0.
 *   after  ty_sha3_final, and before the next init, it does nothing
 *   time   secret: the message, the state; public: msg_len and the number of bytes absorbed
 *          before */
TY_API void ty_sha3_update(ty_keccak *c, const uint8_t *msg, size_t msg_len);

/* ty_sha3_final: out = the digest of the whole message, 28, 32, 48 or 64 bytes as c was
 * initialised; returns how many.
 *   after  c is wiped and must be initialised before it is used again (until then it has a digest
 *          of 0 bytes)
 *   spec   [FIPS 202, 6.1] */
TY_API size_t ty_sha3_final(uint8_t *out, ty_keccak *c);

/* ty_sha3_224_hash ... ty_sha3_512_hash: out = the digest of msg, in one call.
 * alias: out may overlap msg */
TY_API void ty_sha3_224_hash(uint8_t out[TY_AT_LEAST(28)], const uint8_t *msg, size_t msg_len);
TY_API void ty_sha3_256_hash(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len);
TY_API void ty_sha3_384_hash(uint8_t out[TY_AT_LEAST(48)], const uint8_t *msg, size_t msg_len);
TY_API void ty_sha3_512_hash(uint8_t out[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len);

/* ty_shake*_init: an empty message for SHAKE128 or SHAKE256. */
TY_API void ty_shake128_init(ty_keccak *c);
TY_API void ty_shake256_init(ty_keccak *c);

/* ty_shake_update: append msg[msg_len] to the message; as ty_sha3_update.
 *   err    TY_ERR_STATE: output has been squeezed already, or c is not initialised; c is
 *          unchanged */
TY_API TY_MUST_CHECK ty_err ty_shake_update(ty_keccak *c, const uint8_t *msg, size_t msg_len);

/* ty_shake_squeeze: out = the next out_len bytes of output; the first call ends the message. Any
 * number of calls, of any lengths, give what one call would. out may be NULL when out_len is 0.
 *   err    TY_ERR_STATE: c is not initialised; out is zeroed
 *   spec   [FIPS 202, 6.2] */
TY_API TY_MUST_CHECK ty_err ty_shake_squeeze(uint8_t *out, size_t out_len, ty_keccak *c);

/* ty_shake128_hash, ty_shake256_hash: out = out_len bytes of output for msg, in one call.
 * alias: out may overlap msg */
TY_API void ty_shake128_hash(uint8_t *out, size_t out_len, const uint8_t *msg, size_t msg_len);
TY_API void ty_shake256_hash(uint8_t *out, size_t out_len, const uint8_t *msg, size_t msg_len);

#if defined(__cplusplus)
}
#endif
#endif
