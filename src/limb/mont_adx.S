#if defined(__x86_64__)
// Montgomery products of 2 to 8 limbs with MULX, ADCX and ADOX, for the tier "adx": x y/B^n mod m in registers from the first
// limb to the last. Constant time.
//
// A turn takes one limb of y:  t = (t + x y[i] + q m)/B  for the q that makes it whole (Montgomery, Math. Comp. 44 (1985)).
// With x, m <= B^n - 1 and y[i], q <= B - 1 a t below 2 B^n stays so:
//
//     t + x y[i] <= 2 B^n - 1 + (B^n - 1)(B - 1) < B^(n+1) + B^n        n + 2 limbs, of which the highest is 0 or 1
//     (that + (B^n - 1)(B - 1))/B < (2 B^(n+1) + ...)/B <= 2 B^n.
//
// So t has n limbs, one that is 0 or 1 at the end of a turn, and one that is used within it. The limb that the turn has made 0
// is that last one of the next turn: registers change their places by the order in which macros hand them on.
//
// Where x y[0] begins, nothing else has to be added, and one carry chain is enough. The last bit of t, as a factor of m, takes
// m away once: MULX leaves the flags of the subtraction alone.
//
// bound: n (2n + 1) products, at one MULX per cycle. The next q is known 10 cycles after this one: IMUL 3, upper half 4, three
// sums; with 5 limbs and more the products hide it
#include "base/asm_x86_64.h"

// rdi = z, rsi = x, rdx = y, rcx = m, r8 = n, r9 = minv; z may be x or y
// Within: rsi = x, rcx = m, rdx = the factor of a row, rax and rbx a product; t goes round n + 2 of the other registers
#define MINV    0
#define Y       8
#define Z       16
#define own(k)  qword ptr [rsp + k]

// t = x rdx, in a, b, ..; the last two registers: the highest limb, and 0. Of a, b, .. the first is done
        .macro BEGIN b, c, rest:vararg
        mulx    \c, rax, [rsi + 8*TY_J]
        .if TY_J == 1
        add     \b, rax
        .else
        adc     \b, rax
        .endif
        .set    TY_J, TY_J + 1
        .if TY_J < TY_N
        BEGIN   \c, \rest
        .else
        adc     \c, 0
        xor     \rest, \rest
        .endif
        .endm

// t += rdx p: lower halves along the carry flag, upper ones along the overflow flag, and both flags into the highest limb
        .macro CHAIN p, a, b, rest:vararg
        mulx    rbx, rax, [\p + 8*TY_J]
        adcx    \a, rax
        adox    \b, rbx
        .set    TY_J, TY_J + 1
        .if TY_J < TY_N
        CHAIN   \p, \b, \rest
        .else
        mov     eax, 0                          // MOV leaves the flags alone
        adcx    \b, rax
        adcx    \rest, rax
        adox    \rest, rax
        .endif
        .endm

// z = t - rdx m for the bit rdx
        .macro LESS a, rest:vararg
        mulx    rbx, rax, [rcx + 8*TY_J]
        .if TY_J == 0
        sub     \a, rax
        .else
        sbb     \a, rax
        .endif
        mov     [rsi + 8*TY_J], \a
        .set    TY_J, TY_J + 1
        .if TY_J < TY_N
        LESS    \rest
        .endif
        .endm
        .macro TOP a, rest:vararg
        .if TY_J < TY_N
        .set    TY_J, TY_J + 1
        TOP     \rest
        .else
        mov     rdx, \a
        .endif
        .endm

        .macro TURN a, rest:vararg
        .if TY_I > 0
        mov     rdx, own(Y)
        mov     rdx, [rdx + 8*TY_I]
        xor     eax, eax                        // both flags
        .set    TY_J, 0
        CHAIN   rsi, \a, \rest
        .endif
        mov     rdx, own(MINV)
        imul    rdx, \a
        xor     eax, eax
        .set    TY_J, 0
        CHAIN   rcx, \a, \rest                  // and \a = 0
        .set    TY_I, TY_I + 1
        .if TY_I < TY_N
        TURN    \rest, \a
        .else
        .set    TY_J, 0
        TOP     \rest
        mov     rsi, own(Z)
        .set    TY_J, 0
        LESS    \rest
        .endif
        .endm

        .macro MONT n, a, b, rest:vararg
        .balign 32
.Lmont\n:
        .set    TY_N, \n
        .set    TY_I, 0
        .set    TY_J, 1
        mov     rdx, [rdx]
        mulx    \b, \a, [rsi]
        BEGIN   \b, \rest
        TURN    \a, \b, \rest
        jmp     9f
        .endm

// ty_limb_mont_adx: z[n] = x y/B^n mod m, loose, as limb.h says            time: depends on n
TY_FUNC ty_limb_mont_adx
        .irp    r, rbx, rbp, r12, r13, r14, r15, rdi, rdx, r9
        push    \r
        .cfi_adjust_cfa_offset 8
        .endr
        .cfi_rel_offset rbx, 64
        .cfi_rel_offset rbp, 56
        .cfi_rel_offset r12, 48
        .cfi_rel_offset r13, 40
        .cfi_rel_offset r14, 32
        .cfi_rel_offset r15, 24
        lea     rax, [rip + .Lmonts]
        movsxd  rbx, dword ptr [rax + 4*r8 - 8]
        add     rax, rbx
        notrack jmp rax
        MONT    2, r8, r9, r10, r11
        MONT    3, r8, r9, r10, r11, r12
        MONT    4, r8, r9, r10, r11, r12, r13
        MONT    5, r8, r9, r10, r11, r12, r13, r14
        MONT    6, r8, r9, r10, r11, r12, r13, r14, r15
        MONT    7, r8, r9, r10, r11, r12, r13, r14, r15, rbp
        MONT    8, r8, r9, r10, r11, r12, r13, r14, r15, rbp, rdi
9:      mov     own(MINV), 0                    // it would tell a secret modulus
        add     rsp, 24
        .cfi_adjust_cfa_offset -24
        .irp    r, r15, r14, r13, r12, rbp, rbx
        pop     \r
        .cfi_adjust_cfa_offset -8
        .cfi_restore \r
        .endr
        ret
TY_END  ty_limb_mont_adx
        .section .rodata
        .balign 4
.Lmonts:
        .irp    n, 2, 3, 4, 5, 6, 7, 8
        .long   .Lmont\n - .Lmonts
        .endr
#endif
        .section .note.GNU-stack,"",%progbits
