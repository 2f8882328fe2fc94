// ML-DSA's products where memory is short, and the sampler of s1 and s2, with ARM's DSP
// instructions. Constant time, except for which candidates are rejected.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)

        .macro LOAD_CONSTANTS           // r10 = -1/q mod 2^32, r11 = q
        movw    r10, 0xdfff
        movt    r10, 0xfc7f
        movw    r11, 0xe001
        movt    r11, 0x7f
        .endm
        // hi = x y/R, by Montgomery's reduction: m q is added, m = -x y/q mod R; clobbers lo and x
        .macro PRODUCT lo, hi, x, y
        smull   \lo, \hi, \x, \y
        mul     \x, \lo, r10
        smlal   \lo, \hi, \x, r11
        .endm

        // Two coefficients: their loads are consecutive, and the previous result is stored after
        // them; a product overwrites its factors
        .macro LOAD_TWO at
        ldr     r4, [r1], 4
        ldr     r5, [r1], 4
        ldr     r6, [r2], 4
        ldr     r7, [r2], 4
        ldr     r8, [r0, \at]
        ldr     r9, [r0, \at + 4]
        .endm
        .macro TIMES_TWO at
        smull   r4, r6, r4, r6
        mul     r3, r4, r10
        smlal   r4, r6, r3, r11
        add     r8, r8, r6
        str     r8, [r0, \at]
        smull   r5, r7, r5, r7
        mul     r3, r5, r10
        smlal   r5, r7, r3, r11
        add     r12, r9, r7
        .endm

        // bytes of an iteration, and the offsets of its pairs except the first
#if defined(__OPTIMIZE_SIZE__)
#define TIMES_TURN 16
#define TIMES_PAIRS 8
#else
#define TIMES_TURN 32
#define TIMES_PAIRS 8, 16, 24
#endif

// void ty_mldsa_times_m4(int32_t *z, const int32_t *x, const int32_t *y, size_t n): z += x y/R, n a
// multiple of 8, not 0
TY_FUNC ty_mldsa_times_m4
        TY_KEEP
        LOAD_CONSTANTS
        add     lr, r0, r3, lsl 2
        LOAD_TWO 0
        b       2f
        .balign 4
1:
        LOAD_TWO 0
        str     r12, [r0, -4]
2:
        TIMES_TWO 0
        .irp    at, TIMES_PAIRS
        LOAD_TWO \at
        str     r12, [r0, \at - 4]
        TIMES_TWO \at
        .endr
        add     r0, r0, TIMES_TURN
        cmp     r0, lr
        bne     1b
        str     r12, [r0, -4]
        TY_RETURN
TY_END ty_mldsa_times_m4

        // r3 += x y/R, a canonical field before and after; the next x and y are at r1 and r2;
        // clobbers r4 to r7
        .macro STEP
        ldr     r4, [r1], 4
        ldr     r5, [r2], 4
        PRODUCT r6, r7, r4, r5
        adds    r3, r3, r7              // in (-q, 2q)
        it      mi
        addmi   r3, r3, r11
        subs    r4, r3, r11
        it      pl
        movpl   r3, r4
        .endm

// void ty_mldsa_times_packed_m4(uint8_t *z, const int32_t *x, const int32_t *y, size_t n): the same
// where z is packed, 23 bits each and canonical; n is a multiple of 8, not 0. Eight fields are five
// words and three bytes, 184 bits: the words are read when their first field is, into r8, and
// written when they are full, from r9.
TY_FUNC ty_mldsa_times_packed_m4
        TY_KEEP
        LOAD_CONSTANTS
        add     lr, r1, r3, lsl 2
1:
        ldr     r8, [r0]                // bits 0 to 31
        ubfx    r3, r8, 0, 23
        STEP
        mov     r9, r3
        lsr     r3, r8, 23              // 23 to 45
        ldr     r8, [r0, 4]
        bfi     r3, r8, 9, 14
        STEP
        orr     r9, r9, r3, lsl 23
        str     r9, [r0]
        lsr     r9, r3, 9               // 14 bits of the second word
        ubfx    r3, r8, 14, 18          // 46 to 68
        ldr     r8, [r0, 8]
        bfi     r3, r8, 18, 5
        STEP
        orr     r9, r9, r3, lsl 14
        str     r9, [r0, 4]
        lsr     r9, r3, 18              // 5 bits of the third
        ubfx    r3, r8, 5, 23           // 69 to 91
        STEP
        orr     r9, r9, r3, lsl 5
        lsr     r3, r8, 28              // 92 to 114
        ldr     r8, [r0, 12]
        bfi     r3, r8, 4, 19
        STEP
        orr     r9, r9, r3, lsl 28
        str     r9, [r0, 8]
        lsr     r9, r3, 4               // 19 bits of the fourth
        lsr     r3, r8, 19              // 115 to 137
        ldr     r8, [r0, 16]
        bfi     r3, r8, 13, 10
        STEP
        orr     r9, r9, r3, lsl 19
        str     r9, [r0, 12]
        lsr     r9, r3, 13              // 10 bits of the fifth
        // 138 to 160: 22 bits, and the lowest one of the last three bytes
        ubfx    r3, r8, 10, 22
        ldr     r8, [r0, 19]            // byte 19 is not one of them
        lsr     r8, r8, 8
        bfi     r3, r8, 22, 1
        STEP
        orr     r9, r9, r3, lsl 10
        str     r9, [r0, 16]
        lsr     r9, r3, 22              // 1 bit
        ubfx    r3, r8, 1, 23           // 161 to 183
        STEP
        orr     r9, r9, r3, lsl 1
        strh    r9, [r0, 20]
        lsr     r9, r9, 16
        strb    r9, [r0, 22]
        add     r0, r0, 23
        cmp     r1, lr
        bne.w   1b
        TY_RETURN
TY_END ty_mldsa_times_packed_m4

        // Words of eight candidates each, while there is room for eight: four at once as bytes,
        // each of which is appended after reduction unless it is too small
        .macro SMALL eta
        TY_KEEP
        mov     lr, r2
        ldr     r2, [r2]
        mov     r10, 0x0f0f0f0f
        .if     \eta == 2
        mov     r6, 0x02020202
        mov     r11, 0x05050505
        mov     r4, 2                   // 15 becomes -3
        .else
        mov     r6, 0x04040404
        mov     r4, 4                   // 9 and more become less than -4
        .endif
        sub     r1, r1, 28
        b       2f
        .balign 4
1:
        ldr     r8, [r2], 4
        and     r9, r10, r8, lsr 4
        and     r8, r8, r10
        .irp    r, 8, 9
        .if     \eta == 2              // mod 5
        usub8   r12, r\r, r11
        sel     r\r, r12, r\r
        usub8   r12, r\r, r11
        sel     r\r, r12, r\r
        .endif
        ssub8   r\r, r6, r\r
        .endr
        // low nibbles first; IT takes no time after a 16-bit instruction, which CMN is here
        .irp    turn, 0, 8, 16, 24
        sxtb    r5, r8, ror \turn
        sxtb    r7, r9, ror \turn
        cmn     r5, r4
        it      ge
        strge   r5, [r0], 4
        cmn     r7, r4
        it      ge
        strge   r7, [r0], 4
        .endr
2:
        cmp     r0, r1
        bhs     3f
        cmp     r2, r3
        bne     1b
3:
        str     r2, [lr]
        TY_RETURN
        .endm

// int32_t *ty_mldsa_small2_m4(int32_t *out, const int32_t *out_end, const uint8_t **in, const
// uint8_t *in_end): appends those of the 4-bit candidates x that are below 15, as 2 - x mod 5, from
// whole words while `out` has room for eight; sets *in to the next word, and returns the end of the
// output. Constant time, except for which candidates are rejected.
TY_FUNC ty_mldsa_small2_m4
        SMALL   2
TY_END ty_mldsa_small2_m4

// the same for candidates below 9, as 4 - x
TY_FUNC ty_mldsa_small4_m4
        SMALL   4
TY_END ty_mldsa_small4_m4
#endif
#include "base/asm_notes.h"
