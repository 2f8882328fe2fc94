/* HMAC-SHA-256. */
#include "sha2/sha2.h"

#define HMAC          ty_hmac_sha256
#define HMAC_FN(verb) ty_hmac_sha256_##verb
#define HASH_FN(verb) ty_sha256_##verb
#define BLOCKS        ty_sha256_best()->blocks
#include "mac/hmac.h"
