#if defined(__x86_64__)
// SM3's compression function with AVX and BMI2, for the tier "avx2".
//
// Rounds run on scalar registers. The message is expanded in vector registers, four words in every
// four rounds, interleaved with these: the words are stored in 128 bytes of stack, where W_j and
// W_j ^ W_{j+4} are the memory operands of two ADDs of a round.
//
// The critical path is that of E. In rounds 16 to 63 it is
//   AND 1, XOR 1 (GG), two ADD 2, then P0: rotation 1, XOR 1, XOR 1 = 7 cycles,
// and 6 in rounds 0 to 15, where GG is one XOR. The path through SS1 (ADD, rotation) is one cycle
// shorter and has one to spare; so A's terms, A <<< 12 and the constant, are added before E.
// Everything else is early: sums add last what is ready last. A round is 24 ALU instructions (21
// before round 16), 6 rotations among them, which need one of two ports.
//
// Bound: 16 x 6 + 48 x 7 = 432 cycles a block, 6.75 per byte; ALUs alone would allow 5.8. Measured
// on Zen 3: 7.2 with the expansion in sixteen parts, 7.35 in four. Keeping E as the two terms of a
// XOR shortens GG by a cycle for two more instructions; used in a quarter to all of the rounds, it
// was never faster.
#define TY_ASM_VECTORS
#include "base/asm_x86_64.h"

#define STATE   qword ptr [rsp + 128]
#define COUNT   qword ptr [rsp + 136]
#define LAST    xmm14
#define ROT8    xmm15
#define SWAP    xmm13
#define T0      edi
#define T0Q     rdi
#define T1      ebp
#define T2      r12d
#define T3      r13d
#define W(j)    dword ptr [rsp + (4*(j)) % 64]          // W_j
#define WX(j)   dword ptr [rsp + 64 + (4*(j)) % 64]     // W_j ^ W_{j+4}

        TY_RODATA
        .balign 16
last:   .long   0, 0, 0, -1
rot8:   .byte   3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
swap:   .byte   3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12

// --- The expansion, in sixteen parts
// x0 .. x3 are W_j .. W_{j+15}, four words each; x0 becomes W_{j+16} .. W_{j+19}, by
//     W_i = P1(W_{i-16} ^ W_{i-9} ^ (W_{i-3} <<< 15)) ^ (W_{i-13} <<< 7) ^ W_{i-6}, P1(t) = t ^ ((t
//     ^ (t <<< 8)) <<< 15).
// The last word needs the first one, which is still being computed: its W_{i-3} is first zero and
// is added at the end. P1 is linear, so what is missing there is P1(y <<< 15) = (y <<< 15) ^ (y <<<
// 30) ^ (y <<< 6), y the first word; on a 64-bit lane that holds y twice, the upper half of a shift
// is a rotation. The last words to compute are W_64 .. W_67.
        .macro PART n, j, x0, x1, x2, x3
        .if \n == 0 && \j < 60
        vpxor   xmm10, xmm\x1, xmm\x2                   // for the next four rounds
        vmovdqa [rsp + (4*\j + 16) % 64], xmm\x1
        .elseif \n == 1 && \j < 60
        vmovdqa [rsp + 64 + (4*\j + 16) % 64], xmm10
        .if \j < 52
        vpalignr xmm4, xmm\x2, xmm\x1, 12               // W_{i-9}
        .endif
        .elseif \n == 2 && \j < 52
        vpsrldq xmm5, xmm\x3, 4                         // W_{i-3}
        vpxor   xmm4, xmm4, xmm\x0
        .elseif \n == 3 && \j < 52
        vpslld  xmm6, xmm5, 15
        vpsrld  xmm5, xmm5, 17
        .elseif \n == 4 && \j < 52
        vpalignr xmm7, xmm\x1, xmm\x0, 12               // W_{i-13}
        vpxor   xmm4, xmm4, xmm6
        .elseif \n == 5 && \j < 52
        vpxor   xmm4, xmm4, xmm5                        // t
        vpslld  xmm8, xmm7, 7
        .elseif \n == 6 && \j < 52
        vpsrld  xmm7, xmm7, 25
        vpshufb xmm5, xmm4, ROT8
        .elseif \n == 7 && \j < 52
        vpalignr xmm9, xmm\x3, xmm\x2, 8                // W_{i-6}
        vpxor   xmm5, xmm5, xmm4
        .elseif \n == 8 && \j < 52
        vpxor   xmm8, xmm8, xmm7
        vpslld  xmm6, xmm5, 15
        .elseif \n == 9 && \j < 52
        vpsrld  xmm5, xmm5, 17
        vpxor   xmm8, xmm8, xmm9
        .elseif \n == 10 && \j < 52
        vpxor   xmm4, xmm4, xmm8
        vpxor   xmm6, xmm6, xmm5
        .elseif \n == 11 && \j < 52
        vpxor   xmm4, xmm4, xmm6                        // all but the last word
        vpshufd xmm5, xmm4, 0                           // y
        .elseif \n == 12 && \j < 52
        vpsllq  xmm6, xmm5, 15
        vpsllq  xmm7, xmm5, 30
        .elseif \n == 13 && \j < 52
        vpsllq  xmm5, xmm5, 6
        vpxor   xmm6, xmm6, xmm7
        .elseif \n == 14 && \j < 52
        vpxor   xmm6, xmm6, xmm5
        vpand   xmm6, xmm6, LAST
        .elseif \n == 15 && \j < 52
        vpxor   xmm\x0, xmm4, xmm6
        .endif
        .endm

// --- A round
// The standard shifts its eight registers down by one; here they stay, and the names move: what was
// d becomes the new a, what was h the new e. T_j <<< j is written as a displacement, which is a
// signed number.
        .macro ROTATED t, j
        .set    sm3_t, (\t << ((\j) % 32) | \t >> (32 - (\j) % 32)) & 0xffffffff
        .set    sm3_t, (sm3_t ^ 0x80000000) - 0x80000000
        .endm

// Adds FF to d and GG to h: parity, then majority, (a & b) + (c & (a ^ b)) with a & b = b & ~(a ^
// b), and choice
        .macro PARITY a, b, c, d, e, f, g, h
        mov     T3, \f
        xor     T3, \g
        mov     T2, \b
        xor     T2, \c
        xor     T3, \e
        xor     T2, \a
        add     \h, T3
        add     \d, T2
        .endm
        .macro CHOICE a, b, c, d, e, f, g, h
        mov     T2, \a
        xor     T2, \b
        mov     T3, \f
        xor     T3, \g
        and     T3, \e
        xor     T3, \g
        add     \h, T3
        andn    T3, T2, \b
        and     T2, \c
        add     \d, T3
        add     \d, T2
        .endm

        .macro ROUND which, a, b, c, d, e, f, g, h, i, j, x0, x1, x2, x3
        .if \which
        ROTATED 0x7a879d8a, \j + \i
        .else
        ROTATED 0x79cc4519, \j + \i
        .endif
        PART    (4*\i), \j, \x0, \x1, \x2, \x3
        rorx    T0, \a, 20                              // A <<< 12
        add     \h, W(\j + \i)
        add     \d, WX(\j + \i)
        lea     T1, [T0Q + sm3_t]
        add     T1, \e
        PART    (4*\i + 1), \j, \x0, \x1, \x2, \x3
        .if \which
        CHOICE  \a, \b, \c, \d, \e, \f, \g, \h
        .else
        PARITY  \a, \b, \c, \d, \e, \f, \g, \h
        .endif
        rol     T1, 7                                   // SS1
        PART    (4*\i + 2), \j, \x0, \x1, \x2, \x3
        add     \h, T1                                  // TT2
        xor     T0, T1                                  // SS2
        add     \d, T0                                  // TT1, the new a
        rorx    T2, \h, 15
        rorx    T3, \h, 23
        PART    (4*\i + 3), \j, \x0, \x1, \x2, \x3
        xor     \h, T3
        xor     \h, T2                                  // P0(TT2), the new e
        rol     \b, 9
        rol     \f, 19
        .endm

// Rounds j .. j + 3; meanwhile the words of the next four are stored and x0 becomes W_{j+16} ..
        .macro FOUR which, j, x0, x1, x2, x3
        ROUND   \which, eax, ebx, ecx, edx, r8d, r9d, r10d, r11d, 0, \j, \x0, \x1, \x2, \x3
        ROUND   \which, edx, eax, ebx, ecx, r11d, r8d, r9d, r10d, 1, \j, \x0, \x1, \x2, \x3
        ROUND   \which, ecx, edx, eax, ebx, r10d, r11d, r8d, r9d, 2, \j, \x0, \x1, \x2, \x3
        ROUND   \which, ebx, ecx, edx, eax, r9d, r10d, r11d, r8d, 3, \j, \x0, \x1, \x2, \x3
        .endm
        .macro SIXTEEN which, j
        FOUR    \which, \j, 0, 1, 2, 3
        FOUR    \which, (\j + 4), 1, 2, 3, 0
        FOUR    \which, (\j + 8), 2, 3, 0, 1
        FOUR    \which, (\j + 12), 3, 0, 1, 2
        .endm

        .macro SAVE r
        push    \r
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset \r, 0
        .endm
        .macro RESTORE r
        pop     \r
        .cfi_adjust_cfa_offset -8
        .cfi_restore \r
        .endm
        .macro LOAD x, at
        vmovdqu xmm\x, [rsi + \at]
        vpshufb xmm\x, xmm\x, SWAP
        .endm
        .macro FEED r, at                               // a word of the state ^= r
        xor     \r, [rdi + \at]
        mov     [rdi + \at], \r
        .endm

// h = CF(... CF(h, in[0..64)) ...)
//   rdi = h       eight words, any alignment
//   rsi = in      64 bytes for each block, any alignment
//   rdx = nblocks may be 0: nothing is read
//   time          depends on nblocks alone
        .text
TY_FUNC ty_sm3_blocks_avx2
        test    rdx, rdx
        jz      2f
        SAVE    rbx
        SAVE    rbp
        SAVE    r12
        SAVE    r13
        SAVE    r14                                     // for the alignment of the stack
        sub     rsp, 144                                // rsp was 16 n + 8, five registers are 40
        .cfi_adjust_cfa_offset 144
        mov     STATE, rdi
        mov     COUNT, rdx
        vmovdqa LAST, [rip + last]
        vmovdqa ROT8, [rip + rot8]
        vmovdqa SWAP, [rip + swap]
        mov     eax, [rdi]
        mov     ebx, [rdi + 4]
        mov     ecx, [rdi + 8]
        mov     edx, [rdi + 12]
        mov     r8d, [rdi + 16]
        mov     r9d, [rdi + 20]
        mov     r10d, [rdi + 24]
        mov     r11d, [rdi + 28]
        .balign 64
1:      LOAD    0, 0
        LOAD    1, 16
        LOAD    2, 32
        LOAD    3, 48
        add     rsi, 64
        vpxor   xmm10, xmm0, xmm1
        vmovdqa [rsp], xmm0
        vmovdqa [rsp + 64], xmm10
        SIXTEEN 0, 0
        SIXTEEN 1, 16
        SIXTEEN 1, 32
        SIXTEEN 1, 48
        mov     rdi, STATE
        FEED    eax, 0
        FEED    ebx, 4
        FEED    ecx, 8
        FEED    edx, 12
        FEED    r8d, 16
        FEED    r9d, 20
        FEED    r10d, 24
        FEED    r11d, 28
        dec     COUNT
        jnz     1b
        vpxor   xmm0, xmm0, xmm0                        // no words stay on the stack
        .irp    at, 0, 16, 32, 48, 64, 80, 96, 112
        vmovdqa [rsp + \at], xmm0
        .endr
        add     rsp, 144
        .cfi_adjust_cfa_offset -144
        RESTORE r14
        RESTORE r13
        RESTORE r12
        RESTORE rbp
        RESTORE rbx
2:      ret
TY_END  ty_sm3_blocks_avx2
#endif
#include "base/asm_notes.h"
