/* The symbols of one (size, level) in the library: any_mul is ty_f2_any_w3_mul_aesni, as in
 * f2m/f2m_names.h for named fields. */
#ifndef TY_F2M_F2_ANY_NAMES_H
#define TY_F2M_F2_ANY_NAMES_H

#include "base/levels.h"

#define ANY_NAME(op) TY_CAT(TY_CAT(TY_CAT(ty_f2_any_w, ANY_W), _##op), TY_CAT(_, TY_LEVEL))

#define any_mul         ANY_NAME(mul)
#define any_sqr_n       ANY_NAME(sqr_n)
#define any_mul_mul     ANY_NAME(mul_mul)
#define any_mul_sqr     ANY_NAME(mul_sqr)
#define any_times       ANY_NAME(times)
#define any_pair_mul    ANY_NAME(pair_mul)
#define any_pair_sqr    ANY_NAME(pair_sqr)
#define any_rung        ANY_NAME(rung)
#define any_rung_other  ANY_NAME(rung_other)
#define any_rung_one    ANY_NAME(rung_one)
#define any_rung_two    ANY_NAME(rung_two)
#define any_rung_full1  ANY_NAME(rung_full1)
#define any_rung_dense  ANY_NAME(rung_dense)

#endif
