// Z/q of ML-DSA for ARM's DSP instructions: the sum of products, and the high part adjusted by a
// hint. Constant time.
//
// bound: a coefficient of n products takes 2n loads, n multiplications and two of the reduction.
// k consecutive loads cost k + 1 cycles, so one group is best: 3n + 3. Up to four products fit; for
// more, the pointers to polynomials 4 and on leave six registers, so that 14 loads are three
// groups. Keeping the reduction's constants in FPU registers would allow two groups, one cycle
// less, but take two moves. Modelled cycles (tools/m4cycles) of 4 and 7 products: 4065 and 6851,
// 15.9 and 26.8 a coefficient.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP) && !defined(TY_SMALL)

// --- Sums of products ----------------------------------------------------------------------------

        // (lo, hi) - m q with m = lo/q mod R: hi is the sum divided by R. Subtracting m q, by the
        // factor -q, differs from adding -m q where m = -R/2, and the portable tier subtracts.
        .macro REDUCE spare
        mul     \spare, lo, qinv
        smlal   lo, hi, \spare, minus_q
        .endm

        // A coefficient of polynomial j, 1024 j bytes from that of the first, whose load moves the
        // pointer on.
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
        .macro FAR_X r, j               // of polynomials 4 and on
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

        // OPEN: the loads at the beginning of a coefficient; the result of the one before is stored
        // after them. CLOSE: up to four products from r6 to r12 and lo, which is why the product
        // with lo comes first ...
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
        // ... and for more than four, three, two, two and one at a time, because r11 and r12 point
        // to polynomials 4 and on
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
#if defined(__OPTIMIZE_SIZE__)
        .set    DOT_TURN, 4             // coefficients
#else
        .set    DOT_TURN, 8
#endif
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
        .rept   DOT_TURN - 1
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
        TY_RETURN
TY_END ty_q_dot_\n\()_m4
        .endm

        .irp    n, 1, 2, 3, 4
        DOT     \n, OPEN, CLOSE
        .endr
        .irp    n, 5, 6, 7, 8
        DOT     \n, OPEN_FAR, CLOSE_FAR
        .endr

// --- The high part, moved by a hint --------------------------------------------------------------

        // One coefficient a, made canonical, less 1, and bit i of h in r4: see use_hint_with and
        // high_part. A hint needs only the sign of w0 - 1. In the last interval it is negative for
        // w0 = a - q, and so it is for a - 16 2 gamma2 or a - 44 2 gamma2, which is taken here.
        .macro CANONICAL_LESS_1 a
        and     r3, r5, \a, asr 31
        add     \a, \a, r3
        sub     \a, \a, 1
        .endm
        .macro MOVE a, i
        mls     \a, r8, r7, \a
        asr     \a, \a, 31
        orr     \a, \a, 1
        ubfx    r3, r4, \i, 1
        mla     \a, r3, \a, r8
        .endm
        .macro HIGH_32 a, i             // r6 = gamma2
        CANONICAL_LESS_1 \a
        add     r3, \a, r6
        lsr     r8, r3, 9
        add     r8, r8, r3, lsr 19
        add     r8, r8, 1
        lsr     r8, r8, 10
        MOVE    \a, \i
        and     \a, \a, 15
        .endm
        .macro HIGH_88 a, i             // r6 = 2819
        CANONICAL_LESS_1 \a
        add     r3, \a, 95232           // gamma2
        lsr     r3, r3, 11
        mul     r8, r3, r6
        lsr     r8, r8, 18
        MOVE    \a, \i
        cmp     \a, 0
        it      lt
        addlt   \a, \a, 44
        cmp     \a, 44
        it      eq
        moveq   \a, 0
        .endm
        .macro USE_HINT high
        TY_KEEP
        movw    r5, 0xe001              // q
        movt    r5, 0x7f
        .ifc    \high, HIGH_32          // r7 = 2 gamma2
        movw    r6, 0xff00
        movt    r6, 0x3
        movw    r7, 0xfe00
        movt    r7, 0x7
        .else
        movw    r6, 2819
        mov     r7, 190464
        .endif
        add     r3, r2, 32
        push    {r3}
        .cfi_adjust_cfa_offset 4
1:
        ldr     r4, [r2], 4
        mov     r12, 8
        .balign 4
2:
        ldr     r9, [r1], 4
        ldr     r10, [r1], 4
        ldr     r11, [r1], 4
        ldr     lr, [r1], 4
        \high   r9, 0
        \high   r10, 1
        \high   r11, 2
        \high   lr, 3
        str     r9, [r0], 4
        str     r10, [r0], 4
        str     r11, [r0], 4
        str     lr, [r0], 4
        lsr     r4, r4, 4
        subs    r12, r12, 1
        bne     2b
        ldr     r3, [sp]
        cmp     r2, r3
        bne     1b
        add     sp, sp, 4
        .cfi_adjust_cfa_offset -4
        TY_RETURN
        .endm

// void ty_q_use_hint_32_m4(int32_t w1[256], const int32_t a[256], const uint32_t h[8]): for gamma2
// = (q - 1)/32. w1 may alias a
TY_FUNC ty_q_use_hint_32_m4
        USE_HINT HIGH_32
TY_END ty_q_use_hint_32_m4

// the same for gamma2 = (q - 1)/88
TY_FUNC ty_q_use_hint_88_m4
        USE_HINT HIGH_88
TY_END ty_q_use_hint_88_m4
#endif
#include "base/asm_notes.h"
