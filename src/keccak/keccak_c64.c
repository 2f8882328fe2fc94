/* Keccak-f[1600] for machines with 64-bit words.
 *
 * bound: 155 operations a round where NOT is an instruction of its own, 3720; at four a cycle 930
 * core cycles. Measured on Zen 3: 1170 (x86-64 without BMI has two-operand instructions: the rest
 * are moves). */
#if defined(__SIZEOF_INT128__)
#include "keccak/keccak.h"
#include "keccak/keccak_word64.h"

static void ty_keccak_f1600_c64(uint64_t a[TY_AT_LEAST(25)]) { permute_w64(a); }
#define TY_LEVEL c64
#include "base/level_begin.h"
static inline void ty_keccak_permute_c64(uint64_t s[TY_AT_LEAST(25)]) { ty_keccak_f1600_c64(s); }
#include "keccak/keccak_narrow.h"
#include "base/level_end.h"

const ty_keccak_ops ty_keccak_ops_c64 = { ty_keccak_f1600_c64,
                                          ty_keccak_f1600_x4_c64,
                                          ty_keccak_f1600_x8_c64,
                                          ty_keccak_f1600_c64,
                                          ty_keccak_add_c,
                                          ty_keccak_get_c,
                                          ty_keccak_sample_vt_c,
                                          ty_keccak_f1600_x4_x1_c64,
                                          ty_keccak_f1600_x8_x1_c64,
                                          ty_keccak_give_x4_c64,
                                          4 };
#else
typedef int ty_keccak_c64_is_empty;   /* ISO C requires a declaration in every file */
#endif
