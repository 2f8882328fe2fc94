// Z/q of ML-DSA for ARM's DSP instructions: both transforms. Constant time.
//
// A product with a power z is reduced by a rounded quotient (Barrett). With zn = -round(z R/q), R =
// 2^32,
//
//     k = round(b zn/R) (SMMULR),  t = b z + k q,  (a, b) <- (a + t, a - t):
//
// MLA makes a + b z, another MLA adds k q, and a - t is 2a - (a + t), RSB with a shift: four
// instructions, in which sum and difference change places. Everything is exact mod 2^32.
//
// The range of t. With z R/q = -zn + d, |d| <= 1/2, and k = b zn/R + e, |e| <= 1/2: t/q = b z/q + k
// = b d/R + e, hence
//
//     |t| <= q/2 + q |b|/2^33:  less than 0.75 q for every b, and 0.505 q for |b| < 5.1 q.
//
// So eight layers make |x| < q + 8 * 0.505 q < 5.1 q of loose coefficients.
//
// The numbers are those of the portable tier. There z' = z R - round(z R/q) q = z R + zn q is
// multiplied, t' = b z', and m q is subtracted, for m in [-R/2, R/2) with m q == t' (mod R): (t' -
// m q)/R = b z + q (b zn - m)/R. Since t' == b zn q (mod R), m == b zn (mod R), so b zn - m is the
// multiple of R nearest to b zn; of two equally near, the upper one, because m = -R/2 is allowed
// and R/2 is not. SMMULR rounds to the upper one, too: k = (b zn - m)/R. (With +round(z R/q) in the
// table it would be the lower one, and b = 2^25 in the last layer would give another
// representative.)
//
// The inverse makes the same butterflies: a cyclic transform of bit-reversed input by roots of
// unity, distances 1 to 128, where a butterfly by 1 is an addition and an RSB, and factors 1753^-i
// R/256 by Montgomery's reduction, in one step with the last layer: (f a + f z b)/R and (g a - g z
// b)/R are sums of 64 bits with one reduction each, so that |x| < q/2 (|a| + |b|)/R + q/2 < q.
// Butterflies by 1 let sums grow: tests/mod/test_q_mldsa.cc checks the bounds.
//
// A step of a pass reads 4 or 8 coefficients, makes 2 or 3 layers and stores all but the last
// coefficient, which waits until the next ones are loaded: a store after loads is free, and n
// consecutive loads cost n + 1 cycles. Powers that do not change within a pass stay in FPU
// registers if there are any.
//
// bound, forward: 1024 butterflies of four instructions, 768 loads and as many stores, and seven
// powers of two words for each of 32 columns in two passes: 6,528 instructions without loops; 6,668
// are executed. Inverse: 255 butterflies by 1 are two instructions; 7,040 are executed. Modelled
// cycles (tools/m4cycles), hard and soft float: 6,895 and 6,973, inverse 7,308 and 7,365.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP) && !defined(TY_SMALL)
#include "mod/q_mldsa_const.h"
#include "mod/q_mldsa_m4.inc"

z       .req    r11             // a power, and its zn
zn      .req    r12
q       .req    lr

        .macro LOAD_Q
        movw    q, TY_Q & 0xffff
        movt    q, TY_Q >> 16
        .endm

        // BUTTERFLY: (a, b) <- (a - b z, a + b z), t is destroyed; SUM: without the difference,
        // which follows later
        .macro SUM a, b, t, z=z, zn=zn
        smmulr  \t, \b, \zn
        mla     \b, \b, \z, \a
        mla     \b, \t, q, \b
        .endm
        .macro DIFFERENCE a, b          // a <- a - b z = 2 a - (a + b z)
        rsb     \a, \b, \a, lsl 1
        .endm
        .macro BUTTERFLY a, b, t, z=z, zn=zn
        SUM     \a, \b, \t, \z, \zn
        DIFFERENCE \a, \b
        .endm
        .macro BY_1 a, b                // (a, b) <- (a - b, a + b)
        add     \b, \a, \b
        DIFFERENCE \a, \b
        .endm
        // PUT and GET save and restore two words, POWERS loads the powers of a pass: in FPU
        // registers if there are any; otherwise the words are on the stack, and the powers are read
        // from the table.
#if defined(__ARM_FP)
        .macro ROOM
        .endm
        .macro NO_ROOM
        .endm
        .macro PUT0 r
        vmov    s14, \r
        .endm
        .macro GET0 r
        vmov    \r, s14
        .endm
        .macro PUT1 r
        vmov    s15, \r
        .endm
        .macro GET1 r
        vmov    \r, s15
        .endm
        .macro POWERS                   // seven of them
        vldm    r1, {s0-s13}
        .endm
        .macro KEPT_POWER i
        .if \i == 0
        vmov    z, s0
        vmov    zn, s1
        .elseif \i == 1
        vmov    z, s2
        vmov    zn, s3
        .elseif \i == 2
        vmov    z, s4
        vmov    zn, s5
        .elseif \i == 3
        vmov    z, s6
        vmov    zn, s7
        .elseif \i == 4
        vmov    z, s8
        vmov    zn, s9
        .elseif \i == 5
        vmov    z, s10
        vmov    zn, s11
        .else
        vmov    z, s12
        vmov    zn, s13
        .endif
        .endm
#else
        .macro ROOM
        sub     sp, sp, 8
        .cfi_adjust_cfa_offset 8
        .endm
        .macro NO_ROOM
        add     sp, sp, 8
        .cfi_adjust_cfa_offset -8
        .endm
        .macro PUT0 r
        str     \r, [sp]
        .endm
        .macro GET0 r
        ldr     \r, [sp]
        .endm
        .macro PUT1 r
        str     \r, [sp, 4]
        .endm
        .macro GET1 r
        ldr     \r, [sp, 4]
        .endm
        .macro POWERS
        .endm
        .macro KEPT_POWER i
        ldr     z, [r1, 8 * \i]
        ldr     zn, [r1, 8 * \i + 4]
        .endm
#endif
        .macro NEXT_POWER i             // the next one of the table, for any i
        ldr     z, [r1], 4
        ldr     zn, [r1], 4
        .endm

        // Coefficients `step` bytes apart, the first in c, the others in r3 to r9
        .macro LOAD_4 c, at, step
        ldr     \c, [r0, \at]
        ldr     r3, [r0, \at + \step]
        ldr     r4, [r0, \at + 2 * \step]
        ldr     r5, [r0, \at + 3 * \step]
        .endm
        .macro LOAD_8 c, at, step
        LOAD_4  \c, \at, \step
        ldr     r6, [r0, \at + 4 * \step]
        ldr     r7, [r0, \at + 5 * \step]
        ldr     r8, [r0, \at + 6 * \step]
        ldr     r9, [r0, \at + 7 * \step]
        .endm

        // The same with power 0 of a column: of the powers of the pass, or the next one
        .macro LOAD_8_KEPT c, at, step
        LOAD_8  \c, \at, \step
        KEPT_POWER 0
        .endm
        .macro LOAD_8_NEXT c, at, step
        LOAD_8  \c, \at, \step
        NEXT_POWER 0
        .endm

        // One column after the other: each leaves its last coefficient in c, not yet stored, and
        // the next one is loaded into t and the others; so c and t change places with every column.
        .macro AND_LOAD load, c, t, at, step, wait
        \load   \t, \at, \step
        str     \c, [r0, \wait]
        .endm

        // COLUMN: bytes of consecutive coefficients that an iteration of the forward transform's
        // first loop processes; EIGHTS: the offsets of their groups of eight bytes, except the
        // first
#if defined(__OPTIMIZE_SIZE__)
#define COLUMN 16
#define EIGHTS 8
#else
#define COLUMN 32
#define EIGHTS 8, 16, 24
#endif

// --- Forward -------------------------------------------------------------------------------------

        // Distances 2 and 1 steps of four coefficients; powers in r7 to r12. Position 3 waits.
        .macro FOUR_UP c, t, at, step
        BUTTERFLY \c, r4, \t, r7, r8
        BUTTERFLY r3, r5, \t, r7, r8
        BUTTERFLY r4, r5, \t, r9, r10
        SUM     \c, r3, \t, r11, r12
        str     r5, [r0, \at]
        str     r4, [r0, \at + \step]
        str     r3, [r0, \at + 2 * \step]
        .endm

        // Distances 4, 2 and 1 steps of eight coefficients. Position 7 waits.
        .macro EIGHT_UP power, c, t, at, step
        BUTTERFLY \c, r6, \t
        BUTTERFLY r3, r7, \t
        BUTTERFLY r4, r8, \t
        BUTTERFLY r5, r9, \t
        \power  1
        BUTTERFLY r6, r8, \t
        BUTTERFLY r7, r9, \t
        \power  2
        BUTTERFLY r8, r9, \t
        \power  3
        str     r9, [r0, \at]
        BUTTERFLY r6, r7, \t
        \power  4
        str     r8, [r0, \at + \step]
        BUTTERFLY \c, r4, \t
        BUTTERFLY r3, r5, \t
        \power  5
        str     r7, [r0, \at + 2 * \step]
        BUTTERFLY r4, r5, \t
        \power  6
        str     r6, [r0, \at + 3 * \step]
        SUM     \c, r3, \t
        str     r5, [r0, \at + 4 * \step]
        str     r4, [r0, \at + 5 * \step]
        str     r3, [r0, \at + 6 * \step]
        .endm

// void ty_q_ntt_m4(int32_t a[256]): a = NTT(a)     in: loose     out: wide
TY_FUNC ty_q_ntt_m4
        TY_KEEP
        ROOM
        LOAD_Q
        adr.w   r1, 9f
        ldm     r1!, {r7-r12}
        PUT1    r1                      // the table's address is saved: r1 is the pass's limit
        add     r1, r0, 256
        LOAD_4  r2, 0, 256
        b       2f
        .balign 4
1:
        AND_LOAD LOAD_4, r6, r2, 0, 256, 3 * 256 - 4
2:
        FOUR_UP r2, r6, 0, 256
        .irp    at, EIGHTS
        DIFFERENCE r2, r3
        AND_LOAD LOAD_4, r2, r6, \at - 4, 256, \at - 8 + 3 * 256
        FOUR_UP r6, r2, \at - 4, 256
        DIFFERENCE r6, r3
        AND_LOAD LOAD_4, r6, r2, \at, 256, \at - 4 + 3 * 256
        FOUR_UP r2, r6, \at, 256
        .endr
        DIFFERENCE r2, r3
        AND_LOAD LOAD_4, r2, r6, COLUMN - 4, 256, COLUMN - 8 + 3 * 256
        FOUR_UP r6, r2, COLUMN - 4, 256
        add     r0, r0, COLUMN
        cmp     r0, r1
        DIFFERENCE r6, r3
        bne.w   1b
        str     r6, [r0, 3 * 256 - 4]
        GET1    r1
        add     r2, r0, 1024 - 256
        PUT1    r2
        sub     r0, r0, 256
        .balign 4
3:                                      // distances 32, 16, 8 in a block of 64
        POWERS
        add     r2, r0, 32
        PUT0    r2
        LOAD_8_KEPT r2, 0, 32
        b       5f
        .balign 4
4:
        AND_LOAD LOAD_8_KEPT, r10, r2, 0, 32, 7 * 32 - 4
5:
        .irp    at, 0, 8
        EIGHT_UP KEPT_POWER, r2, r10, \at, 32
        DIFFERENCE r2, r3
        AND_LOAD LOAD_8_KEPT, r2, r10, \at + 4, 32, \at + 7 * 32
        EIGHT_UP KEPT_POWER, r10, r2, \at + 4, 32
        .if \at == 0
        DIFFERENCE r10, r3
        AND_LOAD LOAD_8_KEPT, r10, r2, \at + 8, 32, \at + 4 + 7 * 32
        .endif
        .endr
        GET0    z
        add     r0, r0, 16
        cmp     r0, z
        DIFFERENCE r10, r3
        bne.w   4b
        str     r10, [r0, 7 * 32 - 4]
        GET1    z
        add     r1, r1, 56
        add     r0, r0, 256 - 32
        cmp     r0, z
        bne.w   3b
        sub     r0, r0, 1024
        LOAD_8_NEXT r2, 0, 4
        b       7f
        .balign 4
6:
        AND_LOAD LOAD_8_NEXT, r10, r2, 0, 4, 7 * 4 - 32
7:                                      // distances 4, 2, 1
        .irp    at, 0, 64
        EIGHT_UP NEXT_POWER, r2, r10, \at, 4
        DIFFERENCE r2, r3
        AND_LOAD LOAD_8_NEXT, r2, r10, \at + 32, 4, \at + 7 * 4
        EIGHT_UP NEXT_POWER, r10, r2, \at + 32, 4
        .if \at == 0
        DIFFERENCE r10, r3
        AND_LOAD LOAD_8_NEXT, r10, r2, \at + 64, 4, \at + 32 + 7 * 4
        .endif
        .endr
        GET1    z
        add     r0, r0, 128
        cmp     r0, z
        DIFFERENCE r10, r3
        bne.w   6b
        str     r10, [r0, 7 * 4 - 32]
        NO_ROOM
        TY_RETURN
        .balign 4
9:
        FORWARD_TABLE
TY_END ty_q_ntt_m4

// --- Inverse -------------------------------------------------------------------------------------

        // Distances 1 and 2 of four neighbours; the power in z, zn. Position 3 waits.
        .macro FOUR_DOWN c, t, at
        BY_1    \c, r3
        BY_1    r4, r5
        BY_1    r3, r5
        SUM     \c, r4, \t
        str     r5, [r0, \at]
        str     r4, [r0, \at + 4]
        str     r3, [r0, \at + 8]
        .endm

        // Distances 1, 2 and 4 steps of eight coefficients. Position 7 waits.
        .macro EIGHT_DOWN power, c, t, at, step
        BUTTERFLY \c, r3, \t
        BUTTERFLY r4, r5, \t
        BUTTERFLY r6, r7, \t
        BUTTERFLY r8, r9, \t
        \power  1
        BUTTERFLY r3, r5, \t
        BUTTERFLY r7, r9, \t
        \power  2
        BUTTERFLY r5, r9, \t
        REST_DOWN \power, \c, \t, \at, \step
        .endm
        .macro REST_DOWN power, c, t, at, step
        \power  3
        str     r9, [r0, \at]
        BUTTERFLY r3, r7, \t
        \power  4
        str     r5, [r0, \at + 4 * \step]
        BUTTERFLY \c, r4, \t
        BUTTERFLY r6, r8, \t
        \power  5
        str     r7, [r0, \at + 2 * \step]
        BUTTERFLY r4, r8, \t
        \power  6
        str     r3, [r0, \at + 6 * \step]
        SUM     \c, r6, \t
        str     r8, [r0, \at + \step]
        str     r4, [r0, \at + 5 * \step]
        str     r6, [r0, \at + 3 * \step]
        .endm
        // the column in which powers 0, 1 and 2 are 1
        .macro EIGHT_DOWN_BY_1 power, c, t, at, step
        BY_1    \c, r3
        BY_1    r4, r5
        BY_1    r6, r7
        BY_1    r8, r9
        BY_1    r3, r5
        BY_1    r7, r9
        BY_1    r5, r9
        REST_DOWN \power, \c, \t, \at, \step
        .endm

        // Distances 32 and 64, then distance 128 with the factors, one pair after the other: of
        // positions p and p + 4, which are then in r5 and r9, or r3 and r7, or r4 and r8, or c and
        // r6. A result stays in x or z until it is stored.
        .macro ENDS x, y, t, qinv, p
        ldr     z, [r1], 4
        ldr     zn, [r1], 4
        .ifnb   \p
        str     \p
        .endif
        smull   \t, z, \x, z
        smlal   \t, z, \y, zn
        .ifnb   \qinv
        mul     zn, \t, \qinv
        .else
        GET0    zn
        mul     zn, \t, zn
        .endif
        smlal   \t, z, zn, q
        ldr     \t, [r1], 4
        ldr     zn, [r1], 4
        .endm
        .macro ENDS_2 x, y, t, qinv
        smull   \t, \x, \x, \t
        smlal   \t, \x, \y, zn
        .ifnb   \qinv
        mul     zn, \t, \qinv
        .else
        GET0    \y
        mul     zn, \t, \y
        .endif
        smlal   \t, \x, zn, q
        .endm
        .macro EIGHT_LAST c, t, at
        BUTTERFLY \c, r3, \t
        BUTTERFLY r4, r5, \t
        BUTTERFLY r6, r7, \t
        BUTTERFLY r8, r9, \t
        NEXT_POWER 1
        BUTTERFLY r3, r5, \t
        BUTTERFLY r7, r9, \t
        NEXT_POWER 2
        BUTTERFLY \c, r4, \t
        BUTTERFLY r6, r8, \t
        ENDS    r5, r9, \t
        str     z, [r0, \at]
        ENDS_2  r5, r9, \t              // r9 is -1/q then
        ENDS    r3, r7, \t, r9, "r5, [r0, \at + 4 * 128]"
        str     z, [r0, \at + 2 * 128]
        ENDS_2  r3, r7, \t, r9
        ENDS    r4, r8, \t, r9, "r3, [r0, \at + 6 * 128]"
        str     z, [r0, \at + 128]
        ENDS_2  r4, r8, \t, r9
        ldr     z, [r1], 4              // four factors at once
        ldr     zn, [r1], 4
        ldr     r3, [r1], 4
        ldr     r5, [r1], 4
        str     r4, [r0, \at + 5 * 128]
        smull   \t, z, \c, z
        smlal   \t, z, r6, zn
        mul     zn, \t, r9
        smlal   \t, z, zn, q
        smull   \t, \c, \c, r3
        smlal   \t, \c, r6, r5
        mul     zn, \t, r9
        str     z, [r0, \at + 3 * 128]
        smlal   \t, \c, zn, q
        .endm

        // Eight coefficients in each of eight blocks of 32
        .macro COLUMN_DOWN column
        b       2f
        .balign 4
1:
        AND_LOAD LOAD_8_KEPT, r10, r2, 0, 16, 7 * 16 - 128
2:
        \column KEPT_POWER, r2, r10, 0, 16
        DIFFERENCE r2, r6
        AND_LOAD LOAD_8_KEPT, r2, r10, 128, 16, 7 * 16
        \column KEPT_POWER, r10, r2, 128, 16
        GET1    z
        add     r0, r0, 256
        cmp     r0, z
        DIFFERENCE r10, r6
        blo.w   1b
        str     r10, [r0, 7 * 16 - 128]
        sub     r0, r0, 1024 - 4
        add     r1, r1, 56
        POWERS
        LOAD_8_KEPT r2, 0, 16
        .endm

// void ty_q_intt_m4(int32_t a[256]): a = R NTT^-1(a)     in, out: loose
TY_FUNC ty_q_intt_m4
        TY_KEEP
        ROOM
        LOAD_Q
        adr.w   r1, 9f
        ldm     r1!, {z, zn}
        add     r6, r0, 1024
        PUT1    r6
        LOAD_4  r2, 0, 4
        b       4f
        .balign 4
3:
        AND_LOAD LOAD_4, r7, r2, 0, 4, -4
4:
        .irp    at, 0, 32
        FOUR_DOWN r2, r7, \at
        DIFFERENCE r2, r4
        AND_LOAD LOAD_4, r2, r7, \at + 16, 4, \at + 12
        FOUR_DOWN r7, r2, \at + 16
        .if \at == 0
        DIFFERENCE r7, r4
        AND_LOAD LOAD_4, r7, r2, \at + 32, 4, \at + 28
        .endif
        .endr
        add     r0, r0, 64
        cmp     r0, r6
        DIFFERENCE r7, r4
        bne.w   3b
        str     r7, [r0, -4]
        sub     r0, r0, 1024
        POWERS
        LOAD_8_KEPT r2, 0, 16
        COLUMN_DOWN EIGHT_DOWN_BY_1
5:
        COLUMN_DOWN EIGHT_DOWN
        GET1    r10
        sub     r10, r10, r0
        cmp     r10, 1024 - 16
        bne.w   5b
        sub     r0, r0, 16
        movw    z, 0xdfff               // -1/q mod R
        movt    z, 0xfc7f
        PUT0    z
        add     z, r0, 128
        PUT1    z
        LOAD_8_NEXT r2, 0, 128
        b       7f
        .balign 4
6:
        AND_LOAD LOAD_8_NEXT, r10, r2, 0, 128, 7 * 128 - 4
7:
        EIGHT_LAST r2, r10, 0
        AND_LOAD LOAD_8_NEXT, r2, r10, 4, 128, 7 * 128
        EIGHT_LAST r10, r2, 4
#if !defined(__OPTIMIZE_SIZE__)         // two columns more a turn
        AND_LOAD LOAD_8_NEXT, r10, r2, 8, 128, 4 + 7 * 128
        EIGHT_LAST r2, r10, 8
        AND_LOAD LOAD_8_NEXT, r2, r10, 12, 128, 8 + 7 * 128
        EIGHT_LAST r10, r2, 12
        add     r0, r0, 8
#endif
        GET1    z
        add     r0, r0, 8
        cmp     r0, z
        bne.w   6b
        str     r10, [r0, 7 * 128 - 4]
        NO_ROOM
        TY_RETURN
        .balign 4
9:
        INVERSE_TABLE
TY_END ty_q_intt_m4
#endif
#include "base/asm_notes.h"
