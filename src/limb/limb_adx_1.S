#if defined(__x86_64__)
// Products with one limb, for the tier "adx". Constant time: the time depends on n alone.
// The lowest n mod 8 limbs are processed first, one at a time, then blocks of eight.
//
// bound: one MULX per limb
#include "base/asm_x86_64.h"

// mul_1, addmul_1, submul_1: rax = the limb above; z[n] = x y, z + x y, z - x y
//   rdi = z, rsi = x, rdx = n >= 1, rcx = y
// The carry flag adds the upper limb of one product to the lower one of the next, the overflow flag
// adds z. For a difference z is complemented before and after: ~(~z + x y) = z - x y, and the limb
// above is the same.
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
#include "base/asm_notes.h"
