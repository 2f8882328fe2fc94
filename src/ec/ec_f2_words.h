/* The curves over one field in words, with products of integers that have holes: what a file ec_f2_<m>_<level>.c includes.
 * It gives what ec_f2_names.h asks for, and
 *     EC_KOBLITZ           1 if there are curves with b = 1
 *     F2_CLMUL(z, x, y)    z[2] = the carry-less product of two words */
#ifndef TY_EC_EC_F2_WORDS_H
#define TY_EC_EC_F2_WORDS_H

#include "ec/ec_f2_names.h"
#include "limb/f2_holes.h"

#include "mod/f2_words.inc"
#include "mod/f2_two.inc"
#include "ec/ec_binary_all.inc"

#endif
