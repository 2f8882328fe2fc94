/* The symbols of the curves over one (field, level) in the library, as in f2m/f2m_names.h for the
 * field: ec_ladder is ty_ec_f2_233_ladder_vaes. The ops struct is written with these symbols. */
#ifndef TY_EC_EC_F2_NAMES_H
#define TY_EC_EC_F2_NAMES_H

#include "f2m/f2m_names.h"

#define ec_constants_set F2_NAME(ec_f2, constants_set)
#define ec_affine_set    F2_NAME(ec_f2, affine_set)
#define ec_ladder        F2_NAME(ec_f2, ladder)
#define ec_recover       F2_NAME(ec_f2, recover)
#define ec_mul           F2_NAME(ec_f2, mul)
#define ec_on_curve      F2_NAME(ec_f2, on_curve)
#define ec_has_order_n   F2_NAME(ec_f2, has_order_n)
#define ec_check         F2_NAME(ec_f2, check)
#define ec_check_again   F2_NAME(ec_f2, check_again)
#define ec_decompress    F2_NAME(ec_f2, decompress)
#define ec_odd           F2_NAME(ec_f2, odd)
#define ec_field_mul     F2_NAME(ec_f2, field_mul)
#define ec_field_sqr     F2_NAME(ec_f2, field_sqr)
#define ec_field_inv     F2_NAME(ec_f2, field_inv)
#define ec_field_sqrt    F2_NAME(ec_f2, field_sqrt)
#define ec_field_solve   F2_NAME(ec_f2, field_solve)
#define ec_shape_set     F2_NAME(ec_f2, shape_set)
#define ec_xs_add        F2_NAME(ec_f2, xs_add)
#define ec_xs_add_flat   F2_NAME(ec_f2, xs_add_flat)
#define ec_xs_double     F2_NAME(ec_f2, xs_double)
#define ec_xs_set        F2_NAME(ec_f2, xs_set)
#define ec_xs_get        F2_NAME(ec_f2, xs_get)
#define ec_comb_set      F2_NAME(ec_f2, comb_set)
#define ec_comb_column   F2_NAME(ec_f2, comb_column)
#define ec_flat_load     F2_NAME(ec_f2, flat_load)
#define ec_comb          F2_NAME(ec_f2, comb)
#define ec_mul_base      F2_NAME(ec_f2, mul_base)
#define ec_tau           F2_NAME(ec_f2, tau)
#define ec_xs_minus      F2_NAME(ec_f2, xs_minus)
#define ec_entry_set     F2_NAME(ec_f2, entry_set)
#define ec_pick          F2_NAME(ec_f2, pick)
#define ec_tau_table     F2_NAME(ec_f2, tau_table)
#define ec_tau_times     F2_NAME(ec_f2, tau_times)
#define ec_mul_koblitz   F2_NAME(ec_f2, mul_koblitz)
#define ec_recover_xs    F2_NAME(ec_f2, recover_xs)
#define ec_tau_times_vt  F2_NAME(ec_f2, tau_times_vt)
#define ec_mul_add_vt    F2_NAME(ec_f2, mul_add_vt)

#endif
