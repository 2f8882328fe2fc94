#if defined(__x86_64__)
// Greatest common divisors of public numbers of two limbs, for the tier "avx2": the smaller of two
// odd numbers is kept, and the larger one replaced by their difference without its factors of two.
// Variable time: 0.7 n iterations for numbers of n bits; no branch within one is hard to predict.
//
// Both differences are computed, so that the absolute value is a selection; both have the same
// number of trailing zeros, t. The difference of two odd numbers is even: a shift by 64 -
// t, t = 1 to 63, is one by -t. Only where the lower limbs, both odd, are equal is t larger: about
// once in 2^63 iterations.
//
// bound: an iteration waits for the one before. One limb: SUB, TZCNT (2), SHRX: 4 cycles; two: SUB,
// TZCNT, NEG, SHLX, OR: 6, for 22 instructions. Measured on Zen 3, the sibling thread busy: 3.9
// and 8.2
#include "base/asm_x86_64.h"

#define x0      rdi
#define x1      rsi
#define y0      r8
#define y1      rcx
#define d0      rax                             // x - y
#define d1      r9
#define n0      rdx                             // y - x
#define n1      r10
#define t       r11

// rdx:rax = gcd(x, y)                          rsi:rdi = x, rcx:rdx = y, both odd
TY_FUNC_SYSV ty_limb_gcd_2_avx2
        mov     y0, rdx
        mov     d0, x1
        or      d0, y1
        jz      4f
        .balign 32
1:      mov     n0, y0
        sub     n0, x0
        mov     d0, x0
        sub     d0, y0
        jz      3f
        mov     d1, x1
        sbb     d1, y1
        mov     n1, d1
        // the lower limb is not 0, so ~d1 is the upper one of -d
        not     n1
        cmovc   y0, x0
        cmovc   y1, x1
        cmovc   d0, n0
        cmovc   d1, n1
        tzcnt   t, n0
        shrx    x0, d0, t
        shrx    x1, d1, t
        neg     t
        shlx    d1, d1, t
        or      x0, d1
2:      mov     d0, x1
        or      d0, y1
        jnz     1b
        jmp     4f
3:      mov     n0, y1                          // the difference is that of the upper limbs
        sub     n0, x1
        mov     d0, x1
        sub     d0, y1
        jz      6f
        cmovc   y1, x1
        cmovc   d0, n0
        tzcnt   t, d0
        shrx    x0, d0, t
        xor     x1, x1
        jmp     2b
        .balign 32
4:      mov     n0, y0
        mov     d0, x0
        sub     n0, x0
        sub     d0, y0
        jz      6f
5:      cmovc   y0, x0
        cmovc   d0, n0
        tzcnt   t, n0
        shrx    x0, d0, t
        mov     n0, y0
        mov     d0, x0
        sub     n0, x0
        sub     d0, y0
        jnz     5b
6:      mov     rax, y0
        mov     rdx, y1
        ret
TY_END  ty_limb_gcd_2_avx2
#endif
#include "base/asm_notes.h"
