// SM4 for ARM's DSP instructions: eight blocks on bit planes, one block, and the key schedule.
// No table, no branch on data; time depends on the number of blocks alone.
//
// Eight blocks: the layout of sm4_bitslice.h. A round reads three words and a key, 8 planes each,
// computes the S-box's circuit in registers (sm4_m4.inc; what does not fit is kept in the FPU's
// registers, or on the stack if there is no FPU), and rotates by shifted operands.
//
// One word: the tower of sm4_word.h. UADD8 of a word and itself shifts each of its bytes to the
// left and leaves the four bits that are shifted out in the GE flags, by which SEL selects one of
// two sums byte by byte: three instructions for a bit of a linear map or of a product.
//
// bound: 8 blocks: a round is 56 instructions into the S-box, 105 gates, 56 out of it, and the
// moves; 8 transpositions of 72. One block: 134 instructions a round.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)
#include "mod/f8_sm4.inc"
#include "sm4/sm4_m4.inc"

// ---- eight blocks -----------------------------------------------------------------------------
#if defined(__ARM_FP)
        .macro KEEP r, place
        vmov    s\place, \r
        .endm
        .macro BACK r, place
        vmov    \r, s\place
        .endm
#define KEPT 0
#else
        .macro KEEP r, place
        str     \r, [sp, 4 * (\place)]
        .endm
        .macro BACK r, place
        ldr     \r, [sp, 4 * (\place)]
        .endm
#define KEPT (4 * SBOX_PLACES)
#endif
#define X(i) (KEPT + 32 * (i))                // planes of word i on the stack
#define OUT  X(4)
#define LAST (X(4) + 4)                         // the end of the keys
#define FRAME (X(4) + 8)

        // Exchanges the bits of a that mask << s selects with those of b that mask selects
        .macro SWAP a, b, s, mask
        eor     r12, \b, \a, lsr #\s
        and     r12, r12, \mask
        eor     \b, \b, r12
        eor     \a, \a, r12, lsl #\s
        .endm

        // In every byte position of r4 to r11, exchanges bit p of word m with bit m of word p
        .macro TRANSPOSE
        SWAP    r4, r5, 1, 0x55555555
        SWAP    r6, r7, 1, 0x55555555
        SWAP    r8, r9, 1, 0x55555555
        SWAP    r10, r11, 1, 0x55555555
        SWAP    r4, r6, 2, 0x33333333
        SWAP    r5, r7, 2, 0x33333333
        SWAP    r8, r10, 2, 0x33333333
        SWAP    r9, r11, 2, 0x33333333
        SWAP    r4, r8, 4, 0x0f0f0f0f
        SWAP    r5, r9, 4, 0x0f0f0f0f
        SWAP    r6, r10, 4, 0x0f0f0f0f
        SWAP    r7, r11, 4, 0x0f0f0f0f
        .endm

        // Two planes of the S-box's input: words at x1, x2, x3 on the stack, and the key
        .macro INTO p, r, r2, x1, x2, x3, k, a, b, c, d, e
        ldr     \r, [sp, \x1 + 4 * (\p)]
        ldr     \a, [sp, \x2 + 4 * (\p)]
        ldr     \b, [sp, \x3 + 4 * (\p)]
        ldr     \c, [lr, \k + 4 * (\p)]
        ldr     \r2, [sp, \x1 + 4 * (\p) + 4]
        ldr     \d, [sp, \x2 + 4 * (\p) + 4]
        ldr     \e, [sp, \x3 + 4 * (\p) + 4]
        eor     \r, \r, \a
        ldr     \a, [lr, \k + 4 * (\p) + 4]
        eor     \r, \r, \b
        eor     \r, \r, \c
        eor     \r2, \r2, \d
        eor     \r2, \r2, \e
        eor     \r2, \r2, \a
        .endm

        // Plane p of the new word in t, b = plane p and a = plane p - 2 mod 8 of the S-box's
        // output; up: the planes wrap around, and move up one lane more
        .macro FROM t, b, a, up
        eor     \t, \t, \b
        eor     \t, \t, \b, ror #8
        .if \up
        eor     \t, \t, \a, ror #24
        eor     \t, \t, \a, ror #16
        eor     \t, \t, \a, ror #8
        .else
        eor     \t, \t, \a
        eor     \t, \t, \a, ror #24
        eor     \t, \t, \a, ror #16
        .endif
        .endm

        .macro ROUND x0, x1, x2, x3, k
        INTO    0, r0, r1, \x1, \x2, \x3, \k, r8, r9, r10, r11, r12
        INTO    2, r2, r3, \x1, \x2, \x3, \k, r8, r9, r10, r11, r12
        INTO    4, r4, r5, \x1, \x2, \x3, \k, r8, r9, r10, r11, r12
        INTO    6, r6, r7, \x1, \x2, \x3, \k, r8, r9, r10, r11, r12
        SBOX
        ldr     FREE0, [sp, \x0]
        ldr     FREE1, [sp, \x0 + 4]
        ldr     FREE2, [sp, \x0 + 8]
        ldr     FREE3, [sp, \x0 + 12]
        FROM    FREE0, OUT0, OUT6, 1
        FROM    FREE1, OUT1, OUT7, 1
        FROM    FREE2, OUT2, OUT0, 0
        FROM    FREE3, OUT3, OUT1, 0
        str     FREE0, [sp, \x0]
        str     FREE1, [sp, \x0 + 4]
        str     FREE2, [sp, \x0 + 8]
        str     FREE3, [sp, \x0 + 12]
        ldr     FREE0, [sp, \x0 + 16]
        ldr     FREE1, [sp, \x0 + 20]
        ldr     FREE2, [sp, \x0 + 24]
        ldr     FREE3, [sp, \x0 + 28]
        FROM    FREE0, OUT4, OUT2, 0
        FROM    FREE1, OUT5, OUT3, 0
        FROM    FREE2, OUT6, OUT4, 0
        FROM    FREE3, OUT7, OUT5, 0
        str     FREE0, [sp, \x0 + 16]
        str     FREE1, [sp, \x0 + 20]
        str     FREE2, [sp, \x0 + 24]
        str     FREE3, [sp, \x0 + 28]
        .endm

        // void ty_sm4_crypt_m4(uint8_t out[128], const uint8_t in[128], const uint32_t keys[256])
        // out = 8 blocks of `in` through the cipher, `out` and `in` the same or disjoint
        TY_FUNC ty_sm4_crypt_m4
        TY_KEEP
        sub     sp, sp, FRAME
        .cfi_adjust_cfa_offset FRAME
        str     r0, [sp, OUT]
        mov     lr, r2
        add     r2, r2, 1024
        str     r2, [sp, LAST]
        add     r2, sp, X(0)
        add     r3, r1, 16
1:      .irp    m, 4, 5, 6, 7, 8, 9, 10, 11
        ldr     r\m, [r1, 16 * (\m - 4)]
        .endr
        .irp    m, 4, 5, 6, 7, 8, 9, 10, 11
        rev     r\m, r\m
        .endr
        TRANSPOSE
        .irp    m, 4, 5, 6, 7, 8, 9, 10, 11
        str     r\m, [r2, 4 * (\m - 4)]
        .endr
        add     r1, r1, 4
        add     r2, r2, 32
        cmp     r1, r3
        bne     1b
2:      ROUND   X(0), X(1), X(2), X(3), 0
        ROUND   X(1), X(2), X(3), X(0), 32
        ROUND   X(2), X(3), X(0), X(1), 64
        ROUND   X(3), X(0), X(1), X(2), 96
        ldr     r0, [sp, LAST]
        add     lr, lr, 128
        cmp     lr, r0
        bne.w   2b
        ldr     r1, [sp, OUT]
        add     r2, sp, X(4)
        add     r3, r1, 16
        movs    r0, 0
3:      .irp    m, 11, 10, 9, 8, 7, 6, 5, 4     // the words are output in reverse order
        ldr     r\m, [r2, -4 * (12 - \m)]
        .endr
        .irp    m, 11, 10, 9, 8, 7, 6, 5, 4     // and are wiped
        str     r0, [r2, -4]!
        .endr
        TRANSPOSE
        .irp    m, 4, 5, 6, 7, 8, 9, 10, 11
        rev     r\m, r\m
        .endr
        .irp    m, 4, 5, 6, 7, 8, 9, 10, 11
        str     r\m, [r1, 16 * (\m - 4)]
        .endr
        add     r1, r1, 4
        cmp     r1, r3
        bne.w   3b
        WIPE_PLACES r0
        add     sp, sp, FRAME
        .cfi_adjust_cfa_offset -FRAME
        TY_RETURN
        TY_END  ty_sm4_crypt_m4

// ---- one word ---------------------------------------------------------------------------------
        // For each bit of every byte of x, from the top: to += column where it is set; x becomes 0
        .macro COLUMNS to, x, t, c0, c1, c2, c3, c4, c5, c6, c7
        .irp    c, \c7, \c6, \c5, \c4, \c3, \c2, \c1, \c0
        uadd8   \x, \x, \x
        eor     \t, \to, \c * 0x01010101
        sel     \to, \t, \to
        .endr
        .endm

        // n += (b + column) u^i for each bit i of the high half of s, from the top
        .macro TIMES n, b, s, t, c0, c1, c2, c3
        .irp    c, 3, 2, 1, 0
        uadd8   \s, \s, \s
        .if \c == 3
        eor     \t, \b, \c3 * 0x01010101
        .elseif \c == 2
        eor     \t, \b, \c2 * 0x01010101
        .elseif \c == 1
        eor     \t, \b, \c1 * 0x01010101
        .else
        eor     \t, \b, \c0 * 0x01010101
        .endif
        eor     \t, \n, \t, lsl #\c
        sel     \n, \t, \n
        .endr
        .endm
        .macro EVERY r, byte
        mov     \r, \byte * 0x01010101
        .endm

        // z += y where d has the topmost bit of a byte set
        .macro SELECT z, y, d, t
        eor     \t, \z, \y
        uadd8   \d, \d, \d
        sel     \z, \t, \z
        .endm

        // y = u y in both halves of every byte, u^4 = u + 1
        .macro STEP y, t
        and     \t, \y, 0x88888888
        eor     \y, \y, \t
        lsr     \t, \t, 3
        eor     \y, \t, \y, lsl #1
        eor     \y, \y, \t, lsl #1
        .endm

        // r2 = the S-box on the bytes of r1; clobbers r1, r3, r8 to r12
        .macro TAU
        EVERY   r2, TY_F8_SM4_TOWER_IN_ADD
        COLUMNS r2, r1, r3, TY_F8_SM4_TOWER_IN      // y = a Y + b
        and     r8, r2, 0x0f0f0f0f              // b
        orr     r1, r8, r8, lsl #2               // n = b^2 + a (b + nu a)
        and     r1, r1, 0x33333333
        orr     r1, r1, r1, lsl #1
        and     r1, r1, 0x55555555
        mov     r9, r2
        TIMES   r1, r8, r9, r3, TY_F8_SM4_TOWER_NU
        and     r3, r1, 0x70707070
        eor     r1, r1, r3, lsr #4
        eor     r1, r1, r3, lsr #3
        // d = 1/n, bit by bit at the top of every byte: n3 is at bit 7 of r1, n0 at bit 4, and what
        // is made of n3 and n2 holds the same of n2 and n1 one bit lower
        lsl     r1, r1, 4
        eor     r3, r1, r1, lsl #1               // n3 + n2
        and     r8, r1, r1, lsl #1               // n3 n2
        eor     r9, r1, r3, lsl #1               // n3 + n2 + n1
        and     r10, r1, r8, lsl #1
        eor     r10, r10, r9                    // all = n3 + n2 + n1 + n3 n2 n1
        eor     r9, r9, r8                      // d2 = n3 + n2 + n0 (n3 + n2 + n1 + n3 n2)
        and     r9, r9, r1, lsl #3
        eor     r9, r9, r3
        bic     r11, r1, r1, lsl #1              // d0 = all + n2 n1 + n0 ~(n2 ~n1)
        bic     r11, r1, r11, lsr #2
        eor     r12, r10, r8, lsl #1
        eor     r11, r12, r11, lsl #3
        and     r12, r1, r1, lsl #2              // n3 n1
        eor     r8, r1, r8, lsl #1               // d1 = n3 + n3 n1 + n2 n1 + n0 (n2 + n1 + n3 n1)
        eor     r8, r8, r12
        eor     r12, r12, r3, lsl #1
        and     r12, r12, r1, lsl #3
        eor     r8, r8, r12
        eor     r3, r3, r1, lsl #2               // d3 = all + n3 (n2 + n1 + n0)
        and     r3, r1, r3, lsl #1
        eor     r10, r10, r3
        mov     r1, 0                           // z = d y
        SELECT  r1, r2, r11, r3
        STEP    r2, r3
        SELECT  r1, r2, r8, r3
        STEP    r2, r3
        SELECT  r1, r2, r9, r3
        STEP    r2, r3
        SELECT  r1, r2, r10, r3
        EVERY   r2, TY_F8_SM4_TOWER_OUT_ADD
        COLUMNS r2, r1, r3, TY_F8_SM4_TOWER_OUT
        .endm

        // x0 += L(S(x1 + x2 + x3 + the next key))
        .macro ONE x0, x1, x2, x3
        ldr     r1, [lr], 4
        eor     r3, \x1, \x2
        eor     r3, r3, \x3
        eor     r1, r1, r3
        TAU
        eor     \x0, \x0, r2
        eor     \x0, \x0, r2, ror #30
        eor     \x0, \x0, r2, ror #22
        eor     \x0, \x0, r2, ror #14
        eor     \x0, \x0, r2, ror #8
        .endm

        // void ty_sm4_one_m4(uint8_t out[16], const uint8_t in[16], const uint32_t rk[32])
        // out = `in` through the cipher, `out` and `in` the same or disjoint
        TY_FUNC ty_sm4_one_m4
        push    {r0, r4-r11, lr}
        .cfi_adjust_cfa_offset 40
        .irp    r, 4, 5, 6, 7, 8, 9, 10, 11
        .cfi_rel_offset r\r, 4 * (\r - 3)
        .endr
        .cfi_rel_offset lr, 36
        mov     lr, r2
        add     r0, r2, 128
        .irp    r, 4, 5, 6, 7
        ldr     r\r, [r1, 4 * (\r - 4)]
        .endr
        .irp    r, 4, 5, 6, 7
        rev     r\r, r\r
        .endr
1:      ONE     r4, r5, r6, r7
        ONE     r5, r6, r7, r4
        ONE     r6, r7, r4, r5
        ONE     r7, r4, r5, r6
        cmp     lr, r0
        bne.w   1b
        ldr     r0, [sp]
        .irp    r, 4, 5, 6, 7
        rev     r\r, r\r
        .endr
        .irp    r, 7, 6, 5, 4                   // in reverse order
        str     r\r, [r0, 4 * (7 - \r)]
        .endr
        pop     {r0, r4-r11, pc}
        TY_END  ty_sm4_one_m4

        // The next round key is x0 += L'(S(x1 + x2 + x3 + CK))
        .macro NEXT_KEY x0, x1, x2, x3
        eor     r1, \x1, \x2
        eor     r1, r1, \x3
        eor     r1, r1, r0
        mov     r3, 0x1c1c1c1c                  // the bytes of CK go up by 28, mod 256
        uadd8   r0, r0, r3
        TAU
        eor     \x0, \x0, r2
        eor     \x0, \x0, r2, ror #19
        eor     \x0, \x0, r2, ror #9
        str     \x0, [lr], 4
        .endm

        // void ty_sm4_schedule_m4(uint32_t rk[32], const uint8_t key[16])
        // rk = the round keys of key, for encryption
        TY_FUNC ty_sm4_schedule_m4
        TY_KEEP
        mov     lr, r0
        .irp    r, 4, 5, 6, 7
        ldr     r\r, [r1, 4 * (\r - 4)]
        .endr
        .irp    r, 4, 5, 6, 7
        rev     r\r, r\r
        .endr
        .macro  PLUS r, k                       // FK [GB/T 32907-2016, 7.3]
        movw    r2, (\k) & 0xffff
        movt    r2, (\k) >> 16
        eor     \r, \r, r2
        .endm
        PLUS    r4, 0xa3b1bac6
        PLUS    r5, 0x56aa3350
        PLUS    r6, 0x677d9197
        PLUS    r7, 0xb27022dc
        movw    r0, 0x0e15
        movt    r0, 0x0007
1:      NEXT_KEY r4, r5, r6, r7
        NEXT_KEY r5, r6, r7, r4
        NEXT_KEY r6, r7, r4, r5
        NEXT_KEY r7, r4, r5, r6
        lsrs    r3, r0, 24                      // 128 after 32 rounds, and not before
        cmp     r3, 128
        bne.w   1b
        TY_RETURN
        TY_END  ty_sm4_schedule_m4
#endif

#include "base/asm_notes.h"
