#if defined(__x86_64__)
// Sums, differences and products with one limb, for the tier "adx". Constant time: depends on n alone.
// What is left over of n after blocks of eight, or four, goes first, one limb at a time.
//
// bound: add, sub: one ADC or SBB per limb, which wait for each other. mul_1, addmul_1, submul_1: one MULX
#include "base/asm_x86_64.h"

// add, sub: rax = carry or borrow out, z[n] = x +- y         rdi = z, rsi = x, rdx = y, rcx = n >= 0
// One to three limbs, then four, then eights. DEC and LEA leave the carry flag alone.
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
        .macro NEXT n
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
        NEXT    3
        jmp     3f
1:      TERMS   \what, 0, 1
        NEXT    1
        jmp     3f
2:      TERMS   \what, 0, 2
        NEXT    2
3:      dec     r8
        js      5f
        jz      6f
        .balign 16
4:      TERMS   \what, 0, 4
        TERMS   \what, 4, 4
        NEXT    8
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
        SUM     ty_limb_add_adx, adc
        SUM     ty_limb_sub_adx, sbb

// mul_1, addmul_1, submul_1: rax = the limb above; z[n] = x y, z + x y, z - x y
//   rdi = z, rsi = x, rdx = n >= 1, rcx = y
// The carry flag adds the upper limb of one product to the lower one of the next, the overflow flag adds z. For a difference
// z is complemented before and after: ~(~z + x y) = z - x y, and the limb above is the same.
        .macro LIMB what, k, high, before
        mulx    \high, rax, [rsi + 8*\k]
        adcx    rax, \before
        .ifc \what, add
        adox    rax, [rdi + 8*\k]
        .endif
        .ifc \what, sub
        mov     r10, [rdi + 8*\k]
        not     r10
        adox    rax, r10
        not     rax
        .endif
        mov     [rdi + 8*\k], rax
        .endm
        .macro PRODUCT name, what
TY_FUNC \name
        mov     r11, rdx
        shr     r11, 3
        mov     rax, rdx
        mov     rdx, rcx
        mov     rcx, rax
        and     ecx, 7
        xor     r8d, r8d                        // the limb before; and both flags
        jrcxz   2f
1:      LIMB    \what, 0, r9, r8
        mov     r8, r9
        lea     rsi, [rsi + 8]
        lea     rdi, [rdi + 8]
        lea     rcx, [rcx - 1]
        jrcxz   2f
        jmp     1b
2:      mov     rcx, r11
        jrcxz   4f
        jmp     3f
4:      jmp     5f
        .balign 32
3:      LIMB    \what, 0, r9, r8
        LIMB    \what, 1, r8, r9
        LIMB    \what, 2, r9, r8
        LIMB    \what, 3, r8, r9
        LIMB    \what, 4, r9, r8
        LIMB    \what, 5, r8, r9
        LIMB    \what, 6, r9, r8
        LIMB    \what, 7, r8, r9
        lea     rsi, [rsi + 64]
        lea     rdi, [rdi + 64]
        lea     rcx, [rcx - 1]
        jrcxz   5f
        jmp     3b
5:      mov     eax, 0
        adcx    r8, rax
        adox    r8, rax
        mov     rax, r8
        ret
TY_END  \name
        .endm
        PRODUCT ty_limb_mul_1_adx, set
        PRODUCT ty_limb_addmul_1_adx, add
        PRODUCT ty_limb_submul_1_adx, sub
#endif
        .section .note.GNU-stack,"",%progbits
