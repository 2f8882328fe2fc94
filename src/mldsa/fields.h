/* Packing and unpacking in groups of eight fields, which are `bits` bytes, with accesses of 16
 * bytes at a group's beginning and middle. Included once in a tier, which defines first:
 *   fields fields_of(unsigned bits, int32_t top): the constants of a width
 *   void unpack8(int32_t *a, const uint8_t *in, const fields *s): a[8] = the fields of in[bits];
 *       bits/2 + 16 bytes from `in` on are read
 *   void pack8(uint8_t *out, const int32_t *a, const fields *s): the inverse, which
 *       writes that many bytes */
#ifndef TY_MLDSA_FIELDS_H
#define TY_MLDSA_FIELDS_H

/* The number of groups whose accesses, which end 16 bytes after the group's middle, stay inside a
 * packed polynomial, 32 * bits bytes. */
static inline size_t inside(size_t bits) { return (32 * bits - 16 - bits / 2) / bits + 1; }

static void TY_K(mldsa_unpack)(int32_t a[TY_AT_LEAST(256)], const uint8_t *in, unsigned bits,
                               int32_t top)
{
    const fields f = fields_of(bits, top);
    const size_t n = inside(bits), rest = (32 - n) * bits;
    uint8_t end[64];
    for (size_t i = 0; i < n; i++) unpack8(a + 8 * i, in + bits * i, &f);
    memset(end, 0, sizeof end);
    memcpy(end, in + bits * n, rest);
    for (size_t i = n; i < 32; i++) unpack8(a + 8 * i, end + bits * (i - n), &f);
    ty_wipe(end, sizeof end);
}

static void TY_K(mldsa_pack)(uint8_t *out, const int32_t a[TY_AT_LEAST(256)], unsigned bits,
                             int32_t top)
{
    const fields f = fields_of(bits, top);
    const size_t n = inside(bits), rest = (32 - n) * bits;
    uint8_t end[64];
    for (size_t i = 0; i < n; i++) pack8(out + bits * i, a + 8 * i, &f);
    for (size_t i = n; i < 32; i++) pack8(end + bits * (i - n), a + 8 * i, &f);
    memcpy(out + bits * n, end, rest);
    ty_wipe(end, sizeof end);
}

#endif
