/* Whether buffers overlap in a way that a call does not allow. Addresses are not secret. */
#ifndef TY_BASE_OVERLAP_H
#define TY_BASE_OVERLAP_H

#include <stddef.h>
#include <stdint.h>

/* out[len] and in[len] share bytes, and are not the same buffer */
static inline int ty_crosses(const void *out, const void *in, size_t len)
{
    const uintptr_t d = (uintptr_t)out - (uintptr_t)in;
    return d != 0 && (d < len || 0 - d < len);
}

/* a[a_len] and b[b_len] share bytes */
static inline int ty_touches(const void *a, size_t a_len, const void *b, size_t b_len)
{
    const uintptr_t d = (uintptr_t)a - (uintptr_t)b;
    return a_len && b_len && (d < b_len || 0 - d < a_len);
}

/* the same for an AEAD, or tag[tag_len] shares bytes with one of them: a call that opens may write
 * to out before it reads tag, and one that seals writes to tag, which must not change `in` */
static inline int ty_aead_crosses(const void *out, const void *in, size_t len, const void *tag,
                                  size_t tag_len)
{
    return ty_crosses(out, in, len) || ty_touches(tag, tag_len, out, len) ||
           ty_touches(tag, tag_len, in, len);
}

/* out[out_len], which a call writes while it reads in[in_len], overlaps in a way that is not
 * allowed: out may begin where in does, or `held` bytes before, where held is the number of bytes
 * of earlier calls that are still to be written */
static inline int ty_overtakes(const void *out, size_t out_len, const void *in, size_t in_len,
                               size_t held)
{
    const uintptr_t d = (uintptr_t)in - (uintptr_t)out;
    return d != 0 && d != held && ty_touches(out, out_len, in, in_len);
}

#endif
