#if defined(__x86_64__)
// Products, squares and Montgomery reductions of n limbs with MULX, ADCX and ADOX, for the tier
// "adx". Constant time.
//
// A row is eight limbs of x, in memory, times one limb of y, in rdx, added to a window of eight
// limbs in registers:
//
//     window + z[k] + x y[k] <= (B^8 - 1) + (B - 1) + (B^8 - 1)(B - 1) = B^9 - 1: nine limbs
//
// The lower halves of the products go into the window along the carry flag, the upper ones, which
// belong a limb higher, along the overflow flag; z[k], the sum of earlier columns, begins that
// second chain. The lowest limb is then complete and is stored at z[k], the ninth takes its
// register: the window rotates through the registers r8 to r15, with a period of eight rows.
//
// A column is a run of such rows for the same eight limbs of x, one row for each limb of y. If the
// number of rows is not a multiple of eight, the first eight are entered in their middle, with the
// window rotated; if the number of limbs of x is not, the first column has 1 to 7 limbs.
//
// bound: one MULX per cycle: xn yn cycles for a product, n(n+1)/2 for a square, n^2 + n to reduce.
// Measured on Zen 3, the sibling thread busy: 1.3 to 1.5 times that from 16 limbs on, 1.8 at 8.
#include "base/asm_x86_64.h"

// The frame of the three functions. The parts that they share are called, and find it eight bytes
// higher.
// runs of eight rows that are left; the first of them may be entered in its middle
#define GROUPS  0
// the window after the last row is: 0 stored, 1 added to z, 2 left in its registers
#define MODE    8
#define CARRY   16              // into the next addition to z
#define MINV    24
#define TURN    32              // 8 times the row at which the first eight are entered
#define ENTRY   40              // and its address, for a column of eight
#define COUNT   48              // columns of eight left
#define RUN     56              // the first value of GROUPS
#define Z       64
#define X       72
#define Y       80
#define N       88
#define AGAIN   96              // the window, twice
#define FRAME   232             // with six registers and the return address, a multiple of 16
#define own(k)  qword ptr [rsp + k]
#define up(k)   qword ptr [rsp + 8 + k]

        .macro SAVE
        .irp    r, rbx, rbp, r12, r13, r14, r15
        push    \r
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset \r, 0
        .endr
        sub     rsp, FRAME
        .cfi_adjust_cfa_offset FRAME
        .endm
        .macro RESTORE
        add     rsp, FRAME
        .cfi_adjust_cfa_offset -FRAME
        .irp    r, r15, r14, r13, r12, rbp, rbx
        pop     \r
        .cfi_adjust_cfa_offset -8
        .cfi_restore \r
        .endr
        ret
        .endm
        .macro CLEAR                            // an empty window
        .irp    r, r8, r9, r10, r11, r12, r13, r14, r15
        xor     \r, \r
        .endr
        .endm

// f w, k, and the registers, rotated by `turn`
        .macro AT f, w, k, turn
        .if (\turn) % 8 == 0
        \f \w, \k, r8, r9, r10, r11, r12, r13, r14, r15
        .elseif (\turn) % 8 == 1
        \f \w, \k, r9, r10, r11, r12, r13, r14, r15, r8
        .elseif (\turn) % 8 == 2
        \f \w, \k, r10, r11, r12, r13, r14, r15, r8, r9
        .elseif (\turn) % 8 == 3
        \f \w, \k, r11, r12, r13, r14, r15, r8, r9, r10
        .elseif (\turn) % 8 == 4
        \f \w, \k, r12, r13, r14, r15, r8, r9, r10, r11
        .elseif (\turn) % 8 == 5
        \f \w, \k, r13, r14, r15, r8, r9, r10, r11, r12
        .elseif (\turn) % 8 == 6
        \f \w, \k, r14, r15, r8, r9, r10, r11, r12, r13
        .else
        \f \w, \k, r15, r8, r9, r10, r11, r12, r13, r14
        .endif
        .endm

// Products `first` to w - 1 of a row w wide, and the limb above them in rbx. rbp = 0, both flags
// clear.
        .macro STEP w, j, low, high
        mulx    rbx, rax, [rsi + 8*\j]
        adcx    \low, rax
        .if \j == \w - 1
        adcx    rbx, rbp
        adox    rbx, rbp
        .else
        adox    \high, rbx
        .endif
        .endm
        .macro STEPS first, w, x0, x1, x2, x3, x4, x5, x6, x7
        .if \first <= 0 && 0 < \w
        STEP    \w, 0, \x0, \x1
        .endif
        .if \first <= 1 && 1 < \w
        STEP    \w, 1, \x1, \x2
        .endif
        .if \first <= 2 && 2 < \w
        STEP    \w, 2, \x2, \x3
        .endif
        .if \first <= 3 && 3 < \w
        STEP    \w, 3, \x3, \x4
        .endif
        .if \first <= 4 && 4 < \w
        STEP    \w, 4, \x4, \x5
        .endif
        .if \first <= 5 && 5 < \w
        STEP    \w, 5, \x5, \x6
        .endif
        .if \first <= 6 && 6 < \w
        STEP    \w, 6, \x6, \x7
        .endif
        .if \first <= 7 && 7 < \w
        STEP    \w, 7, \x7, \x0
        .endif
        .endm

// The limb above, in rbx, becomes limb w of the window: the register after the last one, or the one
// that was stored.
        .macro TOP w, x0, x1, x2, x3, x4, x5, x6, x7
        .if \w == 1
        mov     \x1, rbx
        .elseif \w == 2
        mov     \x2, rbx
        .elseif \w == 3
        mov     \x3, rbx
        .elseif \w == 4
        mov     \x4, rbx
        .elseif \w == 5
        mov     \x5, rbx
        .elseif \w == 6
        mov     \x6, rbx
        .elseif \w == 7
        mov     \x7, rbx
        .else
        mov     \x0, rbx
        .endif
        .endm

        // the window is stored, from limb k of z on
        .macro STORE w, k, x0, x1, x2, x3, x4, x5, x6, x7
        .set    TY_I, 0
        .irp    r, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        .if TY_I < \w
        mov     [rdi + 8*(\k + TY_I)], \r
        .endif
        .set    TY_I, TY_I + 1
        .endr
        .endm

// --- Rows ----------------------------------------------------------------------------------------
// rsi = w limbs of x, rcx = y, rdi = z, window in r8 .. : does the rows of GROUPS, which advance
// rcx and rdi, and then acts according to MODE
        .macro ROW w, k, x0, x1, x2, x3, x4, x5, x6, x7
.Lrow\w\()_\k:
        mov     rdx, [rcx + 8*\k]
        xor     eax, eax                        // both flags
        adox    \x0, [rdi + 8*\k]
        STEPS   0, \w, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        mov     [rdi + 8*\k], \x0
        TOP     \w, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        .endm

        .macro FINISH w, k, x0, x1, x2, x3, x4, x5, x6, x7
.Lend\w:
        cmp     up(MODE), 1
        ja      3f
        je      1f
        STORE   \w, 0, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        ret
1:      mov     rax, up(CARRY)
        neg     rax
        .set    TY_I, 0
        .irp    r, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        .if TY_I < \w
        adc     \r, [rdi + 8*TY_I]
        mov     [rdi + 8*TY_I], \r
        .endif
        .set    TY_I, TY_I + 1
        .endr
        setc    al
        movzx   eax, al
        mov     up(CARRY), rax
3:      ret
        .endm

// one name for all these parts, whose frame is a return address
TY_FUNC_SYSV ty_limb_rows_adx
        .irp    w, 1, 2, 3, 4, 5, 6, 7, 8
        .balign 64
        .irp    k, 0, 1, 2, 3, 4, 5, 6, 7
        AT      ROW, \w, \k, \k
        .endr
        add     rcx, 64
        add     rdi, 64
        dec     up(GROUPS)
        jnz     .Lrow\w\()_0
        AT      FINISH, \w, 0, 0
        .endr

// --- Quotient digits -----------------------------------------------------------------------------
// rdi = w limbs of t, rsi = m: each limb in turn is cleared by adding a multiple of m's w lowest
// limbs, and replaced by the digit q = t minv mod B of that multiple. The next limb is known 10
// cycles later; in that time the 8 MULX of a row start. The remaining window begins in r8: it was
// rotated beforehand.
        .macro QLOAD w, k, x0, x1, x2, x3, x4, x5, x6, x7
        .set    TY_I, 0
        .irp    r, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        .if TY_I < \w
        mov     \r, [rdi + 8*TY_I]
        .endif
        .set    TY_I, TY_I + 1
        .endr
        .endm
        .macro QROW w, k, x0, x1, x2, x3, x4, x5, x6, x7
        mov     rdx, up(MINV)
        imul    rdx, \x0
        mov     [rdi + 8*\k], rdx
        xor     eax, eax
        STEPS   0, \w, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        TOP     \w, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        .endm
        .irp    w, 1, 2, 3, 4, 5, 6, 7, 8
        .balign 32
.Ldigits\w:
        AT      QLOAD, \w, 0, (8 - \w)
        .irp    k, 0, 1, 2, 3, 4, 5, 6, 7
        .if \k < \w
        AT      QROW, \w, \k, (8 - \w + \k)
        .endif
        .endr
        ret
        .endr

// --- Triangles -----------------------------------------------------------------------------------
// rsi = w limbs of x, rdi = z, window in r8 ...: adds the products x[j] x[k], j > k, at z + j + k,
// up to z[2w - 1] = 0. Before row k the window is limbs k to k + 7, of which k is complete, as this
// row begins at 2k + 1.
        .macro TROW w, k, x0, x1, x2, x3, x4, x5, x6, x7
        mov     rdx, [rsi + 8*\k]
        mov     [rdi + 8*\k], \x0
        xor     eax, eax
        STEPS   (\k + 1), \w, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        TOP     \w, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        .endm
        .macro TEND w, k, x0, x1, x2, x3, x4, x5, x6, x7
        STORE   \w, (\w - 1), \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
        mov     [rdi + 8*(2*\w - 1)], rbp
        .endm
        .irp    w, 1, 2, 3, 4, 5, 6, 7, 8
        .balign 32
.Ltriangle\w:
        .irp    k, 0, 1, 2, 3, 4, 5, 6
        .if \k < \w - 1
        AT      TROW, \w, \k, \k
        .endif
        .endr
        AT      TEND, \w, 0, (\w - 1)
        ret
        .endr

TY_END  ty_limb_rows_adx

// The addresses of these parts: rows by width and number, then ends, digits and triangles by width
        TY_RODATA
        .balign 4
.Lrows: .irp    w, 1, 2, 3, 4, 5, 6, 7, 8
        .irp    k, 0, 1, 2, 3, 4, 5, 6, 7
        .long   .Lrow\w\()_\k - .Lrows
        .endr
        .endr
        .macro  WIDTHS what
        .irp    w, 1, 2, 3, 4, 5, 6, 7, 8
        .long   .L\what\w - .L\what\()s
        .endr
        .endm
.Lends: WIDTHS  end
.Ldigitss: WIDTHS digits
.Ltriangles: WIDTHS triangle
        .text

// `to` = the address in .L<table> at index + plus
        .macro ADDRESS to, table, index, plus
        lea     rax, [rip + .L\table]
        movsxd  \to, dword ptr [rax + 4*\index + 4*(\plus)]
        add     \to, rax
        .endm

// ty_limb_mul_adx: z[xn + yn] = x y; z may not overlap x or y
//   rdi = z, rsi = x, rdx = xn, rcx = y, r8 = yn; xn, yn >= 1       time: depends on xn, yn
TY_FUNC ty_limb_mul_adx
        cmp     rdx, r8
        jne     1f
        lea     rax, [rdx - 3]
        cmp     rax, 5
        jbe     TY_GLOBAL(ty_limb_product_adx)  // 3 to 8 limbs each: short_adx.S
1:      SAVE
        lea     rax, [r8 + 7]
        shr     rax, 3
        mov     own(RUN), rax
        lea     r11, [rdi + 8*r8]
        neg     r8
        and     r8d, 7                          // the row at which to enter
        lea     r9, [8*r8]
        mov     own(TURN), r9
        sub     rcx, r9
        mov     own(Y), rcx
        mov     own(Z), rdi
        mov     own(MODE), 0
        ADDRESS rbx, rows, r8, 56
        mov     own(ENTRY), rbx
        xor     ebp, ebp
1:      mov     [rdi], rbp                      // z[0..yn) = 0
        add     rdi, 8
        cmp     rdi, r11
        jne     1b
        mov     rdi, rdx
        shr     rdi, 3
        and     edx, 7
        jz      2f
        lea     r8, [r8 + 8*rdx]
        ADDRESS rbx, rows, r8, -8
        jmp     3f
2:      mov     edx, 8
        dec     rdi
3:      mov     own(COUNT), rdi
4:      mov     own(X), rdx                     // the width of this column
        CLEAR
        mov     rax, own(RUN)
        mov     own(GROUPS), rax
        mov     rdi, own(Z)
        sub     rdi, own(TURN)
        mov     rcx, own(Y)
        notrack call rbx
        mov     rax, own(X)
        shl     rax, 3
        add     rsi, rax
        add     own(Z), rax
        mov     rbx, own(ENTRY)
        mov     edx, 8
        dec     own(COUNT)
        jns     4b
        RESTORE
TY_END  ty_limb_mul_adx

// ty_limb_sqr_adx: z[2n] = x^2; z may not overlap x
//   rdi = z, rsi = x, rdx = n >= 1                                  time: depends on n
// The products x[i] x[j], i < j: a triangle of the first 1 to 8 limbs; then for each eight more
// their rows with all limbs before them, and their own triangle. The result is twice that plus the
// squares x[i]^2.
TY_FUNC ty_limb_sqr_adx
        lea     rax, [rdx - 3]
        cmp     rax, 5
        jbe     TY_GLOBAL(ty_limb_square_adx)   // 3 to 8 limbs: short_adx.S
        SAVE
        mov     own(Z), rdi
        mov     own(X), rsi
        mov     own(N), rdx
        mov     own(MODE), 2
        lea     rcx, [rdx - 1]
        shr     rcx, 3
        mov     own(COUNT), rcx
        dec     edx
        and     edx, 7                          // the first triangle is one wider
        mov     r9d, edx
        xor     r9d, 7
        lea     rax, [8*r9]
        mov     own(TURN), rax
        ADDRESS rbx, rows, r9, 56
        mov     own(ENTRY), rbx
        ADDRESS rbx, triangles, rdx, 0
        lea     rdx, [8*rdx + 8]
        mov     own(Y), rdx                     // 8 times the limbs of x before the next column
        xor     ebp, ebp
        mov     own(RUN), rbp
        CLEAR
        notrack call rbx
1:      dec     own(COUNT)
        js      2f
        mov     rcx, own(X)
        mov     rdi, own(Z)
        mov     rax, own(Y)
        lea     rsi, [rcx + rax]
        add     rdi, rax
        add     rax, 64
        mov     own(Y), rax
        mov     rax, own(TURN)
        sub     rcx, rax
        sub     rdi, rax
        inc     own(RUN)
        mov     rax, own(RUN)
        mov     own(GROUPS), rax
        CLEAR
        mov     rbx, own(ENTRY)
        notrack call rbx
        call    .Ltriangle8
        jmp     1b

        // the doubling along the overflow flag, the squares along the other
        .macro DOUBLE i
        mov     rdx, [rsi + 8*\i]
        mulx    rbx, rax, rdx
        mov     r8, [rdi + 16*\i]
        mov     r9, [rdi + 16*\i + 8]
        adox    r8, r8
        adcx    r8, rax
        mov     [rdi + 16*\i], r8
        adox    r9, r9
        adcx    r9, rbx
        mov     [rdi + 16*\i + 8], r9
        .endm
2:      mov     rdi, own(Z)
        mov     rsi, own(X)
        mov     ecx, dword ptr [rsp + N]
        mov     rbp, own(N)
        shr     rbp, 2
        and     ecx, 3
        xor     eax, eax                        // both flags; LEA and JRCXZ leave them alone
        jrcxz   4f
3:      DOUBLE  0
        lea     rsi, [rsi + 8]
        lea     rdi, [rdi + 16]
        lea     rcx, [rcx - 1]
        jrcxz   4f
        jmp     3b
4:      mov     rcx, rbp
        jrcxz   6f
        jmp     5f
6:      jmp     7f
        .balign 32
5:      DOUBLE  0
        DOUBLE  1
        DOUBLE  2
        DOUBLE  3
        lea     rsi, [rsi + 32]
        lea     rdi, [rdi + 64]
        lea     rcx, [rcx - 1]
        jrcxz   7f
        jmp     5b
7:      RESTORE
TY_END  ty_limb_sqr_adx

// ty_limb_redc_adx: z[n] = t[2n]/B^n mod m, loose: limb.h. t is destroyed, z may be part of it
//   rdi = z, rsi = t, rdx = m, rcx = n >= 1, r8 = minv              time: depends on n
// Digits of q in columns, a narrow one first: the limbs of t in a column are cleared by rows of
// their own, which compute the digits and put them in place of these limbs; then the column of
// digits is multiplied by the rest of m. The window is added above.
TY_FUNC ty_limb_redc_adx
        SAVE
        mov     own(Z), rdi
        mov     own(X), rsi                     // the limbs of t to be cleared
        mov     own(Y), rdx
        mov     own(N), rcx
        mov     own(MINV), r8
        mov     own(MODE), 1
        xor     ebp, ebp
        mov     own(CARRY), rbp
        mov     rax, rcx
        shr     rax, 3
        mov     own(COUNT), rax
        and     ecx, 7
        jz      2f
        mov     own(ENTRY), rcx                 // a narrow column
        mov     rdi, rsi
        mov     rsi, rdx
        ADDRESS rbx, digitss, rcx, -1
        notrack call rbx
        mov     rcx, own(ENTRY)
        lea     rax, [8*rcx]
        mov     rsi, own(X)
        lea     rdi, [rsi + rax]
        mov     own(X), rdi
        mov     rdx, own(COUNT)
        mov     own(GROUPS), rdx
        test    rdx, rdx
        jnz     1f
        ADDRESS rbx, ends, rcx, -1              // no other columns
        notrack call rbx
        jmp     6f
1:      lea     rdx, [8*rcx]
        ADDRESS rbx, rows, rdx, -8
        mov     rcx, own(Y)
        lea     rcx, [rcx + rdx]
        notrack call rbx

2:      mov     r9d, dword ptr [rsp + N]        // columns of eight, and n - 8 rows
        neg     r9d
        and     r9d, 7
        lea     rax, [8*r9]
        mov     own(TURN), rax
        ADDRESS rbx, rows, r9, 56
        mov     own(ENTRY), rbx
        mov     rax, own(N)
        dec     rax
        shr     rax, 3                          // n - 8 rows in eights
        mov     own(RUN), rax
3:      mov     rdi, own(X)
        mov     rsi, own(Y)
        call    .Ldigits8
        mov     rsi, rdi
        mov     rcx, own(Y)
        add     rcx, 64
        add     rdi, 64
        mov     own(X), rdi
        mov     rax, own(RUN)
        mov     own(GROUPS), rax
        mov     rbx, own(ENTRY)
        test    rax, rax
        jz      7f
        mov     rax, own(TURN)
        test    rax, rax
        jz      4f
        sub     rcx, rax                        // the window is rotated by way of the stack
        sub     rdi, rax
        .set    TY_I, 0
        .irp    r, r8, r9, r10, r11, r12, r13, r14, r15
        mov     own(AGAIN + 8*TY_I), \r
        mov     own(AGAIN + 64 + 8*TY_I), \r
        .set    TY_I, TY_I + 1
        .endr
        neg     rax
        .set    TY_I, 0
        .irp    r, r8, r9, r10, r11, r12, r13, r14, r15
        mov     \r, [rsp + rax + AGAIN + 64 + 8*TY_I]
        .set    TY_I, TY_I + 1
        .endr
4:      notrack call rbx
5:      dec     own(COUNT)
        jnz     3b
        jmp     6f
7:      call    .Lend8
        jmp     5b

// z = t/B^n, less m if there was a carry: n mod 4 limbs first, then fours; rbp keeps CF between
6:      mov     rdi, own(Z)
        mov     rsi, own(X)
        mov     rdx, own(Y)
        mov     rcx, own(N)
        mov     rbx, own(CARRY)
        neg     rbx
        mov     r12, rcx
        and     ecx, 3
        shr     r12, 2
        xor     ebp, ebp
        test    ecx, ecx
        jz      9f
8:      mov     r8, [rdx]
        and     r8, rbx
        mov     rax, [rsi]
        neg     rbp
        sbb     rax, r8
        mov     [rdi], rax
        sbb     rbp, rbp
        .irp    r, rdx, rsi, rdi
        add     \r, 8
        .endr
        dec     ecx
        jnz     8b
9:      test    r12, r12
        jz      9f
8:      .set    TY_I, 0
        .irp    r, r8, r9, r10, r11
        mov     \r, [rdx + 8*TY_I]
        and     \r, rbx
        .set    TY_I, TY_I + 1
        .endr
        neg     rbp
        .set    TY_I, 0
        .irp    r, r8, r9, r10, r11
        mov     rax, [rsi + 8*TY_I]
        sbb     rax, \r
        mov     [rdi + 8*TY_I], rax
        .set    TY_I, TY_I + 1
        .endr
        sbb     rbp, rbp
        .irp    r, rdx, rsi, rdi
        add     \r, 32
        .endr
        dec     r12
        jnz     8b
9:      vpxor   xmm0, xmm0, xmm0                // wipes the stack
        .irp    at, 0, 16, 32, 48, 64, 80, 96, 112
        vmovdqu [rsp + AGAIN + \at], xmm0
        .endr
        RESTORE
TY_END  ty_limb_redc_adx
#endif
#include "base/asm_notes.h"
