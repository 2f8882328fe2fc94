#if defined(__aarch64__)
// Z/p of SM2 for AArch64: products, squares, sums, halves. Constant time: no branch, no address but
// those of the arguments.
//
// Elements are in the Montgomery domain and in [0, p). With B = 2^64,
// p = B^4 - 2^32 B^3 - 2^32 B + B - 1, so the quotient digit of Montgomery's reduction is the
// lowest word m itself, and adding m p takes a shift and two subtractions of two words each:
//
//     (w + m p)/B = (w - m)/B + m B^3 - (2^32 m - m) - 2^32 m B^2
//
// 2^32 m - m is not negative, nor is the new top word, m less the upper half of 2^32 m and a
// borrow; mod/p_sm2_clear.h has the bounds.
//
// bound: product 16 MUL, 16 UMULH, 31 sums, 32 to reduce, 16 to make canonical, 6 loads and stores:
//        117, with RET and BTI 119. Square 10 and 10, 24 sums, then the same, two loads fewer: 98.
//        The functions of s2n-bignum for this prime have 118 and 96 without BTI. A core that starts
//        one multiplication a cycle is bound by those 32 and 20, if it executes three or more other
//        instructions a cycle. Counted by QEMU (tools/field_counts.py); not measured.
#include "base/asm_a64.h"

a0      .req    x3              // the words of x
a1      .req    x4
a2      .req    x5
a3      .req    x6
y0      .req    x7              // and of y
y1      .req    x8
y2      .req    x9
y3      .req    x10
r0      .req    x11             // a product; its highest word takes the place of y's lowest
r1      .req    x12
r2      .req    x13
r3      .req    x14
r4      .req    x15
r5      .req    x16
r6      .req    x17
r7      .req    x7
t0      .req    x1              // x and y have been read by then
t1      .req    x2
t2      .req    x8              // and y's words have been used
t3      .req    x9

// e:d:c:b:a = d:c:b:a + x y for a word y; e is new
        .macro ROW y, a, b, c, d, e
        mul     t0, a0, \y
        mul     t1, a1, \y
        adds    \a, \a, t0
        mul     t0, a2, \y
        adcs    \b, \b, t1
        mul     t1, a3, \y
        adcs    \c, \c, t0
        umulh   t0, a0, \y
        adcs    \d, \d, t1
        umulh   t1, a1, \y
        adc     \e, xzr, xzr
        adds    \b, \b, t0
        umulh   t0, a2, \y
        adcs    \c, \c, t1
        umulh   t1, a3, \y
        adcs    \d, \d, t0
        adc     \e, \e, t1
        .endm

// r7..r0 = x y, the words of both loaded, in two parts: the first leaves r6 alone, the second needs
// no more of y than y2 and y3
        .macro PRODUCT_LOW
        mul     r0, a0, y0
        umulh   r1, a0, y0
        mul     t0, a1, y0
        umulh   r2, a1, y0
        adds    r1, r1, t0
        mul     t1, a2, y0
        umulh   r3, a2, y0
        adcs    r2, r2, t1
        mul     t0, a3, y0
        umulh   r4, a3, y0
        adcs    r3, r3, t0
        adc     r4, r4, xzr
        ROW     y1, r1, r2, r3, r4, r5
        .endm
        .macro PRODUCT_HIGH
        ROW     y2, r2, r3, r4, r5, r6
        ROW     y3, r3, r4, r5, r6, r7
        .endm

// r7..r0 = x^2: the products of different words once, doubled, and the squares
        .macro SQUARE
        mul     r1, a0, a1
        umulh   r2, a0, a1
        mul     t0, a0, a2
        umulh   r3, a0, a2
        mul     t1, a0, a3
        umulh   r4, a0, a3
        adds    r2, r2, t0
        mul     t0, a1, a2
        adcs    r3, r3, t1
        umulh   t1, a1, a2
        adc     r4, r4, xzr
        mul     t2, a1, a3
        umulh   r5, a1, a3
        mul     t3, a2, a3
        umulh   r6, a2, a3
        adds    t1, t1, t2              // r6 r5 t1 t0 = x1 x2 + x1 x3 B + x2 x3 B^2
        adcs    r5, r5, t3
        adc     r6, r6, xzr
        adds    r3, r3, t0
        mul     r0, a0, a0
        adcs    r4, r4, t1
        umulh   t0, a0, a0
        adcs    r5, r5, xzr
        mul     t1, a1, a1
        adc     r6, r6, xzr
        adds    r1, r1, r1
        adcs    r2, r2, r2
        adcs    r3, r3, r3
        adcs    r4, r4, r4
        adcs    r5, r5, r5
        adcs    r6, r6, r6
        adc     r7, xzr, xzr
        umulh   t2, a1, a1
        adds    r1, r1, t0
        mul     t0, a2, a2
        adcs    r2, r2, t1
        umulh   t1, a2, a2
        adcs    r3, r3, t2
        mul     t2, a3, a3
        adcs    r4, r4, t0
        umulh   t3, a3, a3
        adcs    r5, r5, t1
        adcs    r6, r6, t2
        adc     r7, r7, t3
        .endm

// a:d:c:b = (d:c:b:a + a p)/B
        .macro CLEAR a, b, c, d
        lsl     t0, \a, 32
        lsr     t1, \a, 32
        subs    t2, t0, \a
        sbc     t3, t1, xzr
        subs    \b, \b, t2
        sbcs    \c, \c, t3
        sbcs    \d, \d, t0
        sbc     \a, \a, t1
        .endm

// p or 0 by the mask t0, which is its lowest word and its third: t1 is the second, t2 the highest
        .macro MASK_P
        and     t1, t0, 0xffffffff00000000
        and     t2, t0, 0xfffffffeffffffff
        .endm

// d:c:b:a = `top` 2^256 + d:c:b:a, below 2p, less p if that is not negative: then the sum with
// 2^256 - p has a carry, or top is 1
        .macro CANON a, b, c, d, top
        mov     t2, 0xffffffff
        adds    a0, \a, 1
        mov     t3, 1 << 32
        adcs    a1, \b, t2
        adcs    a2, \c, xzr
        adcs    a3, \d, t3
        sbcs    xzr, \top, xzr
        csel    \a, a0, \a, cs
        csel    \b, a1, \b, cs
        csel    \c, a2, \c, cs
        csel    \d, a3, \d, cs
        .endm

// z = w/2^256 mod p, for w < p 2^256
        .macro REDUCE
        CLEAR   r0, r1, r2, r3
        CLEAR   r1, r2, r3, r0
        CLEAR   r2, r3, r0, r1
        CLEAR   r3, r0, r1, r2
        adds    r0, r0, r4
        adcs    r1, r1, r5
        adcs    r2, r2, r6
        adcs    r3, r3, r7
        cset    r4, cs
        CANON   r0, r1, r2, r3, r4
        stp     r0, r1, [x0]
        stp     r2, r3, [x0, 16]
        ret
        .endm

        .macro LOAD_X
        ldp     a0, a1, [x1]
        ldp     a2, a3, [x1, 16]
        .endm
        .macro LOAD_Y
        ldp     y0, y1, [x2]
        ldp     y2, y3, [x2, 16]
        .endm
        .macro STORE_WIDE
        stp     r0, r1, [x0]
        stp     r2, r3, [x0, 16]
        stp     r4, r5, [x0, 32]
        stp     r6, r7, [x0, 48]
        ret
        .endm

// void ty_p_sm2_mul_neon(uint64_t z[4], const uint64_t x[4], const uint64_t y[4]): z = x y/2^256
TY_FUNC ty_p_sm2_mul_neon
        LOAD_X
        LOAD_Y
        PRODUCT_LOW
        PRODUCT_HIGH
        REDUCE
TY_END  ty_p_sm2_mul_neon

// void ty_p_sm2_sqr_neon(uint64_t z[4], const uint64_t x[4]): z = x^2/2^256
TY_FUNC ty_p_sm2_sqr_neon
        LOAD_X
        SQUARE
        REDUCE
TY_END  ty_p_sm2_sqr_neon

// void ty_p_sm2_mul_wide_neon(uint64_t z[8], const uint64_t x[4], const uint64_t y[4]): z = x y
TY_FUNC ty_p_sm2_mul_wide_neon
        LOAD_X
        LOAD_Y
        PRODUCT_LOW
        PRODUCT_HIGH
        STORE_WIDE
TY_END  ty_p_sm2_mul_wide_neon

// void ty_p_sm2_sqr_wide_neon(uint64_t z[8], const uint64_t x[4]): z = x^2
TY_FUNC ty_p_sm2_sqr_wide_neon
        LOAD_X
        SQUARE
        STORE_WIDE
TY_END  ty_p_sm2_sqr_wide_neon

// void ty_p_sm2_reduce_neon(uint64_t z[4], const uint64_t t[8]): z = t/2^256, for t < p 2^256
TY_FUNC ty_p_sm2_reduce_neon
        ldp     r0, r1, [x1]
        ldp     r2, r3, [x1, 16]
        ldp     r4, r5, [x1, 32]
        ldp     r6, r7, [x1, 48]
        REDUCE
TY_END  ty_p_sm2_reduce_neon

// void ty_p_sm2_mul_less_neon(uint64_t z[4], const uint64_t x[4], const uint64_t y[4],
//                             const uint64_t w[8]): z = (x y - w)/2^256, for w < p 2^256;
// p 2^256 is added to a difference that is negative
TY_FUNC ty_p_sm2_mul_less_neon
        mov     r6, x3
        LOAD_X
        LOAD_Y
        PRODUCT_LOW
        mov     y1, r6
        PRODUCT_HIGH
        ldp     a0, a1, [y1]
        ldp     a2, a3, [y1, 16]
        subs    r0, r0, a0
        sbcs    r1, r1, a1
        sbcs    r2, r2, a2
        ldp     a0, a1, [y1, 32]
        sbcs    r3, r3, a3
        ldp     a2, a3, [y1, 48]
        sbcs    r4, r4, a0
        sbcs    r5, r5, a1
        sbcs    r6, r6, a2
        sbcs    r7, r7, a3
        csetm   t0, cc
        MASK_P
        adds    r4, r4, t0
        adcs    r5, r5, t1
        adcs    r6, r6, t0
        adc     r7, r7, t2
        REDUCE
TY_END  ty_p_sm2_mul_less_neon

// void ty_p_sm2_add_neon(uint64_t z[4], const uint64_t x[4], const uint64_t y[4])
TY_FUNC ty_p_sm2_add_neon
        LOAD_X
        LOAD_Y
        adds    r0, a0, y0
        adcs    r1, a1, y1
        adcs    r2, a2, y2
        adcs    r3, a3, y3
        cset    r4, cs
        CANON   r0, r1, r2, r3, r4
        stp     r0, r1, [x0]
        stp     r2, r3, [x0, 16]
        ret
TY_END  ty_p_sm2_add_neon

// void ty_p_sm2_sub_neon(uint64_t z[4], const uint64_t x[4], const uint64_t y[4]): p is added after
// a borrow
TY_FUNC ty_p_sm2_sub_neon
        LOAD_X
        LOAD_Y
        subs    a0, a0, y0
        sbcs    a1, a1, y1
        sbcs    a2, a2, y2
        sbcs    a3, a3, y3
        csetm   t0, cc
        MASK_P
        adds    a0, a0, t0
        adcs    a1, a1, t1
        adcs    a2, a2, t0
        adc     a3, a3, t2
        stp     a0, a1, [x0]
        stp     a2, a3, [x0, 16]
        ret
TY_END  ty_p_sm2_sub_neon

// void ty_p_sm2_half_neon(uint64_t z[4], const uint64_t x[4]): z = x/2; an odd x has p added first,
// which makes it even
TY_FUNC ty_p_sm2_half_neon
        LOAD_X
        sbfx    t0, a0, 0, 1
        MASK_P
        adds    a0, a0, t0
        adcs    a1, a1, t1
        adcs    a2, a2, t0
        adcs    a3, a3, t2
        cset    t3, cs
        extr    a0, a1, a0, 1
        extr    a1, a2, a1, 1
        extr    a2, a3, a2, 1
        extr    a3, t3, a3, 1
        stp     a0, a1, [x0]
        stp     a2, a3, [x0, 16]
        ret
TY_END  ty_p_sm2_half_neon
#endif
#include "base/asm_notes.h"
