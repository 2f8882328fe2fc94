// Z/p of SM2 for ARM's DSP instructions: products by UMAAL, sums, halves. Constant time.
//
// Reduction is Montgomery's by a digit of 32 bits. With B = 2^32, K = B - 1, p = K B^7 - K B^2 - 1,
// so that a digit m, the lowest word itself, is cleared by m p, which adds K m seven words higher
// and takes K m away two words higher. With ~m = K - m,
//
//     -K m = K ~m - K^2,
//     and the sum of -K^2 B^(i+2) over eight digits is -K B^2 (B^8 - 1) = K B^2 - K B^10:
//
// two UMAALs by K a digit, and a constant at each end. All numbers are in [0, 2^256): for x, y in
// it the result is below (2^512 + 2^256 p)/2^256 = 2^256 + p, and where it passes 2^256 one p is
// taken off, as 2^224 + 2^96 - 2^64 + 1 added. A sum or difference may want two.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)
#include "limb/limb256_m4.h"

        // m is cleared: it goes seven words up and, complemented, two; the carries of both are r2
        // and r1
        .macro CLEAR m, two, seven
        umaal   \seven, r2, \m, r8
        mvn     \m, \m
        umaal   \two, r1, \m, r8
        .endm

// void ty_p_sm2_mul_m4(uint32_t z[8], const uint32_t x[8], const uint32_t y[8]): z = x y/2^256
TY_FUNC ty_p_sm2_mul_m4
        push    {r0, r4-r11, lr}
        .cfi_adjust_cfa_offset 40
        .irp    r, 4, 5, 6, 7, 8, 9, 10, 11
        .cfi_rel_offset r\r, 4 * (\r - 3)
        .endr
        .cfi_rel_offset lr, 36
        sub     sp, sp, 48
        .cfi_adjust_cfa_offset 48
        PRODUCT
        // words 11 to 15 are in r10, r11, r12, lr, r9, the others on the stack
        ldr     r0, [sp, 4 * 0]
        ldr     r3, [sp, 4 * 1]
        ldr     r4, [sp, 4 * 2]
        ldr     r5, [sp, 4 * 7]
        ldr     r6, [sp, 4 * 3]
        ldr     r7, [sp, 4 * 8]
        str     r9, [sp, 4 * 11]
        mov     r8, -1                  // K
        mov     r1, -1                  // K B^2
        mov     r2, 0
        CLEAR   r0, r4, r5
        ldr     r0, [sp, 4 * 4]
        ldr     r9, [sp, 4 * 9]
        CLEAR   r3, r6, r7
        CLEAR   r4, r0, r9
        ldr     r3, [sp, 4 * 5]
        ldr     r4, [sp, 4 * 10]
        CLEAR   r6, r3, r4
        ldr     r6, [sp, 4 * 6]
        CLEAR   r0, r6, r10
        CLEAR   r3, r5, r11
        CLEAR   r6, r7, r12
        CLEAR   r5, r9, lr
        ldr     r0, [sp, 4 * 11]
        ldr     r3, [sp, 48]            // z
        add     sp, sp, 52
        .cfi_adjust_cfa_offset -52
        // words 8 to 15 in r7, r9, r4, r10, r11, r12, lr, r0; r1 - K belongs to word 10, r2 to word
        // 15
        mvn     r1, r1
        mov     r5, 0
        adds    r0, r0, r2
        adc     r5, r5, 0
        subs    r4, r4, r1
        sbcs    r10, r10, 0
        sbcs    r11, r11, 0
        sbcs    r12, r12, 0
        sbcs    lr, lr, 0
        sbcs    r0, r0, 0
        sbc     r5, r5, 0               // what is above 2^256: 0 or 1
        rsb     r6, r5, 0
        adds    r7, r7, r5
        adcs    r9, r9, 0
        adcs    r4, r4, r6
        adcs    r10, r10, 0
        adcs    r11, r11, 0
        adcs    r12, r12, 0
        adcs    lr, lr, 0
        adc     r0, r0, r5
        str     r7, [r3]
        str     r9, [r3, 4]
        str     r4, [r3, 8]
        str     r10, [r3, 12]
        str     r11, [r3, 16]
        str     r12, [r3, 20]
        str     lr, [r3, 24]
        str     r0, [r3, 28]
        pop     {r4-r11, pc}
TY_END ty_p_sm2_mul_m4

        // r3 to r10 and a top word r11, 0 or 1, above (add) or below (sub) them: one p off, or on;
        // r11 is the new top word
        .macro FOLD op, opcs, opc
        rsb     r12, r11, 0
        \op     r3, r3, r11
        \opcs   r4, r4, 0
        \opcs   r5, r5, r12
        \opcs   r6, r6, 0
        \opcs   r7, r7, 0
        \opcs   r8, r8, 0
        \opcs   r9, r9, 0
        \opcs   r10, r10, r11
        .endm
        .macro WORDS op, opcs           // r3 to r10 = x op y
        ldm     r1, {r3-r10}
        ldm     r2!, {r1, r11, r12, lr}
        \op     r3, r3, r1
        \opcs   r4, r4, r11
        \opcs   r5, r5, r12
        \opcs   r6, r6, lr
        ldm     r2, {r1, r11, r12, lr}
        \opcs   r7, r7, r1
        \opcs   r8, r8, r11
        \opcs   r9, r9, r12
        \opcs   r10, r10, lr
        .endm

// void ty_p_sm2_add_m4(uint32_t z[8], const uint32_t x[8], const uint32_t y[8]): z = x + y
TY_FUNC ty_p_sm2_add_m4
        TY_KEEP
        WORDS   adds, adcs
        mov     r11, 0
        adc     r11, r11, 0
        FOLD    adds, adcs
        mov     r11, 0
        adc     r11, r11, 0
        FOLD    adds, adcs
        stm     r0, {r3-r10}
        TY_GIVE_BACK
TY_END ty_p_sm2_add_m4

// void ty_p_sm2_sub_m4(uint32_t z[8], const uint32_t x[8], const uint32_t y[8]): z = x - y
TY_FUNC ty_p_sm2_sub_m4
        TY_KEEP
        WORDS   subs, sbcs
        sbc     r11, r11, r11           // -1 where there is a borrow
        rsb     r11, r11, 0
        FOLD    subs, sbcs
        sbc     r11, r11, r11
        rsb     r11, r11, 0
        FOLD    subs, sbcs
        stm     r0, {r3-r10}
        TY_GIVE_BACK
TY_END ty_p_sm2_sub_m4

        .macro HALVE r, above           // carry first: what the word above loses
        lsr     \r, \r, 1
        orr     \r, \r, \above, lsl 31
        .endm

// void ty_p_sm2_half_m4(uint32_t z[8], const uint32_t x[8]): z = x/2, which is (x + p)/2 where x is
// odd
TY_FUNC ty_p_sm2_half_m4
        TY_KEEP
        ldm     r1, {r3-r10}
        and     r11, r3, 1
        // p under the mask: all words but the third, and the highest less one
        rsb     r12, r11, 0
        adds    r3, r3, r12
        adcs    r4, r4, r12
        adcs    r5, r5, 0
        adcs    r6, r6, r12
        adcs    r7, r7, r12
        adcs    r8, r8, r12
        adcs    r9, r9, r12
        bic     r12, r12, 1
        adcs    r10, r10, r12
        mov     r11, 0
        adc     r11, r11, 0
        HALVE   r3, r4
        HALVE   r4, r5
        HALVE   r5, r6
        HALVE   r6, r7
        HALVE   r7, r8
        HALVE   r8, r9
        HALVE   r9, r10
        HALVE   r10, r11
        stm     r0, {r3-r10}
        TY_GIVE_BACK
TY_END ty_p_sm2_half_m4
#endif
#include "base/asm_notes.h"
