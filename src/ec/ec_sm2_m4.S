// Points of the SM2 curve for ARM's DSP instructions: the formulas of ec_prime_sums.h, a result in
// registers from one operation of the field to the next. Constant time.
//
// Modelled cycles (tools/m4cycles), hard float: doubling 1771, of which its four products and four
// squares take 1368; additions 3023 and, of an affine point, 2404.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)
#include "mod/p_sm2_m4_regs.h"

        // The frame: room for products, four elements, pointers
        .set    T0, SCRATCH_SIZE
        .set    T1, T0 + 32
        .set    T2, T0 + 64
        .set    T3, T0 + 96
        .set    R_AT, T0 + 128          // where the result goes
        .set    H_AT, R_AT + 4
        .set    RR_AT, R_AT + 8
        .set    P_AT, R_AT + 12
        .set    Q_AT, R_AT + 16
        .set    U_AT, Q_AT + 4          // the tail's two inputs
        .set    S_AT, Q_AT + 8
        .set    FRAME, Q_AT + 12
        // offsets in a point, and in a `ready` one, see ec_prime.h
        .set    X, 0
        .set    Y, 32
        .set    Z, 64
        .set    ZZ, 96
        .set    ZZZ, 128

        .macro ENTER
        TY_KEEP
        sub     sp, sp, FRAME
        .cfi_adjust_cfa_offset FRAME
        .endm
        .macro LEAVE
        FORGET
        add     sp, sp, FRAME
        .cfi_adjust_cfa_offset -FRAME
        TY_RETURN
        .endm
        // r = the pointer that the frame holds at `pointer`, plus `at`
        .macro IN r, pointer, at
        ldr     \r, [sp, \pointer]
        .if     \at
        add     \r, \r, \at
        .endif
        .endm
        .macro TIMES x, y               // two elements of the frame
        add     r1, sp, \x
        add     r2, sp, \y
        bl      ty_p_sm2_product_m4
        .endm
        .macro TIMES_IN x, pointer, at  // one of them, and one of a point
        add     r1, sp, \x
        IN      r2, \pointer, \at
        bl      ty_p_sm2_product_m4
        .endm
        .macro PRODUCT_IN p, at, q, and
        IN      r1, \p, \at
        IN      r2, \q, \and
        bl      ty_p_sm2_product_m4
        .endm
        .macro SQUARE x
        add     r1, sp, \x
        bl      ty_p_sm2_square_m4
        .endm
        .macro SQUARE_IN p, at
        IN      r1, \p, \at
        bl      ty_p_sm2_square_m4
        .endm
        .macro TO_IN pointer, at
        ldr     r1, [sp, \pointer]
        TO      r1, \at
        .endm

// void ty_ec_sm2_dbl_m4(point *r, const point *p): r = 2p. r may alias p
TY_FUNC ty_ec_sm2_dbl_m4
        ENTER
        str     r0, [sp, R_AT]
        str     r1, [sp, P_AT]
        add     r1, r1, Z
        bl      ty_p_sm2_square_m4
        TO      sp, T0                  // Z^2
        ldr     r1, [sp, P_AT]
        PLUS    r1, X
        TO      sp, T1
        ldr     r1, [sp, P_AT]
        ldm     r1, {r0, r3-r9}         // X
        MINUS   sp, T0
        TO      sp, T0
        TIMES   T0, T1
        THREE_HALVES_TO T0              // L
        SQUARE_IN P_AT, Y
        TO      sp, T1
        TIMES_IN T1, P_AT, X
        TO      sp, T2                  // S
        PRODUCT_IN P_AT, Y, P_AT, Z
        TO_IN   R_AT, Z                 // p is not read any more
        SQUARE  T1
        TO      sp, T1                  // Y^4
        SQUARE  T0
        MINUS   sp, T2
        MINUS   sp, T2
        TO_IN   R_AT, X
        FROM    sp, T2
        TO      sp, T2
        TIMES   T2, T0
        MINUS   sp, T1
        TO_IN   R_AT, Y
        LEAVE
TY_END ty_ec_sm2_dbl_m4

        // X and Y of a sum from h, rr, u and s at H_AT, RR_AT, U_AT and S_AT; see add_tail
        .macro TAIL
        SQUARE_IN H_AT, 0
        TO      sp, T0
        TIMES_IN T0, H_AT, 0
        TO      sp, T1                  // H^3
        TIMES_IN T0, U_AT, 0
        TO      sp, T0                  // U H^2
        SQUARE_IN RR_AT, 0
        MINUS   sp, T1
        MINUS   sp, T0
        MINUS   sp, T0
        TO_IN   R_AT, X
        FROM    sp, T0
        TO      sp, T0
        TIMES_IN T1, S_AT, 0
        TO      sp, T1
        TIMES_IN T0, RR_AT, 0
        MINUS   sp, T1
        TO_IN   R_AT, Y
        .endm

        .macro POINTERS
        ldr     r12, [sp, FRAME + 36]   // q, the fifth argument
        str     r0, [sp, R_AT]
        str     r1, [sp, H_AT]
        str     r2, [sp, RR_AT]
        str     r3, [sp, P_AT]
        str     r12, [sp, Q_AT]
        .endm

// void ty_ec_sm2_sum_affine_m4(point *r, ty_p_sm2 *h, ty_p_sm2 *rr, const point *p, const affine
// *q): see point_sum_affine
TY_FUNC ty_ec_sm2_sum_affine_m4
        ENTER
        POINTERS
        str     r3, [sp, U_AT]
        add     r2, r3, Y
        str     r2, [sp, S_AT]
        add     r1, r3, Z
        bl      ty_p_sm2_square_m4
        TO      sp, T0                  // Z^2
        PRODUCT_IN Q_AT, Y, P_AT, Z
        TO      sp, T1
        TIMES   T0, T1
        ldr     r1, [sp, P_AT]
        MINUS   r1, Y
        TO_IN   RR_AT, 0
        TIMES_IN T0, Q_AT, X
        ldr     r1, [sp, P_AT]
        MINUS   r1, X
        TO_IN   H_AT, 0
        PRODUCT_IN P_AT, Z, H_AT, 0
        TO_IN   R_AT, Z
        TAIL
        LEAVE
TY_END ty_ec_sm2_sum_affine_m4

// void ty_ec_sm2_sum_m4(point *r, ty_p_sm2 *h, ty_p_sm2 *rr, const point *p, const ready *q): see
// point_sum
TY_FUNC ty_ec_sm2_sum_m4
        ENTER
        POINTERS
        add     r1, sp, T3
        str     r1, [sp, U_AT]
        add     r1, sp, T2
        str     r1, [sp, S_AT]
        add     r1, r3, Z
        bl      ty_p_sm2_square_m4
        TO      sp, T0                  // Z1^2
        PRODUCT_IN P_AT, X, Q_AT, ZZ
        TO      sp, T3                  // U1
        TIMES_IN T0, Q_AT, X
        MINUS   sp, T3
        TO_IN   H_AT, 0
        PRODUCT_IN P_AT, Z, Q_AT, Z
        TO      sp, T1
        TIMES_IN T1, H_AT, 0
        TO_IN   R_AT, Z
        PRODUCT_IN P_AT, Y, Q_AT, ZZZ
        TO      sp, T2                  // S1
        PRODUCT_IN Q_AT, Y, P_AT, Z
        TO      sp, T1
        TIMES   T0, T1
        MINUS   sp, T2
        TO_IN   RR_AT, 0
        TAIL
        LEAVE
TY_END ty_ec_sm2_sum_m4

        // An entry of a table, of `chunks` times eight words: every word of every entry is
        // multiplied by 1 or 0 and added up. r2 has a bit for the requested entry, and one above
        // all entries, which ends the loop.
        .macro ADD_UP t, u, v, a, b, c
        mla     \a, \t, r3, \a
        mla     \b, \u, r3, \b
        .ifnb   \v
        mla     \c, \v, r3, \c
        .endif
        .endm
        .macro SCAN chunks, entries
        TY_KEEP
        sub     r2, r2, 1
        mov     r3, 1
        lsl     r3, r3, r2              // 0 for magnitude 0: a shift by 255
        orr     r3, r3, 1 << \entries
        push    {r0, r3}
        .cfi_adjust_cfa_offset 8
        add     r3, r1, 32 * \chunks
        push    {r3}                    // the end of the first entry
        .cfi_adjust_cfa_offset 4
1:
        ldr     r2, [sp, 8]
        .irp    r, 4, 5, 6, 7, 8, 9, 10, 11
        mov     r\r, 0
        .endr
        .balign 4
2:
        .rept   4
        and     r3, r2, 1
        lsr     r2, r2, 1
        ldr     r0, [r1, 4]
        ldr     r12, [r1, 8]
        ldr     lr, [r1, 12]
        ADD_UP  r0, r12, lr, r5, r6, r7
        ldr     r0, [r1, 16]
        ldr     r12, [r1, 20]
        ldr     lr, [r1, 24]
        ADD_UP  r0, r12, lr, r8, r9, r10
        ldr     r12, [r1, 28]
        ldr     r0, [r1], 32 * \chunks
        ADD_UP  r0, r12, , r4, r11
        .endr
        cmp     r2, 1
        bne     2b
        ldr     r0, [sp, 4]
        stm     r0!, {r4-r11}
        str     r0, [sp, 4]
        ldr     r2, [sp]
        sub     r1, r1, 32 * \chunks * \entries - 32
        cmp     r1, r2
        bne     1b
        add     sp, sp, 12
        .cfi_adjust_cfa_offset -12
        TY_RETURN
        .endm

// void ty_ec_sm2_scan_affine_m4(affine *z, const affine table[16], uint32_t magnitude): z =
// table[magnitude - 1], zeros for magnitude 0
TY_FUNC ty_ec_sm2_scan_affine_m4
        SCAN    2, 16
TY_END ty_ec_sm2_scan_affine_m4

// void ty_ec_sm2_scan_8_m4(affine *z, const affine table[8], uint32_t magnitude): the same
TY_FUNC ty_ec_sm2_scan_8_m4
        SCAN    2, 8
TY_END ty_ec_sm2_scan_8_m4
#endif
#include "base/asm_notes.h"
