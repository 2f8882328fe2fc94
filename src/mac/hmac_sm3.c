/* HMAC-SM3. */
#include "sm3/sm3.h"
#include "tongyu/sm3.h"

#define HMAC          ty_hmac_sm3
#define HMAC_FN(verb) ty_hmac_sm3_##verb
#define HASH_FN(verb) ty_sm3_##verb
#define BLOCKS        ty_sm3_best()->blocks
#include "mac/hmac.h"
