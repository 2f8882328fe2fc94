#include "tongyu/base.h"
#include "base/ct.h"

#include <string.h>

const char *ty_err_text(ty_err err)
{
    switch (err) {
    case TY_OK:              return "success";
    case TY_ERR_ARG:         return "an argument is outside its range";
    case TY_ERR_MEM:         return "out of memory";
    case TY_ERR_FORMAT:      return "malformed or non-canonical encoding";
    case TY_ERR_VERIFY:      return "does not verify";
    case TY_ERR_RNG:         return "the random source failed";
    case TY_ERR_UNSUPPORTED: return "algorithm or parameter not supported";
    case TY_ERR_SIZE:        return "a length limit is exceeded";
    case TY_ERR_KEY:         return "not a valid key";
    case TY_ERR_IO:          return "file operation failed";
    case TY_ERR_STATE:       return "calls came in the wrong order";
    case TY_ERR_FAULT:       return "the machine computed a wrong result, which was kept back";
    case TY_ERR_NO_INVERSE:  return "there is no inverse";
    }
    return "unknown error";
}

const char *ty_version(void) { return TY_VERSION_STRING; }

void ty_wipe(void *p, size_t len)
{
    if (len == 0) return;
    memset(p, 0, len);
    __asm__ volatile("" : : "r"(p) : "memory");   /* the bytes are "read" here, so the stores must happen */
}

int ty_equal(const void *a, const void *b, size_t len)
{
    const uint8_t *x = a, *y = b;
    uint32_t diff = 0;
    for (size_t i = 0; i < len; i++) diff |= (uint32_t)(x[i] ^ y[i]);
    return (int)(ty_mask_zero32(diff) & 1);
}
