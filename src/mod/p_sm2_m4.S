// Z/p of SM2 for ARM's DSP instructions: products by UMAAL, sums, halves. Constant time.
//
// Reduction is Montgomery's by a digit of 32 bits. With B = 2^32, K = B - 1, p = K B^7 - K B^2 - 1,
// so a digit m, the lowest word itself, is cleared by adding m p, which adds K m seven words
// higher and subtracts K m two words higher. With ~m = K - m,
//
//     -K m = K ~m - K^2,
//     and the sum of -K^2 B^(i+2) over eight digits is -K B^2 (B^8 - 1) = K B^2 - K B^10:
//
// two UMAALs by K a digit, and a constant at each end. All numbers are in [0, 2^256): for x, y in
// it the result is below (2^512 + 2^256 p)/2^256 = 2^256 + p, and where it reaches 2^256 one p is
// subtracted, by adding 2^224 + 2^96 - 2^64 + 1 mod 2^256. A sum or difference may need two.
//
// tools/gen_p_sm2_m4.py writes the two products and explains them. bound: a product has 64
// multiplications, 8 words to clear and 24 loads of its factors, its reduction 27 instructions for
// the digits and 19 at the end; a square has 36, 8 and 8, and 22 to double and add columns.
// Modelled cycles (tools/m4cycles), hard float: 194 for 185 instructions, and 148 for 139; soft
// float 203 and 151.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)
#include "mod/p_sm2_m4.inc"
#include "mod/p_sm2_m4_regs.h"

// Product and square, for assembly to call: x at r1, y at r2, SCRATCH_SIZE bytes at sp, the result
// in the registers of p_sm2_m4_regs.h; all other registers are destroyed.
TY_FUNC ty_p_sm2_product_m4
        P_SM2_PRODUCT
        bx      lr
TY_END ty_p_sm2_product_m4

TY_FUNC ty_p_sm2_square_m4
        P_SM2_SQUARE
        bx      lr
TY_END ty_p_sm2_square_m4

        .macro CALL_PRODUCT name
TY_FUNC ty_p_sm2_\name\()_m4
        push    {r0, r4-r11, lr}
        .cfi_adjust_cfa_offset 40
        .irp    r, 4, 5, 6, 7, 8, 9, 10, 11
        .cfi_rel_offset r\r, 4 * (\r - 3)
        .endr
        .cfi_rel_offset lr, 36
        sub     sp, sp, SCRATCH_SIZE
        .cfi_adjust_cfa_offset SCRATCH_SIZE
        .ifc    \name, mul
        bl      ty_p_sm2_product_m4
        .else
        bl      ty_p_sm2_square_m4
        .endif
        FORGET
        ldr     r1, [sp, SCRATCH_SIZE]  // z
        TO      r1
        add     sp, sp, SCRATCH_SIZE + 4
        .cfi_adjust_cfa_offset -SCRATCH_SIZE - 4
        TY_RETURN
TY_END ty_p_sm2_\name\()_m4
        .endm

// void ty_p_sm2_mul_m4(uint32_t z[8], const uint32_t x[8], const uint32_t y[8]): z = x y/2^256
        CALL_PRODUCT mul

// void ty_p_sm2_sqr_m4(uint32_t z[8], const uint32_t x[8]): z = x^2/2^256
        CALL_PRODUCT sqr

        .macro ENTER
        push    {r0, r4-r11, lr}
        .cfi_adjust_cfa_offset 40
        .irp    r, 4, 5, 6, 7, 8, 9, 10, 11
        .cfi_rel_offset r\r, 4 * (\r - 3)
        .endr
        .cfi_rel_offset lr, 36
        mov     lr, r2
        ldm     r1, {r0, r3-r9}
        .endm
        .macro LEAVE
        pop     {r1}
        .cfi_adjust_cfa_offset -4
        TO      r1
        TY_RETURN
        .endm

// void ty_p_sm2_add_m4(uint32_t z[8], const uint32_t x[8], const uint32_t y[8]): z = x + y
TY_FUNC ty_p_sm2_add_m4
        ENTER
        PLUS    lr
        LEAVE
TY_END ty_p_sm2_add_m4

// void ty_p_sm2_sub_m4(uint32_t z[8], const uint32_t x[8], const uint32_t y[8]): z = x - y
TY_FUNC ty_p_sm2_sub_m4
        ENTER
        MINUS   lr
        LEAVE
TY_END ty_p_sm2_sub_m4

// void ty_p_sm2_half_m4(uint32_t z[8], const uint32_t x[8]): z = x/2, which is (x + p)/2 where x is
// odd
TY_FUNC ty_p_sm2_half_m4
        ENTER
        mov     r2, 0
        HALF_OF r2, r10, r0, r3, r4, r5, r6, r7, r8, r9
        LEAVE
TY_END ty_p_sm2_half_m4
#endif
#include "base/asm_notes.h"
