/* HMAC-SM3. */
#include "tongyu/sm3.h"

#define HMAC          ty_hmac_sm3
#define HMAC_FN(verb) ty_hmac_sm3_##verb
#define HASH_FN(verb) ty_sm3_##verb
#include "mac/hmac.inc"
