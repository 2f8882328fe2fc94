/* Names for the functions of limb/limb256.h, mod/p_sm2_*.h and mod/n_sm2_words.h that a compiler
 * does not always inline. Several units hold these bodies, so a profile shows the unit and the
 * level of each: ty_ec_sm2_p_inv_adx. The unit defines TY_OWN(name) before this list, for example
 * as TY_K(ec_sm2_##name); never paste one of these names. */
#ifndef TY_MOD_SM2_NAMES_H
#define TY_MOD_SM2_NAMES_H

#define ty_limb256_canon         TY_OWN(limb256_canon)
#define ty_limb256_addmod        TY_OWN(limb256_addmod)
#define ty_limb256_submod        TY_OWN(limb256_submod)
#define ty_limb256_mul           TY_OWN(limb256_mul)
#define ty_limb256_sqr           TY_OWN(limb256_sqr)
#define ty_limb256_redc          TY_OWN(limb256_redc)
#define ty_limb256_set           TY_OWN(limb256_set)
#define ty_limb256_get           TY_OWN(limb256_get)
#define ty_limb256_inv           TY_OWN(limb256_inv)
#define ty_div32_set             TY_OWN(div32_set)
#define ty_div32_add             TY_OWN(div32_add)
#define ty_div_60                TY_OWN(div_60)
#define ty_div_step              TY_OWN(div_step)
#define ty_div_compose           TY_OWN(div_compose)
#define ty_div_apply             TY_OWN(div_apply)
#define ty_div_apply_mod         TY_OWN(div_apply_mod)
#define ty_div_add               TY_OWN(div_add)
#define ty_p_sm2_add             TY_OWN(p_add)
#define ty_p_sm2_sub             TY_OWN(p_sub)
#define ty_p_sm2_half            TY_OWN(p_half)
#define ty_p_sm2_reduce          TY_OWN(p_reduce)
#define ty_p_sm2_mul             TY_OWN(p_mul)
#define ty_p_sm2_sqr             TY_OWN(p_sqr)
#define ty_p_sm2_mul_less        TY_OWN(p_mul_less)
#define ty_p_sm2_sqr_n           TY_OWN(p_sqr_n)
#define ty_p_sm2_append          TY_OWN(p_append)
#define ty_p_sm2_inv             TY_OWN(p_inv)
#define ty_p_sm2_eq              TY_OWN(p_eq)
#define ty_p_sm2_sqrt            TY_OWN(p_sqrt)
#define ty_p_sm2_set             TY_OWN(p_set)
#define ty_p_sm2_get             TY_OWN(p_get)
#define ty_p_sm2_fold            TY_OWN(p_fold)
#define ty_p_sm2_fold_carry      TY_OWN(p_fold_carry)
#define ty_p_sm2_clear           TY_OWN(p_clear)
#define ty_p_sm2_clear64         TY_OWN(p_clear64)
#define ty_n_sm2_montmul         TY_OWN(n_montmul)
#define ty_n_sm2_set             TY_OWN(n_set)
#define ty_n_sm2_get             TY_OWN(n_get)
#define ty_n_sm2_to_mont         TY_OWN(n_to_mont)
#define ty_n_sm2_halve_range     TY_OWN(n_halve_range)

#endif
