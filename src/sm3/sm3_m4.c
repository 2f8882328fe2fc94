/* SM3 for ARM's DSP instructions: the compression function is assembly. */
#include "sm3/sm3.h"

#if defined(TY_ARM_DSP)
void ty_sm3_blocks_m4(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks);

const ty_sm3_ops ty_sm3_ops_m4 = { ty_sm3_blocks_m4, 0, 0, 0 };
#else
typedef int ty_sm3_m4_is_empty;   /* ISO C requires a declaration in every file */
#endif
