/* The calls of vec_calls.h on vectors of 128 bits */
#include "base/vec/vec_calls.h"

#if defined(__x86_64__) || defined(TY_AARCH64)
#include "base/vec.h"

#if defined(__x86_64__)
#  define TY_LEVEL gfni
#else
#  define TY_LEVEL armce
#endif
#include "base/level_begin.h"
#define V v128
VEC_CALLS(VEC_CALL)
VEC_CALLS_v128(VEC_CALL)
const vec_call vec_calls_v128[] = { VEC_CALLS(VEC_ENTRY) VEC_CALLS_v128(VEC_ENTRY) { 0, 0 } };
#include "base/level_end.h"
#endif
