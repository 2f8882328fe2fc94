/* SHA-1 (FIPS 180-4, 6.1), for which collisions have been found: only for keys that other programs
 * encrypted, where PBKDF2 with it is still the default of a standard. It is not part of the public
 * interface. */
#ifndef TY_SHA2_SHA1_H
#define TY_SHA2_SHA1_H

#include "tongyu/sha2.h"

#define TY_SHA1_LEN 20

/* The state is SHA-256's with three words that are always zero, as are the last 12 of the 32 bytes
 * that ty_sha1_final writes. The functions behave as those of SHA-256. */
void ty_sha1_init(ty_sha256 *c);
void ty_sha1_update(ty_sha256 *c, const uint8_t *msg, size_t msg_len);
void ty_sha1_final(uint8_t out[TY_AT_LEAST(32)], ty_sha256 *c);
void ty_sha1_hash(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len);

#endif
