// SM3's compression function for ARM's DSP instructions. Constant time in all but the number of
// blocks.
//
// The expansion is done first: 68 words on the stack, the latest twelve of them in registers. No
// rotation takes an instruction of its own: C, D and G, H are kept as B and F were, still to be
// rotated right by 23 and 13, and SS1 is kept before its rotation, so that every rotation is a
// shifted operand. In the later rounds the majority is (A ^ B) & C and A & B, two terms that have
// no bit in common, and are added one after the other.
//
// bound: 19 instructions in each of the first 16 rounds, 22 in the others, 9 for each of 52 words:
// 1828; with loading, rotating, the loops and the final additions 1939.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)
        // Word j + 16 of the expansion, in w4, where word j + 4 was, which is not needed any more.
        // w7, w10, w13 and w15 are W[j + 7] to W[j + 15]; w15, the previous new word, is stored.
        // Clobbers r1 and r2, into which W[j] and W[j + 3] are loaded
        .macro EXPAND j, w4, w7, w10, w13, w15
        ldr     r1, [sp, 4 * (\j)]
        ldr     r2, [sp, 4 * (\j) + 12]
        .if \j > 0
        str     \w15, [sp, 4 * (\j) + 60]
        .endif
        eor     r1, r1, \w7
        eor     r1, r1, \w13, ror 17
        eor     \w4, \w10, r2, ror 25
        eor     \w4, \w4, r1
        eor     \w4, \w4, r1, ror 17
        eor     \w4, \w4, r1, ror 9
        .endm

        // One round: T_j <<< j at r0, W[j] and W[j + 4] at r1; D and H become the new A and E
        .macro ROUND late, A, B, C, D, E, F, G, H
        ldr     r2, [r0], 4
        ldr     r3, [r1], 4
        ldr     lr, [r1, 12]
        add     r2, r2, \E
        add     r2, r2, \A, ror 20              // SS1, to be rotated right by 25
        eor     lr, lr, r3
        eor     r12, \A, \B
        .if \late
        and     r12, r12, \C, ror 23
        add     \D, r12, \D, ror 23
        and     r12, \A, \B
        add     \D, \D, r12
        .else
        eor     r12, r12, \C, ror 23
        add     \D, r12, \D, ror 23
        .endif
        add     \D, \D, lr
        eor     r12, r2, \A, ror 27             // SS2, the same
        add     \D, \D, r12, ror 25
        eor     r12, \F, \G, ror 13
        .if \late
        and     r12, r12, \E
        eor     r12, r12, \G, ror 13
        .else
        eor     r12, r12, \E
        .endif
        add     r12, r12, \H, ror 13
        add     r12, r12, r2, ror 25
        add     r12, r12, r3
        eor     \H, r12, r12, ror 23
        eor     \H, \H, r12, ror 15
        .endm
        .macro FOUR late
        ROUND   \late, r4, r5, r6, r7, r8, r9, r10, r11
        ROUND   \late, r7, r4, r5, r6, r11, r8, r9, r10
        ROUND   \late, r6, r7, r4, r5, r10, r11, r8, r9
        ROUND   \late, r5, r6, r7, r4, r9, r10, r11, r8
        .endm

// void ty_sm3_blocks_m4(uint32_t h[8], const uint8_t *in, size_t nblocks): h = CF(... CF(h, in)
// ...); `in` has any alignment
TY_FUNC ty_sm3_blocks_m4
        cmp     r2, 0
        it      eq
        bxeq    lr
        push    {r0-r2, r4-r11, lr}
        .cfi_adjust_cfa_offset 48
        .irp    r, 4, 5, 6, 7, 8, 9, 10, 11
        .cfi_rel_offset r\r, 4 * (\r - 1)
        .endr
        .cfi_rel_offset lr, 44
        sub     sp, sp, 4 * 68
        .cfi_adjust_cfa_offset 4 * 68
        .balign 4
1:
        // the message: its first four words are not needed soon
        ldr     r0, [sp, 4 * 69]
        .irp    i, 0, 4, 8, 12
        ldr     r3, [r0], 4
        ldr     r4, [r0], 4
        ldr     r5, [r0], 4
        ldr     r6, [r0], 4
        rev     r3, r3
        rev     r4, r4
        rev     r5, r5
        rev     r6, r6
        str     r3, [sp, 4 * \i]
        str     r4, [sp, 4 * \i + 4]
        str     r5, [sp, 4 * \i + 8]
        str     r6, [sp, 4 * \i + 12]
        .endr
        str     r0, [sp, 4 * 69]
        // words 4 to 15 in r3 to r12, lr, r0
        ldr     r3, [sp, 4 * 4]
        ldr     r4, [sp, 4 * 5]
        ldr     r5, [sp, 4 * 6]
        ldr     r6, [sp, 4 * 7]
        ldr     r7, [sp, 4 * 8]
        ldr     r8, [sp, 4 * 9]
        ldr     r9, [sp, 4 * 10]
        ldr     r10, [sp, 4 * 11]
        ldr     r11, [sp, 4 * 12]
        ldr     r12, [sp, 4 * 13]
        ldr     lr, [sp, 4 * 14]
        ldr     r0, [sp, 4 * 15]
        .irp    j, 0, 12, 24, 36
        EXPAND  \j, r3, r6, r9, r12, r0
        EXPAND  \j + 1, r4, r7, r10, lr, r3
        EXPAND  \j + 2, r5, r8, r11, r0, r4
        EXPAND  \j + 3, r6, r9, r12, r3, r5
        EXPAND  \j + 4, r7, r10, lr, r4, r6
        EXPAND  \j + 5, r8, r11, r0, r5, r7
        EXPAND  \j + 6, r9, r12, r3, r6, r8
        EXPAND  \j + 7, r10, lr, r4, r7, r9
        EXPAND  \j + 8, r11, r0, r5, r8, r10
        EXPAND  \j + 9, r12, r3, r6, r9, r11
        EXPAND  \j + 10, lr, r4, r7, r10, r12
        EXPAND  \j + 11, r0, r5, r8, r11, lr
        .endr
        EXPAND  48, r3, r6, r9, r12, r0
        EXPAND  49, r4, r7, r10, lr, r3
        EXPAND  50, r5, r8, r11, r0, r4
        EXPAND  51, r6, r9, r12, r3, r5
        str     r6, [sp, 4 * 67]

        ldr     r0, [sp, 4 * 68]                // the state
        ldm     r0, {r4-r11}
        ror     r6, r6, 9
        ror     r7, r7, 9
        ror     r10, r10, 19
        ror     r11, r11, 19
        mov     r1, sp
        adr.w   r0, 9f
        .balign 4
2:
        FOUR    0
        FOUR    0
        add     r2, sp, 4 * 16
        cmp     r1, r2
        bne.w   2b
        .balign 4
3:
        FOUR    1
        FOUR    1
        add     r2, sp, 4 * 64
        cmp     r1, r2
        bne.w   3b

        ldr     r0, [sp, 4 * 68]
        ldm     r0, {r1-r3, r12}
        eor     r4, r4, r1
        eor     r5, r5, r2
        eor     r6, r3, r6, ror 23
        eor     r7, r12, r7, ror 23
        add     lr, r0, 16
        ldm     lr, {r1-r3, r12}
        eor     r8, r8, r1
        eor     r9, r9, r2
        eor     r10, r3, r10, ror 13
        eor     r11, r12, r11, ror 13
        stm     r0, {r4-r11}
        ldr     r2, [sp, 4 * 70]
        subs    r2, r2, 1
        str     r2, [sp, 4 * 70]
        bne.w   1b

        mov     r0, 0                           // the expansion reveals the message
        mov     r1, 0
        mov     r2, 0
        mov     r3, 0
        mov     r4, sp
        .rept   17
        stm     r4!, {r0-r3}
        .endr
        add     sp, sp, 4 * 71
        .cfi_adjust_cfa_offset -4 * 71
        TY_RETURN
        .balign 4
9:                                              // T_j <<< j [GB/T 32905-2016, 4.2]
        .set    t, 0x79cc4519
        .set    j, 0
        .rept   64
        .if j == 16
        .set    t, 0x7a879d8a                   // rotated by 16
        .set    t, ((t << 16) | (t >> 16)) & 0xffffffff
        .endif
        .word   t
        .set    t, ((t << 1) | (t >> 31)) & 0xffffffff
        .set    j, j + 1
        .endr
TY_END ty_sm3_blocks_m4
#endif
#include "base/asm_notes.h"
