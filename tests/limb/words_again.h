/* Included between two namespaces of one test or benchmark, each with a word size and field of its
 * own: undefines the parameters and guards of the headers that both include. */
#undef TY_LIMB_BITS
#undef TY_LIMBS
#undef TY_W64
#undef TY_PRODUCT
#undef TY_DIV_X86
#undef TY_P_SM2_MONT
#undef TY_P_SM2_ADX
#undef TY_P_SM2_NEON
#undef TY_P_SM2_OWN_KERNELS

#undef TY_LIMB_LIMB256_H
#undef TY_LIMB_DIVSTEP64_H
#undef TY_LIMB_DIVSTEP64_APPLY_H
#undef TY_MOD_P_SM2_WORDS_H
#undef TY_MOD_P_SM2_FOLD_H
#undef TY_MOD_P_SM2_CLEAR_H
#undef TY_MOD_P_SM2_ADX_H
#undef TY_MOD_P_SM2_NEON_H
