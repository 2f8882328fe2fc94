/* Vectors: one vocabulary for every kernel.
 *
 *   types        v128 v256 v512: vectors of bits. The operators ^ & | ~ of C work on them.
 *   v256_add32   an operation of one width: a static inline function, compiled for its caller's
 *                level. A caller whose level lacks the instruction does not compile.
 *   v_add32      the same, for the width of its arguments
 *   v_load(V, p) of the width V, a type: where no argument has a width
 *
 * Every operation stays within 128-bit parts: what is described below for one happens in each.
 * Bytes, 32-bit words and 64-bit halves are numbered from the lowest address. A new operation is a
 * function for each width in vec_x86.h and vec_arm.h, a line here, and a line in
 * tests/base/vec/vec_calls.h, whose results tests/base/test_vec.cc compares with loops over bytes.
 * A v_ macro expands an argument twice, so nested ones grow: give inner values names. */
#ifndef TY_BASE_VEC_H
#define TY_BASE_VEC_H

#include "base/cpu.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#  include "base/vec_x86.h"
#elif defined(TY_AARCH64)
#  include "base/vec_arm.h"
#endif

/* --- Values that have no argument to take the width from */
#define v_load(V, p)            TY_CAT(V, _load)(p)
#define v_zero(V)               TY_CAT(V, _zero)()
#define v_set8(V, b)            TY_CAT(V, _set8)(b)            /* b in every byte */
#define v_set32(V, w)           TY_CAT(V, _set32)(w)
#define v_set64(V, d)           TY_CAT(V, _set64)(d)
#define v_row(V, p)             TY_CAT(V, _row)(p)             /* the 16 bytes at p in every part */
#define v_pair(V, hi, lo)       TY_CAT(V, _pair)(hi, lo)       /* the same of two halves */
#define v_load_step(V, p, n)    TY_CAT(V, _load_step)(p, n)    /* part i: 16 bytes at p + i n */
#define v_load_rows(V, rows, n) TY_CAT(V, _load_rows)(rows, n) /* part i: those at rows[4 i] + n */
#define v_block_numbers(V)      TY_CAT(V, _block_numbers)()    /* of blocks loaded in order, and
                                                                  transposed 4 x 4 in each part */
#define v_clear_upper(V)        TY_CAT(V, _clear_upper)()      /* at the end of a kernel */

/* --- Memory */
#define v_store(p, a)           V_BY_WIDTH(a, store)(p, a)
#define v_store_step(p, n, a)   V_BY_WIDTH(a, store_step)(p, n, a)   /* as v_load_step */

/* --- Arithmetic in bytes, words, halves. A shift count is the same for all, and below the width */
#define v_add8(a, b)            V_BY_WIDTH(a, add8)(a, b)
#define v_sub8(a, b)            V_BY_WIDTH(a, sub8)(a, b)
#define v_add32(a, b)           V_BY_WIDTH(a, add32)(a, b)
#define v_shl32(a, n)           V_BY_WIDTH(a, shl32)(a, n)
#define v_shr32(a, n)           V_BY_WIDTH(a, shr32)(a, n)
#define v_shl64(a, n)           V_BY_WIDTH(a, shl64)(a, n)
#define v_shr64(a, n)           V_BY_WIDTH(a, shr64)(a, n)
#define v_add64(a, b)           V_BY_WIDTH(a, add64)(a, b)
#define v_sub64(a, b)           V_BY_WIDTH(a, sub64)(a, b)
#define v_shl64_by(a, n)        V_BY_WIDTH(a, shl64_by)(a, n)  /* n is data; 64 and more give 0 */
#define v_shr64_by(a, n)        V_BY_WIDTH(a, shr64_by)(a, n)
#define v_high4(a)              V_BY_WIDTH(a, high4)(a)        /* the upper nibble of each byte */
#if defined(__x86_64__)
#define v_rotl32(a, n)          V_BY_WIDTH(a, rotl32)(a, n)
#else
#define v_rotl32(a, n)          v128_rotl32(a, n)              /* a macro there: n is constant */
#endif

#define v_pick64(a, b, c)       V_BY_WIDTH(a, pick64)(a, b, c) /* a where b == c, else 0 */

/* --- Doubles in the halves, of 256 and 512 bits on x86-64: a + b, a - b, a b + c rounded once. A
 * file that uses them keeps compilers from contracting its own sums (base/doubles.h) */
#define v_set_f64(V, x)         TY_CAT(V, _set_f64)(x)
#define v_add_f64(a, b)         V_BY_WIDTH(a, add_f64)(a, b)
#define v_sub_f64(a, b)         V_BY_WIDTH(a, sub_f64)(a, b)
#define v_fma_f64(a, b, c)      V_BY_WIDTH(a, fma_f64)(a, b, c)

/* --- Logic of three operands, bit by bit: one instruction with AVX-512 */
#define v_xor3(a, b, c)         V_BY_WIDTH(a, xor3)(a, b, c)
#define v_maj(a, b, c)          V_BY_WIDTH(a, maj)(a, b, c)    /* the majority */
#define v_choose(a, b, c)       V_BY_WIDTH(a, choose)(a, b, c) /* a ? b : c */

/* --- Moves */
#define v_shuf8(a, idx)         V_BY_WIDTH(a, shuf8)(a, idx)   /* byte i = a[idx[i]], idx[i] < 16;
                                                                  zero where it is 255 */
#define v_span8(V, a, b, n)     TY_CAT(V, _span8)(a, b, n)     /* bytes n to n + 15 of a and b */
#define v_span64(a, b)          V_BY_WIDTH(a, span64)(a, b)    /* a1 b0 */
#define v_swap64(a)             V_BY_WIDTH(a, swap64)(a)       /* a1 a0 */
#define v_up8(a)                V_BY_WIDTH(a, up8)(a)          /* zero, then bytes a0 to a14 */
#define v_last8(a)              V_BY_WIDTH(a, last8)(a)        /* byte a15, then zeros */
#define v_up64(a)               V_BY_WIDTH(a, up64)(a)         /* halves 0 a0 */
#define v_down64(a)             V_BY_WIDTH(a, down64)(a)       /* a1 0 */
#define v_low64(a)              V_BY_WIDTH(a, low64)(a)        /* a0 0 */
#define v_zip_lo8(a, b)         V_BY_WIDTH(a, zip_lo8)(a, b)   /* bytes a0 b0 ... a7 b7 */
#define v_zip_hi8(a, b)         V_BY_WIDTH(a, zip_hi8)(a, b)   /* a8 b8 ... a15 b15 */
#define v_zip_lo32(a, b)        V_BY_WIDTH(a, zip_lo32)(a, b)  /* words a0 b0 a1 b1 */
#define v_zip_hi32(a, b)        V_BY_WIDTH(a, zip_hi32)(a, b)  /* a2 b2 a3 b3 */
#define v_zip_lo64(a, b)        V_BY_WIDTH(a, zip_lo64)(a, b)  /* halves a0 b0 */
#define v_zip_hi64(a, b)        V_BY_WIDTH(a, zip_hi64)(a, b)  /* a1 b1 */

/* --- Finite fields: AES's S-box; GFNI, for each byte a: m a + c, and m a^-1 + c in AES's field,
 * where m is a matrix of 8 by 8 bits in v_set64's form, c a constant; carry-less products of 64 by
 * 64 bits */
#define v_aes_last(a, b)        V_BY_WIDTH(a, aes_last)(a, b)  /* ShiftRows(SubBytes(a ^ b)) */
#define v_gf8_affine(V, a, m, c)     TY_CAT(V, _gf8_affine)(a, m, c)
#define v_gf8_inv_affine(V, a, m, c) TY_CAT(V, _gf8_inv_affine)(a, m, c)
#define v_clmul_ll(a, b)        V_BY_WIDTH(a, clmul_ll)(a, b)  /* a0 b0 */
#define v_clmul_lh(a, b)        V_BY_WIDTH(a, clmul_lh)(a, b)  /* a0 b1 */
#define v_clmul_hl(a, b)        V_BY_WIDTH(a, clmul_hl)(a, b)  /* a1 b0 */
#define v_clmul_hh(a, b)        V_BY_WIDTH(a, clmul_hh)(a, b)  /* a1 b1 */

/* The name of a template's function for the width V: V_NAME(load) is load_v256. */
#define V_NAME(name) TY_CAT(TY_CAT(name, _), V)

/* Compilers reorder a chain of ^ at will. A pinned value is computed where it is written, so that
 * the operand that is ready last enters the sum last. MemorySanitizer cannot see through it. */
#if defined(TY_CT_MSAN)
#  define V_PIN(a) ((void)0)
#elif defined(__x86_64__)
#  define V_PIN(a) __asm__("" : "+x"(a))
#else
#  define V_PIN(a) __asm__("" : "+w"(a))
#endif

#endif
