/* Checks that every AEAD and MAC makes: the verdict on a tag, and whether a length exceeds its
 * limit. */
#ifndef TY_BASE_TAG_H
#define TY_BASE_TAG_H

#include "base/ct.h"
#include "tongyu/base.h"

/* TY_OK if tag is the beginning of right, else TY_ERR_VERIFY; tag_len <= 16 */
static inline ty_err ty_tag_verdict(const uint8_t right[TY_AT_LEAST(16)], const uint8_t *tag,
                                    size_t tag_len)
{
    int same = ty_equal(right, tag, tag_len);
    /* the verdict is the answer of the call; where the tags differ stays secret */
    TY_PUBLIC(&same, sizeof same);
    return same ? TY_OK : TY_ERR_VERIFY;
}

/* Compares 64-bit numbers: where size_t is narrower some limits cannot be reached, which compilers
 * would warn about. */
static inline int ty_over(uint64_t len, uint64_t limit) { return len > limit; }

#endif
