/* The implementations of the field of SM2, to be measured against each other; ways_words.h
 * describes them. The modulus and its identity are in mod/p_sm2.h. The library uses one of them per
 * tier. */
#ifndef SM2_FIELD_WAYS_H
#define SM2_FIELD_WAYS_H

#include "base/bytes.h"
#include "base/levels.h"
#include "base/ct.h"
#include "mod/p_sm2.h"
#include "sm2_field/sm2_field.h"

#include <string.h>

extern const ty_sm2_field_way ty_p_sm2_way_fold32, ty_p_sm2_way_sums32, ty_p_sm2_way_clear32,
    ty_p_sm2_way_mont32, ty_p_sm2_way_divide32;
#if defined(__SIZEOF_INT128__)
extern const ty_sm2_field_way ty_p_sm2_way_fold64, ty_p_sm2_way_clear64, ty_p_sm2_way_mont64;
#endif
#if defined(TY_HAS_ADX)
extern const ty_sm2_field_way ty_p_sm2_way_adx64;
#endif
#if defined(TY_AARCH64)
extern const ty_sm2_field_way ty_p_sm2_way_neon64;
#endif

#endif
