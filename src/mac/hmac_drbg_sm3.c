/* HMAC-DRBG over SM3. */
#include "mac/hmac_drbg.h"

#define DRBG          ty_hmac_drbg_sm3
#define DRBG_FN(verb) ty_hmac_drbg_sm3_##verb
#define HMAC_FN(verb) ty_hmac_sm3_##verb
#include "mac/hmac_drbg_body.h"
