/* The symbols of one (field, level) in the library: fe_mul is ty_f2_233_mul_vaes to a profiler, a
 * debugger and tools/symbols.py, which refuses two functions of one name. Every function of the
 * field's headers that is not always inlined is in this list. */
#ifndef TY_F2M_F2M_NAMES_H
#define TY_F2M_F2M_NAMES_H

#include "base/levels.h"

/* F2_NAME(f2, mul) is ty_f2_<F2_M>_mul_<TY_LEVEL> */
#define F2_NAME(family, op) \
    TY_CAT(TY_CAT(TY_CAT(ty_##family##_, F2_M), _##op), TY_CAT(_, TY_LEVEL))

#define fe_add        F2_NAME(f2, add)
#define fe_fold_term  F2_NAME(f2, fold_term)
#define fe_fold_word  F2_NAME(f2, fold_word)
#define fe_reduce     F2_NAME(f2, reduce)
#define fe_mul        F2_NAME(f2, mul)
#define fe_spread     F2_NAME(f2, spread)
#define fe_sqr_inline F2_NAME(f2, sqr_inline)
#define fe_sqr        F2_NAME(f2, sqr)
#define fe_mul_ladder F2_NAME(f2, mul_ladder)
#define fe_sqr_ladder F2_NAME(f2, sqr_ladder)
#define fe_mul_loop   F2_NAME(f2, mul_loop)
#define fe_sqr_loop   F2_NAME(f2, sqr_loop)
#define fe_sel        F2_NAME(f2, sel)
#define fe_scan       F2_NAME(f2, scan)
#define fe_load       F2_NAME(f2, load)
#define fe_store      F2_NAME(f2, store)
#define fe2_join      F2_NAME(f2, two_join)
#define fe2_split     F2_NAME(f2, two_split)
#define fe2_swap      F2_NAME(f2, two_swap)
#define fe2_sel       F2_NAME(f2, two_sel)
#define fe2_mul_call  F2_NAME(f2, two_mul_call)
#define fe2_sqr_call  F2_NAME(f2, two_sqr_call)
#define fe4_mul_call  F2_NAME(f2, four_mul_call)
#define fe4_sqr_call  F2_NAME(f2, four_sqr_call)
#define fe_frobenius  F2_NAME(f2, frobenius)
#define fe_canon      F2_NAME(f2, canon)
#define fe_iszero     F2_NAME(f2, iszero)
#define fe_trace      F2_NAME(f2, trace)
#define fe_set        F2_NAME(f2, set)
#define fe_get        F2_NAME(f2, get)
#define fe_sqr_n      F2_NAME(f2, sqr_n)
#define fe_sqr_many   F2_NAME(f2, sqr_many)
#define fe_inv        F2_NAME(f2, inv)
#define fe_sqrt       F2_NAME(f2, sqrt)
#define fe_solve      F2_NAME(f2, solve)

#endif
