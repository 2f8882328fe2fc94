/* GF(2^m) in 128-bit vectors with the carry-less product: the engine of the levels aesni and armce.
 * The includer, a file of src/ec_f2, includes the field's constants (F2_M, F2_K1 ...), defines
 * TY_LEVEL, and ends with level_end.h. */
#ifndef TY_F2M_F2M_VECTORS_H
#define TY_F2M_F2M_VECTORS_H

#include "base/bytes.h"
#include "base/ct.h"
#include "base/unroll.h"
#include "base/vec.h"
#include "base/wipe.h"
#include "f2m/f2m_names.h"
#include "f2m/f2m_size.h"

#include <string.h>

#include "base/level_begin.h"
#define F2_INLINE_LOOP (F2_INLINE_LADDER && F2_W <= 3)
#define V v128
#include "f2m/f2m_vec.h"
#undef V
#include "f2m/f2m_single.h"
#include "f2m/f2m_pair.h"

#endif
