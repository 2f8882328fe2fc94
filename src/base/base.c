/* The texts of errors, the version, wiping, and comparison in constant time. */
#include "tongyu/base.h"
#include "base/ct.h"
#include "base/wipe.h"

#include <string.h>

const char *ty_err_text(ty_err err)
{
    switch (err) {
    case TY_OK:              return "success";
    case TY_ERR_ARG:         return "an argument is outside its range";
    case TY_ERR_MEM:         return "out of memory";
    case TY_ERR_FORMAT:      return "malformed or non-canonical encoding";
    case TY_ERR_VERIFY:      return "a signature, tag or checksum does not verify";
    case TY_ERR_RNG:         return "the random source failed";
    case TY_ERR_UNSUPPORTED: return "algorithm or parameter not supported";
    case TY_ERR_SIZE:        return "a length limit is exceeded";
    case TY_ERR_KEY:         return "not a valid key";
    case TY_ERR_IO:          return "file operation failed";
    case TY_ERR_STATE:       return "calls came in the wrong order";
    case TY_ERR_FAULT:       return "the machine computed a wrong result, which was withheld";
    case TY_ERR_NO_INVERSE:  return "there is no inverse";
    }
    return "unknown error";
}

const char *ty_version(void) { return TY_VERSION_STRING; }

void ty_wipe(void *p, size_t len)
{
    if (len == 0) return;
    memset(p, 0, len);
    /* the bytes are "read" here, so the stores must happen */
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* Only the array is in the frame: a canary and its alignment would leave a gap. The asm statement
 * keeps the frame until the stores are done: a call at the end of the function could become a jump,
 * before which the frame is released. */
#if defined(__has_attribute)
#  if __has_attribute(no_stack_protector)
#    define ALONE __attribute__((noinline, no_stack_protector))
#  endif
#endif
#if !defined(ALONE)
#  define ALONE __attribute__((noinline))
#endif

ALONE void ty_wipe_below_1k(void)
{
    uint64_t below[128 + 1];
    ty_wipe(below, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

#if !defined(ty_wipe_below_8k)
/* Touches the pages from above, one by one: a stack that is too short faults at its guard page. */
ALONE void ty_wipe_below_8k(void)
{
    enum { WORDS = 1024 + 1, STEP = 256 };
    uint64_t below[WORDS];
    for (size_t i = WORDS - 1; i >= STEP; i -= STEP) *(volatile uint64_t *)&below[i] = 0;
    ty_wipe(below, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}
#endif

int ty_equal(const void *a, const void *b, size_t len)
{
    const uint8_t *x = a, *y = b;
    uint32_t diff = 0;
    for (size_t i = 0; i < len; i++) diff |= (uint32_t)(x[i] ^ y[i]);
    return (int)(ty_mask_zero32(diff) & 1);
}
