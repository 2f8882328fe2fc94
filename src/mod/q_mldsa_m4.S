// Z/q of ML-DSA for ARM's DSP instructions: both transforms and the sum of products. Constant time.
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
//     |t| <= q/2 + q |b|/2^33:  less than 0.75 q for every b, and 0.503 q for |b| < 5.1 q.
//
// So eight layers make |x| < q + 8 * 0.503 q < 5.1 q of loose coefficients.
//
// The numbers are those of the portable tier. There z' = z R - round(z R/q) q = z R + zn q is
// multiplied, t' = b z', and m in [-R/2, R/2) with m q == t' (mod R) is taken off: (t' - m q)/R = b
// z + q (b zn - m)/R. Since t' == b zn q (mod R), m == b zn (mod R), so b zn - m is the multiple of
// R next to b zn; of two as near the upper one, because m = -R/2 is allowed and R/2 is not. SMMULR
// takes the upper one, too: k = (b zn - m)/R. (With +round(z R/q) in the table it would be the
// lower one, and b = 2^25 in the last layer would give another representative.)
//
// The inverse makes the same butterflies: a cyclic transform of bit-reversed input by roots of
// unity, distances 1 to 128, where a butterfly by 1 is an addition and an RSB, and factors 1753^-i
// R/256 by Montgomery's reduction, in one step with the last layer: (f a + f z b)/R and (g a - g z
// b)/R are sums of 64 bits with one reduction each, so that |x| < q/2 (|a| + |b|)/R + q/2 < q.
// Butterflies by 1 let sums grow: tests/mod/test_q_mldsa.cc walks the bounds.
//
// A pass reads 4 or 8 coefficients, makes 2 or 3 layers and stores all but the last coefficient,
// which waits until the next ones are loaded: a store behind loads is free, and n loads in a row
// cost n + 1 cycles. Powers that do not change within a pass stay in FPU registers where there are
// any.
//
// Modelled cycles (tools/m4cycles), hard and soft float: see docs/firmware.md.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)
#include "mod/q_mldsa_m4.inc"

z       .req    r11             // a power, and its zn
zn      .req    r12
q       .req    lr

        .macro LOAD_Q
        movw    q, 0xe001               // 8380417
        movt    q, 0x7f
        .endm

        // (a, b) <- (a - b z, a + b z), t is lost; and what is left of it when the difference waits
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
        // Two words that wait, and the powers of a pass: in FPU registers, or on the stack and
        // where the table has them.
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
        .macro POWERS                   // seven of them, for a while
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
        .macro NEXT_POWER i             // each power once: i is not looked at
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

        // and power 0 of a column with them: kept powers, and powers once
        .macro LOAD_8_KEPT c, at, step
        LOAD_8  \c, \at, \step
        KEPT_POWER 0
        .endm
        .macro LOAD_8_NEXT c, at, step
        LOAD_8  \c, \at, \step
        NEXT_POWER 0
        .endm

        // One column after the other: each leaves its last coefficient waiting in c, and the next
        // one is loaded into t and the others; so c and t change places with every column.
        .macro AND_LOAD load, c, t, at, step, wait
        \load   \t, \at, \step
        str     \c, [r0, \wait]
        .endm

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
        PUT1    r1                      // the table waits: r1 is the pass's limit
        add     r1, r0, 256
        LOAD_4  r2, 0, 256
        .balign 4
1:
        .irp    at, 0, 8
        FOUR_UP r2, r6, \at, 256
        DIFFERENCE r2, r3
        AND_LOAD LOAD_4, r2, r6, \at + 4, 256, \at + 3 * 256
        FOUR_UP r6, r2, \at + 4, 256
        .if \at == 0
        DIFFERENCE r6, r3
        AND_LOAD LOAD_4, r6, r2, \at + 8, 256, \at + 4 + 3 * 256
        .endif
        .endr
        add     r0, r0, 16
        cmp     r0, r1
        DIFFERENCE r6, r3
        beq     2f
        AND_LOAD LOAD_4, r6, r2, 0, 256, 3 * 256 - 4
        b       1b
2:
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
        .balign 4
4:
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
        beq     5f
        AND_LOAD LOAD_8_KEPT, r10, r2, 0, 32, 7 * 32 - 4
        b       4b
5:
        str     r10, [r0, 7 * 32 - 4]
        GET1    z
        add     r1, r1, 56
        add     r0, r0, 256 - 32
        cmp     r0, z
        bne.w   3b
        sub     r0, r0, 1024
        LOAD_8_NEXT r2, 0, 4
        .balign 4
6:                                      // distances 4, 2, 1
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
        beq     7f
        AND_LOAD LOAD_8_NEXT, r10, r2, 0, 4, 7 * 4 - 32
        b       6b
7:
        str     r10, [r0, 7 * 4 - 32]
        NO_ROOM
        TY_GIVE_BACK
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

        // Distances 32 and 64, and of distance 128 with the factors one pair after the other: of
        // positions p and p + 4, which are then in r5 and r9, or r3 and r7, or r4 and r8, or c and
        // r6. A result waits in x or z.
        .macro ENDS x, y, t, p
        ldr     z, [r1], 4
        ldr     zn, [r1], 4
        .ifnb   \p
        str     \p
        .endif
        smull   \t, z, \x, z
        smlal   \t, z, \y, zn
        GET0    zn
        mul     zn, \t, zn
        smlal   \t, z, zn, q
        ldr     \t, [r1], 4
        ldr     zn, [r1], 4
        .endm
        .macro ENDS_2 x, y, t
        smull   \t, \x, \x, \t
        smlal   \t, \x, \y, zn
        GET0    zn
        mul     zn, \t, zn
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
        ENDS_2  r5, r9, \t
        ENDS    r3, r7, \t, "r5, [r0, \at + 4 * 128]"
        str     z, [r0, \at + 2 * 128]
        ENDS_2  r3, r7, \t
        ENDS    r4, r8, \t, "r3, [r0, \at + 6 * 128]"
        str     z, [r0, \at + 128]
        ENDS_2  r4, r8, \t
        ENDS    \c, r6, \t, "r4, [r0, \at + 5 * 128]"
        str     z, [r0, \at + 3 * 128]
        ENDS_2  \c, r6, \t
        .endm

        // Eight coefficients in each of eight blocks of 32
        .macro COLUMN_DOWN column
        .balign 4
1:
        \column KEPT_POWER, r2, r10, 0, 16
        DIFFERENCE r2, r6
        AND_LOAD LOAD_8_KEPT, r2, r10, 128, 16, 7 * 16
        \column KEPT_POWER, r10, r2, 128, 16
        GET1    z
        add     r0, r0, 256
        cmp     r0, z
        DIFFERENCE r10, r6
        bhs     2f
        AND_LOAD LOAD_8_KEPT, r10, r2, 0, 16, 7 * 16 - 128
        b       1b
2:
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
        .balign 4
3:
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
        beq     4f
        AND_LOAD LOAD_4, r7, r2, 0, 4, -4
        b       3b
4:
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
        .balign 4
6:
        EIGHT_LAST r2, r10, 0
        AND_LOAD LOAD_8_NEXT, r2, r10, 4, 128, 7 * 128
        EIGHT_LAST r10, r2, 4
        GET1    z
        add     r0, r0, 8
        cmp     r0, z
        beq     7f
        AND_LOAD LOAD_8_NEXT, r10, r2, 0, 128, 7 * 128 - 4
        b       6b
7:
        str     r10, [r0, 7 * 128 - 4]
        NO_ROOM
        TY_GIVE_BACK
        .balign 4
9:
        INVERSE_TABLE
TY_END ty_q_intt_m4
// --- Sums of products ----------------------------------------------------------------------------

        // (lo, hi) - m q with m = lo/q mod R: hi is the sum over R. Taking m q off, by the factor
        // -q, is not the same as adding -m q where m = -R/2, and the portable tier does the former.
        .macro REDUCE spare
        mul     \spare, lo, qinv
        smlal   lo, hi, \spare, minus_q
        .endm

        // A coefficient of each of n polynomials, `step` bytes from the pointer; the first moves
        // the pointer on.
        .macro X r, j
        .if \j == 0
        ldr     \r, [r1], 4
        .else
        ldr     \r, [r1, 1024 * \j - 4]
        .endif
        .endm
        .macro Y r, j
        .if \j == 0
        ldr     \r, [r2], 4
        .else
        ldr     \r, [r2, 1024 * \j - 4]
        .endif
        .endm
        .macro FAR_X r, j               // number 4 and on
        .if \j == 4
        ldr     \r, [r11], 4
        .else
        ldr     \r, [r11, 1024 * (\j - 4) - 4]
        .endif
        .endm
        .macro FAR_Y r, j
        .if \j == 4
        ldr     \r, [r12], 4
        .else
        ldr     \r, [r12, 1024 * (\j - 4) - 4]
        .endif
        .endm

        // The loads that open a coefficient, and behind them the result of the last one is stored:
        // up to four products from r6 to r12 and lo, which is why the product with lo comes first
        // ...
        .macro OPEN n
        X       r6, 0
        Y       lo, 0
        .if \n > 1
        X       r7, 1
        Y       r8, 1
        .endif
        .if \n > 2
        X       r9, 2
        Y       r10, 2
        .endif
        .if \n > 3
        X       r11, 3
        Y       r12, 3
        .endif
        .endm
        .macro CLOSE n
        smull   lo, hi, r6, lo
        .if \n > 1
        smlal   lo, hi, r7, r8
        .endif
        .if \n > 2
        smlal   lo, hi, r9, r10
        .endif
        .if \n > 3
        smlal   lo, hi, r11, r12
        .endif
        REDUCE  r6
        .endm
        // ... and for more, three, two, two and one at a time, because r11 and r12 point 4096 bytes
        // further on
        .macro OPEN_FAR n
        OPEN    3
        .endm
        .macro CLOSE_FAR n
        smull   lo, hi, r6, lo
        smlal   lo, hi, r7, r8
        smlal   lo, hi, r9, r10
        X       r6, 3
        Y       r7, 3
        FAR_X   r8, 4
        FAR_Y   r9, 4
        .if \n > 5
        FAR_X   r10, 5
        .endif
        smlal   lo, hi, r6, r7
        smlal   lo, hi, r8, r9
        .if \n > 5
        FAR_Y   r6, 5
        .if \n > 6
        FAR_X   r7, 6
        FAR_Y   r8, 6
        .endif
        .if \n > 7
        FAR_X   r9, 7
        .endif
        smlal   lo, hi, r10, r6
        .if \n > 6
        smlal   lo, hi, r7, r8
        .endif
        .if \n > 7
        FAR_Y   r6, 7
        smlal   lo, hi, r9, r6
        .endif
        .endif
        REDUCE  r6
        .endm

lo      .req    r3
hi      .req    r4
qinv    .req    r5
minus_q .req    lr

// void ty_q_dot_<n>_m4(int32_t z[256], const ty_q_poly *x, const ty_q_poly *y): z = (x_0 y_0 +
// ...)/R
        .macro DOT n, open, close
TY_FUNC ty_q_dot_\n\()_m4
        TY_KEEP
        movw    minus_q, 0x1fff
        movt    minus_q, 0xff80
        movw    qinv, 0x2001            // 1/q mod R
        movt    qinv, 0x380
        .if \n > 4
        add     r11, r1, 4096
        add     r12, r2, 4096
        .endif
        add     r6, r0, 1020
        push    {r6}
        .cfi_adjust_cfa_offset 4
        \open   \n
        b       2f
        .balign 4
1:
        \open   \n
        str     hi, [r0], 4
2:
        \close  \n
        .rept   3
        \open   \n
        str     hi, [r0], 4
        \close  \n
        .endr
        ldr     r6, [sp]
        cmp     r0, r6
        bne     1b
        str     hi, [r0]
        add     sp, sp, 4
        .cfi_adjust_cfa_offset -4
        TY_GIVE_BACK
TY_END ty_q_dot_\n\()_m4
        .endm

        .irp    n, 1, 2, 3, 4
        DOT     \n, OPEN, CLOSE
        .endr
        .irp    n, 5, 6, 7, 8
        DOT     \n, OPEN_FAR, CLOSE_FAR
        .endr
#endif
#include "base/asm_notes.h"
