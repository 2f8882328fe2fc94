#if defined(__x86_64__)
// Products and squares of 3 to 8 limbs each with MULX, ADCX and ADOX, row by row in registers, for
// the tier "adx". Constant time. bound: n^2 products, n(n + 1)/2 for a square, at one MULX per
// cycle. Measured on Granite Rapids, calls in turn: 1.1 times that for products of 4 to 8 limbs,
// 1.4 for a square of 4 and 1.14 of 8
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
        .else
        mov     rax, \a
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
//   rdi = z, rsi = x, rdx = n, rcx = y; rax = the highest limb of z          time: depends on n
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

// Squares. Limb k > 0 of the sum of the products x[i] x[j], i < j, is in the k-th register of a
// list of TY_L, again from its beginning after the last; those whose registers are needed again are
// in z. rbx = 0.
//
// Row i < h = floor(n/2) is x[i] times the limbs after it, which are limbs 2i + 1 to n + i of the
// sum, and goes on from there with a part of the products of the upper limbs of x: x[k] times
// x[h] to x[k - 1], k = h + i, or h + i + 1 if n is odd. So it ends with limb 2k. There are
// n/2 rows instead of n - 1, so half as many ends, at each of which two carries are added.
        .macro STORED k, what:vararg
        .if (\k) + TY_L <= 2*TY_N - 2
        \what
        .endif
        .endm
// The next product of a row, lower half to limb TY_P of the sum, in `a`; the sum had TY_OLD limbs.
        .macro ALONG_SQUARE a, b, rest:vararg
        .if TY_J == TY_N
        mov     rdx, [rsi + 8*TY_K]
        .set    TY_J, TY_N/2
        .endif
        .if TY_P < TY_OLD
        mulx    rdi, rax, [rsi + 8*TY_J]
        adcx    \a, rax
        adox    \b, rdi
        .elseif TY_P == 1
        mulx    \b, \a, [rsi + 8*TY_J]
        .else
        mulx    \b, rax, [rsi + 8*TY_J]
        adcx    \a, rax
        .if TY_I > 0
        adox    \b, rbx
        .endif
        .endif
        .set    TY_P, TY_P + 1
        .set    TY_J, TY_J + 1
        .if TY_P < 2*TY_K
        ALONG_SQUARE \b, \rest
        .else
        adcx    \b, rbx
        .endif
        .endm
        .macro TRIANGLE a, b, rest:vararg
        .set    TY_K, TY_N/2 + TY_I + TY_N % 2
        .if TY_I == 0
        .set    TY_OLD, 0
        .else
        .set    TY_OLD, 2*TY_K - 2
        .endif
        .set    TY_P, 2*TY_I + 1
        .set    TY_J, TY_I + 1
        mov     rdx, [rsi + 8*TY_I]
        xor     ebx, ebx                        // and both flags: rows do not wait for each other
        ALONG_SQUARE \a, \b, \rest
        STORED  2*TY_I + 1, mov t(2*TY_I + 1), \a
        STORED  2*TY_I + 2, mov t(2*TY_I + 2), \b
        .set    TY_I, TY_I + 1
        .if TY_I < TY_N/2
        TRIANGLE \rest, \a, \b
        .endif
        .endm
// Limb TY_I of the square, from twice that of the sum, in `a` or in z, and the squares x[i]^2
        .macro DOUBLE a
        .if TY_I % 2 == 0
        mov     rdx, [rsi + 4*TY_I]
        mulx    rdi, rax, rdx
        .endif
        .if TY_I + TY_L <= 2*TY_N - 2
        mov     rdx, t(TY_I)
        DOUBLED rdx
        .else
        DOUBLED \a
        .endif
        .endm
        .macro DOUBLED r
        adcx    \r, \r
        .if TY_I % 2 == 0
        adox    \r, rax
        .else
        adox    \r, rdi
        .endif
        mov     t(TY_I), \r
        .endm
        .macro DOUBLES a, rest:vararg
        DOUBLE  \a
        .set    TY_I, TY_I + 1
        .if TY_I < 2*TY_N - 1
        DOUBLES \rest, \a
        .endif
        .endm
        .macro SQUARE n, kept, l, list:vararg
        .balign 32
.Lsquare\n:
        .cfi_remember_state
        TY_KEEP \kept
        .set    TY_N, \n
        .set    TY_L, \l
        .set    TY_I, 0
        TRIANGLE \list
        xor     ebx, ebx
        mov     rdx, [rsi]
        mulx    rdi, rax, rdx
        mov     t(0), rax
        .set    TY_I, 1
        DOUBLES \list
        adcx    rdi, rbx
        adox    rdi, rbx
        mov     t(2*\n - 1), rdi
        mov     rax, rdi
        TY_GIVE_BACK \kept
        ret
        .cfi_restore_state
        .endm

// ty_limb_square_adx: z[2n] = x^2, n = 3 .. 8; z may not overlap x
//   rdi = z, rsi = x, rdx = n; rax = the highest limb of z                   time: depends on n
TY_FUNC_SYSV ty_limb_square_adx
        mov     rcx, rdi
        lea     rax, [rip + .Lsquares]
        movsxd  r10, dword ptr [rax + 4*rdx - 12]
        add     rax, r10
        notrack jmp rax
        SQUARE  3, 1, 4, r8, r9, r10, r11
        SQUARE  4, 3, 6, r8, r9, r10, r11, rbp, r12
        SQUARE  5, 5, 8, r8, r9, r10, r11, rbp, r12, r13, r14
        SQUARE  6, 6, 9, r8, r9, r10, r11, rbp, r12, r13, r14, r15
        SQUARE  7, 6, 9, r8, r9, r10, r11, rbp, r12, r13, r14, r15
        SQUARE  8, 6, 9, r8, r9, r10, r11, rbp, r12, r13, r14, r15
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
