#if defined(__x86_64__)
// Products and squares of 3 to 8 limbs each with MULX, ADCX and ADOX, row by row in registers, for
// the tier "adx". Constant time. bound: n^2 products, n(n + 1)/2 for a square, at one MULX per
// cycle. Measured on Zen 3: 1.6 to 2 times that
#include "base/asm_x86_64.h"
#define t(k)    qword ptr [rcx + 8*(k)]
#include "limb/short_adx.h"

// x y by rows, one for each limb of y, which rotate through n + 1 registers; r9 = z
        .macro PRODUCTS a, b, rest:vararg
        mov     rdx, [rcx + 8*TY_I]
        .if TY_I == 0
        mulx    \b, \a, [rsi]
        .set    TY_J, 1
        .set    TY_FIRST, 1
        FIRST   \b, \rest
        .else
        .set    TY_J, 0
        xor     eax, eax
        ALONG   \a, \b, \rest
        .endif
        mov     [r9 + 8*TY_I], \a
        .set    TY_I, TY_I + 1
        .if TY_I < TY_N
        PRODUCTS \b, \rest, \a
        .else
        UPPER   \b, \rest
        .endif
        .endm
        .macro UPPER a, rest:vararg
        mov     [r9 + 8*TY_I], \a
        .set    TY_I, TY_I + 1
        .if TY_I < 2*TY_N
        UPPER   \rest
        .endif
        .endm
        .macro PRODUCT n, list:vararg
        .balign 32
.Lproduct\n:
        .cfi_remember_state
        TY_KEEP \n-2
        .set    TY_N, \n
        .set    TY_I, 0
        PRODUCTS \list
        TY_GIVE_BACK \n-2
        ret
        .cfi_restore_state
        .endm

// ty_limb_product_adx: z[2n] = x y of n limbs each, n = 3 .. 8; z may not overlap x or y
//   rdi = z, rsi = x, rdx = n, rcx = y                                       time: depends on n
TY_FUNC_SYSV ty_limb_product_adx
        mov     r9, rdi
        lea     rax, [rip + .Lproducts]
        movsxd  r10, dword ptr [rax + 4*rdx - 12]
        add     rax, r10
        notrack jmp rax
        PRODUCT 3, r8, r10, r11, rbx
        PRODUCT 4, r8, r10, r11, rbx, rbp
        PRODUCT 5, r8, r10, r11, rbx, rbp, r12
        PRODUCT 6, r8, r10, r11, rbx, rbp, r12, r13
        PRODUCT 7, r8, r10, r11, rbx, rbp, r12, r13, r14
        PRODUCT 8, r8, r10, r11, rbx, rbp, r12, r13, r14, r15
TY_END  ty_limb_product_adx

        .macro SQUARE n, list:vararg
        .balign 32
.Lsquare\n:
        .cfi_remember_state
        TY_KEEP \n-4
        .set    TY_N, \n
        .set    TY_OUT, 1
        .set    TY_I, 0
        ROWS    \list
        xor     eax, eax
        .set    TY_I, 0
        .rept   2*\n
        LIMB    r8
        .endr
        TY_GIVE_BACK \n-4
        ret
        .cfi_restore_state
        .endm

// ty_limb_square_adx: z[2n] = x^2, n = 3 .. 8; z may not overlap x
//   rdi = z, rsi = x, rdx = n                                                time: depends on n
TY_FUNC_SYSV ty_limb_square_adx
        mov     rcx, rdi
        lea     rax, [rip + .Lsquares]
        movsxd  r10, dword ptr [rax + 4*rdx - 12]
        add     rax, r10
        notrack jmp rax
        SQUARE  3, r8, r9, r10
        SQUARE  4, r8, r9, r10, r11
        SQUARE  5, r8, r9, r10, r11, rbx
        SQUARE  6, r8, r9, r10, r11, rbx, rbp
        SQUARE  7, r8, r9, r10, r11, rbx, rbp, r12
        SQUARE  8, r8, r9, r10, r11, rbx, rbp, r12, r13
TY_END  ty_limb_square_adx

        TY_RODATA
        .balign 4
.Lproducts:
        .irp    n, 3, 4, 5, 6, 7, 8
        .long   .Lproduct\n - .Lproducts
        .endr
.Lsquares:
        .irp    n, 3, 4, 5, 6, 7, 8
        .long   .Lsquare\n - .Lsquares
        .endr
#endif
#include "base/asm_notes.h"
