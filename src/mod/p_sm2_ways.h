/* Z/p for SM2 in every way, to be measured side by side; what each does is in p_sm2_ways_words.h.
 *
 * modulus    p = 2^256 - 2^224 - 2^96 + 2^64 - 1
 * identity   2^256 == 2^224 + 2^96 - 2^64 + 1         (mod p)
 * more       mod/p_sm2.h
 *
 * The library itself computes with one of them per tier, and a program that never asks for this
 * list does not link it. */
#ifndef TY_MOD_P_SM2_WAYS_H
#define TY_MOD_P_SM2_WAYS_H

#include "base/bytes.h"
#include "base/levels.h"
#include "base/ct.h"
#include "mod/p_sm2.h"
#include "tongyu/sm2_field.h"

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
