/* Keccak-f[1600] for machines with 64-bit words.
 *
 * bound: 155 operations a round where NOT is an instruction of its own, 3720; at four a cycle 930 core cycles.
 * Measured on Zen 3: 1170 (x86-64 without BMI has two-operand instructions: the rest are moves). */
#if defined(__SIZEOF_INT128__)
#include "keccak/keccak.h"
#include "keccak/keccak_word64.inc"

static void f1600(uint64_t a[TY_AT_LEAST(25)]) { permute1(a); }
#include "keccak/keccak_narrow.inc"

const ty_keccak_ops ty_keccak_ops_c64 = { f1600, f1600_x4, f1600_x8, f1600_x4_x1, f1600_x8_x1, give_x4, 4 };
#else
typedef int ty_keccak_c64_is_empty;   /* ISO C wants a declaration in every file */
#endif
