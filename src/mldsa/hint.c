/* The encoding of a signature's hint (FIPS 204, algorithms 20 and 21): the positions of the ones in
 * ascending order, polynomial by polynomial, in omega bytes; then for each polynomial the number of
 * positions up to its end. Every hint has exactly one encoding, and all others are refused. */
#include "mldsa/mldsa.h"

#include <string.h>

void ty_mldsa_hint_pack(uint8_t *out, uint32_t h[][8], const ty_mldsa_row *row)
{
    size_t n = 0;
    memset(out, 0, (size_t)row->omega + row->k);
    for (size_t i = 0; i < row->k; i++) {
        for (size_t j = 0; j < 8; j++)
            for (uint32_t bits = h[i][j]; bits; bits &= bits - 1)
                out[n++] = (uint8_t)(32 * j + (size_t)__builtin_ctz(bits));
        out[row->omega + i] = (uint8_t)n;
    }
}

int ty_mldsa_hint_unpack_vt(uint32_t h[][8], const uint8_t *in, const ty_mldsa_row *row)
{
    size_t n = 0;
    for (size_t i = 0; i < row->k; i++) {
        const size_t begin = n, end = in[row->omega + i];
        if (end < n || end > row->omega) return 0;
        memset(h[i], 0, sizeof h[i]);
        for (; n < end; n++) {
            if (n > begin && in[n] <= in[n - 1]) return 0;
            h[i][in[n] / 32] |= (uint32_t)1 << in[n] % 32;
        }
    }
    for (; n < row->omega; n++)
        if (in[n] != 0) return 0;
    return 1;
}
