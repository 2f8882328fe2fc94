/* Elements of Z/p of SM2 in registers, for the assembly of the field and of the curve: macros.
 *
 * An element that is a result is in r0, r3, r4, r5, r6, r7, r8, r9, the lowest word first, and in
 * [0, 2^256). r1, r2, r10, r11, r12 and lr are free. A function that makes products has
 * SCRATCH_SIZE bytes at sp for them. */
#ifndef TY_MOD_P_SM2_M4_REGS_H
#define TY_MOD_P_SM2_M4_REGS_H

        // HOLD saves a word and BACK restores it: in FPU registers if there are any, otherwise on
        // the stack. FORGET clears those registers before a return to C.
#if defined(__ARM_FP)
        .set    SCRATCH_SIZE, 48
        .macro HOLD i, r
        vmov    s\i, \r
        .endm
        .macro BACK r, i
        vmov    \r, s\i
        .endm
        .macro HOLD_LINK
        vmov    s4, lr
        .endm
        .macro BACK_LINK
        vmov    lr, s4
        .endm
        .macro FORGET
        mov     r1, 0
        vmov    s0, r1
        vmov    s1, r1
        vmov    s2, r1
        vmov    s3, r1
        .endm
#else
        .set    SCRATCH_SIZE, 72
        .macro HOLD i, r
        str     \r, [sp, 48 + 4 * \i]
        .endm
        .macro BACK r, i
        ldr     \r, [sp, 48 + 4 * \i]
        .endm
        .macro HOLD_LINK
        str     lr, [sp, 64]
        .endm
        .macro BACK_LINK
        ldr     lr, [sp, 64]
        .endm
        .macro FORGET
        .endm
#endif

        .macro TO base, at=0            // *(base + at) = result
        str     r0, [\base, \at]
        str     r3, [\base, \at + 4]
        str     r4, [\base, \at + 8]
        str     r5, [\base, \at + 12]
        str     r6, [\base, \at + 16]
        str     r7, [\base, \at + 20]
        str     r8, [\base, \at + 24]
        str     r9, [\base, \at + 28]
        .endm
        .macro FOUR base, at            // r2, r10, r11, r12 = four words at base + at
        ldr     r2, [\base, \at]
        ldr     r10, [\base, \at + 4]
        ldr     r11, [\base, \at + 8]
        ldr     r12, [\base, \at + 12]
        .endm

        // result + *(base + at). From a sum v + c 2^256, c = 0 or 1, k p is subtracted: k = c, but
        // 2 where c = 1 and v + 2^256 - p could reach 2^256, which it cannot unless the highest
        // word of v is 2^32 - 2 or more. v - k p is v + k (2^224 + 2^96 - 2^64 + 1) mod 2^256.
        .macro PLUS base, at=0
        FOUR    \base, \at
        adds    r0, r0, r2
        adcs    r3, r3, r10
        adcs    r4, r4, r11
        adcs    r5, r5, r12
        FOUR    \base, \at + 16
        adcs    r6, r6, r2
        adcs    r7, r7, r10
        adcs    r8, r8, r11
        adcs    r9, r9, r12
        mov     r2, 0
        adc     r2, r2, 0
        adds    r10, r9, r2, lsl 1
        adc     r2, r2, 0
        rsb     r10, r2, 0
        adds    r0, r0, r2
        adcs    r3, r3, 0
        adcs    r4, r4, r10
        adcs    r5, r5, r2, lsr 1
        adcs    r6, r6, 0
        adcs    r7, r7, 0
        adcs    r8, r8, 0
        adc     r9, r9, r2
        .endm

        // To a difference v - b 2^256, k p is added: k = b, but 2 where b = 1 and v could
        // be less than 2^256 - p, which it cannot unless its highest word is 0 or 1.
        .macro ADD_P
        sbc     r2, r2, r2              // -b
        rsb     r10, r2, 0
        cmp     r9, r10, lsl 1
        sbc     r2, r2, 0               // -k
        rsb     r10, r2, 0
        subs    r0, r0, r10
        sbcs    r3, r3, 0
        sbcs    r4, r4, r2
        sbcs    r5, r5, r10, lsr 1
        sbcs    r6, r6, 0
        sbcs    r7, r7, 0
        sbcs    r8, r8, 0
        sbc     r9, r9, r10
        .endm
        .macro MINUS base, at=0         // result - *(base + at)
        FOUR    \base, \at
        subs    r0, r0, r2
        sbcs    r3, r3, r10
        sbcs    r4, r4, r11
        sbcs    r5, r5, r12
        FOUR    \base, \at + 16
        sbcs    r6, r6, r2
        sbcs    r7, r7, r10
        sbcs    r8, r8, r11
        sbcs    r9, r9, r12
        ADD_P
        .endm
        .macro FROM base, at=0          // *(base + at) - result
        FOUR    \base, \at
        subs    r0, r2, r0
        sbcs    r3, r10, r3
        sbcs    r4, r11, r4
        sbcs    r5, r12, r5
        FOUR    \base, \at + 16
        sbcs    r6, r2, r6
        sbcs    r7, r10, r7
        sbcs    r8, r11, r8
        sbcs    r9, r12, r9
        ADD_P
        .endm

        // Adds p if the lowest word w0 is odd, and halves the sum. top is the word above w7, at
        // most 2 before and at most 1 afterwards. mask is destroyed.
        .macro HALF_OF top, mask, w0, w1, w2, w3, w4, w5, w6, w7
        and     \mask, \w0, 1
        rsb     \mask, \mask, 0
        adds    \w0, \w0, \mask
        adcs    \w1, \w1, \mask
        adcs    \w2, \w2, 0
        adcs    \w3, \w3, \mask
        adcs    \w4, \w4, \mask
        adcs    \w5, \w5, \mask
        adcs    \w6, \w6, \mask
        bic     \mask, \mask, 1
        adcs    \w7, \w7, \mask
        adc     \top, \top, 0
        lsrs    \top, \top, 1
        rrxs    \w7, \w7
        rrxs    \w6, \w6
        rrxs    \w5, \w5
        rrxs    \w4, \w4
        rrxs    \w3, \w3
        rrxs    \w2, \w2
        rrxs    \w1, \w1
        rrx     \w0, \w0
        .endm

        // *(sp + at) = 3/2 result; the result is destroyed. (3 x + p or 0)/2 is below 2^257
        .macro THREE_HALVES_TO at
        mov     r1, 3
        umull   r0, r10, r0, r1
        mov     r11, 0
        umlal   r10, r11, r3, r1
        mov     r3, 0
        umlal   r11, r3, r4, r1
        mov     r4, 0
        umlal   r3, r4, r5, r1
        mov     r5, 0
        umlal   r4, r5, r6, r1
        mov     r6, 0
        umlal   r5, r6, r7, r1
        mov     r7, 0
        umlal   r6, r7, r8, r1
        mov     r8, 0
        umlal   r7, r8, r9, r1
        HALF_OF r8, r9, r0, r10, r11, r3, r4, r5, r6, r7
        adds    r9, r7, r8, lsl 1       // as in PLUS
        adc     r8, r8, 0
        rsb     r9, r8, 0
        adds    r0, r0, r8
        str     r0, [sp, \at]
        adcs    r10, r10, 0
        str     r10, [sp, \at + 4]
        adcs    r11, r11, r9
        str     r11, [sp, \at + 8]
        adcs    r3, r3, r8, lsr 1
        str     r3, [sp, \at + 12]
        adcs    r4, r4, 0
        str     r4, [sp, \at + 16]
        adcs    r5, r5, 0
        str     r5, [sp, \at + 20]
        adcs    r6, r6, 0
        str     r6, [sp, \at + 24]
        adc     r7, r7, r8
        str     r7, [sp, \at + 28]
        .endm

#endif
