#if defined(__x86_64__)
// Montgomery products of 2 to 8 limbs with MULX, ADCX and ADOX, for the tier "adx": x y/B^n mod m
// in registers from the first limb to the last; squares have code of their own. Constant time.
//
// A turn takes one limb of y: t = (t + x y[i] + q m)/B for the q that makes it an integer
// (Montgomery, Math. Comp. 44 (1985)). With x, m <= B^n - 1 and y[i], q <= B - 1, a t below 2 B^n
// stays so:
//
//     t + x y[i] <= 2 B^n - 1 + (B^n - 1)(B - 1) = B^(n+1) + B^n - B:
//     n + 2 limbs, of which the highest is 0 or 1
//     (t + x y[i] + (B^n - 1)(B - 1))/B <= (2 B^(n+1) - 2 B + 1)/B < 2 B^n.
//
// So t takes n limbs, one more that is 0 or 1 at the end of a turn, and a spare that is used only
// within a turn. The limb that a turn clears is the spare of the next one: registers change places
// by the order in which macros pass them on.
//
// To x y[0] nothing has to be added, so one carry chain is enough. At the end the highest limb of
// t, 0 or 1, times m is subtracted: MULX leaves the flags of the subtraction alone.
//
// bound: n (2n + 1) products, at one MULX per cycle. The next q is known 10 cycles after this one:
// IMUL 3, upper half 4, three sums; from 5 limbs on the products hide this
#include "base/asm_x86_64.h"

// rdi = z, rsi = x, rdx = y, rcx = m, r8 = n, r9 = minv; z may be x or y
// Within: rsi = x, rcx = m, rdx = the factor of a row, rax and rdi a product; t rotates through n +
// 2 of the other registers
#define MINV    0
#define Y       8
#define Z       16
#define own(k)  qword ptr [rsp + k]

// t = x rdx, where the caller has made the product with x[0], whose upper half is in b. The last
// two registers become the highest limb, and 0.
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

// t += rdx p: lower halves along the carry flag, upper ones along the overflow flag, and both flags
// into the highest limb
        .macro CHAIN p, a, b, rest:vararg
        mulx    rdi, rax, [\p + 8*TY_J]
        adcx    \a, rax
        adox    \b, rdi
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
        mulx    rdi, rax, [rcx + 8*TY_J]
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

// Saves the registers beyond r11 that n needs; makes room for `room` bytes at own(24), and pushes
// the arguments that are rarely needed
        .macro SAVE n, room=0
        .cfi_remember_state
        TY_KEEP \n-2
        .if \room
        sub     rsp, \room
        .cfi_adjust_cfa_offset \room
        .endif
        .irp    r, rdi, rdx, r9
        push    \r
        .cfi_adjust_cfa_offset 8
        .endr
        .endm
        .macro RESTORE n, room=0
        mov     own(MINV), 0                    // it would reveal a secret modulus
        add     rsp, 24 + \room
        .cfi_adjust_cfa_offset -(24 + \room)
        TY_GIVE_BACK \n-2
        ret
        .cfi_restore_state
        .endm

        .macro MONT n, a, b, rest:vararg
        .balign 32
.Lmont\n:
        SAVE    \n
        .set    TY_N, \n
        .set    TY_I, 0
        .set    TY_J, 1
        mov     rdx, [rdx]
        mulx    \b, \a, [rsi]
        BEGIN   \b, \rest
        TURN    \a, \b, \rest
        RESTORE \n
        .endm

// ty_limb_mont_adx: z[n] = x y/B^n mod m, loose: see limb.h                time: depends on n
TY_FUNC ty_limb_mont_adx
        lea     rax, [rip + .Lmonts]
        movsxd  r10, dword ptr [rax + 4*r8 - 8]
        add     rax, r10
        notrack jmp rax
        MONT    2, r8, r9, r10, r11
        MONT    3, r8, r9, r10, r11, rbx
        MONT    4, r8, r9, r10, r11, rbx, rbp
        MONT    5, r8, r9, r10, r11, rbx, rbp, r12
        MONT    6, r8, r9, r10, r11, rbx, rbp, r12, r13
        MONT    7, r8, r9, r10, r11, rbx, rbp, r12, r13, r14
        MONT    8, r8, r9, r10, r11, rbx, rbp, r12, r13, r14, r15
TY_END  ty_limb_mont_adx

#define COUNT   Y                              // where SAVE leaves rdx

// --- Squares -------------------------------------------------------------------------------------
// Up to 4 limbs x^2 stays whole in registers: the products x[i] x[j], i < j, once; twice that and
// the squares, the doubling along the carry flag, the squares along the other. The digits of q
// clear the lower half limb by limb. The carry of row i out of limb n + i is kept in limb i, which
// the row has made 0, until the next row adds it: t = x^2 + q m B^i < 2 B^2n, so it is a bit.

// t += q m for the q that makes the first limb 0; \carry is added to the last one, and the carry
// out is in the first
        .macro CLEAR carry, a, rest:vararg
        mov     rdx, own(MINV)
        imul    rdx, \a
        xor     eax, eax
        .set    TY_J, 0
        ROW     \carry, \a, \rest
        adcx    \a, rax
        adox    \a, rax
        .endm
        .macro ROW carry, a, b, rest:vararg
        mulx    rdi, rax, [rcx + 8*TY_J]
        adcx    \a, rax
        adox    \b, rdi
        .set    TY_J, TY_J + 1
        .if TY_J < TY_N
        ROW     \carry, \b, \rest
        .else
        mov     eax, 0
        adcx    \b, \carry
        .endif
        .endm
// Twice the limbs low and high, and the square of x[i]
        .macro TWICE i, low, high
        mov     rdx, [rsi + 8*\i]
        mulx    rdi, rax, rdx
        .if \i == 0
        mov     \low, rax
        .else
        adcx    \low, \low
        adox    \low, rax
        .endif
        adcx    \high, \high
        adox    \high, rdi
        .endm
// z = t, less m if the bit `over` is set, in place of x; s0, s1, .. are as many free registers
        .macro TAKE n, over, t0, s0, t1, s1, t2, s2, t3, s3
        mov     \s0, \t0
        mov     \s1, \t1
        .if \n > 2
        mov     \s2, \t2
        .endif
        .if \n > 3
        mov     \s3, \t3
        .endif
        sub     \s0, [rcx]
        sbb     \s1, [rcx + 8]
        .if \n > 2
        sbb     \s2, [rcx + 16]
        .endif
        .if \n > 3
        sbb     \s3, [rcx + 24]
        .endif
        test    \over, \over
        cmovnz  \t0, \s0
        cmovnz  \t1, \s1
        mov     [rsi], \t0
        mov     [rsi + 8], \t1
        .if \n > 2
        cmovnz  \t2, \s2
        mov     [rsi + 16], \t2
        .endif
        .if \n > 3
        cmovnz  \t3, \s3
        mov     [rsi + 24], \t3
        .endif
        .endm

// From 5 limbs on x^2 is on the stack, except its lower half once that is complete.
#define t(k)    qword ptr [rsp + 24 + 8*(k)]
#include "limb/short_adx.h"

// t + q m: x is the register for the next limb of x^2
        .macro REDUCE carry, x, a, rest:vararg
        mov     \x, t(TY_N + TY_I)
        CLEAR   \carry, \a, \rest, \x
        .set    TY_I, TY_I + 1
        .if TY_I < TY_N
        REDUCE  \a, \carry, \rest, \x
        .else
        mov     rdx, \a
        .set    TY_J, 0
        LESS    \rest, \x
        .endif
        .endm

        .macro MONT2 n, list:vararg
        .balign 32
.Lmont2_\n:
        SAVE    8, 128
        .set    TY_N, \n
1:      .set    TY_I, 0
        ROWS    \list
        xor     eax, eax
        .set    TY_I, 0
        LIMBS   \list, r14
        mov     r15d, 0
        .set    TY_I, 0
        REDUCE  r15, r14, \list
        dec     own(COUNT)
        jnz     1b
        vpxor   xmm0, xmm0, xmm0                // wipes the stack
        .irp    at, 0, 32, 64, 96
        vmovdqu [rsp + 24 + \at], ymm0
        .endr
        vzeroupper
        RESTORE 8, 128
        .endm

// ty_limb_mont2_adx: z[n] = z^2/B^n mod m, count times, n = 2 .. 8
//   rdi = z, rsi = m, rdx = n, rcx = minv, r8 = count >= 1
//   time: depends on n and count
TY_FUNC ty_limb_mont2_adx
        mov     r9, rcx
        mov     rcx, rsi
        mov     rsi, rdi
        lea     rax, [rip + .Lmont2s]
        movsxd  r10, dword ptr [rax + 4*rdx - 8]
        mov     rdx, r8
        add     rax, r10
        notrack jmp rax


.Lmont2_2:
        SAVE    4
        .set    TY_N, 2
        mov     rbx, [rsi]                      // two limbs need not go through memory
        mov     rbp, [rsi + 8]
2:      mov     rdx, rbx
        mulx    r10, r9, rbp
        mulx    rax, r8, rdx
        mov     rdx, rbp
        mulx    r11, rdi, rdx
        add     r9, r9
        adc     r10, r10
        adc     r11, 0
        add     r9, rax
        adc     r10, rdi
        adc     r11, 0
        CLEAR   rax, r8, r9, r10                // rax = 0 when it is added
        CLEAR   r8, r9, r10, r11
        mov     rbx, r10
        mov     rbp, r11
        sub     rbx, [rcx]
        sbb     rbp, [rcx + 8]
        test    r9, r9
        cmovz   rbx, r10
        cmovz   rbp, r11
        dec     own(COUNT)
        jnz     2b
        mov     [rsi], rbx
        mov     [rsi + 8], rbp
        RESTORE 4

        .balign 32
.Lmont2_3:
        SAVE    4
        .set    TY_N, 3
3:      mov     rdx, [rsi]
        mulx    r10, r9, [rsi + 8]
        mulx    r11, rax, [rsi + 16]
        add     r10, rax
        adc     r11, 0
        mov     rdx, [rsi + 8]
        mulx    rbx, rax, [rsi + 16]
        add     r11, rax
        adc     rbx, 0
        xor     ebp, ebp
        TWICE   0, r8, r9
        TWICE   1, r10, r11
        TWICE   2, rbx, rbp
        CLEAR   rax, r8, r9, r10, r11
        CLEAR   r8, r9, r10, r11, rbx
        CLEAR   r9, r10, r11, rbx, rbp
        TAKE    3, r10, r11, r8, rbx, r9, rbp, rax
        dec     own(COUNT)
        jnz     3b
        RESTORE 4

        .balign 32
.Lmont2_4:
        SAVE    6
        .set    TY_N, 4
4:      mov     rdx, [rsi]
        mulx    r10, r9, [rsi + 8]
        mulx    r11, rax, [rsi + 16]
        add     r10, rax
        mulx    rbx, rax, [rsi + 24]
        adc     r11, rax
        adc     rbx, 0
        mov     rdx, [rsi + 8]
        mulx    rdi, rax, [rsi + 16]
        mulx    rbp, rdx, [rsi + 24]
        add     r11, rax
        adc     rbx, rdi
        adc     rbp, 0
        add     rbx, rdx
        adc     rbp, 0
        mov     rdx, [rsi + 16]
        mulx    r12, rax, [rsi + 24]
        add     rbp, rax
        adc     r12, 0
        xor     r13d, r13d
        TWICE   0, r8, r9
        TWICE   1, r10, r11
        TWICE   2, rbx, rbp
        TWICE   3, r12, r13
        CLEAR   rax, r8, r9, r10, r11, rbx
        CLEAR   r8, r9, r10, r11, rbx, rbp
        CLEAR   r9, r10, r11, rbx, rbp, r12
        CLEAR   r10, r11, rbx, rbp, r12, r13
        TAKE    4, r11, rbx, r8, rbp, r9, r12, r10, r13, rax
        dec     own(COUNT)
        jnz     4b
        RESTORE 6

        MONT2   5, r8, r9, r10, r11, rbx
        MONT2   6, r8, r9, r10, r11, rbx, rbp
        MONT2   7, r8, r9, r10, r11, rbx, rbp, r12
        MONT2   8, r8, r9, r10, r11, rbx, rbp, r12, r13
TY_END  ty_limb_mont2_adx

        TY_RODATA
        .balign 4
.Lmonts:
        .irp    n, 2, 3, 4, 5, 6, 7, 8
        .long   .Lmont\n - .Lmonts
        .endr
.Lmont2s:
        .irp    n, 2, 3, 4, 5, 6, 7, 8
        .long   .Lmont2_\n - .Lmont2s
        .endr
#endif
#include "base/asm_notes.h"
