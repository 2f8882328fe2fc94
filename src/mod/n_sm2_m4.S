// Z/n of SM2 for ARM's DSP instructions: the product by UMAAL and Montgomery's reduction by a digit
// of 32 bits. Constant time.
//
// n = B^8 - B^7 - B^4 + N, B = 2^32, N < B^4. A digit m is the lowest word times -1/n, and adding
// m n clears that word: this takes the four products of m and the words of N, and m itself,
// subtracted four and seven words higher and added eight words higher. The subtraction four words
// higher is made when the digit of that word is computed, and leaves its borrow in the flag, which
// UMAAL, MUL, ADD, loads and stores do not change: one chain goes through digits 4 to 7 to the end.
// Of the subtractions seven words higher, only that of m_0 is from a word that becomes a digit.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)
#include "limb/limb256_m4.h"

        // Digit i; the window w1 to w4 holds the sum of m N from word i on, t is word i of the
        // product
        .macro DIGIT i, w1, w2, w3, w4, t
        ldr     \t, [sp, 4 * \i]
        .if \i >= 4
        ldr     r7, [sp, 64 + 4 * (\i - 4)]
        .if \i == 4
        subs    \t, \t, r7
        .else
        sbcs    \t, \t, r7
        .endif
        .endif
        add     r7, \w1, \t
        mul     r7, r7, r1
        str     r7, [sp, 64 + 4 * \i]
        WINDOW  \w1, \w2, \w3, \w4, \t
        .endm
        .macro M op, w, i
        ldr     r10, [sp, 64 + 4 * \i]
        \op     \w, \w, r10
        .endm

// uint32_t ty_n_sm2_montmul_m4(uint32_t z[8], const uint32_t x[8], const uint32_t y[8]): (top, z) =
// x y/2^256 below 2n for x y < n 2^256; returns top, 0 or 1. z may alias x and y. The stack is
// wiped.
TY_FUNC ty_n_sm2_montmul_m4
        push    {r0, r4-r11, lr}
        .cfi_adjust_cfa_offset 40
        .irp    r, 4, 5, 6, 7, 8, 9, 10, 11
        .cfi_rel_offset r\r, 4 * (\r - 3)
        .endr
        .cfi_rel_offset lr, 36
        sub     sp, sp, 96              // 16 words of the product, 8 digits
        .cfi_adjust_cfa_offset 96
        PRODUCT
        str     r10, [sp, 4 * 11]
        str     r11, [sp, 4 * 12]
        str     r12, [sp, 4 * 13]
        str     lr, [sp, 4 * 14]
        str     r9, [sp, 4 * 15]
        movw    r1, 0x0975              // -1/n mod B
        movt    r1, 0x7235
        movw    r3, 0x4123              // N
        movt    r3, 0x39d5
        movw    r4, 0xf409
        movt    r4, 0x53bb
        movw    r5, 0x052b
        movt    r5, 0x21c6
        movw    r6, 0xdf6b
        movt    r6, 0x7203
        mov     r8, 0
        mov     r9, 0
        mov     r10, 0
        mov     r11, 0
        DIGIT   0, r8, r9, r10, r11, r12
        ldr     r7, [sp, 64]            // subtract m_0 from word 7, which becomes a digit too
        ldr     r8, [sp, 4 * 7]
        subs    r8, r8, r7
        str     r8, [sp, 4 * 7]
        sbc     r2, r2, r2              // -1 if that borrows from word 8
        DIGIT   1, r9, r10, r11, r12, lr
        DIGIT   2, r10, r11, r12, lr, r8
        DIGIT   3, r11, r12, lr, r8, r9
        DIGIT   4, r12, lr, r8, r9, r10
        DIGIT   5, lr, r8, r9, r10, r11
        DIGIT   6, r8, r9, r10, r11, r12
        DIGIT   7, r9, r10, r11, r12, lr
        // words 8 to 15: those of the product, minus m_4 to m_7, plus the window, plus m_0 to m_7,
        // minus m_1 to m_7
        ldr     r3, [sp, 32]
        ldr     r7, [sp, 80]
        sbcs    r3, r3, r7
        ldr     r4, [sp, 36]
        ldr     r7, [sp, 84]
        sbcs    r4, r4, r7
        ldr     r5, [sp, 40]
        ldr     r7, [sp, 88]
        sbcs    r5, r5, r7
        ldr     r6, [sp, 44]
        ldr     r7, [sp, 92]
        sbcs    r6, r6, r7
        ldr     r0, [sp, 48]
        ldr     r8, [sp, 52]
        ldr     r9, [sp, 56]
        ldr     r1, [sp, 60]
        sbcs    r0, r0, 0
        sbcs    r8, r8, 0
        sbcs    r9, r9, 0
        sbcs    r1, r1, 0
        sbc     r7, r7, r7              // word 16
        adds    r3, r3, r10
        adcs    r4, r4, r11
        adcs    r5, r5, r12
        adcs    r6, r6, lr
        adcs    r0, r0, 0
        adcs    r8, r8, 0
        adcs    r9, r9, 0
        adcs    r1, r1, 0
        adc     r7, r7, 0
        M       adds, r3, 0
        M       adcs, r4, 1
        M       adcs, r5, 2
        M       adcs, r6, 3
        M       adcs, r0, 4
        M       adcs, r8, 5
        M       adcs, r9, 6
        M       adcs, r1, 7
        adc     r7, r7, 0
        rsbs    r10, r2, 0              // carry clear if there is a borrow from word 8
        M       sbcs, r3, 1
        M       sbcs, r4, 2
        M       sbcs, r5, 3
        M       sbcs, r6, 4
        M       sbcs, r0, 5
        M       sbcs, r8, 6
        M       sbcs, r9, 7
        sbcs    r1, r1, 0
        sbc     r7, r7, 0
        ldr     r10, [sp, 96]           // z
        str     r3, [r10]
        str     r4, [r10, 4]
        str     r5, [r10, 8]
        str     r6, [r10, 12]
        str     r0, [r10, 16]
        str     r8, [r10, 20]
        str     r9, [r10, 24]
        str     r1, [r10, 28]
        mov     r0, 0
        mov     r1, 0
        mov     r2, 0
        mov     r3, 0
        mov     r4, sp
        .rept   6
        stm     r4!, {r0-r3}
        .endr
        add     sp, sp, 100
        .cfi_adjust_cfa_offset -100
        mov     r0, r7
        TY_RETURN
TY_END ty_n_sm2_montmul_m4
#endif
#include "base/asm_notes.h"
