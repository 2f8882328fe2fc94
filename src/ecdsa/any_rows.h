/* Binary curves of standards other than SEC 2, as rows of parameters; they have no kernels of their
 * own, and use those for any curve. */
#ifndef TY_ECDSA_ANY_ROWS_H
#define TY_ECDSA_ANY_ROWS_H

#include <stdint.h>

typedef struct ty_ec_any_row {
    const char *name, *oid;
    uint16_t m, k[3], n_len;   /* m, k: as in ec_binary.h */
    uint32_t h;
    const uint8_t *abxy, *n;   /* a, b, x, y: ceil(m/8) bytes each; n: n_len bytes */
} ty_ec_any_row;

extern const ty_ec_any_row ty_ec_any_rows[];   /* ends with a row without a name */

#endif
