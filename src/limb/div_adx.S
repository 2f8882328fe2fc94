#if defined(__x86_64__)
// Division of public numbers by rows with MULX, ADCX and ADOX, for the tier "adx": all digits of
// the quotient in one call, the two limbs on top of the remainder in registers throughout. Variable
// time.
//
// A digit g is estimated by a division of three limbs by two (Moeller and Granlund, "Improved
// division by invariant integers", IEEE Trans. Comput. 2011, algorithm 5), and is wrong in about
// one case in B. Let d stand for the divisor's k = dn - 2 lower limbs, and u for the limbs of the
// remainder from which g d is subtracted. This subtraction, a row, is computed as a sum: with the
// complement ~d = B^k - 1 - d,
//
//     u - g d = u + g ~d + g - g B^k,
//     u + g ~d + g <= (B^k - 1) + (B - 1)(B^k - 1) + (B - 1) = B^(k+1) - 1.
//
// The row begins with g in place of a carry from below, and g has been subtracted from the two
// limbs above beforehand. If these are not negative then, they become neither negative nor too
// large later; otherwise, one time in B, .Lslow computes the row and checks the sign. Both are
// proved for a model in tests/formal/division.py.
//
// bound: the next digit waits for this one: MULX 4, two sums, MULX 4 beside IMUL 3, three sums to
// the digit; MULX 4, a sum for each of the k limbs, and two: 19 + k cycles. Measured on Zen 3, the
// sibling thread busy, in TSC cycles: 20 for one limb, 23 for 6, 36 for 20, 67 for 47
#include "base/asm_x86_64.h"

#define ENTRY   0               // the entry point in the first eight limbs of a row
#define EIGHTS  8               // groups of eight limbs in a row
#define COUNT   16              // digits left
#define BACK    24              // bytes by which a row moves its pointers
#define K       32              // limbs of a row
#define FRAME   40
#define own(k)  qword ptr [rsp + k]

#define v       qword ptr [rbp + 16]
#define d1      qword ptr [rbp + 8]
#define d0      qword ptr [rbp]
#define top     r15             // u2, the highest limb of the remainder
#define next    r14             // u1
#define out     r13             // the quotient from its highest limb on
#define zero    r11
#define u       rdi             // a row; its limb k is u0, the third highest limb of the remainder
#define e       rsi

// --- A digit -------------------------------------------------------------------------------------
// From top, next and u0, which is in rbx; next and top become the two highest limbs of the new
// remainder. The rare cases .Lequal, .Lmore and .Lslow come back to .Lless or .Lstep.
        .macro LIMB k, high, before
        mulx    \high, rax, [e + 8*\k]
        adcx    rax, \before
        adox    rax, [u + 8*\k]
        mov     [u + 8*\k], rax
        .endm
        .macro DIGITS many
        .balign 32
.Ldigit\many:
        mov     rbx, [u + r12 - 8]              // u0
        mov     [u + r12 + 8], zero
        sub     u, 8
        cmp     top, d1
        je      .Lequal\many
.Lguess\many:
        mov     rdx, top
        mulx    r9, r8, v
        add     r8, next
        adc     r9, top                         // the guess, and its fraction
        mov     rcx, next
        sub     rbx, d0
        sbb     rcx, d1
        mov     rdx, r9
        mulx    r10, rax, d0
        imul    r9, d1
        sub     rcx, r9
        sub     rbx, rax
        sbb     rcx, r10                        // the remainder for that guess, less d
        mov     r9, d0
        mov     r10, d1
        cmp     rcx, r8
        cmovb   r9, zero
        cmovb   r10, zero
        adc     rdx, 0                          // one more unless that was too much
        add     rbx, r9
        adc     rcx, r10
        cmp     rcx, d1
        jae     .Lmore\many
.Lless\many:
        sub     rbx, rdx
        sbb     rcx, 0
        jc      .Lbelow\many
        mov     [out], rdx
        mov     top, rcx
        mov     r8, rdx
        mov     r9, rdx
        .if \many
        mov     rcx, own(EIGHTS)
        .endif
        xor     eax, eax                        // both flags; MOV, LEA and JRCXZ leave them alone
        notrack jmp own(ENTRY)
        .balign 32
.L0_\many:
        LIMB    0, r9, r8
.L1_\many:
        LIMB    1, r8, r9
.L2_\many:
        LIMB    2, r9, r8
.L3_\many:
        LIMB    3, r8, r9
.L4_\many:
        LIMB    4, r9, r8
.L5_\many:
        LIMB    5, r8, r9
.L6_\many:
        LIMB    6, r9, r8
.L7_\many:
        LIMB    7, r8, r9
        .if \many
        lea     rcx, [rcx - 1]
        lea     e, [e + 64]
        lea     u, [u + 64]
        jrcxz   1f
        jmp     .L0_\many
        .endif
1:      mov     next, rbx
        adcx    next, r8
        adox    next, zero
        adcx    top, zero
        adox    top, zero
        .if \many
        sub     e, own(BACK)
        sub     u, own(BACK)
        .endif
.Lstep\many:
        sub     out, 8
        dec     own(COUNT)
        jnz     .Ldigit\many
        jmp     .Ldone

.Lmore\many:                                    // rarely the digit is one too small
        ja      1f
        cmp     rbx, d0
        jb      .Lless\many
1:      inc     rdx
        sub     rbx, d0
        sbb     rcx, d1
        jmp     .Lless\many

// The two highest limbs equal d's: the digit is B - 1, and leaves r10:rcx:rbx above the row
.Lequal\many:
        cmp     next, d0
        jne     .Lguess\many
        mov     rdx, -1
        mov     rcx, top
        xor     r10d, r10d                      // the limb above the two
        add     rbx, next
        adc     rcx, 0
        adc     r10, 0
        sub     rbx, rdx
        sbb     rcx, 0
        sbb     r10, 0
        jmp     1f
.Lbelow\many:
        mov     r10, -1
1:      call    .Lslow
        jmp     .Lstep\many
        .endm

// ty_limb_div_adx: q[count] = floor(t/d), t[0..dn) = t mod d, for t of dn + count limbs, the upper
// dn of which are below d, and dn >= 3. The limbs of t above dn become 0, or the quotient: q may be
// t + dn. e holds the complement of d's dn - 2 lower limbs, then d's two highest limbs, and
// their reciprocal.
//   rdi = q, rsi = t, rdx = count >= 1, rcx = e, r8 = dn
TY_FUNC ty_limb_div_adx
        TY_KEEP 6
        sub     rsp, FRAME
        .cfi_adjust_cfa_offset FRAME
        mov     own(COUNT), rdx
        sub     r8, 2
        mov     own(K), r8
        lea     out, [rdi + 8*rdx - 8]
        lea     rbp, [rcx + 8*r8]
        lea     r9, [r8 + 7]
        shr     r9, 3
        mov     own(EIGHTS), r9
        mov     rax, r9
        shl     rax, 6
        mov     own(BACK), rax
        mov     eax, r8d
        neg     eax
        and     eax, 7                          // limbs of the first eight that are skipped
        lea     u, [rdx + r8]
        lea     u, [rsi + 8*u]
        mov     top, [u + 8]
        mov     next, [u]
        shl     r8, 3
        sub     u, r8                           // one limb above the row of the highest digit
        lea     e, [8*rax]
        sub     rcx, e
        sub     u, e
        mov     e, rcx
        mov     r12, rbp                        // from u to the top limbs, as from e to d0
        sub     r12, e
        xor     r11d, r11d
        lea     rcx, [rip + .Lentries]
        cmp     r9, 1
        je      .Lfew
        movsxd  rax, dword ptr [rcx + 4*rax + 32]
        add     rax, rcx
        mov     own(ENTRY), rax
        DIGITS  1
.Lfew:  movsxd  rax, dword ptr [rcx + 4*rax]
        add     rax, rcx
        mov     own(ENTRY), rax
        DIGITS  0
.Ldone: mov     [u + r12], next
        mov     [u + r12 + 8], top
        .cfi_remember_state
        add     rsp, FRAME
        .cfi_adjust_cfa_offset -FRAME
        TY_GIVE_BACK 6
        ret
        .cfi_restore_state

// The row with g = rdx, limb by limb, for r10:rcx:rbx on top; if the result is negative, d is added
// back
.Lslow: mov     [out], rdx
        mov     top, rcx
        mov     rcx, qword ptr [rsp + 8 + K]
        lea     rax, [8*rcx]
        mov     r8, rbp
        sub     r8, rax                         // ~d
        lea     r9, [u + r12]
        sub     r9, rax
        mov     next, rdx
1:      mulx    rdx, rax, [r8]
        add     rax, next
        adc     rdx, 0
        add     [r9], rax
        adc     rdx, 0
        mov     next, rdx
        mov     rdx, [out]
        add     r8, 8
        add     r9, 8
        dec     rcx
        jnz     1b
        add     next, rbx
        adc     top, 0
        adc     r10, 0
        jz      3f
        dec     qword ptr [out]
        mov     rcx, qword ptr [rsp + 8 + K]
        lea     rax, [8*rcx]
        sub     r8, rax
        sub     r9, rax
        xor     r10d, r10d
2:      mov     rax, [r8]
        not     rax
        neg     r10
        adc     rax, [r9]
        sbb     r10, r10
        mov     [r9], rax
        add     r8, 8
        add     r9, 8
        dec     rcx
        jnz     2b
        neg     r10
        adc     next, d0
        adc     top, d1
3:      ret
TY_END  ty_limb_div_adx

        TY_RODATA
        .balign 4
.Lentries:
        .irp    k, 0, 1, 2, 3, 4, 5, 6, 7
        .long   .L\k\()_0 - .Lentries
        .endr
        .irp    k, 0, 1, 2, 3, 4, 5, 6, 7
        .long   .L\k\()_1 - .Lentries
        .endr
#endif
#include "base/asm_notes.h"
