/* The lengths in limbs from which the methods of mul.c, div_long.c and reciprocal.c are used, as
 * measured with limbs of 64 bits. They are in a file of their own, so that a program can be linked
 * with other values. */
#include "mp/mp_internal.h"

const ty_mp_thresholds ty_mp_threshold_rows[2] = TY_MP_THRESHOLDS;
