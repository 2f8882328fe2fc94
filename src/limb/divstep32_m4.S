// Division steps for ARM's DSP instructions, for inverses of 256 bits: see limb/divstep32_m4.h.
// Constant time.
//
// Let b = g mod 2; s = 1 if b = 1 and delta > 0, else 0; and c = b - 2 s, in {0, 1, -1}. A step
// (Bernstein and Yang, 2019; Wuille's delta from 1/2) is
//
//     g <- g + c f,  f <- f + s g,  g <- g/2,  delta <- (1 - 2 s) delta + 1.
//
// So a swap is a product, too, and MLA computes each line for f and g and both columns of the
// matrix: 15 instructions a step. -2 delta is stored; its highest bit is set if delta > 0.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)

        .set    D, 0                    // offsets in the state, then on the stack
        .set    E, 36
        .set    M, 72
        .set    F, 108
        .set    G, 144
        .set    ROUNDS_AT, 0
        .set    DELTA_AT, 4
        .set    M_INV_AT, 8
        .set    FRAME, 12

        .macro STEP
        and     r7, r6, 1
        and     r8, r7, r9, lsr 31
        lsl     r10, r8, 1
        sub     r7, r7, r10
        mla     r6, r5, r7, r6
        mla     r3, r1, r7, r3
        mla     r4, r2, r7, r4
        mla     r5, r6, r8, r5
        mla     r1, r3, r8, r1
        mla     r2, r4, r8, r2
        asr     r6, r6, 1
        lsl     r1, r1, 1
        lsl     r2, r2, 1
        mls     r9, r9, r10, r9
        sub     r9, r9, 2
        .endm
        .macro DOWN lo, hi              // 30 bits
        lsr     \lo, \lo, 30
        orr     \lo, \lo, \hi, lsl 2
        asr     \hi, \hi, 30
        .endm
        // LIMB_OF adds the products with limb i of both numbers, LIMB_DONE stores the sums as limb
        // i - 1.
        .macro LIMB_OF x, y, i
        ldr     r11, [r0, \x + 4 * \i]
        ldr     r12, [r0, \y + 4 * \i]
        smlal   r7, r8, r1, r11
        smlal   r9, r10, r3, r11
        smlal   r7, r8, r2, r12
        smlal   r9, r10, r4, r12
        .endm
        .macro LIMB_DONE x, y, i
        ubfx    r11, r7, 0, 30
        str     r11, [r0, \x + 4 * (\i - 1)]
        ubfx    r11, r9, 0, 30
        str     r11, [r0, \y + 4 * (\i - 1)]
        DOWN    r7, r8
        DOWN    r9, r10
        .endm
        .macro FIRST_LIMB_OF x, y
        ldr     r11, [r0, \x]
        ldr     r12, [r0, \y]
        smull   r7, r8, r1, r11
        smull   r9, r10, r3, r11
        smlal   r7, r8, r2, r12
        smlal   r9, r10, r4, r12
        .endm

// void ty_div_rounds_m4(ty_div32 *s, uint32_t m_inv): 20 rounds of 30 steps
TY_FUNC ty_div_rounds_m4
        TY_KEEP
        sub     sp, sp, FRAME
        .cfi_adjust_cfa_offset FRAME
        str     r1, [sp, M_INV_AT]
        mov     r9, -1                  // delta = 1/2
        mov     r1, 20
1:
        str     r1, [sp, ROUNDS_AT]
        // t = (r1 r2; r3 r4), 2^30 times the matrix of 30 steps, from the lowest limbs of f and g
        ldr     r5, [r0, F]
        ldr     r6, [r0, G]
        mov     r1, 1
        mov     r2, 0
        mov     r3, 0
        mov     r4, 1
        mov     r12, 6
        .balign 4
2:
        .rept   5
        STEP
        .endr
        subs    r12, r12, 1
        bne     2b
        str     r9, [sp, DELTA_AT]
        // (d, e) <- (t (d, e) + (r5, r6) m)/2^30, with r5, r6 such that these are integers in
        // (-2m, m): see ty_div_apply_mod of limb/divstep64.h
        ldr     r11, [r0, D + 32]
        ldr     r12, [r0, E + 32]
        asr     r11, r11, 31
        asr     r12, r12, 31
        and     r5, r1, r11
        and     r6, r3, r11
        and     r11, r2, r12
        and     r12, r4, r12
        add     r5, r5, r11
        add     r6, r6, r12
        FIRST_LIMB_OF D, E
        ldr     r12, [sp, M_INV_AT]
        ldr     lr, [r0, M]
        mla     r11, r12, r7, r5
        ubfx    r11, r11, 0, 30
        sub     r5, r5, r11
        mla     r11, r12, r9, r6
        ubfx    r11, r11, 0, 30
        sub     r6, r6, r11
        smlal   r7, r8, r5, lr
        smlal   r9, r10, r6, lr
        DOWN    r7, r8
        DOWN    r9, r10
        .irp    i, 1, 2, 3, 4, 5, 6, 7, 8
        ldr     lr, [r0, M + 4 * \i]
        LIMB_OF D, E, \i
        smlal   r7, r8, r5, lr
        smlal   r9, r10, r6, lr
        LIMB_DONE D, E, \i
        .endr
        str     r7, [r0, D + 32]
        str     r9, [r0, E + 32]
        // (f, g) <- t (f, g)/2^30
        FIRST_LIMB_OF F, G
        DOWN    r7, r8
        DOWN    r9, r10
        .irp    i, 1, 2, 3, 4, 5, 6, 7, 8
        LIMB_OF F, G, \i
        LIMB_DONE F, G, \i
        .endr
        str     r7, [r0, F + 32]
        str     r9, [r0, G + 32]
        ldr     r9, [sp, DELTA_AT]
        ldr     r1, [sp, ROUNDS_AT]
        subs    r1, r1, 1
        bne.w   1b
        str     r1, [sp, DELTA_AT]
        add     sp, sp, FRAME
        .cfi_adjust_cfa_offset -FRAME
        TY_RETURN
TY_END ty_div_rounds_m4
#endif
#include "base/asm_notes.h"
