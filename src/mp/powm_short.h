/* Powers of public numbers modulo odd ones of one limb or two */
#ifndef TY_MP_POWM_SHORT_H
#define TY_MP_POWM_SHORT_H

#include "mp/mp_internal.h"

/* z = x^e mod m for public x, e >= 0 and odd m > 0 of n <= 2 limbs */
void ty_mp_powm_short_vt(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_limb *m, size_t n);

#endif
