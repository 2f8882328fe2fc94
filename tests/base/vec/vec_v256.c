/* The calls of vec_calls.h on vectors of 256 bits */
#include "base/vec/vec_calls.h"

#if defined(__x86_64__)
#include "base/vec.h"

#define TY_LEVEL gfni
#include "base/level_begin.h"
#define V v256
VEC_CALLS(VEC_CALL)
VEC_CALLS_v256(VEC_CALL)
const vec_call vec_calls_v256[] = { VEC_CALLS(VEC_ENTRY) VEC_CALLS_v256(VEC_ENTRY) { 0, 0 } };
#include "base/level_end.h"
#endif
