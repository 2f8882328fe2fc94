/* HMAC-DRBG over SHA-256. */
#include "mac/hmac_drbg.h"

#define DRBG          ty_hmac_drbg_sha256
#define DRBG_FN(verb) ty_hmac_drbg_sha256_##verb
#define HMAC_FN(verb) ty_hmac_sha256_##verb
#include "mac/hmac_drbg_body.h"
