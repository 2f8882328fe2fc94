/* Encodings of ML-DSA's polynomials by the portable tier (src/mldsa/mldsa_c.c), for CBMC: eight
 * coefficients of every width that FIPS 204 has, and of the 23 bits that src/mldsa/lean.h packs */
#include "any.h"

#include "mldsa/mldsa_c.c"

/* (bits, top): eta 2 and 4, t0, t1, gamma1 of 2^17 and 2^19, w1 of both gamma2, [0, q) */
static const struct {
    unsigned bits;
    int32_t top;
} widths[] = { { 3, 2 }, { 4, 4 }, { 13, 1 << 12 }, { 10, 0 }, { 18, 1 << 17 }, { 20, 1 << 19 },
               { 6, 0 }, { 4, 0 }, { 23, 0 } };
enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* Unpacking what was packed gives the same coefficients; the encoding has `bits` bytes. */
void proof_pack(void)
{
    for (size_t w = 0; w < WIDTHS; w++) {
        const unsigned bits = widths[w].bits;
        const int32_t top = widths[w].top;
        int32_t a[8], again[8];
        uint8_t *const out = any_bytes(bits);
        for (size_t i = 0; i < 8; i++) {
            a[i] = (int32_t)any_word();
            const int64_t field = top ? (int64_t)top - a[i] : a[i];
            assume(field >= 0 && field < 1 << bits);
        }
        ty_mldsa_pack_some_c(out, a, 8, bits, top);
        ty_mldsa_unpack_some_c(again, out, 8, bits, top);
        for (size_t i = 0; i < 8; i++) assert(again[i] == a[i]);
    }
}

/* Packing what was unpacked gives the same bytes: no two encodings have the same coefficients. */
void proof_unpack(void)
{
    for (size_t w = 0; w < WIDTHS; w++) {
        const unsigned bits = widths[w].bits;
        const uint8_t *const in = any_bytes(bits);
        int32_t a[8];
        uint8_t *const again = any_bytes(bits);
        ty_mldsa_unpack_some_c(a, in, 8, bits, widths[w].top);
        for (size_t i = 0; i < 8; i++)
            assert(a[i] <= (widths[w].top ? widths[w].top : (1 << bits) - 1) &&
                   a[i] > widths[w].top - (1 << bits));
        ty_mldsa_pack_some_c(again, a, 8, bits, widths[w].top);
        for (size_t i = 0; i < bits; i++) assert(again[i] == in[i]);
    }
}
