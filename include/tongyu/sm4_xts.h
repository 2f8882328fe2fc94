/* Tongyu: SM4-XTS, for storage: a data unit (a sector) keeps its length, and its number is the
 * tweak.
 *
 * There are two versions, and they are NOT the same from the second block on: IEEE 1619 and GB/T
 * 17964-2021 write the polynomials of the tweak in opposite bit orders. What a library calls plain
 * "SM4-XTS" is the IEEE form in some (gmsm, libgcrypt, Botan) and the GB form in others (OpenSSL,
 * GmSSL). Here every name says which.
 *
 * XTS hides what is stored; it does not detect alterations, and equal plaintext in the same place
 * gives equal ciphertext. In all functions, out and in are the same buffer or do not overlap at all
 * (else TY_ERR_ARG, and nothing is written); any alignment; time depends on lengths alone. A key
 * may be shared by threads; ty_wipe it when done. */
#ifndef TONGYU_SM4_XTS_H
#define TONGYU_SM4_XTS_H

#include "tongyu/sm4.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* bytes of a key: first that of the data, then that of the tweak */
#define TY_SM4_XTS_KEY 32
#define TY_SM4_XTS_MIN 16             /* shortest data unit */
/* longest data unit, 2^20 blocks in bytes [SP 800-38E, 4; IEEE 1619, 5.1] */
#define TY_SM4_XTS_MAX 0x1000000u

/* Two keys, for either form. The fields are private. */
typedef struct ty_sm4_xts_key {
    ty_sm4_key data, tweak;
} ty_sm4_xts_key;

/* ty_sm4_xts_init: expand the two keys.
 *   err    TY_ERR_KEY: the halves are equal; key is zeroed. With equal halves the mask of block 0
 *          is an output of the cipher that other blocks can be made to reveal [Rogaway, Asiacrypt
 *          2004: XEX with one key leaves out the power x^0]; FIPS 140-3 (IG C.I) forbids it. IEEE
 *          1619's vector 1 has such a key and cannot be run
 *   time   secret: bytes; that the halves are equal is not */
TY_API TY_MUST_CHECK ty_err ty_sm4_xts_init(ty_sm4_xts_key *key,
                                            const uint8_t bytes[TY_AT_LEAST(32)]);

/* ty_sm4_xts_{ieee,gb}_{encrypt,decrypt}: one data unit.
 *   in     len: any number from 16 to TY_SM4_XTS_MAX; if it is not a multiple of 16, the last two
 *          blocks overlap ("ciphertext stealing")
 *          tweak: 16 bytes, for a sector its number, see ty_sm4_xts_tweak
 *   err    TY_ERR_ARG: len < 16     TY_ERR_SIZE: len > TY_SM4_XTS_MAX.   out is untouched
 *   time   public: len          alias: out == in, or apart
 *   spec   ieee [IEEE 1619-2018, 5]          gb [GB/T 17964-2021, 10] */
TY_API TY_MUST_CHECK ty_err ty_sm4_xts_ieee_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                                    const uint8_t tweak[TY_AT_LEAST(16)],
                                                    const ty_sm4_xts_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_xts_ieee_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                                    const uint8_t tweak[TY_AT_LEAST(16)],
                                                    const ty_sm4_xts_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_xts_gb_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                                  const uint8_t tweak[TY_AT_LEAST(16)],
                                                  const ty_sm4_xts_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_xts_gb_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                                  const uint8_t tweak[TY_AT_LEAST(16)],
                                                  const ty_sm4_xts_key *key);

/* ty_sm4_xts_tweak: tweak = number, as 16 bytes, least significant first [IEEE 1619-2018, 5.1], for
 * both forms. */
TY_API void ty_sm4_xts_tweak(uint8_t tweak[TY_AT_LEAST(16)], uint64_t number);

/* ty_sm4_xts_{ieee,gb}_{encrypt,decrypt}_sectors: `sectors` data units of sector_len bytes
 * each, numbered `first`, first + 1, ... (mod 2^64): the same as one call for each with
 * ty_sm4_xts_tweak, and faster for small ones.
 *   err    as above, of sector_len; also TY_ERR_SIZE: sectors * sector_len does not fit a size_t.
 *          out is untouched
 *   alias  out == in, or apart */
TY_API TY_MUST_CHECK ty_err ty_sm4_xts_ieee_encrypt_sectors(uint8_t *out, const uint8_t *in,
                                                            size_t sectors, size_t sector_len,
                                                            uint64_t first,
                                                            const ty_sm4_xts_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_xts_ieee_decrypt_sectors(uint8_t *out, const uint8_t *in,
                                                            size_t sectors, size_t sector_len,
                                                            uint64_t first,
                                                            const ty_sm4_xts_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_xts_gb_encrypt_sectors(uint8_t *out, const uint8_t *in,
                                                          size_t sectors, size_t sector_len,
                                                          uint64_t first,
                                                          const ty_sm4_xts_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_xts_gb_decrypt_sectors(uint8_t *out, const uint8_t *in,
                                                          size_t sectors, size_t sector_len,
                                                          uint64_t first,
                                                          const ty_sm4_xts_key *key);

#if defined(__cplusplus)
}
#endif
#endif
