/* MD5 (RFC 1321), broken as a hash: for keys in OpenSSL's old encrypted format, with Proc-Type and
 * DEK-Info lines, which hashes the password with it once. Not part of the public interface.
 * Constant time in everything except lengths. */
#ifndef TY_KEY_MD5_H
#define TY_KEY_MD5_H

#include "tongyu/base.h"

typedef struct ty_md5 {
    uint32_t h[4];
    uint64_t len;
    uint8_t block[64];
} ty_md5;

void ty_md5_init(ty_md5 *c);
void ty_md5_update(ty_md5 *c, const uint8_t *msg, size_t msg_len);
void ty_md5_final(uint8_t out[TY_AT_LEAST(16)], ty_md5 *c);   /* c is wiped */

#endif
