#if defined(__x86_64__)
// Sums of limbs with instructions that every x86-64 CPU has: sums and differences of two numbers;
// and for Karatsuba's method negation under a mask, and sums of four numbers. Constant time: the
// time depends on n alone. The lowest n mod 4 limbs are processed first, then blocks. In neg_if and
// sum_4 a carry is kept between blocks as a mask, all ones or 0: NEG makes it the carry flag, SBB
// restores it.
//
// bound: add, sub, neg_if: one ADC or SBB per limb, each waiting for the one before, and in neg_if
// two for a block; sum_4: seven instructions per limb and fourteen for a block, six of which begin
// every cycle: 1.8. Measured on Zen 3, the sibling thread busy, in cycles per limb: neg_if 1.2,
// sum_4 2.3
#include "base/asm_x86_64.h"

// add, sub: rax = carry or borrow out, z[n] = x +- y
// rdi = z, rsi = x, rdx = y, rcx = n >= 0
// One to three limbs, then eights, then at most one group of four. DEC and LEA do not change CF.
        .macro TERMS what, from, n
        .set    TY_I, \from
        .irp    r, rax, r9, r10, r11
        .if TY_I < \from + \n
        mov     \r, [rsi + 8*TY_I]
        \what   \r, [rdx + 8*TY_I]
        mov     [rdi + 8*TY_I], \r
        .endif
        .set    TY_I, TY_I + 1
        .endr
        .endm
        .macro ADVANCE n
        .irp    r, rsi, rdx, rdi
        lea     \r, [\r + 8*\n]
        .endr
        .endm
        .macro SUM name, what
TY_FUNC \name
        mov     r8, rcx
        shr     r8, 2
        and     ecx, 3                          // and no carry
        jz      3f
        dec     ecx
        jz      1f
        dec     ecx
        jz      2f
        TERMS   \what, 0, 3
        ADVANCE 3
        jmp     3f
1:      TERMS   \what, 0, 1
        ADVANCE 1
        jmp     3f
2:      TERMS   \what, 0, 2
        ADVANCE 2
3:      dec     r8
        js      5f
        jz      6f
        .balign 16
4:      TERMS   \what, 0, 4
        TERMS   \what, 4, 4
        ADVANCE 8
        dec     r8
        dec     r8
        jg      4b
        jz      6f
5:      setc    al
        movzx   eax, al
        ret
6:      TERMS   \what, 0, 4
        setc    al
        movzx   eax, al
        ret
TY_END  \name
        .endm
        SUM     ty_limb_add_x86, adc
        SUM     ty_limb_sub_x86, sbb

// neg_if: rax = carry, z[n] = (z ^ mask) + (mask & 1)
// rdi = z, rsi = n >= 0, rdx = mask
        .macro TURN k, r
        mov     \r, rdx
        xor     \r, [rdi + 8*\k]
        .endm
        .macro CARRIED k, r
        adc     \r, 0
        mov     [rdi + 8*\k], \r
        .endm
TY_FUNC ty_limb_neg_if_x86
        mov     rax, rdx                        // the carry as a mask: at first that of mask & 1
        mov     ecx, esi
        shr     rsi, 2
        and     ecx, 3
        jz      2f
1:      TURN    0, r8
        neg     rax
        CARRIED 0, r8
        sbb     rax, rax
        add     rdi, 8
        dec     ecx
        jnz     1b
2:      test    rsi, rsi
        jz      4f
        .balign 16
3:      TURN    0, r8
        TURN    1, r9
        TURN    2, r10
        TURN    3, r11
        neg     rax
        CARRIED 0, r8
        CARRIED 1, r9
        CARRIED 2, r10
        CARRIED 3, r11
        sbb     rax, rax
        add     rdi, 32
        dec     rsi
        jnz     3b
4:      and     eax, 1
        ret
TY_END  ty_limb_neg_if_x86

// sum_4: rax = the carry, 0 to 3; z[n] = w + x + y + (z ^ mask) + (mask & 1)
//   rdi = z, rsi = w, rdx = x, rcx = y, r8 = n >= 0, r9 = mask
// Within: rbp, r14 and r15 are the carries of w + x, of y, and of z; rax, r10, r11 and r12 sums,
// rbx and r13 limbs of z
        .macro FETCH k, r
        mov     \r, [rsi + 8*\k]
        .endm
        .macro ADDED from, k, r
        adc     \r, [\from + 8*\k]
        .endm
        .macro SIGNED k, r
        mov     \r, r9
        xor     \r, [rdi + 8*\k]
        .endm
        .macro PUT k, r, sum
        adc     \r, \sum
        mov     [rdi + 8*\k], \r
        .endm
        .macro NEXT n
        .irp    r, rdi, rsi, rdx, rcx
        add     \r, 8*\n
        .endr
        .endm
TY_FUNC ty_limb_sum_4_x86
        TY_KEEP 6
        mov     r15, r9
        xor     ebp, ebp
        xor     r14d, r14d
        mov     ebx, r8d
        shr     r8, 2
        and     ebx, 3
        jz      2f
1:      FETCH   0, rax
        SIGNED  0, r10
        neg     rbp
        ADDED   rdx, 0, rax
        sbb     rbp, rbp
        neg     r14
        ADDED   rcx, 0, rax
        sbb     r14, r14
        neg     r15
        PUT     0, r10, rax
        sbb     r15, r15
        NEXT    1
        dec     ebx
        jnz     1b
2:      test    r8, r8
        jz      4f
        .balign 16
3:      FETCH   0, rax
        FETCH   1, r10
        FETCH   2, r11
        FETCH   3, r12
        neg     rbp
        ADDED   rdx, 0, rax
        ADDED   rdx, 1, r10
        ADDED   rdx, 2, r11
        ADDED   rdx, 3, r12
        sbb     rbp, rbp
        neg     r14
        ADDED   rcx, 0, rax
        ADDED   rcx, 1, r10
        ADDED   rcx, 2, r11
        ADDED   rcx, 3, r12
        sbb     r14, r14
        SIGNED  0, rbx                          // XOR clears CF, so two limbs before each chain
        SIGNED  1, r13
        neg     r15
        PUT     0, rbx, rax
        PUT     1, r13, r10
        sbb     r15, r15
        SIGNED  2, rbx
        SIGNED  3, r13
        neg     r15
        PUT     2, rbx, r11
        PUT     3, r13, r12
        sbb     r15, r15
        NEXT    4
        dec     r8
        jnz     3b
4:      lea     rax, [rbp + r14]
        add     rax, r15
        neg     rax
        TY_GIVE_BACK 6
        ret
TY_END  ty_limb_sum_4_x86
#endif
#include "base/asm_notes.h"
