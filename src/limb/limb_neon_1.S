#if defined(__aarch64__)
// Sums, differences and products with one limb, for AArch64. Constant time: the time depends on n
// alone. The lowest n mod 4 limbs are processed first, one at a time, then blocks of four. CBZ,
// CBNZ, SUB, MUL and loads leave the flags alone, so a carry is kept through the loops. After a
// difference the carry flag is set where nothing is borrowed.
//
// bound: add, sub: one ADCS or SBCS per limb, each waiting for the one before. mul_1, addmul_1,
// submul_1: MUL, UMULH, and 1.25 or 2.5 additions. By published figures a limb in two cycles where
// one of MUL and UMULH starts every cycle (Neoverse V1), in one on Apple M1; Neoverse N1 takes 3
// and 4 cycles for them, which hides all else. Nothing has been measured: the code has only run
// under QEMU.
#include "base/asm_a64.h"

z       .req    x0
x       .req    x1

// add, sub: x0 = carry or borrow out, z[n] = x + y, x - y
// x0 = z, x1 = x, x2 = y, x3 = n >= 0
y       .req    x2
n       .req    x3
left    .req    x5
        .macro SUM name, what, start, out
TY_FUNC \name
        and     left, n, 3
        lsr     n, n, 2
        \start
        cbz     left, 2f
1:      ldr     x6, [x], 8
        ldr     x10, [y], 8
        \what   x6, x6, x10
        str     x6, [z], 8
        sub     left, left, 1
        cbnz    left, 1b
2:      cbz     n, 4f
3:      ldp     x6, x7, [x], 16
        ldp     x10, x11, [y], 16
        ldp     x8, x9, [x], 16
        ldp     x12, x13, [y], 16
        \what   x6, x6, x10
        \what   x7, x7, x11
        \what   x8, x8, x12
        \what   x9, x9, x13
        stp     x6, x7, [z], 16
        stp     x8, x9, [z], 16
        sub     n, n, 1
        cbnz    n, 3b
4:      cset    x0, \out
        ret
TY_END  \name
        .endm
        SUM     ty_limb_add_neon, adcs, "cmn xzr, xzr", cs      // no carry
        SUM     ty_limb_sub_neon, sbcs, "cmp xzr, xzr", cc      // no borrow
        .unreq  y
        .unreq  n
        .unreq  left

// mul_1, addmul_1, submul_1: x0 = the limb above; z[n] = x y, z + x y, z - x y
//   x0 = z, x1 = x, x2 = n >= 1, x3 = y
// c, the limb above those processed, is at most B - 1, also after a sum or a difference: z + x y +
// c < B^(k+1) for k limbs.
n       .req    x2
y       .req    x3
c       .req    x4
left    .req    x5
        // into c: the carry of the sum, the borrow of the difference
        .macro LAST what
        .ifc \what, add
        cinc    c, c, cs
        .endif
        .ifc \what, sub
        cinc    c, c, cc
        .endif
        .endm
        .macro PRODUCT name, what
TY_FUNC \name
        and     left, n, 3
        lsr     n, n, 2
        mov     c, 0
        cbz     left, 2f
1:      ldr     x7, [x], 8
        mul     x6, x7, y
        umulh   x7, x7, y
        adds    x6, x6, c
        adc     c, x7, xzr
        .ifnc \what, set
        ldr     x8, [z]
        \what\()s x6, x8, x6
        LAST    \what
        .endif
        str     x6, [z], 8
        sub     left, left, 1
        cbnz    left, 1b
2:      cbz     n, 4f
3:      ldp     x10, x11, [x], 16
        ldp     x12, x13, [x], 16
        mul     x6, x10, y
        umulh   x10, x10, y
        mul     x7, x11, y
        umulh   x11, x11, y
        mul     x8, x12, y
        umulh   x12, x12, y
        mul     x9, x13, y
        umulh   x13, x13, y
        adds    x6, x6, c
        adcs    x7, x7, x10
        adcs    x8, x8, x11
        adcs    x9, x9, x12
        adc     c, x13, xzr
        .ifnc \what, set
        ldp     x10, x11, [z]
        ldp     x12, x13, [z, 16]
        .endif
        .ifc \what, add
        adds    x6, x10, x6
        adcs    x7, x11, x7
        adcs    x8, x12, x8
        adcs    x9, x13, x9
        .endif
        .ifc \what, sub
        subs    x6, x10, x6
        sbcs    x7, x11, x7
        sbcs    x8, x12, x8
        sbcs    x9, x13, x9
        .endif
        LAST    \what
        stp     x6, x7, [z], 16
        stp     x8, x9, [z], 16
        sub     n, n, 1
        cbnz    n, 3b
4:      mov     x0, c
        ret
TY_END  \name
        .endm
        PRODUCT ty_limb_mul_1_neon, set
        PRODUCT ty_limb_addmul_1_neon, add
        PRODUCT ty_limb_submul_1_neon, sub
#endif
#include "base/asm_notes.h"
