/* Products of 8 words by UMAAL, for the assembly of SM2's two moduli: macros.
 *
 * UMAAL adds two words to a product of words, which never overflows: for B = 2^32,
 * (B - 1)^2 + 2 (B - 1) = B^2 - 1. So a row of products with one word of y goes through a window of
 * four words without carries. Flags are left alone. */
#ifndef TY_LIMB_LIMB256_M4_H
#define TY_LIMB_LIMB256_M4_H

        // Adds r6:r5:r4:r3 times r7, and c, to the window w1 to w4; c becomes its highest word, and
        // w1 is complete. ROW: x0 to x3 times word j of y, with c = 0. ROW_ON: x4 to x7, where c is
        // word 4 + j of the sum before. Both store the word `done` of the window before.
        .macro WINDOW w1, w2, w3, w4, c
        umaal   \w1, \c, r3, r7
        umaal   \w2, \c, r4, r7
        umaal   \w3, \c, r5, r7
        umaal   \w4, \c, r6, r7
        .endm
        .macro ROW j, w1, w2, w3, w4, c, done
        ldr     r7, [r2, 4 * \j]
        str     \done, [sp, 4 * (\j - 1)]
        mov     \c, 0
        WINDOW  \w1, \w2, \w3, \w4, \c
        .endm
        .macro ROW_ON j, w1, w2, w3, w4, c, done
        ldr     r7, [r2, 4 * \j]
        ldr     \c, [sp, 4 * (\j + 4)]
        str     \done, [sp, 4 * (\j + 3)]
        WINDOW  \w1, \w2, \w3, \w4, \c
        .endm
        // The product of x at r1 and y at r2, which uses r3 to r12 and lr: words 0 to 10 go to the
        // stack, and words 11 to 15 are in r10, r11, r12, lr, r9.
        .macro PRODUCT
        ldr     r3, [r1, 0]             // x0 to x3 times y
        ldr     r4, [r1, 4]
        ldr     r5, [r1, 8]
        ldr     r6, [r1, 12]
        ldr     r7, [r2, 0]
        umull   r8, r9, r3, r7
        mov     r10, 0
        umlal   r9, r10, r4, r7
        mov     r11, 0
        umlal   r10, r11, r5, r7
        mov     r12, 0
        umlal   r11, r12, r6, r7
        ROW     1, r9, r10, r11, r12, lr, r8
        ROW     2, r10, r11, r12, lr, r8, r9
        ROW     3, r11, r12, lr, r8, r9, r10
        ROW     4, r12, lr, r8, r9, r10, r11
        ROW     5, lr, r8, r9, r10, r11, r12
        ROW     6, r8, r9, r10, r11, r12, lr
        ROW     7, r9, r10, r11, r12, lr, r8
        str     r10, [sp, 4 * 8]
        str     r11, [sp, 4 * 9]
        str     r12, [sp, 4 * 10]
        str     lr, [sp, 4 * 11]
        mov     r10, 0
        mov     r11, 0
        ldr     r3, [r1, 16]            // x4 to x7
        ldr     r4, [r1, 20]
        ldr     r5, [r1, 24]
        ldr     r6, [r1, 28]
        ldr     r7, [r2, 0]
        ldr     r8, [sp, 4 * 4]
        str     r9, [sp, 4 * 7]
        umlal   r8, r10, r3, r7
        umlal   r10, r11, r4, r7
        mov     r12, 0
        umlal   r11, r12, r5, r7
        mov     lr, 0
        umlal   r12, lr, r6, r7
        ROW_ON  1, r10, r11, r12, lr, r9, r8
        ROW_ON  2, r11, r12, lr, r9, r8, r10
        ROW_ON  3, r12, lr, r9, r8, r10, r11
        ROW_ON  4, lr, r9, r8, r10, r11, r12
        ROW_ON  5, r9, r8, r10, r11, r12, lr
        ROW_ON  6, r8, r10, r11, r12, lr, r9
        ROW_ON  7, r10, r11, r12, lr, r9, r8
        .endm

#endif
