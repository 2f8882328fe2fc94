#if defined(__aarch64__)
// Products, squares and Montgomery reductions of n limbs, for AArch64. Constant time: the time
// depends on lengths alone.
//
// Rows go along x, up to four limbs of y at once, whose products with one limb of x are added to a
// window of as many limbs:
//
//     window + z[k] + x[k] y <= (B^4 - 1) + (B - 1) + (B - 1)(B^4 - 1) = B^5 - 1: five limbs and no
//     carry.
//
// The lower halves of the products go into the window in one carry chain, z[k] and the upper halves
// in another. The lowest limb is then complete and is stored at z[k]; the second chain puts the
// others a register lower.
//
// bound: MUL, UMULH and 2.5 sums for a product of limbs, half a load or store: xn yn products,
// n(n-1)/2 and n squares, n^2 and 19 for every four digits of a reduction. By published figures two
// cycles each where one of MUL and UMULH starts every cycle (Neoverse V1), one and a quarter on
// Apple M1; 7 on Neoverse N1. Not measured: the code has only run under QEMU.
#include "base/asm_a64.h"

zp      .req    x0
xp      .req    x1
cnt     .req    x2
y0      .req    x3
y1      .req    x4
y2      .req    x5
y3      .req    x6
a0      .req    x7              // the window
a1      .req    x8
a2      .req    x9
a3      .req    x10
l0      .req    x11             // lower and upper halves
l1      .req    x12
l2      .req    x13
l3      .req    x14
u0      .req    x15
u1      .req    x16
u2      .req    x17
u3      .req    x19
xi      .req    x20             // two limbs of x and z
xk      .req    x21
zi      .req    x22
zk      .req    x23
// x24 to x28 hold values that a function keeps across its rows

n0      .req    x8              // the window again, a limb higher up
n1      .req    x9
n2      .req    x10

// the instruction `what` to, x, y for limbs `first` to `last` of three lists of registers
        .macro EACH first, last, what, to, x, y
        .irpc   i, 0123
        .if \i >= \first && \i <= \last
        \what   \to\i, \x\i, \y\i
        .endif
        .endr
        .endm

// z = the lowest limb of window + z + x y, the rest is the window; there is no carry out of its
// highest limb
        .macro STEP last, x, z
        .irpc   i, 0123
        .if \i <= \last
        mul     l\i, \x, y\i
        umulh   u\i, \x, y\i
        .endif
        .endr
        adds    a0, a0, l0
        EACH    1, \last, adcs, a, a, l
        adc     u\last, u\last, xzr
        adds    \z, a0, \z
        EACH    0, (\last-1), adcs, a, n, u
        adc     a\last, u\last, xzr
        .endm

// z[cnt] += x[cnt] times w limbs in y0 .. y(last); window in a0 .. before and after; zp, xp moved
// on
        .macro ROWS w, last
.Lrows\w:
        tbz     cnt, 0, 1f
        ldr     xi, [xp], 8
        ldr     zi, [zp]
        STEP    \last, xi, zi
        str     zi, [zp], 8
1:      lsr     cnt, cnt, 1
        cbz     cnt, 3f
        .balign 16
2:      ldp     xi, xk, [xp], 16
        ldp     zi, zk, [zp]
        STEP    \last, xi, zi
        STEP    \last, xk, zk
        stp     zi, zk, [zp], 16
        sub     cnt, cnt, 1
        cbnz    cnt, 2b
3:      ret
        .endm
TY_FUNC ty_limb_rows_neon                       // a name for these parts, which have no frame
        ROWS    1, 0
        ROWS    2, 1
        ROWS    3, 2
        ROWS    4, 3
TY_END  ty_limb_rows_neon

        .macro CLEAR                            // an empty window
        mov     a0, 0
        mov     a1, 0
        mov     a2, 0
        mov     a3, 0
        .endm
        .macro FOUR what, w, r0, r1, r2, r3, at // the first w of four registers, loaded or stored
        .if \w == 1
        \what\()r \r0, [\at]
        .else
        \what\()p \r0, \r1, [\at]
        .endif
        .if \w == 3
        \what\()r \r2, [\at, 16]
        .elseif \w == 4
        \what\()p \r2, \r3, [\at, 16]
        .endif
        .endm

// --- Products ------------------------------------------------------------------------------------
// ty_limb_mul: z[xn + yn] = x y; z may not overlap x or y
// x0 = z, x1 = x, x2 = xn, x3 = y, x4 = yn
        .macro BLOCK w
        FOUR    ld, \w, y0, y1, y2, y3, x27
        CLEAR
        mov     zp, x24
        mov     xp, x25
        mov     cnt, x26
        bl      .Lrows\w
        FOUR    st, \w, a0, a1, a2, a3, zp
        add     x24, x24, 8*\w
        add     x27, x27, 8*\w
        .endm
TY_FUNC ty_limb_mul_neon
        TY_KEEP
        mov     x24, x0
        mov     x25, x1
        mov     x26, x2
        mov     x27, x3
        mov     x28, x4
1:      str     xzr, [zp], 8                    // z[0..xn) = 0, to which rows are added
        sub     cnt, cnt, 1
        cbnz    cnt, 1b
        and     x19, x28, 3                     // yn mod 4 limbs first
        lsr     x28, x28, 2
        cbz     x19, 5f
        cmp     x19, 2
        b.eq    2f
        b.hi    3f
        BLOCK   1
        b       5f
2:      BLOCK   2
        b       5f
3:      BLOCK   3
5:      cbz     x28, 6f
        BLOCK   4
        sub     x28, x28, 1
        b       5b
6:      TY_RETURN
TY_END  ty_limb_mul_neon

// --- Squares -------------------------------------------------------------------------------------
// ty_limb_sqr: z[2n] = x^2; z may not overlap x
// x0 = z, x1 = x, x2 = n
//
// The products of different limbs once, doubled, and the squares. Four limbs y at a time: the
// products among these are limbs 1 to 6,
//     y0y1 B + y0y2 B^2 + (y0y3 + y1y2) B^3 + y1y3 B^4 + y2y3 B^5 < B^7,
// of which 1 to 3 are added to z, and 4 to 6 begin the window of the rows along the rest of x. At
// the end of x missing limbs count as 0; the limbs beyond 2n are 0 then, and are not stored.
TY_FUNC ty_limb_sqr_neon
        TY_KEEP
        stp     x0, x1, [sp, 96]
        mov     x24, x0                         // 2i limbs up
        mov     x25, x1                         // i limbs up
        mov     x26, x2                         // n - i
        mov     x28, x2
1:      stp     xzr, xzr, [zp], 16
        sub     cnt, cnt, 1
        cbnz    cnt, 1b
2:      cmp     x26, 2
        b.lo    7f
        ldp     y0, y1, [x25]
        mov     y2, 0
        mov     y3, 0
        b.eq    3f
        ldr     y2, [x25, 16]
        cmp     x26, 3
        b.eq    3f
        ldr     y3, [x25, 24]
// limbs 1, 2, 3 in u0 to u2, and 4, 5, 6 in a0 to a2
3:      mul     u0, y0, y1
        umulh   u1, y0, y1
        mul     l0, y0, y2
        umulh   u2, y0, y2
        mul     l1, y0, y3
        umulh   a0, y0, y3
        mul     l2, y1, y3
        umulh   a1, y1, y3
        mul     l3, y2, y3
        umulh   a2, y2, y3
        adds    u1, u1, l0
        adcs    u2, u2, l1
        adcs    a0, a0, l2
        adcs    a1, a1, l3
        adc     a2, a2, xzr
        mul     l0, y1, y2
        umulh   l1, y1, y2
        adds    u2, u2, l0
        adcs    a0, a0, l1
        adcs    a1, a1, xzr
        adc     a2, a2, xzr
        ldp     xi, zi, [x24, 8]
        ldr     zk, [x24, 24]
        adds    xi, xi, u0
        adcs    zi, zi, u1
        adcs    zk, zk, u2
        adcs    a0, a0, xzr
        adcs    a1, a1, xzr
        adcs    a2, a2, xzr
        adc     a3, xzr, xzr
        stp     xi, zi, [x24, 8]
        str     zk, [x24, 24]
        cmp     x26, 3
        b.lo    7f
        b.hi    5f
        stp     a0, a1, [x24, 32]
        b       7f
5:      add     zp, x24, 32
        add     xp, x25, 32
        sub     cnt, x26, 4
        bl      .Lrows4
        stp     a0, a1, [zp]
        stp     a2, a3, [zp, 16]
        add     x24, x24, 64
        add     x25, x25, 32
        subs    x26, x26, 4
        b.ne    2b
7:      ldp     zp, xp, [sp, 96]
        mov     u0, 0
        cmn     xzr, xzr                        // no carry
8:      ldr     xi, [xp], 8
        ldp     zi, zk, [zp]
        mul     l0, xi, xi
        umulh   l1, xi, xi
        extr    u1, zi, u0, 63                  // twice the limb, and the bit from below
        extr    u2, zk, zi, 63
        mov     u0, zk
        adcs    l0, l0, u1
        adcs    l1, l1, u2
        stp     l0, l1, [zp], 16
        sub     x28, x28, 1
        cbnz    x28, 8b
        TY_RETURN
TY_END  ty_limb_sqr_neon

// --- Montgomery reduction ------------------------------------------------------------------------
// ty_limb_redc: z[n] = t/B^n mod m for t[2n], see limb.h
// x0 = z, x1 = t, x2 = m, x3 = n, x4 = minv
//
// Up to four digits of the quotient at once: to compute them, only the limbs of their rows below
// the fifth are needed; then all four rows are added to t. The window is added above them, with a
// carry, 0 or 1, to the window of the next digits.
        // q with a + q m[0] = 0 mod B; adds q m to those of the limbs b, c, d that are given
        .macro DIGIT q, a, b, c, d
        mul     \q, \a, x27
        .ifnb \b
        mul     l0, \q, xi
        mul     l1, \q, xk
        .ifnb \c
        mul     l2, \q, zi
        .endif
        .ifnb \d
        mul     l3, \q, zk
        .endif
        cmn     \a, l0
        adcs    \b, \b, l1
        .ifnb \c
        adcs    \c, \c, l2
        .endif
        .ifnb \d
        adc     \d, \d, l3
        .endif
        umulh   u0, \q, xi
        adds    \b, \b, u0
        .ifnb \c
        umulh   u1, \q, xk
        adcs    \c, \c, u1
        .endif
        .ifnb \d
        umulh   u2, \q, zi
        adc     \d, \d, u2
        .endif
        .endif
        .endm
        .macro DIGITS w
        FOUR    ld, \w, a0, a1, a2, a3, x24
        FOUR    ld, \w, xi, xk, zi, zk, x25
        .if \w == 1
        DIGIT   y0, a0
        .elseif \w == 2
        DIGIT   y0, a0, a1
        DIGIT   y1, a1
        .elseif \w == 3
        DIGIT   y0, a0, a1, a2
        DIGIT   y1, a1, a2
        DIGIT   y2, a2
        .else
        DIGIT   y0, a0, a1, a2, a3
        DIGIT   y1, a1, a2, a3
        DIGIT   y2, a2, a3
        DIGIT   y3, a3
        .endif
        CLEAR
        mov     zp, x24
        mov     xp, x25
        mov     cnt, x26
        bl      .Lrows\w
        FOUR    ld, \w, l0, l1, l2, l3, zp
        ldr     u0, [sp, 104]
        cmp     u0, 1                           // the carry, back in its flag
        adcs    a0, a0, l0
        EACH    1, (\w-1), adcs, a, a, l
        cset    u0, cs
        str     u0, [sp, 104]
        FOUR    st, \w, a0, a1, a2, a3, zp
        add     x24, x24, 8*\w
        .endm
TY_FUNC ty_limb_redc_neon
        TY_KEEP
        stp     x0, xzr, [sp, 96]
        mov     x24, x1
        mov     x25, x2
        mov     x26, x3
        mov     x27, x4
        and     x19, x3, 3
        lsr     x28, x3, 2
        cbz     x19, 5f
        cmp     x19, 2
        b.eq    2f
        b.hi    3f
        DIGITS  1
        b       5f
2:      DIGITS  2
        b       5f
3:      DIGITS  3
5:      cbz     x28, 6f
        DIGITS  4
        sub     x28, x28, 1
        b       5b
// m is subtracted if there is a carry: see limb.h for the range of t/B^n
6:      ldp     zp, u0, [sp, 96]
        neg     u0, u0
        cmp     xzr, xzr                        // no borrow
7:      ldr     l0, [x24], 8
        ldr     l1, [x25], 8
        and     l1, l1, u0
        sbcs    l0, l0, l1
        str     l0, [zp], 8
        sub     x26, x26, 1
        cbnz    x26, 7b
        TY_RETURN
TY_END  ty_limb_redc_neon
#endif
#include "base/asm_notes.h"
