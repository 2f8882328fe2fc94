/* Measured, in limbs of 64 bits: see mul.c, div_long.c and reciprocal.c. In a file of its own, so
 * that a program may bring another. */
#include "mp/mp_internal.h"

const ty_mp_thresholds ty_mp_threshold_rows[2] = TY_MP_THRESHOLDS;
