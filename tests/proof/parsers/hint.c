/* The hint of ML-DSA's signatures (src/mldsa/hint.c), for CBMC */
#include "any.h"

#include "mldsa/hint.c"

#ifndef OMEGA
#define OMEGA 6
#define ROWS 2
#endif

static ty_mldsa_row small(void)
{
    ty_mldsa_row row;
    row.omega = OMEGA;
    row.k = ROWS;
    return row;
}

static int bit(uint32_t h[][8], size_t i, uint32_t at) { return h[i][at / 32] >> at % 32 & 1; }

/* Any bytes are accepted if and only if the counts do not decrease and are at most omega, the
 * positions in every row increase, and unused positions are 0 (FIPS 204, algorithm 21). A bit of
 * the hint is then set if and only if its row names the position. */
void proof_unpack(void)
{
    const ty_mldsa_row row = small();
    const uint8_t *const in = any_bytes(OMEGA + ROWS);
    uint32_t h[ROWS][8];
    const size_t i = any_size_to(ROWS - 1);
    const uint8_t at = any_byte();
    const int accepted = ty_mldsa_hint_unpack_vt(h, in, &row);
    int valid = 1, named = 0;
    size_t from = 0;
    for (size_t j = 0; j < ROWS; j++) {
        const size_t to = in[OMEGA + j];
        if (to < from || to > OMEGA) valid = 0;
        for (size_t n = 0; n < OMEGA; n++) {
            if (n < from || n >= to) continue;
            if (n > from && in[n] <= in[n - 1]) valid = 0;
            if (i == j && in[n] == at) named = 1;
        }
        from = to;
    }
    for (size_t n = 0; n < OMEGA; n++)
        if (n >= from && in[n] != 0) valid = 0;
    assert(!accepted == !valid);
    assert(!accepted || bit(h, i, at) == named);
}
