/* PBKDF2-HMAC-SHA-256. */
#include "sha2/sha2.h"

#define PBKDF2        ty_pbkdf2_sha256
#define HMAC          ty_hmac_sha256
#define HMAC_FN(verb) ty_hmac_sha256_##verb
#define BLOCKS        ty_sha256_best()->blocks
#include "kdf/pbkdf2.h"
